"""Defines an export target and what it works with: options, rendered pieces, names, archives and lists."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pnp.books.page import Look as PageLook
from pnp.dataclass import dataclass
from pnp.draw.markup import plain, read
from pnp.draw.settexts import set_texts
from pnp.exports.choices import Choices
from pnp.exports.kit import Form, Kit, Look
from pnp.flows.build import OUTPUTS, Made, print_file
from pnp.flows.drawn import face_page
from pnp.flows.pipeline import Pipeline
from pnp.flows.publish import screen_look
from pnp.lay.impose import needed
from pnp.system.cache import digest
from pnp.system.paths import digest_of, is_device
from pnp.values.faces import Face, Page
from pnp.values.game import Side
from pnp.values.problems import Problems

if TYPE_CHECKING:
    from pathlib import Path

    from PIL.Image import Image


SLOTS = "tabletop-simulator.csv"
"""The file in a game's folder that says which slot each card has on a sheet; only exports look at it."""
GATHERS = frozenset({"web"})
"""The targets that hand on what was exported for others."""
EXPORT = "export"
"""The folder of exports below a game's output."""


Size = tuple[int, int]
"""Width and height in dots."""


class Rasterizer:
    """Renders drawn pieces. It keeps no pictures: a large game's would fill the memory."""

    def __init__(self, made: Pipeline) -> None:
        self._made = made

    def looks(self, wanted: Sequence[tuple[Look, Size]]) -> list[Image]:
        """Renders looks at these pixel sizes: RGB, or RGBA where the surroundings are transparent."""
        return list(self._one_by_one([((look.key, size), look.page, look.clear) for look, size in wanted]))

    def packed(self, wanted: Sequence[tuple[Look, Size]], way: str, pack: Callable[[Image], bytes]) -> list[bytes]:
        """Renders looks and encodes them by ``pack``, cached under the name ``way``."""
        parts = [[way, look.key, f"{size[0]} {size[1]}"] for look, size in wanted]
        known = {at: data for at, part in enumerate(parts) if (data := self._cached(part)) is not None}
        missing = [at for at in range(len(wanted)) if at not in known]
        looks = [((wanted[at][0].key, wanted[at][1]), wanted[at][0].page, wanted[at][0].clear) for at in missing]
        for at, image in zip(missing, self._one_by_one(looks), strict=True):
            known[at] = self.kept(parts[at], partial(pack, image))
        return [known[at] for at in range(len(wanted))]

    def faces(self, wanted: Sequence[tuple[Face, Side, Size]], bleed: bool) -> Iterator[Image]:
        """Renders faces at these pixel sizes, cut to the trim or with bleed."""
        return self._one_by_one([((face.key, size), face_page(face, side, bleed), False) for face, side, size in wanted])

    def pdf(self, pages: Sequence[Page], what: str) -> bytes:
        """Pages as a PDF with ``what`` as its title."""
        return self._made.pdf(pages, "none", what)

    def imposed(self) -> Iterator[tuple[str, bytes]]:
        """The print sheets of each paper, without the print plan."""
        made = self._made
        for paper, laid in made.laid.items():
            yield paper.name, made.pdf(made.printed[paper], needed(made.options.backs, laid), "all sheets", paper)

    def built(self) -> Iterator[Made]:
        """The files of a build: a print file for each paper, books, uncut boards."""
        yield from (print_file(self._made, paper) for paper in self._made.laid)
        for kind in ("books", "one piece"):
            yield from OUTPUTS[kind].make(self._made)

    def written(self) -> dict[str, str]:
        """The text on each face, by its key."""
        made, found = self._made, dict[str, list[str]]()
        assert made.drawn is not None and made.book is not None
        for text in set_texts(made.drawn.game, made.drawn.decks, made.book.fits):
            found.setdefault(text.face, []).extend(plain(read(text.source).blocks).split())
        return {face: " ".join(words) for face, words in found.items()}

    def look(self) -> PageLook:
        """Colours and fonts of the HTML pages."""
        assert self._made.drawn is not None
        return screen_look(self._made.drawn.game, self._made.cache)

    def kept(self, parts: Sequence[str], make: Callable[[], bytes]) -> bytes:
        """The cached result of ``make`` for these ``parts``."""
        known = self._cached(parts)
        if known is not None:
            return known
        data = make()
        if self._made.cache:
            self._made.cache.put(self._key(parts), data)
        return data

    def _key(self, parts: Sequence[str]) -> str:
        assert self._made.drawn is not None
        return digest("export", self._made.drawn.makers, *parts)

    def _cached(self, parts: Sequence[str]) -> bytes | None:
        return self._made.cache.get(self._key(parts)) if self._made.cache else None

    def _one_by_one(self, wanted: Sequence[tuple[tuple[str, Size], Page, bool]]) -> Iterator[Image]:
        """Renders pages by key and size, each once, and drops it after its last use."""
        from pnp.write.png import in_size

        unique = {key: (page, clear) for key, page, clear in wanted}
        if not unique:
            return
        pdf = self.pdf([page for page, _ in unique.values()], "pictures")
        images = zip(unique, in_size(pdf, [(size, clear) for (_, size), (_, clear) in unique.items()]), strict=True)
        left = Counter(key for key, _, _ in wanted)
        held: dict[tuple[str, Size], Image] = {}
        for key, _, _ in wanted:
            if key not in held:
                held |= [next(images)]
            left[key] -= 1
            yield held[key] if left[key] else held.pop(key)


