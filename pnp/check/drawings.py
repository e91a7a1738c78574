"""``hidden-drawing``: no drawing of ``art/`` is hidden by another one of the same name.

Why: where a name is given without its ending an SVG is taken before a PNG, that before a JPEG, and that before the others: a
picture that was saved beside an older drawing is never seen, and nothing else says so. Two names that differ only in
capital letters are one on Windows and macOS, where one of the two files is lost.
Example: ``art/pip.png``, a new photograph, lies beside ``art/pip.svg``, which came with the game.
Mend: take one of the two away or give it another name. Where a template asks for each by its whole name, allow it.

Covers: the names of all files in ``art/``.
Not covered: drawings in other folders of the game, and whether the one that is shown is the one that was meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pnp.system.artfiles import ENDINGS, ArtFolder, folded
from pnp.values.findings import Subject, reported
from pnp.values.problems import Place, Problem

RULE = "hidden-drawing"
RULES = (RULE,)


@reported
def look(subject: Subject) -> Iterator[Problem]:
    """Every drawing that is not taken because another one of its name is."""
    game = subject.game
    shown = game.file.removesuffix("game.toml")
    for files in _by_name(game.folder).values():
        first, *hidden = sorted(files, key=lambda file: ENDINGS.index(file.suffix.lower()))
        for path in hidden:
            seen, taken = (f"{shown}{each.relative_to(game.folder).as_posix()}" for each in (path, first))
            cased = folded(path.name) == folded(first.name)
            message = (
                f"{taken} differs from it in capital letters only: Windows and macOS keep one of the two"
                if cased
                else f'where "{path.stem}" is named, {taken} is shown, and never this one'
            )
            value = path.relative_to(game.folder).as_posix()
            hint = "Take one of the two away, or give it another name."
            yield Problem(RULE, Place(seen), message, value, "one drawing of a name", hint, "warning")


def _by_name(folder: Path) -> dict[str, list[Path]]:
    art, found = ArtFolder.of(folder), dict[str, list[Path]]()
    for path in art.files():
        found.setdefault(folded(art.name_of(path)), []).append(path)
    return found
