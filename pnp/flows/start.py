"""Runs ``pnp new`` (a sample, a blank, or a copy) and ``pnp template`` (a drawing becomes a template)."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace
from os.path import lexists
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from pnp.dataclass import dataclass
from pnp.draw.art import Art
from pnp.draw.fromdrawing import from_drawing
from pnp.draw.look import looks
from pnp.read import presets
from pnp.read.game import read_game
from pnp.read.grid import SUFFIXES
from pnp.read.project import NoSuchGame, Project, find_project, shipped_games, shipped_templates, title_in
from pnp.shapes.units import show
from pnp.svg import safe as svg
from pnp.svg.safe import PageSize, page_size, text_of_file
from pnp.svg.styles import inline_stylesheets
from pnp.svg.tree import choose
from pnp.system.manifest import NotOurs, add, add_folder, put_anew
from pnp.system.paths import file_within, is_device, plain_bytes, within
from pnp.values.game import Look
from pnp.values.outcome import PRINTED
from pnp.values.problems import Fault, Place, Problem, Problems, listed

Kind = Literal["starter", "blank"]

ALLOWED = "small letters a to z, digits, and single hyphens between them, 40 characters at most"
# How the starting files call the game that they will become.
_PLACEHOLDER = "mygame"
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST = 40
# Of these pnp has folders of its own in output/ or templates/.
_OURS = {"calibration", "doctor", "new", "shared", "together"}
# Where game.toml says what the game is called, as people write it.
_TITLE = re.compile(
    r"""(?m)(^\[game\].*\n(?:(?![ \t]*\[).*\n)*?[ \t]*name[ \t]*=[ \t]*)("(?:[^"\\\n]|\\.)*"|'[^'\n]*')(?!["'])"""
)
# How a template asks for another one, by its folder: {% import "penguin/parts.svg.j2" as p %}
_REFERENCE = re.compile(r"\{%-?\+?\s*(?:extends|import|from|include)\b.*?%\}", re.DOTALL)


class CannotStart(Fault):
    """The new game cannot be made as asked; the place is the table, where that is why."""


def start_game(start: Path, name: str, kind: Kind, title: str = "") -> Path:
    """Creates the game ``name`` from what comes with pnp; returns its folder. Raises CannotStart, OSError.

    Where there is no project at or above ``start``, one begins there.
    """
    return put_game(start, name, lambda: _titled(begun(kind, name), title))


def begun(kind: Kind, name: str) -> dict[str, bytes]:
    """The files that come with pnp, for a game of this name."""
    files = _files(shipped_templates() / "new" / kind)
    return {file: data.replace(_PLACEHOLDER.encode(), name.encode()) for file, data in files.items()}


def _titled(files: dict[str, bytes], title: str) -> dict[str, bytes]:
    """With another title in game.toml, where that says it in a line."""
    said = files["game.toml"].decode("utf-8", "surrogateescape")
    new = _TITLE.sub(lambda found: found[1] + json.dumps(title, ensure_ascii=False), said, count=1) if title else said
    return {**files, "game.toml": new.encode("utf-8", "surrogateescape")} if title_in(new) == title else files


def entitle(root: Path, name: str, title: str) -> None:
    """Gives a game another title. Raises OSError."""
    file = Project(root).content / name / "game.toml"
    put_anew(file, _titled({"game.toml": file.read_bytes()}, title)["game.toml"])


def put_game(start: Path, name: str, made: Callable[[], Mapping[str, bytes]]) -> Path:
    """Creates the game ``name`` from files made once the name is known to be free. Raises CannotStart, OSError."""
    root = _root(start)
    target = _free(root, name)
    return add_folder(root, target, made())


def start_from_table(start: Path, name: str, table: Path, style: Look) -> tuple[Path, str]:
    """Creates the game ``name`` whose cards are the rows of a table, drawn by its columns; returns folder and component.

    Raises CannotStart, OSError.
    """
    return start_from_rows(start, name, table.name, table.read_bytes, style, name.replace("-", " ").capitalize())


