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
from pnp.svg.styles import inline_stylesheets, own, value
from pnp.svg.tree import OURS, SVG, XLINK, Element, tag, with_prefix
from pnp.values.faces import Contour, CutSheet, Face, Layer, Line, TextLayer

EMBEDDED = "data:image/svg+xml;base64,"
INITIAL = {
    "fill": "#000", "stroke": "none", "stroke-width": "1", "stroke-linecap": "butt", "stroke-linejoin": "miter",
    "stroke-miterlimit": "4", "stroke-dasharray": "none", "stroke-dashoffset": "0", "stroke-opacity": "1",
    "fill-opacity": "1", "fill-rule": "nonzero", "clip-rule": "nonzero", "color": "#000", "paint-order": "normal",
    "visibility": "visible",
}  # fmt: skip
"""What a drawing of its own begins with, whatever is around it."""


def face_svg(face: Face, outlines: Mapping[str, str], bleed: bool) -> bytes:
    """The face in mm (1 unit = 1 mm), with its bleed or cut to the trim; ``outlines`` by key of text layers.

    Drawings on it are parts of the one document, as Illustrator, Affinity and Cricut do not show SVG within a picture;
    references are those of SVG 1.1 (xlink), for Inkscape 1.2 reads no others.
    """
    around = face.bleed if bleed else 0.0
    width, height = face.width + 2 * around, face.height + 2 * around
    root = etree.Element(tag("svg"), nsmap={None: SVG, "xlink": XLINK[1:].partition("}")[0]})
    root.set("width", f"{width:g}mm")
    root.set("height", f"{height:g}mm")
    root.set("viewBox", f"{0 - around:g} {0 - around:g} {width:g} {height:g}")
    for index, placed in enumerate(face.layers):
        group = etree.SubElement(root, tag("g"), {"id": f"layer-{index}", "transform": _matrix(placed.matrix)})
        inner = _inner(placed.layer, outlines)
        with_prefix(inner, f"l{index}-")
        group.append(inner)
    for node in root.iter():
        if (written := node.attrib.pop("href", None)) is not None:
            node.set(XLINK, written)
    etree.cleanup_namespaces(root)
    return etree.tostring(root, encoding="utf-8", xml_declaration=True)


def _matrix(matrix: Affine) -> str:
    parts = (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
    return f"matrix({' '.join(f'{part:.6g}' for part in parts)})"


def _inner(layer: Layer, outlines: Mapping[str, str]) -> Element:
    size = {"width": f"{layer.width:g}", "height": f"{layer.height:g}"}
    if isinstance(layer, TextLayer):
        inner, files = etree.fromstring(outlines[layer.key].encode()), layer.files
        inner.attrib.update(size)
    else:
        files, fit = layer.files, {"cover": "xMidYMid slice", "stretch": "none"}[layer.fit]
        if not layer.file.endswith(".svg"):
            picture = etree.Element(tag("image"), size)
            picture.attrib.update({"preserveAspectRatio": fit, "href": _embedded(layer.file, files[layer.file])})
            return picture
        inner = _drawing(files[layer.file])
        inner.attrib.update({**size, "preserveAspectRatio": fit})
    _complete(inner, files)
    return inner


def _complete(drawing: Element, files: Mapping[str, bytes]) -> None:
    """Puts the pictures that a drawing shows into it: drawings as parts of it, others as data."""
    for number, picture in enumerate(list(drawing.iter(tag("image")))):
        name = href(picture)
        data = base64.b64decode(name.removeprefix(EMBEDDED)) if name.startswith(EMBEDDED) else files.get(name)
        if data and name.startswith(EMBEDDED) | name.endswith(".svg"):
            inner = _drawing(data)
            _complete(inner, files)
            _set_in(picture, inner, f"p{number}-")
        elif data:
            picture.set("href", _embedded(name, data))


def _drawing(data: bytes) -> Element:
    """A drawing with a viewBox, without stylesheets, which would reach all of the document in which it stands."""
    drawing = etree.fromstring(data, OURS)
    if "viewBox" not in drawing.attrib:
        drawing.set("viewBox", " ".join(f"{part:.10g}" for part in view_box(drawing)))
    inline_stylesheets(drawing)
    return drawing


def _set_in(picture: Element, drawing: Element, prefix: str) -> None:
    """Replaces a picture by the drawing that it shows."""
    with_prefix(drawing, prefix)
    for name, initial in INITIAL.items():
        if value(picture, name) and own(drawing, name) is None:
            drawing.set(name, initial)
    drawing.set("preserveAspectRatio", "xMidYMid meet")
    group = etree.Element(tag("g"))
    for name, written in picture.items():
        if name in ("x", "y", "width", "height", "preserveAspectRatio"):
            drawing.set(name, written)
        elif name not in ("href", XLINK):
            group.set(name, written)
    group.append(drawing)
    group.tail = picture.tail
    parent = picture.getparent()
    assert parent is not None
    parent.replace(picture, group)


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
