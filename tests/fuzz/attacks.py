# ruff: noqa: E501
# fmt: off
"""Hostile inputs by kind: what lies in the pack of a stranger who means harm. Each is a payload in a place.

``OUTSIDE`` stands for a folder beside the project, whose files nobody may read; a :class:`Link` leads where it says.
"""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from conftest import TINY_GAME, TINY_TABLE, TINY_TEMPLATE


class Link(str):
    """A symbolic link to this."""


Files = Mapping[str, bytes | str | Link | None]
"""By name below the project; None takes one away that the plain game has."""


class Attack(NamedTuple):
    """One hostile input: the files that make it, and the command that meets them."""

    kind: str
    name: str
    files: Files
    command: tuple[str, ...]


OUTSIDE, SECRET = "@OUTSIDE@", "the-secret-word"
GAME, RULES, BOOK, TABLE = "content/tiny/game.toml", "content/tiny/rules.toml", "content/tiny/rulebook.md", "content/tiny/cards.csv"
CARDS, BOAT, UP = "templates/tiny/cards.svg.j2", "content/tiny/art/boat.svg", "../" * 4 + "outside/"
ICON = TINY_TEMPLATE.replace("{% endblock %}", '{{ s.icon("boat", 5, 20, 20) }}{% endblock %}')
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'
BOOKED = TINY_GAME + "[book.rulebook]\n"
CLAIM = '[claim.it]\nsays = "So."\nexpect = \'\'\'{}\'\'\'\n'
SHIP = f"{HEAD}<path d='M1 1h7v7z'/></svg>"
PLAIN: Files = {GAME: TINY_GAME, TABLE: TINY_TABLE, CARDS: TINY_TEMPLATE, BOAT: SHIP}
LOOKS = (("check",), ("build", "--paper", "a4"), ("check", "--grey"), ("preview", "tiny", "cards"), ("build", "--draft"),
    ("check", "--json"), ("build", "--cut", "svg"), ("build", "--faces", "svg"), ("build", "--low-ink"))
READS = (("check", "--no-draw"), ("list",), ("check", "--no-draw", "--json"), ("build", "--paper", "a4"), ("count",))
LONG = "{% for a in range(99999) %}{% for b in range(99999) %}X{% endfor %}{% endfor %}"
STEERS = ("\x1b]0;t\x07", "\x1b[2J\x1b[31m", "\x07\x07", "\u202eevil\u202c", "\u2066x\u2069", "\x9b31m", "a\rb", "\x08" * 9, "\x7f", "\x00", "\x1bP+q\x1b\\")
VAST = ("9" * 5000, "-" + "9" * 5000, "1e400", "1e308", "1e38", "-1e38", "1e-308", "0", "-1", "nan", "inf", "4294967296", "0.1" + "0" * 5000, "1" + "_1" * 2000)
AWAY = (f"{OUTSIDE}/secret.png", f"{UP}secret.png", f"file://{OUTSIDE}/secret.svg", "file:///etc/passwd", "http://127.0.0.1:9/x.png", "//127.0.0.1/x", "\\\\127.0.0.1\\x",
    "/dev/zero", "/proc/self/environ", "smb://127.0.0.1/x", f"boat.svg/../{UP}secret.svg", "C:\\x.png", "data:image/svg+xml;base64,PHN2Zy8+")


