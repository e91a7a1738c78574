"""The studio's pages: all games, and one game with what can be done with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from pnp.read.project import NoSuchGame
from pnp.studio.bench import Bench
from pnp.studio.style import CSS

if TYPE_CHECKING:
    from pnp.studio.opened import Studio


def register(studio: Studio) -> None:
    """Tell NiceGUI of the pages."""
    from nicegui import ui

    @ui.page("/")
    def home() -> None:
        _dress("pnp studio")
        with ui.element("main").classes("home"):
            ui.html("<h1>Your games</h1>", sanitize=False)
            names = studio.project.games()
            if not names:
                ui.label("There is no game in this project yet. Make one with: pnp new NAME")
            with ui.element("nav").classes("games").props('aria-label="Games"'):
                for name in names:
                    ui.link(name, f"/game/{name}").classes("game")

    @ui.page("/game/{name}")
    def game(name: str) -> None:
        try:
            desk = studio.desk(name)
        except NoSuchGame as error:
            _dress("No such game")
            with ui.element("main").classes("home"):
                ui.html(f"<h1>{escape(error.message)}</h1><p>{escape(error.hint or '')}</p>", sanitize=False)
                ui.link("All games", "/")
            return
        _dress(name)
        bench = Bench(studio, desk)
        bench.show()
        _follow(bench.refresh, desk.listeners)


def _dress(title: str) -> None:
    from nicegui import ui

    ui.page_title(title)
    ui.colors(primary="#0b5fa5")
    ui.add_css(CSS)


def _follow(refresh: Callable[[], None], listeners: list[Callable[[], None]]) -> None:
    """Refresh a page whenever something has changed, in the page's own turn, until its window is closed."""
    from nicegui import ui

    loop, client = asyncio.get_running_loop(), ui.context.client

    def inside() -> None:
        with client:
            refresh()

    def heard() -> None:
        loop.call_soon_threadsafe(inside)

    listeners.append(heard)
    client.on_delete(lambda: listeners.remove(heard))
