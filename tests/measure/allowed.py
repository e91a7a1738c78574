"""Drawings of resvg's suite that may come out otherwise than its pictures, and why."""

READER = "PDFium has 256 colours for a gradient, so that a sharp edge in it is off by a dot"
TILES = "the picture rounds each tile to its own few dots, and the rest adds up; print has more dots"
HAIRLINE = "edges of lines one over the other, thinner than a dot of the picture"
DASHES = "PDFium makes each dash longer by less than a hundredth; others do not, and at print size nobody sees it"

ALLOWED = {
    "painting/stroke-dasharray/0-n-with-round-caps": DASHES,
    "painting/stroke-dasharray/0-n-with-square-caps": DASHES,
    "paint-servers/stop/missing-offset-1": READER,
    "paint-servers/stop/stop-with-smaller-offset": READER,
    "paint-servers/stop/stops-with-equal-offset-1": READER,
    "paint-servers/stop/stops-with-equal-offset-2": READER,
    "paint-servers/stop/stops-with-equal-offset-4": READER,
    "paint-servers/pattern/invalid-patternUnits-and-patternContentUnits": TILES,
    "paint-servers/pattern/out-of-order-referencing": TILES,
    "paint-servers/pattern/pattern-on-child": TILES,
    "paint-servers/pattern/patternUnits=objectBoundingBox-with-percent": TILES,
    "paint-servers/pattern/patternUnits=objectBoundingBox": TILES,
    "paint-servers/pattern/recursive-on-child": TILES,
    "paint-servers/pattern/self-recursive-on-child": TILES,
    "paint-servers/pattern/self-recursive": TILES,
    "filters/feTile/complex-transform": TILES,
    "painting/stroke-width/default": HAIRLINE,
    "structure/svg/preserveAspectRatio=none": HAIRLINE,
}
"""By name, from the suite's folder ``tests`` on."""
