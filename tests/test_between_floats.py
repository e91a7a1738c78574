"""Between two floating pictures of a page nothing is squeezed: what has no room goes on where there is some."""

from __future__ import annotations

import re
import subprocess
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pypdfium2 as pdfium
import pytest
from conftest import tool
from stage import scene, stage

FLOATS = scene('sea" float="yes" width="110mm', "cross | A1 |") * 2
ROWS = "".join(f"| alpha{row} one two | beta{row} three four five |\n" for row in range(10))
TABLE = "| What | Then |\n|---|---|\n" + ROWS
BOX = "::: example A turn\n" + "\n\n".join(f"{number}: alpha one two three four." for number in range(9)) + "\n:::\n"
PICTURE = scene('sea" width="70mm', "discs/green | A1; D4 |", caption="What one sees here.")
KINDS = {"table": TABLE, "box": BOX, "picture": PICTURE}
_WORD = re.compile(r'<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</word>')


class Word(NamedTuple):
    """Where it stands, in pt from the upper left."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def over(self, other: Word) -> bool:
        """Whether two words are printed over one another: for more than a hair and half of their height."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide > 1 and high > 0.4 * min(self.bottom - self.top, other.bottom - other.top)


def pages(pdf: Path) -> list[list[Word]]:
    made = subprocess.run([tool("pdftotext"), "-bbox", str(pdf), "-"], check=True, capture_output=True, text=True).stdout
    return [
        [Word(match[5], *(float(match[number]) for number in range(1, 5))) for match in _WORD.finditer(page)]
        for page in made.split("<page ")[1:]
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_printed_over_something_else(kind: str, tmp_path: Path) -> None:
    """Of ten rows some go on behind the pictures; the text before fills a page, so that the pictures are on the next."""
    text = "# Stage\n\n" + 170 * "Once upon a time there was a game. " + "\n\n" + FLOATS + "\n"
    made = stage(tmp_path, f"{text}{12 * 'More words here. '}\n\n{KINDS[kind]}\n{60 * 'The end of it. '}\n")
    assert not made.build(papers=("a4",)).problems.errors
    pdf = tmp_path / "output" / "tiny" / "a4" / "rulebook.pdf"
    read = pages(pdf)

    squeezed = [(one.text, two.text) for page in read for one, two in combinations(page, 2) if one.over(two)]
    assert squeezed == []
    count = 0
    for page, words in zip(pdfium.PdfDocument(pdf), read, strict=True):
        images = [each.get_bounds() for each in page.get_objects(filter=[pdfium.raw.FPDF_PAGEOBJ_IMAGE], max_depth=5)]
        middles = [((word.left + word.right) / 2, page.get_height() - (word.top + word.bottom) / 2) for word in words]
        assert not [at for at in middles for left, low, right, high in images if left < at[0] < right and low < at[1] < high]
        count += len(images)
    assert count == 2 + (kind == "picture")
    # All of it is there, and what ends the book after it.
    words = [word.text for page in read for word in page]
    assert words.count("Once") == 170 and words.count("end") == 60
    if kind == "table":
        assert [words.count(f"{name}{row}") for row in range(10) for name in ("alpha", "beta")] == [1] * 20
    if kind == "picture":
        # Smaller, but whole: two discs in opposite corners are as far apart across as down.
        sheets = [np.asarray(page.render(scale=2).to_pil().convert("RGB")).astype(int) for page in pdfium.PdfDocument(pdf)]
        found = [np.nonzero(np.abs(sheet - np.array((0, 192, 0))).max(axis=2) < 12) for sheet in sheets]
        ys, xs = max(found, key=lambda each: each[0].size)
        assert np.ptp(xs) == pytest.approx(np.ptp(ys), rel=0.05)
