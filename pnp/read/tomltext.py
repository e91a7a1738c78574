"""Adds, removes and changes sections of a game.toml, and leaves all other lines and comments as they are written.

tomlkit 0.15 counts a comment to the section above it: without a component its comment stays, and a new section comes
between a comment and the section that it is about.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from pnp.read.tomlfile import constants, headers, parsed, texts_of, wholes_of
from pnp.values.problems import Fault

BY_HAND = "game.toml is written in a way to which this cannot be done here: do it in its text."
# Blank lines, and notes behind them; notes right above a section.
_BEFORE = re.compile(r"(?m:^)(?:[ \t]*(?:#[^\n]*)?\r?\n)*\Z")
_RIGHT_ABOVE = re.compile(r"(?m:^)(?:[ \t]*\r?\n)*(?:[ \t]*#[^\n]*\n)*\Z")


def with_section(toml: str, lines: Sequence[str], behind: str) -> str:
    """With another section behind the last one of a kind, such as ``component``, or at the end. Raises Fault."""
    heads = headers(toml)
    last = max((at for at, (path, _) in enumerate(heads) if path[0] == behind), default=None)
    # Notes above the next section belong to that.
    end = len(toml) if last is None else _end(toml, heads[last + 1][1] if last + 1 < len(heads) else len(toml))
    line = "\r\n" if "\r\n" in toml else "\n"
    before = toml[:end] + (line if end and not toml[:end].endswith("\n") else "")
    made = before + line.join(["", *lines, ""]) + toml[end:]
    return _checked(made, _joined(parsed(toml), parsed("\n".join(lines))))


def without_component(toml: str, name: str, files: Collection[str] = ()) -> str:
    """Without a component, what is expected of it, and what is said of tables in these files. Raises Fault."""
    known = parsed(toml)
    taken = {*files, *(PurePath(file).stem for file in files)}
    said = {key: table for key, table in known.get("table", {}).items() if isinstance(table, dict)}
    tables = (("table", key) for key, table in said.items() if table.get("file", key) in taken)
    return without_sections(toml, (("component", name), ("expect", name), *tables))


def without_sections(toml: str, gone: Collection[tuple[str, str]]) -> str:
    """Without sections such as ``expect.cards``, and the notes right above them. Raises Fault."""
    known = parsed(toml)
    starts = [*headers(toml), ((), len(toml))]
    made = toml
    for (path, start), (_, after) in reversed([*pairwise(starts)]):
        if path[:2] in gone:
            above = _RIGHT_ABOVE.search(toml, 0, start)
            end = _end(toml, after) if after < len(toml) else after
            made = made[: above.start() if above else start] + made[end:]
    for section, key in gone:
        known.get(section, {}).pop(key, None)
    return _checked(made, known)


def with_texts(toml: str, section: str, texts: Mapping[str, str]) -> str:
    """With these texts in a section, such as game or component.cards, which begins if there is none. Raises Fault."""
    known, there, made, new = parsed(toml), texts_of(toml), toml, []
    path = tuple(section.split("."))
    for key, text in sorted(texts.items(), key=lambda each: there.get((*path, each[0]), (0, 0)), reverse=True):
        said = json.dumps(text, ensure_ascii=False)
        if span := there.get((*path, key)):
            if made[span[0] - 1] != '"' and ("'" in text or not text.isprintable()):
                raise Fault(BY_HAND)
            made = made[: span[0]] + (said[1:-1] if made[span[0] - 1] == '"' else text) + made[span[1] :]
        else:
            new.append(f"{key if re.fullmatch(r'[A-Za-z0-9_-]+', key) else json.dumps(key)} = {said}")
    added: dict[str, Any] = dict(texts)
    for name in reversed(path):
        added = {name: added}
    wanted = _joined(known, added)
    if not new:
        return _checked(made, wanted)
    return _checked(_with_lines(made, path, new, "game"), wanted)


def with_number(toml: str, path: tuple[str, ...], number: int, at: int = 0) -> str:
    """With another whole number, or with a new one at the end of its section. Raises Fault.

    ``at``: which of several equal paths in a list is meant, from 0.
    """
    known = parsed(toml)
    if span := wholes_of(toml).get((path, at)):
        _held(known, path)[at][path[-1]] = number
        return _checked(f"{toml[: span[0]]}{number}{toml[span[1] :]}", known)
    *section, key = path
    added: dict[str, Any] = {key: number}
    for name in reversed(section):
        added = {name: added}
    return _checked(_with_lines(toml, tuple(section), [f"{key} = {number}"], path[0]), _joined(known, added))


def without_number(toml: str, path: tuple[str, ...]) -> str:
    """Without a whole number that has a line of its own; a section that then says nothing goes along. Raises Fault."""
    known = parsed(toml)
    span = wholes_of(toml).get((path, 0))
    held = _held(known, path)
    if span is None or len(held) != 1:
        raise Fault(BY_HAND)
    if len(held[0]) == 1:
        return without_sections(toml, [(path[0], path[1])])
    start = toml.rfind("\n", 0, span[0]) + 1
    end = toml.find("\n", span[1]) + 1 or len(toml)
    held[0].pop(path[-1])
    return _checked(toml[:start] + toml[end:], known)


def claimed(toml: str) -> dict[str, tuple[int, tuple[int, int]]]:
    """The claims of a rules.toml that hold exactly one number: by name the number, and where it begins and ends."""
    found = {}
    for path, (start, end) in texts_of(toml).items():
        if len(path) == 3 and (path[0], path[2]) == ("claim", "expect"):
            numbers = [*constants(toml, start, end)]
            if len(numbers) == 1:
                found[path[1]] = int(toml[slice(*numbers[0])]), numbers[0]
    return found


def with_claimed(toml: str, name: str, number: int) -> str:
    """With another number in a claim, also in its sentence where that says it once. Raises Fault."""
    known = parsed(toml)
    if name not in claimed(toml):
        raise Fault(BY_HAND)
    was, (start, end) = claimed(toml)[name]
    claim = known["claim"][name]
    expect, _ = texts_of(toml)["claim", name, "expect"]
    claim["expect"] = f"{claim['expect'][: start - expect]}{number}{claim['expect'][end - expect :]}"
    changes = [(start, end)]
    if said := texts_of(toml).get(("claim", name, "says")):
        same = [*re.finditer(rf"(?<!\w){was}(?!\w)", toml[slice(*said)])]
        if len(same) == 1:
            changes.append((said[0] + same[0].start(), said[0] + same[0].end()))
            claim["says"] = re.sub(rf"(?<!\w){was}(?!\w)", f"{number}", claim["says"])
    made = toml
    for first, last in sorted(changes, reverse=True):
        made = f"{made[:first]}{number}{made[last:]}"
    return _checked(made, known)


def _held(known: dict[str, Any], path: tuple[str, ...]) -> list[dict[str, Any]]:
    """The tables that have the last of these keys, in the order of the file."""
    some: list[Any] = [known]
    for key in path[:-1]:
        inner = [each.get(key) for each in some if isinstance(each, dict)]
        some = [one for each in inner for one in (each if isinstance(each, list) else [each])]
    return [each for each in some if isinstance(each, dict) and path[-1] in each]


def _with_lines(toml: str, path: tuple[str, ...], lines: Sequence[str], behind: str) -> str:
    """With lines at the end of a section, which begins behind the last one of a kind if it is not there. Raises Fault."""
    heads = headers(toml)
    at = next((at for at, (each, _) in enumerate(heads) if each == path), None)
    if at is None:
        return with_section(toml, [f"[{'.'.join(path)}]", *lines], behind)
    line = "\r\n" if "\r\n" in toml else "\n"
    end = _end(toml, heads[at + 1][1] if at + 1 < len(heads) else len(toml))
    before = toml[:end] + (line if not toml[:end].endswith("\n") else "")
    return before + line.join([*lines, ""]) + toml[end:]


def _end(toml: str, after: int) -> int:
    """The end of a section, without the notes and blank lines before the next."""
    found = _BEFORE.search(toml, 0, after)
    return found.start() if found else after


def _joined(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    return {
        **one,
        **{key: _joined(one.get(key, {}), each) if isinstance(each, dict) else each for key, each in other.items()},
    }


def _checked(made: str, wanted: dict[str, Any]) -> str:
    """Returns the changed TOML. Raises Fault unless it parses to the wanted values."""
    try:
        found = parsed(made)
    except Fault:
        raise Fault(BY_HAND) from None
    if any(found.get(key, {}) != wanted.get(key, {}) for key in {*found, *wanted}):
        raise Fault(BY_HAND)
    return made
