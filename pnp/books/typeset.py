"""Sets blocks and pictures as the pages of a book: tagged PDF/UA-1, set by Typst from data."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from importlib import resources
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pnp.books.functions import WIDEST
from pnp.books.pagination import CLEARANCE, LEAST_HOLE, SCALES, SPARE, Element, Plan, Sheet, elements, plan
from pnp.books.spans import figures_of, plain, runs_of
from pnp.dataclass import dataclass
from pnp.shapes.affine import Rect
from pnp.system.cache import Cache, apart, digest, remembered, together
from pnp.values.books import (
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
    LineBreak,
    Link,
    Note,
    NumberedList,
    PageNumber,
    Paragraph,
    SetBook,
    Shot,
    Span,
    Spans,
    TableBlock,
    Text,
    TextRun,
    ThematicBreak,
)
from pnp.values.game import Manual, Paper
from pnp.values.languages import (
    dots_at,
    is_title,
    leftwards,
    rightwards,
    shaping,
    stressed,
    unspaced,
    whole_end,
    whole_words,
)
from pnp.values.problems import Fault

if TYPE_CHECKING:
    import typst

# Numbers beside a piece stay so far apart, as a share of its height; so few of them a little farther.
APART, FEW_APART, FEW_NUMBERS = 0.075, 0.1, 5
# Where a line may meet an edge of a text's box, as shares of that edge: its middle is the usual place.
STOPS = (0.5, 0.35, 0.65, 0.2, 0.8, 0.05, 0.95)
# What a way costs besides its length in mm: each mm off the box's middle, each mm of slant, and the farther side.
OFF, SLANT, FAR = 1.2, 1.0, 10.0
# A text in the middle, so many mm off it at most, has its number on the left.
CENTRED = 0.5
# A line stays so many mm away from other texts.
CLEAR = 0.3
# With more texts and notes than this, a piece is no example for anybody: lines go the straight way.
MOST_PAIRS = 4000
# In so many orders the notes choose their ways, until none is blocked.
MOST_ORDERS = 40

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Dot:
    """A number beside a piece, and the end of its line, as shares of the picture; ``side`` is -1 left of it, 1 right."""

    side: float
    x: float
    y: float
    tx: float
    ty: float


@dataclass(frozen=True, slots=True)
class _Way:
    """A line from a number at the picture's edge to the box that it names, in mm."""

    cost: float
    side: float
    start: Point
    end: Point


def dots(notes: Sequence[Note], shot: Shot) -> list[Dot]:
    """For each note the place of its number, and the end of its line at the text's box.

    A number stands at the piece's nearer edge, beside the middle of its text, unless its line would cross something.
    """
    wanted = [(number, shot.boxes[note.box]) for number, note in enumerate(notes) if note.box in shot.boxes]
    others = [box.grown(*4 * [CLEAR]) for box in shot.boxes.values()]
    crowded = len(wanted) * len(others) > MOST_PAIRS
    apart = (FEW_APART if len(wanted) <= FEW_NUMBERS else APART) * shot.height
    if crowded:
        others = []
    # Those that have the fewest free ways choose first; where that leaves one without, from above, or from below.
    free = {number: sum(1 for _ in _clear(_level(box, shot), _around(box, others), [])) for number, box in wanted}
    orders = [
        sorted(wanted, key=lambda each: (free[each[0]], each[1].y, each[0])),
        sorted(wanted, key=lambda each: (each[1].y, each[0])),
        sorted(wanted, key=lambda each: (-each[1].bottom, each[0])),
    ]
    best: dict[int, _Way] = {}
    least = len(wanted) + 1
    queue = orders[:1] if crowded else orders
    for turn in range(MOST_ORDERS):
        if turn >= len(queue):
            break
        found, blocked = _found(queue[turn], others, shot, crowded, apart)
        if len(blocked) < least:
            best, least = found, len(blocked)
        if not blocked:
            break
        # Those that found no way choose first the next time.
        again = sorted(queue[turn], key=lambda each: each[0] not in blocked)
        if not crowded and again not in queue:
            queue.append(again)
    return [_dot(best[number], shot) for number, _ in wanted]


