"""What a person called the texts of a drawing, in the words of the program that they drew it in."""

from __future__ import annotations

import re

from pnp.svg.parts import LABEL
from pnp.svg.tree import Element, local

# Affinity's, Illustrator's, then the id, under which all of them write it that have no name of their own for it.
_NAMES = (LABEL, "{http://www.serif.com/}id", "data-name", "id")
# What programs call things that nobody has named.
_AUTOMATIC = re.compile(
    r"(?:text|tspan|flowroot|flowpara|g|group|layer|frame|use|path|rect|svg|xmlid|svgid|artboard|ebene|calque|capa)"
    r"[\d_ -]*|_*\d[\d_-]*",
    re.IGNORECASE,
)
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{2,4})_")
# A place for a word: {cost}, {{cost}}, ${cost}, %VAR_cost%, %cost%.
PLACE = re.compile(r"\{\{\s*([A-Za-z]\w{0,40})\s*\}\}|\$?\{\s*([A-Za-z]\w{0,40})\s*\}|%(?:VAR_)?([A-Za-z]\w{0,40})%")
_LONGEST = 32


def column(name: str) -> str:
    """A name as that of a column: small letters, digits, low lines; empty for what is none."""
    made = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")
    return made if re.fullmatch(r"[a-z]\w*", made) and len(made) <= _LONGEST else ""


def called(text: Element, words: str) -> str:
    """The column that a text shows by its own name, or by that of the layer that it has for itself; empty for none."""
    return _given(text, words) or next(
        (
            found
            for group in text.iterancestors()
            if local(group) == "g" and sum(1 for node in group.iter() if local(node) in ("text", "flowRoot")) == 1
            if (found := _given(group, words))
        ),
        "",
    )


def _given(element: Element, words: str) -> str:
    for key in _NAMES:
        name = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), element.get(key, "")).strip().lstrip("#")
        # Figma calls a text by what it says.
        said = " " in name.replace("_", " ") and name.casefold() == words.casefold()
        if name and not said and not _AUTOMATIC.fullmatch(name) and (found := column(name)):
            return found
    return ""