def start_from_rows(
    start: Path, name: str, file: str, rows: Callable[[], bytes], style: Look, title: str
) -> tuple[Path, str]:
    """Creates a game as start_from_table does; ``rows`` reads the table's bytes, ``file`` is its name.

    Raises CannotStart, OSError.
    """
    table = Path(file)
    suffix = table.suffix.lower()
    if suffix not in SUFFIXES:
        raise CannotStart(f"{table.name} is no table. Allowed: {', '.join(SUFFIXES)}.", place=Place(table.name))
    key = "cards" if suggested(table) in ("book1", "mappe1", "libro1", "sheet1") else suggested(table)
    lines = [
        "[game]",
        f"name = {json.dumps(title, ensure_ascii=False)}",
        f'style = "{style}"',
        "",
        f"[component.{key}]",
        'size = "poker"',
        'back = "back"',
        "",
    ]
    return put_game(start, name, lambda: {"game.toml": "\n".join(lines).encode(), f"{key}{suffix}": rows()}), key


def write_looks(project: Project, game_name: str, component: str, pictured: bool = False) -> list[Path]:
    """Writes the templates that a component is drawn by where it has none, to be changed; returns their files.

    ``pictured``: with room for a picture, although there may be none yet.
    Raises Fault, OSError.
    """
    game = read_game(project, game_name, Problems())
    if game is None:
        raise Fault(f"{game_name} cannot be read", hint=f"pnp check {game_name} says why.")
    found = next((each for each in game.components if each.name == component), None)
    if found is None:
        known = listed(each.name for each in game.components)
        raise Fault(f'{game_name} has no component "{component}". Allowed: {known or "none"}')
    if not found.look:
        raise Fault(f'"{component}" has a template: {found.template}.svg.j2', hint="Change that one.")
    made = looks(replace(game, components=(found,)), (lambda _: True) if pictured else Art(game).has)
    folder = project.folder(game_name) / "templates"
    home = project.root.resolve()
    add(home, {(folder.resolve() / file).relative_to(home).as_posix(): text.encode() for file, text in made.items()})
    return [folder / file for file in made]


def copy_game(start: Path, name: str, source: str, title: str = "") -> Path:
    """Creates the game ``name`` as a copy of another of the project, or else of one that comes with pnp.

    Raises CannotStart, NoSuchGame, OSError.
    """
    project, shipped = Project(_root(start)), shipped_games()
    try:
        folder = project.folder(source)
    except NoSuchGame as error:
        if source not in shipped.games():
            raise NoSuchGame(error.message, hint=f"{error.hint} With pnp come: {listed(shipped.games())}.") from None
        folder = shipped.folder(source)
    target = _free(project.root, name)
    shared = {f"templates/{file}": data for file, data in _files(folder.parent.parent / "templates" / source).items()}
    # Nothing is on paper of the new game.
    files = {**shared, **{file: data for file, data in _files(folder).items() if file != PRINTED}}
    if not (project.content / "game.schema.json").exists():
        files["game.toml"] = files["game.toml"].removeprefix(b"#:schema ../game.schema.json\n")
    for file, data in files.items():
        if file.endswith((".j2", ".md", ".toml")):
            files[file] = _renamed(data, source, name)
    return add_folder(project.root, target, _titled(files, title))


def free_name(start: Path, title: str) -> str:
    """The name of a folder that a game of this title can have: numbered where that is there already."""
    content, like = Project(_root(start)).content, suggestion(title)
    names = (like, *(f"{like[: _LONGEST - 5].strip('-')}-{number}" for number in range(2, 1000)))
    return next((name for name in names if not lexists(content / name)), like)


def _root(start: Path) -> Path:
    try:
        return find_project(start).root
    except NoSuchGame:
        return start


def _free(root: Path, name: str) -> Path:
    """The folder for a game of this name, which must not exist. Raises CannotStart."""
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise CannotStart(f'"{name}" cannot be the name of a folder. Allowed: {ALLOWED}. How about "{suggestion(name)}"?')
    if is_device(name) or name in _OURS:
        whose = "Windows" if is_device(name) else "pnp"
        raise CannotStart(f'{whose} keeps the name "{name}" for itself. How about "{suggestion(name)}"?')
    target = Project(root).content / name
    if target.exists() or target.is_symlink():
        raise CannotStart(f"{target} is there already; nothing was touched. Take another name, or move that folder away.")
    return target


