"""The words of the page on how to print and cut: only of what the sheets of a file have."""

from __future__ import annotations

from dataclasses import dataclass

from pnp.values.game import Backs

DUPLEX = {"long-edge": "long", "short-edge": "short"}


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
    joining: str = ""
    """The pages that show how these are joined, in words."""
    machine: str = ""
    """What a machine cuts, in a sentence."""
    folds: bool = False
    tabs: bool = False
    folding: str = ""
    """The pages that show how pieces are folded and glued, in words."""


def steps(making: Making, paper: str) -> str:
    """All of it as Markdown."""
    parts = [("Print", _printing(making, paper)), ("Cut", _cutting(making)), ("Fold and glue", _folding(making))]
    return "\n\n".join(f"**{head}**\n\n{_numbered(said)}" for head, said in parts if said)


def _numbered(said: list[str]) -> str:
    return "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(said, 1))


def _printing(making: Making, paper: str) -> list[str]:
    one_side = "" if making.backs in DUPLEX else ", and **one side** for all pages of this file"
    said = [f"Open the file in a PDF viewer, not in a browser. Choose **{paper}** and **actual size**{one_side}."]
    by_hand = "Your printer does one side only? Print the odd pages of a row, put the stack back, print the even pages."
    if making.backs in DUPLEX:
        edge, front, back = DUPLEX[making.backs], making.trial, making.trial + 1
        said += [
            f"For rows of both sides choose **print on both sides, flip on {edge} edge**. Print pages {front} and {back} "
            "alone on plain paper, and hold the sheet to the light: each back must lie behind its front. If it stands on "
            "its head, choose the other edge.",
            f"{by_hand} Try it with pages {front} and {back} first, to see which way up the sheet goes back. "
            "If later sheets get each other\u2019s backs, choose *reverse order* for the even pages.",
        ]
    elif making.booklets:
        said.append(f"Books go on both sides. {by_hand} Try it with one sheet first.")
    rows = "Print the rows of the first page one after the other, each on its own paper"
    if making.backs in DUPLEX:
        rows += ": never all pages on both sides, for sheets of one side have no empty back"
    elif making.backs == "none":
        rows += ", or print on paper and glue it onto card"
    said.append(f"{rows}. Let the sheets dry and lie flat under a book.")
    if making.backs == "gutterfold":
        said += [
            "Score the dashed line in the middle of a sheet: press along it with an empty ball pen and a ruler. "
            "Fold there, with the printing outside.",
            "Spread thin glue over one inner half, close, and press under books until dry. Cut only then: front and back "
            "stay together.",
        ]
    return said


def _cutting(making: Making) -> list[str]:
    said = [making.machine] if making.machine else []
    if making.straight:
        marks = (
            "Straight edges: lay the ruler from mark to mark, the thin lines beside the pieces, and cut with the front up. "
            "Long cuts first, right across the sheet; then cut the strips into pieces."
        )
        small = [
            "*one cut between two*: neighbours touch, and one cut parts them" if making.one_cut else "",
            "*two cuts between two*: cut at both marks, and the strip between falls away" if making.two_cuts else "",
            "*first cut off*: part what is named from all else with one straight cut" if making.beside else "",
        ]
        if words := "; ".join(filter(None, small)):
            marks += f" The small print at the edge of a sheet says how: {words}."
        said.append(marks)
    if making.outlined:
        said.append("Other shapes: cut along the thin line around them.")
    if making.boards:
        shown = f" {making.joining[0].upper()}{making.joining[1:]} show{_s(making.joining)} how." if making.joining else ""
        said.append(f"Pages of a board: cut at the plain marks, not at dashed ones, and join the pages.{shown}")
    if making.straight:
        said.append("Round the corners of cards if you like: 3 mm suits hands.")
    return said


def _folding(making: Making) -> list[str]:
    if not making.folds:
        return []
    said = [
        "Score each dashed line first: press along it with an empty ball pen and a ruler, so that it folds just there.",
        "– – folds towards you, — · — folds away from you. Fold all of it once before you glue.",
    ]
    if making.tabs:
        said.append("Hatched tabs take the glue, a thin film, in the order of their numbers.")
    if making.folding:
        shown = f"{making.folding[0].upper()}{making.folding[1:]} show{_s(making.folding)} each step."
        said[-1] += f" {shown}"
    return said


def _s(pages: str) -> str:
    """What a verb ends in behind "page 3" or "pages 3, 4"."""
    return "" if pages.startswith("pages") else "s"
