"""The ink on a game's faces: of large decks a sample is measured, and what was measured in an earlier build is known."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import astuple

from pnp.draw.settexts import shown_faces
from pnp.flows.drawn import Drawn, face_page, pdf_of
from pnp.system.cache import digest
from pnp.values.faces import Book, Face
from pnp.values.game import Side
from pnp.write.ink import Ink, coverage, mean_ink

# Of a deck with more different faces about so many are measured.
SAMPLE = 24


def face_inks(drawn: Drawn, book: Book) -> dict[str, Ink]:
    """The ink on every drawn face with its bleed, by its key; of many faces of a deck some stand for the others."""
    faces = shown_faces(drawn.decks)
    kinds: dict[tuple[str, Side], list[str]] = {}
    for key, (piece, side, _) in faces.items():
        kinds.setdefault((piece.component, side), []).append(key)
    sampled = {kind: keys[:: max(1, len(keys) // SAMPLE)] for kind, keys in kinds.items()}
    inks = _measured(drawn, book, {key: faces[key][1:] for keys in sampled.values() for key in keys})
    means = {kind: mean_ink([inks[key] for key in keys]) for kind, keys in sampled.items()}
    return {key: inks.get(key, means[kind]) for kind, keys in kinds.items() for key in keys}


def _measured(drawn: Drawn, book: Book, faces: Mapping[str, tuple[Side, Face]]) -> dict[str, Ink]:
    """The ink on faces, by their keys; of those that are as they were in the last build it is known."""
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
    """What an earlier build has measured; nothing when it is nothing of the kind."""
    try:
        return {mark: Ink(*map(float, shares)) for mark, shares in json.loads(content).items()}
    except (ValueError, TypeError, AttributeError):
        return {}
