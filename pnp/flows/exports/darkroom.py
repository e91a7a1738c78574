"""Pictures of a game's pieces in dots, for targets that want no PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
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
    """Renders what has been drawn. It keeps no picture: those of a large game would fill the memory."""

    def __init__(self, made: Pipeline) -> None:
        self._made = made

    def looks(self, wanted: Sequence[tuple[Look, Size]]) -> list[Image]:
        """Each look so many dots large: RGB, or RGBA where what lies beside it is transparent."""
        unique = {(look.key, size): (look.page, size, look.clear) for look, size in wanted}
        images = dict(zip(unique, self._rendered([*unique.values()]), strict=True))
        return [images[look.key, size] for look, size in wanted]

    def packed(self, wanted: Sequence[tuple[Look, Size]], way: str, pack: Callable[[Image], bytes]) -> list[bytes]:
        """Each look as ``pack`` packs it, or as it packed the same before; ``way`` names how it does that."""
        parts = [[way, look.key, f"{size[0]} {size[1]}"] for look, size in wanted]
        known = {at: data for at, part in enumerate(parts) if (data := self._cached(part)) is not None}
        missing = [at for at in range(len(wanted)) if at not in known]
        for at, image in zip(missing, self.looks([wanted[at] for at in missing]), strict=True):
            known[at] = self.kept(parts[at], partial(pack, image))
        return [known[at] for at in range(len(wanted))]

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
        known = self._cached(parts)
        if known is not None:
            return known
        data = make()
        if self._made.cache:
            self._made.cache.put(self._key(parts), data)
        return data

    def _key(self, parts: Sequence[str]) -> str:
        assert self._made.drawn is not None
        return digest("export", self._made.drawn.makers, *parts)

    def _cached(self, parts: Sequence[str]) -> bytes | None:
        return self._made.cache.get(self._key(parts)) if self._made.cache else None

    def _rendered(self, pages: Sequence[tuple[Page, Size, bool]]) -> list[Image]:
        from pnp.write.png import in_size

        if not pages:
            return []
        pdf = self.pdf([page for page, _, _ in pages], "pictures")
        return list(in_size(pdf, [(size, clear) for _, size, clear in pages]))
