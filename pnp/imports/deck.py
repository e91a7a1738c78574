"""Defines what importers read (a foreign project, :class:`Source`) and return (decks with elements)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import field, replace
from html import unescape
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pnp.dataclass import dataclass
from pnp.draw.bitmaps import read_bitmap
from pnp.read import presets
from pnp.read.csvfile import TooLarge
from pnp.read.grid import SUFFIXES, Grid, read_grid, tell_stray_rows
from pnp.read.records import BrokenText, Tree, parse_json, parse_yaml
from pnp.read.tables import slug
from pnp.sandbox.markup import literally
from pnp.shapes.colour import in_css
from pnp.svg import safe as svg
from pnp.svg.safe import text_of_file
from pnp.system.paths import BITMAPS, ENDINGS, file_within, within
from pnp.values.problems import Fault, Place, Problem, Problems, listed
from pnp.values.tables import COPIES

if TYPE_CHECKING:
    from lxml import etree

Align = Literal["left", "center", "right", "justify"]
Valign = Literal["top", "middle", "bottom"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the deck's table, by its name in the source."""

    name: str


Value = tuple[str | Column, ...]
"""What is put together from words and cells: ``("Costs ", Column("Price"))``."""


@dataclass(slots=True)
class Table:
    """Rows as in the source, and columns derived from them."""

    columns: list[str] = field(default_factory=list)
    rows: list[dict[str, str]] = field(default_factory=list)
    copies: str = ""
    """The column with the number of copies."""
    made: set[str] = field(default_factory=set)
    """Columns that the source has not: worked out of others, or of what a script says."""
    marked_up: set[str] = field(default_factory=set)
    """Columns whose texts are Markdown already; in others every character means itself."""
    weighed: set[str] = field(default_factory=set)
    """Columns that say on which cards something is drawn."""
    origins: dict[str, str] = field(default_factory=dict)
    """Columns that were worked out of a single other one → that one."""
    flags: dict[tuple[str, frozenset[int]], str] = field(default_factory=dict)
    """Columns that say on which cards something is drawn."""

    def column(self, name: str) -> Column | None:
        """The column of this name in the source, whatever its spelling."""
        wanted = _folded(name)
        return next((Column(known) for known in self.columns if _folded(known) == wanted), None)

    def add(self, wished: str, texts: list[str], of: Value = ()) -> Column:
        """Adds a column with a text for each row, under the wished name or a free one like it.

        ``of`` is the value that the texts are derived from; an equal derived column is used again.
        """
        named = {part.name for part in of if isinstance(part, Column)}
        origin = named.pop() if len(named) == 1 else ""
        for made, source in self.origins.items():
            if source == origin and self.texts((Column(made),)) == texts:
                return Column(made)
        known = {name.casefold() for name in self.columns}
        name = next(name for name in numbered(wished or "value", " ") if name.casefold() not in known)
        self.columns.append(name)
        self.made.add(name)
        if origin:
            self.origins[name] = origin
        for row, text in zip(self.rows, texts, strict=True):
            row[name] = text
        return Column(name)

    def shown_on(self, cards: Collection[int], name: str = "part") -> str:
        """The column that says on which cards something of this name is drawn; on the same cards it is the same column."""
        key = name, frozenset(cards)
        if key not in self.flags:
            self.flags[key] = self.add(f"shows {name}", ["yes" if at in key[1] else "" for at in range(len(self.rows))]).name
        return self.flags[key]

    def texts(self, value: Value) -> list[str]:
        """The text of a value in each row."""
        return [text_of(value, row) for row in self.rows]

    def derived(self, value: Value, worked_out: Callable[[str], str], name: str) -> Value:
        """Applies a function to a value: fixed text stays one, anything else becomes a column ``name``."""
        if not any(isinstance(part, Column) for part in value):
            return (worked_out("".join(map(str, value))),)
        before = self.texts(value)
        texts = [worked_out(text) for text in before]
        return value if texts == before else (self.add(name, texts, value),)


def text_of(value: Value, row: dict[str, str]) -> str:
    """The text of a value in a row."""
    return "".join(part if isinstance(part, str) else row.get(part.name, "") for part in value)


