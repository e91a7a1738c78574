"""What may stand in a ``game.toml``, as pydantic models: the one list of keys, their bounds and meaning."""

from __future__ import annotations

import os
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pnp.shapes.colour import WRITTEN

# No other package has a say in what a game.toml means; to look for one is to read what all that are installed say of
# themselves, each time that pnp is started.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
Colour = Annotated[str, StringConstraints(pattern=WRITTEN)]
Count = Annotated[int, Field(ge=0, le=100_000)]


class _Strict(BaseModel):
    # Each is made within the one that holds it, once a file is read, and not by itself before.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


class About(_Strict):
    """The game itself: name, version, credits, papers."""

    name: Text = Field(description="The game's name as printed.")
    version: Text = Field("1.0", description="Printed on every sheet, so that sheets of two printings can be told apart.")
    language: Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")] = Field(
        "en", description="Language of the texts (BCP 47, such as en or pt-BR): decides hyphenation."
    )
    designer: Text | None = Field(None, description="Who designed the game.")
    year: int | None = Field(None, ge=1, le=9999, description="Year of first publication.")
    players: Text | None = Field(None, description="Number of players, such as 2-8.")
    source: Text | None = Field(None, description="Where the game's rules were published.")
    licence: Text | None = Field(None, description="Terms under which this pack may be passed on.")
    note: Text | None = Field(None, description="A sentence or two for the imprint.")
    papers: list[Text] = Field(
        ["a4", "letter"],
        min_length=1,
        max_length=8,
        description="Papers to build for: a4, a3, letter, legal, tabloid or a free size such as 210mm x 297mm.",
    )


class Column(_Strict):
    """What the cells of one column may hold; a column without an entry holds any text."""

    type: Literal["text", "whole", "number", "flag", "colour"] = Field(
        "text", description="whole: a whole number; flag: yes or no; colour: #rrggbb or a name from [palette]."
    )
    one_of: list[Text] | None = Field(None, min_length=1, description="The only values allowed.")
    table: Name | None = Field(None, description="Each cell is the id or name of a row of this table.")
    min: float | None = Field(None, description="Least number allowed.")
    max: float | None = Field(None, description="Greatest number allowed.")
    optional: bool = Field(False, description="The cell may be empty.")


class TableRules(_Strict):
    """Where a table is and what its columns may hold."""

    file: Text | None = Field(None, description="File in the game's folder; by default NAME.csv, NAME.xlsx or NAME.ods.")
    sheet: Text | None = Field(None, description="Sheet of a spreadsheet; by default the first.")
    columns: dict[Text, Column] = Field(default_factory=dict, description="Rules for columns, by name.")


