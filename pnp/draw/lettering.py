"""The texts of a drawing in art/ → outlines in the game's fonts.

The engine would set them too, but it takes another font where one is missing and leaves out what that has not, without a
word. So a text that cannot be set as it was drawn is refused, and the reason names what is missing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from lxml import etree

from pnp.draw.fonts import invisible
from pnp.draw.glyphs import CURSIVE, Glyph, Typeface, Typefaces, in_one_script, refuse_mixed
from pnp.draw.styling import first_of
from pnp.shapes.affine import Affine, rotation, scaling, translation
from pnp.svg.safe import BadDrawing, href
from pnp.svg.styles import Styles
from pnp.svg.tree import REFERENCE, Element, local, tag
from pnp.svg.words import MOST_CHARACTERS, Character, Words, length

ADVICE = "Turn it into outlines (in Inkscape Path > Object to Path), or put it into the template"
# What is painted, and how: of a part of a text as it is once all stylesheets and groups were asked.
_PAINTED = (
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin",
    "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "paint-order", "visibility", "color",
)  # fmt: skip
# What a text is as a whole, like a group.
_WHOLE = ("opacity", "filter", "clip-path", "mask", "mix-blend-mode", "isolation", "display")
# What would change how a text looks and is not done here, with the values that change nothing.
_PLAIN = {
    "baseline-shift": {"", "0", "0%", "0px", "baseline"},
    "font": {""},
    "font-feature-settings": {"", "normal"},
    "font-size-adjust": {"", "none"},
    "font-stretch": {"", "normal", "100%"},
    "font-variant": {"", "normal", "none"},
    "font-variant-caps": {"", "normal"},
    "font-variant-position": {"", "normal"},
    "font-variation-settings": {"", "normal"},
    "kerning": {"", "auto", "0"},
    "glyph-orientation-vertical": {"", "auto", "0"},
    "text-decoration": {"", "none"},
    "text-decoration-line": {"", "none"},
    "text-transform": {"", "none"},
    "writing-mode": {"", "lr", "lr-tb", "horizontal-tb"},
}
_UNSTRETCHED = ("textLength", "lengthAdjust")
_WEIGHTS = {"": 400, "normal": 400, "bold": 700}
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
# How far below the line the point lies that a text hangs at.
_HANGING = ("", "auto", "alphabetic", "baseline", "middle", "central")


@dataclass(frozen=True, slots=True)
class _Way:
    """How a part of a text is set and painted."""

    face: Typeface
    size: float
    spacing: float
    words: float
    drop: float
    kerned: bool
    paint: tuple[tuple[str, str], ...]

    @property
    def setting(self) -> _Way:
        """The same in no colour: letters that differ in their colours alone are set as one word."""
        return replace(self, paint=())


@dataclass(slots=True)
class _Placed:
    """A glyph where it is drawn; it moves when its chunk is anchored."""

    way: _Way
    glyph: Glyph
    x: float
    y: float
    turn: float


class Lettering:
    """Turns the texts of one drawing into outlines."""

    def __init__(self, root: Element, faces: Typefaces) -> None:
        self._root, self._faces = root, faces
        self._styles = Styles.of(root)
        self._words = Words(self._styles)
        self._count = 0

    def outline(self, text: Element) -> None:
        """Put outlines in the place of a text. Raises BadDrawing."""
        parent = text.getparent()
        if parent is None:
            raise BadDrawing("its root is a <text>")
        made: list[Element] = []
        try:
            for way, outline in self._outlines(text):
                path = etree.Element(tag("path"), d=outline)
                path.set("style", _written(dict(way.paint)))
                made.append(path)
        except BadDrawing:
            if not self._hidden(text):
                raise
            made = []
        if not made:
            _remove(text)
            return
        whole = {key: value for key in _WHOLE if (value := self._styles.own(text).get(key))}
        if len(made) > 1 and local(parent) != "clipPath":
            group = etree.Element(tag("g"))
            group.extend(made)
            made = [group]
        for element in made:
            for key in ("id", "transform"):
                if value := text.get(key):
                    element.set(key, value)
            if whole:
                element.set("style", ";".join(filter(None, (_written(whole), element.get("style")))))
        made[-1].tail = text.tail
        index = parent.index(text)
        parent[index : index + 1] = made

    def check(self, text: Element) -> None:
        """Raises BadDrawing for a text that cannot become outlines; nothing is changed."""
        for _ in self._outlines(text):
            pass

    def _hidden(self, element: Element) -> bool:
        """Whether a text is in a group that is switched off, as layers are."""
        node: Element | None = element
        while node is not None:
            if self._styles.own(node).get("display") == "none":
                return True
            node = node.getparent()
        return False

    def _outlines(self, text: Element) -> Iterator[tuple[_Way, str]]:
        """The outlines of a text's parts, those that are painted alike together."""
        characters = self._words.characters(text)
        self._count += len(characters)
        if self._count > MOST_CHARACTERS:
            raise BadDrawing(f"its texts have more than {MOST_CHARACTERS} characters")
        if not any(character.letter.strip() for character in characters):
            return
        for element in text.iter():
            if local(element):
                self._refuse(element, element is text)
        ways = {owner: self._way(owner) for owner in dict.fromkeys(each.owner for each in characters)}
        placed: list[_Placed] = []
        here = (0.0, 0.0)
        for chunk in _chunks(characters):
            first = chunk[0]
            here = (here[0] if first.x is None else first.x, here[1] if first.y is None else first.y)
            glyphs, here = self._chunk(chunk, ways, here)
            placed += glyphs
        for way, group in groupby(placed, key=lambda each: each.way):
            if outline := _path(way, list(group)):
                yield way, outline

    def _refuse(self, element: Element, whole: bool) -> None:
        """Raises BadDrawing for what is not done here and would be seen."""
        for key, plain in _PLAIN.items():
            if (said := self._styles.value(element, key)) not in plain:
                raise BadDrawing(f"it has a <text> with {key}: {said[:40]}. {ADVICE}")
        lines = [self._styles.value(element, key) for key in ("dominant-baseline", "alignment-baseline")]
        for said in lines:
            if said not in _HANGING or (all(lines) and lines[0] != lines[1]):
                raise BadDrawing(f"it has a <text> that hangs at the line: {said[:40]}. {ADVICE}")
        for key in _UNSTRETCHED:
            if element.get(key) is not None:
                raise BadDrawing(f"it has a <text> with {key}. {ADVICE}")
        if not whole and self._styles.own(element).get("opacity", "1") not in ("1", "1.0"):
            raise BadDrawing(f"it has a part of a <text> with opacity. {ADVICE}")

    def _way(self, element: Element) -> _Way:
        value = self._styles.value
        size = self._words.size(element)
        face = self._faces.face(value(element, "font-family", "body"), self._weight(element), self._italic(element))
        paint = tuple((key, said) for key in _PAINTED if (said := value(element, key)))
        for key, said in paint:
            if found := REFERENCE.search(said):
                self._refuse_boxed(key, found[1])
        if face.coloured:
            raise BadDrawing(f"it has a <text> in {face.path.name}, whose letters are pictures. {ADVICE}")
        said = value(element, "alignment-baseline") or value(element, "dominant-baseline")
        drop = {"middle": face.x_height / 2, "central": face.centre}.get(said, 0.0) * size
        spacing, words = (self._spacing(element, key, size) for key in ("letter-spacing", "word-spacing"))
        kerned = value(element, "font-kerning") != "none" and value(element, "kerning") != "0"
        return _Way(face, size, spacing, words, drop, kerned, paint)

    def _spacing(self, element: Element, key: str, size: float) -> float:
        said = self._styles.value(element, key)
        return 0.0 if said in ("", "normal") else length(said, key, size)

    def _weight(self, element: Element) -> int:
        said = self._styles.value(element, "font-weight")
        if said in _WEIGHTS:
            return _WEIGHTS[said]
        if re.fullmatch(r"\d{1,4}", said) and 1 <= int(said) <= 1000:
            return int(said)
        raise BadDrawing(f"it has a <text> with font-weight: {said[:40]}. {ADVICE}")

    def _italic(self, element: Element) -> bool:
        return self._styles.value(element, "font-style").startswith(("italic", "oblique"))

    def _refuse_boxed(self, key: str, name: str) -> None:
        """A gradient that is measured by the box around a text has another one around its outlines."""
        seen: set[str] = set()
        while name and name not in seen:
            seen.add(name)
            node = next((each for each in self._root.iter(etree.Element) if each.get("id") == name), None)
            if node is None or local(node) not in ("linearGradient", "radialGradient", "pattern"):
                return
            units = "patternUnits" if local(node) == "pattern" else "gradientUnits"
            if (said := node.get(units)) is not None:
                if said == "userSpaceOnUse":
                    return
                break
            name = href(node).removeprefix("#")
        raise BadDrawing(f"it has a <text> whose {key} is a gradient or pattern as large as the text. {ADVICE}")

    def _chunk(
        self, chunk: Sequence[Character], ways: dict[Element, _Way], start: tuple[float, float]
    ) -> tuple[list[_Placed], tuple[float, float]]:
        """The glyphs of a chunk, which is anchored as a whole, and where the next one goes on."""
        x, y = start
        left = right = x
        placed: list[_Placed] = []
        leftwards = self._styles.value(chunk[0].owner, "direction") == "rtl"
        refuse_mixed("".join(each.letter for each in chunk), leftwards)
        parts = [list(group) for _, group in groupby(chunk, key=lambda each: ways[each.owner].setting)]
        for part in parts:
            way = ways[part[0].owner]
            text = "".join(each.letter for each in part)
            for offset, script, named in in_one_script(text):
                if way.spacing and named in CURSIVE:
                    raise BadDrawing(f"it has a <text> with letter-spacing in letters that hang together. {ADVICE}")
                spacing = way.spacing
                letters = part[offset : offset + len(script)]
                joined = not spacing and not any(each.dx or each.dy or each.rotate for each in letters[1:])
                glyphs = way.face.shaped(script, joined, way.kerned)
                if len(glyphs) > 1 and glyphs[0].cluster > glyphs[-1].cluster and len(script) < len(chunk):
                    raise BadDrawing(f"its text from right to left is in several parts or styles. {ADVICE}")
                _refuse_missing(glyphs, script, part[0].owner, self._styles)
                starts = sorted({glyph.cluster for glyph in glyphs})
                ends = dict(zip(starts, [*starts[1:], len(script)], strict=True))
                for number, cluster in groupby(glyphs, key=lambda each: each.cluster):
                    covered = letters[number : ends[number]]
                    x += sum(each.dx for each in covered)
                    y += sum(each.dy for each in covered)
                    left, on = min(left, x), 0.0
                    for glyph in cluster:
                        # What stands on a letter turns with it.
                        moved = replace(glyph, x=glyph.x + on)
                        placed.append(_Placed(ways[covered[0].owner], moved, x, y, covered[0].rotate or 0.0))
                        on += glyph.advance
                    x += on * way.size + (way.words if covered[0].letter in " \u00a0" else 0.0)
                    # Behind the last letter there is no space between letters.
                    x += spacing if covered[-1] is not chunk[-1] else 0.0
                    right = max(right, x)
        owner = chunk[0].owner
        anchor = _ANCHORS.get(self._styles.value(owner, "text-anchor", "start"), 0.0)
        if leftwards:
            anchor = 1.0 - anchor
        shift = start[0] - left - anchor * (right - left) if anchor else 0.0
        for each in placed:
            each.x += shift
        return placed, (x + shift, y)