def _folded(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum()) or name


def numbered(base: str, between: str = "-") -> Iterator[str]:
    """Yields ``base``, then ``base-2``, ``base-3``, …"""
    yield base
    yield from (f"{base}{between}{number}" for number in count(2))


@dataclass(frozen=True, slots=True)
class Box:
    """A box in mm from the top left of the trim."""

    x: float
    y: float
    width: float
    height: float

    def moved(self, by: float) -> Box:
        return Box(self.x - by, self.y - by, self.width, self.height)


@dataclass(frozen=True, slots=True)
class Font:
    """A font as the source names it; size in pt."""

    family: str = ""
    size: float = 10
    bold: bool = False
    italic: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """Text in a box; it is set smaller if it does not fit."""

    box: Box
    content: Value
    font: Font = Font()
    fill: Value = ("#000000",)
    align: Align = "left"
    valign: Valign = "top"
    name: str = ""
    angle: float = 0
    """Degrees clockwise, about the box's middle."""
    only: str = ""
    """A column: drawn of the rows alone in which it has a text."""
    least: float = 4
    """How small it may be set where it does not fit, in pt."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A rectangle, an ellipse, or a line between opposite corners of its box."""

    box: Box
    kind: Literal["rect", "ellipse", "line"] = "rect"
    fill: Value = ("none",)
    line: Value = ("none",)
    width: float = 0
    radius: float = 0
    opacity: float = 1
    only: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A file of ``art/``; none where the name is empty."""

    box: Box
    file: Value
    stretched: bool = False
    opacity: float = 1
    angle: float = 0
    only: str = ""


@dataclass(frozen=True, slots=True)
class Icons:
    """Files of ``art/``, with commas between them, in rows from the left."""

    box: Box
    file: Value
    width: float
    """Of each, like its height; in mm."""
    height: float
    align: Align = "center"
    valign: Valign = "middle"
    stretched: bool = False
    angle: float = 0
    """Of each about its middle."""
    only: str = ""


Element = Text | Shape | Picture | Icons


@dataclass(slots=True)
class Deck:
    """Pieces of one size: ``width`` and ``height`` of the trim in mm."""

    name: str
    width: float
    height: float
    bleed: float | None = None
    """How far the source draws on beyond the cut; None where it does not say."""
    table: Table = field(default_factory=Table)
    front: list[Element] = field(default_factory=list)
    back: list[Element] = field(default_factory=list)
    script: str = ""
    """The script that makes it."""
    lost: int = 0
    """How much of what its script draws did not come over."""
    called: tuple[str, ...] = ()
    """What the source calls it: its script, its variable, what it saves, its layouts."""
    key: str = ""
    """Its component's name in game.toml, once that is chosen."""

    @property
    def used(self) -> set[str]:
        """The columns that elements use."""
        elements = (*self.front, *self.back)
        values = (value for each in elements for value in values_of(each).values())
        named = {part.name for value in values for part in value if isinstance(part, Column)}
        return named | {each.only for each in elements}

    def put_in_place(self) -> None:
        """Replaces a column by the one derived from it, if nothing else uses it."""
        for made, origin in list(self.table.origins.items()):
            used = self.used
            others = {name for name, of in self.table.origins.items() if of == origin and name in used}
            if origin in used or origin == self.table.copies or others != {made}:
                continue
            for row in self.table.rows:
                row[origin] = row.pop(made, "")
            self.table.columns.remove(made)
            if made in self.table.marked_up:
                self.table.marked_up.add(origin)
            for side in (self.front, self.back):
                for at, each in enumerate(side):
                    values = values_of(each).items()
                    side[at] = with_values(
                        each,
                        {
                            key: tuple(Column(origin) if part == Column(made) else part for part in value)
                            for key, value in values
                        },
                    )


def values_of(element: Element) -> dict[str, Value]:
    """The values of an element from the table, by field."""
    return {key: getattr(element, key) for key in ("content", "fill", "line", "file") if hasattr(element, key)}


def with_values(element: Element, values: dict[str, Value]) -> Element:
    """An element with other values, by field."""
    return replace(element, **values)  # type: ignore[arg-type]


