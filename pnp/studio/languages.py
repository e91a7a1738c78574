"""The translations: another language is added by a form, and each of its texts is written beside the game's own."""

from __future__ import annotations

import asyncio
from html import escape
from os.path import lexists
from pathlib import Path

from nicegui import ui
from nicegui.events import GenericEventArguments, ValueChangeEventArguments

from pnp.flows.translate import translate_game
from pnp.read.csvfile import CsvText, Record
from pnp.read.languages import language_name
from pnp.studio.documents import Document
from pnp.studio.texts import Saving
from pnp.studio.window import Kept, Window
from pnp.values.languages import FOLDER
from pnp.values.problems import Fault

# Ways of writing a language that have a code of their own.
WAYS = ("de-AT", "de-CH", "en-GB", "en-US", "es-MX", "fr-CA", "pt-BR", "zh-Hans", "zh-Hant")
# A field is left alone while somebody types into it.
FIELD = 'onfocus="this.busy = true" onblur="this.busy = false" onchange="emitEvent(\'translated\', [{row}, this.value])"'


def languages() -> dict[str, str]:
    """The languages to choose from: names by code, in the order of the names."""
    from babel import Locale

    codes = {*WAYS, *(code for code in map(str, Locale("en").languages) if len(code) == 2)}
    return dict(sorted(((code, f"{language_name(code)} ({code})") for code in codes), key=lambda each: each[1]))


