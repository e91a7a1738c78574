"""Pictures of folded pieces: true to the folding, on the pages that tell how to fold, and on the print plan."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import pytest
from conftest import examples
from decks import PAPERS, faces, labels
from hypothesis import given, settings
from hypothesis import strategies as st
from nests import NETS, PRINTABLE, apart, folded_deck, inside, piece_deck, strokes
from shapely.geometry import Polygon
from shapely.ops import unary_union

from pnp.lay.gallery import TALLEST, shelves
from pnp.lay.impose import PrintSettings, pages, sheets
from pnp.lay.picture import PLAN, Picture, folded_picture
from pnp.lay.sheet import Folding, ShownSheet, runs
from pnp.lay.shown import shown_page, shown_sheets
from pnp.read.presets import paper
from pnp.shapes.affine import Calibration, Rect, rotation, translation
from pnp.shapes.nets import stands
from pnp.shapes.nets.net import Net, Panel, folded
from pnp.shapes.nets.view import ASIDE
from pnp.shapes.outline import Ring
from pnp.values.faces import Deck, Item, Label, Page, Piece, PlacedFace, Stroke
from pnp.values.game import Backs, Paper
from pnp.values.words import ENGLISH
from pnp.write.pdf import text_width

A4 = paper("a4")
names = st.sampled_from(list(NETS))
nets = pytest.mark.parametrize("name", list(NETS))
solids = pytest.mark.parametrize("name", ["d6", "d10"])
shares = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0.02, 0.99))
stages = [(name, step.share) for name, net in NETS.items() for step in net.steps]
of_stages = pytest.mark.parametrize(("name", "share"), sorted(set(stages)))

Vector = tuple[float, float, float]


def piece(name: str, backed: bool = False) -> Piece:
    return folded_deck(name, NETS[name], backed=backed).pieces[0]


def art(picture: Picture) -> list[PlacedFace]:
    return [item for item in picture.items if isinstance(item, PlacedFace)]


def edges(picture: Picture) -> list[Stroke]:
    return [item for item in picture.items if isinstance(item, Stroke)]


def box_of(points: Sequence[tuple[float, float]]) -> Rect:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def printed_side(net: Net, name: str) -> Panel:
    return next(panel for panel in net.panels if panel.name == name)


@dataclass(frozen=True)
class Seen:
    """A panel in space as the viewer sees it: across, down, and near."""

    name: str
    corners: tuple[Vector, ...]
    origin: Vector
    across: Vector
    down: Vector

    @property
    def printed(self) -> bool:
        """Whether its printed side is towards the viewer."""
        return self.across[0] * self.down[1] - self.across[1] * self.down[0] > 0

    @property
    def ring(self) -> Ring:
        return tuple((x, y) for x, y, _ in self.corners)

    def near(self, x: float, y: float) -> float:
        """How near its plane is to the viewer at a place of the picture."""
        (ax, ay, az), (bx, by, bz), (ox, oy, oz) = self.across, self.down, self.origin
        flat = ax * by - ay * bx
        u, v = ((x - ox) * by - (y - oy) * bx) / flat, (ax * (y - oy) - ay * (x - ox)) / flat
        return oz + u * az + v * bz


def seen(net: Net, share: float) -> list[Seen]:
    """All panels as somebody sees them who stands at ASIDE.yaw beside the middle and looks down by ASIDE.pitch."""
    yaw, pitch = (ASIDE.yaw, ASIDE.pitch) if share else (0.0, 0.0)
    ahead = (math.sin(yaw), 0.0, math.cos(yaw))
    right = (math.cos(yaw), 0.0, -math.sin(yaw))
    down = (ahead[0] * math.sin(pitch), math.cos(pitch), ahead[2] * math.sin(pitch))
    near = (ahead[0] * math.cos(pitch), -math.sin(pitch), ahead[2] * math.cos(pitch))

    def look(point: Vector) -> Vector:
        x, y, z = (sum(part * other for part, other in zip(point, axis, strict=True)) for axis in (right, down, near))
        return x, y, z

    made = []
    for panel in net.panels:
        space = folded(net, share)[panel.name]
        origin = look(space.point(0, 0))
        axes = [look(space.point(*unit)) for unit in ((1, 0), (0, 1))]
        (ax, ay, az), (bx, by, bz) = axes
        ox, oy, oz = origin
        corners = tuple(look(space.point(*point)) for point in panel.ring)
        made.append(Seen(panel.name, corners, origin, (ax - ox, ay - oy, az - oz), (bx - ox, by - oy, bz - oz)))
    return made


def shown(net: Net, share: float) -> list[Seen]:
    """Those of them that the picture is to show: not what is hidden in a closed piece, not what stands on edge."""
    hidden = {panel.name for panel in net.panels if panel.onto and share == 1}
    return [each for each in seen(net, share) if each.name not in hidden and Polygon(each.ring).area >= 0.01]


def in_order(name: str, share: float) -> list[Seen]:
    """The panels in the order in which the picture draws them."""
    there = shown(NETS[name], share)
    home = box_of([point for each in there for point in each.ring])
    order = []
    for stroke in edges(folded_picture(piece(name), share)):
        fitting = [
            each
            for each in there
            if len(each.ring) == len(stroke.points)
            and all(
                math.dist((x - home.x, y - home.y), point) < 0.05
                for (x, y), point in zip(each.ring, stroke.points, strict=True)
            )
        ]
        assert len(fitting) == 1, "an edge of the picture is no panel's"
        order += fitting
    return order


@settings(max_examples=examples(40), deadline=None)
@given(names, shares, st.booleans())
def test_nobody_counts_a_picture(name: str, share: float, backed: bool) -> None:
    """Its faces carry the name of small pictures, not that of the piece."""
    placed = art(folded_picture(piece(name, backed), share))
    assert placed
    assert {each.name for each in placed} == {PLAN}
    assert "/p0" not in PLAN


@nets
def test_a_flat_piece_shows_every_panel_at_one_scale(name: str) -> None:
    """Seen from straight above it is the net itself, tabs and all, each panel with its art where it is printed."""
    net = NETS[name]
    picture = folded_picture(piece(name), 0.0)
    assert (picture.width, picture.height) == pytest.approx((net.bounds.width, net.bounds.height))
    assert sorted(each.shape or () for each in art(picture)) == sorted(panel.ring for panel in net.panels)
    for each in art(picture):
        matrix = each.matrix
        assert (matrix.a, matrix.b, matrix.c, matrix.d) == pytest.approx((1, 0, 0, 1))
        assert (matrix.e, matrix.f) == pytest.approx((0, 0), abs=1e-5)
        assert each.side == "front"


@nets
def test_a_closed_piece_shows_no_tabs(name: str) -> None:
    """What is glued or tucked in lies behind what hides it; all other panels are drawn, seen or not."""
    net = NETS[name]
    drawn = {each.name for each in in_order(name, 1.0)}
    assert drawn == {each.name for each in shown(net, 1.0)}
    assert drawn.isdisjoint(panel.name for panel in net.panels if panel.onto)


@pytest.mark.parametrize("share", [0.45, 0.7])
@nets
def test_a_half_open_piece_shows_its_tabs(name: str, share: float) -> None:
    """They are what is to be glued next."""
    drawn = {each.name for each in in_order(name, share)}
    assert {tab.name for tab in NETS[name].tabs} <= drawn


@settings(max_examples=examples(40), deadline=None)
@given(names, shares)
def test_pictures_are_true_to_the_folding(name: str, share: float) -> None:
    """Every edge is the projection of a panel that was folded in space; art lies on panels that show their printed side."""
    there = in_order(name, share)
    assert sorted(each.name for each in there) == sorted(each.name for each in shown(NETS[name], share))
    picture = folded_picture(piece(name), share)
    printed = [printed_side(NETS[name], each.name).ring for each in there if each.printed]
    assert [each.shape for each in art(picture)] == printed
    for stroke, each in zip(edges(picture), there, strict=True):
        assert (stroke.fill is None) == each.printed


@settings(max_examples=examples(60), deadline=None)
@given(names, shares, st.booleans())
def test_nothing_is_mirror_written(name: str, share: float, backed: bool) -> None:
    """What is seen is seen from its printed side, and foreshortened one way only, as flat things are from afar."""
    for each in art(folded_picture(piece(name, backed), share)):
        matrix = each.matrix
        assert matrix.determinant > 0
        # The longer axis of a circle's picture: the larger root of the map's squares.
        squares = matrix.a**2 + matrix.b**2 + matrix.c**2 + matrix.d**2
        longer = (squares + math.sqrt(max(0.0, squares**2 - 4 * matrix.determinant**2))) / 2
        assert longer == pytest.approx(1, abs=1e-6)


@settings(max_examples=examples(40), deadline=None)
@given(names, shares.filter(lambda share: share > 0))
def test_the_inside_is_blank_or_the_back(name: str, share: float) -> None:
    """A panel seen from inside is grey paper, or the back's art where the inside is printed, clipped to the panel."""
    plain, backed = folded_picture(piece(name), share), folded_picture(piece(name, True), share)
    inner = [stroke.points for stroke in edges(plain) if stroke.fill is not None]
    behind = [each for each in art(backed) if each.side == "back"]
    assert all(stroke.fill is None for stroke in edges(backed))
    assert len(inner) == len(behind)
    for ring, each in zip(inner, behind, strict=True):
        assert each.face.key.endswith("back")
        clipped = [each.matrix.point(*point) for point in each.shape or ()]
        assert Polygon(clipped).symmetric_difference(Polygon(ring)).area < 1e-6