@dataclass(slots=True)
class Imported:
    """A project as read, and everything that was left out or changed."""

    tool: str
    name: str = ""
    """What the source calls the game, where it does; else it is called like its folder."""
    decks: list[Deck] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    """What is copied: name in the game's folder → content."""
    notes: Problems = field(default_factory=Problems)
    """What was left behind, and what came over in another way, each with its place in the source."""
    allowed: dict[tuple[str, str], str] = field(default_factory=dict)
    """Findings of the check that are as the source had it: rule and a part of what is said → why."""
    main: str = ""
    """The file that was read first."""
    asked: int = 0
    """Commands of the source that draw something on a card."""
    drawn: int = 0
    """Of these, the ones that came over."""
    missing: int = 0
    """Pictures that could not be had."""
    scripts: list[str] = field(default_factory=list)
    """All that were found, where the tool has scripts."""
    taken: list[str] = field(default_factory=list)

    @property
    def lost(self) -> int:
        """How many drawing commands were left out."""
        return self.asked - self.drawn + self.missing

    def add(self, other: Imported) -> None:
        """Adds what was read of another script."""
        self.decks += other.decks
        self.files |= other.files
        self.notes.extend(other.notes)
        self.asked += other.asked
        self.drawn += other.drawn
        self.missing += other.missing

    def left(self, place: Place, what: str, why: str) -> None:
        """Records something that was left out."""
        self.notes.extend([Problem("left-behind", place, f"{what}: {why}", severity="warning")])

    def changed(self, place: Place, what: str) -> None:
        """Records something that was changed."""
        self.notes.extend([Problem("brought-differently", place, what, severity="warning")])

    def from_html(self, table: Table, value: Value, name: str, place: Place) -> Value:
        """Converts HTML to Markdown, in a column of its own."""
        made = [from_html(text) for text in table.texts(value)]
        if lost := dict.fromkeys(tag for _, tags in made for tag in tags):
            self.changed(place, f"the words are set without {', '.join(lost)}")
        column = table.add(name, [words for words, _ in made], value)
        table.marked_up.add(column.name)
        return (column,)


MOST_BYTES = 8_000_000
"""Of a script, a layout or a list of cards."""

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
"""What JSON and YAML are made of."""


