"""Each bound to the number: what is just allowed goes through, and one more is told, with the bound.

The numbers stand here as a person was promised them, not as the code names them.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from itertools import repeat

import pytest
from conftest import TINY_GAME, TinyProject

from pnp.check.claims import look
from pnp.draw.art import Art
from pnp.draw.template import Templates
from pnp.flows.start import CannotStart, start_game
from pnp.lay.grid import seams
from pnp.read.game import read_game
from pnp.read.grid import read_grid
from pnp.read.tomlfile import load_toml
from pnp.sandbox.expressions import Expressions
from pnp.sandbox.jinja import Documents
from pnp.svg import safe as svg
from pnp.system.printers import parse
from pnp.values.findings import Subject
from pnp.values.problems import Fault, Problems

Said = Callable[[TinyProject, int], str]
"""What is said when somebody asks for so much; nothing when it goes through."""


def faults(problems: Problems) -> str:
    return " ".join(map(str, problems.errors))


def error_of(ask: Callable[[], object]) -> str:
    try:
        ask()
    except (Fault, ValueError, CannotStart, svg.BadDrawing) as error:
        return str(error)
    return ""


def table(made: Callable[[int], bytes]) -> Said:
    """A CSV of these bytes."""

    def said(tiny: TinyProject, number: int) -> str:
        problems = Problems()
        read_grid(tiny.write("cards.csv", made(number)), "cards.csv", None, problems)
        return faults(problems)

    return said


def cells(number: int) -> bytes:
    """250 columns, and as many rows as there are such numbers of cells; the rest in one row more."""
    rows, rest = divmod(number, 250)
    header = b",".join(b"c%d" % column for column in range(250))
    return header + (b"\n" + b"x," * 249 + b"x") * (rows - 1) + b"\n" + b",".join(repeat(b"x", rest))


def sized(number: int) -> bytes:
    """A table of so many bytes, in rows of 400."""
    rows, rest = divmod(number - len(b"id\n"), 400)
    return b"id\n" + (b"a" * 399 + b"\n") * rows + b"a" * rest


def settings(made: Callable[[int], str]) -> Said:
    """A TOML file of this text."""

    def said(tiny: TinyProject, number: int) -> str:
        problems = Problems()
        load_toml(tiny.write("some.toml", made(number)), "some.toml", "", problems)
        return faults(problems)

    return said


def pieces(tiny: TinyProject, number: int) -> str:
    """Cards of a thousand copies each, and one of the rest."""
    rows = [1000] * (number // 1000) + [number % 1000]
    tiny.write("content/tiny/cards.csv", "id,copies\n" + "".join(f"c{at},{copies}\n" for at, copies in enumerate(rows)))
    return read(tiny)


def rulebook(tiny: TinyProject, number: int) -> str:
    """A book of so many bytes."""
    tiny.put(game_toml=f"{TINY_GAME}\n[book.rulebook]\n", rulebook_md="# Goal\n" + "x" * (number - 7))
    return read(tiny)


def length(section: str) -> Said:
    """A component of which LENGTH is so many hundredths of a millimetre."""

    def said(tiny: TinyProject, number: int) -> str:
        tiny.put(game_toml='[game]\nname = "Tiny"\n' + section.replace("LENGTH", f"{number / 100}mm"), sea_txt="a\n")
        tiny.put(legend_csv="letter\na\n")
        return read(tiny)

    return said


def read(tiny: TinyProject) -> str:
    problems = Problems()
    read_game(tiny.project, "tiny", problems)
    return faults(problems)


def drawing(made: Callable[[int], str]) -> Said:
    """An SVG of this text."""
    return lambda tiny, number: error_of(lambda: svg.parse(made(number)))


def picture(tiny: TinyProject, data: bytes, size: int) -> str:
    """A picture in art/, padded to a size, as a template asks for it."""
    with tiny.write("content/tiny/art/boat.png", data).open("r+b") as file:
        file.truncate(max(size, len(data)))
    game = read_game(tiny.project, "tiny", Problems())
    assert game is not None
    return error_of(lambda: Art(game).drawing("boat"))


def dots(tiny: TinyProject, number: int) -> str:
    """A black and white picture of so many dots; 50 000 001 is 3 times 16 666 667."""
    width = 50_000 if number % 3 else 3
    return picture(tiny, png(width, number // width), 0)


def png(width: int, height: int) -> bytes:
    """A white picture of one bit a dot."""
    rows = zlib.compress((b"\0" + b"\xff" * ((width + 7) // 8)) * height)
    chunks = [b"IHDR" + struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0), b"IDAT" + rows, b"IEND"]
    framed = [struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) for chunk in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(framed)


def template(made: Callable[[int], str]) -> Said:
    """A card's template of this text."""

    def said(tiny: TinyProject, number: int) -> str:
        tiny.write("templates/tiny/card.svg.j2", made(number))
        return error_of(lambda: Templates((tiny.project.root / "templates" / "tiny",), {}).fill("card", {}))

    return said


def expression(made: Callable[[int], str]) -> Said:
    """A claim's expression of this text."""
    return lambda tiny, number: error_of(lambda: Expressions({}).compile(made(number)).value({}))


def document(made: Callable[[int], str]) -> Said:
    """A book's text."""
    return lambda tiny, number: error_of(lambda: Documents({}).fill(made(number)))


