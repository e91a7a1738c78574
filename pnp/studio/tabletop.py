"""The state of a play table, shared by all windows and never saved: which pieces lie where, and who holds which."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random
from urllib.parse import quote

from pnp.studio.messages import DesignSeen, TableSeen, TablesSeen

Piece = tuple[str, int]
"""Its design, and which of its sides is up."""


def _drawn(inside: str) -> str:
    """An SVG of 16 × 16 as a data address."""
    return "data:image/svg+xml," + quote(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">{inside}</svg>')


def _face(number: int) -> str:
    """The pips of a die's face."""
    corners = ((4, 4), (12, 12), (12, 4), (4, 12), (4, 8), (12, 8))[: number - number % 2]
    pips = "".join(f'<circle cx="{x}" cy="{y}" r="1.5"/>' for x, y in (*corners, *([(8, 8)] if number % 2 else [])))
    return _drawn(f'<rect x=".5" y=".5" width="15" height="15" rx="2.5" fill="#fff" stroke="#666"/>{pips}')


def _chip(colour: str) -> str:
    ring = '<circle cx="8" cy="8" r="5.5" fill="none" stroke="#fff" stroke-dasharray="2 1.5"/>'
    return _drawn(f'<circle cx="8" cy="8" r="7.5" fill="{colour}"/>{ring}')


COLOURS = ("#d32f2f", "#1565c0", "#2e7d32", "#f9a825", "#6a1b9a", "#ef6c00", "#00838f", "#5d4037")
# What is at hand whatever the game has: a die, and a chip of each player's.
DIE = "die"
EXTRAS = {DIE: DesignSeen("Die", 16, 16, tuple((_face(number), f"Die: {number}") for number in range(1, 7)), die=True)}
EXTRAS |= {
    f"chip {seat}": DesignSeen("Chip", 20, 20, ((_chip(colour), f"Chip of player {seat + 1}"),))
    for seat, colour in enumerate(COLOURS)
}
# A piece that is let go so near the middle of others, in parts of its shorter side, comes to lie on them.
NEAR = 0.35
# So many moves can be taken back.
MOST_MOVES = 200


@dataclass(slots=True)
class Stack:
    """Pieces on each other, or a single one; x and y are its centre in mm."""

    number: int
    pieces: list[Piece]
    """The top one last."""
    x: float
    y: float
    turn: float = 0.0
    fixed: bool = False
    """A board: it is not moved, and nothing comes to lie in a stack with it."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The table after a move: what was said of it, and where all lies."""

    said: str
    room: TableSeen | None
    seed: int
    stacks: tuple[Stack, ...]
    hands: tuple[tuple[Piece, ...], ...]


