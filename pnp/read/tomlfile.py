"""Reads TOML files against a model: finds the line of each key, reports faults there, lists numbers."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from pnp.dataclass import dataclass
from pnp.shapes.colour import WRITTEN, code_of
from pnp.system.paths import file_within
from pnp.values.problems import Fault, Place, Problems, closest, listed, nearest
from pnp.values.walk import grouped

CURLY = "“”„‟‘’‚‛«»"
# Spaces that come in by copying and look like spaces.
_ODD_SPACE = re.compile("[\u00a0\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]")
_DASH = re.compile(r"[–—−]\s*\d")
_BARE = re.compile(r"\s*([\w-]+)\s*=\s*([^\s\"'\[{#][^#]*?)\s*(?:#.*)?")
_TEXT = re.compile(r"""\s*([\w-]+)\s*=\s*"(.*)"\s*(?:#.*)?""")
_UNSIGNED = re.compile(r"\s*([\w-]+)\s*(?::\s*|\s)(\S.*)")
_SPACED = re.compile(r"\s*([\w-]+(?:\s+[\w-]+)+)\s*=(.*)")
_SECTION = re.compile(r"\s*\[+([^\]\[]*)\]*\s*")
LONGEST = 300
"""Letters of a line that are looked at."""
TWICE = "A section or key stands once in a file: put together what belongs together."


QUOTED = 'Texts stand in quotation marks: name = "Pirates".'


def bad_line(reason: str, line: str) -> Fault:
    """Explains a parser's error with the line where it stopped."""
    shown = line.strip()[:40]
    if "overwrite" in reason or "twice" in reason:
        return Fault(f"this stands a second time: {shown}", shown, hint=TWICE)
    line = line[:LONGEST]
    if found := next(_slips(line), None):
        return found
    if "unescaped '\\'" in reason:
        hint = 'Write / in paths: "tables/cards.csv".'
        return Fault('a \\ in a text begins something special, such as "\\n"', "\\", hint=hint)
    if "Illegal character '\\n'" in reason or "illegal character '\\n'" in reason:
        return Fault("a quotation mark or a bracket is opened in this line and not closed in it", shown, hint=QUOTED)
    if re.search(r"[\w\"'\]}]\s*[,;]\s*(#.*)?$", line):
        return Fault("the line ends in a comma or semicolon", shown, hint="Delete it: TOML has none there.")
    if re.match(r"\s*[\w.-]+\s*=\s*(#|$)", line):
        colour = re.search(r"#[0-9a-fA-F]{3,8}\b", line)
        hint = f'A colour stands in quotation marks: "{colour[0]}".' if colour else QUOTED
        return Fault("nothing stands behind the =; what follows a # is a note", shown, hint=hint)
    return Fault(f"this is not TOML: {reason}", shown, hint=QUOTED)


def _slips(line: str) -> Iterator[Fault]:
    """What people write in a line that is no TOML, the likeliest first: odd letters, sections, values, keys."""
    shown = line.strip()[:40]
    outside = re.sub(r'"(?:\\.|[^"\\])*"|\'[^\']*\'', '""', line)
    if curly := next((letter for letter in outside if letter in CURLY), ""):
        hint = "Type straight ones, in a text editor: a word processor bends them."
        yield Fault(f"there is a curly quotation mark, {curly}", curly, hint=hint)
    if odd := _ODD_SPACE.search(outside):
        hint = "Type the space anew: it came in by copying."
        yield Fault(f"there is a space that is none (U+{ord(odd[0]):04X})", odd[0], hint=hint)
    if dash := _DASH.search(outside):
        yield Fault(f"there is a dash, {dash[0][0]}, where a minus belongs", dash[0], hint=f"Write -{dash[0][-1]}.")
    if outside.lstrip().startswith((";", "//", "/*", "--", "<!--")):
        yield Fault("a note begins with #", outside.split()[0], hint=f"Write # {outside.strip().lstrip(';/*-<! ')[:40]}")
    if line.lstrip().startswith("["):
        name = (found[1] if (found := _SECTION.match(line)) else "").strip()
        right = ".".join(re.sub(r"\s+", "-", part.strip()) for part in name.split("."))
        if line.count("[") != line.count("]"):
            yield Fault("a bracket of the section is missing", line.strip(), hint=f"Write [{right}].")
        if " " in name:
            yield Fault("a section's name has no spaces", name, hint=f"Write [{right}].")
    if found := _BARE.fullmatch(line):
        key, value = found[1], found[2].strip("\"'")
        if value.lower() in ("true", "false", "yes", "no"):
            yield Fault(f"{found[2]} is not a value", found[2], hint="Write true or false, in small letters.")
        # Numbers and brackets that the parser stopped at have something else wrong with them.
        if not re.fullmatch(r"[+-]?[\d_.]+|[\[\]{}].*", value):
            yield Fault(f"{found[2]} stands without quotation marks", found[2], hint=f'Write {key} = "{value}".')
        if re.fullmatch(r"[+-]?0\d+", value):
            hint = f'Write {key} = {value.lstrip("0") or "0"}, or "{value}" if it is a text.'
            yield Fault(f"{value} begins with 0", value, hint=hint)
    if (found := _TEXT.fullmatch(line)) and re.search(r'(?<!\\)"', found[2]):
        hint = f"Put single ones around it: {found[1]} = '{found[2]}'."
        yield Fault("there is a quotation mark inside a text", found[2], hint=hint)
    if line.count('"') % 2:
        yield Fault("a quotation mark is opened and not closed", shown, hint='Write it on both sides: name = "Pirates".')
    if (inline := re.search(r"\{\s*([\w-]+)\s*:\s*", outside)) and "=" in outside[: inline.start()]:
        yield Fault(f"between {inline[1]} and its value stands no =", shown, hint=f"Write {{ {inline[1]} = … }}.")
    if line.startswith("{\\rtf"):
        yield Fault("a word processor saved this file as RTF", shown, hint="Save it as plain text, in a text editor.")
    if line.count("{") > line.count("}"):
        yield Fault("a { … } is not closed in its line", shown, hint="Write all of { … } in one line.")
    if found := _SPACED.fullmatch(line):
        right = re.sub(r"\s+", "-", found[1])
        yield Fault("a key has no spaces", found[1], hint=f"Write {right} ={found[2]}, and the same where it is used.")
    if "=" not in line and (found := _UNSIGNED.fullmatch(line)):
        yield Fault(f"between {found[1]} and its value stands no =", shown, hint=f"Write {found[1]} = {found[2]}.")


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
    """Finds the lines of a TOML text's keys, which the parser does not tell."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self._at: dict[tuple[str | int, ...], int] = {}
        self._inside: dict[tuple[str | int, ...], int] = {}
        """The line of the first key below each."""
        counts: dict[tuple[str | int, ...], int] = {}
        table: tuple[str | int, ...] = ()
        # Without texts of several lines.
        text = _STRING_OR_COMMENT.sub(lambda found: "\n" * found[0].count("\n") or found[0], text)
        for number, line in enumerate(text.split("\n"), 1):
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
        for path, number in self._at.items():
            for length in range(1, len(path)):
                self._inside.setdefault(path[:length], number)

    @staticmethod
    def _parts(dotted: str) -> tuple[str, ...]:
        return tuple(part if part[0] not in "\"'" else part[1:-1] for part in re.findall(_PART, dotted))

    def place(self, *path: str | int) -> Place:
        """The line of a key, of its first subkey, or of the nearest table around it; the column is the dotted key."""
        dotted = ".".join(str(part) for part in path if not isinstance(part, int))
        for length in range(len(path), 0, -1):
            if row := self._at.get(path[:length]):
                return Place(self.file, row, dotted)
            if row := self._inside.get(path[:length]):
                return Place(self.file, row, dotted)
        return Place(self.file, None, dotted or None)


def parsed(text: str) -> dict[str, Any]:
    """Parses TOML text into a dict without checking its keys. Raises Fault for broken TOML."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Fault(f"it cannot be read: {error}") from None


def load_toml(
    path: Path, shown: str, missing: str, problems: Problems, instead: bytes | None = None
) -> tuple[dict[str, Any], Lines] | None:
    """A TOML file's data and lines; None, with a Problem, when it cannot be read.

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
        problems.extend([bad.problem("broken-toml", Place(shown, int(at[1]) if at else None))])
    except UnicodeDecodeError as error:
        problems.unreadable = True
        wrong = f"{error.object[error.start]:#04x}"
        place = Place(shown, error.object.count(b"\n", 0, error.start) + 1)
        message = (
            "it is written in UTF-16, as Notepad does for Unicode"
            if error.object[:2] in (b"\xff\xfe", b"\xfe\xff")
            else f"the byte {wrong} is not UTF-8"
        )
        hint = "Save the file again in your editor, with the encoding UTF-8."
        problems.error("unreadable-game-file", place, message, value=wrong, allowed="UTF-8 text", hint=hint)
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
    """The model of a whole file, asked for the keys of its sections. The entries of sections named in ``kinds`` have one
    of several models each: which one stands in the path of a fault behind the entry's name."""

    def __init__(
        self, root: type[BaseModel], kinds: Mapping[str, Mapping[str, type[BaseModel]]] = MappingProxyType({})
    ) -> None:
        self.root, self._kinds = root, kinds

    def typed(self, path: tuple[str | int, ...]) -> list[str | int]:
        """The path as typed in the file."""
        return [*path[:2], *path[3:]] if self._of_kind(path) else list(path)

    def keys(self, path: tuple[str | int, ...]) -> list[str]:
        """The keys of the section at ``path``, as typed."""
        return [field.alias or key for key, field in self._at(path).model_fields.items()]

    def described(self, path: tuple[str | int, ...]) -> str:
        """The purpose of the key at ``path``, as the rest of a sentence."""
        field = self._field(self._at(path[:-1]), path[-1])
        description = (field.description or "").rstrip(".") if field else ""
        return description[:1].lower() + description[1:]

    def _of_kind(self, path: tuple[str | int, ...]) -> type[BaseModel] | None:
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


def causes(faults: list[ErrorDetails]) -> list[ErrorDetails]:
    """Faults without those that follow from another: a key is missing only because its name is misspelt."""
    strange = grouped((fault["loc"][:-1], str(fault["loc"][-1])) for fault in faults if fault["type"] == "extra_forbidden")
    return [
        fault
        for fault in faults
        if fault["type"] != "missing" or not nearest(str(fault["loc"][-1]), strange.get(fault["loc"][:-1], []))
    ]


def report_fault(fault: ErrorDetails, model: Model, lines: Lines, problems: Problems) -> None:
    """Reports a model's fault at its key, in the fault's own words (``fields.wrong``) if it has some."""
    path, given = fault["loc"], fault["input"]
    is_name = len(path) > 1 and path[-1] == "[key]" and path[-2] == given
    if is_name:
        path = path[:-1]
    typed_path = model.typed(path)
    place, key = lines.place(*typed_path), str(typed_path[-1])
    if fault["type"] == "extra_forbidden":
        known = model.keys(path[:-1])
        ours = _OTHER_KEYS.get(key.lower(), key.lower())
        hint = f"Write {ours}." if ours in known else closest(key, known)
        if key.lower() in ("orientation", "landscape") and "size" in known:
            hint = 'Exchange width and height in size, as in "88mm x 63mm".'
        if not hint and len(typed_path) == 1 and isinstance(given, dict) and "component" in known:
            hint = f"A component's section is written [component.{key}]."
        if len(typed_path) == 1 and (file := next((file for file in _SECTIONS if key in _SECTIONS[file].split()), "")):
            hint = f"[{key}] stands in {file}."
        problems.error("unknown-key", place, f'"{key}" is not a key here', value=key, allowed=listed(known, 20), hint=hint)
    elif fault["type"] == "missing":
        hint = f"Write {key} = … in this section." if len(path) > 1 else f"Add a section [{key}]."
        problems.error("missing-key", place, f'"{key}" is missing', allowed=model.described(path), hint=hint)
    elif {"allowed", "hint"} <= set(fault.get("ctx", {})):
        told = {key: fault["ctx"][key] for key in ("allowed", "hint")}
        problems.error(fault["type"], place, fault["msg"], value=_typed(given)[:80], **told)
    else:
        typed = _typed(given)
        shown = {str: f'"{typed[:80]}"', bool: typed.lower(), list: "a list", dict: "a section"}.get(type(given), typed)
        named = f"the name {shown}" if is_name else shown
        options = fault.get("ctx", {}).get("expected", "")
        message = fault["msg"][:1].lower() + fault["msg"][1:]
        if fault["type"] == "too_long" and isinstance(given, list | dict):
            message = f"there are {len(given)}, and {fault['ctx']['max_length']} are the most"
        if options:
            what = f"{shown} is not a value of {key}"
            known, ours = re.findall(r"'([^']+)'", options), _OTHER_WORDS.get(typed.lower(), "")
            way = f'Did you mean "{ours}"?' if ours in known else closest(typed, known)
            problems.error("unknown-value", place, what, value=typed, allowed=options.replace("'", ""), hint=way)
        else:
            pattern = fault.get("ctx", {}).get("pattern", "")
            described = model.described(path)
            kind = "too_short" if given in ("", []) else fault["type"]
            needed = _TYPES.get(kind, "").format(**fault.get("ctx", {})) or message
            what = f"{named} is not right: {_PATTERNS.get(pattern) or needed}"
            way = _meant(key, typed, pattern) or _written(key, given, fault["type"], is_name)
            way = way or (f"{key}: {described}." if described else "")
            problems.error("bad-value", place, what, value=typed[:80], hint=way)


def _meant(key: str, typed: str, pattern: str) -> str:
    """How a colour, a language or the name of a number is written, where what was typed shows which is meant."""
    if pattern == WRITTEN and (code := code_of(typed)):
        return f'Write {key} = "{code}".'
    if pattern.startswith("^[A-Za-z_]"):
        return f"Write {name}." if (name := re.sub(r"\W+", "_", typed, flags=re.ASCII).strip("_")) else ""
    code = re.sub("[-_].*", lambda land: f"-{land[0][1:].upper()}", typed.lower())
    named = {"english": "en", "deutsch": "de", "german": "de", "french": "fr", "spanish": "es"}.get(code, code)
    return f'Write {key} = "{named}".' if pattern == LANGUAGE and re.fullmatch(LANGUAGE, named) else ""


def _typed(given: object) -> str:
    """A value as text; dots for what Python refuses to print."""
    try:
        return str(given)
    except (ValueError, RecursionError):
        return "…"


def _written(key: str, given: object, fault: str, is_name: bool) -> str:
    if is_name:
        name = re.sub(r"[^a-z0-9_]+", "-", str(given).lower()).strip("-_")
        return f"Write {name}." if name else ""
    text = _typed(given)
    if fault in ("list_type", "tuple_type") and isinstance(given, str):
        each = [part.strip() for part in text.split(",") if part.strip()]
        parts = ", ".join(f'"{part}"' for part in each)
        return f"Write {key} = [{parts}]."
    if fault == "string_type" and isinstance(given, int | float) and not isinstance(given, bool):
        return f'Write {key} = "{text}{"mm" if key in _LENGTHS else ""}".'
    if fault == "string_pattern_mismatch" and (plain := re.fullmatch(r"(?:.*[/\\])?([a-z0-9][a-z0-9_-]*)(\.\w+)+", text)):
        return f'Write "{plain[1]}".'
    if (fault.startswith(("int_", "float_")) and re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", text)) or (
        fault.startswith("bool_") and text in ("true", "false")
    ):
        return f"Write {key} = {text}." if isinstance(given, str) else ""
    return ""


# Keys whose value is a length. A size of two is typed the same way where it is one: a square, a circle.
_LENGTHS = {*("hex", "cell", "size", "bleed", "base", "depth", "height"), *("tab", "pin", "room", "inner", "outer", "most")}

# What other programs call the types of columns, and people the kinds of pieces.
_OTHER_WORDS = {
    **dict.fromkeys(("int", "integer"), "whole"),
    **dict.fromkeys(("float", "decimal", "double"), "number"),
    **dict.fromkeys(("string", "str"), "text"),
    **dict.fromkeys(("bool", "boolean", "checkbox"), "flag"),
    "color": "colour",
    **dict.fromkeys(("deck", "hand"), "card"),
    **dict.fromkeys(("hex", "hexes", "hexagon"), "tile"),
    **dict.fromkeys(("chit", "counter", "coin", "marker", "disc", "square"), "token"),
    **dict.fromkeys(("map", "mat", "playmat"), "board"),
    **dict.fromkeys(("meeple", "figure", "miniature"), "pawn"),
    "tuckbox": "box",
}

# What people call our keys.
_OTHER_KEYS = {
    **dict.fromkeys(("quantity", "qty", "amount", "count", "number"), "copies"),
    **dict.fromkeys(("csv", "file", "data", "sheet"), "table"),
    **dict.fromkeys(("design", "layout", "front", "face"), "template"),
    **dict.fromkeys(("reverse", "backside"), "back"),
    **dict.fromkeys(("dimensions", "format", "width", "height"), "size"),
    **dict.fromkeys(("name", "label"), "title"),
}

_SECTIONS = {
    "game.toml": "game palette fonts texts table component layout book expect",
    "rules.toml": "numbers setup claim words economy exchange movement shuffle colours agree alike pile fit allow",
}
LANGUAGE = r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$"
_PATTERNS = {
    WRITTEN: "a colour is written #rrggbb",
    r"^[a-z0-9][a-z0-9_-]{0,63}$": "a name has small letters, digits, - and _ only",
    r"^[A-Za-z_][A-Za-z0-9_]{0,63}$": "the name of a number is made of letters, figures and _",
    LANGUAGE: "a language is written en, de, pt-BR …",
    r"^([a-z0-9][a-z0-9_-]{0,63}|[a-z]{2,3}(-[A-Za-z0-9]{2,8})*)$": (
        "a name has small letters, digits, - and _ only, and a language is written en, de, pt-BR …"
    ),
}

_TYPES = {
    "string_type": "a text in quotation marks is needed",
    "int_type": "a whole number without quotation marks is needed",
    "float_type": "a number without quotation marks is needed",
    "bool_type": "true or false is needed, without quotation marks",
    **dict.fromkeys(("list_type", "tuple_type"), "a list in square brackets is needed"),
    **dict.fromkeys(("too_short", "string_too_short"), "it must not be empty"),
    "string_too_long": "it is too long: {max_length} letters at most",
    "greater_than_equal": "it must be {ge} or more",
    "less_than_equal": "it must be {le} or less",
    "dict_type": "a section with keys of its own is needed",
    "model_type": "a section with keys of its own is needed",
}


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_inner_model, getattr(annotation, "__args__", ()))), None)


