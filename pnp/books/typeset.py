"""Blocks and pictures → the pages of a book: tagged PDF/UA-1, set by Typst from data."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pnp.books.figures import WIDEST
from pnp.system.cache import Cache, apart, digest, remembered, together
from pnp.values.books import Block, SetBook, Shot, Text
from pnp.values.game import Manual, Paper

if TYPE_CHECKING:
    import typst

# Of a page's height at most so much is one picture; of a large page less.
TALLEST, TALLEST_WIDE = 0.62, 0.46
# Letters from which on a box may be parted by the end of a page; a row of pictures counts as so many.
LONG_BOX, PICTURE = 1700, 450
# A block's end takes as much room as so many letters.
LINE = 25
# Tables of no more rows stay on one page.
FEW, FEW_PICTURED = 14, 8
# From so wide on a page has two columns of text.
TWO_COLUMNS = 180.0
# Room for a letter of a table in mm, generously; a cell's empty rims are as wide as so many letters.
LETTER, CELL_ROOM = 1.8, 2
# A column whose cells have no more letters takes the room that it needs.
SHORT = 18
# A long column has at least the room of so many letters.
LEAST_LONG = 14
# The width of A5, for which sizes are chosen, and the rims of a back cover's panel, in mm.
SMALL_PAGE, BACK_RIMS = 148.0, 28.0
# Between two columns of text, in mm.
GUTTER = 8.0
# Numbers beside a piece stay so far apart, as a share of its height.
APART = 0.075


@dataclass(frozen=True, slots=True)
class House:
    """What all books of a game share: fonts by role, in the order they are tried, the language, and credits.

    ``cache`` keeps what was set; ``makers`` is then a digest of the fonts and whatever else sets books.
    """

    engine: typst.Fonts
    fonts: Mapping[str, Sequence[str]]
    language: str
    author: str
    foot_line: str
    cache: Cache | None = None
    makers: str = ""


class Unset(Exception):
    """The typesetter refused a book; the text says why."""


def typeset(
    manual: Manual, text: Text, shots: Mapping[int, Shot], cover: Shot | None, paper: Paper, house: House
) -> SetBook:
    """The book on pages of this size. Raises Unset."""
    data = json.dumps(_data(manual, text, shots, cover, paper, house), ensure_ascii=False)
    files = {f"{index}.{shot.suffix}": shot.data for index, shot in shots.items()}
    if cover is not None:
        files[f"cover.{cover.suffix}"] = cover.data
    key = digest("book", house.makers, data, *(part for name in sorted(files) for part in (name, files[name])))
    about, pdf = apart(remembered(house.cache, key, lambda: _set(data, files, house.engine)))
    pages, headings, warnings = json.loads(about)
    return SetBook(pdf, pages, headings, tuple(warnings))


def _set(data: str, files: Mapping[str, bytes], engine: typst.Fonts) -> bytes:
    """What is known of the set book, and its PDF. Raises Unset."""
    import typst

    with tempfile.TemporaryDirectory(prefix="pnp-book-") as name:
        folder = Path(name)
        for file, content in files.items():
            (folder / file).write_bytes(content)
        (folder / "manual.json").write_text(data, encoding="utf-8")
        with resources.as_file(resources.files(__package__).joinpath("manual.typ")) as program:
            shutil.copyfile(program, folder / "manual.typ")
        try:
            compiler = typst.Compiler(
                str(folder / "manual.typ"), root=str(folder), font_paths=engine, ignore_system_fonts=True
            )
            pdf, warnings = compiler.compile_with_warnings(format="pdf", timestamp=0, pdf_standards=["ua-1"])
            (made,) = json.loads(compiler.query("<made>", field="value"))
        except (KeyboardInterrupt, SystemExit, MemoryError):
            raise
        except BaseException as error:
            # A Rust panic arrives as a BaseException of the binding's own.
            message = str(getattr(error, "message", "") or error) or type(error).__name__
            raise Unset(message.splitlines()[0]) from None
    assert isinstance(pdf, bytes)
    said = [str(warning.message) for warning in warnings]
    return together(json.dumps([made["pages"], dict(made["headings"]), said]).encode(), pdf)


def _data(
    manual: Manual, text: Text, shots: Mapping[int, Shot], cover: Shot | None, paper: Paper, house: House
) -> dict[str, Any]:
    two = paper.width >= TWO_COLUMNS and manual.form == "book"
    margins = {"inside": 17.0, "outside": 17.0 if two else 13.0, "top": 18.0, "bottom": 16.0}
    column = paper.width - margins["inside"] - margins["outside"]
    column = (column - GUTTER) / 2 if two else column
    blocks, back = _stepped(text)
    size = 9.6 if manual.form == "book" else 9.0
    return {
        "form": manual.form,
        "title": manual.title,
        "subtitle": manual.subtitle,
        "foot": manual.foot,
        "foot-line": house.foot_line,
        "author": house.author,
        "keywords": [manual.subtitle] if manual.subtitle else [],
        "lang": house.language.partition("-")[0],
        "fonts": {"title": list(house.fonts["title"]), "body": list(house.fonts["body"])},
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
        "blocks": [ready(block, shots, column) for block in blocks],
        # The back cover is one page whatever its size: on a large one its text is larger.
        "back-size": round(size * paper.width / SMALL_PAGE, 2),
        "back": [ready(block, shots, SMALL_PAGE - BACK_RIMS) for block in back],
    }


def _stepped(text: Text) -> tuple[list[Block], list[Block]]:
    """Blocks and back as readers of tagged files want them: the first heading at the first level, and no level left out."""
    first = next((block["level"] for block in text.blocks if block["kind"] == "heading"), 1)
    last = 0

    def stepped(block: Block) -> Block:
        nonlocal last
        block = dict(block)
        if block["kind"] == "heading":
            block["level"] = last = max(1, min(block["level"] - first + 1, last + 1))
        if "blocks" in block:
            block["blocks"] = [stepped(each) for each in block["blocks"]]
        if "items" in block:
            block["items"] = [[stepped(each) for each in item] for item in block["items"]]
        return block

    return [stepped(block) for block in text.blocks], [stepped(block) for block in text.back]


def ready(block: Block, shots: Mapping[int, Shot], column: float) -> Block:
    """A block with what pictures and the page decide: an anatomy's numbers, a table's columns, whether a box stays whole."""
    block = dict(block)
    if block["kind"] == "table":
        block["widths"] = widths(block["most"], column)
        pictured = any("picture" in span for row in block["rows"] for cell in row for span in cell)
        block["long"] = len(block["rows"]) > (FEW_PICTURED if pictured else FEW)
    if block["kind"] == "figure" and block["notes"]:
        block["dots"] = dots(block, shots[block["pictures"][0]])
    if block["kind"] in ("note", "example", "side"):
        block["whole"] = _length(block) < LONG_BOX
    if block["kind"] == "columns" and not block["row"]:
        block["halves"] = [[ready(each, shots, column / 2) for each in part] for part in halves(block["blocks"])]
    if "blocks" in block:
        block["blocks"] = [ready(each, shots, column) for each in block["blocks"]]
    if "items" in block:
        block["items"] = [[ready(each, shots, column) for each in item] for item in block["items"]]
    return block


def halves(blocks: Sequence[Block]) -> tuple[list[Block], list[Block]]:
    """Blocks in two columns of about the same length; a list that is alone is parted between its items."""
    if len(blocks) == 1 and blocks[0]["kind"] in ("bullets", "numbers"):
        (only,) = blocks
        cut = _middle([_length(item) + LINE for item in only["items"]])
        later = {**only, "items": only["items"][cut:]}
        if "start" in only:
            later["start"] = only["start"] + cut
        return [{**only, "items": only["items"][:cut]}], [later]
    cut = _middle([_length(block) + LINE for block in blocks])
    # A heading stays with what it is about.
    while 0 < cut < len(blocks) and blocks[cut - 1]["kind"] == "heading":
        cut -= 1
    return list(blocks[:cut]), list(blocks[cut:])


def _middle(lengths: Sequence[int]) -> int:
    """Where a row of lengths is parted most evenly."""
    whole = sum(lengths)
    return min(range(len(lengths) + 1), key=lambda cut: abs(2 * sum(lengths[:cut]) - whole))


def widths(most: Sequence[int], column: float) -> list[float | None]:
    """How the columns of a table share the room, by the letters of their longest cells.

    Narrow tables are as wide as they need; else short columns take what they need (None), long ones a share of the rest.
    """
    room = column / LETTER
    if sum(most) + CELL_ROOM * len(most) <= room:
        return [None] * len(most)
    shares = [round(max(4, min(length, 60)) ** 0.7, 2) for length in most]
    short = sum(length + CELL_ROOM for length in most if length <= SHORT)
    long = [length for length in most if length > SHORT]
    # The rest must be worth having; else all columns share.
    if short + LEAST_LONG * len(long) > room or not long:
        return list(shares)
    return [None if length <= SHORT else share for length, share in zip(most, shares, strict=True)]


def _length(value: Any) -> int:
    """Letters in a block, its pictures counted in."""
    if isinstance(value, dict):
        own = PICTURE * -(-len(value.get("pictures", ())) // 4) + len(str(value.get("text", "")))
        return own + sum(_length(each) for key, each in value.items() if key != "pictures")
    return sum(map(_length, value)) if isinstance(value, list | tuple) else 0


def dots(block: Block, shot: Shot) -> list[dict[str, float]]:
    """For each note: where its number stands at the piece's nearer edge, and where its line ends, at the text's box.

    Shares of the picture. Numbers at one edge are moved apart.
    """
    made = []
    for note in block["notes"]:
        box = shot.boxes.get(note["box"])
        if box is None:
            continue
        middle = (box.x + box.width / 2) / shot.width
        right = middle > 0.5
        end = box.right if right else box.x
        made.append(
            {
                "side": 1.0 if right else -1.0,
                "x": 1.0 if right else 0.0,
                "y": (box.y + box.height / 2) / shot.height,
                "tx": min(1.0, max(0.0, end / shot.width)),
                "ty": (box.y + box.height / 2) / shot.height,
            }
        )
    for side in (-1.0, 1.0):
        last = -1.0
        for dot in sorted((each for each in made if each["side"] == side), key=lambda each: each["y"]):
            dot["y"] = last = max(dot["y"], last + APART)
    return [{key: round(value, 4) for key, value in dot.items()} for dot in made]
