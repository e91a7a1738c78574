"""Files of ``art/`` that nothing shows, usual drawings that stand in, and pictures that hold several are told."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from commands import run
from conftest import TINY_GAME, TinyProject
from PIL import Image

CARD = """{% extends "shared/face.svg.j2" %}
{% block face %}<image href="{{ picture('someone') }}" width="63" height="88"/>{% endblock %}
"""


def picture(kind: str = "PNG", frames: int = 1) -> bytes:
    """One or several, each another grey."""
    made = io.BytesIO()
    first, *more = [Image.new("RGB", (630, 880), (index * 60,) * 3) for index in range(frames)]
    first.save(made, kind, **({"save_all": True, "append_images": more} if more else {}))
    return made.getvalue()


@pytest.fixture
def pips(tiny: TinyProject) -> TinyProject:
    """Two cards, of which one has a drawing of its own."""
    tiny.put(cards_csv="id\npip\nbert\n", cards_svg_j2=CARD)
    tiny.write("content/tiny/art/someone.png", picture())
    tiny.write("content/tiny/art/bert.png", picture())
    return tiny


def found(tiny: TinyProject, *rules: str) -> list[dict[str, Any]]:
    """What these rules find; twice, the second time with faces that were kept."""
    first, again = (run("check", "tiny", "--json", at=tiny.project.root) for _ in range(2))
    assert first.problems == again.problems
    return [problem for problem in again.problems if problem["rule"] in rules]


@pytest.mark.parametrize("name", ["Pip.png", "pip.PNG", "cards/PIP.png"])
def test_a_drawing_in_letters_of_any_case_is_shown(pips: TinyProject, name: str) -> None:
    """Nothing stands in, nothing is left over."""
    pips.write(f"content/tiny/art/{name}", picture())

    assert found(pips, "unused-drawing", "usual-drawing") == []


def test_a_drawing_called_like_the_back_is_shown_by_a_template_that_asks_for_it(pips: TinyProject) -> None:
    """That it could have asked is not enough."""
    pips.write("content/tiny/art/back.png", picture())
    pips.write("content/tiny/game.toml", TINY_GAME + 'back = "back"\n')
    head = '{% extends "shared/face.svg.j2" %}{% import "shared/pieces.svg.j2" as s %}{% block face %}'
    for shown, told in (('<path d="M0 0h9v9z"/>', 1), ("{{ s.cover(face, component.back) }}", 0)):
        pips.write("templates/tiny/back.svg.j2", f"{head}{shown}{{% endblock %}}")
        assert len(found(pips, "unused-drawing")) == told


@pytest.mark.parametrize(
    ("name", "hint"),
    [("pipp.png", 'Did you mean "pip"?'), ("pip.heic", "Export it as PNG"), ("PIP.sgv", "Export it as PNG")],
)
def test_a_drawing_that_misses_its_row_is_told_with_the_row(pips: TinyProject, name: str, hint: str) -> None:
    """Both at the file that nobody sees, and at the row that shows another."""
    pips.write(f"content/tiny/art/{name}", picture())
    unused, usual = found(pips, "unused-drawing", "usual-drawing")

    assert (unused["file"], usual["file"], usual["row"]) == (f"content/tiny/art/{name}", "content/tiny/cards.csv", 2)
    assert hint in unused["hint"]
    assert "pip" in usual["message"] and "bert" not in usual["message"]


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("art/Grey Heron.png", 'Did you mean "grey-heron"?'),
        ("art/bert.heic", "it is a HEIC photo, which cannot be printed"),
        ("bert.png", "it lies outside art/"),
        ("images/grey-heron.png", "it lies outside art/"),
        ("art/back.png", 'For the back of the cards write back = "back" in [component.cards].'),
        ("fonts/bert.png", ""),
        ("bert.txt", ""),
    ],
)
def test_a_picture_meant_for_a_card_without_a_template_is_told(tiny: TinyProject, file: str, words: str) -> None:
    """Its card is printed without a picture, and nobody asked for one."""
    tiny.put(cards_csv="name,text\nGrey Heron,Draw.\nBert,Pass.\n")
    (tiny.project.root / "templates/tiny/cards.svg.j2").unlink()
    tiny.write(f"content/tiny/{file}", picture())

    told = [(each["file"], words in f"{each['message']}. {each['hint']}") for each in found(tiny, "unused-drawing")]
    place = "content/tiny/art" if "back" in file else f"content/tiny/{file}"
    assert told == ([(place, True)] if words else [])


@pytest.mark.parametrize(("name", "asked"), [("one.png", "picture.own()"), ("chip.png", "component.picture")])
def test_a_drawing_called_like_its_piece_is_told_with_the_template(pips: TinyProject, name: str, asked: str) -> None:
    """Its name is right, and the template shows none; told what to write, and that is all that was missing."""
    toml = (pips.game / "game.toml").read_text()
    pips.put(game_toml=f'{toml}\n[component.chip]\nkind = "token"\nsize = "25mm"\n', chip_csv="id\none\n")
    pips.write(f"content/tiny/art/{name}", picture())

    def told(shown: str) -> list[dict[str, str]]:
        box = '{% extends "shared/face.svg.j2" %}{% block face %}<circle r="9"/>'
        pips.write("templates/tiny/chip.svg.j2", f"{box}{shown}{{% endblock %}}")
        return found(pips, "unused-drawing")

    (problem,) = told("")
    assert problem["file"] == f"content/tiny/art/{name}" and "chip.svg.j2" in problem["hint"]
    assert asked in problem["hint"] and "Call it" not in problem["hint"]
    assert told(f'<image href="{{{{ {asked} }}}}" width="9" height="9"/>') == []


def test_what_nothing_shows_is_told_once(pips: TinyProject) -> None:
    """However many there are; what programs hide and what drawings are made from is none."""
    for name in ("a.png", "deep/b.png", "c.svg", "._pip.png", "bert.psd", "README.md"):
        pips.write(f"content/tiny/art/{name}", picture())
    (problem,) = found(pips, "unused-drawing")

    assert "a.png, c.svg, deep/b.png" in problem["message"]
    assert problem["severity"] == "warning"


def test_what_books_texts_and_shapes_ask_for_is_shown(pips: TinyProject) -> None:
    """A picture in a rulebook, its cover, an icon in a text, the outline of a token."""
    toml = (pips.game / "game.toml").read_text()
    book = '\n[book.rules]\nfile = "rules.md"\ntitle = "Rules"\ncover = "front"\n'
    token = '\n[component.chip]\nkind = "token"\nsize = "25mm"\nshape = "Shapes/drop"\n'
    pips.put(game_toml=toml + book + token, rules_md="# Rules\n\nTake a :coin:.\n\n![A card](art/inside.png)\n")
    pips.put(chip_csv="id\none\n")
    box = '<foreignObject x="4" y="4" width="17" height="17" data-size="9">:gem:</foreignObject>'
    pips.write("templates/tiny/chip.svg.j2", f'{{% extends "shared/face.svg.j2" %}}{{% block face %}}{box}{{% endblock %}}')
    shape = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9h-9z"/></svg>'
    files = {"pip.png": picture(), "front.png": picture(), "inside.png": picture(), "shapes/drop.svg": shape}
    for name, data in {**files, "icons/coin.svg": shape, "icons/gem.svg": shape}.items():
        pips.write(f"content/tiny/art/{name}", data)

    assert found(pips, "unused-drawing") == []


def test_decks_for_persons_show_what_they_show(pips: TinyProject) -> None:
    """None of them shows all there is: what may be a person's is listed, and what was meant for a row is told as ever."""
    pips.write("templates/tiny/cards.svg.j2", CARD.replace("'someone'", "each.art if each else 'someone'"))
    pips.write("content/tiny/art/anna.png", picture())
    (listing,) = json.loads(run("check", "tiny", "--json", at=pips.project.root).out)["games"][0]["tables"]

    assert found(pips, "unused-drawing") == []
    assert (listing["group"], listing["rows"]) == ("shown", [["anna.png"]])

    pips.write("content/tiny/art/pipp.png", picture())
    assert [problem["hint"] for problem in found(pips, "unused-drawing")] == ['Did you mean "pip"?']


@pytest.mark.parametrize(("kind", "ending"), [("GIF", "gif"), ("WEBP", "webp")])
def test_of_several_pictures_the_first_is_said_to_be_printed(pips: TinyProject, kind: str, ending: str) -> None:
    """Nobody looks for the others on paper."""
    pips.write(f"content/tiny/art/pip.{ending}", picture(kind, 3))
    (problem,) = found(pips, "moving-picture")

    assert (problem["file"], problem["value"]) == (f"content/tiny/art/pip.{ending}", "3")
