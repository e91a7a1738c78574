"""Implements ``pnp build``, which makes files to print, and ``pnp clean``, which removes them and the cache."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from pnp.cli import options as ask
from pnp.cli.output import built, finish, near, number, progress, say, wants_json
from pnp.shapes.affine import Calibration
from pnp.system.cache import Cache, cache_folder
from pnp.system.manifest import clear
from pnp.values.game import MARGIN, Backs, Ink, Paper
from pnp.values.outcome import CutFiles, FaceFiles, MarkedSides, Options, Ranges

if TYPE_CHECKING:
    from concurrent.futures import Executor

# Decks for persons: more than there are cores.
MANY = 1_000
# What a machine looks for stands on the front alone.
MARKED_ONCE = ("silhouette", "silhouette-card-maker", "spot")


@click.command()
@ask.games
@ask.papers
@ask.only
@ask.sheets
@ask.times
@ask.changed
@click.option("--together", is_flag=True, help="Lay the games on common sheets, in output/together/GAME+GAME.")
@click.option(
    "--language",
    "spoken",
    metavar="CODE",
    multiple=True,
    help="In another language, such as de; more than once for several; de+fr for both on a piece.",
)
@click.option("--languages", type=ask.Choice(["all"]), help="In its own language and in all others that it has files for.")
@ask.backs
@ask.margin
@ask.low_ink
@ask.grey
@click.option(
    "--price",
    type=click.FloatRange(0, 1000),
    callback=ask.price,
    default=0.0,
    help="What a printed page costs; the print plan then adds it up.",
)
@click.option("--printer", help="Move backs and keep the margin as pnp calibrate has stored for this printer.")
@click.option(
    "--faces",
    type=ask.Choice(["png", "svg"]),
    help="Also write every face as a file; SVG has its text as outlines.",
)
@click.option("--dpi", type=click.IntRange(36, 1200), default=300, show_default=True, help="Resolution of --faces png.")
@click.option(
    "--cut",
    type=ask.Choice(["silhouette", "silhouette-card-maker", "spot", "svg", "dxf"]),
    help="Also a file of each sheet for a cutting machine. silhouette: both kinds, with its marks instead of cut lines; "
    "silhouette-card-maker: cards lie as in its templates; spot: cut lines in the spot colour CutContour.",
)
@click.option(
    "--marks",
    type=ask.Choice(["front", "both"]),
    default="front",
    show_default=True,
    help="Sides with marks to cut and fold.",
)
@click.option("--perforate", is_flag=True, help="In files for cutting machines folds are dashes to cut.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Games built at the same time. Default: one a core.")
@click.option(
    "--each",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Build a deck for each row of this table; templates see each.COLUMN.",
)
@click.option("--dask", metavar="ADDRESS", help="Build on the Dask cluster of this scheduler, which sees the same folders.")
@click.option("--fresh", is_flag=True, help="Build even what has not changed.")
@click.option(
    "--draft", is_flag=True, help="Build although something is wrong, with DRAFT on every sheet, and still leave with 1."
)
@click.option("--bleed/--no-bleed", default=True, show_default=True, help="Faces as files with their bleed or cut to size.")
@ask.out
@ask.as_json
def build(
    games: tuple[str, ...],
    papers: tuple[Paper, ...],
    only: tuple[str, ...],
    sheets: Ranges,
    times: int,
    changed: bool,
    together: bool,
    spoken: tuple[str, ...],
    languages: str | None,
    backs: Backs,
    margin: float | None,
    ink: Ink | None,
    price: float,
    printer: str | None,
    faces: FaceFiles | None,
    dpi: int,
    cut: CutFiles | None,
    marks: MarkedSides,
    perforate: bool,
    jobs: int | None,
    each: Path | None,
    dask: str | None,
    fresh: bool,
    draft: bool,
    bleed: bool,
    out: Path | None,
) -> None:
    """Build the printable files of all games, or of those named.

    What has not changed is left alone. What is not the whole game once goes into output/GAME/part.
    """
    from pnp.flows.batch import build_each, build_games

    if cut in MARKED_ONCE and backs == "gutterfold":
        raise click.UsageError(f"--cut {cut} needs sheets that are not folded: choose --backs long-edge or none")
    asked = click.get_current_context().get_parameter_source
    for option, wants in (("dpi", ("png",)), ("bleed", ("png", "svg"))):
        if asked(option) is ParameterSource.COMMANDLINE and faces not in wants:
            typed = "--dpi" if option == "dpi" else "--bleed" if bleed else "--no-bleed"
            raise click.UsageError(
                f"{typed} says how faces are written as files: it goes with --faces {' or '.join(wants)}. "
                "The sheets have their pictures as sharp as paper shows, and need their bleed for the cut"
            )
    if perforate and cut not in ("svg", "dxf", "silhouette"):
        raise click.UsageError("--perforate says how folds are cut: it goes with --cut svg, dxf or silhouette")
    if marks == "both" and (backs not in ("long-edge", "short-edge") or cut in MARKED_ONCE):
        raise click.UsageError(
            "--marks both is for sheets with two sides that are cut by hand: it goes with --backs long-edge or short-edge, "
            f"and without --cut {', '.join(MARKED_ONCE)}"
        )
    if changed and draft:
        raise click.UsageError("--changed goes without --draft: what is wrong cannot be compared with what is on paper")
    if changed and each is not None:
        raise click.UsageError("--changed compares with what pnp printed has put down of the game, not with decks of --each")
    if together and (len(set(games)) < 2 or each or faces or only or sheets or draft or dask):
        raise click.UsageError(
            "--together lays the sheets of several games: name at least two, without --each, --faces, --only, --sheets, "
            "--draft and --dask"
        )
    if languages and (spoken or each or together):
        raise click.UsageError(
            "--languages builds a game in all of its languages: it goes without --language, --each, --together"
        )
    if spoken and (together or changed):
        raise click.UsageError(f"--language goes without {'--together' if together else '--changed'}")
    if len(spoken) > 1 and each:
        raise click.UsageError("--each prints one game for many, in one language")
    project = ask.project()
    calibration = ask.calibration(printer, backs) if printer else Calibration()
    margin = margin or calibration.margin or MARGIN
    if cut == "silhouette-card-maker" and margin > MARGIN:
        raise click.UsageError(f"--cut {cut} has its marks 10 mm from the edge: choose a --margin of at most {MARGIN:g}mm")
    options = Options(
        out=ask.output(out),
        papers=papers,
        backs=backs,
        calibration=calibration,
        faces=faces or "",
        dpi=dpi,
        face_bleed=bleed,
        ink=ink or "",
        price=price,
        cut=cut or "",
        marks=marks,
        perforate=perforate,
        margin=margin,
        draft=draft,
        selection=ask.selection(games, only, sheets, times, changed),
        language=spoken[0] if spoken else "",
    )
    chosen = ask.chosen(project, games)
    # Other programs are told everything, which is only known of what was built just now.
    known = None if fresh or wants_json() else Cache(cache_folder())
    if each is not None and len(chosen) != 1:
        raise click.UsageError("--each prints one game for many: name the game")
    many = len(chosen) if each is None else MANY
    with ask.refusing(), progress() as tell, _dask(dask) if dask else ask.workers(jobs, many, tell) as executor:
        if together:
            from pnp.flows.together import build_together

            results = [build_together(project, chosen, options, tell, known)]
        elif each is not None:
            results = build_each(project, chosen[0], options, each.resolve(), tell, known, executor)
        else:
            several = spoken if languages or len(spoken) > 1 else None
            results = build_games(project, chosen, options, tell, known, executor, several)
    finish(results, built)


@click.command()
@click.option("--output", "game", metavar="GAME", help="Remove what pnp wrote for this game instead.")
@ask.out
def clean(game: str | None, out: Path | None) -> None:
    """Empty the cache: what was built is built anew next time. Files in output/ stay, unless --output is given."""
    if game is not None:
        output = ask.output(out)
        folder = output / game
        if not game or Path(game).name != game or game == ".." or not folder.is_dir():
            raise click.UsageError(f"there is no folder {near(folder)}")
        removed, changed = clear(output, game)
        say(f"removed {number(len(removed), 'file')} from {near(folder)}")
        for path in changed:
            say(f"{near(path)} stays: it was changed after pnp wrote it")
        if folder.is_dir() and not changed:
            say("what stays there was not written by pnp")
        return
    if out is not None:
        raise click.UsageError("--out goes with --output GAME")
    count, size = Cache(cache_folder()).clean()
    say(f"removed {number(count, 'entry', 'entries')}, {size / 1_000_000:.1f} MB, from {cache_folder()}")


# Said in words that any Python understands: a worker with another pnp could not take in a function of this one.
_PARTS = "__import__('importlib').import_module('pnp.system.cache').engines()"


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    from pnp.flows.batch import differing

    try:
        from distributed import Client
    except ImportError:
        raise click.UsageError("--dask needs the package distributed: pip install 'pnp-press[dask]'") from None
    try:
        client = Client(address, timeout="10s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"no Dask scheduler answers at {address} ({error})", param_hint="--dask") from None
    with client:
        # What workers with another pnp, Python or library make would differ, and be cached as right.
        for where, told in client.run(eval, _PARTS, on_error="return").items():
            if words := differing(told if isinstance(told, tuple) else ()):
                raise click.UsageError(f"the Dask worker at {where} {words}")
        yield client.get_executor()  # type: ignore[no-untyped-call]
