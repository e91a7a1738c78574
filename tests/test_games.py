"""Tiny games in ``tests/games/``, each wrong in one way: exactly its Problems come, and no traceback.

A case is a folder with a ``content/`` game of the same name and, if it needs, ``templates/``; its
``expected.txt`` has a line a Problem: ``rule | file:row:column | words that the message must have``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

CASES = sorted(path.parent for path in (Path(__file__).parent / "games").glob("*/expected.txt"))


def test_there_are_enough_cases() -> None:
    """The promise is at least 25 ways of being wrong."""
    assert len(CASES) >= 25


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_wrong_game_gives_its_problems(case: Path) -> None:
    """``pnp check`` names each fault at its place, leaves with 1 or 3, and says nothing else."""
    done = subprocess.run(
        [sys.executable, "-m", "pnp", "--project", str(case), "check", "--json"], capture_output=True, text=True, timeout=60
    )
    found = [
        (entry["rule"], ":".join(str(entry[key]) for key in ("file", "row", "column") if entry[key] is not None), entry["message"])
        for entry in json.loads(done.stdout)["games"][0]["problems"]
    ]
    expected = [
        tuple(part.strip() for part in line.split("|"))
        for line in (case / "expected.txt").read_text(encoding="utf-8").splitlines()
        if line.strip() and not line.startswith("#")
    ]

    assert [entry[:2] for entry in found] == [entry[:2] for entry in expected]
    for (_, _, message), (_, _, words) in zip(found, expected, strict=True):
        assert words in message
    assert done.returncode in (1, 3)
    assert "Traceback" not in done.stderr
