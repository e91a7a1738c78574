"""``pnp fetch``: published sheets into a game's folder; the only command that uses the network."""

from __future__ import annotations

from pathlib import Path

import click

from pnp.cli import options as ask
from pnp.cli.output import finish


@click.command()
@ask.game
@click.argument("tables", nargs=-1, metavar="[TABLE]...")
@ask.as_json
@click.pass_obj
def fetch(start: Path | None, game: str, tables: tuple[str, ...], as_json: bool) -> None:
    """Bring a game's published tables, or those named, into its folder, and say what is new in them.

    A table is fetched whose section in game.toml has an address. Nothing is written unless all that was fetched are
    sound tables. A table that you made or changed yourself is not replaced. No other command uses the network.
    """
    from pnp.flows.fetch import fetch_tables
    from pnp.system.sealing import own_key
    from pnp.values.problems import Refused

    try:
        fetched = fetch_tables(ask.project(start), game, tables, own_key())
    except Refused as refused:
        raise click.UsageError(str(refused)) from None
    finish([fetched.result], as_json, lambda _: "\n".join(f"{game}: {change}" for change in fetched.changes))
