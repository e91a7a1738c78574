"""Reads Squib decks: their drawing commands and tables."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pnp.imports.deck import (
    EIGHTH,
    SAID,
    Box,
    Column,
    Deck,
    Element,
    Font,
    Imported,
    Importer,
    Picture,
    Pictures,
    Plain,
    Shape,
    Source,
    Table,
    Text,
    Value,
    colour,
    from_html,
    taken_for_bleed,
)
from pnp.imports.outcome import NoDeck, of_scripts
from pnp.imports.ruby import (
    LOADERS,
    Assign,
    Call,
    Cells,
    Computes,
    Names,
    NotRead,
    Other,
    Rows,
    Statement,
    Words,
    Worth,
    statements,
    word,
    worth,
)
from pnp.read.grid import sheet_names
from pnp.sandbox.markup import literally
from pnp.values.problems import Fault, Place, listed
from pnp.values.tables import COPIES

MOST_VARIANTS = 40
MARGIN_MM = 6.35
"""Bleed, and what is kept free within the cut."""
_WHERE = (
    "x",
    "y",
    "width",
    "height",
    "x1",
    "y1",
    "x2",
    "y2",
    "radius",
    "layout",
    "angle",
    "font",
    "font_size",
    "align",
    "valign",
)
"""Options that place an element: of those that differ from card to card, each value becomes an element of its own."""
_READ = {
    *_WHERE, "str", "file", "color", "fill_color", "stroke_color", "stroke_width", "range", "x_radius", "y_radius", "alpha",
    "markup", "ellipsize", "wrap", "justify", "hint", "spacing", "smart_quotes", "placeholder",
}  # fmt: skip
_STYLES = {"bold", "italic", "oblique", "regular", "normal", "light", "medium", "semibold", "semi-bold", "heavy", "black",
           "ultra-bold", "thin", "book", "condensed", "roman"}  # fmt: skip
_BOLD = {"bold", "semibold", "semi-bold", "heavy", "black", "ultra-bold"}

_PROOF_METHODS = ("cut", "cut_line", "safe", "safe_zone", "bleed")

Options = dict[str, Worth]


class Proof(NotRead):
    """Raised for a command that draws on the proof only."""


@dataclass(slots=True)
class _Given:
    """The options of one command for some of the cards."""

    options: Options
    only: str
    name: str


class Drawing:
    """Reads a deck's commands, in pixels from the corner of the bleed; ``move`` shifts them at the end."""

    COMMANDS = ("text", "svg", "png", "rect", "circle", "ellipse", "line", "background")

    def __init__(
        self,
        deck: Deck,
        imported: Imported,
        pictures: Pictures,
        lengths: Lengths,
        width: float,
        height: float,
        colours: Mapping[str, str],
    ) -> None:
        self.deck, self.imported, self.pictures, self.lengths = deck, imported, pictures, lengths
        self.width, self.height, self._colours = width, height, colours
        self._margin = MARGIN_MM / 25.4 * lengths.dpi
        self.layouts: dict[str, Entry] = {}
        self.trim: float | None = None

    def move(self, trim: float) -> None:
        """Shifts coordinates to the corner of the trim."""
        self.deck.front = [replace(each, box=each.box.moved(trim)) for each in self.deck.front]

    def draw(self, call: Call, names: Names, place: Place) -> None:
        """Adds the elements of a command, or reports why it is left out."""
        self.imported.asked += 1
        try:
            options = self._options(call, names, place)
            for given in self._variants(options, place):
                self.deck.front.append(self._element(call, given, names, place))
            self.imported.drawn += 1
        except Proof as reason:
            self.imported.asked -= 1
            self.imported.left(place, call.name, str(reason))
        except NotRead as reason:
            self.imported.left(place, call.name, str(reason))

    def _options(self, call: Call, names: Names, place: Place) -> Options:
        options: Options = {}
        for key, value in call.options.items():
            try:
                options[key] = worth(value, names)
            except NotRead as reason:
                if key in ("str", "file", "range", "layout", "data", *_WHERE[:9]):
                    raise NotRead(f"{key}: {reason}") from None
                self.imported.changed(place, f"{call.name} is drawn without its {key}: {reason}")
        if "data" in options:
            raise NotRead("the drawing is made by the script itself")
        return options

    def _variants(self, options: Options, place: Place) -> list[_Given]:
        """Splits a command into one for each set of options that cards have."""
        rows = len(self.deck.table.rows)
        wanted = self._range(options.pop("range", "all"), rows)
        several = [key for key in _WHERE if isinstance(options.get(key), Cells | list) and not _same(options[key])]
        groups: dict[tuple[str, ...], list[int]] = {}
        for at in wanted:
            groups.setdefault(tuple(_at(options[key], at) or "" for key in several), []).append(at)
        if len(groups) > MOST_VARIANTS:
            raise NotRead(f"{', '.join(several)} differ on more than {MOST_VARIANTS} cards")
        found = []
        for values, members in groups.items():
            own: Options = {**options, **{key: value for key, value in zip(several, values, strict=True) if value}}
            for key in options:
                if key in _WHERE and key not in several and isinstance(own[key], Cells | list):
                    own[key] = _at(own[key], members[0]) or ""
            if "layout" in several and not own.get("layout"):
                continue
            entry, name = self._layout(own.pop("layout", None), place)
            merged: Options = {**entry, **own}
            only = ""
            if len(members) < rows:
                only = self.deck.table.shown_on(members, name or "part")
            found.append(_Given(merged, only, name))
        return found

    def _layout(self, given: Worth, place: Place) -> tuple[Options, str]:
        if given is None:
            return {}, ""
        name = word(given)
        if name in _PROOF_METHODS:
            raise Proof("a line along the cut is for proofs; the build marks the cut itself")
        if name not in self.layouts:
            self.imported.changed(place, f'the layout has no entry "{name}", so nothing of it is known')
            return {}, name
        return {key: value for key, value in self.layouts[name].items() if not isinstance(value, dict)}, name  # type: ignore[misc]

    def _range(self, given: Worth, rows: int) -> list[int]:
        if given is None or given == "all" or not rows:
            return list(range(rows))
        if isinstance(given, float):
            given = [given]
        if isinstance(given, dict):
            first, last = given.get("first"), given.get("last")
            if isinstance(first, float) and isinstance(last, float):
                given = [float(at) for at in range(int(first) % rows, (int(last) % rows) + 1)]
        if isinstance(given, list) and all(isinstance(each, float) for each in given):
            return sorted({int(each) % rows for each in given if isinstance(each, float) and -rows <= each < rows})
        raise NotRead("for which cards it is, only a run of the script knows")

    def _element(self, call: Call, given: _Given, names: Names, place: Place) -> Element:
        options = given.options
        turned = call.name not in ("text", "svg", "png") and options.get("angle")
        for key in (*(key for key in options if key not in _READ), *(["angle"] if turned else [])):
            self.imported.changed(place, f"{call.name} is drawn without its {key}")
        if call.name == "background":
            ground = self._colour(options.get("color", "#0000"), place, "ground")
            return Shape(Box(0, 0, self.deck.width, self.deck.height), fill=ground, only=given.only)
        if call.name == "text":
            return self._text(call, given, names, place)
        if call.name in ("svg", "png"):
            return self._picture(options, place, given)
        return self._shape(call.name, options, place, given.only)

    def _text(self, call: Call, given: _Given, names: Names, place: Place) -> Text:
        options = given.options
        content = self._value(options.get("str", ""), given.name or "text")
        marked = truthy(options.get("markup"))
        icons = self._icons(call, names, place)
        if marked or icons:
            content = self._marked(content, marked, icons, place, given.name or "text")
        x, y = self._corner(options)
        wide = self._px(options, "width", None)
        high = self._px(options, "height", None, self.height)
        align = word(options.get("align", "left"))
        # A box without an end reaches as far as the letters of a printed card may.
        box = Box(x, y, wide or max(self.width - x - self._margin, self.width / 4),
                  high or max(self.height - y - self._margin, self.height / 20))  # fmt: skip
        if angle := self._angle(options):
            if not wide or not high:
                box = Box(x, y, wide or self.width / 2, high or self.height / 10)
            box = _about_corner(box, angle)
        valign = word(options.get("valign", "top")) if high else "top"
        return Text(
            self._mm(box),
            content,
            self._font(options),
            self._colour(options.get("color", "black"), place, "ink", text=True),
            "justify" if truthy(options.get("justify")) else align if align in ("left", "center", "right") else "left",  # type: ignore[arg-type]
            valign if valign in ("top", "middle", "bottom") else "top",  # type: ignore[arg-type]
            given.name or next((part.name for part in content if isinstance(part, Column)), ""),
            angle,
            given.only,
        )

    def _icons(self, call: Call, names: Names, place: Place) -> dict[str, str]:
        """Pictures that replace words in a text: word → icon."""
        found: dict[str, str] = {}
        for each in call.block.statements if call.block else ():
            key, file = (each.options.get(name) if isinstance(each, Call) else None for name in ("key", "file"))
            if not isinstance(key, Words) or not isinstance(file, Words):
                self.imported.left(place, "pictures within the text", "which ones, only a run of the script knows")
                continue
            try:
                said, name = word(worth(key, names)), word(worth(file, names))
            except NotRead as reason:
                self.imported.left(place, "a picture within the text", str(reason))
                continue
            art = self.pictures.take(name, place)
            icon = re.sub(r"[^a-z0-9]+", "-", art.rpartition("/")[2].rpartition(".")[0]).strip("-") if art else ""
            if art and said and icon[:1].isalpha():
                self.imported.files[f"art/icons/{icon}.{art.rpartition('.')[2]}"] = self.imported.files[f"art/{art}"]
                found[said] = icon
        return found

    def _marked(self, content: Value, html: bool, icons: dict[str, str], place: Place, name: str) -> Value:
        """The text as Markdown, in a column of its own."""
        lost: dict[str, None] = {}

        def written(text: str) -> str:
            either = "|".join(map(re.escape, icons))
            parts, said = (re.split(either, text), re.findall(either, text)) if icons else ([text], [])
            made = []
            for part in parts:
                words, tags = from_html(part) if html else (literally(part), [])
                lost.update(dict.fromkeys(tags))
                blank = len(part) - len(part.lstrip()), len(part) - len(part.rstrip())
                made.append(
                    " " * min(1, blank[0]) + words.strip() + " " * min(1, blank[1]) if words.strip() else part[:1] and " "
                )
            return "".join(a + (f":{icons[b]}:" if b else "") for a, b in zip(made, [*said, ""], strict=True)).strip()

        texts = [written(text) for text in self.deck.table.texts(content)]
        column = self.deck.table.add(f"{name} text", texts, content)
        self.deck.table.marked_up.add(column.name)
        if lost:
            self.imported.changed(place, f"the words are set without {', '.join(lost)}")
        return (column,)

    def _picture(self, options: Options, place: Place, given: _Given) -> Picture:
        value = self._value(options.get("file", ""), given.name or "picture")
        file = self.pictures.value(value, self.deck.table, place, f"{given.name or 'picture'} file")
        texts = self.deck.table.texts(file)
        first = next((text for text in texts if text), "")
        if not first:
            raise NotRead("none of its pictures can be had")
        own = self.pictures.size(first) or (100.0, 100.0)
        wide, high = (
            None if options.get(key) in (None, "native", "scale") else self.lengths.pixels(options[key], whole)
            for key, whole in (("width", self.width), ("height", self.height))
        )
        if wide is None and high is None:
            wide, high = own
        elif wide is None:
            wide = (high or 1) * own[0] / own[1]
        elif high is None:
            high = wide * own[1] / own[0]
        both = all(key in options and options[key] not in ("native", "scale") for key in ("width", "height"))
        x, y = self._corner(options)
        alpha = options.get("alpha", 1.0)
        angle = self._angle(options)
        opacity = float(alpha) if isinstance(alpha, float | int) else 1
        box = _about_corner(Box(x, y, wide, high or 1), angle)
        return Picture(self._mm(box), file, both, opacity, angle, given.only)

    def _shape(self, kind: str, options: Options, place: Place, only: str) -> Shape:
        line = self._colour(options.get("stroke_color", "black"), place, "line")
        fill = self._colour(options.get("fill_color", "#0000"), place, "fill")
        width = self.lengths.mm(self.lengths.pixels(options.get("stroke_width", 2.0)))
        if kind == "line":
            x1, y1 = self._px(options, "x1", 100) or 0, self._px(options, "y1", 100, self.height) or 0
            x2, y2 = self._px(options, "x2", 150) or 0, self._px(options, "y2", 150, self.height) or 0
            return Shape(self._mm(Box(x1, y1, x2 - x1, y2 - y1)), "line", ("none",), line, width, only=only)
        x, y = self._corner(options)
        if kind == "circle":
            radius = self._px(options, "radius", 100) or 0
            box = Box(x - radius, y - radius, 2 * radius, 2 * radius)
        else:
            wide, high = self._px(options, "width", self.width), self._px(options, "height", self.height, self.height)
            box = Box(x, y, wide or 0, high or 0)
        if kind != "rect":
            return Shape(self._mm(box), "ellipse", fill, line, width, only=only)
        radius = self.lengths.mm(self._px(options, "radius", None) or self._px(options, "x_radius", 0) or 0)
        return Shape(self._mm(box), "rect", fill, line, width, radius, only=only)

    def _px(self, options: Options, key: str, default: float | None, whole: float | None = None) -> float | None:
        given = options.get(key)
        if given is None or given == "auto":
            return default
        return self.lengths.pixels(given, self.width if whole is None else whole)

    def _corner(self, options: Options) -> tuple[float, float]:
        return self._px(options, "x", 0) or 0, self._px(options, "y", 0, self.height) or 0

    def _mm(self, box: Box) -> Box:
        return Box(*(self.lengths.mm(side) for side in (box.x, box.y, box.width, box.height)))

    def _angle(self, options: Options) -> float:
        given = options.get("angle")
        if given is None:
            return 0
        text = word(given)
        if re.fullmatch(r"-?\d{1,6}(\.\d{1,9})?deg", text):
            return float(text.removesuffix("deg"))
        return math.degrees(self.lengths.pixels(given))

    def _font(self, options: Options) -> Font:
        described = word(options.get("font", "Arial 12")).split()
        size = 12.0
        if described and re.fullmatch(r"\d+(\.\d+)?(px|pt)?", described[-1]):
            size = float(described.pop().rstrip("pxt"))
        given = options.get("font_size")
        if given is not None:
            size = self.lengths.pixels(given)
        styles: set[str] = set()
        while described and described[-1].casefold() in _STYLES and len(described) > 1:
            styles.add(described.pop().casefold())
        return Font(
            " ".join(described) or "Sans", min(max(size, 1), 400), bool(styles & _BOLD), bool(styles & {"italic", "oblique"})
        )

    def _value(self, given: Worth, name: str) -> Value:
        """The text or picture of each card."""
        table = self.deck.table
        if isinstance(given, Cells):
            if given.table is table:
                return given.value
            texts = [text or "" for text in given.texts]
        elif isinstance(given, list):
            texts = [word(each) for each in given]
        else:
            return (word(given),)
        texts = [*texts[: len(table.rows)], *[""] * (len(table.rows) - len(texts))]
        wished = given.value[0] if isinstance(given, Cells) and len(given.value) == 1 else None
        return (table.add(wished.name if isinstance(wished, Column) else name, texts),)

    def _colour(self, given: Worth, place: Place, name: str, text: bool = False) -> Value:
        value = self._value(given, name)

        def plain_colour(written: str) -> str:
            written = self._colours.get(written, written)
            if gradient := re.search(r"(#[0-9a-fA-F]+|[a-z_]+)@", written):
                self.imported.changed(place, f'instead of the gradient "{written}" there is its first colour')
                written = gradient[1]
            found = colour(written or "#0000")
            if found is None:
                self.imported.changed(place, f'"{written}" is no colour, so it is black')
                return "#000000"
            if 0 < found[1] < 1:
                self.imported.changed(place, f'the colour "{written}" is not seen through')
            return "#000000" if text and found[0] == "none" else found[0]

        return self.deck.table.derived(value, plain_colour, name)


