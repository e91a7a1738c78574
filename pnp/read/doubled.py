"""A value that stands twice in one list of game.toml or rules.toml: most likely another was meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from pnp.read.tomlfile import Lines
from pnp.values.problems import Problems

# What lies side by side may be alike: the panels of a screen, the faces of a die, the numbers in a phrase.
_REPEATED = ("panels", "faces", "counts")


def tell_doubled(data: Mapping[str, Any], lines: Lines, problems: Problems, path: tuple[str | int, ...] = ()) -> None:
    """Tell of every list of texts, below any section, in which one stands twice."""
    for key, value in data.items():
        here = (*path, key)
        if key in _REPEATED:
            continue
        if isinstance(value, dict):
            tell_doubled(value, lines, problems, here)
        for number, each in enumerate(value if isinstance(value, list) else ()):
            if isinstance(each, dict):
                tell_doubled(each, lines, problems, (*here, number))
        texts = [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
        for text, times in Counter(texts).items():
            if times > 1:
                problems.warn(
                    "double-value",
                    lines.place(*here),
                    f'"{text}" stands {"twice" if times == 2 else f"{times} times"} in this list',
                    value=text,
                    hint="Was another meant? Else take one away.",
                )
