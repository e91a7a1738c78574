"""The tables of a game in a grid: what is typed goes into its one cell of the file, and all else there stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pnp.flows.edits import TABLES, ChangedElsewhere, Edit, Refused
from pnp.read.csvpatch import CsvText, NotEditable
from pnp.system.record import digest_of
from pnp.values.problems import Place

if TYPE_CHECKING:
    from nicegui import ui
    from nicegui.events import GenericEventArguments, ValueChangeEventArguments

    from pnp.studio.opened import Window

# The name under which a row of the grid knows its number in the file.
ROW = "_row"
# What was pasted anywhere but into an open cell, and where.
PASTED = """event => {
  const cell = event.target.closest("[col-id]"), row = event.target.closest("[row-id]");
  if (event.target.closest("input, textarea") || !cell || !row) return;
  event.preventDefault();
  const text = event.clipboardData.getData("text/plain");
  emit({text, row: Number(row.getAttribute("row-id")), column: Number(cell.getAttribute("col-id").slice(1))});
}"""


class TablesView:
    """One table at a time."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._file = ""
        self._digest = ""
        self._table: CsvText | None = None
        self._at: int | None = None
        self._choice: ui.select | None = None
        self._grid: ui.aggrid | None = None
        self._said: ui.label | None = None

    @property
    def _files(self) -> list[str]:
        project = self._window.studio.project
        folder = project.content / self._window.desk.name
        return sorted(project.shown(path) for path in folder.rglob("*") if path.suffix.lower() in TABLES and path.is_file())

    def holds(self, file: str) -> bool:
        return Path(file).suffix.lower() in TABLES

    def show(self) -> None:
        from nicegui import ui

        files = self._files
        with ui.element("div").classes("view"):
            with ui.element("div").classes("bar"):
                self._choice = ui.select(files, value=files[0] if files else None, label="Table").style("min-width: 18rem")
                self._choice.on_value_change(self._chosen)
                for label, done in (
                    ("Add row", self._add),
                    ("Copy row", self._copy),
                    ("Delete row", self._delete),
                    ("Up", lambda: self._move(-1)),
                    ("Down", lambda: self._move(1)),
                    ("Undo", self._undo),
                    ("Redo", self._redo),
                ):
                    ui.button(label, on_click=done).props("flat no-caps dense")
                self._said = ui.label("").classes("said").props('role="status"')
            self._grid = ui.aggrid(
                {
                    "columnDefs": [],
                    "rowData": [],
                    "rowSelection": {"mode": "singleRow", "checkboxes": False, "enableClickSelection": True},
                    ":getRowId": f"params => String(params.data.{ROW})",
                    "stopEditingWhenCellsLoseFocus": True,
                    "suppressFieldDotNotation": True,
                },
                theme="quartz",
                auto_size_columns=False,
            ).classes("grid")
            self._grid.on("cellValueChanged", self._typed, args=["data", "colId", "newValue", "oldValue"])
            self._grid.on("cellFocused", self._focused, args=["rowIndex"])
            self._grid.on("paste", self._pasted, js_handler=PASTED)
        if files:
            self._load(files[0])

    def refresh(self) -> None:
        """The file may have been saved by another program: the grid shows what it says now."""
        if self._file and self._grid is not None:
            try:
                now = digest_of(self._window.studio.edits.read(self._file))
            except Refused as refused:
                self._tell(str(refused))
                return
            if now != self._digest:
                self._load(self._file)

    def open(self, place: Place) -> None:
        """Show a row."""
        assert self._choice is not None and self._grid is not None
        if place.file in self._files:
            self._choice.set_value(place.file)
            if place.file != self._file:
                self._load(place.file)
            if place.row is not None:
                self._at = place.row
                self._select(place.row)

    def _select(self, row: int) -> None:
        assert self._grid is not None
        self._grid.run_row_method(str(row), "setSelected", True, True)
        index = self._index(row)
        if index is not None:
            self._grid.run_grid_method("ensureIndexVisible", index, "middle")

    def _index(self, row: int) -> int | None:
        rows = [each[ROW] for each in self._rows()]
        return rows.index(row) if row in rows else None

    def _chosen(self, event: ValueChangeEventArguments[Any]) -> None:
        if event.value and event.value != self._file:
            self._load(str(event.value))

    def _load(self, file: str) -> None:
        assert self._grid is not None
        self._file, self._at = file, None
        try:
            raw = self._window.studio.edits.read(file)
            self._digest = digest_of(raw)
            self._table = CsvText.of(raw, Path(file).suffix.lower() != ".csv")
            self._tell("")
        except (Refused, NotEditable) as error:
            self._table = None
            self._tell(str(error))
        self._grid.options["columnDefs"] = self._columns()
        self._grid.options["rowData"] = self._rows()
        self._grid.update()

    def _columns(self) -> list[dict[str, Any]]:
        """One for each cell of the first record, under the number of the column."""
        head = self._header()
        return [
            {
                "field": f"c{number}",
                "headerName": name or f"Column {number + 1}",
                "editable": True,
                "resizable": True,
                "cellEditor": "agLargeTextCellEditor" if self._long(number) else "agTextCellEditor",
                "cellEditorPopup": self._long(number),
                "width": 360 if self._long(number) else 150,
            }
            for number, name in enumerate(head)
        ]

    def _header(self) -> list[str]:
        records = [record for record in self._table.records if not record.blank] if self._table else []
        return [field.text for field in records[0].fields] if records else []

    def _long(self, number: int) -> bool:
        return any(len(str(row.get(f"c{number}", ""))) > 30 for row in self._rows()[:50])

    def _rows(self) -> list[dict[str, Any]]:
        records = [record for record in self._table.records if not record.blank] if self._table else []
        return [
            {ROW: record.row, **{f"c{number}": field.text for number, field in enumerate(record.fields)}}
            for record in records[1:]
        ]

    def _typed(self, event: GenericEventArguments) -> None:
        row, column = int(event.args["data"][ROW]), int(str(event.args["colId"]).removeprefix("c"))
        value = event.args.get("newValue")
        head = self._header()
        says = f"{head[column] or 'a cell'} in row {row} of {Path(self._file).name}"
        self._change(lambda table: table.with_cell(row, column, "" if value is None else str(value)), says)

    def _focused(self, event: GenericEventArguments) -> None:
        index, rows = event.args.get("rowIndex"), self._rows()
        if isinstance(index, int) and 0 <= index < len(rows):
            self._at = int(rows[index][ROW])

    def _pasted(self, event: GenericEventArguments) -> None:
        """Cells from a spreadsheet, beginning at the chosen cell: tabs part them, and line ends part the rows."""
        said = event.args if isinstance(event.args, dict) else {}
        text, row, column = said.get("text"), said.get("row"), said.get("column")
        if not (isinstance(text, str) and isinstance(row, int) and isinstance(column, int)):
            return
        try:
            block = [[field.text for field in record.fields] for record in CsvText(text, tabbed=True).records]
        except NotEditable as error:
            self._tell(str(error))
            return

        def changed(table: CsvText) -> CsvText:
            targets = [record.row for record in table.records if not record.blank and record.row >= row]
            for target, values in zip(targets, block, strict=False):
                for number, value in enumerate(values, column):
                    table = table.with_cell(target, number, value)
            last = targets[-1] if targets else row
            for number, values in enumerate(block[len(targets) :]):
                table = table.with_record(last + number, [*[""] * column, *values])
            return table

        self._change(changed, f"what was pasted into {Path(self._file).name}")

    def _add(self) -> None:
        """A row with a name of its own below the chosen one, or at the end: an empty line would be none."""
        records = [record for record in self._table.records if not record.blank] if self._table else []
        if not records:
            return
        head = self._header()
        key = head.index("id") if "id" in head else 0
        known = {record.fields[key].text for record in records if len(record.fields) > key}
        name = next(name for number in count(1) if (name := f"new-{number}") not in known)
        rows = [record.row for record in records]
        at = rows.index(self._at) if self._at in rows else len(rows) - 1
        values = [name if number == key else "" for number in range(len(head))]
        if self._change(lambda table: table.with_record(rows[at], values), f"a new row in {Path(self._file).name}"):
            self._at = int(self._rows()[at][ROW])
            self._select(self._at)

    def _copy(self) -> None:
        row = self._at
        if row is not None and self._table is not None:
            values = [field.text for field in self._table.record(row).fields]
            self._change(lambda table: table.with_record(row, values), f"a copy of row {row} of {Path(self._file).name}")

    def _delete(self) -> None:
        row = self._at
        if row is not None:
            self._change(lambda table: table.without_record(row), f"row {row} of {Path(self._file).name}")

    def _move(self, by: int) -> None:
        row = self._at
        rows = [int(each[ROW]) for each in self._rows()]
        if row not in rows or row is None:
            return
        at = rows.index(row) + by
        if not 0 <= at < len(rows):
            return
        other = rows[at]
        upper, lower = min(row, other), max(row, other)
        if self._change(lambda table: table.with_moved(upper, lower), f"the order of {Path(self._file).name}"):
            self._at = other
            self._select(other)

    def _change(self, change: Callable[[CsvText], CsvText], says: str) -> bool:
        edits = self._window.studio.edits
        try:
            edits.change_table(self._file, self._digest, change, says)
        except ChangedElsewhere as told:
            # What was typed into the grid is one cell; what the other program saved may be all of the file.
            self._load(self._file)
            self._tell(f"{told} The grid shows what it says now; your last change was not saved.")
            return False
        except (Refused, NotEditable) as error:
            self._load(self._file)
            self._tell(str(error))
            return False
        self._load(self._file)
        self._tell(f"Saved: {says}.")
        self._window.desk.look()
        return True

    def _undo(self) -> None:
        self._told(self._window.studio.edits.undo, "Undone")

    def _redo(self) -> None:
        self._told(self._window.studio.edits.redo, "Done again")

    def _told(self, step: Callable[[], Edit | None], word: str) -> None:
        try:
            edit = step()
        except Refused as error:
            self._tell(str(error))
            return
        if edit is not None:
            self.refresh()
            self._window.desk.look()
        self._tell(f"{word}: {edit.says}." if edit else "There is nothing more.")

    def _tell(self, text: str) -> None:
        if self._said is not None:
            self._said.set_text(text)
