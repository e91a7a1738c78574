"""Reads translations: a game's ``languages/de.csv``, its glossaries, language codes, and pnp's own printed words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from pnp.read.csvfile import Source, TooLarge, lines_of
from pnp.read.project import bytes_of
from pnp.system.paths import file_within
from pnp.values.languages import COLUMNS, ENGLISH, FOLDER, Catalogue, Entry, Term, Words, parents
from pnp.values.problems import Place, Problems, closest, listed

LOCALE = Path(__file__).parents[1] / "locale"


def word_languages() -> list[str]:
    """The languages of pnp's own words, besides English."""
    return sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/pnp.po"))


@cache
def words_of(language: str) -> Words | None:
    """pnp's own words in a language, or its parent: ``de-AT`` uses ``de``.

    None where there is no catalogue.
    """
    if language.partition("-")[0] == "en":
        return ENGLISH
    known = word_languages()
    return next((_read(language, code) for code in parents(language) if code in known), None)


def _read(language: str, code: str) -> Words:
    from babel.messages.pofile import read_po
    from babel.numbers import get_decimal_symbol

    with (LOCALE / code / "LC_MESSAGES" / "pnp.po").open("rb") as file:
        catalogue = read_po(file, locale=code.replace("-", "_"))
    forms: dict[str, tuple[str, ...]] = {}
    for message in catalogue:
        if message.id and not message.fuzzy:
            one = message.id if isinstance(message.id, str) else message.id[0]
            said = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
            if all(said):
                forms[one] = said
    return Words(language, forms, catalogue.plural_expr, get_decimal_symbol(language.replace("-", "_")))


NEEDED = COLUMNS[:3]
GLOSSARY = ".glossary.csv"
GLOSSARY_COLUMNS = ("term", "translation", "avoid", "why", "where")
MOST_BYTES = 20_000_000
_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_YES, _NO = ("true", "yes", "1", "x", "fuzzy"), ("", "false", "no", "0")
_STRAY = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ue000-\ue003]")


def languages_of(folder: Path) -> list[str]:
    """The codes of the languages that a game has catalogues for, sorted."""
    found = (path for path in (folder / FOLDER).glob("*.csv") if not path.name.endswith(GLOSSARY))
    return sorted(path.stem for path in found)


def glossaries_of(folder: Path) -> list[str]:
    """The codes of the languages that a game has glossaries for, sorted."""
    return sorted(path.name.removesuffix(GLOSSARY) for path in (folder / FOLDER).glob(f"*{GLOSSARY}"))


def catalogue_file(folder: Path, language: str) -> Path:
    return folder / FOLDER / f"{language}.csv"


def glossary_file(folder: Path, language: str) -> Path:
    return folder / FOLDER / f"{language}{GLOSSARY}"


@cache
def language_fault(code: str) -> tuple[str, str]:
    """What is wrong with a language code, and a hint; empty for a valid one."""
    if not _CODE.fullmatch(code):
        return f'"{code}" is not written like the code of a language', "Write de, pt-BR or zh-Hans (BCP 47)."
    from babel import Locale

    known = Locale("en")
    language, *more = code.split("-")
    if language not in known.languages:
        names = {name.casefold(): each for each, name in known.languages.items()}
        meant = names.get(code.casefold(), "")
        near = closest(code, [str(each) for each in known.languages if each not in ("mul", "root", "und", "zxx")])
        return f'"{code}" is the code of no language', f"Did you mean {meant}?" if meant else near
    for part in more:
        if len(part) == 4 and part.title() in known.scripts:
            continue
        if part.upper() in known.territories or part.upper() in known.variants:
            continue
        return f'"{part}" in "{code}" is neither a country nor a way of writing', "Write de, pt-BR or zh-Hans (BCP 47)."
    return "", ""


def language_name(code: str) -> str:
    """A language's English name; its code if unknown."""
    from babel import Locale

    known = Locale("en")
    return str(known.languages.get(code) or known.languages.get(code.replace("-", "_")) or code)


def thousands_mark(code: str) -> str:
    """The separator of thousands in a language; empty if unknown; a plain space for a narrow one, which few fonts have."""
    from babel import UnknownLocaleError
    from babel.numbers import get_group_symbol

    try:
        return get_group_symbol(code.replace("-", "_")).replace("\u202f", "\u00a0")
    except (UnknownLocaleError, ValueError):
        return ""


def read_catalogue(folder: Path, shown: str, language: str, problems: Problems) -> Catalogue | None:
    """A game's catalogue; None where it is missing or unreadable, which is reported."""
    path = catalogue_file(folder, language)
    if message := language_fault(language)[0]:
        problems.error("language-code", Place(shown), message, value=language, hint=language_fault(language)[1])
        return None
    if not file_within(folder, path):
        return None
    text = _text(path, shown, problems)
    if text is None or (grid := _grid(text, shown, NEEDED, problems)) is None:
        return None
    columns, rows = grid
    found = [entry for place, cells in rows if (entry := _entry(columns, cells, place, problems))]
    return Catalogue(language, shown, tuple(_single(found, problems)), columns, text.startswith("\ufeff"))


def read_glossary(folder: Path, shown: str, language: str, problems: Problems) -> tuple[Term, ...]:
    """The terms of a language; none where the game has no glossary for it."""
    path = glossary_file(folder, language)
    text = _text(path, shown, problems) if file_within(folder, path) else None
    grid = None if text is None else _grid(text, shown, GLOSSARY_COLUMNS[:3], problems)
    return tuple(_terms(*grid, problems)) if grid else ()


