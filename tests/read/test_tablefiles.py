"""What people's table files are like: whatever of it would print something else than they see is told, or refused."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date, time
from pathlib import Path

import openpyxl
import pytest
import xlwt
from conftest import TINY_GAME, TinyProject
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.drawing.image import Image as SheetImage
from PIL import Image
from test_tables import ods_of, xlsx_of

from pnp.read.csvfile import decoded
from pnp.read.game import read_game
from pnp.read.grid import Grid, column_name, read_grid
from pnp.read.schema import TableRules
from pnp.read.tables import read_table
from pnp.values.problems import Problem, Problems


def read(
    folder: Path, data: bytes | str, name: str = "cards.csv", sheet: str | None = None, header: int | None = None
) -> tuple[Grid | None, list[Problem]]:
    """What is read of a table file, and what is told of it."""
    (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
    problems = Problems()
    return read_grid(folder / name, name, sheet, problems, header), list(problems)


def rows_of(
    folder: Path, data: bytes | str, name: str = "cards.csv", sheet: str | None = None
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Names of the columns and the rows of a file, of which nothing is told."""
    grid, told = read(folder, data, name, sheet)
    assert grid is not None and not told, [str(problem) for problem in told]
    return grid.header, [texts for _, texts in grid.rows]


def said(told: list[Problem]) -> list[tuple[str, str, str]]:
    """Rule, place and severity of what is told."""
    return [(problem.rule, str(problem.place), problem.severity) for problem in told]


def saved(book: openpyxl.Workbook) -> bytes:
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def book_of(*rows: list[object]) -> tuple[openpyxl.Workbook, openpyxl.worksheet.worksheet.Worksheet]:
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, openpyxl.worksheet.worksheet.Worksheet)
    for row in rows:
        sheet.append(row)
    return book, sheet


def changed(data: bytes, part: str, old: str, new: str) -> bytes:
    """A packed file in which one text of a part was replaced."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(target, "w") as packed:
        for name in whole.namelist():
            text = whole.read(name)
            if name == part:
                assert re.search(old, text.decode())
                text = re.sub(old, lambda _: new, text.decode()).encode()
            packed.writestr(name, text)
    return target.getvalue()


def xls_of(rows: list[list[object]]) -> bytes:
    """A workbook of Excel 97."""
    book = xlwt.Workbook()
    sheet = book.add_sheet("Cards")
    for at, row in enumerate(rows):
        for column, value in enumerate(row):
            style = xlwt.easyxf(num_format_str="d-mmm" if isinstance(value, date) else "General")
            sheet.write(at, column, value, style)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


# --- cells that are not what they seem ------------------------------------------------------------------


def test_an_error_of_a_formula_is_told_with_the_formula(tmp_path: Path) -> None:
    """A cell that shows #REF! was empty to the printed card, and an error in copies was one copy."""
    book, sheet = book_of(["name", "copies"], ["Anna", 3], ["Bert", None])
    sheet["B3"] = "#REF!"
    data = changed(saved(book), "xl/worksheets/sheet1.xml", "<v>#REF!</v>", "<f>Sums!#REF!+1</f><v>#REF!</v>")

    _, told = read(tmp_path, data, "cards.xlsx")

    assert said(told) == [("error-cell", "cards.xlsx:3:copies", "error")]
    assert "#REF!" in told[0].message and "=Sums!#REF!+1" in told[0].message


@pytest.mark.parametrize("text", ["#REF!", "#NV", "Err:502", "Loading..."])
def test_an_error_in_a_csv_is_told(tmp_path: Path, text: str) -> None:
    """A CSV has the errors of its sheet as texts, in the language of the program."""
    _, told = read(tmp_path, f"name,copies\nAnna,3\nBert,{text}\n")

    assert said(told) == [("error-cell", "cards.csv:3:copies", "error")]


def test_an_error_in_an_ods_is_told(tmp_path: Path) -> None:
    """LibreOffice stores an error as an empty text beside what it shows."""
    data = changed(
        ods_of([["name", "copies"], ["Anna", "WRONG"]]),
        "content.xml",
        r'<table:table-cell office:value-type="string"><text:p>WRONG</text:p>',
        '<table:table-cell table:formula="of:=1/0" office:value-type="string" office:string-value="" '
        'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0" '
        'calcext:value-type="error"><text:p>#DIV/0!</text:p>',
    )

    _, told = read(tmp_path, data, "cards.ods")

    assert said(told) == [("error-cell", "cards.ods:2:copies", "error")]
    assert "=1/0" in told[0].message


