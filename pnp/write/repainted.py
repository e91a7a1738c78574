"""The code that draws a thing → the same code with its colours converted.

Each colour is set where it is used first, not where it was chosen: for only there is known whether it is one of letters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from pnp.write.pictured import picture
from pnp.write.separate import NoTransform, Target
from pnp.write.spaces import NotTaken, Space, space_of

# Operators that set a colour at once: in small letters one to fill with, in capitals one to draw lines with.
_SETS = {"g": Space("grey", 1), "rg": Space("rgb", 3), "k": Space("cmyk", 4)}
_AREAS = frozenset(("m", "re", "Do", "sh", "INLINE IMAGE"))
_LETTERS = frozenset(("Tj", "TJ", "'", '"'))
# Which of the modes of text fill letters, and which draw their edges (ISO 32000-1, table 106).
_FILLED, _LINED = frozenset((0, 2, 4, 6)), frozenset((1, 2, 5, 6))
# A drawing's first space, and what chose it.
_OUTSET: tuple[Space, Any] = Space("grey", 1), None
# The colour of a space that has just been chosen.
_FIRST: dict[str, tuple[float, ...]] = {"grey": (0,), "rgb": (0, 0, 0), "cmyk": (0, 0, 0, 1), "indexed": (0,)}


@dataclass(frozen=True, slots=True)
class Paint:
    """How a colour is set, as instructions; for letters perhaps another one."""

    areas: tuple[Any, ...]
    letters: tuple[Any, ...]


@dataclass(slots=True)
class Palette:
    """The colours of a file, each converted once."""

    pdf: Any
    colours: set[tuple[int, int, int]] = field(default_factory=set)
    left: dict[str, None] = field(default_factory=dict)
    """What could not be converted, as sentences."""
    where: str = ""
    """What is being converted, for these sentences."""
    _paints: dict[tuple[object, ...], Paint] = field(default_factory=dict)
    _spaces: dict[tuple[int, int], Space] = field(default_factory=dict)

    def leave(self, error: Exception) -> None:
        """Remember what could not be converted."""
        self.left[f"{self.where}: {error}"] = None

    def space(self, there: Any, named: Any = None) -> Space:
        """The space that an object stands for. Raises NotTaken."""
        if not there.is_indirect:
            return space_of(there, named)
        if there.objgen not in self._spaces:
            self._spaces[there.objgen] = space_of(there, named)
        return self._spaces[there.objgen]

    def shares(self, space: Space, numbers: Iterable[Any], target: Target) -> list[Decimal]:
        """One colour in the target's space, from 0 to 1. Raises NotTaken, NoTransform."""
        import numpy as np

        most = 1 if space.kind == "indexed" else 255
        row = np.array([[min(255, max(0, round(float(number) * most))) for number in numbers]], np.uint8)
        return [_decimal(part / 255) for part in space.rows(row, target)[0].tolist()]

    def paint(self, space: Space, numbers: tuple[float, ...], target: Target, lines: bool) -> Paint:
        """How a colour is set. Raises NotTaken, NoTransform."""
        import pikepdf

        if len(numbers) != space.parts:
            raise NotTaken(f"a colour of {len(numbers)} numbers in a space of {space.parts}")
        key = (space, numbers, target.space, lines)
        if key not in self._paints:
            operator = pikepdf.Operator(target.setters[lines])
            areas = (pikepdf.ContentStreamInstruction(self.shares(space, numbers, target), operator),)
            letters = areas
            if space.kind in ("rgb", "grey"):
                red, green, blue = (round(255 * part) for part in (numbers if space.kind == "rgb" else numbers * 3))
                self.colours.add((red, green, blue))
                if (dark := target.letters((red, green, blue))) is not None:
                    letters = (pikepdf.ContentStreamInstruction([_decimal(part) for part in dark], operator),)
            self._paints[key] = Paint(areas, letters)
        return self._paints[key]


def _decimal(part: float) -> Decimal:
    # Enough for 255 steps.
    return Decimal(f"{part:.4f}".rstrip("0").rstrip("."))


@dataclass(slots=True)
class _State:
    """What is set at a place of the code: which colours are wanted, and which are set in what was written so far.

    Of each the first is to fill with, the second to draw lines with.
    """

    spaces: list[tuple[Space, Any] | None] = field(default_factory=lambda: [_OUTSET, _OUTSET])
    wanted: list[Paint | None] = field(default_factory=lambda: [None, None])
    written: list[tuple[Any, ...] | None] = field(default_factory=lambda: [None, None])
    mode: int = 0

    def kept(self) -> _State:
        return _State([*self.spaces], [*self.wanted], [*self.written], self.mode)


