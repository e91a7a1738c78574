"""JSON and YAML → rows of text: a record is a row, a key a column, what is inside a record a column named by its path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from pnp.read.jsontext import parse_json
from pnp.read.rawtable import MOST_CELLS, MOST_COLUMNS, MOST_ROWS, Line, RawTable, Source
from pnp.read.trees import MOST_DEPTH, MOST_LETTERS, MOST_PARTS, MOST_TREE_BYTES, BrokenText, Lined, Parsed, Tree
from pnp.read.unpacked import TooLarge
from pnp.read.yamltext import parse_yaml
from pnp.values.problems import Place, closest, listed

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
    """The records that game.toml names; where it does not, those that can be nothing else. Raises ValueError."""
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
    """By path the lists of records that lie deeper, in maps that are hardly records: ``{"data": {"cards": [...]}}``."""
    maps = {key: value for key, value in tree.items() if isinstance(value, Lined)}
    if any(isinstance(value, list) and _holds_records(value) for value in tree.values()):
        return {}
    found = _lists_in(maps)
    if len(maps) > 1 and all(_is_plain(maps[path[0]]) for path, _ in found):
        return {}
    if sum(len(key) for path, _ in found for key in path) > MOST_LETTERS:
        raise TooLarge("the names of its lists of records are too long")
    return {".".join(path): records for path, records in found}


def _lists_in(maps: Mapping[str, Lined]) -> list[tuple[tuple[str, ...], Tree]]:
    """The lists of records in maps and in the maps within, each with the keys that lead to it. Raises TooLarge."""
    found: list[tuple[tuple[str, ...], Tree]] = []
    parts = 0
    waiting: list[tuple[tuple[str, ...], Tree]] = [((key,), value) for key, value in reversed(list(maps.items()))]
    while waiting:
        path, value = waiting.pop()
        # An alias may bring in the same map again and again.
        parts += 1 + len(value)
        if len(path) > MOST_DEPTH or parts > MOST_PARTS:
            raise TooLarge(f"the records are nested deeper than {MOST_DEPTH}, or have too many parts")
        if isinstance(value, Lined):
            waiting += [((*path, key), each) for key, each in reversed(value.items()) if not isinstance(each, str)]
        elif _holds_records(value):
            found.append((path, value))
    return found


def _is_plain(record: Lined) -> bool:
    """Whether it says something itself, as cards do."""
    return any(isinstance(value, str) for value in record.values())


def _unwrapped(tree: Lined, lists: Mapping[str, Tree], source: Source) -> list[Record]:
    """The only list that there is, which is told; where there are several, or records beside it, somebody must choose."""
    maps = [value for value in tree.values() if isinstance(value, Lined)]
    if len(lists) > 1 or (len(maps) > 1 and any(map(_is_plain, maps))):
        raise _several(tree, lists)
    ((path, records),) = lists.items()
    hint = f'sheet = "{path}" for this table in game.toml says that this is meant'
    if _holds_records(tree):
        hint += f', sheet = "{WHOLE}" that the whole file is'
    source.problems.warn(
        "records-within",
        Place(source.shown),
        f'the records are taken from "{path}", the only list of records in the file',
        value=path,
        hint=f"{hint}.",
    )
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
    """Whether it is a list of records, or a map of them by their names."""
    entries: Sequence[Tree] = tree if isinstance(tree, list) else list(tree.values()) if isinstance(tree, Lined) else ()
    return bool(entries) and all(isinstance(entry, Lined) for entry in entries)


def _listed(tree: Tree, said: str) -> list[Record]:
    """The records of a list, or of a map that names them."""
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
    """A row of columns: what each of them has at a place."""
    made = Lined((name, column[at]) for name, column in columns.items() if isinstance(column, list))
    made.line = at + 1
    return made


def _lines(records: Sequence[Record]) -> Iterator[Line]:
    """The row of names, then a row a record."""
    if len(records) > MOST_ROWS:
        raise TooLarge(f"the table has more than {MOST_ROWS} rows")
    flat = _Flat()
    cells = [flat.cells(record) for _, record in records]
    called = _name_column(records)
    columns = dict.fromkeys([called] if called else [])
    columns.update(dict.fromkeys(flat.columns))
    if len(columns) * len(cells) > MOST_CELLS:
        raise TooLarge(f"the table has more than {MOST_CELLS} cells")
    if not columns:
        return
    yield Line(1, list(columns), 1)
    lines = [record.line for _, record in records]
    # Of records on one line each has its number among them.
    rows = lines if all(one < other for one, other in pairwise(lines)) else range(1, len(lines) + 1)
    for row, (name, _), found in zip(rows, records, cells, strict=True):
        texts = [name if column == called else flat.joined(column, found.get(column, "")) for column in columns]
        yield Line(row, texts, row)


def _name_column(records: Sequence[Record]) -> str:
    """The column for the names that records have in a map: name, else id, where they have none such of their own."""
    if not any(name for name, _ in records):
        return ""
    known = {key.strip().lower() for _, record in records for key in record}
    return next(column for column in ("name", "id", "key", "key of the record") if column not in known)


class _Flat:
    """Records without depth: ``stats: {attack: 3}`` is a column ``stats.attack``."""

    def __init__(self) -> None:
        self.columns: dict[str, None] = {}
        self._in_lines: set[str] = set()
        self._parts = self._letters = 0

    def cells(self, record: Mapping[str, Tree]) -> dict[str, str | list[str]]:
        """What a record says, by the paths of its columns. Raises TooLarge."""
        made: dict[str, str | list[str]] = {}
        self._walk("", record, made, 0)
        self.columns.update(dict.fromkeys(made))
        if len(self.columns) > MOST_COLUMNS:
            raise TooLarge(f"the records have more than {MOST_COLUMNS} different keys")
        return made

    def joined(self, column: str, cell: str | list[str]) -> str:
        """The text of a cell; of a list its entries, each on a line where one of the column's entries has a comma."""
        return cell if isinstance(cell, str) else ("\n" if column in self._in_lines else ", ").join(cell)

    def _walk(self, path: str, value: Mapping[str, Tree], made: dict[str, str | list[str]], depth: int) -> None:
        if depth > MOST_DEPTH:
            raise TooLarge(f"the records are nested deeper than {MOST_DEPTH}")
        for key, entry in value.items():
            self._take(f"{path}.{key}" if path else key, entry, made, depth)

    def _take(self, path: str, entry: Tree, made: dict[str, str | list[str]], depth: int) -> None:
        self._count(path, 1)
        if isinstance(entry, str):
            self._count(entry, 0)
            made[path] = entry
        elif isinstance(entry, Lined):
            self._walk(path, entry, made, depth + 1)
        elif not entry:
            made[path] = ""
        elif len(texts := [text for text in entry if isinstance(text, str)]) == len(entry):
            for text in texts:
                self._count(text, 1)
            if any("," in text or "\n" in text for text in texts):
                self._in_lines.add(path)
            made[path] = texts
        else:
            self._walk(path, {str(at): inner for at, inner in enumerate(entry, 1)}, made, depth + 1)

    def _count(self, text: str, parts: int) -> None:
        self._parts += parts
        self._letters += len(text)
        if self._parts > MOST_PARTS:
            raise TooLarge(f"the records have more than {MOST_PARTS // 1_000_000} million parts")
        if self._letters > MOST_LETTERS:
            raise TooLarge(f"the texts of the records have more than {MOST_LETTERS // 1_000_000} million letters")
