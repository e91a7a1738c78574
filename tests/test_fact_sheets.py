"""Every pack holds what its game's fact sheet says, counted in the printed files themselves.

The numbers are typed from the fact sheets, sentence by sentence, and from nowhere else: neither from tables nor from
``[expect]``. The files are those that a stranger prints, for A4 and for Letter, read with pypdf: a piece is a form that says
its name, and it is there as often as the content of a page draws it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest
from conftest import LONG, PROWL, ROOT, output_at
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ContentStream, NameObject

from pnp.flows.build import build_game
from pnp.read import presets
from pnp.read.project import Project
from pnp.values.outcome import Options

BOTH = ("a4", "letter")
# With PNP_LONG set every pack is counted on both papers, else the largest.
PAPERS = {
    "passing-puzzle": BOTH if LONG else ("letter",),
    "penguin": BOTH if LONG else ("letter",),
    "penguin-pirates": BOTH if LONG else ("a4",),
    "penguins-night-out": BOTH if LONG else ("a4",),
    PROWL: BOTH,
}
GAMES = tuple(PAPERS)
PRINTED = [(game, paper) for game, papers in PAPERS.items() for paper in papers]


@dataclass(frozen=True)
class Pack:
    """What lies on the pages of a printed file: how often each side of each piece is drawn, by component."""

    fronts: dict[str, Counter[str]]
    backs: dict[str, Counter[str]]
    looks: dict[str, dict[str, str]]
    """What the back of each piece is made of: equal for backs that look the same."""

    def count(self, component: str) -> int:
        return sum(self.fronts.get(component, Counter()).values())

    def by(self, component: str, key: Callable[[str], str]) -> Counter[str]:
        """Copies by something that the pieces' ids say."""
        found: Counter[str] = Counter()
        for name, copies in self.fronts[component].items():
            found[key(name)] += copies
        return found

    def same_backs(self, *components: str) -> list[int]:
        """How many copies there are of each different back, fewest first."""
        found: Counter[str] = Counter()
        for component in components:
            for name, copies in self.backs[component].items():
                found[self.looks[component][name]] += copies
        return sorted(found.values())


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory, build_prowl: Callable[[], Path]) -> dict[str, Path]:
    """The folders of all five packs, built for their papers."""
    out = tmp_path_factory.mktemp("packs")
    names = [name for name in GAMES if name != PROWL]
    for name in names:
        options = Options(output_at(out), papers=tuple(map(presets.paper, PAPERS[name])))
        assert [str(problem) for problem in build_game(Project(ROOT), name, options, lambda _: None).problems] == []
    return {**{name: out / name for name in names}, PROWL: build_prowl()}


def drawn_forms(reader: PdfReader | PdfWriter, page: Any) -> Iterable[Any]:
    """The forms that a page's content draws, each as often as it is drawn."""
    forms = page.get("/Resources", {}).get("/XObject", {})
    for operands, operator in ContentStream(page.get_contents(), reader).operations:
        if operator == b"Do":
            yield forms[operands[0]].get_object()


def look_of(form: Any) -> str:
    """What a form draws, and where on itself: layers are stored once a file, so that their numbers tell them apart."""
    layers = form["/Resources"]["/XObject"]
    content = form.get_data().decode()
    assert " Do" in content, f"{form['/PNPPiece']} is empty"
    return re.sub(r"/(L\d+) Do", lambda match: f"{layers.raw_get('/' + match[1]).idnum} Do", content)


def read(reader: PdfReader | PdfWriter) -> Pack:
    """The pieces of a printed file; those on the print plan, on how-to pages and in pictures are named otherwise."""
    pack = Pack({}, {}, {})
    for page in reader.pages:
        for form in drawn_forms(reader, page):
            component, _, name = str(form.get("/PNPPiece", "")).partition("/")
            if not name or component == "pnp":
                continue
            side = {"/Front": pack.fronts, "/Back": pack.backs}[form["/PNPSide"]]
            side.setdefault(component, Counter())[name] += 1
            look = look_of(form)
            if side is pack.backs:
                pack.looks.setdefault(component, {})[name] = look
    return pack


