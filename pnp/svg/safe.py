"""Reads SVG files as programs save them, and parses them into a tree that is safe to draw.

Decodes and unpacks them, names their namespaces, finds their size on paper; no entities, no scripts, nothing from outside.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from lxml import etree

from pnp.dataclass import dataclass
from pnp.shapes.affine import IDENTITY, Affine, rotation, scaling, translation
from pnp.shapes.units import PX_PER, show
from pnp.svg.tree import PARSER, REFERENCE, SVG, XLINK, Element, local
from pnp.values.problems import Fault, closest, listed
from pnp.values.walk import walk

_GZIP = b"\x1f\x8b"
# Byte order marks, the longer ones first: that of UTF-32 begins like that of UTF-16.
_MARKS = (
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_DECLARED = re.compile(rb"""\A<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_SAID = re.compile(r"""\A(<\?xml[^>]{0,200}?)\s+encoding\s*=\s*["'][^"'>]*["']""")
# Encodings that an XML declaration may name. Others are Python's own and mean something else, such as rot13.
_ENCODINGS = re.compile(r"utf-?8|us-ascii|ascii|iso-?8859-\d{1,2}|latin-?1|windows-125\d|cp125\d|koi8-[ru]|macintosh", re.I)
# What an entity may stand for: the name of a namespace, and nothing that is markup or that grows.
_NAMED = re.compile(r"""<!ENTITY\s+([A-Za-z_][\w.-]{0,60})\s+(?:"([^"]*)"|'([^']*)')\s*>""")
_NAMESPACE = re.compile(r"(?:https?://|urn:)[\w:/.#?=~+-]{0,200}")
_USE = re.compile(r"&([A-Za-z_][\w.-]{0,60});")
_TAG = re.compile(r"""<([A-Za-z_][\w.:-]*)((?:\s+[^\s=>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*+)\s*/?>""")
# What stands before the root: a declaration, comments, a document type and what that declares.
_PROLOG = re.compile(
    r"[^<]*+(?:<\?(?s:.*?)\?>[^<]*+|<!--(?s:.*?)-->[^<]*+|<![A-Z][^\[>]*+(?:\[(?P<subset>[^\]]*+)\][^>]*+)?>[^<]*+)*+"
)
# Prefixes that programs use without saying what they stand for, once a part of their file is copied into another.
KNOWN = {
    "svg": SVG,
    "xlink": "http://www.w3.org/1999/xlink",
    "inkscape": "http://www.inkscape.org/namespaces/inkscape",
    "sodipodi": "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "cc": "http://creativecommons.org/ns#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "i": "http://ns.adobe.com/AdobeIllustrator/10.0/",
    "x": "http://ns.adobe.com/Extensibility/1.0/",
    "graph": "http://ns.adobe.com/Graphs/1.0/",
    "a": "http://ns.adobe.com/AdobeSVGViewerExtensions/3.0/",
    "serif": "http://www.serif.com/",
    "sketch": "http://www.bohemiancoding.com/sketch/ns",
    "figma": "http://www.figma.com/figma/ns",
    "bx": "https://boxy-svg.com",
    "vectornator": "http://vectornator.io",
}


def text_of_file(data: bytes) -> str:
    """Unpacks and decodes a drawing, and names its namespaces. Raises BadDrawing."""
    return _with_namespaces(_without_entities(_decoded(_unpacked(data))))


def _unpacked(data: bytes) -> bytes:
    """Unpacks .svgz whatever it is called, up to the limit for drawings."""
    if not data.startswith(_GZIP):
        return data
    packed = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        unpacked = packed.decompress(data, MOST_BYTES + 1)
    except zlib.error:
        raise BadDrawing("it is packed (.svgz), and cannot be unpacked") from None
    if len(unpacked) > MOST_BYTES:
        raise BadDrawing(f"it is larger than {MOST_BYTES // 1_000_000} MB once it is unpacked")
    if not packed.eof:
        raise BadDrawing("it is packed (.svgz), and ends before its end")
    return unpacked


