"""Runs ``pnp build``, ``count``, ``preview``, ``simulate``, ``ink``, ``printed`` and ``calibrate`` for one game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pnp import __version__
from pnp.books.page import BrokenFont
from pnp.dataclass import dataclass
from pnp.flows.check import prove
from pnp.flows.drawn import HOW_TO_PRINT, Tell, face_inks, face_page, marked_words, pictures, slug_of, with_labels_set
from pnp.flows.pipeline import Pipeline, no_such, write
from pnp.flows.plan import sheet_runs
from pnp.flows.print_history import as_drawn, as_file, in_file, kept, together
from pnp.flows.publish import files_of
from pnp.lay.impose import cut_sheets, needed
from pnp.lay.reference_pages import one_piece
from pnp.lay.testpages import LEAST, duplex_test
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.shapes.affine import Calibration
from pnp.system.cache import Cache
from pnp.system.manifest import MANIFEST, as_json, put, put_anew
from pnp.system.paths import Content, chunks, digest_of, plain_bytes
from pnp.values.faces import Face
from pnp.values.game import KINDS, Game, Paper, Side
from pnp.values.languages import ENGLISH
from pnp.values.outcome import NoSuchPart, Options, Result, Stock
from pnp.values.problems import Fault, Place, Problems
from pnp.write.pdf import Document, write_pdf
from pnp.write.png import Estimate, contact_sheet, estimate, page_ink, render, side_by_side
from pnp.write.printed import MOST_BYTES, NotPrinted, read_printed

# The picture of a sheet in its cut file: enough to see what is cut.
CUT_DPI = 72


@dataclass(frozen=True, slots=True)
class Made:
    """A file: its name below the game's folder, its content, and what it shows, in case two have one name."""

    name: str
    content: Content
    of: str
    place: Place

    @property
    def data(self) -> bytes:
        return b"".join(chunks(self.content))


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
    try:
        for name, manual, data in files_of(made.game, made.editions, made.cache):
            yield Made(name, data, f'the book "{manual.name}"', manual.place)
    except BrokenFont as bad:
        made.problems.extend([bad.problem("broken-font", Place(f"content/{made.game.name}/fonts/{bad.value}"))])


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
                pdf = made.parts_of_pdf(shown, needed(made.options.backs, own), component.title, paper)
                yield Made(f"{paper.name}/{component.name}.pdf", pdf, f'the component "{component.name}"', component.place)


def print_file(made: Pipeline, paper: Paper) -> Made:
    """The sheets of a paper in one PDF, the print plan first."""
    assert made.game is not None
    laid = made.laid[paper]
    made.tell(f"{made.name}: printing on {paper.name}, sheets: {len(laid)}")
    pages = [*made.plans.get(paper, ()), *made.printed[paper]]
    pdf = made.parts_of_pdf(pages, needed(made.options.backs, laid), "all sheets", paper)
    return Made(f"{paper.name}/print.pdf", pdf, "all sheets", made.game.place_of("game"))


def _cut_files(made: Pipeline) -> Iterator[Made]:
    """For each sheet with pieces to cut: ``cut/sheet-03.svg`` and ``.dxf``, numbered as in the print file."""
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
    options = made.options
    assert made.drawn is not None
    made.tell(f"{made.name}: writing faces as {options.faces}")
    faces: list[tuple[str, Face, Side, str, Place]] = []
    for deck in made.decks:
        name, place = deck.component.name, deck.component.place
        backs = {piece.back.key: piece.back for piece in deck.pieces if piece.back}
        for piece in deck.pieces:
            part, of = f"-{piece.part}" if piece.part > 1 else "", f'the piece "{piece.id}"'
            faces.append((f"{name}/{piece.id}-front{part}", piece.front, "front", of, place))
            if piece.back and len(backs) > 1:
                faces.append((f"{name}/{piece.id}-back{part}", piece.back, "back", of, place))
        if len(backs) == 1:
            faces += [(f"{name}/back", back, "back", f'the back of "{name}"', place) for back in backs.values()]
    pictures: dict[str, bytes] = {}
    if options.faces == "svg":
        from pnp.draw.layer_pdf import text_outlines
        from pnp.write.vector import face_svg

        outlines = text_outlines(made.drawn.context.layers(), made.drawn.context.tools.fonts)
        pictures = {face.key: face_svg(face, outlines, options.face_bleed) for _, face, *_ in faces}
    elif faces:  # of a draft all may be missing
        pages = {face.key: face_page(face, side, options.face_bleed) for _, face, side, *_ in faces}
        pdf = made.pdf([*pages.values()], "none", "faces")
        pictures = dict(zip(pages, render(pdf, options.dpi), strict=True))
    for name, face, _, of, place in faces:
        yield Made(f"faces/{name}.{options.faces}", pictures[face.key], of, place)


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
        tuple(f"faces/COMPONENT/{name}" for name in ("ID-SIDE.png", "ID-SIDE.svg", "back.png", "back.svg")),
        _faces,
        "--faces",
        lambda options: bool(options.faces),
    ),
}


