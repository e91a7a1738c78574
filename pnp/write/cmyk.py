"""A finished PDF in the colours of screens → the same in the inks of a press: letters stay letters, forms are shared.

Each thing that is drawn is made anew once, with its colours converted; what is drawn in a mask becomes grey, for its
colours are no colours but say how much shows. Whatever cannot be converted is named, and nobody is given a file in which
colours of screens are left.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import Any

from pnp.values.press import WHOLE_PAGE, Boxes, Condition, Standard
from pnp.write.colourways import ramp, shading
from pnp.write.pdfx import finished, saved
from pnp.write.pictured import picture
from pnp.write.repainted import Palette, repainted
from pnp.write.separate import Inks, Masks, NoTransform, Target
from pnp.write.spaces import NotTaken, space_of
from pnp.write.transparency import flattened


@dataclass(frozen=True, slots=True)
class Converted:
    """A file for a press, and what happened on the way."""

    pdf: bytes
    colours: int
    """How many different ones were converted, beside those of pictures."""
    notes: tuple[str, ...] = ()
    """What is otherwise than in the file before, as sentences."""
    left: tuple[str, ...] = ()
    """What could not be converted: such a file is not to be used."""


def to_cmyk(pdf: bytes, condition: Condition, boxes: Boxes = WHOLE_PAGE, standard: Standard = "PDF/X-4") -> Converted:
    """A finished file as one for a press; the same bytes for the same file. Raises NoTransform for a useless profile."""
    import pikepdf

    flat: list[str] = []
    if standard == "PDF/X-1a":
        pdf, flat = flattened(pdf)
    with pikepdf.open(io.BytesIO(pdf)) as file:
        palette = Palette(file)
        work = _Work(file, Inks(condition), palette)
        for number, page in enumerate(file.pages, 1):
            work.page(page, number)
        notes = finished(file, condition, boxes, standard)
        data = saved(file, standard)
        return Converted(data, len(palette.colours), (*flat, *notes), tuple(palette.left))


@dataclass(slots=True)
class _Work:
    """One file on its way. Nothing that was read is changed: what is drawn both as a picture and in a mask is read twice."""

    pdf: Any
    inks: Target
    palette: Palette
    masks: Target = field(default_factory=Masks)
    made: dict[tuple[tuple[int, int], str], Any] = field(default_factory=dict)

    def page(self, page: Any, number: int) -> None:
        """A page, and all that is drawn on it."""
        self.palette.where = f"page {number}"
        resources = page.resources
        made = self.resources(resources, self.inks)
        page.obj["/Contents"] = self.pdf.make_stream(self.code(page, resources, made, self.inks))
        page.obj["/Resources"] = made
        if "/Group" in page.obj:
            page.obj["/Group"] = self.group(page.obj["/Group"], self.inks)

    def anew(self, there: Any, target: Target, make: Any) -> Any:
        """A thing made anew by ``make``, once for each target however often it is shown."""
        key = (there.objgen, target.space)
        if not there.is_indirect:
            return make(there, target)
        if key not in self.made:
            self.made[key] = make(there, target)
        return self.made[key]

    def tried(self, there: Any, target: Target, make: Any) -> Any:
        """A thing made anew, or the thing itself, and a word about it, where that cannot be done."""
        try:
            return self.anew(there, target, make)
        except (NotTaken, NoTransform) as error:
            self.palette.leave(error)
            return there

    def group(self, there: Any, target: Target) -> Any:
        """The colours in which what overlaps is mixed."""
        import pikepdf

        made = pikepdf.Dictionary({key: value for key, value in there.items() if key != "/CS"})
        if "/CS" in there or target.grey:
            made["/CS"] = pikepdf.Name(target.space)
        return made

    def resources(self, there: Any, target: Target) -> Any:
        """What a drawing has names for."""
        return self.anew(there, target, self._resources)

    def _resources(self, there: Any, target: Target) -> Any:
        import pikepdf

        makers = {
            "/XObject": self._xobject,
            "/Pattern": self._pattern,
            "/Shading": lambda each, _: shading(self.pdf, each, target),
            "/ExtGState": self._state,
            "/Font": self._font,
            "/ColorSpace": self._space,
        }
        made = pikepdf.Dictionary()
        for kind, named in there.items():
            if kind not in makers or not isinstance(named, pikepdf.Dictionary):
                made[kind] = named
                continue
            known = {name: self.tried(each, target, makers[kind]) for name, each in named.items()}
            made[kind] = pikepdf.Dictionary({name: each for name, each in known.items() if each is not None})
        return self.pdf.make_indirect(made)

    def _xobject(self, there: Any, target: Target) -> Any:
        if there.get("/Subtype") == "/Image":
            return picture(self.pdf, there, target)
        return self._form(there, target)

    def _form(self, there: Any, target: Target) -> Any:
        """A drawing of its own: a form, or the tile of a pattern."""
        import pikepdf

        left_out = ("/Length", "/Filter", "/DecodeParms", "/Resources", "/Group")
        made = pikepdf.Stream(self.pdf, b"", {key: value for key, value in there.items() if key not in left_out})
        resources = there.get("/Resources", pikepdf.Dictionary())
        made["/Resources"] = self.resources(resources, target)
        if "/Group" in there:
            made["/Group"] = self.group(there["/Group"], target)
        made.write(self.code(there, resources, made["/Resources"], target))
        return made

    def _pattern(self, there: Any, target: Target) -> Any:
        import pikepdf

        if int(there["/PatternType"]) == 1:
            return self._form(there, target)
        made = pikepdf.Dictionary(dict(there.items()))
        made["/Shading"] = self.anew(there["/Shading"], target, lambda each, _: shading(self.pdf, each, target))
        if "/ExtGState" in there:
            made["/ExtGState"] = self._state(there["/ExtGState"], target)
        return self.pdf.make_indirect(made)

    def _state(self, there: Any, target: Target) -> Any:
        """How things are painted: what masks them is drawn in greys."""
        import pikepdf

        made = pikepdf.Dictionary({key: value for key, value in there.items() if key not in ("/TR", "/TR2", "/HT")})
        mask = there.get("/SMask")
        if isinstance(mask, pikepdf.Dictionary):
            shown = pikepdf.Dictionary(dict(mask.items()))
            drawing = mask["/G"]
            grey = self.masks if mask.get("/S") == "/Luminosity" else target
            shown["/G"] = self.anew(drawing, grey, self._form)
            if "/BC" in mask:
                space = space_of(drawing["/Group"]["/CS"])
                shown["/BC"] = pikepdf.Array(self.palette.shares(space, mask["/BC"], grey))
            made["/SMask"] = shown
        return self.pdf.make_indirect(made)

    def _font(self, there: Any, target: Target) -> Any:
        """Only letters that are drawings have colours."""
        import pikepdf

        if there.get("/Subtype") != "/Type3":
            return there
        made = pikepdf.Dictionary(dict(there.items()))
        resources = there.get("/Resources", pikepdf.Dictionary())
        made["/Resources"] = self.resources(resources, target)
        letters = {
            name: self.pdf.make_stream(self.code(drawing, resources, made["/Resources"], target))
            for name, drawing in there["/CharProcs"].items()
        }
        made["/CharProcs"] = pikepdf.Dictionary(letters)
        return self.pdf.make_indirect(made)

    def _space(self, there: Any, target: Target) -> Any:
        """Colours that stay with their names: spot colours. All others are set by their numbers alone, and need none."""
        import pikepdf

        space = space_of(there)
        if space.kind == "pattern" and space.base is not None:
            return pikepdf.Array([pikepdf.Name.Pattern, pikepdf.Name(target.space)])
        if space.kind != "spot":
            return None
        other = space_of(there[2])
        if other.kind == "cmyk" and there[2] == "/DeviceCMYK":
            return there
        if space.parts > 1:
            raise NotTaken("several spot colours at once that are shown in colours of screens")
        made = pikepdf.Array([there[0], there[1], pikepdf.Name.DeviceCMYK, ramp(self.pdf, there[3], other, self.inks)])
        return self.pdf.make_indirect(made)

    def code(self, drawing: Any, resources: Any, made: Any, target: Target) -> bytes:
        """What draws a thing, with its colours converted."""
        return repainted(self.palette, drawing, resources, made, target)