def _decoded(data: bytes) -> str:
    """Decodes by byte order mark, else by the XML declaration, else as UTF-8."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    if not encoding:
        named = _DECLARED.match(data)
        encoding = named[1].decode() if named and _ENCODINGS.fullmatch(named[1].decode()) else "utf-8"
    try:
        # The reader is given UTF-8, whatever the declaration says.
        return _SAID.sub(r"\1", data.decode(encoding), count=1)
    except UnicodeDecodeError as error:
        plain = encoding.lower() in ("utf-8", "utf8", "utf-8-sig")
        message = "it is not UTF-8 text" if plain else f"it is not the {encoding} text that it says it is"
        raise BadDrawing(message, line=data.count(b"\n", 0, error.start) + 1) from None
    except LookupError:
        raise BadDrawing(f'it says that it is written in "{encoding}", which cannot be read. Save it as UTF-8') from None


def _without_entities(text: str) -> str:
    """Replaces entities that stand for namespaces; others stay, and are refused later."""
    prolog = _PROLOG.match(text)
    if not prolog or not prolog["subset"]:
        return text
    start, end = prolog.span("subset")
    named: dict[str, str] = {}
    for found in _NAMED.finditer(text, start, end):
        value = found[2] if found[2] is not None else found[3]
        # The first declaration of a name is the one that counts.
        named.setdefault(found[1], value if _NAMESPACE.fullmatch(value) else "")
    uses = [name for found in _USE.finditer(text, end) if (name := named.get(found[1]))]
    if not uses:
        return text
    if len(text) + sum(map(len, uses)) > MOST_BYTES:
        raise BadDrawing(f"it is larger than {MOST_BYTES // 1_000_000} MB")
    # What is declared goes with its use: the reader looks at what is left.
    declared = _NAMED.sub(lambda found: "\n" * found[0].count("\n") if named[found[1]] else found[0], text[start:end])
    drawn = _USE.sub(lambda found: named.get(found[1]) or found[0], text[end:])
    return text[:start] + declared + drawn


def _with_namespaces(text: str) -> str:
    """Declares well-known namespaces that the root left out."""
    prolog = _PROLOG.match(text)
    root = _TAG.match(text, prolog.end()) if prolog else None
    if root is None or root[1].rpartition(":")[2] != "svg":
        return text
    name, attributes = root[1], root[2]
    declared = set(re.findall(r"\sxmlns(?::([\w.-]+))?\s*=", attributes))
    missing = "" if name != "svg" or "" in declared else f' xmlns="{SVG}"'
    # A prefix that is declared further in has its meaning from there.
    declared |= set(re.findall(r"\sxmlns:([\w.-]+)\s*=", text))
    # One that only words have does no harm: what is not used is not written again.
    used = [prefix for prefix in KNOWN if prefix not in declared and f"{prefix}:" in text]
    missing += "".join(f' xmlns:{prefix}="{KNOWN[prefix]}"' for prefix in used)
    after = root.start() + 1 + len(name)
    return text[:after] + missing + text[after:]


_LENGTH = re.compile(r"\s*+(\d{1,6}+(?:\.\d++)?)\s*+(mm|cm|in|pt|pc|px|)\s*+")
# Of a drawing in pixels: what programs take for an inch, and what is printed.
_DOTS = (300.0, 96.0, 72.0, 150.0, 600.0)
# Bleeds that printers ask for: 3 mm, and an eighth of an inch.
_BLEEDS = (0.0, 3.0, 3.175)
_NEAR = 0.2
"""A page may miss a size by so many mm: whole pixels, and inches that were rounded to mm."""
_SKEWED = 0.01


@dataclass(frozen=True, slots=True)
class PageSize:
    """The trim in mm as ``game.toml`` writes it, its bleed, and what it was found by."""

    name: str
    width: float
    height: float
    bleed: float
    why: str = ""


def page_size(root: Element, presets: Mapping[str, tuple[float, float]], asked: tuple[str, float, float] | None) -> PageSize:
    """The size of a drawing's page, or the one asked for. Raises BadDrawing where nothing says it."""
    _, _, across, down = view_box(root)
    if asked is not None:
        name, width, height = asked
        for bleed in _BLEEDS:
            if abs((width + 2 * bleed) / (height + 2 * bleed) / (across / down) - 1) <= _SKEWED:
                return PageSize(name, width, height, bleed)
        shape = f"{show(width)} × {show(height)} mm"
        raise BadDrawing(f"it is {across:g} × {down:g} units large, which is another shape than {shape}")
    sides = [_LENGTH.fullmatch(root.get(key) or "") for key in ("width", "height")]
    units = {side[2] for side in sides if side}
    if all(sides) and len(units) == 1 and units.isdisjoint(("", "px")):
        unit = PX_PER[units.pop()]
        width, height = (round(float(side[1]) * unit / PX_PER["mm"], 6) for side in sides if side)
        if abs(width / height / (across / down) - 1) > _SKEWED:
            raise BadDrawing("its page has another shape than its viewBox")
        return _known(width, height, presets) or PageSize(f"{show(width)}mm x {show(height)}mm", width, height, 0.0)
    pixels = [float(side[1]) for side in sides if side and side[2] in ("", "px")]
    width, height = pixels if len(pixels) == 2 else (across, down)
    for dots in _DOTS:
        if found := _known(width * 25.4 / dots, height * 25.4 / dots, presets):
            why = f"{width:g} × {height:g} pixels are {found.name} at {dots:g} dots per inch"
            return PageSize(found.name, found.width, found.height, found.bleed, why)
    raise BadDrawing(f"its page is {width:g} × {height:g} pixels, and nothing says how large they are. Name it with --size")


