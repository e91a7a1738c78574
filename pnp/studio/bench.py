"""The studio's pages: all games, and one game with a tab for each thing that can be done with it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from nicegui import ui

from pnp.read.project import NoSuchGame
from pnp.studio.desk import Desk
from pnp.studio.home import begin, home
from pnp.studio.making import FindingsView, MakingView
from pnp.studio.messages import counted
from pnp.studio.page import dress, follow
from pnp.studio.sheets import BooksView, MapsView, SheetsView
from pnp.studio.tables import TablesView
from pnp.studio.texts import TextsView
from pnp.studio.wall import WallView
from pnp.studio.window import Studio, View
from pnp.values.problems import Place


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
        self._drafts: ui.button | None = None

    def show(self) -> None:
        with ui.header().classes("bench"):
            ui.link("All games", "/").classes("back")
            self._title = ui.html("", sanitize=False, tag="h1")
            with ui.tabs().props("no-caps inline-label outside-arrows") as tabs:
                for name in self._views:
                    ui.tab(name)
            self._tabs = tabs
            self._drafts = ui.button(on_click=self._to_draft).props("flat no-caps").classes("drafts")
            self._status = ui.button(on_click=lambda: self.go("Findings")).props("flat no-caps").classes("status")
            self._status.props('aria-live="polite"')
        with ui.tab_panels(tabs, value="Pieces").props("keep-alive animated=false").classes("views"):
            for name, view in self._views.items():
                with ui.tab_panel(name):
                    view.show()
        self.refresh()
        # What costs time is asked for when somebody looks.
        tabs.on_value_change(self.refresh)
        follow(self.refresh, self.desk.listeners)
        follow(self.redraw, self.studio.documents.listeners)
        follow(self._views["Print"].refresh, self.studio.job(self.desk.name).listeners)

    def refresh(self) -> None:
        desk = self.desk
        assert self._title is not None and self._status is not None
        self._title.set_content(escape(desk.seen.title if desk.seen else desk.name))
        self._status.set_text(self._stands())
        for view in self._views.values():
            view.refresh()
        self.redraw()

    def redraw(self) -> None:
        """A document has changed, here or in another window."""
        assert self._drafts is not None
        drafts = self.studio.documents.unsaved(self.desk.name)
        self._drafts.set_text(f"{len(drafts)} file{'s' * (len(drafts) != 1)} not saved")
        self._drafts.set_visibility(bool(drafts))
        self.tables.redraw()
        self.texts.redraw()

    def _to_draft(self) -> None:
        for document in self.studio.documents.unsaved(self.desk.name)[:1]:
            self.open(Place(document.file))

    def _stands(self) -> str:
        desk = self.desk
        if desk.fault:
            return "Could not be drawn"
        if desk.busy or desk.findings is None:
            return "Drawing …"
        return counted(desk.findings.problems)

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

    def tell(self, text: str) -> None:
        """Say something that is seen from every tab."""
        ui.notify(text, position="bottom-right", multi_line=len(text) > 60)


def register(studio: Studio) -> None:
    """Tell NiceGUI of the pages."""

    @ui.page("/")
    def games() -> None:
        home(studio) if studio.project.games() else begin(studio)

    @ui.page("/new")
    def new() -> None:
        begin(studio)

    @ui.page("/game/{name}")
    def game(name: str) -> None:
        try:
            desk = studio.desk(name)
        except NoSuchGame as error:
            dress("No such game")
            with ui.element("main").classes("home"):
                ui.html(f"<h1>{escape(error.message)}</h1><p>{escape(error.hint or '')}</p>", sanitize=False)
                ui.link("All games", "/")
            return
        dress(name)
        Bench(studio, desk).show()
