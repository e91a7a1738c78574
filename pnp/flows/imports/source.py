"""The files of a foreign project: read within its folder, and no more of them than memory has room for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from pnp.flows.imports.deck import Table
from pnp.read.grid import SUFFIXES, Grid, read_grid
from pnp.read.jsontext import parse_json
from pnp.read.strayrows import tell_stray_rows
from pnp.read.trees import BrokenText, Tree
from pnp.read.unpacked import TooLarge
from pnp.read.yamltext import parse_yaml
from pnp.system.paths import file_within
from pnp.values.problems import Place, Problem, Problems, listed
from pnp.values.tables import COPIES

if TYPE_CHECKING:
    from lxml import etree

MOST_BYTES = 8_000_000
"""Of a script, a layout or a list of cards."""
MOST_YAML = 300_000
MOST_FILES = 20_000
MOST_PARTS = 300_000
"""Of a YAML file in which lists stand for others."""

_WORDS: dict[str, bool | None] = {"": None, "yes": True, "true": True, "no": False, "false": False}
_NUMBER = re.compile(r"[+-]?(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})", re.ASCII)

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
"""What JSON and YAML are made of."""


class CannotImport(Exception):
    """A project that cannot be read, with the finding for the person."""

    def __init__(self, place: Place, message: str, *, value: str = "", allowed: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.problem = Problem("bad-import", place, message, value, allowed, hint)


class Source:
    """A project: its folder, the file that was named, and what is asked of the files in it."""

    def __init__(self, folder: Path, main: Path) -> None:
        self.folder, self.main = folder, main
        self.notes = Problems()
        """What reading tables has found: nothing of it stands in the way of the import."""

    def shown(self, path: Path) -> str:
        """The name of a file for people: from the project's folder on."""
        try:
            return path.relative_to(self.folder).as_posix()
        except ValueError:
            return path.name

    def find(self, name: str, *below: str) -> Path | None:
        """A file that the source names, in its folder or one of those below it; None where it is not or leads outside.

        Windows does not tell large letters from small ones, nor / from \\, so that projects made there may mix them.
        """
        name = name.replace("\\", "/").strip()
        if not name or "\0" in name:
            return None
        for home in dict.fromkeys((self.main.parent, self.folder, *(self.folder / part for part in below))):
            path = home / name
            if file_within(self.folder, path):
                return path
            if path.parent.is_dir() and file_within(self.folder, found := _like(path)):
                return found
        return None

    def text(self, path: Path, most: int = MOST_BYTES) -> str:
        """A file's text: UTF-8, or what old programs for Windows write. Raises CannotImport."""
        place = Place(self.shown(path))
        try:
            if not file_within(self.folder, path):
                raise CannotImport(place, "the file leads out of the project's folder, and nothing outside is read")
            if path.stat().st_size > most:
                raise CannotImport(place, f"the file is larger than {most // 1_000_000} MB")
            data = path.read_bytes()
        except OSError as error:
            raise CannotImport(place, f"the file cannot be read: {error.strerror}") from None
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return data.decode("utf-16", "replace")
        if b"\0" in data:
            line = data.count(b"\n", 0, data.index(b"\0")) + 1
            raise CannotImport(Place(place.file, line), "the file has a NUL byte, so it is no text")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return data.decode("cp1252", "replace")

    def xml(self, path: Path) -> etree._Element:
        """The root of an XML file, in which nothing is fetched and nothing grows. Raises CannotImport."""
        from lxml import etree

        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        shown, text = self.shown(path), self.text(path)
        try:
            root = etree.fromstring(text.encode(), parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None)
            raise CannotImport(Place(shown, line), f"the file is not well-formed XML: {error}") from None
        for node in root.iter():
            if isinstance(node, etree._Entity):
                raise CannotImport(Place(shown, node.sourceline), f"it uses the entity {node.text}, and none is read")
        dtd = root.getroottree().docinfo.internalDTD
        if dtd is not None and any(True for _ in dtd.iterentities()):
            raise CannotImport(Place(shown, 1), "it declares entities of its own, and none is read")
        return root

    def json(self, path: Path) -> Tree:
        """What a JSON file says, or a script that is nothing but a list in JSON with a name. Raises CannotImport."""
        shown, text = self.shown(path), self.text(path)
        if path.suffix.lower() == ".js":
            begin, end = text.find("["), text.rfind("]")
            text = "\n" * text.count("\n", 0, max(begin, 0)) + text[begin : end + 1]
        try:
            found = parse_json(text)
        except BrokenText as error:
            raise CannotImport(Place(shown, error.line), f"the file is not JSON: {error.message}") from None
        for line, key in found.doubled:
            said = f'"{key}" stands twice in a record that begins here; the last one counts'
            self.notes.extend([Problem("brought-differently", Place(shown, line), said, severity="warning")])
        return found.tree

    def yaml(self, path: Path) -> Plain:
        """What a YAML file says; numbers, yes and no and nothing are read as what they are. Raises CannotImport."""
        shown = self.shown(path)
        try:
            return _plain(parse_yaml(self.text(path, MOST_YAML)).tree, count(1))
        except BrokenText as error:
            raise CannotImport(Place(shown, error.line), f"the file is not YAML: {error.message}") from None
        except TooLarge as error:
            raise CannotImport(Place(shown), f"the file grows too large: {error}") from None

    def table(self, path: Path, sheet: str | None = None) -> Table:
        """A table as pnp reads tables, with the columns as they are called there. Raises CannotImport."""
        problems = Problems()
        shown = self.shown(path)
        if path.suffix.lower() not in SUFFIXES or not file_within(self.folder, path):
            raise CannotImport(Place(shown), "this is no table that can be read", allowed=listed(SUFFIXES))
        grid = read_grid(path, shown, sheet, problems)
        if grid is None or problems.errors:
            problem = next(iter(problems.errors or problems))
            raise CannotImport(
                problem.place, problem.message, value=problem.value, allowed=problem.allowed, hint=problem.hint
            )
        sums = self._told(grid, shown, problems)
        rows = [dict(zip(grid.header, texts, strict=True)) for row, texts in grid.rows if row not in sums]
        return Table(list(grid.header), rows)

    def _told(self, grid: Grid, shown: str, problems: Problems) -> set[int | None]:
        """Note what was found in a table; returns the rows that are no cards but sums."""
        if counted := next((name for name in grid.header if name.casefold() in COPIES), ""):
            tell_stray_rows(grid.header, grid.rows, counted, False, shown, problems)
        told = {(note.place, note.message) for note in self.notes}
        for problem in problems:
            rule = "left-behind" if problem.severity == "error" else "brought-differently"
            note = Problem(rule, problem.place, problem.message, severity="warning")
            if (note.place, note.message) not in told:
                self.notes.extend([note])
        return {problem.place.row for problem in problems.errors}


def _like(path: Path) -> Path:
    """The file of that name whatever its letters' size; the path itself where there is none."""
    for number, other in enumerate(sorted(path.parent.iterdir())):
        if number > MOST_FILES:
            break
        if other.name.casefold() == path.name.casefold():
            return other
    return path


def _plain(found: Tree, parts: Iterator[int]) -> Plain:
    """A tree of texts as values, with all that aliases stand for. Raises TooLarge."""
    if next(parts) > MOST_PARTS:
        raise TooLarge(f"with its aliases it has more than {MOST_PARTS} parts")
    if isinstance(found, dict):
        return {key: _plain(value, parts) for key, value in found.items()}
    if isinstance(found, list):
        return [_plain(value, parts) for value in found]
    if found.lower() in _WORDS:
        return _WORDS[found.lower()]
    if _NUMBER.fullmatch(found):
        return int(found) if found.lstrip("+-").isdigit() else float(found)
    return found
