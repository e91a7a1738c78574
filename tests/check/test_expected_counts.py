"""Whatever is taken from or added to the shipped cards is noticed, and named by what it was."""

from __future__ import annotations

import pytest
from conftest import TinyProject, read_whole

from pnp.check.expected_counts import RULE, look
from pnp.values.findings import Subject
from pnp.values.problems import Problem

TABLE = "id,kind,copies\na,x,3\nb,x,1\nc,y,2\n"


def told(tiny: TinyProject, promise: str, table: str = TABLE) -> list[Problem]:
    """What the check says of the tiny game with this ``[expect.cards]``."""
    tiny.put(game_toml=f'[game]\nname = "T"\n[component.cards]\nsize = "tcg"\n[expect.cards]\n{promise}\n', cards_csv=table)
    return list(look(Subject(read_whole(tiny.project))).problems)


@pytest.mark.parametrize(
    "promise",
    [
        "",
        "split = [{ by = 'kind', counts = { x = 4, y = 2 } }]",
        "split = [{ by = 'kind', groups = 2 }]",
        "split = [{ by = 'id', where = { kind = 'x' }, counts = { a = 3, b = 1 } }]",
        "split = [{ by = 'kind', each = 4, counts = { y = 2 } }]",
    ],
)
def test_a_kept_promise_is_silent(tiny: TinyProject, promise: str) -> None:
    """What the table keeps is not told."""
    assert told(tiny, promise) == []


@pytest.mark.parametrize(
    ("promise", "value", "allowed", "words"),
    [
        ("copies = 7", "6", "7", "1 missing."),
        ("different = 4", "3", "4", "1 missing."),
        ("split = [{ by = 'kind', counts = { x = 4 } }]", "y", "x", '"y" is not among the promised values of kind'),
        ("split = [{ by = 'kind', counts = { x = 4, y = 2, z = 1 } }]", "0", "1", 'kind "z"'),
        ("split = [{ by = 'kind', groups = 3 }]", "2", "3", "(x, y)"),
        ("split = [{ by = 'kind', each = 4 }]", "2", "4", 'kind "y"'),
        ("split = [{ by = 'id', where = { kind = 'x' }, each = 3 }]", "1", "3", "Cards, kind x: 1 cop"),
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


@pytest.mark.parametrize(("each", "where"), [(2, "cards.csv:8:kind"), (3, "game.toml")])
def test_what_most_values_break_is_told_at_the_promise(tiny: TinyProject, each: int, where: str) -> None:
    """One kind with one card is a card that is missing; where all four kinds are wrong, the promise is."""
    cards = "id,kind\na,red\nb,red\nc,blue\nd,blue\ne,green\nf,green\ng,black\n"
    found = told(tiny, f"split = [{{ by = 'kind', each = {each} }}]", cards)

    assert len(found) == (1 if each == 2 else 4)
    assert all(where in str(problem.place) for problem in found), [str(problem) for problem in found]
