"""An editor of one text in the browser. It is imported when a page is made: NiceGUI is heavy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType

from nicegui import ui

from pnp.studio.documents import Edit

# Changes the text as somebody at the keyboard would, unless somebody has just typed on.
PUT = """
const editor = getElement(%(editor)d)?.editor;
if (!editor) return "not there";
if (editor.state.doc.toString() === %(old)s) {
  const change = {from: %(start)d, to: %(end)d, insert: %(added)s};
  const go = {selection: {anchor: change.from + change.insert.length}, scrollIntoView: true};
  editor.dispatch({changes: change, ...(%(go)s ? go : {})});
}
"""


class Editor(ui.codemirror):
    """The browser alone changes its text and says what it is: so nothing is lost of what is typed meanwhile."""

    _said: Mapping[int, str] = MappingProxyType({})
    echo: str | None = None
    """What the browser is going to say only because it was told to show it."""

    def colour(self, said: dict[int, str], seen: bool) -> None:
        """Colour lines, and say there what is wrong; ``seen``: somebody may be typing into it."""
        if said == self._said:
            return
        self._said = said
        lines = [{"kind": "line", "line": line, "class": "wrong"} for line in said]
        if seen:
            # Anything else that is sent brings the text along, and takes away what has been typed meanwhile.
            self.run_method("setLineTooltips", said)
            self.run_method("setDecorations", lines)
        else:
            self.line_tooltips, self.decorations = said, lines

    async def put(self, text: str, go: bool) -> None:
        """Have the browser show this text; ``go``: as a step of the person, to the place where it is."""
        old = self.value or ""
        edit = Edit.between(old, text, "")
        start = _units(old[: edit.start])
        said = {
            "editor": self.id,
            "old": json.dumps(old),
            "start": start,
            "end": start + _units(edit.removed),
            "added": json.dumps(edit.added),
            "go": json.dumps(go),
        }
        self.echo = None if go else text
        with suppress(TimeoutError):
            if await self.client.run_javascript(PUT % said, timeout=10) == "not there":
                self.set_value(text)
        self.echo = None


def _units(text: str) -> int:
    """How long the browser says that a text is."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
