"""``pnp export virtualtabletop`` and ``playingcards``: files as the open loader of virtualtabletop reads them.

What is held here is what its server/fileloader.mjs and server/pcioimport.mjs ask for, and what its client does.
"""

from __future__ import annotations

import io
import json
import textwrap
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import run
from conftest import TinyProject
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from stage import FILES, stage
from test_tabletop_simulator import RULES

from pnp.exports.room import _Block, _packed
from pnp.exports.tabletop_simulator import UNIT

Widget = dict[str, Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> TinyProject:
    """The stage with a set-up for two and three, for both tables."""
    game = stage(tmp_path_factory.mktemp("browser"), rules=RULES)
    for target in ("virtualtabletop", "playingcards"):
        left = run("export", target, "tiny", at=game.project.root)
        assert left.code == 0, left.err
    return game


def packed(game: TinyProject, target: str, end: str) -> zipfile.ZipFile:
    path = game.project.root / "output" / "tiny" / "export" / target / f"tiny{end}"
    return zipfile.ZipFile(io.BytesIO(path.read_bytes()))


def variants(game: TinyProject) -> dict[str, dict[str, Widget]]:
    """The widgets of each variant, by its name."""
    archive = packed(game, "virtualtabletop", ".vtt")
    states = [json.loads(archive.read(name)) for name in sorted(archive.namelist()) if name.endswith(".json")]
    return {state["_meta"]["info"]["variant"]: {k: v for k, v in state.items() if k != "_meta"} for state in states}


def place(widgets: dict[str, Widget], widget: Widget) -> tuple[float, float]:
    """Where a widget is in the room: its own place and those of what it lies in."""
    x, y = widget.get("x", 0), widget.get("y", 0)
    while parent := widget.get("parent"):
        widget = widgets[parent]
        x, y = x + widget.get("x", 0), y + widget.get("y", 0)
    return x, y


def size(widgets: dict[str, Widget], widget: Widget) -> tuple[float, float]:
    if widget.get("type") == "card":
        defaults = widgets[widget["deck"]]["cardDefaults"]
        return defaults["width"], defaults["height"]
    return widget["width"], widget["height"]


def pieces(widgets: dict[str, Widget]) -> Counter[str]:
    """By what is kept in the field ``piece`` of a widget, or of the type of a card."""
    found = Counter[str]()
    for widget in widgets.values():
        says = widgets[widget["deck"]]["cardTypes"][widget["cardType"]] if widget.get("type") == "card" else widget
        if "piece" in says and widget.get("type") != "deck":
            found[says["piece"]] += 1
    return found


def wanted() -> Counter[str]:
    """What the tables of the stage say, but for the box-like things, of which it has none."""
    found = Counter({"discs/red": 2, "discs/green": 4})
    found.update({f"tiles/{id}": 1 for id in ("port", "reef", "atoll")})
    found.update({f"bones/{a}-{b}": 1 for a in range(3) for b in range(a, 3)})
    found.update(dict.fromkeys(("sea/sea", "moor/moor", "crown/crown", "post/post", "cards/crown", "track/track"), 1))
    return found


def test_each_number_of_players_has_a_variant_with_all_pieces(made: TinyProject) -> None:
    """Two and three players: as many pieces as the tables say, as many seats as players."""
    found = variants(made)

    assert set(found) == {"2 players", "3 players"}
    for name, widgets in found.items():
        assert pieces(widgets) == wanted()
        assert sum(widget.get("type") == "seat" for widget in widgets.values()) == int(name[0])


def test_every_widget_is_called_as_its_key_and_lies_in_one_that_is_there(made: TinyProject) -> None:
    """Cards have a deck and a type of it; parents exist; no two have the same height."""
    for widgets in variants(made).values():
        assert all(widget["id"] == key for key, widget in widgets.items())
        assert all(widget["parent"] in widgets for widget in widgets.values() if widget.get("parent"))
        assert len({widget["z"] for widget in widgets.values()}) == len(widgets)
        for widget in widgets.values():
            if widget.get("type") == "card":
                deck = widgets[widget["deck"]]
                assert deck["type"] == "deck" and widget["cardType"] in deck["cardTypes"]
                assert widget["activeFace"] < len(deck["faceTemplates"])


def asked(value: object) -> Iterator[str]:
    """Every address of a picture in a value."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from asked(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from asked(inner)
    elif isinstance(value, str) and value.startswith(("/assets/", "package://")):
        yield value


def test_every_picture_is_there_under_the_name_that_the_server_gives_it(made: TinyProject) -> None:
    """``assets/CRC_SIZE`` with the checksum as a signed number; below 10 MiB, a PNG; none that nobody shows."""
    archive = packed(made, "virtualtabletop", ".vtt")
    shown = {address.lstrip("/") for widgets in variants(made).values() for address in asked(widgets)}
    for name in archive.namelist():
        if name.startswith("assets/"):
            data = archive.read(name)
            signed = int.from_bytes(zlib.crc32(data).to_bytes(4, "big"), "big", signed=True)
            assert name == f"assets/{signed}_{len(data)}" and len(data) < 10 * 1024 * 1024
            assert Image.open(io.BytesIO(data)).format == "PNG"
    assert shown == {name for name in archive.namelist() if name.startswith("assets/")}


def test_nothing_lies_on_anything_else_or_outside_the_room(made: TinyProject) -> None:
    """Piles, boards, figures and pieces of their own, each in its box of the room of 1600 × 1000."""
    for widgets in variants(made).values():
        boxes = []
        for key, widget in widgets.items():
            lies_in = widget.get("parent")
            own = widget.get("type") in ("holder", "seat") or ("piece" in widget) or widget.get("type") == "card"
            if not own or lies_in or ".spot" in key or widget.get("rotation") or key.endswith(".place"):
                continue
            x, y = place(widgets, widget)
            boxes.append((key, x, y, x + size(widgets, widget)[0], y + size(widgets, widget)[1]))
        assert all(x >= 0 and y >= 0 and right <= 1600 and low <= 1000 for _, x, y, right, low in boxes)
        for at, (one, x, y, right, low) in enumerate(boxes):
            for other, left, top, end, foot in boxes[at + 1 :]:
                # Bones of the street touch one another.
                apart = right <= left + 0.1 or end <= x + 0.1 or low <= top + 0.1 or foot <= y + 0.1
                assert apart or (one.startswith("bones/") and other.startswith("bones/")), (one, other)


@pytest.fixture(scope="module")
def wordy(tmp_path_factory: pytest.TempPathFactory) -> TinyProject:
    """The stage with a long title, and a cover to fold around its box."""
    game = stage(tmp_path_factory.mktemp("wordy"), rules=RULES)
    text = (game.game / "game.toml").read_text().replace('"Tiles"', '"Tiles of the seven seas that are never lost"')
    cover = '[component.cover]\nkind = "screen"\ntemplate = "night"\npanels = ["80mm", "120mm"]\nheight = "180mm"\n'
    game.write("content/tiny/game.toml", text.replace("[layout.start]", cover + "[layout.start]", 1))
    left = run("export", "virtualtabletop", "tiny", at=game.project.root)
    assert left.code == 0, left.err
    return game


def test_labels_can_be_read_whole(wordy: TinyProject) -> None:
    """Each label has the lines that its words need at 12 dots, of which a letter takes 0.55; nothing stands where it is."""
    for widgets in variants(wordy).values():
        labels = [widget for widget in widgets.values() if widget.get("type") == "label" and not widget.get("editable")]
        assert any("seven seas" in label["text"] for label in labels)
        for label in labels:
            assert "font-size: 12px" in label["css"] and "nowrap" not in label["css"]
            lines = textwrap.wrap(label["text"], int(label["width"] / (0.55 * 12)), break_long_words=False)
            assert all(len(line) * 0.55 * 12 <= label["width"] for line in lines)
            assert len(lines) * 15 <= label["height"]
            x, y, right, low = label["x"], label["y"], label["x"] + label["width"], label["y"] + label["height"]
            for other in widgets.values():
                if other is not label and other.get("display", not other.get("parent")) and {"x", "width"} <= other.keys():
                    apart = other["x"] >= right or other["x"] + other["width"] <= x
                    assert apart or other["y"] >= low or other["y"] + other["height"] <= y, (label["id"], other["id"])


def test_the_table_is_used_and_a_cover_takes_little_of_it(wordy: TinyProject) -> None:
    """From edge to edge; a sheet around the box, which nobody plays with, is small until somebody points at it."""
    for widgets in variants(wordy).values():
        cover = widgets["cover/cover/1"]
        lying = [widget for widget in widgets.values() if "width" in widget and not widget.get("parent")]
        right = max(widget["x"] + widget["width"] for widget in lying if widget["y"] < widgets["seat1"]["y"])

        assert right >= 0.95 * 1600
        assert max(cover["width"], cover["height"]) <= 120 and cover["enlarge"] * cover["width"] >= 290
        assert cover["width"] / cover["height"] == pytest.approx(200 / 180, rel=0.01)


def test_bones_lie_as_the_layout_says(made: TinyProject) -> None:
    """street.csv: 0-1 lies one square above 2-2, which lies one square of 10 mm below, at the same x."""
    widgets = variants(made)["2 players"]
    first, second = widgets["bones/0-1/1"], widgets["bones/2-2/1"]
    scale = (
        size(widgets, first)[0] / 10 if size(widgets, first)[0] < size(widgets, first)[1] else size(widgets, first)[1] / 10
    )

    assert first["x"] == pytest.approx(second["x"], abs=0.05)
    assert second["y"] - first["y"] == pytest.approx(10 * scale, abs=0.1)


def test_the_file_says_what_it_is(made: TinyProject) -> None:
    """A version that servers read, the game's title, its number of players, its language, what the set-up takes."""
    archive = packed(made, "virtualtabletop", ".vtt")
    meta = json.loads(archive.read("1.json"))["_meta"]

    assert isinstance(meta["version"], int) and meta["info"]["name"] == "Stage" and meta["info"]["players"] == "3"
    assert meta["info"]["language"] == "en" and "- green discs: 3 (1 each)" in meta["info"]["helpText"]


class Table:
    """Cards in holders, hands and on the table, as the server's routines move them (client/js/widgets/widget.js).

    A card that comes to loose ones makes a pile with one of them; what is moved from a holder are its children, and those
    of its pile only where it has one pile and nothing else.
    """

    def __init__(self, widgets: dict[str, Widget], players: int) -> None:
        self.widgets = widgets
        self.seated = {f"seat{number}" for number in range(1, players + 1)}
        self.lies: dict[str, list[list[str]]] = {key: [] for key, w in widgets.items() if w.get("type") == "holder"}
        self.hands: dict[str, list[str]] = {seat: [] for seat in self.seated}
        self.was: dict[tuple[str, str], object] = {}
        piles: dict[str, list[str]] = {}
        for key, widget in widgets.items():
            parent = widget.get("parent")
            if widget.get("type") == "card" and parent:
                if widgets[parent].get("type") == "pile":
                    if parent not in piles:
                        self.lies[widgets[parent]["parent"]].append(piles.setdefault(parent, []))
                    piles[parent].append(key)
                else:
                    self.lies[parent].append([key])

    def run(self, routine: list[dict[str, Any]]) -> None:
        for step in routine:
            if step["func"] == "RECALL":
                self.recall(step["holder"], step.get("owned", True))
            elif step["func"] == "MOVE":
                for to in step["to"] if isinstance(step["to"], list) else [step["to"]]:
                    self.move(step["from"], to, step["count"])
            elif step["func"] == "SET":
                assert {*step["collection"]} <= self.widgets.keys()
                self.was.update({(key, step["property"]): step["value"] for key in step["collection"]})
            else:
                assert step["func"] in ("FLIP", "SHUFFLE") and step["holder"] in self.lies

    def recall(self, holder: str, owned: bool) -> None:
        decks = {key for key, w in self.widgets.items() if w.get("type") == "deck" and w.get("parent") == holder}
        assert decks, f"{holder} has no deck"
        for card in [key for key, w in self.widgets.items() if w.get("deck") in decks]:
            held = any(card in hand for hand in self.hands.values())
            if not any(card in heap for heap in self.lies[holder]) and (owned or not held):
                self.take(card)
                self.drop(card, holder)

    def move(self, source: str, to: str, count: int) -> None:
        heaps = self.lies[source]
        for group in [[card] for card in heaps[0]][:count] if len(heaps) == 1 else [list(heap) for heap in heaps[:count]]:
            for card in group:
                self.take(card)
                if to in self.lies:
                    self.drop(card, to)
                elif to in self.seated:
                    self.hands[to].append(card)

    def take(self, card: str) -> None:
        for heap in [heap for heaps in self.lies.values() for heap in heaps] + list(self.hands.values()):
            if card in heap:
                heap.remove(card)
        for holder, heaps in self.lies.items():
            self.lies[holder] = [heap for heap in heaps if heap]

    def drop(self, card: str, holder: str) -> None:
        (self.lies[holder][-1] if self.lies[holder] else self.lies[holder].append([]) or self.lies[holder][-1]).append(card)


def test_a_button_sets_up_for_so_many_players_as_often_as_it_is_pressed(made: TinyProject) -> None:
    """The bones of the street lie; of the green discs each player has one, and all others are in their piles."""
    for name, widgets in variants(made).items():
        button, players = widgets["set-up"], int(name[0])
        table = Table(widgets, players)
        assert button["text"] == f"Set up for {players}"
        for _ in range(3):
            table.run(button["clickRoutine"])
            assert {seat: len(hand) for seat, hand in table.hands.items()} == dict.fromkeys(table.seated, 1)
            assert all(card.startswith("discs.2/green/") for hand in table.hands.values() for card in hand)
            assert all(len(heaps) <= 1 for heaps in table.lies.values())
        standing = {key: w for key, w in widgets.items() if "piece" in w and w.get("movable") is not False}
        assert standing and all(table.was[key, at] == w[at] for key, w in standing.items() for at in ("x", "y"))
        assert button["x"] + button["width"] <= 1600 and button["y"] + button["height"] <= widgets["hand"]["y"]


def test_a_pile_is_gathered_without_the_hands_and_dealt_anew_with_them(made: TinyProject) -> None:
    """Whoever still plays keeps the cards in hand where a draw pile is made anew; a new deal takes all."""
    for name, widgets in variants(made).items():
        table = Table(widgets, int(name[0]))
        table.run(widgets["set-up"]["clickRoutine"])
        hands = {seat: [*hand] for seat, hand in table.hands.items()}
        assert all(hands.values())

        for key in [key for key in widgets if ".shuffle" in key]:
            table.run(widgets[key]["clickRoutine"])
        assert table.hands == hands

        (dealing,) = [key for key in widgets if ".deal" in key]
        table.run(widgets[dealing]["clickRoutine"])
        assert widgets[dealing]["text"] == "Deal 1 each anew"
        assert {seat: len(hand) for seat, hand in table.hands.items()} == dict.fromkeys(table.seated, 1)


def test_laid_out_anew_each_piece_lies_where_one_of_its_kind_lay(tmp_path: Path) -> None:
    """A layout whose places draw from two pools: what is drawn for one never lies in a place of the other."""
    game = stage(tmp_path)
    names = ("port", "cape", "reef", "atoll")
    game.write("content/tiny/tiles.csv", "id,name,back\nport,Port,coast\ncape,Cape,coast\nreef,Reef,far\natoll,Atoll,far\n")
    game.write("content/tiny/hexes.csv", "tile,q,r\n" + "".join(f"{name},0,0\n{name},1,0\n" for name in names))
    slots = "near,coast,0,0,0\nnext,coast,4,0,0\nout,far,2,0,0\nend,far,0,1,60\n"
    game.write("content/tiny/start.csv", f"slot,pool,q,r,turn\n{slots}")
    left = run("export", "virtualtabletop", "tiny", at=game.project.root)
    assert left.code == 0, left.err

    for widgets in variants(game).values():
        drawn = {}
        for pool in (key for key, widget in widgets.items() if ".pool" in key and widget["type"] == "holder"):
            (move,) = [step for step in widgets[f"{pool}.shuffle0"]["clickRoutine"] if step["func"] == "MOVE"]
            lying = {widget["parent"] for widget in widgets.values() if widget.get("deck") == f"{pool}.deck"}
            assert move["from"] == pool and set(move["to"]) == lying and len(lying) == 2
            drawn[pool] = {*widgets[f"{pool}.deck"]["cardTypes"]}
        assert sorted(map(sorted, drawn.values())) == [["atoll", "reef"], ["cape", "port"]]


def test_a_card_in_hand_is_seen_whole(made: TinyProject) -> None:
    """The hand is as high as the highest card below its upper edge, and ends where the room does."""
    for widgets in variants(made).values():
        hand = widgets["hand"]
        # Nothing turns it over when it is played.
        assert hand["onEnter"] == {"activeFace": 1} and "onLeave" not in hand
        tallest = max(
            w["cardDefaults"]["height"] for key, w in widgets.items() if w.get("type") == "deck" and "cards" in key
        )
        assert hand["dropOffsetY"] + tallest <= hand["height"] and hand["y"] + hand["height"] == 1000


def test_a_board_that_is_there_instead_of_another_has_variants_of_its_own(tmp_path: Path) -> None:
    """For each number of players one with either board, named by it."""
    game = stage(tmp_path, rules=RULES)
    text = (game.game / "game.toml").read_text()
    assert "[component.moor]\n" in text
    game.write("content/tiny/game.toml", text.replace("[component.moor]\n", '[component.moor]\ninstead = "sea"\n'))
    left = run("export", "virtualtabletop", "tiny", at=game.project.root)
    assert left.code == 0, left.err

    found = variants(game)

    assert [*found] == ["2 players, Sea", "2 players, Moor", "3 players, Sea", "3 players, Moor"]
    assert {name: {"sea/sea", "moor/moor"} & set(pieces(widgets)) for name, widgets in found.items()} == {
        name: {"moor/moor" if "Moor" in name else "sea/sea"} for name in found
    }


LAID = """
[setup]
players = "2-3"
[setup.take.sea]
what = "the sea"
from = "sea"
number = "1 if players == 2 else 0"
[setup.take.moor]
what = "the moor"
from = "moor"
number = "players - 2"
[setup.take.greens]
what = "discs in the wells"
from = "discs"
where = { id = "green" }
number = "2 if players == 2 else 0"
on = "well"
[shuffle.street]
up = true
[pile.all]
of = ["cards", "notes"]
"""


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> TinyProject:
    """The stage with a board for each number of players, pieces on its squares, and cards of two components in one pile."""
    text = FILES["content/tiny/game.toml"]
    both = text.replace("[component.moor]\n", '[component.moor]\ninstead = "sea"\n')
    cards = '[component.cards]\nback = "night"\n'
    both = both.replace("[component.cards]\n", cards) + cards.replace("cards", "notes")
    both = both.replace('title = "Cards"', 'title = "Crew\'s cards"')
    both += 'size = "tcg"\ntable = "discs"\ntemplate = "discs"\n'
    game = stage(tmp_path_factory.mktemp("laid"), rules=LAID, files={"content/tiny/game.toml": both})
    for target in ("virtualtabletop", "playingcards", "card-game-simulator", "tabletop-simulator"):
        left = run("export", target, "tiny", at=game.project.root)
        assert left.code == 0, left.err
    return game


def test_a_set_up_chooses_its_board(laid: TinyProject) -> None:
    """Two play on the sea, three on the moor, and nobody is asked."""
    found = {name: {"sea/sea", "moor/moor"} & set(pieces(widgets)) for name, widgets in variants(laid).items()}

    assert found == {"2 players": {"sea/sea"}, "3 players": {"moor/moor"}}


def test_a_set_up_lays_pieces_on_squares_of_the_board(laid: TinyProject) -> None:
    """Two green discs in the wells of sea.txt, columns 2 and 3 of rows 1 and 2; on the moor are no wells."""
    two, three = variants(laid).values()
    board = two["sea/sea/1"]
    cell = board["width"] / 4

    places = [widget for key, widget in two.items() if key.endswith(".place") and key.startswith("discs/")]
    middles = [(each["x"] + each["width"] / 2, each["y"] + each["height"] / 2) for each in places]

    wells = [(board["x"] + (x + 0.5) * cell, board["y"] + (y + 0.5) * cell) for x, y in ((2, 1), (3, 2))]
    assert sorted(middles) == [pytest.approx(well, abs=0.1) for well in sorted(wells)]
    assert [widget["cardType"] for widget in two.values() if widget.get("parent") in {p["id"] for p in places}] == [
        "green"
    ] * 2
    assert pieces(two)["discs/green"] == 4 and not [key for key in three if key.startswith("discs/") and "place" in key]


def test_what_is_moved_on_a_board_lies_above_what_is_laid_on_it(laid: TinyProject) -> None:
    """Children of a holder lie as high as it does: only what is laid on squares, and stacks of cards, are in holders."""
    for widgets in variants(laid).values():
        cards = {
            key for key, w in widgets.items() if w.get("type") == "deck" and key.startswith(("cards", "notes", "crown"))
        }
        for spot in [w for w in widgets.values() if w.get("classes") == "transparent"]:
            takes = [target["deck"] for target in spot["dropTarget"]]
            assert takes and (spot["id"].endswith(".place") or {*takes} <= cards)


def test_a_block_of_the_box_may_lie_where_one_of_the_board_lay(laid: TinyProject) -> None:
    """The greens that the set-up lays on the wells, and those that are left over, change places."""
    two = next(widgets for name, widgets in variants(laid).items() if name.startswith("2"))
    places = [w for key, w in two.items() if key.startswith("discs/") and key.endswith(".place")]
    pool = two["discs.pool-green"]
    spares = [key for key in two if key.startswith("discs.") and "/green/" in key]
    (rest,) = {two[key]["deck"] for key in spares}
    for holder in (*places, pool):
        assert rest in {target["deck"] for target in holder["dropTarget"]}
    assert "discs.pool-green.deck" in {target["deck"] for target in two[rest.removesuffix(".deck")]["dropTarget"]}
    table = Table(two, 2)
    table.take(spares[0])
    table.take(next(key for key, w in two.items() if w.get("parent") == places[0]["id"]))
    table.drop(spares[0], places[0]["id"])
    table.run(two["discs.pool-green.shuffle0"]["clickRoutine"])
    assert all(sum(map(len, table.lies[place["id"]])) == 1 for place in places)


def test_a_variant_lays_out_something_else(laid: TinyProject) -> None:
    """The street is laid by three only: with them it has a table of its own."""
    found = variants(laid)
    assert [name for name in found if "Street" in name] == []
    text = (laid.game / "game.toml").read_text()
    laid.write("content/tiny/game.toml", text.replace("[layout.street]\n", '[layout.street]\nplayers = "3"\n'))
    left = run("export", "virtualtabletop", "tiny", "--out", "elsewhere", at=laid.project.root)
    laid.write("content/tiny/game.toml", text)
    assert left.code == 0, left.err
    with zipfile.ZipFile(laid.project.root / "elsewhere/tiny/export/virtualtabletop/tiny.vtt") as archive:
        infos = [json.loads(archive.read(name))["_meta"]["info"] for name in archive.namelist() if name.endswith(".json")]
    (info,) = [info for info in infos if "Street" in info["variant"]]
    assert info["variant"].startswith("3 players, ") and info["players"] == "3" and "- bones: " in info["helpText"]


def test_pieces_lie_on_squares_in_tabletop_simulator_too(laid: TinyProject) -> None:
    """In the middle of the wells of the sea, whose squares are 20 mm wide; north is up."""
    table = json.loads((laid.project.root / "output/tiny/export/tabletop-simulator/tiny-table.json").read_text())
    (sea,) = (each["Transform"] for each in table["ObjectStates"] if each["Nickname"] == "Sea")
    discs = [each["Transform"] for each in table["ObjectStates"] if ":discs/green" in each["GMNotes"]]

    on_it = [disc for disc in discs if abs(disc["posX"] - sea["posX"]) < 1.6 and abs(disc["posZ"] - sea["posZ"]) < 1.6]
    found = sorted((disc["posX"] - sea["posX"], disc["posZ"] - sea["posZ"]) for disc in on_it)
    assert found == [pytest.approx((20 / UNIT * x, 20 / UNIT * z), abs=0.001) for x, z in ((0.5, 0.5), (1.5, -0.5))]


def test_pieces_of_several_components_lie_in_their_common_pile(laid: TinyProject) -> None:
    """One crown and six notes, as [pile.all] says: one pile, one deck, one stack."""
    for widgets in variants(laid).values():
        (pile,) = {w["parent"] for w in widgets.values() if w.get("type") == "card" and "cards" in w["deck"]}
        inside = [widget["cardType"] for widget in widgets.values() if widget.get("parent") == pile]
        assert Counter(inside) == {"crown": 1, "red": 2, "green": 4}
    lying = Counter(w["parent"] for w in room(laid) if w["type"] in CARDS and w.get("deck", "")[:5] in ("cards", "notes"))
    assert [*lying.values()] == [7]
    at = laid.project.root / "output/tiny/export"
    saved = json.loads((at / "tabletop-simulator/tiny.json").read_text())["ObjectStates"]
    assert [len(each["DeckIDs"]) for each in saved if each["Nickname"] == "Crew’s cards + Notes"] == [7]
    with zipfile.ZipFile(next(at.glob("card-game-simulator/*.zip"))) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("AllCards.json"))
        cards = json.loads(archive.read(name))
    (stack,) = {card["part"] for card in cards if card["set"] in ("cards", "notes")}
    assert sum(card["copies"] for card in cards if card["part"] == stack) == 7


