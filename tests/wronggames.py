"""The games of ``tests/games``, each wrong in one way: mostly a text file a game, a folder where a file is no text.

A text file begins with what is expected. Then comes each file of the game below a line ``=== NAME``, and before the next
such line an empty one. A folder has the files as they are, and what is expected in ``expected.txt``.

What is expected has a line a Problem: ``rule | file:row:column | words | more words``, the words being some that must
stand in the message, in what is allowed or in the hint. A line ``exit 3`` says that a file cannot be read at all;
without it the code is 1. Lines that start with ``#`` are remarks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

GAMES = Path(__file__).resolve().parent / "games"


@dataclass(frozen=True)
class WrongGame:
    """A game, the files of its project by their names, and the lines of what is expected."""

    name: str
    expected: tuple[str, ...]
    files: Mapping[str, bytes]

    def write(self, folder: Path) -> None:
        """Put the project's files into a folder."""
        for name, data in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def wrong_games() -> list[WrongGame]:
    """All of them, by name."""
    made = [_folder(path) if path.is_dir() else _text(path) for path in GAMES.iterdir()]
    return sorted(made, key=lambda game: game.name)


def _text(path: Path) -> WrongGame:
    expected, *parts = re.split(r"(?m)^=== (.+)\n", path.read_bytes().decode())
    # The empty line before a header is nobody's.
    texts = [*(text.removesuffix("\n") for text in parts[1:-1:2]), parts[-1]]
    files = {name: text.encode() for name, text in zip(parts[::2], texts, strict=True)}
    return WrongGame(path.stem, tuple(expected.splitlines()), dict(sorted(files.items())))


def _folder(path: Path) -> WrongGame:
    files = {file.relative_to(path).as_posix(): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}
    expected = files.pop("expected.txt").decode()
    return WrongGame(path.name, tuple(expected.splitlines()), files)
