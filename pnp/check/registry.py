"""All rules of the checker, in the order in which a person would mend what they find.

A module of this folder has ``RULES``, the names of what it may find, a docstring that is their documentation, and
``look``, which goes over a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from inspect import cleandoc

from pnp.check import (
    agree,
    allow,
    art,
    backs,
    blank,
    claims,
    colours,
    drawings,
    economy,
    expected_counts,
    fits,
    holes,
    identity,
    languages,
    layouts,
    movement,
    names,
    piles,
    players,
    setup,
    shown,
    shuffles,
    texts,
    unbound,
    vacuous,
    words,
)
from pnp.values.findings import Report, Subject
from pnp.values.problems import Problem, closest, listed

UNDECIDED = ("undecided-shuffle",)
"""Rules that tell of a proof that came to no end."""


@dataclass(frozen=True, slots=True)
class Check:
    """A module of rules. ``drawn``: it looks at drawn pieces, and finds nothing before they are."""

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


CHECKS: Mapping[str, Check] = {
    "counts": Check(expected_counts.RULES, expected_counts.look, expected_counts.__doc__ or "", anyway=True),
    "claims": Check(claims.RULES, claims.look, claims.__doc__ or ""),
    "vacuous": Check(vacuous.RULES, vacuous.look, vacuous.__doc__ or ""),
    "setup": Check(setup.RULES, setup.look, setup.__doc__ or ""),
    "players": Check(players.RULES, players.look, players.__doc__ or "", said=True),
    "agree": Check(agree.RULES, agree.look, agree.__doc__ or ""),
    "economy": Check(economy.RULES, economy.look, economy.__doc__ or ""),
    "words": Check(words.RULES, words.look, words.__doc__ or "", said=True),
    "words-drawn": Check(words.RULES, words.look_drawn, words.__doc__ or "", drawn=True),
    "names": Check(names.RULES, names.look, names.__doc__ or "", said=True),
    "names-drawn": Check(names.RULES, names.look_drawn, names.__doc__ or "", drawn=True),
    "identity": Check(identity.RULES, identity.look, identity.__doc__ or ""),
    "fits": Check(fits.RULES, fits.look, fits.__doc__ or ""),
    "piles": Check(piles.RULES, piles.look, piles.__doc__ or ""),
    "backs": Check(backs.RULES, backs.look, backs.__doc__ or ""),
    "piles-drawn": Check(piles.RULES, piles.look_drawn, piles.__doc__ or "", drawn=True),
    "layouts": Check(layouts.RULES, layouts.look, layouts.__doc__ or ""),
    "movement": Check(movement.RULES, movement.look, movement.__doc__ or ""),
    "shuffles": Check(shuffles.RULES, shuffles.look, shuffles.__doc__ or ""),
    "players-drawn": Check(players.RULES, players.look_drawn, players.__doc__ or "", drawn=True),
    "texts": Check(texts.RULES, texts.look, texts.__doc__ or "", drawn=True, pictured=("low-contrast",)),
    "drawings": Check(drawings.RULES, drawings.look, drawings.__doc__ or ""),
    "blank": Check(blank.RULES, blank.look, blank.__doc__ or "", drawn=True),
    "shown": Check(shown.RULES, shown.look, shown.__doc__ or "", drawn=True),
    "art": Check(art.RULES, art.look, art.__doc__ or "", drawn=True, pictured=("frame-near-cut",)),
    "colours": Check(colours.RULES, colours.look, colours.__doc__ or ""),
    "languages": Check(languages.RULES, languages.look, languages.__doc__ or ""),
    "holes": Check(holes.RULES, holes.look, holes.__doc__ or "", drawn=True),
    "unbound": Check(unbound.RULES, unbound.look, unbound.__doc__ or "", asked=True),
    "allow": Check(allow.RULES, allow.look, allow.__doc__ or ""),
}

# How the groups are called above their findings; what reading and drawing find comes first, without a rule here.
HEADINGS: Mapping[str, str] = {
    "": "Reading and drawing",
    "counts": "Numbers of pieces",
    "claims": "Claims",
    "vacuous": "Rules that look at nothing",
    "setup": "Set-up",
    "players": "Numbers of players",
    "agree": "Rows that agree",
    "words": "Words",
    "words-drawn": "Words on pieces",
    "players-drawn": "Numbers of players on pieces",
    "names": "Names",
    "names-drawn": "Names on pieces",
    "identity": "Names and ids",
    "economy": "Economy",
    "fits": "Sizes that fit",
    "piles": "Shuffled together",
    "backs": "Backs of other pieces",
    "piles-drawn": "Backs",
    "layouts": "Layouts",
    "movement": "Boards",
    "shuffles": "Shuffles",
    "texts": "Texts on pieces",
    "drawings": "Drawings",
    "blank": "Blank paper",
    "shown": "Drawings shown",
    "art": "Art",
    "colours": "Colours",
    "languages": "Translations",
    "holes": "Words of templates",
    "unbound": "Numbers that no rule holds",
    "allow": "Allowed findings",
}


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
    known = [name for check in CHECKS.values() for name in check.rules]
    raise KeyError(
        f'there is no rule "{rule}". {closest(rule, known) or f"Rules of the checker: {listed(known, len(known))}."}'
    )