# What lies side by side may be alike: the panels of a screen, the faces of a die, the numbers in a phrase.
_REPEATED = ("panels", "faces", "counts")


def tell_doubled(data: Mapping[str, Any], lines: Lines, problems: Problems, path: tuple[str | int, ...] = ()) -> None:
    """Reports every list of texts, below any section, that repeats one."""
    for key, value in data.items():
        here = (*path, key)
        if key in _REPEATED:
            continue
        if isinstance(value, dict):
            tell_doubled(value, lines, problems, here)
        for number, each in enumerate(value if isinstance(value, list) else ()):
            if isinstance(each, dict):
                tell_doubled(each, lines, problems, (*here, number))
        texts = [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
        for text, times in Counter(texts).items():
            if times > 1:
                message = f'"{text}" stands {"twice" if times == 2 else f"{times} times"} in this list'
                hint = "Was another meant? Else take one away."
                problems.warn("double-value", lines.place(*here), message, value=text, hint=hint)


_TOKEN = re.compile(
    r"(?P<comment>#[^\n]*)"
    r'|(?P<text>"""(?:\\.|[^\\])*?"""|\'{3}.*?\'{3}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')'
    r"|(?P<header>(?m:^)[ \t]*\[{1,2}[^\]\n=]+\]{1,2}[ \t]*(?=\r?\n|#|\Z))"
    r"|(?P<bare>[\w+.:-]+)|(?P<mark>[=,{}\[\]\n])",
    re.DOTALL,
)
_NUMBER_PART = re.compile(r""""([^"]*)"|'([^']*)'|([\w-]+)""")
# What follows a key, or the first part of a dotted one.
_NUMBER_KEY = re.compile(r"""[ \t]*(?:\.[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)[ \t]*)*=""")
_WHOLE = re.compile(r"(?<!\d)\d{1,15}(?!\d)")
# In an expression: no part of a name, no index, and in quotation marks only where nothing else is in them.
_QUOTED = re.compile(r"""(?P<mark>["'])(?P<said>.*?)(?P=mark)""")
_INDEX = re.compile(r"(?<=[\w)\]])\[\s*-?\d+\s*\]")
_CONSTANT = re.compile(r"(?<![\w])(?<!\w\.)\d{1,15}(?!\w)")
COUNTING = ("copies", "sides", "highest", "slots", "tabs")
"""Keys of components that say how many."""


