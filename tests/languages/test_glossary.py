"""The glossary of a language holds its words: what is avoided is told where it stands, with the word to use instead."""

from __future__ import annotations

import pytest
from conftest import TinyProject, toml

from pnp.flows.check import check_game
from pnp.read.languages import languages_of
from pnp.values.problems import Problem

GAME = toml("""
game: name = "Tiny"; papers = ["a4"]
texts: motto = "Draw, then raid."; rob = "Rob a ship."
cards: title = "Cards"; size = "63mm x 88mm"
""")
ROWS = """location,source,target
game/name,Tiny,Winzig
component/cards/title,Cards,Karten
texts/motto,"Draw, then raid.","{motto}"
texts/rob,Rob a ship.,"{rob}"
"""
SPANISH = "term,translation,avoid,why,where\n"


def found(tiny: TinyProject, glossary: str, motto: str = "Toma y saquea.", rob: str = "Roba un barco.") -> list[Problem]:
    """What pnp check finds in the Spanish of a game with this glossary, but for what it would say without one."""
    tiny.write("content/tiny/game.toml", GAME)
    tiny.write("content/tiny/cards.csv", "id,copies\na,1\n")
    tiny.write("content/tiny/languages/es.csv", ROWS.format(motto=motto, rob=rob))
    tiny.write("content/tiny/languages/es.glossary.csv", glossary)
    return list(check_game(tiny.project, "tiny", lambda _: None, draw=False).problems)


@pytest.mark.parametrize(
    ("avoid", "motto", "value"),
    [
        ("roba", "Roba y saquea.", "Roba"),
        ("rob*", "Robando, saquea.", "Robando"),
        ("rob*", "Toma y saquea el arroba.", ""),
        ("coge; roba", "Coge y saquea.", "Coge"),
        ("saca una", "Saca  una y saquea.", "Saca una"),
        ("saca una", "**Saca** una y saquea.", "Saca una"),
        ("motto", "Toma :motto: y saquea.", ""),
        ("", "Roba y saquea.", ""),
    ],
)
def test_an_avoided_word_is_told_with_the_one_to_use(tiny: TinyProject, avoid: str, motto: str, value: str) -> None:
    """Whole words in any case, phrases over blanks and emphasis, a star for any letters; icons are no words."""
    told = found(tiny, f"{SPANISH}draw,tomar,{avoid},Robar es quitar,\n", motto, "Asalta un barco.")

    words = [each for each in told if each.rule == "avoided-word"]
    assert [(str(each.place), each.value, each.severity) for each in words] == (
        [("content/tiny/languages/es.csv:4:target", value, "warning")] if value else []
    )
    assert all('for "draw" (content/tiny/languages/es.glossary.csv:2)' in each.message for each in words)
    assert all(each.hint == 'Write "tomar": Robar es quitar.' for each in words)


def test_a_word_may_be_avoided_for_one_term_alone(tiny: TinyProject) -> None:
    """``where`` says what the source has to say: robar is right for rob, and wrong for draw."""
    told = found(tiny, f"{SPANISH}draw,tomar,rob*,,draw*; drew\n", "Roba y saquea.", "Roba un barco.")

    assert [(each.rule, each.place.row) for each in told] == [("avoided-word", 4)]


def test_a_book_written_anew_keeps_to_the_glossary(tiny: TinyProject) -> None:
    """What is wrong in rulebook.es.md is told at its line; the book of another language is not looked at."""
    tiny.write("content/tiny/rulebook.es.md", "# Winzig\n\nBaraja.\n\nRoba dos.\n")
    tiny.write("content/tiny/rulebook.pt.md", "# Winzig\n\nRoba dois.\n")

    told = found(tiny, f"{SPANISH}draw,tomar,roba,,\n", rob="Asalta un barco.")

    assert [(each.rule, str(each.place)) for each in told] == [("avoided-word", "content/tiny/rulebook.es.md:5")]


