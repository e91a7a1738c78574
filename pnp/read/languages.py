"""``languages/de.csv`` of a game → :class:`pnp.values.languages.Catalogue`; which languages there are, and which codes.

The columns are those of Weblate's monolingual CSV. Rows are counted as a spreadsheet shows them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pnp.system.paths import file_within
from pnp.values.languages import COLUMNS, FOLDER, Catalogue, Entry
from pnp.values.problems import Place, Problems, closest, listed

NEEDED = COLUMNS[:3]
MOST_BYTES = 20_000_000
_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_YES, _NO = ("true", "yes", "1", "x", "fuzzy"), ("", "false", "no", "0")
_STRAY = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ue000-\ue003]")


def languages_of(folder: Path) -> list[str]:
    """The codes of the languages that a game has files for, in alphabetical order."""
    return sorted(path.stem for path in (folder / FOLDER).glob("*.csv"))


def catalogue_file(folder: Path, language: str) -> Path:
    return folder / FOLDER / f"{language}.csv"


@cache
def language_fault(code: str) -> tuple[str, str]:
    """What is wrong with the code of a language, and a hint; nothing where it is one."""
    if not _CODE.fullmatch(code):
        return f'"{code}" is not written like the code of a language', "Write de, pt-BR or zh-Hans (BCP 47)."
    from babel import Locale

    known = Locale("en")
    language, *more = code.split("-")
    if language not in known.languages:
        names = {name.casefold(): each for each, name in known.languages.items()}
        meant = names.get(code.casefold(), "")
        return f'"{code}" is the code of no language', f"Did you mean {meant}?" if meant else closest(code, known.languages)
    for part in more:
        if len(part) == 4 and part.title() in known.scripts:
            continue
        if part.upper() in known.territories or part.upper() in known.variants:
            continue
        return f'"{part}" in "{code}" is neither a country nor a way of writing', "Write de, pt-BR or zh-Hans (BCP 47)."
    return "", ""


def language_name(code: str) -> str:
    """What a language is called in English; its code where nobody knows."""
    from babel import Locale

    known = Locale("en")
    return str(known.languages.get(code) or known.languages.get(code.replace("-", "_")) or code)


def thousands_mark(code: str) -> str:
    """What parts thousands in a language; empty where nobody knows. A narrow space, which few fonts have, is a plain one."""
    from babel import UnknownLocaleError
    from babel.numbers import get_group_symbol

    try:
        return get_group_symbol(code.replace("-", "_")).replace("\u202f", "\u00a0")
    except (UnknownLocaleError, ValueError):
        return ""


def read_catalogue(folder: Path, shown: str, language: str, problems: Problems) -> Catalogue | None:
    """The translations of a game into a language; None where there is no file, or it cannot be read, which is told then."""
    path = catalogue_file(folder, language)
    if message := language_fault(language)[0]:
        problems.error("language-code", Place(shown), message, value=language, hint=language_fault(language)[1])
        return None
    if not file_within(folder, path):
        return None
    text = _text(path, shown, problems)
    return None if text is None else parsed(text, shown, language, problems)


def _text(path: Path, shown: str, problems: Problems) -> str | None:
    try:
        data = path.read_bytes() if path.stat().st_size <= MOST_BYTES else None
    except OSError as error:
        problems.unreadable = True
        problems.error("unreadable-language", Place(shown), f"it cannot be read ({error.strerror})")
        return None
    if data is None:
        problems.error("unreadable-language", Place(shown), f"it is larger than {MOST_BYTES // 1_000_000} MB")
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        problems.unreadable = True
        problems.error(
            "not-utf-8",
            Place(shown, data.count(b"\n", 0, error.start) + 1),
            f"the byte {data[error.start]:#04x} is not UTF-8",
            value=f"{data[error.start]:#04x}",
            allowed="UTF-8 text",
            hint='Save the table as "CSV UTF-8".',
        )
        return None


def parsed(text: str, shown: str, language: str, problems: Problems) -> Catalogue | None:
    """A catalogue from the text of its file."""
    marked = text.startswith("\ufeff")
    text = text.removeprefix("\ufeff")
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=lambda mark: (head.count(mark), mark == ","))
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    found: list[Entry] = []
    columns: tuple[str, ...] = ()
    number = 0
    try:
        for number, cells in enumerate(rows, 1):
            if not any(cell.strip() for cell in cells):
                continue
            if not columns:
                columns = tuple(cell.strip() for cell in cells)
                if not _columns(columns, Place(shown, number), problems):
                    return None
            elif entry := _entry(columns, cells, Place(shown, number), problems):
                found.append(entry)
    except csv.Error as error:
        problems.unreadable = True
        hint = "Look for a quotation mark that is opened and never closed."
        message = f"the row that starts here cannot be split into cells ({error})"
        problems.error("broken-csv", Place(shown, number + 1), message, hint=hint)
        return None
    if not columns:
        problems.error("missing-column", Place(shown), "the file is empty", allowed=listed(COLUMNS))
        return None
    return Catalogue(language, shown, tuple(_single(found, problems)), columns, marked)


def _columns(columns: Sequence[str], head: Place, problems: Problems) -> bool:
    for column in NEEDED:
        if column not in columns:
            problems.unknown("missing-column", head, f'the file has no column "{column}"', column, columns)
    double = {column for column in columns if column and columns.count(column) > 1}
    for column in sorted(double):
        problems.error("double-column", head, f'two columns are called "{column}"', value=column)
    return not double and all(column in columns for column in NEEDED)


def _entry(columns: Sequence[str], cells: Sequence[str], place: Place, problems: Problems) -> Entry | None:
    if len(cells) > len(columns) and any(cell.strip() for cell in cells[len(columns) :]):
        message = f"the row has {len(cells)} cells, and the file {len(columns)} columns"
        problems.error("ragged-row", place, message, hint="Put a text with commas in quotation marks.")
        return None
    said = dict(zip(columns, [*cells, *[""] * (len(columns) - len(cells))], strict=False))
    said = {column: text.replace("\r\n", "\n").replace("\r", "\n") for column, text in said.items()}
    for column, text in said.items():
        if stray := _STRAY.search(text):
            message = f"there is an invisible control character (U+{ord(stray[0]):04X})"
            at = Place(place.file, place.row, column)
            problems.error("missing-glyph", at, message, value=stray[0], hint="Type the text anew.")
            return None
    fuzzy = said.get("fuzzy", "").strip().casefold()
    if fuzzy not in (*_YES, *_NO):
        at = Place(place.file, place.row, "fuzzy")
        message = f'"{said["fuzzy"]}" is neither yes nor no'
        problems.error("bad-flag", at, message, value=fuzzy, allowed="true, false, nothing")
        return None
    others = {column: text for column, text in said.items() if column not in COLUMNS}
    at = Place(place.file, place.row, "target")
    location = said["location"].strip()
    if not location:
        at = Place(place.file, place.row, "location")
        problems.error("empty-cell", at, "the row does not say what it translates", hint="Take the row away.")
        return None
    return Entry(location, said["source"], said["target"], fuzzy in _YES, said.get("context", ""), others, at)


def _single(entries: Sequence[Entry], problems: Problems) -> Sequence[Entry]:
    """The rows without those that say again what another one says; two that differ are told."""
    seen: dict[str, Entry] = {}
    for entry in entries:
        if entry.gone:
            continue
        if first := seen.get(entry.location):
            problems.error(
                "two-translations",
                entry.place,
                f"{entry.location} is translated in row {first.place.row} already",
                value=entry.location,
                hint="Take one of the two rows away.",
            )
        else:
            seen[entry.location] = entry
    return [entry for entry in entries if entry.gone or seen[entry.location] is entry]
