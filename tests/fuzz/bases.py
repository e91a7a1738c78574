"""Small whole games from which fuzzing starts: what lies in their folders, by name below the project."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import bound
import test_folded_build as folding
from conftest import TINY_GAME, TINY_TABLE, TINY_TEMPLATE
from wronggames import wrong_games

Files = Mapping[str, bytes]
GAME = "tiny"
GAME_FILE = f"content/{GAME}/game.toml"

SEA = """[game]
name = "The Sea"
version = "1.0"
year = 2024
players = "2-4"
papers = ["a4", "150mm x 200mm"]

[palette]
sea = "#3fa3a8"
coral = "#f0745a"

[fonts]
title = "Fredoka One"

[texts]
motto = "Sail :fish: **home**."

[table.goods.columns]
worth = { type = "whole", min = 0, max = 9000 }
colour = { type = "colour" }

[table.cards.columns]
good = { table = "goods" }
also = { table = "goods", optional = true }
strong = { type = "flag" }
kind = { one_of = ["trade", "map"] }
weight = { type = "number", min = 0.5, optional = true }

[component.cards]
size = "40mm x 30mm"
back = "back"

[component.maps]
table = "cards"
where = { kind = "map" }
size = "40mm x 30mm"
template = "cards"

[component.chart]
kind = "board"
map = "chart.txt"
legend = "chart-legend"
cell = "10mm"

[component.tiles]
kind = "tile"
hexes = "hexes"
hex = "20mm"
template = "ground"

[component.bones]
kind = "domino"
highest = 1
size = "20mm x 40mm"
template = "ground"

[component.coins]
kind = "token"
table = "goods"
size = "18mm"
shape = "coin"
template = "ground"

[layout.start]
of = "tiles"

[layout.chain]
of = "bones"

[expect.cards]
copies = 6
different = 3
split = [{ by = "kind", counts = { trade = 4, map = 2 } }, { by = "good", groups = 2 }]
"""
SEA_RULES = """[setup]
players = "2-4"

[setup.take.hand]
what = "cards in hand"
from = "cards"
where = { kind = "trade" }
number = "2 if players < 3 else 1"
per = "player"

[claim.worth]
says = "Every good is worth something."
for = 'good in rows("goods")'
expect = 'good.worth > 0 and count("cards", good=good) >= 1'
rule = "Trading"

[claim.field]
says = "There is a town."
expect = 'board("chart").fields(kind="town") | map(attribute="cells") | sum == 2 and layout("start").slots | length == 2'

[claim.players]
says = "Enough for all."
for = "players"
expect = 'taken("cards", players) <= count("cards") and hexes("tiles") | length == 4'

[movement.chart]
diagonal = true
single = ["town"]
wraps = ["bridge"]
ends = ["town"]
starts = ["home"]
goals = ["town"]
exits = ["sea"]
occupied = ["davy"]
tolerance = "50%"

[economy]
earn = ["coins"]
free = ["goods"]

[[exchange]]
of = "cards"
needs = ["good"]
gives = ["also"]

[shuffle.start]
blocked = {}
start = { terrain = "home" }
turns = true

[words]
terms = ["harbour"]
banned = { harbor = "harbour" }
unit = "coins"
from = 100
thousands = ","
counts = { "cards" = 'count("cards")' }

[[colours]]
table = "goods"
column = "colour"
beside = "id"

[[allow]]
rule = "claim"
about = "worth"
because = "It is a test."

[agree.cards]
id = ["{name}", "{good.name:last}-*"]

[alike.hexes]
tile = ["r"]

[pile.hold]
of = ["cards"]
by = "kind"
sleeved = true

[fit.coins]
what = "coins"
in = "bones"
number = 1
room = "1mm"
most = "4mm"
"""
SEA_BOOK = """# The Sea

{{ count("cards") }} cards :fish: and *more*, page {{ page("end") }}.

{{ component_table() }}

{{ setup_table() }}

{{ board("chart", width="60mm", alt="The chart") }}

{{ layout("start", width="50%", caption="Start", alt="Three hexes") }}

::: example Anna
{{ faces("cards", ["rum", "map"], width="20mm", alt="Two") }}
:::

## End

