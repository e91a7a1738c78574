"""Templates are compiled once: a second build in this process finds them as they were."""

from __future__ import annotations

from traceback import extract_tb

import jinja2
import pytest

from pnp.sandbox import compiled
from pnp.sandbox.counting import MOST_STEPS
from pnp.sandbox.drawings import Drawings
from pnp.sandbox.values import BadExpression

SOURCES = {
    "card.svg.j2": '{% import "parts.svg.j2" as parts %}{{ parts.two(row) }}\n{% for each in tables.goods %}{{ each }}'
    "{% endfor %}",
    "parts.svg.j2": "{% macro two(thing) %}{{ thing }}{{ thing }}{% endmacro %}",
    "wrong.svg.j2": "one\ntwo\n{{ nobody }}",
}
VALUES = {"row": "<a>", "tables": {"goods": ["x", "y"]}}


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    """As a new process begins."""
    compiled._KEPT.clear()


def drawings(sources: dict[str, str] = SOURCES) -> Drawings:
    made = Drawings(jinja2.DictLoader(sources), {})
    made.refill()
    return made


def never(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on nothing can be compiled."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(jinja2.Environment, "_generate", refuse)


def test_a_game_built_again_in_this_process_is_not_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = drawings()
    text = first.get_template("card.svg.j2").render(VALUES)
    steps = MOST_STEPS - first.left
    never(monkeypatch)
    second = drawings()

    assert second.get_template("card.svg.j2").render(VALUES) == text == "&lt;a&gt;&lt;a&gt;\nxy"
    assert second.mentioned == first.mentioned
    assert second.mentioned["card.svg.j2"].names == {"parts", "row", "tables.goods", "each"}
    assert MOST_STEPS - second.left == steps > 0, "what is kept counts its steps, too"


def test_a_fault_is_told_at_its_line_whether_compiled_now_or_kept() -> None:
    lines = []
    for _ in range(2):
        with pytest.raises(jinja2.UndefinedError, match='"nobody" is not known') as caught:
            drawings().get_template("wrong.svg.j2").render()
        lines += [frame.lineno for frame in extract_tb(caught.tb) if frame.filename.endswith("<template>")]

    assert lines == [3, 3]


def test_what_has_changed_is_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another text is another template."""
    drawings().get_template("card.svg.j2")
    never(monkeypatch)

    with pytest.raises(AssertionError, match="compiled again"):
        drawings(SOURCES | {"card.svg.j2": "{{ row }}!"}).get_template("card.svg.j2")


def test_a_process_that_sees_many_games_remembers_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "MOST_KEPT", 3)
    for number in range(10):
        assert drawings(sources={"a": f"{number}"}).get_template("a").render() == f"{number}"

    assert len(compiled._KEPT) <= 3


@pytest.mark.parametrize(
    ("source", "fault"), [("{% if %}", jinja2.TemplateSyntaxError), ("{{ a }}" * 40_000, BadExpression)]
)
def test_what_is_refused_is_read_once(source: str, fault: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    """A long template that cannot be used would take its second with each of a thousand cards."""
    made = drawings(sources={"a": source})
    said = []
    for _ in range(3):
        with pytest.raises(fault) as caught:
            made.get_template("a")
        said.append((str(caught.value), getattr(caught.value, "lineno", None)))
        monkeypatch.setattr(made, "_parse", never)

    assert len(set(said)) == 1
