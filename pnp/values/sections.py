"""Defines the sections of a ``rules.toml``, a frozen model each: the one list of its keys, their bounds and meaning."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, PrivateAttr, StringConstraints

from pnp.dataclass import dataclass
from pnp.values.fields import Length, Name, Section, Strict, Text, as_text, as_tuple, wrong
from pnp.values.problems import Place

# So many of each: a file that a person wrote has fewer, and all of them are looked at in bearable time.
MOST, MOST_WORDS = 500, 2000
VARIABLE = r"^[A-Za-z_][A-Za-z0-9_]{0,63}$"
_SPAN = r"[1-9][0-9]?( ?[-–] ?[1-9][0-9]?)?"


def _counts(typed: Any) -> tuple[int, ...]:
    text = str(as_text(typed)).strip()
    if len(text) > 100 or not re.fullmatch(rf"{_SPAN}((, ?| or ){_SPAN})*", text):
        shown = f'"{text[:80]}"' if isinstance(typed, str) else text[:80]
        hint = "players: how many can play, such as 2-8, or 2, 4."
        raise wrong("bad-value", f"{shown} is not right: player counts are written 2-8, or 2, 4", hint=hint)
    found: set[int] = set()
    for span in re.split(",|or", text):
        least, most = (int(part) for part in (re.findall(r"\d+", span) * 2)[:2])
        if least > most:
            raise wrong("bad-value", f"from {least} to {most} there is no player count", hint=f"Write {most}-{least}.")
        found.update(range(least, most + 1))
    return tuple(sorted(found))


def _share(typed: Any) -> float:
    text = str(as_text(typed)).strip()
    found = re.fullmatch(r"(\d{1,3}(?:\.\d{1,4})?) *(%?)", text)
    share = float(found[1]) / (100 if found[2] else 1) if found else 2.0
    if share > 1:
        raise wrong("bad-value", f'"{text[:80]}" is not a share', "0% to 100%, or 0 to 1")
    return share


_Typed = str | int | float | bool
Said = Annotated[
    str,
    BeforeValidator(as_text, json_schema_input_type=_Typed),
    StringConstraints(strip_whitespace=True, max_length=400),
]
PlayerCounts = Annotated[tuple[int, ...], BeforeValidator(_counts, json_schema_input_type=Said)]
"""Numbers of players, written 2-8, or 2, 4."""
Expression = Annotated[
    str,
    BeforeValidator(as_text, json_schema_input_type=_Typed),
    StringConstraints(strip_whitespace=True, min_length=1, max_length=2000),
]
Variable = Annotated[str, StringConstraints(pattern=VARIABLE)]
Where = dict[Text, Said]
Names = Annotated[tuple[Name, ...], Field(strict=False)]
Texts = Annotated[tuple[Text, ...], Field(strict=False)]
Several = Annotated[
    tuple[Text, ...],
    BeforeValidator(as_tuple, json_schema_input_type=Text | list[Text]),
    Field(min_length=1, max_length=20),
    AfterValidator(lambda typed: tuple(dict.fromkeys(typed))),
]
Numbers = Annotated[tuple[Expression, ...], BeforeValidator(as_tuple, json_schema_input_type=Expression | list[Expression])]


class Take(Section):
    """A line of the set-up: so many copies of a component's rows, per player or once."""

    what: Text = Field(description="What is taken, in words, for the set-up table.")
    component: Name = Field(alias="from", description="The component it is taken from.")
    where: Where = Field(default_factory=dict, description="Only from rows whose columns have these values.")
    number: Expression = Field(description="How many: a number, or an expression that may use players.")
    per: Literal["player", "table"] = Field("table", description="player: so many each; table: so many in all.")
    on: Text = Field("", description="They lie on the board, one on each square of the fields of this kind.")


class Setup(Section):
    """The player counts, and what each takes from the box."""

    players: PlayerCounts = Field(description="How many can play, such as 2-8, or 2, 4.")
    take: dict[Name, Take] = Field(default_factory=dict, max_length=MOST, description="What is taken from the box, by name.")

    @property
    def takes(self) -> tuple[Take, ...]:
        return tuple(self.take.values())


