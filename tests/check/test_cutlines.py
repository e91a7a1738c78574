"""How far what is printed keeps from the cut depends on the kind of piece, and on its size."""

from __future__ import annotations

import pytest

from pnp.check.texts import safe_zone
from pnp.values.game import Component
from pnp.values.problems import Place
from pnp.values.tables import Table


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
