"""What a newcomer with only the paper is told: tools, papers, both sides on a printer of one, how sheets are cut."""

from __future__ import annotations

import re

import pypdfium2 as pdfium
import pytest
from conftest import TinyProject
from PIL import ImageChops, ImageDraw
from pypdf import PdfReader

from pnp.draw.howto import MARGIN
from pnp.draw.plan import BESIDE_NUMBER
from pnp.flows.plan import pounds
from pnp.read.presets import paper
from pnp.values.outcome import CutFiles, Selection

HEAD = '[game]\nname = "{name}"\npapers = ["a4"]\n'
CARDS = '[component.cards]\nsize = "tcg"\npaper = "card, 250-300 g/m²"\n'
BACKED = CARDS + 'back = "back"\n'
DICE = '[component.die]\nkind = "die"\nsize = "20mm"\nsides = 6\npaper = "card, 200-250 g/m²"\n'
CHIPS = '[component.chips]\nkind = "token"\nsize = "20mm"\ntable = "cards"\npaper = "card, 200-250 g/m²"\n'
SEA = '[component.sea]\nkind = "board"\nsize = "{size}"\npaper = "paper, 120-160 g/m²"\njoin = "{join}"\n'
SCREEN = '[component.wall]\nkind = "screen"\npanels = ["40mm", "80mm", "40mm"]\nheight = "70mm"\n'
FACE = '{% extends "shared/face.svg.j2" %}\n{% block face %}<rect width="20" height="20" fill="#336699"/>{% endblock %}\n'


def built(tiny: TinyProject, *components: str, name: str = "Tiny", where: str = "a4", **options: object) -> list[str]:
    """The words of each page of ``print.pdf``, of a game of these components."""
    tiny.write("content/tiny/game.toml", HEAD.format(name=name) + "".join(components))
    for each in ("back", "die", "chips", "sea", "wall"):
        tiny.write(f"templates/tiny/{each}.svg.j2", FACE)
    options.setdefault("papers", (where,))
    result = tiny.build(**options)  # type: ignore[arg-type]
    assert result.ok, [str(problem) for problem in result.problems]
    (path,) = (tiny.project.root / "output").rglob(f"{where}/print.pdf")
    return [" ".join(page.extract_text().replace("\u2060", "").split()) for page in PdfReader(path).pages]


KNIFE, PEN = "a craft knife, a metal ruler and something to cut on (or a paper cutter)", "an empty ballpoint pen"


@pytest.mark.parametrize(
    ("components", "needed", "not_needed"),
    [
        ([CARDS], [KNIFE], ["scissors", PEN, "glue", "stapler", "tape"]),
        ([CHIPS], ["a ruler", "scissors"], ["knife", PEN, "glue", "stapler"]),
        ([DICE], ["a ruler", "scissors", PEN, "paper glue"], ["knife", "stapler", "tape"]),
        ([SCREEN], [KNIFE, PEN], ["scissors", "glue", "stapler"]),
        ([SEA.format(size="300mm x 300mm", join="butt")], [KNIFE, "adhesive tape"], ["scissors", PEN, "glue"]),
        ([SEA.format(size="100mm x 100mm", join="glue")], [KNIFE], ["scissors", PEN, "glue", "tape"]),
    ],
)
def test_the_plan_names_the_tools_of_this_game(
    tiny: TinyProject, components: list[str], needed: list[str], not_needed: list[str]
) -> None:
    """Those that its pieces ask for, and no other."""
    (said,) = re.findall(r"You need (.*?)\. 1 ", built(tiny, *components)[0].replace(". Card,", ". 1 Card,"))

    assert all(tool in said for tool in needed), said
    assert not any(tool in said for tool in not_needed), said


