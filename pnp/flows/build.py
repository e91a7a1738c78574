"""The conductor: runs the stages in order and is the only one that writes below ``output/``.

read → draw → lay → write, with check beside; see :mod:`pnp`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pnp import __version__
from pnp.flows.books.publish import files_of, proofread, publish
from pnp.flows.check import Proof
from pnp.flows.pictures import pictures
from pnp.flows.pipeline import (
    HOW_TO_PRINT,
    Drawn,
    Tell,
    book_of,
    counts_of,
    draw_game,
    face_page,
    pages_of,
    pdf_of,
    read_and_draw,
    sheets_of,
    shown_sheets,
    slug_of,
)
from pnp.flows.plan import counts_by_component, covers_of
from pnp.lay.assembly import assembly_sheets
from pnp.lay.calibration import duplex_test
from pnp.lay.cuts import cut_sheets
from pnp.lay.impose import needed
from pnp.lay.poster import one_piece
from pnp.lay.sheet import AnySheet
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.shapes.affine import Calibration
from pnp.system.cache import Cache
from pnp.system.files import MANIFEST, as_json, put
from pnp.system.record import digest_of
from pnp.values.faces import Book, Face, Page
from pnp.values.game import Backs, Paper, Side
from pnp.values.kinds import KINDS
from pnp.values.outcome import Count, Options, Output, Result
from pnp.values.problems import Problems, closest, listed
from pnp.write.pdf import Document, write_pdf

__all__ = [
    "NoSuchPiece",
    "Options",
    "Result",
    "build_game",
    "calibration_pages",
    "count_game",
    "preview",
]

# The picture of a sheet in its cut file: enough to see what is cut.
CUT_DPI = 72


class NoSuchPiece(Exception):
    """A component or piece that the game has not. The text is for the person."""


def count_game(project: Project, name: str, paper: Paper | None, backs: Backs, cache: Cache | None = None) -> Result:
    """The component table of a game. Raises NoSuchGame."""
    problems = Problems()
    drawn = read_and_draw(project, name, problems, lambda _: None, cache=cache)
    if drawn is None or not (drawn.game.papers or paper):
        return Result(name, problems)
    return Result(name, problems, counts=counts_of(drawn, paper or drawn.game.papers[0], backs, problems))


def build_game(project: Project, name: str, options: Options, tell: Tell, cache: Cache | None = None) -> Result:
    """Build a game into ``options.out/name``. Nothing is written when something is wrong. Raises NoSuchGame, OSError.

    ``cache`` keeps what was set and pictured for the next build.
    """
    problems = Problems()
    result = Result(name, problems)
    tell(f"{name}: reading the tables")
    game = read_game(project, name, problems)
    if game is None:
        return result
    game = replace(game, each=dict(options.each))
    proof = Proof(game, result)
    proof.of_tables()
    proofread(game, problems)
    drawn = draw_game(game, problems, tell, options.ink, cache)
    papers = options.papers or game.papers
    laid = {
        paper: sheets_of(drawn, drawn.decks, paper, options.backs, problems, options.cutting) + shown_sheets(drawn)
        for paper in papers
    }
    drawable = not problems.errors
    book = book_of(drawn, problems, tell)
    if book is not None:
        proof.of_pieces(drawn, book, pictures=False)
    proof.close()
    # Not even a draft can be made without fonts or for no paper.
    if book is None or not papers or (problems.errors and not options.draft):
        return result
    if options.draft:
        tell(f"{name}: a draft, whatever is wrong with it")
    counted = {paper: counts_by_component(made, options.backs) for paper, made in laid.items()}
    editions = publish(drawn, book, counted, problems, tell)
    printed = {paper: pages_of(drawn, made, paper, options) for paper, made in laid.items()}
    # What cannot be drawn would be told of the plan once more.
    covers = covers_of(drawn, book, laid, printed, editions, options) if drawable else {}
    book = book_of(drawn, problems, tell, book) or book
    if problems.errors and not options.draft:
        return result
    files = files_of(game, editions, cache)
    for paper, made in laid.items():
        tell(f"{name}: printing on {paper.name}, sheets: {len(made)}")
        backs = needed(options.backs, made)
        files[f"{paper.name}/print.pdf"] = pdf_of(
            drawn, [*covers.get(paper, ()), *printed[paper]], book, backs, "all sheets"
        )
        for deck in drawn.decks:
            own = sheets_of(drawn, [deck], paper, options.backs, problems, options.cutting)
            own += assembly_sheets([deck])
            shown, backs = pages_of(drawn, own, paper, options), needed(options.backs, own)
            if shown:
                files[f"{paper.name}/{deck.component.name}.pdf"] = pdf_of(drawn, shown, book, backs, deck.component.title)
        if options.cut:
            files |= _cut_files(drawn, book, made, printed[paper], paper, options)
    files |= _one_pieces(drawn, book, options)
    if options.faces:
        tell(f"{name}: writing faces as {options.faces}")
        files.update(_face_files(drawn, book, options))
    result.counts = counts_of(drawn, papers[0], options.backs, problems)
    files[MANIFEST] = as_json(_manifest(drawn, files, result.counts, options.backs))
    # Other papers stay as they were, and faces where none were asked for.
    owned = ("", "one-piece", *(paper.name for paper in papers), *(("faces",) if options.faces else ()))
    result.files = put(options.out, options.where(name), files, "build", owned)
    return result


def preview(
    project: Project, name: str, component: str, wanted: str | None, out: Output, dpi: int, cache: Cache | None = None
) -> Result:
    """A picture of a component's faces, or of both sides of one piece. Raises NoSuchGame, NoSuchPiece, OSError."""
    from pnp.write.png import contact_sheet

    problems = Problems()
    drawn = read_and_draw(project, name, problems, lambda _: None, cache=cache)
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
    book = book_of(drawn, problems, lambda _: None)
    if book is None:
        return Result(name, problems)
    faces: dict[str, tuple[Face, Side]] = {}
    for side in ("front", "back"):
        for piece in pieces:
            if face := piece.side(side):
                faces.setdefault(face.key, (face, side))
    pages = [face_page(face, side, False) for face, side in faces.values()]
    file = f"preview/{component}{'' if wanted is None else '-' + wanted}.png"
    picture = contact_sheet(pictures(drawn, pages, book, dpi))
    return Result(name, problems, put(out, name, {file: picture}, "preview"))


