"""The campaign of changes means something: what it makes is a real change, and what it says of one is so."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from changes import Bench, changed, chosen, games, place, reason
from harmless import HARMLESS
from kinds import KINDS
from making import Change
from sources import ROOT, Edit, Source, prose

from pnp.values.problems import Place, Problem


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A copy of the games for all tests."""
    return Bench(tmp_path_factory.mktemp("changes"))


def change(game: str, file: str, was: str, now: str, kind: str = "copies") -> Change:
    """A change of words that stand once in a file."""
    text = (ROOT / f"content/{game}/{file}").read_text(encoding="utf-8")
    assert text.count(was) == 1
    return Change(kind, game, (Edit(f"content/{game}/{file}", at := text.index(was), at + len(was), now),), "", was, now)


def test_the_same_seed_makes_the_same_changes_and_another_one_others() -> None:
    """Whoever runs the campaign again looks at the same changes; who wants fresh ones gets them."""
    copies = {"copies": KINDS["copies"], "map": KINDS["map"]}

    assert chosen(copies, games(), 20, 1) == chosen(copies, games(), 20, 1)
    assert chosen(copies, games(), 20, 1) != chosen(copies, games(), 20, 2)


@pytest.mark.parametrize("kind", [*KINDS, *HARMLESS])
def test_each_kind_changes_something(kind: str) -> None:
    """There is none that today's games leave without an example, and each example reads otherwise than the game."""
    made = chosen({kind: (KINDS | HARMLESS)[kind]}, games(), 10, 3)

    assert made
    for each in made:
        texts = {edit.file: (ROOT / edit.file).read_text(encoding="utf-8") for edit in each.edits}
        assert changed(each, texts) != texts


def test_kinds_and_games_have_about_the_same_share() -> None:
    """No kind is tried twice as often as another one, and no game half as often as its share."""
    made = chosen(KINDS, games(), 200, 1)
    kinds, names = Counter(each.kind for each in made), Counter(each.game for each in made)

    assert len(made) == 200
    assert max(kinds.values()) - min(kinds.values()) <= 1
    assert min(names.values()) >= 20


def test_cells_and_values_stand_where_they_are_said_to() -> None:
    """A change lands in the cell or the value that it is about, also in texts of several lines."""
    for name in games():
        source = Source(name)
        for cell in source.cells:
            typed = source.texts[source.file_of(cell.table)][cell.start : cell.end]
            assert typed in (cell.text, '"{}"'.format(cell.text.replace('"', '""')))
        for file in ("game.toml", "rules.toml"):
            for token in source.tokens(file):
                assert source.texts[source.path(file)][token.start : token.end] == token.text


def test_only_what_people_read_is_prose() -> None:
    """Numbers in code, links, symbols, years and list marks are no numbers of a text; those of captions are."""
    text = '1. Pay 2 {{ count("x4", 5) }} of [7 coins](8) :d9: in 1715 {{ face("a", width="6mm", caption="3 cards") }}\n'

    read = prose(text)

    assert len(read) == len(text)
    assert re.findall(r"\d+", read) == ["2", "7", "3"]


def test_what_is_found_is_told_with_its_place_and_nothing_stays_changed(bench: Bench) -> None:
    """A promise that the table does not keep: found without drawing, and the promise's line is named."""
    more = change("penguin", "game.toml", "[expect.pouch]\ncopies = ", "[expect.pouch]\ncopies = 1")

    verdict = bench.look(more, harmless=False)

    assert "expected-counts" in [problem.rule for problem in verdict.found]
    assert verdict.place == "named" and not verdict.drawn
    for file in ("game.toml", "chips.csv"):
        shipped, copied = (root / "content/penguin" / file for root in (ROOT, bench.root))
        assert copied.read_bytes() == shipped.read_bytes()


def test_what_is_harmless_is_silent(bench: Bench) -> None:
    """A remark more in game.toml."""
    verdict = bench.look(change("penguin", "game.toml", "[expect.chips]\n", "# Chips\n[expect.chips]\n"), harmless=True)

    assert verdict.found == () and verdict.fault == ""


def test_a_fault_of_pnp_is_no_finding(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the check itself fails, that is told, and the change was not found."""
    monkeypatch.setattr("changes.check_game", lambda *_, **__: 1 / 0)

    verdict = bench.look(change("penguin", "game.toml", "[expect.chips]\n", "# Chips\n[expect.chips]\n"), harmless=True)

    assert "ZeroDivisionError" in verdict.fault and not verdict.found


@pytest.mark.parametrize(
    ("row", "message", "expected"),
    [(3, "no", "row"), (7, "in row 3 there are 4", "named"), (7, "rows 3, 4", "named"), (7, "in 3", "file")],
)
def test_a_finding_is_placed_at_the_row_that_names_it_or_elsewhere(row: int, message: str, expected: str) -> None:
    """At the row itself, at another place that names the row, or only somewhere in the file."""
    cell = Source("penguin").tables["chips"][1]["copies"]
    made = Change("copies", "penguin", (Edit("content/penguin/chips.csv", cell.start, cell.end, "5"),), "", cell.text, "5")
    texts = {made.edits[0].file: (ROOT / made.edits[0].file).read_text(encoding="utf-8")}

    assert place(made, texts, [Problem("r", Place("content/penguin/chips.csv", row), message)]) == expected
    assert place(made, texts, [Problem("r", Place("content/penguin/rules.toml", 3), "no")]) == "elsewhere"


def test_a_reason_is_given_for_what_it_is_about_only() -> None:
    """Nothing that a rule could find is excused by chance: a kind that no reason speaks of has none."""
    assert reason(change("penguin", "game.toml", "[expect.chips]\n", "", kind="no-such-kind")) == ""
