"""What may stand in a ``rules.toml``, as pydantic models: the one list of its keys, their bounds and meaning."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from pnp.read.fields import Name, Strict, Text


def _as_text(typed: Any) -> Any:
    """A number or a flag as a table would say it; what else was typed is left to be judged."""
    if isinstance(typed, bool):
        return "yes" if typed else "no"
    return str(typed) if isinstance(typed, int | float) else typed


Said = Annotated[str, BeforeValidator(_as_text), StringConstraints(strip_whitespace=True, max_length=400)]
Expression = Annotated[
    str, BeforeValidator(_as_text), StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)
]
_SPAN = r"[1-9][0-9]?( ?[-–] ?[1-9][0-9]?)?"
COUNTS = rf"^{_SPAN}((, ?| or ){_SPAN})*$"
# So many of each: a file that a person wrote has fewer, and all of them are looked at in bearable time.
MOST, MOST_WORDS = 500, 2000
VARIABLE = r"^[A-Za-z_][A-Za-z0-9_]{0,63}$"
Players = Annotated[str, BeforeValidator(_as_text), StringConstraints(strip_whitespace=True, pattern=COUNTS, max_length=100)]
Where = dict[Text, Said]


def _as_list(typed: Any) -> Any:
    """One thing as a list of one."""
    return typed if isinstance(typed, list) else [typed]


Several = Annotated[
    list[Text], BeforeValidator(_as_list, json_schema_input_type=Text | list[Text]), Field(min_length=1, max_length=20)
]
Kinds = list[Text]
Variable = Annotated[str, StringConstraints(pattern=VARIABLE)]


Numbers = Annotated[list[Expression], BeforeValidator(_as_list, json_schema_input_type=Expression | list[Expression])]


class TakeRules(Strict):
    """What the set-up takes from the box."""

    what: Text = Field(description="What is taken, in words, for the set-up table.")
    from_: Name = Field(alias="from", description="The component it is taken from.")
    where: Where = Field(default_factory=dict, description="Only from rows whose columns have these values.")
    number: Expression = Field(description="How many: a number, or an expression that may use players.")
    per: Literal["player", "table"] = Field("table", description="player: so many each; table: so many in all.")


class SetupRules(Strict):
    """The player counts, and what each takes from the box."""

    players: Players = Field(description="How many can play, such as 2-8, or 2, 4.")
    take: dict[Name, TakeRules] = Field(
        default_factory=dict, max_length=MOST, description="What is taken from the box, by name."
    )


class ClaimRules(Strict):
    """A sentence of the rules that the tables must make true."""

    says: Text = Field(description="The claim in words.")
    expect: Expression = Field(description="An expression over the tables that must be true.")
    for_: Expression | None = Field(
        None, alias="for", description='For what it holds: players, players in 2..8 or town in rows("places").'
    )
    rule: Text | None = Field(None, description="Where the rule stands in the rulebook.")


class WordsRules(Strict):
    """How the game's texts are to be worded."""

    terms: list[Text] = Field(default_factory=list, max_length=MOST_WORDS, description="Spellings that are right.")
    banned: dict[Text, Text] = Field(
        default_factory=dict, max_length=MOST_WORDS, description='Spellings that are wrong: wrong = "right".'
    )
    unit: Text | None = Field(None, description="What must follow every number of at least from.")
    from_: int = Field(1000, alias="from", ge=0, description="The least number that needs the unit (1000).")
    thousands: Annotated[str, StringConstraints(max_length=1)] | None = Field(
        None, description='The mark between thousands, such as "," or " "; by default any, but one only.'
    )
    counts: dict[Text, Numbers] = Field(
        default_factory=dict,
        max_length=MOST_WORDS,
        description='Names with the number that may stand before them, and phrases with theirs: "up to # squares" = 6.',
    )


class EconomyRules(Strict):
    """Where an economy begins and what it must reach."""

    earn: list[Name] = Field(default_factory=list, description="Components each row of which must be earnable.")
    free: list[Name] = Field(default_factory=list, description="Tables whose rows anybody gets for nothing.")


class ExchangeRules(Strict):
    """Rows that change something into something else."""

    of: Name = Field(description="The component whose rows are exchanges.")
    where: Where = Field(default_factory=dict, description="Only rows whose columns have these values.")
    needs: list[Text] = Field(default_factory=list, description="Columns that name what must be given.")
    gives: list[Text] = Field(default_factory=list, description="Columns that name what is received.")


