"""Text boxes and labels: what their settings mean, what they are without them, and what is said about wrong ones."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import examples
from desk import Desk
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.draw import data, textbox
from pnp.draw.markup import BadText
from pnp.shapes.units import PT_PER_MM
from pnp.svg import safe as svg
from pnp.values.faces import TextPiece


def element(name: str, content: str, attributes: dict[str, str]) -> svg.Element:
    """An element with these attributes."""
    root = svg.parse(f'<svg xmlns="{svg.SVG}"><{name}>{content}</{name}></svg>')
    root[0].attrib.update(attributes)
    return root[0]


def read(piece: TextPiece) -> dict[str, Any]:
    """A box or label as the book's fixed program reads it."""
    (made,) = json.loads(json.dumps(data.texts([piece], 1, 1)))["pieces"]
    return dict(made)


def box(desk: Desk, content: str = "Text", **options: str) -> dict[str, Any]:
    """A box of 30 × 20 mm with these ``data-`` settings."""
    given = {"width": "30", "height": "20", **{f"data-{key}": value for key, value in options.items()}}
    tools = desk.tools
    made = textbox.box(element("foreignObject", content, given), desk.language, tools.palette, tools.fonts, tools.art).box
    return read(made)


def label(desk: Desk, content: str = "3", inherited: dict[str, str] | None = None, **attributes: str) -> dict[str, Any]:
    """A label in 5 mm type with these attributes."""
    given = {"font-size": "5", **{key.replace("_", "-"): value for key, value in attributes.items() if value}}
    return read(textbox.label(element("text", content, given), inherited or {}, desk.tools.fonts))


DEFAULTS = {
    "name": "", "fonts": ["Source Sans Pro"], "sizes": [9 - step / 4 for step in range(11)], "fill": "#000000",
    "weight": 400, "style": "normal", "lang": "en", "dir": "ltr", "hyphenate": False,
    "leading": 1.18, "tracking": 0, "align": "left", "valign": "top", "x": 0, "y": 0, "w": 30, "h": 20,
}  # fmt: skip


def test_a_box_without_settings(desk: Desk) -> None:
    """A box says 9 to 6.5 pt, black, upright, top left, in the game's body font and language."""
    made = box(desk)

    assert {key: made[key] for key in DEFAULTS} == DEFAULTS


@pytest.mark.parametrize(
    ("setting", "written", "key", "meant"),
    [
        ("name", "rules", "name", "rules"),
        ("size", "12", "sizes", [12]),
        ("size", "9 8.5", "sizes", [9, 8.75, 8.5]),
        ("size", " 7  6.9 ", "sizes", [7, 6.9]),
        ("font", "Amatic SC", "fonts", ["Amatic SC", "Source Sans Pro"]),
        ("weight", "700", "weight", 700),
        ("style", "italic", "style", "italic"),
        ("fill", "#aBc", "fill", "#aabbcc"),
        ("fill", "#A1B2C3", "fill", "#a1b2c3"),
        ("align", "justify", "align", "justify"),
        ("valign", "bottom", "valign", "bottom"),
        ("lang", "de", "lang", "de"),
        ("lang", "pt-BR", "lang", "pt"),
        ("dir", "rtl", "dir", "rtl"),
        ("leading", "1.5", "leading", 1.5),
        ("tracking", "0.05", "tracking", 0.05),
        ("same", "rules", "same", "rules"),
        ("hyphenate", "yes", "hyphenate", True),
        ("hyphenate", "no", "hyphenate", False),
    ],
)
def test_a_setting_does_what_it_says(desk: Desk, setting: str, written: str, key: str, meant: object) -> None:
    """Each setting changes what it names, and nothing besides."""
    made = box(desk, **{setting: written})

    assert made[key] == meant
    changed = {name for name in DEFAULTS if made[name] != DEFAULTS[name]}
    assert changed <= ({key, "align"} if setting == "dir" else {key})


