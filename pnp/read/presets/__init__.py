"""Lists sizes of cards and papers by name, and shops' products."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from pnp.shapes import units
from pnp.values.game import Paper
from pnp.values.problems import closest


@cache
def entries(file: str) -> dict[str, Any]:
    """The entries of a file in this folder."""
    return tomllib.loads(resources.files(__package__).joinpath(file).read_text(encoding="utf-8"))


def _named(file: str) -> dict[str, tuple[float, float]]:
    return {name: (entry["width"], entry["height"]) for name, entry in entries(file).items()}


def _name(text: str) -> str:
    """A name as the lists have it: "4x6 in" is 4x6in, "Half letter" half-letter."""
    name = "-".join(text.lower().split())
    return name.replace("-", "").replace("×", "x") if name[:1].isdigit() else name


def _either(text: str, file: str, what: str, *more: str) -> tuple[float, float]:
    named = _named(file)
    name = _name(text)
    for each in (file, *more):
        if found := _named(each).get(name):
            return found
    try:
        width, height = units.size(text)
    except ValueError:
        if name[:1].isdigit() and not closest(name, named):
            raise
        within = next((f'Did you mean "{word}"?' for word in name.split("-") if word in named), "")
        hint = closest(name, named) or within or f"Known: {', '.join(named)}."
        raise ValueError(f'"{text}" is not the name of a {what}. {hint}') from None
    if not (5 <= width <= 1500 and 5 <= height <= 1500):
        raise ValueError(f'"{text}" is out of bounds: a {what} is from 5 mm to 1500 mm each way')
    return width, height


# Boards of several pages.
_SHEETS = {"a2": (420.0, 594.0), "a1": (594.0, 841.0)}


def card_size(text: str) -> tuple[float, float]:
    """Trim width and height in mm from a preset's or paper's name, or a free size. Raises ValueError."""
    if sheet := _SHEETS.get(_name(text)):
        return sheet
    return _either(text, "sizes.toml", "size", "papers.toml")


def paper(text: str) -> Paper:
    """A paper from its name or a free size. Raises ValueError."""
    width, height = _either(text, "papers.toml", "paper")
    name = _name(text)
    if (entry := entries("papers.toml").get(name)) is None:
        name, entry = f"{units.show(width)}x{units.show(height)}mm", {}
    return Paper(name, min(width, height), max(width, height), entry.get("half", ""))


def size_names() -> list[str]:
    return list(_named("sizes.toml"))


def paper_names() -> list[str]:
    return list(_named("papers.toml"))
