"""Checks that pieces fit where ``[fit]`` says they belong.

Pieces lie in the middle, several side by side in rows, in a box in ``number`` stacks. A place with a dent in its
outline is an error.

``does-not-fit``: what ``[fit.NAME]`` puts ``in`` something has less than ``room`` or more than ``most`` to spare there;
or it is not as large as what it is ``like``. What counts: of a map the cell, or its fields of some ``kinds``; of a
tracker the smallest space, of a tile the hex, of a domino the half, of a box or bag the inside with all that shall be
in it, of other folded pieces the foot, else the face.
Why: sizes stand in different sections of game.toml, and one is changed without the other.
Example: ``what = "ice", in = "board", room = "1mm"``: ice blocks of 28 mm, a cell of 24 mm.
Mend: change one of the two sizes. Boxes made with ``holds`` and the markers of trackers fit without being named.

``domino-shape``: dominoes of a layout are not twice as long as they are wide.
Why: a layout counts in squares of half a domino.
Example: dominoes of 28 × 50 mm.
Mend: correct their ``size``.

Covers: the sizes in game.toml of each component that ``[fit]`` names; dominoes.
Not covered: what paper and folds add.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from pnp.check.tile_search import laid
from pnp.dataclass import dataclass
from pnp.shapes import grids, hexes, units
from pnp.shapes.nets.net import rectangle
from pnp.shapes.outline import Ring
from pnp.values.findings import Subject, reported
from pnp.values.game import BULK, Component
from pnp.values.problems import Problem
from pnp.values.sections import Fit

FITS, DOMINO = "does-not-fit", "domino-shape"
RULES = (FITS, DOMINO)

# Less than this is rounding, in mm.
_EXACT = 0.02
# A domino's length may be so many of its widths more or less than two.
_NEARLY = 0.05
# The panel of a net on which a folded piece stands, and how often it is there, side by side.
_FEET: Mapping[str, tuple[str, int]] = {
    "standee": ("base-front", 2),
    "pawn": ("bottom", 1),
    "prism": ("bottom", 1),
    "ship": ("bottom", 1),
    "die": ("face-1", 1),
}
# A ten-sided die is so many of its edges wide.
_TEN = 1.5


@dataclass(frozen=True, slots=True)
class _Place:
    """Where something lies: what it is called, how large it is in words, its outline, and how a piece may be turned."""

    name: str
    size: str
    ring: Ring
    turns: tuple[int, ...] = (0, 90)
    high: float = math.inf
    """How high the inside of a box is, for all that lies in it."""

    @property
    def called(self) -> str:
        return f"{self.name} ({self.size})" if self.size else self.name


@reported
def look(subject: Subject) -> Iterator[Problem]:
    """Compares the sizes that ``[fit]`` names, and those of dominoes."""
    components = {component.name: component for component in subject.game.components}
    for fit in subject.game.rules.fits:
        what = [components[name] for name in fit.what if name in components]
        if fit.like:
            yield from _like(fit, what, components[fit.like]) if fit.like in components else ()
        elif not isinstance(fit.within, str):
            size = _by(*fit.within)
            yield from _lie(fit, what, [_Place(f"a place of {size} mm", "", rectangle(0, 0, *fit.within))], None)
        elif within := components.get(fit.within):
            yield from _inside(fit, what, within)
    yield from _dominoes(subject)


def _by(width: float, height: float) -> str:
    return f"{units.show(width)} × {units.show(height)}"


def _foot(component: Component) -> tuple[float, float]:
    if component.kind == "die" and len(component.values) == 10:
        ring = component.nets[0].panels[0].ring
        edge = max(math.dist(one, other) for one, other in zip(ring, (*ring[1:], ring[0]), strict=True))
        return _TEN * edge, _TEN * edge
    name, times = _FEET.get(component.kind, ("", 1))
    for panel in component.nets[0].panels if component.nets else ():
        if panel.name == name:
            _, width, height = panel.frame()
            return round(width, 4), round(times * height, 4)
    return component.width, component.height


def _outline(component: Component) -> Ring:
    return component.outline or rectangle(0, 0, *_foot(component))


def _shown(component: Component) -> str:
    width, height = _foot(component)
    if component.outline is not None and width == height and len(component.outline) > 8:
        return f"{units.show(width)} mm wide and round"
    return f"{_by(width, height)} mm" + (" at its foot" if component.kind in _FEET and component.kind != "die" else "")


def _places(fit: Fit, within: Component) -> list[_Place]:
    title, board, tracker = f'"{within.title}"', within.board, within.tracker
    if board is not None and fit.kinds:
        found: dict[str, _Place] = {}
        for field in board.fields:
            if field.row.text("kind") in fit.kinds:
                box = grids.bounds(board.grid, field.cells, board.cell)
                size = _by(box.width, box.height)
                ring = rectangle(0, 0, box.width, box.height)
                found.setdefault(size, _Place(f'the field "{field.row}" of {title}', f"{size} mm", ring))
        return list(found.values())
    if within.hexes is not None or (board is not None and board.grid != "square"):
        side = within.hexes.size if within.hexes is not None else board.cell if board is not None else 0.0
        return [_Place(f"a hex of {title}", f"{units.show(side)} mm", hexes.corners((0, 0), side), (0, 30, 60, 90))]
    if board is not None:
        return [_Place(f"a square of {title}", f"{units.show(board.cell)} mm", rectangle(0, 0, board.cell, board.cell))]
    if tracker is not None:
        own = [(place.width, place.height) for places in tracker.places.values() for place in places]
        rows = [(tracker.pitch(track, within.width), within.height / len(tracker.tracks)) for track in tracker.tracks]
        return [
            _Place(f"a space of {title}", f"{_by(*size)} mm", rectangle(0, 0, *size)) for size in sorted(set(own or rows))
        ]
    if within.kind == "domino":
        half = min(within.width, within.height)
        return [_Place(f"a half of {title}", f"{units.show(half)} mm", rectangle(0, 0, half, half))]
    if within.kind == "box":
        width, height, depth = _room(within)
        ring = rectangle(0, 0, width, height)
        return [_Place(title, f"{_by(width, height)} × {units.show(depth)} mm", ring, high=depth)]
    return [_Place(title, _shown(within), _outline(within))]


def _room(box: Component) -> tuple[float, float, float]:
    panels = {panel.name: panel for panel in box.nets[0].panels}
    _, width, height = panels["front"].frame()
    _, across, down = panels["right" if box.kind == "box" else "bottom"].frame()
    return width, height, across if box.kind == "box" else down


def spare(piece: Ring, place: Ring, turns: Sequence[int]) -> float:
    """How much wider than a piece a place is at its narrowest, in mm, with the piece in its middle, turned as it fits best.

    Below 0: so much is missing. The place must be convex.
    """
    best = -math.inf
    inside = _centred(place)
    for turn in turns:
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        points = _centred(tuple((x * cos - y * sin, x * sin + y * cos) for x, y in piece))
        least = math.inf
        for (x0, y0), (x1, y1) in zip(inside, (*inside[1:], inside[0]), strict=True):
            long = math.hypot(x1 - x0, y1 - y0)
            if long < 1e-9:
                continue
            across, down = (y1 - y0) / long, (x0 - x1) / long
            reach = across * x0 + down * y0
            across, down, reach = (across, down, reach) if reach >= 0 else (-across, -down, -reach)
            least = min(least, reach - max(across * x + down * y for x, y in points))
        best = max(best, 2 * least)
    return best


def _centred(ring: Ring) -> Ring:
    xs, ys = zip(*ring, strict=True)
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return tuple((px - x, py - y) for px, py in ring)


def _left(fit: Fit, component: Component, place: _Place) -> float:
    """The room left in a place with as many pieces in it as are asked for, side by side in the best rows."""
    if fit.number == 1:
        return spare(_outline(component), place.ring, place.turns)
    wide, deep = _foot(component)
    blocks = [rectangle(0, 0, wide * across, deep * -(-fit.number // across)) for across in range(1, fit.number + 1)]
    return max(spare(block, place.ring, place.turns) for block in blocks)


def _lie(fit: Fit, what: Sequence[Component], places: Sequence[_Place], within: Component | None) -> Iterator[Problem]:
    dented = next((place for place in places if spare(place.ring, place.ring, (0,)) < -_EXACT), None)
    if dented is not None and what:
        message = f"{dented.called} has a dent in its outline, so that it cannot be told what fits"
        yield _problem(fit, within or what[0], message, "a shape without dents")
        return
    wrong = []
    for component in what if places else ():
        # Of several places the tightest counts, and for what is too much the widest of the fields that a rule picks: of a
        # tracker nobody can say for which of its spaces a piece is.
        lefts = [(_left(fit, component, place), number, place) for number, place in enumerate(places)]
        (tight, _, tightest), (wide, _, widest) = min(lefts), (max if fit.kinds else min)(lefts)
        if tight < fit.room - _EXACT:
            wrong.append((component, tightest, tight))
        elif fit.most is not None and wide > fit.most + _EXACT:
            wrong.append((component, widest, wide))
    # Where none of several fits, what they lie in has another size than it should.
    blamed = within if len(wrong) == len(what) > 1 else None
    for component, place, left in wrong:
        needs = f"{units.show(fit.room)} mm or more" if left < fit.room else f"at most {units.show(fit.most or 0)} mm"
        spared = f"{units.show(-left)} mm are missing" if left < 0 else f"{units.show(left)} mm are spare"
        times = f"{fit.number} × " if fit.number > 1 else ""
        yield _problem(
            fit,
            blamed or component,
            f'{times}"{component.title}" ({_shown(component)}) and {place.called} do not fit: {spared}',
            f"{needs} to spare",
        )


def _problem(fit: Fit, component: Component, message: str, allowed: str) -> Problem:
    hint = f"Change one of the two sizes, or [fit.{fit.name}]."
    return Problem(FITS, component.place, f"{message} (rules.toml row {fit.place.row})", component.name, allowed, hint)


def _inside(fit: Fit, what: Sequence[Component], within: Component) -> Iterator[Problem]:
    places = _places(fit, within)
    if within.kind == "box":
        yield from _lie(fit, what, places, within)
        high, room = sum(_stacked(component, fit.number) for component in what), places[0].high - fit.room
        if high > room + _EXACT:
            names = " and ".join(f'"{component.title}"' for component in what)
            stacked = f"{names} are {units.show(high)} mm high in all, {within.title} has {units.show(room)} mm for them"
            yield _problem(fit, within, stacked, f"{units.show(high)} mm or more")
    elif within.kind == "pouch":
        yield from _bagged(fit, what, within)
    else:
        yield from _lie(fit, what, places, within)


def _stacked(component: Component, stacks: int) -> float:
    high = -(-component.copies // stacks)
    if component.kind in _FEET:
        return high * _body(component)[1]
    return high * component.thickness / component.copies if component.copies else 0.0


def _bagged(fit: Fit, what: Sequence[Component], bag: Component) -> Iterator[Problem]:
    """Pieces that do not go through the opening of a bag, or are more than it holds. Nobody packs them side by side."""
    width, height, depth = _room(bag)
    size = f"{_by(width, height)} × {units.show(depth)} mm"
    for component in what:
        small, middle, long = sorted(_body(component))
        mouth = sorted((width, depth))
        if small > mouth[0] - fit.room + _EXACT or middle > mouth[1] - fit.room + _EXACT or long > height + _EXACT:
            body = " × ".join(units.show(side) for side in _body(component))
            yield _problem(fit, component, f'"{component.title}" ({body} mm) do not go into "{bag.title}" ({size})', "less")
    needed = sum(math.prod(_body(component)) * component.copies for component in what) / 1e6
    there = width * height * depth / 1e6
    if needed > there:
        names = " and ".join(f'"{component.title}"' for component in what)
        yield _problem(
            fit, bag, f'{names} are {needed:.2f} litres, "{bag.title}" ({size}) holds {there:.2f}', f"{needed:.2f} litres"
        )


def _body(component: Component) -> tuple[float, float, float]:
    width, depth = _foot(component)
    if component.kind == "die":
        return width, depth, width
    for panel in component.nets[0].panels if component.kind in _FEET and component.nets else ():
        if panel.name in ("front", "hull"):
            return width, panel.frame()[2], depth
    return width, depth, component.weight * BULK


def _measures(component: Component) -> tuple[float, ...]:
    if component.board is not None:
        return (component.board.cell,)
    if component.hexes is not None:
        return (component.hexes.size,)
    if component.kind in _FEET:
        return _body(component)
    if component.kind in ("box", "pouch"):
        return _room(component)
    if component.kind == "token":
        return (min(component.width, component.height),)  # from side to side, whatever its shape
    return component.width, component.height


def _like(fit: Fit, what: Sequence[Component], model: Component) -> Iterator[Problem]:
    wanted, most = _measures(model), fit.most or 0.0
    wrong = []
    for component in what:
        has = _measures(component)
        if len(has) != len(wanted) or max(abs(one - other) for one, other in zip(has, wanted, strict=True)) > most + _EXACT:
            wrong.append((component, has))
    blamed = model if len(wrong) == len(what) > 1 else None
    for component, has in wrong:
        sizes = [" × ".join(map(units.show, sides)) for sides in (has, wanted)]
        message = f'"{component.title}" is {sizes[0]} mm, and "{model.title}", which it should be like, {sizes[1]} mm'
        within = f", {units.show(most)} mm more or less" if most else ""
        yield _problem(fit, blamed or component, message, f"{sizes[1]} mm{within}")


def _dominoes(subject: Subject) -> Iterator[Problem]:
    for layout, component in laid(subject.game):
        short, long = sorted((component.width, component.height))
        if component.kind == "domino" and abs(long - 2 * short) > _NEARLY * short:
            message = (
                f'"{component.title}" is {_by(component.width, component.height)} mm: in "{layout.title}" a domino covers '
                "two squares"
            )
            allowed = f"{_by(short, 2 * short)} mm, or any other size twice as long as wide"
            place = component.place
            yield Problem(DOMINO, place, message, _by(component.width, component.height), allowed, "Correct its size.")
