"""Pictures of folded pieces and of parts on a pin: true to the folding, on how-to pages, and on the print plan."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import pytest
from conftest import examples
from decks import NETS, PAPERS, apart, faces, folded_deck, inside, label_box, labels, piece_deck, strokes, within
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon

from pnp.lay.impose import PrintSettings, pages, sheets
from pnp.lay.picture import (
    GAP,
    INSIDE,
    PAPER,
    PLAN,
    SHELVES_APART,
    Picture,
    Wanted,
    folded_picture,
    made_picture,
    narrow,
    shelves,
    with_holes,
)
from pnp.lay.reference_pages import LARGEST_STEP, shown_page, shown_sheets
from pnp.lay.sheet import Folding, ShownSheet, runs
from pnp.read.presets import paper
from pnp.shapes.affine import Calibration, Rect
from pnp.shapes.nets import stands
from pnp.shapes.nets.net import Net
from pnp.shapes.nets.stands import Window, dial
from pnp.shapes.outline import Ring, ellipse
from pnp.values.faces import Deck, Item, Label, Page, Piece, PlacedFace, Stroke
from pnp.values.game import Backs, Paper
from pnp.values.languages import ENGLISH
from pnp.write.pdf import text_width

A4 = paper("a4")
names = st.sampled_from(list(NETS))
nets = pytest.mark.parametrize("name", list(NETS))
shares = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0.02, 0.99))


def piece(name: str, backed: bool = False) -> Piece:
    return folded_deck(name, NETS[name], backed=backed).pieces[0]


def art(picture: Picture) -> list[PlacedFace]:
    return [item for item in picture.items if isinstance(item, PlacedFace)]


def edges(picture: Picture) -> list[Stroke]:
    return [item for item in picture.items if isinstance(item, Stroke)]


def box_of(points: Sequence[tuple[float, float]]) -> Rect:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


GOLDEN = Path(__file__).with_name("golden") / "folded.txt"


def panel_of(net: Net, ring: Ring | None) -> str:
    return next(panel.name for panel in net.panels if panel.ring == ring)


def described(name: str, share: float) -> str:
    """A picture in words: what is drawn in which order, each panel's printed side with its matrix, each edge by its box."""
    lines = [f"{name} {share:g}"]
    for item in folded_picture(piece(name), share).items:
        if isinstance(item, PlacedFace):
            m = item.matrix
            numbers = " ".join(f"{value:.2f}" for value in (m.a, m.b, m.c, m.d, m.e, m.f))
            lines.append(f"  {panel_of(NETS[name], item.shape)} {numbers}")
        elif isinstance(item, Stroke):
            box = box_of(item.points)
            inside = "" if item.fill is None else " inside"
            lines.append(f"  edge {box.x:.1f} {box.y:.1f} {box.width:.1f} {box.height:.1f}{inside}")
    return "\n".join(lines).replace("-0.00", "0.00") + "\n"


def test_pictures_are_those_that_were_looked_at() -> None:
    """Flat, half open and closed: what is near over what is behind, seen from above and from the right, open tabs.

    To make it anew, after looking at the pages: ``python -m pytest tests/lay/test_picture.py`` with PNP_GOLDEN set."""
    made = "".join(described(name, share) for name in NETS for share in (0.0, 0.5, 1.0))
    if "PNP_GOLDEN" in os.environ:
        GOLDEN.write_text(made, encoding="utf-8")
    assert made == GOLDEN.read_text(encoding="utf-8")