class Claim(Section):
    """A sentence of the rules that the tables must make true."""

    says: Text = Field(description="The claim in words.")
    expect: Expression = Field(description="An expression over the tables that must be true.")
    each: Expression = Field(
        "", alias="for", description='For what it holds: players, players in 2..8 or town in rows("places").'
    )
    rule: Text = Field("", description="Where the rule stands in the rulebook.")


@dataclass(frozen=True, slots=True)
class Counting:
    """Words that say a number: a name that one stands before, or a phrase with ``#`` for each."""

    says: str
    numbers: tuple[str, ...]
    """Expressions: as many as the phrase has ``#``, one for a name."""
    place: Place


class Words(Section):
    """How the game's texts are to be worded."""

    terms: Texts = Field((), max_length=MOST_WORDS, description="Spellings that are right.")
    banned: dict[Text, Text] = Field(
        default_factory=dict, max_length=MOST_WORDS, description='Spellings that are wrong: wrong = "right".'
    )
    unit: Text = Field("", description="What must follow every number of at least from.")
    unit_from: int = Field(1000, alias="from", ge=0, description="The least number that needs the unit (1000).")
    thousands: Annotated[str, StringConstraints(max_length=1)] = Field(
        "", description='The mark between thousands, such as "," or " "; by default any, but one only.'
    )
    numbers: dict[Text, Numbers] = Field(
        default_factory=dict,
        alias="counts",
        max_length=MOST_WORDS,
        description='Names with the number that may stand before them, and phrases with theirs: "up to # squares" = 6.',
    )
    _counts: tuple[Counting, ...] = PrivateAttr(())

    @property
    def counts(self) -> tuple[Counting, ...]:
        return self._counts

    def counting(self, counts: tuple[Counting, ...]) -> Self:
        """The same with its numbers and phrases, each with its place."""
        made = self.model_copy()
        made._counts = counts
        return made


class Economy(Section):
    """Where an economy begins and what it must reach."""

    earn: Names = Field(
        (),
        description="Components each row of which must be earnable.",
    )
    free: Names = Field((), description="Tables whose rows anybody gets for nothing.")


class Exchange(Section):
    """Rows that change something into something else: what they need and give are rows that columns refer to."""

    component: Name = Field(alias="of", description="The component whose rows are exchanges.")
    where: Where = Field(default_factory=dict, description="Only rows whose columns have these values.")
    needs: Texts = Field((), description="Columns that name what must be given.")
    gives: Texts = Field((), description="Columns that name what is received.")


class Movement(Section):
    """How pieces move on a board, which its name is; kinds are those of the legend's column kind."""

    diagonal: bool = Field(False, description="Steps go to the four squares at the corners as well.")
    single: Texts = Field((), description="Kinds whose neighbouring squares are one field of one step.")
    wraps: Texts = Field((), description="Kinds on the edge from which the next step leads to the one opposite.")
    ends: Texts = Field((), description="Kinds that end a move: reached, never passed.")
    starts: Texts = Field((), description="Kinds on which pieces begin.")
    goals: Texts = Field((), description="Kinds that every start must be able to reach.")
    exits: Texts = Field((), description="Kinds onto which the first step may lead from a field of another kind.")
    tolerance: Annotated[float, BeforeValidator(_share, json_schema_input_type=Said)] | None = Field(
        None, description='How much the starts\' mean distances to the goals may differ, such as "10%" or 0.1.'
    )
    fair: Texts = Field((), description="Kinds whose distances count for fairness; by default the goals.")
    blocked: Texts = Field((), description="Kinds that nobody enters, besides those blocked in the legend.")
    occupied: Texts = Field((), description="Kinds on which a piece may stand for long: all must hold with and without it.")


class Shuffle(Section):
    """Pieces shuffled over the slots of a layout, which its name is: tiles within their pools, dominoes all together."""

    blocked: dict[Text, Annotated[tuple[Said, ...], Field(strict=False)]] = Field(
        default_factory=dict, description="Columns of the hexes with the values that nobody enters."
    )
    start: Where = Field(default_factory=dict, description="Columns and values of the hex where movement begins.")
    turns: bool = Field(False, description="Tiles may be turned as well.")
    up: bool = Field(False, description="They are turned up once they lie.")


