"""SVG files as programs save them are taken: packed, in their encodings, with namespaces left out or named by entities."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from desk import Desk

from pnp.svg import safe as svg
from pnp.svg.safe import text_of_file

ILLUSTRATOR = """<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: an <svg> is made here -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
	<!ENTITY ns_svg "http://www.w3.org/2000/svg">
	<!ENTITY ns_xlink 'http://www.w3.org/1999/xlink'>
	<!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">
]>
<svg xmlns="&ns_svg;" xmlns:xlink="&ns_xlink;" xmlns:i="&ns_ai;" width="10" height="20">
<switch><foreignObject requiredExtensions="&ns_ai;"><i:pgfRef xlink:href="#pgf"/></foreignObject>
<g i:extraneous="self"><rect width="5" height="5"/></g></switch>
</svg>
"""
PLAIN = '<svg viewBox="0 0 1 1"><rect width="1" height="1"/></svg>'


def read(data: bytes) -> str:
    return svg.text_of(svg.parse(text_of_file(data)))


def test_what_illustrator_saves_is_taken(tmp_path: Path) -> None:
    """Its namespaces are entities; of what it keeps for itself nothing is drawn."""
    desk = Desk(tmp_path)
    desk.write("art/a.svg", ILLUSTRATOR)
    found = desk.tools.art.drawing("a")

    assert (found.width, found.height) == (10, 20)
    assert b"foreignObject" not in found.data
    assert b'<rect width="5"' in found.data


@pytest.mark.parametrize(
    ("offered", "drawn"),
    [
        ('<path id="a" systemLanguage="de"/><path id="b"/>', "b"),
        ('<path id="a" systemLanguage="de"/>', "a"),
        ('<flowRoot id="a" requiredFeatures="1.2"/><path id="b"/>', "b"),
    ],
)
def test_of_what_is_offered_one_is_drawn(tmp_path: Path, offered: str, drawn: str) -> None:
    """What is meant for all before what is meant for some."""
    desk = Desk(tmp_path)
    desk.art("a", f"<switch>{offered}</switch>")
    data = desk.tools.art.drawing("a").data

    assert [name for name in ("a", "b") if f'id="{name}"'.encode() in data] == [drawn]


def test_a_web_page_in_a_drawing_is_refused(tmp_path: Path) -> None:
    """The plain text beside it is often cut short."""
    desk = Desk(tmp_path)
    desk.art("a", "<switch><foreignObject/><text>Long te…</text></switch>")
    with pytest.raises(svg.BadDrawing, match="foreignObject"):
        desk.tools.art.drawing("a")


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        f"<?xml version='1.0'?><!-- no <svg xmlns='x'> here -->{PLAIN}",
        f"<!DOCTYPE svg [<!ENTITY a 'b>'>]>{PLAIN}",
        PLAIN.replace("<rect", '<use xlink:href="#a"/><g inkscape:label="sea" sodipodi:nodetypes="cc"/><rect'),
        PLAIN.replace("<svg", "<svg\n"),
    ],
)
def test_what_everybody_knows_may_be_left_out(content: str) -> None:
    """The namespace of SVG itself, and of the prefixes that programs use."""
    assert "rect" in read(content.encode())


@pytest.mark.parametrize(
    "content",
    ['<svg xmlns="http://example.org"/>', "<html><svg/></html>", '<svg foo:bar="1"/>', "<g/>", "<svg"],
)
def test_what_is_not_certain_is_refused(content: str) -> None:
    """Another namespace, another root, a prefix that could mean anything."""
    with pytest.raises(svg.BadDrawing):
        read(content.encode())


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.encode("utf-16"),
        f'<?xml version="1.0" encoding="UTF-16"?>{PLAIN}'.encode("utf-16"),
        f'<?xml version="1.0" encoding="windows-1252"?><!-- \u00fc -->{PLAIN}'.encode("cp1252"),
        gzip.compress(PLAIN.encode(), mtime=0),
    ],
)
def test_encodings_are_those_that_the_file_names(data: bytes) -> None:
    """A byte order mark, a declaration, a packed file."""
    assert "rect" in read(data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (gzip.compress(b" " * (svg.MOST_BYTES + 1), mtime=0), "once it is unpacked"),
        (gzip.compress(PLAIN.encode(), mtime=0)[:-9], "before its end"),
        (b"\x1f\x8b\x08nonsense", "cannot be unpacked"),
        (b'<?xml version="1.0" encoding="rot13"?><svg/>', "viewBox|well-formed|encoding"),
        (b'<?xml version="1.0" encoding="windows-1252"?><svg>\x81</svg>', "is not the windows-1252 text"),
    ],
)
def test_what_cannot_be_unpacked_or_read_is_refused(data: bytes, reason: str) -> None:
    """Bounded, and with the reason."""
    with pytest.raises(svg.BadDrawing, match=reason):
        svg.view_box(svg.parse(text_of_file(data)))


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY a "red">',
        '<!ENTITY a "http://example.org/&b;"><!ENTITY b "http://example.org/">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY a "http://example.org/<script/>">',
        '<!ENTITY % a "http://example.org/">',
    ],
)
def test_other_entities_stay_refused(declared: str) -> None:
    """Only a plain name of a namespace is put in; whatever grows or comes from outside is not."""
    with pytest.raises(svg.BadDrawing):
        read(f'<!DOCTYPE svg [{declared}]><svg id="&a;"/>'.encode())


def test_entities_bring_nothing_in_and_stay_within_bounds() -> None:
    """What one stands for is looked at like everything else; a short name that is used a million times is told."""
    long = "http://example.org/" + "a" * 180
    for text, said in (
        ('<!DOCTYPE svg [<!ENTITY a "http://example.org">]><svg><use href="&a;"/></svg>', "outside"),
        (f'<!DOCTYPE svg [<!ENTITY a "{long}">]><svg id="{"&a;" * 100_000}"/>', "8 MB"),
    ):
        with pytest.raises(svg.BadDrawing, match=said):
            read(text.encode())
