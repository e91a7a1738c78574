"""Runs ``pnp printed``: records a game's pieces, or those in printed files, as what is on paper now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pnp.flows.drawn import Tell
from pnp.flows.pipeline import Pipeline
from pnp.flows.print_history import as_drawn, as_file, in_file, kept, together
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.system.cache import Cache
from pnp.system.manifest import put_anew
from pnp.system.paths import plain_bytes
from pnp.values.game import Game
from pnp.values.outcome import Options, Result, Stock
from pnp.values.problems import Problems
from pnp.write.printed import MOST_BYTES, NotPrinted, read_printed


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
    """Writes the record: all of it anew, or only the pieces that were ``selected``."""
    path, before = kept(project, game, result.problems)
    if result.problems.errors:
        return
    others = {} if selected is None else {key: entry for key, entry in (before or {}).items() if key not in selected}
    stock = {**others, **now}
    put_anew(path, as_file(stock))
    result.files = [path]
    result.said = f"{sum(entry.copies for entry in stock.values())} pieces of {len(stock)} designs are on paper"
