"""``pnp export``: a game for virtual tables and print services."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from pnp.cli import options as ask
from pnp.cli.output import finish, near, number, progress, wants_json
from pnp.exports.choices import LEAST_WIDTH, MOST_BLEED, MOST_FACES, MOST_WIDTH, Order, Standard, Stock
from pnp.system.addons import load, names

if TYPE_CHECKING:
    from pnp.values.outcome import Result


# What people call the targets.
_MEANT = {
    "tts": "tabletop-simulator",
    "ttp": "tabletop-playground",
    "cgs": "card-game-simulator",
    "vtt": "virtualtabletop",
    "mpc": "makeplayingcards",
    "tgc": "gamecrafter",
    "dtrpg": "drivethrucards",
    "pcio": "playingcards",
    "png": "faces",
    "images": "faces",
    "html": "web",
    "cmyk": "press",
    "pdf": "press",
}


class _Target(ask.Choice):
    """A target; says what to write where it is called otherwise or stands behind the game."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value).lower()
        if text in _MEANT:
            self.fail(f'"{value}" is no target. Write {_MEANT[text]}.', param, ctx)
        if text not in self.choices and text in ask.game_names(ctx):
            self.fail(f"the target stands before the game: pnp export TARGET {text}", param, ctx)
        return super().convert(value, param, ctx)


def _grid(_: click.Context, __: click.Parameter, text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    pair = re.fullmatch(r"(\d{1,3})\s*[x×]\s*(\d{1,3})", text)
    columns, rows = (int(pair[1]), int(pair[2])) if pair else (0, 0)
    if not (1 <= columns <= MOST_FACES and 1 <= rows <= MOST_FACES):
        raise click.BadParameter(f'"{text}" is no number of columns and rows up to {MOST_FACES}, such as 10x7')
    return columns, rows


def _url(_: click.Context, __: click.Parameter, text: str) -> str:
    if text and not (re.fullmatch(r"https?://[^\s/]\S*", text) and text.isprintable()):
        raise click.BadParameter(f'"{text}" is no address, such as https://example.org/my-game')
    return text.rstrip("/")


def _bleed(_: click.Context, __: click.Parameter, text: str | None) -> float | None:
    from pnp.shapes.units import length

    if text is None:
        return None
    try:
        bleed = length(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    if not 0 <= bleed <= MOST_BLEED:
        raise click.BadParameter(f'"{text}" is out of bounds: a bleed is from 0mm to {MOST_BLEED:g}mm')
    return bleed


@click.command(short_help="Write a game for a virtual table or a print service.")
@click.argument("target", type=_Target(names("pnp.exports")), metavar="TARGET")
@ask.games
@click.option(
    "--url",
    callback=_url,
    default="",
    metavar="BASE",
    help="Where you will put the pictures for everybody. Default: files of this machine.",
)
@click.option("--grid", callback=_grid, metavar="10x7", help="Columns and rows of a sheet of pictures.")
@click.option("--width", type=click.IntRange(LEAST_WIDTH, MOST_WIDTH), help="Dots across a picture of a face.")
@click.option("--shop", default="", help="The print shop whose sizes and rules are kept.")
@click.option("--order", type=ask.Choice(get_args(Order)[1:]), help="Which side of a piece comes first.")
@click.option("--bleed", callback=_bleed, metavar="3mm", help="How far faces reach beyond the cut.")
@click.option(
    "--profile",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="The ICC profile of the press. Default: that of Debian's scribus-data, if installed.",
)
@click.option(
    "--standard",
    type=ask.Choice(get_args(Standard)[1:]),
    help="PDF/X-4, or PDF/X-1a for shops that take no transparency. Default: what the shop asks for, else x4.",
)
@click.option("--imposed", is_flag=True, help="The sheets, as they are printed at home.")
@click.option("--nearest", is_flag=True, help="Put pieces of no product's size onto the next larger one, unscaled.")
@click.option(
    "--stock",
    type=ask.Choice(get_args(Stock)[1:]),
    help="The cardboard of an order: S27 smooth, S30 standard, S33 superior, M31 linen, P10 plastic. Default: S30.",
)
@click.option("--foil", is_flag=True, help="Order foil on the fronts of cards; not on plastic.")
@ask.language
@click.option("--fresh", is_flag=True, help="Export even what has not changed.")
@ask.out
@ask.as_json
@click.pass_context
def export(
    context: click.Context,
    target: str,
    games: tuple[str, ...],
    url: str,
    grid: tuple[int, int] | None,
    width: int | None,
    shop: str,
    order: Order | None,
    bleed: float | None,
    profile: Path | None,
    standard: Standard | None,
    imposed: bool,
    nearest: bool,
    stock: Stock | None,
    foil: bool,
    language: str | None,
    fresh: bool,
    out: Path | None,
) -> None:
    """Write a game for a virtual table or a print service, into output/GAME/export/TARGET.

    A piece that a target cannot take is named, with what to do instead.
    """
    from pnp.exports.choices import Choices
    from pnp.exports.export import export_game
    from pnp.system.cache import Cache, cache_folder
    from pnp.values.outcome import Options

    typed = {name for name in context.params if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE}
    chosen_here = typed - {"target", "games", "language", "fresh", "out"}
    # Who says nothing special is not kept waiting until all targets are known.
    if chosen_here:
        options_of: frozenset[str] = load("pnp.exports", target).options
        if foreign := sorted(chosen_here - options_of):
            takes = ", ".join(f"--{name}" for name in sorted(options_of)) or "none of its own"
            raise click.UsageError(f"{target} has no use for --{foreign[0]}; its options: {takes}")
    if imposed and (order or bleed is not None):
        raise click.UsageError("--imposed takes the sheets as they are printed at home: it goes without --order and --bleed")
    project = ask.project()
    options = Options(ask.output(out), language=language or "")
    choices = Choices(
        *(target, url, grid, width, shop, order or "", bleed, profile, standard or "", imposed, nearest),
        stock=stock or "",
        foil=foil,
    )
    known = None if fresh or wants_json() else Cache(cache_folder())
    with progress() as tell:
        results = [export_game(project, name, choices, options, tell, known) for name in ask.chosen(project, games)]
    if known is not None:
        known.trim()
    finish(results, _told)


def _told(result: Result) -> str:
    return f"{result.game}: {number(len(result.files), 'file')} in {near(result.files[-1].parent)}"
