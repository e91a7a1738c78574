"""Finds add-ons through entry points: what other folders and other people's packages add to pnp.

A package names what it adds in its ``pyproject.toml``, in one of four groups:

- ``pnp.commands``: a click command, called ``pnp NAME``;
- ``pnp.imports``: an :class:`~pnp.imports.deck.Importer`, taken by ``pnp import``;
- ``pnp.exports``: a :class:`~pnp.exports.target.Target`, taken by ``pnp export``;
- ``pnp.verifiers``: a function that ``pnp verify`` asks about a file before it takes it for sheets.

``docs/how-it-works/add-ons.md`` shows a whole one. An entry point that names extras (``… = "module:name [studio]"``) needs
them; who lacks them is told what to install.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from pnp.values.problems import Fault

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def names(group: str) -> tuple[str, ...]:
    """The names in a group, in alphabetical order, without loading any."""
    return tuple(sorted(_found(group)))


def load(group: str, name: str) -> Any:
    """Loads an add-on by name. Raises Fault, KeyError where nobody adds it."""
    point = _found(group)[name]
    owner = point.dist.name if point.dist else point.module
    try:
        return point.load()
    except ModuleNotFoundError:
        wanted = f"{owner}[{','.join(point.extras)}]" if point.extras else owner
        raise Fault(f"\"{name}\" is an add-on that is not installed. Type: pip install '{wanted}'") from None
    except Exception as error:
        raise Fault(f'the add-on "{name}" of {owner} cannot be loaded: {type(error).__name__}: {error}') from error


def load_all(group: str) -> dict[str, Any]:
    """All add-ons of a group that can be loaded, by name."""
    loaded = {}
    for name in names(group):
        with suppress(Fault):
            loaded[name] = load(group, name)
    return loaded


@cache
def _found(group: str) -> dict[str, EntryPoint]:
    """The entry points of a group; of two of one name pnp's own counts."""
    from importlib.metadata import entry_points

    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=group):
        if point.name not in found or point.module.startswith("pnp."):
            found[point.name] = point
    return found
