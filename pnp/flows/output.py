"""Files of a game put into the output, and the line in a printed file that says how it was made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from pnp.read import presets
from pnp.read.languages import language_fault
from pnp.shapes import units
from pnp.shapes.affine import Calibration
from pnp.system.manifest import NotOurs, put
from pnp.system.paths import digest_of
from pnp.values.game import LEAST_MARGIN, MOST_MARGIN, Backs, Ink, Paper
from pnp.values.outcome import MOST_TIMES, NOWHERE, WHOLE, CutFiles, MarkedSides, Options, Result, Selection
from pnp.values.problems import Place

MOST_LETTERS = 2_000_000


def how_made(options: Options, paper: Paper | None, backs: Backs) -> str:
    """The options that show on paper, for one paper; none for a file with sizes of its own.

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
    usual = asdict(WHOLE)
    return {key: value for key, value in asdict(selection).items() if value != usual[key]}


def _named(paper: Paper) -> str:
    if paper.name in presets.paper_names():
        return paper.name
    return f"{units.show(paper.width)}mm x {units.show(paper.height)}mm"


def options_of(line: str) -> Options | None:
    """Reads the options from a file's line; None for a line that pnp did not write."""
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
    if not isinstance(told, str) or (told and any(language_fault(each)[0] for each in told.split("+", 1))):
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


def write(
    result: Result, out: Path, where: str, files: Mapping[str, bytes], by: str, owned: Sequence[str] | None = ()
) -> None:
    """Writes files below the output and adds them to the result; a Problem where a file of somebody else's is in the way.

    So one file that somebody keeps there stops its own game and no other. Raises OSError.
    """
    try:
        result.files = put(out, where, files, by, owned)
        result.digests = {name: digest_of(data) for name, data in files.items()}
    except NotOurs as refused:
        result.problems.error("not-ours", Place(str(refused.path)), refused.message, hint=refused.hint)
        result.problems.unreadable = True
