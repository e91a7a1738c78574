"""``pnp import``: what a person types to bring a project of another tool, and what is said of what stayed behind."""

from __future__ import annotations

from pathlib import Path

import click

from pnp.cli.output import near, number

# Of what was left behind, on the terminal; the game's README.md has all of it.
MOST_SHOWN = 25


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True))
@click.argument("name", required=False)
@click.option(
    "--as",
    "tool",
    type=click.Choice(["squib", "nandeck", "rpg-cards", "cardmaker", "cider", "cockatrice", "list"]),
    help="Whose file it is, where that is not seen.",
)
@click.pass_obj
def bring(start: Path | None, file: Path, name: str | None, tool: str | None) -> None:
    """Make a game of a project of another tool, template included, in content/NAME.

    FILE is a script of Squib or nanDECK, a project of CardMaker or Cider, cards of rpg-cards or Cockatrice, a plain
    list such as "3 Goblin", or a table; or the folder of a project. Scripts are read, never run.

    What was left behind is listed, with its place in FILE, here and in the game's README.md.
    """
    from pnp.cli.output import UNREADABLE, show_problems
    from pnp.flows.importing import import_game
    from pnp.flows.imports.source import CannotImport
    from pnp.flows.imports.writing import entry
    from pnp.flows.start import CannotStart

    try:
        brought = import_game((start or Path.cwd()).resolve(), file, name, tool)
    except CannotImport as error:
        show_problems([error.problem])
        click.echo("nothing was written", err=True)
        click.get_current_context().exit(UNREADABLE)
    except CannotStart as error:
        raise click.BadParameter(str(error), param_hint="NAME") from None
    notes = list(brought.imported.notes)
    for heading, rule in (("left behind", "left-behind"), ("came over in another way", "brought-differently")):
        told = [note for note in notes if note.rule == rule]
        if told:
            click.echo(click.style(f"{heading}: {len(told)}", bold=True))
        for note in told[:MOST_SHOWN]:
            click.echo(f"  {entry(note)}")
        if len(told) > MOST_SHOWN:
            click.echo(f"  and {len(told) - MOST_SHOWN} more, in {near(brought.folder / 'README.md')}")
    rows = sum(len(deck.table.rows) for deck in brought.imported.decks)
    made = f"{number(rows, 'card')} in {number(len(brought.imported.decks), 'component')}"
    click.echo(f"made {near(brought.folder)} from {brought.imported.tool}: {made}")
    click.echo(f"  pnp build {brought.folder.name}   print it")
