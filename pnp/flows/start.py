"""Begins a game (``pnp new``), a template from a drawing (``pnp template``), another part of a game: a component, a book."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from os.path import lexists
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, get_args
from urllib.parse import unquote

from pnp.dataclass import dataclass
from pnp.draw.art import Art
from pnp.draw.fonts import Fonts
from pnp.draw.fromdrawing import from_drawing
from pnp.draw.look import STYLES, front, looks
from pnp.draw.look import back as back_of
from pnp.read import presets
from pnp.read.game import read_game
from pnp.read.grid import SUFFIXES
from pnp.read.project import NoSuchGame, Project, find_project, shipped_games, shipped_templates, title_in
from pnp.read.tomlfile import parsed
from pnp.read.tomltext import with_section, with_texts
from pnp.shapes import units
from pnp.shapes.units import show
from pnp.svg import safe as svg
from pnp.svg.safe import page_size, text_of_file
from pnp.svg.styles import inline_stylesheets
from pnp.svg.tree import choose
from pnp.system.manifest import NotOurs, add, add_folder, put_anew
from pnp.system.paths import ENDINGS, file_within, is_device, plain_bytes
from pnp.values.game import FAMILIES, Component, Game, Look
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
    return add_folder(root, _free(root, name), made())


def start_from_table(
    start: Path, name: str, file: str, rows: Callable[[], bytes], style: Look, title: str = ""
) -> tuple[Path, str]:
    """Creates the game ``name`` with a deck that has a card for each row of a table; returns its folder and component.

    ``rows`` reads the table's bytes, ``file`` is its name. Raises CannotStart, OSError.
    """
    table = Path(file)
    suffix = table.suffix.lower()
    if suffix not in SUFFIXES:
        told = f"{table.name} is no table. Allowed: {', '.join(SUFFIXES)}. Save or export it as one of these."
        raise CannotStart(told, place=Place(table.name))
    key = "cards" if suggested(table) in ("book1", "mappe1", "libro1", "sheet1") else suggested(table)
    called = json.dumps(title or name.replace("-", " ").capitalize(), ensure_ascii=False)
    toml = f'[game]\nname = {called}\nstyle = "{style}"\n\n[component.{key}]\nsize = "poker"\nback = "back"\n'
    return put_game(start, name, lambda: {"game.toml": toml.encode(), f"{key}{suffix}": rows()}), key


# Of the sizes that cards are sold in, with 3 mm or 1/8 inch around them or without; where two are as near, the first.
_SOLD = ("tcg", "poker", "bridge", "mini", "mini-euro", "mini-us", "tarot", "tarot-us", "square-70", "jumbo", "business")
_BLEEDS = (0.0, 3.0, 3.175)
_MOST_PICTURES = 1_000_000_000
# What a picture may lose of its shape.
_OFF = 0.015
_BACKS = re.compile(r"(?:card[ _-]?)?backs?(?:[ _-]?(?:side|card))?|r(?:ü|ue)ckseite|dos|reverso", re.IGNORECASE)
# a-front and a-back are the sides of one card.
_SIDE = re.compile(r"(.+?)[ _.(-]+(front|back)\)?", re.IGNORECASE)
_COVERED = """\
{# The picture in the column COLUMN is all of it, to the bleed. #}
{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}{{ s.cover(face, row.COLUMN) }}{% endblock %}
"""
_PILES = """\
# Cards with one back are one pile.
[pile.cards]
of = "cards"
by = "behind"
"""


def start_from_pictures(start: Path, name: str, folder: Path, title: str = "") -> tuple[Path, str, list[str]]:
    """Creates the game ``name`` with a card for each picture of a folder, which is all of its front.

    A picture called back is the back of all; ``a-front`` and ``a-back`` are the sides of one card. Returns the game's
    folder, its component, and what there is to say. Raises CannotStart, OSError.
    """
    found = sorted((path for path in folder.iterdir() if path.is_file()), key=lambda path: _counting(path.name))
    pictures = [path for path in found if path.suffix.lower() in ENDINGS and not path.name.startswith(".")]
    others = [path.name for path in found if path not in pictures and not path.name.startswith(".")]
    if sum(path.stat().st_size for path in pictures) > _MOST_PICTURES:
        raise CannotStart("The pictures have more than a gigabyte. Make them smaller.", place=Place(folder.name))
    fronts, backs, common = _sides(pictures, folder.name)
    own = any(back != common for back in backs.values())
    shapes = {path: _shape(path) for path in fronts}
    shape = sorted(shapes.values())[len(shapes) // 2]
    size, bleed, said = _sold(shape)
    notes = [said]
    if odd := [path.name for path in fronts if abs(shapes[path] / shape - 1) > _OFF]:
        notes.append(f"of another shape than most, and cut off at two sides: {listed(odd)}")
    if others:
        notes.append(f"left out, for they are no pictures: {listed(others)}")
    if below := sorted(path.name for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")):
        notes.append(f"folders in it were not looked into: {listed(below)}")
    called = json.dumps(title or name.replace("-", " ").capitalize(), ensure_ascii=False)
    lines = [f"[game]\nname = {called}\n\n[component.cards]", f'size = "{size}"']
    lines += [f'bleed = "{bleed:g}mm"', *(['back = "back"'] if own or common else []), ""]
    art = {path: "back" + path.suffix.lower() if path == common and not own else path.name for path in pictures}
    ids: dict[str, Path] = {}
    for path, called in fronts.items():
        ids[_free_among(suggestion(called), ids)] = path
    rows = io.StringIO()
    columns = ("id", "art", *(["behind"] if own else []), "copies")
    csv.writer(rows, lineterminator="\n").writerows(
        [columns, *((key, path.name, *([art[backs[path] or path]] if own else []), 1) for key, path in ids.items())]
    )
    files = {"game.toml": "\n".join(lines), "cards.csv": rows.getvalue()}
    files["templates/cards.svg.j2"] = _COVERED.replace("COLUMN", "art")
    if own:
        files |= {"templates/back.svg.j2": _COVERED.replace("COLUMN", "behind"), "rules.toml": _PILES}

    def made() -> dict[str, bytes]:
        written = {file: text.encode() for file, text in files.items()}
        return written | {f"art/{art[path]}": plain_bytes(path, _MOST_PICTURES) for path in pictures}

    return put_game(start, name, made), "cards", notes


def _sides(pictures: Sequence[Path], where: str) -> tuple[dict[Path, str], dict[Path, Path | None], Path | None]:
    """What each front is called, the back of each, and the picture that is the back of all. Raises CannotStart."""
    common = next((path for path in pictures if _BACKS.fullmatch(path.stem)), None)
    sides = {path: _SIDE.fullmatch(path.stem) for path in pictures if path != common}
    fronts = {
        path: (side[1] if side else path.stem) for path, side in sides.items() if not side or side[2].lower() != "back"
    }
    behind = {side[1].casefold(): path for path, side in sides.items() if side and path not in fronts}
    if not fronts:
        told = f"{where} has no picture of a card. Allowed: {', '.join(ENDINGS)}."
        raise CannotStart(told, place=Place(where))
    if stray := set(behind) - {called.casefold() for called in fronts.values()}:
        told = f"{behind[min(stray)].name} is the back of no picture there. Call its front {min(stray)}-front."
        raise CannotStart(told, place=Place(where))
    backs = {path: behind.get(called.casefold(), common) for path, called in fronts.items()}
    bare = [path.name for path, back in backs.items() if back is None]
    if behind and bare:
        told = f"{bare[0]} has no back, as others have. Add one, or a picture called back for all that have none."
        raise CannotStart(told, place=Place(where))
    return fronts, backs, common


def _counting(name: str) -> list[tuple[int, str]]:
    """Orders card-2 before card-10."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d{1,9})", name.casefold())]


