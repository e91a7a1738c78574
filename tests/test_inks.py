"""Packs in little ink and in grey: how much is saved, that all can be read, and that they lie beside the pack in colour."""

from __future__ import annotations

import os

import pytest
from commands import run
from conftest import ROOT, TinyProject, pipeline

from pnp.flows import drawn as inking
from pnp.flows.check import prove
from pnp.flows.drawn import face_inks
from pnp.flows.pipeline import Pipeline
from pnp.read.project import Project
from pnp.system.cache import Cache
from pnp.values.game import Ink as Variant
from pnp.values.outcome import NOWHERE, Options, Result
from pnp.write.png import Ink, coverage, page_ink

# With PNP_LONG set all five packs are looked at, else the one whose grounds are darkest.
GAMES = Project(ROOT).games() if "PNP_LONG" in os.environ else ["passing-puzzle"]
# White on a dark ground, small and in a colour: the card that is hardest to read once its ground is pale.
HARD = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}
{{ s.ground(face, "#0e0824") }}
{{ s.text(row.name, 5, 5, 53, 10, size="14 9", name="title", fill="#ffffff") }}
{{ s.text(row.text, 5, 40, 53, 40, size="10 8", name="rules", fill="#a2f22f") }}
{% endblock %}
"""


def printed(name: str, ink: Variant) -> tuple[list[Ink], Result]:
    """The ink on each page of a shipped game's sheets on A4, and what looking at its drawn pieces finds."""
    made = pipeline(Project(ROOT), name, ink=ink)
    result = Result(name, made.problems)
    if ink:
        prove(made, result)
    assert made.drawn is not None and made.book is not None
    inks = face_inks(made.drawn, made.book)
    paper = made.papers[0]
    assert made.problems.errors == []
    return [page_ink(page, inks) for page in made.pages(made.sheets(made.decks, paper), paper)], result


@pytest.mark.parametrize("name", GAMES)
def test_a_pack_in_little_ink_or_in_grey_can_be_read(name: str) -> None:
    """Low-ink takes at least 60 % less than the colours, grey no coloured ink; the rules find nothing in either."""
    (full, _), (low, in_low), (grey, in_grey) = (printed(name, ink) for ink in ("", "low-ink", "grey"))

    assert [str(problem) for problem in (*in_low.problems, *in_grey.problems)] == []
    assert len(low) == len(grey) == len(full)
    assert sum(page.total for page in low) <= 0.4 * sum(page.total for page in full)
    # A page that had ink has some: nothing is lost.
    assert [bool(page.total > 0.5) for page in low] == [bool(page.total > 0.5) for page in full]
    assert max(page.cyan + page.magenta + page.yellow for page in grey) < 0.005


class Gauge:
    """Measures as always, and tells how many pages it was given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pages = 0
        monkeypatch.setattr(inking, "coverage", self._measure)

    def _measure(self, pdf: bytes) -> list[Ink]:
        found = coverage(pdf)
        self.pages += len(found)
        return found


def inks_of(tiny: TinyProject, cache: Cache | None, ink: Variant = "") -> dict[str, Ink]:
    """The ink on the faces of the tiny game."""
    made = Pipeline(tiny.project, "tiny", Options(NOWHERE, ink=ink), cache=cache)
    assert made.drawn is not None and made.book is not None
    return face_inks(made.drawn, made.book)


def test_only_faces_that_have_changed_are_measured_again(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are known from the build before; and what is known is what would be measured."""
    cache, gauge = Cache(tiny.project.root / "cache"), Gauge(monkeypatch)

    def measured(ink: Variant = "") -> int:
        before = gauge.pages
        inks = inks_of(tiny, cache, ink)
        pages = gauge.pages - before
        assert inks == inks_of(tiny, None, ink)
        return pages

    assert measured() == 2
    assert measured() == 0
    tiny.write("content/tiny/cards.csv", "name,text\nAnna,Draw two.\nBert,Pass and pass again.\n")
    assert measured() == 1
    assert measured("grey") == 2


@pytest.mark.parametrize("ink", ["low-ink", "grey"])
def test_light_texts_on_dark_can_be_read_in_another_ink(tiny: TinyProject, ink: str) -> None:
    """White and neon on night: in low-ink they are dark on pale, in grey they are light on dark."""
    tiny.write("templates/tiny/cards.svg.j2", HARD)

    assert run("check", f"--{ink}", "--json", at=tiny.project.root).problems == []


def test_the_printed_file_takes_less_ink(tiny: TinyProject) -> None:
    """Measured on the sheet as it is printed, and no other file is touched: each ink has a folder of its own."""
    sheets = {}
    for ink in ("", "low-ink", "grey"):
        kept = {path: path.read_bytes() for path in (tiny.project.root / "output").rglob("*") if path.is_file()}
        done = run("build", *([f"--{ink}"] if ink else []), at=tiny.project.root)
        assert done.code == 0, done.err
        folder = tiny.project.root / "output" / "tiny" / ink
        sheets[ink] = coverage((folder / "a4" / "cards.pdf").read_bytes())[0]
        assert {path: path.read_bytes() for path in kept} == kept
        assert (folder / "manifest.json").is_file()

    assert 0 < sheets["low-ink"].total <= 0.4 * sheets[""].total
    assert max(sheets["grey"].cyan, sheets["grey"].magenta, sheets["grey"].yellow) < 0.005
    assert sheets["grey"].black > 0.05
