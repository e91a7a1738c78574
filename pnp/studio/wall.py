"""The wall of all pieces, and the view of one piece enlarged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from pnp.studio.arrange import Arrange
from pnp.studio.messages import ComponentSeen, FaceSeen, Folds, FoldsSeen, GameSeen, PageSeen, Printed, PrintedSeen, Reply
from pnp.studio.window import Asking, Empty, Kept, Window, Zoom, cut, image, picture

# In mm: text nearer to the cut may be lost to a pair of scissors. The same as pnp check says.
SAFE = 3.0


# How wide a millimetre is shown, in pixels, on the wall and from near: the smallest, usual and largest.
WALL, NEAR = (0.4, 2.0, 8.0), (1.0, 6.0, 24.0)
# However large a board is, it is shown no larger on the wall, in pixels.
MOST = 900.0
# So many faces of a component are sent to the browser anew when one of them changes.
TOGETHER = 60
# A step of folding is shown so wide and high, in pixels.
STEP = 170.0
INKS = {"": "In colour", "grey": "In grey", "low-ink": "With little ink"}
EYES = {
    "": "Everybody",
    "protanopia": "People who see no red",
    "deuteranopia": "People who see no green",
    "tritanopia": "People who see no blue",
}


BACK = '<button class="link" data-key="%s" onclick="act(&quot;back&quot;, this.dataset.key)">Give it a back</button>'


class WallView:
    """The components, one below the other."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self.zoom = Zoom(WALL, self.refresh, self._boxes)
        self.eyes = ""
        """As whom pieces are seen; all as they are printed where empty."""
        self._sides = "both"
        self._parts: list[tuple[ui.html, list[ui.html], ui.html]] = []
        """Of each component its heading, its faces, and its steps."""
        self._shape: list[tuple[str, int]] = []
        self._as = Printed()
        self._printing = Asking(window, "Pieces", self._took)
        self._folding = Asking(window, "Pieces", self._folded)
        self._other: PrintedSeen | None = None
        self._folds: FoldsSeen | None = None

    def choices(self) -> None:
        """Adds the menus for ink, language and colour vision."""
        inks = ui.select(INKS, value="", label="Ink").props("dense outlined").classes("choice")
        inks.on_value_change(lambda event: self._print(ink=event.value))
        eyes = ui.select(EYES, value="", label="Seen by").props("dense outlined").classes("choice")
        eyes.on_value_change(self._looked)
        self._languages = ui.select({"": "None"}, value="", label="Language beside it").classes("choice")
        self._languages.props("dense outlined").set_visibility(False)
        self._languages.on_value_change(lambda event: self._print(language=event.value))

    def show(self) -> None:
        with ui.element("div").classes("view"):
            with ui.element("div").classes("bar"):
                choice = ui.toggle({"both": "Both sides", "front": "Fronts", "back": "Backs"}, value="both")
                choice.on_value_change(self._sided).props("no-caps dense unelevated").classes("sides")
                ui.label("Drop a picture on a card or back, or many: each becomes its card's art.").classes("said")
            self._said = ui.label("").classes("said").props("role=status")
            self._drawing = ui.label("Drawing the pieces …").classes("said")
            self._none = Empty(
                "Nothing is in this game yet. Add a component to begin with: a deck, tokens, a board.",
                "Add a component",
                "Add a component",
            )
            self._wrong = Empty("", "Show what is wrong", "Show: Findings", "warning")
            self._room = ui.element("div").classes("wall")

    def _boxes(self) -> list[tuple[float, float]]:
        """The sizes of the components' rows in mm."""
        faces = self._window.desk.seen.faces.values() if self._window.desk.seen else ()
        area = sum((face.width + 8) * (face.height + 12) for face in faces if self._sides in ("both", face.side))
        return [((area / 0.8) ** 0.5, (area / 0.8) ** 0.5)] if area else []

    def refresh(self) -> None:
        seen = self._window.desk.seen
        fault = self._window.desk.fault
        known = bool(fault) or self._window.desk.findings is not None
        self._drawing.set_visibility(seen is None and not known)
        self._none.show(seen is not None and not seen.components)
        self._wrong.show(seen is None and known, fault or "Nothing can be drawn yet: first mend what is wrong.")
        if seen is None:
            return
        shape = [(component.name, -(-len(component.faces) // TOGETHER)) for component in seen.components]
        if self._shape != shape:
            self._shape = shape
            self._room.clear()
            with self._room:
                self._parts = [self._part(number) for _, number in shape]
        self._spoken(seen)
        if any(component.folded for component in seen.components):
            self._folding.want(Folds())
        if self._as != Printed() and seen.components and self._printing.want(self._as):
            self._tell("Drawing the pieces …")
        found = self._found()
        others = self._others()
        for component, (heading, groups, steps) in zip(seen.components, self._parts, strict=True):
            pieces = f"{component.copies} piece{'s' * (component.copies != 1)}"
            about = f"{escape(component.kind)} · {pieces}"
            if self._sides == "back" and component.backless:
                about += f" · no back yet{BACK % escape(component.name, quote=True)}"
            heading.set_content(f"{escape(component.title)}<small>{about}</small>")
            for number, group in enumerate(groups):
                faces = component.faces[number * TOGETHER : (number + 1) * TOGETHER]
                group.set_content("".join(self._faces(faces, found, others)))
            steps.set_content("".join(map(self._step, self._steps_of(component))))

    def _part(self, groups: int) -> tuple[ui.html, list[ui.html], ui.html]:
        with ui.element("section"):
            heading = ui.html("", sanitize=False, tag="h2")
            with ui.element("div").classes("faces"):
                made = [ui.html("", sanitize=False) for _ in range(groups)]
            return heading, made, ui.html("", sanitize=False).classes("steps")

    def _found(self) -> dict[tuple[str, str], str]:
        """The pieces with findings, and the worst of each."""
        findings = self._window.findings
        told = sorted(findings.problems, key=lambda each: each.severity, reverse=True) if findings else []
        return {(each.about.component, each.about.piece): each.severity for each in told if each.about}

    def _spoken(self, seen: GameSeen) -> None:
        """Updates the menu of languages."""
        known = {"": "Nothing", **dict(seen.languages)}
        if self._languages.options != known:
            chosen = self._languages.value if self._languages.value in known else ""
            self._languages.set_options(known, value=chosen)
        self._languages.set_visibility(len(known) > 1)

    def _print(self, **chosen: Any) -> None:
        from dataclasses import replace

        self._as = replace(self._as, **{name: value or "" for name, value in chosen.items()})
        self._other = None
        self._tell("")
        self.refresh()

    def _looked(self, event: ValueChangeEventArguments[Any]) -> None:
        self.eyes = str(event.value or "")
        self.refresh()

    def _took(self, seen: Reply) -> None:
        assert isinstance(seen, PrintedSeen)
        self._other = seen
        wrong = [problem.message for problem in seen.problems if problem.severity == "error"]
        self._tell("; ".join(wrong[:3]))
        self.refresh()

    def _folded(self, seen: Reply) -> None:
        assert isinstance(seen, FoldsSeen)
        self._folds = seen
        self.refresh()

    def _tell(self, said: str) -> None:
        self._said.set_text(said)

    def _others(self) -> dict[tuple[str, str, str], FaceSeen]:
        """The faces in another ink or language, by piece and side."""
        if self._as == Printed() or self._other is None or self._other.game is None:
            return {}
        return {(face.component, face.piece, face.side): face for face in self._other.game.faces.values()}

    def _steps_of(self, component: ComponentSeen) -> list[PageSeen]:
        return [page for page in self._folds.steps if component.name in page.of] if self._folds else []

    def _step(self, page: PageSeen) -> str:
        scale = STEP / max(page.width, page.height)
        number, text = page.said
        alt = f"Step {number} of {page.title}"
        shown = image(self._window.desk.name, page.key, page.width * scale, page.height * scale, alt, eyes=self.eyes)
        return f'<figure style="width:{STEP:.0f}px">{shown}<figcaption><b>{number}</b> {escape(text)}</figcaption></figure>'

    def _faces(
        self, faces: Sequence[FaceSeen], found: dict[tuple[str, str], str], others: dict[tuple[str, str, str], FaceSeen]
    ) -> Iterator[str]:
        for face in faces:
            if self._sides not in ("both", face.side):
                continue
            other = others.get((face.component, face.piece, face.side))
            # Another ink takes the place of the first; another language is read beside it.
            if other is None or self._as.language:
                yield self._face(face, face, found)
            if other is not None and (other.key != face.key or not self._as.language):
                yield self._face(face, other, found)

    def _face(self, face: FaceSeen, printed: FaceSeen, found: dict[tuple[str, str], str]) -> str:
        """A face as HTML; ``printed`` is the picture to show, a click selects ``face``."""
        scale = min(self.zoom.scale, MOST / max(face.width, face.height))
        width, height = face.width * scale, face.height * scale
        wrong = found.get((face.component, face.piece), "")
        wrong = f" found {wrong}" if wrong else ""
        copies = f"<b>&nbsp;× {face.copies}</b>" if face.copies != 1 else ""
        tongue = f" ({self._as.language})" if printed is not face and self._as.language else ""
        name = escape(printed.name + tongue, quote=True)
        return (
            f'<button class="face{wrong}" style="width:{width:.0f}px" data-key="{face.key}" '
            f'data-piece="{escape(face.piece, quote=True)}" '
            f'onclick="act(&quot;face&quot;, this.dataset.key)" ondblclick="act(&quot;near&quot;, this.dataset.key)">'
            f'<i><img loading="lazy" decoding="async" width="{width:.0f}" height="{height:.0f}" alt="{name}" '
            f'style="{cut(face)}" src="{picture(self._window.desk.name, printed, width, eyes=self.eyes)}"></i>'
            f"<span><em>{name}</em>{copies}</span></button>"
        )

    def _sided(self, event: ValueChangeEventArguments[Any]) -> None:
        self._sides = str(event.value)
        self.refresh()


class NearView:
    """The selected piece enlarged."""

    def __init__(self, window: Window, wall: WallView, arrange: Arrange) -> None:
        self._window, self._wall, self._arrange = window, wall, arrange
        arrange.redraw = self.refresh
        self.zoom = Zoom(NEAR, self.refresh, self._boxes)
        self._lines = False
        self._bleed = False

    def show(self) -> None:
        with ui.element("div").classes("view near"):
            with ui.element("div").classes("bar"):
                ui.button("Previous", on_click=lambda: self.step(-1)).props("flat no-caps dense")
                ui.button("Next", on_click=lambda: self.step(1)).props("flat no-caps dense")
                ui.switch("Cut line and safe zone", on_change=lambda event: self._set("_lines", bool(event.value)))
                self._arrange.switch()
                ui.switch("Bleed", on_change=lambda event: self._set("_bleed", bool(event.value)))
            self._stage = Kept().classes("room")

    def _set(self, name: str, value: bool) -> None:
        setattr(self, name, value)
        self.refresh()

    def step(self, by: int) -> None:
        """Selects the next or previous piece."""
        seen, face = self._window.desk.seen, self._window.face
        faces = list(seen.faces.values()) if seen else []
        if face in faces:
            self._window.choose(faces[(faces.index(face) + by) % len(faces)], go=True)

    def _boxes(self) -> list[tuple[float, float]]:
        face = self._window.face
        around = 2 * face.bleed if face and self._bleed else 0.0
        return [(face.width + around, face.height + around)] if face else []

    def refresh(self) -> None:
        face = self._window.face
        if not self._window.at("One piece"):
            return
        if face is None:
            self._stage.set_content(
                '<div class="empty"><p>Select a piece, and it is shown here from near.</p>'
                '<button class="link" onclick="act(&quot;view&quot;, &quot;Pieces&quot;)">Show all pieces</button></div>'
            )
            return
        around = face.bleed if self._bleed else 0.0
        scale = self.zoom.scale
        width, height = (face.width + 2 * around) * scale, (face.height + 2 * around) * scale
        source = picture(self._window.desk.name, face, width, self._bleed, self._wall.eyes)
        self._arrange.refresh()
        lines = _overlay(face, around) if self._lines else ""
        shape = "" if self._bleed or self._lines else cut(face)
        lines += self._arrange.overlay(face, scale, around)
        self._stage.set_content(
            f'<div class="stage" data-key="{face.key}" style="width:{width:.0f}px;height:{height:.0f}px">'
            f'<img alt="{escape(face.name, quote=True)}" style="{shape}" src="{source}">{lines}</div>'
        )


def _overlay(face: FaceSeen, around: float) -> str:
    """Trim (dashed) and safe zone (dotted) as SVG in mm."""
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
