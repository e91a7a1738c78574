"""What a person may choose about an export: values without any machinery."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

TargetName = Literal[
    "tabletop-simulator", "virtualtabletop", "playingcards", "card-game-simulator", "tabletop-playground", "tabletop-club",
    "sheets", "faces", "makeplayingcards", "gamecrafter", "drivethrucards", "press",
]  # fmt: skip
Order = Literal["", "front-back", "back-front"]
Standard = Literal["", "x4", "x1a"]

SLOTS = "tabletop-simulator.csv"
"""The file in a game's folder that says which slot each card has on a sheet; only exports look at it."""
EXPORT = "export"
"""The folder of exports below a game's output."""


@dataclass(frozen=True, slots=True)
class Choices:
    """How a game is exported; each target takes some of these, and the command says which."""

    target: TargetName
    url: str = ""
    """Where the pictures will lie for everybody; without one they are files of this machine."""
    grid: tuple[int, int] | None = None
    """Columns and rows of a sheet."""
    width: int | None = None
    """Of a picture of a face, in dots."""
    shop: str = ""
    """Whose presets for print are taken."""
    order: Order = ""
    bleed: float | None = None
    """Around each face, in mm."""
    profile: Path | None = None
    """The ICC profile of the press."""
    standard: Standard = ""
    imposed: bool = False
    """Sheets as they are printed at home, not a page for each face."""
    nearest: bool = False
    """Pieces of no product's size lie on the next larger one."""
