"""The print plan says what is true of the file: its lines, sheets and pages, its books, and what printing takes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from conftest import TINY_TEMPLATE, TinyProject, pipeline, toml
from pypdf import PdfReader

from pnp.flows.plan import counts_by_component, printings, sheet_runs
from pnp.lay.sheet import Effort, Sheet, effort
from pnp.read.presets import paper
from pnp.read.project import Project
from pnp.values.faces import PlacedFace
from pnp.values.game import Backs
from pnp.write.png import coverage

# Twenty cards with backs on three sheets, four large ones on one, a die and a token that share none, a page for folding.
GAME = toml("""
game: name = "Tiny"; papers = ["a4"]
cards: size = "tcg"; paper = "card, 300 g/m²"; back = "back"
tickets: table = "cards"; size = "120mm x 80mm"; back = "back"; paper = "paper, 100 g/m²"
six: kind = "die"; size = "16mm"; sides = 6; paper = "card, 160-200 g/m²"
eight: kind = "die"; size = "20mm"; sides = 6; paper = "card, 160-200 g/m²"
""")
BOOKS = """
[book.rulebook]
subtitle = "How it is played"

[book.card]
form = "card"
"""
BACK = '{% extends "shared/face.svg.j2" %}\n{% block face %}<rect width="20" height="20" fill="#336699"/>{% endblock %}\n'
WAYS: tuple[Backs, ...] = ("long-edge", "short-edge", "gutterfold", "none")


@pytest.fixture
def game(tmp_path: Path) -> TinyProject:
    """A game of several runs of sheets."""
    return written(tmp_path)


def written(folder: Path) -> TinyProject:
    made = TinyProject(Project(folder))
    made.put(game_toml=GAME, cards_csv="name,text,copies\nAnna,Draw two.,12\nBert,Pass.,8\n", cards_svg_j2=TINY_TEMPLATE)
    made.put(back_svg_j2=BACK, tickets_svg_j2=BACK, six_svg_j2=BACK, eight_svg_j2=BACK)
    return made


Built = Callable[[Backs], TinyProject]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The game as it is built with backs of a way, once; nobody changes it."""

    @cache
    def build(backs: Backs) -> TinyProject:
        made = written(tmp_path_factory.mktemp("planned"))
        assert made.build(backs).ok
        return made

    return build


@pytest.fixture
def books(game: TinyProject) -> TinyProject:
    """The same game with a book and a card to keep at hand."""
    game.write("content/tiny/game.toml", GAME + BOOKS)
    text = "Have the most cards. " * 400
    game.put(rulebook_md=f"# Goal\n\n{text}\n\n# End\n\nThe deck is empty.\n", card_md="# Turn\n\nDraw or pass.\n")
    return game


def plan(game: TinyProject, **options: object) -> str:
    """What stands on the first page of ``print.pdf``, after a build."""
    result = game.build(**options)  # type: ignore[arg-type]
    assert result.ok, [str(problem) for problem in result.problems]
    return first_page(game)


def first_page(game: TinyProject) -> str:
    return " ".join(PdfReader(printed(game)).pages[0].extract_text().replace("\u2060", "").split())


def printed(game: TinyProject, name: str = "print") -> Path:
    """A file of the build for A4."""
    return game.project.root / "output" / "tiny" / "a4" / f"{name}.pdf"


def numbers(pages: str) -> list[int]:
    """ "3–5, 8" as numbers."""
    found = []
    for part in pages.split(", "):
        first, _, last = part.partition("–")
        found += list(range(int(first), int(last or first) + 1))
    return found


# --- how it is printed --------------------------------------------------------------------------------------------------

EDGES: dict[Backs, tuple[str, str, str]] = {
    "long-edge": ("/DuplexFlipLongEdge", "long edge", "short edge"),
    "short-edge": ("/DuplexFlipShortEdge", "short edge", "long edge"),
}


@pytest.mark.parametrize("backs", EDGES)
def test_the_edge_is_the_same_wherever_it_is_told(built: Built, backs: Backs) -> None:
    """What the file asks of the printer and says of itself, the plan, how to print, and the line on each back."""
    game = built(backs)
    wish, meant, other = EDGES[backs]
    for name in ("print", "cards"):
        reader = PdfReader(printed(game, name))
        assert reader.trailer["/Root"]["/ViewerPreferences"]["/Duplex"] == wish
        assert reader.metadata is not None and reader.metadata.subject is not None
        pages = [" ".join(page.extract_text().split()) for page in reader.pages]
        plan = pages[:2] if name == "print" else []
        backs_of_sheets = [page for page in pages if " · back" in page and "stays empty" not in page]
        # Twenty cards, nine a sheet; in the file of all also twenty tickets, four a sheet.
        assert len(backs_of_sheets) == (3 + 5 if plan else 3)
        for told in (reader.metadata.subject, *plan, *backs_of_sheets):
            assert meant in told and other not in told


