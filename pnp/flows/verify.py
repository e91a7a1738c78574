"""``pnp verify``: what a printed file really holds against what the tables say, without looking at the manifest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from pnp.draw.plan import rounded
from pnp.flows.forpress import in_the_same_inks, is_for_press, press_problems
from pnp.flows.howmade import options_of
from pnp.flows.lookalike import ANEW, page_differences
from pnp.flows.outputs import OUTPUTS
from pnp.flows.pipeline import Pipeline
from pnp.flows.selected import Copies, chosen
from pnp.flows.together import AND, Joined, join
from pnp.lay.grid import TooLarge
from pnp.lay.picture import PLAN
from pnp.lay.split import split
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.system.cache import Cache
from pnp.system.paths import plain_bytes
from pnp.values.faces import PlacedFace
from pnp.values.game import MARGIN, Component, Game, Paper, Side
from pnp.values.kinds import KINDS
from pnp.values.outcome import Result
from pnp.values.problems import About, Place, Problem, Problems, listed
from pnp.values.selection import WHOLE, NoSuchPart
from pnp.values.words import ENGLISH
from pnp.write.printed import MOST_BYTES, NotPrinted, Printed, PrintedPiece, read_printed

# Printers and viewers round; a page scaled to fit is off by far more.
SCALE_SLACK = 0.001
# A piece may reach this far beyond the page, in mm: a rounding error.
EDGE_SLACK = 0.05


def verify_file(project: Project, path: Path, name: str | None, cache: Cache | None = None) -> Result:
    """Differences between a printed file and the game's tables, then, where its pieces are all there, between its pages
    and those that the game makes now; of a file in inks also what a print shop would mind.

    Raises NoSuchGame, NotPrinted, OSError.
    """
    given = plain_bytes(path, MOST_BYTES)
    if not given.startswith(b"%PDF"):
        from pnp.flows.verify_export import verify_export

        if (exported := verify_export(project, path, given, name)) is not None:
            return exported
    printed = read_printed(given, path.name)
    name = name or printed.game
    place = Place(project.shown(path) if path.is_relative_to(project.root) else path.name)
    press = list(press_problems(given, place)) if is_for_press(given) else None
    if not name and press is not None:
        problems = Problems()
        problems.extend(press)
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
        if not problems.errors:
            problems.extend(_pages(game, made, given, printed, place))
    except NoSuchPart as gone:
        held = options.selection.told(ENGLISH) if options else "it"
        message = f"the file holds {held}: {gone.message}"
        problems.error("printed-count", place, message, hint="Build it anew, as the game is now.")
    problems.extend(press or ())
    return Result(name, problems, [path])


def _pages(game: Game, made: Pipeline | None, given: bytes, printed: Printed, place: Place) -> Iterator[Problem]:
    """What the pages show otherwise than those of the same file, made once more."""
    if made is None:
        message = "the file does not say how it was made, so its pieces were counted, and its pages not looked at"
        yield Problem("printed-page", place, message, hint="Another program has made it anew.", severity="warning")
        return
    again = _again(made, printed) if made.drawable and made.book is not None else None
    if again is None and made.drawable and is_for_press(given):
        message = "these are pages of single faces: their pieces were counted, and not compared with the game's"
        yield Problem("printed-page", place, message, hint="Look at each before you send it.", severity="warning")
        return
    if again is None:
        message = "the same file cannot be made from the game as it is now, so its pages were not looked at"
        yield Problem("printed-page", place, message, hint=f"pnp check {game.name} says what is wrong.", severity="warning")
        return
    if is_for_press(given):
        again = in_the_same_inks(again, given)
    yield from page_differences(given, again, printed, read_printed(again, "the file made once more"), place)


def _counted(game: Game, made: Pipeline | None, printed: Printed, place: Place) -> Iterator[Problem]:
    """Pieces that are not as many as the tables say, or the part of the game that the file holds. Raises NoSuchPart."""
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
    """The same file, made from the game as it is now; None where the game makes none of that title."""
    title = printed.title.rpartition(": ")[2]
    named = {component.name for component in made.game.components if title in _titles(component)} if made.game else set()
    there = {piece.name.partition("/")[0] for piece in printed.pieces}
    named = named & there or named
    for file in OUTPUTS["sheets" if made.options.papers else "one piece"].make(made):
        if Path(file.name).stem in (named or {"print"}):
            return file.data
    return None


def _faulty(pieces: list[PrintedPiece], printed: Printed, place: Place) -> Iterator[Problem]:
    """Pieces that are scaled or off the page."""
    yield from _scaled(pieces, place)
    yield from _off_page(pieces, printed, place)


def differences(game: Game, printed: Printed, place: Place, copies: Copies | None = None) -> Iterator[Problem]:
    """Pieces that are too many, missing, scaled or off the page. ``copies``: what of the game the file holds."""
    pieces = [piece for piece in printed.pieces if piece.name != PLAN]
    yield from _faulty(pieces, printed, place)
    components = {component.name: component for component in game.components}
    for name in dict.fromkeys(piece.name.partition("/")[0] for piece in pieces):
        if name not in components:
            yield Problem("printed-count", place, f'"{name}" is printed, and is no component of {game.title}', value=name)
    fronts = Counter(piece.name for piece in pieces if piece.side == "front")
    backs = Counter(piece.name for piece in pieces if piece.side == "back")
    for component in _meant(printed, components):
        if (
            copies is not None
            and component.name not in copies
            and not any(name.startswith(f"{component.name}/") for name in {*fronts, *backs})
        ):
            continue
        wanted = _wanted(component, printed, None if copies is None else copies.get(component.name, {}))
        yield from _miscounted(component, wanted, fronts, "front", place)
        # A file printed on one side may have no backs at all; then that was asked for.
        backed = printed.two_sided or any(name.startswith(f"{component.name}/") for name in backs)
        if component.back is not None and not KINDS[component.kind].parted and backed:
            yield from _miscounted(component, wanted, backs, "back", place)


def _meant(printed: Printed, components: Mapping[str, Component]) -> list[Component]:
    """The components that the file is to hold: all, or those that its title or its pieces name."""
    what = printed.title.rpartition(": ")[2]
    if what == "all sheets":
        return list(components.values())
    named = [component for component in components.values() if what in (*_titles(component), component.name)]
    there = {piece.name.partition("/")[0] for piece in printed.pieces}
    return named or [component for component in components.values() if component.name in there]


def _titles(component: Component) -> tuple[str, str]:
    """What a file may call it: as it was typed, or with round quotes, as its sheets do."""
    return component.title, rounded(component.title)


def _wanted(component: Component, printed: Printed, chosen: Mapping[str, int] | None) -> dict[str, int]:
    """How often each piece, or part of a piece, is to be there; of those that were ``chosen``, if some were."""
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
    """The pages that a board is parted over on this paper; itself where it is printed in one piece."""
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
            difference = got - needed
            yield Problem(
                "printed-count",
                place,
                f"{component.title}: {name.partition('/')[2]}{what} printed {got} ×, {needed} × in {component.table.file}",
                value=str(got),
                allowed=str(needed),
                hint=f"{difference} too many." if difference > 0 else f"{-difference} missing.",
                about=_about(name, side),
            )


def _about(name: str, side: Side) -> About:
    """What a printed file calls ``component/id``, with the number of a part or the label of a board's page behind it."""
    component, _, called = name.partition("/")
    piece, _, part = called.partition(":")
    return About(component, piece, side, int(part) if part.isdecimal() else 1)


