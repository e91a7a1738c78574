"""Zip files: written the same each time, read only where they are small enough to be ours."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping

# The first date that a zip can say: the clock must not be in a file.
LONG_AGO = (1980, 1, 1, 0, 0, 0)
# What a reader of a table file takes of one of its members, unpacked.
MOST = 20 * 1024 * 1024


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip with the files by name; pictures are small already and stay as they are."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, LONG_AGO)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED if name.endswith(".json") else zipfile.ZIP_STORED
            archive.writestr(info, files[name])
    return target.getvalue()


def json_in(data: bytes) -> dict[str, object]:
    """The JSON files at the top of a zip, by name; nothing of one that is no zip, is broken or would be huge."""
    found: dict[str, object] = {}
    room = MOST
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                if not info.filename.endswith(".json") or "/" in info.filename:
                    continue
                if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    return {}
                with archive.open(info) as member:
                    # The size that the zip states may be a lie: only so much is ever unpacked.
                    text = member.read(room + 1)
                room -= len(text)
                if room < 0 or info.filename in found:
                    return {}
                found[info.filename] = json.loads(text)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, RecursionError):
        return {}
    return found
