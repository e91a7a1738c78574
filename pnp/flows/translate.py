"""Runs ``pnp translate``: makes and updates ``languages/de.csv`` of a game, and converts it to PO and back."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pnp.flows.translated import translation_of, units_of
from pnp.read.game import read_game
from pnp.read.languages import MOST_BYTES, catalogue_file, language_fault, language_name
from pnp.read.project import Project
from pnp.system.manifest import put_anew
from pnp.system.paths import plain_bytes
from pnp.values.game import Game
from pnp.values.languages import COLUMNS, Catalogue, Entry, Translation, Unit, context_of, matched, state_of
from pnp.values.problems import Fault, Place, Problems


def po_of(translation: Translation) -> bytes:
    """An up-to-date catalogue as a PO file, its messages told apart by their locations."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import write_po

    made = Catalog(locale=translation.language.replace("-", "_"), fuzzy=False)
    # The dates of a header are no part of a game.
    made.mime_headers = [(name, value) for name, value in made.mime_headers if not name.endswith("-Date")]
    for unit, entry in translation.pairs:
        flags = {"fuzzy"} if entry is not None and entry.fuzzy else set()
        was = [entry.was] if entry is not None and entry.was is not None else []
        made.add(
            unit.source,
            entry.target if entry is not None else "",
            locations=[],
            flags=flags,
            user_comments=entry.note.split("\n") if entry is not None and entry.note else [],
            previous_id=was,
            context=unit.location,
        )
    text = io.BytesIO()
    write_po(text, made, width=0, omit_header=False, include_previous=True)
    lines = text.getvalue().decode().split("\n")
    return "\n".join(line for line in lines if not line.startswith(('"POT-Creation-Date', '"PO-Revision-Date'))).encode()


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


@dataclass(slots=True)
class Translating:
    """What was done to a catalogue."""

    game: str
    problems: Problems
    files: list[Path] = field(default_factory=list)
    translation: Translation | None = None
    added: int = 0
    changed: int = 0
    """Rows whose source has changed."""
    gone: int = 0

    @property
    def ok(self) -> bool:
        return not self.problems.errors


def translate_game(project: Project, name: str, language: str, po: Path | None = None) -> Translating:
    """Creates or updates a game's catalogue, with the translations of a PO file if given.

    Raises Fault, OSError.
    """
    made = Translating(name, Problems())
    game, before = _before(project, name, language, made.problems)
    if game is None or before is None or made.problems.errors:
        return made
    if po is not None:
        taken = entries_of_po(po, made.problems)
        if made.problems.errors:
            return made
        before = matched(units_of(game, language), _with(before, taken))
    after = updated(before)
    made.added = sum(entry is None for _, entry in before.pairs)
    made.changed = sum(entry is not None and entry.source != unit.source for unit, entry in before.pairs)
    made.gone = sum(not entry.gone for entry in before.gone)
    made.translation = matched(units_of(game, language), after)
    path = catalogue_file(project.folder(name), language)
    path.parent.mkdir(exist_ok=True)
    put_anew(path, written(after))
    made.files = [path]
    return made


def export_po(project: Project, name: str, language: str, po: Path) -> Translating:
    """Writes a game's catalogue as a PO file for Weblate, Poedit and their like. Raises Fault, OSError."""

    made = translate_game(project, name, language)
    if made.translation is not None:
        put_anew(po, po_of(made.translation))
        made.files.append(po)
    return made


def _before(project: Project, name: str, language: str, problems: Problems) -> tuple[Game | None, Translation | None]:
    """The game, and its catalogue so far."""
    folder = project.folder(name)
    if fault := language_fault(language)[0]:
        raise Fault(fault, hint=language_fault(language)[1])
    game = read_game(project, name, problems)
    if game is None or problems.errors:
        return None, None
    if language == game.language:
        raise Fault(f"{language_name(language)} is the language that {name} is written in", hint="Name another one.")
    path = catalogue_file(folder, language)
    if path.exists():
        return game, translation_of(project, game, language, problems)
    return game, matched(units_of(game, language), Catalogue(language, project.shown(path)))


