"""``unbound-number``: a number that could be changed by one, and no rule would notice. Only ``pnp check --unbound`` looks
for it: each number of tables, books, texts, promises and rules is changed in memory, one by one.

Why: what nothing is compared with is wrong one day, and nobody is told.
Example: the rulebook says "up to 6 squares", and no rule of the game says six.
Mend: let the book take the number from the tables, ``{{ count("cargo") }}``; or say what it is compared with: a claim, a
promise in ``[expect]``, a phrase in ``counts`` of ``[words]``. A number that stands for itself is allowed with a reason.

Covers: numbers in cells of tables, in books and their captions, in ``[texts]``, in ``[expect]`` and in rules.toml, each one
higher and one lower, held against all rules that need no drawing.
Not covered: sizes, colours, ids and names; whether the rule that notices a number is right; two numbers changed together;
number words in titles ("Draw Two Cards"), ``2nd``, ``x3`` and ``3x``; in TOML ``1_000`` and ``2.5``, ``number`` of
``[fit]``, ``from`` of ``[words]``; what a book fills in without asking for anything, ``{{ 6 }}``, which counts as live.
"""

from __future__ import annotations

from pnp.values.findings import Report, Subject, report

RULE = "unbound-number"
RULES = (RULE,)


def look(subject: Subject) -> Report:
    """Nothing: to change a number is to read the game anew; see :mod:`pnp.flows.unbound`."""
    return report()
