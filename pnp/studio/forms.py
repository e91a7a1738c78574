"""The dialogues that change game.toml: a component is added or removed, fonts and colours are chosen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path

from nicegui import Client, background_tasks, ui

from pnp.draw.look import STYLES
from pnp.flows.start import LOOKS, PARTS, SIZES, Part, add_back, add_part, families_of, own_files
from pnp.read import presets
from pnp.read.csvfile import TABBED, CsvText
from pnp.read.tomlfile import texts_of
from pnp.read.tomltext import with_texts, without_component
from pnp.studio.documents import TABLES, TEXTS, Document
from pnp.studio.messages import Slot, SlotSeen
from pnp.studio.texts import Saving
from pnp.studio.window import Window
from pnp.system.manifest import NotOurs, add
from pnp.values.game import FAMILIES
from pnp.values.problems import Fault

# What each is called and is for, and its picture, in a box of 48 × 48.
SHOWN: dict[Part, tuple[str, str, str]] = {
    "deck": ("Deck", "Cards: a row of its table each.", '<path d="M9 11l15-4 8 31-15 4z"/><path d="M19 7h18v34H19z"/>'),
    "tokens": ("Tokens", "Round chips and counters.", '<circle cx="18" cy="28" r="12"/><circle cx="30" cy="19" r="12"/>'),
    "tiles": ("Tiles", "Hexes, to lay a map of.", '<path d="M24 5l9 5v11l-9 5-9-5V10zM15 21l9 5v11l-9 5-9-5V26z"/>'),
    "board": ("Board", "One sheet, or several to join.", '<path d="M5 10h38v28H5zM15 10v28M24 10v28M33 10v28M5 24h38"/>'),
    "die": ("Die", "To fold, with six faces.", '<path d="M24 5l17 9v20l-17 9-17-9V14zM7 14l17 9 17-9M24 23v20"/>'),
    "box": ("Box", "To fold, around what lies in it.", '<path d="M12 14h24v29H12zl4-9h16l4 9M20 14q4 6 8 0"/>'),
}
SIZE = {"tiles": "A hex, from flat to flat", "die": "Its edge", "tokens": "Size, such as 20mm"}
UNREADABLE = "game.toml cannot be read. Mend first what is wrong: the number at the top leads there."
# Until a game is drawn with it, in steps of so many seconds.
PAUSE, STEPS = 0.1, 1200


def _answers(dialog: ui.dialog, label: str, do: Callable[[], None]) -> ui.label:
    """The buttons at the foot of a dialogue; returns the label for what is wrong."""
    with ui.element("div").classes("bar"):
        ui.button(label, on_click=do).props("no-caps unelevated")
        ui.button("Leave it", on_click=dialog.close).props("no-caps flat")
        return ui.label("").classes("wrong").props("role=alert")


class Adding:
    """The dialogue that adds a component."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._saving = Saving(window)
        self._part: Part = "deck"

    def open(self) -> None:
        """Opens the dialogue."""
        seen = self._window.desk.seen
        holds = {each.name: each.title for each in (seen.components if seen else ()) if each.kind in ("card", "domino")}
        self._part = "deck"
        with ui.dialog().props('aria-labelledby="adding"') as self._dialog, ui.card().classes("adding"):
            self._dialog.on("hide", self._dialog.delete)
            ui.html("<h2 id='adding'>Add a component</h2>", sanitize=False)
            with ui.element("div").classes("picks").props('role=radiogroup aria-labelledby="adding"'):
                for part in PARTS:
                    self._pick(part)
            with ui.element("div").classes("asked"):
                self._title = ui.input("What is it called?").props("outlined dense autofocus maxlength=80")
                self._title.on("keydown.enter", self._add)
                self._size = ui.select([], with_input=True, new_value_mode="add-unique").props("outlined dense")
                self._holds = ui.select(holds, label="What lies in it", value=next(iter(holds), None)).props(
                    "outlined dense"
                )
                self._back = ui.switch("With a back", value=True)
            self._wrong = _answers(self._dialog, "Add it", self._add)
        self._chosen("deck")
        self._dialog.open()

    def _pick(self, part: Part) -> None:
        title, about, drawn = SHOWN[part]
        with ui.element("label").classes("pick"):
            button = ui.element("input").props(f"type=radio name=part value={part}")
            button.props("checked" if part == self._part else "").on("change", lambda: self._chosen(part), args=[])
            ui.html(
                f'<svg viewBox="0 0 48 48" aria-hidden="true">{drawn}</svg><b>{title}</b><span>{escape(about)}</span>',
                sanitize=False,
            )

    def _chosen(self, part: Part) -> None:
        self._part = part
        named = presets.size_names() if part == "deck" else []
        self._size.set_options([*dict.fromkeys([*named, SIZES.get(part, "")])], value=SIZES.get(part, ""))
        self._size.props(f'label="{SIZE.get(part, "Size")}"')
        self._size.set_visibility(part in SIZES)
        self._holds.set_visibility(part == "box")
        self._back.set_visibility(part in LOOKS)
        self._wrong.set_text("")

    def _add(self) -> None:
        title = " ".join(str(self._title.value or "").split())
        if not title or not title.isprintable():
            self._wrong.set_text("Give it a name first; it can be changed later.")
            self._title.run_method("focus")
            return
        try:
            name = self._write(title)
        except (Fault, NotOurs) as refused:
            self._wrong.set_text(str(refused))
        except OSError as error:
            self._wrong.set_text(f"It could not be written: {error.strerror or error}.")
        else:
            self._dialog.close()
            self._window.go("Pieces")
            background_tasks.create(_show(self._window, self._dialog.client, name))

    def _write(self, title: str) -> str:
        """Raises Fault, NotOurs, OSError."""
        window, game = self._window, self._window.desk.name
        project = window.studio.project
        document = self._saving.open(f"content/{game}/game.toml")
        holds, size = str(self._holds.value or ""), str(self._size.value or "")
        made = add_part(project, game, document.text, self._part, title, size, bool(self._back.value), holds)
        folder = project.folder(game).relative_to(project.root)
        files = {(folder / file).as_posix(): data for file, data in made.files.items()}
        add(project.root, files)
        self._saving.change(document, made.toml, f"{title} in game.toml", *self._saving.adopted(files))
        window.desk.look()
        return made.name


