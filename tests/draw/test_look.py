"""A component without a template is drawn from its columns: all of them are on the cards, whatever they are called."""

from __future__ import annotations

import colorsys
import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast, get_args

import jinja2
import openpyxl
import pypdfium2 as pdfium
import pytest
from commands import run
from conftest import TINY_TEMPLATE, TinyProject, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from pnp.draw.look import STYLES, looks
from pnp.flows.check import check_game
from pnp.flows.start import write_looks
from pnp.flows.translate import translate_game
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.shapes.colour import channels, code_of, luminance
from pnp.values.game import Look
from pnp.values.languages import Translated
from pnp.values.problems import Problems

CARDS = """name,cost,type,text,flavour,attack,defence,home
Peat Cutter,2,Unit,Gain one peat.,The ground gives.,17,38,Moor
Causeway,3,Place,Your units cross bogs.,,,4,
Heron,21,Unit,Look at the top card.,Patience has long legs.,2,2,Lake
"""


def game(tiny: TinyProject, table: str, style: str = "plain", more: str = 'size = "poker"\nback = "back"') -> TinyProject:
    """A game of cards without templates."""
    for file in tiny.project.root.glob("templates/tiny/*"):
        file.unlink()
    tiny.write("content/tiny/game.toml", f'[game]\nname = "Tiny"\nstyle = "{style}"\n\n[component.cards]\n{more}\n')
    tiny.write("content/tiny/cards.csv", table)
    return tiny


def words(tiny: TinyProject) -> str:
    """What is printed on the sheets, in one line."""
    (file,) = (tiny.project.root / "output").rglob("cards*.pdf")
    with pdfium.PdfDocument(file) as pdf:
        return " ".join(" ".join(page.get_textpage().get_text_bounded().split()) for page in pdf)


@pytest.mark.parametrize(("size", "cropped"), [("a3", ""), ("297mm x 420mm", ""), ("300mm x 200mm", "300mm x 424mm")])
def test_a_board_that_is_a_picture_needs_no_template(tiny: TinyProject, size: str, cropped: str) -> None:
    """It is printed to the bleed; where the board has another shape, the size that the picture has is told."""
    game(tiny, "name\nAnna\n", more=f'size = "poker"\n[component.sea]\nkind = "board"\nsize = "{size}"')
    problems = Problems()
    read_game(tiny.project, "tiny", problems)
    assert [problem.rule for problem in problems] == ["missing-template"] and "art/, as sea.png" in next(iter(problems)).hint

    target = io.BytesIO()
    Image.new("RGB", (2970, 4200), "#2a7f9e").save(target, "PNG")
    tiny.write("content/tiny/art/sea.png", target.getvalue())
    result = check_game(tiny.project, "tiny", lambda _: None)

    assert [(told.rule, told.allowed) for told in result.problems] == ([("cropped-picture", cropped)] if cropped else [])
    assert tiny.build(papers=("a4",)).ok
    with pdfium.PdfDocument(tiny.project.root / "output/tiny/one-piece/sea.pdf") as pdf:
        red = pdf[0].render().to_pil().getchannel("R")
    left, top, right, low = red.point([255 * (value == 0x2A) for value in range(256)]).getbbox() or (0, 0, 0, 0)
    wide, high = sorted((right - left, low - top))
    assert (wide / 72 * 25.4, high / 72 * 25.4) == pytest.approx((206, 306) if cropped else (303, 426), abs=1)


def _photograph(width: int, height: int, turned: bool = False) -> bytes:
    target, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6 if turned else 1
    Image.effect_noise((width, height), 80).save(target, "JPEG", exif=exif)
    return target.getvalue()


DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200"><path fill="#2a7f9e" d="M0 0h300v200H0z"/></svg>'


