"""Kinds of changes: another name, a misspelt one, or what a name leads to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from making import (
    Change,
    at_column,
    misspelt,
    one,
    part_of,
)
from sources import Edit, Source, is_prose

_CALL = re.compile(r'\b(?:face|faces|anatomy|folded|board|layout|page|component_table)\((?:[^()"]|"[^"]*")*\)')


def names(source: Source) -> list[str]:
    """What things are called: names of rows, titles of components and layouts."""
    found = [cell.text for cell in source.cells if cell.column in ("name", "title", "home") and not is_prose(cell.text)]
    found += [
        cell.text for cell in source.cells if source.column(cell.table, cell.column).get("table") and cell.text[:1].isupper()
    ]
    config = source.config
    found += [
        str(each["title"]) for key in ("component", "layout") for each in config.get(key, {}).values() if "title" in each
    ]
    found += [each.lower() for each in found]
    return [each for each in dict.fromkeys(found) if re.search(r"[^\W\d_]{5}", each)]


def name_in_prose(source: Source, chance: Random) -> Iterator[Change]:
    """The name of a row or a component, misspelt in a sentence."""
    called = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names(source), key=len, reverse=True)))})(?!\w)")
    for file, text, start in source.read:
        for match in called.finditer(text):
            word = chance.choice(list(re.finditer(r"[^\W\d_]{5,}", match[0])))
            if now := misspelt(word[0], chance, source.words):
                at = start + match.start() + word.start()
                yield one(source, "name-in-prose", Edit(file, at, at + len(word[0]), now), part_of(source, file, at))


def name_in_cell(source: Source, chance: Random) -> Iterator[Change]:
    """A name, or another row's name by which a cell refers to it, misspelt in a table."""
    for cell in source.cells:
        word = re.search(r"[^\W\d_]{4,}", cell.text)
        refers = bool(source.column(cell.table, cell.column).get("table"))
        if word and not is_prose(cell.text) and (refers or cell.column in ("name", "title", "home", "place")):
            now = misspelt(word[0], chance, source.words)
            if now:
                whole = cell.text[: word.start()] + now + cell.text[word.end() :]
                yield one(source, "name-in-cell", source.edit_cell(cell, whole), at_column(cell))


def banned(source: Source, chance: Random) -> Iterator[Change]:
    """A word in a spelling that the game has banned, or a name of two words written as one."""
    spelt = {right: wrong for wrong, right in source.rules.get("words", {}).get("banned", {}).items()}
    spelt |= {name: name.replace(" ", "") for name in names(source) if name.count(" ") == 1 and name[0].isupper()}
    for file, text, start in source.read:
        for right, wrong in spelt.items():
            for match in re.finditer(rf"(?<!\w){re.escape(right)}(?=s?(?!\w))", text):
                edit = Edit(file, start + match.start(), start + match.end(), wrong)
                yield one(source, "banned", edit, part_of(source, file, edit.start))


def drawings(source: Source, chance: Random) -> Iterator[Change]:
    """The name of a drawing or a symbol: misspelt, or another one's; as often in each way in which a game names one."""
    found: dict[str, list[tuple[Edit, str]]] = {}
    for cell in source.cells:
        if cell.text in source.art:
            found.setdefault("cell", []).append((source.edit_cell(cell, ""), cell.text))
    for file, text in source.texts.items():
        for match in re.finditer(r"\]\((?:art/)?([\w/-]+)\.svg\)", text if file.endswith(".md") else ""):
            found.setdefault("picture", []).append((Edit(file, *match.span(1), ""), match[1]))
        for match in re.finditer(r"(?<!\w):([a-z][\w-]*):", "" if file.endswith(".j2") else text):
            if f"icons/{match[1]}" in source.art:
                found.setdefault("symbol", []).append((Edit(file, *match.span(1), ""), f"icons/{match[1]}"))
    for token in source.tokens("game.toml"):
        if token.key == "cover":
            found.setdefault("cover", []).append((Edit(source.path("game.toml"), token.start, token.end, ""), token.text))
    for way, places in found.items():
        for edit, name in chance.sample(places, min(2, len(places))):
            folder, _, last = name.rpartition("/")
            others = [each for each in source.art if each != name and each.rpartition("/")[0] == folder]
            wrong = misspelt(last, chance, source.words) or f"{last}s"
            other = chance.choice(others) if others else ""
            for how, now in [("misspelt", f"{folder}/{wrong}".lstrip("/")), ("other", other)]:
                now = now.removeprefix("icons/") if way == "symbol" else now
                if now:
                    yield one(source, "drawing", replace(edit, now=now), f"{how} {way}")


