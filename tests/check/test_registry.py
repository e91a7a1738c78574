"""Every rule of the checker is registered once, has a heading, and is explained."""

from __future__ import annotations

import importlib
import pkgutil
import re
from types import ModuleType

import pytest

import pnp.check
from pnp.check.registry import CHECKS, HEADINGS, documentation, group_of, in_order
from pnp.values.problems import Place, Problem

MODULES = [importlib.import_module(f"pnp.check.{found.name}") for found in pkgutil.iter_modules(pnp.check.__path__)]
RULE_MODULES = [module for module in MODULES if hasattr(module, "RULES")]
RULES = [(module, rule) for module in RULE_MODULES for rule in module.RULES]
ALL = [rule for _, rule in RULES]
HERE = Place("rules.toml", 1)


def section(module: ModuleType, rule: str) -> str:
    """The part of a module's documentation that is about one rule: from its name to the next rule's."""
    text = documentation(rule)
    starts = [(match.start(), match[1]) for match in re.finditer(r"^``([a-z-]+)``: ", text, re.MULTILINE)]
    if not starts:
        assert (rule,) == module.RULES, "only a module's one rule needs no name"
        return text
    (start,) = (start for start, name in starts if name == rule)
    return text[start : min((other for other, _ in starts if other > start), default=len(text))]


def test_the_folder_has_rules() -> None:
    """These tests mean something: modules with rules are found, and those without are none."""
    assert (
        {"claims", "texts", "allow"}
        <= {module.__name__.rpartition(".")[2] for module in RULE_MODULES}
        < {module.__name__.rpartition(".")[2] for module in MODULES}
    )


@pytest.mark.parametrize("module", RULE_MODULES, ids=lambda module: module.__name__)
def test_a_module_with_rules_is_registered(module: ModuleType) -> None:
    """With all its rules, its own look and its own documentation, of which each of them has a part."""
    looks = [value for name, value in vars(module).items() if name.startswith("look")]
    checks = [check for check in CHECKS.values() if check.look in looks]

    assert {rule for check in checks for rule in check.rules} == set(module.RULES)
    assert "".join(dict.fromkeys(check.documentation for check in checks)).count("Why: ") == len(module.RULES)
    assert all(check.documentation in module.__doc__ for check in checks)


def test_nothing_else_is_registered() -> None:
    """Every registered rule is one of a module."""
    assert {rule for check in CHECKS.values() for rule in check.rules} == set(ALL)
    assert all(set(check.pictured) <= set(check.rules) for check in CHECKS.values())


def test_every_group_has_a_heading() -> None:
    """No finding stands without one; what reading and drawing find comes first, what was allowed last."""
    assert set(HEADINGS) == {"", *CHECKS}
    assert (next(iter(HEADINGS)), list(HEADINGS)[-1]) == ("", "allow")
    assert all(heading and not heading.endswith(".") for heading in HEADINGS.values())
    assert len(set(HEADINGS.values())) == len(HEADINGS)


def test_rules_have_names_of_their_own() -> None:
    """In kebab-case, and no two the same."""
    assert len(set(ALL)) == len(ALL)
    assert [rule for rule in ALL if not re.fullmatch(r"[a-z]+(-[a-z]+)*", rule)] == []


@pytest.mark.parametrize(("module", "rule"), RULES, ids=ALL)
def test_a_rule_is_explained(module: ModuleType, rule: str) -> None:
    """Why it is there, an example of what it finds, how to mend that: each once, in this order, each a sentence."""
    text = section(module, rule)
    words = re.findall(r"^(Why|Example|Mend): \S", text, re.MULTILINE)

    assert words == ["Why", "Example", "Mend"]
    assert text.rstrip().endswith(".")


@pytest.mark.parametrize("group", [group for group in CHECKS if group != "allow"])
def test_a_subject_says_what_it_covers_and_what_it_does_not(group: str) -> None:
    """A proof is taken for more than it is where nobody says what it leaves open."""
    text = CHECKS[group].documentation

    assert re.findall(r"^(Covers|Not covered): \S", text, re.MULTILINE) == ["Covers", "Not covered"]


def test_an_explanation_is_set_from_the_left() -> None:
    """As it stands on a terminal, no line of it is indented by the source."""
    assert [rule for rule in ALL if re.search(r"^[ \t]+\S", documentation(rule), re.MULTILINE)] == []


def test_a_rule_that_is_not_there_is_told_with_the_closest() -> None:
    """A misspelt one with the one that is meant, nonsense with all that there are."""
    with pytest.raises(KeyError) as near:
        documentation("smal-text")
    with pytest.raises(KeyError) as far:
        documentation("xyzzy")

    assert near.value.args[0] == 'there is no rule "smal-text". Did you mean "small-text"?'
    assert far.value.args[0].startswith('there is no rule "xyzzy". Rules of the checker: ')
    assert [rule for rule in ALL if rule not in far.value.args[0]] == []


def test_findings_come_in_the_order_in_which_one_mends_them() -> None:
    """Those of reading first, then by the headings; those of one group stay as they were found."""
    found = [
        Problem(rule, HERE, str(number))
        for number, rule in enumerate(["unused-allow", "small-text", "broken-claim", "claim", "unknown-key", "coarse-art"])
    ]
    ordered = in_order(found)

    assert [problem.rule for problem in ordered] == [
        *("unknown-key", "broken-claim", "claim", "small-text", "coarse-art", "unused-allow")
    ]


@pytest.mark.parametrize(("rule", "group"), [("claim", "claims"), ("typed-number", "words"), ("bad-cell", "")])
def test_a_rule_belongs_to_a_group(rule: str, group: str) -> None:
    """That of its module; what no rule of the checker found belongs to reading and drawing."""
    assert group_of(rule) == group
