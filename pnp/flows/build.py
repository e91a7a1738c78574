"""The conductor of one game: ``pnp build``, ``count``, ``preview`` and ``calibrate``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pnp import __version__
from pnp.flows.check import prove
from pnp.flows.drawn import HOW_TO_PRINT, Tell, face_page
from pnp.flows.outputs import folders_of, made_files
from pnp.flows.pictures import pictures
from pnp.flows.pipeline import Pipeline
from pnp.flows.written import write
from pnp.lay.calibration import LEAST, duplex_test
from pnp.read.project import Project
from pnp.shapes.affine import Calibration
from pnp.system.cache import Cache
from pnp.system.files import MANIFEST, as_json, put
from pnp.system.record import digest_of
from pnp.values.faces import Face
from pnp.values.game import MARGIN, Backs, Paper, Side
from pnp.values.outcome import NOWHERE, Options, OutputFolder, Result
from pnp.values.problems import Problems, closest, listed
from pnp.values.selection import WHOLE, Selection
from pnp.values.words import ENGLISH
from pnp.write.pdf import Document, write_pdf


class NoSuchPiece(Exception):
    """A component or piece that the game has not. The text is for the person."""


class NoRoom(Exception):
    """A paper that is too small for the duplex test. The text is for the person."""


def count_game(
    project: Project,
    name: str,
    paper: Paper | None,
    backs: Backs,
    cache: Cache | None = None,
    margin: float = MARGIN,
    selection: Selection = WHOLE,
) -> Result:
    """The component table of a game, or of what is selected of it. Raises NoSuchGame, NoSuchPart."""
    options = Options(NOWHERE, (paper,) if paper else (), backs, margin=margin, selection=selection)
    made = Pipeline(project, name, options, cache=cache)
    return Result(name, made.problems, counts=made.counts, together=made.together)


def build_game(project: Project, name: str, options: Options, tell: Tell, cache: Cache | None = None) -> Result:
    """Build a game into ``options.out/name``. Nothing is written when something is wrong. Raises NoSuchGame, NoSuchPart,
    OSError.

    ``cache`` keeps what was set and pictured for the next build.
    """
    made = Pipeline(project, name, options, Problems(), tell, cache)
    result = Result(name, made.problems)
    _make(made, result)
    result.problems.extend(result.late)
    return result


def _make(made: Pipeline, result: Result) -> None:
    """All steps of a build, as far as they can be taken."""
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
    if stopped():
        return
    files = made_files(made)
    if stopped():
        return
    result.counts = made.counts
    files[MANIFEST] = as_json(manifest_of(made, files))
    write(result, options.out, options.where(name), files, "build", folders_of(made.papers, options))


def preview(
    project: Project,
    name: str,
    component: str,
    wanted: str | None,
    out: OutputFolder,
    dpi: int,
    cache: Cache | None = None,
) -> Result:
    """A picture of a component's faces, or of both sides of one piece. Raises NoSuchGame, NoSuchPiece, OSError."""
    from pnp.write.png import contact_sheet

    made = Pipeline(project, name, Options(out), cache=cache)
    if made.drawn is None:
        return Result(name, made.problems)
    deck = next((deck for deck in made.decks if deck.component.name == component), None)
    pieces = [piece for piece in deck.pieces if wanted in (None, piece.id)] if deck else []
    if not pieces and made.problems.errors:
        return Result(name, made.problems)
    if deck is None:
        raise _no_such("component", component, [deck.component.name for deck in made.decks])
    if not pieces:
        raise _no_such(f"piece of {component} with the id", str(wanted), [piece.id for piece in deck.pieces])
    if made.book is None:
        return Result(name, made.problems)
    faces: dict[str, tuple[Face, Side]] = {}
    for side in ("front", "back"):
        for piece in pieces:
            if face := piece.side(side):
                faces.setdefault(face.key, (face, side))
    pages = [face_page(face, side, False) for face, side in faces.values()]
    file = f"preview/{component}{'' if wanted is None else '-' + wanted}.png"
    picture = contact_sheet(pictures(made.drawn, pages, made.book, dpi))
    result = Result(name, made.problems)
    write(result, out, name, {file: picture}, "preview")
    return result


def calibration_pages(out: OutputFolder, papers: Sequence[Paper], calibration: Calibration) -> list[Path]:
    """The duplex test for each paper, below ``out/calibration``. Raises NoRoom, OSError."""
    for paper in papers:
        if paper.width < LEAST[0] or paper.height < LEAST[1]:
            what = f"{paper.name} has no room for the scales"
            raise NoRoom(f"{what}. What the test shows on a4 or letter holds for it as well")
    flip = calibration.flip
    document = Document("pnp: duplex test", "", "en", flip, f"pnp-press {__version__}", HOW_TO_PRINT[flip])
    after = "" if flip == "long-edge" else f"-{flip}"
    files = {f"{paper.name}{after}.pdf": write_pdf(duplex_test(paper, calibration), None, document) for paper in papers}
    return put(out, "calibration", files, "calibrate")


def _no_such(what: str, name: str, known: Sequence[str]) -> NoSuchPiece:
    return NoSuchPiece(f'there is no {what} "{name}". {closest(name, known) or f"Known: {listed(known)}."}')


def manifest_of(made: Pipeline, files: Mapping[str, bytes]) -> dict[str, Any]:
    """What was built, for other programs; no clock, so that the same game gives the same file."""
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