@pytest.mark.parametrize(("backs", "said"), [("gutterfold", "fold along the dashed line"), ("none", "on one side")])
def test_one_side_is_the_same_wherever_it_is_told(built: Built, backs: Backs, said: str) -> None:
    """A file for one side never asks for two, and names no edge to flip on."""
    reader = PdfReader(printed(built(backs)))
    assert reader.trailer["/Root"]["/ViewerPreferences"]["/Duplex"] == "/Simplex"
    assert reader.metadata is not None and said in (reader.metadata.subject or "")
    assert not any(re.search(r"(long|short)\s+edge", page.extract_text()) for page in reader.pages)


# --- which pages --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backs", WAYS)
def test_sheets_and_pages_are_those_where_a_component_lies(game: TinyProject, backs: Backs) -> None:
    """Its pieces are drawn on these pages of the file; sheets with backs count both sides."""
    made = pipeline(game.project, papers=(paper("a4"),), backs=backs)
    (laid,) = made.laid.values()
    where: dict[str, set[int]] = {}
    # The two pages of the plan come first.
    for number, page in enumerate(made.printed[paper("a4")], 3):
        for item in page.items:
            if isinstance(item, PlacedFace) and not item.name.startswith("pnp/"):
                where.setdefault(item.name.partition("/")[0], set()).add(number)
    two = 2 if backs in ("long-edge", "short-edge") else 1
    counts = counts_by_component(laid, paper("a4"))

    assert set(counts.sheets) == set(counts.pages) == {"cards", "tickets", "six", "eight"}
    for component, pages in where.items():
        # Both dice lie on sheets without backs, which have one page each.
        sides = two if component in ("cards", "tickets") else 1
        assert numbers(counts.pages[component]) == sorted(pages)
        assert counts.sheets[component] * sides == len(pages)


def test_pages_that_only_show_something_are_nobodys(game: TinyProject) -> None:
    """How a piece is folded is no page of it for the books, but a line of the plan."""
    game_made = pipeline(game.project, papers=(paper("a4"),), backs="none")
    own, made = game_made.sheets(game_made.decks, paper("a4")), game_made.laid[paper("a4")]

    assert len(made) == len(own) + 1
    assert counts_by_component(made, paper("a4")) == counts_by_component(own, paper("a4"))
    assert sum(len(job.sheets) for job in printings(made, paper("a4"))) == len(made)


def test_the_sheet_to_try_first_is_one_with_backs(game: TinyProject) -> None:
    """Whether backs match shows only where there are some: here the token's sheet without any comes first."""
    text = GAME.replace(
        "[component.cards]", '[component.marks]\nkind = "token"\ntable = "cards"\nsize = "20mm"\n\n[component.cards]'
    )
    game.put(game_toml=text, marks_svg_j2=(game.project.root / "templates/tiny/cards.svg.j2").read_text())
    plan(game)
    reader = PdfReader(printed(game))
    said = re.search(r"Print pages (\d+) and (\d+) alone", " ".join(reader.pages[1].extract_text().split()))

    assert said is not None
    front, back = int(said[1]), int(said[2])
    placed = [bool(page.get("/Resources", {}).get("/XObject")) for page in reader.pages]
    assert back == front + 1 and placed[back - 1]
    assert not any(placed[page] for page in range(3, front - 1, 2))


@pytest.mark.parametrize("backs", WAYS)
def test_each_page_is_in_one_job_of_the_plan(built: Built, backs: Backs) -> None:
    """From page 3 to the last of the file each page is named once, in the plan as in the estimate."""
    game = built(backs)
    text = first_page(game)
    (made,) = pipeline(game.project, papers=(paper("a4"),), backs=backs).laid.values()
    jobs = printings(made, paper("a4"))
    pages = len(PdfReader(printed(game)).pages)

    assert sorted(number for job in jobs for number in numbers(job.pages)) == list(range(3, pages + 1))
    assert sum(run.pages for run in sheet_runs(made, paper("a4"))) == pages - 2
    assert [f"{job.pages} · {len(job.sheets)} sheet" in text for job in jobs] == [True] * len(jobs)
    assert f"{len(made)} sheets in all" in text


