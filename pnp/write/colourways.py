"""Gradients of a PDF in another colour space: what says which colour comes where is measured, converted, written anew.

A straight way from one colour to another is none any more once both are inks: so each piece of a gradient is measured at so
many places as it takes to stay within a hair of the converted colours. Where one colour ends and the next begins at once,
that edge stays where it is.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from pnp.write.spaces import NotTaken, Space, space_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pnp.write.separate import Target

# Places at which a piece of a gradient is measured at most.
MOST = 33
# Of 255, how far a colour between two measured ones may be off.
OFF = 2
# A gradient over an area is measured in dots so large, in points: 300 in an inch; and in no more along a side.
DOT, MOST_DOTS = 0.24, 1024


def shading(pdf: Any, there: Any, target: Target) -> Any:
    """A gradient as one in the target's space. Raises NotTaken."""
    import pikepdf

    kind = int(there["/ShadingType"])
    if kind not in (1, 2, 3) or "/Function" not in there:
        raise NotTaken(f"a gradient over a mesh (type {kind})")
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
    """A function of one number whose results are colours of a space, as one to the target's colours. Raises NotTaken."""
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
    """Whether so many of the measured rows say enough."""
    import numpy as np

    whole = np.arange(len(rows))
    kept = whole[:: (len(rows) - 1) // (count - 1)]
    between = np.stack([np.interp(whole, kept, column[kept]) for column in rows.T], axis=1)
    return bool(np.abs(between - rows).max() <= OFF / 255)


def _sampled(pdf: Any, domain: list[float], size: list[int], rows: NDArray[np.float64]) -> Any:
    """A function that knows its results at places in equal steps."""
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
    """Rows of colours from 0 to 1, converted."""
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
    """The results of a function of one number at many places, a row each. Raises NotTaken."""
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
    raise NotTaken("a gradient that a program in the file calculates")


def _stitched(function: Any, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of several functions each has a part of the way."""
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
    """A function that knows its results at places in equal steps."""
    import numpy as np

    if len(function["/Size"]) != 1 or int(function["/BitsPerSample"]) != 8:
        raise NotTaken("a gradient that is measured in an unusual way")
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
    """What gives each place of an area its colour is a program in the file: PDFium runs it, and its picture is measured."""
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