# What a cell of LibreOffice shows, its value and type; what is read of it, and what is told.
ODS_CELLS = {
    "007": ("7", "float", "007", None),
    "1,5": ("1.5", "float", "1.5", None),
    "0,3333333333": ("0.333333333333333", "float", "0.333333333333333", None),
    "1E+015": ("1000000000000000", "float", "1000000000000000", None),
    "WAHR": ("1", "float", "yes", None),
    "eins": ("1", "float", "1", "number-format"),
    "13 %": ("0.125", "percentage", "12.5%", None),
    "3.00": ("3", "float", "3", "number-format"),
    "1.000": ("1000", "float", "1000", "number-format"),
    "€3": ("3", "currency", "3", "number-format"),
    "3 kg": ("3", "float", "3", "number-format"),
    "4. Mrz 26": ("2026-03-04", "date", "2026-03-04", "date-cell"),
    "3-4": ("2026-04-03", "date", None, "date-cell"),
}


@pytest.mark.parametrize("shown", ODS_CELLS)
def test_a_cell_of_an_ods_is_as_one_of_excel(tmp_path: Path, shown: str) -> None:
    """The texts are those that LibreOffice wrote; the XLSX that it made of the same table is read and told alike."""
    value, kind, text, rule = ODS_CELLS[shown]
    key, formula = {"date": "date-value"}.get(kind, "value"), 'table:formula="of:=TRUE()"' if shown == "WAHR" else ""
    data = changed(
        ods_of([["name", "cell"], ["Anna", "WRONG"]]),
        "content.xml",
        r'<table:table-cell office:value-type="string"><text:p>WRONG</text:p>',
        f'<table:table-cell {formula} office:value-type="{kind}" office:{key}="{value}"><text:p>{shown}</text:p>',
    )

    grid, told = read(tmp_path, data, "cards.ods")

    assert grid is not None and (text is None or grid.rows[0][1] == ("Anna", text))
    severity = "error" if text is None else "warning"
    assert said(told) == ([(rule, "cards.ods:2:cell", severity)] if rule else [])


def test_merged_hidden_bold_and_waiting_cells_of_an_ods_are_told(tmp_path: Path) -> None:
    """As those of an XLSX."""
    data = ods_of([["name", "kind", "text"], ["Anna", "MERGED", "BOLD"], ["Bert", None, "WAITING"]])
    string = r'<table:table-cell office:value-type="string"><text:p>'
    style = "urn:oasis:names:tc:opendocument:xmlns:style:1.0"
    fo = "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
    for old, new in (
        (string + "MERGED", string.replace("cell ", 'cell table:number-rows-spanned="2" ') + "goat"),
        ("BOLD", 'Draw <text:span text:style-name="T1">two</text:span> cards'),
        (string + "WAITING</text:p>", '<table:table-cell table:formula="of:=[.A2]">'),
        ("<table:table-row>(?=[^/]*Bert|.{60,90}Bert)", '<table:table-row table:visibility="filter">'),
        (
            "<office:body>",
            f'<office:automatic-styles xmlns:s="{style}" xmlns:f="{fo}"><s:style s:name="T1">'
            '<s:text-properties f:font-weight="bold"/></s:style></office:automatic-styles><office:body>',
        ),
    ):
        data = changed(data, "content.xml", old, new)

    _, told = read(tmp_path, data, "cards.ods")

    assert sorted(said(told)) == [
        ("formula-without-value", "cards.ods:3:text", "error"),
        ("hidden-rows", "cards.ods:3", "warning"),
        ("merged-cells", "cards.ods:2:kind", "error"),
        ("styled-text", "cards.ods:2:text", "warning"),
    ]


def test_a_formula_that_nobody_worked_out_is_told(tmp_path: Path) -> None:
    """Programs that are no spreadsheets write formulas without values; each was an empty cell."""
    book, _ = book_of(["name", "cost"], ["Anna", "=1+1"], ["=A2", 2])

    _, told = read(tmp_path, saved(book), "cards.xlsx")

    places = ["cards.xlsx:2:cost", "cards.xlsx:3:name"]
    assert said(told) == [("formula-without-value", place, "error") for place in places]
    assert told[0].value == "=1+1" and "save it once" in told[0].hint


def test_formulas_that_are_all_zero_until_they_are_worked_out_are_told(tmp_path: Path) -> None:
    """Some libraries write a zero for every formula, and ask the program that opens the file to work them out."""
    book, _ = book_of(["name", "cost"], ["Anna", "=1+1"])
    data = changed(saved(book), "xl/worksheets/sheet1.xml", "<f>1[+]1</f><v ?/?>(</v>)?", "<f>1+1</f><v>0</v>")

    assert said(read(tmp_path, data, "cards.xlsx")[1]) == [("formula-without-value", "cards.xlsx:2:cost", "error")]

    worked_out = changed(data, "xl/workbook.xml", 'fullCalcOnLoad="1"', "")
    assert rows_of(tmp_path, worked_out, "cards.xlsx")[1] == [("Anna", "0")]


