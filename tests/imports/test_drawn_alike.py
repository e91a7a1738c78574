"""What ``pnp import`` brings stands where the other program draws it, dot for dot, and in its colours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PIL import Image
from test_bringing import Brought, brought, near

GOLD = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100" viewBox="0 0 30 10">'
    '<path d="M0 0h30v10H0z" fill="#c98b2b"/><path d="M0 0h10v10H0z" fill="#000"/></svg>'
)
WHITE, BLACK, RED, LIME, BLUE, GREEN, PURPLE = (
    (255, 255, 255), (0, 0, 0), (255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 128, 0), (128, 0, 128),
)  # fmt: skip
Shade = tuple[int, int, int]


def shown(face: Image.Image, dots: dict[tuple[float, float], Shade]) -> dict[tuple[float, float], tuple[int, ...]]:
    """The places, in mm from the corner of the cut, that have another colour than they should."""
    found = {place: face.getpixel((round(place[0] * 10), round(place[1] * 10))) for place in dots}
    return {place: colour for place, colour in found.items() if not near(colour, dots[place])}


def inked(face: Image.Image, box: tuple[float, float, float, float]) -> bool:
    """Whether letters stand in a box of mm."""
    low, _ = face.crop(tuple(round(side * 10) for side in box)).convert("L").getextrema()
    return low < 128


def project(folder: Path, **files: str) -> Callable[[str], Brought]:
    (folder / "project").mkdir()
    for name, text in files.items():
        (folder / "project" / name.replace("_", ".")).write_text(text)
    return lambda main: brought(str(folder / "project" / main), folder)


def test_shapes_turns_ranges_and_icons_of_squib(tmp_path: Path) -> None:
    """300 dots an inch; what is turned goes about its upper left corner; one picture stands among the words."""
    deck = """Squib::Deck.new(cards: 2, width: 825, height: 1125) do
  background color: :white
  rect x: 100, y: 100, width: 100, height: 50, fill_color: :red, stroke_width: 0
  circle x: 400, y: 300, radius: 50, fill_color: '#0000ff', stroke_width: 0
  ellipse x: 500, y: 500, width: 100, height: 200, fill_color: :green, stroke_width: 0
  line x1: 100, y1: 1000, x2: 700, y2: 1040, stroke_width: 12, stroke_color: :purple
  text str: 'TURNED', x: 300, y: 650, width: 300, height: 80, angle: 1.5708, align: 'center', valign: 'middle'
  svg file: 'gold.svg', x: 700, y: 600, width: 300, height: 100, angle: 1.5708
  rect x: 100, y: 400, width: 100, height: 100, fill_color: '(0,0)(0,9) #ff0000@0.0 #0000ff@1.0', stroke_width: 0
  text range: [0], str: 'First', x: 100, y: 800, width: 200, height: 60
  text range: -1, str: 'Last', x: 450, y: 820, width: 200, height: 60
  text(str: 'Take gold now', x: 100, y: 900, width: 500, height: 80) do |embed|
    embed.svg key: 'gold', file: 'gold.svg', width: 60, height: 20
  end
  save_png trim: 37.5
end
"""
    game = project(tmp_path, deck_rb=deck, gold_svg=GOLD)("deck.rb")
    first, last = game.face("row-2-front"), game.face("row-3-front")

    assert shown(first, {(9.5, 7.4): RED, (4.8, 7.4): WHITE, (14.3, 7.4): WHITE}) == {}, "the rectangle"
    assert shown(first, {(30.7, 22.2): BLUE, (30.7, 18.5): BLUE, (27.2, 18.7): WHITE}) == {}, "the circle about its middle"
    assert shown(first, {(43.4, 40): GREEN, (43.4, 55): GREEN, (40, 40): WHITE}) == {}, "the ellipse in its box"
    assert shown(first, {(30.7, 83.2): PURPLE, (30.7, 82.4): WHITE, (57, 84.9): WHITE}) == {}, "the line"
    assert shown(first, {(52, 50): BLACK, (52, 70): (201, 139, 43), (58, 50): WHITE}) == {}, "the picture hangs down"
    assert inked(first, (15.6, 52, 22.1, 77)) and not inked(first, (22.5, 52, 38, 62)), "the words stand upright"
    assert inked(first, (5, 64, 15, 70)) and not inked(first, (35, 65, 47, 71)), "the first of two"
    assert inked(last, (35, 65, 47, 71)) and not inked(last, (5, 64, 15, 70)), "the last of two"
    assert {row["text_text"] for row in game.table()} == {"Take :gold: now"}
    assert "instead of the gradient" in game.left["deck.rb:9"] and "deck.rb:8" not in game.left


def test_shapes_turns_and_sums_of_nandeck(tmp_path: Path) -> None:
    """Lines have two ends, borders come before the ground, angles turn against the clock, braces are worked out."""
    script = """UNIT = MM