@dataclass(frozen=True, slots=True)
class Value:
    """A number or text of a TOML file, the keys to it, and its place without quotes."""

    path: tuple[str, ...]
    text: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TomlNumbers:
    """The numbers that promise something in a file, with their places, and the texts that a game shows."""

    promises: tuple[tuple[Value, tuple[int, int]], ...]
    shown: tuple[Value, ...]


def toml_numbers(text: str) -> TomlNumbers:
    """The numbers of a valid game.toml or rules.toml."""
    values = list(_values(text))
    promises = [(value, span) for value in values for span in _promised(value, text)]
    return TomlNumbers(tuple(promises), tuple(value for value in values if value.text and _is_shown(value.path)))


def headers(text: str) -> list[tuple[tuple[str, ...], int]]:
    """The sections of a valid file, and where each begins."""
    return [(_path(found[0]), found.start()) for found in _TOKEN.finditer(text) if found.lastgroup == "header"]


def texts_of(text: str) -> dict[tuple[str, ...], tuple[int, int]]:
    """The texts of a valid file that stand alone and in one line, by the keys to them, and their places without quotes."""
    found = [each for each in _values(text) if "\n" not in text[each.start - 1 : each.end]]
    paths = [each.path for each in found]
    return {each.path: (each.start, each.end) for each in found if each.text and paths.count(each.path) == 1}