def test_a_date_that_was_none_is_refused(tmp_path: Path) -> None:
    """Who types 3-4 gets the fourth of March; a date with its year was meant, and is said to be one."""
    book, sheet = book_of(["name", "range", "born"], ["Anna", date(2026, 3, 4), date(1990, 1, 2)])
    sheet["B2"].number_format = "d-mmm"

    _, told = read(tmp_path, saved(book), "cards.xlsx")

    assert said(told) == [("date-cell", "cards.xlsx:2:range", "error"), ("date-cell", "cards.xlsx:2:born", "warning")]
    assert "3-4" in told[0].message and told[1].value == "1990-01-02"


def test_numbers_are_as_their_cells_show_them(tmp_path: Path) -> None:
    """Fifteen digits as spreadsheets have them; percent and leading zeros by the format; times as they are typed."""
    first, second = [0.1 + 0.2, 1e15, 0.5, 7, time(1, 30)], [2.50, 1.5e20, 0.125, 12, time(1, 30, 5)]
    book, sheet = book_of(["a", "b", "c", "d", "e"], first, second)
    for row in (2, 3):
        sheet[f"C{row}"].number_format, sheet[f"D{row}"].number_format = "0%", "000"
    data = changed(saved(book), "xl/worksheets/sheet1.xml", "<v>0.3</v>", "<v>0.30000000000000004</v>")

    assert rows_of(tmp_path, data, "cards.xlsx")[1] == [
        ("0.3", "1000000000000000", "50%", "007", "1:30"),
        ("2.5", "150000000000000000000", "12.5%", "012", "1:30:05"),
    ]


@pytest.mark.parametrize(("code", "value", "shown"), [("0.00", 2.5, "2.50"), ('0" coins"', 3, '0" coins"'), ("0", 3, None)])
def test_numbers_that_their_cells_show_otherwise_are_told(
    tmp_path: Path, code: str, value: float, shown: str | None
) -> None:
    """What a format adds is not in the file's cell, and not on the card."""
    book, sheet = book_of(["name", "cost"], ["Anna", value])
    sheet["B2"].number_format = code

    grid, told = read(tmp_path, saved(book), "cards.xlsx")

    assert grid is not None and grid.rows[0][1][1] == f"{value:g}"
    assert [(problem.rule, problem.value) for problem in told] == ([("number-format", shown)] if shown else [])


def test_merged_cells_are_refused(tmp_path: Path) -> None:
    """Only the first of them has the text; those of a title above the table are nobody's concern."""
    book, sheet = book_of(["My game"], ["name", "kind"], ["Anna", "town"], ["Bert", None], ["Cleo", "isle"])
    sheet.merge_cells("A1:B1")
    sheet.merge_cells("B3:B4")

    _, told = read(tmp_path, saved(book), "cards.xlsx")

    assert said(told) == [("rows-above-header", "cards.xlsx:2", "warning"), ("merged-cells", "cards.xlsx:3:kind", "error")]


def test_hidden_rows_are_told(tmp_path: Path) -> None:
    """A filter hides rows, and they are printed."""
    book, sheet = book_of(["name"], ["Anna"], ["Bert"], ["Cleo"])
    sheet.row_dimensions[3].hidden = sheet.row_dimensions[9].hidden = True

    grid, told = read(tmp_path, saved(book), "cards.xlsx")

    assert grid is not None and len(grid.rows) == 3
    assert said(told) == [("hidden-rows", "cards.xlsx:3", "warning")]


@pytest.mark.parametrize(
    ("data", "column"),
    [
        ("“name”,“text”\n“Anna”,“Draw two.”\n", "name"),
        ("name,copies,text\n„Anna“,2,„Draw two.“\n„Bert“,1,\n", "name"),
        ("'name','text'\n'Anna','Draw two.'\n", "name"),
        ('name, text\nAnna, "Draw two."\nBert, ""\n', "text"),
        ("name,text\nAnna,“Draw two.”\n", ""),
        ('name,text\n"Anna","""Draw two."""\nBert, "Two" and more\n', ""),
        ("text\n“To be.”\n“Or not.”\n", ""),
    ],
)
def test_marks_around_cells_that_are_printed_are_told(tmp_path: Path, data: str, column: str) -> None:
    """Word processors bend them, and behind a blank they are letters; a quotation is well."""
    _, found = read(tmp_path, data)

    assert said(found) == [("stray-marks", f"cards.csv:2:{column}", "warning")] * bool(column)


