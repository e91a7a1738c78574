"""A template from a stranger neither runs for ever nor fills the memory, and reaches nothing that is not its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from limits import bounded

from pnp.draw.template import MOST_OUTPUT, MOST_SOURCE, Templates
from pnp.values.problems import Fault, Place
from pnp.values.tables import Cell, Row

HERE = Place("content/tiny/cards.csv", 2)
CELLS = {"name": "Anna", "text": "Draw two.", "cost": 7, "empty": None}
ROW = Row("anna", 3, HERE, {key: Cell(value, str(value), HERE) for key, value in CELLS.items()}, set())
LONG_ROW = Row("long", 1, HERE, {"name": Cell("n" * 100_000, "n" * 100_000, HERE)}, set())


class Looking:
    """Something of pnp's that a template may call, and that is not cheap."""

    calls = 0

    def __call__(self, name: str = "") -> str:
        self.calls += 1
        return name


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of templates."""
    folder = tmp_path / "templates"
    folder.mkdir()
    return folder


def templates(root: Path, **files: str) -> Templates:
    """The templates of a game, written down."""
    for name, text in files.items():
        (root / f"{name}.svg.j2").write_text(text, encoding="utf-8")
    return Templates((root,), {"palette": {"sea": "#012345"}, "long": LONG_ROW})


def fill(root: Path, text: str, values: Mapping[str, Any] | None = None, **files: str) -> str:
    """A template filled in for a card."""
    return templates(root, card=text, **files).fill("card", values or {"row": ROW, "picture": Looking()})


ENDLESS = {
    "a macro without end": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "a loop into itself": "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "a template that takes itself in": "{% include 'card.svg.j2' %}{% include 'card.svg.j2' %}",
    "powers": "{{ 9 ** 9 ** 9 ** 9 }}",
    "lists that grow": "{% set x = [1] %}{% if x.extend(x) %}{% endif %}",
    "loops too deep": "{% for a in [1] %}" * 200 + "{% endfor %}" * 200,
}


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_what_has_no_end_is_refused_in_a_sentence(root: Path, text: str) -> None:
    """Where it can be seen before the time is up."""
    with bounded(memory=300_000_000), pytest.raises(Fault) as bad:
        fill(root, text)

    assert 0 < len(str(bad.value)) < 1000


def test_output_is_bounded_while_it_is_made(root: Path) -> None:
    """What is too much is not first made whole."""
    with bounded(memory=100_000_000), pytest.raises(Fault, match=f"{MOST_OUTPUT // 1_000_000} MB"):
        fill(root, "{% for i in range(90000) %}" + "constant " * 10_000 + "{% endfor %}")


def test_a_file_that_is_too_long_is_not_read(root: Path) -> None:
    """No template is a megabyte."""
    with bounded(memory=100_000_000), pytest.raises(Fault, match="larger than 1 MB"):
        fill(root, "{% set x = 1 %}" * (MOST_SOURCE // 10))


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("{{ '{:,}'.format(12345) }} {{ '%02d' % 7 }} {{ '%s of %s' | format(1, 2) }}", "12,345 07 1 of 2"),
        ("{% set t %}<b>{{ row.name }}</b>{% endset %}{{ t ~ '<' }}", "<b>Anna</b>&lt;"),
        ("{% macro m(x) %}<i>{{ x }}</i>{% endmacro %}{{ m('<') ~ m(2) }}", "<i>&lt;</i><i>2</i>"),
        ("{{ row.name.split('n') | first }} {{ row.name.upper() }} {{ row.name.replace('n', 'm') }}", "A ANNA Amma"),
        ("{% for group in [1, 2, 3] | batch(2, 0) %}{{ group | join }};{% endfor %}", "12;30;"),
        ("{% set ns = namespace(n=0) %}{% for i in [1, 2] %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}", "3"),
        ("{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}", "aba"),
        ("{{ row.name | default('-') }} {{ row.empty }} {{ row['name'][1:3] }} {{ 2.567 | round(1) }}", "Anna  nn 2.6"),

    ],
)  # fmt: skip
def test_what_drawings_do_goes_through(root: Path, text: str, made: str) -> None:
    """Jinja is whole where it does no harm; tags stay tags and texts stay texts, whatever joins them."""
    assert fill(root, text) == made


NO_TEXT = {
    "what is gone through once": "{{ [1, 2] | unique }}",
    "a method, with a name": "{{ row.name.upper }}",
    "a macro": "{% macro m() %}x{% endmacro %}{{ m }}",
    "safe": "{{ ([1] | unique) | safe }}",
    "join": "{{ [''.upper, 'a'] | join }}",
    "replace": "{{ 'a' | replace('a', ''.upper) }}",
    "format": "{{ '%s' | format(''.upper) }}",
    "%": "{{ '%s' % ([1] | unique) }}",
    "the method format": "{{ '{}'.format(''.upper) }}",
    "a mapping for %s": "{{ '%s' % {row.name.upper: 1} }}",
    "given on by default": "{{ ''.upper | default('x') }}",
    "without escaping": "{% autoescape false %}{{ ''.upper }}{% endautoescape %}",
}


@pytest.mark.parametrize("text", NO_TEXT.values(), ids=NO_TEXT)
def test_what_is_no_text_is_told_and_never_printed(root: Path, text: str) -> None:
    """Python would print the place in its memory, another one each time, or brackets: a card has no use for either."""
    with pytest.raises(Fault, match="is no text") as refused:
        fill(root, text)

    assert refused.value.allowed
    assert " at 0x" not in str(refused.value)


@pytest.mark.parametrize("text", ["{{ '%r' % row }}", "{{ '{!r}'.format(row) }}"])
def test_nothing_is_written_as_python_would(root: Path, text: str) -> None:
    """A row has sets in it, whose order is another one each time."""
    with pytest.raises(Fault, match="what Python would"):
        fill(root, text)


def test_an_empty_cell_prints_nothing(root: Path) -> None:
    """Not the word None."""
    assert fill(root, "[{{ row.empty }}{{ none }}{{ 'a' ~ row.empty }}{{ [row.empty] | join }}]") == "[a]"


def test_a_large_board_goes_through(root: Path) -> None:
    """Two thousand fields, each with a macro, a few sums and two megabytes of drawing in all."""
    text = (
        "{% macro field(x, y) %}<path d='M{{ x }} {{ y }}h{{ 12 * 1.5 }}'/>" + " " * 1000 + "{% endmacro %}"
        "{% for y in range(40) %}{% for x in range(50) %}{{ field(x * 18 + 2, y * 18 + 2) }}{% endfor %}{% endfor %}"
    )

    assert fill(root, text).count("<path") == 2000


@pytest.mark.parametrize(
    "expression",
    [
        "''['__class__']['__mro__']",
        "'' | attr('__class__')",
        "[''] | map(attribute='__class__') | join",
        "cycler.__init__.__globals__.os.popen('id')",
        "namespace(x=1)._Namespace__attrs",
        "picture.__call__.__func__.__globals__",
        "'{0.__class__.__init__.__globals__}'.format(picture)",
        "'%s'.__mod__(1)",
        "self._TemplateReference__context",
        "row.name.encode('utf-8')",
        "[].append(1)",
        "(picture | attr('calls')).real.__class__",
        "[1, 2] | random",
    ],
)  # fmt: skip
def test_payloads_reach_nothing(root: Path, expression: str) -> None:
    """The usual ways out of a sandbox are closed, and the refusal shows nothing of what is behind it."""
    with pytest.raises(Fault) as bad:
        fill(root, f"{{{{ {expression} }}}}")

    assert "0x" not in str(bad.value)
    assert "<class" not in str(bad.value)


@pytest.mark.parametrize(
    "statement",
    [
        "{% macro m() %}{% endmacro %}{{ m._func.__globals__ }}",
        "{% for x in [1] %}{{ loop._iterator }}{% endfor %}",
        "{% set g = [1] | map('string') %}{{ g.gi_frame.f_globals }}",
        "{% block b %}{{ self.b.__globals__ }}{% endblock %}",
        "{% import 'part.svg.j2' as p %}{{ p._body_stream }}",
        "{% set row.name = 'x' %}",
        "{% do picture() %}",
        "{% include ['/etc/passwd', '../../etc/passwd'] %}",
        "{% extends '../../../../etc/passwd' %}",
    ],
)
def test_statements_reach_nothing(root: Path, statement: str) -> None:
    """Nor do macros, loops, blocks and what they take in."""
    with pytest.raises(Fault) as bad:
        fill(root, statement, part="part")

    assert "0x" not in str(bad.value)
    assert "root:" not in str(bad.value)
