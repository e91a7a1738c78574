"""Faces of an earlier build are taken over when nothing that decides them has changed, and only then."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pnp.draw import art
from pnp.draw.cards import Origin, Studio, check_columns, draw_component
from pnp.draw.cut import Frame
from pnp.draw.entry import MOST_BYTES, Around, Entry, Kept, packed, unpacked
from pnp.draw.template import Reach
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.shapes.affine import IDENTITY, Affine
from pnp.system.cache import Cache
from pnp.values.faces import Face, PlacedLayer
from pnp.values.game import Ink
from pnp.values.layers import (
    Icon,
    IconSpan,
    ImageLayer,
    LineBreak,
    Listing,
    Paragraph,
    Setting,
    TextBox,
    TextLabel,
    TextLayer,
    TextSpan,
)
from pnp.values.problems import Problems

ROOT = Path(__file__).resolve().parents[2]
SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h{}v5z" fill="var(--sea)"/></svg>'
GAME = """
[game]
name = "Tiny"
papers = ["a4"]
[palette]
sea = "#123456"
[fonts]
title = "Amatic SC"
[texts]
motto = "Go :coin: on"
[table.cards.columns]
good = { table = "goods" }
[table.towns]
[component.cards]
size = "tcg"
back = "back"
"""
FILES = {
    "content/tiny/game.toml": GAME,
    "content/tiny/cards.csv": "id,name,good,note\nanna,Anna,ice,\nbert,Bert,fish,\ncarl,Carl,ice,\n",
    "content/tiny/goods.csv": "id,name,price\nice,Ice,1\nfish,Fish,2\n",
    "content/tiny/towns.csv": "id,name\nporto,Porto\n",
    "content/tiny/art/bert.svg": SQUARE.format(5),
    "content/tiny/art/usual.svg": SQUARE.format(6),
    "content/tiny/art/back.svg": SQUARE.format(7),
    "content/tiny/art/icons/coin.svg": SQUARE.format(8),
    "templates/shared/own.svg.j2": "{% macro line(y) %}<path d='M0 {{ y }}h9'/>{% endmacro %}",
    "templates/tiny/cards.svg.j2": """{% extends "shared/face.svg.j2" %}
        {% import "shared/pieces.svg.j2" as s %}{% import "shared/own.svg.j2" as own %}
        {% block face %}{{ own.line(4) }}{{ s.icon(picture("usual"), 9, 9, 9) }}{% include "more.svg.j2" ignore missing %}
        {{ s.text(row.name, 5, 40, 50, 9) }}{{ s.text(texts.motto, 5, 50, 50, 9) }}{{ s.text(row.good.name, 5, 60, 50, 9) }}
        {{ s.text(tables.towns | map(attribute="name") | join(), 5, 70, 50, 9) }}{% endblock %}""",
    "templates/tiny/back.svg.j2": """{% extends "shared/face.svg.j2" %}
        {% import "shared/pieces.svg.j2" as s %}{% block face %}{{ s.icon("back", 9, 9, 9) }}{% endblock %}""",
}
FRONTS = ["cards/anna", "cards/bert", "cards/carl"]
ALL = ["cards/anna", "cards/anna (back)", "cards/bert", "cards/carl"]


@dataclass
class Watched(Studio):
    """A studio that tells which faces it draws."""

    drawn: list[str] = field(default_factory=list)

    def face(self, template: str, frame: Frame, values: Mapping[str, Any], origin: Origin) -> Face:
        """As every studio does, and put down."""
        self.drawn.append(origin.name)
        return Studio.face(self, template, frame, values, origin)


@dataclass
class Drawn:
    """What a build has drawn, and all that comes of it."""

    drawn: list[str]
    result: list[Any]

    @property
    def problems(self) -> list[str]:
        """What was wrong."""
        return [problem.rule for problem in self.result[-1]]


@dataclass
class Builds:
    """Builds of one game with one cache."""

    root: Path
    game: str = "tiny"
    cache: Cache = field(init=False)

    def __post_init__(self) -> None:
        self.cache = Cache(self.root / "cache")

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file of the project."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    def change(self, name: str, old: str, new: str) -> None:
        """Write something else in a file, where it stands once."""
        text = (self.root / name).read_text()
        assert text.count(old) == 1
        self.write(name, text.replace(old, new))

    def draw(self, ink: Ink = "", cold: bool = False) -> Drawn:
        """A build; a cold one knows no earlier one."""
        problems = Problems()
        game = read_game(Project(self.root), self.game, problems)
        assert game is not None, list(map(str, problems))
        studio = Watched(game, problems, ink, None if cold else self.cache)
        decks = [draw_component(studio, component) for component in game.components]
        studio.keep()
        check_columns(game, problems)
        pieces = [deck.pieces for deck in decks]
        origins = {key: (origin.name, origin.place) for key, origin in studio.origins.items()}
        used = {name: table.used for name, table in game.tables.items()}
        return Drawn(studio.drawn, [pieces, studio.layers(), origins, used, list(problems)])

    def again(self, ink: Ink = "") -> list[str]:
        """What another build draws; all that comes of it is what comes of a cold one."""
        warm, cold = self.draw(ink), self.draw(ink, cold=True)
        assert warm.result == cold.result
        return warm.drawn


@pytest.fixture
def builds(tmp_path: Path) -> Builds:
    """A game of three cards, drawn once."""
    made = Builds(tmp_path)
    for name, content in FILES.items():
        made.write(name, content)
    assert made.draw().problems == ["unused-column"]
    return made


def own_font(builds: Builds, size: int) -> None:
    """A font of the game's own, in which something other than the letters changes."""
    from fontTools.ttLib import TTFont

    with TTFont(Path(str(resources.files("font_amatic_sc"))) / "files" / "AmaticSC-Regular.ttf") as font:
        font["head"].lowestRecPPEM = size
        (builds.root / "content/tiny/fonts").mkdir(exist_ok=True)
        font.save(builds.root / "content/tiny/fonts/Own.ttf")


