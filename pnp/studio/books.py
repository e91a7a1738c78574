"""The books as they lie in the hand, two pages side by side, with what is wrong on them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from pnp.studio.asking import Asking
from pnp.studio.pictures import image
from pnp.values.problems import Problem
from pnp.values.seen import Books, BookSeen, PageSeen, Sighted

if TYPE_CHECKING:
    from nicegui import ui
    from nicegui.events import GenericEventArguments, ValueChangeEventArguments

    from pnp.studio.opened import Window

# How wide a millimetre is shown, in pixels.
SMALLEST, USUAL, LARGEST = 0.8, 3.0, 12.0


class BooksView:
    """One book below the other."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._asking = Asking(window, "Books", self._took)
        self._books: tuple[BookSeen, ...] | None = None
        self._problems: list[Problem] = []
        self._scale = USUAL
        self._room: ui.html | None = None
        self._said: ui.label | None = None

    def show(self) -> None:
        from nicegui import ui

        with ui.element("div").classes("view"):
            with ui.element("div").classes("bar"):
                ui.label("Size")
                size = ui.slider(min=SMALLEST, max=LARGEST, step=0.2, value=USUAL, on_change=self._sized)
                size.style("width: 12rem").props('aria-label="Size of the pages"')
            self._said = ui.label("Setting the books …").classes("said").props("role=status")
            self._room = ui.html("", sanitize=False).classes("books")
        ui.on("bookfinding", self._opened)

    def refresh(self) -> None:
        if self._asking.want(Books()) and self._said is not None:
            self._said.set_text("Setting the books …")
        self._draw()

    def _took(self, seen: Sighted) -> None:
        assert isinstance(seen, tuple) and self._said is not None
        self._books = seen
        self._said.set_text("" if seen else "This game has no book, or none that can be set; the findings say why.")
        self._draw()

    def _draw(self) -> None:
        if self._room is None or self._books is None:
            return
        self._problems = []
        content = "".join(map(self._book, self._books))
        if self._room.content != content:
            self._room.set_content(content)

    def _book(self, book: BookSeen) -> str:
        findings = self._window.desk.findings
        told = [*(findings.problems if findings else ()), *book.problems]
        own = list(dict.fromkeys(problem for problem in told if problem.place.file == book.file))
        by_page: dict[int, list[Problem]] = {}
        for problem in own:
            by_page.setdefault(page_of(problem, book), []).append(problem)
        shown = ""
        for spread in _spreads(book):
            # What is first lies on the right.
            alone = " cover" if book.form == "book" and spread == [0] else ""
            pages = "".join(self._page(book, at, by_page.get(at, [])) for at in spread)
            shown += f'<div class="spread{alone}">{pages}</div>'
        page = max((each.width for each in book.pages), default=0) * self._scale
        return (
            f'<section style="--page:{page:.0f}px"><h2>{escape(book.title)}<small>{len(book.pages)} pages</small></h2>'
            f"{shown}</section>"
        )

    def _page(self, book: BookSeen, at: int, problems: list[Problem]) -> str:
        page: PageSeen = book.pages[at]
        width, height = page.width * self._scale, page.height * self._scale
        said = "".join(self._finding(problem) for problem in problems)
        return (
            f'<figure style="width:{width:.0f}px"><div class="sheet" style="height:{height:.0f}px">'
            f"{image(self._window.desk.name, page.key, width, height, page.title)}</div>"
            f"<figcaption>{at + 1}</figcaption>{said}</figure>"
        )

    def _finding(self, problem: Problem) -> str:
        self._problems.append(problem)
        return (
            f'<button class="finding {problem.severity}" onclick="emitEvent(\'bookfinding\', {len(self._problems) - 1})">'
            f'<span class="where">{escape(str(problem.place))}</span><p>{escape(problem.message)}</p></button>'
        )

    def _opened(self, event: GenericEventArguments) -> None:
        if isinstance(event.args, int) and 0 <= event.args < len(self._problems):
            self._window.open(self._problems[event.args].place)

    def _sized(self, event: ValueChangeEventArguments[Any]) -> None:
        self._scale = float(event.value)
        self._draw()


def _spreads(book: BookSeen) -> list[list[int]]:
    """Numbers of pages from 0 that are seen together: of a book its cover alone, of a card its two sides."""
    pages = list(range(len(book.pages)))
    first = 1 if book.form == "book" else 0
    return (
        [*([pages[:first]] if first else []), *(pages[at : at + 2] for at in range(first, len(pages), 2))] if pages else []
    )


def page_of(problem: Problem, book: BookSeen) -> int:
    """The page from 0 on which a line of the file begins at the earliest, by its headings; the first where none tells."""
    line = problem.place.row or 1
    by_line = [at for at, first in enumerate(book.first) if first <= line and first not in book.first[:at]]
    return max(by_line, default=0)
