"""A component's kept faces as bytes, and back: JSON, in which what faces share stands once."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, field, fields
from typing import Any

from pnp.draw.art import Question
from pnp.draw.template import Reach
from pnp.shapes.affine import Affine
from pnp.values.faces import Face, PlacedLayer
from pnp.values.game import Side
from pnp.values.layers import (
    Grid,
    Icon,
    IconSpan,
    ImageLayer,
    Layer,
    LineBreak,
    Listing,
    Paragraph,
    Rule,
    Setting,
    TextBox,
    TextLabel,
    TextLayer,
    TextSpan,
)

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
    content = json.dumps(
        {
            "reaches": {side: (made, reach.files, sorted(reach.names)) for side, (made, reach) in entry.reaches.items()},
            "files": {name: _text(name, data) for name, data in files.items()},
            "images": {
                number: (each.key, each.width, each.height, each.file, each.fit, [*each.files])
                for number, each in layers.values()
                if isinstance(each, ImageLayer)
            },
            "texts": {
                number: (each.key, each.width, each.height, each.pieces, [*each.files])
                for number, each in layers.values()
                if isinstance(each, TextLayer)
            },
            "matrices": [astuple(matrix) for matrix in matrices],
            "arounds": [(around.used, around.answers) for around in arounds],
            "faces": faces,
        },
        default=_Texts().written,
    ).encode()
    return content if len(content) <= MOST_BYTES else None


def unpacked(content: bytes) -> Entry:
    """What was packed; an empty entry when it is nothing of the kind."""
    try:
        return _read(json.loads(content, object_hook=_Texts().made))
    except (ValueError, TypeError, LookupError, AttributeError):
        return Entry()


def _read(entry: Any) -> Entry:
    files = {name: _data(name, text) for name, text in entry["files"].items()}
    layers: dict[int, Layer] = {
        int(number): ImageLayer(key, width, height, file, fit, {name: files[name] for name in names})
        for number, (key, width, height, file, fit, names) in entry["images"].items()
    }
    layers |= {
        int(number): TextLayer(key, width, height, tuple(pieces), {name: files[name] for name in names})
        for number, (key, width, height, pieces, names) in entry["texts"].items()
    }
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


# What text layers are made of: one is written as its name and the values of its fields, in their order.
_KINDS = (TextBox, TextLabel, Paragraph, Listing, Rule, Grid, TextSpan, IconSpan, LineBreak, Icon, Setting)
_FIELDS = {each.__name__: tuple(field.name for field in fields(each)) for each in _KINDS}
_MAKERS: Mapping[str, Callable[..., object]] = {each.__name__: each for each in _KINDS}


class _Texts:
    """Texts for JSON, and back. A setting that another box has had is written as its number: a deck has few of them."""

    def __init__(self) -> None:
        self._settings: dict[Setting, int] = {}
        self._read: list[Setting] = []

    def written(self, text: object) -> object:
        """What JSON calls for what it does not know."""
        name = type(text).__name__
        if isinstance(text, Setting):
            if text in self._settings:
                return {name: [self._settings[text]]}
            self._settings[text] = len(self._settings)
        return {name: [getattr(text, field) for field in _FIELDS[name]]}

    def made(self, found: dict[str, Any]) -> object:
        """What was written so; any other object stays."""
        name = next(iter(found), "")
        if name not in _MAKERS:
            return found
        values = found[name]
        if name == Setting.__name__ and len(values) == 1:
            return self._read[values[0]]
        text = _MAKERS[name](*_frozen(values))
        if isinstance(text, Setting):
            self._read.append(text)
        return text


def _frozen(values: list[Any]) -> tuple[Any, ...]:
    return tuple([_frozen(value) if isinstance(value, list) else value for value in values])


def _text(name: str, data: bytes) -> str:
    return data.decode() if name.endswith(".svg") else base64.b64encode(data).decode()


def _data(name: str, text: str) -> bytes:
    return text.encode() if name.endswith(".svg") else base64.b64decode(text)
