"""Small pictures of the pieces in a row, for the print plan. Here and on how-to pages faces are not at their size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pnp.lay.picture import PLAN, Picture
from pnp.lay.stack import made_picture
from pnp.shapes.affine import Affine, Rect, scaling, translation
from pnp.values.faces import Deck, Face, Item, Label, PlacedFace

MOST = 6
GAP = 5.0
LABEL = 9.0
LABEL_SIZE = 8.0
# A letter of LABEL_SIZE has at least so much room, in mm, so that names stand apart; and from one line to the next.
WIDE, LINE = 1.5, 3.4
# A picture has at least so much room for its name.
NARROWEST = 22.0
TALLEST = 62.0
LEAST = 18.0


@dataclass(frozen=True, slots=True)
class _Shown:
    """A deck's picture in a box from (0, 0), and what stands below it."""

    deck: Deck
    picture: Picture

    def room(self, height: float) -> float:
        """How wide it is at a height."""
        return max(self.picture.width * height / self.picture.height, NARROWEST)


def plan_pictures(decks: Sequence[Deck], room: Rect, text_width: Callable[[str, float], float]) -> list[Item]:
    """The middle piece of each deck, all equally tall, with its name and number below; none in too little room.

    Folded pieces are shown as they stand. ``text_width`` measures a name: (text, pt) → mm.
    """
    shown = [_Shown(deck, deck_picture(deck)) for deck in _chosen(decks)]
    height = _height(shown, room)
    while shown and height < LEAST <= room.height - LABEL:
        # One that is much wider than high would make all others tiny.
        shown.remove(max(shown, key=lambda each: each.room(LEAST)))
        height = _height(shown, room)
    if not shown or height < LEAST:
        return []
    items: list[Item] = []
    x = room.x
    for each in shown:
        wide = each.room(height)
        scale = height / each.picture.height
        left = x + (wide - each.picture.width * scale) / 2
        items += each.picture.at(translation(left, room.y) @ scaling(scale, scale))
        lines = _lines(f"{each.deck.copies} × {each.deck.component.title}", wide, text_width)
        size = min(LABEL_SIZE, *(LABEL_SIZE * wide / _room(line, text_width) for line in lines))
        for index, line in enumerate(lines):
            items.append(Label(x + wide / 2, room.y + height + 4 + index * LINE, line, size, anchor="middle"))
        x += wide + GAP
    return items


def _height(shown: Sequence[_Shown], room: Rect) -> float:
    """The greatest height, in steps of a millimetre, at which all go side by side."""
    height = min(TALLEST, room.height - LABEL)
    while height >= LEAST and sum(each.room(height) + GAP for each in shown) - GAP > room.width:
        height -= 1.0
    return height


def _chosen(decks: Sequence[Deck]) -> list[Deck]:
    """Different kinds of pieces before more of the same kind, in the order of the game."""
    usable = [deck for deck in decks if deck.pieces]
    first = {deck.component.kind: deck for deck in reversed(usable)}
    ordered = [deck for deck in usable if first[deck.component.kind] is deck]
    ordered += [deck for deck in usable if deck not in ordered]
    return [deck for deck in usable if deck in ordered[:MOST]]


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
    spaces = [at for at, letter in enumerate(text) if letter == " " and at > text.index("×") + 1]
    if _room(text, text_width) <= width or not spaces:
        return [text]
    cut = min(spaces, key=lambda at: abs(len(text) / 2 - at))
    return [text[:cut], text[cut + 1 :]]
