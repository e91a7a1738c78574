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


MISSES = (
    Miss("any symbol may stand in a sentence", kind="drawing", what="other symbol"),
    Miss("any heading may be the one that is meant", kind="reference", what="other (page|link)"),
    Miss("which sentence belongs to which name only its author knows", kind="exchanged", what=r".*\.(text|effect)"),
    Miss("an example tells a story, with dice and moves of its own", kind="prose-(digits|words)", what="example"),
    Miss("where sea ends and land begins is free", kind="map", game="pirates-on-the-prowl", what="[.#pw][.#pw]"),
    Miss(
        "the number of a row in a table of steps counts nothing",
        kind="prose-digits",
        what="row",
        said=r"\|\s*\d+\s*\|\s*\*\*",
    ),
    Miss("nobody says what a drawing in a book's table shows", kind="drawing", what="other picture"),
    Miss("pieces that a book picks by an expression are not followed", kind="reference", what="other faces", said=r"\]\[:"),
    Miss("two kinds of pieces may have one back", kind="back", game="penguins-night-out", what=r"component\.buddies\.back"),
    Miss("a smaller bag that still holds the cards is no fault", kind="size", game="penguin", what=r"component\.pouch\..*"),
    Miss("it lies on the table by itself: nothing has to hold it", kind="size", what=r"component\.(nest-pad|chips-\d)\..*"),
)
"""What remains; a reason is looked for only where a change was not found."""