def truthy(given: Worth) -> bool:
    return given not in (None, False, "false", "")


def _about_corner(box: Box, angle: float) -> Box:
    """The box that turned by degrees about its middle lies where Squib turns this one about its upper left corner."""
    turn, dx, dy = math.radians(angle), box.width / 2, box.height / 2
    middle_x = box.x + dx * math.cos(turn) - dy * math.sin(turn)
    middle_y = box.y + dx * math.sin(turn) + dy * math.cos(turn)
    return Box(middle_x - dx, middle_y - dy, box.width, box.height)


def _same(given: Worth) -> bool:
    return len(set(given.texts)) == 1 if isinstance(given, Cells) else False


def _at(given: Worth, row: int) -> str:
    if isinstance(given, Cells):
        return given.texts[row] or "" if row < len(given.texts) else ""
    if isinstance(given, list):
        return word(given[row]) if row < len(given) else ""
    return word(given)


MOST_CARDS = 5_000
LARGE_PT = 30
WIDTH, HEIGHT = 825.0, 1125.0
_NEAR = 0.16
# What says how the sheets are made, and what the person sees meanwhile.
_OUTPUT = {"save", "save_png", "save_pdf", "save_sheet", "save_sprue", "showcase", "hand"}
_PROOFS = {"cut_zone": "the build marks the cut itself", "safe_zone": "it is a line for proofs", "hint": "it is for proofs"}
_SILENT = {"require", "require_relative", "puts", "p", "pp", "disable_build", "set", "using", "include"}