def calibration_pages(out: Output, papers: Sequence[Paper], calibration: Calibration) -> list[Path]:
    """The duplex test for each paper, below ``out/calibration``. Raises OSError."""
    document = Document("pnp: duplex test", "", "en", "long-edge", f"pnp-press {__version__}", HOW_TO_PRINT["long-edge"])
    files = {f"{paper.name}.pdf": write_pdf(duplex_test(paper, calibration), None, document) for paper in papers}
    return put(out, "calibration", files, "calibrate")


def _no_such(what: str, name: str, known: Sequence[str]) -> NoSuchPiece:
    return NoSuchPiece(f'there is no {what} "{name}". {closest(name, known) or f"Known: {listed(known)}."}')


def _one_pieces(drawn: Drawn, book: Book, options: Options) -> dict[str, bytes]:
    """Boards uncut, for a copy shop that prints large."""
    files = {}
    for deck in drawn.decks:
        # Of a draft a board may be missing.
        if KINDS[deck.component.kind].parted and deck.pieces:
            slug = f"{slug_of(drawn.game, options)} · {deck.component.title} · one piece · print at 100 %"
            page = one_piece(deck.pieces[0], slug)
            files[f"one-piece/{deck.component.name}.pdf"] = pdf_of(drawn, [page], book, "none", deck.component.title)
    return files


def _cut_files(
    drawn: Drawn, book: Book, made: Sequence[AnySheet], printed: Sequence[Page], paper: Paper, options: Options
) -> dict[str, bytes]:
    """For each sheet with pieces to cut: ``cut/sheet-03.svg`` and ``.dxf``, numbered as in the print file."""
    from pnp.write.cutfiles import cut_dxf, cut_svg
    from pnp.write.png import render

    files: dict[str, bytes] = {}
    cut = cut_sheets(made, paper, options.cutting)
    # A board alone, or copies of nothing, leave no sheet to cut; a PDF of no pages cannot be pictured.
    if cut and options.cut != "dxf":
        fronts = [page for page in printed if page.side == "front"]
        shown = [fronts[sheet.number - 1] for sheet in cut]
        pictures = render(pdf_of(drawn, shown, book, "none", "cut files"), CUT_DPI)
        files |= {
            f"{paper.name}/cut/sheet-{sheet.number:02}.svg": cut_svg(sheet, picture)
            for sheet, picture in zip(cut, pictures, strict=True)
        }
    if options.cut != "svg":
        files |= {f"{paper.name}/cut/sheet-{sheet.number:02}.dxf": cut_dxf(sheet) for sheet in cut}
    return files


def _face_files(drawn: Drawn, book: Book, options: Options) -> dict[str, bytes]:
    """Every face as a file: ``faces/COMPONENT/ID-front.png``; a deck's one back is ``back.png``."""
    named: dict[str, tuple[Face, Side]] = {}
    for deck in drawn.decks:
        shared = len({piece.back.key for piece in deck.pieces if piece.back}) == 1
        for piece in deck.pieces:
            folder = f"faces/{deck.component.name}"
            part = f"-{piece.part}" if piece.part > 1 else ""
            named[f"{folder}/{piece.id}-front{part}.{options.faces}"] = (piece.front, "front")
            if piece.back:
                name = "back" if shared else f"{piece.id}-back{part}"
                named[f"{folder}/{name}.{options.faces}"] = (piece.back, "back")
    if options.faces == "svg":
        from pnp.draw.outlines import text_outlines
        from pnp.write.svg import face_svg

        outlines = text_outlines(drawn.studio.layers(), drawn.studio.tools.fonts)
        return {name: face_svg(face, outlines, options.face_bleed) for name, (face, _) in named.items()}
    from pnp.write.png import render

    # Of a draft all may be missing.
    if not named:
        return {}
    unique = {face.key: (face, side) for face, side in named.values()}
    pdf = pdf_of(drawn, [face_page(face, side, options.face_bleed) for face, side in unique.values()], book, "none", "faces")
    pictures = dict(zip(unique, render(pdf, options.dpi), strict=True))
    return {name: pictures[face.key] for name, (face, _) in named.items()}


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
