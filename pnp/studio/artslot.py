"""Finds room for a picture on the cards of a component, and writes a place for it into their template."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from pnp.draw.cards import DrawContext, filled
from pnp.read.project import Project
from pnp.shapes.affine import IDENTITY, Affine, Rect
from pnp.studio.boxes import number
from pnp.studio.documents import TABLES
from pnp.studio.messages import SlotSeen
from pnp.svg import safe as svg
from pnp.svg.tree import Element, local
from pnp.values.game import Component, Game
from pnp.values.problems import Fault, Problems
from pnp.values.tables import PICTURING, Table

# Kinds of pieces that are one flat side.
FLAT = ("card", "domino", "tile", "token", "divider", "board")
# From the edge of the piece and from what else is on it, and how wide and high the place is at least, in mm.
EDGE, GAP, LEAST = 4.0, 1.0, 12.0
# A shape is in the way where it covers less of the piece than this: what is larger is its ground.
GROUND = 0.5
# So many rows are looked at to know what is on a piece.
MOST_ROWS = 12
_BLOCK = re.compile(r"\{%[-+]?\s*(?:(?P<name>block)\s+(\w+)[^%]*|endblock\b[^%]*)%\}")
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
_SHAPES = ("rect", "circle", "ellipse")


def lacks_art(game: Game, component: Component) -> bool:
    """Whether the template of its fronts shows no picture of the row, whatever is in ``art/``."""
    if component.look or component.kind not in FLAT:
        return False
    reads = DrawContext(game, Problems()).templates.reads(component.template)
    path = _template(game, component)
    if reads is None or path is None or "picture" in reads:
        return False
    source = _COMMENT.sub("", path.read_text("utf-8"))
    columns = "|".join(PICTURING)
    return not re.search(rf"""\brow(?:\.(?:{columns})\b|\[["'](?:{columns})["'])""", source)


def art_slot(project: Project, game: Game, name: str) -> SlotSeen:
    """The template of a component with a place for a picture, and the column for its name; or why there can be none."""
    component = next((each for each in game.components if each.name == name), None)
    try:
        if component is None:
            raise Fault("It is not there any more.")
        return _slot(project, game, component)
    except (Fault, svg.BadDrawing) as refused:
        return SlotSeen(fault=f"{refused}".removesuffix(".") + ".")


def _slot(project: Project, game: Game, component: Component) -> SlotSeen:
    """Raises Fault, BadDrawing."""
    path = _template(game, component)
    if path is None or not any(path.is_relative_to(home) for home in (project.content, project.root / "templates")):
        raise Fault("Its template is not one of this project, so that nothing can be written into it")
    if not lacks_art(game, component):
        raise Fault(f"{path.name} shows pictures already: drop one on a card")
    source = path.read_bytes().decode("utf-8-sig")
    at = _end_of_face(source)
    if at is None:
        raise Fault(f'{path.name} has no "{{% block face %}}" of its own, into which a picture could be written')
    found = _room(component, [each for row in _obstacles(game, component) for each in row])
    if found is None:
        raise Fault(
            f"There is no room for a picture between what is on it: {LEAST:g} × {LEAST:g} mm at least. "
            "Make a text box smaller first, with Arrange art and text"
        )
    column = next((each for each in component.table.columns if each.casefold() in PICTURING), "")
    line = "\r\n" if "\r\n" in source else "\n"
    text = line.join([*_lines(found, column), ""])
    before = source[:at].rstrip(" \t")
    after = f"{before}{'' if before.endswith(line) else line}{text}{source[at:]}"
    drawn = DrawContext(game, Problems(), sources={f"{component.template}.svg.j2": after})
    for row in [*component.table][:1]:
        svg.parse(filled(drawn, component, row, "front")[0])
    table = "" if column else _file(component.table)
    return SlotSeen(project.shown(path), source, after, table, "art" if table else "", found.width, found.height)


def _template(game: Game, component: Component) -> Path | None:
    name = f"{component.template}.svg.j2"
    return next((root / name for root in game.template_roots if (root / name).is_file()), None)


def _file(table: Table) -> str:
    """The one file of a table that can be given a column; empty where it is of another program, or there are several."""
    files = [table.file] if not table.parts else []
    return next((file for file in files if Path(file).suffix.lower() in TABLES), "")


def _lines(room: Rect, column: str) -> list[str]:
    own = "picture.own()" if column in ("", "art") else f'picture.own(row["{column}"])'
    x, y, width, height = map(number, (room.x, room.y, room.width, room.height))
    return [
        f"{{# The picture in art/ that the column {column or 'art'} names, or else that is called like the row's id. #}}",
        f"{{% if {own} %}}",
        f'<image href="{{{{ {own} }}}}" x="{x}" y="{y}" width="{width}" height="{height}"/>',
        "{% endif %}",
    ]


def _end_of_face(source: str) -> int | None:
    """Where the block ``face`` of a template ends; None where it has none."""
    plain = _COMMENT.sub(lambda found: " " * len(found[0]), source)
    open_blocks: list[str] = []
    for token in _BLOCK.finditer(plain):
        if token["name"]:
            open_blocks.append(token[2])
        elif open_blocks and open_blocks.pop() == "face":
            return token.start()
    return None


def _obstacles(game: Game, component: Component) -> Iterator[list[Rect]]:
    """What is on the first rows' fronts: texts, pictures, and shapes that are not the ground. Raises Fault, BadDrawing."""
    context = DrawContext(game, Problems())
    for row in [*component.table][:MOST_ROWS]:
        text, _ = filled(context, component, row, "front")
        yield [*_boxes(svg.parse(text), IDENTITY, GROUND * component.width * component.height)]


def _boxes(parent: Element, matrix: Affine, most: float) -> Iterator[Rect]:
    for child in parent:
        name, own = local(child), matrix @ svg.transform(child)
        if name == "g":
            yield from _boxes(child, own, most)
        elif name in ("foreignObject", "image", *_SHAPES):
            box = own.bounds(_box(child, name))
            if name not in _SHAPES or box.width * box.height < most:
                yield box


def _box(element: Element, name: str) -> Rect:
    def said(key: str, usual: float = 0.0) -> float:
        return svg.number(element, key, usual)

    if name in ("circle", "ellipse"):
        rx, ry = (said("r"), said("r")) if name == "circle" else (said("rx"), said("ry"))
        return Rect(said("cx") - rx, said("cy") - ry, 2 * rx, 2 * ry)
    return Rect(said("x"), said("y"), said("width"), said("height"))


def _room(component: Component, taken: list[Rect]) -> Rect | None:
    """The largest rectangle on a piece on which nothing is; None if none is large enough."""
    width, height = component.width, component.height
    edge = min(EDGE, 0.1 * min(width, height)) if component.outline is None else 0.16 * min(width, height)
    least = min(LEAST, 0.4 * min(width, height))
    inside = Rect(edge, edge, width - 2 * edge, height - 2 * edge)
    apart = sorted({each.grown(GAP, GAP, GAP, GAP) for each in taken}, key=lambda each: each.y)
    xs = sorted({inside.x, inside.right, *(x for each in apart for x in (each.x, each.right))})
    spans = combinations((x for x in xs if inside.x <= x <= inside.right), 2)
    found, most = None, 0.0
    # The widest first: once none can be larger, none is looked at.
    for left, right in sorted(spans, key=lambda span: span[0] - span[1]):
        if right - left < least or (right - left) * inside.height <= most:
            break
        top = inside.y
        for each in (*(each for each in apart if each.x < right and left < each.right), Rect(0, inside.bottom, 0, 0)):
            free = min(each.y, inside.bottom) - top
            if free >= least and free * (right - left) > most:
                found, most = Rect(left, top, right - left, free), free * (right - left)
            top = max(top, each.bottom)
    return found
