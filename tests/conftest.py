"""Tiny projects for tests, and the shipped game built once a worker."""

from __future__ import annotations

import marshal
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import settings

from pnp.flows.build import build_game
from pnp.flows.pipeline import Pipeline
from pnp.read.game import read_game
from pnp.read.presets import paper
from pnp.read.project import Project
from pnp.system.manifest import OWNED, put
from pnp.system.paths import digest_of
from pnp.values.game import Backs, Game
from pnp.values.outcome import NOWHERE, Options, Result
from pnp.values.problems import Problems

LONG = "PNP_LONG" in os.environ
ROOT = Path(__file__).resolve().parent.parent


# An add-on's tests go with its folder.
collect_ignore = [name for name in ("imports", "exports", "press", "studio") if not (ROOT / "pnp" / name).is_dir()]


def examples(number: int) -> int:
    """On how many cases a property is tried: with PNP_LONG so many, else as whoever waits for the tests has time for."""
    return number if LONG else max(8, number // 3)


# The same cases in each short run, so that it says the same of the same code; long ones look for new ones.
settings.register_profile("pnp", max_examples=200 if LONG else 25, deadline=None, derandomize=not LONG)
settings.load_profile("pnp")

# Files that take the longest: begun last, one worker would be at them while the others are done.
FIRST = (
    "test_killed.py",
    "test_nothing_lost.py",
    "test_shipped.py",
    "test_axe.py",
    "test_arrange.py",
    "test_docs.py",
    "test_panes.py",
    "test_packs.py",
    "test_begin.py",
    "test_printing.py",
    "test_watchdog.py",
    "test_printed.py",
    "test_verify.py",
    "test_part.py",
    "test_adding.py",
    "test_rules.py",
    "test_hindered.py",
    "test_wheel.py",
    "test_window.py",
    "test_hostile_tables.py",
    "test_look.py",
    "test_ownership.py",
    "test_planning.py",
    "test_hostile_files.py",
    "test_addons.py",
    "test_same_bytes.py",
)

PROWL = "pirates-on-the-prowl"
# What it is built on.
PROWL_PAPERS = ("a4", "letter") if LONG else ("a4",)

TINY_GAME = """
[game]
name = "Tiny"
papers = ["a4"]

[component.cards]
size = "tcg"
"""
TINY_TABLE = "name,text\nAnna,Draw two.\nBert,Pass.\n"
TINY_TEMPLATE = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}
{{ s.ground(face, "#336699") }}
{{ s.text(row.name, 5, 5, 53, 10, size="14 9", name="title", fill="#ffffff") }}
{{ s.text(row.text, 5, 40, 53, 40, size="10 7", name="rules", fill="#ffffff") }}
{% endblock %}
"""


def toml(text: str) -> str:
    """A game.toml from a line a section, ``cards: size = "tcg"; back = "back"``; those without a dot are components.

    A line that begins with two spaces goes on with the one before."""
    made = []
    for line in filter(None, text.replace("\n  ", "; ").splitlines()):
        name, _, settings = line.partition(": ")
        section = name if "." in name or name in ("game", "palette", "texts") else f"component.{name}"
        made.append("\n".join([f"[{section}]", *settings.split("; "), ""]))
    return "\n" + "\n".join(made)


def tool(name: str) -> str:
    """The path of a PDF tool that pip cannot bring. Where it is not installed the test is left out, but never in CI."""
    found = shutil.which(name)
    if found is None and "CI" not in os.environ:
        pytest.skip(f"{name} is not installed (apt-get install poppler-utils qpdf)")
    return found or name


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out, with a word, what is marked ``at_length``; begin with what takes long."""
    first = {name: number for number, name in enumerate(FIRST)}
    items.sort(key=lambda item: first.get(item.path.name, len(first)))
    for item in () if LONG else items:
        if item.get_closest_marker("at_length"):
            item.add_marker(pytest.mark.skip(reason="set PNP_LONG to run it"))


def pipeline(project: Project, name: str = "tiny", **options: Any) -> Pipeline:
    """A game on its way, as a command starts it."""
    return Pipeline(project, name, Options(NOWHERE, **options))


def read_whole(project: Project, name: str = "tiny") -> Game:
    """A game as it is read, with nothing wrong in it."""
    problems = Problems()
    game = read_game(project, name, problems)
    assert game is not None and not problems.errors, [str(problem) for problem in problems]
    return game


def put_files(folder: Path, files: Mapping[str, bytes], owned: Sequence[str] = ()) -> list[Path]:
    """Put files into a folder as a build does."""
    return put(folder.parent, folder.name, files, "build", owned)


def is_record(path: Path) -> bool:
    """Whether a file is the manifest of what was written beside it."""
    return path.name == OWNED


