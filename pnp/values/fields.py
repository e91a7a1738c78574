"""Defines the types of keys in a game's files: texts, names, counts, and sections that refuse unknown keys."""

from __future__ import annotations

import os
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, StringConstraints
from pydantic_core import PydanticCustomError, PydanticKnownError

from pnp.shapes import units
from pnp.shapes.colour import WRITTEN
from pnp.values.problems import Place

# No other package has a say in what a game.toml means; to look for one is to read what all that are installed say of
# themselves, each time that pnp is started.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
Colour = Annotated[str, StringConstraints(pattern=WRITTEN)]
Count = Annotated[int, Field(ge=0, le=100_000)]


def wrong(rule: str, message: str, allowed: str = "", hint: str = "") -> PydanticCustomError:
    """An error that is reported as a Problem of this rule, in these words."""
    return PydanticCustomError(rule, "{message}", {"message": message, "allowed": allowed, "hint": hint})


def as_text(typed: Any) -> Any:
    """A number or flag as a text; other values unchanged, for the model to judge."""
    if isinstance(typed, bool):
        return "yes" if typed else "no"
    return str(typed) if isinstance(typed, int | float) else typed


def as_tuple(typed: Any) -> Any:
    """A list as a tuple; a single text or number as a tuple of one."""
    return tuple(typed) if isinstance(typed, list) else (typed,) if isinstance(typed, str | int | float) else typed


def _length(typed: Any) -> float:
    if not isinstance(typed, str):
        raise PydanticKnownError("string_type")
    try:
        return units.length(typed)
    except ValueError as error:
        raise wrong("bad-length", str(error), "a length such as 1mm") from None


Length = Annotated[float, BeforeValidator(_length, json_schema_input_type=Text)]
"""In mm; written with its unit."""


class Strict(BaseModel):
    """A section that refuses unknown keys."""

    # Each is made within the one that holds it, once a file is read, and not by itself before.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


class Section(Strict):
    """A section of a file, with its name, if it has one, and where it stands."""

    _name: str = PrivateAttr("")
    _place: Place = PrivateAttr(Place(""))

    @property
    def name(self) -> str:
        return self._name

    @property
    def place(self) -> Place:
        return self._place

    def at(self, place: Place, name: str = "", **changed: object) -> Self:
        """The section with its place and name, and changed keys."""
        made = self.model_copy(update=changed)
        made._name, made._place = name, place
        return made


class Split(Section):
    """A promise about the copies of a component, grouped by a column."""

    by: Text = Field(description="Column to group by; id for the designs themselves.")
    where: dict[Text, Text] = Field(default_factory=dict, description="Count only rows whose columns have these values.")
    counts: dict[Text, Count] = Field(default_factory=dict, description="Copies by value; other values are not allowed.")
    groups: Count | None = Field(None, description="How many different values there are.")
    each: Count | None = Field(None, description="Copies of every value.")


class Expected(Section):
    """The numbers that the rulebook promises of a component."""

    copies: Count | None = Field(None, description="Pieces in all.")
    different: Count | None = Field(None, description="Different designs (rows).")
    split: list[Split] = Field(default_factory=list, description="How the copies divide over the values of a column.")
