"""The translations that games are shipped with are whole, in step with their games, and nothing is wrong with them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from conftest import LONG, ROOT

from pnp.flows.check import prove
from pnp.flows.pipeline import Pipeline
from pnp.read.languages import GLOSSARY
from pnp.read.project import Project
from pnp.values.languages import GONE
from pnp.values.outcome import NOWHERE, Options, Result

CATALOGUES = sorted(file for file in ROOT.glob("content/*/languages/*.csv") if not file.name.endswith(GLOSSARY))


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_a_shipped_translation_is_whole_and_in_step(file: Path) -> None:
    """Every text is translated, no row is stale or of a text that is gone, and the check in that language finds nothing."""
    rows = list(csv.DictReader(file.read_text(encoding="utf-8-sig").splitlines(keepends=True)))
    odd = [row["location"] for row in rows if not row["target"].strip() or row["fuzzy"] or GONE in row["context"]]
    assert rows and odd == []

    made = Pipeline(Project(ROOT), file.parts[-3], Options(NOWHERE, language=file.stem))
    # Spanish has the alphabet of German and texts as long: how its pieces look is judged in long runs.
    prove(made, Result(made.name, made.problems), pictures=LONG or file.stem != "es", books=True)

    assert [(problem.rule, str(problem.place), problem.message) for problem in made.problems] == []


def test_every_shipped_translation_has_a_glossary() -> None:
    """Of the words that its game settles; what it finds fault with, the check tells above."""
    missing = [file for file in CATALOGUES if not file.with_name(f"{file.stem}{GLOSSARY}").is_file()]

    assert CATALOGUES and missing == []
