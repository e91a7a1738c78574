"""Pieces that are folded: their nets from the lengths in ``game.toml``, boxes and ships from what they hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from pnp.read.schema import ComponentRules
from pnp.read.tomlfile import Lines
from pnp.shapes.nets import boxes, dice, ship, stands
from pnp.shapes.nets.net import Net
from pnp.values.game import Component, Paper
from pnp.values.problems import About, Problems

# Thickness of uncoated card: mm for each g/m², a bulk of 1.25 cm³/g.
BULK = 0.00125
# What a printer leaves free on both sides of a page together, and a folded part's own rim.
UNPRINTED = 20.0


@dataclass(frozen=True, slots=True)
class Bench:
    """What nets are made with: the other components, the game's papers, and how a length is read."""

    known: Mapping[str, Component]
    kinds: Mapping[str, str]
    """The kind of every component, whether it can be read or not."""
    papers: tuple[Paper, ...]
    lines: Lines
    length: Callable[[str, str, float, float], float]
    """(key, text, least, most) → mm; faults are told, and come as 0."""


def fold(component: Component, rules: ComponentRules, bench: Bench, problems: Problems) -> Component | None:
    """The component with its net or nets, sized by the largest; None when a length or what it holds is wrong."""
    before = len(problems.errors)
    nets = NETS[rules.kind](component, rules, bench, problems)
    if len(problems.errors) > before or not nets:
        return None
    return replace(
        component,
        nets=nets,
        width=max(net.bounds.width for net in nets),
        height=max(net.bounds.height for net in nets),
        values=_values(rules),
    )


def thickness(component: Component) -> float:
    """How high all copies of a component stack, in mm; what is folded and glued is twice its paper."""
    sheets = 2 if component.backs == "gutterfold" and component.back else 1
    return component.copies * sheets * component.weight * BULK


def _standee(component: Component, rules: ComponentRules, bench: Bench, problems: Problems) -> tuple[Net, ...]:
    base = bench.length("base", rules.base, 3, 60) if rules.base else round(0.4 * component.width, 2)
    return (stands.standee(component.width, component.height, base),) if base else ()


def _pawn(component: Component, rules: ComponentRules, bench: Bench, problems: Problems) -> tuple[Net, ...]:
    depth = bench.length("depth", rules.depth or "", 3, round(1.9 * component.height, 2))
    return (stands.pawn(component.width, component.height, depth),) if depth else ()


def _prism(component: Component, rules: ComponentRules, bench: Bench, problems: Problems) -> tuple[Net, ...]:
    depth = bench.length("depth", rules.depth or "", 5, 200)
    return (stands.prism(component.width, component.height, depth),) if depth else ()


def _die(component: Component, rules: ComponentRules, bench: Bench, problems: Problems) -> tuple[Net, ...]:
    if rules.faces is not None and len(rules.faces) != rules.sides:
        problems.error(
            "wrong-faces",
            bench.lines.place("component", component.name, "faces"),
            f'the die "{component.name}" has {rules.sides} sides and {len(rules.faces)} faces',
            value=str(len(rules.faces)),
            allowed=f"{rules.sides} texts",
            hint="Repeat a text that is on several sides.",
        )
    for row in component.table:
        shown = row.text_of("faces").split() if "faces" in row else ()
        if shown and len(shown) != rules.sides:
            problems.error(
                "wrong-faces",
                row.place_of("faces"),
                f'the die "{row.id}" has {rules.sides} sides and {len(shown)} faces',
                value=row.text_of("faces"),
                allowed=f"{rules.sides} words",
                hint="Repeat a word that is on several sides.",
                about=About(component.name, row.id),
            )
    edge = component.width
    return (dice.d6(edge) if rules.sides == 6 else dice.d10(edge),)


def _values(rules: ComponentRules) -> tuple[str, ...]:
    if rules.sides is None:
        return ()
    first = 1 if rules.sides == 6 else 0
    return tuple(rules.faces or (str(number) for number in range(first, first + rules.sides)))


def _screen(component: Component, rules: ComponentRules, bench: Bench, problems: Problems) -> tuple[Net, ...]:
    height = bench.length("height", rules.height or "", 20, 400)
    panels = [bench.length("panels", text, 10, 400) for text in rules.panels or ()]
    if not height or not all(panels):
        return ()
    return boxes.screen_parts(panels, min((_longest(paper, height) for paper in bench.papers), default=math.inf), height)


def _longest(paper: Paper, height: float) -> float:
    """How long a strip of this height may be on a paper, lying or upright; what fits neither way is told later."""
    across, along = paper.width - UNPRINTED, paper.height - UNPRINTED
    return along if height <= across else across if height <= along else math.inf


def _box(component: Component, rules: ComponentRules, bench: Bench, problems: Problems) -> tuple[Net, ...]:
    held = _held(component, rules, bench, problems)
    room = bench.length("room", rules.room, 0, 50) if rules.room else 1.0
    if not held:
        return ()
    wall = component.weight * BULK
    width = max(other.width for other in held) + room + 2 * wall
    height = max(other.height for other in held) + room + 2 * wall
    depth = sum(map(thickness, held)) + room + 2 * wall
    return (boxes.tuck_box(*(round(side, 2) for side in (width, height, max(depth, 5.0)))),)


def _pouch(component: Component, rules: ComponentRules, bench: Bench, problems: Problems) -> tuple[Net, ...]:
    depth = bench.length("depth", rules.depth or "", 5, 200)
    return (boxes.pouch(component.width, component.height, depth),) if depth else ()


def _ship(component: Component, rules: ComponentRules, bench: Bench, problems: Problems) -> tuple[Net, ...]:
    held = _held(component, rules, bench, problems)
    return (ship.ship(max(other.width for other in held), rules.slots or 3),) if held else ()


def _held(component: Component, rules: ComponentRules, bench: Bench, problems: Problems) -> list[Component]:
    """The components that a box or ship names; those with a fault of their own are told there."""
    fitting = [name for name, kind in bench.kinds.items() if kind not in (*NETS, "board")]
    for name in rules.holds or ():
        if name not in fitting:
            problems.unknown(
                "unknown-component",
                bench.lines.place("component", component.name, "holds"),
                f'"{name}" is not a component that a {rules.kind} can hold',
                name,
                fitting,
            )
    return [bench.known[name] for name in rules.holds or () if name in bench.known]


NETS: Mapping[str, Callable[[Component, ComponentRules, Bench, Problems], tuple[Net, ...]]] = {
    "standee": _standee,
    "pawn": _pawn,
    "prism": _prism,
    "die": _die,
    "screen": _screen,
    "box": _box,
    "pouch": _pouch,
    "ship": _ship,
}
