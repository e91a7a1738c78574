"""The open files of a project: text and table alike, from what they were, all or nothing, undone after a restart too."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp.read.project import Project
from pnp.studio.documents import ChangedElsewhere, Documents, Edit
from pnp.studio.tables import Rows
from pnp.values.problems import Fault

FILE, BOOK = "content/small/cards.csv", "content/small/book.md"
TABLE = "id,name\none,Sun\ntwo,Moon\n"


@pytest.fixture
def documents(tmp_path: Path) -> Documents:
    """Of a project with one game of one table and one book."""
    folder = tmp_path / "content" / "small"
    folder.mkdir(parents=True)
    (tmp_path / "templates").mkdir()
    (folder / "game.toml").write_text('[game]\nname = "Small"\n')
    (folder / "cards.csv").write_text(TABLE)
    (folder / "book.md").write_text("A book.\n")
    return Documents(Project(tmp_path), tmp_path / "kept")


def again(documents: Documents) -> Documents:
    """After a crash: nothing but the files is left."""
    return Documents(documents.project, documents.kept.parent)


def rename(documents: Documents, old: str, new: str) -> None:
    """What the grid does when a cell was typed into."""
    document = documents.open(FILE)
    document.change(document.text.replace(old, new), f"{old} to {new}")
    document.save()


def type_(documents: Documents, keys: str) -> None:
    """Letter by letter at the end of the book."""
    for key in keys:
        document = documents.open(BOOK)
        document.typed(document.shown + key)


def said(documents: Documents, file: str = FILE) -> str:
    return (documents.project.root / file).read_bytes().decode()


def test_every_edit_is_undone_and_done_again_in_turn(documents: Documents) -> None:
    """As in any editor, each file for itself."""
    rename(documents, "Sun", "Star")
    rename(documents, "Moon", '"Comet, red"')
    type_(documents, "More.")
    table, book = documents.open(FILE), documents.open(BOOK)
    both = table.text
    assert [table.undo() is not None, table.text] == [True, TABLE.replace("Sun", "Star")]
    assert [table.undo() is not None, table.text] == [True, TABLE]
    assert table.undo() is None
    table.redo()
    table.redo()
    assert (table.text, table.redo(), book.text) == (both, None, "A book.\nMore.")


def test_a_program_that_empties_a_file_first_makes_one_change(documents: Documents) -> None:
    """However slowly it writes then: undo never leads to nothing."""
    table, path = documents.open(FILE), documents.project.root / FILE
    for text in ("", TABLE.replace("Sun", "Star"), "", TABLE):
        path.write_text(text)
        table.look()
    assert [table.undo() is not None, table.text] == [True, TABLE.replace("Sun", "Star")]
    assert [table.undo() is not None, table.text] == [True, TABLE]
    assert table.undo() is None


def test_a_word_is_undone_as_a_whole(documents: Documents) -> None:
    """Not letter by letter, and not all that was typed at once."""
    type_(documents, "Three small words")
    book = documents.open(BOOK)
    texts = [book.text for _ in range(4) if book.undo() or True]
    assert texts == ["A book.\nThree small ", "A book.\nThree ", "A book.\n", "A book.\n"]


def test_an_edit_is_undone_after_a_restart(documents: Documents) -> None:
    """Who closes the window has lost nothing."""
    rename(documents, "Sun", "Star")
    document = again(documents).open(FILE)
    document.undo()
    document.save()
    assert said(documents) == TABLE


def test_a_draft_is_there_again_after_a_crash(documents: Documents) -> None:
    """With its steps; whatever has become of the file meanwhile, both texts are kept."""
    type_(documents, "Mine.")
    (draft,) = again(documents).unsaved("small")
    assert (draft.file, draft.text, draft.theirs, said(documents, BOOK)) == (BOOK, "A book.\nMine.", None, "A book.\n")
    path = documents.project.root / BOOK
    path.write_text("Theirs.")
    (draft,) = again(documents).unsaved("small")
    assert (draft.text, draft.theirs) == ("A book.\nMine.", "Theirs.")
    with pytest.raises(ChangedElsewhere):
        draft.save()
    assert path.read_text() == "Theirs."
    path.unlink()
    (draft,) = again(documents).unsaved("small")
    draft.save()
    assert path.read_text() == "A book.\nMine."
    draft.undo()
    assert draft.text == "A book.\n"


def test_who_chooses_between_two_texts_can_go_back(documents: Documents) -> None:
    """Whichever was taken, the other is one of the steps before it."""
    path = documents.project.root / BOOK
    type_(documents, "Mine.")
    path.write_text("Theirs.")
    book = documents.open(BOOK)
    book.look()
    book.keep_mine()
    assert path.read_text() == "A book.\nMine."
    book.undo()
    assert book.text == "Theirs."
    book.undo()
    assert (book.text, book.unsaved) == ("A book.\nMine.", False)
    type_(documents, " Again.")
    path.write_text("Once more.")
    book.look()
    book.take_theirs()
    assert (book.text, book.unsaved) == ("Once more.", False)
    book.undo()
    assert (book.text, book.unsaved) == ("A book.\nMine. Again.", True)


def test_what_was_changed_elsewhere_is_kept(documents: Documents) -> None:
    """Neither a save nor an undo replaces it unseen; once it was shown, it is a step as all others are."""
    rename(documents, "Sun", "Star")
    path, table = documents.project.root / FILE, documents.open(FILE)
    path.write_text("id,name\none,Mars\n")
    with pytest.raises(ChangedElsewhere, match="elsewhere"):
        table.undo()
    assert path.read_text() == table.text == "id,name\none,Mars\n"
    edit = table.undo()
    assert edit is not None and edit.says == "what another program saved" and "Star" in table.text
    path.write_text("id,name\none,Venus\n")
    with pytest.raises(ChangedElsewhere):
        table.save()
    assert path.read_text() == "id,name\none,Venus\n"


@pytest.mark.parametrize("first", ["\ufeff", ""])
@given(st.lists(st.sampled_from(["\n", "\r\n", "\r", "a", "é", "😀"]), max_size=12), st.data())
def test_typing_leaves_other_lines_as_they_are(first: str, letters: list[str], data: st.DataObject) -> None:
    """Whatever line ends a file has, and however they are mixed: only what was typed is other."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "content/small").mkdir(parents=True)
        raw = (first + "".join(letters)).encode()
        (root / BOOK).write_bytes(raw)
        book = Documents(Project(root), root / "kept").open(BOOK)
        shown = book.shown
        at = data.draw(st.integers(0, len(shown)))
        book.typed(shown[:at] + "X" + shown[at:])
        book.save()
        now = (root / BOOK).read_bytes()
        assert now.replace(b"X", b"") == raw and now.decode().removeprefix(first).partition("X")[0].count("\n") <= at
        book.undo()
        book.save()
        assert (root / BOOK).read_bytes() == raw


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
def test_only_files_of_games_are_edited(documents: Documents, file: str) -> None:
    """Whatever name a page sends."""
    for use in (documents.open, documents.read, lambda file: documents.write(file, None, b"")):
        with pytest.raises(Fault):
            use(file)


