"""The sentences of the print plan that sum up: what printing takes, what it asks for, how long it takes."""

from __future__ import annotations

from collections.abc import Sequence

from pnp.flows.weights import one_for_several, pounds
from pnp.lay.effort import effort, time_said
from pnp.lay.sheet import AnySheet, PosterSheet, Sheet, capital
from pnp.lay.tools import by_machine
from pnp.sandbox.markup import literally
from pnp.values.game import MARGIN, Paper
from pnp.values.outcome import CutFiles
from pnp.values.words import Words
from pnp.write.ink import Estimate

# Pieces to throw away that the plan names.
MOST_GONE = 3


def taken_in_words(taken: Estimate, words: Words) -> str:
    """Ink, paper and cost in a line for the plan."""
    if taken.grams >= 950:
        weight = words("{weight} kg", weight=words.number(taken.grams / 1000, 1))
    else:
        weight = words("{weight} g", weight=words.number(taken.grams, 0))
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


def thrown_away(gone: Sequence[str], words: Words) -> str:
    """What on paper is no longer needed, in a sentence for the plan."""
    if not gone:
        return ""
    named = words(", ").join(map(literally, gone[:MOST_GONE]))
    if len(gone) > MOST_GONE:
        named = words.many("{names} … ({count} in all)", "{names} … ({count} in all)", len(gone), names=named)
    return words("No longer needed, throw away: {names}.", names=named)


def reach_in_words(paper: Paper, words: Words) -> str:
    """What the sheets ask of a printer beyond what most of them do; "" where it is nothing."""
    if paper.margin >= MARGIN:
        return ""
    return words("Needs a printer that reaches to {margin} mm of the edge.", margin=words.shown(paper.margin))


def templates_in_words(made: Sequence[AnySheet], words: Words) -> str:
    """Which ready templates the sheets are cut with; "" where there are none."""
    names = dict.fromkeys(sheet.template.name for sheet in made if isinstance(sheet, Sheet) and sheet.template)
    if not names:
        return ""
    return words("Cut cards with templates of silhouette-card-maker: {names}.", names=words(", ").join(names))


def time_in_words(made: Sequence[AnySheet], machine: CutFiles, words: Words) -> str:
    """How long cutting by hand, folding and gluing take, for the plan; "" where there is nothing to do."""
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


def machine_in_words(made: Sequence[AnySheet], machine: CutFiles, words: Words) -> str:
    """How much of it a machine cuts; "" for nothing."""
    cut = [sheet for sheet in made if isinstance(sheet, Sheet | PosterSheet)]
    own = sum(by_machine(sheet, machine) for sheet in cut)
    if not own:
        return ""
    if own == len(cut):
        return words("A machine cuts all sheets.") if own > 1 else words("A machine cuts the sheet.")
    return words.many(
        "A machine cuts {count} of the {all} sheets with pieces; the others are cut by hand.",
        "A machine cuts {count} of the {all} sheets with pieces; the others are cut by hand.",
        own,
        all=len(cut),
    )


def one_paper_in_words(papers: Sequence[str], american: bool, words: Words) -> str:
    """Which rows, of these papers, can be printed on one although they name several."""
    said = []
    for rows, stuff, least, most in one_for_several(papers):
        weight = f"{least} g/m²" if least == most else f"{least}–{most} g/m²"
        in_pounds = f" ({pounds(least, most)})" if american else ""
        named = words.row([str(row + 1) for row in rows])
        told = {"stuff": capital(stuff), "weight": f"{weight}{in_pounds}", "rows": named}
        said.append(words("{stuff} of {weight} does for rows {rows}.", **told))
    return " ".join(said)
