"""From a result to the report that a person reads: which picture belongs to which finding."""

from __future__ import annotations

from pnp import __version__
from pnp.check.registry import HEADINGS, group_of, in_order
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
    """A finding with the piece that it is about, and the text on it."""
    heading = HEADINGS[group_of(problem.rule)]
    face = subject.face(problem.about) if problem.about else None
    if problem.about is None or face is None or face.key not in subject.pictures:
        return FindingShown(problem, heading)
    return FindingShown(problem, heading, subject.pictures[face.key], (face.width, face.height), problem.about.area)
