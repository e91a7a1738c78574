"""Arrows of scenes: ways from place to place, and turns within a field."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pnp.books.grounds import Cell, Ground
from pnp.books.scenewords import Wrong
from pnp.books.spread import bow
from pnp.values.problems import closest, listed
from pnp.values.scenes import Arrow

ARROWS = ("dashed", "curved", "numbered", "jump", "turn")
# How far from the middle of a field the arrow of a turn runs, as a share of the field: around what stands there.
TURN = 0.62


def arrow(ground: Ground, typed: Sequence[str], places: Sequence[tuple[Cell, ...]], how: str) -> tuple[Arrow, list[Cell]]:
    """An arrow along places, which are named as they are typed, and the cells that it names. Raises Wrong."""
    words = set(how.split())
    if unknown := sorted(words - set(ARROWS)):
        message, hint = f'an arrow is not "{unknown[0]}"', closest(unknown[0], ARROWS)
        hint = "It is solid without a word." if unknown[0] == "solid" else hint
        raise Wrong("bad-scene", message, unknown[0], listed(ARROWS), hint)
    if "turn" in words and (clash := min(words - {"turn", "dashed"}, default="")):
        raise Wrong("bad-scene", f"an arrow is not both turn and {clash}", how, hint=f"Leave out turn or {clash}.")
    if len(places) < 2:
        raise Wrong("bad-scene", "an arrow leads from one place to another", typed[0], hint="Write C4 → C5 → D5.")
    if "turn" in words:
        return _turn(ground, typed, places, "dashed" in words)
    path: list[Cell] = []
    for place in places:
        # Of a place of several fields the one beside the step before it, at the start beside the step after it.
        beside = path[-1] if path else ground.central(places[1])
        path.append(ground.nearest(place, None if beside in place else ground.middle(beside)))
    if "jump" not in words:
        for index, (one, two) in enumerate(pairwise(path)):
            if not ground.near(one, two):
                message = f"{typed[index]} and {typed[index + 1]} are no neighbours"
                hint = "Name the fields between, or write jump behind it."
                raise Wrong("far-step", message, f"{typed[index]} → {typed[index + 1]}", hint=hint)
    # It begins where a piece stands that is said to be at this place.
    path[0] = ground.central(places[0])
    middles = ground.spot(places[0]), *(ground.middle(cell) for cell in path[1:])
    return Arrow(middles, "dashed" in words, "curved" in words, "numbered" in words), path


def _turn(
    ground: Ground, typed: Sequence[str], places: Sequence[tuple[Cell, ...]], dashed: bool
) -> tuple[Arrow, list[Cell]]:
    """A bow within a field, from the way to one neighbour to the way to another."""
    cells = [ground.central(place) for place in places]
    if len(cells) != 3 or cells[0] in cells[1:] or cells[1] == cells[2]:
        hint = "Write C4 → C5 → B4: in C4, from towards C5 to towards B4."
        raise Wrong("bad-scene", "a turn is within one field, from towards a second to towards a third", typed[0], hint=hint)
    middle, one, two = (ground.middle(cell) for cell in cells)
    return Arrow(bow(middle, one, two, TURN * ground.size), dashed, over=True), cells[:1]
