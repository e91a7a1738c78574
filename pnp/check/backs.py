"""``stray-back``: a component has the back that its sisters have, and none that is the front of other pieces.

Sisters are components of one table that are drawn by one template, such as coins of 1, 3 and 5, each with a ``where``.
Of at least three, one that has another back, or none, is told; of two nobody knows which is meant. Told as well is a back
that is drawn by the template with which a component of another table, drawn otherwise, has its front. Both are warnings.
Why: a back is one word in game.toml, and the name of another template there draws without a fault.
Example: ``[component.penguins] back = "ice"``: round penguins with a block of ice on their other side.
Mend: name the right template. Where it is meant, allow it.

Covers: the names of templates in ``back``, of every component.
Not covered: what a back shows; a wrong back that no other piece has as its front, unless three sisters show the right one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pnp.values.findings import Report, Subject, report
from pnp.values.game import Component
from pnp.values.problems import About, Problem, listed
from pnp.values.walk import grouped

RULE = "stray-back"
RULES = (RULE,)

# Of fewer sisters nobody knows which has the right back.
_FEWEST = 3


def look(subject: Subject) -> Report:
    """Every component that has a back, or whose sisters have one."""
    return report(dict.fromkeys([*_sisters(subject.game.components), *_fronts(subject.game.components)]))


def _sisters(components: Sequence[Component]) -> Iterator[Problem]:
    alike = grouped(((component.table.name, component.template, component.kind), component) for component in components)
    for sisters in alike.values():
        backs = Counter(sister.back for sister in sisters)
        if len(sisters) < _FEWEST or len(backs) != 2 or min(backs.values()) != 1 or max(backs.values()) < 2:
            continue
        (usual, _), (other, _) = backs.most_common(2)
        (odd,) = (sister for sister in sisters if sister.back == other)
        others = listed(f'"{sister.title}"' for sister in sisters if sister is not odd)
        yield _problem(
            odd, f'"{odd.title}" has {_named(other)}, and its sisters {others} have {_named(usual)}', _named(usual)
        )


def _named(back: str | None) -> str:
    return f'the back "{back}"' if back else "no back"


def _fronts(components: Sequence[Component]) -> Iterator[Problem]:
    for component in components:
        if component.back in (None, component.template):
            continue
        others = [other for other in components if other.template == component.back]
        if others and all(other.table.name != component.table.name for other in others):
            names = listed(f'"{other.title}"' for other in others)
            what = (
                f'the back of "{component.title}" is drawn by the template "{component.back}", which is the front of {names}'
            )
            yield _problem(component, what, "a template of its own")


def _problem(component: Component, message: str, allowed: str) -> Problem:
    hint = 'Correct "back", or allow it where it is meant.'
    return Problem(RULE, component.place, message, component.back or "", allowed, hint, "warning", About(component.name))
