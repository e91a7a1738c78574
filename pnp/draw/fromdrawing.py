"""Turns a drawing of a card into a template: its texts become text boxes, the rest one drawing."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count

from lxml import etree

from pnp.draw.lettering import Lettering, NoFont, Typeface, Typefaces, first_family
from pnp.sandbox.markup import literally, look_of
from pnp.shapes.affine import IDENTITY, Affine, Rect, scaling, translation
from pnp.shapes.colour import code_of, full, named
from pnp.shapes.units import PT_PER_MM
from pnp.svg import safe as svg
from pnp.svg.parts import PLACE, SHAPES, UNDRAWN, Bounds, called, column, path_bounds
from pnp.svg.safe import BadDrawing, PageSize, transform
from pnp.svg.styles import Character, characters, font_size, length, own, value
from pnp.svg.tree import REFERENCE, XLINK, Element, local, remove, tag

# Of a letter's size, where no font of the game tells it: how high capitals and how wide letters are about.
CAPITALS, ACROSS = 0.68, 0.52
# Room below the last line for letters that hang, in sizes; the same that the engine keeps.
BELOW = 0.22
USUAL_LEADING = 1.18
# A line that stands so near to the middle of the page was meant to be in the middle, in mm.
MIDDLE = 0.6
# A line may become as long as the page has room, but for this margin in mm.
MARGIN = 2.0
_ALIGN = {"start": "left", "middle": "center", "end": "right", "center": "center", "justify": "justify", "left": "left"}
_TURNED = 1e-4


@dataclass(slots=True)
class TextPlace:
    """A box in mm of the page; ``turn`` are degrees about its own corner (``x``, ``y`` stay where they are on the page)."""

    words: str
    box: Rect
    size: float
    """In mm."""
    font: str = "body"
    fill: str = "#000000"
    weight: int = 400
    italic: bool = False
    align: str = "left"
    tracking: float = 0.0
    leading: float = USUAL_LEADING
    turn: float = 0.0
    corner: tuple[float, float] = (0.0, 0.0)
    """Where the box turns about."""
    drawn: Rect = field(default_factory=lambda: Rect(0, 0, 0, 0))
    """Around the words of the drawing."""
    notes: list[str] = field(default_factory=list)


class TextPlaces:
    """Reads the places of a drawing's texts; ``page`` maps its units to mm of the trim."""

    def __init__(self, root: Element, faces: Typefaces, page: Affine, width: float) -> None:
        self._root, self._faces, self._page, self._width = root, faces, page, width

    def words(self, text: Element) -> str:
        """The words of a text, in one line. Raises BadDrawing."""
        if local(text) == "flowRoot":
            return " ".join("".join(map(str, text.itertext())).split())
        return " ".join("".join(line) for line in self._lines(text)).strip()

    def _lines(self, text: Element) -> list[str]:
        lines: list[list[str]] = []
        for character in characters(text):
            if not lines or character.y is not None or character.dy:
                lines.append([])
            lines[-1].append(character.letter)
        return [" ".join("".join(line).split()) for line in lines if "".join(line).strip()]

    def place(self, text: Element) -> TextPlace:
        """The box of a text. Raises BadDrawing for one that no box can stand for."""
        matrix = self._matrix(text)
        scale = math.sqrt(abs(matrix.determinant))
        if matrix.determinant <= 0 or abs(matrix.a - matrix.d) + abs(matrix.b + matrix.c) > _TURNED * scale:
            raise BadDrawing("it is mirrored, slanted or stretched")
        owner, flow = self._owner(text), self._flow(text)
        size = font_size(owner)
        made = TextPlace(self.words(text), Rect(0, 0, 0, 0), size * scale)
        face = self._style(made, owner, size)
        box = self._line_box(made, text, size, face) if local(text) == "text" else Rect(0, 0, 0, 0)
        if flow is not None:
            # The first line stands where it stood; the others have the room that the shape has.
            top = box.y if local(text) == "text" else flow.y
            box = Rect(flow.x, top, flow.width, max(box.height, flow.bottom - top))
            made.align = self._aligned(owner)
        made.turn = round(math.degrees(math.atan2(matrix.b, matrix.a)), 3) + 0.0
        x, y = matrix.point(box.x, box.y)
        made.corner = (x, y)
        made.box = made.drawn = Rect(x, y, box.width * scale, box.height * scale)
        if flow is None and not made.turn:
            self._widen(made, face is not None)
        return made

    def _matrix(self, element: Element) -> Affine:
        matrix = IDENTITY
        for node in (element, *element.iterancestors()):
            if local(node) == "svg" and node is not self._root:
                raise BadDrawing("it is in a drawing in the drawing")
            matrix = transform(node) @ matrix
        return self._page @ matrix

    def _owner(self, text: Element) -> Element:
        if local(text) == "flowRoot":
            return next((node for node in text if local(node) == "flowPara"), text)
        return next((each.owner for each in characters(text) if each.letter.strip()), text)

    def _style(self, made: TextPlace, owner: Element, size: float) -> Typeface | None:
        family = first_family(value(owner, "font-family", "body"))
        weight = value(owner, "font-weight", "400").replace("normal", "400").replace("bold", "700")
        made.weight = int(weight) if weight in map(str, range(100, 1000, 100)) else 400
        made.italic = value(owner, "font-style").startswith(("italic", "oblique"))
        said = value(owner, "fill", "#000000")
        made.fill = full(said) or code_of(said) or ""
        if not made.fill:
            made.fill = "#000000"
            made.notes.append(f"its fill {said} is black now")
        if value(owner, "stroke", "none") not in ("none", ""):
            made.notes.append("the line around its letters is left behind")
        spacing = value(owner, "letter-spacing")
        if spacing not in ("", "normal"):
            made.tracking = round(max(-0.2, min(1.0, length(spacing, "letter-spacing", size) / size)), 3)
        try:
            face = self._faces.face(family, made.weight, made.italic)
        except NoFont as fault:
            made.notes.append(f'{fault.value} is no font of the game: it is set in "body" until its file is in fonts/')
            made.weight, made.italic = 400, False
            return None
        made.font = self._faces.family(family, made.weight, made.italic)
        made.weight = face.weight
        return face

    def _aligned(self, owner: Element) -> str:
        said = value(owner, "text-align") or value(owner, "text-anchor", "start")
        return _ALIGN.get(said, "left")

    def _flow(self, text: Element) -> Rect | None:
        if local(text) == "flowRoot":
            region = next((node for node in text.iter() if local(node) in SHAPES), None)
            if region is None:
                raise BadDrawing("it flows into nothing")
            return path_bounds(region, transform(region))
        if (found := REFERENCE.search(own(text, "shape-inside") or "")) is None:
            return None
        shape = next((node for node in self._root.iter(etree.Element) if node.get("id") == found[1]), None)
        return path_bounds(shape, transform(shape)) if shape is not None and local(shape) in SHAPES else None

    def _line_box(self, made: TextPlace, text: Element, size: float, face: Typeface | None) -> Rect:
        lines = _baselines(characters(text))
        if not lines or size <= 0:
            raise BadDrawing("it says nothing")
        made.align = self._aligned(lines[0][2].owner)
        if len(lines) > 1:
            made.leading = round(max(0.7, min(3.0, (lines[-1][1] - lines[0][1]) / (len(lines) - 1) / size)), 3)
        across = max((_measured(said, face) * size for said in self._lines(text)), default=0.0)
        if (inline := own(text, "inline-size")) not in (None, "", "auto"):
            across = length(inline, "inline-size", size) or across
        capitals = face.capitals if face else CAPITALS
        x, y, _ = lines[0]
        left = x - {"center": 0.5, "right": 1.0}.get(made.align, 0.0) * across
        height = lines[-1][1] - y + (capitals + BELOW) * size
        return Rect(left, y - capitals * size, across, height)

    def _widen(self, made: TextPlace, measured: bool) -> None:
        """Widens a line's box as far as the page has room, for other rows have longer words."""
        box, page = made.box, self._width
        centre = box.x + box.width / 2
        if made.align == "left" and measured and abs(centre - page / 2) < MIDDLE and box.width < page - 4 * MARGIN:
            made.align = "center"
            made.notes.append("it stood in the middle of the page, so it is centred")
        if made.align == "center":
            half = max(box.width / 2, min(centre, page - centre) - MARGIN)
            left, right = centre - half, centre + half
        elif made.align == "right":
            left, right = min(box.x, MARGIN), box.right
        else:
            left, right = box.x, max(box.right, page - MARGIN)
        made.box = Rect(left, box.y, right - left, box.height)


