"""Reads the Markdown of a text box into blocks of spans, and fits these to the game's fonts."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

from pnp.draw.fonts import Fonts
from pnp.sandbox.markup import ESCAPED, QUOTED, Slip, look_of, looks, misnumbered, parted_looks, slips, unknown_look
from pnp.shapes.colour import named
from pnp.svg import safe as svg
from pnp.values.faces import Block, Grid, IconSpan, LineBreak, Listing, Paragraph, Rule, Setting, Span, TextSpan
from pnp.values.languages import is_title, rubies, stressed, unspaced, whole_words

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

FAMILY = "DejaVu Sans Mono"
LICENCE = "Bitstream Vera and Arev licences"
# What upright and bold of that font have between U+2190 and U+27BF; the slanted ones have less, and are not used.
_RANGES = (
    *((0x2190, 0x2213), (0x2215, 0x2215), (0x2217, 0x2220), (0x2223, 0x2223), (0x2227, 0x222D), (0x2234, 0x223D)),
    *((0x2241, 0x2269), (0x226D, 0x228B), (0x228D, 0x22A5), (0x2300, 0x2306), (0x2308, 0x2315), (0x2318, 0x2319)),
    *((0x231C, 0x2321), (0x2325, 0x2328), (0x2500, 0x262F), (0x2638, 0x268B), (0x2690, 0x269C), (0x26A0, 0x26A1)),
    *((0x26B0, 0x26B1), (0x2701, 0x2704), (0x2706, 0x2709), (0x270C, 0x2727), (0x2729, 0x274B), (0x274D, 0x274D)),
    *((0x274F, 0x2752), (0x2756, 0x2756), (0x2758, 0x275E), (0x2761, 0x2775), (0x2794, 0x2794), (0x2798, 0x27AF)),
    (0x27B1, 0x27BE),
)
SYMBOLS = frozenset(chr(code) for first, last in _RANGES for code in range(first, last + 1))


_ICON = re.compile(r":([a-z][a-z0-9_-]*(?:#[\w-]+)?):")
# One line without anything that Markdown could mean, beginning with a letter, or with a number that numbers no list.
_PLAIN = re.compile(r"[ \t]*+(?:(?:[^\W\d_]|[-+]?\d+(?![\d.)]))[^\n\r\\*_:~`\[<&|{\x02]*+)?")
# A line that is nothing but a list's marker is meant as it stands: "+", "-", "3.".
_LONE_MARKER = re.compile(r"^([ \t]*)([-+*]|\d+(?=[.)]))([.)]?)[ \t]*$", re.MULTILINE)
# A line of hyphens between others is a rule; "***" is a rating, "___" a blank to fill in.
_RULE = re.compile(r"^[ \t]*-{3,}[ \t]*$", re.MULTILINE)
_STARS = re.compile(r"\*+")
# Thai, Lao, Burmese, Khmer, Japanese and Chinese have no spaces at which bold words could begin.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_MARKER = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])")
# What is gained or lost: "- 2 VP", "+ **2**".
_AMOUNT = re.compile(r"[ \t]+[*_~\[]*\d")
# A character that XML has not, so that nobody types it, keeps an escaped colon from being read as an icon's.
_COLON = "\x02"
# Deeper lists are not set; markdown-it would drop their text at 20, a list being two.
_MOST_NESTING = 200
_ALIGNS: Mapping[str, Literal["left", "center", "right"]] = {
    "text-align:left": "left",
    "text-align:center": "center",
    "text-align:right": "right",
}


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("zero", {"breaks": True, "maxNesting": _MOST_NESTING})
    parser.enable(["emphasis", "strikethrough", "list", "newline", "escape", "table"])
    # What was escaped stays apart from what was typed plainly: it is meant to be printed.
    parser.disable("text_join")
    parser.use(looks)
    parser.inline.ruler.before("emphasis", "stars", _stars_in_words)
    return parser


def _stars_in_words(state: StateInline, silent: bool) -> bool:
    match = _STARS.match(state.src, state.pos, state.posMax)
    if match is None or not (_in_word(state.src, match.start() - 1) and _in_word(state.src, match.end())):
        return False
    if not silent:
        state.pending += match[0]
    state.pos = match.end()
    return True


def _in_word(text: str, index: int) -> bool:
    letter = text[index : index + 1] if index >= 0 else ""
    return letter != "" and unicodedata.category(letter)[0] in "LMN" and not _UNSPACED.match(letter)


def _as_typed(part: str) -> list[Token]:
    """The tokens of a text in which single lines behind "+" or "*", and a lone "- 2", are no lists."""
    while True:
        tokens = _parser().parse(part)
        lines = re.split(r"\r\n?|\n", part)
        if not (meant := list(_meant(tokens, lines))):
            return tokens
        # From the last on, so that the places before it stay where they are.
        for line, column in sorted(meant, reverse=True):
            lines[line] = f"{lines[line][:column]}\\{lines[line][column:]}"
        part = "\n".join(lines)


def _meant(tokens: Sequence[Token], lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Line and column of the list markers that are signs and no bullets."""
    ends: dict[int, int] = {}
    for index, token in enumerate(tokens):
        if token.type != "list_item_open" or token.map is None:
            continue
        line = token.map[0]
        marker = _MARKER.match(lines[line], ends.get(line, 0))
        if marker is None or marker[0][-1] != token.markup:
            continue
        ends[line] = marker.end()
        end = next(at for at in range(index + 1, len(tokens)) if tokens[at].level == token.level)
        if tokens[index - 1].type != "bullet_list_open" or tokens[end + 1].type != "bullet_list_close":
            continue
        simple = token.level == 1 and all(inner.type != "list_item_open" for inner in tokens[index + 1 : end])
        if (token.markup in "+*" and simple) or _AMOUNT.match(lines[line], marker.end()):
            yield line, marker.end() - 1


