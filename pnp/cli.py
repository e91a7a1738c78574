"""The command line: one face over :mod:`pnp.build`. Knows words and exit codes, decides nothing.

Exit codes: 0 all well · 1 something is wrong with a game · 2 the command itself · 3 a file that
cannot be read or written · 4 a fault of pnp's own · 130 interrupted.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pnp import __version__, completing
from pnp.cli_proof import ink, simulate
from pnp.cli_start import new
from pnp.cli_watch import completion, doctor, watch
from pnp.telling import UNREADABLE, built, checked, count_table, finish, near, number, progress

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from pnp.model import Paper
    from pnp.read.project import Project

USAGE, OURS, INTERRUPTED = 2, 4, 130
# Decks for persons: more than there are cores.
MANY = 1_000
BACKS = ("long-edge", "short-edge", "gutterfold", "none")

_games = click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=completing.games)
_json = click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
_papers = click.option(
    "--paper",
    "papers",
    multiple=True,
    help="a4, a3, letter, legal, tabloid or a size; more than once for several. Default: the game's own.",
)
_backs = click.option(
    "--backs", type=click.Choice(BACKS), default="long-edge", show_default=True, help="How the paper is turned over."
)
_out = click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder to write to. Default: output/ in the project."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--project",
    "start",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="The folder with content/. Default: here or above.",
)
@click.version_option(__version__, prog_name="pnp")
@click.pass_context
def cli(context: click.Context, start: Path | None) -> None:
    """The print-and-play press: content tables in, printable board games out."""
    from pnp.stopping import scratch

    context.obj = start
    context.with_resource(scratch())


_low_ink = click.option("--low-ink", "ink", flag_value="low-ink", help="Tints and outlines instead of full colours.")
_grey = click.option("--grey", "ink", flag_value="grey", help="In greys of the same lightness.")


@cli.command()
@_games
@_papers
@_backs
@_low_ink
@_grey
@click.option("--price", type=click.FloatRange(0, 1000), default=0.0, help="Of a printed page, for the print plan.")
@click.option("--printer", help="Correct backs by this printer's stored calibration.")
@click.option("--faces", type=click.Choice(["png", "svg"]), help="Also write every face as a file.")
@click.option("--dpi", type=click.IntRange(36, 1200), default=300, show_default=True, help="Resolution of --faces png.")
@click.option(
    "--cut",
    type=click.Choice(["silhouette", "svg", "dxf"]),
    help="Also files for a cutting machine; silhouette prints its registration marks and writes both.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 64), help="Games built at the same time. Default: as many as there are cores."
)
@click.option(
    "--each",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Build one deck for each row of this table: templates see its cells as each.COLUMN.",
)
@click.option(
    "--dask", metavar="ADDRESS", help="Build on the Dask cluster with this scheduler; it must see the same folders."
)
@click.option("--fresh", is_flag=True, help="Build even what has not changed since it was built.")
@click.option("--draft", is_flag=True, help="Build although something is wrong, with DRAFT on every sheet.")
@click.option("--bleed/--no-bleed", default=True, show_default=True, help="Faces as files with their bleed or cut to size.")
@_out
@_json
@click.pass_obj
def build(
    start: Path | None,
    games: tuple[str, ...],
    papers: tuple[str, ...],
    backs: Any,
    ink: Any,
    price: float,
    printer: str | None,
    faces: str | None,
    dpi: int,
    cut: str | None,
    jobs: int | None,
    each: Path | None,
    dask: str | None,
    fresh: bool,
    draft: bool,
    bleed: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Build the printable files of all games, or of those named."""
    from pnp.batch import build_each, build_games
    from pnp.cache import Cache, cache_folder
    from pnp.faces import Calibration
    from pnp.outcome import Options

    if cut == "silhouette" and backs == "gutterfold":
        raise click.UsageError("--cut silhouette needs sheets that are not folded: choose --backs long-edge or none")
    project = _project(start)
    options = Options(
        out=out or project.root / "output",
        papers=_chosen_papers(papers),
        backs=backs,
        calibration=_calibration(printer) if printer else Calibration(),
        faces=faces or "",
        dpi=dpi,
        face_bleed=bleed,
        ink=ink or "",
        price=price,
        cut=cut or "",
        draft=draft,
    )
    chosen = _chosen(project, games)
    # Other programs are told everything, which is only known of what was built just now.
    known = None if fresh or as_json else Cache(cache_folder())
    if each is not None and len(chosen) != 1:
        raise click.UsageError("--each prints one game for many: name the game")
    many = len(chosen) if each is None else MANY
    with progress(as_json) as tell, _dask(dask) if dask else _workers(jobs, many) as executor:
        if each is not None:
            results = build_each(project, chosen[0], options, each.resolve(), tell, known, executor)
        else:
            results = build_games(project, chosen, options, tell, known, executor)
    finish(results, as_json, built)


@cli.command()
def clean() -> None:
    """Empty the cache: what was built is built anew next time. Files in output/ stay."""
    from pnp.cache import Cache, cache_folder

    count, size = Cache(cache_folder()).clean()
    click.echo(f"removed {number(count, 'entry', 'entries')}, {size / 1_000_000:.1f} MB, from {cache_folder()}")


