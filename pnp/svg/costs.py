"""What a drawing takes to draw, known before it is drawn: the engine cannot be stopped once it has begun."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from lxml import etree

from pnp.svg.safe import NUMBER, BadDrawing
from pnp.svg.styles import property_of
from pnp.svg.tree import REFERENCE, XLINK, Element, local, tag

MOST_DRAWN = 200_000
"""Elements that are drawn, each as often as it is referred to."""
MOST_DEPTH = 60
"""Groups within groups, and references to what refers to something."""
AN_EFFECT = 400
"""An element with an effect takes as long as so many without."""
MOST_RADIUS = 0.05
"""How far feMorphology reaches, as a share of the drawing: its time grows with the square."""
MOST_OCTAVES = 10
"""More are not seen: each is half as strong as the one before."""
LARGEST = 20.0
"""How large the area of an effect or a tile may be, as a multiple of the drawing or of what it is of."""
FINEST = 1 / 20_000
"""The shortest dash, as a share of the drawing: on a card it is five thousandths of a millimetre."""

_NUMBER = re.compile(NUMBER)
_PAINTS = ("linearGradient", "radialGradient")


def fault_at(node: Element, reason: str, hint: str) -> BadDrawing:
    """What is wrong with an element, with its line."""
    fault = BadDrawing(reason)
    fault.line, fault.hint = node.sourceline, hint
    return fault


def _called(node: Element) -> str:
    name = node.get("id")
    return f'<{local(node)} id="{name}">' if name else f"<{local(node)}>"


def refuse_endless(root: Element, longest: float) -> None:
    """Refuse what would take minutes or gigabytes to draw; ``longest`` is the drawing's longer side. Raises BadDrawing."""
    _Drawn(root).refuse()
    for node in root.iter(etree.Element):
        name = local(node)
        if name == "filter":
            _effect(node, longest)
        elif name == "pattern":
            _area(node, longest, node.get("patternUnits"), "tile")
        written = f"{node.get('stroke-dasharray', '')} {node.get('style', '')}"
        if "dash" in written or node.get("stroke-dasharray"):
            _dashes(node, longest)


class _Drawn:
    """How many elements are drawn for each, with those that it refers to."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.named = {name: node for node in root.iter(etree.Element) if (name := node.get("id"))}
        self.known: dict[Element, int] = {}
        self.open: set[Element] = set()

    def refuse(self) -> None:
        self._count(self.root, 0)

    def _count(self, node: Element, depth: int) -> int:
        """Elements drawn for one; those of a circle are none, for the engine leaves it out."""
        if node in self.known:
            return self.known[node]
        if node in self.open:
            return 0
        if depth > 4 * MOST_DEPTH:
            raise fault_at(node, f"{_called(node)} stands in more than {4 * MOST_DEPTH} others", "Ungroup it.")
        self.open.add(node)
        total = 1 + AN_EFFECT * filtered(node)
        for child in node:
            if local(child):
                total += self._count(child, depth + 1)
        for name in _referred(node):
            if name in self.named and local(self.named[name]) not in _PAINTS:
                times = _places(node) if local(self.named[name]) == "marker" else 1
                total += times * self._count(self.named[name], depth + 1)
        self.open.discard(node)
        if total > MOST_DRAWN:
            raise fault_at(
                node,
                f"{_called(node)} comes to more than {MOST_DRAWN} elements, with all that it refers to; one with an effect "
                f"counts as {AN_EFFECT}",
                "Draw less with it, or export the drawing as PNG.",
            )
        self.known[node] = total
        return total


def filtered(node: Element) -> bool:
    """Whether an element has an effect of its own."""
    return property_of(node, "filter") != "none"


def reach(part: Element, longest: float) -> float:
    """How far an feMorphology reaches, as a share of the drawing."""
    effect = part.getparent()
    of_each = effect is not None and effect.get("primitiveUnits") == "objectBoundingBox"
    furthest = max((abs(float(value)) for value in _NUMBER.findall(part.get("radius", ""))), default=0.0)
    return furthest / (1 if of_each else longest)


def _referred(node: Element) -> Iterator[str]:
    """Ids that an element itself refers to."""
    for key, value in node.items():
        if key in ("href", XLINK) and value.startswith("#"):
            yield value[1:]
        elif "url(" in value:
            yield from REFERENCE.findall(value)


def _places(node: Element) -> int:
    """Where markers may stand on a line, at most; of a group's lines, on all of them."""
    lines = chain.from_iterable(node.iter(tag(name)) for name in ("path", "polyline", "polygon", "line"))
    return sum(max(2, len(_NUMBER.findall(each.get("d") or each.get("points") or ""))) for each in lines)


def _effect(effect: Element, longest: float) -> None:
    _area(effect, longest, effect.get("filterUnits"), "area")
    parts = [part for part in effect.iter(etree.Element) if local(part).startswith("fe")]
    for part in parts:
        name = local(part)
        if name == "feMorphology":
            if reach(part, longest) > MOST_RADIUS:
                raise fault_at(
                    part,
                    f'<feMorphology radius="{part.get("radius")}"> reaches further than {MOST_RADIUS:.0%} of the drawing',
                    "Make it smaller, turn the effect into a path, or export the drawing as PNG.",
                )
        elif name == "feTurbulence":
            octaves = _NUMBER.match(part.get("numOctaves", "").strip())
            if octaves and float(octaves[0]) > MOST_OCTAVES:
                part.set("numOctaves", str(MOST_OCTAVES))


def _area(node: Element, longest: float, units: str | None, what: str) -> None:
    """Refuse a tile or an area of an effect that is many times the drawing."""
    whole = longest if units == "userSpaceOnUse" else 1.0
    for side in ("width", "height"):
        written = node.get(side, "").strip()
        match = _NUMBER.match(written)
        if match is None:
            continue
        share = float(match[0]) / (100 if written.endswith("%") else whole)
        if share > LARGEST:
            raise fault_at(
                node,
                f'{_called(node)} has {side}="{written}", and its {what} is more than {LARGEST:g} times the drawing',
                "Make it smaller.",
            )


def _dashes(node: Element, longest: float) -> None:
    written = property_of(node, "stroke-dasharray")
    values = [float(value) for value in _NUMBER.findall(written)]
    if values and 0 < sum(values) < FINEST * longest:
        raise fault_at(
            node,
            f'{_called(node)} has dashes (stroke-dasharray="{written.strip()[:40]}") finer than can be printed',
            "Make them longer, or the line whole.",
        )
