"""A scene that is typed becomes pieces and marks in the places of its ground, or says with its line why it does not."""

from __future__ import annotations

import math
import random
import time
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from conftest import ROOT, examples
from stage import GAME, scene, stage_game

from pnp.books.markdown import parse
from pnp.books.scenes import MOST_PLACES, MOST_THINGS, staged
from pnp.shapes.affine import Rect
from pnp.values.books import Arrow, Box, Cross, Figure, FigureRow, Laid, Mark, Pointer, Scene, Text, Thing, Width
from pnp.values.game import Game
from pnp.values.problems import Problem

T = TypeVar("T", bound=Thing)
WINE = "#6b1f3a"
STRAIGHT = '[movement.sea]\ndiagonal = false\nstarts = ["home"]\ngoals = ["well"]\n'
ROOT3 = math.sqrt(3)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return stage_game(tmp_path_factory.mktemp("stage"))


def read(game: Game, text: str, source: str = "") -> Text:
    return parse(text, source or text, [], "en", stage=partial(staged, game, WINE))


def drawn(game: Game, on: str, *rows: str) -> Scene:
    """The scene of some rows, without an error."""
    made = read(game, scene(on, *rows))
    assert [each for each in made.faults if each.severity == "error"] == []
    (wish,) = made.wishes
    assert wish.form == "scene" and wish.scene is not None
    return wish.scene


def things(of: Scene, kind: type[T]) -> list[T]:
    """Things of a kind; of pieces those that stand on the ground."""
    return [thing for thing in of.things if isinstance(thing, kind) and getattr(thing, "edged", True)]


def ground(of: Scene) -> list[Laid]:
    return [thing for thing in of.things if isinstance(thing, Laid) and not thing.edged]


def middles(game: Game, on: str, *places: str) -> list[tuple[float, float]]:
    """Where places are, in mm."""
    crosses = things(drawn(game, f'{on}" crop="all', *(f"cross | {place} |" for place in places)), Cross)
    return [(round(cross.at[0], 3), round(cross.at[1], 3)) for cross in crosses]


def fault(game: Game, on: str, *rows: str) -> Problem:
    """The one thing that is wrong; then there is no picture."""
    made = read(game, scene(on, *rows))
    assert made.blocks == () and made.wishes == ()
    (only,) = made.faults
    return only


# --- places -----------------------------------------------------------------------------------------------


def test_squares_are_called_as_on_the_board(game: Game) -> None:
    """The letter is the row, the number the column; in capitals or not."""
    assert middles(game, "sea", "A1", "B3", "d4") == [(10, 10), (50, 30), (70, 70)]


def test_hexes_are_called_by_the_layout_and_by_their_tile(game: Game) -> None:
    """In axial coordinates of the layout, by a slot, by a tile that lies face up, and by the tile's own coordinates."""
    assert middles(game, "start", "3,0", "near", "Port", "near 1,0") == [(60, 0), (0, 0), (0, 0), (20, 0)]
    # The last slot is turned by a sixth: what is right of its middle lies below it.
    assert middles(game, "start", "end", "end 1,0") == [(10, round(10 * ROOT3, 3)), (20, round(20 * ROOT3, 3))]


def test_squares_of_dominoes_are_called_by_the_layout_and_by_their_halves(game: Game) -> None:
    assert middles(game, "street", "2,1", "1-2 b", "1-2 a", "0-1 b") == [(25, 15), (25, 15), (25, 5), (15, 5)]


def test_spaces_of_a_tracker_are_called_by_their_track(game: Game) -> None:
    """Two tracks of 20 mm each; the first has four spaces of 20 mm, 6 mm from the cut."""
    assert middles(game, "track", "Gold 0", "Gold 3", "Fish 1") == [(16, 10), (76, 10), (66, 30)]


