"""What a stranger's files say steers no terminal: control characters are shown as escapes, wherever a text is told."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest
from conftest import TinyProject
from hypothesis import given
from hypothesis import strategies as st
from processes import needs_linux

from pnp.values.problems import Place, Problem, visible

COLOURS = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")
"""What pnp itself sends: colours, and a moving line."""


@given(st.text(), st.text())
def test_a_finding_has_no_control_characters(message: str, name: str) -> None:
    told = str(Problem("rule", Place(name), message, message, name))

    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", told)


@given(st.text(st.characters(exclude_categories=("C",))))
def test_what_steers_nothing_is_shown_as_it_is(text: str) -> None:
    assert visible(text) == text


@needs_linux
@pytest.mark.parametrize("command", [["check", "tiny"], ["list"], ["build", "nobody"], ["build"], ["count"]])
def test_a_terminal_is_not_steered(tiny: TinyProject, command: list[str]) -> None:
    """By a cell, a title, a size, an id or the name of a folder: on a real terminal, which click takes for one."""
    tiny.write("content/tiny/cards.csv", "id,name,copies\na,\x1b]0;title\x07,x\u202ey\nb\x1b[2J,B,2\n")
    tiny.write("content/e\x1b[31mvil/game.toml", '[game]\nname = "E\\u001b]0;x"\n[component.cards]\nsize = "p\\u001b[2J"\n')
    ours, theirs = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-m", "pnp", "--project", str(tiny.project.root), *command], stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    said = b""
    try:
        while part := os.read(ours, 4096):
            said += part
    except OSError:
        pass  # Linux says so at the end
    finally:
        os.close(ours)
    run.wait()

    left = COLOURS.sub(lambda found: "" if found[0] not in ("\x1b[2J", "\x1b[31mvil") else found[0], said.decode())
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e]", left)
    assert "\\x1b" in left
