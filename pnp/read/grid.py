"""Reads table files into a header and rows of text with their numbers in a spreadsheet program. Reports what should not
be printed: titles, remarks, sums, errors of formulas, mistaken dates.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pnp.dataclass import dataclass
from pnp.read.csvfile import (
    MOST_BYTES,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_ROWS,
    Line,
    Marks,
    RawTable,
    Source,
    Square,
    TooLarge,
    in_editor,
    read_csv,
    within_bounds,
)
from pnp.read.records import read_json, read_yaml
from pnp.values.problems import Place, Problems
from pnp.values.walk import grouped

# With one of these a row names columns: it is no card that has a title above it, and no remark.
_USUAL = {"id", "name", "title", "text", "copies", "count", "qty", "quantity", "type", "cost", "art", "description"}


def column_name(title: str) -> str:
    """A column's name in templates: "Home town" becomes home_town."""
    return "_".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", title).lower()))


def usual(texts: list[str]) -> bool:
    """Whether one of the texts is a usual column name."""
    return not _USUAL.isdisjoint(map(column_name, texts))


# As programs show them in English, German, French, Spanish, Italian and Portuguese; Err:502 is LibreOffice's.
_ERRORS = {
    *("#N/A", "#REF!", "#DIV/0!", "#NAME?", "#VALUE!", "#NUM!", "#NULL!", "#SPILL!", "#CALC!", "#FIELD!", "#BLOCKED!"),
    *("#BUSY!", "#CONNECT!", "#UNKNOWN!", "#GETTING_DATA", "#ERROR!", "Loading..."),
    *("#NV", "#BEZUG!", "#WERT!", "#ZAHL!", "#ÜBERLAUF!", "#N/D", "#N/D!", "#VALEUR!", "#NOMBRE!", "#NOM?", "#NUL!"),
    *("#¡REF!", "#¡VALOR!", "#¡NUM!", "#¡DIV/0!", "#¡NULO!", "#¿NOMBRE?", "#RIF!", "#VALORE!", "#NOME?", "#VALOR!"),
    *("#NÚM!", "#NULO!"),
}
_ERROR = re.compile(r"Err:\d{3}")
# "4-Mar", "Mar-04", "04. Mrz": what Excel makes of 3-4 and writes into a CSV.
_MONTH = (
    "jan|feb|fév|mar|mrz|mär|apr|avr|may|mai|jun|juin|jul|juil|aug|août|sep|sept|okt|oct|nov|dez|dec|déc|ene|abr|ago|dic"
)
_SHORT_DATE = re.compile(rf"(\d{{1,2}}[-.] ?({_MONTH})\.?|({_MONTH})\.?[- ]\d{{2}})", re.IGNORECASE)
MOST_NAMED = 8


def is_error(text: str) -> bool:
    """Whether a text is a spreadsheet's error value."""
    return (text.startswith(("#", "Err:", "Loading"))) and (text in _ERRORS or _ERROR.fullmatch(text) is not None)


def tell_errors(
    rows: Sequence[tuple[int, list[str]]], marks: Marks, shown: str, named: Mapping[int, str], problems: Problems
) -> None:
    """Reports errors in cells, and texts that a spreadsheet took for dates."""
    dates: dict[int, list[tuple[int, str]]] = {}
    for row, texts in rows:
        for at, text in enumerate(texts):
            if at not in named:
                continue
            if is_error(text):
                formula = marks.formulas.get((row, at), "")
                what = f"the spreadsheet has an error here, {text}" + (f", from the formula ={formula}" if formula else "")
                way = "Mend it in the spreadsheet, or empty the cell."
                problems.error("error-cell", Place(shown, row, named[at]), what, value=text, hint=way)
            elif text[:1].isalnum() and len(text) < 12 and _SHORT_DATE.fullmatch(text):
                dates.setdefault(at, []).append((row, text))
    for at, found in dates.items():
        message = f"{_named(found)}: spreadsheets make such dates of texts like 3-4 or 1/2"
        hint = "If a date is not meant, set the column to text in the spreadsheet and type it again."
        problems.warn("date-cell", Place(shown, found[0][0], named[at]), message, value=found[0][1], hint=hint)


