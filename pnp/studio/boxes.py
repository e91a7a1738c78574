"""Finds the boxes of a card that can be moved: its picture, and text boxes whose template says numbers or sums of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from pnp.dataclass import dataclass
from pnp.draw.cards import PLACING, DrawContext, filled
from pnp.draw.layers import placed
from pnp.draw.look import looks
from pnp.read.project import Project
from pnp.shapes.affine import IDENTITY, Affine
from pnp.studio.documents import TABLES
from pnp.studio.messages import Boxes, BoxesSeen, BoxSeen
from pnp.svg import safe as svg
from pnp.svg.tree import Element, local
from pnp.values.game import Game
from pnp.values.problems import Fault, Problems
from pnp.values.tables import Row, unwrapped

_IMPORTED = re.compile(r"""import\s+["']shared/pieces\.svg\.j2["']\s+as\s+(\w+)""")
_COMMENT = re.compile(r"\{#.*?#\}|<!--.*?-->", re.DOTALL)
_ELEMENT = re.compile(r"<foreignObject\b([^>]*)>")
_ATTRIBUTE = re.compile(r"""\s([\w-]+)=(["'])(.*?)\2""", re.DOTALL)
_NAMED = re.compile(r"\s*(\w+)\s*=(?!=)")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# A sum of names and numbers, such as face.width - 12, and the number at its end; of an element of SVG in braces.
_BRACES = re.compile(r"(\{\{-?\s*)(.*?)(\s*-?\}\})", re.DOTALL)
_SUM = re.compile(r"[A-Za-z_(\d][\w.\s()+*/-]*")
_WORDS = re.compile(r"[\w)]\s*\(|\b(?:if|else|and|or|not|in|is|row)\b")
_LAST = re.compile(r"(.*[\w)])(?<!\d[eE])\s*([+-])\s*(\d+(?:\.\d+)?)", re.DOTALL)
SIZE = re.compile(r"\d+(?:\.\d+)?(?: \d+(?:\.\d+)?)?")
# What text() takes first, and what the same is called by the element of SVG.
_ORDER = ("content", "x", "y", "w", "h", "size")
_KEYS = {"x": "x", "y": "y", "width": "w", "height": "h", "data-size": "size", "data-name": "name"}
_SAID = {"x": "left edge", "y": "top edge", "w": "width", "h": "height"}
_OPEN, _CLOSE = "([{", ")]}"
_MARK = "pnp-box"
# A shape that stands just before a text box, and what its numbers are called.
_SHAPE = re.compile(r"<(?:rect|circle)\b([^>]*)/>\s*$")
_SHAPE_KEYS = {**_KEYS, "cx": "x", "cy": "y"}
# How far a text box may stick out of its panel, in mm.
_OUT = 0.5


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a text macro in a template, with the positions of its arguments."""

    start: int
    arguments: Mapping[str, tuple[int, int]]

    def said(self, source: str, name: str) -> str:
        """An argument as written; "" if it is not given."""
        return source[slice(*self.arguments[name])] if name in self.arguments else ""


def calls(source: str) -> list[Call]:
    """The calls of text macros in a template, in order."""
    plain = _COMMENT.sub(lambda found: " " * len(found[0]), source)
    names = "|".join(map(re.escape, _IMPORTED.findall(plain)))
    found = []
    for call in re.finditer(rf"\{{\{{[-+]?\s*(?:{names})\.text\(", plain) if names else ():
        found.append(Call(call.start(), _arguments(plain, call.end())))
    for element in _ELEMENT.finditer(plain):
        # Without its quotation marks.
        spans = {_KEYS.get(each[1], each[1]): each.span(3) for each in _ATTRIBUTE.finditer(plain, *element.span(1))}
        found.append(Call(element.start(), spans))
    return sorted(found, key=lambda call: call.start)


def panel(source: str, call: Call) -> Call | None:
    """The rectangle or circle drawn just before a text box and around it, if its numbers are literal."""
    found = _SHAPE.search(source, 0, call.start)
    if found is None:
        return None
    shape = Call(found.start(), {_SHAPE_KEYS.get(each[1], each[1]): each.span(3) for each in _ATTRIBUTE.finditer(found[0])})
    shape = Call(found.start(), {key: (at + shape.start, end + shape.start) for key, (at, end) in shape.arguments.items()})
    said = {key: shape.said(source, key) for key in ("x", "y", *(("r",) if "r" in shape.arguments else ("w", "h")))}
    box = {key: call.said(source, key) for key in _SAID}
    if not all(map(NUMBER.fullmatch, (*said.values(), *box.values()))):
        return None
    at, text = ({key: float(value) for key, value in each.items()} for each in (said, box))
    if "r" in at:
        r = at["r"]
        at = {"x": at["x"] - r, "y": at["y"] - r, "w": 2 * r, "h": 2 * r}
    around = all(
        at[low] - _OUT <= text[low] and text[low] + text[size] <= at[low] + at[size] + _OUT
        for low, size in (("x", "w"), ("y", "h"))
    )
    return shape if around else None


def _arguments(source: str, start: int) -> dict[str, tuple[int, int]]:
    """The spans of a macro's arguments; ``start`` is after the opening bracket."""
    found: dict[str, tuple[int, int]] = {}
    for number, (begin, end) in enumerate(_parted(source, start)):
        named = _NAMED.match(source, begin, end)
        name = named[1] if named else _ORDER[number] if number < len(_ORDER) else ""
        said = source[named.end() if named else begin : end]
        begin = end - len(said.lstrip())
        found[name] = begin, begin + len(said.strip())
    return found


def _parted(source: str, start: int) -> Iterator[tuple[int, int]]:
    at, depth = start, 0
    while at < len(source):
        letter = source[at]
        if letter in "\"'":
            closed = re.compile(rf"(?:[^{letter}\\]|\\.)*{letter}", re.DOTALL).match(source, at + 1)
            at = closed.end() - 1 if closed else len(source)
        elif letter in _OPEN:
            depth += 1
        elif letter in _CLOSE or (letter == "," and not depth):
            if not depth:
                yield start, at
                start = at + 1
                if letter != ",":
                    return
            depth -= letter in _CLOSE
        at += 1


def rewritten(source: str, call: Call, values: Mapping[str, str]) -> str:
    """The template with other values for some arguments, otherwise unchanged."""
    for name in sorted(values, key=lambda name: call.arguments[name], reverse=True):
        begin, end = call.arguments[name]
        mark = source[begin] if source[begin : begin + 1] in ('"', "'") else ""
        source = f"{source[:begin]}{mark}{values[name]}{mark}{source[end:]}"
    return source


def number(value: float) -> str:
    return f"{round(value, 2) + 0.0:g}"


def shifted(said: str, by: float) -> str | None:
    """A number, or a sum of names and numbers, with so much more in it; None if it is neither."""
    if NUMBER.fullmatch(said):
        return number(float(said) + by)
    braces = _BRACES.fullmatch(said)
    before, inner, behind = braces.groups() if braces else ("", said, "")
    if not _SUM.fullmatch(inner) or _WORDS.search(inner):
        return None
    last = _LAST.fullmatch(inner)
    start, end = (last[1], float(last[2] + last[3])) if last else (inner, 0.0)
    more = number(end + by)
    return f"{before}{start}{'' if more == '0' else f' - {more[1:]}' if more[0] == '-' else f' + {more}'}{behind}"


def boxes(project: Project, game: Game, asked: Boxes) -> BoxesSeen | None:
    """The boxes on a side of a piece; None if it has no row or cannot be drawn."""
    component = next((each for each in game.components if each.name == asked.component), None)
    row = next((each for each in component.table if each.id == asked.piece), None) if component else None
    template = component and (component.template if asked.side == "front" else component.back)
    if component is None or row is None or not template:
        return None
    name = f"{template}.svg.j2"
    path = next((root / name for root in game.template_roots if (root / name).is_file()), None)
    context = DrawContext(game, Problems())
    source = path.read_text("utf-8") if path else looks(game, context.tools.art.has).get(name, "")
    own = path is not None and any(path.is_relative_to(home) for home in (project.content, project.root / "templates"))
    found = calls(source)
    marked = source
    for at, call in reversed([*enumerate(found)]):
        marked = f"{marked[: call.start]}<desc>{_MARK} {at}</desc>{marked[call.start :]}"
    context = DrawContext(game, Problems(), sources={name: marked})
    try:
        text, pictures = filled(context, component, row, asked.side)
        made = _Reading(context, source, found, pictures, row, "" if own else "Its template is not one of this project.")
        made.read(svg.parse(text), IDENTITY)
    except (Fault, svg.BadDrawing):
        return None
    return BoxesSeen(asked, project.shown(path) if own and path else "", tuple(made.seen), path is None)


class _Reading:
    """Finds the boxes in a template's SVG."""

    def __init__(
        self, context: DrawContext, source: str, calls: list[Call], pictures: frozenset[str], row: Row, fixed: str
    ) -> None:
        self._context, self._source, self._calls = context, source, calls
        self._pictures, self._row, self._fixed = pictures, row, fixed
        self.seen: list[BoxSeen] = []

    def read(self, parent: Element, matrix: Affine) -> None:
        for child in parent:
            name = local(child)
            if name == "g":
                self.read(child, matrix @ svg.transform(child))
            elif name == "foreignObject":
                self._text(child, matrix @ svg.transform(child))
            elif name == "image" and svg.href(child) in self._pictures and not any(each.placing for each in self.seen):
                self._picture(child, matrix @ svg.transform(child))

    def _text(self, element: Element, matrix: Affine) -> None:
        x, y, w, h = (svg.number(element, key, 0.0) for key in ("x", "y", "width", "height"))
        name = element.get("data-name") or " ".join((element.text or "").split())[:30] or "text"
        before = element.getprevious()
        said = (before.text or "").split() if before is not None and local(before) == "desc" else []
        if said[:1] != [_MARK] or _turned(matrix):
            why = "It is drawn by another template." if said[:1] != [_MARK] else "It stands in a turned group."
            self.seen.append(BoxSeen(None, name, *_moved(matrix, x, y), w, h, "", why))
            return
        at = int(said[1])
        written = {key: self._calls[at].said(self._source, key) for key in _SAID}
        free = "".join(key for key, text in written.items() if shifted(text, 0) and not self._fixed)
        computed = [f"{_SAID[key]} ({text})" for key, text in written.items() if text and key not in free]
        why = f"The template computes its {_listed(computed)}." if computed and not self._fixed else self._fixed
        size = self._calls[at].said(self._source, "size").strip("\"'")
        size = size if SIZE.fullmatch(size) and not self._fixed else ""
        written = {key: written[key] for key in free}
        self.seen.append(BoxSeen(at, name, *_moved(matrix, x, y), w, h, free, why, size, written=written))

    def _picture(self, element: Element, matrix: Affine) -> None:
        drawing = self._context.tools.art.drawing(svg.href(element), element.get("color", ""), element.get("fill", ""))
        place, _ = placed(element, drawing)
        table = Path(self._row.place.file).suffix.lower() in TABLES
        why = (
            "It stands in a turned group."
            if _turned(matrix)
            else ""
            if table
            else "It has no row in a table that would say where it is."
        )
        x, y, zoom = (self._placing(column, limits[0]) for column, limits in PLACING.items())
        at = _moved(matrix, place.x, place.y)
        free = "" if why else "xywh"
        found = BoxSeen(None, "Picture", *at, place.width, place.height, free, why, "", (x, y, zoom))
        self.seen.insert(0, found)

    def _placing(self, column: str, usual: float) -> float:
        value = unwrapped(self._row[column]) if column in self._row else usual
        return float(value) if isinstance(value, int | float) else usual


def _moved(matrix: Affine, x: float, y: float) -> tuple[float, float]:
    return x + matrix.e, y + matrix.f


def _turned(matrix: Affine) -> bool:
    return (matrix.a, matrix.b, matrix.c, matrix.d) != (1, 0, 0, 1)


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
