"""Pirates on the Prowl holds what its designer published, read here without any of pnp's own code.

The numbers are those of the fact sheet of the game's version 2.01: what it says of the cards in words,
and what its list of sixty cargo cards comes to when it is counted by hand.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from test_board_facts import Sea, places_of

FOLDER = Path(__file__).resolve().parent.parent / "content" / "pirates-on-the-prowl"

GOODS = ["Silk", "Sugar", "Olive Oil", "Tobacco", "Coffee", "Tea", "Rum", "Gunpowder", "Sandalwood", "Spices"]
TOWNS = ["Tortuga", "Nassau", "Campeche", "Port Royal", "Clew Bay", "Tripoli", "Saint Mary", "Cape Farina"]
ISLANDS = [
    *("Bora Bora Island", "Hong Kong Island", "Isla Perdida", "Isla Bonita", "Isla Del Diablo", "Isla Prohibida"),
    *("Bikini Island", "Hay Tac Island", "Ocracoke Island", "Chicken Island"),
]


def rows(table: str) -> list[dict[str, str]]:
    """The rows of a table."""
    with (FOLDER / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def cards(table: str) -> list[dict[str, str]]:
    """The cards of a table: a row with three copies is three of them."""
    return [row for row in rows(table) for _ in range(int(row["copies"]))]


TRADES = [card for card in cards("cargo") if card["kind"] == "trade"]
MAPS = [card for card in cards("cargo") if card["kind"] == "map"]


def test_sixty_cargo_cards() -> None:
    """There are 40 trades and 20 treasure maps, and no other kind."""
    assert (len(TRADES), len(MAPS), len(cards("cargo"))) == (40, 20, 60)


def test_each_good_is_on_four_cards() -> None:
    """Ten goods, four trades each; no town has the same good twice."""
    assert Counter(card["cargo"] for card in TRADES) == dict.fromkeys(GOODS, 4)
    assert len({(card["cargo"], card["place"]) for card in TRADES}) == 40


def test_each_town_is_on_five_cards() -> None:
    """Eight trade towns, five trades each."""
    assert Counter(card["place"] for card in TRADES) == dict.fromkeys(TOWNS, 5)


def test_each_island_is_on_two_maps() -> None:
    """Ten islands, two maps each, and a map asks for no cargo."""
    assert Counter(card["place"] for card in MAPS) == dict.fromkeys(ISLANDS, 2)
    assert all(card["cargo"] == "" and card["also"] == "" for card in MAPS)


def test_trades_pay_what_was_published() -> None:
    """What a trade asks for besides its cargo, and what it pays for it, in numbers of cards."""
    assert Counter((card["also"], card["reward"]) for card in TRADES) == {
        ("", "Bronze Cannon"): 4,
        ("", "Silver Statue"): 4,
        ("", "Gold Medal"): 4,
        ("Bronze Cannon", "Silver Statue"): 4,
        ("Bronze Cannon", "Gold Medal"): 4,
        ("Silver Statue", "Gold Medal"): 4,
        ("Silver Statue", "Ruby Ring"): 8,
        ("Silver Statue", "Diamond Crown"): 4,
        ("Gold Medal", "Diamond Crown"): 4,
    }


def test_rewards_by_kind() -> None:
    """The rewards of all sixty cards, counted by kind of treasure."""
    assert Counter(card["reward"] for card in cards("cargo")) == {
        "Bronze Cannon": 16,
        "Silver Statue": 16,
        "Gold Medal": 12,
        "Ruby Ring": 8,
        "Diamond Crown": 8,
    }


def test_maps_lead_to_cannons_and_statues() -> None:
    """Bora Bora and Hong Kong hide two cannons each, every other island a cannon and a statue."""
    twice = {"Bora Bora Island", "Hong Kong Island"}

    assert Counter((card["place"], card["reward"]) for card in MAPS) == Counter(
        (island, reward)
        for island in ISLANDS
        for reward in ("Bronze Cannon", "Bronze Cannon" if island in twice else "Silver Statue")
    )


def test_every_trade_is_worth_its_cargo() -> None:
    """Whatever a trade asks for, it pays more than it takes."""
    worth = {row["name"]: int(row["value"]) for row in rows("tickets")} | {"": 0}

    assert all(worth[card["reward"]] > worth[card["also"]] for card in TRADES)


def test_tickets_and_their_values() -> None:
    """24 bronze cannons and 36 treasures with the published values in doubloons."""
    assert {row["name"]: (row["deck"], int(row["value"]), int(row["copies"])) for row in rows("tickets")} == {
        "Bronze Cannon": ("cannon", 1000, 24),
        "Silver Statue": ("treasure", 2000, 12),
        "Gold Medal": ("treasure", 3000, 8),
        "Ruby Ring": ("treasure", 4000, 8),
        "Diamond Crown": ("treasure", 5000, 8),
    }


@pytest.mark.parametrize("players", range(2, 9))
def test_the_tickets_are_enough_for_everybody(players: int) -> None:
    """Set-up takes a crown, a ring, a medal and 3 cannons a player and 3 statues for two; at 8 players all of them."""
    have = {row["id"]: int(row["copies"]) for row in rows("tickets")}
    need = {
        "diamond-crown": players,
        "ruby-ring": players,
        "gold-medal": players,
        "bronze-cannon": 3 * players,
        "silver-statue": 3 * players // 2,
    }

    assert all(need[name] <= have[name] for name in have)
    assert (need == have) == (players == 8)


def test_bad_luck() -> None:
    """Twelve cards of bad luck in five kinds."""
    assert {row["id"]: int(row["copies"]) for row in rows("bad-luck")} == {
        "storm": 3,
        "fire": 3,
        "shipwreck": 2,
        "mutiny": 3,
        "kraken": 1,
    }


def test_captains_and_their_homes() -> None:
    """Eight captains and Davy Jones, two copies each; six homes are named in the source, two were left open."""
    homes = {row["name"]: row["home"] for row in rows("characters")}

    assert {row["name"]: int(row["copies"]) for row in rows("characters")} == dict.fromkeys(homes, 2)
    assert len(homes) == 9 and len(set(homes.values())) == 9
    for name, words in {
        "Black Betty": "Beach",
        "Blue Blake": "Barrack",
        "Green Greg": "Grange",
        "Purple Percy": "Port",
        "Red Rita": "Refuge",
        "Yellow Jeremy": "Joint",
        "Davy Jones": "grey square",
    }.items():
        assert homes[name].endswith(words)
    assert {"Pink Patty", "White Wilma"} < set(homes)


def test_the_tables_of_names_are_those_of_the_cards() -> None:
    """Goods, towns and islands are listed once each, and none that no card names."""
    assert [row["name"] for row in rows("goods")] == GOODS
    assert [row["name"] for row in rows("places") if row["kind"] == "town"] == TOWNS
    assert [row["name"] for row in rows("places") if row["kind"] == "island"] == ISLANDS
    assert len(rows("places")) == 18


def test_every_thing_has_a_drawing() -> None:
    """Each town, island, good, captain, bad luck and ticket has an SVG of its id."""
    folders = {"town": "towns", "island": "islands"}
    wanted = [f"{folders[row['kind']]}/{row['id']}" for row in rows("places")]
    wanted += [f"goods/{row['id']}" for row in rows("goods")]
    wanted += [f"{folder}/{row['id']}" for row in rows("characters") for folder in ("characters", "emblems")]
    wanted += [f"bad-luck/{row['id']}" for row in rows("bad-luck")]
    wanted += [f"rewards/{row['id']}" for row in rows("tickets")]

    assert [name for name in wanted if not (FOLDER / "art" / f"{name}.svg").is_file()] == []


@pytest.mark.parametrize("file", [*sorted(FOLDER.glob("*.csv")), FOLDER / "game.toml"], ids=lambda file: file.name)
def test_doubloons_are_spelt_one_way(file: Path) -> None:
    """The source says doublons too; here the word is doubloons wherever it stands."""
    assert set(re.findall(r"\bd\w*bl\w*ns?\b", file.read_text(encoding="utf-8").lower())) <= {"doubloons"}


def test_the_unit_is_doubloons() -> None:
    """The word that the tickets print beside their value."""
    texts = tomllib.loads((FOLDER / "game.toml").read_text(encoding="utf-8"))["texts"]

    assert texts["value"].split()[-1] == "doubloons"


def test_the_designer_is_credited() -> None:
    """The game stays its designer's: his name, version, terms and request are in the pack."""
    about = tomllib.loads((FOLDER / "game.toml").read_text(encoding="utf-8"))["game"]

    assert (about["designer"], about["version"], about["players"]) == ("Ronaldo Siète", "2.01", "2-8")
    assert "charity" in about["note"] and "not to be sold" in about["licence"]
    assert "Editorial Perdido" in about["source"] and "Doctors Without Borders" in about["note"]