@cache
def pack_in(path: Path) -> Pack:
    return read(PdfReader(path))


# What is printed besides, because the paper form needs it or a table is better with it, and which no fact sheet counts.
BESIDES = {
    "passing-puzzle": {"box", "wrap"},
    "penguin": {"box", "wrap"},
    "penguin-pirates": {"card-box", "wrap"},
    "penguins-night-out": {"summary", "pouch", "wrap"},
    PROWL: {"box-cargo", "box-treasure", "wrap"},
}


def passing_puzzle(pack: Pack, paper: str) -> set[str]:
    """The sheet of Penguin Pals' Passing Puzzle."""
    # "open: 2 players on facing shores, and 4 on the four sides of a square board": a board for each, whole, once.
    for board in ("board-2", "board-4"):
        assert whole_boards(pack, board) == 1
    # "one ice block per space", "board size (5×5 to 7×7)"; this pack: 5 × 6 for two, 7 × 7, a square, for four.
    # One set of them serves either board.
    assert pack.count("ice") == max(5 * 6, 7 * 7)
    # "a team of five penguins per player"; flat, and once more to stand.
    for form in ("penguins", "pawns"):
        assert sorted(pack.fronts[form].values()) == [5] * 4
    # "the deck: at least 30 cards, at least 8 titles including the five above"
    titles = pack.fronts["reactions"]
    assert pack.count("reactions") >= 30
    assert len(titles) >= 8
    assert {"fury", "once-again", "mind-control", "wait-a-sec", "you-snooze"} <= set(titles)
    # "annulling cards are at least a fifth and at most a half": of the titles above, "the last two only annul".
    annulling = titles["wait-a-sec"] + titles["you-snooze"]
    assert pack.count("reactions") / 5 <= annulling <= pack.count("reactions") / 2
    # A card is not told by its back.
    assert pack.same_backs("reactions") == [pack.count("reactions")]
    return {"board-2", "board-4", "ice", "penguins", "pawns", "reactions"}


def penguin(pack: Pack, paper: str) -> set[str]:
    """The sheet of Penguin."""
    # "penguin figures in four colours | 36", "9 of each colour suits 36/4",
    # "Give both forms: flat penguin cards laid in overlapping rows, and fold-up stackable penguins"
    for form in ("cards", "figures"):
        assert pack.count(form) == 36
        assert sorted(pack.by(form, lambda name: name.partition("-")[0]).values()) == [9] * 4
    assert pack.same_backs("cards") == [36]
    # "player screens | 6"
    assert pack.count("screens") == 6
    # "bag | 1"
    assert pack.count("pouch") == 1
    # "penalty chips, values 1, 3 and 5 | 39"
    assert pack.count("chips") == 39
    assert set(pack.by("chips", str)) == {"one", "three", "five"}
    return {"cards", "figures", "screens", "pouch", "chips"}


