"""Schema of ``game.toml``: every key with its type, bounds and description. Reads a file and reports faults by line."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import Discriminator, Field, PlainValidator, StringConstraints, Tag, ValidationError
from pydantic_core import ErrorDetails, PydanticKnownError

from pnp.dataclass import dataclass
from pnp.read import flat, folded, presets
from pnp.read.pieces import PieceRules
from pnp.read.tomlfile import LANGUAGE, Lines, Model, causes, load_toml, report_fault, tell_doubled
from pnp.system.paths import is_device
from pnp.values.fields import Colour, Count, Expected, Name, Strict, Text, as_tuple
from pnp.values.game import KindName, Look
from pnp.values.problems import Place, Problems, listed
from pnp.values.sections import PlayerCounts

RULES: Mapping[KindName, type[PieceRules]] = {**flat.RULES, **folded.RULES}
# A board is drawn freely, or is its map: then it has other keys.
MAP_BOARD = "board with a map"
MODELS: Mapping[str, type[PieceRules]] = dict((*RULES.items(), (MAP_BOARD, flat.MapBoard)))
"""The models by what :func:`model_of` says."""


MOST_OF_A_KIND = 500
"""Sections of one kind in a file."""
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
    """The type of a column's cells; a column without an entry holds any text, or numbers alone."""

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
    players: PlayerCounts = Field((), description="Of a variant that lays it instead: how many can play, such as 3-6.")


def _several(typed: Any) -> tuple[str, ...]:
    given = as_tuple(typed)
    if not isinstance(given, tuple) or not all(isinstance(each, str) and each.strip() for each in given):
        raise PydanticKnownError("string_type")
    if not 1 <= len(given) <= 20 or max(map(len, given)) > 400:
        raise PydanticKnownError("string_type")
    return tuple(each.strip() for each in given)


Texts = Annotated[tuple[str, ...], PlainValidator(_several, json_schema_input_type=Text | list[Text])]
"""A text, or several in their order."""


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
    vignette: Texts = Field(
        (), description="A drawing in art/ for what is left on the last page of text; others, for holes before it."
    )
    cover_ink: Text = Field(
        "#ffffff", description="Colour of the title on it: #rrggbb or a name from [palette]; none where the drawing has it."
    )
    foot_ink: Text | None = Field(None, description="Colour of subtitle and foot, if another than the title's.")
    accent: Text = Field(
        "#2b3a55",
        description="Colour of headings and rules: dark, #rrggbb or a name from [palette]. A style has its own.",
    )
    tint: Text = Field("#eef1f5", description="Ground of boxes and of the back cover: light. A style has its own.")
    contents: Annotated[str, StringConstraints(strip_whitespace=True, max_length=80)] = Field(
        "Contents",
        description="Heading of the table of contents; empty for none. Books of fewer than twelve pages in A4 have none.",
    )
    creep: Text = Field("0mm", description="Thickness of a leaf: inner pages of the booklet move in by as much a leaf.")


def _fonts(typed: Any) -> tuple[str, ...] | dict[str, tuple[str, ...]]:
    return {str(role): _several(each) for role, each in typed.items()} if isinstance(typed, dict) else _several(typed)


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


def json_schema(file: type[Strict] = GameFile) -> dict[str, Any]:
    """The JSON Schema of a file, for editors (``#:schema game.schema.json``)."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **file.model_json_schema()}


MODEL = Model(GameFile, {"component": MODELS})


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed game.toml. When it is not ``sound``, ``rules`` lacks the faulty parts, but suffices to read the tables and
    report their faults too.
    """

    rules: GameFile
    lines: Lines
    sound: bool


def read_game_file(path: Path, shown: str, problems: Problems, instead: bytes | None = None) -> Parsed | None:
    """The parsed file and the places of its keys; None, with Problems, when it cannot be used at all."""
    loaded = load_toml(path, shown, "A game is a folder with a game.toml.", problems, instead)
    if loaded is None:
        return None
    data, lines = loaded
    before = len(problems.errors)
    faults: list[ErrorDetails] = []
    rules: GameFile | None = None
    try:
        rules = GameFile.model_validate(data)
    except ValidationError as error:
        faults = error.errors()
    for fault in causes(faults):
        if not _foreign_key(fault, lines, problems):
            report_fault(_of_kind(fault), MODEL, lines, problems)
    tell_doubled(data, lines, problems)
    _check_copies(data, lines, problems)
    _check_names(path.parent.name, data, lines, problems)
    sound = len(problems.errors) == before
    if rules is None:
        rules = _remainder(data, faults)
    return Parsed(rules, lines, sound) if rules is not None else None


