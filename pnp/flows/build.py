"""Runs ``pnp build``, ``count``, ``preview`` and ``calibrate`` for one game, and makes every kind of output file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pnp import __version__
from pnp.dataclass import dataclass
from pnp.flows.check import prove
from pnp.flows.drawn import HOW_TO_PRINT, Tell, face_page, marked_words, pictures, slug_of, with_labels_set
from pnp.flows.output import write
from pnp.flows.pipeline import Pipeline
from pnp.flows.publish import files_of
from pnp.flows.selected import no_such
from pnp.lay.impose import cut_sheets, needed
from pnp.lay.reference_pages import one_piece
from pnp.lay.testpages import LEAST, duplex_test
from pnp.read.project import Project
from pnp.shapes.affine import Calibration
from pnp.system.cache import Cache
from pnp.system.manifest import MANIFEST, as_json, put
from pnp.system.paths import digest_of
from pnp.values.faces import Face, Page
from pnp.values.game import KINDS, MARGIN, Backs, Ink, Paper, Side
from pnp.values.languages import ENGLISH
from pnp.values.outcome import NOWHERE, WHOLE, Options, Result, Selection
from pnp.values.problems import Fault, Place, Problems
from pnp.write.pdf import Document, write_pdf

# The picture of a sheet in its cut file: enough to see what is cut.
CUT_DPI = 72


@dataclass(frozen=True, slots=True)
class Made:
    """A file: its name below the game's folder, its content, and what it shows, in case two have one name."""

    name: str
    data: bytes
    of: str
    place: Place


@dataclass(frozen=True, slots=True)
class Output:
    """A kind of files that a build makes."""

    says: str
    """What they are, in words for a person."""
    files: tuple[str, ...]
    """Patterns of their names."""
    make: Callable[[Pipeline], Iterator[Made]]
    option: str = ""
    """The option of ``pnp build`` that asks for them; without one they are always made."""
    asked: Callable[[Options], bool] = lambda options: True


def _books(made: Pipeline) -> Iterator[Made]:
    assert made.game is not None
    for name, manual, data in files_of(made.game, made.editions, made.cache):
        yield Made(name, data, f'the book "{manual.name}"', manual.place)


def _sheets(made: Pipeline) -> Iterator[Made]:
    """``print.pdf`` for each paper, and a PDF for each component."""
    for paper, laid in made.laid.items():
        if not laid and made.selection.is_part:
            continue  # a book alone was asked for
        yield print_file(made, paper)
        for deck in made.alone:
            own = made.with_shown([deck], paper)
            component = deck.component
            # A game of one component has its pages already.
            if shown := made.printed[paper] if own == laid else made.pages(own, paper):
                pdf = made.pdf(shown, needed(made.options.backs, own), component.title, paper)
                yield Made(f"{paper.name}/{component.name}.pdf", pdf, f'the component "{component.name}"', component.place)


def print_file(made: Pipeline, paper: Paper) -> Made:
    """The sheets of a paper in one PDF, the print plan first."""
    assert made.game is not None
    laid = made.laid[paper]
    made.tell(f"{made.name}: printing on {paper.name}, sheets: {len(laid)}")
    pages = [*made.plans.get(paper, ()), *made.printed[paper]]
    pdf = made.pdf(pages, needed(made.options.backs, laid), "all sheets", paper)
    return Made(f"{paper.name}/print.pdf", pdf, "all sheets", made.game.place_of("game"))


