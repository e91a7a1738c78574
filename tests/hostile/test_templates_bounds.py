"""A template from a stranger neither runs for ever nor fills the memory, and reaches nothing that is not its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from limits import bounded

from pnp.draw.template import MOST_OUTPUT, MOST_SOURCE, BadTemplate, Templates
from pnp.sandbox.counting import MOST_STEPS
from pnp.sandbox.drawings import STEPS_OF_A_GAME
from pnp.values.problems import Place
from pnp.values.tables import Cell, Row

if TYPE_CHECKING:
    from conftest import TinyProject

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


# -- what grows or has no end

TIMES = 60
WORD = "{% set x = 'aaaaaaaaaaaaaaaa' %}\n"
LONG = "{% set x = 'a,' * 100000 %}\n"
ROUND = "{% for i in range(90000) %}WORK{% endfor %}"
LISTS = "{% set x = [1] %}\n" + "{% set x = [x, x] %}\n" * 12
HOSTILE = {
    # loops
    "loops in loops": "{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}",
    "a loop of much": "{% for a in range(100000) %}" + "{% set x = 1 %}" * 200 + "{% endfor %}",
    "a loop that leaves all out": ROUND.replace("WORK", "{% for a in range(90000) if a < 0 %}{% endfor %}"),
    "a loop into itself": "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "a loop into itself, twice": "{% for x in [1, 1] recursive %}{% if loop.depth < 40 %}{{ loop([1, 1]) }}{% endif %}"
    "{% endfor %}",
    "a wide range": "{% for a in range(10 ** 9) %}{% endfor %}",
    "a wide range counted": "{{ range(10 ** 9) | list | length }}",
    "a loop over a long text": LONG + ROUND.replace("WORK", "{% for letter in x %}{% endfor %}"),
    "a loop over what is made on the way": ROUND.replace("WORK", "{% for a in range(90000) | map('string') %}{% endfor %}"),
    # macros and blocks
    "a macro without end": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "macros that call twice": "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
    "macros of macros": "{% macro a() %}" + "y" * 10_000 + "{% endmacro %}"
    + "".join(f"{{% macro {two}() %}}" + f"{{{{ {one}() }}}}" * 99 + "{% endmacro %}" for one, two in ("ab", "bc", "cd"))
    + "{% set x = d() %}",
    "a macro that writes": "{% macro m() %}" + ROUND.replace("WORK", "{{ x }}") + "{% endmacro %}" + LONG + "{{ m() }}",
    "a caller that calls": "{% macro m(n) %}{{ caller(n) }}{{ caller(n) }}{% endmacro %}"
    "{% macro k(n) %}{% if n %}{% call(i) m(n) %}{{ k(i - 1) }}{% endcall %}{% endif %}{% endmacro %}{{ k(50) }}",
    "a block without end": "{% block a %}{{ self.a() }}{% endblock %}",
    "a block that takes itself in": "{% block a %}x{% if row %}{{ self.a() }}{{ self.a() }}{% endif %}{% endblock %}",
    "a template that takes itself in": "{% include 'card.svg.j2' %}{% include 'card.svg.j2' %}",
    # texts
    "text times a number": "{{ ('x' * 10 ** 9) | length }}",
    "a number times text": "{{ (10 ** 9 * 'x') | length }}",
    "text joined": WORD + "{% set x = x ~ x %}\n" * TIMES,
    "text added": WORD + "{% set x = x + x %}\n" * TIMES,
    "text set": WORD + "{% set x %}{{ x }}{{ x }}{% endset %}\n" * TIMES,
    "text filtered": WORD + "{% set x %}{% filter upper %}{{ x }}{{ x }}{% endfilter %}{% endset %}\n" * TIMES,
    "text joined by a filter": WORD + "{% set x = [x, x] | join %}\n" * TIMES,
    "text joined by a method": WORD + "{% set x = ''.join([x, x]) %}\n" * TIMES,
    "text between": WORD + "{% set x = [1, 2, 3] | join(x) %}\n" * TIMES,
    "text replaced": WORD + "{% set x = x | replace('a', x) %}\n" * TIMES,
    "text replaced by a method": WORD + "{% set x = x.replace('a', x) %}\n" * TIMES,
    "nothing replaced": WORD + "{% set x = x.replace('', x) %}\n" * TIMES,
    "text wrapped": WORD + "{% set x = x | wordwrap(1, true, x) %}\n" * TIMES,
    "text moved in": WORD + "{% set x = 'a\\nb\\nc\\nd' | indent(x, true) %}\n" * TIMES,
    "text formatted": WORD + "{% set x = '%s%s' | format(x, x) %}\n" * TIMES,
    "text formatted by name": WORD + "{% set x = '%(a)s%(a)s' % {'a': x} %}\n" * TIMES,
    "text formatted by a method": WORD + "{% set x = '{0}{0}'.format(x) %}\n" * TIMES,
    "text formatted by a mapping": WORD + "{% set x = '{a}{a}'.format_map({'a': x}) %}\n" * TIMES,
    "text escaped": "{% set x = '&' * 100000 %}" + "{% set x = (x | forceescape) ~ '' %}\n" * TIMES,
    "text as JSON": WORD + "{% set x = [x, x] | tojson | string %}\n" * TIMES,
    "text in a row's name": "{{ ([long] * 100000) | join }}",
    "wide by a sign": "{{ '%999999999d' % 1 }}",
    "wide by a star": "{{ '%*d' % (999999999, 1) }}",
    "wide by a long fraction": "{{ '%.999999999f' % 1 }}",
    "wide by the filter": "{{ '%999999999d' | format(1) }}",
    "wide by a method": "{{ '{:999999999}'.format(1) }}",
    "wide by a nested field": "{{ '{:{}}'.format(1, 999999999) }}",
    "wide by a mapping": "{{ '{a:999999999}'.format_map({'a': 1}) }}",
    "wide by markup": "{{ ('{:999999999}' | safe).format(1) }}",
    "in the middle": "{{ 'x' | center(10 ** 9) }}",
    "in the middle, without sums": "{{ 'x' | center(1000000000) }}",
    "in the middle by map": "{{ ['x'] | map('center', 1000000000) | list }}",
    "in the middle by a method": "{{ 'x'.center(10 ** 9) }}",
    "to the left": "{{ 'x'.ljust(10 ** 9) }}",
    "to the right": "{{ 'x'.rjust(10 ** 9) }}",
    "filled with noughts": "{{ 'x'.zfill(10 ** 9) }}",
    "with tabs": "{{ '\\t'.expandtabs(10 ** 9) }}",
    "far in": "{{ 'x' | indent(10 ** 9, true) }}",
    "far into JSON": "{{ [1] | tojson(indent=10 ** 9) }}",
    "bytes": "{{ (1).to_bytes(10 ** 9, 'big') }}",
    # lists
    "a list times a number": "{{ ([1] * 10 ** 9) | length }}",
    "lists added": "{% set x = [1] %}" + "{% set x = x + x %}\n" * TIMES,
    "lists in lists": "{% set x = [1] %}" + "{% set x = [x, x] %}\n" * TIMES + "{{ x == 1 }}",
    "lists in dicts": "{% set x = [1] %}" + "{% set x = {'a': x, 'b': x} %}\n" * TIMES,
    "lists in called dicts": "{% set x = [1] %}" + "{% set x = dict(a=x, b=x) %}\n" * TIMES,
    "lists in tuples": "{% set x = (1,) %}" + "{% set x = (x, x) %}\n" * TIMES,
    "lists in namespaces": "{% set x = namespace(v=1) %}" + "{% set x = namespace(v=[x, x]) %}\n" * TIMES + "{{ x }}",
    "lists that grow": "{% set x = [1] %}" + "{% if x.extend(x) %}{% endif %}\n" * TIMES,
    "lists that grow one by one": "{% set x = [] %}" + ROUND.replace("WORK", "{% if x.append(x) %}{% endif %}"),
    "lists compared": LISTS + LISTS.replace("x", "y") + ROUND.replace("WORK", "{% if x == y %}{% endif %}"),
    "lists searched": "{% set x = range(90000) | list %}" + ROUND.replace("WORK", "{% if -1 in x %}{% endif %}"),
    "lists searched by a test": "{% set x = range(90000) | list %}"
    + ROUND.replace("WORK", "{% if -1 is in x %}{% endif %}"),
    "lists sorted": "{% set x = range(90000) | list %}" + ROUND.replace("WORK", "{% set y = x | sort %}"),
    "lists counted": "{% set x = range(90000) | list %}" + ROUND.replace("WORK", "{% set y = x | sum %}"),
    "lists summed into lists": LISTS + "{% set x = x | sum(start=[]) %}" * 3,
    "lists looked up": "{% set t = " + LISTS[11:14].replace("[1]", "(1,)") + " %}" + "{% set t = (t, t) %}" * 14
    + "{% set d = {t: 1} %}" + ROUND.replace("WORK", "{% set y = d[t] %}"),
    "lists printed": LISTS + ROUND.replace("WORK", "{{ x }}"),
    "lists cut": "{% set x = range(90000) | list %}" + ROUND.replace("WORK", "{% set y = x[1:] %}"),
    "filled up": "{{ [1] | batch(10 ** 9, 'x') | list }}",
    "cut into many": "{{ [1] | slice(10 ** 9) | list }}",
    "from keys": "{{ dict.fromkeys(range(90000), 1) }}",
    # numbers
    "products": "{% set x = 10 %}" + "{% set x = x * x %}" * 40 + "{{ x > 3 }}",
    "sums": "{% set x = 9 ** 99 %}" + "{% set x = x + x %}" * 2000,
    "powers": "{{ 9 ** 9 ** 9 ** 9 }}",
    "powers of powers": "{{ (10 ** 300) ** 300 }}",
    "rounded far": "{{ 1.5 | round(10 ** 9, 'floor') }}",
    "rounded far back": "{{ 1 | round(-(10 ** 9)) }}",
    "read from letters": "{{ ('f' * 1000000) | int(base=16) }}",
    # work within a filter, again and again
    "long texts raised": LONG + ROUND.replace("WORK", "{% set y = x | upper %}"),
    "long texts parted": LONG + ROUND.replace("WORK", "{% set y = x.split(',') %}"),
    "long texts cut": LONG + ROUND.replace("WORK", "{% set y = x[1:] %}"),
    "long texts searched": LONG + ROUND.replace("WORK", "{% if 'b' in x %}{% endif %}"),
    "long texts without tags": "{% set x = '<!-- -->' * 100000 %}{{ x | striptags }}",
    "long texts in lines": "{% set x = 'a-' * 1000000 %}{{ x | wordwrap(3) }}",
    "long texts as links": "{% set x = 'http://a.' * 1000000 %}{{ x | urlize }}",
    "long texts counted": LONG + ROUND.replace("WORK", "{% set y = x | wordcount %}"),
    "calls into pnp": ROUND.replace("WORK", "{{ picture(i ~ '') }}"),
    "names that are not there": ROUND.replace("WORK", "{% if nobody is defined %}{% endif %}"),
    # what Python or Jinja itself cannot read
    "brackets": "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "a sum without end": "{{ " + "+".join("1" * 20_000) + " }}",
    "a choice without end": "{% if row %}{% elif 1 %}" + "{% elif row %}" * 5000 + "{% endif %}" + "{{ 1 / 0 }}",
    "loops too deep": "{% for a in [1] %}" * 200 + "{% endfor %}" * 200,
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_grows_or_has_no_end_is_stopped(root: Path, text: str) -> None:
    """Steps, letters and lists are counted: it is refused soon, in a sentence, and the memory stays free."""
    with bounded(memory=300_000_000), pytest.raises(BadTemplate) as bad:
        fill(root, text)

    assert str(bad.value)
    assert len(str(bad.value)) < 1000


def test_what_is_stopped_says_so_with_its_line(root: Path) -> None:
    """In words, at the line that was at work."""
    with pytest.raises(BadTemplate) as bad:
        fill(root, "<svg>\n\n" + HOSTILE["loops in loops"])

    assert (bad.value.file, bad.value.line) == ("templates/card.svg.j2", 3)
    assert str(bad.value) == "it takes more than 2 000 000 steps"


def test_the_same_template_is_stopped_at_the_same_step(root: Path) -> None:
    """Not the clock decides: as many rounds go through today as tomorrow."""
    done = []
    for _ in range(2):
        looking = Looking()
        with pytest.raises(BadTemplate):
            fill(root, HOSTILE["calls into pnp"], {"picture": looking})
        done.append(looking.calls)

    assert done[0] == done[1]
    assert 1000 < done[0] < 90_000


def test_output_is_bounded_while_it_is_made(root: Path) -> None:
    """What is too much is not first made whole."""
    with bounded(memory=100_000_000), pytest.raises(BadTemplate, match=f"{MOST_OUTPUT // 1_000_000} MB"):
        fill(root, "{% for i in range(90000) %}" + "constant " * 10_000 + "{% endfor %}")


def test_a_part_that_is_taken_in_is_counted_as_well(root: Path) -> None:
    """A bomb may lie in a file of macros, and go off when these are fetched or printed."""
    for how in ("{% include 'bomb.svg.j2' %}", "{% import 'bomb.svg.j2' as b %}", "{% from 'bomb.svg.j2' import b %}"):
        with bounded(), pytest.raises(BadTemplate, match="steps"):
            fill(root, how, bomb=HOSTILE["loops in loops"] + "{% macro b() %}{% endmacro %}")
    constant = "{% for i in range(90000) %}" + "constant " * 10_000 + "{% endfor %}"
    for how in ("{{ b }}", "{{ b ~ '' }}", "{{ b | upper }}", "{{ [b] | join }}"):
        with bounded(), pytest.raises(BadTemplate):
            fill(root, "{% import 'bomb.svg.j2' as b %}" + how, bomb=constant)


def test_a_file_that_is_too_long_is_not_read(root: Path) -> None:
    """No template is a megabyte."""
    with bounded(memory=100_000_000), pytest.raises(BadTemplate, match="larger than 1 MB"):
        fill(root, "{% set x = 1 %}" * (MOST_SOURCE // 10))


def test_each_face_has_its_own_steps(root: Path) -> None:
    """A template that takes half of them goes through for card after card."""
    made = templates(root, card="{% for i in range(100000) %}{% set x = 1 %}{% endfor %}done")

    assert [made.fill("card", {"row": ROW}) for _ in range(8)] == ["done"] * 8


def test_all_faces_together_are_bounded_too(root: Path) -> None:
    """A table of a hundred thousand rows, each of which takes nearly all: the game has a store as well."""
    made = templates(root, card="{% for i in range(100000) %}{% set x = 1 %}{% set x = 1 %}{% endfor %}done")
    done = 0
    with pytest.raises(BadTemplate, match="steps"):
        for _ in range(10 * STEPS_OF_A_GAME // MOST_STEPS):
            made.fill("card", {"row": ROW})
            done += 1

    assert done > 5


def test_what_had_no_end_once_is_not_tried_again(root: Path) -> None:
    """The fault is the same for every card, and costs its time once."""
    made = templates(root, card=HOSTILE["loops in loops"], good="good")
    said = set()
    with bounded(seconds=1.5):
        for _ in range(200):
            with pytest.raises(BadTemplate) as bad:
                made.fill("card", {"row": ROW})
            said.add((str(bad.value), bad.value.file, bad.value.line))

    assert len(said) == 1
    assert made.fill("good", {}) == "good"


def test_an_endless_template_is_one_problem_of_the_game(tiny: TinyProject) -> None:
    """Told once, with file and line, and what was built before stays."""
    good = tiny.build()
    before = {path: path.read_bytes() for path in good.files}
    tiny.write(
        "templates/tiny/cards.svg.j2",
        '{% extends "shared/face.svg.j2" %}\n{% block face %}\n' + HOSTILE["loops in loops"] + "{% endblock %}",
    )

    (problem,) = tiny.build().problems

    assert problem.rule == "bad-template"
    assert (problem.place.file, problem.place.row) == ("templates/tiny/cards.svg.j2", 3)
    assert {path: path.read_bytes() for path in before} == before


# -- what drawings do is no attack


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("{% for i in range(24) %}{{ i * 360 / 24 }} {% endfor %}", " ".join(str(i * 15.0) for i in range(24)) + " "),
        ("{{ '{:,}'.format(12345) }} {{ '%02d' % 7 }} {{ '%s of %s' | format(1, 2) }}", "12,345 07 1 of 2"),
        ("{{ '{:>8}|{:.2f}'.format('x', 1.005) }}", "       x|1.00"),
        ("{{ 'a' * 3 }}{{ ([1, 2] * 2) | join }}{{ 'a' + 'b' }}{{ ([1] + [2]) | join }}", "aaa1212ab12"),
        ("{{ row.name ~ ' & ' ~ 1 }}", "Anna &amp; 1"),
        ("{% set t %}<b>{{ row.name }}</b>{% endset %}{{ t ~ '<' }}", "<b>Anna</b>&lt;"),
        ("{% macro m(x) %}<i>{{ x }}</i>{% endmacro %}{{ m('<') ~ m(2) }}", "<i>&lt;</i><i>2</i>"),
        ("{{ row.name.split('n') | first }} {{ row.name.upper() }} {{ row.name.replace('n', 'm') }}", "A ANNA Amma"),
        ("{{ [3, 1, 2] | sort | join(', ') }} {{ [3, 1] | sum }} {{ [3, 1] | max }}", "1, 2, 3 4 3"),
        ("{% for group in [1, 2, 3] | batch(2, 0) %}{{ group | join }};{% endfor %}", "12;30;"),
        ("{{ 'two words' | wordwrap(5) | replace('\n', '/') }} {{ 'x' | center(3) }}.", "two/words  x ."),
        ("{{ 'a\nb' | indent(2) }} {{ {'a': 1} | tojson }}", 'a\n  b {"a": 1}'),
        ("{% set ns = namespace(n=0) %}{% for i in [1, 2] %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}", "3"),
        ("{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}", "aba"),
        ("{% set j = joiner(', ') %}{% for i in 'xy' %}{{ j() }}{{ i }}{% endfor %}", "x, y"),
        ("{{ dict(a=1).a }} {{ 'n' in row.name }} {{ row.cost == 7 }}", "1 True True"),
        ("{{ 2 ** 10 }} {{ 7 // 2 }} {{ -7 % 3 }}", "1024 3 2"),
        ("{% for x in 'abc' if x != 'b' %}{{ loop.index }}{{ x }}{% endfor %}", "1a2c"),
        ("{{ row.name | default('-') }} {{ row.empty }} {{ row['name'][1:3] }} {{ 2.567 | round(1) }}", "Anna  nn 2.6"),
        ("{{ '<b>a</b>' | striptags }} {{ 'a b' | wordcount }} {{ '7' | int + 1 }} {{ 'f' | int(base=16) }}", "a 2 8 15"),
    ],
)  # fmt: skip
def test_what_drawings_do_goes_through(root: Path, text: str, made: str) -> None:
    """Jinja is whole where it does no harm; tags stay tags and texts stay texts, whatever joins them."""
    assert fill(root, text) == made


NO_TEXT = {
    "what is gone through once": "{{ [1, 2] | unique }}",
    "a method": "{{ ''.upper }}",
    "a method, with a name": "{{ row.name.upper }}",
    "a macro": "{% macro m() %}x{% endmacro %}{{ m }}",
    "a list": "{{ [1, 2] }}",
    "a mapping": "{{ {'a': 1} }}",
    "numbers in a row": "{{ range(3) }}",
    "a loop": "{% for x in [1] %}{{ loop }}{% endfor %}",
    "a namespace": "{{ namespace(a=1) }}",
    "joined by ~": "{{ 'a' ~ ([1] | unique) }}",
    "a filter of texts": "{{ ''.upper | upper }}",
    "string": "{{ ''.upper | string }}",
    "safe": "{{ ([1] | unique) | safe }}",
    "join": "{{ [''.upper, 'a'] | join }}",
    "join, deeper": "{{ [{'a': ''.upper}] | join(', ', 'a') }}",
    "replace": "{{ 'a' | replace('a', ''.upper) }}",
    "format": "{{ '%s' | format(''.upper) }}",
    "format by name": "{{ '%(a)s' | format(a=''.upper) }}",
    "%": "{{ '%s' % ([1] | unique) }}",
    "% of several": "{{ '%s%s' % (1, ''.upper) }}",
    "the method format": "{{ '{}'.format(''.upper) }}",
    "the method format, inside": "{{ '{0[0]}'.format([''.upper]) }}",
    "a mapping for %s": "{{ '%s' % {row.name.upper: 1} }}",
    "a mapping of pnp's for %s": "{{ '%s' | format({'a': 1}) }}",
    "in a set block": "{% set x %}{{ ''.upper }}{% endset %}{{ x }}",
    "in a filter block": "{% filter upper %}{{ ''.upper }}{% endfilter %}",
    "given on by default": "{{ ''.upper | default('x') }}",
    "out of a list": "{{ [''.upper] | first }}",
    "without escaping": "{% autoescape false %}{{ ''.upper }}{% endautoescape %}",
}


@pytest.mark.parametrize("text", NO_TEXT.values(), ids=NO_TEXT)
def test_what_is_no_text_is_told_and_never_printed(root: Path, text: str) -> None:
    """Python would print the place in its memory, another one each time, or brackets: a card has no use for either."""
    with pytest.raises(BadTemplate, match="is no text") as refused:
        fill(root, text)

    assert refused.value.allowed
    assert " at 0x" not in str(refused.value)


@pytest.mark.parametrize(
    "text", ["{{ '%r' % row }}", "{{ '%(a)5a' % {'a': 1} }}", "{{ '{!r}'.format(row) }}", "{{ '%-8r' | format(1) }}"]
)
def test_nothing_is_written_as_python_would(root: Path, text: str) -> None:
    """A row has sets in it, whose order is another one each time."""
    with pytest.raises(BadTemplate, match="what Python would"):
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


# -- what is not a template's own


@pytest.mark.parametrize(
    "expression",
    [
        "''.__class__.__mro__[1].__subclasses__()",
        "''['__class__']['__mro__']",
        "'' | attr('__class__')",
        "'' | attr('\\x5f\\x5fclass\\x5f\\x5f')",
        "['__class__'] | map('attr', 'x') | join",
        "[''] | map(attribute='__class__') | join",
        "cycler.__init__.__globals__.os.popen('id')",
        "joiner.__init__.__globals__",
        "namespace.__init__.__globals__",
        "namespace(x=1)._Namespace__attrs",
        "dict.__base__",
        "dict.mro()",
        "range.__globals__",
        "range.__self__",
        "picture.__call__.__func__.__globals__",
        "lipsum.__globals__",
        "'{0.__class__}'.format(row)",
        "'{0.__class__.__init__.__globals__}'.format(picture)",
        "'{0[__class__]}'.format(row)",
        "'{a.__class__}'.format_map({'a': row})",
        "('{0.__class__}' | safe).format(row)",
        "'%s'.__mod__(1)",
        "self.__init__.__globals__",
        "self._TemplateReference__context",
        "loop",
        "caller",
        "varargs",
        "url_for.__globals__",
        "get_flashed_messages",
        "request.application",
        "config.items()",
        "(1).__class__",
        "1.0.__class__.__base__",
        "none.__class__",
        "true.__class__",
        "row.name.encode('utf-8')",
        "row.name.translate({97: 'x'})",
        "row.name.format.__self__",
        "[].append(1)",
        "{}.update({})",
        "{}.__class__",
        "(row for x in y)",
        "await picture()",
        "import os",
        "picture.calls.__class__",
        "(picture | attr('calls')).real.__class__",
        "'a'.join.__self__.__class__",
        "[1] | pprint",
        "{'onclick': 'x'} | xmlattr",
        "[1, 2] | random",
    ],
)  # fmt: skip
def test_payloads_reach_nothing(root: Path, expression: str) -> None:
    """The usual ways out of a sandbox are closed, and the refusal shows nothing of what is behind it."""
    with pytest.raises(BadTemplate) as bad:
        fill(root, f"{{{{ {expression} }}}}")

    assert "0x" not in str(bad.value)
    assert "<class" not in str(bad.value)


@pytest.mark.parametrize(
    "statement",
    [
        "{% macro m() %}{% endmacro %}{{ m._func.__globals__ }}",
        "{% macro m() %}{% endmacro %}{{ m.__init__.__globals__ }}",
        "{% macro m() %}{% endmacro %}{{ m._environment }}",
        "{% for x in [1] %}{{ loop.__class__ }}{% endfor %}",
        "{% for x in [1] %}{{ loop._iterator }}{% endfor %}",
        "{% for x in [1] | map('string') %}{{ loop._iterable.gi_frame }}{% endfor %}",
        "{% set g = [1] | map('string') %}{{ g.gi_frame.f_globals }}",
        "{% set g = [1] | map('string') %}{{ g.gi_code }}",
        "{% block b %}{{ super() }}{% endblock %}",
        "{% block b %}{{ self.b.__globals__ }}{% endblock %}",
        "{% import 'part.svg.j2' as p %}{{ p._body_stream }}",
        "{% import 'part.svg.j2' as p %}{{ p.__dict__ }}",
        "{% set row.name = 'x' %}",
        "{% set palette.sea = 'x' %}",
        "{% do picture() %}",
        "{% debug %}",
        "{% autoescape false %}{{ ''.__class__ }}{% endautoescape %}",
        "{% include ['/etc/passwd', '../../etc/passwd'] %}",
        "{% include 'C:\\\\Windows\\\\win.ini' %}",
        "{% include 'C:/Windows/win.ini' %}",
        "{% include '\\\\\\\\server\\\\share\\\\x' %}",
        "{% include '//server/share/x' %}",
        "{% include 'file:///etc/passwd' %}",
        "{% include 'part.svg.j2\\x00' %}",
        "{% extends '../../../../etc/passwd' %}",
        "{% from '/etc/passwd' import root %}",
    ],
)
def test_statements_reach_nothing(root: Path, statement: str) -> None:
    """Nor do macros, loops, blocks and what they take in."""
    with pytest.raises(BadTemplate) as bad:
        fill(root, statement, part="part")

    assert "0x" not in str(bad.value)
    assert "root:" not in str(bad.value)
