"""The findings pane, and the print pane, which runs builds and exports in a process that can be stopped."""

from __future__ import annotations

import asyncio
import json
import os
from functools import partial
from html import escape
from pathlib import Path
from typing import get_args

from nicegui import background_tasks, ui

from pnp.shapes.affine import Flip
from pnp.studio.promises import PromisesPart
from pnp.studio.sheets import BACKS
from pnp.studio.wall import INKS
from pnp.studio.window import Empty, Window
from pnp.system import printers
from pnp.system.addons import load, names
from pnp.system.paths import config_folder, launched
from pnp.values.problems import Fault, Problem


class FindingsView:
    """All findings, errors first."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._promises = PromisesPart(window)

    def show(self) -> None:
        with ui.element("div").classes("view findings").props('role="region" aria-label="Findings"'):
            self._list = ui.html("", sanitize=False)
            self._none = Empty(
                "Nothing wrong. A few checks look at each printed dot and take longer: they run by this button.",
                "Check everything",
                "Check everything",
                "task_alt",
            )
            self._promises.show()

    def refresh(self) -> None:
        desk = self._window.desk
        self._promises.refresh()
        found = self._window.findings
        problems = found.problems if found else ()
        self._none.show(desk.findings is not None and desk.findings.whole and not problems and not desk.fault)
        if desk.fault:
            self._list.set_content(f'<div class="finding error">{escape(desk.fault)}</div>')
        elif desk.findings is None:
            self._list.set_content('<p class="said">Checking …</p>')
        else:
            ordered = sorted(enumerate(problems), key=lambda each: each[1].severity != "error")
            told = "".join(finding(number, problem) for number, problem in ordered)
            left = "" if desk.findings.whole else '<p class="said">Other checks wait until the errors are mended.</p>'
            self._list.set_content(told + left)


def finding(number: int, problem: Problem) -> str:
    """One finding as HTML; a click opens its place."""
    said = [f"<p>{escape(problem.message)}</p>"]
    if problem.hint:
        said.append(f'<p class="said">{escape(problem.hint)}</p>')
    return (
        f'<button class="finding {problem.severity}" onclick="act(&quot;finding&quot;, &quot;{number}&quot;)">'
        f'<span class="where">{escape(problem.severity)} · {escape(str(problem.place))}</span>{"".join(said)}</button>'
    )


NOTHING = (
    "Choose above what to print, and press Make the print files. The files stand here then, each with a button to open it."
)
PAPERS = {"": "The game's papers", "a4": "A4", "letter": "Letter"}
WHOLE = {"": "The whole game", "piece": "The selected piece", "sheets": "Some sheets", "changed": "What has changed"}
# Files of one result that have a button of their own at once.
MOST_OPENED = 8


class MakingView:
    """The print pane: prints, exports or calibrates, one command at a time, and shows the results."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._job = window.studio.job(window.desk.name)
        self._told = ""

    def show(self) -> None:
        with ui.element("div").classes("view printing"):
            with ui.element("section"):
                ui.html("<h2>On paper</h2><p>Sheets to print and cut, and the books.</p>", sanitize=False)
                self._what = ui.select(WHOLE, value="", label="What").props("outlined dense")
                self._sheets = ui.input("Which sheets, such as 3-5,8").props("outlined dense")
                self._sheets.bind_visibility_from(self._what, "value", value="sheets")
                self._what.on_value_change(self._on_a_paper)
                self._paper = ui.select(PAPERS, value="", label="Paper").props("outlined dense")
                self._backs = ui.select(BACKS, value="long-edge", label="Backs").props("outlined dense")
                self._ink = ui.select(INKS, value="", label="Ink").props("outlined dense")
                self._tongue = ui.select({"": "The game's own"}, value="", label="Language").props("outlined dense")
                self._printer = ui.select({"": "No correction"}, value="", label="Printer").props("outlined dense")
                ui.button("Make the print files", on_click=self.build).props("no-caps unelevated")
                ui.button("Note it as printed", on_click=self._printed).props("no-caps flat dense")
            with ui.element("section"):
                ui.html("<h2>Elsewhere</h2><p>For a virtual table, a print shop or a web page.</p>", sanitize=False)
                targets = [*names("pnp.exports")]
                self._target = ui.select(targets, value=next(iter(targets), None), label="Export for")
                self._target.props("outlined dense").on_value_change(self._says)
                self._of_it = ui.label("").classes("said")
                self._spoken = ui.select({"": "The game's own"}, value="", label="Export in").props("outlined dense")
                ui.button("Export", on_click=self._export).props("no-caps unelevated")
                ui.html(
                    "<h2>All checks</h2><p>Also those that look at each printed dot, which takes longer.</p>", sanitize=False
                )
                ui.button("Check everything", on_click=lambda: self.run("check")).props("no-caps outline")
            with ui.element("section").classes("wide"):
                with ui.element("div").classes("heading"):
                    self._title = ui.html("", sanitize=False, tag="h2")
                    self._stop = ui.button("Stop", icon="stop", on_click=self._job.stop).props("no-caps flat dense")
                self._bar = ui.linear_progress(show_value=False).props('indeterminate aria-label="At work"')
                self._none = ui.label(NOTHING).classes("said")
                self._outcome = ui.label("").classes("outcome").props("role=status")
                self._made = ui.element("div").classes("made")
                with ui.element("details") as self._all:
                    ui.html("All that the command says", sanitize=False, tag="summary")
                    self._log = ui.label("").classes("log").props('role=log aria-label="What the command says" tabindex=0')
            self._calibration()
        self.refresh()

    def _calibration(self) -> None:
        how = "Print the test page on both sides and hold it to the light. On each scale read the number where a tick of "
        how += "the front and one of the back make one line: dx above and below, dy left and right."
        with ui.element("section").classes("wide calibrating"):
            ui.html(f"<h2>Backs that match</h2><p>{how}</p>", sanitize=False)
            with ui.element("div").classes("asked"):
                self._named = ui.input("The printer, in your words").props("outlined dense")
                numbers = (("dx in mm", 0.05), ("dy in mm", 0.05), ("Turned, degrees", 0.01), ("Margin in mm", 0.5))
                self._numbers = [ui.number(label, step=step).props("outlined dense") for label, step in numbers]
            with ui.element("div").classes("bar"):
                ui.button("Make the test page", on_click=self._test).props("no-caps outline")
                ui.button("Keep these numbers", on_click=self._keep).props("no-caps unelevated")

    async def _says(self) -> None:
        """Tells what comes of an export; what makes it is loaded for that."""
        name = str(self._target.value)
        try:
            said = (await asyncio.to_thread(load, "pnp.exports", name)).says
        except Fault as refused:
            said = str(refused)
        if name == self._target.value:
            self._of_it.set_text(f"{said[:1].upper()}{said[1:]}.")

    def refresh(self) -> None:
        """Shows the command's output, in every window."""
        seen, job = self._window.desk.seen, self._job
        if self._window.at("Print") and not self._of_it.text:
            background_tasks.create(self._says())
        _offer(self._paper, {**PAPERS, **{each: each for each in (seen.papers if seen else ()) if each not in PAPERS}})
        parts = {f"only {each.name}": f"Only {each.title}" for each in (seen.components if seen else ())}
        _offer(self._what, {**WHOLE, **parts})
        tongues = {"": "The game's own", **dict(seen.languages if seen else ())}
        _offer(self._tongue, {**tongues, "all": "All, each by itself"})
        _offer(self._spoken, tongues)
        for choice in (self._tongue, self._spoken):
            choice.set_visibility(len(tongues) > 1)
        self._log.set_text(job.said)
        self._outcome.set_text(outcome(job.said, job.running))
        self._all.set_visibility(bool(job.said))
        self._title.set_content(
            "What is being made"
            if job.running
            else "What was made"
            if job.done
            else "It was not made"
            if job.said
            else "Nothing was made yet"
        )
        self._none.set_visibility(not job.said and not job.running)
        for shown in (self._bar, self._stop):
            shown.set_visibility(job.running)
        if not job.running and job.said != self._told:
            self._told = job.said
            # What went wrong is read in full.
            self._all.props(add="" if job.done else "open", remove="open" if job.done else "")
            try:
                known = {name: name for name in printers.stored(config_folder())}
            except Fault:
                known = {}
            _offer(self._printer, {"": "No correction", **known})
            self._show_made()

    def _show_made(self, most: int = MOST_OPENED) -> None:
        self._made.clear()
        files = made(self._told, self._window.studio.project.root) if self._job.done else []
        with self._made:
            if len(files) > MOST_OPENED:
                folder = Path(os.path.commonpath(files))
                ui.label(f"{len(files)} files in {folder.name}")
                ui.button("Open the folder", on_click=partial(self._launch, folder)).props(
                    "no-caps unelevated dense padding='xs md'"
                )
                button = ui.button("Show all", on_click=lambda: self._show_made(len(files))).props("no-caps flat dense")
                button.set_enabled(most < len(files))
            for path in files[:most]:
                ui.label("/".join(path.relative_to(self._window.studio.project.root / "output").parts[1:]))
                ui.button("Open", on_click=partial(self._launch, path)).props("no-caps unelevated dense padding='xs md'")
                ui.button("Show in folder", on_click=partial(self._launch, path, True)).props("no-caps flat dense")
                if (about := path / "README.txt").is_file():
                    ui.label(about.read_text("utf-8", "replace")).classes("about")

    async def _launch(self, path: Path, locate: bool = False) -> None:
        if not await asyncio.to_thread(launched, path, locate):
            self._window.tell(f"No program was found that opens it. It is {path}")

    def _on_a_paper(self) -> None:
        """Sheets are those of one paper: chooses the game's first."""
        seen = self._window.desk.seen
        if self._what.value == "sheets" and not self._paper.value and seen and seen.papers:
            self._paper.set_value(seen.papers[0])

    def build(self, what: str | None = None) -> None:
        """Builds the print files by the options chosen; ``what`` restricts it to a part."""
        what = str(self._what.value or "") if what is None else what
        part = self._part(what)
        if what == "sheets" and not self._sheets.value:
            self._window.tell("Say which sheets first, such as 3-5,8. The view Sheets has their numbers.")
            return
        if what == "sheets":
            self._on_a_paper()
            part = [f"--sheets={self._sheets.value or ''}"]
        elif what == "changed":
            part = ["--changed"]
        if part is not None:
            paper = ["--paper", str(self._paper.value)] if self._paper.value else []
            printer = [f"--printer={self._printer.value}"] if self._printer.value else []
            tongue = str(self._tongue.value or "")
            spoken = ["--languages", "all"] if tongue == "all" else ["--language", tongue] if tongue else []
            self.run("build", *part, *paper, *printer, *spoken, *self._ways)

    def _export(self) -> None:
        spoken = [f"--language={self._spoken.value}"] if self._spoken.value else []
        self.run("export", str(self._target.value), *spoken)

    def _printed(self) -> None:
        """Records in the print history that this is on paper."""
        what = str(self._what.value or "")
        if what == "sheets":
            self._window.tell("Choose the whole game, a component or a piece: sheets change when something is added.")
        elif (part := self._part(what)) is not None:
            self.run("printed", *part, *self._ways)

    def _part(self, what: str) -> list[str] | None:
        """The option that selects a part; None if nothing is selected."""
        if what == "piece":
            face = self._window.face
            if face is None:
                self._window.tell("Select a piece first.")
                return None
            return [f"--only={face.component}:{face.piece}"]
        return [f"--only={what.removeprefix('only ')}"] if what.startswith("only ") else []

    @property
    def _ways(self) -> list[str]:
        return ["--backs", str(self._backs.value), *([f"--{self._ink.value}"] if self._ink.value else [])]

    def _flip(self) -> list[str]:
        return ["--backs", str(self._backs.value)] if self._backs.value in get_args(Flip) else []

    def _test(self) -> None:
        known = [f"--printer={self._named.value}"] if self._named.value in self._printer.options else []
        self._do("calibrate", *known, *self._flip())

    def _keep(self) -> None:
        if not self._named.value:
            self._window.tell("Give the printer a name first.")
            return
        *shift, margin = (number.value for number in self._numbers)
        edge = [f"--margin={margin:g}mm"] if margin else []
        numbers = ",".join(f"{number or 0:g}" for number in shift)
        self._do("calibrate", f"--set={numbers}", f"--printer={self._named.value}", *edge, *self._flip())

    def run(self, command: str, *words: str) -> None:
        """Runs a pnp command for this game."""
        name = self._window.desk.name
        if drafts := self._window.studio.documents.unsaved(name):
            self._window.tell(f"Without what is not saved: {', '.join(each.name for each in drafts)}.")
        self._do(command, *words, name)

    def _do(self, *words: str) -> None:
        self._window.go("Print")
        if self._job.running:
            self._window.tell("Something is being made already. Stop it first.")
            return
        background_tasks.create(self._job.run(self._window.studio.project.root, list(words)))


def _offer(choice: ui.select, options: dict[str, str]) -> None:
    """Replaces a menu's options and keeps the choice if it is still offered."""
    if choice.options != options:
        choice.set_options(options, value=choice.value if choice.value in options else "")


def outcome(said: str, running: bool) -> str:
    """The short form of a command's output: its last line, and how it ended."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if running or not lines:
        return lines[-1] if lines else ""
    *before, end = lines
    last = (before or [""])[-1]
    if end == "done":
        return f"Done: {last}" if last else "Done."
    return "Stopped." if end == "stopped" else f"Not made: {last.removeprefix('Error: ')}"


def made(said: str, root: Path) -> list[Path]:
    """The files that a command has made, by its output: those to print, else their folder."""
    found = [line[at:] for line in said.splitlines() if (at := line.find("output/")) >= 0]
    paths = [root / text for text in found if (root / text).exists()]
    if not paths or not paths[-1].is_dir():
        return paths
    folder = paths[-1]
    try:
        files = json.loads((folder / "manifest.json").read_text("utf-8"))["files"]
    except (OSError, ValueError, KeyError):
        files = []
    pages = sorted((not name.endswith("print.pdf"), name) for name in files if name.endswith(".pdf"))
    return [folder / name for _, name in pages] or [folder]
