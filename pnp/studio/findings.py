"""What is wrong with a game, each finding with the way to where it stands."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pnp.values.problems import Problem

if TYPE_CHECKING:
    from nicegui import ui
    from nicegui.events import GenericEventArguments

    from pnp.studio.opened import Window


class FindingsView:
    """All findings, errors first."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._list: ui.html | None = None
        self._problems: tuple[Problem, ...] = ()

    def show(self) -> None:
        from nicegui import ui

        with ui.element("div").classes("view").props('role="region" aria-label="Findings"'):
            self._list = ui.html("", sanitize=False)
        ui.on("finding", self._opened)

    def refresh(self) -> None:
        desk = self._window.desk
        if self._list is None:
            return
        if desk.fault:
            self._list.set_content(f'<div class="finding error">{escape(desk.fault)}</div>')
        elif desk.findings is None:
            self._list.set_content('<p class="said">The rules are looking …</p>')
        else:
            self._problems = tuple(sorted(desk.findings.problems, key=lambda each: each.severity != "error"))
            told = "".join(_finding(number, problem) for number, problem in enumerate(self._problems))
            left = "" if desk.findings.whole else '<p class="said">Other rules look when the errors are mended.</p>'
            self._list.set_content((told or '<p class="said">Nothing wrong.</p>') + left)

    def _opened(self, event: GenericEventArguments) -> None:
        if isinstance(event.args, int) and 0 <= event.args < len(self._problems):
            self._window.open(self._problems[event.args].place)


def _finding(number: int, problem: Problem) -> str:
    said = [f"<p>{escape(problem.message)}</p>"]
    if problem.hint:
        said.append(f'<p class="said">{escape(problem.hint)}</p>')
    return (
        f'<button class="finding {problem.severity}" onclick="emitEvent(\'finding\', {number})">'
        f'<span class="where">{escape(problem.severity)} · {escape(str(problem.place))}</span>{"".join(said)}</button>'
    )
