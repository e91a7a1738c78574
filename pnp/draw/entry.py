"""A component's kept faces as bytes, and back: JSON, in which what faces share stands once."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from typing import Any

from pnp.draw.art import Question
from pnp.draw.template import Reach
from pnp.shapes.affine import Affine
from pnp.values.faces import Face, Layer, PlacedLayer
from pnp.values.game import Side

# More is not kept: it would push everything else out of the cache.
MOST_BYTES = 48_000_000

Answers = tuple[tuple[Question, str], ...]
"""What art was asked for, and what was there."""


@dataclass(frozen=True, slots=True)
class Around:
    """What drawing a face asked for: columns by table, and art."""

    used: tuple[tuple[str, tuple[str, ...]], ...]
    answers: Answers


@dataclass(frozen=True, slots=True)
class Kept:
    """A face as its template and the cutter left it, and the steps that the template took."""

    face: Face
    steps: int
    around: Around


@dataclass(frozen=True, slots=True)
class Entry:
    """The faces of a component by digests of all that decides them, and what the templates of its sides reach.

    With a reach stands the digest of what it stood for.
    """

    reaches: dict[Side, tuple[str, Reach]] = field(default_factory=dict)
    faces: dict[str, Kept] = field(default_factory=dict)


def packed(entry: Entry) -> bytes | None:
    """An entry for the cache; None for one that is too large."""
    layers: dict[str, tuple[int, Layer]] = {}
    matrices: dict[Affine, int] = {}
    arounds: dict[Around, int] = {}
    faces = {}
    for key, kept in entry.faces.items():
        face, stack = kept.face, []
        for placed in face.layers:
            number, _ = layers.setdefault(placed.layer.key, (len(layers), placed.layer))
            stack.append((number, matrices.setdefault(placed.matrix, len(matrices))))
        around = arounds.setdefault(kept.around, len(arounds))
        faces[key] = (face.key, face.width, face.height, face.bleed, stack, kept.steps, around)
    files = {name: data for _, layer in layers.values() for name, data in layer.files.items()}
    if sum(map(len, files.values())) > MOST_BYTES:
        return None
    alike = _Alike()
    content = json.dumps(
        {
            "reaches": {side: (made, reach.files, sorted(reach.names)) for side, (made, reach) in entry.reaches.items()},
            "files": {name: _text(name, data) for name, data in files.items()},
            "layers": [
                (each.key, each.width, each.height, alike.less(each.data), [*each.files]) for _, each in layers.values()
            ],
            "alike": alike.pieces,
            "matrices": [astuple(matrix) for matrix in matrices],
            "arounds": [(around.used, around.answers) for around in arounds],
            "faces": faces,
        }
    ).encode()
    return content if len(content) <= MOST_BYTES else None


def unpacked(content: bytes) -> Entry:
    """What was packed; an empty entry when it is nothing of the kind."""
    try:
        return _read(json.loads(content))
    except (ValueError, TypeError, LookupError, AttributeError):
        return Entry()


def _read(entry: Any) -> Entry:
    files = {name: _data(name, text) for name, text in entry["files"].items()}
    alike = _Alike(entry["alike"])
    layers = [
        Layer(key, width, height, alike.whole(data), {name: files[name] for name in names})
        for key, width, height, data, names in entry["layers"]
    ]
    matrices = [Affine(*matrix) for matrix in entry["matrices"]]
    arounds = [
        Around(
            tuple((table, tuple(columns)) for table, columns in used),
            tuple(((what, name), answer) for (what, name), answer in answers),
        )
        for used, answers in entry["arounds"]
    ]
    faces = {}
    for key, (name, width, height, bleed, stack, steps, around) in entry["faces"].items():
        placed = tuple(PlacedLayer(layers[layer], matrices[matrix]) for layer, matrix in stack)
        faces[key] = Kept(Face(name, width, height, bleed, placed), steps, arounds[around])
    reaches = {
        side: (made, Reach(tuple(files), frozenset(names))) for side, (made, files, names) in entry["reaches"].items()
    }
    return Entry(reaches, faces)


@dataclass(slots=True)
class _Alike:
    """Pieces of text, of which those at the same place of a layer are nearly the same on all cards of a deck."""

    pieces: list[dict[str, Any]] = field(default_factory=list)
    _places: dict[tuple[object, ...], int] = field(default_factory=dict)

    def less(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """A layer's data with each piece as the number of another one and in what it differs from it."""
        if "pieces" not in data:
            return dict(data)
        pieces = []
        for place, piece in enumerate(data["pieces"]):
            number = self._places.setdefault((place, *piece), len(self.pieces))
            if number == len(self.pieces):
                self.pieces.append(piece)
            other = self.pieces[number]
            pieces.append((number, {key: value for key, value in piece.items() if not _same(value, other[key])}))
        return {**data, "pieces": pieces}

    def whole(self, data: dict[str, Any]) -> dict[str, Any]:
        """A layer's data as it was."""
        if "pieces" in data:
            data["pieces"] = [{**self.pieces[number], **own} for number, own in data["pieces"]]
        return data


def _same(one: object, other: object) -> bool:
    """Certainly the same: 1 and 1.0 are not, and what is in lists is not looked at."""
    return one is other or (type(one) is str and one == other)


def _text(name: str, data: bytes) -> str:
    return data.decode() if name.endswith(".svg") else base64.b64encode(data).decode()


def _data(name: str, text: str) -> bytes:
    return text.encode() if name.endswith(".svg") else base64.b64decode(text)
