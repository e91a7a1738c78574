"""A table means the same whichever program wrote it, and every cell knows where it was typed."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import openpyxl
import pytest
from conftest import examples
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pnp.read.celltypes import resolve
from pnp.read.grid import Grid, read_grid
from pnp.read.schema import Column, TableRules
from pnp.read.tables import find_file, read_table
from pnp.values.problems import Problem, Problems
from pnp.values.tables import Row, Table

in_a_folder = settings(
    max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def grid_of(folder: Path, data: bytes, name: str = "cards.csv", sheet: str | None = None) -> Grid:
    """The grid in a file with these bytes, which must have nothing wrong."""
    problems = Problems()
    (folder / name).write_bytes(data)
    grid = read_grid(folder / name, name, sheet, problems)
    assert grid is not None and not len(problems), [str(problem) for problem in problems]
    return grid


def faults_of(folder: Path, data: bytes, name: str = "cards.csv", rules: TableRules | None = None) -> list[Problem]:
    """What is wrong with a table file of these bytes."""
    problems = Problems()
    (folder / name).write_bytes(data)
    read_table(folder / name, name, "cards", rules or TableRules(), problems)
    return list(problems)


def table_of(folder: Path, text: str, name: str = "cards", rules: TableRules | None = None) -> Table:
    """The table in a CSV of this text, which must have nothing wrong."""
    problems = Problems()
    (folder / f"{name}.csv").write_bytes(text.encode())
    table = read_table(folder / f"{name}.csv", f"{name}.csv", name, rules or TableRules(), problems)
    assert table is not None and not len(problems), [str(problem) for problem in problems]
    return table


OASIS = "urn:oasis:names:tc:opendocument:xmlns"


def xlsx_of(rows: Sequence[Sequence[object]], sheet: str = "Cards") -> bytes:
    """A workbook as a spreadsheet program saves it, with one sheet."""
    book = openpyxl.Workbook()
    page = book.active
    assert page is not None
    page.title = sheet
    for row in rows:
        page.append(list(row))
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def ods_of(rows: Sequence[Sequence[object]], sheet: str = "Cards") -> bytes:
    """The least OpenDocument spreadsheet; empty rows and cells are written as LibreOffice does, by repeating."""

    def cell(value: object) -> str:
        if value is None:
            return '<table:table-cell table:number-columns-repeated="1"/>'
        if isinstance(value, bool):
            return f'<table:table-cell office:value-type="boolean" office:boolean-value="{str(value).lower()}"/>'
        if isinstance(value, int | float):
            return f'<table:table-cell office:value-type="float" office:value="{value}"/>'
        return f'<table:table-cell office:value-type="string"><text:p>{escape(str(value))}</text:p></table:table-cell>'

    empty = [None] * 9
    lines = [f"<table:table-row>{''.join(map(cell, row or empty))}</table:table-row>" for row in rows]
    spaces = "".join(f' xmlns:{each}="{OASIS}:{each}:1.0"' for each in ("office", "table", "text"))
    content = (
        f"<office:document-content{spaces}><office:body>"
        f'<office:spreadsheet><table:table table:name="{sheet}">{"".join(lines)}'
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="1024"/>'
        "</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"
    )
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        packed.writestr("content.xml", content)
        packed.writestr("META-INF/manifest.xml", f'<m:manifest xmlns:m="{OASIS}:manifest:1.0"/>')
    return target.getvalue()


PLAIN = b"id,name,text\nanna,Anna,Draw two.\nbert,Bert,Pass.\n"


@pytest.mark.parametrize(
    ("way", "data"),
    [
        ("byte order mark", b"\xef\xbb\xbf" + PLAIN),
        ("tabs", PLAIN.replace(b",", b"\t")),
        ("old Mac line ends", PLAIN.replace(b"\n", b"\r")),
        ("everything quoted", b'"id","name","text"\n"anna","Anna","Draw two."\n"bert","Bert","Pass."\n'),
        ("empty lines at the end", PLAIN + b"\n\n,,\n , ,\n"),
        ("spaces around cells", b" id , name , text \nanna , Anna, Draw two. \n bert,Bert ,Pass.\n"),
    ],
)
def test_a_csv_is_read_however_it_was_saved(tmp_path: Path, way: str, data: bytes) -> None:
    """Programs save CSV in many ways; the same cells on the same lines are the same table."""
    assert grid_of(tmp_path, data) == grid_of(tmp_path, PLAIN), way


def test_other_delimiters_are_text(tmp_path: Path) -> None:
    """The first row decides what parts cells: in a file with semicolons a comma is a comma."""
    assert grid_of(tmp_path, b"name;text\nAnna;hand, foot, head\n").rows == ((2, ("Anna", "hand, foot, head")),)
    assert grid_of(tmp_path, b"name,text\nAnna,a;b;c\n").rows == ((2, ("Anna", "a;b;c")),)


def test_rows_are_counted_as_a_spreadsheet_counts_them(tmp_path: Path) -> None:
    """An empty line is a row; a cell of several lines is in one, so that the number is the one beside the sheet."""
    data = b'name,text\n\nAnna,"one\ntwo\nthree"\n,\nBert,"four\r\nfive"\nCleo,six\n'

    assert [(line, texts[0]) for line, texts in grid_of(tmp_path, data).rows] == [(3, "Anna"), (5, "Bert"), (6, "Cleo")]


ROWS: list[list[object]] = [
    ["Name", "Home town", "copies", "text"],
    ["Anna", "Tortuga", "3", "Rum, sugar & <tea>"],
    [],
    [],
    ["Bert", None, "12", "Pass."],
    ["Cleo", "Nassau", "1", "Ærø, Łódź, 東京"],
]


@pytest.mark.parametrize("write", [xlsx_of, ods_of])
def test_a_spreadsheet_is_the_same_table_as_a_csv(tmp_path: Path, write: object) -> None:
    """XLSX and ODS give the same columns, cells and row numbers as the CSV of the same sheet."""
    assert callable(write)
    text = io.StringIO(newline="")
    csv.writer(text).writerows(ROWS)

    suffix = {xlsx_of: "xlsx", ods_of: "ods"}[write]  # type: ignore[index]
    grid = grid_of(tmp_path, write(ROWS), f"cards.{suffix}")

    assert grid == grid_of(tmp_path, text.getvalue().encode())
    assert [line for line, _ in grid.rows] == [2, 5, 6]


def test_a_sheet_is_chosen_by_name(tmp_path: Path) -> None:
    """Of a workbook with several sheets game.toml may name one; a wrong name is answered with those there are."""
    book = openpyxl.Workbook()
    for title in ("First", "Second"):
        book.create_sheet(title).append(["name"])
        book[title].append([title])
    del book["Sheet"]
    book.save(tmp_path / "made.xlsx")
    data = (tmp_path / "made.xlsx").read_bytes()

    assert grid_of(tmp_path, data, "cards.xlsx", "Second").rows == ((2, ("Second",)),)
    (fault,) = faults_of(tmp_path, data, "cards.xlsx", TableRules(sheet="Third"))
    assert fault.rule == "unreadable-table"
    assert '"Third"' in fault.message and "First, Second" in fault.message


def test_a_table_is_found_in_any_format(tmp_path: Path) -> None:
    """Without a file name the CSV is taken, else the XLSX, else the ODS."""
    for suffix in ("ods", "xlsx", "csv"):
        (tmp_path / f"cards.{suffix}").touch()
        assert find_file(tmp_path, "cards", TableRules())[0].name == f"cards.{suffix}"
    assert find_file(tmp_path, "cards", TableRules()) == (tmp_path / "cards.csv", ["cards.xlsx", "cards.ods"])
    assert find_file(tmp_path, "cards", TableRules(file="other.csv")) == (tmp_path / "other.csv", [])


@pytest.mark.parametrize("data", [b"PK", PLAIN])
@pytest.mark.parametrize("suffix", ["xlsx", "ods"])
def test_a_broken_spreadsheet_is_told(tmp_path: Path, data: bytes, suffix: str) -> None:
    """What only pretends to be a spreadsheet is unreadable, not a crash."""
    assert [fault.rule for fault in faults_of(tmp_path, data, f"cards.{suffix}")] == ["unreadable-table"]


@pytest.mark.parametrize("column", ["copies", "quantity", "QTY"])
def test_copies_have_several_names(tmp_path: Path, column: str) -> None:
    """How often a card is printed stands in copies, count, qty or quantity; an empty cell means once."""
    table = table_of(tmp_path, f"name,{column}\nAnna,3\nBert,\nCleo,0\n")

    assert [row.copies for row in table] == [3, 1, 0]


def test_ids_are_made_from_names(tmp_path: Path) -> None:
    """Without an id column a row is called after its name or title, else after its line."""
    made = [row.id for row in table_of(tmp_path, "name\nBlack Betty\nÉlan Vital!\n東京\n")]
    assert made == ["black-betty", "elan-vital", "row-4"]
    assert [row.id for row in table_of(tmp_path, "title\nBlack Betty\n")] == ["black-betty"]
    assert [row.id for row in table_of(tmp_path, "text\nBlack Betty\n")] == ["row-2"]


@in_a_folder
@given(
    st.lists(st.sampled_from(["A", "a", "A row 3", "A row 4", "A row 4 row 5", "Row 3", "", "é"]), min_size=1, max_size=9)
)
def test_made_ids_are_always_different(tmp_path: Path, names: list[str]) -> None:
    """Files are named after ids, so names that repeat, or that look like a made id, still give different ids."""
    table = table_of(tmp_path, "name,text\n" + "".join(f"{name},x\n" for name in names))

    assert len({row.id.casefold() for row in table}) == len(names)


def resolved(
    folder: Path, text: str, columns: Mapping[str, Column], goods: str = "id,name\ntea,Black Tea\n"
) -> tuple[Table, Problems]:
    """A table of cards with its columns resolved, beside a table of goods."""
    problems = Problems()
    tables = {"cards": table_of(folder, text), "goods": table_of(folder, goods, "goods")}
    resolve(tables["cards"], columns, tables, {"sea": "#3f7f8c"}, problems)
    return tables["cards"], problems


@pytest.mark.parametrize("written", ["TEA", "black tea"])
def test_a_reference_names_a_row_by_id_or_name(tmp_path: Path, written: str) -> None:
    """A cell of a column with a table becomes that table's row, in whatever letters it was named."""
    table, problems = resolved(tmp_path, f"name,cargo\nA,{written}\n", {"cargo": Column(table="goods")})

    row = table.rows[0]["cargo"]
    assert not len(problems)
    assert isinstance(row, Row)
    assert (row.id, str(row)) == ("tea", "Black Tea")


