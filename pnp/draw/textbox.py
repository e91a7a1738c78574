"""Reads ``<foreignObject>`` as text boxes, and simple ``<text>`` as labels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from pnp.dataclass import dataclass
from pnp.draw import markup
from pnp.draw import markup as symbols
from pnp.draw.art import Art
from pnp.draw.fonts import Fonts
from pnp.draw.markup import SYMBOLS, BadText, MissingGlyphs, Remark, lettered, remark_of
from pnp.shapes.affine import Rect
from pnp.shapes.colour import css_names, full, named
from pnp.shapes.units import PT_PER_MM
from pnp.svg import safe as svg
from pnp.svg.tree import Element
from pnp.values.faces import (
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
    Word,
)
from pnp.values.languages import leftwards, rightwards, shaping, unspaced
from pnp.values.problems import closest, listed

_Choice = TypeVar("_Choice", bound=str)

STEP_PT = 0.25
INK = "#000000"
MOST_LONG_WORDS = 8
# An A4 page in small print has half as many. More take the engine long, only for it to say that they do not fit.
MOST_LETTERS = 20_000
# Where a line may break: at spaces, after hyphens, dashes and slashes, and anywhere in scripts without spaces.
_BREAKS = re.compile(
    r"\s+|(?!\u2060)(?<=[-/\u00ad\u200b\u2013\u2014\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef])"
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
    "align": "left, center, right, justify or start (where the script begins)",
    "valign": "top, middle or bottom",
    "lang": "language, for hyphenation",
    "dir": "ltr or rtl",
    "leading": "line distance as a part of the size: 1.2",
    "tracking": "extra space between letters, as a part of the size: 0.05",
    "hyphenate": "yes, no or auto (only in longer texts)",
}


@dataclass(frozen=True, slots=True)
class _Given:
    """The settings of a text box, beside its words."""

    name: str
    place: Rect
    setting: Setting
    hyphenate: str


@lru_cache(1024)
def _given(attributes: tuple[tuple[str, str], ...], language: str, ink: str, fonts: Fonts) -> _Given:
    """Reads settings once for all boxes that say the same. Of several faults raises the first."""
    options, given = _options(attributes), dict(attributes)
    lang = options.get("lang", language)
    if not re.fullmatch(r"[a-zA-Z]{2,3}(-[A-Za-z0-9]{2,8})*", lang):
        raise BadText(f'"{options["lang"]}" is no language', options["lang"], "en, de, pt-BR …")
    families = _families(options.get("font", "body"), fonts, lang)
    rtl = leftwards(lang)
    towards: Direction = _one_of(options, "dir", ("ltr", "rtl"), "rtl" if rtl else "ltr")
    sides: tuple[Align, ...] = ("left", "center", "right", "justify")
    beginning: Align = "right" if towards == "rtl" else "left"
    named: dict[str, Align] = {**{side: side for side in sides}, "start": beginning}
    setting = Setting(
        fonts=families,
        sizes=_sizes(options.get("size", "9 6.5")),
        fill=colour(options.get("fill", ink)),
        weight=int(_bounded(options, "weight", 400, 100, 900)),
        style=_one_of(options, "style", ("normal", "italic"), "normal"),
        lang=shaping(lang),
        dir=towards,
        leading=_bounded(options, "leading", 1.18, 0.7, 3),
        tracking=_bounded(options, "tracking", 0, -0.2, 1),
        align=named[_one_of(options, "align", tuple(named), "start")],
        valign=_one_of(options, "valign", ("top", "middle", "bottom"), "top"),
        same=options.get("same", ""),
        eastern=fonts.eastern(families, lang),
    )
    lengths = (("x", 0.0), ("y", 0.0), ("width", None), ("height", None))
    place = Rect(*(svg.length("foreignObject", key, given.get(key), default) for key, default in lengths))
    if place.width <= 0 or place.height <= 0:
        name = options.get("name", given.get("id", ""))
        what = f'the text box "{name}"' if name else "a text box"
        raise svg.BadDrawing(
            f"{what} is {place.width:g} mm wide and {place.height:g} mm high: there is no room for a letter"
        )
    hyphenate = _one_of(options, "hyphenate", ("yes", "no", "auto"), "auto")
    return _Given(options.get("name", given.get("id", "")), place, setting, hyphenate)


@dataclass(frozen=True, slots=True)
class Boxed:
    """A text box, its icons' drawings, and remarks."""

    box: TextBox
    files: Mapping[str, bytes]
    remarks: tuple[Remark, ...]