def _baselines(characters: Sequence[Character]) -> list[tuple[float, float, Character]]:
    lines: list[tuple[float, float, Character]] = []
    x = y = 0.0
    for character in characters:
        x = x if character.x is None else character.x
        if character.y is not None or character.dy or not lines:
            y = (y if character.y is None else character.y) + character.dy
            lines.append((x, y, character))
    return lines


def _measured(line: str, face: Typeface | None) -> float:
    return sum(glyph.advance for glyph in face.shaped(line, True)) if face else ACROSS * len(line)


# The smallest that a text of a row may become, as a share of the drawn size, and in pt.
SMALLEST, READABLE = 0.6, 5.0
_SIZES = (2.0, 400.0)
_WORDS = ("text", "tspan", "a", "title", "desc", "")
# Words in brackets, which have the look of the braces behind them.
_LOOKED = re.compile(r"\[[^\[\]]+\]$")


@dataclass(slots=True)
class FromDrawing:
    """A template, the drawing that it shows, and what a person must know of them."""

    template: str
    drawing: bytes
    columns: list[str] = field(default_factory=list)
    """Those that a table must have."""
    notes: list[str] = field(default_factory=list)
    """What is otherwise than in the drawing, a sentence each."""


def from_drawing(
    root: Element, page: PageSize, name: str, faces: Typefaces, linked: Callable[[str], bytes | None]
) -> FromDrawing:
    """The template of a drawing, which is taken apart. ``linked`` reads a picture beside the file. Raises BadDrawing."""
    left, top, across, _ = svg.view_box(root)
    scale = (page.width + 2 * page.bleed) / across
    matrix = translation(-page.bleed, -page.bleed) @ scaling(scale, scale) @ translation(-left, -top)
    made = FromDrawing("", b"")
    _embed(root, linked, made.notes)
    boxes: list[tuple[str, TextPlace, str]] = []
    lettering = Lettering(root, faces)
    places = TextPlaces(root, faces, matrix, page.width)
    taken: list[Element] = []
    covered: list[tuple[str, Element, Rect]] = []
    for text in [node for node in root.iter(tag("text"), tag("flowRoot")) if not _undrawn(node)]:
        words = places.words(text) if _plain(text) else ""
        if not words:
            if _plain(text):
                taken.append(text)
            continue
        shown, columns = _shown(text, words, made.notes)
        if not columns and _outlined(text, lettering):
            continue
        try:
            place = places.place(text)
        except svg.BadDrawing as fault:
            taken.append(text)
            made.notes.append(f'the text "{words[:40]}" is left behind: {fault.message}')
            continue
        label = columns[0] if columns else column(words)[:20]
        made.notes += [f'"{label or words[:40]}": {note}' for note in place.notes]
        if not place.turn:
            covered.append((label or words[:40], text, place.drawn))
        boxes.append((shown, place, _unique(label, {name for _, _, name in boxes}, made.notes)))
        made.columns += [each for each in columns if each not in made.columns]
        taken.append(text)
    _above(root, covered, matrix, made.notes)
    for text in taken:
        remove(text)
    made.drawing = f"{svg.text_of(root)}\n".encode()
    made.template = _template(page, name, boxes)
    return made


