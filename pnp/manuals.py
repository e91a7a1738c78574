"""What a rulebook asks for and is given: pictures wished for while its text is filled in, pictures made, text as blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pnp.geometry import Rect

Form = Literal["front", "back", "folded", "layout", "art", "icon"]
Block = dict[str, Any]
Span = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wish:
    """A picture that a book asks for: a side of a piece, a folded piece, a layout, a drawing or an icon."""

    form: Form
    name: str
    """Of the component, layout, drawing or icon."""
    piece: str = ""
    """The id of a piece; empty for the component's first."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture as it was made: a PNG or SVG, its natural size in mm, and where named texts are on it."""

    data: bytes
    suffix: str
    """png, svg or jpg."""
    width: float
    height: float
    screen: bytes = b""
    """The same for a screen, where that is another file."""
    boxes: Mapping[str, Rect] = field(default_factory=dict)
    card: bool = False
    """A rectangle of paper: it is shown with a thin edge and round corners."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a book's text that cannot be done, with its line in the file."""

    rule: str
    message: str
    line: int | None
    value: str = ""
    allowed: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A book's text as blocks, as the typesetting program and the HTML edition read them.

    A block's pictures are indexes into ``wishes``. ``back`` is what stands on the back cover.
    """

    blocks: tuple[Block, ...]
    back: tuple[Block, ...]
    wishes: tuple[Wish, ...]
    faults: tuple[Fault, ...] = ()
    widths: Mapping[int, float] = field(default_factory=dict)
    """How wide each picture is shown at most, in mm, by its index."""
