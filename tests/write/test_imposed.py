"""Booklets folded on paper: a book whose pages carry their numbers is imposed, and read again from where the numbers lie.

The numbers are found with poppler, which has no part in writing the files.
"""

from __future__ import annotations

import io
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conftest import examples, tool
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from reportlab.pdfgen.canvas import Canvas

from pnp.lay.impose import booklet, booklet_sides, card_sides
from pnp.read.presets import paper
from pnp.values.game import Paper
from pnp.write.pdf import write_imposed

MM = 72 / 25.4
A4, LETTER = paper("a4"), paper("letter")
# Where a page's number stands on it, in mm from its top left, and how large it is, in pt.
AT, SIZE = (20.0, 50.0), 40.0
NEAR = 0.05


@dataclass(frozen=True)
class Number:
    """A page number as it lies on a printed side: the left top of its box and its size, in mm from the side's top left."""

    page: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Printed:
    """A printed side: its size in mm and the numbers on it."""

    width: float
    height: float
    numbers: tuple[Number, ...]

    def half(self, right: bool) -> int | None:
        """The page on one half; None where it is blank. A number lies wholly on its half, and there is one."""
        found = [number for number in self.numbers if (number.x > self.width / 2) == right]
        assert len(found) <= 1
        assert all(right or number.x + number.width < self.width / 2 for number in found)
        return found[0].page if found else None


