"""Pictures and books that an earlier build has made are known again, and are what would be made anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bound import fair
from conftest import TinyProject

from pnp.books import typeset
from pnp.flows import drawn as picturing
from pnp.flows.check import check_game
from pnp.flows.drawn import Drawn, face_page, in_forms, pictures
from pnp.flows.pipeline import Pipeline
from pnp.read.presets import paper
from pnp.system.cache import Cache
from pnp.values.faces import Book, Page
from pnp.values.outcome import NOWHERE, Options


def drawn_cards(tiny: TinyProject, cache: Cache | None) -> tuple[Drawn, Book, list[Page]]:
    """The tiny game, and a page for each of its cards."""
    made = Pipeline(tiny.project, "tiny", Options(NOWHERE), cache=cache)
    assert made.drawn is not None and made.book is not None
    return made.drawn, made.book, [face_page(piece.front, "front", False) for deck in made.decks for piece in deck.pieces]


class Counted:
    """Counts the pages, books or whatever else a function of pnp's is given, and lets it do its work."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, size: Any = lambda *_: 1) -> None:
        self.made, work = 0, getattr(module, name)

        def counted(*given: Any) -> Any:
            self.made += size(*given)
            return work(*given)

        monkeypatch.setattr(module, name, counted)

    def since(self) -> int:
        """How many were made since the last time."""
        made, self.made = self.made, 0
        return made


def test_only_pages_that_look_otherwise_are_pictured_again(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tiny.project.root / "cache")
    pages = Counted(monkeypatch, picturing, "parts_of_pdf", lambda _, shown, *__: len(shown))

    def shot(dpi: int = 50) -> tuple[int, list[bytes]]:
        drawn, book, cards = drawn_cards(tiny, cache)
        made = pictures(drawn, cards, book, dpi)
        count = pages.since()
        bare, book, cards = drawn_cards(tiny, None)
        assert made == pictures(bare, cards, book, dpi)
        pages.since()
        return count, made

    count, first = shot()
    assert (count, len(set(first))) == (2, 2)
    assert shot() == (0, first)
    assert shot(60)[0] == 2, "another resolution is another picture"
    tiny.write("content/tiny/cards.csv", "name,text\nBert,Pass.\nAnna,Draw three.\n")
    count, second = shot()
    assert count == 1
    assert second[0] == first[1]
    assert second[1] not in first


def test_pages_on_which_the_same_is_seen_are_pictured_once(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, book, (first, second) = drawn_cards(tiny, None)
    pages = Counted(monkeypatch, picturing, "parts_of_pdf", lambda _, shown, *__: len(shown))

    made = pictures(drawn, [first, second, first], book, 50)

    assert pages.since() == 2
    assert made[0] == made[2] != made[1]


def test_a_page_that_lacks_something_is_not_remembered(tiny: TinyProject) -> None:
    """What the engine refused this time, for whatever reason, it may draw the next."""
    cache = Cache(tiny.project.root / "cache")
    drawn, book, (first, _) = drawn_cards(tiny, cache)
    lost = first.items[0].face.layers[-1].layer.key  # type: ignore[union-attr]
    torn = Book(book.pdfs, {key: page for key, page in book.pages.items() if key != lost}, book.fits)

    incomplete = pictures(drawn, [first], torn, 50)
    drawn, book, (first, _) = drawn_cards(tiny, cache)

    assert pictures(drawn, [first], book, 50) != incomplete


def test_a_page_has_all_its_forms_again(tiny: TinyProject) -> None:
    """As many as there were, empty ones too."""
    drawn, book, (first, _) = drawn_cards(tiny, Cache(tiny.project.root / "cache"))
    made = [in_forms(drawn, [first], book, "three", lambda _: [(b"one", b"", b"\0" * 300)]) for _ in range(2)]

    assert made == [[(b"one", b"", b"\0" * 300)]] * 2


def test_a_book_that_says_and_shows_the_same_is_set_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the next build it is taken from the cache, to the byte; what has changed in it is set anew."""
    from pnp.flows.build import build_game

    made, cache = fair(tmp_path), Cache(tmp_path / "cache")
    books = Counted(monkeypatch, typeset, "_set")

    def build(known: Cache | None) -> tuple[int, dict[str, bytes]]:
        options = Options(out=made.project.root / "output", papers=(paper("a4"),))
        result = build_game(made.project, "tiny", options, lambda _: None, known)
        assert result.ok, [str(problem) for problem in result.problems]
        return books.since(), {path.name: path.read_bytes() for path in result.files}

    first, files = build(cache)
    assert first >= 2
    assert build(cache) == (0, files)
    assert build(None) == (first, files)
    text = (tmp_path / "content/tiny/rulebook.md").read_text(encoding="utf-8")
    made.write("content/tiny/rulebook.md", f"{text}\nOne more word.\n")
    again, changed = build(cache)
    assert again > 0
    assert changed["rulebook-a5.pdf"] != files["rulebook-a5.pdf"]


def test_a_second_check_draws_nothing(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """And finds what the first one found, for the report as well."""
    cache = Cache(tiny.project.root / "cache")
    tiny.write("content/tiny/cards.csv", "name,text,unasked\nAnna,Draw two.,1\nBert,Pass.,2\n")
    first = check_game(tiny.project, "tiny", lambda _: None, cache=cache)
    pages = Counted(monkeypatch, picturing, "parts_of_pdf", lambda _, shown, *__: len(shown))
    second = check_game(tiny.project, "tiny", lambda _: None, cache=cache)
    bare = check_game(tiny.project, "tiny", lambda _: None)

    assert {problem.rule for problem in first.problems} >= {"unused-column"}
    assert list(second.problems) == list(first.problems) == list(bare.problems)
    assert second.portraits == first.portraits == bare.portraits
    assert pages.since() == 4, "those of the check without a cache alone: two cards to look at, one's bleed, one to show"
