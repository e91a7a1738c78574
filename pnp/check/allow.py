"""Finds numbers that no rule holds, and allowances that allow nothing.

``unbound-number``: a number could be changed by one, and no rule would notice. Only ``pnp check --unbound`` looks
for it.

Why: what nothing is compared with is wrong one day, and nobody is told.
Example: the rulebook says "up to 6 squares", and no rule of the game says six.
Mend: let the book take the number from the tables, ``{{ count("cargo") }}``; or say what it is compared with: a claim, a
promise in ``[expect]``, a phrase in ``counts`` of ``[words]``. A number that stands for itself is allowed with a reason.

Covers: numbers in cells, books and captions, ``[texts]``, ``[expect]`` and rules.toml, each one higher and one lower,
held against all rules that need no drawing.
Not covered: sizes, colours, ids and names; number words in titles, ``2nd``, ``x3`` and ``3x``; in TOML ``1_000`` and
``2.5``, ``number`` of ``[fit]``, ``from`` of ``[words]``; ``{{ 6 }}`` in a book.

``unused-allow``: an ``[[allow]]`` of rules.toml silences nothing.
Why: it would hide the finding when it comes back.
Example: what was allowed has been mended.
Mend: take the ``[[allow]]`` away, or write its rule and a part of the finding as they are printed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pnp.values.findings import Report, Subject, report
from pnp.values.problems import Problem, closest, listed
from pnp.values.rules import Rules
from pnp.values.sections import Allow

RULE, UNBOUND = "unused-allow", "unbound-number"
RULES = (RULE, UNBOUND)


def look(subject: Subject) -> Report:
    """Nothing: only when all rules have looked is it known what was allowed in vain, see ``allowed``; and to change a
    number is to read the game anew, see :mod:`pnp.flows.unbound`.
    """
    return report()


def allowed(
    problems: Iterable[Problem], rules: Rules, known: Collection[str], looked: Collection[str]
) -> tuple[list[Problem], list[tuple[Problem, Allow]], list[Problem]]:
    """Findings of the checker that stay, those that the game allows, and the allowances that nothing needed.

    ``known`` are the names of all rules, ``looked`` those that were looked for this time: an allowance for another is
    not called unused. Findings of reading and drawing are not given here: what cannot be read cannot be allowed.
    """
    kept: list[Problem] = []
    silenced: list[tuple[Problem, Allow]] = []
    for problem in problems:
        allow = next((allow for allow in rules.allowed if _meant(allow, problem)), None)
        if allow is None:
            kept.append(problem)
        else:
            silenced.append((problem, allow))
    unused = []
    for allow in rules.allowed:
        # Two may be written for one finding: then each is needed as long as it would do alone.
        if any(_meant(allow, problem) for problem, _ in silenced):
            continue
        if allow.rule not in known:
            hint = closest(allow.rule, known)
            message = f'there is no rule "{allow.rule}" whose findings could be allowed'
            unused.append(Problem(RULE, allow.place, message, allow.rule, listed(sorted(known), 60), hint, "warning"))
        elif allow.rule in looked:
            message = f'nothing needs this: no finding of the rule "{allow.rule}" has "{allow.about}" in it'
            unused.append(Problem(RULE, allow.place, message, allow.about, hint="Take it away.", severity="warning"))
    return kept, silenced, unused


def _meant(allow: Allow, problem: Problem) -> bool:
    """Whether a finding is the allowed one: its rule, and a part of its place or message."""
    return allow.rule == problem.rule and allow.about in f"{problem.place}: {problem.message}"