CARDSIZE = 60, 90
FONT = Arial, 12, B, #000000
LINE = 1-2, 5, 80, 55, 84, #800080, 1.5
CIRCLE = 1-2, 20, 20, 10, 10, #0000FF, #0000FF
ELLIPSE = 1-2, 35, 20, 10, 20, #008000
ROUNDRECT = 1-2, 10, 50, 20, 10, #FF0000, #00FF00, 1
RECTANGLE = 1-2, 50, 60, -10, -10, #FF0000#0000FF@90
TEXT = 1-2, "TURNED", 5, 65, 20, 6, center, center, 90
HTMLFONT = f1, Arial, 14, B, #b00020
HTMLTEXT = 1-2, "Take <b>two</b> <i>coins</i>", 30, 65, 25, 10, , 0, , 100, f1
TEXT = 2, "{1+1} cards", 5, 5, 20, 6
INCLUDE = gone.txt
"""
    game = project(tmp_path, x_txt=script)("x.txt")
    face = game.face("row-2-front")

    assert shown(face, {(30, 82): PURPLE, (30, 80.8): WHITE}) == {}, "the line"
    assert shown(face, {(25, 25): BLUE, (20.8, 20.8): WHITE, (40, 22): GREEN, (40, 38): GREEN, (36, 22): WHITE}) == {}
    assert shown(face, {(20, 55): LIME, (20, 50): RED, (9.6, 49.6): WHITE}) == {}, "the round corner and its border"
    assert shown(face, {(45, 55): RED, (51, 55): WHITE}) == {}, "a negative size goes the other way"
    assert inked(face, (12, 60, 18, 76)) and not inked(face, (5, 65, 11.5, 71)), "the words climb"
    assert {row["html_text"] for row in game.table()} == {"Take **two** *coins*"}
    assert game.words.count("2 cards") == 1
    assert "instead of the gradient" in game.left["x.txt:8"] and "no such file" in game.left["x.txt:13"]


def test_icons_of_nandeck_stand_one_after_the_other(tmp_path: Path) -> None:
    """By their keys, the longest first, in lines about the middle of their box or at its side; letters without a key are
    no icons."""
    square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z" fill="{}"/></svg>'
    script = """UNIT = MM
