"""Which values an expression names that rows are picked by: ``terrain = "reef"`` in ``hexes("tiles", terrain="reef")``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jinja2 import nodes


@dataclass(frozen=True, slots=True)
class Asked:
    """A value typed for a column, in a call that picks rows of what has this name."""

    function: str
    name: str
    column: str
    value: str


def asked(node: nodes.Node) -> Iterator[Asked]:
    """Every value that is typed as it is; what is only known once it is computed is left out."""
    for call in (node, *node.find_all(nodes.Call)) if isinstance(node, nodes.Call) else node.find_all(nodes.Call):
        if not isinstance(call.node, nodes.Name) or not call.args or not isinstance(call.args[0], nodes.Const):
            continue
        for keyword in call.kwargs:
            each = keyword.value.items if isinstance(keyword.value, nodes.List | nodes.Tuple) else [keyword.value]
            for value in each:
                # Yes and no are always values of a column of flags.
                if isinstance(value, nodes.Const) and not isinstance(value.value, bool) and value.value is not None:
                    yield Asked(call.node.name, str(call.args[0].value), keyword.key, str(value.value))
