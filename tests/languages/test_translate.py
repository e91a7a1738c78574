"""A game is translated and built in another language: what is printed, and what is told when something is amiss."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from commands import run
from conftest import TinyProject, toml
from pypdf import PdfReader

from pnp.flows.check import check_game
from pnp.flows.translate import translate_game
from pnp.values.outcome import Result
from pnp.values.problems import Problem

GAME = toml("""
game: name = "Harbour"; papers = ["a4"]
palette: red = "#cc0000"
texts: motto = "Sail **home**"
table.cards.columns: port = { table = "ports" }
cards: title = "Sea cards"; size = "63mm x 88mm"
ports: size = "63mm x 88mm"; template = "ports"
""")
CARDS = """id,name,kind,port,copies,text
storm,Storm,event,Tripoli,2,"Lose :art: 2, then sail."
calm,Calm,event,Malta,1,Rest a turn.
"""
PORTS = "id,name\ntripoli,Tripoli\nmalta,Malta\n"
TEMPLATE = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}
<rect width="{{ face.width }}" height="{{ face.height }}" fill="{{ palette.red if row.name == "Storm" else "#ffffff" }}"/>
{{ s.text(row.name, 6, 6, 50, 10, size="14 8", name="title") }}
{{ s.text(row.text, 6, 20, 50, 30, size="10 8", name="rules") }}
{{ s.text(row.port.name ~ ": " ~ texts.motto, 6, 60, 50, 8, size="9 8", name="foot") }}
{{ s.text(row.kind, 6, 70, 50, 8, size="9 8", name="kind") }}
{% endblock %}
"""
PORT = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}{{ s.text(row.name, 6, 6, 50, 10, size="14 8") }}{% endblock %}
"""
BOOK = """# Harbour

There are {{ count("cards") }} cards. See page {{ page("the-calm") }}.

{% if rows("cards", name="Storm") %}
## The storm

Storms take **two** cards.
{% endif %}

## The calm