def _known(width: float, height: float, presets: Mapping[str, tuple[float, float]]) -> PageSize | None:
    """The preset of this size, with or without bleed; one on its side is given by its lengths."""
    for bleed in _BLEEDS:
        near = []
        for name, (across, down) in presets.items():
            for shown, one, two in ((name, across, down), (f"{show(down)}mm x {show(across)}mm", down, across)):
                off = max(abs(width - 2 * bleed - one), abs(height - 2 * bleed - two))
                if off <= _NEAR:
                    near.append((off, shown != name, shown, one, two))
        if near:
            _, _, shown, one, two = min(near)
            why = f"its page is {show(width)} × {show(height)} mm: {shown} with {show(bleed)} mm bleed" if bleed else ""
            return PageSize(shown, one, two, bleed, why)
    return None


MOST_ELEMENTS = 60_000
MOST_BYTES = 8_000_000
SMALLEST, LARGEST = 1e-6, 1e9
"""Sides of a drawing, in its units: beyond these, areas and scales are no longer numbers."""

NUMBER = r"[-+]?(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?\d++)?+"
EM = {"em": 16.0, "ex": 8.0}
WITH_UNIT = re.compile(rf"\s*+({NUMBER})\s*+([a-zA-Z%]*+)\s*+")
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

    def fault(message: str, value: str, hint: str = "", at: int = line) -> BadDrawing:
        return BadDrawing(message, value, hint=hint, line=at, source=lines[min(at, len(lines) - 1)].strip())

    lines = ["", *text.split("\n")]
    here = lines[min(line, len(lines) - 1)].strip()
    if "EntityRef" in reason and (found := _BARE_AND.search(here)):
        around = here[max(0, found.start() - 12) : found.end() + 12].strip()
        return fault('a "&" stands by itself', around, "Write &amp; in the drawing, or {{ row.… }} for a cell's text.")
    if found := _UNCLOSED.search(reason):
        before = f" before </{found[3]}>" if found[3] else ""
        begun = min(int(found[2]), len(lines) - 1)
        return fault(f"<{found[1]}> is not closed{before}", f"<{found[1]}>", f"Write </{found[1]}> at its end.", begun)
    if found := _CURLY.search(here):
        return fault(f"there is a curly quotation mark, {found[1]}", found[1], "Type straight ones.")
    if "AttValue" in reason:
        return fault("a value has no quotation marks", here[:60], 'Write name="value".')
    if "StartTag: invalid element name" in reason:
        return fault('a "<" stands by itself', "<", "Write &lt; for the sign.")
    if "Extra content at the end" in reason:
        hint = 'A template begins with {% extends "shared/face.svg.j2" %}, a drawing with one <svg>.'
        return fault("it goes on after its first element has ended", here[:60], hint)
    if "Document is empty" in reason or "Start tag expected" in reason:
        begins = text.strip()[:30]
        return BadDrawing(f"it begins with {begins!r}, and not with <svg" if begins else "it is empty", begins, line=1)
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
    return length(local(element), name, element.get(name), default)


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


def pixels(written: str, whole: float) -> float | None:
    """A length in CSS pixels, a percentage of ``whole``. None for what is no length."""
    match = WITH_UNIT.fullmatch(written)
    if not match:
        return None
    unit = match[2].lower()
    factor = whole / 100 if unit == "%" else (PX_PER | EM).get(unit)
    value = float(match[1]) * factor if factor is not None else math.nan
    return value if SMALLEST <= value <= LARGEST else None


def picture_size(path: Path) -> tuple[float, float]:
    """Width and height of a picture file, upright, in dots or units of its own. Raises BadDrawing, OSError, ValueError."""
    if path.suffix.lower() not in (".svg", ".svgz"):
        from PIL import ExifTags, Image

        try:
            with Image.open(path) as image:
                # From 5 on a camera lay on its side.
                lies = image.getexif().get(ExifTags.Base.Orientation, 1) >= 5
                return (image.height, image.width) if lies else image.size
        except Image.DecompressionBombError as error:
            raise BadDrawing(f"it has too many pixels ({error})") from None
    return view_box(parse(text_of_file(path.read_bytes())))[2:]


def view_box(root: Element) -> tuple[float, float, float, float]:
    """The drawing's own coordinate box; from width and height when it has no viewBox."""
    written = root.get("viewBox")
    if written is None:
        box = (0.0, 0.0, *(pixels(root.get(key, ""), 0.0) or 0.0 for key in ("width", "height")))
    else:
        try:
            box = tuple(float(part) for part in written.replace(",", " ").split())
        except ValueError:
            box = ()
    if len(box) != 4 or not all(map(math.isfinite, box)) or not SMALLEST <= min(box[2:]) <= max(box[2:]) <= LARGEST:
        hint = 'Write the size of what is drawn into its <svg>, such as viewBox="0 0 100 100".'
        raise BadDrawing("it has neither a usable viewBox nor a width and height", hint=hint)
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
    for node in element.iter(etree.Element):
        yield from references_of(node)


def references_of(node: Element) -> Iterator[str]:
    """Ids that an element itself refers to."""
    if not _plain(node):
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
