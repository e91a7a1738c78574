"""Mirrors a drawing for a language from right to left: places change sides; letters and pictures stay as they are."""

from __future__ import annotations

from collections.abc import Collection

from pnp.shapes.affine import Affine, mirror_x
from pnp.svg import safe as svg
from pnp.svg.styles import own, value
from pnp.svg.tree import Element, local, tag

# What keeps its look within its place.
_KEPT = ("foreignObject", "image", "text")
_SIDES = {"left": "right", "right": "left"}
_ENDS = {"start": "end", "end": "start"}


def mirror(root: Element, middle: float, unseen: Collection[str] = ()) -> None:
    """Mirrors what a root shows about an upright line at ``middle``, but for elements called as those ``unseen``."""
    for child in list(root):
        if local(child) in ("", *unseen) or own(child, "display") == "none":
            continue
        transform = child.get("transform")
        if local(child) == "g" and transform is None and not _drawn_as_one(child):
            mirror(child, middle, unseen)
        elif local(child) in _KEPT and transform is None:
            _turn_round(child)
            _move(child, middle)
        else:
            for kept in child.iter(*map(tag, _KEPT)):
                _turn_round(kept)
                _show(kept, svg.transform(kept) @ mirror_x(_middle(kept)))
            _show(child, mirror_x(middle) @ svg.transform(child))


def _drawn_as_one(group: Element) -> bool:
    return any(own(group, key) not in (None, "none", "1", "normal", "auto") for key in ("clip-path", "mask", "filter"))


def _middle(kept: Element) -> float:
    """Where a box has its middle, and a text its anchor, from the left."""
    x = svg.number(kept, "x", 0.0)
    return x if local(kept) == "text" else x + svg.number(kept, "width", 0.0) / 2


def _move(kept: Element, middle: float) -> None:
    wide = 0.0 if local(kept) == "text" else svg.number(kept, "width", 0.0)
    kept.set("x", _written(2 * middle - svg.number(kept, "x", 0.0) - wide))


def _turn_round(kept: Element) -> None:
    """Aligns at the other side what is aligned at one."""
    if local(kept) == "foreignObject":
        align = kept.get("data-align", "")
        kept.attrib.update({"data-align": _SIDES[align]} if align in _SIDES else {})
    elif local(kept) == "image":
        fit = kept.get("preserveAspectRatio", "")
        if fit.startswith(("xMin", "xMax")):
            kept.set("preserveAspectRatio", ("xMax" if fit.startswith("xMin") else "xMin") + fit[4:])
    elif (anchor := value(kept, "text-anchor", "start")) in _ENDS:
        kept.set("text-anchor", _ENDS[anchor])


def _show(node: Element, way: Affine) -> None:
    node.set("transform", f"matrix({' '.join(_written(part) for part in (way.a, way.b, way.c, way.d, way.e, way.f))})")


def _written(number: float) -> str:
    return f"{number:.6f}".rstrip("0").rstrip(".") or "0"
