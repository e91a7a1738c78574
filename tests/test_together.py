"""Several games on one run of sheets: each piece is that of its own game, and sheets are saved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run
from conftest import TinyProject, files_in, toml
from pypdf import PdfReader

from pnp.flows.print_history import in_file

GAME = toml("""
game: name = "{name}"; papers = ["a4"]
cards: size = "tcg"; back = "back"
chips: kind = "token"; size = "20mm"
""")
# The drawing of each game is its own, though it is called the same.
FACE = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}
{{ s.ground(face, "#ffffff") }}
<image href="mark" x="0" y="0" width="20" height="20"/>
{{ s.text(row.id, 6, 6, 9, 8, size="9 5", name="word") }}
{% endblock %}
"""
BACK = '{% extends "shared/face.svg.j2" %}{% block face %}<rect width="30" height="30" fill="#336699"/>{% endblock %}\n'
ART = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z" fill="{colour}"/></svg>'
ALL = "output/together/fox+hen/a4/print.pdf"


@pytest.fixture
def games(tiny: TinyProject) -> TinyProject:
    """Two games: seven and eight cards with one and the same back, on a sheet of nine each, and a few tokens."""
    for name, colour, cards in (("fox", "#cc0000", 7), ("hen", "#00aa00", 8)):
        tiny.write(f"content/{name}/game.toml", GAME.format(name=name.capitalize()))
        tiny.write(f"content/{name}/cards.csv", f"id,copies\nanna,{cards - 1}\n{name}-1,1\n")
        tiny.write(f"content/{name}/chips.csv", "id,copies\none,3\n")
        tiny.write(f"content/{name}/art/mark.svg", ART.format(colour=colour))
        for template in ("cards", "chips"):
            tiny.write(f"content/{name}/templates/{template}.svg.j2", FACE)
        tiny.write(f"content/{name}/templates/back.svg.j2", BACK)
    return tiny


