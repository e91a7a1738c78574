"""Runs ``pnp check`` and ``pnp list``: every rule over tables and drawn pieces, the report, columns as read."""

from __future__ import annotations

from dataclasses import field, replace
from pathlib import Path
from typing import Any

from pnp import __version__
from pnp.check.allow import allowed
from pnp.check.languages import UNFINISHED
from pnp.check.registry import CHECKS, HEADINGS, group_of, in_order
from pnp.dataclass import dataclass
from pnp.draw.cards import check_columns, check_looks, check_templates, check_texts
from pnp.draw.settexts import set_texts, shown_faces
from pnp.flows.drawn import Drawn, Tell, face_page
from pnp.flows.drawn import pictures as made_pictures
from pnp.flows.pipeline import Pipeline, write
from pnp.flows.publish import proofread
from pnp.flows.translate import translations_of
from pnp.lay.grid import TooLarge, parted
from pnp.lay.picture import deck_picture
from pnp.read.project import Project, shipped_templates
from pnp.shapes.affine import scaling, translation
from pnp.system.cache import Cache
from pnp.system.watchdog import at
from pnp.values.faces import Book, Page
from pnp.values.findings import Part, Subject
from pnp.values.game import KINDS, Game, Paper
from pnp.values.outcome import NOWHERE, Options, Result
from pnp.values.problems import Problem, Problems
from pnp.values.tables import NAMING, Table
from pnp.write.html import FindingShown, Letter, PieceShown, report_html


def _finding(problem: Problem, subject: Subject) -> FindingShown:
    heading, about = HEADINGS[group_of(problem.rule)], problem.about
    face = subject.face(about) if about else None
    if about is None or face is None or face.key not in subject.pictures:
        return FindingShown(problem, heading)
    return FindingShown(problem, heading, subject.pictures[face.key], (face.width, face.height), about.area)


# Enough to see the ground behind a text and a frame along a cut.
PICTURE_DPI = 72
# Enough to see whether anything is drawn on a page of a board.
PART_DPI = 12
REPORT = "report.html"
# Pictures of pieces in the report: at most so large, in mm, and so fine.
PORTRAIT, PORTRAIT_DPI = 70.0, 110


def check_game(
    project: Project,
    name: str,
    tell: Tell,
    options: Options = Options(NOWHERE),  # noqa: B008
    draw: bool = True,
    cache: Cache | None = None,
) -> Result:
    """Checks a game: everything that a build would find wrong, and what only proofreading would; ``draw``: the pieces as
    well. Raises NoSuchGame.
    """
    made = Pipeline(project, name, options, Problems(), tell, cache)
    result = Result(name, made.problems)
    with_languages(made)
    prove(made, result, draw, books=True)
    return result


def with_languages(made: Pipeline) -> None:
    """Lets the rules look at all translations of a game that is in its own language."""
    if made.game is not None and made.source is not None and not made.game.printed_in:
        made.source = replace(made.source, translations=translations_of(made.project, made.source, made.problems))


def prove(made: Pipeline, result: Result, draw: bool = True, pictures: bool = True, books: bool = False) -> bool:
    """Applies every rule to a game: to its tables and the texts of its books, then, if ``draw``, to its pieces.

    ``pictures``: also the rules that look at colours, for which faces are pictured. ``books``: also set the books, to
    find what is wrong with them. False where something kept a rule from looking at the pieces.
    """
    if made.game is None:
        return False
    proof = Proof(made.source or made.game, result, made.game, draft=made.options.draft)
    proof.of_tables()
    if made.game.whole:
        proof.shown |= proofread(made.game, made.problems)
    looked = draw and made.drawable
    if draw and made.drawn is not None and made.book is not None:
        looked = not made.problems.errors
        if pictures:
            made.tell(f"{made.name}: looking at the pieces")
        proof.of_pieces(made.drawn, made.book, pictures)
        if books:
            made.published(proof=True)
            result.portraits = {} if made.problems.errors else _portraits(made.drawn, made.book)
    proof.close()
    return looked