def test_a_comma_in_marks_behind_a_blank_is_told_with_its_cause(tmp_path: Path) -> None:
    """The marks are there, so that to ask for some helps nobody."""
    _, found = read(tmp_path, 'name, text\nAnna, "Draw two, then pass."\n')

    assert said(found) == [("ragged-row", "cards.csv:2", "error")]
    assert "Take away the blank before the quotation mark" in found[0].hint


@pytest.mark.parametrize("suffix", ["xlsx", "ods", "xls"])
def test_struck_cells_and_hidden_columns_are_told(tmp_path: Path, suffix: str) -> None:
    """A card that was struck out is printed all the same, and a hidden column is for the designer's eyes."""
    data = {"xlsx": _struck_xlsx, "ods": _struck_ods, "xls": _struck_xls}[suffix]()
    grid, told = read(tmp_path, data, f"cards.{suffix}")

    assert grid is not None and grid.hidden == {"notes"}
    assert said(told) == [("struck-cells", f"cards.{suffix}:3:name", "warning")]
    assert "so are 2 more cells" in told[0].message


@pytest.mark.parametrize("suffix", ["xlsx", "ods"])
def test_pictures_on_rows_of_a_sheet_are_told(tmp_path: Path, suffix: str) -> None:
    """Whoever pastes art into cells sees it there, and on no card; a logo above the table is none."""
    if suffix == "xlsx":
        book, sheet = book_of(["name", "copies"], ["Anna", 1], ["Bert", 2])
        picture = io.BytesIO()
        Image.new("RGB", (9, 9)).save(picture, "PNG")
        for cell in ("C1", "C3"):
            sheet.add_image(SheetImage(io.BytesIO(picture.getvalue())), cell)
        data = saved(book)
    else:
        draw = "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
        drawn = f'<d:frame xmlns:d="{draw}"><d:image/></d:frame>'
        data = changed(ods_of([["name", "copies"], ["Anna", 1], ["Bert", 2]]), "content.xml", "(?=<text:p>Bert)", drawn)
    _, told = read(tmp_path, data, f"cards.{suffix}")

    assert said(told) == [("sheet-pictures", f"cards.{suffix}:3", "warning")]


_STRUCK: list[list[object]] = [["name", "notes", "text"], ["Anna", "a", "b"], ["Bert", "c", "d"], ["Cleo", "e", "f"]]


def _struck_xlsx() -> bytes:
    book, sheet = book_of(*_STRUCK)
    sheet.column_dimensions["B"].hidden = True
    for cell in ("A3", "B3", "C3", "D9"):
        sheet[cell].font = openpyxl.styles.Font(strike=True)
    return saved(book)


def _struck_ods() -> bytes:
    style = "urn:oasis:names:tc:opendocument:xmlns:style:1.0"
    data = ods_of(_STRUCK)
    for old, new in (
        (r"<table:table-cell (?=[^>]*><text:p>(Bert|c|d)<)", '<table:table-cell table:style-name="ce1" '),
        ('"Cards">', '"Cards"><table:table-column/><table:table-column table:visibility="collapse"/>'),
        (
            "<office:body>",
            f'<office:automatic-styles xmlns:s="{style}"><s:style s:name="ce1"><s:text-properties '
            's:text-line-through-style="solid"/></s:style></office:automatic-styles><office:body>',
        ),
    ):
        data = changed(data, "content.xml", old, new)
    return data


def _struck_xls() -> bytes:
    book = xlwt.Workbook()
    sheet = book.add_sheet("Cards")
    for at, row in enumerate(_STRUCK):
        for column, value in enumerate(row):
            sheet.write(at, column, value, xlwt.easyxf("font: struck_out on" if at == 2 else ""))
    sheet.col(1).hidden = True
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def test_bold_words_in_a_cell_are_told(tmp_path: Path) -> None:
    """The words are read, that they are bold is not; a cell that is bold as a whole is a matter of the sheet's looks."""
    book, sheet = book_of(["name", "text"])
    sheet.append(["Anna", CellRichText("Draw ", TextBlock(InlineFont(b=True), "two"), ".")])
    sheet.append(["Bert", CellRichText(TextBlock(InlineFont(b=True), "Pass."))])

    grid, told = read(tmp_path, saved(book), "cards.xlsx")

    assert grid is not None and grid.rows[0][1] == ("Anna", "Draw two.")
    assert said(told) == [("styled-text", "cards.xlsx:2:text", "warning")]


