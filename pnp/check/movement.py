"""Checks that pieces can move over a board to where they must.

``[movement.BOARD]`` of rules.toml says how pieces move. A move may be of any length, but fields that end it are not
passed, and a field that ``wraps`` leads to the opposite edge, or ends it. Kinds under ``occupied`` are tried open and
closed.

``unreachable``: a goal cannot be reached from every start.
Why: a place that nobody can reach is noticed only while playing.
Example: a square of land in the only opening of an island's bay.
Mend: open the way on the map, or turn the current that closes it.

``trap``: from a field that a piece can get into, it can neither come back to its start nor go on to every goal.
Why: a ship in a dead end is out of the game without a rule that says so.
Example: a current leads into a bay, and nothing leads out; the current is named.
Mend: turn the arrow, or open a second way.

``unfair-starts``: the starts' mean distances to the goals differ by more than ``tolerance``.
Why: whoever starts two steps nearer to everything wins more often.
Example: ``tolerance = "10%"``, and one home has 6.0 steps to the towns, another 7.2.
Mend: move the start or the goals, or state a larger tolerance if the rules make up for it.

``unknown-kind``: ``[movement.BOARD]`` names a kind that is not in the board's legend.
Why: a misspelt kind would make the proof look at nothing.
Example: ``goals = ["twon"]`` with a legend that says town.
Mend: write it as the legend does.

``wrap-nowhere``: a field leads to the opposite edge, and no field is there.
Why: a piece that goes there would have nowhere to arrive.
Example: a bridge on the north edge, but none on the south edge.
Mend: draw the other end, or move the field to an edge.

Covers: every start, goal and field; steps, currents, and fields that end a move.
Not covered: dice, costs, turns, pieces that block each other, what happens on a field. Each step counts the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType

from pnp.dataclass import dataclass
from pnp.shapes.grids import AROUND, GridName, called, corners, distance, neighbours
from pnp.shapes.outline import Ring, area, outlines
from pnp.values.findings import MapShown, Spot, State, Subject, TableShown, reported
from pnp.values.game import Board, Component
from pnp.values.problems import Place, Problem, listed
from pnp.values.sections import Movement
from pnp.values.tables import Row, meant
from pnp.values.walk import grouped, groups, walk

Square = tuple[int, int]

_OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}


@dataclass(frozen=True, slots=True)
class Node:
    """Where one step leads: a square, or squares that count as one."""

    kind: str
    row: Row
    cells: tuple[Square, ...]
    arrow: Square | None = None
    grid: GridName = "square"


@dataclass(frozen=True, slots=True)
class Steps:
    """The graph: fields, and for each the fields that one step leads to, by index."""

    nodes: tuple[Node, ...]
    ways: tuple[tuple[int, ...], ...]
    at: Mapping[Square, int]
    """The field of each square that may be entered."""
    over: Mapping[int, frozenset[int]]
    """From fields that lead to the opposite edge, where to: a move that has entered one goes on there."""
    edges: Mapping[int, str]
    """The edge on which each of these lies."""

    def of_kind(self, kinds: Iterable[str]) -> list[int]:
        wanted = set(kinds)
        return [index for index, node in enumerate(self.nodes) if node.kind in wanted]


def kind_of(row: Row) -> str:
    return row.text("kind")


def is_blocked(row: Row, movement: Movement) -> bool:
    return row.is_yes("blocked") or kind_of(row) in movement.blocked


def steps(board: Board, movement: Movement, closed: Iterable[str] = ()) -> Steps:
    """The graph of a board, without the kinds that are closed."""
    shut, whole = set(closed), {*movement.single, *movement.wraps}
    nodes: list[Node] = []
    for field in board.fields:
        kind = kind_of(field.row)
        if kind in shut or is_blocked(field.row, movement):
            continue
        parts = [field.cells] if field.arrow or kind in whole else [(cell,) for cell in field.cells]
        nodes += [Node(kind, field.row, cells, field.arrow, board.grid) for cells in parts]
    at = {cell: index for index, node in enumerate(nodes) for cell in node.cells}
    edges = {index: edge for index, node in enumerate(nodes) if (edge := edge_of(node, board, movement))}
    around = AROUND if movement.diagonal else neighbours(board.grid)
    over = {index: frozenset(there) for index in edges if (there := across(index, nodes, edges))}

    def ways(index: int, node: Node) -> set[int]:
        if node.arrow:
            dx, dy = node.arrow
            x, y = max(node.cells, key=lambda cell: cell[0] * dx + cell[1] * dy)
            sideways = (-1, 0, 1) if movement.diagonal else (0,)
            near = [(x + dx + side * dy, y + dy + side * dx) for side in sideways]
            return {at[cell] for cell in near if cell in at}
        found = {at[x + dx, y + dy] for x, y in node.cells for dx, dy in around if (x + dx, y + dy) in at} - {index}
        if movement.exits and node.kind not in movement.exits:
            found = {other for other in found if nodes[other].kind in movement.exits}
        return found | over.get(index, frozenset())

    return Steps(tuple(nodes), tuple(tuple(sorted(ways(*each))) for each in enumerate(nodes)), at, over, edges)


def edge_of(node: Node, board: Board, movement: Movement) -> str | None:
    """The edge of the board on which a field lies that leads to the opposite one."""
    if node.kind not in movement.wraps:
        return None
    xs, ys = {x for x, _ in node.cells}, {y for _, y in node.cells}
    sides = {"west": xs == {0}, "east": xs == {board.columns - 1}, "north": ys == {0}, "south": ys == {board.rows - 1}}
    return next((side for side, lies in sides.items() if lies), None)


def across(index: int, nodes: Sequence[Node], edges: Mapping[int, str]) -> set[int]:
    """The fields that one on the edge leads to: those facing it, or any on that edge when none faces it."""
    if index not in edges:
        return set()
    there = {other for other, edge in edges.items() if edge == _OPPOSITE[edges[index]]}
    axis = 0 if edges[index] in ("north", "south") else 1
    mine = {cell[axis] for cell in nodes[index].cells}
    return {other for other in there if mine & {cell[axis] for cell in nodes[other].cells}} or there


def distances(
    ways: Sequence[Iterable[int]],
    start: int,
    ends: Callable[[int], bool],
    over: Mapping[int, frozenset[int]] = MappingProxyType({}),
) -> dict[int, int]:
    """The fewest steps to each field within one move of any length; a field that ends the move is not passed.

    ``over``: fields that a move leaves by these ways alone, unless it began there or came in by such a way.
    """

    def onward(at: tuple[int, bool]) -> Iterator[tuple[int, bool]]:
        here, bound = at
        if here == start or not ends(here):
            crossings = over.get(here, frozenset())
            yield from ((there, there in over and there not in crossings) for there in (crossings if bound else ways[here]))

    found: dict[int, int] = {}
    for (here, _), far in walk([(start, False)], onward):
        found.setdefault(here, far)
    return found


def reversed_ways(ways: Sequence[Iterable[int]]) -> list[list[int]]:
    """From where each field is entered."""
    back: list[list[int]] = [[] for _ in ways]
    for here, others in enumerate(ways):
        for there in others:
            back[there].append(here)
    return back


def where(node: Node) -> str:
    """``column 4, row 7``, of a field's first square; of a hex ``hex G4``."""
    x, y = node.cells[0]
    return f"hex {called(node.grid, (x, y))}" if node.grid != "square" else f"column {x + 1}, row {y + 1}"


