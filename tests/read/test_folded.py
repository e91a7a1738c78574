"""Folded pieces as they are read: nets from lengths, boxes and ships from what they hold, trackers from their markers."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from conftest import TinyProject

from pnp.read.game import read_game
from pnp.shapes.nets.net import Panel
from pnp.values.game import Component
from pnp.values.problems import Problem, Problems

GAME = '[game]\nname = "Tiny"\n'
# The template that the tiny game has.
LIKE = 'template = "cards"\n'
CARDS = f'[component.cards]\nsize = "tcg"\n{LIKE}'
DIE = f'[component.die]\nkind = "die"\nsize = "16mm"\n{LIKE}'
TRACK = f'[component.track]\nkind = "tracker"\nspaces = "spaces"\n{LIKE}'
WAVES = f'[component.waves]\nkind = "token"\nsize = "16mm"\n{LIKE}'


def read(
    tiny: TinyProject, toml: str, papers: str = '"a4", "letter"', **tables: str
) -> tuple[dict[str, Component], list[Problem]]:
    """The components of a game by name, and what is wrong with it."""
    tiny.write("content/tiny/game.toml", f"{GAME}papers = [{papers}]\n{toml}")
    for name, table in tables.items():
        tiny.write(f"content/tiny/{name}.csv", table)
    problems = Problems()
    game = read_game(tiny.project, "tiny", problems)
    return {component.name: component for component in game.components} if game else {}, list(problems)


def components(tiny: TinyProject, toml: str, papers: str = '"a4", "letter"', **tables: str) -> dict[str, Component]:
    """The components of a game, which must have nothing wrong."""
    made, problems = read(tiny, toml, papers, **tables)
    assert not problems, [str(problem) for problem in problems]
    return made


def faults(tiny: TinyProject, toml: str, **tables: str) -> list[tuple[str, str | None]]:
    """What is wrong with a game: rule and key."""
    return [(problem.rule, problem.place.column) for problem in read(tiny, toml, **tables)[1]]


def panel(component: Component, name: str) -> Panel:
    return next(each for each in component.nets[0].panels if each.name == name)


def size(component: Component, name: str) -> tuple[float, float]:
    """Width and height of a panel as the reader of the finished piece sees it."""
    _, width, height = panel(component, name).frame()
    return round(width, 6), round(height, 6)


@pytest.mark.parametrize(
    ("typed", "shape", "width", "height"),
    [
        ("20mm", "circle", 20, 20),
        ("1in", "hex", 25.4, 25.4 * 2 / math.sqrt(3)),
        ("20mm x 30mm", "circle", 20, 30),
        ("square-70", "square", 70, 70),
    ],
)
def test_a_token_has_one_length_or_two(tiny: TinyProject, typed: str, shape: str, width: float, height: float) -> None:
    """One length is for both ways, of a hex from flat to flat; two lengths and the names of cards go as well."""
    made = components(tiny, f'[component.cards]\nkind = "token"\nsize = "{typed}"\nshape = "{shape}"\n')["cards"]

    assert (made.width, made.height) == pytest.approx((width, height))
    if made.outline:
        xs, ys = zip(*made.outline, strict=True)
        assert (max(xs) - min(xs), max(ys) - min(ys)) == pytest.approx((width, height), abs=0.02)


@pytest.mark.parametrize("typed", ["4mm", "201mm", "20mm x 2mm"])
@pytest.mark.parametrize("kind", ["token", "die"])
def test_a_size_that_is_none_is_told(tiny: TinyProject, kind: str, typed: str) -> None:
    """Too small, too large, without a unit, with half a cross: a Problem at the size and no traceback."""
    more = f'sides = 6\ntable = "cards"\n{LIKE}' if kind == "die" else ""
    found = faults(tiny, f'[component.cards]\nkind = "{kind}"\nsize = "{typed}"\n{more}')
    assert found == [("bad-size", "component.cards.size")]


@pytest.mark.parametrize(("size", "meant"), [("18cm", "18mm"), ("18 cm x 20 cm", "18mm x 20mm"), ("180mm", "")])
def test_a_token_in_centimetres_that_is_very_large_is_a_warning(tiny: TinyProject, size: str, meant: str) -> None:
    """Most likely millimetres are meant."""
    problems = read(tiny, f'[component.cards]\nkind = "token"\nsize = "{size}"\n')[1]
    told = [(each.rule, each.severity, each.hint) for each in problems]
    assert told == ([("large-piece", "warning", f'Is "{meant}" meant?')] if meant else [])


@pytest.mark.parametrize(("size", "meant"), [("6.3mm x 8.8mm", "63mm x 88mm"), ("6.3cm x 8.8cm", ""), ("12mm x 15mm", "")])
def test_a_card_that_nobody_can_hold_is_a_warning(tiny: TinyProject, size: str, meant: str) -> None:
    """Its millimetres were centimetres."""
    problems = read(tiny, f'[component.cards]\nsize = "{size}"\n')[1]
    assert [(each.rule, each.hint) for each in problems] == ([("small-card", f'Is "{meant}" meant?')] if meant else [])


def test_without_a_table_there_is_one_design(tiny: TinyProject) -> None:
    """It is named by the component, and there are as many as ``copies`` says: one if it says nothing, none at 0."""
    for text, copies in (("", 1), ("copies = 5\n", 5), ("copies = 0\n", 0)):
        made = components(tiny, f'{DIE}title = "The die"\nsides = 6\n{text}')["die"]
        (row,) = made.table
        assert (row.id, row["name"], row.copies, made.copies) == ("die", "The die", copies, copies)


def box(tiny: TinyProject, more: str = "", cards: str = "", table: str = "id,copies\nanna,30\nbert,25\n") -> Component:
    toml = f'{CARDS}{cards}[component.box]\nkind = "box"\nholds = ["cards"]\n{LIKE}{more}'
    return components(tiny, toml, cards=table)["box"]


def test_a_box_fits_what_it_holds(tiny: TinyProject) -> None:
    """55 cards of 250 g/m² at 0.00125 mm for each gram are 55 × 250 × 0.00125 = 17.1875 mm high. With 1 mm of room and two
    walls of 250 × 0.00125 = 0.3125 mm the box is 18.81 mm deep, and 63 + 1.625 by 88 + 1.625 in front."""
    made = box(tiny)

    assert size(made, "left") == (round(17.1875 + 1 + 2 * 0.3125, 2), size(made, "front")[1])
    assert size(made, "front") == pytest.approx((63 + 1.625, 88 + 1.625), abs=0.005)
    assert size(made, "top") == (size(made, "front")[0], size(made, "left")[0])


def test_thicker_paper_needs_a_deeper_box(tiny: TinyProject) -> None:
    """The weight of the cards decides how deep, that of the box's own paper how much its walls add all round."""
    plain, thick, walls = box(tiny), box(tiny, cards="weight = 350\n"), box(tiny, "weight = 350\n")

    assert size(thick, "left")[0] - size(plain, "left")[0] == pytest.approx(55 * 100 * 0.00125, abs=0.011)
    assert size(thick, "front") == size(plain, "front")
    for name in ("front", "left"):
        assert size(walls, name)[0] - size(plain, name)[0] == pytest.approx(2 * 100 * 0.00125, abs=0.011)


