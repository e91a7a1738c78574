"""All pieces of a game as they will be cut, and one of them from near."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from pnp.studio.closeup import CloseUp
from pnp.studio.pictures import picture
from pnp.values.seen import ComponentSeen, FaceSeen

if TYPE_CHECKING:
    from nicegui import ui
    from nicegui.events import GenericEventArguments, ValueChangeEventArguments

    from pnp.studio.opened import Window

# How wide a millimetre is shown, in pixels: the smallest, usual and largest.
SMALLEST, USUAL, LARGEST = 0.8, 2.0, 6.0
# However large a board is, it is shown no larger on the wall, in pixels.
MOST = 900.0


class WallView:
    """The components one below the other."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._scale = USUAL
        self._sides = "both"
        self._room: ui.element | None = None
        self._parts: dict[str, ui.html] = {}
        self._empty: ui.label | None = None
        self._close = CloseUp(window)

    def show(self) -> None:
        from nicegui import ui

        with ui.element("div").classes("view"):
            with ui.element("div").classes("bar"):
                ui.label("Size")
                slider = ui.slider(min=SMALLEST, max=LARGEST, step=0.2, value=USUAL, on_change=self._sized)
                slider.style("width: 12rem").props('aria-label="Size of the pieces"')
                choice = ui.toggle({"both": "Both sides", "front": "Fronts", "back": "Backs"}, value="both")
                choice.on_value_change(self._sided).props("no-caps")
            self._empty = ui.label("Drawing the pieces …").classes("said")
            self._room = ui.element("div").classes("wall")
        ui.on("face", self._opened)
        self._close.show()

    def refresh(self) -> None:
        from nicegui import ui

        seen = self._window.desk.seen
        if self._room is None or self._empty is None:
            return
        self._empty.set_visibility(seen is None)
        if seen is None:
            if self._window.desk.findings is not None or self._window.desk.fault:
                self._empty.set_text(self._window.desk.fault or "Nothing can be drawn yet. The findings say why.")
            return
        names = [component.name for component in seen.components]
        if list(self._parts) != names:
            self._room.clear()
            with self._room:
                self._parts = {name: ui.html("", sanitize=False, tag="section") for name in names}
        found = self._found()
        for component in seen.components:
            content = self._section(component, found)
            if self._parts[component.name].content != content:
                self._parts[component.name].set_content(content)
        self._close.refresh()

    def _found(self) -> set[tuple[str, str]]:
        """The pieces that something is wrong with."""
        findings = self._window.desk.findings
        about = [problem.about for problem in findings.problems if problem.about] if findings else []
        return {(each.component, each.piece) for each in about}

    def _section(self, component: ComponentSeen, found: set[tuple[str, str]]) -> str:
        pieces = f"{component.copies} piece{'s' * (component.copies != 1)}"
        said = f"<h2>{escape(component.title)}<small>{escape(component.kind)} · {pieces}</small></h2>"
        faces = [face for face in component.faces if self._sides in ("both", face.side)]
        return said + f'<div class="faces">{"".join(self._face(face, found) for face in faces)}</div>'

    def _face(self, face: FaceSeen, found: set[tuple[str, str]]) -> str:
        scale = min(self._scale, MOST / max(face.width, face.height))
        width, height = face.width * scale, face.height * scale
        wrong = " found" if (face.component, face.piece) in found else ""
        copies = f" × {face.copies}" if face.copies != 1 else ""
        name = escape(face.name, quote=True)
        return (
            f'<button class="face{wrong}" style="width:{width:.0f}px" data-key="{face.key}" '
            f'data-piece="{escape(face.piece, quote=True)}" '
            f"onclick=\"emitEvent('face', this.dataset.key)\">"
            f'<img loading="lazy" decoding="async" width="{width:.0f}" height="{height:.0f}" alt="{name}" '
            f'src="{picture(self._window.desk.name, face, width)}"><span>{name}{copies}</span></button>'
        )

    def _sized(self, event: ValueChangeEventArguments[Any]) -> None:
        self._scale = float(event.value)
        self.refresh()

    def _sided(self, event: ValueChangeEventArguments[Any]) -> None:
        self._sides = str(event.value)
        self.refresh()

    def _opened(self, event: GenericEventArguments) -> None:
        if isinstance(event.args, str):
            self._close.open(event.args)
