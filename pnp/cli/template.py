"""``pnp template``: what a person types to make a template of a drawing, and what they are told of it."""

from __future__ import annotations

from pathlib import Path

import click

from pnp.cli import completion as complete
from pnp.cli import options
from pnp.cli.output import FINDINGS, near, show_problems
from pnp.read import presets


def _size(_: click.Context, __: click.Parameter, text: str) -> str:
    try:
        if text:
            presets.card_size(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return text


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE.svg")
@click.option(
    "--game", "game", metavar="GAME", shell_complete=complete.games, help="The game. Default: the only one of the project."
)
@click.option("--name", default="", metavar="NAME", help="What the template is called. Default: as the file.")
@click.option(
    "--size",
    default="",
    callback=_size,
    help="How large the card is, poker or 70mm x 100mm, where the drawing does not say it in millimetres or inches.",
)
@click.pass_obj
def template(start: Path | None, file: Path, game: str | None, name: str, size: str) -> None:
    """Make a template of a drawing of Inkscape, Illustrator, Affinity or Figma.

    Texts that have a name, or places such as {cost} in them, become text boxes which show the column of that name.
    The rest becomes a drawing in the game's art/. What comes out otherwise than it was drawn is told.
    """
    from pnp.flows.template import BadFile, make_template, suggested
    from pnp.values.problems import Refused

    project = options.project(start)
    games = project.games()
    if game is None and len(games) != 1:
        raise click.UsageError(f"name the game with --game. Games here: {', '.join(games) or 'none'}")
    try:
        made = make_template(project, game or games[0], file.resolve(), name or suggested(file), size)
    except BadFile as fault:
        show_problems([fault.problem])
        click.get_current_context().exit(FINDINGS)
    except Refused as refused:
        raise click.UsageError(str(refused)) from None
    click.echo(f"made {near(made.template)} and {near(made.drawing)}")
    for note in made.notes:
        click.echo(f"  {note}")
    click.echo("To print with it, write into game.toml:")
    click.echo("\n".join(f"  {line}" for line in made.section.splitlines()))
    click.echo(f"and cards into {made.table}, with the columns: {', '.join(made.columns or ('name',))}")