def test_a_job_is_of_one_paper_and_way(game: TinyProject) -> None:
    """Cards and tickets have backs, dice have none, and the page that shows how to fold them is plain."""
    (made,) = pipeline(game.project, papers=(paper("a4"),)).laid.values()
    jobs = [(job.paper, job.way, len(job.sheets)) for job in printings(made, paper("a4"))]

    assert jobs == [
        ("card, 300 g/m²", "long-edge", 3),
        ("paper, 100 g/m²", "long-edge", 5),
        ("card, 160-200 g/m²", "none", 1),
        ("plain paper", "none", 1),
    ]


def test_each_job_says_its_paper_and_its_sides(built: Built) -> None:
    """As a person needs it who stands at the printer, and below the pictures how many of what."""
    text = first_page(built("long-edge"))

    lines = (
        *("Card, 300 g/m² · both sides, flip on long edge", "pages 3–8 · 3 sheets"),
        *("Paper, 100 g/m² · both sides, flip on long edge", "pages 9–18 · 5 sheets"),
        *("Card, 160–200 g/m² · one side", "page 19 · 1 sheet"),
        "How to fold and glue (page 20)",
        *("20 × Cards", "20 × Tickets", "1 × Six", "1 × Eight"),
    )
    assert [said for said in lines if said not in text] == []


def test_nothing_is_asked_that_needs_the_program(built: Built) -> None:
    """Who got the file has a printer and scissors: what pnp can do for the backs is said to who builds."""
    pages = PdfReader(printed(built("long-edge"))).pages
    assert not any("pnp calibrate" in page.extract_text() for page in pages)


def test_another_form_of_pieces_is_said_to_be_one(game: TinyProject) -> None:
    """One prints cards or tickets: the plan says so below the tickets' picture, and which pages are not needed then."""
    game.write("content/tiny/game.toml", GAME.replace("[component.tickets]", '[component.tickets]\ninstead = "cards"'))
    text = plan(game)

    assert "20 × Tickets, or the Cards" in text and "20 × Cards, or the Tickets" in text
    said = "One of these is enough for a game: Cards, pages 3–8; or Tickets, pages 9–18."
    assert f"10 sheets in all, this one not counted. {said}" in text
    there = [page.extract_text() for page in PdfReader(printed(game)).pages]
    assert [number for number, page in enumerate(there, 1) if "· Tickets ·" in page] == [*range(9, 19)]


def test_forms_without_a_sheet_of_their_own_are_not_said_to_save_one(game: TinyProject) -> None:
    """Two dice lie beside a third one that is needed: whoever needs one of the two prints the same page."""
    ten = '[component.ten]\ntemplate = "six"\nkind = "die"\nsize = "30mm"\nsides = 6\npaper = "card, 160-200 g/m²"\n'
    text = GAME.replace("[component.eight]", '[component.eight]\ninstead = "six"') + ten
    game.write("content/tiny/game.toml", text)
    said = plan(game)

    assert "or the Six" in said and "page 19 · 1 sheet" in said and "is enough for a game" not in said


@pytest.mark.parametrize("other", ["tickets", "card", "six"])
def test_a_form_of_what_is_no_other_form_itself(game: TinyProject, other: str) -> None:
    """Of itself, of nothing, of another form: told at the key."""
    text = GAME.replace("[component.tickets]", f'[component.tickets]\ninstead = "{other}"')
    game.write("content/tiny/game.toml", text.replace("[component.six]", '[component.six]\ninstead = "eight"'))
    (problem,) = game.build().problems.errors

    assert problem.rule == "unknown-component"
    assert problem.value == other
    assert text.splitlines()[problem.place.row - 1] == f'instead = "{other}"'  # type: ignore[operator]


def test_each_bookmark_stands_in_the_job_of_its_component(built: Built) -> None:
    """The first page of a run of sheets has its title as its mark."""
    reader = PdfReader(printed(built("long-edge")))
    marks = {str(mark.title): reader.get_destination_page_number(mark) + 1 for mark in reader.outline}  # type: ignore[union-attr,arg-type]

    assert marks["Cards"] == 3 and marks["Tickets"] == 9


