"""Views of sheets held to the light, books by spread, maps and layouts."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from os.path import lexists
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments, ValueChangeEventArguments

from pnp.flows.start import first_book
from pnp.read.game import USUAL
from pnp.studio.messages import Books, BookSeen, Laid, LaidSeen, PageSeen, Reply, Sheets, SheetsSeen
from pnp.studio.texts import Saving
from pnp.studio.window import Asking, Empty, Window, Zoom, image
from pnp.values.findings import MapShown
from pnp.values.problems import Place, Problem

# How wide a millimetre is shown, in pixels: the smallest, usual and largest.
SIZES, BOOK_SIZES, MAP_SIZES = (0.4, 1.6, 12.0), (0.8, 2.3, 12.0), (0.2, 2.0, 12.0)
BACKS = {"long-edge": "Flip on long edge", "short-edge": "Flip on short edge", "gutterfold": "Fold and glue"}
BACKS |= {"none": "One side"}
MARKS = {"front": "On the front", "both": "On both sides"}


class SheetsView:
    """A preview of ``print.pdf``."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._asking = Asking(window, "Sheets", self._took)
        self._wanted = Sheets()
        self._seen: SheetsSeen | None = None
        self.zoom = Zoom(SIZES, self._draw, lambda: [(page.width, page.height) for page in self._pages])

    def show(self) -> None:
        with ui.element("div").classes("view"):
            with ui.element("div").classes("bar"):
                self._papers = ui.select({}, label="Paper").props("dense outlined").classes("choice")
                self._papers.on_value_change(lambda event: self._choose(paper=event.value))
                backs = ui.select(BACKS, value="long-edge", label="Backs").props("dense outlined")
                backs.on_value_change(lambda event: self._choose(backs=event.value)).classes("choice wide")
                marks = ui.select(MARKS, value="front", label="Marks").props("dense outlined")
                marks.on_value_change(lambda event: self._choose(marks=event.value)).classes("choice wide")
                with ui.element("div").classes("light"):
                    ui.label("Held to the light")
                    light = ui.slider(min=0, max=100, step=5, value=0, on_change=self._lit)
                    light.style("width: 5rem").props('aria-label="How much of the back shows through"')
            self._said = ui.label("Drawing the sheets …").classes("said").props("role=status")
            self._none = Empty("There is nothing to print yet. Add a component first.", "Add a component", "Add a component")
            self._room = ui.html("", sanitize=False).classes("pages")

    def refresh(self) -> None:
        if self._asking.want(self._wanted):
            self._said.set_text("Drawing the sheets …")

    def _choose(self, **chosen: Any) -> None:
        self._wanted = replace(self._wanted, **{name: value for name, value in chosen.items() if value})
        self.refresh()

    def _took(self, seen: Reply) -> None:
        assert isinstance(seen, SheetsSeen)
        self._seen = seen
        self._papers.set_options(list(seen.papers), value=self._papers.value or seen.paper)
        wrong = [problem.message for problem in seen.problems if problem.severity == "error"]
        sides = f"{len(seen.pages)} page{'s' * (len(seen.pages) != 1)}"
        self._said.set_text("; ".join(wrong) or (f"{sides} of {seen.paper}" if seen.pages else ""))
        self._none.show(not wrong and not seen.pages)
        self._draw()

    def _draw(self) -> None:
        self._room.set_content("".join(map(self._page, self._pages)))

    @property
    def _pages(self) -> tuple[PageSeen, ...]:
        return self._seen.pages if self._seen else ()

    def _page(self, page: PageSeen) -> str:
        game, width, height = self._window.desk.name, page.width * self.zoom.scale, page.height * self.zoom.scale
        through = ""
        if page.behind:
            # The back as it is seen from the front, when the sheet is turned over as the printer does.
            flip = "upside" if self._wanted.backs == "short-edge" else "beside"
            through = image(game, page.behind, width, height, "", f"through {flip}")
        return (
            f'<figure style="width:{width:.0f}px"><div class="sheet" style="height:{height:.0f}px">'
            f"{image(game, page.key, width, height, page.title)}{through}</div>"
            f"<figcaption>{escape(page.title)}</figcaption></figure>"
        )

    def _lit(self, event: ValueChangeEventArguments[Any]) -> None:
        self._room.style(f"--through: {float(event.value) / 100:g}")
        self._room.classes(add="lit") if event.value else self._room.classes(remove="lit")


