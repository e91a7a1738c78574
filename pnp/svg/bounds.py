"""The box around what a drawing, or a part of it, draws."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from lxml import etree

from pnp.shapes.affine import Affine, Rect, translation
from pnp.svg import safe as svg
from pnp.svg.styles import Styles
from pnp.svg.tree import Element, local

SHAPES = ("path", "rect", "circle", "ellipse", "line", "polyline", "polygon")
# What is drawn only where something refers to it.
UNDRAWN = (
    "defs", "symbol", "clipPath", "mask", "marker", "pattern", "linearGradient", "radialGradient", "filter", "style",
    "title", "desc", "metadata",
)  # fmt: skip
# Shapes that one drawing may show, those that <use> repeats each time: more are no drawing but a trap.
MOST_SHAPES = 60_000
_BOX = ("x", "y", "width", "height")


class Bounds:
    """Finds boxes in one drawing. What a clip-path hides counts, and lines count with their width."""

    def __init__(self, root: Element, styles: Styles) -> None:
        self.styles = styles
        self._named = {name: node for node in root.iter(etree.Element) if (name := node.get("id"))}
        self._count = 0

    def box(self, element: Element, matrix: Affine) -> Rect | None:
        """Around what an element draws, its own ``transform`` first and then ``matrix``. Raises BadDrawing."""
        found = [box for box in self._boxes(element, matrix, ()) if all(map(math.isfinite, (box.x, box.y)))]
        if not found:
            return None
        left, top = min(box.x for box in found), min(box.y for box in found)
        return Rect(left, top, max(box.right for box in found) - left, max(box.bottom for box in found) - top)

    def _boxes(self, element: Element, matrix: Affine, around: tuple[Element, ...]) -> Iterator[Rect]:
        name = local(element)
        if not name or name in UNDRAWN or self.styles.own(element).get("display") == "none":
            return
        self._count += 1
        if self._count > MOST_SHAPES:
            raise svg.BadDrawing(f"it draws more than {MOST_SHAPES} shapes")
        matrix = matrix @ svg.transform(element)
        if name in SHAPES:
            yield from self._shape(element, matrix)
        elif name == "image" or (name == "svg" and around):
            x, y, width, height = (svg.number(element, key, 0.0) for key in _BOX)
            yield matrix.bounds(Rect(x, y, width, height))
        elif name == "use":
            target = self._named.get(svg.href(element).removeprefix("#"))
            if target is None or target in around:
                return
            at = matrix @ translation(svg.number(element, "x", 0.0), svg.number(element, "y", 0.0))
            if local(target) in ("symbol", "svg") and element.get("width"):
                yield at.bounds(Rect(0, 0, svg.number(element, "width"), svg.number(element, "height", 0.0)))
                return
            inner = [*target] if local(target) == "symbol" else [target]
            for child in inner:
                yield from self._boxes(child, at, (*around, element, target))
        else:
            for child in element:
                yield from self._boxes(child, matrix, (*around, element))

    def _shape(self, element: Element, matrix: Affine) -> Iterator[Rect]:
        bounds = path_bounds(element, matrix)
        if bounds is None:
            return
        line = 0.0
        if self.styles.value(element, "stroke", "none") != "none":
            written = self.styles.value(element, "stroke-width", "1").removesuffix("px")
            try:
                line = float(written) / 2 * math.sqrt(abs(matrix.determinant))
            except ValueError:
                raise svg.BadDrawing(f'stroke-width="{written[:40]}" is not a plain number') from None
        yield bounds.grown(line, line, line, line)


def outline(element: Element) -> str:
    """A shape as the data of a path. Raises BadDrawing."""
    from fontTools.svgLib.path.shapes import PathBuilder

    builder = PathBuilder()
    plain: dict[str, str] = {key: value for key, value in element.items() if key != "transform"}
    twin = etree.Element(local(element), plain)
    try:
        builder.add_path_from_element(twin)
    except (ValueError, KeyError, IndexError, TypeError):
        raise svg.BadDrawing(f"it has a <{local(element)}> that cannot be read") from None
    return "".join(builder.paths)


def path_bounds(element: Element, matrix: Affine) -> Rect | None:
    """The box around a shape; None for one that draws nothing. Raises BadDrawing."""
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.pens.transformPen import TransformPen

    pen = BoundsPen(None)
    draw(outline(element), TransformPen(pen, (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)))
    if pen.bounds is None:
        return None
    left, top, right, bottom = pen.bounds
    return Rect(left, top, right - left, bottom - top)


def draw(data: str, pen: Any) -> None:
    """Draw the data of a path. Raises BadDrawing."""
    from fontTools.svgLib.path import parse_path

    try:
        parse_path(data, pen)
    except (ValueError, IndexError, KeyError, TypeError, ZeroDivisionError, OverflowError, AssertionError):
        raise svg.BadDrawing(f'a path cannot be read: d="{data[:40]}"') from None
