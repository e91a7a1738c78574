"""Reads JSON and YAML into trees of texts with line numbers, and lists of records in them into rows of text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pnp.dataclass import dataclass
from pnp.read.csvfile import MOST_CELLS, MOST_COLUMNS, MOST_ROWS, Line, RawTable, Source, TooLarge
from pnp.values.problems import Place, closest, listed

if TYPE_CHECKING:
    from yaml import Event

MOST_TREE_BYTES = 8_000_000
MOST_DEPTH = 40
# What an alias stands for counts each time.
MOST_PARTS = 2_000_000
MOST_LETTERS = 64_000_000


class Lined(dict[str, "Tree"]):
    """A map of a file, with its line."""

    __slots__ = ("line",)
    line: int


Tree = str | list["Tree"] | Lined


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file's tree, and duplicate keys with their lines."""

    tree: Tree
    doubled: tuple[tuple[int, str], ...]


class BrokenText(Exception):
    """A syntax error; ``line`` is where it was noticed."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message, line)
        self.message, self.line = message, line


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\n]')


def parse_json(text: str) -> Parsed:
    """Parses JSON. Raises BrokenText."""
    closed: list[Lined] = []
    doubled: list[tuple[Lined, str]] = []

    def closing(pairs: list[tuple[str, Any]]) -> Lined:
        made = Lined()
        for key, value in pairs:
            if key in made:
                doubled.append((made, key))
            made[key] = _as_typed(value)
        closed.append(made)
        return made

    try:
        value = json.loads(text, object_pairs_hook=closing, parse_int=str, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as error:
        raise _broken(error) from None
    except RecursionError:
        raise BrokenText("its lists and records are nested too deep", 1) from None
    for made, line in zip(closed, _opening_lines(text), strict=True):
        made.line = line
    return Parsed(_as_typed(value), tuple((made.line, key) for made, key in doubled))


def _broken(error: json.JSONDecodeError) -> BrokenText:
    # From Python 3.13 on it points at the comma, before that at what closes.
    before = error.doc[: error.pos + (error.doc[error.pos : error.pos + 1] == ",")].rstrip()
    if before.endswith(",") and error.doc[len(before) :].lstrip().startswith(("}", "]")):
        return BrokenText("nothing follows this comma", before.count("\n") + 1)
    return BrokenText(f"{error.msg[:1].lower()}{error.msg[1:]} at character {error.colno}", error.lineno)


def _as_typed(value: Any) -> Tree:
    """The tree with nothing but texts, lists and maps; maps inside are converted already."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        for at, entry in enumerate(value):
            if not isinstance(entry, str | Lined):
                value[at] = _as_typed(entry)
        return value
    return value  # type: ignore[no-any-return]


def _opening_lines(text: str) -> list[int]:
    """The line of each map's opening bracket, in the order in which maps end, as the parser returns them."""
    line, opened, made = 1, list[int](), list[int]()
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token == "\n":
            line += 1
        elif token == "{":
            opened.append(line)
        elif token == "}":
            made.append(opened.pop())
    return made


_TAGS = tuple(f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "timestamp", "map", "seq"))
_EMPTY = ("", "~", "null")