@dataclass(frozen=True, slots=True)
class Job:
    """One export of a game."""

    kit: Kit
    rasterizer: Rasterizer
    choices: Choices
    problems: Problems
    folder: Path
    """Where the files will lie: some targets name their pictures with it."""
    beside: Mapping[str, Choices] = field(default_factory=dict)
    """What was exported for other targets, as it was chosen: for those that hand it on."""
    kept: dict[str, bytes] = field(default_factory=dict)
    """Files of the game's own folder that the next export asks for."""

    def books(self) -> Iterator[Made]:
        """The game's books as PDFs."""
        for reading in self.kit.readings:
            place = self.kit.game.place_of("game")
            yield Made(f"{cleaned(reading.name)}.pdf", reading.pdf, f'the book "{reading.name}"', place)


@dataclass(frozen=True, slots=True)
class Target:
    """An export target."""

    says: str
    """What comes of it, in words for a person."""
    how: str
    """How a person opens it, for the README of the export."""
    forms: frozenset[Form]
    """What it takes; for other pieces it is told what to do."""
    make: Callable[[Job], Iterator[Made]]
    """The files, named below the export's folder. Problems are put into the job's."""
    options: frozenset[str] = frozenset()
    """The names of the :class:`Choices` that it asks."""
    instead: Mapping[Form, str] = field(default_factory=dict)
    """What to do with pieces of other forms, as a sentence."""
    rooms: Callable[[Pipeline], Iterator[tuple[str, Any]]] | None = None
    """How all lies on it for each number of players, by name: for who shows a table of his own. Raises Fault."""
    owned: Sequence[str] | None = None
    """Below these names ("": in the export's folder itself; None: anywhere) files of older exports go; others stay."""


# Longer names, below a folder of somebody's, are cut by some systems.
MOST_NAME = 60


class Names:
    """Gives names that differ even if case is ignored."""

    def __init__(self, plain: bool = False) -> None:
        self._plain = plain
        """Small letters, digits and hyphens alone: for files that other files name."""
        self._given: set[str] = set()

    def of(self, text: str) -> str:
        """A name like the text, numbered if it was given before."""
        name, number = cleaned(text, self._plain), 1
        made = name
        while made.casefold() in self._given:
            number += 1
            made = f"{name[: MOST_NAME - 6]}-{number}"
        self._given.add(made.casefold())
        return made


def cleaned(text: str, plain: bool = False) -> str:
    """The text as a file name that is valid on every system."""
    if plain:
        ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
        name = re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")[:MOST_NAME].strip("-")
    else:
        spaced = " ".join(unicodedata.normalize("NFC", text).split())
        name = re.sub(r"[^\w '(),&!+-]+", "-", spaced)[:MOST_NAME].strip(" -")
    return f"{name}-1" if is_device(name) else name or "unnamed"


def guid_of(*parts: str) -> str:
    """32 hexadecimal digits, the same for the same parts in every version."""
    return digest_of("\n".join(parts).encode())[:32].upper()


# The first date that a zip can say: the clock must not be in a file.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def json_bytes(value: object) -> bytes:
    """The value as JSON."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def csv_bytes(rows: Iterable[Sequence[object]]) -> bytes:
    """The rows as CSV."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode()


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip of files by name, uncompressed: pictures are compressed already."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, LONG_AGO)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED if name.endswith((".json", ".txt")) else zipfile.ZIP_STORED
            archive.writestr(info, files[name])
    return target.getvalue()


NAME = "list.csv"
COLUMNS = ("game", "component", "id", "copies", "side", "product", "file", "width", "height")


@dataclass(frozen=True, slots=True)
class Line:
    """A row of ``list.csv``: one picture."""

    component: str
    id: str
    """"" for the back that all pieces of the component have."""
    copies: int
    side: str
    file: str
    size: tuple[float, float]
    """In dots; of pages in mm, without bleed."""
    product: str = ""


def listing(job: Job, lines: Sequence[Line]) -> Made:
    """Makes ``list.csv`` with a row for each picture."""
    game = job.kit.game
    rows = [
        (
            game.name,
            line.component,
            line.id,
            line.copies,
            line.side,
            line.product,
            line.file,
            *(f"{side:g}" for side in line.size),
        )
        for line in lines
    ]
    return Made(NAME, csv_bytes([COLUMNS, *rows]), "the list", game.place_of("game"))
