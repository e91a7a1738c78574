"""Files that a person names and that have no end, or are none: each is told at once."""

from pathlib import Path

import pytest
from commands import run


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
    ],
    ids=lambda command: command[0],
)
def test_a_device_is_no_file(project: Path, command: tuple[str, ...]) -> None:
    """What is read from it would never end."""
    done = run(*("/dev/zero" if word == "FILE" else word for word in command), at=project)
    assert done.code in (1, 2, 3)
    assert "device or a pipe" in (done.out + done.err)
