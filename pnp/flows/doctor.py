"""Runs ``pnp doctor``: looks at what this machine and project have to print with, and what is missing."""

from __future__ import annotations

import platform
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import field
from importlib import metadata
from pathlib import Path

from pnp import __version__
from pnp.dataclass import dataclass
from pnp.draw.fonts import Fonts, check_fonts
from pnp.flows.drawn import HOW_TO_PRINT
from pnp.lay.testpages import trial_page
from pnp.read.game import read_game
from pnp.read.project import NoSuchGame, Project, find_project
from pnp.shapes.affine import Calibration
from pnp.system import printers
from pnp.system.manifest import put
from pnp.system.paths import config_folder
from pnp.system.watchdog import at
from pnp.values.game import Paper
from pnp.values.problems import Fault, Problems
from pnp.write.pdf import Document, write_pdf

PACKAGE = "pnp-press"
# A game with all its papers and pictures takes less.
LEAST_FREE = 200_000_000
# Extras for those who work on pnp.
_OURS = {"docs", "test"}


@dataclass(slots=True)
class Health:
    """The findings of ``pnp doctor``, good and bad."""

    out: Path
    games: dict[str, str] = field(default_factory=dict)
    """Title of each game that can be read."""
    fonts: dict[str, list[str]] = field(default_factory=dict)
    """Families that each of these games may use."""
    libraries: dict[str, str] = field(default_factory=dict)
    extras: dict[str, list[str]] = field(default_factory=dict)
    """The libraries that each extra of pnp still lacks."""
    printers: dict[str, Calibration] = field(default_factory=dict)
    free: int = 0
    """Bytes left where output is written."""
    writable: bool = False
    complaints: list[dict[str, str]] = field(default_factory=list)
    """What is not well (``message``), and what to do about it (``hint``): sentences."""
    files: list[Path] = field(default_factory=list)
    pnp: str = __version__
    python: str = field(default_factory=platform.python_version)
    platform: str = field(default_factory=platform.platform)

    def complain(self, message: str, hint: str) -> None:
        self.complaints.append({"message": message, "hint": hint})


def examine(start: Path, game: str | None, out: Path | None) -> Health:
    """Looks at everything, of the games only at the named one if any. Raises NoSuchGame."""
    health = Health(out or start / "output")
    try:
        project = find_project(start)
    except NoSuchGame as error:
        if game is not None:
            raise
        health.complain(error.message, error.hint)
        _libraries(health)
    else:
        health.out = out or project.root / "output"
        _libraries(health)
        _games(health, project, [game] if game is not None else project.games())
    try:
        health.printers = printers.stored(config_folder())
    except Fault as error:
        health.complain(error.message, error.hint)
    except OSError as error:
        health.complain(str(error), "")
    _output(health)
    return health


def print_test(health: Health, papers: Sequence[Paper]) -> None:
    """Writes the test print for each paper, below ``doctor/`` of the output. Raises OSError."""
    document = Document("pnp: test print", "", "en", "none", f"{PACKAGE} {__version__}", HOW_TO_PRINT["none"])
    files = {f"{paper.name}.pdf": write_pdf([trial_page(paper)], None, document) for paper in papers}
    health.files = put(health.out, "doctor", files, "doctor")


def _libraries(health: Health) -> None:
    try:
        needed = metadata.requires(PACKAGE) or []
    except metadata.PackageNotFoundError:
        health.complain("pnp runs from its source and is not installed", "Install it: pip install -e . in its folder.")
        return
    health.extras = {name: [] for name in metadata.metadata(PACKAGE).get_all("Provides-Extra") or () if name not in _OURS}
    for requirement in needed:
        (name,) = re.findall(r"^[\w.-]+", requirement)
        extra = re.search(r"extra == ['\"]([\w-]+)", requirement)
        try:
            version = metadata.version(name)
            if not extra:
                health.libraries[name] = version
        except metadata.PackageNotFoundError:
            if not extra:
                health.complain(f"the library {name} is not installed", f'Install it: pip install "{requirement}".')
            elif extra[1] in health.extras:
                health.extras[extra[1]].append(name)


def _games(health: Health, project: Project, names: Sequence[str]) -> None:
    if not names:
        health.complain(f"there is no game in {project.content}", "Put a folder with a game.toml there.")
    for name in names:
        problems, faults = Problems(), Problems()
        if (game := read_game(project, name, problems)) is not None:
            at(f"reading the fonts of {name}", brief=True)
            fonts = Fonts(game)
            health.games[name], health.fonts[name] = game.title, sorted(fonts.files)
            check_fonts(game, fonts, faults)
        if game is None or problems.errors:
            health.complain(f"{name} cannot be built as it is, errors: {len(problems.errors)}", f"See: pnp check {name}.")
        for fault in faults:
            health.complain(f"{fault.place}: {fault.message}", fault.hint)


def _output(health: Health) -> None:
    """Tries to write where output is or would be, with a nameless file that leaves nothing."""
    home = health.out
    while not home.exists() and home != home.parent:
        home = home.parent
    try:
        health.free = shutil.disk_usage(home).free
        with tempfile.TemporaryFile(dir=home) as trial:
            trial.write(b"pnp")
        health.writable = True
    except OSError as error:
        health.complain(
            f"nothing can be written to {health.out} ({error.strerror or error})",
            "Make it a folder of your own, or name another one with --out.",
        )
        return
    if health.free < LEAST_FREE:
        health.complain(
            f"only {health.free // 1_000_000} MB are free for {health.out}",
            f"Make room: games take up to {LEAST_FREE // 1_000_000} MB.",
        )
