"""Judges an import: refuses empty faces, and computes the score."""

from __future__ import annotations

from pnp.imports.deck import Column, Deck, Element, Imported, Shape, Text, Value
from pnp.imports.sides import is_back
from pnp.values.problems import Fault, Place, Problem, listed

_NAMED = 6


class ComesOutEmpty(Fault):
    """Raised when faces of a project come out empty."""

    def __init__(self, problems: list[Problem], imported: Imported) -> None:
        first = problems[0]
        super().__init__(first.message, hint=first.hint, place=first.place)
        self.problems, self.imported = problems, imported


def refuse_empty(imported: Imported) -> None:
    """Refuses a game with an empty face. Raises ComesOutEmpty."""
    problems = [
        Problem("empty-face", Place(deck.script or imported.main), said, hint=_WAY)
        for deck in imported.decks
        for said in [_empty(deck, imported)]
        if said
    ]
    if problems:
        raise ComesOutEmpty(problems, imported)


_WAY = (
    "What was left behind is why. Mend it in the source, or lay what is missing into the project's folder; name a script "
    "that comes over whole; or export the deck's table as CSV and import that: pnp import deck.csv NAME"
)


def _empty(deck: Deck, imported: Imported) -> str:
    """A sentence about what is empty of a deck; "" if nothing is.

    A frame is no content. Cards that the source itself leaves blank are allowed, as long as all their commands came
    over.
    """
    rows, lost = deck.table.rows, deck.lost if imported.scripts else imported.lost
    seen = [tuple(_shown(each, deck, row, lost) for each in deck.front) for row in rows]
    blank = [at for at, shown in enumerate(seen) if not any(shown) and (not rows[at] or any(_own(deck, rows[at])))]
    if len(rows) == len([shown for shown in seen if not any(shown)]):
        cards = "its only card shows no" if len(rows) == 1 else f"none of its {len(rows)} cards shows a"
        return f'"{deck.name}" comes out empty: {cards} word or picture'
    if blank and lost:
        which = listed((str(at + 1) for at in blank), _NAMED)
        return (
            f'{len(blank)} of the {len(rows)} cards of "{deck.name}" come out without a word and a picture: number {which}'
        )
    differ = len({tuple(_own(deck, row)) for row in rows}) > 1
    mostly = lost > len(deck.front)
    if lost and len(rows) > 1 and (differ or mostly) and not is_back(deck) and len(set(seen)) == 1:
        return f'the {len(rows)} cards of "{deck.name}" come out all alike: nothing of their table is on them'
    return ""


def _own(deck: Deck, row: dict[str, str]) -> list[str]:
    """The source's own texts of a card."""
    return [row.get(name, "") for name in deck.table.columns if name not in deck.table.made]


def _shown(element: Element, deck: Deck, row: dict[str, str], lost: int) -> str:
    """What an element shows on a card; nothing if it lies off the card or is a frame."""
    box = element.box
    on_card = box.x < deck.width and box.y < deck.height and box.x + box.width > 0 and box.y + box.height > 0
    if (element.only and not row.get(element.only)) or (not on_card and not isinstance(element, Shape)):
        return ""
    if isinstance(element, Shape):
        values = [value for value in (element.fill, element.line) if any(isinstance(part, Column) for part in value)]
        return "" if lost else " ".join(_text(value, row).replace("none", "") for value in values).strip()
    return _text(element.content if isinstance(element, Text) else element.file, row).strip()


def _text(value: Value, row: dict[str, str]) -> str:
    return "".join(part if isinstance(part, str) else row.get(part.name, "") for part in value)


def score(imported: Imported) -> str:
    """How much came over: "38 of 41 drawing commands, 2 columns unused (age, horns), 3 scripts found, this one taken"."""
    said = [f"{imported.drawn} of {imported.asked} drawing commands"] if imported.asked else []
    unused = _unused(imported)
    if unused:
        said.append(f"{len(unused)} column{'s' * (len(unused) != 1)} unused ({listed(unused, _NAMED)})")
    found, taken = imported.scripts, imported.taken
    if len(found) > 1:
        which = "all taken" if len(taken) == len(found) else f"{listed(taken, _NAMED)} taken"
        said.append(f"{len(found)} scripts found, {which}")
    return ", ".join(said)


def _unused(imported: Imported) -> list[str]:
    """The source's columns that no element uses, over all decks of one table."""
    used: dict[tuple[str, ...], set[str]] = {}
    for deck in imported.decks:
        own = tuple(name for name in deck.table.columns if name not in deck.table.made)
        known = used.setdefault(own, {deck.table.copies, "id", "ID", "Id"})
        known |= deck.used | deck.table.weighed | {deck.table.origins.get(name, "") for name in deck.used}
    return list(dict.fromkeys(name for own, known in used.items() for name in own if name not in known))
