"""``pnp verify`` of exported files: each way in which a file differs is told; files without end, and little memory."""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from bazaar import bazaar, exported
from commands import run
from conftest import ROOT, TINY_TEMPLATE, TinyProject
from PIL import Image

TARGETS = {
    "card-game-simulator": "*.cgs.zip", "faces": "list.csv", "gamecrafter": "list.csv",
    "makeplayingcards": "order-63x88.xml", "playingcards": "tiny.pcio", "sheets": "index.json",
    "showcase": "tiny.png", "tabletop-club": "*/cards/stacks.cfg", "tabletop-playground": "*/Templates/*.json",
    "tabletop-simulator": "tiny.json", "virtualtabletop": "tiny.vtt", "web": "index.html",
}  # fmt: skip
Change = Callable[[Path], object]
"""What is done to an export; it gets the file that is verified."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bazaar, exported for all of them."""
    # Cards of a size that shops take.
    root = bazaar(tmp_path_factory.mktemp("verified"), {"content/tiny/notes.csv": "id\nlone\n"})
    game = root / "content/tiny/game.toml"
    game.write_text(game.read_text().replace('"tcg"', '"63mm x 88mm"'))
    for target in TARGETS:
        left = run("export", target, "tiny", *(["--nearest"] if target == "gamecrafter" else []), at=root)
        assert left.code == 0, left.err
    return root


@pytest.fixture
def copy(project: Path, tmp_path: Path) -> Path:
    """The project once more: its files may be changed."""
    return shutil.copytree(project, tmp_path / "copy")


def file_of(root: Path, target: str) -> Path:
    return sorted((root / "output/tiny/export" / target).glob(TARGETS[target]))[0]


@pytest.mark.parametrize("target", TARGETS)
def test_what_was_not_changed_is_all_there(project: Path, target: str) -> None:
    """Whatever was chosen for the export: it is noted beside the files."""
    left = run("verify", file_of(project, target), at=project)

    assert left.code == 0 and "all there" in left.out, left.err


