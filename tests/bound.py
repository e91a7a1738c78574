"""A small game with two books for tests: a fair with cards, dice and tiles, its rulebook and its reference card."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from conftest import TinyProject, pipeline, toml

from pnp.flows.publish import publish
from pnp.read.presets import paper
from pnp.read.project import Project
from pnp.values.books import Counts, Edition
from pnp.values.game import Game

GAME = toml("""
game: name = "The Fair"; version = "1.3"; language = "en"; designer = "Ada Fairweather"; year = 2024; players = "2-4"
  licence = "CC BY 4.0"; papers = ["a4", "letter"]
palette: wine = "#6b1f3a"
cards: title = "Stall cards"; size = "tcg"; back = "back"
dice: title = "Dice"; kind = "die"; size = "16mm"; sides = 6; copies = 2
tiles: title = "Meadows"; kind = "tile"; hexes = "hexes"; hex = "30mm"; template = "ground"
layout.start: of = "tiles"; title = "How the fair begins"
book.rulebook: subtitle = "How to \\"run\\" a fair"; foot = "For 2 to 4 players"
  cover = "cover"; cover_ink = "wine"; accent = "wine"; creep = "0.1mm"
book.turn: form = "card"; title = "Your turn"
""")
RULES = """
[setup]
players = "2-4"

[setup.take.hand]
what = "stalls in hand"
from = "cards"
number = 2
per = "player"

[words]
terms = ["stall"]
"""
CARDS = """id,name,rules,copies
bakery,Bakery,"Sell two loaves, then draw a card from the pile.",3
balloons,Balloons,"Let one balloon fly and pass your turn.",2
carousel,Carousel,"Everybody hands one card to the left.",1
puppets,Puppets,"Look at the hand of another player.",4
"""
BOOK = """# Welcome

There are {{ count("cards") }} stall cards, {{ designs("cards") }} of them different, and a :coin: buys one.
A meadow is 7 × 7 paces wide.
They lie on {{ sheets("cards") }} sheets, pages {{ pages("cards") }} of the file;
this book has {{ pages("rulebook") }} pages on {{ sheets("rulebook") }} sheets.

## In the box

{{ component_table(different="Kinds") }}

