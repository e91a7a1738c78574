"""A second build does only what has to be done: nothing when nothing has changed, and everything that a change touches."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest
from commands import Left, run
from conftest import ROOT, TINY_TABLE, TINY_TEMPLATE, TinyProject, paths_in
from PIL import Image

from pnp.flows.batch import recipe_of
from pnp.read.project import font_folders
from pnp.shapes.affine import Calibration
from pnp.system.cache import cache_folder
from pnp.values.game import Paper
from pnp.values.outcome import Options, Selection

FONT = next((font_folders(ROOT)[0]).glob("*.ttf"))
UNCHANGED = "tiny: nothing has changed"
SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path fill="#cc2200" d="M0 0H10V10H0Z"/></svg>'


@pytest.fixture(autouse=True)
def own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache for each test alone."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("PNP_CACHE", str(folder))
    return folder


@pytest.fixture
def built(tiny: TinyProject) -> TinyProject:
    """The tiny game with a drawing and a font of its own, built once."""
    tiny.write("content/tiny/art/flag.svg", SQUARE)
    tiny.write("templates/tiny/cards.svg.j2", with_flag())
    (tiny.game / "fonts").mkdir()
    shutil.copy(FONT, tiny.game / "fonts")
    assert build(tiny).code == 0
    return tiny


def with_flag() -> str:
    """The tiny game's template with a picture in a corner."""
    picture = '<image href="flag" x="50" y="75" width="8" height="8"/>'
    return TINY_TEMPLATE.replace("{% endblock %}", f"{picture}\n{{% endblock %}}")


def build(tiny: TinyProject, *options: str) -> Left:
    """``pnp build`` as somebody types it."""
    return run("build", *options, at=tiny.project.root)


def state(tiny: TinyProject) -> dict[str, tuple[int, int]]:
    """Every file below output/ with when it was written, and which one of its name it is."""
    found = [path for path in sorted((tiny.project.root / "output").rglob("*")) if path.is_file()]
    about = {path.relative_to(tiny.project.root).as_posix(): path.stat() for path in found}
    return {name: (each.st_mtime_ns, each.st_ino) for name, each in about.items()}


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def is_known(left: Left) -> bool:
    """Whether a build found that there was nothing to do."""
    assert left.code == 0, left.err
    assert (UNCHANGED in left.err) != ("printing on a4" in left.err)
    return UNCHANGED in left.err


def test_a_second_build_writes_nothing_and_says_the_same(built: TinyProject) -> None:
    """No file is touched; the answer is that of the first build, and how it came to it is told beside it."""
    first = build(built, "--fresh")
    assert build(built).code == 0
    before = state(built)
    second = build(built)

    assert (second.code, second.out) == (0, first.out)
    assert second.err == UNCHANGED + "\n"
    assert state(built) == before


def test_only_what_was_built_in_this_folder_is_known(built: TinyProject) -> None:
    """Another folder gets its files; a project that was moved builds again."""
    assert not is_known(build(built, "--out", "elsewhere"))
    assert is_known(build(built, "--out", "elsewhere"))
    assert is_known(build(built))
    moved = built.project.root.with_name("moved")
    built.project.root.rename(moved)

    assert "nothing has changed" not in run("build", at=moved).err


def test_time_alone_changes_nothing(built: TinyProject) -> None:
    """A file that was saved as it was, a folder fetched anew, a file that is no part of the game: nobody waits for these."""
    for path in built.game.rglob("*"):
        os.utime(path, (1, 1))
    built.write("content/tiny/cards.csv", TINY_TABLE)
    built.write("content/other-notes.txt", "not of this game")
    built.write("output/tiny/a4/mine.txt", "not of this build")

    assert is_known(build(built))


def shared_template(tiny: TinyProject) -> object:
    shared = (ROOT / "templates/shared/face.svg.j2").read_text(encoding="utf-8")
    return tiny.write("templates/shared/face.svg.j2", shared + "\n")


def file_less(tiny: TinyProject) -> None:
    tiny.write("templates/tiny/cards.svg.j2", TINY_TEMPLATE)
    assert not is_known(build(tiny))
    (tiny.game / "art/flag.svg").unlink()


