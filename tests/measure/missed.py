"""Real changes that no rule finds, and why."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Miss:
    """What such changes have in common; each text is a pattern for the whole of it, and all must fit."""

    because: str
    kind: str = ".*"
    game: str = ".*"
    what: str = ".*"
    """The column or the key."""
    said: str = ""
    """Found somewhere in the line, as it was."""

    def fits(self, kind: str, game: str, what: str, line: str) -> bool:
        """Whether a change is one of these."""
        whole = ((self.kind, kind), (self.game, game), (self.what, what))
        return all(re.fullmatch(pattern, text) for pattern, text in whole) and bool(re.search(self.said, line))


MISSES: tuple[Miss, ...] = ()
