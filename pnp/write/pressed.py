"""What a press would meet in a drawing: how small its letters are, of how many inks, how coarse its pictures, how wet it is.

Each drawing is read once, in its own measure; where it is shown smaller its letters are smaller and its pictures finer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import hypot, sqrt
from typing import Any

from pnp.shapes.affine import IDENTITY, Affine
from pnp.write.colourways import values
from pnp.write.pictured import dots_of
from pnp.write.spaces import NotTaken, Space, space_of

Inks = tuple[float, ...]
"""Cyan, magenta, yellow and black from 0 to 1; none where they are not known."""
BLACK: Inks = (0.0, 0.0, 0.0, 1.0)
_SETS = {"g": Space("grey", 1), "k": Space("cmyk", 4), "rg": Space("rgb", 3)}
_FILLS, _LINES = frozenset(["f", "F", "f*", "B", "B*", "b", "b*", "sh"]), frozenset(["S", "s", "B", "B*", "b", "b*"])
_LETTERS = frozenset(("Tj", "TJ", "'", '"'))
_UNSEEN = (3, 7)
# Places of a gradient that are looked at.
STEPS = 65


@dataclass(slots=True)
class Met:
    """What is met in a drawing, and in all that it shows."""

    letters: set[tuple[float, Inks]] = field(default_factory=set)
    """Sizes in points, and inks."""
    pictures: set[float] = field(default_factory=set)
    """Dots to an inch, of the coarser direction."""
    wettest: Inks = ()
    """The inks of the colour that takes the most."""
    screens: set[str] = field(default_factory=set)
    """What has colours of screens, or of a profile of its own."""
    vanishing: bool = False
    """White is printed over what is below, which prints nothing."""

    def shown(self, other: Met, scale: float) -> None:
        """Another drawing is shown in this one, so many times as large."""
        self.letters |= {(round(size * scale, 2), inks) for size, inks in other.letters}
        self.pictures |= {round(dots / scale, 1) for dots in other.pictures if scale}
        self.wet(other.wettest)
        self.screens |= other.screens
        self.vanishing |= other.vanishing

    def wet(self, inks: Inks) -> None:
        """So much ink lies somewhere."""
        if sum(inks) > sum(self.wettest):
            self.wettest = inks


@dataclass(slots=True)
class _State:
    """What is set at a place of the code; of pairs the first is for areas, the second for lines."""

    matrix: Affine = IDENTITY
    spaces: list[Space | None] = field(default_factory=lambda: [_SETS["g"], _SETS["g"]])
    inks: list[Inks] = field(default_factory=lambda: [(), ()])
    over: list[bool] = field(default_factory=lambda: [False, False])
    size: float = 0.0
    mode: int = 0
    drawn: bool = False
    """The font's letters are drawings, in a measure of their own."""

    def kept(self) -> _State:
        return _State(self.matrix, [*self.spaces], [*self.inks], [*self.over], self.size, self.mode, self.drawn)


