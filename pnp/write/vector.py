"""Writes faces as self-contained SVG, and cut sheets for cutting machines as SVG (one unit a millimetre) and DXF
(millimetres, y upwards)."""

from __future__ import annotations

import base64
import importlib
import io
import math
import os
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from lxml import etree

from pnp.shapes.affine import Affine
from pnp.shapes.outline import FLATNESS
from pnp.svg.safe import href, view_box
from pnp.svg.tree import OURS, SVG, Element, tag, with_prefix
from pnp.values.faces import Contour, CutSheet, Face, Layer, Line, TextLayer


def face_svg(face: Face, outlines: Mapping[str, str], bleed: bool) -> bytes:
    """The face in mm (1 unit = 1 mm), with its bleed or cut to the trim; ``outlines`` by key of text layers."""
    around = face.bleed if bleed else 0.0
    width, height = face.width + 2 * around, face.height + 2 * around
    root = etree.Element(tag("svg"), nsmap={None: SVG})
    root.set("width", f"{width:g}mm")
    root.set("height", f"{height:g}mm")
    root.set("viewBox", f"{0 - around:g} {0 - around:g} {width:g} {height:g}")
    for index, placed in enumerate(face.layers):
        group = etree.SubElement(root, tag("g"), {"id": f"layer-{index}", "transform": _matrix(placed.matrix)})
        group.append(_inner(placed.layer, outlines, f"l{index}-"))
    return etree.tostring(root, encoding="utf-8", xml_declaration=True)


def _matrix(matrix: Affine) -> str:
    parts = (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
    return f"matrix({' '.join(f'{part:.6g}' for part in parts)})"


def _inner(layer: Layer, outlines: Mapping[str, str], prefix: str) -> Element:
    size = {"width": f"{layer.width:g}", "height": f"{layer.height:g}"}
    if isinstance(layer, TextLayer):
        inner = etree.fromstring(outlines[layer.key].encode())
        inner.attrib.update(size)
    else:
        file = layer.file
        fit = {"cover": "xMidYMid slice", "stretch": "none"}[layer.fit]
        if not file.endswith(".svg"):
            picture = etree.Element(tag("image"), size)
            picture.set("preserveAspectRatio", fit)
            picture.set("href", _embedded(file, layer.files[file]))
            return picture
        inner = etree.fromstring(layer.files[file], OURS)
        if "viewBox" not in inner.attrib:
            inner.set("viewBox", " ".join(f"{part:.10g}" for part in view_box(inner)))
        inner.attrib.update({**size, "preserveAspectRatio": fit})
    for picture in inner.iter(tag("image")):
        name = href(picture)
        if name in layer.files:
            picture.set("href", _embedded(name, layer.files[name]))
    if any(True for _ in inner.iter(tag("style"))):
        # A style sheet reaches all of the document it stands in, so its drawing stays one of its own.
        picture = etree.Element(tag("image"), size)
        picture.set("preserveAspectRatio", inner.get("preserveAspectRatio", "none"))
        picture.set("href", _embedded("own.svg", etree.tostring(inner)))
        return picture
    with_prefix(inner, prefix)
    return inner


def _embedded(file: str, data: bytes) -> str:
    kind = {"jpg": "jpeg", "svg": "svg+xml"}.get(file.rpartition(".")[2], "png")
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


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
    drawing.add(printed)
    for name, contours, colour in _layers(sheet):
        drawing.add(_group(drawing, layers.layer(label=name, id=name), contours, colour))
    if sheet.marks:
        marks = drawing.add(layers.layer(label="regmark", id="regmark", locked=True))
        for line in sheet.marks:
            marks.add(_bar(drawing, line))
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


@cache
def _ezdxf() -> Any:
    """The library; without its list of all fonts of the system, which it would make and keep in the home folder."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "ezdxf").mkdir()
        Path(folder, "ezdxf", "font_manager_cache.json").write_text('{"version": 2, "font-faces": []}', encoding="utf-8")
        before = os.environ.copy()
        os.environ["XDG_CACHE_HOME"] = folder
        try:
            return importlib.import_module("ezdxf")
        finally:
            os.environ.pop("XDG_CACHE_HOME")
            os.environ.update(before)


def cut_dxf(sheet: CutSheet) -> bytes:
    """The sheet as DXF of AutoCAD 2000, which every cutting program reads."""
    ezdxf = _ezdxf()
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
