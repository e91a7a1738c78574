"""The first two pages of a print file: what to print on which paper, and how to cut it."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace

from pnp.dataclass import dataclass
from pnp.draw.cards import DrawContext, Origin
from pnp.draw.data import text_spans
from pnp.draw.fonts import UNSTATED, Fonts
from pnp.draw.howto import MARGIN, Making, draw_howto, steps
from pnp.draw.layers import Frame
from pnp.draw.markup import FAMILY, LICENCE, SYMBOLS
from pnp.sandbox.markup import literally
from pnp.shapes.affine import Affine, rotation, translation
from pnp.shapes.units import PT_PER_MM
from pnp.values.faces import Face, Label, TextLayer
from pnp.values.game import Game, Paper
from pnp.values.languages import Words, held, leftwards, ranged
from pnp.values.problems import Place

TOP = 72.0
# What stands below the jobs: the sum, and the bars to measure.
FOOT = 31.0
SUM = 15.0
# Above the sum's box; a sum that has more lines in this size than its box has a higher one.
ABOVE_SUM = 3.5
SUM_SIZE, SUM_LINE = 8.0, 3.5
# What is said of a job stands beside its number, in this size, above its pictures.
BESIDE_NUMBER, WORDS_SIZE = 12.0, 9.5
# From the margin to the middle of the number; and between two jobs that stand side by side.
DISC, BETWEEN = 3.6, 8.0
# A line of it is so high; so far from there to the pictures. Without pictures a line of words has so many letters.
LINE, ABOVE_PICTURES, LETTERS = 4.4, 1.6, 92
# What no picture tells stands below, in this size.
FOOT_SIZE = 9.0
# No more jobs than this are told: the room of a page is filled with words long before.
MOST = 40


# Letters of what is not parted at a line's end.
FEW_WORDS = 24


@dataclass(frozen=True, slots=True)
class Job:
    """One print job: pages of a file on one paper, on one side or both."""

    paper: str
    how: str
    """ "on both sides, flip on the long edge"."""
    pages: str
    """Of this file; empty where ``words`` name others."""
    sheets: int
    words: str = ""
    """What is on these pages that no picture tells."""
    card: bool = False
    """Whether it is a reference card, of which a sheet makes two."""

    def said(self, width: float, words: Words, text_width: Callable[[str, float], float]) -> str:
        """The job in a line, as Markdown: its paper, how it is printed, and which pages, on the next one without room."""
        paper = isolated(literally(held(self.paper[:1].upper() + self.paper[1:])))
        sheets = words.many("{count} sheet", "{count} sheets", self.sheets)
        if self.card:
            sheets = words.many("{count} sheet for two players", "{count} sheets for two players", self.sheets)
        pages = f"**{held(self.pages)}**" if self.pages else ""
        first, semicolon, last = self.how.rpartition("; ")
        # A few words stay together.
        last = last.replace(" ", "\u00a0") if len(last) <= FEW_WORDS else last
        tail: tuple[str, ...] = (pages, held(sheets))
        head = f"**{paper}** · {first}{semicolon}{last}"

        def fits(line: str) -> bool:
            return 1.1 * text_width(line.replace("*", ""), WORDS_SIZE) <= width

        if fits(one := " · ".join(filter(None, (head, *tail)))):
            return one
        if semicolon and not fits(head):
            # What becomes of the sheets goes on the next line whole, or where the words happen to end.
            head, tail = f"**{paper}** · {first}", (last, *tail)
            if not fits(head):
                return one
        elif not fits(head):
            # No line ends with a dot: the next one begins there.
            head, tail = f"**{paper}**", (last, *tail)
        return "\n".join((head, " · ".join(filter(None, tail))))


@dataclass(frozen=True, slots=True)
class Placed:
    """A job in its place on the plan, in mm; ``left`` and ``width`` are of what stands beside its number."""

    job: Job
    left: float
    width: float
    top: float
    height: float
    head: float
    """The height of what is said of it, above its pictures."""
    foot: float
    """The height of its words, below them."""
    pictured: bool
    beside: bool
    said: str
    """The job in words, as Markdown."""


@dataclass(frozen=True, slots=True)
class Told:
    """The lines of the plan about all jobs together."""

    sheets: int
    taken: str
    """Ink, paper, time and cost, in words."""
    needed: str
    """What a person needs besides paper and a printer."""
    making: Making
    part: str = ""
    """What the file holds, where that is not the game as it is."""


def head_of(job: Job, width: float, words: Words, text_width: Callable[[str, float], float]) -> float:
    """The height of what is said of a job above its pictures, which are so wide, in mm."""
    lines = job.said(width, words, text_width).replace("*", "").splitlines()
    return LINE * sum(math.ceil(1.1 * text_width(line, WORDS_SIZE) / width) for line in lines) + ABOVE_PICTURES


def foot_of(words: str, width: float, text_width: Callable[[str, float], float]) -> float:
    """The height of the words below a job's pictures, which are so wide, in mm."""
    return LINE * sum(math.ceil(1.1 * text_width(line, FOOT_SIZE) / width) for line in words.splitlines())


