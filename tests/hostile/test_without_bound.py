"""Files that are small, and whose reading, proving or telling would take hours: soon named; and channels that are shut."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, TINY_GAME, TinyProject
from limits import bounded
from test_watchdog import LIMITS, SHORT, ran

from pnp.books.markdown import parse
from pnp.read.game import read_game
from pnp.sandbox.expressions import Expressions
from pnp.system.watchdog import CAN_FORK
from pnp.values.problems import Fault, Problems

LOTS = 8000
full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("".join(f'[component.c{at}]\nsize = "tcg"\n' for at in range(LOTS)), f"there are {LOTS + 1}, and 500 are the most"),
        ("".join(f"[strange{at}.a]\nx = 1\n" for at in range(LOTS)), '"strange0" is not a key here'),
    ],
    ids=["components", "sections"],
)
def test_thousands_of_sections_are_soon_told(tiny: TinyProject, more: str, said: str) -> None:
    """However many there are, each is looked up once."""
    tiny.write("content/tiny/game.toml", TINY_GAME + more)
    problems = Problems()
    with bounded(seconds=3):
        assert read_game(tiny.project, "tiny", problems) is None

    assert any(said in problem.message for problem in problems), next(iter(problems))


def test_a_long_sum_is_soon_read() -> None:
    """The time to compile it grew with the cube of its length."""
    with bounded(seconds=1), pytest.raises(Fault, match="it is nested too deeply"):
        Expressions({}).compile(" + ".join(["a"] * 300)).value({"a": 1})


def test_thousands_of_equal_headings_are_soon_read() -> None:
    """Each looked through all before it as often as there were any."""
    text = "# H\n\n" * 2000
    with bounded(seconds=0.5):
        assert parse(text, text, (), "en").ids[-1] == "h-2000"


@pytest.mark.parametrize("part", ["_a_ ", "a  \n"], ids=["emphasis", "line breaks"])
def test_a_paragraph_without_end_is_told_at_once(part: str) -> None:
    """The engine took a gigabyte and half a minute to break it into lines."""
    text = f"# Goal\n\nDraw.\n\n{part * 50_000}\n"
    with bounded(seconds=3):
        (told,) = parse(text, text, (), "en").faults

    assert told.rule == "unset-book" and told.place.row == 5 and "Part it" in told.hint


@pytest.mark.skipif(not CAN_FORK, reason="there is no fork here")
def test_a_book_that_takes_long_is_named_at_once(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not set a second time to find out which it was."""
    monkeypatch.setitem(LIMITS, "PNP_PATIENCE", SHORT)
    tiny.put(game_toml=f"{TINY_GAME}[book.rulebook]\n")
    tiny.write("content/tiny/rulebook.md", "".join(f"{'#' * (at % 4 + 1)} H{at}\n\nx\n\n" for at in range(1500)))

    code, said = ran(tiny.project.root, "check", "tiny")

    assert code == 1 and "setting the book rulebook (content/tiny/rulebook.md) for a4: it took more than" in said, said
    assert said.count("setting the books") == 1


@pytest.mark.skipif(not CAN_FORK, reason="there is no fork here")
def test_many_claims_have_one_clock(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes less than a claim may; all of them would take an hour."""
    monkeypatch.setitem(LIMITS, "PNP_PATIENCE", SHORT)
    claim = '[claim.c{}]\nsays = "So."\nexpect = "sum(range(20000)) + len(game.name) > 0"\nfor = "n in 1..40"\n'
    tiny.write("content/tiny/rules.toml", "".join(map(claim.format, range(400))))

    code, said = ran(tiny.project.root, "check", "tiny", "--no-draw")

    assert code == 1 and "judging claim.c" in said and f"it took more than {SHORT} s" in said, said


@full
@pytest.mark.parametrize(
    ("shut", "code", "said"),
    [
        (">/dev/full", 3, "Error: No space left on device: standard output\n"),
        ("2>/dev/full", 0, ""),
        (">&- 2>&- <&-", 0, ""),
    ],
)
def test_who_cannot_be_told_hinders_nothing(tiny: TinyProject, shut: str, code: int, said: str) -> None:
    """The game is built; only where what was asked for cannot be written that is an error, which names it."""
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m pnp build {shut}', sys.executable],
        cwd=tiny.project.root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )

    assert done.returncode == code, done.stderr
    assert done.stderr.endswith(said)
    assert "Traceback" not in done.stderr and "/tmp" not in done.stderr
    assert (tiny.project.root / "output/tiny/a4/print.pdf").is_file()
