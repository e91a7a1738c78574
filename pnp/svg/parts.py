"""One part of a drawing as a drawing of its own: ``icons.svg#sword`` is the symbol, group or layer of that name."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from lxml import etree

from pnp.shapes.affine import IDENTITY, Rect
from pnp.svg import safe as svg
from pnp.svg.bounds import UNDRAWN, Bounds
from pnp.svg.styles import Styles, undeclare
from pnp.svg.tree import SVG, Element, local, tag
from pnp.values.problems import closest, listed

# How Inkscape writes the name of a layer or object that its user sees; ids are its own.
LABEL = "{http://www.inkscape.org/namespaces/inkscape}label"
_DRAWN = ("g", "symbol", "svg", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use", "image", "text")


class NoPart(svg.BadDrawing):
    """A part that a drawing has not."""

    rule = "missing-art"

    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(f'the drawing has no part "{name}"')
        self.value, self.allowed, self.hint = f"#{name}", listed(known, 30), closest(name, known)


def part(root: Element, name: str) -> Element:
    """The part as a drawing, with all that it refers to. Its box is still that of the whole: see ``boxed``.

    Raises BadDrawing.
    """
    chosen = _chosen(root, name)
    # What is in a definition is drawn where something refers to it: its groups move and colour nothing.
    chain = [node for node in chosen.iterancestors() if node is not root]
    if any(local(node) in UNDRAWN for node in chain):
        chain = []
    made = etree.Element(tag("svg"), dict(root.attrib), nsmap={None: SVG})
    definitions = etree.SubElement(made, tag("defs"))
    for style in root.iter(tag("style")):
        definitions.append(_copied(style))
    home = made
    for group in reversed(chain):
        home = etree.SubElement(home, group.tag, dict(group.attrib))
        _show(home)
    drawn = _copied(chosen)
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
            definitions.append(_copied(node))
            inside.update(each.get("id") for each in node.iter(etree.Element))
    for key in ("viewBox", "width", "height", "x", "y"):
        made.attrib.pop(key, None)
    if local(chosen) in ("symbol", "svg") and chosen.get("viewBox"):
        made.set("viewBox", chosen.get("viewBox", ""))
    return made


def boxed(root: Element) -> None:
    """A part that has no box of its own gets the one around what it draws. Raises BadDrawing."""
    if root.get("viewBox"):
        return
    box = Bounds(root, Styles.of(root)).box(root, IDENTITY)
    if box is None or box.width <= 0 or box.height <= 0:
        raise svg.BadDrawing("that part of it draws nothing")
    root.set("viewBox", _written(box))


def _written(box: Rect) -> str:
    return " ".join(f"{value:.6g}" for value in (box.x, box.y, box.width, box.height))


def _chosen(root: Element, name: str) -> Element:
    """By its id, else by its label if only one has it."""
    nodes = [node for node in root.iter(etree.Element) if node is not root and local(node) in _DRAWN]
    for node in nodes:
        if node.get("id") == name:
            return node
    labelled = [node for node in nodes if node.get(LABEL) == name]
    if len(labelled) == 1:
        return labelled[0]
    if labelled:
        raise svg.BadDrawing(f'{len(labelled)} parts of it are labelled "{name}"; name one by its id')
    raise NoPart(name, list(dict.fromkeys(_known(nodes))))


def _known(nodes: list[Element]) -> Iterator[str]:
    """Names that a person gave come before those that a program did."""
    yield from (label for node in nodes if (label := node.get(LABEL)))
    yield from (name for node in nodes if (name := node.get("id")) and local(node) in ("symbol", "g", "svg"))
    yield from (name for node in nodes if (name := node.get("id")))


def _show(element: Element) -> None:
    """A layer that is switched off is drawn when it is asked for by name."""
    if element.get("display") == "none":
        del element.attrib["display"]
    undeclare(element, "display")


def _copied(element: Element) -> Element:
    twin = copy.deepcopy(element)
    twin.tail = None
    return twin
