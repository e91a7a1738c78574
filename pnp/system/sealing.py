"""The key by which pnp knows again what it wrote: names and records are sealed with it, and nobody else can do that.

The key lies in the person's own settings and never leaves them but for the workers of a build. Records that another
person or machine sealed are not believed: whatever a project from a stranger brings along, none of it makes pnp delete.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import stat
from contextlib import suppress
from functools import cache
from pathlib import Path

FILE = "key"
_BYTES = 32
_NAME = re.compile(r"([0-9a-f]{12})([0-9a-f]{16})")


def config_folder() -> Path:
    """``$PNP_CONFIG``, else the system's place for a program's settings, as click knows it."""
    import click

    return Path(os.environ.get("PNP_CONFIG") or click.get_app_dir("pnp"))


def own_key() -> bytes:
    """This person's key, made when it is first asked for."""
    return _key_in(config_folder())


@cache
def _key_in(folder: Path) -> bytes:
    """The key in a folder; where none can be kept there, one for this process: later ones will not know its files."""
    if kept := kept_key(folder):
        return kept
    made = os.urandom(_BYTES)
    with suppress(OSError):
        # A full disk leaves an empty one.
        if (folder / FILE).lstat().st_size == 0 and stat.S_ISREG((folder / FILE).lstat().st_mode):
            (folder / FILE).unlink()
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        aside = folder / f".{FILE}.{made.hex()[:12]}"
        try:
            aside.touch(0o600)
            aside.write_bytes(made)
            # Of several processes that begin at once the first one's key is everybody's.
            try:
                os.link(aside, folder / FILE, follow_symlinks=False)
            except FileExistsError:
                pass
            except (OSError, NotImplementedError):
                # A file system without second names.
                with (folder / FILE).open("xb") as file:
                    file.write(made)
        finally:
            aside.unlink(missing_ok=True)
    return kept_key(folder) or made


def kept_key(folder: Path) -> bytes | None:
    """The key that is kept in a folder; None where there is none that could be one."""
    with suppress(OSError):
        about = (folder / FILE).stat()
        if stat.S_ISREG(about.st_mode) and about.st_size == _BYTES:
            return (folder / FILE).read_bytes()
    return None


def seal(key: bytes, *parts: bytes) -> str:
    """What only who has the key can write under these parts."""
    state = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        state.update(len(part).to_bytes(8, "big") + part)
    return state.hexdigest()


def sealed_name(key: bytes, prefix: str) -> str:
    """A name for a folder that is there for a while; by it the folder is known as ours later on."""
    drawn = os.urandom(6).hex()
    return f"{prefix}{drawn}{_mark(key, drawn)}"


def is_sealed(key: bytes, prefix: str, name: str) -> bool:
    found = _NAME.fullmatch(name.removeprefix(prefix)) if name.startswith(prefix) else None
    return found is not None and hmac.compare_digest(found[2], _mark(key, found[1]))


def _mark(key: bytes, drawn: str) -> str:
    return seal(key, b"name", drawn.encode())[:16]
