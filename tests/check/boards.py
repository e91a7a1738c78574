"""Boards, tiles and layouts made of a few lines of text, for tests of the checker; and shipped games with other tables."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from pnp.read.boards import read_board, read_hextiles, read_layout
from pnp.read.flat import domino_table
from pnp.values.findings import Subject
from pnp.values.game import Component, Game, Layout
from pnp.values.problems import Place, Problems
from pnp.values.rules import Rules
from pnp.values.sections import Movement, Shuffle, Take
from pnp.values.tables import Cell, Row, Table

HERE = Place("content/tiny/rules.toml", 1)


def table(name: str, text: str) -> Table:
    """A table of texts from CSV lines."""
    reader = csv.DictReader(io.StringIO(text))
    columns = tuple(reader.fieldnames or ())
    used: set[str] = set()
    rows = []
    for line, record in enumerate(reader, 2):
        cells = {column: Cell(value, value, Place(f"{name}.csv", line, column)) for column, value in record.items()}
        copies = int(record.get("copies") or 1)
        rows.append(Row(record.get("id") or f"row-{line}", copies, Place(f"{name}.csv", line), cells, used))
    return Table(name, f"{name}.csv", columns, tuple(rows), used)


def component(name: str, kind: str, rows: Table, **more: object) -> Component:
    """A component of which only what the checks look at is filled in."""
    return Component(name, name.title(), kind, rows, "", None, 10, 20, 0, "", HERE, **more)  # type: ignore[arg-type]


LEGEND = """letter,kind,name,blocked
.,sea,Sea,
#,land,Land,yes
>,current,Current,
<,current,Current,
^,current,Current,
v,current,Current,
=,bridge,Bridge,
*,davy,Davy,
~,water,Water,
A,town,Avery,
B,town,Bristow,
1,home,Onehome,
2,home,Twohome,
"""


def board(text: str, legend: str = LEGEND) -> Component:
    """A board from its map; letters of the legend that it does not use are left out."""
    lines = legend.splitlines(keepends=True)
    kept = lines[0] + "".join(line for line in lines[1:] if line[0] in text)
    problems = Problems()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sea.txt"
        path.write_text(text, encoding="utf-8")
        made = read_board(path, "sea.txt", table("legend", kept), 10.0, problems)
    assert made is not None, [str(problem) for problem in problems]
    return component("sea", "board", table("sea", "id\nsea\n"), board=made)


def movement(name: str = "sea", **changed: object) -> Movement:
    """The rules of Pirates on the Prowl, with changes."""
    ports = ("town", "island", "home")
    rules: dict[str, object] = {"diagonal": True, "tolerance": 0.1, "single": ports, "wraps": ("bridge",), "ends": ports}
    rules |= {"goals": (*ports, "bridge", "current"), "exits": ("sea", "current"), "starts": ("home",)}
    rules |= {"fair": ("town", "island"), "occupied": ("davy",)}
    return Movement(**rules | changed).at(HERE, name)  # type: ignore[arg-type]


def taken(name: str, what: str, where: Mapping[str, str], number: str, per: str = "table") -> Take:
    """What a set-up takes from the cards."""
    return Take.model_validate({"what": what, "from": "cards", "where": where, "number": number, "per": per}).at(HERE, name)


def tiles(rows: str, hexes: str) -> Component:
    """Tiles of hexes from two tables."""
    problems = Problems()
    made = read_hextiles("tiles", table("tiles", rows), table("hexes", hexes), 20.0, problems)
    assert made is not None, [str(problem) for problem in problems]
    return component("tiles", "tile", table("tiles", rows), hexes=made)


def dominoes(highest: int) -> Component:
    """A set of dominoes."""
    return component("dominoes", "domino", domino_table("dominoes", highest, HERE))


def layout(rows: str, of: Component) -> Layout:
    """A layout of a component's pieces."""
    problems = Problems()
    made = read_layout("start", "Start", table("layout", rows), of, HERE, problems)
    assert made is not None, [str(problem) for problem in problems]
    return made


def subject(
    components: Sequence[Component],
    layouts: Sequence[Layout] = (),
    movements: Sequence[Movement] = (),
    shuffles: Sequence[Shuffle] = (),
) -> Subject:
    """A game of these."""
    game = Game(
        *("tiny", "Tiny", "1", "en"),
        *({}, Path("tiny"), "content/tiny/game.toml", (), {}, {}, {}),
        {one.table.name: one.table for one in components},
        tuple(components),
        *((), (), ()),
        layouts=tuple(layouts),
        rules=Rules(movements=tuple(movements), shuffles=tuple(shuffles)),
    )
    return Subject(game)
