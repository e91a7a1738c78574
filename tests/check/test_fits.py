"""Pieces fit where they lie, and are as large as what they are like."""

from __future__ import annotations

import re

import pytest
from conftest import TinyProject, toml
from hypothesis import given
from hypothesis import strategies as st

from pnp.check.fits import FITS, look, spare
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.values.findings import Subject
from pnp.values.problems import Problem, Problems

GAME = toml("""
game: name = "Tiny"; papers = ["a4"]
ice: copies = 4; size = "28mm x 28mm"
disc: kind = "token"; copies = 12; size = "16mm"; shape = "circle"
figure: kind = "standee"; size = "24mm x 40mm"; base = "9mm"
block: kind = "prism"; copies = 8; size = "30mm x 32mm"; depth = "20mm"
sea: kind = "board"; map = "sea.txt"; legend = "legend"; cell = "30mm"
hills: kind = "board"; map = "hills.txt"; legend = "legend"; cell = "30mm"; grid = "hex"
tiles: kind = "tile"; hex = "30mm"
track: kind = "tracker"; size = "112mm x 40mm"; spaces = "track"
set: kind = "domino"; highest = 1; size = "28mm x 56mm"
deck: size = "tcg"; copies = 40
tuck: kind = "box"; holds = ["deck"]
bag: kind = "pouch"; size = "70mm x 100mm"; depth = "40mm"
""")
ICE_IN_SEA = '"Ice" (29.5 × 29.5 mm) and a square of "Sea" (30 mm) do not fit: 0.5 mm are spare'
ELL = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path d="M0 0H40V10H10V40H0Z"/></svg>'


def told(tiny: TinyProject, fit: str, *changed: tuple[str, str]) -> tuple[list[Problem], list[Problem]]:
    """What reading finds with a section, and what the rules find."""
    game = GAME
    for old, new in changed:
        assert old in game
        game = game.replace(old, new, 1)
    tiny.put(
        game_toml=re.sub(r"(\[component\.\w+\])", r'\1\ntemplate = "cards"', game),
        rules_toml=fit,
        sea_txt="..A\n.AA\n",
        hills_txt=". A\n . .\n",
        legend_csv="letter,kind,name\n.,sea,Sea\nA,town,Avery\n",
        tiles_csv="id,name\nt,T\n",
        track_csv="track,value\n" + "".join(f"Speed,{value}\n" for value in range(5)),
    )
    problems = Problems()
    read = read_game(Project(tiny.project.root), "tiny", problems)
    assert read is not None
    return list(problems), list(look(Subject(read)).problems)


def found(tiny: TinyProject, fit: str, *changed: tuple[str, str]) -> list[Problem]:
    """What the rules find in a game that reads."""
    problems, rest = told(tiny, f"[fit.one]\n{fit}\n", *changed)
    assert problems == [], [str(problem) for problem in problems]
    return rest


@pytest.mark.parametrize(
    "fit",
    [
        'what = "ice"\nin = "sea"\nroom = "2mm"\nmost = "2mm"',
        'what = ["disc", "figure"]\nin = "sea"',
        'what = "figure"\nin = "hills"',
        'what = "disc"\nin = "track"\nroom = "4mm"\nmost = "4mm"',
        'what = "disc"\nin = "set"\nroom = "12mm"\nmost = "12mm"',
        'what = "deck"\nin = "66mm x 91mm"\nroom = "2mm"\nmost = "3mm"',
        'what = "deck"\nin = "tuck"',
        'what = "deck"\nin = "90mm x 65mm"',
        'what = ["deck", "disc"]\nin = "bag"',
        'what = "deck"\nin = "tcg"\nmost = "0mm"',
        'what = "ice"\nin = "sea"\nkinds = ["town"]\nnumber = 4',
        'what = "tiles"\nlike = "hills"\nmost = "0mm"',
    ],
)
def test_what_fits_is_silent(tiny: TinyProject, fit: str) -> None:
    """In cells, fields, hexes, spaces, halves, sleeves, boxes and bags, and on other pieces."""
    assert [str(problem) for problem in found(tiny, fit)] == []


