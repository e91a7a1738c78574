"""Ink on pages of known colours, and what paper and print cost."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from pnp.values.game import Paper
from pnp.write.png import Ink, SheetRun, coverage, estimate

A4 = Paper("a4", 210, 297)
MM = 72 / 25.4
Colour = tuple[float, float, float]
BLACK: Colour = (0, 0, 0)


def printed(*pages: tuple[Colour, float] | None, paper: Paper = A4) -> bytes:
    """A PDF of pages, each painted in a colour from the top down to a share of its height; None is left blank."""
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(paper.width * MM, paper.height * MM))
    for page in pages:
        if page:
            colour, share = page
            canvas.setFillColorRGB(*colour)
            height = paper.height * MM
            canvas.rect(0, height * (1 - share), paper.width * MM, height * share, stroke=0, fill=1)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


@pytest.mark.parametrize("page", [(BLACK, 0.5), ((0.5, 0.5, 0.5), 1.0)])
def test_half_black_is_50(page: tuple[Colour, float]) -> None:
    """Half of the page in black, or all of it in a grey half as dark."""
    (ink,) = coverage(printed(page))

    assert ink.total == pytest.approx(50, abs=0.5)
    assert ink.black == pytest.approx(0.5, abs=0.005)


@pytest.mark.parametrize(
    ("colour", "cyan", "magenta", "yellow", "black"),
    [
        (BLACK, 0, 0, 0, 1), ((0, 1, 1), 1, 0, 0, 0), ((1, 0, 1), 0, 1, 0, 0), ((1, 1, 0), 0, 0, 1, 0),
        ((1, 0, 0), 0, 1, 1, 0), ((0, 1, 0), 1, 0, 1, 0), ((0, 0, 1), 1, 1, 0, 0),
        ((0.6, 0.4, 0.2), 0, 0.2, 0.4, 0.4),
    ],
)  # fmt: skip
def test_what_inks_have_in_common_is_black(colour: Colour, cyan: float, magenta: float, yellow: float, black: float) -> None:
    """Pure inks are themselves, red is magenta and yellow, and the grey part of a brown is black ink alone."""
    (ink,) = coverage(printed((colour, 1.0)))

    assert (ink.cyan, ink.magenta, ink.yellow, ink.black) == pytest.approx((cyan, magenta, yellow, black), abs=0.005)
    assert ink.total == pytest.approx(100 * (cyan + magenta + yellow + black), abs=1)


def test_ink_is_measured_without_numpy(tmp_path: Path) -> None:
    """To load it takes longer than to measure a deck."""
    (tmp_path / "file.pdf").write_bytes(printed((BLACK, 0.5)))
    measure = "import sys; from pnp.write.png import coverage; coverage(open(sys.argv[1], 'rb').read())"
    script = f"{measure}; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script, tmp_path / "file.pdf"], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"


def inks(*pages: tuple[Colour, float] | None) -> list[Ink]:
    """The ink on such pages of A4."""
    return coverage(printed(*pages))


def run(sheets: int, pages: int, weight: int = 80) -> SheetRun:
    """A line of a print plan."""
    return SheetRun("Cards", "paper", weight, sheets, pages)


def test_each_line_has_the_ink_of_its_own_pages() -> None:
    """Two sheets of two pages, then one of one; the mean of all weighs every page alike."""
    made = estimate(inks((BLACK, 1.0), None, (BLACK, 0.5), None, (BLACK, 0.9)), [run(2, 4), run(1, 1)], A4)

    assert [line.coverage for line in made.lines] == pytest.approx([150 / 4, 90], abs=0.5)
    assert made.coverage == pytest.approx(240 / 5, abs=0.5)
    assert (made.sheets, made.pages) == (3, 5)