class Source:
    """A foreign project: its folder and main file; reads its other files."""

    def __init__(self, folder: Path, main: Path) -> None:
        self.folder, self.main = folder, main
        self.beside: list[Path] = []
        """Other scripts of the folder that are taken too."""
        self.others: list[Path] = []
        """Those that are not, for only the main one was named."""
        self.notes = Problems()
        """What reading tables has found: nothing of it stands in the way of the import."""

    def shown(self, path: Path) -> str:
        """A path relative to the project, for messages."""
        try:
            return path.relative_to(self.folder).as_posix()
        except ValueError:
            return path.name

    def find(self, name: str, *below: str) -> Path | None:
        """A file that the source names, in its folder or below; None if it is missing or outside.

        Ignores case and accepts \\ for /, as projects made on Windows may mix them.
        """
        name = name.replace("\\", "/").strip()
        if not name or "\0" in name:
            return None
        for home in dict.fromkeys((self.main.parent, self.folder, *(self.folder / part for part in below))):
            path = home / name
            if file_within(self.folder, path):
                return path
            if path.parent.is_dir() and within(self.folder, path.parent) and file_within(self.folder, found := _like(path)):
                return found
        return None

    def text(self, path: Path) -> str:
        """A file's text in UTF-8, or in the encoding of old Windows programs. Raises Fault."""
        place = Place(self.shown(path))
        try:
            if not file_within(self.folder, path):
                raise Fault("the file leads out of the project's folder, and nothing outside is read", place=place)
            if path.stat().st_size > MOST_BYTES:
                raise Fault(f"the file is larger than {MOST_BYTES // 1_000_000} MB", place=place)
            data = path.read_bytes()
        except OSError as error:
            raise Fault(f"the file cannot be read: {error.strerror}", place=place) from None
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return data.decode("utf-16", "replace")
        if b"\0" in data:
            line = data.count(b"\n", 0, data.index(b"\0")) + 1
            raise Fault("the file has a NUL byte, so it is no text", place=Place(place.file, line))
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return data.decode("cp1252", "replace")

    def xml(self, path: Path) -> etree._Element:
        """The root of an XML file, without entities and external files. Raises Fault."""
        from lxml import etree

        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        shown, text = self.shown(path), self.text(path)
        try:
            root = etree.fromstring(text.encode(), parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None)
            raise Fault(f"the file is not well-formed XML: {error}", place=Place(shown, line)) from None
        for node in root.iter():
            if isinstance(node, etree._Entity):
                raise Fault(f"it uses the entity {node.text}, and none is read", place=Place(shown, node.sourceline))
        dtd = root.getroottree().docinfo.internalDTD
        if dtd is not None and any(True for _ in dtd.iterentities()):
            raise Fault("it declares entities of its own, and none is read", place=Place(shown, 1))
        return root

    def json(self, path: Path) -> Tree:
        """The content of a JSON file, or of a script that only assigns JSON to a name. Raises Fault."""
        shown, text = self.shown(path), self.text(path)
        if path.suffix.lower() == ".js":
            begin, end = text.find("["), text.rfind("]")
            text = "\n" * text.count("\n", 0, max(begin, 0)) + text[begin : end + 1]
        try:
            found = parse_json(text)
        except BrokenText as error:
            raise Fault(f"the file is not JSON: {error.message}", place=Place(shown, error.line)) from None
        for line, key in found.doubled:
            said = f'"{key}" stands twice in a record that begins here; the last one counts'
            self.notes.extend([Problem("brought-differently", Place(shown, line), said, severity="warning")])
        return found.tree

    def files(self, deepest: int = 100) -> Iterator[Path]:
        """The files of the folder and of those within it, down to this depth, without hidden ones."""
        for home, folders, names in os.walk(self.folder):
            depth = len(Path(home).relative_to(self.folder).parts)
            folders[:] = [name for name in folders if not name.startswith(".") and depth < deepest]
            yield from (Path(home) / name for name in names if not name.startswith("."))

    def yaml(self, path: Path) -> Plain:
        """The content of a YAML file with numbers, booleans and null. Raises Fault."""
        shown = self.shown(path)
        try:
            return _plain(parse_yaml(self.text(path)).tree, count(1))
        except BrokenText as error:
            raise Fault(f"the file is not YAML: {error.message}", place=Place(shown, error.line)) from None
        except TooLarge as error:
            raise Fault(f"the file grows too large: {error}", place=Place(shown)) from None

    def table(self, path: Path, sheet: str | None = None) -> Table:
        """A table as pnp reads them, with the source's column names. Raises Fault."""
        problems = Problems()
        shown = self.shown(path)
        suffix = ".csv" if path.suffix.lower() == ".txt" else path.suffix.lower()
        if suffix not in SUFFIXES or not file_within(self.folder, path):
            raise Fault("this is no table that can be read", allowed=listed(SUFFIXES), place=Place(shown))
        grid = read_grid(path, shown, sheet, problems, suffix=suffix)
        if grid is None or problems.errors:
            problem = next(iter(problems.errors or problems))
            raise Fault(problem.message, problem.value, problem.allowed, problem.hint, problem.place)
        sums = self._told(grid, shown, problems)
        rows = [dict(zip(grid.header, texts, strict=True)) for row, texts in grid.rows if row not in sums]
        return Table(list(grid.header), rows)

    def _told(self, grid: Grid, shown: str, problems: Problems) -> set[int | None]:
        """Records findings about a table; returns the rows that are totals."""
        if counted := next((name for name in grid.header if name.casefold() in COPIES), ""):
            tell_stray_rows(grid.header, grid.rows, counted, False, shown, problems)
        told = {(note.place, note.message) for note in self.notes}
        for problem in problems:
            rule = "left-behind" if problem.severity == "error" else "brought-differently"
            note = Problem(rule, problem.place, problem.message, severity="warning")
            if (note.place, note.message) not in told:
                self.notes.extend([note])
        return {problem.place.row for problem in problems.errors}


def _like(path: Path) -> Path:
    """The file of this name whatever its case; the path itself if there is none."""
    others = sorted(path.parent.iterdir())
    return next((other for other in others if other.name.casefold() == path.name.casefold()), path)