class Colours(Section):
    """Colours that must be told apart."""

    table: Name = Field(description="The table with the colours.")
    column: Text = Field(description="The column with the colours.")
    beside: Text = Field("", description="The column or thing beside the colour that says the same.")


class Pile(Section):
    """Pieces that are shuffled together, so that nothing but the front may tell them apart."""

    components: Several = Field(alias="of", description="A component, or several.")
    by: Text = Field("", description="A column: only rows that say the same in it are one pile.")
    sleeved: bool = Field(False, description="They are played in sleeves that hide their backs.")


class Fit(Section):
    """Sizes that belong together: pieces that lie in something, or are as large as something. Lengths in mm."""

    what: Several = Field(description="A component whose pieces fit, or several.")
    inside: Text = Field(
        "",
        alias="in",
        description="A component: they fit its cells, spaces, hexes or halves, into the box, on the piece; or a size.",
    )
    kinds: Texts = Field((), description="Of a board with a map: they fit fields of these kinds.")
    number: int = Field(1, ge=1, le=20, description="So many lie in one place, side by side.")
    like: Name = Field("", description="A component: they are as large as its pieces.")
    room: Length = Field(0.0, description="So much must be spare, such as 1mm (0mm).")
    most: Length | None = Field(
        None, description="No more than so much may be spare; with like: they may differ by so much."
    )
    _size: tuple[float, float] | None = PrivateAttr(None)

    @property
    def within(self) -> str | tuple[float, float]:
        """The component in which they lie, or a width and a height."""
        return self._size or self.inside

    def sized(self, size: tuple[float, float]) -> Self:
        """The same, in places of a size."""
        made = self.model_copy()
        made._size = size
        return made


class Allow(Section):
    """One finding that is meant."""

    rule: Text = Field(description="The rule's name, as it stands in brackets behind a finding.")
    about: Text = Field(description="A part of the finding's place or message.")
    because: Text = Field(description="The reason, for whoever reads the report.")


class RulesFile(Strict):
    """The whole of a rules.toml."""

    numbers: dict[Variable, Expression] = Field(
        default_factory=dict,
        max_length=MOST,
        description="Numbers by name, for expressions and books: walk = 6 is numbers.walk.",
    )
    setup: Setup | None = Field(None, description="How many can play, and what each takes from the box.")
    claim: dict[Name, Claim] = Field(default_factory=dict, max_length=MOST, description="Claims, by name.")
    words: Words | None = Field(None, description="Spellings, terms, units and numbers that texts keep to.")
    economy: Economy | None = Field(None, description="Where an economy begins, and what it must reach.")
    exchange: list[Exchange] = Field(
        default_factory=list, max_length=MOST, description="Rows that change one thing into another."
    )
    movement: dict[Name, Movement] = Field(default_factory=dict, description="How pieces move, by board.")
    shuffle: dict[Name, Shuffle] = Field(default_factory=dict, description="Layouts whose tiles are shuffled, by name.")
    colours: list[Colours] = Field(default_factory=list, max_length=MOST, description="Colours that must be told apart.")
    agree: dict[Name, dict[Text, Several]] = Field(
        default_factory=dict,
        max_length=MOST,
        description="By table, what columns say: {column} stands for another one, * for anything.",
    )
    alike: dict[Name, dict[Text, Several]] = Field(
        default_factory=dict,
        max_length=MOST,
        description="By table, columns: rows that are alike in one are alike in the others.",
    )
    pile: dict[Name, Pile] = Field(
        default_factory=dict, max_length=MOST, description="Pieces that are shuffled together, by name."
    )
    fit: dict[Name, Fit] = Field(default_factory=dict, max_length=MOST, description="Sizes that belong together, by name.")
    allow: list[Allow] = Field(default_factory=list, max_length=MOST, description="Findings that are meant, with reasons.")
