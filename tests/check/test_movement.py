"""Boards are walked by their own rules of movement: what is cut off, what traps and what is unfair is found and named."""

from __future__ import annotations

import pytest
from boards import board, movement, subject
from conftest import ROOT, examples, read_whole
from hypothesis import given, settings
from hypothesis import strategies as st
from sea import AROUND, PROWL_BOARDS, Sea

from pnp.check.movement import distances, look, steps
from pnp.read.project import Project
from pnp.values.findings import MapShown
from pnp.values.game import Game
from pnp.values.problems import Problem

PROWL = "pirates-on-the-prowl"


def told(text: str, **changed: object) -> list[Problem]:
    """What is wrong with a board of these rows, moved on as in Pirates on the Prowl."""
    changed = {"tolerance": None} | changed
    sea = board(text)
    assert sea.board is not None
    kinds = {field.row["kind"] for field in sea.board.fields}
    rules = movement(**changed)
    known = {
        name: tuple(kind for kind in getattr(rules, name) if kind in kinds)
        for name in ("single", "wraps", "ends", "goals", "exits", "fair", "occupied", "blocked")
        if name not in changed
    }
    return list(look(subject([sea], movements=[rules.model_copy(update=known)])).problems)


def rules_of(problems: list[Problem]) -> list[str]:
    """The rules that fired."""
    return [problem.rule for problem in problems]


@pytest.fixture(scope="module")
def prowl() -> Game:
    """The shipped game."""
    return read_whole(Project(ROOT), PROWL)


@pytest.mark.parametrize("name", PROWL_BOARDS)
@pytest.mark.parametrize("open_square", [True, False], ids=["davy-away", "davy-at-home"])
def test_steps_are_those_of_the_board_facts(prowl: Game, name: str, open_square: bool) -> None:
    """From each home every field is as many steps away as code that shares nothing with ours says."""
    sea = Sea(name, open_square)
    (component,) = (one for one in prowl.components if one.name == name)
    assert component.board is not None
    graph = steps(component.board, movement(name), () if open_square else ("davy",))
    ends = ("town", "island", "home")
    for home in graph.of_kind(["home"]):
        ours = distances(graph.ways, home, lambda index: graph.nodes[index].kind in ends, graph.over)
        theirs = sea.distances(frozenset(graph.nodes[home].cells))
        assert {frozenset(graph.nodes[index].cells): far for index, far in ours.items()} == theirs


@pytest.mark.parametrize(
    "text",
    [
        "11..AA",
        # A current leads on straight and to both squares beside that one.
        "1.....\n1>>#A.\n......",
        # Bridges join opposite edges, though land lies between.
        "#==##\n#1.##\n#####\n##.A#\n#==##",
    ],
)
def test_a_sound_sea_is_silent(text: str) -> None:
    """Whatever can be reached and left again is not told."""
    assert told(text) == []


def test_what_is_cut_off_is_named_with_the_starts_that_miss_it() -> None:
    """Two halves of a sea: each home misses what lies in the other half, and the nearest square is told."""
    problems = told("11.#AA\n1..#..\n...#22")

    assert [problem.message for problem in problems] == [
        "Onehome cannot be reached from Twohome",
        "Avery, Twohome cannot be reached from Onehome",
    ]
    assert "From Onehome a piece gets no nearer to Avery than column 3, row 1; around Avery lie Land." in problems[1].hint


def test_a_field_that_ends_a_move_is_not_passed() -> None:
    """A town behind a town is not reached within a move, and the hint says why."""
    (problem,) = told("1.#AA#B\n1.AAA..")

    assert problem.rule == "unreachable"
    assert problem.message == "Bristow cannot be reached from Onehome"
    assert "only reached by passing a field that ends the move" in problem.hint
    assert told("1.#AA#B\n1.AAA..", ends=("home",)) == []


def test_corners_count_only_with_diagonal_steps() -> None:
    """A sea that touches in a corner is one sea, or two."""
    assert told("1.#\n##A") == []
    assert rules_of(told("1.#\n##A", diagonal=False)) == ["unreachable"]


def test_a_pocket_that_only_a_current_leads_into_is_a_trap() -> None:
    """The current is named; turned round it is none, for nobody gets into the pocket."""
    (problem,) = told("11..A\n####.\n#..<.\n####.", goals=("town", "home"))

    assert problem.rule == "trap"
    assert "the current at column 4, row 3 (a pocket of 3 fields) never comes back" in problem.message
    assert str(problem.place) == "sea.txt:3:4"
    assert told("11..A\n####.\n#..>.\n####.", goals=("town", "home")) == []


def test_a_way_on_to_every_goal_is_no_trap() -> None:
    """A race down a river never comes back to its start, and need not; where homes are goals as well it must."""
    assert told("1.>A", goals=("town",), exits=()) == []
    assert rules_of(told("1.>A.>B", goals=("town", "home"), exits=(), ends=())) == ["trap"]


