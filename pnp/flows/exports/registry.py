"""Where a game can go beside the printer, in one dict: a new target is a module with a TARGET, and a line here."""

from __future__ import annotations

from collections.abc import Mapping

from pnp.flows.exports import (
    card_game_simulator,
    faces,
    gamecrafter,
    makeplayingcards,
    playingcards,
    press,
    sheets,
    tabletop_club,
    tabletop_playground,
    tabletop_simulator,
    virtualtabletop,
)
from pnp.flows.exports.target import Target
from pnp.values.exports import TargetName

TARGETS: Mapping[TargetName, Target] = {
    "tabletop-simulator": tabletop_simulator.TARGET,
    "virtualtabletop": virtualtabletop.TARGET,
    "playingcards": playingcards.TARGET,
    "card-game-simulator": card_game_simulator.TARGET,
    "tabletop-playground": tabletop_playground.TARGET,
    "tabletop-club": tabletop_club.TARGET,
    "sheets": sheets.TARGET,
    "faces": faces.TARGET,
    "makeplayingcards": makeplayingcards.TARGET,
    "gamecrafter": gamecrafter.TARGET,
    "drivethrucards": press.DRIVETHRUCARDS,
    "press": press.PRESS,
}
