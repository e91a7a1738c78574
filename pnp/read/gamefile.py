"""``game.toml`` → :class:`pnp.read.schema.GameFile`, each fault a Problem at its line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pnp.read.devices import is_device
from pnp.read.schema import SPECIAL_KEYS, ComponentRules, GameFile, kind_keys
from pnp.read.tomlfile import Lines, Model, load_toml, report_fault
from pnp.values.problems import Place, Problems, listed

# Of a component those keys are suggested that every kind has, and a card's.
MODEL = Model(GameFile, lambda model: set(SPECIAL_KEYS) - {"size"} if model is ComponentRules else set())


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed game.toml. When it is not ``sound``, ``rules`` is what is left without the faulty parts:
    enough to look at the tables, so that their faults are told in the same go."""

    rules: GameFile
    lines: Lines
    sound: bool


def read_game_file(path: Path, shown: str, problems: Problems) -> Parsed | None:
    """The parsed file and the places of its keys; None, with the reasons, when nothing of it can be used."""
    loaded = load_toml(path, shown, "A game is a folder with a game.toml.", problems)
    if loaded is None:
        return None
    data, lines = loaded
    before = len(problems.errors)
    faults: list[ErrorDetails] = []
    rules: GameFile | None = None
    try:
        rules = GameFile.model_validate(data)
    except ValidationError as error:
        faults = error.errors()
    for fault in faults:
        report_fault(fault, MODEL, lines, problems)
    _check_kinds(data, lines, problems)
    _check_names(path.parent.name, data, lines, problems)
    sound = len(problems.errors) == before
    if rules is None:
        rules = _remainder(data, faults)
    return Parsed(rules, lines, sound) if rules is not None else None


def _check_kinds(data: dict[str, Any], lines: Lines, problems: Problems) -> None:
    """Every component has the keys that its kind needs, and none of another kind's."""
    components = data.get("component")
    for name, component in components.items() if isinstance(components, dict) else ():
        if not isinstance(component, dict):
            continue
        needed, possible = kind_keys(component)
        for key in needed:
            if key not in component:
                problems.error(
                    "missing-key",
                    lines.place("component", name, key),
                    f'"{key}" is missing',
                    allowed=MODEL.described(["component", name, key]),
                    hint=f"Write {key} = … in this section.",
                )
        if "copies" in component and "table" in component and "copies" in possible:
            problems.error(
                "two-copies",
                lines.place("component", name, "copies"),
                "the rows of its table say how many there are, and so does copies",
                hint="Take copies away, or give the table a column copies and leave it to that.",
            )
        for key in SPECIAL_KEYS:
            if key in component and key not in possible:
                problems.error(
                    "unknown-key",
                    lines.place("component", name, key),
                    f'"{key}" is not a key of the kind {component.get("kind", "card")}',
                    value=key,
                    allowed=listed(possible),
                )


def _check_names(game: str, data: dict[str, Any], lines: Lines, problems: Problems) -> None:
    """Nothing after which files or folders are called has a name that Windows keeps for itself."""
    named = [("game", game, Place(lines.file), f"the folder output/{game}")]
    for section in ("component", "book"):
        entries = data.get(section)
        for name in entries if isinstance(entries, dict) else ():
            named.append((section, name, lines.place(section, name), f"the file {name}.pdf"))
    for what, name, place, made in named:
        if is_device(name):
            problems.error(
                "reserved-name",
                place,
                f'Windows keeps the name "{name}" for itself: {made} could not lie there',
                value=name,
                hint=f"Give the {what} another name, such as {name}-1.",
            )


def _remainder(data: dict[str, Any], faults: list[ErrorDetails]) -> GameFile | None:
    """The tables and components that nothing is wrong with."""
    faulty = {fault["loc"][:2] for fault in faults}
    kept: dict[str, Any] = {"game": {"name": "?"}}
    for section in ("palette", "table", "component"):
        entries = data.get(section)
        if isinstance(entries, dict):
            kept[section] = {key: value for key, value in entries.items() if (section, key) not in faulty}
    try:
        return GameFile.model_validate(kept)
    except ValidationError:
        return None
