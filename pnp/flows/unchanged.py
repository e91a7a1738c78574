"""Whether a build is still what it would be: a digest of everything that decides its bytes, kept in the cache."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from pnp.read.project import Project, font_folders
from pnp.shapes.affine import Rect
from pnp.system.cache import Cache
from pnp.system.engines import engines_digest
from pnp.system.files import ASIDE, as_json
from pnp.system.paths import within
from pnp.system.record import digest_of, digest_on_disk, is_link
from pnp.system.sealing import is_sealed
from pnp.values.exports import SLOTS
from pnp.values.onpaper import PRINTED
from pnp.values.outcome import Count, Options, Result
from pnp.values.problems import About, Place, Problem, Problems

MOST_BYTES = 64_000_000


def recipe_of(project: Project, name: str, options: Options) -> str:
    """A digest of the game's folder, templates, fonts, options, pnp itself and its engines."""
    return _digest(_parts(project, name, options))


def _digest(parts: Iterable[bytes]) -> str:
    state = hashlib.sha256()
    for part in parts:
        state.update(len(part).to_bytes(8, "big") + part)
    return state.hexdigest()


def _parts(project: Project, name: str, options: Options) -> Iterator[bytes]:
    yield engines_digest().encode()
    chosen = asdict(options)
    del chosen["out"]  # wherever files go, they are the same
    yield repr(chosen).encode()
    # What is on paper decides only what has changed since; where cards lie on a virtual table decides nothing.
    folder = project.folder(name).resolve()
    left = {folder / SLOTS, *(() if options.selection.changed else (folder / PRINTED,))}
    for root in _roots(project, name):
        yield b"root"
        for path in _below(root):
            if path in left:
                continue
            # One that is gone between two looks is told by its stamps.
            with suppress(FileNotFoundError):
                yield os.fsencode(path.relative_to(root)) + b"\0" + _content(path, root)


Stamps = Mapping[Path, tuple[int, ...]]
"""What the file system says of every file that a recipe is made from: whoever saves a file changes some of it."""


def stamps_of(project: Project, name: str) -> Stamps:
    """How the files of a game stand now; equal stamps before and after a build mean that it saw one state of them."""
    stamps = {}
    for root in _roots(project, name):
        for path in _below(root):
            with suppress(FileNotFoundError):
                about = path.lstat() if path.is_dir() else path.stat()
                stamps[path] = (about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
    return stamps


def _roots(project: Project, name: str) -> list[Path]:
    """The folders that a build of a game reads."""
    folder = project.folder(name)
    roots = {root.resolve() for root in (folder, *project.template_roots(name), *font_folders(folder))}
    # Folders of templates lie in one another.
    return [root for root in sorted(roots) if roots.isdisjoint(root.parents)]


def _below(root: Path) -> Iterator[Path]:
    """The files in a folder, in the order of their names, and links to folders, with what is in them where they lie in
    the project; none twice, for links may lead round.
    """
    homes, seen, waiting = (root.resolve(), *_homes(root)), set[Path](), [root]
    while waiting:
        folder = waiting.pop()
        real = folder.resolve()
        if real in seen or not any(real.is_relative_to(home) for home in homes):
            continue
        seen.add(real)
        try:
            entries = sorted(folder.iterdir(), key=lambda path: os.fsencode(path.name))
        except OSError:
            continue  # what cannot be read is told by whoever reads it
        for path in entries:
            if path.is_dir():
                waiting.append(path)
                if is_link(path):
                    yield path
            elif path.is_file():
                yield path


def _content(path: Path, root: Path) -> bytes:
    """What decides: the file, or, for what no stage reads, a word: what is too large, or lies elsewhere behind a link."""
    if path.is_dir():
        return b"link to " + os.fsencode(path.readlink())
    about = path.stat()
    if about.st_size > MOST_BYTES:
        return f"{about.st_size} {about.st_mtime_ns}".encode()
    if path.is_symlink() and not any(within(home, path) for home in (root, *_homes(root))):
        return b"link to " + os.fsencode(path.readlink())
    return path.read_bytes()


def _homes(root: Path) -> tuple[Path, ...]:
    """The project around a folder, within which templates may be links to one another."""
    return tuple(parent for parent in root.parents if (parent / "content").is_dir())[:1]


def remember(cache: Cache, folder: Path, recipe: str, result: Result) -> None:
    """Put down what a build in a folder came to."""
    state = {
        "recipe": recipe,
        "files": [*result.digests.items()],
        "counts": [asdict(count) for count in result.counts],
        "warnings": [asdict(problem) for problem in result.problems],
    }
    cache.put(_key(folder), as_json(state))


def recalled(cache: Cache, folder: Path, key: bytes, recipe: str, name: str) -> Result | None:
    """What the last build in a folder came to, when it was made after this recipe and all its files are whole."""
    content = cache.get(_key(folder))
    if content is None:
        return None
    state = json.loads(content)
    if state["recipe"] != recipe:
        return None
    files = [folder / file for file, _ in state["files"]]
    try:
        if any(is_sealed(key, ASIDE, path.name) for path in folder.iterdir()):
            # A build that was killed left something behind, and only the next one takes it away.
            return None
        if any(digest_on_disk(path) != digest for path, (_, digest) in zip(files, state["files"], strict=True)):
            return None
    except OSError:
        return None
    problems = Problems()
    problems.extend(_problem(entry) for entry in state["warnings"])
    return Result(name, problems, files, dict(state["files"]), [Count(**count) for count in state["counts"]])


def _key(folder: Path) -> str:
    return digest_of(b"build " + os.fsencode(folder.resolve()))


def _problem(entry: Mapping[str, Any]) -> Problem:
    about = About(**entry["about"]) if entry["about"] else None
    if about and about.area:
        about = replace(about, area=Rect(**entry["about"]["area"]))
    return Problem(**{**entry, "place": Place(**entry["place"]), "about": about})
