"""``pnp new``: what a person types to begin a game, and the three lines that say how to go on."""

from __future__ import annotations

from pathlib import Path

import click

from pnp.cli import completion as complete
from pnp.cli.output import near
from pnp.system.paths import within


@click.command()
@click.argument("name")
@click.option(
    "--from", "source", metavar="GAME", shell_complete=complete.games, help="Copy this game of the project, to change it."
)
@click.option("--blank", is_flag=True, help="The least that builds: one card, one template.")
@click.pass_obj
def new(start: Path | None, name: str, source: str | None, blank: bool) -> None:
    """Make a new game in content/NAME: a small complete one of ten cards, to change into yours.

    NAME is the folder's name: small letters, digits and hyphens, such as fox-and-hen.
    Where there is no project yet, one begins here.
    """
    from pnp.flows.start import CannotStart, copy_game, start_game

    if source is not None and blank:
        raise click.UsageError("--from copies a game and --blank starts without one: choose one of the two")
    here = (start or Path.cwd()).resolve()
    try:
        folder = start_game(here, name, "blank" if blank else "starter") if source is None else copy_game(here, name, source)
    except CannotStart as error:
        raise click.BadParameter(str(error), param_hint="NAME") from None
    click.echo(f"made {near(folder)}; the first to change is the name, in its game.toml. Then:")
    steps = _next(folder, copied=source is not None)
    width = max(len(command) for command, _ in steps)
    for command, what in steps:
        click.echo(f"  {command:<{width}}   {what}")


def _next(folder: Path, copied: bool) -> list[tuple[str, str]]:
    """Three commands to go on with, and what each does; of a copy nobody here knows the components."""
    project, name = folder.parent.parent, folder.name
    # From where the project is not found by itself, the commands have to name it.
    pnp = "pnp" if within(project, Path.cwd()) else f'pnp --project "{near(project)}"'
    look = (f"{pnp} count {name}", "what there is of it") if copied else (f"{pnp} preview {name} cards", "how it looks")
    return [
        (f"{pnp} build {name}", f"print it: PDFs in {near(project / 'output' / name)}"),
        look,
        (f"{pnp} check {name}", "whether everything adds up"),
    ]
