"""What a person needs besides paper and a printer, from what lies on the sheets."""

from __future__ import annotations

from collections.abc import Sequence

from pnp.lay.sheet import AnySheet, PosterSheet, Sheet
from pnp.values.faces import Piece
from pnp.values.languages import original
from pnp.values.outcome import CutFiles
from pnp.values.words import N_

KNIFE = N_("a craft knife, a metal ruler and something to cut on (or a paper cutter)")
RULER, SCISSORS, MACHINE = N_("a ruler"), N_("scissors"), N_("the cutting machine")
PEN = N_("an empty ball pen to press fold lines in")
GLUE, TAPE, FASTENERS = N_("paper glue"), N_("adhesive tape"), N_("paper fasteners")
STAPLER = N_("a stapler that reaches the middle of the booklet")


def by_machine(sheet: AnySheet, machine: CutFiles) -> bool:
    """Whether a machine cuts a sheet, so that a person does not."""
    if not machine or not isinstance(sheet, Sheet) or sheet.by_hand:
        return False
    if machine == "silhouette-card-maker":
        return sheet.template is not None
    # What is folded and glued first is cut by hand.
    return machine != "spot" or sheet.way != "gutterfold"


def tools(made: Sequence[AnySheet], machine: CutFiles = "", booklet: bool = False, halved: bool = False) -> list[str]:
    """What these sheets, a booklet to staple and cards to cut in two need, in words; a ruler always, for the printed bar."""
    hand = [sheet for sheet in made if not by_machine(sheet, machine)]
    folds = any(folded(piece) for piece in pieces(made)) or any(sheet.way == "gutterfold" for sheet in made)
    joined = [sheet.poster for sheet in made if isinstance(sheet, PosterSheet) and len(sheet.poster.tiles) > 1]
    wanted = {
        KNIFE: halved or any(isinstance(sheet, PosterSheet) or _straight(sheet) for sheet in hand),
        SCISSORS: any(piece.front.outline for piece in pieces(hand)),
        MACHINE: len(hand) < len(made),
        PEN: folds,
        GLUE: any(_glued(sheet) for sheet in made) or any(poster.join == "glue" for poster in joined),
        TAPE: any(poster.join == "butt" for poster in joined),
        FASTENERS: any(_pinned(piece) for piece in pieces(made)),
        STAPLER: booklet,
    }
    found = [what for what, needed in wanted.items() if needed]
    return found if wanted[KNIFE] else [RULER, *found]


def pieces(made: Sequence[AnySheet]) -> list[Piece]:
    """What is cut from sheets, but boards."""
    return [piece for sheet in made if isinstance(sheet, Sheet) for piece in sheet.pieces]


def folded(piece: Piece) -> bool:
    """Whether a piece has folds."""
    return bool(piece.front.net and piece.front.net.creases)


def _straight(sheet: AnySheet) -> bool:
    """Whether something on it is cut along a ruler: a straight edge, or a slot inside a piece."""
    return any(not piece.front.outline or (piece.front.net and piece.front.net.holes) for piece in pieces([sheet]))


def _glued(sheet: AnySheet) -> bool:
    """By its tabs, folded upon itself as sheet or piece, or onto something, as its paper says."""
    nets = [piece.front.net for piece in pieces([sheet]) if piece.front.net]
    return any(net.glued for net in nets) or sheet.way == "gutterfold" or "glue" in original(sheet.paper)


def _pinned(piece: Piece) -> bool:
    net = piece.front.net
    return bool(net and net.holes and not net.creases)
