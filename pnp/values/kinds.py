"""The kinds of pieces: what more than one stage asks of a kind. Each stage's own part of it lies in a dict of that stage.

The keys of a kind and how it is read are in :mod:`pnp.read.kinds`, what its templates see in :mod:`pnp.draw.kinds`;
``tests/test_kinds.py`` holds all of them to these names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

KindName = Literal[
    "card", "tile", "domino", "board", "token", "tracker", "divider",
    "standee", "pawn", "prism", "die", "screen", "box", "pouch", "ship", "dial",
]  # fmt: skip
Care = Literal["usual", "small", "tiny"]
"""How carefully a piece is cut, and so how near to its edge anything may be printed."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What pieces of a kind are like once they are paper."""

    nested: bool = False
    """They share sheets with pieces of other sizes; others lie in grids, that straight cuts part."""
    parted: bool = False
    """One that is larger than a page is parted over pages of its own."""
    laid: bool = False
    """They are what a layout shows."""
    held: bool = False
    """They lie flat in a box."""
    rounded: bool = False
    """Books show them with the round corners of bought cards."""
    care: Care = "usual"


KINDS: Mapping[KindName, Kind] = {
    "card": Kind(held=True, rounded=True),
    "tile": Kind(held=True, laid=True),
    "domino": Kind(held=True, laid=True, rounded=True, care="small"),
    "board": Kind(parted=True),
    "token": Kind(nested=True, held=True, care="small"),
    "tracker": Kind(nested=True, held=True),
    "divider": Kind(nested=True, held=True),
    "standee": Kind(nested=True, care="small"),
    "pawn": Kind(nested=True, care="tiny"),
    "prism": Kind(nested=True, care="small"),
    "die": Kind(nested=True, care="tiny"),
    "screen": Kind(nested=True),
    "box": Kind(nested=True),
    "pouch": Kind(nested=True),
    "ship": Kind(nested=True),
    "dial": Kind(nested=True),
}
