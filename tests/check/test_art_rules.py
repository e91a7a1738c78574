"""Pictures too coarse for their size and backs with a narrow frame are named, others are not."""

from __future__ import annotations

import io

import pytest
from conftest import TinyProject
from drawn import Bench, ground
from PIL import Image

from pnp.check.art import ART_RULES, look, resolution
from pnp.flows.check import check_game
from pnp.shapes.affine import Rect
from pnp.values.problems import Problem

MM_PER_INCH = 25.4


def found(bench: Bench, rule: str) -> list[Problem]:
    """What one rule finds on the pieces."""
    problems = look(bench.subject()).problems
    assert {problem.rule for problem in problems} <= set(ART_RULES)
    return [problem for problem in problems if problem.rule == rule]


def bitmap(width: int, height: int, form: str = "PNG") -> bytes:
    """A picture of so many dots."""
    target = io.BytesIO()
    Image.new("RGB", (width, height), (width % 256, height % 256, 90)).save(target, form)
    return target.getvalue()


def image(name: str, w: float, h: float, more: str = "") -> str:
    """A picture in a template."""
    return f'<image href="{name}" x="5" y="5" width="{w}" height="{h}" {more}/>'


@pytest.mark.parametrize(("dots", "coarse"), [(400, ""), (398, "199"), (380, "190")])
def test_two_hundred_dots_an_inch_are_enough(bench: Bench, dots: int, coarse: str) -> None:
    """400 dots over two inches are 200 an inch; the file is named, with what it has."""
    bench.write("content/tiny/art/photo.png", bitmap(dots, dots))
    bench.front = image("photo", 2 * MM_PER_INCH, 2 * MM_PER_INCH)
    problems = found(bench, "coarse-art")

    told = [(str(problem.place), problem.value, problem.severity) for problem in problems]
    assert told == ([("content/tiny/art/photo.png", coarse, "warning")] if coarse else [])


def test_a_picture_is_judged_where_it_is_largest(bench: Bench) -> None:
    """Small on one card and large on another, it is named once, for the large one."""
    bench.write("content/tiny/art/photo.jpg", bitmap(300, 300, "JPEG"))
    bench.table = "name,size\nAnna,25.4\nBert,50.8\n"
    bench.front = image("photo", 1, 1).replace('="1"', '="{{ row.size }}"')

    assert [problem.value for problem in found(bench, "coarse-art")] == ["150"]


def test_a_picture_beyond_the_cut_is_told(bench: Bench) -> None:
    """Nothing of the last coins of a row is printed; what is cut in part is as often meant."""
    bench.write("content/tiny/art/coin.png", bitmap(80, 80))
    bench.table = "name,coins\nAnna,3\nBert,11\nClara,12\n"
    bench.front = (
        "{% for at in range(row.coins) %}" + image("coin", 5, 5).replace('x="5"', 'x="{{ 5 + 6 * at }}"') + "{% endfor %}"
    )
    (problem,) = found(bench, "lost-picture")

    assert (str(problem.place), problem.severity) == ("content/tiny/cards.csv:3", "warning")
    assert "5 × 5 mm at 65, 5" in problem.message and problem.message.endswith("so it is on clara")


@pytest.mark.parametrize(("moved", "lost"), [("", False), ("45", False), ("-60", True)])
def test_a_picture_moved_out_of_its_box_is_told(bench: Bench, moved: str, lost: bool) -> None:
    """At the cell that moves it."""
    bench.write("content/tiny/art/anna.png", bitmap(500, 300))
    bench.table = f"id,art_x\nanna,{moved}\n"
    bench.front = image("{{ picture() }}", 50, 30, 'preserveAspectRatio="xMidYMid slice"')

    told = [(str(problem.place), problem.severity) for problem in found(bench, "lost-picture")]
    assert told == [("content/tiny/cards.csv:2:art_x", "warning")] * lost


def test_a_picture_in_a_clipped_group_counts(bench: Bench) -> None:
    """Groups that are drawn as a whole link their pictures; these are found as well, under their transforms."""
    bench.write("content/tiny/art/photo.png", bitmap(150, 150))
    clip = '<clipPath id="round"><circle cx="15" cy="15" r="10"/></clipPath>'
    bench.front = f'{clip}<g clip-path="url(#round)" transform="scale(2)">{image("photo", 12.7, 12.7)}</g>'

    assert [problem.value for problem in found(bench, "coarse-art")] == ["150"]


@pytest.mark.parametrize(("fit", "dpi"), [("stretch", 100), ("cover", 100), ("contain", 200)])
def test_how_a_picture_is_fitted_decides(fit: str, dpi: int) -> None:
    """200 × 100 dots in a square inch: cut to cover it by its height, or whole by its width."""
    assert resolution(bitmap(200, 100), MM_PER_INCH, MM_PER_INCH, fit) == pytest.approx(dpi)


