"""``pnp template``: a drawing of Inkscape, Illustrator or Figma becomes a template of a game, and a drawing in its art/."""

from __future__ import annotations

import re
from dataclasses import dataclass
from os.path import lexists
from pathlib import Path
from urllib.parse import unquote

from pnp.draw.art import Art
from pnp.draw.fromdrawing import from_drawing
from pnp.read import presets
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.shapes.units import show
from pnp.svg import safe as svg
from pnp.svg.pages import PageSize, page_size
from pnp.svg.saved import text_of_file
from pnp.svg.switches import choose
from pnp.system.files import add
from pnp.system.paths import file_within, plain_bytes, within
from pnp.system.record import NotOurs
from pnp.values.problems import Place, Problem, Problems, Refused

MOST_BYTES = 64_000_000
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Made:
    """What was written, and what is to be done with it."""

    template: Path
    drawing: Path
    section: str
    """The component as game.toml says it."""
    table: str
    """The file in which its rows are looked for."""
    columns: tuple[str, ...]
    notes: tuple[str, ...]


class BadFile(Exception):
    """A drawing of which no template can be made, as a finding."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def make_template(project: Project, game_name: str, file: Path, name: str, size: str) -> Made:
    """Write the template ``name`` of a game; ``size`` is that of the page where it is asked for, or empty.

    Raises Refused where it cannot be written, BadFile, NoSuchGame, OSError; then nothing was written.
    """
    folder = project.folder(game_name)
    game = read_game(project, game_name, Problems())
    if game is None:
        raise Refused(f"{game_name} cannot be read", f"pnp check {game_name} says why.")
    if not _NAME.fullmatch(name):
        how = "Give it one with --name, of small letters, digits and hyphens."
        raise Refused(f'"{name}" cannot be the name of a template', how)
    own = folder / "templates"
    template = (own if own.is_dir() else project.root / "templates" / game_name) / f"{name}.svg.j2"
    drawing = folder / "art" / f"{name}.svg"
    for path in (template, drawing):
        if lexists(path):
            raise Refused(f"{project.shown(path)} is there already; nothing was touched", "Take another name with --name.")
        if not within(project.root, path.parent):
            raise Refused(f"{project.shown(path.parent)} leads out of the project")
    art = Art(game)
    try:
        root = svg.parse(text_of_file(plain_bytes(file, MOST_BYTES)))
        choose(root)
        page = page_size(root, {key: presets.card_size(key) for key in presets.size_names()}, _asked(size))
        made = from_drawing(root, page, name, art.faces, lambda linked: _beside(file, linked))
        # What is written is what a build takes.
        art.read(made.drawing, vector=True)
    except svg.BadDrawing as fault:
        place = Place(str(file), fault.line)
        raise BadFile(Problem(fault.rule, place, str(fault), fault.value, fault.allowed, fault.hint)) from None
    notes = (*([page.why] if page.why else []), *made.notes)
    try:
        # Folders of the game may be links to others of the project.
        home = project.root.resolve()
        written = {drawing: made.drawing, template: made.template.encode()}
        add(home, {path.resolve().relative_to(home).as_posix(): data for path, data in written.items()})
    except NotOurs as error:
        raise Refused(f"{error.path.name} is there already; nothing was touched", "Take another name with --name.") from None
    return Made(template, drawing, _section(name, page), f"{name}.csv", tuple(made.columns), notes)


def suggested(file: Path) -> str:
    """A name for the template of a file."""
    return "-".join(re.findall(r"[a-z0-9]+", file.stem.casefold()))[:40].strip("-") or "card"


def _asked(size: str) -> tuple[str, float, float] | None:
    return (size, *presets.card_size(size)) if size else None


def _section(name: str, page: PageSize) -> str:
    lines = [f"[component.{name}]", f'size = "{page.name}"', f'bleed = "{show(page.bleed)}mm"']
    return "\n".join(lines)


def _beside(file: Path, linked: str) -> bytes | None:
    """A picture that a drawing links to, if it lies in the drawing's folder or below it."""
    path = file.parent / unquote(linked).replace("\\", "/")
    if "\0" in linked or not file_within(file.parent, path) or path.stat().st_size > MOST_BYTES:
        return None
    return path.read_bytes()
