"""A game's drawings: found by name in ``art/`` and the templates' icons, checked, made safe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from os.path import normpath
from pathlib import Path
from typing import Literal

from pnp.draw.bitmaps import read_bitmap
from pnp.draw.embedded import HINT, set_in
from pnp.draw.fonts import Fonts
from pnp.draw.glyphs import Typefaces
from pnp.draw.lettering import outline_texts
from pnp.svg import parts
from pnp.svg import safe as svg
from pnp.svg.normal import normal
from pnp.svg.recolour import recolour
from pnp.svg.saved import text_of_file
from pnp.svg.switches import choose
from pnp.svg.tree import tag
from pnp.system.artfiles import BITMAPS, EMPTY, FOREIGN, ArtFolder, content_of, entry, folded
from pnp.system.cache import digest
from pnp.system.paths import within
from pnp.values.game import Game
from pnp.values.problems import closest, listed

MOST_BYTES = 64_000_000
# Of all drawings of a game: they are held until its files are written.
MOST_TOGETHER = 500_000_000

# Drawings in drawings in drawings.
MOST_NESTING = 3

Question = tuple[Literal["has", "usual", "drawing", "icon"], str]
"""What was looked for, and its name."""
Asked = dict[Question, Path | None]
"""Questions, and where it was found."""


class NoArt(svg.BadDrawing):
    """A drawing that is named but not there."""

    rule = "missing-art"

    def __init__(self, what: str, name: str, known: list[str], foreign: Path | None) -> None:
        super().__init__(f'there is no {what} "{name}"')
        self.value, self.allowed, self.hint = name, listed(known), closest(_stem(name), known)
        if foreign is not None:
            kind = FOREIGN[foreign.suffix.lower()]
            self.hint = f"{foreign.name} is {kind}, which cannot be printed: export it as PNG, JPEG or SVG."


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
    dots: int = 0
    """Pixels, its own or those of the pictures in it."""

    @property
    def is_svg(self) -> bool:
        return self.file.endswith(".svg")


class Art:
    """Looks up drawings by name: a path below ``art/``, with or without its suffix, and ``#part`` for a part of one."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._palette = game.palette
        self._roots = (game.folder, *game.template_roots)
        self._home = ArtFolder.of(game.folder)
        self._icon_homes = [
            ArtFolder(entry(self._home.home, "icons")),
            *(ArtFolder(root / "icons") for root in game.template_roots),
            *(ArtFolder(root / "shared" / "icons") for root in game.template_roots),
        ]
        self._loaded: dict[tuple[Path, Look], Drawing] = {}
        self._links: dict[tuple[Path, Look], Asked] = {}
        """What drawings link to: whoever needs them needs that as well."""
        self._nested: list[Path] = []
        self._bytes = 0
        self._kept: dict[Path, int] = {}
        """Bytes of drawings that no face needed but those that were kept, which hold them as well."""
        self._digests: dict[Path, str] = {}
        self._places: Asked = {}
        """Where it is, for every question that anybody has put."""
        self._asked: Asked = {}

    def has(self, name: str) -> bool:
        return self._look(("has", name)) is not None

    def usual(self, name: str) -> str:
        """The drawing of a name is shown where there is no other."""
        self._look(("usual", name))
        return name

    def drawing(self, name: str, colour: str = "", fill: str = "") -> Drawing:
        """The drawing of a name; ``colour`` is what ``currentColor`` means in it, ``fill`` makes it one of this colour.

        Raises BadDrawing.
        """
        path = self._look(("drawing", name))
        if path is None:
            raise NoArt("drawing", name, self.names(), self._home.foreign(_below_art(name)))
        return self._named(path, name, Look(_part(path, name), colour, fill))

    def icon(self, name: str, colour: str) -> Drawing:
        """The icon of a name, for use in a line of text. Raises BadDrawing."""
        path = self._look(("icon", name))
        if path is None:
            raise NoArt("icon", name, self.icon_names(), self._icon_homes[0].foreign(name))
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
        path = self._place(question)
        if path is None or question[0] in ("has", "usual"):
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

    @property
    def asked(self) -> Mapping[Question, Path | None]:
        """All that what was drawn has asked for so far."""
        return self._asked

    def ask(self, question: Question) -> None:
        """Count as asked what drawing a kept face has asked for."""
        self._look(question)

    def _look(self, question: Question) -> Path | None:
        self._asked[question] = self._place(question)
        return self._asked[question]

    def _place(self, question: Question) -> Path | None:
        if question not in self._places:
            what, name = question
            homes = self._icon_homes if what == "icon" else [self._home]
            # A folder art/ in art/ comes of unpacking: what lies there is called by its whole path.
            names = [name] if what == "icon" else [_below_art(name), name]
            # What follows a # is a part of the file, unless the file itself is called so.
            names = list(dict.fromkeys(each for name in names for each in (name, name.partition("#")[0])))
            found = (self._find(home, each) for each in names for home in homes)
            self._places[question] = next(filter(None, found), None)
        return self._places[question]

    def names(self) -> list[str]:
        return [self._home.name_of(path) for path in self._home.files()]

    def icon_names(self) -> list[str]:
        return sorted({path.stem for home in self._icon_homes for path in home.files() if path.parent == home.home})

    def _find(self, home: ArtFolder, name: str) -> Path | None:
        """The file, unless the folder itself lies outside the game and the templates."""
        path = home.find(name)
        return path.resolve() if path and any(within(root, home.home) for root in self._roots) else None

    def _load(self, path: Path, look: Look) -> Drawing:
        vector = path.suffix.lower() not in BITMAPS
        key = (path, look if vector else Look(look.part, "", look.fill))
        if key not in self._loaded:
            if path.stat().st_size > MOST_BYTES:
                raise svg.BadDrawing(f"{path.name} is larger than {MOST_BYTES // 1_000_000} MB")
            try:
                data = path.read_bytes()
                self._digests.setdefault(path, digest(data))
                with self._within(path), self.asking() as asked:
                    drawing = self._vector(_svg(data), look) if vector else self._bitmap(data)
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
        dots = set_in(root, self.read, self._linked)
        if look.part:
            parts.boxed(root)
        if look.fill:
            recolour(root, look.fill)
        width, height = normal(root)
        safe = svg.text_of(root)
        if look.colour:
            safe = safe.replace("currentColor", look.colour)
        if len(safe) > svg.MOST_BYTES:
            raise svg.BadDrawing(f"with its pictures it is larger than {svg.MOST_BYTES // 1_000_000} MB")
        return Drawing(f"{digest(safe)}.svg", safe.encode(), width, height, dots)

    def read(self, data: bytes, vector: bool) -> Drawing:
        """A drawing or picture of bytes that are no file in art/. Raises BadDrawing."""
        if not vector:
            return self._bitmap(data)
        with self._within(Path(f"{len(self._nested)}.svg")):
            return self._vector(data, Look())

    def _linked(self, name: str) -> Drawing:
        """A picture beside the drawing that is being read."""
        here = next((path for path in reversed(self._nested) if path.is_absolute()), Path()).parent
        inside = here.is_relative_to(self._home.home.resolve())
        beside = normpath(here.relative_to(self._home.home.resolve()) / name.replace("\\", "/")) if inside else ".."
        path = None if beside.startswith("..") else self._look(("drawing", Path(beside).as_posix()))
        if path is None:
            fault = svg.BadDrawing(f'its picture "{name[:60]}" is in a file of its own, which is not there')
            fault.rule, fault.value, fault.hint = "missing-art", name, HINT
            raise fault
        return self._load(path, Look())

    @staticmethod
    def _bitmap(data: bytes) -> Drawing:
        """A picture made of dots, called by what the file holds, so that it is known from which it is."""
        made, suffix, width, height = read_bitmap(data)
        return Drawing(f"{digest(data)}.{suffix}", made, width, height, width * height)


def _svg(data: bytes) -> bytes:
    """What a file called .svg holds. Raises BadDrawing for one that plainly is something else."""
    packed = data[:2] == b"\x1f\x8b"
    if (what := content_of(data)) and b"<svg" not in data and not packed:
        fault = svg.BadDrawing("it is empty" if what == EMPTY else f"it is {what}, whatever its ending says")
        if what != EMPTY:
            fault.value, fault.hint = what, "Export it as SVG, or give it the ending of what it is."
        raise fault
    return data


def _part(path: Path, name: str) -> str:
    """Which part of a file is meant; a file may have # in its own name."""
    return "" if Path(name).name in (path.name, path.stem) else name.partition("#")[2]


def _below_art(name: str) -> str:
    """A name from art/ on, which may be written before it."""
    plain = name.replace("\\", "/")
    return plain[4:] if folded(plain[:4]) == "art/" else plain


def _stem(name: str) -> str:
    """A name without its ending."""
    plain = name.replace("\\", "/")
    folder, slash, file = plain.rpartition("/")
    return f"{folder}{slash}{file.rpartition('.')[0] or file}"
