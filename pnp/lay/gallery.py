"""Small pictures of the pieces, for the print plan: a shelf for each job. Here faces are not at their size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pnp.lay.picture import PLAN, Picture
from pnp.lay.stack import made_picture
from pnp.shapes.affine import Affine, Rect, scaling, translation
from pnp.values.faces import Deck, Face, Item, Label, PlacedFace

GAP = 3.5
LABEL = 9.5
LABEL_SIZE = 7.0
# A letter of LABEL_SIZE has at least so much room, in mm, so that names stand apart; and from one line to the next.
WIDE, LINE = 1.3, 3.0
# A picture has at least so much room for its name, and takes no more than this for a long one.
NARROWEST, LONGEST = 18.0, 36.0
TALLEST, LEAST = 36.0, 9.0
# Between one job and the next.
APART = 2.0


@dataclass(frozen=True, slots=True)
class Shelf:
    """The pictures of a job: its top in page mm, and how high it is."""

    top: float
    height: float
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class _Shown:
    """A deck's picture in a box from (0, 0), and what stands below it."""

    text: str
    picture: Picture
    named: float
    """How wide its name is in two lines."""

    def room(self, height: float, widest: float) -> float:
        """How wide its place is at a height; what would be wider than the page is lower."""
        return min(max(self.picture.width * height / self.picture.height, min(self.named, LONGEST), NARROWEST), widest)


def shelves(
    jobs: Sequence[Sequence[tuple[Deck, str]]],
    heads: Sequence[float],
    room: Rect,
    text_width: Callable[[str, float], float],
) -> list[Shelf] | None:
    """The decks of each job in rows, with words below them; a job is at least as high as its head, in mm.

    All pictures are as high as goes. None when there are pictures and the room does not take them all; jobs without go on
    beyond it. Folded pieces are shown as they stand. ``text_width``: (text, pt) → mm.
    """
    shown = [
        [
            _Shown(text, deck_picture(deck), max(_room(line, text_width) for line in _lines(text, 0, text_width)))
            for deck, text in job
            if deck.pieces
        ]
        for job in jobs
    ]
    height = TALLEST
    while height >= LEAST:
        rows = [_rows(each, height, room.width) for each in shown]
        heights = [max(head, len(own) * (height + LABEL)) + APART for head, own in zip(heads, rows, strict=True)]
        if not any(rows) or sum(heights) - APART <= room.height:
            return _placed(rows, heights, height, room, text_width)
        height -= 1.0
    return None


def _rows(shown: Sequence[_Shown], height: float, width: float) -> list[list[_Shown]]:
    rows: list[list[_Shown]] = []
    free = 0.0
    for each in shown:
        if not rows or each.room(height, width) > free:
            rows.append([])
            free = width
        rows[-1].append(each)
        free -= each.room(height, width) + GAP
    return rows


def _placed(
    rows: Sequence[Sequence[Sequence[_Shown]]],
    heights: Sequence[float],
    height: float,
    room: Rect,
    text_width: Callable[[str, float], float],
) -> list[Shelf]:
    made = []
    top = room.y
    for total, own in zip(heights, rows, strict=True):
        items: list[Item] = []
        for number, row in enumerate(own):
            items += _row(row, room.x, top + 1 + number * (height + LABEL), height, room.width, text_width)
        made.append(Shelf(top, total - APART, tuple(items)))
        top += total
    return made


def _row(
    row: Sequence[_Shown], x: float, y: float, height: float, widest: float, text_width: Callable[[str, float], float]
) -> list[Item]:
    items: list[Item] = []
    for each in row:
        wide = each.room(height, widest)
        picture = each.picture
        scale = min(height / picture.height, wide / picture.width)
        left, top = x + (wide - picture.width * scale) / 2, y + (height - picture.height * scale) / 2
        items += picture.at(translation(left, top) @ scaling(scale, scale))
        lines = _lines(each.text, wide, text_width)
        size = min(LABEL_SIZE, *(LABEL_SIZE * wide / _room(line, text_width) for line in lines))
        for index, line in enumerate(lines):
            items.append(Label(x + wide / 2, y + height + 3 + index * LINE, line, size, anchor="middle"))
        x += wide + GAP
    return items


def deck_picture(deck: Deck) -> Picture:
    """The middle piece of a deck as it looks once it is cut out, or folded."""
    piece = deck.pieces[len(deck.pieces) // 2]
    if piece.front.net is not None:
        return made_picture(deck, piece)
    face: Face = piece.front
    placed = PlacedFace(face, PLAN, "front", Affine(), Rect(0, 0, face.width, face.height), face.outline)
    return Picture((placed,), face.width, face.height)


def _room(text: str, text_width: Callable[[str, float], float]) -> float:
    """How wide a line of LABEL_SIZE is with some air, in mm; wide letters have none, but never too little."""
    return max(len(text) * WIDE, text_width(text, LABEL_SIZE))


def _lines(text: str, width: float, text_width: Callable[[str, float], float]) -> list[str]:
    """One line, or two that part at a space as evenly as they can, when one is wider than ``width`` mm."""
    spaces = [at for at, letter in enumerate(text) if letter == " " and at > text.find("×") + 1]
    if _room(text, text_width) <= width or not spaces:
        return [text]
    cut = min(spaces, key=lambda at: abs(len(text) / 2 - at))
    return [text[:cut], text[cut + 1 :]]
