"""How large a drawing is on paper: its page in millimetres, as a size of card where it is one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pnp.shapes.units import PX_PER, show
from pnp.svg.safe import BadDrawing, view_box
from pnp.svg.tree import Element

_LENGTH = re.compile(r"\s*+(\d{1,6}+(?:\.\d++)?)\s*+(mm|cm|in|pt|pc|px|)\s*+")
# Of a drawing in pixels: what programs take for an inch, and what is printed.
_DOTS = (300.0, 96.0, 72.0, 150.0, 600.0)
# Bleeds that printers ask for: 3 mm, and an eighth of an inch.
_BLEEDS = (0.0, 3.0, 3.175)
_NEAR = 0.2
"""A page may miss a size by so many mm: whole pixels, and inches that were rounded to mm."""
_SKEWED = 0.01


@dataclass(frozen=True, slots=True)
class PageSize:
    """The trim in mm as ``game.toml`` says it, its bleed, and why this is thought to be it."""

    name: str
    width: float
    height: float
    bleed: float
    why: str = ""


def page_size(root: Element, presets: Mapping[str, tuple[float, float]], asked: tuple[str, float, float] | None) -> PageSize:
    """The size of a drawing's page, or the one that was asked for. Raises BadDrawing where nothing says it."""
    _, _, across, down = view_box(root)
    if asked is not None:
        name, width, height = asked
        for bleed in _BLEEDS:
            if abs((width + 2 * bleed) / (height + 2 * bleed) / (across / down) - 1) <= _SKEWED:
                return PageSize(name, width, height, bleed)
        shape = f"{show(width)} × {show(height)} mm"
        raise BadDrawing(f"it is {across:g} × {down:g} units large, which is another shape than {shape}")
    sides = [_LENGTH.fullmatch(root.get(key) or "") for key in ("width", "height")]
    units = {side[2] for side in sides if side}
    if all(sides) and len(units) == 1 and units.isdisjoint(("", "px")):
        unit = PX_PER[units.pop()]
        width, height = (round(float(side[1]) * unit / PX_PER["mm"], 6) for side in sides if side)
        if abs(width / height / (across / down) - 1) > _SKEWED:
            raise BadDrawing("its page has another shape than its viewBox")
        return _known(width, height, presets) or PageSize(f"{show(width)}mm x {show(height)}mm", width, height, 0.0)
    pixels = [float(side[1]) for side in sides if side and side[2] in ("", "px")]
    width, height = pixels if len(pixels) == 2 else (across, down)
    for dots in _DOTS:
        if found := _known(width * 25.4 / dots, height * 25.4 / dots, presets):
            why = f"{width:g} × {height:g} pixels are {found.name} at {dots:g} dots per inch"
            return PageSize(found.name, found.width, found.height, found.bleed, why)
    raise BadDrawing(f"its page is {width:g} × {height:g} pixels, and nothing says how large they are. Name it with --size")


def _known(width: float, height: float, presets: Mapping[str, tuple[float, float]]) -> PageSize | None:
    """The preset of this size, with or without bleed; one that lies on its side is named by its lengths."""
    for bleed in _BLEEDS:
        near = []
        for name, (across, down) in presets.items():
            for shown, one, two in ((name, across, down), (f"{show(down)}mm x {show(across)}mm", down, across)):
                off = max(abs(width - 2 * bleed - one), abs(height - 2 * bleed - two))
                if off <= _NEAR:
                    near.append((off, shown != name, shown, one, two))
        if near:
            _, _, shown, one, two = min(near)
            why = f"its page is {show(width)} × {show(height)} mm: {shown} with {show(bleed)} mm bleed" if bleed else ""
            return PageSize(shown, one, two, bleed, why)
    return None
