"""Pictures of pieces as the files that a table's server takes, none of too many bytes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from pnp.flows.exports.darkroom import Darkroom
from pnp.flows.exports.pictures import LONGEST, dots, png
from pnp.values.kit import Look, Part

if TYPE_CHECKING:
    from PIL.Image import Image

# Of a picture with fewer dots nothing could be read.
LEAST = 256


class TooLarge(Exception):
    """A picture has too many bytes at any size that can be read."""


class Assets:
    """Makes pictures and keeps them; each is asked for as often as it is needed."""

    def __init__(self, darkroom: Darkroom, most: int) -> None:
        self._darkroom = darkroom
        self._most = most
        self._made: dict[tuple[str, int], bytes] = {}

    def of(self, part: Part, look: Look, turn: float = 0.0) -> bytes:
        """A look as a PNG file, turned clockwise by quarters. Raises TooLarge."""
        quarters = round(turn / 90) % 4
        if (look.key, quarters) not in self._made:
            # All of a part in one go is much faster than one by one.
            looks = {one.key: one for thing in part.things for one in (thing.front, thing.back, *thing.sides) if one}
            for key, data in zip(looks, self._packed([*looks.values()], LONGEST, quarters), strict=True):
                self._made[key, quarters] = data if len(data) <= self._most else self._smaller(part, looks[key], quarters)
        return self._made[look.key, quarters]

    def _packed(self, looks: list[Look], longest: int, quarters: int) -> list[bytes]:
        wanted = [(look, dots(look.width, look.height, longest)) for look in looks]
        return self._darkroom.packed(wanted, f"asset {quarters}", turned(quarters))

    def _smaller(self, part: Part, look: Look, quarters: int) -> bytes:
        """With as many dots as the bytes allow."""
        longest = LONGEST * 3 // 4
        while longest >= LEAST:
            (data,) = self._packed([look], longest, quarters)
            if len(data) <= self._most:
                return data
            longest = longest * 3 // 4
        raise TooLarge(part.name)


def turned(quarters: int) -> Callable[[Image], bytes]:
    """What makes a file of a picture, turned clockwise by quarters."""
    return partial(_turned, quarters)


def _turned(quarters: int, picture: Image) -> bytes:
    return png(picture.rotate(-90 * quarters, expand=True) if quarters else picture)
