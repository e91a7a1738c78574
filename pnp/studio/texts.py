"""The text editor with findings at their lines, and saving for all views."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any

from nicegui import background_tasks, ui
from nicegui.events import ValueChangeEventArguments

from pnp.studio.documents import TEXTS, ChangedElsewhere, Document, Edit
from pnp.studio.dropped import Step
from pnp.studio.window import Window
from pnp.system.manifest import NotOurs, add
from pnp.values.problems import Fault, Place


class Saving:
    """Saves documents of one window and tells about it."""

    def __init__(self, window: Window) -> None:
        self._window, self._tell = window, window.say

    def save(self, document: Document, says: str = "Saved.") -> None:
        self._do(document, document.save, says)

    def change(self, document: Document, text: str, says: str, *along: Document) -> None:
        """Replaces a document's text and saves it; the others are undone ``along`` with it."""
        document.change(text, says)
        self._window.changed(document, *along)
        self.save(document, f"Saved: {says}.")

    def open(self, file: str) -> Document:
        """The document of a file that says what its file says. Raises Fault."""
        document = self._window.studio.documents.open(file)
        document.look()
        if document.unsaved or document.fault:
            raise Fault(document.fault or f"{document.name} has changes that are not saved. Save them first.")
        return document

    def adopted(self, files: Iterable[str]) -> list[Document]:
        """The documents of files that were just made: undone, they are taken away."""
        made = [self._window.studio.documents.open(file) for file in files]
        for document in made:
            document.adopt()
        return made

    def begin(self, file: str, text: str) -> bool:
        """Makes a file that is not there; undo takes it away. False if it could not be made."""
        studio = self._window.studio
        try:
            if studio.documents.open(file).unsaved:
                raise Fault(f"{file} has changes that are not saved.")
            add(studio.project.root, {file: text.encode()})
        except NotOurs:
            self._tell(f"{file} is there already; nothing was touched.")
        except (Fault, OSError) as refused:
            self._tell(str(refused))
        else:
            self._window.changed(*self.adopted([file]))
            self._tell(f"Made {file}. Undo takes it away.")
            self._window.desk.look()
            return True
        return False

    def step(self, done: Sequence[Document | Step], back: bool) -> None:
        """Undoes or redoes what was done at once, and saves it."""
        said = []
        try:
            if any(isinstance(each, Document) and each.ahead(back) is None for each in done):
                raise Fault(f"There is nothing to {'undo' if back else 'redo'}.")
            for each in done[::-1] if back else done:
                if isinstance(each, Document):
                    edit = each.undo() if back else each.redo()
                    said.append(edit.says if edit else "")
                    self._do(each, each.save, "")
                else:
                    each.step(back)
                    said.append(each.says)
        except (Fault, OSError) as refused:
            self._tell(f"{str(refused).removesuffix('.')}.")
            return
        self._tell(f"{'Undone' if back else 'Done again'}: {', '.join(said[::-1] if back else said)}.")
        self._window.desk.look()

    def _do(self, document: Document, save: Callable[[], None], says: str) -> None:
        try:
            save()
        except ChangedElsewhere:
            self._ask(document)
        except Fault as refused:
            self._tell(str(refused))
        else:
            self._tell(says)
            self._window.desk.look()

    def _ask(self, document: Document) -> None:
        """Asks about a conflict; the dialogue stays about this document whatever is selected."""

        def chosen(save: Callable[[], None], says: str) -> None:
            asking.close()
            self._do(document, save, says)

        mine, theirs = document.text, document.theirs or ""
        asking = ui.dialog().props('aria-label="Changed elsewhere"')
        asking.on("hide", asking.delete)
        with asking, ui.card().classes("choosing"):
            ui.label(f"{document.file} was changed elsewhere while you were writing.")
            with ui.element("div").classes("both"):
                for title, text, other in (("Mine", mine, theirs), ("The other", theirs, mine)):
                    ui.html(f"<h2>{title}</h2><pre tabindex='0'>{_marked(text, other)}</pre>", sanitize=False)
            for label, done, says in (
                ("Keep mine, and save it over the other", document.keep_mine, "Saved. Undo twice to see the other."),
                ("Take the other, and drop what I wrote", document.take_theirs, "Undo to see again what you wrote."),
            ):
                ui.button(label, on_click=lambda done=done, says=says: chosen(done, says)).props("no-caps")
            ui.button("Look first: leave both as they are", on_click=asking.close).props("no-caps flat")
        asking.open()


