"""``game.toml`` → :class:`pnp.read.schema.GameFile`, each fault a Problem at its line."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from pnp.problems import Place, Problems, closest, listed
from pnp.read.schema import SPECIAL_KEYS, ComponentRules, GameFile, kind_keys

MOST_BYTES = 1_000_000

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
        """The line of the key, or of the nearest table around it; the column is the dotted key."""
        dotted = ".".join(str(part) for part in path if not isinstance(part, int))
        for length in range(len(path), 0, -1):
            if row := self._at.get(path[:length]):
                return Place(self.file, row, dotted)
        return Place(self.file, None, dotted or None)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed game.toml. When it is not ``sound``, ``rules`` is what is left without the faulty parts:
    enough to look at the tables, so that their faults are told in the same go."""

    rules: GameFile
    lines: Lines
    sound: bool


def read_game_file(path: Path, shown: str, problems: Problems) -> Parsed | None:
    """The parsed file and the places of its keys; None, with the reasons, when nothing of it can be used."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"it is larger than {MOST_BYTES // 1_000_000} MB")
        text = path.read_bytes().decode("utf-8-sig")
        data = tomllib.loads(text.replace("\r\n", "\n"))
    except FileNotFoundError:
        problems.unreadable = True
        problems.error("no-game-file", Place(shown), "there is no such file", hint="A game is a folder with a game.toml.")
        return None
    except tomllib.TOMLDecodeError as error:
        problems.unreadable = True
        at = re.search(r"at line (\d+), column (\d+)", str(error))
        reason = str(error).partition(" (at ")[0]
        problems.error(
            "broken-toml",
            Place(shown, int(at[1]) if at else None),
            f"this is not TOML: {reason[:1].lower()}{reason[1:]}",
            hint="A section or key stands once in a file: put together what belongs together."
            if "overwrite" in reason or "twice" in reason
            else 'Texts stand in quotation marks: name = "Pirates".',
        )
        return None
    except UnicodeDecodeError as error:
        problems.unreadable = True
        wrong = f"{error.object[error.start]:#04x}"
        problems.error(
            "unreadable-game-file",
            Place(shown, error.object.count(b"\n", 0, error.start) + 1),
            f"the byte {wrong} is not UTF-8",
            value=wrong,
            allowed="UTF-8 text",
            hint="Save the file again in your editor, with the encoding UTF-8.",
        )
        return None
    except (OSError, ValueError, RecursionError) as error:
        problems.unreadable = True
        problems.error("unreadable-game-file", Place(shown), f"the file cannot be read: {error}")
        return None
    lines = Lines(shown, text)
    before = len(problems.errors)
    faults: list[ErrorDetails] = []
    rules: GameFile | None = None
    try:
        rules = GameFile.model_validate(data)
    except ValidationError as error:
        faults = error.errors()
    for fault in faults:
        _report(fault, lines, problems)
    _check_kinds(data, lines, problems)
    sound = len(problems.errors) == before
    if rules is None:
        rules = _remainder(data, faults)
    return Parsed(rules, lines, sound) if rules is not None else None


def _check_kinds(data: dict[str, Any], lines: Lines, problems: Problems) -> None:
    """Every component has the keys that its kind needs, and none of another kind's."""
    components = data.get("component")
    for name, component in components.items() if isinstance(components, dict) else ():
        if not isinstance(component, dict):
            continue
        needed, possible = kind_keys(component)
        for key in needed:
            if key not in component:
                problems.error(
                    "missing-key",
                    lines.place("component", name, key),
                    f'"{key}" is missing',
                    allowed=_described(["component", name, key]),
                    hint=f"Write {key} = … in this section.",
                )
        if "copies" in component and "table" in component and "copies" in possible:
            problems.error(
                "two-copies",
                lines.place("component", name, "copies"),
                "the rows of its table say how many there are, and so does copies",
                hint="Take copies away, or give the table a column copies and leave it to that.",
            )
        for key in SPECIAL_KEYS:
            if key in component and key not in possible:
                problems.error(
                    "unknown-key",
                    lines.place("component", name, key),
                    f'"{key}" is not a key of the kind {component.get("kind", "card")}',
                    value=key,
                    allowed=listed(possible),
                )


def _remainder(data: dict[str, Any], faults: list[ErrorDetails]) -> GameFile | None:
    """The tables and components that nothing is wrong with."""
    faulty = {fault["loc"][:2] for fault in faults}
    kept: dict[str, Any] = {"game": {"name": "?"}}
    for section in ("palette", "table", "component"):
        entries = data.get(section)
        if isinstance(entries, dict):
            kept[section] = {key: value for key, value in entries.items() if (section, key) not in faulty}
    try:
        return GameFile.model_validate(kept)
    except ValidationError:
        return None


def _report(fault: ErrorDetails, lines: Lines, problems: Problems) -> None:
    path, given = list(fault["loc"]), fault["input"]
    is_name = len(path) > 1 and path[-1] == "[key]" and path[-2] == given
    if is_name:
        path.pop()
    place, key = lines.place(*path), str(path[-1])
    if fault["type"] == "extra_forbidden":
        known = _keys_at(tuple(path[:-1]))
        problems.error(
            "unknown-key",
            place,
            f'"{key}" is not a key here',
            value=key,
            allowed=listed(known, 20),
            hint=closest(key, known),
        )
    elif fault["type"] == "missing":
        hint = f"Write {key} = … in this section." if len(path) > 1 else f"Add a section [{key}]."
        problems.error("missing-key", place, f'"{key}" is missing', allowed=_described(path), hint=hint)
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
                hint=closest(typed, re.findall(r"'([^']+)'", options)),
            )
        else:
            pattern = fault.get("ctx", {}).get("pattern", "")
            problems.error(
                "bad-value",
                place,
                f"{named} is not right: {_PATTERNS.get(pattern) or _TYPES.get(fault['type'], message)}",
                value=typed[:80],
                hint=f"{key}: {described}." if (described := _described(path)) else "",
            )


def _typed(given: object) -> str:
    """A value as text; what Python will not write out (endless numbers, bottomless nesting) as dots."""
    try:
        return str(given)
    except (ValueError, RecursionError):
        return "…"


_PATTERNS = {
    r"^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$": "a colour is written #rrggbb",
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


def _model_at(path: tuple[str | int, ...]) -> type[BaseModel]:
    """The model that rules the section at ``path`` of a game.toml."""
    model: type[BaseModel] = GameFile
    for part in path:
        field = model.model_fields.get(str(part)) if not isinstance(part, int) else None
        inner = _inner_model(field.annotation) if field else None
        model = inner or model
    return model


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_inner_model, getattr(annotation, "__args__", ()))), None)


def _keys_at(path: tuple[str | int, ...]) -> list[str]:
    """The keys of a section; of a component those that every kind has, and a card's."""
    model = _model_at(path)
    others = set(SPECIAL_KEYS) - {"size"} if model is ComponentRules else set()
    return [key for key in model.model_fields if key not in others]


def _described(path: list[str | int]) -> str:
    field = _model_at(tuple(path[:-1])).model_fields.get(str(path[-1]))
    description = (field.description or "").rstrip(".") if field else ""
    return description[:1].lower() + description[1:]
