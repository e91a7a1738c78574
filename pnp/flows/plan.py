"""The conductor of the print plan: what lies on which sheets and pages, and what printing it takes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from pnp.draw.plan import PlanLine, draw_plan, picture_room
from pnp.flows.drawn import Drawn
from pnp.flows.ink import face_inks
from pnp.lay.gallery import plan_pictures
from pnp.lay.impose import needed
from pnp.lay.picture import PLAN
from pnp.lay.sheet import PLAIN, AnySheet, AssemblySheet, LayoutSheet, PosterSheet, Sheet, shows, sides
from pnp.shapes.affine import IDENTITY, Rect
from pnp.values.books import Counts, Edition
from pnp.values.faces import Book, Face, Page, PlacedFace
from pnp.values.game import Backs, Component, Paper, Side
from pnp.values.outcome import Options
from pnp.write.ink import Estimate, SheetRun, estimate, page_ink
from pnp.write.pdf import text_width

PLAIN_WEIGHT = 80
# "card, 250-300 g/m²" or "card, 300 g/m²"
_WEIGHTS = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?\s*g/m²")


@dataclass(frozen=True, slots=True)
class Part:
    """Sheets of a run in a file: which, and on which pages."""

    sheets: tuple[AnySheet, ...]
    pages: str


def parts(made: Sequence[AnySheet], paper: Paper) -> list[Part]:
    """What follows the two pages of the cover, on paper that has room for it: the sheets of each run follow each other."""
    parts = []
    for _, own in groupby(zip(made, first_pages(made, paper), strict=True), key=lambda each: id(each[0].run)):
        sheets, starts = zip(*own, strict=True)
        parts.append(
            Part(sheets, pages_in_words([(start, sides(sheet)) for start, sheet in zip(starts, sheets, strict=True)]))
        )
    return parts


def first_pages(made: Sequence[AnySheet], paper: Paper) -> list[int]:
    """On which page of the file each sheet begins."""
    first = 3 if paper.readable else 1
    return list(accumulate(map(sides, made[:-1]), initial=first)) if made else []


def pages_in_words(sheets: Sequence[tuple[int, int]]) -> str:
    """ "3–5, 8": the pages of sheets that begin on a page and take so many."""
    ranges: list[list[int]] = []
    for first, count in sheets:
        if ranges and ranges[-1][1] == first - 1:
            ranges[-1][1] = first + count - 1
        else:
            ranges.append([first, first + count - 1])
    return ", ".join(f"{first}–{last}" if last > first else str(first) for first, last in ranges)


def book_line(edition: Edition) -> PlanLine:
    """A rulebook's line in the plan: it is folded, or cut, from a file of its own."""
    title = edition.manual.name.replace("-", " ").capitalize()
    note = f"{edition.printed}, flip on short edge"
    return PlanLine(title, "", edition.sheets, "its own", PLAIN, note)


def taken_in_words(taken: Estimate) -> str:
    """Ink, paper and cost in a line for the plan."""
    kilos = f"{taken.grams / 1000:.1f} kg" if taken.grams >= 950 else f"{taken.grams:.0f} g"
    cost = f", about {taken.cost:.2f} for {taken.pages} printed pages" if taken.cost else ""
    return f"Ink covers about {taken.coverage:.0f} % of a page; the paper weighs {kilos}{cost}."


def counts_by_component(made: Sequence[AnySheet], paper: Paper) -> Counts:
    """On how many sheets, and on which pages, a component lies, for the books; where it is only shown, it does not lie."""
    lies: dict[str, list[tuple[int, int]]] = {}
    for sheet, first in zip(made, first_pages(made, paper), strict=True):
        for name in _counted(sheet):
            lies.setdefault(name, []).append((first, sides(sheet)))
    return Counts(
        {name: len(sheets) for name, sheets in lies.items()},
        {name: pages_in_words(sheets) for name, sheets in lies.items()},
    )


def _counted(sheet: AnySheet) -> Counter[str]:
    """How many pieces, and parts of pieces, of each component lie on a sheet."""
    if isinstance(sheet, Sheet):
        return Counter(piece.component for piece in sheet.pieces)
    return Counter([sheet.piece.component] if isinstance(sheet, PosterSheet) and not shows(sheet) else [])


