"""A paper is one line of ``papers.toml``: everything else that names papers knows a new one from there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, TinyProject

from pnp.read.project import Project

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
    made = TinyProject(Project(root))
    made.put(game_toml=GAME, cards_csv="id,copies\none,5\n", cards_svg_j2=FACE, rulebook_md="# How to play\n\nPlay.\n")
    return root


def said(copy: Path, *arguments: str) -> str:
    """What Python says that has the copy."""
    surroundings = {**os.environ, "PYTHONPATH": str(copy), "COLUMNS": "200"}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=copy, env=surroundings)
    assert done.returncode == 0, done.stderr
    return done.stdout


def pnp(copy: Path, *arguments: str) -> str:
    """What a command of the copy says."""
    return said(copy, "-m", "pnp", *arguments)


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
    endings = said(copy, "-c", "from pnp.read.game import ENDINGS; print(*ENDINGS)").split()

    assert {"a5", "a4", "half-letter", "half-legal", "letter", "half-a-crown", "booklet", "two-up"} <= set(endings)