def made_files(made: Pipeline) -> dict[str, Content]:
    """Every file that was asked for, by name; two of one name are a Problem. Needs a game that can be set."""
    files: dict[str, Content] = {}
    claimed: dict[str, Made] = {}
    for output in OUTPUTS.values():
        for file in output.make(made) if output.asked(made.options) else ():
            # Some file systems take names for the same that differ in large and small letters only.
            first = claimed.setdefault(file.name.casefold(), file)
            if first is not file:
                message = f"{file.of} and {first.of} ({first.place}) would both be printed into {file.name}"
                hint = "Give one of the two another name."
                made.problems.error("double-file", file.place, message, value=file.name, hint=hint)
            files[file.name] = file.content
    return files


def folders_of(papers: Sequence[Paper], options: Options) -> tuple[str, ...]:
    """The folders in which a build replaces an earlier one's files: those of other papers stay, and faces not asked for.

    "" is the game's folder itself.
    """
    return ("", "one-piece", *(paper.name for paper in papers), *(("faces",) if options.faces else ()))


def count_game(project: Project, name: str, options: Options, cache: Cache | None = None) -> Result:
    """Counts the components of a game, or of a selection. Raises NoSuchGame, NoSuchPart."""
    made = Pipeline(project, name, options, cache=cache)
    return Result(name, made.problems, counts=made.counts, together=made.together)


def build_game(project: Project, name: str, options: Options, tell: Tell, cache: Cache | None = None) -> Result:
    """Builds a game into ``options.out/name``. Writes nothing when something is wrong. Raises NoSuchGame, NoSuchPart,
    OSError.

    ``cache`` keeps what was set and pictured for the next build.
    """
    made = Pipeline(project, name, options, Problems(), tell, cache)
    result = Result(name, made.problems)
    _ = made.chosen  # what is not there is told before anything is drawn
    prove(made, result, pictures=False)
    put_files(made, result, name)
    result.problems.extend(result.late)
    return result


def put_files(made: Pipeline, result: Result, folder: str) -> None:
    """Makes all files of a game that was checked, and writes them where nothing is wrong with it, or for a draft."""
    options = made.options

    def stopped() -> bool:
        return bool(made.problems.errors) and not options.draft

    # Not even a draft can be made without fonts or for no paper.
    if stopped() or made.book is None or not made.papers:
        return
    if options.draft:
        made.tell(f"{made.name}: a draft, whatever is wrong with it")
    if made.selection.copies == () and not stopped():
        result.said = "nothing has changed since it was printed, so there is nothing to print"
        return
    _ = made.plans, made.set_all()
    if options.draft and made.game is not None and options.selection.is_whole:
        there = {edition.manual.name for edition in made.editions}
        for manual in made.game.manuals:
            if manual.name not in there:
                message = f"the draft is without the book {manual.name}: something is wrong with a book"
                made.problems.warn("book-left-out", Place(manual.file), message, value=manual.name)
    if stopped():
        return
    files = made_files(made)
    if stopped():
        return
    result.counts = made.counts
    files[MANIFEST] = as_json(manifest_of(made, files))
    write(result, options.out, options.where(folder), files, "build", folders_of(made.papers, options))


def preview(
    project: Project,
    name: str,
    options: Options,
    component: str | None = None,
    wanted: str | None = None,
    cache: Cache | None = None,
) -> Result:
    """Pictures the faces of a component, or of each, or both sides of one piece.

    Raises NoSuchGame, NoSuchPart, OSError.
    """
    made = Pipeline(project, name, options, cache=cache)
    result = Result(name, made.problems)
    if made.drawn is None:
        return result
    decks = [deck for deck in made.decks if component in (None, deck.component.name)]
    found = {deck.component.name: [piece for piece in deck.pieces if wanted in (None, piece.id)] for deck in decks}
    if not any(found.values()) and made.problems.errors:
        return result
    if not decks:
        of = next((deck.component.name for deck in made.decks if component in {piece.id for piece in deck.pieces}), "")
        meant = f"Write {of} {component}." if of else ""
        raise no_such("component", str(component), [deck.component.name for deck in made.decks], meant)
    if not any(found.values()):
        raise no_such(f"piece of {component} with the id", str(wanted), [piece.id for piece in decks[0].pieces])
    if made.book is None:
        return result
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
            files[file] = contact_sheet(pictures(made.drawn, pages, made.book, options.dpi))
    write(result, options.out, options.where(name), files, "preview")
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


def manifest_of(made: Pipeline, files: Mapping[str, Content]) -> dict[str, Any]:
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
        "files": {
            name: {"bytes": sum(map(len, chunks(content))), "sha256": digest_of(content)}
            for name, content in sorted(files.items())
        },
    }