class BooksView:
    """The books, one below the other."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._saving = Saving(window)
        self._asking = Asking(window, "Books", self._took)
        self._books: tuple[BookSeen, ...] | None = None
        self._problems: list[Problem] = []
        self.zoom = Zoom(BOOK_SIZES, self._draw, self._boxes)

    def show(self) -> None:
        with ui.element("div").classes("view"):
            self._said = ui.label("Setting the books …").classes("said").props("role=status")
            self._begin = Empty(
                "This game has no book yet. Its first one has headings, to be filled in.",
                "Write a rulebook",
                "Write a rulebook",
            )
            self._wrong = Empty(
                "No book can be set: first mend what is wrong.", "Show what is wrong", "Show: Findings", "warning"
            )
            self._room = ui.html("", sanitize=False).classes("books").props("role=region aria-label=Books tabindex=0")
        ui.on("bookfinding", self._opened)

    def refresh(self) -> None:
        if self._asking.want(Books()):
            self._said.set_text("Setting the books …")
        self._draw()

    def _boxes(self) -> list[tuple[float, float]]:
        """The size of a spread in mm."""
        return [(2 * page.width, page.height) for book in self._books or () for page in book.pages]

    def _took(self, seen: Reply) -> None:
        assert isinstance(seen, tuple)
        self._books = seen
        self._said.set_text("")
        self._draw()

    @property
    def _lacking(self) -> bool:
        """Whether the game has no book, nor the file of one."""
        seen = self._window.desk.seen
        return seen is not None and not seen.books and not lexists(self._window.studio.project.root / self._file)

    @property
    def _file(self) -> str:
        return f"content/{self._window.desk.name}/{USUAL}.md"

    def write(self) -> None:
        """Makes a rulebook to go on with; it is shown as soon as it is set."""
        seen = self._window.desk.seen
        if seen is None:
            return
        if USUAL in (component.name for component in seen.components):
            self._window.say(f"A component is called {USUAL} already, and both would be the file {USUAL}.pdf.")
        elif self._saving.begin(self._file, first_book()):
            said = self._window.said
            self._window.open(Place(self._file))
            self._window.go("Books")
            self._window.say(said)

    def _draw(self) -> None:
        if self._books is None:
            return
        self._begin.show(not self._books and self._lacking)
        self._wrong.show(not self._books and not self._lacking)
        self._problems = []
        self._room.set_content("".join(map(self._book, self._books)))

    def _book(self, book: BookSeen) -> str:
        findings = self._window.findings
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
        page = max((each.width for each in book.pages), default=0) * self.zoom.scale
        return (
            f'<section style="--page:{page:.0f}px"><h2>{escape(book.title)}<small>{len(book.pages)} pages</small>'
            f'<button class="link" onclick="act(&quot;file&quot;, &quot;{escape(book.file, quote=True)}&quot;)">'
            "Change its text</button></h2>"
            f"{shown}</section>"
        )

    def _page(self, book: BookSeen, at: int, problems: list[Problem]) -> str:
        page: PageSeen = book.pages[at]
        width, height = page.width * self.zoom.scale, page.height * self.zoom.scale
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


def _spreads(book: BookSeen) -> list[list[int]]:
    """Page numbers from 0 by spread: a book's cover alone, a card's two sides."""
    pages = list(range(len(book.pages)))
    first = 1 if book.form == "book" else 0
    return (
        [*([pages[:first]] if first else []), *(pages[at : at + 2] for at in range(first, len(pages), 2))] if pages else []
    )


def page_of(problem: Problem, book: BookSeen) -> int:
    """The page (from 0) of a line of the book's file, by its headings; the first if unknown."""
    line = problem.place.row or 1
    by_line = [at for at, first in enumerate(book.first) if first <= line and first not in book.first[:at]]
    return max(by_line, default=0)


# A map is shown so wide and high at first, in pixels; that of a rule, which has no size of its own, so in its usual size.
ROOM = 620.0
# The kinds of pieces that others lie on.
BOARDS = ("board",)
# What a cell's state is called for who cannot see its colour, and the sign for it.
STATES = {"bad": "✗", "start": "S", "goal": "G", "blocked": "", "path": "", "plain": ""}


