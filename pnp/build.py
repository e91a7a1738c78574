"""The conductor: runs the stages in order and is the only one that writes below ``output/``.

read → draw → lay → write, with check beside; see :mod:`pnp`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pnp import __version__
from pnp.check import expected_counts
from pnp.draw.book import make_book
from pnp.draw.cards import Studio, check_columns, draw_component
from pnp.draw.fonts import check_fonts
from pnp.draw.plan import PlanLine, draw_plan, picture_room
from pnp.geometry import IDENTITY, Rect
from pnp.lay.assembly import assembly_sheets
from pnp.lay.calibration import duplex_test
from pnp.lay.cuts import cut_sheets
from pnp.lay.gallery import plan_pictures
from pnp.lay.grid import TooLarge
from pnp.lay.impose import Press, needed, pages, sheets
from pnp.lay.picture import PLAN
from pnp.lay.poster import one_piece
from pnp.lay.sheet import AnySheet, AssemblySheet, LayoutSheet, Run, Sheet, runs
from pnp.model import Backs, Book, Calibration, Component, Deck, Face, Game, Page, Paper, PlacedFace, Side
from pnp.outputs import MANIFEST, as_json, digest_of, replace_files
from pnp.problems import Problems, closest, listed
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.write.pdf import Document, text_width, unprintable, write_pdf

Tell = Callable[[str], None]


HOW_TO_PRINT: dict[Backs, str] = {
    "long-edge": "Print at 100 %, on both sides, flip on long edge",
    "short-edge": "Print at 100 %, on both sides, flip on short edge",
    "gutterfold": "Print at 100 %, on one side, fold along the dashed line",
    "none": "Print at 100 %, on one side",
}


# The picture of a sheet in its cut file: enough to see what is cut.
CUT_DPI = 72


class NoSuchPiece(Exception):
    """A component or piece that the game has not. The text is for the person."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a person may choose about a build."""

    out: Path
    papers: tuple[Paper, ...] = ()
    """None: the papers of the game itself."""
    backs: Backs = "long-edge"
    calibration: Calibration = field(default_factory=Calibration)
    faces: str = ""
    """"" or png or svg: also every face as a file."""
    dpi: int = 300
    face_bleed: bool = True
    cut: str = ""
    """"" or silhouette, svg or dxf: also files for a cutting machine."""

    @property
    def cutting(self) -> bool:
        """Whether sheets keep room for a machine's registration marks."""
        return self.cut == "silhouette"


@dataclass(slots=True)
class Drawn:
    """A game whose decks are drawn, ready to be laid on any paper."""

    game: Game
    studio: Studio
    decks: list[Deck]


@dataclass(frozen=True, slots=True)
class Count:
    """A line of the component table."""

    kind: str
    name: str
    title: str
    different: int
    copies: int
    sheets: int


@dataclass(slots=True)
class Result:
    """What a build or check of one game came to."""

    game: str
    problems: Problems
    files: list[Path] = field(default_factory=list)
    counts: list[Count] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.problems.errors


def draw_game(project: Project, name: str, problems: Problems, tell: Tell) -> Drawn | None:
    """Read a game and draw its decks; None when nothing can be drawn. Raises NoSuchGame."""
    tell(f"{name}: reading the tables")
    game = read_game(project, name, problems)
    if game is None:
        return None
    if missing := unprintable(f"{game.title}{game.version}"):
        problems.error(
            "unprintable-title",
            game.place_of("game.name"),
            f'the marks on the sheets cannot show "{"".join(missing)}" of the game\'s name or version',
            value="".join(missing),
            hint="Use Latin, Greek or Cyrillic letters for name and version.",
        )
    studio = Studio(game, problems)
    check_fonts(game, studio.tools.fonts, problems)
    tell(f"{name}: drawing, designs: {sum(len(component.table.rows) for component in game.components)}")
    decks = [draw_component(studio, component) for component in game.components]
    problems.extend(expected_counts.check(game))
    if not problems.errors:
        check_columns(game, problems)
    return Drawn(game, studio, decks)


def check_game(project: Project, name: str, tell: Tell) -> Result:
    """Everything that a build would find wrong, without printing. Raises NoSuchGame."""
    problems = Problems()
    drawn = draw_game(project, name, problems, tell)
    if drawn is not None:
        _book(drawn, problems, tell)
        for paper in drawn.game.papers:
            _sheets(drawn, drawn.decks, paper, "long-edge", problems)
    return Result(name, problems)


def count_game(project: Project, name: str, paper: Paper | None, backs: Backs) -> Result:
    """The component table of a game. Raises NoSuchGame."""
    problems = Problems()
    drawn = draw_game(project, name, problems, lambda _: None)
    if drawn is None or not (drawn.game.papers or paper):
        return Result(name, problems)
    return Result(name, problems, counts=_counts(drawn, paper or drawn.game.papers[0], backs, problems))


