"""Boxes with ``data-same``: on all pieces of a component they are set in the largest size in which each of them fits.

They are measured before anything is set: what a card looks like depends on all the others, so faces are kept as they
were before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pnp.draw.book import measured
from pnp.draw.cards import Studio
from pnp.system.cache import digest
from pnp.values.faces import Deck, Face, Piece, PlacedLayer
from pnp.values.layers import Layer, TextBox, TextLayer, TextPiece


def in_one_size(decks: Sequence[Deck], studio: Studio) -> list[Deck]:
    """The decks, whose boxes of one name are of one size."""
    layers = {layer.key: layer for deck in decks for layer in _alike(deck)}
    if not layers:
        return list(decks)
    fits = measured([_only(layer) for layer in layers.values()], studio.tools.fonts, studio.cache)
    sizes = {(fit.layer, fit.piece): fit.size_pt for fit in fits}
    return [_levelled(deck, sizes, studio) for deck in decks]


def _levelled(deck: Deck, sizes: dict[tuple[str, int], float], studio: Studio) -> Deck:
    smallest: dict[str, float] = {}
    ranges: dict[str, tuple[float, ...]] = {}
    for layer in _alike(deck):
        for number, box in enumerate(_boxes(layer)):
            name, own = box.setting.same, box.setting.sizes
            if ranges.setdefault(name, own) != own:
                _tell(deck, layer, box, ranges[name], studio)
            smallest[name] = min(smallest.get(name, own[0]), sizes.get((layer.key, number), own[-1]))
    if not smallest:
        return deck
    changed = {layer.key: _resized(layer, smallest) for layer in _alike(deck)}
    for old, new in changed.items():
        studio.origins.setdefault(new.key, studio.origins[old])

    def face(old: Face) -> Face:
        layers = tuple(_placed(placed, changed) for placed in old.layers)
        if layers == old.layers:
            return old
        new = replace(old, key=digest(old.key, *(placed.layer.key for placed in layers)), layers=layers)
        studio.replace(old, new)
        return new

    def piece(old: Piece) -> Piece:
        return replace(old, front=face(old.front), back=old.back and face(old.back))

    return replace(deck, pieces=tuple(map(piece, deck.pieces)))


def _placed(placed: PlacedLayer, changed: dict[str, TextLayer]) -> PlacedLayer:
    new = changed.get(placed.layer.key)
    return replace(placed, layer=new) if new else placed


def _alike(deck: Deck) -> Iterator[TextLayer]:
    """The layers of a deck with a box that is to be as large as others, each once."""
    found: dict[str, Layer] = {}
    for piece in deck.pieces:
        for side in (piece.front, piece.back):
            found.update({placed.layer.key: placed.layer for placed in (side.layers if side else ())})
    for layer in found.values():
        if isinstance(layer, TextLayer) and any(_boxes(layer)):
            yield layer


def _boxes(layer: TextLayer) -> list[TextBox]:
    return [piece for piece in layer.pieces if isinstance(piece, TextBox) and piece.setting.same]


def _only(layer: TextLayer) -> TextLayer:
    """The layer with nothing on it but what is to be measured."""
    return replace(layer, pieces=tuple(_boxes(layer)))


def _resized(layer: TextLayer, smallest: dict[str, float]) -> TextLayer:
    def resized(piece: TextPiece) -> TextPiece:
        if not isinstance(piece, TextBox) or piece.setting.same not in smallest:
            return piece
        return replace(piece, setting=replace(piece.setting, sizes=(smallest[piece.setting.same],)))

    pieces = tuple(map(resized, layer.pieces))
    return replace(layer, key=digest("one size", layer.key, *_said(smallest, _boxes(layer))), pieces=pieces)


def _said(smallest: dict[str, float], boxes: Iterable[TextBox]) -> Iterator[str]:
    for box in boxes:
        yield f"{box.setting.same} {smallest[box.setting.same]}"


def _tell(deck: Deck, layer: TextLayer, box: TextBox, others: tuple[float, ...], studio: Studio) -> None:
    origin = studio.origins[layer.key]
    studio.problems.error(
        "bad-text-box",
        origin.place,
        f'{origin.name}: the boxes with data-same="{box.setting.same}" of {deck.component.name} have different sizes: '
        f"{_range(box.setting.sizes)} and {_range(others)}",
        value=box.setting.same,
        allowed="one data-size for all of them",
        hint="Give them the same data-size, or another name.",
        about=origin.boxed(box.name),
    )


def _range(sizes: tuple[float, ...]) -> str:
    return f"{sizes[0]:g} {sizes[-1]:g}"