def _of_kind(fault: ErrorDetails) -> ErrorDetails:
    """A fault of a kind's name as one of its key."""
    if fault["type"] != "union_tag_invalid":
        return fault
    known = " or ".join(", ".join(f"'{kind}'" for kind in RULES).rsplit(", ", 1))
    loc, typed = (*fault["loc"], "kind"), fault["input"]["kind"]
    return {"type": "literal_error", "loc": loc, "msg": "", "input": typed, "ctx": {"expected": known}}


def _foreign_key(fault: ErrorDetails, lines: Lines, problems: Problems) -> bool:
    if fault["type"] != "extra_forbidden" or len(fault["loc"]) != 4:
        return False
    section, name, tag, key = map(str, fault["loc"])
    kind = tag.partition(" ")[0]
    if section != "component" or not any(key in own_keys(other) for other in RULES):
        return False
    message = f'"{key}" is not a key of the kind {kind}'
    problems.error("unknown-key", lines.place(section, name, key), message, value=key, allowed=listed(own_keys(kind)))
    return True


def _check_copies(data: dict[str, Any], lines: Lines, problems: Problems) -> None:
    components = data.get("component")
    for name, component in components.items() if isinstance(components, dict) else ():
        model = MODELS.get(model_of(component), PieceRules)
        if isinstance(component, dict) and {"copies", "table"} <= component.keys() and "copies" in model.model_fields:
            message = "the rows of its table say how many there are, and so does copies"
            hint = "Take copies away, or give the table a column copies and leave it to that."
            problems.error("two-copies", lines.place("component", name, "copies"), message, hint=hint)


def _check_names(game: str, data: dict[str, Any], lines: Lines, problems: Problems) -> None:
    named = [("game", game, Place(lines.file), f"the folder output/{game}")]
    for section in ("component", "book"):
        entries = data.get(section)
        for name in entries if isinstance(entries, dict) else ():
            named.append((section, name, lines.place(section, name), f"the file {name}.pdf"))
    for what, name, place, made in named:
        if is_device(name):
            message = f'Windows keeps the name "{name}" for itself: {made} could not lie there'
            hint = f"Give the {what} another name, such as {name}-1."
            problems.error("reserved-name", place, message, value=name, hint=hint)


def _remainder(data: dict[str, Any], faults: list[ErrorDetails]) -> GameFile | None:
    faulty = {fault["loc"][:2] for fault in faults}
    kept: dict[str, Any] = {"game": {"name": "?"}}
    for section in ("palette", "table", "component", "layout"):
        entries = data.get(section)
        if isinstance(entries, dict):
            kept[section] = {key: value for key, value in entries.items() if (section, key) not in faulty}
    # A colour that is written wrong is a colour all the same: cells that name it are right.
    badly_written = [fault["loc"][1] for fault in faults if fault["loc"][0] == "palette" and len(fault["loc"]) == 2]
    kept.setdefault("palette", {}).update(dict.fromkeys(badly_written, "#000000"))
    try:
        rules = GameFile.model_validate(kept)
    except ValidationError:
        return None
    nameless = {fault["loc"][1] for fault in faults if len(fault["loc"]) == 3 and fault["loc"][2] == "[key]"}
    wrong: dict[str, set[str]] = {}
    for section, name, *path in (map(str, fault["loc"]) for fault in faults if len(fault["loc"]) > 3):
        if section == "component" and name not in nameless:
            wrong.setdefault(name, set()).add(path[1])
    left = {name: _left(data["component"][name], keys) for name, keys in wrong.items()}
    return rules.model_copy(update={"component": {**rules.component, **left}})


def _left(component: dict[str, Any], wrong: set[str]) -> PieceRules:
    model = MODELS[model_of(component)]
    sound = {key: value for key, value in component.items() if key in model.model_fields and key not in wrong}
    missing = dict.fromkeys(key for key, field in model.model_fields.items() if field.is_required())
    return model.model_construct(**{**missing, **sound})
