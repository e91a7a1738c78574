"""The table grid, and the types of its cells: edits change single cells of the CSV file and leave the rest as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import count
from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments, ValueChangeEventArguments

from pnp.read.csvfile import TABBED, CsvText, Record
from pnp.read.grid import column_name
from pnp.read.tables import slug
from pnp.read.tomlfile import parsed
from pnp.studio.documents import TABLES, Document
from pnp.studio.dropped import RenamedPicture, Step, small_address
from pnp.studio.texts import Saving
from pnp.studio.window import CHOOSE_MANY, SMALL, Empty, Window, address
from pnp.system.paths import ArtFolder
from pnp.values.problems import Fault, Place, Problem
from pnp.values.tables import NAMING, PICTURING

# The name under which a row of the grid says which one it is.
KEY = "_key"
# What was pasted anywhere but into an open cell, and the rows from there on as they are seen.
PASTED = """event => {
  const cell = event.target.closest("[col-id]"), row = event.target.closest("[row-id]"), api = getElement(%d).api;
  if (event.target.closest("input, textarea") || !cell || !row) return;
  event.preventDefault();
  const text = event.clipboardData.getData("text/plain"), first = api.getRowNode(row.getAttribute("row-id")).rowIndex;
  const end = Math.min(api.getDisplayedRowCount(), first + text.split("\\n").length), keys = [];
  for (let at = first; at < end; at++) keys.push(Number(api.getDisplayedRowAtIndex(at).id));
  emit({text, keys, column: Number(cell.getAttribute("col-id").slice(1))});
}"""
# As in a spreadsheet: Tab leaves a cell that is open and goes on to the next, where what is typed replaces it; Enter then
# goes to the row below, into the column where Tab was pressed first; Home and End stay in the row. Tab in the very last
# cell begins another row, where something was typed into it: else it leaves the table.
KEYED = """params => {
  const {api, editing, node, event} = params, {key} = event, here = params.column.getColId(), was = api.tabbed;
  const begun = was && was.row === node.id && was.at === here ? was.from : here;
  const last = api.getDisplayedRowCount() - 1, grid = event.target.closest(".grid");
  if (key === "Tab") {
    if (editing) api.stopEditing();
    const gone = event.shiftKey ? api.tabToPreviousCell() : api.tabToNextCell();
    if (!gone && !editing) return false;
    // What was typed is told first: AG Grid, too, waits for a moment.
    if (!gone && !event.shiftKey) setTimeout(() => grid.dispatchEvent(new CustomEvent("begun")));
    const now = api.getFocusedCell(), row = api.getDisplayedRowAtIndex(now.rowIndex)?.id, at = now.column.getColId();
    api.tabbed = {row, at, from: row === node.id ? begun : at};
  } else if (key === "Enter" && editing && !event.shiftKey && begun !== here && node.rowIndex < last) {
    api.stopEditing();
    api.setFocusedCell(node.rowIndex + 1, begun);
    api.ensureColumnVisible(begun);
  } else if (!editing && !event.ctrlKey && ["Home", "End"].includes(key)) {
    const all = api.getAllDisplayedColumns().filter(each => each.getColId() !== "%s");
    const to = all.at(key === "Home" ? 0 : -1);
    api.setFocusedCell(node.rowIndex, to);
    api.ensureColumnVisible(to);
  } else return false;
  event.preventDefault();
  return true;
}"""
# Selects the row of the cell that gets the focus. AG Grid's own event comes late and says a place, where by then another
# row may stand.
CHOOSE = """event => {
  const id = event.target.closest(".ag-row")?.getAttribute("row-id"), node = id && getElement(%d).api.getRowNode(id);
  if (!node) return;
  node.setSelected(true, true);
  emit(Number(id));
}"""
# To the grid that was meant, not to one that takes its place: a page may be given the newer one first.
TELL = """(() => {
  const api = getElement(%d).api;
  if (api?.getGridOption("context") !== %d) return;
  %s
})()"""
# Changes rows. Refreshed, because what is wrong is seen at cells that are as they were.
CHANGE = """api.applyTransaction({update: %s});
  api.refreshCells({force: true});"""
# Puts other rows into the grid. The cursor, a place to AG Grid, goes with its row, and no focus leaves where it is.
PUT = """const cell = api.getFocusedCell(), focus = document.activeElement;
  const before = cell && api.getDisplayedRowAtIndex(cell.rowIndex)?.id;
  api.setGridOption("rowData", %s);
  const node = before && api.getRowNode(before);
  if (!node || node.rowIndex === null || node.rowIndex === cell.rowIndex) return;
  api.setFocusedCell(node.rowIndex, cell.column);
  focus?.focus({preventScroll: true});"""
# Selects a row and puts the cursor into it, where asked for into its first cell; without one, that which stands now where
# the selected one stood.
GO = """const key = %s, cell = api.getFocusedCell(), last = api.getDisplayedRowCount() - 1;
  const node = key === null
    ? cell && api.getDisplayedRowAtIndex(Math.min(cell.rowIndex, last))
    : api.getRowNode(String(key));
  if (!node) return;
  node.setSelected(true, true);
  api.ensureNodeVisible(node);
  if (%s) api.setFocusedCell(node.rowIndex, cell && !%s ? cell.column : "c0");"""
# Scroll to a column, when it is there.
SHOW = """(async () => {
  for (let tries = 0; tries < 100; tries++) {
    const api = getElement(%(grid)d)?.api;
    if (api?.getColumn("c%(column)d")) return api.ensureColumnVisible("c%(column)d");
    await new Promise(done => setTimeout(done, 50));
  }
})()"""


class Rows:
    """The rows of a table under keys that stay when rows are added, moved or changed."""

    def __init__(self, tabbed: bool) -> None:
        self._tabbed = tabbed
        self.text: str | None = None
        self.table: CsvText | None = None
        self.fault = ""
        """Why the text is no table."""
        self.header: list[str] = []
        self.keys: list[int] = []
        self.records: list[Record] = []
        self._free = count(2)
        # Keys and texts of the last rows that there were: another program may be writing the file just now.
        self._last: tuple[list[int], list[tuple[str, ...]]] = [], []

    @property
    def key(self) -> int | None:
        """The column with the rows' ids."""
        return self.header.index("id") if "id" in self.header else None

    def follow(self, text: str) -> None:
        """Takes the table's new text."""
        self.text, self.table, self.fault = text, None, ""
        try:
            self.table = CsvText.of(text.encode("utf-8", "replace"), self._tabbed)
        except Fault as error:
            self.fault = str(error)
        records = [record for record in self.table.records if not record.blank] if self.table else []
        self.header = list(_texts(records[0])) if records else []
        self.records = records[1:]
        texts = [_texts(each) for each in self.records]
        self.keys = self._matched(*self._last, texts)
        if texts:
            self._last = self.keys, texts

    def _matched(self, keys: list[int], old: list[tuple[str, ...]], new: list[tuple[str, ...]]) -> list[int]:
        """The keys of new rows: of an equal row, else one with the same id, else the one at its place."""
        most = min(len(old), len(new))
        start = next((at for at in range(most) if old[at] != new[at]), most)
        end = next((at for at in range(most - start) if old[-1 - at] != new[-1 - at]), most - start)
        left = {key: old[at] for at, key in enumerate(keys) if start <= at < len(old) - end}
        found: dict[int, int] = {}
        for by_id in (False, True):

            def same(texts: tuple[str, ...], by_id: bool = by_id) -> tuple[str, ...]:
                return texts if not by_id else () if self.key is None else texts[self.key : self.key + 1]

            known: dict[tuple[str, ...], list[int]] = {}
            for key, texts in left.items():
                known.setdefault(same(texts), []).append(key)
            for at in range(start, len(new) - end):
                if at not in found and same(new[at]) and known.get(same(new[at])):
                    found[at] = known[same(new[at])].pop(0)
                    del left[found[at]]
        lacking = [at for at in range(start, len(new) - end) if at not in found]
        if len(lacking) == len(left):
            found |= dict(zip(lacking, left, strict=True))
        middle = [found[at] if at in found else next(self._free) for at in range(start, len(new) - end)]
        return [*keys[:start], *middle, *keys[len(old) - end :]]

    @property
    def data(self) -> dict[int, dict[str, Any]]:
        """The rows for the grid."""
        return {
            key: {KEY: key, **{f"c{number}": text for number, text in enumerate(_texts(record))}} for key, record in self
        }

    def row(self, key: int | None) -> int:
        """The current number of a row. Raises Fault."""
        if key is None:
            raise Fault("Choose a row first.")
        if key not in self.keys:
            raise Fault("This row is not in the table any more.")
        return self.records[self.keys.index(key)].row

    def find(self, row: int | None, name: str) -> int | None:
        """The key of the row with this id, or else this number."""
        at = self.key or 0
        by_id = (key for key, record in self if name and self.key is not None and _texts(record)[at : at + 1] == (name,))
        return next(by_id, None) or next((key for key, record in self if record.row == row), None)

    def __iter__(self) -> Iterator[tuple[int, Record]]:
        return zip(self.keys, self.records, strict=True)

    def named(self, key: int) -> str:
        """The id that a row has by its column of ids, or else by its name; empty where it has neither, or another has it."""
        names = self.names
        found = next((name for (each, _), name in zip(self, names, strict=True) if each == key), "")
        return found if names.count(found) == 1 else ""

    @property
    def names(self) -> list[str]:
        """The ids of all rows, by their column of ids, or else by their names."""
        columns = [column_name(name) for name in self.header]
        at = next((columns.index(name) for name in ("id", *NAMING) if name in columns), None)
        texts = ["" if at is None or at >= len(each) else each[at] for each in map(_texts, self.records)]
        return texts if at is not None and columns[at] == "id" else [slug(text) for text in texts]

    def free_id(self, like: str, first: int) -> str:
        """An unused id like this one, with the next number."""
        known = {_texts(record)[self.key or 0] for record in self.records if len(record.fields) > (self.key or 0)}
        return next(name for number in count(first) if (name := f"{like}-{number}") not in known)


