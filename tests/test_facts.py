"""Facts of the source documents that no rules.toml holds: what the designer published, and what the books' examples show."""

from __future__ import annotations

import ast
import csv
import re
import tomllib
from collections import Counter
from itertools import pairwise

from conftest import PROWL, ROOT, read_whole

from pnp.check.movement import distances, steps
from pnp.read.project import Project

FOLDER = ROOT / "content" / PROWL
GOODS = ["Silk", "Sugar", "Olive Oil", "Tobacco", "Coffee", "Tea", "Rum", "Gunpowder", "Sandalwood", "Spices"]
TOWNS = ["Tortuga", "Nassau", "Campeche", "Port Royal", "Clew Bay", "Tripoli", "Saint Mary", "Cape Farina"]
ISLANDS = [
    *("Bora Bora Island", "Hong Kong Island", "Isla Perdida", "Isla Bonita", "Isla Del Diablo", "Isla Prohibida"),
    *("Bikini Island", "Hay Tac Island", "Ocracoke Island", "Chicken Island"),
]
HOMES = {"Black Betty": "Beach", "Blue Blake": "Barrack", "Green Greg": "Grange", "Purple Percy": "Port"}
HOMES |= {"Red Rita": "Refuge", "Yellow Jeremy": "Joint", "Davy Jones": "grey square"}
# What a trade asks for besides its cargo, what it pays, and how many of the forty do.
TRADES = {("", "Bronze Cannon"): 4, ("", "Silver Statue"): 4, ("", "Gold Medal"): 4}
TRADES |= {("Bronze Cannon", "Silver Statue"): 4, ("Bronze Cannon", "Gold Medal"): 4, ("Silver Statue", "Gold Medal"): 4}
TRADES |= {("Silver Statue", "Ruby Ring"): 8, ("Silver Statue", "Diamond Crown"): 4, ("Gold Medal", "Diamond Crown"): 4}
VOYAGES = {
    "grange_tripoli": ("green-greg", "tripoli"),
    "tripoli_bonita": ("tripoli", "bonita"),
    "joint_tortuga": ("yellow-jeremy", "tortuga"),
    "tortuga_joint": ("tortuga", "yellow-jeremy"),
    "beach_nassau": ("black-betty", "nassau"),
}


def rows(game: str, table: str) -> list[dict[str, str]]:
    with (ROOT / "content" / game / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def cards(kind: str) -> list[dict[str, str]]:
    """The cargo cards of a kind: a row with two copies is two of them."""
    return [row for row in rows(PROWL, "cargo") if row["kind"] == kind for _ in range(int(row["copies"]))]


def test_names_are_those_of_the_source() -> None:
    places = {kind: [row["name"] for row in rows(PROWL, "places") if row["kind"] == kind] for kind in ("town", "island")}
    homes = {row["name"]: row["home"] for row in rows(PROWL, "characters")}

    assert [row["name"] for row in rows(PROWL, "goods")] == GOODS
    assert places == {"town": TOWNS, "island": ISLANDS}
    assert all(homes[name].endswith(home) for name, home in HOMES.items())
    assert homes.keys() - HOMES.keys() == {"Pink Patty", "White Wilma"}


def test_cards_pay_what_was_published() -> None:
    """No town trades the same good twice; two islands hide two cannons, every other one a cannon and a statue."""
    trades, maps = cards("trade"), cards("map")
    hidden = {island: ["Bronze Cannon", "Silver Statue"] for island in ISLANDS}
    hidden |= dict.fromkeys(("Bora Bora Island", "Hong Kong Island"), ["Bronze Cannon"] * 2)

    assert Counter((card["also"], card["reward"]) for card in trades) == TRADES
    assert len({(card["cargo"], card["place"]) for card in trades}) == 40
    assert Counter((card["place"], card["reward"]) for card in maps) == Counter(
        (island, reward) for island, rewards in hidden.items() for reward in rewards
    )


def test_the_designer_is_credited() -> None:
    """His name, version, terms and request are in the pack, and every font has its licence beside it."""
    about = tomllib.loads((FOLDER / "game.toml").read_text(encoding="utf-8"))["game"]
    fonts = {path.stem.partition("-")[0].lower() for path in (FOLDER / "fonts").glob("*.[ot]tf")}
    licences = {path.stem.removeprefix("OFL-").replace("-", ""): path for path in (FOLDER / "fonts").glob("OFL-*.txt")}

    assert (about["designer"], about["version"], about["players"]) == ("Ronaldo Siète", "2.01", "2-8")
    assert "charity" in about["note"] and "Doctors Without Borders" in about["note"]
    assert "not to be sold" in about["licence"] and "Editorial Perdido" in about["source"]
    assert fonts == set(licences) != set()
    assert all(
        "sil open font license, version 1.1" in path.read_text(encoding="utf-8").lower() for path in licences.values()
    )


def test_the_voyages_of_the_examples_are_as_long_as_they_say() -> None:
    """Steps between places of the large chart are those of [numbers] that the rulebook's examples use."""
    game = read_whole(Project(ROOT), PROWL)
    (movement,) = (one for one in game.rules.movements if one.name == "board-large")
    (board,) = (one.board for one in game.components if one.name == "board-large")
    assert board is not None
    graph = steps(board, movement, movement.occupied)
    at = {node.row.text("place"): index for index, node in enumerate(graph.nodes) if node.row.text("place")}
    numbers = tomllib.loads((FOLDER / "rules.toml").read_text(encoding="utf-8"))["numbers"]

    def length(start: str, end: str) -> int:
        return distances(graph.ways, at[start], lambda here: graph.nodes[here].kind in movement.ends, graph.over)[at[end]]

    assert {name: numbers[name] for name in VOYAGES} == {name: length(*ends) for name, ends in VOYAGES.items()}
    # In two voyages of six and five steps Jeremy comes from Tortuga to Nassau, but not in one.
    assert 6 < length("tortuga", "nassau") <= 6 + 5


def test_every_penguin_of_the_finished_iceberg_stands_on_two_and_matches_one() -> None:
    """The rulebook's picture shows all penguins there are, each in its place by the rules."""
    book = (ROOT / "content" / "penguin" / "rulebook.md").read_text(encoding="utf-8")
    whole = re.search(r"\{% set berg = (\[.+?\]) %\}", book, re.DOTALL)
    assert whole is not None
    berg: list[list[str]] = ast.literal_eval(whole[1].replace(",\n]", "\n]"))
    colour = [[name.partition("-")[0] for name in line] for line in berg]

    assert [len(line) for line in berg] == [8, 7, 6, 5, 4, 3, 2, 1]
    assert Counter(name for line in berg for name in line) == {
        row["id"]: int(row["copies"]) for row in rows("penguin", "penguins")
    }
    for below, line in pairwise(colour):
        assert all(who in below[at : at + 2] for at, who in enumerate(line))
