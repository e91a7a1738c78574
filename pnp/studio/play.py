"""The play view: table, hand of this window's player, and actions for the selected piece."""

from __future__ import annotations

import json
from html import escape
from secrets import randbelow

from nicegui import Client, ui
from nicegui.events import GenericEventArguments

from pnp.studio.messages import LyingSeen, Reply, Tables, TableSeen, TablesSeen
from pnp.studio.tabletop import COLOURS, DIE, Piece, Stack, Tabletop
from pnp.studio.window import Asking, Kept, Window, Zoom, follow, image

# How wide a millimetre is shown, in pixels: the smallest, usual and largest.
SIZES = (0.2, 1.0, 12.0)
# An arrow moves a piece so far, in mm; with Shift only so far.
PUSHED, NUDGED = 10.0, 1.0
# How high a piece in the hand is, and how wide and high the selected one, in pixels.
IN_HAND, NEAR = 104.0, (180.0, 260.0)
# Seeds are below this.
SEEDS = 1_000_000

ON_TABLE = {
    "F": "Flip",
    "R": "Turn",
    "S": "Shuffle, roll",
    "D": "Draw into the hand",
    "E": "Deal one to each",
    "L": "Lift the top one off",
    "G": "Lay on what it touches",
}
FROM_HAND = {"P": "Play face up", "F": "Play face down"}
HELP = (
    "<p>Drag takes the top piece, with Shift all of them. Arrows move, with Shift a little. Tab goes to the next. "
    "Ctrl-Z takes the last move back.</p>"
)
EMPTY = (
    '<div class="empty"><p>Nothing lies on the table yet. Choose for how many players, and set it up. Another window that '
    'shows this game is another seat at the same table.</p><button class="solid" onclick="emitEvent(\'setup\', 0)">'
    "Set up for {room}</button></div>"
)


