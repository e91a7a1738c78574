"""``untranslated-words``: of a game in another language no template says words of its own. A warning.

Why: what stands in a template is in no file of translations, and is printed in the language of whoever drew it.
Example: a template says ``{{ n }} rounds.``, and the German card says "3 rounds."
Mend: put the words into ``[texts]`` of game.toml and show them as ``texts.rounds``: there they are translated.

Covers: every text that pnp sets on a piece, compared with all that the game says in that language.
Not covered: letters that are drawn in a picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pnp.values.findings import Subject, reported
from pnp.values.game import Game
from pnp.values.problems import Problem

RULE = "untranslated-words"
RULES = (RULE,)
_WORD = re.compile(r"[^\W\d_]{2,}")
_MARKUP = re.compile(r":[\w][\w/.-]*:|\[[^\]]*\]|[*_~`#>|\\]")


@reported
def look(subject: Subject) -> Iterator[Problem]:
    """What pieces say that nothing translated says."""
    if not subject.game.spoken:
        return
    known = sorted(set(_said(subject.game)), key=len, reverse=True)
    whole = "\n".join(known)
    told: set[tuple[str, str]] = set()
    for text in subject.texts:
        said = _plain(text.source)
        if not _WORD.search(said) or said in whole:
            continue
        for each in known:
            if len(each) > 1 and each in said:
                said = said.replace(each, " ")
        left = [word for word in _WORD.findall(said) if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", whole)]
        component = text.piece.component
        if left and (component, left[0]) not in told:
            told.add((component, left[0]))
            words = " ".join(left)[:60]
            message = f'{text.about}: its template says "{words}" itself'
            hint = "Put it into [texts] of game.toml, and show it as texts.NAME."
            yield Problem(RULE, text.place, message, words, "", hint, "warning", text.about)


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub("", text).casefold().split())


def _said(game: Game) -> Iterator[str]:
    texts = [game.title, game.version, *game.about.values(), *game.texts.values(), *game.each.values()]
    texts += [*(each.title for each in game.components), *(each.title for each in game.layouts)]
    for table in game.every_table:
        texts += [cell.text for row in table for cell in row.cells.values()]
        texts += [row.id for row in table]
    yield from filter(None, map(_plain, texts))
