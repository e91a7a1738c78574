"""A game's drawings: found by name in ``art/`` and the templates' icons, checked, made safe."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pnp.svg import safe as svg
from pnp.svg.normal import normal
from pnp.svg.tree import local, tag
from pnp.system.cache import digest
from pnp.system.paths import file_within, within
from pnp.values.game import Game
from pnp.values.problems import closest, listed

if TYPE_CHECKING:
    from PIL import Image

SUFFIXES = (".svg", ".png", ".jpg", ".jpeg")
MOST_BYTES = 64_000_000
MOST_PIXELS = 50_000_000
# Of all drawings of a game: they are held until its files are written.
MOST_TOGETHER = 500_000_000

# A phone turns pictures by a note in the file (EXIF), and saves them as the sensor saw them.
ORIENTATION, UPRIGHT = 0x0112, 1
# What JPEG loses at this quality is not seen in print.
QUALITY = 95

Question = tuple[Literal["has", "drawing", "icon"], str]
"""What was looked for, and its name."""
Asked = dict[Question, Path | None]
"""Questions, and where it was found."""


class NoArt(svg.BadDrawing):
    """A drawing that is named but not there."""

    rule = "missing-art"

    def __init__(self, what: str, name: str, known: list[str]) -> None:
        super().__init__(f'there is no {what} "{name}"')
        self.value, self.allowed, self.hint = name, listed(known), closest(name, known)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing ready for the book: file name by content, bytes, and its shape."""

    file: str
    data: bytes
    width: float
    height: float

    @property
    def is_svg(self) -> bool:
        return self.file.endswith(".svg")