Keyed = tuple[tuple[str, ...], int]
"""The path of keys to a value, and which of several equal paths in a list is meant, from 0."""


def wholes_of(text: str) -> dict[Keyed, tuple[int, int]]:
    """The whole numbers of a valid file and their places."""
    found: dict[Keyed, tuple[int, int]] = {}
    before: Counter[tuple[str, ...]] = Counter()
    for each in _values(text):
        if not each.text:
            found[each.path, before[each.path]] = each.start, each.end
            before[each.path] += 1
    return found


def _is_shown(path: tuple[str, ...]) -> bool:
    match path:
        case ("texts", _) | ("component" | "layout", _, "title") | ("setup", "take", _, "what"):
            return True
        case ("book", _, "title" | "subtitle" | "foot" | "contents"):
            return True
    return False


def _promised(value: Value, text: str) -> Iterator[tuple[int, int]]:
    start, end = value.start, value.end
    match value.path:
        case ("expect", *_) if not value.text:
            yield start, end
        case ("component", _, key) if not value.text and key in COUNTING:
            yield start, end
        case ("game" | "setup", "players"):
            yield from (found.span() for found in _WHOLE.finditer(text, start, end))
        case ("setup", "take", _, "number") | ("claim", _, "expect" | "for") | ("words", "counts", _) | ("numbers", *_):
            yield from constants(text, start, end) if value.text else [(start, end)]


