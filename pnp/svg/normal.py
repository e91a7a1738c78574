"""Drawings as the engine draws them right: what it is known to draw otherwise is said in a way that it draws as meant.

The engine reads SVG well, but not all that it reads becomes PDF: gradients that repeat around a point, patterns that each
reader of PDF lays otherwise, effects within what is see-through. Such parts are drawn as dots by the engine itself: it
does so with whatever has a filter, so they are given one that changes nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from lxml import etree

from pnp.shapes.affine import Rect
from pnp.svg.costs import fault_at, refuse_endless
from pnp.svg.safe import href, needed, references, transform, view_box
from pnp.svg.tree import REFERENCE, XLINK, Element, local, tag

DOTS = 2000
"""Dots along the longer side of a drawing, where a part of it is drawn as dots: 540 dpi on a card of 94 mm."""
DOTS_A_UNIT = 4.0
"""Dots that the engine makes of a unit of what it keeps apart, however large that is printed."""
MOST_RUNS = 6
"""Parts of a drawing that are drawn as dots each for itself; of more, all that lies between them is as well."""
AS_DOTS = "pnp-as-dots"
TINY = 1e-3
"""As long as a line of no length becomes: the engine leaves out those of no length, with their caps."""

PX = {"": 1.0, "px": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96 / 72, "pc": 16.0}
EM = {"em": 16.0, "ex": 8.0}
_LENGTH = re.compile(r"\s*\+?(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)\s*([a-z%]*)\s*", re.IGNORECASE)
_ALIGN = re.compile(r"\s*(none|x(Min|Mid|Max)Y(Min|Mid|Max))(\s+(meet|slice))?\s*")

# What makes the engine keep a part of a drawing apart, so that it no longer knows how large its effects are printed.
APART = ("opacity", "mask", "mix-blend-mode", "isolation")
PLAIN = ("none", "1", "1.0", "100%", "normal", "auto")
GROUPS = ("g", "a")
JOINS = ("miter-clip", "arcs")
ALIKE = 1e-4
"""Sizes that differ by no more are of one shape: programs round."""
_BY_PLACE = re.compile(r"[>+~]|:[\w-]+(?=[^;{}]*\{)")
NOT_DRAWN = (
    "defs", "linearGradient", "radialGradient", "clipPath", "mask", "pattern", "symbol", "filter", "marker", "style", "",
    "title", "desc", "metadata", "namedview",
)  # fmt: skip
# What they look like depends on the dots of the screen, and a print has none.
OF_A_SCREEN = ("feConvolveMatrix", "feDiffuseLighting", "feSpecularLighting")


def normal(root: Element) -> tuple[float, float]:
    """Make a drawing one that is drawn as it was meant, and give its width and height. Raises BadDrawing."""
    size = _sized(root)
    blends = "mix-blend-mode" in _styles(root) or any(_of(node, "mix-blend-mode") not in PLAIN for node in _elements(root))
    if blends:  # with one another, and not with what lies below the drawing on the page
        _wrapped(list(_drawn(root)), {"style": "isolation:isolate"})
    mend(root)
    return size


def mend(root: Element) -> None:
    """The same for shapes of a template, which have the size of its face. Raises BadDrawing."""
    box = Rect(*view_box(root))
    _one_link(root)
    _refuse_of_a_screen(root)
    refuse_endless(root, max(box.width, box.height))
    _dots_of_lines(root)
    _nested_in_groups(root)
    _Dots(root, box).draw()


def _elements(root: Element) -> Iterator[Element]:
    return root.iter(etree.Element)


def _styles(root: Element) -> str:
    """Its style sheets, without comments."""
    text = " ".join("".join(map(str, style.itertext())) for style in root.iter(tag("style")))
    return re.sub(r"/\*.*?\*/|<!--|-->", "", text, flags=re.DOTALL)


def _of(element: Element, name: str) -> str:
    """A property of an element, from its ``style`` or else its attribute; "none" where it has none."""
    style = element.get("style")
    if style:
        for part in reversed(style.split(";")):
            key, _, value = part.partition(":")
            if key.strip() == name:
                return value.replace("!important", "").strip()
    return (element.get(name) or "none").strip()


# -- size


def pixels(written: str, whole: float) -> float | None:
    """A length in CSS pixels; of a share of ``whole``. None for what is no length."""
    match = _LENGTH.fullmatch(written)
    if not match:
        return None
    unit = match[2].lower()
    factor = whole / 100 if unit == "%" else (PX | EM).get(unit)
    value = float(match[1]) * factor if factor is not None else math.nan
    return value if math.isfinite(value) and value > 0 else None


def _sized(root: Element) -> tuple[float, float]:
    """The drawing's size by its width and height, else its viewBox; written so that it can be read one way only."""
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


