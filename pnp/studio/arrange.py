"""Moves and resizes a card's picture and text boxes: writes cells of its row and numbers of its template."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from pnp.draw.cards import PLACING
from pnp.flows.start import write_looks
from pnp.studio.boxes import SIZE, calls, number, panel, rewritten, shifted
from pnp.studio.messages import Boxes, BoxesSeen, BoxSeen, FaceSeen, Reply
from pnp.studio.tables import TablesView
from pnp.studio.texts import Saving
from pnp.studio.window import Asking, Kept, Window
from pnp.values.problems import Fault

# Edges of a box by which it is resized, and those of its numbers that they change.
HANDLES = {"nw": "xywh", "n": "yh", "ne": "ywh", "e": "w", "se": "wh", "s": "h", "sw": "xwh", "w": "xw"}
FIELDS = {"x": "Left", "y": "Top", "w": "Width", "h": "Height"}


class Arrange:
    """The boxes of the selected face."""

    def __init__(self, window: Window, tables: TablesView) -> None:
        self._window, self._tables = window, tables
        self._saving = Saving(window)
        self._seen: BoxesSeen | None = None
        # The list stands beside every view.
        self._asking = Asking(window, "", self._took)
        self.on = False
        self.redraw: Callable[[], None] = lambda: None
        """Shows the face with its boxes anew."""

    def switch(self) -> None:
        """Adds the switch that shows the boxes."""
        self._switch = ui.switch("Arrange art and text", on_change=lambda event: self._turn(bool(event.value)))

    def show(self) -> None:
        """Adds the list of boxes."""
        with ui.element("section").props('aria-label="Art and text boxes"') as self._part:
            with ui.element("div").classes("heading"):
                ui.html("Art and text boxes", sanitize=False, tag="h2")
                self._look = ui.button("Make its template", on_click=self._make).props("flat no-caps dense")
                self._begin = ui.button("Move on the card", on_click=self.begin).props("flat no-caps dense")
            self._list = Kept().classes("places")
        ui.on("place", self._placed)

    def begin(self) -> None:
        """Shows the card enlarged, with its boxes."""
        self._window.go("One piece")
        self._switch.set_value(True)
        ui.run_javascript("document.querySelector('.right').scrollTop = 0")

    def _turn(self, on: bool) -> None:
        self.on = on
        self.refresh()
        self.redraw()

    def refresh(self) -> None:
        """Updates the boxes after another selection or drawing."""
        face = self._window.face
        if face is not None and self.on:
            self._asking.want(Boxes(face.component, face.piece, face.side))
        seen = self._of(face)
        self._part.set_visibility(face is not None)
        first = seen is not None and self._window.at("One piece")
        self._part.classes(add="arranging" if first else "", remove="" if first else "arranging")
        self._look.set_visibility(seen is not None and seen.look)
        self._begin.set_visibility(seen is None or not self._window.at("One piece"))
        said = "Move and resize them on the card." if seen is None else "Nothing on this side can be moved."
        if seen and seen.look:
            said = "It is drawn by the columns of its table. With a template of its own its boxes can be moved."
        rows = "".join(_row(at, box, bool(seen and seen.look)) for at, box in _named(seen.boxes if seen else ()).items())
        self._list.set_content((f"<p>{said}</p>" if not rows or (seen and seen.look) else "") + rows)

    def _took(self, answer: Reply) -> None:
        if isinstance(answer, BoxesSeen):
            self._seen = answer
            self.refresh()
            self.redraw()

    def _of(self, face: FaceSeen | None) -> BoxesSeen | None:
        """The boxes of this face, if they have arrived."""
        asked = Boxes(face.component, face.piece, face.side) if face and self.on else None
        return self._seen if self._seen and self._seen.asked == asked else None

    def overlay(self, face: FaceSeen, scale: float, around: float) -> str:
        """The boxes as HTML over a face's picture: ``scale`` in pixels a mm, ``around`` the margin in mm."""
        seen = self._of(face)
        if seen is None:
            return ""
        size = f'data-scale="{scale:.4f}" data-around="{around:g}" data-width="{face.width:g}" data-height="{face.height:g}"'
        boxes = "".join(_box(at, box, scale, around) for at, box in _named(seen.boxes).items())
        return f'<div class="boxes" {size}>{boxes}</div>'

    def _placed(self, event: GenericEventArguments) -> None:
        """Handles a box moved by mouse or by its fields."""
        seen, said = self._of(self._window.face), event.args
        match said:
            case [str(at), dict(values)]:
                try:
                    box = _named(seen.boxes).get(at) if seen else None
                    if seen is None or box is None:
                        raise Fault("This box is not there any more.")
                    moved = self._picture(box, values) if box.placing else self._text(seen.file, box, values)
                except Fault as refused:
                    self._window.say(str(refused))
                else:
                    self._asking.forget()
                    self._seen = replace(seen, boxes=tuple(moved if each is box else each for each in seen.boxes))
        self.refresh()
        self.redraw()
        if isinstance(said, list) and said:
            ui.run_javascript(f"placed({json.dumps(said[0])})")

    def _picture(self, box: BoxSeen, values: Mapping[str, Any]) -> BoxSeen:
        """Writes a picture's position into the row's cells. Raises Fault."""
        assert box.placing is not None
        x, y, zoom = box.placing
        new = _numbers(box, values)
        times = new["w"] / box.w if box.w and new["w"] > 0 else 1.0
        zoom = values["zoom"] if _finite(values.get("zoom")) else zoom * times
        times = zoom / box.placing[2]
        if "zoom" in values:
            new |= {"x": box.x - box.w * (times - 1) / 2, "y": box.y - box.h * (times - 1) / 2}
        new |= {"w": box.w * times, "h": box.h * times}
        x += new["x"] + new["w"] / 2 - box.x - box.w / 2
        y += new["y"] + new["h"] / 2 - box.y - box.h / 2
        placing = x, y, zoom
        for value, (_, least, most) in zip(placing, PLACING.values(), strict=True):
            if not least <= value <= most:
                raise Fault("A picture cannot be moved so far, or made so large.")
        if values.get("reset"):
            placing = 0.0, 0.0, 1.0
        cells = {
            column: number(value) if value != usual else ""
            for value, (column, (usual, *_)) in zip(placing, PLACING.items(), strict=True)
        }
        if self._tables.place(cells):
            return _at(box, new, placing=placing)
        return box

    def _text(self, file: str, box: BoxSeen, values: Mapping[str, Any]) -> BoxSeen:
        """Writes a text box's numbers into the template. Raises Fault."""
        new = _numbers(box, values)
        document = self._saving.open(file)
        found = calls(document.text)
        call = found[box.number] if box.number is not None and box.number < len(found) else None
        if call is None or any(call.said(document.text, key) != said for key, said in box.written.items()):
            raise Fault(f"{document.name} has changed meanwhile. Try it once more.")
        moved = {key: value - getattr(box, key) for key, value in new.items() if value != getattr(box, key)}
        # A group around it may be moved.
        changed = {key: shifted(box.written[key], by) or "" for key, by in moved.items()}
        written = {**box.written, **changed}
        size = str(values.get("size", box.size))
        if size != box.size:
            if not SIZE.fullmatch(size) or not box.size:
                raise Fault("Write the largest and the smallest size of its letters, such as 12 8.")
            changed["size"] = size
        text = rewritten(document.text, call, changed)
        # The panel behind it stands before it, and goes along.
        if (around := panel(document.text, call)) is not None:
            along = {key: by for key, by in moved.items() if key in around.arguments}
            text = rewritten(text, around, {key: number(float(around.said(text, key)) + by) for key, by in along.items()})
        if text != document.text:
            self._saving.change(document, text, f"the box {box.name} in {document.name}")
        return _at(box, new, size=size, written=written)

    def _make(self) -> None:
        face = self._window.face
        if face is None:
            return
        try:
            seen = self._window.desk.seen
            cards = [each.name for each in (seen.components if seen else ()) if each.kind == "card"]
            project, game = self._window.studio.project, self._window.desk.name
            made = write_looks(project, game, face.component, pictured=face.component in cards)
        except (Fault, OSError) as error:
            self._window.say(str(error))
            return
        self._window.changed(*self._saving.adopted(map(project.shown, made)))
        self._window.say(f"Made: {', '.join(path.name for path in made)}.")
        self._window.desk.look()