def _found(
    order: Sequence[tuple[int, Rect]], others: Sequence[Rect], shot: Shot, crowded: bool, apart: float
) -> tuple[dict[int, _Way], set[int]]:
    """A line for each box, chosen in this order, and the lines that cross something."""
    found: dict[int, _Way] = {}
    blocked: set[int] = set()
    for number, box in order:
        taken = list(found.values())
        ways = [*_level(box, shot), *(() if crowded else _slanted(box, shot, taken, apart))]
        usable = [way for way in ways if _apart(way, taken, apart)]
        clear = min(_clear(usable, _around(box, others), taken), key=_cost, default=None)
        if clear is None:
            blocked.add(number)
        found[number] = clear or min(usable or ways, key=_cost)
    return found, blocked


def _cost(way: _Way) -> float:
    return way.cost


def _dot(way: _Way, shot: Shot) -> Dot:
    (x, y), (tx, ty) = way.start, way.end
    end = min(1.0, max(0.0, tx / shot.width))
    return Dot(way.side, x / shot.width, round(y / shot.height, 6), round(end, 6), round(ty / shot.height, 6))


def _around(box: Rect, others: Sequence[Rect]) -> list[Rect]:
    """The texts that a line to a box must not cross: all except those that it lies on or that lie on it."""
    return [
        other
        for other in others
        if other.right <= box.x or other.x >= box.right or other.bottom <= box.y or other.y >= box.bottom
    ]


def _level(box: Rect, shot: Shot) -> Iterator[_Way]:
    """Level lines from either edge to the box."""
    middle = box.y + box.height / 2
    for side, edge, end in _sides(box, shot):
        for stop in STOPS:
            y = box.y + stop * box.height
            cost = abs(end - edge) + OFF * abs(y - middle) + _far(side, box, shot)
            yield _Way(cost, side, (edge, y), (end, y))


def _slanted(box: Rect, shot: Shot, taken: Sequence[_Way], apart: float) -> Iterator[_Way]:
    """Slanted lines to the facing edge of the box, or to its upper or lower edge."""
    middle = box.y + box.height / 2
    heights = {step * apart / 2 for step in range(int(2 * shot.height / apart) + 1)}
    heights |= {way.start[1] + off for way in taken for off in (-apart, apart)}
    for side, edge, end in _sides(box, shot):
        for y in sorted(height for height in heights if 0 <= height <= shot.height):
            ends = [(end, box.y + stop * box.height) for stop in STOPS]
            # A line that all but runs along an edge would be seen on it.
            if y < box.y - CLEAR:
                ends += [(box.x + stop * box.width, box.y) for stop in STOPS]
            elif y > box.bottom + CLEAR:
                ends += [(box.x + stop * box.width, box.bottom) for stop in STOPS]
            for x, ty in ends:
                cost = abs(x - edge) + SLANT * abs(y - ty) + OFF * abs(ty - middle) + _far(side, box, shot)
                yield _Way(cost, side, (edge, y), (x, ty))


def _sides(box: Rect, shot: Shot) -> tuple[tuple[float, float, float], ...]:
    """Left and right: side, picture's edge, and the box's edge that faces it."""
    return (-1.0, 0.0, max(0.0, box.x)), (1.0, shot.width, min(shot.width, box.right))


def _far(side: float, box: Rect, shot: Shot) -> float:
    right = box.x + box.width / 2 > shot.width / 2 + CENTRED
    return 0.0 if right == (side > 0) else FAR


def _apart(way: _Way, taken: Sequence[_Way], apart: float) -> bool:
    """Whether its number has room between the others at its edge."""
    return all(other.side != way.side or abs(other.start[1] - way.start[1]) >= apart - 1e-6 for other in taken)


