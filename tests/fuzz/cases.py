"""What fuzzing does to a game: edits of its files drawn by hypothesis, a command run on what is left, and what must be true.

A case is plain data, so that it shrinks, can be told in a line, and is the same wherever it is run again.
"""

from __future__ import annotations

import base64
import contextlib
import json
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import snippets as words
from bases import GAME, Files, base, faulty, sound
from commands import run
from hypothesis import strategies as st

SECONDS = 5.0
# A table repeated a thousand times is a game of so many pieces, which are drawn.
BYTES_A_SECOND = 30_000
MEMORY = 500_000_000
HOW = (*12 * (("check", "--no-draw", "--json"),), ("check", "--no-draw"), ("list",))
DRAWN = (
    *(("check", "--json"), ("check", "--grey"), ("check", "--low-ink", "--json"), ("build", "--json"), ("build", "--fresh")),
    *(("build", "--draft"), ("build", "--backs", "gutterfold"), ("build", "--cut", "svg"), ("build", "--cut", "silhouette")),
    *(
        ("build", "--faces", "svg"),
        ("build", "--faces", "png", "--dpi", "36"),
        ("build", "--low-ink"),
        ("build", "--price", "1"),
    ),
    *(("build", "--each", f"content/{GAME}/cards.csv"), ("preview", GAME, "cards"), ("preview", GAME, "cards", "anna")),
    *(("ink", GAME), ("ink", GAME, "--json"), ("simulate", "grey", GAME, "--dpi", "36"), ("count",)),
    *(("check",), ("count", "--json")),
)


@dataclass(frozen=True)
class Edit:
    """Something done to one file: ``how`` is the name of a way below; numbers choose a place, whatever their size."""

    file: int
    how: str
    where: int = 0
    much: int = 0
    text: str = ""


@dataclass(frozen=True)
class Case:
    """A game, what is done to it, and the command."""

    start: str
    edits: tuple[Edit, ...]
    command: tuple[str, ...]

    def files(self) -> dict[str, bytes]:
        """What lies in the project in the end."""
        files = dict(base(self.start))
        for edit in self.edits:
            if files:
                name = sorted(files)[edit.file % len(files)]
                WAYS[edit.how](files, name, edit)
        return files