@cli.command()
@_games
@_low_ink
@_grey
@click.option("--draw/--no-draw", default=True, show_default=True, help="Also draw the pieces and read what is on them.")
@click.option("--explain", metavar="RULE", help="Tell what a rule is about instead: why, an example, how to mend it.")
@_out
@_json
@click.pass_obj
def check(
    start: Path | None, games: tuple[str, ...], ink: Any, draw: bool, explain: str | None, out: Path | None, as_json: bool
) -> None:
    """Find what is wrong with all games, or with those named, without printing.

    Writes report.html for each game, unless --json is asked for.
    """
    from pnp.checking import check_game, write_report

    if explain is not None:
        _explain(explain)
        return
    project = _project(start)
    with progress(as_json) as tell:
        results = [check_game(project, game, tell, draw, ink or "") for game in _chosen(project, games)]
    if not as_json:
        for result in results:
            write_report(result, out or project.root / "output")
    finish(results, as_json, checked, "mend these before printing", reports=True)


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False), metavar="FILE...")
@click.option(
    "--game", shell_complete=completing.games, help="The game that the files are of. Default: what they say themselves."
)
@_json
@click.pass_obj
def verify(start: Path | None, files: tuple[Path, ...], game: str | None, as_json: bool) -> None:
    """Count the pieces in printed files, by what really lies on their pages, and compare with the tables."""
    from pnp.verifying import verify_file
    from pnp.write.printed import NotPrinted

    project = _project(start)
    try:
        results = [verify_file(project, path.resolve(), game) for path in files]
    except NotPrinted as error:
        click.echo(f"Error: {error}", err=True)
        click.get_current_context().exit(UNREADABLE)
    finish(results, as_json, lambda result: f"{near(result.files[0])}: all there", "do not print this", reports=True)


@cli.command()
@_games
@_papers
@_backs
@_json
@click.pass_obj
def count(start: Path | None, games: tuple[str, ...], papers: tuple[str, ...], backs: Any, as_json: bool) -> None:
    """Count components: kind, name, different designs, copies, sheets."""
    from pnp.build import count_game

    project = _project(start)
    chosen = _chosen_papers(papers)
    results = [count_game(project, game, chosen[0] if chosen else None, backs) for game in _chosen(project, games)]
    finish(results, as_json, count_table, "mend these, then count")


@cli.command()
@click.argument("game", shell_complete=completing.games)
@click.argument("component", shell_complete=completing.components)
@click.argument("piece", required=False, metavar="[ID]")
@click.option("--dpi", type=click.IntRange(36, 600), default=150, show_default=True, help="Resolution of the picture.")
@_out
@_json
@click.pass_obj
def preview(
    start: Path | None, game: str, component: str, piece: str | None, dpi: int, out: Path | None, as_json: bool
) -> None:
    """Make a PNG of a component's faces, or of both sides of the piece with this ID."""
    from pnp.build import NoSuchPiece
    from pnp.build import preview as make

    project = _project(start)
    try:
        result = make(project, game, component, piece, out or project.root / "output", dpi)
    except NoSuchPiece as error:
        raise click.UsageError(str(error)) from None
    finish([result], as_json, lambda done: f"wrote {near(done.files[0])}")


@cli.command(name="list")
@_json
@click.pass_obj
def list_games(start: Path | None, as_json: bool) -> None:
    """List the games of this project and their components."""
    from pnp.problems import Problems
    from pnp.read.game import read_game

    project = _project(start)
    found: dict[str, dict[str, Any]] = {}
    for name in project.games():
        game = read_game(project, name, Problems())
        found[name] = {
            "title": game.title if game else None,
            "components": [component.name for component in game.components] if game else [],
        }
    if as_json:
        click.echo(json.dumps({"games": found}, ensure_ascii=False, indent=2))
        return
    for name, entry in found.items():
        what = (
            f"{entry['title']}: {', '.join(entry['components'])}"
            if entry["title"]
            else f"cannot be read; see pnp check {name}"
        )
        click.echo(f"{name}: {what}")


@cli.command()
@click.option("--set", "measured", metavar="DX,DY[,ANGLE]", help="Store what the test showed, in mm and degrees.")
@click.option("--printer", help="The printer's name, in your own words.")
@_papers
@_out
@click.pass_obj
def calibrate(
    start: Path | None, measured: str | None, printer: str | None, papers: tuple[str, ...], out: Path | None
) -> None:
    """Print the duplex test, or store what it showed.

    Without --set: write the test page (with --printer NAME as that printer's calibration would
    print it, so that all scales should show 0). With --set and --printer: store the numbers.
    """
    from pnp import printers
    from pnp.build import calibration_pages
    from pnp.faces import Calibration

    if measured is not None:
        if printer is None:
            raise click.UsageError("--set needs --printer NAME, to know which printer was measured")
        try:
            stored_in = printers.store(printers.config_folder(), printer, printers.parse(measured))
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--set") from None
        click.echo(f'stored "{printer}" in {stored_in}; build with --printer "{printer}"')
        return
    chosen = _chosen_papers(papers) or _chosen_papers(("a4", "letter"))
    folder = out or (_project(start).root / "output")
    for path in calibration_pages(folder, chosen, _calibration(printer) if printer else Calibration()):
        click.echo(f"wrote {near(path)}")


