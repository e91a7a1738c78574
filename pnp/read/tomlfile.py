"""TOML files checked against a model: what they say, where each key stands, and each fault as a Problem at its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from pnp.read.tomlfaults import bad_line
from pnp.shapes.colour import WRITTEN
from pnp.system.paths import file_within
from pnp.values.problems import Place, Problems, closest

MOST_BYTES = 1_000_000
# Parts of a dotted key; the work of the parser grows with their square.
MOST_PARTS = 64

_PART = r""""(?:\\.|[^"\\])*"|'[^']*'|[\w-]+"""
_DOTTED = rf"\s*((?:{_PART})(?:\s*\.\s*(?:{_PART}))*)\s*"
_HEADER = re.compile(rf"\s*(\[{{1,2}}){_DOTTED}\]")
_KEY = re.compile(rf"{_DOTTED}=")
_STRING_OR_COMMENT = re.compile(
    r'''"""(?:\\.|[^\\])*?"{3,5}|\'{3}.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*''', re.DOTALL
)


class Lines:
    """Where the keys of a TOML text stand, since the parser does not tell."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self._at: dict[tuple[str | int, ...], int] = {}
        counts: dict[tuple[str | int, ...], int] = {}
        table: tuple[str | int, ...] = ()
        for number, line in enumerate(self._without_long_texts(text).split("\n"), 1):
            if header := _HEADER.match(line):
                table = ()
                for part in self._parts(header[2]):
                    if table in counts:
                        table = (*table, counts[table] - 1)
                    table = (*table, part)
                self._at.setdefault(table, number)
                if header[1] == "[[":
                    counts[table] = counts.get(table, 0) + 1
                    table = (*table, counts[table] - 1)
                    self._at[table] = number
            elif key := _KEY.match(line):
                self._at.setdefault(table + self._parts(key[1]), number)

    @staticmethod
    def _without_long_texts(text: str) -> str:
        """Texts of several lines as empty lines, so that nothing in them is taken for a key."""
        return _STRING_OR_COMMENT.sub(lambda found: "\n" * found[0].count("\n") or found[0], text)

    @staticmethod
    def _parts(dotted: str) -> tuple[str, ...]:
        return tuple(part if part[0] not in "\"'" else part[1:-1] for part in re.findall(_PART, dotted))

    def place(self, *path: str | int) -> Place:
        """The line of the key, of the first one in it, or of the nearest table around it; the column is the dotted key."""
        dotted = ".".join(str(part) for part in path if not isinstance(part, int))
        for length in range(len(path), 0, -1):
            if row := self._at.get(path[:length]):
                return Place(self.file, row, dotted)
            inside = (row for key, row in self._at.items() if key[:length] == path[:length])
            if row := next(inside, None):
                return Place(self.file, row, dotted)
        return Place(self.file, None, dotted or None)


def load_toml(
    path: Path, shown: str, missing: str, problems: Problems, instead: bytes | None = None
) -> tuple[dict[str, Any], Lines] | None:
    """What a TOML file says and where; None, with the reason, when it cannot be read.

    ``missing`` is the hint when there is no such file; that is no fault where it is empty. ``instead``
    is read in place of what the file says.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"it is larger than {MOST_BYTES // 1_000_000} MB")
        if not file_within(path.parent, path):
            raise ValueError("it is no file of this folder")
        text = (path.read_bytes() if instead is None else instead).decode("utf-8-sig")
        if _deepest(text) >= MOST_PARTS:
            raise ValueError(f"a key in it has more than {MOST_PARTS} parts")
        return tomllib.loads(text.replace("\r\n", "\n")), Lines(shown, text)
    except FileNotFoundError:
        if missing:
            problems.unreadable = True
            problems.error("no-game-file", Place(shown), "there is no such file", hint=missing)
    except tomllib.TOMLDecodeError as error:
        problems.unreadable = True
        # The words are tomllib's.
        at = re.search(r"at line (\d+), column (\d+)", str(error))
        reason = str(error).partition(" (at ")[0]
        lines = text.split("\n")
        bad = bad_line(f"{reason[:1].lower()}{reason[1:]}", lines[int(at[1]) - 1].rstrip("\r") if at else "")
        problems.error("broken-toml", Place(shown, int(at[1]) if at else None), bad.message, value=bad.value, hint=bad.hint)
    except UnicodeDecodeError as error:
        problems.unreadable = True
        wrong = f"{error.object[error.start]:#04x}"
        problems.error(
            "unreadable-game-file",
            Place(shown, error.object.count(b"\n", 0, error.start) + 1),
            "it is written in UTF-16, as Notepad does for Unicode"
            if error.object[:2] in (b"\xff\xfe", b"\xfe\xff")
            else f"the byte {wrong} is not UTF-8",
            value=wrong,
            allowed="UTF-8 text",
            hint="Save the file again in your editor, with the encoding UTF-8.",
        )
    except (OSError, ValueError, RecursionError) as error:
        problems.unreadable = True
        problems.error("unreadable-game-file", Place(shown), f"the file cannot be read: {error}")
    return None


def _deepest(text: str) -> int:
    """The dots of the longest run of names and dots; those between the sentences of a text have blanks in between."""
    close = re.sub(r"[ \t]+", " ", text).replace(" .", ".").replace(". ", ".")
    close = re.sub(r"\.{2,}", " ", close)
    return max(run.count(".") for run in re.split(r"[^\w.\"'-]+", close))


