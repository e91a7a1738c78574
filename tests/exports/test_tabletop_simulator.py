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
from bazaar import picture
from commands import run
from conftest import TinyProject, files_in
from hypothesis import given
from hypothesis import strategies as st
from stage import stage

from pnp.exports.tabletop_simulator import EACH, UNIT, as_file, dealt, slots_in
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


def saved(game: TinyProject, name: str = "tiny.json") -> dict[str, Any]:
    return dict(json.loads((folder(game) / name).read_text(encoding="utf-8")))


def inside(objects: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Objects, all that are in them, and their other states."""
    for each in objects:
        yield each
        yield from inside(each.get("ContainedObjects", []))
        yield from inside([*each.get("States", {}).values()])


def pieces(objects: list[dict[str, Any]]) -> Counter[str]:
    """How often each piece is there, by what is kept where players do not see it."""
    marks = [each["GMNotes"].split(":") for each in inside(objects) if each["GMNotes"]]
    return Counter(name for _, _, name in marks if not name.startswith("set-up"))


def bags(game: TinyProject) -> dict[str, dict[str, Any]]:
    """The set-ups: states of one bag, which is the first of them (as the program saves it: the others by their numbers)."""
    (bag,) = [each for each in saved(game)["ObjectStates"] if each["Nickname"].startswith("Set-up")]
    states = [bag, *(bag["States"][str(number)] for number in range(2, 2 + len(bag["States"])))]
    return {each["Nickname"]: each for each in states}


def test_the_game_is_there_once_with_the_copies_of_its_tables(made: TinyProject) -> None:
    """Each disc, tile, domino, board, figure: as many as the tables say; nothing else."""
    objects = [each for each in saved(made)["ObjectStates"] if not each["Nickname"].startswith("Set-up")]
    wanted = Counter({f"tiles/{id}": 1 for id in ("port", "reef", "atoll")})
    wanted.update({"discs/red": 2, "discs/green": 4} | {f"bones/{a}-{b}": 1 for a in range(3) for b in range(a, 3)})
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


def test_a_table_is_laid_out_for_the_fewest_with_a_hand_for_each_colour(made: TinyProject) -> None:
    """The box once, no piece twice; each of two has a disc before their hand, and a third, who has a hand, none.

    A hand is an object that names its colour (``FogColor`` in the knowledge base's page on the format of saves).
    """
    table = saved(made, "tiny-table.json")
    objects = [each for each in table["ObjectStates"] if not each["Nickname"].startswith("Set-up")]
    box = [each for each in saved(made)["ObjectStates"] if not each["Nickname"].startswith("Set-up")]
    hands = {each["FogColor"]: each["Transform"] for each in objects if each["Name"] == "HandTrigger"}
    discs = [each["Transform"] for each in objects if each["Nickname"] != "Discs" and "discs/green" in each["GMNotes"]]

    def across(disc: dict[str, float], hand: dict[str, float]) -> bool:
        return abs(disc["posX"] - hand["posX"]) < hand["scaleX"] and abs(disc["posZ"] - hand["posZ"]) < 3 * hand["scaleZ"]

    assert pieces(objects) == pieces(box)
    assert table["SaveName"] and table["Table"] == "Table_None" and table["Hands"]["Enable"] is True
    assert set(hands) == {"White", "Red", "Yellow"}
    assert [sum(across(disc, hand) for disc in discs) for hand in hands.values()] == [1, 1, 0]
    marks = [each["GUID"] for each in inside(table["ObjectStates"])]
    assert len(set(marks)) == len(marks) and all(re.fullmatch("[0-9a-f]{6}", mark) for mark in marks)
    # Who sits on the near side looks away from the reader, who sits on the far side towards them.
    sea = next(each["Transform"]["posZ"] for each in objects if each["GMNotes"].endswith("sea/sea"))
    assert [(hand["posZ"] < sea, hand["rotY"]) for hand in hands.values()] == [(True, 0.0), (False, 180.0), (True, 0.0)]


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
    assert all("States" not in state for each in saved(made)["ObjectStates"] for state in each.get("States", {}).values())
    known = {"Card", "Deck", "Bag", "Custom_Tile", "Custom_Model", "Figurine_Custom", "Custom_PDF", "Die_6", "Die_10"}
    assert {each["Name"] for each in inside(saved(made)["ObjectStates"])} <= known


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
    """Pictures are files of this machine, RGB, at most 4096 dots a side; solids are OBJ files, the book is a PDF."""
    for url in filter(None, urls(saved(made))):
        path = Path(unquote(urlparse(url).path))
        assert url.startswith("file:///") and path.is_file()
        if path.suffix not in (".pdf", ".obj"):
            image = picture(path)
            assert max(image.size) <= 4096 and image.mode in ("RGB", "RGBA")
    assert sum(url.endswith(".pdf") for url in urls(saved(made))) == 1


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


Point = tuple[float, float, float]


def solids(url: str) -> list[list[tuple[Point, Point, Point]]]:
    """Of an OBJ file: the triangles of each object in it, in mm; nothing but triangles is read."""
    points: list[Point] = []
    found: list[list[tuple[Point, Point, Point]]] = []
    for line in Path(unquote(urlparse(url).path)).read_text().splitlines():
        word, *says = line.split()
        if word == "o":
            found.append([])
        elif word == "v":
            x, y, z = (10 * float(number) for number in says)
            points.append((x, y, z))
        elif word == "f":
            a, b, c = (points[int(corner.split("/")[0]) - 1] for corner in says)
            found[-1].append((a, b, c))
    return found


def bulges(triangles: list[tuple[Point, Point, Point]]) -> bool:
    """Whether a solid has nothing in front of any of its faces."""
    for a, b, c in triangles:
        (ax, ay, az), (bx, by, bz) = ([q - p for p, q in zip(a, other, strict=True)] for other in (b, c))
        normal = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
        for each in triangles:
            for point in each:
                if sum(n * (p - q) for n, p, q in zip(normal, point, a, strict=True)) > 0.01:
                    return False
    return True


def test_tiles_of_free_outline_lie_in_one_another(made: TinyProject) -> None:
    """A tile of two hexagons is a model of its outline: true to size, its front above; what touches others is hollow, too.

    The program takes triangles only, lets a model touch others by each object of a file as if it were stretched over,
    and that by 255 triangles at most (its knowledge base, Custom Model).
    """
    tile = next(each for each in inside(saved(made)["ObjectStates"]) if each["GMNotes"].endswith("tiles/port"))
    mesh = tile["CustomMesh"]
    (seen,), touching = solids(mesh["MeshURL"]), solids(mesh["ColliderURL"])
    wide, deep = (max(p[axis] for t in seen for p in t) - min(p[axis] for t in seen for p in t) for axis in (0, 2))

    # Two hexagons of 20 mm from side to side, side by side.
    assert wide == pytest.approx(40, abs=0.01) and deep == pytest.approx(20 / 3**0.5 * 2, abs=0.01)
    assert tile["Transform"]["scaleX"] == pytest.approx(10 / UNIT) == tile["Transform"]["scaleY"]
    assert mesh["Convex"] is True and not bulges(seen), "where the two meet there are two notches"
    assert all(map(bulges, touching)) and sum(map(len, touching)) <= 255
    assert area_above(seen) == pytest.approx(2 * 20 * 20 * 3**0.5 / 2, rel=1e-3)
    assert sum(map(area_above, touching)) == pytest.approx(area_above(seen), rel=1e-6)
    front = picture(Path(unquote(urlparse(mesh["DiffuseURL"]).path))).convert("RGB")
    left, right = (front.getpixel((front.width * at // 4, front.height // 2)) for at in (1, 3))
    assert max(left) > 200 and 40 < min(right) <= max(right) < 90, "the front on the left half, the back on the right"  # type: ignore[arg-type, type-var]


def area_above(triangles: list[tuple[Point, Point, Point]]) -> float:
    """Of what is seen from above, in mm²."""
    top = max(point[1] for triangle in triangles for point in triangle)
    flat = [triangle for triangle in triangles if all(point[1] == top for point in triangle)]
    return sum(abs((b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2])) / 2 for a, b, c in flat)


def test_a_screen_stands(tmp_path: Path) -> None:
    """As high as its face, on a foot, and a figurine: the program sets these upright."""
    game = stage(tmp_path)
    text = (game.game / "game.toml").read_text()
    screen = '[component.wall]\nkind = "screen"\ntemplate = "night"\npanels = ["25mm", "40mm", "25mm"]\nheight = "40mm"\n'
    game.write("content/tiny/game.toml", text.replace("[layout.start]", screen + "[layout.start]", 1))
    left = run("export", "tabletop-simulator", "tiny", at=tmp_path)
    assert left.code == 0, left.err

    (wall,) = [each for each in inside(saved(game)["ObjectStates"]) if "wall/" in each["GMNotes"]]
    points = [point for solid in solids(wall["CustomMesh"]["MeshURL"]) for triangle in solid for point in triangle]
    heights = [point[1] for point in points]

    assert wall["Name"] == "Custom_Model" and wall["CustomMesh"]["TypeIndex"] == 1
    assert min(heights) == pytest.approx(0) and max(heights) == pytest.approx(40, abs=4)
    assert max(point[0] for point in points) == pytest.approx(45, abs=0.5)


def test_with_an_address_no_file_of_this_machine_is_named(tmp_path: Path) -> None:
    """``--url``: every picture is below it, and nothing in the file says where it was made."""
    game = stage(tmp_path)
    assert run("export", "tabletop-simulator", "tiny", "--url", "https://example.org/t/", at=tmp_path).code == 0
    text = (folder(game) / "tiny.json").read_text(encoding="utf-8")

    assert all(url.startswith("https://example.org/t/") for url in filter(None, urls(json.loads(text))))
    assert str(tmp_path) not in text


def test_slots_are_kept_in_the_folder_of_the_game(tmp_path: Path) -> None:
    """The file is readable; the next export has nothing to do, nor has the next build but one, which saw a new file."""
    game = stage(tmp_path)
    assert run("build", "tiny", at=tmp_path).code == 0
    assert run("export", "tabletop-simulator", "tiny", at=tmp_path).code == 0
    rows = list(csv.reader((game.game / "tabletop-simulator.csv").read_text().splitlines()))

    assert rows[0] == ["component", "id", "sheet", "slot"] and ["cards", "crown", "1", "0"] in rows
    assert "nothing has changed" in run("export", "tabletop-simulator", "tiny", at=tmp_path).err
    run("build", "tiny", at=tmp_path)
    assert "nothing has changed" in run("build", "tiny", at=tmp_path).err


def cards(game: TinyProject) -> dict[str, int]:
    """By piece: its slot."""
    return {each["GMNotes"]: each["CardID"] % 100 for each in inside(saved(game)["ObjectStates"]) if each["Name"] == "Card"}


def sheet_of(game: TinyProject, card: str) -> dict[str, Any]:
    """The sheet of a card, as a table keeps it that was saved now."""
    found = next(each for each in inside(saved(game)["ObjectStates"]) if each["GMNotes"].endswith(card))
    ((_, sheet),) = found["CustomDeck"].items()
    return dict(sheet)


def shown(sheet: dict[str, Any], slot: int) -> tuple[int, ...]:
    """The colour in the middle of a slot, in a grid as the program cuts it."""
    image = picture(Path(unquote(urlparse(sheet["FaceURL"]).path))).convert("RGB")
    wide, high = image.width / sheet["NumWidth"], image.height / sheet["NumHeight"]
    down, across = divmod(slot, sheet["NumWidth"])
    found = image.getpixel((int((across + 0.5) * wide), int((down + 0.5) * high)))
    assert isinstance(found, tuple)
    return tuple(255 * (shade > 127) for shade in found)


def test_a_table_that_was_saved_goes_on_showing_its_cards(tmp_path: Path) -> None:
    """A card taken out, two more than nine put in: the old sheet is there, and in the new one all are where they were."""
    game = stage(tmp_path)
    colours = {f"c{number}": "#ff0000" if number % 2 else "#0000ff" for number in range(9)}

    def exported(rows: dict[str, str]) -> dict[str, Any]:
        game.write("content/tiny/crown.csv", "id,fill\n" + "".join(f"{id},{fill}\n" for id, fill in rows.items()))
        assert run("export", "tabletop-simulator", "tiny", at=tmp_path).code == 0
        return sheet_of(game, "cards/c1")

    before = exported(colours)
    slots = cards(game)
    after = exported({"new": "#00ff00", **{id: fill for id, fill in colours.items() if id != "c4"}, "last": "#00ff00"})

    kept = {name: slot for name, slot in slots.items() if not name.endswith("/c4")}
    assert kept.items() <= cards(game).items()
    assert slots["pnp:tiny:cards/c4"] not in {slot for name, slot in cards(game).items() if ":cards/" in name}
    assert before["FaceURL"] != after["FaceURL"] and before["NumWidth"] == after["NumWidth"] == 10
    for number in (0, 1, 2, 3, 5, 6, 7, 8):
        wanted = (255, 0, 0) if number % 2 else (0, 0, 255)
        slot = slots[f"pnp:tiny:cards/c{number}"]
        assert shown(before, slot) == shown(after, slot) == wanted
    assert exported(colours) == before, "who comes back has its slot again"


ids = st.lists(st.text("abcdefgh", min_size=1, max_size=3), unique=True, max_size=160)


@given(ids, ids)
def test_whatever_comes_and_goes_those_that_stay_keep_their_slots(first: list[str], second: list[str]) -> None:
    """Rows added, removed, put in another order: no two ever share a slot, and who was there stays where it was."""
    before = dealt({}, "cards", first)
    after = dealt(before, "cards", second)

    assert not {slot for (_, id), slot in before.items() if id not in second} & set(after.values())
    assert all(after["cards", id] == before["cards", id] for id in set(first) & set(second))
    assert len(set(after.values())) == len(second)
    assert all(sheet >= 1 and 0 <= slot < EACH for sheet, slot in after.values())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a,b\n", "slots.csv:1"),
        ("component,id,sheet,slot\ncards,a,1,69\n", "slots.csv:2"),
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


@pytest.mark.parametrize("sides", [6, 10])
def test_a_die_says_its_value_however_it_lies(tmp_path: Path, sides: int) -> None:
    """Each value of our faces at a turn of its own; of a die of ten, too."""
    game = stage(tmp_path)
    text = (game.game / "game.toml").read_text()
    die = f'[component.dice]\nkind = "die"\ntemplate = "night"\nsize = "16mm"\nsides = {sides}\n'
    game.write("content/tiny/game.toml", text.replace("[layout.start]", die + "[layout.start]", 1))

    left = run("export", "tabletop-simulator", "tiny", at=tmp_path)

    assert left.code == 0, left.err
    (made,) = [each for each in inside(saved(game)["ObjectStates"]) if each["Name"] == f"Die_{sides}"]
    turns = {each["Value"]: tuple(each["Rotation"].values()) for each in made["RotationValues"]}
    assert len(set(turns.values())) == sides and all(f": {value}" in made["Description"] for value in turns)


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


def test_a_broken_file_of_slots_stops_the_export(tmp_path: Path) -> None:
    """Nothing is written, and the file stays as it is."""
    game = stage(tmp_path)
    game.write("content/tiny/tabletop-simulator.csv", "component,id,sheet,slot\ncards,crown,1,200\n")

    left = run("export", "tabletop-simulator", "tiny", at=tmp_path)

    assert left.code == 1 and "content/tiny/tabletop-simulator.csv:2" in left.err
    assert not (tmp_path / "output").exists()
