"""STUB to be replaced by the colour helper's."""

from __future__ import annotations

from pathlib import Path

from pnp.values.press import Condition


class NoProfile(Exception):
    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


def condition_of(path: Path | None, limit: float) -> Condition:
    path = path or Path("/usr/share/scribus/profiles/ISOcoated_v2_300_bas.icc")
    if not path.is_file():
        raise NoProfile("no profile", "say one")
    return Condition(path.read_bytes(), "FOGRA39", limit)
