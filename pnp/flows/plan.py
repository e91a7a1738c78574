"""Makes the print plan: what lies on which sheets and pages, and what printing takes."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, groupby

from pnp.dataclass import dataclass
from pnp.draw.howto import Making
from pnp.draw.plan import (
    TOP,
    Job,
    Placed,
    Told,
    draw_plan,
    foot_of,
    head_of,
    in_words,
    job_bottom,
    rounded,
    side_by_side,
    sum_height,
)
from pnp.flows.drawn import Drawn, face_inks, marked_words, with_labels_set
from pnp.lay.impose import needed
from pnp.lay.picture import PLAN as PICTURE
from pnp.lay.picture import SHELVES_APART, Wanted, narrow, shelves
from pnp.lay.sheet import (
    FLIP,
    ONE_CUT,
    PLAIN,
    TWO_CUTS,
    AnySheet,
    Block,
    Folding,
    Joining,
    Laying,
    PosterSheet,
    Sheet,
    ShownSheet,
    by_machine,
    capital,
    effort,
    folded,
    pieces,
    sides,
    time_said,
    tools,
)
from pnp.sandbox.markup import literally
from pnp.shapes.affine import IDENTITY
from pnp.values.books import Counts, Edition
from pnp.values.faces import Book, Deck, Face, Page, PlacedFace
from pnp.values.game import MARGIN, Backs, Component, Game, Paper, Side
from pnp.values.languages import ENGLISH, N_, Words, joined, leftwards, ranged
from pnp.values.outcome import CutFiles, Options
from pnp.values.walk import grouped
from pnp.write.pdf import text_width
from pnp.write.png import Estimate, SheetRun, estimate, page_ink

# "card, 250-300 g/m²" or "card, 300 g/m²"
_WEIGHTS = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?\s*g/m²")
# Parts of a paper's name that the press says in every language that it speaks; what a game calls otherwise, it translates.
STUFFS = (
    N_("card"),
    N_("paper"),
    N_("plain paper"),
    N_("photo paper"),
    N_("label paper"),
    N_("board"),
    N_("grey board"),
    N_("then glued on board"),
)
COVER, TEXT = 1406.5 / (20 * 26), 1406.5 / (25 * 38)
# What is lighter is sold as text paper. Pounds are told in steps, as papers are sold.
LIGHTEST_COVER, STEP = 165, 5


def known(paper: str) -> bool:
    """Whether the press's catalogue translates the name of this paper."""
    return all(part in STUFFS or _WEIGHTS.fullmatch(part) for part in paper.split(", "))


def _paper_in_words(paper: str, words: Words) -> str:
    return words(", ").join(
        words(part) if part in STUFFS else ranged(part) if _WEIGHTS.fullmatch(part) else part for part in paper.split(", ")
    )


def grams(paper: str) -> tuple[int, int] | None:
    """The grammage that a paper's name allows, least and most, in g/m²; None where it does not say."""
    said = _WEIGHTS.search(paper)
    return (int(said[1]), int(said[2] or said[1])) if said else None


def _with_pounds(said: re.Match[str]) -> str:
    return f"{said[0]} ({pounds(int(said[1]), int(said[2] or said[1]))})"


def pounds(least: int, most: int) -> str:
    """A weight or range in American pounds: "75–110 lb cover"."""
    kind, each = ("cover", COVER) if most >= LIGHTEST_COVER else ("text", TEXT)
    ends = dict.fromkeys(STEP * round(weight / each / STEP) for weight in (least, most))
    return f"{'–'.join(map(str, ends))} lb {kind}"


def _one_for_several(papers: Sequence[str]) -> list[tuple[list[int], str, int, int]]:
    """The papers, by index, that one paper can replace; its name; its weight.

    Of one stuff only, the first word of a name, and only where names differ: one paper is one paper.
    """
    found: list[tuple[list[int], str, int, int]] = []
    for at, paper in enumerate(papers):
        said, stuff = grams(paper), re.split(r"[\s,]", paper, maxsplit=1)[0]
        if said is None:
            continue
        for number, (places, known, least, most) in enumerate(found):
            low, high = max(least, said[0]), min(most, said[1])
            if stuff == known and low <= high:
                found[number] = [*places, at], stuff, low, high
                break
        else:
            found.append(([at], stuff, *said))
    return [each for each in found if len({papers[at] for at in each[0]}) > 1]


# Pieces to throw away that the plan names.
MOST_GONE = 3