def spot_name(nodes: Sequence[Node], index: int) -> str:
    """The name of a field: its own where no other has it, else with its place as well."""
    node = nodes[index]
    name = str(node.row) or node.kind
    alone = sum(1 for other in nodes if other.row is node.row) == 1
    return name if alone else f"{name} at {where(node)}"


def board_map(
    title: str, board: Board, graph: Steps, numbers: Mapping[int, int], starts: set[int], goals: set[int], bad: set[int]
) -> MapShown:
    """Every field with its number; blocked land comes first, so that whatever lies in it is drawn over it."""
    blocked = [field.cells for field in board.fields if not any(cell in graph.at for cell in field.cells)]
    spots = [Spot(_ring(cells, board), "blocked") for cells in blocked]
    for index, node in enumerate(graph.nodes):
        states: list[tuple[bool, State]] = [(index in bad, "bad"), (index in starts, "start"), (index in goals, "goal")]
        state: State = next((state for holds, state in states if holds), "plain")
        spots.append(Spot(_ring(node.cells, board), state, str(numbers[index]) if index in numbers else ""))
    names = [name for name, _ in groupby(spot_name(graph.nodes, index) for index in sorted(bad))]
    return MapShown(title, tuple(spots), f"Marked: {', '.join(names)}." if names else "")


