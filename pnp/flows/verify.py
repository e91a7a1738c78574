"""Runs ``pnp verify``: compares a printed file with the tables, and each page with the same page made anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from pnp.dataclass import dataclass
from pnp.draw.plan import rounded
from pnp.flows.build import OUTPUTS
from pnp.flows.pipeline import Copies, Pipeline, chosen, options_of
from pnp.flows.together import AND, Joined, join
from pnp.lay.grid import TooLarge, split
from pnp.lay.picture import PLAN
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.system import watchdog
from pnp.system.addons import load_all
from pnp.system.cache import Cache
from pnp.system.paths import plain_bytes
from pnp.values.faces import PlacedFace
from pnp.values.game import KINDS, MARGIN, Component, Game, Paper, Side
from pnp.values.languages import ENGLISH
from pnp.values.outcome import WHOLE, NoSuchPart, Result
from pnp.values.problems import About, Place, Problem, Problems, listed
from pnp.write.png import look_keys, looks
from pnp.write.printed import MOST_BYTES, NotPrinted, Printed, PrintedPiece, actions, read_printed

if TYPE_CHECKING:
    from PIL.Image import Image

    Look = tuple[Image, str]

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


def page_differences(given: bytes, made: bytes, there: Printed, wanted: Printed, place: Place) -> Iterator[Problem]:
    """Reports where pages of a printed file differ from ``made``, the game's pages as they are now.

    ``there`` and ``wanted``: the pieces on the pages of the one and the other.
    """
    if odd := [number for number, page in enumerate(there.pages, 1) if abs(page.unit - 1) > 1e-6]:
        unit = there.pages[odd[0] - 1].unit
        message = f"page {listed(map(str, odd))}: a UserUnit of {unit:g} makes some printers scale it"
        yield Problem("printed-size", place, message, f"{unit:g}", "1", ANEW)
    pages, right = (list(look_keys(each, DPI)) for each in (given, made))
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


def _changed(at: int, page: Look, meant: Look, wanted: Printed, number: int, place: Place) -> Iterator[Problem]:
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
    first, second = one.split(), other.split()
    for kind, start, end, begin, stop in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind != "equal":
            before = max(0, min(start, begin) - 1)
            shift = begin - start
            return " ".join(first[before:end][:MOST_WORDS]), " ".join(second[max(0, before + shift) : stop][:MOST_WORDS])
    return one, other


def _apart(one: Image, other: Image) -> Image:
    """An image, bright where two pictures differ by more than one pixel's shift."""
    from PIL import ImageChops, ImageFilter

    darkest, lightest = ImageFilter.MinFilter(3), ImageFilter.MaxFilter(3)
    # A line thinner than a dot is one grey dot wide here, and two lighter ones there.
    one, other = (each.filter(ImageFilter.BoxBlur(1)) for each in (one, other))
    found = []
    for first, second in ((one, other), (other, one)):
        found.append(ImageChops.subtract(second.filter(darkest), first))
        found.append(ImageChops.subtract(first, second.filter(lightest)))
    red, green, blue = reduce(ImageChops.lighter, found).split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue).point(lambda shade: 255 * (shade > SHADE))


def _strayed(
    extra: Sequence[int], missing: Sequence[int], pages: Sequence[str], right: Sequence[str], wanted: Printed, place: Place
) -> Iterator[Problem]:
    left = list(missing)
    moved: list[str] = []
    for at in extra:
        if (home := next((number for number in left if right[number] == pages[at]), None)) is None:
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


# Printers and viewers round; a page scaled to fit is off by far more.
SCALE_SLACK = 0.001
# A piece may reach this far beyond the page, in mm: a rounding error.
EDGE_SLACK = 0.05


@dataclass(frozen=True, slots=True)
class Converted:
    """A printed file that an add-on made of sheets, such as one in a press's inks."""

    convert: Callable[[bytes], bytes]
    """Makes of sheets as a build writes them what the file has."""
    problems: Sequence[Problem]
    """What is wrong with the file whatever game it is of."""
    compared: Callable[[], Sequence[Problem] | None]
    """Compares pages of single faces with the export that they are of; None where none is noted beside them."""


def verify_file(project: Project, path: Path, name: str | None, cache: Cache | None = None) -> Result:
    """Compares a file with what the game makes now. Raises NoSuchGame, NotPrinted, OSError.

    Add-ons are asked first: each verifier gets the project, the path, the file's content, the name and the cache, and
    returns a Result, or None for a file of another kind.
    """
    watchdog.at(f"reading {path.name}")
    given = plain_bytes(path, MOST_BYTES)
    for verifier in load_all("pnp.verifiers").values():
        result: Result | None = verifier(project, path, given, name, cache)
        if result is not None:
            return result
    return verify_sheets(project, path, given, name, cache)


