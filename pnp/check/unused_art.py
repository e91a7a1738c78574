"""``unused-drawing``: a drawing in ``art/`` is shown on no piece, in no book, and as no icon.

Why: a picture under a name that nothing asks for is not printed.
Example: pipp.png was drawn for the row pip.
Mend: give it the name of what is to show it, or take it out of ``art/``.

``usual-drawing``: a row shows the drawing that stands in for what is missing, ``picture("someone")``, while others have
their own.
Why: nobody wants to find out at the table which cards were still waiting.
Example: the fifth row is new and shows someone.svg.
Mend: save a drawing under the row's id, or allow it.

``moving-picture``: a picture that is printed has several pictures in it.
Why: the first is printed and the others are not.
Example: a GIF has 12 pictures.
Mend: save the one that you want as PNG.

``blank-drawing``: a drawing that is printed shows nothing.
Why: an empty layer that was exported is printed as nothing at all.
Example: a drawing is transparent everywhere.
Mend: export the drawing again, with its layers visible; where nothing is meant, allow it.

Covers: every file of ``art/``, against all that pieces, books and texts of this game show.
Not covered: whether a drawing stands on the right piece.

``hidden-drawing``: a drawing of ``art/`` is hidden by another one of the same name. Without an ending an SVG is taken
before a PNG, a JPEG and the others. On Windows and macOS capitals make no difference.
Why: a picture that was saved beside an older drawing is never seen.
Example: a new pip.png lies beside pip.svg, which came with the game.
Mend: take one away or give it another name. Where a template asks for each by its whole name, allow it.

Covers: the names of all files in ``art/``.
Not covered: drawings in other folders of the game.

``blank-page``: nothing is drawn on the front of a piece, or on a page of a board that is parted over several.
Why: nobody means to print an empty page.
Example: the right third of a board of 600 × 400 mm is free: page A3 is white paper with marks.
Mend: make the board as large as its drawing, or give it a ground. Blank cards that are meant are allowed with
``[[allow]]``.

Covers: the front of every row, and every page of a parted board on each paper of the game.
Not covered: backs, and a drawing that nobody sees, white on white.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pnp.shapes.affine import Rect
from pnp.system.paths import BROKEN, ENDINGS, FOREIGN, ArtFolder, folded
from pnp.values.faces import Face
from pnp.values.findings import Report, Stand, Subject, TableShown, report, reported
from pnp.values.problems import About, Place, Problem, closest, listed
from pnp.values.walk import grouped

UNUSED, USUAL, MOVING, BLANK = "unused-drawing", "usual-drawing", "moving-picture", "blank-drawing"
SHOWN_RULES, HIDDEN, PAGE = (UNUSED, USUAL, MOVING, BLANK), "hidden-drawing", "blank-page"
RULES = (*SHOWN_RULES, HIDDEN, PAGE)

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
    hint = "Call it as the id of the row that is to show it, or take it out of art/."
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


@reported
def look_hidden(subject: Subject) -> Iterator[Problem]:
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
            yield Problem(HIDDEN, Place(seen), message, value, "one drawing of a name", hint, "warning")


def _by_name(folder: Path) -> dict[str, list[Path]]:
    art, found = ArtFolder.of(folder), dict[str, list[Path]]()
    for path in art.files():
        found.setdefault(folded(art.name_of(path)), []).append(path)
    return found


# A dot so light or lighter is paper (of 255).
_PAPER = 250


def look_blank(subject: Subject) -> Report:
    """The fronts of all pieces, and the pages of boards."""
    return report([*_fronts(subject), *_pages(subject)])


def _fronts(subject: Subject) -> Iterator[Problem]:
    for deck in subject.decks:
        if blank := [piece for piece in deck.pieces if not piece.front.layers]:
            place = {row.id: row.place for row in deck.component.table}[blank[0].id]
            yield _blank_page(place, f"nothing is drawn on {listed([piece.name for piece in blank], 6)}", len(blank))


def _pages(subject: Subject) -> Iterator[Problem]:
    places = {deck.component.name: deck.component.place for deck in subject.decks}
    found: dict[str, list[str]] = {}
    for part in subject.parts:
        picture = subject.boards.get(part.piece.front.key)
        if picture is not None and part.piece.front.layers and _is_paper(picture, part.piece.front, part.area):
            found.setdefault(part.piece.name, []).append(f"{part.label} ({part.paper})")
    for name, labels in found.items():
        yield _blank_page(
            places[name.partition("/")[0]], f"{name}: nothing is drawn on its pages {listed(labels)}", len(labels)
        )


def _blank_page(place: Place, message: str, number: int) -> Problem:
    return Problem(PAGE, place, message, str(number), hint="Draw something there, or allow it.", severity="warning")


def _is_paper(picture: bytes, face: Face, area: Rect) -> bool:
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as opened:
        across, down = opened.width / face.width, opened.height / face.height
        # A dot at the edge may show what lies on the next page.
        left, right = round(area.x * across) + 1, round(area.right * across) - 1
        top, bottom = round(area.y * down) + 1, round(area.bottom * down) - 1
        dots = opened.convert("L").crop((left, top, right, bottom)).tobytes()
    return min(dots, default=0) >= _PAPER
