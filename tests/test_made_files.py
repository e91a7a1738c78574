"""Every kind of file that a build can make stands in one dict, and no two of them are written to one name."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import run
from conftest import ROOT, TinyProject, files_in

from pnp.cli.main import commands
from pnp.flows.build import OUTPUTS
from pnp.read import presets
from pnp.system.manifest import MANIFEST

PAGE = (ROOT / "docs/reference/files.md").read_text(encoding="utf-8")
WORDS = {"PAPER": "[a-z0-9-]+", "COMPONENT": "[a-z0-9-]+", "BOOK": "[a-z0-9-]+", "HALF": "[a-z0-9-]+"}
WORDS |= {"ID": "[a-z0-9_-]+", "SIDE": "(?:front|back)", "NN": r"\d\d+"}
BOOK = """
[book.rulebook]
title = "Rules"
"""


def matching(pattern: str) -> re.Pattern[str]:
    """A pattern of names, as the dict and the docs write it."""
    return re.compile("".join(WORDS.get(part, re.escape(part)) for part in re.split(r"\b([A-Z]+)\b", pattern)))


@pytest.mark.parametrize("name", OUTPUTS)
def test_each_output_is_documented(name: str) -> None:
    """The page of files has all its patterns, and the option that asks for it, which the command has."""
    output = OUTPUTS[name]

    assert [pattern for pattern in output.files if f"`{pattern}`" not in PAGE] == []
    assert output.says
    if output.option:
        assert f"`{output.option}`" in PAGE
        assert output.option in {flag for option in commands()["build"].params for flag in option.opts}


def test_every_file_is_of_an_output(build_prowl: Callable[..., Path], tiny: TinyProject) -> None:
    """Whatever is asked for, each file matches a pattern of an output, and each output has made one."""
    root = tiny.project.root
    tiny.put(rulebook_md="# Rules\n\nDraw.\n", game_toml=(tiny.game / "game.toml").read_text() + BOOK)
    for kind in ("png", "svg"):
        done = run("build", "tiny", "--faces", kind, "--cut", "silhouette", "--out", kind, at=root)
        assert done.code == 0, done.err
    names = {name for kind in ("png", "svg") for name in files_in(root / kind / "tiny")} | set(files_in(build_prowl()))
    made = {
        output: [name for name in names if any(matching(pattern).fullmatch(name) for pattern in OUTPUTS[output].files)]
        for output in OUTPUTS
    }

    assert {name for name in names if name not in {each for found in made.values() for each in found}} == {MANIFEST}
    assert [output for output, found in made.items() if not found] == []


def test_what_is_not_asked_for_is_not_made(tiny: TinyProject) -> None:
    """Without options there are neither faces nor cut files."""
    run("build", "tiny", at=tiny.project.root)
    names = files_in(tiny.project.root / "output/tiny")
    asked = [matching(pattern) for output in OUTPUTS.values() if output.option for pattern in output.files]

    assert [name for name in names if any(pattern.fullmatch(name) for pattern in asked)] == []


@pytest.mark.parametrize(("component", "paper"), [("rulebook-half-200x250mm", "200mm x 250mm"), ("print", "letter")])
def test_two_files_of_one_name_are_told_before_anything_is_written(tiny: TinyProject, component: str, paper: str) -> None:
    """A component that is called like a file of a book, or like the one of all sheets: both are named, nothing is there."""
    tiny.write("content/tiny/rulebook.md", "# Rules\n\nDraw.\n")
    settings = (tiny.game / "game.toml").read_text().replace("[component.cards]", f"[component.{component}]")
    tiny.write("content/tiny/game.toml", settings + BOOK)
    (tiny.game / "cards.csv").rename(tiny.game / f"{component}.csv")
    (tiny.project.root / "templates/tiny/cards.svg.j2").rename(tiny.project.root / f"templates/tiny/{component}.svg.j2")
    done = run("build", "tiny", "--paper", paper, "--json", at=tiny.project.root)

    (problem,) = done.problems
    file = f"{presets.paper(paper).name}/{component}.pdf"
    assert (done.code, problem["rule"], problem["value"]) == (1, "double-file", file)
    assert f'"{component}"' in problem["message"]
    assert not (tiny.project.root / "output").exists()