@dataclass(slots=True)
class Reading:
    """The blocks of a text, and its slips: what looks like markup and is printed as it stands."""

    blocks: tuple[Block, ...]
    slips: tuple[Slip, ...] = ()


def read(text: str, palette: Mapping[str, str] | None = None) -> Reading:
    """Reads paragraphs, lists, tables and rules; joins neighbouring spans of one style."""
    if _PLAIN.fullmatch(text) and not QUOTED.fullmatch(text):
        # Most texts are a title or a sentence, and need no parser.
        stripped = text.strip()
        return Reading((Paragraph((TextSpan(stripped),)),) if stripped else ())
    source = textwrap.dedent(text.replace("\\:", _COLON)).strip()
    reader = _Reader(palette or {})
    found: list[Block] = []
    parts = [source] if _RULE.fullmatch(source) else _RULE.split(source)
    for number, part in enumerate(parts):
        if number:
            found.append(Rule())
        marked = _LONE_MARKER.sub(
            lambda match: match[1] + (f"\\{match[2]}" if not match[3] else f"{match[2]}\\{match[3]}"), part
        )
        found += reader.blocks(_as_typed(marked), 0, None)[0]
    return Reading(tuple(found), tuple(reader.slips()))


def plain(found: Sequence[Block]) -> str:
    """The characters that will be set, for looking up glyphs and long words."""
    parts: list[str] = []
    for block in found:
        if isinstance(block, Paragraph):
            parts.append("".join(map(_plain, block.spans)))
        elif isinstance(block, Listing):
            parts.extend(map(plain, block.items))
        elif isinstance(block, Grid):
            parts.extend(" ".join("".join(map(_plain, cell)) for cell in row) for row in (block.head, *block.rows))
    return "\n".join(parts)


def _plain(span: Span) -> str:
    if isinstance(span, TextSpan):
        return span.text + span.ruby
    return "\n" if isinstance(span, LineBreak) else " "


def spans(found: Sequence[Block]) -> Iterator[Span]:
    """All spans in the order written."""
    for block in found:
        if isinstance(block, Paragraph):
            yield from block.spans
        elif isinstance(block, Listing):
            for item in block.items:
                yield from spans(item)
        elif isinstance(block, Grid):
            for row in (block.head, *block.rows):
                for cell in row:
                    yield from cell


Change = Callable[[Span], tuple[Span, ...]]


def changed(found: Sequence[Block], change: Change) -> tuple[Block, ...]:
    """The blocks with each span replaced by ``change``."""

    def line(spans: Sequence[Span]) -> tuple[Span, ...]:
        return tuple(new for span in spans for new in change(span))

    made: list[Block] = []
    for block in found:
        if isinstance(block, Paragraph):
            made.append(Paragraph(line(block.spans)))
        elif isinstance(block, Listing):
            made.append(replace(block, items=tuple(changed(item, change) for item in block.items)))
        elif isinstance(block, Grid):
            rows = tuple(tuple(map(line, row)) for row in block.rows)
            made.append(replace(block, head=tuple(map(line, block.head)), rows=rows))
        else:
            made.append(block)
    return tuple(made)


