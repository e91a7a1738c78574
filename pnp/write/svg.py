"""Writes a face as one self-contained SVG: drawings inline, bitmaps embedded, text as outlines."""

from __future__ import annotations

import base64
from collections.abc import Mapping

from lxml import etree

from pnp.shapes.affine import Affine
from pnp.svg.safe import href, view_box
from pnp.svg.tree import OURS, SVG, Element, tag, with_prefix
from pnp.values.faces import Face, Layer, TextLayer


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