CHANGES: dict[str, Callable[[TinyProject], object]] = {
    "cell": lambda tiny: tiny.put(cards_csv=TINY_TABLE.replace("two", "ten")),
    "drawing": lambda tiny: Image.new("RGB", (60, 60), "#00aa00").save(tiny.game / "art/anna.png"),
    "font": lambda tiny: (tiny.game / "fonts" / FONT.name).rename(tiny.game / "fonts/another-name.ttf"),
    "shared template": shared_template,
    "file less": file_less,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_is_built(built: TinyProject, change: Callable[[TinyProject], object]) -> None:
    """What is written then is to the byte what a build from nothing writes; and after it nothing has changed again."""
    change(built)
    done = build(built)

    assert not is_known(done)
    assert is_known(build(built))
    assert build(built, "--fresh", "--out", "new").code == 0
    assert contents(built.project.root / "output") == contents(built.project.root / "new")


@pytest.mark.parametrize("what", ["version", "engine"])
def test_another_version_is_another_build(built: TinyProject, what: str, tmp_path: Path) -> None:
    """Of pnp, by its code, or of what it draws with: a recipe written down by another one does not count."""
    options = Options(built.project.root / "output")
    here = recipe_of(built.project, "tiny", options)
    site = tmp_path / "site"
    if what == "version":
        shutil.copytree(ROOT / "pnp", site / "pnp", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "templates", site / "templates")
        with (site / "pnp/shapes/units.py").open("a", encoding="utf-8") as file:
            file.write("# mended\n")
    else:
        about = site / "typst-99.0.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: typst\nVersion: 99.0\n", encoding="utf-8")
    assert elsewhere(built, site) != here
    assert elsewhere(built, tmp_path / "nothing") == here


