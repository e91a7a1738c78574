"""Dropping a picture on a card of the wall, or choosing one from near: it becomes the card's art."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

from nicegui import Client, ui
from nicegui.events import UploadEventArguments

from pnp.draw.art import MOST_BYTES
from pnp.studio.dropped import put_picture
from pnp.studio.messages import FaceSeen, Picture, PictureSeen
from pnp.studio.page import UPLOAD
from pnp.studio.window import Window
from pnp.system.artfiles import ArtFolder
from pnp.values.problems import Refused

# A piece's key, before the name of a file that was dropped on it.
_ON = re.compile(r"([0-9a-f]{8,64}):(.*)", re.DOTALL)
# Until a game is drawn with its new picture, in steps of so many seconds.
PAUSE, STEPS = 0.1, 200
TOO_LARGE = f"A picture has {MOST_BYTES // 1_000_000} MB at most. Nothing was written."


class Dropped:
    """One window's; ``near`` says the key of the piece that is seen from near, to which a chosen file belongs."""

    def __init__(self, window: Window, near: Callable[[], str]) -> None:
        self._window, self._near = window, near
        self._client: Client | None = None

    def show(self) -> None:
        self._client = ui.context.client
        upload = ui.upload(auto_upload=True, max_file_size=MOST_BYTES, on_upload=self._uploaded).classes(UPLOAD)
        upload.on_rejected(lambda: self._tell(TOO_LARGE))

    def _tell(self, text: str) -> None:
        # Whatever was clicked may be gone by now.
        assert self._client is not None
        with self._client:
            self._window.tell(text)

    async def _uploaded(self, event: UploadEventArguments) -> None:
        event.sender.run_method("reset")
        on = _ON.fullmatch(event.file.name)
        key, name = (on[1], on[2]) if on else (self._near(), event.file.name)
        name = "".join(letter for letter in name if letter.isprintable())[:60]
        desk = self._window.desk
        face = desk.seen.faces.get(key) if desk.seen else None
        if face is None:
            self._tell("This card has changed meanwhile. Drop the picture on it once more.")
        elif face.side == "back":
            self._tell("A back is drawn by its template. Drop the picture on the front of a card.")
        elif event.file.size() > MOST_BYTES:
            self._tell(TOO_LARGE)
        else:
            await self._look(face, name, await event.file.read())

    async def _look(self, face: FaceSeen, name: str, data: bytes) -> None:
        seen = await self._window.desk.sight(Picture(face.component, face.piece, data))
        if not isinstance(seen, PictureSeen):
            self._tell(f"{name} could not be looked at. Nothing was written.")
        elif seen.fault:
            self._tell(f"{name} cannot be the picture of this card: {seen.fault}. Nothing was written.")
        elif seen.there:
            self._ask(face, seen, data)
        else:
            await self._put(face, seen, data)

    def _ask(self, face: FaceSeen, seen: PictureSeen, data: bytes) -> None:
        async def replaced() -> None:
            asking.close()
            await self._put(face, seen, data)

        folder = ArtFolder.of(self._window.studio.project.folder(self._window.desk.name))
        try:
            same = (folder.home / seen.there).read_bytes() == data
        except OSError:
            same = False
        if same:
            self._tell(f"art/{seen.there} is this picture already.")
            return
        with ui.dialog() as asking, ui.card():
            asking.on("hide", asking.delete)
            ui.label(f"This card has a picture: art/{seen.there}. Shall the new one take its place?")
            ui.label("The old one is kept beside it, under another name.").classes("said")
            with ui.element("div").classes("bar"):
                ui.button("Take the new one", on_click=replaced).props("no-caps unelevated")
                ui.button("Leave it as it is", on_click=asking.close).props("no-caps flat")
        asking.open()

    async def _put(self, face: FaceSeen, seen: PictureSeen, data: bytes) -> None:
        window, desk = self._window, self._window.desk
        drawings = desk.drawings
        try:
            kept = put_picture(window.studio.project, desk.name, seen, data)
        except Refused as refused:
            self._tell(f"{refused}.")
            return
        except OSError as error:
            self._tell(f"art/{seen.file} could not be written: {error.strerror or error}.")
            return
        self._tell(f"Its picture is art/{seen.file} now.{f' The old one is {kept}.' if kept else ''}")
        desk.look()
        for _ in range(STEPS):
            await asyncio.sleep(PAUSE)
            if desk.drawings > drawings:
                break
        faces = desk.seen.faces if desk.seen else {}
        if desk.drawings > drawings and face.key in faces:
            how = f'Write {{{{ s.icon(picture("{seen.file.rpartition(".")[0]}"), x, y, w) }}}} where it shall be.'
            self._tell(f"art/{seen.file} is there, but the template of {face.component} shows no picture. {how}")