@pytest.mark.parametrize(
    ("column", "written", "value"),
    [
        (Column(type="whole", min=-3), "-3", -3),
        (Column(type="flag"), "Yes", True),
        (Column(type="flag"), "", False),
        (Column(type="colour"), "sea", "#3f7f8c"),
        (Column(type="whole", optional=True), "", None),
        (Column(table="goods", optional=True), "", None),
    ],
)
def test_a_described_cell_gets_its_value(tmp_path: Path, column: Column, written: str, value: object) -> None:
    """Numbers become numbers, flags truth, colours hex; what may be empty is nothing."""
    table, problems = resolved(tmp_path, f"name,it\nA,{written}\n", {"it": column})

    assert not len(problems)
    assert table.rows[0]["it"] == value
    assert type(table.rows[0]["it"]) is type(value)


# Without signs of which an error of a spreadsheet, a remark or a date could be made, or that are no wider than nothing.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0#:.-\u200b\u2060\ufeff"), max_size=12)


@in_a_folder
@given(st.integers(1, 5).flatmap(lambda width: st.lists(st.lists(texts, min_size=width, max_size=width), max_size=6)))
def test_what_a_program_writes_is_read_back(tmp_path: Path, cells: list[list[str]]) -> None:
    """Any rectangle of texts saved as CSV is read as the same texts, in the rows in which they were."""
    assume(cells)
    written = io.StringIO(newline="")
    writer = csv.writer(written)
    writer.writerow([f"c{index}" for index in range(len(cells[0]))])
    writer.writerows(cells)
    stripped = [(number, tuple(text.strip() for text in row)) for number, row in enumerate(cells, 2)]

    assert grid_of(tmp_path, written.getvalue().encode()).rows == tuple(row for row in stripped if any(row[1]))


