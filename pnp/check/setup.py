"""Checks that the set-up takes no more than the box holds.

``set-up``: for some number of players the set-up takes more than the box holds, or lays more on squares than the board
has.

Why: a set-up that works for four players may lack pieces for five.
Example: four sailors for each of up to eight players, and 30 sailors.
Mend: raise the copies, take less, or lower the player count in ``[setup]``.

Covers: every player count of ``[setup]``; all takes of a component at once, overlapping ones too, exactly.
Not covered: what is drawn later, and what the rulebook says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations

from pnp.check.evaluator import Evaluator, broken, number_of
from pnp.dataclass import dataclass
from pnp.values.findings import Report, Subject, TableShown, report
from pnp.values.game import Component, Game
from pnp.values.problems import Fault, Place, Problem, closest, listed
from pnp.values.sections import Setup, Take
from pnp.values.tables import Row


def too_many(needs: Sequence[int], sources: Sequence[Collection[int]], supply: Sequence[int]) -> list[int] | None:
    """Takes that together need more than their sources have, none of them needlessly; None when all can be served.

    ``needs``: what each take takes; ``sources``: from which sources; ``supply``: what each source has.
    By augmenting paths (Ford and Fulkerson); where none is left, the takes that were reached are those of Hall's theorem.
    """
    given = [[0] * len(supply) for _ in needs]
    left = list(supply)
    reached: set[int] = set()
    seen: set[int] = set()

    def serve(take: int, wanted: int) -> int:
        """Gives a take more, where others can take theirs from elsewhere; how much came."""
        reached.add(take)
        for source in sources[take]:
            if source in seen:
                continue
            seen.add(source)
            if came := min(wanted, left[source]):
                left[source] -= came
            for other, taken in enumerate(given if not came else ()):
                if taken[source] and other not in reached and (came := serve(other, min(wanted, taken[source]))):
                    taken[source] -= came
                    break
            if came:
                given[take][source] += came
                return came
        return 0

    for take, missing in enumerate(needs):
        while missing:
            reached.clear()
            seen.clear()
            if not (came := serve(take, missing)):
                return _least(sorted(reached), needs, sources, supply)
            missing -= came
    return None


def _least(takes: list[int], needs: Sequence[int], sources: Sequence[Collection[int]], supply: Sequence[int]) -> list[int]:
    """As few of these takes as still need too many."""

    def short(chosen: list[int]) -> bool:
        shared = set[int]().union(*(sources[take] for take in chosen))
        return sum(needs[take] for take in chosen) > sum(supply[source] for source in shared)

    for take in list(takes):
        fewer = [other for other in takes if other != take]
        if short(fewer):
            takes = fewer
    return takes


RULE = "set-up"
RULES = (RULE,)


Demand = tuple[Take, tuple[int, ...]]
"""A take, and what it needs for each player count."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Rows of a component from which something is taken, with all that is taken of just these."""

    component: Component
    where: tuple[tuple[str, str], ...]
    rows: frozenset[Row]
    takes: tuple[Take, ...]
    needed: tuple[int, ...]
    """How many are taken in all for each player count."""

    @property
    def title(self) -> str:
        """In words: ``Tickets: Diamond Crown`` for one row that its id or name picks, ``Tickets, value 3000`` else."""
        if len(self.rows) == 1 and [column for column, _ in self.where] in (["id"], ["name"]):
            return f"{self.component.title}: {next(iter(self.rows))}"
        return self.component.title + "".join(f", {column} {value}" for column, value in self.where)


def look(subject: Subject) -> Report:
    """The set-up against the supply, and a table of what is taken and left over."""
    setup = subject.game.rules.setup
    if setup is None or not setup.takes:
        return report()
    problems: list[Problem] = []
    demands = _demands(setup, Evaluator(subject.game), problems)
    pools = _pools(subject.game, demands)
    problems += _short(pools, setup)
    problems += _crowded(setup, demands, subject.game)
    return report(problems, [_table(setup, demands, pools)] if demands else [])


def _crowded(setup: Setup, demands: Sequence[Demand], game: Game) -> Iterator[Problem]:
    """Takes that lie on squares of the board, and are more than it has."""
    boards = [component for component in game.components if component.board]
    for take, needed in demands:
        for at, (players, number) in enumerate(zip(setup.players, needed, strict=True)):
            there = {other.component for other, numbers in demands if numbers[at]}
            rooms = [_squares(each, take.on) for each in boards if each.name in there] or [
                _squares(each, take.on) for each in boards
            ]
            if take.on and number > (room := max(rooms, default=0)):
                place = Place(take.place.file, take.place.row, f"{take.place.column}.on")
                message = f"with {players} players {number} ({take.what}) lie on squares of the kind {take.on}"
                yield Problem(RULE, place, f"{message}, and the board has {room}", str(number), f"at most {room}")
                break


def _squares(component: Component, kind: str) -> int:
    fields = component.board.fields if component.board else ()
    return sum(len(field.cells) for field in fields if field.row.text_of("kind") == kind)


