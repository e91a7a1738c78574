"""Templates are filled in a sandbox: values arrive as text, names are known or named, nothing of Python shows."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from pnp.draw.template import Templates
from pnp.read.project import shipped_templates
from pnp.values.problems import Fault, Place
from pnp.values.tables import Cell, Number, Row, Value

NAMES = {"game": {"name": "Tiny", "items": "nine"}, "palette": {"sea": "#012345"}}


def row(**cells: Value) -> Row:
    """The second line of ``cards.csv`` with these cells."""
    made = {name: Cell(value, str(value), Place("cards.csv", 2, name)) for name, value in cells.items()}
    return Row("anna", 3, Place("cards.csv", 2), made, set())


class Picture:
    """Something of Python's that a template may call, with something inside that it may not see."""

    _art = "secret"

    def __call__(self) -> str:
        return "kraken"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of templates."""
    folder = tmp_path / "templates"
    folder.mkdir()
    return folder


def fill(root: Path, text: str, values: Mapping[str, Any] | None = None) -> str:
    """A template's text with values in it."""
    (root / "card.svg.j2").write_text(text, encoding="utf-8")
    return Templates((root,), NAMES).fill("card", values or {"row": row(name="Anna", text="Draw."), "picture": Picture()})


@settings(max_examples=examples(80), deadline=None)
@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=40))
def test_a_value_arrives_as_it_was_typed(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """Whatever a cell holds comes out as that text, in an attribute and between tags."""
    folder = tmp_path_factory.getbasetemp()
    made = fill(folder, "<svg><t a=\"{{ row.name }}\" b='{{ row.name }}'>{{ row.name }}</t></svg>", {"row": row(name=text)})
    (element,) = etree.fromstring(made)

    assert (element.text or "", element.get("a"), element.get("b")) == (text, text, text)


@pytest.mark.parametrize(
    "typed",
    [
        '<b>&"x',
        "</foreignObject><image href='http://example.org'/><foreignObject>",
        '"/><script>1</script><t a="',
        "<!-- ", "]]>", "<![CDATA[", "&lt;b&gt;", "&amp;", "{{ row.name }}", "{% raw %}", "{#",
    ],
)  # fmt: skip
def test_a_cell_cannot_draw(root: Path, typed: str) -> None:
    """Tags, entities and template code in a cell are printed, not obeyed, through macros and ``~`` too."""
    made = fill(
        root,
        '{% macro box(t) %}<foreignObject data-name="{{ t }}">{{ t }}</foreignObject>{% endmacro %}'
        '<svg>{{ box(row.name) }}{{ box("" ~ row.name) }}</svg>',
        {"row": row(name=typed)},
    )
    tree = etree.fromstring(made)

    assert [(element.tag, element.text, element.get("data-name")) for element in tree] == 2 * [
        ("foreignObject", typed, typed)
    ]
    assert not list(tree[0]) + list(tree[1])


@pytest.mark.parametrize(
    "column", ["items", "keys", "values", "get", "copies", "id", "place", "cells", "used", "blame", "__class__"]
)
def test_a_column_may_have_any_name(root: Path, column: str) -> None:
    """A column named like something of ours or Python's is that column."""
    values = {"row": row(**{column: "mine"})}

    assert fill(root, f"{{{{ row.{column} }}}}, {{{{ row['{column}'] }}}}", values) == "mine, mine"


def test_entries_go_before_methods(root: Path) -> None:
    """An entry of a section named like a method of Python's is the entry."""
    assert fill(
        root, "{{ game.items }} {{ game['items'] }}{% for key, value in palette|items %} {{ key }}={{ value }}{% endfor %}"
    ) == ("nine nine sea=#012345")


def test_a_column_that_was_asked_for_is_remembered(root: Path) -> None:
    """Only what a template really asked for counts as used."""
    given = row(name="Anna", text="Draw.", cost="")
    fill(root, "{{ row.name }}{% if false %}{{ row.text }}{% endif %}{{ 1 if 'cost' in row }}", {"row": given})

    assert given.used == {"name"}


@pytest.mark.parametrize(
    ("written", "value", "hint"),
    [
    ],
)  # fmt: skip
def test_an_unknown_name_is_named_with_a_near_one(root: Path, written: str, value: str, hint: str) -> None:
    """A misspelt column or name fails where it is written, and says what was probably meant."""
    with pytest.raises(Fault) as fault:
        fill(root, f"<svg>\n\n{{{{ {written} }}}}</svg>")

    assert fault.value.place == Place("templates/card.svg.j2", 3)
    assert fault.value.value == value
    assert f'"{hint}"' in fault.value.hint


@pytest.mark.parametrize("how", ['{{% include "{}" %}}', '{{% import "{}" as x %}}', '{{% extends "{}" %}}'])
@pytest.mark.parametrize(
    "name", ["../secret.txt", "/etc/passwd", "x/../../secret.txt", "..\\\\secret.txt", "link.txt", "linked/secret.txt"]
)
def test_nothing_outside_the_folders_is_taken_in(root: Path, how: str, name: str) -> None:
    """No path and no link leads a template out of the template folders."""
    (root.parent / "secret.txt").write_text("secret")
    (root.parent / "outside").mkdir()
    (root.parent / "outside" / "secret.txt").write_text("secret")
    (root / "link.txt").symlink_to(root.parent / "secret.txt")
    (root / "linked").symlink_to(root.parent / "outside")

    with pytest.raises(Fault, match="no template"):
        fill(root, how.format(name))


def test_the_first_folder_wins(root: Path) -> None:
    """A game's own template goes before the project's of the same name; links among the folders are followed."""
    other = root.parent / "shared"
    other.mkdir()
    (other / "frame.svg.j2").write_text("frame")
    (root / "here.svg.j2").symlink_to(other / "frame.svg.j2")
    (root / "card.svg.j2").write_text("{% include 'part.svg.j2' %} {% include 'here.svg.j2' %}")
    (other / "card.svg.j2").write_text("theirs")
    (other / "part.svg.j2").write_text("part")

    assert Templates((root, other), {}).fill("card", {}) == "part frame"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("<svg>\n{{ 1 / 0 }}", 2, "it divides by 0"),
        ("{{ range(1.5) }}", 1, "a number stands where a whole number is needed"),
        ("{{ row.name * 1.5 }}", 1, r"a text and a number do not go together with \*"),
        ("{% for a in 3 %}{% endfor %}", 1, "a number is no list"),
        ("{% macro a(b) %}{% endmacro %}{{ a(1, 2) }}", 1, '"a" takes no more than 1 things'),
        ("{{ 1e400 }}", 1, "a number in it is too large"),
        ("<svg>\n{% if %}", 2, "[Ee]xpected"),
        ("{{ row.name", 1, "end of"),
        ("\n{{ [row.name }}", 2, r"\[ is not closed: \] is missing before \}"),
        ("{% for x in row.name %}", 1, "endfor"),
        ("\n\n{{ row.name|nofilter }}", 3, "nofilter"),
        ("{{ row.name + 1 }}", 1, "a text and a number do not go together"),
        ("{% include 'card.svg.j2' %}", 1, "without end"),
        ("{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}", 1, "without end"),
    ],
)
def test_a_fault_is_shown_at_its_line(root: Path, text: str, line: int, words: str) -> None:
    """Whatever a template does wrong is told with its file and line."""
    with pytest.raises(Fault, match=words) as fault:
        fill(root, text)

    assert fault.value.place == Place("templates/card.svg.j2", line)