def test_a_glossary_is_no_language_and_may_be_absent(tiny: TinyProject) -> None:
    """A game speaks what it has translations for; one without glossaries is found well."""
    assert found(tiny, f"{SPANISH}draw,tomar,,,\n") == []
    assert languages_of(tiny.game) == ["es"]

    (tiny.game / "languages/es.glossary.csv").unlink()

    assert list(check_game(tiny.project, "tiny", lambda _: None, draw=False).problems) == []


def test_each_avoided_word_of_a_text_is_told_once(tiny: TinyProject) -> None:
    """Nobody mends one word and is told of the next one then."""
    told = found(tiny, f"{SPANISH}draw,tomar,roba; coge,,\n", "Roba, coge y coge.", "Asalta un barco.")

    words = [(each.rule, each.value) for each in told if each.place.row == 4]
    assert words == [("avoided-word", "Roba"), ("avoided-word", "coge")]


@pytest.mark.parametrize("code", ["fr", "se"])
def test_a_glossary_beside_no_translation_is_told(tiny: TinyProject, code: str) -> None:
    """Its words would be held by nobody, as those of a name that is typed wrong."""
    tiny.write(f"content/tiny/languages/{code}.glossary.csv", f"{SPANISH}draw,tomar,roba,,\n")

    told = found(tiny, f"{SPANISH}draw,tomar,,,\n")

    place = f"content/tiny/languages/{code}.glossary.csv"
    assert [(each.rule, str(each.place), each.severity) for each in told] == [("lone-glossary", place, "warning")]


@pytest.mark.parametrize(
    ("glossary", "rule", "place"),
    [
        ("term,avoid\ndraw,roba\n", "missing-column", "1"),
        (f"{SPANISH}draw,,roba,,\n", "empty-cell", "2:translation"),
        (f"{SPANISH}draw,tomar,roba,,,more\n", "ragged-row", "2"),
        ("term,translation,avoid,wy\ndraw,tomar,roba,\n", "unknown-column", "1"),
        (f"{SPANISH}draw,robar,rob*,,\n", "avoided-word", "2:avoid"),
        ('term,translation,avoid\ndraw,"tomar,roba\n', "broken-csv", "2"),
    ],
)
def test_what_is_wrong_with_a_glossary_is_told(tiny: TinyProject, glossary: str, rule: str, place: str) -> None:
    """At its row and column; a row that avoids its own translation helps nobody."""
    told = found(tiny, glossary, rob="Asalta un barco.")

    assert (rule, f"content/tiny/languages/es.glossary.csv:{place}") in [(each.rule, str(each.place)) for each in told]


@pytest.mark.parametrize(
    ("ink", "title", "told"), [("none", "Winzig", True), ("none", "Tiny", False), ("#000000", "Winzig", False)]
)
def test_a_title_that_is_drawn_is_not_translated(tiny: TinyProject, ink: str, title: str, told: bool) -> None:
    """The cover's drawing says it in one language; a title that is printed on the cover may be in any."""
    book = f'\n[book.rules]\nfile = "rules.md"\ncover = "cover"\ncover_ink = "{ink}"\nfoot_ink = "#000000"\n'
    tiny.write("content/tiny/rules.md", "# Rules\n")
    tiny.write("content/tiny/art/cover.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    tiny.write("content/tiny/cards.csv", "id,copies\na,1\n")
    tiny.write("content/tiny/game.toml", GAME + book)
    rows = ROWS.format(motto="Toma y saquea.", rob="Roba un barco.").replace("Tiny,Winzig", f"Tiny,{title}")
    tiny.write("content/tiny/languages/es.csv", rows + "book/rules/rules/0,Rules,Reglas\n")

    problems = check_game(tiny.project, "tiny", lambda _: None, draw=False).problems

    drawn = [(str(each.place), each.allowed) for each in problems if each.rule == "drawn-title"]
    assert drawn == ([("content/tiny/languages/es.csv:2:target", '"Tiny"')] if told else [])
