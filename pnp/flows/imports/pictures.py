"""The drawings of a foreign project: copied into ``art/`` as kinds of files that pnp draws, or told why not."""

from __future__ import annotations

import re
from pathlib import Path

from pnp.draw.bitmaps import read_bitmap
from pnp.flows.imports.deck import Imported, Table, Value
from pnp.flows.imports.source import Source
from pnp.read.rowids import slug
from pnp.svg import safe as svg
from pnp.svg.saved import text_of_file
from pnp.system.artfiles import BITMAPS, ENDINGS
from pnp.values.problems import Place

HOMES = ("img", "images", "assets", "art", "pictures", "graphics")
"""Folders in which tools look for pictures by themselves, or in which people keep them."""
MOST_BYTES = 64_000_000
MOST_TOGETHER = 400_000_000


class Pictures:
    """Copies each drawing once, however often it is named."""

    def __init__(self, source: Source, imported: Imported, *homes: str) -> None:
        self._source, self._imported, self._homes = source, imported, (*homes, *HOMES)
        self._names: dict[Path, str] = {}
        self._told: set[str] = set()
        self._bytes = 0

    def take(self, name: str, place: Place) -> str:
        """The name in ``art/`` of a drawing that the source names; empty, and told once, where it cannot be had."""
        name = name.strip().strip('"')
        if not name:
            return ""
        if re.match(r"[a-z]+://", name, re.IGNORECASE):
            return self._without(name, place, "it is on the web, and nothing is fetched. Save it into art/")
        path = self._source.find(name, *self._homes)
        if path is None and re.match(r"[A-Za-z]:[\\/]|/", name):
            # The place where it was on its owner's computer; the file may have come along all the same.
            path = self._source.find(re.split(r"[\\/]", name)[-1], *self._homes)
        if path is None:
            return self._without(name, place, "there is no such file in the project's folder")
        if path not in self._names:
            self._names[path] = self._copied(path, name, place)
        return self._names[path]

    def value(self, value: Value, table: Table, place: Place, column: str) -> Value:
        """The names in ``art/`` for what the source names, row by row."""
        return table.derived(value, lambda text: self.take(text, place), column)

    def size(self, name: str) -> tuple[float, float] | None:
        """Width and height of a copied drawing, in its own pixels or units."""
        data = self._imported.files.get(f"art/{name}")
        if not data:
            return None
        if name.endswith(BITMAPS):
            _, _, across, down = read_bitmap(data)
            return float(across), float(down)
        _, _, width, height = svg.view_box(svg.parse(text_of_file(data)))
        return width, height

    def _without(self, name: str, place: Place, why: str) -> str:
        if name not in self._told:
            self._told.add(name)
            self._imported.left(place, f'the picture "{name}"', why)
        return ""

    def _copied(self, path: Path, name: str, place: Place) -> str:
        suffix = path.suffix.lower()
        try:
            if path.stat().st_size > MOST_BYTES:
                return self._without(name, place, f"it is larger than {MOST_BYTES // 1_000_000} MB")
            data = path.read_bytes()
            if self._bytes + len(data) > MOST_TOGETHER:
                return self._without(name, place, f"with it the pictures are larger than {MOST_TOGETHER // 1_000_000} MB")
            if suffix not in ENDINGS:
                return self._without(name, place, f"it is none of {', '.join(ENDINGS)}")
            # Whether a drawing's words and parts can be printed is known once the game is tried.
            if suffix in BITMAPS:
                read_bitmap(data)
            else:
                svg.view_box(svg.parse(text_of_file(data)))
        except (OSError, svg.BadDrawing) as error:
            return self._without(name, place, f"the drawing cannot be used: {error}")
        self._bytes += len(data)
        return self._placed(path, suffix, data)

    def _placed(self, path: Path, suffix: str, data: bytes) -> str:
        inside = Path(self._source.shown(path)).with_suffix("")
        parts = [slug(part) or "picture" for part in inside.parts]
        if len(parts) > 1 and inside.parts[0].casefold() in HOMES:
            parts = parts[1:]
        base = "/".join(parts)
        number = 1
        while f"art/{base}{suffix}" in self._imported.files:
            number += 1
            base = f"{'/'.join(parts)}-{number}"
        self._imported.files[f"art/{base}{suffix}"] = data
        return base + suffix
