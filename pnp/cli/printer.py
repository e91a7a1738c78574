"""``pnp calibrate``: what a person's own printer does with paper, and how pnp learns of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from pnp.cli import options as ask
from pnp.cli.output import near
from pnp.shapes.affine import Calibration, Flip
from pnp.system.sealing import config_folder

if TYPE_CHECKING:
    from pnp.values.game import Paper


@click.command()
@click.option("--set", "measured", metavar="DX,DY[,ANGLE]", help="Store what the test showed, in mm and degrees.")
@click.option("--printer", help="The printer's name, in your own words.")
@click.option(
    "--backs",
    type=click.Choice(get_args(Flip)),
    help="About which edge the paper is turned over; each has a test of its own. Default: long-edge.",
)
@click.option(
    "--margin",
    callback=ask.margin_of,
    help="With --set: how near to the edges this printer prints; builds for it then let pieces lie so near.",
)
@ask.test_papers
@ask.out
@click.pass_obj
def calibrate(
    start: Path | None,
    measured: str | None,
    printer: str | None,
    backs: Flip | None,
    margin: float | None,
    papers: tuple[Paper, ...],
    out: Path | None,
) -> None:
    """Print the duplex test, or store what it showed.

    Without --set: write the test page (with --printer NAME as that printer's calibration would
    print it, so that all scales should show 0). With --set and --printer: store the numbers.
    """
    from pnp.flows.build import NoRoom, calibration_pages
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
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--set") from None
        also = f", with its margin of {kept:g} mm" if margin is None and kept else ""
        also += f", for --backs {before.flip} as before" if backs is None and before.flip != "long-edge" else ""
        click.echo(f'stored "{printer}" in {stored_in}{also}; build with --printer "{printer}"')
        return
    if margin is not None:
        raise click.UsageError("--margin is stored with --set: pnp calibrate --set DX,DY --margin 4mm --printer NAME")
    chosen = papers or (presets.paper("a4"), presets.paper("letter"))
    output = ask.output(out, start)
    known = ask.calibration(printer, backs or "") if printer else Calibration(flip=backs or "long-edge")
    try:
        written = calibration_pages(output, chosen, known)
    except NoRoom as error:
        raise click.BadParameter(str(error), param_hint="--paper") from None
    for path in written:
        click.echo(f"wrote {near(path)}")
