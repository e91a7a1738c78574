"""What is wrong with a game, with the way to it; and printing and exporting, in a process that can be stopped."""

from __future__ import annotations

from html import escape

from nicegui import background_tasks, ui

from pnp.studio.sheets import BACKS
from pnp.studio.window import Window
from pnp.values.problems import Problem


class FindingsView:
    """All findings, errors first."""

    def __init__(self, window: Window) -> None:
        self._window = window

    def show(self) -> None:
        with ui.element("div").classes("view findings").props('role="region" aria-label="Findings"'):
            self._list = ui.html("", sanitize=False)

    def refresh(self) -> None:
        desk = self._window.desk
        if desk.fault:
            self._list.set_content(f'<div class="finding error">{escape(desk.fault)}</div>')
        elif desk.findings is None:
            self._list.set_content('<p class="said">The rules are looking …</p>')
        else:
            problems = sorted(enumerate(desk.findings.problems), key=lambda each: each[1].severity != "error")
            told = "".join(finding(number, problem) for number, problem in problems)
            left = "" if desk.findings.whole else '<p class="said">Other rules look when the errors are mended.</p>'
            self._list.set_content((told or '<p class="said">Nothing wrong.</p>') + left)


def finding(number: int, problem: Problem) -> str:
    """One of them, by its number; a click leads to its place."""
    said = [f"<p>{escape(problem.message)}</p>"]
    if problem.hint:
        said.append(f'<p class="said">{escape(problem.hint)}</p>')
    return (
        f'<button class="finding {problem.severity}" onclick="act(&quot;finding&quot;, &quot;{number}&quot;)">'
        f'<span class="where">{escape(problem.severity)} · {escape(str(problem.place))}</span>{"".join(said)}</button>'
    )


class MakingView:
    """One command at a time."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._job = window.studio.job(window.desk.name)

    def show(self) -> None:
        from pnp.system.addons import names

        targets = names("pnp.exports")
        papers = {"": "the game's papers", "a4": "A4", "letter": "Letter"}
        with ui.element("div").classes("view printing"):
            with ui.element("section"):
                ui.html("<h2>On paper</h2><p>Sheets to print and cut, and the books.</p>", sanitize=False)
                self._paper = ui.select(papers, value="", label="Paper").props("outlined dense")
                self._backs = ui.select(BACKS, value="long-edge", label="Backs").props("outlined dense")
                self._ink = ui.checkbox("Little ink")
                ui.button("Make the print files", on_click=self.build).props("no-caps unelevated")
            with ui.element("section"):
                ui.html("<h2>Elsewhere</h2><p>For a virtual table, a print shop or a web page.</p>", sanitize=False)
                target = ui.select(list(targets), value=next(iter(targets), None), label="Export for").props(
                    "outlined dense"
                )
                ui.button("Export", on_click=lambda: self.run("export", str(target.value))).props("no-caps unelevated")
                ui.html("<h2>All rules</h2><p>Those, too, that look at printed dots.</p>", sanitize=False)
                ui.button("Check everything", on_click=lambda: self.run("check")).props("no-caps outline")
            with ui.element("section").classes("wide"):
                with ui.element("div").classes("heading"):
                    ui.html("What is being made", sanitize=False, tag="h2")
                    ui.button("Stop", icon="stop", on_click=self._job.stop).props("no-caps flat dense")
                self._bar = ui.linear_progress(show_value=False).props('indeterminate aria-label="At work"')
                self._log = ui.label("").classes("log").props('role="log"')
        self.refresh()

    def refresh(self) -> None:
        """What it has said, in whatever window it was begun."""
        self._log.set_text(self._job.said)
        self._bar.set_visibility(self._job.running)

    def build(self) -> None:
        """The print files, as they are chosen here."""
        paper = ["--paper", str(self._paper.value)] if self._paper.value else []
        self.run("build", *paper, "--backs", str(self._backs.value), *(["--low-ink"] if self._ink.value else []))

    def run(self, command: str, *words: str) -> None:
        """A command of pnp for this game."""
        self._window.go("Print")
        if self._job.running:
            self._window.tell("Something is being made already. Stop it first.")
            return
        studio, name = self._window.studio, self._window.desk.name
        if drafts := studio.documents.unsaved(name):
            self._window.tell(f"Without what is not saved: {', '.join(each.name for each in drafts)}.")
        before = [words[0]] if command == "export" else []
        after = [] if command == "export" else list(words)
        arguments = ["--project", str(studio.project.root), command, *before, name, *after]
        background_tasks.create(self._job.run(arguments))
