"""What a person may choose about an export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from annotated_types import Interval

from pnp.dataclass import dataclass

Order = Literal["", "front-back", "back-front"]
Standard = Literal["", "x4", "x1a"]

SLOTS = "tabletop-simulator.csv"
"""The file in a game's folder that says which slot each card has on a sheet; only exports look at it."""
GATHERS = frozenset({"web"})
"""The targets that hand on what was exported for others."""
EXPORT = "export"
"""The folder of exports below a game's output."""


# A sheet of so many faces across and down, and a picture of so many dots, nobody takes.
MOST_FACES, LEAST_WIDTH, MOST_WIDTH = 100, 16, 10_000
MOST_BLEED = 10.0
Faces = Annotated[int, Interval(ge=1, le=MOST_FACES)]


@dataclass(frozen=True, slots=True)
class Choices:
    """How a game is exported; each target takes some of these, and the command says which."""

    target: str
    url: str = ""
    """Where the pictures will lie for everybody; without one they are files of this machine."""
    grid: tuple[Faces, Faces] | None = None
    """Columns and rows of a sheet."""
    width: Annotated[int, Interval(ge=LEAST_WIDTH, le=MOST_WIDTH)] | None = None
    """Of a picture of a face, in dots."""
    shop: str = ""
    """Whose presets for print are taken."""
    order: Order = ""
    bleed: Annotated[float, Interval(ge=0, le=MOST_BLEED)] | None = None
    """Around each face, in mm."""
    profile: Path | None = None
    """The ICC profile of the press."""
    standard: Standard = ""
    imposed: bool = False
    """Sheets as they are printed at home, not a page for each face."""
    nearest: bool = False
    """Pieces of no product's size lie on the next larger one."""
