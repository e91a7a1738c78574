"""Rasterises pages and the different faces of a deck, cached between builds; measures the ink on them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple

from pnp.draw.settexts import shown_faces
from pnp.flows.drawn import Drawn, face_page, pdf_of
from pnp.shapes.affine import Rect, scaling
from pnp.system.cache import apart, digest, together
from pnp.system.paths import digest_of
from pnp.values.faces import Book, Deck, Face, Page, Piece, PlacedFace
from pnp.values.game import Game, Paper, Side
from pnp.write.ink import Ink, coverage, mean_ink

Forms = tuple[bytes, ...]
"""The pictures of one page: as many as were asked for."""


def pictures(drawn: Drawn, pages: Sequence[Page], book: Book, dpi: int) -> list[bytes]:
    from pnp.write.png import render

    return [made for (made,) in in_forms(drawn, pages, book, str(dpi), lambda pdf: [(one,) for one in render(pdf, dpi)])]


def in_forms(
    drawn: Drawn, pages: Sequence[Page], book: Book, way: str, make: Callable[[bytes], Sequence[Forms]]
) -> list[Forms]:
    """Every page as ``make`` pictures it; ``way`` is part of the cache key and names what ``make`` does."""
    cache = drawn.cache
    looks = [digest("picture", drawn.makers, way, look_of(page)) for page in pages]
    known: dict[str, Forms] = {}
    for look in looks if cache else ():
        if kept := cache.get(look) if cache else None:
            known[look] = apart(kept)
    missing = {look: page for look, page in zip(looks, pages, strict=True) if look not in known}
    if missing:
        made = make(pdf_of(drawn, [*missing.values()], book, "none", "pictures"))
        for (look, page), forms in zip(missing.items(), made, strict=True):
            known[look] = forms
            if cache and _whole(page, book):
                cache.put(look, together(*forms))
    return [known[look] for look in looks]


def look_of(page: Page) -> str:
    """A digest of what is seen on a page."""
    items = [
        (item.face.look, item.matrix, item.clip, item.shape) if isinstance(item, PlacedFace) else item for item in page.items
    ]
    return repr((page.paper.width, page.paper.height, items))


def _whole(page: Page, book: Book) -> bool:
    faces = [item.face for item in page.items if isinstance(item, PlacedFace)]
    return all(placed.layer.key in book.pages for face in faces for placed in face.layers)


def own_fonts(game: Game) -> str:
    """The digests of the game's own font files: a layer names families only."""
    own = game.folder / "fonts"
    return "".join(digest_of(path.read_bytes()) for path in sorted(own.iterdir()) if path.is_file()) if own.is_dir() else ""


def faces_of(deck: Deck, fonts: str) -> dict[str, tuple[Piece, Side, Face]]:
    """The different faces of a deck, fronts first, by their digest, with the first piece that shows each."""
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
    """A face cut to its trim, on a page of at most ``largest`` mm."""
    scale = min(1.0, largest / max(face.width, face.height))
    trim = Rect(0, 0, face.width, face.height)
    placed = PlacedFace(face, name, side, scaling(scale, scale), trim, face.outline)
    return Page(Paper("face", face.width * scale, face.height * scale), (placed,), side)


# Of a deck with more different faces about so many are measured.
SAMPLE = 24


def face_inks(drawn: Drawn, book: Book) -> dict[str, Ink]:
    """The ink on every drawn face with its bleed, by key; for large decks a sample stands for all."""
    faces = shown_faces(drawn.decks)
    kinds: dict[tuple[str, Side], list[str]] = {}
    for key, (piece, side, _) in faces.items():
        kinds.setdefault((piece.component, side), []).append(key)
    sampled = {kind: keys[:: max(1, len(keys) // SAMPLE)] for kind, keys in kinds.items()}
    inks = _measured(drawn, book, {key: faces[key][1:] for keys in sampled.values() for key in keys})
    means = {kind: mean_ink([inks[key] for key in keys]) for kind, keys in sampled.items()}
    return {key: inks.get(key, means[kind]) for kind, keys in kinds.items() for key in keys}


def _measured(drawn: Drawn, book: Book, faces: Mapping[str, tuple[Side, Face]]) -> dict[str, Ink]:
    marks = {key: digest(repr(face.look)) for key, (_, face) in faces.items()}
    cache, known = drawn.cache, dict[str, Ink]()
    if cache:
        about = digest("ink", drawn.makers, os.fsencode(drawn.game.folder))
        known = _read(cache.get(about) or b"{}")
    missing = {marks[key]: face_page(face, side, True) for key, (side, face) in faces.items() if marks[key] not in known}
    if missing:
        pdf = pdf_of(drawn, [*missing.values()], book, "none", "ink")
        known |= dict(zip(missing, coverage(pdf), strict=True))
    if cache and missing:
        cache.put(about, json.dumps({mark: astuple(known[mark]) for mark in marks.values()}).encode())
    return {key: known[mark] for key, mark in marks.items()}


def _read(content: bytes) -> dict[str, Ink]:
    try:
        return {mark: Ink(*map(float, shares)) for mark, shares in json.loads(content).items()}
    except (ValueError, TypeError, AttributeError):
        return {}
