"""Parses a book's Markdown into blocks: headings, paragraphs, lists, tables, boxes, and figures by their marks."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from pnp.books.functions import MARK, Asked, AskedTable
from pnp.books.scenes import SceneText, Staged
from pnp.books.spans import BOXES, Colours, LineReader, line_of, parser, plain
from pnp.values.books import (
    Align,
    Beside,
    Block,
    BlockQuote,
    Blocks,
    Box,
    BulletList,
    CodeBlock,
    Columns,
    Figure,
    FigureRow,
    Heading,
    InlinePicture,
    Note,
    NumberedList,
    Paragraph,
    Spans,
    TableBlock,
    Text,
    TextRun,
    ThematicBreak,
    Wish,
)
from pnp.values.languages import LETTERS, unspaced
from pnp.values.problems import Place, Problem

if TYPE_CHECKING:
    from markdown_it.token import Token

Stage = Callable[[SceneText], tuple[Staged | None, list[Problem]]]
_FENCE = re.compile(r"^\s{0,3}(:{3,})\s*([^\s:]*)")
_SCENE = re.compile(r"^\s{0,3}:{3,}\s*scene\b")
_NO_PART = "this is no part of a scene"
_PARTS = "A scene has a table, and a paragraph below it: the caption."
# What, where, how.
CELLS = 3
_BAR = re.compile(r"(?<!\\)\|")
_CODE = re.compile(r"^\s{0,3}(?:```|~~~)")
# A table of more columns goes over the whole page where there are two columns of text.
MOST_NARROW = 5
# A paragraph has words in a hundred styles at most; the engine takes a gigabyte to break one of a hundred thousand.
MOST_PARTS = 10_000
_ALIGNS: Mapping[str, Align] = {"text-align:left": "left", "text-align:center": "center", "text-align:right": "right"}
_NUMERIC = re.compile(r"[\d\s.,–+−-]*")


def parse(
    filled: str,
    source: str,
    asked: Sequence[Asked],
    language: str,
    colour: Colours = lambda _: None,
    stage: Stage | None = None,
    ids: Sequence[str] = (),
) -> Text:
    """The blocks of a filled text; faults carry their lines in ``source``.

    ``colour`` knows the names of colours, ``stage`` makes scenes; without one there are none. ``ids`` are those of the
    headings where their own words shall not make them.
    """
    line = LineReader(source, asked, language.partition("-")[0], colour)
    reader = _Reader(source, line, filled, stage, ids, ordered=not unspaced(language))
    reader.check_fences()
    tokens = parser(language.partition("-")[0]).parse(filled)
    blocks = reader.blocks(tokens)
    reader.check_pages()
    return Text(blocks, tuple(reader.back), tuple(line.wishes), tuple(line.faults), line.widths, tuple(reader.ids))


def slug(text: str) -> str:
    """A heading's id: its words in lower case, joined by hyphens."""
    return "-".join(re.findall(r"\w+", re.sub(r"['’]", "", text.lower())))


