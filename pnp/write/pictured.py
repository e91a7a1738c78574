"""Pictures in a PDF: their dots as rows of numbers, and the same pictures in the inks of a press."""

from __future__ import annotations

import io
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pnp.write.separate import NoTransform
from pnp.write.spaces import NotTaken, Space, space_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pnp.write.separate import Target

# What a picture that came as a JPEG is packed with again: no dot of it can be told from the one before.
QUALITY = 95
# Of photographs, in which dots repeat seldom: a file is little smaller with more work.
EFFORT = 6
_PHOTOS = ("/DCTDecode", "/DCT", "/JPXDecode")


@dataclass(frozen=True, slots=True)
class Dots:
    """A picture as rows of numbers from 0 to 255, line by line, from the top left."""

    space: Space
    width: int
    height: int
    rows: NDArray[np.uint8]
    photo: bool
    """It was packed with loss."""


def picture(pdf: Any, there: Any, target: Target, named: Any = None) -> Any:
    """A picture in the target's colours; itself where it is a stencil, which has none. Raises NotTaken, NoTransform.

    ``named`` are the colour spaces that the drawing around it has names for.
    """
    import pikepdf

    if bool(there.get("/ImageMask", False)):
        return there
    space = space_of(there["/ColorSpace"], named) if "/ColorSpace" in there else None
    if "/SMask" in there and "/Matte" in there["/SMask"]:
        raise NotTaken("a picture that is mixed with its ground already")
    made = {key: there[key] for key in ("/SMask", "/Interpolate", "/Intent") if key in there}
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
    """The dots of a picture; without a space that of its packing. Raises NotTaken."""
    import numpy as np
    from PIL import Image, UnidentifiedImageError

    width, height = int(there["/Width"]), int(there["/Height"])
    filters = _filters(there)
    if filters and filters[-1] in _PHOTOS:
        if len(filters) > 1:
            raise NotTaken("a photograph that is packed twice")
        try:
            with Image.open(io.BytesIO(there.read_raw_bytes())) as opened:
                opened.load()
                shown = opened if opened.mode in ("L", "RGB", "CMYK") else opened.convert("RGB")
        except (UnidentifiedImageError, OSError) as error:
            raise NotTaken(f"a photograph that cannot be read ({error})") from None
        rows = np.asarray(shown).reshape(width * height, -1)
        own = Space({1: "grey", 3: "rgb", 4: "cmyk"}[rows.shape[1]], rows.shape[1], space.profile if space else b"")  # type: ignore[arg-type]
        # Pillow turns a JPEG of four inks over that Adobe's programs wrote; PDFs say so themselves.
        turned = own.kind != "cmyk" and _decoded(there, own.parts)
        return Dots(own, width, height, _spread(rows, turned) if turned else rows, True)
    if space is None:
        raise NotTaken("a picture that does not say which colours it has")
    bits = int(there.get("/BitsPerComponent", 8))
    rows = _unpacked(there.read_bytes(), width, height, space.parts, bits)
    turned = _decoded(there, space.parts)
    return Dots(space, width, height, _spread(rows, turned) if turned else rows, False)


def _filters(there: Any) -> list[str]:
    import pikepdf

    filters = there.get("/Filter", pikepdf.Array())
    return [str(each) for each in filters] if isinstance(filters, pikepdf.Array) else [str(filters)]


def _unpacked(data: bytes, width: int, height: int, parts: int, bits: int) -> NDArray[np.uint8]:
    """Numbers of any number of bits as whole bytes; each line begins with a byte of its own."""
    import numpy as np

    line = (width * parts * bits + 7) // 8
    if len(data) < line * height:
        raise NotTaken("a picture that ends too early")
    lines = np.frombuffer(data, np.uint8)[: line * height].reshape(height, line)
    if bits == 16:
        lines = lines[:, ::2]
    elif bits < 8:
        single = np.unpackbits(lines, axis=1)[:, : width * parts * bits].reshape(height, -1, bits)
        whole = single @ (1 << np.arange(bits - 1, -1, -1))
        lines = np.rint(whole * (255 / (2**bits - 1))).astype(np.uint8)
    return lines.reshape(width * height, parts)


def _decoded(there: Any, parts: int) -> list[float]:
    """What the least and the most of each part stand for, where that is not 0 and 1."""
    spread = [float(number) for number in there.get("/Decode", [])]
    return [] if spread == [0.0, 1.0] * parts else spread


def _spread(rows: NDArray[np.uint8], decode: list[float]) -> NDArray[np.uint8]:
    import numpy as np

    low, high = np.array(decode[::2]), np.array(decode[1::2])
    spread: NDArray[np.uint8] = np.rint(np.clip(low * 255 + rows * (high - low), 0, 255)).astype(np.uint8)
    return spread


def _packed(pdf: Any, dots: Dots, target: Target, made: dict[str, Any]) -> Any:
    """The picture with its dots converted; one without colours has black alone."""
    import numpy as np
    import pikepdf
    from PIL import Image

    rows = dots.space.rows(dots.rows, target)
    grey = target.grey
    if not grey and not rows[:, :3].any():
        rows, grey = 255 - rows[:, 3:], True
    made |= {"/ColorSpace": pikepdf.Name("/DeviceGray" if grey else target.space), "/BitsPerComponent": 8}
    data = np.ascontiguousarray(rows).tobytes()
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
    """A picture whose numbers lead to colours: the table is converted, and no dot."""
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
    """What hides the dots of certain colours, which after converting are no longer those colours."""
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


__all__ = ["Dots", "NoTransform", "dots_of", "picture"]
