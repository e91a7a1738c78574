"""The page of all games: each with its first card, its title, and what is wrong with it."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from pnp.read.project import title_of
from pnp.studio.page import dress, follow
from pnp.studio.shelf import Cover

if TYPE_CHECKING:
    from nicegui import ui

    from pnp.studio.window import Studio


class Home:
    """One window that shows all games."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._tiles: dict[str, ui.html] = {}

    def show(self) -> None:
        from nicegui import background_tasks, ui

        with ui.element("main").classes("home"):
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
        """A cover was drawn."""
        for name, tile in self._tiles.items():
            content = self._tile(name)
            if tile.content != content:
                tile.set_content(content)

    def _tile(self, name: str) -> str:
        cover, fresh = self._studio.shelf.cover(name), self._studio.shelf.fresh(name)
        said = cover.said if cover and fresh else "Drawing …"
        wrong = cover.wrong if cover and fresh else ""
        return (
            f'<div class="shown">{shown(name, cover)}</div><h2>{escape(title_of(self._studio.project.content / name))}</h2>'
            f'<p class="{wrong}">{escape(said)}</p><p>{escape(printed(self._studio.project.root / "output" / name))}</p>'
        )


def shown(game: str, cover: Cover | None) -> str:
    """The picture of a game, or an empty card."""
    if cover is None or not cover.picture:
        return f'<i class="card{" empty" if cover else ""}"></i>'
    return f'<img alt="" src="data:image/png;base64,{cover.picture}">'


def printed(output: Path) -> str:
    """When its print files were made."""
    times = []
    for file in output.glob("*/print.pdf"):
        with suppress(OSError):
            times.append(file.stat().st_mtime)
    return f"Print files of {datetime.fromtimestamp(max(times)):%Y-%m-%d}" if times else "No print files yet"


def home(studio: Studio) -> None:
    """The whole page."""
    dress("pnp studio")
    Home(studio).show()
