"""A book's Markdown → blocks: headings, paragraphs, lists, tables, boxes, and the figures that left their marks in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pnp.books.figures import MARK, Figure, Grid
from pnp.books.spans import BOXES, LineReader, line_of, parser, plain
from pnp.values.books import Block, Fault, Span, Text

if TYPE_CHECKING:
    from markdown_it.token import Token

_FENCE = re.compile(r"^\s{0,3}(:{3,})\s*([^\s:]*)")
_CODE = re.compile(r"^\s{0,3}(?:```|~~~)")
# A table of more columns goes over the whole page where there are two columns of text.
MOST_NARROW = 5
_NUMERIC = re.compile(r"[\d\s.,–+−-]*")


def parse(filled: str, source: str, figures: Sequence[Figure | Grid], language: str) -> Text:
    """The blocks of a filled text; faults carry their lines in ``source``."""
    line = LineReader(source, figures, language.partition("-")[0])
    reader = _Reader(source, line)
    reader.check_fences()
    tokens = parser(language.partition("-")[0]).parse(filled)
    blocks = reader.blocks(tokens)
    reader.check_pages()
    return Text(tuple(blocks), tuple(reader.back), tuple(line.wishes), tuple(line.faults), line.widths)


def slug(text: str) -> str:
    """A heading's id: its words in small letters, joined by hyphens."""
    return "-".join(re.findall(r"\w+", re.sub(r"['’]", "", text.lower())))


def plain_of(blocks: Iterable[Block]) -> Iterator[tuple[str, bool]]:
    """All that is said in blocks, with whether it is italic."""
    yield from _said(list(blocks))


def _said(value: Any) -> Iterator[tuple[str, bool]]:
    if isinstance(value, list | tuple):
        for each in value:
            yield from _said(each)
    elif isinstance(value, dict):
        if isinstance(value.get("text"), str):
            yield value["text"], bool(value.get("italic"))
        for key, each in value.items():
            if key != "text":
                yield from _said(each)


def figures_of(blocks: Iterable[Block]) -> Iterator[Block]:
    """The figures among blocks, also those within boxes and lists."""
    for block in blocks:
        if block["kind"] == "figure":
            yield block
        yield from figures_of(block.get("blocks", ()))
        for item in block.get("items", ()):
            yield from figures_of(item)