def _one_link(root: Element) -> None:
    """``href`` goes before the older ``xlink:href``."""
    for node in _elements(root):
        if node.get("href") is not None and node.get(XLINK) is not None:
            del node.attrib[XLINK]


def _nested_in_groups(root: Element) -> None:
    """An ``<svg>`` within a drawing gets a group for its ``transform``, which the engine would apply twice."""
    linked = {href(node)[1:] for node in root.iter(tag("use"))}
    for node in list(root.iter(tag("svg"))):
        parent, moved = node.getparent(), node.get("transform")
        if parent is None:
            continue
        if "transform" in (node.get("style") or ""):
            raise fault_at(node, "an <svg> within it has a transform in its style", "Put it into a group that has it.")
        if moved is None:
            continue
        if node.get("id") in linked:
            raise fault_at(node, "an <svg> within it has a transform, and a <use> shows it again", "Make it a group.")
        group = etree.Element(tag("g"), {"transform": moved})
        parent.replace(node, group)
        group.append(node)
        group.tail, node.tail = node.tail, None
        del node.attrib["transform"]


_ONE_PLACE = re.compile(
    r"\s*[Mm]\s*(?P<x>[-+]?[\d.]+(?:e[-+]?\d+)?)[\s,]*(?P<y>[-+]?[\d.]+(?:e[-+]?\d+)?)\s*"
    r"(?:L\s*(?P=x)[\s,]+(?P=y)|l\s*[-+]?0*\.?0*[\s,]+[-+]?0*\.?0*|H\s*(?P=x)|V\s*(?P=y)|[hv]\s*[-+]?0*\.?0+)?\s*[Zz]?\s*",
    re.IGNORECASE,
)


def _dots_of_lines(root: Element) -> None:
    """Lines of no length with a round or square cap are dots; they become as long as the engine needs to draw them."""
    if not any("linecap" in key or "linecap" in value for node in _elements(root) for key, value in node.items()) and (
        "linecap" not in _styles(root)
    ):
        return
    for node in _elements(root):
        name = local(node)
        if name == "path":
            match = _ONE_PLACE.fullmatch(node.get("d", ""))
            drawn = (node.get("d") or "").strip().lstrip("Mm")
            if match and re.search("[a-zA-Z]", drawn):
                node.set("d", f"M{match['x']} {match['y']}h{TINY}")
        elif name == "line" and all(node.get(f"{axis}1", "0") == node.get(f"{axis}2", "0") for axis in "xy"):
            start = node.get("x1", "0")
            if re.fullmatch(r"\s*[-+]?[\d.]+\s*", start):
                node.set("x2", f"{float(start) + TINY:.9g}")


def _refuse_of_a_screen(root: Element) -> None:
    """Effects that are told in the dots of a screen have no one look on paper."""
    if not any(local(node) in OF_A_SCREEN for node in _elements(root)):
        return
    used = set(references(root))
    for effect in root.iter(tag("filter")):
        if effect.get("id") not in used:
            continue
        for part in effect.iter(etree.Element):
            if local(part) in OF_A_SCREEN:
                raise fault_at(
                    part,
                    f"its effect <{local(part)}> looks otherwise at each size in print",
                    "Delete the effect, or export the drawing as PNG.",
                )


# -- parts that are drawn as dots


