"""Kinds of changes: another number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from making import (
    COORDINATES,
    COUNTED,
    FLAVOUR,
    FREE,
    WORDS,
    Change,
    at_column,
    at_token,
    either_nudged,
    nudged,
    one,
    part_of,
    placed,
    word_nudged,
)
from sources import Edit, Source

_DIGITS = re.compile(r"(?<![\w.,/-])\d{1,3}(?:,\d{3})+(?![\w])|(?<![\w.,/-])\d+(?![\w,.-]*\w)")
_WORDS = re.compile(rf"(?<![\w-])(?:{'|'.join(WORDS)})(?![\w-])", re.IGNORECASE)
_COUNT = rf"(?:\d+|one|{'|'.join(WORDS)})"
_PLAYERS = re.compile(
    rf"(?<![\w-])({_COUNT})(?:(?:\s+(?:to|or|and)\s+|[–-])({_COUNT}))?\s+(?:players|captains|people)\b", re.IGNORECASE
)


def _numbers(source: Source, kind: str, chance: Random, fits: Callable[[str], bool], words: bool) -> Iterator[Change]:
    jokes = {
        cell.start for cell in source.cells if cell.column in FLAVOUR or FREE.get((cell.table, cell.column)) == "a joke"
    }
    for file, text, start in source.read:
        if not fits(file) or start in jokes:
            continue
        for match in (_WORDS if words else _DIGITS).finditer(text):
            if re.search(r"^#+ (?:Credits|Imprint)[^#]*\Z", text[: match.start()], re.MULTILINE):
                continue
            now = word_nudged(match[0], chance) if words else nudged(match[0], chance)
            edit = Edit(file, start + match.start(), start + match.end(), now)
            yield one(source, kind, edit, part_of(source, file, edit.start))


def prose_digits(source: Source, chance: Random) -> Iterator[Change]:
    """A number in a book, in digits."""
    return _numbers(source, "prose-digits", chance, lambda file: file.endswith(".md"), False)


def prose_words(source: Source, chance: Random) -> Iterator[Change]:
    """A number in a book, in words."""
    return _numbers(source, "prose-words", chance, lambda file: file.endswith(".md"), True)


def text_numbers(source: Source, chance: Random) -> Iterator[Change]:
    """A number in [texts], in a sentence of a table, or in what a template says."""
    for words in (False, True):
        yield from _numbers(source, "text-number", chance, lambda file: not file.endswith(".md"), words)
    for file in source.templates:
        for said in re.finditer(r'(?<==)?(?<!=)"([^"{}<>]*?[A-Za-z]{3}[^"{}<>]*)"', source.texts[file]):
            for match in _DIGITS.finditer(said[1]):
                if re.search(r"[A-Za-z]{3}", said[1][match.end() :]) and not re.search(r"[=;()]", said[1]):
                    at = said.start(1) + match.start()
                    yield one(
                        source, "text-number", Edit(file, at, at + len(match[0]), nudged(match[0], chance)), "template"
                    )


def cell_numbers(source: Source, chance: Random) -> Iterator[Change]:
    """A cell that is a number, other than copies and places."""
    for cell in source.cells:
        left_out = COUNTED | COORDINATES if placed(source, cell.table) else COUNTED
        if re.fullmatch(r"\d+", cell.text) and cell.column not in left_out and (cell.table, cell.column) not in FREE:
            yield one(source, "cell-number", source.edit_cell(cell, nudged(cell.text, chance)), at_column(cell))


def copies(source: Source, chance: Random) -> Iterator[Change]:
    """How many there are of a piece."""
    for cell in source.cells:
        if cell.column in COUNTED and cell.text.isdecimal():
            yield one(source, "copies", source.edit_cell(cell, nudged(cell.text, chance)), at_column(cell))
    for token in source.tokens("game.toml"):
        if token.section.startswith("component.") and token.key in ("copies", "sides", "slots", "highest"):
            yield at_token(source, "copies", "game.toml", token, nudged(token.text, chance))


def promises(source: Source, chance: Random) -> Iterator[Change]:
    """A number that game.toml or rules.toml promises; of claims only those that say how many there are exactly."""
    for token in source.tokens("game.toml"):
        if token.section.startswith("expect.") and re.fullmatch(r"\d+", token.text) and token.inner not in ("by", "where"):
            yield at_token(source, "promise", "game.toml", token, nudged(token.text, chance))
    for token in source.tokens("rules.toml"):
        taken = token.section.startswith("setup.take") and token.key == "number"
        stated = token.section == "numbers" or (token.section.startswith("words") and "counts" in token.section + token.key)
        exact = token.section.startswith("claim.") and token.key == "expect" and not re.search(r"[<>]| in ", token.text)
        if not (taken or stated or exact):
            continue
        for match in re.finditer(r"(?<![\w.\"-])\d+(?![\w.\"-])", token.text):
            before, after = token.text[: match.start()].rstrip(), token.text[match.end() :].lstrip()
            listed = re.search(r"(?:^|[\s(,\[=])\[$|,$", before)  # not the number of an item: rows(…)[0]
            if not exact or listed or before.endswith(("==", "+", "-")) or after.startswith("=="):
                edit = Edit(source.path("rules.toml"), token.start + match.start(), token.start + match.end(), "")
                edit = Edit(edit.file, edit.start, edit.end, nudged(match[0], chance))
                yield one(source, "promise", edit, f"{token.section}.{token.key}")


def players(source: Source, chance: Random) -> Iterator[Change]:
    """For how many players the game is, in one of the places that say so."""
    for name in ("game.toml", "rules.toml"):
        for token in source.tokens(name):
            if token.key == "players" and (found := list(re.finditer(r"\d+", token.text))):
                part = chance.choice(found)
                now = token.text[: part.start()] + nudged(part[0], chance) + token.text[part.end() :]
                yield at_token(source, "players", name, token, now)
    for file, text, start in source.read:
        for match in _PLAYERS.finditer(text):
            at = chance.choice([group for group in (1, 2) if match[group]])
            if match[at].lower() != "one":
                edit = Edit(file, start + match.start(at), start + match.end(at), either_nudged(match[at], chance))
                yield one(source, "players", edit, part_of(source, file, edit.start))
    for token in source.tokens("game.toml"):
        for match in _PLAYERS.finditer(token.text if token.key in ("title", "foot", "subtitle") else ""):
            at = chance.choice([group for group in (1, 2) if match[group]])
            now = token.text[: match.start(at)] + either_nudged(match[at], chance) + token.text[match.end(at) :]
            yield at_token(source, "players", "game.toml", token, now)
