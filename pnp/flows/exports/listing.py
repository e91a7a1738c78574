"""The list beside pictures: which file is which piece, and how many copies of it there are."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pnp.flows.exports.target import Held, Job
from pnp.flows.outputs import Made

NAME = "list.csv"
COLUMNS = ("game", "component", "id", "copies", "side", "product", "file", "width", "height")
# A list that an export wrote is far smaller.
MOST_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class Line:
    """A picture."""

    component: str
    id: str
    """"" for the back that all pieces of the component have."""
    copies: int
    side: str
    file: str
    size: tuple[float, float]
    """In dots; of pages in mm, without bleed."""
    product: str = ""


def listing(job: Job, lines: Sequence[Line]) -> Made:
    """``list.csv``, a row for each picture."""
    game, text = job.kit.game, io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for line in lines:
        writer.writerow(
            [
                game.name,
                line.component,
                line.id,
                line.copies,
                line.side,
                line.product,
                line.file,
                *(f"{side:g}" for side in line.size),
            ]
        )
    return Made(NAME, text.getvalue().encode(), "the list", game.place_of("game"))


def held(data: bytes) -> Held | None:
    """The pieces of a list that an export wrote."""
    if len(data) > MOST_BYTES:
        return None
    try:
        rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
        if not rows or tuple(rows[0]) != COLUMNS:
            return None
        fronts = [row for row in rows if row["id"] and row["side"] in ("front", "face 1")]
        found = Counter[str]()
        for row in fronts:
            found[f"{row['component']}/{row['id']}"] += int(row["copies"])
    except (ValueError, TypeError, csv.Error):
        return None
    return Held(rows[0]["game"], found, some=True)
