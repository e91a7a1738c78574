"""Implements what looks at games and sheets: ``pnp check``, ``preview``, ``verify``, ``printed`` and their like."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import click

from pnp.cli import options as ask
from pnp.cli.output import UNREADABLE, WORDS, checked, finish, near, number, progress, say, table, wants_json
from pnp.shapes.affine import Calibration, Flip
from pnp.system.paths import config_folder
from pnp.values.game import MARGIN, Backs, Ink, Paper
from pnp.values.outcome import NOWHERE, Options, Result, Selection
from pnp.values.problems import Fault
from pnp.write.png import KINDS, Estimate, RunCost, SheetRun
from pnp.write.printed import NotPrinted


@click.command()
@ask.games
@ask.language
@ask.low_ink
@ask.grey
@click.option(
    "--draw/--no-draw",
    default=True,
    show_default=True,
    help="Also draw the pieces and read them, or check tables, claims and boards alone.",
)
@click.option(
    "--unbound",
    is_flag=True,
    help="Also list numbers that could change unnoticed by any rule. Takes a minute or two.",
)
@click.option("--explain", metavar="RULE", help="Tell of a rule instead: what, why, an example, how to mend it.")
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
    """Find what is wrong with games, without printing.

    Writes output/GAME/report.html.
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
    help="The game that the files are of. Default: what they say.",
)
@ask.as_json
def verify(files: tuple[Path, ...], game: str | None) -> None:
    """Count the pieces in printed files, by what really lies on their pages, and compare with the tables.

    Where all are there, each page or file is compared with the same made once more. A file for a press, whoever made it,
    is also looked at as print shops do.
    """
    from pnp.flows.verify import verify_file

    project = ask.project()
    for path in files:
        if str(path) in project.games() and not path.exists():
            hint = f"Name the file: {near(ask.output() / str(path) / 'a4' / 'print.pdf')}"
            raise click.UsageError(f'"{path}" is a game. {hint}')
    with ask.cache() as cache, _readable():
        results = [verify_file(project, path.resolve(), game, cache) for path in files]
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
            say(_count_table(result))
    finish(results, _count_table, "the pieces that could be read are counted")


@click.command(name="list")
@ask.games
@ask.as_json
def list_games(games: tuple[str, ...]) -> None:
    """List the games of this project and their components.

    Of games named also each column: its title, its name in templates, what its cells are, and whether nothing uses it.
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
            say(f"\n{_columns_listed(listed)}")
        if errors and title:
            say(f"\n{number(errors, 'error')}; see pnp check {name}")


HEADS = ("print plan", "paper", "sheets", "pages", "g/m²", "grams", "ink %", "cost")
# Words are broken into lines of so many letters.
LETTERS = 32


def _count_table(result: Result) -> str:
    numbers = [(entry.different, entry.copies, entry.sheets) for entry in result.counts]
    totals = [sum(column) for column in zip(*numbers, strict=True)]
    rows: list[tuple[str, ...]] = [("kind", "name", "different", "copies", "sheets")]
    rows += [(entry.kind, entry.name, *map(str, row)) for entry, row in zip(result.counts, numbers, strict=True)]
    rows.append(("", "all", *map(str, totals)))
    told = f"{result.game}\n{table(rows)}"
    if not totals:
        return told
    _, pieces, alone = totals
    saved = f"{alone - result.together} saved" if alone > result.together else "none saved"
    sheets = f"{number(alone, 'sheet')} one component at a time, {result.together} together, {saved}"
    return f"{told}\n{number(pieces, 'piece')}; {sheets}"


def _columns_listed(listed: dict[str, Any]) -> str:
    sheet = f", sheet {listed['sheet']}" if listed["sheet"] else ""
    rows = [("title", "name", "taken as", "")]
    for column in listed["columns"]:
        said = {"key": column["key"], "copies": column["copies"], "nothing uses it": column["used"] is False}
        about = ", ".join(word for word, true in said.items() if true)
        title = "(computed)" if column["title"] is None else " ".join(column["title"].split())
        rows.append((title, column["name"], column["taken"], about))
    return f"{listed['name']}: {listed['file']}{sheet}, {number(listed['rows'], 'row')}\n{table(rows, words=4)}"


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except NotPrinted as error:
        say(f"Error: {error}", err=True)
        click.get_current_context().exit(UNREADABLE)


@click.command()
@ask.game
@click.argument("component", required=False, shell_complete=ask.complete_components)
@click.argument("piece", required=False, metavar="[ID]")
@click.option("--dpi", type=click.IntRange(36, 600), default=150, show_default=True, help="Resolution of the picture.")
@ask.low_ink
@ask.grey
@ask.language
@ask.out
@ask.as_json
def preview(
    game: str, component: str | None, piece: str | None, dpi: int, ink: Ink | None, language: str | None, out: Path | None
) -> None:
    """Make a PNG of a component's faces, or of both sides of the piece with this ID; one of each component otherwise."""
    from pnp.flows.build import preview as make

    project = ask.project()
    options = Options(ask.output(out), dpi=dpi, ink=ink or "", language=language or "")
    with ask.cache() as cache, ask.refusing():
        result = make(project, game, options, component, piece, cache)
    finish([result], lambda done: f"wrote {', '.join(map(near, done.files))}")


