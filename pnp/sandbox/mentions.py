"""What a template mentions: the names that it could ask for, the templates that it takes in, whether it could remember."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jinja2 import meta, nodes

# The name under which templates see all tables.
TABLES = "tables"
# What a file makes once when it is imported, and what is another thing each time it is looked at.
CHANGING = ("namespace", "cycler", "joiner")
PASSING = ("map", "select", "reject", "selectattr", "rejectattr", "batch", "slice", "unique", "reverse", "items")


@dataclass(frozen=True, slots=True)
class Mentions:
    """Of one source: every name in it, but of ``tables.goods`` that as one, and the templates that it takes in.

    None stands for a template whose name is decided only while it is filled in.
    """

    names: frozenset[str]
    files: tuple[str | None, ...]
    imported: frozenset[str]
    """Of these files those that are made once and serve all faces."""
    remembers: bool
    """Whether it could tell one face, when it is imported, from the one before."""


def mentions(tree: nodes.Template) -> Mentions:
    everything = list(tree.find_all(nodes.Node))
    names = [node.name for node in everything if isinstance(node, nodes.Name)]
    asked: list[str] = []
    for node in everything:
        if (
            isinstance(node, nodes.Getattr | nodes.Getitem)
            and isinstance(node.node, nodes.Name)
            and node.node.name == TABLES
        ):
            what = node.attr if isinstance(node, nodes.Getattr) else getattr(node.arg, "value", None)
            asked += [what] if isinstance(what, str) else []
    if len(asked) == names.count(TABLES):
        names = [name for name in names if name != TABLES] + [f"{TABLES}.{what}" for what in asked]
    imports = [node.template for node in everything if isinstance(node, nodes.Import | nodes.FromImport)]
    imported = frozenset(template.value for template in imports if isinstance(template, nodes.Const))
    remembers = any(_changes(node) for statement in tree.body for node in _outside(statement))
    return Mentions(frozenset(names), tuple(meta.find_referenced_templates(tree)), imported, remembers)


def _outside(node: nodes.Node) -> Iterator[nodes.Node]:
    """What stands in no macro: it is gone through when the file is imported, and only then."""
    if not isinstance(node, nodes.Macro):
        yield node
        for child in node.iter_child_nodes():
            yield from _outside(child)


def _changes(node: nodes.Node) -> bool:
    return (isinstance(node, nodes.Name) and node.name in CHANGING) or (
        isinstance(node, nodes.Filter) and node.name in PASSING
    )
