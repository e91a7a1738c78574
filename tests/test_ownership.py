"""pnp replaces and deletes nothing but what it wrote itself: a build may cost time, never a person's files."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Left, run
from conftest import ROOT, TINY_GAME, TINY_TABLE, TINY_TEMPLATE, TinyProject, aside, examples, files_in, put_files
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pnp.read.project import Project
from pnp.system.manifest import ASIDE, OWNED, NotOurs, passing_name
from pnp.system.paths import digest_of

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a permission there")
TREASURE = b"the only copy of a thesis"


def everything(root: Path) -> dict[str, tuple[object, ...]]:
    """Every name below a folder: what is in the files, where links lead."""
    found: dict[str, tuple[object, ...]] = {}
    for path in sorted(root.rglob("*")):
        about = path.lstat()
        if stat.S_ISLNK(about.st_mode):
            found[path.relative_to(root).as_posix()] = "link", str(path.readlink())
        elif stat.S_ISREG(about.st_mode):
            found[path.relative_to(root).as_posix()] = "file", path.read_bytes()
    return found


def changed_cards(tiny: TinyProject) -> None:
    tiny.write("content/tiny/cards.csv", TINY_TABLE.replace("Bert", "Boris"))


def build(tiny: TinyProject, *more: str) -> Left:
    return run("build", "tiny", "--paper", "a4", *more, at=tiny.project.root)


# --- links ----------------------------------------------------------------------------------------------------------------


@needs_links
@pytest.mark.parametrize(
    ("link", "command"),
    [
        ("output/tiny", ("build", "tiny")),
        ("output/tiny/a4", ("build", "tiny", "--paper", "a4")),
        ("output/tiny/one-piece", ("build", "tiny")),
        ("output/tiny/faces", ("build", "tiny", "--faces", "svg")),
        ("output/tiny/a4/cut", ("build", "tiny", "--paper", "a4", "--cut", "svg")),
        ("output/tiny/low-ink", ("build", "tiny", "--low-ink")),
        ("output/tiny/each/ann", ("build", "tiny", "--each", "people.csv")),
        ("output/tiny/each/ann/a4", ("build", "tiny", "--each", "people.csv")),
        ("output/tiny/preview", ("preview", "tiny", "cards")),
        ("output/tiny/simulate", ("simulate", "grey", "tiny")),
        ("output/tiny", ("check", "tiny")),
        ("output/calibration", ("calibrate",)),
        ("output/doctor", ("doctor", "--print")),
        ("output", ("build", "tiny")),
        ("output", ("check", "tiny")),
        ("output", ("preview", "tiny", "cards")),
        ("output", ("calibrate",)),
        ("output", ("doctor", "--print")),
        ("output", ("clean", "--output", "tiny")),
    ],
)
def test_nothing_is_written_or_deleted_behind_a_link(tiny: TinyProject, link: str, command: tuple[str, ...]) -> None:
    """Whatever folder of the output somebody made a link: what it leads to stays whole, and a sentence names the link."""
    root = tiny.project.root
    tiny.write("people.csv", "id,who\nann,Ann\n")
    tiny.write("victim/thesis", TREASURE)
    tiny.write("victim/tiny/thesis", TREASURE)
    tiny.write("victim/old/chapter.txt", TREASURE)
    place = root / link
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(root / "victim")
    if link.endswith("one-piece"):
        board = '\n[component.sea]\nkind = "board"\nsize = "100mm x 100mm"\ntemplate = "cards"\ntable = "cards"\n'
        tiny.put(game_toml=TINY_GAME + board)
    before = everything(root / "victim")
    done = run(*command, at=root)

    assert everything(root / "victim") == before
    assert done.code in (2, 3), done.out + done.err
    assert "link" in done.err and place.name in done.err
    assert place.is_symlink()


@needs_links
def test_a_link_of_ones_own_is_named_with_out(tiny: TinyProject) -> None:
    """Who keeps the output on another disk says so: a folder named with --out may be a link."""
    root = tiny.project.root
    (root / "disk").mkdir()
    (root / "output").symlink_to("disk")
    refused = build(tiny)

    assert refused.code == 2 and f"--out {root / 'disk'}" in refused.err
    assert build(tiny, "--out", str(root / "output")).code == 0
    assert (root / "disk/tiny/a4/print.pdf").is_file()


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="a folder of Linux in which nobody can make another")
@pytest.mark.parametrize("typed", ["build", "export faces"])
def test_an_output_that_cannot_be_made_is_told_with_what_to_do(tiny: TinyProject, typed: str) -> None:
    """Not as a file that is missing: the system says so of /proc/x."""
    left = run(*typed.split(), "tiny", "--out", "/proc/x", at=tiny.project.root)

    assert left.code == 3 and "No such file" not in left.err
    assert "no folder can be made here: /proc/x" in left.err and "choose another place with --out" in left.err


@needs_links
def test_the_preview_of_a_watch_is_not_written_through_a_link(tiny: TinyProject) -> None:
    """Pictures of faces go into a folder of their own, which must be one."""
    from pnp.flows.watch import Watch

    tiny.write("victim/photo.png", TREASURE)
    (tiny.project.root / "output/tiny/preview").mkdir(parents=True)
    (tiny.project.root / "output/tiny/preview/faces").symlink_to(tiny.project.root / "victim")
    watched = Watch(tiny.project, "tiny", tiny.project.root / "output")

    with pytest.raises(NotOurs, match="link"):
        watched.rebuild()
    assert files_in(tiny.project.root / "victim") == {"photo.png": TREASURE}


# --- files of a person's own ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a4/print.pdf", "a4/cards.pdf", "manifest.json"])
def test_a_strangers_file_under_a_name_that_is_needed_stops_the_build(tiny: TinyProject, name: str) -> None:
    """It is named, with what to do; nothing at all is written."""
    place = tiny.write(f"output/tiny/{name}", TREASURE)
    refused = build(tiny)

    assert refused.code == 3
    assert "pnp did not write this file" in refused.err and str(place) in refused.err and "--out" in refused.err
    assert files_in(tiny.project.root / "output") == {f"tiny/{name}": TREASURE}


def test_a_file_of_ours_that_was_changed_is_the_persons_now(tiny: TinyProject) -> None:
    """Somebody wrote notes into the PDF: the next build refuses, and says so, rather than throw them away."""
    build(tiny)
    printed = tiny.project.root / "output/tiny/a4/print.pdf"
    printed.write_bytes(printed.read_bytes() + TREASURE)
    annotated = printed.read_bytes()
    changed_cards(tiny)

    assert build(tiny).code == 3
    assert printed.read_bytes() == annotated
    printed.rename(printed.with_name("my notes.pdf"))
    assert build(tiny).code == 0
    assert printed.with_name("my notes.pdf").read_bytes() == annotated


def test_a_project_goes_on_in_another_place_for_another_person(
    tiny: TinyProject, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is copied with its output to another computer: builds replace and remove their files there as here."""
    build(tiny, "--faces", "svg")
    there = TinyProject(Project(Path(shutil.copytree(tiny.project.root, tmp_path_factory.mktemp("there") / "copied"))))
    for name in ("PNP_CONFIG", "PNP_CACHE", "HOME"):
        monkeypatch.setenv(name, str(tmp_path_factory.mktemp("another person")))
    changed_cards(there)
    done = build(there, "--faces", "svg")

    assert done.code == 0, done.err
    faces = there.project.root / "output/tiny/faces/cards"
    assert {path.name for path in faces.iterdir()} == {"anna-front.svg", "boris-front.svg"}
    assert run("clean", "--output", "tiny", at=there.project.root).code == 0
    assert files_in(there.project.root / "output") == {}


