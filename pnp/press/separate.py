"""Converts sRGB to the inks of a press, by ICC profile or by formula."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pnp.dataclass import dataclass
from pnp.shapes.colour import WEIGHTS, encoded, linear
from pnp.system.paths import plain_bytes
from pnp.values.problems import Fault

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Standard = Literal["PDF/X-4", "PDF/X-1a"]
# What coated paper takes under most presses, in percent of all four inks together.
MOST_INK = 300.0


@dataclass(frozen=True, slots=True)
class Condition:
    """A printing condition: which press and paper a file is made for."""

    profile: bytes
    """The ICC profile of the press, which is stored in the file."""
    name: str
    """What print shops call the condition, such as FOGRA39; the profile's own name where it is no registered one."""
    limit: float = MOST_INK
    """The most ink on any spot, in percent: 400 would be all four inks solid."""


@dataclass(frozen=True, slots=True)
class Boxes:
    """Trim margin and bleed in mm: how far inside the page it is cut, and how far beyond the cut the picture reaches."""

    inset: float = 0.0
    bleed: float = 0.0


WHOLE_PAGE = Boxes()


# Coated paper as most of Europe prints on it (Fogra39), free to pass on; on Debian and Ubuntu it is in scribus-data.
PLACES = tuple(Path(f"/usr/{local}share/scribus/profiles/ISOcoated_v2_300_bas.icc") for local in ("", "local/"))
HOW = (
    "Take one from your print shop and name it with --profile FILE; on Debian and Ubuntu also: apt-get install scribus-data"
)
# What print shops call the conditions whose profiles have other names (registry of the International Color Consortium).
REGISTERED = {
    "iso coated v2": "FOGRA39",
    "coated fogra39": "FOGRA39",
    "pso coated v3": "FOGRA51",
    "pso uncoated v3": "FOGRA52",
    "pso uncoated iso12647": "FOGRA47",
    "gracol2006": "CGATS TR 006",
    "swop2006_coated3": "CGATS TR 003",
    "swop2006_coated5": "CGATS TR 005",
    "u.s. web coated (swop) v2": "CGATS TR 001",
    "japan color 2001 coated": "JC200103",
}
# What a profile is of, by the letters in its head (ICC.1, 7.2.5).
_KINDS = {b"mntr": "a screen", b"scnr": "a scanner or camera", b"spac": "a way of counting colours", b"link": "two devices"}
_HEAD = 128
# The largest that shops hand out have a tenth of it.
MOST_BYTES = 50_000_000


def condition_of(path: Path | None, limit: float) -> Condition:
    """The printing condition of a profile, with an ink limit in percent; without a path that of Scribus' profile.

    Raises Fault.
    """
    found = path or next((place for place in PLACES if place.is_file()), None)
    if found is None:
        raise Fault("there is no profile of a press on this computer", hint=f"{HOW}.")
    try:
        profile = plain_bytes(found, MOST_BYTES)
    except OSError as error:
        raise Fault(f"{found} cannot be read ({error.strerror})", hint=f"{HOW}.") from None
    kind, space = profile[12:16], profile[16:20].decode("ascii", "replace").strip()
    if len(profile) <= _HEAD or profile[36:40] != b"acsp":
        raise Fault(f"{found} is no ICC profile", hint=f"{HOW}.")
    if kind != b"prtr" or space != "CMYK":
        of = _KINDS.get(kind, "a press" if kind == b"prtr" else "something else")
        raise Fault(f"{found} is the profile of {of}, in {space}, not of a press with four inks", hint=f"{HOW}.")
    if b"B2A0" not in _tags(profile):
        raise Fault(f"{found} only tells how inks look, and not which inks a colour takes", hint=f"{HOW}.")
    return Condition(profile, _named(profile, found.stem), limit)


def _tags(profile: bytes) -> list[bytes]:
    """A profile's tag signatures."""
    count = int.from_bytes(profile[_HEAD : _HEAD + 4], "big")
    index = profile[_HEAD + 4 : _HEAD + 4 + 12 * min(count, 100)]
    return [index[at : at + 4] for at in range(0, len(index), 12)]


