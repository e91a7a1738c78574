"""How a printed file was made, in a line that it carries, so that ``pnp verify`` can make it once more."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, get_args

from pnp.read import presets
from pnp.read.languages import language_fault
from pnp.shapes import units
from pnp.shapes.affine import Calibration
from pnp.values.game import LEAST_MARGIN, MOST_MARGIN, Backs, Ink, Paper
from pnp.values.outcome import NOWHERE, CutFiles, MarkedSides, Options
from pnp.values.selection import MOST_TIMES, WHOLE, Selection

MOST_LETTERS = 2_000_000


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
            **({} if options.marks == "front" else {"marks": options.marks}),
            **({"language": options.language} if options.language else {}),
            **({} if options.selection.is_whole else {"part": _part(options.selection)}),
        },
        sort_keys=True,
    )


def _part(selection: Selection) -> dict[str, object]:
    """What was chosen; of what had changed the very pieces, for by then they are on paper."""
    usual = asdict(WHOLE)
    return {key: value for key, value in asdict(selection).items() if value != usual[key]}


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
        marks = told.get("marks", "front")
        choices = ((told["backs"], Backs), (told["ink"], Ink), (told["cut"], CutFiles), (marks, MarkedSides))
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
            marks=marks,
            margin=margin,
            each=tuple((str(column), str(text)) for column, text in told["each"]),
            selection=_selection(told.get("part", {})),
            language=_language(told.get("language", "")),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _language(told: object) -> str:
    if not isinstance(told, str) or (told and language_fault(told)[0]):
        raise ValueError("that is no language")
    return told


def _selection(told: Mapping[str, Any]) -> Selection:
    copies = told.get("copies")
    if any(int(count) < 1 for _, count in copies or ()):
        raise ValueError("no piece is printed less than once")
    return Selection(
        only=tuple(map(str, told.get("only", ()))),
        sheets=tuple((int(first), int(last)) for first, last in told.get("sheets", ())),
        times=min(MOST_TIMES, max(1, int(told.get("times", 1)))),
        copies=None if copies is None else tuple((str(name), int(count)) for name, count in copies),
        gone=tuple(map(str, told.get("gone", ()))),
    )
