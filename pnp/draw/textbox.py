"""``<foreignObject>`` and simple ``<text>`` → text boxes and labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TypeVar

from pnp.draw import markup, symbols
from pnp.draw.art import Art
from pnp.draw.fonts import Fonts
from pnp.draw.styling import BadText, MissingGlyphs, Remark, lettered, remark_of
from pnp.draw.symbols import SYMBOLS
from pnp.shapes.colour import full
from pnp.shapes.units import PT_PER_MM
from pnp.svg import safe as svg
from pnp.svg.tree import Element
from pnp.values.layers import (
    Align,
    Block,
    Direction,
    Grid,
    Icon,
    IconSpan,
    Listing,
    Paragraph,
    Setting,
    Style,
    TextBox,
    TextLabel,
    TextSpan,
    Valign,
    Word,
)
from pnp.values.problems import closest, listed

_Choice = TypeVar("_Choice", bound=str)

STEP_PT = 0.25
INK = "#000000"
RIGHT_TO_LEFT = ("ar", "fa", "he", "iw", "ps", "ur", "yi")
MOST_LONG_WORDS = 8
# An A4 page in small print has half as many. More take the engine long, only for it to say that they do not fit.
MOST_LETTERS = 20_000
# Where a line may break: at spaces, after hyphens, dashes and slashes, and anywhere in scripts without spaces.
_BREAKS = re.compile(
    r"\s+|(?<=[-/\u00ad\u200b\u2013\u2014\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef])"
)
_LABEL_KEYS = {
    "x", "y", "font-family", "font-size", "font-weight", "font-style", "fill", "text-anchor", "id", "transform",
    "{http://www.w3.org/XML/1998/namespace}space",
}  # fmt: skip
_BOX_KEYS = {"x", "y", "width", "height", "id", "class", "transform"}

DATA_KEYS: Mapping[str, str] = {
    "name": "the box's name, for messages",
    "size": 'largest and smallest size in pt: "9 6.5", or one size',
    "same": "boxes of one name are set in one size on all pieces of a component",
    "font": "a name from [fonts] or a font family, or several with commas",
    "weight": "100 to 900",
    "style": "normal or italic",
    "fill": "colour #rrggbb",
    "align": "left, center, right or justify",
    "valign": "top, middle or bottom",
    "lang": "language, for hyphenation",
    "dir": "ltr or rtl",
    "leading": "line distance as a part of the size: 1.2",
    "tracking": "extra space between letters, as a part of the size: 0.05",
    "hyphenate": "yes, no or auto (only in longer texts)",
}


class _Settings:
    """What a text box says of itself beside its words. A deck's boxes say the same, so each is read once, when asked for."""

    def __init__(self, given: tuple[tuple[str, str], ...], language: str, ink: str) -> None:
        self._given, self._language, self._ink = dict(given), language, ink
        self._options = _options(given)
        self._settings: dict[tuple[str, ...], Setting] = {}

    @cached_property
    def lang(self) -> str:
        lang = self._options.get("lang", self._language).partition("-")[0].lower()
        if not re.fullmatch(r"[a-z]{2,3}", lang):
            raise BadText(
                f'"{self._options["lang"]}" is no language',
                "bad-text-box",
                value=self._options["lang"],
                allowed="en, de, pt-BR …",
            )
        return lang

    @cached_property
    def name(self) -> str:
        return self._options.get("name", self._given.get("id", ""))

    @cached_property
    def direction(self) -> Direction:
        return _one_of(self._options, "dir", ("ltr", "rtl"), "rtl" if self.lang in RIGHT_TO_LEFT else "ltr")

    @cached_property
    def fill(self) -> str:
        return colour(self._options.get("fill", self._ink))

    @cached_property
    def font(self) -> str:
        return self._options.get("font", "body")

    @cached_property
    def style(self) -> Style:
        return _one_of(self._options, "style", ("normal", "italic"), "normal")

    @cached_property
    def weight(self) -> int:
        return int(_bounded(self._options, "weight", 400, 100, 900))

    @cached_property
    def tracking(self) -> float:
        return _bounded(self._options, "tracking", 0, -0.2, 1)

    @cached_property
    def sizes(self) -> tuple[float, ...]:
        return _sizes(self._options.get("size", "9 6.5"))

    @cached_property
    def size(self) -> tuple[float, float]:
        width, height = self._length("width"), self._length("height")
        if width <= 0 or height <= 0:
            raise svg.BadDrawing(f"<foreignObject> is {width:g} × {height:g} mm")
        return width, height

    @cached_property
    def hyphenate(self) -> str:
        return _one_of(self._options, "hyphenate", ("yes", "no", "auto"), "auto")

    @cached_property
    def corner(self) -> tuple[float, float]:
        return self._length("x", 0.0), self._length("y", 0.0)

    @cached_property
    def leading(self) -> float:
        return _bounded(self._options, "leading", 1.18, 0.7, 3)

    @cached_property
    def align(self) -> Align:
        usual: Align = "right" if self.direction == "rtl" else "left"
        return _one_of(self._options, "align", ("left", "center", "right", "justify"), usual)

    @cached_property
    def valign(self) -> Valign:
        return _one_of(self._options, "valign", ("top", "middle", "bottom"), "top")

    def setting(self, families: tuple[str, ...]) -> Setting:
        """The setting in these fonts: the same one for a deck's boxes."""
        if families not in self._settings:
            self._settings[families] = Setting(
                fonts=families,
                sizes=self.sizes,
                fill=self.fill,
                weight=self.weight,
                style=self.style,
                lang=self.lang,
                dir=self.direction,
                leading=self.leading,
                tracking=self.tracking,
                align=self.align,
                valign=self.valign,
                same=self._options.get("same", ""),
            )
        return self._settings[families]

    def _length(self, name: str, default: float | None = None) -> float:
        return svg.length("foreignObject", name, self._given.get(name), default)


