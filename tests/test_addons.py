"""Add-ons are found through entry points: a stranger's as well as the four that come along, and the core needs none."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, TinyProject

ADDONS = ("imports", "exports", "press", "studio")
METADATA = "Metadata-Version: 2.1\nName: pnp-price-list\nVersion: 1.0\n"


def pnp(project: TinyProject, *words: str, path: str) -> subprocess.CompletedProcess[str]:
    """``pnp`` with another PYTHONPATH, in the tiny project."""
    command, env = [sys.executable, "-m", "pnp", *words], {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, capture_output=True, text=True, cwd=project.project.root, env=env, timeout=120)


def installed(folder: Path, group: str, entry: str, code: str) -> str:
    """A package as pip installs it: a module and its metadata, in a folder that is on the path."""
    info = folder / "pnp_price_list-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(METADATA)
    (info / "entry_points.txt").write_text(f"[{group}]\n{entry}\n")
    (folder / "pnp_price_list.py").write_text(code)
    return f"{folder}:{ROOT}"


def test_the_target_of_the_docs_works_once_it_is_installed(tiny: TinyProject, tmp_path: Path) -> None:
    """The twenty lines of ``docs/how-it-works/add-ons.md``, as a package of a stranger."""
    page = (ROOT / "docs/how-it-works/add-ons.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (entry,) = re.findall(r'pnp\.exports"\]\n(.*?) = "(.*?)"', page)
    path = installed(tmp_path / "site", "pnp.exports", " = ".join(entry), code)

    done = pnp(tiny, "export", "price-list", "tiny", path=path)

    assert done.returncode == 0, done.stderr
    assert (tiny.project.root / "output/tiny/export/price-list/prices.txt").read_text() == "Cards: 2 pieces"


def test_a_command_of_a_stranger_is_in_the_help_and_runs(tiny: TinyProject, tmp_path: Path) -> None:
    """A click command under the name of its entry point."""
    code = "import click\n@click.command()\ndef hello():\n    'Greet.'\n    click.echo('good day')\n"
    path = installed(tmp_path / "site", "pnp.commands", "hello = pnp_price_list:hello", code)

    assert "hello" in pnp(tiny, "--help", path=path).stdout
    assert pnp(tiny, "hello", path=path).stdout == "good day\n"


@pytest.mark.parametrize(
    ("code", "said"),
    [("import nowhere_at_all", "pip install 'pnp-price-list[shop]'"), ("raise RuntimeError('dawn')", "RuntimeError: dawn")],
)
def test_a_command_that_cannot_be_loaded_says_what_to_do(tiny: TinyProject, tmp_path: Path, code: str, said: str) -> None:
    """Without a library the extra is named that brings it; a fault in the add-on is told as one. Neither harms others."""
    path = installed(tmp_path / "site", "pnp.commands", "hello = pnp_price_list:hello [shop]", code)

    done = pnp(tiny, "hello", path=path)

    assert (done.returncode, said in done.stderr, "Traceback" in done.stderr) == (2, True, False)
    assert pnp(tiny, "--help", path=path).returncode == 0


def test_without_add_ons_the_core_does_its_work(tiny: TinyProject, tmp_path: Path) -> None:
    """A copy of pnp without the four folders builds, checks and verifies; each command says which extra brings it."""
    shutil.copytree(ROOT / "pnp", tmp_path / "site/pnp", ignore=shutil.ignore_patterns("__pycache__", *ADDONS))
    shutil.copytree(ROOT / "templates", tmp_path / "site/templates")
    path = str(tmp_path / "site")

    for words in (("check",), ("build",), ("verify", "output/tiny/a4/print.pdf"), ("--help",)):
        done = pnp(tiny, *words, path=path)
        assert done.returncode == 0, (words, done.stderr)
    for addon, command in (("imports", ("import", "content")), ("exports", ("export", "faces")), ("studio", ("studio",))):
        missing = pnp(tiny, *command, path=path)
        assert missing.returncode == 2 and f"pip install 'pnp-press[{addon}]'" in missing.stderr


def test_exports_do_without_the_press(tiny: TinyProject, tmp_path: Path) -> None:
    """Its targets say which extra brings them; the others are made."""
    shutil.copytree(ROOT / "pnp", tmp_path / "site/pnp", ignore=shutil.ignore_patterns("__pycache__", "press"))
    shutil.copytree(ROOT / "templates", tmp_path / "site/templates")
    path = str(tmp_path / "site")

    missing = pnp(tiny, "export", "press", path=path)
    assert missing.returncode == 2 and "pip install 'pnp-press[press]'" in missing.stderr
    made = pnp(tiny, "export", "faces", path=path)
    assert made.returncode == 0, made.stderr