def _cut_files(made: Pipeline) -> Iterator[Made]:
    """For each sheet with pieces to cut: ``cut/sheet-03.svg`` and ``.dxf``, numbered as in the print file."""
    from pnp.write.png import render
    from pnp.write.vector import cut_dxf, cut_svg

    assert made.game is not None
    kind, place = made.options.cut, made.game.place_of("game")
    for paper, laid in made.laid.items():
        cut, called = cut_sheets(laid, paper, made.options.cutting, made.options.perforate), made.numbers(paper)
        # A board alone, or copies of nothing, leave no sheet to cut; a PDF of no pages cannot be pictured.
        if cut and kind != "dxf":
            fronts = [page for page in made.printed[paper] if page.side == "front"]
            pictures = render(made.pdf([fronts[sheet.number - 1] for sheet in cut], "none", "cut files"), CUT_DPI)
            for sheet, picture in zip(cut, pictures, strict=True):
                name = f"{paper.name}/cut/sheet-{called[sheet.number - 1]:02}.svg"
                yield Made(name, cut_svg(sheet, picture), "cut files", place)
        for sheet in cut if kind != "svg" else ():
            yield Made(f"{paper.name}/cut/sheet-{called[sheet.number - 1]:02}.dxf", cut_dxf(sheet), "cut files", place)


def _one_pieces(made: Pipeline) -> Iterator[Made]:
    """Boards uncut, for a shop that prints large formats."""
    assert made.drawn is not None
    for deck in made.alone:
        component = deck.component
        # Of a draft a board may be missing.
        if KINDS[component.kind].parted and deck.pieces:
            words = marked_words(made.drawn)
            said = (slug_of(made.drawn, made.printing), component.title, words("one piece"), words("print at 100 %"))
            boards = [one_piece(piece, " · ".join(said), words("One piece")) for piece in deck.pieces]
            pdf = made.pdf(with_labels_set(made.drawn, boards), "none", component.title)
            yield Made(f"one-piece/{component.name}.pdf", pdf, f'the board "{component.name}"', component.place)


def _faces(made: Pipeline) -> Iterator[Made]:
    """Every face: ``faces/COMPONENT/ID-front.png``; a deck's one back is ``back.png``."""
    kind = made.options.faces
    made.tell(f"{made.name}: writing faces as {kind}")
    faces: list[tuple[str, Face, Side, str, Place]] = []
    for deck in made.decks:
        shared = len({piece.back.key for piece in deck.pieces if piece.back}) == 1
        backs: set[str] = set()
        for piece in deck.pieces:
            folder, place = f"faces/{deck.component.name}", deck.component.place
            part = f"-{piece.part}" if piece.part > 1 else ""
            faces.append((f"{folder}/{piece.id}-front{part}.{kind}", piece.front, "front", f'the piece "{piece.id}"', place))
            if piece.back and not (shared and backs):
                name = "back" if shared else f"{piece.id}-back{part}"
                of = f'the back of "{deck.component.name}"' if shared else f'the piece "{piece.id}"'
                faces.append((f"{folder}/{name}.{kind}", piece.back, "back", of, place))
                backs.add(name)
    pictures = _pictured(made, [(face, side) for _, face, side, _, _ in faces])
    for (name, _, _, of, place), picture in zip(faces, pictures, strict=True):
        yield Made(name, picture, of, place)


def _pictured(made: Pipeline, faces: Sequence[tuple[Face, Side]]) -> list[bytes]:
    """Faces as files of the asked kind."""
    options = made.options
    assert made.drawn is not None
    if options.faces == "svg":
        from pnp.draw.layer_pdf import text_outlines
        from pnp.write.vector import face_svg

        outlines = text_outlines(made.drawn.context.layers(), made.drawn.context.tools.fonts)
        return [face_svg(face, outlines, options.face_bleed) for face, _ in faces]
    from pnp.write.png import render

    unique = {face.key: face_page(face, side, options.face_bleed) for face, side in faces}
    # Of a draft all may be missing.
    pages: list[Page] = [*unique.values()]
    pictures = dict(zip(unique, render(made.pdf(pages, "none", "faces"), options.dpi), strict=True)) if pages else {}
    return [pictures[face.key] for face, _ in faces]