@pytest.mark.parametrize(
    ("on", "place", "value", "allowed"),
    [
        ("sea", "E1", "E1", "Old Home; or a field from A1 to D4"),
        ("sea", "Well", "Well", "B3, C4"),
        ("sea", "Old Home 4", "Old Home 4", "1, 2, 3"),
        ("start", "9,9", "9,9", "near, port, out, end; or a field such as 0,0"),
        ("start", "reef", "reef", "near"),
        ("street", "3-3 a", "3-3 a", "0-1"),
        ("track", "Gold 4", "Gold 4", "Gold 0"),
    ],
)
def test_a_place_that_is_none_is_named_with_those_there_are(
    game: Game, on: str, place: str, value: str, allowed: str
) -> None:
    """Which tile lies face down nobody knows: it names no place."""
    wrong = fault(game, on, f"cross | {place} |")

    assert (wrong.rule, wrong.value, wrong.place.row) == ("unknown-place", value, 4)
    assert allowed in wrong.allowed


# --- pieces -----------------------------------------------------------------------------------------------


def test_the_ground_is_the_real_board(game: Game) -> None:
    made = drawn(game, "sea", "discs/red | B3 |")

    assert ground(made) == [Laid("sea", "sea", "front", (40, 40), 0.0, False)]
    assert things(made, Laid) == [Laid("discs", "red", "front", (50, 30), 0.0)]
    assert (made.field, made.colour) == (20, WINE)


def test_pieces_are_turned_and_turned_over(game: Game) -> None:
    """By degrees, or by parts of a turn; of a component with one design the piece need not be named."""
    made = drawn(game, "sea", "discs/red | A1 | back 90", "discs/green | A2 | 2/6", "crown | A3 | -45", "post | A4 |")

    assert [(piece.shown, piece.turn) for piece in things(made, Laid)] == [
        ("back", 90),
        ("front", 120),
        ("front", -45),
        ("standing", 0),
    ]


def test_a_folded_piece_that_is_turned_has_fallen_over(game: Game) -> None:
    side, askew = things(drawn(game, "sea", "post | A1 | front 90", "post | A2 | 1/6"), Laid)[-2:]

    assert (side.shown, side.turn) == ("ahead", 90)
    assert (askew.shown, askew.turn) == ("standing", 60)


def test_several_pieces_of_a_field_lie_apart_in_it(game: Game) -> None:
    """All within the field, each in a place of its own; what is as large as the field stays in its middle."""
    made = drawn(game, "sea", "discs/red | B2; B2 |", "crown; post | B2 |", "cards | B2 |", "discs/green | C3 |")
    *shared, card, alone = (piece.at for piece in things(made, Laid))

    assert len(set(shared)) == 4
    assert all(20 < x < 40 and 20 < y < 40 for x, y in shared)
    assert (card, alone) == ((30, 30), (50, 50))


@pytest.mark.parametrize(
    ("row", "beside", "alone"),
    [("mark | B2 | 3", (36.6, 23.4), (30, 30)), ("mark | B2 | edge", (30, 38.4), (30, 30)),
     ("cross | B2 |", (34.8, 34.8), (30, 30))],
)  # fmt: skip
def test_what_is_said_of_a_field_does_not_hide_the_piece_on_it(
    game: Game, row: str, beside: tuple[float, float], alone: tuple[float, float]
) -> None:
    """A number is in the upper corner, a word below the piece, a cross beside its foot; without a piece in the middle."""
    (occupied,) = things(drawn(game, "sea", "crown | B2 |", row), Mark | Cross)
    (empty,) = things(drawn(game, "sea", row), Mark | Cross)

    assert occupied.at == pytest.approx(beside)
    assert empty.at == alone


def test_a_piece_of_a_full_rectangle_lies_in_its_middle(tmp_path: Path) -> None:
    """And an arrow begins there. Of a place round a corner both are in the field that is nearest to its middle."""
    made = stage_game(tmp_path, files={"content/tiny/sea.txt": "ww..\nww..\nhh..\n.h..\n"})
    rows = "cards | Well |", "crown | Old Home |", "cards | A4 |", "arrow | Well → D4 | jump", "arrow | Old Home → D3 |"
    drawing = drawn(made, 'sea" crop="all', *rows)

    assert [piece.at for piece in things(drawing, Laid)] == [(20, 20), (30, 50), (70, 10)]
    assert [arrow.points for arrow in things(drawing, Arrow)] == [((20, 20), (70, 70)), ((30, 50), (50, 70))]


