"""A face's SVG → a stack of layers, cut where a text or a picture lies between the shapes.

What does not change from card to card comes out as the same layer, and is drawn and stored once.
"""

from __future__ import annotations

import base64
import copy
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from lxml import etree

from pnp.draw import data, textbox
from pnp.draw.art import Art, Drawing
from pnp.draw.fonts import Fonts
from pnp.draw.styling import BadText
from pnp.shapes.affine import IDENTITY, Affine, Rect, scaling, translation
from pnp.shapes.colour import css_names, is_paint
from pnp.shapes.units import PT_PER_MM
from pnp.svg import safe as svg
from pnp.svg.normal import mend
from pnp.svg.styles import declarations
from pnp.svg.tree import SVG, XLINK, Element, local, tag
from pnp.system.cache import digest
from pnp.values.faces import PlacedLayer
from pnp.values.layers import Filling, ImageLayer, TextBox, TextLabel, TextLayer, TextPiece
from pnp.values.problems import closest, listed

# A group with one of these is drawn as a whole, so it cannot be cut at a text inside.
WHOLE = ("opacity", "clip-path", "mask", "filter", "mix-blend-mode", "isolation")
DEFINITIONS = {
    "defs", "linearGradient", "radialGradient", "clipPath", "mask", "pattern", "symbol", "filter", "marker", "style",
}  # fmt: skip
SILENT = {"", "title", "desc", "metadata", "namedview"}
INHERITED = ("font-family", "font-size", "font-weight", "font-style", "fill", "text-anchor")
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
    """What a cutter needs to know of the game."""

    art: Art
    fonts: Fonts
    palette: Mapping[str, str]
    language: str


