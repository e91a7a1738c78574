"""Outlines of tokens: a disc, a square, a hex, or the path of a drawing in art/."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

from pnp.shapes.outline import Point, Ring, area, ellipse
from pnp.system.artfiles import ArtFolder

PLAIN = ("circle", "square", "hex")
MOST_POINTS = 4000
MOST_BYTES = 1_000_000


class BadShape(ValueError):
    """A shape that cannot be cut; the text says why, to a person."""


def token_size(shape: str, length: float) -> tuple[float, float]:
    """Width and height of a token from one length: a hex is that wide from flat to flat."""
    return (length, length * 2 / math.sqrt(3)) if shape == "hex" else (length, length)


def token_outline(shape: str, width: float, height: float, art: Path) -> Ring | None:
    """The ring that a token is cut along, in mm from its trim's corner; None for a square. Raises BadShape."""
    if shape == "square":
        return None
    if shape == "circle":
        return ellipse(width, height)
    if shape == "hex":
        return (
            (width / 2, 0.0),
            (width, height / 4),
            (width, height * 3 / 4),
            (width / 2, height),
            (0.0, height * 3 / 4),
            (0.0, height / 4),
        )
    return _fitted(_drawn(shape_file(shape, art), shape), width, height)


def shape_file(shape: str, art: Path) -> Path | None:
    """The drawing in art/ whose path is the outline; None where there is none, or the shape is a plain one."""
    return None if shape in PLAIN else ArtFolder(art).find(shape, (".svg",))


def shape_names(art: Path) -> list[str]:
    """What may stand as a shape: the plain ones, and the drawings in art/shapes."""
    drawn = sorted(f"shapes/{file.stem}" for file in (art / "shapes").glob("*.svg"))
    return [*PLAIN, *drawn]


def _drawn(file: Path | None, shape: str) -> Ring:
    """The first path of a drawing as a ring, in the drawing's own units."""
    from lxml import etree

    from pnp.svg.safe import BadDrawing
    from pnp.svg.saved import text_of_file
    from pnp.svg.tree import PARSER, tag

    if file is None:
        raise BadShape(f'there is no shape "{shape}" (a file {shape.removesuffix(".svg")}.svg in art/)')
    if file.stat().st_size > MOST_BYTES:
        raise BadShape(f'the shape "{shape}" is larger than {MOST_BYTES // 1_000_000} MB')
    try:
        root = etree.fromstring(text_of_file(file.read_bytes()).encode(), PARSER)
    except BadDrawing as fault:
        raise BadShape(f'the shape "{shape}" cannot be read: {fault}') from None
    except etree.XMLSyntaxError as error:
        raise BadShape(f'the shape "{shape}" is not well-formed XML: {error.msg}') from None
    found = next(iter(root.iter(tag("path"))), None)
    if found is None or not found.get("d"):
        raise BadShape(f'the shape "{shape}" has no <path>')
    if any("transform" in node.attrib for node in (found, *found.iterancestors())):
        raise BadShape(f'the path of the shape "{shape}" is moved by a transform: draw it where it is')
    return _flattened(str(found.get("d")), shape)


def _flattened(data: str, shape: str) -> Ring:
    """A path's largest closed contour as points, its curves in short straight pieces."""
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.svgLib.path import parse_path

    pen = DecomposingRecordingPen({})
    try:
        parse_path(data, pen)
    except Exception as error:
        # The parser raises whatever its input leads it to.
        raise BadShape(f'the path of the shape "{shape}" cannot be read ({error})') from None
    rings: list[list[Point]] = []
    for verb, points in pen.value:
        if verb == "moveTo":
            rings.append([points[0]])
        elif verb == "lineTo":
            rings[-1].append(points[0])
        elif verb in ("curveTo", "qCurveTo"):
            rings[-1] += _curve([rings[-1][-1], *points])
    closed = [_without_doubles(ring) for ring in rings]
    usable = [ring for ring in closed if len(ring) > 2 and abs(area(ring)) > 0]
    if not usable or len(max(usable, key=len)) > MOST_POINTS:
        raise BadShape(f'the path of the shape "{shape}" encloses nothing, or has more than {MOST_POINTS} points')
    ring = max(usable, key=lambda each: abs(area(each)))
    return tuple(ring) if area(ring) > 0 else tuple(ring[::-1])


def _curve(points: list[Point], steps: int = 24) -> list[Point]:
    """Points along a Bézier curve of any degree, its start left out (de Casteljau)."""
    made = []
    for step in range(1, steps + 1):
        share, left = step / steps, points
        while len(left) > 1:
            left = [(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share) for (x0, y0), (x1, y1) in pairwise(left)]
        made.append(left[0])
    return made


def _without_doubles(ring: list[Point]) -> list[Point]:
    kept: list[Point] = []
    for point in ring:
        if not kept or math.dist(point, kept[-1]) > 1e-6:
            kept.append(point)
    while len(kept) > 1 and math.dist(kept[0], kept[-1]) < 1e-6:
        kept.pop()
    return kept


def _fitted(ring: Ring, width: float, height: float) -> Ring:
    """The ring stretched to fill the token's size."""
    xs, ys = zip(*ring, strict=True)
    left, top, across, down = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
    return tuple(((x - left) / across * width, (y - top) / down * height) for x, y in ring)
