"""The press's own words in another language, from its catalogues: ``pnp/locale/LANGUAGE/LC_MESSAGES/pnp.po``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pnp.values.words import ENGLISH, Words

LOCALE = Path(__file__).parents[1] / "locale"


def word_languages() -> list[str]:
    """The languages that the press speaks, beside English."""
    return sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/pnp.po"))


@cache
def words_of(language: str) -> Words | None:
    """What the press says in a language, or in the language of which it is a form: ``de-AT`` has the words of ``de``.

    None where there is no catalogue.
    """
    if language.partition("-")[0] == "en":
        return ENGLISH
    known = word_languages()
    parts = language.split("-")
    codes = ("-".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((_read(language, code) for code in codes if code in known), None)


def _read(language: str, code: str) -> Words:
    from babel.messages.pofile import read_po
    from babel.numbers import get_decimal_symbol

    with (LOCALE / code / "LC_MESSAGES" / "pnp.po").open("rb") as file:
        catalogue = read_po(file, locale=code.replace("-", "_"))
    forms: dict[str, tuple[str, ...]] = {}
    for message in catalogue:
        if message.id and not message.fuzzy:
            one = message.id if isinstance(message.id, str) else message.id[0]
            said = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
            if all(said):
                forms[one] = said
    return Words(language, forms, catalogue.plural_expr, get_decimal_symbol(language.replace("-", "_")))