# -- taking over


def test_a_second_build_draws_nothing(builds: Builds) -> None:
    """Pieces, layers, whom to blame for them, the columns that were used and the warnings are those of a cold build."""
    assert builds.again() == []


def test_within_a_build_a_face_that_no_row_decides_is_drawn_once(builds: Builds) -> None:
    """A deck has one back; with or without a cache."""
    assert builds.draw(cold=True).drawn == ALL


def test_columns_that_only_kept_faces_use_are_used(builds: Builds) -> None:
    """What nothing asked for is named in both builds, what a kept face asked for in neither."""
    first, second = builds.draw(cold=True), builds.draw()

    assert [str(problem.place) for problem in first.result[-1]] == ["content/tiny/cards.csv:1:note"]
    assert second.result[-1] == first.result[-1]


@pytest.mark.parametrize(("game", "ink"), [*((game, "") for game in Project(ROOT).games()), ("penguin", "low-ink")])
def test_the_packs_are_kept(tmp_path: Path, game: str, ink: Ink) -> None:
    """Cards, boards, tiles, dice, boxes: of games without faults all is taken over, and nothing of it is other."""
    shutil.copytree(ROOT / "content", tmp_path / "content", ignore=shutil.ignore_patterns("*.md"))
    shutil.copytree(ROOT / "templates", tmp_path / "templates")
    builds = Builds(tmp_path, game)
    cold, warm = builds.draw(ink), builds.draw(ink)

    assert len(cold.drawn) > 20
    assert (warm.drawn, warm.result) == ([], cold.result)


# -- drawing anew

