"""The home page with all games, the *New game* page, and the import of another tool's project."""

from __future__ import annotations

import asyncio
import csv
import io
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from html import escape
from itertools import count
from pathlib import Path
from typing import Any, Literal, cast
from urllib.parse import unquote

from nicegui import background_tasks, ui
from nicegui.elements.upload_files import FileUpload
from nicegui.events import MultiUploadEventArguments

from pnp.draw.look import STYLES, art_column, front
from pnp.flows.start import (
    begun,
    copy_game,
    entitle,
    free_name,
    start_from_pictures,
    start_from_table,
    start_game,
    suggestion,
)
from pnp.read.csvfile import MOST_BYTES
from pnp.read.game import read_game
from pnp.read.grid import SUFFIXES
from pnp.read.project import Project, title_of
from pnp.studio.desk import Desk
from pnp.studio.messages import FaceSeen
from pnp.studio.project import Cover, Job, Studio
from pnp.studio.window import CHOOSE, CHOOSE_FOLDER, UPLOAD, dress, follow, picture
from pnp.system.addons import load, names
from pnp.system.paths import ENDINGS
from pnp.values.game import Look
from pnp.values.problems import Fault, Problem, Problems, visible
from pnp.values.tables import Table


class Home:
    """One window of the home page."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._tiles: dict[str, ui.html] = {}

    def show(self) -> None:
        with ui.element("div").classes("home"):
            with ui.element("div").classes("bar"):
                ui.html("<h1>Your games</h1>", sanitize=False)
                ui.button("New game", on_click=lambda: ui.navigate.to("/new")).props("no-caps unelevated")
            with ui.element("nav").classes("games").props('aria-label="Games"'):
                for name in self._studio.project.games():
                    with ui.link(target=f"/game/{name}").classes("game"):
                        self._tiles[name] = ui.html("", sanitize=False)
        self.refresh()
        shelf = self._studio.shelf
        follow(self.refresh, shelf.listeners)
        background_tasks.create(shelf.look())

    def refresh(self) -> None:
        """Updates the covers."""
        for name, tile in self._tiles.items():
            tile.set_content(self._tile(name))

    def _tile(self, name: str) -> str:
        cover, fresh = self._studio.shelf.cover(name), self._studio.shelf.fresh(name)
        said = cover.said if cover and fresh else "Drawing …"
        wrong = cover.wrong if cover and fresh else ""
        return (
            f'<div class="shown">{shown(name, cover)}</div><h2>{escape(title_of(self._studio.project.content / name))}</h2>'
            f'<p class="{wrong}">{escape(said)}</p><p>{escape(printed(self._studio.project.root / "output" / name))}</p>'
        )


def shown(game: str, cover: Cover | None) -> str:
    """The cover of a game, or an empty card."""
    if cover is None or not cover.picture:
        return f'<i class="card{" empty" if cover else ""}"></i>'
    return f'<img alt="" src="data:image/png;base64,{cover.picture}">'


def printed(output: Path) -> str:
    """When the print files were made, in words."""
    times = []
    for file in output.glob("*/print.pdf"):
        with suppress(OSError):
            times.append(file.stat().st_mtime)
    return f"Print files of {datetime.fromtimestamp(max(times)):%Y-%m-%d}" if times else "No print files yet"


def home(studio: Studio) -> None:
    """Builds the home page."""
    dress("pnp studio")
    Home(studio).show()


OURS = 'name,cost,type,text\nGrey Heron,3,Bird,"**Draw two** cards, then put one of them back on top."\n'
ROWS, SAMPLE = "rows", "cards"


class Gallery:
    """A temporary game with a component for each style, and the sample of ``pnp new``."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._home = tempfile.TemporaryDirectory(prefix="pnp-styles-", ignore_cleanup_errors=True)
        taken = {*studio.project.games(), *studio.desks}
        self._name = next(name for name in (f"=styles-{number}" for number in count(1)) if name not in taken)
        root = Path(self._home.name).resolve()
        self._folder = root / "content" / self._name
        self._project = Project(root)
        for file, data in begun("starter", self._name).items():
            self._put(file, data)
        self._toml = (self._folder / "game.toml").read_text("utf-8")
        self.show("ours.csv", OURS.encode())
        self.desk = studio.desks[self._name] = Desk(root, self._name)
        self.desk.open()

    def close(self) -> None:
        self._studio.desks.pop(self._name, None)
        self.desk.close()
        self._home.cleanup()

    @property
    def faces(self) -> Mapping[str, FaceSeen]:
        """The fronts drawn so far, by style, and that of the sample."""
        seen = self.desk.seen
        return {each.name: each.faces[0] for each in seen.components if each.faces} if seen else {}

    def show(self, file: str, data: bytes) -> Table:
        """Draws the first card of a table; returns the table. Raises Fault."""
        suffix = Path(file).suffix.lower()
        if suffix not in SUFFIXES:
            raise Fault(f"{Path(file).name} is no table. Allowed: {', '.join(SUFFIXES)}.")
        if len(data) > MOST_BYTES:
            raise Fault(f"{Path(file).name} is larger than {MOST_BYTES // 1_000_000} MB.")
        tried = Project(self._project.root / "tried")
        folder = tried.content / self._name
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        (folder / f"{ROWS}{suffix}").write_bytes(data)
        (folder / "game.toml").write_text('[game]\nname = "?"\n' + "".join(map(_component, STYLES)), encoding="utf-8")
        problems = Problems()
        game = read_game(tried, self._name, problems)
        wrong = [problem for problem in problems if problem.severity == "error"]
        if game is None or wrong or not game.components:
            raise Fault(_said(wrong[0]) if wrong else "It cannot be read.")
        table = game.components[0].table
        for component, style in zip(game.components, STYLES, strict=True):
            source = front(component, style, pictured=False)
            self._put(f"templates/{style}.svg.j2", source.encode())
        self._put(f"{ROWS}.csv", _first(table).encode())
        components = (f'{_component(style)}template = "{style}"\n' for style in STYLES)
        self._put("game.toml", "".join((self._toml, *components)).encode())
        return table

    def _put(self, file: str, data: bytes) -> None:
        path = self._folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _said(problem: Problem) -> str:
    """A finding about a table, without the temporary game's names."""
    if problem.rule == "no-rows":
        return "There is no row below the names of its columns yet."
    row = f"Row {problem.place.row}: " if problem.place.row else ""
    hint = f" {problem.hint}" if problem.hint else ""
    return f"{row}{problem.message[:1].upper() if not row else problem.message[:1]}{problem.message[1:].rstrip('.')}.{hint}"