def test_sheets_that_nobody_reads_are_told(tmp_path: Path) -> None:
    """Of several sheets the first is taken, which is said, unless game.toml names it; an empty one is no matter."""
    book, _ = book_of(["name"], ["Anna"])
    book.create_sheet("Notes").append(["todo"])
    book.create_sheet("Sheet3")
    data = saved(book)

    _, told = read(tmp_path, data, "cards.xlsx")

    assert said(told) == [("unread-sheets", "cards.xlsx", "warning")]
    assert "Notes" in told[0].message and "Sheet3" not in told[0].message
    assert 'sheet = "Notes" reads that' in told[0].hint
    assert rows_of(tmp_path, data, "cards.xlsx", "Sheet")[1] == [("Anna",)]


def test_blanks_that_nobody_sees_are_no_text(tmp_path: Path) -> None:
    """Spaces that do not break, and those of no width, at the ends of a cell."""
    rows = rows_of(tmp_path, "id,name\n\u00a0tea \u200b,\ufeff Black\u00a0Tea\u2060\n")[1]
    assert rows == [("tea", "Black\u00a0Tea")]


# --- rows that are no pieces ----------------------------------------------------------------------------


def rows_told(folder: Path, text: str) -> list[tuple[str, str, str]]:
    (folder / "cards.csv").write_text(text, encoding="utf-8")
    problems = Problems()
    read_table(folder / "cards.csv", "cards.csv", "cards", TableRules(), problems)
    return said(list(problems))


@pytest.mark.parametrize("columns", ["name,copies", "name, text", "Name,Text,Number"])
def test_the_names_of_the_columns_once_more_are_no_piece(tmp_path: Path, columns: str) -> None:
    """As two tables pasted one below the other have them."""
    row = "," * columns.count(",")
    told = [("header-again", "cards.csv:3", "error")]
    assert rows_told(tmp_path, f"{columns}\nAnna{row}\n{columns}\nBert{row}\n") == told
    assert rows_told(tmp_path, "name\nAnna\nname\n") == []


@pytest.mark.parametrize("last", [",5", "Summe:,5", "TOTAL,5"])
def test_a_sum_below_the_table_is_refused(tmp_path: Path, last: str) -> None:
    """It would print five blank cards."""
    assert rows_told(tmp_path, f"name,copies\nAnna,3\nBert,2\n{last}\n") == [("total-row", "cards.csv:4:copies", "error")]


def test_copies_alone_are_refused_where_cells_must_be_filled(tiny: TinyProject) -> None:
    """game.toml says so of a column; one error, and no word that blank pieces are printed."""
    tiny.write("content/tiny/game.toml", TINY_GAME + "[table.cards.columns.text]\ntype = 'text'\n")
    tiny.write("content/tiny/cards.csv", "name,text,copies\nAnna,x,1\n,,1\n")
    problems = Problems()
    read_game(tiny.project, "tiny", problems)
    assert said(list(problems)) == [("blank-row", "content/tiny/cards.csv:3", "error")]


def test_remarks_are_left_out_and_told(tmp_path: Path) -> None:
    """A row with nothing but # and a remark; a cell that begins with # beside others is a cell."""
    grid, told = read(tmp_path, "# made by hand, in May\nname,text\nAnna,x\n# old ones,\n#1 fan,y\n")

    assert grid is not None and [texts for _, texts in grid.rows] == [("Anna", "x"), ("#1 fan", "y")]
    assert said(told) == [("remark-row", "cards.csv:1", "warning")]
    assert "2 rows (1, 4)" in told[0].message


# --- the row of names -----------------------------------------------------------------------------------


def test_a_title_above_the_names_is_left_out_and_told(tmp_path: Path) -> None:
    """One cell alone, and below it names that tables have; rows keep the numbers that they have in the sheet."""
    grid, told = read(tmp_path, xlsx_of([["Harbour, third draft"], [], ["Name", "Copies"], ["Anna", 2]]), "cards.xlsx")

    assert grid is not None and (grid.header, grid.rows, grid.head) == (("name", "copies"), ((4, ("Anna", "2")),), 3)
    assert said(told) == [("rows-above-header", "cards.xlsx:3", "warning")]


def test_notes_beside_the_table_are_left_out_and_told(tmp_path: Path) -> None:
    """What has no name cannot be printed; an empty column is nothing."""
    grid, told = read(tmp_path, xlsx_of([["name", None, "text"], ["Anna", None, "x", None, "cheaper?"]]), "cards.xlsx")

    assert grid is not None and (grid.header, grid.rows) == (("name", "text"), ((2, ("Anna", "x")),))
    assert said(told) == [("unnamed-column", "cards.xlsx:1:5", "warning")]
    assert "cheaper?" in told[0].message