@settings(max_examples=examples(60), deadline=None)
@given(names, shares)
def test_a_picture_is_true_however_far_it_is_folded(name: str, share: float) -> None:
    """Nothing is mirror-written; the art of neighbours meets at their crease; the inside is grey, or the back's art where
    it is printed; and all fills the picture's box."""
    plain, backed = folded_picture(piece(name), share), folded_picture(piece(name, True), share)
    assert all(each.matrix.determinant > 0 and each.name == PLAN for each in (*art(plain), *art(backed)))
    by_ring = {each.shape: each.matrix for each in art(plain)}
    rings = {panel.name: panel.ring for panel in NETS[name].panels}
    for crease in NETS[name].creases:
        if rings[crease.parent] in by_ring and rings[crease.child] in by_ring:
            parent, child = by_ring[rings[crease.parent]], by_ring[rings[crease.child]]
            for point in (crease.start, crease.end):
                assert math.dist(parent.point(*point), child.point(*point)) < 0.01
    inner = [stroke.points for stroke in edges(plain) if stroke.fill == INSIDE]
    behind = [each for each in art(backed) if each.side == "back"]
    assert all(stroke.fill in (None, PAPER) for stroke in edges(backed))
    for ring, each in zip(inner, behind, strict=True):
        assert each.face.key.endswith("back")
        clipped = [each.matrix.point(*point) for point in each.shape or ()]
        assert Polygon(clipped).symmetric_difference(Polygon(ring)).area < 1e-6
    box = box_of([point for stroke in edges(plain) for point in stroke.points])
    assert inside(box, Rect(0, 0, plain.width, plain.height), 1e-6)
    assert (box.width, box.height) == pytest.approx((plain.width, plain.height), abs=0.7)


def test_a_flat_net_has_the_numbers_of_its_tabs() -> None:
    """In the order of gluing, each on its tab or its fold; a single tab needs none, and what is folded shows none."""
    for name, net in NETS.items():
        made = folded_picture(piece(name), 0.0)
        numbers = [item for item in made.items if isinstance(item, Label)]
        wanted = [str(number) for number in range(1, len(net.tabs) + 1)] if len(net.tabs) > 1 else []
        assert [label.text for label in numbers] == wanted
        for label, tab in zip(numbers, net.tabs, strict=False):
            box = box_of([(x - net.bounds.x, y - net.bounds.y) for x, y in tab.ring])
            assert inside(Rect(label.x, label.y, 0, 0), box, within=1)
        assert not [item for item in folded_picture(piece(name), 0.5).items if isinstance(item, Label)]


def test_cards_stand_in_the_slots_of_a_ship_in_use() -> None:
    """As many as slots, blank, above the deck; else nothing stands there."""
    plain, used = folded_picture(piece("ship"), 1.0), folded_picture(piece("ship"), 1.0, used=True)
    cards = [stroke for stroke in edges(used) if stroke.fill == PAPER and len(stroke.points) == 4]
    slots = [stroke for stroke in edges(plain) if stroke.fill == PAPER]
    assert len(slots) == 3 and len(cards) == 6
    assert used.height > plain.height and used.width == pytest.approx(plain.width)


# How-to pages


@dataclass(frozen=True)
class Told:
    """A step as it stands on a how-to page."""

    title: Label
    number: Label
    lines: tuple[Label, ...]
    drawn: tuple[Item, ...]

    @property
    def box(self) -> Rect:
        return box_of([point for item in self.drawn if isinstance(item, Stroke) for point in item.points])

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


def told(page: Page) -> list[Told]:
    """The steps of a page in their order: title, then for each step picture, number, sentence."""
    head, *items, slug = page.items
    assert isinstance(head, Label)
    assert head.text == "How to fold and glue"
    assert isinstance(slug, Label)
    made: list[Told] = []
    title = head
    drawn: list[Item] = []
    for item in items:
        if not isinstance(item, Label) or item.halo:
            drawn.append(item)
        elif item.text.isdigit():
            made.append(Told(title, item, (), tuple(drawn)))
            drawn = []
        elif item.x == head.x:
            title = item
        else:
            step = made[-1]
            made[-1] = Told(step.title, step.number, (*step.lines, item), step.drawn)
    assert drawn == []
    return made


def all_decks(backed: bool = False) -> list[Deck]:
    return [folded_deck(name, net, backed=backed) for name, net in NETS.items()]


def explained(decks: list[Deck]) -> list[ShownSheet]:
    """The pages that show how these are folded."""
    return shown_sheets(decks, decks, (), (), A4)


def groups(made: ShownSheet) -> tuple[tuple[Deck, ...], ...]:
    return tuple(block.decks for block in made.blocks if isinstance(block, Folding))


def how_to(sheet: Paper) -> Iterator[tuple[Page, list[Deck]]]:
    for made in explained(all_decks()):
        yield shown_page(sheet, made, "A Game 1.0", text_width, ENGLISH), [group[0] for group in groups(made)]


on_papers = pytest.mark.parametrize("sheet", PAPERS, ids=lambda sheet: sheet.name)