class Cutter:
    """Cuts one drawing. Faults of single texts and pictures are told to ``report`` and left out."""

    def __init__(self, frame: Frame, tools: Tools, report: Callable[[svg.BadDrawing, str], None]) -> None:
        self.frame, self.tools, self.report = frame, tools, report
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
        if svg.varies(text):
            svg.colour_in(root, self.tools.palette)
        self._refuse_colours(root)
        box = svg.view_box(root)
        outer = self.frame.outer
        trim = Rect(0, 0, self.frame.width, self.frame.height)
        self._root, self._box = root, Rect(*box)
        self._styles = list(root.iter(tag("style")))
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

    def _walk(self, parent: Element, chain: tuple[Element, ...], matrix: Affine) -> None:
        self._refuse_stray(parent)
        for child in parent:
            name = local(child)
            if name in SILENT or name in DEFINITIONS or _hidden(child):
                continue
            if name == "foreignObject" or (name == "text" and textbox.is_label(child)):
                self._text(child, chain, _inside(matrix, child))
            elif name == "image" and _whole(child) is None:
                self._image(child, _inside(matrix, child))
            elif name == "g" and self._must_cut(child):
                self._walk(child, (*chain, child), _inside(matrix, child))
            else:
                self._flush_texts()
                self._shapes.append((chain, child))

    def _refuse_colours(self, root: Element) -> None:
        """What is typed for a colour and is none: the engine would go on with the colour around it."""
        for key in ("fill", "stroke"):
            for written in dict.fromkeys(map(str, root.xpath(f"//@{key}"))):
                if not is_paint(written):
                    fault = svg.BadDrawing(f'{key}="{written[:60]}" is no colour')
                    fault.value, fault.source = written, f'{key}="{written[:60]}"'
                    fault.allowed = "#rrggbb, a name of CSS, var(--name) for a colour of the palette"
                    fault.hint = closest(written, [*self.tools.palette, *css_names()])
                    self.report(fault, written)

    def _refuse_stray(self, parent: Element) -> None:
        """Words between the shapes, which no program shows: mostly braces that are missing."""
        for words in (parent.text, *(child.tail for child in parent)):
            if words and (said := words.strip()):
                fault = svg.BadDrawing(f'"{said[:60]}" stands between the shapes, where nothing is printed')
                fault.value, fault.source = said[:60], said.split("\n")[0]
                fault.hint = "Words stand in a text box; a value is written {{ … }}."
                self.report(fault, "")

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
                around = (self._root, *chain)
                inherited = {
                    key: value for node in around for key, value in _style(node).items() if key in INHERITED and value
                }
                piece = textbox.label(element, inherited, self.tools.fonts)
        except svg.BadDrawing as fault:
            fault.box = element.get("data-name", "")
            self.report(fault, (element.text or "").strip())
        else:
            if piece.source:
                self._texts.append(piece)

    def _image(self, element: Element, matrix: Affine) -> None:
        try:
            drawing = self._drawing(element)
            place = Rect(*(svg.number(element, key, default) for key, default in _IMAGE_BOX))
            if place.width <= 0 or place.height <= 0:
                raise svg.BadDrawing(f"<image> is {place.width:g} × {place.height:g} mm")
            place, fit = fitted(element, drawing, place)
        except svg.BadDrawing as fault:
            self.report(fault, svg.href(element))
            return
        self._flush_shapes()
        self._flush_texts()
        self._add_image(drawing.file, fit, {drawing.file: drawing.data}, place, matrix)

    def _drawing(self, element: Element) -> Drawing:
        name = svg.href(element)
        if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:|/|\\", name) or ".." in re.split(r"[/\\]", name):
            fault = svg.BadDrawing(f'the picture "{name[:60]}" is not a name in the game\'s folder art/')
            known = self.tools.art.names()
            fault.value, fault.allowed = name, listed(known)
            meant = closest(re.split(r"[/\\]", name)[-1].partition(".")[0], known)
            fault.hint = meant or "Save the picture in art/, and write its name there."
            raise fault
        return self.tools.art.drawing(name, element.get("color", ""), element.get("fill", ""))

    def _flush_shapes(self) -> None:
        if not self._shapes:
            return
        root = etree.Element(tag("svg"), nsmap={None: SVG})
        for key, value in self._root.items():
            if key not in ("width", "height", "viewBox", "x", "y", "id", "version"):
                root.set(key, value)
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
            home.append(_copied(element))
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
        """Copy in what the shapes refer to, and what that refers to, and nothing else."""
        for style in self._styles:
            definitions.append(_copied(style))
        if wanted := svg.needed(root, self._named):
            inside = {node.get("id") for node in root.iter(etree.Element)}
            for name, node in self._named.items():
                if name in wanted and name not in inside:
                    definitions.append(_copied(node))
        if not len(definitions):
            root.remove(definitions)

    @cached_property
    def _named(self) -> dict[str, Element]:
        return {name: node for node in self._root.iter(etree.Element) if (name := node.get("id"))}

    def _link_pictures(self, root: Element) -> None:
        """Pictures inside groups that are drawn as a whole: bitmaps are linked, drawings set in.

        Set in as they are, so that ids and styles of two drawings never meet.
        """
        for element in list(root.iter(tag("image"))):
            try:
                drawing = self._drawing(element)
            except svg.BadDrawing as fault:
                self.report(fault, svg.href(element))
                if (parent := element.getparent()) is not None:
                    parent.remove(element)
                continue
            element.attrib.pop(XLINK, None)
            if drawing.is_svg:
                element.set("href", f"data:image/svg+xml;base64,{base64.b64encode(drawing.data).decode()}")
            else:
                element.set("href", drawing.file)
                self._pictures[drawing.file] = drawing.data

    def _refuse_texts(self, root: Element) -> None:
        """Name texts that only the drawing engine could set: it replaces fonts and drops glyphs without a word."""
        for element in root.iter(tag("text"), tag("foreignObject")):
            words = " ".join("".join(str(part) for part in element.itertext()).split())
            self.report(
                BadText(
                    f'the <{local(element)}> "{words[:40]}" cannot be set where or as it is',
                    "unsettable-text",
                    value=words,
                    allowed="text boxes, and <text> of one line without <tspan> or style",
                    hint="Move it out of symbols and groups with opacity or clip-path, or turn it into outlines.",
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
        layer = ImageLayer(key, width, height, file, fit, files)
        self.layers.append(PlacedLayer(layer, matrix @ translation(area.x, area.y)))


_JSON = json.JSONEncoder(sort_keys=True, ensure_ascii=False)
_IMAGE_BOX = (("x", 0.0), ("y", 0.0), ("width", None), ("height", None))


def _key(drawn: data.Data, files: Iterable[str]) -> str:
    return digest(_JSON.encode(drawn), *files)


@lru_cache(4096, typed=True)
def _key_of_image(file: str, fit: Filling, width: float, height: float, files: tuple[str, ...]) -> str:
    """The same pictures lie on all the cards of a deck."""
    return _key(data.drawing(file, fit, width, height), files)


def _style(element: Element) -> dict[str, str]:
    """Presentation of an element from its attributes and its ``style``."""
    style = element.get("style")
    return {**dict(element.items()), **declarations(style)} if style else dict(element.items())


def _hidden(element: Element) -> bool:
    style = element.get("style")
    declared = declarations(style).get("display") if style else None
    return (element.get("display") if declared is None else declared) == "none"


def _inside(matrix: Affine, element: Element) -> Affine:
    """What maps the element's own coordinates, where ``matrix`` maps those around it."""
    own = svg.transform(element)
    return matrix @ own if own is not IDENTITY or matrix is not IDENTITY else IDENTITY


def _whole(element: Element) -> str | None:
    """What makes a group one picture that cannot be cut, if anything does."""
    style = _style(element)
    return next((key for key in WHOLE if style.get(key, "none") not in ("none", "1", "normal", "auto")), None)


def _copied(element: Element) -> Element:
    twin = copy.deepcopy(element)
    twin.tail = None
    return twin


def _alike(box: tuple[float, float, float, float], rect: Rect) -> bool:
    return all(abs(one - two) < 0.02 for one, two in zip(box, (rect.x, rect.y, rect.width, rect.height), strict=True))


def fitted(element: Element, drawing: Drawing, place: Rect) -> tuple[Rect, Filling]:
    """Where a picture's ink goes, and how the book fits it in, by SVG's preserveAspectRatio."""
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
