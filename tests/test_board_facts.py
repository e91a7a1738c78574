"""Boards, tiles and start layouts hold what the games' rules ask of them, read here without any of pnp's own code.

The numbers and names are those of the fact sheets of the five games: what a sheet calls fixed stands here as a
constant, and what it asks to be proved is computed from the shipped maps and tables.
"""

from __future__ import annotations

import csv
import tomllib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import product
from pathlib import Path

import pytest

CONTENT = Path(__file__).resolve().parent.parent / "content"
PROWL = "pirates-on-the-prowl"
PENGUINS = "penguin-pirates"
NIGHT = "penguins-night-out"
PUZZLE = "passing-puzzle"

Cell = tuple[int, int]
SIDES: list[Cell] = [(1, 0), (0, 1), (-1, 0), (0, -1)]
AROUND: list[Cell] = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if (dx, dy) != (0, 0)]
HEX_SIDES: list[Cell] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
CARD = (63.0, 88.0)  # mm: the size of the cards in the games with piles on the board

# Fact sheet of Pirates on the Prowl: trade towns, islands, captains, and the pairs merged on the small board.
TOWNS = {"tortuga", "nassau", "campeche", "port-royal", "clew-bay", "tripoli", "saint-mary", "cape-farina"}
ISLANDS = {
    *("bora-bora", "hong-kong", "perdida", "bonita", "del-diablo", "prohibida"),
    *("bikini", "hay-tac", "ocracoke", "chicken"),
}
CAPTAINS = {
    *("black-betty", "blue-blake", "green-greg", "pink-patty"),
    *("purple-percy", "red-rita", "yellow-jeremy", "white-wilma"),
}
SMALL_HOMES = {"black-betty", "yellow-jeremy", "green-greg", "red-rita"}
TOWN_PAIRS = {"tortuga nassau", "clew-bay tripoli", "port-royal campeche", "cape-farina saint-mary"}
ISLAND_PAIRS = {
    *("perdida bonita", "bora-bora hong-kong", "bikini ocracoke"),
    *("hay-tac chicken", "del-diablo prohibida"),
}


