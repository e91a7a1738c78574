"""Pictures in a drawing in art/: those that are written into the file, and those in art/ that it links to."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Protocol
from urllib.parse import unquote, unquote_to_bytes

from pnp.svg.safe import BadDrawing, href
from pnp.svg.tree import XLINK, Element, tag

_DATA = re.compile(r"data:(image/[\w.+-]+)((?:;[\w=.-]+)*),", re.IGNORECASE)
_ABSOLUTE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|/|\\")
MOST_DOTS = 100_000_000
"""Of all pictures in a drawing: few bytes may hold very many that are alike, and each is held as it is drawn."""
HINT = (
    "Embed it (in Inkscape select it, then Extensions > Images > Embed Images), or put its file beside the drawing in art/."
)


class Picture(Protocol):
    """A drawing or picture that was looked at."""

    @property
    def file(self) -> str:
        """A name, for its suffix."""

    @property
    def data(self) -> bytes:
        """What it is."""

    @property
    def dots(self) -> int:
        """How many it is made of, or the pictures in it."""


def set_in(root: Element, read: Callable[[bytes, bool], Picture], linked: Callable[[str], Picture]) -> int:
    """Every picture of a drawing becomes one that is written into it, looked at as any other drawing is.

    ``read`` makes a drawing of bytes, which are SVG or not; ``linked`` of a path beside the file. Returns how many dots
    they have together. Raises BadDrawing.
    """
    dots = 0
    for image in list(root.iter(tag("image"))):
        written = href(image)
        try:
            if not written:
                drawing: Picture | None = None
            elif found := _DATA.match(written):
                drawing = read(_bytes(written[found.end() :], found[2]), found[1].lower() == "image/svg+xml")
            elif _ABSOLUTE.match(written):
                fault = BadDrawing(f'its picture "{written[:60]}" lies outside the game')
                fault.value, fault.hint = written, HINT
                raise fault
            else:
                drawing = linked(unquote(written))
            dots += drawing.dots if drawing is not None else 0
            if dots > MOST_DOTS:
                raise BadDrawing(f"its pictures have more than {MOST_DOTS // 1_000_000} million pixels together")
        except BadDrawing as fault:
            # A fault in a picture has its lines there.
            fault.line = image.sourceline
            raise
        for key in ("href", XLINK):
            image.attrib.pop(key, None)
        if drawing is not None:
            image.set("href", _as_data(drawing))
    return dots


def _bytes(written: str, how: str) -> bytes:
    if not how.lower().endswith(";base64"):
        return unquote_to_bytes(written)
    try:
        return base64.b64decode("".join(unquote(written).split()), validate=True)
    except (binascii.Error, ValueError):
        raise BadDrawing("its embedded picture is not the base64 that it says it is") from None


def _as_data(drawing: Picture) -> str:
    kind = {"svg": "svg+xml", "jpg": "jpeg", "png": "png"}[drawing.file.rpartition(".")[2]]
    return f"data:image/{kind};base64,{base64.b64encode(drawing.data).decode()}"