def test_a_piece_seen_oftener_than_it_is_there_is_told(game: Game) -> None:
    """As a warning at the row that is one too many; face down nobody knows which it is."""
    rows = "discs/red | A1; A2 |", "discs/red | A3 | back", "discs/red | A4 |"
    (wrong,) = read(game, scene("sea", *rows)).faults

    assert (wrong.rule, wrong.value, wrong.place.row, wrong.severity) == ("other-picture", "red", 6, "warning")
    assert read(game, scene("sea", *rows[:2])).faults == ()


def test_a_pile_of_more_pieces_than_there_are_is_told(game: Game) -> None:
    """Several scenes in one, each with all of them, are none."""
    assert read(game, scene("sea", "discs/red | A1 | pile 6", "discs/green | A3 | back pile 6")).faults == ()
    (wrong,) = read(game, scene("sea", "discs/red | A1 |", "discs/red | A2 | back pile 7")).faults

    assert (wrong.place.row, wrong.severity, wrong.message) == (5, "warning", 'a pile of 7 of "discs", and there are 6')


def test_letters_that_cannot_be_printed_are_named_at_their_row(game: Game) -> None:
    """Of marks, and of what fields are called."""
    stage = partial(staged, game, WINE, unprintable=lambda text: [letter for letter in text if letter in "ßF"])
    for text, line in (
        (scene("sea", "cross | A1 |", "mark | A1 | ß"), 5),
        (scene('track" names="yes', "cross | Gold 0 |"), 1),
    ):
        (wrong,) = parse("ß\n" + text, "ß\n" + text, [], "en", stage=stage).faults
        assert (wrong.rule, wrong.place.row) == ("missing-glyph", line + 1)


def test_a_large_board_costs_little(tmp_path: Path) -> None:
    """Thousands of places of one name, rectangles over all of it in each row, and three scenes."""
    rows = "\n".join("".join("w" if x % 2 and y % 2 else "." for x in range(100)) for y in range(100))
    made = GAME.replace('cell = "20mm"', 'cell = "4mm"', 1)
    large = stage_game(tmp_path, files={"content/tiny/sea.txt": rows[:-1] + "h\n", "content/tiny/game.toml": made})
    all_of_it = "; ".join(["A1..CV100"] * 200)
    begun = time.process_time()
    faults = read(large, scene("sea", *[f"cross | {all_of_it} |"] * 5) * 3).faults

    assert len(faults) == 15 and {each.allowed for each in faults} == {f"at most {MOST_PLACES}"}
    assert time.process_time() - begun < 6


def test_tiles_of_a_layout_lie_in_their_slots(game: Game) -> None:
    """Without a word of it those that lie there: face down where a pool has several."""
    told = [(tile.piece, tile.shown, tile.turn) for tile in ground(drawn(game, "start", "cross | near |"))]
    put = [(tile.piece, tile.shown, tile.turn) for tile in ground(drawn(game, "start", "tiles/atoll | end |"))]

    assert told == [("port", "front", 0), ("reef", "back", 0), ("reef", "back", 60)]
    assert put == [("port", "front", 0), ("reef", "back", 0), ("atoll", "front", 60)]


def test_a_tile_laid_elsewhere_changes_places(tmp_path: Path) -> None:
    """Without backs all are seen, each as often as it is there: what lay in its slot lies where it was."""
    fronts = GAME.replace('hex = "20mm"\nback = "night"', 'hex = "20mm"')
    made = stage_game(tmp_path, files={"content/tiny/game.toml": fronts})
    lies = {rows: [tile.piece for tile in ground(drawn(made, "start", *rows, "cross | near |"))] for rows in SWAPS}

    assert lies == {rows: wanted.split() for rows, wanted in SWAPS.items()}


SWAPS = {
    (): "port reef atoll",
    ("tiles/reef | end |",): "port atoll reef",
    ("tiles/reef | out |",): "port atoll reef",
    ("tiles/reef | 4,0 |",): "port atoll reef",
}


def test_a_domino_laid_elsewhere_is_gone_from_where_it_lay(game: Game) -> None:
    made = drawn(game, "street", "bones/1-2 | 5,1 | 180", "crown | 1-2 b |")
    bones = {bone.piece: (bone.at, bone.turn) for bone in ground(made)}

    assert len(bones) == len(ground(made)) == 6
    assert (bones["0-1"], bones["1-2"]) == (((10, 5), -90), ((50, 15), 90))
    assert things(made, Laid)[0].at == (45, 15)
    assert fault(game, "street", "bones/1-2 | 5,1 | 180", "crown | 2,0 |").rule == "unknown-place"