def build_game(project: Project, name: str, options: Options, tell: Tell) -> Result:
    """Build a game into ``options.out/name``. Nothing is written when something is wrong. Raises NoSuchGame, OSError."""
    problems = Problems()
    drawn = draw_game(project, name, problems, tell)
    if drawn is None:
        return Result(name, problems)
    papers = options.papers or drawn.game.papers
    laid = {
        paper: _sheets(drawn, drawn.decks, paper, options.backs, problems, options.cutting) + _shown(drawn)
        for paper in papers
    }
    # The plan is drawn of a sound game only: what is wrong with the game would be told of the plan once more.
    covers = {} if problems.errors else {paper: _cover(drawn, paper, options.backs, made) for paper, made in laid.items()}
    book = _book(drawn, problems, tell)
    if problems.errors or book is None:
        return Result(name, problems)
    files: dict[str, bytes] = {}
    for paper, made in laid.items():
        tell(f"{name}: printing on {paper.name}, sheets: {len(made)}")
        printed = _pages(drawn, made, paper, options)
        backs = needed(options.backs, made)
        files[f"{paper.name}/print.pdf"] = _pdf(drawn, [*covers[paper], *printed], book, backs, "all sheets")
        for deck in drawn.decks:
            own = [*sheets([Run((deck,))], paper, options.backs, options.cutting), *assembly_sheets([deck])]
            printed, backs = _pages(drawn, own, paper, options), needed(options.backs, own)
            files[f"{paper.name}/{deck.component.name}.pdf"] = _pdf(drawn, printed, book, backs, deck.component.title)
        if options.cut:
            files |= _cut_files(drawn, book, made, paper, options)
    files |= _one_pieces(drawn, book)
    if options.faces:
        tell(f"{name}: writing faces as {options.faces}")
        files.update(_face_files(drawn, book, options))
    counts = _counts(drawn, papers[0], options.backs, problems)
    files[MANIFEST] = as_json(_manifest(drawn, files, counts, options.backs))
    folder = options.out / name
    owned = (*(paper.name for paper in papers), "one-piece", *(("faces",) if options.faces else ()))
    return Result(name, problems, replace_files(folder, files, owned), counts)


def preview(project: Project, name: str, component: str, wanted: str | None, out: Path, dpi: int) -> Result:
    """A picture of a component's faces, or of both sides of one piece. Raises NoSuchGame, NoSuchPiece, OSError."""
    from pnp.write.png import contact_sheet, render

    problems = Problems()
    drawn = draw_game(project, name, problems, lambda _: None)
    if drawn is None:
        return Result(name, problems)
    deck = next((deck for deck in drawn.decks if deck.component.name == component), None)
    pieces = [piece for piece in deck.pieces if wanted in (None, piece.id)] if deck else []
    if not pieces and problems.errors:
        return Result(name, problems)
    if deck is None:
        raise _no_such("component", component, [deck.component.name for deck in drawn.decks])
    if not pieces:
        raise _no_such(f"piece of {component} with the id", str(wanted), [piece.id for piece in deck.pieces])
    book = _book(drawn, problems, lambda _: None)
    if book is None:
        return Result(name, problems)
    faces: dict[str, tuple[Face, Side]] = {}
    for side in ("front", "back"):
        for piece in pieces:
            if face := piece.side(side):
                faces.setdefault(face.key, (face, side))
    pdf = _pdf(drawn, [_face_page(face, side, False) for face, side in faces.values()], book, "none", "preview")
    file = f"preview/{component}{'' if wanted is None else '-' + wanted}.png"
    picture = contact_sheet(render(pdf, dpi))
    return Result(name, problems, replace_files(out / name, {file: picture}, ()))


def calibration_pages(out: Path, papers: Sequence[Paper], calibration: Calibration) -> list[Path]:
    """The duplex test for each paper, below ``out/calibration``. Raises OSError."""
    document = Document("pnp: duplex test", "", "en", "long-edge", f"pnp-press {__version__}", HOW_TO_PRINT["long-edge"])
    files = {f"{paper.name}.pdf": write_pdf(duplex_test(paper, calibration), None, document) for paper in papers}
    return replace_files(out / "calibration", files, ())


def _no_such(what: str, name: str, known: Sequence[str]) -> NoSuchPiece:
    return NoSuchPiece(f'there is no {what} "{name}". {closest(name, known) or f"Known: {listed(known)}."}')


