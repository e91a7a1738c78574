"""Translates a game: lists what can be translated, and reads the game with translations in place.

References, ids, numbers and drawings stay what they are: a translated cell is another value of the same row, which is
still equal to what the author wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from pnp.dataclass import dataclass
from pnp.flows.plan import known
from pnp.read.game import read_game
from pnp.read.languages import (
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
from pnp.read.manuals import text_of_book
from pnp.read.project import Project
from pnp.system.paths import file_within
from pnp.values.game import Component, Game, Manual
from pnp.values.languages import ENGLISH, Catalogue, Entry, Translated, Translation, Unit, Words, matched, worded
from pnp.values.problems import Place, Problems, closest, listed
from pnp.values.tables import Cell, Row

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
    from pnp.books.markdown import slug
    from pnp.books.segments import segments

    for key in COVERS:
        text = getattr(manual, key)
        # A book without a title of its own is called like the game.
        if key != "title" or text != game.title:
            yield Unit(f"book/{manual.name}/{key}", text, game.place_of(f"book.{manual.name}.{key}"))
    if language and anew(game, manual, language) is not None:
        return
    for piece in segments(manual.text, slug):
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
    catalogue = read_catalogue(folder, shown, language, problems)
    if catalogue is None:
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


@dataclass(frozen=True, slots=True)
class Spoken:
    """A game in a language, and as its author wrote it, which rules on tables look at."""

    game: Game
    source: Game


def spoken(project: Project, game: Game, language: str, problems: Problems) -> Spoken | None:
    """The game in a language; without one in its own, where templates may show others beside it."""
    codes = languages_of(project.folder(game.name))
    if not language or language == game.language:
        if not codes:
            return Spoken(game, game)
        known = {each.language: each for each in translations_of(project, game, Problems())}
        own = matched(units_of(game), Catalogue(game.language, ""))
        return Spoken(_retold(project, game, own, known, problems), game)
    if language not in codes:
        _tell_unknown(project, game, language, codes, problems)
        return None
    translation = translation_of(project, game, language, problems)
    if translation is None:
        return None
    known = {each.language: each for each in translations_of(project, game, Problems())}
    made = _retold(project, game, translation, known, problems)
    source = replace(game, translations=(translation,), spoken=language)
    return Spoken(replace(made, language=language, spoken=language, translations=(translation,)), source)


def _tell_unknown(project: Project, game: Game, language: str, codes: list[str], problems: Problems) -> None:
    message, hint = language_fault(language)
    place = Place(project.shown(catalogue_file(project.folder(game.name), language)))
    if message:
        problems.error("language-code", place, message, value=language, hint=hint)
        return
    hint = closest(language, codes) or f"Type: pnp translate {game.name} {language}"
    message = f"the game has no translation into {language}"
    problems.error("no-language", place, message, value=language, allowed=listed([game.language, *codes]), hint=hint)


def press_words(game: Game, problems: Problems) -> Words:
    """pnp's own printed words in the game's language; English, with a hint, where there is no translation."""
    made = words_of(game.language)
    if made is None:
        problems.warn(
            "press-words",
            game.place_of("game.language"),
            f"pnp has no words of its own in {language_name(game.language)}: plan, how-to pages and marks are in English",
            value=game.language,
            hint=f"It speaks {listed(['en', *word_languages()])}. CONTRIBUTING.md says how a language is added.",
        )
    return made or ENGLISH


def _retold(
    project: Project, game: Game, translation: Translation, known: Mapping[str, Translation], problems: Problems
) -> Game:
    """Reads the game again in the language of a catalogue, for its rows are changed in place."""
    made = read_game(project, game.name, Problems())
    if made is None:
        return game
    tongue = Tongue.of(game.language, translation, known)
    by_place = {unit.place: unit.location for unit in _of_tables(made)}
    for row in _rows(made):
        _tell(row, by_place, tongue)
    places = dict(made.places)
    for key in (*(f"game.{each}" for each in ("name", *ABOUT)), *(f"texts.{each}" for each in made.texts)):
        places[key] = tongue.place(key.replace(".", "/", 1), made.place_of(key))
    for manual in made.manuals:
        for each in COVERS:
            key = f"book.{manual.name}.{each}"
            places[key] = tongue.place(key.replace(".", "/", 2), made.place_of(key))
    setup = made.rules.setup
    if setup is not None:
        said = {take.name: {"what": tongue.says(f"setup/{take.name}/what", take.what)} for take in setup.takes}
        takes = {name: take.model_copy(update=said[name]) for name, take in setup.take.items()}
        setup = setup.model_copy(update={"take": takes})
    papers = {text: tongue.says(f"component/{each.name}/paper", text) for text, each in _papers(made).items()}
    return replace(
        made,
        title=tongue.says("game/name", made.title),
        about={key: tongue.says(f"game/{key}", text) for key, text in made.about.items()},
        texts={key: tongue.says(f"texts/{key}", text) for key, text in made.texts.items()},
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

    @classmethod
    def of(cls, own: str, translation: Translation, known: Mapping[str, Translation]) -> Tongue:
        others = {code: each.texts for code, each in known.items()}
        return cls(translation.language, own, translation.texts, others)

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
    """Every row of the game; rows of numbered copies have cells of their own."""
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


def _tell(row: Row, by_place: Mapping[Place, str], tongue: Tongue) -> None:
    """Sets a row's cells to their translations."""
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


def _book(project: Project, game: Game, manual: Manual, tongue: Tongue, problems: Problems) -> Manual:
    """A book in the language: the one written anew, or its paragraphs from the catalogue."""
    from pnp.books.markdown import slug
    from pnp.books.segments import retold, segments

    book = f"book/{manual.name}"

    def said(key: str) -> str:
        text = str(getattr(manual, key))
        titled = key == "title" and text == game.title
        return str.__str__(tongue.says("game/name" if titled else f"{book}/{key}", text))

    manual = replace(manual, title=said("title"), subtitle=said("subtitle"), foot=said("foot"), contents=said("contents"))
    if (path := anew(game, manual, tongue.language)) is not None:
        text = text_of_book(project, game.folder, path, manual.place, problems)
        return replace(manual, file=project.shown(path), text=text or "")
    targets = {
        location.removeprefix(f"{book}/"): entry.target
        for location, entry in tongue.entries.items()
        if location.startswith(f"{book}/")
    }
    made = retold(manual.text, segments(manual.text, slug), targets)
    origins = tuple(
        tongue.entries[f"{book}/{location}"].place if location else Place(manual.file, line)
        for line, location in made.origins
    )
    return replace(manual, text=made.text, origins=origins, source=(manual.text, tongue.own))
