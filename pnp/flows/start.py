"""A new game: the one that comes with pnp, the least that builds, or a copy of one that is there already.

All of a new game lies in one folder, its templates too. So it can be written aside and put in its place by one rename:
it is there whole or not at all, and later it can be moved, kept or given away as one thing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from pnp.read.devices import is_device
from pnp.read.project import NoSuchGame, Project, find_project, shipped_templates
from pnp.system.files import ASIDE
from pnp.system.paths import file_within
from pnp.system.sealing import own_key, sealed_name
from pnp.system.stopping import passing, sweep
from pnp.values.onpaper import PRINTED

Kind = Literal["starter", "blank"]

ALLOWED = "small letters a to z, digits, and single hyphens between them, 40 characters at most"
# How the starting files call the game that they will become.
_PLACEHOLDER = "mygame"
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST = 40
# Of these pnp has folders of its own in output/ or templates/.
_OURS = {"calibration", "doctor", "new", "shared", "together"}
# How a template asks for another one, by its folder: {% import "penguin/parts.svg.j2" as p %}
_REFERENCE = re.compile(r"\{%-?\+?\s*(?:extends|import|from|include)\b.*?%\}", re.DOTALL)


class CannotStart(Exception):
    """The new game cannot be made as asked. The text is for the person."""


def start_game(start: Path, name: str, kind: Kind) -> Path:
    """Make the game ``name`` from what comes with pnp; returns its folder. Raises CannotStart, OSError.

    Where there is no project at or above ``start``, one begins there.
    """
    root = _root(start)
    target = _free(root, name)
    begun = _files(shipped_templates() / "new" / kind)
    files = {file: data.replace(_PLACEHOLDER.encode(), name.encode()) for file, data in begun.items()}
    return _put(target, root, files)


def put_game(start: Path, name: str, made: Callable[[], Mapping[str, bytes]]) -> Path:
    """Make the game ``name`` of files that are made once the name is known to be free. Raises CannotStart, OSError."""
    root = _root(start)
    target = _free(root, name)
    return _put(target, root, made())


def copy_game(start: Path, name: str, source: str) -> Path:
    """Make the game ``name`` as a copy of another one of the project. Raises CannotStart, NoSuchGame, OSError."""
    project = find_project(start)
    folder = project.folder(source)
    target = _free(project.root, name)
    shared = {f"templates/{file}": data for file, data in _files(project.root / "templates" / source).items()}
    # Nothing is on paper of the new game.
    files = {**shared, **{file: data for file, data in _files(folder).items() if file != PRINTED}}
    for file, data in files.items():
        if file.endswith((".j2", ".md", ".toml")):
            files[file] = _renamed(data, source, name)
    return _put(target, project.root, files)


def _root(start: Path) -> Path:
    try:
        return find_project(start).root
    except NoSuchGame:
        return start


def _free(root: Path, name: str) -> Path:
    """The folder for a game of this name, where nothing is yet. Raises CannotStart."""
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise CannotStart(f'"{name}" cannot be the name of a folder. Allowed: {ALLOWED}. How about "{suggestion(name)}"?')
    if is_device(name) or name in _OURS:
        whose = "Windows" if is_device(name) else "pnp"
        raise CannotStart(f'{whose} keeps the name "{name}" for itself. How about "{suggestion(name)}"?')
    target = Project(root).content / name
    if target.exists() or target.is_symlink():
        raise CannotStart(f"{target} is there already; nothing was touched. Take another name, or move that folder away.")
    return target


def suggestion(name: str) -> str:
    """A name that is allowed, as near to the wished one as can be."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.replace("'", ""))
    made = "-".join(words)[:_LONGEST].strip("-") or "my-game"
    return f"my-{made}" if is_device(made) or made in _OURS else made


def _files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder by its relative name; not what programs hide there, nor what links to somewhere else."""
    found = {}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        hidden = any(part.startswith((".", "~$")) for part in inside.parts)
        if not hidden and file_within(folder, path):
            found[inside.as_posix()] = path.read_bytes()
    return found


def _renamed(data: bytes, source: str, name: str) -> bytes:
    """A text of a copied game: it asks for the templates beside it, and names folders and commands of its own game."""
    text = data.decode("utf-8", "surrogateescape")
    asked = re.compile(rf"""(["']){re.escape(source)}/""")
    text = _REFERENCE.sub(lambda found: asked.sub(r"\1", found[0]), text)
    text = re.sub(rf"\btemplates/{re.escape(source)}/", f"content/{name}/templates/", text)
    text = re.sub(rf"\b((?:content|output)/|pnp [a-z]+ ){re.escape(source)}(?![\w-])", rf"\g<1>{name}", text)
    return text.encode("utf-8", "surrogateescape")


def _put(target: Path, root: Path, files: Mapping[str, bytes]) -> Path:
    """Write the files aside, then give the folder that holds them its name."""
    key = own_key()
    sweep(root, ASIDE, key)
    with passing(root / sealed_name(key, ASIDE)) as aside:
        for file, data in files.items():
            path = aside / target.name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        target.parent.mkdir(exist_ok=True)
        (aside / target.name).rename(target)
    return target
