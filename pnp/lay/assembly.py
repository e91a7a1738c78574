"""How folded pieces are made: for each a row of numbered pictures with a sentence below."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pnp.lay.grid import MARK_MARGIN
from pnp.lay.marks import SLUG_SIZE
from pnp.lay.sheet import AssemblySheet, Run, how_made, titles
from pnp.lay.stack import made_picture
from pnp.shapes.affine import Rect, scaling, translation
from pnp.shapes.nets.net import Step
from pnp.values.faces import Deck, Item, Label, Page, Piece
from pnp.values.game import Paper

SIDE = 18.0
TOP = 34.0
FOOT = 18.0
A_PAGE = 4
GAP = 6.0
TITLE_SIZE, TEXT_SIZE, NUMBER_SIZE = 13.0, 8.5, 15.0
LINE = 3.7
# A sentence stands beside its number.
INDENT = 5.5
# Below a picture, for its sentence.
WORDS = 5 * LINE


def assembly_sheets(decks: Sequence[Deck], paper: Paper) -> list[AssemblySheet]:
    """The pages that show how the folded pieces among the decks are made; none on paper too small to read them."""
    if not paper.readable:
        return []
    alike: dict[object, list[Deck]] = {}
    for deck in decks:
        net = deck.pieces[0].front.net if deck.pieces else None
        if net is not None:
            alike.setdefault((net.steps, len(net.panels)), []).append(deck)
    shown = list(alike.values())
    run = Run(tuple(deck for group in shown for deck in group))
    pages = [tuple(map(tuple, shown[start : start + A_PAGE])) for start in range(0, len(shown), A_PAGE)]
    return [AssemblySheet(run, each) for each in pages]


def assembly_page(
    paper: Paper, groups: Sequence[Sequence[Deck]], slug: str, text_width: Callable[[str, float], float]
) -> Page:
    """For each group of decks that are folded alike a row of numbered steps. ``text_width``: (text, pt) → mm."""
    items: list[Item] = [Label(SIDE, 22, how_made(groups).capitalize(), 20)]
    height = (paper.height - TOP - FOOT) / A_PAGE
    for row, group in enumerate(groups):
        top = TOP + row * height
        title = titles(deck.component for deck in group)
        size = min(TITLE_SIZE, TITLE_SIZE * (paper.width - 2 * SIDE) / text_width(title, TITLE_SIZE))
        items.append(Label(SIDE, top + 5, title, size))
        piece = group[0].pieces[0]
        steps = piece.front.net.steps if piece.front.net else ()
        width = (paper.width - 2 * SIDE + GAP) / max(len(steps), 3) - GAP
        for number, step in enumerate(steps, 1):
            x = SIDE + (number - 1) * (width + GAP)
            room = Rect(x, top + 8, width, height - 8 - WORDS - 4)
            items += _picture(group[0], piece, step, room)
            items.append(Label(x, room.bottom + 5, str(number), NUMBER_SIZE))
            for index, line in enumerate(_wrapped(step.text, width - INDENT, text_width)):
                items.append(Label(x + INDENT, room.bottom + 4 + index * LINE, line, TEXT_SIZE))
    items.append(Label(MARK_MARGIN + 4, paper.height - MARK_MARGIN - 0.7, slug, SLUG_SIZE))
    return Page(paper, tuple(items), "front")


def _wrapped(text: str, width: float, text_width: Callable[[str, float], float]) -> list[str]:
    """The sentence in lines no wider than ``width`` mm."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, TEXT_SIZE) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _picture(deck: Deck, piece: Piece, step: Step, room: Rect) -> list[Item]:
    """The piece at one step, as large as the room allows, never above its size."""
    picture = made_picture(deck, piece, step)
    scale = min(room.width / picture.width, room.height / picture.height, 1.0)
    x = room.x + (room.width - picture.width * scale) / 2
    y = room.y + (room.height - picture.height * scale) / 2
    return picture.at(translation(x, y) @ scaling(scale, scale))