class Art:
    """Looks up drawings by name: a path below ``art/``, with or without its suffix."""

    def __init__(self, game: Game) -> None:
        self._palette = game.palette
        self._roots = (game.folder, *game.template_roots)
        self._home = game.folder / "art"
        self._icon_homes = [
            self._home / "icons",
            *(root / "icons" for root in game.template_roots),
            *(root / "shared" / "icons" for root in game.template_roots),
        ]
        self._loaded: dict[tuple[Path, str], Drawing] = {}
        self._bytes = 0
        self._kept: dict[Path, int] = {}
        """Bytes of drawings that no face needed but those that were kept, which hold them as well."""
        self._found: dict[str, Path | None] = {}
        self._digests: dict[Path, str] = {}
        self._asked: Asked = {}

    def has(self, name: str) -> bool:
        return self._look(("has", name)) is not None

    def drawing(self, name: str, colour: str = "") -> Drawing:
        """The drawing of a name; ``colour`` is what ``currentColor`` means in it. Raises BadDrawing."""
        path = self._look(("drawing", name))
        if path is None:
            raise NoArt("drawing", name, self.names())
        return self._load(path, colour)

    def icon(self, name: str, colour: str) -> Drawing:
        """The icon of a name, for use in a line of text. Raises BadDrawing."""
        path = self._look(("icon", name))
        if path is None:
            raise NoArt("icon", name, self.icon_names())
        return self._load(path, colour)

    @contextmanager
    def asking(self) -> Iterator[Asked]:
        """What is asked for meanwhile."""
        before, self._asked = self._asked, {}
        try:
            yield self._asked
        finally:
            before.update(self._asked)
            self._asked = before

    def answer(self, question: Question) -> str:
        """What is there: a digest of the file, or only whether there is one; empty for nothing."""
        path = self._look(question)
        if path is None or question[0] == "has":
            return "" if path is None else "there"
        if path not in self._digests:
            try:
                data = path.read_bytes() if path.stat().st_size <= MOST_BYTES else b"too large"
            except OSError as error:
                data = f"it cannot be read ({error.strerror})".encode()
            if self._bytes + len(data) > MOST_TOGETHER:
                return "too much"  # so that the face is drawn, and it is told
            self._digests[path] = digest(data)
            self._kept[path] = len(data)
            self._bytes += len(data)
        return self._digests[path]

    def _look(self, question: Question) -> Path | None:
        if question not in self._asked:
            what, name = question
            homes = self._icon_homes if what == "icon" else [self._home]
            name = name.removeprefix("art/") if what == "drawing" else name
            self._asked[question] = next((path for home in homes if (path := self._find(home, name))), None)
        return self._asked[question]

    def names(self) -> list[str]:
        files = sorted(path for path in self._home.rglob("*") if path.suffix.lower() in SUFFIXES)
        return [path.relative_to(self._home).with_suffix("").as_posix() for path in files]

    def icon_names(self) -> list[str]:
        return sorted({path.stem for home in self._icon_homes for path in home.glob("*") if path.suffix in SUFFIXES})

    def _find(self, home: Path, name: str) -> Path | None:
        key = f"{home}\0{name}"
        if key not in self._found:
            suffixes = ("",) if name.lower().endswith(SUFFIXES) else SUFFIXES
            self._found[key] = next(
                (path for suffix in suffixes if (path := self._inside(home, name + suffix)) is not None), None
            )
        return self._found[key]

    def _inside(self, home: Path, name: str) -> Path | None:
        """The file, unless the name or a link leads out of the folder, or out of the game and the templates."""
        if "\0" in name or not name:
            return None
        wanted = home / name
        if ".." not in name and not lexists(wanted):
            return None  # far quicker than to ask where a path would lead
        inside = file_within(home, wanted) and any(within(root, home) for root in self._roots)
        return wanted.resolve() if inside else None

    def _load(self, path: Path, colour: str) -> Drawing:
        key = (path, colour if path.suffix.lower() == ".svg" else "")
        if key not in self._loaded:
            if path.stat().st_size > MOST_BYTES:
                raise svg.BadDrawing(f"{path.name} is larger than {MOST_BYTES // 1_000_000} MB")
            reader = self._vector if path.suffix.lower() == ".svg" else self._bitmap
            try:
                data = path.read_bytes()
                self._digests.setdefault(path, digest(data))
                drawing = reader(data, colour)
                self._bytes += len(drawing.data) - self._kept.pop(path, 0)
                if self._bytes > MOST_TOGETHER:
                    raise svg.BadDrawing(f"with it the game's drawings are larger than {MOST_TOGETHER // 1_000_000} MB")
                self._loaded[key] = drawing
            except svg.BadDrawing as error:
                error.file = path
                raise
            except OSError as error:
                raise svg.BadDrawing(f"{path.name}: it cannot be read ({error.strerror})") from None
        return self._loaded[key]

    def _vector(self, data: bytes, colour: str) -> Drawing:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            fault = svg.BadDrawing("it is not UTF-8 text")
            fault.line = data.count(b"\n", 0, error.start) + 1
            raise fault from None
        root = svg.parse(text)
        svg.colour_in(root, self._palette)
        for node in root.iter(tag("image"), tag("foreignObject"), tag("text")):
            fault = svg.BadDrawing(
                f"it has a <{local(node)}>. Turn text into outlines, and place pictures and texts in the template"
            )
            fault.line = node.sourceline
            raise fault
        width, height = normal(root)
        safe = svg.text_of(root)
        if colour:
            safe = safe.replace("currentColor", colour)
        return Drawing(f"{digest(safe)}.svg", safe.encode(), width, height)

    @staticmethod
    def _bitmap(data: bytes, colour: str) -> Drawing:
        from PIL import Image, UnidentifiedImageError

        try:
            with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as opened:
                image: Image.Image = opened
                if image.width * image.height > MOST_PIXELS:
                    raise svg.BadDrawing(
                        f"it has {image.width} × {image.height} pixels; {MOST_PIXELS // 1_000_000} million are enough"
                    )
                image.load()
                suffix = "jpg" if image.format == "JPEG" else "png"
                if _orientation(image) != UPRIGHT:
                    image, data = _upright(image)
                return Drawing(f"{digest(data)}.{suffix}", data, image.width, image.height)
        except UnidentifiedImageError:
            raise svg.BadDrawing("it is not a PNG or JPEG picture") from None
        except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
            raise svg.BadDrawing(f"it is not a PNG or JPEG picture that can be read ({error})") from None


def _orientation(image: Image.Image) -> int:
    """How a picture was held; a note that cannot be read says nothing."""
    try:
        return int(image.getexif().get(ORIENTATION, UPRIGHT))
    except (OSError, ValueError, SyntaxError, TypeError, KeyError, struct.error):
        return UPRIGHT


def _upright(image: Image.Image) -> tuple[Image.Image, bytes]:
    """A picture turned as its note says, and without the note, which not everybody who draws it reads."""
    from PIL import ImageOps

    kind, colours = image.format, image.info.get("icc_profile")
    turned = ImageOps.exif_transpose(image)
    made = io.BytesIO()
    if kind == "JPEG":
        turned.save(made, "JPEG", quality=QUALITY, subsampling=0, icc_profile=colours, exif=b"")
    else:
        turned.save(made, "PNG", icc_profile=colours, exif=b"")
    return turned, made.getvalue()