def framed(width: float) -> str:
    """A back with a white frame of this width, measured from the cut, around a red panel."""
    return ground("#ffffff") + ground("#aa2222", width, width, 63 - 2 * width, 88 - 2 * width)


@pytest.mark.parametrize(("width", "near"), [(2.6, True), (3.0, False)])
def test_a_frame_of_a_back_is_three_millimetres_wide(bench: Bench, width: float, near: bool) -> None:
    """An even rim that is narrower shows every error of the printer; its width is told."""
    bench.back = framed(width)
    problems = found(bench, "frame-near-cut")

    assert bool(problems) is near
    assert all(abs(float(problem.value) - width) < 0.5 and problem.severity == "warning" for problem in problems)


def test_a_line_around_a_back_is_a_frame(bench: Bench) -> None:
    """A line parallel to the cut on the same ground on both sides is off as visibly."""
    line = '<rect x="{0}" y="{0}" width="{1}" height="{2}" fill="none" stroke="#ffffff" stroke-width="0.8"/>'
    bench.back = ground("#204060") + line.format(2, 59, 84)
    near = found(bench, "frame-near-cut")
    bench.back = ground("#204060") + line.format(5, 53, 78)

    assert len(near) == 1 and found(bench, "frame-near-cut") == []


@pytest.mark.parametrize(
    "back",
    [
        ground("#204060"),
        ground("#204060", w=34) + ground("#aa2222", x=31.5),
        ground("#204060") + ground("#aa2222", 1, 1, 61, 20),
        ground("#ffffff") + ground("#aa2222", 1, 20, 61, 48),
    ],
    ids=["plain", "two halves", "a banner", "a panel near two sides"],
)
def test_what_does_not_run_all_around_is_no_frame(bench: Bench, back: str) -> None:
    """Plain grounds, patterns that are cut anywhere, and things near one edge only are no frame."""
    bench.back = back

    assert found(bench, "frame-near-cut") == []


@pytest.mark.parametrize(("radius", "near"), [(9.0, True), (8.0, False)])
def test_a_token_has_its_rim_along_its_outline(bench: Bench, radius: float, near: bool) -> None:
    """On a round token of 20 mm a rim of 1 mm is too narrow, one of 2 mm is not."""
    bench.component = 'kind = "token"\nsize = "20mm"\nshape = "circle"'
    bench.outer = Rect(-3, -3, 26, 26)
    bench.back = ground("#ffd040") + f'<circle cx="10" cy="10" r="{radius}" fill="#204060"/>'

    assert bool(found(bench, "frame-near-cut")) is near


def test_a_back_that_many_cards_share_is_named_once(bench: Bench) -> None:
    """Cards with different backs of the same frame are one finding, at the component."""
    bench.table = "name\nAnna\nBert\n"
    bench.back = framed(1.5) + '<rect x="20" y="{{ 29 if row.name == "Bert" else 20 }}" width="5" height="5"/>'
    (problem,) = found(bench, "frame-near-cut")

    assert str(problem.place).startswith("content/tiny/game.toml")
    assert "cards/anna (back)" in problem.message and "so it is on bert" in problem.message


PAPER = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 -3 69 94">{}</svg>'


@pytest.mark.parametrize(
    ("front", "ends"),
    [
        (ground("#83cbe9"), ""),
        (ground("#83cbe9", 0, 0, 63, 88), "(left, right, top, bottom)"),
        (ground("#83cbe9", 0, -3, 66, 94), "(left)"),
        # A white rim, and paper that nobody coloured.
        (ground("#83cbe9", 4, 4, 55, 80), ""),
        (ground("#ffffff", 0, 0, 63, 88), ""),
        # A banner that hangs from the upper edge takes a third of it.
        (ground("#aa2222", 20, 0, 21, 30), ""),
    ],
)
def test_a_colour_that_reaches_the_cut_runs_on_beyond_it(tiny: TinyProject, front: str, ends: str) -> None:
    """On the sides where it does not, most cuts by hand leave white paper."""
    tiny.put(game_toml='[game]\nname = "Tiny"\n[component.cards]\nsize = "63mm x 88mm"\n', cards_csv="id\nanna\nbert\n")
    tiny.write("templates/tiny/cards.svg.j2", PAPER.format(front))
    found = [each for each in check_game(tiny.project, "tiny", lambda _: None).problems if each.rule == "no-bleed"]

    assert [ends in each.message for each in found] == ([True] if ends else [])