@pytest.mark.parametrize(
    ("call", "what", "right"),
    [
        ('h.pips(%s, "sword", 5, 5)', "count", "2"),
        ('h.pips(3, "sword", 5, 5, columns=%s)', "columns", "2"),
        ("s.rays(30, 30, 20, %s)", "count", "12"),
        ("b.grid(5, 5, %s, 3, 5)", "columns", "4"),
        ("b.grid(5, 5, 3, %s, 5)", "rows", "4"),
        ("b.hexgrid(5, 5, %s, 3, 5)", "columns", "4"),
        ("b.hexgrid(5, 5, 3, %s, 5)", "rows", "4"),
        ("b.track(5, 5, %s, 9, 5, 5)", "first", "-3"),
        ("b.track(5, 5, 1, %s, 5, 5)", "last", "9"),
        ("h.polygon(30, 30, 20, sides=%s)", "corners", "6"),
        ('":coin:" * %s', "how often a text is repeated", "2"),
    ],
)
def test_a_count_that_is_none_is_told(root: Path, call: str, what: str, right: str) -> None:
    """Below what it may be, or a fraction: at the line that asks for it, with the value; a cell's number is one."""
    files = {"s": "pieces", "h": "shapes", "b": "boards"}
    shared = "".join(f'{{% import "shared/{file}.svg.j2" as {name} %}}' for name, file in files.items())

    def drawn(count: str) -> str:
        (root / "card.svg.j2").write_text(f"{shared}\n{{{{ {call % 'row.count'} }}}}", encoding="utf-8")
        cell = Cell(Number(count, float(count) if "." in count else int(count)), count, Place("cards.csv", 2, "count"))
        values = {"row": Row("anna", 1, Place("cards.csv", 2), {"count": cell}, set())}
        return Templates((root, shipped_templates()), NAMES).fill("card", values)

    assert drawn(right).strip()
    for wrong in ("2.5", "-30") if what != "first" else ("2.5",):
        with pytest.raises(Fault) as fault:
            drawn(wrong)
        assert fault.value.place == Place("templates/card.svg.j2", 2)
        if (wrong, call[0]) != ("2.5", '"'):
            assert (fault.value.value, what in str(fault.value)) == (wrong, True)