def recognises(source: Source) -> bool:
    return source.main.suffix.lower() == ".rb" and "Squib" in source.text(source.main)


def read(source: Source) -> Imported:
    """Raises Fault."""
    return of_scripts(source, "Squib", lambda own, imported: _Script(own, imported).read())


class _Script:
    def __init__(self, source: Source, imported: Imported) -> None:
        self.source, self.shown = source, source.shown(source.main)
        self.imported = imported
        self.names = Names({}, self._load)
        path = source.find("config.yml")
        config = source.yaml(path) if path is not None else None
        config = config if isinstance(config, dict) else {}
        homes = [str(config["img_dir"])] if isinstance(config.get("img_dir"), str) else []
        self.pictures = Pictures(source, self.imported, *homes)
        cell = config.get("cell_px")
        self.cell = float(cell) if isinstance(cell, int | float) and cell else CELL
        colours = config.get("custom_colors")
        self.colours = {key: str(value) for key, value in colours.items()} if isinstance(colours, dict) else {}
        self.builds: set[str] = set()

    def read(self) -> None:
        place = Place(self.shown)
        text = self.source.text(self.source.main)
        if "Deck.new" not in text:
            raise NoDeck("there is no Squib::Deck.new in the script", place=place)
        try:
            found = statements(text)
        except RecursionError:
            raise Fault("the script is too long, or nested too deeply, to be read", place=place) from None
        except Computes as found_there:
            raise Fault(
                f'the script computes its cards ("{found_there.word}"), and scripts are read, never run',
                value=found_there.word,
                hint="Export the deck's table as CSV from Squib or your spreadsheet and import that: "
                f"pnp import deck.csv NAME{self._tables(text)}",
                place=self._place(found_there.line),
            ) from None
        for each in found:
            try:
                self._outer(each)
            except NotRead as reason:
                self.imported.left(self._place(getattr(each, "line", 0)), "a command", str(reason))
        sizes = [each.font.size for deck in self.imported.decks for each in deck.front if isinstance(each, Text)]
        if max(sizes, default=0) > LARGE_PT:
            older = "those of older scripts are three times too large: divide their sizes in the templates by 3.125"
            self.imported.changed(place, f"letters are in points, as in Squib since 0.14; {older}")
        if not self.imported.decks:
            raise NoDeck("there is no Squib::Deck.new in the script that can be read", place=place)

    def _tables(self, text: str) -> str:
        """Finds the tables that a script reads."""
        named = re.findall(r"""\b(?:csv|xlsx)\b[^\n]*?\bfile:\s*["']([^"'\n]+)""", text)
        found = [self.source.shown(path) for name in dict.fromkeys(named) if (path := self.source.find(name, "data"))]
        return f". It reads {listed(found, 6)}" if found else ""

    def _outer(self, each: Statement, called: str = "") -> None:
        if isinstance(each, Assign):
            if isinstance(each.value, Call) and each.value.name == "new":
                self._outer(each.value, each.name)
            else:
                self._assign(each, self.names)
        elif isinstance(each, Other):
            self.imported.left(self._place(each.line), f'"{each.text}"', each.why)
        elif isinstance(each, Call) and each.name == "new" and _is_deck(each):
            self._deck(each, called)
        elif isinstance(each, Call) and each.name == "enable_build" and each.args:
            self.builds.add(word(worth(each.args[0], self.names)))
        elif isinstance(each, Call) and each.name not in _SILENT:
            self.imported.left(self._place(each.line), f'"{each.name}"', "only a run of the script does it")

    def _assign(self, each: Assign, names: Names) -> None:
        try:
            names.known[each.name] = worth(each.value, names)
        except NotRead as reason:
            names.known.pop(each.name, None)
            self.imported.left(self._place(each.line), f"what {each.name} is", str(reason))

    def _place(self, line: int) -> Place:
        return Place(self.shown, line)

    def _load(self, call: Call, options: Mapping[str, Worth]) -> Worth:
        """Loads a table. Raises NotRead, Fault."""
        name = options.get("file", "deck.xlsx")
        if "data" in options or not isinstance(name, str):
            raise NotRead("the table is made by the script itself")
        path = self.source.find(name, "data")
        if path is None:
            raise Fault(
                f'the table "{name}" is not in the project\'s folder',
                value=name,
                hint="Name the project's folder, not the script, if the table is elsewhere in it.",
                place=self._place(call.line),
            )
        table = self.source.table(path, self._sheet(path, options.get("sheet", 0.0), call))
        for each in options:
            if each not in ("file", "explode", "strip", "sheet"):
                self.imported.left(self._place(call.line), f"{each}: of {name}", "the table is read as it is")
        explode = table.column(word(options.get("explode", "qty")))
        if explode is None and path.suffix.lower() in (".yml", ".yaml"):
            explode = next((Column(name) for name in table.columns if name.casefold() in COPIES), None)
        table.copies = explode.name if explode else ""
        return table

    def _sheet(self, path: Path, given: Worth, call: Call) -> str | None:
        """The sheet of a workbook; Squib counts from 0. Raises Fault."""
        names = sheet_names(path)
        if not names:
            return None
        if isinstance(given, str) and not given.isdigit():
            return given
        at = int(float(word(given) or 0))
        if not -len(names) <= at < len(names):
            said = f'sheet: {at} asks for the sheet number {at + 1} of "{self.source.shown(path)}", and it has {len(names)}'
            raise Fault(said, value=str(at), allowed=listed(names), place=self._place(call.line))
        return names[at]

    def _deck(self, call: Call, called: str) -> None:
        place = self._place(call.line)
        options: dict[str, Worth] = {}
        for key, value in call.options.items():
            try:
                options[key] = worth(value, self.names)
            except NotRead as reason:
                self.imported.left(place, f"{key}: of the deck", str(reason))
        dpi = options.get("dpi", DPI)
        lengths = Lengths(dpi if isinstance(dpi, float) and dpi >= 1 else DPI, self.cell)
        try:
            width = lengths.pixels(options.get("width", WIDTH))
            height = lengths.pixels(options.get("height", HEIGHT))
        except NotRead as reason:
            raise Fault(f"the size of the cards is not read: {reason}", place=place) from None
        if not (3 <= lengths.mm(width) <= 1500 and 3 <= lengths.mm(height) <= 1500):
            raise Fault("the cards are smaller than 3 mm or larger than 1500 mm", place=place)
        table, copies = self._table(options.get("cards"), call)
        inner = call.block.statements if call.block else ()
        deck = Deck("cards", lengths.mm(width), lengths.mm(height), table=table, script=self.shown)
        said = [self.source.main.stem, called, *_saved(inner), *map(word, _listed(options.get("layout")))]
        deck.called = tuple(filter(None, said))
        table.copies = copies
        drawing = Drawing(deck, self.imported, self.pictures, lengths, width, height, self.colours)
        self._layouts(options.get("layout"), drawing, place)
        self._inside(inner, drawing, self.names.within({}))
        trim = drawing.trim if drawing.trim is not None else self._trim(deck, drawing, place)
        deck.width, deck.height, deck.bleed = deck.width - 2 * trim, deck.height - 2 * trim, trim or None
        drawing.move(trim)
        self.imported.decks.append(deck)

    def _layouts(self, given: Worth, drawing: Drawing, place: Place) -> None:
        """Adds the entries of the layouts that are named."""
        for name in _listed(given):
            try:
                if isinstance(name, str):
                    drawing.layouts = read_layout(self.source, name, drawing.layouts, drawing.lengths)
            except NotRead as reason:
                self.imported.left(place, f'the layout "{name}"', str(reason))

    def _table(self, cards: Worth, call: Call) -> tuple[Table, str]:
        """A deck's rows: the table that sets its number of cards, else one that it reads, else blank rows."""
        known = [each for each in self.names.known.values() if isinstance(each, Table)]
        within: list[Table] = []
        for each in call.block.statements if call.block else ():
            if isinstance(each, Assign) and isinstance(each.value, Call) and each.value.name in LOADERS:
                self._assign(each, self.names)
                found = self.names.known.get(each.name)
                within += [found] if isinstance(found, Table) else []
        if isinstance(cards, Rows):
            return cards.table, cards.table.copies
        number = int(cards) if isinstance(cards, float) else None
        if number is not None and number > MOST_CARDS:
            self.imported.left(self._place(call.line), f"the cards after the first {MOST_CARDS}", f"there are {number}")
        for table in (*within, *known):
            if number is None or table.copies or len(table.rows) == number:
                return table, table.copies
        fits = next((table for table in (*within, *known) if number is not None and len(table.rows) > number), None)
        if fits is not None:
            said = f"of {len(fits.rows)} rows there are the first {number}, as cards: says"
            self.imported.changed(self._place(call.line), said)
            del fits.rows[number:]
            return fits, ""
        return Table([], [{} for _ in range(max(1, min(number or 1, MOST_CARDS)))]), ""

    def _inside(self, inner: tuple[Statement, ...], drawing: Drawing, names: Names) -> None:
        for each in inner:
            if isinstance(each, Assign):
                if isinstance(each.value, Call) and each.value.name in LOADERS and each.name in self.names.known:
                    names.known[each.name] = self.names.known[each.name]
                else:
                    self._assign(each, names)
            elif isinstance(each, Other):
                self.imported.asked += each.text.split()[0] in drawing.COMMANDS
                self.imported.left(self._place(each.line), f'"{each.text}"', each.why)
            elif isinstance(each, Call):
                try:
                    self._command(each, drawing, names)
                except NotRead as reason:
                    self.imported.left(self._place(each.line), each.name, str(reason))

    def _command(self, each: Call, drawing: Drawing, names: Names) -> None:
        place = self._place(each.line)
        if each.on is not None:
            self.imported.left(place, f'"{each.name}"', "only a run of the script does it")
        elif each.name == "build" and each.block is not None:
            group = word(worth(each.args[0], names)) if each.args else ""
            if group in self.builds:
                self._inside(each.block.statements, drawing, names)
            else:
                self.imported.left(place, f"the build group {group}", "Squib draws it only when it is asked to")
                self._trims(each.block.statements, drawing, names)
        elif each.name == "use_layout":
            self._layouts(worth(each.options.get("file", Words(("layout.yml",))), names), drawing, place)
        elif each.name in _OUTPUT:
            self._trims((each,), drawing, names)
            self.imported.left(place, each.name, "pnp build lays out the sheets and writes the files itself")
        elif each.name in _PROOFS:
            self.imported.left(place, each.name, _PROOFS[each.name])
        elif each.name in drawing.COMMANDS:
            drawing.draw(each, names, place)
        elif each.name not in _SILENT:
            self.imported.asked += 1
            self.imported.left(place, each.name, "pnp has no such command for cards")

    def _trims(self, inner: tuple[Statement, ...], drawing: Drawing, names: Names) -> None:
        """Takes the bleed from the trim of the saved sheets."""
        for each in inner:
            if isinstance(each, Call) and each.name in _OUTPUT and "trim" in each.options and drawing.trim is None:
                try:
                    trim = drawing.lengths.mm(drawing.lengths.pixels(worth(each.options["trim"], names)))
                except NotRead:
                    continue
                if 0 < trim * 2.5 < min(drawing.deck.width, drawing.deck.height):
                    drawing.trim = trim

    def _trim(self, deck: Deck, drawing: Drawing, place: Place) -> float:
        """The bleed of a deck that is not trimmed: from its layout's cut line, or from a known size."""
        if "cut" in drawing.layouts and abs(deck.width - 69.85) < _NEAR and abs(deck.height - 95.25) < _NEAR:
            return EIGHTH
        trim = taken_for_bleed(deck.width, deck.height)
        if trim:
            self.imported.changed(place, SAID)
        return trim


