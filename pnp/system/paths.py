"""Resolves where files really lie, reads them with bounds, lists ``art/``, finds the person's settings folder."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import struct
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from pnp.values.walk import grouped

_MOST_DIGESTED = 4_000_000_000


def within(folder: Path, path: Path) -> bool:
    """Whether a path is a folder or lies in it, links resolved. Raises OSError, RuntimeError."""
    return path.resolve().is_relative_to(folder.resolve())


def file_within(folder: Path, path: Path) -> bool:
    """Whether a plain file lies in a folder, links resolved."""
    try:
        return path.is_file() and within(folder, path)
    except (OSError, RuntimeError):
        return False  # a name longer than files have, a link to itself


def plain_bytes(path: Path, most: int) -> bytes:
    """The content of a file that a person names, at most ``most`` bytes.

    A device, such as /dev/zero, and a pipe have no end. Raises OSError for these and for what is larger.
    """
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a file", str(path))
    if status.st_size > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // 1_000_000} MB", str(path))
    with path.open("rb") as file:
        return file.read(min(most, status.st_size + 1))  # Python makes room for so much before it reads


def is_link(path: Path) -> bool:
    """Whether a path is a symbolic link or a Windows junction."""
    return path.is_symlink() or (hasattr(path, "is_junction") and path.is_junction())


Content = bytes | Sequence[bytes]
"""What is in a file, whole or in parts: joined, a PDF of photographs would be held once more."""


def chunks(content: Content) -> Sequence[bytes]:
    return (content,) if isinstance(content, bytes) else content


def digest_of(content: Content) -> str:
    found = hashlib.sha256()
    for part in chunks(content):
        found.update(part)
    return found.hexdigest()


def digest_on_disk(path: Path) -> str | None:
    """The digest of a plain file; None for anything else, for a link, and for a larger file than pnp writes."""
    try:
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > _MOST_DIGESTED:
            return None
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def config_folder() -> Path:
    """``$PNP_CONFIG``, else the system's settings folder, by click."""
    import click

    return Path(os.environ.get("PNP_CONFIG") or click.get_app_dir("pnp"))


def launched(path: Path, locate: bool = False) -> bool:
    """Has a program of this machine open a file, or show the folder in which it lies; whether there is one."""
    import click

    return click.launch(str(path), locate=locate) == 0


_DEVICE = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])", re.IGNORECASE)


def is_device(name: str) -> bool:
    """Whether Windows reserves a name for a device."""
    return _DEVICE.fullmatch(name.partition(".")[0].rstrip(" ")) is not None


ENDINGS = (".svg", ".svgz", ".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif")
"""Of what is drawn, in the order in which a name without an ending is looked for."""
BITMAPS = ENDINGS[2:]

# AVIF that is cut off ends in a RuntimeError, TIFF with a fraction for its width in a TypeError.
BROKEN = (OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, RuntimeError, struct.error)
"""What Pillow raises over a broken bitmap, beside its own DecompressionBombError."""

FOREIGN = {
    ".heic": "a HEIC photo",
    ".heif": "a HEIC photo",
    ".jxl": "a JPEG XL picture",
    ".jp2": "a JPEG 2000 picture",
    ".ico": "an icon of Windows",
    ".psd": "a Photoshop document",
    ".psb": "a Photoshop document",
    ".ai": "an Illustrator document",
    ".eps": "an EPS drawing",
    ".pdf": "a PDF",
    ".xcf": "a GIMP document",
    ".kra": "a Krita document",
    ".clip": "a Clip Studio document",
    ".procreate": "a Procreate document",
    ".afdesign": "an Affinity document",
    ".afphoto": "an Affinity document",
    ".cdr": "a CorelDRAW document",
    ".odg": "a LibreOffice drawing",
    ".emf": "a Windows metafile",
    ".wmf": "a Windows metafile",
    ".dng": "a camera's raw picture",
    ".cr2": "a camera's raw picture",
    ".nef": "a camera's raw picture",
    ".arw": "a camera's raw picture",
}
"""What people keep in art/ that is not drawn, by its ending."""

EMPTY = "empty"

# How such files begin, whatever they are called.
_BEGINNINGS = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"BM", "a BMP picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"8BPS", FOREIGN[".psd"]),
    (b"%PDF", FOREIGN[".pdf"]),
    (b"%!PS", FOREIGN[".eps"]),
    (b"gimp xcf", FOREIGN[".xcf"]),
    (b"\x1f\x8b", "a packed file"),
    (b"\0\0\x01\0", FOREIGN[".ico"]),
    (b"\xff\x0a", FOREIGN[".jxl"]),
    (b"\0\0\0\x0cJXL ", FOREIGN[".jxl"]),
)
_INSIDE = (
    (b"application/x-krita", FOREIGN[".kra"]),
    (b"<svg", "an SVG drawing"),
    (b"<!doctype html", "a web page"),
    (b"<html", "a web page"),
)


