"""What templates call the columns of a table, and the names by which a row is known to name columns."""

from __future__ import annotations

import re
import unicodedata

# With one of these a row names columns: it is no card that has a title above it, and no remark.
_USUAL = {"id", "name", "title", "text", "copies", "count", "qty", "quantity", "type", "cost", "art", "description"}


def column_name(title: str) -> str:
    """A person writes "Home town", a template home_town."""
    return "_".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", title).lower()))


def usual(texts: list[str]) -> bool:
    """Whether one of the texts is a name that columns mostly have."""
    return not _USUAL.isdisjoint(map(column_name, texts))
