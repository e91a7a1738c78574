"""Files that a person names and that have no end, or are none: each is told at once."""

import os
import stat
from pathlib import Path

import pytest

from tests.commands import run


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the deck that pnp new makes."""
    root = tmp_path_factory.mktemp("devices")
    run("new", "deck", at=root)
    return root


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such devices here")
@pytest.mark.parametrize(
    "command",
    [
        ("verify", "FILE"),
        ("translate", "deck", "de", "--from-po", "FILE"),
        ("template", "FILE"),
        ("printed", "deck", "--from", "FILE"),
        ("export", "press", "deck", "--profile", "FILE"),
    ],
    ids=lambda command: command[0],
)
def test_a_device_is_no_file(project: Path, command: tuple[str, ...]) -> None:
    """What is read from it would never end."""
    done = run(*("/dev/zero" if word == "FILE" else word for word in command), at=project)
    assert done.code in (1, 2, 3)
    assert "device or a pipe" in (done.out + done.err)


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
