"""The words of the page on how to print and cut: only of what the sheets of a file have."""

from __future__ import annotations

from dataclasses import dataclass

from pnp.values.game import Backs
from pnp.values.words import Words

DUPLEX = ("long-edge", "short-edge")


@dataclass(frozen=True, slots=True)
class Making:
    """What is to be done with the sheets of a file, as far as it needs words."""

    backs: Backs
    trial: int = 0
    """The page of the first sheet with backs, which shows whether they match; 0 where there is none."""
    booklets: bool = False
    """Whether books are printed on both sides."""
    straight: bool = False
    """Pieces are cut from mark to mark; of neighbours with one cut, with two."""
    one_cut: bool = False
    two_cuts: bool = False
    beside: bool = False
    """Some lie beside a block that is cut off first."""
    outlined: bool = False
    """Pieces are cut along a printed line."""
    boards: bool = False
    """Boards are parted over several pages."""
    joining: tuple[int, str] = (0, "")
    """How many pages show how these are joined, and which."""
    machine: str = ""
    """What a machine cuts, in a sentence."""
    folds: bool = False
    tabs: bool = False
    folding: tuple[int, str] = (0, "")
    """How many pages show how pieces are folded and glued, and which."""


def steps(making: Making, paper: str, words: Words) -> str:
    """All of it as Markdown."""
    parts = [
        (words("Print"), _printing(making, paper, words)),
        (words("Cut"), _cutting(making, words)),
        (words("Fold and glue"), _folding(making, words)),
    ]
    return "\n\n".join(f"**{head}**\n\n{_numbered(said)}" for head, said in parts if said)


def _numbered(said: list[str]) -> str:
    return "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(said, 1))


def _printing(making: Making, paper: str, words: Words) -> list[str]:
    duplex = making.backs in DUPLEX
    opened = words("Open the file in a PDF viewer, not in a browser.")
    if duplex:
        chosen = words("Choose **{paper}** and **actual size**.", paper=paper)
    else:
        chosen = words("Choose **{paper}** and **actual size**, and **one side** for all pages of this file.", paper=paper)
    said = [f"{opened} {chosen}"]
    by_hand = words(
        "Your printer does one side only? Print the odd pages of a row, put the stack back, print the even pages."
    )
    if duplex:
        pages = {"front": making.trial, "back": making.trial + 1}
        if making.backs == "long-edge":
            edge = words("For rows of both sides choose **print on both sides, flip on long edge**.")
        else:
            edge = words("For rows of both sides choose **print on both sides, flip on short edge**.")
        light = words(
            "Print pages {front} and {back} alone on plain paper, and hold the sheet to the light: each back must lie "
            "behind its front. If it stands on its head, choose the other edge.",
            **pages,
        )
        trial = words(
            "Try it with pages {front} and {back} first, to see which way up the sheet goes back. "
            "If later sheets get each other\u2019s backs, choose *reverse order* for the even pages.",
            **pages,
        )
        said += [f"{edge} {light}", f"{by_hand} {trial}"]
    elif making.booklets:
        said.append(" ".join((words("Books go on both sides."), by_hand, words("Try it with one sheet first."))))
    if duplex:
        rows = words(
            "Print the rows of the first page one after the other, each on its own paper: never all pages on both sides, "
            "for sheets of one side have no empty back."
        )
    elif making.backs == "none":
        rows = words(
            "Print the rows of the first page one after the other, each on its own paper, or print on paper and glue it "
            "onto card."
        )
    else:
        rows = words("Print the rows of the first page one after the other, each on its own paper.")
    said.append(" ".join((rows, words("Let the sheets dry and lie flat under a book."))))
    if making.backs == "gutterfold":
        said += [
            words(
                "Score the dashed line in the middle of a sheet: press along it with an empty ball pen and a ruler. "
                "Fold there, with the printing outside."
            ),
            words(
                "Spread thin glue over one inner half, close, and press under books until dry. Cut only then: front and "
                "back stay together."
            ),
        ]
    return said


def _cutting(making: Making, words: Words) -> list[str]:
    said = [making.machine] if making.machine else []
    if making.straight:
        marks = words(
            "Straight edges: lay the ruler from mark to mark, the thin lines beside the pieces, and cut with the front up. "
            "Long cuts first, right across the sheet; then cut the strips into pieces."
        )
        small = [
            words("*one cut between two*: neighbours touch, and one cut parts them") if making.one_cut else "",
            words("*two cuts between two*: cut at both marks, and the strip between falls away") if making.two_cuts else "",
            words("*first cut off*: part what is named from all else with one straight cut") if making.beside else "",
        ]
        if explained := words("; ").join(filter(None, small)):
            marks += " " + words("The small print at the edge of a sheet says how: {explained}.", explained=explained)
        said.append(marks)
    if making.outlined:
        said.append(words("Other shapes: cut along the thin line around them."))
    if making.boards:
        joined = [words("Pages of a board: cut at the plain marks, not at dashed ones, and join the pages.")]
        count, pages = making.joining
        if count:
            joined.append(words.many("Page {pages} shows how.", "Pages {pages} show how.", count, pages=pages))
        said.append(" ".join(joined))
    if making.straight:
        said.append(words("Round the corners of cards if you like: 3 mm suits hands."))
    return said


def _folding(making: Making, words: Words) -> list[str]:
    if not making.folds:
        return []
    said = [
        words(
            "Score each dashed line first: press along it with an empty ball pen and a ruler, so that it folds just there."
        ),
        words("– – folds towards you, — · — folds away from you. Fold all of it once before you glue."),
    ]
    if making.tabs:
        said.append(words("Hatched tabs take the glue, a thin film, in the order of their numbers."))
    count, pages = making.folding
    if count:
        said[-1] += " " + words.many("Page {pages} shows each step.", "Pages {pages} show each step.", count, pages=pages)
    return said
