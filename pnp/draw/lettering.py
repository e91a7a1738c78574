"""Turns the texts of a drawing into outlines in the game's fonts, shaped by HarfBuzz."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from lxml import etree

from pnp.dataclass import dataclass
from pnp.draw.fonts import MOST_BYTES, Fonts, invisible
from pnp.draw.markup import first_of
from pnp.shapes.affine import Affine, rotation, scaling, translation
from pnp.svg.safe import BadDrawing, href
from pnp.svg.styles import MOST_CHARACTERS, Character, characters, font_size, length, own, value
from pnp.svg.tree import REFERENCE, Element, local, remove, tag
from pnp.values.problems import closest, listed

# A face may be so much lighter or bolder than what is asked for before it is another one.
NEAR = 100
# Names under which programs know a font: family, full, PostScript, and the family with all its weights.
_NAMES = (1, 4, 6, 16)

# Tables of a font whose letters are pictures.
_COLOURS = frozenset({"CBDT", "COLR", "SVG ", "sbix"})
# Scripts whose letters hang together, so that nothing may come between them.
CURSIVE = frozenset({"Adlm", "Arab", "Mand", "Mong", "Nkoo", "Phag", "Rohg", "Syrc"})


class NoFont(BadDrawing):
    """A font that the game does not have."""

    rule = "unknown-font"


@dataclass(frozen=True, slots=True)
class Glyph:
    """A glyph of a shaped text, in ems: the next one begins ``advance`` further on."""

    number: int
    cluster: int
    """Which character it begins with."""
    advance: float
    x: float
    y: float


@dataclass(frozen=True)
class Typeface:
    """A face of a family: one file, or one weight of a variable font."""

    path: Path
    index: int
    weight: int
    varies: bool

    @cached_property
    def _font(self) -> Any:
        import uharfbuzz as hb

        font = hb.Font(hb.Face(_content(self.path), self.index))
        if self.varies:
            font.set_variations({"wght": self.weight})
        return font

    @cached_property
    def coloured(self) -> bool:
        """Whether its glyphs are coloured pictures, as those of emoji are."""
        return not _COLOURS.isdisjoint(self._font.face.table_tags)

    @cached_property
    def _units(self) -> int:
        return int(self._font.face.upem)

    def shaped(self, text: str, joined: bool = True, kerned: bool = True) -> list[Glyph]:
        """The glyphs of a text in one script, from left to right.

        Letters are ``joined`` where the font has ligatures, and ``kerned``.
        """
        import uharfbuzz as hb

        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        off = (*(() if joined else ("liga", "clig")), *(() if kerned else ("kern",)))
        hb.shape(self._font, buffer, dict.fromkeys(off, False))
        unit = 1 / self._units
        return [
            Glyph(info.codepoint, info.cluster, at.x_advance * unit, at.x_offset * unit, at.y_offset * unit)
            for info, at in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
        ]

    def draw(self, number: int, pen: Any) -> None:
        """Draws the outline of a glyph, in ems, y upwards."""
        from fontTools.pens.transformPen import TransformPen

        self._font.draw_glyph_with_pen(number, TransformPen(pen, (1 / self._units, 0, 0, 1 / self._units, 0, 0)))

    def _metric(self, name: str) -> float:
        import uharfbuzz as hb

        return float(self._font.get_metric_position_with_fallback(hb.OTMetricsTag[name])) / self._units

    @cached_property
    def x_height(self) -> float:
        """The height of an x, in ems."""
        return self._metric("X_HEIGHT")

    @cached_property
    def capitals(self) -> float:
        """The height of capitals, in ems."""
        return self._metric("CAP_HEIGHT")

    @cached_property
    def centre(self) -> float:
        """Half-way between ascent and descent, in ems."""
        extents = self._font.get_font_extents("ltr")
        return float(extents.ascender + extents.descender) / 2 / self._units


@lru_cache(16)
def _content(path: Path) -> bytes:
    if path.stat().st_size > MOST_BYTES:
        raise BadDrawing(f"the font {path.name} is larger than {MOST_BYTES // 1_000_000} MB")
    return path.read_bytes()


def first_family(families: str) -> str:
    """The first family of a list as drawings write it."""
    return families.split(",")[0].strip().strip("'\"").strip()


class Typefaces:
    """The faces of a game's fonts, by the names that drawings call them."""

    def __init__(self, fonts: Fonts) -> None:
        self._fonts = fonts
        self._chosen = cache(self._choose)

    def face(self, families: str, weight: int, italic: bool) -> Typeface:
        """The face for a list of families as drawings write it: that of the first one, with which the drawing was made.

        Raises NoFont.
        """
        return self._chosen(first_family(families), weight, italic)

    def family(self, families: str, weight: int, italic: bool) -> str:
        """Typst's name for the family of such a face, or the role that was named. Raises NoFont."""
        name = first_family(families)
        if name in self._fonts.roles:
            return name
        face = self.face(families, weight, italic)
        return str(next(font.family for font in self._all if (Path(font.path), font.index) == (face.path, face.index)))

    def _choose(self, name: str, weight: int, italic: bool) -> Typeface:
        family = self._fonts.roles.get(name, (name,))[0]
        faces = [font for font in self._all if font.family.casefold() == family.casefold()]
        named = not faces
        faces = faces or [font for font in self._all if family.casefold() in _known(Path(font.path), font.index)[0]]
        known = sorted({font.family for font in self._all})
        if not faces:
            hint = "Put the font's file into the game's folder fonts/, or turn the text into outlines."
            message = f'its text is set in "{name}", and the game has no font of that name'
            raise NoFont(message, name, listed(known, 20), closest(name, known) or hint)
        sloped = [font for font in faces if (font.style != "normal") == italic]
        # A name such as "Lato Black" is of one weight, whatever weight is asked for beside it.
        for font in sorted(sloped, key=lambda font: (abs(font.weight - weight), Path(font.path).name)):
            low, high = _known(Path(font.path), font.index)[1] or (font.weight, font.weight)
            if low <= weight <= high and low < high:
                return Typeface(Path(font.path), font.index, weight, True)
            if abs(font.weight - weight) <= NEAR or named:
                return Typeface(Path(font.path), font.index, font.weight, False)
        there = sorted({f"{font.weight}{'' if font.style == 'normal' else ' italic'}" for font in faces})
        asked = f"{weight}{' italic' if italic else ''}"
        message = f'its text is set in "{name}" {asked}, and the game has no such face of it'
        hint = "Put that face's file into the game's folder fonts/, or turn the text into outlines."
        raise NoFont(message, f"{name} {asked}", listed(there, 20), hint)

    @cached_property
    def _all(self) -> list[Any]:
        return [font for font in self._fonts.engine.fonts() if font.path is not None]