def _scaled(pieces: list[PrintedPiece], place: Place) -> Iterator[Problem]:
    for page in sorted({piece.page for piece in pieces if abs(piece.scale - 1) > SCALE_SLACK}):
        wrong = [piece for piece in pieces if piece.page == page and abs(piece.scale - 1) > SCALE_SLACK]
        names, scale = listed(dict.fromkeys(piece.name for piece in wrong), 4), f"{wrong[0].scale * 100:.1f} %"
        yield Problem(
            "printed-size",
            place,
            f"page {page}: {names} printed at {scale}",
            value=scale,
            allowed="100 %",
            hint="Build the file anew: another program has scaled its pages.",
        )


def _off_page(pieces: list[PrintedPiece], printed: Printed, place: Place) -> Iterator[Problem]:
    for piece in pieces:
        page = printed.pages[piece.page - 1]
        box = piece.box
        # A page of a board shows a part of it; the rest of the drawing is clipped away beside the page.
        if ":" in piece.name and not piece.name.rpartition(":")[2].isdecimal():
            continue
        beyond = max(-box.x, -box.y, box.right - page.width, box.bottom - page.height)
        if beyond > EDGE_SLACK:
            message = f"page {piece.page}: {piece.name} reaches {beyond:.1f} mm beyond the page"
            yield Problem("printed-size", place, message, piece.name, about=_about(piece.name, piece.side))