def _clear(ways: Iterator[_Way] | Sequence[_Way], boxes: Sequence[Rect], taken: Sequence[_Way]) -> Iterator[_Way]:
    """The lines that cross no box and no other line."""
    for way in ways:
        crossed = any(_through(way.start, way.end, box) for box in boxes)
        if not crossed and not any(_cross(way.start, way.end, other.start, other.end) for other in taken):
            yield way


def _through(one: Point, two: Point, box: Rect) -> bool:
    """Whether a line crosses a box (clipping by one pair of edges after the other)."""
    (x, y), (dx, dy) = one, (two[0] - one[0], two[1] - one[1])
    first, last = 0.0, 1.0
    for start, way, low, high in ((x, dx, box.x, box.right), (y, dy, box.y, box.bottom)):
        if abs(way) < 1e-9:
            if not low < start < high:
                return False
            continue
        enter, leave = sorted(((low - start) / way, (high - start) / way))
        first, last = max(first, enter), min(last, leave)
    return last - first > 1e-9


def _cross(one: Point, two: Point, three: Point, four: Point) -> bool:
    def turn(a: Point, b: Point, c: Point) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    # Lines one behind the other are in line, and apart.
    for axis in (0, 1):
        ends, others = sorted((one[axis], two[axis])), sorted((three[axis], four[axis]))
        if ends[1] < others[0] or others[1] < ends[0]:
            return False
    return turn(one, two, three) * turn(one, two, four) <= 0 and turn(three, four, one) * turn(three, four, two) <= 0


# A row of pictures takes as much room as so many letters, and a block's end.
PICTURE, LINE = 450, 25
# Room for a letter of a table in mm, generously; a cell's empty rims are as wide as so many letters.
LETTER, CELL_ROOM = 1.8, 2
# Of a single word they are known better: its share of a letter, and the rims of its cell.
WORD, CELL_RIM = 0.92, 1.7
# A column whose cells have no more letters takes the room that it needs.
SHORT = 18
# A table that needs this share of its column's width has all of it.
NEARLY = 0.75
# A long column has at least the room of so many letters.
LEAST_LONG = 14


def halves(blocks: Blocks) -> tuple[Blocks, Blocks]:
    """Splits blocks into two columns of about equal length; a single list between its items."""
    match blocks:
        case (BulletList(items=items) | NumberedList(items=items) as only,):
            cut = _middle([length(item) + LINE for item in items])
            later = replace(only, items=items[cut:])
            if isinstance(later, NumberedList):
                later = replace(later, start=later.start + cut)
            return (replace(only, items=items[:cut]),), (later,)
    cut = _middle([length([block]) + LINE for block in blocks])
    # A heading stays with what it is about.
    while 0 < cut < len(blocks) and isinstance(blocks[cut - 1], Heading):
        cut -= 1
    return blocks[:cut], blocks[cut:]


def _middle(lengths: Sequence[int]) -> int:
    """Where to split a row of lengths most evenly."""
    whole = sum(lengths)
    return min(range(len(lengths) + 1), key=lambda cut: abs(2 * sum(lengths[:cut]) - whole))


def widths(most: Sequence[int], words: Sequence[int], column: float) -> list[float | None]:
    """How a table's columns share the width, by the letters of their longest cells and of their longest words.

    Narrow tables are as wide as they need, such as nearly fill the column as wide as it; else short columns take what they
    need (None), long ones a share of the rest.
    None is narrower than its longest word, as far as there is room for all.
    """
    room = column / LETTER
    if (needed := sum(most) + CELL_ROOM * len(most)) <= room:
        wide = max(most) / 2 if needed > NEARLY * room else room
        return [float(length) if length >= wide else None for length in most]
    shares = [round(max(4, min(length, 60)) ** 0.7, 2) for length in most]
    short = sum(length + CELL_ROOM for length in most if length <= SHORT)
    long = [length for length in most if length > SHORT]
    # The rest must be worth having; else all columns share.
    narrow = short + LEAST_LONG * len(long) > room or not long
    sharing = [index for index, length in enumerate(most) if narrow or length > SHORT]
    needs = {index: WORD * words[index] + CELL_RIM for index in sharing}
    left, free = room if narrow else room - short, {*sharing}
    while held := {index for index in free if shares[index] * left < needs[index] * sum(shares[each] for each in free)}:
        left, free = left - sum(needs[index] for index in held), free - held
    if free and left > 0:
        each = left / sum(shares[index] for index in free)
        shares = [round(each * share, 2) if index in free else needs.get(index, 0) for index, share in enumerate(shares)]
    return [share if index in sharing else None for index, share in enumerate(shares)]