OUTPUTS: Mapping[str, Output] = {
    "books": Output(
        "rulebooks and reference cards, full size, half size, to fold or cut, and as a page for the screen",
        ("PAPER/BOOK.pdf", "PAPER/BOOK-HALF.pdf", "PAPER/BOOK-booklet.pdf", "PAPER/BOOK-two-up.pdf", "BOOK.html"),
        _books,
    ),
    "sheets": Output(
        "all sheets with the print plan, and each component alone", ("PAPER/print.pdf", "PAPER/COMPONENT.pdf"), _sheets
    ),
    "cut files": Output(
        "a file for a cutting machine for each sheet",
        ("PAPER/cut/sheet-NN.svg", "PAPER/cut/sheet-NN.dxf"),
        _cut_files,
        "--cut",
        lambda options: options.cut_files,
    ),
    "one piece": Output("boards uncut, for a copy shop", ("one-piece/COMPONENT.pdf",), _one_pieces),
    "faces": Output(
        "every face as a picture",
        (
            "faces/COMPONENT/ID-SIDE.png",
            "faces/COMPONENT/ID-SIDE.svg",
            "faces/COMPONENT/back.png",
            "faces/COMPONENT/back.svg",
        ),
        _faces,
        "--faces",
        lambda options: bool(options.faces),
    ),
}


def made_files(made: Pipeline) -> dict[str, bytes]:
    """Every file that was asked for, by name; two of one name are a Problem. Needs a game that can be set."""
    files: dict[str, bytes] = {}
    claimed: dict[str, Made] = {}
    for output in OUTPUTS.values():
        for file in output.make(made) if output.asked(made.options) else ():
            # Some file systems take names for the same that differ in large and small letters only.
            first = claimed.setdefault(file.name.casefold(), file)
            if first is not file:
                made.problems.error(
                    "double-file",
                    file.place,
                    f"{file.of} and {first.of} ({first.place}) would both be printed into {file.name}",
                    value=file.name,
                    hint="Give one of the two another name.",
                )
            files[file.name] = file.data
    return files


def folders_of(papers: Sequence[Paper], options: Options) -> tuple[str, ...]:
    """The folders in which a build replaces an earlier one's files: those of other papers stay, and faces not asked for.

    "" is the game's folder itself.
    """
    return ("", "one-piece", *(paper.name for paper in papers), *(("faces",) if options.faces else ()))


def count_game(
    project: Project,
    name: str,
    paper: Paper | None,
    backs: Backs,
    cache: Cache | None = None,
    margin: float = MARGIN,
    selection: Selection = WHOLE,
) -> Result:
    """Counts the components of a game, or of a selection. Raises NoSuchGame, NoSuchPart."""
    options = Options(NOWHERE, (paper,) if paper else (), backs, margin=margin, selection=selection)
    made = Pipeline(project, name, options, cache=cache)
    return Result(name, made.problems, counts=made.counts, together=made.together)


def build_game(project: Project, name: str, options: Options, tell: Tell, cache: Cache | None = None) -> Result:
    """Builds a game into ``options.out/name``. Writes nothing when something is wrong. Raises NoSuchGame, NoSuchPart,
    OSError.

    ``cache`` keeps what was set and pictured for the next build.
    """
    made = Pipeline(project, name, options, Problems(), tell, cache)
    result = Result(name, made.problems)
    _make(made, result)
    result.problems.extend(result.late)
    return result


def _make(made: Pipeline, result: Result) -> None:
    """Takes all steps of a build, as far as they can be taken."""
    name, options, tell = made.name, made.options, made.tell

    def stopped() -> bool:
        return bool(made.problems.errors) and not options.draft

    _ = made.chosen  # what is not there is told before anything is drawn
    prove(made, result, pictures=False)
    # Not even a draft can be made without fonts or for no paper.
    if made.book is None or not made.papers or stopped():
        return
    if options.draft:
        tell(f"{name}: a draft, whatever is wrong with it")
    if made.selection.copies == () and not stopped():
        result.said = "nothing has changed since it was printed, so there is nothing to print"
        return
    _ = made.editions, made.plans, made.set_all()
    _tell_left_out(made)
    if stopped():
        return
    files = made_files(made)
    if stopped():
        return
    result.counts = made.counts
    files[MANIFEST] = as_json(manifest_of(made, files))
    write(result, options.out, options.where(name), files, "build", folders_of(made.papers, options))


