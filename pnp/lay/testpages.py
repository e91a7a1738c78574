"""Makes pages that measure a printer: the duplex test, and how it changes size, margins, greys and colours."""

from __future__ import annotations

from collections.abc import Iterator

from pnp.lay.grid import correction
from pnp.shapes.affine import Affine, Calibration, Flip, mirror_x, mirror_y
from pnp.shapes.nets.net import rectangle
from pnp.shapes.units import show
from pnp.values.faces import Item, Label, Line, Page, Stroke
from pnp.values.game import Paper

STEP = 0.25
REACH = 12
# The scales stand apart on A4 and Letter; on less they would cross.
LEAST = (210.0, 279.4)
# More than twice the reach in mm, so that no other two ticks can meet and be misread.
PITCH = 6.5
INSET = 22.0
TICK = 5.0


def duplex_test(paper: Paper, calibration: Calibration) -> list[Page]:
    """Front and back; the back as this printer's calibration would print it, so that a second test shows zeros."""
    return [_front(paper, calibration.flip), _back(paper, calibration)]


def _front(paper: Paper, flip: Flip) -> Page:
    items: list[Line | Label] = []
    sign = 1 if flip == "long-edge" else -1
    for level, out, step, tick in _scales(paper, PITCH, 1):
        items.append(tick)
        if step % 2:
            continue
        if level:
            # The n-th back tick is drawn n · STEP further right; to meet its front tick it was printed
            # that much too far to the right on the back, which the light shows mirrored, or about the short edge to
            # the left.
            above = tick.y1 + out * (TICK + (2.6 if out > 0 else 1))
            items.append(Label(tick.x1, above, _number(-sign * step * STEP), 6, anchor="middle"))
        else:
            # About the long edge up and down are the same on both sides: a back that came too high meets below the
            # middle.
            beside, said = tick.x1 + out * (TICK + 1), _number(sign * step * STEP)
            items.append(Label(beside, tick.y1 + 0.7, said, 6, anchor="start" if out > 0 else "end"))
    items += [*_target(paper), *_texts(paper, flip)]
    return Page(paper, tuple(items), "front", "Duplex test")


def _back(paper: Paper, calibration: Calibration) -> Page:
    turned = mirror_x(paper.width / 2) if calibration.flip == "long-edge" else mirror_y(paper.height / 2)
    turn = correction(calibration, paper) @ turned
    lines = [*(tick for *_, tick in _scales(paper, PITCH + STEP, -1)), *_target(paper)]
    items: list[Line | Label] = [_turned(line, turn) for line in lines]
    said = "back: hold the sheet to the light, front towards you"
    items.append(Label(paper.width / 2, paper.height / 2 + 20, said, 8, anchor="middle"))
    return Page(paper, tuple(items), "back")


def _scales(paper: Paper, pitch: float, way: int) -> Iterator[tuple[bool, int, int, Line]]:
    """The ticks at the top, bottom, left and right: whether theirs is a level scale, where they point, their numbers."""
    far = paper.width - INSET, paper.height - INSET
    for level, at, out in ((True, INSET + 24, -way), (True, far[1], way), (False, INSET, -way), (False, far[0], way)):
        for step in range(-REACH, REACH + 1):
            along = (paper.width if level else paper.height) / 2 + step * pitch
            ends = (along, at, along, at + out * TICK) if level else (at, along, at + out * TICK, along)
            yield level, out, step, Line(*ends, 0.2)


def _number(value: float) -> str:
    return f"{value:+g}" if value else "0"


def _turned(line: Line, turn: Affine) -> Line:
    return Line(*turn.point(line.x1, line.y1), *turn.point(line.x2, line.y2), line.width)


def _target(paper: Paper) -> list[Line]:
    """A cross in the middle, and the outline of a card around it."""
    x, y = paper.width / 2, paper.height / 2
    corners = rectangle(x - 31.5, y - 44, 63, 88)
    outline = [Line(*start, *end, 0.2) for start, end in zip(corners, [*corners[1:], corners[0]], strict=True)]
    return [Line(x - 6, y, x + 6, y, 0.2), Line(x, y - 6, x, y + 6, 0.2), *outline]


