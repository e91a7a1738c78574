"""Small pictures of the pieces in a row, for the print plan. The only place where a face is not at its size."""

from __future__ import annotations

from collections.abc import Sequence

from pnp.geometry import Rect, scaling, translation
from pnp.model import Deck, Label, PlacedFace

# The name these pictures have in the file, so that nobody counts them as pieces.
PLAN = "pnp/plan"
MOST = 6
GAP = 5.0
LABEL = 6.0
LABEL_SIZE = 8.0
# Room for a letter of LABEL_SIZE, in mm, generously.
WIDE = 1.5
TALLEST = 62.0
LEAST = 20.0


def plan_pictures(decks: Sequence[Deck], room: Rect) -> list[PlacedFace | Label]:
    """The middle piece of each deck, all equally tall, with its name and number below; none in too little room."""
    shown = [deck for deck in decks if deck.pieces][:MOST]
    if not shown:
        return []
    faces = [deck.pieces[len(deck.pieces) // 2].front for deck in shown]
    ratio = sum(face.width / face.height for face in faces)
    height = min((room.width - GAP * (len(faces) - 1)) / ratio, room.height - LABEL, TALLEST)
    if height < LEAST:
        return []
    items: list[PlacedFace | Label] = []
    x = room.x
    for deck, face in zip(shown, faces, strict=True):
        scale = height / face.height
        matrix = translation(x, room.y) @ scaling(scale, scale)
        items.append(PlacedFace(face, PLAN, "front", matrix, Rect(0, 0, face.width, face.height), cut_out=True))
        middle = x + face.width * scale / 2
        text = f"{deck.copies} × {deck.component.title}"
        # A name that is wider than its picture is set smaller, so that it stays off its neighbour's.
        size = min(LABEL_SIZE, LABEL_SIZE * (face.width * scale + GAP) / (WIDE * len(text)))
        items.append(Label(middle, room.y + height + 4, text, size, anchor="middle"))
        x += face.width * scale + GAP
    return items
