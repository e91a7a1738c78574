"""Cuts a face's SVG into a stack of layers, one above and one below each text or picture between the shapes.

What does not change from card to card comes out as the same layer, and is drawn and stored once.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from math import hypot

from lxml import etree

from pnp.dataclass import dataclass
from pnp.draw import data, textbox
from pnp.draw.art import Art, Drawing
from pnp.draw.fonts import Fonts
from pnp.shapes.affine import IDENTITY, Affine, Rect, scaling, translation
from pnp.shapes.colour import css_names, is_paint
from pnp.shapes.units import PT_PER_MM
from pnp.svg import attributes
from pnp.svg import safe as svg
from pnp.svg.normal import mend
from pnp.svg.rewrite import mirror
from pnp.svg.styles import declarations, inline_stylesheets, own, property_of
from pnp.svg.tree import SVG, XLINK, Element, copied, local, remove, tag
from pnp.system.cache import digest
from pnp.values.faces import Filling, ImageLayer, PlacedLayer, TextBox, TextLabel, TextLayer, TextPiece
from pnp.values.problems import closest, listed

# A group with one of these is drawn as a whole, so it cannot be cut at a text inside.
WHOLE = ("opacity", "clip-path", "mask", "filter", "mix-blend-mode", "isolation")
DEFINITIONS = {
    "defs", "linearGradient", "radialGradient", "clipPath", "mask", "pattern", "symbol", "filter", "marker", "style",
}  # fmt: skip
SILENT = {"", "title", "desc", "metadata", "namedview"}
# What nearly all drawings are made of; the names of all others are looked up.
_USUAL = {
    *DEFINITIONS, *SILENT, "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use", "image",
    "text", "tspan", "stop", "foreignObject",
}  # fmt: skip
_USUAL_KEYS = {
    "id", "class", "style", "x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2", "d", "points",
    "transform", "viewBox", "href", XLINK, "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "opacity",
    "stroke-dasharray", "stroke-opacity", "fill-opacity", "fill-rule", "clip-path", "mask", "filter", "color", "font-size",
    "font-family", "font-weight", "font-style", "text-anchor", "preserveAspectRatio", "offset", "stop-color", "version",
    "stop-opacity", "gradientUnits", "gradientTransform", "patternUnits", "display",
}  # fmt: skip
_OF_HTML = {"img": '{{ s.icon("name", x, y, width) }}', "br": "a line break in the cell"}
INHERITED = ("font-family", "font-size", "font-weight", "font-style", "fill", "text-anchor")
# At a picture that its row moves: how far to the right and down, and how many times as large around its middle.
MOVED = "data-moved"
# Texts on a face: a table of numbers has hundreds. Each takes the engine a millisecond.
MOST_TEXTS = 2000
# Room around texts in a turned group, whose extent is known only once they are set.
AROUND_TURNED = 30.0


@dataclass(frozen=True, slots=True)
class Frame:
    """The box a face is drawn in: its trim and bleed, in mm."""

    width: float
    height: float
    bleed: float

    @property
    def outer(self) -> Rect:
        return Rect(-self.bleed, -self.bleed, self.width + 2 * self.bleed, self.height + 2 * self.bleed)


@dataclass(frozen=True, slots=True)
class Tools:
    """The parts of a game that cutting needs."""

    art: Art
    fonts: Fonts
    palette: Mapping[str, str]
    language: str
    mirrored: bool = False
    """Its faces were designed for a language that runs the other way."""


# The words of a text box, where they are plain and escaped as templates do.
_BOX = re.compile(r"(?<=[^/]>)([^<]*)(?=</foreignObject>)")
_OTHERWISE = re.compile(r"&(?!amp;|lt;|gt;|#39;|#34;|quot;)|\r")
_Step = tuple[Element, tuple[Element, ...], Affine] | PlacedLayer
"""Of a drawing that is cut: a text with the groups around it, or a layer."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A drawing that was cut, to be cut again with other words in its text boxes."""

    root: Element
    boxes: tuple[Element, ...]
    steps: tuple[_Step, ...]