def rows(game: str, table: str) -> list[dict[str, str]]:
    """The rows of a table."""
    with (CONTENT / game / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def squares(game: str, board: str) -> Mapping[Cell, str]:
    """The letter of each square of a board's map."""
    lines = (CONTENT / game / f"{board}.txt").read_text(encoding="utf-8").splitlines()
    return {(x, y): letter for y, line in enumerate(lines) for x, letter in enumerate(line)}


def size(cells: Iterable[Cell]) -> tuple[int, int]:
    """Width and height of the rectangle around squares."""
    xs, ys = zip(*cells, strict=True)
    return max(xs) - min(xs) + 1, max(ys) - min(ys) + 1


def flood(start: Cell, inside: Callable[[Cell], bool], steps: list[Cell]) -> set[Cell]:
    """All cells joined to the first one by steps that stay inside."""
    seen, queue = {start}, [start]
    while queue:
        x, y = queue.pop()
        new = {(x + dx, y + dy) for dx, dy in steps} - seen
        new = {cell for cell in new if inside(cell)}
        seen |= new
        queue += new
    return seen


def parts(cells: Iterable[Cell], steps: list[Cell] = SIDES) -> list[set[Cell]]:
    """The connected parts of a set of cells."""
    left, found = set(cells), []
    while left:
        part = flood(min(left), left.__contains__, steps)
        left -= part
        found.append(part)
    return found


def holds_a_card(cells: Iterable[Cell], game: str, board: str) -> bool:
    """Whether squares are one full rectangle on which a card lies, upright or across."""
    cells = set(cells)
    game_file = tomllib.loads((CONTENT / game / "game.toml").read_text(encoding="utf-8"))
    cell = float(game_file["component"][board]["cell"].removesuffix("mm"))
    width, height = size(cells)
    sides = sorted((width * cell, height * cell))
    return len(cells) == width * height and sides[0] >= CARD[0] and sides[1] >= CARD[1]


# --- Pirates on the Prowl ---------------------------------------------------------------------------------------------

ARROWS: dict[str, Cell] = {">": (1, 0), "<": (-1, 0), "^": (0, -1), "v": (0, 1)}
PROWL_BOARDS = {"board-large": (20, 30), "board-small": (16, 22)}
both_seas = pytest.mark.parametrize("board", PROWL_BOARDS)


@cache
def legend(game: str, board: str) -> Mapping[str, Mapping[str, str]]:
    """The legend's row of each letter."""
    table = rows(game, f"{board}-legend")
    assert len({row["letter"] for row in table}) == len(table)
    return {row["letter"]: row for row in table}


def places_of(board: str, kind: str) -> dict[str, str]:
    """Ids in the legend's column ``place`` with their letters, for one kind."""
    return {row["place"]: letter for letter, row in legend(PROWL, board).items() if row["kind"] == kind}


def cells_of(game: str, board: str, letter: str) -> set[Cell]:
    """The squares with a letter."""
    return {cell for cell, here in squares(game, board).items() if here == letter}


@cache
def currents(board: str) -> tuple[frozenset[Cell], ...]:
    """The current fields: straight runs of one arrow along its own direction."""
    runs = []
    for arrow, (dx, dy) in ARROWS.items():
        runs += [frozenset(run) for run in parts(cells_of(PROWL, board, arrow), [(dx, dy), (-dx, -dy)])]
    return tuple(runs)


@cache
def bridges(board: str) -> Mapping[str, frozenset[Cell]]:
    """The bridge fields by the edge of the board each lies on."""
    width, height = PROWL_BOARDS[board]
    found: dict[str, frozenset[Cell]] = {}
    for part in parts(cells_of(PROWL, board, "=")):
        edges = [
            *["west"] * all(x == 0 for x, _ in part),
            *["east"] * all(x == width - 1 for x, _ in part),
            *["north"] * all(y == 0 for _, y in part),
            *["south"] * all(y == height - 1 for _, y in part),
        ]
        assert len(edges) == 1
        assert edges[0] not in found
        found[edges[0]] = frozenset(part)
    return found


class Sea:
    """The steps of a ship between the fields of a board: a lone sea square, a current, a bridge, a place."""

    OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}  # noqa: RUF012
    BLUE = ("sea", "current")
    ENDS_THE_MOVE = ("town", "island", "home")

    def __init__(self, board: str, through_davy: bool) -> None:
        self.board = board
        self.kind = {cell: legend(PROWL, board)[letter]["kind"] for cell, letter in squares(PROWL, board).items()}
        self.field = {
            cell: frozenset({cell})
            for cell, letter in squares(PROWL, board).items()
            if legend(PROWL, board)[letter]["blocked"] != "yes"
        }
        for kind in self.ENDS_THE_MOVE:
            for letter in places_of(board, kind).values():
                self._join(cells_of(PROWL, board, letter))
        for run in (*currents(board), *bridges(board).values()):
            self._join(run)
        if not through_davy:
            for cell in cells_of(PROWL, board, "*"):
                del self.field[cell]

    def _join(self, cells: Iterable[Cell]) -> None:
        made = frozenset(cells)
        self.field |= dict.fromkeys(made, made)

    def kind_of(self, field: frozenset[Cell]) -> str:
        """The kind of thing a field is."""
        return self.kind[min(field)]

    def place(self, letter: str) -> frozenset[Cell]:
        """The field with a letter."""
        return self.field[min(cells_of(PROWL, self.board, letter))]

    def steps(self, field: frozenset[Cell]) -> set[frozenset[Cell]]:
        """The fields that one step leads to."""
        kind = self.kind_of(field)
        if kind == "current":
            dx, dy = ARROWS[squares(PROWL, self.board)[min(field)]]
            x, y = max(field, key=lambda cell: cell[0] * dx + cell[1] * dy)
            near = {(x + dx + side * dy, y + dy + side * dx) for side in (-1, 0, 1)}
            return {self.field[cell] for cell in near if cell in self.field}
        near = {(x + dx, y + dy) for x, y in field for dx, dy in AROUND} - field
        found = {self.field[cell] for cell in near if cell in self.field}
        if kind == "sea":
            return found
        found = {other for other in found if self.kind_of(other) in self.BLUE}
        if kind == "bridge":
            ends = bridges(self.board)
            found |= {ends[self.OPPOSITE[edge]] for edge, bridge in ends.items() if bridge == field}
        return found

    def distances(self, start: frozenset[Cell]) -> dict[frozenset[Cell], int]:
        """The fewest steps to each field that can be reached within one long move."""
        found, queue = {start: 0}, deque([start])
        while queue:
            field = queue.popleft()
            if field != start and self.kind_of(field) in self.ENDS_THE_MOVE:
                continue
            for other in self.steps(field) - found.keys():
                found[other] = found[field] + 1
                queue.append(other)
        return found

    def fields(self, *kinds: str) -> set[frozenset[Cell]]:
        """All fields of some kinds."""
        return {field for field in self.field.values() if self.kind_of(field) in kinds}