@pytest.mark.parametrize("size", ["90mm x 60mm", "90mm x 90mm"])
@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("sea.svg", lambda: DRAWING.encode()),
        ("sea.jpg", lambda: _photograph(600, 900, turned=True)),
        ("sea.jpg", lambda: _photograph(3600, 2400)),
    ],
    ids=["drawing", "camera on its side", "more dots than are printed"],
)
def test_what_a_board_crops_is_told_of_every_picture(
    tiny: TinyProject, name: str, made: Callable[[], bytes], size: str
) -> None:
    """Pictures of three to two: of the board that is square, a third is lost."""
    game(tiny, "name\nAnna\n", more=f'size = "poker"\n[component.sea]\nkind = "board"\nsize = "{size}"')
    tiny.write(f"content/tiny/art/{name}", made())
    told = [each for each in check_game(tiny.project, "tiny", lambda _: None).problems if each.rule == "cropped-picture"]

    assert [each.allowed for each in told] == ([] if size == "90mm x 60mm" else ["90mm x 60mm"])


@pytest.mark.parametrize(
    ("style", "ink"), [*((style, "") for style in get_args(Look)), ("night", "low-ink"), ("comic", "grey")]
)
def test_each_style_prints_every_cell_without_a_finding(tiny: TinyProject, style: str, ink: str) -> None:
    """In colour, in little ink and in grey; numbers of the corners have their column's name beside them."""
    result = game(tiny, CARDS, style).build(papers=("a4",), ink=ink)

    assert result.ok and [str(problem) for problem in result.problems] == []
    printed = words(tiny)
    for row in csv.DictReader(io.StringIO(CARDS)):
        assert all(cell in printed for cell in row.values()), (row, printed)
    assert "defence" in printed and "home" in printed


@pytest.mark.parametrize(
    ("table", "more", "printed"),
    [
        ("question,answer\nHow deep?,Deeper than you think it is.\n", 'size = "tarot"', ["How deep?", "Deeper"]),
        ("value,copies\n5,2\n", 'kind = "token"\nsize = "25mm"\nshape = "circle"', ["5"]),
        ("name\nForest\n", 'size = "40mm x 40mm"', ["Forest"]),
        ("nombre,coste,texto\nPuerto,2,Vende.\n", 'size = "89mm x 57mm"', ["Puerto", "2", "Vende."]),
        (",".join(f"stat{n}" for n in range(9)) + "\n" + ",".join(map(str, range(10, 19))) + "\n", 'size = "poker"', ["18"]),
    ],
)
def test_any_columns_make_a_piece(tiny: TinyProject, table: str, more: str, printed: list[str]) -> None:
    """Few and many, in other languages, on pieces of other sizes."""
    result = game(tiny, table, more=more).build(papers=("a4",))

    assert result.ok and [problem.rule for problem in result.problems if problem.rule != "small-text"] == []
    assert all(each in words(tiny) for each in printed)


def test_a_drawing_of_the_row_is_shown(tiny: TinyProject) -> None:
    """One called as its id, or named in any column for pictures; a row without has its first letter."""
    game(tiny, "id,name,image\nheron,Heron,\nditch,Ditch,mud\nmoor,Xerxes,\n")
    for name in ("heron", "mud"):
        tiny.write(
            f"content/tiny/art/{name}.svg",
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="5" cy="5" r="3"/></svg>',
        )
    result = tiny.build(papers=("a4",))

    assert result.ok and [str(problem) for problem in result.problems] == []
    assert " X" in words(tiny) and " H " not in words(tiny)

    # Whatever the column of names is called.
    result = game(tiny, "Card Name,text\nHeron,Wades.\nMud,Sinks.\n").build(papers=("a4",))
    assert result.ok and [str(problem) for problem in result.problems] == []
    assert " H " not in words(tiny)


def tints(
    tiny: TinyProject, table: str, style: str = "plain", palette: str = "", told: Mapping[str, str] | None = None
) -> dict[str, tuple[str, str]]:
    """The colour of each row by its name, and that of the words on it, as the template sets them.

    ``told``: the cells of the column colour in another language.
    """
    game(tiny, table, style)
    if palette:
        tiny.write("content/tiny/game.toml", (tiny.project.root / "content/tiny/game.toml").read_text() + palette)
    made = read_game(tiny.project, "tiny", Problems())
    assert made is not None
    for row in made.components[0].table if told else ():
        cell = row.cells["colour"]
        row.cells = {**row.cells, "colour": replace(cell, value=Translated((told or {})[cell.text], cell.text, {}))}
    source = looks(made, lambda name: False)["cards.svg.j2"]
    (told,) = re.findall(r"\{% set tint, on = .*?%\}", source)
    setting = "".join(re.findall(r"\{% set tints = .*?%\}", source)) + told + "{{ tint }} {{ on }}"
    filled = {str(row["name"]): jinja2.Template(setting).render(row=row).split() for row in made.components[0].table}
    return {name: (tint, on) for name, (tint, on) in filled.items()}


