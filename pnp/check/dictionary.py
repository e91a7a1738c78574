"""Whether a word is an ordinary one of a language, and so no misspelling of a term of the game."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

# A tenth of a second and 20 MB each; games are of one language, or two.
MOST_LANGUAGES = 2


def ordinary(word: str, language: str) -> bool:
    """Whether a dictionary of the language has the word; never, where there is no dictionary."""
    return word.casefold() in _words(language.partition("-")[0])


def common(word: str, language: str) -> int:
    """How often the dictionary met a word in the texts that it was made from; 0 for a word that it has not."""
    return _words(language.partition("-")[0]).get(word.casefold(), 0)


def has_dictionary(language: str) -> bool:
    """Whether there is a dictionary of the language."""
    return bool(_words(language.partition("-")[0]))


@lru_cache(MOST_LANGUAGES)
def _words(language: str) -> Mapping[str, int]:
    # Read as the package keeps it: the package itself copies all of it several times over.
    spec = find_spec("spellchecker")
    if spec is None or spec.origin is None or not language.isalpha():
        return {}
    file = Path(spec.origin).parent / "resources" / f"{language}.json.gz"
    if not file.is_file():
        return {}
    read: dict[str, int] = json.loads(gzip.decompress(file.read_bytes()))
    return read
