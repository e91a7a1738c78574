"""From a result to the report that a person reads: which picture belongs to which finding."""

from __future__ import annotations

import re

from pnp import __version__
from pnp.check.registry import HEADINGS, group_of, in_order
from pnp.shapes.affine import Rect
from pnp.values.findings import Subject
from pnp.values.outcome import Result
from pnp.values.problems import Problem
from pnp.write.report import FindingShown, Letter, PieceShown, report_html


def report_of(result: Result, subject: Subject) -> bytes:
    """The HTML report of a checked game."""
    game = subject.game
    components = [
        PieceShown(
            component.title,
            component.kind,
            len(component.table.rows),
            component.copies,
            result.portraits.get(component.name, b""),
        )
        for component in game.components
    ]
    letter = Letter(
        game.title,
        game.version,
        game.language,
        f"pnp-press {__version__}",
        bool(subject.decks),
        components,
        [_finding(problem, subject) for problem in in_order(result.problems)],
        result.silenced,
        [(HEADINGS[group], shown) for group, shown in result.shown],
    )
    return report_html(letter, game.template_roots)


def _finding(problem: Problem, subject: Subject) -> FindingShown:
    """A finding with the piece that its message names, and the text on it that it quotes."""
    heading = HEADINGS[group_of(problem.rule)]
    for key, (piece, side, face) in subject.faces.items():
        if key not in subject.pictures or not re.search(rf"(?<![\w/-]){re.escape(piece)}(?![\w:-])", problem.message):
            continue
        if ("(back)" in problem.message) != (side == "back"):
            continue
        return FindingShown(
            problem, heading, subject.pictures[key], (face.width, face.height), _box(problem, piece, side, subject)
        )
    return FindingShown(problem, heading)


def _box(problem: Problem, piece: str, side: str, subject: Subject) -> Rect | None:
    """The box of the text that a finding is about, by its name or the text itself."""
    best: tuple[int, Rect | None] = (0, None)
    for text in subject.texts:
        if (text.piece, text.side) != (piece, side):
            continue
        words = " ".join(text.source.split())
        named = bool(text.name) and f'"{text.name}"' in problem.message
        quoted = bool(words) and (f'"{words}"' if len(words) <= 40 else f'"{words[:40]}…"') in problem.message
        # A value may be the start of the text; of a number such as a size in pt that would be chance.
        begun = problem.value[:1].isalpha() and text.source.startswith(problem.value[:40])
        if (fits := 4 * named + 2 * quoted + begun) > best[0]:
            best = fits, text.box
    return best[1]
