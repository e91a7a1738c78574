"""Whether takes that share what they are taken from can all be served; decided by a flow, for any number of takes."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence


def too_many(needs: Sequence[int], sources: Sequence[Collection[int]], supply: Sequence[int]) -> list[int] | None:
    """Takes that together need more than their sources have, none of them needlessly; None when all can be served.

    ``needs``: what each take takes; ``sources``: from which sources; ``supply``: what each source has.
    By augmenting paths (Ford and Fulkerson); where none is left, the takes that were reached are those of Hall's theorem.
    """
    given: list[dict[int, int]] = [{} for _ in needs]
    left = list(supply)
    for take, need in enumerate(needs):
        missing = need
        while missing:
            served, reached = _served(take, missing, sources, given, left)
            if not served:
                return _least(sorted(reached), needs, sources, supply)
            missing -= served
    return None


def _served(
    take: int, missing: int, sources: Sequence[Collection[int]], given: list[dict[int, int]], left: list[int]
) -> tuple[int, set[int]]:
    """Give a take more, where others can take from elsewhere; how much came, and the takes that were looked at."""
    came: dict[int, tuple[int, int] | None] = {take: None}
    """How each take was come to: through which source, from which take."""
    via: dict[int, int] = {}
    queue = deque([take])
    while queue:
        here = queue.popleft()
        for source in sources[here]:
            if source in via:
                continue
            via[source] = here
            if left[source]:
                return _moved(source, missing, via, came, given, left), set(came)
            for other, taken in enumerate(given):
                if taken.get(source) and other not in came:
                    came[other] = (source, here)
                    queue.append(other)
    return 0, set(came)


def _moved(
    end: int,
    missing: int,
    via: dict[int, int],
    came: dict[int, tuple[int, int] | None],
    given: list[dict[int, int]],
    left: list[int],
) -> int:
    """Move as much along the way as it has room for."""
    path, source = [], end
    while True:
        take = via[source]
        path.append((take, source))
        step = came[take]
        if step is None:
            break
        source = step[0]
    # A take on the way gives up at its way in what it gets at its way out.
    amount = min(missing, left[end], *(given[take][came_by[0]] for take, _ in path if (came_by := came[take])))
    left[end] -= amount
    for take, out in path:
        given[take][out] = given[take].get(out, 0) + amount
        if step := came[take]:
            given[take][step[0]] -= amount
    return amount


def _least(takes: list[int], needs: Sequence[int], sources: Sequence[Collection[int]], supply: Sequence[int]) -> list[int]:
    """As few of these takes as still need too many."""

    def short(chosen: list[int]) -> bool:
        shared = set[int]().union(*(sources[take] for take in chosen))
        return sum(needs[take] for take in chosen) > sum(supply[source] for source in shared)

    for take in list(takes):
        fewer = [other for other in takes if other != take]
        if short(fewer):
            takes = fewer
    return takes
