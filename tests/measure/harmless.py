"""Edits after which a game is as right as before: whatever is told of one is a false alarm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from making import Change, Kind
from sources import HIDDEN, Cell, Edit, Record, Source

BESIDE = (
    "The inland road is dusty.",
    "An old canon of the cathedral wrote it down.",
    "It was as cold as the winter of 1709.",
    "Nobody knew it before 1848.",
    "Somebody whistles, and somebody else cannonballs into the sea.",
    "Whoever dozes off is woken gently.",
    "Half a biscuit is left, and three crumbs.",
    "That takes two minutes, or ten with children.",
    "A good captaincy begins with breakfast.",
    "Islanders call that a fine morning.",
)
"""Sentences that have words near many a game's terms, years, and numbers of what no game counts."""
SYNONYMS = {
    "at once": "immediately",
    "begins": "starts",
    "anybody": "anyone",
    "everybody": "everyone",
    "nobody": "no one",
    "somebody": "someone",
    "may": "can",
    "must": "has to",
    "does not": "doesn't",
    "cannot": "can't",
    "in front of": "before",
    "beside": "next to",
    "another": "a further",
    "whoever": "who",
}
ADJECTIVES = ("little", "old", "good", "brave", "merry", "cold")
FOLLOWED = ("game", "ship", "table", "penguin", "player", "captain", "turn", "round", "board", "ice", "city", "sea", "crew")
LAID_IN_ORDER = ("spaces",)
"""Keys of a component for tables whose order says something."""


def _paragraphs(source: Source, least: int = 40) -> Iterator[tuple[str, int, int, str]]:
    """Lines of books that are plain paragraphs: file, start, end, what people read of it."""
    for file, text, _ in source.read:
        if file.endswith(".md"):
            for match in re.finditer(r"^[A-Z][^|\n]*[.!?]$", text, re.MULTILINE):
                if len(match[0]) >= least and HIDDEN * 30 not in match[0]:
                    yield file, match.start(), match.end(), match[0]


def _made(source: Source, kind: str, *edits: Edit) -> Change:
    first = edits[0]
    return Change(kind, source.game, edits, kind, source.texts[first.file][first.start : first.end], first.now)


def sentence(source: Source, chance: Random) -> Iterator[Change]:
    """A sentence more at the end of a paragraph."""
    for file, _, end, _ in _paragraphs(source):
        yield _made(source, "sentence", Edit(file, end, end, f" {chance.choice(BESIDE)}"))


def some_of_them(source: Source, chance: Random) -> Iterator[Change]:
    """A sentence about a part of the pieces."""
    titles = [str(each["title"]) for each in source.config["component"].values() if "title" in each]
    counted = [name for name in source.rules.get("words", {}).get("counts", {}) if "#" not in name]
    pieces = [title.lower() for title in titles if re.fullmatch(r"[A-Z][a-z]+ [a-z]+s", title)] + counted
    said = ("Take two of the {}.", "Look at three of the {}, then put them back.", "With two {} you are well off.")
    for file, _, end, _ in _paragraphs(source):
        if pieces:
            yield _made(
                source, "some-of-them", Edit(file, end, end, f" {chance.choice(said).format(chance.choice(pieces))}")
            )


def unit(source: Source, chance: Random) -> Iterator[Change]:
    """An amount with an adjective before its unit."""
    if name := source.rules.get("words", {}).get("unit"):
        for file, _, end, _ in _paragraphs(source):
            number = chance.choice(("3,000", "12,000", "7,500"))
            yield _made(
                source,
                "unit",
                Edit(file, end, end, f" Imagine {number} {chance.choice(('shiny', 'gold', 'heavy'))} {name}."),
            )


def adjective(source: Source, chance: Random) -> Iterator[Change]:
    """An adjective before a noun."""
    for file, start, _, text in _paragraphs(source):
        for match in re.finditer(rf"\b(?:the|your) (?={'|'.join(FOLLOWED)}\b)", text):
            at = start + match.end()
            yield _made(source, "adjective", Edit(file, at, at, f"{chance.choice(ADJECTIVES)} "))


