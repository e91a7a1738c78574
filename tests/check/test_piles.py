"""What is shuffled together cannot be told apart from behind, nor by its size; what is not, can."""

from __future__ import annotations

import pytest
from conftest import TinyProject, toml

from pnp.check.piles import BARE, DIFFERS, RULES, TELLS, UNTOLD
from pnp.flows.check import check_game
from pnp.values.problems import Problem

GAME = toml("""
game: name = "Tiny"; papers = ["a4"]
cargo: size = "tcg"; back = "back"
luck: size = "tcg"; back = "back"
""")
CARGO = "name,player,mark\nAnna,one,x\nBert,one,x\nCora,two,x\nDora,two,x\n"
LUCK = "name,player,mark\nStorm,one,x\nFire,two,x\n"
FACE = """{{% extends "shared/face.svg.j2" %}}
{{% import "shared/pieces.svg.j2" as s %}}
{{% block face %}}{{{{ s.ground(face, "#336699") }}}}{{{{ s.text({}, 5, 5, 50, 20, size="14 9") }}}}{{% endblock %}}
"""


def found(
    tiny: TinyProject, pile: str, back: str = "row.mark", game: str = GAME, cargo: str = CARGO, luck: str = LUCK
) -> list[Problem]:
    """What is told of the tiny game with a pile."""
    tiny.put(game_toml=game, cargo_csv=cargo, luck_csv=luck, rules_toml=pile)
    for name, shown in (("cargo", "row.name"), ("luck", "row.name"), ("back", back), ("other", "'Other'")):
        tiny.write(f"templates/tiny/{name}.svg.j2", FACE.format(shown))
    # How the faces look is of no account here.
    problems = check_game(tiny.project, "tiny", lambda _: None).problems
    return [each for each in problems if each.rule in RULES or each.place.file.endswith("rules.toml")]


BOTH = '[pile.stack]\nof = ["cargo", "luck"]\n'


@pytest.mark.parametrize(
    ("pile", "back"),
    [
        (BOTH, "row.mark"),
        (BOTH + 'by = "player"\n', "row.player"),
        (BOTH + "sleeved = true\n", "row.name"),
        ('[pile.stack]\nof = "cargo"\n', "row.mark"),
        ("", "row.mark"),
    ],
)
def test_one_back_for_a_pile_is_silent(tiny: TinyProject, pile: str, back: str) -> None:
    """Also one for each player, and any in sleeves."""
    assert found(tiny, pile, back) == []


def test_a_back_that_differs_is_told_at_its_row(tiny: TinyProject) -> None:
    """With the piece and its back."""
    (problem,) = found(tiny, BOTH, luck=LUCK.replace("Fire,two,x", "Fire,two,y"))

    assert (problem.rule, problem.severity, str(problem.place)) == (TELLS, "error", "content/tiny/luck.csv:3")
    assert str(problem.about) == "luck/fire (back)" and "luck/fire has another back than the other 5" in problem.message


@pytest.mark.parametrize(
    ("back", "place", "says"),
    [
        ("row.name", "game.toml:6:component.cargo", "4 different backs on 4 designs: that of cargo/bert is another"),
        ("row.player", "game.toml:6:component.cargo", '[pile.cargo] of = "cargo", by = "player".'),
        ("row.name if row.name == 'Bert' else ''", "cargo.csv:3", "cargo/bert has another one than the rest"),
    ],
)
def test_backs_that_differ_untold_are_a_warning(tiny: TinyProject, back: str, place: str, says: str) -> None:
    """A back that shows its own card's name gives it away; with how to say that it is meant, which ends it."""
    cargo = CARGO + "".join(f"Extra {number},two,x\n" for number in range(8 * place.startswith("cargo")))
    problems = found(tiny, "", back, cargo=cargo)
    first = problems[0]
    assert (first.rule, first.severity, str(first.place)) == (UNTOLD, "warning", f"content/tiny/{place}")
    assert says in str(first).replace("12 designs", "4 designs")

    sections = "".join(f'[pile.{name}]\nof = "{name}"\nby = "name"\n' for name in ("cargo", "luck"))
    assert UNTOLD not in {problem.rule for problem in found(tiny, sections, back, cargo=cargo)}


