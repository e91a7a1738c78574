"""The files of a game as texts in which every cell, key and number is a span that can be replaced."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent

# A cell in quotation marks or not, and what ends it.
_CELL = re.compile(r'("(?:[^"]|"")*"|[^,\n]*)(,|\n|\Z)')
_TOML = re.compile(
    r'(?P<comment>#[^\n]*)|(?P<string>"""[\s\S]*?"""|\'{3}[\s\S]*?\'{3}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')'
    r"|(?P<header>^\[{1,2}[^\]\n]+\]{1,2})|(?P<bare>[\w-]+)(?=\s*=)|(?P<number>(?<![\w.-])-?\d+(?:\.\d+)?(?![\w.-]))",
    re.MULTILINE,
)
_LABEL = re.compile(r'\b(?:caption|alt)="((?:[^"\\]|\\.)*)"')
# What nobody reads as prose: code, where a link leads, symbols, years, numbers of list items and of headings.
_NO_PROSE = re.compile(
    r"\{\{.*?\}\}|\{%.*?%\}|\]\([^)\n]*\)|(?<!\w):[a-z][\w-]*:|`[^`\n]*`|^\s*(?:\d+\.|#+ \d+\.|:::[ \t]*\w*)"
    r"|(?<![\d,.-])(?:1[5-9]|20)\d\d(?![\d,])|\b(?:margin|width|grid|crop|colour|float)=\"[^\"\n]*\"",
    re.DOTALL | re.MULTILINE,
)
HIDDEN = "\x01"


@dataclass(frozen=True)
class Cell:
    """A cell of a CSV file, where it stands in the text, and what it says."""

    table: str
    column: str
    row: int
    """As a spreadsheet counts, from 1, which is the header."""
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Record:
    """A row of a CSV file with the line end after it."""

    cells: tuple[Cell, ...]
    start: int
    end: int

    def __getitem__(self, column: str) -> Cell:
        return next(cell for cell in self.cells if cell.column == column)


@dataclass(frozen=True)
class Token:
    """A value in a TOML file: the section and key that it belongs to, and its own span, without quotation marks."""

    section: str
    key: str
    """As it is typed at the start of a line."""
    inner: str
    """The key nearest before it, of an inline table."""
    start: int
    end: int
    text: str
    quoted: bool


@dataclass(frozen=True)
class Edit:
    """Other characters in place of some of a file's."""

    file: str
    start: int
    end: int
    now: str


NOT_OF_IT = ("README.md", "tabletop-simulator.csv")
"""It speaks of the pack; it remembers places on sheets of an export."""


