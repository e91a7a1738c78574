"""Templates compiled once: the shared ones are taken in by every game, and by every build of a game.

Compiling those of a plain deck of cards and of the print plan takes 0.18 s, as long as drawing fifty cards.
"""

from __future__ import annotations

import marshal
from types import CodeType
from typing import Any

import jinja2
from jinja2 import nodes

from pnp.sandbox.counting import Counted
from pnp.sandbox.mentions import Mentions, mentions
from pnp.sandbox.values import BadExpression
from pnp.system.cache import Cache, digest

MOST_KEPT = 500
Known = tuple[str, str, str, str | None]
"""Who reads it, text, name and file."""
_KEPT: dict[Known, tuple[CodeType, Mentions]] = {}
"""In this process."""


class Compiled(Counted):
    """A counted sandbox that knows its templates again, by their text, name and file.

    With a cache it knows those of earlier builds; ``maker`` is then a digest of all else that decides what is compiled.
    """

    def __init__(self, cache: Cache | None = None, maker: str = "", **given: Any) -> None:
        super().__init__(**given)
        self._cache, self._maker = cache, maker
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
                kept = self._earlier(*known[1:]) or self._anew(*known[1:])
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

    def _anew(self, source: str, name: str, filename: str | None) -> tuple[CodeType, Mentions]:
        code: CodeType = super().compile(source, name, filename)
        mentioned = self.mentioned[name]
        if self._cache:
            told = [*mentioned.names], mentioned.files, [*mentioned.imported], mentioned.remembers
            self._cache.put(self._key(source, name, filename), marshal.dumps((code, told)))
        return code, mentioned

    def _earlier(self, source: str, name: str, filename: str | None) -> tuple[CodeType, Mentions] | None:
        content = self._cache.get(self._key(source, name, filename)) if self._cache else None
        if content is None:
            return None
        try:
            code, (names, files, imported, remembers) = marshal.loads(content)
        except (ValueError, TypeError, EOFError):
            return None
        return code, Mentions(frozenset(names), files, frozenset(imported), remembers)

    def _key(self, *known: str | None) -> str:
        return digest("template", self._maker, *(part or "" for part in known))
