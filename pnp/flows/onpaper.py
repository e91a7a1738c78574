"""What is on paper of a game: told apart by its look, written down by ``pnp printed``, and what is missing of the game.

What counts is what is seen. A digest is made of a piece's picture, so that a template may be written anew, and the same
digest comes of the same ink whatever pnp remembers of earlier builds, and of a file that was built before.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pnp.flows.drawn import Drawn, face_page
from pnp.flows.pictures import pictures
from pnp.lay.picture import PLAN
from pnp.read.onpaper import RULE, read_on_paper
from pnp.read.project import Project
from pnp.system.cache import digest
from pnp.values.faces import Book, Deck, Face, Piece
from pnp.values.game import Game, Side
from pnp.values.onpaper import COLUMNS, PRINTED, Key, OnPaper, Stock
from pnp.values.outcome import Options
from pnp.values.problems import Place, Problems

# Enough to see a dot of a tenth of a millimetre as a shade.
DPI = 100
LETTERS = 16
SIDES: tuple[Side, ...] = ("front", "back")


@dataclass(frozen=True, slots=True)
class Difference:
    """What a game wants otherwise than it is on paper."""

    copies: tuple[tuple[str, int], ...]
    """Pieces that are missing, as ``component/id``, and how many."""
    gone: tuple[str, ...]
    """What is to be thrown away, in words."""


def difference(
    project: Project, drawn: Drawn, book: Book, options: Options, wanted: Mapping[str, Mapping[str, int]], problems: Problems
) -> Difference | None:
    """What of the wanted pieces is not on paper as it is now; None where what is on paper is not known, which is told."""
    path, there = kept(project, drawn.game, problems)
    if there is None:
        hint = f"Say what is on paper: pnp printed {drawn.game.name}."
        problems.error("nothing-printed", Place(project.shown(path)), "nobody has said what was printed yet", hint=hint)
    # What cannot be drawn is still in the game: nobody is told to throw it away.
    if there is None or problems.errors:
        return None
    now = as_drawn(drawn, book, drawn.decks, options)
    copies: list[tuple[str, int]] = []
    gone: list[str] = []
    # A component that was not chosen stays as it is on paper.
    named = {*wanted} if options.selection.only else {*wanted, *(component for component, _ in there)}
    for (component, piece), entry in there.items():
        if component in named and (component, piece) not in now:
            gone.append(f"{component}/{piece} ({entry.copies})")
            _throw(entry, f"{component}/{piece}", entry.copies, "is no longer in the game", problems)
    for component, own in wanted.items():
        for piece, count in own.items():
            key = component, piece
            old = there.get(key)
            have = old.copies if old is not None and key in now and old.is_like(now[key]) else 0
            if count > have:
                copies.append((f"{component}/{piece}", count - have))
            elif old is not None and have > count:
                gone.append(f"{component}/{piece} ({have - count})")
                _throw(old, f"{component}/{piece}", have - count, f"is on paper {have} ×, and needed {count} ×", problems)
    return Difference(tuple(copies), tuple(gone))


def _throw(entry: OnPaper, name: str, count: int, why: str, problems: Problems) -> None:
    assert entry.place is not None, "it was read from a file"
    what = "1 copy" if count == 1 else f"{count} copies"
    problems.warn("throw-away", entry.place, f"{name} {why}", value=name, hint=f"Throw away {what} of it.")


def as_drawn(drawn: Drawn, book: Book, decks: Sequence[Deck], options: Options) -> dict[Key, OnPaper]:
    """The pieces of decks as they would be printed; without backs where none are."""
    faces: dict[object, tuple[Face, Side]] = {}
    for deck in decks:
        for piece in deck.pieces:
            for side in _sides(piece, options):
                face = piece.side(side)
                if face is not None:
                    faces.setdefault(face.look, (face, side))
    pages = [face_page(face, side, True) for face, side in faces.values()]
    looks = dict(zip(faces, map(_look_of, pictures(drawn, pages, book, DPI) if pages else []), strict=True))
    found: dict[Key, OnPaper] = {}
    for deck in decks:
        by_id: dict[str, list[Piece]] = {}
        for piece in deck.pieces:
            by_id.setdefault(piece.id, []).append(piece)
        for name, parts in by_id.items():
            fronts = [looks[part.front.look] for part in parts]
            backs = [looks[part.back.look] for part in parts if part.back and "back" in _sides(part, options)]
            cut = _joined([part.front.cut for part in parts], 8)
            entry = OnPaper(parts[0].copies, deck.component.paper, cut, _joined(fronts), _joined(backs))
            found[deck.component.name, name] = entry
    return found


def _sides(piece: Piece, options: Options) -> tuple[Side, ...]:
    return SIDES if piece.back is not None and options.backs != "none" else ("front",)


def _look_of(picture: bytes) -> str:
    """A digest of what is seen of a picture, however it is packed."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        return digest(image.convert("RGB").tobytes(), str(image.size))[:LETTERS]


