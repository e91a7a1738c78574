"""Files changed by the studio: from what they were when somebody began, all or nothing, undone after a restart too."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp.flows.edits import ChangedElsewhere, Edit, Edits, Refused
from pnp.read.csvpatch import CsvText
from pnp.read.project import Project
from pnp.system.record import digest_of

FILE = "content/small/cards.csv"


@pytest.fixture
def edits(tmp_path: Path) -> Edits:
    """Of a project with one game of one table."""
    folder = tmp_path / "content" / "small"
    folder.mkdir(parents=True)
    (tmp_path / "templates").mkdir()
    (folder / "game.toml").write_text('[game]\nname = "Small"\n')
    (folder / "cards.csv").write_text("id,name\none,Sun\ntwo,Moon\n")
    return Edits(Project(tmp_path), tmp_path / "kept")


def rename(edits: Edits, row: int, name: str) -> None:
    """What the grid does when a cell was typed into."""
    began = digest_of(edits.read(FILE))
    edits.change_table(FILE, began, lambda table: table.with_cell(row, 1, name), f"name of row {row}")


def names(edits: Edits) -> list[str]:
    return [row["name"] for row in csv.DictReader(edits.read(FILE).decode().splitlines())]


def test_every_edit_is_undone_and_done_again_in_turn(edits: Edits) -> None:
    """As in any editor."""
    rename(edits, 2, "Star")
    rename(edits, 3, "Comet, red")
    assert names(edits) == ["Star", "Comet, red"]
    assert [edits.undo() is not None, names(edits)] == [True, ["Star", "Moon"]]
    assert [edits.undo() is not None, names(edits)] == [True, ["Sun", "Moon"]]
    assert edits.undo() is None
    edits.redo()
    edits.redo()
    assert names(edits) == ["Star", "Comet, red"]
    assert edits.redo() is None


def test_an_edit_is_undone_after_a_restart(edits: Edits) -> None:
    """Who closes the window has lost nothing."""
    rename(edits, 2, "Star")
    again = Edits(edits.project, edits.kept)
    again.undo()
    assert names(again) == ["Sun", "Moon"]


def test_what_was_changed_elsewhere_is_kept(edits: Edits) -> None:
    """Neither a save nor an undo replaces what the person saved in another program."""
    began = digest_of(edits.read(FILE))
    rename(edits, 2, "Star")
    path = edits.project.root / FILE
    path.write_text("id,name\none,Mars\n")
    with pytest.raises(ChangedElsewhere, match="elsewhere"):
        edits.save(FILE, began, b"id,name\n", "all")
    with pytest.raises(ChangedElsewhere) as told:
        edits.undo()
    assert told.value.now == path.read_bytes() == b"id,name\none,Mars\n"


@pytest.mark.parametrize(
    "file",
    [
        "../x.csv",
        "content/../../x.csv",
        "/etc/passwd",
        "content/small/x.py",
        "output/small/a.csv",
        "content/small/\0.csv",
        "",
    ],
)
def test_only_files_of_games_are_edited(edits: Edits, file: str) -> None:
    """Whatever name a page sends."""
    with pytest.raises(Refused):
        edits.read(file)
    with pytest.raises(Refused):
        edits.save(file, "", b"", "nothing")


def test_no_link_is_followed(edits: Edits, tmp_path: Path) -> None:
    """A game from elsewhere could bring one that leads to the person's own files."""
    secret = tmp_path / "secret.csv"
    secret.write_text("mine\n")
    (edits.project.content / "small" / "link.csv").symlink_to(secret)
    (edits.project.content / "linked").symlink_to(tmp_path)
    for file in ("content/small/link.csv", "content/linked/secret.csv"):
        with pytest.raises(Refused):
            edits.read(file)


def test_a_folder_that_cannot_be_written_costs_nothing(edits: Edits, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is whole, nothing is left beside it, and the person is told."""

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    before = edits.read(FILE)
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(Refused, match="No space left"):
        rename(edits, 2, "Star")
    assert edits.read(FILE) == before
    assert sorted(path.name for path in (edits.project.content / "small").iterdir()) == ["cards.csv", "game.toml"]
    assert edits.last is None


def test_a_damaged_memory_is_no_danger(edits: Edits) -> None:
    """What it says is done only if it gives the file that there was."""
    rename(edits, 2, "Star")
    journal = next(edits.kept.iterdir())
    journal.write_text(journal.read_text().replace('"start": ', '"start": 1'))
    with pytest.raises(Refused, match="not known"):
        Edits(edits.project, edits.kept).undo()
    journal.write_text("[]\n{}\nnonsense")
    assert Edits(edits.project, edits.kept).last is None
    assert names(edits) == ["Star", "Moon"]


@given(st.binary(max_size=20), st.binary(max_size=20))
def test_an_edit_goes_both_ways(old: bytes, new: bytes) -> None:
    """Whatever the two have in common."""
    edit = Edit.between("file", old, new, "")
    assert edit.redone(old) == new
    assert edit.undone(new) == old


def test_a_table_that_cannot_be_split_is_left_alone(edits: Edits) -> None:
    """A quotation mark without an end, as while somebody types in an editor."""
    path = edits.project.root / FILE
    path.write_text('id,name\none,"Sun\n')
    with pytest.raises(Exception, match="never closed"):
        rename(edits, 2, "Star")
    assert CsvText(path.read_text(), False).text == 'id,name\none,"Sun\n'