def _listed(given: Worth) -> list[Worth]:
    return given if isinstance(given, list) else [given]


def _saved(inner: tuple[Statement, ...]) -> list[str]:
    """The names of a deck's output files, then of its layouts."""
    found: list[str] = []
    layouts: list[str] = []
    for each in inner:
        if isinstance(each, Call) and each.name == "build" and each.block is not None:
            found += _saved(each.block.statements)
        elif isinstance(each, Call) and (each.name in _OUTPUT or each.name == "use_layout"):
            given = [each.options.get(key) for key in ("prefix", "file")]
            names = [str(value.parts[0]) for value in given if isinstance(value, Words) and value.parts]
            (layouts if each.name == "use_layout" else found).extend(name.rpartition(".")[0] or name for name in names)
    return found + layouts


def _is_deck(call: Call) -> bool:
    on = call.on
    return isinstance(on, Call) and on.name in ("Squib::Deck", "Deck")


IMPORTER = Importer("Squib", (".rb",), recognises, read, scripts=True)


DPI = 300.0
CELL = 37.5

Entry = dict[str, Plain]

_SAME: dict[str, Entry] = {"cut": {"x": 37.5, "y": 37.5, "width": 750, "height": 1050}}
_SAME["safe"] = {"x": 75, "y": 75, "width": 675, "height": 975, "radius": 16}
_SMALL: Entry = {"font_size": 6, "width": 75, "height": 75, "y": 975, "valign": "bottom"}
_WORDS: Entry = {"x": 100, "width": 625, "height": 275, "valign": "middle", "align": "center", "font_size": 6}
_BELOW: dict[str, Entry] = {
    "lower_right": {**_SMALL, "x": 675, "align": "right"},
    "lr": {"extends": "lower_right"},
    "lower_left": {**_SMALL, "x": 75, "align": "left"},
    "ll": {"extends": "lower_left"},
    "copyright": {"x": 75, "y": 1025, "width": 675, "height": 25, "font_size": 5, "align": "center", "valign": "bottom"},
    "copy": {"extends": "copyright"},
    "credit": {"extends": "copyright"},
    "credits": {"extends": "copyright"},
    "desc": {"extends": "description"},
}
BUILT_IN: dict[str, dict[str, Entry]] = {
    "economy.yml": {
        **_SAME,
        **_BELOW,
        "title": {"x": 90, "y": 90, "width": 635, "height": 50, "align": "center"},
        "art": {"x": 75, "y": 150, "width": 675, "height": 520},
        "description": {**_WORDS, "y": 675},
        "type": {"x": 90, "y": 955, "width": 645, "height": 50, "align": "center"},
    },
    "fantasy.yml": {
        **_SAME,
        **_BELOW,
        "title": {"x": 90, "y": 90, "width": 500, "height": 50},
        "upper_right": {"x": 595, "y": 90, "width": 135, "height": 50, "align": "right"},
        "ur": {"extends": "upper_right"},
        "art": {"x": 75, "y": 150, "width": 675, "height": 520},
        "type": {"x": 90, "y": 675, "width": 500, "height": 50},
        "type_right": {"x": 595, "y": 675, "width": 135, "height": 50, "align": "right"},
        "tr": {"extends": "type_right"},
        "description": {**_WORDS, "y": 730},
    },
    "hand.yml": {
        **_SAME,
        "title": {"x": 275, "y": 75, "width": 475, "height": 125},
        "art": {"x": 275, "y": 225, "width": 475, "height": 475},
        "description": {"x": 275, "y": 725, "width": 475, "height": 200},
        "snark": {"x": 275, "y": 950, "width": 475, "height": 100},
        **{f"bonus{at + 1}": {"x": 75, "y": 75 + 198 * at, "width": 175, "height": 175} for at in range(5)},
    },
    "playing-card.yml": {
        **_SAME,
        "bonus_ul": {"x": 75, "y": 75, "width": 200, "height": 200},
        "bonus_lr": {"x": 750, "y": 1050, "width": 200, "height": 200, "angle": 3.14159},
        "art": {"x": 150, "y": 275, "width": 525, "height": 575, "valign": "middle", "align": "center"},
    },
}
"""Where the entries stand of layouts that come with Squib, in pixels at 300 dpi."""