def hue(code: str) -> float:
    return colorsys.rgb_to_hls(*(part / 255 for part in channels(code)))[0]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance([part / 255 for part in channels(code)]) for code in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("style", get_args(Look))
@pytest.mark.parametrize("column", ["colour", "color", "Farbe", "couleur", "suit"])
def test_a_cell_that_names_a_colour_gets_it(tiny: TinyProject, style: str, column: str) -> None:
    """In a shade of the style: by its name, those of CSS and of four languages, and by its code."""
    names = ["red", "yellow", "Green", "blue", "dark green", "Gelb", "azul", "vert", "tomato", "#b03090"]
    meant = dict(
        zip(names, ("red", "gold", "green", "blue", "green", "gold", "blue", "green", "tomato", "#b03090"), strict=True)
    )
    table = f"name,{column},text\n" + "".join(f"{name},{name},x\n" for name in [*names, "white", "black"])
    found = tints(tiny, table, style)

    for name, of in meant.items():
        away = abs(hue(found[name][0]) - hue(code_of(of) or of))
        assert min(away, 1 - away) < 1 / 12, (name, found[name])
    look = cast("Look", style)
    assert all(contrast(tint, STYLES[look].panel) > 1.3 and contrast(tint, on) > 4 for tint, on in found.values()), found
    assert len(set(found.values())) == len(names) - 1  # three are said in two languages


def test_a_colour_of_the_palette_is_that_one(tiny: TinyProject) -> None:
    """And where a type stands beside it the colour is that of the card, the type the word on the ribbon."""
    found = tints(tiny, "name,type,colour,text\nA,Unit,moss,x\nB,Unit,#336699,x\n", palette='[palette]\nmoss = "#4f6a2c"\n')

    assert [tint for tint, _ in found.values()] == ["#4f6a2c", "#336699"]


def test_codes_of_colours_are_not_printed(tiny: TinyProject) -> None:
    """They are no words; names are."""
    assert game(tiny, "name,colour,text\nA,#aa3322,x\nB,#336699,x\n").build(papers=("a4",)).problems.errors == []
    assert "#" not in words(tiny)
    assert game(tiny, "name,colour,text\nA,red,x\nB,blue,x\n").build(papers=("a4",)).problems.errors == []
    assert "red" in words(tiny) and "blue" in words(tiny)


def test_another_row_leaves_the_colours_of_the_others(tiny: TinyProject) -> None:
    """Those with a new value, too, and those without one, wherever they stand."""
    few = tints(tiny, "name,type,text\nA,Unit,x\nB,Place,x\nC,Event,x\n")
    assert len(set(few.values())) == 3

    assert tints(tiny, "name,type,text\nN,,x\nA,Unit,x\nB,Place,x\nC,Event,x\n").items() >= few.items()
    more = "".join(f"{number},Type {number},x\n" for number in range(20))
    assert tints(tiny, f"name,type,text\nA,Unit,x\nM,,x\nB,Place,x\nC,Event,x\n{more}D,red,x\n").items() >= few.items()
    one = tints(tiny, "name,type,text\nA,Unit,x\n")
    assert one.items() <= few.items()


def test_a_translated_colour_is_the_same(tiny: TinyProject) -> None:
    """Also in a language of which pnp has no names of colours."""
    table = "name,colour,text\nA,Red,x\nB,Blue,x\n"
    finnish = {"Red": "Punainen", "Blue": "Sininen"}

    assert tints(tiny, table, told=finnish) == tints(tiny, table)


