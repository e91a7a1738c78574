"""Where files really lie: one place in pnp knows, and no name, link or pipe leads it astray."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pnp.system.paths import file_within, within

PACKAGE = Path(__file__).resolve().parent.parent / "pnp"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a file, beside another file."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "own.txt").touch()
    (tmp_path / "other.txt").touch()
    return tmp_path / "home"


def test_what_lies_in_a_folder_is_told_by_where_it_leads(home: Path) -> None:
    assert within(home, home)
    assert file_within(home, home / "own.txt")
    assert file_within(home, home / ".." / "home" / "own.txt")
    assert not file_within(home, home / ".." / "other.txt")
    assert not file_within(home, home.parent / "other.txt")
    assert not file_within(home, home), "a folder is no file"
    assert not file_within(home, home / "none.txt")
    assert not file_within(home, home / ("long" * 100)), "longer than names of files are"


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes as Unix has them")
def test_links_and_pipes_are_followed_nowhere(home: Path) -> None:
    (home / "out.txt").symlink_to(home.parent / "other.txt")
    (home / "in.txt").symlink_to(home / "own.txt")
    (home / "loop.txt").symlink_to(home / "loop.txt")
    os.mkfifo(home / "pipe.txt")
    (home.parent / "door").symlink_to(home)

    assert not file_within(home, home / "out.txt")
    assert file_within(home, home / "in.txt")
    assert file_within(home, home.parent / "door" / "own.txt")
    assert file_within(home.parent / "door", home / "own.txt")
    assert not file_within(home, home / "loop.txt")
    assert not file_within(home, home / "pipe.txt")


def test_nobody_else_follows_paths_to_judge_them() -> None:
    own = [
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "resolve().is_relative_to(" in (text := path.read_text(encoding="utf-8")) or "resolve().parents" in text
    ]

    assert own == ["system/paths.py"]
