"""Counting what a text from a stranger does: steps, not seconds, so that it is stopped at the same place on every machine.

Loops and macros pay for what stands in them each time they are gone through, texts for their letters, lists for all that
lies in them. Books, claims and templates count in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any, cast

from jinja2 import nodes
from jinja2.environment import TemplateModule
from jinja2.runtime import markup_join
from jinja2.utils import Namespace
from jinja2.visitor import NodeTransformer

from pnp.sandbox import Environment
from pnp.sandbox.values import BadExpression, in_order, printable, within
from pnp.values.cells import Flag, unwrapped
from pnp.values.tables import Row

MOST_STEPS = 2_000_000
# Numbers of more bits count nothing in a box any more, and squared again and again they fill the memory.
MOST_BITS = 512
# Letters of a text that are gone through in a step, and steps that a list in a list takes.
LETTERS, STEPS_OF_A_LIST = 16, 8
# What going round costs beside what stands in a loop, and a macro beside what stands in it.
STEPS_OF_A_ROUND, STEPS_OF_A_MACRO = 2, 20
_LIGHT = frozenset((int, float, bool, type(None)))


# Compiling takes the longer the more there is and the deeper it stands; ten thousand places to fill in are not too many.
MOST_BURDEN, BURDEN_OF_A_NODE = 150_000, 4


class Counting(NodeTransformer):
    """Writes into a template what is to be counted while it is filled in."""

    def visit_Template(self, node: nodes.Template) -> nodes.Node:  # noqa: N802
        return self._paying(node, STEPS_OF_A_MACRO)

    visit_Macro = visit_CallBlock = visit_Block = visit_Template  # noqa: N815

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802
        price = 1 + _size([node.test]) if node.test else 1
        self._paying(node, STEPS_OF_A_ROUND)
        node.iter = _through(node.iter, "counted", nodes.Const(price))
        return node

    def _paying(self, node: Any, least: int) -> nodes.Node:
        """Whoever goes through this pays for all that stands in it."""
        price = least + _size(node.body)
        self.generic_visit(node)
        node.body.insert(0, nodes.ExprStmt(_through(nodes.Const(price), "spent", at=node.lineno), lineno=node.lineno))
        made: nodes.Node = node
        return made

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _through(nodes.List(node.nodes), "joined", at=node.lineno)

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:  # noqa: N802
        """What is compared is gone through, all of it; only against a plain word or number it is not."""
        self.generic_visit(node)
        if len(node.ops) == 1 and node.ops[0].op in ("in", "notin"):
            among = _through(_through(node.expr, "weighed"), "within", _through(node.ops[0].expr, "weighed"), at=node.lineno)
            return among if node.ops[0].op == "in" else nodes.Not(among, lineno=node.lineno)
        sides = [node.expr, *(operand.expr for operand in node.ops)]
        plain = len(node.ops) == 1 and node.ops[0].op not in ("in", "notin") and any(map(_plain, sides))
        if not plain:
            node.expr = _through(node.expr, "weighed")
            for operand in node.ops:
                operand.expr = _through(operand.expr, "weighed")
        return node

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:  # noqa: N802
        """A part of a text or a list is a copy."""
        self.generic_visit(node)
        if isinstance(node.arg, nodes.Slice):
            node.node = _through(node.node, "counted")
        return node

    def visit_List(self, node: nodes.List) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return node if all(map(_plain, node.items)) else _through(node, "weighed")

    def visit_Dict(self, node: nodes.Dict) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _through(node, "weighed")

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Node:  # noqa: N802
        return self.visit_List(node) if node.ctx == "load" else node  # type: ignore[arg-type]


def _plain(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Const)


def _size(parts: Iterable[nodes.Node]) -> int:
    return sum(1 + sum(1 for _ in part.find_all(nodes.Node)) for part in parts)


def _burden(tree: nodes.Template) -> int:
    burden, waiting = 0, [(node, 0) for node in tree.body]
    while waiting and burden <= MOST_BURDEN:
        node, depth = waiting.pop()
        burden += BURDEN_OF_A_NODE + depth
        waiting += [(child, depth + isinstance(node, nodes.Stmt)) for child in node.iter_child_nodes()]
    return burden


def _through(node: nodes.Node, name: str, *given: nodes.Expr, at: int | None = None) -> nodes.Filter:
    return nodes.Filter(node, name, list(given), [], None, None, lineno=at or node.lineno)


class Counted(Environment):
    """A sandbox with a store of steps. Raises BadExpression where it is spent."""

    def __init__(self, **given: Any) -> None:
        # What is computed beforehand is computed uncounted.
        super().__init__(optimized=False, **given)
        self.left = MOST_STEPS
        for name in ("number", "integer", "float"):
            self.tests[name] = _of_number(cast("Callable[[Any], bool]", self.tests[name]))
        for name in ("true", "false", "boolean"):
            self.tests[name] = _of_truth(cast("Callable[[Any], bool]", self.tests[name]))
        self.filters["within"] = within
        self.filters |= {"spent": self.spend, "counted": self.counted, "weighed": self.weighed, "joined": self.joined}

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        made = super()._parse(source, name, filename)
        if _burden(made) > MOST_BURDEN:
            raise BadExpression("it is too long, or loops, choices and macros stand too deep in one another")
        made = Counting().visit(made)
        assert isinstance(made, nodes.Template)
        made.set_environment(self)
        return made

    def spend(self, steps: int) -> None:
        """Count steps; what takes too many is stopped, on every machine at the same one."""
        self.left -= steps
        if self.left < 0:
            raise BadExpression(f"it takes more than {MOST_STEPS:,} steps".replace(",", " "))

    def counted(self, things: Any, price: int = 1) -> Any:
        """The same things, each paid for; what has no length pays as it is gone through, a text by its letters."""
        if isinstance(things, Iterator):
            return self._one_by_one(things, price)
        if isinstance(things, set | frozenset):
            # Python keeps them in another order each time.
            things = in_order(things)
        if isinstance(things, str):
            self.spend(price * (1 + len(things) // LETTERS))
        else:
            self.spend(price * len(things) if hasattr(things, "__len__") else price)
        return things

    def _one_by_one(self, things: Iterator[Any], price: int) -> Iterator[Any]:
        for thing in things:
            self.spend(price)
            yield thing

    def weighed(self, made: Any) -> Any:
        """The same with all that is in it, however deep, each thing a step and each text by its letters."""
        waiting = [made]
        while waiting:
            thing = waiting.pop()
            if type(thing) in _LIGHT:
                continue
            if isinstance(thing, str):
                if len(thing) >= LETTERS:
                    self.spend(len(thing) // LETTERS)
            elif isinstance(thing, list | tuple | set | frozenset):
                self.spend(STEPS_OF_A_LIST + len(thing))
                waiting += [each for each in thing if type(each) not in _LIGHT]
            elif isinstance(thing, Row):
                # Its name, without asking for it: that would count as using the column.
                self.spend(len(thing.cells["name"].text if "name" in thing.cells else thing.id) // LETTERS)
            elif isinstance(thing, Mapping):
                self.spend(STEPS_OF_A_LIST + 2 * len(thing))
                waiting += [*thing, *thing.values()]
            elif isinstance(thing, Namespace):
                self.spend(STEPS_OF_A_LIST)
                waiting.append(thing._Namespace__attrs)
            elif isinstance(thing, TemplateModule):
                self.spend(sum(map(len, thing._body_stream)) // LETTERS)
        return made

    def concat(self, parts: Iterable[str], /) -> str:
        """Joins what a macro or a ``set`` block writes."""
        texts = parts if isinstance(parts, list) else list(parts)
        self.spend(sum(map(len, texts)) // LETTERS)
        return "".join(texts)

    def joined(self, parts: Iterable[Any]) -> str:
        """What ``~`` joins: a text, whose tags are tags where one of the parts had some."""
        return markup_join(map(printable, self.weighed(parts)))


def _of_number(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A test of numbers, which those of tables pass."""
    return lambda value: test(unwrapped(value))


def _of_truth(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A test of true and false, which flags of tables pass."""
    return lambda value: test(value.yes if isinstance(value, Flag) else value)


def counting(environment: Counted, function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter or function whose subject is counted; it stands behind what Jinja passes of its own."""
    at = 1 if hasattr(function, "jinja_pass_arg") else 0

    @wraps(function, updated=("__dict__",) if hasattr(function, "__dict__") else ())
    def run(*given: Any, **named: Any) -> Any:
        counted = [environment.counted(value) if index == at else value for index, value in enumerate(given)]
        return function(*counted, **named)

    return run