@lru_cache(256)
def _known(path: Path, index: int) -> tuple[frozenset[str], tuple[int, int] | None]:
    import uharfbuzz as hb

    face = hb.Face(_content(path), index)
    names = frozenset(found.casefold() for number in _NAMES if (found := face.get_name(number, "en")))
    return names, next(((int(axis.min_value), int(axis.max_value)) for axis in face.axis_infos if axis.tag == "wght"), None)


def in_one_script(text: str) -> Iterator[tuple[int, str, str]]:
    """The runs of a text in one script each: where they begin, and the script."""
    from fontTools.unicodedata import script

    start, now = 0, ""
    for number, letter in enumerate(text):
        of = script(letter)
        if of in ("Zyyy", "Zinh", "Zzzz"):
            continue
        if now and of != now:
            yield start, text[start:number], now
            start = number
        now = of
    if start < len(text):
        yield start, text[start:], now


def refuse_mixed(text: str, leftwards: bool) -> None:
    """Raises BadDrawing for a line that mixes directions; ``leftwards``: how it is to be read.

    What has no way of its own, such as a full stop, would stand at the wrong end.
    """
    ways = [unicodedata.bidirectional(letter) for letter in text]
    right = {"R", "AL"}
    if right.isdisjoint(ways):
        mixed = leftwards and "L" in ways
    else:
        edges = {ways[0], ways[-1]} - {"NSM"}
        mixed = not {"L", "EN", "AN"}.isdisjoint(ways) or not (leftwards or edges <= right)
    if mixed:
        raise BadDrawing("its text runs from left to right and from right to left")


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
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
# How far below the line the point lies that a text hangs at.
_HANGING = ("", "auto", "alphabetic", "baseline", "middle", "central")


