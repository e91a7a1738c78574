"""The second page of a print file: how to print, cut, fold and glue its sheets, in steps with drawings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from pnp.dataclass import dataclass
from pnp.draw.cards import DrawContext, Origin
from pnp.draw.layer_pdf import measured
from pnp.draw.layers import Frame
from pnp.shapes.units import PT_PER_MM
from pnp.values.faces import Face, TextBox, TextLayer
from pnp.values.game import Backs
from pnp.values.languages import Words, held, joined, leftwards

DUPLEX = ("long-edge", "short-edge")


@dataclass(frozen=True, slots=True)
class Making:
    """What is to be done with the sheets of a file (print, cut, fold, join); its how-to page is written from this."""

    backs: Backs
    trial: int = 0
    """The page of the first sheet with backs, which shows whether they match; 0 where there is none."""
    booklets: int = 0
    """How many books there are, which are printed on both sides."""
    straight: bool = False
    """Pieces are cut from mark to mark; of neighbours with one cut, with two."""
    one_cut: bool = False
    two_cuts: bool = False
    beside: bool = False
    """Some lie beside a block that is cut off first."""
    outlined: bool = False
    """Pieces are cut along a printed line."""
    boards: bool = False
    """Boards are parted over several pages."""
    joining: tuple[int, str] = (0, "")
    """How many pages show how these are joined, and which."""
    machine: str = ""
    """What a machine cuts, in a sentence."""
    folds: bool = False
    tabs: bool = False
    folding: tuple[int, str] = (0, "")
    """How many pages show how pieces are folded and glued, and which."""


@dataclass(frozen=True, slots=True)
class Step:
    """A sentence of the page: a heading, a step, or what explains the step above it."""

    text: str
    drawing: str = ""
    """Its name in ``templates/shared/plan/howto.svg.j2``."""
    kind: Literal["heading", "step", "more"] = "step"
    number: int = 0
    """Of a step, below its heading."""


def steps(making: Making, paper: str, words: Words) -> list[Step]:
    """What stands on the page, from top to bottom."""
    parts = [
        (words("Print"), _printing(making, paper, words)),
        (words("Cut"), _cutting(making, words)),
        (words("Fold and glue"), _folding(making, words)),
    ]
    return [step for head, said in parts if said for step in (Step(f"**{head}**", kind="heading"), *_counted(said))]


def _counted(said: Sequence[Step]) -> Iterator[Step]:
    number = 0
    for step in said:
        number += step.kind == "step"
        # The last two words keep together, so that none is alone in the last line.
        text = "\u00a0".join(held(step.text).rsplit(" ", 1))
        yield replace(step, text=text, number=number if step.kind == "step" else 0)


def _printing(making: Making, paper: str, words: Words) -> list[Step]:
    duplex = making.backs in DUPLEX
    opened = words("Open the file in a PDF viewer, not in a browser.")
    if duplex:
        chosen = words("Choose **{paper}** and **actual size**.", paper=paper)
    else:
        chosen = words("Choose **{paper}** and **actual size**, and **one side** for all pages of this file.", paper=paper)
    said = [Step(f"{opened} {chosen}", "size")]
    by_hand = words(
        "Your printer does one side only? Print the odd pages of a row, put the stack back, print the even pages."
    )
    if duplex:
        pages = {"front": joined(making.trial), "back": joined(making.trial + 1)}
        if making.backs == "long-edge":
            edge = words("For two-sided rows choose **print on both sides, flip on long edge**.")
        else:
            edge = words("For two-sided rows choose **print on both sides, flip on short edge**.")
        light = words(
            "Print pages {front} and {back} alone on plain paper, and hold the sheet to the light: each back must lie "
            "behind its front. If it stands on its head, choose the other edge.",
            **pages,
        )
        trial = words(
            "Try it with pages {front} and {back} first, to see which way up the sheet goes back. "
            "If later sheets get each other\u2019s backs, choose *reverse order* for the even pages.",
            **pages,
        )
        said += [Step(f"{edge} {light}", "light"), Step(f"{by_hand} {trial}", "refill")]
    elif making.booklets:
        books = " ".join(
            (
                words.many("The book goes on both sides.", "The books go on both sides.", making.booklets),
                by_hand,
                words("Try it with one sheet first."),
            )
        )
        said.append(Step(books, "refill"))
    if duplex:
        rows = words(
            "Print the rows of the first page one after the other, each on its own paper. Never print the whole file on "
            "both sides: one-sided sheets would get the next one on their backs."
        )
    elif making.backs == "none":
        rows = words(
            "Print the rows of the first page one after the other, each on its own paper, or print on paper and glue it "
            "onto card."
        )
    else:
        rows = words("Print the rows of the first page one after the other, each on its own paper.")
    said.append(Step(f"{rows} {words('Let the sheets dry and lie flat under a book.')}", "dry"))
    if making.backs == "gutterfold":
        said += [
            Step(
                words(
                    "Score the dashed line in the middle of a sheet: press along it with an empty ballpoint pen and a "
                    "ruler. Fold there, with the printing outside."
                ),
                "score",
            ),
            Step(
                words(
                    "Spread thin glue over one inner half, close, and press under books until dry. Cut only then: front "
                    "and back stay together."
                ),
                "close",
            ),
        ]
    return said


def _cutting(making: Making, words: Words) -> list[Step]:
    said = [Step(making.machine, "machine")] if making.machine else []
    if making.straight:
        marks = words(
            "Straight edges: lay the ruler from mark to mark, the thin lines beside the pieces, and cut with the front up. "
            "Long cuts first, right across the sheet; then cut the strips into pieces."
        )
        small = [
            (making.one_cut, "one", words("*one cut between two*: neighbours touch, and one cut parts them")),
            (making.two_cuts, "two", words("*two cuts between two*: cut at both marks, and the strip between falls away")),
            (making.beside, "first", words("*first cut off*: cut the pieces named off the rest with one straight cut")),
        ]
        if any(there for there, _, _ in small):
            marks += " " + words("The small print at the edge of a sheet says how:")
        said.append(Step(marks, "ruler"))
        said += [Step(text, drawing, "more") for there, drawing, text in small if there]
    if making.outlined:
        said.append(Step(words("Other shapes: cut along the thin line around them."), "outline"))
    if making.boards:
        told = [words("Pages that belong together: cut at the plain marks, not at dashed ones, and join them.")]
        count, pages = making.joining
        if count:
            told.append(words.many("Page {pages} shows how.", "Pages {pages} show how.", count, pages=joined(pages)))
        said.append(Step(" ".join(told), "board"))
    if making.straight:
        said.append(Step(words("Round the corners of cards if you like: a radius of 3 mm feels good."), "corner"))
    return said


def _folding(making: Making, words: Words) -> list[Step]:
    if not making.folds:
        return []
    score = words(
        "Score each dashed line first: press along it with an empty ballpoint pen and a ruler, so that it folds just there."
    )
    ways = words("– – folds towards you, — · — folds away from you. Fold all of it once before you glue.")
    said = [Step(score, "score"), Step(ways, "ways")]
    if making.tabs:
        said.append(Step(words("Hatched tabs take the glue, a thin film; numbered ones in their order."), "tab"))
    count, pages = making.folding
    if count:
        shown = words.many("Page {pages} shows each step.", "Pages {pages} show each step.", count, pages=joined(pages))
        said[-1] = replace(said[-1], text=f"{said[-1].text} {shown}")
    return said


MARGIN = 18.0
# Where the steps begin; what is free between them and the imprint's line, from there to the imprint, and below it, in mm.
TOP, ABOVE_LINE, BELOW_LINE, FOOT = 33.0, 4.0, 5.0, 14.0
# A drawing in its own size, and its distance from the words.
DRAWING_WIDTH, DRAWING_HEIGHT, BESIDE = 24.0, 13.0, 5.0
# From the edge to a step's words, and from there to what explains it.
INDENT, MORE_INDENT = 6.0, 4.0
# The first pair has room: size of the words in pt, share of the drawings' own size.
SIZES = (
    (13.0, 1.6),
    (12.5, 1.2),
    (12.0, 1.0),
    (11.5, 0.9),
    (11.0, 0.85),
    (10.5, 0.8),
    (10.0, 0.75),
    (9.5, 0.7),
    (9.0, 0.66),
    (8.5, 0.65),
    (7.5, 0.6),
)
# From one row to the next, and above a heading besides; what is spare makes it larger, but not more than so.
APART, ABOVE_HEADING, MOST_APART = 3.2, 1.0, 5.0
# Below the last line of a text hang its letters, in sizes; see ``below`` in book.typ.
HANGING = 0.3
# The imprint is set so much smaller than the steps, in pt, and within these sizes.
IMPRINT_ROOM, SMALLER, IMPRINT_SIZES = 70.0, 2.0, (10.0, 7.0)


def draw_howto(context: DrawContext, frame: Frame, values: Mapping[str, Any], said: Sequence[Step], origin: Origin) -> Face:
    """Draws "How to print and cut": its steps, each with a drawing, as large as fits, and the imprint at the foot.

    ``values``: what the template needs besides.
    """
    language = context.game.words.language
    mirrored = leftwards(language)
    start = frame.width - MARGIN if mirrored else MARGIN

    def box(left: float, wide: float) -> dict[str, float]:
        """A box so far from the edge at which one begins to read."""
        return {"x": start - left - wide if mirrored else start + left, "w": wide}

    def drawn(rows: Sequence[Mapping[str, Any]], scale: float, imprint: Mapping[str, Any]) -> Face:
        page = {**values, "rows": rows, "scale": scale, "mirrored": mirrored, "imprint": imprint}
        return context.face("shared/plan/howto", frame, page, origin, language)

    full = frame.width - 2 * MARGIN
    trials: list[Face] = []
    for size, scale in SIZES:
        wide, high = DRAWING_WIDTH * scale, DRAWING_HEIGHT * scale
        rows: list[dict[str, Any]] = []
        for step in said:
            left = {"heading": 0.0, "step": INDENT, "more": INDENT + MORE_INDENT}[step.kind]
            room = full - left - (wide + BESIDE if step.drawing else 0.0)
            number = f"{step.number}." if step.number else "–" if step.kind == "more" else ""
            row: dict[str, Any] = {"text": step.text, "heading": step.kind == "heading", "number": number}
            row |= {"drawing": step.drawing, "drawing_y": 0.0, "drawing_box": box(full - wide, wide), "size": size}
            row |= {"number_box": box(INDENT, MORE_INDENT) if step.kind == "more" else box(0.0, INDENT)}
            rows.append({**row, **box(left, room), "y": 0.0, "h": frame.height})
        # How high the words come out is measured on a page that nobody sees.
        imprint = f"{min(IMPRINT_SIZES[0], max(IMPRINT_SIZES[1] + 0.5, size - SMALLER)):g} {IMPRINT_SIZES[1]:g}"
        trial = drawn(rows, scale, {"y": 0.0, "h": IMPRINT_ROOM, "size": imprint})
        found = _heights(trial, context)
        trials.append(trial)
        imprint_high, imprint_size = found.get("howto imprint", (IMPRINT_ROOM, IMPRINT_SIZES[1]))
        heights = []
        for at, (row, step) in enumerate(zip(rows, said, strict=True), 1):
            row["words_high"] = found.get(f"howto step {at}", (high, size))[0]
            heights.append(max(row["words_high"], high if step.drawing else 0.0))
        line = frame.height - FOOT - imprint_high - BELOW_LINE
        above = [ABOVE_HEADING if step.kind == "heading" and at else 0.0 for at, step in enumerate(said)]
        spare = line - ABOVE_LINE - TOP - sum(heights) - sum(above) - APART * (len(rows) - 1)
        if spare >= 0.0 or (size, scale) == SIZES[-1]:
            break
    if spare < 0.0:
        told = f"the page of printing and cutting is {-spare:.0f} mm too long for a paper of {frame.height:.0f} mm"
        context.problems.warn("text-too-long", origin.place, told, hint="Print on a larger paper, or shorten the imprint.")
    apart = min(MOST_APART, APART + max(spare, 0.0) / max(1, len(rows) - 1))
    y = TOP
    for row, height, more in zip(rows, heights, above, strict=True):
        y += more
        row |= {"y": y + (height - row["words_high"]) / 2, "h": row["words_high"], "drawing_y": y + (height - high) / 2}
        y += height + apart
    made = drawn(rows, scale, {"y": line + BELOW_LINE, "h": imprint_high, "size": f"{imprint_size:g}"})
    for trial in trials:
        context.replace(trial, made)
    return made


def _heights(face: Face, context: DrawContext) -> dict[str, tuple[float, float]]:
    """By the name of a text box how high its words are in mm, with what hangs below them, and their size in pt."""
    layers = {placed.layer.key: placed.layer for placed in face.layers if isinstance(placed.layer, TextLayer)}
    found = {}
    for fit in measured([*layers.values()], context.tools.fonts, context.cache):
        text = layers[fit.layer].pieces[fit.piece]
        if isinstance(text, TextBox):
            found[text.name] = fit.height + HANGING * fit.size_pt / PT_PER_MM, fit.size_pt
    return found
