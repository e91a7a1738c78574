"""Saving a document, whichever view shows it; where another program was first, the person sees both texts and chooses."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from pnp.studio.documents import ChangedElsewhere, Document
from pnp.values.problems import Fault

if TYPE_CHECKING:
    from pnp.studio.window import Window


class Saving:
    """For one view; ``tell`` says what was done."""

    def __init__(self, window: Window, tell: Callable[[str], None]) -> None:
        self._window, self._tell = window, tell

    def save(self, document: Document, says: str = "Saved.") -> None:
        self._do(document, document.save, says)

    def step(self, document: Document, back: bool) -> None:
        """Undo or redo, and save that."""
        try:
            edit = document.undo() if back else document.redo()
        except Fault as refused:
            self._tell(str(refused))
            return
        if edit is None:
            self._tell("There is nothing more.")
        else:
            self.save(document, f"{'Undone' if back else 'Done again'}: {edit.says}.")

    def _do(self, document: Document, save: Callable[[], None], says: str) -> None:
        try:
            save()
        except ChangedElsewhere:
            self._ask(document)
        except Fault as refused:
            self._tell(str(refused))
        else:
            self._tell(says)
            self._window.desk.look()

    def _ask(self, document: Document) -> None:
        """The dialogue is made for this document, and stays about it whatever is chosen meanwhile."""
        from nicegui import ui

        def chosen(save: Callable[[], None], says: str) -> None:
            asking.close()
            self._do(document, save, says)

        mine, theirs = document.text, document.theirs or ""
        asking = ui.dialog()
        asking.on("hide", asking.delete)
        with asking, ui.card().classes("choosing"):
            ui.label(f"{document.file} was changed elsewhere while you were writing.")
            with ui.element("div").classes("both"):
                for title, text, other in (("Mine", mine, theirs), ("The other", theirs, mine)):
                    ui.html(f"<h2>{title}</h2><pre tabindex='0'>{_marked(text, other)}</pre>", sanitize=False)
            for label, done, says in (
                ("Keep mine, and save it over the other", document.keep_mine, "Saved. Undo twice to see the other."),
                ("Take the other, and drop what I wrote", document.take_theirs, "Undo to see again what you wrote."),
            ):
                ui.button(label, on_click=lambda done=done, says=says: chosen(done, says)).props("no-caps")
            ui.button("Look first: leave both as they are", on_click=asking.close).props("no-caps flat")
        asking.open()


def _marked(text: str, other: str) -> str:
    """The lines of a text; those that the other has not are marked."""
    there = set(other.splitlines())
    return "\n".join(escape(line) if line in there else f"<mark>{escape(line) or ' '}</mark>" for line in text.splitlines())