def _taken_in_words(taken: Estimate, words: Words) -> str:
    weight = words("{weight} g", weight=words.number(taken.grams, 0))
    if taken.grams >= 950:
        weight = words("{weight} kg", weight=words.number(taken.grams / 1000, 1))
    told = {"share": words.number(taken.coverage, 0), "weight": weight}
    if not taken.cost:
        return words("Ink covers about {share} % of a page; the paper weighs {weight}.", **told)
    return words.many(
        "Ink covers about {share} % of a page; the paper weighs {weight}, about {cost} for {count} printed page.",
        "Ink covers about {share} % of a page; the paper weighs {weight}, about {cost} for {count} printed pages.",
        taken.pages,
        cost=words.number(taken.cost, 2),
        **told,
    )


def _thrown_away(gone: Sequence[str], words: Words) -> str:
    if not gone:
        return ""
    named = words(", ").join(map(literally, gone[:MOST_GONE]))
    if len(gone) > MOST_GONE:
        named = words.many("{names} … ({count} in all)", "{names} … ({count} in all)", len(gone), names=named)
    return words("No longer needed, throw away: {names}.", names=named)


def _templates_in_words(made: Sequence[AnySheet], words: Words) -> str:
    names = dict.fromkeys(sheet.template.name for sheet in made if isinstance(sheet, Sheet) and sheet.template)
    told = words(", ").join(names)
    return words("Cut cards with templates of silhouette-card-maker: {names}.", names=told) if names else ""


def _time_in_words(made: Sequence[AnySheet], machine: CutFiles, words: Words) -> str:
    cutting = effort(sheet for sheet in made if not by_machine(sheet, machine)).cutting
    gluing = effort(made).gluing
    told = {"cutting": time_said(cutting, words), "gluing": time_said(gluing, words)}
    if cutting and gluing and machine:
        return words("Cutting by hand takes about {cutting}, folding and gluing takes about {gluing}.", **told)
    if cutting and gluing:
        return words("Cutting takes about {cutting}, folding and gluing takes about {gluing}.", **told)
    if cutting and machine:
        return words("Cutting by hand takes about {cutting}.", **told)
    if cutting:
        return words("Cutting takes about {cutting}.", **told)
    return words("Folding and gluing takes about {gluing}.", **told) if gluing else ""


def _machine_in_words(made: Sequence[AnySheet], machine: CutFiles, words: Words) -> str:
    cut = [sheet for sheet in made if isinstance(sheet, Sheet | PosterSheet)]
    if not (own := sum(by_machine(sheet, machine) for sheet in cut)):
        return ""
    if own == len(cut):
        return words("A machine cuts all sheets.") if own > 1 else words("A machine cuts the sheet.")
    return words.many(
        "A machine cuts {count} of the {all} sheets with pieces; the others are cut by hand.",
        "A machine cuts {count} of the {all} sheets with pieces; the others are cut by hand.",
        own,
        all=len(cut),
    )


def _one_paper_in_words(papers: Sequence[str], american: bool, words: Words) -> str:
    said = []
    for rows, stuff, least, most in _one_for_several(papers):
        weight = f"{least} g/m²" if least == most else f"{least}–{most} g/m²"
        in_pounds = f" ({pounds(least, most)})" if american else ""
        named = joined(words.row([str(row + 1) for row in rows]))
        told = {"stuff": capital(stuff), "weight": f"{weight}{in_pounds}", "rows": named}
        said.append(words("{stuff} of {weight} will do for rows {rows}.", **told))
    return " ".join(said)


PLAIN_WEIGHT, CARD = 80, "card"
# Below a picture the other forms of its pieces are named, where that is no longer than so many letters.
MOST_LETTERS = 60
HOW: Mapping[Backs, str] = {
    "long-edge": N_("both sides, flip on long edge"),
    "short-edge": N_("both sides, flip on short edge"),
    "gutterfold": N_("one side; fold at the dashed line, glue, then cut"),
    "none": N_("one side"),
}
FORMS = {
    "book": N_("both sides, flip on short edge; fold and staple"),
    "card": N_("both sides, flip on short edge; each sheet makes two, cut apart"),
}


@dataclass(frozen=True, slots=True)
class Printing:
    """Sheets of one paper printed the same way, each with its pages in the file."""

    paper: str
    way: Backs
    sheets: tuple[tuple[range, AnySheet], ...]

    @property
    def pages(self) -> str:
        """The page numbers in words."""
        return ranges(page for pages, _ in self.sheets for page in pages)


