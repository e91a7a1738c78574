r"""Checks cells for slips of typing, and rows for names and ids that stand twice.

All are warnings.

``printed-as-typed``: an icon with capitals or spaces, in braces or brackets, a line break or tab typed as ``\n`` or
``\t``, a formula that the spreadsheet did not compute, a mark for "as above", words that stand for others (TODO, lorem
ipsum, NaN). Also a heading or note alone in its row, and the one cell of a column of numbers that is none.
Why: they are printed letter by letter.
Example: ``Gain :Peat:``; ``Gain {peat}``; ``Draw two.\nPass.``; ``=B2&"x"`` in a CSV file.
Mend: write ``:peat:``; break the line within the cell (Alt+Enter); save the table with values.

``misread-letters``: letters of UTF-8 that a program took for those of Windows or of an old Macintosh.
Why: a spreadsheet program opened a CSV without asking how it is written, and saved what it saw.
Example: ``CrÃ¨me brÃ»lÃ©e``; ``Waitâ€¦``; ``Cr√®me``.
Mend: import the table anew, as UTF-8 (Excel: Data, From Text/CSV, File origin 65001), or correct the letters.

``typewriter-mark``: three dots for an ellipsis, two hyphens or one between blanks for a dash; on pieces straight
quotation marks.
Why: they are wider or narrower than the marks that readers know from print.
Example: ``Wait...``, ``rain -- then sun``, ``She says "aye"``.
Mend: type ``…``, ``–`` or ``—``, and the quotation marks of the language: “ ”, „ “ or « ». Books set quotation marks and
apostrophes right themselves.

``row-twice``: two rows of a table say the same in every column but the id.
Why: a row that was pasted twice is printed twice.
Example: a row was pasted in twice.
Mend: take one away; where there are several, say so in the column ``copies``.

``name-twice``: two rows share a name, where three in four have one of their own.
Why: the second card was copied, and its name not changed.
Example: two rows are called Sea Wolf, and say different things.
Mend: give one another name. Where it is meant, allow it.

``empty-name``: a row has no name, where three in four rows have one.
Why: nobody can speak of a card without a name.
Example: the name of one row is empty.
Mend: write it. Where it is meant, allow it.

Covers: cells of all tables, ``[texts]``, columns ``name`` and ``title``; marks of a typewriter and misread letters also in
titles, books and translations.
Not covered: texts in templates; books, but for marks; tables in which many rows share a name; marks in ``code``.

``name-and-id``: in a table whose ids are made of its names ("Sea Wolf", sea-wolf), a row whose id is nearly that of its
name (a warning), or that is called as another row's id says.
Why: tables, claims and drawings speak of the row by its id, people by its name.
Example: the row tripoli is called "Tripoly", or tortuga is called "Nassau".
Mend: correct the name, or the id wherever it stands.

Covers: tables of four rows or more of which four in five have ids made of their names.
Not covered: tables of fewer than four rows, and names that have nothing in common with their id.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, product
from pathlib import Path

from pnp.check.names import folded
from pnp.check.wording import UMLAUTS, markdown_files, near, plural, spoken, without_notation
from pnp.system.paths import file_within, within
from pnp.values.findings import Subject, reported
from pnp.values.game import Game
from pnp.values.problems import Place, Problem
from pnp.values.tables import NAMING, Row, Table
from pnp.values.walk import grouped

AS_TYPED, MISREAD, MARK = "printed-as-typed", "misread-letters", "typewriter-mark"
ROW, NAME, EMPTY = "row-twice", "name-twice", "empty-name"
TYPED_RULES = (AS_TYPED, MISREAD, MARK, ROW, NAME, EMPTY)

OFF_PIECES = ("book/", "game/", "component/", "layout/", "setup/")
"""Texts that books and the print plan set, with quotation marks of their language."""

FEWEST, SHARE = 4, 0.75
"""Of so many rows or more, such a share must have names of their own."""

_ICON = re.compile(r"(?<![\w:]):(?P<left> ?)(?P<name>[A-Za-z][\w-]*)(?P<right> ?):(?![\w:])")
_SPACED = re.compile(r"(?<![\w:]):([A-Za-z][\w-]*(?: [\w-]+){1,2}):(?![\w:])")
# As other tools write an icon; behind a bracket it is a look of words, with a bar a reading, doubled a template.
_BRACED = re.compile(r"(?<![\\\]{])\{(?P<name>[^\W_](?:[\w -]{0,30}\w)?)\}(?!\})")
_BRACKETED = re.compile(r"(?<![\\!\]])\[([A-Za-z][\w-]*)\](?![\[({])")
_BREAK = re.compile(r"(?<!\\)\\[nrt](?![a-z])")
_MEANT = re.compile(
    r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<!--.*?-->|^```.*?^```|`[^`\n]*`|\]\([^()\s]*\)", re.DOTALL | re.MULTILINE
)
# Bullets and cells of tables begin with a hyphen, too; one between two numbers may be a minus.
_DOTS, _DASHES = re.compile(r"(?<![./])\.\.\.(?![./])"), re.compile(r"(?<=\w)--(?=\w)|(?<=\S )--(?=[ \n])")
_HYPHEN = re.compile(r"(?<=[^\s|]) - (?=[^\s|])(?<!\d - (?=\d))")
# Behind a number it is an inch.
_QUOTES = re.compile(r"(?<![\d\w])\"(?=\S)[^\"\n]*(?<=[^\s])\"")
_DITTO = ('"', "''", "”", "〃", ",,", "„", '--"--')
# What two to four bytes of UTF-8 look like: Latin letters and marks, several Greek, Cyrillic, Hebrew or Arabic letters; as
# Windows has them, then as an old Macintosh. Behind a capital they are a word's last letter, and a mark: ANDRÉ’S.
_NEXT = "[\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
_MISREAD = re.compile(
    f"(?<![A-ZÀ-Þ])(?:[ÂÃÄÅ]{_NEXT}|â{_NEXT}{{2}}|ðŸ{_NEXT}{{2}}|(?:[ÎÏÐÑ×ØÙ]{_NEXT}){{2,}})|√[^\0-\x7f]|‚Ä[^\0-\x7f]"
)
# What a designer writes for later, and programs for nothing.
_STAND_IN = re.compile(r"\bTODO:|\b(?:FIXME|TBD)\b|(?i:\blorem ipsum\b)|\A(?:TODO|TBA|NaN|nan|null|undefined)\Z")
_FORMULA = re.compile(r"\s*=\s*(?:[A-Z][A-Z.]*\(|\$?[A-Z]{1,3}\$?\d|\"[^\"]*\"\s*&)", re.ASCII)


@reported
def look(subject: Subject) -> Iterator[Problem]:
    """Checks all tables of a game, and its texts."""
    game = subject.game
    icons, replaced = _icons(game), cache(lambda: _filled_in(game))
    cells = ((cell.text, cell.place) for table in game.every_table for row in table for cell in row.cells.values())
    texts = ((text, game.place_of(f"texts.{key}")) for key, text in game.texts.items())
    for text, place in (*cells, *texts):
        yield from _as_typed(text, place, icons)
        yield from _braced(text, place, replaced) if "{" in text else ()
    yield from _in_print(game)
    twice = {table.file: list(_rows(table)) for table in game.every_table}
    yield from chain(*twice.values())
    for component in game.components:
        yield from () if twice.get(component.table.file) else _names(component.table)
    for table in {component.table.file: component.table for component in game.components}.values():
        yield from _among_others(table)


def _icons(game: Game) -> set[str]:
    homes = (game.folder / "art", *(root / more for root in game.template_roots for more in (Path(), Path("shared"))))
    within_reach = (home / "icons" for home in homes if (home / "icons").is_dir() and within(home, home / "icons"))
    return {path.stem.casefold() for icons in within_reach for path in icons.iterdir()}


def _as_typed(text: str, place: Place, icons: set[str]) -> Iterator[Problem]:
    for match in _ICON.finditer(text) if ":" in text else ():
        name = match["name"].casefold()
        spaced = bool(match["left"] or match["right"])
        if name in icons if spaced else match["name"] != name:
            yield _told(place, match[0], f"Write :{name}: for the icon.")
    for match in _SPACED.finditer(text) if ":" in text else ():
        said = match[1].casefold()
        name = said.replace(" ", "") if said.replace(" ", "") in icons else said.replace(" ", "-")
        if name in icons or said in icons:
            yield _told(place, match[0], f"Write :{name}:, of art/icons/{name}.svg.")
    for match in _BRACKETED.finditer(text) if "[" in text else ():
        if (name := match[1].casefold()) in icons:
            yield _told(place, match[0], f"Write :{name}:, of art/icons/{name}.svg.")
    if (found := _BREAK.search(text)) and place.row is not None:
        yield _told(place, found[0], "For a new line, break the line within the cell (Alt+Enter), or leave a space.")
    if place.row is not None and text in _DITTO:
        yield _told(place, text, "Write the words of the row above again.")
    if found := _STAND_IN.search(text):
        yield _told(place, found[0], "Write what is meant, or empty it: copies = 0 prints no such piece yet.")
    if _FORMULA.match(text):
        yield _told(place, text[:40], "It is a formula that nothing has computed: save the table with its values.")


def _braced(text: str, place: Place, replaced: Callable[[], str]) -> Iterator[Problem]:
    said = _MEANT.sub(spoken, text)
    for typed, name in {found[0]: found["name"] for found in _BRACED.finditer(said)}.items():
        if ".format(" not in replaced() and typed not in replaced():
            icon = re.sub(r"\s+", "-", name.casefold())
            yield _told(place, typed, f"For an icon write :{icon}:, of art/icons/{icon}.svg.")


def _filled_in(game: Game) -> str:
    """The templates of a game, which may put something in the place of what stands in braces."""
    files = [file for root in game.template_roots for file in sorted(root.glob("*.j2")) if file_within(root, file)]
    return "\n".join(file.read_text("utf-8", "replace") for file in files)


def _in_print(game: Game) -> Iterator[Problem]:
    """Marks of a typewriter and misread letters, in all that is read."""
    cells = [(cell.text, cell.place) for table in game.every_table for row in table for cell in row.cells.values()]
    words = (row.cells[column] for table in game.tables.values() for row in table for column in table.words)
    said = [(cell.text, cell.place, True) for cell in words]
    said += [(text, game.place_of(f"texts.{key}"), True) for key, text in game.texts.items()]
    said += [(title, place, False) for title, place in game.titles]
    for each in game.translations:
        rows = ((unit.location, entry) for unit, entry in each.pairs if entry is not None)
        said += [(entry.target, entry.place, not at.startswith(OFF_PIECES)) for at, entry in rows]
    for text, place, pieces in said:
        yield from (_of_typewriter(match, place, hint) for match, hint in _marks(text, pieces))
    books = list(markdown_files(game))
    for file, text in books:
        text = without_notation(text)
        for match, hint in _marks(text, False):
            yield _of_typewriter(match, Place(file, text.count("\n", 0, match.start()) + 1), hint)
    lines = ((line, Place(file, number)) for file, text in books for number, line in enumerate(text.split("\n"), 1))
    yield from _misread([*cells, *((text, place) for text, place, _ in said), *lines])


def _misread(said: Iterable[tuple[str, Place]]) -> Iterator[Problem]:
    """Letters read in a wrong encoding; a file is told once."""
    wrong = {place: text for text, place in said if not text.isascii() and _MISREAD.search(text)}
    for places in grouped((place.file, place) for place in wrong).values():
        text, place = wrong[places[0]], places[0]
        meant = _MISREAD.sub(_as_meant, text)
        if meant != text:
            more = f"; so it is in {len(places) - 1} more places" if len(places) > 1 else ""
            message = f'"{text[:40]}" was "{meant[:40]}" before a program misread its letters{more}'
            hint = "Import the table anew, as UTF-8 (Excel: Data, From Text/CSV, File origin 65001), or correct the letters."
            yield Problem(MISREAD, place, message, text[:40], "", hint, "warning")


def _as_meant(found: re.Match[str]) -> str:
    codec = "mac_roman" if found[0][0] in "√‚" else "cp1252"
    data = b"".join(letter.encode(codec if letter > "\x9f" else "latin-1", "replace") for letter in found[0])
    try:
        return data.decode()
    except UnicodeDecodeError:
        return found[0]


def _marks(text: str, pieces: bool) -> Iterator[tuple[re.Match[str], str]]:
    if not ("..." in text or "--" in text or " - " in text or (pieces and text.count('"') > 1)):
        return
    text = _MEANT.sub(spoken, text)
    for pattern, hint in ((_DOTS, "Type … for the dots."), (_DASHES, "Type – or —."), (_HYPHEN, "Type – or —.")):
        yield from ((match, hint) for match in pattern.finditer(text))
    if pieces:
        hint = "Type the quotation marks of the language, such as “ ”, „ “ or « »."
        yield from ((match, hint) for match in _QUOTES.finditer(text))


def _of_typewriter(match: re.Match[str], place: Place, hint: str) -> Problem:
    around = match.string[max(0, match.start() - 12) : match.end() + 12]
    message = f'"{" ".join(around.split())}" is typed as on a typewriter'
    return Problem(MARK, place, message, match[0].strip(), "", hint, "warning")


def _told(place: Place, value: str, hint: str) -> Problem:
    return Problem(AS_TYPED, place, f'"{value}" is printed as it stands', value, "", hint, "warning")


def _rows(table: Table) -> Iterator[Problem]:
    seen: dict[tuple[str, ...], Row] = {}
    columns = [column for column in table.columns if column not in ("id", table.key)]
    for row in table:
        if row.design or row.place.row is None:
            continue
        said = tuple(row.cells[column].text for column in columns if column in row.cells)
        first = seen.setdefault(said, row)
        if first is not row and any(said) and len(columns) > 1:
            message = f"it says the same as row {first.place.row}"
            hint = "Take one of the two away; how many there are is said in a column copies."
            yield Problem(ROW, row.place, message, row.id, "each row once", hint, "warning")


def _names(table: Table) -> Iterator[Problem]:
    for column in NAMING:
        empty = [row for row in table if column in row.cells and not row.cells[column].text and not row.design]
        if len(empty) <= (1 - SHARE) * len(table.rows):
            for row in empty:
                message = f'the row "{row.id}" has no {column}'
                yield Problem(EMPTY, row.cells[column].place, message, "", "a name in each row", "Write it.", "warning")
        rows = [row for row in table if column in row.cells and row.cells[column].text and not row.design]
        named = Counter(row.cells[column].text.casefold() for row in rows)
        alone = sum(times for times in named.values() if times == 1)
        if len(rows) < FEWEST or alone < SHARE * (len(rows) - 2):
            continue
        first: dict[str, Row] = {}
        for row in rows:
            text = row.cells[column].text
            other = first.setdefault(text.casefold(), row)
            if other is not row and named[text.casefold()] == 2:
                message = f'row {other.place.row} has the {column} "{text}" as well'
                allowed = f"another {column} for each"
                yield Problem(NAME, row.cells[column].place, message, text, allowed, "Was it copied?", "warning")


_NUMBER, _LIKE_NUMBER = re.compile(r"[-−]?\d+(?:[.,]\d+)?"), re.compile(r"(?=.*[\dOolI|])[\dOolI|]{1,4}")
# So many rows show what all others are.
_FIGURES, _ENOUGH = str.maketrans("OolI|", "00111"), 3


def _among_others(table: Table) -> Iterator[Problem]:
    """Headings and notes among the rows, letters that look like figures, and two cells of a row that were swapped."""
    rows = [row for row in table if row.place.row is not None and not row.design]
    columns = [column for column in table.columns if all(column in row.cells for row in rows)]
    said = [{column: text for column in columns if (text := row.cells[column].text)} for row in rows]
    full = [cells for cells in said if len(cells) >= _ENOUGH]
    every = list(zip(rows, said, strict=True))
    lone = [
        (row, column) for row, cells in every if len(cells) == 1 for column in cells if column not in ("id", table.counted)
    ]
    for row, column in lone if len(lone) < len(full) else ():
        text = row.cells[column].text
        message = f'"{text[:40]}" stands alone in its row, and is printed as a piece'
        hint = "Write # before it if it is a heading or a note; take it away if it is none."
        yield Problem(AS_TYPED, row.cells[column].place, message, text[:40], "", hint, "warning")
    kinds = {column: [bool(_NUMBER.fullmatch(cells[column])) for cells in said if column in cells] for column in columns}
    numbers = [column for column, kind in kinds.items() if kind.count(False) == 1 and kind.count(True) >= _ENOUGH]
    words = [column for column, kind in kinds.items() if kind.count(True) == 1 and kind.count(False) >= _ENOUGH]
    for column in numbers:
        row, cells = next((row, cells) for row, cells in every if not _NUMBER.fullmatch(cells.get(column, "0")))
        place, text = row.cells[column].place, cells[column]
        if _LIKE_NUMBER.fullmatch(text):
            yield _told(place, text, f"All others are numbers: write {text.translate(_FIGURES)} instead of letters like it.")
        elif other := next((each for each in words if _NUMBER.fullmatch(cells.get(each, ""))), ""):
            message = f'"{text[:40]}" stands where all others have a number, and in {other} a number, {cells[other]}'
            yield Problem(AS_TYPED, place, message, text[:40], "", "Were the two cells swapped?", "warning")


NAME_AND_ID = "name-and-id"
RULES = (*TYPED_RULES, NAME_AND_ID)

FEWEST_IDS = 4
SHARE_OF_IDS = 0.8
"""Of so many rows or more, such a share must have ids made of their names."""
# How many letters a name of some length may be off, and still be the same name.
_LONG = 8


@reported
def look_ids(subject: Subject) -> Iterator[Problem]:
    """Checks tables whose ids are made of names."""
    for table, column in product([table for table in subject.game.every_table if table.key], NAMING):
        rows = [row for row in table if column in row.cells and isinstance(row.cells[column].value, str) and not row.design]
        fitting = {row for row in rows if _fits(row.id, row.cells[column].text)}
        if column == table.key or len(rows) < FEWEST_IDS or 2 * len(fitting) < len(rows):
            continue
        # A swap or a slip shows how the table does it as well as what is right.
        whole = {"".join(words): row for row in rows for words in _spelt(row.id)}
        odd = [problem for row in rows if row not in fitting for problem in _odd(row, column, whole)]
        if len(fitting) + len(odd) >= SHARE_OF_IDS * len(rows):
            yield from odd


def _odd(row: Row, column: str, whole: Mapping[str, Row]) -> Iterator[Problem]:
    cell = row.cells[column]
    other = next((whole[said] for words in _spelt(cell.text) if (said := "".join(words)) in whole), None)
    if other is not None:
        message = f'the row "{row.id}" is called "{cell.text}", as "{other.id}" should be'
        yield Problem(
            NAME_AND_ID, cell.place, message, cell.text, hint=f'Call it as its id says, or swap it with "{other.id}".'
        )
    elif _nearly(row.id, cell.text):
        message = f'the row "{row.id}" is called "{cell.text}", which is almost, but not quite, its id'
        hint = "Correct the name, or the id wherever it stands."
        yield Problem(NAME_AND_ID, cell.place, message, cell.text, hint=hint, severity="warning")


def _fits(key: str, name: str) -> bool:
    parts = _plain(key)
    return bool(parts) and any(_in_order(parts, words) or "".join(parts) == "".join(words) for words in _spelt(name))


def _in_order(parts: Sequence[str], words: Iterable[str]) -> bool:
    left = iter(words)
    return all(part in left for part in parts)


def _nearly(key: str, name: str) -> bool:
    """Whether an id would fit if one of its words were a letter or, in a long one, two letters off."""
    parts, words = _plain(key), _plain(name)
    odd = [part for part in parts if part not in words]
    left = [word for word in words if word not in parts]
    if near("".join(parts), "".join(words)):
        return not plural("".join(parts), "".join(words))
    return len(odd) == 1 and any(_alike(odd[0], word) for word in left) and not any(plural(odd[0], word) for word in left)


def _alike(part: str, word: str) -> bool:
    if near(part, word):
        return len(part) > 2
    shortened = (word[:at] + word[at + 1 :] for at in range(len(word)))
    return min(len(part), len(word)) >= _LONG and any(near(part, each) or part == each for each in shortened)


def _spelt(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of a text, once as Konig and once as Koenig where it says König: ids are made in both ways."""
    return tuple(dict.fromkeys((_plain(text), _plain(text.translate(UMLAUTS)))))


def _plain(text: str) -> tuple[str, ...]:
    bare = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    bare = bare.replace("'", "").replace("\u2019", "").replace("\u00df", "ss").replace("_", " ")
    return folded(bare)