@dataclass(slots=True)
class _Reader:
    palette: Mapping[str, str]
    _literal: list[str] = field(default_factory=list)
    _unknown: list[Slip] = field(default_factory=list)

    def slips(self) -> Iterator[Slip]:
        yield from self._unknown
        literal = "\n\n".join(self._literal)
        yield from slips(literal)
        yield from parted_looks(literal, lambda word: named(word, self.palette))

    def blocks(self, tokens: list[Token], index: int, until: str | None) -> tuple[tuple[Block, ...], int]:
        found: list[Block] = []
        while index < len(tokens):
            token = tokens[index]
            if token.type == until:
                return tuple(found), index + 1
            if token.type == "inline":
                found.append(Paragraph(self._spans(token.children or [])))
            elif token.type in ("bullet_list_open", "ordered_list_open"):
                ordered = token.type == "ordered_list_open"
                start = index + 1
                items, index = self._items(tokens, start, token.type.replace("open", "close"))
                self._count(tokens[start:index], token.level + 1)
                first = int(token.attrs.get("start", 1)) if ordered else None
                found.append(Listing(items, first, ")" if token.markup == ")" else "."))
                continue
            elif token.type == "table_open":
                grid, index = self._table(tokens, index + 1)
                found.append(grid)
                continue
            index += 1
        return tuple(found), index

    def _items(self, tokens: list[Token], index: int, until: str) -> tuple[tuple[tuple[Block, ...], ...], int]:
        items: list[tuple[Block, ...]] = []
        while tokens[index].type != until:
            item, index = self.blocks(tokens, index + 1, "list_item_close")
            items.append(item)
        return tuple(items), index + 1

    def _count(self, tokens: Sequence[Token], level: int) -> None:
        items = [token for token in tokens if token.type == "list_item_open" and token.level == level]
        typed = [int(token.info) for token in items if token.info]
        counted = [typed[0] + number for number in range(len(typed))] if typed else []
        if len(set(typed)) > 1 and typed != counted:
            wrong, right = next((one, two) for one, two in zip(typed, counted, strict=True) if one != two)
            self._unknown.append(misnumbered(wrong, right, items[0].markup))

    def _table(self, tokens: list[Token], index: int) -> tuple[Grid, int]:
        rows: list[list[tuple[Span, ...]]] = []
        aligns: list[Literal["left", "center", "right"]] = []
        while tokens[index].type != "table_close":
            token = tokens[index]
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "th_open":
                aligns.append(_ALIGNS.get(str(token.attrs.get("style", "")), "left"))
            elif token.type == "inline":
                rows[-1].append(self._spans(token.children or []))
            index += 1
        head = tuple(rows[0]) if any(rows[0]) else ()
        return Grid(head, tuple(map(tuple, rows[1:])), tuple(aligns)), index + 1

    def _spans(self, tokens: list[Token]) -> tuple[Span, ...]:
        spans: list[Span] = []
        typed: list[str] = []
        bold = italic = strike = 0
        marks: list[tuple[str, bool] | None] = []
        for number, token in enumerate(tokens):
            text = token.content
            if token.type in ("strong_open", "strong_close"):
                bold += token.nesting
            elif token.type in ("em_open", "em_close"):
                italic += token.nesting
            elif token.type in ("s_open", "s_close"):
                strike += token.nesting
            elif token.type == "look_open":
                look = look_of(token.info, lambda word: named(word, self.palette))
                marks.append(look)
                if look is None:
                    text = "["
                    self._unknown.append(unknown_look(_words_of(tokens, number), token.info, ", ".join(self.palette)))
            elif token.type == "look_close":
                text = f"]{{{token.info}}}" if marks.pop() is None else ""
            elif token.type in ("softbreak", "hardbreak"):
                spans.append(LineBreak())
                typed.append("\n")
            if text:
                known = [mark for mark in marks if mark is not None]
                fill = next((fill for fill, _ in reversed(known) if fill), "")
                style = TextSpan("", bold > 0, italic > 0, fill, any(line for _, line in known), strike > 0)
                _add(spans, text, style)
                typed.append(text if token.type == "text" else ESCAPED * len(text))
        self._literal.append("".join(typed))
        return tuple(spans)


def _words_of(tokens: Sequence[Token], start: int) -> str:
    depth, words = 0, []
    for token in tokens[start:]:
        depth += (token.type == "look_open") - (token.type == "look_close")
        if depth == 0:
            break
        words.append(token.content)
    return "".join(words)


def _add(spans: list[Span], text: str, style: TextSpan) -> None:
    for part, name in _pieces(text):
        if name:
            spans.append(IconSpan(name))
        for words, ruby in rubies(part):
            last = spans[-1] if spans else None
            if isinstance(last, TextSpan) and last.look == replace(style, ruby=ruby) and not ruby:
                spans[-1] = replace(last, text=last.text + words)
            else:
                spans.append(replace(style, text=words, ruby=ruby))


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    for index, part in enumerate(_ICON.split(text)):
        if index % 2:
            yield "", part
        elif part:
            yield part.replace(_COLON, ":"), ""


# So many letters that no font has are named in one message.
MOST_NAMED = 6
# Scripts whose fonts are found under these names; in a hint, for none of them comes with pnp.
_NOTO = {"CJK": "CJK", "HIRAGANA": "CJK", "KATAKANA": "CJK", "HANGUL": "CJK", "ARABIC": "Arabic", "HEBREW": "Hebrew"}