def _component(style: str) -> str:
    return f'\n[component.{style}]\nsize = "poker"\ntable = "{ROWS}"\n'


def _first(table: Table) -> str:
    """The first row as CSV, without counts and missing pictures."""
    row, made = table.rows[0], io.StringIO()
    left_out = {"id", table.counted, art_column(table)}
    columns = [column for column in table.columns if column not in left_out]
    titles = dict(zip(table.columns, table.titles, strict=False))
    lines = csv.writer(made, lineterminator="\n")
    lines.writerow(["id", *(titles.get(column, column) for column in columns)])
    lines.writerow([row.id, *(row.display(column) for column in columns)])
    return made.getvalue()


Kind = Literal["sample", "deck", "pictures", "blank", "project", "copy"]
KINDS: dict[Kind, tuple[str, str]] = {
    "sample": ("A sample", "Ten cards with drawings and a rulebook, to change into yours."),
    "deck": ("A deck from a table", "Each row a card, drawn by what its columns are called."),
    "pictures": ("Finished pictures", "Each is a whole card, as another program has drawn it."),
    "blank": ("A blank", "One card, to draw yourself. Drop pictures on it: each becomes a card."),
    "project": ("Another tool's project", "Of Squib, nanDECK, CardMaker, Cider … as far as it comes over."),
    "copy": ("A copy", "Of a game that is here already."),
}
# A card that is all picture.
DRAWN = (
    '<svg class="card" viewBox="0 0 63 88" aria-hidden="true"><rect width="63" height="88" fill="#8fc1de"/>'
    '<circle cx="45" cy="23" r="9" fill="#ffd166"/><path d="M0 62L20 36L34 54L46 42L63 64V88H0z" fill="#4d7c59"/>'
    '<path d="M0 74Q30 62 63 76V88H0z" fill="#375d43"/></svg>'
)
# The letters of a title that is still one.
LONGEST = 80
HINT = "name\tcost\ttype\ttext\nGrey Heron\t3\tBird\tDraw two cards."
PASTED = "cards"
# What may be dropped at once, in bytes: a little less than a page may send.
MOST_AT_ONCE = 64_000_000
TOO_MUCH = f"At once {MOST_AT_ONCE // 1_000_000} MB can be dropped. A larger project can be named by its folder."


