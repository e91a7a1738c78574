"""The conductor of the print plan: what lies on which sheets and pages, and what printing it takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from pnp.draw.plan import Job, Told, draw_plan, head_of, in_words, job_room, rounded
from pnp.flows.drawn import Drawn
from pnp.flows.ink import face_inks
from pnp.lay.effort import effort, time_said
from pnp.lay.gallery import APART, shelves
from pnp.lay.impose import needed
from pnp.lay.picture import PLAN as PICTURE
from pnp.lay.sheet import FLIP, PLAIN, AnySheet, Folding, Laying, PosterSheet, Sheet, ShownSheet, sides
from pnp.sandbox.markup import literally
from pnp.shapes.affine import IDENTITY, Rect
from pnp.shapes.units import show
from pnp.values.books import Counts, Edition
from pnp.values.faces import Book, Deck, Face, Page, PlacedFace
from pnp.values.game import MARGIN, Backs, Component, Paper, Side
from pnp.values.outcome import Options
from pnp.values.problems import listed
from pnp.values.selection import WHOLE, Selection
from pnp.write.ink import Estimate, SheetRun, estimate, page_ink
from pnp.write.pdf import text_width

# Pieces to throw away that the plan names.
MOST_GONE = 3
PLAIN_WEIGHT = 80
# "card, 250-300 g/m²" or "card, 300 g/m²"
_WEIGHTS = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?\s*g/m²")
HOW: Mapping[Backs, str] = {
    "long-edge": "both sides, flip on long edge",
    "short-edge": "both sides, flip on short edge",
    "gutterfold": "one side; fold at the dashed line, glue, then cut",
    "none": "one side",
}
FORMS = {"book": "fold and staple", "card": "cut in two"}


@dataclass(frozen=True, slots=True)
class Printing:
    """Sheets of one paper that are printed the same way, each with its pages in the file."""

    paper: str
    way: Backs
    sheets: tuple[tuple[range, AnySheet], ...]

    @property
    def pages(self) -> str:
        """Their numbers, in words."""
        return ranges(page for pages, _ in self.sheets for page in pages)


def numbered(made: Sequence[AnySheet], paper: Paper) -> list[tuple[range, AnySheet]]:
    """Each sheet with its pages in ``print.pdf``; on paper that has room for it, the plan's two come before."""
    starts = accumulate(map(sides, made), initial=3 if paper.readable else 1)
    return [(range(first, first + sides(sheet)), sheet) for first, sheet in zip(starts, made, strict=False)]


def printings(made: Sequence[AnySheet], paper: Paper) -> list[Printing]:
    """The sheets of a file by paper and sides, in the order of their first pages."""
    found: dict[tuple[str, Backs], list[tuple[range, AnySheet]]] = {}
    for pages, sheet in numbered(made, paper):
        found.setdefault((sheet.paper, sheet.way), []).append((pages, sheet))
    return [Printing(name, way, tuple(sheets)) for (name, way), sheets in found.items()]