def needs_steps(deck: Deck) -> bool:
    """Whether it has a tab, sides that are folded flat onto each other, or parts to put together."""
    net = deck.pieces[0].front.net
    return net is not None and (bool(net.tabs) or not net.creases or 180 in {abs(crease.angle) for crease in net.creases})


def test_every_folded_component_is_explained_once() -> None:
    """In the game's order, a few on a page; what takes no glue needs no such page: tokens, cards, a screen of one part."""
    decks = [piece_deck("token", [1]), *all_decks(), piece_deck("card", [1], kind="card")]
    told_of = [group for made in explained(decks) for group in groups(made)]
    assert told_of == [(deck,) for deck in decks if needs_steps(deck)]
    assert explained([decks[0], decks[-1]]) == []


def test_what_is_folded_alike_is_explained_together() -> None:
    """Two pawns of different sizes share a row, whose title names both; a die of another shape has its own."""
    pawns = [folded_deck(name, net, kind="pawn") for name, net in (("red", NETS["pawn"]), ("blue", stands.pawn(15, 30, 10)))]
    dice = [folded_deck(name, NETS[name]) for name in ("d6", "d10")]
    (made,) = explained([pawns[0], *dice, pawns[1]])
    assert groups(made) == (tuple(pawns), (dice[0],), (dice[1],))
    page = shown_page(A4, made, "A Game 1.0", text_width, ENGLISH)
    assert list(dict.fromkeys(step.title.text for step in told(page))) == ["Red · Blue", "D6", "D10"]


@on_papers
def test_every_step_has_its_picture_and_sentence(sheet: Paper) -> None:
    """Numbered from 1, in the net's order, under the component's title."""
    for page, decks in how_to(sheet):
        steps = told(page)
        wanted = [(deck, step) for deck in decks for step in deck.component.nets[0].steps]
        assert [step.text for step in steps] == [step.text for _, step in wanted]
        assert [step.title.text for step in steps] == [deck.component.title for deck, _ in wanted]
        for deck in decks:
            own = [step.number.text for step in steps if step.title.text == deck.component.title]
            assert own == [str(number) for number in range(1, len(own) + 1)]
        for step, (deck, stage) in zip(steps, wanted, strict=True):
            picture = made_picture(deck, deck.pieces[0], stage)
            assert len(step.drawn) == len(picture.items)
            assert step.box.width <= LARGEST_STEP * box_of([p for edge in edges(picture) for p in edge.points]).width + 1e-6


@on_papers
def test_pictures_and_sentences_stay_in_their_rooms(sheet: Paper) -> None:
    """No picture touches another, a title or a text; no text another; all in the printable area, above the slug line."""
    printable = within(sheet)
    for page, _ in how_to(sheet):
        steps = told(page)
        words = [label_box(label) for label in labels(page) if not label.halo]
        for step in steps:
            assert inside(step.box, printable)
            assert all(apart(step.box, word) > 0.5 for word in words)
        for one, two in combinations(steps, 2):
            assert apart(one.box, two.box) > 2
        for first, second in combinations(words, 2):
            assert apart(first, second) > 0
        for word in words[:-1]:
            assert inside(word, printable)


@pytest.mark.parametrize("backs", ["long-edge", "none"])
def test_how_to_pages_are_no_sheets_of_pieces(backs: Backs) -> None:
    """They come after the pieces, say that nothing is to be cut, and have no reverse."""
    decks = [folded_deck("pawn", NETS["pawn"], 2, backed=True)]
    made = [*sheets(runs(decks), A4, backs), *explained(decks)]
    printed = pages(made, PrintSettings(A4, backs, Calibration(), "A Game 1.0", text_width))
    page = printed[-1]
    assert len(printed) == (3 if backs == "long-edge" else 2)
    assert page.side == "front"
    assert any("nothing to cut" in label.text for label in labels(page))
    assert {placed.name for placed in faces(page)} == {PLAN}
    assert strokes(page)
    counted = [placed for page in printed for placed in faces(page) if placed.side == "front" and placed.name != PLAN]
    assert [placed.name for placed in counted] == ["pawn/p0", "pawn/p0"]


# The print plan

WORDS = ["Captain", "penguins", "Mammoth", "ice", "of", "and", "Sail", "speed", "treasure", "for", "swimming"]
titles = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


