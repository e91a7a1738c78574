"""Names that Windows keeps for devices, in every folder and whatever follows a dot: nothing made here is called so."""

from __future__ import annotations

import re

_DEVICE = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])", re.IGNORECASE)


def is_device(name: str) -> bool:
    """Whether Windows takes a file or folder of this name for a device."""
    return _DEVICE.fullmatch(name.partition(".")[0].rstrip(" ")) is not None