@cache
def book(pages: int, on: Paper) -> bytes:
    """A book whose pages say nothing but their number."""
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(on.width * MM, on.height * MM), invariant=1)
    for number in range(1, pages + 1):
        canvas.setFont("Helvetica", SIZE)
        canvas.drawString(AT[0] * MM, (on.height - AT[1]) * MM, str(number))
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def numbers(pdf: bytes) -> list[Printed]:
    """What poppler sees on each page."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "file.pdf"
        file.write_bytes(pdf)
        done = subprocess.run(
            [tool("pdftotext"), "-bbox", str(file), "-"], capture_output=True, text=True, timeout=60, check=True
        )
    sides = []
    for size, content in re.findall(r"<page ([^>]*)>(.*?)</page>", done.stdout, re.DOTALL):
        width, height = (float(part) / MM for part in re.findall(r'"([\d.]+)"', size))
        found = []
        for box, said in re.findall(r"<word ([^>]*)>(\d+)</word>", content):
            x1, y1, x2, y2 = (float(part) / MM for part in re.findall(r'"(-?[\d.]+)"', box))
            found.append(Number(int(said), x1, y1, x2 - x1, y2 - y1))
        sides.append(Printed(width, height, tuple(found)))
    return sides


def imposed(pages: int, on: Paper, thickness: float = 0.0) -> list[Printed]:
    """A booklet of so many numbered pages as it is printed."""
    return numbers(write_imposed(book(pages, on.halved()), booklet_sides(pages, on, thickness), "Fair", "en", "test"))


def folded(sides: list[Printed]) -> list[int | None]:
    """The pages as one turns them.

    Sides are printed in turn on the fronts and backs of sheets that lie across and are turned over about their short
    edge, so that what is left on the back is behind what is right on the front. The stack, its first sheet at the
    bottom with its front down, is folded in the middle and opened at the right half of the first front.
    """
    sheets = list(zip(sides[::2], sides[1::2], strict=True))
    leaves = [(front.half(right=True), back.half(right=False)) for front, back in sheets]
    leaves += [(back.half(right=True), front.half(right=False)) for front, back in reversed(sheets)]
    return [page for leaf in leaves for page in leaf]


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(4, 64), st.sampled_from([A4, LETTER]), st.sampled_from([0.0, 0.1, 0.3]))
@example(4, A4, 0.0)
@example(5, LETTER, 0.1)
@example(64, A4, 0.3)
def test_a_folded_booklet_reads_from_the_first_page_to_the_last(pages: int, on: Paper, thickness: float) -> None:
    """Every page is there once and in order; the last one is the back cover, blanks stand before it."""
    sides = imposed(pages, on, thickness)
    read = folded(sides)
    blanks = -pages % 4

    assert read == [*range(1, pages), *[None] * blanks, pages]
    assert len(sides) == (pages + blanks) // 2


@given(st.integers(1, 80))
def test_a_booklet_that_is_read_from_the_right_has_the_halves_of_each_side_exchanged(pages: int) -> None:
    """Its spine is at the right."""
    ours, theirs = (
        [(side.left, side.right) for sheet in booklet(pages, leftwards=way) for side in (sheet.front, sheet.back)]
        for way in (False, True)
    )
    assert theirs == [side[::-1] for side in ours]


@pytest.mark.parametrize("on", [A4, LETTER])
def test_pages_keep_their_size_and_place(on: Paper) -> None:
    """Printed at 100 %: a number is as large as in the book, and as far from the edges of its half."""
    original = {side.numbers[0].page: side.numbers[0] for side in numbers(book(12, on.halved()))}
    sides = imposed(12, on)

    assert sorted(number.page for side in sides for number in side.numbers) == list(range(1, 13))
    for side in sides:
        for number in side.numbers:
            own, edge = original[number.page], side.width / 2 if number.x > side.width / 2 else 0.0
            assert (number.width, number.height) == pytest.approx((own.width, own.height), abs=NEAR)
            assert (number.x - edge, number.y) == pytest.approx((own.x, own.y), abs=NEAR)


@pytest.mark.parametrize("thickness", [0.1, 0.25])
def test_creep_moves_inner_pages_towards_the_fold(thickness: float) -> None:
    """Each sheet by one leaf more than the one around it; the outermost stays, and up and down nothing moves."""
    still, moved = imposed(24, A4), imposed(24, A4, thickness)

    for index, (before, after) in enumerate(zip(still, moved, strict=True)):
        sheet = index // 2
        for one, other in zip(before.numbers, after.numbers, strict=True):
            inwards = -1 if one.x > before.width / 2 else 1
            assert other.page == one.page
            assert other.x - one.x == pytest.approx(inwards * sheet * thickness, abs=0.02)
            assert other.y == pytest.approx(one.y, abs=0.001)


@pytest.mark.parametrize("pages", [1, 2])
def test_cards_are_two_up(pages: int) -> None:
    """Each page twice on a side, alike on both halves: cut in the middle, they are two cards, each with its own back."""
    sides = numbers(write_imposed(book(pages, A4.halved()), card_sides(pages, A4), "Fair", "en", "test"))

    assert [(side.half(right=False), side.half(right=True)) for side in sides] == [
        (page, page) for page in range(1, pages + 1)
    ]
    for side in sides:
        left, right = sorted(side.numbers, key=lambda number: number.x)
        assert right.x - left.x == pytest.approx(side.width / 2, abs=NEAR)
        assert right.y == pytest.approx(left.y, abs=NEAR)


@pytest.fixture(scope="module")
def ten() -> bytes:
    """A booklet of ten pages."""
    return write_imposed(book(10, A4.halved()), booklet_sides(10, A4, 0.1), "Fair: Rules", "en-GB", "the test")


def test_the_file_says_how_it_is_printed(ten: bytes) -> None:
    """At 100 %, on both sides, turned about the short edge; with its title and language."""
    reader = PdfReader(io.BytesIO(ten))
    root = reader.trailer["/Root"]

    assert dict(root["/ViewerPreferences"]) == {
        "/PrintScaling": "/None",
        "/Duplex": "/DuplexFlipShortEdge",
        "/DisplayDocTitle": True,
    }
    assert root["/Lang"] == "en-GB"
    assert reader.metadata is not None
    assert (reader.metadata.title, reader.metadata.creator) == ("Fair: Rules", "the test")


def test_a_page_is_in_the_file_once(ten: bytes) -> None:
    """Its drawings and fonts are not copied, whatever the order."""
    reader = PdfReader(io.BytesIO(ten))
    forms = {
        reference.idnum
        for page in reader.pages
        for reference in (page["/Resources"]["/XObject"].raw_get(name) for name in page["/Resources"]["/XObject"])
    }

    assert len(forms) == 10


def test_ticks_show_where_to_fold(ten: bytes) -> None:
    """Two short lines in the middle of every side, above and below; only at the edges, outside what is read."""
    for page in PdfReader(io.BytesIO(ten)).pages:
        content = page.get_contents()
        assert content is not None
        lines = re.findall(r"([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l S", content.get_data().decode())
        ends = sorted((float(y1) / MM, float(y2) / MM) for _, y1, _, y2 in lines)
        assert [float(x) / MM for x1, _, x2, _ in lines for x in (x1, x2)] == pytest.approx([148.5] * 4, abs=0.01)
        assert len(ends) == 2 and max(ends[0]) <= 10 and min(ends[1]) >= 200
