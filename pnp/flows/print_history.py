"""Records which pieces are printed, by their look (``pnp printed``), and finds those that have changed since."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pnp.flows.drawn import Drawn, face_page, pictures
from pnp.lay.picture import PLAN
from pnp.read.csvfile import MOST_BYTES, Line, Source, TooLarge, read_csv, within_bounds
from pnp.read.project import Project
from pnp.system.cache import digest
from pnp.values.faces import Book, Deck, Face
from pnp.values.game import Game, Side
from pnp.values.outcome import COLUMNS, PRINTED, Key, OnPaper, Options, Stock
from pnp.values.problems import Place, Problems, listed
from pnp.values.walk import grouped

RULE = "printed-file"
AGAIN = "pnp printed writes it anew: move this one away first."


def read_on_paper(path: Path, shown: str, problems: Problems) -> Stock | None:
    """The pieces on paper; None, with a Problem, for a file of another kind.

    Raises FileNotFoundError, OSError.
    """
    before = len(problems.errors)
    source = Source(path, shown, None, problems)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise TooLarge(f"the file has more than {MOST_BYTES // 1_000_000} MB")
        lines = within_bounds(read_csv(source).lines)
    except TooLarge as error:
        problems.error(RULE, Place(shown), str(error), hint=AGAIN)
        return None
    if len(problems.errors) > before:
        return None
    head = tuple(cell.strip() for cell in lines[0].texts) if lines else ()
    if head != COLUMNS:
        told = f'it begins with "{", ".join(head)[:80]}"' if head else "it is empty"
        message = f"this is not what pnp printed writes: {told}"
        allowed = f"the columns {listed(COLUMNS)}"
        problems.error(RULE, Place(shown, 1), message, value=",".join(head)[:80], allowed=allowed, hint=AGAIN)
        return None
    found: dict[tuple[str, str], OnPaper] = {}
    for line in lines[1:]:
        if (entry := _entry(line, shown, problems)) is None:
            continue
        key = line.texts[0], line.texts[1]
        if key in found:
            place = Place(shown, line.row, "id")
            problems.error(RULE, place, f"{key[0]}/{key[1]} stands here twice", value=key[1], hint="Remove one of the rows.")
        found[key] = entry
    return found if len(problems.errors) == before else None


def _entry(line: Line, shown: str, problems: Problems) -> OnPaper | None:
    if len(line.texts) != len(COLUMNS):
        message = f"this row has {len(line.texts)} cells"
        problems.error(RULE, Place(shown, line.row), message, allowed=f"{len(COLUMNS)} cells", hint=AGAIN)
        return None
    said = dict(zip(COLUMNS, line.texts, strict=True))
    before = len(problems.errors)
    for column, pattern, allowed in (
        ("component", r".+", "a component"),
        ("id", r".+", "an id"),
        ("copies", r"\d{1,7}", "a number of copies"),
        ("front", r"[0-9a-f]{16}", "16 digits and letters from a to f"),
        ("back", r"|[0-9a-f]{16}", "nothing, or 16 digits and letters from a to f"),
    ):
        if not re.fullmatch(pattern, said[column]):
            text, place = said[column][:80], Place(shown, line.row, column)
            problems.error(RULE, place, f'"{text}" cannot stand here', value=text, allowed=allowed, hint=AGAIN)
    if len(problems.errors) > before:
        return None
    place = Place(shown, line.row, "id")
    return OnPaper(int(said["copies"]), said["paper"], said["cut"], said["front"], said["back"], place)


# Enough to see a dot of a tenth of a millimetre as a shade.
DPI = 100
LETTERS = 16
SIDES: tuple[Side, ...] = ("front", "back")


Difference = tuple[tuple[tuple[str, int], ...], tuple[str, ...]]
"""Pieces that are missing on paper, as ``component/id``, and how many; what is to be thrown away, in words."""


def difference(
    project: Project, drawn: Drawn, book: Book, options: Options, wanted: Mapping[str, Mapping[str, int]], problems: Problems
) -> Difference | None:
    """Which of the wanted pieces are not on paper as they are now; None, with a Problem, where ``printed.csv`` is
    unreadable or missing.
    """
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
    return tuple(copies), tuple(gone)


def _throw(entry: OnPaper, name: str, count: int, why: str, problems: Problems) -> None:
    assert entry.place is not None, "it was read from a file"
    what = "1 copy" if count == 1 else f"{count} copies"
    problems.warn("throw-away", entry.place, f"{name} {why}", value=name, hint=f"Throw away {what} of it.")


def as_drawn(drawn: Drawn, book: Book, decks: Sequence[Deck], options: Options) -> dict[Key, OnPaper]:
    """The pieces of decks as they would be printed; without backs on one-sided sheets."""
    faces: dict[object, tuple[Face, Side]] = {}
    printed = SIDES[:1] if options.backs == "none" else SIDES
    for deck in decks:
        for piece in deck.pieces:
            for side in printed:
                if (face := piece.side(side)) is not None:
                    faces.setdefault(face.look, (face, side))
    pages = [face_page(face, side, True) for face, side in faces.values()]
    looks = dict(zip(faces, map(_look_of, pictures(drawn, pages, book, DPI) if pages else []), strict=True))
    found: dict[Key, OnPaper] = {}
    for deck in decks:
        by_id = grouped((piece.id, piece) for piece in deck.pieces)
        for name, parts in by_id.items():
            fronts = [looks[part.front.look] for part in parts]
            backs = [looks[part.back.look] for part in parts if part.back and "back" in printed]
            cut = _joined([part.front.cut for part in parts], 8)
            entry = OnPaper(parts[0].copies, deck.component.paper, cut, _joined(fronts), _joined(backs))
            found[deck.component.name, name] = entry
    return found


def _look_of(picture: bytes) -> str:
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        return digest(image.convert("RGB").tobytes(), str(image.size))[:LETTERS]


def _joined(parts: Sequence[str], letters: int = LETTERS) -> str:
    if len(parts) == 1 or not all(parts):
        return parts[0] if len(parts) == 1 else ""
    return digest(*parts)[:letters] if parts else ""


def in_file(data: bytes, name: str) -> dict[Key, OnPaper]:
    """The pieces on a printed file's pages. Raises NotPrinted.

    What a file does not say, because an older pnp made it, is empty: how pieces are cut, and on what they are printed.
    """
    from pnp.write.png import render
    from pnp.write.printed import lift, read_printed

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
    """Merges several files: copies of equal look are added, of different looks the later ones count."""
    found: dict[Key, OnPaper] = {}
    for file in files:
        for key, entry in file.items():
            before = found.get(key)
            more = before.copies if before is not None and before.is_like(entry) else 0
            found[key] = replace(entry, copies=entry.copies + more)
    return found


def as_file(stock: Stock) -> bytes:
    """The content of ``printed.csv``, sorted by name."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for (component, piece), entry in sorted(stock.items()):
        writer.writerow((component, piece, entry.copies, entry.paper, entry.cut, entry.front, entry.back))
    return text.getvalue().encode()


def kept(project: Project, game: Game, problems: Problems) -> tuple[Path, Stock | None]:
    """The path of ``printed.csv``, and what it says; None where there is no such file.

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