@pytest.mark.parametrize(
    ("title", "name"), [("Card Text (long)", "card_text_long"), ("Cost/€", "cost"), ("Cou\u0302t", "coût"), ("№", "no")]
)
def test_names_of_columns_can_be_typed(title: str, name: str) -> None:
    """Small letters and digits, whichever they are, and _ for all that is between them."""
    assert column_name(title) == name


def test_titles_are_kept(tmp_path: Path) -> None:
    """What the sheet calls a column, for who wants to know what became of it; one of signs alone has its number."""
    (tmp_path / "cards.csv").write_text("Card Text (long),!!\nx,y\n", encoding="utf-8")
    table = read_table(tmp_path / "cards.csv", "cards.csv", "cards", TableRules(), Problems())

    assert table is not None and table.columns == ("card_text_long", "column_2")
    assert table.titles == ("Card Text (long)", "!!")


# --- old formats and ways of writing --------------------------------------------------------------------


def test_an_old_workbook_is_the_same_table(tmp_path: Path) -> None:
    """XLS as of Excel 97: numbers as typed, errors and dates told as those of other formats."""
    rows = rows_of(tmp_path, xls_of([["Name", "Copies"], ["Änne", 3], ["Bert", 2.5]]), "cards.xls")
    assert rows == (("name", "copies"), [("Änne", "3"), ("Bert", "2.5")])
    told = read(tmp_path, xls_of([["name", "range"], ["Anna", date(2026, 3, 4)]]), "cards.xls")[1]
    assert said(told) == [("date-cell", "cards.xls:2:range", "error")]


def test_a_workbook_is_read_by_what_is_in_it(tmp_path: Path) -> None:
    """Programs give an XLSX, or a web page, the name of an XLS."""
    assert rows_of(tmp_path, xlsx_of([["name"], ["Anna"]]), "cards.xls")[1] == [("Anna",)]
    assert rows_of(tmp_path, xls_of([["name"], ["Anna"]]), "cards.xlsx")[1] == [("Anna",)]
    (fault,) = read(tmp_path, "<html><table><tr><td>Anna</td></tr></table></html>", "cards.xls")[1]
    assert fault.rule == "unreadable-table" and "web page" in fault.message


@pytest.mark.parametrize(
    ("data", "name", "told"),
    [
        (xlsx_of([["name"], ["Anna"]]), "cards.csv", "it is a workbook: call it cards.xlsx"),
        ("name,text\nAnna,Draw.\n", "cards.xlsx", "it is a text under the name of a workbook: call it cards.csv"),
    ],
)
def test_a_table_under_another_name_is_told(tmp_path: Path, data: str | bytes, name: str, told: str) -> None:
    """With what to call it."""
    (fault,) = read(tmp_path, data, name)[1]

    assert fault.rule == "unreadable-table" and told in fault.message


def test_a_binary_workbook_is_refused_by_name(tmp_path: Path) -> None:
    """XLSB under its own name and under another."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        packed.writestr("xl/workbook.bin", b"x")

    (fault,) = read(tmp_path, target.getvalue(), "cards.xlsx")[1]
    assert fault.rule == "unreadable-table" and "XLSB" in fault.message and "XLSX" in fault.hint


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("Åse ñandú", "cp1252", None),
        ("El Niño, café", "mac_roman", "Mac Roman"),
        ("Don’t “stop” – now", "cp1252", "Windows-1252"),
        ("Zażółć gęślą jaźń", "cp1250", None),
    ],
)
def test_an_older_way_of_writing_is_taken_where_it_is_certain(text: str, code: str, told: str | None) -> None:
    """Only where the other one gives no words of a language; what was taken is said."""
    raw = f"name\n{text}\n".encode(code)
    if told is None:
        with pytest.raises(UnicodeDecodeError):
            decoded(raw)
    else:
        known = decoded(raw)
        assert (known.text, known.guessed) == (f"name\n{text}\n", told)
        assert known.words and all(word in text for word in known.words)


@pytest.mark.parametrize("code", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_wide_letters_are_read(code: str) -> None:
    """Excel's "Unicode text", and the same without its mark."""
    known = decoded("name\ttext\nAnna\tŁódź 東京\n".encode(code))

    assert known.text == "name\ttext\nAnna\tŁódź 東京\n"
    assert known.guessed == ("UTF-16" if code.endswith(("le", "be")) else "")