- Rest.
"""
GERMAN = {
    "Harbour": "Hafen",
    "Sail **home**": "Segelt **heim**",
    "Sea cards": "Seekarten",
    "Ports": "Häfen",
    "Storm": "Sturm",
    "Calm": "Flaute",
    "Lose :art: 2, then sail.": "Verliert :art: 2, dann segelt.",
    "Rest a turn.": "Rastet eine Runde.",
    "Tripoli": "Tripolis",
    "Malta": "Malta",
    'There are {{ count("cards") }} cards. See page {{ page("the-calm") }}.': (
        'Es gibt {{ count("cards") }} Karten. Siehe Seite {{ page("the-calm") }}.'
    ),
    "The storm": "Der Sturm",
    "Storms take **two** cards.": "Stürme nehmen **zwei** Karten.",
    "The calm": "Die Flaute",
    "Rest.": "Rasten.",
    "Contents": "Inhalt",
}
ART = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><circle cx="2" cy="2" r="2"/></svg>'


@pytest.fixture
def harbour(tiny: TinyProject) -> TinyProject:
    """A game of two kinds of cards and a book, with an icon, a reference, a name that the template asks for."""
    tiny.write("content/tiny/game.toml", GAME)
    tiny.write("content/tiny/cards.csv", CARDS)
    tiny.write("content/tiny/ports.csv", PORTS)
    tiny.write("content/tiny/rulebook.md", BOOK)
    tiny.write("content/tiny/art/icons/art.svg", ART)
    tiny.write("content/tiny/art/art.svg", ART)
    tiny.write("templates/tiny/cards.svg.j2", TEMPLATE)
    tiny.write("templates/tiny/ports.svg.j2", PORT)
    return tiny


def rows(game: TinyProject, language: str = "de") -> list[dict[str, str]]:
    text = (game.game / f"languages/{language}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def put(game: TinyProject, changed: list[dict[str, str]], language: str = "de") -> None:
    text = io.StringIO(newline="")
    made = csv.DictWriter(text, changed[0].keys(), quoting=csv.QUOTE_ALL, lineterminator="\n")
    made.writeheader()
    made.writerows(changed)
    game.write(f"content/tiny/languages/{language}.csv", text.getvalue())


def filled(game: TinyProject, also: dict[str, str] | None = None, **instead: str) -> None:
    """The German of the game, all of it; ``instead`` says otherwise by location, its bars as underscores."""
    translate_game(game.project, "tiny", "de")
    made, german = rows(game), {**GERMAN, **(also or {})}
    for row in made:
        row["target"] = instead.get(row["location"].replace("/", "_").replace("-", "_"), german[row["source"]])
    put(game, made)


def told(result: Result) -> list[tuple[str, str]]:
    return [(problem.rule, str(problem.place)) for problem in result.problems if problem.rule != "unused-drawing"]


def words(path: Path) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(path).pages).split())


def in_german(game: TinyProject, **options: object) -> Result:
    return game.build(language="de", **options)


def of(result: Result, rule: str) -> list[Problem]:
    return [problem for problem in result.problems if problem.rule == rule]


def test_the_file_has_a_row_for_every_text_and_for_nothing_else(harbour: TinyProject) -> None:
    """Names, rules, titles, [texts] and the book are there; ids, references, numbers and small words are not."""
    translate_game(harbour.project, "tiny", "de")

    parts = {
        "game": ["name"], "component": ["cards/title", "ports/title"], "texts": ["motto"],
        "cards": ["storm/name", "storm/text", "calm/name", "calm/text"], "ports": ["tripoli/name", "malta/name"],
        "book/rulebook": ["contents", *(f"{name}/{n}" for name in ("harbour", "the-storm", "the-calm") for n in (0, 1))],
    }  # fmt: skip
    assert [row["location"] for row in rows(harbour)] == [f"{part}/{name}" for part in parts for name in parts[part]]
    assert {row["target"] for row in rows(harbour)} == {""}


def test_a_column_is_translated_as_game_toml_says(harbour: TinyProject) -> None:
    """What pnp guesses of a column's cells gives way to ``translate``."""
    harbour.write(
        "content/tiny/game.toml",
        GAME.replace(
            "[table.cards.columns]", "[table.cards.columns]\nkind = { translate = true }\nname = { translate = false }"
        ),
    )
    translate_game(harbour.project, "tiny", "de")

    cards = {row["location"] for row in rows(harbour) if row["location"].startswith("cards/")}
    assert cards == {"cards/storm/kind", "cards/storm/text", "cards/calm/kind", "cards/calm/text"}


def test_names_of_things_are_no_words(harbour: TinyProject) -> None:
    """A column of ids, one or several in a cell, of drawings or of colours is not translated."""
    cards = "id,name,sign,goes,tint\nstorm,Storm,art,tripoli malta,red\ncalm,Calm,art,malta,red\n"
    harbour.write("content/tiny/cards.csv", cards)
    harbour.write("content/tiny/game.toml", GAME.replace('[table.cards.columns]\nport = { table = "ports" }', ""))
    translate_game(harbour.project, "tiny", "de")

    cells = [row["location"] for row in rows(harbour) if row["location"].startswith("cards/")]
    assert cells == ["cards/storm/name", "cards/calm/name"]


def test_a_translated_game_is_printed_in_its_language(harbour: TinyProject) -> None:
    """Cards, names behind references, titles and the book are German; what asks for "Storm" finds it; links lead on."""
    filled(harbour)
    result = in_german(harbour)
    assert result.ok, told(result)
    out = harbour.project.root / "output/tiny/de"

    cards, book = words(out / "a4/cards.pdf"), words(out / "a4/rulebook.pdf")
    assert "Sturm" in cards and "Storm" not in cards and "Tripolis: Segelt heim" in cards
    assert "Es gibt 3 Karten" in book and "Der Sturm" in book and "zwei" in book and "Storms" not in book
    assert "Hafen" in words(out / "a4/print.pdf") and "Seekarten" in words(out / "a4/print.pdf")
    assert PdfReader(out / "a4/print.pdf").trailer["/Root"]["/Lang"] == "de"
    harbour.build()
    own = harbour.project.root / "output/tiny"
    assert "Storm" in words(own / "a4/cards.pdf") and "Sturm" not in words(own / "a4/cards.pdf")
    assert (own / "de/a4/cards.pdf").is_file()