class Patterns:
    """Cuts drawings of one game that differ only in the words of their text boxes: all but the words once."""

    MOST = 200
    """Drawings that are remembered."""

    def __init__(self) -> None:
        self._known: dict[tuple[Frame, str, bool, str], _Pattern | None] = {}

    def cut(
        self, text: str, frame: Frame, tools: Tools, report: Callable[[svg.BadDrawing, str], None]
    ) -> tuple[PlacedLayer, ...]:
        """The layers of a drawing from the bottom up. Raises BadDrawing when nothing of it can be used."""
        faults = 0

        def count(fault: svg.BadDrawing, snippet: str) -> None:
            nonlocal faults
            faults += 1
            report(fault, snippet)

        cutter = Cutter(frame, tools, count)
        words: list[str] = []

        def take(found: re.Match[str]) -> str:
            words.append(found[0])
            return ""

        key = (frame, tools.language, tools.mirrored, _BOX.sub(take, text))
        if any(map(_OTHERWISE.search, words)):
            return cutter.cut(text)
        said = [html.unescape(each) if "&" in each else each for each in words]
        if pattern := self._known.get(key):
            return cutter.again(pattern, said)
        layers = cutter.cut(text)
        boxes = tuple(cutter.root.iter(tag("foreignObject")))
        if not faults and [box.text or "" for box in boxes] == said and len(self._known) < self.MOST:
            self._known[key] = _Pattern(cutter.root, boxes, tuple(cutter.steps))
        return layers