def _texts(record: Record) -> tuple[str, ...]:
    return tuple(field.text for field in record.fields)


@dataclass(frozen=True, slots=True)
class Row:
    """A row for the inspector's form."""

    file: str
    key: int
    number: int
    cells: dict[int, tuple[str, str]]
    """What each column is called and says, by the column's number."""


class TablesView:
    """The table pane."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._saving = Saving(window)
        self._document: Document | None = None
        self._rows = Rows(False)
        # The rows as they are to be shown, as the grid shows them, and as the grid that is made now begins.
        self._data: dict[int, dict[str, Any]] = {}
        self._there: dict[int, dict[str, Any]] = {}
        self._first: dict[int, dict[str, Any]] = {}
        # How often a grid was asked for, and whether the last one is there: until then it is told nothing.
        self._asked, self._ready = 0, False
        self._at: int | None = None
        # Whether the selected row gets the cursor, too, once the grid is there.
        self._cursor = False
        self._state = ""
        # A row that was just added, and what it says: its findings wait until it says something else, or is left.
        self._fresh: tuple[int, tuple[str, ...]] | None = None

    @property
    def _files(self) -> list[str]:
        return self._window.studio.documents.files(self._window.desk.name, TABLES)

    def _named(self, files: Sequence[str]) -> dict[str, str]:
        """The names in the menu, by file."""
        return {file: file.removeprefix(f"content/{self._window.desk.name}/") for file in files}

    def holds(self, file: str) -> bool:
        return Path(file).suffix.lower() in TABLES

    def show(self) -> None:
        with ui.element("div").classes("view table"):
            with ui.element("div").classes("bar"):
                self._choice = ui.select(self._named(self._files), label="Table").props("dense outlined").classes("file")
                self._choice.on_value_change(self._chosen)
                for label, done in (
                    ("Add row", self._add),
                    ("Copy row", self._copy),
                    ("Delete row", self._delete),
                    ("Up", lambda: self._move(-1)),
                    ("Down", lambda: self._move(1)),
                    ("Columns …", self._ask_column),
                ):
                    ui.button(label, on_click=done).props("flat no-caps dense")
                more = ui.button("Add pictures …").props("flat no-caps dense").on("click", js_handler=CHOOSE_MANY)
                more.props('title="Pictures that are dropped on the table go to the rows of their names"')
                self._save = ui.button("Save", on_click=self.save).props("no-caps dense")
            self._none = Empty(
                "This game has no table yet. Components such as a deck bring one along, with a row for each piece.",
                "Add a component",
                "Add a component",
            )
            self._grid = ui.aggrid(
                {
                    "columnDefs": [],
                    "rowData": [],
                    "context": 0,
                    "defaultColDef": {"editable": True, "resizable": True, ":suppressKeyboardEvent": KEYED % CARD},
                    "rowSelection": {"mode": "singleRow", "checkboxes": False, "enableClickSelection": True},
                    ":getRowId": f"params => String(params.data.{KEY})",
                    "enterNavigatesVerticallyAfterEdit": True,
                    "stopEditingWhenCellsLoseFocus": True,
                    "suppressFieldDotNotation": True,
                    "enableBrowserTooltips": True,
                    "overlayNoRowsTemplate": "This table has no rows yet: press Add row.",
                },
                theme="quartz",
                auto_size_columns=False,
            ).classes("grid")
            self._grid.on("gridReady", self._is_ready, args=["context"])
            self._grid.on("cellValueChanged", self._typed, args=["data", "colId", "newValue"])
            self._grid.on("focusin", lambda event: self._focused(int(event.args)), js_handler=CHOOSE % self._grid.id)
            self._grid.on("begun", self._add, args=[])
            self._grid.on("paste", self._pasted, js_handler=PASTED % self._grid.id)
        self.refresh()

    def refresh(self) -> None:
        """Updates the grid after files or pieces have changed."""
        files = self._files
        options = self._named(sorted({*files, *([self._document.file] if self._document else ())}))
        if options != self._choice.options:
            self._choice.set_options(options)
        if self._document is not None:
            self._document.look()
            self.redraw()
            if self._shown() != self._data:
                self._put(anew=False)
        elif files:
            self._choice.set_value(files[0])
        self._none.show(self._document is None)
        self._grid.set_visibility(self._document is not None)

    def redraw(self) -> None:
        """Shows the document's text."""
        document = self._document
        if document is None:
            return
        text = "" if document.fault else document.text
        if text != self._rows.text:
            header = self._rows.header
            self._rows.follow(text)
            self._put(header != self._rows.header)
        self._save.set_visibility(document.unsaved)
        state = document.state or self._rows.fault
        if state != self._state and (state or self._window.said == self._state):
            self._window.say(state)
        self._state = state

    def _put(self, anew: bool) -> None:
        """Updates the grid: makes a new one, with other columns, or sends what differs."""
        self._data = self._shown()
        if anew:
            self._asked, self._ready, self._first = self._asked + 1, False, self._data
            rows = list(self._data.values())
            self._grid.options.update(columnDefs=self._columns(), rowData=rows, context=self._asked)
            self._grid.update()
        elif self._ready:
            self._send()

    def _send(self) -> None:
        """Sends the grid what differs, so that an open cell stays open."""
        was, self._there = self._there, self._data
        same = list(was) == list(self._data)
        rows = [row for key, row in self._data.items() if not same or row != was[key]]
        self._tell((CHANGE if same else PUT) % json.dumps(rows).replace("<", "\\u003c"))

    def _tell(self, script: str) -> None:
        ui.run_javascript(TELL % (self._grid.id, self._asked, script))

    def _shown(self) -> dict[int, dict[str, Any]]:
        """The rows with their pictures and findings."""
        data, desk = self._rows.data, self._window.desk
        at = {record.row: data[key] for key, record in self._rows}
        file = self._document.file if self._document else ""
        self._pictured(data)
        for face in reversed(list(desk.seen.faces.values()) if desk.seen else []):
            if face.place.file == file and face.place.row in at and face.side == "front":
                at[face.place.row][CARD] = address(desk.name, face, SMALL)
        names = [column_name(name) for name in self._rows.header]
        findings = self._window.findings
        for problem in findings.problems if findings else ():
            place = problem.place
            if place.file == file and place.row in at and names:
                column = column_name(place.column or "")
                cell = f"c{names.index(column) if column in names else 0}"
                wrong = at[place.row].setdefault(WRONG, {})
                wrong[cell] = "\n".join(filter(None, (wrong.get(cell, ""), problem.message)))
                bad = at[place.row].setdefault(BAD, {})
                bad[cell] = bad.get(cell, False) or problem.severity == "error"
        return data

    def waits(self, problem: Problem) -> bool:
        """Whether a finding is about a row that was just added, to which nothing has been done yet."""
        if self._fresh is None or self._document is None or self._fresh[0] not in self._rows.keys:
            return False
        row, key = self._rows.row(self._fresh[0]), self._rows.key
        name = self._fresh[1][key] if key is not None and key < len(self._fresh[1]) else ""
        here = (problem.place.file, problem.place.row) == (self._document.file, row)
        return here or (bool(name) and problem.about is not None and problem.about.piece == name)

    def settle(self) -> None:
        """Lets the findings of a new row be told once it says something else, and they are about that."""
        desk = self._window.desk
        if self._fresh and not desk.busy and not desk.behind and self._said(self._fresh[0]) != self._fresh[1]:
            self._fresh = None

    def _said(self, key: int) -> tuple[str, ...]:
        """The cells of a row; empty where it is not there any more."""
        return _texts(self._rows.records[self._rows.keys.index(key)]) if key in self._rows.keys else ()

    def _leave_fresh(self, key: int | None) -> None:
        """Lets the findings of a new row be told once another one is selected."""
        if self._fresh and self._fresh[0] != key:
            self._fresh = None
            self._window.refresh()

    def _pictured(self, data: dict[int, dict[str, Any]]) -> None:
        """Gives rows their pictures where there is a column for art: what it names, or else what is called like the id."""
        column, key = _art_column(self._rows.header), self._rows.key
        if column is None:
            return
        folder = ArtFolder.of(self._window.studio.project.folder(self._window.desk.name))
        for row in data.values():
            named = row.get(f"c{column}") or (row.get(f"c{key}") if key is not None else "")
            if at := small_address(self._window.desk.name, folder, str(named or "")):
                row[ART] = at

    def _is_ready(self, event: GenericEventArguments) -> None:
        """Tells the grid what has changed since it was asked for, if it is not one that was asked for before."""
        if event.args["context"] != self._asked:
            return
        self._ready, self._there = True, self._first
        if self._there != self._data:
            self._send()
        if self._at is not None:
            self._go(self._at, self._cursor)
        self._cursor = False

    def open(self, place: Place) -> None:
        """Moves the cursor to a row."""
        self.follow(place, "")
        if self._at is not None:
            self._go(self._at)
            self._focused(self._at)

    def follow(self, place: Place, name: str) -> None:
        """Selects the row of a piece that was selected, by its id or place."""
        self._at = None
        if place.file in self._files:
            self._choice.set_value(place.file)
            self._at = self._rows.find(place.row, name)
            if self._at is not None:
                self._go(self._at, cursor=False)
        self._leave_fresh(self._at)

    @property
    def row(self) -> Row | None:
        """The selected row."""
        if self._document is None or self._at not in self._rows.keys:
            return None
        texts = _texts(self._rows.records[self._rows.keys.index(self._at)])
        cells = {
            number: (name, texts[number] if number < len(texts) else "") for number, name in enumerate(self._rows.header)
        }
        return Row(self._document.file, self._at, self._rows.row(self._at), cells)

    def _go(self, key: int | None = None, cursor: bool = True, first: bool = False) -> None:
        """Selects a row, by default the one now at the selected one's place; ``first``: the cursor goes to its start."""
        self._at = key
        if self._ready:
            self._tell(GO % (json.dumps(key), json.dumps(cursor), json.dumps(first)))
        else:
            self._cursor = cursor

    def _chosen(self, event: ValueChangeEventArguments[Any]) -> None:
        if not event.value or (self._document is not None and event.value == self._document.file):
            return
        try:
            document = self._window.studio.documents.open(str(event.value))
        except Fault as refused:
            self._window.say(str(refused))
            return
        self._window.leave()
        document.look()
        self._fresh = None
        self._document, self._rows, self._at = document, Rows(Path(document.file).suffix.lower() in TABBED), None
        self._rows.follow("" if document.fault else document.text)
        self._put(anew=True)
        self.redraw()

    @property
    def document(self) -> Document | None:
        """The document shown."""
        return self._document

    @property
    def file(self) -> str:
        """The file shown."""
        return self._document.file if self._document else ""

    @property
    def ids(self) -> dict[int, str]:
        """The id of each row, if there is a column of them."""
        key = self._rows.key
        rows = self._rows.records if key is not None else []
        return {each.row: _texts(each)[key or 0] for each in rows if len(each.fields) > (key or 0)}

    def words(self, row: int | None) -> list[str]:
        """The cells of a row that may name its picture."""
        at = next((record for record in self._rows.records if record.row == row), None)
        texts = dict(zip(map(column_name, self._rows.header), _texts(at), strict=False)) if at else {}
        return [texts[name] for name in ("art", "id", *NAMING) if texts.get(name)]

    @property
    def _rules(self) -> Rules:
        toml = self._window.studio.documents.open(f"content/{self._window.desk.name}/game.toml")
        return Rules.of(toml.text, self._document.file if self._document else "")

    def _columns(self) -> list[dict[str, Any]]:
        """The grid's columns, one for each cell of the header."""
        return columns(self._rows.header, list(self._data.values()), self._rules)

    def _begun(self, above: Record) -> list[str]:
        """The cells of a new row: those that must be filled say what the row above says, so that it is drawn at once."""
        wanted, texts = self._rules.wanted, dict(enumerate(_texts(above)))
        return [texts.get(at, "") if column_name(name) in wanted else "" for at, name in enumerate(self._rows.header)]

    def _focused(self, key: int, go: bool = True) -> None:
        if key not in self._rows.keys:
            return
        self._at = key
        self._leave_fresh(key)
        row = self.row
        assert row is not None
        name = row.cells[self._rows.key][1] if self._rows.key is not None else ""
        self._window.chose_row(row.file, row.number, name, go)

    def again(self) -> None:
        """Updates the selection after its piece was added, removed or renamed."""
        if self._at is not None:
            self._focused(self._at, go=False)

    def _typed(self, event: GenericEventArguments) -> None:
        key, column = int(event.args["data"][KEY]), int(str(event.args["colId"]).removeprefix("c"))
        value = event.args.get("newValue")
        self.write(key, column, "" if value is None else str(value))

    def write(self, key: int, column: int, text: str) -> None:
        """Writes a cell and saves."""

        def changed(table: CsvText) -> tuple[CsvText, str]:
            row = self._rows.row(key)
            return table.with_cell(
                row, column, text
            ), f"{self._rows.header[column] or 'a cell'} in row {row} of {self._name}"

        before = self._rows.named(key)
        if self._change(changed, f" What you typed was: {text}") and before:
            self._follow_id(before, self._rows.named(key))

    def _follow_id(self, old: str, new: str) -> None:
        """Renames the picture of a row whose id has changed, unless another row of the game has that id, too."""
        window = self._window
        faces = window.desk.seen.faces.values() if window.desk.seen else ()
        others = any(face.piece == old and face.place.file != self.file for face in faces)
        if not new or old == new or old in self._rows.names or others:
            return
        moved = RenamedPicture.of(window.studio.project, window.desk.name, old, new)
        if moved is None:
            return
        try:
            moved.step(False)
        except (Fault, OSError) as refused:
            window.tell(f"{refused}.")
            return
        window.along(moved)
        window.say(f"{window.said} Its picture is called art/{moved.new.name} now.")
        window.desk.look()

    def place(self, cells: Mapping[str, str]) -> bool:
        """Writes cells of the selected row; missing columns are added."""

        def changed(table: CsvText) -> tuple[CsvText, str]:
            rows, row = self._rows, self._rows.row(self._at)
            names = [column_name(name) for name in rows.header]
            new = [name for name in cells if name not in names]
            for name in new if any(map(cells.get, new)) else ():
                names.append(name)
                head = next(record.row for record in table.records if not record.blank)
                for number, said in [(head, name), *((each.row, "") for each in rows.records)]:
                    table = table.with_cell(number, len(names) - 1, said)
            for name in (name for name in cells if name in names):
                table = table.with_cell(row, names.index(name), cells[name])
            return table, f"the place of the picture in row {row} of {self._name}"

        return self._change(changed)

    @property
    def _name(self) -> str:
        return self._document.name if self._document else ""

    def _pasted(self, event: GenericEventArguments) -> None:
        """Pastes cells from a spreadsheet at the selected cell."""
        said = event.args if isinstance(event.args, dict) else {}
        text, keys, column = said.get("text"), said.get("keys"), said.get("column")
        if not (isinstance(text, str) and isinstance(keys, list) and isinstance(column, int)):
            return

        def changed(table: CsvText) -> tuple[CsvText, str]:
            block = [[field.text for field in record.fields] for record in CsvText(text, tabbed=True).records]
            room = len(self._rows.header) - column
            block = [values[:room] + [value for value in values[room:] if value] for values in block]
            if (wide := max(map(len, block), default=0)) > room:
                there = f"only {room} column{'s' * (room != 1)} from here on"
                raise Fault(f"What was pasted is {wide} cells wide, and there are {there}. Nothing was written.")
            for key, values in zip(keys, block, strict=False):
                for number, value in enumerate(values, column):
                    table = table.with_cell(self._rows.row(key), number, value)
            last = self._rows.records[-1].row
            for number, values in enumerate(block[len(keys) :]):
                table = table.with_record(last + number, [*[""] * column, *values])
            return table, f"what was pasted into {self._name}"

        self._change(changed)

    def _add(self) -> None:
        """Adds a row below the selected one, with an id, because an empty line is no row."""

        def changed(table: CsvText) -> tuple[CsvText, str]:
            rows = self._rows
            records = [record for record in table.records if not record.blank]
            if not records:
                raise Fault("The table has no columns yet: write their names into its first line.")
            after = rows.row(self._at) if self._at in rows.keys else records[-1].row
            values = self._begun(table.record(after)) if rows.records else [""] * len(rows.header)
            values[rows.key or 0] = rows.free_id("new", 1)
            return table.with_record(after, values), f"a new row in {self._name}"

        self._make(changed, first=True)

    def _ask_column(self) -> None:
        """Asks what another column is called, or which one is to go."""

        def add() -> None:
            wrong.set_text(self._lacks(name.value or ""))
            if wrong.text:
                name.run_method("focus")
            else:
                asking.close()
                self._widen(" ".join(str(name.value).split()))

        def take() -> None:
            if gone.value is None:
                wrong.set_text("Choose the column that is to go.")
            elif self._narrow(int(gone.value)):
                asking.close()
            else:
                wrong.set_text(self._window.said)

        with ui.dialog().props('aria-labelledby="column"') as asking, ui.card().classes("adding"):
            asking.on("hide", asking.delete)
            ui.html(f"<h2 id='column'>Add a column to {escape(self._name)}</h2>", sanitize=False)
            name = ui.input("What is it called?").props("outlined dense autofocus maxlength=80").classes("file")
            name.on("keydown.enter", add)
            with ui.element("div").classes("bar"):
                ui.button("Add it", on_click=add).props("no-caps unelevated")
                ui.button("Leave it", on_click=asking.close).props("no-caps flat")
            with ui.element("div").classes("asked"):
                header = {number: each or f"Column {number + 1}" for number, each in enumerate(self._rows.header)}
                gone = ui.select(header, label="Or a column that goes").props("outlined dense")
                ui.button("Take it away", on_click=take).props("no-caps flat").classes("first")
            wrong = ui.label("").classes("wrong").props("role=alert")
        asking.open()

    def _narrow(self, column: int) -> bool:
        name = self._rows.header[column] if column < len(self._rows.header) else ""
        return self._change(lambda table: (table.without_column(column), f"{self._name} without the column {name}"))

    def _lacks(self, name: str) -> str:
        """Why a column cannot be called so; empty if it can."""
        called = column_name(name)
        if not called or not name.strip().isprintable():
            return "Give the column a name first, with a letter or a digit in it."
        like = next((each for each in self._rows.header if column_name(each) == called), "")
        return f"There is a column {like} already. Take another name." if like else ""

    def _widen(self, name: str) -> None:
        if self._change(lambda table: (table.with_column(name), f"the column {name} in {self._name}")):
            ui.run_javascript(SHOW % {"grid": self._grid.id, "column": len(self._rows.header) - 1})

    def _copy(self) -> None:
        def changed(table: CsvText) -> tuple[CsvText, str]:
            rows, row = self._rows, self._rows.row(self._at)
            values = list(_texts(table.record(row)))
            if rows.key is not None and rows.key < len(values):
                like, _, number = values[rows.key].rpartition("-")
                counted = bool(like) and number.isdecimal()
                values[rows.key] = rows.free_id(*((like, int(number) + 1) if counted else (values[rows.key], 2)))
            return table.with_record(row, values), f"a copy of row {row} of {self._name}"

        self._make(changed)

    def _make(self, change: Callable[[CsvText], tuple[CsvText, str]], first: bool = False) -> None:
        """Adds a row and selects it."""
        before = {*self._rows.keys}
        if self._change(change) and (made := [key for key in self._rows.keys if key not in before]):
            self._fresh = made[0], self._said(made[0])
            self._go(made[0], first=first)
            self._focused(made[0])

    def _delete(self) -> None:
        def changed(table: CsvText) -> tuple[CsvText, str]:
            row = self._rows.row(self._at)
            return table.without_record(row), f"{self._name} without row {row}"

        if self._change(changed):
            self._go()

    def _move(self, by: int) -> None:
        def changed(table: CsvText) -> tuple[CsvText, str]:
            rows = self._rows
            row = rows.row(self._at)
            at = [record.row for record in rows.records].index(row) + by
            other = rows.records[at].row if 0 <= at < len(rows.records) else row
            moved = table.with_moved(min(row, other), max(row, other)) if row != other else table
            return moved, f"the order of {self._name}"

        self._change(changed)

    @property
    def names_rows(self) -> bool:
        """Whether a row can be told by its id or name."""
        return not {column_name(name) for name in self._rows.header}.isdisjoint(("id", *NAMING))

    def append(self, names: Sequence[str]) -> bool:
        """Adds rows of these names at the end, with ids where there is a column of them."""

        def changed(table: CsvText) -> tuple[CsvText, str]:
            columns = [column_name(name) for name in self._rows.header]
            called = next((columns.index(each) for each in NAMING if each in columns), None)
            last = max((record.row for record in table.records if not record.blank), default=0)
            begun = self._begun(table.record(last)) if self._rows.records else [""] * len(columns)
            for number, name in enumerate(names):
                values: dict[int | None, str] = {**dict(enumerate(begun)), called: name, self._rows.key: slug(name)}
                table = table.with_record(last + number, [values.get(at, "") for at in range(len(columns))])
            return table, f"{len(names)} new row{'s' * (len(names) != 1)} in {self._name}"

        return self._change(changed)

    def _change(self, change: Callable[[CsvText], tuple[CsvText, str]], more: str = "") -> bool:
        """Changes the current table, which may have changed since typing began, and saves it."""
        document = self._document
        if document is None:
            return False
        document.look()
        self.redraw()
        try:
            if self._rows.table is None:
                raise Fault(self._state)
            made, says = change(self._rows.table)
        except Fault as error:
            self._put(anew=True)
            self._window.say(f"{error}{more}")
            return False
        if made.text == document.text:
            return True
        self._saving.change(document, made.text, says)
        self.redraw()
        return True

    def save(self) -> None:
        if self._document is not None:
            self._saving.save(self._document)

    def step(self, back: bool, done: Sequence[Document | Step]) -> None:
        """Undo or redo: of what was done at once, by default of the shown document."""
        if done := done or [each for each in (self._document,) if each]:
            self._saving.step(done, back)
            self.redraw()


