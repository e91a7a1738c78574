"""The promises of a game, below what is wrong: numbers of ``[expect]`` and of claims, changed without writing TOML."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from html import escape
from os.path import lexists
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from pnp.flows.start import first_promises
from pnp.read.tomlfile import parsed
from pnp.read.tomltext import claimed, with_claimed, with_number, without_number, without_sections
from pnp.studio.messages import ComponentSeen
from pnp.studio.texts import Saving
from pnp.studio.window import Kept, Window
from pnp.values.problems import Fault, Place

# The largest number that a field takes.
MOST = 999_999
# A field is left alone while somebody types into it.
FIELD = (
    '<label>{label} <input type="number" min="0" max="999999" data-at="{at}" value="{value}" placeholder="–" '
    'aria-label="{name}" onfocus="this.busy = true" onblur="this.busy = false" '
    "onchange=\"emitEvent('promised', [this.dataset.at, this.value])\">{said}</label>"
)
BUTTON = (
    '<button class="link" data-at="{at}" aria-label="{name}" '
    "onclick=\"emitEvent('promised', [this.dataset.at, '{value}'])\">{label}</button>"
)
# What a button says instead of a number.
NOW, GONE = "now", "gone"
COUNTED = {"copies": "pieces in all", "different": "different ones"}


class PromisesPart:
    """The part of the findings view that shows what is promised."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._saving = Saving(window)

    def show(self) -> None:
        with ui.element("section").classes("promising").props('aria-labelledby="promised"') as self._part:
            ui.html("<h2 id='promised'>What is promised</h2>", sanitize=False)
            ui.html(
                "<p class=said>A number that is promised stays looked after: as soon as the tables have another one, it is "
                "told above. A field without a number promises nothing.</p>",
                sanitize=False,
            )
            self._list = Kept().classes("promises")
            with ui.element("div") as self._none:
                ui.html(
                    "<p class=said>Other rules can be promised in rules.toml, such as that the rulebook says how many cards "
                    "there are.</p>",
                    sanitize=False,
                )
                ui.button("Begin rules.toml", icon="add", on_click=self._begin).props("no-caps outline").classes("first")
        ui.on("promised", self._promised)

    def _file(self, name: str) -> str:
        return f"content/{self._window.desk.name}/{name}"

    async def _begin(self) -> None:
        """Makes a rules.toml with what holds now, and opens it."""
        window, file = self._window, self._file("rules.toml")
        try:
            text = await asyncio.to_thread(first_promises, window.studio.project, window.desk.name)
        except Fault as refused:
            window.say(str(refused))
            return
        if self._saving.begin(file, text):
            said = window.said
            window.open(Place(file))
            window.say(said)

    def refresh(self) -> None:
        seen = self._window.desk.seen
        components = seen.components if seen else ()
        rules = lexists(self._window.studio.project.root / self._file("rules.toml"))
        self._part.set_visibility(bool(components))
        self._none.set_visibility(not rules)
        if not components or not self._window.at("Findings"):
            return
        try:
            expected = parsed(self._text("game.toml")).get("expect", {})
            claims = self._text("rules.toml") if rules else ""
            said = {each.name: expected.get(each.name, {}) for each in components}
            rows = [*(_row(each, said[each.name]) for each in components), *_claims(claims)]
        except Fault:
            rows = ['<p class="said">game.toml or rules.toml cannot be read. Mend first what is wrong above.</p>']
        self._list.set_content("".join(rows))

    def _text(self, name: str) -> str:
        document = self._window.studio.documents.open(self._file(name))
        document.look()
        return "" if document.fault else document.text

    def _promised(self, event: GenericEventArguments) -> None:
        match event.args:
            case [str(at), str(typed)]:
                try:
                    self._change(json.loads(at), typed)
                except Fault as refused:
                    self._window.say(str(refused))
        self.refresh()

    def _change(self, at: list[Any], typed: str) -> None:
        """Raises Fault."""
        typed = typed.strip()
        number = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) <= len(f"{MOST}") else None
        if number is None and typed not in ("", NOW, GONE):
            raise Fault("Only whole numbers can be promised, from 0 on.")
        file, name = "game.toml", str(at[1])
        seen = self._window.desk.seen
        component = next((each for each in (seen.components if seen else ()) if each.name == name), None)
        title = component.title if component else name
        change: Callable[[str], str]
        match at:
            case ["claim", _] if typed == GONE:
                file, says = "rules.toml", f"without the claim {name}"
                change = partial(without_sections, gone=[("claim", name)])
            case ["claim", _]:
                if number is None:
                    raise Fault("A claim without its number says nothing. The button beside it takes it away.")
                file, says = "rules.toml", f"the claim {name}"
                change = partial(with_claimed, name=name, number=number)
            case ["expect", _] if typed == NOW and component is not None:
                says = f"{_pieces(component)} of {title} promised"
                change = partial(with_number, path=("expect", name, "copies"), number=component.copies)
            case ["expect", _]:
                says = f"nothing promised of {title}"
                change = partial(without_sections, gone=[("expect", name)])
            case ["expect", _, *keys, int(which)]:
                path = ("expect", name, *map(str, keys))
                label = COUNTED.get(path[2], "")
                says = f"{number} {label} promised of {title}" if label else f"how {title} divide"
                if number is None and len(keys) > 1:
                    raise Fault("This number is part of a list in game.toml: it can be changed here, and taken away there.")
                if number is None:
                    says, change = f"{label} not promised of {title}", partial(without_number, path=path)
                else:
                    change = partial(with_number, path=path, number=number, at=which)
            case _:
                raise Fault("This promise is not there any more.")
        document = self._saving.open(self._file(file))
        made = change(document.text)
        if made != document.text:
            self._saving.change(document, made, f"{says} in {file}")