@pytest.mark.parametrize(
    ("setting", "written", "allowed", "hint"),
    [
        ("size", "", "", ""), ("size", "big", "", ""), ("size", "6 9", "", ""), ("size", "9 8 7", "", ""),
        ("size", "1", "", ""), ("size", "401", "", ""), ("size", "nan", "", ""), ("size", "9pt", "", ""),
        ("weight", "bold", "100 to 900", ""), ("weight", "99", "100 to 900", ""), ("weight", "901", "100 to 900", ""),
        ("style", "itallic", "normal, italic", "italic"), ("fill", "reed", "a name of CSS", '"red"'),
        ("fill", "#12345", "#rrggbb", ""), ("fill", "none", "#rrggbb", ""),
        ("align", "centre", "left, center, right, justify", "center"),
        ("valign", "midle", "top, middle, bottom", "middle"), ("dir", "rlt", "ltr, rtl", "rtl"),
        ("leading", "0.6", "0.7 to 3", ""), ("leading", "x", "0.7 to 3", ""), ("tracking", "2", "-0.2 to 1", ""),
        ("tracking", "nan", "-0.2 to 1", ""), ("hyphenate", "true", "yes, no, auto", ""), ("lang", "english", "", ""),
        ("lang", "", "", ""), ("lang", "e1", "", ""), ("font", "Amatik SC", "", "Amatic SC"), ("font", "boddy", "", "body"),
        ("font", "", "", ""),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named(desk: Desk, setting: str, written: str, allowed: str, hint: str) -> None:
    """The value at fault, what is allowed, and what was probably meant."""
    with pytest.raises(BadText) as fault:
        box(desk, **{setting: written})

    assert fault.value.value == written
    assert allowed in fault.value.allowed
    assert fault.value.allowed
    assert hint in fault.value.hint


@pytest.mark.parametrize(
    ("attribute", "near"), [("data-sizes", "data-size"), ("align", "data-align"), ("data-valgin", "data-valign")]
)
def test_an_unknown_setting_is_named(desk: Desk, attribute: str, near: str) -> None:
    """A misspelt setting is not passed over, and the near one is proposed."""
    with pytest.raises(BadText) as fault:
        made = element("foreignObject", "", {"width": "1", "height": "1", attribute: "x"})
        textbox.box(made, "en", {}, desk.tools.fonts, desk.tools.art)

    assert (fault.value.rule, fault.value.value) == ("unknown-text-setting", attribute)
    assert f'"{near}"' in fault.value.hint
    assert "data-leading" in fault.value.allowed


def test_a_text_has_twenty_thousand_letters_at_most(desk: Desk) -> None:
    """Blanks around it are none of them; with a letter more nobody tries to set it."""
    assert box(desk, "\n" + "ab " * 6666 + "cd \n")["sizes"]
    with pytest.raises(BadText, match="a text has 20001 letters") as fault:
        box(desk, "ab " * 6666 + "cde")
    assert fault.value.allowed == "20000 letters"


@settings(max_examples=examples(200), deadline=None)
@given(st.floats(2, 400), st.floats(2, 400))
def test_sizes_run_from_the_largest_to_the_smallest(one: float, two: float) -> None:
    """Both ends are among the sizes, and a step is never more than a quarter point."""
    largest, smallest = max(round(one, 2), round(two, 2)), min(round(one, 2), round(two, 2))
    found = textbox._sizes(f"{largest} {smallest}")

    assert (found[0], found[-1]) == (largest, smallest)
    assert all(0 < first - second <= 0.2501 for first, second in pairwise(found))


@pytest.mark.parametrize("language", ["ar", "he", "fa", "ur", "yi", "ar-EG", "HE"])
def test_direction_comes_with_the_language(tmp_path: Path, language: str) -> None:
    """Languages written from the right start at the right, unless the box says else; that of the game is the box's. Latin
    letters alone run from the left there, at the side where others begin; with ``dir`` they do not."""
    desk = Desk(tmp_path, language=language.lower())

    for more in ({}, {"lang": language}):
        assert (box(desk, "12", **more)["dir"], box(desk, "12", **more)["align"]) == ("rtl", "right")
    assert (box(desk, dir="ltr")["dir"], box(desk, align="left")["align"]) == ("ltr", "left")
    assert [box(desk, "Draw.", **more)["dir"] for more in ({}, {"dir": "rtl"})] == ["ltr", "rtl"]
    assert box(desk, "Draw.")["align"] == "right"


def test_long_texts_are_hyphenated(desk: Desk) -> None:
    """Titles are not hyphenated, paragraphs are."""
    assert not box(desk, "x" * 60)["hyphenate"]
    assert box(desk, "x " * 31 + "x")["hyphenate"]
    assert not box(desk, "x " * 31 + "x", hyphenate="no")["hyphenate"]


def test_the_games_ink_is_the_colour_of_texts(tmp_path: Path) -> None:
    """The palette's ``ink`` is the colour of a box that names none."""
    assert box(Desk(tmp_path, palette={"ink": "#123456"}))["fill"] == "#123456"


def test_families_fall_back_in_order(tmp_path: Path) -> None:
    """First the fonts that the box names, by role or family, then the game's others, each once."""
    desk = Desk(tmp_path, fonts={"title": "Fredoka One", "body": "Source Serif Pro", "hand": "Amatic SC"})

    assert box(desk)["fonts"] == ["Source Serif Pro", "Fredoka One", "Amatic SC"]
    assert box(desk, font="hand")["fonts"] == ["Amatic SC", "Source Serif Pro", "Fredoka One"]
    assert box(desk, font="Source Sans Pro, hand")["fonts"] == [
        "Source Sans Pro", "Amatic SC", "Source Serif Pro", "Fredoka One",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Gold 金", "金"),
        ("\ue123 \uf8ff", "\ue123"),
        ("\U0001f600", "\U0001f600"),
        ("plain *Привет*", "П"),
        ("**_αβγ_**", "α"),
    ],
)
def test_a_character_that_no_font_has_is_named(desk: Desk, text: str, missing: str) -> None:
    """The character and its number are told, so that nothing vanishes or turns into boxes, in italics neither."""
    with pytest.raises(BadText, match=f"U\\+{ord(missing):04X}") as fault:
        box(desk, text)

    assert (fault.value.rule, fault.value.value) == ("missing-glyph", missing)


@pytest.mark.parametrize(
    "text",
    [
        "Привет αβγ",
        "a\u00a0b\u200bc\u00add\u202fe",
        "a\ufe0f",
        "שלום a",
        "½ × – … „“ €",
        "\u200fa",
    ],
)
def test_characters_that_some_font_has_are_fine(tmp_path: Path, text: str) -> None:
    """Another font of the game may help out, and what is invisible needs no glyph."""
    assert box(Desk(tmp_path, fonts={"hand": "Amatic SC"}), text)["source"] == text.strip()


def test_icons_bring_their_drawings(desk: Desk) -> None:
    """An icon's file comes along, in the colour of the text, with its shape."""
    desk.art("icons/gold", '<path fill="currentColor" d="M0 0"/>', "0 0 30 10")
    made = element("foreignObject", "Take :gold:\n- :gold:", {"width": "9", "height": "9", "data-fill": "#abcdef"})
    boxed = textbox.box(made, "en", {}, desk.tools.fonts, desk.tools.art)
    found, files = boxed.box, boxed.files
    piece = read(found)
    (file,) = files

    assert b"#abcdef" in files[file]
    assert [span for span in piece["blocks"][0]["spans"] if "icon" in span] == [{"name": "gold", "icon": file, "ratio": 3.0}]
    assert piece["blocks"][1]["items"][0][0]["spans"] == [{"name": "gold", "icon": file, "ratio": 3.0}]


def test_a_label_takes_what_the_groups_around_say(desk: Desk) -> None:
    """Its own attributes first, then those of its groups, then black and body."""
    around = {"fill": "#ff0000", "font-size": "4", "font-weight": "bold", "text-anchor": "end", "font-family": "Amatic SC"}

    assert {key: label(desk)[key] for key in ("fill", "weight", "style", "anchor", "fonts", "x", "y")} == {
        "fill": "#000000", "weight": 400, "style": "normal", "anchor": "start", "fonts": ["Source Sans Pro"], "x": 0, "y": 0,
    }  # fmt: skip
    made = label(desk, inherited=around, fill="#00ff00")
    assert (made["fill"], made["weight"], made["anchor"], made["fonts"][0]) == ("#00ff00", 700, "end", "Amatic SC")
    assert made["size"] == pytest.approx(5 * PT_PER_MM, abs=1e-4)


@pytest.mark.parametrize(
    ("attributes", "content", "plain"),
    [
        ({"x": "1", "y": "2", "font-size": "3", "transform": "rotate(9)"}, "3", True),
        ({}, "<tspan>3</tspan>", False),
        ({"letter-spacing": "1"}, "3", False),
        ({"style": "fill:red"}, "3", False),
        ({"opacity": "0.5"}, "3", False),
    ],
)
def test_what_is_a_label(attributes: dict[str, str], content: str, plain: bool) -> None:
    """A label is one line with nothing but place, font and colour."""
    assert textbox.is_label(element("text", content, attributes)) is plain
