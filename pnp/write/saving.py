"""An open PDF → its bytes, the same for the same PDF."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pikepdf


def saved(pdf: pikepdf.Pdf) -> bytes:
    """Packed, and without a clock or a name in it."""
    import pikepdf

    # A file would be written sooner; but where there is no room for it, qpdf ends the whole process.
    target = io.BytesIO()
    pdf.save(
        target,
        min_version="1.7",
        deterministic_id=True,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
        compress_streams=True,
    )
    return target.getvalue()