def missing_hint(letter: str) -> str:
    """A hint for a letter that no font of the game has."""
    script = _NOTO.get(unicodedata.name(letter, "").partition(" ")[0])
    if script:
        package = "fonts-noto-cjk" if script == "CJK" else "fonts-noto-core"
        font = f"such as Noto Sans {script} (notofonts.github.io, or Debian's package {package}),"
        return f"Put the files of a font that has it, {font} into fonts/ and name it in [fonts]."
    return "Put a font that has it into fonts/ and name it in [fonts]; or draw it as an icon and write :name: for it."


class BadText(svg.BadDrawing):
    """A text box that cannot be set."""

    rule = "bad-text-box"


class MissingGlyphs(BadText):
    """Letters that no font of the game has; reported together for a deck."""

    def __init__(self, letters: Sequence[str], families: tuple[str, ...], italic: bool) -> None:
        super().__init__(missing_glyphs(letters, italic), letters[0], hint=missing_hint(letters[0]), rule="missing-glyph")
        self.letters, self.families, self.italic = tuple(letters), families, italic


class Remark(BadText):
    """A remark on a text that is printed all the same; ``once`` is equal for remarks told once."""

    once = ""


def missing_glyphs(letters: Sequence[str], italic: bool) -> str:
    """A sentence that names the first of them."""
    return f"no {'italic ' if italic else ''}font of the game has {first_of(letters)}"


def first_of(letters: Sequence[str]) -> str:
    """The first few letters, with their codes, and how many more there are."""
    shown = ", ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters[:MOST_NAMED])
    return shown + (f" and {len(letters) - MOST_NAMED} more" if len(letters) > MOST_NAMED else "")


def remark_of(slip: Slip) -> Remark:
    return Remark(f'"{slip.value}" {slip.what}', slip.value, slip.allowed, slip.hint, rule="unknown-markup")


def lettered(found: tuple[Block, ...], setting: Setting, fonts: Fonts) -> tuple[tuple[Block, ...], list[Remark]]:
    """Blocks as the fonts can show them: symbols in the font that has them, missing bold and italic synthesised.

    Raises MissingGlyphs.
    """
    all_italic = setting.style == "italic"
    found = _eastern(found, setting.lang) if unspaced(setting.lang) else found
    needed: set[str] = set()
    styles: set[tuple[bool, bool]] = set()
    for italic in (False, True):
        told = [span for span in spans(found) if isinstance(span, TextSpan) and (span.italic or all_italic) == italic]
        styles |= {(span.bold, italic) for span in told if span.text.strip()}
        missing = fonts.missing("".join(span.text + span.ruby for span in told), setting.fonts, italic)
        if unknown := [letter for letter in missing if letter not in SYMBOLS]:
            raise MissingGlyphs(unknown, setting.fonts, italic)
        needed.update(missing)
    family = setting.fonts[0]
    weights = setting.weight, setting.heavy
    plain = {italic for bold, italic in styles if bold and not fonts.emboldens(family, *weights, italic)}
    upright = any(italic for _, italic in styles) and not fonts.slants(family)
    if not (needed or plain or upright):
        return found, []
    parts = re.compile(f"([{re.escape(''.join(sorted(needed)))}]+)") if needed else None

    def change(span: Span) -> tuple[Span, ...]:
        if not isinstance(span, TextSpan) or span.ruby:
            return (span,)
        italic = span.italic or all_italic
        span = replace(span, thick=span.bold and italic in plain, slant=italic and upright)
        texts = parts.split(span.text) if parts else [span.text]
        return tuple(
            replace(span, text=text, symbol=bool(number % 2), slant=span.slant and not number % 2)
            for number, text in enumerate(texts)
            if text
        )

    remarks = [_faceless(family, "bold", "thickened")] if plain else []
    remarks += [_faceless(family, "italic", "slanted")] if upright else []
    return changed(found, change), remarks


def _eastern(found: tuple[Block, ...], language: str) -> tuple[Block, ...]:
    """Chinese or Japanese blocks: with dots for italics, and a title that no line's end parts within a word."""
    title = len(found) == 1 and is_title(plain(found), language)

    def change(span: Span) -> tuple[Span, ...]:
        if not isinstance(span, TextSpan) or span.ruby:
            return (span,)
        text = whole_words(span.text) if title else span.text
        if not span.italic:
            return (replace(span, text=text),)
        return tuple(replace(span, text=part, italic=not dots, dots=dots) for part, dots in stressed(text))

    return changed(found, change)


def _faceless(family: str, style: str, drawn: str) -> Remark:
    remark = Remark(
        f'the font "{family}" has no {style}: {style} words are printed {drawn}',
        family,
        "fonts with several styles, such as Source Sans Pro",
        f"Put its {style} font into fonts/, or take another font for this text.",
        rule="missing-style",
    )
    remark.once = f"{family} {style}"
    return remark
