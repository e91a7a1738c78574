"""Files of a build arrive all or none, and nobody else's files are touched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pypdf
import pytest
from conftest import TINY_GAME, aside, examples, files_in, is_record, put_files
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pnp.system.manifest import MANIFEST, as_json
from pnp.system.paths import digest_of

if TYPE_CHECKING:
    from conftest import TinyProject


def test_files_are_put_into_a_new_folder(tmp_path: Path) -> None:
    """Folders are made as needed, the paths come back in the order given, and nothing else is left there."""
    out = tmp_path / "deep" / "out"
    paths = put_files(out, {"b/two.pdf": b"2", "one.json": b"1"})

    assert paths == [out / "b" / "two.pdf", out / "one.json"]
    assert files_in(tmp_path) == {"deep/out/b/two.pdf": b"2", "deep/out/one.json": b"1"}
    assert sorted(path.name for path in out.iterdir() if not is_record(path)) == ["b", "one.json"]


def test_what_an_earlier_build_left_is_removed(tmp_path: Path) -> None:
    """Below an owned name only the new files remain, without empty folders; elsewhere nothing is removed."""
    put_files(tmp_path, {"a4/old.pdf": b"o", "a4/sub/old.pdf": b"o", "a4/kept.pdf": b"o", "letter/x.pdf": b"o"})
    (tmp_path / "notes.txt").write_text("mine")

    put_files(tmp_path, {"a4/kept.pdf": b"new", MANIFEST: b"m"}, ("a4",))

    assert files_in(tmp_path) == {"a4/kept.pdf": b"new", MANIFEST: b"m", "letter/x.pdf": b"o", "notes.txt": b"mine"}
    assert not (tmp_path / "a4" / "sub").exists()


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


def test_a_file_in_place_of_the_folder_is_an_os_error(tmp_path: Path) -> None:
    """Where a file stands in place of the output folder the caller learns it, and the file stays."""
    (tmp_path / "out").write_text("mine")

    with pytest.raises(OSError):
        put_files(tmp_path / "out", {"x.pdf": b"x"})

    assert (tmp_path / "out").read_text() == "mine"


def test_json_is_readable_and_stable() -> None:
    """A file for other programs keeps its letters and its order and ends with a line end."""
    text = as_json({"b": "Siète", "a": [1]})

    assert text.endswith(b"}\n") and "Siète".encode() in text
    assert json.loads(text) == {"b": "Siète", "a": [1]}
    assert text.index(b'"b"') < text.index(b'"a"')


# --- what it means for a build --------------------------------------------------------------------------


def test_a_failed_build_leaves_the_last_good_one(tiny: TinyProject) -> None:
    """A game with an error is not written at all: yesterday's sheets are still there, every byte."""
    assert tiny.build().ok
    before = files_in(tiny.project.root / "output")
    tiny.write("content/tiny/cards.csv", "name,text\nAnna,Draw three.\nBert\n")

    assert not tiny.build().ok
    assert files_in(tiny.project.root / "output") == before


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
