"""A game that was brought is built once aside, before it is put in its place: what would stop the build is mended or told.

Other tools print letters of 4 pt, and cut texts that do not fit; pnp refuses both. What the source had so is allowed,
with the reason in ``rules.toml``; what cannot be printed at all is left behind, and said to be.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pnp.check.registry import CHECKS
from pnp.draw.fonts import Fonts
from pnp.draw.symbols import SYMBOLS
from pnp.flows.check import prove
from pnp.flows.imports.deck import Deck, Imported, Picture, Text
from pnp.flows.imports.writing import files_of
from pnp.flows.pipeline import Pipeline
from pnp.read.project import Project
from pnp.values.outcome import NOWHERE, Options, Result
from pnp.values.problems import Place, Problem, Problems

ROUNDS = 12
SMALLER = 2.0
"""The size in pt below which words that do not fit are left behind instead."""


def tried(imported: Imported, name: str, roles: Mapping[str, str]) -> dict[str, bytes]:
    """The files of a game that builds; where it does not, what will stop it stands among the notes."""
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
    """These files as a build would take them; those that were ``written`` before are written where they changed."""
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
    """Whether something was changed, so that the finding does not come again."""
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
    """Leave a drawing behind that pnp does not print as it is."""
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
    """Leave out all letters that no font has, of every text at once."""
    if made.game is None:
        return False
    fonts = Fonts(made.game)
    texts = [row.get(name, "") for deck in imported.decks for row in deck.table.rows for name in sorted(deck.used)]
    for deck in imported.decks:
        words = (part for each in _texts(deck) for part in each.content if isinstance(part, str))
        texts += words
    missing = [letter for letter in fonts.missing("".join(texts), fonts.families("body")) if letter not in SYMBOLS]
    for letter in missing:
        _without_letter(imported, letter)
    return bool(missing)


def _texts(deck: Deck) -> list[Text]:
    return [each for each in (*deck.front, *deck.back) if isinstance(each, Text)]


def _without_letter(imported: Imported, letter: str) -> bool:
    """Leave out a letter that no font has."""
    found = False
    for deck in imported.decks:
        for row in deck.table.rows:
            for column, text in row.items():
                if letter in text:
                    row[column], found = text.replace(letter, ""), True
        for side in (deck.front, deck.back):
            for at, each in enumerate(side):
                if isinstance(each, Text) and any(isinstance(part, str) and letter in part for part in each.content):
                    parts = (part.replace(letter, "") if isinstance(part, str) else part for part in each.content)
                    side[at], found = replace(each, content=tuple(parts)), True
    if found:
        why = "no font of the game has it. Put one that has into fonts/, and the letter into the table again"
        imported.left(Place("game.toml", None, "fonts"), f"the letter {letter} (U+{ord(letter[0]):04X})", why)
    return found


def _smaller(imported: Imported, deck: Deck, box: str, back: bool, problem: Problem) -> bool:
    """Let a text be set smaller; one that does not fit even so goes, as other tools would cut it."""
    side = deck.back if back else deck.front
    for at, each in enumerate(side):
        if isinstance(each, Text) and each.name == box:
            if each.least > SMALLER:
                side[at] = replace(each, least=SMALLER)
            else:
                del side[at]
                imported.left(problem.place, f'the text "{box}" of {deck.key}', "some of its words do not fit into its box")
            return True
    return False
