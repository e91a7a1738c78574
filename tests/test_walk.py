"""What hangs together is found, by the fewest steps; held against a search that relaxes every link again and again."""

from __future__ import annotations

from itertools import islice

from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.values.walk import groups, walk

LINKS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20)
Links = list[tuple[int, int]]


def relaxed(start: int, links: Links) -> dict[int, int]:
    """Steps to each thing, made shorter along the links until none helps."""
    steps = {start: 0}
    for _ in range(9):
        for here, there in links:
            if here in steps:
                steps[there] = min(steps[here] + 1, steps.get(there, 99))
    return steps


@settings(max_examples=examples(100))
@given(LINKS)
def test_a_walk_takes_the_fewest_steps(links: Links) -> None:
    found = dict(walk([0], lambda here: [there for other, there in links if other == here]))

    assert found == relaxed(0, links)
    assert list(found.values()) == sorted(found.values()), "nearest first"


@settings(max_examples=examples(100))
@given(LINKS, st.sets(st.integers(0, 7)))
def test_groups_are_those_that_reach_each_other(links: Links, things: set[int]) -> None:
    both = [(one, other) for one, other in links + [(b, a) for a, b in links] if {one, other} <= things]

    found = groups(things, lambda here: [there for one, there in links + [(b, a) for a, b in links] if one == here])

    assert sorted(each for group in found for each in group) == sorted(things)
    assert all(group == set(relaxed(min(group), both)) for group in found)
    assert [min(group) for group in found] == sorted(min(group) for group in found)


def test_nobody_is_asked_before_somebody_walks_there() -> None:
    """A walk through all numbers has no end, and none is needed."""
    assert list(islice(walk([0], lambda here: [here + 1]), 3)) == [(0, 0), (1, 1), (2, 2)]