def _marked(text: str, other: str) -> str:
    """The lines of a text as HTML, those that the other text lacks marked."""
    there = set(other.splitlines())
    return "\n".join(escape(line) if line in there else f"<mark>{escape(line) or ' '}</mark>" for line in text.splitlines())


# Puts the cursor into a line.
AT = """
const editor = getElement(%d)?.editor, line = %d;
if (line > editor?.state.doc.lines) return;
editor?.dispatch({selection: {anchor: editor.state.doc.line(line).from}});
editor?.focus();
"""
# Changes the text as somebody at the keyboard would, unless somebody has just typed on.
PUT = """
const editor = getElement(%(editor)d)?.editor;
if (!editor) return "not there";
if (editor.state.doc.toString() === %(old)s) {
  const change = {from: %(start)d, to: %(end)d, insert: %(added)s};
  const go = {selection: {anchor: change.from + change.insert.length}, scrollIntoView: true};
  editor.dispatch({changes: change, ...(%(go)s ? go : {})});
}
"""


class Editor(ui.codemirror):
    """A code editor. Only the browser changes its text, so that nothing typed meanwhile is lost."""

    _said: Mapping[int, str] = MappingProxyType({})
    echo: str | None = None
    """What the browser is going to say only because it was told to show it."""

    def colour(self, said: dict[int, str], seen: bool) -> None:
        """Marks lines and shows their findings; ``seen``: somebody may be typing."""
        if said == self._said:
            return
        self._said = said
        lines = [{"kind": "line", "line": line, "class": "wrong"} for line in said]
        if seen:
            # Anything else that is sent brings the text along, and takes away what has been typed meanwhile.
            self.run_method("setLineTooltips", said)
            self.run_method("setDecorations", lines)
        else:
            self.line_tooltips, self.decorations = said, lines

    async def put(self, text: str, go: bool) -> None:
        """Replaces the browser's text; ``go``: as an undoable step, scrolled to."""
        old = self.value or ""
        edit = Edit.between(old, text, "")
        start = _units(old[: edit.start])
        said = {
            "editor": self.id,
            "old": json.dumps(old),
            "start": start,
            "end": start + _units(edit.removed),
            "added": json.dumps(edit.added),
            "go": json.dumps(go),
        }
        self.echo = None if go else text
        with suppress(TimeoutError):
            if await self.client.run_javascript(PUT % said, timeout=60) == "not there":
                self.set_value(text)
        self.echo = None


