"""A game's page: its name, how it stands, and a tab for each thing that can be done with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pnp.studio.books import BooksView
from pnp.studio.findings import FindingsView
from pnp.studio.making import MakingView
from pnp.studio.maps import MapsView
from pnp.studio.sheets import SheetsView
from pnp.studio.tables import TablesView
from pnp.studio.texts import TextsView
from pnp.studio.wall import WallView
from pnp.values.problems import Place

if TYPE_CHECKING:
    from nicegui import ui

    from pnp.studio.desk import Desk
    from pnp.studio.opened import Studio, View


class Bench:
    """One window on one game."""

    def __init__(self, studio: Studio, desk: Desk) -> None:
        self.studio, self.desk = studio, desk
        self.tables = TablesView(self)
        self.texts = TextsView(self)
        self._views: Mapping[str, View] = {
            "Pieces": WallView(self),
            "Sheets": SheetsView(self),
            "Books": BooksView(self),
            "Map": MapsView(self),
            "Tables": self.tables,
            "Files": self.texts,
            "Findings": FindingsView(self),
            "Print": MakingView(self),
        }
        self._tabs: ui.tabs | None = None
        self._title: ui.html | None = None
        self._status: ui.button | None = None

    def show(self) -> None:
        from nicegui import ui

        with ui.header().classes("bench"):
            ui.link("All games", "/").classes("back")
            self._title = ui.html("", sanitize=False, tag="h1")
            with ui.tabs().props("no-caps inline-label outside-arrows") as tabs:
                for name in self._views:
                    ui.tab(name)
            self._tabs = tabs
            self._status = ui.button(on_click=lambda: self.go("Findings")).props("flat no-caps").classes("status")
            self._status.props('aria-live="polite"')
        with ui.tab_panels(tabs, value="Pieces").props("keep-alive animated=false").classes("views"):
            for name, view in self._views.items():
                with ui.tab_panel(name):
                    view.show()
        self.refresh()
        # What costs time is asked for when somebody looks.
        tabs.on_value_change(self.refresh)

    def refresh(self) -> None:
        from html import escape

        desk = self.desk
        assert self._title is not None and self._status is not None
        self._title.set_content(escape(desk.seen.title if desk.seen else desk.name))
        self._status.set_text(self._stands())
        for view in self._views.values():
            view.refresh()

    def _stands(self) -> str:
        desk = self.desk
        if desk.fault:
            return "Could not be drawn"
        if desk.busy or desk.findings is None:
            return "Drawing …"
        errors = sum(problem.severity == "error" for problem in desk.findings.problems)
        warnings = len(desk.findings.problems) - errors
        said = [f"{count} {word}{'s' * (count != 1)}" for count, word in ((errors, "error"), (warnings, "warning")) if count]
        return ", ".join(said) or "Nothing wrong"

    def at(self, name: str) -> bool:
        """Whether this tab is the one that is shown."""
        return self._tabs is not None and self._tabs.value == name

    def go(self, name: str) -> None:
        """Show a tab."""
        assert self._tabs is not None
        self._tabs.set_value(name)

    def open(self, place: Place) -> None:
        """Show where something stands: the row of a table, the line of a file."""
        if self.tables.holds(place.file):
            self.go("Tables")
            self.tables.open(place)
        else:
            self.go("Files")
            self.texts.open(place)
