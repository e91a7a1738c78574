"""A text of a drawing → the text box that takes its place in a template: where, how wide it may become, in which font."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from lxml import etree

from pnp.draw.glyphs import NoFont, Typeface, Typefaces
from pnp.shapes.affine import IDENTITY, Affine, Rect
from pnp.shapes.colour import code_of, full
from pnp.svg.bounds import SHAPES, path_bounds
from pnp.svg.safe import BadDrawing, transform
from pnp.svg.styles import Styles
from pnp.svg.tree import REFERENCE, Element, local
from pnp.svg.words import Character, Words, length

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
        self._styles = Styles.of(root)
        self._words = Words(self._styles)

    def words(self, text: Element) -> str:
        """What a text says, in one line. Raises BadDrawing."""
        if local(text) == "flowRoot":
            return " ".join("".join(map(str, text.itertext())).split())
        return " ".join("".join(line) for line in self._lines(text)).strip()

    def _lines(self, text: Element) -> list[str]:
        lines: list[list[str]] = []
        for character in self._words.characters(text):
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
        size = self._words.size(owner)
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
        """The element that styles the first letter."""
        if local(text) == "flowRoot":
            return next((node for node in text if local(node) == "flowPara"), text)
        characters = self._words.characters(text)
        return next((each.owner for each in characters if each.letter.strip()), text)

    def _style(self, made: TextPlace, owner: Element, size: float) -> Typeface | None:
        value = self._styles.value
        family = value(owner, "font-family", "body").split(",")[0].strip().strip("'\"")
        weight = value(owner, "font-weight", "400").replace("normal", "400").replace("bold", "700")
        made.weight = int(weight) if weight in map(str, range(100, 1000, 100)) else 400
        made.italic = value(owner, "font-style").startswith(("italic", "oblique"))
        said = value(owner, "fill", "#000000")
        made.fill = _colour(said)
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
        said = self._styles.value(owner, "text-align") or self._styles.value(owner, "text-anchor", "start")
        return _ALIGN.get(said, "left")

    def _flow(self, text: Element) -> Rect | None:
        """The box that a text flows in, in the text's own units."""
        if local(text) == "flowRoot":
            region = next((node for node in text.iter() if local(node) in SHAPES), None)
            if region is None:
                raise BadDrawing("it flows into nothing")
            return path_bounds(region, transform(region))
        found = REFERENCE.search(self._styles.own(text).get("shape-inside", ""))
        if found is None:
            return None
        shape = next((node for node in self._root.iter(etree.Element) if node.get("id") == found[1]), None)
        return path_bounds(shape, transform(shape)) if shape is not None and local(shape) in SHAPES else None

    def _line_box(self, made: TextPlace, text: Element, size: float, face: Typeface | None) -> Rect:
        """Around lines that stand where they stand: from the capitals of the first to below the last."""
        characters = self._words.characters(text)
        lines = _baselines(characters)
        if not lines or size <= 0:
            raise BadDrawing("it says nothing")
        made.align = self._aligned(lines[0][2].owner)
        if len(lines) > 1:
            made.leading = round(max(0.7, min(3.0, (lines[-1][1] - lines[0][1]) / (len(lines) - 1) / size)), 3)
        across = max((_measured(said, face) * size for said in self._lines(text)), default=0.0)
        if (inline := self._styles.own(text).get("inline-size", "")) not in ("", "auto"):
            across = length(inline, "inline-size", size) or across
        capitals = face.capitals if face else CAPITALS
        x, y, _ = lines[0]
        left = x - {"center": 0.5, "right": 1.0}.get(made.align, 0.0) * across
        height = lines[-1][1] - y + (capitals + BELOW) * size
        return Rect(left, y - capitals * size, across, height)

    def _widen(self, made: TextPlace, measured: bool) -> None:
        """Other rows have longer words: a line may become as long as the page has room."""
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
    """Where the lines of a text begin: x, y, and the character."""
    lines: list[tuple[float, float, Character]] = []
    x = y = 0.0
    for character in characters:
        x = x if character.x is None else character.x
        if character.y is not None or character.dy or not lines:
            y = (y if character.y is None else character.y) + character.dy
            lines.append((x, y, character))
    return lines


def _measured(line: str, face: Typeface | None) -> float:
    """How long a line is, in sizes."""
    return sum(glyph.advance for glyph in face.shaped(line, True)) if face else ACROSS * len(line)


def _colour(said: str) -> str:
    """A colour as #rrggbb; empty for what is none."""
    return full(said) or code_of(said) or ""
