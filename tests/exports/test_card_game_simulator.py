"""``pnp export card-game-simulator``: one file that keeps the published rules: decks, backs, boards."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bazaar import bazaar, copies, exported
from PIL import Image

NAME = "The Bazaar- 1-2"
# The rules of the published schemas, as far as this game uses them: the keys that a game may have, each with its type.
ONE_OF = {
    "deckFileTxtId": ("id", "set"),
    "deckFileType": ("dec", "hsd", "lor", "txt", "ydk"),
    "deckSharePreference": ("ask", "share", "individual"),
}
KEYS: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("name", "cardIdIdentifier", "cardPrimaryProperty", "gamePlayDeckName", *ONE_OF), str),
    **dict.fromkeys(("cardProperties", "extras", "gameBoardCards", "gamePlayDeckPositions", "gameStartDecks"), list),
    "autoUpdate": int,
    "cardNameIsUnique": bool,
    "cardSize": dict,
    "playMatSize": dict,
}
INSIDE = {
    "cardProperties": {"name", "type", "display"},
    "extras": {"group", "property", "value"},
    "gameBoardCards": {"card", "boards"},
    "gamePlayDeckPositions": {"x", "y"},
    "gameStartDecks": {"name"},
}
TAKEN = ("wares", "notes", "coins", "chips", "tiles", "sea", "post")

Rules = dict[str, Any]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bazaar(tmp_path_factory.mktemp("simulator"))


@pytest.fixture(scope="module")
def outside(project: Path) -> dict[str, bytes]:
    return exported(project, "card-game-simulator")


@pytest.fixture(scope="module")
def files(outside: dict[str, bytes]) -> dict[str, bytes]:
    """What is in the zip, below the one folder there."""
    with zipfile.ZipFile(io.BytesIO(outside[f"{NAME}.cgs.zip"])) as packed:
        assert packed.testzip() is None and {name.split("/")[0] for name in packed.namelist()} == {NAME}
        return {name.removeprefix(f"{NAME}/"): packed.read(name) for name in packed.namelist()}


@pytest.fixture(scope="module")
def rules(files: dict[str, bytes]) -> Rules:
    return dict(json.loads(files["cgs.json"]))


@pytest.fixture(scope="module")
def cards(files: dict[str, bytes]) -> dict[str, Rules]:
    """By id."""
    found = json.loads(files["AllCards.json"])
    assert len({card["id"] for card in found}) == len(found)
    return {card["id"]: card for card in found}


def deck(files: dict[str, bytes], cards: dict[str, Rules], name: str) -> Counter[str]:
    """How often each piece is in a deck, by the documented lines: how many, then the id in brackets."""
    found: Counter[str] = Counter()
    for line in files[f"decks/{name}.txt"].decode().splitlines():
        if line and not line.startswith("#"):
            matched = re.fullmatch(r"(\d+) \[([^ \]]+)\]", line)
            assert matched, line
            found[cards[matched[2]]["piece"].removeprefix("tiny/")] += int(matched[1])
    return found


def picture(files: dict[str, bytes], name: str) -> Image.Image:
    return Image.open(io.BytesIO(files[name])).convert("RGBA")


def wrong(rules: Rules) -> list[str]:
    """What of a game's definition is against the rules."""
    found = [key for key in rules if key not in KEYS or not isinstance(rules[key], KEYS[key])]
    found += [key for key, allowed in ONE_OF.items() if rules[key] not in allowed]
    found += [key for key, inside in INSIDE.items() for entry in rules[key] if not set(entry) <= inside]
    properties = {entry["name"] for entry in rules["cardProperties"]}
    found += [entry["property"] for entry in rules["extras"] if entry["property"] not in properties]
    for size in (rules["cardSize"], rules["playMatSize"], *rules["gamePlayDeckPositions"]):
        found += (
            [str(size)]
            if set(size) != {"x", "y"} or not all(isinstance(side, int | float) for side in size.values())
            else []
        )
    for entry in rules["gameBoardCards"]:
        found += [str(board) for board in entry["boards"] if set(board) != {"id", "offsetMin", "size"}]
    return found + ([] if rules.get("name") else ["name"])


def test_the_definition_keeps_the_published_rules(rules: Rules) -> None:
    """No key that the program does not know, each of its type; and it never looks for a newer game."""
    assert wrong(rules) == []
    assert rules["name"] == "The Bazaar: 1/2" and rules["autoUpdate"] < 0
    assert wrong({**rules, "copies": 1}) and wrong({**rules, "deckFileType": "csv"}), "the checker sees what is wrong"
    assert wrong({**rules, "extras": [{"group": "x", "property": "nothing", "value": "x"}]})


