"""A small game with one of everything that lies on a table, to be exported; its pieces can be told by their colours."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from bound import PLAIN
from commands import run
from conftest import files_in, toml
from PIL import Image
from stage import stage

GAME = toml("""
game: name = "The Bazaar: 1/2"; version = "3"; papers = ["a4"]
wares: title = "Wares"; size = "tcg"; back = "rear"
notes: title = "Notes"; size = "60mm x 40mm"; table = "post"; template = "night"
coins: kind = "token"; title = "Coins"; size = "20mm"; shape = "circle"; back = "rear"; template = "wares"
chips: kind = "token"; title = "Chips"; size = "22mm"; shape = "square"; template = "wares"; table = "coins"
tiles: kind = "tile"; title = "Tiles"; hexes = "hexes"; hex = "20mm"; back = "night"; template = "ground"
sea: kind = "board"; title = "Sea"; map = "sea.txt"; legend = "legend"; cell = "20mm"
post: kind = "standee"; title = "Post"; size = "8mm x 16mm"; base = "5mm"; table = "post"
flat: kind = "token"; title = "Flat post"; size = "12mm"; table = "post"; template = "night"; instead = "post"
dice: kind = "die"; title = "Dice"; size = "16mm"; sides = 6; copies = 2; template = "night"
bag: kind = "pouch"; title = "Bag"; size = "60mm x 70mm"; depth = "20mm"; template = "night"
""")
RULES = """
[setup]
players = "2-3"

[setup.take.reds]
what = "red coins"
from = "coins"
where = { id = "red" }
number = 2
per = "player"

[setup.take.wares]
what = "wares"
from = "wares"
number = 1
per = "player"
"""
FILES = {
    "content/tiny/game.toml": GAME,
    "content/tiny/wares.csv": "id,name,fill,rear,copies\nsilk,Silk,#ff0000,#101010,3\ncon,Twin / pair,#00c000,#101010,1\n"
    "Ähre,Twin / pair,#0000ff,#f0f000,2\nore,Ore,#ff00ff,#f0f000,2\nnone,None,#ffffff,#00f0f0,0\n",
    "content/tiny/coins.csv": "id,fill,rear,copies\nred,#ff0000,#101010,6\nblue,#0000ff,#f0f000,4\n",
    "content/tiny/post.csv": "id,copies\npost,3\n",
    "templates/tiny/wares.svg.j2": PLAIN.replace('"COLOUR"', "row.fill"),
    "templates/tiny/rear.svg.j2": PLAIN.replace('"COLOUR"', "row.rear"),
}
TAKEN_OUT = ("content/tiny/rulebook.md", "content/tiny/street.csv")


def bazaar(root: Path, files: Mapping[str, str] = MappingProxyType({})) -> Path:
    """The folder of a project with the game."""
    made = stage(root, rules=RULES, files={**FILES, **files})
    for name in TAKEN_OUT:
        (root / name).unlink()
    return made.project.root


def exported(root: Path, target: str) -> dict[str, bytes]:
    """The game, exported: its files by their names."""
    left = run("export", target, "tiny", at=root)
    assert left.code == 0, left.err
    return files_in(root / "output/tiny/export" / target)


def copies(root: Path, *components: str) -> Counter[str]:
    """How often each piece of these components is in the tables; what has no table is there once."""
    found: Counter[str] = Counter()
    for component in components:
        table = {"chips": "coins", "flat": "post", "notes": "post"}.get(component, component)
        path = root / f"content/tiny/{table}.csv"
        rows = csv.DictReader(io.StringIO(path.read_text())) if path.exists() else [{"id": component}]
        once = {"dice": "2"}.get(component, "1")
        found.update({f"{component}/{row['id']}": int(row.get("copies") or once) for row in rows})
    return +found


def picture(path: Path) -> Image.Image:
    """A picture as it lies on the disk, read whole, so that no file stays open."""
    return Image.open(io.BytesIO(path.read_bytes()))
