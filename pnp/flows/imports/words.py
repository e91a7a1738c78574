"""Texts and colours of other tools as pnp writes them: Markdown that means what stood there, colours as #rrggbb."""

from __future__ import annotations

import re
from html import unescape

from pnp.sandbox.markup import literally
from pnp.shapes.colour import in_css

_STYLES = {"b": "**", "strong": "**", "i": "*", "em": "*"}
_BREAKS = {"br", "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "hr"}
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)\b([^<>]*)>")


def from_html(text: str) -> tuple[str, list[str]]:
    """Markdown of a text with HTML in it, and the tags that it cannot have."""
    parts: list[str] = []
    lost: dict[str, None] = {}
    at = 0
    for found in _TAG.finditer(text):
        parts.append(literally(unescape(text[at : found.start()])))
        at = found.end()
        name, closing = found[2].lower(), bool(found[1])
        if name in _STYLES:
            _styled(parts, _STYLES[name], closing)
        elif name in _BREAKS:
            if name == "li" and not closing:
                parts.append("\n- ")
            elif name == "br" or closing or name == "p":
                parts.append("\n")
        elif not closing:
            lost[f"<{found[2]}>"] = None
    parts.append(literally(unescape(text[at:])))
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip(), list(lost)


def _styled(parts: list[str], mark: str, closing: bool) -> None:
    """A mark for bold or italic: Markdown wants it close to the word that it begins or ends with."""
    if closing and parts:
        words = parts.pop()
        parts.append(words.rstrip() + mark + words[len(words.rstrip()) :])
    else:
        parts.append(mark)


def colour(written: str) -> tuple[str, float] | None:
    """A colour as #rrggbb and how opaque it is, from what tools and CSS write; None for what is none."""
    text = written.strip().lower().replace("_", "")
    if text in ("", "none", "empty", "transparent"):
        return "none", 1
    if found := re.fullmatch(r"0x([0-9a-f]{6})([0-9a-f]{2})?", text):
        text = "#" + found[1] + (found[2] or "")
    if found := re.fullmatch(r"#([0-9a-f]{12})([0-9a-f]{4})?", text):
        digits = found[1] + (found[2] or "")
        text = "#" + "".join(digits[at : at + 2] for at in range(0, len(digits), 4))
    parts = in_css(text)
    if parts is None:
        return None
    red, green, blue, alpha = parts
    opacity = round(alpha / 255, 3)
    return ("none", 1) if opacity == 0 else (f"#{red:02x}{green:02x}{blue:02x}", opacity)