def _joined(parts: Sequence[str], letters: int = LETTERS) -> str:
    """Of a piece in parts one word for all of them; nothing where one of them is not known."""
    if len(parts) == 1 or not all(parts):
        return parts[0] if len(parts) == 1 else ""
    return digest(*parts)[:letters] if parts else ""


def in_file(data: bytes, name: str) -> dict[Key, OnPaper]:
    """The pieces that lie on a printed file's pages. Raises NotPrinted.

    What a file does not say, because an older pnp made it, is empty: how pieces are cut, and on what they are printed.
    """
    from pnp.write.lifted import lift
    from pnp.write.png import render
    from pnp.write.printed import read_printed

    printed, lifted = read_printed(data, name), lift(data, name)
    looks = [*map(_look_of, render(lifted.pdf, DPI))] if lifted.pages else []
    there = Counter(piece.name for piece in printed.pieces if piece.side == "front")
    parts: dict[Key, list[str]] = {}
    for called, side in lifted.pages:
        component, slash, piece = called.partition(":")[0].partition("/")
        if side == "front" and slash and called != PLAN:
            parts.setdefault((component, piece), []).append(called)
    found: dict[Key, OnPaper] = {}
    for (component, piece), own in parts.items():
        fronts, backs = ([looks[lifted.pages[each, side]] for each in own if (each, side) in lifted.pages] for side in SIDES)
        # Of a board every page shows a part: as many copies are whole as there are of the rarest.
        pages = [count for each, count in there.items() if each.partition(":")[0] == f"{component}/{piece}"]
        cut = _joined([lifted.cuts[each, "front"] for each in own], 8)
        entry = OnPaper(min(pages, default=0), lifted.papers.get(component, ""), cut, _joined(fronts), _joined(backs))
        found[component, piece] = entry
    return {key: entry for key, entry in found.items() if entry.copies}


def together(files: Sequence[Mapping[Key, OnPaper]]) -> dict[Key, OnPaper]:
    """What several files hold: copies that look alike are added, of others the later ones count."""
    found: dict[Key, OnPaper] = {}
    for file in files:
        for key, entry in file.items():
            before = found.get(key)
            more = before.copies if before is not None and before.is_like(entry) else 0
            found[key] = replace(entry, copies=entry.copies + more)
    return found


def as_file(stock: Stock) -> bytes:
    """``printed.csv``, in the order of the names: the same for the same pieces."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for (component, piece), entry in sorted(stock.items()):
        writer.writerow((component, piece, entry.copies, entry.paper, entry.cut, entry.front, entry.back))
    return text.getvalue().encode()


def kept(project: Project, game: Game, problems: Problems) -> tuple[Path, Stock | None]:
    """Where a game keeps what is on paper, and what that is; None where there is no such file.

    A file that is something else is a Problem, and stays as it is.
    """
    path = project.folder(game.name) / PRINTED
    if path.is_symlink() or (path.exists() and not path.is_file()):
        what = "a link" if path.is_symlink() else "no file"
        problems.error(RULE, Place(project.shown(path)), f"it is {what}, and stays as it is", hint="Move it away.")
        return path, {}
    try:
        return path, read_on_paper(path, project.shown(path), problems) or {}
    except FileNotFoundError:
        return path, None
