"""Recolours drawings for other inks: grey, and low-ink, which tints grounds and keeps outlines, details and texts.

A variant changes colours alone, layer by layer: shapes stay where they are, so that all marks and nets still fit.
"""

from __future__ import annotations

import base64
import colorsys
import io
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any

from pnp.dataclass import dataclass
from pnp.draw.art import Drawing
from pnp.draw.bitmaps import QUALITY
from pnp.draw.markup import changed
from pnp.shapes.affine import IDENTITY, Affine, Rect, scaling
from pnp.shapes.colour import WEIGHTS, encoded, in_css, linear, luminance
from pnp.svg import safe as svg
from pnp.svg.tree import XLINK, Element, local, tag
from pnp.system.cache import digest
from pnp.values.faces import Icon, ImageLayer, Layer, Span, TextBox, TextLayer, TextPiece, TextSpan
from pnp.values.game import Ink

Rgb = tuple[float, float, float]
"""Red, green and blue from 0 to 1."""

# Low-ink: how much of a fill's colour is left. Small shapes are eyes, buckles and letters: they keep theirs.
GROUND, SHAPE, FIGURE, DETAIL, LINE = 0.15, 0.25, 0.5, 0.85, 0.65
# Lines broader than so many mm are bands of colour, and tinted like shapes, but a little stronger.
BROAD, BAND = 0.9, 0.35
# mm²: from here on a shape is a ground, up to here a part of a figure, up to here a detail.
LARGE, MIDDLING, SMALL = 900.0, 60.0, 5.0
# A part of a figure stays at least so light (luminance): 4.5 to 1 with the darkest that a text may be.
LIGHTEST = 0.42
# Texts are set as dark as this at least (lightness, and luminance: a bright green is light for its lightness),
# whatever they stood on: now it is light.
DARKEST, DIMMEST = 0.22, 0.05
# A light line that stood on a dark ground would be lost on a light one.
LIGHT_LINE, LINE_SATURATION, BRIGHT_LINE = 0.45, 0.3, 0.4
_STYLED = re.compile(r"(?<![\w-])(fill|stroke-width|stroke|stop-color|flood-color)\s*:\s*([^;}]+)")
SHARED = ("defs", "symbol", "clipPath", "mask")
SHAPES = ("path", "rect", "circle", "ellipse", "polygon", "polyline")
# Of drawings set in drawings, mm for a unit: what they are drawn at cannot be told from the outside.
INNER_SCALE = 0.3
ICON_SCALE = 0.04
_PAINTS = ("fill", "stroke", "stop-color", "flood-color")
_DATA = "data:image/svg+xml;base64,"
_PIXELS = ("data:image/png;base64,", "data:image/jpeg;base64,")


@dataclass(frozen=True, slots=True)
class _Around:
    """Attributes that a shape inherits from its groups: fill as written, line width in its units.

    Of the whole drawing: what hides by its brightness, by ids.
    """

    fill: str
    line: float
    hiding: frozenset[str]


