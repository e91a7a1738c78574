"""``pnp verify`` for what ``pnp export`` wrote: the pieces in a file against those of the tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pnp.flows.exports.kit import setups_of
from pnp.flows.exports.registry import TARGETS
from pnp.flows.exports.target import Held, Target
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.values.game import Component, Game
from pnp.values.kit import FORMS
from pnp.values.outcome import Result
from pnp.values.problems import About, Place, Problem, Problems
from pnp.write.printed import NotPrinted

ANEW = "Export it anew, as the game is now."


def verify_export(project: Project, path: Path, data: bytes, name: str | None) -> Result | None:
    """Differences between an exported file and the game's tables; None where no export writes such files.

    Raises NoSuchGame, NotPrinted.
    """
    found = _held(path.name, data)
    if found is None:
        return None
    target, held = found
    name = name or held.game
    if not name:
        raise NotPrinted(f"{path.name} does not say which game it is of. Say --game NAME")
    problems = Problems()
    game = read_game(project, name, problems)
    if game is not None and not problems.errors:
        place = Place(project.shown(path) if path.is_relative_to(project.root) else path.name)
        problems.extend(_differences(game, target, held, place))
    return Result(name, problems, [path])


def _held(name: str, data: bytes) -> tuple[Target, Held] | None:
    """What a file holds, and the target that it is for: the first that knows it."""
    for target in TARGETS.values():
        for end, read in target.held.items():
            if name.endswith(end) and (held := read(data)) is not None:
                return target, held
    return None


def _differences(game: Game, target: Target, held: Held, place: Place) -> Iterator[Problem]:
    components = {component.name: component for component in game.components}
    there = {piece.partition("/")[0] for piece in held.whole}
    for name in sorted(there - set(components)):
        yield Problem(
            "printed-count", place, f'"{name}" is in the file, and is no component of {game.title}', name, hint=ANEW
        )
    for component in game.components:
        # Of two forms of the same pieces one is enough on a table.
        another = component.instead in there
        if component.name in there or (FORMS[component.kind] in target.forms and not held.some and not another):
            yield from _miscounted(component, held, place)
    yield from _set_ups(game, target, held, place)


def _miscounted(component: Component, held: Held, place: Place) -> Iterator[Problem]:
    wanted = {row.id: row.copies for row in component.table}
    got = {name.partition("/")[2]: number for name, number in held.whole.items() if name.partition("/")[0] == component.name}
    for id in got if held.share else dict.fromkeys([*wanted, *got]):
        there, needed = got.get(id, 0), wanted.get(id, 0)
        if there != needed:
            message = f"{component.title}: {id} is in the file {there} ×, {needed} × in {component.table.file}"
            about = About(component.name, id)
            yield Problem("printed-count", place, message, str(there), str(needed), ANEW, about=about)


def _set_ups(game: Game, target: Target, held: Held, place: Place) -> Iterator[Problem]:
    """Each bunch for so many players has all that the set-up takes for them, or more to draw it from."""
    kinds = {component.name: FORMS[component.kind] for component in game.components}
    instead = {component.name: component.instead for component in game.components}
    there = {piece.partition("/")[0] for piece in held.whole}
    for setup in setups_of(game) if held.besides else ():
        bunch = f"{setup.players} players"
        if bunch not in held.besides:
            message = f"there is no set-up for {bunch} in the file"
            yield Problem("printed-count", place, message, bunch, hint=ANEW)
            continue
        for take in setup.takes:
            if kinds[take.part] not in target.forms or (take.part not in there and instead[take.part] in there):
                continue
            number = sum(held.besides[bunch][f"{take.part}/{id}"] for id in take.things)
            if number < take.number:
                message = f"{bunch}: the set-up takes {take.number} × {take.what}, and {number} are in the file"
                yield Problem("printed-count", place, message, str(number), f"at least {take.number}", ANEW)