def test_a_shuffled_layout_is_dealt_anew_and_turned_as_its_places_are(laid: TinyProject) -> None:
    """street.csv: any bone may lie in any of its six places, face up; a place turns what is dropped into it."""
    for widgets in variants(laid).values():
        bones = {key: widget for key, widget in widgets.items() if widget.get("deck") == "bones.pool1.deck"}
        (move,) = [step for step in widgets["bones.pool1.shuffle0"]["clickRoutine"] if step["func"] == "MOVE"]
        assert {*move["to"]} == {bone["parent"] for bone in bones.values()} and len(bones) == 6 and move["face"] == 1
        turns = sorted(widgets[bone["parent"]]["onEnter"]["rotation"] for bone in bones.values())
        # A bone of 10 x 20 mm stands: four lie, as their 0 says, two stand.
        assert turns == [-90, -90, -90, -90, 0, 0]
        for bone in bones.values():
            spot, (width, height) = widgets[bone["parent"]], size(widgets, bone)
            assert bone["rotation"] == spot["onEnter"]["rotation"] and spot["dropLimit"] == 1
            # A widget is turned about its middle, which is the place's.
            assert bone["x"] + width / 2 == pytest.approx(spot["width"] / 2, abs=0.02)
            assert bone["y"] + height / 2 == pytest.approx(spot["height"] / 2, abs=0.02)
            assert (spot["width"] > spot["height"]) == (spot["onEnter"]["rotation"] == -90) and height > width


