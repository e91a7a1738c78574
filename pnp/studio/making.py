"""Printing and exporting from the studio: the same commands as in a terminal, each in a process that can be stopped."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nicegui import ui

    from pnp.studio.opened import Window


class MakingView:
    """One command at a time."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._process: asyncio.subprocess.Process | None = None
        self._log: ui.label | None = None
        self._files: ui.element | None = None
        self._paper: ui.select | None = None
        self._backs: ui.select | None = None
        self._ink: ui.checkbox | None = None
        self._bar: ui.linear_progress | None = None

    def show(self) -> None:
        from nicegui import ui

        from pnp.flows.exports.registry import TARGETS

        papers = {"": "the game's papers", "a4": "A4", "letter": "Letter"}
        with ui.element("div").classes("view"):
            with ui.element("div").classes("bar"):
                self._paper = ui.select(papers, value="", label="Paper").style("min-width: 10rem")
                backs = {
                    "long-edge": "duplex, long edge",
                    "short-edge": "duplex, short edge",
                    "gutterfold": "fold and glue",
                    "none": "none",
                }
                self._backs = ui.select(backs, value="long-edge", label="Backs").style("min-width: 12rem")
                self._ink = ui.checkbox("Little ink")
                ui.button("Make the print files", on_click=self._build).props("no-caps")
                ui.button("Check everything", on_click=lambda: self._run("check")).props("no-caps flat")
            with ui.element("div").classes("bar"):
                target = ui.select(list(TARGETS), value=next(iter(TARGETS)), label="Export for").style("min-width: 14rem")
                ui.button("Export", on_click=lambda: self._run("export", str(target.value))).props("no-caps")
                ui.button("Stop", on_click=self._stop).props("no-caps flat")
            self._bar = ui.linear_progress(show_value=False).props('indeterminate aria-label="At work"')
            self._bar.set_visibility(False)
            self._log = ui.label("").classes("log").props('role="log"')
            self._files = ui.element("div")

    def refresh(self) -> None:
        """Files that were made stay what they are until they are made again."""

    async def _build(self) -> None:
        assert self._paper is not None and self._backs is not None and self._ink is not None
        paper = ["--paper", str(self._paper.value)] if self._paper.value else []
        await self._run("build", *paper, "--backs", str(self._backs.value), *(["--low-ink"] if self._ink.value else []))

    async def _run(self, command: str, *words: str) -> None:
        assert self._log is not None and self._bar is not None
        if self._process is not None:
            self._log.set_text("Something is being made already. Stop it first.")
            return
        studio, name = self._window.studio, self._window.desk.name
        self._log.set_text("")
        self._bar.set_visibility(True)
        before = [words[0]] if command == "export" else []
        after = [] if command == "export" else list(words)
        arguments = ["-m", "pnp", "--project", str(studio.project.root), command, *before, name, *after]
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said = ""
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            said = (said + line.decode("utf-8", "replace"))[-20_000:]
            self._log.set_text(said)
        code = await self._process.wait()
        self._process = None
        self._bar.set_visibility(False)
        self._log.set_text(said + ("done" if code == 0 else "stopped" if code < 0 or code == 130 else "not made: see above"))

    def _stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