class Looker:
    """Reads the drawings of one file."""

    def __init__(self) -> None:
        self._met: dict[tuple[int, int], Met] = {}
        self.bare: dict[str, None] = {}
        """Fonts that are not in the file."""
        self._fonts: set[tuple[int, int]] = set()
        self._wet: dict[tuple[int, int], Inks] = {}

    def page(self, page: Any) -> Met:
        """All that is met on a page."""
        met = Met()
        read = _Reading(self, page.resources, _State(inks=[BLACK, BLACK])).through(page)
        met.shown(read, float(page.obj.get("/UserUnit", 1)))
        self.group(page.obj, met)
        return met

    def form(self, form: Any, resources: Any) -> Met:
        """All that is met in a drawing within another one, whose ``resources`` it may use."""
        key = form.objgen
        if key not in self._met:
            # A drawing that shows itself is not read for ever.
            self._met[key] = Met()
            self._met[key] = _Reading(self, form.get("/Resources", resources), _State()).through(form)
            self.group(form, self._met[key])
        return self._met[key]

    def group(self, drawing: Any, met: Met) -> None:
        """In which colours what overlaps is mixed."""
        if "/Group" in drawing and "/CS" in drawing["/Group"]:
            self.space(drawing["/Group"]["/CS"], "a group whose parts are mixed", met)

    def space(self, there: Any, what: str, met: Met, named: Any = None) -> Space | None:
        """A space of colours; where it is none of inks, ``what`` has them."""
        import pikepdf

        while isinstance(there, pikepdf.Name) and named is not None and str(there) in named:
            there = named[str(there)]
        try:
            space = space_of(there)
        except (NotTaken, KeyError):
            met.screens.add(what)
            return None
        kinds = list(_names(there))
        if any(
            name not in ("/DeviceCMYK", "/DeviceGray", "/Separation", "/DeviceN", "/Indexed", "/Pattern") for name in kinds
        ):
            met.screens.add(what)
        return space

    def font(self, font: Any, met: Met) -> bool:
        """Whether a font's letters are drawings; one that is not in the file is remembered."""
        if font.get("/Subtype") == "/Type3":
            if font.objgen not in self._fonts:
                self._fonts.add(font.objgen)
                for letter in font["/CharProcs"].values():
                    # Letters have the colour of the text around them, or colours of their own.
                    met.shown(_Reading(self, font.get("/Resources", {}), _State()).through(letter), 1)
            return True
        if font.objgen not in self._fonts:
            self._fonts.add(font.objgen)
            own = font["/DescendantFonts"][0] if "/DescendantFonts" in font else font
            described = own.get("/FontDescriptor", {})
            if not any(key in described for key in ("/FontFile", "/FontFile2", "/FontFile3")):
                self.bare[str(own.get("/BaseFont", "/?")).lstrip("/")] = None
        return False

    def wettest(self, picture: Any, space: Space) -> Inks:
        """The inks of the dot of a picture that takes the most."""
        import numpy as np

        key = picture.objgen
        if key not in self._wet:
            self._wet[key] = ()
            if space.kind == "indexed" and space.base is not None and space.base.kind == "cmyk":
                rows = space.colours()
            elif space.kind == "cmyk":
                rows = dots_of(picture, space).rows
            else:
                return ()
            if len(rows):
                # Numpy adds four columns ten times as fast as rows of four.
                sums = rows[:, 0].astype(np.uint16) + rows[:, 1] + rows[:, 2] + rows[:, 3]
                self._wet[key] = tuple((rows[int(np.argmax(sums))] / 255).tolist())
        return self._wet[key]

    def gradient(self, there: Any) -> Inks:
        """The inks of the colour of a gradient that takes the most."""
        import numpy as np

        function = there.get("/Function")
        if function is None:
            return ()
        if there["/ShadingType"] == 1:
            rows = (
                np.frombuffer(function.read_bytes(), np.uint8).reshape(-1, 4) / 255
                if "/Size" in function
                else np.zeros((1, 4))
            )
        else:
            low, high = (float(number) for number in there.get("/Domain", [0, 1]))
            rows = values(function, np.linspace(low, high, STEPS))
        return tuple(rows[int(np.argmax(rows.sum(axis=1)))].tolist())


def _names(there: Any) -> Iterator[str]:
    """The kinds that a space is made of."""
    import pikepdf

    if isinstance(there, pikepdf.Name):
        yield {"/G": "/DeviceGray", "/CMYK": "/DeviceCMYK", "/I": "/Indexed"}.get(str(there), str(there))
        return
    yield str(there[0]) if str(there[0]) != "/I" else "/Indexed"
    if str(there[0]) in ("/Separation", "/DeviceN"):
        yield from _names(there[2])
    elif str(there[0]) in ("/Indexed", "/I", "/Pattern") and len(there) > 1:
        yield from _names(there[1])