def _plain(text: Element) -> bool:
    return local(text) == "flowRoot" or all(local(node) in _WORDS for node in text.iter())


def _undrawn(element: Element) -> bool:
    around = (element, *element.iterancestors())
    return any(local(node) in UNDRAWN or own(node, "display") == "none" for node in around)


def _unique(label: str, taken: set[str], notes: list[str]) -> str:
    if not label or label not in taken:
        return label
    number = next(number for number in count(2) if f"{label}-{number}" not in taken)
    notes.append(f'there is a text box "{label}" already: this one is called "{label}-{number}"')
    return f"{label}-{number}"


def _shown(text: Element, words: str, notes: list[str]) -> tuple[str, list[str]]:
    """The words of a text box as a template writes them, and the columns that it reads."""
    parts, columns, here = [], [], 0
    for found in PLACE.finditer(words):
        if (
            found[0][0] == "{"
            and found[2]
            and _LOOKED.search(words, 0, found.start())
            and look_of(found[2], lambda word: named(word, {}))
        ):
            notes.append(f'"{words[:40]}": {found[0]} behind brackets is a look of words, and no place for a column')
        elif name := column(found[1] or found[2] or found[3]):
            parts += [_quoted(words[here : found.start()]), f"row.{name}"]
            columns.append(name)
            here = found.end()
    if columns:
        parts.append(_quoted(words[here:]))
        return " ~ ".join(part for part in parts if part), columns
    name = called(text, words)
    return (f"row.{name}", [name]) if name else (_quoted(words), [])