@settings(max_examples=examples(40), deadline=None)
@given(names, shares)
def test_panels_stay_joined_at_their_creases(name: str, share: float) -> None:
    """The art of two neighbours meets along the fold between them, however far it is closed."""
    net = NETS[name]
    by_ring = {each.shape: each.matrix for each in art(folded_picture(piece(name), share))}
    rings = {panel.name: panel.ring for panel in net.panels}
    for crease in net.creases:
        if rings[crease.parent] in by_ring and rings[crease.child] in by_ring:
            parent, child = by_ring[rings[crease.parent]], by_ring[rings[crease.child]]
            for point in (crease.start, crease.end):
                assert math.dist(parent.point(*point), child.point(*point)) < 0.01


@of_stages
def test_what_is_near_is_drawn_over_what_is_behind(name: str, share: float) -> None:
    """Wherever two panels lie one behind the other in a picture of the assembly, the nearer is drawn later."""
    order = in_order(name, share)
    for earlier, later in combinations(order, 2):
        common = Polygon(earlier.ring).buffer(-0.05).intersection(Polygon(later.ring).buffer(-0.05))
        if common.area < 2:
            continue  # a sliver
        corners = [point for part in getattr(common, "geoms", [common]) for point in part.exterior.coords]
        nearer = [later.near(x, y) - earlier.near(x, y) for x, y in corners]
        # Two that pass through each other, as tabs may while nothing is glued, have no order.
        assert max(nearer) > 0.05 or min(nearer) > -0.2, f"{later.name} is drawn over {earlier.name}"


