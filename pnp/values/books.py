"""What a rulebook asks for and is given: pictures wished for while its text is filled in, pictures made, books set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pnp.shapes.affine import Rect
from pnp.values.blocks import Blocks
from pnp.values.game import Manual, Paper
from pnp.values.problems import Severity
from pnp.values.scenes import Scene

Form = Literal["front", "back", "folded", "layout", "art", "icon", "scene"]


@dataclass(frozen=True, slots=True)
class Wish:
    """A picture that a book asks for: a side of a piece, a folded piece, a layout, a drawing, an icon or a scene."""

    form: Form
    name: str
    """Of the component, layout, drawing or icon; what a scene stands on."""
    piece: str = ""
    """The id of a piece; empty for the component's first."""
    scene: Scene | None = None


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
    severity: Severity = "error"


@dataclass(frozen=True, slots=True)
class Text:
    """A book's text as blocks, of which pages are set and the HTML edition is written.

    A block's pictures are indexes into ``wishes``. ``back`` is what stands on the back cover.
    """

    blocks: Blocks
    back: Blocks
    wishes: tuple[Wish, ...]
    faults: tuple[Fault, ...] = ()
    widths: Mapping[int, float] = field(default_factory=dict)
    """How wide each picture is shown at most, in mm, by its index."""
    ids: tuple[str, ...] = ()
    """Of its headings, in the order written."""


@dataclass(frozen=True, slots=True)
class SetBook:
    """A book as set: its PDF, how many pages, on which each heading is, and what the typesetter has to say against it."""

    pdf: bytes
    pages: int
    headings: Mapping[str, int]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """What a printed file says of its parts: sheets and pages by component, for one paper."""

    sheets: Mapping[str, int] = field(default_factory=dict)
    pages: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Edition:
    """One book for one paper: set in half its size, of which booklet or cards are made, and a book in full size, too."""

    manual: Manual
    paper: Paper
    text: Text
    shots: Mapping[int, Shot]
    cover: Shot | None
    small: SetBook
    full: SetBook | None

    @property
    def printed(self) -> str:
        """The file that is printed to fold it, or to cut it."""
        return f"{self.manual.name}-{'booklet' if self.manual.form == 'book' else 'two-up'}.pdf"

    @property
    def sheets(self) -> int:
        """Of paper, to print it in half size."""
        return -(-self.small.pages // (4 if self.manual.form == "book" else 2))
