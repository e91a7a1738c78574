"""Letters as outlines: a face of a family is found among the game's fonts, and HarfBuzz says which glyphs stand where."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from pnp.draw.fonts import MOST_BYTES, Fonts
from pnp.svg.safe import BadDrawing
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
    """A font that the game has not, or not so."""

    rule = "unknown-font"

    def __init__(self, message: str, value: str, known: list[str], hint: str = "") -> None:
        super().__init__(message)
        self.value, self.allowed, self.hint = value, listed(known, 20), hint


@dataclass(frozen=True, slots=True)
class Glyph:
    """A glyph of a shaped text, in parts of the font's size: from here the next one is ``advance`` further on."""

    number: int
    cluster: int
    """Which character it begins with."""
    advance: float
    x: float
    y: float


@dataclass(frozen=True)
class Typeface:
    """A face of a family: one file, or one weight of a file that has them all."""

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
        """Whether its letters are pictures in colours, as those of emoji are."""
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
        """The outline of a glyph, in parts of the font's size, y upwards."""
        from fontTools.pens.transformPen import TransformPen

        self._font.draw_glyph_with_pen(number, TransformPen(pen, (1 / self._units, 0, 0, 1 / self._units, 0, 0)))

    @cached_property
    def x_height(self) -> float:
        """How high an x is, in parts of the size."""
        import uharfbuzz as hb

        return float(self._font.get_metric_position_with_fallback(hb.OTMetricsTag.X_HEIGHT)) / self._units

    @cached_property
    def capitals(self) -> float:
        """How high capitals are, in parts of the size."""
        import uharfbuzz as hb

        return float(self._font.get_metric_position_with_fallback(hb.OTMetricsTag.CAP_HEIGHT)) / self._units

    @cached_property
    def centre(self) -> float:
        """Half-way between the highest and the lowest that a line has room for."""
        extents = self._font.get_font_extents("ltr")
        return float(extents.ascender + extents.descender) / 2 / self._units


@lru_cache(16)
def _content(path: Path) -> bytes:
    if path.stat().st_size > MOST_BYTES:
        raise BadDrawing(f"the font {path.name} is larger than {MOST_BYTES // 1_000_000} MB")
    return path.read_bytes()


class Typefaces:
    """The faces of a game's fonts, by the names that drawings call them."""

    def __init__(self, fonts: Fonts) -> None:
        self._fonts = fonts
        self._found: dict[tuple[str, int, bool], Typeface] = {}

    def face(self, families: str, weight: int, italic: bool) -> Typeface:
        """The face for a list of families as drawings write it: of the first, for with it the drawing was made.

        Raises NoFont.
        """
        name = families.split(",")[0].strip().strip("'\"").strip()
        key = (name, weight, italic)
        if key not in self._found:
            self._found[key] = self._chosen(name, weight, italic)
        return self._found[key]

    def family(self, families: str, weight: int, italic: bool) -> str:
        """What the engine calls the family of such a face, or the role that was named. Raises NoFont."""
        name = families.split(",")[0].strip().strip("'\"").strip()
        if name in self._fonts.roles:
            return name
        face = self.face(families, weight, italic)
        return str(next(font.family for font in self._all if (Path(font.path), font.index) == (face.path, face.index)))

    def _chosen(self, name: str, weight: int, italic: bool) -> Typeface:
        family = self._fonts.roles.get(name, name)
        faces = [font for font in self._all if font.family.casefold() == family.casefold()]
        named = not faces
        faces = faces or [font for font in self._all if family.casefold() in _names(Path(font.path), font.index)]
        known = sorted({font.family for font in self._all})
        if not faces:
            raise NoFont(
                f'its text is set in "{name}", and the game has no font of that name',
                name,
                known,
                closest(name, known) or "Put the font's file into the game's folder fonts/, or turn the text into outlines.",
            )
        sloped = [font for font in faces if (font.style != "normal") == italic]
        # A name such as "Lato Black" is of one weight, whatever weight is asked for beside it.
        for font in sorted(sloped, key=lambda font: (abs(font.weight - weight), Path(font.path).name)):
            low, high = _weights(Path(font.path), font.index) or (font.weight, font.weight)
            if low <= weight <= high and low < high:
                return Typeface(Path(font.path), font.index, weight, True)
            if abs(font.weight - weight) <= NEAR or named:
                return Typeface(Path(font.path), font.index, font.weight, False)
        there = sorted({f"{font.weight}{'' if font.style == 'normal' else ' italic'}" for font in faces})
        asked = f"{weight}{' italic' if italic else ''}"
        raise NoFont(
            f'its text is set in "{name}" {asked}, and the game has no such face of it',
            f"{name} {asked}",
            there,
            "Put that face's file into the game's folder fonts/, or turn the text into outlines.",
        )

    @cached_property
    def _all(self) -> list[Any]:
        return [font for font in self._fonts.engine.fonts() if font.path is not None]


@lru_cache(256)
def _names(path: Path, index: int) -> frozenset[str]:
    """What a font is called by programs, in small letters."""
    from fontTools.ttLib import TTFont, TTLibError

    try:
        with TTFont(path, lazy=True, fontNumber=index) as font:
            return frozenset(str(found).casefold() for number in _NAMES if (found := font["name"].getDebugName(number)))
    except (TTLibError, KeyError, OSError):
        return frozenset()


@lru_cache(256)
def _weights(path: Path, index: int) -> tuple[int, int] | None:
    """The lightest and the boldest of a font that has them all."""
    from fontTools.ttLib import TTFont, TTLibError

    try:
        with TTFont(path, lazy=True, fontNumber=index) as font:
            axes = font["fvar"].axes if "fvar" in font else ()
            return next(((int(axis.minValue), int(axis.maxValue)) for axis in axes if axis.axisTag == "wght"), None)
    except (TTLibError, KeyError, OSError):
        return None


def in_one_script(text: str) -> Iterator[tuple[int, str, str]]:
    """The parts of a text that are each in one script, where they begin, and the script."""
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
    """Raises BadDrawing for a line whose letters do not all run one way, ``leftwards`` being how it is to be read.

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