def test_a_number_of_a_book_is_marked_as_its_language_does(harbour: TinyProject) -> None:
    """What ``number`` writes in English with a comma has a point in German, where a comma begins a fraction."""
    source = "It costs {{ number(12000) }} coins."
    harbour.write("content/tiny/rulebook.md", BOOK + f"\n{source}\n")
    filled(harbour, {source: "Es kostet {{ number(12000) }} Taler."})

    assert in_german(harbour).ok and harbour.build().ok
    out = harbour.project.root / "output/tiny"
    assert "Es kostet 12.000 Taler" in words(out / "de/a4/rulebook.pdf")
    assert "It costs 12,000 coins" in words(out / "a4/rulebook.pdf")


def test_a_template_fills_in_a_translated_sentence(harbour: TinyProject) -> None:
    """A sentence of ``[texts]`` with names in braces is filled in by the template, wherever its language puts them."""
    harbour.write("content/tiny/game.toml", GAME.replace("Sail **home**", "Sail to {port}"))
    harbour.write("templates/tiny/cards.svg.j2", TEMPLATE.replace("texts.motto", "texts.motto.format(port=row.port.name)"))
    filled(harbour, {"Sail to {port}": "{port} ist das Ziel"})

    assert in_german(harbour).ok
    assert "Tripolis: Tripolis ist das Ziel" in words(harbour.project.root / "output/tiny/de/a4/cards.pdf")


def test_a_changed_cell_makes_exactly_its_translation_stale(harbour: TinyProject) -> None:
    """A word in a table is changed: a German build stops at that row; pnp translate keeps both, and settled it builds."""
    filled(harbour)
    harbour.write("content/tiny/cards.csv", CARDS.replace("Rest a turn", "Rest two turns"))

    assert told(in_german(harbour)) == [("stale-translation", "content/tiny/languages/de.csv:9:target")]
    translate_game(harbour.project, "tiny", "de")
    (stale,) = [row for row in rows(harbour) if row["fuzzy"]]
    assert (stale["source"], stale["target"]) == ("Rest two turns.", "Rastet eine Runde.")
    assert stale["context"] == "[was] Rest a turn."
    assert told(in_german(harbour)) == [("stale-translation", "content/tiny/languages/de.csv:9:target")]
    settled = rows(harbour)
    settled[7] |= {"target": "Rastet zwei Runden.", "fuzzy": "", "context": ""}
    put(harbour, settled)
    assert in_german(harbour).ok


def test_a_hole_is_printed_in_a_draft_alone(harbour: TinyProject) -> None:
    """A missing row is an error; in a draft the game's own words stand there, and the error is told all the same."""
    filled(harbour, cards_storm_text="")

    assert told(in_german(harbour)) == [("missing-translation", "content/tiny/languages/de.csv:7:target")]
    assert not (harbour.project.root / "output/tiny/de").exists()
    result = in_german(harbour, draft=True)
    assert told(result) == [("missing-translation", "content/tiny/languages/de.csv:7:target")]
    out = harbour.project.root / "output/tiny/de/a4"
    assert "then sail" in words(out / "cards.pdf") and "ENTWURF" in words(out / "cards.pdf")
    assert "Es gibt 3 Karten" in words(out / "rulebook.pdf")


def test_what_does_not_fit_is_told_at_its_translation(harbour: TinyProject) -> None:
    """A long German word, on a card and in [texts]: the row of the file is blamed, not the English cell."""
    filled(harbour, cards_calm_text="Donau " * 90, texts_motto="Segelt " * 20)

    places = {str(problem.place) for problem in of(in_german(harbour), "text-too-long")}

    assert places == {"content/tiny/languages/de.csv:9:target", "content/tiny/languages/de.csv:5:target"}


