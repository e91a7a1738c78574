"""``pnp export tabletop-simulator``: a saved object whose pieces are those of the tables, and slots that stay."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest
from commands import run
from conftest import TinyProject, files_in
from hypothesis import given
from hypothesis import strategies as st
from pictured import picture
from stage import stage

from pnp.flows.exports.slots import EACH, as_file, dealt, slots_in
from pnp.flows.exports.tts_objects import UNIT
from pnp.values.problems import Problems

RULES = """
[setup]
players = "2-3"
[setup.take.discs]
what = "green discs"
from = "discs"
where = { id = "green" }
number = 1
per = "player"
[setup.take.bones]
what = "bones drawn"
from = "bones"
number = 2
per = "player"
[setup.take.post]
what = "post"
from = "post"
number = 1
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> TinyProject:
    """The stage with a set-up, exported."""
    game = stage(tmp_path_factory.mktemp("tts"), rules=RULES)
    left = run("export", "tabletop-simulator", "tiny", at=game.project.root)
    assert left.code == 0, left.err
    return game


def folder(game: TinyProject) -> Path:
    return game.project.root / "output" / "tiny" / "export" / "tabletop-simulator"


def saved(game: TinyProject) -> dict[str, Any]:
    return dict(json.loads((folder(game) / "tiny.json").read_text(encoding="utf-8")))