@solids
def test_a_closed_die_shows_the_faces_towards_the_viewer(name: str) -> None:
    """They lie side by side without a gap and hide all others: of a cube three."""
    order = in_order(name, 1.0)
    front = [Polygon(each.ring) for each in order if each.printed]
    assert len(front) == 3 if name == "d6" else 4 <= len(front) <= 6
    for one, two in combinations(front, 2):
        assert one.intersection(two).area < 0.02
    outer = unary_union([Polygon(each.ring) for each in order])
    assert unary_union(front).symmetric_difference(outer).area < 0.02
    for each in order:
        if not each.printed:
            hidden = unary_union([Polygon(later.ring) for later in order[order.index(each) + 1 :] if later.printed])
            assert Polygon(each.ring).difference(hidden.buffer(0.01)).area < 0.02


@nets
def test_the_front_of_a_finished_piece_is_seen(name: str) -> None:
    """Its main panel shows its printed side to the viewer, and nothing is drawn over it."""
    main = NETS[name].panels[0].name
    order = in_order(name, 1.0)
    (place,) = [number for number, each in enumerate(order) if each.name == main]
    assert order[place].printed
    over = [Polygon(later.ring) for later in order[place + 1 :]]
    assert unary_union(over).intersection(Polygon(order[place].ring)).area < 0.02


