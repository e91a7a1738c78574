"""Matches several uploaded pictures to table rows by name, and asks in a dialogue about the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from pnp.read.tables import slug
from pnp.studio.dropped import put_picture
from pnp.studio.messages import Picture, PictureSeen
from pnp.studio.tables import TablesView
from pnp.studio.window import Window
from pnp.values.problems import Fault, nearest

# Of pictures that wait for an answer: how many, and how many bytes.
MOST_LEFT, MOST_BYTES = 300, 300_000_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece that a picture may belong to."""

    component: str
    piece: str
    row: int | None


@dataclass(slots=True)
class Left:
    """A picture that waits for an answer."""

    name: str
    data: bytes
    why: str
    piece: str = ""
    """What the piece is called that it shall be on; empty for none."""


class Many:
    """One window's pictures."""

    def __init__(self, window: Window, tables: TablesView, tell: Callable[[str], None]) -> None:
        self._window, self._tables, self._tell = window, tables, tell
        self._left: list[Left] = []
        self._dialog: ui.dialog | None = None
        self._put = 0

    @property
    def _pieces(self) -> dict[str, Piece]:
        """The pieces of the shown table by name."""
        seen, file = self._window.desk.seen, self._tables.file
        faces = [face for face in (seen.faces.values() if seen else ()) if face.side == "front" and face.place.file == file]
        found = [Piece(face.component, face.piece, face.place.row) for face in faces]
        components = {face.component for face in faces}
        # Pieces that look alike have one face.
        drawn = {each.row for each in found}
        for row, name in self._tables.ids.items() if len(components) == 1 else ():
            if row not in drawn:
                found.append(Piece(next(iter(components)), name, row))
        found.sort(key=lambda each: each.row or 0)
        return {each.piece if len(components) == 1 else f"{each.component}/{each.piece}": each for each in found}

    async def add(self, name: str, data: bytes) -> None:
        """Takes a dropped or chosen picture; ``data`` is missing for one that was too large."""
        pieces = self._pieces
        if not pieces:
            self._tell("No piece is drawn from a row of this table alone. Nothing was written.")
            return
        if not data:
            self._tell(f"{name} is empty or too large. Nothing was written of it.")
            return
        said = slug(Path(name).stem)
        fit = [key for key, piece in pieces.items() if said in self._names(piece)]
        if len(fit) == 1:
            await self._take(name, data, fit[0], ask=True)
            return
        known = {each: key for key, piece in pieces.items() for each in self._names(piece)}
        like = "" if fit else known.get(nearest(said, known), "")
        self._ask(Left(name, data, "No row is called so." if not fit else "Several rows are called so.", like))

    def _names(self, piece: Piece) -> set[str]:
        """The file names that match a piece."""
        words = [Path(word).stem if "/" in word or "." in word else word for word in self._tables.words(piece.row)]
        return {slug(word) for word in (piece.piece, *words)} - {""}

    async def _take(self, name: str, data: bytes, key: str, ask: bool) -> None:
        """Stores a picture; ``ask`` first if it would replace another."""
        window, piece = self._window, self._pieces.get(key)
        seen = await window.desk.reply(Picture(piece.component, piece.piece, data)) if piece else None
        if not isinstance(seen, PictureSeen):
            self._tell(f"{name} could not be looked at. Nothing was written of it.")
        elif seen.fault:
            self._tell(f"{name} cannot be a picture: {seen.fault}. Nothing was written of it.")
        elif seen.there and ask:
            self._ask(Left(name, data, f"There is art/{seen.there}, which would be kept beside it.", key))
        else:
            try:
                put_picture(window.studio.project, window.desk.name, seen, data)
            except (Fault, OSError) as refused:
                self._tell(f"{name}: {refused}.")
                return
            self._put += 1
            window.say(f"{self._put} picture{'s' * (self._put != 1)} put into art/.")
            window.desk.look()

    def _ask(self, left: Left) -> None:
        if len(self._left) >= MOST_LEFT or sum(len(each.data) for each in self._left) + len(left.data) > MOST_BYTES:
            self._tell(f"{left.name}: so many pictures at once cannot be asked about. Nothing was written of it.")
            return
        self._left.append(left)
        if self._dialog is None:
            with ui.dialog().props('aria-label="Pictures"') as self._dialog, ui.card().classes("choosing"):
                self._dialog.on("hide", self._leave)
                ui.html("<h2>Where do these pictures belong?</h2>", sanitize=False)
                self._room = ui.element("div").classes("lefts")
                with ui.element("div").classes("bar"):
                    ui.button("Put them there", on_click=self._answered).props("no-caps unelevated")
                    ui.button("Leave them all out", on_click=self._dialog.close).props("no-caps flat")
            self._dialog.open()
        choices = {"": "Leave it out", **{key: key for key in self._pieces}}
        with self._room:
            ui.label(left.name).classes("name")
            choice = ui.select(choices, value=left.piece if left.piece in choices else "", label="Card", with_input=True)
            choice.props("outlined dense").on_value_change(lambda event: self._chose(left, event))
            ui.label(left.why).classes("said")

    def _chose(self, left: Left, event: ValueChangeEventArguments[Any]) -> None:
        left.piece = str(event.value or "")

    def _leave(self) -> None:
        if self._dialog is not None:
            self._dialog.delete()
        self._dialog, self._left = None, []

    async def _answered(self) -> None:
        left, dialog = self._left, self._dialog
        self._left = []
        if dialog is not None:
            dialog.close()
        for each in left:
            if each.piece:
                await self._take(each.name, each.data, each.piece, ask=False)