class MovementRules(Strict):
    """How pieces move on a board; kinds are those of the legend's column kind."""

    diagonal: bool = Field(False, description="Steps go to the four squares at the corners as well.")
    single: Kinds = Field(default_factory=list, description="Kinds whose neighbouring squares are one field of one step.")
    wraps: Kinds = Field(default_factory=list, description="Kinds on the edge that lead to the one opposite.")
    ends: Kinds = Field(default_factory=list, description="Kinds that end a move: reached, never passed.")
    starts: Kinds = Field(default_factory=list, description="Kinds on which pieces begin.")
    goals: Kinds = Field(default_factory=list, description="Kinds that every start must be able to reach.")
    exits: Kinds = Field(
        default_factory=list, description="Kinds onto which the first step may lead from a field of another kind."
    )
    tolerance: Said | None = Field(
        None, description='How much the starts\' mean distances to the goals may differ, such as "10%" or 0.1.'
    )
    fair: Kinds = Field(default_factory=list, description="Kinds whose distances count for fairness; by default the goals.")
    blocked: Kinds = Field(
        default_factory=list, description="Kinds that nobody enters, besides those blocked in the legend."
    )
    occupied: Kinds = Field(
        default_factory=list, description="Kinds on which a piece may stand for long: all must hold with and without it."
    )


class ShuffleRules(Strict):
    """Tiles shuffled over the slots of a layout, within their pools."""

    blocked: dict[Text, list[Said]] = Field(
        default_factory=dict, description="Columns of the hexes with the values that nobody enters."
    )
    start: Where = Field(default_factory=dict, description="Columns and values of the hex where movement begins.")
    turns: bool = Field(False, description="Tiles may be turned as well.")


class ColoursRules(Strict):
    """Colours that must be told apart."""

    table: Name = Field(description="The table with the colours.")
    column: Text = Field(description="The column with the colours.")
    beside: Text | None = Field(None, description="The column or thing beside the colour that says the same.")


class PileRules(Strict):
    """Pieces that are shuffled together."""

    of: Several = Field(description="A component, or several.")
    by: Text | None = Field(None, description="A column: only rows that say the same in it are one pile.")
    sleeved: bool = Field(False, description="They are played in sleeves that hide their backs.")


class FitRules(Strict):
    """Sizes that belong together."""

    what: Several = Field(description="A component whose pieces fit, or several.")
    in_: Text | None = Field(
        None,
        alias="in",
        description="A component: they fit its cells, spaces, hexes or halves, into the box, on the piece; or a size.",
    )
    kinds: Kinds = Field(default_factory=list, description="Of a board with a map: they fit fields of these kinds.")
    number: int = Field(1, ge=1, le=20, description="So many lie in one place, side by side.")
    like: Name | None = Field(None, description="A component: they are as large as its pieces.")
    room: Text | None = Field(None, description="So much must be spare, such as 1mm (0mm).")
    most: Text | None = Field(None, description="No more than so much may be spare; with like: they may differ by so much.")


class AllowRules(Strict):
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
    setup: SetupRules | None = None
    claim: dict[Name, ClaimRules] = Field(default_factory=dict, max_length=MOST, description="Claims, by name.")
    words: WordsRules | None = None
    economy: EconomyRules | None = None
    exchange: list[ExchangeRules] = Field(
        default_factory=list, max_length=MOST, description="Rows that change one thing into another."
    )
    movement: dict[Name, MovementRules] = Field(default_factory=dict, description="How pieces move, by board.")
    shuffle: dict[Name, ShuffleRules] = Field(default_factory=dict, description="Layouts whose tiles are shuffled, by name.")
    colours: list[ColoursRules] = Field(
        default_factory=list, max_length=MOST, description="Colours that must be told apart."
    )
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
    pile: dict[Name, PileRules] = Field(
        default_factory=dict, max_length=MOST, description="Pieces that are shuffled together, by name."
    )
    fit: dict[Name, FitRules] = Field(
        default_factory=dict, max_length=MOST, description="Sizes that belong together, by name."
    )
    allow: list[AllowRules] = Field(
        default_factory=list, max_length=MOST, description="Findings that are meant, with reasons."
    )
