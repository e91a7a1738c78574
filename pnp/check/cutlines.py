"""How far what is printed keeps from the cut: the limits by kind of piece, and the distances. Holds no rule itself."""

from __future__ import annotations

from typing import Any

from pnp.shapes.affine import Rect
from pnp.shapes.outline import Ring
from pnp.values.faces import Face
from pnp.values.game import KINDS, Component

# By how much a cut by hand, and a back printed through a home printer, may be off (mm).
SAFE = 3.0
SAFE_SMALL = 1.5
SAFE_TINY = 1.0
# Narrower pieces are small: they are cut with more care, and have no 3 mm to give away (mm).
SMALL = 40.0
# A text is felt along its edges in steps of (mm).
_STEP = 0.5


def safe_zone(component: Component) -> float:
    """How far from the cut anything should stay that must not look cut off, in mm."""
    care = KINDS[component.kind].care
    if care == "tiny":
        return SAFE_TINY
    if care == "small" or min(component.width, component.height) < SMALL:
        return SAFE_SMALL
    return SAFE


def distance(face: Face, rect: Rect) -> float:
    """From a rectangle's nearest point to the cut, in mm; negative when the cut goes through it or it lies outside."""
    if face.outline is None:
        return min(rect.x, rect.y, face.width - rect.right, face.height - rect.bottom)
    import numpy as np

    across = np.linspace(rect.x, rect.right, max(2, int(rect.width / _STEP) + 2))
    down = np.linspace(rect.y, rect.bottom, max(2, int(rect.height / _STEP) + 2))
    xs = np.concatenate([across, across, np.full_like(down, rect.x), np.full_like(down, rect.right)])
    ys = np.concatenate([np.full_like(across, rect.y), np.full_like(across, rect.bottom), down, down])
    return float(depths(face.outline, xs, ys).min())


def depths(ring: Ring, xs: Any, ys: Any) -> Any:
    """How deep each point lies inside a ring, in mm; negative outside. Arrays of numpy in and out."""
    import numpy as np

    nearest = np.full(xs.shape, np.inf)
    inside = np.zeros(xs.shape, dtype=bool)
    for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True):
        dx, dy = x1 - x0, y1 - y0
        along = np.clip(((xs - x0) * dx + (ys - y0) * dy) / max(dx * dx + dy * dy, 1e-12), 0.0, 1.0)
        nearest = np.minimum(nearest, np.hypot(xs - x0 - along * dx, ys - y0 - along * dy))
        if y0 != y1:
            crossed = (ys < max(y0, y1)) & (ys >= min(y0, y1))
            inside ^= crossed & (xs < x0 + (ys - y0) / dy * dx)
    return np.where(inside, nearest, -nearest)
