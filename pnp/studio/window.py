"""The parts that a window's views share: style, zoom, drops, questions to the worker and picture addresses."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Protocol

from nicegui import background_tasks, ui

from pnp.studio.desk import Desk
from pnp.studio.documents import Document
from pnp.studio.dropped import Step
from pnp.studio.messages import FaceSeen, Findings, Reply, Request
from pnp.studio.project import Studio
from pnp.values.problems import Place


class Window(Protocol):
    """One window on one game, as its views use it."""

    studio: Studio
    desk: Desk

    @property
    def face(self) -> FaceSeen | None:
        """The selected face in the last drawing."""

    @property
    def said(self) -> str:
        """The text of the status line."""

    @property
    def findings(self) -> Findings | None:
        """The last findings, without those of a row that was just added."""

    def refresh(self) -> None:
        """Updates all views."""

    def at(self, name: str) -> bool:
        """Whether the canvas shows this view."""

    def go(self, name: str) -> None:
        """Shows a view."""

    def open(self, place: Place) -> None:
        """Shows a place: a row of a table, or a line of a file."""

    def choose(self, face: FaceSeen, go: bool = False) -> None:
        """Selects a face and its row; ``go`` shows it on the canvas."""

    def chose_row(self, file: str, row: int, name: str, go: bool = True) -> None:
        """Handles the selection of a row; ``name`` is its id, if it has one; ``go`` scrolls to its piece."""

    def changed(self, *done: Document | Step) -> None:
        """Makes documents, or what was done to a picture, the next to undo, at once."""

    def along(self, step: Step) -> None:
        """Lets a step be undone with what was done last."""

    def leave(self) -> None:
        """Saves the field being typed into."""

    def say(self, text: str) -> None:
        """Sets the status line."""

    def tell(self, text: str) -> None:
        """Shows a notification."""


class View(Protocol):
    """A view of the canvas."""

    def show(self) -> None:
        """Builds the view, once."""

    def refresh(self) -> None:
        """Updates the view after the game has changed."""


# Files that are dropped go to the page's one upload; those on a piece under the piece's key. What falls beside is let fall:
# the browser would leave the page for it.
UPLOAD = "drop-input"
CHOOSE = (
    f"() => {{ const input = document.querySelector('.{UPLOAD} input[type=file]'); input.multiple = false; input.click(); }}"
)
# Any number of pictures, for the rows of the table.
CHOOSE_MANY = """() => {
  const input = Object.assign(document.createElement("input"), {type: "file", multiple: true, accept: "image/*"});
  input.onchange = () => send([...input.files], "table");
  input.click();
}"""
CHOOSE_FOLDER = """() => {
  const input = Object.assign(document.createElement("input"), {type: "file", webkitdirectory: true});
  input.onchange = () => sendAll([...input.files].map(file => [file.webkitRelativePath, file]));
  input.click();
}"""


PAGE = Path(__file__).parent / "page"


def of_page(*names: str) -> str:
    """The contents of files in the folder page: the style sheet, light and dark, and the page's scripts."""
    return "\n".join((PAGE / name).read_text("utf-8") for name in names)


def dress(title: str) -> None:
    ui.page_title(title)
    ui.colors(primary="#0b5fa5")
    ui.add_css(of_page("studio.css"))
    ui.add_body_html(
        f"<dialog id='ended' role='alertdialog'><p></p></dialog><script>{of_page('ended.js', 'drop.js')}</script>"
    )


def follow(refresh: Callable[[], None], listeners: list[Callable[[], None]]) -> None:
    """Refreshes a page in its own event loop after every change, until it is closed."""
    loop, client = asyncio.get_running_loop(), ui.context.client

    def inside() -> None:
        with client:
            refresh()

    def heard() -> None:
        loop.call_soon_threadsafe(inside)

    listeners.append(heard)
    client.on_delete(lambda: listeners.remove(heard))


class Empty:
    """What a view says while it has nothing to show, and the button that does something about it."""

    def __init__(self, said: str, label: str, command: str, icon: str = "add") -> None:
        """``command`` is one of those that the search lists."""
        with ui.element("div").classes("empty") as self._room:
            self._said = ui.label(said).props("role=status")
            button = ui.button(label, icon=icon).props("no-caps unelevated")
            button.on("click", js_handler=f"() => act('do', {json.dumps(command)})")
        self.show(False)

    def show(self, shown: bool, said: str = "") -> None:
        """Shows or hides it; ``said``: with another sentence."""
        if said:
            self._said.set_text(said)
        self._room.set_visibility(shown)