CARDSIZE = 60, 90
LINK = herd.csv
ICON = , G, green.svg
ICON = , GR, red.svg
VISUAL = HV, 10, 10
ICONS = , [cost], 10, 10, 25, 20, 10, 10, 0, PN
ICONS = , [cost], 10, 60, 40, 10, 10, 10, 0, , RIGHT, TOP
ENDVISUAL
"""
    table = "name,cost\nGoat,GRxGG\nKid,G\nHill,\n"
    files = {"green_svg": square.format("#008000"), "red_svg": square.format("#ff0000")}
    game = project(tmp_path, x_txt=script, herd_csv=table, **files)("x.txt")
    three, one, none = (game.face(f"{name}-front") for name in ("goat", "kid", "hill"))

    assert [row["cost"] for row in game.table()] == ["red.svg, green.svg, green.svg", "green.svg", ""]
    # Two to a line of 25 mm: 2.5 mm are left at both sides, and 7.5 mm of the line that has one.
    assert shown(three, {(13, 15): RED, (32, 15): GREEN, (11.5, 15): WHITE, (22, 25): GREEN, (16, 25): WHITE}) == {}
    assert shown(three, {(21, 65): RED, (49, 65): GREEN, (19, 65): WHITE}) == {}, "at the right"
    assert shown(one, {(18, 20): GREEN, (16, 20): WHITE, (49, 65): GREEN, (39, 65): WHITE}) == {}
    assert shown(none, {(22.5, 20): WHITE, (45, 65): WHITE}) == {}


def test_shapes_borders_and_choices_of_cardmaker(tmp_path: Path) -> None:
    """An element may have a ground and a border; a choice may be an if; of two sheets one counts."""
    usual = 'rotation="0" font="Arial;30;0;0;0;0" elementcolor="0x000000FF" opacity="255" enabled="true"'
    elements = (
        f'<Element name="Rank" type="Text" variable="#(if @[kind] == goat then Herd else Rocks)#" x="100" y="900" '
        f'width="600" height="90" {usual}/>'
        f'<Element name="Box" type="Text" variable="Boxed" x="100" y="500" width="400" height="100" {usual} '
        'backgroundcolor="0xFF0000FF" borderthickness="12" bordercolor="0x0000FFFF" outlinethickness="2"/>'
        f'<Element name="Round" type="Shape" variable="#ellipse;0;-;-;0#" x="100" y="100" width="200" height="100" {usual}/>'
        f'<Element name="Ring" type="Shape" variable="#rect;24;-;-;0#" x="400" y="100" width="200" height="100" {usual}/>'
        f'<Element name="Star" type="Shape" variable="#star;0#" x="400" y="300" width="200" height="100" {usual}/>'
        f'<Element name="Off" type="Text" variable="Hidden" x="100" y="300" width="200" height="100" '
        f"{usual.replace('true', 'false')}/>"
    )
    herd = '<Layout Name="Herd" width="825" height="1125" dpi="300" defaultCount="1" combineReferences="false">'
    sheets = '<Reference RelativePath="herd.csv" Default="true"/><Reference RelativePath="gone.csv"/>'
    lone = '<Layout Name="Lone" width="825" height="1125" dpi="300" defaultCount="3">' + elements.partition("/>")[2]
    text = (
        f'<Project>\n{herd}{elements}{sheets}</Layout>\n{lone}</Layout>\n<Layout Name="Dot" width="9" height="9"/></Project>'
    )
    game = project(tmp_path, goats_cmp=text, herd_csv="count,kind\n2,goat\n1,ram\n")("goats.cmp")
    first = game.face("row-2-front", of="herd")

    assert "Herd" in game.words and "Rocks" in game.words and "Hidden" not in game.words
    assert shown(first, {(13, 9): BLACK, (6, 6): WHITE, (42, 9): WHITE, (31, 9): BLACK}) == {}, "filled, and a ring"
    assert shown(first, {(7.5, 44): RED, (5.3, 44): BLUE}) == {}, "the ground and the border of words"
    told = (game.folder / "README.md").read_text()
    assert all(each in told for each in ("no outline", '"star"', "gone.csv", "smaller than 3 mm", "not enabled"))
    assert [row["copies"] for row in game.table("lone")] == ["3"]


def test_boxes_of_cider(tmp_path: Path) -> None:
    """Absolute from any side, in percent, and side by side; colours that are none, gradients and pictures are told."""
    css = """.card { width: 825px; height: 1125px; position: relative; background-color: #fff }
.a { position: absolute; left: 100px; top: 100px; width: 100px; height: 50px; background-color: red }
.b { position: absolute; right: 100px; bottom: 100px; width: 20%; height: 60px; background-color: blue }
.row { position: absolute; left: 100px; top: 400px; width: 600px; height: 100px; display: flex }
.one { width: 150px; background-color: lime }
.two { flex: 1; background-color: purple }
.three { flex: 1; background-color: black }
.odd { position: absolute; top: 700px; left: 100px; width: 90px; height: 90px; background-color: linear-gradient(red, blue) }
.words { position: absolute; top: 900px; left: 100px; width: 400px; height: 90px; font-size: 50px; opacity: 0.x }
"""
    html = (
        '<div class="card"><div class="a"></div><div class="b"></div><div class="row"><div class="one"></div>'
        '<div class="two"></div><div class="three"></div></div><div class="odd"></div>'
        '<div class="words">{{card.name}}</div><video></video></div>'
    )
    home = tmp_path / "project" / "decks" / "hill"
    home.mkdir(parents=True)
    for name, text in {
        "front.html": html, "front.css": css, "back.html": html.replace("{{card.name}}", ""), "back.css": css,
        "attributes.csv": "Name,Description,Type,Options\n",
        "cards.csv": "Name,Count,Front Template,Back Template\nNanny,1,Front,Back\nBilly,1,Front,Gone\n",
    }.items():  # fmt: skip
        (home / name).write_text(text)
    game = brought(str(tmp_path / "project"), tmp_path)
    face = game.face("nanny-front")

    assert shown(face, {(9.5, 7.4): RED, (14.3, 7.4): WHITE}) == {}
    assert shown(face, {(45, 79): BLUE, (57, 83): BLUE, (43, 81): WHITE, (59, 81): WHITE, (51, 78): WHITE}) == {}
    assert shown(face, {(6, 35): LIME, (17, 35): LIME, (19, 35): PURPLE, (36, 35): PURPLE, (38, 35): BLACK}) == {}
    assert inked(face, (5, 73, 39, 81))
    told = (game.folder / "README.md").read_text()
    assert all(each in told for each in ("instead of a gradient", "<video>", "Gone"))
