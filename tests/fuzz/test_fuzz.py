"""No game, however broken, makes pnp show a traceback, hang, or leave with a code that is not 0, 1, 2 or 3."""

from __future__ import annotations

from pathlib import Path

import pytest
from bases import base, here, sound
from cases import Bench, Case, Fault, cases, seed, write
from commands import run
from conftest import examples
from hypothesis import HealthCheck, Phase, given, settings

QUICK = settings(
    derandomize=True,
    database=None,
    deadline=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)
SEEDS = sorted(here().glob("*.json"))


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """One folder for all cases, in memory where there is such a place."""
    return Bench(tmp_path_factory.mktemp("fuzz"))


@pytest.mark.parametrize("name", [*sound()])
def test_what_is_broken_was_whole(tmp_path: Path, name: str) -> None:
    """Fuzzing starts from games in which nothing is wrong: what it then finds, it has caused."""
    write(base(name), tmp_path)

    assert run("check", "--no-draw", at=tmp_path).code == 0


def test_a_fault_of_ours_is_seen(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bench means something: a command that raises is a fault, told by its cause."""
    monkeypatch.setattr("pnp.read.game.read_game", lambda *_: 1 / 0)

    with pytest.raises(Fault, match="ZeroDivisionError"):
        bench.run(base("tiny"), ["list"])


@settings(QUICK, max_examples=examples(250))
@given(cases(drawn=False))
def test_no_broken_game_breaks_reading(bench: Bench, case: Case) -> None:
    """Tables, game files, templates and books as no person would write them: problems, never a traceback."""
    assert bench.run(case.files(), case.command) in (0, 1, 2, 3)


@settings(QUICK, max_examples=examples(25))
@given(cases(drawn=True))
def test_no_broken_game_breaks_printing(bench: Bench, case: Case) -> None:
    """The same drawn, built, previewed and weighed."""
    assert bench.run(case.files(), case.command) in (0, 1, 2, 3)


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.stem)
def test_what_broke_once_stays_mended(bench: Bench, path: Path) -> None:
    """Each case that ever made a traceback leaves with its code, and says what is wrong."""
    files, command, code = seed(path)

    assert bench.run(files, command) == code