MOST_PARTS = 300_000
"""Of a YAML file in which lists stand for others."""
_WORDS: dict[str, bool | None] = {"": None, "yes": True, "true": True, "no": False, "false": False}
_NUMBER = re.compile(r"[+-]?(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})", re.ASCII)


def _plain(found: Tree, parts: Iterator[int]) -> Plain:
    """Converts a parsed tree to values, resolving aliases. Raises TooLarge."""
    if next(parts) > MOST_PARTS:
        raise TooLarge(f"with its aliases it has more than {MOST_PARTS} parts")
    if isinstance(found, dict):
        return {key: _plain(value, parts) for key, value in found.items()}
    if isinstance(found, list):
        return [_plain(value, parts) for value in found]
    if found.lower() in _WORDS:
        return _WORDS[found.lower()]
    if _NUMBER.fullmatch(found):
        return int(found) if found.lstrip("+-").isdigit() else float(found)
    return found


HOMES = ("img", "images", "assets", "art", "pictures", "graphics")
"""Folders in which tools look for pictures by themselves, or in which people keep them."""
MOST_PICTURE_BYTES = 64_000_000
MOST_TOGETHER = 400_000_000


class Pictures:
    """Copies each picture once."""

    def __init__(self, source: Source, imported: Imported, *homes: str) -> None:
        self._source, self._imported, self._homes = source, imported, (*homes, *HOMES)
        self._names: dict[Path, str] = {}
        self._told: set[str] = set()
        self._bytes = 0

    def take(self, name: str, place: Place) -> str:
        """The name in ``art/`` of a picture; empty, and reported once, if it is missing."""
        name = name.strip().strip('"')
        if not name:
            return ""
        if re.match(r"[a-z]+://", name, re.IGNORECASE):
            return self._without(name, place, "it is on the web, and nothing is fetched. Save it into art/")
        path = self._source.find(name, *self._homes)
        if path is None and re.match(r"[A-Za-z]:[\\/]|/", name):
            # The place where it was on its owner's computer; the file may have come along, in its own folders or alone.
            parts = [part for part in re.split(r"[\\/]", name) if part]
            ends = ("/".join(parts[at:]) for at in range(1, len(parts)))
            path = next(filter(None, (self._source.find(end, *self._homes) for end in ends)), None)
        if path is None:
            return self._without(name, place, "there is no such file in the project's folder")
        if path not in self._names:
            self._names[path] = self._copied(path, name, place)
        return self._names[path]

    def value(self, value: Value, table: Table, place: Place, column: str) -> Value:
        """The names in ``art/`` of the pictures of each row."""
        return table.derived(value, lambda text: self.take(text, place), column)

    def size(self, name: str) -> tuple[float, float] | None:
        """Width and height of a copied picture in its own pixels or units."""
        data = self._imported.files.get(f"art/{name}")
        if not data:
            return None
        if name.endswith(BITMAPS):
            _, _, across, down = read_bitmap(data)
            return float(across), float(down)
        _, _, width, height = svg.view_box(svg.parse(text_of_file(data)))
        return width, height

    def _without(self, name: str, place: Place, why: str) -> str:
        if name not in self._told:
            self._told.add(name)
            self._imported.missing += 1
            self._imported.left(place, f'the picture "{name}"', why)
        return ""

    def _copied(self, path: Path, name: str, place: Place) -> str:
        suffix = path.suffix.lower()
        try:
            if path.stat().st_size > MOST_PICTURE_BYTES:
                return self._without(name, place, f"it is larger than {MOST_PICTURE_BYTES // 1_000_000} MB")
            data = path.read_bytes()
            if self._bytes + len(data) > MOST_TOGETHER:
                return self._without(name, place, f"with it the pictures are larger than {MOST_TOGETHER // 1_000_000} MB")
            if suffix not in ENDINGS:
                return self._without(name, place, f"it is none of {', '.join(ENDINGS)}")
            # Whether a drawing's words and parts can be printed is known once the game is tried.
            if suffix in BITMAPS:
                read_bitmap(data)
            else:
                svg.view_box(svg.parse(text_of_file(data)))
        except (OSError, svg.BadDrawing) as error:
            return self._without(name, place, f"the drawing cannot be used: {getattr(error, 'message', error)}")
        self._bytes += len(data)
        return self._placed(path, suffix, data)

    def _placed(self, path: Path, suffix: str, data: bytes) -> str:
        inside = Path(self._source.shown(path)).with_suffix("")
        parts = [slug(part) or "picture" for part in inside.parts]
        if len(parts) > 1 and inside.parts[0].casefold() in HOMES:
            parts = parts[1:]
        base = "/".join(parts)
        number = 1
        while self._imported.files.get(f"art/{base}{suffix}", data) != data:
            number += 1
            base = f"{'/'.join(parts)}-{number}"
        self._imported.files[f"art/{base}{suffix}"] = data
        return base + suffix