# What a row of the grid has besides its cells: the pictures of its card and of its art, and, by column, what is wrong
# with it and whether this is an error.
CARD, ART, WRONG, BAD = "_card", "_art", "_wrong", "_bad"
# Words for yes and no, of which a column uses one pair.
FLAGS = (("yes", "no"), ("true", "false"), ("TRUE", "FALSE"))
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")
_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}")
# So many rows are looked at to know what a column is.
MOST_LOOKED = 200
LONG = 30

FLAG = """params => {
  const box = document.createElement("input"), [yes, no] = %s;
  Object.assign(box, {type: "checkbox", checked: params.value === yes, tabIndex: -1, ariaLabel: params.colDef.headerName});
  box.indeterminate = params.value !== yes && params.value !== no && params.value !== "";
  box.onclick = event => {
    event.stopPropagation();
    params.node.setDataValue(params.column.getColId(), box.checked ? yes : no);
  };
  return box;
}"""
# The browser's own list: a word that is there stays to be chosen, allowed or not.
CHOICE = """class {
  init(params) {
    const all = %s, now = params.value ?? "";
    this.list = Object.assign(document.createElement("select"), {className: "choice-cell"});
    this.list.ariaLabel = params.colDef.headerName;
    for (const word of all.includes(now) ? all : [now, ...all]) this.list.add(new Option(word, word, false, word === now));
    this.list.onchange = () => params.stopEditing();
  }
  getGui() { return this.list; }
  afterGuiAttached() { this.list.focus(); }
  getValue() { return this.list.value; }
}"""
COLOUR = """params => {
  const cell = document.createElement("span"), swatch = document.createElement("i"), named = %s;
  swatch.className = "swatch";
  swatch.style.backgroundColor = Object.hasOwn(named, params.value) ? named[params.value] : params.value ?? "";
  if (params.value) cell.append(swatch);
  cell.append(params.value ?? "");
  return cell;
}"""
PICTURE = """params => {
  if (!params.value) return "";
  const image = document.createElement("img");
  return Object.assign(image, {className: "thumb", alt: "", src: params.value});
}"""
DRAWN = """params => {
  const cell = document.createElement("span"), drawn = params.data?.%s;
  cell.className = "drawn";
  if (drawn) cell.append(Object.assign(document.createElement("img"), {className: "thumb", alt: "", src: drawn}));
  cell.append(params.value ?? "");
  return cell;
}"""
BY_NUMBER = """(one, other) => {
  const number = text => text ? parseFloat(text.replace(",", ".")) : -1e99;
  return number(one) - number(other);
}"""
DOUBTFUL_IN = f"params => (params.data?.{BAD} ?? {{}})[params.colDef.field] === false"
WRONG_IN = f"params => (params.data?.{WRONG} ?? {{}})[params.colDef.field]"


