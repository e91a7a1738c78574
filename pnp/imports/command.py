"""``pnp import``: the command, and its messages about what was left behind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pnp.cli.options import Choice, here
from pnp.cli.output import near, number, say
from pnp.system.addons import names
from pnp.values.problems import Fault

if TYPE_CHECKING:
    from pnp.imports.deck import Imported

# Of what was left behind, on the terminal; the game's README.md has all of it.
MOST_SHOWN = 25


@click.command("import", short_help="Bring a project of Squib, nanDECK, CardMaker, Cider …")
@click.argument("file", type=click.Path(path_type=Path, exists=True))
@click.argument("name", required=False)
@click.option(
    "--as",
    "tool",
    type=Choice(names("pnp.imports")),
    help="Whose file it is, where that is not seen.",
)
def bring(file: Path, name: str | None, tool: str | None) -> None:
    """Make a game of a project of another tool, template included, in content/NAME.

    FILE is a script of Squib or nanDECK, a project of CardMaker or Cider, cards of rpg-cards or Cockatrice, a plain
    list such as "3 Goblin", or a table; or the folder of a project. Scripts are read, never run.

    What was left behind is listed, here and in the game's README.md.
    """
    from pnp.cli.output import FINDINGS, UNREADABLE, show_problems
    from pnp.flows.start import CannotStart
    from pnp.imports.importing import import_game
    from pnp.imports.outcome import ComesOutEmpty, score

    try:
        brought = import_game(here(), file, name, tool)
    except ComesOutEmpty as error:
        _tell(error.imported, "")
        show_problems(error.problems)
        say(f"nothing was written: {score(error.imported) or 'nothing came over'}", err=True)
        click.get_current_context().exit(FINDINGS)
    except CannotStart as error:
        raise click.BadParameter(str(error), param_hint="NAME") from None
    except Fault as error:
        show_problems([error.problem("bad-import")])
        say("nothing was written", err=True)
        click.get_current_context().exit(UNREADABLE)
    imported = brought.imported
    _tell(imported, f", in {near(brought.folder / 'README.md')}")
    rows = sum(len(deck.table.rows) for deck in imported.decks)
    made = f"{number(rows, 'card')} in {number(len(imported.decks), 'component')}"
    say(f"made {near(brought.folder)} from {imported.tool}: {made}")
    if told := score(imported):
        say(f"  {told}")
    say(f"  pnp build {brought.folder.name}   print it")


def _tell(imported: Imported, where: str) -> None:
    """Prints what was left out or changed, with its place in the source."""
    from pnp.imports.writing import entries

    for heading, rule in (("left behind", "left-behind"), ("came over in another way", "brought-differently")):
        told = entries(imported, rule)
        if told:
            click.echo(click.style(f"{heading}: {len(told)}", bold=True))
        for line in told[:MOST_SHOWN]:
            say(f"  {line}")
        if len(told) > MOST_SHOWN:
            say(f"  and {len(told) - MOST_SHOWN} more{where}")