def _book(drawn: Drawn, problems: Problems, tell: Tell) -> Book | None:
    """The book of everything drawn; None when the fonts it needs are not there."""
    if any(problem.rule in ("unknown-font", "broken-font") for problem in problems.errors):
        return None
    layers = drawn.studio.layers()
    tell(f"{drawn.game.name}: setting texts and drawings, layers: {len(layers)}")
    return make_book(layers, drawn.studio.tools.fonts, drawn.studio.origins, problems)


def _sheets(
    drawn: Drawn, decks: Sequence[Deck], paper: Paper, backs: Backs, problems: Problems, cutting: bool = False
) -> list[AnySheet]:
    made: list[AnySheet] = []
    for run in runs(decks):
        try:
            laid = sheets([run], paper, backs, cutting)
            by_hand = [sheet.run.decks[0].component for sheet in laid if isinstance(sheet, Sheet) and sheet.by_hand]
            for component in {component.name: component for component in by_hand}.values():
                _warn_by_hand(component, paper, problems)
            made += laid
        except TooLarge as error:
            component = error.component or run.decks[0].component
            problems.error(
                "piece-too-large",
                component.place,
                f"{error}",
                value=f"{component.width:g} x {component.height:g} mm",
                hint="Choose a larger paper, such as a3 or tabloid.",
            )
    return made


def _warn_by_hand(component: Component, paper: Paper, problems: Problems) -> None:
    problems.warn(
        "cut-by-hand",
        component.place,
        f"a piece of {component.width:g} × {component.height:g} mm is too large for registration marks on {paper.name}: "
        "its sheets have none, and are cut by hand",
        value=component.name,
        hint="Choose a larger paper, or make the piece smaller.",
    )


def _shown(drawn: Drawn) -> list[AnySheet]:
    """After all that is cut: how pieces are folded, and a page for each layout of the game."""
    decks = {deck.component.name: deck for deck in drawn.decks}
    layouts = [LayoutSheet(Run((decks[layout.component],)), layout) for layout in drawn.game.layouts]
    return [*assembly_sheets(drawn.decks), *layouts]


def _pages(drawn: Drawn, made: Sequence[AnySheet], paper: Paper, options: Options) -> list[Page]:
    slug = f"{drawn.game.title} {drawn.game.version}"
    return pages(made, Press(paper, options.backs, options.calibration, slug, text_width, options.cutting))


def _pdf(drawn: Drawn, printed: Sequence[Page], book: Book, backs: Backs, what: str) -> bytes:
    game = drawn.game
    document = Document(
        f"{game.title} {game.version}: {what}",
        game.about.get("designer", ""),
        game.language,
        backs,
        f"pnp-press {__version__}",
        HOW_TO_PRINT[backs],
    )
    return write_pdf(printed, book, document)


def _cover(drawn: Drawn, paper: Paper, backs: Backs, made: Sequence[AnySheet]) -> list[Page]:
    """The print plan and, on its back, how to cut: the first two pages of ``print.pdf``."""
    backs = needed(backs, made)
    per_sheet = 2 if backs in ("long-edge", "short-edge") else 1
    lines = []
    first = 3
    shown = {sheet.run for sheet in made if isinstance(sheet, LayoutSheet | AssemblySheet)}
    titles = {sheet.run: _plan_title(sheet) for sheet in made}
    for run in dict.fromkeys(sheet.run for sheet in made):
        count = sum(1 for sheet in made if sheet.run is run)
        last = first + count * per_sheet - 1
        lines.append(
            PlanLine(
                titles[run],
                "" if run in shown else _plan_copies(run),
                count,
                f"{first}–{last}" if last > first else str(first),
                "plain paper" if run in shown else run.decks[0].component.paper,
                _plan_note(next(sheet for sheet in made if sheet.run is run), backs),
            )
        )
        first = last + 1
    front, back = draw_plan(drawn.studio, paper, backs, lines, len(made))
    pictures = plan_pictures(drawn.decks, picture_room(paper, lines))
    return [
        Page(paper, (_full(front, "front"), *pictures), "front", "What to print"),
        Page(paper, (_full(back, "back"),), "back", "How to print and cut"),
    ]


def _one_pieces(drawn: Drawn, book: Book) -> dict[str, bytes]:
    """Boards uncut, for a copy shop that prints large."""
    files = {}
    for deck in drawn.decks:
        if deck.component.kind == "board":
            slug = f"{drawn.game.title} {drawn.game.version} · {deck.component.title} · one piece · print at 100 %"
            page = one_piece(deck.pieces[0], slug)
            files[f"one-piece/{deck.component.name}.pdf"] = _pdf(drawn, [page], book, "none", deck.component.title)
    return files


