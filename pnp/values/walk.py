"""Walks graphs: boards, layouts, rows that refer to rows, drawings that use drawings; groups what has one key.

It stays ours beside networkx 3.6: on the boards of the games here that takes 6 to 13 times as long for a walk, graphs have
to be built for it first, and to load it takes 90 ms of a check of two seconds; all it would replace is two functions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")
Key = TypeVar("Key")


def walk(start: Iterable[T], near: Callable[[T], Iterable[T]]) -> Iterator[tuple[T, int]]:
    """All that can be reached, nearest first, with the number of steps; calls ``near`` only as far as the caller
    iterates.
    """
    steps = dict.fromkeys(start, 0)
    waiting = deque(steps)
    while waiting:
        here = waiting.popleft()
        yield here, steps[here]
        for there in near(here):
            if there not in steps:
                steps[there] = steps[here] + 1
                waiting.append(there)


def groups(things: Iterable[Any], near: Callable[[Any], Iterable[Any]]) -> list[set[Any]]:
    """Connected sets of things, smallest things first; ignores neighbours that are not among ``things``."""
    whole, found, met = set(things), [], set[Any]()
    for thing in sorted(whole):
        if thing not in met:
            found.append({each for each, _ in walk([thing], lambda here: whole.intersection(near(here)))})
            met |= found[-1]
    return found


def grouped(pairs: Iterable[tuple[Key, T]]) -> dict[Key, list[T]]:
    """The values of each key, in the order in which they come."""
    found: dict[Key, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found
