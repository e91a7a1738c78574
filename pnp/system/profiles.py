"""The profile of the press that a file is made for: one that a person names, or the one that Debian brings with Scribus."""

from __future__ import annotations

import io
from pathlib import Path

from pnp.system.paths import plain_bytes
from pnp.values.press import Condition
from pnp.values.problems import Refused

# Coated paper as most of Europe prints on it (Fogra39), free to pass on; on Debian and Ubuntu it is in scribus-data.
PLACES = tuple(Path(f"/usr/{local}share/scribus/profiles/ISOcoated_v2_300_bas.icc") for local in ("", "local/"))
HOW = (
    "Take one from your print shop and name it with --profile FILE; on Debian and Ubuntu also: apt-get install scribus-data"
)
# What print shops call the conditions whose profiles have other names (registry of the International Color Consortium).
REGISTERED = {
    "iso coated v2": "FOGRA39",
    "coated fogra39": "FOGRA39",
    "pso coated v3": "FOGRA51",
    "pso uncoated v3": "FOGRA52",
    "pso uncoated iso12647": "FOGRA47",
    "gracol2006": "CGATS TR 006",
    "swop2006_coated3": "CGATS TR 003",
    "swop2006_coated5": "CGATS TR 005",
    "u.s. web coated (swop) v2": "CGATS TR 001",
    "japan color 2001 coated": "JC200103",
}
# What a profile is of, by the letters in its head (ICC.1, 7.2.5).
_KINDS = {b"mntr": "a screen", b"scnr": "a scanner or camera", b"spac": "a way of counting colours", b"link": "two devices"}
_HEAD = 128
# The largest that shops hand out have a tenth of it.
MOST_BYTES = 50_000_000


class NoProfile(Refused):
    """There is no profile of a press, or what was named is none."""


def condition_of(path: Path | None, limit: float) -> Condition:
    """The printing condition that a profile describes, with so much ink in percent; without a path, that of Scribus.

    Raises NoProfile.
    """
    found = path or next((place for place in PLACES if place.is_file()), None)
    if found is None:
        raise NoProfile("there is no profile of a press on this computer", f"{HOW}.")
    try:
        profile = plain_bytes(found, MOST_BYTES)
    except OSError as error:
        raise NoProfile(f"{found} cannot be read ({error.strerror})", f"{HOW}.") from None
    kind, space = profile[12:16], profile[16:20].decode("ascii", "replace").strip()
    if len(profile) <= _HEAD or profile[36:40] != b"acsp":
        raise NoProfile(f"{found} is no ICC profile", f"{HOW}.")
    if kind != b"prtr" or space != "CMYK":
        of = _KINDS.get(kind, "a press" if kind == b"prtr" else "something else")
        raise NoProfile(f"{found} is the profile of {of}, in {space}, not of a press with four inks", f"{HOW}.")
    if b"B2A0" not in _tags(profile):
        raise NoProfile(f"{found} only tells how inks look, and not which inks a colour takes", f"{HOW}.")
    return Condition(profile, _named(profile, found.stem), limit)


def _tags(profile: bytes) -> list[bytes]:
    """What is in a profile, by its four letters."""
    count = int.from_bytes(profile[_HEAD : _HEAD + 4], "big")
    index = profile[_HEAD + 4 : _HEAD + 4 + 12 * min(count, 100)]
    return [index[at : at + 4] for at in range(0, len(index), 12)]


def _named(profile: bytes, otherwise: str) -> str:
    """What print shops call the condition: its registered name, or what the profile calls itself."""
    from PIL import ImageCms

    try:
        words = ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(io.BytesIO(profile))).strip()
    except (ImageCms.PyCMSError, OSError):
        words = ""
    known = (name for start, name in REGISTERED.items() if words.lower().startswith(start))
    return next(known, "") or words or otherwise