@dataclass(frozen=True, slots=True)
class Rules:
    """Column types and choices from game.toml, as far as it can be read."""

    columns: Mapping[str, Any] = field(default_factory=dict)
    palette: Mapping[str, str] = field(default_factory=dict)

    @property
    def wanted(self) -> set[str]:
        """The columns that must be filled."""
        free = ("optional", "value")
        return {
            name
            for name, rule in self.columns.items()
            if isinstance(rule, dict) and rule.get("type") != "flag" and not any(map(rule.get, free))
        }

    @classmethod
    def of(cls, toml: str, file: str) -> Rules:
        try:
            said = parsed(toml)
        except Fault:
            return cls()
        name = Path(file).name
        for key, table in _tables(said.get("table")).items():
            if name in (table.get("file"), f"{key}{Path(file).suffix}"):
                return cls(_tables(table.get("columns")), _texts_of(said.get("palette")))
        return cls({}, _texts_of(said.get("palette")))


def _tables(said: object) -> dict[str, dict[str, Any]]:
    return {key: each for key, each in said.items() if isinstance(each, dict)} if isinstance(said, dict) else {}


def _texts_of(said: object) -> dict[str, str]:
    return {key: each for key, each in said.items() if isinstance(each, str)} if isinstance(said, dict) else {}


