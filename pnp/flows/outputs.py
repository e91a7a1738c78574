"""What a build can make of a game, in one dict: a new kind of file is a function, or a module, and a line in OUTPUTS."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pnp.flows.books.publish import files_of
from pnp.flows.drawn import face_page, marked_words, slug_of
from pnp.flows.pipeline import Pipeline
from pnp.lay.cuts import cut_sheets
from pnp.lay.impose import needed
from pnp.lay.poster import one_piece
from pnp.values.faces import Face, Page
from pnp.values.game import Paper, Side
from pnp.values.kinds import KINDS
from pnp.values.outcome import Options
from pnp.values.problems import Place

# The picture of a sheet in its cut file: enough to see what is cut.
CUT_DPI = 72


@dataclass(frozen=True, slots=True)
class Made:
    """A file: its name below the game's folder, what is in it, and what it is of, for whoever finds two of one name."""

    name: str
    data: bytes
    of: str
    place: Place


@dataclass(frozen=True, slots=True)
class Output:
    """One kind of files that a build makes."""

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
    """Everything in one file for each paper, and each component alone."""
    assert made.game is not None
    for paper, laid in made.laid.items():
        if not laid and made.selection.is_part:
            continue  # a book alone was asked for
        made.tell(f"{made.name}: printing on {paper.name}, sheets: {len(laid)}")
        pages = [*made.plans.get(paper, ()), *made.printed[paper]]
        pdf = made.pdf(pages, needed(made.options.backs, laid), "all sheets", paper)
        yield Made(f"{paper.name}/print.pdf", pdf, "all sheets", made.game.place_of("game"))
        for deck in made.alone:
            own = made.with_shown([deck], paper)
            component = deck.component
            if shown := made.pages(own, paper):
                pdf = made.pdf(shown, needed(made.options.backs, own), component.title, paper)
                yield Made(f"{paper.name}/{component.name}.pdf", pdf, f'the component "{component.name}"', component.place)


def _cut_files(made: Pipeline) -> Iterator[Made]:
    """For each sheet with pieces to cut: ``cut/sheet-03.svg`` and ``.dxf``, numbered as in the print file."""
    from pnp.write.cutfiles import cut_dxf, cut_svg
    from pnp.write.png import render

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
    """Boards uncut, for a copy shop that prints large."""
    assert made.game is not None
    for deck in made.alone:
        component = deck.component
        # Of a draft a board may be missing.
        if KINDS[component.kind].parted and deck.pieces:
            words = marked_words(made.game)
            said = (slug_of(made.game, made.printing), component.title, words("one piece"), words("print at 100 %"))
            pdf = made.pdf(
                [one_piece(piece, " · ".join(said), words("One piece")) for piece in deck.pieces], "none", component.title
            )
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
    """Faces as files, in the kind that was asked for."""
    options = made.options
    assert made.drawn is not None
    if options.faces == "svg":
        from pnp.draw.outlines import text_outlines
        from pnp.write.svg import face_svg

        outlines = text_outlines(made.drawn.studio.layers(), made.drawn.studio.tools.fonts)
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
    """Every file that was asked for, by its name; two of one name are a Problem. Only where the game can be set."""
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
    """Below which names a build takes away what an earlier one left: other papers stay, and faces that were not asked for.

    "" is the game's folder itself.
    """
    return ("", "one-piece", *(paper.name for paper in papers), *(("faces",) if options.faces else ()))
