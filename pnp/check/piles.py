"""Checks that pieces shuffled together look alike from behind.

Without ``[pile.NAME]``, a layout's pool is one pile, and dominoes of which three quarters have one back.

``back-tells``: pieces of one pile have different backs. Piles in sleeves (``sleeved = true``) are not looked at.
Why: whoever sees another back on top of the pile knows what comes.
Example: ``[pile.cargo] of = ["cargo", "bad-luck"]``, and bad luck has the back of the treasure.
Mend: give them one template as ``back``, and let it use of a row only what is the same for the whole pile. Where rows are
several piles, such as a deck for each player, name the column: ``by = "player"``.

``backs-differ``: cards, tiles, dominoes or tokens of one component in no pile have different backs. Not where ``back``
is the template of the front. A warning.
Why: a back that shows the name of its own card gives it away.
Example: ``{{ row.name }}`` in the template of the back.
Mend: let the back use nothing of its row. Where it is meant, say ``[pile.deck] of = "cards"`` with ``by = "player"`` for
a deck each, or ``by = "name"`` for pieces with two sides.

``pile-differs``: pieces of one pile differ in size or shape; a warning: in paper or weight.
Why: cards of two sizes cannot be shuffled, and a stiffer one is felt.
Example: cargo of 63 × 88 mm, bad luck of 57 × 89 mm.
Mend: give both components the same ``size``, ``paper`` and ``weight`` in game.toml.

``pile-without-back``: a pile has no backs. A warning.
Why: through bare paper the front shines.
Example: event cards are a pile, and their component has no back.
Mend: give it one, or say ``sleeved = true``.

``piles-alike``: pieces of one size in different piles have the same back. A warning.
Why: after the game somebody has to sort them.
Example: treasure and cargo both have the back of the cargo.
Mend: give one of them another back. Where it is meant, allow it.

Covers: backs, sizes, shapes, paper and weight of the pieces of a pile.
Not covered: a shift or another shade in print.

``stray-back``: a component has another back than its sisters (three or more of one table and one template), or one that
is the front of other pieces. Warnings.
Why: in game.toml a wrong back is one word, and draws without a fault.
Example: ``[component.penguins] back = "ice"``.
Mend: name the right template. Where it is meant, allow it.

Covers: the names of templates in ``back``, of every component.
Not covered: what a back shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from pnp.check.tile_search import laid, pools
from pnp.dataclass import dataclass
from pnp.shapes import units
from pnp.values.faces import Piece
from pnp.values.findings import Subject, reported
from pnp.values.game import Component
from pnp.values.problems import About, Place, Problem, Severity, listed
from pnp.values.sections import Pile
from pnp.values.tables import Row
from pnp.values.walk import grouped

TELLS, DIFFERS, BARE, ALIKE = "back-tells", "pile-differs", "pile-without-back", "piles-alike"
UNTOLD = "backs-differ"
PILE_RULES, STRAY = (TELLS, DIFFERS, BARE, ALIKE, UNTOLD), "stray-back"
RULES = (*PILE_RULES, STRAY)

# What is turned over or drawn from a pile; what has another kind has a back to be seen.
_SHUFFLED = ("card", "tile", "domino", "token")

# With more backs than these the pieces are hardly meant to be one pile.
_FEW = 4
# Of a set of dominoes so large a share may have another back by mistake; with more they have two sides.
_ODD_DOMINOES = 0.25


@reported
def look(subject: Subject) -> Iterator[Problem]:
    """Compares the backs, sizes, shapes and papers of the components of each pile."""
    components = {component.name: component for component in subject.game.components}
    for pile in subject.game.rules.piles:
        of = [components[name] for name in pile.components if name in components]
        yield from (*_sizes(pile, of), *_bare(pile, of))


@reported
def look_drawn(subject: Subject) -> Iterable[Problem]:
    """The backs as they are drawn."""
    lots = list(_lots(subject))
    return [*_backs(lots), *_untold(subject, lots), *_mixed(lots)]


def _sizes(pile: Pile, of: Sequence[Component]) -> Iterator[Problem]:
    for other in of[1:]:
        first, (there, severity) = of[0], _difference(of[0], other)
        if there:
            message = f'"{other.title}" and "{first.title}" are shuffled together ({_said(pile)}), and {there}'
            hint = "Make them alike, or take one of them out of the pile."
            yield Problem(DIFFERS, other.place, message, other.name, hint=hint, severity=severity)


def _difference(first: Component, other: Component) -> tuple[str, Severity]:
    sizes = [f"{units.show(one.width)} × {units.show(one.height)} mm" for one in (other, first)]
    if sizes[0] != sizes[1]:
        return f"one is {sizes[0]}, the other {sizes[1]}", "error"
    if other.kind != first.kind or other.outline != first.outline:
        return f"they have different shapes or corners ({other.kind}, {first.kind})", "error"
    if bool(other.back) != bool(first.back):
        return f'"{(other if not other.back else first).title}" has no back', "error"
    if other.weight != first.weight or other.backs != first.backs:
        return f"one is stiffer ({other.weight} and {first.weight} g/m²)" if other.weight != first.weight else (
            "one is folded of two layers"
        ), "warning"
    if other.paper != first.paper:
        return f'their papers are "{other.paper}" and "{first.paper}"', "warning"
    return "", "warning"


def _bare(pile: Pile, of: Sequence[Component]) -> Iterator[Problem]:
    if not pile.sleeved and of and not any(component.back for component in of):
        names = listed(f'"{component.title}"' for component in of)
        hint = "Give it a back, or say sleeved = true where it is played in sleeves."
        yield Problem(BARE, of[0].place, f"{names}: a pile without backs ({_said(pile)})", hint=hint, severity="warning")


def _said(pile: Pile) -> str:
    return f"rules.toml row {pile.place.row}"


@dataclass(frozen=True, slots=True)
class _Lot:
    """Pieces that must look the same from behind."""

    name: str
    pieces: tuple[tuple[Row, Piece], ...]
    place: Place
    declared: str = ""
    """The name of its section; empty where it is known without one."""


def _lots(subject: Subject) -> Iterator[_Lot]:
    drawn = _drawn(subject)
    for pile in subject.game.rules.piles:
        if not pile.sleeved:
            those = (each for name in pile.components for each in drawn.get(name, ()))
            for said, pieces in grouped(
                (row.ref_id(pile.by) if pile.by else "", (row, piece)) for row, piece in those
            ).items():
                called = f'the pile "{pile.name}"' + (f' with {pile.by} "{said}"' if pile.by else "")
                yield _Lot(called, tuple(pieces), pile.place, pile.name)
    for layout, component in laid(subject.game):
        for pool in pools(layout, component) if component.hexes else ():
            tiles = set(pool.tiles)
            lies = tuple((row, piece) for row, piece in drawn.get(component.name, ()) if row.id in tiles)
            if pool.tiles:
                yield _Lot(f'{layout.title}: the pool "{pool.name}"', lies, component.place)
    named = {name for pile in subject.game.rules.piles for name in pile.components}
    for component in subject.game.components:
        if component.kind == "domino" and component.name not in named:
            whole = _Lot(f'the set "{component.title}"', tuple(drawn.get(component.name, ())), component.place)
            if len(_odd(whole)) <= _ODD_DOMINOES * len(whole.pieces):
                yield whole


def _drawn(subject: Subject) -> Mapping[str, list[tuple[Row, Piece]]]:
    """The rows of each component with their pieces; of numbered copies each, of parts the first."""
    found: dict[str, list[tuple[Row, Piece]]] = {}
    for deck in subject.decks:
        rows = {row.id: row for row in deck.component.table}
        found[deck.component.name] = [
            (rows[piece.id], piece) for piece in deck.pieces if piece.part == 1 and piece.copies and piece.id in rows
        ]
    return found


def _behind(piece: Piece) -> object:
    return piece.back.look if piece.back else None


def _odd(lot: _Lot) -> list[tuple[Row, Piece]]:
    counted: Counter[object] = Counter()
    for _, piece in lot.pieces:
        counted[_behind(piece)] += piece.copies
    if len(counted) < 2:
        return []
    ((usual, _),) = counted.most_common(1)
    return [(row, piece) for row, piece in lot.pieces if _behind(piece) != usual]


def _backs(lots: Sequence[_Lot]) -> Iterator[Problem]:
    for lot in lots:
        odd = _odd(lot)
        looks = grouped((_behind(piece), (row, piece)) for row, piece in odd)
        if len(looks) > _FEW:
            hint = 'Let the back use nothing of the row; or name the column that parts the piles: by = "…".'
            what = f"{lot.name} has {len(looks) + 1} different backs, on {len(lot.pieces)} designs"
            yield Problem(TELLS, lot.place, what, str(len(looks) + 1), "one back", hint)
            continue
        for alike in looks.values():
            row, piece = alike[0]
            names = listed([each.name for _, each in alike], 6)
            left = len(lot.pieces) - len(odd)
            has, rest = "has" if len(alike) == 1 else "have", "one" if left == 1 else left
            what = f"{lot.name}: {names} {has} another back than the other {rest}"
            hint = "Whoever sees it knows what comes. Give all the same back."
            yield Problem(TELLS, row.place, what, piece.name, "one back", hint, about=piece.about("back"))


def _untold(subject: Subject, lots: Sequence[_Lot]) -> Iterator[Problem]:
    told = {piece.name for lot in lots for _, piece in lot.pieces}
    sleeved = {name for pile in subject.game.rules.piles for name in pile.components}
    drawn = _drawn(subject)
    for component in subject.game.components:
        if component.kind not in _SHUFFLED or component.name in sleeved or component.back in (None, component.template):
            continue
        left = tuple((row, piece) for row, piece in drawn.get(component.name, ()) if piece.name not in told)
        if not (odd := _odd(_Lot(component.title, left, component.place))):
            continue
        row, piece = odd[0]
        usual = next(each for _, each in left if _behind(each) != _behind(piece))
        few = len(odd) <= _FEW < len(left) - len(odd)
        backs = len({_behind(each) for _, each in left})
        what = f'"{component.title}" has {backs} different backs on {len(left)} designs: '
        what += (
            f"{listed([each.name for _, each in odd])} {'has' if len(odd) == 1 else 'have'} another one than the rest"
            if (few)
            else f"that of {piece.name} is another one than that of {usual.name}"
        )
        where, by = row.place if few else component.place, _parted_by(component, left)
        hint = (
            "Whoever sees it knows what comes: let the back use nothing of its row. Where it is meant, say in rules.toml: "
            f'[pile.{component.name}] of = "{component.name}", by = "{by}".'
        )
        yield Problem(UNTOLD, where, what, piece.name, "one back", hint, "warning", piece.about("back"))


def _parted_by(component: Component, pieces: Sequence[tuple[Row, Piece]]) -> str:
    """The column with the fewest values of which all rows that say the same have one back."""
    found = [component.table.key or "id"]
    for column in component.table.columns:
        backs = {(row.cells[column].text, _behind(piece)) for row, piece in pieces}
        if len(backs) == len({said for said, _ in backs}):
            found.append(column)
    return min(found[1:] or found, key=lambda column: len({row.cells[column].text for row, _ in pieces}))


def _mixed(lots: Sequence[_Lot]) -> Iterator[Problem]:
    seen: dict[str, dict[object, Piece]] = {}
    places = {lot.declared: lot.place for lot in reversed(lots)}
    for lot in lots:
        for piece in [piece for _, piece in lot.pieces if piece.back and lot.declared]:
            seen.setdefault(lot.declared, {}).setdefault(_behind(piece), piece)
    for one, other in combinations(seen, 2):
        for same in [behind for behind in seen[one] if behind in seen[other]][:1]:
            first, second = seen[one][same], seen[other][same]
            what = f'the piles "{one}" and "{other}" have the same back: {first.name} and {second.name}'
            place = places[other]
            hint = "Nobody sees when a card lies in the wrong one."
            yield Problem(ALIKE, place, what, other, "another back for each pile", hint, "warning", second.about("back"))


# Of fewer sisters nobody knows which has the right back.
_FEWEST = 3


@reported
def look_stray(subject: Subject) -> Iterable[Problem]:
    """Every component that has a back, or whose sisters have one."""
    return [*_sisters(subject.game.components), *_fronts(subject.game.components)]


def _sisters(components: Sequence[Component]) -> Iterator[Problem]:
    alike = grouped(((component.table.name, component.template, component.kind), component) for component in components)
    for sisters in alike.values():
        backs = Counter(sister.back for sister in sisters)
        if len(sisters) < _FEWEST or len(backs) != 2 or min(backs.values()) != 1 or max(backs.values()) < 2:
            continue
        (usual, _), (other, _) = backs.most_common(2)
        (odd,) = (sister for sister in sisters if sister.back == other)
        others = listed(f'"{sister.title}"' for sister in sisters if sister is not odd)
        yield _problem(
            odd, f'"{odd.title}" has {_named(other)}, and its sisters {others} have {_named(usual)}', _named(usual)
        )


def _named(back: str | None) -> str:
    return f'the back "{back}"' if back else "no back"


def _fronts(components: Sequence[Component]) -> Iterator[Problem]:
    for component in components:
        if component.back in (None, component.template):
            continue
        others = [other for other in components if other.template == component.back]
        if others and all(other.table.name != component.table.name for other in others):
            names = listed(f'"{other.title}"' for other in others)
            what = (
                f'the back of "{component.title}" is drawn by the template "{component.back}", which is the front of {names}'
            )
            yield _problem(component, what, "a template of its own")


def _problem(component: Component, message: str, allowed: str) -> Problem:
    hint = 'Correct "back", or allow it where it is meant.'
    return Problem(STRAY, component.place, message, component.back or "", allowed, hint, "warning", About(component.name))