def test_what_a_machine_cuts_needs_no_knife_and_no_time(tiny: TinyProject) -> None:
    """The dice are still folded and glued; without a machine both are cut by hand."""
    by_hand = built(tiny, BACKED, DICE)
    machine: CutFiles = "svg"
    plan, how, *_ = built(tiny, BACKED, DICE, cut=machine)

    assert "Cutting takes about" in by_hand[0] and "machine" not in by_hand[0] + by_hand[1]
    assert "the cutting machine" in plan and "scissors" not in plan and "knife" not in plan
    assert "A machine cuts all sheets. Folding and gluing takes about" in plan and "Cutting" not in plan
    assert "A machine cuts all sheets." in how and "from mark to mark" not in how


@pytest.mark.parametrize("backs", ["long-edge", "short-edge"])
def test_a_printer_of_one_side_is_not_forgotten(tiny: TinyProject, backs: str) -> None:
    """Odd pages, the stack back, even pages, and one sheet to try it, which is a front and its back."""
    how = built(tiny, BACKED, backs=backs)[1]

    assert "Print the odd pages of a row, put the stack back, print the even pages. Try it with pages 3 and 4 first" in how
    assert "one side only?" not in built(tiny, CARDS, backs=backs)[1]


@pytest.mark.parametrize(("name", "american"), [("a4", False), ("tabloid", True)])
def test_american_papers_are_weighed_in_pounds(tiny: TinyProject, name: str, american: bool) -> None:
    """As they are sold there, beside the grams; nowhere else."""
    plan = built(tiny, CARDS, where=name)[0]

    assert paper(name).american == american
    assert "Card, 250–300 g/m²" in plan
    assert ("250–300 g/m² (90–110 lb cover)" in plan) == american


@pytest.mark.parametrize(("least", "most"), [(120, 160), (80, 80), (200, 300)])
def test_pounds_are_those_of_500_basis_sheets(least: int, most: int) -> None:
    """Weighed anew: 500 sheets of 20 × 26 in or 25 × 38 in, of so many grams a square metre, to two pounds and a half."""
    numbers, _, kind = pounds(least, most).partition(" lb ")
    area = 500 * {"cover": 20 * 26, "text": 25 * 38}[kind] * 0.0254**2

    for grams, said in zip((least, most), [*map(int, numbers.split("–"))] * 2, strict=False):
        assert said == pytest.approx(grams * area / 453.59237, abs=2.6)


def test_only_what_is_there_is_explained(tiny: TinyProject) -> None:
    """Cards have marks, dice lines, tabs and folds, a large board pages to join; words of the trade are none."""
    cards, dice = built(tiny, CARDS)[1], built(tiny, DICE)[1]
    sea = built(tiny, SEA.format(size="300mm x 300mm", join="glue"))[1]

    assert "from mark to mark" in cards and "two cuts between two" in cards and "Fold and glue" not in cards
    assert "along the thin line" in dice and "Hatched tabs" in dice and "from mark to mark" not in dice
    assert "Pages that belong together" in sea and "Fold and glue" not in sea
    for how in (cards, dice, sea):
        assert not re.search(r"\b(bleed|grid|gutter|crop|slug)\b", how)


def test_a_part_tells_of_its_own_pieces(tiny: TinyProject) -> None:
    """Of a game with dice the cards alone are not folded; the sheet of dice alone is, without the page that shows it."""
    cards = built(tiny, CARDS, DICE, selection=Selection(only=("cards",)))
    dice = built(tiny, CARDS, DICE, selection=Selection(sheets=((2, 2),)))

    assert "Fold and glue" not in cards[1] and PEN not in cards[0] and "glue" not in cards[0]
    assert "Fold and glue" in dice[1] and "each step" not in dice[1] and PEN in dice[0]
    assert "part: sheet 2" in dice[0] and "part: sheet 2" in dice[2]


# Words of a line beside which it stands.
DRAWN = (
    "PDF viewer",
    "behind its",
    "one side only",
    "under a book",
    "lay the ruler",
    ": cut at both marks",
    "Other shapes",
    "Pages that belong together",
    "Round the corners",
)
FOLDED = ("Score each", "folds away from you", "Hatched tabs")