def _row(component: ComponentSeen, promised: Mapping[str, Any]) -> str:
    """What is promised of a component, as HTML."""
    now = {"copies": component.copies, "different": component.rows}
    fields = [
        _field(
            ["expect", component.name, key, 0],
            label,
            f"{component.title}: {label}",
            promised.get(key),
            now[key],
        )
        for key, label in COUNTED.items()
    ]
    fields += _split(component, promised.get("split", []))
    if promised:
        button = _button(["expect", component.name], GONE, "Take away", f"Promise nothing of {component.title}")
    else:
        label = f"Promise {_pieces(component)}"
        button = _button(["expect", component.name], NOW, label, f"{label} of {component.title}")
    return _line(component.name, component.title, "".join(fields) + button)


def _pieces(component: ComponentSeen) -> str:
    return f"{component.copies} piece{'s' * (component.copies != 1)}"


def _line(at: str, title: str, fields: str) -> str:
    return f'<div data-at="{escape(at, quote=True)}"><b>{escape(title)}</b>{fields}</div>'


def _split(component: ComponentSeen, split: Any) -> Iterator[str]:
    """The numbers of how the copies divide."""
    before: Counter[tuple[str, ...]] = Counter()
    for entry in split if isinstance(split, list) else []:
        if not isinstance(entry, dict):
            continue
        by, counts = str(entry.get("by", "")), entry.get("counts", {})
        some: list[tuple[tuple[str, ...], str, object]]
        some = [(("groups",), f"kinds by {by}", entry.get("groups")), (("each",), f"of each {by}", entry.get("each"))]
        some += [(("counts", value), f"of {by} {value}", number) for value, number in counts.items()]
        for keys, label, number in some:
            if number is not None:
                path = ("expect", component.name, "split", *keys)
                yield _field([*path, before[path]], label, f"{component.title}: {label}", number)
                before[path] += 1


def _claims(text: str) -> Iterator[str]:
    """The claims of rules.toml, as HTML: the number of one that has only one can be changed."""
    numbers = claimed(text)
    for name, claim in parsed(text).get("claim", {}).items():
        says = str(claim.get("says", name)) if isinstance(claim, dict) else name
        at = ["claim", name]
        field = _field(at, "its number", f"Number of the claim: {says}", numbers[name][0]) if name in numbers else ""
        gone = _button(at, GONE, "Take away", f"Take the claim away: {says}")
        yield _line(f"claim {name}", says, field + gone)


def _field(at: list[Any], label: str, name: str, value: object, now: int | None = None) -> str:
    said = f"<small>{now} now</small>" if now is not None and value is not None and value != now else ""
    return FIELD.format(
        at=escape(json.dumps(at), quote=True),
        label=escape(label),
        name=escape(name, quote=True),
        value="" if value is None else escape(str(value), quote=True),
        said=said,
    )


def _button(at: list[Any], value: str, label: str, name: str) -> str:
    at_ = escape(json.dumps(at), quote=True)
    return BUTTON.format(at=at_, value=value, label=escape(label), name=escape(name, quote=True))
