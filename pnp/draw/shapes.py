"""Drawings that are computed, not typed: grids of squares, rings of hexes; written with svgwrite for templates to set in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from markupsafe import Markup

from pnp.shapes.outline import Ring

DIGITS = 3


def square_grid(columns: int, rows: int, cell: float, line: str, width: float, beyond: float = 0.0) -> Markup:
    """The lines between squares of ``cell`` mm, running on ``beyond`` the outermost ones."""
    path = _drawing().path(fill="none", stroke=line, stroke_width=width)
    right, bottom = round(columns * cell + beyond, DIGITS), round(rows * cell + beyond, DIGITS)
    for column in range(1, columns):
        path.push("M", round(column * cell, DIGITS), -beyond, "V", bottom)
    for row in range(1, rows):
        path.push("M", -beyond, round(row * cell, DIGITS), "H", right)
    return Markup(path.tostring())


def rings(shapes: Iterable[Ring], line: str, width: float, fill: str = "none") -> Markup:
    """Closed outlines in one group: the hexes of a tile."""
    drawing = _drawing()
    group = drawing.g(fill=fill, stroke=line, stroke_width=width, stroke_linejoin="round")
    for ring in shapes:
        group.add(drawing.polygon([(round(x, DIGITS), round(y, DIGITS)) for x, y in ring]))
    return Markup(group.tostring())


def _drawing() -> Any:
    import svgwrite

    # Its checks know only SVG 1.1 and cost more than the drawing.
    return svgwrite.Drawing(debug=False)