def test_cards_glued_from_two_layers_are_twice_as_thick(tiny: TinyProject) -> None:
    """Folded along the gutter and glued, a card is its paper twice."""
    glued = box(tiny, cards='back = "cards"\nbacks = "gutterfold"\n')

    assert size(glued, "left")[0] - size(box(tiny), "left")[0] == pytest.approx(55 * 250 * 0.00125, abs=0.011)


def test_a_box_holds_several_decks_in_one_pile(tiny: TinyProject) -> None:
    """As deep as both together, as wide and high as the larger of them each way."""
    toml = f'{CARDS}[component.long]\nsize = "50mm x 120mm"\ntable = "cards"\n{LIKE}'
    toml += f'[component.box]\nkind = "box"\nholds = ["long", "cards"]\n{LIKE}'
    made = components(tiny, toml, cards="id,copies\nanna,40\n")["box"]

    assert size(made, "left")[0] == pytest.approx(2 * 40 * 0.3125 + 1.625, abs=0.005)
    assert size(made, "front") == pytest.approx((63 + 1.625, 120 + 1.625), abs=0.005)


def test_what_a_box_holds_may_come_later_in_the_file(tiny: TinyProject) -> None:
    """A component is read after all that it is made to the measure of, even a tracker that itself waits for its marker; the
    order in print is that of the file."""
    toml = f'[component.box]\nkind = "box"\nholds = ["track", "waves"]\n{LIKE}'
    toml += f'{TRACK}size = "100mm x 30mm"\nmarker = "waves"\n{WAVES}table = "cards"\n'
    made = components(tiny, toml, spaces="track,value\nsails,1\n")

    assert list(made) == ["box", "track", "waves"]
    assert size(made["box"], "front")[0] == pytest.approx(100 + 1.625, abs=0.005)
    # A tracker and two tokens lie in it: 3 × 0.3125 + 1.625 would be less than 5 mm.
    assert size(made["box"], "left")[0] == 5


HOLDABLE = {
    "cards": CARDS,
    "bones": f'[component.bones]\nkind = "domino"\nsize = "28mm x 56mm"\nhighest = 2\n{LIKE}',
    "waves": f'{WAVES}table = "cards"\n',
}
UNHOLDABLE = {
    "die": f"{DIE}sides = 6\n",
    "sea": f'[component.sea]\nkind = "board"\nsize = "90mm x 90mm"\n{LIKE}',
    "hero": f'[component.hero]\nkind = "standee"\nsize = "30mm x 40mm"\n{LIKE}',
    "crate": f'[component.crate]\nkind = "box"\nholds = ["cards"]\n{LIKE}{CARDS}',
    "holder": "",
    "nothing": "",
}


