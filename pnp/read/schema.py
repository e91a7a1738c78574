"""Defines what may stand in a ``game.toml``, as pydantic models: the one list of keys, their bounds and meaning."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import Discriminator, Field, PlainValidator, StringConstraints, Tag
from pydantic_core import PydanticKnownError

from pnp.read import flat, folded, presets
from pnp.read.pieces import PieceRules
from pnp.values.fields import Colour, Count, Name, Strict, Text, as_tuple
from pnp.values.game import KindName, Look

RULES: Mapping[KindName, type[PieceRules]] = {**flat.RULES, **folded.RULES}
# A board is drawn freely, or is its map: then it has other keys.
MAP_BOARD = "board with a map"
MODELS: Mapping[str, type[PieceRules]] = dict((*RULES.items(), (MAP_BOARD, flat.MapBoard)))
"""The models by what :func:`model_of` says."""


MOST_OF_A_KIND = 500
"""Sections of one kind in a file."""
LANGUAGE = r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$"
# The name of a font, or the code of a language.
ROLE = r"^([a-z0-9][a-z0-9_-]{0,63}|[a-z]{2,3}(-[A-Za-z0-9]{2,8})*)$"


def model_of(component: Any) -> str:
    """The name of the model for a component as typed; empty for an unknown kind."""
    if not isinstance(component, dict):
        return "card"
    kind = component.get("kind", "card")
    if not isinstance(kind, str) or kind not in RULES:
        return ""
    return MAP_BOARD if kind == "board" and {"map", "legend", "cell"} & set(component) else kind


@cache
def own_keys(kind: str) -> list[str]:
    """The keys of a kind alone; for a board those of both forms."""
    found = (key for name, model in MODELS.items() if name.partition(" ")[0] == kind for key in model.own_keys())
    return list(dict.fromkeys(found))


if TYPE_CHECKING:
    PieceOfKind = PieceRules
else:
    PieceOfKind = Annotated[
        Union[tuple(Annotated[model, Tag(name)] for name, model in MODELS.items())], Discriminator(model_of)  # noqa: UP007
    ]


class About(Strict):
    """The game itself: name, version, credits, papers."""

    name: Text = Field(description="The game's name as printed.")
    version: Text = Field("1.0", description="Printed on every sheet, so that sheets of two printings can be told apart.")
    language: Annotated[str, StringConstraints(pattern=LANGUAGE)] = Field(
        "en", description="Language of the texts (BCP 47, such as en or pt-BR): decides hyphenation."
    )
    designer: Text | None = Field(None, description="Who designed the game.")
    year: int | None = Field(None, ge=1, le=9999, description="Year of first publication.")
    players: Text | None = Field(None, description="Number of players, such as 2-8.")
    source: Text | None = Field(None, description="Where the game's rules were published.")
    licence: Text | None = Field(None, description="Terms under which this pack may be passed on.")
    note: Text | None = Field(None, description="A sentence or two for the imprint.")
    style: Look = Field("plain", description="How cards look that have no template: they are drawn from their columns.")
    papers: list[Text] = Field(
        ["a4", "letter"],
        min_length=1,
        max_length=8,
        description=f"Papers to build for: {', '.join(presets.paper_names())} or a free size such as 210mm x 297mm.",
    )


class Column(Strict):
    """What the cells of one column may hold; a column without an entry holds any text, or numbers alone."""

    type: Literal["text", "whole", "number", "flag", "colour"] | None = Field(
        None,
        description="whole: a whole number; flag: yes or no; colour: #rrggbb or a name from [palette]. By default number "
        "or flag where every filled cell is one, else text.",
    )
    one_of: list[Text] | None = Field(None, min_length=1, description="The only values allowed.")
    table: Name | None = Field(None, description="Each cell is the id or name of a row of this table.")
    min: float | None = Field(None, description="Least number allowed.")
    max: float | None = Field(None, description="Greatest number allowed.")
    optional: bool = Field(False, description="The cell may be empty.")
    value: Text | None = Field(
        None, description="The column is not typed but computed, for each row, from the others: attack + defence."
    )
    translate: bool | None = Field(
        None, description="Its cells are words that are translated, or are not; by default pnp tells by what they say."
    )

    @property
    def filled(self) -> bool:
        """Whether somebody must have typed something into each of its cells."""
        return self.value is None and not self.optional and self.type != "flag"


class TableRules(Strict):
    """Where a table is and what its columns may hold."""

    file: Text | None = Field(None, description="File in the game's folder; by default NAME.csv, NAME.xlsx, NAME.json …")
    sheet: Text | None = Field(
        None, description="Sheet of a spreadsheet, by default the first; of JSON and YAML the key of the list of records."
    )
    header: Count | None = Field(None, ge=1, description="Row that names the columns; by default the first.")
    address: Text | None = Field(None, description="Where pnp fetch gets the table from: a published sheet, as CSV.")
    id: Text | None = Field(None, description="The column that names the rows, as typed in the first row; by default id.")
    copies: Text | None = Field(
        None, description="The column that says how many there are; by default copies, count, qty or quantity."
    )
    names: dict[Name, Text] = Field(
        default_factory=dict, description='Other names for columns: cost = "Mana Cost" makes it row.cost.'
    )
    columns: dict[Text, Column] = Field(default_factory=dict, description="Rules for columns, by name.")


class LayoutRules(Strict):
    """Where pieces lie at the start."""

    title: Text | None = Field(None, description="Its name; by default the key in words.")
    table: Name | None = Field(
        None, description="Slots: q, r (hexes) or a, b, x, y (dominoes), turn, pool; by default the layout's name."
    )
    of: Name = Field(description="The component of tiles or dominoes that is laid.")


class BookRules(Strict):
    """A rulebook or another text of the game, written in Markdown beside game.toml."""

    file: Text | None = Field(None, description="Its file in the game's folder; by default NAME.md.")
    form: Literal["book", "card"] = Field(
        "book", description="book: a booklet with a cover; card: a reference card, two copies on a sheet."
    )
    title: Text | None = Field(None, description="Title on the cover; by default the game's name.")
    subtitle: Text | None = Field(None, description="A line below the title.")
    foot: Text | None = Field(None, description="A line at the foot of the cover, such as the number of players.")
    cover: Text | None = Field(None, description="The cover's picture: a drawing in art/, about 140 x 205 mm.")
    vignette: Text | None = Field(None, description="A drawing in art/ for what is left on the last page of text.")
    cover_ink: Text = Field(
        "#ffffff", description="Colour of the title on it: #rrggbb or a name from [palette]; none where the drawing has it."
    )
    foot_ink: Text | None = Field(None, description="Colour of subtitle and foot, if another than the title's.")
    accent: Text = Field("#2b3a55", description="Colour of headings and rules: dark, #rrggbb or a name from [palette].")
    tint: Text = Field("#eef1f5", description="Ground of boxes and of the back cover: light.")
    contents: Annotated[str, StringConstraints(strip_whitespace=True, max_length=80)] = Field(
        "Contents",
        description="Heading of the table of contents; empty for none. Books of fewer than twelve pages in A4 have none.",
    )
    creep: Text = Field("0mm", description="Thickness of a leaf: inner pages of the booklet move in by as much a leaf.")


class Split(Strict):
    """A promise about the copies of a component, grouped by a column."""

    by: Text = Field(description="Column to group by; id for the designs themselves.")
    where: dict[Text, Text] = Field(default_factory=dict, description="Count only rows whose columns have these values.")
    counts: dict[Text, Count] = Field(default_factory=dict, description="Copies by value; other values are not allowed.")
    groups: Count | None = Field(None, description="How many different values there are.")
    each: Count | None = Field(None, description="Copies of every value.")


class Expected(Strict):
    """What the rulebook promises of a component."""

    copies: Count | None = Field(None, description="Pieces in all.")
    different: Count | None = Field(None, description="Different designs (rows).")
    split: list[Split] = Field(default_factory=list, description="How the copies divide over the values of a column.")


def _families(typed: Any) -> tuple[str, ...]:
    given = as_tuple(typed)
    if not isinstance(given, tuple) or not all(isinstance(each, str) and each.strip() for each in given):
        raise PydanticKnownError("string_type")
    if not 1 <= len(given) <= 20 or max(map(len, given)) > 400:
        raise PydanticKnownError("string_type")
    return tuple(each.strip() for each in given)


def _fonts(typed: Any) -> tuple[str, ...] | dict[str, tuple[str, ...]]:
    return {str(role): _families(each) for role, each in typed.items()} if isinstance(typed, dict) else _families(typed)


RoleFonts = Annotated[
    tuple[str, ...] | dict[str, tuple[str, ...]],
    PlainValidator(_fonts, json_schema_input_type=Text | list[Text] | dict[Name, Text | list[Text]]),
]
"""The families of a role, tried in this order; or, by role, those of a language."""


class GameFile(Strict):
    """The whole of a game.toml."""

    game: About
    palette: dict[Name, Colour] = Field(default_factory=dict, description="Colours by name: palette.sea in a template.")
    fonts: dict[Annotated[str, StringConstraints(pattern=ROLE)], RoleFonts] = Field(
        default_factory=dict, description="Font families by role: title, body …; those of a language in [fonts.ja]."
    )
    texts: dict[Name, Annotated[str, StringConstraints(max_length=20_000)]] = Field(
        default_factory=dict, description="Texts that templates show, by name: texts.motto."
    )
    table: dict[Name, TableRules] = Field(
        default_factory=dict, max_length=MOST_OF_A_KIND, description="Rules for tables, by name."
    )
    component: dict[Name, PieceOfKind] = Field(
        default_factory=dict, max_length=MOST_OF_A_KIND, description="The pieces, by name, in print order."
    )
    layout: dict[Name, LayoutRules] = Field(
        default_factory=dict, max_length=MOST_OF_A_KIND, description="How pieces lie at the start, by name."
    )
    book: dict[Name, BookRules] = Field(
        default_factory=dict, description="Rulebooks by name; without any, rulebook.md is one if it is there."
    )
    expect: dict[Name, Expected] = Field(
        default_factory=dict, max_length=MOST_OF_A_KIND, description="What the rulebook promises, by component."
    )


def json_schema() -> dict[str, Any]:
    """The JSON Schema of game.toml, for editors (``#:schema game.schema.json``)."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **GameFile.model_json_schema()}