_UNIT = re.compile(r"\s*(-?\d*\.?\d+)\s*(px|in|mm|cm|pt|cells?|c|deg|rad)?\s*")
_SHORT = re.compile(r"\s*(middle|center|deck)\s*(?:([-+/*])\s*(.+))?")
_CHANGE = re.compile(r"\s*([-+*/])=\s*(.+)")


class Lengths:
    """Converts Squib's lengths to pixels at a deck's resolution."""

    def __init__(self, dpi: float = DPI, cell: float = CELL) -> None:
        self.dpi, self.cell = dpi, cell

    def pixels(self, given: object, whole: float = 0) -> float:
        """A length in pixels; ``whole`` is the value of "deck". Raises NotRead."""
        if isinstance(given, bool) or given is None:
            raise NotRead(f'"{given}" is no length')
        if isinstance(given, int | float):
            return float(given)
        text = str(given)
        if found := _UNIT.fullmatch(text):
            per = {"in": self.dpi, "mm": self.dpi / 25.4, "cm": self.dpi / 2.54, "pt": self.dpi / 72}
            unit = found[2] or "px"
            return float(found[1]) * (self.cell if unit.startswith("c") and unit != "cm" else per.get(unit, 1))
        if found := _SHORT.fullmatch(text):
            base = whole if found[1] == "deck" else whole / 2
            if not found[2]:
                return base
            other = self.pixels(found[3])
            if found[2] in "*/":
                return base * other if found[2] == "*" else base / (other or 1)
            return base + other if found[2] == "+" else base - other
        raise NotRead(f'"{text}" is no length')

    def mm(self, pixels: float) -> float:
        return pixels / self.dpi * 25.4