def _units(text: str) -> int:
    """The length of a text in UTF-16 units, as browsers count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


LANGUAGES = {".toml": "TOML", ".j2": "HTML", ".svg": "XML", ".json": "JSON", ".yaml": "YAML", ".yml": "YAML"}


class TextsView:
    """The text pane."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._saving = Saving(window)
        self._document: Document | None = None
        self._state = ""
        self._turn = asyncio.Lock()
        # How often somebody has typed.
        self._keys = 0
        self._editor: Editor | None = None

    @property
    def _files(self) -> list[str]:
        return self._window.studio.documents.files(self._window.desk.name, TEXTS)

    def show(self) -> None:
        with ui.element("div").classes("view full"):
            with ui.element("div").classes("bar"):
                self._choice = ui.select(self._files, label="File", with_input=True).props("dense outlined")
                self._choice.on_value_change(self._chosen).classes("file")
                ui.button("Save", on_click=self.save).props("no-caps unelevated dense padding='xs md'")
            self._room = ui.element("div").classes("writing")
        drafts = [each.file for each in self._window.studio.documents.unsaved(self._window.desk.name)]
        game = f"content/{self._window.desk.name}/game.toml"
        if first := next((file for file in (*drafts, game) if file in self._files), None):
            self._choice.set_value(first)

    def refresh(self) -> None:
        """Updates the list of files and the text."""
        files = sorted({*self._files, *([self._document.file] if self._document else ())})
        if files != self._choice.options:
            self._choice.set_options(files)
        if self._document is not None:
            self._document.look()
            self.redraw()
            self._mark(self._window.at("Texts"))

    def redraw(self) -> None:
        """Shows changes made in another window."""
        document = self._document
        if document is None:
            return
        if (self._editor is None) != bool(document.fault):
            self._show(document)
        elif self._editor is not None and self._editor.value != document.shown:
            background_tasks.create(self._follow())
        if document.state != self._state and (document.state or self._window.said == self._state):
            self._window.say(document.state)
        self._state = document.state

    def open(self, place: Place) -> None:
        """Shows a line."""
        if place.file in self._files:
            self._choice.set_value(place.file)
            if place.row is not None and self._editor is not None:
                self._editor.run_method("revealLine", place.row)
                self._editor.client.run_javascript(AT % (self._editor.id, place.row))

    def _chosen(self, event: ValueChangeEventArguments[Any]) -> None:
        if event.value and (self._document is None or event.value != self._document.file):
            try:
                document = self._window.studio.documents.open(str(event.value))
            except Fault as refused:
                self._window.say(str(refused))
                return
            document.look()
            self._show(document)

    def _show(self, document: Document) -> None:
        """Shows a document in a new editor, since an editor's history belongs to one text."""
        self._document, self._editor = document, None
        self._room.clear()
        self._state = document.state
        self._window.say(self._state)
        if document.fault:
            return
        keys: dict[str, Any] = {
            "Mod-s": lambda _: self.save(),
            "Mod-z": lambda _: self.step(True),
            "Mod-y": lambda _: self.step(False),
            "Mod-Shift-z": lambda _: self.step(False),
        }
        language = LANGUAGES.get(Path(document.file).suffix.lower(), "Markdown")
        with self._room:
            self._editor = Editor(
                document.shown, line_wrapping=True, keymap=keys, on_change=lambda event: self._typed(document, event.value)
            ).classes("text")
        # The one theme in which all words can be told from the paper.
        self._editor.props["theme"] = "vscodeLight"
        self._editor.props["language"] = language
        self._editor.props["aria-label"] = f"Text of {document.name}"
        self._mark(seen=False)

    def _mark(self, seen: bool) -> None:
        """Marks the lines with findings."""
        if self._editor is None or self._document is None:
            return
        findings = self._window.findings
        said: dict[int, str] = {}
        for problem in findings.problems if findings else ():
            row = problem.place.row
            if problem.place.file == self._document.file and row is not None and row <= self._document.shown.count("\n") + 1:
                said[row] = "\n".join(filter(None, (said.get(row, ""), problem.message)))
        self._editor.colour(said, seen)

    def _typed(self, document: Document, text: str) -> None:
        if self._editor is not None and self._editor.echo == text:
            self._editor.echo = None
        else:
            self._keys += document.typed(text)

    async def _follow(self) -> None:
        """Shows changes made in another window or program."""
        async with self._turn:
            document, editor = self._document, self._editor
            while document and editor is self._editor and editor and editor.value != document.shown:
                before = editor.value
                await editor.put(document.shown, go=False)
                if editor.value == before:
                    return  # the window is gone

    @property
    def document(self) -> Document | None:
        """The document shown."""
        return self._document

    async def save(self) -> None:
        # One after the other, as they were asked for.
        async with self._turn:
            if self._document is not None:
                self._saving.save(self._document)

    async def step(self, back: bool) -> None:
        """Undo or redo."""
        keys = self._keys
        async with self._turn:
            if self._keys != keys:
                return  # what was typed meanwhile is not meant
            document, editor = self._document, self._editor
            if document is None or editor is None:
                return
            try:
                step = document.ahead(back)
            except Fault as refused:
                self._window.say(str(refused))
                self.redraw()
                return
            if step is not None:
                await editor.put(step[1], go=True)
            nothing = f"There is nothing to {'undo' if back else 'redo'}."
            self._window.say(f"{'Undone' if back else 'Done again'}: {step[0].says}." if step else nothing)
