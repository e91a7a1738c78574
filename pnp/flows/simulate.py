"""Runs ``pnp simulate``, ``ink`` and ``printed``: sheets as colour-blind eyes see them, their ink, that they are on paper.

Sheets are the very pages that a build would write, drawn afresh and kept in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pnp.flows.drawn import Tell, face_inks
from pnp.flows.output import write
from pnp.flows.pipeline import Pipeline
from pnp.flows.plan import sheet_runs
from pnp.flows.print_history import as_drawn, as_file, in_file, kept, together
from pnp.flows.selected import no_such
from pnp.lay.impose import needed
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.system.cache import Cache
from pnp.system.manifest import put_anew
from pnp.system.paths import plain_bytes
from pnp.values.game import Game
from pnp.values.outcome import NoSuchPart, Options, Result, Stock
from pnp.values.problems import Problems
from pnp.write.png import Estimate, estimate, page_ink, render, side_by_side
from pnp.write.printed import MOST_BYTES, NotPrinted, read_printed


def simulate(
    project: Project,
    name: str,
    options: Options,
    kind: str,
    component: str | None,
    wanted: tuple[int, int] | None,
    tell: Tell,
    cache: Cache | None = None,
) -> Result:
    """Writes pictures of pages as such eyes see them into the folder ``simulate``: all, or a range.

    The pages are those of ``print.pdf``, or of a component's own file. Raises NoSuchGame, NoSuchPart, OSError.
    """
    made = Pipeline(project, name, options, Problems(), tell, cache)
    result = Result(name, made.problems)
    if made.drawn is None:
        return result
    if not (decks := [deck for deck in made.decks if component in (None, deck.component.name)]):
        raise no_such("component", str(component), [deck.component.name for deck in made.decks])
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
    pictures = render(made.pdf(chosen, needed(options.backs, shown), "simulation"), options.dpi)
    files = {
        f"simulate/{kind}-{number:02}.png": side_by_side(picture, kind, f"{file}, {paper.name}, page {number}")
        for number, picture in enumerate(pictures, first)
    }
    write(result, options.out, name, files, "simulate")
    return result


def ink(
    project: Project, name: str, options: Options, sheet_price: float, tell: Tell, cache: Cache | None = None
) -> tuple[Result, Estimate | None]:
    """Estimates what the sheets of a game take; empty for a faulty game. Raises NoSuchGame."""
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
    return result, estimate(inks, sheet_runs(made.laid[paper], paper), paper, options.price, sheet_price)


def printed_game(project: Project, name: str, options: Options, tell: Tell, cache: Cache | None = None) -> Result:
    """Records that the game, or a selection of it, is on paper as it is now. What is not selected keeps its record.
    Raises NoSuchGame, NoSuchPart, OSError.
    """
    made = Pipeline(project, name, options, Problems(), tell, cache)
    result = Result(name, made.problems)
    _ = made.chosen
    if made.part is None or made.book is None or made.game is None or made.problems.errors:
        return result
    now = as_drawn(made.part, made.book, made.decks, options)
    selected = {(deck.component.name, piece.id) for deck in made.decks for piece in deck.pieces}
    _put(project, made.game, now, result, selected if options.selection.is_part else None)
    return result


def printed_files(project: Project, name: str, files: Sequence[Path]) -> Result:
    """Records that exactly the pieces on these files' pages are on paper.

    Raises NoSuchGame, NotPrinted, OSError.
    """
    result = Result(name, Problems())
    found = []
    for path in files:
        data = plain_bytes(path, MOST_BYTES)
        said = read_printed(data, path.name).game
        if said != name:
            raise NotPrinted(f"{path.name} is of {said}, and not of {name}" if said else f"{path.name} was not made by pnp")
        found.append(in_file(data, path.name))
        if not found[-1]:
            raise NotPrinted(f"{path.name} has no pieces on its pages that pnp could tell apart")
    game = read_game(project, name, result.problems)
    if game is not None and not result.problems.errors:
        _put(project, game, together(found), result, None)
    return result


def _put(project: Project, game: Game, now: Stock, result: Result, selected: set[tuple[str, str]] | None) -> None:
    path, before = kept(project, game, result.problems)
    if result.problems.errors:
        return
    others = {} if selected is None else {key: entry for key, entry in (before or {}).items() if key not in selected}
    stock = {**others, **now}
    put_anew(path, as_file(stock))
    result.files = [path]
    result.said = f"{sum(entry.copies for entry in stock.values())} pieces of {len(stock)} designs are on paper"
