"""Writes cut sheets for cutting machines: SVG (one unit a millimetre) and DXF (millimetres, y upwards).

Layers: cut, score or else perforate, print (a picture of the sheet, not to be cut), and the registration marks. What is
round is a circle, not a polygon of many points.
"""

from __future__ import annotations

import base64
import io
import math
from typing import Any

from pnp.shapes.outline import FLATNESS
from pnp.values.faces import Contour, CutSheet, Line

# Colours by custom: red is cut, blue is scored (docs/how-it-works/print.md#files-for-cutting-machines).
CUT, SCORE, HAIR = "#ff0000", "#0000ff", 0.1
_DXF_RED, _DXF_BLUE, _DXF_GREY = 1, 5, 8


def cut_svg(sheet: CutSheet, picture: bytes) -> bytes:
    """The sheet as SVG; ``picture`` is its printed side as PNG."""
    import svgwrite
    from svgwrite.extensions import Inkscape

    paper = sheet.paper
    drawing = svgwrite.Drawing(
        size=(f"{paper.width:g}mm", f"{paper.height:g}mm"), viewBox=f"0 0 {paper.width:g} {paper.height:g}", debug=False
    )
    layers = Inkscape(drawing)
    data = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    printed = layers.layer(label="print", id="print", locked=True)
    printed.add(drawing.image(href=data, insert=(0, 0), size=(paper.width, paper.height)))
    groups = [
        printed,
        *(_group(drawing, layers.layer(label=name, id=name), contours, colour) for name, contours, colour in _layers(sheet)),
    ]
    if sheet.marks:
        marks = layers.layer(label="regmark", id="regmark", locked=True)
        for line in sheet.marks:
            marks.add(_bar(drawing, line))
        groups.append(marks)
    for group in groups:
        drawing.add(group)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{drawing.tostring()}\n'.encode()


def _group(drawing: Any, group: Any, contours: tuple[Contour, ...], colour: str) -> Any:
    group.update({"fill": "none", "stroke": colour, "stroke-width": HAIR})
    for contour in contours:
        if circle := _circle(contour):
            group.add(drawing.circle((_rounded(circle[0]), _rounded(circle[1])), _rounded(circle[2])))
            continue
        points = [(_rounded(x), _rounded(y)) for x, y in contour.points]
        group.add(drawing.polygon(points) if contour.closed else drawing.polyline(points))
    return group


def _layers(sheet: CutSheet) -> list[tuple[str, tuple[Contour, ...], str]]:
    """The layers that a machine follows, in its order, by name."""
    folds = ("perforate", sheet.dashes, CUT) if sheet.dashes else ("score", sheet.scores, SCORE)
    return [folds, ("cut", sheet.cuts, CUT)]


def _circle(contour: Contour) -> tuple[float, float, float] | None:
    """The centre and radius of a polygon that approximates a circle; None for any other."""
    if not contour.closed:
        return None
    points = contour.points
    x, y = (sum(each) / len(points) for each in zip(*points, strict=True))
    radii = [math.dist((x, y), point) for point in points]
    radius = max(radii)
    # How far the middle of an edge leaves the circle.
    longest = max(math.dist(*edge) for edge in zip(points, [*points[1:], points[0]], strict=True)) / 2
    flat = longest < radius and radius - math.sqrt(radius**2 - longest**2) < 2 * FLATNESS
    return (x, y, radius) if flat and radius - min(radii) < FLATNESS else None


def _bar(drawing: Any, line: Line) -> Any:
    half = line.width / 2
    level = line.y1 == line.y2
    x, y = min(line.x1, line.x2), min(line.y1, line.y2)
    size = (abs(line.x2 - line.x1), line.width) if level else (line.width, abs(line.y2 - line.y1))
    corner = (_rounded(x), _rounded(y - half)) if level else (_rounded(x - half), _rounded(y))
    return drawing.rect(insert=corner, size=(_rounded(size[0]), _rounded(size[1])), fill="#000000")


def cut_dxf(sheet: CutSheet) -> bytes:
    """The sheet as DXF of AutoCAD 2000, which every cutting program reads."""
    import ezdxf

    # Else it writes the time and an id of chance into the file.
    ezdxf.options.write_fixed_meta_data_for_testing = True
    document = ezdxf.new("R2000")
    document.units = ezdxf.units.MM
    for name, _, colour in reversed(_layers(sheet)):
        document.layers.add(name.upper(), color=_DXF_RED if colour == CUT else _DXF_BLUE)
    document.layers.add("PRINT", color=_DXF_GREY)
    space = document.modelspace()
    height = sheet.paper.height
    page = ((0, 0), (sheet.paper.width, 0), (sheet.paper.width, height), (0, height))
    space.add_lwpolyline(page, close=True, dxfattribs={"layer": "PRINT"})
    for name, contours, _ in _layers(sheet):
        for contour in contours:
            if circle := _circle(contour):
                middle = _rounded(circle[0]), _rounded(height - circle[1])
                space.add_circle(middle, _rounded(circle[2]), dxfattribs={"layer": name.upper()})
                continue
            points = [(_rounded(x), _rounded(height - y)) for x, y in contour.points]
            space.add_lwpolyline(points, close=contour.closed, dxfattribs={"layer": name.upper()})
    target = io.StringIO()
    document.write(target)
    return target.getvalue().encode()


def _rounded(value: float) -> float:
    return round(value, 3) + 0.0