def test_a_pile_takes_its_own_cards_and_a_click_turns_a_domino(laid: TinyProject) -> None:
    """What is dropped near a pile of another deck stays where it was dropped."""
    for widgets in variants(laid).values():
        for key, widget in widgets.items():
            if widget.get("type") == "holder" and key != "hand" and ".spot" not in key:
                targets = widget["dropTarget"] if isinstance(widget["dropTarget"], list) else [widget["dropTarget"]]
                own = {each["deck"] for each in widgets.values() if each.get("parent") == key and "deck" in each}
                decks = {each["id"] for each in widgets.values() if each.get("parent") == key and each["type"] == "deck"}
                assert own | decks <= {target["deck"] for target in targets}
        (turn,) = widgets["bones.pool1.deck"]["cardDefaults"]["clickRoutine"]
        assert turn == {"func": "ROTATE", "collection": "thisButton", "angle": 90}


CARDS = ("card", "piece")


def room(game: TinyProject) -> list[Widget]:
    return list(json.loads(packed(game, "playingcards", ".pcio").read("widgets.json")))


def test_a_room_of_playingcards_has_all_pieces_as_cards_and_boards(made: TinyProject) -> None:
    """Cards by the field of their types, boards by their ids; each asks for pictures that are there, below 2 MiB."""
    archive, widgets = packed(made, "playingcards", ".pcio"), room(made)
    decks = {widget["id"]: widget for widget in widgets if widget["type"] == "cardDeck"}
    found = Counter(decks[w["deck"]]["cardTypes"][w["cardType"]]["piece"] for w in widgets if w["type"] in CARDS)
    found.update(widget["id"].rpartition("/")[0] for widget in widgets if widget["type"] == "board")

    assert found == wanted()
    for address in asked(widgets):
        data = archive.read(address.removeprefix("package://"))
        assert len(data) < 2 * 1024 * 1024 and Image.open(io.BytesIO(data)).format == "PNG"
    for deck in decks.values():
        # The loader makes width and height of w and h, and so takes away what stood there.
        (shown,) = deck["faceTemplate"]["objects"]
        assert (shown["w"], shown["h"]) == (deck["cardWidth"], deck["cardHeight"]) and "width" not in shown
    assert len({widget["id"] for widget in widgets}) == len(widgets) <= 1200
    assert all(widget["parent"] in {each["id"] for each in widgets} for widget in widgets if widget.get("parent"))
    assert sum(widget["type"] == "hand" for widget in widgets) == 1