def _demands(setup: Setup, evaluator: Evaluator, problems: list[Problem]) -> list[Demand]:
    demands = []
    for take in setup.takes:
        place = Place(take.place.file, take.place.row, f"{take.place.column}.number")
        try:
            needed = tuple(number_of(evaluator, take, players) for players in setup.players)
        except Fault as bad:
            problems.append(broken(bad, place))
        else:
            demands.append((take, needed))
    return demands


def taken(game: Game) -> list[tuple[str, tuple[int, ...]]]:
    """What the set-up takes in words, and how many for each player count; what has no value is left to the checks."""
    setup = game.rules.setup
    return [(take.what, needed) for take, needed in _demands(setup, Evaluator(game), [])] if setup else []


def _pools(game: Game, demands: Sequence[Demand]) -> list[Pool]:
    components = {component.name: component for component in game.components}
    by_rows: dict[tuple[str, frozenset[Row]], list[Demand]] = {}
    for take, needed in demands:
        if component := components.get(take.component):
            rows = [row for row in component.table if all(row.matches(*said) for said in take.where.items())]
            key = (take.component, frozenset(rows)) if rows else (f"{take.component} {take.where}", frozenset())
            by_rows.setdefault(key, []).append((take, needed))
    found = []
    for (_, picked), made in by_rows.items():
        takes, needs = zip(*made, strict=True)
        where = tuple(takes[0].where.items())
        found.append(Pool(components[takes[0].component], where, picked, takes, tuple(map(sum, zip(*needs, strict=True)))))
    return found


def _supply(pools: Iterable[Pool]) -> int:
    return sum(row.copies for row in frozenset[Row]().union(*(pool.rows for pool in pools)))


def _short(pools: Sequence[Pool], setup: Setup) -> Iterator[Problem]:
    """Pools that give less than is taken: each by itself, then those that share rows, together."""
    for component in dict.fromkeys(pool.component.name for pool in pools):
        enough: list[Pool] = []
        for pool in (pool for pool in pools if pool.component.name == component):
            if problem := _missing([pool], setup):
                yield problem
            else:
                enough.append(pool)
        while chosen := _together(enough, setup):
            if problem := _missing(chosen, setup):
                yield problem
            enough.remove(chosen[-1])


def _together(pools: Sequence[Pool], setup: Setup) -> list[Pool]:
    """Some that are short together; none when every take can be served with every number of players."""
    shared: dict[frozenset[int], int] = {}
    for row in pools[0].component.table if pools else ():
        users = frozenset(index for index, pool in enumerate(pools) if row in pool.rows)
        shared[users] = shared.get(users, 0) + row.copies
    sources = [[source for source, users in enumerate(shared) if index in users] for index in range(len(pools))]
    for count in range(len(setup.players)):
        found = too_many([pool.needed[count] for pool in pools], sources, list(shared.values()))
        if found is not None:
            return [pools[index] for index in found]
    return []


def _missing(pools: Sequence[Pool], setup: Setup) -> Problem | None:
    supply, needs = _supply(pools), map(sum, zip(*(pool.needed for pool in pools), strict=True))
    if not (needed := {players: need for players, need in zip(setup.players, needs, strict=True) if need > supply}):
        return None
    players, most = max(needed.items(), key=lambda entry: (entry[1], entry[0]))
    others = [f"{count} with {each}" for each, count in needed.items() if each != players]
    what = " and ".join(pool.title for pool in pools)
    takes = [take for pool in pools for take in pool.takes]
    hint = f"{most - supply} missing." + (f" It takes too many with other numbers, too: {listed(others)}." if others else "")
    message = (
        f"with {players} players the set-up takes {most} of {what} ({listed(take.what for take in takes)}), "
        f"and {supply or 'none'} {'is' if supply == 1 else 'are'} there"
    )
    return Problem(RULE, takes[0].place, message, str(most), f"at most {supply}", f"{hint} {_near(pools)}".rstrip())


def _near(pools: Sequence[Pool]) -> str:
    for pool in pools:
        for column, value in pool.where if not pool.rows else ():
            known = dict.fromkeys(row.text_of(column) for row in pool.component.table)
            if value not in known and not any(row.matches(column, value) for row in pool.component.table):
                return f'No row has {column} "{value}". {closest(value, known)}'
    return ""


def _table(setup: Setup, demands: Sequence[Demand], pools: Sequence[Pool]) -> TableShown:
    rows = []
    for take, needed in demands:
        rows.append((f"{take.what}{', each' if take.per == 'player' else ''}", *map(str, needed)))
    for component in dict.fromkeys(pool.component.name for pool in pools):
        own = [pool for pool in pools if pool.component.name == component]
        overlap = any(one.rows & other.rows for one, other in combinations(own, 2))
        for pool in own if not overlap else ():
            left = [_supply([pool]) - need for need in pool.needed]
            rows.append((f"left over: {pool.title}", *map(_left, left)))
        if overlap:
            left = [own[0].component.copies - sum(needs) for needs in zip(*(pool.needed for pool in own), strict=True)]
            rows.append((f"left over: {own[0].component.title}", *map(_left, left)))
    return TableShown("Set-up", ("players", *map(str, setup.players)), tuple(rows))


def _left(count: int) -> str:
    return str(count) if count >= 0 else f"{-count} missing"