def synonym(source: Source, chance: Random) -> Iterator[Change]:
    """Another word that means the same."""
    for file, text, start in source.read:
        for match in re.finditer(rf"\b(?:{'|'.join(SYNONYMS)})\b", text):
            edit = Edit(file, start + match.start(), start + match.end(), SYNONYMS[match[0]])
            if file.endswith(".md"):
                yield _made(source, "synonym", edit)


def reworded(source: Source, chance: Random) -> Iterator[Change]:
    """Two sentences of a paragraph joined, or one with a beginning before it."""
    for file, start, _, text in _paragraphs(source):
        for match in re.finditer(r"(?<=[a-z])\. (?=(?:It|They|You|That|This|The|Then|If|When)\b)", text):
            at, end = start + match.start(), start + match.end()
            yield _made(source, "reworded", Edit(file, at, end + 1, f"; {text[match.end()].lower()}"))


def emphasis(source: Source, chance: Random) -> Iterator[Change]:
    """Plain words where there were bold ones."""
    for file, start, _, text in _paragraphs(source):
        for match in re.finditer(rf"\*\*([^*{HIDDEN}]+)\*\*", text):
            yield _made(source, "emphasis", Edit(file, start + match.start(), start + match.end(), match[1]))


def remark(source: Source, chance: Random) -> Iterator[Change]:
    """A remark in a TOML file, in words that a rule might take for the game's."""
    for name in ("game.toml", "rules.toml"):
        text = source.texts[source.path(name)]
        for match in re.finditer(r"^\[[^\]]+\]\n", text, re.MULTILINE):
            said = chance.choice(("tested with 36 cards", "7 players? Not yet", "old colour: #ff0000", "doublons, pinguins"))
            yield _made(source, "remark", Edit(source.path(name), match.start(), match.start(), f"# {said}\n"))


def blank_lines(source: Source, chance: Random) -> Iterator[Change]:
    """An empty line between rows of a table, sections, paragraphs, or at the end."""
    for table, records in source.tables.items():
        at = chance.choice(records).start
        yield _made(source, "blank-lines", Edit(source.file_of(table), at, at, "\n"))
    for file in [*source.books, source.path("game.toml"), source.path("rules.toml")]:
        ends = [match.end() for match in re.finditer(r"\n(?=\n)", source.texts[file])]
        at = chance.choice([*ends, len(source.texts[file])])
        yield _made(source, "blank-lines", Edit(file, at, at, "\n\n"))


def column_order(source: Source, chance: Random) -> Iterator[Change]:
    """Two columns of a table exchanged, heads and all."""
    for table, records in source.tables.items():
        file = source.file_of(table)
        width = len(records[0].cells)
        if width < 2 or any(len(record.cells) != width for record in records):
            continue
        first, second = sorted(chance.sample(range(width), 2))
        text, start = source.texts[file], source.texts[file].index("\n") + 1
        head = text[: start - 1].split(",")
        head[first], head[second] = head[second], head[first]
        edits = [Edit(file, 0, start - 1, ",".join(head))]
        for record in records:
            here, there = record.cells[first], record.cells[second]
            edits += [source.edit_cell(here, there.text), source.edit_cell(there, here.text)]
        yield _made(source, "column-order", *edits)


def row_order(source: Source, chance: Random) -> Iterator[Change]:
    """Two rows of a table exchanged, where their order says nothing."""
    components = source.config["component"].values()
    ordered = {str(each[key]) for each in components for key in LAID_IN_ORDER if key in each}
    for table, records in source.tables.items():
        if table in ordered or len(records) < 2:
            continue
        at = chance.randrange(len(records) - 1)
        first, second = records[at], records[at + 1]
        text = source.texts[source.file_of(table)]
        here, there = text[first.start : first.end], text[second.start : second.end].rstrip("\n") + "\n"
        yield _made(source, "row-order", Edit(source.file_of(table), first.start, second.end, there + here))


