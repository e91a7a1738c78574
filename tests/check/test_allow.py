"""``[[allow]]`` silences what is meant, and nothing else; one that silences nothing is told."""

from __future__ import annotations

from pnp.check.allow import RULE, allowed
from pnp.values.problems import Place, Problem
from pnp.values.rules import Rules
from pnp.values.sections import Allow

SMALL = Problem("small-text", Place("cards.csv", 2, "text"), "cards/anna: the text is 5 pt", "5", severity="warning")
SMALL_TOO = Problem("small-text", Place("cards.csv", 3, "text"), "cards/bert: the text is 5 pt", "5", severity="warning")
CLAIM = Problem("claim", Place("rules.toml", 4, "claim.sixty"), "There are sixty: this is not true")
KNOWN = ("claim", "small-text", "art")


def rules(*allows: tuple[str, str]) -> Rules:
    """Rules that allow findings of a rule with something in them."""
    return Rules(
        allowed=tuple(
            Allow(rule=rule, about=about, because="it is meant").at(Place("rules.toml", line, "allow"))
            for line, (rule, about) in enumerate(allows, 1)
        )
    )


def test_an_allowed_finding_is_set_aside_with_its_reason() -> None:
    """Just the one that has the words; the others stay, in their order."""
    given = rules(("small-text", "anna"))
    kept, silenced, unused = allowed([SMALL, SMALL_TOO, CLAIM], given, KNOWN, KNOWN)

    assert kept == [SMALL_TOO, CLAIM]
    assert silenced == [(SMALL, given.allowed[0])]
    assert silenced[0][1].because == "it is meant"
    assert not unused


def test_the_rule_must_be_the_same() -> None:
    """Words of another rule's finding do not count; the allowance is unused then."""
    kept, silenced, unused = allowed([SMALL], rules(("claim", "anna")), KNOWN, KNOWN)

    assert (kept, silenced) == ([SMALL], [])
    assert [(problem.rule, problem.severity) for problem in unused] == [(RULE, "warning")]


def test_an_unused_allowance_is_a_warning_at_its_line() -> None:
    """An excuse outlives its finding no longer than till the next check."""
    (problem,) = allowed([SMALL], rules(("small-text", "anna"), ("small-text", "carl")), KNOWN, KNOWN)[2]

    assert str(problem.place) == "rules.toml:2:allow"
    assert '"small-text" has "carl" in it' in problem.message
    assert problem.severity == "warning"


def test_what_was_not_looked_for_is_not_called_unused() -> None:
    """Without drawing nobody knows whether a text is too small."""
    assert allowed([], rules(("small-text", "anna")), KNOWN, ("claim",))[2] == []


def test_a_misspelt_rule_is_named_with_a_near_one() -> None:
    """Whether it was looked for or not."""
    (problem,) = allowed([SMALL], rules(("smal-text", "anna")), KNOWN, ())[2]

    assert problem.rule == RULE
    assert 'Did you mean "small-text"?' in problem.hint and "art, claim, small-text" in problem.allowed