@st.composite
def plan_decks(draw: st.DrawFn) -> list[Deck]:
    """Cards, tokens, boards and folded pieces with names as games give them."""
    made = []
    for at in range(draw(st.integers(1, 9))):
        title, copies = draw(titles), draw(st.integers(1, 120))
        if draw(st.booleans()):
            name = draw(names)
            made.append(folded_deck(f"deck{at}", NETS[name], copies, title=title, kind=name))
        else:
            size = draw(st.sampled_from([(63.0, 88.0), (20.0, 20.0), (250.0, 60.0), (300.0, 400.0), (15.0, 120.0)]))
            kind = draw(st.sampled_from(["card", "token", "board", "tracker"]))
            made.append(piece_deck(f"deck{at}", [copies, 1], size, kind=kind, title=title))
    return made


rooms = st.builds(
    lambda sheet, top, height: Rect(18, top, sheet.width - 36, height),
    st.sampled_from(PAPERS),
    st.floats(90, 200),
    st.floats(0, 160),
)


@dataclass(frozen=True)
class Shown:
    """A picture of the plan with the lines of its name."""

    box: Rect
    lines: tuple[Label, ...]

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


def named(decks: Sequence[Deck]) -> list[tuple[Deck, str]]:
    return [(deck, f"{deck.copies} × {deck.component.title}") for deck in decks]


def plan_of(decks: Sequence[Deck], room: Rect) -> list[Shown]:
    """The pictures of a single job; none where there is no room."""
    asked = Wanted(named(decks), room.x, room.width)
    return [each for shelf in shelves([asked], room.y, room.bottom, text_width) or () for each in shown_on(shelf.items)]


def shown_on(items: Sequence[Item]) -> list[Shown]:
    made: list[Shown] = []
    drawn: list[tuple[float, float]] = []
    for item in items:
        if isinstance(item, Label):
            if drawn:
                made.append(Shown(box_of(drawn), ()))
                drawn = []
            made[-1] = Shown(made[-1].box, (*made[-1].lines, item))
        elif isinstance(item, Stroke):
            drawn += item.points
        elif isinstance(item, PlacedFace):
            assert item.name == PLAN
            drawn += [item.matrix.point(*point) for point in item.shape or corners_of(item)]
    assert drawn == []
    return made


def corners_of(item: PlacedFace) -> Ring:
    width, height = item.face.width, item.face.height
    return (0, 0), (width, 0), (width, height), (0, height)


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(plan_decks(), min_size=1, max_size=6), rooms, st.floats(0, 25), st.booleans())
def test_the_plan_shows_every_deck_or_none(jobs: list[list[Deck]], room: Rect, head: float, mirrored: bool) -> None:
    """Number and title of all components in the game's order, each below the head of its own job; or words tell them all.

    Pictures of a job are equally high, but for such as are as wide as the page; none lies on another, on a name or outside
    the room; names begin below their picture's edge, none on another; a job's first picture stands where one begins to
    read."""
    asked = [Wanted(named(job), room.x, room.width, head) for job in jobs]
    found = shelves(asked, room.y, room.bottom, text_width, mirrored)
    if found is None:
        return
    made: list[Shown] = []
    for job, shelf, below in zip(jobs, found, [*found[1:], None], strict=True):
        shown = shown_on(shelf.items)
        assert [each.text for each in shown] == [text for _, text in named(job)]
        assert all(shelf.top + head <= each.box.y + 0.01 and each.box.bottom <= shelf.top + shelf.height for each in shown)
        assert shelf.height >= head and shelf.top + shelf.height <= (below.top if below else room.bottom + 0.01)
        highest = max(each.box.height for each in shown)
        assert all(e.box.width > room.width - 1 or e.box.height == pytest.approx(highest, abs=0.2) for e in shown)
        made += shown
    words = [label_box(line) for each in made for line in each.lines]
    assert all(inside(each.box, room) for each in made) and all(inside(word, room, 0.01) for word in words)
    assert all(apart(one.box, two.box) > 1 for one, two in combinations(made, 2))
    assert all(apart(one, two) >= 0 for one, two in combinations(words, 2))
    assert all(apart(word, each.box) > 0 for word in words for each in made)
    for each in made:
        assert {line.anchor for line in each.lines} == {"end" if mirrored else "start"}
        edge = each.box.right if mirrored else each.box.x
        assert [line.x for line in each.lines] == pytest.approx([edge] * len(each.lines), abs=0.2)
    firsts = [shown_on(shelf.items)[0].box for shelf in found if shelf.items]
    begins = [box.right - room.right if mirrored else box.x - room.x for box in firsts]
    assert begins == pytest.approx([0] * len(firsts), abs=0.2)