class Source:
    """A game's files, as they are shipped, by their path from the project's folder on."""

    def __init__(self, game: str, root: Path = ROOT) -> None:
        self.game, self.root = game, root
        self.home = f"content/{game}"
        self._tokens: dict[str, list[Token]] = {}
        folders = [root / self.home, root / "templates" / game]
        paths = [
            path for folder in folders for path in sorted(folder.iterdir()) if path.is_file() and path.name not in NOT_OF_IT
        ]
        self.texts = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in paths}
        art = root / self.home / "art"
        self.art = sorted(path.relative_to(art).with_suffix("").as_posix() for path in art.rglob("*.svg"))

    def path(self, name: str) -> str:
        return f"{self.home}/{name}"

    @cached_property
    def config(self) -> dict[str, Any]:
        """What game.toml says."""
        return tomllib.loads(self.texts[self.path("game.toml")])

    @cached_property
    def rules(self) -> dict[str, Any]:
        """What rules.toml says."""
        return tomllib.loads(self.texts[self.path("rules.toml")])

    @cached_property
    def tables(self) -> dict[str, tuple[Record, ...]]:
        """The rows of each table, by its name."""
        files = [file for file in self.texts if file.endswith(".csv")]
        return {Path(file).stem: tuple(_records(Path(file).stem, self.texts[file])) for file in files}

    def file_of(self, table: str) -> str:
        return self.path(f"{table}.csv")

    @cached_property
    def cells(self) -> list[Cell]:
        return [cell for records in self.tables.values() for record in records for cell in record.cells]

    def column(self, table: str, column: str) -> dict[str, Any]:
        """How game.toml describes a column; empty where it does not."""
        return dict(self.config.get("table", {}).get(table, {}).get("columns", {}).get(column, {}))

    def tokens(self, name: str) -> list[Token]:
        """The values of a TOML file."""
        if name not in self._tokens:
            self._tokens[name] = list(_tokens(self.texts[self.path(name)]))
        return self._tokens[name]

    @property
    def books(self) -> list[str]:
        return [file for file in self.texts if file.endswith(".md")]

    @property
    def templates(self) -> list[str]:
        return [file for file in self.texts if file.endswith(".j2")]

    @cached_property
    def read(self) -> list[tuple[str, str, int]]:
        """All prose: file, text, where it starts. What is no prose is hidden in it, letter for letter."""
        found = [(file, prose(self.texts[file]), 0) for file in self.books]
        toml = self.path("game.toml")
        found += [(toml, prose(each.text), each.start) for each in self.tokens("game.toml") if each.section == "texts"]
        for cell in self.cells:
            if is_prose(cell.text):
                file = self.file_of(cell.table)
                found.append((file, prose(self.texts[file][cell.start : cell.end]), cell.start))
        return found

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word in any of the files, in small letters."""
        return frozenset(word.lower() for text in self.texts.values() for word in re.findall(r"[^\W\d_]+", text))

    def edit_cell(self, cell: Cell, now: str) -> Edit:
        """Another text in a cell."""
        typed = '"{}"'.format(now.replace('"', '""')) if re.search(r'[,"\n]', now) else now
        return Edit(self.file_of(cell.table), cell.start, cell.end, typed)


def is_prose(text: str) -> bool:
    """Whether a cell is a sentence rather than a name."""
    return len(text.split()) >= 4


def prose(text: str) -> str:
    """A text of the same length in which only what people read is left."""
    kept = [match.span(1) for match in _LABEL.finditer(text)]

    def hide(match: re.Match[str]) -> str:
        hidden = [HIDDEN] * len(match[0])
        for start, end in kept:
            if match.start() <= start and end <= match.end():
                hidden[start - match.start() : end - match.start()] = text[start:end]
        return "".join(hidden)

    return _NO_PROSE.sub(hide, text)


def _records(table: str, text: str) -> Iterator[Record]:
    header: list[str] = []
    at, row = 0, 1
    while at < len(text):
        cells, start, ended = [], at, ""
        while ended != "\n" and (match := _CELL.match(text, at)):
            typed, ended = match.groups()
            said = typed[1:-1].replace('""', '"') if typed.startswith('"') else typed
            name = header[len(cells)] if len(cells) < len(header) else ""
            cells.append(Cell(table, name, row, at, match.end(1), said))
            at = match.end()
            if not ended:
                break
        if not header:
            header = [cell.text for cell in cells]
        elif any(cell.text for cell in cells):
            yield Record(tuple(cells), start, at)
        row += 1


def _tokens(text: str) -> Iterator[Token]:
    section = key = inner = ""
    for match in _TOML.finditer(text):
        begins = text.rfind("\n", 0, match.start()) + 1 == match.start()
        said, start, end = match[0], match.start(), match.end()
        if match["string"] is not None:
            mark = 3 if said[:3] in ('"""', "'''") else 1
            said, start, end = said[mark:-mark], start + mark, end - mark
        if match["header"]:
            section, key, inner = said.strip("[]"), "", ""
        elif match["bare"] or (match["string"] is not None and re.match(r"\s*=[^=]", text[match.end() : match.end() + 9])):
            key, inner = (said if begins else key), said
        elif not match["comment"]:
            yield Token(section, key, inner, start, end, said, match["number"] is None)
