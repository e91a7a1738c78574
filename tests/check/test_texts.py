"""Texts too small, too near to the cut or too pale are named, and those that are not are left in peace."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import Bench, box, ground

from pnp.check.texts import RULES, contrast_on, covered, look, safe_zone
from pnp.shapes.affine import Rect
from pnp.values.game import Component
from pnp.values.problems import Place, Problem
from pnp.values.tables import Table

RULE_TEXT = "Draw two cards and keep one of them."
MIDDLE = (10.0, 30.0, 43.0, 25.0)


def found(bench: Bench, rule: str) -> list[Problem]:
    """What one rule finds on the pieces."""
    problems = look(bench.subject()).problems
    assert {problem.rule for problem in problems} <= set(RULES)
    return [problem for problem in problems if problem.rule == rule]


def token(bench: Bench, shape: str = "square", size: str = "20mm", extent: float = 20) -> Bench:
    """The bench with a token instead of a card."""
    bench.component = f'kind = "token"\nsize = "{size}"\nshape = "{shape}"'
    bench.outer = Rect(-3, -3, extent + 6, extent + 6)
    return bench


@pytest.mark.parametrize(
    ("text", "size", "severity"),
    [
        (RULE_TEXT, "8", None),
        (RULE_TEXT, "7.95", "warning"),
        ("a" * 39, "6", None),
        ("a" * 40, "6", "warning"),
        ("Draw two", "5.95", "error"),
        (":heart:", "5.5", None),
    ],
)
def test_small_texts_are_named_by_what_they_are(bench: Bench, text: str, size: str, severity: str | None) -> None:
    """A text to read needs 8 pt, a few words 6 pt, and below 6 pt either is an error; an icon has no letters.

    Five words are a text to read, or forty letters, for scripts that part no words.
    """
    bench.write("content/tiny/art/icons/heart.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    bench.front = box(text, *MIDDLE, size=size, name="rules")
    problems = found(bench, "small-text")

    assert [problem.severity for problem in problems] == ([severity] if severity else [])
    assert all(problem.value == size for problem in problems)


def test_one_box_is_named_once_by_its_smallest_text(bench: Bench) -> None:
    """Of many cards with small texts in a box the worst is named where it was typed, the others after it."""
    bench.table = f'name,text\nAnna,"{RULE_TEXT}"\nBert,"{RULE_TEXT} {RULE_TEXT}"\nCleo,Pass.\n'
    bench.front = box("{{ row.text }}", 10, 40, 43, 5, size="7.5 5", name="rules")
    (problem,) = found(bench, "small-text")

    assert str(problem.place) == "content/tiny/cards.csv:3:text"
    assert problem.message.startswith('cards/bert, box "rules", "Draw two cards')
    assert problem.message.endswith("so it is on anna")


@pytest.mark.parametrize(("x", "near"), [(3.1, False), (2.5, True), (0.5, True)])
def test_letters_on_a_card_keep_three_millimetres(bench: Bench, x: float, near: bool) -> None:
    """It is the letters that count, not their box."""
    bench.front = box("Anna", x, 40, 40, 8, size="12", align="left")

    assert bool(found(bench, "text-near-cut")) is near


def test_a_text_that_the_cut_goes_through_is_told_so(bench: Bench) -> None:
    """Half a word outside is no small matter, and is said in other words."""
    bench.front = box("Anna", -2, 40, 40, 8, size="12", align="left")
    (problem,) = found(bench, "text-near-cut")

    assert "the cut goes through it" in problem.message


def test_the_distance_is_to_the_outline(bench: Bench) -> None:
    """In the corner of a round token's square there is nothing left of it."""
    token(bench, "circle").front = box("7", 3.4, 3.4, 6, 4, size="9", align="left", valign="top")
    round_token = found(bench, "text-near-cut")
    token(bench, "square")
    square = found(bench, "text-near-cut")

    assert len(round_token) == 1 and square == []


@pytest.mark.parametrize(
    ("fill", "on", "size", "severity"),
    [
        ("#767676", "#ffffff", "9", None),  # 4.54 to 1
        ("#777777", "#ffffff", "9", "warning"),  # 4.48
        ("#808080", "#ffffff", "17.95", "warning"),
        ("#949494", "#ffffff", "18", None),  # 3.03
        ("#959595", "#ffffff", "18", "warning"),  # 2.995
        ("#b8b8b8", "#ffffff", "9", "error"),  # 1.98
        ("#2a2019", "#33313b", "9", "error"),  # 1.2: dark on dark
        # nothing is to be seen
    ],
)
def test_the_limits_are_those_of_wcag(bench: Bench, fill: str, on: str, size: str, severity: str | None) -> None:
    """4.5 to 1 on a plain ground, 3 to 1 for large texts; less than 2 to 1 is an error."""
    bench.front = ground(on) + box(RULE_TEXT, *MIDDLE, size=size, fill=fill)

    assert [problem.severity for problem in found(bench, "low-contrast")] == ([severity] if severity else [])


