"""``hidden-drawing``: no drawing of ``art/`` is hidden by another one of the same name.

Why: where a name is given without its ending an SVG is taken before a PNG, and that before a JPEG: a picture that was
saved beside an older drawing is never seen, and nothing else says so.
Example: ``art/pip.png``, a new photograph, lies beside ``art/pip.svg``, which came with the game.
Mend: take one of the two away or give it another name. Where a template asks for each by its whole name, allow it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pnp.values.findings import Report, Subject, report
from pnp.values.game import Game
from pnp.values.problems import Place, Problem

RULE = "hidden-drawing"
RULES = (RULE,)

# In the order in which a drawing is looked for.
ENDINGS = (".svg", ".png", ".jpg", ".jpeg")


def look(subject: Subject) -> Report:
    """The drawings of a game."""
    return report(check(subject.game))


def check(game: Game) -> Iterator[Problem]:
    """Every drawing that is not taken because another one of its name is."""
    shown = game.file.removesuffix("game.toml")
    for name, files in _by_name(game.folder).items():
        first, *hidden = sorted(files, key=ENDINGS.index)
        for ending in hidden:
            yield Problem(
                RULE,
                Place(f"{shown}{name}{ending}"),
                f'where "{Path(name).name}" is named, {shown}{name}{first} is shown, and never this one',
                f"{name}{ending}",
                "one drawing of a name",
                "Take one of the two away, or give it another name.",
                "warning",
            )


def _by_name(folder: Path) -> dict[str, list[str]]:
    """The endings that there are for each name below ``art/``."""
    found: dict[str, list[str]] = {}
    for path in sorted((folder / "art").rglob("*")):
        if path.suffix in ENDINGS and path.is_file():
            found.setdefault(path.relative_to(folder).with_suffix("").as_posix(), []).append(path.suffix)
    return found