@click.command()
@click.argument("kind", type=ask.Choice(KINDS))
@ask.game
@click.argument("component", required=False, shell_complete=ask.complete_components)
@ask.paper
@click.option("--dpi", type=click.IntRange(36, 300), default=100, show_default=True, help="Resolution of the pictures.")
@click.option(
    "--pages",
    type=ask.Read(lambda text: ask.span(text, "page", "1-4")),
    metavar="1-4",
    help="Pages by their numbers in the file. Default: all.",
)
def simulate(
    kind: str, game: str, component: str | None, paper: Paper | None, dpi: int, pages: tuple[int, int] | None
) -> None:
    """Show sheets, or those of one COMPONENT, as colour-blind eyes see them, or in grey, beside how they are printed."""
    from pnp.flows.build import simulate as show

    project = ask.project()
    options = Options(ask.output(), (paper,) if paper else (), dpi=dpi)
    with progress() as tell, ask.cache() as cache, ask.refusing():
        result = show(project, game, options, kind, component, pages, tell, cache)
    finish([result], _pictures)


@click.command()
@ask.game
@ask.paper
@ask.low_ink
@ask.grey
@click.option(
    "--price",
    type=float,
    callback=ask.price,
    default=0.05,
    show_default=True,
    help="What a printed page costs.",
)
@click.option(
    "--sheet-price",
    type=float,
    callback=ask.price,
    default=0.02,
    show_default=True,
    help="What a sheet of paper costs.",
)
@ask.as_json
def ink(game: str, paper: Paper | None, ink: Ink | None, price: float, sheet_price: float) -> None:
    """Estimate sheets, grams of paper, ink and money, for each line of the print plan."""
    from pnp.flows.build import ink as measure

    options = Options(NOWHERE, (paper,) if paper else (), ink=ink or "", price=price)
    with progress() as tell, ask.cache() as cache:
        result, estimate = measure(ask.project(), game, options, sheet_price, tell, cache)
    if estimate is None:
        finish([result], lambda done: done.game, "mend these, then count the ink")
    elif wants_json():
        click.echo(json.dumps({"games": [_as_dict(result, estimate)]}, ensure_ascii=False, indent=2))
    else:
        finish([result], lambda done: f"{done.game}\n{_table(estimate)}")


def _pictures(result: Result) -> str:
    first, last = result.files[0], result.files[-1]
    return f"wrote {near(first)}" + (f" to {last.name}" if last != first else "")


def _table(estimate: Estimate) -> str:
    def told(title: str, paper: str, of: SheetRun | Estimate, weight: str, costs: RunCost | Estimate) -> tuple[str, ...]:
        amounts = (f"{costs.grams:.0f}", f"{costs.coverage:.0f}", f"{costs.cost:.2f}")
        return (title, paper, str(of.sheets), str(of.pages), weight, *amounts)

    runs = [told(line.run.title, line.run.paper, line.run, str(line.run.weight), line) for line in estimate.lines]
    lines = [line for row in (HEADS, *runs, told("all", "", estimate, "", estimate)) for line in _lines(row)]
    return f"{table(lines)}\nThe sheet with the print plan itself is not counted."


def _lines(row: tuple[str, ...]) -> list[tuple[str, ...]]:
    """A row as lines, numbers in the first: names of many pieces are wider than a terminal."""
    from itertools import zip_longest
    from textwrap import wrap

    words = [wrap(cell, LETTERS) for cell in row[:WORDS]]
    return [
        (*cells, *(row[WORDS:] if at == 0 else [""] * (len(row) - WORDS)))
        for at, cells in enumerate(zip_longest(*words, fillvalue=""))
    ]


