"""The inspector: picture, fields, art and findings of the selected piece; several pictures matched to rows by name."""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from nicegui import background_tasks, ui
from nicegui.elements.upload_files import FileUpload
from nicegui.events import MultiUploadEventArguments, ValueChangeEventArguments

from pnp.draw.art import MOST_BYTES
from pnp.read.tables import slug
from pnp.studio.arrange import Arrange
from pnp.studio.dropped import PutPicture, PutPictures
from pnp.studio.making import finding
from pnp.studio.messages import FaceSeen, Picture, PictureSeen
from pnp.studio.tables import Row, TablesView
from pnp.studio.window import CHOOSE, SMALL, UPLOAD, Window, cut, picture
from pnp.system.paths import ArtFolder
from pnp.values.problems import Fault, Place, nearest

# A piece's key, before the name of a file that was dropped on it.
_ON = re.compile(r"([0-9a-f]{8,64}|table):(.*)", re.DOTALL)
# Until a game is drawn with its new picture, in steps of so many seconds.
PAUSE, STEPS = 0.1, 1200
TOO_LARGE = f"A picture has {MOST_BYTES // 1_000_000} MB at most. Nothing was written."


class Dropped:
    """Makes a picture that was dropped on a card, or chosen for it, the card's art."""

    def __init__(self, window: Window, tables: TablesView) -> None:
        self._window = window
        self._many = Many(window, tables, self._tell)

    def show(self) -> None:
        self._client = ui.context.client
        upload = ui.upload(auto_upload=True, multiple=True, max_file_size=MOST_BYTES, on_multi_upload=self._uploaded)
        upload.classes(UPLOAD)
        upload.on_rejected(lambda: self._tell(TOO_LARGE))

    def _tell(self, text: str) -> None:
        # Whatever was clicked may be gone by now.
        with self._client:
            self._window.tell(text)

    async def _uploaded(self, event: MultiUploadEventArguments) -> None:
        event.sender.run_method("reset")
        self._many.begin()
        for file in event.files:
            await self._take(file)

    async def _take(self, file: FileUpload) -> None:
        on = _ON.fullmatch(file.name)
        key, name = (on[1], on[2]) if on else (self._window.face.key if self._window.face else "", file.name)
        name = "".join(letter for letter in name if letter.isprintable())[:60]
        desk = self._window.desk
        face = desk.seen.faces.get(key) if desk.seen else None
        if key == "table":
            with self._client:
                await self._many.add(name, await file.read() if file.size() <= MOST_BYTES else b"")
        elif face is None:
            self._tell("This card has changed meanwhile. Drop the picture on it once more.")
        elif file.size() > MOST_BYTES:
            self._tell(TOO_LARGE)
        else:
            await self._look(face, name, await file.read())

    async def _look(self, face: FaceSeen, name: str, data: bytes) -> None:
        seen = await self._window.desk.reply(Picture(face.component, face.piece, data, face.side))
        if not isinstance(seen, PictureSeen):
            self._tell(f"{name} could not be looked at. Nothing was written.")
        elif seen.fault:
            self._tell(f"{name} cannot be the picture of this {_called(face)}: {seen.fault}. Nothing was written.")
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
        with ui.dialog().props('aria-label="Another picture"') as asking, ui.card():
            asking.on("hide", asking.delete)
            ui.label(f"This {_called(face)} has a picture: art/{seen.there}. Shall the new one take its place?")
            ui.label("The old one is kept beside it, under another name.").classes("said")
            with ui.element("div").classes("bar"):
                ui.button("Take the new one", on_click=replaced).props("no-caps unelevated")
                ui.button("Leave it as it is", on_click=asking.close).props("no-caps flat")
        asking.open()

    async def _put(self, face: FaceSeen, seen: PictureSeen, data: bytes) -> None:
        window, desk = self._window, self._window.desk
        drawings = desk.drawings
        put = PutPicture(window.studio.project, desk.name, seen, data)
        try:
            put.put()
        except Fault as refused:
            self._tell(f"{refused}.")
            return
        except OSError as error:
            self._tell(f"art/{seen.file} could not be written: {error.strerror or error}.")
            return
        window.changed(put)
        self._tell(f"Its picture is art/{seen.file} now.{f' The old one is {put.kept}.' if put.kept else ''}")
        desk.look()
        for _ in range(STEPS):
            await asyncio.sleep(PAUSE)
            if desk.drawings > drawings:
                break
        faces = desk.seen.faces if desk.seen else {}
        if desk.drawings > drawings and face.key in faces:
            how = "Press Give it an art slot, on the right."
            if face.side == "back":
                how = f'Write {{{{ s.cover(face, "{seen.file.rpartition(".")[0]}") }}}} where it shall be.'
            of = f"the back's template of {face.component}" if face.side == "back" else f"the template of {face.component}"
            self._tell(f"art/{seen.file} is there, but {of} shows no picture. {how}")


