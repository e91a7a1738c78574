"""The open project and the state that a window's views share; covers of games, style, zoom and picture addresses."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Protocol

from nicegui import background_tasks, ui

from pnp import __version__
from pnp.flows.watch import scan
from pnp.read.project import Project
from pnp.studio.desk import Desk
from pnp.studio.documents import Document, Documents
from pnp.studio.dropped import Step
from pnp.studio.messages import FaceSeen, Reply, Request, counted, worst
from pnp.studio.style import CSS, ENDED
from pnp.studio.tabletop import Tabletop
from pnp.system.cache import cache_folder
from pnp.system.paths import digest_of
from pnp.values.problems import Place

# Of what a command says, in letters.
MOST_SAID = 20_000


@dataclass(slots=True)
class Job:
    """Runs one command at a time."""

    said: str = ""
    running: bool = False
    listeners: list[Callable[[], None]] = field(default_factory=list)
    """They are called whenever it has said something."""
    _process: asyncio.subprocess.Process | None = None

    @property
    def done(self) -> bool:
        """Whether the last command succeeded."""
        return not self.running and self.said.endswith("done")

    async def run(self, root: Path, arguments: list[str]) -> None:
        """Runs ``pnp`` for a project, unless a command is running."""
        if self.running:
            return
        self.running, self.said = True, ""
        self._tell()
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # what lies in the project's folder is no part of pnp, whatever it is called
            "-m",
            "pnp",
            "--project",
            str(root),
            *arguments,
            cwd=root,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.said = (self.said + line.decode("utf-8", "replace"))[-MOST_SAID:]
            self._tell()
        code = await self._process.wait()
        self.said += "done" if code == 0 else "stopped" if code < 0 or code == 130 else "not made: see above"
        self.running, self._process = False, None
        self._tell()

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def _tell(self) -> None:
        for listener in list(self.listeners):
            listener()


@dataclass(slots=True)
class Studio:
    """The open project; each game that was opened has a desk."""

    project: Project
    documents: Documents
    shelf: Shelf
    desks: dict[str, Desk] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)
    tabletops: dict[str, Tabletop] = field(default_factory=dict)
    """Of each game the one at which it is played, in however many windows."""

    @classmethod
    def of(cls, project: Project) -> Studio:
        kept = cache_folder() / "studio"
        return cls(project, Documents(project, kept), Shelf(project, kept / "covers"))

    def desk(self, name: str) -> Desk:
        """The desk of a game. Raises NoSuchGame."""
        if name not in self.desks:
            self.project.folder(name)
            desk = self.desks[name] = Desk(self.project.root, name)
            desk.open()
        return self.desks[name]

    def job(self, name: str) -> Job:
        """The command runner of a game."""
        return self.jobs.setdefault(name, Job())

    def close(self) -> None:
        for job in self.jobs.values():
            job.stop()
        self.shelf.close()
        for desk in self.desks.values():
            desk.close()


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

    def changed(self, done: Document | Step) -> None:
        """Makes a document, or what was done to a picture, the next to undo."""

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


# How wide a picture is, in dots; how often a desk is asked whether it is ready, and for how long, in seconds.
DOTS, PAUSE, PATIENCE = 450, 0.1, 120


@dataclass(frozen=True, slots=True)
class Cover:
    """A game's first card and findings, as last drawn."""

    stamp: str
    """Of its files at that time."""
    said: str
    """How much was wrong."""
    wrong: str
    """``error`` where the game has errors, else ``warning`` where it has warnings, else empty: the colour of ``said``."""
    picture: str
    """A PNG in base64; empty where nothing could be drawn."""