@pytest.mark.parametrize(
    ("location", "target", "rule", "row"),
    [
        ("cards_storm_text", "Verliert 2, dann segelt.", "lost-icon", 7),
        ("book_rulebook_harbour_1", "Es gibt 3 Karten.", "lost-number", 14),
        ("texts_motto", "Segelt heim", "lost-emphasis", 5),
        ("book_rulebook_the_storm_1", "Stürme nehmen | **zwei** Karten.", "lost-cell", 16),
        ("ports_malta_name", "Tripolis", None, 11),
        ("book_rulebook_the_calm_1", "{{ nothing }}", "lost-number", 18),
    ],
)
def test_what_is_lost_in_translation_is_told(
    harbour: TinyProject, location: str, target: str, rule: str | None, row: int
) -> None:
    """Icons, live numbers and emphasis are as in the source; other words are the translator's."""
    filled(harbour, **{location: target})

    found = [(problem.rule, problem.place.row) for problem in in_german(harbour).problems if problem.rule.startswith("lost")]

    assert found == ([(rule, row)] if rule else [])


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("Lose 2, then sail.", "Verliert 3, dann segelt.", "it says 3, and its source 2"),
        ("Lose two, then sail 10.", "Verliert 3, dann segelt 10.", "it says 3, and its source 2"),
        ("Lose 2 of 1,500.", "Verliert 2 von 1.600.", "it says 1600, and its source 1500"),
        ("Lose two of 1,500.", "Verliert 2 von 1 500.", ""),
        ("Lose 2.5, one each.", "Verliert 2,5, je 1.", ""),
        ("Lose 2.", "Verliert zwei.", ""),
        ("Lose both.", "Verliert alle 2.", ""),
    ],
)
def test_another_number_in_a_translation_is_told(harbour: TinyProject, source: str, target: str, said: str) -> None:
    """Two languages would play by two rules; how a number is written is the language's."""
    harbour.write("content/tiny/cards.csv", CARDS.replace("Lose :art: 2, then sail.", source))
    filled(harbour, {source: target})

    assert [problem.message for problem in of(in_german(harbour), "other-number")] == [said] * bool(said)


def test_bold_around_a_live_number_is_bold(harbour: TinyProject) -> None:
    """A run of bold words that begins with a number of the tables is one, as one that does not."""
    source = "Storms take **{{ 2 }} more** cards."
    harbour.write("content/tiny/rulebook.md", BOOK.replace("Storms take **two** cards.", source))
    filled(harbour, {source: "Stürme nehmen **noch {{ 2 }} Karten**."})

    assert not of(in_german(harbour), "lost-emphasis")


def test_a_fault_in_a_translated_paragraph_is_told_at_its_row(harbour: TinyProject) -> None:
    """What a translator breaks in a book's text leads to the file of translations."""
    filled(harbour, book_rulebook_the_calm_1="Rasten :nowhere:, {{ count(")

    (problem,) = of(in_german(harbour), "bad-book")
    assert str(problem.place) == "content/tiny/languages/de.csv:18:target"


def test_check_tells_how_far_each_language_is(harbour: TinyProject) -> None:
    """pnp check says the share, and where something is missing or stale, as warnings: the game itself is well."""
    filled(harbour, cards_calm_name="")
    harbour.write("content/tiny/cards.csv", CARDS.replace("Lose", "Now lose"))

    left = run("check", "tiny", at=harbour.project.root)

    assert left.code == 0 and "de 88 %" in left.out
    assert "content/tiny/languages/de.csv:8:target: no translation yet of 1 texts out of 17" in left.err
    assert "content/tiny/languages/de.csv:7:target: what it translates has changed" in left.err


def test_a_book_that_cannot_be_set_is_missed_in_a_draft(harbour: TinyProject) -> None:
    """A broken expression is named at its row; the draft has the cards, and says that it has not the book."""
    filled(harbour)
    made = rows(harbour)
    (broken,) = [row for row in made if "the-calm" in row["target"]]
    broken["target"] = broken["target"].replace("the-calm", "")
    put(harbour, made)
    result = in_german(harbour, draft=True)
    out = harbour.project.root / "output/tiny/de/a4"

    assert ("bad-book", f"content/tiny/languages/de.csv:{made.index(broken) + 2}:target") in told(result)
    assert ("book-left-out", "content/tiny/rulebook.md") in told(result)
    assert (out / "cards.pdf").exists() and not (out / "rulebook.pdf").exists()