def updated(before: Translation) -> Catalogue:
    """The catalogue with a row for every text of the game."""
    rows = {id(entry): _kept(unit, entry) for unit, entry in before.pairs if entry is not None}
    kept = [rows[id(entry)] for entry in before.catalogue.entries if id(entry) in rows]
    new = [Entry(unit.location, unit.source, "") for unit, entry in before.pairs if entry is None]
    # What nobody has translated is not missed.
    gone = [_parted(entry) for entry in before.gone if entry.target.strip() or entry.note]
    columns = (*before.catalogue.columns, *(each for each in COLUMNS if each not in before.catalogue.columns))
    return replace(before.catalogue, entries=(*_placed(kept, new, before), *gone), columns=columns)


def _placed(kept: Sequence[Entry], new: Sequence[Entry], before: Translation) -> list[Entry]:
    """Puts new rows behind the row of their predecessor in the game; a new file's rows in the game's order."""
    where = {entry.location: at for at, entry in enumerate(kept)}
    following: dict[int, list[Entry]] = {}
    fresh = {entry.location: entry for entry in new}
    last = -1
    for unit, _ in before.pairs:
        if unit.location in where:
            last = where[unit.location]
        else:
            following.setdefault(last, []).append(fresh[unit.location])
    made = [*following.get(-1, ())]
    for at, entry in enumerate(kept):
        made += [entry, *following.get(at, ())]
    return made


def _kept(unit: Unit, entry: Entry) -> Entry:
    """A row with the game's current text."""
    if entry.source == unit.source:
        return replace(entry, location=unit.location, context=context_of(entry.note, was=entry.was if entry.fuzzy else None))
    if not entry.target.strip():
        return replace(entry, location=unit.location, source=unit.source, fuzzy=False, context=entry.note)
    # Of several changes the first source is the one that the target translates.
    was = entry.was if entry.fuzzy and entry.was is not None else entry.source
    if was == unit.source:
        return replace(entry, location=unit.location, source=unit.source, fuzzy=False, context=entry.note)
    return replace(entry, location=unit.location, source=unit.source, fuzzy=True, context=context_of(entry.note, was=was))


def _parted(entry: Entry) -> Entry:
    """A row marked as gone."""
    return replace(entry, context=context_of(entry.note, was=entry.was, gone=True))


def written(catalogue: Catalogue) -> bytes:
    """A catalogue as the bytes of its file: every cell in quotation marks, lines that end as on Unix."""
    text = io.StringIO(newline="")
    rows = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    rows.writerow(catalogue.columns)
    for entry in catalogue.entries:
        said = {
            "location": entry.location,
            "source": entry.source,
            "target": entry.target,
            "fuzzy": "true" if entry.fuzzy else "",
            "context": entry.context,
            **entry.others,
        }
        rows.writerow([said.get(column, "") for column in catalogue.columns])
    return (("\ufeff" if catalogue.marked else "") + text.getvalue()).encode()


def _with(before: Translation, taken: Sequence[Entry]) -> Catalogue:
    """The catalogue with the given targets; other rows stay as they are."""
    said = {entry.location: entry for entry in taken}
    entries: list[Entry] = []
    for entry in before.catalogue.entries:
        new = said.pop(entry.location, None)
        entries.append(entry if new is None else _brought(entry, new))
    entries += [replace(entry, place=Place(before.catalogue.file)) for entry in said.values()]
    return replace(before.catalogue, entries=tuple(entries))


def _brought(entry: Entry, new: Entry) -> Entry:
    """A row with an imported target, which translates the file's source at that time."""
    note = entry.note
    return replace(
        entry, source=new.source, target=new.target, fuzzy=new.fuzzy, context=context_of(note, was=new.was, gone=entry.gone)
    )


def told(made: Translating) -> str:
    """What was done to a catalogue, in words."""
    assert made.translation is not None
    states = [state_of(unit, entry) for unit, entry in made.translation.pairs]
    left = [f"{states.count(state)} {state}" for state in ("missing", "stale") if states.count(state)]
    changes = ((made.added, "new"), (made.changed, "changed"), (made.gone, "gone"))
    news = ", ".join(f"{count} {what}" for count, what in changes if count) or "nothing new"
    language = language_name(made.translation.language)
    rest = f"; {', '.join(left)}" if left else ""
    return f"{made.game} in {language}: {made.translation.percent} % of {len(states)} texts{rest} ({news})"