class _Reader:
    """Turns tokens into blocks; a LineReader reads the lines in them."""

    def __init__(
        self, source: str, line: LineReader, filled: str, stage: Stage | None, ids: Sequence[str], ordered: bool
    ) -> None:
        self._ordered = ordered
        self._source, self._line, self._stage, self._given = source, line, stage, ids
        self._filled, typed = filled.split("\n"), source.split("\n")
        self._lines: dict[str, list[int]] = defaultdict(list)
        for number, each in enumerate(typed, 1):
            self._lines[each].append(number)
        count: Counter[str] = Counter()
        self._before: list[int] = []
        """How many lines like each filled one stand above it."""
        for each in self._filled:
            self._before.append(count[each])
            count[each] += 1
        self._typed_scenes = [number for number, each in enumerate(typed, 1) if _SCENE.match(each)]
        self._scenes = [index for index, each in enumerate(self._filled) if _SCENE.match(each)]
        self.back: list[Block] = []
        self.ids: dict[str, None] = {}

    def check_fences(self) -> None:
        """Reports boxes of unknown kinds and boxes without an end."""
        opened: list[tuple[int, str, int]] = []
        code = False
        for number, line in enumerate(self._source.split("\n"), 1):
            code ^= _CODE.match(line) is not None
            if code or (match := _FENCE.match(line)) is None:
                continue
            colons = len(match[1])
            if match[2]:
                if opened and colons >= opened[-1][2]:
                    message = f'the box "{match[2]}" begins within the box "{opened[-1][1]}"'
                    hint = "End that first, or give it more colons, where it begins and where it ends."
                    self._line.fault("unclosed-box", message, number, match[2], hint=hint)
                opened.append((number, match[2], colons))
                if match[2] not in BOXES:
                    self._line.fault("unknown-box", f'there is no box "{match[2]}"', number, match[2], BOXES)
            elif opened and colons >= opened[-1][2]:
                opened.pop()
            else:
                self._line.fault("unclosed-box", "here a box ends that has not begun", number, match[1])
        for number, name, _ in opened:
            hint = "Write ::: on a line of its own where it ends."
            self._line.fault("unclosed-box", f'the box "{name}" has no end', number, name, hint=hint)

    def check_pages(self) -> None:
        for heading in self._line.headings:
            if heading not in self.ids:
                line = line_of(self._source, f'"{heading}"', f"'{heading}'", f"(#{heading})")
                self._line.fault("unknown-heading", f'no heading has the id "{heading}"', line, heading, [*self.ids])

    def blocks(self, tokens: Sequence[Token]) -> Blocks:
        found: list[Block] = []
        index = 0
        while index < len(tokens):
            token = tokens[index]
            end = _end(tokens, index)
            found += self._block(token, tokens[index + 1 : end])
            index = end + 1
        return tuple(found)

    def _block(self, token: Token, inside: Sequence[Token]) -> Sequence[Block]:
        kind = token.type.removesuffix("_open").removeprefix("container_")
        match kind:
            case "heading":
                return [self._heading(int(token.tag[1:]), inside[0])]
            case "paragraph":
                return self._paragraph(inside[0])
            case "bullet_list":
                return [BulletList(self._items(inside))]
            case "ordered_list":
                return [NumberedList(self._items(inside), int(token.attrs.get("start", 1)))]
            case "table":
                return [self._table(inside)]
            case "blockquote":
                return [BlockQuote(self.blocks(inside))]
            case "fence" | "code_block":
                return [CodeBlock(token.content.rstrip("\n"))]
            case "hr":
                return [ThematicBreak()]
            case "scene":
                return self._scene(token, inside)
            case _:
                return self._box(kind, token.info.strip().removeprefix(kind).strip(), self.blocks(inside))

    def _heading(self, level: int, inline: Token) -> Heading:
        spans = self._line.spans(inline.children or [])
        if not spans:
            filled = re.search(r"^#+[ \t]*\{\{.*", self._source, re.MULTILINE)
            line = self._source.count("\n", 0, filled.start()) + 1 if filled else None
            hint = (
                f"What it is made of is empty in some row: {filled[0].lstrip('# ')}"
                if filled
                else "Write words behind the #."
            )
            self._line.fault("empty-heading", "a heading without words", line, "", hint=hint)
        base = slug(plain(spans)) or "section"
        base = self._given[len(self.ids)] if len(self.ids) < len(self._given) else base
        name, number = base, 1
        while name in self.ids:
            number += 1
            name = f"{base}-{number}"
        self.ids[name] = None
        return Heading(min(level, 4), name, spans)

    def _paragraph(self, inline: Token) -> Sequence[Block]:
        """A paragraph; pictures and tables that stand alone are blocks of their own."""
        children = [child for child in inline.children or [] if child.type != "softbreak"]
        if children and all(child.type == "image" for child in children):
            return [self._image_block(child) for child in children]
        if len(inline.children or ()) > MOST_PARTS:
            message = f"a paragraph of {len(inline.children or ()):,} words and marks"
            line = line_of(self._source, inline.content.split("\n")[0])
            self._line.fault("unset-book", message, line, "", hint="Part it: leave a line empty between two paragraphs.")
            return []
        marks = [*MARK.finditer(inline.content)]
        if marks and not MARK.sub("", inline.content).strip() and all(mark[1] == "figure" for mark in marks):
            return [self._made(asked) for mark in marks if (asked := self._line.asked_for(mark[2]))]
        return [Paragraph(self._line.spans(inline.children or []))]

    def _items(self, inside: Sequence[Token]) -> tuple[Blocks, ...]:
        items, index = [], 0
        while index < len(inside):
            end = _end(inside, index)
            items.append(self.blocks(inside[index + 1 : end]))
            index = end + 1
        return tuple(items)

    def _box(self, kind: str, title: str, blocks: Blocks) -> Sequence[Block]:
        match kind:
            case "note" | "example" | "side":
                return [Box(kind, self._line.marked(title), blocks)]
            case "back":
                self.back += blocks
                return []
            case "columns":
                figures = tuple(block for block in blocks if isinstance(block, Figure))
                return [FigureRow(figures) if len(figures) == len(blocks) else Columns(blocks)]
            case "beside":
                return self._beside(blocks)
            case "sorted":
                return [_in_order(block) for block in blocks] if self._ordered else blocks
        raise AssertionError(kind)

    def _beside(self, blocks: Blocks) -> Sequence[Block]:
        match blocks:
            case (Figure() as figure, _, *_):
                return [Beside(figure, blocks[1:])]
        hint = "Begin it with a picture, and go on with what is said beside it."
        message = 'the box "beside" does not begin with a picture'
        self._line.fault("bad-box", message, line_of(self._source, "::: beside"), "beside", hint=hint)
        return blocks

    def _scene(self, token: Token, inside: Sequence[Token]) -> Sequence[Block]:
        """A scene from a box's rows; the paragraph after it is its caption."""
        begins = self._line_of(token) or self._scene_line(token)
        rows: list[tuple[list[str], int | None]] = []
        captions: list[Spans] = []
        faults: list[Problem] = []
        for above, each in pairwise([token, *inside]):
            if each.type == "tr_open":
                rows.append(([], self._line_of(each) or begins))
                if len(rows) > 1 and each.map and (lost := _beyond(self._filled[each.map[0]], CELLS)):
                    message, hint = f"this row has more than {CELLS} cells", "Write \\| for a bar that is a letter."
                    faults.append(Problem("bad-scene", Place("", rows[-1][1]), message, lost, f"{CELLS} cells", hint))
            elif each.type == "inline" and above.type in ("th_open", "td_open"):
                mark = len(rows[-1][0]) == 2 and rows[-1][0][0].strip() == "mark"
                rows[-1][0].append(_bare(each) if mark else each.content)
            elif each.type == "inline" and not captions and (above.type, above.level) == ("paragraph_open", token.level + 1):
                captions.append(self._line.spans(each.children or []))
            elif each.type in ("inline", "fence", "code_block", "hr"):
                place = Place("", self._line_of(each) or begins)
                faults.append(Problem("bad-scene", place, _NO_PART, each.content[:40], hint=_PARTS))
        if rows and len(rows[0][0]) != CELLS:
            message, hint = f"the table of this scene has {len(rows[0][0])} columns", "Begin it with | what | where | how |."
            faults.append(Problem("bad-scene", Place("", rows[0][1]), message, str(len(rows[0][0])), str(CELLS), hint))
        settings = token.info.strip().removeprefix("scene")
        # The first row is the head: what stands there is for whoever reads the source.
        typed = SceneText(settings, begins, tuple((tuple(cells), line) for cells, line in rows[1:]))
        made, wrong = self._stage(typed) if self._stage and not faults else (None, faults)
        self._line.faults += wrong
        if made is None:
            return []
        picture = self._line.wish(Wish("scene", made.on, scene=made.scene), made.width, made.float)
        return [Figure((picture,), made.width, captions[0] if captions else (), made.alt, (), made.float)]

    def _line_of(self, token: Token) -> int | None:
        """The source line of a token; None where it was filled in."""
        if not token.map:
            return None
        first = token.map[0]
        # The same line may stand there several times.
        return _nth(self._lines[self._filled[first]], self._before[first])

    def _scene_line(self, token: Token) -> int | None:
        """The line of a box whose first line was filled in: of the scene of the same number."""
        before = bisect_left(self._scenes, token.map[0] if token.map else 0)
        return _nth(self._typed_scenes, before)

    def _table(self, inside: Sequence[Token]) -> TableBlock:
        rows: list[list[Spans]] = []
        aligns: list[Align | None] = []
        for token in inside:
            if token.type == "tr_open":
                rows.append([])
                if aligns and token.map and (lost := _beyond(self._filled[token.map[0]], len(aligns))):
                    line, message = self._line_of(token), f"this row has more than {len(aligns)} cells"
                    hint = "Name that column in the first row, too; or write \\| for a bar that is a letter."
                    self._line.fault("table-in-text", message, line, lost, hint=hint)
            elif token.type in ("th_open", "td_open"):
                if len(rows) == 1:
                    aligns.append(_ALIGNS.get(str(token.attrs.get("style", ""))))
            elif token.type == "inline":
                rows[-1].append(self._line.spans(token.children or []))
        return _table_of(rows[0], rows[1:], aligns)

    def _made(self, asked: Asked) -> Figure | TableBlock:
        if isinstance(asked, AskedTable):
            head = [self._line.marked(cell) for cell in asked.head]
            rows = [[self._line.marked(cell) for cell in row] for row in asked.rows]
            return _table_of(head, rows, [None] * len(head))
        pictures = tuple(self._line.wish(wish, asked.width, asked.float) for wish in asked.wishes)
        caption = self._line.marked(asked.caption)
        notes = tuple(Note(name, self._line.marked(text)) for name, text in asked.notes)
        return Figure(pictures, asked.width, caption, asked.alt, notes, asked.float)

    def _image_block(self, token: Token) -> Figure:
        picture, alt = self._line.image(token, 60.0)
        return Figure((picture,), None, self._line.marked(alt), alt)


