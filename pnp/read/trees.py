"""What JSON and YAML come to: texts, lists and maps, each map with its line; and how much may be in a file."""

from __future__ import annotations

from dataclasses import dataclass

MOST_TREE_BYTES = 8_000_000
MOST_DEPTH = 40
# What an alias stands for counts each time.
MOST_PARTS = 2_000_000
MOST_LETTERS = 64_000_000


class Lined(dict[str, "Tree"]):
    """A map of a file."""

    __slots__ = ("line",)
    line: int


Tree = str | list["Tree"] | Lined


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file's tree, and the keys that stand twice in one map, with its line."""

    tree: Tree
    doubled: tuple[tuple[int, str], ...]


class BrokenText(Exception):
    """The text is not of its format; ``line`` is where that was noticed."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message, line)
        self.message, self.line = message, line
