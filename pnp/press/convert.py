"""Converts a finished PDF to the inks of a press: gradients, pictures and content streams become CMYK."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable
from dataclasses import field
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pnp.dataclass import dataclass
from pnp.press.pdfx import finished, flattened, saved
from pnp.press.separate import WHOLE_PAGE, Boxes, Condition, Inks, Masks, Space, Standard, Target, space_of
from pnp.values.problems import Fault

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pnp.press.separate import Target

# Places at which a piece of a gradient is measured at most.
MOST = 33
# Of 255, how far a colour between two measured ones may be off.
OFF = 2
# A gradient over an area is measured in dots so large, in points: 300 in an inch; and in no more along a side.
DOT, MOST_DOTS = 0.24, 1024


def shading(pdf: Any, there: Any, target: Target) -> Any:
    """Converts a gradient. Raises Fault."""
    import pikepdf

    kind = int(there["/ShadingType"])
    if kind not in (1, 2, 3) or "/Function" not in there:
        raise Fault(f"a gradient over a mesh (type {kind})")
    space = space_of(there["/ColorSpace"])
    made = pikepdf.Dictionary({key: value for key, value in there.items() if key not in ("/Function", "/Background")})
    made["/ColorSpace"] = pikepdf.Name(target.space)
    if "/Background" in there:
        made["/Background"] = pikepdf.Array(_shares(space, _measured(there["/Background"]), target)[0].tolist())
    if kind == 1:
        # Ghostscript 10 draws no such gradient without it, though it may be left out.
        made["/Matrix"] = there.get("/Matrix", pikepdf.Array([1, 0, 0, 1, 0, 0]))
        made["/Function"] = _area(pdf, there, space, target)
    else:
        made["/Function"] = ramp(pdf, there["/Function"], space, target)
    return pdf.make_indirect(made)


def ramp(pdf: Any, function: Any, space: Space, target: Target) -> Any:
    """Converts a colour function of one number. Raises Fault."""
    import pikepdf

    if isinstance(function, pikepdf.Array):
        low, high = _domain(function[0])
    elif int(function["/FunctionType"]) == 3:
        made = pikepdf.Dictionary({key: function[key] for key in ("/FunctionType", "/Domain", "/Bounds", "/Encode")})
        made["/Functions"] = pikepdf.Array([ramp(pdf, each, space, target) for each in function["/Functions"]])
        return pdf.make_indirect(made)
    else:
        low, high = _domain(function)
    import numpy as np

    at = np.linspace(low, high, MOST)
    rows = _shares(space, values(function, at), target)
    count = next(count for count in (2, 3, 5, 9, 17, MOST) if _near(rows, count))
    return _sampled(pdf, [low, high], [count], rows[:: (MOST - 1) // (count - 1)])


def _near(rows: NDArray[np.float64], count: int) -> bool:
    """Whether interpolating between this many of the measured rows is accurate enough."""
    import numpy as np

    whole = np.arange(len(rows))
    kept = whole[:: (len(rows) - 1) // (count - 1)]
    between = np.stack([np.interp(whole, kept, column[kept]) for column in rows.T], axis=1)
    return bool(np.abs(between - rows).max() <= OFF / 255)


def _sampled(pdf: Any, domain: list[float], size: list[int], rows: NDArray[np.float64]) -> Any:
    """A sampled function (type 0) with these rows in equal steps."""
    import numpy as np
    import pikepdf

    data = np.rint(rows * 255).astype(np.uint8).tobytes()
    return pdf.make_stream(
        data,
        FunctionType=0,
        Domain=pikepdf.Array(domain),
        Range=pikepdf.Array([0, 1] * rows.shape[1]),
        Size=pikepdf.Array(size),
        BitsPerSample=8,
    )


def _shares(space: Space, measured: NDArray[np.float64], target: Target) -> NDArray[np.float64]:
    """Converts rows of colours from 0 to 1."""
    import numpy as np

    whole = np.rint(np.clip(measured, 0, 1) * 255).astype(np.uint8)
    return np.asarray(space.rows(whole, target) / 255)


def _measured(numbers: Any) -> NDArray[np.float64]:
    import numpy as np

    return np.array([[float(number) for number in numbers]])


def _domain(function: Any) -> tuple[float, float]:
    low, high = (float(number) for number in function["/Domain"])
    return low, high


def values(function: Any, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Evaluates a PDF function of one input at each number of ``at``; returns a row of outputs for each. Raises Fault."""
    import numpy as np
    import pikepdf

    if isinstance(function, pikepdf.Array):
        return np.concatenate([values(each, at) for each in function], axis=1)
    at = np.clip(at, *_domain(function))
    kind = int(function["/FunctionType"])
    if kind == 2:
        start, end = (_measured(function.get(key, pikepdf.Array(usual))) for key, usual in (("/C0", [0]), ("/C1", [1])))
        return np.asarray(start + (end - start) * (at[:, None] ** float(function["/N"])))
    if kind == 3:
        return _stitched(function, at)
    if kind == 0:
        return _looked_up(function, at)
    raise Fault("a gradient that a program in the file calculates")