def numbered(made: Sequence[AnySheet], paper: Paper) -> list[tuple[range, AnySheet]]:
    """Each sheet with its pages in ``print.pdf``, behind the two of the plan where the paper has room for it."""
    starts = accumulate(map(sides, made), initial=3 if paper.readable else 1)
    return [(range(first, first + sides(sheet)), sheet) for first, sheet in zip(starts, made, strict=False)]


def printings(made: Sequence[AnySheet], paper: Paper) -> list[Printing]:
    """The sheets of a file by paper and sides, in the order of their first pages."""
    found = grouped(((sheet.paper, sheet.way), (pages, sheet)) for pages, sheet in numbered(made, paper))
    return [Printing(name, way, tuple(sheets)) for (name, way), sheets in found.items()]


def ranges(pages: Iterable[int]) -> str:
    """Numbers as ranges: "3–6, 9"."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1][1:] = [page]
        else:
            runs.append([page])
    return ", ".join("–".join(map(str, run)) for run in runs)


def counts_by_component(made: Sequence[AnySheet], paper: Paper) -> Counts:
    """Sheets and pages by component, for the books; without reference pages."""
    found = grouped((name, pages) for pages, sheet in numbered(made, paper) for name in _copies(sheet))
    return Counts(
        {name: len(own) for name, own in found.items()},
        {name: ranges(page for pages in own for page in pages) for name, own in found.items()},
    )


def cover(
    drawn: Drawn, paper: Paper, made: Sequence[AnySheet], options: Options, editions: Sequence[Edition], taken: Estimate
) -> list[Page]:
    """The print plan and, on its back, how to cut; ``taken`` is the ink, paper and cost of the sheets."""
    selection, words = options.selection, drawn.game.words
    found = printings(made, paper)
    shown = [_shown(drawn, each) for each in found]
    papers = [_paper_in_words(each.paper, words) for each in found]
    jobs = [
        Job(
            _WEIGHTS.sub(_with_pounds, stuff, count=1) if paper.american else stuff,
            words(HOW[each.way]),
            _page_words(each.pages, words),
            len(each.sheets),
            _words(each, words),
        )
        for each, stuff in zip(found, papers, strict=True)
    ]
    jobs += _book_jobs(editions, drawn.game)
    shown += [[] for _ in jobs[len(shown) :]]
    fonts = drawn.context.tools.fonts
    thrown = _thrown_away(selection.gone, words)
    if fonts.missing(thrown, fonts.families("body")):
        thrown = _thrown_away([words.many("{count} design", "{count} designs", len(selection.gone))], words)
    forms = {edition.manual.form for edition in editions}
    booklets = [edition.sheets for edition in editions if edition.manual.form == "book"]
    reach = words("Needs a printer that reaches to {margin} mm of the edge.", margin=words.shown(paper.margin))
    sums = (
        _choices(drawn, made, paper),
        words.many("The book takes {sheets} more.", "The books take {sheets} more.", len(booklets), sheets=sum(booklets))
        if booklets
        else "",
        _one_paper_in_words(papers, paper.american, words),
        reach if paper.margin < MARGIN else "",
        _templates_in_words(made, words),
        _taken_in_words(taken, words),
        _machine_in_words(made, options.cut, words),
        _time_in_words(made, options.cut, words),
        thrown,
    )
    told = Told(
        len(made),
        " ".join(filter(None, sums)),
        words.row([*map(words, tools(made, options.cut, "book" in forms, "card" in forms))]),
        _making(made, paper, options, len(editions), words),
        selection.told(words, lambda text: fonts.missing(text, fonts.families("body"))),
    )
    below = sum_height(told, paper, words, text_width)
    bottom, mirrored = job_bottom(paper, below), leftwards(words.language)

    def wanted(pictured: Sequence[Sequence[tuple[Deck, str]]], halves: Sequence[bool]) -> list[Wanted]:
        return [
            Wanted(own, left, width, head_of(job, width, words, text_width), foot_of(job.words, width, text_width), second)
            for job, own, (left, width, second) in zip(jobs, pictured, side_by_side(halves, paper, mirrored), strict=True)
        ]

    asked = wanted(shown, [*map(narrow, shown)])
    placed = shelves(asked, TOP, bottom, text_width, mirrored)
    if placed is None:
        # What has no room for pictures is told in words.
        none: list[list[tuple[Deck, str]]] = [[] for _ in jobs]
        whole = [False for _ in jobs]
        texts = [[*(text for _, text in own), *filter(None, [job.words])] for job, own in zip(jobs, shown, strict=True)]
        heads = [each.head for each in wanted(none, whole)]
        jobs = in_words([*zip(jobs, texts, strict=True)], heads, bottom - TOP, SHELVES_APART, words)
        asked = wanted(none, whole)
        placed = shelves(asked, TOP, bottom, text_width, mirrored) or []
    lines = [
        Placed(
            *(job, each.left, each.width, shelf.top, shelf.height, each.head, each.foot, bool(each.decks), each.beside),
            job.said(each.width, words, text_width),
        )
        for job, each, shelf in zip(jobs, asked, placed, strict=True)
    ]
    front, back = draw_plan(drawn.context, paper, lines, told, below)
    pictures = [item for shelf in placed for item in shelf.items]
    return [
        Page(paper, (_full(front, "front"), *pictures), "front", words("What to print")),
        Page(paper, (_full(back, "back"),), "back", words("How to print and cut")),
    ]


def _book_jobs(editions: Sequence[Edition], game: Game) -> list[Job]:
    words, jobs = game.words, []

    def named(edition: Edition) -> str:
        manual = edition.manual
        title = game.book_title(manual)
        if not game.spoken and title == manual.title:
            title = capital(manual.name.replace("-", " "))
        if rounded(title) == rounded(game.title):
            title = words("Rulebook")
        return words("{what}: {names}", what=title, names=edition.printed)

    for form, what in FORMS.items():
        if own := [edition for edition in editions if edition.manual.form == form]:
            sheets = sum(edition.sheets for edition in own)
            paper = _paper_in_words(CARD if form == "card" else PLAIN, words)
            jobs.append(Job(paper, words(what), "", sheets, "\n".join(map(named, own)), form == "card"))
    return jobs


def _making(made: Sequence[AnySheet], paper: Paper, options: Options, booklets: int, words: Words) -> Making:
    hand = [sheet for sheet in made if isinstance(sheet, Sheet) and not by_machine(sheet, options.cut)]
    partings = {sheet.parting for sheet in hand}
    parts = {len(sheet.poster.tiles) for sheet in made if isinstance(sheet, PosterSheet)}
    folding = _pages_with(Folding, made, paper)
    return Making(
        needed(options.backs, made),
        next((pages[0] for pages, sheet in numbered(made, paper) if sheet.way in FLIP), 0),
        booklets,
        any(not piece.front.outline for piece in pieces(hand)) or 1 in parts,
        ONE_CUT in partings,
        TWO_CUTS in partings,
        any(sheet.cropped and sheet.beside for sheet in hand),
        any(piece.front.outline for piece in pieces(hand)),
        any(count > 1 for count in parts),
        _pages_with(Joining, made, paper),
        _machine_in_words(made, options.cut, words),
        bool(folding[0]) or any(map(folded, pieces(made))),
        any(piece.front.net and piece.front.net.tabs for piece in pieces(made)),
        folding,
    )


def _pages_with(kind: type[Block], made: Sequence[AnySheet], paper: Paper) -> tuple[int, str]:
    found = [
        pages[0]
        for pages, sheet in numbered(made, paper)
        if isinstance(sheet, ShownSheet) and any(isinstance(block, kind) for block in sheet.blocks)
    ]
    return len(found), ranges(found)


def _page_words(pages: str, words: Words) -> str:
    sentence = N_("page {pages}") if pages.isdecimal() else N_("pages {pages}")
    return words(sentence, pages=joined(pages))


def _shown(drawn: Drawn, job: Printing) -> list[tuple[Deck, str]]:
    decks = {deck.component.name: deck for deck in drawn.decks}
    forms, words = _forms(drawn), marked_words(drawn)
    copies = Counter[str]()
    for _, sheet in job.sheets:
        copies.update(_copies(sheet))
    titles = [deck.component.title for deck in drawn.decks]
    found = []
    for name, count in copies.items():
        title = decks[name].component.title
        # Of chosen sheets all may be later pages of a board.
        text = f"{count} × {title}" if count else words("a part of {name}", name=title)
        others = [words.inside(decks[other].component.title, titles) for other in forms.get(name, ()) if other != name]
        choice = words("{pieces}, or the {others}", pieces=text, others=words(" or ").join(others)) if others else text
        found.append((decks[name], rounded(choice if len(choice) <= MOST_LETTERS else text)))
    return found


def _copies(sheet: AnySheet) -> Counter[str]:
    """Copies by component: of a piece on several pages its first one counts."""
    found = Counter[str]()
    if isinstance(sheet, Sheet):
        for piece in sheet.pieces:
            found[piece.component] += piece.part == 1
    elif isinstance(sheet, PosterSheet):
        found[sheet.piece.component] = int(sheet.tile is sheet.poster.tiles[0])
    return found


def _words(job: Printing, words: Words) -> str:
    notes: dict[str, list[int]] = {}
    for pages, sheet in job.sheets:
        for block in sheet.blocks if isinstance(sheet, ShownSheet) else ():
            note = block.layout.title if isinstance(block, Laying) else words(block.note)
            notes.setdefault(capital(note), []).append(pages[0])
    where = {note: ranges(dict.fromkeys(pages)) for note, pages in notes.items()}
    told = (words("{what} ({pages})", what=note, pages=_page_words(pages, words)) for note, pages in where.items())
    return rounded(" · ".join(told))


def _forms(drawn: Drawn) -> dict[str, list[str]]:
    """For components printed in several forms: all forms, itself too, in the order of the game."""
    there = [deck.component for deck in drawn.decks]
    found: dict[str, list[str]] = {}
    for base in there:
        group = [base.name, *(each.name for each in there if each.instead == base.name)]
        if len(group) > 1:
            found |= dict.fromkeys(group, group)
    return found


def _choices(drawn: Drawn, made: Sequence[AnySheet], paper: Paper) -> str:
    """Of which pieces one form is enough, with its pages; nothing of forms that lie on sheets of other pieces alone."""
    words, named = drawn.game.words, {deck.component.name: deck.component.title for deck in drawn.decks}
    titles = {name: words.inside(title, named.values()) for name, title in named.items()}
    alone = grouped((tuple(_copies(sheet)), pages) for pages, sheet in numbered(made, paper))
    said = []
    for group in {tuple(group): None for group in _forms(drawn).values()}:
        own = {name: [page for pages in alone.get((name,), ()) for page in pages] for name in group}
        if not any(own.values()):
            continue
        forms = [
            words("{name}, {pages}", name=titles[name], pages=_page_words(ranges(pages), words)) if pages else titles[name]
            for name, pages in sorted(own.items(), key=lambda each: each[1] or [math.inf])
        ]
        said.append(words("One of these is enough for a game: {names}.", names=words("; or ").join(forms)))
    return literally(rounded(" ".join(said)))


def covers_of(
    drawn: Drawn,
    book: Book,
    laid: Mapping[Paper, Sequence[AnySheet]],
    printed: Mapping[Paper, Sequence[Page]],
    editions: Sequence[Edition],
    options: Options,
) -> dict[Paper, list[Page]]:
    """The plan for each readable paper, with books and estimates; ``printed``: the sides of what is laid out."""
    inks = face_inks(drawn, book)
    covers = {}
    for paper, made in ((paper, made) for paper, made in laid.items() if paper.readable):
        shown = [page_ink(page, inks) for page in printed[paper]]
        taken = estimate(shown, sheet_runs(made, paper), paper, options.price)
        own = [edition for edition in editions if edition.paper == paper]
        covers[paper] = with_labels_set(drawn, cover(drawn, paper, made, options, own, taken))
    return covers


def _full(face: Face, side: Side) -> PlacedFace:
    return PlacedFace(face, PICTURE, side, IDENTITY, face.trim)


def sheet_runs(made: Sequence[AnySheet], paper: Paper) -> list[SheetRun]:
    """The runs of sheets in the order of a file, with their paper."""
    found = []
    for _, own in groupby(made, key=lambda sheet: id(sheet.run)):
        sheets = list(own)
        sheet = sheets[0]
        title, weight = sheet.run.title, PLAIN_WEIGHT
        if isinstance(sheet, ShownSheet):
            title = capital(sheet.note(ENGLISH))
        else:
            weight = max(_weight(deck.component) for deck in sheet.run.decks)
        found.append(SheetRun(title, sheet.paper, weight, len(sheets), sum(map(sides, sheets))))
    return found


def _weight(component: Component) -> int:
    """The weight of its paper in g/m²; the middle of the range in the paper's name when the typed one is outside."""
    if (said := grams(component.paper)) is None:
        return PLAIN_WEIGHT if component.paper == PLAIN else component.weight
    least, most = said
    return component.weight if least <= component.weight <= most else round((least + most) / 2)