def test_what_was_guessed_is_told(tmp_path: Path) -> None:
    """With words to look at."""
    grid, told = read(tmp_path, "name\nCafé\n".encode("cp1252"))

    assert grid is not None and grid.rows == ((2, ("Café",)),)
    assert said(told) == [("guessed-encoding", "cards.csv", "warning")]
    assert "Windows-1252: Café" in told[0].message

    (told_of_much,) = read(tmp_path, ("a" * 90_000 + "\nx\n").encode("utf-16-le"))[1]
    assert told_of_much.value == "UTF-16" and len(told_of_much.message) < 200


# --- JSON and YAML --------------------------------------------------------------------------------------

CARDS = """[
 {"name": "Anna", "stats": {"attack": 3}, "tags": ["a", "b"]},
 {"name": "Bert", "cost": 1.50, "on": true, "x": null}
]"""


def test_a_list_of_records_is_a_table(tmp_path: Path) -> None:
    """A key is a column, in the order in which keys are met; numbers stay as typed; a row has the line of its record."""
    grid, told = read(tmp_path, CARDS, "cards.json")

    assert grid is not None and not told
    assert grid.header == ("name", "stats_attack", "tags", "cost", "on", "x")
    assert grid.titles[1] == "stats.attack"
    assert grid.rows == ((2, ("Anna", "3", "a, b", "", "", "")), (3, ("Bert", "", "", "1.50", "true", "")))


def test_yaml_stays_as_it_was_typed(tmp_path: Path) -> None:
    """no is a country, 010 a number of a card, 1:30 a ratio; nothing becomes a truth, an eight, or ninety."""
    text = "- name: Norway\n  code: no\n  number: 010\n  ratio: 1:30\n  on: yes\n- name: ~\n  code: '~'\n"

    assert rows_of(tmp_path, text, "cards.yaml") == (
        ("name", "code", "number", "ratio", "on"),
        [("Norway", "no", "010", "1:30", "yes"), ("", "~", "", "", "")],
    )


@pytest.mark.parametrize("name", ["cards.yml", "cards.json"])
def test_records_may_have_names(tmp_path: Path, name: str) -> None:
    """A map of records: their names are the column name, or id where each has a name of its own."""
    assert rows_of(tmp_path, '{"Fire Ball": {"cost": "3"}}', name) == (("name", "cost"), [("Fire Ball", "3")])
    assert rows_of(tmp_path, '{"fire": {"name": "Fire"}}', name) == (("id", "name"), [("fire", "Fire")])


def test_records_are_found_by_a_key(tmp_path: Path) -> None:
    """One list beside other things is it; of several game.toml names one, as it names a sheet."""
    assert rows_of(tmp_path, '{"version": 3, "cards": [{"a": "x"}]}', "c.json") == (("a",), [("x",)])

    two = '{"cards": [{"a": "x"}], "set": {"tiles": [{"b": "y"}]}, "dice": [{"c": "z"}]}'
    (fault,) = read(tmp_path, two, "c.json")[1]
    assert fault.rule == "unreadable-table" and "cards, dice" in fault.message
    assert rows_of(tmp_path, two, "c.json", "dice") == (("c",), [("z",)])
    assert rows_of(tmp_path, two, "c.json", "set.tiles") == (("b",), [("y",)])
    (fault,) = read(tmp_path, two, "c.json", "dices")[1]
    assert 'Did you mean "dice"?' in fault.message


def test_a_wrapped_list_is_unwrapped_and_told(tmp_path: Path) -> None:
    """As programs on the web hand out their records: it is no single card called "data"."""
    text, path = '{"ok": true, "data": {"page": {"all.cards": [{"a": "x"}, {"a": "y"}]}}}', "data.page.all.cards"
    grid, told = read(tmp_path, text, "c.json")

    assert grid is not None and (grid.header, [texts for _, texts in grid.rows]) == (("a",), [("x",), ("y",)])
    assert said(told) == [("records-within", "c.json", "warning")]
    assert f'sheet = "{path}"' in told[0].hint
    assert rows_of(tmp_path, text, "c.json", path) == (("a",), [("x",), ("y",)])


def test_records_that_hold_records_are_asked_about(tmp_path: Path) -> None:
    """A map of cards with two sides each, or of two kinds of cards: game.toml says which."""
    text = '{"fire": {"front": {"a": "x"}, "back": {"a": "y"}}, "ice": {"front": {"a": "z"}}}'

    (fault,) = read(tmp_path, text, "c.json")[1]
    assert fault.rule == "unreadable-table" and '"." for the whole' in fault.message
    assert rows_of(tmp_path, text, "c.json", ".")[0] == ("name", "front_a", "back_a")
    assert rows_of(tmp_path, text, "c.json", "fire")[1] == [("front", "x"), ("back", "y")]


