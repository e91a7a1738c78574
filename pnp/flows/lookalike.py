"""A printed file page by page against the same file made once more: what another program lost, moved or painted over."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from pnp.system.cache import digest
from pnp.values.problems import Place, Problem, listed
from pnp.write.printed import Printed

if TYPE_CHECKING:
    from PIL.Image import Image

RULE = "printed-page"
ANEW = "Build the file anew, and print that one."
# Enough to see a card's name gone; a line of a mark is a dot wide.
DPI = 50
# Of 255. Programs that write a file anew round its numbers, which moves an edge by a fraction of a dot: what lies a dot
# beside is no difference.
SHADE = 32
# Dots that may differ so much on a page, next to nothing of a card's 20 000.
FEW = 12


@dataclass(frozen=True, slots=True)
class _Page:
    """A page as it looks."""

    picture: Image
    key: str


def page_differences(given: bytes, made: bytes, there: Printed, wanted: Printed, place: Place) -> Iterator[Problem]:
    """What a file's pages show otherwise than those of ``made``. ``there`` and ``wanted`` are the pieces on each."""
    yield from _units(there, place)
    pages, right = _pages(given), _pages(made)
    moves = SequenceMatcher(None, [page.key for page in pages], [page.key for page in right], autojunk=False).get_opcodes()
    missing: list[int] = []
    extra: list[int] = []
    for kind, start, end, first, last in moves:
        if kind == "equal":
            continue
        both = min(end - start, last - first) if end - start == last - first else 0
        for step in range(both):
            yield from _changed(start + step, pages[start + step], right[first + step], wanted, first + step, place)
        extra += range(start + both, end)
        missing += range(first + both, last)
    yield from _strayed(extra, missing, pages, right, wanted, place)


def _pages(pdf: bytes) -> list[_Page]:
    """Every page as it is printed, with all that a viewer minds: rotation, crop, clipping."""
    from PIL import Image

    from pnp.write.png import render

    pictures = [Image.open(io.BytesIO(png)).convert("RGB") for png in render(pdf, DPI)]
    return [_Page(picture, digest(picture.tobytes(), str(picture.size))) for picture in pictures]


def _units(there: Printed, place: Place) -> Iterator[Problem]:
    odd = [number for number, page in enumerate(there.pages, 1) if abs(page.unit - 1) > 1e-6]
    if odd:
        unit = there.pages[odd[0] - 1].unit
        message = f"page {listed(map(str, odd))}: a UserUnit of {unit:g} makes some printers scale it"
        yield Problem("printed-size", place, message, f"{unit:g}", "1", ANEW)


def _changed(at: int, page: _Page, right: _Page, wanted: Printed, number: int, place: Place) -> Iterator[Problem]:
    """What a page shows otherwise; nothing where it is only rounded."""
    if page.picture.size != right.picture.size:
        sizes = [" × ".join(f"{side / DPI * 25.4:.0f}" for side in each.picture.size) for each in (page, right)]
        message = f"page {at + 1} shows {sizes[0]} mm of paper instead of {sizes[1]}: it was cropped, turned or scaled"
        yield Problem("printed-size", place, message, sizes[0], sizes[1], ANEW)
        return
    strong = _apart(page.picture, right.picture)
    if strong.histogram()[255] <= FEW:
        return
    box = strong.getbbox() or (0, 0, 0, 0)
    left, top, across, down = (side / DPI * 25.4 for side in box)
    hit = [
        piece
        for piece in wanted.pieces
        if piece.page == number + 1
        and piece.box.x < across
        and piece.box.right > left
        and piece.box.y < down
        and piece.box.bottom > top
    ]
    names = listed(dict.fromkeys(f"{piece.name} ({piece.side})" for piece in hit), 6) or "marks or words beside the pieces"
    yield Problem(
        RULE,
        place,
        f"page {at + 1} looks otherwise than it should from {left:.0f}, {top:.0f} to {across:.0f}, {down:.0f} mm: {names}",
        names,
        hint=ANEW,
    )


def _apart(one: Image, other: Image) -> Image:
    """Where two pictures differ by more than what lies a dot beside: white there, black elsewhere."""
    from PIL import ImageChops, ImageFilter

    darkest, lightest = ImageFilter.MinFilter(3), ImageFilter.MaxFilter(3)
    # A line thinner than a dot is one grey dot wide here, and two lighter ones there.
    one, other = (each.filter(ImageFilter.BoxBlur(1)) for each in (one, other))
    found = None
    for first, second in ((one, other), (other, one)):
        darker = ImageChops.subtract(second.filter(darkest), first)
        lighter = ImageChops.subtract(first, second.filter(lightest))
        both = ImageChops.lighter(darker, lighter)
        found = both if found is None else ImageChops.lighter(found, both)
    assert found is not None
    red, green, blue = found.split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue).point(lambda shade: 255 * (shade > SHADE))


def _strayed(
    extra: Sequence[int],
    missing: Sequence[int],
    pages: Sequence[_Page],
    right: Sequence[_Page],
    wanted: Printed,
    place: Place,
) -> Iterator[Problem]:
    """Pages in other places than theirs, pages that are gone, and pages that nobody made."""
    left = list(missing)
    moved: list[str] = []
    for at in extra:
        home = next((number for number in left if right[number].key == pages[at].key), None)
        if home is None:
            message = f"page {at + 1} is none of this file's: pnp would not print it there"
            yield Problem(RULE, place, message, str(at + 1), hint=ANEW)
        else:
            left.remove(home)
            moved.append(f"{at + 1} should be {home + 1}")
    if moved:
        message = f"pages are out of order, and backs lie on other fronts: {listed(moved, 6)}"
        yield Problem(RULE, place, message, listed(moved, 6), hint=ANEW)
    for number in left:
        pieces = [piece for piece in wanted.pieces if piece.page == number + 1]
        names = listed(dict.fromkeys(f"{piece.name} ({piece.side})" for piece in pieces), 6) or "a side without pieces"
        message = f"page {number + 1} is missing: {names}"
        yield Problem(RULE, place, message, allowed=f"{len(right)} pages", hint=ANEW)