def test_a_room_of_playingcards_sets_up_for_any_number_of_players(made: TinyProject) -> None:
    """A seat for each of the most; each button gathers and shuffles all piles, and deals to so many seats."""
    widgets = room(made)
    seats = {widget["id"]: widget["seatIndex"] for widget in widgets if widget["type"] == "seat"}
    decks = {widget["id"]: widget for widget in widgets if widget["type"] == "cardDeck"}
    buttons = {widget["label"]: widget["clickRoutine"] for widget in widgets if widget["type"] == "automationButton"}

    assert sorted(seats.values()) == [0, 1, 2] and [*buttons] == ["Set up for 2", "Set up for 3"]
    for label, steps in buttons.items():
        recalled = [deck for step in steps if step["func"] == "RECALL_CARDS" for deck in step["args"]["decks"]["value"]]
        assert sorted(recalled) == sorted(id_ for id_, deck in decks.items() if "parent" in deck)
        (deal,) = [step["args"] for step in steps if step["func"] == "MOVE_CARDS_BETWEEN_HOLDERS"]
        assert {name: argument["value"] for name, argument in deal.items()} == {
            "from": ["discs.2"], "to": [*seats][: int(label[-1])], "quantity": 1,
        }  # fmt: skip
        assert all(argument["type"] == "literal" for step in steps for argument in step["args"].values())


