"""A game's page: components at the left, canvas, inspector at the right, table below."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path
from typing import NamedTuple

from nicegui import ui
from nicegui.events import GenericEventArguments

from pnp.check.languages import UNFINISHED
from pnp.read.project import NoSuchGame
from pnp.studio.arrange import Arrange
from pnp.studio.desk import Desk
from pnp.studio.documents import TABLES, TEXTS, Document, Edit
from pnp.studio.dropped import Step
from pnp.studio.forms import Adding, Backing, Looking, Removing, Slotting
from pnp.studio.home import begin, home
from pnp.studio.inspector import Inspector
from pnp.studio.languages import LanguagesView
from pnp.studio.making import FindingsView, MakingView
from pnp.studio.messages import FaceSeen, Findings, counted, worst
from pnp.studio.play import PlayView
from pnp.studio.project import Studio
from pnp.studio.sheets import BooksView, MapsView, SheetsView
from pnp.studio.tables import TablesView
from pnp.studio.texts import TextsView
from pnp.studio.wall import NearView, WallView
from pnp.studio.window import REAL, SMALL, View, cut, dress, follow, of_page, picture
from pnp.values.problems import Place, Problem

# What the switch above the canvas offers; to what is wrong and to printing lead buttons of their own.
CANVAS = ("Pieces", "One piece", "Sheets", "Books", "Map", "Play", "Table", "Texts")
# Lines of the palette at once.
MOST_FOUND = 12


class Bench:
    """One window on one game."""

    def __init__(self, studio: Studio, desk: Desk) -> None:
        self.studio, self.desk = studio, desk
        # The component, piece and side that is selected, and the key that the page knows of it.
        self._chosen: tuple[str, str, str] | None = None
        self._marked: list[str] = []
        self._open = False
        # What was changed here, for each step, and what was undone; of documents the edit.
        self._done: list[list[tuple[Document | Step, Edit | None]]] = []
        self._undone: list[list[tuple[Document | Step, Edit | None]]] = []
        self._drawings = 0
        self.files: list[str] = []
        self._tables = TablesView(self)
        self._texts = TextsView(self)
        self._making = MakingView(self)
        self._wall = wall = WallView(self)
        arrange = Arrange(self, self._tables)
        self._near = near = NearView(self, wall, arrange)
        sheets, books, maps, play = SheetsView(self), BooksView(self), MapsView(self), PlayView(self)
        self._play = play
        shown: list[tuple[str, View]] = [("Pieces", wall), ("One piece", near), ("Sheets", sheets), ("Books", books)]
        shown += [("Map", maps), ("Play", play), ("Table", self._tables), ("Texts", self._texts)]
        self._languages = LanguagesView(self)
        self._views = {**dict(shown), "Findings": FindingsView(self), "Print": self._making, "Languages": self._languages}
        zooms = (wall.zoom, near.zoom, sheets.zoom, books.zoom, maps.zoom, play.zoom)
        self._zooms = dict(zip(self._views, zooms, strict=False))
        self._inspector = Inspector(self, self._tables, arrange)
        self._palette = Palette(self)
        self._adding = Adding(self)
        self._backing = Backing(self)
        self.commands: dict[str, Callable[[], object]] = {
            **{f"Show: {name}": partial(self.go, name) for name in self._views},
            "Make the print files": self._making.build,
            "Make the print files of the selected piece": partial(self._making.build, "piece"),
            "Check everything": partial(self._making.run, "check"),
            "Find": self._palette.open,
            "Table": self._toggle,
            "Save": lambda: self._texts.save() if self.at("Texts") else self._tables.save(),
            "Add a component": self._adding.open,
            "Write a rulebook": books.write,
            "Give the component a back": self._backing.add,
            "Give the component an art slot": Slotting(self).add,
            "Remove the component": Removing(self).open,
            "Fonts and colours": Looking(self).open,
            "Arrange art and text": arrange.begin,
            "Undo": lambda: self._step(True),
            "Redo": lambda: self._step(False),
            "Next piece": lambda: near.step(1),
            "Previous piece": lambda: near.step(-1),
            "Fit": lambda: ui.run_javascript("fit()"),
            "Real size": lambda: self._zoom("real", 0, 0),
            "New game": lambda: ui.navigate.to("/new"),
            "All games": lambda: ui.navigate.to("/"),
        }

    def show(self) -> None:
        ui.add_body_html(f"<script>{of_page('boxes.js', 'frame.js', 'play.js')}</script>")
        with ui.element("div").classes("bench"):
            self._line = ui.label("").props("role=status")
            with ui.element("header").classes("top"):
                self._head()
            with ui.element("div").classes("frame") as self._frame:
                with ui.element("nav").classes("left").props('aria-label="What is in the game"'):
                    ui.button("Add a component", icon="add", on_click=self._adding.open).props("flat no-caps dense").classes(
                        "add"
                    )
                    self._contents = ui.html("", sanitize=False)
                self._handle("left", "vertical", "Width of the list")
                with ui.element("section").classes("middle").props("aria-label=Canvas"):
                    self._canvas()
                self._handle("below", "horizontal", "Height of the table")
                self._below = ui.tab_panels(value="").props("keep-alive animated=false").classes("below")
                with self._below, ui.tab_panel("Table").props('role=region aria-label="Table"'):
                    self._tables.show()
                self._handle("right", "vertical", "Width of the details")
                with ui.element("aside").classes("right").props('aria-label="What is selected"'):
                    self._inspector.show()
            with ui.element("footer").classes("foot") as foot:
                self._button = ui.button("Table", icon="table_rows", on_click=self._toggle, color=None)
                self._button.props("flat no-caps dense size=sm aria-expanded=false")
                self._line.move(foot)
                ui.html(KEYS_SAID, sanitize=False).classes("keys")
        ui.on("act", self._acted)
        ui.on("zoom", lambda event: self._zoom(*event.args))
        # What costs time is asked for when somebody looks.
        self._tabs.on_value_change(self._turned)
        follow(self.refresh, self.desk.listeners)
        follow(self.redraw, self.studio.documents.listeners)
        follow(self._offer, self.studio.tabletops[self.desk.name].listeners)
        follow(self._making.refresh, self.studio.job(self.desk.name).listeners)
        # Last: nothing that comes meanwhile is missed.
        self.refresh()
        self._sized()

    def _head(self) -> None:
        ui.link("", "/").classes("back").props('aria-label="All games" title="All games"')
        self._title = ui.html("", sanitize=False, tag="h1")
        self._steps = {
            back: ui.button(icon=name.lower(), on_click=self.commands[name]).props(f"flat round dense aria-label={name}")
            for back, name in ((True, "Undo"), (False, "Redo"))
        }
        self._wall.choices()
        self._drafts = ui.button(on_click=self._to_draft, color=None).props("flat no-caps dense").classes("drafts")
        self._status = ui.button(on_click=partial(self.go, "Findings"), color=None)
        self._status.props('flat no-caps dense aria-live="polite"')
        find = ui.button("Find", icon="search", on_click=self._palette.open).props("outline no-caps dense").classes("find")
        find.props('title="Find anything (Ctrl-K)"')
        ui.button("Print", icon="print", on_click=partial(self.go, "Print")).props("unelevated no-caps").classes("print")

    def _canvas(self) -> None:
        with ui.element("div").classes("strip"):
            with ui.tabs().props("no-caps dense shrink indicator-color=transparent outside-arrows") as self._tabs:
                for name in CANVAS:
                    ui.tab(name)
            self._tabs.props('aria-label="What the canvas shows"').classes("switch")
            with ui.element("div").classes("zoom") as self._zooming:
                for name, icon, call in (
                    ("Smaller", "remove", 'zoom("by", 0.8)'),
                    ("Real size", "", 'zoom("real")'),
                    ("Larger", "add", 'zoom("by", 1.25)'),
                    ("Fit", "fit_screen", "fit()"),
                ):
                    button = ui.button(icon=icon or None, color=None).on("click", js_handler=f"() => {call}")
                    button.props(f'flat dense no-caps size=sm aria-label="{name}" title="{name}"')
                    if not icon:
                        self._percent = button
        with ui.tab_panels(self._tabs, value="Pieces").props("keep-alive animated=false").classes("views"):
            for name, view in self._views.items():
                with ui.tab_panel(name):
                    if name != "Table":
                        view.show()

    def _handle(self, pane: str, way: str, name: str) -> None:
        """The divider between two panes, moved by mouse or arrow keys."""
        bar = ui.element("div").classes(f"handle {way}").props(f"role=separator tabindex=0 data-pane={pane}")
        bar.props(f'aria-orientation={way} aria-label="{name}" aria-valuenow=0')

    def refresh(self) -> None:
        """Updates the page after the game has changed, or another view was chosen."""
        desk = self.desk
        self._title.set_content(escape(desk.seen.title if desk.seen else desk.name))
        self._tables.settle()
        found = self.findings
        problems = found.problems if found else ()
        drawing = "Drawing …" if desk.busy or desk.findings is None else counted(problems)
        self._status.set_text("Could not be drawn" if desk.fault else drawing)
        self._status.classes(replace=f"status {worst(problems)}")
        self.files = self.studio.documents.files(desk.name, (*TEXTS, *TABLES))
        for view in self._views.values():
            view.refresh()
        first = next(iter(desk.seen.faces.values()), None) if desk.seen else None
        if self._chosen is None and first is not None and not self._shows_table:
            self.choose(first)
        elif self.face is None or desk.drawings != self._drawings:
            # A row that was added or renamed has a piece only now.
            self._tables.again()
        self._drawings = desk.drawings
        self.redraw()

    def redraw(self) -> None:
        """Updates views after a document was changed in any window, or another selection."""
        drafts = self.studio.documents.unsaved(self.desk.name)
        self._drafts.set_text(f"{len(drafts)} file{'s' * (len(drafts) != 1)} not saved")
        self._drafts.set_visibility(bool(drafts))
        self._tables.redraw()
        self._texts.redraw()
        self._inspector.refresh()
        # What is the same is not sent again.
        self._contents.set_content(contents(self))
        self._mark()
        self._offer()

    def _mark(self, go: bool = False) -> None:
        """Highlights the selection; ``go`` scrolls to it."""
        face = self.face
        marked = [face.key, face.component] if face else []
        if go or marked != self._marked:
            self._marked = marked
            ui.run_javascript(f"pick({json.dumps(marked)}, {json.dumps(go)})")

    def _turned(self) -> None:
        shown = str(self._tabs.value)
        self._frame.classes({"Table": "full", "Play": "playing"}.get(shown, ""), remove="full playing")
        self._show_table()
        self.refresh()
        self._sized()
        if shown == "Pieces":
            self._mark(go=True)

    @property
    def _shows_table(self) -> bool:
        return self._open or self.at("Table")

    def _toggle(self) -> None:
        """Opens or closes the table."""
        self._open = not self._open
        self._show_table()

    def _show_table(self) -> None:
        self._frame.classes(add="tabled" if self._open else "", remove="" if self._open else "tabled")
        self._button.props(f"aria-expanded={json.dumps(self._open)}")
        self._below.set_value("Table" if self._shows_table else "")

    def _zoom(self, how: str, one: float, other: float) -> None:
        zoom = self._zooms.get(str(self._tabs.value))
        if zoom is not None:
            if how == "fit":
                zoom.fit(float(one), float(other))
            else:
                zoom.set(zoom.scale * float(one) if how == "by" else REAL)
        self._sized()

    def _sized(self) -> None:
        zoom = self._zooms.get(str(self._tabs.value))
        self._zooming.set_visibility(zoom is not None)
        if zoom is not None:
            self._percent.set_text(f"{zoom.scale / REAL:.0%}")

    async def _step(self, back: bool) -> None:
        if self.at("Texts"):
            await self._texts.step(back)
        elif self.at("Play"):
            self._play.step(back)
        else:
            some, others = (self._done, self._undone) if back else (self._undone, self._done)
            since, done = self._next(back)
            if not since and some:
                others.append(some.pop())
            self._tables.step(back, since or done)
        self._offer()

    def _next(self, back: bool) -> tuple[list[Document], list[Document | Step]]:
        """What undo or redo is about: the document that was typed into since the last step here, or else that step.

        Without one it is the table that is shown. Steps that another window has undone or redone are forgotten.
        """
        some = self._done if back else self._undone
        while some and any(isinstance(each, Document) and each.last(back) is None for each, _ in some[-1]):
            some.pop()
        done = some[-1] if some else []
        since = [each for each, edit in done if isinstance(each, Document) and each.last(back) not in (edit, None)]
        return since[:1], [each for each, _ in done] or [each for each in (self._tables.document,) if each]

    def _says(self, back: bool) -> str | None:
        """What undo or redo would do, in words; None if there is nothing."""
        if self.at("Play"):
            return self.studio.tabletops[self.desk.name].next(back)
        if self.at("Texts"):
            found: list[Document | Step] = [each for each in (self._texts.document,) if each]
        else:
            since, done = self._next(back)
            found = [*since] or done
        steps = [each.last(back) if isinstance(each, Document) else each for each in found]
        return ", ".join(each.says for each in steps if each) if steps and all(steps) else None

    def _offer(self) -> None:
        """Enables Undo and Redo where there is something to undo or redo, and says what."""
        for back, name, key in ((True, "Undo", "Ctrl-Z"), (False, "Redo", "Ctrl-Y")):
            says, button = self._says(back), self._steps[back]
            shown = f"There is nothing to {name.lower()}" if says is None else f"{name}: {says.removesuffix('.')} ({key})"
            if button.props.get("title") != shown:
                button.props["title"] = shown
                button.update()
            button.set_enabled(says is not None)

    def _to_draft(self) -> None:
        for document in self.studio.documents.unsaved(self.desk.name)[:1]:
            self.open(Place(document.file))

    async def _acted(self, event: GenericEventArguments) -> None:
        if isinstance(event.args, list) and len(event.args) == 2:
            await self.act(str(event.args[0]), str(event.args[1]))

    async def act(self, kind: str, value: str) -> None:
        """Runs the action of a click or key."""
        seen, findings = self.desk.seen, self.findings
        match kind:
            case "face" | "piece" | "near" if seen and value in seen.faces:
                if kind == "near" and not self.at("One piece"):
                    self.go("One piece")
                    ui.run_javascript("fitSoon('One piece')")
                elif kind == "piece" and not (self.at("Pieces") or self.at("One piece")):
                    self.go("Pieces")
                self.choose(seen.faces[value], go=kind != "face")
            case "component":
                for component in seen.components if seen else ():
                    if component.name == value and component.faces:
                        await self.act("piece", component.faces[0].key)
            case "back":
                self._backing.add(value)
            case "file":
                self.open(Place(value))
            case "finding" if findings and value.isdecimal() and int(value) < len(findings.problems):
                self._to_finding(findings.problems[int(value)])
            case "language":
                self._languages.choose(value)
                self.go("Languages")
            case "view" if value in self._views:
                self.go(value)
            case "do" if value in self.commands:
                done = self.commands[value]()
                if isinstance(done, Awaitable):
                    await done

    def _to_finding(self, problem: Problem) -> None:
        about, seen = problem.about, self.desk.seen
        if problem.rule in UNFINISHED:
            self._languages.choose(Path(problem.place.file).stem)
            self.go("Languages")
            ui.run_javascript(f"setTimeout(() => toText({json.dumps(problem.value)}), 100)")
            return
        self.open(problem.place)
        for face in seen.faces.values() if about and seen else ():
            if about and (face.component, face.piece, face.side) == (about.component, about.piece, about.side or "front"):
                self.choose(face, go=True)
                break

    @property
    def findings(self) -> Findings | None:
        found = self.desk.findings
        told = tuple(problem for problem in found.problems if not self._tables.waits(problem)) if found else ()
        return replace(found, problems=told) if found and len(told) < len(found.problems) else found

    @property
    def face(self) -> FaceSeen | None:
        faces = self.desk.seen.faces.values() if self.desk.seen else ()
        return next((face for face in faces if (face.component, face.piece, face.side) == self._chosen), None)

    def choose(self, face: FaceSeen, go: bool = False) -> None:
        self._chosen = face.component, face.piece, face.side
        self._tables.follow(face.place, face.piece)
        self._picked(go)

    def chose_row(self, file: str, row: int, name: str, go: bool = True) -> None:
        faces = [face for face in (self.desk.seen.faces.values() if self.desk.seen else ()) if face.place.file == file]
        own = [face for face in faces if face.piece == name]
        if not own and not self.desk.behind:
            # By its number only where the drawing is of the table as it is now.
            own = [face for face in faces if face.place.row == row]
        chosen = [(face.component, face.piece, face.side) for face in own] or [("", name, "front")]
        if (self._chosen or ("", ""))[:2] not in [each[:2] for each in chosen]:
            self._chosen = chosen[0]
        self._picked(go=go and bool(own))

    def _picked(self, go: bool) -> None:
        self._near.refresh()
        self._inspector.refresh()
        self._mark(go)

    def at(self, name: str) -> bool:
        return bool(self._tabs.value == name)

    def go(self, name: str) -> None:
        self._tabs.set_value(name)

    def open(self, place: Place) -> None:
        if Path(place.file).suffix.lower() in TABLES:
            if not self._shows_table:
                self._toggle()
            self._tables.open(place)
        else:
            self.go("Texts")
            self._texts.open(place)

    def changed(self, *done: Document | Step) -> None:
        self._done.append([(each, each.last(True) if isinstance(each, Document) else None) for each in done])
        self._undone = []
        self._offer()

    def along(self, step: Step) -> None:
        self._done[-1].append((step, None))
        self._offer()

    def leave(self) -> None:
        self._inspector.leave()

    @property
    def said(self) -> str:
        return str(self._line.text)

    def say(self, text: str) -> None:
        self._line.set_text(text)

    def tell(self, text: str) -> None:
        # Of one group: the next takes the place of the last, rather than lying above it.
        ui.notify(text, position="bottom-right", multi_line=len(text) > 60, group="told")


KEYS_SAID = "".join(
    f"<span><kbd>{key}</kbd> {what}</span>"
    for key, what in (("Ctrl-K", "find"), ("Ctrl-J", "table"), ("← →", "next piece"), ("0", "fit"), ("1", "real size"))
)


def contents(bench: Bench) -> str:
    """The left pane: components with a picture, books, layouts, files."""
    seen, found, made = bench.desk.seen, bench.findings, []
    problems = found.problems if found else ()
    for component in seen.components if seen else ():
        own = [problem for problem in problems if problem.about and problem.about.component == component.name]
        face = component.faces[0] if component.faces else None
        drawn = ""
        if face is not None:
            drawn = f'<img alt="" loading="lazy" style="{cut(face)}" src="{picture(bench.desk.name, face, SMALL)}">'
        count = f"{component.copies} piece{'s' * (component.copies != 1)}"
        made.append(_item("component", component.name, component.title, f"<i>{drawn}</i>", count, own))
    parts = _part("Components", made)
    parts += _part("Books", [_item("view", "Books", title) for title, _ in (seen.books if seen else ())])
    parts += _part("Layouts", [_item("view", "Map", title) for title in (seen.layouts if seen else ())])
    spoken = [_item("language", code, name) for code, name in (seen.languages if seen else ())]
    parts += _part("Languages", [*spoken, _item("view", "Languages", "Add a language …")])
    parts += _part("Look", [_item("do", "Fonts and colours", "Fonts and colours …")])
    drafts = {each.file for each in bench.studio.documents.unsaved(bench.desk.name)}
    made = []
    # Drawings are many, and seen with their pieces; the list above the editor has them, too.
    for file in (each for each in bench.files if "/art/" not in each or each in drafts):
        own = [problem for problem in problems if problem.place.file == file]
        short = file.removeprefix(f"content/{bench.desk.name}/")
        made.append(_item("file", file, short, "", "not saved" if file in drafts else "", own))
    return parts + _part("Files", made)


def _part(title: str, items: Sequence[str]) -> str:
    return f"<h2>{title}</h2>{''.join(items)}" if items else ""


def _item(kind: str, value: str, title: str, drawn: str = "", more: str = "", wrong: Sequence[Problem] = ()) -> str:
    badge = ""
    if wrong:
        badge = f'<em class="{worst(wrong)}" title="{counted(wrong)}" aria-label="{counted(wrong)}">{len(wrong)}</em>'
    return (
        f'<button class="part {kind}" data-key="{escape(value, quote=True)}" title="{escape(title, quote=True)}" '
        f'onclick="act(&quot;{kind}&quot;, this.dataset.key)">{drawn}'
        f"<span><b>{escape(title)}</b>{f'<small>{escape(more)}</small>' if more else ''}</span>{badge}</button>"
    )


class Found(NamedTuple):
    """A line of the palette."""

    sort: str
    text: str
    kind: str
    value: str
    """What :meth:`Bench.act` is told."""
    drawn: str = ""


class Palette:
    """The search dialogue (Ctrl-K) for cards, files, findings and commands."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._all: list[Found] = []
        self._found: list[Found] = []
        self._at = 0
        self._dialog: ui.dialog | None = None

    def _show(self) -> None:
        """A dialogue of its own each time: emptying the field of the last one would race with what is typed."""
        with ui.dialog().props("position=top aria-label=Find") as dialog, ui.element("div").classes("palette"):
            self._dialog = dialog
            dialog.on("hide", dialog.delete)
            self._input = ui.input(placeholder="Find a card, a file, a finding, a command", on_change=self._typed)
            self._input.props('borderless autofocus role=combobox aria-label="Find" aria-controls=found aria-expanded=true')
            self._input.on(
                "keydown",
                lambda event: self._keyed(str(event.args)),
                js_handler="""event => { if (["ArrowDown", "ArrowUp", "Enter"].includes(event.key)) {
                    event.preventDefault(); emit(event.key); } }""",
            )
            self._list = ui.html("", sanitize=False).props("id=found role=listbox aria-label=Found").classes("found")
            self._list.on(
                "click", self._clicked, js_handler="event => emit(event.target.closest('[data-at]')?.dataset.at ?? -1)"
            )

    def open(self) -> None:
        if self._dialog is not None and self._dialog.value:
            return
        bench, self._all = self._bench, []
        seen, findings = bench.desk.seen, bench.findings
        for component, face in ((each, face) for each in (seen.components if seen else ()) for face in each.faces):
            drawn = f'<img alt="" loading="lazy" src="{picture(bench.desk.name, face, SMALL)}">'
            self._all.append(Found("piece", f"{face.name} · {component.title}", "piece", face.key, drawn))
        for file in bench.files:
            self._all.append(Found("file", file, "file", file))
        for number, problem in enumerate(findings.problems if findings else ()):
            self._all.append(Found(problem.severity, f"{problem.message} · {problem.place}", "finding", f"{number}"))
        self._all += [Found("command", name, "do", name) for name in bench.commands if name != "Find"]
        self._show()
        self._typed()
        if self._dialog is not None:
            self._dialog.open()

    def _typed(self) -> None:
        words = str(self._input.value or "").lower().split()
        fit = [each for each in self._all if all(word in f"{each.text} {each.sort}".lower() for word in words)]
        # What begins with the first word comes first; without words, what can be done.
        first = words[0] if words else "command"
        fit.sort(key=lambda each: not (each.text.lower().startswith(first) or (not words and each.sort == first)))
        self._found, self._at = fit[:MOST_FOUND], 0
        self._draw()

    def _draw(self) -> None:
        lines = [
            f'<div role="option" id="found-{at}" data-at="{at}" aria-selected="{json.dumps(at == self._at)}">'
            f"<i>{each.drawn}</i><span>{escape(each.text)}</span><small>{each.sort}</small></div>"
            for at, each in enumerate(self._found)
        ]
        self._list.set_content("".join(lines) or '<p class="said">Nothing has such a name.</p>')
        self._input.props(f"aria-activedescendant=found-{self._at}")

    async def _keyed(self, key: str) -> None:
        if key == "Enter":
            await self._take(self._at)
        elif self._found:
            self._at = (self._at + (1 if key == "ArrowDown" else -1)) % len(self._found)
            self._draw()

    async def _clicked(self, event: GenericEventArguments) -> None:
        await self._take(int(event.args))

    async def _take(self, at: int) -> None:
        if 0 <= at < len(self._found) and self._dialog is not None:
            self._dialog.close()
            await self._bench.act(self._found[at].kind, self._found[at].value)


def register(studio: Studio) -> None:
    """Registers the pages with NiceGUI."""

    @ui.page("/")
    def games() -> None:
        home(studio) if studio.project.games() else begin(studio)

    @ui.page("/new")
    def new() -> None:
        begin(studio)

    @ui.page("/game/{name}")
    def game(name: str) -> None:
        try:
            desk = studio.desk(name)
        except NoSuchGame as error:
            dress("No such game")
            with ui.element("div").classes("home"):
                ui.html(f"<h1>{escape(error.message)}</h1><p>{escape(error.hint or '')}</p>", sanitize=False)
                ui.link("All games", "/")
            return
        dress(name)
        Bench(studio, desk).show()