def pages(path: Path) -> list[str]:
    """What stands on each page."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(path).pages]


def test_games_share_sheets(games: TinyProject) -> None:
    """Fifteen cards and six tokens take three sheets, not four; plan and sheets say of which game they are."""
    root = games.project.root
    assert run("build", "fox", "hen", at=root).code == 0
    done = run("build", "fox", "hen", "--together", at=root)
    told = pages(root / ALL)

    assert done.code == 0 and "fox+hen: 21 pieces in 2 files" in done.out
    assert [len(pages(root / f"output/{name}/a4/print.pdf")) for name in ("fox", "hen")] == [5, 5]
    assert len(told) == 2 + 2 + 2 + 1
    assert "Fox + Hen" in told[0] and "7 × Cards (Fox)" in told[0] and "8 × Cards (Hen)" in told[0]
    assert "Fox + Hen 1.0 · Chips (Fox), Chips (Hen) · sheet 3 of 3" in told[6]
    verified = run("verify", ALL, at=root)
    assert (verified.code, verified.err) == (0, "")
    manifest = json.loads((root / "output/together/fox+hen/manifest.json").read_text(encoding="utf-8"))
    copies = {part["name"]: part["copies"] for part in manifest["components"]}
    assert copies == {"fox.cards": 7, "fox.chips": 3, "hen.cards": 8, "hen.chips": 3}


def test_another_form_of_pieces_is_that_of_its_own_game(games: TinyProject) -> None:
    """The plan says which sheets are printed instead of which, though components have longer names there."""
    games.write("content/hen/game.toml", GAME.format(name="Hen") + 'instead = "cards"\n')
    assert run("build", "fox", "hen", "--together", at=games.project.root).code == 0
    told = pages(games.project.root / ALL)[0]

    assert "Chips (Hen), or the Cards (Hen)" in told
    assert "One of these is enough for a game: Cards (Hen), pages " in told


@pytest.mark.parametrize("forms", [2, 9])
def test_a_long_sum_has_the_room_that_it_needs(games: TinyProject, forms: int) -> None:
    """The plan names all forms of the same pieces below its rows: two of them, or nine."""
    more = ""
    for number in range(forms):
        games.write(f"content/hen/other-{number}.csv", "id\none\n")
        more += f'[component.other-{number}]\ntitle = "Chips for players with large hands {number}"\nkind = "token"\n'
        more += 'size = "20mm"\ntemplate = "chips"\ninstead = "cards"\n'
    games.write("content/hen/game.toml", GAME.format(name="Hen") + more)
    done = run("build", "fox", "hen", "--together", at=games.project.root)

    assert done.code == 0, done.err
    told = pages(games.project.root / ALL)[0]
    assert f"large hands {forms - 1} (Hen)." in told


def test_each_piece_is_that_of_its_own_game(games: TinyProject) -> None:
    """Also where both games draw it with the same words, from another drawing of the same name."""
    root = games.project.root
    assert run("build", "fox", "hen", at=root).code == run("build", "fox", "hen", "--together", at=root).code == 0
    both = in_file((root / ALL).read_bytes(), "print.pdf")

    alone = {
        (f"{name}.{component}", piece): entry
        for name in ("fox", "hen")
        for (component, piece), entry in in_file((root / f"output/{name}/a4/print.pdf").read_bytes(), "print.pdf").items()
    }
    assert both == alone
    assert both["fox.cards", "anna"].front != both["hen.cards", "anna"].front


def test_what_has_changed_in_both_is_printed_together(games: TinyProject) -> None:
    """Of each game what its own file does not say to be on paper."""
    root = games.project.root
    assert run("printed", "fox", at=root).code == run("printed", "hen", at=root).code == 0
    assert "nothing has changed" in run("build", "fox", "hen", "--together", "--changed", at=root).out
    games.write("content/fox/cards.csv", "id,copies\nanna,8\nfox-1,1\n")
    games.write("content/hen/art/mark.svg", ART.format(colour="#0000aa"))
    assert run("build", "fox", "hen", "--together", "--changed", at=root).code == 0
    path = root / "output/together/fox+hen/part/a4/print.pdf"

    assert {name: entry.copies for name, entry in in_file(path.read_bytes(), "print.pdf").items()} == {
        ("fox.cards", "anna"): 2,
        ("hen.cards", "anna"): 7,
        ("hen.cards", "hen-1"): 1,
        ("hen.chips", "one"): 3,
    }
    assert run("verify", path, at=root).err == ""


def test_a_fault_in_one_game_stops_both(games: TinyProject) -> None:
    """Nothing is written, and the fault is told where it is."""
    games.write("content/hen/art/mark.svg", "no drawing")
    done = run("build", "fox", "hen", "--together", at=games.project.root)

    assert done.code == 1 and "content/hen/art/mark.svg" in done.err
    assert not (games.project.root / "output").exists()


def test_a_game_that_changed_afterwards_is_noticed(games: TinyProject) -> None:
    """The sheets are laid anew and counted."""
    root = games.project.root
    assert run("build", "fox", "hen", "--together", at=root).code == 0
    games.write("content/hen/chips.csv", "id,copies\none,4\n")

    assert "hen.chips/one printed 3 ×, 4 × on these sheets as the game makes them" in run("verify", ALL, at=root).err


@pytest.mark.parametrize("words", [("fox", "fox"), (), ("fox", "hen", "--sheets", "1"), ("fox", "hen", "--draft")])
def test_what_does_not_go_together_is_told(games: TinyProject, words: tuple[str, ...]) -> None:
    """A sentence, and nothing is written."""
    before = files_in(games.project.root)
    done = run("build", *words, "--together", at=games.project.root)

    assert done.code == 2 and "Error: --" in done.err
    assert files_in(games.project.root) == before


def test_a_title_that_only_one_of_the_games_has_letters_for(games: TinyProject) -> None:
    """The marks of the common sheets are set in the fonts of the first game: they call the component by its name."""
    file = "content/hen/game.toml"
    text = (games.project.root / file).read_text(encoding="utf-8").replace('"Hen"', '"אי"')
    games.write(file, f'{text}\n[fonts]\nbody = "Amatic SC"\n')
    done = run("build", "fox", "hen", "--together", at=games.project.root)

    assert done.code == 0, done.err
    assert "unprintable-title" in done.err and "hen.cards" in " ".join(pages(games.project.root / ALL)[2:])