def paths_in(folder: Path) -> list[Path]:
    """Every file below a folder but the manifests."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and not is_record(path))


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file below a folder by its relative name, but the manifests."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths_in(folder)}


def aside(folder: Path) -> list[str]:
    """What was written aside below a folder and is still there."""
    return sorted(path.name for path in folder.rglob(".pnp-*") if not is_record(path))


# What tools keep for themselves in the tree.
THEIRS = frozenset((".git", ".venv", "__pycache__", ".pytest_cache", ".hypothesis", ".mypy_cache", ".ruff_cache"))
TREE = pytest.StashKey[dict[str, str]]()


def tree() -> dict[str, str]:
    """Every file of this checkout by its digest, and of Python's own those that are cut short."""
    found = {}
    for folder, inner, names in os.walk(ROOT):
        inner[:] = [name for name in inner if name not in THEIRS and not name.endswith(".egg-info")]
        found |= {str(path): digest_of(path.read_bytes()) for name in names if (path := Path(folder, name)).is_file()}
    for home in (ROOT / "pnp", ROOT / "tests"):
        for path in home.rglob("*.pyc"):
            try:
                marshal.loads(path.read_bytes()[16:])
            except (EOFError, ValueError, TypeError):
                found[str(path)] = "cut short"
    return found


def pytest_sessionstart(session: pytest.Session) -> None:
    """Only who starts the workers looks."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        session.config.stash[TREE] = tree()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """No test leaves the tree other than it found it."""
    if TREE in session.config.stash:
        before, after = session.config.stash[TREE], tree()
        changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
        if changed:
            print(f"\nchanged in the tree while the tests ran, by one of them or by you: {changed}")
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


@dataclass(frozen=True)
class TinyProject:
    """A project in a temporary folder with one game, ``tiny``."""

    project: Project

    @property
    def game(self) -> Path:
        return self.project.content / "tiny"

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file below the project folder."""
        path = self.project.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def put(self, **files: str | bytes) -> None:
        """Write files of the game: ``cards_csv`` is its cards.csv, ``cards_svg_j2`` the template cards."""
        for name, content in files.items():
            folder = "templates" if name.endswith("_j2") else "content"
            self.write(f"{folder}/tiny/{name.replace('_', '.')}", content)

    def build(self, backs: Backs = "long-edge", papers: tuple[str, ...] = (), **options: object) -> Result:
        """Build into ``output/`` of the project."""
        chosen = tuple(paper(name) for name in papers)
        made = Options(out=self.project.root / "output", papers=chosen, backs=backs, **options)  # type: ignore[arg-type]
        return build_game(self.project, "tiny", made, lambda _: None)


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whatever runs ``pnp``, here or in a process of its own, keeps its cache apart from that of whoever tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PNP_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("PNP_CONFIG", str(tmp_path_factory.mktemp("config")))
        # Libraries have threads here already; tests/hostile/test_watchdog.py is about children.
        patch.setattr("pnp.system.watchdog.CAN_FORK", False)
        # Each of many processes would compile all of pnp for itself.
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        yield


@pytest.fixture
def tiny(tmp_path: Path) -> TinyProject:
    """A game of two cards that builds; a test changes a file to say what it is about."""
    made = TinyProject(Project(tmp_path))
    made.write("content/tiny/game.toml", TINY_GAME)
    made.write("content/tiny/cards.csv", TINY_TABLE)
    made.write("templates/tiny/cards.svg.j2", TINY_TEMPLATE)
    return made


@pytest.fixture
def desk(tmp_path: Path) -> Any:
    """An empty game to draw in (tests/draw/desk.py)."""
    from desk import Desk

    return Desk(tmp_path)


@pytest.fixture
def bench(tmp_path: Path) -> Any:
    """A game of one card (tests/drawn.py)."""
    from drawn import Bench

    return Bench(tmp_path)


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that is made by the worker that first asks for it, and is there for all."""
    home = factory.getbasetemp()
    folder = (home.parent if "PYTEST_XDIST_WORKER" in os.environ else home) / f"once-{name}"
    folder.mkdir(exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not (folder / "made").exists():
            make(folder)
            (folder / "made").touch()
    return folder


@pytest.fixture(scope="session")
def build_prowl(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Builds the shipped game, once for all workers; returns its folder."""

    def build() -> Path:
        def make(out: Path) -> None:
            options = Options(out=out, papers=tuple(map(paper, PROWL_PAPERS)))
            result = build_game(Project(ROOT), PROWL, options, lambda _: None)
            assert result.ok, [str(problem) for problem in result.problems]

        return made_once(tmp_path_factory, "prowl", make) / PROWL

    return build