def ranges(pages: Iterable[int]) -> str:
    """Numbers in words: "3–6, 9"."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1][1:] = [page]
        else:
            runs.append([page])
    return ", ".join("–".join(map(str, run)) for run in runs)


def taken_in_words(taken: Estimate) -> str:
    """Ink, paper and cost in a line for the plan."""
    kilos = f"{taken.grams / 1000:.1f} kg" if taken.grams >= 950 else f"{taken.grams:.0f} g"
    cost = f", about {taken.cost:.2f} for {taken.pages} printed pages" if taken.cost else ""
    return f"Ink covers about {taken.coverage:.0f} % of a page; the paper weighs {kilos}{cost}."


def thrown_away(gone: Sequence[str]) -> str:
    """What on paper is no longer needed, in a sentence for the plan."""
    return f"No longer needed, throw away: {literally(listed(gone, MOST_GONE))}." if gone else ""


def reach_in_words(paper: Paper) -> str:
    """What the sheets ask of a printer beyond what most of them do; "" where it is nothing."""
    return f"Needs a printer that reaches to {show(paper.margin)} mm of the edge." if paper.margin < MARGIN else ""


def templates_in_words(made: Sequence[AnySheet]) -> str:
    """Which ready templates the sheets are cut with; "" where there are none."""
    names = dict.fromkeys(sheet.template.name for sheet in made if isinstance(sheet, Sheet) and sheet.template)
    return f"Cut cards with templates of silhouette-card-maker: {', '.join(names)}." if names else ""


def time_in_words(made: Sequence[AnySheet]) -> str:
    """How long cutting, folding and gluing take, for the plan; "" where there is nothing to do."""
    work = effort(made)
    times = [f"{what} takes about {length}" for what, length in _times(work.cutting, work.gluing) if length]
    return f"{', '.join(times)}." if times else ""


def _times(cutting: float, gluing: float) -> list[tuple[str, str]]:
    return [("Cutting", time_said(cutting)), ("folding and gluing", time_said(gluing))]


def counts_by_component(made: Sequence[AnySheet], paper: Paper) -> Counts:
    """Sheets and pages by component, for the books; pages that only show a component are none of its own."""
    found: dict[str, list[range]] = {}
    for pages, sheet in numbered(made, paper):
        for name in _components(sheet):
            found.setdefault(name, []).append(pages)
    return Counts(
        {name: len(own) for name, own in found.items()},
        {name: ranges(page for pages in own for page in pages) for name, own in found.items()},
    )


def _components(sheet: AnySheet) -> list[str]:
    """Whose pieces are cut from a sheet."""
    if isinstance(sheet, Sheet):
        return list(dict.fromkeys(piece.component for piece in sheet.pieces))
    return [sheet.piece.component] if isinstance(sheet, PosterSheet) else []


def cover(
    drawn: Drawn,
    paper: Paper,
    backs: Backs,
    made: Sequence[AnySheet],
    editions: Sequence[Edition] = (),
    taken: Estimate | None = None,
    selection: Selection = WHOLE,
) -> list[Page]:
    """The print plan and, on its back, how to cut: the first two pages of ``print.pdf``.

    Books are files of their own; ``taken`` is the ink, paper and cost of the sheets.
    """
    found = printings(made, paper)
    shown = [_shown(drawn, each) for each in found]
    jobs = [
        Job(each.paper, HOW[each.way], _pages(each), len(each.sheets), _words(each), bool(own))
        for each, own in zip(found, shown, strict=True)
    ]
    jobs += _book_jobs(editions)
    shown += [[] for _ in jobs[len(shown) :]]
    placed = shelves(shown, [head_of(job) for job in jobs], job_room(paper), text_width)
    if placed is None:
        # What has no room for pictures is told in words.
        words = [[*(text for _, text in own), *filter(None, [job.words])] for job, own in zip(jobs, shown, strict=True)]
        jobs, least = in_words([*zip(jobs, words, strict=True)], job_room(paper), APART)
        placed = shelves([[] for _ in jobs], [head_of(job, least) for job in jobs], job_room(paper), text_width) or []
    lacking = drawn.studio.tools.fonts.missing
    families = drawn.studio.tools.fonts.families("body")
    thrown = thrown_away(selection.gone)
    if lacking(thrown, families):
        thrown = thrown_away([f"{len(selection.gone)} designs"])
    asked = reach_in_words(paper), templates_in_words(made)
    booklets = sum(edition.sheets for edition in editions)
    books = f"Books take {booklets} more." if booklets else ""
    sums = _without(drawn, made), books, *asked, taken_in_words(taken) if taken else "", time_in_words(made), thrown
    told = Told(
        len(made),
        " ".join(filter(None, sums)),
        next((pages[0] for pages, sheet in numbered(made, paper) if sheet.way in FLIP), 3),
        ranges(pages[0] for pages, sheet in numbered(made, paper) if _tells_folding(sheet)),
        selection.words(lacking(selection.words(), families)),
    )
    lines = [(job, shelf.top, shelf.height) for job, shelf in zip(jobs, placed, strict=True)]
    front, back = draw_plan(drawn.studio, paper, needed(backs, made), lines, told)
    pictures = [item for shelf in placed for item in shelf.items]
    return [
        Page(paper, (_full(front, "front"), *pictures), "front", "What to print"),
        Page(paper, (_full(back, "back"),), "back", "How to print and cut"),
    ]


def _book_jobs(editions: Sequence[Edition]) -> list[Job]:
    """The books, which are files of their own."""
    jobs = []
    for form, what in FORMS.items():
        own = [edition for edition in editions if edition.manual.form == form]
        files = ", ".join(edition.printed for edition in own)
        titles = "; ".join(edition.manual.name.replace("-", " ").capitalize() for edition in own)
        if own:
            sheets = sum(edition.sheets for edition in own)
            jobs.append(Job(PLAIN, f"{HOW['short-edge']}; {what}", files, sheets, f"{titles}: {files}"))
    return jobs


def _tells_folding(sheet: AnySheet) -> bool:
    return isinstance(sheet, ShownSheet) and any(isinstance(block, Folding) for block in sheet.blocks)


def _pages(job: Printing) -> str:
    return f"page{'' if job.pages.isdecimal() else 's'} {job.pages}"


def _shown(drawn: Drawn, job: Printing) -> list[tuple[Deck, str]]:
    """The decks of which pieces are cut from these sheets, and what stands below their pictures."""
    decks = {deck.component.name: deck for deck in drawn.decks}
    copies: dict[str, int] = {}
    for _, sheet in job.sheets:
        for name, count in _copies(sheet).items():
            copies[name] = copies.get(name, 0) + count
    found = []
    for name, count in copies.items():
        component = decks[name].component
        other = decks.get(component.instead or "")
        form = f", or the {other.component.title}" if other else ""
        # Of chosen sheets all may be later pages of a board.
        text = f"{count} × {component.title}{form}" if count else f"a part of {component.title}"
        found.append((decks[name], rounded(text)))
    return found


def _copies(sheet: AnySheet) -> dict[str, int]:
    """How many pieces of each component are cut from a sheet; of what is glued from parts the first one counts."""
    found: dict[str, int] = {}
    if isinstance(sheet, Sheet):
        for piece in sheet.pieces:
            found[piece.component] = found.get(piece.component, 0) + (piece.part == 1)
    elif isinstance(sheet, PosterSheet):
        found[sheet.piece.component] = int(sheet.tile is sheet.poster.tiles[0])
    return found


def _words(job: Printing) -> str:
    """What is on pages that only show something, each with its page."""
    notes: dict[str, list[int]] = {}
    for pages, sheet in job.sheets:
        for block in sheet.blocks if isinstance(sheet, ShownSheet) else ():
            notes.setdefault(block.title if isinstance(block, Laying) else block.note, []).append(pages[0])
    where = {note: ranges(dict.fromkeys(pages)) for note, pages in notes.items()}
    said = "; ".join(f"{note} (page{'' if pages.isdecimal() else 's'} {pages})" for note, pages in where.items())
    return rounded(said[:1].upper() + said[1:])


def _without(drawn: Drawn, made: Sequence[AnySheet]) -> str:
    """How many sheets are needed without pieces that are another form of others that are there."""
    there = {deck.component.name: deck.component for deck in drawn.decks}
    forms = {name: component.title for name, component in there.items() if component.instead in there}
    spare = [sheet for sheet in made if (own := _components(sheet)) and set(own) <= forms.keys()]
    if not spare:
        return ""
    named = dict.fromkeys(forms[name] for sheet in spare for name in _components(sheet))
    return f"Without {' and '.join(named)} there are {len(made) - len(spare)}."


def covers_of(
    drawn: Drawn,
    book: Book,
    laid: Mapping[Paper, Sequence[AnySheet]],
    printed: Mapping[Paper, Sequence[Page]],
    editions: Sequence[Edition],
    options: Options,
) -> dict[Paper, list[Page]]:
    """The plan for each readable paper, with the books and what printing takes; ``printed``: the sides of what is laid."""
    inks = face_inks(drawn, book)
    covers = {}
    for paper, made in laid.items():
        if not paper.readable:
            continue
        shown = [page_ink(page, inks) for page in printed[paper]]
        taken = estimate(shown, sheet_runs(made, paper), paper, options.price)
        own = [edition for edition in editions if edition.paper == paper]
        covers[paper] = cover(drawn, paper, options.backs, made, own, taken, options.selection)
    return covers


def plan_title(sheet: AnySheet) -> str:
    """What such sheets are called where printing is estimated."""
    return sheet.note[:1].upper() + sheet.note[1:] if isinstance(sheet, ShownSheet) else sheet.run.title


def _full(face: Face, side: Side) -> PlacedFace:
    return PlacedFace(face, PICTURE, side, IDENTITY, Rect(0, 0, face.width, face.height))


def sheet_runs(made: Sequence[AnySheet], paper: Paper) -> list[SheetRun]:
    """The runs of sheets as they lie in a file, in its order, with their paper."""
    found = []
    for _, own in groupby(made, key=lambda sheet: id(sheet.run)):
        sheets = list(own)
        sheet = sheets[0]
        weight = PLAIN_WEIGHT if isinstance(sheet, ShownSheet) else max(_weight(deck.component) for deck in sheet.run.decks)
        found.append(SheetRun(plan_title(sheet), sheet.paper, weight, len(sheets), sum(map(sides, sheets))))
    return found


def _weight(component: Component) -> int:
    """Of its paper in g/m². The words are what a person buys by; a weight outside them was never meant for it."""
    words = _WEIGHTS.search(component.paper)
    if words is None:
        return PLAIN_WEIGHT if component.paper == PLAIN else component.weight
    least, most = int(words[1]), int(words[2] or words[1])
    return component.weight if least <= component.weight <= most else round((least + most) / 2)