@pytest.mark.parametrize(
    ("name", "above", "below"), [("prism", "top", "bottom"), ("box", "top", "bottom"), ("d6", "face-5", "face-2")]
)
def test_pieces_are_seen_from_above(name: str, above: str, below: str) -> None:
    """The upper side is seen from outside, the lower one is not."""
    printed = {each.name: each.printed for each in in_order(name, 1.0)}
    assert printed[above]
    assert not printed[below]


@settings(max_examples=examples(30), deadline=None)
@given(names, shares)
def test_a_picture_fills_its_box(name: str, share: float) -> None:
    """From (0, 0) to its width and height, no more and no less, whatever stands on edge."""
    picture = folded_picture(piece(name), share)
    box = box_of([point for stroke in edges(picture) for point in stroke.points])
    assert inside(box, Rect(0, 0, picture.width, picture.height), 1e-6)
    assert (box.width, box.height) == pytest.approx((picture.width, picture.height), abs=0.7)


def test_a_picture_is_moved_as_a_whole() -> None:
    """Art and edges go to the same place of the page."""
    picture = folded_picture(piece("box"), 0.6)
    matrix = translation(30, 40) @ rotation(90)
    for before, after in zip(picture.items, picture.at(matrix), strict=True):
        if isinstance(before, Stroke):
            assert isinstance(after, Stroke)
            assert after.points == tuple(matrix.point(*point) for point in before.points)
        else:
            assert isinstance(after, PlacedFace)
            assert after.matrix.point(3, 5) == pytest.approx(matrix.point(*before.matrix.point(3, 5)))


def test_what_is_not_folded_has_no_such_picture() -> None:
    """A token has no steps to show."""
    with pytest.raises(ValueError, match="not folded"):
        folded_picture(piece_deck("token", [1]).pieces[0], 1.0)


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


def label_box(label: Label) -> Rect:
    """Where a line of text has ink, in mm; level text only."""
    em = label.size_pt * 25.4 / 72
    wide = text_width(label.text, label.size_pt)
    start = {"start": 0.0, "middle": wide / 2, "end": wide}[label.anchor]
    assert label.turn == 0
    return Rect(label.x - start, label.y - 0.75 * em, wide, 0.97 * em)


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
        if not isinstance(item, Label):
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
    assert list(dict.fromkeys(step.title.text for step in told(page))) == ["Red, Blue", "D6", "D10"]


def test_a_long_title_stays_on_the_page() -> None:
    """Many pieces that are folded alike have many names."""
    decks = [folded_deck(f"captain-number-{at}", NETS["pawn"], kind="pawn") for at in range(12)]
    (made,) = explained(decks)
    title = told(shown_page(A4, made, "A Game 1.0", text_width, ENGLISH))[0].title
    assert title.text.count("Captain") == 12
    assert label_box(title).right <= A4.width - title.x + 1e-6


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
            picture = folded_picture(deck.pieces[0], stage.share)
            assert len(step.drawn) == len(picture.items)
            scale = step.box.width / box_of([point for stroke in edges(picture) for point in stroke.points]).width
            assert scale <= 1 + 1e-9
            for one, two in zip(step.drawn, picture.items, strict=True):
                if isinstance(one, PlacedFace):
                    assert isinstance(two, PlacedFace)
                    assert one.matrix.determinant == pytest.approx(two.matrix.determinant * scale**2)


