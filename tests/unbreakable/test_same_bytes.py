"""The same game gives the same bytes, wherever, whenever and by whatever it is built."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from bound import GAME, fair
from conftest import ROOT, TINY_GAME, TINY_TABLE, TINY_TEMPLATE, TinyProject
from processes import POWERLESS, digests, needs_linux

PNP = "from pnp.cli.main import main; main()"
# Sheets, books and the page for the phone, files for a cutting machine, faces.
ALL = ("build", "--cut", "silhouette", "--faces", "png", "--dpi", "72")
THREADS = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from pnp.flows.batch import build_games
from pnp.values.outcome import Options
from pnp.read.project import Project
with ThreadPoolExecutor(2) as executor:
    options = Options(out=Path("output"), cut="silhouette", faces="png", dpi=72)
    results = build_games(Project(Path.cwd()), ["small", "tiny"], options, print, None, executor)
sys.exit(not all(result.ok for result in results))
"""
EAST = {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii:replace"}
EAST |= {"PYTHONHASHSEED": "4242", "TZ": "Pacific/Kiritimati", "SOURCE_DATE_EPOCH": "2000000000", "PNP_CACHE": os.devnull}
ENVIRONMENTS = {
    "Turkish, another seed": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "LANGUAGE": "tr", "PYTHONHASHSEED": "4242"},
    "ASCII, far in the east, no cache": EAST,
}


def games(root: Path) -> TinyProject:
    """Two games: cards, a die, tiles in a layout, a rulebook and a reference card; and one of cards only, whose marks are
    set in its own font, a layer for each sheet."""
    made = fair(root, game=GAME.replace('["a4", "letter"]', '["a4"]'))
    made.write("content/small/game.toml", TINY_GAME.replace("Tiny", "אי") + '\n[fonts]\nbody = "Amatic SC"\n')
    made.write("content/small/cards.csv", TINY_TABLE.replace("\n", ",20\n").replace(",20", ",copies", 1))
    made.write("templates/small/cards.svg.j2", TINY_TEMPLATE)
    return made


def build(at: Path, *arguments: str, program: str = PNP, before: str = "", **environment: str) -> str:
    """Build in a Python of its own; what it said."""
    beside = Path(f"{at}-beside")
    (beside / "tmp").mkdir(parents=True, exist_ok=True)
    given = {"TMPDIR": str(beside / "tmp"), "PNP_CACHE": str(beside / "cache"), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", f"{before}\n{program}", *arguments],
        cwd=at,
        env={**os.environ, "PYTHONHASHSEED": "0", **given, **environment},
        capture_output=True,
        timeout=120,
    )
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    assert done.returncode == 0, said
    return said


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Built one game after the other, in one process."""
    made = games(tmp_path_factory.mktemp("first"))
    build(made.project.root, *ALL, "--jobs", "1")
    files = digests(made.project.root / "output")
    books = {f"tiny/a4/{name}.pdf" for name in ("rulebook", "rulebook-a5", "rulebook-booklet", "turn-two-up")}
    sheets = {f"tiny/a4/{name}.pdf" for name in ("print", "cards", "dice", "tiles")}
    assert {*books, *sheets, "tiny/rulebook.html", "tiny/manifest.json", "small/a4/print.pdf"} <= set(files)
    assert all(any(part in name for name in files) for part in ("/cut/", ".dxf", "/faces/"))
    return files


@pytest.mark.parametrize(
    "environment", ["ASCII, far in the east, no cache", pytest.param("Turkish, another seed", marks=pytest.mark.at_length)]
)
def test_anywhere_in_the_world(expected: dict[str, str], tmp_path: Path, environment: str) -> None:
    """Neither language nor time zone, nor the order in which Python keeps sets, nor whether there is a cache."""
    made = games(tmp_path / "made")
    build(made.project.root, *ALL, "--jobs", "1", **ENVIRONMENTS[environment])

    assert digests(made.project.root / "output") == expected


@pytest.mark.parametrize("program", [PNP, pytest.param(THREADS, marks=pytest.mark.at_length)], ids=["processes", "threads"])
def test_side_by_side(expected: dict[str, str], tmp_path: Path, program: str) -> None:
    """In processes of their own, or in threads of one."""
    made = games(tmp_path / "made")
    said = build(made.project.root, *ALL, "--jobs", "2", program=program)

    assert "building small, tiny" in said
    assert digests(made.project.root / "output") == expected


@needs_linux
@pytest.mark.at_length
def test_from_what_may_only_be_read(expected: dict[str, str], tmp_path: Path) -> None:
    """A pack on a disc: nothing is written beside it, whether it may be or not."""
    made = games(tmp_path / "made")
    before = digests(made.project.root)
    folders = [path for path in made.project.root.rglob("*") if path.is_dir()] + [made.project.root]
    for path in folders:
        path.chmod(0o555)
    try:
        build(made.project.root, *ALL, "--jobs", "1", "--out", str(tmp_path / "there"), before=POWERLESS)
    finally:
        for path in folders:
            path.chmod(0o755)

    assert digests(tmp_path / "there") == expected
    assert digests(made.project.root) == before