def inside(objects: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Objects, and all that are in them."""
    for each in objects:
        yield each
        yield from inside(each.get("ContainedObjects", []))


def pieces(objects: list[dict[str, Any]]) -> Counter[str]:
    """How often each piece is there, by what is kept where players do not see it."""
    marks = [each["GMNotes"].split(":") for each in inside(objects) if each["GMNotes"]]
    return Counter(name for _, _, name in marks if not name.startswith("set-up"))


def bags(game: TinyProject) -> dict[str, dict[str, Any]]:
    return {each["Nickname"]: each for each in saved(game)["ObjectStates"] if each["Nickname"].startswith("Set-up")}


def test_the_game_is_there_once_with_the_copies_of_its_tables(made: TinyProject) -> None:
    """Each disc, tile, domino, board, figure: as many as the tables say, read here as CSV; nothing else."""
    objects = [each for each in saved(made)["ObjectStates"] if not each["Nickname"].startswith("Set-up")]
    discs = {row["id"]: int(row["copies"]) for row in csv.DictReader((made.game / "discs.csv").read_text().splitlines())}
    wanted = Counter({f"discs/{id}": number for id, number in discs.items()})
    wanted.update({f"tiles/{id}": 1 for id in ("port", "reef", "atoll")})
    wanted.update({f"bones/{a}-{b}": 1 for a in range(3) for b in range(a, 3)})
    wanted.update(dict.fromkeys(("sea/sea", "moor/moor", "crown/crown", "post/post", "cards/crown", "track/track"), 1))

    assert pieces(objects) == wanted


def test_each_set_up_has_what_it_takes(made: TinyProject) -> None:
    """For three: a bag for each player with one green disc, one post; for two: all bones to draw two each from."""
    three, two = bags(made)["Set-up: 3 players"], bags(made)["Set-up: 2 players"]
    players = [each for each in three["ContainedObjects"] if each["Nickname"].startswith("Player")]
    bones = next(each for each in two["ContainedObjects"] if each["Name"] == "Deck")

    assert [pieces([each]) for each in players] == [Counter({"discs/green": 1})] * 3
    assert pieces([three])["post/post"] == 1 and pieces([three])["discs/green"] == 3
    assert len(bones["ContainedObjects"]) == 6 and "2 for each player, of these 6" in bones["Nickname"]
    assert set(bags(made)) == {"Set-up: 2 players", "Set-up: 3 players"}


def test_cards_and_decks_have_the_shape_that_the_program_saves(made: TinyProject) -> None:
    """A card's number is its sheet's times 100 and its slot; a deck lists its cards in order; slots are on the sheet."""
    for each in inside(saved(made)["ObjectStates"]):
        if each["Name"] == "Card":
            ((key, sheet),) = each["CustomDeck"].items()
            assert each["CardID"] // 100 == int(key)
            assert each["CardID"] % 100 < min(70, sheet["NumWidth"] * sheet["NumHeight"])
            assert 2 <= sheet["NumWidth"] <= 10 and 2 <= sheet["NumHeight"] <= 7
        if each["Name"] == "Deck":
            assert each["DeckIDs"] == [card["CardID"] for card in each["ContainedObjects"]]
            assert set(each["CustomDeck"]) == {str(number // 100) for number in each["DeckIDs"]}
            assert each["Transform"]["rotZ"] == 180.0 and len(each["DeckIDs"]) > 1
        if each["Name"] == "Bag":
            assert each["Bag"]["Order"] in (0, 1, 2) and isinstance(each["ContainedObjects"], list)
        if each["Name"] == "Custom_Tile":
            tile = each["CustomImage"]["CustomTile"]
            assert tile["Type"] in (0, 1, 2, 3) and tile["Thickness"] > 0
    known = {"Card", "Deck", "Bag", "Custom_Tile", "Custom_Token", "Figurine_Custom", "Custom_PDF", "Die_6", "Die_10"}
    assert {each["Name"] for each in inside(saved(made)["ObjectStates"])} <= known


def test_every_mark_is_its_own(made: TinyProject) -> None:
    """Six hex digits, no two objects alike."""
    marks = [each["GUID"] for each in inside(saved(made)["ObjectStates"])]

    assert len(set(marks)) == len(marks) and all(re.fullmatch(r"[0-9a-f]{6}", mark) for mark in marks)


def urls(value: object) -> Iterator[str]:
    """Every address in a value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key.endswith("URL") or key == "PDFUrl":
                yield inner
            else:
                yield from urls(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from urls(inner)


def test_every_address_is_that_of_a_file_that_is_there(made: TinyProject) -> None:
    """Pictures are files of this machine, RGB, at most 4096 dots a side; the book is a PDF."""
    for url in filter(None, urls(saved(made))):
        path = Path(unquote(urlparse(url).path))
        assert url.startswith("file:///") and path.is_file()
        if path.suffix != ".pdf":
            image = picture(path)
            assert max(image.size) <= 4096 and image.mode in ("RGB", "RGBA")
    assert sum(url.endswith(".pdf") for url in urls(saved(made))) == 1


def test_a_face_lies_in_its_slot(made: TinyProject) -> None:
    """The middle of the slot of the only card shows the colour of its row."""
    card = next(each for each in inside(saved(made)["ObjectStates"]) if each["GMNotes"].endswith("cards/crown"))
    ((_, sheet),) = card["CustomDeck"].items()
    image = picture(Path(unquote(urlparse(sheet["FaceURL"]).path))).convert("RGB")
    wide, high = image.width / sheet["NumWidth"], image.height / sheet["NumHeight"]
    slot = card["CardID"] % 100
    pixel = image.getpixel((int((slot % sheet["NumWidth"] + 0.5) * wide), int((slot // sheet["NumWidth"] + 0.5) * high)))

    assert isinstance(pixel, tuple) and pixel[2] > 240 and pixel[0] < 15


def test_pieces_lie_at_their_places_and_no_other_lies_on_one(made: TinyProject) -> None:
    """On the table, beside what lies on a layout, no two objects' middles are nearer than half of a bone's width."""
    mats = {each["Nickname"]: each for each in saved(made)["ObjectStates"] if each["Nickname"] in ("Start", "Street")}
    bones = [each for each in saved(made)["ObjectStates"] if "bones/" in each["GMNotes"]]
    street = mats["Street"]["Transform"]

    assert len(bones) == 6 and len(mats["Street"]["AttachedSnapPoints"]) == 6
    by_id = {each["GMNotes"].rpartition("/")[2]: each["Transform"] for each in bones}
    # street.csv: 0-1 lies at x 0, 2-2 at x 0 one square lower, so that both have one x and are 10 mm apart.
    assert by_id["0-1"]["posX"] == pytest.approx(by_id["2-2"]["posX"])
    assert by_id["0-1"]["posZ"] - by_id["2-2"]["posZ"] == pytest.approx(10 / UNIT, abs=0.01)
    assert all(abs(each["posX"] - street["posX"]) < 40 / UNIT for each in by_id.values())
    middles = [(each["Transform"]["posX"], each["Transform"]["posZ"]) for each in saved(made)["ObjectStates"]]
    assert len(set(middles)) == len(middles)


def test_a_board_has_a_place_for_each_of_its_fields(made: TinyProject) -> None:
    """The moor, 60 × 40 mm: its hut is the field at the bottom right; a row of the sea is its places as well."""
    moor = next(each for each in saved(made)["ObjectStates"] if each["GMNotes"].endswith("moor/moor"))
    places = [(each["Position"]["x"], each["Position"]["z"]) for each in moor["AttachedSnapPoints"]]
    scale = moor["Transform"]["scaleX"]

    # The hut's middle is 20 mm right of the board's and 10 mm below; seen from an object turned by half a turn.
    hut = (-20 / UNIT / scale, 10 / UNIT / scale)
    assert any(x == pytest.approx(hut[0], abs=1e-3) and z == pytest.approx(hut[1], abs=1e-3) for x, z in places)


def test_with_an_address_no_file_of_this_machine_is_named(tmp_path: Path) -> None:
    """``--url``: every picture is below it, and nothing in the file says where it was made."""
    game = stage(tmp_path)
    assert run("export", "tabletop-simulator", "tiny", "--url", "https://example.org/t/", at=tmp_path).code == 0
    text = (folder(game) / "tiny.json").read_text(encoding="utf-8")

    assert all(url.startswith("https://example.org/t/") for url in filter(None, urls(json.loads(text))))
    assert str(tmp_path) not in text


def test_slots_are_kept_in_the_folder_of_the_game_and_do_not_make_it_stale(tmp_path: Path) -> None:
    """The file is readable; a build before and after an export is the same; the next export has nothing to do."""
    game = stage(tmp_path)
    assert run("build", "tiny", at=tmp_path).code == 0
    assert run("export", "tabletop-simulator", "tiny", at=tmp_path).code == 0
    rows = list(csv.reader((game.game / "tabletop-simulator.csv").read_text().splitlines()))

    assert rows[0] == ["component", "id", "sheet", "slot"] and ["cards", "crown", "1", "0"] in rows
    assert "nothing has changed" in run("build", "tiny", at=tmp_path).err
    assert "nothing has changed" in run("export", "tabletop-simulator", "tiny", at=tmp_path).err


def test_a_card_keeps_its_slot_when_others_come_and_go(tmp_path: Path) -> None:
    """A row before it and one less: its number in the saved object stays; its sheet has another name, for it shows more."""
    game = stage(tmp_path)
    game.write("content/tiny/crown.csv", "id,fill\nruby,#ff0000\ncrown,#0000ff\ntopaz,#ffff00\n")
    assert run("export", "tabletop-simulator", "tiny", at=tmp_path).code == 0
    before = {each["GMNotes"]: each["CardID"] for each in inside(saved(game)["ObjectStates"]) if each["Name"] == "Card"}
    game.write("content/tiny/crown.csv", "id,fill\nopal,#00ff00\ntopaz,#ffff00\ncrown,#0000ff\n")
    assert run("export", "tabletop-simulator", "tiny", at=tmp_path).code == 0
    after = {each["GMNotes"]: each["CardID"] for each in inside(saved(game)["ObjectStates"]) if each["Name"] == "Card"}

    kept = set(before) & set(after)
    assert len(kept) == 2 + 6 and all(before[name] == after[name] for name in kept)
    assert len(set(after.values())) == len(after)


ids = st.lists(st.text("abcdefgh", min_size=1, max_size=3), unique=True, max_size=160)


@given(ids, ids)
def test_whatever_comes_and_goes_those_that_stay_keep_their_slots(first: list[str], second: list[str]) -> None:
    """Rows added, removed, put in another order: no two share a slot, and who was there stays where it was."""
    before = dealt({}, "cards", first)
    after = dealt(before, "cards", second)

    assert all(after["cards", id] == before["cards", id] for id in set(first) & set(second))
    assert len(set(after.values())) == len(second)
    assert all(sheet >= 1 and 0 <= slot < EACH for sheet, slot in after.values())


@given(ids)
def test_slots_are_read_as_they_were_written(some: list[str]) -> None:
    """A file of slots is what was put down."""
    import tempfile

    made = dealt({}, "cards", some)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "slots.csv"
        path.write_bytes(as_file(made))
        problems = Problems()

        assert slots_in(path, "slots.csv", problems) == made and not problems.errors


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a,b\n", "slots.csv:1"),
        ("component,id,sheet,slot\ncards,a,1,69\n", "slots.csv:2"),
        ("component,id,sheet,slot\ncards,a,0,1\n", "slots.csv:2"),
        ("component,id,sheet,slot\ncards,a,1\n", "slots.csv:2"),
        ("component,id,sheet,slot\ncards,a,1,1\ncards,b,1,1\n", "taken by row 2"),
        ("component,id,sheet,slot\ncards,a,1,1\ncards,a,1,2\n", "has a slot already"),
        ("component,id,sheet,slot\ncards,a,1,²\n", "slots.csv:2"),
        ('component,id,sheet,slot\n"cards', "cannot be read"),
    ],
)
def test_a_file_of_slots_that_is_wrong_is_told_with_its_row(tmp_path: Path, text: str, says: str) -> None:
    """Nobody's cards are dealt anew in silence."""
    (tmp_path / "slots.csv").write_text(text, encoding="utf-8")
    problems = Problems()

    slots_in(tmp_path / "slots.csv", "slots.csv", problems)

    assert [problem.rule for problem in problems.errors] == ["broken-slots"] and says in str(problems.errors[0])


def test_a_broken_file_of_slots_stops_the_export(tmp_path: Path) -> None:
    """Nothing is written, and the file stays as it is."""
    game = stage(tmp_path)
    game.write("content/tiny/tabletop-simulator.csv", "component,id,sheet,slot\ncards,crown,1,200\n")

    left = run("export", "tabletop-simulator", "tiny", at=tmp_path)

    assert left.code == 1 and "content/tiny/tabletop-simulator.csv:2" in left.err
    assert not (tmp_path / "output").exists()


def test_verify_counts_a_saved_object(made: TinyProject, tmp_path: Path) -> None:
    """It is all there; with a disc less, a strange piece or a set-up that lacks something it is told which."""
    root = made.project.root
    whole = saved(made)
    assert "all there" in run("verify", folder(made) / "tiny.json", at=root).out

    text = (folder(made) / "tiny.json").read_text(encoding="utf-8")
    wrong = json.loads(text.replace("tiny:discs/red", "tiny:discs/pink", 1))
    (tmp_path / "wrong.json").write_text(json.dumps(wrong))
    left = run("verify", tmp_path / "wrong.json", at=root)
    assert left.code == 1 and "red is in the file 1 ×, 2 ×" in left.err and "pink is in the file 1 ×, 0 ×" in left.err

    less = json.loads(json.dumps(whole))
    bag = next(each for each in less["ObjectStates"] if each["Nickname"] == "Set-up: 3 players")
    bag["ContainedObjects"] = [each for each in bag["ContainedObjects"] if each["Nickname"] != "Post"]
    (tmp_path / "less.json").write_text(json.dumps(less))
    left = run("verify", tmp_path / "less.json", at=root)
    assert left.code == 1 and "3 players: the set-up takes 1 × post, and 0 are in the file" in left.err


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"ObjectStates": 7}', b'{"ObjectStates": [7]}', b"[" * 100_000])
def test_other_json_holds_no_pieces(data: bytes, tmp_path: Path) -> None:
    """What no export wrote is refused with a sentence."""
    stage(tmp_path)
    (tmp_path / "other.json").write_bytes(data)

    left = run("verify", tmp_path / "other.json", at=tmp_path)

    assert left.code == 3 and "Traceback" not in left.err


def test_the_same_game_gives_the_same_bytes(made: TinyProject) -> None:
    """Exported anew, with nothing known, every file is the same."""
    before = files_in(folder(made))
    assert run("export", "tabletop-simulator", "tiny", "--fresh", at=made.project.root).code == 0

    assert files_in(folder(made)) == before


def test_a_game_is_exported_in_another_language(tmp_path: Path) -> None:
    """Names of pieces are those of the language, in a folder of its own; ids, slots and copies are those of the game."""
    game = stage(tmp_path)
    game.write("content/tiny/tiles.csv", "id,name,back\nport,The port,coast\nreef,A reef,far\natoll,An atoll,far\n")
    assert run("translate", "tiny", "de", at=tmp_path).code == 0
    path = game.game / "languages" / "de.csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
    for row in rows:
        row["target"] = {"The port": "Der Hafen"}.get(row["source"], row["source"])
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)

    left = run("export", "tabletop-simulator", "tiny", "--language", "de", at=tmp_path)
    told = tmp_path / "output" / "tiny" / "de" / "export" / "tabletop-simulator" / "tiny.json"

    assert left.code == 0, left.err
    names = {each["GMNotes"]: each["Nickname"] for each in inside(json.loads(told.read_text("utf-8"))["ObjectStates"])}
    assert names["pnp:tiny:tiles/port"] == "Der Hafen" and names["pnp:tiny:tiles/reef"] == "A reef"
    assert "all there" in run("verify", told, at=tmp_path).out