class Cutter:
    """Cuts one drawing. Reports faults of single texts and pictures to ``report``, and leaves these out."""

    root: Element

    def __init__(self, frame: Frame, tools: Tools, report: Callable[[svg.BadDrawing, str], None]) -> None:
        self.frame, self.tools, self.report = frame, tools, report
        self.steps: list[_Step] = []
        self.layers: list[PlacedLayer] = []
        self._shapes: list[tuple[tuple[Element, ...], Element]] = []
        self._pictures: dict[str, bytes] = {}
        self._texts: list[TextPiece] = []
        self._icons: dict[str, bytes] = {}
        self._matrix = IDENTITY
        self._count = 0

    def cut(self, text: str) -> tuple[PlacedLayer, ...]:
        """The layers from the bottom up. Raises BadDrawing when nothing of the drawing can be used."""
        root = svg.parse(text)
        self.root = root
        inline_stylesheets(root)
        if svg.varies(text):
            svg.colour_in(root, self.tools.palette)
        self._refuse_colours(root)
        self._refuse_unknown(root)
        box = svg.view_box(root)
        outer = self.frame.outer
        trim = Rect(0, 0, self.frame.width, self.frame.height)
        self._box = Rect(*box)
        if root.attrib.pop("data-mirror", "") != "no" and self.tools.mirrored:
            mirror(root, box[0] + box[2] / 2, DEFINITIONS | SILENT)
        if _alike(box, outer):
            self._base, self._area = IDENTITY, outer
        elif _alike(box, trim):
            self._base, self._area = IDENTITY, trim
        else:
            ratio, shown = box[2] / box[3], outer.width / outer.height
            if abs(ratio / shown - 1) > 0.01 or any(True for _ in root.iter(tag("foreignObject"))):
                raise svg.BadDrawing(
                    f'its viewBox is "{" ".join(f"{part:g}" for part in box)}"; the face is '
                    f"{trim.width:g} × {trim.height:g} mm with {self.frame.bleed:g} mm bleed",
                )
            self._base = translation(outer.x, outer.y) @ scaling(outer.width / box[2], outer.height / box[3])
            self._base = self._base @ translation(-box[0], -box[1])
            self._area = outer
        self._walk(root, (), self._base)
        self._flush_shapes()
        self._flush_texts()
        return tuple(self.layers)

    def again(self, pattern: _Pattern, words: Iterable[str]) -> tuple[PlacedLayer, ...]:
        """The layers of a drawing that was cut, with other words in its text boxes."""
        self.root = pattern.root
        for box, text in zip(pattern.boxes, words, strict=True):
            box.text = text
        for step in pattern.steps:
            if isinstance(step, tuple):
                self._text(*step)
            else:
                self._flush_texts()
                self.layers.append(step)
        self._flush_texts()
        return tuple(self.layers)

    def _walk(self, parent: Element, chain: tuple[Element, ...], matrix: Affine) -> None:
        self._refuse_stray(parent)
        for child in parent:
            name = local(child)
            if name in SILENT or name in DEFINITIONS or own(child, "display") == "none":
                continue
            if name == "foreignObject" or (name == "text" and textbox.is_label(child)):
                self._text(child, chain, _inside(matrix, child))
            elif name == "image" and child.get(MOVED) and _cuts(child):
                self._flush_texts()
                self._shapes.append((chain, _windowed(child)))
            elif name == "image" and _whole(child) is None:
                self._image(child, _inside(matrix, child))
            elif name == "g" and self._must_cut(child):
                self._walk(child, (*chain, child), _inside(matrix, child))
            else:
                self._flush_texts()
                self._shapes.append((chain, child))

    def _refuse_colours(self, root: Element) -> None:
        """Refuses colours that are none: Typst would go on with the colour around."""
        styles = [declarations(str(written)) for written in dict.fromkeys(root.xpath("//@style"))]
        for key in ("fill", "stroke", "color", "stop-color"):
            inside = {style[key]: f"{key}:{style[key][:60]}" for style in styles if key in style}
            for written in dict.fromkeys([*map(str, root.xpath(f"//@{key}")), *inside]):
                if not is_paint(written):
                    source = inside.get(written) or f'{key}="{written[:60]}"'
                    allowed = "#rrggbb, a name of CSS, var(--name) for a colour of the palette"
                    hint = closest(written, [*self.tools.palette, *css_names()])
                    self.report(svg.BadDrawing(f"{source} is no colour", written, allowed, hint, source=source), written)

    def _refuse_unknown(self, root: Element) -> None:
        """Refuses elements that SVG does not know, attributes that are nearly one or say what cannot be read, and references
        to nothing: all of these would be left out of the picture.
        """
        for node in root.iter(etree.Element):
            name = local(node)
            if name not in _USUAL and node.tag == tag(name) and name not in (known := _known_names()):
                hint = f"Write {_OF_HTML[name]}." if name in _OF_HTML else closest(name, known)
                fault = svg.BadDrawing(f"<{name}> is nothing that SVG draws", name, hint=hint, source=f"<{name}")
                self.report(fault, "")
            styled = declarations(node.get("style", ""))
            for key, written in (*node.items(), *styled.items()):
                if bad := attributes.wrong(name, key, written):
                    source = f"{key}:{written}" if styled.get(key) is written else f'{key}="{written}"'
                    self.report(svg.BadDrawing(f"<{name} {source[:60]}>: {bad[0]}", written, hint=bad[1], source=source), "")
            needed = next((key for key in attributes.NEEDED.get(name, ()) if key not in node.keys() | styled.keys()), "")
            for key in map(str, node.keys() if name != "foreignObject" else ()):
                if key in _USUAL_KEYS or key.startswith(("data-", "aria-")):
                    continue
                if key.isascii() and key not in _known_keys() and (hint := closest(key, _known_keys(), 0.7)):
                    needed = "" if needed in hint else needed
                    self.report(svg.BadDrawing(f"<{name} {key}=…> means nothing", key, hint=hint, source=f"{key}="), "")
            if needed:
                self.report(svg.BadDrawing(f"<{name}> has no {needed}: nothing of it is to be seen", source=f"<{name}"), "")
            for lost in sorted(set(svg.references_of(node)) - self._named.keys()):
                source = next(f'<{name} {key}="{value}"' for key, value in node.items() if f"#{lost}" in value)
                message = f'it refers to "#{lost}", and nothing in it has that id'
                self.report(svg.BadDrawing(message, lost, hint=closest(lost, self._named), source=source), "")

    def _refuse_stray(self, parent: Element) -> None:
        """Refuses words between the shapes, which no program shows: mostly braces are missing."""
        for words in (parent.text, *(child.tail for child in parent)):
            if words and (said := words.strip()):
                message = f'"{said[:60]}" stands between the shapes, where nothing is printed'
                hint = "Words stand in a text box; a value is written {{ … }}."
                self.report(svg.BadDrawing(message, said[:60], hint=hint, source=said.split("\n")[0]), "")

    def _must_cut(self, group: Element) -> bool:
        texts = any(True for _ in group.iter(tag("foreignObject")))
        whole = _whole(group)
        if whole is None:
            return texts or any(True for _ in group.iter(tag("image"), tag("text")))
        if texts:
            raise svg.BadDrawing(f"a text box stands in a group with {whole}; move it out of the group")
        return False

    def _text(self, element: Element, chain: tuple[Element, ...], matrix: Affine) -> None:
        self._count += 1
        if self._count > MOST_TEXTS:
            raise svg.BadDrawing(f"it has more than {MOST_TEXTS} texts")
        self._flush_shapes()
        self.steps.append((element, chain, matrix))
        if matrix != self._matrix:
            self._flush_texts()
            self._matrix = matrix
        piece: TextPiece
        try:
            if local(element) == "foreignObject":
                boxed = textbox.box(element, self.tools.language, self.tools.palette, self.tools.fonts, self.tools.art)
                self._icons.update(boxed.files)
                piece = boxed.box
                for remark in boxed.remarks:
                    remark.box = piece.name
                    self.report(remark, piece.source)
            else:
                around = (self.root, *chain)
                inherited = {key: value for node in around for key in INHERITED if (value := own(node, key))}
                piece = textbox.label(element, inherited, self.tools.fonts, self.tools.language)
        except svg.BadDrawing as fault:
            fault.box = element.get("data-name", "")
            self.report(fault, (element.text or "").strip())
        else:
            if piece.source:
                self._texts.append(piece)

    def _image(self, element: Element, matrix: Affine) -> None:
        try:
            drawing = self._drawing(element)
            place, fit = placed(element, drawing)
            drawing, fit = _seen(self.tools.art, drawing, place, fit, matrix)
            content = drawing.data
        except svg.BadDrawing as fault:
            self.report(fault, svg.href(element))
            return
        self._flush_shapes()
        self._flush_texts()
        self._add_image(drawing.file, fit, {drawing.file: content}, place, matrix)

    def _drawing(self, element: Element) -> Drawing:
        name = svg.href(element)
        if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:|/|\\", name) or ".." in re.split(r"[/\\]", name):
            known, stem = [*dict.fromkeys(self.tools.art.names())], re.split(r"[/\\]", name)[-1].partition(".")[0]
            hint = f'Write "{stem}".' if stem in known else closest(stem, known)
            hint = hint or "Save the picture in art/, and write its name there."
            raise svg.BadDrawing(
                f'the picture "{name[:60]}" is not a name in the game\'s folder art/', name, listed(known), hint
            )
        return self.tools.art.drawing(name, element.get("color", ""), element.get("fill", ""))

    def _flush_shapes(self) -> None:
        if not self._shapes:
            return
        root = etree.Element(tag("svg"), nsmap={None: SVG})
        root.attrib.update(self.root.attrib)
        for key in ("width", "height", "viewBox", "x", "y", "id", "version"):
            root.attrib.pop(key, None)
        root.set("viewBox", " ".join(f"{part:g}" for part in (self._box.x, self._box.y, self._box.width, self._box.height)))
        definitions = etree.SubElement(root, tag("defs"))
        last: tuple[Element, ...] = ()
        home = root
        for chain, element in self._shapes:
            if chain != last or home is root:
                home = root
                for group in chain:
                    home = etree.SubElement(home, group.tag, dict(group.attrib))
                last = chain
            home.append(copied(element))
        self._define(root, definitions)
        self._link_pictures(root)
        self._refuse_texts(root)
        mend(root)
        self._shapes = []
        text = svg.text_of(root)
        file = f"{digest(text)}.svg"
        files = {file: text.encode(), **self._pictures}
        self._pictures = {}
        self._add_image(file, "stretch", files, self._area, IDENTITY)

    def _define(self, root: Element, definitions: Element) -> None:
        """Copies in what the shapes refer to, and what that refers to, and nothing else."""
        if wanted := svg.needed(root, self._named):
            inside = {node.get("id") for node in root.iter(etree.Element)}
            for name, node in self._named.items():
                if name in wanted and name not in inside:
                    definitions.append(copied(node))
        if not len(definitions):
            root.remove(definitions)

    @cached_property
    def _named(self) -> dict[str, Element]:
        return {name: node for node in self.root.iter(etree.Element) if (name := node.get("id"))}

    def _link_pictures(self, root: Element) -> None:
        """Sets the pictures inside groups that are drawn as a whole: bitmaps are linked, drawings set in.

        Set in as they are, so that ids and styles of two drawings never meet.
        """
        for element in list(root.iter(tag("image"))):
            try:
                drawing = self._drawing(element)
                if element.get(MOVED):
                    place, _ = placed(element, drawing)
                    element.attrib.update({**_written(place), "preserveAspectRatio": "none"})
                    del element.attrib[MOVED]
                drawing = self._sized(element, drawing)
                content = drawing.data
            except svg.BadDrawing as fault:
                self.report(fault, svg.href(element))
                remove(element)
                continue
            element.attrib.pop(XLINK, None)
            if drawing.is_svg:
                element.set("href", f"data:image/svg+xml;base64,{base64.b64encode(content).decode()}")
            else:
                element.set("href", drawing.file)
                self._pictures[drawing.file] = content

    def _sized(self, element: Element, drawing: Drawing) -> Drawing:
        """The drawing of a picture in a group, which stays whole, because its element says how it is cut."""
        matrix: Affine | None = self._base
        for node in reversed([element, *element.iterancestors()][:-1]):
            # What stands in anything else is drawn elsewhere, or several times.
            matrix = matrix @ svg.transform(node) if matrix is not None and local(node) in ("g", "image") else None
        try:
            wide, high = (svg.number(element, key, 0.0) for key in ("width", "height"))
        except svg.BadDrawing:
            return drawing
        if matrix is None or min(wide, high) <= 0:
            return drawing
        aspect = element.get("preserveAspectRatio", "")
        if aspect != "none":
            scale = (max if "slice" in aspect else min)(wide / drawing.width, high / drawing.height)
            wide, high = drawing.width * scale, drawing.height * scale
        return self.tools.art.sized(drawing, *_shown(wide, high, matrix))

    def _refuse_texts(self, root: Element) -> None:
        """Refuses texts that only Typst's SVG renderer could set: it replaces fonts and drops glyphs silently."""
        for element in root.iter(tag("text"), tag("foreignObject")):
            words = " ".join("".join(str(part) for part in element.itertext()).split())
            self.report(
                svg.BadDrawing(
                    f'the <{local(element)}> "{words[:40]}" cannot be set where or as it is',
                    words,
                    "text boxes, and <text> of one line without <tspan> or style",
                    "Move it out of symbols and groups with opacity or clip-path, or turn it into outlines.",
                    rule="unsettable-text",
                ),
                words,
            )

    def _flush_texts(self) -> None:
        if not self._texts:
            return
        pieces, files, matrix = self._texts, self._icons, self._matrix
        self._texts, self._icons = [], {}
        area = self.frame.outer
        if matrix != IDENTITY:
            boxes = [piece for piece in pieces if isinstance(piece, TextBox)]
            xs = [*(piece.x for piece in pieces), *(box.x + box.width for box in boxes)]
            ys = [*(piece.y for piece in pieces), *(box.y + box.height for box in boxes)]
            lines = [len(piece.source) * piece.size / PT_PER_MM for piece in pieces if isinstance(piece, TextLabel)]
            around = round(max([AROUND_TURNED, *lines]), 1)
            area = Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)).grown(*4 * [around])
        placed = tuple(replace(each, x=round(each.x - area.x, 6), y=round(each.y - area.y, 6)) for each in pieces)
        width, height = round(area.width, 6), round(area.height, 6)
        key = _key(data.texts(placed, width, height), sorted(files))
        layer = TextLayer(key, width, height, placed, files)
        self.layers.append(PlacedLayer(layer, matrix @ translation(area.x, area.y)))

    def _add_image(self, file: str, fit: Filling, files: Mapping[str, bytes], area: Rect, matrix: Affine) -> None:
        width, height = round(area.width, 6), round(area.height, 6)
        key = _key_of_image(file, fit, width, height, tuple(sorted(files)))
        placed = PlacedLayer(ImageLayer(key, width, height, file, fit, files), matrix @ translation(area.x, area.y))
        self.layers.append(placed)
        self.steps.append(placed)