def penguin_pirates(pack: Pack, paper: str) -> set[str]:
    """The sheet of Penguin Pirates."""
    counts = {
        "penguins": 4,  # "penguin tokens, one per player colour | 4"
        "captain": 1,  # "captain penguin, black and white | 1"
        "handicap": 48,  # "handicap decks, one per player, numbered 1–12 | 4 decks × 12 cards = 48"
        "tiles": 13,  # "hex tile boards ("made of hexes") | 13"
        "events": 12,  # "event deck | 12 cards"
        "sail-and-speed": 1,  # "sail-and-speed tracker board | 1"
        "waves": 2,  # "wave tokens (for that tracker: one on sail, one on speed) | 2"
        "water": 1,  # "water tracker board | 1"
        "crab": 1,  # "crab token (for the water tracker) | 1"
        "fish": 10,  # "fish tokens | 10"
        "penguin-ship": 1,  # "white penguin ship | 1"
        "pirate-ship": 1,  # "black pirate ship | 1"
        "anchor": 1,  # "anchor token (marks that Bob is rescued) | 1"
    }
    assert {component: pack.count(component) for component in counts} == counts
    # "one per player colour": four different ones.
    assert sorted(pack.fronts["penguins"].values()) == [1] * 4
    # "4 decks × 12, numbered 1–12, one deck a player in the player's colour"
    decks = pack.by("handicap", lambda name: name.partition("-")[0])
    assert sorted(decks.values()) == [12] * 4
    assert pack.fronts["handicap"] == Counter(f"{deck}-{number}" for deck in decks for number in range(1, 13))
    assert pack.same_backs("handicap") == [12] * 4
    # "exactly 1 tile has a blue back", "how many yellow and how many red (they sum to 12, both ≥ 4)"
    assert set(pack.fronts["tiles"].values()) == {1}
    blue, *others = pack.same_backs("tiles")
    assert (blue, len(others), sum(others)) == (1, 2, 12)
    assert min(others) >= 4
    # "the back of each shows a number from 1 to 5"
    assert len(pack.same_backs("events")) == 5
    return set(counts)


def penguins_night_out(pack: Pack, paper: str) -> set[str]:
    """The sheet of Penguin's Night Out."""
    # "one double-six domino set (28 tiles)", "double-nine set (55 tiles)", "each unordered pair once: 28 and 55"
    for component, highest, tiles in (("double-six", 6, 28), ("double-nine", 9, 55)):
        pairs = Counter(f"{low}-{high}" for low, high in combinations_with_replacement(range(highest + 1), 2))
        assert pack.fronts[component] == pairs
        assert pack.count(component) == tiles
        assert pack.same_backs(component) == [tiles]
    # "one penguin pawn per player", "the largest player count (2–6 suits)"
    players = 6
    assert sorted(pack.fronts["pawns"].values()) == [1] * players
    # "two buddy tokens per player in the player's colour"
    assert sorted(pack.by("buddies", lambda name: name.rpartition("-")[0]).values()) == [2] * players
    assert set(pack.by("buddies", lambda name: name.rpartition("-")[0])) == set(pack.fronts["pawns"])
    # "two six-sided dice", and with the double-nine set "ten-sided dice": "Each player in turn rolls both dice"
    assert (pack.count("dice-six"), pack.count("dice-ten")) == (2, 2)
    # "paper and pencil for noting nests", "a nest record pad": a pad is more than a sheet.
    assert pack.count("nest-pad") > 1
    return {"double-six", "double-nine", "pawns", "buddies", "dice-six", "dice-ten", "nest-pad"}


GOODS = ("silk", "sugar", "olive-oil", "tobacco", "coffee", "tea", "rum", "gunpowder", "sandalwood", "spices")
TOWNS = ("tortuga", "nassau", "campeche", "port-royal", "clew-bay", "tripoli", "saint-mary", "cape-farina")
ISLANDS = (
    *("bora-bora", "hong-kong", "perdida", "bonita", "del-diablo", "prohibida"),
    *("bikini", "hay-tac", "ocracoke", "chicken"),
)
CAPTAINS = (
    *("black-betty", "blue-blake", "green-greg", "pink-patty", "purple-percy", "red-rita", "yellow-jeremy", "white-wilma"),
)


