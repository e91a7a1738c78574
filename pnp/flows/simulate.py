"""Looking at a game's sheets before they are printed: as other eyes see them, and what ink and paper they take.

Both are made of the very pages that a build would write, drawn afresh and kept in memory.
"""

from __future__ import annotations

from pathlib import Path

from pnp.flows.books.publish import publish
from pnp.flows.ink import face_inks
from pnp.flows.pipeline import Tell, book_of, pages_of, pdf_of, read_and_draw, sheets_of, shown_sheets
from pnp.flows.plan import counts_by_component, covers_of, sheet_runs
from pnp.lay.assembly import assembly_sheets
from pnp.lay.impose import needed
from pnp.read.project import Project
from pnp.system.cache import Cache
from pnp.system.files import put
from pnp.values.game import Backs, Ink, Paper
from pnp.values.outcome import Options, Output, Result
from pnp.values.problems import Problems, closest, listed
from pnp.write.ink import Estimate, estimate, page_ink
from pnp.write.png import render
from pnp.write.simulate import side_by_side

BACKS: Backs = "long-edge"
NOWHERE = Output(Path(), b"")


class NotThere(Exception):
    """A component or page that the game has not. The text is for the person."""


def simulate(
    project: Project,
    name: str,
    kind: str,
    component: str | None,
    paper: Paper | None,
    wanted: tuple[int, int] | None,
    dpi: int,
    out: Output,
    tell: Tell,
    cache: Cache | None = None,
) -> Result:
    """Pictures of pages as such eyes see them, in ``out/name/simulate``: all, or those from one number to another.

    The pages are those of ``print.pdf``, or of a component's own file. Raises NoSuchGame, NotThere, OSError.
    """
    problems = Problems()
    result = Result(name, problems)
    drawn = read_and_draw(project, name, problems, tell, cache=cache)
    if drawn is None:
        return result
    decks = [deck for deck in drawn.decks if component in (None, deck.component.name)]
    if not decks:
        known = [deck.component.name for deck in drawn.decks]
        hint = closest(str(component), known) or f"Known: {listed(known)}."
        raise NotThere(f'there is no component "{component}". {hint}')
    if problems.errors or not (paper or drawn.game.papers):
        return result
    paper = paper or drawn.game.papers[0]
    made = sheets_of(drawn, decks, paper, BACKS, problems)
    made += shown_sheets(drawn) if component is None else assembly_sheets(decks)
    book = book_of(drawn, problems, tell)
    if book is None or problems.errors:
        return result
    options = Options(out, (paper,), BACKS)
    pages = pages_of(drawn, made, paper, options)
    front = []
    if component is None:
        counted = {paper: counts_by_component(made, BACKS)}
        # Only who looks at the plan waits for the books that it names.
        editions = publish(drawn, book, counted, problems, tell) if wanted is None or wanted[0] == 1 else []
        front = covers_of(drawn, book, {paper: made}, {paper: pages}, editions, options)[paper]
        book = book_of(drawn, problems, tell, book)
        if book is None or problems.errors:
            return result
    printed = [*front, *pages]
    file = f"{component or 'print'}.pdf"
    first, last = wanted or (1, len(printed))
    if first > len(printed):
        raise NotThere(f"there is no page {first}: {file} on {paper.name} has {len(printed)}")
    shown = printed[first - 1 : last]
    tell(f"{name}: simulating {kind}, pages: {len(shown)}")
    pictures = render(pdf_of(drawn, shown, book, needed(BACKS, made), "simulation"), dpi)
    files = {
        f"simulate/{kind}-{number:02}.png": side_by_side(picture, kind, f"{file}, {paper.name}, page {number}")
        for number, picture in enumerate(pictures, first)
    }
    result.files = put(out, name, files, "simulate")
    return result


def ink(
    project: Project,
    name: str,
    paper: Paper | None,
    colours: Ink,
    price: float,
    sheet_price: float,
    tell: Tell,
    cache: Cache | None = None,
) -> tuple[Result, Estimate | None]:
    """What the sheets of a game take, in these ``colours``; none of a game with something wrong. Raises NoSuchGame."""
    problems = Problems()
    result = Result(name, problems)
    drawn = read_and_draw(project, name, problems, tell, colours, cache)
    if drawn is None or problems.errors or not (paper or drawn.game.papers):
        return result, None
    paper = paper or drawn.game.papers[0]
    made = sheets_of(drawn, drawn.decks, paper, BACKS, problems) + shown_sheets(drawn)
    book = book_of(drawn, problems, tell)
    if book is None or problems.errors:
        return result, None
    printed = pages_of(drawn, made, paper, Options(NOWHERE))
    tell(f"{name}: measuring ink, pages: {len(printed)}")
    faces = face_inks(drawn, book)
    inks = [page_ink(page, faces) for page in printed]
    return result, estimate(inks, sheet_runs(made, BACKS), paper, price, sheet_price)