@on_papers
def test_pictures_and_sentences_stay_in_their_rooms(sheet: Paper) -> None:
    """No picture touches another, a title or a text; no text another; all in the printable area, above the slug line."""
    printable = Rect(0, 0, sheet.width, sheet.height).grown(*4 * [-PRINTABLE])
    for page, _ in how_to(sheet):
        steps = told(page)
        words = [label_box(label) for label in labels(page)]
        for step in steps:
            assert inside(step.box, printable)
            assert all(apart(step.box, word) > 0.5 for word in words)
        for one, two in combinations(steps, 2):
            assert apart(one.box, two.box) > 2
        for first, second in combinations(words, 2):
            assert apart(first, second) > 0
        for word in words[:-1]:
            assert inside(word, printable)


@on_papers
def test_a_sentence_stands_below_its_own_picture(sheet: Paper) -> None:
    """To the right of its number, in the column of its picture, and before the next step's number."""
    for page, _ in how_to(sheet):
        steps = told(page)
        for step, after in zip(steps, [*steps[1:], None], strict=True):
            same_row = after is not None and after.title is step.title
            end = after.number.x if after is not None and same_row else sheet.width - step.title.x
            assert step.box.x >= step.number.x - 1e-6
            assert step.box.right <= end + 1e-6
            for line in step.lines:
                area = label_box(line)
                assert area.x > label_box(step.number).right
                assert area.right < end + 1e-6
                assert area.y > step.box.bottom


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

WORDS = [
    "Captain",
    "penguins",
    "Mammoth",
    "ice",
    "of",
    "and",
    "Sail",
    "speed",
    "board",
    "Goods",
    "treasure",
    "Box",
    "for",
    "swimming",
]
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
plans = settings(max_examples=examples(80), deadline=None)


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


def shelves_of(jobs: Sequence[Sequence[Deck]], room: Rect, head: float = 0.0) -> list[list[Shown]]:
    """The pictures of each job with their names, row by row; none where there is no room."""
    found = shelves([named(job) for job in jobs], [head] * len(jobs), room, text_width)
    return [shown_on(shelf.items) for shelf in found or ()]


def plan_of(decks: Sequence[Deck], room: Rect) -> list[Shown]:
    """The pictures of a single job."""
    return [each for shelf in shelves_of([decks], room) for each in shelf]


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


@pytest.mark.parametrize("title", ["Mammoth and Mammoth swimming", "WWWWWWWWWWWW", "Mmmmmm Wwwwww", "Illi till illi till"])
@pytest.mark.parametrize("decks", [1, 2, 6])
def test_wide_letters_stay_in_the_room(title: str, decks: int) -> None:
    """A name of nothing but wide letters below a slim piece is set smaller, and reaches into no other and out of no room."""
    room = Rect(18, 120, 174, 60)
    made = plan_of([piece_deck(f"deck{at}", [99], (15, 120), title=title) for at in range(decks)], room)
    assert len(made) == decks
    words = [label_box(line) for each in made for line in each.lines]
    for word in words:
        assert inside(word, room, 0.01)
        # No wider than the room that a long name gets.
        assert word.width <= 36.01
    for one, two in combinations(words, 2):
        assert apart(one, two) >= 0


@settings(max_examples=examples(400), deadline=None)
@given(plan_decks(), rooms)
def test_labels_on_the_plan_are_apart(decks: list[Deck], room: Rect) -> None:
    """None lies on another, on a picture, or outside the room for pictures."""
    made = plan_of(decks, room)
    words = [label_box(line) for each in made for line in each.lines]
    for one, two in combinations(words, 2):
        assert apart(one, two) >= 0
    for word in words:
        assert inside(word, room, 0.01)
        assert all(apart(word, each.box) > 0 for each in made)