both_ways_of_davy = pytest.mark.parametrize("through_davy", [True, False], ids=["davy-away", "davy-at-home"])


@both_seas
def test_a_sea_chart_has_its_size(board: str) -> None:
    """The large board is 20 × 30 squares, the small one 16 × 22, each square with a letter of the legend."""
    width, height = PROWL_BOARDS[board]
    assert set(squares(PROWL, board)) == set(product(range(width), range(height)))
    assert set(squares(PROWL, board).values()) == set(legend(PROWL, board))


def test_the_large_chart_names_every_place() -> None:
    """On the large board are eight towns, ten islands and eight homes, each by itself."""
    assert places_of("board-large", "town").keys() == TOWNS
    assert places_of("board-large", "island").keys() == ISLANDS
    assert places_of("board-large", "home").keys() == CAPTAINS


def test_the_small_chart_has_the_published_pairs() -> None:
    """On the small board towns and islands are merged in pairs, and the four named homes remain."""
    assert places_of("board-small", "town").keys() == TOWN_PAIRS
    assert places_of("board-small", "island").keys() == ISLAND_PAIRS
    assert places_of("board-small", "home").keys() >= SMALL_HOMES


@both_seas
def test_every_place_is_one_field(board: str) -> None:
    """The squares of a town, an island, a home or a stack hang together; towns, islands and homes have several."""
    for letter, row in legend(PROWL, board).items():
        if row["place"] or row["kind"].endswith("-stack"):
            assert len(parts(cells_of(PROWL, board, letter))) == 1, row["name"]
        if row["kind"] in ("town", "island", "home"):
            assert len(cells_of(PROWL, board, letter)) > 1, row["name"]


@both_seas
def test_the_places_of_a_chart_are_those_of_the_tables(board: str) -> None:
    """Each town and island of places.csv is on each board once and the other way round; homes belong to characters."""
    for kind in ("town", "island"):
        on_board = [one for ids in places_of(board, kind) for one in ids.split()]
        in_table = [row["id"] for row in rows(PROWL, "places") if row["kind"] == kind]
        assert sorted(on_board) == sorted(in_table)
    captains = {row["id"]: row["home"] for row in rows(PROWL, "characters")}
    for captain, letter in places_of(board, "home").items():
        assert captains[captain] == legend(PROWL, board)[letter]["name"]


@both_seas
def test_cards_and_charts_name_the_same_places(board: str) -> None:
    """A cargo card sends nobody to a place the board lacks, and every town and island of the board is on some card."""
    id_of = {row["name"]: row["id"] for row in rows(PROWL, "places")}
    for kind, card in (("town", "trade"), ("island", "map")):
        on_cards = {id_of[row["place"]] for row in rows(PROWL, "cargo") if row["kind"] == card and int(row["copies"])}
        assert on_cards == {one for ids in places_of(board, kind) for one in ids.split()}


