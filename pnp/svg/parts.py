"""Cuts a part out of a drawing by id or label, finds bounding boxes, and names the columns that texts show."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from pnp.shapes.affine import IDENTITY, Affine, Rect, enclosing, translation
from pnp.svg import safe as svg
from pnp.svg.styles import own, undeclare, value
from pnp.svg.tree import SVG, Element, copied, local, tag
from pnp.values.problems import closest, listed

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
    """Finds bounding boxes in one drawing: what a clip-path hides counts, and lines count with their width."""

    def __init__(self, root: Element) -> None:
        self._named = {name: node for node in root.iter(etree.Element) if (name := node.get("id"))}
        self._count = 0

    def box(self, element: Element, matrix: Affine) -> Rect | None:
        """The bounding box of an element, its own ``transform`` applied before ``matrix``. Raises BadDrawing."""
        found = [box for box in self._boxes(element, matrix, ()) if all(map(math.isfinite, (box.x, box.y)))]
        return enclosing(found) if found else None

    def _boxes(self, element: Element, matrix: Affine, around: tuple[Element, ...]) -> Iterator[Rect]:
        name = local(element)
        if not name or name in UNDRAWN or own(element, "display") == "none":
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
        if value(element, "stroke", "none") != "none":
            written = value(element, "stroke-width", "1").removesuffix("px")
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
    """The bounding box of a shape; None for one that draws nothing. Raises BadDrawing."""
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.pens.transformPen import TransformPen

    pen = BoundsPen(None)
    draw(outline(element), TransformPen(pen, (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)))
    if pen.bounds is None:
        return None
    left, top, right, bottom = pen.bounds
    return Rect(left, top, right - left, bottom - top)


def draw(data: str, pen: Any) -> None:
    """Draws path data with a pen. Raises BadDrawing."""
    from fontTools.svgLib.path import parse_path

    try:
        parse_path(data, pen)
    except (ValueError, IndexError, KeyError, TypeError, ZeroDivisionError, OverflowError, AssertionError):
        raise svg.BadDrawing(f'a path cannot be read: d="{data[:40]}"') from None


# How Inkscape writes the name of a layer or object that its user sees; ids are its own.
LABEL = "{http://www.inkscape.org/namespaces/inkscape}label"
_DRAWN = ("g", "symbol", "svg", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use", "image", "text")


class NoPart(svg.BadDrawing):
    """A part that a drawing does not have."""


def part(root: Element, name: str) -> Element:
    """The part as a drawing, with all that it refers to. Its box is still that of the whole: see :func:`boxed`.

    Raises BadDrawing.
    """
    chosen = _chosen(root, name)
    # What is in a definition is drawn where something refers to it: its groups move and colour nothing.
    chain = [node for node in chosen.iterancestors() if node is not root]
    if any(local(node) in UNDRAWN for node in chain):
        chain = []
    made = etree.Element(tag("svg"), dict(root.attrib), nsmap={None: SVG})
    definitions = etree.SubElement(made, tag("defs"))
    home = made
    for group in reversed(chain):
        home = etree.SubElement(home, group.tag, dict(group.attrib))
        _show(home)
    drawn = copied(chosen)
    _show(drawn)
    if local(drawn) == "symbol":
        drawn.tag = tag("g")
        for key in ("viewBox", "preserveAspectRatio", "width", "height", "x", "y", "refX", "refY"):
            drawn.attrib.pop(key, None)
    home.append(drawn)
    named = {own: node for node in root.iter(etree.Element) if (own := node.get("id")) and node not in (chosen, *chain)}
    wanted = svg.needed(made, named)
    inside = {node.get("id") for node in made.iter(etree.Element)}
    for own, node in named.items():
        if own in wanted and own not in inside:
            definitions.append(copied(node))
            inside.update(each.get("id") for each in node.iter(etree.Element))
    for key in ("viewBox", "width", "height", "x", "y"):
        made.attrib.pop(key, None)
    if local(chosen) in ("symbol", "svg") and chosen.get("viewBox"):
        made.set("viewBox", chosen.get("viewBox", ""))
    return made


def boxed(root: Element) -> None:
    """Gives a part without a box of its own its bounding box. Raises BadDrawing."""
    if root.get("viewBox"):
        return
    box = Bounds(root).box(root, IDENTITY)
    if box is None or box.width <= 0 or box.height <= 0:
        raise svg.BadDrawing("that part of it draws nothing")
    root.set("viewBox", " ".join(f"{value:.6g}" for value in (box.x, box.y, box.width, box.height)))


def _chosen(root: Element, name: str) -> Element:
    """The part by its id, else by its label if only one has it."""
    nodes = [node for node in root.iter(etree.Element) if node is not root and local(node) in _DRAWN]
    for node in nodes:
        if node.get("id") == name:
            return node
    labelled = [node for node in nodes if node.get(LABEL) == name]
    if len(labelled) == 1:
        return labelled[0]
    if labelled:
        raise svg.BadDrawing(f'{len(labelled)} parts of it are labelled "{name}"; name one by its id')
    # Names that a person gave come before those that a program did.
    groups = [node for node in nodes if local(node) in ("symbol", "g", "svg")]
    names = [*(node.get(LABEL) for node in nodes), *(node.get("id") for node in (*groups, *nodes))]
    known = list(dict.fromkeys(filter(None, names)))
    message = f'the drawing has no part "{name}"'
    raise NoPart(message, f"#{name}", listed(known, 30), closest(name, known), rule="missing-art")


def _show(element: Element) -> None:
    """Switches on a layer that is asked for by name."""
    undeclare(element, "display")
    if element.get("display") == "none":
        del element.attrib["display"]


# Affinity's, Illustrator's, then the id, under which all of them write it that have no name of their own for it.
_NAMES = (LABEL, "{http://www.serif.com/}id", "data-name", "id")
# What programs call things that nobody has named.
_AUTOMATIC = re.compile(
    r"(?:text|tspan|flowroot|flowpara|g|group|layer|frame|use|path|rect|svg|xmlid|svgid|artboard|ebene|calque|capa)"
    r"[\d_ -]*|_*\d[\d_-]*",
    re.IGNORECASE,
)
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{2,4})_")
# A place for a word: {cost}, {{cost}}, ${cost}, %VAR_cost%, %cost%.
PLACE = re.compile(r"\{\{\s*([A-Za-z]\w{0,40})\s*\}\}|\$?\{\s*([A-Za-z]\w{0,40})\s*\}|%(?:VAR_)?([A-Za-z]\w{0,40})%")
_LONGEST = 32


def column(name: str) -> str:
    """A name as that of a column: small letters, digits, low lines; empty for what is none."""
    made = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")
    return made if re.fullmatch(r"[a-z]\w*", made) and len(made) <= _LONGEST else ""


def called(text: Element, words: str) -> str:
    """The column that a text shows: by its own label, or that of the layer it is alone in; empty for none."""
    return _given(text, words) or next(
        (
            found
            for group in text.iterancestors()
            if local(group) == "g" and sum(1 for node in group.iter() if local(node) in ("text", "flowRoot")) == 1
            if (found := _given(group, words))
        ),
        "",
    )


def _given(element: Element, words: str) -> str:
    for key in _NAMES:
        name = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), element.get(key, "")).strip().lstrip("#")
        # Figma calls a text by what it says.
        said = " " in name.replace("_", " ") and name.casefold() == words.casefold()
        if name and not said and not _AUTOMATIC.fullmatch(name) and (found := column(name)):
            return found
    return ""
