"""Reads ``game.toml`` into :class:`pnp.read.schema.GameFile`; reports each fault at its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pnp.dataclass import dataclass
from pnp.read.pieces import PieceRules
from pnp.read.schema import MODELS, RULES, GameFile, model_of, own_keys
from pnp.read.tomlfile import Lines, Model, causes, load_toml, report_fault, tell_doubled
from pnp.system.paths import is_device
from pnp.values.problems import Place, Problems, listed

MODEL = Model(GameFile, {"component": MODELS})


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed game.toml. When it is not ``sound``, ``rules`` lacks the faulty parts, but suffices to read the tables and
    report their faults too.
    """

    rules: GameFile
    lines: Lines
    sound: bool


def read_game_file(path: Path, shown: str, problems: Problems, instead: bytes | None = None) -> Parsed | None:
    """The parsed file and the places of its keys; None, with Problems, when it cannot be used at all."""
    loaded = load_toml(path, shown, "A game is a folder with a game.toml.", problems, instead)
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
    for fault in causes(faults):
        if not _foreign_key(fault, lines, problems):
            report_fault(_of_kind(fault), MODEL, lines, problems)
    tell_doubled(data, lines, problems)
    _check_copies(data, lines, problems)
    _check_names(path.parent.name, data, lines, problems)
    sound = len(problems.errors) == before
    if rules is None:
        rules = _remainder(data, faults)
    return Parsed(rules, lines, sound) if rules is not None else None


def _of_kind(fault: ErrorDetails) -> ErrorDetails:
    """A fault of a kind's name as one of its key."""
    if fault["type"] != "union_tag_invalid":
        return fault
    known = " or ".join(", ".join(f"'{kind}'" for kind in RULES).rsplit(", ", 1))
    loc, typed = (*fault["loc"], "kind"), fault["input"]["kind"]
    return {"type": "literal_error", "loc": loc, "msg": "", "input": typed, "ctx": {"expected": known}}


def _foreign_key(fault: ErrorDetails, lines: Lines, problems: Problems) -> bool:
    if fault["type"] != "extra_forbidden" or len(fault["loc"]) != 4:
        return False
    section, name, tag, key = map(str, fault["loc"])
    kind = tag.partition(" ")[0]
    if section != "component" or not any(key in own_keys(other) for other in RULES):
        return False
    message = f'"{key}" is not a key of the kind {kind}'
    problems.error("unknown-key", lines.place(section, name, key), message, value=key, allowed=listed(own_keys(kind)))
    return True


def _check_copies(data: dict[str, Any], lines: Lines, problems: Problems) -> None:
    components = data.get("component")
    for name, component in components.items() if isinstance(components, dict) else ():
        tag = model_of(component)
        if (
            tag
            and isinstance(component, dict)
            and {"copies", "table"} <= set(component)
            and "copies" in MODELS[tag].model_fields
        ):
            message = "the rows of its table say how many there are, and so does copies"
            hint = "Take copies away, or give the table a column copies and leave it to that."
            problems.error("two-copies", lines.place("component", name, "copies"), message, hint=hint)


def _check_names(game: str, data: dict[str, Any], lines: Lines, problems: Problems) -> None:
    named = [("game", game, Place(lines.file), f"the folder output/{game}")]
    for section in ("component", "book"):
        entries = data.get(section)
        for name in entries if isinstance(entries, dict) else ():
            named.append((section, name, lines.place(section, name), f"the file {name}.pdf"))
    for what, name, place, made in named:
        if is_device(name):
            message = f'Windows keeps the name "{name}" for itself: {made} could not lie there'
            hint = f"Give the {what} another name, such as {name}-1."
            problems.error("reserved-name", place, message, value=name, hint=hint)


def _remainder(data: dict[str, Any], faults: list[ErrorDetails]) -> GameFile | None:
    faulty = {fault["loc"][:2] for fault in faults}
    kept: dict[str, Any] = {"game": {"name": "?"}}
    for section in ("palette", "table", "component", "layout"):
        entries = data.get(section)
        if isinstance(entries, dict):
            kept[section] = {key: value for key, value in entries.items() if (section, key) not in faulty}
    # A colour that is written wrong is a colour all the same: cells that name it are right.
    badly_written = [fault["loc"][1] for fault in faults if fault["loc"][0] == "palette" and len(fault["loc"]) == 2]
    kept.setdefault("palette", {}).update(dict.fromkeys(badly_written, "#000000"))
    try:
        rules = GameFile.model_validate(kept)
    except ValidationError:
        return None
    nameless = {fault["loc"][1] for fault in faults if len(fault["loc"]) == 3 and fault["loc"][2] == "[key]"}
    wrong: dict[str, set[str]] = {}
    for section, name, *path in (map(str, fault["loc"]) for fault in faults if len(fault["loc"]) > 3):
        if section == "component" and name not in nameless:
            wrong.setdefault(name, set()).add(path[1])
    left = {name: _left(data["component"][name], keys) for name, keys in wrong.items()}
    return rules.model_copy(update={"component": {**rules.component, **left}})


def _left(component: dict[str, Any], wrong: set[str]) -> PieceRules:
    model = MODELS[model_of(component)]
    sound = {key: value for key, value in component.items() if key in model.model_fields and key not in wrong}
    missing = dict.fromkeys(key for key, field in model.model_fields.items() if field.is_required())
    return model.model_construct(**{**missing, **sound})