@plans
@given(st.lists(plan_decks(), min_size=1, max_size=6), rooms, st.floats(0, 25))
def test_pictures_on_the_plan_stand_in_rows(jobs: list[list[Deck]], room: Rect, head: float) -> None:
    """All that are not as wide as the page are equally high, inside the room, none on another, names below their middle."""
    made = [each for shelf in shelves_of(jobs, room, head) for each in shelf]
    highest = max((each.box.height for each in made), default=0.0)
    for each in made:
        assert inside(each.box, room)
        wide = each.box.width > room.width - 1
        assert wide or each.box.height == pytest.approx(highest, abs=0.2)
        middle = each.box.x + each.box.width / 2
        for line in each.lines:
            assert line.anchor == "middle"
            assert line.x == pytest.approx(middle, abs=0.2)
    for one, two in combinations(made, 2):
        assert apart(one.box, two.box) > 1


@plans
@given(st.lists(plan_decks(), min_size=1, max_size=6), rooms, st.floats(0, 25))
def test_the_plan_shows_every_deck_or_none(jobs: list[list[Deck]], room: Rect, head: float) -> None:
    """Number and title of all components in the game's order, each below the top of its own job; or words tell them all."""
    found = shelves([named(job) for job in jobs], [head] * len(jobs), room, text_width)
    if found is None:
        return
    for job, shelf, below in zip(jobs, found, [*found[1:], None], strict=True):
        shown = shown_on(shelf.items)
        assert [each.text for each in shown] == [text for _, text in named(job)]
        assert all(shelf.top <= each.box.y and each.box.bottom <= shelf.top + shelf.height for each in shown)
        assert shelf.height >= head
        assert shelf.top + shelf.height <= (below.top if below else room.bottom + 0.01)


def test_folded_pieces_stand_on_the_plan() -> None:
    """A die is shown as a cube, not as its cross."""
    (shown_once,) = plan_of([folded_deck("d6", NETS["d6"])], Rect(18, 120, 174, 60))
    cube = folded_picture(piece("d6"), 1.0)
    assert shown_once.box.width / shown_once.box.height == pytest.approx(cube.width / cube.height)


def test_names_of_narrow_pieces_can_be_read() -> None:
    """A slim piece has room for its name beside it: two lines of ten letters are not set smaller than 6 pt."""
    decks = [piece_deck(f"slim{at}", [12], (10, 120), title="Sail and speed board") for at in range(3)]
    for each in plan_of(decks, Rect(18, 120, 174, 80)):
        assert len(each.lines) == 2
        assert all(line.size_pt >= 6 for line in each.lines)


def test_a_plan_without_room_has_no_pictures() -> None:
    """Rather none than tiny ones."""
    decks = [piece_deck("cards", [1], (63, 88), kind="card")]
    assert shelves([named(decks)], [0.0], Rect(18, 200, 174, 0), text_width) is None
    assert shelves([named(decks)], [0.0], Rect(18, 200, 174, 18), text_width) is None
    assert len(plan_of(decks, Rect(18, 200, 174, 40))) == 1
    assert plan_of([], Rect(18, 200, 174, 40)) == []


def test_one_long_piece_does_not_make_the_others_tiny() -> None:
    """A strip that is wider than the page is shown as wide as the page, the others as large as they are shown at all."""
    cards = [piece_deck(f"cards{at}", [1], (63, 88), kind="card") for at in range(3)]
    strip = piece_deck("strip", [1], (600, 20), kind="tracker")
    found = plan_of([*cards, strip], Rect(18, 120, 174, 100))
    assert [each.box.height for each in found[:3]] == pytest.approx([TALLEST] * 3)
    assert found[3].box.width == pytest.approx(174)
    assert found[3].box.y > found[0].box.bottom
