"""Imports another tool's project in *New game*: a file, folder or zip, chosen or dropped."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

from nicegui import ui
from nicegui.elements.upload_files import FileUpload

from pnp.flows.start import entitle
from pnp.studio.page import CHOOSE, CHOOSE_FOLDER, follow
from pnp.studio.window import Job, Studio
from pnp.system.addons import load, names
from pnp.values.problems import Fault, visible

# Of a zip: what it holds at most, unpacked.
MOST_FILES, MOST_BYTES = 20_000, 1_000_000_000
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
        """Which extra to install, when the imports are missing; else empty."""
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
            if len(inside) > MOST_FILES or sum(each.file_size for each in inside) > MOST_BYTES:
                raise Fault(f"{file.name} holds more than {MOST_FILES} files, or more than {MOST_BYTES // 1_000_000} MB.")
            for each in inside:
                if (target := _inside(room, each.filename)) is None:
                    raise Fault(f"{file.name} holds {visible(each.filename)[:80]}, which would lie outside its folder.")
                with packed.open(each) as data, target.open("wb") as made:
                    shutil.copyfileobj(data, made)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, NotImplementedError) as error:
        raise Fault(f"{file.name} cannot be unpacked: {error}.") from None
    return room
