"""Converts colours: names and #rgb as people write them, sRGB and linear light, luminance, colour-blind eyes.

Values of a colour and of light run from 0 to 1; functions take one number, or an array of them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

WRITTEN = r"^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"
"""The pattern of a colour as people write it."""
# What red, green and blue have in the brightness of a colour (IEC 61966-2-1, and WCAG 2 after it).
WEIGHTS = (0.2126, 0.7152, 0.0722)


def full(written: str) -> str | None:
    """A colour with all digits, #abc as #aabbcc; None for what is no colour."""
    if not re.fullmatch(WRITTEN, written):
        return None
    return written if len(written) == 7 else "#" + "".join(2 * digit for digit in written[1:])


def named(written: str, palette: Mapping[str, str]) -> str | None:
    """#rrggbb for a code, or a name in the palette or CSS; None for what is no colour."""
    from PIL import ImageColor

    if written.lower() in ImageColor.colormap and written not in palette:
        return code_of(written)
    return full(palette.get(written, written).lower())


def in_css(written: str) -> tuple[int, int, int, int] | None:
    """Red, green, blue and opacity, 0 to 255, of a CSS colour; None for what is no colour."""
    from PIL import ImageColor

    try:
        red, green, blue, *clear = (max(0, min(255, part)) for part in ImageColor.getrgb(written))
    except ValueError:
        return None
    return red, green, blue, clear[0] if clear else 255


_PAINTS = ("none", "currentcolor", "inherit", "initial", "transparent", "context-fill", "context-stroke")


@lru_cache(1024)
def is_paint(written: str) -> bool:
    """Whether a drawing may be filled with it: a colour, gradient, or none. Does not look into brackets."""
    from PIL import ImageColor

    word = written.strip().lower()
    if not word or "(" in word or word in _PAINTS:
        return True
    return re.fullmatch(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", word) is not None or word in ImageColor.colormap


def css_names() -> list[str]:
    """The names of CSS colours."""
    from PIL import ImageColor

    return list(ImageColor.colormap)


def code_of(written: str) -> str | None:
    """#rrggbb of a CSS colour; None for what is no colour."""
    found = in_css(written)
    return "#{:02x}{:02x}{:02x}".format(*found[:3]) if found else None


def channels(code: str) -> tuple[int, int, int]:
    """Red, green and blue of #rrggbb, 0 to 255."""
    red, green, blue = bytes.fromhex(code[1:])
    return red, green, blue


def linear(value: Any) -> Any:
    """Linear light of an sRGB value."""
    return _either(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def encoded(light: Any) -> Any:
    """The sRGB value of linear light."""
    return _either(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def _either(dark: Any, if_so: Any, else_: Any) -> Any:
    if isinstance(dark, bool):
        return if_so if dark else else_
    import numpy as np

    return np.where(dark, if_so, else_)


def luminance(colour: Sequence[float]) -> float:
    """Relative luminance by WCAG 2."""
    red, green, blue = map(linear, colour)
    return float(WEIGHTS[0] * red + WEIGHTS[1] * green + WEIGHTS[2] * blue)


def contrast(one: float, other: float) -> float:
    """The contrast of two luminances by WCAG 2, from 1 to 21."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def without_cones(colours: NDArray[np.float64], anomaly: str) -> NDArray[np.float64]:
    """Colours (…, 3) as seen with full strength of that anomaly (Machado, Oliveira, Fernandes 2009)."""
    import numpy as np
    from colorspacious import cspace_convert

    space = {"name": "sRGB1+CVD", "cvd_type": anomaly, "severity": 100}
    seen: NDArray[np.float64] = np.clip(cspace_convert(colours, space, "sRGB1"), 0, 1)
    return seen


def without_colour(colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """Colours (n, 3) as greys of equal luminance, as a photocopy shows them."""
    import numpy as np
    from colorspacious import cspace_convert

    light = np.clip(cspace_convert(colours, "sRGB1", "XYZ1")[:, 1], 0, 1)
    return np.repeat(np.clip(encoded(light), 0, 1)[:, None], 3, axis=1)