class LanguagesView:
    """A game's texts beside those of one of its languages."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._saving = Saving(window)
        self._code = ""
        # Of each row that is shown its number in the file, and its location.
        self._rows: dict[int, str] = {}

    def show(self) -> None:
        with ui.element("div").classes("view tongues").props('role="region" aria-label="Languages"'):
            with ui.element("div").classes("bar"):
                self._choice = ui.select(languages(), label="Add a language", with_input=True).props("outlined dense")
                self._choice.classes("file")
                ui.button("Add", on_click=self._add).props("no-caps unelevated dense padding='xs md'")
                self._shown = ui.select({}, label="Shown").props("outlined dense").classes("choice wide")
                self._shown.on_value_change(self._chosen)
                self._again = ui.button("Bring up to date", on_click=lambda: self._make(self._code))
                self._again.props('flat no-caps dense title="After the game\'s own texts have changed"')
            self._said = ui.label("").classes("said").props("role=status")
            self._none = ui.button("Choose a language", icon="translate").props("no-caps unelevated").classes("first")
            self._none.on_click(lambda: self._choice.run_method("showPopup"))
            self._list = Kept().classes("texts")
        ui.on("translated", self._typed)

    def refresh(self) -> None:
        """Updates the list of languages, and the texts."""
        seen = self._window.desk.seen
        known = dict(seen.languages) if seen else {}
        if self._code and lexists(self._window.studio.project.root / self._file(self._code)):
            known.setdefault(self._code, language_name(self._code))
        code = self._code if self._code in known else next(iter(known), "")
        self._code = code
        if self._shown.options != known or self._shown.value != (code or None):
            self._shown.set_options(known, value=code or None)
        for each in (self._shown, self._again):
            each.set_visibility(bool(known))
        if self._window.at("Languages"):
            self._draw()

    def choose(self, code: str) -> None:
        """Shows a language."""
        self._code = code
        self.refresh()

    def _chosen(self, event: ValueChangeEventArguments[str | None]) -> None:
        if event.value and event.value != self._code:
            self.choose(event.value)

    def _document(self) -> Document:
        document = self._window.studio.documents.open(self._file(self._code))
        document.look()
        return document

    def _file(self, code: str) -> str:
        return f"content/{self._window.desk.name}/{FOLDER}/{code}.csv"

    async def _add(self) -> None:
        if self._choice.value:
            await self._make(str(self._choice.value))
        else:
            self._window.say("Choose a language first.")

    async def _make(self, code: str) -> None:
        """Makes a translation, as ``pnp translate`` does."""
        window, file = self._window, self._file(code)
        if file in (each.file for each in window.studio.documents.unsaved(window.desk.name)):
            window.say(f"{Path(file).name} has changes that are not saved. Save them first.")
            return
        new = not lexists(window.studio.project.root / file)
        document = window.studio.documents.open(file)
        document.look()
        before = document.text
        try:
            made = await asyncio.to_thread(translate_game, window.studio.project, window.desk.name, code)
        except (Fault, OSError) as refused:
            window.say(f"{refused}.")
            return
        if not made.ok:
            window.say(f"Nothing was written: {next(iter(made.problems)).message}.")
            return
        if new:
            window.changed(*self._saving.adopted([file]))
        else:
            document.look()
            if document.text != before:
                document.call(f"{document.name}, brought up to date")
                window.changed(document)
        self._choice.set_value(None)
        self.choose(code)
        window.say(f"Wrote {file}. {made.said}.")
        window.desk.look()

    def _draw(self) -> None:
        self._rows, shown, left = {}, [], 0
        self._none.set_visibility(not self._code)
        if not self._code:
            self._said.set_text(
                "This game speaks one language. Choose another one, and press Add: beside each text stands a field for its "
                "translation then."
            )
            self._list.set_content("")
            return
        try:
            document = self._document()
            if document.fault:
                raise Fault(document.fault)
            _, head, rows = _read(document)
        except Fault as refused:
            self._said.set_text(str(refused))
            self._list.set_content("")
            return
        for record in rows:
            said = dict(zip(head, (field.text for field in record.fields), strict=False))
            location, target, stale = said.get("location", ""), said.get("target", ""), bool(said.get("fuzzy"))
            self._rows[record.row] = location
            left += stale or not target.strip()
            shown.append(_row(record.row, location, said.get("source", ""), target, stale))
        name = language_name(self._code)
        self._said.set_text(
            f"{left} of {len(shown)} texts are missing or stale in {name}." if left else "All is translated."
        )
        heads = "".join(f"<span role=columnheader>{each}</span>" for each in ("Where", "The game's own", name))
        self._list.set_content(f'<div role="table" aria-label="Texts"><div role="row">{heads}</div>{"".join(shown)}</div>')

    def _typed(self, event: GenericEventArguments) -> None:
        match event.args:
            case [int(row), str(text)] if row in self._rows:
                try:
                    self._write(row, text)
                except Fault as refused:
                    self._window.say(f"{refused} What you typed was: {text}")
        self._draw()

    def _write(self, row: int, text: str) -> None:
        """Writes the translation of a row, which is no longer stale then. Raises Fault."""
        document, location = self._document(), self._rows[row]
        if document.unsaved or document.fault:
            raise Fault(document.fault or f"{document.name} has changes that are not saved. Save them first.")
        table, head, rows = _read(document)
        at = head.index("location")
        found = [each for each in rows if each.fields[at : at + 1] and each.fields[at].text == location]
        record = next((each for each in found if each.row == row), found[0] if found else None)
        if record is None:
            raise Fault(f"{location} is not in {document.name} any more.")
        made = table.with_cell(record.row, head.index("target"), text)
        if "fuzzy" in head and head.index("fuzzy") < len(record.fields) and record.fields[head.index("fuzzy")].text:
            made = made.with_cell(record.row, head.index("fuzzy"), "")
        if made.text != document.text:
            self._saving.change(document, made.text, f"{location} in {document.name}")


def _read(document: Document) -> tuple[CsvText, list[str], list[Record]]:
    """A catalogue's table, the names of its columns, and its rows. Raises Fault."""
    table = CsvText.of(document.text.encode("utf-8", "replace"), False)
    records = [each for each in table.records if not each.blank]
    head = [field.text for field in records[0].fields] if records else []
    if "location" not in head or "target" not in head:
        raise Fault(f"{document.name} has no columns location and target.")
    return table, head, records[1:]


def _row(row: int, location: str, source: str, target: str, stale: bool) -> str:
    """A text as HTML, with a field for its translation."""
    where = escape(location, quote=True)
    note = "<small>The text has changed since.</small>" if stale else ""
    state = "stale" if stale else "" if target.strip() else "missing"
    high = max(1, len(source) // 42 + source.count("\n") + 1, len(target) // 42 + target.count("\n") + 1)
    return (
        f'<div role="row" class="{state}" data-at="{where}"><span role="cell">{where.replace("/", "/<wbr>")}</span>'
        f'<span role="cell">{escape(source)}{note}</span><span role="cell">'
        f'<textarea rows="{high}" aria-label="Translation of {where}" {FIELD.format(row=row)}>\n{escape(target)}</textarea>'
        "</span></div>"
    )
