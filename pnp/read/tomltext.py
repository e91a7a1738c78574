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

from pnp.read.tomlfile import headers, parsed, texts_of
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
    gone = (("component", name), ("expect", name), *tables)
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
    heads = headers(made)
    at = next((at for at, (each, _) in enumerate(heads) if each == path), None)
    if at is None:
        return _checked(with_section(made, [f"[{section}]", *new], "game"), wanted)
    line = "\r\n" if "\r\n" in toml else "\n"
    end = _end(made, heads[at + 1][1] if at + 1 < len(heads) else len(made))
    before = made[:end] + (line if not made[:end].endswith("\n") else "")
    return _checked(before + line.join([*new, ""]) + made[end:], wanted)


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