@both_seas
def test_four_bridges_on_four_edges(board: str) -> None:
    """The world is round: there is one bridge in each edge of the board, two squares for the two ships that may park."""
    assert bridges(board).keys() == {"north", "south", "east", "west"}
    assert {len(bridge) for bridge in bridges(board).values()} == {2}


@both_seas
def test_davy_jones_is_in_the_middle(board: str) -> None:
    """Davy Jones has a single square, one of the four around the middle of the board."""
    width, height = PROWL_BOARDS[board]
    (x, y) = next(iter(cells_of(PROWL, board, places_of(board, "davy")["davy-jones"])))
    assert len(cells_of(PROWL, board, "*")) == 1
    assert x in (width // 2 - 1, width // 2)
    assert y in (height // 2 - 1, height // 2)


@both_seas
@pytest.mark.parametrize("kind", ["cargo-stack", "treasure-stack"])
def test_the_stacks_of_a_sea_chart_hold_a_card(board: str, kind: str) -> None:
    """The cargo and the treasure place are rectangles of at least 63 × 88 mm that no ship enters."""
    letters = [letter for letter, row in legend(PROWL, board).items() if row["kind"] == kind]
    assert len(letters) == 1
    assert holds_a_card(cells_of(PROWL, board, letters[0]), PROWL, board)
    assert legend(PROWL, board)[letters[0]]["blocked"] == "yes"


def test_quarters_share_towns_and_homes() -> None:
    """Each quarter of the large board has two whole towns and two whole homes; Clew Bay and Tripoli lie in Jeremy's."""
    quarter_of: dict[str, set[tuple[bool, bool]]] = {}
    towns, homes = places_of("board-large", "town"), places_of("board-large", "home")
    for place, letter in (towns | homes).items():
        quarter_of[place] = {(x >= 10, y >= 15) for x, y in cells_of(PROWL, "board-large", letter)}
        assert len(quarter_of[place]) == 1, place
    for places in (towns, homes):
        assert sorted(Counter(min(quarter_of[place]) for place in places).values()) == [2, 2, 2, 2]
    assert quarter_of["yellow-jeremy"] == quarter_of["clew-bay"] == quarter_of["tripoli"]


@both_seas
def test_currents_are_two_or_three_squares(board: str) -> None:
    """A current field is a rectangle of two or three squares, and there are some."""
    assert currents(board)
    assert {len(run) for run in currents(board)} <= {2, 3}


@both_seas
@both_ways_of_davy
def test_every_place_is_reached_from_every_home(board: str, through_davy: bool) -> None:
    """Towns, islands, bridges and homes can be reached from each home, though currents lead one way only."""
    sea = Sea(board, through_davy)
    goals = sea.fields("town", "island", "bridge", "home")
    assert len(goals) == (8 + 10 + 4 + 8 if board == "board-large" else 4 + 5 + 4 + len(places_of(board, "home")))
    for home in sea.fields("home"):
        assert goals <= sea.distances(home).keys()


@both_seas
@both_ways_of_davy
def test_no_current_traps_a_ship(board: str, through_davy: bool) -> None:
    """Whoever leaves a current, by any of its ways out, can sail home; and a ship can get into every current."""
    sea = Sea(board, through_davy)
    homes = sea.fields("home")
    for home in homes:
        assert set(currents(board)) <= sea.distances(home).keys()
    for current in currents(board):
        assert sea.steps(current)
        for way_out in sea.steps(current):
            assert homes <= sea.distances(way_out).keys()


@both_seas
@both_ways_of_davy
def test_no_home_has_an_advantage(board: str, through_davy: bool) -> None:
    """The homes' mean distances to the towns and islands differ by at most a tenth."""
    sea = Sea(board, through_davy)
    goals = sea.fields("town", "island")
    steps_from = [sea.distances(home) for home in sea.fields("home")]
    sums = [sum(steps[goal] for goal in goals) for steps in steps_from]
    assert max(sums) * 10 <= min(sums) * 11


# --- Penguin Pirates --------------------------------------------------------------------------------------------------

TILES = {row["id"]: row["back"] for row in rows(PENGUINS, "tiles")}
HEXES = rows(PENGUINS, "hexes")
SLOTS = rows(PENGUINS, "layout")
FLOWER = {(0, 0), *HEX_SIDES}


def tiles_with(**cells: str) -> list[str]:
    """The tile of each hex that has these cells."""
    return [row["tile"] for row in HEXES if all(row[column] == text for column, text in cells.items())]


def slot_hexes(slot: Mapping[str, str]) -> set[Cell]:
    """The hexes a slot covers: a flower looks the same after any sixth of a turn."""
    return {(int(slot["q"]) + q, int(slot["r"]) + r) for q, r in FLOWER}


def test_thirteen_tiles_of_three_backs() -> None:
    """There are 13 tiles, one of each: one blue, and at least four yellow and four red ones."""
    backs = Counter(TILES.values())
    assert [row["copies"] for row in rows(PENGUINS, "tiles")] == ["1"] * 13
    assert len(TILES) == 13 == backs["blue"] + backs["yellow"] + backs["red"]
    assert backs["blue"] == 1
    assert min(backs["yellow"], backs["red"]) >= 4


def test_a_tile_is_a_flower_of_seven_hexes() -> None:
    """All tiles have one shape, so that a shuffle may put any of them on any slot of its colour."""
    shapes: dict[str, list[Cell]] = {tile: [] for tile in TILES}
    for row in HEXES:
        shapes[row["tile"]].append((int(row["q"]), int(row["r"])))
    assert all(sorted(shape) == sorted(FLOWER) for shape in shapes.values())


def test_puerto_rico_is_on_the_blue_tile() -> None:
    """The blue tile has Puerto Rico with its pier, and one whirlwind hex beside it for the ship to face."""
    (blue,) = (tile for tile, back in TILES.items() if back == "blue")
    assert tiles_with(mark="puerto-rico") == [blue]
    (pier,) = ((int(row["q"]), int(row["r"])) for row in HEXES if row["mark"] == "puerto-rico")
    (whirl,) = (
        (int(row["q"]), int(row["r"])) for row in HEXES if row["tile"] == blue and row["special"].startswith("whirlwind")
    )
    assert (whirl[0] - pier[0], whirl[1] - pier[1]) in HEX_SIDES


def test_bob_his_cousin_and_home() -> None:
    """Bob is on one yellow tile, his cousin on one tile that is not Bob's, Antarctica on one red tile."""
    ((bob,), (cousin,), (home,)) = (tiles_with(mark=mark) for mark in ("bob", "cousin", "antarctica"))
    assert (TILES[bob], TILES[home]) == ("yellow", "red")
    assert cousin != bob
    assert TILES[cousin] != "blue"


def test_every_hex_costs_one_to_three_dots() -> None:
    """A hex has one to three dots, each white, yellow or red; all three colours occur."""
    assert {len(row["dots"]) for row in HEXES} == {1, 2, 3}
    assert set("".join(row["dots"] for row in HEXES)) == set("wyr")


def test_every_special_hex_occurs() -> None:
    """Sextant, bucket, fish, kraken and whirlwinds of both directions are on the tiles, and nothing else."""
    specials = {row["special"] for row in HEXES} - {""}
    assert specials == {"sextant", "bucket", "fish", "kraken", "whirlwind-left", "whirlwind-right"}


def test_a_slot_for_every_tile() -> None:
    """The layout has one blue slot, and as many yellow and red ones as there are tiles of that back."""
    pools = Counter(slot["pool"] for slot in SLOTS)
    assert pools == Counter(TILES.values())
    assert pools["blue"] == 1


def test_tiles_are_never_rotated() -> None:
    """The thick end of every tile points the same way: all slots have one turn."""
    assert len({slot["turn"] for slot in SLOTS}) == 1


def test_the_tiles_overlap_nowhere() -> None:
    """13 flowers of seven cover 91 different hexes."""
    assert len(set().union(*map(slot_hexes, SLOTS))) == 91


def test_the_sea_is_one_region_without_holes() -> None:
    """The hexes hang together, and so does all that is not sea: the flood from outside finds every other hex."""
    sea = set().union(*map(slot_hexes, SLOTS))
    assert len(parts(sea, HEX_SIDES)) == 1
    reach_q = range(min(q for q, _ in sea) - 1, max(q for q, _ in sea) + 2)
    reach_r = range(min(r for _, r in sea) - 1, max(r for _, r in sea) + 2)
    around = set(product(reach_q, reach_r)) - sea
    assert flood((reach_q[0], reach_r[0]), around.__contains__, HEX_SIDES) == around


def test_every_tile_can_be_scouted() -> None:
    """From the blue tile, each other one comes to lie beside a tile that is face up already, in some order."""
    hexes = {slot["slot"]: slot_hexes(slot) for slot in SLOTS}
    (blue,) = (slot["slot"] for slot in SLOTS if slot["pool"] == "blue")
    shown, queue = {blue}, [blue]
    while queue:
        edge = {(q + dq, r + dr) for q, r in hexes[queue.pop()] for dq, dr in HEX_SIDES}
        new = {slot for slot in hexes.keys() - shown if edge & hexes[slot]}
        shown |= new
        queue += new
    assert shown == hexes.keys()


# --- Penguin's Night Out ----------------------------------------------------------------------------------------------

DOMINO_WAY: dict[str, Cell] = {"0": (1, 0), "90": (0, 1), "180": (-1, 0), "270": (0, -1)}
# Fact sheet: highest number, tiles, and the tiles without a blank, which two dice can name.
SETS = {"layout-6": (6, 28, 21), "layout-9": (9, 55, 45)}
both_sets = pytest.mark.parametrize("layout", SETS)
Domino = tuple[tuple[Cell, int], tuple[Cell, int]]


def dominoes(layout: str) -> list[Domino]:
    """The two squares of each domino, each with its number."""
    made: list[Domino] = []
    for row in rows(NIGHT, layout):
        x, y = int(row["x"]), int(row["y"])
        dx, dy = DOMINO_WAY[row["turn"]]
        made.append((((x, y), int(row["a"])), ((x + dx, y + dy), int(row["b"]))))
    return made


def covered(tiles: Iterable[Domino]) -> list[Cell]:
    """The squares that dominoes cover."""
    return [cell for domino in tiles for cell, _ in domino]


@both_sets
def test_the_layout_places_the_whole_set(layout: str) -> None:
    """Every unordered pair of numbers lies in the layout once: 28 tiles, or 55."""
    highest, count, _ = SETS[layout]
    pairs = sorted(tuple(sorted((a, b))) for (_, a), (_, b) in dominoes(layout))
    assert pairs == [(a, b) for a in range(highest + 1) for b in range(a, highest + 1)]
    assert len(pairs) == count


@both_sets
def test_each_number_is_on_as_many_squares(layout: str) -> None:
    """In a double-n set each number is on n + 2 squares."""
    highest, _, _ = SETS[layout]
    numbers = Counter(number for domino in dominoes(layout) for _, number in domino)
    assert numbers == dict.fromkeys(range(highest + 1), highest + 2)


@both_sets
def test_dominoes_overlap_nowhere_and_hang_together(layout: str) -> None:
    """Each square of the layout is covered once, and a penguin can walk from any to any other."""
    cells = covered(dominoes(layout))
    assert len(cells) == len(set(cells))
    assert len(parts(cells)) == 1


@both_sets
def test_no_domino_is_a_bridge(layout: str) -> None:
    """Whichever single domino is moved away first, the squares that stay hang together."""
    tiles = dominoes(layout)
    splits = [gone for gone in tiles if len(parts(covered(tile for tile in tiles if tile != gone))) > 1]
    assert splits == []


def test_the_double_nine_layout_is_symmetrical() -> None:
    """The squares covered at the start for three or more are the same seen in a mirror, left to right or top to bottom."""
    cells = set(covered(dominoes("layout-9")))
    width, height = size(cells)
    left, top = (min(axis) for axis in zip(*cells, strict=True))
    assert cells == {(2 * left + width - 1 - x, y) for x, y in cells}
    assert cells == {(x, 2 * top + height - 1 - y) for x, y in cells}


@both_sets
def test_there_are_nests_that_dice_can_name(layout: str) -> None:
    """Tiles without a blank are 21 of 28 and 45 of 55: most of the set, and more than the six players need."""
    _, count, expected = SETS[layout]
    nests = [domino for domino in dominoes(layout) if all(number for _, number in domino)]
    assert len(nests) == expected
    assert 6 <= expected > count / 2


# --- Penguin Pals' Passing Puzzle -------------------------------------------------------------------------------------

ICE_BOARDS = {"board-2": 2, "board-4": 4}  # players
both_ices = pytest.mark.parametrize("board", ICE_BOARDS)


def ice(board: str) -> set[Cell]:
    """The spaces of a board."""
    return cells_of(PUZZLE, board, "o")


def shores(board: str) -> dict[str, set[Cell]]:
    """The squares of each shore by its name."""
    found = {row["name"]: cells_of(PUZZLE, board, row["letter"]) for row in legend(PUZZLE, board).values()}
    return {row["name"]: found[row["name"]] for row in legend(PUZZLE, board).values() if row["kind"] == "shore"}


@both_ices
def test_a_board_of_ice_is_five_to_seven_spaces_wide(board: str) -> None:
    """The spaces are a full rectangle of 5 × 5 to 7 × 7, square on the board for four."""
    width, height = size(ice(board))
    assert len(ice(board)) == width * height
    assert {width, height} <= {5, 6, 7}
    assert width == height or board == "board-2"


@both_ices
def test_an_ice_block_for_every_space(board: str) -> None:
    """There are as many ice blocks as the board has spaces, and none to spare on the large one: one set serves both."""
    settings = tomllib.loads((CONTENT / PUZZLE / "game.toml").read_text(encoding="utf-8"))
    copies = settings["component"]["ice"]["copies"]
    assert copies == len(ice(board)) if board == "board-4" else copies > len(ice(board)) > 0


@both_ices
def test_every_shore_faces_another(board: str) -> None:
    """There is one shore a player, along a whole side of the ice, and another player's lies along the opposite side."""
    sides: dict[str, Cell] = {}
    for name, shore in shores(board).items():
        (side,) = ((dx, dy) for dx, dy in SIDES if any((x - dx, y - dy) in ice(board) for x, y in shore))
        beyond = {(x + side[0], y + side[1]) for x, y in ice(board)} - ice(board)
        assert shore == beyond, name
        sides[name] = side
    assert len(sides) == len(set(sides.values())) == ICE_BOARDS[board]
    assert {(-dx, -dy) for dx, dy in sides.values()} == set(sides.values())


@both_ices
def test_every_space_is_reached_from_every_shore(board: str) -> None:
    """While all the ice lies, a penguin walks from each shore to each space."""
    for shore in shores(board).values():
        first = [(x + dx, y + dy) for x, y in shore for dx, dy in SIDES if (x + dx, y + dy) in ice(board)]
        assert flood(first[0], ice(board).__contains__, SIDES) == ice(board)


@both_ices
def test_the_piles_of_an_ice_board_hold_a_card(board: str) -> None:
    """The draw and the discard place are rectangles of at least 63 × 88 mm that share no square."""
    piles = {row["kind"]: cells_of(PUZZLE, board, row["letter"]) for row in legend(PUZZLE, board).values()}
    assert holds_a_card(piles["draw"], PUZZLE, board)
    assert holds_a_card(piles["discard"], PUZZLE, board)
    assert not piles["draw"] & piles["discard"]
