"""``pnp export virtualtabletop`` and ``playingcards``: files as the open loader of virtualtabletop reads them.

What is held here is what its server/fileloader.mjs and server/pcioimport.mjs ask for; neither program was opened.
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
from stage import stage
from test_tabletop_simulator import RULES

from pnp.exports.virtualtabletop import _Block, _packed

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
        labels = [widget for widget in widgets.values() if widget.get("type") == "label"]
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


def room(game: TinyProject) -> list[Widget]:
    return list(json.loads(packed(game, "playingcards", ".pcio").read("widgets.json")))


def test_a_room_of_playingcards_has_all_pieces_as_cards_and_boards(made: TinyProject) -> None:
    """Cards by the field of their types, boards by their ids; each asks for pictures that are there, below 2 MiB."""
    archive, widgets = packed(made, "playingcards", ".pcio"), room(made)
    decks = {widget["id"]: widget for widget in widgets if widget["type"] == "cardDeck"}
    found = Counter(decks[w["deck"]]["cardTypes"][w["cardType"]]["piece"] for w in widgets if w["type"] == "card")
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