def _texts(paper: Paper, flip: Flip) -> list[Line | Label]:
    x, middle = INSET, paper.width / 2
    span = show(paper.width - 2 * INSET)
    long = flip == "long-edge"
    difference = "left dy - right dy" if long else "right dy - left dy"
    typed = "dx,dy,angle" if long else "dx,dy,angle --backs short-edge"
    texts = [
        f"Print this page and the next on one sheet: both sides, flip on {'long' if long else 'short'} edge, 100 %.",
        "Hold it to the light, this side towards you. On each scale, find where two ticks make one line.",
        "dx: the number at the top and bottom scale (take the middle of the two). dy: left and right likewise.",
        f"angle: ({difference}) × 57.3 / {span}, if the two differ by more than 0.25, else 0.",
        f'Then: pnp calibrate --set {typed} --printer "my printer", and build with --printer "my printer".',
    ]
    items: list[Line | Label] = [Label(x, 12, "pnp: duplex test", 13)]
    items += [Label(x, 17 + 4 * index, text, 8) for index, text in enumerate(texts)]
    items += [
        Label(middle, 33 + INSET, "dx", 9, anchor="middle"),
        Label(middle, paper.height - INSET - 8, "dx", 9, anchor="middle"),
    ]
    items += [
        Label(INSET + 8, paper.height / 2 + 1, "dy", 9),
        Label(paper.width - INSET - 8, paper.height / 2 + 1, "dy", 9, anchor="end"),
    ]
    y = paper.height / 2 + 62
    items += [
        Line(middle - 50, y, middle + 50, y, 0.2),
        Label(middle, y + 4, "100 mm: measure it; the page is scaled if it is not", 7, anchor="middle"),
    ]
    items += [Line(middle + at, y, middle + at, y - 2, 0.2) for at in range(-50, 51, 10)]
    items.append(Label(middle, paper.height / 2 - 39, "63 × 88 mm: a real card fits", 7, anchor="middle"))
    return items


LEFT = 24.0
RULER = 100
GREYS = (0, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 100)
COLOURS = {
    "cyan": (0.0, 1.0, 1.0),
    "magenta": (1.0, 0.0, 1.0),
    "yellow": (1.0, 1.0, 0.0),
    "red": (1.0, 0.0, 0.0),
    "green": (0.0, 1.0, 0.0),
    "blue": (0.0, 0.0, 1.0),
}
TINTS = (100, 75, 50, 25, 10)
HAIRLINES = (0.05, 0.1, 0.15, 0.25, 0.35, 0.5)
SIZES = (6.0, 6.5, 7.0, 8.0, 9.0)
SENTENCE = "Draw two cards, then put one back: 0 O 8 B 1 l I, rn m, æ ø ß é."
# Ticks stand this far from the edge at most; a printer with wider margins is rare.
DEEPEST = 12
STAIR = 5.0


def trial_page(paper: Paper) -> Page:
    """The page for a paper."""
    items: list[Item] = [
        Label(LEFT, 29, "pnp: test print", 13),
        Label(LEFT, 34, f'{paper.name}. Print it at 100 % ("actual size"), on one side; look at it in daylight.', 8),
        *_rulers(paper),
        *_greys(72),
        *_colours(98),
        *_hairlines(155),
        *_test_texts(197),
        *_edges(paper),
    ]
    return Page(paper, tuple(items), "front", "Test print")


def _rulers(paper: Paper) -> list[Item]:
    y, x = 48.0, paper.width - 44
    items: list[Item] = [
        Label(LEFT, y - 5, "Size: both rulers measure 100 mm; if not, the page was scaled.", 8),
        Line(LEFT, y, LEFT + RULER, y, 0.2),
        Line(x, y, x, y + RULER, 0.2),
    ]
    for at in range(RULER + 1):
        tick = 4.0 if at % 10 == 0 else 2.5 if at % 5 == 0 else 1.5
        items += [Line(LEFT + at, y, LEFT + at, y + tick, 0.1), Line(x, y + at, x + tick, y + at, 0.1)]
        if at % 10 == 0:
            items += [Label(LEFT + at, y + 7, str(at), 6, anchor="middle"), Label(x + 5, y + at + 0.7, str(at), 6)]
    return items


