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
    absent: bool = False
    """Whether the number of rows is compared with 0, so that it may be meant that there are none."""


# Filters that leave out rows by a column, tests for a value, and filters that leave rows what they are.
_SELECTING = ("selectattr", "rejectattr")
_SAME = ("eq", "equalto", "==", "in")
_KEEPING = (*_SELECTING, "list", "sort", "unique", "reverse")
# 0 is behind these, and before those that say the same.
_WITH_NONE = {"eq", "ne", "gt", "lteq"}, {"eq", "ne", "lt", "gteq"}


def asked(node: nodes.Node) -> Iterator[Asked]:
    """Every value that is typed as it is; what is only known once it is computed is left out."""
    absent = set(map(id, _absent(node)))
    for call in (node, *node.find_all(nodes.Call)) if isinstance(node, nodes.Call) else node.find_all(nodes.Call):
        if (picking := _picking(call)) is None:
            continue
        for keyword in call.kwargs:
            each = keyword.value.items if isinstance(keyword.value, nodes.List | nodes.Tuple) else [keyword.value]
            for value in each:
                # Yes and no are always values of a column of flags.
                if isinstance(value, nodes.Const) and not isinstance(value.value, bool) and value.value is not None:
                    yield Asked(*picking, keyword.key, str(value.value), id(call) in absent)

    for select in (node, *node.find_all(nodes.Filter)) if isinstance(node, nodes.Filter) else node.find_all(nodes.Filter):
        yield from _selected(select, id(select) in absent)


def _picking(call: nodes.Call) -> tuple[str, str] | None:
    """The function that picks rows, and of what: ``rows("cards", …)``, ``board("sea").fields(…)``."""
    function, of = call.node, call
    if isinstance(function, nodes.Getattr) and function.attr == "fields" and isinstance(function.node, nodes.Call):
        of = function.node
        name = "fields" if isinstance(of.node, nodes.Name) and of.node.name == "board" else ""
    else:
        name = function.name if isinstance(function, nodes.Name) else ""
    typed = of.args[0] if of.args else None
    return (name, str(typed.value)) if name and isinstance(typed, nodes.Const) else None


def _selected(select: nodes.Filter, absent: bool) -> Iterator[Asked]:
    """The values that ``selectattr("terrain", "eq", "reef")`` compares the terrain of rows with."""
    if select.name not in _SELECTING or len(select.args) != 3:
        return
    rows = select.node
    while isinstance(rows, nodes.Filter) and rows.name in _KEEPING:
        rows = rows.node
    if not (isinstance(rows, nodes.Call) and isinstance(rows.node, nodes.Name) and rows.node.name == "rows" and rows.args):
        return
    column, test, value = select.args
    named = [each.value for each in (rows.args[0], column, test) if isinstance(each, nodes.Const)]
    if len(named) != 3 or named[2] not in _SAME or isinstance(value, nodes.List | nodes.Tuple) != (named[2] == "in"):
        return
    for each in value.items if isinstance(value, nodes.List | nodes.Tuple) else [value]:
        # A number may be written in several ways; what is no text and no whole number is left out.
        if isinstance(each, nodes.Const) and isinstance(each.value, str | int) and not isinstance(each.value, bool):
            yield Asked("rows", str(named[0]), str(named[1]), str(each.value), absent)


def _absent(node: nodes.Node) -> Iterator[nodes.Node]:
    """The calls and selections of which nothing but the number of rows is compared with 0."""
    for compare in (
        (node, *node.find_all(nodes.Compare)) if isinstance(node, nodes.Compare) else node.find_all(nodes.Compare)
    ):
        if len(compare.ops) != 1:
            continue
        for number, none, signs in zip(
            (compare.expr, compare.ops[0].expr), (compare.ops[0].expr, compare.expr), _WITH_NONE, strict=True
        ):
            if isinstance(none, nodes.Const) and none.value == 0 and compare.ops[0].op in signs:
                yield from _counted(number)


def _counted(node: nodes.Node) -> Iterator[nodes.Node]:
    """The call or the selection whose rows an expression counts, where it does nothing else."""
    if isinstance(node, nodes.Filter) and node.name in ("length", "count", "list") and node.node is not None:
        yield from _counted(node.node)
    elif isinstance(node, nodes.Filter) and node.name == "selectattr":
        yield node
    elif isinstance(node, nodes.Call):
        yield node
        if isinstance(node.node, nodes.Name) and node.node.name == "len" and node.args:
            yield from _counted(node.args[0])
