"""The command that brings a game into another language: ``pnp translate``."""

from __future__ import annotations

from pathlib import Path

import click

from pnp.cli import options as ask
from pnp.cli.output import UNREADABLE, near, show_problems


@click.command()
@ask.game
@click.argument("language")
@click.option(
    "--po",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write it as a PO file, for Weblate or Poedit. A file that is there is not replaced.",
)
@click.option(
    "--from-po",
    "brought",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Take translations from a PO file.",
)
@click.pass_obj
def translate(start: Path | None, game: str, language: str, po: Path | None, brought: Path | None) -> None:
    """Make or update the translations of a game: content/GAME/languages/LANGUAGE.csv, for LANGUAGE such as de or pt-BR.

    Every text of the game has a row there. Fill in its target, in any spreadsheet; then pnp build --language prints the
    game in that language. What has changed since is marked and keeps its old translation; what is gone moves to the end.
    """
    from pnp.flows.translate import export_po, told, translate_game
    from pnp.values.problems import Refused

    project = ask.project(start)
    if po is not None and po.exists():
        raise click.UsageError(f"{near(po)} is there already: take its translations with --from-po, or name another file")
    try:
        made = translate_game(project, game, language, brought)
        if po is not None and made.ok:
            made.files += export_po(project, game, language, po).files[1:]
    except Refused as error:
        raise click.UsageError(str(error)) from None
    show_problems(made.problems)
    if not made.ok:
        click.echo(f"{game}: nothing was written", err=True)
        click.get_current_context().exit(UNREADABLE if made.problems.unreadable else 1)
    click.echo(told(made))
    for path in made.files:
        click.echo(f"wrote {near(path)}")