class _Reader:
    """Reads tokens into blocks; what stands in a line of them, another one reads."""

    def __init__(self, source: str, line: LineReader) -> None:
        self._source, self._line = source, line
        self.back: list[Block] = []
        self._ids: list[str] = []

    def check_fences(self) -> None:
        """Boxes are of a kind that there is, and each has an end."""
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
                    self._line.faults.append(Fault("unclosed-box", message, number, match[2], hint=hint))
                opened.append((number, match[2], colons))
                if match[2] not in BOXES:
                    self._line.fault("unknown-box", f'there is no box "{match[2]}"', number, match[2], BOXES)
            elif opened and colons >= opened[-1][2]:
                opened.pop()
            else:
                self._line.fault("unclosed-box", "here a box ends that has not begun", number, match[1])
        for number, name, _ in opened:
            hint = "Write ::: on a line of its own where it ends."
            self._line.faults.append(Fault("unclosed-box", f'the box "{name}" has no end', number, name, hint=hint))

    def check_pages(self) -> None:
        for heading in self._line.asked:
            if heading not in self._ids:
                line = line_of(self._source, f'"{heading}"', f"'{heading}'", f"(#{heading})")
                self._line.fault("unknown-heading", f'no heading has the id "{heading}"', line, heading, self._ids)

    def blocks(self, tokens: Sequence[Token]) -> list[Block]:
        found: list[Block] = []
        index = 0
        while index < len(tokens):
            token = tokens[index]
            end = _end(tokens, index)
            found += self._block(token, tokens[index + 1 : end])
            index = end + 1
        return found

    def _block(self, token: Token, inside: Sequence[Token]) -> list[Block]:
        kind = token.type.removesuffix("_open").removeprefix("container_")
        if kind == "heading":
            return [self._heading(int(token.tag[1:]), inside[0])]
        if kind == "paragraph":
            return self._paragraph(inside[0])
        if kind in ("bullet_list", "ordered_list"):
            return [self._list(token, inside)]
        if kind == "table":
            return [self._table(inside)]
        if kind in BOXES:
            return self._box(kind, token.info.strip().removeprefix(kind).strip(), inside)
        if kind == "blockquote":
            return [{"kind": "quote", "blocks": self.blocks(inside)}]
        if kind in ("fence", "code_block"):
            return [{"kind": "code", "text": token.content.rstrip("\n")}]
        if kind == "hr":
            return [{"kind": "rule"}]
        raise AssertionError(token.type)

    def _heading(self, level: int, inline: Token) -> Block:
        spans = self._line.spans(inline.children or [])
        base = slug(plain(spans)) or "section"
        name, number = base, 1
        while name in self._ids:
            number += 1
            name = f"{base}-{number}"
        self._ids.append(name)
        return {"kind": "heading", "level": min(level, 4), "id": name, "spans": spans}

    def _paragraph(self, inline: Token) -> list[Block]:
        """Text; pictures and tables that stand alone are blocks of their own."""
        children = [child for child in inline.children or [] if child.type != "softbreak"]
        if children and all(child.type == "image" for child in children):
            return [self._image_block(child) for child in children]
        marks = [*MARK.finditer(inline.content)]
        if marks and not MARK.sub("", inline.content).strip() and all(mark[1] == "figure" for mark in marks):
            return [self._figure(figure) for mark in marks if (figure := self._line.asked_for(mark[2]))]
        return [{"kind": "paragraph", "spans": self._line.spans(inline.children or [])}]

    def _list(self, token: Token, inside: Sequence[Token]) -> Block:
        items, index = [], 0
        while index < len(inside):
            end = _end(inside, index)
            items.append(self.blocks(inside[index + 1 : end]))
            index = end + 1
        ordered = token.type == "ordered_list_open"
        block: Block = {"kind": "numbers" if ordered else "bullets", "items": items}
        if ordered:
            block["start"] = int(token.attrs.get("start", 1))
        return block

    def _box(self, kind: str, title: str, inside: Sequence[Token]) -> list[Block]:
        blocks = self.blocks(inside)
        if kind == "back":
            self.back += blocks
            return []
        if kind == "beside":
            if len(blocks) < 2 or blocks[0]["kind"] != "figure":
                hint = "Begin it with a picture, and go on with what is said beside it."
                line = line_of(self._source, "::: beside")
                self._line.faults.append(
                    Fault("bad-box", 'the box "beside" does not begin with a picture', line, kind, hint=hint)
                )
                return blocks
            return [{"kind": kind, "blocks": blocks}]
        if kind == "columns":
            return [{"kind": kind, "row": all(block["kind"] == "figure" for block in blocks), "blocks": blocks}]
        return [{"kind": kind, "title": self._line.marked(title), "blocks": blocks}]

    def _table(self, inside: Sequence[Token]) -> Block:
        rows: list[list[list[Span]]] = []
        aligns: list[str] = []
        head = 0
        for token in inside:
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                head += token.type == "th_open"
                if len(rows) == 1:
                    style = str(token.attrs.get("style", ""))
                    aligns.append(style.rpartition(":")[2])
            elif token.type == "inline":
                rows[-1].append(self._line.spans(token.children or []))
        return _grid(rows[0], rows[1:], aligns)

    def _figure(self, figure: Figure | Grid) -> Block:
        if isinstance(figure, Grid):
            head = [self._line.marked(cell) for cell in figure.head]
            rows = [[self._line.marked(cell) for cell in row] for row in figure.rows]
            return _grid(head, rows, [])
        return {
            "kind": "figure",
            "pictures": [self._line.wish(wish, figure.width) for wish in figure.wishes],
            "width": None if figure.width is None else {"mm": figure.width.mm, "share": figure.width.share},
            "caption": self._line.marked(figure.caption),
            "alt": figure.alt,
            "notes": [{"box": name, "spans": self._line.marked(text)} for name, text in figure.notes],
        }

    def _image_block(self, token: Token) -> Block:
        picture, alt = self._line.image(token, 60.0)
        return {
            "kind": "figure",
            "pictures": [picture],
            "width": None,
            "caption": self._line.marked(alt),
            "alt": alt,
            "notes": [],
        }


def _end(tokens: Sequence[Token], index: int) -> int:
    """The index of the token that closes the one at ``index``."""
    depth = 0
    for at in range(index, len(tokens)):
        depth += tokens[at].nesting
        if depth == 0:
            return at
    return len(tokens) - 1


def _grid(head: list[list[Span]], rows: list[list[list[Span]]], aligns: Sequence[str]) -> Block:
    """A table; ``most`` are the letters of each column's longest cell."""
    count = len(head)
    rows = [[*row, *([[]] * (count - len(row)))][:count] for row in rows]
    numeric = [
        all(_NUMERIC.fullmatch(plain(row[column])) and not _pictured(row[column]) for row in rows) for column in range(count)
    ]
    aligned = [aligns[column] if column < len(aligns) else "" for column in range(count)]
    return {
        "kind": "table",
        "head": head if any(head) else [],
        "rows": rows,
        "most": [max(len(plain(row[column])) for row in [head, *rows]) for column in range(count)],
        "align": [each or ("center" if numeric[column] and column else "left") for column, each in enumerate(aligned)],
        "wide": count > MOST_NARROW,
    }


def _pictured(spans: Sequence[Span]) -> bool:
    return any("picture" in span for span in spans)
