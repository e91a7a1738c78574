"""The sentences of the print plan that sum up: what printing takes, what it asks for, how long it takes."""

from __future__ import annotations

from collections.abc import Sequence

from pnp.flows.weights import one_for_several, pounds
from pnp.lay.effort import effort, time_said
from pnp.lay.sheet import AnySheet, PosterSheet, Sheet
from pnp.lay.tools import by_machine
from pnp.sandbox.markup import literally
from pnp.shapes.units import show
from pnp.values.game import MARGIN, Paper
from pnp.values.outcome import CutFiles
from pnp.values.problems import listed
from pnp.write.ink import Estimate

# Pieces to throw away that the plan names.
MOST_GONE = 3


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


def time_in_words(made: Sequence[AnySheet], machine: CutFiles = "") -> str:
    """How long cutting by hand, folding and gluing take, for the plan; "" where there is nothing to do."""
    cutting = effort(sheet for sheet in made if not by_machine(sheet, machine)).cutting
    by_hand = " by hand" if machine else ""
    times = [(f"cutting{by_hand}", time_said(cutting)), ("folding and gluing", time_said(effort(made).gluing))]
    said = ", ".join(f"{what} takes about {length}" for what, length in times if length)
    return f"{said[0].upper()}{said[1:]}." if said else ""


def machine_in_words(made: Sequence[AnySheet], machine: CutFiles) -> str:
    """How much of it a machine cuts; "" for nothing."""
    cut = [sheet for sheet in made if isinstance(sheet, Sheet | PosterSheet)]
    own = sum(by_machine(sheet, machine) for sheet in cut)
    if not own:
        return ""
    if own == len(cut):
        return "A machine cuts all sheets." if own > 1 else "A machine cuts the sheet."
    return f"A machine cuts {own} of the {len(cut)} sheets with pieces; the others are cut by hand."


def one_paper_in_words(papers: Sequence[str], american: bool) -> str:
    """Which rows, of these papers, can be printed on one although they name several."""
    said = []
    for rows, stuff, least, most in one_for_several(papers):
        weight = f"{least} g/m²" if least == most else f"{least}–{most} g/m²"
        in_pounds = f" ({pounds(least, most)})" if american else ""
        named = in_a_row([str(row + 1) for row in rows])
        said.append(f"{stuff[:1].upper()}{stuff[1:]} of {weight}{in_pounds} does for rows {named}.")
    return " ".join(said)


def in_a_row(names: Sequence[str]) -> str:
    """All of them: "a, b and c"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