def _shape(path: Path) -> float:
    """Width by height of a picture. Raises CannotStart."""
    try:
        width, height = svg.picture_size(path)
    except (svg.BadDrawing, OSError, ValueError):
        raise CannotStart(f"{path.name} cannot be read as a picture.", place=Place(path.name)) from None
    return width / height


def _sold(shape: float) -> tuple[str, float, str]:
    """The size and bleed in mm of cards whose pictures have this shape, width by height, and how they were found."""
    sizes = {key: presets.card_size(key) for key in _SOLD}
    near = [
        (abs((min(wide, high) + 2 * bleed) / (max(wide, high) + 2 * bleed) / min(shape, 1 / shape) - 1), key, bleed)
        for key, (wide, high) in sizes.items()
        for bleed in _BLEEDS
    ]
    off, key, bleed = min(near, key=lambda each: each[0])
    short, long = sorted(sizes[key])
    if off > _OFF:
        short, long, bleed = 63.0, 63.0 / min(shape, 1 / shape), 0.0
    lies = shape > 1
    named = off <= _OFF and (sizes[key][0] > sizes[key][1]) == lies
    size = key if named else " x ".join(f"{show(side)}mm" for side in ((long, short) if lies else (short, long)))
    around = f"{bleed:g} mm around it to be cut off" if bleed else "nothing around it to be cut off"
    return size, bleed, f"by its shape each picture is {size} with {around}; if not, change size and bleed in game.toml"


