"""What is wrong with a name is told by what the fault carries, not by how its sentence ends."""

from __future__ import annotations

import pickle

import jinja2
import pytest
from jinja2.exceptions import SecurityError

from pnp.sandbox import Strict, explained
from pnp.sandbox.expressions import Expressions
from pnp.sandbox.jinja import Documents
from pnp.values.problems import Fault, Place


def fault_of(name: Strict) -> jinja2.TemplateRuntimeError:
    """What using a name raises."""
    with pytest.raises((jinja2.UndefinedError, SecurityError)) as caught:
        str(name)
    return caught.value


def test_a_name_that_is_not_known_is_told_with_those_that_are() -> None:
    """What is known there is asked of whoever evaluates, for this name."""
    bad = explained(fault_of(Strict(name="anna")), lambda name: (f"others than {name}", "Did you mean it?"))

    assert (bad.message, bad.value) == ('"anna" is not known', "anna")
    assert (bad.allowed, bad.hint) == ("others than anna", "Did you mean it?")


@pytest.mark.parametrize(
    "fault",
    [
        Fault("anna is not known"),
        jinja2.UndefinedError("anna is not known"),
        SecurityError("anna is not known"),
        fault_of(Strict("anna is not known", name="anna")),
    ],
)
def test_a_sentence_that_ends_like_one_is_no_unknown_name(fault: Fault | jinja2.TemplateRuntimeError) -> None:
    """It stays as it is, and nothing is offered instead."""
    bad = explained(fault, lambda name: pytest.fail(f"asked for {name}"))

    assert (bad.message, bad.allowed, bad.hint) == ("anna is not known", "", "")


def test_a_key_of_a_table_is_no_name_of_the_game() -> None:
    """Asked of something, it is told with what that has; the game's own names are no help."""
    table = {"anna": 1, "bert is not known": 2}
    with pytest.raises(Fault) as in_rules:
        Expressions({"table": table}).compile("table.annna == 1").value({})
    with pytest.raises(Fault) as in_book:
        Documents({"table": table}).fill("{{ table.annna }}")

    for bad in (in_rules.value, in_book.value):
        assert (bad.message, bad.value, bad.hint) == ('there is no "annna" here', "annna", 'Did you mean "anna"?')
        assert bad.allowed == "anna, bert is not known"


def test_a_fault_comes_whole_out_of_another_process() -> None:
    """It travels by pickle, and becomes the same finding there."""
    fault = Fault("it is red", "red", "blue", "Paint it.", Place("cards.csv", 2, "colour"))
    again = pickle.loads(pickle.dumps(fault))

    assert (str(again), again.problem("bad-colour")) == ("it is red. Paint it.", fault.problem("bad-colour"))
    assert again.problem("bad-colour", Place("game.toml")).place == Place("game.toml")


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("table.anna ≥ 1", "Write >=."),
        ("table.anna && 1", "Write and."),
        ("=table.anna", "Write what is compared before ==: no = stands first."),
        ("table.anna == ~1", ""),
    ],
)
def test_a_sign_of_a_spreadsheet_is_told_with_what_is_meant(typed: str, hint: str) -> None:
    """People copy from spreadsheets, word processors and other languages."""
    with pytest.raises(Fault, match=" has no meaning there") as bad:
        Expressions({"table": {"anna": 1}}).compile(typed).value({})

    assert bad.value.hint == hint
