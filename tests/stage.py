"""A small game whose pieces can be told by their colours, with everything that a scene can stand on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from bound import PLAIN
from conftest import TinyProject, toml

from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.values.game import Game
from pnp.values.problems import Problems

GAME = toml("""
game: name = "Stage"; papers = ["a4"]
palette: wine = "#6b1f3a"
sea: kind = "board"; title = "Sea"; map = "sea.txt"; legend = "legend"; cell = "20mm"
moor: kind = "board"; title = "Moor"; map = "moor.txt"; legend = "moor"; cell = "20mm"; template = "sea"
discs: kind = "token"; title = "Discs"; size = "8mm"; shape = "circle"; back = "night"
crown: kind = "token"; title = "Crown"; size = "6mm"; template = "discs"
post: kind = "standee"; title = "Post"; size = "8mm x 16mm"; base = "5mm"
cards: title = "Cards"; size = "tcg"; table = "crown"; template = "discs"
tiles: kind = "tile"; title = "Tiles"; hexes = "hexes"; hex = "20mm"; back = "night"; template = "ground"
bones: kind = "domino"; title = "Bones"; highest = 2; size = "10mm x 20mm"; template = "ground"
track: kind = "tracker"; title = "Track"; size = "92mm x 40mm"; spaces = "spaces"; template = "ground"
layout.start: title = "Start"; of = "tiles"
layout.street: title = "Street"; of = "bones"
book.rulebook: accent = "wine"
""")
FILES = {
    "content/tiny/game.toml": GAME,
    # Row C, from the left: the home, which goes round the corner, and the two wells.
    "content/tiny/sea.txt": "....\n..w.\nhh.w\n.h..\n",
    "content/tiny/legend.csv": "letter,kind,name\n.,water,Water\nw,well,Well\nh,home,Old Home\n",
    "content/tiny/moor.txt": "aaa\naab\n",
    "content/tiny/moor.csv": "letter,kind,name\na,bog,Bog\nb,hut,Hut\n",
    "content/tiny/discs.csv": "id,fill,copies\nred,#ff0000,2\ngreen,#00c000,4\n",
    "content/tiny/crown.csv": "id,fill\ncrown,#0000ff\n",
    "content/tiny/tiles.csv": "id,name,back\nport,Port,coast\nreef,Reef,far\natoll,Atoll,far\n",
    "content/tiny/hexes.csv": "tile,q,r\n" + "".join(f"{name},0,0\n{name},1,0\n" for name in ("port", "reef", "atoll")),
    "content/tiny/start.csv": "slot,pool,q,r,turn\nnear,coast,0,0,0\nout,far,2,0,0\nend,far,0,1,60\n",
    "content/tiny/street.csv": "slot,a,b,x,y,turn\n,0,1,0,0,0\nbend,1,2,2,0,90\n,2,2,0,1,0\n"
    ",0,0,0,2,0\n,0,2,2,2,0\n,1,1,3,0,90\n",
    "content/tiny/spaces.csv": "track,value\n" + "".join(f"Gold,{n}\n" for n in range(4)) + "Fish,0\nFish,1\n",
    "content/tiny/rulebook.md": "# Stage\n\nNothing yet.\n",
    "templates/tiny/sea.svg.j2": PLAIN.replace("COLOUR", "#ffffff"),
    "templates/tiny/ground.svg.j2": PLAIN.replace("COLOUR", "#e0e0e0"),
    "templates/tiny/night.svg.j2": PLAIN.replace("COLOUR", "#404040"),
    "templates/tiny/post.svg.j2": PLAIN.replace("COLOUR", "#ff00ff"),
    "templates/tiny/discs.svg.j2": PLAIN.replace('"COLOUR"', "row.fill"),
}


def stage(root: Path, book: str = "", rules: str = "", files: Mapping[str, str] = MappingProxyType({})) -> TinyProject:
    """The game in a folder, with this rulebook, and some files as they are here."""
    made = TinyProject(Project(root))
    for name, text in {**FILES, **files}.items():
        made.write(name, text)
    if book:
        made.write("content/tiny/rulebook.md", book)
    if rules:
        made.write("content/tiny/rules.toml", rules)
    return made


def stage_game(root: Path, rules: str = "", files: Mapping[str, str] = MappingProxyType({})) -> Game:
    """The game as it is read."""
    problems = Problems()
    made = read_game(stage(root, rules=rules, files=files).project, "tiny", problems)
    assert made is not None and not problems.errors, [str(problem) for problem in problems]
    return made


def scene(on: str, *rows: str, caption: str = "") -> str:
    """A scene as it is typed; ``on`` may have more settings behind it."""
    table = "".join(f"| {row} |\n" for row in ("what | where | how", "---|---|---", *rows))
    return f'::: scene on="{on}" alt="What one sees"\n{table}{caption and chr(10) + caption + chr(10)}:::\n'
