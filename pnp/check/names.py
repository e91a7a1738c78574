"""Names are spelt alike wherever they stand: in tables, texts, books and on pieces.

Names are what columns ``name`` and ``title`` call rows, values that many rows of a column share, and the titles of
components and layouts. They need not be listed. Texts are those that ``[words]`` looks at.

``misspelt-name``: a word that is one letter away from a word of a name, in no dictionary of the game's language, and
said no more often than a slip is. Also a word of the dictionary, where the words beside it are those of the name, or
where a name that is said without an article stands in the midst of a sentence; and the name itself, where texts say
another. A warning.
Why: readers take Tripoli and Tripolis for two places.
Example: a row is called Tripoli, and a card says "Sail to Tripolis".
Mend: write the name as its row does. A word that is meant belongs into ``terms`` of ``[words]``.

``two-spellings``: a name that is written as one word and as two, with a hyphen and without, in capitals and without; and
a value of a column that only one row has, and that is nearly one which several have. A warning.
Why: readers look for a second thing, and whoever sorts the table gets two heaps.
Example: one card says Seawolf, three say Sea Wolf. Three rows have the good Porcelaine, one has Porcelain.
Mend: choose one spelling.

Covers: each text that ``[words]`` looks at, in the language of the game; slips of one letter.
Not covered: a slip that makes another ordinary word, such as Fur for Fury, where nothing beside it says more; names that
only one place says; letters of a board's legend.
"""

from __future__ import annotations

from collections.abc import Iterator

from pnp.check.called import is_key, keys_of, names_of
from pnp.check.misspelt import misspelt
from pnp.check.oddvalues import odd_values
from pnp.check.usage import Usage
from pnp.check.variants import variants
from pnp.check.wording import only_drawn, said
from pnp.values.findings import Report, Subject, report
from pnp.values.problems import Place, Problem

RULES: tuple[str, ...] = ("misspelt-name", "two-spellings")


def look(subject: Subject) -> Report:
    """Every spelling that is nearly that of a name."""
    told: dict[tuple[Place, str], Problem] = {}
    for problem in _problems(subject):
        told.setdefault((problem.place, problem.value), problem)
    return report(told.values())


def look_drawn(subject: Subject) -> Report:
    """What drawn pieces say besides, when their templates write words that stand in no table."""
    return report(only_drawn(look, subject))


def _problems(subject: Subject) -> Iterator[Problem]:
    game = subject.game
    names, keys = names_of(game), keys_of(game)
    usage = Usage(text for text in said(subject) if not (is_key(text.text) or keys.issuperset(text.text.split())))
    yield from misspelt(game, names, usage)
    yield from variants(names, usage, game.language)
    yield from odd_values(game)
