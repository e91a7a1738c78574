"""Defines points, rectangles, affine maps and a printer's calibration, in mm, origin at the top left, y downwards."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Literal

from pnp.dataclass import dataclass

Flip = Literal["long-edge", "short-edge"]
"""About which edge the paper is turned over for its second side."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle by its top-left corner and size, in mm."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def grown(self, left: float, top: float, right: float, bottom: float) -> Rect:
        return Rect(self.x - left, self.y - top, self.width + left + right, self.height + top + bottom)


def around(points: Sequence[tuple[float, float]]) -> Rect:
    """The bounding box of points, at least one."""
    xs, ys = zip(*points, strict=True)
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def enclosing(rects: Sequence[Rect]) -> Rect:
    """The bounding box of rectangles, at least one."""
    return around([corner for rect in rects for corner in ((rect.x, rect.y), (rect.right, rect.bottom))])


@dataclass(frozen=True, slots=True)
class Affine:
    """The map x' = a·x + c·y + e, y' = b·x + d·y + f (the order of SVG's and PDF's ``matrix``)."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def __matmul__(self, first: Affine) -> Affine:
        return Affine(
            self.a * first.a + self.c * first.b,
            self.b * first.a + self.d * first.b,
            self.a * first.c + self.c * first.d,
            self.b * first.c + self.d * first.d,
            self.a * first.e + self.c * first.f + self.e,
            self.b * first.e + self.d * first.f + self.f,
        )

    def point(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def ring(self, points: Iterable[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
        """The points, mapped."""
        return tuple(self.point(*point) for point in points)

    def bounds(self, rect: Rect) -> Rect:
        """The bounding box of the mapped rectangle."""
        return around([self.point(x, y) for x in (rect.x, rect.right) for y in (rect.y, rect.bottom)])

    @property
    def determinant(self) -> float:
        return self.a * self.d - self.b * self.c

    def inverse(self) -> Affine:
        """The inverse map. Raises ZeroDivisionError for a singular one."""
        det = self.determinant
        a, b, c, d = self.d / det, -self.b / det, -self.c / det, self.a / det
        return Affine(a, b, c, d, -(a * self.e + c * self.f), -(b * self.e + d * self.f))


@dataclass(frozen=True, slots=True)
class Calibration:
    """A printer's error on backs: a turn about the page's centre, then a shift (mm, degrees).

    It holds for the way of turning the paper that was tested: about the other edge the same slip of the paper is another.
    """

    dx: float = 0.0
    dy: float = 0.0
    angle: float = 0.0
    flip: Flip = "long-edge"
    margin: float = 0.0
    """How near to the edges its owner lets pieces lie, in mm; 0 where nothing was said."""


IDENTITY = Affine()

# Quarter turns have no rounding error: a turned card lies exactly on its cut lines.
_QUARTERS: dict[float, tuple[float, float]] = {0: (1.0, 0.0), 90: (0.0, 1.0), 180: (-1.0, 0.0), 270: (0.0, -1.0)}


def translation(x: float, y: float) -> Affine:
    return Affine(e=x, f=y)


def scaling(x: float, y: float) -> Affine:
    return Affine(a=x, d=y)


def rotation(degrees: float, x: float = 0.0, y: float = 0.0) -> Affine:
    """A turn about (x, y) in degrees, clockwise on the page, as in SVG."""
    exact = _QUARTERS.get(degrees % 360)
    cos, sin = exact or (math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
    return translation(x, y) @ Affine(cos, sin, -sin, cos) @ translation(-x, -y)


def mirror_x(about: float) -> Affine:
    """Mirrors about the vertical line x = about."""
    return Affine(a=-1.0, e=2 * about)


def mirror_y(about: float) -> Affine:
    """Mirrors about the horizontal line y = about."""
    return Affine(d=-1.0, f=2 * about)