def _as_dict(result: Result, estimate: Estimate) -> dict[str, Any]:
    from pnp.check.registry import in_order

    return {
        "game": result.game,
        "ok": result.ok,
        "problems": [problem.as_dict() for problem in in_order(result.problems)],
        "lines": [
            {
                "title": line.run.title,
                "paper": line.run.paper,
                "weight": line.run.weight,
                "sheets": line.run.sheets,
                "pages": line.run.pages,
                **_amounts(line),
            }
            for line in estimate.lines
        ],
        "total": {"sheets": estimate.sheets, "pages": estimate.pages, **_amounts(estimate)},
    }


def _amounts(of: Estimate | RunCost) -> dict[str, float]:
    return {"coverage": round(of.coverage, 1), "grams": round(of.grams, 1), "cost": round(of.cost, 2)}


@click.command()
@click.option("--set", "measured", metavar="DX,DY[,ANGLE]", help="Store what the test showed, in mm and degrees.")
@click.option("--printer", help="The printer's name, in your own words.")
@click.option(
    "--backs",
    type=ask.Choice(get_args(Flip)),
    help="The edge about which paper is turned over. Default: long-edge.",
)
@click.option(
    "--margin",
    type=ask.MARGIN_TYPED,
    help="With --set: how near to edges it prints.",
)
@ask.test_papers
@ask.out
def calibrate(
    measured: str | None,
    printer: str | None,
    backs: Flip | None,
    margin: float | None,
    papers: tuple[Paper, ...],
    out: Path | None,
) -> None:
    """Print the duplex test, or store what it showed.

    With --set and --printer: store the numbers. With --printer alone: write the test page corrected; all scales should
    show 0.
    """
    from pnp.flows.build import calibration_pages
    from pnp.read import presets
    from pnp.system import printers

    if measured is not None:
        if printer is None:
            raise click.UsageError("--set needs --printer NAME, to know which printer was measured")
        try:
            before = printers.stored(config_folder()).get(printer, Calibration())
            kept = before.margin if margin is None else margin
            measures = replace(printers.parse(measured), flip=backs or before.flip, margin=kept)
            stored_in = printers.store(config_folder(), printer, measures)
        except (Fault, ValueError) as error:
            raise click.BadParameter(str(error), param_hint="--set") from None
        also = f", with its margin of {kept:g} mm" if margin is None and kept else ""
        also += f", for --backs {before.flip} as before" if backs is None and before.flip != "long-edge" else ""
        say(f'stored "{printer}" in {stored_in}{also}; build with --printer "{printer}"')
        return
    if margin is not None:
        raise click.UsageError("--margin is stored with --set: pnp calibrate --set DX,DY --margin 4mm --printer NAME")
    chosen = papers or (presets.paper("a4"), presets.paper("letter"))
    output = ask.output(out)
    known = ask.calibration(printer, backs or "") if printer else Calibration(flip=backs or "long-edge")
    try:
        written = calibration_pages(output, chosen, known)
    except Fault as error:
        raise click.BadParameter(str(error), param_hint="--paper") from None
    for path in written:
        say(f"wrote {near(path)}")


@click.command()
@ask.game
@ask.only
@ask.times
@click.option(
    "--from",
    "files",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Only what lies on the pages of this file that pnp built; more than once for several.",
)
@ask.backs
@ask.low_ink
@ask.grey
@ask.as_json
def printed(game: str, only: tuple[str, ...], times: int, files: tuple[Path, ...], backs: Backs, ink: Ink | None) -> None:
    """Say that the game is on paper as it is now, in content/GAME/printed.csv: pnp build GAME --changed then prints only
    what has changed since.
    """
    from pnp.flows.build import printed_files, printed_game

    project = ask.project()
    project.folder(game)
    if files and (only or times > 1 or backs != "long-edge" or ink):
        raise click.UsageError("--from takes what lies in the files: say no --only, --times, --backs, --low-ink or --grey")
    if files:
        with _readable():
            result = printed_files(project, game, files)
    else:
        options = Options(NOWHERE, backs=backs, ink=ink or "", selection=Selection(only, times=times))
        with progress() as tell, ask.cache() as cache, ask.refusing():
            result = printed_game(project, game, options, tell, cache)
    finish([result], lambda done: f"{done.game}: {done.said}; wrote {near(done.files[0])}")
