"""Reads folded pieces: defines each kind's keys and computes its net; boxes and ships fit what they hold."""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from pnp.read.pieces import WHAT, PieceRules, Shelf, Single, Sized, length_of_one
from pnp.shapes import units
from pnp.shapes.nets import boxes, stands
from pnp.shapes.nets.net import Net
from pnp.shapes.nets.stands import Window
from pnp.values.fields import Name, Strict, Text
from pnp.values.game import BULK, Component, KindName, Paper
from pnp.values.problems import About

# What a printer leaves free on both sides of a page together, and a folded part's own rim.
UNPRINTED = 20.0
# Between two cuts of a dial so much paper is left, in mm. Unless told otherwise its window shows this share of a value's
# room around it, and is no wider than so many degrees.
PAPER, SHOWN, WIDEST = 2.5, 0.86, 60.0
MOST_SHOWN = 60

_DEEP = {"pawn": stands.pawn, "prism": stands.prism, "pouch": boxes.pouch}
Holds = Annotated[
    list[Name],
    Field(min_length=1, max_length=20, description="Components that lie in a box, or the one whose cards a ship carries."),
]


class Folded(Single):
    """A piece with a net, or with one for each part that it is made from."""

    @abstractmethod
    def nets(self, component: Component, shelf: Shelf) -> Sequence[Net]:
        """Its nets; none, with Problems, when a length or what it holds is wrong."""

    def shown(self, shelf: Shelf) -> tuple[str, ...]:
        """The values that its faces or rooms show."""
        return ()

    def made(self, component: Component, shelf: Shelf) -> Component | None:
        """The component, sized by the largest of its nets."""
        before = len(shelf.problems.errors)
        nets = tuple(self.nets(component, shelf))
        if len(shelf.problems.errors) > before or not nets:
            return None
        return replace(
            component,
            nets=nets,
            width=max(net.bounds.width for net in nets),
            height=max(net.bounds.height for net in nets),
            values=self.shown(shelf),
        )


class OneLength(Sized):
    """A piece with a size that is one length."""

    sizes: ClassVar[str] = "one length from 5mm to 200mm"
    size_is: ClassVar[str]
    """What that length is, in words."""

    def measured(self) -> tuple[float, float]:
        if (length := length_of_one(self.size, self.kind)) is not None:
            return length, length
        width, height = super().measured()
        if width != height:
            raise ValueError(f'"{self.size}" is two lengths: the size of a {self.kind} is {self.size_is}')
        return width, height


class Standee(Sized, Folded):
    """Two sides back to back on two flaps."""

    kind: Annotated[Literal["standee"], WHAT]
    base: Text | None = Field(None, description="Depth of a standee's two flaps, such as 8mm.")

    def nets(self, component: Component, shelf: Shelf) -> Sequence[Net]:
        usual = round(0.4 * component.width, 2)
        base = shelf.length(component.name, "base", self.base, 3, 60) if self.base else usual
        return [stands.standee(component.width, component.height, base)] if base else []


class Deep(Sized, Folded):
    """A piece with a depth of its own."""

    depth: Annotated[Text, Field(description="From front to back of a pawn, prism or pouch.")]

    def nets(self, component: Component, shelf: Shelf) -> Sequence[Net]:
        # The two sides of a pawn lean together above its bottom.
        least, most = (3.0, round(1.9 * component.height, 2)) if self.kind == "pawn" else (5.0, 200.0)
        depth = shelf.length(component.name, "depth", self.depth, least, most)
        return [_DEEP[self.kind](component.width, component.height, depth)] if depth else []


class Pawn(Deep):
    """A tent of front, back and bottom."""

    kind: Annotated[Literal["pawn"], WHAT]


class Prism(Deep):
    """A block that stands and stacks."""

    kind: Annotated[Literal["prism"], WHAT]