def test_books_are_jobs_of_their_own(books: TinyProject) -> None:
    """By title or subtitle, with the sheets of the very file, its name, how it is turned over, what becomes of it."""
    text = plan(books)

    for title, file, whose, stuff, what in (
        ("How it is played", "rulebook-booklet", "", "Plain paper", "fold and staple"),
        ("Card", "card-two-up", " for two players", "Card", "each sheet makes two, cut apart"),
    ):
        sheets = -(-len(PdfReader(printed(books, file)).pages) // 2)
        assert re.search(rf"{stuff} · both sides, flip on short edge;? {what}( ·)? {sheets} sheets?{whose}", text), text
        assert f"{title}: {file}.pdf" in text, text
        assert whose or f"The book takes {sheets} more." in text


# --- what it takes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backs", ["long-edge", "gutterfold"])
def test_the_ink_is_that_of_the_printed_pages(built: Built, backs: Backs) -> None:
    """The mean of all pages after the plan, measured on the file itself; marks and slugs are not worth counting."""
    game = built(backs)
    (told,) = re.findall(r"Ink covers about (\d+) % of a page", first_page(game))
    inks = [page.total for page in coverage(printed(game).read_bytes())[2:]]

    assert int(told) == pytest.approx(sum(inks) / len(inks), abs=2)


def test_the_paper_weighs_what_is_on_its_packet(built: Built) -> None:
    """Sheets of each line times the area of A4 times what a square metre of its paper weighs."""
    game = built("long-edge")
    text = first_page(game)
    (laid,) = pipeline(game.project, papers=(paper("a4"),)).laid.values()
    sheets = counts_by_component(laid, paper("a4")).sheets
    # 160-200 is 180 in the middle; the page that shows how dice are folded is plain paper.
    grams = (sheets["cards"] * 300 + sheets["tickets"] * 100 + sheets["six"] * 180 + 1 * 80) * 0.210 * 0.297

    assert f"the paper weighs {grams:.0f} g." in text


@pytest.mark.parametrize(("backs", "price"), [("none", 0.05), ("long-edge", 999.99)])
def test_the_price_is_that_of_all_printed_pages(game: TinyProject, backs: Backs, price: float) -> None:
    """Of each side of a sheet that goes through the printer; a long sum finds room, too."""
    text = plan(game, backs=backs, price=price)
    pages = len(PdfReader(printed(game)).pages) - 2

    assert f", about {pages * price:.2f} for {pages} printed pages." in text


@pytest.mark.parametrize("decks", [4, 40])
def test_many_papers_and_a_price_still_fit(game: TinyProject, decks: int) -> None:
    """Pictures give way to words; what is more than the page has room for is counted, and the sum stands below it."""
    deck = '\n[component.deck-{0}]\ntable = "cards"\ntemplate = "cards"\nsize = "tcg"\npaper = "card {0}"\n'
    game.write("content/tiny/game.toml", GAME + "".join(map(deck.format, range(decks))))
    text = plan(game, price=0.05)
    told = len(re.findall(r"pages? [\d–]+(?:, [\d–]+)* · \d+ sheet", text))
    more = re.search(r"sheets in all, this one not counted(?:, and (\d+) more jobs)?\. Ink covers .* printed pages\.", text)

    assert more is not None
    assert told + int(more[1] or 0) == decks + 4
    assert told >= 7


def test_one_job_of_many_decks_is_told(game: TinyProject) -> None:
    """Its paper, its sides and its pages always; of its names as many as the page takes, and how many more there are."""
    deck = '\n[component.deck-{0}]\ntitle = "Deck {0}{2}"\ntable = "cards"\ntemplate = "cards"\nsize = "{1}mm x 88mm"\n'
    head = GAME.partition("[component.cards]")[0]
    game.write(
        "content/tiny/game.toml", head + "".join(deck.format(at, 30 + at, ", of a long name" * 4) for at in range(80))
    )
    text = plan(game)

    assert re.search(r"Card, 200–300 g/m² · one side · pages 3–\d+ · \d+ sheets", text)
    assert "20 × Deck 0" in text
    assert re.search(r"; and \d+ more", text)


# --- how long -----------------------------------------------------------------------------------------------------------


def test_straight_cuts_are_counted_as_they_are_made(game: TinyProject) -> None:
    """Nine cards with bleed between them: six cuts across the sheet, then six in each of three strips; each card in hand."""
    (made,) = pipeline(game.project, papers=(paper("a4"),), backs="none").laid.values()
    whole = effort([next(sheet for sheet in made if isinstance(sheet, Sheet) and len(sheet.spots) == 9)])

    assert whole == Effort(6 * (6 + 3 * 6) + 3 * 9, 0.0)


def test_folding_counts_each_fold_and_tab(game: TinyProject) -> None:
    """A die has its creases and tabs; a sheet with backs beside a fold is folded and glued first."""
    made = pipeline(game.project, papers=(paper("a4"),), backs="gutterfold").laid[paper("a4")]
    dice = [sheet for sheet in made if isinstance(sheet, Sheet) and sheet.nested]
    nets = [spot.piece.front.net for sheet in dice for spot in sheet.spots]

    assert len(nets) == 2
    assert effort(dice).gluing == sum(8 * len(net.creases) + 40 * len(net.tabs) for net in nets if net)
    cards = [sheet for sheet in made if isinstance(sheet, Sheet) and not sheet.nested]
    assert effort(cards).gluing == 60 * len(cards)