@in_a_folder
@given(st.one_of(st.binary(max_size=80), st.text('",;\t\r\na1é\ufeff\0 ', max_size=60).map(str.encode)))
def test_random_bytes_never_raise(tmp_path: Path, data: bytes) -> None:
    """Any file that is called a CSV is a table or has something wrong that is told."""
    problems = Problems()
    (tmp_path / "cards.csv").write_bytes(data)

    table = read_table(tmp_path / "cards.csv", "cards.csv", "cards", TableRules(), problems)

    assert table is not None or problems.errors


WORKBOOK = xlsx_of([["name", "copies"], ["Anna", 3], ["Bert", 2.5]])


@in_a_folder
@given(st.dictionaries(st.integers(0, len(WORKBOOK) - 1), st.integers(0, 255), min_size=1, max_size=6))
def test_a_damaged_spreadsheet_never_raises(tmp_path: Path, damage: dict[int, int]) -> None:
    """A workbook with any bytes changed is a grid or has something wrong that is told."""
    data = bytearray(WORKBOOK)
    for at, byte in damage.items():
        data[at] = byte
    problems = Problems()
    (tmp_path / "cards.xlsx").write_bytes(data)

    assert read_grid(tmp_path / "cards.xlsx", "cards.xlsx", None, problems) is not None or problems.errors