def cover(
    drawn: Drawn,
    paper: Paper,
    backs: Backs,
    made: Sequence[AnySheet],
    books: Sequence[PlanLine] = (),
    taken: Estimate | None = None,
) -> list[Page]:
    """The print plan and, on its back, how to cut: the first two pages of ``print.pdf``.

    ``books`` are files of their own; ``taken`` is the ink, paper and cost of the sheets.
    """
    backs = needed(backs, made)
    lines = []
    for part in parts(made, paper):
        sheet = part.sheets[0]
        copies = "" if shows(sheet) else _plan_copies(part.sheets)
        lines.append(
            PlanLine(plan_title(sheet), copies, len(part.sheets), part.pages, sheet.paper, _plan_note(sheet, backs))
        )
    lines += books
    in_words = taken_in_words(taken) if taken else ""
    starts = [(first, sides(sheet)) for first, sheet in zip(first_pages(made, paper), made, strict=True)]
    sided = (
        pages_in_words([each for each in starts if each[1] == 2]),
        pages_in_words([each for each in starts if each[1] == 1]),
    )
    # What has backs stands first.
    front, back = draw_plan(drawn.studio, paper, backs, lines, len(made), in_words, 3, sided)
    pictures = plan_pictures(drawn.decks, picture_room(paper, lines), text_width)
    return [
        Page(paper, (_full(front, "front"), *pictures), "front", "What to print"),
        Page(paper, (_full(back, "back"),), "back", "How to print and cut"),
    ]


def covers_of(
    drawn: Drawn,
    book: Book,
    laid: Mapping[Paper, Sequence[AnySheet]],
    printed: Mapping[Paper, Sequence[Page]],
    editions: Sequence[Edition],
    options: Options,
) -> dict[Paper, list[Page]]:
    """The plan for each readable paper, with the books and what printing takes; ``printed``: the sides of what is laid."""
    inks = face_inks(drawn, book)
    covers = {}
    for paper, made in laid.items():
        if not paper.readable:
            continue
        shown = [page_ink(page, inks) for page in printed[paper]]
        taken = estimate(shown, sheet_runs(made, paper), paper, options.price)
        books = [book_line(edition) for edition in editions if edition.paper == paper]
        covers[paper] = cover(drawn, paper, options.backs, made, books, taken)
    return covers


def plan_title(sheet: AnySheet) -> str:
    """What such sheets are called."""
    if isinstance(sheet, LayoutSheet):
        return sheet.layout.title
    if isinstance(sheet, AssemblySheet):
        return sheet.note.capitalize()
    return f"How to join: {sheet.run.title}" if shows(sheet) else sheet.run.title


def _plan_note(sheet: AnySheet, backs: Backs) -> str:
    """What such a sheet is like; in a file with backs, which sheets have none."""
    return sheet.note if backs == "none" or sheet.way != "none" else f"{sheet.note}, one side"


def _plan_copies(own: Sequence[AnySheet]) -> str:
    """How many pieces of each of their decks lie on sheets."""
    if not isinstance(own[0], Sheet):
        return str(own[0].run.decks[0].copies)
    lies = Counter(piece.component for sheet in own if isinstance(sheet, Sheet) for piece in sheet.pieces if piece.part == 1)
    return " + ".join(str(lies[deck.component.name]) for deck in own[0].run.decks)


def _full(face: Face, side: Side) -> PlacedFace:
    return PlacedFace(face, PLAN, side, IDENTITY, Rect(0, 0, face.width, face.height))


def sheet_runs(made: Sequence[AnySheet], paper: Paper) -> list[SheetRun]:
    """The lines of the print plan for sheets as they lie in a file, in its order."""
    lines = []
    for part in parts(made, paper):
        sheet = part.sheets[0]
        weight = PLAIN_WEIGHT if shows(sheet) else max(_weight(deck.component) for deck in sheet.run.decks)
        lines.append(SheetRun(plan_title(sheet), sheet.paper, weight, len(part.sheets), sum(map(sides, part.sheets))))
    return lines


def _weight(component: Component) -> int:
    """Of its paper in g/m². The words are what a person buys by; a weight outside them was never meant for it."""
    words = _WEIGHTS.search(component.paper)
    if words is None:
        return PLAIN_WEIGHT if component.paper == PLAIN else component.weight
    least, most = int(words[1]), int(words[2] or words[1])
    return component.weight if least <= component.weight <= most else round((least + most) / 2)