def claim(tiny: TinyProject, number: int) -> str:
    """A claim about so many numbers."""
    expect = "n > 0 and game.name == 'tiny'"
    tiny.write("content/tiny/rules.toml", f'[claim.it]\nsays = "So."\nexpect = "{expect}"\nfor = "n in 1..{number}"\n')
    problems = Problems()
    game = read_game(tiny.project, "tiny", problems)
    assert game is not None and not len(problems), faults(problems)
    return " ".join(map(str, look(Subject(game)).problems))


def printer(made: Callable[[float], str]) -> Said:
    """What was measured on a test print, in hundredths."""
    return lambda tiny, number: error_of(lambda: parse(made(number / 100)))


def name(tiny: TinyProject, number: int) -> str:
    """A new game with a name of so many letters."""
    return error_of(lambda: start_game(tiny.project.root, "a" * number, "blank"))


def pages(tiny: TinyProject, number: int) -> str:
    """A board that needs so many pages in a row, edge to edge: of 100 mm 94 are its own, 3 on either side are cut off."""
    return "" if seams(94.0 * number, 0, 100, 0, "butt") else "too many"


BOUNDS: dict[str, tuple[int, Said, str]] = {
    "rows of a table": (100_000, table(lambda number: b"id\n" + b"a\n" * number), "more than 100000 rows"),
    "columns of a table": (
        256,
        table(lambda number: b",".join(b"c%d" % at for at in range(number)) + b"\n"),
        "has 257 columns",
    ),
    "cells of a table": (1_000_000, table(cells), "more than 1000000 cells"),
    "cells in a line": (150_000, table(lambda number: b"id,name\n" + b"," * number), "more than 150000 cells"),
    "bytes of a table": (32_000_000, table(sized), "larger than 32 MB"),
    "bytes of a TOML file": (1_000_000, settings(lambda number: "#" * number), "larger than 1 MB"),
    "parts of a key": (64, settings(lambda number: ".".join("a" * number) + " = 1"), "more than 64 parts"),
    "pieces of a game": (50_000, pieces, "50000 pieces in a game"),
    "bleed of a card": (2000, length('[component.cards]\nsize = "tcg"\nbleed = "LENGTH"\n'), "20 mm"),
    "square of a board": (
        20_000,
        length('[component.sea]\nkind = "board"\nmap = "sea.txt"\nlegend = "legend"\ntemplate = "cards"\ncell = "LENGTH"\n'),
        "200 mm",
    ),
    "bytes of a book": (2_000_000, rulebook, "larger than 2 MB"),
    "elements of a drawing": (
        60_000,
        drawing(lambda number: f'<svg xmlns="{svg.SVG}">{"<g/>" * number}</svg>'),
        "more than 60000 elements",
    ),
    "letters of a drawing": (
        8_000_000,
        drawing(lambda number: f'<svg xmlns="{svg.SVG}"/>'.ljust(number)),
        "larger than 8 MB",
    ),
    "bytes of a picture": (64_000_000, lambda tiny, number: picture(tiny, png(8, 8), number), "larger than 64 MB"),
    "dots of a picture": (50_000_000, dots, "50 million are enough"),
    "bytes of a template": (1_000_000, template(lambda number: "{##}".rjust(number)), "larger than 1 MB"),
    "letters that a template makes": (
        8_000_000,
        template(lambda number: "{% for at in range(80) %}" + "a" * 100_000 + "{% endfor %}" + "c" * (number - 8_000_000)),
        "more than 8 MB",
    ),
    "numbers of a template's range": (
        100_000,
        template(lambda number: f"{{{{ range({number}) | length }}}}"),
        "at most 100000 numbers",
    ),
    "exponents in a template": (1000, template(lambda number: f"{{{{ 1 ** {number} }}}}"), "1 ** 1001 is too large"),
    "bases in a template": (10**6, template(lambda number: f"{{{{ {number} ** 1 }}}}"), "1000001 ** 1 is too large"),
    "letters of an expression": (2000, expression(lambda number: "1".rjust(number)), "longer than 2000 characters"),
    "numbers of an expression's range": (100_000, expression(lambda number: f"range({number})"), "at most 100000 numbers"),
    "exponents in an expression": (1000, expression(lambda number: f"1 ** {number}"), "1 ** 1001 is too large"),
    "bases in an expression": (10**6, expression(lambda number: f"{number} ** 1"), "1000001 ** 1 is too large"),
    "cases of a claim": (10_000, claim, "more than 10000 values"),
    "letters of a book": (
        2_000_000,
        document(lambda number: "{% for at in range(20) %}" + "a" * 100_000 + "{% endfor %}" + "c" * (number - 2_000_000)),
        "more than 2 MB",
    ),
    "shift of a printer": (1000, printer(lambda shift: f"0,{-shift}"), "shifts up to 10 mm"),
    "angle of a printer": (500, printer(lambda angle: f"0,0,{angle}"), "angles up to 5 degrees"),
    "letters of a new game's name": (40, name, "cannot be the name of a folder"),
    "pages of a board in a row": (400, pages, "too many"),
}


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize(("most", "said", "words"), BOUNDS.values(), ids=BOUNDS)
def test_a_bound_is_where_it_is_said_to_be(tiny: TinyProject, most: int, said: Said, words: str) -> None:
    """So much goes through without a word; one more is refused in words that name the bound."""
    assert said(tiny, most) == ""
    assert words in said(tiny, most + 1)