def suggestion(name: str) -> str:
    """An allowed name, as near to the wished one as can be."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.replace("'", ""))
    made = "-".join(words)[:_LONGEST].strip("-") or "my-game"
    return f"my-{made}" if is_device(made) or made in _OURS else made


def _files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder by relative name, without hidden ones and links to elsewhere."""
    found = {}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        hidden = any(part.startswith((".", "~$")) for part in inside.parts)
        if not hidden and file_within(folder, path):
            found[inside.as_posix()] = path.read_bytes()
    return found


def _renamed(data: bytes, source: str, name: str) -> bytes:
    """A copied game's text with the new name in its folders, commands and templates."""
    text = data.decode("utf-8", "surrogateescape")
    asked = re.compile(rf"""(["']){re.escape(source)}/""")
    text = _REFERENCE.sub(lambda found: asked.sub(r"\1", found[0]), text)
    text = re.sub(rf"\btemplates/{re.escape(source)}/", f"content/{name}/templates/", text)
    text = re.sub(rf"\b((?:content|output)/|pnp [a-z]+ ){re.escape(source)}(?![\w-])", rf"\g<1>{name}", text)
    return text.encode("utf-8", "surrogateescape")


MOST_BYTES = 64_000_000


@dataclass(frozen=True, slots=True)
class Made:
    """What was written, and what to do next."""

    template: Path
    drawing: Path
    section: str
    """The component as game.toml says it."""
    table: str
    """The file in which its rows are looked for."""
    columns: tuple[str, ...]
    notes: tuple[str, ...]


def make_template(project: Project, game_name: str, file: Path, name: str, size: str) -> Made | Problem:
    """Writes the template ``name`` of a game; ``size``: the page's where asked for, or empty.

    Returns a Problem where the drawing cannot become one. Raises Fault, OSError. Then nothing was written.
    """
    folder = project.folder(game_name)
    game = read_game(project, game_name, Problems())
    if game is None:
        raise Fault(f"{game_name} cannot be read", hint=f"pnp check {game_name} says why.")
    if not _NAME.fullmatch(name):
        how = "Give it one with --name, of small letters, digits and hyphens."
        raise Fault(f'"{name}" cannot be the name of a template', hint=how)
    own = folder / "templates"
    template = (own if own.is_dir() else project.root / "templates" / game_name) / f"{name}.svg.j2"
    drawing, another = folder / "art" / f"{name}.svg", "Take another name with --name."
    for path in (template, drawing):
        if lexists(path):
            raise Fault(f"{project.shown(path)} is there already; nothing was touched", hint=another)
        if not within(project.root, path.parent):
            raise Fault(f"{project.shown(path.parent)} leads out of the project")
    art = Art(game)
    try:
        root = svg.parse(text_of_file(plain_bytes(file, MOST_BYTES)))
        choose(root)
        inline_stylesheets(root)
        page = page_size(root, {key: presets.card_size(key) for key in presets.size_names()}, _asked(size))
        made = from_drawing(root, page, name, art.faces, lambda linked: _beside(file, linked))
        # What is written is what a build takes.
        art.read(made.drawing, vector=True)
    except svg.BadDrawing as fault:
        return fault.problem(fault.rule, Place(str(file), fault.line))
    notes = (*([page.why] if page.why else []), *made.notes)
    try:
        # Folders of the game may be links to others of the project.
        home = project.root.resolve()
        written = {drawing: made.drawing, template: made.template.encode()}
        add(home, {path.resolve().relative_to(home).as_posix(): data for path, data in written.items()})
    except NotOurs as error:
        raise Fault(f"{error.path.name} is there already; nothing was touched", hint=another) from None
    return Made(template, drawing, _section(name, page), f"{name}.csv", tuple(made.columns), notes)


def suggested(file: Path) -> str:
    """A template name for a file."""
    return "-".join(re.findall(r"[a-z0-9]+", file.stem.casefold()))[:40].strip("-") or "card"


def _asked(size: str) -> tuple[str, float, float] | None:
    return (size, *presets.card_size(size)) if size else None


def _section(name: str, page: PageSize) -> str:
    lines = [f"[component.{name}]", f'size = "{page.name}"', f'bleed = "{show(page.bleed)}mm"']
    return "\n".join(lines)


def _beside(file: Path, linked: str) -> bytes | None:
    """A linked picture, if it lies in the drawing's folder or below."""
    path = file.parent / unquote(linked).replace("\\", "/")
    if "\0" in linked or not file_within(file.parent, path) or path.stat().st_size > MOST_BYTES:
        return None
    return path.read_bytes()