def test_every_card_has_its_picture_and_its_set(files: dict[str, bytes], cards: dict[str, Rules], rules: Rules) -> None:
    """Where the program looks for it; all pictures have the shape of a card of the game."""
    sets = {entry["code"] for entry in json.loads(files["AllSets.json"])}
    ratio = rules["cardSize"]["x"] / rules["cardSize"]["y"]
    assert {f"sets/{card['set']}/{card['id']}.png" for card in cards.values()} == {n for n in files if n.startswith("sets/")}
    assert {card["set"] for card in cards.values()} == sets
    for name in files:
        if name.startswith(("sets/", "backs/", "CardBack")):
            width, height = picture(files, name).size
            assert width / height == pytest.approx(ratio, rel=0.01)
    assert all(set('\\/:*?"<>| ').isdisjoint(card["id"]) for card in cards.values())


def test_cards_have_their_backs(files: dict[str, bytes], cards: dict[str, Rules]) -> None:
    """Each back is a picture of its own; what has none has the plain back of the game."""
    backs = {card["piece"].removeprefix("tiny/"): card["backs"] for card in cards.values()}
    assert backs["wares/silk"] == backs["wares/con"] != backs["wares/ore"] == backs["wares/Ähre"]
    for piece, colour in (("wares/silk", (16, 16, 16, 255)), ("wares/ore", (240, 240, 0, 255))):
        back = picture(files, f"backs/{backs[piece][0]}.png")
        assert back.getpixel((back.width // 2, back.height // 2)) == colour
    assert backs["chips/red"] == backs["notes/post"] == [""] and "CardBack.png" in files


def test_decks_have_every_copy(project: Path, files: dict[str, bytes], cards: dict[str, Rules], rules: Rules) -> None:
    """The whole box, but of two forms of the same pieces only one; each part alone; what a set-up takes."""
    assert deck(files, cards, "Everything") == copies(project, *TAKEN)
    assert rules["gameStartDecks"] == [{"name": "Everything"}]
    assert deck(files, cards, "Flat post") == copies(project, "flat")
    taken = deck(files, cards, "3 players")
    assert taken == Counter({"coins/red": 6}) + copies(project, "wares"), "wares are drawn from all there are"
    assert deck(files, cards, "2 players")["coins/red"] == 4
    assert cards["wares-silk"]["copies"] == 3


def test_each_stack_has_a_place(cards: dict[str, Rules], rules: Rules) -> None:
    """One for the deck and one for each stack beside it, so that they are used; no two overlap, all are on the table."""
    groups = {card["part"] for card in cards.values()}
    apart = {entry["value"] for entry in rules["extras"]}
    assert apart == {entry["group"] for entry in rules["extras"]} and apart < groups
    assert "Wares (1)" in groups and "Wares (2)" in groups
    places = [(place["x"], place["y"]) for place in rules["gamePlayDeckPositions"]]
    assert len(places) == 1 + len(apart)
    wide, high = rules["cardSize"]["x"], rules["cardSize"]["y"]
    for at, (x, y) in enumerate(places):
        assert all(abs(x - u) >= wide or abs(y - v) >= high for u, v in places[:at])
        assert abs(x) + wide / 2 <= rules["playMatSize"]["x"] / 2 and abs(y) + high / 2 <= rules["playMatSize"]["y"] / 2


def test_the_largest_stack_of_cards_is_shuffled(
    project: Path, files: dict[str, bytes], cards: dict[str, Rules], rules: Rules
) -> None:
    """The program (PlayController.LoadDeck) shuffles what no group of extras takes, and calls it by gamePlayDeckName."""
    apart = {entry["value"] for entry in rules["extras"]}
    loaded = deck(files, cards, "Everything")
    shuffled = Counter(
        {piece: loaded[piece] for card in cards.values() if card["part"] not in apart and (piece := name(card))}
    )

    # Four of one back, four of the other; of two alike the first. There are more coins, but coins are not drawn.
    assert shuffled == Counter({"wares/silk": 3, "wares/con": 1}) and rules["gamePlayDeckName"] == "Wares (1)"
    readme = (project / "output/tiny/export/card-game-simulator/README.txt").read_text()
    assert "The program shuffles one stack" in readme


def name(card: Rules) -> str:
    return str(card["piece"]).removeprefix("tiny/")


def test_boards_lie_in_the_middle_above_the_stacks(files: dict[str, bytes], cards: dict[str, Rules], rules: Rules) -> None:
    """True to size in inches, from their lower left corner, each called by a card that is in the deck."""
    (entry,) = rules["gameBoardCards"]
    (board,) = entry["boards"]
    assert cards[entry["card"]]["piece"] == "tiny/sea/sea" and f"boards/{board['id']}.png" in files
    side = 80 / 25.4
    assert board["size"] == {"x": pytest.approx(side, abs=0.001), "y": pytest.approx(side, abs=0.001)}
    assert board["offsetMin"] == {"x": pytest.approx(-side / 2, abs=0.001), "y": pytest.approx(-side / 2, abs=0.001)}
    assert all(place["y"] + rules["cardSize"]["y"] / 2 < board["offsetMin"]["y"] for place in rules["gamePlayDeckPositions"])