def parse_yaml(text: str) -> Parsed:
    """Parses YAML; several documents become a list. Raises BrokenText, TooLarge."""
    import yaml

    builder = _Builder(yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    try:
        trees = builder.documents()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BrokenText(str(error.problem or error.context), mark.line + 1 if mark else 1) from None
    except yaml.YAMLError as error:
        raise BrokenText(" ".join(str(error).split())[:200], 1) from None
    except RecursionError:
        raise BrokenText("its lists and records are nested too deep", 1) from None
    return Parsed(trees[0] if len(trees) == 1 else trees, tuple(builder.doubled))


class _Builder:
    """Builds trees from the parser's events."""

    def __init__(self, events: Iterator[Event]) -> None:
        self._events = events
        self._known: dict[str, tuple[Tree, int, int]] = {}
        """What anchors name, with its parts and letters."""
        self._parts = self._letters = 0
        self.doubled: list[tuple[int, str]] = []

    def documents(self) -> list[Tree]:
        found = []
        for event in self._events:
            if type(event).__name__ == "DocumentStartEvent":
                self._known = {}
                found.append(self._tree(next(self._events), 0))
        return found

    def _count(self, parts: int, letters: int) -> None:
        self._parts, self._letters = self._parts + parts, self._letters + letters
        if self._parts > MOST_PARTS:
            raise TooLarge(f"the file has more than {MOST_PARTS // 1_000_000} million parts")
        if self._letters > MOST_LETTERS:
            raise TooLarge(f"the texts of the records have more than {MOST_LETTERS // 1_000_000} million letters")

    def _tree(self, event: Event, depth: int) -> Tree:
        """Builds the text, list or record that begins with this event. Raises BrokenText, TooLarge."""
        kind, line, parts, letters = type(event).__name__, event.start_mark.line + 1, self._parts, self._letters
        if kind == "AliasEvent":
            if event.anchor not in self._known:
                raise BrokenText(f"*{event.anchor} refers to nothing that ends before it", line)
            made, *size = self._known[event.anchor]
            self._count(*size)
            return made
        if event.tag is not None and event.tag not in (*_TAGS, "!"):
            raise BrokenText(f"the tag {event.tag} asks for more than a text, a list or a record", line)
        if kind == "ScalarEvent":
            made = "" if _is_bare(event) and event.value in _EMPTY else event.value
            self._count(1, len(made))
        elif depth >= MOST_DEPTH:
            raise BrokenText(f"its lists and records are nested deeper than {MOST_DEPTH}", line)
        elif kind == "SequenceStartEvent":
            self._count(1, 0)
            made = []
            while type(entry := next(self._events)).__name__ != "SequenceEndEvent":
                made.append(self._tree(entry, depth + 1))
        else:
            self._count(1, 0)
            made = self._map(line, depth + 1)
        if event.anchor is not None:
            self._known[event.anchor] = made, self._parts - parts, self._letters - letters
        return made

    def _map(self, line: int, depth: int) -> Lined:
        made, brought = Lined(), set[str]()
        made.line = line
        while type(first := next(self._events)).__name__ != "MappingEndEvent":
            name, second = self._tree(first, depth), next(self._events)
            if not isinstance(name, str):
                raise BrokenText("a list or a record stands where the name of a column belongs", first.start_mark.line + 1)
            value, line = self._tree(second, depth), second.start_mark.line + 1
            if name == "<<" and _is_bare(first):
                for other in value if isinstance(value, list) else [value]:
                    if not isinstance(other, Lined):
                        raise BrokenText("<< brings in no record", line)
                    brought |= other.keys() - made.keys()
                    made.update({key: entry for key, entry in other.items() if key not in made})
            elif name in made and name not in brought:
                self.doubled.append((line, name))
            else:
                made[name] = value
                brought.discard(name)
        return made


def _is_bare(event: Event) -> bool:
    """Whether an event is a text written without quotation marks and without a tag."""
    return type(event).__name__ == "ScalarEvent" and not event.style and event.tag is None


WHOLE = "."
"""As the path of the records: they are the file itself."""
Record = tuple[str, Lined]
"""The name that a record has where it lies in a map, and what is in it."""


def read_json(source: Source) -> RawTable:
    """The records of a JSON file. Raises ValueError, OSError, TooLarge."""
    return _read(source, parse_json, "JSON")


def read_yaml(source: Source) -> RawTable:
    """The records of a YAML file. Raises ValueError, OSError, TooLarge."""
    return _read(source, parse_yaml, "YAML")


def _read(source: Source, parse: Callable[[str], Parsed], form: str) -> RawTable:
    raw = source.path.read_bytes()
    if len(raw) > MOST_TREE_BYTES:
        raise ValueError(f"the file is larger than {MOST_TREE_BYTES // 1_000_000} MB")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line} is not UTF-8") from None
    try:
        parsed = parse(text)
    except BrokenText as error:
        source.problems.unreadable = True
        source.problems.error("broken-records", Place(source.shown, error.line), f"this is no {form}: {error.message}")
        return RawTable(iter(()))
    for line, key in parsed.doubled:
        source.problems.error("double-key", Place(source.shown, line, key), f'"{key}" stands twice in one record', value=key)
    records = _records(parsed.tree, source)
    return RawTable(iter(()) if parsed.doubled else _lines(records))


