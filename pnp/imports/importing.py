"""Turns a foreign project into a game, all or nothing, after a trial build."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

from pnp.check.registry import CHECKS
from pnp.draw.fonts import Fonts
from pnp.draw.markup import SYMBOLS
from pnp.flows.check import prove
from pnp.flows.pipeline import Pipeline
from pnp.flows.start import put_game, suggestion
from pnp.imports.deck import Deck, Imported, Importer, Picture, Source, Text
from pnp.imports.outcome import refuse_empty
from pnp.imports.writing import files_of, named, roles_of, texts_of
from pnp.read.project import Project
from pnp.system.addons import load_all
from pnp.system.watchdog import at
from pnp.values.outcome import NOWHERE, Options, Result
from pnp.values.problems import Fault, Place, Problem, Problems, listed

ROUNDS = 12
SMALLER = 2.0
"""The size in pt below which words that do not fit are left behind instead."""


def tried(imported: Imported, name: str, roles: Mapping[str, str]) -> dict[str, bytes]:
    """The files of a game, after a trial build; what stops the build is recorded as left out."""
    with tempfile.TemporaryDirectory() as aside:
        written: dict[str, bytes] = {}
        for _ in range(ROUNDS):
            files = files_of(imported, name, roles)
            made = _built(files, written, Path(aside), name)
            errors = made.problems.errors
            if not errors:
                return files
            lettered = any(problem.rule == "missing-glyph" for problem in errors) and _without_letters(imported, made)
            mended = [_mended(imported, problem) for problem in errors]
            if not lettered and not any(mended):
                break
        errors = _built(files_of(imported, name, roles), written, Path(aside), name).problems.errors
        for problem in errors:
            imported.changed(problem.place, f"the build stops here: {problem.message}")
    return files_of(imported, name, roles)


def _built(files: Mapping[str, bytes], written: dict[str, bytes], aside: Path, name: str) -> Pipeline:
    """Builds these files; only those that changed since ``written`` are written."""
    for file, data in files.items():
        path = aside / "content" / name / file
        if written.get(file) is not data and written.get(file) != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            written[file] = data
    made = Pipeline(Project(aside), name, Options(NOWHERE), Problems())
    prove(made, Result(name, made.problems), pictures=False)
    return made


def _mended(imported: Imported, problem: Problem) -> bool:
    """Changes the game so that a finding goes away; returns whether it could."""
    if problem.rule == "missing-glyph" and problem.value:
        return _without_letter(imported, problem.value)
    if _without_drawing(imported, problem):
        return True
    about = problem.about
    deck = next((deck for deck in imported.decks if about and deck.key == about.component), None)
    if problem.rule == "text-too-long" and about and deck:
        return _smaller(imported, deck, about.box, about.side == "back", problem)
    if any(problem.rule in check.rules for check in CHECKS.values()):
        part = f'{about}, box "{about.box}"' if about and about.box else problem.message[:80]
        new = (problem.rule, part) not in imported.allowed
        if new:
            imported.allowed[problem.rule, part] = f"It was so in {imported.tool}."
            imported.changed(problem.place, f"{problem.message}; it was so in {imported.tool}, and rules.toml allows it")
        return new
    return False


def _without_drawing(imported: Imported, problem: Problem) -> bool:
    """Leaves out a drawing that pnp cannot print."""
    _, within, name = problem.place.file.partition("/art/")
    if not within or imported.files.pop(f"art/{name}", None) is None:
        return False
    for deck in imported.decks:
        for row in deck.table.rows:
            row.update({column: "" for column, text in row.items() if text == name})
        for side in (deck.front, deck.back):
            side[:] = [each for each in side if not (isinstance(each, Picture) and each.file == (name,))]
    imported.left(problem.place, f'the picture "{name}"', ". ".join(filter(None, (problem.message, problem.hint))))
    return True


def _without_letters(imported: Imported, made: Pipeline) -> bool:
    """Leaves out all characters that no font has."""
    if made.game is None:
        return False
    fonts = Fonts(made.game)
    texts = [row.get(name, "") for deck in imported.decks for row in deck.table.rows for name in sorted(deck.used)]
    for deck in imported.decks:
        words = (part for each in texts_of(deck) for part in each.content if isinstance(part, str))
        texts += words
    missing = [letter for letter in fonts.missing("".join(texts), fonts.families("body")) if letter not in SYMBOLS]
    for letter in missing:
        _without_letter(imported, letter)
    return bool(missing)


def _without_letter(imported: Imported, letter: str) -> bool:
    """Leaves out one character that no font has."""
    found = False
    for deck in imported.decks:
        for row in deck.table.rows:
            for column, text in row.items():
                if letter in text:
                    row[column], found = text.replace(letter, ""), True
        for side in (deck.front, deck.back):
            for number, each in enumerate(side):
                if isinstance(each, Text) and any(isinstance(part, str) and letter in part for part in each.content):
                    parts = (part.replace(letter, "") if isinstance(part, str) else part for part in each.content)
                    side[number], found = replace(each, content=tuple(parts)), True
    if found:
        why = "no font of the game has it. Put one that has into fonts/, and the letter into the table again"
        imported.left(Place("game.toml", None, "fonts"), f"the letter {letter} (U+{ord(letter[0]):04X})", why)
    return found


def _smaller(imported: Imported, deck: Deck, box: str, back: bool, problem: Problem) -> bool:
    """Lets a text be set smaller; one that still does not fit is removed."""
    side = deck.back if back else deck.front
    for number, each in enumerate(side):
        if isinstance(each, Text) and each.name == box:
            if each.least > SMALLER:
                side[number] = replace(each, least=SMALLER)
            else:
                del side[number]
                imported.missing += 1
                deck.lost += 1
                imported.left(problem.place, f'the text "{box}" of {deck.key}', "some of its words do not fit into its box")
            return True
    return False


# A script in such a folder names files from the project's folder on.
_INNER = ("src", "lib", "scripts")
_DEEPEST = 3
MOST_FILES = 20_000
SMALL = 200_000
"""Bytes of a file that is read in a few seconds on any computer."""


def import_game(start: Path, file: Path, name: str | None, tool: str | None) -> tuple[Path, Imported]:
    """Imports a file, or a folder with one; returns the game's folder, and what was read. Raises Fault, OSError.

    ``name`` is the game's name, by default that of the file or folder.
    """
    at(f"reading {file.name}", brief=file.is_file() and file.stat().st_size < SMALL)
    source, key = _recognised(file, tool)
    each = importers()[key]
    imported = each.read(source)
    imported.notes.extend(source.notes)
    imported.main = source.shown(source.main)
    place = Place(source.shown(source.main))
    if not any(deck.table.rows for deck in imported.decks):
        raise Fault("there is no card in it", hint=f"It was read as a project of {each.title}.", place=place)
    imported.decks = [deck for deck in imported.decks if deck.table.rows]
    wished = source.folder.name if key != "list" and source.main.stem in ("deck", "main", "cards") else source.main.stem
    name = name or suggestion(wished if file.is_file() else source.folder.name)
    roles = roles_of(imported, source)
    named(imported)

    def made() -> dict[str, bytes]:
        refuse_empty(imported)
        files = tried(imported, name, roles)
        # What did not fit, or has no letters, is gone by now.
        refuse_empty(imported)
        return files

    return put_game(start, name, made), imported


@cache
def importers() -> dict[str, Importer]:
    """All supported tools, in the order in which they are tried."""
    known: dict[str, Importer] = load_all("pnp.imports")
    return dict(sorted(known.items(), key=lambda each: each[1].vague))


def _recognised(file: Path, tool: str | None) -> tuple[Source, str]:
    """The project's folder and main file, and its tool."""
    path = file.resolve()
    if path.is_dir():
        return _in_folder(path, tool)
    if not path.is_file():
        raise Fault("this is no file that can be read", place=Place(str(file)))
    folder = path.parent.parent if path.parent.name in _INNER else path.parent
    source = Source(folder, path)
    key = tool or next((key for key, each in importers().items() if each.recognises(source)), None)
    if key is None:
        raise Fault(
            "nobody knows of which tool this file is",
            allowed=_known(),
            hint="With --as you say which one it is.",
            place=Place(source.shown(path)),
        )
    if importers()[key].scripts:
        with suppress(Fault):
            source.others = _scripts(source, importers()[key], _files(folder))
    return source, key


