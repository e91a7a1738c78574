"""Sheets that are saved: what lies on one goes into the free room of others, where all of it finds some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from pnp.lay.freeroom import Host, Sort, area_of, sort_of
from pnp.lay.sheet import FLIP, AnySheet, Run, Sheet, in_print_order
from pnp.values.faces import Deck, Piece
from pnp.values.game import Component, Paper

# A sheet whose pieces would lie on more others than these is kept: whoever cuts them out must find them again.
MOST_HOSTS = 4
# Of the sheets of a paper so many, those with most room, are looked at, and what lies on one is tried on another so often.
MOST_OPEN = 200
MOST_TRIALS = 5000


def ganged(made: Sequence[AnySheet], decks: Sequence[Deck], paper: Paper, cutting: bool = False) -> list[AnySheet]:
    """The sheets of some decks, as few as are found, in the order in which they are printed.

    Pieces share a sheet only where that saves one, and never with pieces of which one prints one form or another: who does
    without them would print their sheets all the same.
    """
    components = {deck.component.name: deck.component for deck in decks}
    papers = list(dict.fromkeys(deck.component.paper for deck in decks))
    chosen = {name for each in components.values() if each.instead for name in (each.name, each.instead)}
    hosts = [
        _host(sheet, components, paper, cutting) if isinstance(sheet, Sheet) and not _on(sheet, chosen) else sheet
        for sheet in made
    ]
    for name in papers:
        gone = _saved([host for host in hosts if isinstance(host, Host) and host.sheet.paper == name], components)
        hosts = [host for host in hosts if not any(host is each for each in gone)]
    kept = [host.filled() if isinstance(host, Host) else host for host in hosts]
    return in_print_order(_in_runs(kept, decks), papers)


def _on(sheet: Sheet, names: Set[str]) -> bool:
    return any(piece.component in names for piece in sheet.pieces)


def _host(sheet: Sheet, components: Mapping[str, Component], paper: Paper, cutting: bool) -> Host | Sheet:
    area = None if sheet.by_hand or sheet.template else area_of(sheet, paper, cutting)
    return sheet if area is None else Host(sheet, area, components[sheet.pieces[0].component], list(sheet.pieces))


def _saved(hosts: Sequence[Host], components: Mapping[str, Component]) -> list[Host]:
    """The sheets of one paper that are not needed, for all that lay on them lies on the others now.

    The emptiest are tried first. What does not find room does not find it later: free room only shrinks.
    """
    emptiest = sorted(hosts, key=lambda host: -host.spare)[:MOST_OPEN]
    there = [host for host in hosts if any(host is each for each in emptiest)] if len(hosts) > MOST_OPEN else list(hosts)
    gone: list[Host] = []
    vain: set[object] = set()
    trials = MOST_TRIALS
    for one in emptiest:
        sorts = _sorts(one.pieces, components)
        what = one.sheet.way, tuple((sort, len(pieces)) for sort, pieces in sorts.items())
        least = min(sort.area for sort in sorts)
        others = [host for host in there if host is not one and _goes(one, host) and host.spare >= least]
        # Of two that take as much the one that is printed alike.
        others.sort(key=lambda host: host.sheet.way != one.sheet.way)
        whole = sum(sort.area * len(pieces) for sort, pieces in sorts.items())
        if what in vain or sum(sorted((host.spare for host in others), reverse=True)[:MOST_HOSTS]) < whole:
            continue
        changed, tried = _moved(sorts, others, trials)
        trials -= tried
        if changed is None:
            vain.add(what)
            if trials <= 0:
                break
            continue
        gone.append(one)
        there.remove(one)
        for host, filled in changed:
            host.become(filled)
    return gone


def _goes(one: Host, host: Host) -> bool:
    """Whether what lies on a sheet may lie on another: made in one way, or without backs on one that others have."""
    return one.sheet.way == host.sheet.way or (one.sheet.way == "none" and host.sheet.way in FLIP)


def _sorts(pieces: Sequence[Piece], components: Mapping[str, Component]) -> dict[Sort, list[Piece]]:
    """Pieces by what counts about them, the largest first."""
    found: dict[Sort, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(sort_of(piece, components[piece.component]), []).append(piece)
    return dict(sorted(found.items(), key=lambda each: (-each[0].area, -each[0].width)))


def _moved(
    sorts: Mapping[Sort, Sequence[Piece]], others: Sequence[Host], trials: int
) -> tuple[list[tuple[Host, Host]] | None, int]:
    """Other sheets and what they are with all these pieces, or None; and how often one was tried.

    Each time the sheet that takes most of what is left is filled: so the pieces lie on few.
    """
    left = {sort: list(pieces) for sort, pieces in sorts.items()}
    changed: list[tuple[Host, Host]] = []
    open_to = {host.alike: host for host in reversed(others)}
    waiting, tried = list(others), 0
    while left and len(changed) < MOST_HOSTS:
        best: tuple[float, Host, Host, dict[Sort, int]] | None = None
        for host in list(open_to.values())[::-1]:
            if tried >= trials:
                return None, tried
            tried += 1
            filled = host.copy()
            taken = {sort: filled.take(sort, pieces) for sort, pieces in left.items()}
            area = sum(sort.area * count for sort, count in taken.items())
            if area and (best is None or area > best[0]):
                best = area, host, filled, taken
        if best is None:
            return None, tried
        _, host, filled, taken = best
        changed.append((host, filled))
        waiting.remove(host)
        open_to = {host.alike: host for host in reversed(waiting) if host.alike in open_to}
        left = {sort: pieces[taken[sort] :] for sort, pieces in left.items() if taken[sort] < len(pieces)}
    return (None if left else changed), tried


def _in_runs(made: Sequence[AnySheet], decks: Sequence[Deck]) -> list[AnySheet]:
    """The sheets with the decks that lie on them together, directly or by another's sheets, in the game's order."""
    first = {deck.component.name: at for at, deck in enumerate(decks)}
    group = dict(first)
    for sheet in made:
        if isinstance(sheet, Sheet):
            joined = {group[piece.component] for piece in sheet.pieces}
            group = {name: min(joined) if at in joined else at for name, at in group.items()}
    on_it: dict[object, set[str]] = {}
    for sheet in made:
        if isinstance(sheet, Sheet):
            on_it.setdefault(_together(sheet, group), set()).update(piece.component for piece in sheet.pieces)
    shared = {key: Run(tuple(deck for deck in decks if deck.component.name in names)) for key, names in on_it.items()}
    in_run = [replace(sheet, run=shared[_together(sheet, group)]) if isinstance(sheet, Sheet) else sheet for sheet in made]
    return sorted(in_run, key=lambda sheet: group[sheet.run.decks[0].component.name])


def _together(sheet: Sheet, group: Mapping[str, int]) -> object:
    return group[sheet.pieces[0].component], sheet.way
