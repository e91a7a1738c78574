"""The spaces of a tracker: equal slots in rows, a track around the edge, or each where its row says; each with room."""

from __future__ import annotations

import math

from pnp.read.tomlfile import Lines
from pnp.shapes import units
from pnp.shapes.affine import Rect
from pnp.shapes.outline import ellipse
from pnp.values.game import TRACKER_INSET, Component, Tracker
from pnp.values.problems import Problems
from pnp.values.tables import Row, Table

# With fewer there is nothing to go around.
LEAST_AROUND = 8
MOST_PLACED = 1000
# How large a space is that says nothing of it, and on which nothing lies, in mm.
USUAL = 10.0
_EPSILON = 1e-6


def read_tracker(
    component: Component, table: Table, marker: Component | None, around: bool, lines: Lines, problems: Problems
) -> Tracker | None:
    """The spaces of a component; None, with the reasons, when they do not go on it."""
    before = len(problems.errors)
    table.used.update(table.columns)
    tracks: dict[str, tuple[Row, ...]] = {}
    for row in table:
        tracks[row.text_of("track")] = (*tracks.get(row.text_of("track"), ()), row)
    if not tracks:
        if table.whole:
            what = f'no row of the table "{table.name}" is a space of "{component.name}"'
            hint = "A row is a space: add one below the column names."
            problems.error("no-rows", table.place(), what, hint=hint)
        return None
    size = (marker.width, marker.height) if marker else None
    own = [column for column in ("x", "y") if column in table.columns]
    if around and own:
        problems.error(
            "bad-value",
            lines.place("component", component.name, "around"),
            f"the spaces run around the edge, and the columns {' and '.join(own)} of {table.file} say where each is",
            hint="Take around away, or these columns.",
        )
        return None
    if around:
        tracker = _around(component, tracks, size, lines, problems)
    elif own:
        tracker = _at_own_places(component, tracks, marker, problems)
    else:
        tracker = Tracker(tracks, size)
    if tracker is None or len(problems.errors) > before:
        return None
    _check_room(component, tracker, marker, lines, problems)
    return tracker


def _around(
    component: Component,
    tracks: dict[str, tuple[Row, ...]],
    marker: tuple[float, float] | None,
    lines: Lines,
    problems: Problems,
) -> Tracker | None:
    """Equal cells along the four edges, as nearly square as they come; of an odd number one place at the end is free."""
    (name, rows), *others = tracks.items()
    if others or len(rows) < LEAST_AROUND:
        what = f"{len(tracks)} tracks" if others else f"{len(rows)} spaces"
        problems.error(
            "bad-value",
            lines.place("component", component.name, "around"),
            f'"{component.name}" has {what} to go around its edge',
            allowed=f"one track of {LEAST_AROUND} spaces or more",
            hint="Give each track a tracker of its own, or columns x and y.",
        )
        return None
    wide, high = component.width - 2 * TRACKER_INSET, component.height - 2 * TRACKER_INSET
    if min(wide, high) <= 0:
        return Tracker(tracks, marker)
    both = (len(rows) + 5) // 2
    across = min(range(2, both - 1), key=lambda number: abs(math.log((wide / number) / (high / (both - number)))))
    down = both - across
    cell, row = wide / across, high / down
    steps = [(x, 0) for x in range(across)] + [(across - 1, y) for y in range(1, down)]
    steps += [(x, down - 1) for x in range(across - 2, -1, -1)] + [(0, y) for y in range(down - 2, 0, -1)]
    places = tuple(Rect(TRACKER_INSET + x * cell, TRACKER_INSET + y * row, cell, row) for x, y in steps[: len(rows)])
    inside = Rect(TRACKER_INSET + cell, TRACKER_INSET + row, wide - 2 * cell, high - 2 * row)
    return Tracker(tracks, marker, {name: places}, inside)


