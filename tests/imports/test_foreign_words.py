"""What the importers read one by one: lengths, sums, scripts, layouts, words and colours of other tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from pnp.draw.markup import plain as shown
from pnp.draw.markup import read
from pnp.imports.cider import declared, filled, pixels, rules_of
from pnp.imports.deck import Column, Source, Table, colour, from_html
from pnp.imports.nandeck import worked_out
from pnp.imports.ruby import Assign, Cells, Names, NotRead, statements, worth
from pnp.imports.squib import Lengths, read_layout
from pnp.sandbox.markup import literally

HERD = Table(["name", "climb"], [{"name": "Nanny", "climb": "40"}, {"name": "Billy", "climb": ""}])
AS_THEY_STAND = ("2 * 3", "**two**", "snake_case", "\\*", "- no list", "1. no list", ":heart:",
                 "3 ~~Old~~ [one]{red}", "a|b\n-|-\nc|d", "Above\n---\nbelow",
                 "now\n* a list", "<b>x</b> &amp; y", "`code` [here](there)",
                 "it is a - b: 3 < 4 (2/3)!")  # fmt: skip


@pytest.mark.parametrize("text", AS_THEY_STAND)
def test_a_text_of_another_tool_prints_as_it_stands(text: str) -> None:
    """Whatever Markdown would make of it: of a plain text every letter means itself."""
    found = read(literally(text))

    assert shown(found.blocks) == text and not found.slips


def test_html_becomes_markdown_and_what_it_cannot_be_is_named() -> None:
    """Bold, italic, breaks and lists; the letters between them mean themselves."""
    words, lost = from_html("Come <b>up </b>here,<br>2 * 3 <i>now</i> &amp; <u>then</u><ul><li>one</li><li>two</li></ul>")

    assert words == "Come **up** here,\n2 * 3 *now* & then\n- one\n\n- two"
    assert lost == ["<u>"]


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("dark_red", ("#8b0000", 1)),
        ("0xFF000080", ("#ff0000", 0.502)),
        ("#FFFF0000FFFF", ("#ff00ff", 1)),
        ("#0000", ("none", 1)),
        ("reddish", None),
    ],
)
def test_colours_of_other_tools_are_read(written: str, found: tuple[str, float] | None) -> None:
    """Names with and without underscores, with how opaque they are before or after, and those of CSS."""
    assert colour(written) == found


@pytest.mark.parametrize(
    ("given", "found"),
    [
        *(("1in", 300), ("10mm", 10 / 25.4 * 300), ("2 cells", 75), ("0.5c", 18.75), ("72pt", 300), (40, 40)),
        *(("deck - 1in", 525), ("middle + 2c", 487.5), ("center", 412.5), ("deck / 3", 275)),
    ],
)
def test_lengths_of_squib_are_pixels(given: object, found: float) -> None:
    """Units, cells, and the words that stand for parts of the card."""
    assert Lengths().pixels(given, 825) == pytest.approx(found)


def test_layouts_extend_each_other(tmp_path: Path) -> None:
    """Of two parents the later one holds; a change of a length is worked out; a circle ends."""
    file = tmp_path / "layout.yml"
    file.write_text(
        "one:\n  x: 10\n  y: 1in\ntwo:\n  extends: one\n  x: += 5\n  y: -= 1mm\n"
        "three:\n  extends: [one, two]\n  width: 9\nround:\n  extends: about\nabout:\n  extends: round\n  x: 3\n"
    )
    found = read_layout(Source(tmp_path, file), "layout.yml", {}, Lengths())

    assert found["two"]["x"] == 15 and found["two"]["y"] == pytest.approx(300 - 300 / 25.4)
    assert found["three"] == {"x": 15, "y": found["two"]["y"], "width": 9}
    assert found["about"] == {"x": 3}


def test_what_is_written_on_each_card_is_told_by_columns_where_it_can_be() -> None:
    """An interpolation keeps its column; a method is not worked out, and what only a run knows is refused."""
    names = Names({"data": HERD})

    def of(script: str) -> object:
        (made,) = statements(f"x = {script}")
        assert isinstance(made, Assign)
        return worth(made.value, names)

    climbs = of('data["climb"].map { |c| "#{c} m" }')
    assert isinstance(climbs, Cells) and climbs.value == (Column("climb"), " m") and climbs.texts == ("40 m", " m")
    loud = of("data['name'].map { |n| n + '!' }")
    assert isinstance(loud, Cells) and loud.texts == ("Nanny!", "Billy!")
    assert of("[75 + 2 * 10, 0..2, {a: 'b'}]") == [95, [0, 1, 2], {"a": "b"}]
    with pytest.raises(NotRead, match="upcase"):
        of("data['name'].map { |n| n.upcase }")
    with pytest.raises(NotRead, match="Time"):
        of("Time.now")
    with pytest.raises(NotRead, match="no column"):
        of("data['horns']")


@pytest.mark.parametrize(("text", "found"), [("2+3*4", 14), ("(2+3)*4-1", 19), ("10-4-3", 3)])
def test_sums_are_worked_out(text: str, found: float) -> None:
    """In their order, from left to right."""
    assert worked_out(text) == found


def test_handlebars_are_filled_in_and_unknown_ones_named() -> None:
    """Cells by any spelling of their column, one within the other; helpers, sums and loops are told, and left out."""
    told: dict[str, None] = {}
    row = {"name": "Nanny", "card_id": "7", "horns": ""}
    text = "{{card.name}} {{card.card-id}} {{#if horns}}horned{{else}}{{#if name}}bare{{/if}}{{/if}} {{{name}}}{{! no }} "
    text += (
        "{{#each x}}y{{name}}{{else}}z{{/each}}{{#if (gt card.card-id 5)}}high{{else}}low{{/if}}{{uppercase name}}{{nobody}}"
    )

    assert filled(text, row, told) == "Nanny 7 bare Nanny "
    assert [each.partition("\0")[0] for each in told] == [
        "{{#each x}}", "{{#if (gt card.card-id 5)}}", "{{uppercase name}}", "{{nobody}}",
    ]  # fmt: skip
    assert filled("{{assets.ram}} {{index assets card.name}}", row, told) == "asset:ram asset:nanny"


def test_rules_for_browsers_are_not_taken_for_others() -> None:
    """What stands before a card is no rule of the card; it is told. Quotes and comments part nothing."""
    css = ".card { color: red } .card::before { color: blue } .card:hover { width: 1px } /* .x {} */ "
    css += "@media print { .card { color: green } } .a, .b > p { content: ';}'; top: 1mm /* ; */ }"
    rules, unread = rules_of(css)

    quoted = {"content": '";}"', "top": "1mm"}
    assert rules == [((".card",), {"color": "red"}), ((".a",), quoted), ((".b", "p"), quoted)]
    assert unread == [".card::before", ".card:hover", "@media print"]
    assert declared("width: " + "(" * 5_000) == {"width": ""}
    assert declared("background: url(a;b); top: 1mm")["top"] == "1mm" and pixels("1in") == 96