def read_layout(source: Source, name: str, known: Mapping[str, Entry], lengths: Lengths) -> dict[str, Entry]:
    """The known entries and those of a layout file. Raises NotRead, Fault."""
    path = source.find(name, "layouts")
    found: Plain = source.yaml(path) if path is not None else dict(BUILT_IN.get(name, {}))
    if path is None and not found:
        raise NotRead("there is no such file in the project's folder")
    if not isinstance(found, dict):
        raise NotRead("the file has no entries")
    entries: dict[str, Entry] = {**known, **{key: entry for key, entry in found.items() if isinstance(entry, dict)}}
    done: dict[str, Entry] = {}
    return {key: _extended(entries, key, lengths, (), done) for key in entries}


def _extended(
    entries: Mapping[str, Entry], key: str, lengths: Lengths, above: tuple[str, ...], done: dict[str, Entry]
) -> Entry:
    """An entry with what it inherits. One that extends itself inherits nothing."""
    if key in done:
        return done[key]
    entry = entries[key]
    parents = entry.get("extends")
    merged: Entry = {}
    for parent in parents if isinstance(parents, list) else [parents]:
        if isinstance(parent, str) and parent in entries and parent not in above and parent != key and len(above) < 50:
            merged.update(_extended(entries, parent, lengths, (*above, key), done))
    for name, value in entry.items():
        if name == "extends":
            continue
        change = _CHANGE.fullmatch(value) if isinstance(value, str) else None
        if change and name in merged:
            before, by = lengths.pixels(merged[name]), lengths.pixels(change[2])
            sums = {"+": before + by, "-": before - by, "*": before * by, "/": before / (by or 1)}
            merged[name] = sums[change[1]]
        else:
            merged[name] = value
    done[key] = merged
    return merged