def test_a_row_is_found_in_an_editor(harbour: TinyProject) -> None:
    """Below a cell of several lines a problem says the row of the table and the line of the file."""
    filled(harbour, texts_motto="Segelt\n\n**heim**", cards_storm_text="")

    assert told(in_german(harbour)) == [("missing-translation", "content/tiny/languages/de.csv:7:target (line 9)")]


def test_all_languages_are_built_and_left_alone_when_nothing_changed(harbour: TinyProject) -> None:
    """--language twice builds both, and the game's own language not; --languages all builds all; a second time nothing is
    done; each is known by its options."""
    filled(harbour)
    harbour.write("content/tiny/languages/fr.csv", (harbour.game / "languages/de.csv").read_text())
    root = harbour.project.root

    assert run("build", "tiny", "--language", "de", "--language", "fr", at=root).code == 0
    assert {path.name for path in (root / "output/tiny").iterdir() if path.is_dir()} == {"de", "fr"}
    first, second = (run("build", "tiny", "--languages", "all", at=root) for _ in range(2))
    assert first.code == second.code == 0, first.err
    assert (first.err.count("nothing has changed"), second.err.count("nothing has changed")) == (2, 3)
    assert (root / "output/tiny/a4/print.pdf").is_file() and (root / "output/tiny/de/a4/print.pdf").is_file()
    assert run("verify", "output/tiny/de/a4/print.pdf", at=root).code == 0


@pytest.mark.parametrize(
    ("language", "rule"), [("fr", "no-language"), ("german", "language-code"), ("de-Banana9", "language-code")]
)
def test_a_language_that_is_not_there_is_told(harbour: TinyProject, language: str, rule: str) -> None:
    """A code that is none, and a language without a file."""
    filled(harbour)

    result = harbour.build(language=language)

    assert [problem.rule for problem in result.problems] == [rule]


def test_a_file_in_another_encoding_is_told(harbour: TinyProject) -> None:
    """Bytes that are not UTF-8 are named with their line, and nothing is guessed."""
    filled(harbour)
    path = harbour.game / "languages/de.csv"
    path.write_bytes(path.read_text(encoding="utf-8").encode("cp1252"))

    result = in_german(harbour)

    assert told(result) == [("not-utf-8", "content/tiny/languages/de.csv:4")] and result.problems.unreadable


def test_a_book_may_be_written_anew(harbour: TinyProject) -> None:
    """rulebook.de.md is the German book; its paragraphs are not asked of the file."""
    harbour.write("content/tiny/rulebook.de.md", "# Hafen\n\nAlles neu: {{ count('cards') }} Karten.\n")
    filled(harbour)

    assert not [row for row in rows(harbour) if row["location"].startswith("book/rulebook/the")]
    assert in_german(harbour).ok
    assert "Alles neu: 3 Karten" in words(harbour.project.root / "output/tiny/de/a4/rulebook.pdf")


def test_one_piece_shows_two_languages(harbour: TinyProject) -> None:
    """A template asks for a text in another language of the game, whichever it is printed in."""
    filled(harbour)
    harbour.write("templates/tiny/ports.svg.j2", PORT.replace("row.name,", 'row.name ~ " / " ~ (row.name | tr("de")),'))

    assert harbour.build().ok
    assert "Tripoli / Tripolis" in words(harbour.project.root / "output/tiny/a4/ports.pdf")
    harbour.write("templates/tiny/ports.svg.j2", PORT.replace("row.name,", 'row.name | tr("fr"),'))
    problem = harbour.build().problems.errors[0]
    assert problem.rule == "bad-template" and problem.allowed == "en, de"


