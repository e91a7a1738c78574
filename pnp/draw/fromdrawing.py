"""A drawing of a card → a template: its texts become text boxes, and what is left of it a drawing in art/."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from lxml import etree

from pnp.draw.glyphs import Typefaces
from pnp.draw.lettering import Lettering
from pnp.draw.textplaces import TextPlace, TextPlaces
from pnp.sandbox.markup import literally, look_of
from pnp.shapes.affine import Affine, Rect, scaling, translation
from pnp.shapes.colour import named
from pnp.shapes.units import PT_PER_MM
from pnp.svg import safe as svg
from pnp.svg.bounds import SHAPES, UNDRAWN, Bounds
from pnp.svg.labels import PLACE, called, column
from pnp.svg.pages import PageSize
from pnp.svg.styles import Styles
from pnp.svg.tree import XLINK, Element, local, tag

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
    styles, lettering = Styles.of(root), Lettering(root, faces)
    places = TextPlaces(root, faces, matrix, page.width)
    taken: list[Element] = []
    covered: list[tuple[str, Element, Rect]] = []
    for text in [node for node in root.iter(tag("text"), tag("flowRoot")) if not _undrawn(node, styles)]:
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
            made.notes.append(f'the text "{words[:40]}" is left behind: {fault}')
            continue
        label = columns[0] if columns else column(words)[:20]
        made.notes += [f'"{label or words[:40]}": {note}' for note in place.notes]
        if not place.turn:
            covered.append((label or words[:40], text, place.drawn))
        boxes.append((shown, place, _unique(label, [name for _, _, name in boxes], made.notes)))
        made.columns += [each for each in columns if each not in made.columns]
        taken.append(text)
    _above(root, covered, matrix, made.notes)
    for text in taken:
        parent = text.getparent()
        if parent is not None:
            parent.remove(text)
    made.drawing = f"{svg.text_of(root)}\n".encode()
    made.template = _template(page, name, boxes)
    return made


def _plain(text: Element) -> bool:
    """Whether a text has no parts but lines and words."""
    return local(text) == "flowRoot" or all(local(node) in _WORDS for node in text.iter())


def _undrawn(element: Element, styles: Styles) -> bool:
    """Whether something is a definition, or in a layer that is switched off."""
    around = (element, *element.iterancestors())
    return any(local(node) in UNDRAWN or styles.own(node).get("display") == "none" for node in around)


def _unique(label: str, taken: list[str], notes: list[str]) -> str:
    """A name for a box that no other has."""
    if not label or label not in taken:
        return label
    number = next(number for number in count(2) if f"{label}-{number}" not in taken)
    notes.append(f'there is a text box "{label}" already: this one is called "{label}-{number}"')
    return f"{label}-{number}"


def _shown(text: Element, words: str, notes: list[str]) -> tuple[str, list[str]]:
    """What a text box says, as a template writes it, and the columns that it asks for."""
    parts, columns, here = [], [], 0
    for found in PLACE.finditer(words):
        if found[0][0] == "{" and found[2] and _LOOKED.search(words, 0, found.start()) and look_of(found[2], _css):
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


def _css(word: str) -> str | None:
    return named(word, {})


def _quoted(words: str) -> str:
    """Words as a string of a template, which means no markup."""
    if not words:
        return ""
    return '"' + literally(words).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _outlined(text: Element, lettering: Lettering) -> bool:
    """Whether a text can stay in the drawing, where it becomes outlines."""
    try:
        lettering.check(text)
    except svg.BadDrawing:
        return False
    return local(text) == "text"


def _embed(root: Element, linked: Callable[[str], bytes | None], notes: list[str]) -> None:
    """Pictures beside the file come along in the drawing; those that are elsewhere are left behind."""
    for image in list(root.iter(tag("image"))):
        name = svg.href(image)
        if name.startswith("data:") or not name:
            continue
        data = linked(name)
        for key in ("href", XLINK):
            image.attrib.pop(key, None)
        if data is None:
            notes.append(f'the picture "{name[:60]}" is left behind: its file is not beside the drawing')
            parent = image.getparent()
            if parent is not None:
                parent.remove(image)
        else:
            kind = "png" if data.startswith(b"\x89PNG") else "jpeg" if data.startswith(b"\xff\xd8") else "svg+xml"
            image.set("href", f"data:image/{kind};base64,{base64.b64encode(data).decode()}")


def _above(root: Element, texts: list[tuple[str, Element, Rect]], page: Affine, notes: list[str]) -> None:
    """Say which texts had something drawn over them: they stand above the whole drawing now."""
    bounds = Bounds(root, Styles.of(root))
    order = {node: number for number, node in enumerate(root.iter(etree.Element))}
    taken = {text for _, text, _ in texts}
    shapes = []
    for node in root.iter(*map(tag, (*SHAPES, "use", "image"))):
        if taken.isdisjoint(node.iterancestors()) and not _undrawn(node, bounds.styles):
            matrix = page
            for group in reversed([*node.iterancestors()]):
                matrix = matrix @ svg.transform(group)
            if (box := bounds.box(node, matrix)) is not None:
                shapes.append((order[node], box))
    for label, text, box in texts:
        if any(after > order[text] and _meet(box, shape) for after, shape in shapes):
            notes.append(f'"{label}": something was drawn over it, which lies under it now')


def _meet(one: Rect, two: Rect) -> bool:
    return one.x < two.right and two.x < one.right and one.y < two.bottom and two.y < one.bottom


def _template(page: PageSize, name: str, boxes: list[tuple[str, TextPlace, str]]) -> str:
    """The template's text; what is in it comes out as it is, whatever a drawing's words are."""
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
    for shown, text, label in boxes:
        lines.append(_box(shown, text, label))
    return "\n".join([*lines, "{% endblock %}", ""])


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