def test_each_board_has_a_room_of_playingcards_with_what_lies_on_it(laid: TinyProject) -> None:
    """The sea is for two, with two greens on its wells; the moor is for three."""
    for number, end, board in ((2, "-sea.pcio", "sea/sea/1"), (3, ".pcio", "moor/moor/1")):
        widgets = {w["id"]: w for w in json.loads(packed(laid, "playingcards", end).read("widgets.json"))}
        assert {key for key, w in widgets.items() if w["type"] == "board"} == {board, "track/track/1"}
        buttons = [w["label"] for w in widgets.values() if w["type"] == "automationButton"]
        assert buttons == [f"Set up for {number}"]
        lying = [key for key, w in widgets.items() if key.startswith("discs/green/") and "parent" not in w]
        assert len(lying) == (2 if number == 2 else 0)


def test_what_lies_beside_an_outline_is_clear_in_playingcards(made: TinyProject) -> None:
    """A card is white where nothing is printed; discs and tiles are pieces, whose decks are called so."""
    widgets = room(made)
    decks = {widget["id"]: widget for widget in widgets if widget["type"] == "cardDeck"}
    kinds = {deck.partition(".")[0]: widget.get("collectionType") for deck, widget in decks.items()}

    assert kinds["discs"] == kinds["tiles"] == "pieces" and kinds["cards"] is kinds["bones"] is None
    for widget in widgets:
        if widget["type"] in CARDS:
            assert (widget["type"] == "piece") == (decks[widget["deck"]].get("collectionType") == "pieces")