def length(blocks: Iterable[Block]) -> int:
    """The length of blocks in letters, pictures included."""
    blocks = tuple(blocks)
    rows = sum(-(-len(figure.pictures) // 4) for figure in figures_of(blocks))
    return PICTURE * rows + sum(len(run.text) for run in runs_of(blocks))


Json: TypeAlias = "str | float | bool | Sequence[Json] | Mapping[str, Json] | None"

# Of a page's height at most so much is one picture; of a large page less.
TALLEST, TALLEST_WIDE = 0.62, 0.46
# Letters from which on a box may be parted by the end of a page.
LONG_BOX = 1700
# Tables of no more rows stay on one page.
FEW, FEW_PICTURED = 14, 8
# From so wide on a page has two columns of text.
TWO_COLUMNS = 180.0
# The width of A5, for which sizes are chosen, and the rims of a back cover's panel, in mm.
SMALL_PAGE, BACK_RIMS = 148.0, 28.0
# A book of fewer pages needs no list of contents: of large pages, and of small ones.
LONG_BOOK, LONG_BOOKLET = 12, 2
# Between two columns of text, in mm.
GUTTER = 8.0


@dataclass(frozen=True, slots=True)
class HouseStyle:
    """What all books of a game share: fonts by role, in the order tried, language, and credits.

    ``cache`` keeps what was set; ``makers`` is then a digest of the fonts and whatever else sets books.
    """

    engine: typst.Fonts
    fonts: Mapping[str, Sequence[str]]
    """With them stands, under "symbols", the font of ``symbols``."""
    language: str
    author: str
    foot_line: str
    cache: Cache | None = None
    makers: str = ""
    symbols: str = ""
    """Those letters of the book that none of its fonts has."""
    title_weight: int = 400
    """Of titles: what makes letters of other families as heavy as the first one's."""
    eastern: str = ""
    """The family of dots of omission and dashes, in Chinese and Japanese."""
    bullet: tuple[float, float] = (1.0, 0.0)
    """How much larger the dot of a list is than its font draws it, and its middle above the line, as a part of the size."""


def typeset(
    manual: Manual,
    text: Text,
    shots: Mapping[int, Shot],
    cover: Shot | None,
    paper: Paper,
    style: HouseStyle,
    vignettes: Sequence[Shot] = (),
) -> SetBook:
    """Sets the book on pages of this size, with vignettes where there is room for them. Raises Fault."""
    data = _data(manual, text, shots, cover, paper, style)
    files = {f"{index}.{shot.suffix}": shot.data for index, shot in shots.items()}
    if cover is not None:
        files[f"cover.{cover.suffix}"] = cover.data
    for number, vignette in enumerate(vignettes):
        files[file := f"vignette-{number}.{vignette.suffix}"] = vignette.data
        data["vignettes"].append({"file": file, "ratio": round(vignette.width / vignette.height, 5)})
    key = digest("book", style.makers, json.dumps(data), *(part for name in sorted(files) for part in (name, files[name])))
    about, pdf = apart(remembered(style.cache, key, lambda: _set(data, files, style.engine)))
    pages, headings, warnings = json.loads(about)
    return SetBook(pdf, pages, headings, tuple(warnings))


def _set(data: dict[str, Any], files: Mapping[str, bytes], engine: typst.Fonts) -> bytes:
    """The set book's data, and its PDF. Raises Fault."""
    with tempfile.TemporaryDirectory(prefix="pnp-book-") as name:
        folder = Path(name)
        for file, content in files.items():
            (folder / file).write_bytes(content)
        with resources.as_file(resources.files(__package__).joinpath("manual.typ")) as program:
            shutil.copyfile(program, folder / "manual.typ")
        try:
            pdf, made, warnings = _paginated(folder, data, engine)
            _forget(folder, engine, sum(map(len, files.values())))
        except (KeyboardInterrupt, SystemExit, MemoryError):
            raise
        except BaseException as error:
            # A Rust panic arrives as a BaseException of the binding's own.
            message = str(getattr(error, "message", "") or error) or type(error).__name__
            raise Fault(message.splitlines()[0].removeprefix("panicked with: ")) from None
    return together(json.dumps([made["pages"], dict(made["headings"]), warnings]).encode(), pdf)


# Shares of the type's usual size that are tried where more than this of the last page is empty.
SMALLER, EMPTY = (0.98, 0.96), 0.6
# Typst holds dozens of times the bytes of a book's pictures. It forgets what so many settings have not asked for: that is
# brought about when books with so many bytes have been set, or three books on two papers reach the limit of memory.
_REMEMBERED, _HEAVY = 11, 5_000_000
_held = 0


def _forget(folder: Path, engine: typst.Fonts, pictures: int) -> None:
    """Counts the bytes of a book's pictures; when they are many, has Typst forget them by setting nothing several times."""
    global _held
    import typst

    _held += pictures
    if _held > _HEAVY:
        _held = 0
        (folder / "nothing.typ").write_text("", encoding="utf-8")
        setter = typst.Compiler(str(folder / "nothing.typ"), root=str(folder), font_paths=engine, ignore_system_fonts=True)
        for _ in range(_REMEMBERED):
            setter.compile(format="pdf")


def _paginated(folder: Path, data: dict[str, Any], engine: typst.Fonts) -> tuple[bytes, dict[str, Any], list[str]]:
    """The PDF of planned pages; of pages filled one after the other where there is no plan or it does not come true."""
    import typst

    def compiler(**more: Json) -> typst.Compiler:
        (folder / "manual.json").write_text(json.dumps({**data, **more}, ensure_ascii=False), encoding="utf-8")
        return typst.Compiler(str(folder / "manual.typ"), root=str(folder), font_paths=engine, ignore_system_fonts=True)

    def compiled(planned: Plan | None) -> tuple[bytes, dict[str, Any], list[str]]:
        setter = compiler(**planned.data(len(data["vignettes"])) if planned else {})
        pdf, warnings = setter.compile_with_warnings(format="pdf", timestamp=0, pdf_standards=["ua-1"])
        (made,) = json.loads(setter.query("<made>", field="value"))
        assert isinstance(pdf, bytes)
        return pdf, made, [str(warning.message) for warning in warnings]

    def planned_in(data: dict[str, Any]) -> tuple[dict[str, Any], Plan | None]:
        (galley,) = json.loads(compiler(**{**data, "form": "galley"}).query("<galley>", field="value"))
        measured = elements(data["blocks"], galley, sheet.height)
        for block, part in zip(data["blocks"], measured, strict=True):
            if block["kind"] == "table":
                block["long"] = bool(part.cuts)
        if data["contents"] and _pages(measured, sheet) < (LONG_BOOK if columns > 1 else LONG_BOOKLET):
            data, measured = {**data, "contents": "", "blocks": data["blocks"][1:]}, measured[1:]
        return data, plan(measured, sheet)

    if data["form"] != "book":
        return compiled(None)
    columns = data["columns"]
    sheet = Sheet(data["page"]["height"] - data["margins"]["top"] - data["margins"]["bottom"], columns)
    data, planned = planned_in(data)
    # All is set a little smaller where that saves a last page which is all but empty.
    for share in SMALLER if planned and planned.left > EMPTY * sheet.height else ():
        smaller, again = planned_in({**data, "size": round(share * data["size"], 2)})
        if planned and again and again.column // columns < planned.column // columns:
            data, planned = smaller, again
            break
    if planned:
        pdf, made, warnings = compiled(planned)
        half = data["page"]["width"] / 2
        # The first of two columns is where one begins to read.
        second = {number: columns > 1 and (x > half) != data["leftwards"] for number, _, x in made["begins"]}
        begun = {number: (page - 2) * columns + second[number] for number, page, _ in made["begins"]}
        if all(begun[number] == step.column for number, step in enumerate(planned.steps) if step.column >= 0):
            return pdf, made, warnings
    return compiled(None)


def _pages(measured: Sequence[Element], sheet: Sheet) -> float:
    """About how many pages there will be."""
    return sum(part.heights[0] + part.gap for part in measured) / sheet.height / sheet.columns


def _data(
    manual: Manual, text: Text, shots: Mapping[int, Shot], cover: Shot | None, paper: Paper, style: HouseStyle
) -> dict[str, Any]:
    two = paper.width >= TWO_COLUMNS and manual.form == "book"
    margins = {"inside": 17.0, "outside": 17.0 if two else 13.0, "top": 18.0, "bottom": 16.0}
    column = paper.width - margins["inside"] - margins["outside"]
    column = (column - GUTTER) / 2 if two else column
    writer = _Writer(
        shots,
        text,
        style.symbols,
        two,
        leftwards(style.language),
        shaping(style.language) if unspaced(style.language) else "",
    )
    blocks, back = writer.blocks(text.blocks, column), writer.blocks(text.back, SMALL_PAGE - BACK_RIMS)
    size = 9.6 if manual.form == "book" else 9.0
    return {
        "form": manual.form,
        "title": manual.title,
        "subtitle": manual.subtitle,
        "foot": manual.foot,
        "foot-line": style.foot_line,
        "author": style.author,
        "keywords": [manual.subtitle] if manual.subtitle else [],
        "lang": shaping(style.language),
        # Letters of Chinese and Japanese have no italic, so that figures between them have none.
        "captions": "normal" if unspaced(style.language) else "italic",
        "leftwards": leftwards(style.language),
        "title-weight": style.title_weight,
        "eastern": style.eastern,
        "bullet": style.bullet,
        "fonts": {role: list(style.fonts[role]) for role in ("title", "body", "symbols")},
        "colours": {
            "accent": manual.accent,
            "tint": manual.tint,
            "cover_ink": manual.cover_ink,
            "foot_ink": manual.foot_ink,
        },
        "page": {"width": paper.width, "height": paper.height},
        "columns": 2 if two else 1,
        "gutter": GUTTER,
        "column": round(column, 2),
        "margins": margins,
        "size": size,
        "tallest": round((TALLEST_WIDE if two else TALLEST) * (paper.height - margins["top"] - margins["bottom"]), 2),
        "contents": manual.contents,
        "scales": SCALES,
        "clearance": CLEARANCE,
        "least-hole": LEAST_HOLE,
        "endless": 20_000,
        "spare": SPARE,
        "plan": None,
        "vignettes": [],
        "final": -1,
        "left": 0,
        "short": 0,
        "cover": {"file": f"cover.{cover.suffix}", "alt": manual.title, "ratio": round(cover.width / cover.height, 5)}
        if cover
        else None,
        "shots": {
            str(index): {
                "file": f"{index}.{shot.suffix}",
                "ratio": round(shot.width / shot.height, 5),
                "mm": round(min(shot.width, WIDEST), 3),
                "card": shot.card,
            }
            for index, shot in shots.items()
        },
        "blocks": [{"kind": "contents"}, *blocks] if manual.contents and manual.form == "book" else blocks,
        # The back cover is one page whatever its size: on a large one its text is larger.
        "back-size": round(size * paper.width / SMALL_PAGE, 2),
        "back": back,
    }


def _bound(span: Span, following: Span | None) -> Span:
    """A run of text whose figures stay on the line of what they count, and whose end stays with a page's number."""
    if not isinstance(span, TextRun):
        return span
    text = re.sub(r"(?<=\d) (?=\w)", "\N{NO-BREAK SPACE}", span.text)
    counts = isinstance(following, InlinePicture) and re.search(r"\d $", text)
    if text.endswith(" ") and (counts or isinstance(following, PageNumber)):
        text = text[:-1] + "\N{NO-BREAK SPACE}"
    return replace(span, text=text)


# Around a page's number " (page " and ")", in Japanese "（" and "ページ）". A bracket with more words says something.
_OPENED, _CLOSED = re.compile(r"\s?[(（](?:[^\W\d_]+\.?\s)?$"), re.compile(r"(?:ページ|页|頁)?[)）]")


def _asides(spans: Sequence[Span]) -> list[Span]:
    """Moves brackets that hold nothing but "page 4" into its PageNumber, which is left out with them on that page."""
    found = [*spans]
    for at in range(1, len(found) - 1):
        left, page, right = found[at - 1 : at + 2]
        if isinstance(page, PageNumber) and isinstance(left, TextRun) and isinstance(right, TextRun):
            opened, closed = _OPENED.search(left.text), _CLOSED.match(right.text)
            if opened and closed and left == TextRun(left.text):
                cut = replace(left, text=left.text[: opened.start()]), replace(right, text=right.text[closed.end() :])
                found[at - 1 : at + 2] = [cut[0], replace(page, before=opened[0], after=closed[0]), cut[1]]
    return found


class _Writer:
    """Converts blocks and spans to the data that ``manual.typ`` reads, with pictures and their sizes in mm."""

    def __init__(
        self, shots: Mapping[int, Shot], text: Text, symbols: str, two: bool, leftwards: bool, eastern: str
    ) -> None:
        self._shots = shots
        self._leftwards = leftwards
        self._eastern = eastern
        self._two = two
        self._symbols = re.compile(f"([{re.escape(symbols)}]+)") if symbols else None
        self._first = next((block.level for block in text.blocks if isinstance(block, Heading)), 1)
        self._last = 0

    def blocks(self, blocks: Iterable[Block], column: float) -> list[Json]:
        return [self._directed(block, column) for block in blocks]

    def _directed(self, block: Block, column: float) -> Json:
        """A block; one whose letters all run from left to right is set so, in a book that does not."""
        made = self._block(block, column)
        foreign = self._leftwards and rightwards("".join(run.text for run in runs_of([block])))
        return {**made, "rightwards": True} if foreign else made

    def _block(self, block: Block, column: float) -> dict[str, Json]:
        match block:
            case Heading():
                level = self._level(block)
                return {"kind": "heading", "level": level, "id": block.id, "spans": self._spans(self._whole(block.spans))}
            case Paragraph():
                return {"kind": "paragraph", "spans": self._spans(block.spans)}
            case BulletList():
                return {"kind": "bullets", "items": self._items(block.items, column)}
            case NumberedList():
                return {"kind": "numbers", "start": block.start, "items": self._items(block.items, column)}
            case TableBlock():
                return self._table(block, column)
            case Figure():
                return self._figure(block)
            case Box():
                title, inner = self._spans(block.title), self.blocks(block.blocks, column)
                about = {"pictured": any(figures_of([block])), "whole": length([block]) < LONG_BOX}
                return {"kind": block.kind, "title": title, "blocks": inner, **about}
            case FigureRow():
                return {"kind": "columns", "row": True, "pictured": True, "blocks": self.blocks(block.figures, column)}
            case Columns():
                parted = [self.blocks(half, column / 2) for half in halves(block.blocks)]
                return {"kind": "columns", "row": False, "pictured": any(figures_of([block])), "halves": parted}
            case Beside():
                return {"kind": "beside", "pictured": True, "blocks": self.blocks((block.figure, *block.blocks), column)}
            case BlockQuote():
                return {"kind": "quote", "blocks": self.blocks(block.blocks, column)}
            case CodeBlock():
                return {"kind": "code", "text": block.text}
            case ThematicBreak():
                return {"kind": "rule"}

    def _whole(self, spans: Spans) -> Spans:
        """A heading that no line's end parts within a word of Chinese or Japanese."""
        if not self._eastern or not is_title(plain(spans), self._eastern):
            return spans
        return tuple(
            replace(span, text=whole_words(span.text)) if isinstance(span, TextRun) and not span.ruby else span
            for span in spans
        )

    def _level(self, heading: Heading) -> int:
        """Heading levels as tagged PDF needs them: the first is 1, none is skipped."""
        self._last = max(1, min(heading.level - self._first + 1, self._last + 1))
        return self._last

    def _items(self, items: Iterable[Blocks], column: float) -> list[Json]:
        return [self.blocks(item, column) for item in items]

    def _table(self, table: TableBlock, column: float) -> dict[str, Json]:
        pictured = any(isinstance(span, InlinePicture) for row in table.rows for cell in row for span in cell)
        return {
            "kind": "table",
            "head": [self._spans(cell) for cell in table.head],
            "rows": [[self._spans(cell) for cell in row] for row in table.rows],
            "align": table.align,
            "widths": widths(table.most, table.words, column),
            "wide": table.wide and self._two,
            "long": len(table.rows) > (FEW_PICTURED if pictured else FEW),
        }

    def _figure(self, figure: Figure) -> dict[str, Json]:
        numbers = dots(figure.notes, self._shots[figure.pictures[0]]) if figure.notes else []
        return {
            "kind": "figure",
            "pictures": figure.pictures,
            "width": asdict(figure.width) if figure.width else None,
            "caption": self._spans(figure.caption),
            "alt": figure.alt,
            "notes": [self._spans(note.spans) for note in figure.notes],
            "dots": [asdict(dot) for dot in numbers],
            "wide": figure.float and self._two,
            "pictured": True,
        }

    def _spans(self, spans: Spans) -> list[Json]:
        bound = [_bound(span, following) for span, following in zip_longest(spans, spans[1:])]
        if self._eastern and bound and isinstance(end := bound[-1], TextRun) and not end.ruby:
            bound[-1] = replace(end, text=whole_end(end.text))
        return [self._span(part) for span in _asides(bound) for part in self._stressed(span)]

    def _stressed(self, span: Span) -> Spans:
        """Italics in Chinese or Japanese, apart from others in the line: their letters have dots instead."""
        if not self._eastern or not isinstance(span, TextRun) or not span.italic or span.ruby:
            return (span,)
        return tuple(replace(span, text=part) for part, _ in stressed(span.text))

    def _lettered(self, run: TextRun) -> list[str]:
        """Splits text so that every second part is symbols, whose font has no italic."""
        return list(self._symbols.split(run.text)) if self._symbols else [run.text]

    def _span(self, span: Span) -> Json:
        match span:
            case TextRun():
                lettered = self._lettered(span)
                if span == TextRun(span.text) and len(lettered) == 1:
                    return span.text
                styles: dict[str, Json] = {"bold": span.bold, "italic": span.italic, "code": span.code}
                if self._eastern and span.italic and any(dots for _, dots in stressed(span.text)):
                    styles |= {"italic": False, "dots": dots_at(self._eastern)}
                if span.ruby:
                    styles["ruby"] = span.ruby
                styles |= {"fill": span.fill, "underline": span.underline, "strike": span.strike}
                return {"text": lettered, **styles}
            case LineBreak():
                return {"break": True}
            case PageNumber():
                return {"page": span.heading, "before": span.before, "after": span.after}
            case Link():
                return {"link": span.href, "spans": self._spans(span.spans)}
            case InlinePicture():
                size = "size" if isinstance(span.size, str) else "mm"
                return {"picture": span.picture, "alt": span.alt, size: span.size}
