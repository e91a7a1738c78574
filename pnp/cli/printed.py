"""``pnp printed``: what is on paper now."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pnp.cli import options as ask
from pnp.cli.output import UNREADABLE, finish, near, progress

if TYPE_CHECKING:
    from pnp.values.game import Backs, Ink
    from pnp.values.outcome import Result


@click.command()
@ask.game
@ask.only
@ask.times
@click.option(
    "--from",
    "files",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="What lies on the pages of this file that pnp built, instead of the game as it is now; more than once for several.",
)
@ask.backs
@ask.low_ink
@ask.grey
@ask.as_json
@click.pass_obj
def printed(
    start: Path | None,
    game: str,
    only: tuple[str, ...],
    times: int,
    files: tuple[Path, ...],
    backs: Backs,
    ink: Ink | None,
    as_json: bool,
) -> None:
    """Say that the game is on paper as it is now: pnp build GAME --changed then prints only what has changed since.

    It is kept in content/GAME/printed.csv. Nothing is printed or built.
    """
    from pnp.flows.printed import printed_files, printed_game
    from pnp.values.outcome import NOWHERE, Options
    from pnp.values.selection import NoSuchPart, Selection
    from pnp.write.printed import NotPrinted

    project = ask.project(start)
    project.folder(game)
    if files and (only or times > 1 or backs != "long-edge" or ink):
        raise click.UsageError("--from takes what lies in the files: say no --only, --times, --backs, --low-ink or --grey")
    try:
        if files:
            result = printed_files(project, game, files)
        else:
            options = Options(NOWHERE, backs=backs, ink=ink or "", selection=Selection(only, times=times))
            with progress(as_json) as tell, ask.cache() as cache:
                result = printed_game(project, game, options, tell, cache)
    except NoSuchPart as error:
        raise click.UsageError(str(error)) from None
    except NotPrinted as error:
        click.echo(f"Error: {error}", err=True)
        click.get_current_context().exit(UNREADABLE)
    finish([result], as_json, _told)


def _told(result: Result) -> str:
    return f"{result.game}: {result.said}; wrote {near(result.files[0])}"