@needs_links
def test_a_forged_manifest_reaches_only_what_its_forger_knows(tiny: TinyProject) -> None:
    """It came with a stranger's project: what else is in the folder stays, and so does what a link leads to."""
    thesis = tiny.write("output/tiny/thesis.pdf", TREASURE)
    tiny.write("home/thesis", TREASURE)
    (tiny.project.root / "output/tiny/a5").symlink_to(tiny.project.root / "home")
    known = {"by": "build", "sha256": [digest_of(TREASURE)]}
    guessed = {"by": "build", "sha256": [digest_of(b"guessed")]}
    forged = {"folder": "tiny", "files": {"a5/thesis": known, "thesis.pdf": guessed, "a4/print.pdf": guessed}}
    tiny.write(f"output/tiny/{OWNED}", json.dumps(forged))

    assert build(tiny).code == 0
    assert run("clean", "--output", "tiny", at=tiny.project.root).code == 0
    assert thesis.read_bytes() == (tiny.project.root / "home/thesis").read_bytes() == TREASURE


def test_files_of_an_older_pnp_are_named_as_such(tiny: TinyProject) -> None:
    """Its records are not read: what to do is said in one sentence, and nothing is lost."""
    tiny.write("output/tiny/.pnp-record-0123abcd.json", "{}")
    tiny.write("output/tiny/a4/print.pdf", TREASURE)
    refused = build(tiny)

    assert refused.code == 3 and "older pnp" in refused.err
    assert len(files_in(tiny.project.root / "output")) == 2