def repainted(palette: Palette, drawing: Any, resources: Any, made: Any, target: Target) -> bytes:
    """The code of a drawing in the target's colours. ``made`` are its resources as they are converted already."""
    import pikepdf

    reader = _Reader(palette, resources, made, target)
    for instruction in pikepdf.parse_content_stream(drawing):
        reader.read(instruction)
    return pikepdf.unparse_content_stream(reader.code)


class _Reader:
    """Reads one drawing, instruction by instruction."""

    def __init__(self, palette: Palette, resources: Any, made: Any, target: Target) -> None:
        self._palette, self._made, self._target = palette, made, target
        self._named = resources.get("/ColorSpace", {})
        self._state = _State()
        self._stack: list[_State] = []
        self.code: list[Any] = []

    def read(self, instruction: Any) -> None:
        name = str(instruction.operator)
        lines = name.isupper()
        if name in ("cs", "CS", "sc", "scn", "SC", "SCN") or name.lower() in _SETS:
            try:
                self._colour(instruction, name, lines)
            except (NotTaken, NoTransform) as error:
                self._palette.leave(error)
            return
        if name == "q":
            self._stack.append(self._state.kept())
        elif name == "Q" and self._stack:
            self._state = self._stack.pop()
        elif name == "Tr":
            self._state.mode = int(instruction.operands[0])
        elif name in _LETTERS:
            if self._state.mode in _FILLED:
                self._set(False, letters=True)
            if self._state.mode in _LINED:
                self._set(True, letters=True)
        elif name in _AREAS:
            self._set(False)
            self._set(True)
        if name == "INLINE IMAGE":
            self._inline(instruction)
        else:
            self.code.append(instruction)

    def _set(self, lines: bool, letters: bool = False) -> None:
        """Sets the colour that is wanted now, where another one is set."""
        wanted = self._state.wanted[lines]
        if wanted is None:
            return
        how = wanted.letters if letters else wanted.areas
        if how is not self._state.written[lines]:
            self.code.extend(how)
            self._state.written[lines] = how

    def _colour(self, instruction: Any, name: str, lines: bool) -> None:
        """A colour is chosen, or the space of the next one. Raises NotTaken, NoTransform."""
        import pikepdf

        state, operands = self._state, instruction.operands
        if name in ("cs", "CS"):
            state.spaces[lines] = state.wanted[lines] = None
            space = self._palette.space(self._named.get(str(operands[0]), operands[0]))
            state.spaces[lines] = space, instruction
            # A spot colour is solid as it is chosen, and the first colour of a pattern is none.
            state.wanted[lines] = Paint((instruction,), (instruction,))
            if space.kind in _FIRST:
                state.wanted[lines] = self._palette.paint(space, _FIRST[space.kind], self._target, lines)
            return
        chosen = (_SETS[name.lower()], None) if name.lower() in _SETS else state.spaces[lines]
        if chosen is None:
            return  # a space that cannot be converted, which is told already
        space, choice = chosen
        if space.kind in _FIRST:
            numbers = tuple(float(number) for number in operands)
            state.wanted[lines] = self._palette.paint(space, numbers, self._target, lines)
            return
        if space.kind == "pattern" and space.base is not None:
            shares = self._palette.shares(space.base, operands[:-1], self._target)
            instruction = pikepdf.ContentStreamInstruction([*shares, operands[-1]], instruction.operator)
        how = (choice, instruction) if choice else (instruction,)
        state.wanted[lines] = Paint(how, how)

    def _inline(self, instruction: Any) -> None:
        """A picture in the code itself becomes one with a name; a stencil stays."""
        import pikepdf

        image = instruction.iimage
        if bool(image.obj.get("/ImageMask", False)):
            self.code.append(instruction)
            return
        there = pikepdf.Stream(self._palette.pdf, image.read_raw_bytes(), dict(image.obj.items()))
        try:
            made = picture(self._palette.pdf, there, self._target, self._named)
        except (NotTaken, NoTransform) as error:
            self._palette.leave(error)
            return
        if "/XObject" not in self._made:
            self._made["/XObject"] = pikepdf.Dictionary()
        name = f"/Inline{len(self._made['/XObject'])}"
        self._made["/XObject"][name] = made
        self.code.append(pikepdf.ContentStreamInstruction([pikepdf.Name(name)], pikepdf.Operator("Do")))