def _at_own_places(
    component: Component, tracks: dict[str, tuple[Row, ...]], marker: Component | None, problems: Problems
) -> Tracker | None:
    """Each around its ``x`` and ``y``, in mm from the top left; columns ``width`` and ``height`` say how large."""
    usual = (marker.width + 1, marker.height + 1) if marker else (USUAL, USUAL)
    places: dict[str, tuple[Rect, ...]] = {}
    laid: list[tuple[Rect, Row]] = []
    for name, rows in tracks.items():
        for row in rows:
            middle = [_number(row, column, 0.0, problems) for column in ("x", "y")]
            size = [
                _number(row, column, 1.0, problems) if row.said(column) else side
                for column, side in zip(("width", "height"), usual, strict=True)
            ]
            if None not in (*middle, *size):
                (x, y), (width, height) = ([side or 0.0 for side in pair] for pair in (middle, size))
                laid.append((Rect(x - width / 2, y - height / 2, width, height), row))
                places[name] = (*places.get(name, ()), laid[-1][0])
    if len(laid) > MOST_PLACED:
        problems.error("bad-value", component.place, f"{len(laid)} spaces have places", allowed=f"{MOST_PLACED}")
    elif len(laid) == sum(map(len, tracks.values())):
        _check_places(component, laid, marker, problems)
        return Tracker(tracks, (marker.width, marker.height) if marker else None, places)
    return None


def _number(row: Row, column: str, least: float, problems: Problems) -> float | None:
    """A length in mm as a cell says it."""
    said = row.said(column)
    try:
        value = float(said)
    except ValueError:
        value = math.nan
    if least <= value <= 1500:
        return value
    problems.error(
        "bad-number",
        row.place_of(column),
        f'"{said}" is not a length in mm' if said else f"the space has no {column}",
        value=said,
        allowed=f"a number from {least:g} to 1500",
    )
    return None


def _check_places(component: Component, laid: list[tuple[Rect, Row]], marker: Component | None, problems: Problems) -> None:
    """Every space is on the board, and none on another; those of round markers are round."""
    disc = marker is not None and marker.outline == ellipse(marker.width, marker.height)
    for place, row in laid:
        if place.x < -_EPSILON or place.y < -_EPSILON or _beyond(place, component):
            problems.error(
                "small-spaces",
                row.place_of("x"),
                f'the space "{row.said("value")}" is not wholly on "{component.name}", which is '
                f"{units.show(component.width)} × {units.show(component.height)} mm",
                value=f"{row.said('x')}, {row.said('y')}",
                hint="x and y are its middle, in mm from the top left.",
            )
    ordered = sorted(laid, key=lambda each: (each[0].x, each[0].y))
    for index, (place, row) in enumerate(ordered):
        for other, there in ordered[index + 1 :]:
            if other.x >= place.right - _EPSILON:
                break
            if _meet(place, other, disc):
                problems.error(
                    "small-spaces",
                    there.place_of("x"),
                    f'the space "{there.said("value")}" lies on "{row.said("value")}" of row {row.place.row}: '
                    f"each is {units.show(other.width)} × {units.show(other.height)} mm",
                    value=f"{there.said('x')}, {there.said('y')}",
                    hint="Move one of them, or give them a width and a height.",
                )
                break


def _meet(place: Rect, other: Rect, disc: bool) -> bool:
    wide, high = (place.width + other.width) / 2, (place.height + other.height) / 2
    across = abs(place.x + place.width / 2 - other.x - other.width / 2)
    down = abs(place.y + place.height / 2 - other.y - other.height / 2)
    if disc:
        return math.hypot(across / wide, down / high) < 1 - _EPSILON
    return across < wide - _EPSILON and down < high - _EPSILON


def _beyond(place: Rect, component: Component) -> bool:
    return place.right > component.width + _EPSILON or place.bottom > component.height + _EPSILON


def _check_room(component: Component, tracker: Tracker, marker: Component | None, lines: Lines, problems: Problems) -> None:
    """Each space has room for what lies on it, and a millimetre to spare."""
    width, height = tracker.marker or (0.0, 0.0)
    placed = [place for places in tracker.places.values() for place in places]
    across = min((place.width for place in placed), default=math.inf)
    down = min((place.height for place in placed), default=math.inf)
    if not placed:
        across = min(tracker.pitch(name, component.width) for name in tracker.tracks)
        down = component.height / len(tracker.tracks)
    if across < width + 1 - 1e-6 or down < height + 1 - 1e-6:
        needed = f'the marker "{marker.name}" needs' if marker else "it needs"
        problems.error(
            "small-spaces",
            lines.place("component", component.name, "size"),
            f'the smallest space of "{component.name}" is {units.show(max(across, 0))} × {units.show(down)} mm, and '
            f"{needed} {units.show(width + 1)} × {units.show(height + 1)} mm",
            hint="Make the tracker larger, or its marker smaller.",
        )
