"""Cells of which a person would not print what is in them: errors of formulas, dates that were none, merged cells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set

from pnp.read.rawtable import Marks
from pnp.values.problems import Place, Problems

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
    """Whether a text is what a spreadsheet shows where a formula has no value."""
    return (text.startswith(("#", "Err:", "Loading"))) and (text in _ERRORS or _ERROR.fullmatch(text) is not None)


def tell_errors(
    rows: Sequence[tuple[int, list[str]]], marks: Marks, shown: str, named: Mapping[int, str], problems: Problems
) -> None:
    """Errors in cells, and texts that were no dates when they were typed."""
    dates: dict[int, list[tuple[int, str]]] = {}
    for row, texts in rows:
        for at, text in enumerate(texts):
            if at not in named:
                continue
            if is_error(text):
                formula = marks.formulas.get((row, at), "")
                problems.error(
                    "error-cell",
                    Place(shown, row, named[at]),
                    f"the spreadsheet has an error here, {text}" + (f", from the formula ={formula}" if formula else ""),
                    value=text,
                    hint="Mend it in the spreadsheet, or empty the cell.",
                )
            elif text[:1].isalnum() and len(text) < 12 and _SHORT_DATE.fullmatch(text):
                dates.setdefault(at, []).append((row, text))
    for at, found in dates.items():
        problems.warn(
            "date-cell",
            Place(shown, found[0][0], named[at]),
            f"{_named(found)}: spreadsheets make such dates of texts like 3-4 or 1/2",
            value=found[0][1],
            hint="If a date is not meant, set the column to text in the spreadsheet and type it again.",
        )


def tell_marks(marks: Marks, head: Place, named: Mapping[int, str], rows: Sequence[int], problems: Problems) -> None:
    """What a workbook says of the cells of the table, and a person would want to know."""
    known = set(rows)
    if marks.unread:
        problems.warn(
            "unread-sheets",
            Place(head.file),
            f'the sheet "{marks.sheet}" is read, and nothing of the others: {", ".join(marks.unread)}',
            value=marks.sheet,
            hint=f'sheet = "{marks.sheet}" for this table in game.toml says that this is meant.',
        )
    for (row, at), formula in sorted(marks.unvalued.items()):
        # In the row of names such a cell has no name yet.
        if row == head.row or (row > (head.row or 0) and at in named):
            problems.error(
                "formula-without-value",
                Place(head.file, row, named.get(at, str(at + 1))),
                f"the formula ={formula[:80]} has no value in the file, for no spreadsheet program has worked it out",
                value=f"={formula[:80]}",
                hint="Open the file in a spreadsheet program and save it once.",
            )
    _tell_dates(marks, head.file, named, known, problems)
    for (top, left), (bottom, right) in marks.merged:
        if (bottom in known or top in known) and any(at in named for at in range(left, min(right, max(named)) + 1)):
            at = next(at for at in range(left, right + 1) if at in named)
            problems.error(
                "merged-cells",
                Place(head.file, top, named[at]),
                f"this cell was merged with others, to row {bottom} and column {right + 1}; only the first has the text",
                hint="Undo the merging in the spreadsheet, and write into each cell what belongs there.",
            )
    shown: dict[int, tuple[int, str]] = {}
    for (row, at), how in sorted(marks.formats.items(), reverse=True):
        if row in known and at in named:
            shown[at] = (row, how)
    for at, (row, how) in sorted(shown.items()):
        problems.warn(
            "number-format",
            Place(head.file, row, named[at]),
            f"the spreadsheet shows this number otherwise than it is read: {how[:60]}",
            value=how[:60],
            hint="Type it as text if it is to be printed so, or write what belongs to it into the template.",
        )
    hidden = sorted(marks.hidden & known)
    if hidden:
        problems.warn(
            "hidden-rows",
            Place(head.file, hidden[0]),
            f"{_listed(hidden)} hidden in the spreadsheet, by hand or by a filter, and used as any other",
            hint="Show all rows to see them; with copies = 0 a row is not printed.",
        )
    styled = sorted((row, at) for row, at in marks.styled if row in known and at in named)
    if styled:
        row, at = styled[0]
        problems.warn(
            "styled-text",
            Place(head.file, row, named[at]),
            "a part of this text is bold, italic or otherwise set off in the spreadsheet, and plain for pnp"
            + (f"; so it is in {len(styled) - 1} more cells" if len(styled) > 1 else ""),
            hint="Write **bold** and *italic* into the text.",
        )


def _tell_dates(marks: Marks, file: str, named: Mapping[int, str], known: Set[int], problems: Problems) -> None:
    full: dict[int, list[tuple[int, str]]] = {}
    for (row, at), text in sorted(marks.dates.items()):
        if row not in known or at not in named:
            continue
        if (row, at) in marks.short_dates:
            problems.error(
                "date-cell",
                Place(file, row, named[at]),
                f"the spreadsheet has a date here, {text}, and shows but a part of it: "
                "that is what programs make of texts such as 3-4 or 1/2",
                value=text,
                hint="Set the column to text in the spreadsheet and type it again; or show the date with its year.",
            )
        else:
            full.setdefault(at, []).append((row, text))
    for at, found in full.items():
        problems.warn(
            "date-cell",
            Place(file, found[0][0], named[at]),
            f"the spreadsheet has a date here, read as {found[0][1]}"
            + (f"; so it is in {len(found) - 1} more cells of the column" if len(found) > 1 else ""),
            value=found[0][1],
            hint="If another text is meant, set the column to text in the spreadsheet and type it again.",
        )


def _named(found: Sequence[tuple[int, str]]) -> str:
    said = ", ".join(f'"{text}"' for _, text in found[:3])
    return said + (f" and {len(found) - 3} more" if len(found) > 3 else "")


def _listed(rows: Sequence[int]) -> str:
    """Rows of a sheet, named in a sentence with what is said of them."""
    if len(rows) == 1:
        return "this row is"
    more = f" and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else ""
    return f"{len(rows)} rows ({', '.join(map(str, rows[:MOST_NAMED]))}{more}) are"
