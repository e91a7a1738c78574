"""The pictures in ``art/``: dropped ones are checked, named and stored; each is shown small in its row of the table."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from os.path import lexists
from pathlib import Path, PurePosixPath
from typing import Protocol
from urllib.parse import quote

from pnp.draw.art import Art
from pnp.read.project import Project
from pnp.read.tables import usable
from pnp.studio.messages import Picture, PictureSeen
from pnp.svg.safe import BadDrawing
from pnp.system.manifest import NotOurs, add, refuse_links
from pnp.system.paths import ENDINGS, ArtFolder, content_of, is_device, parts_of
from pnp.values.game import Game
from pnp.values.problems import Fault

# The ending of what can be drawn, by what its first bytes say that it is.
_ENDING = {
    "a PNG picture": ".png",
    "a JPEG picture": ".jpg",
    "a WebP picture": ".webp",
    "a GIF picture": ".gif",
    "a BMP picture": ".bmp",
    "a TIFF picture": ".tif",
    "an AVIF picture": ".avif",
    "an SVG drawing": ".svg",
}


def fitting(game: Game, asked: Picture) -> PictureSeen:
    """The file name for a piece's picture: the one its row names, else the row's id; of a back, that of its template."""
    component = next((each for each in game.components if each.name == asked.component), None)
    row = next((each for each in component.table if each.id == asked.piece), None) if component else None
    if component is None or row is None:
        return PictureSeen("", "", "this piece has no row of its own, to which a picture could belong")
    folder = ArtFolder.of(game.folder)
    named = str(row["art"] or "") if "art" in row else ""
    design = row.design or row.id
    names = [named] if named else [f"{component.name}/{row.id}", row.id, f"{component.name}/{design}", design]
    if asked.side == "back" and component.back:
        names = [component.back]
    found = next(filter(None, map(folder.find, names)), None)
    name = folder.name_of(found) if found else names[0] if asked.side == "back" else named or row.id
    name = str(PurePosixPath(name).with_suffix("")) if name.lower().endswith(ENDINGS) else name
    parts = parts_of(name)
    if parts is None or not all(usable(part) and not is_device(part) for part in parts):
        return PictureSeen("", "", f'its row calls it "{name}", which no file can be called')
    there = found.relative_to(folder.home).as_posix() if found else ""
    if asked.data is None:
        return PictureSeen("", there)
    kind = content_of(asked.data)
    try:
        Art(game).read(asked.data, vector=kind == "an SVG drawing")
    except BadDrawing as error:
        # Whatever its ending says is known to who has chosen it.
        return PictureSeen("", "", error.message.removesuffix(", whatever its ending says"))
    return PictureSeen(f"{'/'.join(parts)}{_ENDING.get(kind, '.png')}", there)


class Step(Protocol):
    """Something that was done to a file, to be undone and done again."""

    @property
    def says(self) -> str:
        """What was done, for the person."""

    def step(self, back: bool) -> None:
        """Does it, or takes it ``back``. Raises Fault, OSError; then nothing has changed."""


@dataclass(slots=True)
class PutPicture:
    """A picture that was put into ``art/``: it can be taken back, and put there again."""

    project: Project
    game: str
    seen: PictureSeen
    data: bytes
    kept: str = ""
    """Where the old picture of its name is now."""

    @property
    def _home(self) -> Path:
        return ArtFolder.of(self.project.folder(self.game)).home

    @property
    def says(self) -> str:
        return f"the picture art/{self.seen.file}"

    def step(self, back: bool) -> None:
        if back:
            self._take_back()
        else:
            self.put()

    def put(self) -> None:
        """Writes the picture into ``art/`` and renames one that is there. Raises Fault, OSError, with no file changed."""
        home, root = self._home, self.project.root
        target, old = home / self.seen.file, home / self.seen.there if self.seen.there else None
        for path in filter(None, (target, old)):
            refuse_links(root, path)
        kept = _beside(old) if old else None
        if old and kept:
            old.rename(kept)
        try:
            add(root, {target.relative_to(root).as_posix(): self.data})
        except OSError as error:
            if old and kept:
                kept.rename(old)
            if isinstance(error, NotOurs):
                raise Fault(f"{self.project.shown(target)} is there already; nothing was touched") from None
            raise
        self.kept = self.project.shown(kept) if kept else ""

    def _take_back(self) -> None:
        target, old, kept = self._home / self.seen.file, self._home / self.seen.there, self.project.root / self.kept
        refuse_links(self.project.root, target)
        if not target.is_file() or target.read_bytes() != self.data:
            raise Fault(f"art/{self.seen.file} is not the picture any more that was put there; nothing was touched")
        if self.kept and (not kept.is_file() or (old != target and lexists(old))):
            raise Fault(f"{self.kept} cannot get its name back; nothing was touched")
        target.unlink()
        if self.kept:
            kept.rename(old)


@dataclass(slots=True)
class PutPictures:
    """The pictures of one drop."""

    put: list[PutPicture] = field(default_factory=list)

    @property
    def says(self) -> str:
        return f"{len(self.put)} picture{'s' * (len(self.put) != 1)} put into art/"

    def step(self, back: bool) -> None:
        done: list[PutPicture] = []
        try:
            for each in self.put[::-1] if back else self.put:
                each.step(back)
                done.append(each)
        except (Fault, OSError):
            for each in done[::-1]:
                each.step(not back)
            raise


@dataclass(slots=True)
class RenamedPicture:
    """Undo step of a picture in ``art/`` that was renamed because its row has another id."""

    project: Project
    old: Path
    new: Path

    @classmethod
    def of(cls, project: Project, game: str, old: str, new: str) -> RenamedPicture | None:
        """The picture of a row whose id was ``old`` and is ``new``; None where there is none, or the new id has one."""
        folder = ArtFolder.of(project.folder(game))
        found = folder.find(old)
        if found is None or folder.find(new) or not usable(new) or is_device(new):
            return None
        return cls(project, found, found.with_name(f"{new}{found.suffix}"))

    @property
    def says(self) -> str:
        return f"the picture art/{self.old.name} is called {self.new.name}"

    def step(self, back: bool) -> None:
        here, there = (self.new, self.old) if back else (self.old, self.new)
        for path in (here, there):
            refuse_links(self.project.root, path)
        if not here.is_file() or lexists(there):
            raise Fault(f"{self.project.shown(here)} cannot be called {there.name}; nothing was touched")
        here.rename(there)


def _beside(old: Path) -> Path:
    """A free name for a file that is replaced."""
    number = 1
    while lexists(made := old.with_name(f"{old.stem}-before-{number}{old.suffix}")):
        number += 1
    return made


# A small picture is so wide or high at most, in pixels; a drawing that has more bytes is not shown small.
SMALLEST, MOST_DRAWN = 96, 1_000_000


def small_address(game: str, folder: ArtFolder, name: str) -> str:
    """The address of a small picture of what a name means in ``art/``; empty where that is nothing."""
    path = folder.find(name) if name else None
    try:
        stamp = path.stat().st_mtime_ns if path else 0
    except OSError:
        stamp = 0
    return f"/art/{quote(game)}/{quote(path.relative_to(folder.home).as_posix())}?at={stamp}" if path and stamp else ""


def small_picture(project: Project, game: str, name: str) -> tuple[bytes, str] | None:
    """A file of ``art/`` as a small picture, and its media type; None for what is no picture there."""
    from PIL import Image

    try:
        folder = ArtFolder.of(project.folder(game))
        path = folder.find(name)
        if path is None or path.relative_to(folder.home).as_posix() != name:
            return None
        if path.suffix.lower() == ".svg":
            raw = path.read_bytes() if path.stat().st_size <= MOST_DRAWN else b""
            return (raw, "image/svg+xml") if raw else None
        with Image.open(path) as picture:
            picture.draft("RGB", (SMALLEST, SMALLEST))
            picture.thumbnail((SMALLEST, SMALLEST))
            made = io.BytesIO()
            picture.convert("RGBA").save(made, "PNG")
            return made.getvalue(), "image/png"
    except (Fault, OSError, ValueError, Image.DecompressionBombError):
        return None
