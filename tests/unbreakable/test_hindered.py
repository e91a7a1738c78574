"""A build that cannot write says which file in one sentence, ends with 3, and leaves the last good files as they were."""

from __future__ import annotations

import json
import re
import shutil
import stat
from pathlib import Path

import pytest
from conftest import TinyProject, aside
from processes import POWERLESS, digests, finished, needs_linux, turn_to, with_rulebook

from pnp.read.project import Project

pytestmark = needs_linux

# Files may be no longer than this.
# Python would leave what it compiles cut short beside our own code.
SHORT = "import resource, sys; sys.dont_write_bytecode = True; resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0}))"
# As Windows refuses to replace a file that a viewer shows.
SHOWN = """
import os
from pathlib import Path
replace = os.replace
def refusing(source, target, **more):
    if Path(target).name == "{0}" and "new" in Path(source).parts:
        raise PermissionError(13, "Permission denied", str(source), None, str(target))
    return replace(source, target, **more)
os.replace = refusing
"""
# On a small disk of its own: a build that has room, then one that has none.
SMALL_DISK = """
import ctypes, json, os, sys
sys.path[:0] = {0!r}
from pathlib import Path
from conftest import aside
from processes import digests
from pnp.cli.main import main

libc = ctypes.CDLL(None, use_errno=True)
out = Path("output")
out.mkdir()
alone = libc.unshare(0x20000) == 0 and libc.mount(b"none", b"/", None, 0x4000 | 0x40000, None) == 0
if not alone or libc.mount(b"tmpfs", os.fsencode(out.absolute()), b"tmpfs", 0, b"size=4m") != 0:
    print("no disk")
    raise SystemExit(0)

def build():
    try:
        main()
    except SystemExit as left:
        return left.code

first, before = build(), digests(out)
room = os.statvfs(out)
(out / "holiday.mov").write_bytes(bytes(room.f_bavail * room.f_frsize - 20_000))
table = Path("content/tiny/cards.csv")
table.write_text(table.read_text().replace("Bakery", "Brewery"))
before = digests(out)
second = build()
print(json.dumps([first, second, before == digests(out), aside(out)]))
"""


@pytest.fixture(scope="module")
def summer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that was built in summer."""
    made = with_rulebook(tmp_path_factory.mktemp("summer") / "made")
    code, said = finished(made.project.root, "build")
    assert code == 0, said
    return made.project.root


@pytest.fixture
def made(summer: Path, tmp_path: Path) -> TinyProject:
    """It is to be built in winter."""
    made = TinyProject(Project(Path(shutil.copytree(summer, tmp_path / "made"))))
    turn_to(made, "winter")
    return made


def refused(made: TinyProject, named: str, before: str = "") -> str:
    """A build that cannot write: exit 3, one sentence with the name, the last good files, nothing left over; all it said."""
    out = made.project.root / "output"
    files, names = digests(out), sorted(out.rglob("*"))
    code, said = finished(made.project.root, "build", before=before)

    assert code == 3, said
    (sentence,) = [line for line in said.splitlines() if line.startswith("Error: ")]
    assert sentence.endswith(named), sentence
    assert "Traceback" not in said
    assert digests(out) == files
    assert sorted(out.rglob("*")) == names
    assert list((made.project.root.parent / "made-beside/tmp").iterdir()) == []
    return said


def built(made: TinyProject) -> None:
    """When it is no longer hindered the build is there."""
    code, said = finished(made.project.root, "build")
    assert code == 0, said
    assert aside(made.project.root / "output") == []


def test_a_file_has_no_room(made: TinyProject) -> None:
    """The disk takes all but the largest file: that one is named."""
    largest = max((made.project.root / "output").rglob("*.*"), key=lambda path: path.stat().st_size)
    said = refused(made, str(largest), SHORT.format(largest.stat().st_size - 1))

    assert "Error: File too large: " in said
    built(made)


def test_a_schema_has_no_room(made: TinyProject) -> None:
    """It is there whole, or not at all."""
    code, said = finished(made.project.root, "schema", "--out", "new.json", before=SHORT.format(2000))

    assert (code, "Error: File too large: " in said, (made.project.root / "new.json").exists()) == (3, True, False), said


def test_temporary_files_have_no_room(made: TinyProject) -> None:
    """Not even what is set can be handed to the typesetter: the folder for temporary files is named."""
    refused(made, "made-beside/tmp", SHORT.format(2000))
    built(made)


def test_the_disk_is_full(tmp_path: Path) -> None:
    """A real one, with room for one build and not for another; left out where nobody may have disks of their own."""
    made = with_rulebook(tmp_path / "made")
    paths = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
    code, said = finished(made.project.root, "build", program=SMALL_DISK.format(paths))
    if "no disk" in said:
        pytest.skip("may not mount")

    assert code == 0, said
    assert json.loads(said[said.rindex("[0") :].splitlines()[0]) == [0, 3, True, []], said
    assert re.search(r"^Error: No space left on device: .*/output/tiny/\S+$", said, re.MULTILINE), said


def test_the_folder_is_read_only(made: TinyProject) -> None:
    """That of a paper: it or a file in it is named."""
    folder = made.project.root / "output/tiny/a4"
    before = stat.S_IMODE(folder.stat().st_mode)
    folder.chmod(0o555)
    try:
        said = refused(made, "", POWERLESS)
    finally:
        folder.chmod(before)

    assert re.search(rf"^Error: Permission denied: {re.escape(str(folder))}(/[\w-]+\.pdf)?$", said, re.MULTILINE)
    built(made)


def test_a_file_stands_where_the_folder_of_a_paper_belongs(made: TinyProject) -> None:
    """The same deeper down, where files could be written before it is met."""
    folder = made.project.root / "output/tiny/a4"
    shutil.rmtree(folder)
    folder.write_text("mine")

    refused(made, f"a file stands where this folder belongs: {folder}")


def test_a_folder_stands_where_a_file_belongs(made: TinyProject) -> None:
    """Nobody knows what is in it, so it stays."""
    file = made.project.root / "output/tiny/a4/print.pdf"
    file.unlink()
    file.mkdir()
    (file / "mine.txt").write_text("mine")

    refused(made, f"a folder stands where this file belongs: {file}")


@pytest.mark.parametrize("name", ["cards.pdf", "manifest.json"])
def test_a_file_that_is_shown_cannot_be_replaced(made: TinyProject, name: str) -> None:
    """As on Windows: it is named, with what most people have done; those that were put in their places are taken back."""
    (file,) = (made.project.root / "output").rglob(name)
    assert "\nIf it is open in another program" in refused(made, str(file), SHOWN.format(name))
    built(made)


def test_what_was_added_is_taken_back_as_well(made: TinyProject) -> None:
    """A new paper whose files come before the one that cannot be replaced leaves no file and no folder."""
    made.put(game_toml=(made.game / "game.toml").read_text(encoding="utf-8").replace('["a4"]', '["letter", "a4"]'))
    refused(made, "manifest.json", SHOWN.format("manifest.json"))

    assert not (made.project.root / "output/tiny/letter").exists()
    built(made)
    assert (made.project.root / "output/tiny/letter/print.pdf").is_file()