def _called(face: FaceSeen) -> str:
    return "card" if face.side == "front" else "back"


def _line(place: Place) -> str:
    return f"Line {place.row} of {Path(place.file).name}" if place.row else place.file


# The art is shown as it lies in its file, up to so many bytes; of a picture that a browser draws by itself.
MOST_SHOWN = 3_000_000
KINDS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp", ".gif": "gif", ".avif": "avif", ".svg": "svg+xml"}
# A text longer than this is written on several lines.
LONG = 28


class Inspector:
    """The pane on the right."""

    def __init__(self, window: Window, tables: TablesView, arrange: Arrange) -> None:
        self._window, self._tables, self._arrange = window, tables, arrange
        self._shape: tuple[str, int, list[str]] | None = None
        self._asked: object = None
        # The field that somebody is typing into, by its column.
        self._typing: int | None = None
        self._before: dict[int, str] = {}
        self._fields: dict[int, ui.input | ui.textarea] = {}

    def show(self) -> None:
        self._about = ui.html("", sanitize=False).classes("about")
        with ui.element("section").props('aria-label="Row"') as self._part:
            with ui.element("div").classes("heading"):
                self._where = ui.html("", sanitize=False, tag="h2")
                self._to = ui.button(on_click=self._to_row).props("flat no-caps dense")
            self._room = ui.element("div").classes("fields")
        with ui.element("section").props("aria-label=Art") as self._arts:
            with ui.element("div").classes("heading"):
                ui.html("Art", sanitize=False, tag="h2")
                ui.button("Choose its picture …").props("flat no-caps dense").on("click", js_handler=CHOOSE)
            self._art = ui.html("", sanitize=False)
            self._slot = ui.button("Give it an art slot").props("flat no-caps dense")
            self._slot.props(
                'title="Writes a place for a picture into the template, and a column for its name into the table"'
            )
            self._slot.on("click", js_handler='() => act("do", "Give the component an art slot")').set_visibility(False)
        self._arrange.show()
        self._wrong = ui.html("", sanitize=False, tag="section").props('aria-label="What is wrong with it"')
        self._back = ui.button("Give it a back").props("flat no-caps dense").classes("remove")
        self._back.on("click", js_handler='() => act("do", "Give the component a back")')
        self._remove = ui.button("Remove its component …").props("flat no-caps dense").classes("remove")
        self._remove.on("click", js_handler='() => act("do", "Remove the component")')
        Dropped(self._window, self._tables).show()

    def refresh(self) -> None:
        """Updates the pane after a change or another selection."""
        face, row = self._window.face, self._tables.row
        if face and self._is_shared(face):
            row = None
        self._about.set_content(self._said(face))
        self._part.set_visibility(row is not None or (face is not None and not self._is_shared(face)))
        self._where.set_content(
            escape(f"Row {row.number} of {Path(row.file).name}" if row else _line(face.place) if face else "")
        )
        self._to.set_text("Show its row" if row else "Show its line")
        self._write(row)
        self._wrong.set_content(self._findings(face, row))
        self._arrange.refresh()
        for each in (self._arts, self._remove):
            each.set_visibility(face is not None)
        self._back.set_visibility(face is not None and self._lacks_back(face))
        asked = self._window.desk.drawings, face
        if asked != self._asked:
            self._asked = asked
            if face is not None:
                background_tasks.create(self._look(face))

    def _lacks_back(self, face: FaceSeen) -> bool:
        seen = self._window.desk.seen
        of = next((each for each in (seen.components if seen else ()) if each.name == face.component), None)
        return of is not None and of.backless

    def _is_shared(self, face: FaceSeen) -> bool:
        """Whether it is the back of several rows, of which none is meant."""
        seen = self._window.desk.seen
        of = next((each for each in (seen.components if seen else ()) if each.name == face.component), None)
        whole = of is not None and face.side == "back" and face.copies == of.copies
        return whole and any(each.piece != face.piece for each in (of.faces if of else ()))

    def _said(self, face: FaceSeen | None) -> str:
        if face is None:
            none = "No piece is drawn from this row alone." if self._tables.row else "Click a piece, or a row of its table."
            return f'<p class="said">{none}</p>'
        copies = f"{face.copies} in the game" if face.copies != 1 else "once in the game"
        return (
            f'<button class="small" onclick="act(&quot;near&quot;, &quot;{face.key}&quot;)" title="See it from near">'
            f'<img alt="" style="{cut(face)}" src="{picture(self._window.desk.name, face, SMALL)}"></button>'
            f"<div><h2>{escape(face.name)}</h2><p>{escape(face.component)}, {face.side}</p>"
            f"<p>{face.width:g} × {face.height:g} mm</p><p>bleed {face.bleed:g} mm</p><p>{copies}</p></div>"
        )

    def _write(self, row: Row | None) -> None:
        """Updates a row's fields, except the one being typed into."""
        if self._typing is not None and row is None:
            return  # another program may be writing the file just now
        shape = (row.file, row.key, [name for name, _ in row.cells.values()]) if row else None
        if shape != self._shape:
            if shape and self._shape and shape[2] == self._shape[2]:
                self.leave()
                row = self._tables.row
            elif self._typing is not None:
                self._window.say(f"The table has changed. What you typed was: {self._fields[self._typing].value}")
            self._shape, self._fields, self._before, self._typing = shape, {}, {}, None
            self._room.clear()
            if row is not None:
                with self._room:
                    self._fields = {column: self._field(row, column) for column in row.cells}
        for column, field in self._fields.items():
            text = row.cells[column][1] if row else ""
            if column != self._typing and field.value != text:
                field.set_value(text)

    def leave(self) -> None:
        """Saves the field being typed into."""
        column, self._typing = self._typing, None
        if column is not None:
            self._save(column)

    def _save(self, column: int) -> None:
        typed = str(self._fields[column].value or "")
        if self._shape and typed != self._before.get(column, typed):
            self._before[column] = typed
            self._tables.write(self._shape[1], column, typed)

    def _field(self, row: Row, column: int) -> ui.input | ui.textarea:
        name, text = row.cells[column]
        long = len(text) > LONG or "\n" in text
        made = (ui.textarea if long else ui.input)(name or f"Column {column + 1}", value=text)
        made.props("outlined dense stack-label autocomplete=off spellcheck=true" + (" autogrow" if long else ""))

        def begun() -> None:
            # The browser tells of the field that is entered before it tells of the one that was left.
            self.leave()
            self._typing, self._before[column] = column, str(made.value or "")

        def done() -> None:
            if made is self._fields.get(column):
                self._typing = None if self._typing == column else self._typing
                self._save(column)

        def left() -> None:
            if made is self._fields.get(column) and column in self._before:
                made.set_value(self._before[column])

        made.on("focus", begun, args=[])
        made.on("keydown.escape", left, args=[])
        made.on("blur", done, args=[])
        made.on("keydown.ctrl.enter" if long else "keydown.enter", lambda: self._save(column), args=[])
        return made

    def _findings(self, face: FaceSeen | None, row: Row | None) -> str:
        found = self._window.findings
        told = [
            finding(number, problem)
            for number, problem in enumerate(found.problems if found else ())
            if (face and problem.about and (problem.about.component, problem.about.piece) == (face.component, face.piece))
            or (row and (problem.place.file, problem.place.row) == (row.file, row.number))
        ]
        return f"<h2>What is wrong</h2>{''.join(told)}" if told else ""

    async def _look(self, face: FaceSeen) -> None:
        """Asks which picture a face has."""
        asked = self._asked
        seen = await self._window.desk.reply(Picture(face.component, face.piece, side=face.side))
        if asked == self._asked and isinstance(seen, PictureSeen):
            shown = self._drawn(seen.there) if seen.there else ""
            self._slot.set_visibility(seen.slotless)
            none = "Its template has no place for a picture." if seen.slotless else "None yet."
            said = escape(f"art/{seen.there}" if seen.there else seen.fault or none)
            self._art.set_content(f'<div class="art" data-key="{face.key}">{shown}<p>{said}</p><p>Drop one here.</p></div>')

    def _drawn(self, file: str) -> str:
        path = ArtFolder.of(self._window.studio.project.folder(self._window.desk.name)).home / file
        kind = KINDS.get(path.suffix.lower())
        try:
            raw = path.read_bytes() if kind and path.stat().st_size <= MOST_SHOWN else b""
        except OSError:
            raw = b""
        # As an image nothing in it runs, and nothing is fetched for it.
        return f'<img alt="" src="data:image/{kind};base64,{b64encode(raw).decode()}">' if raw else ""

    def _to_row(self) -> None:
        row, face = self._tables.row, self._window.face
        if row is not None or face is not None:
            self._window.open(Place(row.file, row.number) if row else face.place if face else Place(""))


