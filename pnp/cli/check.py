"""Implements ``pnp check``, ``verify``, ``count`` and ``list``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from pnp.cli import options as ask
from pnp.cli.output import UNREADABLE, checked, count_table, finish, near, number, progress, say, tables_listed, wants_json
from pnp.values.game import MARGIN, Backs, Ink, Paper
from pnp.values.outcome import NOWHERE, Options


@click.command()
@ask.games
@ask.language
@ask.low_ink
@ask.grey
@click.option(
    "--draw/--no-draw",
    default=True,
    show_default=True,
    help="Also draw the pieces and read what is on them, or check tables, claims and boards alone.",
)
@click.option(
    "--unbound",
    is_flag=True,
    help="Also change each number in memory, and list those that no rule notices. Takes a minute or two.",
)
@click.option("--explain", metavar="RULE", help="Tell what a rule is about instead: why, an example, how to mend it.")
@ask.out
@ask.as_json
def check(
    games: tuple[str, ...],
    language: str | None,
    ink: Ink | None,
    draw: bool,
    unbound: bool,
    explain: str | None,
    out: Path | None,
) -> None:
    """Find what is wrong with all games, or with those named, without printing.

    Writes output/GAME/report.html for each game, or with --json tells what stands there.
    """
    from pnp.flows.batch import check_games

    if explain is not None:
        from pnp.check.registry import documentation

        try:
            say(documentation(explain))
        except KeyError as error:
            raise click.BadParameter(str(error.args[0]), param_hint="--explain") from None
        return
    project = ask.project()
    chosen = ask.chosen(project, games)
    if unbound and language:
        raise click.UsageError("--unbound looks at the numbers of the game, which are those of every language")
    options = Options(NOWHERE if wants_json() else ask.output(out), ink=ink or "", language=language or "")
    # Without drawing a check is done before other processes have begun.
    beside = len(chosen) if draw else 1
    with progress() as tell, ask.cache() as cache, ask.workers(None, beside, tell) as executor:
        results = check_games(project, chosen, options, tell, cache, executor, draw, unbound)
    finish(results, checked, "mend these before printing", reports=True)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False), metavar="FILE...")
@click.option(
    "--game",
    shell_complete=ask.complete_games,
    help="The game that the files are of. Default: what they say themselves.",
)
@ask.as_json
def verify(files: tuple[Path, ...], game: str | None) -> None:
    """Count the pieces in printed files, by what really lies on their pages, and compare with the tables.

    Where all are there, each page, or file of an export, is compared with the same made once more. A file in the inks of a
    press, whoever made it, is also looked at as print shops do.
    """
    from pnp.flows.verify import verify_file
    from pnp.write.printed import NotPrinted

    project = ask.project()
    try:
        with ask.cache() as cache:
            results = [verify_file(project, path.resolve(), game, cache) for path in files]
    except NotPrinted as error:
        say(f"Error: {error}", err=True)
        click.get_current_context().exit(UNREADABLE)
    finish(
        results,
        lambda result: f"{near(result.files[0])}: {result.said or 'all there'}",
        "do not print this",
        reports=True,
    )


@click.command()
@ask.games
@ask.papers
@ask.only
@ask.times
@ask.changed
@ask.backs
@ask.margin
@ask.as_json
def count(
    games: tuple[str, ...],
    papers: tuple[Paper, ...],
    only: tuple[str, ...],
    times: int,
    changed: bool,
    backs: Backs,
    margin: float | None,
) -> None:
    """Count components, or what is selected of them: kind, name, different designs, copies, sheets."""
    from pnp.flows.build import count_game

    project = ask.project()
    selection = ask.selection(games, only, (), times, changed)
    options = Options(NOWHERE, papers[:1], backs, margin=margin or MARGIN, selection=selection)
    with ask.cache() as cache, ask.refusing():
        results = [count_game(project, game, options, cache) for game in ask.chosen(project, games)]
    # What is wrong elsewhere, such as in a layout, keeps nobody from counting pieces.
    for result in results:
        if not (wants_json() or result.ok) and result.counts:
            say(count_table(result))
    finish(results, count_table, "the pieces that could be read are counted")


@click.command(name="list")
@ask.games
@ask.as_json
def list_games(games: tuple[str, ...]) -> None:
    """List the games of this project and their components; of those named also what their tables were taken for.

    For every column: its title, its name in templates, what its cells are, and what nothing uses.
    """
    from pnp.flows.check import list_game
    from pnp.read.game import read_game
    from pnp.values.problems import Problems

    project = ask.project()
    found: dict[str, dict[str, Any]] = {}
    if games:
        with ask.cache() as cache:
            found = {name: list_game(project, name, cache) for name in ask.chosen(project, games)}
    else:
        for name in project.games():
            game = read_game(project, name, Problems())
            components = [component.name for component in game.components] if game else []
            found[name] = {"title": game.title if game else None, "components": components}
    if wants_json():
        click.echo(json.dumps({"games": found}, ensure_ascii=False, indent=2))
        return
    for name, entry in found.items():
        title, errors = entry["title"], entry.get("errors")
        what = f"{title}: {', '.join(entry['components'])}" if title else f"cannot be read; see pnp check {name}"
        say(f"{name}: {what}")
        for listed in entry.get("tables", ()):
            say(f"\n{tables_listed(listed)}")
        if errors and title:
            say(f"\n{number(errors, 'error')}; see pnp check {name}")
