"""A book's text is filled in, its faults have lines, and nothing typed into it runs long, grows large or reaches Python."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import pytest

from pnp.read.languages import words_of
from pnp.sandbox.jinja import MOST_OUTPUT, Documents
from pnp.values.problems import Fault, Place
from pnp.values.tables import Cell, Row

# Every hostile text is stopped well within this, also on a slow and busy machine.
SECONDS = 15.0
HERE = Place("content/tiny/cards.csv", 2)
CELLS = {"name": "Fox", "cost": 2, "text": None}
FOX = Row("fox", 3, HERE, {key: Cell(value, str(value), HERE) for key, value in CELLS.items()}, set())


def fill(text: str, **names: Any) -> str:
    """A text filled in."""
    return Documents({"count": lambda name: 12, "xs": [1, 2, 3], "fox": FOX, **names}).fill(text)


def refused(text: str, names: Mapping[str, Any] | None = None) -> Fault:
    """Why a text is not filled in; it is refused soon."""
    started = time.monotonic()
    with pytest.raises(Fault) as bad:
        fill(text, **(names or {}))
    assert time.monotonic() - started < SECONDS
    return bad.value


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("{{ fox }}, {{ fox.name }}, {{ fox.cost + 1 }}, {{ fox.id }}, {{ fox.copies }}", "Fox, Fox, 3, fox, 3"),
        ("{{ fox.text }}|{{ fox.text or '–' }}", "|–"),
        ("{% set x = 5 %}{{ x }} {% set y %}b{{ x }}{% endset %}{{ y }}", "5 b5"),
        ("{% macro two(x, y=1) %}{{ x }}-{{ y }}{% endmacro %}{{ two(3) }} {{ two(4, y=5) }}", "3-1 4-5"),
        ("{% if count('x') > 10 and 2 in xs and 'o' in 'fox' %}many{% else %}few{% endif %}", "many"),
        ("<b>&</b> {{ '<i>' }}", "<b>&</b> <i>"),
    ],
)
def test_texts_are_filled_in(typed: str, expected: str) -> None:
    """Numbers, rows, choices, loops, macros; an empty cell says nothing, and nothing is escaped: this is Markdown."""
    assert fill(typed) == expected


def test_lines_of_tags_leave_no_empty_lines() -> None:
    """A table made by a loop stays one table."""
    typed = "| a |\n|---|\n{% for x in xs %}\n  {% if x != 2 %}\n| {{ x }} |\n  {% endif %}\n{% endfor %}\nend\n"

    assert fill(typed) == "| a |\n|---|\n| 1 |\n| 3 |\nend\n"


def test_loops_know_where_they_are() -> None:
    """Its number, and whether it is the first or last time round."""
    typed = "{% for x in xs %}{{ loop.index }}/{{ loop.length }}{% if not loop.last %}, {% endif %}{% endfor %}"

    assert fill(typed) == "1/3, 2/3, 3/3"
    assert fill("{% for x in xs | map('string') %}{{ loop.index0 }}{{ 'f' if loop.first }}{% endfor %}") == "0f12"


def test_the_same_text_is_filled_in_alike() -> None:
    """Nothing is left over from one text to the next."""
    documents = Documents({})

    assert documents.fill("{% set x = 1 %}{{ x }}") == "1"
    with pytest.raises(Fault):
        documents.fill("{{ x }}")


@pytest.mark.parametrize(
    ("typed", "line", "said"),
    [
        ("a\n\n{{ cout('x') }}", 3, '"cout" is not known'),
        ("a\n{% for x in xs %}\n\n{{ x.weight }}\n{% endfor %}", 4, '"weight" cannot be asked of 1'),
        ("a\n{{ 1 / 0 }}", 2, "divides by 0"),
        ("a\n{% macro m() %}\n{{ zork }}\n{% endmacro %}\n\n{{ m() }}", 3, '"zork" is not known'),
        ("a\n{{ xs }}", 2, "a list is no text"),
        ("a\n\n{{ }}", 3, ""),
        ("a\n{{ x | lost }}", 2, "lost"),
    ],
)
def test_a_fault_is_named_with_its_line(typed: str, line: int, said: str) -> None:
    """The line of the file, also within loops and macros, and why in words."""
    bad = refused(typed)

    assert (bad.place, said in str(bad)) == (Place("", line), True), str(bad)


def test_a_misspelt_name_is_told_the_known_ones() -> None:
    """With what was probably meant."""
    bad = refused("{{ cout('x') }}")
    column = refused("{{ fox.nmae }}")

    assert bad.value == "cout" and "count" in bad.allowed and bad.hint == 'Did you mean "count"?'
    assert column.value == "nmae" and column.allowed.startswith("name, cost, text") and column.hint == 'Did you mean "name"?'


HOSTILE = {
    "a macro without end": "{% macro m() %}{{ m() }}{% endmacro %}\n{{ m() }}",
    "brackets": "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "a wide range": "{% for a in range(10 ** 9) %}{% endfor %}",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_has_no_end_is_refused_in_a_sentence(text: str) -> None:
    """Where it can be seen before the watchdog ends it."""
    assert str(refused(text))


def test_what_is_stopped_says_so() -> None:
    """In words, with the line where it was at work."""
    macro = refused(HOSTILE["a macro without end"])
    long = refused("{% set x = '" + "a" * 10_000 + "' %}\n{% for a in range(90000) %}{{ x }}{% endfor %}")

    assert (macro.place, str(macro)) == (Place("", 1), "it calls itself without end")
    assert (long.place, str(long)) == (Place(""), f"it makes more than {MOST_OUTPUT // 1_000_000} MB of text")


def test_numbers_are_written_in_words() -> None:
    """English ones up to ninety-nine, those of a language that pnp speaks as far as they go, all others in figures."""
    assert fill("{{ 6 | in_words }} {{ 21 | in_words | capitalize }} {{ count('x') | in_words }}") == "six Twenty-one twelve"
    assert "in_words cannot write 100" in str(refused("{{ 100 | in_words }}"))
    assert "in_words cannot write true" in str(refused("{{ true | in_words }}")).lower()
    told = "{{ 6 | in_words }} {{ 12 | in_words | capitalize }} {{ 13 | in_words }}"
    german = words_of("de")
    assert german is not None
    assert Documents({}, "de-AT", german).fill(told) == "sechs Zwölf 13"
    assert Documents({}, "fr").fill(told) == "6 12 13"


def test_a_long_book_is_no_attack() -> None:
    """A thousand pages' worth of calls and loops go through."""
    text = "{% for x in range(20000) %}{{ count('x') }} {{ fox.name }} {{ 'a' ~ x }}\n{% endfor %}"

    assert fill(text).count("12 Fox a") == 20_000


@pytest.mark.parametrize(
    "typed",
    [
        "{{ count.__globals__ }}",
        "{{ xs.append(1) }}",
        "{{ fox.cells }}",
        "{{ [fox] | map(attribute='cells') | first }}",
        "{% for x in xs %}{{ loop._iterable }}{% endfor %}",
        "{% include '/etc/passwd' %}",
        "{% extends 'shared/face.svg.j2' %}",
        "{{ '\\ue000figure:0\\ue001' }}",
        "{% do xs.append(1) %}",
    ],
)
def test_nothing_of_python_or_of_other_files_is_reached(typed: str) -> None:
    """No attribute, filter, global or file beside those that books are given; no mark of a figure is forged."""
    bad = refused(typed)

    assert "0x" not in str(bad) and "<class" not in str(bad)
