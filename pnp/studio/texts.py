"""Books, templates, game.toml and rules.toml in an editor, with what is wrong at its line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pnp.flows.edits import TEXTS, ChangedElsewhere, Refused
from pnp.system.record import digest_of
from pnp.values.problems import Place

if TYPE_CHECKING:
    from nicegui import ui
    from nicegui.events import ValueChangeEventArguments

    from pnp.studio.opened import Window

LANGUAGES = {
    ".toml": "TOML",
    ".md": "Markdown",
    ".j2": "HTML",
    ".svg": "XML",
    ".json": "JSON",
    ".yaml": "YAML",
    ".yml": "YAML",
}


class TextsView:
    """One file at a time."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._file = ""
        self._digest = ""
        self._saved = ""
        self._choice: ui.select | None = None
        self._editor: ui.codemirror | None = None
        self._said: ui.label | None = None
        self._asking: ui.dialog | None = None

    @property
    def _files(self) -> list[str]:
        project, name = self._window.studio.project, self._window.desk.name
        homes = (project.content / name, project.root / "templates" / name)
        found = (path for home in homes if home.is_dir() for path in home.rglob("*"))
        return sorted(project.shown(path) for path in found if path.suffix.lower() in TEXTS and path.is_file())

    def show(self) -> None:
        from nicegui import ui

        files = self._files
        with ui.element("div").classes("view"):
            with ui.element("div").classes("bar"):
                self._choice = ui.select(files, value=None, label="File", with_input=True).style("min-width: 24rem")
                self._choice.on_value_change(self._chosen)
                ui.button("Save", on_click=self._save).props("no-caps")
                self._said = ui.label("").classes("said").props('role="status"')
            self._editor = ui.codemirror("", line_wrapping=True, keymap={"Mod-s": lambda _: self._save()}).classes("text")
            self._editor.props('aria-label="Text of the file"')
        with ui.dialog() as self._asking, ui.card():
            ui.label("This file was changed elsewhere while you were writing.")
            ui.button("Keep mine, and save it over the other", on_click=self._mine).props("no-caps")
            ui.button("Take the other, and drop what I wrote", on_click=self._theirs).props("no-caps flat")
            ui.button("Look first: leave both as they are", on_click=self._asking.close).props("no-caps flat")
        game = f"content/{self._window.desk.name}/game.toml"
        if game in files:
            self._choice.set_value(game)

    def refresh(self) -> None:
        if not self._file or self._editor is None:
            return
        self._mark()
        try:
            raw = self._window.studio.edits.read(self._file)
        except Refused as refused:
            self._tell(str(refused))
            return
        if digest_of(raw) == self._digest:
            return
        if self._editor.value == self._saved:
            self._load(self._file)
        else:
            self._tell("This file was changed elsewhere. Save to choose between the two.")

    def open(self, place: Place) -> None:
        """Show a line."""
        assert self._choice is not None and self._editor is not None
        if place.file in self._files:
            self._choice.set_value(place.file)
            if place.row is not None:
                self._editor.run_method("revealLine", place.row)

    def _chosen(self, event: ValueChangeEventArguments[Any]) -> None:
        if event.value and event.value != self._file:
            if self._editor is not None and self._file and self._editor.value != self._saved:
                self._save()
            self._load(str(event.value))

    def _load(self, file: str) -> None:
        assert self._editor is not None
        self._file = file
        try:
            raw = self._window.studio.edits.read(file)
            text = raw.decode("utf-8")
        except Refused as refused:
            self._tell(str(refused))
            return
        except UnicodeDecodeError:
            self._tell(f"{file} is not UTF-8.")
            return
        self._digest, self._saved = digest_of(raw), text
        self._editor.set_value(text)
        self._editor.props(f'language="{LANGUAGES.get(Path(file).suffix.lower(), "Markdown")}"')
        self._tell("")
        self._mark()

    def _mark(self) -> None:
        """Colour the lines in which something is wrong, and say there what it is."""
        assert self._editor is not None
        findings = self._window.desk.findings
        lines = [problem for problem in (findings.problems if findings else ()) if problem.place.file == self._file]
        said: dict[int, str] = {}
        for problem in lines:
            if problem.place.row is not None:
                said[problem.place.row] = "\n".join(filter(None, (said.get(problem.place.row, ""), problem.message)))
        self._editor.line_tooltips = said
        self._editor.decorations = [{"kind": "line", "line": line, "class": "wrong"} for line in said]

    def _save(self) -> None:
        assert self._editor is not None and self._asking is not None
        if not self._file or self._editor.value == self._saved:
            return
        try:
            self._put(self._digest)
        except ChangedElsewhere:
            self._asking.open()
        except Refused as refused:
            self._tell(str(refused))

    def _put(self, began: str) -> None:
        assert self._editor is not None
        text = self._editor.value
        raw = text.encode()
        self._window.studio.edits.save(self._file, began, raw, f"what was written into {Path(self._file).name}")
        self._digest, self._saved = digest_of(raw), text
        self._tell("Saved.")
        self._window.desk.look()

    def _mine(self) -> None:
        assert self._asking is not None
        self._asking.close()
        try:
            self._put(digest_of(self._window.studio.edits.read(self._file)))
        except Refused as refused:
            self._tell(str(refused))

    def _theirs(self) -> None:
        assert self._asking is not None
        self._asking.close()
        self._load(self._file)

    def _tell(self, text: str) -> None:
        if self._said is not None:
            self._said.set_text(text)
