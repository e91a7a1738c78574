"""The floor of the bench: the same cards drawn by hand with reportlab, ``python floor.py COUNT FILE``.

No tables, no templates, no checks, sizes of texts tried from large to small; each face is a form that is placed once.
"""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path

from cards import rows
from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = 63.5 * mm, 88.9 * mm


def wrapped(text: str, width: float, height: float) -> tuple[float, list[str]]:
    """The largest size at which a text fits, and its lines."""
    size = 11.0
    while True:
        lines = simpleSplit(text, "Body", size, width)
        if len(lines) * size * 1.2 <= height or size <= 6:
            return size, lines
        size -= 0.25


def card(canvas: Canvas, row: dict[str, object]) -> None:
    canvas.setFillColor("#f4efe2")
    canvas.rect(0, 0, WIDTH, HEIGHT, stroke=0, fill=1)
    canvas.setFillColor("#204060")
    canvas.circle(9 * mm, HEIGHT - 9 * mm, 5 * mm, stroke=0, fill=1)
    canvas.setFillColor("#22aa66")
    canvas.circle(WIDTH / 2, HEIGHT - 33 * mm, 14 * mm, stroke=1, fill=1)
    canvas.setFillColor("#ffffff")
    canvas.setFont("Bold", 14)
    canvas.drawCentredString(9 * mm, HEIGHT - 10.5 * mm, str(row["cost"]))
    canvas.setFillColor("#000000")
    canvas.setFont("Bold", 13)
    canvas.drawString(16 * mm, HEIGHT - 10.5 * mm, str(row["name"]))
    size, lines = wrapped(str(row["text"]), 53.5 * mm, 28 * mm)
    canvas.setFont("Body", size)
    for number, line in enumerate(lines):
        canvas.drawCentredString(WIDTH / 2, HEIGHT - 54 * mm - number * size * 1.2, line)
    canvas.setFont("Italic", 8)
    canvas.drawCentredString(WIDTH / 2, HEIGHT - 83 * mm, str(row["kind"]))


def main() -> None:
    files = Path(str(resources.files("font_source_sans_pro"))) / "files"
    for name, file in (("Body", "Regular"), ("Bold", "Bold"), ("Italic", "It")):
        pdfmetrics.registerFont(TTFont(name, str(files / f"SourceSansPro-{file}.ttf")))
    made = rows(int(sys.argv[1]))
    canvas = Canvas(sys.argv[2], pagesize=(210 * mm, 297 * mm), invariant=1, pageCompression=1)
    for first in range(0, len(made), 9):
        shown = made[first : first + 9]
        for back in (False, True):
            for index, row in enumerate(shown):
                canvas.saveState()
                column = 2 - index % 3 if back else index % 3
                canvas.translate(9.75 * mm + column * WIDTH, 297 * mm - 15 * mm - (index // 3 + 1) * HEIGHT)
                if back:
                    canvas.setFillColor("#204060")
                    canvas.rect(0, 0, WIDTH, HEIGHT, stroke=0, fill=1)
                else:
                    card(canvas, row)
                canvas.restoreState()
            canvas.showPage()
    canvas.save()


if __name__ == "__main__":
    main()