def content_of(data: bytes) -> str:
    """The format of a file by its first bytes: ``a PNG picture``; empty when unknown."""
    if not data:
        return EMPTY
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "a WebP picture"
    if data[4:8] == b"ftyp":
        return "an AVIF picture" if data[8:12] in (b"avif", b"avis") else FOREIGN[".heic"]
    begins = data[:1000].lower()
    return next(
        (what for start, what in _BEGINNINGS if data.startswith(start)),
        next((what for word, what in _INSIDE if word in begins), ""),
    )


def folded(name: str) -> str:
    """A name for comparison, without regard to case and the encoding of accents."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def parts_of(name: str) -> list[str] | None:
    """The folders and file of a typed name; None for an absolute path, one that leads upwards, or none."""
    parts = name.replace("\\", "/").split("/")
    if not parts[0] or not parts[-1] or ".." in parts:
        return None
    return [part for part in parts if part not in ("", ".")] or None


def entry(folder: Path, name: str) -> Path:
    """A folder in a folder, whatever the case of its name; the name itself where there is none."""
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208
    except OSError:
        return folder / name
    return folder / min((each for each in names if folded(each) == name), key=lambda each: each != name, default=name)


@dataclass(slots=True)
class ArtFolder:
    """A folder with drawings; lists each of its folders once."""

    home: Path
    _listed: dict[Path, dict[str, list[str]]] = field(default_factory=dict)
    """The entries of a folder by their folded names."""
    _known: dict[Path, frozenset[str]] = field(default_factory=dict)
    """The folded names of a folder without their endings."""

    @classmethod
    def of(cls, game: Path) -> ArtFolder:
        return cls(entry(game, "art"))

    def find(self, name: str, endings: tuple[str, ...] = ENDINGS) -> Path | None:
        """The file that a name means, with or without extension; an exact match before others."""
        parts = parts_of(name)
        if parts is None:
            return None
        *folders, last = parts
        homes = [self.home]
        for part in folders:
            homes = [folder / entry for folder in homes for entry in self._entries(folder, part)]
        whole = last.lower().endswith(endings)
        # Most rows have no drawing of their own: that is seen without a look for each ending.
        if not whole:
            homes = [folder for folder in homes if folded(last) in self._stems(folder)]
        for ending in ("",) if whole else endings:
            for folder in homes:
                for entry in self._entries(folder, last + ending):
                    if file_within(self.home, folder / entry):
                        return folder / entry
        return None

    def foreign(self, name: str) -> Path | None:
        """A file of that name whose format cannot be drawn."""
        return self.find(name, tuple(FOREIGN))

    def files(self, endings: tuple[str, ...] | None = ENDINGS) -> Iterator[Path]:
        """Its files with these extensions, or all, also in folders, by name; without hidden ones."""
        for path in sorted(self.home.rglob("*")):
            hidden = any(part.startswith(".") for part in path.relative_to(self.home).parts)
            if not hidden and (endings is None or path.suffix.lower() in endings) and file_within(self.home, path):
                yield path

    def name_of(self, path: Path) -> str:
        """A file's name in templates: its path below here, without extension."""
        return PurePosixPath(path.relative_to(self.home).as_posix()).with_suffix("").as_posix()

    def _entries(self, folder: Path, name: str) -> list[str]:
        """The entries of a folder with that name, exact matches first."""
        return sorted(self._list(folder).get(folded(name), ()), key=lambda entry: entry != name)

    def _stems(self, folder: Path) -> frozenset[str]:
        if folder not in self._known:
            self._known[folder] = frozenset(name.rpartition(".")[0] for name in self._list(folder))
        return self._known[folder]

    def _list(self, folder: Path) -> Mapping[str, list[str]]:
        if folder not in self._listed:
            names: list[str] = []
            with suppress(OSError, RuntimeError):  # no folder, or one that nobody may look into
                names = sorted(os.listdir(folder)) if within(self.home, folder) else []  # noqa: PTH208
            self._listed[folder] = grouped((folded(name), name) for name in names)
        return self._listed[folder]


Snapshot = Mapping[str, tuple[int, int]]
"""Time of writing and size of every file, by its path."""


def scan(folders: Iterable[Path]) -> Snapshot:
    """The files below some folders, without temporary files of editors and spreadsheets."""
    found: dict[str, tuple[int, int]] = {}
    pending = [str(folder) for folder in folders]
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    if entry.name.startswith((".", "~")) or entry.name.endswith(("~", ".tmp")):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                        continue
                    found[entry.path] = (0, 0)
                    with suppress(OSError):
                        found[entry.path] = (entry.stat().st_mtime_ns, entry.stat().st_size)
        except OSError:
            continue  # gone between two looks, or not there yet
    return found
