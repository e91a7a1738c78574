"""Names of files that any system takes, each given once, and ids that are the same in every export."""

from __future__ import annotations

import re
import unicodedata

from pnp.read.devices import is_device
from pnp.system.record import digest_of

# Longer names, below a folder of somebody's, are cut by some systems.
MOST = 60


class Names:
    """Gives names that are told apart in any case."""

    def __init__(self, plain: bool = False) -> None:
        self._plain = plain
        """Small letters, digits and hyphens alone: for files that other files name."""
        self._given: set[str] = set()

    def of(self, text: str) -> str:
        """A name like the text; with a number where that was given before."""
        name, number = cleaned(text, self._plain), 1
        made = name
        while made.casefold() in self._given:
            number += 1
            made = f"{name[: MOST - 6]}-{number}"
        self._given.add(made.casefold())
        return made


def cleaned(text: str, plain: bool = False) -> str:
    """Text as the name of a file or folder on any system."""
    if plain:
        ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
        name = re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")[:MOST].strip("-")
    else:
        spaced = " ".join(unicodedata.normalize("NFC", text).split())
        name = re.sub(r"[^\w '(),&!+-]+", "-", spaced)[:MOST].strip(" -")
    return f"{name}-1" if is_device(name) else name or "unnamed"


def guid_of(*parts: str) -> str:
    """32 hexadecimal digits: the same for the same parts, in any export of any version."""
    return digest_of("\n".join(parts).encode())[:32].upper()