@pytest.mark.parametrize("kind", ["box", "ship"])
@pytest.mark.parametrize("name", [*HOLDABLE, *UNHOLDABLE])
def test_only_flat_pieces_are_held(tiny: TinyProject, kind: str, name: str) -> None:
    """Cards, dominoes, tokens. Not what is folded, whose height nobody knows, nor a board; nor the holder itself, nor
    what is not there."""
    toml = f'[component.holder]\nkind = "{kind}"\nholds = ["{name}"]\n{LIKE}{(HOLDABLE | UNHOLDABLE)[name]}'
    expected = [] if name in HOLDABLE else [("unknown-component", "component.holder.holds")]

    assert faults(tiny, toml) == expected


@pytest.mark.parametrize(("typed", "slots"), [("", 3), ("slots = 6\n", 6)])
def test_a_ship_takes_the_cards_it_holds(tiny: TinyProject, typed: str, slots: int) -> None:
    """Each slot in the deck is longer than a card is wide, but not by more than 2 mm, wider than three cards are thick, and
    all lie in the deck, apart from each other."""
    toml = f'{CARDS}[component.ship]\nkind = "ship"\nholds = ["cards"]\n{LIKE}{typed}'
    made = components(tiny, toml, papers='"420mm x 594mm"')["ship"]
    (net,) = made.nets
    spans = []
    for hole in net.holes:
        xs, ys = zip(*hole, strict=True)
        assert 63 < max(xs) - min(xs) <= 65
        assert 3 * 250 * 0.00125 <= max(ys) - min(ys) <= 2
        spans.append((min(xs), max(xs)))
        deck_xs, deck_ys = zip(*panel(made, "deck").ring, strict=True)
        assert min(deck_xs) < min(xs) < max(xs) < max(deck_xs)
        assert min(deck_ys) < min(ys) < max(ys) < max(deck_ys)
    assert len(spans) == slots
    spans.sort()
    assert all(right < left for (_, right), (left, _) in pairwise(spans))


def screen(panels: list[float], height: float) -> str:
    typed = ", ".join(f'"{width}mm"' for width in panels)
    return f'[component.screen]\nkind = "screen"\npanels = [{typed}]\nheight = "{height}mm"\n{LIKE}'


@pytest.mark.parametrize(
    ("panels", "parts"),
    [
        ([55, 140, 55], 1),
        # A tab of 11 mm joins a part to the next: 120 + 140 + 11 goes on a page of 297 mm, 155 + 140 + 11 does not.
        ([120, 140, 120], 2),
        ([155, 140, 155], 3),
    ],
)
def test_the_paper_decides_in_how_many_parts_a_screen_comes(tiny: TinyProject, panels: list[float], parts: int) -> None:
    """Each fits the smallest paper, between the usual margins; tests/nets says what the parts are."""
    made = components(tiny, screen(panels, 95), '"a4"')["screen"]

    assert len(made.nets) == parts
    assert made.width == max(net.bounds.width for net in made.nets) <= 297 - 2 * 6.35
    assert {net.bounds.height for net in made.nets} == {95}


def test_a_tracker_has_its_tracks_in_the_tables_order(tiny: TinyProject) -> None:
    """Rows of one track belong together wherever they stand; the marker's size comes from its component."""
    toml = f'{TRACK}size = "120mm x 60mm"\nmarker = "waves"\n{WAVES}table = "cards"\n'
    made = components(tiny, toml, spaces="track,value\nspeed,0\nsails,0\nspeed,1\nsails,1\nspeed,2\n")["track"]
    tracker = made.tracker

    assert tracker is not None and tracker.marker == (16, 16)
    tracks = [(name, "".join(row.text_of("value") for row in rows)) for name, rows in tracker.tracks.items()]
    assert tracks == [("speed", "012"), ("sails", "01")]


@pytest.mark.parametrize(
    ("width", "height", "ok"),
    # Three spaces of 17 mm, and 6 mm to the cut on both sides; two tracks of 17 mm.
    [(3 * 17 + 12, 34, True), (3 * 17 + 11.9, 34, False), (3 * 17 + 12, 33.9, False), (11, 34, False)],
)
def test_a_marker_fits_its_spaces_with_a_millimetre_to_spare(
    tiny: TinyProject, width: float, height: float, ok: bool
) -> None:
    """Markers of 16 mm on tracks of three and two spaces: the narrowest space decides."""
    toml = f'{TRACK}size = "{width}mm x {height}mm"\nmarker = "waves"\n{WAVES}table = "cards"\n'
    spaces = "track,value\nspeed,0\nspeed,1\nspeed,2\nsails,0\nsails,1\n"

    assert faults(tiny, toml, spaces=spaces) == ([] if ok else [("small-spaces", "component.track.size")])


NEEDED = "token: size, tracker: size spaces, standee: size, pawn: size depth, prism: size depth, die: size sides, "
NEEDED += "screen: panels height, box: holds, pouch: size depth, ship: holds"


@pytest.mark.parametrize("needed", NEEDED.split(", "))
def test_a_kind_tells_what_it_needs(tiny: TinyProject, needed: str) -> None:
    """Every key that is missing, each once."""
    kind, _, keys = needed.partition(": ")
    missing = [("missing-key", f"component.cards.{key}") for key in keys.split()]

    assert faults(tiny, f'[component.cards]\nkind = "{kind}"\n') == missing
