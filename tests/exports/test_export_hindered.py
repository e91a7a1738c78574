"""Exports of files that a person names and that have no end, or are none; and of many pictures in little memory."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from commands import run
from conftest import ROOT, TINY_TEMPLATE, TinyProject


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the deck that pnp new makes."""
    root = tmp_path_factory.mktemp("devices")
    run("new", "deck", at=root)
    return root


def test_a_pipe_in_the_place_of_the_slots_is_told(project: Path) -> None:
    """Nobody writes into it: reading would wait for ever."""
    slots = project / "content" / "deck" / "tabletop-simulator.csv"
    os.mkfifo(slots)
    try:
        done = run("export", "tabletop-simulator", "deck", at=project)
        assert done.code == 1
        assert "tabletop-simulator.csv" in (done.out + done.err)
        assert stat.S_ISFIFO(slots.lstat().st_mode)
    finally:
        slots.unlink()


def test_a_link_in_the_place_of_the_slots_is_not_followed(project: Path, tmp_path: Path) -> None:
    """A game from elsewhere could bring one that leads to the person's own files."""
    mine = tmp_path / "mine.csv"
    mine.write_text("secret,of,mine,0\n")
    slots = project / "content" / "deck" / "tabletop-simulator.csv"
    slots.symlink_to(mine)
    try:
        done = run("export", "tabletop-simulator", "deck", at=project)
        assert done.code == 1
        assert "own folder" in (done.out + done.err)
        assert "secret" not in (done.out + done.err)
        assert mine.read_text() == "secret,of,mine,0\n"
    finally:
        slots.unlink()


@pytest.mark.parametrize("address", ["https://example.org/\x1b[31m", "https://example.org/\u202eabc"])
def test_an_address_has_no_letters_that_nobody_sees(project: Path, address: str) -> None:
    """They would stand in the saved object, and turn a screen's text around."""
    done = run("export", "tabletop-simulator", "deck", "--url", address, at=project)
    assert done.code == 2
    assert "no address" in (done.out + done.err)


def within(megabytes: int, tiny: TinyProject, *words: str) -> subprocess.CompletedProcess[str]:
    """``pnp`` that may take so much memory."""
    return subprocess.run(
        [sys.executable, "-m", "pnp", *words],
        cwd=tiny.project.root,
        env={**os.environ, "PNP_MEMORY": str(megabytes), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


def test_pictures_for_a_service_are_made_one_by_one(tiny: TinyProject) -> None:
    """Sixty cards of four megabytes each fit into 250: each is let go once it is packed."""
    tiny.write("content/tiny/cards.csv", "name,text\n" + "".join(f"Card {number},Draw.\n" for number in range(60)))

    done = within(250, tiny, "export", "makeplayingcards", "tiny")

    assert done.returncode == 0, done.stderr
    assert len(list(tiny.project.root.glob("output/tiny/export/makeplayingcards/faces/cards/*.png"))) == 60


def test_a_command_that_runs_out_of_memory_says_so(tiny: TinyProject) -> None:
    """What Python itself refuses is told as what the system refuses."""
    hungry = "{% block face %}{% set x = 'a' * 900000000 %}{{ x | length }}"
    tiny.write("templates/tiny/cards.svg.j2", TINY_TEMPLATE.replace("{% block face %}", hungry))

    done = within(400, tiny, "export", "faces", "tiny")

    assert done.returncode == 1 and "drawing cards/anna" in done.stderr and "GB of memory" in done.stderr, done.stderr