_settings = lru_cache(1024)(_Settings)


@dataclass(frozen=True, slots=True)
class Boxed:
    """A text box, the icons' drawings in it, and what is to be told of it."""

    box: TextBox
    files: Mapping[str, bytes]
    remarks: tuple[Remark, ...]


def box(element: Element, language: str, palette: Mapping[str, str], fonts: Fonts, art: Art) -> Boxed:
    """A text box as it was written. Raises BadDrawing or BadText."""
    if len(element):
        raise BadText("a text box holds Markdown, not elements", "bad-text-box", hint="Write **bold**, not <b>bold</b>.")
    given = _settings(tuple(element.items()), language, palette.get("ink", INK))
    # Of several faults in a box the first is told: they are looked for in this order.
    setting = given.setting(_families(given.font, fonts))
    source = (element.text or "").strip()
    if len(source) > MOST_LETTERS:
        raise BadText(
            f"a text has {len(source)} letters", "text-too-long", value=source[:80], allowed=f"{MOST_LETTERS} letters"
        )
    reading = markup.read(element.text or "", palette)
    found, remarks = lettered(reading.blocks, setting, fonts)
    remarks += [remark_of(slip) for slip in reading.slips]
    text = markup.plain(found)
    width, height = given.size
    files: dict[str, bytes] = {}
    icons = []
    for name in dict.fromkeys(span.name for span in markup.spans(found) if isinstance(span, IconSpan)):
        drawing = art.icon(name, setting.fill)
        files[drawing.file] = drawing.data
        icons.append(Icon(name, drawing.file, round(drawing.width / drawing.height, 4)))
    auto = "yes" if len(text) > 60 else "no"
    hyphenate = given.hyphenate.replace("auto", auto) == "yes"
    x, y = given.corner
    words = _long_words(found, text, setting.sizes[0] * (1 + max(setting.tracking, 0.0)), width)
    found = tuple(_measured(block) if isinstance(block, Grid) else block for block in found)
    made = TextBox(given.name, source, x, y, width, height, setting, hyphenate, found, words, tuple(icons))
    return Boxed(made, files, tuple(remarks))


def _measured(grid: Grid) -> Grid:
    """A table that knows the longest words of its columns, which are never parted."""
    rows = [row for row in (grid.head, *grid.rows) if row]
    columns = range(max(map(len, rows), default=0))

    def length(word: Word) -> int:
        return sum(len(span.text) for span in word)

    def longest(column: int) -> tuple[Word, ...]:
        words = {word for row in rows for word in _words((Paragraph(row[column]),)) if word}
        return tuple(sorted(words, key=lambda word: (-length(word), repr(word)))[:MOST_LONG_WORDS])

    return replace(grid, longest=tuple(map(longest, columns)))


def is_label(element: Element) -> bool:
    """Whether a ``<text>`` is a plain line that the text engine can set: a number in a badge."""
    return not len(element) and set(element.keys()) <= _LABEL_KEYS


def label(element: Element, inherited: Mapping[str, str], fonts: Fonts) -> TextLabel:
    """A line of text at a point; ``inherited`` are the attributes of the groups around it. Raises BadDrawing."""
    given = {**inherited, **element.attrib}
    text = " ".join((element.text or "").split())
    families = _families(given.get("font-family", "body"), fonts)
    style: Style = "italic" if given.get("font-style") == "italic" else "normal"
    if missing := fonts.missing(text, families, style == "italic"):
        if unknown := [letter for letter in missing if letter not in SYMBOLS]:
            raise MissingGlyphs(unknown, families, style == "italic")
        families, style = (*families, symbols.FAMILY), "normal"
    try:
        size = float(given["font-size"]) * PT_PER_MM
        if not 0 < size < 2000:
            raise ValueError
    except (KeyError, ValueError):
        raise svg.BadDrawing(
            f'<text font-size="{given.get("font-size", "")}">: a number is needed, in the drawing\'s mm'
        ) from None
    weight = given.get("font-weight", "400").replace("normal", "400").replace("bold", "700")
    return TextLabel(
        source=text,
        x=svg.number(element, "x", 0.0),
        y=svg.number(element, "y", 0.0),
        fonts=families,
        size=round(size, 4),
        fill=colour(given.get("fill", "#000000")),
        weight=int(weight) if weight in map(str, range(100, 1000, 100)) else 400,
        style=style,
        anchor=_one_of(dict(given), "text-anchor", ("start", "middle", "end"), "start"),
    )


