"""What libxml says of a text that is no XML, in the words of somebody who draws, and what to look for in the source."""

from __future__ import annotations

import re
from dataclasses import dataclass

_BARE_AND = re.compile(r"&(?!(?:\w+|#\d+|#x[0-9a-fA-F]+);)")
_CURLY = re.compile(r"=\s*([“”„‘’])")


@dataclass(frozen=True, slots=True)
class XmlFault:
    """A sentence, the line it is about and what stands there, the part that is wrong, and what to write."""

    message: str
    line: int
    source: str
    value: str = ""
    hint: str = ""


def xml_fault(reason: str, line: int, text: str) -> XmlFault | None:
    """A fault that people make by hand; None for any other."""
    lines = ["", *text.split("\n")]
    here = lines[min(line, len(lines) - 1)].strip()
    if "EntityRef" in reason and (found := _BARE_AND.search(here)):
        around = here[max(0, found.start() - 12) : found.end() + 12].strip()
        return XmlFault(
            'a "&" stands by itself', line, here, around, "Write &amp; in the drawing, or {{ row.… }} for a cell's text."
        )
    if found := re.search(r"Opening and ending tag mismatch: (\S+) line (\d+) and (\S+)", reason):
        message, begun = f"<{found[1]}> is not closed before </{found[3]}>", min(int(found[2]), len(lines) - 1)
        return XmlFault(message, begun, lines[begun].strip(), f"<{found[1]}>", f"Write </{found[1]}> at its end.")
    if found := re.search(r"Premature end of data in tag (\S+) line (\d+)", reason):
        message, begun = f"<{found[1]}> is not closed", min(int(found[2]), len(lines) - 1)
        return XmlFault(message, begun, lines[begun].strip(), f"<{found[1]}>", f"Write </{found[1]}> at its end.")
    if found := _CURLY.search(here):
        return XmlFault(f"there is a curly quotation mark, {found[1]}", line, here, found[1], "Type straight ones.")
    if "AttValue" in reason:
        return XmlFault("a value has no quotation marks", line, here, here[:60], 'Write name="value".')
    if "StartTag: invalid element name" in reason:
        return XmlFault('a "<" stands by itself', line, here, "<", "Write &lt; for the sign.")
    if "Extra content at the end" in reason:
        hint = 'A template begins with {% extends "shared/face.svg.j2" %}, a drawing with one <svg>.'
        return XmlFault("it goes on after its first element has ended", line, here, here[:60], hint)
    if "Document is empty" in reason or "Start tag expected" in reason:
        begins = text.strip()[:30]
        return XmlFault(f"it begins with {begins!r}, and not with <svg" if begins else "it is empty", 1, "", begins)
    return None