def _in_order(block: Block) -> Block:
    """A table or a list by the letters that its rows or items begin with; any other block as it is."""
    match block:
        case TableBlock(rows=rows):
            return replace(block, rows=tuple(sorted(rows, key=lambda row: _letters(plain(row[0])))))
        case BulletList(items=items):
            return BulletList(tuple(sorted(items, key=_first_letters)))
    return block


def _first_letters(item: Blocks) -> tuple[str, str]:
    """What an item is looked up by: the bold words at its beginning, which a longer term follows, then all of it."""
    first = item[0] if item else None
    if not isinstance(first, Paragraph):
        return "", ""
    bold = takewhile(lambda span: isinstance(span, TextRun) and span.bold, first.spans)
    return _letters(plain(bold)), _letters(plain(first.spans))


def _letters(text: str) -> str:
    """A text as it is looked up: its letters without accents, great and small alike."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(re.findall(r"\w+", "".join(part for part in parts if not unicodedata.combining(part))))


def _nth(lines: Sequence[int], index: int) -> int | None:
    return lines[min(index, len(lines) - 1)] if lines else None


def _bare(inline: Token) -> str:
    """A line of Markdown without markup."""
    return "".join(child.content for child in inline.children or [])


def _beyond(row: str, most: int) -> str:
    """The text behind the last cell of a table's row, which would be dropped."""
    cells = _BAR.split(row.strip().removeprefix("|"))
    return next((cell.strip() for cell in cells[most:] if cell.strip()), "")