def tell_marks(marks: Marks, head: Place, named: Mapping[int, str], rows: Sequence[int], problems: Problems) -> None:
    """Reports a workbook's remarkable cells: formulas, formats, what is hidden or struck out."""
    known = set(rows)

    def there(cells: Iterable[Square]) -> list[Square]:
        return sorted((row, at) for row, at in cells if row in known and at in named)

    def place(row: int, at: int) -> Place:
        # In the row of names a cell has no name yet.
        return Place(head.file, row, named.get(at, str(at + 1)))

    if marks.unread:
        message = f'the sheet "{marks.sheet}" is read, and nothing of the others: {", ".join(marks.unread)}'
        other = next(iter(marks.unread))
        hint = f'sheet = "{marks.sheet}" for this table in game.toml says that this is meant, sheet = "{other}" reads that.'
        problems.warn("unread-sheets", Place(head.file), message, value=marks.sheet, hint=hint)
    for (row, at), formula in sorted(marks.unvalued.items()):
        if row == head.row or (row > (head.row or 0) and at in named):
            message = f"the formula ={formula[:80]} has no value in the file, for no spreadsheet program has worked it out"
            hint = "Open the file in a spreadsheet program and save it once."
            problems.error("formula-without-value", place(row, at), message, value=f"={formula[:80]}", hint=hint)
    for row, at in there(marks.short_dates & marks.dates.keys()):
        text = marks.dates[row, at]
        message = (
            f"the spreadsheet has a date here, {text}, and shows but a part of it: "
            "that is what programs make of texts such as 3-4 or 1/2"
        )
        hint = "Set the column to text in the spreadsheet and type it again; or show the date with its year."
        problems.error("date-cell", place(row, at), message, value=text, hint=hint)
    for at, in_rows in grouped((at, row) for row, at in there(marks.dates.keys() - marks.short_dates)).items():
        text = marks.dates[in_rows[0], at]
        more = f"; so it is in {len(in_rows) - 1} more cells of the column" if len(in_rows) > 1 else ""
        message = f"the spreadsheet has a date here, read as {text}{more}"
        hint = "If another text is meant, set the column to text in the spreadsheet and type it again."
        problems.warn("date-cell", place(in_rows[0], at), message, value=text, hint=hint)
    for (top, left), (bottom, right) in marks.merged:
        first = next((at for at in range(left, min(right, max(named)) + 1) if at in named), None)
        if first is not None and (bottom in known or top in known):
            what = f"this cell was merged with others, to row {bottom} and column {right + 1}; only the first has the text"
            way = "Undo the merging in the spreadsheet, and write into each cell what belongs there."
            problems.error("merged-cells", place(top, first), what, hint=way)
    for at, in_rows in sorted(grouped((at, row) for row, at in there(marks.formats)).items()):
        how = marks.formats[in_rows[0], at][:60]
        message = f"the spreadsheet shows this number otherwise than it is read: {how}"
        hint = "Type it as text if it is to be printed so, or write what belongs to it into the template."
        problems.warn("number-format", place(in_rows[0], at), message, value=how, hint=hint)
    if hidden := sorted(marks.hidden & known):
        message = f"{_rows(hidden, 'is', 'are')} hidden in the spreadsheet, by hand or by a filter, and used as any other"
        hint = "Show all rows to see them; with copies = 0 a row is not printed."
        problems.warn("hidden-rows", Place(head.file, hidden[0]), message, hint=hint)
    if pictured := sorted(marks.pictures & known):
        message = f"{_rows(pictured, 'has', 'have')} a picture in the spreadsheet, and no picture is read from there"
        hint = "Save it in art/, called as the row, or by the name that a column art says."
        problems.warn("sheet-pictures", Place(head.file, pictured[0]), message, hint=hint)
    if struck := there(marks.struck):
        more = f"; so are {len(struck) - 1} more cells" if len(struck) > 1 else ""
        message = f"this cell is struck out in the spreadsheet, and used as any other{more}"
        hint = "Take it away, or undo the line through it; with copies = 0 a row is not printed."
        problems.warn("struck-cells", place(*struck[0]), message, hint=hint)
    if styled := there(marks.styled):
        more = f"; so it is in {len(styled) - 1} more cells" if len(styled) > 1 else ""
        message = f"a part of this text is bold, italic or otherwise set off in the spreadsheet, and plain for pnp{more}"
        problems.warn("styled-text", place(*styled[0]), message, hint="Write **bold** and *italic* into the text.")


