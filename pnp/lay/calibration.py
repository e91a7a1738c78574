"""The duplex test: two pages whose scales show, held to the light, how far backs are off.

Each scale is a vernier: the front's ticks stand PITCH apart, the back's PITCH + STEP, and the middle
ticks belong together. Where a back's tick meets a front's exactly, the front's number is the shift, to a
quarter of a millimetre; it is printed as the number to type into ``pnp calibrate --set``.

Each way of turning the paper over has its own test. A back's right is the front's left when it was turned about the long
edge, its bottom the front's top about the short one: so the numbers have other signs.
"""

from __future__ import annotations

from pnp.lay.backs import correction
from pnp.shapes.affine import Affine, Calibration, Flip, Rect, mirror_x, mirror_y
from pnp.shapes.units import show
from pnp.values.faces import Label, Line, Page
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
    middle_x, middle_y = paper.width / 2, paper.height / 2
    for y, out in ((INSET + 24, -1), (paper.height - INSET, 1)):
        for step in range(-REACH, REACH + 1):
            x = middle_x + step * PITCH
            items.append(Line(x, y, x, y + out * TICK, 0.2))
            if step % 2 == 0:
                # The n-th back tick is drawn n · STEP further right; to meet its front tick it was printed
                # that much too far to the right on the back, which the light shows mirrored, or about the short edge to
                # the left.
                above = y + out * (TICK + (2.6 if out > 0 else 1))
                items.append(Label(x, above, _number(-sign * step * STEP), 6, anchor="middle"))
    for x, out in ((INSET, -1), (paper.width - INSET, 1)):
        for step in range(-REACH, REACH + 1):
            y = middle_y + step * PITCH
            items.append(Line(x, y, x + out * TICK, y, 0.2))
            if step % 2 == 0:
                # About the long edge up and down are the same on both sides: a back that came too high meets below the
                # middle.
                beside = x + out * (TICK + 1)
                items.append(Label(beside, y + 0.7, _number(sign * step * STEP), 6, anchor="start" if out > 0 else "end"))
    items += _cross(middle_x, middle_y, 6)
    items += _outline(Rect(middle_x - 31.5, middle_y - 44, 63, 88))
    items += _texts(paper, flip)
    return Page(paper, tuple(items), "front", "Duplex test")


def _back(paper: Paper, calibration: Calibration) -> Page:
    turned = mirror_x(paper.width / 2) if calibration.flip == "long-edge" else mirror_y(paper.height / 2)
    turn = correction(calibration, paper) @ turned
    items: list[Line | Label] = []
    middle_x, middle_y = paper.width / 2, paper.height / 2
    for y, out in ((INSET + 24, 1), (paper.height - INSET, -1)):
        for step in range(-REACH, REACH + 1):
            x = middle_x + step * (PITCH + STEP)
            items.append(_turned(Line(x, y, x, y + out * TICK, 0.2), turn))
    for x, out in ((INSET, 1), (paper.width - INSET, -1)):
        for step in range(-REACH, REACH + 1):
            y = middle_y + step * (PITCH + STEP)
            items.append(_turned(Line(x, y, x + out * TICK, y, 0.2), turn))
    items += [_turned(line, turn) for line in _cross(middle_x, middle_y, 6)]
    items += [_turned(line, turn) for line in _outline(Rect(middle_x - 31.5, middle_y - 44, 63, 88))]
    items.append(Label(middle_x, middle_y + 20, "back: hold the sheet to the light, front towards you", 8, anchor="middle"))
    return Page(paper, tuple(items), "back")


def _number(value: float) -> str:
    return f"{value:+g}" if value else "0"


def _turned(line: Line, turn: Affine) -> Line:
    return Line(*turn.point(line.x1, line.y1), *turn.point(line.x2, line.y2), line.width)


def _cross(x: float, y: float, reach: float) -> list[Line]:
    return [Line(x - reach, y, x + reach, y, 0.2), Line(x, y - reach, x, y + reach, 0.2)]


def _outline(rect: Rect) -> list[Line]:
    corners = [(rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.bottom), (rect.x, rect.bottom)]
    return [Line(*start, *end, 0.2) for start, end in zip(corners, [*corners[1:], corners[0]], strict=True)]


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