def pirates_on_the_prowl(pack: Pack, paper: str) -> set[str]:
    """The sheet of Pirates on the Prowl."""
    # "board for 5–8 players, … printed over 4 A4 pages | 1", "board for 2–4 players, … printed over 4 A4 pages | 1"
    for board in ("board-large", "board-small"):
        assert whole_boards(pack, board) == 1
        if paper == "a4":
            assert pack.count(board) == 4
    # "dice | 5"
    assert pack.count("dice") == 5
    # "coloured pawns (fold-in-half figures) | 8, plus the grey Davy Jones"
    assert sorted(pack.fronts["pawns"].values()) == [1] * (8 + 1)
    assert "davy" in pack.fronts["pawns"]
    # "pirate characters, cards 9 × 6 cm, two copies each (taped back to back) | 8, plus Davy Jones"
    assert pack.fronts["characters"] == Counter(dict.fromkeys((*CAPTAINS, "davy-jones"), 2))
    # "ships with three card slots ("masts") | 8"
    assert pack.fronts["ships"] == Counter(dict.fromkeys(CAPTAINS, 1))
    # "green cargo cards | 60": "40 trades, 20 treasure maps",
    # "10 goods × 4 cards; 8 trade towns × 5 cards; 10 islands × 2 maps"
    assert pack.count("cargo") == 60
    places = pack.by("cargo", lambda name: next(place for place in (*TOWNS, *ISLANDS) if name.startswith(f"{place}-")))
    assert places == Counter({**dict.fromkeys(TOWNS, 5), **dict.fromkeys(ISLANDS, 2)})
    goods = pack.by("cargo", lambda name: next((good for good in GOODS if name.endswith(f"-{good}")), "map"))
    assert goods == Counter({**dict.fromkeys(GOODS, 4), "map": 20})
    # "green bad-luck cards (same back as the cargo cards) | 12":
    # "3 storm …, 3 fire …, 2 shipwreck …, 3 mutiny …, 1 kraken"
    assert pack.fronts["bad-luck"] == Counter(storm=3, fire=3, shipwreck=2, mutiny=3, kraken=1)
    assert pack.count("bad-luck") == 12
    assert pack.same_backs("cargo", "bad-luck") == [60 + 12]
    # "yellow bronze cannon cards, 1 000 doubloons | 24"
    assert pack.fronts["cannon"] == Counter({"bronze-cannon": 24})
    # "red treasure tickets | 36: 12 silver statue …, 8 gold medal …, 8 ruby ring …, 8 diamond crown"
    tickets = {"silver-statue": 12, "gold-medal": 8, "ruby-ring": 8, "diamond-crown": 8}
    assert pack.fronts["treasure"] == Counter(tickets)
    assert pack.count("treasure") == 36
    # One is yellow, one is red: "What lies on a ship is seen as a colour".
    assert pack.same_backs("cannon", "treasure") == [24, 36]
    return {
        *("board-large", "board-small", "dice", "pawns", "characters", "ships"),
        *("cargo", "bad-luck", "cannon", "treasure"),
    }


def whole_boards(pack: Pack, component: str) -> int:
    """How often all pages of a board are there: each part, A1 to the last of the last row, so many times."""
    parts = {name.partition(":")[2]: copies for name, copies in pack.fronts[component].items()}
    rows, columns = sorted({part[0] for part in parts}), sorted({int(part[1:]) for part in parts})
    assert rows == [chr(ord("A") + at) for at in range(len(rows))]
    assert columns == list(range(1, len(columns) + 1))
    assert set(parts) == {f"{row}{column}" for row in rows for column in columns}
    assert len(parts) > 1
    (copies,) = set(parts.values())
    return copies


SHEETS = {
    "passing-puzzle": passing_puzzle,
    "penguin": penguin,
    "penguin-pirates": penguin_pirates,
    "penguins-night-out": penguins_night_out,
    PROWL: pirates_on_the_prowl,
}


def test_there_is_a_sheet_for_every_pack() -> None:
    """No pack is left out, and none is left."""
    assert sorted(SHEETS) == sorted(GAMES) == Project(ROOT).games()


