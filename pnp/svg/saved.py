"""SVG files as programs save them → text that the reader of drawings takes.

Illustrator names its namespaces by entities, web pages leave them out, Windows programs write UTF-16, and a .svgz is
packed. What such a file means is certain, so it is taken without a word. What is not certain stays as it is written, and
the reader refuses it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

from pnp.svg.safe import MOST_BYTES, BadDrawing
from pnp.svg.tree import SVG

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
    """A drawing's text, unpacked, decoded, its namespaces named. Raises BadDrawing."""
    return _with_namespaces(_without_entities(_decoded(_unpacked(data))))


def _unpacked(data: bytes) -> bytes:
    """A .svgz is a packed .svg, whatever it is called; one that would grow beyond what is read is not unpacked."""
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
    """By the byte order mark, else by what the file says of itself, else UTF-8."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    if not encoding:
        named = _DECLARED.match(data)
        encoding = named[1].decode() if named and _ENCODINGS.fullmatch(named[1].decode()) else "utf-8"
    try:
        # The reader is given UTF-8, whatever the declaration says.
        return _SAID.sub(r"\1", data.decode(encoding), count=1)
    except UnicodeDecodeError as error:
        plain = encoding.lower() in ("utf-8", "utf8", "utf-8-sig")
        fault = BadDrawing("it is not UTF-8 text" if plain else f"it is not the {encoding} text that it says it is")
        fault.line = data.count(b"\n", 0, error.start) + 1
        raise fault from None
    except LookupError:
        raise BadDrawing(f'it says that it is written in "{encoding}", which cannot be read. Save it as UTF-8') from None


def _without_entities(text: str) -> str:
    """The names of namespaces in place of the entities that stand for them; every other entity stays, and is refused."""
    start, end = _subset(text)
    if start == end:
        return text
    named = {}
    for found in _ENTITY.finditer(text, start, end):
        value = found[2] if found[2] is not None else found[3]
        # The first declaration of a name is the one that counts.
        if found[1] not in named:
            named[found[1]] = value if _NAMESPACE.fullmatch(value) else ""
    uses = [found[1] for found in _USE.finditer(text, end)]
    if not any(named.get(name) for name in uses):
        return text
    if len(text) + sum(len(named.get(name, "")) for name in uses) > MOST_BYTES:
        raise BadDrawing(f"it is larger than {MOST_BYTES // 1_000_000} MB")
    # What is declared goes with its use: the reader looks at what is left.
    declared = _ENTITY.sub(lambda found: "\n" * found[0].count("\n") if named[found[1]] else found[0], text[start:end])
    drawn = _USE.sub(lambda found: named.get(found[1]) or found[0], text[end:])
    return text[:start] + declared + drawn


def _subset(text: str) -> tuple[int, int]:
    """Where the declarations stand that a document type brings along; an empty span where there are none."""
    start = next((here for here in _prolog(text) if text.startswith("<!DOCTYPE", here)), -1)
    opened, closed = text.find("[", start), text.find(">", start)
    if start < 0 or opened < 0 or closed < opened:
        return 0, 0
    end = text.find("]", opened)
    return (opened + 1, end) if end > 0 else (0, 0)


def _with_namespaces(text: str) -> str:
    """The root says what its names mean, where it left out what everybody knows."""
    root = _root(text)
    if root is None:
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


def _root(text: str) -> re.Match[str] | None:
    """The start tag of the drawing, if what stands before it can be told apart."""
    *_, last = (-1, *_prolog(text))
    found = _TAG.match(text, last) if last >= 0 else None
    return found if found and found[1].rpartition(":")[2] == "svg" else None


def _prolog(text: str) -> Iterator[int]:
    """Where the things begin that stand before the root, comments and declarations, and at last the root itself."""
    here = text.find("<")
    while here >= 0:
        yield here
        if text.startswith("<?", here):
            end = text.find("?>", here)
        elif text.startswith("<!--", here):
            end = text.find("-->", here)
        elif text.startswith("<!", here):
            opened, end = text.find("[", here), text.find(">", here)
            if 0 <= opened < end:
                end = text.find(">", text.find("]", opened))
        else:
            return
        here = text.find("<", end) if end >= 0 else -1