def elsewhere(tiny: TinyProject, first: Path) -> str:
    """The recipe that a Python finds that looks for packages in another folder first."""
    code = (
        "import sys; from pathlib import Path; from pnp.flows.batch import recipe_of;"
        "from pnp.values.outcome import Options;"
        "from pnp.read.project import Project; root = Path(sys.argv[1]);"
        "print(recipe_of(Project(root), 'tiny', Options(root / 'output')), end='')"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(first), str(ROOT)))}
    command = [sys.executable, "-c", code, str(tiny.project.root)]
    return subprocess.run(
        command, cwd=tiny.project.root, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def test_an_option_that_is_new_is_part_of_the_recipe(built: TinyProject) -> None:
    """Every option that there is decides it, except the folder, which is where it is kept."""
    base = Options(built.project.root / "output")
    words = {"backs": "none", "faces": "png", "ink": "grey", "cut": "svg", "marks": "both", "language": "de"}
    other = words | {"papers": (Paper("own", 100.0, 200.0),), "calibration": Calibration(0.5), "dpi": 301, "price": 0.01}
    other |= {"face_bleed": False, "draft": True, "perforate": True, "margin": 4.0, "each": (("id", "anna"),)}
    other |= {"selection": Selection(times=2)}
    names = [each.name for each in fields(Options) if each.name != "out"]
    recipes = {recipe_of(built.project, "tiny", replace(base, **{name: other[name]})) for name in names}

    assert len(recipes | {recipe_of(built.project, "tiny", base)}) == len(names) + 1
    assert recipe_of(built.project, "tiny", replace(base, out=Path("x"))) == recipe_of(built.project, "tiny", base)


def one_byte_other(path: Path) -> None:
    data, about = path.read_bytes(), path.stat()
    path.write_bytes(data[:-2] + bytes([data[-2] ^ 1]) + data[-1:])
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


@pytest.mark.parametrize("damage", [Path.unlink, one_byte_other], ids=["gone", "one byte other"])
def test_a_damaged_file_is_seen(built: TinyProject, damage: Callable[[Path], None]) -> None:
    """Whichever it is, also when its size and its time are what they were; it may be somebody's work, so it stays."""
    before = contents(built.project.root / "output")
    files = paths_in(built.project.root / "output")
    assert len(files) >= 3
    for path in files:
        damage(path)
        damaged = contents(built.project.root / "output")
        if path.exists():
            refused = run("build", "tiny", at=built.project.root)
            assert (refused.code, contents(built.project.root / "output")) == (3, damaged)
            assert path.name in refused.err
            path.unlink()
        assert not is_known(build(built))
        assert contents(built.project.root / "output") == before
        assert is_known(build(built))


def test_a_wrong_game_is_never_known(built: TinyProject) -> None:
    """Its errors are found each time; the files of the good build stay, and are known once it is mended."""
    built.write("content/tiny/cards.csv", "name,text\nAnna\n")
    before = contents(built.project.root / "output")
    for _ in range(2):
        left = build(built)
        assert (left.code, "nothing has changed" in left.err) == (1, False)
    assert contents(built.project.root / "output") == before
    built.write("content/tiny/cards.csv", TINY_TABLE)

    assert is_known(build(built))


def test_json_is_of_a_build_just_made(built: TinyProject) -> None:
    """Other programs are told claims and tables as well, which only a build knows; twice the same."""
    before = state(built)
    first, second = build(built, "--json"), build(built, "--json")
    (entry,) = json.loads(second.out)["games"]

    assert first.out == second.out
    assert entry["ok"] and {Path(name).name for name in entry["files"]} >= {"print.pdf", "manifest.json"}
    assert set(state(built).values()).isdisjoint(before.values())


def test_the_cache_is_the_one_that_is_named(built: TinyProject, monkeypatch: pytest.MonkeyPatch, own: Path) -> None:
    """``PNP_CACHE`` is where builds are remembered, and nowhere else; outside it nothing is written but output."""
    other = own.with_name("other-cache")
    monkeypatch.setenv("PNP_CACHE", str(other))
    assert cache_folder() == other
    assert not is_known(build(built))
    assert any(path.is_file() for path in other.rglob("*"))
    monkeypatch.setenv("PNP_CACHE", str(own))

    assert is_known(build(built))
    assert {path.name for path in built.project.root.iterdir()} == {"content", "templates", "output"}


@pytest.mark.parametrize("kind", ["a file", "damaged"])
def test_a_cache_that_cannot_be_used_stops_nobody(
    built: TinyProject, monkeypatch: pytest.MonkeyPatch, own: Path, kind: str
) -> None:
    """Then every build is one from nothing, and says nothing of it."""
    if kind == "a file":
        blocked = own.with_name("no-folder")
        blocked.write_text("mine")
        monkeypatch.setenv("PNP_CACHE", str(blocked))
    for _ in range(2):
        for path in own.rglob("*"):
            if path.is_file():
                path.write_bytes(b"damaged")
        left = build(built)
        assert not is_known(left)
        assert "ache" not in left.err


def checked(tiny: TinyProject, *options: str) -> tuple[bool, Left]:
    """``pnp check``, and whether it looked at the game."""
    done = run("check", "tiny", *options, at=tiny.project.root)
    return "reading the tables" in done.err or "drawing" in done.err, done


def test_a_second_check_tells_the_same_and_looks_at_nothing(built: TinyProject) -> None:
    """Warnings as well; a change, another way, a damaged report and somebody who reads JSON are looked at anew."""
    built.write("content/tiny/cards.csv", TINY_TABLE.replace("text", "text,unread").replace(".\n", ".,x\n"))
    looked, first = checked(built)
    again, second = checked(built)

    assert looked and not again
    assert (second.code, second.out) == (first.code, first.out)
    assert "unread" in first.err and first.err.endswith(second.err)
    assert checked(built, "--grey")[0] and checked(built, "--json")[1].out.startswith("{")
    (built.project.root / "output/tiny/report.html").unlink()
    assert checked(built)[0] and not checked(built)[0]
    built.write("content/tiny/cards.csv", TINY_TABLE.replace("Anna", "Zoe"))
    assert checked(built)[0]


def test_only_the_game_that_changed_is_built(built: TinyProject) -> None:
    """The other one is told to be as it was; results stand in the order of the names."""
    shutil.copytree(built.game, built.project.content / "other")
    shutil.copytree(built.project.root / "templates/tiny", built.project.root / "templates/other")
    assert build(built, "--jobs", "1").code == 0
    before = state(built)
    built.write("content/tiny/cards.csv", TINY_TABLE.replace("two", "ten"))
    left = build(built, "--jobs", "1")
    touched = {name for name, about in state(built).items() if before[name] != about}

    assert left.code == 0
    assert "other: nothing has changed" in left.err and "tiny: nothing" not in left.err
    assert {name.split("/")[1] for name in touched} == {"tiny"}
    assert [line.partition(":")[0] for line in left.out.splitlines()] == ["other", "tiny"]


def test_clean_forgets_all_builds(built: TinyProject) -> None:
    """Files in output/ stay; the next build is one from nothing, and comes to the same."""
    before = contents(built.project.root / "output")
    cleaned = run("clean", at=built.project.root)

    assert cleaned.code == 0
    assert re.fullmatch(r"removed [1-9]\d* entr(y|ies)", cleaned.out.partition(",")[0])
    assert contents(built.project.root / "output") == before
    assert not is_known(build(built))
    assert contents(built.project.root / "output") == before
