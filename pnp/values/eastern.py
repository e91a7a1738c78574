"""Reads ruby, emphasis dots and word boundaries in Chinese and Japanese texts."""

from __future__ import annotations

import re
from collections.abc import Iterator

JOINER = "\u2060"
"""Between two letters it keeps a line from ending there."""
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff"
_CHINESE = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
LETTERS = f"{_HIRAGANA}{_KATAKANA}{_CHINESE}"
"""Their letters, as a regular expression has them between brackets."""
_RUBY = re.compile(rf"\{{((?=[^{{}}]*[{LETTERS}])[^{{}}|｜]+)[|｜]([^{{}}|｜]+)\}}")
_RUN = re.compile(rf"([{LETTERS}]+)")
# Between two letters that are no place to part a word: neither where the script changes as it does between words, nor
# before お and ご of the next one.
_INNER = re.compile(
    rf"(?<=[0-9A-Za-z{LETTERS}])(?=[0-9A-Za-z{LETTERS}])(?<![0-9A-Za-z](?=[0-9A-Za-z]))"
    rf"(?!(?<=[{_HIRAGANA}])(?<![おご])[{_CHINESE}{_KATAKANA}])"
    rf"(?!(?<=[{_HIRAGANA}])[おご][{_CHINESE}])"
    rf"(?!(?<=[{_CHINESE}])[{_KATAKANA}])(?!(?<=[{_KATAKANA}])[{_CHINESE}])"
)
# Longer texts are sentences; Chinese says nothing of where its words end, so that only short names are kept whole.
MOST_JAPANESE, MOST_CHINESE = 30, 8


def rubies(text: str) -> Iterator[tuple[str, str]]:
    """Splits a text into parts with what is read above them: ``{漢字|かんじ}``; most have nothing."""
    parts = _RUBY.split(text)
    for index in range(0, len(parts), 3):
        if parts[index]:
            yield parts[index], ""
        if index + 2 < len(parts):
            yield parts[index + 1], parts[index + 2]


def stressed(text: str) -> Iterator[tuple[str, bool]]:
    """Splits a stressed text into letters that have dots, and others, which are in italics."""
    for index, part in enumerate(_RUN.split(text)):
        if part:
            yield part, index % 2 == 1


def dots_at(language: str) -> str:
    """Where dots for stress stand."""
    return "above" if language == "ja" else "below"


def is_title(text: str, language: str) -> bool:
    """Whether a text is as short as a name, which is not parted within its words."""
    most = MOST_JAPANESE if language == "ja" else MOST_CHINESE
    return 0 < len(text.strip()) <= most and not re.search("[。\n]", text.strip())


def whole_words(text: str) -> str:
    """The text with joiners where a line may not end."""
    return _INNER.sub(JOINER, text)
