"""Templates are compiled once: a second build, in this process or another, finds them as they were."""

from __future__ import annotations

import marshal
from pathlib import Path
from traceback import extract_tb

import jinja2
import pytest

from pnp.sandbox import compiled
from pnp.sandbox.counting import MOST_STEPS
from pnp.sandbox.drawings import Drawings
from pnp.sandbox.values import BadExpression
from pnp.system.cache import Cache

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


def drawings(cache: Cache | None = None, maker: str = "pnp 1", sources: dict[str, str] = SOURCES) -> Drawings:
    made = Drawings(jinja2.DictLoader(sources), {}, cache, maker)
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
    never(monkeypatch)
    second = drawings()

    assert second.get_template("card.svg.j2").render(VALUES) == text == "&lt;a&gt;&lt;a&gt;\nxy"
    assert second.mentioned == first.mentioned
    assert second.mentioned["card.svg.j2"].names == {"parts", "row", "tables.goods", "each"}


def test_another_process_finds_what_was_compiled_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path)
    first = drawings(cache)
    text = first.get_template("card.svg.j2").render(VALUES)
    steps = MOST_STEPS - first.left
    compiled._KEPT.clear()
    never(monkeypatch)
    second = drawings(cache)

    assert second.get_template("card.svg.j2").render(VALUES) == text
    assert second.mentioned == first.mentioned
    assert MOST_STEPS - second.left == steps > 0, "what is kept counts its steps, too"


def test_a_fault_is_told_at_its_line_whether_compiled_now_or_kept(tmp_path: Path) -> None:
    lines = []
    for _ in range(2):
        compiled._KEPT.clear()
        with pytest.raises(jinja2.UndefinedError, match='"nobody" is not known') as caught:
            drawings(Cache(tmp_path)).get_template("wrong.svg.j2").render()
        lines += [frame.lineno for frame in extract_tb(caught.tb) if frame.filename.endswith("<template>")]

    assert lines == [3, 3]


@pytest.mark.parametrize(
    "change",
    [
        {"maker": "pnp 2"},
        {"sources": SOURCES | {"card.svg.j2": "{{ row }}!"}},
    ],
)
def test_what_has_changed_is_compiled_anew(
    change: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another pnp, Python or Jinja, and another text, are other templates."""
    cache = Cache(tmp_path)
    drawings(cache).get_template("card.svg.j2")
    compiled._KEPT.clear()
    never(monkeypatch)

    with pytest.raises(AssertionError, match="compiled again"):
        drawings(cache, **change).get_template("card.svg.j2")  # type: ignore[arg-type]


@pytest.mark.parametrize("damage", [b"", b"no code", marshal.dumps([]), marshal.dumps((1, 2))])
def test_a_damaged_entry_is_compiled_anew(damage: bytes, tmp_path: Path) -> None:
    """Whether its file is damaged or it holds what no build has put there."""
    cache = Cache(tmp_path)
    text = drawings(cache).get_template("card.svg.j2").render(VALUES)
    for path in list(tmp_path.glob("??/*")):
        if damage:
            cache.put(path.parent.name + path.name, damage)
        else:
            path.write_bytes(path.read_bytes()[:-7])
    compiled._KEPT.clear()

    assert drawings(cache).get_template("card.svg.j2").render(VALUES) == text


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