@dataclass(frozen=True, slots=True)
class _Way:
    face: Typeface
    size: float
    spacing: float
    words: float
    drop: float
    kerned: bool
    paint: tuple[tuple[str, str], ...]

    @property
    def setting(self) -> _Way:
        """The same without colour: letters that differ in colour alone are shaped as one word."""
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
        self._count = 0

    def outline(self, text: Element) -> None:
        """Replaces a text by its outlines. Raises BadDrawing."""
        if (parent := text.getparent()) is None:
            raise BadDrawing("its root is a <text>")
        try:
            made = [
                etree.Element(tag("path"), {"d": outline, "style": _written(dict(way.paint))})
                for way, outline in self._outlines(text)
            ]
        except BadDrawing:
            # Layers may be switched off.
            if not any(own(node, "display") == "none" for node in (text, *text.iterancestors())):
                raise
            made = []
        if not made:
            remove(text)
            return
        whole = {key: written for key in _WHOLE if (written := own(text, key))}
        if len(made) > 1 and local(parent) != "clipPath":
            group = etree.Element(tag("g"))
            group.extend(made)
            made = [group]
        for element in made:
            element.attrib.update({key: text.get(key, "") for key in ("id", "transform") if text.get(key)})
            if whole:
                element.set("style", ";".join(filter(None, (_written(whole), element.get("style")))))
        made[-1].tail = text.tail
        index = parent.index(text)
        parent[index : index + 1] = made

    def check(self, text: Element) -> None:
        """Raises BadDrawing for a text that cannot become outlines; nothing is changed."""
        for _ in self._outlines(text):
            pass

    def _outlines(self, text: Element) -> Iterator[tuple[_Way, str]]:
        letters = characters(text)
        self._count += len(letters)
        if self._count > MOST_CHARACTERS:
            raise BadDrawing(f"its texts have more than {MOST_CHARACTERS} characters")
        if not any(character.letter.strip() for character in letters):
            return
        for element in text.iter():
            if local(element):
                self._refuse(element, element is text)
        ways = {owner: self._way(owner) for owner in dict.fromkeys(each.owner for each in letters)}
        placed: list[_Placed] = []
        here = (0.0, 0.0)
        for chunk in _chunks(letters):
            first = chunk[0]
            here = (here[0] if first.x is None else first.x, here[1] if first.y is None else first.y)
            glyphs, here = self._chunk(chunk, ways, here)
            placed += glyphs
        for way, group in groupby(placed, key=lambda each: each.way):
            if outline := _path(way, list(group)):
                yield way, outline

    def _refuse(self, element: Element, whole: bool) -> None:
        for key, plain in _PLAIN.items():
            if (said := value(element, key)) not in plain:
                raise BadDrawing(f"it has a <text> with {key}: {said[:40]}. {ADVICE}")
        lines = [value(element, key) for key in ("dominant-baseline", "alignment-baseline")]
        for said in lines:
            if said not in _HANGING or (all(lines) and lines[0] != lines[1]):
                raise BadDrawing(f"it has a <text> that hangs at the line: {said[:40]}. {ADVICE}")
        for key in _UNSTRETCHED:
            if element.get(key) is not None:
                raise BadDrawing(f"it has a <text> with {key}. {ADVICE}")
        if not whole and (own(element, "opacity") or "1") not in ("1", "1.0"):
            raise BadDrawing(f"it has a part of a <text> with opacity. {ADVICE}")

    def _way(self, element: Element) -> _Way:
        size = font_size(element)
        weight = value(element, "font-weight") or "normal"
        weight = {"normal": "400", "bold": "700"}.get(weight, weight)
        if not re.fullmatch(r"\d{1,4}", weight) or not 1 <= int(weight) <= 1000:
            raise BadDrawing(f"it has a <text> with font-weight: {weight[:40]}. {ADVICE}")
        italic = value(element, "font-style").startswith(("italic", "oblique"))
        face = self._faces.face(value(element, "font-family", "body"), int(weight), italic)
        paint = tuple((key, said) for key in _PAINTED if (said := value(element, key)))
        for key, said in paint:
            if found := REFERENCE.search(said):
                self._refuse_boxed(key, found[1])
        if face.coloured:
            raise BadDrawing(f"it has a <text> in {face.path.name}, whose letters are pictures. {ADVICE}")
        said = value(element, "alignment-baseline") or value(element, "dominant-baseline")
        drop = {"middle": face.x_height / 2, "central": face.centre}.get(said, 0.0) * size
        spacings = ((key, value(element, key)) for key in ("letter-spacing", "word-spacing"))
        spacing, words = (0.0 if said in ("", "normal") else length(said, key, size) for key, said in spacings)
        kerned = value(element, "font-kerning") != "none" and value(element, "kerning") != "0"
        return _Way(face, size, spacing, words, drop, kerned, paint)

    def _refuse_boxed(self, key: str, name: str) -> None:
        """Refuses gradients measured by the text's box, for its outlines have another box."""
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
        x, y = start
        left = right = x
        placed: list[_Placed] = []
        leftwards = value(chunk[0].owner, "direction") == "rtl"
        refuse_mixed("".join(each.letter for each in chunk), leftwards)
        parts = [list(group) for _, group in groupby(chunk, key=lambda each: ways[each.owner].setting)]
        for part in parts:
            way = ways[part[0].owner]
            text = "".join(each.letter for each in part)
            for offset, script, named in in_one_script(text):
                if way.spacing and named in CURSIVE:
                    raise BadDrawing(f"it has a <text> with letter-spacing in letters that hang together. {ADVICE}")
                letters = part[offset : offset + len(script)]
                joined = not way.spacing and not any(each.dx or each.dy or each.rotate for each in letters[1:])
                glyphs = way.face.shaped(script, joined, way.kerned)
                if len(glyphs) > 1 and glyphs[0].cluster > glyphs[-1].cluster and len(script) < len(chunk):
                    raise BadDrawing(f"its text from right to left is in several parts or styles. {ADVICE}")
                _refuse_missing(glyphs, script, part[0].owner)
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
                    x += way.spacing if covered[-1] is not chunk[-1] else 0.0
                    right = max(right, x)
        owner = chunk[0].owner
        anchor = _ANCHORS.get(value(owner, "text-anchor", "start"), 0.0)
        if leftwards:
            anchor = 1.0 - anchor
        shift = start[0] - left - anchor * (right - left) if anchor else 0.0
        for each in placed:
            each.x += shift
        return placed, (x + shift, y)