The winner is found on page {{ page("how-to-win") }}, or [at the end](#how-to-win).
Who is on time wins there (page {{ page("in-short") }}), what lies here is not in the box (page {{ page("in-the-box") }}).
A stall is a card (of two kinds, page {{ page("in-the-box") }}).

{{ faces("cards", ["bakery", "puppets"], width="30mm", caption="Two *stalls*.", alt="The Bakery and the Puppets") }}

## How the fair begins

{{ setup_table() }}

{{ layout("start", width="70%", caption="Two meadows.", alt="Two meadows side by side") }}

::: columns
{{ face("cards", "balloons", width="25mm", alt="The card Balloons") }}

{{ face("cards", "balloons", width="25mm", side="back", alt="A back with a tent") }}
:::

## A turn

{{ anatomy("cards", "carousel", width="36mm", caption="A stall.",
           notes=[["name", "What the **stall** is called"], ["rules", "What it does"]]) }}

1. Draw a card.
2. Play it:
   - at your own stall,
   - at another one.

{{ folded("dice", width="20mm", alt="A die as it stands") }}

::: example Anna's turn
Anna plays the {{ rows("cards")[0].name }}. "Two loaves!" she says.
:::

> Never sell the last balloon.

---

## How to win

### When it rains

| Coins | Worth |
|---|--:|
| gold | 10 |
| silver | 5 |

::: note Remember
Count your coins **aloud**. `0` is a number, too. ![a striped tent](tent)
:::

#### And when it snows

Drink something hot.

## Imprint

{{ imprint(designer="Invented by") }}

::: back
## In short

Draw, play, shout.
:::
"""
TURN = """# Your turn

1. Draw a card.
2. Play a card: there are {{ count("cards") }}.

{{ face("cards", "puppets", width="25mm", alt="The card Puppets") }}
"""
FACE = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}
{{ s.ground(face, "#ffffff") }}
{{ s.text(row.name, 6, 8, 51, 10, size="14 10", weight=700, name="name") }}
{{ s.text(row.rules, 6, 46, 51, 30, size="11 9", name="rules") }}
{% endblock %}
"""
PLAIN = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}
{{ s.ground(face, "COLOUR") }}
{% endblock %}
"""
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 W H"><rect width="W" height="H" fill="#f0c060"/></svg>'
FILES = {
    "content/tiny/game.toml": GAME,
    "content/tiny/rules.toml": RULES,
    "content/tiny/cards.csv": CARDS,
    "content/tiny/tiles.csv": "id,name,back\nwest,West meadow,left\neast,East meadow,right\n",
    "content/tiny/hexes.csv": "tile,q,r\nwest,0,0\neast,0,0\n",
    "content/tiny/start.csv": "q,r,pool\n0,0,left\n1,0,right\n",
    "content/tiny/rulebook.md": BOOK,
    "content/tiny/turn.md": TURN,
    "content/tiny/art/cover.svg": DRAWING.replace("W", "140").replace("H", "205"),
    "content/tiny/art/tent.svg": DRAWING.replace("W", "20").replace("H", "10"),
    "content/tiny/art/icons/coin.svg": DRAWING.replace("W", "10").replace("H", "10"),
    "templates/tiny/cards.svg.j2": FACE,
    "templates/tiny/back.svg.j2": PLAIN.replace("COLOUR", "#6b1f3a"),
    "templates/tiny/dice.svg.j2": PLAIN.replace("COLOUR", "#f0e0c0"),
    "templates/tiny/ground.svg.j2": PLAIN.replace("COLOUR", "#80b060"),
}


def fair(root: Path, **changed: str) -> TinyProject:
    """The game in a folder; ``rulebook``, ``turn``, ``game``, ``rules`` or ``cards`` in other words."""
    made = TinyProject(Project(root))
    named = {Path(name).stem: name for name in FILES if name.startswith("content/tiny/") and name.count("/") == 2}
    for name, text in FILES.items():
        made.write(name, text)
    for name, text in changed.items():
        made.write(named[name], text)
    return made


def set_books(project: TinyProject, *papers: str) -> tuple[Game, list[Edition]]:
    """The books of a game, set for these papers; nothing is wrong with them."""
    made = pipeline(project.project)
    assert made.drawn is not None and made.book is not None
    printed = {paper(name): Counts({"cards": 2}, {"cards": "3–6"}) for name in papers}
    editions = publish(made.drawn, made.book, printed, made.problems, lambda _: None)
    assert not made.problems.errors, [str(problem) for problem in made.problems]
    return made.drawn.game, editions


def plain_game(root: Path, book: str, *, game: str = "", rules: str = "", table: str = "") -> TinyProject:
    """The least game: cards and a rulebook; ``game`` is more of game.toml."""
    made = TinyProject(Project(root))
    made.put(game_toml=f'[game]\nname = "Tiny"\npapers = ["a4"]\n[component.cards]\nsize = "tcg"\n{game}')
    made.put(cards_csv=table or CARDS, rulebook_md=book, cards_svg_j2=FACE)
    if rules:
        made.write("content/tiny/rules.toml", rules)
    return made


@dataclass
class Element:
    """A tag of a page with its attributes, and the text in it."""

    tag: str
    attributes: dict[str, str | None]
    text: str = ""
    inside: tuple[str, ...] = ()
    """The tags around it."""


VOID = ("meta", "img", "br", "hr", "link", "input")


@dataclass
class Shown(HTMLParser):
    """A page of HTML as a browser reads it: elements in order, faults of nesting."""

    source: str
    elements: list[Element] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    _open: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.feed(self.source)
        self.close()
        self.faults += [f"<{element.tag}> is never closed" for element in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs), inside=tuple(each.tag for each in self._open))
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1].tag != tag:
            self.faults.append(f"</{tag}> closes {self._open[-1].tag if self._open else 'nothing'}")
        else:
            self._open.pop()
        if tag in ("p", "li", "td", "th", "tr", "figcaption", "h1", "h2", "h3", "h4"):
            self.handle_data(" ")

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def all(self, tag: str) -> list[Element]:
        return [element for element in self.elements if element.tag == tag]

    @property
    def words(self) -> str:
        """All text that is shown, its spaces evened out."""
        (main,) = self.all("main")
        return " ".join(main.text.split())


def told(text: str) -> str:
    """A text with its spaces evened out and its entities read."""
    return re.sub(r"\s+", " ", html.unescape(text)).strip()