NEW = "+"
"""The answer that a picture belongs on a row of its own."""
# Of pictures that wait for an answer: how many, and how many bytes.
MOST_LEFT, MOST_KEPT = 300, 300_000_000


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
        self.begin()

    def begin(self) -> None:
        """Begins a drop: what comes of it, also by answers, is undone at once."""
        self._drop = PutPictures()

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
        like = "" if fit else known.get(nearest(said, known), NEW if self._tables.names_rows and said else "")
        self._ask(Left(name, data, "No row has such a name." if not fit else "Several rows have this name.", like))

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
            put = PutPicture(window.studio.project, window.desk.name, seen, data)
            try:
                put.put()
            except (Fault, OSError) as refused:
                self._tell(f"{name}: {refused}.")
                return
            if not self._drop.put:
                window.changed(self._drop)
            self._drop.put.append(put)
            window.say(f"{self._drop.says}.")
            window.desk.look()

    def _ask(self, left: Left) -> None:
        if len(self._left) >= MOST_LEFT or sum(len(each.data) for each in self._left) + len(left.data) > MOST_KEPT:
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
        if self._tables.names_rows and slug(Path(left.name).stem):
            choices[NEW] = "A new row"
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
        left, dialog, client = self._left, self._dialog, ui.context.client
        self._left = []
        if dialog is not None:
            dialog.close()
        with client:  # the button that was pressed is gone
            for each in left:
                if each.piece and each.piece != NEW:
                    await self._take(each.name, each.data, each.piece, ask=False)
            await self._begin_rows([each for each in left if each.piece == NEW])

    async def _begin_rows(self, left: Sequence[Left]) -> None:
        """Makes a row for each picture, named after its file; undone at once."""
        window, drop, names = self._window, PutPictures(), dict[str, str]()
        folder = ArtFolder.of(window.studio.project.folder(window.desk.name))
        for each in left:
            stem = Path(each.name).stem
            name = " ".join(stem.split() if " " in stem else re.split("[_-]+", stem))
            name, piece = name[:1].upper() + name[1:], next(iter(self._pieces.values()))
            # Whether it is a picture, and of which kind, is the same for any piece.
            seen = await window.desk.reply(Picture(piece.component, piece.piece, each.data))
            if not isinstance(seen, PictureSeen) or seen.fault or slug(name) in names:
                why = seen.fault if isinstance(seen, PictureSeen) else ""
                self._tell(f"{each.name} makes no row: {why or 'another picture has this name'}. Nothing was written of it.")
                continue
            found = folder.find(slug(name))
            there = found.relative_to(folder.home).as_posix() if found else ""
            file = PictureSeen(slug(name) + Path(seen.file).suffix, there)
            put = PutPicture(window.studio.project, window.desk.name, file, each.data)
            try:
                put.put()
            except (Fault, OSError) as refused:
                self._tell(f"{each.name}: {refused}.")
                continue
            names[slug(name)] = name
            drop.put.append(put)
        if names and self._tables.append([*names.values()]):
            window.along(drop)
        else:
            drop.step(back=True)
