"""Scenes on a bare table: free places by column and row, pieces in their real sizes, piles, and dice that show a face."""

from __future__ import annotations

import random
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest
from conftest import ROOT, examples, toml
from hypothesis import given
from hypothesis import strategies as st
from stage import GAME, scene, stage_game

from pnp.books.grounds import Standing, spread
from pnp.books.markdown import parse
from pnp.books.scenes import staged
from pnp.shapes.affine import Rect, rotation
from pnp.shapes.nets import boxes
from pnp.shapes.nets.net import lying, seen
from pnp.values.books import Arrow, Highlight, Laid, Mark, Scene, Text, Thing
from pnp.values.game import Game
from pnp.values.problems import Problem

T = TypeVar("T", bound=Thing)
MORE = toml("""
die: kind = "die"; title = "Die"; sides = 6; size = "10mm"; table = "crown"; template = "post"
moods: kind = "die"; title = "Moods"; table = "moods"; sides = 6; size = "10mm"; template = "post"
crates: kind = "prism"; title = "Crates"; size = "20mm x 30mm"; depth = "10mm"; table = "crown"; template = "post"
""")
FILES = {"content/tiny/game.toml": GAME + MORE, "content/tiny/moods.csv": "id,faces\nodd,no no no yes maybe yes\n"}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return stage_game(tmp_path_factory.mktemp("table"), files=FILES)


def read(game: Game, *rows: str, more: str = "") -> Text:
    typed = scene(f"table{more}", *rows)
    return parse(typed, typed, [], "en", stage=partial(staged, game, "#6b1f3a", tint="#ddeeff"))


def drawn(game: Game, *rows: str, more: str = "") -> Scene:
    made = read(game, *rows, more=more)
    assert [each for each in made.faults if each.severity == "error"] == []
    (wish,) = made.wishes
    assert wish.scene is not None
    return wish.scene


def fault(game: Game, *rows: str, more: str = "") -> Problem:
    """The one thing that is wrong; then there is no picture."""
    made = read(game, *rows, more=more)
    assert made.blocks == () and made.wishes == ()
    (only,) = made.faults
    return only


def things(of: Scene, kind: type[T]) -> list[T]:
    return [thing for thing in of.things if isinstance(thing, kind)]


def spots(of: Scene) -> list[tuple[float, float]]:
    return [(round(piece.at[0], 3), round(piece.at[1], 3)) for piece in things(of, Laid)]


def test_a_column_is_as_wide_as_the_widest_piece_and_a_row_as_high_as_the_highest(game: Game) -> None:
    """Here a card of 63 × 88 mm, which lies a twentieth apart from the next one; what is smaller is in the middle."""
    made = drawn(game, "discs/red | 1,1 |", "cards | 2,1; 2.5,2 |")

    wide, high = 63 * 1.05, 88 * 1.05
    assert spots(made) == [pytest.approx(at, abs=1) for at in ((wide, high), (2 * wide, high), (2.5 * wide, 2 * high))]


def test_a_rectangle_of_places_goes_column_by_column(game: Game) -> None:
    """From the first place on, halves and all."""
    made = drawn(game, "discs/red | 1.5,1..3.5,2 |", more='" grid="10mm')
    assert spots(made) == [(15, 10), (25, 10), (35, 10), (15, 20), (25, 20), (35, 20)]


@pytest.mark.parametrize("typed", ["C4", "1", "1;", "1,1,1", "-1,1", "61,1", "1,60.5", "1.234,1", "", "one,two"])
def test_a_place_that_is_none_is_named_with_its_line(game: Game, typed: str) -> None:
    wrong = fault(game, "discs/red | 1,1 |", f"discs/green | {typed} |")

    assert (wrong.rule, wrong.place.row) == ("unknown-place", 5)
    assert wrong.allowed == "column,row from 0,0 to 60,60, such as 1,1 or 2.5,1"


@pytest.mark.parametrize("grid", ["20", "wide", "0mm", "900mm", "20mm x", "1mm x 20mm"])
def test_a_grid_that_is_none_is_named(game: Game, grid: str) -> None:
    assert fault(game, "cross | 1,1 |", more=f'" grid="{grid}').rule == "bad-scene"


def test_all_that_lies_there_is_seen_with_a_little_of_the_table(game: Game) -> None:
    """Wherever it lies; the table has the tint of the book, and an edge."""
    made = drawn(game, "discs/red | 5,5; 7,5 |", more='" grid="10mm')

    assert made.crop == Rect(46 - 1.5, 46 - 1.5, 28 + 3, 8 + 3)
    assert made.table == "#ddeeff" and made.framed