def test_an_unfair_start_is_told_with_both_means() -> None:
    """Two steps for one home and four for the other are 100 % more; a larger tolerance lets them be."""
    text = "1.A...2\n......."
    (problem,) = told(text, tolerance=0.1)

    assert (problem.rule, problem.value) == ("unfair-starts", "100.0%")
    assert "from Twohome it is 4.00 steps to the goals in the mean, from Onehome only 2.00" in problem.message
    assert told(text, tolerance=1.0) == told(text, tolerance=None) == []


def test_an_occupied_square_is_tried_open_and_closed() -> None:
    """A strait that is passed only over Davy's square is told as it is while he sits there, and only once."""
    (problem,) = told("1.*.A")

    assert problem.rule == "unreachable"
    assert problem.message == "Avery cannot be reached from Onehome while Davy is occupied"
    assert told("1.*.A", occupied=()) == []
    assert told("1.*.A\n.....") == []
    assert rules_of(told("1.#.A\n*.#..")) == ["unreachable"]


def test_a_bridge_without_its_other_end_is_told() -> None:
    """A bridge on one edge only, and one that lies in the middle."""
    (problem,) = told("1.A.\n...=")
    assert (problem.rule, str(problem.place)) == ("wrap-nowhere", "sea.txt:2:4")
    assert "nothing lies on the opposite edge" in problem.message
    assert told("1.A.\n=..=") == []
    (problem,) = told("1.....\n..=..A\n......")
    assert "it lies on no edge" in problem.message


def test_a_misspelt_kind_is_told() -> None:
    """A kind that no letter has would prove nothing; so would no goal at all."""
    (problem,) = told("1.A", goals=("twon",))
    assert (problem.rule, problem.value) == ("unknown-kind", "twon")
    assert problem.hint == 'Did you mean "town"? It stands in row 3 of legend.csv.'
    (problem,) = told("1.A", goals=())
    assert problem.rule == "unknown-kind" and "no goals" in problem.message


def test_the_map_shows_the_steps_and_what_is_cut_off() -> None:
    """Starts, goals, land and what is bad have their own marks; each field its steps from the nearest start."""
    sea = board("1..#A\n...#.\nB..#.")
    rules = movement(
        occupied=(), wraps=(), single=("town", "home"), ends=("town",), goals=("town",), exits=("sea",), fair=()
    )
    report = look(subject([sea], movements=[rules]))
    (drawn,) = (shown for shown in report.shown if isinstance(shown, MapShown))
    found = {spot.ring[0]: (spot.state, spot.text) for spot in drawn.spots}

    assert found[0, 0] == ("start", "0")
    assert found[0, 20] == ("goal", "2")
    assert found[40, 0] == ("bad", "")
    assert found[30, 0] == ("blocked", "")
    assert found[20, 20] == ("plain", "2")
    assert "Avery" in drawn.note


@given(st.lists(st.text("..##><^vA", min_size=4, max_size=4), min_size=1, max_size=4), st.booleans())
@settings(max_examples=examples(150), deadline=None)
def test_reachability_is_that_of_a_walk_square_by_square(rows: list[str], diagonal: bool) -> None:
    """On any small sea, the squares reached are those that spreading from square to square finds."""
    text = "\n".join(["1...", *rows])
    letters = {(x, y): letter for y, row in enumerate(text.split("\n")) for x, letter in enumerate(row)}
    arrows = {">": (1, 0), "<": (-1, 0), "^": (0, -1), "v": (0, 1)}
    near = AROUND if diagonal else [(1, 0), (-1, 0), (0, 1), (0, -1)]
    reached = {(0, 0)}
    for _ in range(len(letters) ** 2):
        new = set(reached)
        for x, y in reached:
            if letters[x, y] not in arrows:
                new |= {(x + dx, y + dy) for dx, dy in near}
                continue
            dx, dy = arrows[letters[x, y]]
            ahead = (x + dx, y + dy)
            new |= {ahead, (x - dx, y - dy)} & {cell for cell in letters if letters[cell] == letters[x, y]}
            if letters.get(ahead) != letters[x, y]:
                new |= {(x + dx + side * dy, y + dy + side * dx) for side in ((-1, 0, 1) if diagonal else (0,))}
        new = {cell for cell in new if letters.get(cell, "#") != "#"}
        if new == reached:
            break
        reached = new
    try:
        sea = board(text)
    except AssertionError:
        return  # a current against the land is the reader's to tell
    graph = steps(sea.board, movement(single=(), wraps=(), ends=(), exits=(), diagonal=diagonal))  # type: ignore[arg-type]
    found = distances(graph.ways, graph.at[0, 0], lambda _: False)
    assert {cell for index in found for cell in graph.nodes[index].cells} == reached
