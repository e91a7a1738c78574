"""Shell completion: commands, options, games and components by name; fast, and silent where there is no project."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import run
from conftest import TINY_GAME, TinyProject
from test_architecture import HEAVY

PROGRAM = "import sys; sys.argv[0] = 'pnp'; from pnp.cli.main import main; main()"
LOADED = "import atexit, sys; atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr)); " + PROGRAM


def asked(*words: str, at: Path, program: str = PROGRAM) -> subprocess.CompletedProcess[str]:
    """What bash asks pnp when Tab is pressed after these words."""
    environment = {
        **os.environ,
        "_PNP_COMPLETE": "bash_complete",
        "COMP_WORDS": "\n".join(("pnp", *words)),
        "COMP_CWORD": str(len(words)),
    }
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=at, env=environment, capture_output=True, text=True, timeout=60)


def offered(*words: str, at: Path) -> list[str]:
    """What pnp offers; it has nothing else to say."""
    done = asked(*words, at=at)
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.split()]


@pytest.fixture
def games(tiny: TinyProject) -> Path:
    """A project of three games, one of which cannot be read for the moment."""
    tiny.write(
        "content/tower/game.toml", TINY_GAME + '\n[component.dice]\nkind = "die"\n[component.discs]\nkind = "token"\n'
    )
    tiny.write("content/broken/game.toml", "[[[")
    return tiny.project.root


@pytest.mark.parametrize("words", ["build", "preview", "simulate grey", "new mine --from", "verify --game"])
def test_games_are_completed(games: Path, words: str) -> None:
    """Wherever a game is named, those that begin so are offered, from a folder inside the project as well."""
    assert offered(*words.split(), "t", at=games) == ["tiny", "tower"]
    assert offered(*words.split(), "", at=games / "content") == ["broken", "tiny", "tower"]


def test_components_of_the_game_before_are_completed(games: Path) -> None:
    """In the order of game.toml; of a game that is broken or not there, none."""
    assert offered("preview", "tower", "", at=games) == ["cards", "dice", "discs"]
    assert offered("preview", "tower", "di", at=games) == ["dice", "discs"]
    assert offered("preview", "broken", "", at=games) == []
    assert offered("preview", "nowhere", "", at=games) == []
    assert offered("build", "tower", "--only", "di", at=games) == ["dice", "discs"]
    assert offered("build", "--only", "di", at=games) == []


@pytest.mark.parametrize("text", ["component = 3\n", "[component]\n"])
def test_a_game_file_that_says_nothing_yet_offers_nothing(games: Path, text: str) -> None:
    """Someone is still writing it."""
    (games / "content/broken/game.toml").write_text(text)

    assert offered("preview", "broken", "", at=games) == []


def test_completing_loads_nothing_heavy(games: Path) -> None:
    """A person waits for it at every Tab."""
    loaded = asked("preview", "tower", "", at=games, program=LOADED).stderr.split()

    assert "pnp.read.project" in loaded
    assert set(loaded) & set(HEAVY) == set()


@pytest.mark.parametrize(("shell", "part"), [("bash", "complete -o nosort -F _pnp_completion pnp"), ("zsh", "#compdef pnp")])
def test_the_script_of_each_shell_is_printed(tmp_path: Path, shell: str, part: str) -> None:
    """It registers pnp in the shell's own words, and calls back for that shell."""
    done = run("completion", shell, at=tmp_path)

    assert (done.code, done.err) == (0, "")
    assert part in done.out
    assert f"_PNP_COMPLETE={shell}_complete" in done.out


def test_a_shell_that_is_not_known_is_refused(tmp_path: Path) -> None:
    """With those that are."""
    done = run("completion", "dos", at=tmp_path)

    assert done.code == 2
    assert all(shell in done.err for shell in ("bash", "zsh", "fish"))


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_reads_the_script_and_completes(games: Path, tmp_path: Path) -> None:
    """The printed script, sourced by a real bash, fills in what Tab would."""
    (tmp_path / "bin").mkdir()
    caller = tmp_path / "bin/pnp"
    caller.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{PROGRAM}" "$@"\n')
    caller.chmod(0o755)
    (tmp_path / "script").write_text(run("completion", "bash", at=tmp_path).out)
    typed = "COMP_WORDS=(pnp preview tower di); COMP_CWORD=3"
    lines = f'source "{tmp_path}/script"; {typed}; _pnp_completion pnp; echo "${{COMPREPLY[@]}}"'
    environment = {**os.environ, "PATH": f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", lines], cwd=games, env=environment, capture_output=True, text=True, timeout=60)

    assert (done.stdout.split(), done.stderr) == (["dice", "discs"], "")
