"""Checks that everything an ``[economy]`` has players earn can be earned.

The report shows the fewest exchanges that earn everything.

``never-earned``: no chain of exchanges, begun with the rows of ``free`` tables, leads to a row of the ``earn``
components.
Why: players would try to earn what cannot be earned.
Example: the only card that pays a crown asks for a crown.
Mend: let a card that can be done give it, or take it out of ``earn``.

``never-cashed``: an exchange can never be done.
Why: such a card is of no use in the game.
Example: a card asks for a ring, and no card gives one.
Mend: ask for something that can be had, or let some card give what it asks for.

Covers: every row of the ``earn`` components and every exchange.
Not covered: amounts, for nothing is used up; luck, turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import count

from pnp.dataclass import dataclass
from pnp.values.findings import Subject, TableShown, reported
from pnp.values.game import Component, Game
from pnp.values.problems import Problem, listed
from pnp.values.sections import Economy
from pnp.values.tables import Row
from pnp.values.walk import grouped

RULES: tuple[str, ...] = ("never-earned", "never-cashed")

Key = tuple[str, int | None, str]
MOST_TOLD = 100
"""Exchanges of one chain that the report tells; chains may branch, and grow without end."""


def _key(row: Row) -> Key:
    return row.place.file, row.place.row, row.id


@dataclass(frozen=True, slots=True)
class Deal:
    """A row that changes something into something else."""

    component: Component
    row: Row
    needs: tuple[tuple[str, Row], ...]
    """Column and what it refers to."""
    gives: tuple[Row, ...]


@reported
def look(subject: Subject) -> Iterator[Problem | TableShown]:
    """Finds what can never be earned or cashed, and proves how the rest is earned; nothing without ``[economy]``."""
    economy = subject.game.rules.economy
    if economy is None:
        return
    deals = list(_deals(subject.game))
    tables = {component.name: component.table for component in subject.game.components} | dict(subject.game.tables)
    chains = _run(deals, (row for name in economy.free for row in tables.get(name, ())))
    wanted = [
        (component, row)
        for component in subject.game.components
        if component.name in economy.earn
        for row in component.table
        if row.copies
    ]
    yield from _never_earned(wanted, deals, chains, economy)
    yield from _never_cashed(deals, chains)
    if wanted or deals:
        yield _shown(wanted, deals, chains)


def _deals(game: Game) -> Iterator[Deal]:
    """All exchanges, in the order written; a row that is printed no time is in nobody's hand."""
    components = {component.name: component for component in game.components}
    for exchange in game.rules.exchanges:
        if not (component := components.get(exchange.component)):
            continue
        for row in component.table:
            if row.copies and all(row.matches(column, text) for column, text in exchange.where.items()):
                needs = tuple((column, other) for column in exchange.needs if (other := _referred(row, column)))
                gives = (_referred(row, column) for column in exchange.gives)
                yield Deal(component, row, needs, tuple(other for other in gives if other and other.copies))


def _referred(row: Row, column: str) -> Row | None:
    cell = row.cells.get(column)
    return cell.value if cell and isinstance(cell.value, Row) else None


Chains = Mapping[Key, tuple[int, Deal | None]]
"""For all that can be had, the fewest exchanges that lead to it, and the last of these; none for what is free."""


def _run(deals: Sequence[Deal], free: Iterable[Row]) -> Chains:
    """The cheapest way to each thing that can be had: Knuth's generalisation of Dijkstra's algorithm (1977)."""
    needs = [{_key(row) for _, row in deal.needs} for deal in deals]
    lacking, waiting = list(map(len, needs)), grouped((key, number) for number, keys in enumerate(needs) for key in keys)
    chains: dict[Key, tuple[int, Deal | None]] = {}
    # Equal ones in the order in which they come up.
    turns = count()
    found: list[tuple[int, int, Key, Deal | None]] = [(0, next(turns), _key(row), None) for row in free]

    def done(deal: Deal) -> None:
        cost = 1 + sum(chains[_key(row)][0] for _, row in deal.needs)
        for row in deal.gives:
            heappush(found, (cost, next(turns), _key(row), deal))

    heapify(found)
    for deal in deals:
        if not deal.needs:
            done(deal)
    while found:
        cost, _, key, last = heappop(found)
        if key in chains:
            continue
        chains[key] = cost, last
        for number in waiting.get(key, ()):
            lacking[number] -= 1
            if not lacking[number]:
                done(deals[number])
    return chains


def _steps(key: Key, chains: Chains) -> list[Deal]:
    last = chains[key][1]
    return [] if last is None else [*(step for _, row in last.needs for step in _steps(_key(row), chains)), last]


def _lacking(deal: Deal, chains: Mapping[Key, object]) -> list[tuple[str, Row]]:
    return [(column, row) for column, row in deal.needs if _key(row) not in chains]


def _never_earned(
    wanted: list[tuple[Component, Row]], deals: list[Deal], chains: Mapping[Key, object], economy: Economy
) -> Iterator[Problem]:
    for component, row in wanted:
        if _key(row) in chains:
            continue
        ways = [deal for deal in deals if any(given is row or _key(given) == _key(row) for given in deal.gives)]
        hint = f"No exchange gives it ({economy.place})."
        if ways:
            told = [f"{deal.row} needs {' and '.join(str(need) for _, need in _lacking(deal, chains))}" for deal in ways]
            hint = f"{listed(told, 4)}."
        message = f"{component.title}: whoever starts with nothing never earns {row}"
        yield Problem("never-earned", row.place, message, str(row), hint=hint)


def _never_cashed(deals: list[Deal], chains: Mapping[Key, object]) -> Iterator[Problem]:
    for deal in deals:
        if lacking := _lacking(deal, chains):
            missing = " and ".join(str(row) for _, row in lacking)
            message = (
                f"{deal.component.title}: {deal.row} can never be done, for nobody who starts with nothing gets {missing}"
            )
            hint = "Ask for something that can be earned, or let an exchange give it."
            yield Problem("never-cashed", deal.row.place_of(lacking[0][0]), message, missing, hint=hint)


def _shown(wanted: list[tuple[Component, Row]], deals: list[Deal], chains: Chains) -> TableShown:
    rows = []
    for _, row in wanted:
        cost = chains[_key(row)][0] if _key(row) in chains else -1
        counted = {-1: "never", 0: "free"}.get(cost, str(cost) if cost <= MOST_TOLD else f"more than {MOST_TOLD}")
        rows.append((str(row), counted, _told(_steps(_key(row), chains)) if 0 <= cost <= MOST_TOLD else ""))
    done = sum(1 for deal in deals if not _lacking(deal, chains))
    note = f"{done} of {len(deals)} exchanges can be done by somebody who starts with nothing."
    return TableShown("How everything is earned", ("what", "exchanges", "the shortest way"), tuple(rows), note)


def _told(steps: Iterable[Deal]) -> str:
    told = []
    for deal in steps:
        needs, gives = (" and ".join(map(str, rows)) for rows in ([row for _, row in deal.needs], deal.gives))
        told.append(f"{deal.row} with {needs} for {gives}" if needs else f"{deal.row} for {gives}")
    return ", then ".join(told)