def _named(found: Sequence[tuple[int, str]]) -> str:
    said = ", ".join(f'"{text}"' for _, text in found[:3])
    return said + (f" and {len(found) - 3} more" if len(found) > 3 else "")


# A total in the languages in which tables of games mostly are.
_TOTALS = {"total", "totals", "sum", "sums", "summe", "gesamt", "insgesamt", "somme", "suma", "soma", "totale", "totaal"}
_NUMBER = re.compile(r"\d{1,9}([.,]\d{1,6})?")
# What begins with # and is a text all the same.
_NO_REMARK = re.compile(r"#([0-9a-fA-F]{3,8}|\d.*)")


def without_remarks(lines: list[Line], shown: str, problems: Problems) -> list[Line]:
    """The lines without remarks marked with #; reports which."""
    head = next((line for line in lines if not line.texts[0].lstrip().startswith("#")), None)
    if head is None or max(_filled(line) for line in lines) < 2:
        return lines
    # Above the names of the columns a remark may have as many commas as these.
    above = lines[: lines.index(head)] if usual(head.texts) else []
    above = [line for line in above if not usual(line.texts)]
    remarks = [line for line in lines if line in above or _is_remark(line, len(head.texts))]
    left = {line.row for line in remarks}
    kept = [line for line in lines if line.row not in left]
    _tell_doubtful(kept, shown, problems)
    if not remarks:
        return lines
    message = f"{_rows([line.row for line in remarks], 'begins', 'begin')} with #: taken for a remark and left out"
    problems.warn("remark-row", Place(shown, remarks[0].row), message, value=remarks[0].texts[0].strip()[:80])
    return kept


def _tell_doubtful(lines: Sequence[Line], shown: str, problems: Problems) -> None:
    """Warns of rows whose name begins with #, which may be meant as remarks."""
    if not usual(lines[0].texts[:1]):
        return
    begun = [(line.row, line.texts[0].strip()) for line in lines[1:] if line.texts[0].lstrip().startswith("#")]
    doubtful = [row for row, text in begun if not is_error(text) and not _NO_REMARK.fullmatch(text)]
    if doubtful and 2 * len(doubtful) < len(lines):
        message = f"{_rows(doubtful, 'begins', 'begin')} with #, and cells beside it: used as any other row"
        problems.warn("remark-row", Place(shown, doubtful[0]), message, hint="With copies = 0 a row is not printed.")


def _is_remark(line: Line, cells: int) -> bool:
    text = line.texts[0].strip()
    if not text.startswith("#") or is_error(text) or _NO_REMARK.fullmatch(text):
        return False
    return _filled(line) == 1 or len(line.texts) != cells


def _filled(line: Line) -> int:
    return sum(bool(text.strip()) for text in line.texts)


def _rows(rows: Sequence[int], does: str, do: str) -> str:
    if len(rows) == 1:
        return f"this row {does}"
    more = f" and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else ""
    return f"{len(rows)} rows ({', '.join(map(str, rows[:MOST_NAMED]))}{more}) {do}"


