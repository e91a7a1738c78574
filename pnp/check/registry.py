"""All rules of the checker, in the order in which a person would mend what they find.

A module of this folder has ``RULES``, the names of what it may find, a docstring that is their documentation, and
``look``, which goes over a game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from inspect import cleandoc
from types import ModuleType
from typing import Any

from pnp.check import (
    allow,
    art,
    claims,
    colours,
    economy,
    expected_counts,
    fits,
    languages,
    layouts,
    movement,
    names,
    piles,
    players,
    row_consistency,
    setup,
    shuffles,
    slips,
    texts,
    words,
)
from pnp.dataclass import dataclass
from pnp.values.findings import Report, Subject
from pnp.values.problems import Problem, closest, listed

UNDECIDED = ("undecided-shuffle",)
"""Rules that tell of a proof that came to no end."""


@dataclass(frozen=True, slots=True)
class Check:
    """A module of rules. ``drawn``: it looks at drawn pieces, and finds nothing before they are."""

    heading: str
    rules: tuple[str, ...]
    look: Callable[[Subject], Report]
    documentation: str
    drawn: bool = False
    pictured: tuple[str, ...] = ()
    """Those of its rules that need pictures of the pieces, which a build does not make."""
    anyway: bool = False
    """It can look at a game whose reading found faults, and tells none of them again."""
    said: bool = False
    """It reads what books say."""
    asked: bool = False
    """It looks only where somebody asks for it."""


def _check(module: ModuleType, heading: str, rules: tuple[str, ...] = (), look: str = "look", **asked: Any) -> Check:
    """A module's rules, or some of them: they have a part of its documentation, which ends with what it does not cover."""
    parts = re.findall(r"(?s)\S.*?\nNot covered: .*?(?:\n\n|\Z)|\S.*", module.__doc__ or "")
    told = next((part for part in parts if rules and f"``{rules[0]}``: " in part), module.__doc__ or "")
    return Check(heading, rules or module.RULES, getattr(module, look), told, **asked)


# What reading and drawing find comes first, without a rule here.
CHECKS: Mapping[str, Check] = {
    "counts": _check(expected_counts, "Numbers of pieces", anyway=True),
    "claims": _check(claims, "Claims", claims.CLAIM_RULES),
    "vacuous": _check(claims, "Rules that look at nothing", (claims.NO_VALUE,), look="look_for_values"),
    "setup": _check(setup, "Set-up"),
    "players": _check(players, "Numbers of players", said=True),
    "agree": _check(row_consistency, "Rows that agree"),
    "words": _check(words, "Words", said=True),
    "words-drawn": _check(words, "Words on pieces", look="look_drawn", drawn=True),
    "players-drawn": _check(players, "Numbers of players on pieces", look="look_drawn", drawn=True),
    "names": _check(names, "Names", said=True),
    "names-drawn": _check(names, "Names on pieces", look="look_drawn", drawn=True),
    "slips": _check(slips, "Slips of typing", slips.TYPED_RULES),
    "identity": _check(slips, "Names and ids", (slips.NAME_AND_ID,), look="look_ids"),
    "economy": _check(economy, "Economy"),
    "fits": _check(fits, "Sizes that fit"),
    "piles": _check(piles, "Shuffled together", piles.PILE_RULES),
    "backs": _check(piles, "Backs of other pieces", (piles.STRAY,), look="look_stray"),
    "piles-drawn": _check(piles, "Backs", piles.PILE_RULES, look="look_drawn", drawn=True),
    "layouts": _check(layouts, "Layouts"),
    "movement": _check(movement, "Boards"),
    "shuffles": _check(shuffles, "Shuffles"),
    "texts": _check(texts, "Texts on pieces", drawn=True, pictured=("low-contrast", "hidden-text")),
    "drawings": _check(art, "Drawings", (art.HIDDEN,), look="look_hidden"),
    "blank": _check(art, "Blank paper", (art.PAGE,), look="look_blank", drawn=True),
    "shown": _check(art, "Drawings shown", art.SHOWN_RULES, look="look_shown", drawn=True),
    "art": _check(art, "Art", art.ART_RULES, drawn=True, pictured=("frame-near-cut", "no-bleed")),
    "colours": _check(colours, "Colours"),
    "languages": _check(languages, "Translations", languages.CATALOGUE_RULES),
    "holes": _check(languages, "Words of templates", (languages.UNTRANSLATED,), look="look_pieces", drawn=True),
    "language": _check(languages, "Language", (languages.UNSAID,), look="look_language", said=True),
    "unbound": _check(allow, "Numbers that no rule holds", (allow.UNBOUND,), asked=True),
    "allow": _check(allow, "Allowed findings", (allow.RULE,)),
}

HEADINGS: Mapping[str, str] = {"": "Reading and drawing", **{group: check.heading for group, check in CHECKS.items()}}
"""How the groups are called above their findings."""


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Findings in the order in which a person would mend them; those of one group as they were found."""
    groups = list(HEADINGS)
    return sorted(problems, key=lambda problem: groups.index(group_of(problem.rule)))


def group_of(rule: str) -> str:
    """The group that a finding belongs to; empty for what reading and drawing find."""
    return next((group for group, check in CHECKS.items() if rule in check.rules), "")


def documentation(rule: str) -> str:
    """What a rule is about: the docstring of its module. Raises KeyError, with a sentence, for a rule that is not there."""
    for check in CHECKS.values():
        if rule in check.rules:
            return cleandoc(check.documentation)
    known = list(dict.fromkeys(name for check in CHECKS.values() for name in check.rules))
    raise KeyError(
        f'there is no rule "{rule}". {closest(rule, known) or f"Rules of the checker: {listed(known, len(known))}."}'
    )
