"""Objects of Tabletop Simulator as its files have them: places in its own units, turns in degrees.

Its axes: x to the right, z away from the player at the white seat, y up. Turned by 180 about y an object can be read from
there. Sizes are not written down anywhere: what an object of scale 1 measures was told by others and tried by nobody here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Object = dict[str, Any]
# A poker card, 88.9 mm high, is so many units high at scale 1; a square tile so many wide. Unverified.
CARD_HIGH, TILE_WIDE = 3.2, 2.0
UNIT = 88.9 / CARD_HIGH
"""So many mm are one unit of the table."""
UP, DOWN = 0.0, 180.0
# What comes out of a bag: the last that was put in, or any.
LAST, ANY = 0, 2
# How a die lies when a face is on top, as the program saves it.
SIX = ((-90, 0, 0), (0, 0, 0), (0, 0, -90), (0, 0, 90), (0, 0, -180), (90, 0, 0))


@dataclass(slots=True)
class Names:
    """The marks by which the program tells objects apart: six hex digits, the same for the same object."""

    _taken: set[str] = field(default_factory=set)

    def mark(self, what: str) -> str:
        """One that no other object has."""
        for number in range(1 << 24):
            mark = hashlib.sha256(f"{what} {number}".encode()).hexdigest()[:6]
            if mark not in self._taken:
                self._taken.add(mark)
                return mark
        raise AssertionError("there are fewer objects than marks")


def thing(
    names: Names,
    kind: str,
    title: str,
    piece: str = "",
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0),
    says: str = "",
    **more: Any,
) -> Object:
    """An object in the middle of the table. ``piece`` is ``component/id``, kept where players do not see it."""
    across, up, along = scale
    return {
        "GUID": names.mark(f"{kind} {piece} {title}"),
        "Name": kind,
        "Transform": {
            "posX": 0.0,
            "posY": 1.0,
            "posZ": 0.0,
            "rotX": 0.0,
            "rotY": 180.0,
            "rotZ": UP,
            "scaleX": across,
            "scaleY": up,
            "scaleZ": along,
        },
        "Nickname": title,
        "Description": says,
        "GMNotes": piece,
        "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
        "Locked": False,
        "Grid": True,
        "Snap": True,
        "Autoraise": True,
        "Sticky": True,
        "Tooltip": True,
        "HideWhenFaceDown": False,
        "Hands": False,
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        **more,
    }


def placed(made: Object, x: float, z: float, over: float = UP, turn: float = 0.0, high: float = 1.0) -> Object:
    """The object elsewhere: turned over, or turned about its middle, clockwise as the reader sees it."""
    where = {"posX": round(x, 4), "posY": high, "posZ": round(z, 4), "rotY": (180.0 + turn) % 360, "rotZ": over}
    made["Transform"] = {**made["Transform"], **where}
    return made


def sheet(faces: str, backs: str, columns: int, rows: int, unique: bool, round_corners: bool) -> Object:
    """A sheet of cards: the pictures of all their faces, and of their back or backs."""
    return {
        "FaceURL": faces,
        "BackURL": backs,
        "NumWidth": columns,
        "NumHeight": rows,
        "BackIsHidden": True,
        "UniqueBack": unique,
        "Type": 0 if round_corners else 1,
    }


def card(names: Names, title: str, piece: str, number: int, sheets: Mapping[str, Object], scale: float) -> Object:
    """A card: its number is that of its sheet times 100, and that of its slot."""
    return thing(
        names,
        "Card",
        title,
        piece,
        (scale, 1.0, scale),
        CardID=number,
        SidewaysCard=False,
        CustomDeck={str(number // 100): sheets[str(number // 100)]},
    ) | {"HideWhenFaceDown": True, "Hands": True}


def deck(names: Names, title: str, cards: Sequence[Object], says: str = "") -> Object:
    """Cards on one another, the first on top once it lies face down; a single card is a card."""
    if len(cards) == 1:
        return cards[0]
    sheets: dict[str, Object] = {}
    for each in cards:
        sheets |= each["CustomDeck"]
    scale = cards[0]["Transform"]["scaleX"]
    return thing(
        names,
        "Deck",
        title,
        scale=(scale, 1.0, scale),
        says=says,
        SidewaysCard=cards[0]["SidewaysCard"],
        DeckIDs=[each["CardID"] for each in cards],
        CustomDeck=sheets,
        ContainedObjects=list(cards),
    ) | {"HideWhenFaceDown": True}


def bag(names: Names, title: str, inside: Sequence[Object], order: int = LAST, says: str = "") -> Object:
    """A bag with objects in it."""
    made = thing(names, "Bag", title, says=says, Bag={"Order": order}, ContainedObjects=list(inside))
    made["ColorDiffuse"] = {"r": 0.71, "g": 0.53, "b": 0.33}
    return made


def saved(objects: Sequence[Object]) -> Object:
    """What is put among a person's saved objects."""
    return {
        "SaveName": "",
        "Date": "",
        "VersionNumber": "",
        "GameMode": "",
        "GameType": "",
        "GameComplexity": "",
        "Tags": [],
        "Gravity": 0.5,
        "PlayArea": 0.5,
        "Table": "",
        "Sky": "",
        "Note": "",
        "TabStates": {},
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "ObjectStates": list(objects),
    }
