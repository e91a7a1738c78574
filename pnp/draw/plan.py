"""The first two pages of a print file: what to print on which paper, and how to cut it."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pnp.draw.cards import Origin, Studio
from pnp.draw.cut import Frame
from pnp.draw.fonts import Fonts
from pnp.draw.howto import Making, steps
from pnp.draw.letters import text_spans
from pnp.draw.symbols import FAMILY, LICENCE, SYMBOLS
from pnp.sandbox.markup import literally
from pnp.shapes.affine import Rect
from pnp.system.fontfile import UNSTATED
from pnp.values.faces import Face
from pnp.values.game import Game, Paper
from pnp.values.layers import TextLayer
from pnp.values.problems import Place
from pnp.values.words import Words

MARGIN = 18.0
TOP = 72.0
# What stands below the jobs: the sum, and the bars to measure.
FOOT = 31.0
SUM = 15.0
# What is said of a job stands in a column so wide, at least so high; beside it its pictures.
COLUMN, HEAD = 66.0, 14.0
# Of many jobs the heads are lower; what does not go in is set smaller.
LEAST_HEAD = 9.0
# Without pictures words stand there: a line of them is so high, and has so many letters.
LINE, LETTERS = 4.2, 62
# Where there are pictures, too, they stand in the column.
NARROW = 30
# No more jobs than this are told: the room of a page is filled with words long before.
MOST = 40


@dataclass(frozen=True, slots=True)
class Job:
    """What is printed in one go: pages of a file on one paper, on one side or on both."""

    paper: str
    how: str
    """ "on both sides, flip on the long edge"."""
    pages: str
    """Of this file, or the name of another one."""
    sheets: int
    words: str = ""
    """What is on these pages that no picture tells."""
    pictured: bool = False
    """Whether pictures stand beside it; else its words do."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the plan says of all jobs together."""

    sheets: int
    taken: str
    """Ink, paper, time and cost, in words."""
    needed: str
    """What a person needs besides paper and a printer."""
    making: Making
    part: str = ""
    """What the file holds, where that is not the game as it is."""


def head_of(job: Job, least: float = HEAD) -> float:
    """How high the words of a job are, in mm; no less than ``least``."""
    if job.pictured:
        return HEAD + LINE * math.ceil(len(job.words) / NARROW)
    return max(least, LINE * math.ceil(len(job.words) / LETTERS) + 2.0)


def in_words(jobs: Sequence[tuple[Job, Sequence[str]]], room: Rect, apart: float, words: Words) -> tuple[list[Job], float]:
    """Jobs without pictures, each with as many of its words as its share of the room takes; and how high one is at least."""
    share = room.height / max(1, len(jobs)) - apart
    least = min(HEAD, max(LEAST_HEAD, share))
    letters = LETTERS * max(1, math.floor((max(share, least) - 2.0) / LINE))
    return [replace(job, words=_cut(said, letters, words), pictured=False) for job, said in jobs], least


def _cut(texts: Sequence[str], letters: int, words: Words) -> str:
    """As many of the texts as have so many letters, and how many more there are."""
    shown = list(texts)
    while len(said := _and_more(shown, len(texts) - len(shown), words)) > letters:
        if len(shown) == 1:
            return f"{said[: letters - 1]}…"
        shown.pop()
    return said


def _and_more(texts: Sequence[str], left: int, words: Words) -> str:
    said = words("; ").join(texts)
    return words.many("{texts}; and {count} more", "{texts}; and {count} more", left, texts=said) if left else said


def job_room(paper: Paper) -> Rect:
    """Where the pictures of the jobs are: between the first sentences and the sum, beside what is said of the jobs."""
    return Rect(MARGIN + COLUMN, TOP, paper.width - 2 * MARGIN - COLUMN, paper.height - FOOT - SUM - TOP)


def draw_plan(studio: Studio, paper: Paper, jobs: Sequence[tuple[Job, float, float]], told: Told) -> tuple[Face, Face]:
    """Front and back of the plan's own sheet, in the size of the paper; a job with its top and its height in mm.

    Jobs beyond the room of the page are not drawn, and their number is said.
    """
    frame = Frame(paper.width, paper.height, 0.0)
    room, game, called = job_room(paper), studio.game, paper.name.upper() if len(paper.name) < 3 else paper.name.capitalize()
    words = game.words
    shown = [each for each in jobs[:MOST] if each[1] + each[2] <= room.bottom + 0.01]
    values = {
        "game": {
            **{key: isolated(value) for key, value in game.about.items()},
            "name": isolated(_shown(game, studio.tools.fonts)),
            "version": game.version,
        },
        "fonts_said": fonts_said(studio),
        "face": {"width": frame.width, "height": frame.height, "bleed": 0.0},
        "how": _how(len(jobs), told, words),
        "steps": steps(told.making, called, words),
        "margin": MARGIN,
        "end": max((top + height for _, top, height in shown), default=TOP),
        "column": COLUMN,
        "jobs": [
            {
                "paper": isolated(literally(job.paper[:1].upper() + job.paper[1:])),
                "how": job.how,
                "pages": job.pages,
                "sheets": words.many("{count} sheet", "{count} sheets", job.sheets),
                "words": isolated(literally(job.words)),
                "pictured": job.pictured,
                "y": top,
                "height": height,
            }
            for job, top, height in shown
        ],
        "sum": _sum(told, len(jobs) - len(shown), words),
        "version": _version(game, called, isolated(literally(told.part)), words),
        "words": _fixed(game, words),
    }
    origin = Origin("the print plan", Place(game.file))
    front, back = (studio.face(f"shared/{name}", frame, values, origin, words.language) for name in ("plan", "howto"))
    studio.tell_missing()
    return front, back