def test_what_is_printed_is_to_be_translated(tiny: TinyProject) -> None:
    """Single small words, too, which may be keys where a template is; no drawing, code, number or count."""
    table = "id,name,colour,suit,home,image,tone,worth,copies\na,Ant,red,gold,moor,mud,#aa3322,3,2\nb,Bee,blue,iron,,,,1,1\n"
    translate_game(game(tiny, table, more='size = "poker"').project, "tiny", "de")
    with (tiny.project.root / "content/tiny/languages/de.csv").open(encoding="utf-8-sig", newline="") as rows:
        asked = [row["source"] for row in csv.DictReader(rows) if row["location"].startswith("cards/")]

    assert asked == ["Ant", "red", "gold", "moor", "Bee", "blue", "iron"]


DISC = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4.5" cy="4.5" r="4" fill="#ff00cc"/></svg>'


def share(tiny: TinyProject, piece: str) -> float:
    """How much of the front of a piece is the disc."""
    (file,) = (tiny.project.root / "output").rglob(f"{piece}-front.png")
    with Image.open(file) as seen:
        found = dict(map(reversed, seen.convert("RGB").getcolors(10_000_000) or []))
        return float(found.get((255, 0, 204), 0)) / (seen.width * seen.height)


@pytest.mark.parametrize("style", get_args(Look))
@pytest.mark.parametrize("shape", ["circle", "square"])
def test_a_token_shows_its_picture(tiny: TinyProject, style: str, shape: str) -> None:
    """Called like the component or like its row, of a table or of copies; what else its row says stands below."""
    more = f'kind = "token"\nsize = "25mm"\nshape = "{shape}"'
    tiny.write("content/tiny/art/cards.svg", DISC)
    game(tiny, "", style, f"{more}\ncopies = 3")
    (tiny.project.root / "content/tiny/cards.csv").unlink()
    result = tiny.build(papers=("a4",), faces="png")
    assert result.ok and [str(problem) for problem in result.problems] == []
    assert share(tiny, "cards") > 0.1

    tiny.write("content/tiny/art/fox.svg", DISC)
    result = game(tiny, "name,worth\nFox,31\nCrow,2\n", style, more).build(papers=("a4",), faces="png")
    assert result.ok and [problem.rule for problem in result.problems if problem.rule != "small-text"] == []
    assert min(share(tiny, "fox"), share(tiny, "crow")) > 0.04
    assert "Fox" in words(tiny) and "31" in words(tiny)


@pytest.mark.parametrize("style", get_args(Look))
def test_a_book_has_the_colours_and_fonts_of_the_style(tiny: TinyProject, style: str) -> None:
    """That of the backs, and a light one to read on; what the game or its book says itself goes before."""
    tiny.write("content/tiny/rulebook.md", "# Rules\n\nPlay.\n")
    own = '[book.rulebook]\ntint = "#fedcba"\n\n[fonts]\ntitle = "Pirata One"\n'
    for said in ("", own):
        more = f'size = "poker"\nback = "back"\n{said}'
        made = read_game(game(tiny, CARDS, style, more).project, "tiny", Problems())
        assert made is not None
        (book,) = made.manuals
        look = STYLES[cast("Look", style)]
        assert made.fonts == {"title": ("Pirata One" if said else look.title,), "body": (look.body,)}
        assert book.accent == look.back
        assert contrast(book.accent, "#ffffff") > 4.5 and (said or contrast(book.accent, book.tint) > 4.5)
        assert (book.tint == "#fedcba") == bool(said)


