"""Has Typst rasterise parts of a drawing that it cannot put into PDF as every reader shows them.

It draws as dots whatever has an effect: such parts are given one that changes nothing. How many dots there are is decided
here, and does not depend on how the engine sees the part.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from lxml import etree

from pnp.shapes.affine import Rect
from pnp.svg.safe import NUMBER, fault_at, href, needed, references, transform
from pnp.svg.styles import property_of
from pnp.svg.tree import Element, local, tag

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
        effects = [node for node in elements_of(self.root) if filtered(node)]
        dots = min(DOTS, max(DOTS_OF_MANY, math.sqrt(SECONDS / (A_DOT * share * (len(effects) or 1)))))
        looks = 0.0
        within = (part for effect in self.root.iter(tag("filter")) for part in effect.iter(tag("feMorphology")))
        for part in within:
            effect = part.getparent()
            name = (effect.get("id") if effect is not None else None) or ""
            times = sum(name in references(node) for node in effects)
            looks += times * (2 * reach(part, longest)) ** 2 * share
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
        effects = any(property_of(each, "filter") != "none" for each in inner)
        return effects and any(map(self._hides, filter(is_apart, inner)))

    def _hides(self, group: Element) -> bool:
        """Whether a filter stands inside an isolated group, where Typst does not know its printed size."""
        around = (self.named[name] for name in needed(group, self.named))
        within = (each for part in (*group, *around) for each in part.iter(etree.Element))
        return any(property_of(each, "filter") != "none" for each in within)

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
        if local(child) not in GROUPS or is_apart(child) or property_of(child, "filter") != "none":
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
        place = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
        as_dots = etree.Element(
            tag("filter"),
            {
                "id": name,
                "filterUnits": "userSpaceOnUse",
                "color-interpolation-filters": "sRGB",
                **{key: f"{value:.9g}" for key, value in place.items()},
            },
        )
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


def filtered(node: Element) -> bool:
    return property_of(node, "filter") != "none"


def reach(part: Element, longest: float) -> float:
    """The radius of an feMorphology, as a share of the drawing."""
    effect = part.getparent()
    of_each = effect is not None and effect.get("primitiveUnits") == "objectBoundingBox"
    furthest = max((abs(float(value)) for value in re.findall(NUMBER, part.get("radius", ""))), default=0.0)
    return furthest / (1 if of_each else longest)
