"""The sheets as they will be printed, page after page, and both sides of each held to the light."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from pnp.studio.asking import Asking
from pnp.studio.pictures import image
from pnp.values.seen import PageSeen, Sheets, SheetsSeen, Sighted

if TYPE_CHECKING:
    from nicegui import ui
    from nicegui.events import ValueChangeEventArguments

    from pnp.studio.opened import Window

# How wide a millimetre is shown, in pixels.
SMALLEST, USUAL, LARGEST = 0.4, 1.6, 12.0
BACKS = {
    "long-edge": "Both sides, flip on long edge",
    "short-edge": "Both sides, flip on short edge",
    "gutterfold": "Fold and glue",
    "none": "One side",
}
MARKS = {"front": "Marks on the front", "both": "Marks on both sides"}


class SheetsView:
    """``print.pdf`` before it is made."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._asking = Asking(window, "Sheets", self._took)
        self._wanted = Sheets()
        self._seen: SheetsSeen | None = None
        self._scale = USUAL
        self._room: ui.html | None = None
        self._said: ui.label | None = None
        self._papers: ui.select | None = None

    def show(self) -> None:
        from nicegui import ui

        with ui.element("div").classes("view"):
            with ui.element("div").classes("bar"):
                self._papers = ui.select({}, label="Paper").props("dense outlined").classes("choice")
                self._papers.on_value_change(lambda event: self._choose(paper=event.value))
                backs = ui.select(BACKS, value="long-edge", label="Backs").props("dense outlined")
                backs.on_value_change(lambda event: self._choose(backs=event.value)).classes("choice")
                marks = ui.select(MARKS, value="front", label="Marks").props("dense outlined")
                marks.on_value_change(lambda event: self._choose(marks=event.value)).classes("choice")
                ui.label("Size")
                size = ui.slider(min=SMALLEST, max=LARGEST, step=0.2, value=USUAL, on_change=self._sized)
                size.style("width: 9rem").props('aria-label="Size of the sheets"')
                ui.label("Held to the light")
                light = ui.slider(min=0, max=100, step=5, value=0, on_change=self._lit)
                light.style("width: 9rem").props('aria-label="How much of the back shows through"')
            self._said = ui.label("Laying the sheets …").classes("said").props("role=status")
            self._room = ui.html("", sanitize=False).classes("pages")

    def refresh(self) -> None:
        if self._asking.want(self._wanted) and self._said is not None:
            self._said.set_text("Laying the sheets …")

    def _choose(self, **chosen: Any) -> None:
        from dataclasses import replace

        self._wanted = replace(self._wanted, **{name: value for name, value in chosen.items() if value})
        self.refresh()

    def _took(self, seen: Sighted) -> None:
        assert isinstance(seen, SheetsSeen) and self._said is not None and self._papers is not None
        self._seen = seen
        self._papers.set_options(list(seen.papers), value=self._papers.value or seen.paper)
        wrong = [problem.message for problem in seen.problems if problem.severity == "error"]
        sides = f"{len(seen.pages)} page{'s' * (len(seen.pages) != 1)}"
        self._said.set_text("; ".join(wrong) or (f"{sides} of {seen.paper}" if seen.pages else "There are no sheets yet."))
        self._draw()

    def _draw(self) -> None:
        if self._room is not None and self._seen is not None:
            self._room.set_content("".join(self._page(page) for page in self._seen.pages))

    def _page(self, page: PageSeen) -> str:
        game, width, height = self._window.desk.name, page.width * self._scale, page.height * self._scale
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

    def _sized(self, event: ValueChangeEventArguments[Any]) -> None:
        self._scale = float(event.value)
        self._draw()

    def _lit(self, event: ValueChangeEventArguments[Any]) -> None:
        if self._room is not None:
            self._room.style(f"--through: {float(event.value) / 100:g}")
            self._room.classes(add="lit") if event.value else self._room.classes(remove="lit")