@dataclass(slots=True)
class Recolouring:
    """Recolours drawings and layers; keeps what it has done."""

    ink: Ink
    _layers: dict[str, Layer] = field(default_factory=dict)

    def layer(self, layer: Layer) -> Layer:
        if not self.ink:
            return layer
        if layer.key not in self._layers:
            self._layers[layer.key] = self._changed(layer)
        return self._layers[layer.key]

    def drawing(self, drawing: Drawing, width: float) -> Drawing:
        """A drawing that will be ``width`` mm wide."""
        if not self.ink:
            return drawing
        name, data = self._file(drawing.file, drawing.data, width / drawing.width)
        return replace(drawing, file=name, content=data)

    def text(self, colour: str) -> str:
        return self._paint(colour, _TEXTS[self.ink]) if self.ink else colour

    def _changed(self, layer: Layer) -> Layer:
        key = digest(self.ink, layer.key)
        files: dict[str, bytes] = {}
        if isinstance(layer, TextLayer):
            pieces = tuple(self._text(piece, layer.files, files) for piece in layer.pieces)
            return replace(layer, key=key, pieces=pieces, files=files)
        renamed = {}
        scale = _scale(layer)
        for name, content in layer.files.items():
            renamed[name], changed = self._file(name, content, scale)
            files[renamed[name]] = changed
        file = renamed[layer.file]
        if file.endswith(".svg"):
            # Its bitmaps are linked by name.
            main = files.pop(file)
            for old, new in renamed.items():
                main = main.replace(old.encode(), new.encode())
            files[file] = main
        return replace(layer, key=key, file=file, files=files)

    def _text(self, piece: TextPiece, old: Mapping[str, bytes], new: dict[str, bytes]) -> TextPiece:
        if not isinstance(piece, TextBox):
            return replace(piece, fill=self.text(piece.fill))
        setting = replace(piece.setting, fill=self.text(piece.setting.fill))
        blocks = changed(piece.blocks, self._span)
        icons = tuple(self._icon(icon, old, new) for icon in piece.icons)
        return replace(piece, setting=setting, blocks=blocks, icons=icons)

    def _span(self, span: Span) -> tuple[Span, ...]:
        return (replace(span, fill=self.text(span.fill)),) if isinstance(span, TextSpan) and span.fill else (span,)

    def _icon(self, icon: Icon, old: Mapping[str, bytes], new: dict[str, bytes]) -> Icon:
        file, drawing = self._file(icon.file, old[icon.file], ICON_SCALE)
        new[file] = drawing
        return replace(icon, file=file)

    def _file(self, name: str, data: bytes, scale: float) -> tuple[str, bytes]:
        if name.endswith(".svg"):
            changed = self._svg(data, scale)
            return f"{digest(changed)}.svg", changed
        changed = _bitmap(data, self.ink)
        return f"{digest(changed)}.png", changed

    def _svg(self, data: bytes, scale: float) -> bytes:
        root = svg.parse(data.decode())
        # What says nothing is black, and black is an ink as well.
        self._walk(root, scaling(scale, scale), _Around("#000000", 1.0, _hiding(root)))
        return svg.text_of(root).encode()

    def _walk(self, element: Element, matrix: Affine, around: _Around) -> None:
        name = local(element)
        # A mask is no ink: what is dark in it hides, whatever prints.
        if not name or name == "mask" or element.get("id") in around.hiding:
            return
        matrix = matrix @ svg.transform(element) @ _window(element)
        area = _area(element, matrix)
        style = element.get("style", "")
        own = {
            **{key: value for key in ("fill", "stroke-width") if (value := element.get(key))},
            **dict(_STYLED.findall(style)),
        }
        line = _number(own.get("stroke-width"), around.line)
        inside = replace(around, fill=own.get("fill", around.fill).strip(), line=line)
        if name in SHARED:
            # What is drawn by <use> takes its colour from there.
            inside = replace(inside, fill="none")
        broad = inside.line * math.sqrt(abs(matrix.determinant)) > BROAD

        def declared(found: re.Match[str]) -> str:
            return f"{found[1]}:{self._paint(found[2], self._use(found[1], area, broad))}"

        if name in (*SHAPES, "use") and "fill" not in own and around.fill != "none":
            element.set("fill", around.fill)
        for key in _PAINTS:
            if (written := element.get(key)) is not None:
                element.set(key, self._paint(written, self._use(key, area, broad)))
        if style:
            element.set("style", _STYLED.sub(declared, style))
        for key in ("href", XLINK):
            written = element.get(key, "")
            if written.startswith(_DATA):
                inner = self._svg(base64.b64decode(written.removeprefix(_DATA)), INNER_SCALE)
                element.set(key, f"{_DATA}{base64.b64encode(inner).decode()}")
            elif written.startswith(_PIXELS):
                # A photograph stays one, or it would be many times as large.
                form = next(form for form in _PIXELS if written.startswith(form))
                kind = "JPEG" if "jpeg" in form else "PNG"
                inner = _bitmap(base64.b64decode(written.removeprefix(form)), self.ink, kind)
                element.set(key, f"{form}{base64.b64encode(inner).decode()}")
        for child in element:
            self._walk(child, matrix, inside)

    def _use(self, key: str, area: float | None, broad: bool) -> Callable[[Rgb], Rgb]:
        if key == "stroke":
            return lambda colour: _STROKES[self.ink](colour, broad)
        return lambda colour: _FILLS[self.ink](colour, area)

    def _paint(self, written: str, change: Callable[[Rgb], Rgb]) -> str:
        if (colour := _read(written.strip())) is None:
            return written
        *parts, clear = (*change(colour[0]), colour[1])
        return "#" + "".join(f"{round(255 * max(0.0, min(1.0, part))):02x}" for part in (*parts, clear)[: 3 + (clear < 1)])


def _number(written: str | None, default: float) -> float:
    try:
        return float(written) if written else default
    except ValueError:
        return default


def _read(written: str) -> tuple[Rgb, float] | None:
    if written in ("none", "inherit", "currentColor", "transparent") or written.startswith(("url(", "rgba(", "hsla(")):
        return None
    if (found := in_css(written)) is None:
        return None
    red, green, blue, clear = (part / 255 for part in found)
    return (red, green, blue), clear


def _hiding(root: Element) -> frozenset[str]:
    named = {name: node for node in root.iter() if local(node) and (name := node.get("id"))}
    return frozenset[str]().union(*(svg.needed(mask, named) for mask in root.iter(tag("mask"))))


def _window(element: Element) -> Affine:
    if local(element) != "svg" or element.getparent() is None or not element.get("viewBox"):
        return IDENTITY
    _, _, width, height = svg.view_box(element)
    scale = max(_number(element.get("width"), width) / width, _number(element.get("height"), height) / height)
    return scaling(scale, scale)


