"""What is wrong with a line that is not TOML, in the words of somebody who typed it: quotation marks, signs, brackets."""

from __future__ import annotations

import re
from dataclasses import dataclass

CURLY = "“”„‟‘’‚‛«»"
# Spaces that come in by copying and look like spaces.
_ODD_SPACE = re.compile("[\u00a0\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]")
_DASH = re.compile(r"[–—−]\s*\d")
_BARE = re.compile(r"\s*([\w-]+)\s*=\s*([^\s\"'\[{#][^#]*?)\s*(?:#.*)?")
_TEXT = re.compile(r"""\s*([\w-]+)\s*=\s*"(.*)"\s*(?:#.*)?""")
_KEY = re.compile(r"\s*([\w-]+)\s*(?::\s*|\s)(\S.*)")
_SPACED = re.compile(r"\s*([\w-]+(?:\s+[\w-]+)+)\s*=(.*)")
_SECTION = re.compile(r"\s*\[+([^\]\[]*)\]*\s*")
LONGEST = 300
"""Letters of a line that are looked at."""
TWICE = "A section or key stands once in a file: put together what belongs together."


@dataclass(frozen=True, slots=True)
class BadLine:
    """What is wrong, the part of the line that is, and what to write."""

    message: str
    value: str = ""
    hint: str = 'Texts stand in quotation marks: name = "Pirates".'


def bad_line(reason: str, line: str) -> BadLine:
    """A parser's reason and the line that it stopped at, as a person would say it."""
    if "overwrite" in reason or "twice" in reason:
        return BadLine(f"this stands a second time: {line.strip()[:40]}", line.strip()[:40], TWICE)
    line = line[:LONGEST]
    for found in (_letters(line), _section(line), _value(line), _key(line)):
        if found:
            return found
    if "unescaped '\\'" in reason:
        return BadLine(
            'a \\ in a text begins something special, such as "\\n"', "\\", 'Write / in paths: "tables/cards.csv".'
        )
    if "Illegal character '\\n'" in reason or "illegal character '\\n'" in reason:
        return BadLine("a quotation mark or a bracket is opened in this line and not closed in it", line.strip()[:40])
    return BadLine(f"this is not TOML: {reason}", line.strip()[:40])


def _letters(line: str) -> BadLine | None:
    """Signs that look right and are not; inside a sound text they may stand."""
    outside = re.sub(r'"(?:\\.|[^"\\])*"|\'[^\']*\'', '""', line)
    if curly := next((letter for letter in outside if letter in CURLY), ""):
        return BadLine(
            f"there is a curly quotation mark, {curly}",
            curly,
            "Type straight ones, in a text editor: a word processor bends them.",
        )
    if odd := _ODD_SPACE.search(outside):
        return BadLine(
            f"there is a space that is none (U+{ord(odd[0]):04X})", odd[0], "Type the space anew: it came in by copying."
        )
    if dash := _DASH.search(outside):
        return BadLine(f"there is a dash, {dash[0][0]}, where a minus belongs", dash[0], f"Write -{dash[0][-1]}.")
    if outside.lstrip().startswith((";", "//", "/*", "--", "<!--")):
        return BadLine("a note begins with #", outside.split()[0], f"Write # {outside.strip().lstrip(';/*-<! ')[:40]}")
    return None


def _section(line: str) -> BadLine | None:
    if not line.lstrip().startswith("["):
        return None
    name = (found[1] if (found := _SECTION.match(line)) else "").strip()
    right = ".".join(re.sub(r"\s+", "-", part.strip()) for part in name.split("."))
    if line.count("[") != line.count("]"):
        return BadLine("a bracket of the section is missing", line.strip(), f"Write [{right}].")
    if " " in name:
        return BadLine("a section's name has no spaces", name, f"Write [{right}].")
    return None


def _value(line: str) -> BadLine | None:
    if found := _BARE.fullmatch(line):
        key, value = found[1], found[2].strip("\"'")
        if value.lower() in ("true", "false", "yes", "no"):
            return BadLine(f"{found[2]} is not a value", found[2], "Write true or false, in small letters.")
        # Numbers and brackets that the parser stopped at have something else wrong with them.
        if not re.fullmatch(r"[+-]?[\d_.]+|[\[\]{}].*", value):
            return BadLine(f"{found[2]} stands without quotation marks", found[2], f'Write {key} = "{value}".')
        if re.fullmatch(r"[+-]?0\d+", value):
            return BadLine(
                f"{value} begins with 0", value, f'Write {key} = {value.lstrip("0") or "0"}, or "{value}" if it is a text.'
            )
    if (found := _TEXT.fullmatch(line)) and re.search(r'(?<!\\)"', found[2]):
        return BadLine(
            "there is a quotation mark inside a text", found[2], f"Put single ones around it: {found[1]} = '{found[2]}'."
        )
    if line.count('"') % 2:
        return BadLine(
            "a quotation mark is opened and not closed", line.strip()[:40], 'Write it on both sides: name = "Pirates".'
        )
    if line.count("{") > line.count("}"):
        return BadLine("a { … } is not closed in its line", line.strip()[:40], "Write all of { … } in one line.")
    return None


def _key(line: str) -> BadLine | None:
    if found := _SPACED.fullmatch(line):
        right = re.sub(r"\s+", "-", found[1])
        return BadLine("a key has no spaces", found[1], f"Write {right} ={found[2]}, and the same where it is used.")
    if "=" not in line and (found := _KEY.fullmatch(line)):
        return BadLine(f"between {found[1]} and its value stands no =", line.strip()[:40], f"Write {found[1]} = {found[2]}.")
    return None
