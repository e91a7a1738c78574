"""Reads a font file's names and licence, from the font or files beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pnp.values.languages import N_

# In a font's table of names: https://learn.microsoft.com/typography/opentype/spec/name
COPYRIGHT, FAMILY, FULL, POSTSCRIPT, LICENCE, LICENCE_URL, TYPOGRAPHIC = 0, 1, 4, 6, 13, 14, 16
UNSTATED = N_("licence not stated in the font")
# Files that come with a font, and what they are about.
_BESIDE = re.compile(r"(ofl|licen[cs]e|copying|apache|ufl)([-_. ].*)?", re.IGNORECASE)
_MOST_BYTES = 200_000
_KNOWN = (
    (re.compile(r"Open\s+Font\s+Licen[cs]e|\bOFL\b|scripts\.sil\.org", re.IGNORECASE), "SIL Open Font License"),
    (re.compile(r"Apache\s+Licen[cs]e|apache\.org/licenses", re.IGNORECASE), "Apache License"),
    (re.compile(r"Bitstream\s+Vera", re.IGNORECASE), "Bitstream Vera licence"),
    (re.compile(r"Ubuntu\s+Font\s+Licen[cs]e", re.IGNORECASE), "Ubuntu Font Licence"),
)


def names_of(path: Path) -> frozenset[str]:
    """Names of a font besides its family: full name, PostScript name, families for older programs."""
    found = _table(path)
    return frozenset(found[key] for key in (FAMILY, FULL, POSTSCRIPT, TYPOGRAPHIC) if found.get(key))


def licence_of(path: Path, alone: bool) -> str:
    """A font's licence in a few words: from its own table, else from a file beside it, else UNSTATED.

    A file beside it is about it when it names its family, or when the folder has no other family (``alone``).
    """
    table = _table(path)
    said = " ".join(table.get(key, "") for key in (LICENCE, LICENCE_URL, COPYRIGHT))
    if known := _licence_in(said):
        return known
    if stated := (table.get(LICENCE) or table.get(LICENCE_URL, "")).strip():
        return stated.split(". ")[0].splitlines()[0][:80]
    families = [table[key] for key in (FAMILY, TYPOGRAPHIC) if table.get(key)]
    for text in _beside(path.parent):
        if (alone or any(family in text for family in families)) and (known := _licence_in(text)):
            return known
    return UNSTATED


def _licence_in(text: str) -> str:
    """The first known licence that a text names."""
    return next((name for pattern, name in _KNOWN if pattern.search(text)), "")


def _beside(folder: Path) -> Iterator[str]:
    for path in sorted(folder.iterdir()):
        if _BESIDE.fullmatch(path.stem) and path.suffix.lower() in ("", ".txt", ".md") and path.is_file():
            with suppress(OSError):
                yield path.read_bytes()[:_MOST_BYTES].decode(errors="replace")


def _table(path: Path) -> dict[int, str]:
    """The needed names, in English where there are several; empty for a broken file."""
    import uharfbuzz

    try:
        face = uharfbuzz.Face(path.read_bytes())
    except OSError:
        return {}
    wanted = (COPYRIGHT, FAMILY, FULL, POSTSCRIPT, LICENCE, LICENCE_URL, TYPOGRAPHIC)
    return {key: face.get_name(key, "en") or "" for key in wanted}