def plain(title: str) -> str:
    """A title on one line of visible characters; a folder name becomes words."""
    said = " ".join("".join(letter for letter in title if letter.isprintable()).split())[:LONGEST].strip()
    return said.replace("-", " ").capitalize() if "-" in said and said == suggestion(said) else said


class Beginning:
    """One window of the *New game* page."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._gallery = Gallery(studio)
        self._bringing = Bringing(studio)
        self._finished = Finished()
        self._kind: Kind = "sample"
        self._style: Look = "plain"
        self._of = next(iter(studio.project.games()), "")
        self._file, self._rows, self._table = "", b"", cast("Table | None", None)
        self._parts: dict[Kind, ui.element] = {}
        self._pictures: dict[str, ui.html] = {}

    def show(self) -> None:
        games = self._studio.project.games()
        with ui.element("div").classes("home begin"):
            if games:
                ui.link("All games", "/").classes("back")
            ui.html(f"<h1>{'New game' if games else 'Your first game'}</h1>", sanitize=False)
            self._name = ui.input("What is it called?", on_change=self._named).props("outlined autofocus")
            self._name.props["maxlength"] = LONGEST
            self._name.on("keydown.enter", self._make)
            self._where = ui.label("").classes("said")
            ui.html("<h2 id='with'>What does it begin with?</h2>", sanitize=False)
            with ui.element("div").classes("picks").props('role=radiogroup aria-labelledby="with"'):
                for kind, (title, about) in KINDS.items():
                    if kind != "copy" or games:
                        self._pick("kind", kind, kind == self._kind, title, about)
            upload = ui.upload(auto_upload=True, multiple=True, max_total_size=MOST_AT_ONCE, on_multi_upload=self._uploaded)
            upload.on_rejected(lambda: self._tell(TOO_MUCH, True)).classes(UPLOAD)
            self._deck()
            with ui.element("section") as self._parts["project"]:
                self._bringing.show()
            with ui.element("section") as self._parts["pictures"]:
                self._finished.show()
            self._copies(games)
            with ui.element("div").classes("bar last"):
                ui.button("Make the game", on_click=self._make).props("no-caps unelevated size=1rem padding='sm lg'")
                self._wrong = ui.label("").classes("wrong").props("role=alert")
        self._named()
        self._chosen("kind", self._kind)
        follow(self.refresh, self._gallery.desk.listeners)
        ui.context.client.on_delete(self._gallery.close)
        ui.context.client.on_delete(self._bringing.close)
        ui.context.client.on_delete(self._finished.close)
        self.refresh()

    def _pick(self, group: str, value: str, on: bool, title: str, about: str = "") -> None:
        """A picture to choose: a native radio button, for the keyboard."""
        with ui.element("label").classes("pick"):
            button = ui.element("input").props(f'type=radio name={group} value="{escape(value, quote=True)}"')
            if on:
                button.props("checked")
            button.on("change", lambda: self._chosen(group, value), args=[])
            self._pictures[f"{group} {value}"] = ui.html("", sanitize=False).classes("shown")
            ui.html(f"<b>{escape(title)}</b>{f'<span>{escape(about)}</span>' if about else ''}", sanitize=False)

    def _deck(self) -> None:
        with ui.element("section") as self._parts["deck"]:
            ui.html("<h2>The table</h2>", sanitize=False)
            with ui.element("div").classes("table"):
                self._paste = ui.textarea("Paste cells of a spreadsheet, or CSV", placeholder=HINT)
                self._paste.props("outlined input-class=cells debounce=250").on_value_change(
                    lambda event: self._pasted(str(event.value or ""))
                )
                with ui.element("div").classes("drop"):
                    ui.button("Choose a file …", color="primary").props("no-caps outline").on("click", js_handler=CHOOSE)
                    ui.label("or drop one here: CSV, XLSX, ODS").classes("said")
            self._said = ui.label("").classes("said").props("role=status")
            ui.html("<h2 id='look'>How the cards look</h2>", sanitize=False)
            with ui.element("div").classes("picks looks").props('role=radiogroup aria-labelledby="look"'):
                for style in STYLES:
                    self._pick("style", style, style == self._style, style.capitalize())

    def _copies(self, games: list[str]) -> None:
        with ui.element("section") as self._parts["copy"]:
            ui.html("<h2 id='of'>Which one?</h2>", sanitize=False)
            with ui.element("div").classes("picks looks").props('role=radiogroup aria-labelledby="of"'):
                for name in games:
                    self._pick("of", name, name == self._of, title_of(self._studio.project.content / name))
                    self._put(f"of {name}", shown(name, self._studio.shelf.cover(name)))

    def refresh(self) -> None:
        """Updates the pictures."""
        seen = {f"style {style}": style for style in STYLES} | {"kind sample": SAMPLE}
        for key, name in seen.items():
            self._put(key, self._card(name) or '<i class="card"></i>')
        self._put("kind blank", '<i class="card empty"></i>')
        self._put("kind pictures", DRAWN)
        self._put("kind project", '<i class="card under dashed"></i><i class="card over"></i>')
        self._put("kind copy", '<i class="card under"></i><i class="card over"></i>')
        fan = "".join(map(self._card, ("woodland", "night", "comic")))
        self._put("kind deck", f'<div class="fan">{fan}</div>' if fan else '<i class="card"></i>')

    def _card(self, name: str) -> str:
        face = self._gallery.faces.get(name)
        if face is None:
            return ""
        shape = f"aspect-ratio: {face.width:g} / {face.height:g}"
        return f'<img alt="" style="{shape}" src="{picture(self._gallery.desk.name, face, 150)}">'

    def _put(self, key: str, drawn: str) -> None:
        if key in self._pictures:
            self._pictures[key].set_content(drawn)

    def _named(self) -> None:
        title = plain(str(self._name.value or ""))
        folder = free_name(self._studio.project.root, title)
        self._where.set_text(f"Its folder will be content/{folder}." if title else "Its folder is called after it.")

    def _chosen(self, group: str, value: str) -> None:
        if group == "style" and value in STYLES:
            self._style = cast("Look", value)
        if group == "of":
            self._of = value
        if group == "kind" and value in KINDS:
            self._kind = cast("Any", value)
            for kind, part in self._parts.items():
                part.set_visibility(kind == value)
        self._wrong.set_text("")

    def _pasted(self, text: str) -> None:
        # Cells that come from a spreadsheet are parted by tabs.
        file = f"{PASTED}.tsv" if "\t" in text.partition("\n")[0] else f"{PASTED}.csv"
        self._take(file, text.encode("utf-8", "replace") if text.strip() else b"")

    async def _uploaded(self, event: MultiUploadEventArguments) -> None:
        event.sender.run_method("reset")
        if self._kind == "project":
            await self._bringing.take(event.files)
        elif self._kind == "pictures":
            await self._finished.take(event.files)
        elif event.files[0].size() > MOST_BYTES:
            self._tell(f"A table has {MOST_BYTES // 1_000_000} MB at most.", True)
        else:
            data = await event.files[0].read()
            self._paste.set_value("")
            self._take(event.files[0].name, data)

    def _take(self, file: str, data: bytes) -> None:
        """Shows how a table looks as cards, or why it cannot."""
        self._file, self._rows, self._table = file, data, None
        if not data:
            self._tell("")
            return
        try:
            table = self._table = self._gallery.show(file, data)
        except Fault as error:
            pictured = (
                "A picture is no table. Choose Finished pictures, if each is a whole card; else begin with a blank one, "
            )
            pictured += "and drop all pictures on it: each becomes a card."
            self._tell(pictured if file.lower().endswith(ENDINGS) else str(error), True)
            return
        self._gallery.desk.look()
        copies = sum(row.copies for row in table)
        columns = ", ".join(column for column in table.titles if column)
        self._tell(f"{copies} card{'s' * (copies != 1)}: {columns}. Below is the first of them.")

    def _tell(self, said: str, wrong: bool = False) -> None:
        self._said.set_text(said)
        self._said.classes(add="wrong" if wrong else "", remove="" if wrong else "wrong")

    async def _make(self) -> None:
        root, title = self._studio.project.root, plain(str(self._name.value or ""))
        if not title:
            self._wrong.set_text("Give it a name first; it can be changed later.")
            self._name.run_method("focus")
            return
        if self._kind == "deck" and self._table is None:
            self._wrong.set_text("Paste a table first, or choose a file.")
            return
        name = free_name(root, title)
        try:
            match self._kind:
                case "deck":
                    start_from_table(root, name, self._file, lambda: self._rows, self._style, title)
                case "project":
                    await self._bringing.make(name, title)
                    return
                case "pictures":
                    await asyncio.to_thread(self._finished.make, root, name, title)
                case "copy":
                    copy_game(root, name, self._of, title)
                case _:
                    start_game(root, name, "blank" if self._kind == "blank" else "starter", title)
        except Fault as error:
            self._wrong.set_text(str(error))
        except OSError as error:
            self._wrong.set_text(f"It could not be written: {error.strerror or error}.")
        else:
            ui.navigate.to(f"/game/{name}")


def begin(studio: Studio) -> None:
    """Builds the *New game* page."""
    dress("New game")
    Beginning(studio).show()


class Finished:
    """The form that makes a game of finished pictures, each of which is a whole card."""

    def __init__(self) -> None:
        self._home = tempfile.TemporaryDirectory(prefix="pnp-pictures-", ignore_cleanup_errors=True)

    def close(self) -> None:
        self._home.cleanup()

    def show(self) -> None:
        ui.html("<h2>The pictures</h2>", sanitize=False)
        with ui.element("div").classes("table").props("data-key=pictures"):
            with ui.element("div").classes("named"):
                self._where = ui.input("Where are they? A folder on this machine").props("outlined")
                ui.label(
                    "One that is called back is the back of all; yeti-front and yeti-back are the sides of one card. Size "
                    "and bleed are taken by their shape, and can be changed later."
                ).classes("said")
            with ui.element("div").classes("drop"):
                ui.button("Choose files …", color="primary").props("no-caps outline").on("click", js_handler=CHOOSE)
                ui.label("or drop them here, or their folder").classes("said")
        self._said = ui.label("").classes("said").props("role=status")

    async def take(self, files: Sequence[FileUpload]) -> None:
        """Stores uploaded files beside those that came before."""
        room = Path(self._home.name).resolve()
        for file in files:
            # In a folder, names are relative paths.
            target = _inside(room, Path(unquote(file.name).replace("\\", "/")).name)
            if target is not None:
                with suppress(OSError):
                    await file.save(target)
        self._where.set_value("")
        count = len([*room.iterdir()])
        self._said.set_text(f"{count} file{'s' * (count != 1)}")

    def make(self, root: Path, name: str, title: str) -> None:
        """Makes the game. Raises Fault, OSError."""
        typed = str(self._where.value or "").strip().strip("\"'")
        folder = Path(typed) if typed else Path(self._home.name)
        if not typed and not any(folder.iterdir()):
            raise Fault("Name their folder first, or drop them.")
        if not folder.is_dir():
            raise Fault(f"There is no folder {folder} on this machine.")
        start_from_pictures(root, name, folder.resolve(), title)


# Of a zip: what it holds at most, unpacked.
MOST_FILES, MOST_UNPACKED = 20_000, 1_000_000_000
INSTALL = "To bring projects of Squib, nanDECK, CardMaker … type: pip install 'pnp-press[imports]'"


class Bringing:
    """Form that imports another tool's project, and shows the score and findings."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._job = Job()
        self._home = tempfile.TemporaryDirectory(prefix="pnp-project-", ignore_cleanup_errors=True)
        self._dropped: Path | None = None
        self._made = ""
        self.missing = ""
        """How to install the add-on of imports, where it is missing; else empty."""
        try:
            load("pnp.commands", "import")
        except (Fault, KeyError):
            self.missing = INSTALL

    def close(self) -> None:
        self._job.stop()
        self._home.cleanup()

    def show(self) -> None:
        if self.missing:
            ui.label(self.missing).classes("said")
            return
        ui.html("<h2>The project</h2>", sanitize=False)
        with ui.element("div").classes("table").props("data-key=project"):
            with ui.element("div").classes("named"):
                self._where = ui.input("Where is it? A file, a folder or a zip on this machine").props("outlined")
                self._where.on_value_change(self._named)
                tools = {"": "Whatever its files say", **{name: name for name in names("pnp.imports")}}
                self._tool = ui.select(tools, value="", label="Whose project it is").props("outlined")
            with ui.element("div").classes("drop"):
                for label, choose in (("Choose a file …", CHOOSE), ("Choose a folder …", CHOOSE_FOLDER)):
                    ui.button(label, color="primary").props("no-caps outline").on("click", js_handler=choose)
                ui.label("or drop it here, or a zip of it").classes("said")
        self._said = ui.label("").classes("said").props("role=status")
        self._bar = ui.linear_progress(show_value=False).props('indeterminate aria-label="At work"')
        self._open = ui.button("Open the game", on_click=lambda: ui.navigate.to(f"/game/{self._made}"))
        self._open.props("no-caps unelevated")
        self._log = ui.label("").classes("log").props('role=log aria-label="What has come over" tabindex=0')
        follow(self.refresh, self._job.listeners)
        self.refresh()

    def refresh(self) -> None:
        """Shows the output and progress of the import."""
        self._log.set_text(self._job.said)
        self._log.set_visibility(bool(self._job.said))
        self._bar.set_visibility(self._job.running)
        self._open.set_visibility(bool(self._made))

    def _named(self) -> None:
        if self._where.value:
            self._dropped = None
            self._said.set_text("")

    async def take(self, files: Sequence[FileUpload]) -> None:
        """Stores uploaded files; in a folder, names are relative paths."""
        room = Path(self._home.name).resolve()
        shutil.rmtree(room, ignore_errors=True)
        room.mkdir(exist_ok=True)
        count = 0
        for file in files:
            target = _inside(room, unquote(file.name))
            if target is not None:
                with suppress(OSError):
                    await file.save(target)
                    count += 1
        tops = [*room.iterdir()]
        self._dropped = tops[0] if len(tops) == 1 else room
        self._where.set_value("")
        lost = f"; {len(files) - count} could not be kept here" if count < len(files) else ""
        named = f"{self._dropped.name}, {count} files" if count != 1 else tops[0].name if tops else ""
        self._said.set_text(named + lost)

    async def make(self, name: str, title: str) -> None:
        """Imports the game. Raises Fault, OSError."""
        if self.missing:
            raise Fault(self.missing)
        typed = str(self._where.value or "").strip().strip("\"'")
        source = Path(typed) if typed else self._dropped
        if source is None:
            raise Fault("Name a project first, or drop it.")
        with suppress(RuntimeError):  # nobody's home
            source = source.expanduser()
        if not source.exists():
            raise Fault(f"There is no {source} on this machine.")
        if source.is_file() and zipfile.is_zipfile(source) and source.suffix.lower() == ".zip":
            source = await asyncio.to_thread(unpacked, source, Path(self._home.name).resolve() / "zip" / source.stem)
        tool = ["--as", str(self._tool.value)] if self._tool.value else []
        self._made = ""
        root = self._studio.project.root
        await self._job.run(root, ["import", *tool, "--", str(source.resolve()), name])
        if self._job.done:
            entitle(root, name, title)
            self._made = name
        self.refresh()


def _inside(room: Path, name: str) -> Path | None:
    """The path for an uploaded file, its folder made; None for a name that leads outside."""
    with suppress(OSError, ValueError):
        target = (room / name.lstrip("/")).resolve()
        if target != room and target.is_relative_to(room):
            target.parent.mkdir(parents=True, exist_ok=True)
            return target
    return None


def unpacked(file: Path, room: Path) -> Path:
    """Unpacks a zip and returns its folder. Raises Fault."""
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(parents=True)
    try:
        with zipfile.ZipFile(file) as packed:
            inside = [each for each in packed.infolist() if not each.is_dir()]
            if len(inside) > MOST_FILES or sum(each.file_size for each in inside) > MOST_UNPACKED:
                raise Fault(f"{file.name} holds more than {MOST_FILES} files, or more than {MOST_UNPACKED // 1_000_000} MB.")
            for each in inside:
                if (target := _inside(room, each.filename)) is None:
                    raise Fault(f"{file.name} holds {visible(each.filename)[:80]}, which would lie outside its folder.")
                with packed.open(each) as data, target.open("wb") as made:
                    shutil.copyfileobj(data, made)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, NotImplementedError) as error:
        raise Fault(f"{file.name} cannot be unpacked: {error}.") from None
    return room
