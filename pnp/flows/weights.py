"""How heavy papers are, as their names say: in g/m², for American papers in pounds too, and where one does for several.

Formula (docs/how-it-works/print.md#paper-weights): g/m² are 1406.5 times the pounds by the square inches of the basis sheet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pnp.values.words import N_, Words

# "card, 250-300 g/m²" or "card, 300 g/m²"
_WEIGHTS = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?\s*g/m²")
# Parts of a paper's name that the press says in every language that it speaks; what a game calls otherwise, it translates.
STUFFS = (
    N_("card"),
    N_("paper"),
    N_("plain paper"),
    N_("photo paper"),
    N_("label paper"),
    N_("board"),
    N_("grey board"),
    N_("then glued on board"),
)
COVER, TEXT = 1406.5 / (20 * 26), 1406.5 / (25 * 38)
# What is lighter is sold as text paper. Pounds are told in steps, as papers are sold.
LIGHTEST_COVER, STEP = 165, 5


def known(paper: str) -> bool:
    """Whether the press can say a paper's name in its own words."""
    return all(part in STUFFS or _WEIGHTS.fullmatch(part) for part in paper.split(", "))


def in_words(paper: str, words: Words) -> str:
    """A paper's name in a language of the press, as far as it knows it."""
    return words(", ").join(words(part) if part in STUFFS else part for part in paper.split(", "))


def grams(paper: str) -> tuple[int, int] | None:
    """The least and the most that a paper may weigh, in g/m²; None where its name does not say."""
    said = _WEIGHTS.search(paper)
    return (int(said[1]), int(said[2] or said[1])) if said else None


def with_pounds(paper: str) -> str:
    """A paper's name with its weight in pounds after the one in g/m²."""
    return _WEIGHTS.sub(lambda said: f"{said[0]} ({pounds(int(said[1]), int(said[2] or said[1]))})", paper, count=1)


def pounds(least: int, most: int) -> str:
    """A weight, or a range, as it is sold in America: "75–110 lb cover"."""
    kind, each = ("cover", COVER) if most >= LIGHTEST_COVER else ("text", TEXT)
    ends = dict.fromkeys(STEP * round(weight / each / STEP) for weight in (least, most))
    return f"{'–'.join(map(str, ends))} lb {kind}"


def one_for_several(papers: Sequence[str]) -> list[tuple[list[int], str, int, int]]:
    """Which of the papers, by their places in the list, can be one that their names allow; what it is; and its weight.

    Of one stuff only, the first word of a name, and only where names differ: one paper is one paper.
    """
    found: list[tuple[list[int], str, int, int]] = []
    for at, paper in enumerate(papers):
        said, stuff = grams(paper), re.split(r"[\s,]", paper, maxsplit=1)[0]
        if said is None:
            continue
        for number, (places, known, least, most) in enumerate(found):
            low, high = max(least, said[0]), min(most, said[1])
            if stuff == known and low <= high:
                found[number] = [*places, at], stuff, low, high
                break
        else:
            found.append(([at], stuff, *said))
    return [each for each in found if len({papers[at] for at in each[0]}) > 1]