@dataclass(slots=True)
class Tabletop:
    """The moves of the play table. A move that leaves another stack or piece selected returns it."""

    seen: TablesSeen | None = None
    room: TableSeen | None = None
    """As it was set up."""
    seed: int = 0
    stacks: dict[int, Stack] = field(default_factory=dict)
    """By number, the lowest first."""
    hands: list[list[Piece]] = field(default_factory=list)
    """Of each seat."""
    said: str = ""
    """What was done last, as all may hear it."""
    sitting: dict[object, int] = field(default_factory=dict)
    """The seat of each window."""
    listeners: list[Callable[[], None]] = field(default_factory=list)
    _chance: Callable[[], float] = Random(0).random
    _last: int = 0
    _now: Moved = Moved("", None, 0, (), ())
    _past: list[Moved] = field(default_factory=list)
    _future: list[Moved] = field(default_factory=list)

    def took(self, seen: TablesSeen) -> None:
        """Takes a new drawing of the game: pieces keep their places, removed designs go.

        If ``seen.fault`` says that it cannot be laid out now, everything stays as it is.
        """
        old = self.seen.designs if self.seen else {}
        if seen.fault and self.seen is not None:
            seen = replace(seen, designs=old)
        self.seen = seen
        new = seen.designs
        if any(name not in new or len(new[name].sides) < len(each.sides) for name, each in old.items()):
            self._past, self._future = [], []  # moves with pieces that are gone
        designs = {**seen.designs, **EXTRAS}

        def left(pieces: list[Piece]) -> list[Piece]:
            return [(name, side) for name, side in pieces if name in designs and side < len(designs[name].sides)]

        self.hands = [left(hand) for hand in self.hands]
        for stack in list(self.stacks.values()):
            stack.pieces = left(stack.pieces)
            self._tidy(stack)
        self._now = self._state("")
        self.tell("")

    def _state(self, said: str) -> Moved:
        stacks = tuple(replace(stack, pieces=[*stack.pieces]) for stack in self.stacks.values())
        return Moved(said, self.room, self.seed, stacks, tuple(map(tuple, self.hands)))

    def next(self, back: bool) -> str | None:
        """The move that would be taken back or made again; None if there is none."""
        if not (self._past if back else self._future):
            return None
        return (self._now if back else self._future[-1]).said

    def step(self, back: bool) -> None:
        """Takes the last move back, or makes the one that was taken back once more."""
        some, others = (self._past, self._future) if back else (self._future, self._past)
        if not some:
            return
        others.append(self._now)
        said = f"Taken back: {self._now.said}" if back else f"Again: {some[-1].said}"
        self._now = now = some.pop()
        self.room, self.seed, self.hands = now.room, now.seed, [[*hand] for hand in now.hands]
        self.stacks = {stack.number: replace(stack, pieces=[*stack.pieces]) for stack in now.stacks}
        self.said = said
        self.tell("")

    def tell(self, said: str) -> None:
        """Updates all windows; ``said`` is the move that was made."""
        if said:
            self.said = said
            made = self._state(said)
            if (made.room, made.stacks, made.hands) != (self._now.room, self._now.stacks, self._now.hands):
                self._past = [*self._past[1 - MOST_MOVES :], self._now]
                self._future = []
            self._now = made
        for listener in list(self.listeners):
            listener()

    def design(self, piece: Piece) -> DesignSeen:
        assert self.seen is not None, "pieces have designs"
        return EXTRAS.get(piece[0]) or self.seen.designs[piece[0]]

    def called(self, stack: Stack) -> str:
        """The name of a stack without what is hidden from other players."""
        (name, side), number = stack.pieces[-1], len(stack.pieces)
        design = self.design((name, side))
        down = ", face down" if side and not design.die else ""
        return f"{design.sides[side][1]}{down}" + (f", {number} pieces" if number > 1 else "")

    def sit(self, window: object) -> int:
        """The seat of a window; the first time a free one."""
        if self.sitting.get(window, len(self.hands)) >= len(self.hands):
            free = [seat for seat in range(len(self.hands)) if seat not in self.sitting.values()]
            self.sitting[window] = free[0] if free else 0
        return self.sitting[window]

    def set_up(self, room: TableSeen, seed: int) -> None:
        """Lays out, shuffles and deals; the same for the same seed."""
        self.room, self.seed, self._chance = room, seed, Random(seed).random
        self.stacks, self.hands = {}, [[] for _ in range(room.seats)]
        pools: dict[str, list[Piece]] = {}
        for lying in room.lying:
            pools.setdefault(lying.pool, []).extend(lying.pieces if lying.pool else ())
        pools = {name: self._mixed(pieces) for name, pieces in pools.items()}
        for lying in room.lying:
            pieces = [pools[lying.pool].pop()] if lying.pool else list(lying.pieces)
            if len({*pieces}) > 1:
                pieces = self._mixed(pieces)
            for hand in self.hands:
                hand += [self._held(pieces.pop()) for _ in range(min(lying.deals, len(pieces)))]
            self._put(pieces, lying.x, lying.y, lying.turn, lying.fixed)
        self.tell(f"Set up for {room.name}, seed {seed}")

    def shuffle(self, stack: Stack) -> None:
        """Shuffles a stack, or rolls a die."""
        if all(self.design(piece).die for piece in stack.pieces):
            stack.pieces = [(piece[0], int(self._chance() * len(self.design(piece).sides))) for piece in stack.pieces]
            self.tell("Rolled: " + ", ".join(self.design(piece).sides[piece[1]][1] for piece in stack.pieces))
        else:
            stack.pieces = self._mixed(stack.pieces)
            self.tell(f"Shuffled: {self.called(stack)}")

    def flip(self, stack: Stack) -> None:
        """Turns the whole stack over; a die goes to its next face."""
        stack.pieces = [(name, (side + 1) % len(self.design((name, side)).sides)) for name, side in reversed(stack.pieces)]
        self.tell(f"Flipped: {self.called(stack)}")

    def turn(self, stack: Stack) -> None:
        """Turns a stack clockwise about its centre."""
        stack.turn = (stack.turn + self.design(stack.pieces[-1]).step) % 360
        self.tell(f"Turned: {self.called(stack)}")

    def lift(self, stack: Stack) -> Stack:
        """Lays the top piece beside its stack."""
        width = self.design(stack.pieces[-1]).width
        return self.drop(stack, stack.x + 1.1 * width, stack.y, False) if len(stack.pieces) > 1 else stack

    def add(self, name: str) -> Stack:
        """Adds a die or chip at the table's centre, until the next set-up."""
        made = self._put([(name, 0)], 0, 0)
        if self.room is not None:
            self._to(made, self.room.width / 2 + (0 if name == DIE else 25), self.room.height / 2)
        return self._laid(made, NEAR)

    def push(self, stack: Stack, x: float, y: float) -> None:
        """Moves a whole stack by x and y mm."""
        self._to(stack, stack.x + x, stack.y + y)
        self.tell(f"Moved: {self.called(stack)}")

    def drop(self, stack: Stack, x: float, y: float, whole: bool) -> Stack:
        """Moves the top piece, or if ``whole`` the stack, to a place; it joins a stack that is near."""
        if stack.fixed:
            return stack
        if not whole and len(stack.pieces) > 1:
            stack = self._put([stack.pieces.pop()], stack.x, stack.y, stack.turn)
        self._to(stack, x, y)
        return self._laid(stack, NEAR)

    def join(self, stack: Stack) -> Stack:
        """Lays a stack on the nearest one that it touches."""
        return self._laid(stack, 1.0)

    def draw(self, stack: Stack, seat: int, whole: bool = False) -> None:
        """Takes the top piece, or if ``whole`` the stack, into a hand."""
        for _ in range(0 if stack.fixed else len(stack.pieces) if whole else 1):
            self.hands[seat].append(self._held(stack.pieces.pop()))
        self._tidy(stack)
        self.tell(f"Player {seat + 1} drew, and holds {len(self.hands[seat])}")

    def deal(self, stack: Stack) -> None:
        """Deals one piece to each player, as far as they go."""
        for hand in self.hands:
            if stack.pieces and not stack.fixed:
                hand.append(self._held(stack.pieces.pop()))
        self._tidy(stack)
        self.tell("Dealt one to each player")

    def play(self, seat: int, at: int, x: float, y: float, down: bool) -> Stack:
        """Lays a piece of a hand on the table, face up or ``down``."""
        name, side = self.hands[seat].pop(at)
        design = self.design((name, side))
        made = self._put([(name, len(design.sides) - 1 if down and not design.die else side)], 0, 0)
        self._to(made, x, y)
        made = self._laid(made, NEAR)
        self.tell(f"Player {seat + 1} played: {self.called(made)}")
        return made

    def _held(self, piece: Piece) -> Piece:
        """The piece with the side up that its player looks at."""
        return piece if self.design(piece).die else (piece[0], 0)

    def _mixed(self, pieces: Iterable[Piece]) -> list[Piece]:
        return sorted(pieces, key=lambda _: self._chance())

    def _put(self, pieces: list[Piece], x: float, y: float, turn: float = 0.0, fixed: bool = False) -> Stack:
        self._last += 1
        made = Stack(self._last, pieces, x, y, turn, fixed)
        if pieces:
            self.stacks[made.number] = made
        return made

    def _to(self, stack: Stack, x: float, y: float) -> None:
        """Moves a stack to a place within the table, above all others."""
        if self.room is not None and not stack.fixed:
            stack.x, stack.y = max(0.0, min(x, self.room.width)), max(0.0, min(y, self.room.height))
            self.stacks[stack.number] = self.stacks.pop(stack.number)

    def _laid(self, stack: Stack, near: float = 0.0) -> Stack:
        """Joins a stack to one of equal size whose centre is near; returns the resulting stack."""
        design = self.design(stack.pieces[-1])
        reach = near * (min(design.width, design.height) if near < 1 else math.hypot(design.width, design.height))

        def away(other: Stack) -> float:
            return math.hypot(other.x - stack.x, other.y - stack.y)

        def fits(other: Stack) -> bool:
            its = self.design(other.pieces[-1])
            same = math.isclose(its.width, design.width, abs_tol=1) and math.isclose(its.height, design.height, abs_tol=1)
            return other is not stack and not other.fixed and same and away(other) < reach

        below = min(filter(fits, self.stacks.values()), key=away, default=None)
        if below is not None and not stack.fixed:
            below.pieces += stack.pieces
            del self.stacks[stack.number]
            self._to(below, below.x, below.y)
        found = below or stack
        self.tell(f"Laid: {self.called(found)}")
        return found

    def _tidy(self, stack: Stack) -> None:
        if not stack.pieces:
            self.stacks.pop(stack.number, None)
