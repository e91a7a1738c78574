"""Translates a game: ``pnp translate`` makes and updates ``languages/de.csv``, and converts it to PO and back.

References, ids, numbers and drawings stay what they are: a translated cell is another value of the same row, which is
still equal to what the author wrote.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from pnp.dataclass import dataclass
from pnp.flows.plan import known
from pnp.read.game import read_game, text_of_book
from pnp.read.languages import (
    MOST_BYTES,
    catalogue_file,
    glossaries_of,
    glossary_file,
    language_fault,
    language_name,
    languages_of,
    read_catalogue,
    read_glossary,
    word_languages,
    words_of,
)
from pnp.read.project import Project
from pnp.system.manifest import put_anew
from pnp.system.paths import file_within, plain_bytes
from pnp.values.game import Component, Game, Manual, Texts
from pnp.values.languages import (
    COLUMNS,
    ENGLISH,
    Catalogue,
    Entry,
    State,
    Translated,
    Translation,
    Unit,
    Words,
    context_of,
    matched,
    worded,
)
from pnp.values.outcome import Result
from pnp.values.problems import Fault, Place, Problems, closest, listed
from pnp.values.tables import Cell, Row


def po_of(translation: Translation) -> bytes:
    """An up-to-date catalogue as a PO file, its messages told apart by their locations."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import write_po

    made = Catalog(locale=translation.language.replace("-", "_"), fuzzy=False, header_comment="")
    for unit, found in translation.pairs:
        entry = found or Entry(unit.location, unit.source, "")
        made.add(
            unit.source,
            entry.target,
            locations=[],
            flags={"fuzzy"} if entry.fuzzy else set(),
            user_comments=entry.note.split("\n") if entry.note else [],
            previous_id=[entry.was] if entry.was is not None else [],
            context=unit.location,
        )
    text = io.BytesIO()
    write_po(text, made, width=0, omit_header=False, include_previous=True)
    # Names, addresses and dates of a header are no part of a game.
    nobody = ("Project-", "Report-", "Last-", "Language-Team", "Generated-", "POT-", "PO-")
    lines = text.getvalue().decode().lstrip("\n").split("\n")
    return "\n".join(line for line in lines if not line.startswith(tuple(f'"{name}' for name in nobody))).encode()


