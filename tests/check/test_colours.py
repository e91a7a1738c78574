"""Colours that some eyes mix up are named, by the pair and the sight; so are colours with nothing beside them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conftest import read_whole
from drawn import Bench

from pnp.check.colours import GREY, ORDINARY, RULES, apart, look
from pnp.read.project import Project
from pnp.values.findings import Report, Subject
from pnp.values.problems import Place, Problem
from pnp.values.rules import Rules
from pnp.values.sections import Colours

OKABE_ITO = ["#000000", "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"]
PLACE = Place("content/tiny/rules.toml", 3)


def checked(bench: Bench, colours: dict[str, str], beside: str = "", signs: str = "") -> Report:
    """What is found on players of these colours, one row each, with signs in a column ``sign`` where there are any."""
    rows = zip(colours.items(), signs or " " * len(colours), strict=True)
    bench.table = "name,colour,sign\n" + "".join(f"{name},{code},{sign}\n" for (name, code), sign in rows)
    bench.extra = '[palette]\nsea = "#0072b2"\nlake = "#0072b2"\n'
    bench.front = '<g id="{{ row.name }}{{ row.colour }}{{ row.sign }}"/>'
    bench.subject()
    game = read_whole(Project(bench.root))
    asked = Colours(table="cards", column="colour").at(PLACE, beside=beside)
    return look(Subject(replace(game, rules=Rules(colours=(asked,)))))


def found(report: Report, rule: str) -> list[Problem]:
    """What one rule found."""
    assert {problem.rule for problem in report.problems} <= {*RULES, "unknown-colour"}
    return [problem for problem in report.problems if problem.rule == rule]


def test_the_measure_is_that_of_the_palette_made_for_the_purpose() -> None:
    """Okabe and Ito's colours come out at 14.8, 14.0 and 11.0 at their nearest, as measured elsewhere."""
    distances = {sight: min(pairs.values()) for sight, pairs in apart({code: code for code in OKABE_ITO}).items()}

    assert distances["deuteranomaly"] == pytest.approx(14.8, abs=0.1)
    assert distances["protanomaly"] == pytest.approx(14.0, abs=0.1)
    assert distances["tritanomaly"] == pytest.approx(11.0, abs=0.1)
    assert distances[ORDINARY] > 20


def test_grey_keeps_only_the_light() -> None:
    """In grey, black and white stay as far apart as they are, and colours of the same light fall together."""
    distances = apart({code: code for code in ("#000000", "#ffffff", "#777777", "#0078d0")})

    assert distances[GREY]["#000000", "#ffffff"] == pytest.approx(distances[ORDINARY]["#000000", "#ffffff"], abs=0.2)
    assert distances[GREY]["#777777", "#0078d0"] < 3 < distances[ORDINARY]["#777777", "#0078d0"]


def test_red_and_green_are_mixed_up(bench: Bench) -> None:
    """The pair is named with whose colours they are and the sight; without a sign it is an error."""
    colours = {"Anna": "#b06a2a", "Bert": "#7a8a2a", "Cleo": "#0000ff"}
    alone, beside = checked(bench, colours), checked(bench, colours, "sign", "abc")
    (error,) = [problem for problem in found(alone, "alike-colours") if problem.severity == "error"]
    (warning,) = found(beside, "alike-colours")

    assert error.place == PLACE
    assert "#b06a2a (Anna) and #7a8a2a (Bert)" in error.message and "anomaly" in error.message
    assert "Cleo" not in error.message
    assert warning.severity == "warning" and warning.message == error.message


def test_alike_in_grey_is_told_only_where_no_sign_helps(bench: Bench) -> None:
    """A red and a green of the same light are apart to all eyes but fall together in a photocopy."""
    colours = {"Anna": "#d55e00", "Bert": "#0098b8"}
    alone, beside = checked(bench, colours), checked(bench, colours, "sign", "ab")

    assert [problem.severity for problem in found(alone, "alike-colours")] == ["warning"]
    assert "in grey" in found(alone, "alike-colours")[0].message
    assert beside.problems == ()


@pytest.mark.parametrize(("colour", "nearest"), [("#575757", 10.0), ("#545856", 9.9)])
def test_ten_is_the_least(bench: Bench, colour: str, nearest: float) -> None:
    """Of two dark greys those 10.0 apart are left in peace; those 9.9 apart are told, with the distance and the least."""
    pairs = apart({"one": "#404040", "other": colour})
    assert min(distance for sight in pairs if sight != GREY for distance in pairs[sight].values()) == nearest

    report = checked(bench, {"Anna": "#404040", "Bert": colour}, "sign", "ab")
    told = [(problem.value, problem.allowed) for problem in found(report, "alike-colours")]
    assert told == ([] if nearest == 10 else [("9.9", "a distance of 10")])