def _stitched(function: Any, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Evaluates a stitching function (type 3)."""
    import numpy as np

    low, high = _domain(function)
    edges = [low, *(float(bound) for bound in function["/Bounds"]), high]
    ways = [float(number) for number in function["/Encode"]]
    parts = list(function["/Functions"])
    which = np.minimum(np.searchsorted(edges[1:-1], at, side="right"), len(parts) - 1)
    found = None
    for number, part in enumerate(parts):
        (here,) = np.nonzero(which == number)
        if not len(here):
            continue
        start, end = edges[number], edges[number + 1]
        share = (at[here] - start) / (end - start) if end > start else np.zeros(len(here))
        results = values(part, ways[2 * number] + share * (ways[2 * number + 1] - ways[2 * number]))
        found = np.zeros((len(at), results.shape[1])) if found is None else found
        found[here] = results
    assert found is not None
    return found


def _looked_up(function: Any, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Evaluates a sampled function (type 0)."""
    import numpy as np

    if len(function["/Size"]) != 1 or int(function["/BitsPerSample"]) != 8:
        raise Fault("a gradient that is measured in an unusual way")
    size, reach = int(function["/Size"][0]), [float(number) for number in function["/Range"]]
    parts = len(reach) // 2
    known = np.frombuffer(function.read_bytes(), np.uint8)[: size * parts].reshape(size, parts) / 255
    spread = [float(number) for number in function.get("/Decode", reach)]
    known = np.array(spread[::2]) + known * (np.array(spread[1::2]) - np.array(spread[::2]))
    low, high = _domain(function)
    first, last = (float(number) for number in function.get("/Encode", [0, size - 1]))
    place = np.clip(first + (at - low) / (high - low) * (last - first), 0, size - 1)
    return np.stack([np.interp(place, np.arange(size), column) for column in known.T], axis=1)


def _area(pdf: Any, there: Any, space: Space, target: Target) -> Any:
    """Converts a function-based shading (type 1): PDFium renders it, and the pixels become a picture."""
    import numpy as np
    import pikepdf
    import pypdfium2 as pdfium

    left, right, low, high = (float(number) for number in there.get("/Domain", [0, 1, 0, 1]))
    wide, tall = (min(MOST_DOTS, max(64, round((end - start) / DOT))) for start, end in ((left, right), (low, high)))
    across, up = (wide - 1) / (right - left), (tall - 1) / (high - low)
    with pikepdf.new() as alone:
        page = alone.add_blank_page(page_size=(wide, tall))
        copied = alone.copy_foreign(pdf.make_indirect(there))
        # A little more of it, so that the dots at its edges are painted; the function itself goes on as it ends.
        copied["/Domain"] = pikepdf.Array([left - 1 / across, right + 1 / across, low - 1 / up, high + 1 / up])
        for key in ("/Matrix", "/BBox", "/Background"):
            if key in copied:
                del copied[key]
        page.Resources = pikepdf.Dictionary(Shading=pikepdf.Dictionary(S=copied))
        matrix = (across, 0, 0, up, 0.5 - left * across, 0.5 - low * up)
        page.Contents = alone.make_stream(f"{' '.join(f'{number:.6f}' for number in matrix)} cm /S sh".encode())
        file = io.BytesIO()
        alone.save(file)
    document = pdfium.PdfDocument(file.getvalue())
    try:
        picture = document[0].render(scale=1).to_pil().convert("RGB")
    finally:
        document.close()
    dots = np.asarray(picture)[::-1].reshape(-1, 3)
    shown = Space("rgb", 3, space.profile).rows(dots, target) / 255
    return _sampled(pdf, [left, right, low, high], [wide, tall], np.asarray(shown))


# What a picture that came as a JPEG is packed with again: no dot of it can be told from the one before.
QUALITY = 95
# Of dots that are packed without loss: a file is an eighth smaller with 6, which takes twice as long.
EFFORT = 3
_PHOTOS = ("/DCTDecode", "/DCT", "/JPXDecode")


@dataclass(frozen=True, slots=True)
class Dots:
    """Pixels as rows of numbers from 0 to 255, from the top left."""

    space: Space
    width: int
    height: int
    rows: NDArray[np.uint8]
    photo: bool
    """It was packed with loss."""


def picture(pdf: Any, there: Any, target: Target, named: Any = None) -> Any:
    """Converts a picture; returns a stencil mask unchanged, for it has no colours. Raises Fault.

    ``named`` are the colour space resources of the content stream around it.
    """
    import pikepdf

    if bool(there.get("/ImageMask", False)):
        return there
    space = space_of(there["/ColorSpace"], named) if "/ColorSpace" in there else None
    if "/SMask" in there and "/Matte" in there["/SMask"]:
        raise Fault("a picture that is mixed with its ground already")
    if int(there.get("/SMaskInData", 0)):
        raise Fault("a picture that has its mask within itself")
    made = {key: there[key] for key in ("/SMask", "/Interpolate", "/Intent", "/OC") if key in there}
    made |= {"/Type": pikepdf.Name.XObject, "/Subtype": pikepdf.Name.Image}
    made |= {key: there[key] for key in ("/Width", "/Height")}
    if "/Mask" in there:
        made["/Mask"] = there["/Mask"]
    if space is not None and space.kind in ("indexed", "spot"):
        return _kept(pdf, there, space, target, made)
    dots = dots_of(there, space)
    if isinstance(there.get("/Mask"), pikepdf.Array):
        made["/Mask"] = _stencil(pdf, there, dots)
    return _packed(pdf, dots, target, made)


def dots_of(there: Any, space: Space | None) -> Dots:
    """Decodes a picture's pixels; without a space in that of its compression. Raises Fault."""
    import numpy as np
    from PIL import Image, UnidentifiedImageError

    width, height = int(there["/Width"]), int(there["/Height"])
    filters = _filters(there)
    if filters and filters[-1] in _PHOTOS:
        if len(filters) > 1:
            raise Fault("a photograph that is packed twice")
        try:
            with Image.open(io.BytesIO(there.read_raw_bytes())) as opened:
                opened.load()
                shown = opened if opened.mode in ("L", "RGB", "CMYK") else opened.convert("RGB")
        except (UnidentifiedImageError, OSError) as error:
            raise Fault(f"a photograph that cannot be read ({error})") from None
        rows = np.asarray(shown).reshape(width * height, -1)
        own = Space({1: "grey", 3: "rgb", 4: "cmyk"}[rows.shape[1]], rows.shape[1], space.profile if space else b"")  # type: ignore[arg-type]
        # Pillow turns a JPEG of four inks over that Adobe's programs wrote; PDFs say so themselves.
        turned = own.kind != "cmyk" and _decoded(there, own.parts)
        return Dots(own, width, height, _spread(rows, turned) if turned else rows, True)
    if space is None:
        raise Fault("a picture that does not say which colours it has")
    bits = int(there.get("/BitsPerComponent", 8))
    rows = _unpacked(there.read_bytes(), width, height, space.parts, bits)
    turned = _decoded(there, space.parts)
    return Dots(space, width, height, _spread(rows, turned) if turned else rows, False)


def _filters(there: Any) -> list[str]:
    import pikepdf

    filters = there.get("/Filter", pikepdf.Array())
    return [str(each) for each in filters] if isinstance(filters, pikepdf.Array) else [str(filters)]


def _unpacked(data: bytes, width: int, height: int, parts: int, bits: int) -> NDArray[np.uint8]:
    """Expands samples of 1 to 16 bits to whole bytes; each line starts at a byte."""
    import numpy as np

    line = (width * parts * bits + 7) // 8
    if len(data) < line * height:
        raise Fault("a picture that ends too early")
    lines = np.frombuffer(data, np.uint8)[: line * height].reshape(height, line)
    if bits == 16:
        lines = lines[:, ::2]
    elif bits < 8:
        single = np.unpackbits(lines, axis=1)[:, : width * parts * bits].reshape(height, -1, bits)
        whole = single @ (1 << np.arange(bits - 1, -1, -1))
        lines = np.rint(whole * (255 / (2**bits - 1))).astype(np.uint8)
    return lines.reshape(width * height, parts)


def _decoded(there: Any, parts: int) -> list[float]:
    """A picture's Decode array if it differs from the default."""
    spread = [float(number) for number in there.get("/Decode", [])]
    return [] if spread == [0.0, 1.0] * parts else spread


def _spread(rows: NDArray[np.uint8], decode: list[float]) -> NDArray[np.uint8]:
    import numpy as np

    low, high = np.array(decode[::2]), np.array(decode[1::2])
    spread: NDArray[np.uint8] = np.rint(np.clip(low * 255 + rows * (high - low), 0, 255)).astype(np.uint8)
    return spread


def _packed(pdf: Any, dots: Dots, target: Target, made: dict[str, Any]) -> Any:
    """Encodes converted pixels; grey pictures use black alone."""
    import numpy as np
    import pikepdf
    from PIL import Image

    rows = dots.space.rows(dots.rows, target)
    grey = target.grey
    if not grey and not rows[:, :3].any():
        rows, grey = 255 - rows[:, 3:], True
    made |= {"/ColorSpace": pikepdf.Name("/DeviceGray" if grey else target.space), "/BitsPerComponent": 8}
    data = np.ascontiguousarray(rows).data
    if not dots.photo:
        made["/Filter"] = pikepdf.Name.FlateDecode
        return _stream(pdf, zlib.compress(data, EFFORT), made)
    file = io.BytesIO()
    shown = Image.frombytes("L" if grey else "CMYK", (dots.width, dots.height), data)
    shown.save(file, "JPEG", quality=QUALITY, subsampling=0)
    made["/Filter"] = pikepdf.Name.DCTDecode
    if not grey:
        # Pillow writes four inks as Adobe's programs do, turned over.
        made["/Decode"] = pikepdf.Array([1, 0] * 4)
    return _stream(pdf, file.getvalue(), made)


def _kept(pdf: Any, there: Any, space: Space, target: Target, made: dict[str, Any]) -> Any:
    """Converts the palette of an indexed picture and keeps its pixels."""
    import pikepdf

    colours = there["/ColorSpace"]
    if space.kind == "indexed":
        assert space.base is not None
        table = space.base.rows(space.colours(), target)
        colours = pikepdf.Array([pikepdf.Name.Indexed, pikepdf.Name(target.space), len(table) - 1, table.tobytes()])
    made |= {key: there[key] for key in ("/BitsPerComponent", "/Decode", "/Filter", "/DecodeParms") if key in there}
    made["/ColorSpace"] = colours
    return _stream(pdf, there.read_raw_bytes(), made)


def _stencil(pdf: Any, there: Any, dots: Dots) -> Any:
    """Turns a colour key mask into a stencil mask, because converting changes the colours that it names."""
    import numpy as np
    import pikepdf

    bounds = np.array([int(number) for number in there["/Mask"]]) * (255 / (2 ** int(there["/BitsPerComponent"]) - 1))
    hidden = ((dots.rows >= bounds[::2]) & (dots.rows <= bounds[1::2])).all(axis=1)
    bits = np.packbits(hidden.reshape(dots.height, dots.width), axis=1)
    keys = {"/Type": pikepdf.Name.XObject, "/Subtype": pikepdf.Name.Image, "/ImageMask": True, "/BitsPerComponent": 1}
    keys |= {"/Width": dots.width, "/Height": dots.height, "/Filter": pikepdf.Name.FlateDecode}
    return _stream(pdf, zlib.compress(bits.tobytes()), keys)


def _stream(pdf: Any, data: bytes, keys: dict[str, Any]) -> Any:
    import pikepdf

    return pikepdf.Stream(pdf, data, keys)


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
    """Instructions that set a colour, and those for letters where they differ."""

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

    def leave(self, error: Fault) -> None:
        """Records what could not be converted."""
        self.left[f"{self.where}: {error.message}"] = None

    def space(self, there: Any, named: Any = None) -> Space:
        """The colour space that an object stands for. Raises Fault."""
        if not there.is_indirect:
            return space_of(there, named)
        if there.objgen not in self._spaces:
            self._spaces[there.objgen] = space_of(there, named)
        return self._spaces[there.objgen]

    def shares(self, space: Space, numbers: Iterable[Any], target: Target) -> list[Decimal]:
        """Converts one colour; components from 0 to 1. Raises Fault."""
        import numpy as np

        most = 1 if space.kind == "indexed" else 255
        row = np.array([[min(255, max(0, round(float(number) * most))) for number in numbers]], np.uint8)
        return [_decimal(part / 255) for part in space.rows(row, target)[0].tolist()]

    def paint(self, space: Space, numbers: tuple[float, ...], target: Target, lines: bool) -> Paint:
        """The instructions that set a colour. Raises Fault."""
        import pikepdf

        if len(numbers) != space.parts:
            raise Fault(f"a colour of {len(numbers)} numbers in a space of {space.parts}")
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
    """Graphics state: the colours wanted, and those set in the output so far.

    The first of each pair is for filling, the second for stroking.
    """

    spaces: list[tuple[Space, Any] | None] = field(default_factory=lambda: [_OUTSET, _OUTSET])
    wanted: list[Paint | None] = field(default_factory=lambda: [None, None])
    written: list[tuple[Any, ...] | None] = field(default_factory=lambda: [None, None])
    mode: int = 0

    def kept(self) -> _State:
        return _State([*self.spaces], [*self.wanted], [*self.written], self.mode)


def repainted(palette: Palette, drawing: Any, resources: Any, made: Any, target: Target) -> bytes:
    """Converts the colours of a content stream. ``made`` are its converted resources."""
    import pikepdf

    reader = _Reader(palette, resources, made, target)
    for instruction in pikepdf.parse_content_stream(drawing):
        reader.read(instruction)
    return pikepdf.unparse_content_stream(reader.code)


class _Reader:
    """Converts a content stream, one instruction at a time."""

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
            except Fault as error:
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
        """Sets the wanted colour unless it is set already."""
        wanted = self._state.wanted[lines]
        if wanted is None:
            return
        how = wanted.letters if letters else wanted.areas
        if how is not self._state.written[lines]:
            self.code.extend(how)
            self._state.written[lines] = how

    def _colour(self, instruction: Any, name: str, lines: bool) -> None:
        """Handles instructions that choose a colour or a colour space. Raises Fault."""
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
        """Turns an inline picture into a named one; a stencil mask stays."""
        import pikepdf

        image = instruction.iimage
        if bool(image.obj.get("/ImageMask", False)):
            self.code.append(instruction)
            return
        there = pikepdf.Stream(self._palette.pdf, image.read_raw_bytes(), dict(image.obj.items()))
        try:
            made = picture(self._palette.pdf, there, self._target, self._named)
        except Fault as error:
            self._palette.leave(error)
            return
        if "/XObject" not in self._made:
            self._made["/XObject"] = pikepdf.Dictionary()
        name = f"/Inline{len(self._made['/XObject'])}"
        self._made["/XObject"][name] = made
        self.code.append(pikepdf.ContentStreamInstruction([pikepdf.Name(name)], pikepdf.Operator("Do")))


@dataclass(frozen=True, slots=True)
class Converted:
    """A converted file, and what was changed or left."""

    pdf: bytes
    colours: int
    """How many different ones were converted, beside those of pictures."""
    notes: tuple[str, ...] = ()
    """What is otherwise than in the file before, as sentences."""
    left: tuple[str, ...] = ()
    """What could not be converted: such a file is not to be used."""


def to_cmyk(pdf: bytes, condition: Condition, boxes: Boxes = WHOLE_PAGE, standard: Standard = "PDF/X-4") -> Converted:
    """Converts a finished PDF for a press; the same bytes for the same file. Raises Fault for a useless profile."""
    import pikepdf

    flat: list[str] = []
    if standard == "PDF/X-1a":
        pdf, flat = flattened(pdf)
    with pikepdf.open(io.BytesIO(pdf)) as file:
        palette = Palette(file)
        work = _Work(file, _inks(condition), palette)
        for number, page in enumerate(file.pages, 1):
            work.page(page, number)
        notes = finished(file, condition, boxes, standard)
        data = saved(file, standard)
        return Converted(data, len(palette.colours), (*flat, *notes), tuple(palette.left))


@lru_cache(2)
def _inks(condition: Condition) -> Inks:
    """The conversion for a printing condition, built once for all files of a game."""
    return Inks(condition)


@dataclass(slots=True)
class _Work:
    """Conversion of one file. Source objects are not changed: one used as a picture and in a mask is converted twice."""

    pdf: Any
    inks: Target
    palette: Palette
    masks: Target = field(default_factory=Masks)
    made: dict[tuple[tuple[int, int], str], Any] = field(default_factory=dict)

    def page(self, page: Any, number: int) -> None:
        """Converts a page with its resources."""
        self.palette.where = f"page {number}"
        resources = page.resources
        made = self.resources(resources, self.inks)
        page.obj["/Contents"] = self.pdf.make_stream(self.code(page, resources, made, self.inks))
        page.obj["/Resources"] = made
        if "/Group" in page.obj:
            page.obj["/Group"] = self.group(page.obj["/Group"], self.inks)

    def anew(self, there: Any, target: Target, make: Any) -> Any:
        """Converts an object by ``make``, once for each target."""
        key = (there.objgen, target.space)
        if not there.is_indirect:
            return make(there, target)
        if key not in self.made:
            self.made[key] = make(there, target)
        return self.made[key]

    def tried(self, there: Any, target: Target, make: Any) -> Any:
        """Converts an object; one that cannot be converted is returned as it is and recorded."""
        try:
            return self.anew(there, target, make)
        except Fault as error:
            self.palette.leave(error)
            return there

    def group(self, there: Any, target: Target) -> Any:
        """Converts the blending colour space of a transparency group."""
        import pikepdf

        made = pikepdf.Dictionary({key: value for key, value in there.items() if key != "/CS"})
        if "/CS" in there or target.grey:
            made["/CS"] = pikepdf.Name(target.space)
        return made

    def resources(self, there: Any, target: Target) -> Any:
        """Converts a resource dictionary."""
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
        """Converts a form or a tiling pattern."""
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
        """Converts an ExtGState; its soft mask is drawn in greys."""
        import pikepdf

        if any(str(there.get(key, "/Default")) not in ("/Default", "/Identity") for key in ("/TR", "/TR2")):
            raise Fault("a curve that changes colours once more when they are printed")
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
        """Converts the glyphs of a Type 3 font; other fonts have no colours."""
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
        """Converts a colour space resource: spot colours keep their name; others are not needed any more."""
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
            raise Fault("several spot colours at once that are shown in colours of screens")
        made = pikepdf.Array([there[0], there[1], pikepdf.Name.DeviceCMYK, ramp(self.pdf, there[3], other, self.inks)])
        return self.pdf.make_indirect(made)

    def code(self, drawing: Any, resources: Any, made: Any, target: Target) -> bytes:
        """Converts the content stream of a page or form."""
        return repainted(self.palette, drawing, resources, made, target)
