"""What a reader takes for a number in a text: where it stands, how it is written one higher or lower, what is about it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pnp.check.scenewords import without_notation
from pnp.check.wording import NUMBER, number_in, spoken
from pnp.values.numerals import IN_WORDS, NUMERALS, SPELT

Span = tuple[int, int]

# A number with a fraction, or one as NUMBER has it; "wheel-1" and "tokens/wave-2" are names.
_DIGITS = re.compile(
    rf"(?<![^\W\d_]-)(?<![/_])(?:(?<![\w#.,])\d{{1,15}}\.\d{{1,15}}(?![\w]|[.,]\d)|{NUMBER.pattern})(?!/[^\W\d])"
)
_WORDS = re.compile(rf"(?<![\w-])(?:{SPELT})(?!\w)", re.IGNORECASE)
# "one" is a number only before a thing that is counted: not in "the blue one", "no one", "one of them", "one another".
_NOT_COUNTED = re.compile(
    r"\b(?:the|this|that|these|those|each|every|no|any|which|other|another|last|next|first|some)\s+$", re.IGNORECASE
)
_COUNTED = re.compile(
    r"\s+(?!(?:of|another|or|and|but|who|whom|that|which|is|was|are|has|had|have|by|after|before|on|in|at|to|from|can|could|may|"
    r"might|must|will|would|does|did|do|if|when|then|than|as|for|with|without|lies|stands|comes|goes|gets|day|thing|way|"
    r"behind|beside|above|below|between|the|a|an|you|it|they|we|he|she)\b)[*_]*[^\W\d_]",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"\s+[A-Z]")
# What is written in Markdown and is not read as words, or counts nothing: what templates fill in, marks of lists and of
# headings, targets of links, code, attributes, addresses and files, versions, years.
_UNREAD = re.compile(
    r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|:[a-z][a-z0-9_-]*:|(?<=\])\([^)\n]{0,500}\)|(?<=\])\{[^}\n]{0,200}\}|`[^`\n]{0,500}`"
    r"|https?://\S+|(?<!\S)\S+\.(?:svg|png|jpe?g|pdf|md|csv|toml|html)\b|\b(?!caption\b|alt\b|title\b)\w{1,20}=\"[^\"\n]{0,400}\""
    r"|(?m:^[ \t>]{0,40}(?:#+[ \t]+)?\d+[.)](?=[ \t]))"
    r"|\b(?i:version|edition|v\.?)\s{0,9}\d+(?:\.\d+)*"
    r"|(?:©|\(c\)|\b(?i:in|of|since|until|anno|year|before|after|from|summer|winter))\s{1,9}(?:1[0-9]{3}|20[0-9]{2})\b(?!,\d)",
    re.DOTALL,
)
_FIRST_CELL = re.compile(r"(?m)^[ \t]*\|[ \t*]*(\d{1,9})[ \t*]*(?=\|)")
# Beyond these other words begin.
_PART = re.compile(r"[^\w\s'\u2019-]")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_ABOUT = 40


def quantities(text: str, language: str) -> Iterator[Span]:
    """Where the numbers of a text stand, in digits or, in English, as words, from its beginning to its end."""
    spans = [match.span() for match in _DIGITS.finditer(text)]
    if language.partition("-")[0] == "en":
        spans += [match.span() for match in _WORDS.finditer(text) if _is_quantity(text, match)]
    yield from sorted(spans)


def _is_quantity(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _ABOUT) : match.start()]
    if match[0].lower() == "one":
        return bool(_COUNTED.match(text, match.end())) and not _NOT_COUNTED.search(before)
    # "the Seven Seas" are called so.
    inside = before.rstrip("*_ ")[-1:].isalpha()
    return not (inside and match[0][0].isupper() and _CAPITAL.match(text, match.end()))


def read_in(markdown: str) -> str:
    """A book's text with blanks for what is not read as words, so that positions stay."""
    text = _UNREAD.sub(spoken, without_notation(markdown))
    numbering = _numbering(text)
    return _FIRST_CELL.sub(lambda row: " " * len(row[0]) if row.start() in numbering else row[0], text)


def _numbering(text: str) -> set[int]:
    """Where rows of tables begin that are numbered 1, 2, 3: their numbers say which they are, not how many."""
    found: set[int] = set()
    run: list[re.Match[str]] = []
    for row in (*_FIRST_CELL.finditer(text), None):
        follows = row is not None and run and text.count("\n", run[-1].end(), row.end()) == 1
        if not (row and follows and int(row[1]) == len(run) + 1):
            found |= {each.start() for each in run} if len(run) > 1 else set()
            run = []
        if row and int(row[1]) == len(run) + 1:
            run.append(row)
    return found


def changed(written: str, by: int) -> str | None:
    """A number so much higher or lower, written as it was; None where there is none: no book says "−1 cards"."""
    if (word := NUMERALS.get(written.lower())) is not None:
        if word + by < 0:
            return None
        name = IN_WORDS.get(word + by, str(word + by))
        return name[:1].upper() + name[1:] if written[:1].isupper() else name
    whole, point, fraction = written.partition(".")
    if point and len(fraction) != 3:
        return None if int(whole) + by < 0 else f"{int(whole) + by}{point}{fraction}"
    number = number_in(written) + by
    mark = next((letter for letter in written if not letter.isdecimal()), "")
    return None if number < 0 else f"{number:,}".replace(",", mark) if mark else str(number).zfill(_zeros(written))


def value_of(written: str) -> str:
    """A number of a text in digits, as an expression takes it."""
    if written.lower() in NUMERALS:
        return str(NUMERALS[written.lower()])
    return written if re.fullmatch(r"\d+\.\d{1,2}|\d+\.\d{4,}", written) else str(number_in(written))


def _zeros(written: str) -> int:
    return len(written) if written.startswith("0") else 0


def about(text: str, span: Span) -> str:
    """A few words on both sides of a number, in one line."""
    before, after = _beside(text, span)
    left = before if len(before) <= _ABOUT else "…" + before[-_ABOUT:].partition(" ")[2]
    right = after if len(after) <= _ABOUT else after[:_ABOUT].rpartition(" ")[0] + "…"
    return " ".join(f"{left}{text[slice(*span)]}{right}".replace("|", " ").split())


def phrase(text: str, span: Span) -> str:
    """The words next to a number with a # in its place, as ``[words] counts`` takes it; nothing where no word is next."""
    before, after = (part.replace("*", "") for part in _beside(text, span))
    first = [word[0] for word in _WORD.finditer(_PART.split(before)[-1])][-1:]
    last = [word[0] for word in _WORD.finditer(_PART.split(after)[0])][:2]
    return " ".join([*first, "#", *last]) if last or first else ""


def _beside(text: str, span: Span) -> tuple[str, str]:
    """What stands before and after a number in its line, near to it."""
    start, end = span
    before, after = text[max(0, start - 2 * _ABOUT) : start], text[end : end + 2 * _ABOUT]
    return before.rpartition("\n")[2], after.partition("\n")[0]