class Model:
    """The model of a whole file, asked for the keys of its sections; ``patterns`` says in words what a text must look
    like that has to match one. The entries of sections named in ``kinds`` have one of several models each: which one
    stands in the path of a fault behind the entry's name."""

    def __init__(
        self,
        root: type[BaseModel],
        kinds: Mapping[str, Mapping[str, type[BaseModel]]] = MappingProxyType({}),
        patterns: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.root = root
        self.patterns = dict(patterns)
        self._kinds = kinds

    def typed(self, path: tuple[str | int, ...]) -> list[str | int]:
        """The path as it stands in the file."""
        return [*path[:2], *path[3:]] if self._of_kind(path) else list(path)

    def keys(self, path: tuple[str | int, ...]) -> list[str]:
        """The keys of the section at ``path``, as they are typed."""
        return [field.alias or key for key, field in self._at(path).model_fields.items()]

    def described(self, path: tuple[str | int, ...]) -> str:
        """What the key at ``path`` is for, to go on with in a sentence."""
        field = self._field(self._at(path[:-1]), path[-1])
        description = (field.description or "").rstrip(".") if field else ""
        return description[:1].lower() + description[1:]

    def _of_kind(self, path: tuple[str | int, ...]) -> type[BaseModel] | None:
        """The model of the entry that a path leads into, if there are several."""
        return self._kinds.get(str(path[0]), {}).get(str(path[2])) if len(path) > 2 else None

    def _at(self, path: tuple[str | int, ...]) -> type[BaseModel]:
        model = self._of_kind(path)
        model, path = (self.root, path) if model is None else (model, path[3:])
        for part in path:
            field = self._field(model, part)
            model = (_inner_model(field.annotation) if field else None) or model
        return model

    @staticmethod
    def _field(model: type[BaseModel], key: str | int) -> FieldInfo | None:
        return next((field for name, field in model.model_fields.items() if key == (field.alias or name)), None)


def report_fault(fault: ErrorDetails, model: Model, lines: Lines, problems: Problems) -> None:
    """A fault that the model found, as a Problem at its key."""
    path, given = fault["loc"], fault["input"]
    is_name = len(path) > 1 and path[-1] == "[key]" and path[-2] == given
    if is_name:
        path = path[:-1]
    typed_path = model.typed(path)
    place, key = lines.place(*typed_path), str(typed_path[-1])
    if fault["type"] == "extra_forbidden":
        known = model.keys(path[:-1])
        problems.unknown("unknown-key", place, f'"{key}" is not a key here', key, known, most=20)
    elif fault["type"] == "missing":
        hint = f"Write {key} = … in this section." if len(path) > 1 else f"Add a section [{key}]."
        problems.error("missing-key", place, f'"{key}" is missing', allowed=model.described(path), hint=hint)
    else:
        typed = _typed(given)
        shown = {str: f'"{typed[:80]}"', bool: typed.lower(), list: "a list", dict: "a section"}.get(type(given), typed)
        named = f"the name {shown}" if is_name else shown
        options = fault.get("ctx", {}).get("expected", "")
        message = fault["msg"][:1].lower() + fault["msg"][1:]
        if options:
            problems.error(
                "unknown-value",
                place,
                f"{shown} is not a value of {key}",
                value=typed,
                allowed=options.replace("'", ""),
                hint=closest(_OTHER_WORDS.get(typed.lower(), typed), re.findall(r"'([^']+)'", options)),
            )
        else:
            pattern = fault.get("ctx", {}).get("pattern", "")
            described = model.described(path)
            problems.error(
                "bad-value",
                place,
                f"{named} is not right: {(_PATTERNS | model.patterns).get(pattern) or _TYPES.get(fault['type'], message)}",
                value=typed[:80],
                hint=_written(key, given, fault["type"], is_name) or (f"{key}: {described}." if described else ""),
            )


def _typed(given: object) -> str:
    """A value as text; what Python will not write out (endless numbers, bottomless nesting) as dots."""
    try:
        return str(given)
    except (ValueError, RecursionError):
        return "…"


def _written(key: str, given: object, fault: str, is_name: bool) -> str:
    """How a value is written that has or lacks quotation marks or brackets, and a name in letters that it may have."""
    if is_name:
        name = re.sub(r"[^a-z0-9_]+", "-", str(given).lower()).strip("-_")
        return f"Write {name}." if name else ""
    text = _typed(given)
    if fault == "list_type" and isinstance(given, str):
        return f'Write {key} = ["{text}"].'
    if fault == "string_type" and isinstance(given, int | float) and not isinstance(given, bool):
        return f'Write {key} = "{text}".'
    if (fault.startswith(("int_", "float_")) and re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", text)) or (
        fault.startswith("bool_") and text in ("true", "false")
    ):
        return f"Write {key} = {text}." if isinstance(given, str) else ""
    return ""


# What other programs call the types of columns.
_OTHER_WORDS = {
    **dict.fromkeys(("int", "integer"), "whole"),
    **dict.fromkeys(("float", "decimal", "double"), "number"),
    **dict.fromkeys(("string", "str"), "text"),
    **dict.fromkeys(("bool", "boolean", "checkbox"), "flag"),
    "color": "colour",
}

_PATTERNS = {
    WRITTEN: "a colour is written #rrggbb",
    r"^[a-z0-9][a-z0-9_-]{0,63}$": "a name has small letters, digits, - and _ only",
    r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$": "a language is written en, de, pt-BR …",
}

_TYPES = {
    "string_type": "a text in quotation marks is needed",
    "int_type": "a whole number without quotation marks is needed",
    "float_type": "a number without quotation marks is needed",
    "bool_type": "true or false is needed, without quotation marks",
    "list_type": "a list in square brackets is needed",
    "dict_type": "a section with keys of its own is needed",
    "model_type": "a section with keys of its own is needed",
}


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_inner_model, getattr(annotation, "__args__", ()))), None)
