"""A paper ship seen from the side, with slots in its deck in which cards stand as sails."""

from __future__ import annotations

from pnp.shapes.nets.net import Crease, Net, Panel, Seam, Step, at_origin, joined, rectangle, shared_edge, tab
from pnp.shapes.outline import Ring

HULL = 36.0
DECK = 20.0
BOW = 26.0
STERN = 20.0
# The stern castle rises above the deck.
CASTLE = 14.0
# Between two sails, and between a sail and the deck's end.
SPACE = 2.5
# A card must slide in and stand: its slot is this much longer than the card is wide, and this wide.
EASE, SLOT = 1.5, 1.0
TAB = 6.0


def ship(card_width: float, slots: int) -> Net:
    """A hull with ``slots`` slots side by side for cards ``card_width`` mm wide; the bow points to the left.

    The hull's side is the front of a box of the deck's length, HULL high and DECK deep, closed at both ends.
    """
    length = slots * (card_width + EASE + SPACE) + SPACE
    hull = Panel("hull", _side(length))
    back_y = -DECK - HULL
    strip, creases = joined(
        [
            (hull, 0),
            (Panel("deck", rectangle(0, -DECK, length, DECK)), 90),
            (Panel("back", rectangle(0, back_y, length, HULL), 180), 90),
            (Panel("bottom", rectangle(0, back_y - DECK, length, DECK), 180), 90),
            (
                Panel("tab-1", tab((0, back_y - DECK), (length, back_y - DECK), TAB), 0, "hull", True),
                90,
            ),
        ]
    )
    back = strip[2]
    ends, tabs = [], []
    for number, name, x, edge in ((2, "bow-end", -DECK, -DECK), (3, "stern-end", length, length + DECK)):
        end = Panel(name, rectangle(x, back_y, DECK, HULL), 180)
        corners = ((edge, back_y + HULL), (edge, back_y)) if edge < 0 else ((edge, back_y), (edge, back_y + HULL))
        ends.append(end)
        tabs.append(Panel(f"tab-{number}", tab(*corners, TAB), 0, "hull", True))
    hinges = [Crease("back", end.name, *shared_edge(back.ring, end.ring), 90) for end in ends]
    hinges += [Crease(end.name, lap.name, *shared_edge(end.ring, lap.ring), 90) for end, lap in zip(ends, tabs, strict=True)]
    holes = tuple(
        rectangle(SPACE + number * (card_width + EASE + SPACE), -DECK / 2 - SLOT / 2, card_width + EASE, SLOT)
        for number in range(slots)
    )
    net = Net(
        (*strip, *ends, *tabs),
        (*creases, *hinges),
        (
            Seam("bottom", ((0, back_y - DECK), (length, back_y - DECK)), "hull", ((0, HULL), (length, HULL))),
            Seam("bow-end", ((-DECK, back_y + HULL), (-DECK, back_y)), "hull", ((0, 0), (0, HULL))),
            Seam(
                "stern-end", ((length + DECK, back_y + HULL), (length + DECK, back_y)), "hull", ((length, 0), (length, HULL))
            ),
        ),
        holes,
        (
            Step("Cut out, and cut out the slots in the deck. Score the folds.", 0.0),
            Step("Fold everything away from you.", 0.6),
            Step("Glue tab 1 inside the keel, then tabs 2 and 3 at bow and stern.", 0.9),
            Step("Cards stand in the slots: backs to the others, faces to their captain.", 1.0),
        ),
    )
    return at_origin(net)


def _side(length: float) -> Ring:
    """The hull's side: straight along deck and keel, a raked bow on the left, the stern castle on the right."""
    castle = length + 1.5
    return (
        (0.0, 0.0),
        (length, 0.0),
        (castle, 0.0),
        (castle, -CASTLE),
        (length + STERN, -CASTLE - 2),
        (length + STERN - 1, 4.0),
        (length + STERN - 5, HULL * 0.55),
        (length + 4, HULL - 3),
        (length, HULL),
        (0.0, HULL),
        (-5.0, HULL - 2.5),
        (-13.0, HULL * 0.62),
        (-19.0, HULL * 0.34),
        (-BOW, 2.5),
        (-BOW + 1, 0.0),
    )