def _quoted(words: str) -> str:
    return '"' + literally(words).replace("\\", "\\\\").replace('"', '\\"') + '"' if words else ""


def _outlined(text: Element, lettering: Lettering) -> bool:
    try:
        lettering.check(text)
    except svg.BadDrawing:
        return False
    return local(text) == "text"


def _embed(root: Element, linked: Callable[[str], bytes | None], notes: list[str]) -> None:
    for image in list(root.iter(tag("image"))):
        name = svg.href(image)
        if name.startswith("data:") or not name:
            continue
        data = linked(name)
        for key in ("href", XLINK):
            image.attrib.pop(key, None)
        if data is None:
            notes.append(f'the picture "{name[:60]}" is left behind: its file is not beside the drawing')
            remove(image)
        else:
            kind = "png" if data.startswith(b"\x89PNG") else "jpeg" if data.startswith(b"\xff\xd8") else "svg+xml"
            image.set("href", f"data:image/{kind};base64,{base64.b64encode(data).decode()}")


def _above(root: Element, texts: list[tuple[str, Element, Rect]], page: Affine, notes: list[str]) -> None:
    """Notes which texts had something drawn over them: they stand above the whole drawing now."""
    bounds = Bounds(root)
    order = {node: number for number, node in enumerate(root.iter(etree.Element))}
    taken = {text for _, text, _ in texts}
    shapes = []
    for node in root.iter(*map(tag, (*SHAPES, "use", "image"))):
        if taken.isdisjoint(node.iterancestors()) and not _undrawn(node):
            matrix = page
            for group in reversed([*node.iterancestors()]):
                matrix = matrix @ svg.transform(group)
            if (box := bounds.box(node, matrix)) is not None:
                shapes.append((order[node], box))
    for label, text, box in texts:
        over = (shape for after, shape in shapes if after > order[text])
        if any(box.x < it.right and it.x < box.right and box.y < it.bottom and it.y < box.bottom for it in over):
            notes.append(f'"{label}": something was drawn over it, which lies under it now')


def _template(page: PageSize, name: str, boxes: list[tuple[str, TextPlace, str]]) -> str:
    bleed = page.bleed
    width, height = _mm(page.width + 2 * bleed), _mm(page.height + 2 * bleed)
    place = f'x="{_mm(-bleed)}" y="{_mm(-bleed)}" width="{width}" height="{height}"'
    lines = [
        "{# Made by pnp template. All lengths are millimetres from the card's top left corner, sizes of text points: the",
        "   largest and the smallest. #}",
        '{% extends "shared/face.svg.j2" %}',
        '{% import "shared/pieces.svg.j2" as s %}',
        "{% block face %}",
        f'<image href="{name}" {place} preserveAspectRatio="xMidYMid slice"/>',
    ]
    return "\n".join([*lines, *(_box(*each) for each in boxes), "{% endblock %}", ""])


def _box(shown: str, text: TextPlace, label: str) -> str:
    largest = max(_SIZES[0], min(_SIZES[1], round(text.size * PT_PER_MM * 4) / 4))
    smallest = max(_SIZES[0], min(largest, max(READABLE, round(largest * SMALLEST * 4) / 4)))
    size = f"{largest:g} {smallest:g}" if smallest < largest else f"{largest:g}"
    x, y = (0.0, 0.0) if text.turn else (text.box.x, text.box.y)
    given = [shown, _mm(x), _mm(y), _mm(text.box.width), _mm(text.box.height), f'size="{size}"', f'font="{text.font}"']
    given += [f'fill="{text.fill}"', f'align="{text.align}"', 'valign="top"']
    given += [f"weight={text.weight}"] if text.weight != 400 else []
    given += ['style="italic"'] if text.italic else []
    given += [f"leading={text.leading:g}"] if text.leading != 1.18 else []
    given += [f"tracking={text.tracking:g}"] if text.tracking else []
    given += [f'name="{label}"'] if label else []
    box = f"{{{{ s.text({', '.join(given)}) }}}}"
    if not text.turn:
        return box
    x, y = text.corner
    return f'<g transform="translate({_mm(x)} {_mm(y)}) rotate({text.turn:g})">{box}</g>'


def _mm(value: float) -> str:
    return f"{round(value, 2) + 0.0:g}"
