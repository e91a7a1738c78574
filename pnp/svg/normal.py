"""Rewrites SVG that Typst renders wrongly.

The engine reads SVG well, but a few things otherwise than browsers do. What it cannot make PDF of is in
:mod:`pnp.svg.rasterize_effects`.
"""

from __future__ import annotations

import math
import re

from lxml import etree

from pnp.shapes.affine import Rect
from pnp.shapes.units import PX_PER
from pnp.svg.rasterize_effects import PLAIN, Dots, drawn_in, elements_of, wrapped
from pnp.svg.safe import LARGEST, NUMBER, SMALLEST, BadDrawing, fault_at, href, references, transform, view_box
from pnp.svg.styles import property_of, undeclare
from pnp.svg.tree import XLINK, Element, local, tag

TINY = 1e-3
"""As long as a line of no length becomes: the engine leaves out those of no length, with their caps."""

EM = {"em": 16.0, "ex": 8.0}
_LENGTH = re.compile(rf"\s*+({NUMBER})\s*+([a-zA-Z%]*+)\s*+")
_ALIGN = re.compile(r"\s*(none|x(Min|Mid|Max)Y(Min|Mid|Max))(\s+(meet|slice))?\s*")

ALIKE = 1e-4
"""Sizes that differ by no more are of one shape: programs round."""
MOVED = ("transform", "opacity", "clip-path", "mask", "filter", "mix-blend-mode")
# What they look like depends on the dots of the screen, and a print has none.
OF_A_SCREEN = ("feConvolveMatrix", "feDiffuseLighting", "feSpecularLighting")


def normal(root: Element) -> tuple[float, float]:
    """Normalises a drawing, and returns its width and height. Raises BadDrawing."""
    size = _sized(root)
    blending = (property_of(node, "mix-blend-mode") not in PLAIN for node in elements_of(root))
    if any(blending):  # not with what lies below on the page
        wrapped(list(drawn_in(root)), {"style": "isolation:isolate"})
    mend(root)
    return size


def mend(root: Element) -> None:
    """Normalises the shapes of a template, which have the size of its face. Raises BadDrawing."""
    box = Rect(*view_box(root))
    for node in elements_of(root):  # "href" goes before the older "xlink:href"
        if node.get("href") is not None:
            node.attrib.pop(XLINK, None)
    _refuse_unread(root)
    _refuse_of_a_screen(root)
    _lines_of_no_length(root)
    _nested_in_groups(root)
    Dots(root, box).draw()


# -- size


def pixels(written: str, whole: float) -> float | None:
    """A length in CSS pixels, a percentage of ``whole``. None for what is no length."""
    match = _LENGTH.fullmatch(written)
    if not match:
        return None
    unit = match[2].lower()
    factor = whole / 100 if unit == "%" else (PX_PER | EM).get(unit)
    value = float(match[1]) * factor if factor is not None else math.nan
    return value if SMALLEST <= value <= LARGEST else None


def _sized(root: Element) -> tuple[float, float]:
    """Writes and returns a drawing's size, from its width and height, else its viewBox."""
    box = view_box(root)
    found: list[float | None] = []
    for key, whole in (("width", box[2]), ("height", box[3])):
        written = root.get(key)
        if written is None or written.strip() == "auto":
            found.append(None)
            continue
        value = pixels(written, whole)
        if value is None:
            raise fault_at(root, f'its {key}="{written}" is no size', "Write a number, or delete it if there is a viewBox.")
        found.append(value)
    width, height = found
    if width is not None or height is not None:
        width = width or (height or 0) * box[2] / box[3]
        height = height or width * box[3] / box[2]
        root.set("viewBox", " ".join(f"{part:.9g}" for part in box))
        root.set("width", f"{width:.9g}")
        root.set("height", f"{height:.9g}")
        if abs(width / height * box[3] / box[2] - 1) > ALIKE:
            box = (0, 0, width, height)
    written = root.get("preserveAspectRatio")
    if written is not None and not _ALIGN.fullmatch(written):
        raise fault_at(root, f'its preserveAspectRatio="{written}" is not known', "Delete it, or write xMidYMid, or none.")
    return box[2], box[3]


# -- what is said twice, or so that the engine takes it otherwise


def _nested_in_groups(root: Element) -> None:
    """Wraps each nested ``<svg>`` in a group with its ``transform`` and the like, which Typst would apply twice."""
    linked = {href(node)[1:] for node in root.iter(tag("use"))}
    for node in list(root.iter(tag("svg"))):
        parent = node.getparent()
        moved = {name: value for name in MOVED if (value := property_of(node, name)) not in PLAIN}
        if parent is None or "transform" not in moved:
            continue
        if node.get("id") in linked or "transform" in (node.get("style") or ""):
            raise fault_at(
                node,
                "an <svg> within it has a transform, in its style or where a <use> shows it again",
                "Put it into a group that has the transform.",
            )
        group = etree.Element(tag("g"), moved)
        parent.replace(node, group)
        group.append(node)
        group.tail, node.tail = node.tail, None
        for name in MOVED:
            node.attrib.pop(name, None)
        undeclare(node, *MOVED)


# Nothing is tried a second time (++, *+): a number of a thousand digits would be, for each of them.
_ZERO = r"[-+]?(?:0++(?:\.0*+)?+|\.0++)"
_ONE_PLACE = re.compile(
    rf"\s*+[Mm]\s*+(?P<x>{NUMBER})[\s,]*+(?P<y>{NUMBER})(?P<line>"
    rf"(?:L\s*+(?P=x)[\s,]++(?P=y)|l\s*+{_ZERO}[\s,]++{_ZERO}|H\s*+(?P=x)|V\s*+(?P=y)|[hv]\s*+{_ZERO}|\s)*+[Zz]?)\s*+"
)


def _lines_of_no_length(root: Element) -> None:
    """Lengthens lines of no length with a round or square cap, which are dots, so that Typst draws them."""
    if not any("linecap" in key or "linecap" in value for node in elements_of(root) for key, value in node.items()):
        return
    for node in elements_of(root):
        name = local(node)
        if name == "path":
            match = _ONE_PLACE.fullmatch(node.get("d", ""))
            if match and match["line"].strip():
                node.set("d", f"M{match['x']} {match['y']}h{TINY}")
        elif name == "line" and all(node.get(f"{axis}1", "0") == node.get(f"{axis}2", "0") for axis in "xy"):
            start = _LENGTH.fullmatch(node.get("x1", "0"))
            if start and math.isfinite(float(start[1])):
                node.set("x2", f"{float(start[1]) + TINY:.9g}{start[2]}")


def _refuse_unread(root: Element) -> None:
    """Refuses transforms that cannot be read: Typst ignores them, and the part stands elsewhere."""
    for node in elements_of(root):
        try:
            transform(node)
            if local(node) == "svg" and node.get("viewBox"):
                view_box(node)
        except BadDrawing as fault:
            fault.line = node.sourceline
            raise


def _refuse_of_a_screen(root: Element) -> None:
    """Refuses effects measured in pixels of a screen, which have no one look on paper."""
    effects = list(root.iter(tag("filter")))
    used = set(references(root)) if effects else set()
    for effect in effects:
        if effect.get("id") not in used:
            continue
        for part in effect.iter(etree.Element):
            if local(part) in OF_A_SCREEN or part.get("stitchTiles") == "stitch":
                raise fault_at(
                    part,
                    f"its effect <{local(part)}> looks otherwise at each size in print",
                    "Delete the effect, or export the drawing as PNG.",
                )