EIGHTH = 3.175
"""What printers of single cards ask for on each side: an eighth of an inch."""
_NEAR = 0.16


def taken_for_bleed(width: float, height: float) -> float:
    """The bleed to assume: 1/8 inch in mm if only the size without it is a known one, else 0."""
    sizes = [presets.card_size(name) for name in presets.size_names()]

    def known(off: float) -> bool:
        return any(abs(width - 2 * off - w) < _NEAR and abs(height - 2 * off - h) < _NEAR for w, h in sizes)

    return EIGHTH if known(EIGHTH) and not known(0) else 0


SAID = "the outer 3.175 mm are taken for bleed, since a known size of cards is within it"


_STYLES = {"b": "**", "strong": "**", "i": "*", "em": "*"}
_BREAKS = {"br", "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "hr"}
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)\b([^<>]*)>")


def from_html(text: str) -> tuple[str, list[str]]:
    """Converts HTML to Markdown; returns the tags that were dropped as well."""
    parts: list[str] = []
    lost: dict[str, None] = {}
    at = 0
    for found in _TAG.finditer(text):
        parts.append(literally(unescape(text[at : found.start()])))
        at = found.end()
        name, closing = found[2].lower(), bool(found[1])
        if name in _STYLES:
            _styled(parts, _STYLES[name], closing)
        elif name in _BREAKS:
            if name == "li" and not closing:
                parts.append("\n- ")
            elif name == "br" or closing or name == "p":
                parts.append("\n")
        elif not closing:
            lost[f"<{found[2]}>"] = None
    parts.append(literally(unescape(text[at:])))
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip(), list(lost)


def _styled(parts: list[str], mark: str, closing: bool) -> None:
    """Adds a mark for bold or italic next to the word, as Markdown requires."""
    if closing and parts:
        words = parts.pop()
        parts.append(words.rstrip() + mark + words[len(words.rstrip()) :])
    else:
        parts.append(mark)


def colour(written: str) -> tuple[str, float] | None:
    """A colour of another tool or CSS as #rrggbb and opacity; None if it is none."""
    text = written.strip().lower().replace("_", "")
    if text in ("", "none", "empty", "transparent"):
        return "none", 1
    if found := re.fullmatch(r"0x([0-9a-f]{6})([0-9a-f]{2})?", text):
        text = "#" + found[1] + (found[2] or "")
    if found := re.fullmatch(r"#([0-9a-f]{12})([0-9a-f]{4})?", text):
        digits = found[1] + (found[2] or "")
        text = "#" + "".join(digits[at : at + 2] for at in range(0, len(digits), 4))
    parts = in_css(text)
    if parts is None:
        return None
    red, green, blue, alpha = parts
    opacity = round(alpha / 255, 3)
    return ("none", 1) if opacity == 0 else (f"#{red:02x}{green:02x}{blue:02x}", opacity)


@dataclass(frozen=True, slots=True)
class Importer:
    """A supported tool: an entry point of the group ``pnp.imports``."""

    title: str
    """What people call it."""
    suffixes: tuple[str, ...]
    """How its files end."""
    recognises: Callable[[Source], bool]
    """Whether the named file is of this tool."""
    read: Callable[[Source], Imported]
    vague: bool = False
    """It takes what nobody else knows, so it is asked last."""
    scripts: bool = False
    """Its projects may have several, each of which makes decks."""