def in_words(
    jobs: Sequence[tuple[Job, Sequence[str]]], heads: Sequence[float], high: float, apart: float, words: Words
) -> list[Job]:
    """Jobs without pictures, each with the words its share of the room takes, which is so ``high``; in mm."""
    share = (high - sum(heads)) / max(1, len(jobs)) - apart
    lines = max(1, math.floor(share / LINE))
    cut = [(job, _cut(said, LETTERS * lines, words)) for job, said in jobs]
    return [replace(job, words=text) for job, text in cut]


def _cut(texts: Sequence[str], letters: int, words: Words) -> str:
    shown = list(texts)
    while len(said := _and_more(shown, len(texts) - len(shown), words)) > letters:
        if len(shown) == 1:
            return f"{said[: letters - 1]}…"
        shown.pop()
    return said


def _and_more(texts: Sequence[str], left: int, words: Words) -> str:
    said = words("; ").join(texts)
    return words.many("{texts}; and {count} more", "{texts}; and {count} more", left, texts=said) if left else said


def sum_height(told: Told, paper: Paper, words: Words, text_width: Callable[[str, float], float]) -> float:
    """Height in mm of the plan's closing paragraph (sheets, ink, time), at least SUM."""
    lines = math.ceil(1.1 * text_width(_sum(told, 0, words), SUM_SIZE) / (paper.width - 2 * MARGIN))
    return max(SUM, ABOVE_SUM + SUM_LINE * lines + 1.0)


def job_bottom(paper: Paper, below: float = SUM) -> float:
    """Where the room for the jobs ends, which begins at TOP, in mm: at the sum, so high."""
    return paper.height - FOOT - below


def side_by_side(narrow: Sequence[bool], paper: Paper, mirrored: bool) -> list[tuple[float, float, bool]]:
    """Left edge and width of what stands beside each job's number, in mm, and whether it stands beside the job before it.

    Of two narrow jobs that follow each other the second does.
    """
    whole = paper.width - 2 * MARGIN
    half = (whole - BETWEEN) / 2
    found: list[tuple[float, float, bool]] = []
    for at, each in enumerate(narrow):
        second = at > 0 and found[-1][1] < half and not found[-1][2]
        first = each and not second and at + 1 < len(narrow) and narrow[at + 1]
        wide = half if first or second else whole
        begins = MARGIN + (second != mirrored) * (whole - wide) if first or second else MARGIN
        found.append((begins + (0.0 if mirrored else BESIDE_NUMBER), wide - BESIDE_NUMBER, second))
    return found


def draw_plan(
    context: DrawContext,
    paper: Paper,
    jobs: Sequence[Placed],
    told: Told,
    below: float = SUM,
) -> tuple[Face, Face]:
    """Draws front and back of the plan's own sheet, in the size of the paper.

    Jobs beyond the room of the page are not drawn, and their number is said. The sum has the room ``below`` them.
    """
    frame = Frame(paper.width, paper.height, 0.0)
    game, called, bottom = context.game, paper.called, job_bottom(paper, below)
    words = game.words
    mirrored = leftwards(words.language)
    shown = [each for each in jobs[:MOST] if each.top + each.height <= bottom + 0.01]
    values = {
        "game": {
            **{key: isolated(rounded(value)) for key, value in game.about.items()},
            "name": isolated(_shown(game, context.tools.fonts)),
            "version": game.version,
        },
        "fonts_said": fonts_said(context),
        "face": {"width": frame.width, "height": frame.height, "bleed": 0.0},
        "how": held(_how(len(jobs), told, words)),
        "margin": MARGIN,
        "end": max((each.top + each.height for each in shown), default=TOP),
        "jobs": [
            {
                "said": each.said,
                "words": isolated(literally(held(each.job.words))),
                "words_y": each.top + (each.height - each.foot if each.pictured else each.head),
                "number": each.left + each.width + BESIDE_NUMBER - DISC if mirrored else each.left - BESIDE_NUMBER + DISC,
                "x": each.left,
                "width": each.width,
                "beside": each.beside,
                "head": each.head,
                "foot": each.foot,
                "y": each.top,
            }
            for each in shown
        ],
        "sum_room": below - ABOVE_SUM,
        "sum": held(_sum(told, len(jobs) - len(shown), words)),
        "version": _version(game, called, isolated(literally(told.part)), words),
        "words": _fixed(game, words),
    }
    origin = Origin("the print plan", Place(game.file))
    front = context.face("shared/plan", frame, values, origin, words.language)
    back = draw_howto(context, frame, values, steps(told.making, called, words), origin)
    context.tell_missing()
    return front, back