def outline_texts(root: Element, faces: Typefaces) -> None:
    """All texts of a drawing become outlines. Raises BadDrawing."""
    for node in list(root.iter(tag("flowRoot"))):
        if "".join(map(str, node.itertext())).strip():
            fault = BadDrawing(f"it has a <flowRoot>, flowed text as old Inkscape saves it. {ADVICE}")
            fault.line = node.sourceline
            raise fault
        _remove(node)
    texts = list(root.iter(tag("text")))
    if not texts:
        return
    lettering = Lettering(root, faces)
    for text in texts:
        try:
            lettering.outline(text)
        except BadDrawing as fault:
            fault.line = fault.line or text.sourceline
            raise


def _chunks(characters: Sequence[Character]) -> Iterator[list[Character]]:
    """The parts of a text that begin at a place of their own."""
    chunk: list[Character] = []
    for character in characters:
        if chunk and (character.x is not None or character.y is not None):
            yield chunk
            chunk = []
        chunk.append(character)
    if chunk:
        yield chunk


def _refuse_missing(glyphs: Sequence[Glyph], text: str, owner: Element, styles: Styles) -> None:
    missing = sorted({text[glyph.cluster] for glyph in glyphs if glyph.number == 0 and not invisible(text[glyph.cluster])})
    if missing:
        family = styles.value(owner, "font-family", "body")
        fault = BadDrawing(f"its text is set in {family}, which has no {first_of(missing)}")
        fault.rule, fault.value = "missing-glyph", missing[0]
        fault.hint = f"{ADVICE}."
        raise fault


def _path(way: _Way, placed: Sequence[_Placed]) -> str:
    """The outlines of glyphs as one path, as exact as a ten-thousandth of their size."""
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen

    if way.size <= 0:
        return ""
    digits = max(0, min(12, 4 - math.floor(math.log10(way.size))))

    def written(value: float) -> str:
        number = f"{value:.{digits}f}"
        return (number.rstrip("0").rstrip(".") if "." in number else number) or "0"

    pen = SVGPathPen(None, ntos=written)
    for each in placed:
        if not each.glyph.number:
            continue  # a control that the font has no glyph for, which would be drawn as a box
        place: Affine = translation(each.x, each.y)
        if each.turn:
            place = place @ rotation(each.turn)
        place = place @ translation(0, way.drop) @ scaling(way.size, -way.size) @ translation(each.glyph.x, each.glyph.y)
        way.face.draw(each.glyph.number, TransformPen(pen, (place.a, place.b, place.c, place.d, place.e, place.f)))
    return str(pen.getCommands())


def _written(style: dict[str, str]) -> str:
    return ";".join(f"{key}:{value}" for key, value in style.items())


def _remove(element: Element) -> None:
    """Take an element out; only spaces are lost with it."""
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)