async def _show(window: Window, client: Client, component: str, side: str = "") -> None:
    """Selects the first piece of a component, or its back, as soon as it has been drawn."""
    for _ in range(STEPS):
        for face in window.desk.seen.faces.values() if window.desk.seen else ():
            if face.component == component and side in ("", face.side):
                with client:
                    window.choose(face, go=True)
                return
        await asyncio.sleep(PAUSE)


class Backing:
    """Gives the component of the selected piece a back."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._saving = Saving(window)

    def add(self, name: str = "") -> None:
        """To a component, by default that of the selected piece."""
        window = self._window
        seen, name = window.desk.seen, name or (window.face.component if window.face else "")
        component = next((each for each in (seen.components if seen else ()) if each.name == name), None)
        if component is None or not component.backless:
            window.tell("It has a back already." if component else "Select a piece of it first.")
            return
        project, game = window.studio.project, window.desk.name
        try:
            document = self._saving.open(f"content/{game}/game.toml")
            made = add_back(project, game, document.text, name)
            folder = project.folder(game).relative_to(project.root)
            files = {(folder / file).as_posix(): data for file, data in made.files.items()}
            add(project.root, files)
        except (Fault, NotOurs) as refused:
            window.tell(str(refused))
        except OSError as error:
            window.tell(f"It could not be written: {error.strerror or error}.")
        else:
            self._saving.change(document, made.toml, f"a back of {component.title}", *self._saving.adopted(files))
            window.desk.look()
            background_tasks.create(_show(window, ui.context.client, name, "back"))


class Slotting:
    """Gives the component of the selected piece a place for a picture, and a column for its name."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._saving = Saving(window)

    async def add(self) -> None:
        window, face = self._window, self._window.face
        if face is None:
            window.tell("Select a piece of it first.")
            return
        seen = await window.desk.reply(Slot(face.component))
        if not isinstance(seen, SlotSeen):
            window.tell("Nothing can be drawn just now. Mend first what is wrong: the number at the top leads there.")
            return
        try:
            if seen.fault:
                raise Fault(seen.fault)
            document = self._saving.open(seen.file)
            if document.text != seen.before:
                raise Fault(f"{document.name} has changed meanwhile. Try it once more.")
            along = [self._column(seen)] if seen.table else []
        except Fault as refused:
            window.tell(str(refused))
            return
        self._saving.change(document, seen.after, f"an art slot in {document.name}", *along)
        size = f"{seen.width:g} × {seen.height:g} mm"
        window.tell(f"There is a place of {size} for a picture now. Drop one on a card; Arrange art and text moves it.")

    def _column(self, seen: SlotSeen) -> Document:
        """Adds the column for the pictures' names to the component's table and saves it. Raises Fault."""
        table = self._saving.open(seen.table)
        tabbed = Path(seen.table).suffix.lower() in TABBED
        made = CsvText.of(table.text.encode("utf-8", "replace"), tabbed).with_column(seen.column)
        table.change(made.text, f"the column {seen.column} in {table.name}")
        table.save()
        return table


