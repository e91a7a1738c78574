"""The conductor of the print plan: what lies on which sheets and pages, and what printing it takes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pnp.draw.plan import PlanLine, draw_plan, picture_room
from pnp.flows.drawn import Drawn
from pnp.flows.ink import face_inks
from pnp.lay.gallery import plan_pictures
from pnp.lay.impose import needed
from pnp.lay.picture import PLAN
from pnp.lay.sheet import FLIP, AnySheet, AssemblySheet, LayoutSheet, Run
from pnp.sandbox.markup import literally
from pnp.shapes.affine import IDENTITY, Rect
from pnp.values.books import Counts, Edition
from pnp.values.faces import Book, Face, Page, PlacedFace
from pnp.values.game import Backs, Component, Paper, Side
from pnp.values.outcome import Options
from pnp.values.problems import listed
from pnp.values.selection import WHOLE, Selection
from pnp.write.ink import Estimate, SheetRun, estimate, page_ink
from pnp.write.pdf import text_width

# Pieces to throw away that the plan names.
MOST_GONE = 3
PLAIN, PLAIN_WEIGHT = "plain paper", 80
# "card, 250-300 g/m²" or "card, 300 g/m²"
_WEIGHTS = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?\s*g/m²")


@dataclass(frozen=True, slots=True)
class Part:
    """A run of sheets in ``print.pdf``: how many, and on which pages."""

    run: Run
    sheets: int
    pages: str


def parts(made: Sequence[AnySheet], paper: Paper, backs: Backs) -> list[Part]:
    """What follows the two pages of the cover, on paper that has room for it."""
    per_sheet = 2 if needed(backs, made) in FLIP else 1
    parts, first = [], 3 if paper.readable else 1
    for run in dict.fromkeys(sheet.run for sheet in made):
        count = sum(1 for sheet in made if sheet.run is run)
        last = first + count * per_sheet - 1
        parts.append(Part(run, count, f"{first}–{last}" if last > first else str(first)))
        first = last + 1
    return parts


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


def thrown_away(gone: Sequence[str]) -> str:
    """What on paper is no longer needed, in a sentence for the plan."""
    return f"No longer needed, throw away: {literally(listed(gone, MOST_GONE))}." if gone else ""


def counts_by_component(made: Sequence[AnySheet], paper: Paper, backs: Backs) -> Counts:
    """Sheets and pages by component, for the books; pages that only show a component are none of its own."""
    shown = {sheet.run for sheet in made if isinstance(sheet, LayoutSheet | AssemblySheet)}
    sheets: dict[str, int] = {}
    pages: dict[str, str] = {}
    for part in parts(made, paper, backs):
        for deck in part.run.decks if part.run not in shown else ():
            name = deck.component.name
            sheets[name] = sheets.get(name, 0) + part.sheets
            pages[name] = f"{pages[name]}, {part.pages}" if name in pages else part.pages
    return Counts(sheets, pages)


def cover(
    drawn: Drawn,
    paper: Paper,
    backs: Backs,
    made: Sequence[AnySheet],
    books: Sequence[PlanLine] = (),
    taken: Estimate | None = None,
    selection: Selection = WHOLE,
) -> list[Page]:
    """The print plan and, on its back, how to cut: the first two pages of ``print.pdf``.

    ``books`` are files of their own; ``taken`` is the ink, paper and cost of the sheets.
    """
    backs = needed(backs, made)
    lines = []
    shown = {sheet.run for sheet in made if isinstance(sheet, LayoutSheet | AssemblySheet)}
    titles = {sheet.run: plan_title(sheet) for sheet in made}
    for part in parts(made, paper, backs):
        run = part.run
        lines.append(
            PlanLine(
                titles[run],
                "" if run in shown else _plan_copies(run),
                part.sheets,
                part.pages,
                PLAIN if run in shown else run.decks[0].component.paper,
                _plan_note(next(sheet for sheet in made if sheet.run is run), backs),
            )
        )
    lines += books
    trial = next((3 + 2 * before for before, sheet in enumerate(made) if sheet.way in FLIP), 3)
    fonts = drawn.studio.tools.fonts

    def lacking(text: str) -> list[str]:
        return fonts.missing(text, fonts.families("body"))

    thrown = thrown_away(selection.gone)
    if lacking(thrown):
        thrown = thrown_away([f"{len(selection.gone)} designs"])
    said = " ".join(filter(None, [taken_in_words(taken) if taken else "", thrown]))
    held = selection.words(lacking(selection.words()))
    front, back = draw_plan(drawn.studio, paper, backs, lines, len(made), said, trial, held)
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
        taken = estimate(shown, sheet_runs(made, options.backs), paper, options.price)
        books = [book_line(edition) for edition in editions if edition.paper == paper]
        covers[paper] = cover(drawn, paper, options.backs, made, books, taken, options.selection)
    return covers


def plan_title(sheet: AnySheet) -> str:
    if isinstance(sheet, LayoutSheet):
        return sheet.layout.title
    if isinstance(sheet, AssemblySheet):
        return sheet.note.capitalize()
    if sheet.run.nested and len(sheet.run.decks) > 1:
        return ", ".join(f"{deck.copies} {deck.component.title}" for deck in sheet.run.decks)
    return sheet.run.title


def _plan_note(sheet: AnySheet, backs: Backs) -> str:
    """What such a sheet is like; in a file with backs, which sheets have none."""
    return sheet.note if backs == "none" or sheet.way != "none" else f"{sheet.note}, one side"


def _plan_copies(run: Run) -> str:
    if run.nested:
        return str(sum(deck.copies for deck in run.decks))
    return " + ".join(str(deck.copies) for deck in run.decks)


def _full(face: Face, side: Side) -> PlacedFace:
    return PlacedFace(face, PLAN, side, IDENTITY, Rect(0, 0, face.width, face.height))


def sheet_runs(made: Sequence[AnySheet], backs: Backs) -> list[SheetRun]:
    """The lines of the print plan for sheets as they lie in a file, in its order."""
    sides = 2 if needed(backs, made) in FLIP else 1
    lines = []
    for run in dict.fromkeys(sheet.run for sheet in made):
        own = [sheet for sheet in made if sheet.run is run]
        plain = isinstance(own[-1], LayoutSheet | AssemblySheet)
        lines.append(
            SheetRun(
                plan_title(own[-1]),
                PLAIN if plain else run.decks[0].component.paper,
                PLAIN_WEIGHT if plain else max(_weight(deck.component) for deck in run.decks),
                len(own),
                len(own) * sides,
            )
        )
    return lines


def _weight(component: Component) -> int:
    """Of its paper in g/m². The words are what a person buys by; a weight outside them was never meant for it."""
    words = _WEIGHTS.search(component.paper)
    if words is None:
        return PLAIN_WEIGHT if component.paper == PLAIN else component.weight
    least, most = int(words[1]), int(words[2] or words[1])
    return component.weight if least <= component.weight <= most else round((least + most) / 2)
