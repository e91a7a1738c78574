"""The dialogue that adds a component to a game."""

from __future__ import annotations

import asyncio
from html import escape

from nicegui import background_tasks, ui

from pnp.flows.start import LOOKS, PARTS, SIZES, Part, add_part
from pnp.read import presets
from pnp.studio.texts import Saving
from pnp.studio.window import Window
from pnp.system.manifest import NotOurs, add
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
# Until a game is drawn with it, in steps of so many seconds.
PAUSE, STEPS = 0.1, 1200


class Adding:
    """The dialogue of one window."""

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
            with ui.element("div").classes("bar"):
                ui.button("Add it", on_click=self._add).props("no-caps unelevated")
                ui.button("Leave it", on_click=self._dialog.close).props("no-caps flat")
                self._wrong = ui.label("").classes("wrong").props("role=alert")
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
            background_tasks.create(self._go(name, self._window.desk.drawings))

    def _write(self, title: str) -> str:
        """Raises Fault, NotOurs, OSError."""
        window, game = self._window, self._window.desk.name
        project = window.studio.project
        document = window.studio.documents.open(f"content/{game}/game.toml")
        document.look()
        if document.unsaved or document.fault:
            raise Fault(document.fault or "game.toml has changes that are not saved. Save them first.")
        holds, size = str(self._holds.value or ""), str(self._size.value or "")
        made = add_part(project, game, document.text, self._part, title, size, bool(self._back.value), holds)
        folder = project.folder(game).relative_to(project.root)
        add(project.root, {(folder / file).as_posix(): data for file, data in made.files.items()})
        self._saving.change(document, made.toml, f"{title} in game.toml")
        window.desk.look()
        return made.name

    async def _go(self, name: str, drawings: int) -> None:
        """Selects the new component in the window as soon as it has been drawn."""
        for _ in range(STEPS):
            seen = self._window.desk.seen
            face = next((each for each in (seen.faces.values() if seen else ()) if each.component == name), None)
            if face is not None:
                with self._dialog.client:
                    self._window.go("Pieces")
                    self._window.choose(face, go=True)
                return
            await asyncio.sleep(PAUSE)