def verify_sheets(
    project: Project, path: Path, given: bytes, name: str | None, cache: Cache | None, converted: Converted | None = None
) -> Result:
    """Compares a printed PDF with the game's tables, then, if its pieces are complete, its pages with those that the game
    makes now. Raises NoSuchGame, NotPrinted, OSError.
    """
    printed = read_printed(given, path.name)
    name = name or printed.game
    place = Place(project.shown(path) if path.is_relative_to(project.root) else path.name)
    if not name and converted is not None:
        problems = Problems()
        problems.extend(converted.problems)
        return Result(path.stem, problems, [path], said="nothing in it that a print shop would refuse")
    if not name:
        raise NotPrinted(f"{path.name} does not say which game it is: it was not made by pnp. Say --game NAME")
    if not printed.game and not printed.pieces:
        raise NotPrinted(f"{path.name} has no pieces on its pages that pnp could count: another program has made it anew")
    problems = Problems()
    options = options_of(printed.how)
    made: Pipeline | None = None
    if options and AND in name and name not in project.games():
        made = join(project, name.split(AND), options, lambda _: None, cache)
        game = made.game
        for each in made.games:
            problems.extend(each.problems)
    else:
        game = read_game(project, name, problems)
        made = Pipeline(project, name, options, Problems(), cache=cache) if options else None
    if game is None or problems.errors:
        return Result(name, problems)
    try:
        problems.extend(_counted(game, made, printed, place))
        if found := actions(given, place.file):
            message = f"the file does something by itself when it is opened ({listed(found)}), and pnp wrote no such thing"
            problems.error(RULE, place, message, value=found[0], hint=ANEW)
        if not problems.errors:
            problems.extend(_pages(game, made, given, printed, place, converted))
    except NoSuchPart as gone:
        held = options.selection.told(ENGLISH) if options else "it"
        message = f"the file holds {held}: {gone.message}"
        problems.error("printed-count", place, message, hint="Build it anew, as the game is now.")
    problems.extend(converted.problems if converted else ())
    return Result(name, problems, [path])


def _pages(
    game: Game, made: Pipeline | None, given: bytes, printed: Printed, place: Place, converted: Converted | None
) -> Iterator[Problem]:
    again = _again(made, printed) if made and made.drawable and made.book is not None else None
    if again is None:
        message = "the same file cannot be made from the game as it is now, so its pages were not looked at"
        hint = f"pnp check {game.name} says what is wrong."
        if made is None:
            message = "the file does not say how it was made, so its pieces were counted, and its pages not looked at"
            hint = "Another program has made it anew."
        elif made.drawable and converted is not None:
            if (found := converted.compared()) is not None:
                yield from found
                return
            message = "these are pages of single faces: their pieces were counted, and not compared with the game's"
            hint = "Look at each before you send it."
        yield Problem(RULE, place, message, hint=hint, severity="warning")
        return
    if converted is not None:
        again = converted.convert(again)
    watchdog.at(f"looking at the pages of {place.file}")
    yield from page_differences(given, again, printed, read_printed(again, "the file made once more"), place)


def _counted(game: Game, made: Pipeline | None, printed: Printed, place: Place) -> Iterator[Problem]:
    selection = made.options.selection if made else WHOLE
    if made is None or not (selection.sheets or isinstance(made, Joined)):
        yield from differences(game, printed, place, None if selection.is_whole else chosen(game, selection).copies)
        return
    # Which pieces lie on a sheet is known once all are laid; of a board it has a part. Several games are laid as well.
    items = [item for pages in made.printed.values() for page in pages for item in page.items]
    right = Counter((item.name, item.side) for item in items if isinstance(item, PlacedFace) and item.name != PLAN)
    pieces = [piece for piece in printed.pieces if piece.name != PLAN]
    there = Counter((piece.name, piece.side) for piece in pieces)
    yield from _faulty(pieces, printed, place)
    for name, side in dict.fromkeys([*right, *there]):
        got, needed = there[name, side], right[name, side]
        if got != needed:
            back = " back" if side == "back" else ""
            message = f"{name}{back} printed {got} ×, {needed} × on these sheets as the game makes them"
            yield Problem("printed-count", place, message, str(got), str(needed), ANEW, about=_about(name, side))


def _again(made: Pipeline, printed: Printed) -> bytes | None:
    title = printed.title.rpartition(": ")[2]
    named = {component.name for component in made.game.components if title in _titles(component)} if made.game else set()
    there = {piece.name.partition("/")[0] for piece in printed.pieces}
    named = named & there or named
    for file in OUTPUTS["sheets" if made.options.papers else "one piece"].make(made):
        if Path(file.name).stem in (named or {"print"}):
            return file.data
    return None