class Kept(ui.html, component="kept.js"):
    """HTML element that updates in place: unchanged children keep their focus and typed text."""

    def __init__(self) -> None:
        super().__init__("", sanitize=False)


class Asking:
    """The last request of one view to the worker."""

    def __init__(self, window: Window, tab: str, took: Callable[[Reply], None]) -> None:
        """``took`` is called with the answer, unless another request was made meanwhile. Nothing is asked while another tab
        is shown; without a tab, always.
        """
        self._window, self._tab, self._took = window, tab, took
        self._last: object = None
        self._turn = 0

    def forget(self) -> None:
        """Drops the answer to a question that was asked before the last change."""
        self._last = None
        self._turn += 1

    def want(self, request: Request) -> bool:
        """Sends a request if it is new. False if the answer is known or nobody looks."""
        desk = self._window.desk
        asked = desk.drawings, request
        if asked == self._last or desk.seen is None or (self._tab and not self._window.at(self._tab)):
            return False
        self._last = asked
        self._turn += 1
        turn, client = self._turn, ui.context.client

        async def wait() -> None:
            answer = await desk.reply(request)
            if turn != self._turn:
                return
            if answer is None:
                self._last = None  # nothing to be seen now: asked again with the next change
                return
            with client:
                self._took(answer)

        background_tasks.create(wait())
        return True


# So many pixels are a millimetre in its real size, as browsers count.
REAL = 96 / 25.4


class Zoom:
    """The zoom of a view in pixels a mm."""

    def __init__(
        self, sizes: tuple[float, float, float], drawn: Callable[[], None], boxes: Callable[[], list[tuple[float, float]]]
    ) -> None:
        """``sizes``: smallest, usual, largest zoom. ``boxes`` returns the sizes of the things shown, in mm."""
        self._least, self.scale, self._most = sizes
        self._drawn, self._boxes = drawn, boxes

    def set(self, scale: float) -> None:
        self.scale = max(self._least, min(scale, self._most))
        self._drawn()

    def fit(self, width: float, height: float) -> None:
        """Fits everything into so many pixels."""
        if boxes := self._boxes():
            self.set(min(min(width / wide, height / high) for wide, high in boxes))


# Pictures are made so many dots wide, so that a size near another one is not made again.
STEPS = (150, 300, 450, 600, 900, 1200, 1800, 2400, 3600, 4800)


# As wide as a card on the wall at first, in pixels: one picture for all panes.
SMALL = 120


def picture(game: str, face: FaceSeen, width: float, bleed: bool = False, eyes: str = "") -> str:
    """The address of a face's picture, escaped for HTML."""
    return escape(address(game, face, width, bleed, eyes), quote=True)


def cut(face: FaceSeen) -> str:
    """How a picture without bleed is cut, as CSS: nothing where the piece is a rectangle."""
    at = ",".join(f"{100 * x / face.width:.1f}% {100 * y / face.height:.1f}%" for x, y in face.outline)
    return f"clip-path:polygon({at})" if at else ""


def address(game: str, face: FaceSeen, width: float, bleed: bool = False, eyes: str = "") -> str:
    """The address of a face's picture, sharp at this width in pixels on a dense screen."""
    more = ("&bleed=1" if bleed else "") + (f"&eyes={eyes}" if eyes else "")
    return f"/face/{game}/{face.key}.png?dots={_dots(2 * width)}{more}"


def image(game: str, key: str, width: float, height: float, alt: str, classes: str = "", eyes: str = "") -> str:
    """A page's picture as HTML, loaded when it comes into view."""
    at = f"/face/{escape(game, quote=True)}/{key}.png?{f'eyes={eyes}&amp;' if eyes else ''}dots="
    once, twice = _dots(width), _dots(2 * width)
    return (
        f'<img loading="lazy" decoding="async" class="{classes}" width="{width:.0f}" height="{height:.0f}" '
        f'alt="{escape(alt, quote=True)}" src="{at}{once}" srcset="{at}{once} 1x, {at}{twice} 2x">'
    )


def _dots(width: float) -> int:
    return next((step for step in STEPS if step >= width), STEPS[-1])
