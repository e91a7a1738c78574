"""``tabletop-simulator``: one saved object with all of a game, and the pictures that it shows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from pnp.flows.exports import tts_objects as tts
from pnp.flows.exports.slots import as_file, dealt, slots_in
from pnp.flows.exports.target import Held, Job, Target
from pnp.flows.exports.tts_objects import Object
from pnp.flows.exports.tts_pictures import MARK, Table, add_sheets, pictures_of
from pnp.flows.exports.tts_table import SET_UP, TAKES, game_on, in_rows, set_ups
from pnp.flows.outputs import Made
from pnp.values.exports import SLOTS

MOST_BYTES = 200_000_000


def make(job: Job) -> Iterator[Made]:
    """``GAME.json`` and ``images/…``; the slots of its cards are kept in the game's folder."""
    game = job.kit.game
    known = slots_in(game.folder / SLOTS, f"{game.file.rpartition('/')[0]}/{SLOTS}", job.problems)
    if job.problems.errors:
        return
    slots = {**known}
    cards = [part for part in job.kit.parts if part.form == "card"]
    for part in cards:
        slots |= dealt(known, part.name, [thing.id for thing in part.things])
    here = {(part.name, thing.id) for part in cards for thing in part.things}
    job.kept[SLOTS] = as_file({key: slot for key, slot in slots.items() if key in here})
    table = Table(job, slots, pictures=pictures_of(job))
    for part in cards:
        add_sheets(table, part)
    objects = in_rows(game_on(table)) + set_ups(table)
    place = game.place_of("game")
    yield Made(f"{game.name}.json", _json(tts.saved(objects)), "the saved object", place)
    for name, data in table.files.items():
        yield Made(name, data, "its pictures", place)


def _json(value: Object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def held(data: bytes) -> Held | None:
    """The pieces of a saved object that an export wrote."""
    if len(data) > MOST_BYTES:
        return None
    try:
        objects = json.loads(data)["ObjectStates"]
        games: set[str] = set()
        whole, besides = Counter[str](), dict[str, Counter[str]]()
        waiting = [(each, "") for each in objects]
        while waiting:
            each, bunch = waiting.pop()
            mark, _, said = str(each.get("GMNotes", "")).partition(":")
            game, _, name = said.partition(":")
            if mark == MARK and name.startswith(SET_UP):
                bunch = f"{name.removeprefix(SET_UP)} players"
                besides[bunch] = Counter()
            elif mark == MARK:
                (besides[bunch] if bunch else whole)[name] += 1
                games.add(game)
            waiting += [(inner, bunch) for inner in each.get("ContainedObjects", ())]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return Held(games.pop(), whole, besides=besides) if len(games) == 1 else None


TARGET = Target(
    "a saved object for Tabletop Simulator",
    "Copy the .json file into Saves/Saved Objects of Tabletop Simulator's own folder, and choose it there under Objects, "
    "Saved Objects. Without --url its pictures are files of this computer, in the folder where they were written: to play "
    "with others open the Cloud Manager, upload all, and save the game. Dice are plain ones that say what ours show. How "
    "large pieces are was told by others: nobody has opened this file in the program.",
    TAKES,
    make,
    frozenset({"url"}),
    {"dial": "Use a Counter of Tabletop Simulator."},
    {".json": held},
)
