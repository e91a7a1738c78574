"""``printed.csv`` in a game's folder: what is on paper, as ``pnp printed`` wrote it down."""

from __future__ import annotations

import re
from pathlib import Path

from pnp.read.csvfile import read_csv
from pnp.read.rawtable import MOST_BYTES, Line, Source, within_bounds
from pnp.read.unpacked import TooLarge
from pnp.values.onpaper import COLUMNS, OnPaper, Stock
from pnp.values.problems import Place, Problems, listed

RULE = "printed-file"
AGAIN = "pnp printed writes it anew: move this one away first."
_COUNT = re.compile(r"\d{1,7}")
_DIGEST = re.compile(r"[0-9a-f]{16}")


def read_on_paper(path: Path, shown: str, problems: Problems) -> Stock | None:
    """The pieces that are on paper; None where the file is none of this kind, which is among the problems.

    Raises FileNotFoundError, OSError.
    """
    before = len(problems.errors)
    source = Source(path, shown, None, problems)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise TooLarge(f"the file has more than {MOST_BYTES // 1_000_000} MB")
        lines = within_bounds(read_csv(source).lines)
    except TooLarge as error:
        problems.error(RULE, Place(shown), str(error), hint=AGAIN)
        return None
    if len(problems.errors) > before:
        return None
    head = tuple(cell.strip() for cell in lines[0].texts) if lines else ()
    if head != COLUMNS:
        told = f'it begins with "{", ".join(head)[:80]}"' if head else "it is empty"
        message = f"this is not what pnp printed writes: {told}"
        allowed = f"the columns {listed(COLUMNS)}"
        problems.error(RULE, Place(shown, 1), message, value=",".join(head)[:80], allowed=allowed, hint=AGAIN)
        return None
    found: dict[tuple[str, str], OnPaper] = {}
    for line in lines[1:]:
        if (entry := _entry(line, shown, problems)) is None:
            continue
        key = line.texts[0], line.texts[1]
        if key in found:
            place = Place(shown, line.row, "id")
            problems.error(RULE, place, f"{key[0]}/{key[1]} stands here twice", value=key[1], hint="Remove one of the rows.")
        found[key] = entry
    return found if len(problems.errors) == before else None


def _entry(line: Line, shown: str, problems: Problems) -> OnPaper | None:
    if len(line.texts) != len(COLUMNS):
        message = f"this row has {len(line.texts)} cells"
        problems.error(RULE, Place(shown, line.row), message, allowed=f"{len(COLUMNS)} cells", hint=AGAIN)
        return None
    said = dict(zip(COLUMNS, line.texts, strict=True))
    wrong = [
        (column, allowed)
        for column, pattern, allowed in (
            ("component", re.compile(r".+"), "a component"),
            ("id", re.compile(r".+"), "an id"),
            ("copies", _COUNT, "a number of copies"),
            ("front", _DIGEST, "16 digits and letters from a to f"),
            ("back", re.compile(rf"|{_DIGEST.pattern}"), "nothing, or 16 digits and letters from a to f"),
        )
        if not pattern.fullmatch(said[column])
    ]
    for column, allowed in wrong:
        text = said[column][:80]
        message = f'"{text}" cannot stand here'
        problems.error(RULE, Place(shown, line.row, column), message, value=text, allowed=allowed, hint=AGAIN)
    if wrong:
        return None
    place = Place(shown, line.row, "id")
    return OnPaper(int(said["copies"]), said["paper"], said["cut"], said["front"], said["back"], place)
