"""The fonts that a foreign project asks for: its own files come along, for others one of pnp's stands in."""

from __future__ import annotations

import io
import os
from pathlib import Path

from pnp.flows.imports.deck import Deck, Font, Imported, Text
from pnp.flows.imports.source import MOST_FILES, Source
from pnp.read.rowids import slug
from pnp.values.problems import Place

SHIPPED = ("Source Sans Pro", "Source Serif Pro", "Fredoka One", "Amatic SC")
MOST_FONTS = 60
MOST_BYTES = 20_000_000
_SERIFS = ("serif", "times", "georgia", "garamond", "palatino", "cambria", "antiqua", "baskerville", "bookman", "roman")


def roles_of(imported: Imported, source: Source) -> dict[str, str]:
    """A role for each family that the decks ask for → the family that is set; the project's own files are copied."""
    asked = list(dict.fromkeys(text.font.family for deck in imported.decks for text in _texts(deck) if text.font.family))
    own = _own(source, imported) if asked else {}
    roles: dict[str, str] = {}
    for family in asked:
        role = role_of(Font(family))
        if role in roles:
            continue
        names = [name.strip().strip("\"'") for name in family.split(",")]
        found = next((name for name in names if name.casefold() in own), None)
        shipped = next((known for name in names for known in SHIPPED if known.casefold() == name.casefold()), None)
        if found is not None:
            # All of its faces: bold and italic are files of their own.
            paths, real = own[found.casefold()]
            imported.files |= {f"fonts/{path.name}": path.read_bytes() for path in paths}
            roles[role] = real
        elif shipped is not None:
            roles[role] = shipped
        else:
            low = family.casefold()
            serif = any(word in low for word in _SERIFS) and "sans" not in low
            roles[role] = "Source Serif Pro" if serif else "Source Sans Pro"
            imported.changed(
                Place("game.toml", None, f"fonts.{role}"),
                f'the font "{family}" is no file of the project, so {roles[role]} is set. To have it, put its .ttf or .otf '
                f"into fonts/ and write its family here",
            )
    return roles


def role_of(font: Font) -> str:
    """The role under which a font stands in game.toml."""
    return slug(font.family)[:40].strip("-") or "body" if font.family else "body"


def _texts(deck: Deck) -> list[Text]:
    return [each for each in (*deck.front, *deck.back) if isinstance(each, Text)]


def _own(source: Source, imported: Imported) -> dict[str, tuple[list[Path], str]]:
    """Families of the font files in the project's folder: in small letters → their files, and the name as written."""
    from fontTools.ttLib import TTFont, TTLibError

    found: dict[str, tuple[list[Path], str]] = {}
    paths = _files(source, imported)
    if len(paths) > MOST_FONTS:
        imported.left(Place(source.folder.name), f"fonts after {source.shown(paths[MOST_FONTS - 1])}", "there are too many")
    for path in paths[:MOST_FONTS]:
        if source.find(path.relative_to(source.folder).as_posix()) is None:
            continue
        if path.stat().st_size > MOST_BYTES:
            why = f"it is larger than {MOST_BYTES // 1_000_000} MB"
            imported.left(Place(source.shown(path)), "the font", why)
            continue
        try:
            with TTFont(io.BytesIO(path.read_bytes()), lazy=True, fontNumber=0) as font:
                family = font["name"].getDebugName(16) or font["name"].getDebugName(1)
        except (TTLibError, OSError, KeyError, ValueError, AssertionError):
            continue
        if family:
            found.setdefault(family.casefold(), ([], family))[0].append(path)
    return found


def _files(source: Source, imported: Imported) -> list[Path]:
    """The font files in the project's folder, as far as it is looked through; not what programs hide."""
    found: list[Path] = []
    seen = 0
    for home, folders, names in os.walk(source.folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        seen += len(names)
        if seen > MOST_FILES:
            why = f"the folder has more than {MOST_FILES} files"
            imported.left(Place(source.folder.name), "fonts that lie deeper in the folder", why)
            break
        found += [Path(home) / name for name in names if name.lower().endswith((".ttf", ".otf"))]
    return sorted(found)
