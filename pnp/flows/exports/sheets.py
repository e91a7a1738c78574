"""``sheets``: plain pictures of many faces in a grid, with an index, for any program that takes such."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from pnp.flows.exports.target import Job, Target
from pnp.flows.outputs import Made
from pnp.values.kit import FORMS, Look, Part

# No side of a sheet is longer: what most programs and graphics cards take.
MOST = 4096
WIDTH = 400
GRID = (10, 7)
COLUMNS = ("component", "id", "name", "copies", "side", "sheet", "column", "row", "x", "y", "width", "height")


@dataclass(frozen=True, slots=True)
class Entry:
    """A face, and which copies of which piece it is of."""

    id: str
    name: str
    copies: int
    side: str
    look: Look


def make(job: Job) -> Iterator[Made]:
    """``COMPONENT-N.png`` with its faces from the top left, row by row; where each is stands in ``index.csv``."""
    index: list[tuple[str | int, ...]] = []
    for part in job.kit.parts:
        yield from _part(job, part, index)
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows([COLUMNS, *index])
    place = job.kit.game.place_of("game")
    yield Made("index.csv", text.getvalue().encode(), "the index", place)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in index]
    yield Made("index.json", (json.dumps(rows, ensure_ascii=False, indent=1) + "\n").encode(), "the index", place)


def _part(job: Job, part: Part, index: list[tuple[str | int, ...]]) -> Iterator[Made]:
    entries = entries_of(part)
    width = job.choices.width or WIDTH
    height = max(1, round(width * part.height / part.width))
    columns, rows = job.choices.grid or GRID
    columns, rows = max(1, min(columns, MOST // width)), max(1, min(rows, MOST // height))
    each = columns * rows
    for start in range(0, len(entries), each):
        some = entries[start : start + each]
        name = f"{part.name}-{start // each + 1}.png"
        for at, entry in enumerate(some):
            down, across = divmod(at, columns)
            where = (name, across + 1, down + 1, across * width, down * height, width, height)
            index.append((part.name, entry.id, entry.name, entry.copies, entry.side, *where))
        data = job.darkroom.kept(
            ["sheet", repr((width, height, columns)), *(entry.look.key for entry in some)],
            partial(_sheet, job, some, (width, height), columns),
        )
        yield Made(name, data, f'a sheet of "{part.name}"', part.component.place)


def entries_of(part: Part) -> list[Entry]:
    """The faces of a part, each once for each piece that has another, backs that are all alike once."""
    entries = []
    for thing in part.things:
        for number, side in enumerate(thing.sides, 1):
            entries.append(Entry(thing.id, thing.title, thing.copies, f"face {number}", side))
        if not thing.sides:
            entries.append(Entry(thing.id, thing.title, thing.copies, "front", thing.front))
        if thing.back and part.back is None:
            entries.append(Entry(thing.id, thing.title, thing.copies, "back", thing.back))
    if part.back is not None:
        entries.append(Entry("", part.title, sum(thing.copies for thing in part.things), "back", part.back))
    return entries


def _sheet(job: Job, entries: Sequence[Entry], size: tuple[int, int], columns: int) -> bytes:
    from PIL import Image

    width, height = size
    pictures = job.darkroom.looks([(entry.look, size) for entry in entries])
    clear = any(picture.mode == "RGBA" for picture in pictures)
    across, down = min(columns, len(pictures)), -(-len(pictures) // columns)
    sheet = Image.new("RGBA" if clear else "RGB", (across * width, down * height), (255, 255, 255, 0) if clear else "white")
    for at, picture in enumerate(pictures):
        sheet.paste(picture, (at % columns * width, at // columns * height))
    target = io.BytesIO()
    sheet.save(target, "PNG", compress_level=6)
    return target.getvalue()


TARGET = Target(
    "sheets of pictures in a grid, with an index, for any program that takes such",
    "Each sheet has its faces from the top left, row by row. index.csv and index.json say which is where, in dots.",
    frozenset(FORMS.values()),
    make,
    frozenset({"grid", "width"}),
)
