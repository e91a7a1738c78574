"""Scenes in printed rulebooks: the pieces are where the board says, in every ink, and are heard as well as seen."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from bound import Shown
from numpy.typing import NDArray
from PIL import Image
from pypdf import PdfReader
from shapely import LineString, Polygon
from shapely import Point as Point2
from shapely import box as box2
from stage import scene, stage

from pnp.books.markdown import parse
from pnp.books.scenes import staged
from pnp.lay.scene import scene_picture, seen_of
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.shapes.affine import Rect
from pnp.shapes.outline import Point, Ring
from pnp.values.books import Arrow, Highlight, Mark, Pointer, Scene
from pnp.values.faces import Label, Stroke
from pnp.values.problems import Problems

ROOT = Path(__file__).resolve().parent.parent

BOOK = "# Stage\n\n" + scene(
    'sea" crop="all',
    "highlight | D4 |",
    "arrow | A1 → A2 → A3 | numbered",
    "discs/red | B3 |",
    "crown | C1 |",
    "cross | D1 |",
    caption="The disc goes *first*.",
)
Picture = NDArray[np.int16]


def pictures(pdf: Path) -> list[Picture]:
    """The pictures of a book on white, as another reader finds them."""
    found = []
    for page in PdfReader(pdf).pages:
        for each in page.images:
            image = Image.open(io.BytesIO(each.data)).convert("RGBA")
            paper = Image.new("RGBA", image.size, "white")
            paper.alpha_composite(image)
            found.append(np.asarray(paper.convert("RGB")).astype(np.int16))
    return found


def middle(picture: Picture, colour: tuple[int, int, int]) -> tuple[float, float]:
    """Where the dots of a colour have their middle, as shares of the picture."""
    ys, xs = np.nonzero(np.abs(picture - np.array(colour)).max(axis=2) < 12)
    assert len(xs), f"nothing is {colour}"
    return float((xs.mean() + 0.5) / picture.shape[1]), float((ys.mean() + 0.5) / picture.shape[0])


def box(picture: Picture, colour: tuple[int, int, int]) -> tuple[float, float]:
    """How wide and high what has a colour is, as shares of the picture."""
    ys, xs = np.nonzero(np.abs(picture - np.array(colour)).max(axis=2) < 12)
    return float(np.ptp(xs) + 1) / picture.shape[1], float(np.ptp(ys) + 1) / picture.shape[0]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = stage(tmp_path_factory.mktemp("stage"), BOOK)
    result = made.build()
    assert not result.problems.errors, [str(problem) for problem in result.problems]
    return made.project.root / "output" / "tiny"


@pytest.mark.parametrize("name", ["a4/rulebook.pdf", "a4/rulebook-a5.pdf"])
def test_pieces_are_where_the_board_says_in_their_size(built: Path, name: str) -> None:
    """B3 is the middle of 40 to 60 mm of 80, 20 to 40 mm from above; a disc is 8 mm wide."""
    (picture,) = pictures(built / name)

    assert middle(picture, (255, 0, 0)) == pytest.approx((50 / 80, 30 / 80), abs=0.004)
    assert box(picture, (255, 0, 0)) == pytest.approx((8 / 80, 8 / 80), abs=0.006)
    assert middle(picture, (0, 0, 255)) == pytest.approx((10 / 80, 50 / 80), abs=0.004)


def test_marks_are_where_the_board_says(built: Path) -> None:
    """The cross in the middle of its field; the arrows and numbers of steps from A1 to A3; the highlight within D4."""
    (picture,) = pictures(built / "a4" / "rulebook.pdf")
    dots = np.abs(picture - np.array((0x6B, 0x1F, 0x3A))).max(axis=2) < 12
    high, wide = dots.shape
    ys, xs = np.nonzero(dots[: high // 4])
    on_line = np.nonzero(dots[high // 8])[0] * 80 / wide

    assert middle(picture, (0xC7, 0x0F, 0x1F)) == pytest.approx((10 / 80, 70 / 80), abs=0.006)
    assert 14 < on_line.min() < 18 and 42 < on_line.max() < 46
    assert not ((on_line > 26) & (on_line < 34)).any(), "the middle of A2, where its sign is, stays free"
    assert xs.max() / wide < 60 / 80 and ys.max() / high < 15 / 80
    ys, xs = np.nonzero(dots[high // 2 :])
    assert xs.min() / wide > 60 / 80 and ys.min() > high // 4


def test_a_scene_is_heard(built: Path) -> None:
    """Its alt text is in the tagged file and on the page for the phone, where its caption is."""
    whole = PdfReader(built / "a4" / "rulebook-a5.pdf")
    alts = [value for number in range(1, len(whole.xref[0]) + 400) if (value := _alt(whole, number))]
    page = (built / "rulebook.html").read_text(encoding="utf-8")

    assert "What one sees" in alts
    assert 'alt="What one sees"' in page and "The disc goes first." in Shown(page).words


def _alt(reader: PdfReader, number: int) -> str:
    from pypdf.generic import DictionaryObject, IndirectObject

    try:
        found = IndirectObject(number, 0, reader).get_object()
    except Exception:
        return ""
    return str(found.get("/Alt", "")) if isinstance(found, DictionaryObject) else ""


@pytest.mark.parametrize("ink", ["grey", "low-ink"])
def test_inks_hold_for_scenes(tmp_path: Path, ink: str) -> None:
    """In greys nothing of a scene has a colour; what saves ink keeps the shapes."""
    made = stage(tmp_path, BOOK)
    assert not made.build(ink=ink).problems.errors
    (picture,) = pictures(tmp_path / "output" / "tiny" / ink / "a4" / "rulebook.pdf")

    coloured = np.ptp(picture, axis=2).max() > 3
    assert coloured == (ink != "grey")
    assert picture.min() < 130


def test_a_wrong_scene_keeps_everything_back(tmp_path: Path) -> None:
    """Each fault with its line; nothing is written."""
    made = stage(
        tmp_path, "# Stage\n\n" + scene("sea", "discs/rad | B3 |", "cross | A9 |", "arrow | A1 → A3 |", "mark | A1 | 兵")
    )
    found = made.build().problems.errors

    assert [(problem.rule, str(problem.place)) for problem in found] == [
        ("unknown-piece", "content/tiny/rulebook.md:6"),
        ("unknown-place", "content/tiny/rulebook.md:7"),
        ("far-step", "content/tiny/rulebook.md:8"),
        ("missing-glyph", "content/tiny/rulebook.md:9"),
    ]
    assert not (tmp_path / "output").exists()


@pytest.mark.parametrize("on", ["start", "track", "moor", 'bones/1-2" width="30mm'])
def test_every_ground_can_be_printed(tmp_path: Path, on: str) -> None:
    """With all that may stand there; on what is laid, on boards whose maps differ, on one piece."""
    place = {"track": "Gold 1", "moor": "A1"}.get(on, "0,0")
    marks = (f"{what} | {place} | {how}" for what, how in (("highlight", ""), ("cross", ""), ("mark", "here we go")))
    made = stage(tmp_path, "# Stage\n\n" + scene(on, *marks, f"post | {place} |", f"discs/green | {place} | back 30"))

    assert not made.build().problems.errors
    assert len(pictures(tmp_path / "output" / "tiny" / "a4" / "rulebook.pdf")) == 1


def test_the_scene_of_the_how_to_can_be_drawn() -> None:
    """Its pieces and squares are those of Pirates on the Prowl, of which its picture is made."""
    typed = re.findall(r"^```markdown\n(::: scene.*?)^```", (ROOT / "docs/how-to/rulebooks.md").read_text(), re.M | re.S)
    game = read_game(Project(ROOT), "pirates-on-the-prowl", Problems())
    assert game is not None and len(typed) == 1

    text = parse(typed[0], typed[0], [], "en", stage=partial(staged, game, "#000000"))
    assert text.faults == () and len(text.wishes) == 1


def test_pieces_are_turned_clockwise(tmp_path: Path) -> None:
    """Of a card of 63 × 88 mm about (50, 50) that is turned by 60 degrees the uppermost corner is its upper left one."""
    made = stage(tmp_path, "# Stage\n\n" + scene('sea" crop="all', "cards | C3 | 60"))

    assert not made.build().problems.errors
    (picture,) = pictures(tmp_path / "output" / "tiny" / "a4" / "rulebook.pdf")
    ys, xs = np.nonzero(np.abs(picture - np.array((0, 0, 255))).max(axis=2) < 12)
    assert xs[ys.argmin()] / picture.shape[1] == pytest.approx((50 - 31.5 * 0.5 + 44 * 0.866) / 80, abs=0.02)


def test_heads_are_not_cut_off(tmp_path: Path) -> None:
    """A post is 16 mm high and stands on a field of 20: the picture reaches above the board."""
    made = stage(tmp_path, "# Stage\n\n" + scene('sea" margin="0', "post | A1 |"))

    assert not made.build().problems.errors
    (picture,) = pictures(tmp_path / "output" / "tiny" / "a4" / "rulebook.pdf")
    ys, _ = np.nonzero(np.abs(picture - np.array((255, 0, 255))).max(axis=2) < 12)
    assert 0 < ys.min() < ys.max() < picture.shape[0] - 1
    assert picture.shape[0] > picture.shape[1]


def test_a_fallen_piece_is_as_wide_as_it_was_high(tmp_path: Path) -> None:
    """A post seen from the front is 8 mm wide and 16 mm high; on its side it lies on the same line."""
    made = stage(tmp_path, "# Stage\n\n" + scene('table" grid="20mm', "post | 1,1 | front", "post | 3,1 | front 90"))

    assert not made.build().problems.errors
    (picture,) = pictures(tmp_path / "output" / "tiny" / "a4" / "rulebook.pdf")
    dots = np.abs(picture - np.array((255, 0, 255))).max(axis=2) < 12
    up, side = (np.nonzero(half) for half in np.array_split(dots, 2, axis=1))
    high, wide = (np.ptp(up[axis]) + 1 for axis in (0, 1))
    assert high == pytest.approx(2 * wide, rel=0.1)
    assert (np.ptp(side[1]) + 1, np.ptp(side[0]) + 1) == pytest.approx((high, wide), rel=0.03)
    assert side[0].max() == pytest.approx(up[0].max(), abs=2)


@pytest.mark.parametrize(("at", "text"), [("A1", "x" * 40), ("D4", "x" * 40), ("B2", "7" * 3)])
def test_a_mark_is_within_its_picture(at: str, text: str) -> None:
    """At the edge, and of forty letters on a small one."""
    spot = {"A1": (1.0, 1.0), "B2": (30.0, 30.0), "D4": (79.0, 79.0)}[at]
    shown = Scene((Mark(spot, text),), Rect(0, 0, 80, 80), 20, "#6b1f3a", True)
    made = scene_picture(shown, {}, lambda text, size: len(text) * size * 0.3, str, 60)
    points = [point for item in made.items if isinstance(item, Stroke) for point in item.points]
    assert min(x for x, _ in points) >= 0 and max(x for x, _ in points) <= 60
    assert min(y for _, y in points) >= 0 and max(y for _, y in points) <= 60


@pytest.mark.parametrize("to", [(60.0, 40.0), (30.0, 57.32), (40.0, 20.0)])
def test_where_a_piece_faces_is_the_sharpest_corner(to: Point) -> None:
    shown = Scene((Pointer((40.0, 40.0), to),), Rect(0, 0, 80, 80), 20, "#6b1f3a", True)
    made = scene_picture(shown, {}, lambda text, size: len(text) * size * 0.3, str, 80)
    (left, tip, right, _) = next(item.points for item in made.items if isinstance(item, Stroke) and not item.width)
    assert math.dist(tip, to) < math.dist(left, to) and math.dist(tip, to) < math.dist(right, to)
    assert math.dist(left, tip) == pytest.approx(math.dist(right, tip))
    assert math.dist(left, right) < 1.05 * math.dist(left, tip)


SQUARE = ((-10.0, -10.0), (10.0, -10.0), (10.0, 10.0), (-10.0, 10.0))
HEX = tuple((11.547 * math.sin(math.tau * n / 6), 11.547 * math.cos(math.tau * n / 6)) for n in range(6))
LEFT, UP, DOWN_RIGHT, HEX_UP = (-20.0, 0.0), (0.0, -20.0), (20.0, 20.0), (10.0, -17.32)


def entered(field: Ring, way: Sequence[Point], crop: Rect) -> tuple[Point, float, list[Stroke]]:
    """Where the disc of a step onto the field around 0,0 is, its radius with the rim, and all that is drawn."""
    shown = Scene((Arrow(tuple(way), entered=(field,)),), crop, 20, "#6b1f3a", True)
    made = scene_picture(shown, {}, lambda text, size: len(text) * size * 0.18, str, crop.width)
    (number,) = (item for item in made.items if isinstance(item, Label))
    strokes = [item for item in made.items if isinstance(item, Stroke)]
    disc = strokes[-2].points
    (x0, x1), (y0, y1) = ((min(axis), max(axis)) for axis in zip(*disc, strict=True))
    assert number.text == "1" and x0 < number.x < x1
    return ((x0 + x1) / 2 + crop.x, (y0 + y1) / 2 + crop.y), (x1 - x0) / 2 + 0.45 * 1.4, strokes[:-2]


WIDE = Rect(-40, -40, 80, 80)


def test_a_number_keeps_off_the_frame_of_a_highlight() -> None:
    """The frame reaches 1.9 lines into its field, a line is 1.4 mm here."""
    things = (Highlight((SQUARE,)), Arrow((LEFT, (0.0, 0.0)), entered=(SQUARE,)))
    made = scene_picture(Scene(things, WIDE, 20, "#6b1f3a", True), {}, lambda text, size: len(text) * size * 0.18, str, 80)
    disc = [item for item in made.items if isinstance(item, Stroke)][-2].points
    assert all(max(abs(x + WIDE.x), abs(y + WIDE.y)) <= 10 - 1.9 * 1.4 for x, y in disc)


def test_steps_without_numbers_leave_the_middles_of_their_fields_free() -> None:
    shown = Scene((Arrow((LEFT, (0.0, 0.0), (20.0, 0.0)), steps=True),), WIDE, 20, "#6b1f3a", True)
    made = scene_picture(shown, {}, lambda text, size: len(text) * size * 0.3, str, WIDE.width)

    lines = [item for item in made.items if isinstance(item, Stroke) and item.points]
    assert not [item for item in made.items if isinstance(item, Label)]
    assert all(math.hypot(x + WIDE.x, y + WIDE.y) > 0.2 * 20 for item in lines for x, y in item.points if item.fill is None)
    arrows = sorted({x + WIDE.x for item in lines for x, _ in item.points})
    assert arrows[0] < -5 < 5 < arrows[-1]


@pytest.mark.parametrize(("rows", "end"), [(("arrow", "disc"), 26.0), (("disc", "arrow"), 28.0)])
def test_an_arrow_ends_at_the_rim_of_a_piece_that_would_hide_its_tip(
    tmp_path: Path, rows: Sequence[str], end: float
) -> None:
    """From A1 to A2, whose middles are at 10 and 30 mm: before the disc of 8 mm in A2, or over it."""
    typed = {"arrow": "arrow | A1 → A2 |", "disc": "discs/red | A2 |"}
    made = stage(tmp_path, "# Stage\n\n" + scene('sea" crop="all', *(typed[row] for row in rows)))

    assert not made.build().problems.errors
    (picture,) = pictures(tmp_path / "output" / "tiny" / "a4" / "rulebook.pdf")
    dots = np.abs(picture - np.array((0x6B, 0x1F, 0x3A))).max(axis=2) < 12
    xs = np.nonzero(dots)[1] * 80 / dots.shape[1]
    assert xs.min() < 14 and end - 1 < xs.max() < end


def test_how_much_is_seen_of_an_arrow() -> None:
    """Hidden are the last 10 of 20 mm, 18 of them, or none."""
    way = ((0.0, 0.0), (20.0, 0.0))
    lid = {far: ((far, -5.0), (30.0, -5.0), (30.0, 5.0), (far, 5.0)) for far in (10.0, 2.0, 25.0)}

    ended, seen = seen_of(way, [lid[10.0]], 0.5)
    assert ended[-1] == pytest.approx((9.5, 0.0), abs=0.11) and seen == pytest.approx(9.5, abs=0.2)
    assert seen_of(way, [lid[2.0]], 0.5)[1] == pytest.approx(1.5, abs=0.2)
    assert seen_of(way, [lid[25.0]], 0.5) == (way, 20.0)


@pytest.mark.parametrize("crop", [WIDE, Rect(-40, -4, 80, 44), Rect(-40, -40, 44, 80)])
@pytest.mark.parametrize(
    ("field", "start"),
    [(SQUARE, LEFT), (SQUARE, UP), (SQUARE, DOWN_RIGHT), (HEX, LEFT), (HEX, HEX_UP)],
)
def test_the_number_of_a_step_is_in_the_field_that_it_enters(field: Ring, start: Point, crop: Rect) -> None:
    """Wholly within it and within the picture, off its middle and its borders, and not on the arrow."""
    (x, y), radius, _ = entered(field, [start, (0.0, 0.0)], crop)
    far = math.hypot(*start)

    assert Polygon(field).buffer(-0.1 * radius).contains(Point2(x, y).buffer(radius))
    assert box2(crop.x, crop.y, crop.right, crop.bottom).buffer(0.01).contains(Point2(x, y).buffer(radius))
    assert math.hypot(x, y) > 2.5
    beside = LineString([(start[0] / far * 5.6, start[1] / far * 5.6), start]).distance(Point2(x, y))
    assert beside > radius


def test_the_number_of_a_step_is_in_the_upper_corner_beside_its_arrow() -> None:
    """From the left, up there on the right; from there it is on the left."""
    (x, y), _, _ = entered(SQUARE, [LEFT, (0.0, 0.0)], WIDE)
    (other, above), _, _ = entered(SQUARE, [(20.0, -20.0), (0.0, 0.0)], WIDE)

    assert x > 4 and y < -4
    assert other < -4 and above < -4


def test_a_step_crosses_a_border_and_leaves_the_middles_free() -> None:
    """Between middles 20 mm apart it is 8.8 mm long, half of it on either side."""
    _, _, strokes = entered(SQUARE, [LEFT, (0.0, 0.0)], WIDE)
    xs = [x + WIDE.x for stroke in strokes for x, _ in stroke.points]

    assert (min(xs), max(xs)) == pytest.approx((-14.4, -5.6))


@pytest.mark.parametrize(("corner", "wide"), [((0.0, 0.0), 60.0), ((80.0, 80.0), 60.0), ((0.0, 0.0), 20.0)])
def test_words_stay_off_the_frame(corner: Point, wide: float) -> None:
    """By 2 mm and more, also on a page that makes the picture a fifth smaller; by less in a tiny picture."""
    shown = Scene((Mark(corner, "Whale Gate"),), Rect(0, 0, 80, 80), 20, "#6b1f3a", True)
    made = scene_picture(shown, {}, lambda text, size: len(text) * size * 0.18, str, wide)
    points = [point for item in made.items if isinstance(item, Stroke) for point in item.points]
    off = min(min(*point, wide - point[0], wide - point[1]) for point in points)

    assert off == pytest.approx(2.5 if wide > 50 else 1.2, abs=0.05)


@pytest.mark.parametrize(
    ("mark", "least", "most"),
    [
        (Mark((200.0, 300.0), "Whale Gate"), 7.0, 7.0),
        (Mark((200.0, 300.0), "7"), 7.0, 7.0),
        (Mark((200.0, 300.0), "7", step=True), 0.0, 4.0),
    ],
    ids=["words", "number", "step"],
)
def test_words_are_read_on_a_chart_of_many_small_fields(mark: Mark, least: float, most: float) -> None:
    """What is typed stays as large as a caption; the number of a step keeps the size of its field."""
    shown = Scene((mark,), Rect(0, 0, 400, 600), 20, "#6b1f3a", True)
    made = scene_picture(shown, {}, lambda text, size: len(text) * size * 0.18, str, 60)

    assert least <= next(item.size_pt for item in made.items if isinstance(item, Label)) <= most


def test_a_table_shows_piles_and_figures_in_their_real_sizes(tmp_path: Path) -> None:
    """A card is 63 mm wide, a disc 8; a post seen from the front stands on the lower edge of its row."""
    book = "# Stage\n\n" + scene('table" grid="100mm', "cards | 1,1 | pile 12", "discs/red | 2,1 |", "post | 3,1 | front")
    made = stage(tmp_path, book)

    assert not made.build().problems.errors
    (picture,) = pictures(tmp_path / "output" / "tiny" / "a4" / "rulebook.pdf")
    card, disc, post = (box(picture, colour) for colour in ((0, 0, 255), (255, 0, 0), (255, 0, 255)))
    assert card[0] / disc[0] == pytest.approx(63 / 8, rel=0.1)
    assert post[0] / disc[0] == pytest.approx(1, rel=0.1)
    x, y = middle(picture, (255, 0, 0))
    assert x - middle(picture, (0, 0, 255))[0] == pytest.approx(card[0] * 100 / 63, rel=0.02)
    assert middle(picture, (255, 0, 255))[1] > y
    # The sheets below the uppermost are white, and stick out on its right.
    row = picture[int(middle(picture, (0, 0, 255))[1] * picture.shape[0])]
    right = int((middle(picture, (0, 0, 255))[0] + card[0] / 2) * picture.shape[1])
    assert (row[right + 3 : right + 12].min(axis=1) > 250).any()
    assert (picture[3, 3] == (0xEE, 0xF1, 0xF5)).all()