class ComponentRules(_Strict):
    """A kind of piece: a table drawn through a template at one size."""

    kind: Literal[
        "card", "tile", "domino", "board", "token", "tracker",
        "standee", "pawn", "prism", "die", "screen", "box", "pouch", "ship",
    ] = Field("card", description="What the piece is.")  # fmt: skip
    title: Text | None = Field(None, description="Its name in lists and on sheets; by default the key in words.")
    table: Name | None = Field(None, description="The table whose rows are the pieces; by default the component's name.")
    where: dict[Text, Text] = Field(default_factory=dict, description="Only rows whose columns have these values.")
    template: Text | None = Field(
        None, description="Template of the front (templates/GAME/NAME.svg.j2); by default the component's name."
    )
    back: Text | None = Field(
        None, description="Template of the back; without it the piece has no back. It may use the row, for a back a row."
    )
    size: Text | None = Field(
        None, description="A preset such as poker, tcg, mini-euro, tarot, square-70, or a size such as 90mm x 60mm."
    )
    highest: int | None = Field(None, ge=0, le=18, description="Highest number of a domino set: 6 for double-six.")
    hexes: Name | None = Field(None, description="Table of a tile's hexes: columns tile, q, r and what is on them.")
    hex: Text | None = Field(None, description="A hex from flat to flat, such as 42mm.")
    map: Text | None = Field(None, description="Text file of a board, a line a row, a character a cell; or a CSV.")
    legend: Name | None = Field(None, description="Table of a board's letters: columns letter, kind and what you need.")
    cell: Text | None = Field(None, description="Side of a board's square, such as 20mm.")
    join: Literal["glue", "butt"] = Field(
        "glue", description="How pages of a board meet: glue (10 mm overlap) or butt (edge to edge)."
    )
    shape: Text | None = Field(
        None, description="A token's outline: circle, square, hex, or a drawing in art/ whose path is the outline."
    )
    spaces: Name | None = Field(None, description="Table of a tracker's spaces: columns track, value and what they show.")
    marker: Name | None = Field(None, description="The component that lies on a tracker: its slots are made to fit.")
    base: Text | None = Field(None, description="Depth of a standee's two flaps, such as 8mm.")
    depth: Text | None = Field(None, description="From front to back of a pawn, prism or pouch.")
    sides: Literal[6, 10] | None = Field(None, description="Faces of a die: 6 or 10.")
    faces: list[Text] | None = Field(
        None, min_length=1, max_length=20, description="What a die shows, a text a face; by default 1-6, or 0-9."
    )
    panels: list[Text] | None = Field(
        None, min_length=1, max_length=9, description="Widths of a screen's panels, such as 60mm, 140mm, 60mm."
    )
    height: Text | None = Field(None, description="Height of a screen.")
    holds: list[Name] | None = Field(
        None, min_length=1, max_length=20, description="Components that lie in a box, or the one whose cards a ship carries."
    )
    room: Text | None = Field(None, description="Spare room in a box each way (1mm).")
    slots: int | None = Field(None, ge=1, le=6, description="How many cards a ship carries (3).")
    copies: Count | None = Field(None, description="How many to print of a piece without a table (1).")
    upright: bool = Field(False, description="Never turned on a sheet that it shares with others.")
    backs: Literal["gutterfold"] | None = Field(
        None, description="gutterfold: always printed on one side, folded and glued, whatever the build says."
    )
    bleed: Text = Field("3mm", description="How far the drawing goes on beyond the cut.")
    paper: Text = Field("card, 200-300 g/m²", description="The paper to print on, in words, for the print plan.")
    weight: Annotated[int, Field(ge=40, le=800)] = Field(
        250, description="Weight of that paper in g/m²: decides how thick a stack in a box is."
    )


class LayoutRules(_Strict):
    """Where pieces lie at the start."""

    title: Text | None = Field(None, description="Its name; by default the key in words.")
    table: Name | None = Field(
        None, description="Slots: q, r (hexes) or a, b, x, y (dominoes), turn, pool; by default the layout's name."
    )
    of: Name = Field(description="The component of tiles or dominoes that is laid.")


class BookRules(_Strict):
    """A rulebook or another text of the game, written in Markdown beside game.toml."""

    file: Text | None = Field(None, description="Its file in the game's folder; by default NAME.md.")
    form: Literal["book", "card"] = Field(
        "book", description="book: a booklet with a cover; card: a reference card, two copies on a sheet."
    )
    title: Text | None = Field(None, description="Title on the cover; by default the game's name.")
    subtitle: Text | None = Field(None, description="A line below the title.")
    foot: Text | None = Field(None, description="A line at the foot of the cover, such as the number of players.")
    cover: Text | None = Field(None, description="The cover's picture: a drawing in art/, about 140 x 205 mm.")
    cover_ink: Text = Field("#ffffff", description="Colour of the title on it: #rrggbb or a name from [palette].")
    foot_ink: Text | None = Field(None, description="Colour of subtitle and foot, if another than the title's.")
    accent: Text = Field("#2b3a55", description="Colour of headings and rules: dark, #rrggbb or a name from [palette].")
    tint: Text = Field("#eef1f5", description="Ground of boxes and of the back cover: light.")
    contents: Annotated[str, StringConstraints(strip_whitespace=True, max_length=80)] = Field(
        "Contents", description="Heading of the table of contents; empty for none."
    )
    creep: Text = Field("0mm", description="Thickness of a leaf: inner pages of the booklet move in by as much a leaf.")