def test_a_square_without_a_domino_is_a_gap(game: Game) -> None:
    """What was there, or might be: an arrow leads to it and the picture grows. The word is never left out."""
    made = drawn(game, "street", "bones/1-2 | 5,1 | 180", "arrow | gap 2,0 → 1-2 b | jump", "cross | gap 7,1 |")

    assert things(made, Arrow)[0].points == ((25, 5), (45, 15))
    assert things(made, Cross)[0].at == (75, 15)
    assert fault(game, "street", "cross | gap 2,0 |").hint == "Write 2,0."
    assert fault(game, "street", "arrow | gap 7,1 → gap 8,1 |", "cross | 7,1 |").rule == "unknown-place"
    assert fault(game, "start", "cross | gap 9,9 |").rule == "unknown-place"


def test_tiles_need_no_layout(game: Game) -> None:
    """One alone, or several that the rows lay; then all of them are seen."""
    alone = drawn(game, "tiles/reef", "crown | 1,0 |")
    laid = drawn(game, "tiles", "tiles/reef | 0,0 | 60", "tiles/port | 1,0 | back", "crown | reef 1,0 |")

    assert [tile.piece for tile in ground(alone)] == ["reef"]
    assert [(tile.piece, tile.shown, tile.turn) for tile in ground(laid)] == [("reef", "front", 60), ("port", "back", 0)]
    assert things(laid, Laid)[0].at == pytest.approx((10, 10 * ROOT3))
    assert laid.crop.width > 55 and not laid.framed


def test_a_tile_may_lie_in_several_places(game: Game) -> None:
    """As often as rows lay it, and whatever slots are called; by its name alone nobody knows which."""
    laid = drawn(game, "tiles", "tiles/reef | 0,0 |", "tiles/reef | 2,0 | 60", "cross | 2,0 |")
    assert [(tile.piece, tile.turn) for tile in ground(laid)] == [("reef", 0), ("reef", 60)]
    assert fault(game, "tiles", "tiles/reef | 0,0 |", "tiles/reef | 2,0 |", "cross | reef |").value == "reef"

    free = ground(drawn(game, "start", "tiles/reef | 0,-3 |", "tiles/reef | 3,-3 |"))
    assert [tile.piece for tile in free] == ["port", "reef", "reef", "reef", "reef"]


def test_slots_of_one_name_keep_their_tiles(tmp_path: Path) -> None:
    """Both lie there; which one is meant has to be said."""
    for slots in ("reef,coast,0,0,0\nout,far,2,0,0\nend,far,0,1,60\n", "end,coast,0,0,0\nout,far,2,0,0\nend,far,0,1,60\n"):
        named = stage_game(tmp_path, files={"content/tiny/start.csv": "slot,pool,q,r,turn\n" + slots})
        assert len(ground(drawn(named, "start", "cross | out |", "tiles/reef | 0,-3 |"))) == 4

    assert fault(named, "start", "cross | end |").allowed == "0,0, 0,1"
    assert fault(named, "start", "tiles/reef | end |").value == "end"


@pytest.mark.parametrize(
    ("rows", "rule", "value", "line"),
    [
        (["discs/rde | A1 |"], "unknown-piece", "rde", 4),
        (["crown | A1 |", "disks/red | A1 |"], "unknown-piece", "disks", 5),
        (["discs | A1 |"], "unknown-piece", "", 4),
        (["| A1 |"], "unknown-piece", "", 4),
        (["crown | A1 | back"], "bad-scene", "crown", 4),
        (["crown | A1 | sideways"], "bad-scene", "sideways", 4),
        (["post | A1 | front 9O"], "bad-scene", "front 9O", 4),
        (["post | A1 | front back"], "bad-scene", "front back", 4),
        (["post | A1 | faces A1"], "bad-scene", "A1", 4),
        (["post | A1 | faces E9"], "unknown-place", "E9", 4),
        (["arrow | A1 → A2 | dotted"], "bad-scene", "dotted", 4),
        (["arrow | A1 → A2 | solid dashed"], "bad-scene", "solid", 4),
        (["arrow | B2 → B1 → A2 | turn curved"], "bad-scene", "turn curved", 4),
        (["arrow | A1 → A2 | from crown", "post | A1 |"], "unknown-piece", "crown", 4),
        (["arrow | A1 → A2 | from crwn", "crown | A1 |"], "unknown-piece", "crwn", 4),
        (["arrow | A1 → A2 | from"], "bad-scene", "from", 4),
        (["arrow | B2 → B1 → A2 | turn from crown", "crown | B2 |"], "bad-scene", "crown", 4),
        (["arrow | A1 |"], "bad-scene", "A1", 4),
        (["highlight | A1 | dotted"], "bad-scene", "dotted", 4),
        (["arrow | A1 → A2 → A1 | turn"], "bad-scene", "A1", 4),
        ([f"cross | {'; '.join(['A1'] * (MOST_PLACES + 1))} |"], "bad-scene", "; ".join(["A1"] * (MOST_PLACES + 1)), 4),
    ],
)
def test_a_row_that_cannot_be_drawn_is_named(game: Game, rows: list[str], rule: str, value: str, line: int) -> None:
    wrong = fault(game, "sea", *rows)

    assert (wrong.rule, wrong.value, wrong.place.row) == (rule, value, line)