def test_a_fault_in_an_included_part_is_shown_there(root: Path) -> None:
    """The file that is named is the one with the fault in it."""
    (root / "part.svg.j2").write_text("\n{{ row.nmae }}")

    with pytest.raises(Fault) as fault:
        fill(root, "{% include 'part.svg.j2' %}")

    assert fault.value.place == Place("templates/part.svg.j2", 2)


def test_faulty_lines_of_many_rows_are_found_fast(root: Path) -> None:
    """One mistake in a template is in all its drawings, each time with the words of another row."""
    lines = [
        f'<text x="{number}" y="{number % 7}" class="c{number % 13}">{{{{ row.name }}}}</text>' for number in range(600)
    ]
    lines[400] = '<rect width="5" {{ row.name }} <g>'
    (root / "card.svg.j2").write_text("\n".join(lines), encoding="utf-8")
    templates = Templates((root,), {})
    started = time.process_time()
    found = {templates.line_like("card", f'<rect width="5" Anna {number} <g>') for number in range(150)}

    assert {line for _, line in filter(None, found)} == {401}
    assert None not in found
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("{{ game.name }} {{ palette.sea }} {{ range(3) | length }} {{ face.width }}", {"face"}),
        ('{% include "part.svg.j2" %}', {"row"}),
        ('{% extends "base.svg.j2" %}{% block inner %}{{ piece }}{% endblock %}', {"piece", "picture"}),
        ('{% import "macros.svg.j2" as m %}{{ m.name(1) }}', set()),
        ('{% import "macros.svg.j2" as m with context %}{{ m.name(1) }}', {"row"}),
        ('{% import "macros.svg.j2" as m %}{% block a %}{{ m.name(face) }}{% endblock %}', {"face"}),
        ('{% from "macros.svg.j2" import name as m %}{% block a %}{{ m(face) }}{% endblock %}', {"face"}),
        ("{% set row = 1 %}{{ row }}{% for net in range(2) %}{{ net }}{% endfor %}", set()),
        ("{% include game.name %}", None),
        ("{{ face | uper }}", None),
    ],
)
def test_what_a_template_reads_is_told_beforehand(root: Path, text: str, read: set[str] | None) -> None:
    """Also in parts and where it is built on another; what reads nothing of a row looks the same for all."""
    (root / "part.svg.j2").write_text("{% if row.name %}x{% endif %}")
    (root / "base.svg.j2").write_text("{{ picture() }}{% block inner %}{% endblock %}")
    (root / "macros.svg.j2").write_text("{% macro name(a) %}{{ row.name }}{{ a }}{% endmacro %}")
    (root / "card.svg.j2").write_text(text)

    assert Templates((root,), NAMES).reads("card") == read