{{ imprint() }}
"""
SEA_FACE = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}
{{ s.ground(face, palette.sea) }}
{{ s.text(row.name ~ " " ~ row.good.name, 3, 3, 34, 8, size="10 6", name="name") }}
{% if row.strong %}{{ s.badge(row.copies, 20, 20) }}{% endif %}
{{ s.icon("fish", 3, 15, 10, colour=row.good.colour) }}
{{ s.text(texts.motto, 3, 24, 34, 5, size="7 4", font="title") }}
{% endblock %}
"""
CHART_FACE = """{% extends "shared/face.svg.j2" %}
{% block face %}
{% for field in board.fields %}
<g data-field="{{ field.row.name }}"><path d="{{ field.path }}" fill="var(--sea, #88aacc)"/></g>
{% endfor %}
{% endblock %}
"""
FISH = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">
<defs><clipPath id="c"><rect width="20" height="10"/></clipPath>
<linearGradient id="g"><stop offset="0" stop-color="var(--sea)"/><stop offset="1" stop-color="#fff"/></linearGradient></defs>
<g clip-path="url(#c)" transform="translate(1 1) rotate(5)"><path d="M0 5C5 0 10 0 15 5S5 10 0 5z" fill="currentColor"/>
<use href="#e"/><circle id="e" cx="3" cy="4" r="1" fill="url(#g)" opacity="0.5"/></g></svg>
"""
COIN = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M1 5L5 1L9 5L5 9z"/></svg>\n'
PLAIN = bound.PLAIN.replace("COLOUR", "#f0e0c0")
THE_SEA = {
    "content/tiny/game.toml": SEA,
    "content/tiny/rules.toml": SEA_RULES,
    "content/tiny/rulebook.md": SEA_BOOK,
    "content/tiny/cards.csv": "id,name,good,also,strong,kind,weight,copies\nrum,Rum,rum,salt,yes,trade,1.5,3\n"
    "salt,Salt,salt,,no,trade,,1\nmap,Map,rum,salt,no,map,2,2\n",
    "content/tiny/goods.csv": "id,name,worth,colour\nrum,Old rum,1000,coral\nsalt,Salt,20,#204060\n",
    "content/tiny/chart.txt": "..#=.\n.AA>.\n1.*..\n..#=.\n",
    "content/tiny/chart-legend.csv": "letter,kind,name,blocked\n"
    ".,sea,Sea,\n#,land,Land,yes\n>,current,Current,\n=,bridge,Bridge,\n"
    "*,davy,Davy,\nA,town,Avery,\n1,home,Home,\n",
    "content/tiny/tiles.csv": "id,name,back\nbay,Bay,blue\nreef,Reef,blue\n",
    "content/tiny/hexes.csv": "tile,q,r,terrain\nbay,0,0,home\nbay,1,0,sea\nreef,0,0,sea\nreef,1,0,sea\n",
    "content/tiny/start.csv": "q,r,turn,pool\n0,0,0,blue\n0,1,0,blue\n",
    "content/tiny/chain.csv": "a,b,x,y,turn\n0,1,0,0,0\n0,0,2,0,90\n1,1,3,0,90\n",
    "content/tiny/art/fish.svg": FISH,
    "content/tiny/art/icons/fish.svg": FISH,
    "content/tiny/art/coin.svg": COIN,
    "templates/tiny/cards.svg.j2": SEA_FACE,
    "templates/tiny/chart.svg.j2": CHART_FACE,
    "templates/tiny/back.svg.j2": PLAIN,
    "templates/tiny/ground.svg.j2": PLAIN,
}
ALONE = (
    *(("tiles",), ("bones",), ("sea",), ("chips",), ("chips", "track"), ("captain",), ("pawn",), ("penguin",), ("six",)),
    *(("ten",), ("screen",), ("wall",), ("cards", "box"), ("pouch",), ("cards", "ship"), ("dial",)),
)
TINY = {
    "content/tiny/game.toml": TINY_GAME,
    "content/tiny/cards.csv": TINY_TABLE,
    "templates/tiny/cards.svg.j2": TINY_TEMPLATE,
}


def _kinds(*names: str) -> dict[str, str]:
    """Pieces of these kinds, or of every kind there is."""
    shown = names or (*folding.COPIES, "sea")
    files = {"content/tiny/game.toml": folding.part(*shown)}
    files |= {f"content/tiny/{name}.csv": table for name, table in folding.TABLES.items() if name in files[GAME_FILE]}
    faces = {name: folding.FACE.replace("SHAPE", folding.SHAPES.get(name, "'M0 0h1v1z'")) for name in shown}
    return files | {f"templates/tiny/{name}.svg.j2": face for name, face in faces.items()}


def _as_bytes(files: Mapping[str, str]) -> Files:
    return {name: text.encode() for name, text in files.items()}


@cache
def sound() -> dict[str, Files]:
    """Games in which nothing is wrong, the smallest first."""
    texts = {"tiny": TINY}
    texts |= {"-".join(names): _kinds(*names) for names in ALONE}
    texts |= {"chart": THE_SEA, "fair": bound.FILES, "kinds": _kinds()}
    return {name: _as_bytes(files) for name, files in texts.items()}


@cache
def faulty() -> dict[str, Files]:
    """The games of ``tests/games``, each wrong in one way; the game is called as those above."""
    made: dict[str, Files] = {}
    for case in wrong_games():
        files = {name.replace(f"/{case.name}/", f"/{GAME}/"): data for name, data in case.files.items()}
        if sum(map(len, files.values())) < 50_000:
            made[case.name] = files
    return made


def base(name: str) -> Files:
    """The files of a game by its name."""
    return sound().get(name) or faulty()[name]


def here() -> Path:
    """The folder of seeds."""
    return Path(__file__).parent / "seeds"