def _how(jobs: int, told: Told, words: Words) -> str:
    """What to do with this page, in order, as Markdown."""
    if jobs > 1:
        rows = words(
            "Each row below is printed on its own, as page 2 says: put its paper in the printer, and print just the pages "
            "named in the row."
        )
    else:
        rows = words("Put the paper in the printer, and print the pages named below, as page 2 says.")
    backs = words("There are no backs in this file.") if told.making.backs == "none" else ""
    others = words("Other files that no row names hold the same pieces once more.")
    first = words("Print this page at **100 %** (*actual size*, not *fit to page*), and measure the bar at its foot.")
    then = words("Then make the pieces as page 2 says. You need {tools}.", tools=told.needed)
    return f"1. {first}\n2. {' '.join(filter(None, (rows, backs, others)))}\n3. {then}"


def _sum(told: Told, more: int, words: Words) -> str:
    """How many sheets there are, and what they take, as Markdown."""
    sheets = words.many(
        "**{count} sheet in all**, this one not counted", "**{count} sheets in all**, this one not counted", told.sheets
    )
    if more:
        sheets = words.many("{sheets}, and {count} more job", "{sheets}, and {count} more jobs", more, sheets=sheets)
    return f"{sheets}. {told.taken}"


def _version(game: Game, paper: str, part: str, words: Words) -> str:
    """Which game, for whom and for which paper, in a line."""
    said = [words("Version {version}", version=game.version)]
    if "players" in game.about:
        said.append(words("{players} players", players=isolated(game.about["players"])))
    said.append(words("for {paper} paper", paper=paper))
    return " · ".join([*said, *filter(None, [part])])


def _fixed(game: Game, words: Words) -> dict[str, str]:
    """The sentences of the plan that are always the same, and the imprint's."""
    about = {key: isolated(value) for key, value in game.about.items()}
    if "designer" not in about:
        by = ""
    elif "year" in about:
        by = words("Designed by **{designer}**, {year}.", designer=about["designer"], year=about["year"])
    else:
        by = words("Designed by **{designer}**.", designer=about["designer"])
    return {
        "what": words("What to print"),
        "bar": words("The bar of step 1: if it is not exactly this long, the printer has scaled the page."),
        "how": words("How to print and cut"),
        "imprint": words("Imprint"),
        "by": by,
        "made": words("Sheets made with {program}.", program="pnp-press"),
    }


def draw_heading(studio: Studio, text: str, width: float, height: float) -> Face:
    """A title in the game's own face, for a page that only shows something; in mm."""
    frame = Frame(width, height, 0.0)
    values = {"text": isolated(rounded(text)), "face": {"width": width, "height": height, "bleed": 0.0}}
    return studio.face(
        "shared/heading",
        frame,
        values,
        Origin("the print plan", Place(studio.game.file)),
        studio.game.words.language,
    )


def rounded(text: str) -> str:
    """With typographic apostrophes and quotes."""
    return re.sub(r'"([^"]*)"', "\u201c\\1\u201d", re.sub(r"(?<=\w)'", "\u2019", text))


def isolated(text: str) -> str:
    """A name in its own direction within the plan, whose language runs to the right."""
    foreign = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
    return f"\u2068{text}\u2069" if foreign else text


def _shown(game: Game, fonts: Fonts) -> str:
    """The game's title with round apostrophes, or the name of its folder where the fonts with a role cannot show it."""
    families = fonts.families("title" if "title" in fonts.roles else "body")
    for title in (rounded(game.title), game.title):
        if not set(fonts.missing(title, families)) - SYMBOLS:
            return title
    return game.name


def fonts_said(studio: Studio) -> str:
    """The licences of the fonts, as Markdown: what each font says of itself."""
    words = studio.game.words
    licences = studio.tools.fonts.licences()
    if any(span.symbol for layer in studio.layers() if isinstance(layer, TextLayer) for span in text_spans(layer)):
        licences.setdefault(LICENCE, []).append(FAMILY)
    if len(licences) == 1 and UNSTATED not in licences:
        return words("Fonts under the {licence}.", licence=literally(*licences))
    each = (
        f"{words(', ').join(map(literally, families))} ({literally(words(licence))})"
        for licence, families in licences.items()
    )
    return words("Fonts: {fonts}.", fonts=words("; ").join(each))
