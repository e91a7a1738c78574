"""Tiny games in ``tests/games/``, each wrong in one way: exactly its Problems come, and no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run
from wronggames import WrongGame, wrong_games

from pnp.cli.output import FINDINGS, UNREADABLE

CASES = wrong_games()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_wrong_game_gives_its_problems(case: WrongGame, tmp_path: Path) -> None:
    """``pnp check`` names each fault once, at its place, with what helps, and leaves with the right code."""
    case.write(tmp_path)
    expected = [line.split(" | ") for line in case.expected if " | " in line and not line.startswith("#")]
    told = run("check", "--json", at=tmp_path)

    problems = told.problems
    found = [
        [entry["rule"], ":".join(str(entry[key]) for key in ("file", "row", "column") if entry[key] is not None)]
        for entry in problems
    ]
    assert found == [entry[:2] for entry in expected]
    for entry, (_, _, *words) in zip(problems, expected, strict=True):
        said = " ".join((entry["message"], entry["allowed"], entry["hint"]))
        assert [each for each in words if each not in said] == []
    assert told.code == (UNREADABLE if "exit 3" in case.expected else FINDINGS)
    assert told.err == ""