def columns(header: Sequence[str], rows: Sequence[Mapping[str, Any]], rules: Rules) -> list[dict[str, Any]]:
    """Column definitions for the grid: the card pictures first, then one for each column of the table."""
    card = {
        "field": CARD,
        "headerName": "The piece of each row",
        "headerTooltip": "The piece of each row",
        "headerClass": "unseen",
        ":cellRenderer": PICTURE,
        "width": 46,
        "editable": False,
        "sortable": False,
        "suppressNavigable": True,
        "resizable": False,
        "cellClass": "card-cell",
    }
    made = [_column(number, name, rows[:MOST_LOOKED], rules) for number, name in enumerate(header)]
    # The longest texts have the room that is left.
    lengths = [sum(len(str(row.get(each["field"], ""))) for row in rows[:MOST_LOOKED]) for each in made]
    if most := max(lengths, default=0):
        widest = made[lengths.index(most)]
        widest |= {"flex": 1, "minWidth": widest.pop("width")}
    return [card, *made]


def _column(number: int, name: str, rows: Sequence[Mapping[str, Any]], rules: Rules) -> dict[str, Any]:
    texts = [str(row.get(f"c{number}", "")) for row in rows]
    filled = [text for text in texts if text]
    rule = rules.columns.get(column_name(name), {})
    kind, allowed = rule.get("type"), [str(each) for each in rule.get("one_of", ()) or ()]
    wide = any(len(text) > LONG or "\n" in text for text in texts)
    made: dict[str, Any] = {
        "field": f"c{number}",
        "headerName": name or f"Column {number + 1}",
        "cellEditor": "agLargeTextCellEditor" if wide else "agTextCellEditor",
        "cellEditorPopup": wide,
        "width": 360 if wide else 150,
        "cellClassRules": {":wrong": WRONG_IN, ":doubtful": DOUBTFUL_IN},
        ":tooltipValueGetter": WRONG_IN,
    }
    if column_name(name) in PICTURING:
        return {**made, ":cellRenderer": DRAWN % ART}
    words = next((pair for pair in FLAGS if filled and {*filled} <= {*pair}), FLAGS[0] if kind == "flag" else None)
    if allowed:
        # An empty cell can be chosen, too: where it may not be, that is told as all else.
        made |= {**_chosen(allowed), "singleClickEdit": True}
    elif words:
        made |= {**_chosen(words), ":cellRenderer": FLAG % json.dumps(words), "width": 90}
    elif kind in ("whole", "number") or (not kind and filled and all(map(_NUMBER.fullmatch, filled))):
        made |= {"cellClass": "number", "headerClass": "ag-right-aligned-header", "width": 100, ":comparator": BY_NUMBER}
    elif kind == "colour" or (not kind and (_is_coloured(name) or (filled and all(map(_COLOUR.fullmatch, filled))))):
        made |= {":cellRenderer": COLOUR % json.dumps(rules.palette)}
    return made


def _art_column(header: Sequence[str]) -> int | None:
    return next((number for number, name in enumerate(header) if column_name(name) in PICTURING), None)


def _is_coloured(name: str) -> bool:
    return column_name(name) in ("colour", "color")


def _chosen(words: Sequence[str]) -> dict[str, Any]:
    return {"cellEditor": None, ":cellEditor": CHOICE % json.dumps(["", *words]), "cellEditorPopup": False}
