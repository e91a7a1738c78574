"""The different faces of a deck, for whoever shows them one by one: the preview page and the studio."""

from __future__ import annotations

from pnp.shapes.affine import Rect, scaling
from pnp.system.record import digest_of
from pnp.values.faces import Deck, Face, Page, Piece, PlacedFace
from pnp.values.game import Game, Paper, Side


def own_fonts(game: Game) -> str:
    """The game's own font files by content: a layer names families only."""
    own = game.folder / "fonts"
    return "".join(digest_of(path.read_bytes()) for path in sorted(own.iterdir()) if path.is_file()) if own.is_dir() else ""


def faces_of(deck: Deck, fonts: str) -> dict[str, tuple[Piece, Side, Face]]:
    """The different faces of a deck, fronts first, by what decides how they look, with the first piece that shows each."""
    faces: dict[str, tuple[Piece, Side, Face]] = {}
    sides: tuple[Side, ...] = ("front", "back")
    for side in sides:
        for piece in deck.pieces:
            if (face := piece.side(side)) is not None:
                layers = [(placed.layer.key, placed.matrix) for placed in face.layers]
                # Faces that could not be drawn are told apart by their pieces.
                looks = (face.width, face.height, face.outline, layers or (piece.name, side), fonts)
                faces.setdefault(digest_of(repr(looks).encode())[:24], (piece, side, face))
    return faces


def face_alone(name: str, side: Side, face: Face, largest: float) -> Page:
    """A face as it looks once it is cut, on a page no larger than ``largest`` mm."""
    scale = min(1.0, largest / max(face.width, face.height))
    trim = Rect(0, 0, face.width, face.height)
    placed = PlacedFace(face, name, side, scaling(scale, scale), trim, face.outline)
    return Page(Paper("face", face.width * scale, face.height * scale), (placed,), side)