def templates() -> Iterator[tuple[str, Files]]:
    """Jinja in what draws, in what it takes in, and in pages that are not a game's to replace."""
    calls = ("''.__class__.__mro__[1].__subclasses__()", "cycler.__init__.__globals__.os.popen('id').read()", "''|attr('__class__')", "[''] | map(attribute='__class__') | list",
        "'{0.__class__}'.format(row)", "'%s' % row.__class__", "self.__init__.__globals__", "lipsum.__globals__", "joiner.__init__", "namespace.__mro__", "config", "request",
        "get_flashed_messages.__globals__", "row.__dict__", "face.__class__.__base__", "s.text.__globals__", "picture.__func__", "(picture | attr('calls'))", "loop", "caller()",
        "open('/etc/passwd').read()", "__import__('os')", "row | pprint", "'a' * 3000000000", "'a' | center(10 ** 9)", "range(10 ** 9) | list", "range(99999) | map('string') | join * 999",
        "[0] * 10 ** 9", "10 ** 10 ** 8", "9 ** 9 ** 9 ** 9", "'a' | indent(10 ** 9)", "('a' * 10 ** 6) | replace('a', 'a' * 10 ** 6)", "('a,' * 10 ** 6).split(',') | join('a' * 999)",
        "'%1000000000d' % 1", "'{:>1000000000}'.format(1)", "1.0 | round(10 ** 9)", "'a' | wordwrap(-1)", "('a' * 10 ** 5 ~ '!') | urlize", "('<' * 10 ** 6) | striptags",
        "range(99999) | batch(1) | slice(99999) | list", "[[]] | sum(start=[]) ", "dict(a=1) | dictsort(by='x')", "'\\ud800'", "'\\x1b[2J'", "'\\u202e'", "undefined.a.b.c", "row[row]", "[1] | random", "'" + "(" * 5000)
    tags = (LONG, "{% include '/etc/passwd' %}", "{% include ['" + UP + "secret.svg.j2'] %}", "{% import '../../outside/secret.svg.j2' as x %}{{ x }}", "{% extends '" + OUTSIDE + "/secret.svg.j2' %}",
        "{% include 'cards.svg.j2' %}", "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}", "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
        "{% for x in [1] recursive %}{{ loop([1, 1]) }}{% endfor %}", "{% set x = 'a' %}{% for i in range(99) %}{% set x = x ~ x %}{% endfor %}", "{% set ns = namespace(x='a') %}{% for i in range(99) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ ns.x }}",
        "{% set ns = namespace(x=[]) %}{% for i in range(9999) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}", "{% set ns = namespace(x=9) %}{% for i in range(99) %}{% set ns.x = ns.x * ns.x %}{% endfor %}{{ ns.x }}",
        "{% if 1 %}" * 2000 + "{% endif %}" * 2000, "{% for a in [1] %}" * 300 + "{% endfor %}" * 300, "{{ " + "[" * 3000 + "]" * 3000 + " }}", "{{ " + "not " * 9000 + "1 }}", "{{ " + "1+" * 20000 + "1 }}", "{{ a" + ".b" * 20000 + " }}",
        "{% block face %}{{ self.face() }}{% endblock %}", "{% call s.text() %}{% endcall %}", "{% filter upper %}" * 500, "{% raw %}", "{% autoescape false %}<script>{% endautoescape %}", "\x00", "\x1b]0;x\x07", "{#" * 9999, "{{ s.text('W ' * 99999, 1, 1, 9, 9) }}",
        "{{ s.text('a', 1, 1, 1e300, 1e-300) }}", "{{ s.icon('../../../../outside/secret', 1, 1, 9) }}", "{{ s.icon('" + OUTSIDE + "/secret', 1, 1, 9) }}", "{% for i in range(99999) %}{{ s.text('a', 1, 1, 9, 9) }}{% endfor %}", "{% for i in range(60000) %}<g>{% endfor %}")
    payloads = (*(f"{{{{ {each} }}}}" for each in calls), *tags)
    for number, payload in enumerate(payloads):
        yield f"face {number}", {CARDS: TINY_TEMPLATE.replace("{% block face %}", "{% block face %}" + payload)}
        if number % 3 == 0:
            yield f"taken in {number}", {CARDS: TINY_TEMPLATE + "{% include 'part.svg.j2' %}", "templates/tiny/part.svg.j2": payload}
        elif number % 3 == 1:
            page = ("report.html.j2", "book.html.j2", "plan.svg.j2", "face.svg.j2", "pieces.svg.j2")[number // 3 % 5]
            yield f"shared {page} {number}", {GAME: BOOKED, BOOK: "# Goal\n", f"{('templates/shared', 'content/tiny/templates/shared')[number % 2]}/{page}": payload}
        else:
            yield f"cell {number}", {TABLE: "name,text\nAnna,\"" + payload.replace('"', '""') + '"\n'}


def chains() -> Iterator[str]:
    """Elements that each need the one before, and those that need themselves."""
    inner = '<rect width="9" height="9" {}="url(#a{})"/>'
    links = {"clipPath": ("<clipPath id='a{0}' clip-path='url(#a{1})'><rect width='9' height='9'/></clipPath>", inner.format("clip-path", "{}")),
        "mask": ("<mask id='a{0}' mask='url(#a{1})'><rect width='9' height='9' fill='#fff'/></mask>", inner.format("mask", "{}")),
        "nested mask": ("<mask id='a{0}'><rect width='9' height='9' fill='#fff' mask='url(#a{1})'/></mask>", inner.format("mask", "{}")),
        "pattern": ("<pattern id='a{0}' width='1' height='1'><rect width='1' height='1' fill='url(#a{1})'/></pattern>", inner.format("fill", "{}")),
        "fine pattern": ("<pattern id='a{0}' width='.01' height='.01'><rect width='1' height='1' fill='url(#a{1})'/></pattern>", inner.format("fill", "{}")),
        "gradient": ("<linearGradient id='a{0}' xlink:href='#a{1}'/>", inner.format("fill", "{}")), "marker": ("<marker id='a{0}'><path d='M0 0h1v1' marker-mid='url(#a{1})'/></marker>", "<path d='M0 0h1v1h1' marker-mid='url(#a{})'/>"),
        "filter": ("<filter id='a{0}'><feGaussianBlur stdDeviation='9'/></filter><g id='b{0}' filter='url(#a{0})'><use href='#b{1}'/></g>", "<use href='#b{}'/>"), "use": ("<g id='a{0}'><use href='#a{1}'/></g>", "<use href='#a{}'/>"),
        "doubled use": ("<g id='a{0}'><use href='#a{1}'/><use href='#a{1}'/></g>", "<use href='#a{}'/>"), "symbol": ("<symbol id='a{0}' viewBox='0 0 9 9'><use href='#a{1}'/><use href='#a{1}'/></symbol>", "<use href='#a{}'/>")}
    for each, user in links.values():
        for length in (1, 3, 40, 400, 2000, 9000):
            yield f"<defs>{''.join(each.format(at, at - 1) for at in range(1, length))}{each.format(0, 0 if length == 1 else length - 1 if length == 3 else 99999)}</defs>{user.format(length - 1)}"
    for tag in ("g", "svg", "a", "switch", "symbol", "clipPath", "g opacity='.5'", "g filter='url(#f)'", "g transform='scale(2)'", "text", "x", "style"):
        for depth in (300, 20_000):
            yield f"<{tag}>" * depth + "<rect width='9' height='9'/>" + f"</{tag.split()[0]}>" * depth


def drawings() -> Iterator[tuple[str, Files]]:
    """SVG that never ends, calls home, crashes whoever renders it, or is none."""
    boxes = ("0 0 1e-30 1e-30", "0 0 1e30 1e30", "0 0 1e308 1e308", "0 0 -9 -9", "0 0 0 9", "nan nan nan nan", "1e38 1e38 1 1", "0 0 1e-320 1", "-1e300 0 9 9", "0 0 9", "", "0 0 9 1e9", "0,0,1e9,1", "9" * 5000)
    effects = ("feGaussianBlur stdDeviation='1e9'", "feGaussianBlur stdDeviation='1e38 1e-38'", "feMorphology radius='1e9'", "feMorphology radius='9999 1'", "feTurbulence baseFrequency='1e9' numOctaves='2147483647'", "feTurbulence numOctaves='99999999'", "feTile", "feOffset dx='1e38'",
        "feConvolveMatrix order='9999' kernelMatrix='1'", "feConvolveMatrix order='300' kernelMatrix='" + "1 " * 90_000 + "'", "feDropShadow stdDeviation='1e30'", "feDisplacementMap scale='1e38'", "feComponentTransfer", "feFlood x='-1e38' width='1e38'", f"feImage href='file://{OUTSIDE}/secret.svg'")
    shapes = [f"<{each} height='9' fill='red' stroke='red'/>" for each in ("rect width='{}'", "rect width='9' x='{}'", "rect width='9' rx='{}'", "rect width='9' stroke-width='{}'", "rect width='9' stroke-dasharray='{}'", "rect width='9' transform='scale({})'", "circle r='{}'", "path d='M0 0L{} 1 2 {}z'")]
    shapes += ["<text y='5' font-size='{}'>a</text>", "<svg width='{}' height='9'><rect width='9' height='9'/></svg>", "<g opacity='{}'><rect width='9' height='9'/></g>"]
    styles = ("@import 'file:///etc/passwd';", f"@import url({OUTSIDE}/secret.css);", f"rect{{fill:url(file://{OUTSIDE}/secret.svg#a)}}", "@font-face{src:url(http://127.0.0.1:9/)}", "rect{}" * 50_000, "g " * 20_000 + "rect{fill:red}", "*" * 3000 + "{}", "rect:not(" * 2000, "/*", "{" * 9000,
        "rect{fill:var(--a);--a:var(--b);--b:var(--a)}", "[a^='" + "x" * 9999 + "']{}", "@media " * 5000, "rect{filter:url(#x) url(#x)}", "\x00")
    texts = ("\x1b[2J", "\u202e" * 500, "W" * 500_000, "<tspan>" * 9000, "<tspan x='" + "1 " * 50_000 + "'>a</tspan>", "a\u0301" + "\u0301" * 20_000, "\U0010ffff\ufdd0", "<textPath href='#p'>a</textPath>", "&#x202e;&#27;", "🏴" + "\U000e0067" * 9999)
    away = ("<image href='{}' width='9' height='9'/>", "<use href='{}#a'/>", "<a href='{}'><rect width='9' height='9'/></a>", "<style>@import '{}';</style>", "<rect width='9' height='9' fill='url({}#a)'/>", "<script href='{}'/>", "<foreignObject><iframe src='{}'/></foreignObject>", "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='{}'/>")
    laughs = "<!ENTITY a 'ha'>" + "".join(f"<!ENTITY {chr(98 + at)} '{f'&{chr(97 + at)};' * 20}'>" for at in range(10))
    entities = (laughs, f"<!ENTITY k SYSTEM 'file://{OUTSIDE}/secret.txt'>", "<!ENTITY k SYSTEM '/dev/zero'>", "<!ENTITY % p SYSTEM 'http://127.0.0.1:9/'>%p;", f"<!ENTITY k '{'x' * 99_999}'>", "<!ENTITY k '&k;'>", "<!ATTLIST rect width CDATA '9'>", "<!ENTITY k '<use href=\"#x\"/>'>")
    more = ("<path d='M0 0" + "h1v1" * 300_000 + "'/>", "<path d='" + "a1 1 0 1 1 .1 0" * 50_000 + "'/>", "<path d='M0 0L1e38 1e38z' stroke='red' stroke-dasharray='1e-9' stroke-width='1'/>", "<path d='M0 0h99999999' stroke='red' stroke-dasharray='.001'/>", "<g/>" * 59_000, "<rect " + "a" * 99_999 + "='1'/>", "<rect " + " ".join(f"a{at}='1'" for at in range(50_000)) + "/>", "<rect width='9' width='9'/>",
        f"<image width='9' height='9' href='data:image/svg+xml;utf8,{'%3Csvg%3E' * 9999}'/>", "<image width='9' height='9' href='data:image/png;base64," + "A" * 500_000 + "'/>", "<polygon points='" + "1,2 " * 200_000 + "'/>", "<set attributeName='x' to='9'/><animate attributeName='width' dur='1e99s'/>", "<foreignObject width='9' height='9'>" + "**a** " * 20_000 + "</foreignObject>", "<script>while(1);</script>", "<g onload='alert(1)'/>", "<rect style='" + "fill:red;" * 50_000 + "'/>", "<circle r='4' transform='" + "rotate(45deg) " * 9 + "'/>", "<g transform='" + "scale(10) " * 500 + "'><rect width='9' height='9'/></g>")
    bodies = [*chains(), *(f"<filter id='f'>{f'<{each}/>' * 1}</filter><rect width='9' height='9' filter='url(#f)'/>" for each in effects), *(f"<filter id='f' x='-9999%' y='-9999%' width='99999%' height='99999%'>{f'<{each}/>' * 300}</filter><rect width='9' height='9' filter='url(#f)'/>" for each in effects),
        *(shape.replace('{}', value) for at, shape in enumerate(shapes) for value in VAST[at % 2 :: 2]), *(f"<style>{each}</style><rect width='9' height='9'/>" for each in styles),
        *(f"<text x='1' y='5' font-size='3'>{each}</text>" for each in texts), *(each.format(target) for at, each in enumerate(away) for target in AWAY[at % 2 :: 2]), *more]
    for number, body in enumerate(bodies):
        yield f"body {number}", {BOAT: f"{HEAD}{body}</svg>", CARDS: ICON} if number % 9 else {CARDS: TINY_TEMPLATE.replace("{% endblock %}", body.replace("{", "{{ '{' }}") + "{% endblock %}")}
    for number, box in enumerate(boxes):
        yield f"box {number}", {BOAT: HEAD.replace("0 0 9 9", box) + "<rect width='9' height='9'/></svg>", CARDS: ICON}
    for number, entity in enumerate(entities):
        yield f"entity {number}", {BOAT: f"<!DOCTYPE svg [{entity}]>{HEAD}<title>&k;&k;</title><rect width='9' height='9'/></svg>", CARDS: ICON}
    odd = [SHIP.encode(each, "replace") for each in ("utf-16", "utf-32", "utf-7", "cp037", "utf-16-be")] + [f"<?xml version='1.0' encoding='{each}'?>".encode() + SHIP.encode() for each in ("utf-16", "ebcdic-cp-us", "x" * 9999, "rot13", "utf-7", "idna", "zlib_codec")]
    whole = SHIP.encode()
    for number, data in enumerate([*odd, *(whole[: len(whole) * at // 12] for at in range(12)), whole * 2, whole[::-1], b"\x1f\x8b" + whole, bytes(9999), b"\xff" * 9999, b"<" * 99_999, b"<svg" + b" " * 8_000_000 + b"/>", zlib.compress(whole), b"\x00" + whole, whole.replace(b"svg", b"SVG"), whole.replace(b"2000/svg", b"1999/xhtml")]):
        yield f"bytes {number}", {BOAT: data, CARDS: ICON}


class Blank(int):
    """A file of so many spaces, in an archive."""


@cache
def packed(size: int, byte: bytes = b"\0") -> bytes:
    """So many of one byte, deflated."""
    packer = zlib.compressobj(9)
    return b"".join([*(packer.compress(byte * 10**6) for _ in range(size // 10**6)), packer.compress(byte * (size % 10**6)), packer.flush()])


@cache
def font() -> bytes:
    """A small font of its own family."""
    import font_source_sans_pro
    from fontTools import subset
    from fontTools.ttLib import TTFont

    made = TTFont(sorted((Path(font_source_sans_pro.__file__).parent / "files").glob("*Regular*"))[0])
    cutter = subset.Subsetter(subset.Options(name_IDs=["*"], layout_features=["kern"]))
    cutter.populate(unicodes=range(32, 127))
    cutter.subset(made)
    for record in made["name"].names:
        record.string = "Hostile" if record.nameID in (1, 4, 6, 16) else "Regular"
    made.save(held := io.BytesIO())
    return held.getvalue()


def flipped(data: bytes, at: int, bit: int = 0) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def fonts() -> Iterator[tuple[str, Files]]:
    """Fonts with one bit flipped, cut off, or of something else."""
    whole, game = font(), TINY_GAME + '[fonts]\nbody = "Hostile"\n'
    early = [flipped(whole, at, at % 8) for at in range(0, 300, 6)]
    spread = [flipped(whole, len(whole) * at // 60, at % 8) for at in range(60)]
    cut = [whole[: len(whole) * at // 12] for at in range(12)]
    zeroed = [whole[:at] + bytes(200) + whole[at + 200 :] for at in range(300, len(whole) - 200, max(200, len(whole) // 15))]
    other = [b"OTTO" + bytes(200), b"\x00\x01\x00\x00" + b"\xff" * 500, b"ttcf\x00\x01\x00\x00" + b"\xff" * 99, b"wOFF" + whole, b"wOF2" + bytes(99), b"%!PS-AdobeFont", SHIP.encode(), whole + whole, b"", b"\x80\x01" + bytes(999), whole.replace(b"glyf", b"loca"), whole.replace(b"CFF ", b"glyf"), whole[:12] + whole[12:28] * 4000, whole[::-1]]
    for number, data in enumerate([*early, *spread, *cut, *zeroed, *other]):
        booked = {GAME: game + "[book.rulebook]\n", BOOK: "# Annal\n\n*Draw* two.\n"} if number % 4 == 1 else {GAME: game}
        accents = {TABLE: TINY_TABLE.replace("Anna", "Anné")} if number % 3 else {}
        yield f"font {number}", {**booked, **accents, f"content/tiny/fonts/h{('.otf', '.ttf')[number % 5 == 4]}": data}
    for number, name in enumerate([*STEERS, *AWAY, "a" * 9999, "Hostile\n", '"; #read("/etc/passwd")']):
        yield f"name {number}", {GAME: TINY_GAME + f"[fonts]\nbody = {json.dumps(name)}\n", "content/tiny/fonts/h.otf": whole}


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width: int, height: int, depth: int = 8, mode: int = 2, data: bytes | None = None, more: bytes = b"") -> bytes:
    """A picture that says this of itself, whatever it holds."""
    data = packed(min(10**8, (width * 3 + 1) * height)) if data is None else data
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, mode, 0, 0, 0)) + more + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def pictures() -> Iterator[tuple[str, Files]]:
    """Bombs, torn pictures, odd modes, headers that lie."""
    from PIL import Image

    bombs = [png(*size) for size in ((0, 0), (1, 1), (0, 9), (2**31 - 1, 1), (1, 2**31 - 1), (50_000, 50_000), (7000, 7000), (9000, 9000), (40_000, 1), (1, 40_000))]
    bombs += [png(30, 30, more=chunk(name, body)) for body in (packed(10**8), b"", b"\xff" * 9999) for name, body in ((b"zTXt", b"a\0\0" + body), (b"iCCP", b"a\0\0" + body), (b"iTXt", b"a\0\1\0\0\0" + body), (b"PLTE", body), (b"tRNS", body), (b"eXIf", body), (b"acTL", body), (b"pHYs", body))]
    bombs += [png(30, 30, depth, mode) for depth in (1, 2, 3, 8, 16, 255) for mode in (0, 1, 2, 3, 4, 6)] + [png(3000, 3000, data=data) for data in (b"", b"\xff" * 99, zlib.compress(b""), zlib.compress(b"\xff" * 99), packed(10**9 // 4))]
    saved = []
    for mode in ("1", "L", "LA", "P", "RGBA", "I;16", "CMYK", "YCbCr", "LAB", "F", "I"):
        for form in ("PNG", "JPEG", "WEBP", "GIF", "TIFF", "BMP", "ICO", "JPEG2000"):
            held = io.BytesIO()
            try:
                Image.new(mode, (40, 30)).save(held, form)
            except (OSError, ValueError, KeyError):
                continue
            saved.append((f"{mode} {form}", held.getvalue()))
    torn = [(f"{name} torn {share}", data[: len(data) * share // 10]) for name, data in saved if name[:3] in ("RGB", "L P", "L J", "CMY", "L W") for share in (1, 3, 6, 9)]
    torn += [(f"{name} flipped {at}", flipped(data, at * len(data) // 12, at % 8)) for name, data in saved if name in ("RGBA PNG", "L JPEG", "CMYK JPEG", "RGBA WEBP") for at in range(12)]
    for number, (name, data) in enumerate([*((f"bomb {at}", each) for at, each in enumerate(bombs)), *saved, *torn]):
        ending = "jpg" if "JPEG" in name else "webp" if "WEBP" in name else "png"
        ending = ("png", "jpg", "webp")[number % 3] if number % 11 == 10 else ending
        yield name, {BOAT: None, f"content/tiny/art/boat.{ending}": data, CARDS: ICON}


def books() -> Iterator[tuple[str, Files]]:
    """Markdown, HTML, links and macros, as no author would write them."""
    typeset = ("#read(\"/etc/passwd\")", "#import \"@preview/x:1.0.0\"", "#include \"/etc/passwd\"", "#while true {}", "#set page(width: 1pt)", "$sum_(x)^" * 500 + "$", "#eval(\"1\")", "#image(\"" + OUTSIDE + "/secret.png\")", "\\#x", "`#x`", "@label <label>", "#let f() = f(); #f()", "#(\"a\" * 1000000000)", "#panic()", "\"]) #read(\"/etc/passwd\")")
    html = ("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<iframe src='file:///etc/passwd'>", "<style>@import url(//x)</style>", "<base href='//x'>", "<meta http-equiv=refresh content='0;url=//x'>", "<svg onload=alert(1)>", "<!--", "<![CDATA[", "<?php", "<a href=javascript:alert(1)>x</a>", "&#0;&#x1b;&#x202e;", "<b " * 9999, "<" * 99_999)
    links = (*AWAY, "javascript:alert(1)", "JaVaScRiPt:alert(1)", "vbscript:x", "data:text/html,<script>", "ms-msdt:x", "java\tscript:x", "#nowhere", "mailto:" + "a" * 9999, "http://[::1", "x" * 99_999, "\x1b", "http://a\u202eb")
    long = ("# H\n\n" * 2000, "".join(f"{'#' * (at % 6 + 1)} H{at}\n\nx\n\n" for at in range(2500)), "a " * 200_000, "a" * 500_000, "- a\n" * 20_000, "".join("  " * at + "- a\n" for at in range(300)), "> " * 3000 + "a", "1. " * 3000 + "a", "*" * 50_000, "**a " * 20_000, "[" * 50_000, "[a](" * 20_000, "![" * 20_000, "`" * 50_000, "_a_ " * 50_000, "\\" * 50_000, "|a" * 3000 + "|\n" + "|-" * 3000 + "|\n", "|a|b|\n|-|-|\n" + "|1|2|\n" * 20_000,
        "```\n" + "x\n" * 50_000, "::: note\n" * 2000, "::: example\n" * 500 + "a\n" + ":::\n" * 500, "::: columns\n" * 90 + "a\n" + ":::\n" * 90, "---\n\n" * 20_000, "a  \n" * 50_000, "[a]: b\n" * 50_000, "".join(f"[^{at}] " for at in range(9999)), ":fish:" * 20_000, "W" * 100_000 + "\n\n" + "\u0301" * 50_000, "\n" * 900_000, "x\r" * 50_000, "\u202e" * 9999, "<a>\n\n" * 9999, "::: back\n" * 99, "&" * 99_999, "[a][a" * 20_000, "](" * 50_000, "~~a" * 30_000, "a\n=\n" * 3000, "| " * 60_000)
    calls = ("''.__class__", "'a' * 3000000000", "'# x\\n\\n' * 99999", "range(99999) | list | string * 99", "count('x' * 99999)", "count(count)", "face('cards', 'anna', width='1e300mm', alt='a')", "face('cards', '../../x', alt='a')", "faces('cards', ['anna'] * 99999, width='9mm', alt='a')", "picture('" + UP + "secret', alt='a')", "picture('" + OUTSIDE + "/secret.png', alt='a')", "picture('boat', alt='\" onerror=\"alert(1)')", "picture('boat', width='0mm', alt='a')",
        "page('x' * 99999)", "component_table(**{'a': 1})", "imprint(x='<script>')", "imprint(designer='\\x1b[2J')", "setup_table(1)", "board('x')", "layout('x')", "'\\ue000page:x\\ue001'", "'\\ue000face:0\\ue001' * 999", "rows('cards') | map(attribute='__class__') | list", "rows('cards')[0].name.__class__", "(", "x" * 99_999, "'%s' % rows", "10 ** 10 ** 9", "rows('cards') * 99999999")
    tags = (LONG, LONG.replace("X", "# x\n\n"), "{% include '/etc/passwd' %}", f"{{% include '{OUTSIDE}/secret.md' %}}", "{% extends 'x' %}", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "{% for x in range(99999) %}# x\n\n{% endfor %}", "{% for x in range(5000) %}{{ face('cards', 'anna', width='9mm', alt='a') }}{% endfor %}", "{%", "{{", "{% if 1 %}" * 3000, "\ue000\ue001" * 999, "\x00\x1b\x07", '::: scene on="cards" alt="a"\n| what | where | how |\n|-|-|-|\n' + "| x | y | z |\n" * 9999 + ":::")
    payloads = (*typeset, *html, *(f"[x]({each})" for each in links), *(f"![x]({each})" for each in links), *(f"[x]: {each}\n\n[x]" for each in links[::2]), *(f"<{each}>" for each in links[::3]), *long, *(f"{{{{ {each} }}}}" for each in calls), *tags)
    for number, payload in enumerate(payloads):
        yield f"book {number}", {GAME: BOOKED + ('form = "card"\n' if number % 10 == 9 else ""), BOOK: ("# Goal\n\n" + payload).encode("utf-8", "surrogateescape")}
    for number, text in enumerate([*typeset, *STEERS, *html]):
        yield f"title {number}", {GAME: BOOKED.replace('"Tiny"', json.dumps(text)) + f"title = {json.dumps(text)}\nsubtitle = {json.dumps(text)}\n", BOOK: f"# {text}\n\nx\n"}


def zipped(files: Mapping[str, bytes | Blank]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in files.items():
            with file.open(name, "w") as entry:
                for _ in range(data // 1_000_000 if isinstance(data, Blank) else 1):
                    entry.write(b" " * 1_000_000 if isinstance(data, Blank) else data)
    return held.getvalue()


SHEET = b"<sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>name</t></is></c></row><row r='2'><c r='A2' t='inlineStr'><is><t>Anna</t></is></c></row></sheetData>"
CELL, ODS = b"<table:table-cell office:value-type='string'><text:p>Anna</text:p></table:table-cell>", b"<table:table-row><table:table-cell office:value-type='string'><text:p>name</text:p></table:table-cell></table:table-row><table:table-row>CELL</table:table-row>"


def xlsx(sheet: bytes = SHEET, more: Mapping[str, bytes | Blank] | None = None) -> bytes:
    relations, types = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships", b"application/vnd.openxmlformats-officedocument.spreadsheetml."
    main = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return zipped({"[Content_Types].xml": b"<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'><Default Extension='rels' ContentType='application/vnd.openxmlformats-package.relationships+xml'/><Default Extension='xml' ContentType='application/xml'/><Override PartName='/xl/workbook.xml' ContentType='%ssheet.main+xml'/></Types>" % types,
        "_rels/.rels": b"<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship Id='r1' Type='%s/officeDocument' Target='xl/workbook.xml'/></Relationships>" % relations,
        "xl/workbook.xml": b"<workbook xmlns='%s' xmlns:r='%s'><sheets><sheet name='cards' sheetId='1' r:id='r1'/></sheets></workbook>" % (main, relations),
        "xl/_rels/workbook.xml.rels": b"<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship Id='r1' Type='%s/worksheet' Target='worksheets/sheet1.xml'/></Relationships>" % relations,
        "xl/worksheets/sheet1.xml": b"<worksheet xmlns='%s'>%s</worksheet>" % (main, sheet)} | dict(more or {}))


def ods(rows: bytes = ODS.replace(b"CELL", CELL)) -> bytes:
    spaces = b" ".join(b"xmlns:%s='urn:oasis:names:tc:opendocument:xmlns:%s:1.0'" % (each, each) for each in (b"office", b"table", b"text"))
    return zipped({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "META-INF/manifest.xml": b"<manifest/>", "content.xml": b"<office:document-content %s><office:body><office:spreadsheet><table:table table:name='cards'>%s</table:table></office:spreadsheet></office:body></office:document-content>" % (spaces, rows)})


def tables() -> Iterator[tuple[str, Files]]:
    """Tables of all formats: bombs, encodings, numbers, letters that steer, columns without end."""
    cells = (*STEERS, *VAST, *AWAY, "=cmd|' /C calc'!A0", "=HYPERLINK(\"http://x\")", "+1+1", "@SUM(1)", "-2+3", "x" * 900_000, "**a" * 9999, ":x:" * 999, "W" * 20_000, "{{ 1 }}", "#read(\"/etc/passwd\")", "<script>", "\ud800", "\udcff", "\U0010ffff", "\ufeff" * 99, "\u0301" * 9999, "a\n" * 999, "'", '"' * 999)
    for number, cell in enumerate(cells):
        for column in ("name", "copies", "text")[number % 2 :: 2]:
            yield f"cell {column} {number}", {TABLE: f'name,copies,text\nAnna,1,x\n{",".join(chr(34) + (cell if each == column else "1").replace(chr(34), chr(34) * 2) + chr(34) for each in ("name", "copies", "text"))}\n'.encode("utf-8", "surrogatepass")}
    for number, column in enumerate([*STEERS, "name", "id", "copies", "", "__class__", "a" * 9999, "row", "name ", "Name", "self", "1e400", "name:de", ".", "=1"]):
        yield f"column {number}", {TABLE: f"name,text,{column},{column}\nAnna,a,b,c\n"}
    plain = TINY_TABLE.encode()
    raw = (*(TINY_TABLE.encode(each) for each in ("utf-16", "utf-32", "cp037", "utf-7", "utf-16-be")), b"\xff\xfe" + plain, bytes(99_999), plain + b"\x00" * 9999, b"\xff" * 9999, b"," * 200_000, b"name\n" + b"a\n" * 100_001, b"name,text\n" + b'"' * 99_999, b'name,text\n"' + b"a\n" * 99_999, b"name,text\r" + b"a,b\r" * 999, b"name," * 300, b"name,copies\nA,99999999999\n", b"name,copies\n" + b"A,1000\n" * 60,
        b"name,copies\n" + b"A,%s\n" % (b"9" * 5000), b"name,art\nA,../../../outside/secret\n", b"name,text\n" + b"A," + b"a " * 99_999 + b"\n", b"id,id,id\n1,2,3\n", b"id\n" + b"a\n" * 9999, b"name,copies\n" + b"".join(b"n%d,9\n" % at for at in range(9999)), b"\x1b[2J\n\x1b[2J\n", b"PK\x03\x04" + bytes(999), b"", b"\n" * 99_999, b";;;\n", b"name\ttext\n" * 9999)
    for number, data in enumerate(raw):
        yield f"bytes {number}", {TABLE: data}
    big, far = b"A" * 1000 * 1000, b"<sheetData>%s</sheetData>"
    row = b"<row r='%d'><c r='%s' t='inlineStr'><is><t>%s</t></is></c></row>"
    books_ = [xlsx(each) for each in (SHEET, far % (row % (1048576, b"XFD1048576", b"x")), far % (row % (1, b"A99999999999", b"x")), far % (row % (1, b"ZZZZZZZ1", b"x")), far % b"".join(row % (at, b"A%d" % at, b"x") for at in range(1, 120_000)), far % (row % (1, b"A1", big * 40)), far % (b"<row>" * 20_000), b"<x>" * 50_000, far % b"<row r='1'><c r='A1'><f>HYPERLINK(\"x\")</f><v>1e400</v></c></row>", far % b"<row r='-1'><c r='A0'/></row>",
        far % b"<row r='1'><c r='A1' t='s'><v>99999999</v></c></row>", far % (b"<row r='1'>" + b"<c t='n'><v>%s</v></c>" % (b"9" * 5000) * 99 + b"</row>"), SHEET.replace(b"Anna", b"\x1b[2J"), SHEET.replace(b"Anna", b"&#27;[2J&#x202e;"), SHEET + b"<mergeCells><mergeCell ref='A1:XFD1048576'/></mergeCells>", b"<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>&a;")]
    books_ += [xlsx(more=more) for more in ({"xl/bomb.xml": Blank(300_000_000)}, {"xl/worksheets/sheet1.xml": Blank(300_000_000)}, {"../../../outside/new.txt": b"x"}, {"/etc/x": b"x"}, {f"x{at}": b"" for at in range(30_000)}, {"xl/sharedStrings.xml": b"<sst>" + b"<si><t>a</t></si>" * 500_000 + b"</sst>"}, {"xl/workbook.xml": b""}, {"xl/_rels/workbook.xml.rels": b"<Relationships><Relationship Id='r1' Target='../../../../outside/secret.txt'/></Relationships>"}, {"xl/styles.xml": b"<x>" * 99_999})]
    good = xlsx()
    for number, data in enumerate([*books_, *(good[: len(good) * at // 10] for at in range(1, 10)), *(flipped(good, len(good) * at // 15, at % 8) for at in range(15)), b"PK\x05\x06" + bytes(18), zipped({"a": good})]):
        yield f"xlsx {number}", {TABLE: None, "content/tiny/cards.xlsx": data}
    odd = (b"<text:s text:c='1000000000'/>", b"<text:s text:c='%s'/>" % (b"9" * 5000), b"<text:s text:c='-1'/>", b"<text:tab text:c='999999999'/>", b"\xff", b"&#27;[2J", b"<text:span>" * 50_000, b"<text:s text:c='99999'/>" * 20_000, b"x" * 40_000_000, b"<text:line-break/>" * 300_000, b"&x;")
    repeated = [b"table:number-%s-repeated='%s'" % (what, much) for what in (b"columns", b"rows") for much in (b"1000000000", b"1048576", b"-1", b"0", b"9" * 5000, b"nan")]
    sheets = [ods(ODS.replace(b"CELL", CELL.replace(b"Anna", each))) for each in odd] + [ods(ODS.replace(b"CELL", CELL.replace(b"office:", each + b" office:"))) for each in repeated] + [ods(ODS.replace(b"CELL", CELL).replace(b"<table:table-row>", b"<table:table-row %s>" % each)) for each in repeated]
    calc = ods()
    for number, data in enumerate([*sheets, *(calc[: len(calc) * at // 8] for at in range(1, 8)), *(flipped(calc, len(calc) * at // 12, at % 8) for at in range(12)), zipped({"content.xml": Blank(300_000_000)}), zipped({"content.xml": b"<!DOCTYPE x [<!ENTITY a '%s'>]><x>%s</x>" % (big[:9999], b"&a;" * 9999)}), good]):
        yield f"ods {number}", {TABLE: None, "content/tiny/cards.ods": data}
    values = ("[" * 99_999, '{"a":' * 9999, "[1e400]", "[NaN]", f'[{{"name":{VAST[0]}}}]', '[{"name":"\\u001b[2J"}]', '[{"name":"\\ud800"}]', '{"name":"a"}', "null", '"a"', "[[1,2],[3]]", '[{"name":{"a":[1]}}]', '[{"name":1,"name":2}]', "[" + '{"name":"a"},' * 99_999 + "{}]", "[" + "1," * 999_999 + "1]", '[{"' + "a" * 99_999 + '":1}]', '[{"__class__":1}]', "\x00", '[{"name":"' + "x" * 3_000_000 + '"}]', "[{" + ",".join(f'"c{at}":1' for at in range(999)) + "}]", '[{"copies":true,"name":null}]', "\ufeff[]", "[]x")
    for number, text in enumerate(values):
        yield f"json {number}", {TABLE: None, "content/tiny/cards.json": text}
    yaml = ("a: &a [x]\n" + "".join(f"{chr(98 + at)}: &{chr(98 + at)} [{f'*{chr(97 + at)},' * 20}]\n" for at in range(12)), "- !!python/object/apply:os.system ['id']", "- name: !!binary AAAA", "&a [*a]", "- name: &a {b: *a}", "- <<: *x", "- name: 0x" + "f" * 5000, "- name: 1:" * 3000, "- " * 9999, "{" * 9999, "- name: 2001-99-99", "- name: .nan", "%TAG ! tag:x", "- name: !!set {a}", "- name: \"\\e[2J\"", "- ? [a]\n  : b", "---\n" * 9999, "- name: >\n" + "  x\n" * 99_999, f"- name: {VAST[0]}", "\x00", "- name: !include /etc/passwd", "a" * 999_999, "- {name: a, name: b}", "- name: 1__2", "? " * 5000)
    for number, text in enumerate(yaml):
        yield f"yaml {number}", {TABLE: None, f"content/tiny/cards.{('yaml', 'yml')[number % 2]}": text}


def settings() -> Iterator[tuple[str, Files]]:
    """game.toml and rules.toml: numbers, types, paths and amounts as nobody would set them."""
    keys = ("[game]\nname", "[game]\nplayers", "[game]\npapers", "[game]\nyear", "[game]\nlanguage", "[component.more]\nsize", "[component.more]\ntable", "[component.more]\ntemplate", "[component.more]\nbleed", "[component.more]\ncopies", "[component.more]\nwhere", "[component.more]\nkind", "[palette]\na", "[fonts]\nbody", "[texts]\na", "[table.cards]\nfile", "[table.cards.columns]\nname", "[book.x]\nfile", "[book.x]\ncreep", "[expect.cards]\ncopies", "[layout.x]\nof")
    values = (*VAST[:3], "nan", "true", "[]", "{}", '""', "[[[]]]", "1979-05-27", *(json.dumps(each) for each in (*AWAY[:3], *STEERS[:5], "../../../outside/secret", "con", "nul.csv", "..", "9" * 5000 + "mm", "1e300mm x 1e300mm", "2-99999999", "x" * 99_999, "__class__", "shared/face")))
    for number, (key, value) in enumerate((key, value) for key in keys for value in values):
        if number % 5 == 0 or len(value) > 9000:
            usual = {"game": 'name = "Tiny"\npapers = ["a4"]\n', "component.more": 'size = "tcg"\ntable = "cards"\ntemplate = "cards"\n'}
            section, own = key[1:].split("]\n")
            text = f"[{section}]\n{own} = {value}\n" + re.sub(f"(?m)^{own} .*\n", "", usual.get(section, ""))
            yield f"key {section}.{own} {number}", {GAME: TINY_GAME.replace(f"[game]\n{usual['game']}", text) if section == "game" else TINY_GAME + text}
    kinds = {"board": 'size = "{}"', "tile": 'hexes = "cards"\nhex = "{}"', "domino": 'size = "20mm x 40mm"\nhighest = {n}', "die": 'size = "{}"\nsides = {n}', "box": 'holds = ["cards", "more"]', "prism": 'size = "{}"\ndepth = "{}"', "pouch": 'size = "{}"\ndepth = "{}"', "dial": 'size = "60mm"\nvalues = "0-{n}"', "ship": 'holds = ["cards"]\nslots = {n}', "screen": 'panels = ["{}"]\nheight = "{}"', "tracker": 'size = "{}"\nspaces = "cards"', "token": 'size = "{}"\nshape = "../x"', "standee": 'size = "{}"\nbase = "{}"', "pawn": 'size = "{}"\ndepth = "{}"\ncopies = {n}'}
    for kind, text in kinds.items():
        for length, n in (("1e-9mm", "99999"), ("1e9mm x 1e9mm", "9" * 5000), ("900mm x 900mm", "-1"), ("nanmm", "0")):
            yield f"kind {kind} {length}", {GAME: TINY_GAME + f'[component.more]\nkind = "{kind}"\ntemplate = "cards"\n{text.replace("{}", length).replace("{n}", n)}\n'}
    many = ("".join(f'[component.c{at}]\nsize = "tcg"\ntable = "cards"\ntemplate = "cards"\n' for at in range(20_000)), "".join(f"[strange{at}]\nx = 1\n" for at in range(30_000)), "".join(f"[table.t{at}]\n" for at in range(20_000)), "".join(f"[book.b{at}]\n" for at in range(9999)), "".join(f"[layout.l{at}]\nof = 'cards'\n" for at in range(9999)), "[palette]\n" + "".join(f"c{at} = '#fff'\n" for at in range(50_000)), "[texts]\n" + "".join(f"c{at} = 'c{at}'\n" for at in range(50_000)), "[texts]\na = " + "[" * 99_999, "[" + ".".join("a" * 30_000) + "]\n", "a = " * 9999, "#" * 999_999, "[texts]\na = '''" + "x" * 900_000 + "'''", "\x00", "\x1b[2J = 1", "[a]\n" * 9999, "[[a]]\n" * 50_000, "a.b = 1\n" * 20_000, "[texts]\na = \"" + "\\u202e" * 9999 + '"', "=" * 99_999, "[expect.cards]\nsplit = [" + "{ by = 'name', groups = 1 }," * 20_000 + "]\n", "[texts]\n" + "".join(f"{'a' * at} = 1\n" for at in range(1, 1300)))
    for number, text in enumerate(many):
        yield f"many {number}", {GAME: TINY_GAME + text}
    sums = ("sum(range(100000)) > n", "[x for x in rows]", "(" * 5000, "1" + "+1" * 999, "10 ** 10 ** 9 > 0", "'a' * 3000000000 == ''", "''.__class__", "rows('cards') | map(attribute='__class__')", "count(**{'a': 1})", VAST[0] + " > 0", "open('/etc/passwd')", "rows('cards') * 99999999", "'\\x1b[2J' == 1", "undefined > 1", "range(99999) | map('string') | join | length * 10 ** 9", "not " * 900 + "1", "game.__dict__", "board('x')", "[[]] * 99999999 | length")
    for number, text in enumerate(sums):
        yield f"claim {number}", {RULES: CLAIM.format(text) + ('for = "n in 1..9999"\n' if number % 2 else "")}
    setup = '[setup]\nplayers = "{}"\n[setup.take.hand]\nwhat = "x"\nfrom = "cards"\nnumber = "{}"\nper = "player"\n'
    rules = (*(setup.format(*each) for each in (("2-99", "1"), ("1-99999999", "1"), ("99-1", "1"), ("2", "9" * 1500), ("2-99", "sum(range(players * 999))"), ("2-9", "players ** players ** players"), ("\u202e", "x"), ("2", "'a' * 999999999"))), "".join(CLAIM.replace("it", f"c{at}").format("count('cards') > 0") for at in range(5000)), "".join(CLAIM.replace("it", f"c{at}").format(f"rows('x{at}') > 0") for at in range(3000)), "".join(f"[setup.take.t{at}]\nwhat = 'x'\nfrom = 'cards'\nnumber = 1\n" for at in range(5000)), "[movement.x]\n", "[movement]\nx = 1\n", "[[exchange]]\nof = 'cards'\n" * 5000, "[words]\nterms = [" + "'aaa'," * 50_000 + "]\n", "[words]\nbanned = {" + ",".join(f"b{at} = 'x'" for at in range(9999)) + "}\n", "[[allow]]\nrule = 'claim'\nabout = 'x'\nbecause = 'y'\n" * 9999, "[agree.cards]\nid = ['" + "{name}*" * 2000 + "']\n", "[agree.cards]\nid = ['(a+)+$', '{" * 99 + "']\n", "[pile.x]\nof = ['cards']\nby = 'name'\n" * 9, "[claim." + "a" * 9999 + "]\n", "[economy]\nearn = " + "9" * 5000 + "\n", "[[colours]]\ntable = 'cards'\n" * 9999, "\x00", "[" * 9999, "[claim.\"\\u001b[2J\"]\nsays = \"\\u202e\"\nexpect = \"0\"\n", '[claim.it]\nsays = "So."\nexpect = "n > 0"\nfor = "n in 1..999999999"\n', '[claim.it]\nsays = "So."\nexpect = "a+b+c+d > 0"\nfor = "a in 1..100; b in 1..100; c in 1..100; d in 1..100"\n')
    for number, text in enumerate(rules):
        yield f"rules {number}", {RULES: text}
    sea = '[component.sea]\nkind = "board"\nmap = "sea.txt"\nlegend = "legend"\ncell = "2mm"\ntemplate = "cards"\n'
    moves = "[movement.sea]\ndiagonal = true\nstarts = ['home']\ngoals = ['town']\ntolerance = '50%'\n"
    for number, (rows, more) in enumerate((rows, more) for rows in (("a" * 141 + "\n") * 141, ("ab" * 70 + "\n") * 141, "h" + "a" * 140 + "\n" + ("a" * 141 + "\n") * 140, "a" * 20_000 + "\n", "a\n" * 20_000, "".join(chr(200 + at) for at in range(9000)) + "\n", "\x1b\x07\u202e\n", "") for more in ("", moves)):
        yield f"map {number}", {GAME: TINY_GAME + sea, "content/tiny/sea.txt": rows, "content/tiny/legend.csv": "letter,kind,name\na,sea,Sea\nb,town,Town\nh,home,Home\n", RULES: more}


def links() -> Iterator[tuple[str, Files]]:
    """Links in place of files and folders: out, to devices, to themselves, to nothing."""
    targets = (OUTSIDE, f"{OUTSIDE}/secret.txt", "/dev/zero", "/dev/stdin", "/proc", "/proc/self/mem", "/etc/passwd", "/", ".", "/nowhere/x", "x" * 4000, "/proc/self/fd/0")
    files = (GAME, TABLE, CARDS, BOAT, BOOK, RULES, "content/tiny/art/boat.png", "content/tiny/fonts/x.otf", "content/tiny/cards.xlsx", "content/tiny/cards.json", "content/tiny/languages/de.po", "templates/shared/face.svg.j2")
    folders = ("templates", "templates/tiny", "templates/shared", "content", "content/tiny", "content/tiny/art", "content/tiny/fonts", "content/tiny/templates", "content/tiny/languages", "output", "output/tiny", "output/tiny/a4", "output/tiny/report.html", "content/tiny/art/icons")
    booked: dict[str, bytes | str | None] = {GAME: BOOKED, BOOK: "# Goal\n", CARDS: ICON}
    for number, (place, target) in enumerate((place, target) for place in (*files, *folders) for target in targets):
        if (place in folders and target in (OUTSIDE, "/", "/proc", ".")) or number % 4 == 0:
            own = {name: data for name, data in {**PLAIN, **booked}.items() if name.startswith(f"{place}/")}
            yield f"{place} -> {target[:40]}", {**booked, **dict.fromkeys(own), place: Link(target), **({TABLE: None} if place[-5:] in (".xlsx", ".json") else {BOAT: None} if place.endswith(".png") else {})}


def names() -> Iterator[tuple[str, Files]]:
    """File names that steer, are reserved elsewhere, are too long, or are no text."""
    odd = (*(each.replace("\x00", "") for each in STEERS if each.replace("\x00", "")), "CON", "nul", "aux.txt", "..", "...", " ", "-rf", "--help", "a\nb", "a" * 250, "é" * 120, "e\u0301", "~", "$(id)", "`id`", "%s%n", "<script>", "{{ 1 }}", "a'b\"c", "\udcff\udcfe", "*", "?", "a:b", "a\\b", "\ufeff", "\U0001f600" * 60)
    for number, name in enumerate(odd):
        yield f"art {number}", {f"content/tiny/art/{name}.svg": SHIP, f"content/tiny/art/{name}.png": png(9, 9), CARDS: ICON}
        yield f"game {number}", {f"content/{name}/game.toml": TINY_GAME, f"content/{name}/cards.csv": TINY_TABLE, f"content/{name}.x/{name}": "x"}
        yield f"beside {number}", {f"content/tiny/{name}.csv": "x", f"content/tiny/{name}": "x", f"content/tiny/fonts/{name}.otf": "x", f"templates/tiny/{name}.svg.j2": "{{"}
        if number % 2:
            yield f"id {number}", {TABLE: f'id,name,text\n"{name.encode("utf-8", "replace").decode().replace(chr(34), chr(34) * 2)}",Anna,x\n'}


def imports() -> Iterator[tuple[str, Files, tuple[str, ...]]]:
    """The projects of other tools, each damaged in its main file."""
    here = Path(__file__).parents[1] / "imports"
    tools = {"cardmaker": "goats.cmp", "cider": "decks/hill/front.html", "cockatrice": "cards.xml", "lists": "herd.txt", "nandeck": "goats.txt", "rpg-cards": "herd.json", "squib": "deck.rb"}
    for tool, main in tools.items():
        files = {f"bring/{path.relative_to(here / tool)}": path.read_bytes() for path in sorted((here / tool).rglob("*")) if path.is_file()}
        whole = files[f"bring/{main}"]
        command = ("import", "bring" if tool == "cider" else f"bring/{main}", "herd")
        quoted = re.compile(rb"""(?<=["'>])[\w./-]+\.(?:png|bmp|svg|csv|yml)""")
        digits = re.compile(rb"(?<![\w#.])\d+(?![\w.])")
        damaged = {**{f"torn {at}": whole[: len(whole) * at // 4] for at in range(4)}, **{f"flipped {at}": flipped(whole, len(whole) * at // 4, at % 8) for at in range(4)}, "zeros": bytes(9999), "doubled": whole * 2, "long": whole + whole[-60:] * 20_000, "utf-16": whole.decode().encode("utf-16"), "steered": re.sub(rb"[A-Z][a-z]{3,}", b"\x1b[2J\xe2\x80\xae", whole), "html": whole.replace(b">", b"><script>"), "nested": b"[" * 99_999 + whole,
            "deep": whole + b"<a>" * 50_000, "ruby": whole + b"\n`touch ../outside/new`\nsystem('id')\nwhile true do end\neval('1')\n", "include": whole + b"\nINCLUDE=/etc/passwd\nLINK=" + OUTSIDE.encode() + b"/secret.csv\nMACRO=a\n" + b"IF=1=1\n" * 5000, "entities": b"<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>" + whole.replace(b">", b">&a;", 5), "random": zlib.compress(whole * 50), **{f"away {at}": quoted.sub(target.encode().replace(b"\\", b"/"), whole) for at, target in enumerate(AWAY[:9])}, **{f"numbers {at}": digits.sub(value.encode(), whole) for at, value in enumerate((*VAST[:5], "0", "-1", "4294967296", "99999"))}}
        for name, data in damaged.items():
            yield f"{tool} {name}", {**files, f"bring/{main}": data}, command
        for other in sorted(files):
            if other != f"bring/{main}":
                yield f"{tool} {other} linked", {**files, other: Link(f"{OUTSIDE}/secret.csv")}, command
                yield f"{tool} {other} zeros", {**files, other: bytes(99_999)}, command


def printed(whole: bytes) -> Iterator[tuple[str, bytes]]:
    """PDFs for ``verify``: encrypted, damaged, without end."""
    import pikepdf
    from pikepdf import Array, Dictionary, Name

    def made(change: Callable[[pikepdf.Pdf], object], **how: Any) -> bytes:
        with pikepdf.open(io.BytesIO(whole)) as file:
            change(file)
            file.save(held := io.BytesIO(), **(how or {"stream_decode_level": pikepdf.StreamDecodeLevel.none, "compress_streams": False}))
            return held.getvalue()

    def bomb(size: int, layers: int = 1) -> Callable[[pikepdf.Pdf], object]:
        def change(file: pikepdf.Pdf) -> None:
            data, names = packed(size, b" "), [Name.FlateDecode] * layers
            for _ in range(layers - 1):
                data = zlib.compress(data, 9)
            stream = pikepdf.Stream(file, b"")
            stream.write(data, filter=Array(names))
            file.pages[0].Contents = stream
        return change

    def looped(file: pikepdf.Pdf) -> None:
        file.Root.Pages.Kids.append(file.Root.Pages)

    def crowded(file: pikepdf.Pdf) -> None:
        file.pages[0].Contents = file.make_stream(b"q 1 0 0 1 0 0 cm " * 900_000)

    def formed(file: pikepdf.Pdf) -> None:
        form = file.make_stream(b"/X Do /X Do", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 9, 9])
        form.Resources = Dictionary(XObject=Dictionary(X=form))
        file.pages[0].Resources = Dictionary(XObject=Dictionary(X=form))
        file.pages[0].Contents = file.make_stream(b"/X Do")

    def scripted(file: pikepdf.Pdf) -> None:
        file.Root.OpenAction = Dictionary(S=Name.JavaScript, JS="app.alert(1)")
        file.docinfo["/Title"] = "\x1b[2J\u202e"

    def pictured(file: pikepdf.Pdf) -> None:
        image = pikepdf.Stream(file, b"")
        image.write(packed(10**8), filter=Name.FlateDecode)
        image.Type, image.Subtype, image.Width, image.Height, image.BitsPerComponent, image.ColorSpace = Name.XObject, Name.Image, 99999, 99999, 8, Name.DeviceRGB
        file.pages[0].Resources = Dictionary(XObject=Dictionary(X=image))
        file.pages[0].Contents = file.make_stream(b"/X Do")

    changes = {"bomb": bomb(10**9), "bombs": bomb(10**9, 3), "looped": looped, "crowded": crowded, "formed": formed, "scripted": scripted, "pictured": pictured,
        "boxed": lambda file: setattr(file.pages[0], "MediaBox", [0, 0, 10**18, -(10**18)]), "no box": lambda file: file.pages[0].__delitem__("/MediaBox"), "no page": lambda file: file.pages.__delitem__(slice(None)), "many": lambda file: file.pages.extend([file.pages[0]] * 3000), "turned": lambda file: setattr(file.pages[0], "Rotate", 7)}
    for name, change in changes.items():
        yield name, made(change)
    for revision in (2, 3, 4, 6):
        for user in ("", "x"):
            yield f"locked {revision} {user}", made(lambda file: None, encryption=pikepdf.Encryption(owner="o", user=user, R=revision, aes=revision > 3, metadata=revision > 3))
    yield from ((f"torn {at}", whole[: len(whole) * at // 12]) for at in range(12))
    yield from ((f"flipped {at}", flipped(whole, len(whole) * at // 25, at % 8)) for at in range(25))
    for number, data in enumerate((b"%PDF-1.7", b"%PDF-1.7\n" + b"1 0 obj<<" * 99_999, bytes(9999), whole * 2, b"\x1b[2J" + whole, whole.replace(b"/Type", b"/Tipe"), whole.replace(b"obj", b"jbo"), whole[::-1], whole[:-200] + b"startxref\n99999999999\n%%EOF", whole[:-200] + b"startxref\n0\n%%EOF", SHIP.encode(), png(9, 9), zipped({"a": Blank(10**8)}), b"[" * 999_999)):
        yield f"bytes {number}", data


def corpus(good: bytes) -> Iterator[Attack]:
    """All inputs, none twice; ``good`` is the ``print.pdf`` of the plain game."""
    for make, commands in ((templates, LOOKS), (drawings, LOOKS), (fonts, LOOKS), (pictures, LOOKS), (books, LOOKS[:3]), (tables, READS), (settings, READS), (links, LOOKS[:4]), (names, LOOKS[:4])):
        for number, (name, files) in enumerate(make()):
            yield Attack(make.__name__, name, files, commands[number % len(commands)])
    for name, data in printed(good):
        yield Attack("verify", name, {"x.pdf": data}, ("verify", "x.pdf", "--game", "tiny") if len(data) % 2 else ("verify", "x.pdf"))
    for name, files, command in imports():
        yield Attack("imports", name, files, command)
