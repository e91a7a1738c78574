"""``pnp studio``: the project in the browser."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import click

from pnp.cli import options as ask
from pnp.values.problems import Fault

if TYPE_CHECKING:
    from pnp.read.project import Project

EXTRA = "pip install 'pnp-press[studio]'"


@click.command(short_help="See and change a game in the browser.")
@click.argument("game", required=False, shell_complete=ask.complete_games)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to serve at. Default: any that is free.")
@click.option("--no-browser", is_flag=True, help="Only print the address; open no browser.")
def studio(game: str | None, port: int, no_browser: bool) -> None:
    """See and change a game in the browser, on this machine alone. Ctrl-C ends it."""
    project = _project(game)
    if importlib.util.find_spec("nicegui") is None:
        raise click.UsageError(f"the studio is an extra that is not installed. Type: {EXTRA}")
    from multiprocessing import util

    from pnp.studio.app import serve

    first = True

    def opened(address: str) -> None:
        nonlocal first
        click.echo(f"the studio: {address}" if first else f"to open it again: {address}")
        if first and not no_browser:
            click.launch(address)
        first = False

    try:
        serve(project, game, port, opened)
    except Fault as error:
        raise click.UsageError(str(error)) from None
    finally:
        # What starts the workers has a folder among our temporary files, and takes it away before these go.
        util._run_finalizers()  # type: ignore[attr-defined]


def _project(game: str | None) -> Project:
    """The project; in an empty folder a new one begins with its first game. Raises NoSuchGame."""
    from pnp.read.project import NoSuchGame, Project

    try:
        project = ask.project()
    except NoSuchGame:
        if game is not None:
            raise
        return Project(ask.here())
    if game is not None:
        project.folder(game)
    return project
