"""Every kind of piece is whole: each registry has all kinds, and an editor knows which keys each has."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import get_args

import pytest

from pnp.draw.kinds import KINDS as DRAWN
from pnp.read.pieces import PieceRules
from pnp.read.schema import MODELS, RULES, json_schema
from pnp.values.game import KINDS, KindName

ROOT = Path(__file__).resolve().parent.parent
NAMES = get_args(KindName)


@pytest.mark.parametrize("registry", [KINDS, RULES, DRAWN], ids=["values", "read", "draw"])
def test_every_kind_is_in_every_registry(registry: Collection[str]) -> None:
    """No stage has forgotten a kind, and none has one that the others do not know."""
    assert set(registry) == set(NAMES)


@pytest.mark.parametrize("name", MODELS)
def test_the_keys_of_a_kind_say_which_kind_it_is(name: str) -> None:
    """The model of a kind takes that kind's name and no other."""
    annotation = MODELS[name].model_fields["kind"].annotation

    assert get_args(annotation) == (name.partition(" ")[0],)


@pytest.mark.parametrize("name", MODELS)
def test_an_editor_knows_the_keys_of_a_kind(name: str) -> None:
    """The JSON Schema has a section for each kind: with its keys, and none of another's."""
    schema = json_schema()
    (patterned,) = schema["properties"]["component"]["patternProperties"].values()
    listed = [each["$ref"].removeprefix("#/$defs/") for each in patterned["oneOf"]]
    model = MODELS[name]
    told = schema["$defs"][model.__name__]

    assert listed == [each.__name__ for each in MODELS.values()]
    assert list(told["properties"]) == [*PieceRules.model_fields, *model.own_keys()]
    assert told["additionalProperties"] is False
    assert ("kind" in told["required"]) == (name != "card")


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_is_told(name: str) -> None:
    """The page of game.toml names each kind."""
    assert f"`{name}`" in (ROOT / "docs" / "reference" / "game-toml.md").read_text(encoding="utf-8")
