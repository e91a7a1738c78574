"""Runs ``pnp simulate`` and ``pnp ink``: sheets as colour-blind eyes see them, and the ink and paper they take.

Both are made of the very pages that a build would write, drawn afresh and kept in memory.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pnp.flows.drawn import Tell
from pnp.flows.output import write
from pnp.flows.pictures import face_inks
from pnp.flows.pipeline import Pipeline
from pnp.flows.plan import sheet_runs
from pnp.flows.selected import no_such
from pnp.lay.impose import needed
from pnp.read.project import Project
from pnp.system.cache import Cache
from pnp.values.game import Backs, Ink, Paper
from pnp.values.outcome import NOWHERE, NoSuchPart, Options, Result
from pnp.values.problems import Problems
from pnp.write.ink import Estimate, estimate, page_ink
from pnp.write.png import render, side_by_side

BACKS: Backs = "long-edge"


def simulate(
    project: Project,
    name: str,
    kind: str,
    component: str | None,
    paper: Paper | None,
    wanted: tuple[int, int] | None,
    dpi: int,
    out: Path,
    tell: Tell,
    cache: Cache | None = None,
) -> Result:
    """Writes pictures of pages as such eyes see them into ``out/name/simulate``: all, or a range.

    The pages are those of ``print.pdf``, or of a component's own file. Raises NoSuchGame, NoSuchPart, OSError.
    """
    made = Pipeline(project, name, Options(out, (paper,) if paper else (), BACKS), Problems(), tell, cache)
    result = Result(name, made.problems)
    if made.drawn is None:
        return result
    decks = [deck for deck in made.decks if component in (None, deck.component.name)]
    if not decks:
        known = [deck.component.name for deck in made.decks]
        raise no_such("component", str(component), known)
    if made.problems.errors or not made.papers:
        return result
    paper = made.papers[0]
    # What does not fit another paper is nobody's business here.
    made.options = replace(made.options, papers=(paper,))
    shown = made.laid[paper] if component is None else made.with_shown(decks, paper)
    if made.book is None or made.problems.errors:
        return result
    # Only who looks at the plan waits for the books that it names.
    books = made.editions if component is None and (wanted is None or wanted[0] <= 2) else []
    front = made.planned(books).get(paper, []) if component is None else []
    if made.problems.errors:
        return result
    printed = [*front, *made.pages(shown, paper)]
    file = f"{component or 'print'}.pdf"
    first, last = wanted or (1, len(printed))
    if first > len(printed):
        raise NoSuchPart(f"there is no page {first}: {file} on {paper.name} has {len(printed)}")
    chosen = printed[first - 1 : last]
    tell(f"{name}: simulating {kind}, pages: {len(chosen)}")
    pictures = render(made.pdf(chosen, needed(BACKS, shown), "simulation"), dpi)
    files = {
        f"simulate/{kind}-{number:02}.png": side_by_side(picture, kind, f"{file}, {paper.name}, page {number}")
        for number, picture in enumerate(pictures, first)
    }
    write(result, out, name, files, "simulate")
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
    """Estimates what the sheets of a game take in these ``colours``; empty for a faulty game. Raises NoSuchGame."""
    options = Options(NOWHERE, (paper,) if paper else (), BACKS, ink=colours)
    made = Pipeline(project, name, options, Problems(), tell, cache)
    result = Result(name, made.problems)
    if made.drawn is None or not made.papers:
        return result, None
    paper = made.papers[0]
    made.options = replace(made.options, papers=(paper,))
    if not made.drawable or made.book is None or made.problems.errors:
        return result, None
    printed = made.printed[paper]
    tell(f"{name}: measuring ink, pages: {len(printed)}")
    faces = face_inks(made.drawn, made.book)
    inks = [page_ink(page, faces) for page in printed]
    return result, estimate(inks, sheet_runs(made.laid[paper], paper), paper, price, sheet_price)