class PlayView:
    """One window's seat at the table of its game."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._table = window.studio.tabletops.setdefault(window.desk.name, Tabletop())
        self._asking = Asking(window, "Play", self._took)
        self._chosen = ""
        """The number of a stack, or "hand" and the place in it."""
        self._fitted: TableSeen | None = None
        self._tab: str | None = None
        self.zoom = Zoom(SIZES, self.redraw, self._boxes)

    def show(self) -> None:
        with ui.element("div").classes("view play"):
            with ui.element("div").classes("bar"):
                self._rooms = (
                    ui.select([], label="Players", on_change=lambda: self.redraw())
                    .props("dense outlined")
                    .classes("choice wide")
                )
                self._ready = ui.button("Set up", on_click=self._set_up).props("no-caps dense unelevated padding='xs md'")
                self._ready.disable()
                self._seed = ui.number("Seed", min=0, max=SEEDS - 1, precision=0).classes("choice")
                self._seed.props('dense outlined clearable stack-label placeholder="by chance"')
                self._seat = ui.select({}, label="You are", on_change=self._sat).props("dense outlined").classes("choice")
                with ui.element("div") as self._more:
                    for name, design in (("Die", lambda: DIE), ("Chip", lambda: f"chip {self._mine % len(COLOURS)}")):
                        button = ui.button(name, icon="add", on_click=lambda design=design: self._add(design()))
                        button.props("flat no-caps dense")
                self._said = ui.label("Laying the table …").classes("said").props("role=status")
            self._top = Kept().classes("table-top").props('role=region aria-label="Play table"')
            self._acts = Kept().classes("acts").props('role=region aria-label="Selected piece"')
            self._hand = Kept().classes("hand").props('role=region aria-label="Your hand"')
        ui.on("play", self._played)
        ui.on("setup", lambda _: self._set_up())
        client = self._client = ui.context.client
        follow(self.redraw, self._table.listeners)
        client.on_connect(self._came)
        client.on_delete(self._left)

    def _came(self) -> None:
        # A client that has gone for a while is of no tab.
        self._tab = self._client.tab_id

    def _left(self) -> None:
        """Frees the seat of a window that was closed, and not only loaded anew."""
        if all(each.tab_id != self._tab for each in Client.instances.values() if each is not self._client):
            self._table.sitting.pop(self._tab, None)

    def refresh(self) -> None:
        if self._window.at("Play"):
            self._asking.want(Tables())
            self.redraw()

    def _took(self, seen: Reply) -> None:
        assert isinstance(seen, TablesSeen)
        names = [table.name for table in seen.tables]
        self._rooms.set_options(names, value=self._rooms.value if self._rooms.value in names else next(iter(names), None))
        self._ready.set_enabled(bool(names))
        self._table.took(seen)

    def _boxes(self) -> list[tuple[float, float]]:
        room = self._table.room
        return [(room.width, room.height)] if room else []

    def _set_up(self) -> None:
        seen, seed = self._table.seen, self._seed.value
        for room in seen.tables if seen else ():
            if room.name == self._rooms.value:
                self._chosen = ""
                self._table.set_up(room, randbelow(SEEDS) if seed is None else int(seed))

    def _add(self, design: str) -> None:
        if self._table.room:
            self._choose(f"{self._table.add(design).number}")

    def step(self, back: bool) -> None:
        """Takes a move back, whoever made it, or makes it again."""
        self._table.step(back)

    def _sat(self) -> None:
        if self._seat.value is not None and self._table.sitting.get(self._tab) != self._seat.value:
            self._table.sitting[self._tab] = int(self._seat.value)
            self._choose("")

    @property
    def _mine(self) -> int:
        return self._table.sit(self._tab)

    def redraw(self) -> None:
        """Updates the view after a move in any window."""
        table, room = self._table, self._table.room
        if not self._window.at("Play") or table.seen is None:
            return
        self._said.set_text(table.seen.fault or table.said)
        for each in (self._more, self._seat):
            each.set_visibility(room is not None)
        if room is None:
            room_name = escape(str(self._rooms.value or ""))
            self._top.set_content(EMPTY.format(room=room_name) if room_name and not table.seen.fault else "")
            self._acts.set_content(HELP)
            return
        self._seed.props(f'label="Seed, now {table.seed}"')
        if room is not self._fitted:
            self._fitted = room
            ui.run_javascript("fitSoon('Play')")
        seats = {seat: f"Player {seat + 1}" for seat in range(room.seats)}
        if self._seat.options != seats or self._seat.value != self._mine:
            self._seat.set_options(seats, value=self._mine)
        scale = self.zoom.scale
        named = [each for each in room.lying if each.title and each.pieces[0][0] in table.seen.designs]
        names = "".join(map(self._name, named))
        # In the order in which they came, so that none is moved that has the focus; which is above says its style.
        level = {number: at for at, number in enumerate(table.stacks)}
        stacks = "".join(self._stack(table.stacks[number], level[number]) for number in sorted(table.stacks))
        size = f"width:{room.width * scale:.0f}px;height:{room.height * scale:.0f}px"
        self._top.set_content(f'<div class="felt" style="{size}">{names}{stacks}</div>')
        hand = "".join(
            self._piece(f"hand{at}", piece, IN_HAND / table.design(piece).height, self._front(piece))
            for at, piece in enumerate(table.hands[self._mine])
        )
        others = "".join(
            f"<br>Player {seat + 1} holds {len(held)}" for seat, held in enumerate(table.hands) if seat != self._mine
        )
        self._hand.set_content(f"<p><b>Your hand</b>{others}</p>{hand}")
        self._acts.set_content(self._selected())

    def _name(self, pile: LyingSeen) -> str:
        """The label above the place of a pile, which stays when the pile is gone."""
        room, scale = self._table.room, self.zoom.scale
        top = (pile.y - self._table.design(pile.pieces[0]).height / 2 - 1.5) * scale
        style = f"left:{pile.x * scale:.1f}px;top:{top:.1f}px;width:{pile.room * scale:.0f}px"
        size = room.letters * scale if room else 0
        return f'<span class="name" style="{style};font-size:{size:.1f}px">{escape(pile.title)}</span>'

    def _front(self, piece: Piece) -> str:
        return self._table.design(piece).sides[piece[1]][1]

    def _stack(self, stack: Stack, level: int) -> str:
        scale = self.zoom.scale
        style = f"left:{stack.x * scale:.1f}px;top:{stack.y * scale:.1f}px;rotate:{stack.turn:g}deg;z-index:{level};"
        count = len(stack.pieces)
        classes = " fixed" if stack.fixed else " many" if count > 1 else ""
        badge = f"<b>{count}</b>" if count > 1 else ""
        return self._piece(f"{stack.number}", stack.pieces[-1], scale, self._table.called(stack), style, classes, badge)

    def _piece(
        self, at: str, piece: Piece, scale: float, said: str, style: str = "", classes: str = "", badge: str = ""
    ) -> str:
        design = self._table.design(piece)
        width, height = design.width * scale, design.height * scale
        picture = self._picture(design.sides[piece[1]][0], width, height)
        current = ' aria-current="true"' if at == self._chosen else ""
        return (
            f'<button class="lump{classes}" data-at="{at}" aria-label="{escape(said, quote=True)}"{current} '
            f'style="{style}width:{width:.1f}px;height:{height:.1f}px">{picture}{badge}</button>'
        )

    def _picture(self, key: str, width: float, height: float) -> str:
        if key.startswith("data:"):
            return f'<img alt="" width="{width:.0f}" height="{height:.0f}" src="{key}">'
        return image(self._window.desk.name, key, width, height, "")

    def _selected(self) -> str:
        """The selected piece enlarged with its actions, as HTML."""
        held, stack, piece = self._held, self._stacked, None
        if held is not None:
            piece = self._table.hands[self._mine][held]
        elif stack is not None:
            piece = stack.pieces[-1]
        if piece is None:
            return HELP
        design = self._table.design(piece)
        scale = min(NEAR[0] / design.width, NEAR[1] / design.height)
        picture = self._picture(design.sides[piece[1]][0], design.width * scale, design.height * scale)
        said = self._table.called(stack) if stack is not None else self._front(piece)
        ways = FROM_HAND if stack is None else ON_TABLE
        buttons = "".join(
            f'<button data-at="{key}" onclick="play(&quot;{key.lower()}&quot;)"><kbd>{key}</kbd>{what}</button>'
            for key, what in ways.items()
        )
        return f"{picture}<h2>{escape(said)}</h2>{buttons}{HELP}"

    @property
    def _stacked(self) -> Stack | None:
        """The selected stack."""
        return next((stack for stack in self._table.stacks.values() if f"{stack.number}" == self._chosen), None)

    @property
    def _held(self) -> int | None:
        """The place of the selected piece in the hand."""
        return next((at for at in range(len(self._table.hands[self._mine])) if f"hand{at}" == self._chosen), None)

    def _choose(self, at: str) -> None:
        if at != self._chosen:
            self._chosen = at
            ui.run_javascript(f"refocus({json.dumps(at)})")
        self.redraw()

    def _played(self, event: GenericEventArguments) -> None:
        match event.args:
            case ["choose", str(at), *_]:
                if at != self._chosen:
                    self._chosen = at
                    self.redraw()
            case [str(what), str(at), int() | float() as x, int() | float() as y, bool(more)] if self._table.room:
                self._chosen = at or self._chosen
                room = self._table.room
                if self._held is not None and what in ("drop", "p", "f"):
                    where = (x * room.width, y * room.height) if what == "drop" else (room.width / 2, room.height / 2)
                    down = what == "f" or (what == "drop" and more)
                    self._choose(f"{self._table.play(self._mine, self._held, *where, down).number}")
                elif self._stacked is not None:
                    self._move(self._stacked, what, x, y, more)

    def _move(self, stack: Stack, what: str, x: float, y: float, more: bool) -> None:
        """Runs the action of a key, a button or the pointer on a stack."""
        table, room, found = self._table, self._table.room, stack
        assert room is not None, "a stack lies in a room"
        match what:
            case "f":
                table.flip(stack)
            case "r":
                table.turn(stack)
            case "s":
                table.shuffle(stack)
            case "e":
                table.deal(stack)
            case "d":
                table.draw(stack, self._mine, more)
            case "l":
                found = table.lift(stack)
            case "g":
                found = table.join(stack)
            case "push":
                far = NUDGED if more else PUSHED
                table.push(stack, x * far, y * far)
            case "drop":
                found = table.drop(stack, x * room.width, y * room.height, more)
        gone = found.number not in table.stacks
        self._choose(f"hand{len(table.hands[self._mine]) - 1}" if gone else f"{found.number}")