# The keys that pieces of a kind must have, and those that they may have besides the keys of every component.
KIND_KEYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "card": (("size",), ()),
    "domino": (("size", "highest"), ()),
    "tile": (("hexes", "hex"), ()),
    "board": ((), ("size", "map", "legend", "cell", "join")),
    "token": (("size",), ("shape",)),
    "tracker": (("size", "spaces"), ("marker", "copies")),
    "standee": (("size",), ("base", "copies")),
    "pawn": (("size", "depth"), ("copies",)),
    "prism": (("size", "depth"), ("copies",)),
    "die": (("size", "sides"), ("faces", "copies")),
    "screen": (("panels", "height"), ("copies",)),
    "box": (("holds",), ("room", "copies")),
    "pouch": (("size", "depth"), ("copies",)),
    "ship": (("holds",), ("slots", "copies")),
}
SPECIAL_KEYS = (
    "size", "highest", "hexes", "hex", "map", "legend", "cell", "join", "shape", "spaces", "marker", "base", "depth",
    "sides", "faces", "panels", "height", "holds", "room", "slots", "copies",
)  # fmt: skip
# Kinds whose pieces are the rows of a table; the others may have one, or are one design.
TABLE_KINDS = ("card", "tile", "token")


def kind_keys(component: dict[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(needed, possible) among SPECIAL_KEYS for a component as typed; a board is its map, or drawn freely at a size."""
    kind = component.get("kind", "card")
    needed, besides = KIND_KEYS.get(kind, ((), SPECIAL_KEYS)) if isinstance(kind, str) else ((), SPECIAL_KEYS)
    if kind == "board":
        needed = ("map", "legend", "cell") if {"map", "legend", "cell"} & set(component) else ("size",)
    return needed, (*needed, *besides)


class Split(_Strict):
    """A promise about the copies of a component, grouped by a column."""

    by: Text = Field(description="Column to group by; id for the designs themselves.")
    where: dict[Text, Text] = Field(default_factory=dict, description="Count only rows whose columns have these values.")
    counts: dict[Text, Count] = Field(default_factory=dict, description="Copies by value; other values are not allowed.")
    groups: Count | None = Field(None, description="How many different values there are.")
    each: Count | None = Field(None, description="Copies of every value.")


class Expected(_Strict):
    """What the rulebook promises of a component."""

    copies: Count | None = Field(None, description="Pieces in all.")
    different: Count | None = Field(None, description="Different designs (rows).")
    split: list[Split] = Field(default_factory=list, description="How the copies divide over the values of a column.")


class GameFile(_Strict):
    """The whole of a game.toml."""

    game: About
    palette: dict[Name, Colour] = Field(default_factory=dict, description="Colours by name: palette.sea in a template.")
    fonts: dict[Name, Text] = Field(default_factory=dict, description="Font families by role: title, body …")
    texts: dict[Name, Annotated[str, StringConstraints(max_length=20_000)]] = Field(
        default_factory=dict, description="Texts that templates show, by name: texts.motto."
    )
    table: dict[Name, TableRules] = Field(default_factory=dict, description="Rules for tables, by name.")
    component: dict[Name, ComponentRules] = Field(default_factory=dict, description="The pieces, by name, in print order.")
    layout: dict[Name, LayoutRules] = Field(default_factory=dict, description="How pieces lie at the start, by name.")
    book: dict[Name, BookRules] = Field(
        default_factory=dict, description="Rulebooks by name; without any, rulebook.md is one if it is there."
    )
    expect: dict[Name, Expected] = Field(default_factory=dict, description="What the rulebook promises, by component.")


def json_schema() -> dict[str, Any]:
    """The JSON Schema of game.toml, for editors (``#:schema game.schema.json``)."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **GameFile.model_json_schema()}