class _Reading:
    """One drawing, instruction by instruction."""

    def __init__(self, looker: Looker, resources: Any, state: _State) -> None:
        self._looker, self._resources, self._state = looker, resources, state
        self._stack: list[_State] = []
        self._letters = IDENTITY
        self._met = Met()

    def through(self, drawing: Any) -> Met:
        import pikepdf

        for instruction in pikepdf.parse_content_stream(drawing):
            self._read(str(instruction.operator), instruction.operands, instruction)
        return self._met

    def _named(self, kind: str, name: Any) -> Any:
        return self._resources.get(kind, {}).get(str(name))

    def _read(self, name: str, given: Any, instruction: Any) -> None:
        state = self._state
        if name == "q":
            self._stack.append(state.kept())
        elif name == "Q" and self._stack:
            self._state = self._stack.pop()
        elif name == "cm":
            state.matrix = state.matrix @ Affine(*(float(number) for number in given))
        elif name.lower() in _SETS or name.lower() in ("cs", "sc", "scn"):
            self._colour(name, given)
        elif name in _FILLS or name in _LINES:
            self._painted(name)
        elif name == "gs":
            self._graphics(self._named("/ExtGState", given[0]))
        elif name in ("BT", "Tm", "Tf", "Tr") or name in _LETTERS:
            self._text(name, given)
        elif name == "Do":
            self._shown(self._named("/XObject", given[0]))
        elif name == "INLINE IMAGE":
            self._picture(instruction.iimage.obj, instruction.iimage.read_bytes())
        if name == "sh":
            self._shading(self._named("/Shading", given[0]))

    def _colour(self, name: str, given: Any) -> None:
        state, lines = self._state, name.isupper()
        if name.lower() in _SETS:
            state.spaces[lines] = _SETS[name.lower()]
            if name.lower() == "rg":
                self._met.screens.add("areas, lines or letters")
        elif name in ("cs", "CS"):
            named = self._resources.get("/ColorSpace", {})
            state.spaces[lines] = self._looker.space(given[0], "areas, lines or letters", self._met, named)
            state.inks[lines] = ()
            return
        space = state.spaces[lines]
        state.inks[lines] = ()
        if space is not None and space.kind == "pattern":
            self._pattern(self._named("/Pattern", given[-1]))
        elif space is not None and space.kind in ("grey", "cmyk"):
            numbers = tuple(float(number) for number in given)
            state.inks[lines] = (0.0, 0.0, 0.0, 1 - numbers[0]) if space.kind == "grey" else numbers

    def _painted(self, name: str) -> None:
        for lines, paints in ((False, name in _FILLS and name != "sh"), (True, name in _LINES)):
            if paints:
                self._laid(lines)

    def _laid(self, lines: bool) -> None:
        """The colour that is set is printed."""
        inks = self._state.inks[lines]
        self._met.wet(inks)
        self._met.vanishing |= bool(inks) and not sum(inks) and self._state.over[lines]

    def _graphics(self, state: Any) -> None:
        if state is None:
            return
        if "/OP" in state:
            self._state.over = [bool(state["/OP"])] * 2
        if "/op" in state:
            self._state.over[False] = bool(state["/op"])
        mask = state.get("/SMask")
        if hasattr(mask, "keys") and mask is not None and "/G" in mask:
            # What is drawn in a mask is never printed: only its colours may not be those of screens.
            self._met.screens |= self._looker.form(mask["/G"], self._resources).screens

    def _text(self, name: str, given: Any) -> None:
        state = self._state
        if name == "BT":
            self._letters = IDENTITY
        elif name == "Tm":
            self._letters = Affine(*(float(number) for number in given))
        elif name == "Tf":
            state.size = float(given[1])
            font = self._named("/Font", given[0])
            state.drawn = font is not None and self._looker.font(font, self._met)
        elif name == "Tr":
            state.mode = int(given[0])
        elif state.mode not in _UNSEEN:
            whole = state.matrix @ self._letters
            for lines in (False, True):
                if lines == (state.mode % 4 == 1) or state.mode % 4 == 2:
                    self._laid(lines)
            if not state.drawn:
                inks = state.inks[state.mode % 4 == 1]
                self._met.letters.add((round(abs(state.size) * hypot(whole.c, whole.d), 2), inks))

    def _shown(self, there: Any) -> None:
        if there is None:
            return
        if there.get("/Subtype") == "/Image":
            self._picture(there, None)
            return
        own = there.get("/Matrix")
        matrix = self._state.matrix @ (Affine(*(float(number) for number in own)) if own is not None else IDENTITY)
        self._met.shown(self._looker.form(there, self._resources), sqrt(abs(matrix.determinant)))

    def _picture(self, there: Any, data: bytes | None) -> None:
        matrix = self._state.matrix
        wide, high = hypot(matrix.a, matrix.b), hypot(matrix.c, matrix.d)
        if wide and high:
            self._met.pictures.add(round(min(int(there["/Width"]) / wide, int(there["/Height"]) / high) * 72, 1))
        if bool(there.get("/ImageMask", False)):
            self._laid(False)
            return
        named = self._resources.get("/ColorSpace", {})
        space = self._looker.space(there["/ColorSpace"], "a picture", self._met, named) if "/ColorSpace" in there else None
        if space is not None and data is None:
            self._met.wet(self._looker.wettest(there, space))

    def _pattern(self, there: Any) -> None:
        if there is None:
            return
        if int(there["/PatternType"]) == 1:
            self._met.shown(self._looker.form(there, self._resources), 1)
        else:
            self._shading(there["/Shading"])

    def _shading(self, there: Any) -> None:
        if there is None:
            return
        space = self._looker.space(there["/ColorSpace"], "a gradient", self._met, self._resources.get("/ColorSpace", {}))
        if space is not None and space.kind == "cmyk":
            self._met.wet(self._looker.gradient(there))