@pytest.mark.parametrize(
    ("on", "row", "rule"),
    [
        ("start", "tiles/atoll | edn |", "unknown-place"),
        ("start", "tiles/atoll | end | 45", "bad-scene"),
        ("start", "tiles/atoll | 1,0 |", "unknown-place"),
        ("street", "bones/0-1 | 2,0 | 60", "bad-scene"),
        ("street", "bones/0-1 | 2,0 | back", "bad-scene"),
        ("start", "tiles/atoll | end |\n| tiles/reef | end", "unknown-place"),
        ("street", "bones/0-1 | 8,0 |\n| bones/0-1 | 8,1", "bad-scene"),
        ("tiles", "crown | 0,0 |", "bad-scene"),
    ],
)
def test_a_tile_that_cannot_be_laid_is_named(game: Game, on: str, row: str, rule: str) -> None:
    """No such slot, no such turn, on another one, without a back; or none at all."""
    assert fault(game, on, row).rule == rule


# --- arrows and marks -------------------------------------------------------------------------------------


def test_an_arrow_goes_through_the_middles_of_fields(game: Game) -> None:
    made = drawn(game, "sea", "arrow | A1 → B2 -> B3 | dashed", "arrow | A1; A2 | curved")

    assert things(made, Arrow) == [
        Arrow(((10, 10), (30, 30), (50, 30)), dashed=True),
        Arrow(((10, 10), (30, 10)), curved=True),
    ]
    assert things(drawn(game, "sea", "arrow | A1 → A2 | steps"), Arrow) == [Arrow(((10, 10), (30, 10)), steps=True)]


def test_a_numbered_arrow_knows_the_fields_that_its_steps_enter(game: Game) -> None:
    (arrow,) = things(drawn(game, "sea", "arrow | A1 → B2 → B3 | numbered"), Arrow)

    assert [Rect(*ring[0], ring[2][0] - ring[0][0], ring[2][1] - ring[0][1]) for ring in arrow.entered] == [
        Rect(20, 20, 20, 20),
        Rect(40, 20, 20, 20),
    ]


def test_a_numbered_arrow_goes_on_from_another_picture(game: Game) -> None:
    (arrow,) = things(drawn(game, "sea", "arrow | A1 → B2 → B3 | numbered 3"), Arrow)

    assert (arrow.first, len(arrow.entered)) == (3, 2)


def test_an_arrow_from_a_place_begins_where_a_piece_stands_and_ends_beside_the_last_step(game: Game) -> None:
    (arrow,) = things(drawn(game, "sea", "arrow | D3 → Old Home |"), Arrow)
    (away,) = things(drawn(game, "sea", "arrow | Old Home → D3 |"), Arrow)

    assert arrow.points == ((50, 70), (30, 70))
    assert away.points == ((30, 50), (50, 70))