def tell_stray_rows(
    header: Sequence[str],
    rows: Sequence[tuple[int, tuple[str, ...]]],
    counted: str,
    fillable: bool,
    shown: str,
    problems: Problems,
) -> set[int]:
    """Reports rows that would print blank pieces: a sum below the table, or copies alone. ``counted``: has copies.

    Which of them are refused comes back, so that no empty cell of theirs is told once more: all where a cell must be
    filled, ``fillable``.
    """
    if len(header) < 2:
        return set()
    at = header.index(counted)
    blank, sums = list[int](), set[int]()
    numbers = above = 0
    for index, (row, texts) in enumerate(rows):
        before, counts = (numbers, above), re.fullmatch(r"\d{1,9}", texts[at], re.ASCII)
        numbers, above = numbers + bool(counts), above + int(counts[0] if counts else 0)
        others = [text for other, text in enumerate(texts) if other != at and text]
        if not texts[at] or texts[at] == "0":
            continue
        words = [text for text in others if not _NUMBER.fullmatch(text)]
        called = bool(words) and all(text.casefold().rstrip(": ") in _TOTALS for text in words)
        last = not others and index == len(rows) - 1
        if (called or last) and before[0] > 1 and texts[at] == str(before[1]):
            sums.add(row)
            message = (
                f"the row has nothing but {texts[at]} copies, and that is the sum of the rows above: "
                "as a piece it would be printed blank"
            )
            hint = "Take the row away, or put the sum into another sheet. If it is a piece, give it a name."
            problems.error("total-row", Place(shown, row, counted), message, value=texts[at], hint=hint)
        elif not others:
            blank.append(row)
    if blank and fillable:
        message = f"{_rows(blank, 'has', 'have')} nothing but a number in {counted}: no piece can be made of that"
        hint = "Empty the cells if these are no pieces; else fill the others."
        problems.error("blank-row", Place(shown, blank[0]), message, hint=hint)
    elif blank:
        message = f"{_rows(blank, 'has', 'have')} nothing but a number in {counted}: pieces without a text are printed"
        problems.warn("blank-row", Place(shown, blank[0]), message, hint="Empty the cells if these are no pieces.")
    return sums.union(blank) if fillable else sums


def _read_spreadsheet(source: Source) -> RawTable:
    # What reads them takes as long to import as a table of text takes to read.
    from pnp.read.spreadsheets import read_spreadsheet

    return read_spreadsheet(source)


def sheet_names(path: Path) -> list[str]:
    """The sheets of a workbook in order; none of another file, nor of one that cannot be read."""
    if path.suffix.lower() not in WORKBOOKS:
        return []
    from pnp.read.spreadsheets import sheets_of

    try:
        return sheets_of(path)
    except (OSError, ValueError, TooLarge):
        return []


WORKBOOKS = (".xlsx", ".xlsm", ".ods", ".xls")
_READER = {
    **dict.fromkeys((".csv", ".tsv", ".tab"), read_csv),
    **dict.fromkeys(WORKBOOKS, _read_spreadsheet),
    ".json": read_json,
    **dict.fromkeys((".yaml", ".yml"), read_yaml),
}
SUFFIXES = tuple(_READER)
NAMED_AS_TABLE = re.compile(rf"(?i)(?:{'|'.join(map(re.escape, SUFFIXES))})\b")
"""In the name of a file that somebody may have meant for a table: cards.CSV, cards.csv.txt."""
_BLANK = " \t\r\n\f\v\u200b\u2060\ufeff"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as typed: its column names, then (row, texts) for each filled row."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    whole: bool = True
    """False when a row had to be left out."""
    titles: tuple[str, ...] = ()
    """The names of the columns as they stand in the file."""
    head: int = 1
    """The row that names the columns."""
    hidden: frozenset[str] = frozenset()
    """The columns that the spreadsheet hides."""


def read_grid(
    path: Path, shown: str, sheet: str | None, problems: Problems, header: int | None = None, suffix: str = ""
) -> Grid | None:
    """The cells of a table file; None, with a Problem, when it cannot be read.

    ``header`` is the row that names the columns, where game.toml says so; ``suffix`` how the file should end, where it
    ends otherwise.
    """
    suffix = suffix or path.suffix.lower()
    before = len(problems.errors)
    try:
        if suffix not in _READER:
            raise ValueError(f"pnp reads no file that ends in {suffix or 'nothing'}")
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"the file is larger than {MOST_BYTES // 1_000_000} MB")
        raw = _READER[suffix](Source(path, shown, sheet, problems))
        lines = within_bounds(raw.lines)
    except TooLarge as error:
        allowed = f"{MOST_ROWS} rows, {MOST_COLUMNS} columns, {MOST_CELLS} cells"
        problems.error("table-too-large", Place(shown), str(error), allowed=allowed)
        return None
    except (OSError, ValueError) as error:
        problems.unreadable = True
        again = suffix in WORKBOOKS or suffix not in _READER
        way = "Save it again from your spreadsheet program, as XLSX or as CSV UTF-8." if again else ""
        problems.error("unreadable-table", Place(shown), f"the table cannot be read: {error}", hint=way)
        return None
    if len(problems.errors) > before:
        return None
    if not (lines := without_remarks(lines, shown, problems)):
        hint = "The first row names the columns: id, name, copies …"
        problems.error("empty-table", Place(shown), "the table is empty", hint=hint)
        return None
    if (start := _header_at(lines, header, shown, problems)) is None:
        return None
    return _checked(shown, lines[start], lines[start + 1 :], raw, problems)


