"""What a view asks the process that draws: once for each drawing of the game, and only while somebody looks at its tab."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pnp.values.seen import Sight, Sighted

if TYPE_CHECKING:
    from pnp.studio.opened import Window


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