def _records(tree: Tree, source: Source) -> list[Record]:
    path = source.sheet
    if path is not None and path != WHOLE:
        return _listed(_at(tree, path), f'"{path}" is')
    if isinstance(tree, Lined) and path is None:
        if wrapped := _wrapped(tree):
            return _unwrapped(tree, wrapped, source)
        inside = [key for key, value in tree.items() if _holds_records(value)]
        if len(inside) == 1 and not _holds_records(tree):
            return _listed(tree[inside[0]], "it is")
        if inside:
            raise _several(tree, inside)
    return _listed(tree, "it is")


def _wrapped(tree: Lined) -> dict[str, Tree]:
    maps = {key: value for key, value in tree.items() if isinstance(value, Lined)}
    if any(isinstance(value, list) and _holds_records(value) for value in tree.values()):
        return {}
    found = [each for key, value in maps.items() for each in _lists_in((key,), value)]
    if len(maps) > 1 and all(_is_plain(maps[path[0]]) for path, _ in found):
        return {}
    return {".".join(path): records for path, records in found}


def _lists_in(path: tuple[str, ...], value: Tree) -> Iterator[tuple[tuple[str, ...], Tree]]:
    if len(path) > MOST_DEPTH:
        raise TooLarge(f"the records are nested deeper than {MOST_DEPTH}")
    if isinstance(value, Lined):
        for key, inner in value.items():
            yield from _lists_in((*path, key), inner)
    elif _holds_records(value):
        yield path, value


def _is_plain(record: Lined) -> bool:
    return any(isinstance(value, str) for value in record.values())


def _unwrapped(tree: Lined, lists: Mapping[str, Tree], source: Source) -> list[Record]:
    """The only list there is, which is reported; with several, game.toml must name one."""
    maps = [value for value in tree.values() if isinstance(value, Lined)]
    if len(lists) > 1 or (len(maps) > 1 and any(map(_is_plain, maps))):
        raise _several(tree, lists)
    ((path, records),) = lists.items()
    hint = f'sheet = "{path}" for this table in game.toml says that this is meant'
    if _holds_records(tree):
        hint += f', sheet = "{WHOLE}" that the whole file is'
    message = f'the records are taken from "{path}", the only list of records in the file'
    source.problems.warn("records-within", Place(source.shown), message, value=path, hint=f"{hint}.")
    return _listed(records, f'"{path}" is')


def _several(tree: Tree, paths: Iterable[str]) -> ValueError:
    whole = f', or "{WHOLE}" for the whole' if _holds_records(tree) else ""
    return ValueError(
        "it has several lists of records, or maps of them. "
        f'Name one with sheet = "…" for this table in game.toml: {listed(paths)}{whole}'
    )


def _at(tree: Tree, path: str) -> Tree:
    parts = path.split(".")
    for at, part in enumerate(parts):
        # A key may have a dot itself.
        if isinstance(tree, Lined) and (rest := ".".join(parts[at:])) in tree:
            return tree[rest]
        if not isinstance(tree, Lined) or part not in tree:
            known = tree if isinstance(tree, Lined) else ()
            raise ValueError(f'it has no "{path}", only {listed(known) or "a list"}. {closest(part, known)}'.strip(". "))
        tree = tree[part]
    return tree


