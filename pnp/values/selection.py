"""What of a game is printed, where that is not all of it once: as it was asked for, and in words for sheets and plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pnp.values.problems import Refused
from pnp.values.words import Words

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

    def told(self, words: Words, lacking: Callable[[str], Iterable[str]] = lambda text: ()) -> str:
        """What it holds, for people; nothing of the whole game. ``lacking``: which letters of a text cannot be printed."""
        if self.is_whole:
            return ""
        ways = (self._named(MOST_NAMES, words), self._named(0, words), [self._counted(words)])
        texts = map(words("; ").join, ways)
        told = next((text for text in texts if len(text) <= MOST_LETTERS and not [*lacking(text)]), "")
        times = f" × {self.times}" if self.times > 1 else ""
        if not self.is_part:
            return words("everything") + times
        return (words("part: {pieces}", pieces=told) if told else words("part of it")) + times

    def _named(self, most: int, words: Words) -> list[str]:
        """The pieces of each component by their ids, where these are at most so many, else how many they are."""
        if self.sheets:
            pairs = [str(first) if first == last else f"{first}–{last}" for first, last in self.sheets]
            one = len(self.sheets) == 1 and pairs[0].isdecimal()
            named = ", ".join(pairs)
            return [words("sheet {numbers}", numbers=named) if one else words("sheets {numbers}", numbers=named)]
        if self.copies is None:
            return [_shortened(text, most, words) for text in self.only]
        ids: dict[str, list[str]] = {}
        for name, _ in self.copies:
            component, _, piece = name.partition("/")
            ids.setdefault(component, []).append(piece)
        pieces = (_shortened(f"{component}: {', '.join(names)}", most, words) for component, names in ids.items())
        return [words("changed"), *pieces]

    def _counted(self, words: Words) -> str:
        """How much it is, where it is more than can be told one by one."""
        if self.copies is not None:
            return words.many("changed, {count} design", "changed, {count} designs", len(self.copies))
        if self.sheets:
            count = sum(last - first + 1 for first, last in self.sheets)
            return words.many("{count} sheet", "{count} sheets", count)
        count = len({text.partition(":")[0] for text in self.only})
        return words.many("{count} component", "{count} components", count)


def _shortened(text: str, most: int, words: Words) -> str:
    """``cards:slinger,yeti`` as it is, or as ``cards: 2 designs``."""
    component, colon, ids = text.partition(":")
    count = ids.count(",") + 1
    if not colon or "=" in ids or count <= most:
        return text
    return words.many("{name}: {count} design", "{name}: {count} designs", count, name=component)


WHOLE = Selection()
