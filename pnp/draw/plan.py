"""The first two pages of a print file: what to print on which paper, and how to cut it."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from pnp.draw.cards import Origin, Studio
from pnp.draw.cut import Frame
from pnp.draw.fonts import Fonts
from pnp.draw.letters import text_spans
from pnp.draw.symbols import FAMILY, LICENCE, SYMBOLS
from pnp.sandbox.markup import literally
from pnp.shapes.affine import Rect
from pnp.system.fontfile import UNSTATED
from pnp.values.faces import Face
from pnp.values.game import Backs, Game, Paper
from pnp.values.layers import TextLayer
from pnp.values.problems import Place, listed

# The words of the plan are pnp's own.
LANGUAGE = "en"
MARGIN = 18.0
TABLE_TOP = 83.0
# What stands below the pictures: the bars to measure.
FOOT = 52.0
# Room below the table for its sum.
SUM = 13.0
# So many letters of a name go in a line of the table, so high.
LETTERS, LINE = 30, 4.2


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A row of the print plan: decks that share sheets, and where they are in the file."""

    titles: str
    copies: str
    sheets: int
    pages: str
    paper: str
    note: str


def table_end(lines: Sequence[PlanLine], paper: Paper) -> float:
    """Where the plan's table ends, in mm from the top."""
    return TABLE_TOP + sum(_heights(lines, paper))


def picture_room(paper: Paper, lines: Sequence[PlanLine]) -> Rect:
    """The free room between the table's sum line and the foot, for pictures of the pieces."""
    top = table_end(lines, paper) + SUM
    return Rect(MARGIN, top, paper.width - 2 * MARGIN, max(0.0, paper.height - FOOT - top))


def _heights(lines: Sequence[PlanLine], paper: Paper) -> list[float]:
    """Height of each row that the page has room for: low rows when there are many, higher ones for many names."""
    least = 11.0 if len(lines) <= 10 else 7.0
    heights = [max(least, LINE * _rows(line, least) + 1.5) for line in lines]
    room = paper.height - FOOT - SUM - TABLE_TOP
    while sum(heights) > room:
        heights.pop()
    return heights


def _rows(line: PlanLine, least: float) -> int:
    """How many lines of text a row of the table needs; low rows do without the note."""
    return max(math.ceil(len(line.titles) / LETTERS), _words(line, line.note if least > 7.5 else ""))


def _words(line: PlanLine, note: str) -> int:
    """How many lines of text its paper and a note take."""
    return math.ceil(len(line.paper) / LETTERS) + math.ceil(len(note) / LETTERS)


def draw_plan(
    studio: Studio,
    paper: Paper,
    backs: Backs,
    lines: Sequence[PlanLine],
    sheets: int,
    taken: str,
    trial: int,
    part: str = "",
) -> tuple[Face, Face]:
    """Front and back of the plan's own sheet, in the size of the paper; ``taken``: what printing takes, in words.

    ``trial``: the page of the first sheet with backs, which shows whether they match. ``part``: what the file holds,
    where that is not the game as it is.
    """
    frame = Frame(paper.width, paper.height, 0.0)
    heights = _heights(lines, paper)
    game = studio.game
    values = {
        "game": {
            **{key: isolated(value) for key, value in game.about.items()},
            "name": isolated(_shown(game, studio.tools.fonts)),
            "version": game.version,
        },
        "fonts_said": fonts_said(studio),
        "face": {"width": frame.width, "height": frame.height, "bleed": 0.0},
        "paper": {"name": paper.name.upper() if len(paper.name) < 3 else paper.name.capitalize()},
        "backs": backs,
        "margin": MARGIN,
        "table": {"top": TABLE_TOP, "end": table_end(lines, paper)},
        "lines": [
            {
                "titles": isolated(line.titles),
                "copies": line.copies,
                "sheets": line.sheets,
                "pages": line.pages,
                "paper": isolated(line.paper),
                "note": line.note if LINE * _words(line, line.note) + 1.5 <= height else "",
                "y": TABLE_TOP + sum(heights[:index]),
                "height": height,
            }
            for index, (line, height) in enumerate(zip(lines, heights, strict=False))
        ],
        "more": len(lines) - len(heights),
        "sheets": sheets,
        "taken": taken,
        "trial": trial,
        "part": isolated(literally(part)),
        "folded": any(net.creases for component in studio.game.components for net in component.nets),
    }
    origin = Origin("the print plan", Place(game.file))
    front, back = (studio.face(f"shared/{name}", frame, values, origin, LANGUAGE) for name in ("plan", "howto"))
    studio.tell_missing()
    return front, back


def isolated(text: str) -> str:
    """A name in its own direction within the plan, whose language runs to the right."""
    foreign = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
    return f"\u2068{text}\u2069" if foreign else text


def _shown(game: Game, fonts: Fonts) -> str:
    """The game's name, or that of its folder where the fonts with a role cannot show it."""
    role = "title" if "title" in fonts.roles else "body"
    return game.name if set(fonts.missing(game.title, fonts.families(role))) - SYMBOLS else game.title


def fonts_said(studio: Studio) -> str:
    """The licences of the fonts, as Markdown: what each font says of itself."""
    licences = studio.tools.fonts.licences()
    if any(span.symbol for layer in studio.layers() if isinstance(layer, TextLayer) for span in text_spans(layer)):
        licences.setdefault(LICENCE, []).append(FAMILY)
    if len(licences) == 1 and UNSTATED not in licences:
        return f"Fonts under the {literally(*licences)}."
    each = (f"{listed(map(literally, families))} ({literally(licence)})" for licence, families in licences.items())
    return f"Fonts: {'; '.join(each)}."