def _tell_left_out(made: Pipeline) -> None:
    """Says of a draft which books are not in it."""
    if not made.options.draft or made.game is None or not made.options.selection.is_whole:
        return
    there = {edition.manual.name for edition in made.editions}
    for manual in made.game.manuals:
        if manual.name not in there:
            message = f"the draft is without the book {manual.name}: something is wrong with a book"
            made.problems.warn("book-left-out", Place(manual.file), message, value=manual.name)


def preview(
    project: Project,
    name: str,
    component: str | None,
    wanted: str | None,
    out: Path,
    dpi: int,
    cache: Cache | None = None,
    ink: Ink = "",
    language: str = "",
) -> Result:
    """Pictures the faces of a component, or of each, or both sides of one piece.

    Raises NoSuchGame, NoSuchPart, OSError.
    """
    from pnp.write.png import contact_sheet

    made = Pipeline(project, name, Options(out, ink=ink, language=language), cache=cache)
    if made.drawn is None:
        return Result(name, made.problems)
    decks = [deck for deck in made.decks if component in (None, deck.component.name)]
    found = {deck.component.name: [piece for piece in deck.pieces if wanted in (None, piece.id)] for deck in decks}
    if not any(found.values()) and made.problems.errors:
        return Result(name, made.problems)
    if not decks:
        raise no_such("component", str(component), [deck.component.name for deck in made.decks])
    if not any(found.values()):
        raise no_such(f"piece of {component} with the id", str(wanted), [piece.id for piece in decks[0].pieces])
    if made.book is None:
        return Result(name, made.problems)
    files = {}
    for shown, pieces in found.items():
        faces: dict[str, tuple[Face, Side]] = {}
        for side in ("front", "back"):
            for piece in pieces:
                if face := piece.side(side):
                    faces.setdefault(face.key, (face, side))
        pages = [face_page(face, side, False) for face, side in faces.values()]
        if pages:
            file = f"preview/{shown}{'' if wanted is None else '-' + wanted}.png"
            files[file] = contact_sheet(pictures(made.drawn, pages, made.book, dpi))
    result = Result(name, made.problems)
    write(result, out, made.options.where(name), files, "preview")
    return result


def calibration_pages(out: Path, papers: Sequence[Paper], calibration: Calibration) -> list[Path]:
    """Writes the duplex test for each paper, below ``out/calibration``. Raises Fault, OSError."""
    for paper in papers:
        if paper.width < LEAST[0] or paper.height < LEAST[1]:
            what = f"{paper.name} has no room for the scales"
            raise Fault(f"{what}. What the test shows on a4 or letter holds for it as well")
    flip = calibration.flip
    document = Document("pnp: duplex test", "", "en", flip, f"pnp-press {__version__}", HOW_TO_PRINT[flip])
    after = "" if flip == "long-edge" else f"-{flip}"
    files = {f"{paper.name}{after}.pdf": write_pdf(duplex_test(paper, calibration), None, document) for paper in papers}
    return put(out, "calibration", files, "calibrate")


def manifest_of(made: Pipeline, files: Mapping[str, bytes]) -> dict[str, Any]:
    """The build's manifest for other programs; without times, so that the same game gives the same bytes."""
    assert made.game is not None
    return {
        "game": made.game.name,
        "title": made.game.title,
        "version": made.game.version,
        "made_by": f"pnp-press {__version__}",
        "backs": made.options.backs,
        **({} if made.selection.is_whole else {"part": made.selection.told(ENGLISH)}),
        "components": [
            {"name": count.name, "kind": count.kind, "different": count.different, "copies": count.copies}
            for count in made.counts
        ],
        "files": {name: {"bytes": len(data), "sha256": digest_of(data)} for name, data in sorted(files.items())},
    }
