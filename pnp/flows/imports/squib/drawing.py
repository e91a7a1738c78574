"""The commands of Squib that draw: text, pictures, shapes, each with its options and what a layout says of them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pnp.flows.imports.deck import Box, Column, Deck, Element, Font, Imported, Picture, Shape, Text, Value
from pnp.flows.imports.pictures import Pictures
from pnp.flows.imports.squib.layouts import Entry, Lengths
from pnp.flows.imports.squib.tokens import Call, NotRead, Words
from pnp.flows.imports.squib.worth import Cells, Names, Worth, word, worth
from pnp.flows.imports.words import colour, from_html
from pnp.sandbox.markup import literally
from pnp.values.problems import Place

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

_PROOFS = ("cut", "cut_line", "safe", "safe_zone", "bleed")

Options = dict[str, Worth]


@dataclass(slots=True)
class _Given:
    """The options of one command for some of the cards."""

    options: Options
    only: str
    name: str


class Drawing:
    """Draws a deck command by command, in pixels of the whole card with its bleed; then everything is moved."""

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
        """Count from the corner of the cut, not from that of the bleed."""
        self.deck.front = [replace(each, box=each.box.moved(trim)) for each in self.deck.front]

    def draw(self, call: Call, names: Names, place: Place) -> None:
        """Add what a command draws, or say why it is left behind."""
        try:
            options = self._options(call, names, place)
            for given in self._variants(options, place):
                element = self._element(call, given, names, place)
                if element is not None:
                    self.deck.front.append(element)
            self.imported.carried += 1
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
        """The command once, or once for each set of values that cards have of their own."""
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
                shown = set(members)
                only = self.deck.table.add(
                    f"shows {name or 'part'}", ["yes" if at in shown else "" for at in range(rows)]
                ).name
            found.append(_Given(merged, only, name))
        return found

    def _layout(self, given: Worth, place: Place) -> tuple[Options, str]:
        if given is None:
            return {}, ""
        name = word(given)
        if name in _PROOFS:
            raise NotRead("a line along the cut is for proofs; the build marks the cut itself")
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

    def _element(self, call: Call, given: _Given, names: Names, place: Place) -> Element | None:
        options = given.options
        turned = call.name not in ("text", "svg", "png") and options.get("angle")
        for key in (*(key for key in options if key not in _READ), *(["angle"] if turned else [])):
            self.imported.changed(place, f"{call.name} is drawn without its {key}")
        if call.name == "background":
            return self._background(options, place, given.only)
        if call.name == "text":
            return self._text(call, given, names, place)
        if call.name in ("svg", "png"):
            return self._picture(options, place, given)
        return self._shape(call.name, options, place, given.only)

    def _background(self, options: Options, place: Place, only: str) -> Shape:
        fill = self._colour(options.get("color", "#0000"), place, "ground")
        return Shape(Box(0, 0, self.deck.width, self.deck.height), fill=fill, only=only)

    def _text(self, call: Call, given: _Given, names: Names, place: Place) -> Text:
        options = given.options
        content = self._value(options.get("str", ""), given.name or "text")
        marked = truthy(options.get("markup"))
        icons = self._icons(call, names, place)
        if marked or icons:
            content = self._marked(content, marked, icons, place, given.name or "text")
        x, y = self._px(options, "x", 0) or 0, self._px(options, "y", 0, self.height) or 0
        wide = self._px(options, "width", None)
        high = self._px(options, "height", None, self.height)
        align = word(options.get("align", "left"))
        # A box without an end reaches as far as the letters of a printed card may.
        box = Box(x, y, wide or max(self.width - x - self._margin, self.width / 4),
                  high or max(self.height - y - self._margin, self.height / 20))  # fmt: skip
        angle = self._angle(options)
        if angle:
            if not wide or not high:
                box = Box(x, y, wide or self.width / 2, high or self.height / 10)
            # Squib turns about the corner, pnp about the middle.
            turn = math.radians(angle)
            dx, dy = box.width / 2, box.height / 2
            middle_x = x + dx * math.cos(turn) - dy * math.sin(turn)
            middle_y = y + dx * math.sin(turn) + dy * math.cos(turn)
            box = Box(middle_x - dx, middle_y - dy, box.width, box.height)
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
        """Drawings that stand in a text for a word: the word → what icon it becomes."""
        found: dict[str, str] = {}
        for each in call.block.statements if call.block else ():
            key = each.options.get("key") if isinstance(each, Call) else None
            file = each.options.get("file") if isinstance(each, Call) else None
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
        """Words as Markdown, in a column of their own."""
        lost: dict[str, None] = {}

        def written(text: str) -> str:
            parts = re.split("|".join(map(re.escape, icons)), text) if icons else [text]
            said = re.findall("|".join(map(re.escape, icons)), text) if icons else []
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

    def _picture(self, options: Options, place: Place, given: _Given) -> Picture | None:
        value = self._value(options.get("file", ""), given.name or "picture")
        file = self.pictures.value(value, self.deck.table, place, f"{given.name or 'picture'} file")
        texts = self.deck.table.texts(file)
        first = next((text for text in texts if text), "")
        if not first:
            raise NotRead("none of its pictures can be had")
        own = self.pictures.size(first) or (100.0, 100.0)
        wide, high = self._side(options, "width", self.width), self._side(options, "height", self.height)
        if wide is None and high is None:
            wide, high = own
        elif wide is None:
            wide = (high or 1) * own[0] / own[1]
        elif high is None:
            high = wide * own[1] / own[0]
        both = all(key in options and options[key] not in ("native", "scale") for key in ("width", "height"))
        x, y = self._px(options, "x", 0) or 0, self._px(options, "y", 0, self.height) or 0
        alpha = options.get("alpha", 1.0)
        angle = self._angle(options)
        if angle:
            self.imported.changed(place, "the picture is turned about its middle, not about its corner")
        opacity = float(alpha) if isinstance(alpha, float | int) else 1
        return Picture(self._mm(Box(x, y, wide, high or 1)), file, both, opacity, angle, given.only)

    def _side(self, options: Options, key: str, whole: float) -> float | None:
        given = options.get(key)
        return None if given in (None, "native", "scale") else self.lengths.pixels(given, whole)

    def _shape(self, kind: str, options: Options, place: Place, only: str) -> Shape:
        line = self._colour(options.get("stroke_color", "black"), place, "line")
        fill = self._colour(options.get("fill_color", "#0000"), place, "fill")
        width = self.lengths.mm(self.lengths.pixels(options.get("stroke_width", 2.0)))
        if kind == "line":
            x1, y1 = self._px(options, "x1", 100) or 0, self._px(options, "y1", 100, self.height) or 0
            x2, y2 = self._px(options, "x2", 150) or 0, self._px(options, "y2", 150, self.height) or 0
            return Shape(self._mm(Box(x1, y1, x2 - x1, y2 - y1)), "line", ("none",), line, width, only=only)
        x, y = self._px(options, "x", 0) or 0, self._px(options, "y", 0, self.height) or 0
        if kind == "circle":
            radius = self._px(options, "radius", 100) or 0
            box = Box(x - radius, y - radius, 2 * radius, 2 * radius)
            return Shape(self._mm(box), "ellipse", fill, line, width, only=only)
        wide = self._px(options, "width", self.width)
        high = self._px(options, "height", self.height, self.height)
        round_by = self._px(options, "radius", None) or self._px(options, "x_radius", 0) or 0
        box = Box(x, y, wide or 0, high or 0)
        radius = self.lengths.mm(round_by) if kind == "rect" else 0
        return Shape(self._mm(box), "rect" if kind == "rect" else "ellipse", fill, line, width, radius, only=only)

    def _px(self, options: Options, key: str, default: float | None, whole: float | None = None) -> float | None:
        given = options.get(key)
        if given is None or given == "auto":
            return default
        return self.lengths.pixels(given, self.width if whole is None else whole)

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
        """What is written or shown, card by card."""
        table = self.deck.table
        if isinstance(given, Cells):
            if given.table is table and given.value is not None:
                return given.value
            texts = [text or "" for text in given.texts]
        elif isinstance(given, list):
            texts = [word(each) for each in given]
        else:
            return (word(given),)
        texts = [*texts[: len(table.rows)], *[""] * (len(table.rows) - len(texts))]
        wished = given.value[0] if isinstance(given, Cells) and given.value and len(given.value) == 1 else None
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


def _same(given: Worth) -> bool:
    return len(set(given.texts)) == 1 if isinstance(given, Cells) else False


def _at(given: Worth, row: int) -> str:
    if isinstance(given, Cells):
        return given.texts[row] or "" if row < len(given.texts) else ""
    if isinstance(given, list):
        return word(given[row]) if row < len(given) else ""
    return word(given)