def test_columns_of_one_length_are_a_table(tmp_path: Path) -> None:
    """As Squib writes what it has read of a workbook."""
    rows = rows_of(tmp_path, '{"name": ["Anna", "Bert"], "cost": [1, null]}', "c.json")
    assert rows == (("name", "cost"), [("Anna", "1"), ("Bert", "")])
    assert said(read(tmp_path, '{"name": ["Anna", "Bert"], "cost": [1]}', "c.json")[1])[0][0] == "unreadable-table"


@pytest.mark.parametrize(
    ("text", "name", "rule", "place"),
    [
        ("- a: 1\n- b\n", "c.yaml", "unreadable-table", "c.yaml"),
        ("- a: !python/object:os.system x\n", "c.yaml", "broken-records", "c.yaml:1"),
        ("- &x\n  a: *x\n", "c.yaml", "broken-records", "c.yaml:2"),
    ],
)
def test_wrong_records_are_told_at_their_line(tmp_path: Path, text: str, name: str, rule: str, place: str) -> None:
    """What is no JSON or YAML, has a key twice, or is no list of records."""
    assert said(read(tmp_path, text, name)[1]) == [(rule, place, "error")]


def test_aliases_are_followed(tmp_path: Path) -> None:
    """What cards have in common is written once; what a record says itself counts more."""
    text = "- &base\n  kind: town\n  cost: 1\n- <<: *base\n  cost: 2\n"

    assert rows_of(tmp_path, text, "c.yaml") == (("kind", "cost"), [("town", "1"), ("town", "2")])


# --- in a game ------------------------------------------------------------------------------------------


def test_a_file_that_hides_another_is_told(tiny: TinyProject) -> None:
    """An old export beside the workbook: which one is read is said, unless game.toml names it."""
    tiny.write("content/tiny/cards.xlsx", xlsx_of([["name", "text"], ["Cleo", "Swap."]]))

    problems = Problems()
    game = read_game(tiny.project, "tiny", problems)
    assert game is not None and [row.id for row in game.tables["cards"]] == ["anna", "bert"]
    assert said(list(problems)) == [("two-table-files", "content/tiny/cards.csv", "warning")]
    (told,) = problems
    assert "cards.xlsx" in told.message and 'file = "cards.csv"' in told.hint


@pytest.mark.parametrize("name", ["Market - Cards.csv", "Market - cards.xlsx", "cards (1).csv"])
def test_a_table_under_the_name_of_a_download_is_suggested(tiny: TinyProject, name: str) -> None:
    """Google Sheets names a file after the document and the sheet; what the message says to write is right."""
    data = (tiny.game / "cards.csv").read_bytes() if name.endswith("csv") else xlsx_of([["name", "text"], ["Anna", "x"]])
    (tiny.game / "cards.csv").unlink()
    tiny.write(f"content/tiny/{name}", data)

    problems = Problems()
    read_game(tiny.project, "tiny", problems)
    (fault,) = problems
    said = f'[table.cards] file = "{name}"'
    assert fault.rule == "missing-table" and fault.value == "cards.csv" and said in fault.hint

    tiny.write("content/tiny/game.toml", TINY_GAME + said.replace("] ", "]\n") + "\n")
    problems = Problems()
    assert read_game(tiny.project, "tiny", problems) is not None and not list(problems)


def test_a_table_that_is_not_fetched_yet_says_how(tiny: TinyProject) -> None:
    """An address in game.toml, and no file."""
    (tiny.game / "cards.csv").unlink()
    tiny.write("content/tiny/game.toml", TINY_GAME + '\n[table.cards]\naddress = "https://example.org/cards.csv"\n')

    problems = Problems()
    read_game(tiny.project, "tiny", problems)

    assert [(problem.rule, problem.hint) for problem in problems] == [("missing-table", "Type: pnp fetch tiny")]


def test_empty_cells_far_beside_a_table_are_no_columns(tmp_path: Path) -> None:
    """A sheet that was formatted to its edge, or a CSV that was filled up with commas, has as many columns as it fills."""
    book, sheet = book_of(["name", "text"], ["Anna", "Draw"])
    sheet.cell(1, 15_773, " ")
    book.save(tmp_path / "cards.xlsx")
    (tmp_path / "cards.csv").write_text(f"name,text{',' * 400}\nAnna,Draw{',' * 400}\n")

    for name in ("cards.xlsx", "cards.csv"):
        problems = Problems()
        grid = read_grid(tmp_path / name, name, None, problems)
        assert grid is not None and grid.header == ("name", "text") and grid.rows == ((2, ("Anna", "Draw")),)
        assert not list(problems)