@pytest.mark.parametrize(("beside", "alone"), [("", True), ("sign", False), ("the emblem on the hat", False)])
def test_colour_alone_is_named_when_nothing_stands_beside(bench: Bench, beside: str, alone: bool) -> None:
    """A column, or a thing in words that only people can see, is enough."""
    report = checked(bench, {"Anna": "#000000", "Bert": "#ffffff"}, beside, "ab")

    assert [problem.severity for problem in found(report, "colour-alone")] == (["warning"] if alone else [])


def test_a_sign_that_two_colours_share_parts_nothing(bench: Bench) -> None:
    """The second of the two is named at its sign."""
    report = checked(bench, {"Anna": "#000000", "Bert": "#ffffff", "Cleo": "sea"}, "sign", "aba")
    (problem,) = found(report, "colour-alone")

    assert str(problem.place) == "content/tiny/cards.csv:4:sign"
    assert "#000000 (Anna), sea (Cleo)" in problem.message and problem.severity == "error"


def test_the_lines_of_colours_that_are_alike_are_named(bench: Bench) -> None:
    """A colour of the palette is mended there, any other in its row; which of two is wrong nobody knows."""
    (mixed,) = found(checked(bench, {"Anna": "sea", "Bert": "#0073b3", "Cleo": "#ffffff"}, "sign", "abc"), "alike-colours")
    line = (bench.root / "content/tiny/game.toml").read_text().splitlines().index('sea = "#0072b2"') + 1

    assert mixed.place == PLACE
    assert f"row {line} of content/tiny/game.toml and in row 3 of content/tiny/cards.csv." in mixed.hint


def test_a_word_that_is_no_colour_is_named(bench: Bench) -> None:
    """It is named in its cell; the others are compared all the same."""
    report = checked(bench, {"Anna": "#000", "Bert": "pinkish", "Cleo": "#fff"}, "sign", "abc")
    (problem,) = found(report, "unknown-colour")

    assert str(problem.place) == "content/tiny/cards.csv:3:colour" and problem.value == "pinkish"
    assert len(report.shown) == 1


@pytest.mark.parametrize("beside", ["sign", ""])
@pytest.mark.parametrize("bob", ["#56b4e9", "#e69f00"])
def test_one_colour_for_two_players_is_an_error(bench: Bench, beside: str, bob: str) -> None:
    """Whatever is beside it tells two players apart, and the pieces they hold do not; so it is if all have one colour."""
    problem, *_ = found(checked(bench, {"Ann": "#e69f00", "Bob": bob, "Cat": "#e69f00"}, beside, "abc"), "alike-colours")

    names = "Ann, Cat" if bob == "#56b4e9" else "Ann, Bob, Cat"
    assert problem.severity == "error" and problem.message == f"{names} all have the colour #e69f00"
    assert problem.place.row == 4 and problem.place.column == "colour"


@pytest.mark.parametrize(
    ("colours", "beside", "signs"),
    [
        # Suits: two are red, two are black.
        ({"Ann": "#c00000", "Bob": "#c00000", "Cat": "#000000", "Dan": "#000000"}, "sign", "hdsc"),
        # Ranks: a sign has several colours.
        ({"Ann": "#e69f00", "Bob": "#e69f00", "Cat": "#e69f00", "Dan": "#56b4e9"}, "sign", "abcd"),
        # A deck: many cards of each colour.
        ({f"Card {at}": code for at, code in enumerate(["#e69f00"] * 4 + ["#56b4e9"] * 3 + ["#000000"])}, "name", "a" * 8),
    ],
)
def test_signs_that_show_no_owner_may_share_a_colour(bench: Bench, colours: dict[str, str], beside: str, signs: str) -> None:
    """It is an error only where colours and signs belong to one another but for this one."""
    report = checked(bench, colours, beside, signs)

    assert [problem for problem in found(report, "alike-colours") if problem.severity == "error"] == []


@pytest.mark.parametrize(("other", "severity"), [("#e69f01", "error"), ("#e6b800", "warning")])
def test_colours_that_nobody_tells_apart_are_an_error_even_with_signs(bench: Bench, other: str, severity: str) -> None:
    """Two names for one shade, or a shade beside it; a colour that only is near stays a warning."""
    report = checked(bench, {"Ann": "#e69f00", "Bob": other}, "sign", "ab")

    assert [problem.severity for problem in found(report, "alike-colours")] == [severity]
