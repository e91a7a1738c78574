"""Bytes of a table → text: UTF-8 or UTF-16, and older ways of writing letters where only one of them gives words.

Excel saves "CSV" in the code of the computer's language. Windows-1252 and Mac Roman give every byte a letter, so that
nothing fails when the wrong one is taken: it prints ``CafÈ``. One of the two is certain when, and only when, all its
letters are of one language, none of its words has a capital after a small letter, and its other signs stand where
such signs stand; and none of that is so of the other. What was taken is told, with words to look at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

# Letters beside a to z that a language writes, in small.
_ALPHABETS = tuple(
    frozenset(letters)
    for letters in (
        "äöüßéàê",  # German, with words it took from French
        "àâæçèéêëîïôœùûü",  # French
        "áéíóúüñ",  # Spanish
        "àáâãçéêíóôõúü",  # Portuguese
        "àèéìíîòóùú",  # Italian
        "åäöæøéü",  # the North
        "áéíóúýþæöð",  # Icelandic
        "áàâéèêëïíóôöúüû",  # Dutch
        "àçèéíïòóúü",  # Catalan
    )
)
_SIGNS = frozenset("‘’“”„‚«»‹›–—…•·°×±½¼¾€£¥§©®™†‡¿¡ªº¶\xa0")
_NAMES = {"cp1252": "Windows-1252", "mac_roman": "Mac Roman"}
# don't, we'll, I'm, l'or: where an apostrophe stands no language has an accented i, which Mac Roman would read.
_SHORTENED = re.compile(rb"n\x92t\b|[a-z]\x92(?:ll|re|ve)\b|\bI\x92[md]\b|\b[cdjlmnstCDJLMNST]\x92[a-zA-Z]{2}")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file; what it was guessed to be written in, with some words of it, where that was not said."""

    text: str
    guessed: str = ""
    words: tuple[str, ...] = ()


def decoded(raw: bytes) -> Decoded:
    """The text. Raises UnicodeDecodeError, as of UTF-8, where nothing is certain."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Decoded(_utf_16(raw, "utf-16"))
    if (wide := _wide(raw)) is not None:
        return wide
    try:
        return Decoded(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        fitting = [made for code in _NAMES if (made := _as(raw, code))]
        if len(fitting) != 1:
            raise
        return fitting[0]


def _utf_16(raw: bytes, code: str) -> str:
    try:
        return raw.decode(code)
    except UnicodeDecodeError as error:
        raise UnicodeDecodeError("utf-16", raw, error.start, error.end, error.reason) from None


def _wide(raw: bytes) -> Decoded | None:
    """UTF-16 without its mark: every second byte of the first line, and only these, is zero."""
    for code, end, zero in (("utf-16-le", b"\n\0", 1), ("utf-16-be", b"\0\n", 0)):
        at = raw.find(end)
        first = raw[: at + at % 2 if at >= 0 else len(raw)]
        if len(first) < 4 or any(first[zero::2]) or not all(first[1 - zero :: 2]):
            continue
        try:
            return Decoded(raw.decode(code), "UTF-16", _some(_WORD.findall(first.decode(code))))
        except UnicodeDecodeError:
            return None
    return None


def _as(raw: bytes, code: str) -> Decoded | None:
    """The text in one of the older codes, if that is what it can be."""
    try:
        text = raw.decode(code)
    except UnicodeDecodeError:
        return None
    if code == "mac_roman" and _SHORTENED.search(raw):
        return None
    beyond = {letter for letter in text if not letter.isascii()}
    letters = {letter.lower() for letter in beyond if letter.isalpha() and letter not in _SIGNS}
    if not beyond - letters - {letter.upper() for letter in letters} <= _SIGNS:
        return None
    if not any(letters <= alphabet for alphabet in _ALPHABETS):
        return None
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    if any(word not in (word.lower(), word.upper(), word[0] + word[1:].lower()) for word in words):
        return None
    if any(not _stands_well(text, found.start()) for found in re.finditer("[‘’“”–—¡¿€£¥§×]", text)):
        return None
    if words and all(not re.search("[A-Za-z]", word) for word in words):
        return None
    shown = words or re.findall(r"\S*[^\x00-\x7f]\S*", text)
    return Decoded(text, _NAMES[code], _some(shown))


def _some(words: Sequence[str]) -> tuple[str, ...]:
    """A few of them, and not the whole of a long one."""
    return tuple(word[:30] for word in dict.fromkeys(words))[:3]


def _stands_well(text: str, at: int) -> bool:
    """Whether a sign stands as such signs do: in the middle of a word there is an apostrophe and nothing else."""
    before, after = text[at - 1 : at] or " ", text[at + 1 : at + 2] or " "
    if not (before.isalpha() and after.isalpha()):
        return True
    return text[at] in "’–—"