def _grey(colour: Rgb) -> Rgb:
    part = encoded(luminance(colour))
    return part, part, part


def _tint(colour: Rgb, share: float) -> Rgb:
    red, green, blue = (1 - share * (1 - part) for part in colour)
    return red, green, blue


def _dark(colour: Rgb) -> Rgb:
    hue, lightness, saturation = colorsys.rgb_to_hls(*colour)
    return _dimmed(colorsys.hls_to_rgb(hue, min(lightness, DARKEST), saturation if lightness < 0.9 else 0.0), DIMMEST)


def _dimmed(colour: Rgb, most: float) -> Rgb:
    share = (most / max(most, luminance(colour))) ** 0.45
    red, green, blue = (share * part for part in colour)
    return red, green, blue


def _low_fill(colour: Rgb, area: float | None) -> Rgb:
    if area is not None and area <= SMALL:
        return _tint(colour, DETAIL)
    if area is not None and area <= MIDDLING:
        # A badge is as small as a nose, and what is written on it must be read.
        share = FIGURE
        while share > SHAPE and luminance(_tint(colour, share)) < LIGHTEST:
            share -= 0.02
        return _tint(colour, share)
    return _tint(colour, GROUND if area is not None and area >= LARGE else SHAPE)


def _low_stroke(colour: Rgb, broad: bool) -> Rgb:
    if broad:
        return _tint(colour, BAND)
    hue, lightness, saturation = colorsys.rgb_to_hls(*colour)
    if saturation > LINE_SATURATION and lightness > LIGHT_LINE:
        return _dimmed(_tint(colorsys.hls_to_rgb(hue, LIGHT_LINE, saturation), LINE), BRIGHT_LINE)
    return _tint(colour, LINE)


_FILLS: Mapping[Ink, Callable[[Rgb, float | None], Rgb]] = {"grey": lambda colour, _: _grey(colour), "low-ink": _low_fill}
_STROKES: Mapping[Ink, Callable[[Rgb, bool], Rgb]] = {"grey": lambda colour, _: _grey(colour), "low-ink": _low_stroke}
_TEXTS: Mapping[Ink, Callable[[Rgb], Rgb]] = {"grey": _grey, "low-ink": _dark}


def _bitmap(data: bytes, ink: Ink, kind: str = "PNG") -> bytes:
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as opened:
        image = opened.convert("RGBA")
    clear = image.getchannel("A")
    if ink == "grey":
        made = _greyed(image)
    else:
        made = Image.blend(Image.new("RGB", image.size, "white"), image.convert("RGB"), SHAPE)
    target = io.BytesIO()
    if kind == "JPEG":
        made.save(target, kind, quality=QUALITY, subsampling=0)
        return target.getvalue()
    made.putalpha(clear)
    made.save(target, kind, compress_level=6)
    return target.getvalue()


def _greyed(image: Any) -> Any:
    import numpy as np
    from PIL import Image

    light = np.array([linear(part / 255) for part in range(256)], dtype=np.float32)
    level = light[np.asarray(image.convert("RGB"))] @ np.array(WEIGHTS, dtype=np.float32)
    return Image.fromarray(np.rint(255 * encoded(level)).astype(np.uint8)).convert("RGB")


def _scale(layer: ImageLayer) -> float:
    if not layer.file.endswith(".svg"):
        return 1.0
    _, _, width, height = svg.view_box(svg.parse(layer.files[layer.file].decode()))
    return max(layer.width / width, layer.height / height)


def _area(element: Element, matrix: Affine) -> float | None:
    name = local(element)
    try:
        box = _box(element, name)
    except (ValueError, KeyError, svg.BadDrawing):
        return None
    return None if box is None else box.width * box.height * abs(matrix.determinant)


def _box(element: Element, name: str) -> Rect | None:
    if name == "rect":
        return Rect(0, 0, float(element.get("width", "0")), float(element.get("height", "0")))
    if name == "circle":
        return Rect(0, 0, 2 * float(element.get("r", "0")), 2 * float(element.get("r", "0")))
    if name == "ellipse":
        return Rect(0, 0, 2 * float(element.get("rx", "0")), 2 * float(element.get("ry", "0")))
    if name in ("polygon", "polyline"):
        numbers = [float(part) for part in element.get("points", "").replace(",", " ").split()]
        xs, ys = numbers[::2], numbers[1::2]
        return Rect(0, 0, max(xs) - min(xs), max(ys) - min(ys)) if xs and ys else None
    if name == "path":
        from fontTools.pens.boundsPen import ControlBoundsPen
        from fontTools.svgLib.path import parse_path

        pen = ControlBoundsPen(None)
        parse_path(element.get("d", ""), pen)
        if pen.bounds is None:
            return None
        left, top, right, bottom = pen.bounds
        return Rect(0, 0, right - left, bottom - top)
    return None