def test_two_languages_on_the_pieces(harbour: TinyProject) -> None:
    """--language de+en: both on the front where the template shows the other, else a language a side."""
    filled(harbour)
    both = '{{ s.text(row.name ~ " / " ~ (row.name | tr(game.other)) if game.other else row.name,'
    harbour.write("templates/tiny/ports.svg.j2", PORT.replace("{{ s.text(row.name,", both))
    harbour.write("templates/tiny/cards-back.svg.j2", PORT.replace("row.name", "game.name"))
    output = harbour.project.root / "output/tiny"

    made = harbour.build(language="de+en")

    assert made.ok and not of(made, "one-language")
    sheets = output / "de+en/a4"
    ports = PdfReader(sheets / "ports.pdf").pages
    assert [page.extract_text().count("Tripolis / Tripoli") for page in ports] == [1]
    front, back = (page.extract_text() for page in PdfReader(sheets / "cards.pdf").pages)
    assert "Verliert" in front and "Lose" not in front and "Lose" in back and "Verliert" not in back
    assert (front.count("Sturm"), back.count("Storm")) == (2, 2)
    assert "Rasten." in words(sheets / "rulebook.pdf")
    assert run("verify", str(sheets / "print.pdf"), at=harbour.project.root).code == 0

    # A text in a third language is none of the two.
    harbour.write("templates/tiny/ports.svg.j2", PORT.replace("row.name,", 'row.name ~ " / " ~ (row.name | tr("de")),'))
    assert harbour.build(language="de+en").ok
    told = [page.extract_text() for page in PdfReader(sheets / "ports.pdf").pages]
    assert ["Tripolis / Tripolis" in told[0], "Tripoli / Tripolis" in told[1]] == [True, True]

    harbour.write("content/tiny/game.toml", GAME.replace("[component.cards]", '[component.cards]\nback = "cards-back"'))
    (told,) = of(harbour.build(language="en+de"), "one-language")
    assert told.severity == "warning" and "cards" in told.message and told.value == "de"
    front, back = (page.extract_text() for page in PdfReader(output / "en+de/a4/cards.pdf").pages)
    assert "Lose" in front and back.count("Hafen") == 3

    put(harbour, [row for row in rows(harbour) if row["target"] != "Flaute"])
    assert [each.rule for each in harbour.build(language="en+de").problems.errors] == ["missing-translation"]
    for odd in ("de+de", "de+", "+de", "+", "de+en+de"):
        made = harbour.build(language=odd)
        assert [each.rule for each in made.problems.errors][:1] == ["language-code"] and not (output / odd).exists(), odd


@pytest.mark.parametrize("word", ["lighthouse", "Calm"])
def test_words_of_a_template_are_told(harbour: TinyProject, word: str) -> None:
    """What a template says itself would be printed in its author's language, though the id of a row is like it."""
    filled(harbour)
    harbour.write("templates/tiny/ports.svg.j2", PORT.replace("row.name,", f'row.name ~ " {word}",'))

    (problem,) = of(in_german(harbour), "untranslated-words")

    assert problem.value == word.lower() and problem.severity == "warning"


def test_a_piece_without_a_table_is_called_like_its_component(harbour: TinyProject) -> None:
    """In each language, also where its template takes the name from its row."""
    harbour.write("content/tiny/game.toml", GAME + '\n[component.flag]\ntitle = "Flag"\nsize = "tcg"\ncopies = 1\n')
    harbour.write("templates/tiny/flag.svg.j2", PORT.replace("row.name", 'row.name ~ "!"'))
    filled(harbour, {"Flag": "Flagge"})
    assert in_german(harbour).ok

    assert "Flagge!" in words(harbour.project.root / "output/tiny/de/a4/flag.pdf")


