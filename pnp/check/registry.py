"""All rules of the checker, in the order in which a person would mend what they find.

A module of this folder has ``RULES``, the names of what it may find, a docstring that is their documentation, and
``look``, which goes over a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pnp.check import expected_counts
from pnp.findings import Report, Subject


@dataclass(frozen=True, slots=True)
class Check:
    """A module of rules. ``drawn``: it looks at drawn pieces, and finds nothing before they are."""

    rules: tuple[str, ...]
    look: Callable[[Subject], Report]
    documentation: str
    drawn: bool = False


CHECKS: Mapping[str, Check] = {
    "counts": Check(expected_counts.RULES, expected_counts.look, expected_counts.__doc__ or ""),
}