CARDS, GOODS, TOML, ART = (f"content/tiny/{name}" for name in ("cards.csv", "goods.csv", "game.toml", "art"))
NOTHING = "{% macro line(y) %}{% endmacro %}"
CHANGES: dict[str, tuple[Callable[[Builds], None], list[str]]] = {
    "a cell": (lambda builds: builds.change(CARDS, "Anna", "Anne"), ["cards/anna"]),
    "a cell that no template reads": (lambda builds: builds.change(CARDS, "Carl,ice,", "Carl,ice,x"), ["cards/carl"]),
    "another row": (lambda builds: builds.change(CARDS, "bert,", "dora,Dora,ice,\nbert,"), ["cards/dora"]),
    "a row referred to": (lambda builds: builds.change(GOODS, "Ice", "Snow"), ["cards/anna", "cards/carl"]),
    "a table that is read": (lambda builds: builds.change("content/tiny/towns.csv", "Porto", "Faro"), FRONTS),
    "a row that none refers to": (lambda builds: builds.change(GOODS, "2\n", "2\nrum,Rum,3\n"), []),
    "a template": (lambda builds: builds.change("templates/tiny/back.svg.j2", "9, 9, 9", "9, 9, 8"), ["cards/anna (back)"]),
    "a macro": (lambda builds: builds.change("templates/shared/own.svg.j2", "h9", "h8"), FRONTS),
    "a file that was not there": (lambda builds: builds.write("templates/more.svg.j2", "<path d='M0 0v9'/>"), FRONTS),
    "a file before another": (lambda builds: builds.write("content/tiny/templates/shared/own.svg.j2", NOTHING), FRONTS),
    "a drawing": (lambda builds: builds.write(f"{ART}/usual.svg", SQUARE.format(1)), ["cards/anna", "cards/carl"]),
    "an icon": (lambda builds: builds.write(f"{ART}/icons/coin.svg", SQUARE.format(1)), FRONTS),
    "a card's own drawing": (lambda builds: builds.write(f"{ART}/cards/carl.svg", SQUARE.format(1)), ["cards/carl"]),
    "a drawing taken away": (lambda builds: (builds.root / ART / "bert.svg").unlink(), ["cards/bert"]),
    "a drawing that nobody shows": (lambda builds: builds.write(f"{ART}/whale.svg", SQUARE.format(1)), []),
    "the palette": (lambda builds: builds.change(TOML, "#123456", "#123457"), ALL),
    "a text": (lambda builds: builds.change(TOML, "Go", "Come"), ALL),
    "a role": (lambda builds: builds.change(TOML, "Amatic SC", "Fredoka One"), ALL),
    "the size": (lambda builds: builds.change(TOML, "tcg", "poker"), ALL),
    "a font": (lambda builds: own_font(builds, 9), ALL),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_has_changed_is_drawn_anew(builds: Builds, what: str) -> None:
    """The faces that it decides, and no others; and only once."""
    change, expected = CHANGES[what]
    change(builds)

    assert builds.again() == expected
    assert builds.again() == []


def test_another_font_file_of_the_same_letters(builds: Builds) -> None:
    """Fonts of the game count by their content."""
    own_font(builds, 9)
    builds.draw()
    own_font(builds, 8)

    assert builds.again() == ALL


def test_twins(builds: Builds) -> None:
    """Two pieces with one face are each kept, and each drawn anew with what is on it."""
    builds.change(CARDS, "carl,Carl", "carl,Anna")
    assert builds.again() == ["cards/carl"]
    assert builds.again() == []
    builds.write(f"{ART}/usual.svg", SQUARE.format(1))
    assert builds.again() == ["cards/anna", "cards/carl"]
    assert builds.again() == []


def test_dice(builds: Builds) -> None:
    """A row also decides what the kind of its piece makes of it, though the template never names the row."""
    builds.write(TOML, GAME + '[component.dice]\nkind = "die"\ntable = "dice"\nsides = 6\nsize = "16mm"\n')
    builds.write("content/tiny/dice.csv", "id,faces\none,1 2 3 4 5 6\ntwo,1 2 3 4 5 6\n")
    builds.write(
        "templates/tiny/dice.svg.j2",
        """{% extends "shared/face.svg.j2" %}{% block face %}{% for panel in net.panels %}
        <path d="M{{ loop.index }} {{ panel.value or 0 }}v9"/>{% endfor %}{% endblock %}""",
    )
    assert builds.again() == ["dice/one", "dice/two"]
    assert builds.again() == []
    builds.change("content/tiny/dice.csv", "two,1 2", "two,7 2")
    assert builds.again() == ["dice/two"]


def test_each_ink_has_its_own(builds: Builds) -> None:
    """Grey faces are not colourful ones; both are kept side by side."""
    assert builds.again("grey") == ALL
    assert builds.again("grey") == []
    assert builds.again() == []


@pytest.mark.parametrize(
    "damage", [b"", b"no json", b"[]", b"{}", b'{"faces": 1}'], ids=["empty", "text", "list", "object", "other"]
)
def test_a_damaged_entry_costs_time_alone(builds: Builds, damage: bytes) -> None:
    """Whether its file is damaged or it holds what no build has put there."""
    (path,) = [path for path in (builds.root / "cache").glob("??/*") if b'{"reaches"' in path.read_bytes()]
    path.write_bytes(path.read_bytes()[:-40])
    assert builds.again() == ALL
    builds.cache.put(path.parent.name + path.name, damage)
    assert builds.again() == ALL
    assert builds.again() == []


def test_pictures_made_of_dots_are_kept(builds: Builds) -> None:
    """To the byte."""
    Image.new("RGB", (4, 3), "#ff0000").save(builds.root / "content/tiny/art/anna.png")
    assert builds.again() == ["cards/anna"]
    assert builds.again() == []


def test_kept_drawings_count_among_those_of_the_game(builds: Builds, monkeypatch: pytest.MonkeyPatch) -> None:
    """Together they are bounded, whether a face is drawn or kept; one that both need counts once."""
    files = sum(path.stat().st_size for path in (builds.root / ART).rglob("*.svg"))
    monkeypatch.setattr(art, "MOST_TOGETHER", files)
    builds.change(CARDS, "Anna", "Anne")
    assert builds.again() == ["cards/anna"]
    builds.write(f"{ART}/anna.svg", SQUARE.format(4))
    builds.again()
    assert "bad-drawing" in builds.draw().problems


# -- what is not kept


def test_faults_are_told_each_time(builds: Builds) -> None:
    """A face with a fault is drawn in every build, and so is one that is its twin, whoever of them was drawn first."""
    builds.write(CARDS, "id,name,good\nanna,Twin :whale:,ice\ncarl,Twin :whale:,ice\n")
    assert [problem.place.row for problem in builds.draw().result[-1]] == [2]
    assert builds.again() == ["cards/anna", "cards/carl"]
    builds.change(CARDS, "anna,Twin :whale:", "anna,Anna")
    assert [problem.place.row for problem in builds.draw().result[-1]] == [3]
    assert builds.again() == ["cards/carl"]


def test_a_template_that_broke_is_told(builds: Builds) -> None:
    """Kept faces do not hide that they could not be drawn any more."""
    builds.write("templates/shared/own.svg.j2", "{% macro line(y) %}")
    assert builds.again() == FRONTS
    assert "bad-template" in builds.draw().problems


def test_a_template_that_is_decided_while_it_is_filled(builds: Builds) -> None:
    """What it takes in cannot be known beforehand: its faces are drawn each time."""
    builds.change("templates/tiny/cards.svg.j2", '"more.svg.j2"', 'row.id ~ ".svg.j2"')
    assert builds.again() == FRONTS
    builds.write("templates/anna.svg.j2", "<path d='M0 0v9'/>")
    assert builds.again() == FRONTS


def test_faces_that_count_one_another(builds: Builds) -> None:
    """A file that remembers from face to face is told the same as ever: all of them."""
    builds.write(
        "templates/shared/own.svg.j2",
        "{% set seen = namespace(faces=0) %}{% macro line(y) %}{% set seen.faces = seen.faces + 1 %}"
        "<path d='M0 {{ seen.faces }}h9'/>{% endmacro %}",
    )
    builds.draw()
    builds.change("content/tiny/cards.csv", "Anna", "Anne")
    assert builds.again() == FRONTS


def test_no_face_is_kept_past_one_without_end(builds: Builds) -> None:
    """When a template has no end on one card, it is not tried on the next, whether that one is kept or not."""
    endless = "{% for i in range(99999) %}{% for j in range(99) %}{% endfor %}{% endfor %}"
    builds.change("templates/tiny/cards.svg.j2", "{{ own", f"{{% if row.name == 'Bo' %}}{endless}{{% endif %}}{{{{ own")
    builds.draw()
    builds.change("content/tiny/cards.csv", "Bert", "Bo")
    assert builds.again() == ["cards/bert", "cards/carl"]


def test_what_is_too_large_is_not_kept() -> None:
    """It would push all else out of the cache."""
    layer = ImageLayer("key", 1.0, 1.0, "a.png", "cover", {"a.png": bytes(MOST_BYTES + 1)})
    face = Face("face", 1.0, 1.0, 0.0, (PlacedLayer(layer, IDENTITY),))

    assert packed(Entry({}, {"a": Kept(face, 1, Around((), ()))})) is None


def test_what_is_kept_comes_back_as_it_was() -> None:
    """Numbers keep their kind, pieces their order, faces that share layers share them."""
    setting = Setting(("A", "B"), (9, 8.5), "#000000", 400, "italic", "he", "rtl", 1.18, -0.05, "right", "middle")
    bold, line = TextSpan("b\u2009", bold=True), Paragraph((TextSpan("a", italic=True), LineBreak(), IconSpan("coin")))
    rich = (Paragraph((bold, TextSpan("c"))), Listing(((line, Listing(((line,), ()), 0)), (line,))), Paragraph(()))
    box = TextBox(
        "rules", "a", 1, 2.0, 3.5, 4, setting, True, rich, ((bold, TextSpan("c")), (bold,)), (Icon("coin", "b", 1),)
    )
    label = TextLabel("7", -0.0, 1.0, ("A",), 9, "#123456", 700, "normal", "middle")
    twin = replace(box, source="b", width=3, hyphenate=False, blocks=(), words=(), icons=())
    other = replace(box, setting=replace(setting, fill="#ffffff", sizes=(9.0,)))
    files = {"a.png": bytes(range(256)), "b.svg": "<svg>\u00e9\u2009</svg>".encode()}
    one = TextLayer("one", 1.0, 2.0, (box, label, twin), files)
    two = TextLayer("two", 1, 2, (replace(label, x=0.0), other, twin), {})
    three = ImageLayer("three", 1, 2.5, "a.png", "stretch", files)
    places = [
        PlacedLayer(one, IDENTITY),
        PlacedLayer(two, Affine(1.0, 0.1, -0.0, 1 / 3, 5.0, 1e-9)),
        PlacedLayer(one, IDENTITY),
        PlacedLayer(three, IDENTITY),
    ]
    around = Around((("cards.csv:cards", ("id", "name")),), ((("icon", "coin"), "digest"), (("has", "x"), "")))
    entry = Entry(
        {"front": ("made", Reach(("a.svg.j2",), frozenset(("row", "face"))))},
        {name: Kept(Face(f"face {name}", 1.5, 2, 0.0, tuple(places)), 7, around) for name in "ab"},
    )
    content = packed(entry)
    assert content is not None
    back = unpacked(content)

    assert back == entry
    assert repr(back.faces) == repr(entry.faces)
    first = back.faces["a"].face.layers[0].layer
    assert first is back.faces["b"].face.layers[2].layer
    assert isinstance(first, TextLayer)
    settings = [piece.setting for piece in first.pieces if isinstance(piece, TextBox)]
    assert len(settings) == 2 and settings[0] is settings[1]
    assert json.loads(content)["files"].keys() == files.keys()
