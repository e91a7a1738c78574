"""Explains syntax errors of templates and books in the words of the person who types them."""

from __future__ import annotations

import re
from collections.abc import Collection

from pnp.dataclass import dataclass
from pnp.values.problems import closest

CURLY = "“”„‟‘’‚‛"
_WRITE = "A value is written {{ … }}, a command {% … %}."
_TAG = re.compile(r"\{%[-+]?[ \t]*(\w+)")
# What is opened and has to be closed.
_CLOSED = ("if", "for", "block", "macro", "call", "filter", "raw", "autoescape", "with")


@dataclass(frozen=True, slots=True)
class Explained:
    """A fault as a sentence, with line, value, allowed values, and hint."""

    message: str
    line: int | None
    value: str = ""
    allowed: str = ""
    hint: str = ""


def of_grammar(message: str, line: int | None, source: str, filters: Collection[str]) -> Explained:
    """Explains a syntax error."""
    if found := re.search("unexpected char '(.)'", message):
        if found[1] in CURLY:
            hint = "Type straight ones, in a text editor: a word processor bends them."
            return Explained(f"there is a curly quotation mark, {found[1]}", line, found[1], hint=hint)
        return Explained(f"{found[1]} has no meaning between these braces", line, found[1])
    if found := re.search("No (filter|test) named '([^']*)'", message):
        what, name = found[1], found[2]
        return Explained(f'there is no {what} "{name}"', line, name, hint=closest(name, filters) if what == "filter" else "")
    if "currently looking for" in message or "Unexpected end of template" in message:
        return _unclosed(message, line, source)
    if found := re.search("Encountered unknown tag '([^']*)'", message):
        hint = closest(found[1], (*_CLOSED, *(f"end{name}" for name in _CLOSED), "else", "elif", "set", "include", "import"))
        return Explained(f"{{% {found[1]} %}} stands where nothing of the kind is open", line, found[1], hint=hint)
    if found := re.fullmatch(r"unexpected '([})\]])', expected '([})\]])'", message):
        opened = {")": "(", "]": "[", "}": "{"}[found[2]]
        return Explained(f"{opened} is not closed: {found[2]} is missing before {found[1]}", line, found[1])
    if found := re.fullmatch(r"unexpected '([})\]])'", message):
        return Explained(f"there is a {found[1]} too many here, or its opening one is missing", line, found[1], hint=_WRITE)
    if "Missing end of comment tag" in message:
        return Explained("a note that begins with {# has no #} at its end", line, "{#")
    if found := re.search("expected token '([^']*)', got '([^']*)'", message):
        return _unexpected(found[1], found[2], line)
    return Explained(f"{message[:1].lower()}{message[1:].rstrip('.')}", line)


def _unclosed(message: str, line: int | None, source: str) -> Explained:
    """The innermost open bracket or block, and where it was opened."""
    before = len(source) if line is None or "Unexpected end" in message else source_offset(source, line)
    opened: list[tuple[str, int]] = []
    for tag in _TAG.finditer(source):
        name = tag[1]
        if tag.start() >= before:
            break
        if name in _CLOSED:
            opened.append((name, source.count("\n", 0, tag.start()) + 1))
        elif name.startswith("end") and opened:
            opened.pop()
    if not opened:
        return Explained(message, line)
    name, begun = opened[-1]
    found = re.search("Encountered unknown tag '([^']*)'", message)
    where = f" before {{% {found[1]} %}} in line {line}" if found else ""
    return Explained(f"{{% {name} %}} is not closed: {{% end{name} %}} is missing{where}", begun, name)


def source_offset(source: str, line: int) -> int:
    """The offset at which a line begins."""
    return sum(len(each) + 1 for each in source.split("\n")[: line - 1])


def _unexpected(wanted: str, got: str, line: int | None) -> Explained:
    if wanted == "end of statement block" and got == "=":
        return Explained("a single = compares nothing", line, "=", hint="Write == to compare.")
    if wanted in ("end of print statement", "end of statement block"):
        end = "}}" if "print" in wanted else "%}"
        return Explained(f"what stands between the braces goes on with {got}, where {end} was due", line, got)
    got = {"integer": "a number", "float": "a number", "string": "a text"}.get(got, got)
    if wanted in (",", ")"):
        return Explained(f"a comma, or a closing bracket, is missing before {got}", line, got)
    return Explained(f"there is {got} where {wanted} was due", line, got)
