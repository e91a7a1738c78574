"""Pictures of pages, for whoever looks at them and for books: those that an earlier build has made are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pnp.flows.drawn import Drawn, pdf_of
from pnp.system.cache import apart, digest, together
from pnp.values.faces import Book, Page, PlacedFace

Forms = tuple[bytes, ...]
"""The pictures of one page: as many as were asked for."""


def pictures(drawn: Drawn, pages: Sequence[Page], book: Book, dpi: int) -> list[bytes]:
    """Every page as a PNG at ``dpi`` dots per inch."""
    from pnp.write.png import render

    return [made for (made,) in in_forms(drawn, pages, book, str(dpi), lambda pdf: [(one,) for one in render(pdf, dpi)])]


def in_forms(
    drawn: Drawn, pages: Sequence[Page], book: Book, way: str, make: Callable[[bytes], Sequence[Forms]]
) -> list[Forms]:
    """Every page as ``make`` pictures it; ``way`` is the same only where it would make the same of the same pages."""
    cache = drawn.cache
    looks = [digest("picture", drawn.makers, way, look_of(page)) for page in pages]
    known: dict[str, Forms] = {}
    for look in looks if cache else ():
        if kept := cache.get(look) if cache else None:
            known[look] = apart(kept)
    missing = {look: page for look, page in zip(looks, pages, strict=True) if look not in known}
    if missing:
        made = make(pdf_of(drawn, [*missing.values()], book, "none", "pictures"))
        for (look, page), forms in zip(missing.items(), made, strict=True):
            known[look] = forms
            if cache and _whole(page, book):
                cache.put(look, together(*forms))
    return [known[look] for look in looks]


def look_of(page: Page) -> str:
    """The same for pages on which the same can be seen."""
    items = [
        (item.face.look, item.matrix, item.clip, item.shape) if isinstance(item, PlacedFace) else item for item in page.items
    ]
    return repr((page.paper.width, page.paper.height, items))


def _whole(page: Page, book: Book) -> bool:
    """Whether all that should be on it could be drawn."""
    faces = [item.face for item in page.items if isinstance(item, PlacedFace)]
    return all(placed.layer.key in book.pages for face in faces for placed in face.layers)