class Removing:
    """The dialogue that removes the component of the selected piece."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._saving = Saving(window)

    async def open(self) -> None:
        """Opens the dialogue."""
        window, seen, face = self._window, self._window.desk.seen, self._window.face
        component = next((each for each in (seen.components if seen else ()) if face and each.name == face.component), None)
        if component is None:
            window.tell("Select a piece of it first.")
            return
        name, title = component.name, component.title
        try:
            own = await asyncio.to_thread(own_files, window.studio.project, window.desk.name, name)
        except Fault:
            window.tell(UNREADABLE)
            return
        kept: dict[str, ui.checkbox] = {}

        def remove() -> None:
            try:
                self._remove(name, title, [file for file, box in kept.items() if box.value])
            except Fault as refused:
                wrong.set_text(str(refused))
            else:
                dialog.close()

        with ui.dialog().props('aria-labelledby="removing"') as dialog, ui.card().classes("adding"):
            dialog.on("hide", dialog.delete)
            ui.html(f"<h2 id='removing'>Remove {escape(title)}?</h2>", sanitize=False)
            with ui.element("div"):
                ui.label(f"Its section goes out of game.toml{', and with it:' if own else '.'}")
                for file in own:
                    if Path(file).suffix.lower() in (*TEXTS, *TABLES):
                        kept[file] = ui.checkbox(file.removeprefix(f"content/{window.desk.name}/"), value=True)
            ui.label("Undo brings all of it back. Pictures stay in art/.").classes("said")
            wrong = _answers(dialog, "Remove it", remove)
        dialog.open()

    def _remove(self, name: str, title: str, files: list[str]) -> None:
        """Raises Fault."""
        document = self._saving.open(f"content/{self._window.desk.name}/game.toml")
        home = f"content/{self._window.desk.name}/"
        made = without_component(document.text, name, [file.removeprefix(home) for file in files])
        along = [self._saving.open(file) for file in files]
        faces = self._window.desk.seen.faces.values() if self._window.desk.seen else ()
        if other := next((face for face in faces if face.component != name), None):
            self._window.choose(other)
        for each in along:
            each.take_away()
        self._saving.change(document, made, f"{title} removed from game.toml", *along)


class Looking:
    """The dialogue with the game's style, fonts and colours."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._saving = Saving(window)

    async def open(self) -> None:
        """Opens the dialogue."""
        window, file = self._window, f"content/{self._window.desk.name}/game.toml"
        try:
            toml = self._saving.open(file).text
            there = {path[:2]: toml[start:end] for path, (start, end) in texts_of(toml).items() if len(path) == 2}
            families = await asyncio.to_thread(families_of, window.studio.project, window.desk.name)
        except Fault as refused:
            window.tell(str(refused) if self._window.studio.documents.open(file).unsaved else UNREADABLE)
            return
        fields: dict[tuple[str, str], ui.input | ui.select] = {}
        fonts = dict.fromkeys(["title", "body", *(key for section, key in there if section == "fonts")])

        def said() -> dict[tuple[str, str], str]:
            return {path: str(field.value or "").strip() for path, field in fields.items()}

        usual: dict[str, Mapping[str, str]] = dict(FAMILIES.items())

        def styled(style: str) -> None:
            """Shows the fonts of the style where no others were chosen."""
            for key, family in usual.get(style, {}).items():
                field, path = fields["fonts", key], ("fonts", key)
                if path not in there and field.value == (was[path] or None):
                    was[path] = family
                    field.set_value(family)

        def save() -> None:
            texts = {path: text for path, text in said().items() if text and text != was[path]}
            if name := str(called.value or "").strip():
                texts["palette", name] = str(colour.value)
            try:
                document = self._saving.open(file)
                made = document.text
                for section in dict.fromkeys(section for section, _ in texts):
                    made = with_texts(made, section, {key: text for (at, key), text in texts.items() if at == section})
                if made != document.text:
                    self._saving.change(document, made, "fonts and colours in game.toml")
            except Fault as refused:
                wrong.set_text(str(refused))
            else:
                dialog.close()

        with ui.dialog().props('aria-labelledby="looking"') as dialog, ui.card().classes("adding"):
            dialog.on("hide", dialog.delete)
            ui.html("<h2 id='looking'>Fonts and colours</h2>", sanitize=False)
            style = there.get(("game", "style"), "")
            with ui.element("div").classes("asked"):
                # Where none is said, nothing may be drawn by one.
                if style:
                    fields["game", "style"] = ui.select([*dict.fromkeys([*STYLES, style])], label="Style", value=style)
                    fields["game", "style"].on_value_change(lambda event: styled(event.value))
                for key in fonts:
                    now = there.get(("fonts", key), usual.get(style, {}).get(key))
                    options = [*dict.fromkeys([*filter(None, [now]), *families])]
                    fields["fonts", key] = ui.select(options, label=f"Font: {key}", value=now, with_input=True)
            with ui.element("div").classes("asked colours"):
                for section, key in there:
                    if section == "palette":
                        fields[section, key] = ui.input(key, value=there[section, key]).props("type=color")
                called, colour = ui.input("Another colour"), ui.input("Its colour", value="#808080").props("type=color")
            was = said()
            for each in (*fields.values(), called, colour):
                each.props("outlined dense")
            wrong = _answers(dialog, "Save", save)
        dialog.open()