def test_an_arrow_leaves_from_one_of_several_pieces(game: Game) -> None:
    """From where it lies in the field, and straight; of two of a kind from the one nearer to where the arrow leads."""
    pieces = "discs/green; discs/red; discs/red | B2 |"
    made = drawn(game, "sea", pieces, "arrow | B2 → B3 | dashed from discs/red", "arrow | B2 → B1 | from discs/red")
    green, *red = (piece.at for piece in things(made, Laid))
    right, left = things(made, Arrow)

    assert (right.points, right.dashed) == ((max(red), (50, max(red)[1])), True)
    assert left.points == (min(red), (10, min(red)[1]))
    assert green < min(red) < max(red)


@pytest.mark.parametrize(("two", "corner"), [("A2", (-1, -1)), ("C2", (-1, 1)), ("B3", (0, -1))])
def test_a_turn_is_a_bow_around_a_field(game: Game, two: str, corner: tuple[int, int]) -> None:
    """In B2, from its left neighbour to another one the short way; half a turn goes clockwise. A pale wedge ends it."""
    made = drawn(game, "sea", f"arrow | B2 → B1 → {two} | turn")
    (arrow,), (wedge,) = things(made, Arrow), things(made, Pointer)
    apart = {round(math.dist(point, (30, 30)), 6) for point in arrow.points}
    x, y = arrow.points[8]

    assert arrow.over and len(apart) == 1 and apart.pop() > 10
    assert arrow.points[0][0] < 20 and arrow.points[0][1] == pytest.approx(30)
    assert (round(x - 30, 3) > 0) - (round(x - 30, 3) < 0) == corner[0] and (y > 30) - (y < 30) == corner[1]
    assert wedge.pale and wedge.at == (30, 30) and math.dist(wedge.to, arrow.points[-1]) < 20


@pytest.mark.parametrize(
    ("on", "path", "value"),
    [
        ("sea", "A1 → A2 → A4", "A2 → A4"),
        ("sea", "A1..A3 → C3", "A3 → C3"),
        ("start", "0,0 → 1,0 → 1,1 → 3,0", "1,1"),
        ("start", "0,0 → 2,0", "0,0 → 2,0"),
        ("track", "Gold 0 → Gold 2", "Gold 0 → Gold 2"),
    ],
)
def test_a_step_that_is_no_neighbour_is_named(game: Game, on: str, path: str, value: str) -> None:
    """Squares of dominoes touch by their sides, spaces of a track in its order; what jumps may."""
    assert fault(game, on, f"arrow | {path} |").value == value
    if fault(game, on, f"arrow | {path} |").rule == "far-step":
        assert drawn(game, on, f"arrow | {path} | jump")


def test_squares_are_neighbours_as_the_board_moves(tmp_path: Path) -> None:
    """Without a word of it the corners count; where ``[movement]`` has no diagonal steps they do not."""
    straight = stage_game(tmp_path, STRAIGHT)

    assert fault(straight, "sea", "arrow | A1 → B2 |").rule == "far-step"
    assert drawn(straight, "sea", "arrow | A1 → B1 → B2 |")


# --- the picture ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "crop"),
    [
        ("", Rect(20, 0, 60, 60)),
        ('" margin="0', Rect(40, 20, 20, 20)),
        ('" margin="0.5', Rect(30, 10, 40, 40)),
        ('" crop="B2; C3', Rect(0, 0, 80, 80)),
        ('" crop="A3; C3" margin="0', Rect(40, 0, 20, 60)),
        ('" crop="all', Rect(0, 0, 80, 80)),
    ],
)
def test_a_crop_is_around_what_is_named(game: Game, settings: str, crop: Rect) -> None:
    """With a field around it, never beyond the board."""
    assert drawn(game, f"sea{settings}", "cross | B3 |").crop == crop


SETTINGS = (
    'see|see', '|', 'cards|cards', 'tiles/rref|rref', 'sea" colour="wnie|wnie', 'sea" margin="much|much',
    'sea" margin="99|99', 'sea" width="wide|wide', 'sea" corp="A1|corp', 'sea" names="maybe|maybe', 'sea" float="true|true',
    'sea" on="moor|on', 'sea" crop="all" margin="much|much', 'sea" crop|crop', 'sea" crop="E9|E9', 'sea/north|north',
)  # fmt: skip


@pytest.mark.parametrize("typed", SETTINGS)
def test_settings_that_cannot_be_are_named(game: Game, typed: str) -> None:
    on, _, value = typed.rpartition("|")
    wrong = fault(game, on, "cross | A1 |")

    assert (wrong.place.row, wrong.value.split()[0].strip('"') if wrong.value else "") == (1, value)