def write_looks(project: Project, game_name: str, component: str, pictured: bool = False) -> list[Path]:
    """Writes the templates that a component is drawn by where it has none, to be changed; returns their files.

    ``pictured``: with room for a picture, although there may be none yet.
    Raises Fault, OSError.
    """
    game = _readable(project, game_name)
    if (found := next((each for each in game.components if each.name == component), None)) is None:
        known = listed(each.name for each in game.components)
        raise Fault(f'{game_name} has no component "{component}". Allowed: {known or "none"}')
    if not found.look:
        raise Fault(f'"{component}" has a template: {found.template}.svg.j2', hint="Change that one.")
    made = looks(replace(game, components=(found,)), (lambda _: True) if pictured else Art(game).has)
    folder = project.folder(game_name) / "templates"
    home = project.root.resolve()
    add(home, {(folder.resolve() / file).relative_to(home).as_posix(): text.encode() for file, text in made.items()})
    return [folder / file for file in made]


def _readable(project: Project, name: str) -> Game:
    if game := read_game(project, name, Problems()):
        return game
    raise Fault(f"{name} cannot be read", hint=f"pnp check {name} says why.")


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
    for stem in ("game", "rules"):
        if f"{stem}.toml" in files and not (project.content / f"{stem}.schema.json").exists():
            files[f"{stem}.toml"] = files[f"{stem}.toml"].removeprefix(f"#:schema ../{stem}.schema.json\n".encode())
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
    found = {}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        hidden = any(part.startswith((".", "~$")) for part in inside.parts)
        if not hidden and file_within(folder, path):
            found[inside.as_posix()] = path.read_bytes()
    return found


def _renamed(data: bytes, source: str, name: str) -> bytes:
    text = data.decode("utf-8", "surrogateescape")
    asked = re.compile(rf"""(["']){re.escape(source)}/""")
    text = _REFERENCE.sub(lambda found: asked.sub(r"\1", found[0]), text)
    text = re.sub(rf"\btemplates/{re.escape(source)}/", f"content/{name}/templates/", text)
    text = re.sub(rf"\b((?:content|output)/|pnp [a-z]+ ){re.escape(source)}(?![\w-])", rf"\g<1>{name}", text)
    return text.encode("utf-8", "surrogateescape")


MOST_BYTES = 64_000_000


@dataclass(frozen=True, slots=True)
class Made:
    """The files written, and what to do next."""

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
    game = _readable(project, game_name)
    if not _NAME.fullmatch(name):
        how = "Give it one with --name, of small letters, digits and hyphens."
        raise Fault(f'"{name}" cannot be the name of a template', hint=how)
    own = folder / "templates"
    template = (own if own.is_dir() else project.root / "templates" / game_name) / f"{name}.svg.j2"
    drawing, another = folder / "art" / f"{name}.svg", "Take another name with --name."
    for path in (template, drawing):
        if lexists(path):
            raise Fault(f"{project.shown(path)} is there already; nothing was touched", hint=another)
    art = Art(game)
    try:
        root = svg.parse(text_of_file(plain_bytes(file, MOST_BYTES)))
        choose(root)
        inline_stylesheets(root)
        asked = (size, *presets.card_size(size)) if size else None
        page = page_size(root, {key: presets.card_size(key) for key in presets.size_names()}, asked)
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
    section = f'[component.{name}]\nsize = "{page.name}"\nbleed = "{show(page.bleed)}mm"'
    return Made(template, drawing, section, f"{name}.csv", tuple(made.columns), notes)