def ids(source: Source, chance: Random) -> Iterator[Change]:
    """The id of a row that something else of the game names."""
    said = {file: set(re.findall(r"[\w-]+", text)) for file, text in source.texts.items()}
    drawn = {part for each in source.art for part in each.split("/")}
    for cell in source.cells:
        elsewhere = any(cell.text in words for file, words in said.items() if file != source.file_of(cell.table))
        if cell.column == "id" and (elsewhere or cell.text in drawn):
            part = re.search(r"[a-z]{3,}", cell.text)
            now = misspelt(part[0], chance, source.words) if part else ""
            if part and now:
                whole = cell.text[: part.start()] + now + cell.text[part.end() :]
                yield one(source, "id", source.edit_cell(cell, whole), at_column(cell))


def text_keys(source: Source, chance: Random) -> Iterator[Change]:
    """The key of a text, where it stands or where it is asked for."""
    file = source.path("game.toml")
    for token in source.tokens("game.toml"):
        if token.section == "texts":
            at = source.texts[file].rfind(token.key, 0, token.start)
            part = re.search(r"[a-z]{4,}", token.key)
            if part and (now := misspelt(part[0], chance, source.words)):
                yield one(source, "text-key", Edit(file, at + part.start(), at + part.end(), now), f"texts.{token.key}")
    for file in [*source.templates, *source.books]:
        for match in re.finditer(r"\btexts(?:\.|\[\")([a-z]{4,})", source.texts[file]):
            if now := misspelt(match[1], chance, source.words):
                yield one(source, "text-key", Edit(file, match.start(1), match.end(1), now), "asked for")


def rule_values(source: Source, chance: Random) -> Iterator[Change]:
    """A value or a name that a rule of rules.toml asks for, misspelt."""
    for token in source.tokens("rules.toml"):
        if token.section.startswith("words") or token.inner in (
            "says",
            "rule",
            "what",
            "because",
            "note",
            "thousands",
            "unit",
        ):
            continue
        inside = (
            re.finditer(r"""["']([a-z][a-z-]{3,})["']""", token.text) if token.key in ("expect", "for", "number") else None
        )
        found = [match.span(1) for match in inside] if inside else [(0, len(token.text))]
        for start, end in found:
            part = re.search(r"[a-z]{4,}", token.text[start:end])
            if part and token.quoted and (now := misspelt(part[0], chance, source.words)):
                at = token.start + start
                edit = Edit(source.path("rules.toml"), at + part.start(), at + part.end(), now)
                yield one(source, "rule-value", edit, f"{token.section}.{token.key}")


def references(source: Source, chance: Random) -> Iterator[Change]:
    """A page, a link or a picture in a book: of another heading, another piece, or misspelt."""
    every = {cell.text: cell.table for cell in source.cells if cell.column == "id"}
    components = source.config.get("component", {})
    for file in source.books:
        text = source.texts[file]
        anchors = [re.sub(r"[^\w]+", "-", head.lower()).strip("-") for head in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
        for call in _CALL.finditer(text):
            for match in re.finditer(r'"([a-z][\w-]{2,})"', call[0]):
                word = match[1]
                if word in every:
                    others = sorted(each for each in every if every[each] == every[word] and each != word)
                elif word in components or word in anchors:
                    others = sorted(set(components if word in components else anchors) - {word})
                else:
                    continue
                other = bool(others) and chance.random() < 0.6
                now = chance.choice(others) if other else misspelt(word, chance, source.words) or f"{word}s"
                at, what = call.start() + match.start(1), f"{'other' if other else 'misspelt'} {call[0].partition('(')[0]}"
                yield one(source, "reference", Edit(file, at, at + len(word), now), what)
        for match in re.finditer(r"\]\(#([\w-]+)\)", text):
            now = chance.choice(sorted(set(anchors) - {match[1]}))
            yield one(source, "reference", Edit(file, match.start(1), match.end(1), now), "other link")