def test_pictures_are_set_a_little_lower_where_they_then_stand_in_one_row() -> None:
    """Three of the four would stand in a first row; all stand in one, and are not lowered for more than a quarter."""
    decks = [piece_deck(f"deck{at}", [1], (60, 60)) for at in range(4)]
    made = plan_of(decks, Rect(18, 100, 120, 80))
    assert len({round(each.box.y) for each in made}) == 1
    assert made[0].box.height == pytest.approx((120 - 3 * GAP) / 4, abs=1)
    made = plan_of([*decks, *(piece_deck(f"more{at}", [1], (60, 60)) for at in range(4))], Rect(18, 100, 120, 80))
    assert len({round(each.box.y) for each in made}) == 2


def test_no_picture_of_a_plan_is_alone_in_its_last_row() -> None:
    """Seven go side by side; of eight there are four in each of two rows."""
    decks = [piece_deck(f"deck{at}", [1], (60, 60), title="Penguin in a storm") for at in range(8)]
    made = plan_of(decks, Rect(18, 100, 150, 48))

    assert [[each.box.y for each in made].count(row) for row in sorted({each.box.y for each in made})] == [4, 4]


def test_two_narrow_jobs_stand_side_by_side() -> None:
    """At one height, each within its own half; what follows begins below the higher of the two."""
    card, board = [piece_deck("cards", [1], (63, 88))], [piece_deck("board", [1], (200, 80))]
    assert narrow(named(card)) and narrow(named(card * 2)) and not narrow(named(card * 3)) and not narrow(named(board))

    halves = Wanted(named(card), 30, 70, 5), Wanted(named(card * 2), 110, 70, 9, 4, beside=True)
    found = shelves([*halves, Wanted([], 30, 150, 5)], 100, 160, text_width)
    assert found is not None
    first, second, last = found
    assert first.top == second.top == 100 and first.height == second.height == last.top - 100 - SHELVES_APART
    assert all(each.box.x >= 30 and each.box.right <= 100 for each in shown_on(first.items))
    assert all(each.box.x >= 110 and each.box.right <= 180 for each in shown_on(second.items))


def test_names_of_narrow_pieces_can_be_read() -> None:
    """A slim piece has room for its name beside it: two lines of ten letters are not set smaller than 6 pt."""
    decks = [piece_deck(f"slim{at}", [12], (10, 120), title="Sail and speed board") for at in range(3)]
    for each in plan_of(decks, Rect(18, 120, 174, 80)):
        assert [line.text for line in each.lines] == ["12 ×", "Sail and", "speed board"]
        assert all(line.size_pt >= 6 for line in each.lines)


def test_the_number_of_pieces_stands_above_their_name() -> None:
    """In every plan, whatever the width: so a picture needs no more room than its name."""
    decks = [piece_deck(f"deck{at}", [12], (60, 60), title="Tagesformkarten") for at in range(8)]
    made = plan_of(decks, Rect(18, 100, 184, 40))
    assert all([line.text for line in each.lines] == ["12 ×", "Tagesformkarten"] for each in made)
    assert len({each.box.y for each in made}) == 1


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("Cartas de tesoro", ["Cartas", "de tesoro"]),
        ("Porträts der Kapitäne (je zwei zum Kleben)", ["Porträts der Kapitäne", "(je zwei zum Kleben)"]),
        ("Sail and speed board", ["Sail and", "speed board"]),
    ],
)
def test_a_name_is_parted_where_one_would_pause(title: str, lines: list[str]) -> None:
    """Before a short word, and before brackets, unless one line is much longer then."""
    (made,) = plan_of([piece_deck("deck", [12], (10, 60), title=title)], Rect(18, 100, 184, 40))
    assert [line.text for line in made.lines] == ["12 ×", *lines]


