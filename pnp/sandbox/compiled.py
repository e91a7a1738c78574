"""Templates compiled once in a process: the shared ones are taken in by every game, and by every build of a game.

They are not kept for other processes: that would save 0.06 s, and leave code lying about that the next build runs.
"""

from __future__ import annotations

from types import CodeType
from typing import Any

import jinja2
from jinja2 import nodes

from pnp.sandbox.counting import Counted
from pnp.sandbox.mentions import Mentions, mentions
from pnp.sandbox.values import BadExpression

MOST_KEPT = 500
Known = tuple[str, str, str, str | None]
"""Who reads it, text, name and file."""
_KEPT: dict[Known, tuple[CodeType, Mentions]] = {}


class Compiled(Counted):
    """A counted sandbox that knows its templates again, by their text, name and file."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.mentioned: dict[str, Mentions] = {}
        """By the names of the templates that were read."""
        self._refused: dict[Known, jinja2.TemplateSyntaxError | BadExpression] = {}
        """What a long text is refused for is not looked for again with each card."""

    def compile(self, source: Any, name: Any = None, filename: Any = None, *more: Any) -> Any:
        if name is None or more:
            return super().compile(source, name, filename, *more)
        known = type(self).__name__, source, name, filename
        if known in self._refused:
            raise self._refused[known].with_traceback(None)
        # Games may be built in threads: what another one clears is still held here.
        kept = _KEPT.get(known)
        if kept is None:
            try:
                kept = super().compile(source, name, filename), self.mentioned[name]
            except (jinja2.TemplateSyntaxError, BadExpression) as bad:
                self._refused[known] = bad
                raise
            if len(_KEPT) >= MOST_KEPT:
                _KEPT.clear()
            _KEPT[known] = kept
        code, self.mentioned[name] = kept
        return code

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        made = super()._parse(source, name, filename)
        if name is not None:
            self.mentioned[name] = mentions(made)
        return made
