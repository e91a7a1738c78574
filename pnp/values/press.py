"""What a print shop asks of a file: the inks it prints with, the boxes of its pages, the standard that it keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Standard = Literal["PDF/X-4", "PDF/X-1a"]
Intent = Literal["relative", "perceptual"]
# What coated paper takes under most presses, in percent of all four inks together.
MOST_INK = 300.0


@dataclass(frozen=True, slots=True)
class Condition:
    """A printing condition: which press and paper a file is made for."""

    profile: bytes
    """The ICC profile of the press, which is stored in the file."""
    name: str
    """What print shops call the condition, such as FOGRA39; the profile's own name where it is no registered one."""
    limit: float = MOST_INK
    """The most ink on any spot, in percent: 400 would be all four inks solid."""
    intent: Intent = "relative"
    """How colours are moved that no ink can print; white is always the paper, and black the darkest."""


@dataclass(frozen=True, slots=True)
class Boxes:
    """Where pages are cut, in mm: so far inside the page, and so far beyond the cut the picture goes on."""

    inset: float = 0.0
    bleed: float = 0.0


WHOLE_PAGE = Boxes()
