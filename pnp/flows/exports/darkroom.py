"""Pictures of a game's pieces in dots, for targets that want no PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from pnp.flows.drawn import face_page
from pnp.flows.pipeline import Pipeline
from pnp.lay.impose import needed
from pnp.system.cache import digest
from pnp.values.faces import Face, Page
from pnp.values.game import Side
from pnp.values.kit import Look

if TYPE_CHECKING:
    from PIL.Image import Image

Size = tuple[int, int]
"""Width and height in dots."""


class Darkroom:
    """Renders what has been drawn; a picture that was made before is not made again."""

    def __init__(self, made: Pipeline) -> None:
        self._made = made
        self._known: dict[tuple[str, Size], Image] = {}

    def looks(self, wanted: Sequence[tuple[Look, Size]]) -> list[Image]:
        """Each look so many dots large: RGB, or RGBA where what lies beside it is transparent."""
        keys = [(look.key, size) for look, size in wanted]
        missing = {
            key: (look.page, size, look.clear)
            for key, (look, size) in zip(keys, wanted, strict=True)
            if key not in self._known
        }
        self._known.update(zip(missing, self._rendered([*missing.values()]), strict=True))
        return [self._known[key] for key in keys]

    def faces(self, wanted: Sequence[tuple[Face, Side, Size]], bleed: bool) -> list[Image]:
        """Each face so many dots large, cut to its trim or with its bleed around it."""
        unique = {(face.key, size): (face_page(face, side, bleed), size, False) for face, side, size in wanted}
        images = dict(zip(unique, self._rendered([*unique.values()]), strict=True))
        return [images[face.key, size] for face, _, size in wanted]

    def pdf(self, pages: Sequence[Page], what: str) -> bytes:
        """Pages as a PDF that says what it is."""
        return self._made.pdf(pages, "none", what)

    def imposed(self) -> Iterator[tuple[str, bytes]]:
        """The sheets of each paper of the game, without the print plan."""
        made = self._made
        for paper, laid in made.laid.items():
            yield paper.name, made.pdf(made.printed[paper], needed(made.options.backs, laid), "all sheets", paper)

    def kept(self, parts: Sequence[str], make: Callable[[], bytes]) -> bytes:
        """What ``make`` makes of what ``parts`` name, or what it made of the same before."""
        assert self._made.drawn is not None
        key, cache = digest("export", self._made.drawn.makers, *parts), self._made.cache
        known = cache.get(key) if cache else None
        if known is not None:
            return known
        data = make()
        if cache:
            cache.put(key, data)
        return data

    def _rendered(self, pages: Sequence[tuple[Page, Size, bool]]) -> list[Image]:
        from pnp.write.png import in_size

        if not pages:
            return []
        pdf = self.pdf([page for page, _, _ in pages], "pictures")
        return list(in_size(pdf, [(size, clear) for _, size, clear in pages]))
