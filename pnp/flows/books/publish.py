"""The conductor of books: rulebook text → pages, booklets and a page for the phone, with numbers of this very build.

What fills in and sets them is in :mod:`pnp.flows.books.edit`: a game without books does not load it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pnp import __version__
from pnp.values.books import Counts, Edition
from pnp.values.problems import Place, Problems, listed

if TYPE_CHECKING:
    from pathlib import Path

    from pnp.flows.books.edit import Reader
    from pnp.flows.drawn import Drawn, Tell
    from pnp.system.cache import Cache
    from pnp.values.faces import Book
    from pnp.values.game import Game, Manual, Paper

MOST_PASSES = 5


def proofread(game: Game, problems: Problems) -> set[Path]:
    """What is wrong with the texts of a game's books, without setting them; returns the files of the drawings in them."""
    if not game.manuals:
        return set()
    from pnp.flows.books.edit import Reader

    reader = Reader.of(game)
    for manual in game.manuals:
        reader.tell(manual, reader.text(manual, Counts()), problems)
    return set(filter(None, reader.art.asked.values()))


def reread(game: Game, manual: Manual, problems: Problems, reader: Reader | None) -> Reader:
    """What is wrong with the text of one book, which may be another than the game's; returns who reads the next."""
    from pnp.flows.books.edit import Reader

    # Of what was read before nothing is kept: there are many such texts.
    reader = Reader.of(game) if reader is None else replace(reader, _read={})
    reader.tell(manual, reader.text(manual, Counts()), problems)
    return reader


def publish(
    drawn: Drawn, book: Book, printed: Mapping[Paper, Counts], problems: Problems, tell: Tell, proof: bool = False
) -> list[Edition]:
    """Every book for every paper, set until the numbers in it are those of the result; nothing when something is wrong.

    ``proof``: only to find what is wrong.
    """
    game = drawn.game
    if not game.manuals or problems.errors:
        return []
    from pnp.flows.books.edit import Reader, Typesetter

    tell(f"{game.name}: setting the books: {listed(manual.name for manual in game.manuals)}")
    reader = Reader.of(game, drawn.studio.ink)
    typesetter = Typesetter(drawn, book, reader, problems, proof)
    counts = dict(printed)
    editions: dict[tuple[Manual, Paper], Edition] = {}
    for _ in range(MOST_PASSES):
        texts = {(manual, paper): reader.text(manual, counts[paper]) for manual in game.manuals for paper in printed}
        changed = {key: text for key, text in texts.items() if key not in editions or editions[key].text != text}
        if not changed:
            return [edition if proof else typesetter.completed(edition) for edition in editions.values()]
        for (manual, _), text in changed.items():
            reader.tell(manual, text, problems)
        if problems.errors:
            return []
        typesetter.shoot(changed.values())
        for (manual, paper), text in changed.items():
            if made := typesetter.edition(manual, paper, text):
                editions[manual, paper] = made
        if problems.errors:
            return []
        counts = {paper: _with_books(printed[paper], paper, editions.values()) for paper in printed}
    problems.error(
        "unstable-book",
        Place(game.manuals[0].file),
        f"the number of its pages still changes after {MOST_PASSES} passes: it shows more when it is longer",
        hint="Take sheets() and pages() of books out of conditions.",
    )
    return []


def _with_books(counts: Counts, paper: Paper, editions: Iterable[Edition]) -> Counts:
    own = [edition for edition in editions if edition.paper == paper]
    return Counts(
        {**counts.sheets, **{edition.manual.name: edition.sheets for edition in own}},
        {**counts.pages, **{edition.manual.name: str(edition.small.pages) for edition in own}},
    )


def files_of(game: Game, editions: Sequence[Edition], cache: Cache | None = None) -> Iterator[tuple[str, Manual, bytes]]:
    """The files of set books, with the book of each: full size, half size and imposed, and one page for the phone."""
    if not editions:
        return
    from pnp.flows.books.edit import screen_page
    from pnp.lay.booklet import booklet_sides, card_sides
    from pnp.write.imposed import write_imposed

    paged: set[str] = set()
    for edition in editions:
        manual, paper, small = edition.manual, edition.paper, edition.paper.halved()
        stem = f"{paper.name}/{manual.name}"
        title = f"{manual.title}: {manual.subtitle}" if manual.subtitle else manual.title
        yield f"{stem}-{small.name}.pdf", manual, edition.small.pdf
        if edition.full is not None:
            yield f"{stem}.pdf", manual, edition.full.pdf
            sides = booklet_sides(edition.small.pages, paper, manual.creep)
        else:
            sides = card_sides(edition.small.pages, paper)
        imposed = write_imposed(edition.small.pdf, sides, title, game.language, f"pnp-press {__version__}")
        yield f"{paper.name}/{edition.printed}", manual, imposed
        if manual.name not in paged:
            paged.add(manual.name)
            yield f"{manual.name}.html", manual, screen_page(game, edition, cache)
