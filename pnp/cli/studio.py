"""``pnp studio``: the project in the browser."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import click

from pnp.cli import completion as complete
from pnp.cli import options as ask

EXTRA = "pip install 'pnp-press[studio]'"


@click.command()
@click.argument("game", required=False, shell_complete=complete.games)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to serve at. Default: any that is free.")
@click.option("--no-browser", is_flag=True, help="Only print the address; open no browser.")
@click.pass_obj
def studio(start: Path | None, game: str | None, port: int, no_browser: bool) -> None:
    """See and change a game in the browser, on this machine alone. Ctrl-C ends it."""
    project = ask.project(start)
    if game is not None:
        project.folder(game)
    if importlib.util.find_spec("nicegui") is None:
        raise click.UsageError(f"the studio is an extra that is not installed. Type: {EXTRA}")
    from pnp.studio.app import PortTaken, serve

    first = True

    def opened(address: str) -> None:
        nonlocal first
        click.echo(f"the studio: {address}" if first else f"to open it again: {address}")
        if first and not no_browser:
            click.launch(address)
        first = False

    try:
        serve(project, game, port, opened)
    except PortTaken as error:
        raise click.UsageError(str(error)) from None