def _faulty(pieces: list[PrintedPiece], printed: Printed, place: Place) -> Iterator[Problem]:
    for page in sorted({piece.page for piece in pieces if abs(piece.scale - 1) > SCALE_SLACK}):
        wrong = [piece for piece in pieces if piece.page == page and abs(piece.scale - 1) > SCALE_SLACK]
        names, scale = listed(dict.fromkeys(piece.name for piece in wrong), 4), f"{wrong[0].scale * 100:.1f} %"
        message = f"page {page}: {names} printed at {scale}"
        hint = "Build the file anew: another program has scaled its pages."
        yield Problem("printed-size", place, message, value=scale, allowed="100 %", hint=hint)
    for piece in pieces:
        paper, box = printed.pages[piece.page - 1], piece.box
        # A page of a board shows a part of it; the rest of the drawing is clipped away beside the page.
        part = ":" in piece.name and not piece.name.rpartition(":")[2].isdecimal()
        beyond = max(-box.x, -box.y, box.right - paper.width, box.bottom - paper.height)
        if beyond > EDGE_SLACK and not part:
            message = f"page {piece.page}: {piece.name} reaches {beyond:.1f} mm beyond the page"
            yield Problem("printed-size", place, message, piece.name, about=_about(piece.name, piece.side))


def differences(game: Game, printed: Printed, place: Place, copies: Copies | None = None) -> Iterator[Problem]:
    """Reports pieces that are too many, missing, scaled or off the page. ``copies``: what the file selects of the game."""
    pieces = [piece for piece in printed.pieces if piece.name != PLAN]
    yield from _faulty(pieces, printed, place)
    components = {component.name: component for component in game.components}
    there = dict.fromkeys(piece.name.partition("/")[0] for piece in pieces)
    for name in there:
        if name not in components:
            yield Problem("printed-count", place, f'"{name}" is printed, and is no component of {game.title}', value=name)
    fronts = Counter(piece.name for piece in pieces if piece.side == "front")
    backs = Counter(piece.name for piece in pieces if piece.side == "back")
    for component in _meant(printed, components):
        if copies is not None and component.name not in {*copies, *there}:
            continue
        wanted = _wanted(component, printed, None if copies is None else copies.get(component.name, {}))
        yield from _miscounted(component, wanted, fronts, "front", place)
        # A file printed on one side may have no backs at all; then that was asked for.
        backed = printed.two_sided or any(name.startswith(f"{component.name}/") for name in backs)
        if component.back is not None and not KINDS[component.kind].parted and backed:
            yield from _miscounted(component, wanted, backs, "back", place)


def _meant(printed: Printed, components: Mapping[str, Component]) -> list[Component]:
    what = printed.title.rpartition(": ")[2]
    if what == "all sheets":
        return list(components.values())
    named = [component for component in components.values() if what in (*_titles(component), component.name)]
    there = {piece.name.partition("/")[0] for piece in printed.pieces}
    return named or [component for component in components.values() if component.name in there]


def _titles(component: Component) -> tuple[str, str]:
    return component.title, rounded(component.title)


def _wanted(component: Component, printed: Printed, chosen: Mapping[str, int] | None) -> dict[str, int]:
    """How often each piece, or part of one, should be there; only the ``chosen`` ones, if given."""
    wanted: dict[str, int] = {}
    for row in component.table:
        name = f"{component.name}/{row.id}"
        copies = row.copies if chosen is None else chosen.get(row.id, 0)
        if KINDS[component.kind].parted:
            labels = _tiles(component, printed, name)
            wanted |= dict.fromkeys(labels, copies)
            continue
        wanted[name] = copies
        wanted |= {f"{name}:{part}": copies for part in range(2, len(component.nets) + 1)}
    return wanted


def _tiles(component: Component, printed: Printed, name: str) -> list[str]:
    """The pages that a board is split over on this paper; the component itself where it is whole."""
    if any(piece.name == name for piece in printed.pieces):
        return [name]
    page = printed.pages[-1]
    options = options_of(printed.how)
    paper = Paper("page", page.width, page.height, margin=options.margin if options else MARGIN)
    try:
        poster = split(paper, component.width, component.height, component.step, component.bleed, component.join)
    except TooLarge:
        return [name]
    return [f"{name}:{tile.label}" for tile in poster.tiles]


def _miscounted(
    component: Component, wanted: Mapping[str, int], there: Counter[str], side: Side, place: Place
) -> Iterator[Problem]:
    what = " backs" if side == "back" else ""
    own = {name: count for name, count in there.items() if name.partition("/")[0] == component.name}
    for name in dict.fromkeys([*wanted, *own]):
        got, needed = own.get(name, 0), wanted.get(name, 0)
        if got != needed:
            piece, file = name.partition("/")[2], component.table.file
            message = f"{component.title}: {piece}{what} printed {got} ×, {needed} × in {file}"
            hint = f"{got - needed} too many." if got > needed else f"{needed - got} missing."
            yield Problem("printed-count", place, message, str(got), str(needed), hint, about=_about(name, side))


def _about(name: str, side: Side) -> About:
    component, _, called = name.partition("/")
    piece, _, part = called.partition(":")
    return About(component, piece, side, int(part) if part.isdecimal() else 1)
