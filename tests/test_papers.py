"""A paper is one line of ``papers.toml``: everything else that names papers knows a new one from there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LINE = 'crown = { width = 381.0, height = 508.0, half = "half-a-crown" }\n'
GAME = '[game]\nname = "Tiny"\npapers = ["crown"]\n[component.cards]\nsize = "tcg"\n'
FACE = '{% extends "shared/face.svg.j2" %}{% block face %}<rect width="63" height="88" fill="#336699"/>{% endblock %}'


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """pnp with a paper more, and a tiny game to print on it."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "pnp", root / "pnp", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "templates" / "shared", root / "templates" / "shared")
    with (root / "pnp" / "read" / "presets" / "papers.toml").open("a", encoding="utf-8") as papers:
        papers.write(LINE)
    files = {"game.toml": GAME, "cards.csv": "id,copies\none,5\n", "rulebook.md": "# How to play\n\nPlay.\n"}
    files["templates/cards.svg.j2"] = FACE
    for name, text in files.items():
        path = root / "content" / "tiny" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def pnp(copy: Path, *arguments: str) -> str:
    """What a command of the copy says."""
    command = [sys.executable, "-m", "pnp", *arguments]
    surroundings = {**os.environ, "PYTHONPATH": str(copy), "COLUMNS": "200"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=copy, env=surroundings)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_help_names_it(copy: Path) -> None:
    """Every command that asks for a paper."""
    for command in ("build", "count", "calibrate"):
        assert "5x7in, crown or a size such as" in " ".join(pnp(copy, command, "--help").split())


def test_the_schema_names_it(copy: Path) -> None:
    """What an editor shows for ``papers``."""
    about = json.loads(pnp(copy, "schema"))["$defs"]["About"]

    assert "5x7in, crown or a free size" in about["properties"]["papers"]["description"]


def test_a_game_is_printed_on_it_and_its_book_on_half_of_it(copy: Path) -> None:
    """Its folder and the file of half its size are called after it."""
    pnp(copy, "build", "tiny")

    made = {path.name for path in (copy / "output" / "tiny" / "crown").iterdir()}
    assert {"print.pdf", "cards.pdf", "rulebook.pdf", "rulebook-half-a-crown.pdf"} <= made


def test_no_book_may_be_called_like_half_of_it(copy: Path) -> None:
    """The names that a book's own files end with come from the same line."""
    code = "from pnp.read.game import ENDINGS; print(*ENDINGS)"
    surroundings = {**os.environ, "PYTHONPATH": str(copy)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=copy, env=surroundings
    )

    assert {"a5", "a4", "half-letter", "half-legal", "letter", "half-a-crown", "booklet", "two-up"} <= set(
        done.stdout.split()
    )