class Die(OneLength, Folded):
    """A cube, or a ten-sided die."""

    size_is: ClassVar[str] = "its edge, such as 16mm"
    kind: Annotated[Literal["die"], WHAT]
    sides: Literal[6, 10] = Field(description="Faces of a die: 6 or 10.")
    faces: list[Text] | None = Field(
        None, min_length=1, max_length=20, description="What a die shows, a text a face; by default 1-6, or 0-9."
    )

    def shown(self, shelf: Shelf) -> tuple[str, ...]:
        first = 1 if self.sides == 6 else 0
        return tuple(self.faces or (str(number) for number in range(first, first + self.sides)))

    def nets(self, component: Component, shelf: Shelf) -> Sequence[Net]:
        if self.faces is not None and len(self.faces) != self.sides:
            place = shelf.at(component.name, "faces")
            message = f'the die "{component.name}" has {self.sides} sides and {len(self.faces)} faces'
            hint = "Repeat a text that is on several sides."
            allowed = f"{self.sides} texts"
            shelf.problems.error("wrong-faces", place, message, value=str(len(self.faces)), allowed=allowed, hint=hint)
        for row in component.table:
            shown = row.text_of("faces").split() if "faces" in row else ()
            if shown and len(shown) != self.sides:
                shelf.problems.error(
                    "wrong-faces",
                    row.place_of("faces"),
                    f'the die "{row.id}" has {self.sides} sides and {len(shown)} faces',
                    value=row.text_of("faces"),
                    allowed=f"{self.sides} words",
                    hint="Repeat a word that is on several sides.",
                    about=About(component.name, row.id),
                )
        edge = component.width
        return [boxes.d6(edge) if self.sides == 6 else boxes.d10(edge)]


class Screen(Folded):
    """A player screen, in parts where it is longer than a page."""

    kind: Annotated[Literal["screen"], WHAT]
    panels: list[Text] = Field(
        min_length=1, max_length=9, description="Widths of a screen's panels, such as 60mm, 140mm, 60mm."
    )
    height: Text = Field(description="Height of a screen.")

    def nets(self, component: Component, shelf: Shelf) -> Sequence[Net]:
        height = shelf.length(component.name, "height", self.height, 20, 400)
        panels = [shelf.length(component.name, "panels", text, 10, 400) for text in self.panels]
        if not height or not all(panels):
            return []
        longest = min((_longest(paper, height) for paper in shelf.papers), default=math.inf)
        return boxes.screen_parts(panels, longest, height)


class Box(Folded):
    """A tuck box around what it holds."""

    turn: ClassVar[int] = 2
    kind: Annotated[Literal["box"], WHAT]
    holds: Holds
    room: Text | None = Field(None, description="Spare room in a box each way (1mm).")

    def nets(self, component: Component, shelf: Shelf) -> Sequence[Net]:
        held = _held(component, self.holds, shelf)
        room = shelf.length(component.name, "room", self.room, 0, 50) if self.room else 1.0
        if not held:
            return []
        wall = component.weight * BULK
        width = max(other.width for other in held) + room + 2 * wall
        height = max(other.height for other in held) + room + 2 * wall
        depth = sum(other.thickness for other in held) + room + 2 * wall
        return [boxes.tuck_box(*(round(side, 2) for side in (width, height, max(depth, 5.0))))]


class Pouch(Deep):
    """An open bag with a flat bottom."""

    kind: Annotated[Literal["pouch"], WHAT]


class Ship(Folded):
    """A ship in side view that carries cards as sails."""

    turn: ClassVar[int] = 2
    kind: Annotated[Literal["ship"], WHAT]
    holds: Holds
    slots: int | None = Field(None, ge=1, le=6, description="How many cards a ship carries (3).")

    def nets(self, component: Component, shelf: Shelf) -> Sequence[Net]:
        held = _held(component, self.holds, shelf)
        return [stands.ship(max(other.width for other in held), self.slots or 3)] if held else []


