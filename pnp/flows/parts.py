"""Adds a component to a game: a section of game.toml, with a table and a template that it can begin with."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from os.path import lexists
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, get_args

from pnp.dataclass import dataclass
from pnp.draw.look import STYLES, front
from pnp.draw.look import back as back_of
from pnp.flows.start import suggestion
from pnp.read import presets
from pnp.read.game import read_game
from pnp.read.project import Project, shipped_templates
from pnp.read.tomlfile import parsed
from pnp.shapes import units
from pnp.values.game import Look
from pnp.values.problems import Fault, Problems

Part = Literal["deck", "tokens", "tiles", "board", "die", "box"]
PARTS: tuple[Part, ...] = get_args(Part)
# Parts with a row a piece, and what the table of one begins with.
_TABLES: dict[Part, str] = {
    "deck": "name,text,copies\nFirst card,Say here what it does.,1\n",
    "tokens": "name,copies\n1,5\n",
    "tiles": "name,copies\nFirst,1\n",
}
_KINDS = {"tokens": "token", "tiles": "tile", "board": "board", "die": "die", "box": "box"}
# Drawn by the columns of their tables, as pnp draws what has no template; that can be written out.
LOOKS: tuple[Part, ...] = ("deck", "tokens")
SIZES: dict[Part, str] = {"deck": "poker", "tokens": "25mm", "tiles": "40mm", "board": "250mm x 180mm", "die": "16mm"}
_SECTION = re.compile(r"\s*\[")
_COMPONENT = re.compile(r"""\s*\[\s*component\s*\.""")
_LONGEST = 32


@dataclass(frozen=True, slots=True)
class Added:
    """What is to be written."""

    name: str
    toml: str
    """All of game.toml."""
    files: dict[str, bytes]
    """New ones, from the game's folder on."""


def add_part(
    project: Project, game: str, toml: str, part: Part, title: str, size: str = "", back: bool = False, holds: str = ""
) -> Added:
    """A component for a game whose game.toml says ``toml``. Nothing is written. Raises Fault."""
    folder = project.folder(game)
    try:
        known = parsed(toml)
    except Fault as error:
        raise Fault(f"Mend game.toml first: {error}.") from None
    components = known.get("component", {})
    if part == "box" and holds not in components:
        raise Fault("Say which component lies in the box.")
    homes = folder, folder / "templates", project.root / "templates" / game
    taken = {*components, *(path.name.partition(".")[0] for home in homes if home.is_dir() for path in home.iterdir())}
    name = _free(suggestion(title)[:_LONGEST].strip("-"), taken)
    lines = [f"[component.{name}]", f"title = {json.dumps(title, ensure_ascii=False)}"]
    if part in _KINDS:
        lines.insert(1, f'kind = "{_KINDS[part]}"')
    if part == "box":
        lines.append(f"holds = [{json.dumps(holds, ensure_ascii=False)}]")
    else:
        lines.append(f'{"hex" if part == "tiles" else "size"} = "{_size(part, size or SIZES[part])}"')
    if part == "die":
        lines.append("sides = 6")
    style: Look = known.get("game", {}).get("style")
    style = style if style in STYLES else "plain"
    files: dict[str, bytes] = {}
    if part in LOOKS:
        files[f"templates/{name}.svg.j2"] = _front(name, lines, _TABLES[part], style, part == "deck").encode()
    if back and part in LOOKS:
        own = _free(f"{name}-back", taken)
        lines.append(f'back = "{own}"')
        files[f"templates/{own}.svg.j2"] = back_of(style).encode()
    if part in _TABLES:
        files[f"{name}.csv"] = _TABLES[part].encode()
    if part not in LOOKS:
        files[f"templates/{name}.svg.j2"] = (shipped_templates() / "new" / "parts" / f"{part}.svg.j2").read_bytes()
    if gone := [file for file in files if lexists(folder / file)]:
        raise Fault(f"{gone[0]} is there already; nothing was touched.")
    return Added(name, _with(toml, lines, known), files)


def _front(name: str, lines: list[str], table: str, style: Look, pictured: bool) -> str:
    """The template of a component that is drawn by the columns of its table, read in a folder of its own."""
    with TemporaryDirectory(prefix="pnp-part-") as home:
        folder = Path(home).resolve() / "content" / "part"
        folder.mkdir(parents=True)
        (folder / "game.toml").write_text("\n".join(['[game]\nname = "?"', *lines]), encoding="utf-8")
        (folder / f"{name}.csv").write_text(table, encoding="utf-8")
        game = read_game(Project(folder.parent.parent), "part", Problems())
    if game is None or not game.components:
        raise Fault("This size is too small or too large.")
    return front(game.components[0], style, pictured)


def _free(like: str, taken: Collection[str]) -> str:
    return next(name for name in (like, *(f"{like}-{number}" for number in range(2, 1000))) if name not in taken)


def _size(part: Part, said: str) -> str:
    """A size as it was typed, if it is one."""
    asked: Callable[[str], object] = units.length if part in ("tiles", "die") else presets.card_size
    said = " ".join(said.split())
    try:
        if part == "tokens" and "x" not in said:
            asked = units.length
        asked(said)
    except ValueError as error:
        raise Fault(f"{error}"[:1].upper() + f"{error}."[1:]) from None
    return said


def _with(toml: str, lines: list[str], known: dict[str, object]) -> str:
    """game.toml with another section behind its last component; all else stays as it is written. Raises Fault."""
    end = "\r\n" if "\r\n" in toml else "\n"
    said = toml.splitlines(keepends=True)
    heads = [at for at, line in enumerate(said) if _SECTION.match(line)]
    last = max((at for at in heads if _COMPONENT.match(said[at])), default=None)
    behind = next((at for at in heads if last is not None and at > last), len(said))
    # Notes above the next section belong to that.
    while behind < len(said) and behind and (not said[behind - 1].strip() or said[behind - 1].lstrip().startswith("#")):
        behind -= 1
    new = end.join(["", *lines, ""])
    for at in (behind, len(said)):
        before = "".join(said[:at])
        made = before + ("" if not before or before.endswith("\n") else end) + new + "".join(said[at:])
        try:
            found = parsed(made)
        except Fault:
            continue
        components = dict(found.get("component", {}))
        added = parsed("\n".join(lines))["component"]
        rest = {name: each for name, each in components.items() if name not in added}
        if added.items() <= components.items() and {**found, "component": rest} == {"component": {}, **known}:
            return made
    raise Fault("game.toml is written in a way to which nothing can be added here.")