def _terms(columns: Sequence[str], rows: Sequence[tuple[Place, Sequence[str]]], problems: Problems) -> Iterator[Term]:
    for column in columns:
        if column not in GLOSSARY_COLUMNS:
            at = Place(rows[0][0].file if rows else "", 1)
            problems.unknown("unknown-column", at, f'a glossary has no column "{column}"', column, GLOSSARY_COLUMNS)
    for place, cells in rows:
        said = _row(columns, cells, place, problems)
        empty = next((column for column in GLOSSARY_COLUMNS[:2] if said and not said[column].strip()), "")
        if empty:
            at = replace(place, column=empty)
            problems.error("empty-cell", at, f"the row does not say its {empty}", hint="Write it, or take the row away.")
        elif said:
            avoid, where = (
                tuple(filter(None, (word.strip() for word in said.get(column, "").split(";"))))
                for column in ("avoid", "where")
            )
            yield Term(said["term"].strip(), said["translation"].strip(), avoid, where, said.get("why", "").strip(), place)


def _text(path: Path, shown: str, problems: Problems) -> str | None:
    if (data := bytes_of(path, shown, MOST_BYTES, problems, rule="unreadable-language")) is None:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        problems.unreadable = True
        place = Place(shown, data.count(b"\n", 0, error.start) + 1)
        message = f"the byte {data[error.start]:#04x} is not UTF-8"
        hint = 'Save the table as "CSV UTF-8".'
        problems.error("not-utf-8", place, message, value=f"{data[error.start]:#04x}", allowed="UTF-8 text", hint=hint)
        return None


Grid = tuple[tuple[str, ...], list[tuple[Place, Sequence[str]]]]


def _grid(text: str, shown: str, needed: Sequence[str], problems: Problems) -> Grid | None:
    before = len(problems.errors)
    try:
        lines = list(lines_of(text.removeprefix("\ufeff"), Source(Path(shown), shown, None, problems)))
    except TooLarge as error:
        problems.error("unreadable-language", Place(shown), str(error))
    if len(problems.errors) > before:
        return None
    if not lines:
        problems.error("missing-column", Place(shown), "the file is empty", allowed=listed(needed))
        return None
    columns = tuple(cell.strip() for cell in lines[0].texts)
    if not _columns(columns, needed, Place(shown, lines[0].row), problems):
        return None
    return columns, [(Place(shown, at.row, line=None if at.line == at.row else at.line), at.texts) for at in lines[1:]]


def _columns(columns: Sequence[str], needed: Sequence[str], head: Place, problems: Problems) -> bool:
    missing = [column for column in needed if column not in columns]
    if missing and len(missing) == len(needed):
        hint = "pnp translate makes it with all texts of the game; give this one another name first."
        message = f"the file has none of the columns {listed(needed)}"
        problems.error("missing-column", head, message, value=listed(columns), allowed=listed(needed), hint=hint)
        return False
    for column in missing:
        problems.unknown("missing-column", head, f'the file has no column "{column}"', column, columns)
    double = {column for column in columns if column and columns.count(column) > 1}
    for column in sorted(double):
        problems.error("double-column", head, f'two columns are called "{column}"', value=column)
    return not double and all(column in columns for column in needed)


def _row(columns: Sequence[str], cells: Sequence[str], place: Place, problems: Problems) -> dict[str, str] | None:
    if len(cells) > len(columns) and any(cell.strip() for cell in cells[len(columns) :]):
        message = f"the row has {len(cells)} cells, and the file {len(columns)} columns"
        problems.error("ragged-row", place, message, hint="Put a text with commas in quotation marks.")
        return None
    said = dict(zip(columns, [*cells, *[""] * (len(columns) - len(cells))], strict=False))
    said = {column: text.replace("\r\n", "\n").replace("\r", "\n") for column, text in said.items()}
    for column, text in said.items():
        if stray := _STRAY.search(text):
            message = f"there is an invisible control character (U+{ord(stray[0]):04X})"
            at = replace(place, column=column)
            problems.error("missing-glyph", at, message, value=stray[0], hint="Type the text anew.")
            return None
    return said


def _entry(columns: Sequence[str], cells: Sequence[str], place: Place, problems: Problems) -> Entry | None:
    if (said := _row(columns, cells, place, problems)) is None:
        return None
    fuzzy = said.get("fuzzy", "").strip().casefold()
    if fuzzy not in (*_YES, *_NO):
        at = replace(place, column="fuzzy")
        message = f'"{said["fuzzy"]}" is neither yes nor no'
        problems.error("bad-flag", at, message, value=fuzzy, allowed="true, false, nothing")
        return None
    others = {column: text for column, text in said.items() if column not in COLUMNS}
    at = replace(place, column="target")
    if not (location := said["location"].strip()):
        at = replace(place, column="location")
        problems.error("empty-cell", at, "the row does not say what it translates", hint="Take the row away.")
        return None
    return Entry(location, said["source"], said["target"], fuzzy in _YES, said.get("context", ""), others, at)


def _single(entries: Sequence[Entry], problems: Problems) -> Sequence[Entry]:
    seen: dict[str, Entry] = {}
    for entry in entries:
        if entry.gone:
            continue
        if first := seen.get(entry.location):
            message = f"{entry.location} is translated in row {first.place.row} already"
            hint = "Take one of the two rows away."
            problems.error("two-translations", entry.place, message, value=entry.location, hint=hint)
        else:
            seen[entry.location] = entry
    return [entry for entry in entries if entry.gone or seen[entry.location] is entry]