def outline_texts(root: Element, faces: Typefaces) -> None:
    """Replaces all texts of a drawing by outlines. Raises BadDrawing."""
    for node in list(root.iter(tag("flowRoot"))):
        if "".join(map(str, node.itertext())).strip():
            raise BadDrawing(f"it has a <flowRoot>, flowed text as old Inkscape saves it. {ADVICE}", line=node.sourceline)
        remove(node)
    if not (texts := list(root.iter(tag("text")))):
        return
    lettering = Lettering(root, faces)
    for text in texts:
        try:
            lettering.outline(text)
        except BadDrawing as fault:
            fault.line = fault.line or text.sourceline
            raise


def _chunks(characters: Sequence[Character]) -> Iterator[list[Character]]:
    chunk: list[Character] = []
    for character in characters:
        if chunk and (character.x is not None or character.y is not None):
            yield chunk
            chunk = []
        chunk.append(character)
    if chunk:
        yield chunk


def _refuse_missing(glyphs: Sequence[Glyph], text: str, owner: Element) -> None:
    missing = sorted({text[glyph.cluster] for glyph in glyphs if glyph.number == 0 and not invisible(text[glyph.cluster])})
    if missing:
        family = value(owner, "font-family", "body")
        message = f"its text is set in {family}, which has no {first_of(missing)}"
        raise BadDrawing(message, missing[0], hint=f"{ADVICE}.", rule="missing-glyph")


def _path(way: _Way, placed: Sequence[_Placed]) -> str:
    """The outlines of glyphs as one path, exact to a ten-thousandth of their size."""
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
