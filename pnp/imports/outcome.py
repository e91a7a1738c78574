"""Joins scripts and decks of backs into one game, judges the import, and computes its score."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from pnp.imports.deck import Column, Deck, Element, Imported, Shape, Source, Text, Value, text_of, values_of, with_values
from pnp.values.problems import Fault, Place, Problem, Problems, listed

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
    """The words or picture that an element shows; nothing if it lies off the card or is a frame."""
    box = element.box
    on_card = box.x < deck.width and box.y < deck.height and box.x + box.width > 0 and box.y + box.height > 0
    if (element.only and not row.get(element.only)) or (not on_card and not isinstance(element, Shape)):
        return ""
    if isinstance(element, Shape):
        values = [value for value in (element.fill, element.line) if any(isinstance(part, Column) for part in value)]
        return "" if lost else " ".join(text_of(value, row).replace("none", "") for value in values).strip()
    return text_of(element.content if isinstance(element, Text) else element.file, row).strip()


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


_BACK = {"back", "backs", "cardback", "cardbacks", "rear", "reverse", "verso"}
# What says nothing of which cards they are.
_ANY = _BACK | {"front", "fronts", "face", "faces", "recto", "deck", "card", "main"}
_NEAR = 0.16


class NoDeck(Fault):
    """Raised for a script without a deck, which others load or run."""


def of_scripts(source: Source, tool: str, read: Callable[[Source, Imported], None]) -> Imported:
    """Reads all scripts of a project by ``read``, and joins their decks. Raises Fault if no script has a deck."""
    whole = Imported(tool)
    refused: list[tuple[str, Fault]] = []
    for path in (source.main, *source.beside):
        own = Source(source.folder, path)
        own.notes = source.notes
        one = Imported(tool, files=dict(whole.files))
        try:
            read(own, one)
        except Fault as error:
            refused.append((own.shown(path), error))
            continue
        for deck in one.decks:
            deck.lost = one.lost
        whole.add(one)
        whole.taken.append(own.shown(path))
    if not whole.decks or (refused and all(is_back(deck) for deck in whole.decks)):
        raise next((why for _, why in refused if not isinstance(why, NoDeck)), refused[0][1])
    rest, whole.notes = whole.notes, Problems()
    for shown, why in refused:
        whole.left(Place(shown, why.place.row if why.place else None), "the script", str(why))
    whole.scripts = [source.shown(path) for path in (source.main, *source.beside, *source.others)]
    if source.others:
        whole.left(
            Place(source.shown(source.main)),
            f"{len(source.others)} more script{'s' * (len(source.others) > 1)} in the folder",
            f"{listed((source.shown(path) for path in source.others), 12)}. Name the folder to have all of them",
        )
    whole.notes.extend(rest)
    _name(whole)
    _join(whole)
    return whole


def is_back(deck: Deck) -> bool:
    """Whether a deck holds backs, by the names that the source gives its script, variable, layout and output."""
    return any(word in _BACK for called in deck.called for word in _words(called))


def _words(called: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", called.casefold())


def _of_what(called: str) -> set[str]:
    """The words of a name without those for front, back, and plural."""
    return {word.rstrip("s") for word in _words(called)} - {word.rstrip("s") for word in _ANY}


def _name(whole: Imported) -> None:
    """Names several decks after their script, or else after what they are saved as."""
    if len(whole.decks) < 2:
        return
    scripts = [deck.script for deck in whole.decks]
    for deck in whole.decks:
        alone = scripts.count(deck.script) == 1
        called = deck.called if alone else (*deck.called[1:], deck.called[0])
        said = [name.strip("_- ") for name in called if _of_what(name) or is_back(deck) or alone]
        deck.name = next((name for name in said if name), deck.name)


def _join(whole: Imported) -> None:
    """Joins each deck of backs to its fronts; reports where that is unclear."""
    for back in [deck for deck in whole.decks if is_back(deck) and deck.front]:
        fronts = [deck for deck in whole.decks if not is_back(deck) and not deck.back]
        columns = [name for name in back.used if name]
        alike = len({tuple(row.get(name, "") for name in columns) for row in back.table.rows}) == 1
        sized = [front for front in fronts if _same_size(front, back)]
        fitting = [front for front in sized if alike or len(front.table.rows) == len(back.table.rows)]
        nearest = max((_kinship(front, back) for front in fitting), default=(False,))
        chosen = [front for front in fitting if _kinship(front, back) == nearest]
        place = Place(back.script)
        if not chosen or (len(chosen) > 1 and not alike):
            if not sized:
                why = "no deck of fronts has its size"
            elif not fitting:
                counts = listed(f"{deck.name} has {len(deck.table.rows)}" for deck in sized)
                why = f"it has {len(back.table.rows)} cards of several looks, and {counts}"
            else:
                why = f"it may belong to {listed(deck.name for deck in chosen)}"
            whole.changed(place, f'"{back.name}" looks like backs, and is a component of its own: {why}')
            continue
        for front in chosen:
            _put_behind(front, back, alike)
        whole.decks.remove(back)
        whole.changed(place, f'"{back.name}" is the back of {listed(deck.name for deck in chosen)}')


def _same_size(one: Deck, two: Deck) -> bool:
    """Whether two decks' sheets are equal, including the bleed."""
    return all(
        abs(a + 2 * (one.bleed or 0) - b - 2 * (two.bleed or 0)) < _NEAR
        for a, b in ((one.width, two.width), (one.height, two.height))
    )


def _kinship(front: Deck, back: Deck) -> tuple[bool, ...]:
    """Signs that two decks are the sides of one, the strongest first: names, script, tables."""
    ours, theirs = (set().union(*map(_of_what, deck.called[:2])) for deck in (front, back))
    tables = [tuple(name for name in deck.table.columns if name not in deck.table.made) for deck in (front, back)]
    return bool(ours & theirs), front.script == back.script, bool(tables[0]) and tables[0] == tables[1], not ours


def _put_behind(front: Deck, back: Deck, alike: bool) -> None:
    """Draws the backs with the table of the fronts, in the fronts' coordinates."""
    off = (front.bleed or 0) - (back.bleed or 0)
    for each in back.front:
        if each.only and alike:
            if not back.table.rows[0].get(each.only):
                continue
            each = replace(each, only="")
        elif each.only:
            each = replace(each, only=_carried(front, back, each.only, alike).name)
        values = {key: _of_front(value, front, back, alike) for key, value in values_of(each).items()}
        moved: Element = replace(with_values(each, values), box=each.box.moved(off))
        front.back.append(moved)


def _of_front(value: Value, front: Deck, back: Deck, alike: bool) -> Value:
    parts: Value = ()
    for part in value:
        if isinstance(part, Column):
            plain = alike and part.name not in back.table.marked_up
            part = back.table.rows[0].get(part.name, "") if plain else _carried(front, back, part.name, alike)
        parts += (part,)
    return parts


def _carried(front: Deck, back: Deck, name: str, alike: bool) -> Column:
    """Adds a column of the backs to the table of the fronts."""
    texts = back.table.texts((Column(name),))
    texts = texts[:1] * len(front.table.rows) if alike else texts
    marked = name in back.table.marked_up
    known = front.table.columns
    if name in known and front.table.texts((Column(name),)) == texts and (name in front.table.marked_up) == marked:
        return Column(name)
    column = front.table.add(name, texts)
    if marked:
        front.table.marked_up.add(column.name)
    return column
