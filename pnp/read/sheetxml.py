"""What the XML of a workbook says that the reader of its values leaves out: errors, formulas, formats, merged cells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from pnp.read.rawtable import Marks, Square
from pnp.read.unpacked import TooLarge, column_number, walk_xml, whole

MOST_MARKS = 200_000
_DIGITS = "0123456789"
# Formats that a program has of itself: numbers, percent, and dates without a year or without a day.
_FORMATS = {2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%"}
_FORMATS |= {14: "d/m/yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 22: "d/m/yy h:mm"}
_SET_OFF = ("b", "i", "u", "strike", "vertAlign")
_BOLD = re.compile(r"bold|italic|oblique|[6-9]00")


@dataclass(slots=True)
class SheetXml:
    """Of one sheet: what is said of its cells, and the texts to take instead of their values."""

    marks: Marks = field(default_factory=Marks)
    texts: dict[Square, str] = field(default_factory=dict)

    def bound(self) -> None:
        """Raises TooLarge when there is too much of it."""
        marks = self.marks
        parts = (self.texts, marks.unvalued, marks.styled, marks.merged, marks.formats, marks.short_dates)
        if sum(map(len, parts)) > MOST_MARKS:
            raise TooLarge(f"more than {MOST_MARKS} cells of the table have errors, percents or other formats")


def sheet_xml(parts: Mapping[str, bytes], sheet: str) -> SheetXml:
    """What the parts of an XLSX or ODS say of a sheet. Raises ValueError, TooLarge."""
    made = SheetXml()
    if "content.xml" in parts:
        walk_xml(parts["content.xml"], _Ods(made, sheet))
        return made
    data, restarted = _xlsx_sheet(parts, sheet)
    if data is not None:
        seen = _Xlsx(made, _formats(parts), _styled_strings(parts))
        walk_xml(data, seen)
        if restarted and seen.formulas and len(seen.zeros) == len(seen.formulas):
            made.marks.unvalued.update(seen.zeros)
    return made


class _Rels:
    """Names and targets of what a workbook refers to, and whether it is to be worked out when it is opened."""

    def __init__(self) -> None:
        self.targets: dict[str, str] = {}
        self.sheets: dict[str, str] = {}
        self.restarted = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "Relationship":
            self.targets[attributes.get("Id", "")] = attributes.get("Target", "")
        elif name == "sheet":
            by = next((value for key, value in attributes.items() if key.rpartition("}")[2] == "id"), "")
            self.sheets[attributes.get("name", "")] = by
        elif name == "calcPr":
            self.restarted = attributes.get("fullCalcOnLoad") in ("1", "true")

    def text(self, letters: str) -> None:
        pass

    def end(self, name: str) -> None:
        pass


def _xlsx_sheet(parts: Mapping[str, bytes], sheet: str) -> tuple[bytes | None, bool]:
    """The part of a sheet, and whether whoever wrote the file left its formulas to be worked out."""
    seen = _Rels()
    for name in ("xl/workbook.xml", "xl/_rels/workbook.xml.rels"):
        if name in parts:
            walk_xml(parts[name], seen)
    target = seen.targets.get(seen.sheets.get(sheet, ""), "")
    path = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
    return parts.get(path), seen.restarted


class _Formats:
    """The format of each style of cells."""

    def __init__(self) -> None:
        self.codes: dict[int, str] = dict(_FORMATS)
        self.of_style: list[int] = []
        self._inside = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "numFmt":
            self.codes[whole(attributes.get("numFmtId"), 0)] = attributes.get("formatCode", "")
        elif name == "cellXfs":
            self._inside = True
        elif name == "xf" and self._inside:
            self.of_style.append(whole(attributes.get("numFmtId"), 0))

    def text(self, letters: str) -> None:
        pass

    def end(self, name: str) -> None:
        self._inside = self._inside and name != "cellXfs"


def _formats(parts: Mapping[str, bytes]) -> list[str]:
    seen = _Formats()
    if "xl/styles.xml" in parts:
        walk_xml(parts["xl/styles.xml"], seen)
    return [seen.codes.get(number, "") for number in seen.of_style]


class _Runs:
    """Whether a text has parts that are set off and parts that are not."""

    def __init__(self) -> None:
        self.plain = self.set_off = False
        self._now = self._words = False

    @property
    def mixed(self) -> bool:
        return self.plain and self.set_off

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "r":
            self._now = False
        elif name in _SET_OFF:
            self._now = self._now or attributes.get("val", "1") not in ("0", "false", "none", "baseline")
        elif name == "t":
            self._words = True

    def text(self, letters: str) -> None:
        if self._words and letters.strip():
            self.plain, self.set_off = self.plain or not self._now, self.set_off or self._now

    def end(self, name: str) -> None:
        if name == "t":
            self._words = False


class _Strings:
    """Which of the texts that cells refer to by number have parts that are set off."""

    def __init__(self) -> None:
        self.count, self.mixed = -1, set[int]()
        self._runs = _Runs()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "si":
            self.count, self._runs = self.count + 1, _Runs()
        self._runs.start(name, attributes)

    def text(self, letters: str) -> None:
        self._runs.text(letters)

    def end(self, name: str) -> None:
        self._runs.end(name)
        if name == "si" and self._runs.mixed:
            self.mixed.add(self.count)


def _styled_strings(parts: Mapping[str, bytes]) -> set[int]:
    seen = _Strings()
    if "xl/sharedStrings.xml" in parts:
        walk_xml(parts["xl/sharedStrings.xml"], seen)
    return seen.mixed


class _Xlsx:
    """The cells of a sheet."""

    def __init__(self, made: SheetXml, formats: list[str], styled: set[int]) -> None:
        self._made, self._formats, self._styled = made, formats, styled
        self.formulas: set[Square] = set()
        self.zeros: dict[Square, str] = {}
        self._row = self._column = 0
        self._square: Square = (0, 0)
        self._type = self._style = self._formula = self._value = self._open = ""
        self._runs = _Runs()
        self._calculated = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "row":
            self._row, self._column = whole(attributes.get("r"), self._row + 1), 0
            if attributes.get("hidden") in ("1", "true"):
                self._made.marks.hidden.add(self._row)
        elif name == "c":
            place = attributes.get("r", "")
            letters = place.rstrip(_DIGITS)
            self._column = column_number(letters) if letters else self._column + 1
            self._square = (whole(place[len(letters) :], self._row), self._column - 1)
            self._type, self._style = attributes.get("t", "n"), attributes.get("s", "")
            self._formula = self._value = ""
            self._calculated, self._runs = False, _Runs()
        elif name in ("f", "v"):
            self._open = name
            self._calculated = self._calculated or name == "f"
        elif name == "mergeCell":
            self._merge(attributes.get("ref", ""))
        self._runs.start(name, attributes)

    def text(self, letters: str) -> None:
        if self._open == "f":
            self._formula = (self._formula + letters)[:200]
        elif self._open == "v":
            self._value = (self._value + letters)[:40]
        self._runs.text(letters)

    def end(self, name: str) -> None:
        self._runs.end(name)
        if name == self._open:
            self._open = ""
        elif name == "c":
            self._cell()
            self._made.bound()

    def _cell(self) -> None:
        made, at = self._made, self._square
        formula = self._formula or "…"
        if self._calculated:
            self.formulas.add(at)
        if self._type == "e":
            made.texts[at] = self._value.strip() or "#VALUE!"
            if self._calculated:
                made.marks.formulas[at] = formula
        elif self._calculated and not self._value.strip() and self._type != "str":
            made.marks.unvalued[at] = formula
        elif self._type == "n":
            if self._calculated and self._value == "0":
                self.zeros[at] = formula
            self._format(at)
        elif self._runs.mixed or (self._type == "s" and whole(self._value.strip(), 0) in self._styled):
            made.marks.styled.add(at)

    def _format(self, at: Square) -> None:
        style = whole(self._style, 0)
        code = self._formats[style] if style < len(self._formats) else ""
        if not code or code == "General":
            return
        shown = shown_as(self._value, code)
        if shown is not None:
            self._made.texts[at] = shown
        elif short_date(code):
            self._made.marks.short_dates.add(at)
        elif self._value and (other := shown_otherwise(self._value, code)):
            self._made.marks.formats[at] = other

    def _merge(self, ref: str) -> None:
        corners = [re.fullmatch(r"\$?([A-Z]{1,3})\$?(\d{1,7})", corner) for corner in ref.split(":")]
        if len(corners) == 2 and corners[0] and corners[1]:
            first, last = ((int(found[2]), column_number(found[1]) - 1) for found in corners if found)
            self._made.marks.merged.append((first, last))
            self._made.bound()


def shown_as(value: str, code: str) -> str | None:
    """A number in percent, or with zeros before it, as its cell shows it; None for other formats."""
    plain = re.fullmatch(r"(0+)(?:\.(0+))?(%?)", code.strip())
    if plain is None or not (plain[3] or (len(plain[1]) > 1 and not plain[2])):
        return None
    try:
        number = Decimal(value) * (100 if plain[3] else 1)
        if number.copy_abs() > 10**15:
            return None
        # All that is stored is shown: 12.5 % with the format 0% stays 12.5 %.
        text = format(number.quantize(Decimal("1.000000")).normalize(), "f")
    except (InvalidOperation, ValueError):
        return None
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    return sign + digits.zfill(len(plain[1])) + plain[3]


def shown_otherwise(value: str, code: str) -> str:
    """How a format shows a number, where that is not what is read; nothing where it is, or is a date or a time."""
    first = code.partition(";")[0]
    plain = re.fullmatch(r"(#,##)?0(?:\.(0+))?", first)
    if plain is None:
        literal = re.search(r'"[^"]*[^\W\d_][^"]*"|\[\$[^\]-]|[€£$¥]', first)
        return code if literal and not set(re.sub(r'"[^"]*"|\[[^\]]*\]', "", first.lower())) & set("dmyhs") else ""
    try:
        number = Decimal(value)
        if number.copy_abs() > 10**15:
            return ""
        shown = format(number, f"{',' if plain[1] else ''}.{len(plain[2] or '')}f")
    except (InvalidOperation, ValueError):
        return ""
    return "" if Decimal(shown.replace(",", "")) == number and shown == format(number.normalize(), "f") else shown


def short_date(code: str) -> bool:
    """Whether a format shows a date without its year, its month or its day."""
    letters = set(re.sub(r'"[^"]*"|\[[^\]]*\]|\\.', "", code.lower()).partition(";")[0])
    return not letters & set("hs0#?") and bool(letters & set("dy")) and not {"d", "m", "y"} <= letters


class _Ods:
    """The cells of a sheet; what a cell shows stands in it beside its value."""

    def __init__(self, made: SheetXml, sheet: str) -> None:
        self._made, self._sheet = made, sheet
        self._row = self._column = 0
        self._times = self._across = 1
        self._inside = self._cell = self._hidden = False
        self._attributes: dict[str, str] = {}
        self._shown = self._style = ""
        self._set_off: set[str] = set()
        self._spans: list[bool] = []
        self._plain = self._marked = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        known = {key.rpartition("}")[2]: value for key, value in attributes.items()}
        if name == "style":
            self._style = known.get("name", "")
        elif name == "text-properties":
            if _BOLD.fullmatch(known.get("font-weight", "")) or _BOLD.fullmatch(known.get("font-style", "")):
                self._set_off.add(self._style)
        elif name == "table":
            self._inside, self._row = known.get("name") == self._sheet, 0
        elif not self._inside:
            return
        elif name == "table-row":
            self._times, self._column = max(1, whole(known.get("number-rows-repeated"), 1)), 0
            if known.get("visibility") in ("collapse", "filter") and self._times < MOST_MARKS:
                self._made.marks.hidden.update(range(self._row + 1, self._row + 1 + min(self._times, 1000)))
        elif name in ("table-cell", "covered-table-cell"):
            self._across = max(1, whole(known.get("number-columns-repeated"), 1))
            self._attributes, self._shown, self._cell = known, "", True
            if any(key.rpartition("}")[0].endswith("calcext:1.0") for key in attributes if key.endswith("}value-type")):
                self._attributes["error"] = next(
                    value for key, value in attributes.items() if key.endswith("calcext:1.0}value-type")
                )
            self._plain = self._marked = False
        elif name == "span":
            self._spans.append(known.get("style-name", "") in self._set_off)

    def text(self, letters: str) -> None:
        if self._cell:
            self._shown = (self._shown + letters)[:200]
            if letters.strip():
                off = any(self._spans)
                self._plain, self._marked = self._plain or not off, self._marked or off

    def end(self, name: str) -> None:
        if not self._inside:
            return
        if name == "table":
            self._inside = False
        elif name == "span" and self._spans:
            self._spans.pop()
        elif name in ("table-cell", "covered-table-cell"):
            self._cell = False
            if self._attributes:
                self._note()
            self._column += self._across
        elif name == "table-row":
            self._row += self._times

    def _note(self) -> None:
        made, known = self._made, self._attributes
        formula = known.get("formula", "").removeprefix("of:=").removeprefix("=")
        percent = known.get("value-type") == "percentage"
        error = known.get("error") == "error" or (formula and self._shown.startswith(("#", "Err:")))
        unvalued = formula and "value-type" not in known and not self._shown
        spanned = [max(1, whole(known.get(f"number-{way}-spanned"), 1)) for way in ("rows", "columns")]
        styled = self._plain and self._marked
        if spanned != [1, 1]:
            here = (self._row + 1, self._column)
            made.marks.merged.append((here, (here[0] + spanned[0] - 1, here[1] + spanned[1] - 1)))
        if not (error or percent or unvalued or styled):
            made.bound()
            return
        for row in range(self._row + 1, self._row + 1 + self._times):
            for at in range(self._column, self._column + self._across):
                if error or percent:
                    made.texts[row, at] = self._shown if error else self._shown.replace("\xa0", "").replace(" ", "")
                if error and formula:
                    made.marks.formulas[row, at] = formula
                if unvalued:
                    made.marks.unvalued[row, at] = formula
                if styled:
                    made.marks.styled.add((row, at))
                made.bound()
