"""Sizes of cards and papers by name, as data."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from pnp.shapes import units
from pnp.values.game import Paper
from pnp.values.problems import closest


@cache
def _entries(file: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads(resources.files(__package__).joinpath(file).read_text(encoding="utf-8"))


def _named(file: str) -> dict[str, tuple[float, float]]:
    return {name: (entry["width"], entry["height"]) for name, entry in _entries(file).items()}


def _either(text: str, file: str, what: str) -> tuple[float, float]:
    named = _named(file)
    name = text.strip().lower()
    if name in named:
        return named[name]
    if not name[:1].isdigit() or closest(name, named):
        hint = closest(name, named) or f"Known: {', '.join(named)}."
        raise ValueError(f'"{text}" is not the name of a {what}. {hint}')
    width, height = units.size(text)
    if not (5 <= width <= 1500 and 5 <= height <= 1500):
        raise ValueError(f'"{text}" is out of bounds: a {what} is from 5 mm to 1500 mm each way')
    return width, height


def card_size(text: str) -> tuple[float, float]:
    """Trim width and height in mm from a preset's name or a free size; ValueError tells what is wrong."""
    return _either(text, "sizes.toml", "size")


def paper(text: str) -> Paper:
    """A paper from its name or a free size; ValueError tells what is wrong."""
    width, height = _either(text, "papers.toml", "paper")
    name = text.strip().lower()
    entry = _entries("papers.toml").get(name)
    if entry is None:
        name, entry = f"{units.show(width)}x{units.show(height)}mm", {}
    return Paper(name, min(width, height), max(width, height), entry.get("half", ""))


def size_names() -> list[str]:
    return list(_named("sizes.toml"))


def paper_names() -> list[str]:
    return list(_named("papers.toml"))