def _scripts(source: Source, importer: Importer, paths: Sequence[Path]) -> list[Path]:
    """The other scripts of the tool in the folder."""
    found = [path for path in paths if path != source.main and path.suffix.lower() in importer.suffixes]
    return [path for path in found if importer.recognises(Source(source.folder, path))]


def _known() -> str:
    return listed(f"{each.title} ({', '.join(each.suffixes)})" for each in importers().values())


def _in_folder(folder: Path, tool: str | None) -> tuple[Source, str]:
    """The first file that a tool recognises; a bare table or list must be named itself."""
    paths = _files(folder)
    for key, each in importers().items():
        if key == "list" or (tool is not None and key != tool):
            continue
        for path in paths:
            source = Source(folder, path)
            if path.suffix.lower() in each.suffixes and each.recognises(source):
                if each.scripts:
                    source.beside = _scripts(source, each, paths)
                return source, key
    raise Fault(
        "no file in this folder is known as a tool's project",
        allowed=_known(),
        hint="Name the file itself. A table may also lie in a game's folder as it is: pnp new begins a game.",
        place=Place(folder.name),
    )


def _files(folder: Path) -> list[Path]:
    """The files of a folder, top first."""
    found = [*islice(Source(folder, folder).files(_DEEPEST), MOST_FILES + 1)]
    if len(found) > MOST_FILES:
        why = f"the folder has more than {MOST_FILES} files, so the project's own is not looked for in it"
        raise Fault(why, hint="Name the file itself.", place=Place(folder.name))
    return sorted(found, key=lambda path: (len(path.parts), path.name != "deck.rb", path.as_posix()))
