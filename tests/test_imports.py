"""What a build does not need it does not load: time goes by with each library that is imported, before anything is done."""

from __future__ import annotations

import subprocess
import sys
import sysconfig

import pytest
from conftest import TinyProject

# What a command had loaded when it was done, each module with its file.
PROGRAM = """
import atexit, sys

def tell():
    for name in set(sys.modules) - before:
        print(name, getattr(sys.modules[name], "__file__", None) or "", sep="|")

before = set(sys.modules)
atexit.register(tell)
sys.argv[0] = "pnp"
import pnp.system.watchdog
pnp.system.watchdog.CAN_FORK = False  # so that what a child would load is seen here
from pnp.cli.main import main
main()
"""
INSTALLED = (sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
FONTS = {"font_source_sans_pro", "font_source_serif_pro", "font_fredoka_one", "font_amatic_sc"}
# For spreadsheets, outlines, cutting machines, pieces of many sizes, colours, books, and for who sits at a terminal.
BESIDE = {"python_calamine", "xlrd", "yaml", "svgwrite", "ezdxf", "rectpack", "colorspacious", "mdit_py_plugins"}
BESIDE |= {"rich", "distributed"}


@pytest.fixture(autouse=True)
def own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache for each test alone."""
    monkeypatch.setenv("PNP_CACHE", str(tmp_path_factory.mktemp("cache")))


def loaded(tiny: TinyProject, *words: str) -> tuple[set[str], set[str]]:
    """What a command loads: other people's packages, and modules that Python or pnp brings."""
    command = [sys.executable, "-c", PROGRAM, *words]
    done = subprocess.run(command, cwd=tiny.project.root, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    files = dict(line.split("|") for line in done.stdout.splitlines() if "|" in line)
    theirs = {name for name, file in files.items() if file.startswith(INSTALLED)}
    return {name.partition(".")[0] for name in theirs}, set(files) - theirs


def test_what_has_not_changed_is_told_without_the_press(tiny: TinyProject) -> None:
    """A second build reads files and compares: for that it needs the command line, and to know where the fonts are."""
    first, _ = loaded(tiny, "build")
    packages, modules = loaded(tiny, "build")

    assert {"typst", "pikepdf", "reportlab", "pydantic", "jinja2", "lxml"} <= first, "the first build does it all"
    assert packages == {"click", *FONTS}
    assert not modules & {"pnp.flows.build", "pnp.check.registry", "importlib.metadata", "email", "asyncio"}


def test_cards_are_built_with_what_cards_need(tiny: TinyProject) -> None:
    """Neither with libraries of other pieces and other outputs, nor with what reads claims and sets books."""
    packages, modules = loaded(tiny, "build")

    assert not packages & BESIDE
    assert not modules & {"pnp.read.rulesfile", "multiprocessing"}


def test_books_and_claims_are_read_where_there_are_some(tiny: TinyProject) -> None:
    """What is left out for cards alone is there for a game that has them: these tests mean something."""
    tiny.write("content/tiny/rulebook.md", "# Play\n\nDraw a card.\n")
    tiny.write("content/tiny/rules.toml", '[claim.pair]\nsays = "Two cards."\nexpect = "len(rows(\\"cards\\")) == 2"\n')
    _, modules = loaded(tiny, "build")

    assert {"pnp.values.sections", "pnp.flows.publish", "pnp.books.typeset"} <= modules