class MapsView:
    """The layouts and boards, one below the other."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._laying = Asking(window, "Map", self._took)
        self._seed: int | None = None
        self._laid: LaidSeen | None = None
        self.zoom = Zoom(MAP_SIZES, self._draw, lambda: [(page.width, page.height) for page in self._pages()])
        self._sized = False

    def show(self) -> None:
        with ui.element("div").classes("view"):
            with ui.element("div").classes("bar") as self._shuffle:
                ui.button("Shuffle", on_click=self._again).props("no-caps dense unelevated padding='xs md'")
                self._number = ui.number("Seed", min=0, max=999_999_999, precision=0, on_change=self._typed)
                self._number.props("dense outlined clearable debounce=300").classes("choice")
                ui.button("Face down", on_click=lambda: self._set(None)).props("flat no-caps dense")
            self._shuffle.set_visibility(False)
            self._said = ui.label("Laying …").classes("said").props("role=status")
            self._none = Empty(
                "Layouts and boards are shown here, and this game has none. Add a board, or tiles to lay a map of.",
                "Add a component",
                "Add a component",
            )
            self._room = ui.html("", sanitize=False).classes("maps")

    def refresh(self) -> None:
        self._laying.want(Laid(self._seed))
        self._draw()

    def _took(self, seen: Reply) -> None:
        assert isinstance(seen, LaidSeen)
        self._laid = seen
        self._shuffle.set_visibility(seen.shuffled)
        self._draw()

    def _again(self) -> None:
        from secrets import randbelow

        self._set(randbelow(1_000_000))

    def _typed(self, event: ValueChangeEventArguments[Any]) -> None:
        self._set(None if event.value is None else int(event.value))

    def _set(self, seed: int | None) -> None:
        self._seed = seed
        if self._number.value != seed:
            self._number.set_value(seed)
        self.refresh()

    def _draw(self) -> None:
        desk = self._window.desk
        if self._laid is None:
            return
        pages = self._pages()
        if pages and not self._sized:
            self._sized = True
            self.zoom.fit(ROOM, ROOM)
            return
        shown = [self._picture(page) for page in pages]
        shown += [
            svg_of(each, ROOM * self.zoom.scale / MAP_SIZES[1]) for each in (desk.findings.maps if desk.findings else ())
        ]
        self._said.set_text("")
        self._none.show(not shown)
        self._room.set_content("".join(shown))

    def _pages(self) -> list[PageSeen]:
        """The layouts as they lie, and the boards."""
        note = f", seed {self._seed}" if self._seed is not None else ""
        laid = [replace(page, title=page.title + note) for page in (self._laid.layouts if self._laid else ())]
        seen = self._window.desk.seen
        boards = [component for component in (seen.components if seen else ()) if component.kind in BOARDS]
        return laid + [
            PageSeen(face.key, f"{board.title}: {face.name}", face.width, face.height)
            for board in boards
            for face in board.faces
            if face.side == "front"
        ]

    def _picture(self, page: PageSeen) -> str:
        width, height = page.width * self.zoom.scale, page.height * self.zoom.scale
        return (
            f'<figure style="width:{width:.0f}px"><figcaption>{escape(page.title)}</figcaption>'
            f'<div class="sheet bare" style="height:{height:.0f}px">'
            f"{image(self._window.desk.name, page.key, width, height, page.title)}</div></figure>"
        )


def svg_of(shown: MapShown, room: float) -> str:
    """A map of cells as SVG."""
    points = [point for spot in shown.spots for point in spot.ring]
    if not points:
        return ""
    left, top = min(x for x, _ in points), min(y for _, y in points)
    width, height = max(x for x, _ in points) - left, max(y for _, y in points) - top
    # Words in one size, so that none shouts.
    widths = [max(x for x, _ in spot.ring) - min(x for x, _ in spot.ring) for spot in shown.spots]
    size = min(1.4 * wide / max(4, len(spot.text)) for wide, spot in zip(widths, shown.spots, strict=True))
    cells = []
    for spot in sorted(shown.spots, key=lambda spot: spot.state == "bad"):
        x, y = (sum(point[axis] for point in spot.ring) / len(spot.ring) for axis in (0, 1))
        text = STATES[spot.state] or spot.text
        ring = " ".join(f"{a:.2f},{b:.2f}" for a, b in spot.ring)
        cells.append(
            f'<polygon class="{spot.state}" points="{ring}"/>'
            f'<text x="{x:.2f}" y="{y + size * 0.35:.2f}" font-size="{size:.2f}">{escape(text)}</text>'
        )
    scale = room / max(width, height)
    name = escape(f"{shown.title}. {shown.note}", quote=True)
    return (
        f'<figure style="width:{width * scale:.0f}px"><figcaption>{escape(shown.title)}</figcaption>'
        f'<svg class="found" role="img" aria-label="{name}" viewBox="{left:.2f} {top:.2f} {width:.2f} {height:.2f}" '
        f'style="width:100%;height:{height * scale:.0f}px">{"".join(cells)}</svg>'
        f'<p class="said">{escape(shown.note)}</p></figure>'
    )