@given(st.lists(st.tuples(st.integers(0, 240), st.integers(0, 240)), min_size=1, max_size=8), st.integers(0, 359))
def test_no_piece_is_cut_off(game: Game, places: list[tuple[int, int]], turn: int) -> None:
    where = "; ".join(f"{x / 4:g},{y / 4:g}" for x, y in places)
    made = drawn(game, f"cards | {where} | {turn}", f"crates | {where} |", more='" grid="15mm')

    for piece in things(made, Laid):
        x, y = piece.at
        card = rotation(turn, x, y).bounds(Rect(x - 31.5, y - 44, 63, 88))
        # Seen from aside a crate of 20 × 30 × 10 mm is at least as wide and high as this, above its foot.
        crate = Rect(x - 10, y + piece.foot - 30, 20, 30)
        box = card if piece.component == "cards" else crate
        assert made.crop.x <= box.x and box.right <= made.crop.right
        assert made.crop.y <= box.y and box.bottom <= made.crop.bottom


def test_marks_are_anywhere(game: Game) -> None:
    """Arrows lead from any place to any other."""
    marks = ("cross | 3,3 |", "mark | 1,4 | draw pile", "highlight | 4,1 | outline")
    rows = ("arrow | 1,1 → 4.5,3 → 2,2 | curved", "highlight | 1,1..2,2 |", *marks)
    made = drawn(game, *rows, more='" grid="10mm x 20mm')

    assert things(made, Arrow)[0].points == ((10, 20), (45, 60), (20, 40))
    assert [(len(each.rings), each.plain) for each in things(made, Highlight)] == [(1, False), (1, True)]
    assert [mark.text for mark in things(made, Mark)] == ["draw pile"]


def test_figures_seen_from_the_front_stand_on_one_another(game: Game) -> None:
    """A crate is 20 × 30 mm: its column and row are as wide and high, and its foot is at the row's lower edge."""
    made = drawn(game, "crates | 1,2..3,2 | front", "crates | 1.5,1; 2.5,1 | front")
    feet = [(piece.at[0], piece.at[1] + piece.foot) for piece in things(made, Laid)]

    assert [piece.shown for piece in things(made, Laid)] == ["ahead"] * 5
    assert feet == [pytest.approx(foot) for foot in ((20, 75), (40, 75), (60, 75), (30, 45), (50, 45))]


def test_a_pile_is_of_several(game: Game) -> None:
    made = drawn(game, "discs/red | 1,1 | pile", "discs/red | 2,1 | back pile 7", "cards | 3,1 | 90 pile 2")
    assert [(piece.shown, piece.turn, piece.pile) for piece in things(made, Laid)] == [
        ("front", 0, 4),
        ("back", 0, 7),
        ("front", 90, 2),
    ]
    assert all(0.1 < piece.step < 2 for piece in things(made, Laid))


@pytest.mark.parametrize(
    ("row", "value"),
    [
        ("discs/red | 1,1 | pile 1", "1"), ("discs/red | 1,1 | pile 13", "13"),
        ("discs/red | 1,1 | pile of 5", "of 5"), ("crates | 1,1 | pile", "pile"),
        ("crates | 1,1 | front back", "front back"), ("discs/red | 1,1 | front", "front"),
        ("discs/red | 1,1 | shows 4", "discs"), ("crates | 1,1 | shows 4", "crates"), ("die | 1,1 | shows 7", "7"),
        ("die | 1,1 | shows", "shows"), ("die | 1,1 | back shows 4", "back shows 4"),
        ("moods | 1,1 | shows perhaps", "perhaps"),
    ],
)  # fmt: skip
def test_what_a_piece_cannot_do_is_named(game: Game, row: str, value: str) -> None:
    wrong = fault(game, "cross | 1,1 |", row)
    assert (wrong.rule, wrong.place.row, wrong.value) == ("bad-scene", 5, value)


def test_a_die_shows_a_face(game: Game) -> None:
    """By what it shows: the numbers of a die, or the words in its row, of several alike the first."""
    made = drawn(game, "die | 1,1 | shows 4", "moods/odd | 2,1 | shows yes", "moods/odd | 3,1 | shows maybe faces 1,1")
    assert [die.face for die in things(made, Laid)] == ["face-4", "face-4", "face-5"]


