"""The pictures of a saved object of Tabletop Simulator: sheets of cards, and pieces alone; and where each will be."""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from pnp.flows.exports import tts_objects as tts
from pnp.flows.exports.slots import Slots
from pnp.flows.exports.target import Job
from pnp.flows.exports.tts_objects import Names, Object
from pnp.values.kinds import KINDS
from pnp.values.kit import Form, Look, Part, Thing

if TYPE_CHECKING:
    from PIL.Image import Image

# No side of a picture is longer (Tabletop Simulator's knowledge base, Asset Creation), and no face needs to be finer.
MOST, FINE = 4096, 300
# The most columns of a sheet of cards, and the fewest columns and rows.
COLUMNS, LEAST = 10, 2
MARK = "pnp"
# What is shown by pictures of its own.
ALONE: frozenset[Form] = frozenset({"tile", "board", "token", "figure", "screen"})


@dataclass(slots=True)
class Table:
    """The game while it is put on the table."""

    job: Job
    slots: Slots
    names: Names = field(default_factory=Names)
    files: dict[str, bytes] = field(default_factory=dict)
    sheets: dict[str, Object] = field(default_factory=dict)
    """By the number that the cards of a sheet begin with."""
    first: dict[str, int] = field(default_factory=dict)
    """Of the first sheet of a part."""
    urls: dict[str, str] = field(default_factory=dict)
    """By the key of a look: where its picture is."""
    pictures: dict[str, bytes] = field(default_factory=dict)
    """The pictures of all looks that are shown alone."""

    def url(self, stem: str, data: bytes) -> str:
        """Where a picture will be. Its name says what is in it, so that no table keeps showing an older one."""
        kind = "jpg" if data.startswith(b"\xff\xd8") else "pdf" if data.startswith(b"%PDF") else "png"
        name = f"{stem}-{hashlib.sha256(data).hexdigest()[:10]}.{kind}"
        self.files[f"images/{name}"] = data
        return f"{self.job.choices.url}/{name}" if self.job.choices.url else (self.job.folder / "images" / name).as_uri()

    def picture(self, stem: str, look: Look) -> str:
        """The picture of one look."""
        if look.key not in self.urls:
            self.urls[look.key] = self.url(stem, self.pictures[look.key])
        return self.urls[look.key]

    def marked(self, part: Part, thing: Thing) -> str:
        return f"{MARK}:{self.job.kit.game.name}:{part.name}/{thing.id}"


def pictures_of(job: Job) -> dict[str, bytes]:
    """What is shown by a picture of its own: pieces that are no cards, backs that all cards of a part have, layouts."""
    looks: dict[str, Look] = {}
    for part in job.kit.parts:
        found: list[Look | None] = []
        if part.form == "card":
            found = [part.back]
        elif part.form in ALONE:
            found = [look for thing in part.things for look in (thing.front, thing.back)]
        looks |= {look.key: look for look in found if look}
    looks |= {laying.look.key: laying.look for laying in job.kit.layings}
    wanted = [(look, _dots(look.width, look.height)) for look in looks.values()]
    return dict(zip(looks, job.darkroom.packed(wanted, "tts", _packed), strict=True))


def _dots(width: float, height: float) -> tuple[int, int]:
    """Of a picture of so many mm: as fine as may be."""
    dpmm = min(FINE / 25.4, MOST / max(width, height))
    return max(1, round(width * dpmm)), max(1, round(height * dpmm))


def _packed(image: Image) -> bytes:
    """Small where it may be: what lets nothing through as JPEG."""
    target = io.BytesIO()
    if image.mode == "RGBA":
        image.save(target, "PNG", compress_level=6)
    else:
        image.save(target, "JPEG", quality=92, subsampling=0)
    return target.getvalue()


def add_sheets(table: Table, part: Part) -> None:
    """The faces of a part on as few sheets as take all slots, backs that differ on sheets like them."""
    by_sheet: dict[int, dict[int, Thing]] = {}
    for thing in part.things:
        number, slot = table.slots[part.name, thing.id]
        by_sheet.setdefault(number, {})[slot] = thing
    table.first[part.name] = len(table.sheets)
    for number in range(1, max(by_sheet) + 1):
        key = str(len(table.sheets) + 1)
        there = by_sheet.get(number, {})
        if not there:
            continue
        most = max(there) + 1
        columns = min(COLUMNS, max(LEAST, math.ceil(math.sqrt(most))))
        rows = max(LEAST, -(-most // columns))
        fronts = table.url(f"{part.name}-{number}", _sheet(table, there, columns, rows, "front"))
        one = part.back is not None or not any(thing.back for thing in part.things)
        if one:
            backs = table.picture(f"{part.name}-back", part.back) if part.back else table.url("no-back", _blank())
        else:
            backs = table.url(f"{part.name}-{number}-backs", _sheet(table, there, columns, rows, "back"))
        round_corners = KINDS[part.component.kind].rounded
        table.sheets[key] = tts.sheet(fronts, backs, columns, rows, not one, round_corners)


def _sheet(table: Table, there: Mapping[int, Thing], columns: int, rows: int, side: str) -> bytes:
    """One picture with the faces or backs in their slots; slots that nobody has are white."""
    some = next(iter(there.values())).front
    wide = min(MOST // columns, int(MOST // rows * some.width / some.height), round(some.width * FINE / 25.4))
    size = max(1, wide), max(1, round(wide * some.height / some.width))
    size = size[0], min(size[1], MOST // rows)
    looks = {slot: thing.front if side == "front" else thing.back for slot, thing in sorted(there.items())}
    parts = ["tts sheet", repr((size, columns, rows, [(slot, look.key) for slot, look in looks.items() if look]))]
    shown = {slot: look for slot, look in looks.items() if look}
    return table.job.darkroom.kept(parts, partial(_drawn, table, shown, size, columns, rows))


def _drawn(table: Table, looks: Mapping[int, Look], size: tuple[int, int], columns: int, rows: int) -> bytes:
    from PIL import Image

    sheet = Image.new("RGB", (columns * size[0], rows * size[1]), "white")
    for slot, picture in zip(looks, table.job.darkroom.looks([(look, size) for look in looks.values()]), strict=True):
        at = slot % columns * size[0], slot // columns * size[1]
        sheet.paste(picture, at, picture if picture.mode == "RGBA" else None)
    return _packed(sheet)


def _blank() -> bytes:
    from PIL import Image

    return _packed(Image.new("RGB", (64, 64), "white"))
