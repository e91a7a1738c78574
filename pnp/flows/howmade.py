"""How a printed file was made, in a line that it carries, so that ``pnp verify`` can make it once more."""

from __future__ import annotations

import json
from typing import get_args

from pnp.read import presets
from pnp.shapes import units
from pnp.shapes.affine import Calibration
from pnp.values.game import LEAST_MARGIN, MOST_MARGIN, Backs, Ink, Paper
from pnp.values.outcome import NOWHERE, CutFiles, Options

MOST_LETTERS = 20_000


def how_made(options: Options, paper: Paper | None, backs: Backs) -> str:
    """What of the options shows on paper, for one paper; none for a file that has sizes of its own.

    ``backs`` is what the file needs: where nothing is printed on backs, no printer's error shows.
    """
    corrected = options.calibration if backs in ("long-edge", "short-edge") else Calibration()
    return json.dumps(
        {
            "paper": "" if paper is None else _named(paper),
            "backs": options.backs,
            "printer": [corrected.dx, corrected.dy, corrected.angle],
            "ink": options.ink,
            "draft": options.draft,
            "price": options.price,
            "cut": options.cut,
            "margin": options.margin,
            "each": options.each,
        },
        sort_keys=True,
    )


def _named(paper: Paper) -> str:
    if paper.name in presets.paper_names():
        return paper.name
    return f"{units.show(paper.width)}mm x {units.show(paper.height)}mm"


def options_of(line: str) -> Options | None:
    """The options that a file tells; None when what it tells is nothing of pnp's."""
    try:
        if len(line) > MOST_LETTERS:
            return None
        told = json.loads(line)
        dx, dy, angle = map(float, told["printer"])
        choices = ((told["backs"], Backs), (told["ink"], Ink), (told["cut"], CutFiles))
        margin = float(told["margin"])
        if not LEAST_MARGIN <= margin <= MOST_MARGIN or any(word not in get_args(words) for word, words in choices):
            return None
        return Options(
            NOWHERE,
            papers=(presets.paper(told["paper"]),) if told["paper"] else (),
            backs=told["backs"],
            calibration=Calibration(dx, dy, angle),
            ink=told["ink"],
            draft=bool(told["draft"]),
            price=float(told["price"]),
            cut=told["cut"],
            margin=margin,
            each=tuple((str(column), str(text)) for column, text in told["each"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