def _finite(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and abs(value) < 10_000


def _numbers(box: BoxSeen, values: Mapping[str, Any]) -> dict[str, float]:
    """The new numbers of a box, as far as they can be changed."""
    new = {key: getattr(box, key) for key in FIELDS}
    new |= {key: values[key] for key in FIELDS if key in box.free and _finite(values.get(key))}
    if new["w"] < min(1, box.w) or new["h"] < min(1, box.h):
        raise Fault("A box has 1 mm at least.")
    return new


def _at(box: BoxSeen, new: Mapping[str, float], **more: Any) -> BoxSeen:
    return replace(box, x=new["x"], y=new["y"], w=new["w"], h=new["h"], **more)


def _named(boxes: Sequence[BoxSeen]) -> dict[str, BoxSeen]:
    """The boxes by names that stay when others are added or removed."""
    before: Counter[str] = Counter()
    named = {}
    for box in boxes:
        named[f"{box.name} {before[box.name]}"] = box
        before[box.name] += 1
    return named


def _box(at: str, box: BoxSeen, scale: float, around: float) -> str:
    """A box on the card, as HTML."""
    numbers = " ".join(f'data-{key}="{getattr(box, key):.3f}"' for key in FIELDS)
    place = f"left:{(box.x + around) * scale:.1f}px;top:{(box.y + around) * scale:.1f}px;"
    place += f"width:{box.w * scale:.1f}px;height:{box.h * scale:.1f}px"
    corners = ("nw", "ne", "se", "sw") if box.placing else HANDLES
    handles = [name for name in corners if all(key in box.free for key in HANDLES[name])]
    why = f" {box.why}" if box.why else ""
    said = f"{box.name}: arrow keys move it by 1 mm, with Shift by 0.1, with Ctrl they resize it.{why}"
    kind = "picture" if box.placing else "text"
    kind += "" if "x" in box.free or "y" in box.free else " fixed"
    return (
        f'<div class="box {kind}" tabindex="0" role="group" data-at="{escape(at, quote=True)}" data-free="{box.free}" '
        f'{numbers} style="{place}" '
        f'aria-label="{escape(said, quote=True)}" title="{escape(box.why, quote=True)}">'
        f"{''.join(f'<i data-edge={name}></i>' for name in handles)}<b>{escape(box.name)}</b></div>"
    )


def _row(at: str, box: BoxSeen, told: bool) -> str:
    """A box in the list, as HTML; ``told``: why it cannot be moved is known already."""
    name = escape(box.name, quote=True)
    fields: dict[str, tuple[str, str]] = {}
    if box.placing:
        x, y, zoom = map(number, box.placing)
        fields = {"x": ("art_x", x), "y": ("art_y", y)}
        more = (
            f'<label class="wide">Zoom <input type="range" min="-2" max="2" step="0.02" data-key="zoom" '
            f'value="{math.log2(box.placing[2]):.2f}" aria-label="Zoom of {name}"><output>× {zoom}</output></label>'
            f'<button data-key="reset">Back to its place in the template</button>'
        )
        more = more if box.free else ""
        shift = {"x": box.x - box.placing[0], "y": box.y - box.placing[1]}
    else:
        fields = {key: (title, number(getattr(box, key))) for key, title in FIELDS.items()}
        more = (
            f'<label class="wide">Largest, smallest pt <input data-key="size" value="{escape(box.size)}" '
            f'aria-label="Letters of {name}"></label>'
        )
        more, shift = more if box.size else "", {}
    said = "".join(
        f'<label>{title} <input type="number" step="0.5" data-key="{key}" data-shift="{shift.get(key, 0):.3f}" '
        f'value="{value}" aria-label="{title} of {name}"{"" if key in box.free else " disabled"}></label>'
        for key, (title, value) in fields.items()
    )
    why = f"<p>{escape(box.why)}</p>" if box.why and not told else ""
    return f'<div data-at="{escape(at, quote=True)}"><button data-key="go">{name}</button>{said}{more}{why}</div>'