def _holds_records(tree: Tree) -> bool:
    entries: Sequence[Tree] = tree if isinstance(tree, list) else list(tree.values()) if isinstance(tree, Lined) else ()
    return bool(entries) and all(isinstance(entry, Lined) for entry in entries)


def _listed(tree: Tree, said: str) -> list[Record]:
    if isinstance(tree, list):
        for at, entry in enumerate(tree, 1):
            if not isinstance(entry, Lined):
                raise ValueError(f"{said} a list whose entry {at} is no record")
        return [("", entry) for entry in tree if isinstance(entry, Lined)]
    if isinstance(tree, Lined) and tree and all(isinstance(entry, Lined) for entry in tree.values()):
        return [(name, entry) for name, entry in tree.items() if isinstance(entry, Lined)]
    if isinstance(tree, Lined) and tree and all(isinstance(entry, list) for entry in tree.values()):
        lengths = {len(column) for column in tree.values()}
        if len(lengths) == 1:
            length = lengths.pop()
            if length > MOST_ROWS or length * len(tree) > MOST_CELLS:
                raise TooLarge(f"the columns of the table have {length} rows")
            return [("", _record(tree, at)) for at in range(length)]
    raise ValueError(f"{said} no list of records, no map of records by their names, and no map of columns of one length")


def _record(columns: Lined, at: int) -> Lined:
    made = Lined((name, column[at]) for name, column in columns.items() if isinstance(column, list))
    made.line = at + 1
    return made


def _lines(records: Sequence[Record]) -> Iterator[Line]:
    if len(records) > MOST_ROWS:
        raise TooLarge(f"the table has more than {MOST_ROWS} rows")
    called = _name_column(records)
    columns = dict.fromkeys([called] if called else [])
    cells: list[dict[str, str | list[str]]] = []
    # Lists of texts with commas are parted by lines.
    in_lines: set[str] = set()
    for _, record in records:
        cells.append({})
        for column, cell in _cells("", record, 0):
            cells[-1][column] = cell
            columns[column] = None
            if len(columns) - bool(called) > MOST_COLUMNS:
                raise TooLarge(f"the records have more than {MOST_COLUMNS} different keys")
            if isinstance(cell, list) and any("," in text or "\n" in text for text in cell):
                in_lines.add(column)
    if len(columns) * len(cells) > MOST_CELLS:
        raise TooLarge(f"the table has more than {MOST_CELLS} cells")
    if not columns:
        return
    yield Line(1, list(columns), 1)
    lines = [record.line for _, record in records]
    # Of records on one line each has its number among them.
    rows = lines if all(one < other for one, other in pairwise(lines)) else range(1, len(lines) + 1)
    for row, (name, _), found in zip(rows, records, cells, strict=True):
        texts = []
        for column in columns:
            cell = name if column == called else found.get(column, "")
            texts.append(cell if isinstance(cell, str) else ("\n" if column in in_lines else ", ").join(cell))
        yield Line(row, texts, row)


def _name_column(records: Sequence[Record]) -> str:
    if not any(name for name, _ in records):
        return ""
    known = {key.strip().lower() for _, record in records for key in record}
    return next(column for column in ("name", "id", "key", "key of the record") if column not in known)


def _cells(path: str, value: Mapping[str, Tree], depth: int) -> Iterator[tuple[str, str | list[str]]]:
    """The cells of a record, by column: ``stats: {attack: 3}`` becomes a column ``stats.attack``."""
    if depth > MOST_DEPTH:
        raise TooLarge(f"the records are nested deeper than {MOST_DEPTH}")
    for key, entry in value.items():
        here = f"{path}.{key}" if path else key
        if isinstance(entry, str):
            yield here, entry
        elif isinstance(entry, Lined):
            yield from _cells(here, entry, depth + 1)
        elif all(isinstance(text, str) for text in entry):
            yield here, [text for text in entry if isinstance(text, str)]
        else:
            yield from _cells(here, {str(at): inner for at, inner in enumerate(entry, 1)}, depth + 1)
