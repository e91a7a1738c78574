"""Whatever is taken from or added to the shipped cards is noticed, and named by what it was."""

from __future__ import annotations

import csv
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pnp.check.expected_counts import RULE, check
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.values.problems import Problem, Problems, listed

if TYPE_CHECKING:
    from conftest import TinyProject

ROOT = Path(__file__).resolve().parents[2]
PROWL = "pirates-on-the-prowl"
CONTENT = ROOT / "content" / PROWL

Records = list[dict[str, str]]


def records(name: str) -> Records:
    """A shipped table as Python's own CSV reader sees it."""
    with (CONTENT / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


CARGO = records("cargo")
NAMES = {entry["name"] for table in ("places", "goods") for entry in records(table)}


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Records], list[Problem]]:
    """What is wrong with a copy of the shipped game in which one table has other rows."""
    root = tmp_path_factory.mktemp("prowl")
    shutil.copytree(ROOT / "templates", root / "templates")
    folder = root / "content" / PROWL

    def problems_of(table: str, rows: Records) -> list[Problem]:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(CONTENT, folder, ignore=shutil.ignore_patterns("art", "fonts"))
        with (folder / f"{table}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(records(table)[0]))
            writer.writeheader()
            writer.writerows(rows)
        problems = Problems()
        game = read_game(Project(root), PROWL, problems)
        assert game is not None
        return [*problems, *check(game)]

    return problems_of


def named(problems: list[Problem]) -> set[str]:
    """The values in quotation marks that messages speak of."""
    return {name for problem in problems for name in re.findall(r'"([^"]+)"', problem.message)}


def test_the_shipped_cards_are_complete(changed: Callable[[str, Records], list[Problem]]) -> None:
    """Nothing is wrong with an unchanged copy."""
    assert changed("cargo", CARGO) == []


@pytest.mark.parametrize("row", CARGO, ids=lambda row: row["id"])
def test_a_cargo_card_taken_away_is_named(row: dict[str, str], changed: Callable[[str, Records], list[Problem]]) -> None:
    """Without any one row of cargo.csv its kind, its good and its town or island lack a card, and nothing else does."""
    copies = int(row["copies"])
    problems = changed("cargo", [other for other in CARGO if other is not row])

    assert {problem.rule for problem in problems} == {RULE}
    assert all(problem.place.file == f"content/{PROWL}/cargo.csv" for problem in problems)
    assert f"{60 - copies} copies in the table, 60 promised" in problems[0].message
    lacking = {row["kind"], row["cargo"], row["place"]} - {""}
    if copies == 2:
        # The island's only row: no row is left to point at, so the island is named from the table of places.
        assert problems[-1].hint == f"No row has {row['place']}."
        lacking -= {row["place"]}
    assert named(problems) == lacking
    assert len(problems) == 1 + len({row["kind"], row["cargo"], row["place"]} - {""})


@pytest.mark.parametrize("row", CARGO[::5], ids=lambda row: row["id"])
def test_a_cargo_card_too_many_is_named(row: dict[str, str], changed: Callable[[str, Records], list[Problem]]) -> None:
    """One copy more of any row is told as one too many of its kind, good and place."""
    more = {**row, "copies": str(int(row["copies"]) + 1)}
    problems = changed("cargo", [more if other is row else other for other in CARGO])

    assert named(problems) == {row["kind"], row["cargo"], row["place"]} - {""}
    assert all(problem.hint == "1 too many." for problem in problems)


def test_a_card_of_another_town_is_named_on_both_sides(changed: Callable[[str, Records], list[Problem]]) -> None:
    """A card moved from one town to another leaves the sum right, and still both towns are told, with their rows."""
    row = CARGO[0]
    assert row["place"] == "Tortuga"
    problems = changed("cargo", [{**row, "place": "Nassau"}, *CARGO[1:]])

    assert named(problems) == {"Tortuga", "Nassau"}
    assert sorted(problem.hint for problem in problems) == ["1 missing.", "1 too many."]
    for problem in problems:
        town = "Tortuga" if "Tortuga" in problem.message else "Nassau"
        lines = [str(line) for line, other in enumerate(CARGO[1:], 3) if other["place"] == town]
        assert f"(rows {listed(lines if town == 'Tortuga' else ['2', *lines], 4)})" in problem.message
        # Which of its rows is the wrong one a count does not know.
        assert (problem.place.row, problem.place.column) == (None, "place")


def test_a_misspelt_town_is_only_told_as_misspelt(changed: Callable[[str, Records], list[Problem]]) -> None:
    """A name that is not in the table of places is told once, with the right one, and the towns are not counted with it."""
    row = CARGO[0]
    problems = changed("cargo", [{**row, "place": "Tortgua"}, *CARGO[1:]])

    (found,) = problems
    assert (found.rule, str(found.place)) == ("unknown-reference", f"content/{PROWL}/cargo.csv:2:place")
    assert found.hint == 'Did you mean "Tortuga"? It stands in row 2 of places.csv.'


@pytest.mark.parametrize(
    ("table", "component"), [("bad-luck", "Bad luck"), ("characters", "Captains"), ("tickets", "Treasure tickets")]
)
def test_a_card_too_few_is_told_in_every_deck(
    table: str, component: str, changed: Callable[[str, Records], list[Problem]]
) -> None:
    """One copy less of the last row of a table is told for its deck, by its id."""
    *rows, last = records(table)
    problems = changed(table, [*rows, {**last, "copies": str(int(last["copies"]) - 1)}])

    assert {problem.hint for problem in problems} == {"1 missing."}
    assert all(problem.message.startswith(component) for problem in problems)
    assert named(problems) == {last["id"]}


def test_a_treasure_taken_away_is_named(changed: Callable[[str, Records], list[Problem]]) -> None:
    """Without the ruby ring's row its 8 tickets lack, and every cargo card that pays one is told at its cell."""
    problems = changed("tickets", [row for row in records("tickets") if row["id"] != "ruby-ring"])

    counted = [problem for problem in problems if problem.rule == RULE]
    assert named(counted) == {"ruby-ring"}
    assert {problem.hint for problem in counted} == {"8 missing."}
    unknown = [problem for problem in problems if problem.rule == "unknown-reference"]
    assert {(problem.place.row, problem.place.column) for problem in unknown} == {
        (line, column) for line, row in enumerate(CARGO, 2) for column in ("also", "reward") if row[column] == "Ruby Ring"
    }
    assert len(counted) + len(unknown) == len(problems)


# --- each promise by itself -----------------------------------------------------------------------------

TABLE = "id,kind,copies\na,x,3\nb,x,1\nc,y,2\n"


def told(tiny: TinyProject, promise: str, table: str = TABLE) -> list[Problem]:
    """What the check says of the tiny game with this ``[expect.cards]``."""
    tiny.write("content/tiny/game.toml", f'[game]\nname = "T"\n[component.cards]\nsize = "tcg"\n[expect.cards]\n{promise}\n')
    tiny.write("content/tiny/cards.csv", table)
    problems = Problems()
    game = read_game(tiny.project, "tiny", problems)
    assert game is not None and not len(problems), [str(problem) for problem in problems]
    return list(check(game))


@pytest.mark.parametrize(
    "promise",
    [
        "",
        "copies = 6",
        "different = 3",
        "split = [{ by = 'kind', counts = { x = 4, y = 2 } }]",
        "split = [{ by = 'kind', groups = 2 }]",
        "split = [{ by = 'id', where = { kind = 'x' }, counts = { a = 3, b = 1 } }]",
        "split = [{ by = 'kind', where = { id = 'c' }, groups = 1, each = 2 }]",
        "split = [{ by = 'copies', groups = 3 }]",
        "split = [{ by = 'kind', each = 2, counts = { x = 4 } }]",
        "split = [{ by = 'kind', each = 4, counts = { y = 2 } }]",
        "split = [{ by = 'kind', each = 9, counts = { x = 4, y = 2 } }]",
    ],
)
def test_a_kept_promise_is_silent(tiny: TinyProject, promise: str) -> None:
    """What the table keeps is not told."""
    assert told(tiny, promise) == []


@pytest.mark.parametrize(
    ("promise", "value", "allowed", "words"),
    [
        ("copies = 7", "6", "7", "1 missing."),
        ("copies = 4", "6", "4", "2 too many."),
        ("different = 4", "3", "4", "1 missing."),
        ("split = [{ by = 'kind', counts = { x = 4, y = 3 } }]", "2", "3", 'kind "y" (rows 4)'),
        ("split = [{ by = 'kind', counts = { x = 4 } }]", "y", "x", '"y" is not among the promised values of kind'),
        ("split = [{ by = 'kind', counts = { x = 4, y = 2, z = 1 } }]", "0", "1", 'kind "z"'),
        ("split = [{ by = 'kind', groups = 3 }]", "2", "3", "(x, y)"),
        ("split = [{ by = 'kind', each = 4 }]", "2", "4", 'kind "y"'),
        ("split = [{ by = 'id', where = { kind = 'x' }, each = 3 }]", "1", "3", "Cards, kind x: 1 cop"),
        ("split = [{ by = 'kind', each = 4, counts = { y = 3 } }]", "2", "3", 'kind "y"'),
        ("split = [{ by = 'kind', each = 3, counts = { x = 4 } }]", "2", "3", 'kind "y"'),
        ("split = [{ by = 'kind', each = 2, counts = { x = 4, z = 1 } }]", "0", "1", 'kind "z"'),
    ],
)
def test_a_broken_promise_is_told(tiny: TinyProject, promise: str, value: str, allowed: str, words: str) -> None:
    """Each kind of promise tells what there is, what was promised and where it was promised."""
    (found,) = told(tiny, promise)

    assert (found.rule, found.value, found.allowed) == (RULE, value, allowed)
    assert words in str(found)
    assert "content/tiny/game.toml:" in found.message


@pytest.mark.parametrize("split", ["{ by = 'knd', groups = 2 }", "{ by = 'kind', where = { knd = 'x' }, groups = 2 }"])
def test_a_promise_about_no_column_is_told(tiny: TinyProject, split: str) -> None:
    """A promise about a column that the table has not is told at the promise."""
    (found,) = told(tiny, f"split = [{split}]")

    assert (found.rule, found.value, found.hint) == ("unknown-column", "knd", 'Did you mean "kind"?')
    assert (found.place.file, found.place.row) == ("content/tiny/game.toml", 6)


def test_copies_of_nothing_count_as_nothing(tiny: TinyProject) -> None:
    """A row with 0 copies is a design but no card."""
    assert told(tiny, "copies = 2\ndifferent = 2", "id,copies\na,0\nb,2\n") == []


@pytest.mark.parametrize(("each", "where"), [(2, "cards.csv:8:kind"), (3, "game.toml")])
def test_what_most_values_break_is_told_at_the_promise(tiny: TinyProject, each: int, where: str) -> None:
    """One kind with one card is a card that is missing; where all four kinds are wrong, the promise is."""
    cards = "id,kind\na,red\nb,red\nc,blue\nd,blue\ne,green\nf,green\ng,black\n"
    found = told(tiny, f"split = [{{ by = 'kind', each = {each} }}]", cards)

    assert len(found) == (1 if each == 2 else 4)
    assert all(where in str(problem.place) for problem in found), [str(problem) for problem in found]