def quoted(source: Source, chance: Random) -> Iterator[Change]:
    """Cells in quotation marks, as some programs write them."""

    def marked(cell: Cell) -> Edit:
        return Edit(source.file_of(cell.table), cell.start, cell.end, '"{}"'.format(cell.text.replace('"', '""')))

    for records in source.tables.values():
        record: Record = chance.choice(records)
        yield _made(source, "quoted", *(marked(cell) for cell in record.cells))


def text_key(source: Source, chance: Random) -> Iterator[Change]:
    """A text of another key, asked for by that key."""
    toml = source.path("game.toml")
    for token in source.tokens("game.toml"):
        asked = f"texts.{token.key}"
        whole = re.compile(rf"\b{re.escape(asked)}(?![\w-])")
        files = [
            file for file in source.templates if asked in (text := source.texts[file]) and len(whole.findall(text)) == 1
        ]
        if token.section != "texts" or len(files) != 1 or '"' in token.text or "\n" in token.text:
            continue
        begins = source.texts[toml].rfind("\n", 0, token.start) + 1
        used = whole.search(source.texts[files[0]])
        assert used is not None
        renamed = Edit(toml, begins, begins + len(token.key), f"{token.key}_said")
        yield _made(source, "text-renamed", renamed, Edit(files[0], used.start(), used.end(), f"{asked}_said"))


def colour_renamed(source: Source, chance: Random) -> Iterator[Change]:
    """A colour of the palette called otherwise, wherever it is named."""
    family = [each.key for each in source.tokens("game.toml") if each.section == "palette"]
    for token in source.tokens("game.toml"):
        name = token.key
        near = any(other != name and (other.startswith(name) or name.startswith(other)) for other in family)
        if token.section != "palette" or near or name[-1].isdigit() or name in ("paper", "ink", "sea"):
            continue
        pattern = re.compile(
            rf'(?:(?<=")|(?<=palette\.)){name}(?=")|(?<=palette\.){name}(?![\w-])|^{name}(?= =)', re.MULTILINE
        )
        edits = []
        for file, text in source.texts.items():
            if not file.endswith((".md", ".txt", ".csv")):
                edits += [Edit(file, match.start(), match.end(), f"{name}tone") for match in pattern.finditer(text)]
        loose = re.compile(rf"\b{name}\b")
        found = sum(len(loose.findall(text)) for file, text in source.texts.items() if not file.endswith((".md", ".txt")))
        if found == len(edits):  # else it is also a word, a kind or part of a name that is put together
            yield _made(source, "colour-renamed", *edits)


def shade(source: Source, chance: Random) -> Iterator[Change]:
    """A colour a shade lighter."""
    for token in source.tokens("game.toml"):
        if token.section == "palette" and re.fullmatch("#[0-9a-f]{6}", token.text):
            now = "#" + "".join(f"{min(255, int(token.text[at : at + 2], 16) + 2):02x}" for at in (1, 3, 5))
            yield _made(source, "shade", Edit(source.path("game.toml"), token.start, token.end, now))


def list_numbers(source: Source, chance: Random) -> Iterator[Change]:
    """A list in which an item is numbered 1., as Markdown allows."""
    for file in source.books:
        for match in re.finditer(r"^[2-9](?=\. )", source.texts[file], re.MULTILINE):
            yield _made(source, "list-numbers", Edit(file, match.start(), match.end(), "1"))


HARMLESS: dict[str, Kind] = {
    "sentence": sentence,
    "some-of-them": some_of_them,
    "unit": unit,
    "adjective": adjective,
    "synonym": synonym,
    "reworded": reworded,
    "emphasis": emphasis,
    "remark": remark,
    "blank-lines": blank_lines,
    "column-order": column_order,
    "row-order": row_order,
    "quoted": quoted,
    "text-renamed": text_key,
    "colour-renamed": colour_renamed,
    "shade": shade,
    "list-numbers": list_numbers,
}
