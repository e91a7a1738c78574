"""A book's Markdown → blocks, with the marks that figures and page numbers have left in it exchanged for these."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from pnp.books.figures import CLOSE, MARK, OPEN, WIDEST, Figure, Grid, Width
from pnp.manuals import Block, Fault, Span, Text, Wish
from pnp.problems import closest, listed

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BOXES = ("note", "example", "side", "columns", "beside", "back")
_FENCE = re.compile(r"^\s{0,3}(:{3,})\s*([^\s:]*)")
_CODE = re.compile(r"^\s{0,3}(?:```|~~~)")
# What is typed and what is only a mark, in the order written.
_PIECES = re.compile(rf"{OPEN}(?P<mark>[a-z]+):(?P<of>[^{CLOSE}]*){CLOSE}|:(?P<icon>[a-z][a-z0-9_-]*):")
# A table of more columns goes over the whole page where there are two columns of text.
MOST_NARROW = 5
_NUMERIC = re.compile(r"[\d\s.,–+−-]*")
# What the end of a line never parts: "7 × 7", and "page" from its number.
_TIED = re.compile(r"(?<=\d) (?=×)|(?<=×) (?=\d)")
ICON_WIDTH, INLINE_WIDTH, THUMB_WIDTH = 8.0, 16.0, 14.0
QUOTES = {"de": "„“‚‘", "fr": ["«\u202f", "\u202f»", "‹\u202f", "\u202f›"], "es": "«»“”", "it": "«»“”", "pl": "„”‚’"}


def parse(filled: str, source: str, figures: Sequence[Figure | Grid], language: str) -> Text:
    """The blocks of a filled text; faults carry their lines in ``source``."""
    reader = _Reader(source, figures, language.partition("-")[0])
    reader.check_fences()
    tokens = _parser(language.partition("-")[0]).parse(filled)
    blocks = reader.blocks(tokens)
    reader.check_pages()
    return Text(tuple(blocks), tuple(reader.back), tuple(reader.wishes), tuple(reader.faults), reader.widths)


def line_of(source: str, *snippets: str) -> int | None:
    """The first line of a text that has one of these, the earlier ones tried first."""
    for snippet in snippets:
        if snippet and snippet in source:
            return source.count("\n", 0, source.index(snippet)) + 1
    return None


@cache
def _parser(language: str) -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.container import container_plugin

    quotes = QUOTES.get(language, "“”‘’")
    parser = MarkdownIt("commonmark", {"html": False, "typographer": True, "quotes": quotes})
    parser.enable(["table", "smartquotes"]).disable(["html_block", "html_inline"])
    for name in BOXES:
        parser.use(container_plugin, name=name)
    return parser


def smart(text: str, language: str) -> str:
    """A line with the quotation marks and apostrophes of its language."""
    (inline,) = _parser(language.partition("-")[0]).parseInline(text)
    return "".join(token.content for token in inline.children or [])


def plain(spans: Sequence[Span]) -> str:
    """The letters of spans."""
    return "".join(span.get("text", plain(span.get("spans", ()))) for span in spans)


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
    """Reads tokens into blocks; gathers wishes and faults on the way."""

    def __init__(self, source: str, figures: Sequence[Figure | Grid], language: str) -> None:
        self._source, self._figures, self._language = source, figures, language
        self.wishes: list[Wish] = []
        self.widths: dict[int, float] = {}
        self.back: list[Block] = []
        self.faults: list[Fault] = []
        self._ids: list[str] = []
        self._asked: list[str] = []

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
                    self.faults.append(Fault("unclosed-box", message, number, match[2], hint=hint))
                opened.append((number, match[2], colons))
                if match[2] not in BOXES:
                    self._fault("unknown-box", f'there is no box "{match[2]}"', number, match[2], BOXES)
            elif opened and colons >= opened[-1][2]:
                opened.pop()
            else:
                self._fault("unclosed-box", "here a box ends that has not begun", number, match[1])
        for number, name, _ in opened:
            hint = "Write ::: on a line of its own where it ends."
            self.faults.append(Fault("unclosed-box", f'the box "{name}" has no end', number, name, hint=hint))

    def check_pages(self) -> None:
        for heading in self._asked:
            if heading not in self._ids:
                line = line_of(self._source, f'"{heading}"', f"'{heading}'", f"(#{heading})")
                self._fault("unknown-heading", f'no heading has the id "{heading}"', line, heading, self._ids)

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
        spans = self._spans(inline.children or [])
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
            return [self._figure(figure) for mark in marks if (figure := self._asked_for(mark[2]))]
        return [{"kind": "paragraph", "spans": self._spans(inline.children or [])}]

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
                self.faults.append(Fault("bad-box", 'the box "beside" does not begin with a picture', line, kind, hint=hint))
                return blocks
            return [{"kind": kind, "blocks": blocks}]
        if kind == "columns":
            return [{"kind": kind, "row": all(block["kind"] == "figure" for block in blocks), "blocks": blocks}]
        return [{"kind": kind, "title": self._marked(title), "blocks": blocks}]

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
                rows[-1].append(self._spans(token.children or []))
        return _grid(rows[0], rows[1:], aligns)

    def _figure(self, figure: Figure | Grid) -> Block:
        if isinstance(figure, Grid):
            head = [self._marked(cell) for cell in figure.head]
            rows = [[self._marked(cell) for cell in row] for row in figure.rows]
            return _grid(head, rows, [])
        return {
            "kind": "figure",
            "pictures": [self._wish(wish, figure.width) for wish in figure.wishes],
            "width": None if figure.width is None else {"mm": figure.width.mm, "share": figure.width.share},
            "caption": self._marked(figure.caption),
            "alt": figure.alt,
            "notes": [{"box": name, "spans": self._marked(text)} for name, text in figure.notes],
        }

    def _image_block(self, token: Token) -> Block:
        picture, alt = self._image(token, 60.0)
        return {
            "kind": "figure",
            "pictures": [picture],
            "width": None,
            "caption": self._marked(alt),
            "alt": alt,
            "notes": [],
        }

    def _image(self, token: Token, width: float) -> tuple[int, str]:
        from urllib.parse import unquote

        name = unquote(str(token.attrs.get("src", "")))
        alt = "".join(" " if child.type == "softbreak" else child.content for child in token.children or [])
        if not alt:
            line = line_of(self._source, f"]({name}")
            self.faults.append(
                Fault(
                    "missing-alt",
                    f'the picture "{name}" has no alt text',
                    line,
                    name,
                    hint=f"Write ![what one sees]({name}).",
                )
            )
        return self._wish(Wish("art", name.removeprefix("art/")), Width(mm=width)), alt

    def _wish(self, wish: Wish, width: Width | None) -> int:
        if wish not in self.wishes:
            self.wishes.append(wish)
        index = self.wishes.index(wish)
        mm = 60.0 if width is None else width.mm or width.share * WIDEST
        self.widths[index] = max(self.widths.get(index, 0.0), mm)
        return index

    def _marked(self, text: str) -> list[Span]:
        """A line of Markdown that came as an argument."""
        if not text:
            return []
        (inline,) = _parser(self._language).parseInline(text)
        return self._spans(inline.children or [])

    def _spans(self, tokens: Sequence[Token]) -> list[Span]:
        spans: list[Span] = []
        style = {"bold": 0, "italic": 0}
        links: list[tuple[str, list[Span]]] = []
        for token in tokens:
            target = links[-1][1] if links else spans
            named = {"strong": "bold", "em": "italic"}.get(token.type.rpartition("_")[0])
            if named:
                style[named] += token.nesting
            elif token.type == "softbreak":
                _add(target, " ", {})
            elif token.type == "hardbreak":
                target.append({"break": True})
            elif token.type == "link_open":
                links.append((str(token.attrs["href"]), []))
                self._asked += [href[1:] for href, _ in links[-1:] if href.startswith("#")]
            elif token.type == "link_close":
                href, inner = links.pop()
                (links[-1][1] if links else spans).append({"link": href, "spans": inner})
            elif token.type == "image":
                picture, alt = self._image(token, INLINE_WIDTH)
                target.append({"picture": picture, "alt": alt, "size": "inline"})
            elif token.type == "code_inline":
                target.append({"text": token.content, "code": True})
            elif token.content:
                self._typed(token.content, target, {name: True for name, on in style.items() if on})
        return spans

    def _typed(self, text: str, target: list[Span], style: dict[str, Any]) -> None:
        last = 0
        for match in _PIECES.finditer(text):
            before = text[last : match.start()]
            _add(target, re.sub(r" $", "\u00a0", before) if match["mark"] == "page" else before, style)
            last = match.end()
            if match["icon"]:
                target.append({"picture": self._wish(Wish("icon", match["icon"]), Width(mm=ICON_WIDTH)), **_icon(match)})
            elif match["mark"] == "page":
                self._asked.append(match["of"])
                target.append({"page": match["of"]})
            elif isinstance(figure := self._asked_for(match["of"]), Figure) and match["mark"] == "thumb":
                thumb = self._wish(figure.wishes[0], Width(mm=THUMB_WIDTH))
                target.append({"picture": thumb, "alt": "", "size": "thumb"})
            elif figure is not None:
                target.extend(self._inline(figure))
        _add(target, text[last:], style)

    def _asked_for(self, number: str) -> Figure | Grid | None:
        """What a mark stands for; a mark that no function made stands for nothing."""
        return self._figures[int(number)] if number.isdecimal() and int(number) < len(self._figures) else None

    def _inline(self, figure: Figure | Grid) -> Iterator[Span]:
        """Pictures within a line of text or a cell; a table cannot be there."""
        if isinstance(figure, Grid):
            hint = "Leave an empty line before and after it."
            line = _within_text(self._source, figure.name)
            self.faults.append(Fault("table-in-text", "a table stands within a paragraph", line, figure.name, hint=hint))
            return
        for wish in figure.wishes:
            width = figure.width or Width(mm=INLINE_WIDTH)
            size = {"mm": width.mm} if width.mm else {"size": "inline"}
            yield {"picture": self._wish(wish, width), "alt": figure.alt, **size}

    def _fault(self, rule: str, message: str, line: int | None, value: str, known: Sequence[str] | str = ()) -> None:
        names = [known] if isinstance(known, str) else list(known)
        hint = "" if isinstance(known, str) else closest(value, names)
        self.faults.append(Fault(rule, message, line, value, listed(names, 40) if not isinstance(known, str) else "", hint))


def _within_text(source: str, name: str) -> int | None:
    """The line of a table that does not stand alone, between empty lines."""
    lines = ["", *source.split("\n"), ""]
    calls = [number for number, line in enumerate(lines) if re.search(rf"\b{name}\(", line)]
    crowded = (number for number in calls if lines[number - 1].strip() or lines[number + 1].strip())
    said = (number for number in calls if not re.fullmatch(r"\s*\{\{.*\}\}\s*", lines[number]))
    return next(iter([*said, *crowded, *calls]), None)


def _icon(match: re.Match[str]) -> Span:
    return {"alt": match["icon"].replace("-", " "), "size": "icon"}


def _add(target: list[Span], text: str, style: dict[str, Any]) -> None:
    if not text:
        return
    text = _TIED.sub("\u00a0", text)
    if target and "text" in target[-1] and {**style, "text": target[-1]["text"]} == target[-1]:
        target[-1]["text"] += text
    else:
        target.append({"text": text, **style})


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