def test_labels_of_playingcards_lie_beside_each_other(made: TinyProject) -> None:
    """The loader writes them with 16 dots in two lines of a box a fifth wider than the pile; below it is a button."""
    boxes = []
    for pile in (widget for widget in room(made) if widget["type"] == "cardPile"):
        lines = textwrap.wrap(pile["label"], int(1.2 * pile["width"] / (0.5 * 16)), break_long_words=False)
        assert len(lines) <= 2 and pile["allowedDecks"] == [f"{pile['id']}.deck"]
        foot = pile["height"] * 1.02 + 32 if pile["hasShuffleButton"] else pile["height"]
        boxes.append((pile["x"] - 0.1 * pile["width"], pile["y"] - 40, pile["x"] + 1.1 * pile["width"], pile["y"] + foot))
    for at, (x, y, right, low) in enumerate(boxes):
        for left, top, end, foot in boxes[at + 1 :]:
            assert right <= left or end <= x or low <= top or foot <= y


sides = st.floats(1, 900, allow_nan=False)


@given(st.lists(st.tuples(sides, sides), max_size=40))
def test_blocks_are_packed_apart_and_above_the_seats(blocks: list[tuple[float, float]]) -> None:
    """Whatever their sizes: all of them within the room and a gap apart, or none where there is no room."""
    foot = 776
    found = _packed([_Block(width, height) for width, height in blocks], foot)
    if found is None:
        assert sum(width * height for width, height in blocks) > 0
        return
    boxes = [(x, y, x + width, y + height) for (x, y), (width, height) in zip(found, blocks, strict=True)]
    assert all(x >= 0 and y >= 0 and right <= 1600 and low <= foot for x, y, right, low in boxes)
    for at, (x, y, right, low) in enumerate(boxes):
        for left, top, end, foot in boxes[at + 1 :]:
            assert right <= left or end <= x or low <= top or foot <= y


@pytest.mark.at_length
def test_a_game_that_no_table_holds_is_a_problem(tmp_path: Path) -> None:
    """Thirty boards, each larger than a table, have no room, however small they are: nothing is written."""
    game = stage(tmp_path)
    text = (game.game / "game.toml").read_text()
    boards = "".join(f'[component.far{n}]\nkind = "board"\ntemplate = "sea"\nsize = "1400mm x 1400mm"\n' for n in range(30))
    game.write("content/tiny/game.toml", text.replace("[layout.start]", boards + "[layout.start]", 1))
    game.write("templates/tiny/far.svg.j2", (game.project.root / "templates/tiny/ground.svg.j2").read_text())

    left = run("export", "virtualtabletop", "tiny", at=tmp_path)

    assert left.code == 1 and "have no room on the table" in left.err
    assert not (tmp_path / "output").exists()