class WindowRules(Strict):
    """The window of a dial; lengths are distances from its middle."""

    shape: Literal["ring", "sector", "circle"] = Field(
        "ring", description="ring: a piece of a ring; sector: the same from the pin outwards; circle: the largest that fits."
    )
    angle: float = Field(0, ge=0, le=360, description="Where it is, in degrees clockwise from the top.")
    sweep: float | None = Field(
        None, ge=1, le=180, description="How wide it is, in degrees; by default as one value has room."
    )
    inner: Text | None = Field(None, description="From the middle to its inner edge, such as 12mm.")
    outer: Text | None = Field(None, description="From the middle to its outer edge, such as 24mm.")

    def cut(self, component: Component, values: int, pin: float, shelf: Shelf) -> Window | None:
        """The window in a dial's upper disc; None when it leaves too little paper around."""
        radius, share = component.width / 2, 360 / values
        hub, rim = pin / 2 + PAPER, radius - PAPER
        if rim - hub < 2 * PAPER:
            least = 2 * (hub + 3 * PAPER)
            shelf.problems.error(
                "bad-size",
                shelf.at(component.name, "size"),
                f'the dial "{component.name}" has no room for a window between its pin and its edge',
                value=units.show(component.width),
                allowed=f"{units.show(least)}mm or more",
            )
            return None
        if self.sweep is not None and self.sweep > share:
            place = shelf.at(component.name, "window", "sweep")
            message = f"through a window of {self.sweep:g} degrees shows more than one of {values} values"
            shelf.problems.error("bad-value", place, message, value=f"{self.sweep:g}", allowed=f"{share:g} degrees or less")
        outer = min(max(0.86 * radius, hub + 2 * PAPER), rim)
        inner = hub if self.shape == "sector" else max(0.46 * radius, hub)
        if self.outer is not None:
            outer = shelf.length(component.name, "window.outer", self.outer, hub + PAPER, rim)
        if self.inner is not None and outer:
            inner = shelf.length(component.name, "window.inner", self.inner, hub, outer - PAPER)
        if not outer or not inner:
            return None
        sweep = min(SHOWN * share, WIDEST) if self.sweep is None else self.sweep
        return Window(min(inner, outer - PAPER), outer, self.angle, sweep, "circle" if self.shape == "circle" else "ring")


class Dial(OneLength, Folded):
    """Two discs on one pin: a window in the upper one shows one of the values around the lower one."""

    size_is: ClassVar[str] = "how wide it is, such as 60mm"
    kind: Annotated[Literal["dial"], WHAT]
    values: Name = Field(description="What a dial shows: numbers such as 1-12, or the table whose rows are the values.")
    window: WindowRules = Field(WindowRules(), description="The window of a dial: shape, angle, sweep, inner, outer.")
    pin: Text = Field("4mm", description="How wide the hole for a dial's pin is.")

    def tables(self, key: str) -> Iterator[tuple[str, str]]:
        yield from super().tables(key)
        if self.values is not None and _numbers(self.values) is None:
            yield "values", self.values

    def shown(self, shelf: Shelf) -> tuple[str, ...]:
        numbers = _numbers(self.values)
        table = shelf.tables.get(self.values)
        return tuple(map(str, (table or ()) if numbers is None else numbers))

    def nets(self, component: Component, shelf: Shelf) -> Sequence[Net]:
        if _numbers(self.values) is None and self.values not in shelf.tables:
            return []
        count = len(self.shown(shelf))
        pin = shelf.length(component.name, "pin", self.pin, 1, 10)
        if not 2 <= count <= MOST_SHOWN:
            place = shelf.at(component.name, "values")
            message = f'the dial "{component.name}" shows {count} values'
            allowed = f"2 to {MOST_SHOWN} values, the lower number first"
            shelf.problems.error("bad-value", place, message, value=self.values, allowed=allowed)
            return []
        window = self.window.cut(component, count, pin, shelf) if pin else None
        return stands.dial(component.width, count, window, pin) if window else []


def _numbers(typed: str) -> range | None:
    found = re.fullmatch("([0-9]{1,4})-([0-9]{1,4})", typed)
    return range(int(found[1]), int(found[2]) + 1) if found else None


def _longest(paper: Paper, height: float) -> float:
    across, along = paper.width - UNPRINTED, paper.height - UNPRINTED
    return along if height <= across else across if height <= along else math.inf


def _held(component: Component, holds: Sequence[str], shelf: Shelf) -> list[Component]:
    fitting = shelf.held()
    for name in holds:
        if name not in fitting:
            place = shelf.at(component.name, "holds")
            message = f'"{name}" is not a component that a {component.kind} can hold'
            shelf.problems.unknown("unknown-component", place, message, name, fitting)
    return [shelf.known[name] for name in holds if name in shelf.known]


RULES: Mapping[KindName, type[PieceRules]] = {
    "standee": Standee,
    "pawn": Pawn,
    "prism": Prism,
    "die": Die,
    "screen": Screen,
    "box": Box,
    "pouch": Pouch,
    "ship": Ship,
    "dial": Dial,
}
