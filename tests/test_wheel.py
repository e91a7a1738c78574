"""The wheel and the sdist are whole, and the same bytes each time: what is installed works without the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT, THEIRS, made_once

pytest.importorskip("hatchling", reason="hatchling is not installed: pip install -e '.[test]'")

BUILD = "import sys; from hatchling.build import build_sdist as s, build_wheel as w; w(sys.argv[1]); s(sys.argv[1])"
# What is in a checkout and was not written by people.
MADE = (*THEIRS, "output", "dist", "site", "*.egg-info")


def built(source: Path, to: Path) -> Path:
    """A folder with the wheel and the sdist of a source tree."""
    to.mkdir()
    subprocess.run([sys.executable, "-c", BUILD, to], cwd=source, check=True, capture_output=True, timeout=120)
    return to


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel and the sdist of this tree."""

    def build(folder: Path) -> None:
        built(ROOT, folder / "dist")

    return made_once(tmp_path_factory, "dist", build) / "dist"


@pytest.fixture(scope="session")
def site(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has nothing but what is in the wheel."""

    def unpack(folder: Path) -> None:
        with zipfile.ZipFile(next(dist.glob("*.whl"))) as wheel:
            wheel.extractall(folder / "site")

    return made_once(tmp_path_factory, "site", unpack) / "site"


def sources(*folders: str) -> set[str]:
    """Every file below these folders, without what is made there."""
    files = (path for name in folders for path in (ROOT / name).rglob("*") if path.is_file())
    return {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}


def test_the_wheel_has_all_of_pnp_its_templates_and_its_games(site: Path) -> None:
    """And nothing else: no test, no output."""
    found = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    data = {f"pnp/_data/{name}" for name in sources("templates", "content")}

    assert {name for name in found if ".dist-info/" not in name} == sources("pnp") | data
    assert any(name.endswith("licenses/LICENSE") for name in found)
    assert any(name.endswith("licenses/docs/how-it-works/credits.md") for name in found)


def test_the_sdist_has_all_that_the_wheel_and_the_tests_need(dist: Path) -> None:
    """Who has it alone can build the wheel and run the tests."""
    with tarfile.open(next(dist.glob("*.tar.gz"))) as sdist:
        found = {name.partition("/")[2] for name in sdist.getnames()}

    needed = sources("pnp", "templates", "content", "docs", "tests")
    assert sorted(needed - found) == []
    assert {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", ".ci/run"} <= found


def test_the_same_source_gives_the_same_bytes(dist: Path, tmp_path: Path) -> None:
    """In another folder, unpacked at another time, for another user."""
    shutil.copytree(ROOT, tmp_path / "copy", ignore=shutil.ignore_patterns(*MADE))
    for path in (tmp_path / "copy").rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(path.stat().st_mode & 0o700)
    (tmp_path / "copy/output").mkdir()
    shutil.copy(ROOT / "output/README.md", tmp_path / "copy/output")
    again = built(tmp_path / "copy", tmp_path / "again")

    assert {path.name for path in again.iterdir()} == {path.name for path in dist.iterdir()}
    for path in again.iterdir():
        assert path.read_bytes() == (dist / path.name).read_bytes(), path.name


def python(site: Path, *arguments: str, at: Path) -> str:
    """What a Python says that has the installed pnp first on its path, and what it compiled before."""
    env = {**os.environ, "PYTHONPATH": str(site), "PYTHONPYCACHEPREFIX": str(at / "compiled")}
    done = subprocess.run([sys.executable, *arguments], cwd=at, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout


def test_an_installed_pnp_works_without_the_repository(site: Path, tmp_path: Path) -> None:
    """From an empty folder: games are begun, and copied with their templates and fonts; shown, checked, built, exported."""
    for words in (
        *("new fox", "new hen --blank", "new mine --from penguin", "new prowl --from pirates-on-the-prowl"),
        *("check fox", "preview mine cards", "check prowl --no-draw", "build fox hen --paper a4", "export faces fox"),
    ):
        python(site, "-m", "pnp", *words.split(), at=tmp_path)

    where = python(site, "-c", "import pnp; print(pnp.__file__)", at=tmp_path)
    assert where.startswith(str(site)), "it was the installed one that was asked"
    assert (tmp_path / "output/fox/a4/print.pdf").is_file() and (tmp_path / "output/hen/a4/print.pdf").is_file()
    assert (tmp_path / "content/prowl/fonts/PirataOne-Regular.ttf").is_file()
    assert (tmp_path / "content/mine/templates/card.svg.j2").is_file()