def _spliced(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """Some bytes away, others in their place."""
    data = files[name]
    start = edit.where % (len(data) + 1)
    files[name] = data[:start] + _bytes(edit.text) + data[start + edit.much % 40 :]


def _bytes(text: str) -> bytes:
    """A text as a file would hold it; letters from U+DC80 on stand for bytes that are no UTF-8."""
    return text.encode("utf-8", "surrogateescape") if not re.search("[\ud800-\udc7f\udd00-\udfff]", text) else b"\xff\xfe"


def _worded(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """A word, number or quoted text exchanged."""
    data = files[name]
    found = [*re.finditer(rb"\"[^\"\n]*\"|'[^'\n]*'|[\w.#-]+", data)]
    if found:
        one = found[edit.where % len(found)]
        files[name] = data[: one.start()] + _bytes(edit.text) + data[one.end() :]


def _valued(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """What stands behind an = sign, in TOML or an attribute, exchanged."""
    data = files[name]
    found = [*re.finditer(rb"= ?(\"[^\"]*\"|\[[^]\n]*\]|\{[^}\n]*\}|[\w.-]+)", data)]
    if found:
        one = found[edit.where % len(found)]
        files[name] = data[: one.start(1)] + _bytes(edit.text) + data[one.end(1) :]


def _celled(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """A cell of a table exchanged, as a program for tables would write it."""
    rows = [line.split(b",") for line in files[name].split(b"\n")]
    row = rows[edit.where % len(rows)]
    text = edit.text.replace('"', '""')
    row[edit.much % len(row)] = _bytes(f'"{text}"' if re.search('[",\n]', text) else text)
    files[name] = b"\n".join(b",".join(cells) for cells in rows)


def _columned(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """A column more, or one less."""
    rows = [line.split(b",") for line in files[name].split(b"\n")]
    column = edit.where % (max(map(len, rows)) + 1)
    for number, row in enumerate(rows):
        if edit.text and row != [b""]:
            row.insert(column, _bytes(re.sub('[",\n]', "", edit.text)) if number == edit.much % 2 or number == 0 else b"1")
        elif len(row) > 1:
            del row[column:][:1]
    files[name] = b"\n".join(b",".join(cells) for cells in rows)


def _lined(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """Lines repeated, removed or moved, or another one between them."""
    lines = files[name].split(b"\n")
    at, way = edit.where % len(lines), edit.much % 5
    if way == 0:
        del lines[at]
    elif way == 1:
        lines.insert(at, lines[at])
    elif way == 2:
        lines.insert(edit.much // 5 % len(lines), lines.pop(at))
    elif way == 3:
        del lines[at:]
    else:
        lines.insert(at, _bytes(edit.text))
    files[name] = b"\n".join(lines)


def _added(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """Lines at the end."""
    files[name] += b"\n" + _bytes(edit.text) + b"\n"


def _repeated(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """A part of the file many times."""
    data = files[name]
    start, length = edit.where % (len(data) + 1), 1 + edit.much % 60
    times = min((1, 3, 50, 3000, 60000)[edit.much % 5], 300_000 // length)
    files[name] = data[:start] + data[start : start + length] * times + data[start + length :]


def _nested(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """A text around another, again and again."""
    opened, closed = words.BRACKETS[edit.where % len(words.BRACKETS)]
    times = (3, 30, 150, 1000, 20_000)[edit.much % 5]
    inner = opened * times + edit.text + closed * times
    _spliced(files, name, Edit(edit.file, "", edit.much, 0, inner))


def _whole(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """The file is something else altogether."""
    files[name] = _bytes(edit.text)


def _encoded(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """As other programs would have saved it."""
    data = files[name]
    text = data.decode("utf-8", "replace")
    files[name] = (
        lambda: b"\xef\xbb\xbf" + data,
        lambda: text.encode("utf-16", "replace"),
        lambda: text.replace("\n", "\r\n").encode("utf-8", "replace"),
        lambda: text.replace("\n", "\r").encode("utf-8", "replace"),
        lambda: text.replace(",", ";").encode("utf-8", "replace"),
        lambda: text.replace(" ", "\u2028").encode("utf-8", "replace"),
        lambda: data[::-1],
        lambda: data[: edit.much % (len(data) + 1)],
        lambda: b"",
    )[edit.where % 9]()


def _gone(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """The file is not there."""
    del files[name]


def _swapped(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """One file with what another says."""
    other = sorted(files)[edit.where % len(files)]
    files[name], files[other] = files[other], files[name]


def _renamed(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """The file is called otherwise."""
    folder, _, rest = name.rpartition("/")
    files[f"{folder}/{edit.text.replace('/', '_') or rest}"] = files.pop(name)


def _placed(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """A file more, at a place that means something."""
    files[words.PLACES[edit.where % len(words.PLACES)]] = _bytes(edit.text)


def _foldered(files: dict[str, bytes], name: str, edit: Edit) -> None:
    """A folder where a file belongs."""
    files[f"{name}/{edit.text.replace('/', '_') or 'x'}"] = files.pop(name)


WAYS: Mapping[str, Callable[[dict[str, bytes], str, Edit], None]] = {
    "splice": _spliced,
    "word": _worded,
    "value": _valued,
    "cell": _celled,
    "column": _columned,
    "line": _lined,
    "add": _added,
    "repeat": _repeated,
    "nest": _nested,
    "whole": _whole,
    "encode": _encoded,
    "gone": _gone,
    "swap": _swapped,
    "rename": _renamed,
    "place": _placed,
    "folder": _foldered,
}

_number = st.integers(0, 4095)
_random = st.one_of(
    st.text(max_size=12),
    st.text(alphabet=st.characters(min_codepoint=0, max_codepoint=0xFF), max_size=40),
    st.text(alphabet="{}%#[]()<>&\"'`|\\/:;,.=*_~!+-0123456789eEx \n\t", max_size=30),
    st.integers().map(str),
    st.floats().map(str),
)


def _text(*kinds: Sequence[str]) -> st.SearchStrategy[str]:
    """Mostly words of these kinds, at times of others, or anything."""
    known = [st.sampled_from(kind) for kind in kinds]
    return st.one_of(*known, *known, st.sampled_from(words.ANY), _random)


def _edit(how: str, text: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[Edit]:
    return st.builds(Edit, _number, st.just(how), _number, _number, st.just("") if text is None else text)


_ANYWHERE = (
    *(_edit("splice", _random), _edit("splice", _text(words.ANY)), _edit("line", _text(words.ANY)), _edit("repeat")),
    *(_edit("nest", _text(words.ANY)), _edit("whole", _text(words.WHOLE)), _edit("encode"), _edit("gone"), _edit("swap")),
    *(_edit("rename", _text(words.NAMES)), _edit("place", _text(words.WHOLE)), _edit("folder", _text(words.NAMES))),
    _edit("word", _text(words.ANY)),
)
_BY_KIND: Mapping[str, tuple[st.SearchStrategy[Edit], ...]] = {
    "game.toml": (
        *3 * (_edit("value", st.sampled_from([*words.TOML, *words.SIZES])),),
        _edit("value", _random),
        *2 * (_edit("add", _text(words.SECTIONS)),),
        *(_edit("line", _text(words.SECTIONS)), _edit("word", _text(words.TOML_KEYS))),
    ),
    "rules.toml": (
        *2 * (_edit("value", _text(words.TOML)),),
        *3 * (_edit("value", st.sampled_from(words.EXPRESSIONS)),),
        *(_edit("add", _text(words.RULES)), _edit("word", _text(words.TOML_KEYS))),
    ),
    ".csv": (*3 * (_edit("cell", _text(words.CELLS)),), _edit("column", _text(words.COLUMNS)), _edit("line")),
    ".txt": (_edit("splice", _text(words.CELLS)), _edit("line", _text(words.CELLS))),
    ".j2": (
        *2 * (_edit("line", _text(words.JINJA, words.SVG)),),
        *(_edit("splice", _text(words.JINJA, words.SVG)), _edit("value", _text(words.ATTRIBUTES))),
        _edit("word", _text(words.ATTRIBUTES, words.JINJA)),
    ),
    ".svg": (
        *(_edit("line", _text(words.SVG)), _edit("value", _text(words.ATTRIBUTES)), _edit("splice", _text(words.SVG))),
        _edit("word", _text(words.ATTRIBUTES)),
    ),
    ".md": (*2 * (_edit("line", _text(words.MARKDOWN, words.BOOK)),), _edit("word", _text(words.BOOK, words.MARKDOWN))),
}
_FILES: dict[str, dict[str, list[int]]] = {}


def _places(start: str) -> dict[str, list[int]]:
    """The numbers of a game's files, by what kind of edit suits them."""
    if start not in _FILES:
        names = sorted(base(start))
        kinds = {kind: [n for n, name in enumerate(names) if name.endswith(kind)] for kind in _BY_KIND}
        _FILES[start] = {kind: numbers for kind, numbers in kinds.items() if numbers}
    return _FILES[start]


@st.composite
def cases(draw: st.DrawFn, drawn: bool | None = None) -> Case:
    """Any case; ``drawn``: only those whose commands draw, or only those that mostly do not."""
    if drawn is None:
        drawn = draw(st.integers(0, 99)) == 99
    starts = [*sound()][:-2] if drawn else [*sound()]
    start = draw(st.sampled_from(starts) if drawn or draw(st.integers(0, 3)) < 3 else st.sampled_from([*faulty()]))
    edits = []
    for _ in range(draw(st.integers(1, 4))):
        kinds = _places(start)
        kind = draw(st.sampled_from([*kinds, None]))
        if kind is None:
            edits.append(draw(st.one_of(*_ANYWHERE)))
            continue
        edit = draw(st.one_of(*_BY_KIND[kind]))
        numbers = kinds[kind]
        edits.append(Edit(numbers[edit.file % len(numbers)], edit.how, edit.where, edit.much, edit.text))
    return Case(start, tuple(edits), draw(st.sampled_from(DRAWN if drawn else HOW)))


class Fault(AssertionError):
    """A case that must not be; ``mark`` is what it has in common with others of its cause."""

    def __init__(self, mark: str, said: str) -> None:
        super().__init__(f"{mark}\n{said}")
        self.mark = mark


@dataclass
class Bench:
    """A folder in which cases are run one after the other, and what came of them."""

    folder: Path
    codes: Counter[int] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    timed: bool = False

    def run(self, files: Files, command: Sequence[str]) -> int:
        """The exit code of a command on a project of these files. Raises Fault."""
        project, temporary = self.folder / "project", self.folder / "temporary"
        for each in (project, temporary):
            shutil.rmtree(each, ignore_errors=True)
            each.mkdir(parents=True)
        write(files, project)
        if self.timed:
            _forget_memory()
        before, started = memory(), time.process_time()
        with _temporary(temporary):
            try:
                left = run(*command, at=project)
            except AssertionError as wrong:
                if str(wrong).rstrip().endswith("interrupted"):
                    raise KeyboardInterrupt from None
                faults = [path.read_text(encoding="utf-8") for path in sorted(temporary.glob("pnp-fault-*"))]
                raise Fault(_cause(faults[0] if faults else str(wrong)), "\n".join(faults) or str(wrong)) from None
            except Exception as wrong:
                raise Fault(f"raised: {type(wrong).__name__}", repr(wrong)) from wrong
        spent = time.process_time() - started
        self.codes[left.code] += 1
        self._look(left.out, left.err, [*temporary.iterdir()])
        if self.timed:
            self.slowest = max(self.slowest, spent)
            if spent > SECONDS + _of_tables(files) / BYTES_A_SECOND:
                raise Fault(f"slow: {command[0]}", f"{spent:.1f} s")
            if memory() - before > MEMORY:
                raise Fault(f"memory: {command[0]}", f"{(memory() - before) // 1_000_000} MB")
        return left.code

    def _look(self, out: str, err: str, leftover: list[Path]) -> None:
        for said in (out, err):
            if "Traceback (most recent" in said or re.search(r"<[\w.]+ object at 0x", said):
                raise Fault("python shows", said[:2000])
            try:
                said.encode()
            except UnicodeEncodeError as wrong:
                raise Fault("cannot be printed", repr(wrong)[:500]) from None
        if leftover:
            raise Fault("left behind", str(leftover))
        if out.startswith("{"):
            self.rules.update(
                problem["rule"]
                for game in json.loads(out).get("games", ())
                if "problems" in game
                for problem in game["problems"]
            )


def _of_tables(files: Files) -> int:
    """How large its tables are together."""
    return sum(len(data) for name, data in files.items() if name.endswith((".csv", ".txt", ".xlsx")))


def _cause(fault: str) -> str:
    """The kind of exception and the last line of ours that it went through."""
    ours = re.findall(r'File "[^"]*/(pnp/[\w/]+\.py)", line \d+, in (\w+)', fault)
    last = fault.strip().rpartition("\n")[2].partition(":")[0]
    return f"{last} in {'::'.join(ours[-1]) if ours else '?'}"


@contextlib.contextmanager
def _temporary(folder: Path) -> Iterator[None]:
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before


def memory() -> int:
    """The most memory that this process had since it was forgotten, in bytes; 0 where nobody knows."""
    with contextlib.suppress(OSError):
        found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text(encoding="ascii"))
        return int(found[1]) * 1024 if found else 0
    return 0


def _forget_memory() -> None:
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def write(files: Files, project: Path) -> None:
    """Files below a project; those with names that no file can have, or below another file, are left out."""
    (project / "content").mkdir(exist_ok=True)
    for name, data in sorted(files.items()):
        path = project / name.lstrip("/")
        with contextlib.suppress(OSError, ValueError):
            if ".." not in path.parts:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)


def stored(files: Files, command: Sequence[str], code: int | None, remark: str) -> str:
    """A case as a file of its own, to be kept: texts as texts, other bytes in base64."""
    shown = {}
    for name, data in sorted(files.items()):
        try:
            shown[name] = data.decode() if len(data) < 50_000 else {"base64": base64.b64encode(data).decode()}
        except UnicodeDecodeError:
            shown[name] = {"base64": base64.b64encode(data).decode()}
    seed = {"remark": remark, "command": list(command), "code": code, "files": shown}
    return json.dumps(seed, indent=1, ensure_ascii=True) + "\n"


def seed(path: Path) -> tuple[dict[str, bytes], list[str], int]:
    """Files, command and exit code of a seed."""
    kept: dict[str, Any] = json.loads(path.read_text(encoding="ascii"))
    files = {
        name: data.encode() if isinstance(data, str) else base64.b64decode(data["base64"])
        for name, data in kept["files"].items()
    }
    return files, kept["command"], kept["code"]
