"""Files of a build arrive all or none, and nobody else's files are touched."""

from __future__ import annotations

import json
from pathlib import Path

import pypdf
import pytest
from conftest import TINY_GAME, TinyProject, aside, examples, files_in, put_files
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pnp.system.manifest import MANIFEST
from pnp.system.paths import digest_of

names = st.sampled_from(["a4/x.pdf", "a4/y.pdf", "a4/deep/z.pdf", "letter/x.pdf", "faces/f.png", "manifest.json"])
contents = st.dictionaries(names, st.binary(max_size=4), max_size=6)


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(contents, contents, st.sets(st.sampled_from(["a4", "letter", "faces"])))
def test_after_a_build_there_is_the_new_and_what_is_not_owned(
    tmp_path_factory: pytest.TempPathFactory, old: dict[str, bytes], new: dict[str, bytes], owned: set[str]
) -> None:
    """The folder then holds the new files and those old ones that stand below no owned name, and no others."""
    folder = tmp_path_factory.mktemp("out")
    put_files(folder, old)
    put_files(folder, new, tuple(owned))

    others = {name: data for name, data in old.items() if name.partition("/")[0] not in owned}
    assert files_in(folder) == {**others, **new}
    assert aside(folder) == []


@pytest.mark.parametrize(
    "broken",
    [
        {"a4/print.pdf": b"new", "x" * 300: b"a name that no file system takes"},
        {"a4/print.pdf": b"new", "both": b"a file", "both/inside": b"and a folder"},
        {"a4/print.pdf": b"new", "taken": b"where a folder stands"},
        {"a4/print.pdf": b"new", "notes.txt/inside": b"where a file stands"},
    ],
    ids=["name too long", "file and folder", "a folder in its place", "a file in its folder's place"],
)
def test_a_failure_leaves_the_old_files_whole(tmp_path: Path, broken: dict[str, bytes]) -> None:
    """When one file cannot be written all old files stay as they were, also those that could have been replaced."""
    old = {"a4/print.pdf": b"good", "a4/stale.pdf": b"good", "notes.txt": b"mine", "taken/by.txt": b"somebody"}
    put_files(tmp_path, old)

    with pytest.raises(OSError):
        put_files(tmp_path, broken, ("a4",))

    assert files_in(tmp_path) == old
    assert aside(tmp_path) == []


def test_a_build_owns_only_what_it_makes(tiny: TinyProject) -> None:
    """A renamed component's sheets go; another paper's and a person's own files, wherever they lie, stay."""
    tiny.build(papers=("letter",))
    tiny.build(papers=("a4",))
    out = tiny.project.root / "output" / "tiny"
    (out / "my notes.txt").write_text("mine")
    (out / "a4/note.txt").write_text("mine")
    for name in ("content/tiny/cards.csv", "templates/tiny/cards.svg.j2"):
        path = tiny.project.root / name
        path.rename(path.with_name(path.name.replace("cards", "deck")))
    tiny.write("content/tiny/game.toml", TINY_GAME.replace("[component.cards]", "[component.deck]"))

    tiny.build(papers=("a4",))

    assert set(files_in(out)) == {
        *("a4/deck.pdf", "a4/print.pdf", "a4/note.txt", "letter/cards.pdf", "letter/print.pdf"),
        *(MANIFEST, "my notes.txt"),
    }


def test_the_manifest_tells_every_file(tiny: TinyProject) -> None:
    """``manifest.json`` lists each file of the build with its length and digest."""
    tiny.build(papers=("a4",))
    out = tiny.project.root / "output" / "tiny"
    told = json.loads((out / MANIFEST).read_text(encoding="utf-8"))["files"]

    made = {name: data for name, data in files_in(out).items() if name != MANIFEST}
    assert told == {name: {"bytes": len(data), "sha256": digest_of(data)} for name, data in made.items()}


def test_no_file_is_without_pages(tiny: TinyProject) -> None:
    """A component of which no copy is wanted has no file; what is left of the game is printed."""
    tiny.write("content/tiny/cards.csv", "name,text,copies\nAnna,Draw.,0\n")
    result = tiny.build(papers=("a4",))

    assert result.ok
    printed = {path.name: len(pypdf.PdfReader(path).pages) for path in result.files if path.suffix == ".pdf"}
    assert printed == {"print.pdf": 2}