@pytest.mark.parametrize(("size", "hole", "fills"), [((600, 600), 0, True), ((200, 900), 0, False), ((600, 600), 60, False)])
def test_a_photo_leaves_no_strips(tiny: TinyProject, size: tuple[int, int], hole: int, fills: bool) -> None:
    """It fills its box, unless much of it were cut off or it is clear in places: that is shown whole."""
    game(tiny, "name,text\nHen,Pass.\n")
    photo = Image.new("RGBA", size, (255, 0, 204, 255))
    photo.paste((0, 0, 0, 0), (0, 0, hole, hole))
    (tiny.project.root / "content/tiny/art").mkdir(exist_ok=True)
    photo.save(tiny.project.root / "content/tiny/art/hen.png")
    assert [str(problem) for problem in tiny.build(papers=("a4",), faces="png").problems] == []

    (file,) = (tiny.project.root / "output").rglob("hen-front.png")
    with Image.open(file) as seen:
        rgb = seen.convert("RGB")
        across = rgb.crop((0, rgb.height * 2 // 5, rgb.width, rgb.height * 2 // 5 + 1))
        found = dict(map(reversed, across.getcolors(10_000) or []))
    assert (found.get((255, 0, 204), 0) > 0.75 * seen.width) == fills


def test_an_enlarged_picture_stays_in_its_box(tiny: TinyProject) -> None:
    """A wide drawing, shown whole, fills its box when it is enlarged, and covers nothing else."""
    game(tiny, "name,text,art_zoom\nHen,Pass.,6\n")
    wide = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><path fill="#f0c" d="M0 0h90v30H0z"/></svg>'
    tiny.write("content/tiny/art/hen.svg", wide)
    assert [str(problem) for problem in tiny.build(papers=("a4",), faces="png").problems] == []
    (file,) = (tiny.project.root / "output").rglob("hen-front.png")
    with Image.open(file) as seen:
        rgb = seen.convert("RGB")
        found = dict(map(reversed, rgb.getcolors(100_000) or []))
        share = found[255, 0, 204] / rgb.width / rgb.height
        assert 0.3 < share < 0.5 and rgb.getpixel((rgb.width // 2, 5)) != (255, 0, 204)


def printed_size(tiny: TinyProject, word: str) -> float:
    """How high a word stands on the sheet, in points."""
    (file,) = (tiny.project.root / "output").rglob("cards*.pdf")
    with pdfium.PdfDocument(file) as pdf:
        page = pdf[0].get_textpage()
        at, count = page.search(word).get_next()
        boxes = [page.get_charbox(at + index) for index in range(count)]
        return max(top for *_, top in boxes) - min(bottom for _, bottom, *_ in boxes)


@pytest.mark.parametrize("style", get_args(Look))
def test_a_short_text_is_set_larger(tiny: TinyProject, style: str) -> None:
    """Than one that has to share its box with many words."""
    heights = []
    for more in (0, 15, 60):
        result = game(tiny, f"name,text\nHen,Draw{' one card' * more}.\n", style).build(papers=("a4",))
        assert result.ok and [str(problem) for problem in result.problems] == []
        heights.append(printed_size(tiny, "Draw"))

    assert heights[0] > 1.2 * heights[1] and heights[1] >= heights[2]


def test_what_is_written_out_prints_the_same(tiny: TinyProject) -> None:
    """Then it is the game's own template."""
    game(tiny, CARDS, "night").build(papers=("a4",))
    before = (tiny.project.root / "output/tiny/a4/print.pdf").read_bytes()
    written = write_looks(tiny.project, "tiny", "cards")

    assert [file.name for file in written] == ["cards.svg.j2", "back.svg.j2"]
    assert tiny.build(papers=("a4",)).ok
    assert (tiny.project.root / "output/tiny/a4/print.pdf").read_bytes() == before


@pytest.mark.parametrize(("name", "own"), [("back", False), ("castle", True), ("castle.svg", False), ("backs/castle", True)])
def test_a_drawing_called_like_the_back_is_the_whole_back(tiny: TinyProject, name: str, own: bool) -> None:
    """Up to the end of the bleed, and the title gives way to it; whether the fronts have a template or not."""
    game(tiny, "name,text\nA,B\n", more=f'size = "poker"\nback = "{name}"')
    if own:
        tiny.put(cards_svg_j2=TINY_TEMPLATE)
    tiny.write(
        f"content/tiny/art/{name.removesuffix('.svg')}.svg",
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z" fill="#0a0"/></svg>',
    )
    result = tiny.build(papers=("a4",), faces="png")
    assert result.ok and [problem.rule for problem in result.problems] == (["unused-style"] if own else [])
    (file,) = (tiny.project.root / "output").rglob("*back*.png")
    with Image.open(file) as seen:
        assert seen.convert("RGB").getcolors() == [(seen.width * seen.height, (0, 170, 0))]


def test_the_fonts_of_the_game_are_those_of_its_cards(tiny: TinyProject) -> None:
    """Of what is drawn without a template as well, in every style."""
    for style in get_args(Look):
        game(
            tiny, CARDS, style, 'size = "poker"\nback = "back"\n\n[fonts]\ntitle = "Fredoka One"\nbody = "Source Serif Pro"'
        )
        made = read_game(tiny.project, "tiny", Problems())
        assert made is not None
        sources = looks(made, lambda name: False).values()
        assert {*re.findall(r'font="(.*?)"', "".join(sources))} == {"title", "body"}
    result = tiny.build(papers=("a4",))
    assert result.ok and [str(problem) for problem in result.problems] == []


@pytest.mark.parametrize("name", ["Donaudampfschifffahrtsgesellschaft", "The Incomprehensibilities of Constantinople"])
def test_a_long_name_is_no_error_on_a_small_back(tiny: TinyProject, name: str) -> None:
    """Its first letter stands there."""
    game(tiny, "name\nA\n", "parchment", 'kind = "token"\nsize = "25mm"\nback = "back"')
    file = tiny.project.root / "content/tiny/game.toml"
    file.write_text(file.read_text("utf-8").replace('"Tiny"', f'"{name}"'), "utf-8")
    assert tiny.build(papers=("a4",)).problems.errors == []


TITLES = st.sampled_from(
    ["name", "Text", "type", "cost", "a b", "{{ x }}", "%}", 'say "x"', "a\\b", "ключ", "row", "1", "#", "for", "art_", "'"]
)
CELLS = st.sampled_from(["", "1", "two words", '{{ "x" }}', '"', "\\", "</svg>", "%}", "a" * 40, "{# #}", "**", "7%", "'"])


@st.composite
def tables(draw: st.DrawFn) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    titles = draw(st.lists(TITLES, min_size=1, max_size=7, unique_by=str.casefold))
    return titles, draw(st.lists(st.lists(CELLS, min_size=len(titles), max_size=len(titles)), min_size=1, max_size=4))


@settings(max_examples=examples(30), deadline=None)
@given(table=tables(), style=st.sampled_from(get_args(Look)))
def test_no_table_breaks_its_template(
    tmp_path_factory: pytest.TempPathFactory, table: tuple[Sequence[str], Sequence[Sequence[str]]], style: str
) -> None:
    """Whatever its columns and cells are called, what is wrong is never the template."""
    written = io.StringIO()
    csv.writer(written).writerows([table[0], *table[1]])
    tiny = game(TinyProject(Project(tmp_path_factory.mktemp("look"))), written.getvalue(), style)
    result = tiny.build(papers=("a4",))

    told = {problem.rule for problem in result.problems.errors}
    assert not told & {"bad-template", "missing-template"}, [str(problem) for problem in result.problems]


def test_one_command_makes_a_deck_of_a_table(tmp_path: Path) -> None:
    """In an empty folder; a second time nothing is touched, and what is no table is refused."""
    (tmp_path / "Book1.csv").write_text(CARDS)

    def pnp(*words: str) -> tuple[int, str]:
        done = run(*words, at=tmp_path)
        return done.code, done.out + done.err

    code, said = pnp("new", "moor", "--table", "Book1.csv", "--style", "comic")
    assert code == 0 and "pnp template moor cards" in said and "Print output/moor/a4/print.pdf" in said, said
    assert (tmp_path / "output/moor/a4/print.pdf").read_bytes().startswith(b"%PDF")
    assert 'style = "comic"' in (tmp_path / "content/moor/game.toml").read_text()
    assert pnp("new", "moor", "--table", "Book1.csv")[0] == 2
    assert pnp("new", "other", "--table", "output/moor/a4/print.pdf")[0] == 2
    assert not (tmp_path / "content/other").exists()
    assert pnp("template", "moor", "cards")[0] == 0
    code, said = pnp("template", "moor", "cards")
    assert code == 2 and "has a template" in said


def test_a_slip_in_the_name_of_a_column_is_told(tiny: TinyProject) -> None:
    """It would stand on the cards as a column of its own; others of one's own are meant."""
    result = game(tiny, "name,csot,tetx,copeis,vigour,text2\nA,1,Draw.,3,4,b\nB,2,Pass.,1,5,c\n").build(papers=("a4",))

    told = {(problem.rule, problem.value, problem.hint) for problem in result.problems}
    assert told == {
        ("misspelt-column", "csot", 'Did you mean "cost"?'),
        ("misspelt-column", "tetx", 'Did you mean "text"?'),
        ("misspelt-column", "copeis", 'Did you mean "copies"?'),
    }


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("name   cost   text\nFox   2   Draw.\n", "there is only one column"),
        ("name,Fox,Crow\ncost,2,1\ntext,Draw.,Look.\n", "lies on its side"),
        ("Fox,2,Beast,Draw.\nCrow,1,Beast,Look.\n", "looks like a card"),
        ("Fox,cost,2\nCrow,3,4\n", ""),
        ("name,kind\nType,text\nCost,cost\n", ""),
    ],
)
def test_a_table_that_is_none_of_cards_is_told(tiny: TinyProject, table: str, told: str) -> None:
    """All in one column, a card a column, or no names above the cards."""
    problems = [problem for problem in game(tiny, table).build(papers=("a4",)).problems if problem.rule == "unsure-header"]

    assert [problem.place.row for problem in problems] == ([1] if told else [])
    assert all(told in problem.message for problem in problems)


def test_a_colour_that_is_none_is_told(tiny: TinyProject) -> None:
    """Where most cells of the column are colours; suits are none, and a card of the style's own colour is meant."""
    table = "name,colour,text\nFox,red,a\nCrow,blu,b\nHen,green,c\nHare,,d\nCat,ff0000,e\nDog,#00ff00,f\n"
    told = [each for each in game(tiny, table).build(papers=("a4",)).problems if each.rule == "unknown-colour"]

    assert [(each.severity, each.value, each.place.row) for each in told] == [
        ("warning", "blu", 3),
        ("warning", "ff0000", 6),
    ]
    assert 'Did you mean "blue"?' in told[0].hint and "Write #ff0000." in told[1].hint
    suits = "name,colour,text\nFox,hearts,a\nCrow,spades,b\nHen,gold,c\n"
    assert "unknown-colour" not in {each.rule for each in game(tiny, suits).build(papers=("a4",)).problems}


def test_a_column_that_counts_by_another_name_is_told(tiny: TinyProject) -> None:
    """It is printed on the cards, each once; what only numbers them is not meant so."""
    (slip,) = game(tiny, "name,text,copys\nFox,Draw.,2\nCrow,Look.,3\n").build(papers=("a4",)).problems
    (problem,) = game(tiny, "name,text,Anzahl\nFox,Draw.,2\nCrow,Look.,3\n").build(papers=("a4",)).problems

    assert (slip.rule, slip.value) == ("misspelt-column", "copys")
    assert (problem.rule, problem.value) == ("misspelt-column", "anzahl")
    assert '[table.cards] copies = "Anzahl" in game.toml' in problem.hint
    assert [*game(tiny, "name,number\nFox,1\nCrow,2\nHen,3\n").build(papers=("a4",)).problems] == []


@pytest.mark.parametrize("size", ["poker", "45mm x 68mm"])
def test_a_long_name_of_a_column_has_room(tiny: TinyProject, size: str) -> None:
    """Below a number in a corner it would not fit: then the column is a line of the text."""
    table = "name,text,cost,Toughness,Movement points left\nFox,Draw.,1,2,3\nCrow,Look.,2,4,1\n"
    result = game(tiny, table, more=f'size = "{size}"').build(papers=("a4",))

    assert result.ok and [problem.rule for problem in result.problems if problem.rule != "small-text"] == []
    assert "Movement points left 3" in words(tiny)


def test_bars_part_a_table_that_has_no_other_mark(tiny: TinyProject) -> None:
    """Where there are commas, a bar is a letter."""
    assert game(tiny, "name|copies\nFox|2\nCrow|3\n").build(papers=("a4",)).counts[0].copies == 5
    assert game(tiny, "name|x,copies\nFox,2\n").build(papers=("a4",)).counts[0].copies == 2


def test_a_deck_of_no_copies_is_told(tiny: TinyProject) -> None:
    """Not one card is printed."""
    (problem,) = game(tiny, "name,copies\nFox,0\nCrow,0\n").build(papers=("a4",)).problems

    assert (problem.rule, problem.place.file) == ("no-rows", "content/tiny/cards.csv")


def test_a_style_of_nothing_is_told(tiny: TinyProject) -> None:
    """Once the templates are written out, another one changes nothing any more."""
    game(tiny, CARDS, "night")
    assert [*tiny.build(papers=("a4",)).problems] == []
    write_looks(tiny.project, "tiny", "cards")
    assert [*tiny.build(papers=("a4",)).problems] == []
    game(tiny, CARDS, "comic")

    assert [problem.rule for problem in tiny.build(papers=("a4",)).problems] == ["unused-style"]


def test_each_sheet_of_a_workbook_is_looked_at(tiny: TinyProject) -> None:
    """Two decks of one file have columns of their own."""
    book = openpyxl.Workbook()
    for sheet, title in ((book.active, "Units"), (book.create_sheet(), "Spells")):
        assert sheet is not None
        sheet.title = title
        for row in (["name", "csot"], [title, 1]):
            sheet.append(row)
    game(tiny, CARDS)
    book.save(tiny.project.root / "content/tiny/all.xlsx")
    sections = [f'[table.{name}]\nfile = "all.xlsx"\nsheet = "{name.title()}"\n' for name in ("units", "spells")]
    sections += [f'[component.{name}]\nsize = "poker"\n' for name in ("units", "spells")]
    tiny.write("content/tiny/game.toml", '[game]\nname = "Tiny"\n' + "".join(sections))

    told = [str(problem.place) for problem in tiny.build(papers=("a4",)).problems if problem.rule == "misspelt-column"]
    assert [place for name in ("Units", "Spells") for place in told if name in place] == told and len(told) == 2


def test_a_template_that_is_almost_called_so_is_asked_for(tiny: TinyProject) -> None:
    """Else a deck whose own template has a slip in its name would be drawn in a look without a word."""
    game(tiny, CARDS)
    tiny.write("templates/tiny/card.svg.j2", TINY_TEMPLATE)
    (problem,) = tiny.build(papers=("a4",)).problems

    assert (problem.rule, problem.hint) == ("missing-template", 'Did you mean "card"?')


def test_where_a_picture_is_moved_is_not_printed(tiny: TinyProject) -> None:
    """The studio writes these columns when somebody drags a picture; they stood on all cards as numbers of their own."""
    game(tiny, "name,text,art_x,art_y,art_zoom\nAnna,Draw.,7,8,2.5\n").build(papers=("a4",))

    assert not re.search(r"art|[78]|2\.5", words(tiny).partition("Anna")[2].partition("Tiny")[0])


def test_a_hidden_column_that_stands_on_the_cards_is_told(tiny: TinyProject) -> None:
    """Remarks of a designer who hides them; a hidden column that pnp needs and nobody reads is well."""
    game(tiny, "name\nAnna\n")
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, openpyxl.worksheet.worksheet.Worksheet)
    for row in (["id", "name", "notes", "copies"], ["anna", "Anna", "too strong", 2]):
        sheet.append(row)
    for column in "ACD":
        sheet.column_dimensions[column].hidden = True
    (tiny.project.root / "content/tiny/cards.csv").unlink()
    book.save(tiny.project.root / "content/tiny/cards.xlsx")
    told = [(each.rule, str(each.place), each.severity) for each in tiny.build(papers=("a4",)).problems]

    assert told == [("hidden-column", "content/tiny/cards.xlsx:1:notes", "warning")]


def test_a_column_that_nobody_has_filled_yet_is_no_fault(tiny: TinyProject) -> None:
    """A workbook for many games has columns that one of them needs later."""
    result = game(tiny, "name,picture,story\nAnna,,\nBert,,Once.\n").build(papers=("a4",))

    assert result.ok and [str(problem) for problem in result.problems] == []
    assert "Once." in words(tiny)