def test_a_plan_without_room_has_no_pictures() -> None:
    """Rather none than tiny ones."""
    decks = [piece_deck("cards", [1], (63, 88), kind="card")]
    assert shelves([Wanted(named(decks), 18, 174)], 200, 200, text_width) is None
    assert shelves([Wanted(named(decks), 18, 174)], 200, 217, text_width) is None
    assert len(plan_of(decks, Rect(18, 200, 174, 40))) == 1
    assert plan_of([], Rect(18, 200, 174, 40)) == []


SIZE = 60.0


def dial_deck(name: str = "dial") -> Deck:
    """A dial of two discs."""
    lower, upper = dial(SIZE, 12, Window(14, 26, 0, 26), 4)
    first, second = (folded_deck(name, net, kind="dial") for net in (lower, upper))
    (piece,), (other,) = first.pieces, second.pieces
    other = replace(other, front=replace(other.front, key="upper"), part=2)
    return replace(first, pieces=(piece, other))


def shown_faces(picture: Picture) -> list[PlacedFace]:
    return [item for item in picture.items if isinstance(item, PlacedFace)]


def seen_of(face: PlacedFace) -> Polygon:
    """What is seen of a face in the picture."""
    return Polygon([face.matrix.point(*point) for point in face.shape or ()]).buffer(0)


def shifted(ring: Ring, x: float, y: float) -> Ring:
    return tuple((px + x, py + y) for px, py in ring)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), unique=True, max_size=6), st.booleans())
def test_one_ring_goes_around_what_the_holes_leave(places: list[tuple[int, int]], turned: bool) -> None:
    """By the nonzero rule it covers the shape without its holes, whichever way these run."""
    outer = shifted(ellipse(100, 100), -50, -50)
    holes = [shifted(ellipse(6, 6), 9 * x - 3, 9 * y - 3) for x, y in places]
    ring = with_holes(outer, [hole[::-1] if turned else hole for hole in holes])
    ends = zip(ring, [*ring[1:], ring[0]], strict=True)
    area = abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in ends)) / 2

    assert area == pytest.approx(Polygon(outer, holes).area)
    assert {point for part in (outer, *holes) for point in part} == set(ring)


@pytest.mark.parametrize("step", range(4))
def test_each_step_shows_its_discs_in_their_order(step: int) -> None:
    """Disc, disc, both apart, both together; nothing in a picture is a piece to count, or reaches beyond it."""
    deck = dial_deck()
    net = deck.pieces[0].front.net
    assert net is not None
    picture = made_picture(deck, deck.pieces[0], net.steps[step])

    assert [face.face.key for face in shown_faces(picture)] == [
        ("dial-front", "upper")[part - 1] for part in net.steps[step].parts
    ]
    assert {face.name for face in shown_faces(picture)} == {PLAN}
    for item in picture.items:
        points = item.points if isinstance(item, Stroke) else [*seen_of(item).exterior.coords]
        assert all(-0.01 <= x <= picture.width + 0.01 and -0.01 <= y <= picture.height + 0.01 for x, y in points)


def test_the_pin_is_on_top_and_in_the_middle() -> None:
    """Its grey head is drawn last, hides the hole and leaves the window free; apart a line leads through both holes."""
    deck = dial_deck()
    together = made_picture(deck, deck.pieces[0]).items
    net = deck.pieces[0].front.net
    assert net is not None
    apart = made_picture(deck, deck.pieces[0], net.steps[2]).items
    head = together[-1]

    assert isinstance(head, Stroke) and isinstance(head.fill, float)
    assert Polygon(head.points).centroid.distance(Point(SIZE / 2, SIZE / 2)) < 0.01
    assert Polygon(head.points).contains(Polygon(net.holes[0]))
    lines = [item for item in apart if isinstance(item, Stroke) and not item.closed]
    assert len(lines) == 2 and len({round(x, 6) for line in lines for x, _ in line.points}) == 1
    assert lines[0].points[1] == pytest.approx(lines[1].points[0])


def test_a_page_tells_what_is_done_with_its_pieces() -> None:
    """Dials alone are put together; among what is folded the page says so."""
    (alone,), (mixed,) = (
        shown_sheets(decks, decks, (), (), paper("a4"))
        for decks in ([dial_deck()], [dial_deck(), folded_deck("pawn", NETS["pawn"])])
    )

    assert alone.note(ENGLISH) == "how to put together"
    assert mixed.note(ENGLISH) == "how to fold and glue"
