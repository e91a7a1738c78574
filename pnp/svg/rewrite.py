"""Recolours icons of one colour, and mirrors drawings for a language from right to left."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from lxml import etree

from pnp.shapes.affine import IDENTITY, Affine, Rect, mirror_x
from pnp.shapes.colour import code_of, in_css
from pnp.svg import safe as svg
from pnp.svg.parts import SHAPES, UNDRAWN, draw, outline
from pnp.svg.styles import declarations, own, value
from pnp.svg.tree import Element, local, remove, tag
from pnp.values.problems import listed

# How near to the edge of a drawing its ground must come, in shares of the drawing.
_NEAR = 0.002
_PAINTS = ("fill", "stroke")


def recolour(root: Element, colour: str) -> None:
    """Draws the one colour of a drawing in another, and removes the ground behind it. Raises BadDrawing."""
    if in_css(colour) is None:
        raise svg.BadDrawing(f'fill="{colour[:40]}" is no colour', colour, "#rrggbb")
    shapes = list(_shapes(root))
    ground = _ground(root, shapes)
    if ground is not None:
        shapes.remove(ground)
        remove(ground)
    painted = [(shape, paint, said) for shape in shapes for paint in _PAINTS if (said := _paint(shape, paint))]
    colours = list(dict.fromkeys(said for _, _, said in painted))
    if any(local(node) in ("image", "foreignObject") for node in root.iter(etree.Element)):
        colours.append("a picture")
    if not colours:
        raise svg.BadDrawing("nothing in it has a colour that fill=… could change")
    if len(colours) > 1:
        hint = f"Its colours: {listed(colours)}. Write currentColor for the one that the template shall choose."
        raise svg.BadDrawing(f"it has {len(colours)} colours, and fill=… is for drawings of one", colour, hint=hint)
    if colours[0] == "a picture" or colours[0].startswith("url("):
        what = "is a picture" if colours[0] == "a picture" else f"is coloured by a {_painter(root, colours[0])}"
        message = f"it {what}, and fill=… is for drawings of one colour"
        raise svg.BadDrawing(message, colour, hint="Draw it in one plain colour.")
    for shape, paint, _ in painted:
        style = {key: said for key, said in declarations(shape.get("style", "")).items() if key != paint}
        shape.set("style", ";".join(f"{key}:{said}" for key, said in {**style, paint: colour}.items()))


def _painter(root: Element, reference: str) -> str:
    name = reference.removeprefix("url(").partition(")")[0].strip(" '\"").lstrip("#")
    patterns = (node.get("id") for node in root.iter(tag("pattern")))
    return "pattern" if name in patterns else "gradient"


def _shapes(element: Element) -> Iterator[Element]:
    """The elements that paint, wherever they stand; clips and masks do not."""
    for child in element:
        name = local(child)
        if name in SHAPES or name == "use":
            yield child
        elif name and (name not in UNDRAWN or name in ("defs", "symbol")):
            yield from _shapes(child)


def _paint(shape: Element, paint: str) -> str:
    """The colour of a fill or stroke; empty for none, and for a definition that inherits it where it is used."""
    usual = "#000000" if paint == "fill" and not _in_definitions(shape) else "none"
    said = value(shape, paint, usual)
    if said in ("none", "transparent", ""):
        return ""
    return code_of(said) or said


def _ground(root: Element, shapes: list[Element]) -> Element | None:
    """The first shape, if it is a plain rectangle behind everything and more is drawn on it."""
    first = next((shape for shape in shapes if not _in_definitions(shape)), None)
    if first is None or len(shapes) < 2 or local(first) == "use":
        return None
    if _paint(first, "stroke") or not (colour := _paint(first, "fill")):
        return None
    if not _covers(first, Rect(*svg.view_box(root))):
        return None
    others = {_paint(shape, paint) for shape in shapes for paint in _PAINTS if shape is not first} - {""}
    # On a ground of its own colour nothing would be seen, so it is none.
    return first if others and colour not in others else None


def _in_definitions(shape: Element) -> bool:
    return any(local(node) in UNDRAWN for node in shape.iterancestors())


def _covers(shape: Element, box: Rect) -> bool:
    from fontTools.pens.recordingPen import RecordingPen

    if shape.get("rx") or shape.get("ry"):
        return False
    if (shape.get("width"), shape.get("height")) == ("100%", "100%"):
        return shape.get("x", "0") == shape.get("y", "0") == "0"
    matrix: Affine = IDENTITY
    for node in (shape, *shape.iterancestors()):
        matrix = svg.transform(node) @ matrix
    pen = RecordingPen()
    draw(outline(shape), pen)
    kinds = [kind for kind, _ in pen.value]
    if kinds.count("moveTo") != 1 or not {*kinds} <= {"moveTo", "lineTo", "closePath", "endPath"}:
        return False
    corners = {_rounded(matrix.point(*points[0]), box) for _, points in pen.value if points}
    return corners == {(0, 0), (0, 1), (1, 0), (1, 1)}


def _rounded(point: tuple[float, float], box: Rect) -> tuple[float, float]:
    """A point within the box from 0 to 1, rounded to 0 or 1 where it is next to the edge."""
    shares = ((point[0] - box.x) / box.width, (point[1] - box.y) / box.height)
    x, y = (round(share) if abs(share - round(share)) < _NEAR else share for share in shares)
    return x, y


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
            x, wide = _across(child)
            child.set("x", _written(2 * middle - x - wide))
        else:
            for kept in child.iter(*map(tag, _KEPT)):
                _turn_round(kept)
                x, wide = _across(kept)
                _show(kept, svg.transform(kept) @ mirror_x(x + wide / 2))
            _show(child, mirror_x(middle) @ svg.transform(child))


def _drawn_as_one(group: Element) -> bool:
    return any(own(group, key) not in (None, "none", "1", "normal", "auto") for key in ("clip-path", "mask", "filter"))


def _across(kept: Element) -> tuple[float, float]:
    """Where a box begins from the left, and its width; of a text its anchor, and 0."""
    return svg.number(kept, "x", 0.0), 0.0 if local(kept) == "text" else svg.number(kept, "width", 0.0)


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