@pytest.mark.parametrize(
    ("fit", "old", "new", "place", "says"),
    [
        ('what = "ice"\nin = "sea"\nroom = "1mm"', '"28mm x 28mm"', '"29.5mm x 29.5mm"', "ice", ICE_IN_SEA),
        ('what = ["ice", "disc"]\nin = "sea"', 'cell = "30mm"', 'cell = "14mm"', "sea", '"Disc" (16 mm wide and round)'),
        ('what = "figure"\nin = "tiles"', 'base = "9mm"', 'base = "20mm"', "figure", "(24 × 40 mm at its foot)"),
        ('what = "disc"\nin = "track"', '"112mm x', '"80mm x', "disc", 'a space of "Track" (13.6 × 40 mm)'),
        ('what = "disc"\nin = "set"', '"28mm x 56mm"', '"15mm x 30mm"', "disc", 'a half of "Set" (15 mm)'),
        ('what = "deck"\nin = "66mm x 91mm"', '"tcg"', '"tarot"', "deck", "(70 × 120 mm) and a place of 66 × 91 mm do"),
        ('what = "ice"\nin = "deck"\nnumber = 6', '"28mm x 28mm"', '"30mm x 30mm"', "ice", '6 × "Ice"'),
        ('what = "block"\nin = "bag"', "copies = 8", "copies = 15", "bag", "are 0.29 litres"),
        ('what = ["deck", "ice"]\nin = "tuck"', "copies = 4", "copies = 90", "tuck", "mm high in all"),
        ('what = "ice"\nin = "disc"', 'shape = "circle"', 'shape = "ell"', "disc", "has a dent in its outline"),
        (
            'what = "disc"\nin = "sea"\nkinds = ["town", "sea"]\nmost = "14mm"',
            "sea.txt",
            "wide.txt",
            "disc",
            "44 mm are spare",
        ),
    ],
)
def test_what_does_not_fit_is_told_with_both_sizes(
    tiny: TinyProject, fit: str, old: str, new: str, place: str, says: str
) -> None:
    """At the piece; at what it lies in, where none of several pieces fits there."""
    tiny.write("content/tiny/wide.txt", "AA.\nAA.\n")
    tiny.write("content/tiny/art/ell.svg", ELL)
    problems = found(tiny, fit, (old, new))

    assert {problem.place.column for problem in problems} == {f"component.{place}"}
    assert all((problem.rule, problem.severity) == (FITS, "error") for problem in problems)
    assert any(says in problem.message for problem in problems), [problem.message for problem in problems]
    assert all("rules.toml row 1" in problem.message for problem in problems)


@pytest.mark.parametrize(
    ("fit", "old", "new", "says"),
    [
        ('what = "hills"\nlike = "sea"', 'cell = "30mm"', 'cell = "33mm"', '"Hills" is 30 mm, and "Sea", which it should'),
        ('what = "tuck"\nlike = "bag"', "copies = 40", "copies = 41", '"Bag", which it should be like, 70 × 100 × 40 mm'),
        ('what = "figure"\nlike = "block"', "24mm", "25mm", '"Figure" is 25 × 40 × 18 mm, and "Block"'),
    ],
)
def test_what_is_not_like_its_model_is_told(tiny: TinyProject, fit: str, old: str, new: str, says: str) -> None:
    """Cells with cells, hexes with hexes, sides with sides."""
    problems = found(tiny, fit, (old, new))
    assert [says in problem.message for problem in problems] == [True] * bool(says)


@pytest.mark.parametrize(
    ("fit", "rule", "column"),
    [
        ('what = "icy"\nin = "sea"', "unknown-component", "fit.one.what"),
        ('what = "ice"', "missing-key", "fit.one"),
        ('what = "ice"\nin = "sea"\nlike = "disc"', "bad-value", "fit.one"),
        ('what = "ice"\nin = "sea"\nroom = "2mm"\nmost = "1mm"', "bad-value", "fit.one.most"),
        ('what = "ice"\nin = "sea"\nkinds = ["twon"]', "unknown-kind", "fit.one.kinds"),
        ('what = "ice"\nin = "figure"', "bad-value", "fit.one.in"),
    ],
)
def test_what_can_not_be_compared_is_told_where_it_stands(tiny: TinyProject, fit: str, rule: str, column: str) -> None:
    """Misspelt names and kinds, lengths that are none, and where nothing can lie."""
    problems, _ = told(tiny, f"[fit.one]\n{fit}\n")
    assert [(each.rule, each.place.column) for each in problems] == [(rule, column)], [str(each) for each in problems]


sides = st.floats(1, 200)


@given(sides, sides, sides, sides, st.floats(-90, 90), st.floats(-90, 90), st.booleans())
def test_a_place_has_to_spare_what_its_shorter_way_has(
    wide: float, high: float, broad: float, tall: float, x: float, y: float, backwards: bool
) -> None:
    """Of a box in a box the less of both ways, below 0 where it does not fit; wherever the place is, and however written."""
    place = ((x, y), (x + broad, y), (x + broad, y + tall), (x, y + tall))
    piece = ((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high))
    upright, turned = min(broad - wide, tall - high), min(broad - high, tall - wide)

    assert spare(piece, place[::-1] if backwards else place, (0,)) == pytest.approx(upright, abs=1e-6)
    assert spare(piece, place, (0, 90)) == pytest.approx(max(upright, turned), abs=1e-6)