def in_zip(name: str, change: Callable[[bytes], bytes | None]) -> Change:
    """Changes each entry whose name ends so; what becomes None is left out."""

    def changed(path: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            entries = {entry: archive.read(entry) for entry in archive.namelist()}
        assert any(entry.endswith(name) for entry in entries), [*entries]
        with zipfile.ZipFile(path, "w") as archive:
            for entry, data in entries.items():
                after = change(data) if entry.endswith(name) else data
                if after is not None:
                    archive.writestr(entry, after)

    return changed


def replaced(old: str, new: str, count: int = 1) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        assert old.encode() in data, data[:3000].decode()
        return data.replace(old.encode(), new.encode(), count)

    return change


def in_file(change: Callable[[bytes], bytes], name: str = "") -> Change:
    """Changes the file itself, or one below its folder."""

    def changed(path: Path) -> None:
        path = next(path.parent.glob(name)) if name else path
        path.write_bytes(change(path.read_bytes()))

    return changed


def dotted(data: bytes) -> bytes:
    """A picture with another colour in its middle."""
    image = Image.open(io.BytesIO(data))
    middle = image.width // 2, image.height // 2
    image.paste((1, 200, 77), (*middle, middle[0] + 9, middle[1] + 9))
    target = io.BytesIO()
    image.save(target, image.format or "PNG")
    return target.getvalue()


def other_back(data: bytes) -> bytes:
    """The cards of a CGS game, of which one has the back of another."""
    cards = json.loads(data)
    first, other = (next(card for card in cards if card["name"] == name) for name in ("Silk", "Ore"))
    first["backs"] = other["backs"]
    return json.dumps(cards).encode()


def in_deck(change: Callable[[dict[str, Any]], object]) -> Callable[[bytes], bytes]:
    """A saved object whose first card in a deck was changed."""

    def changed(data: bytes) -> bytes:
        saved = json.loads(data)
        change(next(each for each in saved["ObjectStates"] if each["Name"] == "Deck")["ContainedObjects"][0])
        return json.dumps(saved).encode()

    return changed


def turned_over(card: dict[str, Any]) -> None:
    (sheet,) = card["CustomDeck"].values()
    sheet["BackURL"] = sheet["FaceURL"]


def shorter(data: bytes) -> bytes:
    template = json.loads(data)
    del template["Indices"][0]
    return json.dumps(template).encode()


def fewer_ids(data: bytes) -> bytes:
    """A saved object in which a deck has all its cards but one number less: the program deals by the numbers."""
    saved = json.loads(data)
    next(each for each in saved["ObjectStates"] if each["Name"] == "Deck")["DeckIDs"].pop()
    return json.dumps(saved).encode()


def twice(path: Path) -> None:
    """An archive with an entry of the same name behind the right one: most programs read the last."""
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("0.json", archive.read("0.json").replace(b'"silk"', b'"ore"'))


def moving(data: bytes) -> bytes:
    """An animated PNG whose first picture is the right one."""
    image, target = Image.open(io.BytesIO(data)), io.BytesIO()
    image.save(target, "PNG", save_all=True, append_images=[Image.new(image.mode, image.size)])
    return target.getvalue()


def chunk(kind: bytes, says: bytes) -> Callable[[bytes], bytes]:
    """Puts a chunk behind the head of a PNG."""
    added = len(says).to_bytes(4, "big") + kind + says + zlib.crc32(kind + says).to_bytes(4, "big")
    return lambda data: data[:33] + added + data[33:]


def turned_by_exif(data: bytes) -> bytes:
    image, target = Image.open(io.BytesIO(data)), io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6
    image.save(target, "PNG", exif=exif)
    return target.getvalue()


def resolved(data: bytes) -> bytes:
    """The same dots, which a program that places pictures by their size shows eight times as large."""
    target = io.BytesIO()
    Image.open(io.BytesIO(data)).save(target, "PNG", dpi=(37, 37))
    return target.getvalue()


def darker(data: bytes) -> bytes:
    image, target = Image.open(io.BytesIO(data)).convert("RGBA"), io.BytesIO()
    image.point([shade for band in range(4) for shade in (max(0, at - 12 * (band < 3)) for at in range(256))]).save(
        target, "PNG"
    )
    return target.getvalue()


def acting(data: bytes) -> bytes:
    """A book with a script that runs when it is opened."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        pdf.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert(1)")
        target = io.BytesIO()
        pdf.save(target)
    return target.getvalue()


def without(folder: str) -> Change:
    return lambda path: shutil.rmtree(path.parent / folder)


CHANGES: dict[str, tuple[str, Change, str]] = {
    "a number in a deck": (
        "card-game-simulator",
        in_zip("decks/Everything.txt", replaced("3 [wares-silk]", "9 [wares-silk]")),
        'says "9 [wares-silk]" where the game says "3 [wares-silk]"',
    ),
    "a wrong back": (
        "card-game-simulator",
        in_zip("AllCards.json", other_back),
        'tiny/wares/silk: backs says "back-2" where the game says "back-1"',
    ),
    "a wrong face": (
        "card-game-simulator",
        in_zip("wares-silk.png", dotted),
        "wares-silk.png shows another picture than the game makes, from ",
    ),
    "pictures gone from an archive": (
        "card-game-simulator",
        in_zip(".png", lambda _: None),
        " missing: ",
    ),
    "pictures gone from a folder": ("tabletop-simulator", without("images"), "is missing"),
    "another back in a deck": ("tabletop-simulator", in_file(in_deck(turned_over)), 'BackURL says "…wares-1-'),
    "a number missing from a deck": ("tabletop-simulator", in_file(fewer_ids), "DeckIDs: 1 missing: "),
    "the same entry twice": ("virtualtabletop", twice, "1 more than the game makes: 0.json"),
    "a face on a sheet": ("tabletop-simulator", in_file(dotted, "images/wares-1-*"), "shows another picture"),
    "a slot given to two cards": (
        "makeplayingcards",
        in_file(replaced("<slots>3</slots>", "<slots>2</slots>")),
        'Twin / pair: slots says "2" where the game says "3"',
    ),
    "a card that is another": (
        "virtualtabletop",
        in_zip("0.json", replaced('"cardType": "silk"', '"cardType": "ore"')),
        'cardType says "ore" where the game says "silk"',
    ),
    "a piece less": (
        "playingcards",
        in_zip("widgets.json", lambda data: json.dumps(json.loads(data)[:-1]).encode()),
        "widgets.json: 1 missing: ",
    ),
    "a stack with less": ("tabletop-playground", in_file(shorter), "Indices: 1 missing: "),
    "a picture more": (
        "tabletop-club",
        lambda path: shutil.copy(next(path.parent.glob("*.png")), path.with_name("stranger.png")),
        "cards: 1 more than the game makes: ",
    ),
    "another item": ("tabletop-club", in_file(replaced('"Silk"', '"Ore"')), 'says "items = '),
    "copies in a list": (
        "faces",
        in_file(replaced("tiny,wares,silk,3", "tiny,wares,silk,4")),
        'wares/silk: copies says "4" where the game says "3"',
    ),
    "a picture cut": (
        "gamecrafter",
        lambda path: Image.new("RGB", (8, 8)).save(next(path.parent.glob("wares-*/silk-front.png"))),
        "silk-front.png is 8 × 8 dots large instead of ",
    ),
    "a broken picture": ("faces", in_file(lambda data: data[:99], "wares/silk-front.png"), "silk-front.png cannot be read"),
    "an empty picture": (
        "faces",
        in_file(lambda data: b"", "wares/silk-front.png"),
        "silk-front.png cannot be read: it is no picture",
    ),
    "a broken archive": ("virtualtabletop", in_file(lambda data: data[:-99]), "tiny.vtt cannot be read"),
    "something behind an archive": (
        "virtualtabletop",
        in_file(lambda data: data + b"more"),
        "tiny.vtt holds something besides its files",
    ),
    "something before an archive": (
        "playingcards",
        in_file(lambda data: b"more" + data),
        "tiny.pcio holds something besides its files",
    ),
    "a picture that moves": ("faces", in_file(moving, "wares/silk-front.png"), "silk-front.png moves: it has 2 pictures"),
    "a gamma": ("faces", in_file(chunk(b"gAMA", (99).to_bytes(4, "big")), "wares/silk-front.png"), "has a gamma"),
    "another size in print": ("faces", in_file(resolved, "wares/silk-front.png"), "silk-front.png has a size of its own"),
    "all shades a little darker": (
        "faces",
        in_file(darker, "wares/silk-front.png"),
        "silk-front.png has other shades than the game makes",
    ),
    "an old order beside": (
        "makeplayingcards",
        lambda path: shutil.copy(path, path.with_name("order-old.xml")),
        "beside the export: 1 more than the game makes: order-old.xml",
    ),
    "an old PDF beside what a list names": (
        "faces",
        lambda path: path.with_name("old.pdf").write_bytes(b"%PDF"),
        "beside the export: 1 more than the game makes: old.pdf",
    ),
    "a turn in EXIF": ("faces", in_file(turned_by_exif, "wares/silk-front.png"), "silk-front.png has EXIF"),
    "yes for one": (
        "virtualtabletop",
        in_zip("0.json", replaced('"activeFace": 1', '"activeFace": true')),
        "activeFace says true where the game says 1",
    ),
    "a folder more": (
        "tabletop-club",
        lambda path: (path.parent / "strangers").mkdir(),
        "cards: 1 more than the game makes: ",
    ),
    "another root": (
        "makeplayingcards",
        in_file(lambda data: data.replace(b"<order>", b"<other>").replace(b"</order>", b"</other>")),
        "1 more than the game makes: ",
    ),
    "another element": (
        "makeplayingcards",
        in_file(lambda data: data.replace(b"<card>", b"<note>", 1).replace(b"</card>", b"</note>", 1)),
        '1 more than the game makes: "note"',
    ),
    "a word between elements": ("makeplayingcards", in_file(replaced("<fronts>", "<fronts>x")), 'the game makes: "text"'),
    "an attribute": ("makeplayingcards", in_file(replaced("<fronts>", '<fronts of="x">')), 'the game makes: "of ="'),
    "a cell more": ("faces", in_file(lambda data: data.rstrip() + b",x"), '1 more than the game makes: "a cell without'),
    "a key twice": (
        "playingcards",
        in_zip("widgets.json", replaced('"id":', '"id": "other", "id":')),
        'it says "id" twice in one place',
    ),
    "a book that acts": ("web", in_file(acting, "files/*.pdf"), "does something by itself when it is opened"),
    "deep nesting": ("sheets", in_file(lambda data: b"[" * 100_000), "index.json cannot be read"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_was_changed_is_told(copy: Path, what: str) -> None:
    """With the file, the thing in it, and what the game says; a verified file is not printed or played with."""
    target, change, said = CHANGES[what]
    path = file_of(copy, target)
    if target == "tabletop-simulator":
        # Its pictures are named with the folder in which they lie.
        assert run("export", target, "tiny", at=copy).code == 0
    change(path)

    left = run("verify", path, at=copy)

    assert left.code == 1 and said in left.err, left.err
    assert "Traceback" not in left.err


def test_a_game_that_was_changed_is_told(copy: Path) -> None:
    """A number in a table that is another one by now."""
    table = copy / "content/tiny/wares.csv"
    table.write_text(table.read_text().replace("#101010,3", "#101010,2"))

    left = run("verify", file_of(copy, "faces"), file_of(copy, "faces").with_name("README.txt"), at=copy)

    # Once, though two of its files are asked for.
    assert left.code == 1 and left.err.count('wares/silk: copies says "3" where the game says "2"') == 1
    assert left.err.count("tiny: 1 error; do not print this") == 2


def test_a_zip_that_would_be_huge_costs_no_memory(copy: Path) -> None:
    """Of an entry that says nothing of its size only so much is read as it may have."""
    path = file_of(copy, "playingcards")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("widgets.json", b"[" + b"0," * 40_000_000 + b"0]")

    left = run("verify", path, at=copy)

    assert left.code == 1 and "widgets.json cannot be read" in left.err


NOTE = '{"game": "tiny", "choices": {"target": "faces"}}'
NOTES = ["[" * 100_000, NOTE.replace("faces", "fax"), NOTE.replace('s"}', 's", "grid": [0, 1]}')]


@pytest.mark.parametrize("note", [None, *NOTES])
def test_without_a_note_that_can_be_read_it_is_to_be_exported_anew(copy: Path, note: str | None) -> None:
    """Files of an older export, files of others: one sentence."""
    path = file_of(copy, "faces")
    beside = path.with_name("export.json")
    beside.unlink() if note is None else beside.write_text(note)

    left = run("verify", path, at=copy)

    assert (left.code, left.out) == (3, "")
    assert left.err == "Error: list.csv is no PDF, and no export.json beside it says how it was exported: export it anew\n"


def test_the_note_says_what_was_chosen_and_nothing_of_this_machine(copy: Path) -> None:
    """The game, the target, and what was typed; a file beside that is none of the export's is told."""
    files = exported(copy, "faces")
    assert json.loads(files["export.json"]) == {"game": "tiny", "choices": {"target": "faces"}}
    assert run("export", "faces", "tiny", "--width", "90", "--language", "", at=copy).code == 0
    note = file_of(copy, "faces").with_name("export.json")
    assert json.loads(note.read_text())["choices"] == {"target": "faces", "width": 90}
    assert run("verify", note, at=copy).code == 0

    other = note.with_name("mine.txt")
    other.write_text("mine")
    left = run("verify", other, at=copy)
    assert left.code == 1 and "mine.txt is none of the files of this export" in left.err


@pytest.fixture(scope="module")
def deck_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the deck that pnp new makes."""
    root = tmp_path_factory.mktemp("devices")
    run("new", "deck", at=root)
    return root


def test_a_pipe_in_the_place_of_the_slots_is_told(deck_project: Path) -> None:
    """Nobody writes into it: reading would wait for ever."""
    slots = deck_project / "content" / "deck" / "tabletop-simulator.csv"
    os.mkfifo(slots)
    try:
        done = run("export", "tabletop-simulator", "deck", at=deck_project)
        assert done.code == 1
        assert "tabletop-simulator.csv" in (done.out + done.err)
        assert stat.S_ISFIFO(slots.lstat().st_mode)
    finally:
        slots.unlink()


def test_a_link_in_the_place_of_the_slots_is_not_followed(deck_project: Path, tmp_path: Path) -> None:
    """A game from elsewhere could bring one that leads to the person's own files."""
    mine = tmp_path / "mine.csv"
    mine.write_text("secret,of,mine,0\n")
    slots = deck_project / "content" / "deck" / "tabletop-simulator.csv"
    slots.symlink_to(mine)
    try:
        done = run("export", "tabletop-simulator", "deck", at=deck_project)
        assert done.code == 1
        assert "own folder" in (done.out + done.err)
        assert "secret" not in (done.out + done.err)
        assert mine.read_text() == "secret,of,mine,0\n"
    finally:
        slots.unlink()


@pytest.mark.parametrize("address", ["https://example.org/\x1b[31m", "https://example.org/\u202eabc"])
def test_an_address_has_no_letters_that_nobody_sees(deck_project: Path, address: str) -> None:
    """They would stand in the saved object, and turn a screen's text around."""
    done = run("export", "tabletop-simulator", "deck", "--url", address, at=deck_project)
    assert done.code == 2
    assert "no address" in (done.out + done.err)


def within(megabytes: int, tiny: TinyProject, *words: str) -> subprocess.CompletedProcess[str]:
    """``pnp`` that may take so much memory."""
    return subprocess.run(
        [sys.executable, "-m", "pnp", *words],
        cwd=tiny.project.root,
        env={**os.environ, "PNP_MEMORY": str(megabytes), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


def test_pictures_for_a_service_are_made_one_by_one(tiny: TinyProject) -> None:
    """Sixty cards of four megabytes each fit into 250: each is let go once it is packed."""
    tiny.write("content/tiny/cards.csv", "name,text\n" + "".join(f"Card {number},Draw.\n" for number in range(60)))

    done = within(250, tiny, "export", "makeplayingcards", "tiny")

    assert done.returncode == 0, done.stderr
    assert len(list(tiny.project.root.glob("output/tiny/export/makeplayingcards/faces/cards/*.png"))) == 60


def test_a_command_that_runs_out_of_memory_says_so(tiny: TinyProject) -> None:
    """What Python itself refuses is told as what the system refuses."""
    hungry = "{% block face %}{% set x = 'a' * 900000000 %}{{ x | length }}"
    tiny.write("templates/tiny/cards.svg.j2", TINY_TEMPLATE.replace("{% block face %}", hungry))

    done = within(400, tiny, "export", "faces", "tiny")

    assert done.returncode == 1 and "drawing cards/anna" in done.stderr and "GB of memory" in done.stderr, done.stderr