def write_report(result: Result, out: Path) -> None:
    """Writes ``report.html`` into the game's folder below ``out``, and adds it to the result. Raises OSError."""
    if (subject := result.subject) is None:
        return
    game = subject.game
    pictures = result.portraits
    components = [
        PieceShown(each.title, each.kind, len(each.table.rows), each.copies, pictures.get(each.name, b""))
        for each in game.components
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
    report = report_html(letter, shipped_templates() / "shared")
    write(result, out, "/".join(filter(None, (result.game, game.printed_in))), {REPORT: report}, "check")


@dataclass(slots=True)
class Proof:
    """Applies rules to one game; closing it puts their findings into the result."""

    game: Game
    """As its author wrote it."""
    result: Result
    spoken: Game
    """In the language that it is printed in."""
    draft: bool = False
    shown: set[Path] = field(default_factory=set)
    """Files of drawings in the game's books."""
    _found: list[Problem] = field(default_factory=list)
    _looked: set[str] = field(default_factory=set)
    """Groups of rules."""
    _pictured: bool = False

    def of_tables(self) -> None:
        """Applies the rules that need no drawing. After faults in reading only counting makes sense."""
        sound = not self.result.problems.errors
        subject = self.result.subject = Subject(self.game)
        for group, check in CHECKS.items():
            if not check.drawn and not check.asked and (sound or check.anyway):
                self._look(group, subject)

    def of_pieces(self, drawn: Drawn, book: Book, pictures: bool) -> None:
        """Applies the rules for set and drawn pieces; those on colours only with ``pictures``."""
        if self.result.problems.errors:
            return
        # Only here all have asked: who counts or previews a game has run no rule that might need a column.
        for name, table in self.spoken.tables.items():
            table.use(self.game.tables[name].used)
        self.game.texts.used.update(self.spoken.texts.used)
        check_columns(self.spoken, self.result.problems)
        check_texts(self.game, drawn.context.templates, self.result.problems)
        check_looks(self.game, self.result.problems)
        check_templates(self.game, drawn.context.templates, self.result.problems)
        decks = tuple(drawn.decks)
        faces = shown_faces(decks)
        shown: dict[str, bytes] = {}
        bled: dict[str, bytes] = {}
        if pictures:
            sides = [face_page(face, side, False) for _, side, face in faces.values()]
            shown = dict(zip(faces, made_pictures(drawn, sides, book, PICTURE_DPI), strict=True))
            first = {
                (piece.component, side): key
                for key, (piece, side, face) in reversed(faces.items())
                if face.bleed and not face.outline and not face.net
            }
            sides = [face_page(faces[key][2], side, True) for (_, side), key in first.items()]
            bled = dict(zip(first.values(), made_pictures(drawn, sides, book, PICTURE_DPI, clear=True), strict=True))
        texts = set_texts(self.spoken, decks, book.fits)
        context = drawn.context
        shapes = (component.shape.resolve() for component in self.spoken.components if component.shape)
        seen = frozenset([*self.shown, *filter(None, context.tools.art.asked.values()), *shapes])
        dpi = PICTURE_DPI if pictures else 0
        stands, parts = tuple(context.stands.values()), _parts(drawn)
        boards = {part.piece.front.key: part.piece.front for part in parts}
        pages = [face_page(face, "front", False) for face in boards.values()]
        parted = dict(zip(boards, made_pictures(drawn, pages, book, PART_DPI), strict=True))
        subject = Subject(
            self.spoken,
            decks,
            texts,
            faces,
            shown,
            dpi,
            bled,
            seen,
            context.templates.personal,
            stands,
            parts,
            parted,
            frozenset(self._found),
        )
        # Art is judged in the colours it was drawn in: lines that run into one in greys are no frames. The deck of a person
        # does not show all there is.
        left = {"art": bool(context.ink), "shown": bool(self.spoken.each)}
        # What [words] and names settle is the wording of the game's own language.
        left |= dict.fromkeys(("words-drawn", "names-drawn", "players-drawn"), bool(self.spoken.spoken))
        for group, check in CHECKS.items():
            if check.drawn and not left.get(group):
                self._look(group, subject)
        self.result.subject = subject

    def close(self) -> None:
        """Removes what the game allows, and reports the rest."""
        known = {rule for check in CHECKS.values() for rule in check.rules}
        unseen = {rule for group, check in CHECKS.items() if group not in self._looked for rule in check.rules}
        if not self._pictured:
            unseen |= {rule for check in CHECKS.values() for rule in check.pictured}
        kept, silenced, unused = allowed(self._found, self.game.rules, known, known - unseen)
        self.result.late = [problem for problem in kept if self.draft and problem.rule in UNFINISHED]
        self.result.problems.extend([*(problem for problem in kept if problem not in self.result.late), *unused])
        self.result.silenced += [(problem, allow.because) for problem, allow in silenced]

    def _look(self, group: str, subject: Subject) -> None:
        check = CHECKS[group]
        step = f"checking {check.heading.lower()} of {self.game.name}"
        at(step)
        report = check.look(subject)
        at(step)  # the brief clock of a claim ends with its rule
        self._looked.add(group)
        self._pictured |= bool(subject.pictures)
        self._found += report.problems
        self.result.shown += [(group, shown) for shown in report.shown]


def _parts(drawn: Drawn) -> tuple[Part, ...]:
    found = []
    for deck in drawn.decks:
        component = deck.component
        for paper in drawn.game.papers if KINDS[component.kind].parted else ():
            try:
                posters = [(piece, parted(paper, component, piece.front)) for piece in deck.pieces]
            except TooLarge:
                continue  # told where it is laid
            laid = [(piece, poster.tiles) for piece, poster in posters if len(poster.tiles) > 1]
            found += [Part(piece, paper.name, tile.label, tile.part) for piece, tiles in laid for tile in tiles]
    return tuple(found)


def _portraits(drawn: Drawn, book: Book) -> dict[str, bytes]:
    pages = []
    shown = [deck for deck in drawn.decks if deck.pieces]
    for deck in shown:
        picture = deck_picture(deck)
        scale = min(1.0, PORTRAIT / max(picture.width, picture.height))
        paper = Paper("portrait", picture.width * scale + 1, picture.height * scale + 1)
        pages.append(Page(paper, tuple(picture.at(translation(0.5, 0.5) @ scaling(scale, scale)))))
    made = made_pictures(drawn, pages, book, PORTRAIT_DPI)
    return {deck.component.name: picture for deck, picture in zip(shown, made, strict=True)}


def list_game(project: Project, name: str, cache: Cache | None = None) -> dict[str, Any]:
    """A game's title, components, tables and columns, and the number of its errors. Raises NoSuchGame."""
    made = Pipeline(project, name, Options(NOWHERE), cache=cache)
    if made.game is None:
        return {"title": None, "components": [], "tables": [], "errors": len(made.problems.errors)}
    # Who asks for a column is known once everything has been drawn and checked.
    prove(made, Result(name, made.problems), pictures=False)
    errors = len(made.problems.errors)
    components = [component.name for component in made.game.components]
    tables = [_listed(table, sure=not errors) for table in made.game.tables.values()]
    return {"title": made.game.title, "components": components, "tables": tables, "errors": errors}


def _listed(table: Table, sure: bool) -> dict[str, Any]:
    """Its columns: the title as typed, None for one that is computed; whether it is used, None where nobody can say."""
    key = table.key or next((column for column in NAMING if column in table.columns), "")
    titles = dict(zip(table.columns, table.titles, strict=False))
    columns = [
        {
            "title": titles.get(name),
            "name": name,
            "taken": table.taken.get(name, "text"),
            "key": name == key,
            "copies": name == table.counted,
            "used": name in table.used if sure else None,
        }
        for name in table.columns
    ]
    return {"name": table.name, "file": table.file, "sheet": table.sheet, "rows": len(table.rows), "columns": columns}