@dataclass(slots=True)
class Shelf:
    """The covers; those of changed games are drawn anew, one after the other."""

    project: Project
    kept: Path
    listeners: list[Callable[[], None]] = field(default_factory=list)
    _covers: dict[str, Cover] = field(default_factory=dict)
    _drawing: str = ""
    _desk: Desk | None = None
    _closed: bool = False

    def cover(self, game: str) -> Cover | None:
        """The last cover of a game, perhaps outdated."""
        if game not in self._covers:
            with suppress(OSError, ValueError, TypeError):
                self._covers[game] = Cover(**json.loads(self._file(game).read_text("utf-8")))
        return self._covers.get(game)

    def fresh(self, game: str) -> bool:
        """Whether the cover is up to date."""
        cover = self.cover(game)
        return cover is not None and cover.stamp == self._stamp(game)

    async def look(self) -> None:
        """Draws outdated covers."""
        if self._drawing:
            return
        try:
            for game in self.project.games():
                if not self._closed and not self.fresh(game):
                    self._drawing = game
                    await self._draw(game)
                    for listener in list(self.listeners):
                        listener()
        finally:
            self._drawing = ""

    def close(self) -> None:
        self._closed = True
        if self._desk is not None:
            self._desk.close()

    async def _draw(self, game: str) -> None:
        stamp = self._stamp(game)
        # Not one that somebody works at: nobody knows when that has seen what was saved last.
        desk = self._desk = Desk(self.project.root, game)
        desk.open()
        try:
            for _ in range(round(PATIENCE / PAUSE)):
                if not desk.busy or self._closed:
                    break
                await asyncio.sleep(PAUSE)
            before, seen = self.cover(game), await _seen(desk, stamp)
            # What cannot be drawn just now is still known by its picture.
            self._covers[game] = replace(seen, picture=seen.picture or (before.picture if before else ""))
        finally:
            await asyncio.to_thread(desk.close)
            self._desk = None
        with suppress(OSError):
            self.kept.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file(game).write_text(json.dumps(asdict(self._covers[game])), encoding="utf-8")

    def _file(self, game: str) -> Path:
        name = digest_of(f"{self.project.root.resolve()}\0{game}".encode("utf-8", "surrogatepass"))[:24]
        return self.kept / f"{name}.json"

    def _stamp(self, game: str) -> str:
        seen = scan((self.project.content / game, self.project.root / "templates"))
        return digest_of(f"{__version__} {sorted(seen.items())}".encode("utf-8", "surrogatepass"))[:24]


async def _seen(desk: Desk, stamp: str) -> Cover:
    """The cover from a desk: the front of the first card, else of the first piece."""
    if desk.fault or desk.findings is None:
        return Cover(stamp, "Could not be drawn", "error", "")
    components = desk.seen.components if desk.seen else ()
    faces = [face for each in sorted(components, key=lambda each: each.kind != "card") for face in each.faces[:1]]
    picture = await desk.picture(faces[0].key, DOTS, False) if faces else None
    problems = desk.findings.problems
    return Cover(stamp, counted(problems), worst(problems), base64.b64encode(picture or b"").decode())


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
DROP = r"""
// All of a folder that was dropped, each file with its place in it.
const walked = async entry => {
  if (entry.isFile) return [[entry.fullPath, await new Promise((done, no) => entry.file(done, no))]];
  const found = [], reader = entry.createReader(), some = () => new Promise((done, no) => reader.readEntries(done, no));
  for (let each; (each = await some()).length;) for (const inner of each) found.push(...await walked(inner));
  return found;
};
const sendAll = found => send(found.filter(([path]) => !/(^|\/)\./.test(path))
  .map(([path, file]) => new File([file], encodeURIComponent(path.replace(/^\//, "")))));
// The server takes what is before a stroke for a folder.
const send = (chosen, key) => {
  const files = new DataTransfer(), input = document.querySelector(".drop-input input[type=file]");
  for (const file of chosen)
    files.items.add(key ? new File([file], `${key}:${file.name.replaceAll(/[\\/]/g, "_")}`, {type: file.type}) : file);
  input.files = files.files;
  input.dispatchEvent(new Event("change", {bubbles: true}));
};
for (const kind of ["dragover", "dragleave", "drop"]) document.addEventListener(kind, event => {
  if (![...event.dataTransfer.types].includes("Files")) return;
  const box = event.target.closest && event.target.closest("[data-key].face, [data-key].art, .begin .table, .view.table");
  document.querySelectorAll(".over").forEach(each => each.classList.remove("over"));
  if (box && kind === "dragover") box.classList.add("over");
  if (kind !== "dragleave") event.preventDefault();
  const files = [...event.dataTransfer.files], table = box?.matches(".view.table");
  if (box?.dataset.key === "project" && kind === "drop") {
    const entries = [...event.dataTransfer.items].map(item => item.webkitGetAsEntry());
    Promise.all(entries.filter(Boolean).map(walked)).then(found => sendAll(found.flat()));
  } else if (box && kind === "drop" && files.length)
    send(table ? files : files.slice(0, 1), table ? "table" : box.dataset.key);
});
"""


def dress(title: str) -> None:
    ui.page_title(title)
    ui.colors(primary="#0b5fa5")
    ui.add_css(CSS)
    ui.add_body_html(f"<dialog id='ended' role='alertdialog'><p></p></dialog><script>{ENDED}{DROP}</script>")


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