@pytest.mark.parametrize(
    ("old", "new", "severity", "says"),
    [
        ('"tcg"\nback = "back"\n', '"poker"\nback = "back"\n', "error", "one is 63.5 × 88.9 mm, the other 63 × 88 mm"),
        ('back = "back"\n', 'kind = "token"\nback = "back"\n', "error", "different shapes or corners (token, card)"),
        ('back = "back"\n', 'back = "back"\nweight = 300\n', "warning", "one is stiffer (300 and 250 g/m²)"),
        ('back = "back"\n', 'back = "back"\npaper = "linen"\n', "warning", 'their papers are "linen" and "card'),
        ('back = "back"\n', 'back = "back"\nbacks = "gutterfold"\n', "warning", "one is folded of two layers"),
        ('back = "back"\n', "", "error", '"Luck" has no back'),
    ],
)
def test_pieces_that_feel_different_are_told(tiny: TinyProject, old: str, new: str, severity: str, says: str) -> None:
    """By size, shape, weight and paper, at the component that differs from the first."""
    head, tail = GAME.split("[component.luck]")
    problems = found(tiny, BOTH, game=f"{head}[component.luck]{tail.replace(old, new)}")
    (problem,) = (each for each in problems if each.rule == DIFFERS)

    assert (problem.severity, problem.place.column) == (severity, "component.luck") and says in problem.message


def test_a_pile_without_backs_is_a_warning(tiny: TinyProject) -> None:
    """Unless it is played in sleeves."""
    bare = GAME.replace('back = "back"\n', "")
    (problem,) = found(tiny, BOTH, game=bare)
    assert (problem.rule, problem.severity, problem.place.column) == (BARE, "warning", "component.cargo")
    assert found(tiny, BOTH + "sleeved = true\n", game=bare) == []


TILES = toml("""
game: name = "Tiny"; papers = ["a4"]
cargo: kind = "tile"; hex = "30mm"; back = "back"
layout.start: table = "luck"; of = "cargo"
""")


def test_the_tiles_of_a_pool_have_one_back(tiny: TinyProject) -> None:
    """It is known from the layout, without a section; other pools have other backs."""
    tiles = "id,name,back,mark\na,A,red,x\nb,B,red,x\nc,C,red,x\nd,D,blue,z\n"
    slots = "slot,pool,q,r\none,red,0,0\ntwo,red,1,0\nthree,red,0,1\nfour,blue,1,1\n"
    assert found(tiny, "", game=TILES, cargo=tiles, luck=slots) == []
    (problem,) = found(tiny, "", game=TILES, cargo=tiles.replace("c,C,red,x", "c,C,red,y"), luck=slots)

    assert (problem.rule, problem.place.row) == (TELLS, 4)
    assert 'the pool "red": cargo/c has another back than the other 2' in problem.message


@pytest.mark.parametrize(
    ("pile", "rule"),
    [
        ('[pile.stack]\nof = ["cargo", "lucky"]', "unknown-component"),
        ('[pile.stack]\nof = "cargo"\nby = "plaier"', "unknown-column"),
        ('[pile.stack]\nby = "player"', "missing-key"),
    ],
)
def test_a_pile_of_what_is_not_there_is_told(tiny: TinyProject, pile: str, rule: str) -> None:
    """At its line."""
    die = '[component.die]\nkind = "die"\nsides = 6\nsize = "16mm"\ntemplate = "luck"\n'
    (problem,) = found(tiny, pile, game=GAME + die)
    assert problem.rule == rule and problem.place.file == "content/tiny/rules.toml"