class _Dots:
    """What of a drawing the engine cannot make PDF of, and wraps that let it draw it as dots."""

    def __init__(self, root: Element, box: Rect) -> None:
        self.root, self.box = root, box
        self.styles = _styles(root)
        self.named = {name: node for node in _elements(root) if (name := node.get("id"))}
        self.doubtful = {name for name, node in self.named.items() if self._doubtful(node)}
        self.runs: list[tuple[list[Element], Rect, float]] = []
        """Neighbours, the drawing's box where they stand, and how many units of the drawing a unit there is."""

    def draw(self) -> None:
        whole = [(list(_drawn(self.root)), self.box, 1.0)]
        if self._in_styles():
            self.runs = whole
        elif self._needs(self.root):
            self._find(self.root, self.box, 1.0)
            if len(self.runs) > MOST_RUNS:
                self.runs = whole
        for number, (nodes, box, scale) in enumerate(self.runs, 1):
            self._wrap(nodes, box, scale, f"{AS_DOTS}-{number}")

    def _doubtful(self, paint: Element) -> bool:
        """Whether a paint comes out of PDF otherwise than it was meant, or otherwise with each reader."""
        name = local(paint)
        if name == "pattern":
            return True
        if name != "radialGradient":
            return False
        return self._inherited(paint, "spreadMethod") in ("reflect", "repeat") or not re.fullmatch(
            r"[-+]?0*\.?0*%?", self._inherited(paint, "fr")
        )

    def _inherited(self, paint: Element, name: str) -> str:
        """An attribute of a paint, or of that which it is made after."""
        seen: set[Element] = set()
        at: Element | None = paint
        while at is not None and at not in seen:
            if (found := at.get(name)) is not None:
                return found.strip()
            seen.add(at)
            at = self.named.get(href(at)[1:])
        return ""

    def _in_styles(self) -> bool:
        """Whether a style sheet asks for any of it: then it may be anywhere."""
        kept_apart = any(key in self.styles for key in APART) or any(map(_apart, _elements(self.root)))
        filtered = "filter" in self.styles or any(_of(node, "filter") != "none" for node in _elements(self.root))
        in_both = "filter" in self.styles or any(key in self.styles for key in APART)
        return (
            not self.doubtful.isdisjoint(REFERENCE.findall(self.styles))
            or any(join in self.styles for join in JOINS)
            or (in_both and kept_apart and filtered)
        )

    def _needs(self, node: Element) -> bool:
        """Whether anything in it, or in what it refers to, must be drawn as dots."""
        referred = needed(node, self.named)
        if not self.doubtful.isdisjoint(referred):
            return True
        parts = [node, *(self.named[name] for name in sorted(referred))]
        inner = [each for part in parts for each in part.iter(etree.Element)]
        if any(_of(each, "stroke-linejoin") in JOINS for each in inner):
            return True
        return any(_of(each, "filter") != "none" for each in inner) and any(map(self._hides, filter(_apart, inner)))

    def _hides(self, group: Element) -> bool:
        """Whether an effect stands within what is kept apart, where the engine knows no longer how large it is printed."""
        around = (self.named[name] for name in needed(group, self.named))
        within = (each for part in (*group, *around) for each in part.iter(etree.Element))
        return any(_of(each, "filter") != "none" for each in within)

    def _find(self, parent: Element, box: Rect, scale: float) -> None:
        run: list[Element] = []
        for child in _drawn(parent):
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
        if local(child) not in GROUPS or _apart(child) or _of(child, "filter") != "none":
            return False
        if "transform" in child.get("style", "") or child.get("transform-origin"):
            return False
        own = etree.Element(child.tag, dict(child.attrib))
        return self.doubtful.isdisjoint(references(own)) and _of(child, "stroke-linejoin") not in JOINS

    def _wrap(self, nodes: list[Element], box: Rect, scale: float, name: str) -> None:
        dots_a_unit = DOTS * scale / max(self.box.width, self.box.height)
        enlarged = dots_a_unit / DOTS_A_UNIT
        group = _wrapped(nodes, {"filter": f"url(#{name})"})
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
        inner = _wrapped([group], {"transform": f"scale({enlarged:.9g})"})
        if inner is not None:
            _wrapped([inner], {"transform": f"scale({1 / enlarged:.9g})", "style": "isolation:isolate"})


def _apart(node: Element) -> bool:
    return any(_of(node, name) not in PLAIN for name in APART)


def _drawn(parent: Element) -> Iterator[Element]:
    return (child for child in parent if local(child) not in NOT_DRAWN)


def _wrapped(nodes: list[Element], attributes: dict[str, str]) -> Element | None:
    """The group into which neighbours were put, with what lies between them. Raises BadDrawing."""
    parent = nodes[0].getparent() if nodes else None
    if parent is None:
        return None
    if match := _BY_PLACE.search(_styles(nodes[0].getroottree().getroot())):
        raise fault_at(nodes[0], f'its <style> picks elements by where they stand ("{match[0]}")', "Give them classes.")
    first, last = parent.index(nodes[0]), parent.index(nodes[-1])
    inside = parent[first : last + 1]
    group = etree.Element(tag("g"), attributes)
    parent.insert(first, group)
    group.extend(inside)
    return group