def test_the_voyages_of_the_examples_are_as_long_as_they_say() -> None:
    """Steps between places of the large chart, walked here, are those of [numbers] that the rulebook's examples use."""
    numbers = tomllib.loads((FOLDER / "rules.toml").read_text(encoding="utf-8"))["numbers"]
    letters = {
        place: letter for kind in ("town", "island", "home") for place, letter in places_of("board-large", kind).items()
    }
    sea = Sea("board-large", through_davy=False)

    def steps(start: str, end: str) -> int:
        return sea.distances(sea.place(letters[start]))[sea.place(letters[end])]

    assert numbers["grange_tripoli"] == steps("green-greg", "tripoli")
    assert numbers["tripoli_bonita"] == steps("tripoli", "bonita")
    assert numbers["joint_tortuga"] == steps("yellow-jeremy", "tortuga")
    assert numbers["tortuga_joint"] == steps("tortuga", "yellow-jeremy")
    assert numbers["beach_nassau"] == steps("black-betty", "nassau")
    # In two voyages of six and five steps Jeremy comes from Tortuga to Nassau, but not in one.
    assert 6 < steps("tortuga", "nassau") <= 6 + 5


def test_every_font_has_its_licence_beside_it() -> None:
    """Each font file's family has its OFL text in the folder, naming the font's own copyright."""
    fonts = sorted((FOLDER / "fonts").glob("*.[ot]tf"))
    licences = {path.stem.removeprefix("OFL-").replace("-", ""): path for path in (FOLDER / "fonts").glob("OFL-*.txt")}

    assert fonts
    for font in fonts:
        family = font.stem.partition("-")[0].lower()
        text = licences[family].read_text(encoding="utf-8")
        assert "SIL Open Font License, Version 1.1".lower() in text.lower()
        assert text.startswith("Copyright")
    assert {font.stem.partition("-")[0].lower() for font in fonts} == set(licences)