def _header_at(lines: Sequence[Line], asked: int | None, shown: str, problems: Problems) -> int | None:
    if asked is not None:
        if (at := next((at for at, line in enumerate(lines) if line.row == asked), None)) is None:
            message = "game.toml says that this row names the columns, and nothing is in it"
            hint = f"The first row with something in it is {lines[0].row}."
            problems.error("unsure-header", Place(shown, asked), message, value=str(asked), hint=hint)
        return at
    at = next((at for at, line in enumerate(lines) if _filled(line) > 1), 0)
    if at == 0:
        return 0
    row, names = lines[at].row, [column_name(text) for text in lines[at].texts if text.strip()]
    title = f'"{_first(lines[0])}"'
    certain = len(set(names)) == len(names) and usual(names) and not usual([_first(lines[0])])
    if certain:
        message = f"this row was taken for the names of the columns; what stands above it was left out: {title}"
        hint = f"header = {row} for this table in game.toml says so; header = {lines[0].row} says that the other one is."
        problems.warn("rows-above-header", Place(shown, row), message, hint=hint)
        return at
    if len(lines[0].texts) == 1:
        return 0
    message = f"{title} stands alone in the first row, and row {row} has {len(names)} cells: which one names the columns?"
    hint = f"Write header = {row} or header = {lines[0].row} for this table in game.toml."
    problems.error("unsure-header", Place(shown, lines[0].row), message, hint=hint)
    return None


def _first(line: Line) -> str:
    return next(text.strip() for text in line.texts if text.strip())[:60]


def _checked(shown: str, head: Line, lines: Sequence[Line], raw: RawTable, problems: Problems) -> Grid:
    width = max((at + 1 for at, text in enumerate(head.texts) if text.strip()), default=0)
    # In a sheet, or in a CSV that was filled up to a rectangle, what is beyond the last name stands beside the table.
    beside = not raw.parted or (len(head.texts) > width and all(len(line.texts) == len(head.texts) for line in lines))
    names = _names(shown, head, lines, width, beside, problems)
    rows: list[tuple[int, list[str]]] = []
    whole = True
    for line in lines:
        texts = [text.replace("\r\n", "\n").strip().strip(_BLANK) for text in line.texts]
        if beside:
            texts = texts[:width] + [""] * (width - len(texts))
        while len(texts) > width and not texts[-1]:
            texts.pop()
        if len(texts) != width:
            whole = False
            _tell_ragged(shown, line, len(texts), head.row, width, problems)
        elif any(texts):
            rows.append((line.row, texts))
    named = {at: name for at, name in enumerate(names) if name}
    told = len(problems.errors)
    tell_errors(rows, raw.marks, shown, named, problems)
    tell_marks(raw.marks, Place(shown, head.row), named, [row for row, _ in rows], problems)
    if raw.parted:
        _tell_marked(shown, lines, named, problems)
    # A row with such a cell is left out, so that nobody complains of the same cell once more.
    faulty = {problem.place.row for problem in problems.errors[told:]}
    return Grid(
        tuple(named.values()),
        tuple((row, tuple(texts[at] for at in named)) for row, texts in rows if row not in faulty),
        whole and not faulty,
        tuple(head.texts[at].strip() for at in named),
        head.row,
        frozenset(name for at, name in named.items() if at in raw.marks.hidden_columns),
    )


