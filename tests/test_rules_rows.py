"""What rules.toml of the shipped games says of rows and sizes is seen to break, whatever it says by now."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from mutations import ROOT, Copy, Edit, named

from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.values.problems import Problems
from pnp.values.rules import Agreement, Fit, Part

GAMES = sorted(path.parent.name for path in (ROOT / "content").glob("*/rules.toml"))
READ = {name: game for name in GAMES if (game := read_game(Project(ROOT), name, Problems()))}
AGREEMENTS = [(name, agreement) for name, game in READ.items() for agreement in game.rules.agreements]
FITS = [(name, fit) for name, game in READ.items() for fit in game.rules.fits]


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Copy]:
    """The shipped games, ready to be changed."""
    return {name: Copy(tmp_path_factory.mktemp(name), name) for name in READ}


def exchanged(file: str, column: str) -> Edit:
    """Two values of a column change places: the first, and the last other one."""

    def change(whole: str) -> str:
        head, *rows = csv.reader(io.StringIO(whole))
        at = head.index(column)
        values = [row[at] for row in rows]
        one = next(index for index, value in enumerate(values) if value)
        others = [index for index, value in enumerate(values) if value != values[one]]
        other = max(others, key=lambda index: (bool(values[index]), index))
        rows[one][at], rows[other][at] = values[other], values[one]
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([head, *rows])
        return out.getvalue()

    return file, change


@pytest.mark.parametrize(
    ("game", "agreement"), AGREEMENTS, ids=[f"{name}-{one.table}-{one.column}-{one.by}" for name, one in AGREEMENTS]
)
def test_values_that_changed_places_are_told(game: str, agreement: Agreement, copies: dict[str, Copy]) -> None:
    """Where a column's own cannot, because others refer to its rows, those of a column that its pattern names."""
    parts = [part for pattern in agreement.patterns for part in pattern if isinstance(part, Part)]
    named_too = [part.columns[0] for part in parts if part.columns[0] != "id"]
    column = named_too[0] if agreement.column == "id" and named_too else agreement.column
    file = Path(READ[game].tables[agreement.table].file).name
    found = [each for each in copies[game].problems(exchanged(file, column)) if each.rule == "disagrees"]

    # Of rows whose names changed places those that refer to them tell, too.
    assert file in {Path(each.place.file).name for each in found}


def grown(component: str) -> Edit:
    """A component three times as large."""

    def change(whole: str) -> str:
        head, section, rest = re.split(rf"(?m)^(\[component\.{component}\]$)", whole)
        own, *others = re.split(r"(?m)^(?=\[)", rest)
        lengths = re.sub(
            r'(?m)^((?:size|hex|cell|base|depth) = ".*")$',
            lambda line: re.sub(r"(\d+(?:\.\d+)?)mm", lambda found: f"{3 * float(found[1]):g}mm", line[1]),
            own.replace('"tcg"', '"tarot"').replace('"mini-us"', '"tarot"'),
        )
        assert lengths != own
        return head + section + lengths + "".join(others)

    return "game.toml", change


@pytest.mark.parametrize(("game", "fit"), FITS, ids=[f"{name}-{fit.name}" for name, fit in FITS])
def test_a_piece_that_grew_is_told(game: str, fit: Fit, copies: dict[str, Copy]) -> None:
    """Each that a section names; the marker of a tracker is told by reading already."""
    for name in fit.what:
        assert named(copies[game].problems(grown(name))) & {"does-not-fit", "small-spaces"}
