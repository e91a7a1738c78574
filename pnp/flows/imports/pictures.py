"""The drawings of a foreign project: copied into ``art/`` as kinds of files that pnp draws, or told why not."""

from __future__ import annotations

import io
import re
from pathlib import Path

from pnp.flows.imports.deck import Imported, Table, Value
from pnp.flows.imports.source import Source
from pnp.read.rowids import slug
from pnp.svg import safe as svg
from pnp.svg.tree import local, tag
from pnp.values.problems import Place

HOMES = ("img", "images", "assets", "art", "pictures", "graphics")
"""Folders in which tools look for pictures by themselves, or in which people keep them."""
MOST_BYTES = 64_000_000
MOST_TOGETHER = 400_000_000
MOST_PIXELS = 50_000_000
MOST_SVG = 8_000_000
_AS_THEY_ARE = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}
_AS_PNG = {".bmp": "BMP", ".gif": "GIF", ".webp": "WEBP", ".tif": "TIFF", ".tiff": "TIFF"}


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
        if name.endswith(".svg"):
            _, _, width, height = svg.view_box(svg.parse(data.decode()))
            return width, height
        from PIL import Image

        with Image.open(io.BytesIO(data)) as image:
            return float(image.width), float(image.height)

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
            if suffix == ".svg":
                data = _drawn(data)
            elif suffix in (*_AS_THEY_ARE, *_AS_PNG):
                data, suffix = _picture(data, suffix)
            else:
                return self._without(name, place, "it is no SVG, PNG, JPEG, BMP, GIF, WebP or TIFF")
        except (OSError, svg.BadDrawing) as error:
            return self._without(name, place, f"the drawing cannot be used: {error}")
        if suffix != path.suffix.lower():
            self._imported.changed(place, f'the picture "{name}" is saved as PNG')
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


def _drawn(data: bytes) -> bytes:
    """A drawing that pnp draws. Raises BadDrawing with the reason why it does not."""
    if len(data) > MOST_SVG:
        raise svg.BadDrawing(f"it is larger than {MOST_SVG // 1_000_000} MB")
    try:
        root = svg.parse(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise svg.BadDrawing("it is not UTF-8 text") from None
    for node in root.iter(tag("image"), tag("foreignObject"), tag("text")):
        raise svg.BadDrawing(f"it has a <{local(node)}>. Turn text into outlines, and place pictures in the template")
    svg.view_box(root)
    return data


def _picture(data: bytes, suffix: str) -> tuple[bytes, str]:
    """A picture as PNG or JPEG, and its suffix. Raises BadDrawing."""
    from PIL import Image, UnidentifiedImageError

    known = {**_AS_THEY_ARE, **_AS_PNG}
    try:
        with Image.open(io.BytesIO(data), formats=tuple(dict.fromkeys(known.values()))) as image:
            if image.width * image.height > MOST_PIXELS:
                raise svg.BadDrawing(f"it has {image.width} × {image.height} pixels")
            image.load()
            kind = image.format or ""
            if kind in ("PNG", "JPEG"):
                return data, ".jpg" if kind == "JPEG" else ".png"
            made = io.BytesIO()
            image.convert("RGBA" if image.has_transparency_data else "RGB").save(made, "PNG")
            return made.getvalue(), ".png"
    except UnidentifiedImageError:
        raise svg.BadDrawing("it is no picture that can be read") from None
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise svg.BadDrawing(f"it is no picture that can be read ({error})") from None