def _named(profile: bytes, otherwise: str) -> str:
    """The condition's registered name, or the profile's description."""
    from PIL import ImageCms

    try:
        words = ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(io.BytesIO(profile))).strip()
    except (ImageCms.PyCMSError, OSError):
        words = ""
    known = (name for start, name in REGISTERED.items() if words.lower().startswith(start))
    return next(known, "") or words or otherwise


Numbers = tuple[float, ...]

# Of 255, how far red, green and blue are apart where a colour is no grey at all. Between grey and that the inks change from
# black alone to those of the profile bit by bit: in a photo, dots beside one another would else be of different inks.
COLOURED = 6
# Letters are nearly black whose brightest part is no brighter, and whose parts are no farther apart, of 255.
DARK, NEARLY_GREY = 72, 40
# Black of so many percent is printed solid in letters: a screen would fray their edges.
SOLID = 88
# A picture has so many dots that its colours are worth looking up; and so many colours are converted at once.
MANY, MOST_AT_ONCE = 50_000, 1_000_000
# Luminosity of red, green and blue in a mask (ISO 32000-1, 11.5.3).
MASKED = (0.3, 0.59, 0.11)


class Target(Protocol):
    """The inks that colours are converted to."""

    space: str
    """Name of the colour space."""
    grey: bool
    """Whether one number says all, 1 for white."""
    setters: tuple[str, str]
    """The operators that set a colour to fill with, and one to draw lines with."""

    def rows(self, colours: NDArray[np.uint8], profile: bytes = b"") -> NDArray[np.uint8]:
        """Converts rows of RGB; ``profile`` is their ICC profile, by default sRGB."""

    def inks(self, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Converts rows of CMYK."""

    def letters(self, colour: tuple[int, int, int]) -> Numbers | None:
        """A colour for letters, from 0 to 1, if it differs from that for areas."""


class Masks:
    """Greys of soft masks, which are not printed: their values are kept."""

    space, grey, setters = "/DeviceGray", True, ("g", "G")

    def rows(self, colours: NDArray[np.uint8], profile: bytes = b"") -> NDArray[np.uint8]:
        import numpy as np

        shades: NDArray[np.uint8] = np.rint(colours @ np.array(MASKED)).astype(np.uint8)[:, None]
        return shades

    def inks(self, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
        import numpy as np

        dark = rows[:, :3] @ np.array(MASKED) + rows[:, 3]
        shades: NDArray[np.uint8] = (255 - np.rint(np.minimum(dark, 255))).astype(np.uint8)[:, None]
        return shades

    def letters(self, colour: tuple[int, int, int]) -> Numbers | None:
        return None


class Inks:
    """CMYK of a press. Raises Fault for a useless profile."""

    space, grey, setters = "/DeviceCMYK", False, ("k", "K")

    def __init__(self, condition: Condition) -> None:
        from PIL import ImageCms

        self._condition = condition
        try:
            self._press = ImageCms.ImageCmsProfile(io.BytesIO(condition.profile))
        except (ImageCms.PyCMSError, OSError) as error:
            raise Fault(f"the profile cannot be read ({error})") from None
        # Both ways are tried at once: what is no press's profile is found before anything is converted.
        self._transforms = {b"": self._transform(ImageCms.createProfile("sRGB"), self._press, "RGB", "CMYK")}
        self.black = self._ramp()

    def rows(self, colours: NDArray[np.uint8], profile: bytes = b"") -> NDArray[np.uint8]:
        import numpy as np

        if len(colours) < MANY:
            return self._some(colours, profile)
        # Pictures have each of their colours many times: it is converted once, and looked up by its number.
        # A part at a time: what is reckoned with between takes four times the room of the picture.
        parts = [slice(start, start + MOST_AT_ONCE) for start in range(0, len(colours), MOST_AT_ONCE)]
        numbers = np.empty(len(colours), np.uint32)
        there = np.zeros(1 << 24, bool)
        for part in parts:
            wide = colours[part].astype(np.uint32)
            numbers[part] = wide[:, 0] << 16 | wide[:, 1] << 8 | wide[:, 2]
            there[numbers[part]] = True
        (known,) = np.nonzero(there)
        several = np.stack([known >> 16, known >> 8 & 255, known & 255], axis=1).astype(np.uint8)
        table = np.empty((1 << 24, 4), np.uint8)
        for start in range(0, len(known), MOST_AT_ONCE):
            end = start + MOST_AT_ONCE
            table[known[start:end]] = self._some(several[start:end], profile)
        for part in parts:
            numbers[part] = table.view(np.uint32)[:, 0][numbers[part]]
        found: NDArray[np.uint8] = numbers.view(np.uint8).reshape(-1, 4)
        return found

    def _some(self, colours: NDArray[np.uint8], profile: bytes) -> NDArray[np.uint8]:
        import numpy as np

        if not len(colours):
            return np.empty((0, 4), np.uint8)
        printed = self._through(colours, profile)
        apart = np.ptp(colours, axis=1)
        (greyish,) = np.nonzero(apart < COLOURED)
        if len(greyish):
            near = colours[greyish]
            black = self.black[np.rint(near.mean(axis=1)).astype(np.uint8)]
            share = (apart[greyish] / COLOURED)[:, None]
            alone = np.zeros((len(near), 4))
            alone[:, 3] = black
            printed[greyish] = np.rint(printed[greyish] * share + alone * (1 - share)).astype(np.uint8)
        return self.inks(printed)

    def inks(self, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
        import numpy as np

        most = self._condition.limit * 255 / 100
        (wet,) = np.nonzero(rows.sum(axis=1, dtype=np.uint16) > most)
        if not len(wet):
            return rows
        thinned = rows.copy()
        colour, black = rows[wet, :3].astype(float), rows[wet, 3].astype(float)
        share = np.maximum(0, most - black) / colour.sum(axis=1)
        thinned[wet, :3] = np.floor(colour * share[:, None] + 1e-9).astype(np.uint8)
        return thinned

    def letters(self, colour: tuple[int, int, int]) -> Numbers | None:
        if max(colour) > DARK or max(colour) - min(colour) > NEARLY_GREY:
            return None
        light = sum(weight * linear(part / 255) for weight, part in zip(WEIGHTS, colour, strict=True))
        black = int(self.black[round(255 * float(encoded(light)))]) / 255
        return (0.0, 0.0, 0.0, 1.0 if 100 * black >= SOLID else black)

    def _ramp(self) -> NDArray[np.uint8]:
        """The amount of black from 0 to 255 that looks like each grey, from paper white to solid black."""
        import numpy as np
        from PIL import Image, ImageCms

        ramp = np.zeros((1, 256, 4), np.uint8)
        ramp[..., 3] = np.arange(256)
        printed = Image.frombytes("CMYK", (256, 1), ramp.tobytes())
        lab = self._transform(self._press, ImageCms.createProfile("LAB"), "CMYK", "LAB").apply(printed)
        lightness = np.asarray(lab)[0, :, 0] * (100 / 255)
        light = np.where(lightness > 8, ((lightness + 16) / 116) ** 3, lightness / 903.3)
        # From paper to solid black, darker with each step; a step that a profile rounds away is none.
        light = np.minimum.accumulate(light)
        paper, solid = light[0], light[-1]
        share = np.clip((light - solid) / max(paper - solid, 1e-6), 0, 1)
        wanted = linear(np.arange(256) / 255)
        # np.interp wants what it looks in to rise.
        found = np.interp(wanted, share[::-1], np.arange(255, -1, -1))
        found[0], found[-1] = 255, 0
        black: NDArray[np.uint8] = np.rint(found).astype(np.uint8)
        return black

    def _through(self, colours: NDArray[np.uint8], profile: bytes) -> NDArray[np.uint8]:
        """Converts rows of RGB by the profiles."""
        import numpy as np
        from PIL import Image, ImageCms

        if profile not in self._transforms:
            try:
                source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            except (ImageCms.PyCMSError, OSError) as error:
                raise Fault(f"a profile of its colours cannot be read ({error})") from None
            self._transforms[profile] = self._transform(source, self._press, "RGB", "CMYK")
        picture = Image.frombytes("RGB", (len(colours), 1), np.ascontiguousarray(colours).tobytes())
        printed = Image.new("CMYK", picture.size)
        # Pillow's own way writes the profile of the press down each time, which takes as long as ten thousand colours.
        self._transforms[profile].transform.apply(picture.getim(), printed.getim())
        return np.frombuffer(printed.tobytes(), np.uint8).reshape(-1, 4).copy()

    def _transform(self, source: Any, target: Any, given: str, wanted: str) -> Any:
        from PIL import ImageCms

        try:
            return ImageCms.buildTransform(
                source, target, given, wanted, ImageCms.Intent.RELATIVE_COLORIMETRIC, ImageCms.Flags.BLACKPOINTCOMPENSATION
            )
        except ImageCms.PyCMSError as error:
            raise Fault(f"the profile cannot convert {given} to {wanted} ({error})") from None


Kind = Literal["grey", "rgb", "cmyk", "spot", "indexed", "pattern"]
_PLAIN: dict[str, Kind] = {
    **dict.fromkeys(("/DeviceGray", "/CalGray", "/G"), "grey"),
    **dict.fromkeys(("/DeviceRGB", "/CalRGB", "/RGB"), "rgb"),
    **dict.fromkeys(("/DeviceCMYK", "/CMYK"), "cmyk"),
    "/Pattern": "pattern",
}
_PARTS: dict[Kind, int] = {"grey": 1, "rgb": 3, "cmyk": 4}
_BY_PARTS: dict[int, Kind] = {count: kind for kind, count in _PARTS.items()}


@dataclass(frozen=True, slots=True)
class Space:
    """A colour space of a PDF, ready to convert from."""

    kind: Kind
    parts: int
    """Numbers of a colour."""
    profile: bytes = b""
    """Of red, green and blue that are not those of sRGB."""
    base: Space | None = None
    """Of what an index leads to, or an uncoloured pattern is drawn in."""
    table: bytes = b""
    """The colours that an index leads to."""

    def rows(self, values: NDArray[np.uint8], target: Target) -> NDArray[np.uint8]:
        """Converts rows of colours from 0 to 255. Raises Fault."""
        import numpy as np

        if self.kind == "grey":
            return target.rows(np.repeat(values, 3, axis=1))
        if self.kind == "rgb":
            return target.rows(values, self.profile)
        if self.kind == "cmyk":
            return target.inks(values)
        if self.kind == "indexed" and self.base is not None:
            return self.base.rows(self.colours()[np.minimum(values[:, 0], len(self.colours()) - 1)], target)
        raise Fault("colours of a kind that no ink can be found for")

    def colours(self) -> NDArray[np.uint8]:
        """The colours of an indexed space's palette."""
        import numpy as np

        assert self.base is not None
        whole = len(self.table) // self.base.parts * self.base.parts
        return np.frombuffer(self.table[:whole], np.uint8).reshape(-1, self.base.parts)


def space_of(there: Any, named: Any = None) -> Space:
    """Reads a colour space; ``named`` are the colour space resources. Raises Fault."""
    import pikepdf

    if isinstance(there, pikepdf.Name):
        if str(there) in _PLAIN:
            kind = _PLAIN[str(there)]
            return Space(kind, _PARTS.get(kind, 0))
        if named is not None and str(there) in named:
            return space_of(named[str(there)])
        raise Fault(f"the colour space {there}, which the file does not define")
    kind_of = str(there[0])
    if kind_of == "/ICCBased":
        kind = _BY_PARTS[int(there[1]["/N"])]
        return Space(kind, _PARTS[kind], _unusual(there[1].read_bytes()) if kind == "rgb" else b"")
    if kind_of in ("/Separation", "/DeviceN"):
        return Space("spot", len(there[1]) if kind_of == "/DeviceN" else 1)
    if kind_of in ("/Indexed", "/I"):
        table = there[3]
        read = table.read_bytes() if isinstance(table, pikepdf.Stream) else bytes(table)
        return Space("indexed", 1, base=space_of(there[1], named), table=read)
    if kind_of == "/Pattern":
        return Space("pattern", 0, base=space_of(there[1], named) if len(there) > 1 else None)
    if kind_of in _PLAIN:
        return Space(_PLAIN[kind_of], _PARTS[_PLAIN[kind_of]])
    raise Fault(f"colours of the kind {kind_of.lstrip('/')}")


def _unusual(profile: bytes) -> bytes:
    """A profile, but nothing for sRGB, so that no second transform is built for it."""
    return b"" if b"sRGB" in profile or b"s\0R\0G\0B" in profile else profile