def _ring(cells: Sequence[Square], board: Board) -> Ring:
    rings = [corners(board.grid, cell, board.cell) for cell in cells]
    return rings[0] if len(rings) == 1 else max(outlines(rings), key=area)


MOST_WALKED = 50_000_000
RULES: tuple[str, ...] = ("unreachable", "trap", "unfair-starts", "unknown-kind", "wrap-nowhere")


@reported
def look(subject: Subject) -> Iterator[Problem | TableShown | MapShown]:
    """Every board with rules of movement."""
    components = {component.name: component for component in subject.game.components}
    for movement in subject.game.rules.movements:
        component = components.get(movement.name)
        if component is None or component.board is None:
            continue
        if wrong := list(_unknown_kinds(component.board, movement)) or list(_size(component.board, movement)):
            yield from wrong
            continue
        told: set[tuple[str, Place]] = set()
        for closed in [(), movement.occupied] if movement.occupied else [()]:
            search = _Search(component, component.board, movement, closed)
            found = [*search.nowhere(), *search.unreachable(), *search.traps(), *search.unfair()]
            # What is wrong whether or not a square is occupied is told once.
            yield from (problem for problem in found if (problem.rule, problem.place) not in told)
            told |= {(problem.rule, problem.place) for problem in found}
            yield search.table()
            yield search.map()


def _size(board: Board, movement: Movement) -> Iterator[Problem]:
    graph = steps(board, movement)
    starts, goals = len(graph.of_kind(movement.starts)), len(graph.of_kind(movement.goals))
    if starts * (goals + 1) * len(graph.nodes) > MOST_WALKED:
        message = (
            f"whether all goals of {movement.name} are reached was not looked at: {starts} starts and {goals} goals on "
            f"{len(graph.nodes)} fields are too many"
        )
        hint = "Name kinds of which there are few as starts and goals."
        yield Problem("unreachable", movement.place, message, str(starts), "starts × goals × fields up to 50 million", hint)


def _unknown_kinds(board: Board, movement: Movement) -> Iterator[Problem]:
    rows = [(kind_of(field.row), field.row) for field in board.fields]
    known = dict.fromkeys(kind for kind, _ in rows)
    named = [*movement.single, *movement.wraps, *movement.ends, *movement.starts, *movement.goals]
    named += [*movement.exits, *movement.fair, *movement.blocked, *movement.occupied]
    for what, kinds in (("starts", movement.starts), ("goals", movement.goals)):
        if not kinds:
            message = f"the movement on {movement.name} names no {what}, so that nothing can be proved"
            yield Problem("unknown-kind", movement.place, message, "", listed(known), f'Add {what} = ["…"].')
    for kind in dict.fromkeys(named):
        if kind not in known:
            message = f'no letter of the board {movement.name} is of the kind "{kind}"'
            yield Problem("unknown-kind", movement.place, message, kind, listed(known), meant(kind, rows))


