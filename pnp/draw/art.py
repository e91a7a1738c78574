"""A game's drawings: found by name in ``art/`` and the templates' icons, checked, made safe."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from os.path import lexists, normpath
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pnp.draw.embedded import HINT, set_in
from pnp.draw.fonts import Fonts
from pnp.draw.glyphs import Typefaces
from pnp.draw.lettering import outline_texts
from pnp.svg import parts
from pnp.svg import safe as svg
from pnp.svg.recolour import recolour
from pnp.svg.saved import text_of_file
from pnp.svg.switches import choose
from pnp.svg.tree import tag
from pnp.system.cache import digest
from pnp.system.paths import file_within, within
from pnp.values.game import Game
from pnp.values.problems import closest, listed

if TYPE_CHECKING:
    from PIL import Image

SUFFIXES = (".svg", ".svgz", ".png", ".jpg", ".jpeg")
VECTOR = (".svg", ".svgz")
MOST_BYTES = 64_000_000
MOST_PIXELS = 50_000_000
# Of all drawings of a game: they are held until its files are written.
MOST_TOGETHER = 500_000_000

# A phone turns pictures by a note in the file (EXIF), and saves them as the sensor saw them.
ORIENTATION, UPRIGHT = 0x0112, 1
# What JPEG loses at this quality is not seen in print.
QUALITY = 95

# Drawings in drawings in drawings.
MOST_NESTING = 3

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
class Look:
    """How a drawing shall look: which part of it, what ``currentColor`` means in it, and its one colour."""

    part: str = ""
    colour: str = ""
    fill: str = ""


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
    """Looks up drawings by name: a path below ``art/``, with or without its suffix, and ``#part`` for a part of one."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._palette = game.palette
        self._roots = (game.folder, *game.template_roots)
        self._home = game.folder / "art"
        self._icon_homes = [
            self._home / "icons",
            *(root / "icons" for root in game.template_roots),
            *(root / "shared" / "icons" for root in game.template_roots),
        ]
        self._loaded: dict[tuple[Path, Look], Drawing] = {}
        self._links: dict[tuple[Path, Look], Asked] = {}
        """What drawings link to: whoever needs them needs that as well."""
        self._nested: list[Path] = []
        self._bytes = 0
        self._kept: dict[Path, int] = {}
        """Bytes of drawings that no face needed but those that were kept, which hold them as well."""
        self._found: dict[str, Path | None] = {}
        self._digests: dict[Path, str] = {}
        self._asked: Asked = {}

    def has(self, name: str) -> bool:
        return self._look(("has", name)) is not None

    def drawing(self, name: str, colour: str = "", fill: str = "") -> Drawing:
        """The drawing of a name; ``colour`` is what ``currentColor`` means in it, ``fill`` makes it one of this colour.

        Raises BadDrawing.
        """
        path = self._look(("drawing", name))
        if path is None:
            raise NoArt("drawing", name, self.names())
        return self._named(path, name, Look(_part(path, name), colour, fill))

    def icon(self, name: str, colour: str) -> Drawing:
        """The icon of a name, for use in a line of text. Raises BadDrawing."""
        path = self._look(("icon", name))
        if path is None:
            raise NoArt("icon", name, self.icon_names())
        return self._named(path, name, Look(_part(path, name), colour))

    def _named(self, path: Path, name: str, look: Look) -> Drawing:
        """The drawing of a file; a part that it has not is a fault of who named it."""
        try:
            return self._load(path, look)
        except parts.NoPart as fault:
            fault.file, fault.line, fault.value = None, None, name
            raise

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
            whole = name.partition("#")[0]
            tried = (name,) if whole == name else (name, whole)
            found = (path for each in tried for home in homes if (path := self._find(home, each)))
            self._asked[question] = next(found, None)
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

    def _load(self, path: Path, look: Look) -> Drawing:
        vector = path.suffix.lower() in VECTOR
        key = (path, look if vector else Look(look.part, "", look.fill))
        if key not in self._loaded:
            if path.stat().st_size > MOST_BYTES:
                raise svg.BadDrawing(f"{path.name} is larger than {MOST_BYTES // 1_000_000} MB")
            try:
                data = path.read_bytes()
                self._digests.setdefault(path, digest(data))
                with self._within(path), self.asking() as asked:
                    drawing = self._vector(data, look) if vector else self._bitmap(data)
                if not vector and (look.part or look.fill):
                    raise svg.BadDrawing("it is a picture of pixels, which has no parts and no colour to change")
                self._bytes += len(drawing.data) - self._kept.pop(path, 0)
                if self._bytes > MOST_TOGETHER:
                    raise svg.BadDrawing(f"with it the game's drawings are larger than {MOST_TOGETHER // 1_000_000} MB")
                self._loaded[key], self._links[key] = drawing, asked
            except svg.BadDrawing as error:
                error.file = path
                raise
            except OSError as error:
                raise svg.BadDrawing(f"{path.name}: it cannot be read ({error.strerror})") from None
        self._asked.update(self._links[key])
        return self._loaded[key]

    @contextmanager
    def _within(self, path: Path) -> Iterator[None]:
        """While a file is read: pictures in it that are again drawings come to an end."""
        if len(self._nested) >= MOST_NESTING or path in self._nested:
            raise svg.BadDrawing(f"its picture {path.name} is a drawing in a drawing without end")
        self._nested.append(path)
        try:
            yield
        finally:
            self._nested.pop()

    @cached_property
    def faces(self) -> Typefaces:
        """The faces of the game's fonts, for the texts of drawings."""
        return Typefaces(Fonts(self._game))

    def _vector(self, data: bytes, look: Look) -> Drawing:
        root = svg.parse(text_of_file(data))
        choose(root)
        if look.part:
            root = parts.part(root, look.part)
        svg.colour_in(root, self._palette)
        for node in root.iter(tag("foreignObject")):
            fault = svg.BadDrawing("it has a <foreignObject>. Turn its text into outlines, or put it into the template")
            fault.line = node.sourceline
            raise fault
        outline_texts(root, self.faces)
        set_in(root, self.read, self._linked)
        if look.part:
            parts.boxed(root)
        if look.fill:
            recolour(root, look.fill)
        _, _, width, height = svg.view_box(root)
        safe = svg.text_of(root)
        if look.colour:
            safe = safe.replace("currentColor", look.colour)
        if len(safe) > svg.MOST_BYTES:
            raise svg.BadDrawing(f"with its pictures it is larger than {svg.MOST_BYTES // 1_000_000} MB")
        return Drawing(f"{digest(safe)}.svg", safe.encode(), width, height)

    def read(self, data: bytes, vector: bool) -> Drawing:
        """A drawing or picture of bytes that are no file in art/. Raises BadDrawing."""
        if not vector:
            return self._bitmap(data)
        with self._within(Path(f"{len(self._nested)}.svg")):
            return self._vector(data, Look())

    def _linked(self, name: str) -> Drawing:
        """A picture beside the drawing that is being read."""
        here = next((path for path in reversed(self._nested) if path.is_absolute()), Path()).parent
        inside = here.is_relative_to(self._home.resolve())
        beside = normpath(here.relative_to(self._home.resolve()) / name.replace("\\", "/")) if inside else ".."
        path = None if beside.startswith("..") else self._look(("drawing", Path(beside).as_posix()))
        if path is None:
            fault = svg.BadDrawing(f'its picture "{name[:60]}" is in a file of its own, which is not there')
            fault.rule, fault.value, fault.hint = "missing-art", name, HINT
            raise fault
        return self._load(path, Look())

    @staticmethod
    def _bitmap(data: bytes) -> Drawing:
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


def _part(path: Path, name: str) -> str:
    """Which part of a file is meant; a file may have # in its own name."""
    return "" if Path(name).name in (path.name, path.stem) else name.partition("#")[2]


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
