"""Reads SVG files as programs save them: decodes, unpacks, names namespaces, and finds their size on paper."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping

from pnp.dataclass import dataclass
from pnp.shapes.units import PX_PER, show
from pnp.svg.safe import MOST_BYTES, BadDrawing, view_box
from pnp.svg.tree import SVG, Element

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
_ENTITY = re.compile(r"""<!ENTITY\s+([A-Za-z_][\w.-]{0,60})\s+(?:"([^"]*)"|'([^']*)')\s*>""")
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
    for found in _ENTITY.finditer(text, start, end):
        value = found[2] if found[2] is not None else found[3]
        # The first declaration of a name is the one that counts.
        named.setdefault(found[1], value if _NAMESPACE.fullmatch(value) else "")
    uses = [name for found in _USE.finditer(text, end) if (name := named.get(found[1]))]
    if not uses:
        return text
    if len(text) + sum(map(len, uses)) > MOST_BYTES:
        raise BadDrawing(f"it is larger than {MOST_BYTES // 1_000_000} MB")
    # What is declared goes with its use: the reader looks at what is left.
    declared = _ENTITY.sub(lambda found: "\n" * found[0].count("\n") if named[found[1]] else found[0], text[start:end])
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
