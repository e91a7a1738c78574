"""Rewrites SVG that Typst renders wrongly, and has it rasterise what it cannot put into PDF as every reader shows it.

The engine reads SVG well, but a few things otherwise than browsers do. It draws as dots whatever has an effect: such
parts are given one that changes nothing. How many dots there are is decided here, and does not depend on how the engine
sees the part.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from pnp.shapes.affine import Rect
from pnp.svg.safe import (
    NUMBER,
    WITH_UNIT,
    BadDrawing,
    fault_at,
    href,
    needed,
    pixels,
    references,
    transform,
    view_box,
)
from pnp.svg.styles import property_of, undeclare
from pnp.svg.tree import XLINK, Element, local, tag

TINY = 1e-3
"""As long as a line of no length becomes: the engine leaves out those of no length, with their caps."""

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
            start = WITH_UNIT.fullmatch(node.get("x1", "0"))
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


DOTS = 2000
"""Dots along the longer side of a drawing, where a part of it is drawn as dots: 540 dpi on a card of 94 mm."""
FEWEST_DOTS, DOTS_OF_MANY = 300, 1000
"""So few where it would take too long, and so few for many effects."""
SECONDS = 6.0
"""As long as the effects of a drawing may take: by what a dot takes, and one that feMorphology looks at."""
A_DOT, A_LOOK = 0.22e-6, 15e-9
DOTS_A_UNIT = 4.0
"""Dots that the engine makes of a unit of what it keeps apart, however large that is printed."""
MOST_RUNS = 6
"""Parts of a drawing that are drawn as dots each for itself; of more, all that lies between them is as well."""
AS_DOTS = "pnp-as-dots"

# What makes the engine keep a part of a drawing apart, so that it no longer knows how large its effects are printed.
APART = ("opacity", "mask", "mix-blend-mode", "isolation")
PLAIN = ("none", "1", "1.0", "100%", "normal", "auto")
GROUPS = ("g", "a")
JOINS = ("miter-clip", "arcs")
# Ways to blend for which readers of PDF have formulas of their own.
BLENDS = ("color-dodge", "color-burn", "hue", "saturation", "color", "luminosity")
_NO_GAP = rf"\s*+{NUMBER}[\s,]++(?:0++(?:\.0*+)?+|\.0++)\s*+"
NOT_DRAWN = (
    "defs", "linearGradient", "radialGradient", "clipPath", "mask", "pattern", "symbol", "filter", "marker", "style", "",
    "title", "desc", "metadata", "namedview",
)  # fmt: skip


def elements_of(root: Element) -> Iterator[Element]:
    """All elements of a tree, without comments and the like."""
    return root.iter(etree.Element)


class Dots:
    """Finds what must be rasterised, and wraps it so that Typst does so."""

    def __init__(self, root: Element, box: Rect) -> None:
        self.root, self.box = root, box
        self.named = {name: node for node in elements_of(root) if (name := node.get("id"))}
        self.doubtful = {name for name, node in self.named.items() if self._doubtful(node)}
        self.dots = self._dots()
        self.runs: list[tuple[list[Element], Rect, float]] = []
        """Neighbours, the drawing's box where they stand, and how many units of the drawing a unit there is."""

    def _dots(self) -> float:
        """Pixels along the longer side: fewer where effects would take too long. Raises BadDrawing where they still
        would.
        """
        longest = max(self.box.width, self.box.height)
        share = self.box.width * self.box.height / longest**2
        effects = [node for node in elements_of(self.root) if _filtered(node)]
        dots = min(DOTS, max(DOTS_OF_MANY, math.sqrt(SECONDS / (A_DOT * share * (len(effects) or 1)))))
        looks = 0.0
        within = (part for effect in self.root.iter(tag("filter")) for part in effect.iter(tag("feMorphology")))
        for part in within:
            effect = part.getparent()
            name = (effect.get("id") if effect is not None else None) or ""
            times = sum(name in references(node) for node in effects)
            looks += times * (2 * _reach(part, longest)) ** 2 * share
            if looks and (dots := min(dots, (SECONDS / (A_LOOK * looks)) ** 0.25)) < FEWEST_DOTS:
                raise fault_at(part, "its effects <feMorphology> take too long", "Turn them into paths.")
        return self._in_step(dots)

    def _in_step(self, most: float) -> float:
        """A little fewer pixels, so that tiles are whole pixels: Typst rounds them, and errors add up over many."""
        longest = max(self.box.width, self.box.height)
        sides = [
            float(written) / longest
            for tile in self.root.iter(tag("pattern"))
            if tile.get("patternUnits") == "userSpaceOnUse"
            for side in ("width", "height")
            if re.fullmatch(r"\d+\.?\d*|\.\d+", written := tile.get(side, ""))
        ]

        def off(dots: float) -> float:
            return max(abs(side * dots - round(side * dots)) / max(side * dots, 1) for side in sides)

        return min((most * (1 - step / 2000) for step in range(400)), key=off) if sides else most

    def draw(self) -> None:
        whole = [(list(drawn_in(self.root)), self.box, 1.0)]
        # What it blends with may be anywhere.
        if any(property_of(node, "mix-blend-mode") in BLENDS for node in elements_of(self.root)):
            self.runs = whole
        elif self._needs(self.root):
            self._find(self.root, self.box, 1.0)
            if len(self.runs) > MOST_RUNS:
                self.runs = whole
        for number, (nodes, box, scale) in enumerate(self.runs, 1):
            self._wrap(nodes, box, scale, f"{AS_DOTS}-{number}")

    def _doubtful(self, paint: Element) -> bool:
        """Whether a paint looks different in PDF, or differs between readers."""
        name = local(paint)
        if name == "pattern" or (name == "mask" and property_of(paint, "mask") != "none"):
            return True
        if name == "filter":  # how long it takes depends on its dots
            return next(paint.iter(tag("feMorphology")), None) is not None
        if name != "radialGradient":
            return False
        return self._inherited(paint, "spreadMethod") in ("reflect", "repeat") or not re.fullmatch(
            r"[-+]?0*+(?:\.0*+)?%?", self._inherited(paint, "fr")
        )

    def _inherited(self, paint: Element, name: str) -> str:
        """An attribute of a paint, or of the one it inherits from by href."""
        seen: set[Element] = set()
        at: Element | None = paint
        while at is not None and at not in seen:
            if (found := at.get(name)) is not None:
                return found.strip()
            seen.add(at)
            at = self.named.get(href(at)[1:])
        return ""

    def _needs(self, node: Element) -> bool:
        """Whether an element, or what it refers to, must be rasterised."""
        referred = needed(node, self.named)
        if not self.doubtful.isdisjoint(referred):
            return True
        parts = [node, *(self.named[name] for name in sorted(referred))]
        inner = [each for part in parts for each in part.iter(etree.Element)]
        if any(map(_odd_line, inner)):
            return True
        return any(map(_filtered, inner)) and any(map(self._hides, filter(is_apart, inner)))

    def _hides(self, group: Element) -> bool:
        """Whether a filter stands inside an isolated group, where Typst does not know its printed size."""
        around = (self.named[name] for name in needed(group, self.named))
        return any(map(_filtered, (each for part in (*group, *around) for each in part.iter(etree.Element))))

    def _find(self, parent: Element, box: Rect, scale: float) -> None:
        run: list[Element] = []
        for child in drawn_in(parent):
            if not self._needs(child):
                run = []
            elif self._goes_into(child):
                run = []
                own = transform(child)
                try:
                    inner = own.inverse().bounds(box)
                except (ValueError, ZeroDivisionError):
                    continue  # nothing of it is seen
                self._find(child, inner, scale * math.sqrt(abs(own.determinant)))
            else:
                if not run:
                    self.runs.append((run, box, scale))
                run.append(child)

    def _goes_into(self, child: Element) -> bool:
        if local(child) not in GROUPS or is_apart(child) or _filtered(child):
            return False
        if "transform" in child.get("style", "") or child.get("transform-origin"):
            return False
        own = etree.Element(child.tag, dict(child.attrib))
        return self.doubtful.isdisjoint(references(own)) and not _odd_line(child)

    def _wrap(self, nodes: list[Element], box: Rect, scale: float, name: str) -> None:
        dots_a_unit = self.dots * scale / max(self.box.width, self.box.height)
        enlarged = dots_a_unit / DOTS_A_UNIT
        group = wrapped(nodes, {"filter": f"url(#{name})"})
        if group is None:
            return
        about: Any = {"id": name, "filterUnits": "userSpaceOnUse", "color-interpolation-filters": "sRGB"}
        place: Any = {key: f"{getattr(box, key):.9g}" for key in ("x", "y", "width", "height")}
        as_dots = etree.Element(tag("filter"), {**about, **place})
        merged = etree.SubElement(as_dots, tag("feMerge"))
        etree.SubElement(merged, tag("feMergeNode"), {"in": "SourceGraphic"})
        group.addprevious(as_dots)
        inner = wrapped([group], {"transform": f"scale({enlarged:.9g})"})
        if inner is not None:
            wrapped([inner], {"transform": f"scale({1 / enlarged:.9g})", "style": "isolation:isolate"})


