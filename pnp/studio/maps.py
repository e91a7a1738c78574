"""Layouts as they lie on the table, boards, and maps that a rule has drawn."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from pnp.studio.asking import Asking
from pnp.studio.pictures import image
from pnp.values.findings import MapShown
from pnp.values.seen import Laid, LaidSeen, PageSeen, Sighted

if TYPE_CHECKING:
    from nicegui import ui
    from nicegui.events import ValueChangeEventArguments

    from pnp.studio.opened import Window

# A map is shown so wide and high at most, in pixels, at size 1.
ROOM = 620.0
# The kinds of pieces that others lie on.
BOARDS = ("board",)
# What a cell's state is called for who cannot see its colour, and the sign for it.
STATES = {"bad": "✗", "start": "S", "goal": "G", "blocked": "", "path": "", "plain": ""}


class MapsView:
    """One map below the other."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._laying = Asking(window, "Map", self._took)
        self._seed: int | None = None
        self._laid: LaidSeen | None = None
        self._size = 1.0
        self._room: ui.html | None = None
        self._said: ui.label | None = None
        self._shuffle: ui.element | None = None
        self._number: ui.number | None = None

    def show(self) -> None:
        from nicegui import ui

        with ui.element("div").classes("view"):
            with ui.element("div").classes("bar"):
                ui.label("Size")
                size = ui.slider(min=0.5, max=4, step=0.1, value=1, on_change=self._sized)
                size.style("width: 12rem").props('aria-label="Size of the maps"')
                with ui.element("div").classes("bar") as self._shuffle:
                    ui.button("Shuffle", on_click=self._again).props("no-caps")
                    self._number = ui.number("Seed", min=0, max=999_999_999, precision=0, on_change=self._typed)
                    self._number.props("dense outlined clearable debounce=300").classes("choice")
                    ui.button("Face down", on_click=lambda: self._set(None)).props("flat no-caps")
            self._shuffle.set_visibility(False)
            self._said = ui.label("Laying …").classes("said").props("role=status")
            self._room = ui.html("", sanitize=False).classes("maps")

    def refresh(self) -> None:
        self._laying.want(Laid(self._seed))
        self._draw()

    def _took(self, seen: Sighted) -> None:
        assert isinstance(seen, LaidSeen) and self._shuffle is not None
        self._laid = seen
        self._shuffle.set_visibility(seen.shuffled)
        self._draw()

    def _again(self) -> None:
        from secrets import randbelow

        self._set(randbelow(1_000_000))

    def _typed(self, event: ValueChangeEventArguments[Any]) -> None:
        self._set(None if event.value is None else int(event.value))

    def _set(self, seed: int | None) -> None:
        self._seed = seed
        assert self._number is not None
        if self._number.value != seed:
            self._number.set_value(seed)
        self.refresh()

    def _draw(self) -> None:
        desk = self._window.desk
        if self._room is None or self._said is None or self._laid is None:
            return
        shown = [self._picture(page, f"seed {self._seed}" if self._seed is not None else "") for page in self._laid.layouts]
        for component in desk.seen.components if desk.seen else ():
            if component.kind in BOARDS:
                shown += [
                    self._picture(PageSeen(face.key, f"{component.title}: {face.name}", face.width, face.height), "")
                    for face in component.faces
                    if face.side == "front"
                ]
        shown += [svg_of(each, ROOM * self._size) for each in (desk.findings.maps if desk.findings else ())]
        self._said.set_text("" if shown else "This game has no layout, no board and no map.")
        content = "".join(shown)
        if self._room.content != content:
            self._room.set_content(content)

    def _picture(self, page: PageSeen, note: str) -> str:
        scale = ROOM * self._size / max(page.width, page.height)
        width, height = page.width * scale, page.height * scale
        title = ", ".join(filter(None, (page.title, note)))
        return (
            f'<figure style="width:{width:.0f}px"><figcaption>{escape(title)}</figcaption>'
            f'<div class="sheet bare" style="height:{height:.0f}px">'
            f"{image(self._window.desk.name, page.key, width, height, title)}</div></figure>"
        )

    def _sized(self, event: ValueChangeEventArguments[Any]) -> None:
        self._size = float(event.value)
        self._draw()


def svg_of(shown: MapShown, room: float) -> str:
    """A map of cells as SVG, each with its sign or text."""
    points = [point for spot in shown.spots for point in spot.ring]
    if not points:
        return ""
    left, top = min(x for x, _ in points), min(y for _, y in points)
    width, height = max(x for x, _ in points) - left, max(y for _, y in points) - top
    # Words in one size, so that none shouts.
    widths = [max(x for x, _ in spot.ring) - min(x for x, _ in spot.ring) for spot in shown.spots]
    size = min(1.4 * wide / max(4, len(spot.text)) for wide, spot in zip(widths, shown.spots, strict=True))
    cells = []
    for spot in sorted(shown.spots, key=lambda spot: spot.state == "bad"):
        x, y = (sum(point[axis] for point in spot.ring) / len(spot.ring) for axis in (0, 1))
        text = STATES[spot.state] or spot.text
        ring = " ".join(f"{a:.2f},{b:.2f}" for a, b in spot.ring)
        cells.append(
            f'<polygon class="{spot.state}" points="{ring}"/>'
            f'<text x="{x:.2f}" y="{y + size * 0.35:.2f}" font-size="{size:.2f}">{escape(text)}</text>'
        )
    scale = room / max(width, height)
    name = escape(f"{shown.title}. {shown.note}", quote=True)
    return (
        f'<figure style="width:{width * scale:.0f}px"><figcaption>{escape(shown.title)}</figcaption>'
        f'<svg class="found" role="img" aria-label="{name}" viewBox="{left:.2f} {top:.2f} {width:.2f} {height:.2f}" '
        f'style="width:100%;height:{height * scale:.0f}px">{"".join(cells)}</svg>'
        f'<p class="said">{escape(shown.note)}</p></figure>'
    )
