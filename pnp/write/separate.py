"""Colours of a screen → inks of a press, or greys of a mask: rows of red, green and blue become rows of the target.

A press lays four inks over one another, never quite in register. So greys, which are mostly letters and lines, are printed
with black alone, as light as they are on the screen, and nearly black letters too. All else goes through the profile of the
press, relative to the white of its paper and with its darkest black for black. Where more ink than the paper takes would
come together, cyan, magenta and yellow are thinned, and black stays.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Protocol

from pnp.shapes.colour import WEIGHTS, encoded, linear
from pnp.values.press import Condition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


class NoTransform(ValueError):
    """Two profiles between which nothing can be converted. The text is for the person."""


class Target(Protocol):
    """What colours become."""

    space: str
    """Name of the colour space."""
    grey: bool
    """Whether one number says all, 1 for white."""
    setters: tuple[str, str]
    """The operators that set a colour to fill with, and one to draw lines with."""

    def rows(self, colours: NDArray[np.uint8], profile: bytes = b"") -> NDArray[np.uint8]:
        """Rows of red, green and blue, in a profile's colours or else in sRGB, as rows of this space."""

    def inks(self, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Rows of cyan, magenta, yellow and black as rows of this space."""

    def letters(self, colour: tuple[int, int, int]) -> Numbers | None:
        """The colour of letters, from 0 to 1, where it is another than that of areas."""


class Masks:
    """Greys that say how much of a picture shows: no ink is ever laid with them, so their numbers are kept."""

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
    """The four inks of a press. Raises NoTransform where its profile cannot be used."""

    space, grey, setters = "/DeviceCMYK", False, ("k", "K")

    def __init__(self, condition: Condition) -> None:
        from PIL import ImageCms

        self._condition = condition
        self._intent = getattr(ImageCms.Intent, {"relative": "RELATIVE_COLORIMETRIC"}.get(condition.intent, "PERCEPTUAL"))
        try:
            self._press = ImageCms.ImageCmsProfile(io.BytesIO(condition.profile))
        except (ImageCms.PyCMSError, OSError) as error:
            raise NoTransform(f"the profile cannot be read ({error})") from None
        # Both ways are tried at once: what is no press's profile is found before anything is converted.
        self._transforms = {b"": self._transform(ImageCms.createProfile("sRGB"), self._press, "RGB", "CMYK")}
        self.black = self._ramp()

    def rows(self, colours: NDArray[np.uint8], profile: bytes = b"") -> NDArray[np.uint8]:
        import numpy as np

        if len(colours) < MANY:
            return self._some(colours, profile)
        # Pictures have each of their colours many times: it is converted once, and looked up by its number.
        wide = colours.astype(np.uint32)
        numbers = wide[:, 0] << 16 | wide[:, 1] << 8 | wide[:, 2]
        there = np.zeros(1 << 24, bool)
        there[numbers] = True
        (known,) = np.nonzero(there)
        several = np.stack([known >> 16, known >> 8 & 255, known & 255], axis=1).astype(np.uint8)
        table = np.empty((1 << 24, 4), np.uint8)
        for start in range(0, len(known), MOST_AT_ONCE):
            end = start + MOST_AT_ONCE
            table[known[start:end]] = self._some(several[start:end], profile)
        found: NDArray[np.uint8] = table.view(np.uint32)[:, 0][numbers].view(np.uint8).reshape(-1, 4)
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
        """How much black alone, of 255, looks as each grey does: the paper is white, and solid black is black."""
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
        """Rows of red, green and blue as the profiles convert them."""
        import numpy as np
        from PIL import Image, ImageCms

        if profile not in self._transforms:
            try:
                source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            except (ImageCms.PyCMSError, OSError) as error:
                raise NoTransform(f"a profile of its colours cannot be read ({error})") from None
            self._transforms[profile] = self._transform(source, self._press, "RGB", "CMYK")
        picture = Image.frombytes("RGB", (len(colours), 1), np.ascontiguousarray(colours).tobytes())
        printed = np.frombuffer(self._transforms[profile].apply(picture).tobytes(), np.uint8)
        return printed.reshape(-1, 4).copy()

    def _transform(self, source: Any, target: Any, given: str, wanted: str) -> Any:
        from PIL import ImageCms

        try:
            return ImageCms.buildTransform(
                source, target, given, wanted, self._intent, ImageCms.Flags.BLACKPOINTCOMPENSATION
            )
        except ImageCms.PyCMSError as error:
            raise NoTransform(f"the profile cannot convert {given} to {wanted} ({error})") from None