# Marks around a cell that a table does not know: word processors and telephones make them of straight ones.
_AROUND = re.compile(r"“.*[”“]|„.*[“”]|«.*»|».*«|‘.*’|'.*'", re.DOTALL)
# A mark behind a blank is a letter of its cell.
_BEHIND = re.compile(r'[ \t]+"')


def _tell_marked(shown: str, lines: Sequence[Line], named: Mapping[int, str], problems: Problems) -> None:
    """Warns of marks around cells that are printed: “Anna”,2,“Draw two.” where all words have them, and Anna, "Draw two"."""
    cells = [(line.row, at, text) for line in lines for at, text in enumerate(line.texts) if at in named and text.strip()]
    behind = [cell for cell in cells if _BEHIND.match(cell[2]) and re.fullmatch(r'"[^"]*"', cell[2].strip())]
    words = [cell for cell in cells if re.search(r"[^\W\d]", cell[2])]
    bent = len({at for _, at, _ in words}) > 1 and all(_AROUND.fullmatch(text.strip()) for *_, text in words)
    if not behind and not bent:
        return
    row, at, text = (behind or words)[0]
    more = f"; so they are in {len(behind or words) - 1} more cells" if len(behind or words) > 1 else ""
    message = f"the marks around {text.strip()[:40]} are printed{more}"
    hint = "Marks around a cell are straight ones, without a blank before them; without a comma in it a cell needs none."
    problems.warn("stray-marks", Place(shown, row, named[at]), message, value=text.strip()[:80], hint=hint)


def _tell_ragged(shown: str, line: Line, cells: int, head: int, width: int, problems: Problems) -> None:
    naming = "the first row" if head == 1 else f"row {head}"
    message = f"the row{in_editor(line.row, line.line)} has {cells} cell{'s' * (cells != 1)}, {naming} names {width} columns"
    bent = next((mark for text in line.texts for mark in text.strip()[:1] if mark in "“”„«"), "")
    hint = (
        f'A cell begins with {bent}: marks around a cell are straight ones, "hand, or foot".'
        if cells > width and bent
        else "Take away the blank before the quotation mark: there a mark is a letter."
        if cells > width and any(map(_BEHIND.match, line.texts))
        else 'A comma inside a text needs quotation marks around the cell: "hand, or foot".'
        if cells > width
        else "An empty cell needs its comma too."
    )
    problems.error("ragged-row", Place(shown, line.row), message, value=str(cells), allowed=str(width), hint=hint)


def _names(shown: str, head: Line, lines: Sequence[Line], width: int, beside: bool, problems: Problems) -> list[str]:
    names: list[str] = []
    furthest = max((len(line.texts) for line in lines), default=0) if beside else 0
    for at in range(max(width, furthest)):
        title = head.texts[at].strip() if at < width else ""
        name = column_name(title) or (f"column_{at + 1}" if title else "")
        place = Place(shown, head.row, name or str(at + 1))
        if name and name in names:
            first = head.texts[names.index(name)].strip()
            said = "" if first == title == name else f': "{first}" and "{title}"'
            hint = "The first row names the columns; this one looks like a row of values." if title.isdecimal() else ""
            problems.error("double-column", place, f'two columns are named "{name}"{said}', value=name, hint=hint)
        elif not name:
            _tell_unnamed(place, at, lines, at < width, problems)
        names.append(name)
    return names[:width]


def _tell_unnamed(place: Place, at: int, lines: Sequence[Line], within: bool, problems: Problems) -> None:
    filled = [line for line in lines if line.texts[at : at + 1] and line.texts[at].strip()]
    if not filled:
        return
    said = f'"{filled[0].texts[at].strip()[:40]}" in row {filled[0].row}'
    if within:
        message = f"column {at + 1} has no name in the row of names, and there is {said}"
        problems.error("unnamed-column", place, message, hint="Give it a name, or empty it.")
    else:
        message = f"column {at + 1}, beside the table, has no name and was left out: {said}"
        problems.warn("unnamed-column", place, message, hint="Give it a name if it belongs to the table.")
