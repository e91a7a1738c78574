"""What is on paper of a game: each piece as it was printed, told apart by what is seen of it and how it is cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pnp.values.problems import Place

PRINTED = "printed.csv"
"""The file in a game's folder that says what is on paper."""
COLUMNS = ("component", "id", "copies", "paper", "cut", "front", "back")
"""Of the file in which a game keeps it."""
Key = tuple[str, str]
"""A component and an id."""


@dataclass(frozen=True, slots=True)
class OnPaper:
    """A piece and its copies."""

    copies: int
    paper: str
    """What it is printed on, in the words of ``game.toml``; empty where a file does not say it."""
    cut: str
    """Its size, and a digest of its outline and folds; empty where a file does not say it."""
    front: str
    """A digest of what is seen of it."""
    back: str
    """The same; empty where it has none."""
    place: Place | None = None
    """Where that is written."""

    def is_like(self, other: OnPaper) -> bool:
        """Whether nobody could tell them apart, as far as both are known."""
        known = ((self.paper, other.paper), (self.cut, other.cut))
        alike = all(one == another for one, another in known if one and another)
        return alike and (self.front, self.back) == (other.front, other.back)


Stock = Mapping[Key, OnPaper]