def simulate(
    project: Project,
    name: str,
    options: Options,
    kind: str,
    component: str | None,
    wanted: tuple[int, int] | None,
    tell: Tell,
    cache: Cache | None = None,
) -> Result:
    """Writes pictures of pages as such eyes see them into the folder ``simulate``: all, or a range.

    The pages are those of ``print.pdf``, or of a component's own file. Raises NoSuchGame, NoSuchPart, OSError.
    """
    made = Pipeline(project, name, options, Problems(), tell, cache)
    result = Result(name, made.problems)
    if made.drawn is None:
        return result
    if not (decks := [deck for deck in made.decks if component in (None, deck.component.name)]):
        raise no_such("component", str(component), [deck.component.name for deck in made.decks])
    if made.problems.errors or not made.papers:
        return result
    paper = made.papers[0]
    # What does not fit another paper is nobody's business here.
    made.options = replace(made.options, papers=(paper,))
    shown = made.laid[paper] if component is None else made.with_shown(decks, paper)
    if made.book is None or made.problems.errors:
        return result
    # Only who looks at the plan waits for the books that it names.
    books = made.editions if component is None and (wanted is None or wanted[0] <= 2) else []
    front = made.planned(books).get(paper, []) if component is None else []
    if made.problems.errors:
        return result
    printed = [*front, *made.pages(shown, paper)]
    file = f"{component or 'print'}.pdf"
    first, last = wanted or (1, len(printed))
    if first > len(printed):
        raise NoSuchPart(f"there is no page {first}: {file} on {paper.name} has {len(printed)}")
    chosen = printed[first - 1 : last]
    tell(f"{name}: simulating {kind}, pages: {len(chosen)}")
    pictures = render(made.pdf(chosen, needed(options.backs, shown), "simulation"), options.dpi)
    files = {
        f"simulate/{kind}-{number:02}.png": side_by_side(picture, kind, f"{file}, {paper.name}, page {number}")
        for number, picture in enumerate(pictures, first)
    }
    write(result, options.out, name, files, "simulate")
    return result


def ink(
    project: Project, name: str, options: Options, sheet_price: float, tell: Tell, cache: Cache | None = None
) -> tuple[Result, Estimate | None]:
    """Estimates what the sheets of a game take; empty for a faulty game. Raises NoSuchGame."""
    made = Pipeline(project, name, options, Problems(), tell, cache)
    result = Result(name, made.problems)
    if made.drawn is None or not made.papers:
        return result, None
    paper = made.papers[0]
    made.options = replace(made.options, papers=(paper,))
    if not made.drawable or made.book is None or made.problems.errors:
        return result, None
    printed = made.printed[paper]
    tell(f"{name}: measuring ink, pages: {len(printed)}")
    faces = face_inks(made.drawn, made.book)
    inks = [page_ink(page, faces) for page in printed]
    return result, estimate(inks, sheet_runs(made.laid[paper], paper), paper, options.price, sheet_price)


def printed_game(project: Project, name: str, options: Options, tell: Tell, cache: Cache | None = None) -> Result:
    """Records that the game, or a selection of it, is on paper as it is now. What is not selected keeps its record.
    Raises NoSuchGame, NoSuchPart, OSError.
    """
    made = Pipeline(project, name, options, Problems(), tell, cache)
    result = Result(name, made.problems)
    _ = made.chosen
    if made.part is None or made.book is None or made.game is None or made.problems.errors:
        return result
    now = as_drawn(made.part, made.book, made.decks, options)
    selected = {(deck.component.name, piece.id) for deck in made.decks for piece in deck.pieces}
    _put(project, made.game, now, result, selected if options.selection.is_part else None)
    return result


def printed_files(project: Project, name: str, files: Sequence[Path]) -> Result:
    """Records that exactly the pieces on these files' pages are on paper.

    Raises NoSuchGame, NotPrinted, OSError.
    """
    result = Result(name, Problems())
    found = []
    for path in files:
        data = plain_bytes(path, MOST_BYTES)
        said = read_printed(data, path.name).game
        if said != name:
            raise NotPrinted(f"{path.name} is of {said}, and not of {name}" if said else f"{path.name} was not made by pnp")
        found.append(in_file(data, path.name))
        if not found[-1]:
            raise NotPrinted(f"{path.name} has no pieces on its pages that pnp could tell apart")
    game = read_game(project, name, result.problems)
    if game is not None and not result.problems.errors:
        _put(project, game, together(found), result, None)
    return result


def _put(project: Project, game: Game, now: Stock, result: Result, selected: set[tuple[str, str]] | None) -> None:
    path, before = kept(project, game, result.problems)
    if result.problems.errors:
        return
    others = {} if selected is None else {key: entry for key, entry in (before or {}).items() if key not in selected}
    stock = {**others, **now}
    put_anew(path, as_file(stock))
    result.files = [path]
    result.said = f"{sum(entry.copies for entry in stock.values())} pieces of {len(stock)} designs are on paper"