_JSON = json.JSONEncoder(sort_keys=True, ensure_ascii=False)
_IMAGE_BOX = (("x", 0.0), ("y", 0.0), ("width", None), ("height", None))


def _key(drawn: data.Data, files: Iterable[str]) -> str:
    return digest(_JSON.encode(drawn), *files)


@lru_cache(4096, typed=True)
def _key_of_image(file: str, fit: Filling, width: float, height: float, files: tuple[str, ...]) -> str:
    return _key(data.drawing(file, fit, width, height), files)


def _inside(matrix: Affine, element: Element) -> Affine:
    """Maps the element's own coordinates, where ``matrix`` maps those around it."""
    own = svg.transform(element)
    return matrix @ own if own is not IDENTITY or matrix is not IDENTITY else IDENTITY


def _whole(element: Element) -> str | None:
    """The reason why a group is one picture that cannot be cut; empty where there is none."""
    return next((key for key in WHOLE if property_of(element, key) not in ("none", "1", "normal", "auto")), None)


@cache
def _known_names() -> list[str]:
    from svgwrite.data.full11 import elements

    return [*elements]


@cache
def _known_keys() -> set[str]:
    from svgwrite.data.full11 import attributes

    return {*attributes, *_USUAL_KEYS, "mix-blend-mode", "isolation", "paint-order", "transform-origin", "vector-effect"}