def box(element: Element, language: str, palette: Mapping[str, str], fonts: Fonts, art: Art) -> Boxed:
    """Reads a text box. Raises BadDrawing or BadText."""
    if len(element):
        raise BadText("a text box holds Markdown, not elements", hint="Write **bold**, not <b>bold</b>.")
    given = _given(tuple(element.items()), language, palette.get("ink", INK), fonts)
    setting, place = given.setting, given.place
    source = (element.text or "").strip()
    if setting.dir == "rtl" and not element.get("data-dir") and rightwards(source):
        setting = replace(setting, dir="ltr")
    if len(source) > MOST_LETTERS:
        message, allowed = f"a text has {len(source)} letters", f"{MOST_LETTERS} letters"
        raise BadText(message, source[:80], allowed, rule="text-too-long")
    reading = markup.read(element.text or "", palette)
    setting = _as_heavy(setting, markup.plain(reading.blocks), fonts)
    found, remarks = lettered(reading.blocks, setting, fonts)
    remarks += [remark_of(slip) for slip in reading.slips]
    text = markup.plain(found)
    files: dict[str, bytes] = {}
    icons = []
    for name in dict.fromkeys(span.name for span in markup.spans(found) if isinstance(span, IconSpan)):
        drawing = art.icon(name, setting.fill)
        files[drawing.file] = drawing.data
        icons.append(Icon(name, drawing.file, round(drawing.width / drawing.height, 4)))
    auto = "yes" if len(text) > 60 else "no"
    hyphenate = given.hyphenate.replace("auto", auto) == "yes"
    words = _long_words(found, text, setting.sizes[0] * (1 + max(setting.tracking, 0.0)), place.width)
    found = tuple(_measured(block) if isinstance(block, Grid) else block for block in found)
    made = TextBox(
        given.name, source, place.x, place.y, place.width, place.height, setting, hyphenate, found, words, tuple(icons)
    )
    return Boxed(made, files, tuple(remarks))


def _as_heavy(setting: Setting, text: str, fonts: Fonts) -> Setting:
    """The setting in which letters of other families are as heavy as those of the first."""
    weight = fonts.weight(setting.fonts, text, setting.weight)
    return setting if weight == setting.weight else replace(setting, weight=weight)


def _measured(grid: Grid) -> Grid:
    rows = [row for row in (grid.head, *grid.rows) if row]
    columns = range(max(map(len, rows), default=0))

    words = ({word for row in rows for word in _words((Paragraph(row[column]),)) if word} for column in columns)
    return replace(grid, longest=tuple(map(_longest, words)))


def _length(word: Word) -> int:
    return sum(len(span.text) for span in word)


def _longest(words: Iterable[Word]) -> tuple[Word, ...]:
    return tuple(sorted(words, key=lambda word: (-_length(word), repr(word)))[:MOST_LONG_WORDS])


def is_label(element: Element) -> bool:
    """Whether a ``<text>`` is one plain line that Typst can set: a number in a badge."""
    return not len(element) and set(element.keys()) <= _LABEL_KEYS


