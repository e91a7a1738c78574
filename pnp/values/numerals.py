"""Numbers as English words, up to ninety-nine: after that people write figures."""

from __future__ import annotations

from collections.abc import Mapping

from pnp.values.words import N_

# In other languages people write figures after twelve; a word that changes with what is counted is a figure there, too.
SAID = (
    *(N_("zero"), N_("one"), N_("two"), N_("three"), N_("four"), N_("five"), N_("six"), N_("seven"), N_("eight")),
    *(N_("nine"), N_("ten"), N_("eleven"), N_("twelve")),
)
_UNITS = (
    *SAID,
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMERALS: Mapping[str, int] = {word: number for number, word in enumerate(_UNITS)} | {
    (f"{tens}-{_UNITS[more]}" if more else tens): 10 * number + more
    for number, tens in enumerate(_TENS, 2)
    for more in range(9, -1, -1)
}
"""The numbers by their words; of two that begin alike the longer one comes first."""
SPELT = f"(?a:{'|'.join(sorted(NUMERALS, key=len, reverse=True))})"
"""A pattern for any of them; without ``(?a:`` the letter ſ would match an s, and ı an i, which no number has."""
IN_WORDS: Mapping[int | float, str] = {number: word for word, number in NUMERALS.items()}