def _alike(box: tuple[float, float, float, float], rect: Rect) -> bool:
    return all(abs(one - two) < 0.02 for one, two in zip(box, (rect.x, rect.y, rect.width, rect.height), strict=True))


def placed(element: Element, drawing: Drawing) -> tuple[Rect, Filling]:
    """Where an ``<image>`` goes, moved where its row says so, and how it fills that. Raises BadDrawing."""
    box = Rect(*(svg.number(element, key, default) for key, default in _IMAGE_BOX))
    if box.width <= 0 or box.height <= 0:
        raise svg.BadDrawing(f"a picture is {box.width:g} mm wide and {box.height:g} mm high: nothing of it is to be seen")
    place, fit = fitted(element, drawing, box)
    if not (moved := element.get(MOVED)):
        return place, fit
    if fit == "cover":
        scale = max(box.width / drawing.width, box.height / drawing.height)
        width, height = drawing.width * scale, drawing.height * scale
        place = Rect(box.x + (box.width - width) / 2, box.y + (box.height - height) / 2, width, height)
    x, y, zoom = map(float, moved.split())
    beyond = (zoom - 1) / 2
    x, y = place.x + x - beyond * place.width, place.y + y - beyond * place.height
    return Rect(x, y, place.width * zoom, place.height * zoom), "stretch"