def _plan_title(sheet: AnySheet) -> str:
    if isinstance(sheet, LayoutSheet):
        return sheet.layout.title
    if isinstance(sheet, AssemblySheet):
        return "How to fold and glue"
    if sheet.run.nested and len(sheet.run.decks) > 1:
        return ", ".join(f"{deck.copies} {deck.component.title}" for deck in sheet.run.decks)
    return sheet.run.title


def _plan_note(sheet: AnySheet, backs: Backs) -> str:
    """What such a sheet is like; in a file with backs, which sheets have none."""
    return sheet.note if backs == "none" or sheet.way != "none" else f"{sheet.note}, one side"


def _plan_copies(run: Run) -> str:
    if run.nested:
        return str(sum(deck.copies for deck in run.decks))
    return " + ".join(str(deck.copies) for deck in run.decks)


def _cut_files(drawn: Drawn, book: Book, made: Sequence[AnySheet], paper: Paper, options: Options) -> dict[str, bytes]:
    """For each sheet with pieces to cut: ``cut/sheet-03.svg`` and ``.dxf``, numbered as in the print file."""
    from pnp.write.cutfiles import cut_dxf, cut_svg
    from pnp.write.png import render

    files: dict[str, bytes] = {}
    cut = cut_sheets(made, paper, options.cutting)
    if options.cut != "dxf":
        fronts = [page for page in _pages(drawn, made, paper, options) if page.side == "front"]
        shown = [fronts[sheet.number - 1] for sheet in cut]
        pictures = render(_pdf(drawn, shown, book, "none", "cut files"), CUT_DPI)
        files |= {
            f"{paper.name}/cut/sheet-{sheet.number:02}.svg": cut_svg(sheet, picture)
            for sheet, picture in zip(cut, pictures, strict=True)
        }
    if options.cut != "svg":
        files |= {f"{paper.name}/cut/sheet-{sheet.number:02}.dxf": cut_dxf(sheet) for sheet in cut}
    return files


def _full(face: Face, side: Side) -> PlacedFace:
    return PlacedFace(face, PLAN, side, IDENTITY, Rect(0, 0, face.width, face.height))


def _face_page(face: Face, side: Side, bleed: bool) -> Page:
    from pnp.geometry import translation

    around = face.bleed if bleed else 0.0
    area = Rect(0, 0, face.width, face.height).grown(*4 * [around])
    return Page(
        Paper("face", area.width, area.height), (PlacedFace(face, "face", side, translation(around, around), area),), side
    )


def _face_files(drawn: Drawn, book: Book, options: Options) -> dict[str, bytes]:
    """Every face as a file: ``faces/COMPONENT/ID-front.png``; a deck's one back is ``back.png``."""
    named: dict[str, tuple[Face, Side]] = {}
    for deck in drawn.decks:
        shared = len({piece.back.key for piece in deck.pieces if piece.back}) == 1
        for piece in deck.pieces:
            folder = f"faces/{deck.component.name}"
            named[f"{folder}/{piece.id}-front.{options.faces}"] = (piece.front, "front")
            if piece.back:
                name = "back" if shared else f"{piece.id}-back"
                named[f"{folder}/{name}.{options.faces}"] = (piece.back, "back")
    if options.faces == "svg":
        from pnp.draw.outlines import text_outlines
        from pnp.write.svg import face_svg

        outlines = text_outlines(drawn.studio.layers(), drawn.studio.tools.fonts)
        return {name: face_svg(face, outlines, options.face_bleed) for name, (face, _) in named.items()}
    from pnp.write.png import render

    unique = {face.key: (face, side) for face, side in named.values()}
    pdf = _pdf(drawn, [_face_page(face, side, options.face_bleed) for face, side in unique.values()], book, "none", "faces")
    pictures = dict(zip(unique, render(pdf, options.dpi), strict=True))
    return {name: pictures[face.key] for name, (face, _) in named.items()}


def _counts(drawn: Drawn, paper: Paper, backs: Backs, problems: Problems) -> list[Count]:
    result = []
    for deck in drawn.decks:
        component: Component = deck.component
        made = _sheets(drawn, [deck], paper, backs, problems)
        result.append(Count(component.kind, component.name, component.title, deck.designs, deck.copies, len(made)))
    return result


def _manifest(drawn: Drawn, files: dict[str, bytes], counts: Sequence[Count], backs: Backs) -> dict[str, Any]:
    """What was built, for other programs; no clock, so that the same game gives the same file."""
    return {
        "game": drawn.game.name,
        "title": drawn.game.title,
        "version": drawn.game.version,
        "made_by": f"pnp-press {__version__}",
        "backs": backs,
        "components": [
            {"name": count.name, "kind": count.kind, "different": count.different, "copies": count.copies}
            for count in counts
        ],
        "files": {name: {"bytes": len(data), "sha256": digest_of(data)} for name, data in sorted(files.items())},
    }
