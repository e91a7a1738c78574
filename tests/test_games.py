"""Tiny games in ``tests/games/``, each wrong in one way: exactly its Problems come, and no traceback."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from wronggames import WrongGame, wrong_games

from pnp.cli.main import main
from pnp.cli.output import FINDINGS, UNREADABLE

CASES = wrong_games()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_wrong_game_gives_its_problems(
    case: WrongGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``pnp check`` names each fault once, at its place, with what helps, and leaves with the right code."""
    case.write(tmp_path)
    expected = [line.split(" | ") for line in case.expected if " | " in line and not line.startswith("#")]
    monkeypatch.setattr(sys, "argv", ["pnp", "--project", str(tmp_path), "check", "--json"])

    with pytest.raises(SystemExit) as left:
        main()

    told = capsys.readouterr()
    problems = json.loads(told.out)["games"][0]["problems"]
    found = [
        [entry["rule"], ":".join(str(entry[key]) for key in ("file", "row", "column") if entry[key] is not None)]
        for entry in problems
    ]
    assert found == [entry[:2] for entry in expected]
    for entry, (_, _, *words) in zip(problems, expected, strict=True):
        said = " ".join((entry["message"], entry["allowed"], entry["hint"]))
        assert [each for each in words if each not in said] == []
    assert left.value.code == (UNREADABLE if "exit 3" in case.expected else FINDINGS)
    assert told.err == ""