def test_what_counts_is_the_ground_beneath(bench: Bench) -> None:
    """White on a white card is read on the dark plate that lies under it."""
    bench.front = ground("#222222", 8, 28, 47, 29) + box(RULE_TEXT, *MIDDLE, size="9", fill="#ffffff")

    assert found(bench, "low-contrast") == []


@pytest.mark.parametrize(
    ("cover", "told"),
    [
        ('<rect x="5" y="25" width="53" height="40" fill="#ffffff"/>', "it is not to be seen"),
        ('<rect x="5" y="25" width="26.5" height="40" fill="#ffe0a0"/>', "half of it is not to be seen"),
        ('<rect x="5" y="25" width="10" height="40" fill="#ffffff"/>', ""),
        ('<rect x="5" y="25" width="53" height="40" fill="#ffffff" fill-opacity="0.3"/>', ""),
    ],
)
def test_what_is_drawn_over_a_text_hides_it(bench: Bench, cover: str, told: str) -> None:
    """A plate that the template draws after the words; what covers less than half, or lets them shine through, does not."""
    bench.front = box(RULE_TEXT, *MIDDLE, size="9", fill="#000000") + cover

    assert [problem.severity for problem in found(bench, "hidden-text")] == (["error"] if told else [])
    assert all(f": {told}: something" in problem.message for problem in found(bench, "hidden-text"))


def test_a_text_that_the_cut_takes_is_told_once(bench: Bench) -> None:
    """Squib's first script writes into the corner; nothing is drawn over it."""
    bench.front = box("Hello, World!", -3, -3, 63, 20, size="11", fill="#000000")

    assert ["the cut goes through it" in problem.message for problem in look(bench.subject()).problems] == [True]


def test_what_is_nothing_but_ink_is_seen() -> None:
    """A thick I leaves no ground where it stands; a place of any other one colour shows no letter."""
    dots = np.full((20, 10, 3), 30, np.uint8)

    assert covered(dots, "#1e1e1e") == 0
    assert covered(dots, "#c0c0c0") == 1
    dots[:, 5:] = 200
    dots[4:8, 7] = 30
    assert covered(dots, "#1e1e1e") == 0 and covered(dots, "#00ff00") == 0.5


def test_a_shadow_is_no_text_of_its_own(bench: Bench) -> None:
    """The same words once more, a little aside and beneath, are there to lift the others."""
    words = box("Ahoy", 10.2, 30.2, 43, 25, size="20", fill="#dddddd")
    bench.front = words + box("Ahoy", *MIDDLE, size="20", fill="#000000")
    shadow = found(bench, "low-contrast")
    bench.front = words

    assert shadow == [] and len(found(bench, "low-contrast")) == 1


def test_blends_of_letters_and_ground_are_no_ground() -> None:
    """The many greys at the edges of small letters do not make the ground greyer."""
    blends = [[shade] * 3 for shade in range(30, 250)]
    dots = np.array(blends + [[255] * 3] * 120, dtype=np.uint8)

    assert contrast_on(dots, "#000000") == pytest.approx(21, abs=0.1)


def piece(kind: str, width: float, height: float) -> Component:
    """A component of this kind and size."""
    table = Table("pieces", "pieces.csv", (), (), set())
    return Component("pieces", "Pieces", kind, table, "pieces", None, width, height, 3, "card", Place("game.toml"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "size", "safe"),
    [
        ("card", (63, 88), 3.0),
        ("board", (400, 300), 3.0),
        # Narrower than 40 mm either way, a card is small.
        ("card", (40, 60), 3.0),
        ("card", (39.99, 60), 1.5),
        *((kind, (80, 80), 1.5) for kind in ("token", "domino", "standee", "prism")),
        *((kind, (80, 80), 1.0) for kind in ("die", "pawn")),
    ],
)
def test_what_may_not_look_cut_off_keeps_so_far(kind: str, size: tuple[float, float], safe: float) -> None:
    """3 mm on cards, tiles and boards, 1.5 on small pieces, 1 on dice and pawns."""
    assert safe_zone(piece(kind, *size)) == safe
