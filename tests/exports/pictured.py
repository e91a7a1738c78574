"""Pictures for tests, read whole, so that no file stays open."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image


def picture(path: Path) -> Image.Image:
    """A picture as it lies on the disk."""
    return Image.open(io.BytesIO(path.read_bytes()))
