"""The duplex test, printed by a simulated printer, held to the light and read: the signs must be right; so are backs.

The printer knows nothing of our formulas: it puts what belongs at p on the back to ``shift + turn(p)``.
The person knows nothing of them either: they see the back's ticks through the paper, look for the two
that make one line, and read the number that is printed there.
"""

from __future__ import annotations

import cmath
import math
import re
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import get_args

import pytest
from conftest import examples
from decks import (
    DUPLEX,
    PAPERS,
    Point,
    corners,
    deck,
    deck_lists,
    faces,
    labels,
    lay,
    lines,
    papers,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.lay.grid import back_map, correction, find_grid, paper_turn
from pnp.lay.testpages import LEAST, duplex_test
from pnp.read.presets import paper
from pnp.shapes.affine import Affine, Calibration, Flip, Rect, translation
from pnp.shapes.units import PT_PER_MM
from pnp.system.printers import parse
from pnp.values.faces import Deck, Line, Page
from pnp.values.game import Backs, Paper
from pnp.write.pdf import text_width

SCALES = ("top", "bottom", "left", "right")
flips = st.sampled_from(get_args(Flip))
quarters = st.integers(-12, 12).map(lambda number: number / 4)


@dataclass(frozen=True)
class Printer:
    """Puts backs wrong: turned about the middle of the paper, clockwise as one looks at the back, then shifted."""

    right: float = 0.0
    down: float = 0.0
    degrees: float = 0.0

    def puts(self, point: Point, sheet: Paper) -> Point:
        middle = complex(sheet.width, sheet.height) / 2
        turned = middle + (complex(*point) - middle) * cmath.rect(1, math.radians(self.degrees))
        return turned.real + self.right, turned.imag + self.down


def scale_of(start: Point, end: Point, sheet: Paper) -> str | None:
    """Which scale a tick belongs to; nothing else on the pages is 5 mm long."""
    if not math.isclose(math.dist(start, end), 5, abs_tol=1e-6):
        return None
    if abs(start[0] - end[0]) < abs(start[1] - end[1]):
        return "top" if start[1] < sheet.height / 2 else "bottom"
    return "left" if start[0] < sheet.width / 2 else "right"


def places(page: Page, scale: str, seen: dict[Line, tuple[Point, Point]]) -> list[float]:
    """Where a scale's ticks stand along it, in order; ``seen`` tells where each line is seen."""
    along = 0 if scale in ("top", "bottom") else 1
    return sorted(ends[0][along] for ends in seen.values() if scale_of(*ends, page.paper) == scale)


def from_the_front(front: Page) -> dict[Line, tuple[Point, Point]]:
    return {line: ((line.x1, line.y1), (line.x2, line.y2)) for line in lines(front)}


def through_the_paper(back: Page, printer: Printer, flip: Flip = "long-edge") -> dict[Line, tuple[Point, Point]]:
    """The back's lines as printed, seen from the front: left and right exchanged, as on a leaf that is turned; of one that
    is turned over at its foot top and bottom."""

    def see(point: Point) -> Point:
        x, y = printer.puts(point, back.paper)
        return (back.paper.width - x, y) if flip == "long-edge" else (x, back.paper.height - y)

    return {line: (see((line.x1, line.y1)), see((line.x2, line.y2))) for line in lines(back)}


def numbers(front: Page, scale: str) -> list[tuple[float, float]]:
    """(place, number) of what is printed at the ends of a scale's ticks, in order of place."""
    level = scale in ("top", "bottom")
    printed = [label for label in labels(front) if re.fullmatch(r"[+-]?\d+(\.\d+)?", label.text)]
    # The middle of a digit's height is 0.7 mm above its baseline.
    spots = [((label.x, label.y if level else label.y - 0.7), float(label.text)) for label in printed]
    found = []
    for start, end in from_the_front(front).values():
        if scale_of(start, end, front.paper) == scale:
            for spot, number in spots:
                if abs(spot[0 if level else 1] - end[0 if level else 1]) < 0.01 and math.dist(spot, end) < 4:
                    found.append((start[0 if level else 1], number))
    return sorted(found)


def number_at(front: Page, scale: str, place: float) -> float:
    """The number at a place, or between the two numbers on either side of it."""
    known = numbers(front, scale)
    for (low, first), (high, second) in pairwise(known):
        if low - 0.01 <= place <= high + 0.01:
            return first + (second - first) * (place - low) / (high - low)
    raise AssertionError(f"no number at {place}")


def read(front: Page, back: Page, printer: Printer, scale: str, flip: Flip = "long-edge") -> float:
    """The number where a tick of the back best continues a tick of the front."""
    mine = places(front, scale, from_the_front(front))
    theirs = places(back, scale, through_the_paper(back, printer, flip))
    _, place = min((abs(one - two), one) for one in mine for two in theirs)
    return number_at(front, scale, place)


def read_between(front: Page, back: Page, printer: Printer, scale: str, flip: Flip = "long-edge") -> float:
    """As :func:`read`, but judging also how far between two ticks they would meet."""
    mine = places(front, scale, from_the_front(front))
    theirs = places(back, scale, through_the_paper(back, printer, flip))
    off = [two - one for one, two in zip(mine, theirs, strict=True)]
    for at, (here, following) in enumerate(pairwise(off)):
        if here <= 0 < following:
            return number_at(front, scale, mine[at] + (mine[at + 1] - mine[at]) * -here / (following - here))
    raise AssertionError("the ticks meet nowhere")


def angle_by_the_page(front: Page, left: float, right: float) -> float:
    """The formula that is printed on the page, worked out as printed."""
    (formula,) = (label.text for label in labels(front) if label.text.startswith("angle:"))
    found = re.search(r"\((\w+) dy - (\w+) dy\) × ([\d.]+) / ([\d.]+), if the two differ by more than 0.25, else 0", formula)
    assert found
    seen = {"left": left, "right": right}
    return (seen[found[1]] - seen[found[2]]) * float(found[3]) / float(found[4])


def residue(sheet: Paper, printer: Printer, typed: str) -> float:
    """How far off backs are, at worst, all over the sheet, once the printer is corrected by what was typed."""
    corrected = correction(parse(typed), sheet)
    ideal = [(sheet.width * x / 4, sheet.height * y / 4) for x in range(5) for y in range(5)]
    return max(math.dist(printer.puts(corrected.point(*point), sheet), point) for point in ideal)


@settings(max_examples=examples(60), deadline=None)
@given(papers, flips, quarters, quarters)
def test_typing_what_is_read_cancels_a_shift(sheet: Paper, flip: Flip, right: float, down: float) -> None:
    """The number printed where two ticks meet, typed as it stands, puts every back in its place."""
    printer = Printer(right, down)
    front, back = duplex_test(sheet, Calibration(flip=flip))
    top, bottom, left, right_hand = (read(front, back, printer, scale, flip) for scale in SCALES)
    assert top == pytest.approx(bottom, abs=1e-6)
    assert left == pytest.approx(right_hand, abs=1e-6)
    assert residue(sheet, printer, f"{top},{left}") < 0.01


@settings(max_examples=examples(60), deadline=None)
@given(papers, flips, st.floats(-1.2, 1.2))
def test_the_printed_formula_finds_the_turn(sheet: Paper, flip: Flip, degrees: float) -> None:
    """Left and right scale tell the angle that turns backs upright again, to a twentieth of a degree."""
    printer = Printer(degrees=degrees)
    front, back = duplex_test(sheet, Calibration(flip=flip))
    left, right = (read_between(front, back, printer, scale, flip) for scale in ("left", "right"))
    angle = angle_by_the_page(front, left, right)
    assert angle == pytest.approx(-degrees, abs=0.05)
    # 0.05 degrees are 0.15 mm in a corner of A4 and 0.23 mm in one of A3.
    assert residue(sheet, printer, f"0,0,{angle}") < 0.25


@pytest.mark.parametrize("sheet", PAPERS, ids=lambda sheet: sheet.name)
def test_scales_reach_three_millimetres_each_way(sheet: Paper) -> None:
    """Numbers from −3 to 3 in halves beside every second tick, all ticks on the paper."""
    front, back = duplex_test(sheet, Calibration())
    halves = [step / 2 for step in range(-6, 7)]
    for scale in SCALES:
        assert sorted(number for _, number in numbers(front, scale)) == halves
    for page in (front, back):
        for line in lines(page):
            assert all(4 <= x <= sheet.width - 4 for x in (line.x1, line.x2))
            assert all(4 <= y <= sheet.height - 4 for y in (line.y1, line.y2))


@pytest.mark.parametrize("sheet", [*PAPERS, Paper("least", *LEAST)], ids=lambda sheet: sheet.name)
def test_words_and_numbers_of_the_test_can_be_read(sheet: Paper) -> None:
    """No line and no other word goes through a word; all words are on the paper."""
    for page in duplex_test(sheet, Calibration()):
        boxes = []
        for label in labels(page):
            em, wide = label.size_pt / PT_PER_MM, text_width(label.text, label.size_pt)
            start = {"start": 0, "middle": wide / 2, "end": wide}[label.anchor]
            boxes.append((label.text, Rect(label.x - start, label.y - 0.66 * em, wide, 0.66 * em)))
        for text, box in boxes:
            assert box.x >= 4, text
            assert box.right <= sheet.width - 4, text
            for line in lines(page):
                left, right = sorted((line.x1, line.x2))
                top, bottom = sorted((line.y1, line.y2))
                assert right <= box.x or left >= box.right or bottom <= box.y or top >= box.bottom, text
        for (one, mine), (two, other) in combinations(boxes, 2):
            beside = mine.right <= other.x or other.right <= mine.x
            assert beside or mine.bottom <= other.y or other.bottom <= mine.y, (one, two)


@pytest.mark.parametrize("sheet", PAPERS, ids=lambda sheet: sheet.name)
def test_the_test_page_shows_a_scaled_print(sheet: Paper) -> None:
    """A bar of 100 mm and the outline of a 63 × 88 mm card can be measured."""
    front, _ = duplex_test(sheet, Calibration())
    level = [abs(line.x2 - line.x1) for line in lines(front) if line.y1 == line.y2]
    upright = [abs(line.y2 - line.y1) for line in lines(front) if line.x1 == line.x2]
    assert any(math.isclose(found, 100) for found in level)
    assert sum(math.isclose(found, 63) for found in level) == 2
    assert sum(math.isclose(found, 88) for found in upright) == 2
    assert any("100 mm" in label.text for label in labels(front))


@settings(max_examples=examples(40), deadline=None)
@given(papers, quarters, quarters, st.floats(-1, 1))
def test_a_second_test_shows_zeros(sheet: Paper, right: float, down: float, degrees: float) -> None:
    """Printed with the right calibration, every scale of the test reads 0."""
    # What undoes "turn, then shift" is the turn back of the shift back, after the turn back.
    back_shift = -complex(right, down) * cmath.rect(1, -math.radians(degrees))
    measured = Calibration(back_shift.real, back_shift.imag, -degrees)
    front, back = duplex_test(sheet, measured)
    for scale in SCALES:
        assert read_between(front, back, Printer(right, down, degrees), scale) == pytest.approx(0, abs=1e-3)


hundredths = st.integers(1500, 12000).map(lambda number: number / 100)
sizes = st.tuples(hundredths, hundredths)
NO_FOLD = find_grid(paper("a4"), 63, 88, 3, "none")
calibrations = st.builds(Calibration, st.floats(-3, 3), st.floats(-3, 3), st.floats(-2, 2))


def near(one: Point, two: Point, within: float = 0.001) -> bool:
    return math.dist(one, two) <= within


def same(found: Affine, wanted: Affine) -> bool:
    return all(math.isclose(getattr(found, part), getattr(wanted, part), abs_tol=1e-9) for part in "abcdef")


@settings(max_examples=examples(100), deadline=None)
@given(papers, sizes, st.floats(5, 50), st.floats(5, 50))
def test_upright_backs_follow_the_reference(sheet: Paper, size: tuple[float, float], x: float, y: float) -> None:
    """Long edge: x' = W − x − w, y' = y, upright. Short edge: x' = x, y' = H − y − h, on its head.

    By docs/how-it-works/print.md#where-a-back-goes.
    """
    (width, height), front = size, translation(x, y)
    long = back_map(front, paper_turn(sheet, "long-edge", NO_FOLD), width)
    short = back_map(front, paper_turn(sheet, "short-edge", NO_FOLD), width)
    assert same(long, translation(sheet.width - x - width, y))
    # On its head: the face's top left corner is the lower right one of its place.
    assert same(short, Affine(-1, 0, 0, -1, x + width, sheet.height - y))
    assert short.bounds(Rect(0, 0, *size)).y == pytest.approx(sheet.height - y - height)


@settings(max_examples=examples(60), deadline=None)
@given(deck_lists(), papers, st.sampled_from(DUPLEX), calibrations)
def test_calibration_moves_all_backs_and_nothing_else(
    decks: list[Deck], sheet: Paper, backs: Backs, measured: Calibration
) -> None:
    """Backs turn about the page's middle and shift by what was stored; fronts, marks and words stay."""
    plain, moved = lay(decks, sheet, backs).pages, lay(decks, sheet, backs, calibration=measured).pages
    centre = complex(sheet.width / 2, sheet.height / 2)
    turn, shift = cmath.exp(1j * math.radians(measured.angle)), complex(measured.dx, measured.dy)
    for before, after in zip(plain, moved, strict=True):
        assert (labels(before), lines(before)) == (labels(after), lines(after))
        if before.side == "front":
            assert faces(before) == faces(after)
            continue
        for one, two in zip(faces(before), faces(after), strict=True):
            assert (one.name, one.face, one.side, one.clip) == (two.name, two.face, two.side, two.clip)
            for ideal, found in zip(corners(one.matrix, one.face), corners(two.matrix, two.face), strict=True):
                wanted = centre + (complex(*ideal) - centre) * turn + shift
                assert near(found, (wanted.real, wanted.imag), 1e-6)


@pytest.mark.parametrize("backs", ["gutterfold", "none"])
def test_calibration_is_for_the_other_side_of_the_paper(backs: Backs) -> None:
    """A sheet printed on one side has no error between its sides."""
    decks = [deck("a", [5, 2])]
    assert lay(decks, paper("a4"), backs).pages == lay(decks, paper("a4"), backs, calibration=Calibration(1, 2, 0.5)).pages
