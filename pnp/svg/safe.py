"""SVG text → a tree that is safe to draw: no entities, no scripts, nothing from outside."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from lxml import etree

from pnp.shapes.affine import IDENTITY, Affine, rotation, scaling, translation
from pnp.svg.tree import PARSER, REFERENCE, SVG, XLINK, Element, local
from pnp.svg.xmlfaults import xml_fault
from pnp.values.problems import closest, listed
from pnp.values.walk import walk

MOST_ELEMENTS = 60_000
MOST_BYTES = 8_000_000
SMALLEST, LARGEST = 1e-6, 1e9
"""Sides of a drawing, in its units: beyond these, areas and scales are no longer numbers."""

NUMBER = r"[-+]?(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?\d++)?+"
"""The pattern of a number in an attribute; each is found in one way only, or a long one would take very long."""

_VARIABLE = re.compile(r"var\(\s*--([\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
_OUTSIDE = re.compile(r"url\((?!\s*+['\"]?+\s*+#)|@import", re.IGNORECASE)
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\w+);)")
_NUMBERS = re.compile(rf"\s*+(?:{NUMBER}(?:\s*+,)?+\s*+)*+")
_TRANSFORM = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*+\(([^()]*+)\)\s*+,?\s*+")


class BadDrawing(Exception):
    """A drawing that cannot be used; the text says why, to a person."""

    rule = "bad-drawing"
    value = allowed = hint = ""
    file: Path | None = None
    """The file at fault, where it is not the template; ``line`` counts in it."""
    line: int | None = None
    source = ""
    """The faulty line of a drawing that a template makes, to find it in the template."""
    names_lines = False
    """The reason names lines of the drawing."""
    box = ""
    """The name of the text box at fault, if it has one."""


def coloured(text: str, palette: Mapping[str, str]) -> str:
    """CSS variables replaced: ``var(--sea, #3f7f8c)`` is the palette's sea, else its own fallback.

    Raises BadDrawing for a name that the palette has not and that has no fallback.
    """

    def colour(match: re.Match[str]) -> str:
        found = palette.get(match[1]) or coloured((match[2] or "").strip(), palette)
        if not found:
            fault = BadDrawing(f'the colour "--{match[1]}" is not in the palette and has no fallback')
            fault.value, fault.allowed, fault.hint = f"--{match[1]}", listed(palette, 30), closest(match[1], palette)
            raise fault
        return found

    return _VARIABLE.sub(colour, text)


def colour_in(root: Element, palette: Mapping[str, str]) -> None:
    """Replace the CSS variables of a drawing; words on it may say ``var(--sea)`` as they like. Raises BadDrawing."""
    for node in root.iter(etree.Element):
        if node.text and local(node) == "style":
            node.text = coloured(node.text, palette)
        for key, value in () if _plain(node) else node.items():
            if "var(" in value:
                node.set(key, coloured(value, palette))


def varies(text: str) -> bool:
    """Whether a drawing of this source may have CSS variables: as they are written, or with names for their letters."""
    return "var(" in text or "&#" in text or "<?" in text or "<!" in text


def parse(text: str) -> Element:
    """The root of a drawing. Raises BadDrawing with the reason when it is broken or unsafe."""
    if len(text) > MOST_BYTES:
        raise BadDrawing(f"it is larger than {MOST_BYTES // 1_000_000} MB")
    try:
        root = etree.fromstring(text.encode(), PARSER)
    except etree.XMLSyntaxError as error:
        reason = re.sub(r", line \d+, column \d+$|, see \w+\..*", "", error.msg or "it is empty")
        fault = BadDrawing(f"it is not well-formed XML: {reason}")
        fault.line = error.lineno
        if "<!ENTITY" in text:
            fault = BadDrawing(f"it declares entities (<!ENTITY …>), and they cannot be read: {reason}")
            fault.line = text.count("\n", 0, text.index("<!ENTITY")) + 1
        fault.names_lines = " line " in reason  # libxml's: "Opening and ending tag mismatch: g line 3 and svg"
        if "<!ENTITY" not in text and (told := xml_fault(reason, error.lineno or 1, text)):
            fault = BadDrawing(told.message)
            fault.line, fault.source, fault.value, fault.hint = told.line, told.source, told.value, told.hint
        raise fault from None
    except ValueError as error:
        raise BadDrawing(f"it is not well-formed XML: {error}") from None
    if local(root) != "svg" or etree.QName(root).namespace != SVG:
        raise BadDrawing(f'its root is <{local(root)}>, not <svg xmlns="{SVG}">')
    for count, node in enumerate(root.iter()):
        if isinstance(node, etree._Entity):
            raise BadDrawing(f"it uses the entity {node.text}, and entities are not read")
        if count > MOST_ELEMENTS:
            raise BadDrawing(f"it has more than {MOST_ELEMENTS} elements")
        try:
            _refuse_outside(node)
        except BadDrawing as fault:
            fault.line = node.sourceline
            raise
    # In attributes they come as their text, which would be written out as a name that nobody knows.
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and any(True for _ in dtd.iterentities()) and _ENTITY.search(text_of(root)):
        raise BadDrawing("it uses entities of its own, and entities are not read")
    return root


def _refuse_outside(element: Element) -> None:
    name = local(element)
    if not name:
        return
    if name == "script":
        raise BadDrawing("it has a <script>, and scripts are not run")
    if name == "style" and _OUTSIDE.search("".join(map(str, element.itertext()))):
        raise BadDrawing("its <style> fetches something from outside")
    if _plain(element):
        return
    for key, value in element.items():
        if _OUTSIDE.search(value):
            raise BadDrawing(f'{key}="{value[:60]}" reaches outside the drawing')
        if key in ("href", XLINK) and name != "image" and not value.startswith("#"):
            raise BadDrawing(f'<{name} href="{value[:60]}"> reaches outside the drawing')


def _plain(element: Element) -> bool:
    """Whether the attributes of an element neither call nor refer to anything: most do not, and need no closer look."""
    values = " ".join(element.values())
    return "(" not in values and "@" not in values and element.get("href") is None and element.get(XLINK) is None


def href(element: Element) -> str:
    return element.get("href") or element.get(XLINK) or ""


def number(element: Element, name: str, default: float | None = None) -> float:
    """A length attribute in user units. Raises BadDrawing when it is missing or has a unit."""
    written = element.get(name)
    try:
        value = float(written or "")
    except ValueError:
        value = math.nan
    return value if math.isfinite(value) else length(local(element), name, written, default)


def length(what: str, name: str, written: str | None, default: float | None = None) -> float:
    """A length as written in an attribute of an element of this name. Raises BadDrawing."""
    if written is None:
        if default is not None:
            return default
        raise BadDrawing(f"<{what}> has no {name}")
    try:
        value = float(written)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadDrawing(f'<{what} {name}="{written}">: that is not a plain number (of mm)')
    return value


def view_box(root: Element) -> tuple[float, float, float, float]:
    """The drawing's own coordinate box; from width and height when it has no viewBox."""
    written = root.get("viewBox")
    if written is None:
        sizes = [
            float(m[1]) if (m := re.match(r"\s*(\d+(?:\.\d*)?|\.\d+)", root.get(key, ""))) else 0.0
            for key in ("width", "height")
        ]
        box = (0.0, 0.0, *sizes)
    else:
        try:
            box = tuple(float(part) for part in written.replace(",", " ").split())
        except ValueError:
            box = ()
    if len(box) != 4 or not all(map(math.isfinite, box)) or not SMALLEST <= min(box[2:]) <= max(box[2:]) <= LARGEST:
        raise BadDrawing("it has neither a usable viewBox nor a width and height")
    return box[0], box[1], box[2], box[3]


def transform(element: Element) -> Affine:
    """The element's ``transform`` as one map. Raises BadDrawing when it cannot be read."""
    written = element.get("transform")
    return _map(written.strip()) if written else IDENTITY


@lru_cache
def _map(written: str) -> Affine:
    result, end = IDENTITY, 0
    for match in _TRANSFORM.finditer(written):
        if match.start() != end:
            break
        end = match.end()
        try:
            values = [float(part) for part in re.findall(NUMBER, match[2])] if _NUMBERS.fullmatch(match[2]) else []
            made, counts = _MAPS[match[1]]
            if len(values) not in counts or not all(map(math.isfinite, values)):
                raise ValueError
            result = result @ made(*values)
        except ValueError:
            raise BadDrawing(f'transform="{written}" cannot be read') from None
    if end != len(written):
        raise BadDrawing(f'transform="{written}" cannot be read')
    return result


# What makes a map of the numbers in its brackets, and how many there may be.
_MAPS: dict[str, tuple[Callable[..., Affine], tuple[int, ...]]] = {
    "matrix": (Affine, (6,)),
    "translate": (lambda x, y=0.0: translation(x, y), (1, 2)),
    "scale": (lambda x, y=None: scaling(x, x if y is None else y), (1, 2)),
    "rotate": (rotation, (1, 3)),
    "skewX": (lambda angle: Affine(c=math.tan(math.radians(angle))), (1,)),
    "skewY": (lambda angle: Affine(b=math.tan(math.radians(angle))), (1,)),
}


def references(element: Element) -> Iterator[str]:
    """Ids that an element and its descendants refer to."""
    for node in element.iter():
        name = local(node)
        if name == "style":
            yield from REFERENCE.findall(node.text or "")
        if name and not _plain(node):
            for key, value in node.items():
                if key in ("href", XLINK) and value.startswith("#"):
                    yield value[1:]
                elif "url(" in value:
                    yield from REFERENCE.findall(value)


def needed(root: Element, named: Mapping[str, Element]) -> set[str]:
    """Ids that an element and its descendants refer to, and those that these refer to, and so on; of the named ones."""
    found = walk(references(root), lambda name: references(named[name]) if name in named else ())
    return {name for name, _ in found if name in named}


def text_of(root: Element) -> str:
    """The tree as text, the same for the same tree."""
    etree.cleanup_namespaces(root)
    return etree.tostring(root, encoding="unicode", with_tail=False)