def colour(written: str) -> str:
    """#rgb or #rrggbb as #rrggbb. Raises BadText for anything else."""
    if code := full(written.strip().lower()):
        return code
    raise BadText(f'"{written}" is no colour for text', "bad-text-box", value=written, allowed="#rrggbb")


def _options(given: tuple[tuple[str, str], ...]) -> dict[str, str]:
    options: dict[str, str] = {}
    for key, value in given:
        name = str(key).removeprefix("data-")
        if key in _BOX_KEYS:
            continue
        if not str(key).startswith("data-") or name not in DATA_KEYS:
            raise BadText(
                f'a text box has no setting "{key}"',
                "unknown-text-setting",
                value=str(key),
                allowed=listed((f"data-{known}" for known in DATA_KEYS), 20),
                hint=closest(str(key), [f"data-{known}" for known in DATA_KEYS]),
            )
        options[name] = str(value).strip()
    return options


def _one_of(options: Mapping[str, str], key: str, allowed: tuple[_Choice, ...], default: _Choice) -> _Choice:
    value = options.get(key, default)
    for choice in allowed:
        if choice == value:
            return choice
    raise BadText(
        f'"{value}" is not a value of {key}',
        "bad-text-box",
        value=value,
        allowed=listed(allowed),
        hint=closest(value, allowed),
    )


def _bounded(options: Mapping[str, str], key: str, default: float, least: float, most: float) -> float:
    try:
        value = float(options.get(key, default))
    except ValueError:
        value = float("nan")
    if not least <= value <= most:
        raise BadText(
            f'"{options[key]}" is not a value of {key}', "bad-text-box", value=options[key], allowed=f"{least:g} to {most:g}"
        )
    return value


def _sizes(written: str) -> tuple[float, ...]:
    """All sizes from the largest to the smallest, in quarter points."""
    try:
        bounds = [float(part) for part in written.split()]
    except ValueError:
        bounds = []
    if not 1 <= len(bounds) <= 2 or not all(2 <= size <= 400 for size in bounds) or bounds[-1] > bounds[0]:
        raise BadText(
            f'"{written}" is not a size of text',
            "bad-text-box",
            value=written,
            allowed='one size in pt, or the largest and smallest: "9 6.5"',
        )
    steps = int((bounds[0] - bounds[-1]) / STEP_PT)
    sizes = tuple(round(bounds[0] - step * STEP_PT, 2) for step in range(steps + 1))
    return sizes if sizes[-1] == bounds[-1] else (*sizes, bounds[-1])


def _families(names: str, fonts: Fonts) -> tuple[str, ...]:
    if unknown := fonts.unknown(names):
        raise BadText(
            f'"{unknown[0]}" is no font of the game',
            "unknown-font",
            value=unknown[0],
            allowed=listed(fonts.known(), 20),
            hint=fonts.meant(unknown[0]),
        )
    return fonts.families(names)


def _words(found: Sequence[Block]) -> Iterator[Word]:
    """What no line break may part: a word may change its style inside."""
    for block in found:
        if isinstance(block, Listing):
            for item in block.items:
                yield from _words(item)
        if not isinstance(block, Paragraph):
            continue
        word: list[TextSpan] = []
        for span in block.spans:
            if not isinstance(span, TextSpan):
                yield tuple(word)
                word = []
                continue
            for index, part in enumerate(_BREAKS.split(span.text)):
                if index:
                    yield tuple(word)
                    word = []
                if part:
                    word.append(replace(span, text=part))
        yield tuple(word)


def _long_words(found: Sequence[Block], text: str, em: float, width: float) -> tuple[Word, ...]:
    """The longest words among those that may be wider than the box when a character is an ``em`` of points."""
    if max(map(len, text.split()), default=0) * em <= width * PT_PER_MM:
        return ()

    def length(word: Word) -> int:
        return sum(len(span.text) for span in word)

    long = {word for word in _words(found) if length(word) * em > width * PT_PER_MM}
    return tuple(sorted(long, key=lambda word: (-length(word), repr(word)))[:MOST_LONG_WORDS])
