"""A game's drawings: found by name in ``art/`` and the templates' icons, checked, made safe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pnp.draw.bitmaps import read_bitmap
from pnp.svg import safe as svg
from pnp.svg.tree import local, tag
from pnp.system.artfiles import BITMAPS, EMPTY, FOREIGN, ArtFolder, content_of, entry, folded
from pnp.system.cache import digest
from pnp.system.paths import within
from pnp.values.game import Game
from pnp.values.problems import closest, listed

MOST_BYTES = 64_000_000
# Of all drawings of a game: they are held until its files are written.
MOST_TOGETHER = 500_000_000

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
        self._home = ArtFolder.of(game.folder)
        self._icon_homes = [
            ArtFolder(entry(self._home.home, "icons")),
            *(ArtFolder(root / "icons") for root in game.template_roots),
            *(ArtFolder(root / "shared" / "icons") for root in game.template_roots),
        ]
        self._loaded: dict[tuple[Path, str], Drawing] = {}
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

    def drawing(self, name: str, colour: str = "") -> Drawing:
        """The drawing of a name; ``colour`` is what ``currentColor`` means in it. Raises BadDrawing."""
        path = self._look(("drawing", name))
        if path is None:
            raise NoArt("drawing", name, self.names(), self._home.foreign(_below_art(name)))
        return self._load(path, colour)

    def icon(self, name: str, colour: str) -> Drawing:
        """The icon of a name, for use in a line of text. Raises BadDrawing."""
        path = self._look(("icon", name))
        if path is None:
            raise NoArt("icon", name, self.icon_names(), self._icon_homes[0].foreign(name))
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

    def _load(self, path: Path, colour: str) -> Drawing:
        bitmap = path.suffix.lower() in BITMAPS
        key = (path, "" if bitmap else colour)
        if key not in self._loaded:
            if path.stat().st_size > MOST_BYTES:
                raise svg.BadDrawing(f"{path.name} is larger than {MOST_BYTES // 1_000_000} MB")
            try:
                data = path.read_bytes()
                self._digests.setdefault(path, digest(data))
                drawing = self._bitmap(data) if bitmap else self._vector(_svg(data), colour)
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

    @staticmethod
    def _bitmap(data: bytes) -> Drawing:
        """A picture made of dots, called by what the file holds, so that it is known from which it is."""
        made, suffix, width, height = read_bitmap(data)
        return Drawing(f"{digest(data)}.{suffix}", made, width, height)

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
        _, _, width, height = svg.view_box(root)
        safe = svg.text_of(root)
        if colour:
            safe = safe.replace("currentColor", colour)
        return Drawing(f"{digest(safe)}.svg", safe.encode(), width, height)


def _svg(data: bytes) -> bytes:
    """What a file called .svg holds. Raises BadDrawing for one that plainly is something else."""
    if (what := content_of(data)) and b"<svg" not in data:
        fault = svg.BadDrawing("it is empty" if what == EMPTY else f"it is {what}, whatever its ending says")
        if what != EMPTY:
            fault.value, fault.hint = what, "Export it as SVG, or give it the ending of what it is."
        raise fault
    return data


def _below_art(name: str) -> str:
    """A name from art/ on, which may be written before it."""
    plain = name.replace("\\", "/")
    return plain[4:] if folded(plain[:4]) == "art/" else plain


def _stem(name: str) -> str:
    """A name without its ending."""
    plain = name.replace("\\", "/")
    folder, slash, file = plain.rpartition("/")
    return f"{folder}{slash}{file.rpartition('.')[0] or file}"