class _Search:
    """One board, its graph and the distances from each start; ``closed`` are kinds that are occupied meanwhile."""

    def __init__(self, component: Component, board: Board, movement: Movement, closed: tuple[str, ...]) -> None:
        self.component, self.board, self.movement = component, board, movement
        self.graph = steps(board, movement, closed)
        self.starts = self.graph.of_kind(movement.starts)
        self.goals = self.graph.of_kind(movement.goals)
        self.wanted = self.graph.of_kind(movement.fair or movement.goals)
        """The goals to which distances count."""
        self.from_start = {start: distances(self.graph.ways, start, self._ends, self.graph.over) for start in self.starts}
        taken = dict.fromkeys(str(field.row) for field in board.fields if kind_of(field.row) in closed)
        self.meanwhile = f" while {listed(taken)} is occupied" if taken else ""
        self.pockets = self._pockets()

    def _ends(self, index: int) -> bool:
        return self.graph.nodes[index].kind in self.movement.ends

    def _name(self, index: int) -> str:
        return spot_name(self.graph.nodes, index)

    def _place(self, index: int) -> Place:
        x, y = self.graph.nodes[index].cells[0]
        if self.board.grid != "square":
            return Place(self.board.place.file, None, called(self.board.grid, (x, y)))
        return Place(self.board.place.file, y + 1, str(x + 1))

    def nowhere(self) -> Iterator[Problem]:
        for index in self.graph.of_kind(self.movement.wraps):
            if index not in self.graph.over:
                why = "nothing lies on the opposite edge" if index in self.graph.edges else "it lies on no edge"
                message = f"the {self.graph.nodes[index].kind} at {where(self.graph.nodes[index])} leads nowhere: {why}"
                yield Problem("wrap-nowhere", self._place(index), message, hint="Draw its other end on the opposite edge.")

    def unreachable(self) -> Iterator[Problem]:
        missed = ((tuple(start for start in self.starts if goal not in self.from_start[start]), goal) for goal in self.goals)
        for missing, goals in grouped(each for each in missed if each[0]).items():
            every = len(missing) > 1 and len(missing) >= len(self.starts) - (goals[0] in self.starts)
            froms = f"any of the {len(missing)} starts" if every else listed(map(self._name, missing))
            names = listed(map(self._name, goals))
            message = f"{names} cannot be reached from {froms}{self.meanwhile}"
            only_start = len(missing) == 1 and len(goals) > 1
            place = self._place(missing[0] if only_start else goals[0])
            yield Problem("unreachable", place, message, names, hint=self._wall(missing[0], goals[0]))

    def _wall(self, start: int, goal: int) -> str:
        name = self._name(goal)
        if goal in self._any_moves(start, self.graph.ways):
            return f"{name} is only reached by passing a field that ends the move."
        squares = self.graph.nodes[goal].cells

        def gap(index: int) -> int:
            cells = self.graph.nodes[index].cells
            return min(distance(self.board.grid, cell, square) for cell in cells for square in squares)

        nearest = min(self.from_start[start], key=lambda index: (gap(index), index))
        near = (
            [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            if self.board.grid == "square"
            else neighbours(self.board.grid)
        )
        around = [(x + dx, y + dy) for x, y in squares for dx, dy in near]
        rows = {cell: field.row for field in self.board.fields for cell in field.cells}
        walls = dict.fromkeys(str(rows[cell]) for cell in around if cell in rows and is_blocked(rows[cell], self.movement))
        behind = f"; around {name} lie {listed(walls)}" if walls else ""
        return f"From {self._name(start)} a piece gets no nearer to {name} than {where(self.graph.nodes[nearest])}{behind}."

    def _any_moves(self, start: int, ways: Sequence[Sequence[int]]) -> set[int]:
        return set(distances(ways, start, lambda _: False))

    def _pockets(self) -> list[list[int]]:
        """Fields that are got into and never left again, in connected groups."""
        caught: dict[int, None] = {}
        for start in self.starts:
            # Where a start ends the move it is somebody's own: others do not set out from there.
            others = {other for other in self.starts if other != start and self._ends(other)}
            ways = [() if index in others else way for index, way in enumerate(self.graph.ways)]
            back = reversed_ways(ways)
            inside = self._any_moves(start, ways) - self._any_moves(start, back) - others
            if inside:
                for goal in self.goals:
                    if not inside <= (reaching := self._any_moves(goal, back)):
                        caught.update(dict.fromkeys(sorted(inside - reaching)))
        both = [[*way, *back] for way, back in zip(self.graph.ways, reversed_ways(self.graph.ways), strict=True)]
        return list(map(sorted, groups(caught, both.__getitem__)))

    def traps(self) -> Iterator[Problem]:
        back = reversed_ways(self.graph.ways)
        for pocket in self.pockets:
            reached = set().union(*(self._any_moves(start, self.graph.ways) for start in self.starts)) - set(pocket)
            doors = [index for index in pocket if reached & set(back[index])] or pocket[:1]
            nodes = self.graph.nodes
            names = listed(f"the {nodes[door].kind} at {where(nodes[door])}" for door in doors[:3])
            size = f" (a pocket of {len(pocket)} fields)" if len(pocket) > 1 else ""
            message = f"a piece that gets into {names}{size} never comes back to its start{self.meanwhile}"
            current = any(nodes[door].arrow for door in doors)
            hint = "Turn its arrow, or open another way out." if current else "Open a way out."
            yield Problem("trap", self._place(doors[0]), message, names, hint=hint)

    def _measured(self) -> dict[int, dict[int, int]]:
        """The distances that count, by start; other starts than one itself are goals like any."""
        return {
            start: {goal: found[goal] for goal in self.wanted if goal in found and goal != start}
            for start, found in self.from_start.items()
        }

    def _means(self) -> dict[int, float]:
        return {start: sum(far.values()) / len(far) for start, far in self._measured().items() if far}

    def unfair(self) -> Iterator[Problem]:
        """The nearest and the farthest start when they differ too much; missed goals are told by themselves."""
        tolerance = self.movement.tolerance
        means = self._means()
        if tolerance is None or len(means) < 2:
            return
        if any(goal not in found for found in self.from_start.values() for goal in self.wanted):
            return
        near, far = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
        if means[far] <= means[near] * (1 + tolerance) + 1e-9:
            return
        more = means[far] / means[near] - 1
        message = (
            f"from {self._name(far)} it is {means[far]:.2f} steps to the goals in the mean, from {self._name(near)} "
            f"only {means[near]:.2f}: {more:.1%} more{self.meanwhile}"
        )
        allowed = f"at most {tolerance:.0%} more ({self.movement.place})"
        hint = "Bring one nearer, or move the goals; the table of distances shows each start."
        yield Problem("unfair-starts", self._place(far), message, f"{more:.1%}", allowed, hint)

    def table(self) -> TableShown:
        rows = []
        for start, steps_to in self._measured().items():
            farthest = max(steps_to, key=steps_to.__getitem__, default=None)
            rows.append(
                (
                    self._name(start),
                    f"{sum(steps_to.values()) / len(steps_to):.2f}" if steps_to else "–",
                    str(max(steps_to.values(), default="–")),
                    self._name(farthest) if farthest is not None else "–",
                    str(sum(goal not in self.from_start[start] for goal in self.wanted)),
                )
            )
        means = sorted(self._means().values())
        note = f"The largest mean is {means[-1] / means[0] - 1:.1%} above the smallest" if means else ""
        if note and self.movement.tolerance is not None:
            note += f"; {self.movement.tolerance:.0%} is allowed"
        title = f"Steps to the goals, {self.component.title}{self.meanwhile}"
        return TableShown(title, ("Start", "Mean", "Largest", "Farthest", "Unreachable"), tuple(rows), note and f"{note}.")

    def map(self) -> MapShown:
        best: dict[int, int] = {}
        for found in self.from_start.values():
            for index, far in found.items():
                best[index] = min(far, best.get(index, far))
        bad = {goal for goal in self.goals if any(goal not in found for found in self.from_start.values())}
        bad |= {index for pocket in self.pockets for index in pocket}
        title = f"{self.component.title}: steps from the nearest start{self.meanwhile}"
        return board_map(title, self.board, self.graph, best, set(self.starts), set(self.goals), bad)