def label(element: Element, inherited: Mapping[str, str], fonts: Fonts, language: str = "") -> TextLabel:
    """Reads a line of text at a point; ``inherited``: the attributes of its groups. Raises BadDrawing."""
    given = {**inherited, **element.attrib}
    text = " ".join((element.text or "").split())
    families = _families(given.get("font-family", "body"), fonts, language)
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
        said = given.get("font-size", "")
        raise svg.BadDrawing(f'<text font-size="{said}">: a number is needed, in the drawing\'s mm') from None
    weight = given.get("font-weight", "400").replace("normal", "400").replace("bold", "700")
    return TextLabel(
        source=text,
        x=svg.number(element, "x", 0.0),
        y=svg.number(element, "y", 0.0),
        fonts=families,
        size=round(size, 4),
        fill=colour(given.get("fill", "#000000")),
        weight=fonts.weight(families, text, int(weight) if weight in map(str, range(100, 1000, 100)) else 400),
        style=style,
        anchor=_one_of(dict(given), "text-anchor", ("start", "middle", "end"), "start"),
        lang=shaping(language) if language and (leftwards(language) or unspaced(language)) else "",
        eastern=fonts.eastern(families, language),
    )


def colour(written: str) -> str:
    """#rgb, #rrggbb or a name of CSS as #rrggbb. Raises BadText for anything else."""
    if code := full(written.strip().lower()) or named(written.strip(), {}):
        return code
    raise BadText(f'"{written}" is no colour for text', written, "#rrggbb, a name of CSS", closest(written, css_names()))


def _options(given: tuple[tuple[str, str], ...]) -> dict[str, str]:
    options: dict[str, str] = {}
    for key, value in given:
        name = str(key).removeprefix("data-")
        if key in _BOX_KEYS:
            continue
        if not str(key).startswith("data-") or name not in DATA_KEYS:
            known = [f"data-{each}" for each in DATA_KEYS]
            hint = f'Did you mean "data-{name}"?' if name in DATA_KEYS else closest(f"data-{name}", known)
            message = f'a text box has no setting "{key}"'
            raise BadText(message, str(key), listed(known, 20), hint, rule="unknown-text-setting")
        options[name] = str(value).strip()
    return options


def _one_of(options: Mapping[str, str], key: str, allowed: tuple[_Choice, ...], default: _Choice) -> _Choice:
    value = options.get(key, default)
    for choice in allowed:
        if choice == value:
            return choice
    raise BadText(f'"{value}" is not a value of {key}', value, listed(allowed), closest(value, allowed))


def _bounded(options: Mapping[str, str], key: str, default: float, least: float, most: float) -> float:
    try:
        value = float(options.get(key, default))
    except ValueError:
        value = float("nan")
    if not least <= value <= most:
        raise BadText(f'"{options[key]}" is not a value of {key}', options[key], f"{least:g} to {most:g}")
    return value


def _sizes(written: str) -> tuple[float, ...]:
    try:
        bounds = [float(part) for part in written.split()]
    except ValueError:
        bounds = []
    if not 1 <= len(bounds) <= 2 or not all(2 <= size <= 400 for size in bounds) or bounds[-1] > bounds[0]:
        allowed = 'one size in pt, or the largest and smallest: "9 6.5"'
        raise BadText(f'"{written}" is not a size of text', written, allowed)
    steps = int((bounds[0] - bounds[-1]) / STEP_PT)
    sizes = tuple(round(bounds[0] - step * STEP_PT, 2) for step in range(steps + 1))
    return sizes if sizes[-1] == bounds[-1] else (*sizes, bounds[-1])


def _families(names: str, fonts: Fonts, language: str) -> tuple[str, ...]:
    if unknown := fonts.unknown(names, language):
        message, known = f'"{unknown[0]}" is no font of the game', listed(fonts.known(), 20)
        raise BadText(message, unknown[0], known, fonts.meant(unknown[0]), rule="unknown-font")
    return fonts.families(names, language)


def _words(found: Sequence[Block]) -> Iterator[Word]:
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
            if span.ruby:
                yield from (tuple(word), (span,))
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
    if max(map(len, text.split()), default=0) * em <= width * PT_PER_MM:
        return ()
    return _longest({word for word in _words(found) if _length(word) * em > width * PT_PER_MM})