def constants(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The whole numbers in an expression in a text."""
    inside = re.sub(r"\\.", "  ", text[start:end], flags=re.DOTALL)
    inside = _QUOTED.sub(lambda found: found[0] if found["said"].isdecimal() else " " * len(found[0]), inside)
    inside = _INDEX.sub(lambda found: " " * len(found[0]), inside)
    yield from ((start + found.start(), start + found.end()) for found in _CONSTANT.finditer(inside))


def _values(text: str) -> Iterator[Value]:
    section: tuple[str, ...] = ()
    keys: list[tuple[str, ...]] = []
    """Those of the statement, and of each inline table that is open."""
    open_marks: list[str] = []
    parts: list[re.Match[str]] = []
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "header" and not open_marks:
            section, keys, parts = _path(token[0]), [], []
        elif kind == "mark":
            if token[0] == "=" and parts:
                named = _path(text[parts[0].start() : parts[-1].end()])
                keys = [*keys[: open_marks.count("{")], named]
            elif token[0] in "{[":
                open_marks.append(token[0])
            elif token[0] in "}]" and open_marks:
                if open_marks.pop() == "{":
                    keys = keys[: open_marks.count("{") + 1]
            elif token[0] == "\n" and not open_marks:
                keys = []
            parts = []
        elif kind in ("text", "bare") and not _NUMBER_KEY.match(text, token.end()):
            path = (*section, *(part for key in keys for part in key))
            if kind == "text":
                quotes = 3 if token[0][:3] in ('"""', "'''") and len(token[0]) > 5 else 1
                yield Value(path, True, token.start() + quotes, token.end() - quotes)
            elif re.fullmatch(r"[+-]?\d{1,15}", token[0]):
                yield Value(path, False, token.start(), token.end())
        elif kind in ("text", "bare"):
            parts.append(token)


def _path(dotted: str) -> tuple[str, ...]:
    return tuple(next(filter(None, found.groups()), "") for found in _NUMBER_PART.finditer(dotted.strip().strip("[]")))