@pytest.mark.parametrize("sides", [6, 10])
@pytest.mark.parametrize("face", range(1, 7))
def test_the_face_of_a_die_is_upright_and_the_largest(sides: int, face: int) -> None:
    """It is printed side up, its sides are upright, and no other face is seen as large; two more tell that it is a die."""
    net = boxes.d6(10) if sides == 6 else boxes.d10(10)
    shown = seen(net, 1.0, lying(f"face-{face}"))
    areas = {each.panel.name: each.matrix.determinant * _area(each.panel.ring) for each in shown}
    (top,) = (each for each in shown if each.panel.name == f"face-{face}")
    frame, _, _ = top.panel.frame()
    up = top.matrix @ frame

    assert max(areas, key=lambda name: areas[name]) == f"face-{face}"
    assert len([area for area in areas.values() if area > 1e-6]) >= 3
    assert up.a > 0.95 and abs(up.b) < 0.2 and abs(up.c) < 1e-6 and up.d > 0.85
    assert shown[-1].depth >= max(each.depth for each in shown) - 1e-6


def _area(ring: tuple[tuple[float, float], ...]) -> float:
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(ring, (*ring[1:], ring[0]), strict=True))) / 2


def test_a_component_called_table_is_meant_instead(tmp_path: Path) -> None:
    """One with places is the ground; of one without it is said what to do."""
    board = GAME.replace("[component.moor]", "[component.table]").replace('template = "sea"', 'template = "sea"', 1)
    files = {"content/tiny/game.toml": board}
    made = drawn(stage_game(tmp_path / "one", files=files), "cross | A1 |")
    assert made.table == "" and made.field == 20

    cards = GAME.replace("[component.cards]", "[component.table]")
    wrong = fault(stage_game(tmp_path / "two", files={"content/tiny/game.toml": cards}), "cross | 1,1 |")
    assert (wrong.rule, wrong.value) == ("bad-scene", "table") and "another name" in wrong.hint


@pytest.mark.parametrize("seed", range(examples(60)))
def test_whatever_is_typed_is_a_scene_or_a_fault(game: Game, seed: int) -> None:
    chance = random.Random(seed)
    words = ["arrow", "highlight", "cross", "mark", "discs/red", "crown", "post", "die", "crates", "moods", "", "/"]
    places = ["1,1", "2.5,1", "60,60", "0,0", "61,1", "1", "1,1..4,3", "1,,1", "-1,1", "", "A1", "9.99,9.99"]
    ways = ["", "back", "front", "pile", "pile 5", "90", "1/6", "shows 4", "shows", "faces 2,2", "curved", "turn", "²", "5"]

    def some(of: list[str], between: str) -> str:
        return between.join(chance.choice(of) for _ in range(chance.randint(1, 3)))

    rows = [
        f"{chance.choice(words)} | {some(places, chance.choice([' → ', '; ', '..']))} | {some(ways, ' ')}"
        for _ in range(chance.randint(1, 4))
    ]
    more = chance.choice(["", '" names="yes', '" grid="3mm', '" grid="500mm" names="yes', '" crop="1,1', '" margin="20'])
    made = read(game, *rows, more=more)

    assert bool(made.wishes) != any(each.severity == "error" for each in made.faults)
    assert all(each.place.row is not None and each.message for each in made.faults)


@given(st.lists(st.floats(2, 90), min_size=2, max_size=3), st.floats(10, 60))
def test_of_pieces_on_one_field_none_is_hidden(widths: list[float], field: float) -> None:
    """However unequal: of each something is seen at its left, past whatever lies above it."""
    laid = [Laid("discs", "red", "front", (0, 0)) for _ in widths]
    placed = spread(laid, [Standing(index, (0, 0), wide, wide) for index, wide in enumerate(widths)], field)
    for kind in (True, False):
        alike = [(each, wide) for each, wide in zip(placed, widths, strict=True) if (wide >= 0.8 * field) == kind]
        lefts = [each.at[0] - wide / 2 for each, wide in alike if isinstance(each, Laid)]
        assert all(two - one >= 0.16 * field - 1e-6 for one, two in pairwise(lefts))


def test_the_table_of_the_reference_can_be_drawn(tmp_path: Path) -> None:
    """A pyramid of figures."""
    told = (ROOT / "docs/reference/books.md").read_text(encoding="utf-8")
    typed = told[told.index('\n::: scene on="table"') + 1 :].partition("```")[0]
    files = FILES | {"content/tiny/game.toml": GAME + MORE.replace("crates", "figures").replace('"crown"', '"figures"')}
    files["content/tiny/figures.csv"] = "id,copies\ndot,4\nrip,2\n"
    game = stage_game(tmp_path, files=files)
    made = parse(typed, typed, [], "en", stage=partial(staged, game, "#000000"))

    assert made.faults == () and len(made.wishes) == 1