def _how(jobs: int, told: Told, words: Words) -> str:
    if jobs > 1:
        rows = words(
            "Each row below is printed on its own, as page\u00a02 says: put its paper in the printer, and print just the "
            "pages named in the row."
        )
    else:
        rows = words("Put the paper in the printer, and print the pages named below, as page\u00a02 says.")
    backs = words("There are no backs in this file.") if told.making.backs == "none" else ""
    others = (
        words.many(
            "The book is a file of its own; you need no other.",
            "The books are files of their own; you need no others.",
            told.making.booklets,
        )
        if told.making.booklets
        else words("You need no other file.")
    )
    first = words("Print this page at **100 %** (*actual size*, not *fit to page*), and measure the bar at its foot.")
    then = words("Then make the pieces as page\u00a02 says. You need {tools}.", tools=told.needed)
    return f"1. {first}\n2. {' '.join(filter(None, (rows, backs, others)))}\n3. {then}"


def _sum(told: Told, more: int, words: Words) -> str:
    sheets = words.many(
        "**{count} sheet in all**, this one not counted", "**{count} sheets in all**, this one not counted", told.sheets
    )
    if more:
        sheets = words.many("{sheets}, and {count} more job", "{sheets}, and {count} more jobs", more, sheets=sheets)
    return f"{sheets}. {told.taken}"


def _version(game: Game, paper: str, part: str, words: Words) -> str:
    said = [words("Version {version}", version=game.version)]
    if "players" in game.about:
        said.append(words("{players} players", players=isolated(ranged(game.about["players"]))))
    said.append(words("for {paper} paper", paper=paper))
    return " · ".join([*said, *filter(None, [part])])


def _fixed(game: Game, words: Words) -> dict[str, str]:
    about = {key: isolated(rounded(value)) for key, value in game.about.items()}
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


def draw_heading(context: DrawContext, text: str, width: float, height: float) -> Face:
    """Draws a title in the game's own face, for a page without pieces; in mm."""
    frame = Frame(width, height, 0.0)
    values = {"text": isolated(rounded(text)), "face": {"width": width, "height": height, "bleed": 0.0}}
    return context.face(
        "shared/heading", frame, values, Origin("the print plan", Place(context.game.file)), context.game.words.language
    )


def draw_label(context: DrawContext, label: Label, width: float) -> tuple[Face, Affine]:
    """A mark set in the game's own fonts, and the map to its page, in mm; ``width`` is about that of its line."""
    height = 2 * label.size_pt / PT_PER_MM
    width *= 1.1
    frame = Frame(width, height, 0.0)
    align = {"start": "left", "middle": "center", "end": "right"}[label.anchor]
    grey = label.colour if isinstance(label.colour, tuple) else 3 * (label.colour,)
    values = {
        "text": literally(label.text),
        "size": f"{label.size_pt:.2f} {max(2, label.size_pt / 2):.2f}",
        "align": align,
        "fill": "#" + "".join(f"{round(255 * part):02x}" for part in grey),
        "halo": label.halo,
        "face": {"width": width, "height": height, "bleed": 0.0},
    }
    origin = Origin("the marks", Place(context.game.file))
    face = context.face("shared/label", frame, values, origin, context.game.words.language)
    before = {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor] * width
    # Its letters stand on the label's baseline, a third of their size below the middle of the box.
    matrix = translation(label.x, label.y) @ rotation(label.turn) @ translation(-before, -height / 2 - height / 6)
    return face, matrix


def rounded(text: str) -> str:
    """With typographic apostrophes and quotes."""
    return re.sub(r'"([^"]*)"', "\u201c\\1\u201d", re.sub(r"(?<=\w)'", "\u2019", text))


def isolated(text: str) -> str:
    """A name isolated in its own direction, within a plan that runs to the right."""
    foreign = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
    return f"\u2068{text}\u2069" if foreign else text


def _shown(game: Game, fonts: Fonts) -> str:
    families = fonts.families("title" if "title" in fonts.roles else "body")
    for title in (rounded(game.title), game.title):
        if not set(fonts.missing(title, families)) - SYMBOLS:
            return title
    return game.name


def fonts_said(context: DrawContext) -> str:
    """The fonts' licences as Markdown, as each font states them."""
    words = context.game.words
    licences = context.tools.fonts.licences()
    if any(span.symbol for layer in context.layers() if isinstance(layer, TextLayer) for span in text_spans(layer)):
        licences.setdefault(LICENCE, []).append(FAMILY)
    if len(licences) == 1 and UNSTATED not in licences:
        return words("Fonts under the {licence}.", licence=literally(*licences))
    each = (
        f"{words(', ').join(map(literally, families))} ({literally(words(licence))})"
        for licence, families in licences.items()
    )
    return words("Fonts: {fonts}.", fonts=words("; ").join(each))