SPOILT: dict[str, Callable[[str], str]] = {
    "leads out": lambda text: text.replace("a4/cards.pdf", "../a4/cards.pdf"),
    "absolute": lambda text: text.replace("a4/cards.pdf", "/a4/cards.pdf"),
    "no name": lambda text: text.replace("a4/cards.pdf", "a4/\\u0000"),
    "of another folder": lambda text: text.replace('"folder": "tiny"', '"folder": "other"'),
    "cut short": lambda text: text[:-40],
    "deep": lambda text: "[" * 100_000,
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_manifest_that_is_damaged_or_copied_is_refused(tiny: TinyProject, spoil: Callable[[str], str]) -> None:
    """Nothing is done, and it is named."""
    build(tiny)
    tiny.write("output/tiny/a4/thesis.pdf", TREASURE)
    record = tiny.project.root / "output/tiny" / OWNED
    record.write_text(spoil(record.read_text(encoding="utf-8")), encoding="utf-8")
    before = everything(tiny.project.root / "output")
    changed_cards(tiny)
    refused = build(tiny)

    assert refused.code == 3 and record.name in refused.err
    assert everything(tiny.project.root / "output") == before


def test_a_schema_is_written_over_nobodys_file(tmp_path: Path) -> None:
    """There is no record of a single file: what is there and says something else stays."""
    mine = tmp_path / "schema.json"
    mine.write_bytes(TREASURE)
    refused = run("schema", "--out", str(mine), at=tmp_path)

    assert refused.code == 2 and "remove it first" in refused.err
    assert mine.read_bytes() == TREASURE
    mine.unlink()
    assert [run("schema", "--out", str(mine), at=tmp_path).code for _ in range(2)] == [0, 0]


def test_only_what_we_wrote_aside_is_swept(tiny: TinyProject) -> None:
    """A folder that merely looks like one of a killed build stays, with all that is in it."""
    out = tiny.project.root / "output/tiny"
    theirs = [".pnp-abcdefgh", ".pnp-0123abcd", f".pnp-{'0' * 28}", ".pnp-"]
    for name in theirs:
        tiny.write(f"output/tiny/{name}/thesis", TREASURE)
    ours = out / passing_name(ASIDE)
    (ours / "new").mkdir(parents=True)
    build(tiny)

    assert aside(out) == sorted(theirs)
    assert all((out / name / "thesis").read_bytes() == TREASURE for name in theirs)


# --- pnp clean --output ---------------------------------------------------------------------------------------------------


def test_what_pnp_wrote_can_be_removed_and_nothing_else(tiny: TinyProject) -> None:
    """Sheets, faces, the report, previews, decks for persons: all of it goes; a note and a changed file stay."""
    tiny.write("people.csv", "id,who\nann,Ann\nbo,Bo\n")
    root = tiny.project.root
    build(tiny, "--faces", "png", "--cut", "dxf")
    build(tiny, "--low-ink", "--each", "people.csv")
    run("check", "tiny", at=root)
    run("preview", "tiny", "cards", at=root)
    tiny.write("output/README.md", "about this folder")
    note = tiny.write("output/tiny/low-ink/each/ann/a4/note.txt", TREASURE)
    changed = tiny.write("output/tiny/report.html", TREASURE)
    done = run("clean", "--output", "tiny", at=root)

    assert done.code == 0, done.err
    assert "report.html stays" in done.out
    assert set(everything(root / "output")) == {"README.md", "tiny/low-ink/each/ann/a4/note.txt", "tiny/report.html"}
    note.unlink()
    changed.unlink()
    shutil.rmtree(root / "output/tiny")
    build(tiny)
    run("clean", "--output", "tiny", at=root)
    assert not (root / "output/tiny").exists()


@pytest.mark.parametrize("name", ["nobody", "..", "", "tiny/a4"])
def test_only_a_folder_of_the_output_is_cleaned(tiny: TinyProject, name: str) -> None:
    """A name that is none, or leads elsewhere, is refused."""
    build(tiny)
    before = everything(tiny.project.root)

    assert run("clean", "--output", name, at=tiny.project.root).code == 2
    assert everything(tiny.project.root) == before


NAMES = (
    *("a4", "a4/print.pdf", "a4/cards.pdf", "a4/cut", "a4/cut/sheet-01.svg", "letter", "letter/print.pdf", "faces"),
    *("faces/cards", "faces/cards/anna-front.svg", "faces/photo.png", "one-piece", "manifest.json", "report.html"),
    *("preview", "preview/cards.png", "preview/faces", "low-ink", "low-ink/a4", "low-ink/each", ".pnp-abcdefgh"),
    *(".pnp-abcdefgh/x", ".pnp-record-00000000.json", "RECORD", "a4/RECORD", "SEALED", "SEALED/new/a4/x"),
)
KINDS = ("file", "same file", "record", "replayed record", "link to file", "link to folder", "dead link", "folder", "loop")
COMMANDS = (
    *("build tiny --paper a4", "build tiny --faces svg --cut svg", "build tiny --low-ink --each people.csv --paper a4"),
    *("check tiny --no-draw", "preview tiny cards --dpi 40", "clean --output tiny", "clean"),
)


def planted(root: Path, name: str, kind: str) -> None:
    """Put something of a stranger's into the output of the game."""
    name = name.replace("RECORD", OWNED).replace("SEALED", f".pnp-{'a' * 28}")
    place = root / "output/tiny" / name
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if kind == "folder":
            place.mkdir(exist_ok=True)
        elif os.path.lexists(place):
            return
        elif kind == "file":
            place.write_bytes(TREASURE)
        elif kind == "same file":
            # Somebody's own copy of what a build wrote elsewhere.
            place.write_bytes((root / "output/other/a4/print.pdf").read_bytes())
        elif kind == "record":
            # It says all that one of ours would, but for what is in the files.
            entry = {"by": "build", "sha256": [digest_of(b"what a forger guesses")]}
            where = place.parent.relative_to(root / "output").as_posix()
            place.write_text(json.dumps({"folder": where, "files": dict.fromkeys(NAMES, entry)}))
        elif kind == "replayed record":
            shutil.copyfile(root / "output/other" / OWNED, place)
        else:
            target = {"link to file": "home/thesis", "link to folder": "home", "dead link": "nowhere"}.get(kind, str(place))
            place.symlink_to(root / target)
    except OSError:
        return  # a file or a link stands where a folder would be needed


@pytest.fixture(scope="module")
def begin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny project with the output of another game beside it."""
    made = TinyProject(Project(tmp_path_factory.mktemp("begin")))
    for game in ("tiny", "other"):
        made.write(f"content/{game}/game.toml", TINY_GAME)
        made.write(f"content/{game}/cards.csv", TINY_TABLE)
        made.write(f"templates/{game}/cards.svg.j2", TINY_TEMPLATE)
    made.write("people.csv", "id,who\nann,Ann\n")
    made.write("home/thesis", TREASURE)
    made.write("home/print.pdf", TREASURE)
    assert run("build", "other", "--paper", "a4", at=made.project.root).code == 0
    return made.project.root


@needs_links
@settings(
    max_examples=examples(45), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True
)
@given(
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(KINDS)), max_size=6),
    st.lists(st.sampled_from(COMMANDS), min_size=1, max_size=3),
    st.booleans(),
)
def test_after_any_command_every_file_that_we_did_not_write_is_there(
    tmp_path_factory: pytest.TempPathFactory, begin: Path, things: list[tuple[str, str]], commands: list[str], begun: bool
) -> None:
    """Files, links, folders and records of any kind in and around the output, before or after a first build: all stay."""
    root = tmp_path_factory.mktemp("strange")
    shutil.copytree(begin, root, dirs_exist_ok=True)
    if begun:
        assert run("build", "tiny", "--paper", "a4", at=root).code == 0
    ours = set(everything(root))
    for name, kind in things:
        planted(root, name, kind)
    forged = {
        f"output/tiny/{name.replace('RECORD', OWNED)}" for name, kind in things if kind == "record" and "RECORD" in name
    }
    theirs = {name: what for name, what in everything(root).items() if name not in ours | forged}
    theirs |= {name: what for name, what in everything(root).items() if not name.startswith("output/tiny/")}
    for command in commands:
        run(*command.split(), at=root)

    after = everything(root)
    assert {name: after.get(name) for name in theirs} == theirs


# --- while a build runs ---------------------------------------------------------------------------------------------------


@needs_links
@pytest.mark.parametrize("how", ["saved anew", "written into", "led elsewhere", "put where nothing was"])
def test_what_somebody_does_while_files_are_put_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Just before a file is replaced somebody saves it, writes into it, or leads its folder to another place."""
    home, place = tmp_path / "home", tmp_path / "out/a4/print.pdf"
    home.mkdir()
    (home / "print.pdf").write_bytes(TREASURE)
    put_files(tmp_path / "out", {"a4/print.pdf": b"old", "manifest.json": b"1"}, ("a4",))
    real = os.link

    def meddling(source: str, target: str, **more: object) -> None:
        if "old" in Path(target).parts and str(target).endswith("print.pdf"):
            monkeypatch.setattr(os, "link", real)
            real(source, target, **more)  # type: ignore[arg-type]
            if how == "saved anew":
                (tmp_path / "mine").write_bytes(TREASURE)
                (tmp_path / "mine").replace(place)
            elif how == "written into":
                place.write_bytes(TREASURE)
            elif how == "led elsewhere":
                place.parent.rename(tmp_path / "moved")
                place.parent.symlink_to(home)
            else:
                (tmp_path / "out/a4/new.pdf").write_bytes(TREASURE)
            return
        real(source, target, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "link", meddling)
    files = {"a4/print.pdf": b"new", "a4/new.pdf": b"new", "manifest.json": b"2"}
    with pytest.raises(NotOurs):
        put_files(tmp_path / "out", files, ("a4",))
    mine = "new.pdf" if how.startswith("put") else "print.pdf"
    assert (tmp_path / "out/a4" / mine).read_bytes() == TREASURE
    assert (tmp_path / "out/manifest.json").read_bytes() == b"1", "none of the others was put"
    if how == "led elsewhere":
        assert (tmp_path / "moved/print.pdf").read_bytes() == b"old"
    assert files_in(home) == {"print.pdf": TREASURE}
    assert aside(tmp_path / "out") == []


@pytest.mark.parametrize("moment", [0, 2, 4])
def test_who_is_interrupted_while_files_are_put_can_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    """Ctrl-C at any look at a file: the old ones are back, and the next build knows all of them as ours."""
    from pnp.system import manifest as module

    old, new = {"a4/a.pdf": b"1", "a4/b.pdf": b"1"}, {"a4/a.pdf": b"2", "a4/b.pdf": b"2", "a4/c.pdf": b"2"}
    put_files(tmp_path / "out", old, ("a4",))
    real, looks = module.digest_on_disk, 0

    def interrupted(path: Path) -> str | None:
        nonlocal looks
        looks += 1
        if looks == moment + 1:
            raise KeyboardInterrupt
        return real(path)

    monkeypatch.setattr(module, "digest_on_disk", interrupted)
    try:
        put_files(tmp_path / "out", new, ("a4",))
    except KeyboardInterrupt:
        assert files_in(tmp_path / "out") == old
    monkeypatch.setattr(module, "digest_on_disk", real)
    put_files(tmp_path / "out", {"a4/a.pdf": b"3"}, ("a4",))

    assert files_in(tmp_path / "out") == {"a4/a.pdf": b"3"}


def test_a_backup_that_somebody_made_of_a_folder_is_theirs(tiny: TinyProject) -> None:
    """A copy of our files with their manifest, kept among them: neither a build nor clean --output takes it away."""
    build(tiny)
    out = tiny.project.root / "output/tiny"
    shutil.copytree(out, tiny.project.root / "copy")
    (tiny.project.root / "copy").rename(out / "printed-in-may")
    before = everything(out / "printed-in-may")
    changed_cards(tiny)
    build(tiny)
    assert run("clean", "--output", "tiny", at=tiny.project.root).code == 0

    assert everything(out / "printed-in-may") == before
    assert set(everything(out)) == {f"printed-in-may/{name}" for name in before}


def test_one_refused_game_stops_no_other(tiny: TinyProject) -> None:
    """Side by side as one after the other: the one is named with its file, the others are built."""
    shutil.copytree(tiny.game, tiny.project.content / "zoo")
    shutil.copytree(tiny.project.root / "templates/tiny", tiny.project.root / "templates/zoo")
    for jobs in ("1", "2"):
        place = tiny.write(f"output-{jobs}/tiny/a4/print.pdf", TREASURE)
        done = run("build", "--jobs", jobs, "--out", f"output-{jobs}", at=tiny.project.root)

        assert done.code == 3 and str(place) in done.err and "did not write this file" in done.err
        assert (tiny.project.root / f"output-{jobs}/zoo/a4/print.pdf").is_file()


def test_a_report_that_is_somebodys_hides_no_finding(tiny: TinyProject) -> None:
    """What is wrong with the game is told all the same."""
    tiny.write("output/tiny/report.html", TREASURE)
    tiny.write("content/tiny/cards.csv", TINY_TABLE + "Carl,:nothing:\n")
    done = run("check", "tiny", at=tiny.project.root)

    assert done.code == 3
    assert ":nothing:" in done.err or '"nothing"' in done.err
    assert "report.html" in done.err


@pytest.mark.skipif(os.name == "nt", reason="there are none")
@pytest.mark.parametrize("where", ["output/tiny/a4/print.pdf", f"output/tiny/{OWNED}", "cache"])
def test_a_pipe_in_place_of_a_file_stops_nobody_for_ever(
    tiny: TinyProject, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads it would wait for somebody who writes."""
    root = tiny.project.root
    monkeypatch.setenv("PNP_CONFIG", str(root / "config"))
    monkeypatch.setenv("PNP_CACHE", str(root / "cache"))
    build(tiny)
    files = [path for path in (root / "cache").rglob("*") if path.is_file()] if where == "cache" else [root / where]
    for path in files:
        path.unlink()
        os.mkfifo(path)

    assert build(tiny).code in (0, 3)


# --- the folder itself ----------------------------------------------------------------------------------------------------


def test_the_output_folder_says_what_it_is() -> None:
    """It stands in the repository with a README; git ignores what comes there."""
    ignored = (ROOT / ".gitignore").read_text().splitlines()

    assert (ROOT / "output/README.md").is_file()
    assert "/output/*" in ignored and "!/output/README.md" in ignored


def test_a_file_named_in_somebody_elses_manifest_stays(tiny: TinyProject) -> None:
    """What a build printed for other programs makes nothing ours, nor is it replaced."""
    tiny.write("output/tiny/thesis.html", TREASURE)
    manifest = json.dumps({"files": {"thesis.html": {"bytes": len(TREASURE), "sha256": digest_of(TREASURE)}}})
    planted = tiny.write("output/tiny/manifest.json", manifest)
    refused = build(tiny)

    assert refused.code == 3 and "manifest.json" in refused.err
    assert planted.read_text() == manifest
    assert files_in(tiny.project.root / "output") == {"tiny/manifest.json": manifest.encode(), "tiny/thesis.html": TREASURE}
    planted.unlink()
    assert build(tiny).code == 0
    assert (tiny.project.root / "output/tiny/thesis.html").read_bytes() == TREASURE


def test_a_component_that_is_gone_takes_its_own_files_with_it(tiny: TinyProject) -> None:
    """What an earlier build made and this one does not is removed, faces and cut files too, where they are asked for."""
    build(tiny, "--faces", "svg", "--cut", "svg")
    faces = tiny.project.root / "output/tiny/faces/cards"
    (faces / "mine.svg").write_bytes(TREASURE)
    changed_cards(tiny)
    assert {path.name for path in faces.iterdir()} == {"anna-front.svg", "bert-front.svg", "mine.svg"}

    build(tiny, "--faces", "svg")
    assert {path.name for path in faces.iterdir()} == {"anna-front.svg", "boris-front.svg", "mine.svg"}
    assert not (tiny.project.root / "output/tiny/a4/cut").exists()


def test_a_cache_in_somebodys_folder_touches_nothing_of_theirs(
    tiny: TinyProject, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of git's has files with such names; after building and cleaning all of them are there."""
    objects = tmp_path_factory.mktemp("objects")
    for number in range(40):
        name = digest_of(b"%d" % number)
        (objects / name[:2]).mkdir(exist_ok=True)
        (objects / name[:2] / name[2:]).write_bytes(TREASURE)
        (objects / name[:2] / name[2:32]).write_bytes(b"")
    before = files_in(objects)
    monkeypatch.setenv("PNP_CACHE", str(objects))
    build(tiny)

    assert run("clean", at=tiny.project.root).code == 0
    assert {name: data for name, data in files_in(objects).items() if not name.startswith("locks/")} == before