def suggested(file: Path) -> str:
    """A template name for a file."""
    return "-".join(re.findall(r"[a-z0-9]+", file.stem.casefold()))[:40].strip("-") or "card"


def _beside(file: Path, linked: str) -> bytes | None:
    path = file.parent / unquote(linked).replace("\\", "/")
    if "\0" in linked or not file_within(file.parent, path) or path.stat().st_size > MOST_BYTES:
        return None
    return path.read_bytes()


Part = Literal["deck", "tokens", "tiles", "board", "die", "box"]
PARTS: tuple[Part, ...] = get_args(Part)
# Parts with a row a piece, and what the table of one begins with.
_TABLES: dict[Part, str] = {
    "deck": "name,text,copies\nFirst card,Say here what it does.,1\n",
    "tokens": "name,colour,copies\nRed,red,4\nBlue,blue,4\n",
    "tiles": "name,copies\nFirst,1\n",
}
_KINDS = {"tokens": "token", "tiles": "tile", "board": "board", "die": "die", "box": "box"}
# Drawn by the columns of their tables, as pnp draws what has no template; that can be written out.
LOOKS: tuple[Part, ...] = ("deck", "tokens")
SIZES: dict[Part, str] = {"deck": "poker", "tokens": "25mm", "tiles": "40mm", "board": "250mm x 180mm", "die": "16mm"}
_LONGEST_PART = 32


@dataclass(frozen=True, slots=True)
class Added:
    """The new part of a game: its section and files, not yet written."""

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
    name = _free_among(suggestion(title)[:_LONGEST_PART].strip("-"), taken)
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
    fonts = _fonts(known)
    style = style if style in STYLES else "plain"
    files: dict[str, bytes] = {}
    if part in LOOKS:
        files[f"templates/{name}.svg.j2"] = _front(name, lines, _TABLES[part], style, part == "deck", fonts).encode()
    if back and part in LOOKS:
        own = _free_among(f"{name}-back", taken)
        lines.append(f'back = "{own}"')
        files[f"templates/{own}.svg.j2"] = back_of(style, fonts).encode()
    if part in _TABLES:
        files[f"{name}.csv"] = _TABLES[part].encode()
    if part not in LOOKS:
        files[f"templates/{name}.svg.j2"] = (shipped_templates() / "new" / "parts" / f"{part}.svg.j2").read_bytes()
    if gone := [file for file in files if lexists(folder / file)]:
        raise Fault(f"{gone[0]} is there already; nothing was touched.")
    return Added(name, with_section(toml, lines, "component"), files)


def add_back(project: Project, game: str, toml: str, component: str) -> Added:
    """A back for a component that has none, in a game whose game.toml says ``toml``. Nothing is written. Raises Fault."""
    folder = project.folder(game)
    try:
        known = parsed(toml)
    except Fault as error:
        raise Fault(f"Mend game.toml first: {error}.") from None
    if "back" in known.get("component", {}).get(component, {"back": ""}):
        raise Fault(f"{component} has a back already, or is not there any more.")
    homes = folder / "templates", project.root / "templates" / game
    taken = {path.name.partition(".")[0] for home in homes if home.is_dir() for path in home.iterdir()}
    name = _free_among(f"{component}-back", taken)
    style: Look = known.get("game", {}).get("style")
    made = with_texts(toml, f"component.{component}", {"back": name})
    text = back_of(style if style in STYLES else "plain", _fonts(known))
    return Added(name, made, {f"templates/{name}.svg.j2": text.encode()})