def _odd_line(node: Element) -> bool:
    """Whether its lines have ends that PDF lacks, or dashes without gaps, whose joins differ."""
    no_gap = re.fullmatch(_NO_GAP, property_of(node, "stroke-dasharray"))
    return no_gap is not None or property_of(node, "stroke-linejoin") in JOINS


def is_apart(node: Element) -> bool:
    return any(property_of(node, name) not in PLAIN for name in APART)


def drawn_in(parent: Element) -> Iterator[Element]:
    return (child for child in parent if local(child) not in NOT_DRAWN)


def wrapped(nodes: list[Element], attributes: dict[str, str]) -> Element | None:
    """Wraps neighbours, and what lies between them, in a group."""
    parent = nodes[0].getparent() if nodes else None
    if parent is None:
        return None
    first, last = parent.index(nodes[0]), parent.index(nodes[-1])
    inside = parent[first : last + 1]
    group = etree.Element(tag("g"), attributes)
    parent.insert(first, group)
    group.extend(inside)
    return group


def _filtered(node: Element) -> bool:
    return property_of(node, "filter") != "none"


def _reach(part: Element, longest: float) -> float:
    """The radius of an feMorphology, as a share of the drawing."""
    effect = part.getparent()
    of_each = effect is not None and effect.get("primitiveUnits") == "objectBoundingBox"
    furthest = max((abs(float(value)) for value in re.findall(NUMBER, part.get("radius", ""))), default=0.0)
    return furthest / (1 if of_each else longest)