def entries_of_po(path: Path, problems: Problems) -> list[Entry]:
    """The messages of a PO file as rows of a catalogue; reports what cannot be read."""
    from babel.messages.pofile import PoFileError, read_po

    shown = path.name
    data = plain_bytes(path, MOST_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problems.error("not-utf-8", Place(shown, line), "it is not UTF-8 text", hint="Save it as UTF-8 in your editor.")
        return []
    try:
        read = read_po(io.StringIO(text), abort_invalid=True)
    except (PoFileError, ValueError) as error:
        problems.error("broken-po", Place(shown, getattr(error, "lineno", None)), f"it is no PO file ({error})")
        return []
    made = []
    for message in read:
        if not message.id or not message.context or not isinstance(message.id, str):
            continue
        was = message.previous_id[0] if message.fuzzy and message.previous_id else None
        target = message.string if isinstance(message.string, str) else ""
        made.append(Entry(message.context, message.id, target, message.fuzzy, context_of("", was=was)))
    if not made:
        hint = "Write one with pnp translate GAME de --po FILE.po."
        problems.error("broken-po", Place(shown), "there is no message with a location as its context in it", hint=hint)
    return made


def translate_game(project: Project, name: str, language: str, po: Path | None = None, to: Path | None = None) -> Result:
    """Creates or updates a game's catalogue, with the translations of a PO file if given; writes it as another ``to``
    Weblate, Poedit and their like. Says what was done.

    Raises Fault, OSError.
    """
    result, folder = Result(name, Problems()), project.folder(name)
    fault, hint = language_fault(language)
    if fault:
        raise Fault(fault, hint=hint)
    game = read_game(project, name, result.problems)
    if game is None or not result.ok:
        return result
    if language == game.language:
        raise Fault(f"{language_name(language)} is the language that {name} is written in", hint="Name another one.")
    path, units = catalogue_file(folder, language), units_of(game, language)
    before: Translation | None = matched(units, Catalogue(language, project.shown(path)))
    if path.exists():
        before = translation_of(project, game, language, result.problems)
    taken = entries_of_po(po, result.problems) if po is not None and before is not None and result.ok else []
    if before is None or not result.ok:
        return result
    if taken:
        before = matched(units, _with(before, taken))
    after = updated(before)
    made = matched(units, after)
    path.parent.mkdir(exist_ok=True)
    put_anew(path, written(after))
    result.files = [path]
    if to is not None:
        put_anew(to, po_of(made))
        result.files.append(to)
    states: tuple[State, ...] = ("missing", "stale")
    left = [f"{count} {state}" for state in states if (count := made.counted(state))]
    changes = {
        "new": sum(entry is None for _, entry in before.pairs),
        "changed": sum(entry is not None and entry.source != unit.source for unit, entry in before.pairs),
        "gone": sum(not entry.gone for entry in before.gone),
    }
    news = ", ".join(f"{count} {what}" for what, count in changes.items() if count) or "nothing new"
    rest = f"; {', '.join(left)}" if left else ""
    done = f"{made.percent} % of {len(made.pairs)} texts"
    result.said = f"{name} in {language_name(language)}: {done}{rest} ({news})"
    return result


def updated(before: Translation) -> Catalogue:
    """The catalogue with a row for every text of the game."""
    rows: dict[int, Entry] = {}
    last, following = "", {"": list[Entry]()}
    for unit, entry in before.pairs:
        if entry is None:
            following.setdefault(last, []).append(Entry(unit.location, unit.source, ""))
        else:
            rows[id(entry)], last = _kept(unit, entry), unit.location
    # New rows stand behind that of their predecessor in the game.
    made = following[""]
    for kept in filter(None, (rows.get(id(entry)) for entry in before.catalogue.entries)):
        made += [kept, *following.get(kept.location, ())]
    # What nobody has translated is not missed.
    gone = [
        replace(entry, context=context_of(entry.note, was=entry.was, gone=True))
        for entry in before.gone
        if entry.target.strip() or entry.note
    ]
    columns = (*before.catalogue.columns, *(each for each in COLUMNS if each not in before.catalogue.columns))
    return replace(before.catalogue, entries=(*made, *gone), columns=columns)


def _kept(unit: Unit, entry: Entry) -> Entry:
    if entry.source == unit.source:
        return replace(entry, location=unit.location, context=context_of(entry.note, was=entry.was if entry.fuzzy else None))
    if not entry.target.strip():
        return replace(entry, location=unit.location, source=unit.source, fuzzy=False, context=entry.note)
    # Of several changes the first source is the one that the target translates.
    was = entry.was if entry.fuzzy and entry.was is not None else entry.source
    if was == unit.source:
        return replace(entry, location=unit.location, source=unit.source, fuzzy=False, context=entry.note)
    return replace(entry, location=unit.location, source=unit.source, fuzzy=True, context=context_of(entry.note, was=was))


def written(catalogue: Catalogue) -> bytes:
    """A catalogue as the bytes of its file: every cell in quotation marks, lines that end as on Unix."""
    text = io.StringIO(newline="")
    rows = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    rows.writerow(catalogue.columns)
    for entry in catalogue.entries:
        said = {key: getattr(entry, key) for key in ("location", "source", "target", "context")}
        said |= {"fuzzy": "true" if entry.fuzzy else "", **entry.others}
        rows.writerow([said.get(column, "") for column in catalogue.columns])
    return (("\ufeff" if catalogue.marked else "") + text.getvalue()).encode()


def _with(before: Translation, taken: Sequence[Entry]) -> Catalogue:
    said = {entry.location: entry for entry in taken}
    entries: list[Entry] = []
    for entry in before.catalogue.entries:
        new = said.pop(entry.location, None)
        if new is not None:
            context = context_of(entry.note, was=new.was, gone=entry.gone)
            entry = replace(entry, source=new.source, target=new.target, fuzzy=new.fuzzy, context=context)
        entries.append(entry)
    entries += [replace(entry, place=Place(before.catalogue.file)) for entry in said.values()]
    return replace(before.catalogue, entries=tuple(entries))


ABOUT = ("source", "licence", "note", "players")
KINDS = ("game", "component", "layout", "setup", "texts", "book")
COVERS = ("title", "subtitle", "foot", "contents")


def units_of(game: Game, language: str = "") -> list[Unit]:
    """Every translatable text of a game, in order; without books written anew in ``language``."""
    return [unit for unit in _units(game, language) if worded(unit.source)]


def _units(game: Game, language: str) -> Iterator[Unit]:
    yield Unit("game/name", game.title, game.place_of("game.name"))
    for key in ABOUT:
        if key in game.about:
            yield Unit(f"game/{key}", game.about[key], game.place_of(f"game.{key}"))
    for component in game.components:
        yield Unit(f"component/{component.name}/title", component.title, component.place)
    for paper, component in reversed(_papers(game).items()):
        yield Unit(f"component/{component.name}/paper", paper, component.place)
    for layout in game.layouts:
        yield Unit(f"layout/{layout.name}/title", layout.title, layout.place)
    for take in game.rules.setup.takes if game.rules.setup else ():
        yield Unit(f"setup/{take.name}/what", take.what, take.place)
    for key, text in game.texts.items():
        yield Unit(f"texts/{key}", text, game.place_of(f"texts.{key}"))
    yield from _of_tables(game)
    for manual in game.manuals:
        yield from _of_book(game, manual, language)


def _papers(game: Game) -> dict[str, Component]:
    """Papers that pnp has no translation for, each with the first component printed on it."""
    return {each.paper: each for each in reversed(game.components) if not known(each.paper)}


def _of_tables(game: Game) -> Iterator[Unit]:
    for name, table in game.tables.items():
        # A table may be called like one of the other kinds of texts.
        home = f"table:{name}" if name in KINDS else name
        for row in table:
            for column in table.words:
                cell = row.cells[column]
                yield Unit(f"{home}/{row.id}/{column}", cell.text, cell.place)


def _of_book(game: Game, manual: Manual, language: str) -> Iterator[Unit]:
    for key in COVERS:
        text = getattr(manual, key)
        # A book without a title of its own is called like the game.
        if key != "title" or text != game.title:
            yield Unit(f"book/{manual.name}/{key}", text, game.place_of(f"book.{manual.name}.{key}"))
    if language and anew(game, manual, language) is not None:
        return
    for piece in _Reader(manual.text).read():
        line = manual.text.count("\n", 0, piece.start) + 1
        yield Unit(f"book/{manual.name}/{piece.location}", piece.text, Place(manual.file, line))


def anew(game: Game, manual: Manual, language: str) -> Path | None:
    """The file with a book written anew in a language, if there is one: rulebook.de.md beside rulebook.md."""
    path = game.folder / f"{Path(manual.file).stem}.{language}{Path(manual.file).suffix}"
    return path if file_within(game.folder, path) else None


def translation_of(project: Project, game: Game, language: str, problems: Problems) -> Translation | None:
    """The catalogue beside the game's texts; None where it is missing or unreadable, which is reported."""
    folder = project.folder(game.name)
    shown = project.shown(catalogue_file(folder, language))
    if (catalogue := read_catalogue(folder, shown, language, problems)) is None:
        return None
    glossary = read_glossary(folder, project.shown(glossary_file(folder, language)), language, problems)
    return replace(matched(units_of(game, language), catalogue), glossary=glossary)


def translations_of(project: Project, game: Game, problems: Problems) -> tuple[Translation, ...]:
    """All catalogues of a game beside its texts."""
    folder = project.folder(game.name)
    codes = languages_of(folder)
    for code in glossaries_of(folder):
        if code not in codes:
            at = Place(project.shown(glossary_file(folder, code)))
            hint = f'Name it as the translation is named, or type "pnp translate {game.name} {code}" to begin one.'
            problems.warn("lone-glossary", at, f'there is no translation "{code}.csv" for it', value=code, hint=hint)
    made = (translation_of(project, game, each, problems) for each in codes)
    return tuple(each for each in made if each is not None)


def spoken(project: Project, game: Game, language: str, problems: Problems) -> tuple[Game, Game] | None:
    """The game in a language, and as its author wrote it, which rules on tables look at.

    Without a language it is in its own, where templates may show others beside it.
    """
    folder, foreign = project.folder(game.name), language not in ("", game.language)
    codes = languages_of(folder)
    if foreign and language not in codes:
        place, (message, hint) = Place(project.shown(catalogue_file(folder, language))), language_fault(language)
        if message:
            problems.error("language-code", place, message, value=language, hint=hint)
            return None
        hint, allowed = closest(language, codes) or f"Type: pnp translate {game.name} {language}", [game.language, *codes]
        message = f"the game has no translation into {language}"
        problems.error("no-language", place, message, value=language, allowed=listed(allowed), hint=hint)
        return None
    if not codes:
        return game, game
    own = None if foreign else matched(units_of(game), Catalogue(game.language, ""))
    if (translation := own or translation_of(project, game, language, problems)) is None:
        return None
    made = _retold(project, game, translation, problems)
    if not foreign:
        return made, game
    made = replace(made, language=language, native=game.language, spoken=language, translations=(translation,))
    return made, replace(game, translations=(translation,), spoken=language)


def press_words(game: Game, problems: Problems) -> Words:
    """pnp's own printed words in the game's language; English, with a hint, where there is no translation."""
    if (made := words_of(game.language)) is None:
        message = (
            f"pnp has no words of its own in {language_name(game.language)}: plan, how-to pages and marks are in English"
        )
        hint = f"It speaks {listed(['en', *word_languages()])}. CONTRIBUTING.md says how a language is added."
        problems.warn("press-words", game.place_of("game.language"), message, value=game.language, hint=hint)
    return made or ENGLISH


def _retold(project: Project, game: Game, translation: Translation, problems: Problems) -> Game:
    """Reads the game again in the language of a catalogue, for its rows are changed in place."""
    if (made := read_game(project, game.name, Problems())) is None:
        return game
    others = {each.language: each.texts for each in translations_of(project, game, Problems())}
    tongue = Tongue(translation.language, game.language, translation.texts, others)
    by_place = {unit.place: unit.location for unit in _of_tables(made)}
    for row in _rows(made):
        told: dict[str, Cell] = {}
        for column, cell in row.cells.items():
            location = by_place.get(cell.place)
            # A cell that refers to a row says what that row says.
            if location is not None and isinstance(cell.value, str):
                said = tongue.says(location, cell.text)
                if isinstance(said, Translated):
                    told[column] = Cell(said, str.__str__(said), tongue.place(location, cell.place))
        if told:
            row.cells = {**row.cells, **told}
    # A piece without a table is called like its component.
    for component in (component for component in made.components if component.table.file == made.file):
        said = tongue.says(location := f"component/{component.name}/title", component.title)
        for row in component.table if isinstance(said, Translated) else ():
            row.cells = {**row.cells, "name": Cell(said, str.__str__(said), tongue.place(location, component.place))}
    places = dict(made.places)
    for key in (*(f"game.{each}" for each in ("name", *ABOUT)), *(f"texts.{each}" for each in made.texts)):
        places[key] = tongue.place(key.replace(".", "/", 1), made.place_of(key))
    for manual in made.manuals:
        for each in COVERS:
            key = f"book.{manual.name}.{each}"
            places[key] = tongue.place(key.replace(".", "/", 2), made.place_of(key))
    setup = made.rules.setup
    if setup is not None:
        whats = {take.name: {"what": tongue.says(f"setup/{take.name}/what", take.what)} for take in setup.takes}
        takes = {name: take.model_copy(update=whats[name]) for name, take in setup.take.items()}
        setup = setup.model_copy(update={"take": takes})
    papers = {text: tongue.says(f"component/{each.name}/paper", text) for text, each in _papers(made).items()}
    return replace(
        made,
        title=tongue.says("game/name", made.title),
        about={key: tongue.says(f"game/{key}", text) for key, text in made.about.items()},
        texts=Texts({key: tongue.says(f"texts/{key}", text) for key, text in made.texts.items()}),
        components=tuple(
            replace(
                each, title=tongue.says(f"component/{each.name}/title", each.title), paper=papers.get(each.paper, each.paper)
            )
            for each in made.components
        ),
        layouts=tuple(replace(each, title=tongue.says(f"layout/{each.name}/title", each.title)) for each in made.layouts),
        manuals=tuple(_book(project, made, each, tongue, problems) for each in made.manuals),
        rules=replace(made.rules, setup=setup),
        places=places,
    )


@dataclass(frozen=True, slots=True)
class Tongue:
    """The texts of a language, and of others that templates may show beside it."""

    language: str
    own: str
    """The language of the game's author."""
    entries: Mapping[str, Entry]
    """The rows that hold good, by location."""
    others: Mapping[str, Mapping[str, Entry]]

    def says(self, location: str, source: str) -> str:
        """A text of the game, translated if possible."""
        others = {code: entries[location].target for code, entries in self.others.items() if location in entries}
        entry = self.entries.get(location)
        if entry is None and not others:
            return source
        return Translated(entry.target if entry else source, source, {self.own: source, **others})

    def place(self, location: str, place: Place) -> Place:
        """Where the text was written."""
        return self.entries[location].place if location in self.entries else place


def _rows(game: Game) -> Iterator[Row]:
    for table in game.tables.values():
        yield from table
    for component in game.components:
        for table in (component.table, *component.table.parts):
            yield from table
        yield from (each.row for each in component.board.fields) if component.board else ()
        yield from (cell.row for cells in component.hexes.tiles.values() for cell in cells) if component.hexes else ()
        yield from (row for rows in component.tracker.tracks.values() for row in rows) if component.tracker else ()
    for layout in game.layouts:
        yield from (slot.row for slot in layout.slots)


def _book(project: Project, game: Game, manual: Manual, tongue: Tongue, problems: Problems) -> Manual:
    book = f"book/{manual.name}"

    def said(key: str) -> str:
        text = str(getattr(manual, key))
        titled = key == "title" and text == game.title
        return str.__str__(tongue.says("game/name" if titled else f"{book}/{key}", text))

    manual = replace(manual, title=said("title"), subtitle=said("subtitle"), foot=said("foot"), contents=said("contents"))
    if (path := anew(game, manual, tongue.language)) is not None:
        anew_text = text_of_book(project, game.folder, path, manual.place, problems)
        return replace(manual, file=project.shown(path), text=anew_text or "")
    targets = {
        location.removeprefix(f"{book}/"): entry.target
        for location, entry in tongue.entries.items()
        if location.startswith(f"{book}/")
    }
    text, lines = retold(manual.text, targets)
    origins = tuple(
        tongue.entries[f"{book}/{location}"].place if location else Place(manual.file, line) for line, location in lines
    )
    return replace(manual, text=text, origins=origins, source=(manual.text, tongue.own))


_TAGS = re.compile(r"\{%.*?%\}|\{#.*?#\}|\{\{.*?\}\}", re.DOTALL)
# A tag that prints and one that does not, letter by letter: nothing in Markdown, and not parted by its line ends.
_PRINTS, _SILENT = "\ue000", "\ue001"
_FENCE = re.compile(r"\s{0,3}(:{3,})\s*([a-z]*)[ \t]*")
_CODE = re.compile(r"\s{0,3}(?:```|~~~)")
_HEADING = re.compile(r"\s{0,3}#{1,6}[ \t]+")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_QUOTE = re.compile(r"\s{0,3}>[ \t]?")
_RULE = re.compile(r"\s{0,3}(?:[-*_][ \t]*){3,}|[|\s:-]+")
_ALT = re.compile(r'\balt="([^"]*)"')
_MACRO = re.compile(r"\{%-?\+?\s*macro\b.*?\{%-?\+?\s*endmacro\b", re.DOTALL)
_CELL = re.compile(r"(?<!\\)\|")
# Words that functions of books are given.
_SAID = re.compile(
    r"""(?:\b(?:caption|alt)\s*=|\bor\b|\belse\b|~)\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')""", re.DOTALL
)
_NOTES = re.compile(r"\bnotes\s*=\s*\[(.*?)\]\s*\]", re.DOTALL)
_NOTE = re.compile(r"""\[\s*(?:"[^"]*"|'[^']*')\s*,\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a book's text: its start and end, the heading above it, its index there."""

    start: int
    end: int
    heading: str
    number: int
    text: str
    """On one line, unless somebody ends lines in it."""

    @property
    def location(self) -> str:
        return f"{self.heading}/{self.number}"


@dataclass(slots=True)
class _Reader:
    """Finds the translatable pieces of a book in order."""

    text: str
    heading: str = "start"
    number: int = 0
    _slugs: Counter[str] = field(default_factory=Counter)

    def read(self) -> Iterator[Segment]:
        masked = _TAGS.sub(lambda tag: (_PRINTS if tag[0].startswith("{{") else _SILENT) * len(tag[0]), self.text)
        macros = [macro.span() for macro in _MACRO.finditer(self.text)]
        scenes: list[int] = []
        code, at = False, 0
        begun: tuple[int, int] | None = None
        for line in [*masked.split("\n"), ""]:
            start, end = at, at + len(line)
            at = end + 1
            bare = line.replace(_SILENT, " ")
            lead = len(bare) - len(bare.lstrip())
            # What a macro writes of a table is rows of a scene.
            staged = bool(scenes) or any(first <= end and start < last for first, last in macros)
            row = bare.lstrip(f" \t{_PRINTS}").startswith("|")
            fence = _FENCE.match(bare)
            if _CODE.match(bare):
                code = not code
            ends = code or not bare.strip() or fence or _HEADING.match(bare) or _ITEM.match(bare) or _CODE.match(bare)
            if begun and (ends or _QUOTE.match(bare) or row or _RULE.fullmatch(bare)):
                yield from self._said(*begun)
                begun = None
            if code or _CODE.match(bare):
                continue
            if fence:
                if fence[2]:
                    if scenes or fence[2] == "scene":
                        scenes.append(len(fence[1]))
                elif scenes and len(fence[1]) >= scenes[-1]:
                    scenes.pop()
                alt = _ALT.search(bare) if fence[2] == "scene" else None
                if alt:
                    yield from self._said(start + alt.start(1), start + alt.end(1))
                elif fence[2] not in ("", "scene", "columns"):
                    yield from self._said(start + fence.end(), end)
            elif not bare.strip() or _RULE.fullmatch(bare):
                yield from self._in_tags(start, end)
            elif found := _HEADING.match(bare):
                yield from self._headed(start + found.end(), end)
            elif row:
                yield from self._of_table(bare, start, end, staged)
            elif found := _ITEM.match(bare) or _QUOTE.match(bare):
                begun = (start + found.end(), end)
            elif begun:
                begun = (begun[0], end)
            else:
                begun = (start + lead, end)

    def _headed(self, start: int, end: int) -> Iterator[Segment]:
        from pnp.books.markdown import slug

        name = slug(_TAGS.sub("", self.text[start:end])) or "section"
        self._slugs[name] += 1
        self.heading, self.number = f"{name}-{self._slugs[name]}" if self._slugs[name] > 1 else name, -1
        said = [*self._said(start, end)]
        self.number = 0
        yield from said

    def _of_table(self, bare: str, start: int, end: int, scene: bool) -> Iterator[Segment]:
        bars = [bar.start() for bar in _CELL.finditer(bare)]
        first, last = bars[0] + 1, bars[-1] if len(bars) > 1 and not bare[bars[-1] + 1 :].strip() else len(bare)
        if not scene:
            yield from self._said(start + first, start + last)
        elif len(bars) > 2 and bare[first : bars[1]].strip() == "mark":
            yield from self._said(start + bars[2] + 1, start + max(last, bars[2] + 1))

    def _said(self, start: int, end: int) -> Iterator[Segment]:
        """A piece of text; where it is only tags, the texts in these."""
        typed = self.text[start:end]
        start, end = start + len(typed) - len(typed.lstrip()), end - len(typed) + len(typed.rstrip())
        typed = self.text[start:end]
        if not worded(typed):
            yield from self._in_tags(start, end)
            return
        # A line that is broken on purpose ends in two spaces or a backslash.
        folded = typed if re.search(r"(?:  |\\)\n", typed) else _folded(typed)
        yield self._next(start, end, folded)

    def _in_tags(self, start: int, end: int) -> Iterator[Segment]:
        for tag in _TAGS.finditer(self.text, start, end):
            if tag[0].startswith("{#"):
                continue
            found = [*_SAID.finditer(tag[0])]
            for notes in _NOTES.finditer(tag[0]):
                found += _NOTE.finditer(tag[0], *notes.span(1))
            for first, last in sorted(said.span(said.lastindex or 0) for said in found):
                if worded(tag[0][first:last]):
                    yield self._next(tag.start() + first, tag.start() + last, tag[0][first:last])

    def _next(self, start: int, end: int, text: str) -> Segment:
        self.number += 1
        return Segment(start, end, self.heading, self.number, text)


def _folded(typed: str) -> str:
    """Joins the lines of a text; leaves tags as they are."""
    parts: list[str] = []
    at = 0
    for tag in _TAGS.finditer(typed):
        parts += [re.sub(r"[ \t]*\n[ \t]*", " ", typed[at : tag.start()]), tag[0]]
        at = tag.end()
    return "".join([*parts, re.sub(r"[ \t]*\n[ \t]*", " ", typed[at:])])


def retold(text: str, targets: Mapping[str, str]) -> tuple[str, list[tuple[int, str]]]:
    """A book's text with the pieces replaced whose location has a translation in ``targets``.

    Also for each of its lines: the line in the source, and the location of the translation in it, "" where none is.
    """
    parts: list[str] = []
    origins, at, line = [(1, "")], 0, 1
    pieces = [(piece.start, piece.end, piece.location) for piece in _Reader(text).read() if piece.location in targets]
    for start, end, place in (*pieces, (len(text), len(text), "")):
        between = text[at:start]
        for said, location, passed in ((between, "", between), (targets.get(place, ""), place, text[start:end])):
            for number in range(said.count("\n") + 1):
                here = line + min(number, passed.count("\n"))
                if number:
                    origins.append((here, location))
                elif location:
                    origins[-1] = (here, location)
            line += passed.count("\n")
            parts.append(said)
        at = end
    return "".join(parts), origins
