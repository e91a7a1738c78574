"""A printed file page by page against the same file made once more: what another program lost, moved or painted over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from pnp.lay.picture import PLAN
from pnp.system.cache import digest
from pnp.values.problems import Place, Problem, listed
from pnp.write.png import looks
from pnp.write.printed import Printed

if TYPE_CHECKING:
    from PIL.Image import Image

RULE = "printed-page"
ANEW = "Build the file anew, and print that one."
# Enough to see another number on a card; a thin line is a dot wide.
DPI = 100
# Of 255. Programs that write a file anew round its numbers, which moves an edge by a fraction of a dot: what lies a dot
# beside is no difference.
SHADE = 32
# Dots that may differ so much on a page, next to nothing of a card's 80 000.
FEW = 12
# Words that are quoted of a page.
MOST_WORDS = 8

if TYPE_CHECKING:
    Look = tuple[Image, str]


def page_differences(given: bytes, made: bytes, there: Printed, wanted: Printed, place: Place) -> Iterator[Problem]:
    """What a file's pages show otherwise than those of ``made``. ``there`` and ``wanted`` are the pieces on each."""
    yield from _units(there, place)
    pages, right = _keys(given), _keys(made)
    changed: list[tuple[int, int]] = []
    missing: list[int] = []
    extra: list[int] = []
    for kind, start, end, first, last in SequenceMatcher(None, pages, right, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        both = end - start if end - start == last - first else 0
        changed += [(start + step, first + step) for step in range(both)]
        extra += range(start + both, end)
        missing += range(first + both, last)
    if changed:
        shown = looks(given, DPI, [at for at, _ in changed]), looks(made, DPI, [number for _, number in changed])
        for (at, number), page, meant in zip(changed, *shown, strict=True):
            yield from _changed(at, page, meant, wanted, number, place)
    yield from _strayed(extra, missing, pages, right, wanted, place)


def _keys(pdf: bytes) -> list[str]:
    """Every page by how it is printed, with all that a viewer minds: rotation, crop, clipping."""
    return [digest(picture.tobytes(), str(picture.size), words) for picture, words in looks(pdf, DPI)]


def _units(there: Printed, place: Place) -> Iterator[Problem]:
    odd = [number for number, page in enumerate(there.pages, 1) if abs(page.unit - 1) > 1e-6]
    if odd:
        unit = there.pages[odd[0] - 1].unit
        message = f"page {listed(map(str, odd))}: a UserUnit of {unit:g} makes some printers scale it"
        yield Problem("printed-size", place, message, f"{unit:g}", "1", ANEW)


def _changed(at: int, page: Look, meant: Look, wanted: Printed, number: int, place: Place) -> Iterator[Problem]:
    """What a page shows otherwise; nothing where it is only rounded."""
    (picture, words), (right, said) = page, meant
    if picture.size != right.size:
        sizes = [" × ".join(f"{side / DPI * 25.4:.0f}" for side in each.size) for each in (picture, right)]
        message = f"page {at + 1} shows {sizes[0]} mm of paper instead of {sizes[1]}: it was cropped, turned or scaled"
        yield Problem("printed-size", place, message, sizes[0], sizes[1], ANEW)
        return
    strong = _apart(picture, right)
    box = strong.getbbox() if strong.histogram()[255] > FEW else None
    if words == said and box is None:
        return
    names = listed(_pieces_in(box, wanted, number), 6) if box else ""
    if words == said:
        where = " to ".join(f"{x / DPI * 25.4:.0f}, {y / DPI * 25.4:.0f}" for x, y in (box[:2], box[2:])) if box else ""
        what = f"looks otherwise than it should from {where} mm: {names or 'marks or words beside the pieces'}"
        yield Problem(RULE, place, f"page {at + 1} {what}", names, hint=ANEW)
        return
    here, there = _apart_words(words, said)
    on = f", on {names}" if names else ""
    message = f'page {at + 1} says "{here}" where the game says "{there}"{on}'
    yield Problem(RULE, place, message, here, there, ANEW)


def _pieces_in(box: tuple[int, int, int, int], wanted: Printed, number: int) -> list[str]:
    """The sides of pieces that a box of a page's picture touches."""
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
    return list(dict.fromkeys(f"{piece.name} ({piece.side})" for piece in hit))


def _apart_words(one: str, other: str) -> tuple[str, str]:
    """The first words of two texts that are not the same, with one before them."""
    first, second = one.split(), other.split()
    for kind, start, end, begin, stop in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind != "equal":
            before = max(0, min(start, begin) - 1)
            shift = begin - start
            return " ".join(first[before:end][:MOST_WORDS]), " ".join(second[max(0, before + shift) : stop][:MOST_WORDS])
    return one, other


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
    pages: Sequence[str],
    right: Sequence[str],
    wanted: Printed,
    place: Place,
) -> Iterator[Problem]:
    """Pages in other places than theirs, pages that are gone, and pages that nobody made."""
    left = list(missing)
    moved: list[str] = []
    for at in extra:
        home = next((number for number in left if right[number] == pages[at]), None)
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
        pieces = [piece for piece in wanted.pieces if piece.page == number + 1 and piece.name != PLAN]
        names = listed(dict.fromkeys(f"{piece.name} ({piece.side})" for piece in pieces), 6) or "a side without pieces"
        message = f"page {number + 1} is missing: {names}"
        yield Problem(RULE, place, message, allowed=f"{len(right)} pages", hint=ANEW)
