"""The colour spaces of a PDF, and how a colour in one of them becomes one of a press or of a mask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pnp.write.separate import Target

Kind = Literal["grey", "rgb", "cmyk", "spot", "indexed", "pattern"]
_PLAIN: dict[str, Kind] = {
    **dict.fromkeys(("/DeviceGray", "/CalGray", "/G"), "grey"),
    **dict.fromkeys(("/DeviceRGB", "/CalRGB", "/RGB"), "rgb"),
    **dict.fromkeys(("/DeviceCMYK", "/CMYK"), "cmyk"),
    "/Pattern": "pattern",
}
_PARTS: dict[Kind, int] = {"grey": 1, "rgb": 3, "cmyk": 4}
_BY_PARTS: dict[int, Kind] = {count: kind for kind, count in _PARTS.items()}


class NotTaken(ValueError):
    """A thing whose colours cannot be converted. The text is for the person."""


@dataclass(frozen=True, slots=True)
class Space:
    """What a colour space is to whoever converts it."""

    kind: Kind
    parts: int
    """Numbers of a colour."""
    profile: bytes = b""
    """Of red, green and blue that are not those of sRGB."""
    base: Space | None = None
    """Of what an index leads to, or an uncoloured pattern is drawn in."""
    table: bytes = b""
    """The colours that an index leads to."""

    def rows(self, values: NDArray[np.uint8], target: Target) -> NDArray[np.uint8]:
        """Rows of colours, from 0 to 255, in the target's space. Raises NotTaken."""
        import numpy as np

        if self.kind == "grey":
            return target.rows(np.repeat(values, 3, axis=1))
        if self.kind == "rgb":
            return target.rows(values, self.profile)
        if self.kind == "cmyk":
            return target.inks(values)
        if self.kind == "indexed" and self.base is not None:
            return self.base.rows(self.colours()[np.minimum(values[:, 0], len(self.colours()) - 1)], target)
        raise NotTaken("colours of a kind that no ink can be found for")

    def colours(self) -> NDArray[np.uint8]:
        """The colours of the table, a row each."""
        import numpy as np

        assert self.base is not None
        whole = len(self.table) // self.base.parts * self.base.parts
        return np.frombuffer(self.table[:whole], np.uint8).reshape(-1, self.base.parts)


def space_of(there: Any, named: Any = None) -> Space:
    """The space that a PDF's object stands for; ``named`` are those that the drawing has names for. Raises NotTaken."""
    import pikepdf

    if isinstance(there, pikepdf.Name):
        if str(there) in _PLAIN:
            kind = _PLAIN[str(there)]
            return Space(kind, _PARTS.get(kind, 0))
        if named is not None and str(there) in named:
            return space_of(named[str(there)])
        raise NotTaken(f"the colour space {there}, which the file does not define")
    kind_of = str(there[0])
    if kind_of == "/ICCBased":
        kind = _BY_PARTS[int(there[1]["/N"])]
        return Space(kind, _PARTS[kind], _unusual(there[1].read_bytes()) if kind == "rgb" else b"")
    if kind_of in ("/Separation", "/DeviceN"):
        return Space("spot", len(there[1]) if kind_of == "/DeviceN" else 1)
    if kind_of in ("/Indexed", "/I"):
        table = there[3]
        read = table.read_bytes() if isinstance(table, pikepdf.Stream) else bytes(table)
        return Space("indexed", 1, base=space_of(there[1], named), table=read)
    if kind_of == "/Pattern":
        return Space("pattern", 0, base=space_of(there[1], named) if len(there) > 1 else None)
    if kind_of in _PLAIN:
        return Space(_PLAIN[kind_of], _PARTS[_PLAIN[kind_of]])
    raise NotTaken(f"colours of the kind {kind_of.lstrip('/')}")


def _unusual(profile: bytes) -> bytes:
    """A profile, or nothing where it is that of sRGB, which all drawings have: then no two are built for the same."""
    return b"" if b"sRGB" in profile or b"s\0R\0G\0B" in profile else profile