def _greys(y: float) -> list[Item]:
    items: list[Item] = [
        Label(LEFT, y - 3, "Greys: neighbours differ, also 0 from 5 and 95 from 100; none has a colour cast.", 8)
    ]
    for index, grey in enumerate(GREYS):
        x = LEFT + 9 * index
        items += [_patch(x, y, 9, 9, 1 - grey / 100), Label(x + 4.5, y + 12, str(grey), 6, anchor="middle")]
    return [*items, Stroke(rectangle(LEFT, y, 9 * len(GREYS), 9), 0.1)]


def _colours(y: float) -> list[Item]:
    items: list[Item] = [
        Label(LEFT, y - 3, "Colours: five steps each. Dull ones: name the real paper in the dialogue, best quality.", 8)
    ]
    for row, (name, colour) in enumerate(COLOURS.items()):
        top = y + 7 * row
        items.append(Label(LEFT, top + 4.4, name, 7))
        for column, tint in enumerate(TINTS):
            red, green, blue = (1 - (1 - part) * tint / 100 for part in colour)
            items.append(_patch(LEFT + 17 + 17 * column, top, 17, 6, (red, green, blue)))
    below = y + 7 * len(COLOURS) + 1.5
    return items + [Label(LEFT + 25.5 + 17 * at, below, str(tint), 6, anchor="middle") for at, tint in enumerate(TINTS)]


def _hairlines(y: float) -> list[Item]:
    items: list[Item] = [Label(LEFT, y - 3, "Lines: crop marks are 0.15 mm wide; that one is whole, level and slanted.", 8)]
    for index, width in enumerate(HAIRLINES):
        at = y + 2 + 5.5 * index
        items += [
            Label(LEFT, at + 0.8, f"{width:g} mm", 7),
            Line(LEFT + 17, at, LEFT + 72, at, width),
            Line(LEFT + 77, at + 1.5, LEFT + 127, at - 1.5, width),
        ]
    return items


def _test_texts(y: float) -> list[Item]:
    items: list[Item] = [Label(LEFT, y - 3, "Texts: pnp check allows 6 pt for a name, and 8 pt for what is read.", 8)]
    for index, size in enumerate(SIZES):
        at = y + 2 + 5 * index
        items += [Label(LEFT, at, f"{size:g} pt", 7), Label(LEFT + 17, at, SENTENCE, size)]
    below = y + 7 + 5 * len(SIZES)
    return [*items, Label(LEFT, below, "Edges: the smallest number whose tick you see is the printer's margin in mm.", 8)]


def _edges(paper: Paper) -> list[Item]:
    """Draws steps of ticks along the four edges, each 1 mm farther in: the first one printed shows the printer's margin.

    Their numbers stand 3 mm inside the innermost tick.
    """
    items: list[Item] = []
    for step in range(DEEPEST + 1):
        along = (step - DEEPEST / 2) * STAIR
        for side in ("top", "bottom", "left", "right"):
            level, inwards = side in ("top", "bottom"), 1 if side in ("top", "left") else -1
            middle, far = (paper.width / 2, paper.height) if level else (paper.height / 2, paper.width)
            start, end = middle + along - 2, middle + along + 2
            edge = 0.0 if inwards > 0 else far
            tick, number = edge + inwards * step, edge + inwards * (DEEPEST + 3)
            items.append(Line(*((start, tick, end, tick) if level else (tick, start, tick, end)), 0.2))
            x, y = (middle + along, number) if level else (number, middle + along)
            items.append(Label(x, y + 0.8, str(step), 6, anchor="middle"))
    return items


def _patch(x: float, y: float, width: float, height: float, fill: float | tuple[float, float, float]) -> Stroke:
    return Stroke(rectangle(x, y, width, height), 0, fill=fill)