def _end(tokens: Sequence[Token], index: int) -> int:
    depth = 0
    for at in range(index, len(tokens)):
        depth += tokens[at].nesting
        if depth == 0:
            return at
    return len(tokens) - 1


# Chinese and Japanese lines end after any letter.
_WORDS = re.compile(rf"[\s\u2013\u2014/-]|[{LETTERS}]")


def _table_of(head: Sequence[Spans], rows: Sequence[Sequence[Spans]], aligns: Sequence[Align | None]) -> TableBlock:
    """A table with rows as long as its head; columns of numbers are centred unless aligned."""
    count = len(head)
    even = tuple((*row, *([()] * (count - len(row))))[:count] for row in rows)

    def numeric(column: int) -> bool:
        return all(_NUMERIC.fullmatch(plain(row[column])) and not _pictured(row[column]) for row in even)

    return TableBlock(
        head=tuple(head) if any(head) else (),
        rows=even,
        most=tuple(max(len(plain(row[column])) for row in (head, *even)) for column in range(count)),
        words=tuple(
            max(len(word) for row in (head, *even) for word in _WORDS.split(plain(row[column]))) for column in range(count)
        ),
        align=tuple(each or ("center" if column and numeric(column) else "left") for column, each in enumerate(aligns)),
        wide=count > MOST_NARROW,
    )


def _pictured(spans: Spans) -> bool:
    return any(isinstance(span, InlinePicture) for span in spans)