def _fonts(known: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The fonts that a game.toml names, by itself or by its style, for templates to call by their roles."""
    style: Look = known.get("game", {}).get("style")
    said = known.get("fonts", {})
    found = {role: (family,) for role, family in FAMILIES[style].items()} if style in STYLES else {}
    return found | {role: (family,) for role, family in said.items() if isinstance(family, str)}


def own_files(project: Project, game_name: str, component: str) -> list[str]:
    """The table and the templates of a game that no other component is made of, from the project on. Raises Fault."""
    game = _readable(project, game_name)

    def of(each: Component) -> set[str]:
        names = [name for name in (each.template, each.back) if name]
        homes = [project.content / game_name / "templates", project.root / "templates" / game_name]
        paths = [home / f"{name}.svg.j2" for home in homes for name in names]
        return {
            *(project.shown(path) for path in paths if path.is_file()),
            *(t.file for t in (each.table, *each.table.parts)),
        }

    found = {each.name: of(each) for each in game.components}
    others = set().union(*(files for name, files in found.items() if name != component))
    return sorted(file for file in found.get(component, set()) - others if not file.endswith(".toml"))


def families_of(project: Project, game_name: str) -> list[str]:
    """The font families that a game can be set in. Raises Fault."""
    return sorted(Fonts(_readable(project, game_name)).files)


def _front(
    name: str, lines: list[str], table: str, style: Look, pictured: bool, fonts: Mapping[str, tuple[str, ...]]
) -> str:
    with TemporaryDirectory(prefix="pnp-part-") as home:
        folder = Path(home).resolve() / "content" / "part"
        folder.mkdir(parents=True)
        (folder / "game.toml").write_text("\n".join(['[game]\nname = "?"', *lines]), encoding="utf-8")
        (folder / f"{name}.csv").write_text(table, encoding="utf-8")
        game = read_game(Project(folder.parent.parent), "part", Problems())
    if game is None or not game.components:
        raise Fault("This size is too small or too large.")
    return front(game.components[0], style, pictured, fonts=fonts)


def _free_among(like: str, taken: Collection[str]) -> str:
    return next(name for name in (like, *(f"{like}-{number}" for number in range(2, 1000))) if name not in taken)


def _size(part: Part, said: str) -> str:
    asked: Callable[[str], object] = units.length if part in ("tiles", "die") else presets.card_size
    said = " ".join(said.split())
    try:
        if part == "tokens" and "x" not in said:
            asked = units.length
        asked(said)
    except ValueError as error:
        raise Fault(f"{error}"[:1].upper() + f"{error}."[1:]) from None
    return said


def first_book() -> str:
    """A short rulebook to go on with."""
    return (shipped_templates() / "new" / "parts" / "rulebook.md").read_text("utf-8")


_PROMISES = """\
# What the rules of the game promise. pnp check looks whether the tables keep it.

# A claim: a sentence for people, and beside it the same for pnp.
# These are the numbers of now: when a table has others, pnp tells it.
"""
_EXAMPLE = """
# A claim about each row, once the # before its lines are taken away:
#
# [claim.some-of-each]
# says = "There is at least one of each."
# expect = "row.copies >= 1"
# for = 'row in rows("{name}")'
"""


_COUNTS = """
# Numbers that a book says, such as "{number} {phrase}", are compared with the tables by the words behind them.
[words.counts]
"""


def _counted(game: Game) -> dict[str, Component]:
    """The words behind a number in a book that mean a component."""
    text = "\n".join(manual.text for manual in game.manuals)
    kinds = [each.kind for each in game.components]
    found: dict[str, Component] = {}
    for each in game.components:
        names = [each.title, each.name.replace("-", " "), *([f"{each.kind}s"] if kinds.count(each.kind) == 1 else [])]
        for name in names:
            if said := re.search(rf"\b\d+ ({re.escape(name)})\b", text, re.IGNORECASE):
                found.setdefault(said[1], each)
    return found


def first_promises(project: Project, game_name: str) -> str:
    """The text of a first rules.toml: how many pieces of each component there are now, and in its books. Raises Fault."""
    game = _readable(project, game_name)
    if not game.components:
        raise Fault("This game has no component yet of which anything could be promised.")
    claims = []
    for each in game.components:
        says = f"{each.title}: {each.copies} piece{'s' * (each.copies != 1)}."
        expect = f"expect = 'count(\"{each.name}\") == {each.copies}'"
        claims.append(f"\n[claim.{each.name}]\nsays = {json.dumps(says, ensure_ascii=False)}\n{expect}\n")
    counted = _counted(game)
    for phrase, each in list(counted.items())[:1]:
        claims.append(_COUNTS.format(number=each.copies, phrase=phrase))
    claims += (f"{json.dumps(phrase, ensure_ascii=False)} = 'count(\"{each.name}\")'\n" for phrase, each in counted.items())
    return "".join([_PROMISES, *claims, _EXAMPLE.format(name=game.components[0].name)])
