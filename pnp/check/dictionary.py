"""Whether a word is an ordinary one of a language, and so no misspelling of a term of the game."""

from __future__ import annotations

from functools import lru_cache

# A quarter of a second and 30 MB each; games are of one language, or two.
MOST_LANGUAGES = 2


def ordinary(word: str, language: str) -> bool:
    """Whether a dictionary of the language has the word; never, where there is no dictionary."""
    return word.casefold() in _words(language.partition("-")[0])


@lru_cache(MOST_LANGUAGES)
def _words(language: str) -> frozenset[str]:
    from spellchecker import SpellChecker

    if language not in SpellChecker.languages():
        return frozenset()
    return frozenset(SpellChecker(language=language).word_frequency.dictionary)
