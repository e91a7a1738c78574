"""``pnp import``: the project of another tool becomes a game, whole or not at all."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from pnp.flows.imports.deck import Imported
from pnp.flows.imports.letters import roles_of
from pnp.flows.imports.registry import IMPORTERS
from pnp.flows.imports.source import MOST_FILES, CannotImport, Source
from pnp.flows.imports.trial import tried
from pnp.flows.imports.writing import named
from pnp.flows.start import put_game, suggestion
from pnp.values.problems import Place, listed

# A script in such a folder names files from the project's folder on.
_INNER = ("src", "lib", "scripts")
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Brought:
    """A game that was made of a foreign project."""

    folder: Path
    imported: Imported


def import_game(start: Path, file: Path, name: str | None, tool: str | None) -> Brought:
    """Make a game of a foreign file, or of a folder with one. Raises CannotImport, CannotStart, OSError.

    ``name`` is that of the game; without one it is made of the file's or the folder's.
    """
    source, key = _recognised(file, tool)
    imported = IMPORTERS[key].read(source)
    imported.notes.extend(source.notes)
    place = Place(source.shown(source.main))
    if not any(deck.table.rows for deck in imported.decks):
        raise CannotImport(place, "there is no card in it", hint=f"It was read as a project of {IMPORTERS[key].title}.")
    imported.decks = [deck for deck in imported.decks if deck.table.rows]
    wished = source.folder.name if key != "list" and source.main.stem in ("deck", "main", "cards") else source.main.stem
    name = name or suggestion(wished if file.is_file() else source.folder.name)
    roles = roles_of(imported, source)
    named(imported)
    folder = put_game(start, name, lambda: tried(imported, name, roles))
    return Brought(folder, imported)


def _recognised(file: Path, tool: str | None) -> tuple[Source, str]:
    """The project's folder and main file, and whose project it is."""
    path = file.resolve()
    if path.is_dir():
        return _in_folder(path, tool)
    if not path.is_file():
        raise CannotImport(Place(str(file)), "this is no file that can be read")
    folder = path.parent.parent if path.parent.name in _INNER else path.parent
    source = Source(folder, path)
    key = tool or next((key for key, each in IMPORTERS.items() if each.recognises(source)), None)
    if key is None:
        raise CannotImport(
            Place(source.shown(path)),
            "nobody knows of which tool this file is",
            allowed=_known(),
            hint="With --as you say which one it is.",
        )
    return source, key


def _known() -> str:
    return listed(f"{each.title} ({', '.join(each.suffixes)})" for each in IMPORTERS.values())


def _in_folder(folder: Path, tool: str | None) -> tuple[Source, str]:
    """The first file that a tool's projects are known by; a bare table or list has to be named itself."""
    paths = _files(folder)
    for key, each in IMPORTERS.items():
        if key == "list" or (tool is not None and key != tool):
            continue
        for path in paths:
            source = Source(folder, path)
            if path.suffix.lower() in each.suffixes and each.recognises(source):
                return source, key
    raise CannotImport(
        Place(folder.name),
        "no file in this folder is known as a tool's project",
        allowed=_known(),
        hint="Name the file itself. A table may also lie in a game's folder as it is: pnp new begins a game.",
    )


def _files(folder: Path) -> list[Path]:
    """Files of the folder, those nearest to its top first; not what programs hide, nor what links to elsewhere."""
    found: list[Path] = []
    for home, folders, names in os.walk(folder):
        inside = len(Path(home).relative_to(folder).parts)
        folders[:] = [name for name in folders if not name.startswith(".") and inside + 1 < _DEEPEST]
        found += [Path(home) / name for name in names if not name.startswith(".")]
        if len(found) > MOST_FILES:
            why = f"the folder has more than {MOST_FILES} files, so the project's own is not looked for in it"
            raise CannotImport(Place(folder.name), why, hint="Name the file itself.")
    return sorted(found, key=lambda path: (len(path.parts), path.name != "deck.rb", path.as_posix()))
