"""Spaces around an edge or at places of their own: on the board, none on another, each with room for its marker."""

from __future__ import annotations

from itertools import pairwise

import pytest
from conftest import TinyProject, examples, pipeline
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shapely import box, unary_union
from test_folded import LIKE, components, faults

from pnp.draw.kinds import tracker_values
from pnp.values.game import TRACKER_INSET

COINS = f'[component.coins]\nkind = "token"\nsize = "8mm"\ncopies = 4\n{LIKE}'


def score(number: int) -> str:
    return "track,value\n" + "".join(f"score,{value}\n" for value in range(number))


def board(kind: str, width: int, height: int, more: str) -> str:
    return f'[component.score]\nkind = "{kind}"\nsize = "{width}mm x {height}mm"\nspaces = "score"\n{more}\n{LIKE}'


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["tracker", "board"]), st.integers(8, 120), st.integers(60, 400), st.integers(60, 400))
def test_a_track_goes_once_around(tiny: TinyProject, kind: str, number: int, width: int, height: int) -> None:
    """From the top left clockwise, each space beside the next, all along the edge; of an odd number one place is free."""
    made = components(tiny, board(kind, width, height, "around = true"), score=score(number))["score"]
    assert made.tracker is not None and made.tracker.inside is not None
    (places,) = made.tracker.places.values()
    cells = [box(place.x, place.y, place.right, place.bottom) for place in places]
    frame = box(TRACKER_INSET, TRACKER_INSET, width - TRACKER_INSET, height - TRACKER_INSET)
    inner = made.tracker.inside
    hollow = frame.difference(box(inner.x, inner.y, inner.right, inner.bottom))

    assert len(cells) == number
    assert (places[0].x, places[0].y) == pytest.approx((TRACKER_INSET, TRACKER_INSET))
    assert places[1].x > places[0].x
    for one, two in pairwise(cells):
        assert one.buffer(1e-6).intersects(two) and one.intersection(two).area < 1e-6
    whole = unary_union([cell.buffer(1e-7) for cell in cells])
    free = hollow.difference(whole).area
    assert free == pytest.approx(cells[0].area * (number % 2), abs=0.01)
    assert whole.difference(hollow.buffer(1e-6)).area < 1e-6


def test_the_template_sees_where_each_space_is(tiny: TinyProject) -> None:
    """Middle and size, with its row, and what is left inside; of places of their own nothing is inside."""
    toml = COINS + board("tracker", 100, 80, 'marker = "coins"')
    made = components(tiny, toml, score="track,value,x,y,width,height\nt,0,20,30,,\nt,1,60,50.5,30,20\n")["score"]
    seen = tracker_values(made, made.table.rows[0], "front")["tracker"]
    (track,) = seen["tracks"]

    assert [(each["x"], each["y"], each["width"], each["height"]) for each in track["spaces"]] == [
        (20, 30, 9, 9),
        (60, 50.5, 30, 20),
    ]
    assert [each["row"]["value"] for each in track["spaces"]] == ["0", "1"]
    assert seen["inside"] is None


@pytest.mark.parametrize(
    ("more", "table", "rule"),
    [
        ("around = true", score(7), "bad-value"),
        ("around = true", "track,value\n" + "a,1\n" * 5 + "b,1\n" * 5, "bad-value"),
        ("around = true", "track,value,x,y\na,1,10,10\n", "bad-value"),
        ('around = true\nmarker = "coins"', score(100), "small-spaces"),
        ('marker = "coins"', "track,value,x,y\na,1,10,10\na,2,18,10\n", "small-spaces"),
        ("", "track,value,x,y\na,1,10,\n", "bad-number"),
    ],
)
def test_what_does_not_go_on_the_board_is_told(tiny: TinyProject, more: str, table: str, rule: str) -> None:
    """Too few to go around, two ways at once, no room for the marker, off the board, on one another, no place at all."""
    found = faults(tiny, COINS + board("tracker", 100, 80, more), score=table)

    assert [name for name, _ in found] == [rule]


def test_a_board_larger_than_a_page_may_have_its_score_track(tiny: TinyProject) -> None:
    """A tracker is one sheet; a board with spaces is parted as any board."""
    tiny.put(
        game_toml=f'[game]\nname = "Tiny"\n{board("board", 400, 300, "around = true")}',
        score_csv=score(101),
        cards_svg_j2='{% extends "shared/face.svg.j2" %}{% block face %}{% for p in tracker.tracks[0].spaces %}'
        '<circle cx="{{ p.x }}" cy="{{ p.y }}" r="2"/>{{ p.row.value|length and "" }}{% endfor %}{% endblock %}',
    )
    made = pipeline(tiny.project)

    assert not made.problems.errors and all(len(sheets) == 5 for sheets in made.laid.values())
