"""Defines the options that commands share (games, paper, ink, output), and completes names in shells."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pnp.cli.output import asked_for_json
from pnp.read import presets
from pnp.read.project import NoSuchGame, Project, component_names, find_project
from pnp.shapes.units import length
from pnp.system.cache import Cache, cache_folder
from pnp.system.paths import config_folder, is_link
from pnp.system.watchdog import Watchdog
from pnp.values.game import LEAST_MARGIN, MARGIN, MOST_MARGIN
from pnp.values.outcome import MOST_TIMES, NoSuchPart, Ranges, Selection
from pnp.values.problems import Fault, closest

if TYPE_CHECKING:
    from pnp.shapes.affine import Calibration


class Choice(click.Choice[str]):
    """A choice whose error proposes what is nearly what was typed."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            near = closest(str(value), map(str, self.choices))
            raise click.BadParameter(f"{error.message} {near}".rstrip(), ctx, param) from error


def complete_games(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Completes names of games that are not yet typed."""
    given = context.params.get(parameter.name or "") or ()
    return [name for name in game_names(context) if name.startswith(incomplete) and name not in given]


def game_names(context: click.Context | None) -> list[str]:
    """The games of the project; none where there is no project."""
    project = _project(context) if context else None
    return project.games() if project else []


def complete_components(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Completes components of the game typed before."""
    # Of several games those typed so far are not handed to the command yet.
    project, named = _project(context), [context.params.get("game"), *context.args]
    game = next(filter(None, named), "")
    if project is None or game not in project.games():
        return []
    return [name for name in component_names(project.content / game) if name.startswith(incomplete)]


def _project(context: click.Context) -> Project | None:
    try:
        return find_project(Path(context.find_root().params.get("start") or Path.cwd()).resolve())
    except (NoSuchGame, OSError):
        return None


NAMED = f"{', '.join(presets.paper_names())} or a size such as 200mm x 250mm"
BACKS = ("long-edge", "short-edge", "gutterfold", "none")


class Read(click.types.StringParamType):
    """A text that is read by a function; what its ValueError says is told."""

    def __init__(self, read: Callable[[str], Any]) -> None:
        self.read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self.read(value)
        except ValueError as error:
            parts = [part.strip() for part in str(value).split(",")]
            if param and param.multiple and len(parts) > 1:
                self.fail(f"one at a time: {' '.join(f'{param.opts[0]} {part}' for part in parts)}", param, ctx)
            self.fail(str(error), param, ctx)


def span(text: str, what: str, such: str) -> tuple[int, int]:
    """Parses 3 or 3-5. Raises ValueError."""
    pair = re.fullmatch(r"(\d{1,6})(?:[-–](\d{1,6}))?", text.strip())
    first, last = (int(pair[1]), int(pair[2] or pair[1])) if pair else (0, 0)
    if not 1 <= first <= last:
        raise ValueError(f'"{text}" is no {what}, such as 3, and no {what}s from one to another, such as {such}')
    return first, last


def _sheets(text: str) -> Ranges:
    """Parses numbers and ranges: sorted, each once."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(span(part, "sheet", "3-5") for part in text.split(",") if text):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return tuple(merged)


def _margin(text: str) -> float:
    margin = length(text)
    if not LEAST_MARGIN <= margin <= MOST_MARGIN:
        raise ValueError(f'"{text}" is out of bounds: a margin is from {LEAST_MARGIN:g}mm to {MOST_MARGIN:g}mm')
    return margin


PAPER, MARGIN_TYPED = Read(presets.paper), Read(_margin)


def _papers(default: str) -> Callable[..., Any]:
    return click.option(
        "--paper",
        "papers",
        multiple=True,
        type=PAPER,
        callback=lambda _, __, typed: tuple(dict.fromkeys(typed)),
        help=f"{NAMED}; more than once for several. Default: {default}.",
    )


games = click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=complete_games)
game = click.argument("game", shell_complete=complete_games)
papers, test_papers = _papers("the game's own"), _papers("a4 and letter")
paper = click.option("--paper", type=PAPER, help="A paper by its name, or its size. Default: the game's first.")
backs = click.option(
    "--backs",
    type=Choice(BACKS),
    default="long-edge",
    show_default=True,
    help="Backs on the other side of the paper, turned over about this edge; gutterfold: beside a fold, to be glued; "
    "none: fronts only.",
)


def price(_: click.Context, __: click.Parameter, value: float) -> float:
    """Refuses what is no amount of money."""
    if not (math.isfinite(value) and value >= 0):
        raise click.BadParameter("a price is a number such as 0.05, and not below 0")
    return value


margin = click.option(
    "--margin",
    type=MARGIN_TYPED,
    help=f"How near to the paper's edges pieces may lie, {LEAST_MARGIN:g}mm to {MOST_MARGIN:g}mm. Default: {MARGIN:g}mm.",
)
low_ink = click.option("--low-ink", "ink", flag_value="low-ink", help="Tints and outlines instead of full colours.")
grey = click.option("--grey", "ink", flag_value="grey", help="In greys of the same lightness.")
out = click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder to write to. Default: output/ in the project."
)
only = click.option(
    "--only",
    multiple=True,
    metavar="COMPONENT[:ID,…]",
    shell_complete=complete_components,
    help="Only these, with all their copies: cards, cards:slinger,yeti or cards:suit=red; or a book. More than once for "
    "several.",
)
times = click.option(
    "--times", type=click.IntRange(1, MOST_TIMES), default=1, show_default=True, help="Every piece so many times."
)
sheets = click.option(
    "--sheets",
    type=Read(_sheets),
    default="",
    metavar="3-5,8",
    help="Only these sheets, by the numbers at the foot of the whole print.pdf.",
)
changed = click.option("--changed", is_flag=True, help="Only pieces that are not on paper as they are now, by pnp printed.")
language = click.option("--language", metavar="CODE", help="In another language, such as de, from languages/CODE.csv.")
as_json = click.option(
    "--json", is_flag=True, expose_value=False, callback=asked_for_json, help="One JSON object on standard output."
)


@contextmanager
def refusing(kind: type[Fault] = NoSuchPart) -> Iterator[None]:
    """Takes a fault, such as a selection of what is not there, for wrong usage of a command."""
    try:
        yield
    except kind as error:
        raise click.UsageError(str(error)) from None


def selection(games: Sequence[str], only: tuple[str, ...], sheets: Ranges, times: int, changed: bool) -> Selection:
    """The selection; refuses options that exclude one another."""
    if sheets and (only or changed or times > 1):
        raise click.UsageError("--sheets are those of the whole print.pdf: it goes without --only, --times, --changed")
    if (only or sheets) and len(games) != 1:
        raise click.UsageError(f"{'--only' if only else '--sheets'} chooses from one game: name the game")
    return Selection(only, sheets, times, changed)


def here() -> Path:
    """The folder given as --project, or the one where the command was typed."""
    return (click.get_current_context().obj or Path.cwd()).resolve()


def project() -> Project:
    """The named project, or the one around this folder."""
    return find_project(here())


def output(out: Path | None = None) -> Path:
    """The output folder: the named one, or ``output/`` of the project, unless that is a link."""
    if out is None:
        out = project().root / "output"
        refuse_link(out)
    home = out.resolve()
    for folder in (home, *home.parents):
        if folder.name in ("content", "templates") and (folder.parent / "content").is_dir():
            raise click.UsageError(f"{folder.name}/ holds what games are made of: name another folder with --out")
    return out.absolute()


def deck_of(table: str) -> str:
    """How to make a deck of a table."""
    name = "-".join(re.findall(r"[a-z0-9]+", Path(table).stem.lower())) or "deck"
    return f"To make a deck of a table: pnp new {name} --table {table}"


def refuse_link(out: Path) -> None:
    """Refuses a link as output: another person's project may lead it anywhere."""
    if is_link(out):
        raise click.UsageError(f"{out} is a link to {out.resolve()}. To write there name it: --out {out.resolve()}")


def chosen(project: Project, games: Sequence[str]) -> list[str]:
    """The named games, each once; all where none was named."""
    if not games and not project.games():
        raise NoSuchGame(f"there is no game in {project.content}: a game is a folder there with a game.toml")
    for game in games:
        try:
            project.folder(game)
        except NoSuchGame as error:
            if games[0] in project.games() and game in component_names(project.content / games[0]):
                raise NoSuchGame(error.message, hint=f"For one component of {games[0]} write --only {game}.") from None
            raise
    return list(dict.fromkeys(games)) or project.games()


@contextmanager
def cache() -> Iterator[Cache]:
    """The cache of drawings and set pages on this machine."""
    known = Cache(cache_folder())
    yield known
    if known.news:
        known.trim()


def calibration(printer: str, backs: str = "") -> Calibration:
    """The stored calibration of a printer for such backs."""
    from pnp.system import printers

    try:
        return printers.calibration(config_folder(), printer, backs)
    except Fault as error:
        raise click.BadParameter(str(error), param_hint="--printer") from None


@contextmanager
def workers(jobs: int | None, tasks: int, tell: Callable[[str], None]) -> Iterator[Watchdog]:
    """Child processes for games, one a core; a single one reports its progress."""
    wanted = max(1, min(jobs or os.cpu_count() or 1, tasks))
    with Watchdog(wanted, tell if wanted == 1 else lambda text: None) as dog:
        yield dog
