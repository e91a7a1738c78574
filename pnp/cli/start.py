"""Implements ``pnp new``, ``template``, ``translate`` and ``fetch``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click

from pnp.cli import options as ask
from pnp.cli.output import FINDINGS, UNREADABLE, finish, near, say, show_problems
from pnp.read import presets
from pnp.system.paths import within
from pnp.values.game import Look
from pnp.values.problems import Fault, Problem


class _TableFile(click.Path):
    """The path of a table; an address is told with what to do."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if "://" in str(value):
            self.fail(
                "this is an address: download the sheet as CSV or XLSX first; pnp fetch brings it anew later.", param, ctx
            )
        return super().convert(value, param, ctx)


@click.command()
@click.argument("name")
@click.option(
    "--from",
    "source",
    metavar="GAME",
    shell_complete=ask.complete_games,
    help="Copy this game of the project, or one of pnp's own.",
)
@click.option("--blank", is_flag=True, help="The least that builds: one card, one template.")
@click.option(
    "--table",
    type=_TableFile(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Make and build a deck of a table (CSV, XLSX, ODS): a card a row, drawn by the names of its columns.",
)
@click.option(
    "--pictures",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="Make and build a deck of finished pictures: each is a whole card, and one called back is the back.",
)
@click.option(
    "--style", type=ask.Choice(get_args(Look)), help="How the cards of --table look.  [default: plain]", show_choices=True
)
@click.pass_context
def new(
    context: click.Context,
    name: str,
    source: str | None,
    blank: bool,
    table: Path | None,
    pictures: Path | None,
    style: Look | None,
) -> None:
    """Make a new game in content/NAME: a small complete one of ten cards, to change into yours.

    NAME has small letters, digits and hyphens: fox-and-hen. Where there is no project yet, one begins here.

    pnp's own are passing-puzzle, penguin, penguin-pirates, penguins-night-out and pirates-on-the-prowl.
    """
    from pnp.flows.start import CannotStart, copy_game, start_from_pictures, start_from_table, start_game

    if sum((source is not None, blank, table is not None, pictures is not None)) > 1:
        told = "--from copies a game, --blank starts without one, --table and --pictures make a deck: choose one of them"
        raise click.UsageError(told)
    if table is None and Path(name).is_file():
        raise click.BadParameter(f"{name} is a file. {ask.deck_of(name)}", param_hint="NAME")
    if style and table is None:
        raise click.UsageError("--style goes with --table; in a game it is the key style of [game] in game.toml")
    here, deck, notes = ask.here(), "", list[str]()
    try:
        if table is not None:
            file = table.resolve()
            folder, deck = start_from_table(here, name, file.name, file.read_bytes, style or "plain")
        elif pictures is not None:
            folder, deck, notes = start_from_pictures(here, name, pictures.resolve())
        elif source is not None:
            folder = copy_game(here, name, source)
        else:
            folder = start_game(here, name, "blank" if blank else "starter")
    except CannotStart as error:
        told = str(error)
        if table is not None and (here / "content" / name).is_dir():
            told += f" A game has a copy of its table: change that one, in content/{name}, and type pnp build {name}."
        raise click.BadParameter(
            told, param_hint=("--pictures" if pictures else "--table") if error.place else "NAME"
        ) from None
    for note in notes:
        say(note)
    say(f"made {near(folder)}; the first to change is the name, in its game.toml. Then:")
    steps = _next(folder, copied=source is not None, deck=deck, drawn=pictures is None)
    width = max(len(command) for command, _ in steps)
    for command, what in steps:
        say(f"  {command:<{width}}   {what}")
    if deck:
        from pnp.cli.build import build

        code = build.main([name], standalone_mode=False, obj=folder.parent.parent) or 0
        if code:
            copy = next(path for path in sorted(folder.iterdir()) if path.stem == deck)
            click.echo(
                f"The game was made, and printed nothing yet. Mend {near(copy)}, then type: pnp build {name}", err=True
            )
        else:
            made = near(folder.parent.parent / "output" / name / "a4" / "print.pdf")
            say(f"Print {made} at 100 %, or the one in letter. Its first page says how.")
        context.exit(code)


def _next(folder: Path, copied: bool, deck: str, drawn: bool) -> list[tuple[str, str]]:
    """The next commands and what each does; a copy's components are unknown here. ``drawn``: the deck by its columns."""
    project, name = folder.parent.parent, folder.name
    # From where the project is not found by itself, the commands have to name it.
    pnp = "pnp" if within(project, Path.cwd()) else f'pnp --project "{near(project)}"'
    if deck:
        look = (f"{pnp} template {name} {deck}", "write out how the cards look, to change it")
        look = look if drawn else (f"{pnp} preview {name}", "how it looks")
        return [(f"{pnp} build {name}", "print it again, once the table or game.toml have changed"), look]
    look = (f"{pnp} count {name}", "what there is of it") if copied else (f"{pnp} preview {name} cards", "how it looks")
    return [
        (f"{pnp} build {name}", f"print it: PDFs in {near(project / 'output' / name)}"),
        look,
        (f"{pnp} check {name}", "whether everything adds up"),
    ]


def _size(text: str) -> str:
    if text:
        presets.card_size(text)
    return text


@click.command()
@click.argument("what", nargs=-1, required=True, metavar="[FILE.svg] [GAME COMPONENT]")
@click.option(
    "--game",
    "game",
    metavar="GAME",
    shell_complete=ask.complete_games,
    help="The game that gets the drawing. Default: the only one.",
)
@click.option("--name", default="", metavar="NAME", help="What the template is called. Default: as the file.")
@click.option(
    "--size",
    default="",
    type=ask.Read(_size),
    help="The card's size, poker or 70mm x 100mm, where the drawing does not say it.",
)
def template(what: tuple[str, ...], game: str | None, name: str, size: str) -> None:
    """Make a template of a drawing of Inkscape, Illustrator, Affinity or Figma, or write out the look of a component.

    Texts of a drawing that have a name, or places such as {cost}, become text boxes which show the column of that name.
    The rest becomes a drawing in art/.

    GAME COMPONENT writes out the templates of a component that has none, to be changed.
    """
    from pnp.flows.start import make_template, suggested, write_looks
    from pnp.system.manifest import NotOurs

    if len(what) == 2:
        project = ask.project()
        try:
            with ask.refusing(Fault):
                for looked in write_looks(project, *what):
                    say(f"made {near(looked)}")
        except NotOurs as error:
            raise click.UsageError(f"{near(error.path)} is there already; nothing was touched") from None
        return
    file = Path(what[0])
    if len(what) > 2 or not file.exists() or file.is_dir():
        raise click.UsageError(f'name a drawing, or a game and its component: "{" ".join(what)}" is neither')
    project = ask.project()
    games = project.games()
    if game is None and len(games) != 1:
        raise click.UsageError(f"name the game with --game. Games here: {', '.join(games) or 'none'}")
    with ask.refusing(Fault):
        made = make_template(project, game or games[0], file.resolve(), name or suggested(file), size)
    if isinstance(made, Problem):
        show_problems([made])
        click.get_current_context().exit(FINDINGS)
    say(f"made {near(made.template)} and {near(made.drawing)}")
    for note in made.notes:
        say(f"  {note}")
    say("To print with it, write into game.toml:")
    say("\n".join(f"  {line}" for line in made.section.splitlines()))
    say(f"and cards into {made.table}, with the columns: {', '.join(made.columns or ('name',))}")


@click.command()
@ask.game
@click.argument("language")
@click.option(
    "--po",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write a new PO file, for Weblate or Poedit.",
)
@click.option(
    "--from-po",
    "brought",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Take translations from a PO file.",
)
def translate(game: str, language: str, po: Path | None, brought: Path | None) -> None:
    """Make or update the translations of a game: content/GAME/languages/LANGUAGE.csv, for LANGUAGE such as de or pt-BR.

    Fill in the target of each row; then pnp build --language prints the game in that language.
    """
    from pnp.flows.translate import translate_game

    project = ask.project()
    if po is not None and po.exists():
        raise click.UsageError(f"{near(po)} is there already: take its translations with --from-po, or name another file")
    with ask.refusing(Fault):
        made = translate_game(project, game, language, brought, po)
    show_problems(made.problems)
    if not made.ok:
        say(f"{game}: nothing was written", err=True)
        click.get_current_context().exit(UNREADABLE if made.problems.unreadable else 1)
    say(made.said)
    for path in made.files:
        say(f"wrote {near(path)}")


@click.command()
@ask.game
@click.argument("tables", nargs=-1, metavar="[TABLE]...")
@ask.as_json
def fetch(game: str, tables: tuple[str, ...]) -> None:
    """Bring a game's published tables, or those named, into its folder, and say what is new in them.

    Fetched are tables with an address in game.toml, unless you made or changed them yourself. No other command uses the
    network.
    """
    from pnp.flows.fetch import fetch_tables

    with ask.refusing(Fault):
        result = fetch_tables(ask.project(), game, tables)
    finish([result], lambda result: result.said)
