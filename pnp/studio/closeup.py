"""One face from near: as large as somebody likes, with the cut, the bleed and the safe zone on demand."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pnp.studio.pictures import picture
from pnp.values.seen import FaceSeen

if TYPE_CHECKING:
    from nicegui import ui
    from nicegui.events import KeyEventArguments

    from pnp.studio.opened import Window

# In mm: text nearer to the cut may be lost to a pair of scissors. The same as pnp check says.
SAFE = 3.0
SMALLEST, USUAL, LARGEST = 1.0, 6.0, 24.0


class CloseUp:
    """A dialog over the whole window."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._key = ""
        self._at: tuple[str, str, str] | None = None
        self._scale = USUAL
        self._lines = False
        self._bleed = False
        self.eyes = ""
        """As whom the face is seen; all as it is printed where empty."""
        self._dialog: ui.dialog | None = None
        self._stage: ui.html | None = None
        self._about: ui.html | None = None
        self._row: ui.button | None = None

    def show(self) -> None:
        from nicegui import ui

        with ui.dialog().props("maximized") as self._dialog, ui.element("div").classes("close"):
            with ui.element("div").classes("room"):
                self._stage = ui.html("", sanitize=False)
            with ui.element("div").classes("side"):
                self._about = ui.html("", sanitize=False)
                with ui.element("div").classes("bar"):
                    ui.button("Previous", on_click=lambda: self._step(-1)).props("flat no-caps")
                    ui.button("Next", on_click=lambda: self._step(1)).props("flat no-caps")
                slider = ui.slider(min=SMALLEST, max=LARGEST, step=0.5, value=USUAL).props('aria-label="Zoom"')
                slider.on_value_change(lambda event: self._set("_scale", float(event.value)))
                with ui.element("div"):
                    ui.switch("Cut line and safe zone", on_change=lambda event: self._set("_lines", bool(event.value)))
                with ui.element("div"):
                    ui.switch("Bleed", on_change=lambda event: self._set("_bleed", bool(event.value)))
                self._row = ui.button("Show its row", on_click=self._to_row).props("no-caps")
                ui.button("Close", on_click=self._dialog.close).props("flat no-caps")
        ui.keyboard(on_key=self._keyed, ignore=["input", "select", "textarea"])

    def open(self, key: str) -> None:
        """Show the face of this key."""
        assert self._dialog is not None
        self._key = key
        face = self._face()
        if face is not None:
            self._at = face.component, face.piece, face.side
            self._draw()
            self._dialog.open()

    def refresh(self) -> None:
        """Its row may have changed: the same piece is shown as it is now."""
        if self._dialog is None or not self._dialog.value:
            return
        if self._face() is None and self._window.desk.seen is not None:
            faces = self._window.desk.seen.faces.values()
            same = [face.key for face in faces if (face.component, face.piece, face.side) == self._at]
            self._key = same[0] if same else self._key
        self._draw()

    def _face(self) -> FaceSeen | None:
        seen = self._window.desk.seen
        return seen.faces.get(self._key) if seen else None

    def _set(self, name: str, value: float | bool) -> None:
        setattr(self, name, value)
        self._draw()

    def _step(self, by: int) -> None:
        seen = self._window.desk.seen
        keys = list(seen.faces) if seen else []
        if self._key in keys:
            self.open(keys[(keys.index(self._key) + by) % len(keys)])

    def _keyed(self, event: KeyEventArguments) -> None:
        if self._dialog is None or not self._dialog.value or not event.action.keydown:
            return
        if event.key.arrow_right:
            self._step(1)
        elif event.key.arrow_left:
            self._step(-1)

    def _to_row(self) -> None:
        face = self._face()
        assert self._dialog is not None
        if face is not None:
            self._dialog.close()
            self._window.open(face.place)

    def _draw(self) -> None:
        face = self._face()
        if face is None or self._stage is None or self._about is None:
            return
        around = face.bleed if self._bleed else 0.0
        width, height = (face.width + 2 * around) * self._scale, (face.height + 2 * around) * self._scale
        source = picture(self._window.desk.name, face, width, self._bleed, self.eyes)
        lines = _overlay(face, around) if self._lines else ""
        name = escape(face.name, quote=True)
        self._stage.set_content(
            f'<div class="stage" style="width:{width:.0f}px;height:{height:.0f}px">'
            f'<img alt="{name}" src="{source}">{lines}</div>'
        )
        findings = self._window.desk.findings
        wrong = [
            f'<p class="said">{escape(problem.message)}</p>'
            for problem in (findings.problems if findings else ())
            if problem.about and (problem.about.component, problem.about.piece) == (face.component, face.piece)
        ]
        self._about.set_content(
            f"<h2>{name}</h2><p>{escape(face.side)}, {face.width:g} × {face.height:g} mm, "
            f"bleed {face.bleed:g} mm, {face.copies} in the game</p>{''.join(wrong)}"
        )


def _overlay(face: FaceSeen, around: float) -> str:
    """The cut in one colour with dashes, the safe zone of a rectangle in another with dots, as SVG in mm."""
    box = f"{-around:g} {-around:g} {face.width + 2 * around:g} {face.height + 2 * around:g}"
    ring = face.outline or ((0, 0), (face.width, 0), (face.width, face.height), (0, face.height))
    points = " ".join(f"{x:.3f},{y:.3f}" for x, y in ring)
    line = 'fill="none" vector-effect="non-scaling-stroke"'
    safe = ""
    if not face.outline and min(face.width, face.height) > 2 * SAFE:
        safe = (
            f'<rect x="{SAFE}" y="{SAFE}" width="{face.width - 2 * SAFE:g}" height="{face.height - 2 * SAFE:g}" '
            f'{line} stroke="#009e73" stroke-width="2" stroke-dasharray="2 4"/>'
        )
    return (
        f'<svg viewBox="{box}" aria-hidden="true"><polygon points="{points}" {line} stroke="#d55e00" stroke-width="2" '
        f'stroke-dasharray="8 4"/>{safe}</svg>'
    )