def test_a_scene_of_too_many_things_is_named(game: Game) -> None:
    """Rows and places have bounds of their own; this holds for all of them together."""
    wrong = fault(game, "sea", *[f"crown | {'; '.join(['A1'] * MOST_PLACES)} |"] * 4)

    assert (wrong.rule, wrong.place.row, wrong.allowed) == ("bad-scene", 1, f"at most {MOST_THINGS}")


@pytest.mark.parametrize("seed", range(examples(60)))
def test_whatever_is_typed_is_a_scene_or_a_fault(game: Game, seed: int) -> None:
    """Words of scenes in any order, on any ground: never a traceback, and never a picture beside a fault."""
    chance = random.Random(seed)
    words = ["arrow", "highlight", "cross", "mark", "discs/red", "crown", "post", "tiles/reef", "bones/1-2", "", "/", "|"]
    places = ["A1", "D4", "Old Home", "Well", "0,0", "near", "near 1,0", "1-2 a", "Gold 1", "", "..", "→", ";", "-0,1"]
    ways = ["", "back", "90", "1/6", "faces A2", "faces near", "curved", "jump", "turn", "numbered", "7", "..", "²"]
    grounds = ["sea", "moor", "track", "start", "street", "tiles", "tiles/port", "bones", "bones/1-2", "cards"]

    def some(of: list[str], between: str) -> str:
        return between.join(chance.choice(of) for _ in range(chance.randint(1, 4)))

    rows = [
        f"{chance.choice(words)} | {some(places, chance.choice([' → ', '; ', '..']))} | {some(ways, ' ')}"
        for _ in range(chance.randint(1, 5))
    ]
    made = read(game, scene(chance.choice(grounds) + chance.choice(["", '" crop="all', '" margin="0', '" names="x']), *rows))

    assert bool(made.wishes) != any(each.severity == "error" for each in made.faults)
    assert all(each.place.row is not None and each.message for each in made.faults)


def test_a_scene_is_a_figure(game: Game) -> None:
    """Its caption is a line of the book; it goes into boxes and rows as pictures do."""
    made = read(game, scene("sea", "cross | A1 |", caption="*No* way."))
    (figure,) = made.blocks
    assert isinstance(figure, Figure)
    assert (figure.alt, figure.width, len(figure.caption)) == ("What one sees", Width(share=1.0), 2)

    row = read(game, f":::: columns\n{scene('sea', 'cross | A1 |')}\n{scene('sea', 'cross | A2 |')}::::\n")
    box = read(game, f":::: example A walk\n{scene('sea', 'cross | A1 |')}::::\n")
    assert [type(block) for block in (*row.blocks, *box.blocks)] == [FigureRow, Box]


def test_a_fault_has_the_line_of_its_source(game: Game) -> None:
    """Also after something that was filled in; of a row that was filled in itself it is the box's."""
    source = "{{ three_lines }}\n\n" + scene("sea", "cross | A1 |", "cross | Z1 |")
    filled = source.replace("{{ three_lines }}", "one\n\ntwo\n\nthree")
    (wrong,) = read(game, filled, source).faults
    assert wrong.place.row == 7

    source = "\n" + scene("sea", "cross | {{ place }} |")
    (wrong,) = read(game, source.replace("{{ place }}", "Z1"), source).faults
    assert wrong.place.row == 2


def test_the_scene_of_the_reference_can_be_drawn(tmp_path: Path) -> None:
    """On a sea of three rows, with a ship and a coin."""
    told = (ROOT / "docs/reference/books.md").read_text(encoding="utf-8")
    typed = told[told.index("\n::: scene on=") + 1 :].partition("```")[0]
    named = GAME.replace("[component.discs]", '[component.ships]\ntemplate = "discs"').replace(
        "[component.crown]", "[component.coins]"
    )
    files = {"game.toml": named, "sea.txt": "....\n....\nh..w\n", "ships.csv": "id,fill\nanna,#ff0000\n"}
    files |= {"coins.csv": "id,fill\ngold,#ffd700\n"}
    made = read(stage_game(tmp_path, files={f"content/tiny/{name}": text for name, text in files.items()}), typed)

    assert made.faults == () and len(made.wishes) == 1