def test_each_step_has_its_drawing(tiny: TinyProject) -> None:
    """To the right of its words, which it does not cover; a heading has nothing there."""
    built(tiny, BACKED, DICE, CHIPS, SEA.format(size="300mm x 300mm", join="glue"))
    beside = gaps_beside_lines(tiny)

    for step in (*DRAWN, *FOLDED):
        assert [gap for line, gap in beside if step in line and gap is not None], step
    assert [gap for line, gap in beside if line.strip() in ("Print", "Cut", "Fold and glue")] == [None] * 3
    assert all(gap is None or gap > 2 for _, gap in beside)


def test_what_a_game_has_not_is_not_drawn(tiny: TinyProject) -> None:
    """Cards of one side have neither a sheet against the light nor folds."""
    built(tiny, CARDS)
    drawn = [line for line, gap in gaps_beside_lines(tiny) if gap is not None]

    assert any("lay the ruler" in line for line in drawn)
    assert not any(step in line for line in drawn for step in ("behind its", *FOLDED))


def test_what_no_picture_tells_stands_below_what_is_said_of_the_row(tiny: TinyProject) -> None:
    """Below the pictures, where there are some; words, pictures and names begin at one edge."""
    built(tiny, DICE, CARDS.replace("card, 250-300 g/m²", "plain paper"))
    (path,) = (tiny.project.root / "output").rglob("a4/print.pdf")
    with pdfium.PdfDocument(path) as pdf:
        words = pdf[0].get_textpage()
        lefts, tops = {}, {}
        for said in ("Plain paper", "Cards", "How to fold"):
            found = words.search(said).get_next()
            assert found is not None
            lefts[said], _, _, tops[said] = (side * 25.4 / 72 for side in words.get_charbox(found[0]))

    assert lefts["Cards"] == pytest.approx(lefts["Plain paper"], abs=5) and lefts["Cards"] > MARGIN + BESIDE_NUMBER
    assert lefts["How to fold"] == pytest.approx(lefts["Plain paper"], abs=1)
    assert tops["Plain paper"] - 15 > tops["Cards"] > tops["How to fold"]


def gaps_beside_lines(tiny: TinyProject) -> list[tuple[str, float | None]]:
    """The lines of page 2 above the imprint, and how far to the right of each something is drawn, in mm; None: nothing.

    A drawing that reaches below or above the line's words comes out as nearer than nothing.
    """
    dots, rim = 4, 3
    (path,) = (tiny.project.root / "output").rglob("a4/print.pdf")
    with pdfium.PdfDocument(path) as pdf:
        page, words = pdf[1], pdf[1].get_textpage()
        image, high = page.render(scale=dots).to_pil().convert("L"), page.get_height()
        pieces = [words.get_rect(at) for at in range(words.count_rects())]
        texts = [" ".join(words.get_text_bounded(*piece).split()) for piece in pieces]
    pieces, texts = pieces[: texts.index("Imprint")], texts[: texts.index("Imprint")]
    mask = ImageDraw.Draw(image)
    for left, bottom, right, top in pieces:
        mask.rectangle([dots * each for each in (left - 1, high - top - 1, right + 1, high - bottom + 1)], fill=255)
    lines: list[tuple[str, list[tuple[float, ...]]]] = []
    for text, piece in zip(texts, pieces, strict=True):
        if lines and abs(lines[-1][1][0][1] - piece[1]) < rim and lines[-1][1][-1][0] < piece[0]:
            lines[-1] = f"{lines[-1][0]} {text}", [*lines[-1][1], piece]
        else:
            lines.append((text, [piece]))
    found: list[tuple[str, float | None]] = []
    for text, own in lines:
        top, bottom = high - max(each[3] for each in own) - rim, high - min(each[1] for each in own) + rim
        band = image.crop((0, int(dots * top), image.width, int(dots * bottom)))
        ink = ImageChops.invert(band).point(lambda grey: 255 * (grey > 20)).getbbox()
        found.append((text, None if ink is None else (ink[0] / dots - max(each[2] for each in own)) * 25.4 / 72))
    return found
