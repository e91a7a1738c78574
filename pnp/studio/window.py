"""A project that is open in the studio: what views know of their window, and what they ask the process that draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from typing import Protocol

from pnp.read.project import Project
from pnp.studio.desk import Desk
from pnp.studio.documents import Documents
from pnp.studio.job import Job
from pnp.studio.messages import FaceSeen, Sight, Sighted
from pnp.studio.shelf import Shelf
from pnp.system.cache import cache_folder
from pnp.values.problems import Place


@dataclass(slots=True)
class Studio:
    """A project that is open in the browser: the games that somebody looked at, each on a desk of its own."""

    project: Project
    documents: Documents
    shelf: Shelf
    desks: dict[str, Desk] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)

    @classmethod
    def of(cls, project: Project) -> Studio:
        kept = cache_folder() / "studio"
        return cls(project, Documents(project, kept), Shelf(project, kept / "covers"))

    def desk(self, name: str) -> Desk:
        """The desk of a game. Raises NoSuchGame."""
        if name not in self.desks:
            self.project.folder(name)
            desk = self.desks[name] = Desk(self.project.root, name)
            desk.open()
        return self.desks[name]

    def job(self, name: str) -> Job:
        """What is being made of a game."""
        return self.jobs.setdefault(name, Job())

    def close(self) -> None:
        for job in self.jobs.values():
            job.stop()
        self.shelf.close()
        for desk in self.desks.values():
            desk.close()


class Window(Protocol):
    """One window on one game, as its views see it."""

    studio: Studio
    desk: Desk

    def at(self, name: str) -> bool:
        """Whether this tab is the one that is shown."""

    def go(self, name: str) -> None:
        """Show a tab."""

    def open(self, place: Place) -> None:
        """Show where something stands: the row of a table, the line of a file."""

    def tell(self, text: str) -> None:
        """Say something that is seen from every tab."""


class View(Protocol):
    """What a tab shows."""

    def show(self) -> None:
        """Put it on the page, once."""

    def refresh(self) -> None:
        """The game has changed."""


class Asking:
    """The last question of one view."""

    def __init__(self, window: Window, tab: str, took: Callable[[Sighted], None]) -> None:
        """``took`` hears the answer, unless another question has been asked meanwhile."""
        self._window, self._tab, self._took = window, tab, took
        self._last: object = None

    def want(self, sight: Sight) -> bool:
        """Ask, if that is something new. False where the answer is known, or nobody looks."""
        from nicegui import background_tasks, ui

        desk = self._window.desk
        asked = desk.drawings, sight
        if asked == self._last or desk.seen is None or not self._window.at(self._tab):
            return False
        self._last = asked
        client = ui.context.client

        async def wait() -> None:
            answer = await desk.sight(sight)
            if asked != self._last:
                return
            if answer is None:
                self._last = None  # its process has ended: asked again with the next change
                return
            with client:
                self._took(answer)

        background_tasks.create(wait())
        return True


# Pictures are made so many dots wide, so that a size near another one is not made again.
STEPS = (150, 300, 450, 600, 900, 1200, 1800, 2400, 3600, 4800)


def picture(game: str, face: FaceSeen, width: float, bleed: bool = False, eyes: str = "") -> str:
    """The address of a face's picture, fine enough to be shown so many pixels wide on a fine screen."""
    more = ("&amp;bleed=1" if bleed else "") + (f"&amp;eyes={eyes}" if eyes else "")
    return f"/face/{escape(game, quote=True)}/{face.key}.png?dots={_dots(2 * width)}{more}"


def image(game: str, key: str, width: float, height: float, alt: str, classes: str = "", eyes: str = "") -> str:
    """A page's picture so large in pixels, fetched when it comes into view, as fine as the screen is."""
    at = f"/face/{escape(game, quote=True)}/{key}.png?{f'eyes={eyes}&amp;' if eyes else ''}dots="
    once, twice = _dots(width), _dots(2 * width)
    return (
        f'<img loading="lazy" decoding="async" class="{classes}" width="{width:.0f}" height="{height:.0f}" '
        f'alt="{escape(alt, quote=True)}" src="{at}{once}" srcset="{at}{once} 1x, {at}{twice} 2x">'
    )


def _dots(width: float) -> int:
    return next((step for step in STEPS if step >= width), STEPS[-1])