def test_a_catalogue_goes_to_po_and_comes_back(harbour: TinyProject) -> None:
    """A PO file has every text with its location, stale ones fuzzy with their old source; what it brings is taken."""
    filled(harbour)
    harbour.write("content/tiny/cards.csv", CARDS.replace("Rest a turn", "Rest two turns"))
    root = harbour.project.root
    assert run("translate", "tiny", "de", "--po", "de.po", at=root).code == 0
    text = (root / "de.po").read_text(encoding="utf-8")
    assert not re.search(r"\d{4}|EMAIL|FULL NAME|ORGANIZATION|PROJECT", text.partition("msgctxt")[0]), "no date, no form"
    assert '#, fuzzy\n#| msgid "Rest a turn."\nmsgctxt "cards/calm/text"\nmsgid "Rest two turns."\n' in text
    before = rows(harbour)

    brought = text.replace('#, fuzzy\n#| msgid "Rest a turn."\n', "").replace("Rastet eine Runde.", "Rastet zwei Runden.")
    (root / "new.po").write_text(brought, encoding="utf-8")
    assert run("translate", "tiny", "de", "--from-po", "new.po", at=root).code == 0

    changed = [(old, new) for old, new in zip(before, rows(harbour), strict=True) if old != new]
    assert [(new["location"], new["target"], new["fuzzy"]) for _, new in changed] == [
        ("cards/calm/text", "Rastet zwei Runden.", "")
    ]
    assert in_german(harbour).ok


def test_a_piece_without_words_is_the_same_in_all_languages(harbour: TinyProject) -> None:
    """Nothing of a language is in a drawing that says nothing: the file of its pieces has the same pictures."""
    harbour.write(
        "templates/tiny/ports.svg.j2",
        '{% extends "shared/face.svg.j2" %}{% block face %}<circle cx="30" cy="40" r="9"/>{% endblock %}',
    )
    filled(harbour)
    harbour.build(faces="svg")
    in_german(harbour, faces="svg")

    out = harbour.project.root / "output/tiny"
    own = {path.name: path.read_bytes() for path in (out / "faces/ports").glob("*.svg")}
    assert own and own == {path.name: path.read_bytes() for path in (out / "de/faces/ports").glob("*.svg")}


def test_checks_of_tables_look_at_the_game_as_it_was_written(harbour: TinyProject) -> None:
    """Claims and settled words speak the author's language, and hold in a build of another."""
    harbour.write(
        "content/tiny/rules.toml",
        '[claim.storms]\nsays = "There are two storms"\nexpect = \'count("cards", name="Storm") == 2\'\n\n'
        '[words]\nbanned = { Seekarten = "Sea cards" }\n',
    )
    filled(harbour)

    result = in_german(harbour)

    assert result.ok and not of(result, "banned-word"), told(result)


GERMAN_CARDS = """id,name,text
anna,Anna,Ziehe zwei Karten und lege eine auf den Stapel.
bert,Bert,Du kannst noch einmal würfeln oder das Feld räumen.
cleo,Cleo,"Jeder Spieler gibt dir eine Karte, wenn der König nicht liegt."
dora,Dora,Lege das Boot auf das Feld und nimm einen Stein für jeden Hafen.
"""


@pytest.mark.parametrize(("code", "told"), [("", True), ("fr", True), ("de", False), ("pl", False)])
def test_a_game_in_another_language_than_it_says_is_told(tiny: TinyProject, code: str, told: bool) -> None:
    """Its words would be parted as those of English; of languages that pnp does not know by their words nothing is told."""
    tiny.write("content/tiny/cards.csv", GERMAN_CARDS)
    said = f'[game]\nlanguage = "{code}"' if code else "[game]"
    tiny.write("content/tiny/game.toml", (tiny.game / "game.toml").read_text().replace("[game]", said))
    found = check_game(tiny.project, "tiny", lambda _: None, draw=False).problems
    problems = [problem for problem in found if problem.rule != "press-words"]

    assert [(problem.rule, problem.severity) for problem in problems] == [("language-unsaid", "warning")] * told
    assert all('language = "de"' in problem.hint for problem in problems)


def test_an_english_game_with_a_book_in_another_language_is_english(tiny: TinyProject) -> None:
    """Few words show nothing, and a translated book is no book of the game's own."""
    tiny.write("content/tiny/rulebook.de.md", f"# Regeln\n\n{GERMAN_CARDS}")

    problems = check_game(tiny.project, "tiny", lambda _: None, draw=False).problems
    assert "language-unsaid" not in {problem.rule for problem in problems}