@cli.command()
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write; by default standard output.")
def schema(out: Path | None) -> None:
    """Write the JSON Schema of game.toml, for editors."""
    from pnp.outputs import as_json
    from pnp.read.schema import json_schema

    text = as_json(json_schema())
    if out is None:
        click.echo(text.decode(), nl=False)
    else:
        out.write_bytes(text)
        click.echo(f"wrote {near(out)}")


cli.add_command(simulate)
cli.add_command(ink)
cli.add_command(new)
cli.add_command(watch)
cli.add_command(doctor)
cli.add_command(completion)


def main() -> None:
    """Run the command line; every failure leaves as a sentence and an exit code."""
    import io

    from pnp.stopping import run

    # Where a letter cannot be shown a ? is: a terminal or pipe that knows few letters is nobody's fault.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    sys.exit(run(_run, _interrupted))


def _run() -> int:
    from pnp import stopping

    try:
        code = cli(standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.Abort:
        raise KeyboardInterrupt from None
    except Exception as error:
        if stopping.asked():
            raise KeyboardInterrupt from None
        return _told(error)


def _interrupted() -> int:
    click.echo("interrupted", err=True)
    return INTERRUPTED


def _told(error: Exception) -> int:
    """Say what went wrong; the exit code for it."""
    from pnp.read.project import NoSuchGame

    if isinstance(error, click.ClickException):
        error.show()
        return USAGE
    if isinstance(error, NoSuchGame):
        click.echo(f"Error: {error}", err=True)
        return USAGE
    if isinstance(error, BrokenPipeError):
        return 0
    if isinstance(error, OSError):
        click.echo(f"Error: {_said(error)}", err=True)
        return UNREADABLE
    our_fault()
    return OURS


def _said(error: OSError) -> str:
    """What went wrong with which file."""
    import errno
    import os
    import tempfile

    if isinstance(error, ChildProcessError):
        return str(error)
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    name = str(error.filename2 or error.filename or "")
    # Files of a build name themselves; others that can be large are temporary.
    if full and (not name or name.startswith(f"{tempfile.gettempdir()}{os.sep}pnp-")):
        name = tempfile.gettempdir()
    return f"{error.strerror or error}: {name or 'a file'}"


def our_fault() -> None:
    """What happened goes into a file to send us; the person reads a sentence."""
    import platform
    import tempfile
    import traceback

    from pnp import stopping

    if stopping.asked():
        raise KeyboardInterrupt
    with tempfile.NamedTemporaryFile(
        "w", prefix="pnp-fault-", suffix=".txt", dir=stopping.lasting(), delete=False, encoding="utf-8"
    ) as log:
        log.write(f"pnp-press {__version__}, Python {platform.python_version()}, {platform.platform()}\n")
        log.write(f"arguments: {sys.argv[1:]}\n\n{traceback.format_exc()}")
    click.echo(f"Error: this is a fault of pnp itself, not of your game. Please send us {log.name}.", err=True)


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    """The workers of a cluster."""
    try:
        from distributed import Client
    except ImportError:
        raise click.UsageError("--dask needs the package distributed: pip install 'pnp-press[dask]'") from None
    try:
        client = Client(address, timeout="10s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"no Dask scheduler answers at {address} ({error})", param_hint="--dask") from None
    with client:
        yield client.get_executor()  # type: ignore[no-untyped-call]


@contextmanager
def _workers(jobs: int | None, tasks: int) -> Iterator[Executor | None]:
    """Processes for several games; none when one after the other is as good."""
    import os

    wanted = min(jobs or os.cpu_count() or 1, tasks)
    if wanted < 2:
        yield None
        return
    from pnp.workers import workers

    with workers(wanted) as executor:
        yield executor


def _project(start: Path | None) -> Project:
    from pnp.read.project import find_project

    return find_project((start or Path.cwd()).resolve())


def _chosen(project: Project, games: Sequence[str]) -> list[str]:
    from pnp.read.project import NoSuchGame

    if not games and not project.games():
        raise NoSuchGame(f"there is no game in {project.content}: a game is a folder there with a game.toml")
    for game in games:
        project.folder(game)
    return list(dict.fromkeys(games)) or project.games()


def _chosen_papers(papers: Sequence[str]) -> tuple[Paper, ...]:
    from pnp.read import presets

    try:
        return tuple(dict.fromkeys(presets.paper(text) for text in papers))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--paper") from None


def _calibration(printer: str) -> Any:
    from pnp import printers

    try:
        return printers.calibration(printers.config_folder(), printer)
    except (printers.NoSuchPrinter, ValueError) as error:
        raise click.BadParameter(str(error), param_hint="--printer") from None


def _explain(rule: str) -> None:
    from pnp.check.registry import documentation

    try:
        click.echo(documentation(rule))
    except KeyError as error:
        raise click.BadParameter(str(error.args[0]), param_hint="--explain") from None
