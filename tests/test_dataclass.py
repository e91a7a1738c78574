"""``pnp.dataclass`` makes what ``dataclasses`` makes."""

from __future__ import annotations

import dataclasses
import pickle
from dataclasses import field, replace
from typing import Any

import pytest

from pnp.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Ours:
    name: str
    row: int = 0
    about: str = field(default="", compare=False)
    hidden: str = field(default="", repr=False)


class Theirs:
    __annotations__ = Ours.__annotations__
    name: str
    row = 0
    about = field(default="", compare=False)
    hidden = field(default="", repr=False)


THEIRS: Any = dataclasses.dataclass(frozen=True)(Theirs)
VALUES = [("a",), ("a", 1), ("a", 1, "about"), ("a", 1, "", "hidden"), ("b", 1), (["a list"],)]


@pytest.mark.parametrize("one", VALUES)
def test_it_compares_and_shows_as_theirs_does(one: tuple[Any, ...]) -> None:
    ours, theirs = Ours(*one), THEIRS(*one)

    assert [ours == Ours(*other) for other in VALUES] == [theirs == THEIRS(*other) for other in VALUES]
    assert ours != theirs and ours != one
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert replace(ours, row=5) == Ours(one[0], 5, *one[2:])
    assert pickle.loads(pickle.dumps(ours)) == ours
    if isinstance(one[0], str):
        assert hash(ours) == hash(theirs)
    else:
        with pytest.raises(TypeError, match="unhashable"):
            hash(ours)


def test_methods_of_ones_own_stay_and_identity_too() -> None:
    @dataclass(frozen=True, slots=True)
    class Spoken:
        word: str

        def __repr__(self) -> str:
            return self.word

    @dataclass(frozen=True, slots=True, eq=False)
    class Alone:
        word: str

    @dataclass(frozen=True, slots=True)
    class Empty:
        pass

    assert repr(Spoken("yes")) == "yes"
    assert Alone("a") != Alone("a") and len({Alone("a"), Alone("a")}) == 2
    assert Empty() == Empty() and len({Empty(), Empty()}) == 1
