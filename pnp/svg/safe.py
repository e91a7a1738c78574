"""Parses SVG into a tree that is safe to draw: no entities, no scripts, nothing from outside."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from lxml import etree

from pnp.shapes.affine import IDENTITY, Affine, rotation, scaling, translation
from pnp.svg.tree import PARSER, REFERENCE, SVG, XLINK, Element, local
from pnp.values.problems import Fault, closest, listed
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


_BARE_AND = re.compile(r"&(?!(?:\w+|#\d+|#x[0-9a-fA-F]+);)")
_CURLY = re.compile(r"=\s*([“”„‘’])")
_UNCLOSED = re.compile(r"(?:Opening and ending tag mismatch:|Premature end of data in tag) (\S+) line (\d+)(?: and (\S+))?")


class BadDrawing(Fault):
    """A drawing that cannot be used; the text says why, to a person."""

    rule = "bad-drawing"
    file: Path | None = None
    """The file at fault, where it is not the template; ``line`` counts in it."""
    names_lines = False
    """The reason names lines of the drawing."""
    box = ""
    """The name of the text box at fault, if it has one."""

    def __init__(
        self, message: str, value: str = "", allowed: str = "", hint: str = "", *, rule: str = "", line: int | None = None,
        source: str = "",
    ) -> None:  # fmt: skip
        """``source`` is the faulty line of a drawing that a template makes, to find it in the template."""
        super().__init__(message, value, allowed, hint)
        self.line, self.source = line, source
        self.rule = rule or self.rule


def fault_at(node: Element, reason: str, hint: str) -> BadDrawing:
    """A fault of an element, with its line."""
    return BadDrawing(reason, hint=hint, line=node.sourceline)


def coloured(text: str, palette: Mapping[str, str]) -> str:
    """Replaces CSS variables: ``var(--sea, #3f7f8c)`` is the palette's sea, else its own fallback.

    Raises BadDrawing for a name that the palette has not and that has no fallback.
    """

    def colour(match: re.Match[str]) -> str:
        found = palette.get(match[1]) or coloured((match[2] or "").strip(), palette)
        if not found:
            message = f'the colour "--{match[1]}" is not in the palette and has no fallback'
            raise BadDrawing(message, f"--{match[1]}", listed(palette, 30), closest(match[1], palette))
        return found

    return _VARIABLE.sub(colour, text)


def colour_in(root: Element, palette: Mapping[str, str]) -> None:
    """Replaces the CSS variables of a drawing, but not in its words. Raises BadDrawing."""
    for node in root.iter(etree.Element):
        for key, value in () if _plain(node) else node.items():
            if "var(" in value:
                node.set(key, coloured(value, palette))


def varies(text: str) -> bool:
    """Whether a source may have CSS variables, written plainly or with character references."""
    return "var(" in text or "&#" in text or "<?" in text or "<!" in text


def parse(text: str) -> Element:
    """Parses a drawing. Raises BadDrawing with the reason when it is broken or unsafe."""
    if len(text) > MOST_BYTES:
        raise BadDrawing(f"it is larger than {MOST_BYTES // 1_000_000} MB")
    try:
        root = etree.fromstring(text.encode(), PARSER)
    except etree.XMLSyntaxError as error:
        reason = re.sub(r", line \d+, column \d+$|, see \w+\..*", "", error.msg or "it is empty")
        if "<!ENTITY" in text:
            line = text.count("\n", 0, text.index("<!ENTITY")) + 1
            raise BadDrawing(f"it declares entities (<!ENTITY …>), and they cannot be read: {reason}", line=line) from None
        if told := _by_hand(reason, error.lineno or 1, text):
            raise told from None
        fault = BadDrawing(f"it is not well-formed XML: {reason}", line=error.lineno)
        fault.names_lines = " line " in reason  # libxml's: "Opening and ending tag mismatch: g line 3 and svg"
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


def _by_hand(reason: str, line: int, text: str) -> BadDrawing | None:
    """Translates libxml's messages on faults made by hand; None for any other."""

    def fault(message: str, line: int, source: str, value: str = "", hint: str = "") -> BadDrawing:
        return BadDrawing(message, value, hint=hint, line=line, source=source)

    lines = ["", *text.split("\n")]
    here = lines[min(line, len(lines) - 1)].strip()
    if "EntityRef" in reason and (found := _BARE_AND.search(here)):
        around = here[max(0, found.start() - 12) : found.end() + 12].strip()
        return fault(
            'a "&" stands by itself', line, here, around, "Write &amp; in the drawing, or {{ row.… }} for a cell's text."
        )
    if found := _UNCLOSED.search(reason):
        before = f" before </{found[3]}>" if found[3] else ""
        begun = min(int(found[2]), len(lines) - 1)
        hint = f"Write </{found[1]}> at its end."
        return fault(f"<{found[1]}> is not closed{before}", begun, lines[begun].strip(), f"<{found[1]}>", hint)
    if found := _CURLY.search(here):
        return fault(f"there is a curly quotation mark, {found[1]}", line, here, found[1], "Type straight ones.")
    if "AttValue" in reason:
        return fault("a value has no quotation marks", line, here, here[:60], 'Write name="value".')
    if "StartTag: invalid element name" in reason:
        return fault('a "<" stands by itself', line, here, "<", "Write &lt; for the sign.")
    if "Extra content at the end" in reason:
        hint = 'A template begins with {% extends "shared/face.svg.j2" %}, a drawing with one <svg>.'
        return fault("it goes on after its first element has ended", line, here, here[:60], hint)
    if "Document is empty" in reason or "Start tag expected" in reason:
        begins = text.strip()[:30]
        return fault(f"it begins with {begins!r}, and not with <svg" if begins else "it is empty", 1, "", begins)
    return None


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
        if name and not _plain(node):
            for key, value in node.items():
                if key in ("href", XLINK) and value.startswith("#"):
                    yield value[1:]
                elif "url(" in value:
                    yield from REFERENCE.findall(value)


def needed(root: Element, named: Mapping[str, Element]) -> set[str]:
    """Ids that an element and its descendants refer to, directly or through others; of the named ones."""
    found = walk(references(root), lambda name: references(named[name]) if name in named else ())
    return {name for name, _ in found if name in named}


def text_of(root: Element) -> str:
    """Serialises the tree, the same for the same tree."""
    etree.cleanup_namespaces(root)
    return etree.tostring(root, encoding="unicode", with_tail=False)
