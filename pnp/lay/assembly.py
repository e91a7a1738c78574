"""How folded pieces are made: for each a row of numbered pictures with a sentence below."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pnp.lay.sheet import Folding
from pnp.lay.stack import made_picture
from pnp.shapes.affine import Rect, scaling, translation
from pnp.shapes.nets.net import Step
from pnp.values.faces import Deck, Item, Label, Piece
from pnp.values.words import Words

GAP = 6.0
TEXT_SIZE, NUMBER_SIZE = 8.5, 15.0
LINE = 3.7
# A sentence stands beside its number.
INDENT = 5.5
# Below a picture, for its sentence.
WORDS = 5 * LINE


def folded_alike(decks: Sequence[Deck]) -> list[Folding]:
    """The folded pieces among the decks, those together that are made in the same steps.

    What is only folded, as a screen is, needs no steps: its lines and its picture in the print plan say all.
    """
    alike: dict[object, list[Deck]] = {}
    for deck in decks:
        net = deck.pieces[0].front.net if deck.pieces else None
        if net is not None and (net.glued or not net.creases):
            alike.setdefault((net.steps, len(net.panels)), []).append(deck)
    return [Folding(tuple(group)) for group in alike.values()]


def folding_items(folding: Folding, room: Rect, text_width: Callable[[str, float], float], words: Words) -> list[Item]:
    """A row of numbered steps with a sentence below each. ``text_width``: (text, pt) → mm."""
    items: list[Item] = []
    deck = folding.decks[0]
    piece = deck.pieces[0]
    steps = piece.front.net.steps if piece.front.net else ()
    width = (room.width + GAP) / max(len(steps), 3) - GAP
    for number, step in enumerate(steps, 1):
        x = room.x + (number - 1) * (width + GAP)
        pictured = Rect(x, room.y, width, room.height - WORDS - 4)
        items += _picture(deck, piece, step, pictured)
        items.append(Label(x, pictured.bottom + 5, str(number), NUMBER_SIZE))
        for index, line in enumerate(wrapped(words(step.text), width - INDENT, TEXT_SIZE, text_width)):
            items.append(Label(x + INDENT, pictured.bottom + 4 + index * LINE, line, TEXT_SIZE))
    return items


def wrapped(text: str, width: float, size: float, text_width: Callable[[str, float], float]) -> list[str]:
    """The sentence in lines no wider than ``width`` mm in letters of ``size`` pt."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _picture(deck: Deck, piece: Piece, step: Step, room: Rect) -> list[Item]:
    """The piece at one step, as large as the room allows, never above its size."""
    picture = made_picture(deck, piece, step)
    scale = min(room.width / picture.width, room.height / picture.height, 1.0)
    x = room.x + (room.width - picture.width * scale) / 2
    y = room.y + (room.height - picture.height * scale) / 2
    return picture.at(translation(x, y) @ scaling(scale, scale))
