"""Tables from strangers: bombs and tables without end are refused in a sentence, soon, and with little memory."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

import pytest
from commands import run
from conftest import TinyProject
from limits import bounded

from pnp.read.csvfile import TooLarge
from pnp.read.grid import MOST_CELLS, MOST_COLUMNS, Grid, read_grid
from pnp.read.spreadsheets import sheet_xml, unpacked
from pnp.values.problems import Problems

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OASIS = "urn:oasis:names:tc:opendocument:xmlns"
RELATED = (
    f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{OFFICE}/%s" Target="%s"/></Relationships>'
)


def zipped(parts: dict[str, bytes | Iterable[bytes]], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A packed file; what is long comes in pieces."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", how, compresslevel=1) as packed:
        for name, data in parts.items():
            with packed.open(name, "w", force_zip64=True) as part:
                for piece in [data] if isinstance(data, bytes) else data:
                    part.write(piece)
    return file.getvalue()


def xlsx(rows: str | Iterable[str], strings: str = "", before: str = "") -> bytes:
    """A workbook of one sheet, written by hand as no program would."""
    pieces = [rows] if isinstance(rows, str) else rows

    def sheet() -> Iterable[bytes]:
        yield f'{before}<worksheet xmlns="{MAIN}"><sheetData>'.encode()
        waiting = iter(pieces)
        while some := list(islice(waiting, 10_000)):
            yield "".join(some).encode()
        yield b"</sheetData></worksheet>"

    parts: dict[str, bytes | Iterable[bytes]] = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"/>'.encode(),
        "_rels/.rels": (RELATED % ("officeDocument", "xl/workbook.xml")).encode(),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="r1"/>'
        "</sheets></workbook>".encode(),
        "xl/_rels/workbook.xml.rels": (RELATED % ("worksheet", "worksheets/sheet1.xml")).encode(),
        "xl/worksheets/sheet1.xml": sheet(),
    }
    if strings:
        parts["xl/sharedStrings.xml"] = f'<sst xmlns="{MAIN}">{strings}</sst>'.encode()
    return zipped(parts)


def cell(place: str, text: str = "x") -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def ods(rows: str) -> bytes:
    """An OpenDocument sheet, written by hand."""
    spaces = " ".join(f'xmlns:{name}="{OASIS}:{name}:1.0"' for name in ("office", "table", "text"))
    content = (
        f"<office:document-content {spaces}><office:body><office:spreadsheet><table:table table:name='S'>{rows}"
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    manifest = f'<m:manifest xmlns:m="{OASIS}:manifest:1.0"/>'.encode()
    kind = b"application/vnd.oasis.opendocument.spreadsheet"
    return zipped({"mimetype": kind, "META-INF/manifest.xml": manifest, "content.xml": content.encode()})


def box(text: str = "x", more: str = "") -> str:
    return f'<table:table-cell office:value-type="string" {more}><text:p>{text}</text:p></table:table-cell>'


def spaces(number: int) -> str:
    return f'<text:s text:c="{number}"/>'


def holding(kind: str, value: str, more: str = "") -> str:
    """A cell whose value is in an attribute, as programs write what they calculate."""
    return f'<table:table-cell office:value-type="{kind}" office:{kind}-value="{value}" {more}/>'


def line(*boxes: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(boxes)}</table:table-row>"


def lying(data: bytes) -> bytes:
    """The same packed file, whose directory says that every part is a hundred bytes long."""
    made = bytearray(data)
    for mark, at in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        start = made.find(mark)
        while start >= 0:
            made[start + at : start + at + 4] = struct.pack("<I", 100)
            start = made.find(mark, start + 4)
    return bytes(made)


HEAD = line(box("id"), box("name"))
LAUGHS = '<!DOCTYPE w [<!ENTITY a "haha"><!ENTITY b "&a;&a;"><!ENTITY c "&b;&b;">]>'
REPEATED = 'table:number-{}-repeated="{}"'
TABLES: dict[str, tuple[str, Callable[[], bytes]]] = {
    # CSV
    "rows without end": ("cards.csv", lambda: b"id,name\n" + b"a,b\n" * 1_000_000),
    "columns without end": ("cards.csv", lambda: b",".join(b"c%d" % n for n in range(100_000)) + b"\n"),
    "a row of commas": ("cards.csv", lambda: b"id,name\n" + b"," * 31_000_000),
    "a quotation without end": ("cards.csv", lambda: b'id,name\n"' + b"x" * 31_000_000),
    "bytes that are nothing": ("cards.csv", lambda: bytes(31_000_000)),
    "a cell at the end of the world": (
        "cards.xlsx",
        lambda: xlsx(f"<row>{cell('A1')}</row><row>{cell('XFD1048576')}</row>"),
    ),
    "a row far away": (
        "cards.xlsx",
        lambda: xlsx(f"<row>{cell('A1')}</row><row r='1048576'><c><v>1</v></c>{'<c/>' * 999}<c><v>1</v></c></row>"),
    ),
    "a cell in small letters": ("cards.xlsx", lambda: xlsx(f"<row>{cell('a1')}{cell('xfd1048576')}</row>")),
    "a text of 200 MB": (
        "cards.xlsx",
        lambda: xlsx(["<row><c t='inlineStr'><is><t>", *["x" * 1_000_000] * 200, "</t></is></c></row>"]),
    ),
    "a million rows without numbers": ("cards.xlsx", lambda: xlsx("<row><c><v>1</v></c></row>" for _ in range(1_000_000))),
    "one row of empty cells": ("cards.xlsx", lambda: xlsx(["<row>", *["<c/>" * 100_000] * 150, "</row>"])),
    "one text again and again": (
        "cards.xlsx",
        lambda: xlsx(("<row><c t='s'><v>0</v></c></row>" for _ in range(90_000)), f"<si><t>{'x' * 1_000_000}</t></si>"),
    ),
    "laughs": ("cards.xlsx", lambda: xlsx(f"<row>{cell('A1', '&c;')}</row>", before=LAUGHS)),
    "a directory that lies": (
        "cards.xlsx",
        lambda: lying(xlsx(["<row><c t='inlineStr'><is><t>", *["x" * 1_000_000] * 200, "</t></is></c></row>"])),
    ),
    "a binary workbook": ("cards.xlsx", lambda: zipped({"xl/workbook.bin": b"x" * 1000})),
    # ODS
    "a cell repeated": ("cards.ods", lambda: ods(HEAD + line(box(more=REPEATED.format("columns", 10**9))))),
    "a row repeated": ("cards.ods", lambda: ods(HEAD + line(box(), box(), more=REPEATED.format("rows", 10**9)))),
    "a long text repeated": (
        "cards.ods",
        lambda: ods(HEAD + line(box("x" * 100_000), box(), more=REPEATED.format("rows", 90_000))),
    ),
    "a truth repeated": (
        "cards.ods",
        lambda: ods(
            HEAD + line(holding("boolean", "true", REPEATED.format("columns", 16384)), more=REPEATED.format("rows", 10**6))
        ),
    ),
    "spaces without end": ("cards.ods", lambda: ods(HEAD + line(box(spaces(10**9)), box()))),
    "line ends repeated": (
        "cards.ods",
        lambda: ods(HEAD + line(box("</text:p><text:p>" * 100_000), box(), more=REPEATED.format("rows", 90_000))),
    ),
}


def read(folder: Path, name: str, data: bytes) -> tuple[Grid | None, Problems]:
    """What is read of a table file, and what is wrong with it."""
    (folder / name).write_bytes(data)
    problems = Problems()
    return read_grid(folder / name, name, None, problems), problems


AT_LENGTH = ("rows without end", "a million rows without numbers", "one row of empty cells")


@pytest.mark.parametrize(
    ("name", "made"),
    [
        pytest.param(*table, id=what, marks=[pytest.mark.at_length] if what in AT_LENGTH else [])
        for what, table in TABLES.items()
    ],
)
def test_a_table_without_bounds_is_refused(tmp_path: Path, name: str, made: Callable[[], bytes]) -> None:
    """In one sentence that names the file, within seconds, and the memory stays free."""
    data = made()
    with bounded():
        grid, problems = read(tmp_path, name, data)

    (problem,) = problems
    assert grid is None
    assert problem.rule in ("table-too-large", "unreadable-table", "broken-csv", "nul-byte")
    assert problem.place.file == name
    assert "root:" not in str(problem)
    assert len(str(problem)) < 600


# A thousand letters each: 999 and the end of their line, or a thousand in an attribute. So many more make 64 millions.
THOUSAND = box("x" * 999)
REPEATS: dict[str, Callable[[], str]] = {
    "columns": lambda: line(box("x" * 999, REPEATED.format("columns", 64_000))),
    "rows": lambda: line(THOUSAND, more=REPEATED.format("rows", 64_000)),
    "spaces": lambda: line(box("x" + spaces(63_999_998))),
    "line ends": lambda: line(box("</text:p><text:p>" * 999), more=REPEATED.format("rows", 64_000)),
}


@pytest.mark.parametrize("rows", REPEATS.values(), ids=REPEATS)
def test_letters_count_however_they_are_repeated(tmp_path: Path, rows: Callable[[], str]) -> None:
    """A sheet says a text once and means it a thousand times: 64 million letters are the most, and one more is refused."""
    file = tmp_path / "cards.ods"
    file.write_bytes(ods(rows()))
    sheet_xml(unpacked(file), None)

    file.write_bytes(ods(rows() + line(holding("string", "x"))))
    with pytest.raises(TooLarge, match="more than 64 million letters"):
        sheet_xml(unpacked(file), None)


def test_a_cell_of_many_parts_is_soon_read(tmp_path: Path) -> None:
    """A cell of 300,000 line ends: what is in an element that somebody holds, lxml gives up in quadratic time."""
    file = tmp_path / "cards.ods"
    file.write_bytes(ods(line(box("<text:line-break/>" * 300_000))))

    with bounded(seconds=1):
        sheet_xml(unpacked(file), None)


def test_texts_that_many_cells_share_count_in_each(tmp_path: Path) -> None:
    """A workbook keeps each text once: 64 cells with a million letters are the most, and one with one letter too many."""
    file = tmp_path / "cards.xlsx"
    cells, texts = 64 * "<c t='s'><v>0</v></c>", f"<si><t>{'x' * 1_000_000}</t></si><si><t>x</t></si>"
    file.write_bytes(xlsx(f"<row>{cells}</row>", texts))
    sheet_xml(unpacked(file), None)

    file.write_bytes(xlsx(f"<row>{cells}<c t='s'><v>1</v></c></row>", texts))
    with pytest.raises(TooLarge, match="more than 64 million letters"):
        sheet_xml(unpacked(file), None)


@pytest.mark.parametrize(("rows", "columns", "goes"), [(120_001, 1, False), (40_000, 100, True), (40_001, 100, False)])
def test_a_sheet_is_no_larger_than_it_may_be(tmp_path: Path, rows: int, columns: int, goes: bool) -> None:
    """120 000 rows and 4 million squares from the first to the last that is filled, empty ones among them."""
    far = line(box("", REPEATED.format("columns", columns)))
    filled = line(box("x"), more=REPEATED.format("rows", rows - 1))
    empty = line("<table:table-cell/>", more=REPEATED.format("rows", rows - 1))
    letters = {1: "A", 100: "CV", 101: "CW"}[columns]
    for name, data in {
        "filled.ods": ods(filled + far),
        "empty.ods": ods(empty + far),
        "far.xlsx": xlsx(f"<row>{cell('A1')}{cell(f'{letters}{rows}')}</row>"),
    }.items():
        (tmp_path / name).write_bytes(data)
        if goes:
            sheet_xml(unpacked(tmp_path / name), None)
        else:
            with pytest.raises(TooLarge, match=f"{rows} rows and {columns} columns"):
                sheet_xml(unpacked(tmp_path / name), None)


@pytest.mark.at_length
def test_a_packed_file_has_no_more_in_it_than_it_may(tmp_path: Path) -> None:
    """64 MB in all that a table is read from, 2 million elements in a part; with one more it is refused."""
    file = tmp_path / "cards.xlsx"
    file.write_bytes(zipped({"a.xml": bytes(32_000_000), "b.png": b"xy", "b.rels": bytes(32_000_000)}))
    sheet_xml(unpacked(file), None)
    file.write_bytes(zipped({"a.xml": bytes(32_000_000), "b.rels": bytes(32_000_001)}))
    with pytest.raises(ValueError, match="more than 64 MB"):
        sheet_xml(unpacked(file), None)

    for more, goes in (("", True), ("<c/>", False)):
        file.write_bytes(zipped({"a.xml": f"<sheetData>{'<c/>' * 1_999_999}{more}</sheetData>".encode()}))
        if goes:
            sheet_xml(unpacked(file), None)
        else:
            with pytest.raises(TooLarge, match="more than 2 million parts"):
                sheet_xml(unpacked(file), None)


def test_the_largest_table_is_read(tmp_path: Path) -> None:
    """As many rows and columns as are allowed go through, from a CSV as from a spreadsheet."""
    rows = 20_000
    header = ",".join(f"c{n}" for n in range(MOST_CELLS // (rows + 1)))
    wide = (header + "\n" + ("x" + "," * header.count(",") + "\n") * rows).encode()
    with bounded():
        grid, problems = read(tmp_path, "cards.csv", wide)
    assert (grid and len(grid.rows), list(problems)) == (rows, [])

    with bounded():
        head = ",".join(f"c{n}" for n in range(MOST_COLUMNS))
        grid, problems = read(tmp_path, "c.csv", f"{head}\n".encode() + b"x," * 255 + b"x")
    assert (grid and len(grid.header), list(problems)) == (MOST_COLUMNS, [])

    with bounded():
        book = xlsx(f"<row>{cell(f'A{n}', f'a{n}')}{cell(f'B{n}')}</row>" for n in range(1, rows))
        grid, problems = read(tmp_path, "cards.xlsx", book)
    assert (grid and len(grid.rows), list(problems)) == (rows - 2, [])


def test_empty_rows_to_the_end_of_the_sheet_are_no_attack(tmp_path: Path) -> None:
    """Programs repeat an empty row to the last one there is, and format empty cells."""
    rest = line('<table:table-cell table:number-columns-repeated="16384"/>', more=REPEATED.format("rows", 1_048_570))
    grid, problems = read(tmp_path, "cards.ods", ods(HEAD + line(box("a"), box("b")) + rest))
    assert (grid and grid.rows, list(problems)) == (((2, ("a", "b")),), [])

    formatted = '<row r="1048576"><c r="XFD1048576" s="1"/></row>'
    book = xlsx(f"<row>{cell('A1', 'id')}</row><row>{cell('A2', 'a')}</row>{formatted}")
    grid, problems = read(tmp_path, "cards.xlsx", book)
    assert (grid and grid.rows, list(problems)) == (((2, ("a",)),), [])


def test_a_bomb_in_a_game_leaves_what_was_built(tiny: TinyProject) -> None:
    """The whole command: one problem, a code, and the good files of yesterday byte for byte."""
    assert run("build", "tiny", "--paper", "a4", at=tiny.project.root).code == 0
    output = tiny.project.root / "output"
    before = {path: path.read_bytes() for path in output.rglob("*") if path.is_file()}
    (tiny.game / "cards.csv").unlink()
    tiny.write("content/tiny/cards.xlsx", TABLES["a cell at the end of the world"][1]())

    with bounded():
        left = run("build", "tiny", "--paper", "a4", "--json", at=tiny.project.root)

    assert left.code in (1, 3)
    assert [problem["rule"] for problem in left.problems] == ["table-too-large"]
    assert {path: path.read_bytes() for path in output.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("copies", [10**9, 10**30, "9" * 5000, "1e9", "-1", "٣", "0x10"])
def test_copies_without_end_are_refused(tiny: TinyProject, copies: object) -> None:
    """Nobody prints a thousand million of a card."""
    tiny.write("content/tiny/cards.csv", f"name,text,copies\nAnna,Draw.,{copies}\nBert,Pass.,1\n")
    with bounded():
        left = run("check", "tiny", "--json", "--no-draw", at=tiny.project.root)

    assert left.code == 1
    assert [(problem["rule"], problem["row"], problem["column"]) for problem in left.problems] == [
        ("bad-copies", 2, "copies")
    ]


def test_copies_of_many_are_counted_together(tiny: TinyProject) -> None:
    """A thousand of a card may be wanted, but not a thousand of each of thousands: nothing of that is laid out."""
    rows = "".join(f"Card {number},Draw.,1000\n" for number in range(20_000))
    tiny.write("content/tiny/cards.csv", f"name,text,copies\n{rows}")
    with bounded():
        left = run("build", "tiny", "--json", at=tiny.project.root)

    assert left.code == 1
    assert [(problem["rule"], problem["value"]) for problem in left.problems] == [("too-many-pieces", "20000000")]
    assert not (tiny.project.root / "output").exists()


LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{one}: &{one} [{', '.join(['*' + before] * 10)}]\n" for before, one in zip("abcdefgh", "bcdefghi", strict=True)
)
RECORDS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "lists in lists": ("c.json", lambda: b"[" * 4_000_000),
    "records in records": ("c.json", lambda: b'{"a":' * 1_000_000),
    "a million small lists": ("c.json", lambda: b"[" + b"[]," * 2_000_000 + b"[]]"),
    "other keys in each record": ("c.json", lambda: b"[" + b",".join(b'{"k%d":1}' % n for n in range(90_000)) + b"]"),
    "a number of a million digits": ("c.json", lambda: b'[{"a":' + b"1" * 1_000_000 + b"}"),
    "laughs": ("c.yaml", lambda: f"- z: 1\n- {{{LAUGHS.replace(chr(10), ', ')} y: 2}}\n".encode()),
    "one text again and again": ("c.yaml", lambda: b"- a: &a '" + b"x" * 1_000_000 + b"'\n" + b"- a: *a\n" * 90_000),
    "records merged again and again": (
        "c.yaml",
        lambda: b"- &a {" + b", ".join(b"k%d: 1" % n for n in range(200)) + b"}\n" + b"- <<: *a\n" * 90_000,
    ),
    "an old workbook larger than any": ("c.xls", lambda: bytes(9_000_000)),
}


@pytest.mark.parametrize(("name", "made"), RECORDS.values(), ids=RECORDS)
def test_records_without_bounds_are_refused(tmp_path: Path, name: str, made: Callable[[], bytes]) -> None:
    """Depth, aliases of aliases, keys without end: in one sentence, within seconds, and the memory stays free."""
    data = made()
    with bounded():
        grid, problems = read(tmp_path, name, data)

    (problem,) = problems
    assert grid is None
    assert problem.rule in ("table-too-large", "unreadable-table", "broken-records")
    assert len(str(problem)) < 600


def old_workbook(cells: Iterable[tuple[int, int]]) -> bytes:
    """An XLS with a text in each of the cells."""
    import xlwt

    book = xlwt.Workbook()
    sheet = book.add_sheet("S")
    for row, column in cells:
        sheet.write(row, column, "x")
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def test_an_old_workbook_is_no_larger_than_it_may_be(tmp_path: Path) -> None:
    """Cells at the end of each row of the sheet: sixteen million squares."""
    data = old_workbook((row, 255) for row in range(0, 65536, 2))
    with bounded():
        grid, (problem,) = read(tmp_path, "cards.xls", data)

    assert grid is None and problem.rule == "table-too-large"


def test_a_damaged_old_workbook_never_raises(tmp_path: Path) -> None:
    """Whichever of its bytes are others: it is a table, or something is told."""
    whole = old_workbook((row, column) for row in range(3) for column in range(3))
    for at in range(0, len(whole), 7):
        data = bytearray(whole)
        data[at] ^= 0xFF
        grid, problems = read(tmp_path, "cards.xls", bytes(data))
        assert grid is not None or problems.errors
