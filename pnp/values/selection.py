"""What of a game is printed, where that is not all of it once: as it was asked for, and in words for sheets and plan."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pnp.values.problems import Refused

MOST_TIMES = 99
# A slug has room for so many letters beside the rest; of names so many are told.
MOST_LETTERS, MOST_NAMES = 70, 6

Ranges = tuple[tuple[int, int], ...]
"""Numbers from 1, from the first to the last of each pair."""


class NoSuchPart(Refused):
    """A selection that names something the game has not, or nothing at all."""


@dataclass(frozen=True, slots=True)
class Selection:
    """A part of a game, or several of it."""

    only: tuple[str, ...] = ()
    """Components, pieces and books as they were typed: ``cards``, ``cards:slinger,yeti``, ``rulebook``."""
    sheets: Ranges = ()
    """Sheets of the whole ``print.pdf``."""
    times: int = 1
    """Every piece so many times."""
    changed: bool = False
    """Of these, what is not on paper as it is now."""
    copies: tuple[tuple[str, int], ...] | None = None
    """What has changed, once that is known: pieces as ``component/id``, and how many of each are missing."""
    gone: tuple[str, ...] = ()
    """What is on paper and no longer needed, in words."""

    @property
    def is_whole(self) -> bool:
        """Whether the game is printed as it is."""
        return self == WHOLE

    @property
    def is_part(self) -> bool:
        """Whether something of the game is left out."""
        return bool(self.only or self.sheets or self.changed or self.copies is not None)

    def words(self, shown: Iterable[str] = ()) -> str:
        """What it holds, for people; nothing of the whole game. ``shown``: letters that cannot be printed."""
        if self.is_whole:
            return ""
        strange = {*shown}
        ways = (self._named(MOST_NAMES), self._named(0), [self._counted()])
        told = next((text for text in map("; ".join, ways) if len(text) <= MOST_LETTERS and not strange & {*text}), "of it")
        times = f" × {self.times}" if self.times > 1 else ""
        return f"part: {told}{times}" if self.is_part else f"everything{times}"

    def _named(self, most: int) -> list[str]:
        """The pieces of each component by their ids, where these are at most so many, else how many they are."""
        if self.sheets:
            pairs = [str(first) if first == last else f"{first}–{last}" for first, last in self.sheets]
            one = len(self.sheets) == 1 and pairs[0].isdecimal()
            return [f"sheet{'' if one else 's'} {', '.join(pairs)}"]
        if self.copies is None:
            return [_shortened(text, most) for text in self.only]
        ids: dict[str, list[str]] = {}
        for name, _ in self.copies:
            component, _, piece = name.partition("/")
            ids.setdefault(component, []).append(piece)
        return ["changed", *(_shortened(f"{component}: {', '.join(names)}", most) for component, names in ids.items())]

    def _counted(self) -> str:
        """How much it is, where it is more than can be told one by one."""
        if self.copies is not None:
            return f"changed, {len(self.copies)} designs"
        if self.sheets:
            count = sum(last - first + 1 for first, last in self.sheets)
            return f"{count} sheet{'' if count == 1 else 's'}"
        count = len({text.partition(":")[0] for text in self.only})
        return "1 component" if count == 1 else f"{count} components"


def _shortened(text: str, most: int) -> str:
    """``cards:slinger,yeti`` as it is, or as ``cards: 2 designs``."""
    component, colon, ids = text.partition(":")
    count = ids.count(",") + 1
    if not colon or "=" in ids or count <= most:
        return text
    return f"{component}: {count} designs" if count > 1 else f"{component}: 1 design"


WHOLE = Selection()
