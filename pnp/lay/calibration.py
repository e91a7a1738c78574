"""The duplex test: two pages whose scales show, held to the light, how far backs are off.

Each scale is a vernier: the front's ticks stand PITCH apart, the back's PITCH + STEP, and the middle
ticks belong together. Where a back's tick meets a front's exactly, the front's number is the shift, to a
quarter of a millimetre; it is printed as the number to type into ``pnp calibrate --set``.
"""

from __future__ import annotations

from pnp.lay.backs import correction
from pnp.shapes.affine import Affine, Calibration, Rect, mirror_x
from pnp.shapes.units import show
from pnp.values.faces import Label, Line, Page
from pnp.values.game import Paper

STEP = 0.25
REACH = 12
# More than twice the reach in mm, so that no other two ticks can meet and be misread.
PITCH = 6.5
INSET = 22.0
TICK = 5.0


def duplex_test(paper: Paper, calibration: Calibration) -> list[Page]:
    """Front and back; the back as this printer's calibration would print it, so that a second test shows zeros."""
    return [_front(paper), _back(paper, calibration)]


def _front(paper: Paper) -> Page:
    items: list[Line | Label] = []
    middle_x, middle_y = paper.width / 2, paper.height / 2
    for y, out in ((INSET + 24, -1), (paper.height - INSET, 1)):
        for step in range(-REACH, REACH + 1):
            x = middle_x + step * PITCH
            items.append(Line(x, y, x, y + out * TICK, 0.2))
            if step % 2 == 0:
                # The n-th back tick is drawn n · STEP further right; to meet its front tick it was printed
                # that much too far to the right on the back, which the light shows mirrored.
                items.append(Label(x, y + out * (TICK + (2.6 if out > 0 else 1)), _number(-step * STEP), 6, anchor="middle"))
    for x, out in ((INSET, -1), (paper.width - INSET, 1)):
        for step in range(-REACH, REACH + 1):
            y = middle_y + step * PITCH
            items.append(Line(x, y, x + out * TICK, y, 0.2))
            if step % 2 == 0:
                # Up and down are the same on both sides: a back that came too high meets below the middle.
                items.append(
                    Label(x + out * (TICK + 1), y + 0.7, _number(step * STEP), 6, anchor="start" if out > 0 else "end")
                )
    items += _cross(middle_x, middle_y, 6)
    items += _outline(Rect(middle_x - 31.5, middle_y - 44, 63, 88))
    items += _texts(paper)
    return Page(paper, tuple(items), "front", "Duplex test")


def _back(paper: Paper, calibration: Calibration) -> Page:
    turn = correction(calibration, paper) @ mirror_x(paper.width / 2)
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


def _texts(paper: Paper) -> list[Line | Label]:
    x, middle = INSET, paper.width / 2
    span = show(paper.width - 2 * INSET)
    texts = [
        "Print this page and the next on one sheet: both sides, flip on long edge, 100 %.",
        "Hold it to the light, this side towards you. On each scale, find where two ticks make one line.",
        "dx: the number at the top and bottom scale (take the middle of the two). dy: left and right likewise.",
        f"angle: (left dy - right dy) × 57.3 / {span}, if the two differ by more than 0.25, else 0.",
        'Then: pnp calibrate --set dx,dy,angle --printer "my printer", and build with --printer "my printer".',
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
