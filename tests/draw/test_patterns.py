"""Drawings that differ in words only are cut as each would be alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from desk import Desk, drawing
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from pnp.draw import layers
from pnp.draw.layers import Patterns

SHAPE, PICTURE = '<rect width="9" height="9"/>', '<image href="sun" x="1" y="1" width="5" height="5"/>'
LABEL = '<text x="3" y="9" font-size="4">7</text>'
TURNED = '<g transform="rotate(90 9 9)">{}<circle r="3"/></g>'
BOX = '<foreignObject x="{}" y="2" width="20" height="10"{}>{}</foreignObject>'
MISSING = '<image href="none" x="1" y="1" width="5" height="5"/>'
COMMENTED = f"<!-- {BOX.format(1, '', 'nothing')} -->"
WORDS = st.text(st.sampled_from("ab *_:&<>'\"\n\té;x{}")) | st.sampled_from(
    ["&amp;", "&#160;", "**bold**", ":sun:", ":moon:", "a\r\nb", "]]>", "x" * 300, ""]
)
RAW = st.sampled_from(["&#160;x", "<![CDATA[a]]>", "<b>a</b>", "a<!-- b -->", "&nbsp;"])
PARTS = st.lists(st.sampled_from([SHAPE, PICTURE, MISSING, LABEL, COMMENTED, "box", "turned", "odd box"]), max_size=7)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    desk = Desk(Path(tmp_path_factory.mktemp("patterns")))
    desk.art("sun", '<circle cx="5" cy="5" r="5"/>')
    return desk


@given(PARTS, st.data())
def test_a_drawing_cut_with_others_is_cut_as_alone(desk: Desk, parts: list[str], data: st.DataObject) -> None:
    """The same layers, faults and snippets, whatever stands in its text boxes and wherever they are."""

    def content() -> str:
        made = []
        for number, part in enumerate(parts):
            words = str(escape(data.draw(WORDS))) if data.draw(st.integers(0, 5)) else data.draw(RAW)
            box = BOX.format(number, ' data-name="a>b"' if part == "odd box" else "", words)
            made.append({"box": box, "odd box": box, "turned": TURNED.format(box)}.get(part, part))
        return drawing("".join(made), "0 0 40 30")

    together = Patterns()
    for text in [content() for _ in range(4)]:
        assert outcome(desk, together, text) == outcome(desk, Patterns(), text)


def outcome(desk: Desk, patterns: Patterns, text: str) -> object:
    """Its layers and faults."""
    faults: list[tuple[object, ...]] = []
    try:
        cut = patterns.cut(
            text, desk.frame, desk.tools, lambda fault, snippet: faults.append((fault.message, fault.box, snippet))
        )
    except layers.svg.BadDrawing as fault:
        return fault.message
    return cut, faults


def test_all_but_the_words_is_cut_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is what it is for."""
    parsed = []
    monkeypatch.setattr(layers.svg, "parse", lambda text, real=layers.svg.parse: parsed.append(text) or real(text))
    patterns = Patterns()
    for words in ("one", "two &amp; three", ""):
        text = drawing(SHAPE + BOX.format(1, "", words) + PICTURE, "0 0 40 30")
        patterns.cut(text, desk.frame, desk.tools, lambda *_: None)

    assert len(parsed) == 1
