"""``blank-page``: something is drawn on the front of every piece, and on every page of a board that is parted over several.

Why: nobody means to print an empty page. A front is blank when its template draws nothing for that row; a page of a board
where the drawing ends before the board does.
Example: a board of 600 × 400 mm whose drawing leaves the right third free: page A3 is white paper with marks.
Mend: make the board as large as its drawing, or give it a ground. Blank cards that are meant are allowed with ``[[allow]]``.

Covers: the front of every row, and for parted boards every page on each paper of the game.
Not covered: backs, which may be white, and a front on which something is drawn that nobody sees, white on white.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from pnp.shapes.affine import Rect
from pnp.values.faces import Face
from pnp.values.findings import Report, Subject, report
from pnp.values.problems import Place, Problem, listed

RULE = "blank-page"
RULES = (RULE,)

# A dot so light or lighter is paper (of 255).
_PAPER = 250


def look(subject: Subject) -> Report:
    """The fronts of all pieces, and the pages of boards."""
    return report([*_fronts(subject), *_pages(subject)])


def _fronts(subject: Subject) -> Iterator[Problem]:
    for deck in subject.decks:
        if blank := [piece for piece in deck.pieces if not piece.front.layers]:
            place = {row.id: row.place for row in deck.component.table}[blank[0].id]
            yield _problem(place, f"nothing is drawn on {listed([piece.name for piece in blank], 6)}", len(blank))


def _pages(subject: Subject) -> Iterator[Problem]:
    places = {deck.component.name: deck.component.place for deck in subject.decks}
    found: dict[str, list[str]] = {}
    for part in subject.parts:
        picture = subject.boards.get(part.piece.front.key)
        if picture is not None and part.piece.front.layers and _is_blank(picture, part.piece.front, part.area):
            found.setdefault(part.piece.name, []).append(f"{part.label} ({part.paper})")
    for name, labels in found.items():
        yield _problem(
            places[name.partition("/")[0]], f"{name}: nothing is drawn on its pages {listed(labels)}", len(labels)
        )


def _problem(place: Place, message: str, number: int) -> Problem:
    return Problem(RULE, place, message, str(number), hint="Draw something there, or allow it.", severity="warning")


def _is_blank(picture: bytes, face: Face, area: Rect) -> bool:
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as opened:
        across, down = opened.width / face.width, opened.height / face.height
        # A dot at the edge may show what lies on the next page.
        left, right = round(area.x * across) + 1, round(area.right * across) - 1
        top, bottom = round(area.y * down) + 1, round(area.bottom * down) - 1
        dots = opened.convert("L").crop((left, top, right, bottom)).tobytes()
    return min(dots, default=0) >= _PAPER