def test_no_link_is_followed(documents: Documents, tmp_path: Path) -> None:
    """A game from elsewhere could bring one that leads to the person's own files."""
    secret = tmp_path / "secret.csv"
    secret.write_text("mine\n")
    (documents.project.content / "small" / "link.csv").symlink_to(secret)
    (documents.project.content / "linked").symlink_to(tmp_path)
    for file in ("content/small/link.csv", "content/linked/secret.csv"):
        with pytest.raises(Fault):
            documents.open(file)
    assert documents.files("small", [".csv"]) == [FILE]
    table = documents.open(FILE)
    (tmp_path / FILE).unlink()
    (tmp_path / FILE).symlink_to(secret)
    table.change("id\n", "all")
    with pytest.raises(Fault):
        table.save()
    assert secret.read_text() == "mine\n"


def test_a_folder_that_cannot_be_written_costs_nothing(documents: Documents, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is whole, nothing is left beside it, the person is told, and what was typed is a draft."""

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(Fault, match="No space left"):
        rename(documents, "Sun", "Star")
    assert said(documents) == TABLE
    names = sorted(path.name for path in (documents.project.content / "small").iterdir())
    assert names == ["book.md", "cards.csv", "game.toml"]
    monkeypatch.undo()
    documents.open(FILE).save()
    assert said(documents) == TABLE.replace("Sun", "Star")


def test_what_is_no_utf_8_is_not_shown(documents: Documents) -> None:
    """A draft of it is: what was typed here stays, whatever another program makes of the file."""
    path = documents.project.root / BOOK
    raw = "Größe".encode("cp1252")
    path.write_bytes(raw)
    book = documents.open(BOOK)
    assert (book.shown, book.unsaved) == ("", False) and "not UTF-8" in book.fault
    path.write_text("Size")
    book.look()
    type_(documents, "s")
    path.write_bytes(raw)
    with pytest.raises(Fault, match="not UTF-8"):
        book.save()
    assert (book.shown, book.unsaved, path.read_bytes()) == ("Sizes", True, raw)


def test_a_damaged_memory_is_no_danger(documents: Documents) -> None:
    """What it says is done only if it gives the text that there was."""
    rename(documents, "Sun", "Star")
    memory = next(documents.kept.iterdir())
    memory.write_text(memory.read_text().replace('"start": ', '"start": 1'))
    with pytest.raises(Fault, match="not known"):
        again(documents).open(FILE).undo()
    for damaged in ("[]", "{}", "nonsense", '{"file": "../x", "draft": "y"}', f'{{"file": "{FILE}", "draft": 1}}'):
        memory.write_text(damaged)
        assert again(documents).open(FILE).undo() is None
    assert said(documents) == TABLE.replace("Sun", "Star")


@given(st.text(max_size=20), st.text(max_size=20))
def test_an_edit_goes_both_ways(old: str, new: str) -> None:
    """Whatever the two have in common."""
    edit = Edit.between(old, new, "")
    assert edit.redone(old) == new
    assert edit.undone(new) == old


IDS = st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1)


@given(IDS, IDS, st.sets(st.sampled_from("abcdefgh"), max_size=3))
def test_a_row_is_known_wherever_it_goes(before: list[str], after: list[str], changed: set[str]) -> None:
    """By its id, when rows come, go, move and are changed all at once; no two rows are taken for one."""
    rows = Rows(False)
    rows.follow("".join(f"{line}\n" for line in ("id,name", *(f"{each},1" for each in before))))
    keys = dict(zip(before, rows.keys, strict=True))
    rows.follow("".join(f"{line}\n" for line in ("id,name", *(f"{each},{2 if each in changed else 1}" for each in after))))
    assert len({*rows.keys}) == len(after)
    assert {each: keys[each] for each in after if each in keys} == {
        each: key for each, key in zip(after, rows.keys, strict=True) if each in keys
    }


def test_a_table_that_cannot_be_split_is_left_alone(documents: Documents) -> None:
    """A quotation mark without an end, as while somebody types in an editor: its rows are known again later."""
    rows = Rows(False)
    rows.follow(TABLE)
    keys = rows.keys
    rows.follow('id,name\none,"Sun\n')
    assert "never closed" in rows.fault and rows.table is None
    rows.follow(TABLE)
    assert len(rows.keys) == len(keys)