def _seen(art: Art, drawing: Drawing, place: Rect, fit: Filling, matrix: Affine) -> tuple[Drawing, Filling]:
    """The part of a drawing that is seen in its place, and how it fits into that."""
    if fit == "stretch":
        return art.sized(drawing, *_shown(place.width, place.height, matrix)), fit
    scale = max(place.width / drawing.width, place.height / drawing.height)
    wide, high = drawing.width * scale, drawing.height * scale
    left, top = (1 - place.width / wide) / 2, (1 - place.height / high) / 2
    made = art.sized(drawing, *_shown(wide, high, matrix), (left, top, 1 - left, 1 - top))
    return made, fit if made is drawing else "stretch"


def _shown(width: float, height: float, matrix: Affine) -> tuple[float, float]:
    """How large something is once it is mapped, turned or not."""
    return width * hypot(matrix.a, matrix.b), height * hypot(matrix.c, matrix.d)


def _cuts(element: Element) -> bool:
    """Whether what of a picture leaves its box is not shown."""
    return "slice" in element.get("preserveAspectRatio", "") or element.get("overflow") == "hidden"


def _windowed(element: Element) -> Element:
    """A picture that is moved in a box which cuts it."""
    group, box = etree.Element(tag("g")), {key: element.get(key, "0") for key, _ in _IMAGE_BOX}
    name = f"window-{digest(*box.values())[:12]}"
    group.set("clip-path", f"url(#{name})")
    etree.SubElement(etree.SubElement(group, tag("clipPath"), {"id": name}), tag("rect"), box)
    group.append(shown := copied(element))
    if turned := shown.attrib.pop("transform", None):
        group.set("transform", turned)
    return group


def _written(place: Rect) -> dict[str, str]:
    return {key: f"{getattr(place, key):g}" for key, _ in _IMAGE_BOX}


def fitted(element: Element, drawing: Drawing, place: Rect) -> tuple[Rect, Filling]:
    """Where a picture's ink goes, and how it is fitted in, by SVG's preserveAspectRatio."""
    written = element.get("preserveAspectRatio", "xMidYMid meet").split() or [""]
    align, how = written[0], written[1] if len(written) > 1 else "meet"
    if align == "none":
        return place, "stretch"
    match = re.fullmatch(r"x(Min|Mid|Max)Y(Min|Mid|Max)", align)
    if match is None or how not in ("meet", "slice") or (how == "slice" and align != "xMidYMid"):
        raise svg.BadDrawing(
            f'preserveAspectRatio="{" ".join(written)}" is not known here: none, xMidYMid slice, or xMinYMin … xMaxYMax meet'
        )
    if how == "slice":
        return place, "cover"
    scale = min(place.width / drawing.width, place.height / drawing.height)
    width, height = drawing.width * scale, drawing.height * scale
    share = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
    return Rect(
        place.x + (place.width - width) * share[match[1]], place.y + (place.height - height) * share[match[2]], width, height
    ), "stretch"
