"""The test print: one page that shows what a printer does to size, margins, greys, colours, fine lines and small texts.

Everything to look at stands inside the quarter inch that most printers leave white; only the stairs of ticks go out to
the edges, where the first one missing tells the margin.
"""

from __future__ import annotations

from pnp.shapes.outline import Ring
from pnp.values.faces import Item, Label, Line, Page, Stroke
from pnp.values.game import Paper

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
        *_texts(197),
        *_edges(paper),
    ]
    return Page(paper, tuple(items), "front", "Test print")


def _rulers(paper: Paper) -> list[Item]:
    """One along each way of the paper, for printers stretch one of them alone."""
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
    return [*items, _frame(LEFT, y, 9 * len(GREYS), 9)]


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


def _texts(y: float) -> list[Item]:
    items: list[Item] = [Label(LEFT, y - 3, "Texts: pnp check allows 6 pt for a name, and 8 pt for what is read.", 8)]
    for index, size in enumerate(SIZES):
        at = y + 2 + 5 * index
        items += [Label(LEFT, at, f"{size:g} pt", 7), Label(LEFT + 17, at, SENTENCE, size)]
    below = y + 7 + 5 * len(SIZES)
    return [*items, Label(LEFT, below, "Edges: the smallest number whose tick you see is the printer's margin in mm.", 8)]


def _edges(paper: Paper) -> list[Item]:
    """On each side a stair of ticks along the edge, each a millimetre further in, its number where any printer prints."""
    items: list[Item] = []
    for step in range(DEEPEST + 1):
        along = (step - DEEPEST / 2) * STAIR
        for side in ("top", "bottom", "left", "right"):
            level = side in ("top", "bottom")
            middle, far = (paper.width / 2, paper.height) if level else (paper.height / 2, paper.width)
            start, end = middle + along - 2, middle + along + 2
            inwards = 1 if side in ("top", "left") else -1
            edge = 0.0 if inwards > 0 else far
            tick, number = edge + inwards * step, edge + inwards * (DEEPEST + 3)
            if level:
                items.append(Line(start, tick, end, tick, 0.2))
                items.append(Label(middle + along, number + 0.8, str(step), 6, anchor="middle"))
            else:
                items.append(Line(tick, start, tick, end, 0.2))
                items.append(Label(number, middle + along + 0.8, str(step), 6, anchor="middle"))
    return items


def _ring(x: float, y: float, width: float, height: float) -> Ring:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def _patch(x: float, y: float, width: float, height: float, fill: float | tuple[float, float, float]) -> Stroke:
    return Stroke(_ring(x, y, width, height), 0, fill=fill)


def _frame(x: float, y: float, width: float, height: float) -> Stroke:
    """A thin line around, so that white paper shows as a step too."""
    return Stroke(_ring(x, y, width, height), 0.1)
