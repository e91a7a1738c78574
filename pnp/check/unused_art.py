"""``unused-drawing``: every drawing in ``art/`` is shown on a piece, in a book, or as an icon in a text.

Why: a picture that was saved under a name that nothing asks for is not printed, and the card shows what it showed before.
Where one is named nearly like a row, the message names that row; one that no printer can take is named as well.
Where a template asks for whom a deck is printed (``each``), the report lists what the deck for everybody does not show.
Example: ``art/pipp.png`` was drawn for the row ``pip``.
Mend: give it the name of what is to show it, or take it out of ``art/``.

``usual-drawing``: no row shows the drawing that stands in for what is missing, while others have drawings of their own.

Why: ``picture("someone")`` shows a row's own drawing, and ``someone`` until there is one. Nobody wants to find out at the
table which cards were still waiting. Rows that all have other usual drawings are not looked at: there none stands in.
Example: four rows have drawings, the fifth is new and shows ``art/someone.svg``.
Mend: save a drawing under the row's id, or allow it.

``moving-picture``: no picture that is printed has several pictures in it.

Why: of a picture that moves, and of a scan of several pages, the first is printed and the others are not.
Example: ``art/wave.gif`` has 12 pictures.
Mend: save the one that you want as PNG.

``blank-drawing``: every drawing that is printed shows something.

Why: an empty layer that was exported, or a drawing whose parts all lie in definitions, is printed as nothing at all.
Example: ``art/pip.png`` is transparent everywhere.
Mend: export the drawing again, with its layers visible; where nothing is meant, allow it.

Covers: every file of ``art/``, against all that pieces, books and texts of this game show.
Not covered: whether a drawing stands on the right piece: two drawings that are exchanged are both shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pnp.system.artfiles import BROKEN, ENDINGS, FOREIGN, ArtFolder, folded
from pnp.values.findings import Report, Stand, Subject, TableShown, report
from pnp.values.problems import About, Place, Problem, closest, listed
from pnp.values.walk import grouped

UNUSED, USUAL, MOVING, BLANK = "unused-drawing", "usual-drawing", "moving-picture", "blank-drawing"
RULES = (UNUSED, USUAL, MOVING, BLANK)

# What draws something; and how many bytes a pixel has at least in a picture that is not all alike: others need no look.
_DRAWS = re.compile(rb"<(?:\w+:)?(?:path|rect|circle|ellipse|line|poly(?:line|gon)|text|image|use|flow\w+)[\s/>]")
_PACKED = 0.05

# Kinds of pictures of which a file may hold several.
_SEVERAL = (".gif", ".webp", ".tif", ".tiff", ".png", ".avif")


def look(subject: Subject) -> Report:
    """The files of art/, and what was asked of them while the game was drawn."""
    told, rest = _unused(subject)
    listing = [_for_persons(rest)] if rest and subject.personal else []
    if rest and not subject.personal:
        told.append(_rest(subject, rest))
    return report([*told, *_usual(subject.stands), *_moving(subject), *_blank(subject)], listing)


def _unused(subject: Subject) -> tuple[list[Problem], list[str]]:
    """The drawings that were meant for a row, as it seems, and the names of the others that nothing shows."""
    folder = ArtFolder.of(subject.game.folder)
    waiting = {stand.row.id: stand for stand in subject.stands if not stand.own}
    told: list[Problem] = []
    rest: list[str] = []
    for path in folder.files():
        if path.resolve() in subject.shown:
            continue
        name = folder.name_of(path)
        if meant := closest(Path(name).name, waiting):
            told.append(_told(subject, path, "nothing shows this drawing", meant))
        else:
            rest.append(path.relative_to(folder.home).as_posix())
    for path in folder.files(None):
        ending = path.suffix.lower()
        if ending not in ENDINGS and folded(path.stem) in map(folded, waiting):
            what = f"it is {FOREIGN[ending]}, which" if ending in FOREIGN else f'a file that ends in "{ending}"'
            told.append(_told(subject, path, f"{what} cannot be printed", "Export it as PNG, JPEG or SVG."))
    return told, rest


def _rest(subject: Subject, names: Sequence[str]) -> Problem:
    place = Place(f"{_home(subject)}{ArtFolder.of(subject.game.folder).home.name}")
    hint = "Name a drawing as what is to show it, or take it out of art/."
    return Problem(UNUSED, place, f"nothing shows {listed(names, 6)}", ", ".join(names), hint=hint, severity="warning")


def _for_persons(names: Sequence[str]) -> TableShown:
    note = "The deck for everybody does not show these; a template asks for whom a deck is printed, so one with --each may."
    return TableShown("Drawings that may be for persons", ("Drawing",), tuple((name,) for name in names), note)


def _told(subject: Subject, path: Path, message: str, hint: str) -> Problem:
    place = Place(f"{_home(subject)}{path.relative_to(subject.game.folder).as_posix()}")
    return Problem(UNUSED, place, message, path.name, hint=hint, severity="warning")


def _home(subject: Subject) -> str:
    return subject.game.file.removesuffix("game.toml")


def _usual(stands: Sequence[Stand]) -> Iterator[Problem]:
    together = grouped(((stand.component.name, stand.usual), stand) for stand in stands)
    for (name, usual), rows in together.items():
        waiting = [stand.row for stand in rows if not stand.own]
        everybody = len(rows) == len(rows[0].component.table.rows) > 1
        if waiting and (everybody or len(waiting) < len(rows)):
            ids = listed([row.id for row in waiting], 8)
            message = f'{name}: on {ids} there is only the usual drawing, "{usual}"'
            hint = f"Save a drawing as art/{waiting[0].id}.png or .svg."
            place = waiting[0].place
            yield Problem(
                USUAL, place, message, ids, hint=hint, severity="warning", about=About(name, waiting[0].id, "front")
            )


def _moving(subject: Subject) -> Iterator[Problem]:
    folder = ArtFolder.of(subject.game.folder)
    for path in folder.files(_SEVERAL):
        if path.resolve() in subject.shown and (count := _pictures_in(path)) > 1:
            place = Place(f"{_home(subject)}{path.relative_to(subject.game.folder).as_posix()}")
            message = f"it has {count} pictures, and the first is printed"
            yield Problem(MOVING, place, message, str(count), "one picture", "Save the one that you want as PNG.", "warning")


def _blank(subject: Subject) -> Iterator[Problem]:
    folder = ArtFolder.of(subject.game.folder)
    for path in folder.files():
        if path.resolve() in subject.shown and _is_blank(path):
            place = Place(f"{_home(subject)}{path.relative_to(subject.game.folder).as_posix()}")
            hint = "Export it again, with its layers visible."
            yield Problem(BLANK, place, "nothing is drawn in it", path.name, hint=hint, severity="warning")


def _is_blank(path: Path) -> bool:
    if path.suffix.lower() == ".svg":
        # UTF-16 has a zero byte beside each letter of a tag.
        return not _DRAWS.search(path.read_bytes().replace(b"\0", b""))
    from PIL import Image

    try:
        with Image.open(path) as image:
            if path.stat().st_size > _PACKED * image.width * image.height + 1000 or not image.has_transparency_data:
                return False
            return image.convert("RGBA").getchannel("A").getextrema()[1] == 0
    except (*BROKEN, Image.DecompressionBombError):
        return False


def _pictures_in(path: Path) -> int:
    from PIL import Image

    try:
        with Image.open(path) as image:
            return int(getattr(image, "n_frames", 1))
    except (*BROKEN, Image.DecompressionBombError):
        return 1
