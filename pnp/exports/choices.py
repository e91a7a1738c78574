"""Defines the options of ``pnp export`` and their bounds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from annotated_types import Interval

from pnp.dataclass import dataclass

Order = Literal["", "front-back", "back-front"]
Standard = Literal["", "x4", "x1a"]
Stock = Literal["", "S27", "S30", "S33", "M31", "P10"]

# A sheet of so many faces across and down, and a picture of so many dots, nobody takes.
MOST_FACES, LEAST_WIDTH, MOST_WIDTH = 100, 16, 10_000
MOST_BLEED = 10.0
Faces = Annotated[int, Interval(ge=1, le=MOST_FACES)]


@dataclass(frozen=True, slots=True)
class Choices:
    """The options of an export; each target takes some of them."""

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
    """Whether the PDF has the sheets that are printed at home, and not a page for each face."""
    nearest: bool = False
    """Pieces of no product's size lie on the next larger one."""
    stock: Stock = ""
    """On which cardboard cards are ordered."""
    foil: bool = False
    """Cards are ordered with a shine on their fronts."""