@pytest.mark.parametrize(("game", "paper"), PRINTED)
def test_every_component_is_there_as_often_as_its_fact_sheet_says(packs: dict[str, Path], game: str, paper: str) -> None:
    """In the file that is printed: every component of the sheet, its designs, and nothing that is not needed."""
    pack = pack_in(packs[game] / paper / "print.pdf")
    counted = SHEETS[game](pack, paper)

    assert set(pack.fronts) == counted | BESIDES[game]
    assert not counted & BESIDES[game]
    assert all(pack.count(component) >= 1 for component in BESIDES[game])
    # What has a back has it on every copy.
    assert {component: pack.fronts[component] for component in pack.backs} == pack.backs


BOOKS = {
    # "rulebook (booklet; …) | 1"
    "penguin-pirates": ["rulebook"],
    # "player's manual and construction manual | 1 each"; the card to keep at hand is ours.
    PROWL: ["construction", "rulebook"],
    # Whose sheets say nothing of a book have rules all the same.
    "penguin": ["rulebook"],
    "penguins-night-out": ["rulebook"],
    "passing-puzzle": ["rulebook"],
}


@pytest.mark.parametrize(("game", "paper"), PRINTED)
def test_the_books_are_there(packs: dict[str, Path], game: str, paper: str) -> None:
    """Each to read, and as a booklet: four pages of it on every sheet of paper, both sides printed."""
    folder, books = packs[game] / paper, BOOKS[game]
    assert sorted(path.name.removesuffix("-booklet.pdf") for path in folder.glob("*-booklet.pdf")) == books
    half = {"a4": "a5", "letter": "half-letter"}[paper]
    for book in books:
        small, booklet = (len(PdfReader(folder / f"{book}-{what}.pdf").pages) for what in (half, "booklet"))
        assert len(PdfReader(folder / f"{book}.pdf").pages) >= 2
        assert booklet == 2 * -(-small // 4)


def changed(path: Path, piece: str, times: int) -> Pack:
    """A printed file in which another program draws a piece so many times more, once where it lies first."""
    writer = PdfWriter(clone_from=path)
    for page in writer.pages:
        forms = page["/Resources"].get("/XObject", {})  # type: ignore[union-attr]
        content = ContentStream(page.get_contents(), writer)
        for at, (operands, operator) in enumerate(content.operations):
            if operator == b"Do" and str(forms[operands[0]].get_object().get("/PNPPiece", "")) == piece:
                content.operations[at : at + 1] = [(operands, operator)] * (1 + times)
                page[NameObject("/Contents")] = writer._add_object(content)
                return read(writer)
    raise AssertionError(f"{piece} is not in {path}")


@pytest.mark.parametrize(
    ("game", "piece", "times"),
    [
        ("penguin", "figures/circle-up", -1),
        pytest.param("penguin", "chips/five", 1, marks=pytest.mark.at_length),
        pytest.param("penguin-pirates", "fish/fish", -1, marks=pytest.mark.at_length),
        ("penguin-pirates", "handicap/bell-7", -1),
        ("penguins-night-out", "double-nine/3-8", 1),
        pytest.param("penguins-night-out", "buddies/duke-1", -1, marks=pytest.mark.at_length),
        ("passing-puzzle", "ice/ice", -1),
        pytest.param("passing-puzzle", "board-2/board-2:A2", -1, marks=pytest.mark.at_length),
        (PROWL, "cargo/tripoli-tea", -1),
        pytest.param(PROWL, "board-small/board-small:B1", 1, marks=pytest.mark.at_length),
        pytest.param(PROWL, "bad-luck/kraken", 1, marks=pytest.mark.at_length),
    ],
)
def test_a_copy_more_or_less_would_be_noticed(packs: dict[str, Path], game: str, piece: str, times: int) -> None:
    """These tests mean something: the file with one piece drawn twice, or not at all, is not what the sheet says."""
    paper = PAPERS[game][0]
    pack = changed(packs[game] / paper / "print.pdf", piece, times)

    with pytest.raises((AssertionError, ValueError)):
        SHEETS[game](pack, paper)
