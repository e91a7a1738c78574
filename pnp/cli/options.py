"""What several commands are asked alike: which games, on which paper, in which ink, where to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pnp.cli import completion as complete
from pnp.read import presets
from pnp.shapes.units import length
from pnp.values.game import LEAST_MARGIN, MARGIN, MOST_MARGIN
from pnp.values.selection import MOST_TIMES, Ranges, Selection

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from pnp.read.project import Project
    from pnp.shapes.affine import Calibration
    from pnp.system.cache import Cache
    from pnp.values.game import Paper
    from pnp.values.outcome import OutputFolder

NAMED = f"{', '.join(presets.paper_names())} or a size such as 200mm x 250mm"
BACKS = ("long-edge", "short-edge", "gutterfold", "none")


def _papers(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> tuple[Paper, ...]:
    return tuple(dict.fromkeys(map(_read_paper, texts)))


def _paper(_: click.Context, __: click.Parameter, text: str | None) -> Paper | None:
    return None if text is None else _read_paper(text)


def _read_paper(text: str) -> Paper:
    try:
        return presets.paper(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _sheets(_: click.Context, __: click.Parameter, text: str) -> Ranges:
    """Numbers and pairs of them, in order, none twice."""
    found = []
    for part in text.split(",") if text else ():
        pair = re.fullmatch(r"(\d{1,6})(?:[-–](\d{1,6}))?", part.strip())
        first, last = (int(pair[1]), int(pair[2] or pair[1])) if pair else (0, 0)
        if not 1 <= first <= last:
            raise click.BadParameter(f'"{part}" is no sheet, such as 3, and no sheets from one to another, such as 3-5')
        found.append((first, last))
    merged: list[tuple[int, int]] = []
    for first, last in sorted(found):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return tuple(merged)


def margin_of(_: click.Context, __: click.Parameter, text: str | None) -> float | None:
    """A margin as it is typed, in mm; None where none was."""
    if text is None:
        return None
    try:
        margin = length(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    if not LEAST_MARGIN <= margin <= MOST_MARGIN:
        raise click.BadParameter(f'"{text}" is out of bounds: a margin is from {LEAST_MARGIN:g}mm to {MOST_MARGIN:g}mm')
    return margin


games = click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=complete.games)
game = click.argument("game", shell_complete=complete.games)
papers = click.option(
    "--paper",
    "papers",
    multiple=True,
    callback=_papers,
    help=f"{NAMED}; more than once for several. Default: the game's own.",
)
test_papers = click.option(
    "--paper",
    "papers",
    multiple=True,
    callback=_papers,
    help=f"{NAMED}; more than once for several. Default: a4 and letter.",
)
paper = click.option(
    "--paper",
    callback=_paper,
    help=f"{NAMED}. Default: the game's first.",
)
backs = click.option(
    "--backs",
    type=click.Choice(BACKS),
    default="long-edge",
    show_default=True,
    help="How backs are made: on the other side of the paper, turned over about its long or its short edge; "
    "gutterfold: on one side, beside a fold, to be folded and glued; none: fronts only.",
)
margin = click.option(
    "--margin",
    callback=margin_of,
    help=f"How near to the edges of the paper pieces may lie, from {LEAST_MARGIN:g}mm to {MOST_MARGIN:g}mm. "
    f"Default: {MARGIN:g}mm, which most printers reach.",
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
    shell_complete=complete.components,
    help="Only these pieces, with all their copies, such as cards or cards:slinger,yeti or cards:suit=red; or a book by its "
    "name. More than once for several.",
)
times = click.option(
    "--times", type=click.IntRange(1, MOST_TIMES), default=1, show_default=True, help="Every piece so many times."
)
sheets = click.option(
    "--sheets",
    callback=_sheets,
    default="",
    metavar="3-5,8",
    help="Only these sheets, numbered as on the sheets of the whole print.pdf.",
)
changed = click.option(
    "--changed", is_flag=True, help="Only pieces that are not on paper as they are now, as pnp printed has put it down."
)
language = click.option(
    "--language", metavar="CODE", help="In another language, such as de, from languages/CODE.csv of the game."
)
as_json = click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")


def selection(games: Sequence[str], only: tuple[str, ...], sheets: Ranges, times: int, changed: bool) -> Selection:
    """What of the games is printed; what does not go together is told."""
    if sheets and (only or changed or times > 1):
        raise click.UsageError("--sheets are those of the whole print.pdf: it goes without --only, --times, --changed")
    if (only or sheets) and len(games) != 1:
        raise click.UsageError(f"{'--only' if only else '--sheets'} chooses from one game: name the game")
    return Selection(only, sheets, times, changed)


def project(start: Path | None) -> Project:
    """The project that was named, or the one around here."""
    from pnp.read.project import find_project

    return find_project((start or Path.cwd()).resolve())


def output(out: Path | None, start: Path | None) -> OutputFolder:
    """Where files go: the folder that was named, or ``output/`` of the project, unless that is a link somebody made."""
    from pnp.system.sealing import own_key
    from pnp.values.outcome import OutputFolder

    if out is None:
        out = project(start).root / "output"
        refuse_link(out)
    return OutputFolder(out.absolute(), own_key())


def refuse_link(out: Path) -> None:
    """A stranger's project may lead anywhere; who wants to write there says so."""
    from pnp.system.record import is_link

    if is_link(out):
        raise click.UsageError(f"{out} is a link to {out.resolve()}. To write there name it: --out {out.resolve()}")


def chosen(project: Project, games: Sequence[str]) -> list[str]:
    """The games that were named, each once; all of them where none was."""
    from pnp.read.project import NoSuchGame

    if not games and not project.games():
        raise NoSuchGame(f"there is no game in {project.content}: a game is a folder there with a game.toml")
    for game in games:
        project.folder(game)
    return list(dict.fromkeys(games)) or project.games()


@contextmanager
def cache() -> Iterator[Cache]:
    """What was drawn and set before, on this machine; as much of it as may be kept."""
    from pnp.system.cache import Cache, cache_folder

    known = Cache(cache_folder())
    yield known
    if known.news:
        known.trim()


def calibration(printer: str, backs: str = "") -> Calibration:
    """What was stored of a printer, for backs that are made so."""
    from pnp.system import printers
    from pnp.system.sealing import config_folder

    try:
        return printers.calibration(config_folder(), printer, backs)
    except (printers.NoSuchPrinter, ValueError) as error:
        raise click.BadParameter(str(error), param_hint="--printer") from None


@contextmanager
def workers(jobs: int | None, tasks: int) -> Iterator[Executor | None]:
    """Processes for several games; none when one after the other is as good."""
    import os

    wanted = min(jobs or os.cpu_count() or 1, tasks)
    if wanted < 2:
        yield None
        return
    from pnp.system import workers as beside

    with beside.workers(wanted) as executor:
        yield executor
