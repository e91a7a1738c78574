"""The kinds of pieces as ``game.toml`` has them: the model of each says its keys, and how it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Union

from pydantic import Discriminator, Tag

from pnp.read import flat, folded
from pnp.read.pieces import PieceRules
from pnp.values.kinds import KindName

RULES: Mapping[KindName, type[PieceRules]] = {**flat.RULES, **folded.RULES}
# A board is drawn freely, or is its map: then it has other keys.
MAP_BOARD = "board with a map"
MODELS: Mapping[str, type[PieceRules]] = dict((*RULES.items(), (MAP_BOARD, flat.MapBoard)))
"""The models by what :func:`model_of` says."""


def model_of(component: Any) -> str:
    """By which of the models a component as typed is read; empty when its kind is none."""
    if not isinstance(component, dict):
        return "card"
    kind = component.get("kind", "card")
    if not isinstance(kind, str) or kind not in RULES:
        return ""
    return MAP_BOARD if kind == "board" and {"map", "legend", "cell"} & set(component) else kind


def own_keys(kind: str) -> list[str]:
    """The keys that a kind adds to those of every component; of a board those of both ways."""
    found = (key for name, model in MODELS.items() if name.partition(" ")[0] == kind for key in model.own_keys())
    return list(dict.fromkeys(found))


if TYPE_CHECKING:
    PieceOfKind = PieceRules
else:
    PieceOfKind = Annotated[
        Union[tuple(Annotated[model, Tag(name)] for name, model in MODELS.items())], Discriminator(model_of)  # noqa: UP007
    ]
