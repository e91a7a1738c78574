"""Columns by the names, for the uses and with the values that a game gives them, from the table to the drawn piece."""

from __future__ import annotations

from collections.abc import Mapping

import openpyxl
import pytest
from conftest import TINY_GAME, TINY_TEMPLATE, TinyProject, pipeline

from pnp.check.evaluator import Evaluator
from pnp.draw.cards import check_columns
from pnp.flows.check import list_game
from pnp.flows.pipeline import Pipeline
from pnp.sandbox.jinja import Documents
from pnp.values.faces import TextLayer
from pnp.values.game import Component, Game
from pnp.values.problems import Fault, Place
from pnp.values.tables import CellText, Number

FACE = """{%% extends "shared/face.svg.j2" %%}
{%% import "shared/pieces.svg.j2" as s %%}
{%% block face %%}{{ s.text(%s, 5, 5, 53, 30, size="14 6", name="said") }}{%% endblock %%}
"""


def of(tiny: TinyProject, toml: str, tables: Mapping[str, str], shown: str = "row.id") -> Pipeline:
    """The tiny game with other tables, whose cards show one text."""
    tiny.write("content/tiny/game.toml", f'[game]\nname = "Tiny"\npapers = ["a4"]\n{toml}')
    for name, text in tables.items():
        tiny.write(f"content/tiny/{name}.csv", text)
    tiny.write("templates/tiny/cards.svg.j2", FACE % shown)
    return pipeline(tiny.project)


def game_of(made: Pipeline) -> Game:
    assert made.game is not None, list(made.problems)
    return made.game


def cards(made: Pipeline) -> Component:
    (component,) = game_of(made).components
    assert not made.problems.errors
    return component


def said(made: Pipeline) -> list[str]:
    """What the cards show, in their order; nothing for one without text."""
    shown = []
    for piece in made.decks[0].pieces:
        layers = [placed.layer for placed in piece.front.layers if isinstance(placed.layer, TextLayer)]
        shown.append(layers[0].pieces[0].source if layers else "")
    assert not made.problems.errors, list(made.problems)
    return shown


CARDS = '[component.cards]\nsize = "tcg"\n'


@pytest.mark.parametrize(
    ("shown", "seen"),
    [
        ('"nine" if row.cost == "9" else "more" if row.cost == 10 else "-"', ["nine", "more", "-"]),
        ('{"9": "a", "10": "b", "1.50": "c"}[row.cost]', ["a", "b", "c"]),
        ('"yes" if row.cost in {"9": 1} else "no"', ["yes", "no", "no"]),
        ('"%s/%.1f" | format(row.cost, row.cost)', ["9/9.0", "10/10.0", "1.50/1.5"]),
        ('tables.cards | sort(attribute="cost") | map(attribute="cost") | join(" ")', ["1.50 9 10"] * 3),
        ('"" ~ (tables.cards | sum(attribute="cost"))', ["20.5"] * 3),
    ],
)
def test_a_number_is_a_number_and_its_text(tiny: TinyProject, shown: str, seen: list[str]) -> None:
    """A template computes with it, and all that it did with the text before goes on."""
    assert said(of(tiny, CARDS, {"cards": "id,cost\na,9\nb,10\nc,1.50\n"}, shown)) == seen


@pytest.mark.parametrize("shown", ["row.cost ** row.cost", "range(row.cost) | list | length"])
def test_a_number_of_a_table_makes_nothing_without_bounds(tiny: TinyProject, shown: str) -> None:
    """Whatever a number typed into a template may not do, one typed into a table may not."""
    made = of(tiny, CARDS, {"cards": "id,cost\na,999999999\n"}, shown)
    _ = made.decks
    assert [problem.rule for problem in made.problems] == ["bad-template"]


@pytest.mark.parametrize(
    ("typed", "filled"), [("{{ n + 1 }}", "3.5"), ("{{ n + n }} {{ n * 2 }}", "5.0 5.0"), ("{{ w + '!' }}{{ w }}", "X!X")]
)
def test_books_see_the_same_numbers(typed: str, filled: str) -> None:
    """A book computes with them, and prints them as typed."""
    names = {"n": Number("2.50", 2.5), "w": CellText("X", "the column is text", "Mend it.")}
    assert Documents(names).fill(typed) == filled


@pytest.mark.parametrize(("typed", "why"), [("{{ n + ' gold' }}", "a number cannot be used"), ("{{ w > 1 }}", "is text")])
def test_books_are_told_what_is_no_number(typed: str, why: str) -> None:
    """With the line of the book."""
    names = {"n": Number("2.50", 2.5), "w": CellText("X", "the column is text", "Mend it.")}
    with pytest.raises(Fault, match=why) as bad:
        Documents(names).fill(f"One.\n{typed}")
    assert bad.value.place == Place("", 2)


def test_columns_are_named_and_chosen(tiny: TinyProject) -> None:
    """By their titles as typed, or as templates know them."""
    toml = '[table.cards]\nid = "Card Name"\ncopies = "duplication"\nnames = { cost = "Mana Cost" }\n' + CARDS
    table = "ID,Card Name,Mana Cost,Duplication\n,Fish & Chips,2,3\n,Old Boot,4,\n"
    made = of(tiny, toml, {"cards": table}, 'row.cost ~ " " ~ row.card_name')
    assert [(row.id, row.copies) for row in cards(made).table] == [("fish-chips", 3), ("Old Boot", 1)]
    assert said(made) == ["2 Fish &amp; Chips", "4 Old Boot"] or said(made) == ["2 Fish & Chips", "4 Old Boot"]


@pytest.mark.parametrize(
    ("where", "ids"),
    [
        ('{ type = ["x", "y"] }', "abce"),
        ('{ type = { not = ["x", "y"] } }', "d"),
        ("{ cost = { min = 2, max = 9 } }", "bc"),
        ("{ cost = { max = 10, not = [2, 9] } }", "ad"),
        ('{ cost = "" }', "e"),
    ],
)
def test_where_takes_lists_and_bounds(tiny: TinyProject, where: str, ids: str) -> None:
    """Numbers are compared as numbers; an empty cell is within no bounds."""
    made = of(tiny, f"{CARDS}where = {where}\n", {"cards": "id,type,cost\na,x,1\nb,x,2.0\nc,y,9\nd,z,10\ne,x,\n"})
    assert "".join(row.id for row in cards(made).table) == ids
    assert {problem.rule for problem in made.problems} <= {"unprinted-rows"}


def test_several_tables_are_one_deck(tiny: TinyProject) -> None:
    """In their order; the same id in both is two pieces, which share what is drawn for it; what one lacks is told."""
    tables = {"base": "id,cost,copies\nfox,1,2\nowl,2,1\n", "promo": "id,copies\nfox,1\n"}
    made = of(tiny, f'{CARDS}table = ["base", "promo"]\n', tables, 'row.id ~ " " ~ row.cost ~ "."')
    assert [(row.id, row.copies) for row in cards(made).table] == [("fox", 2), ("owl", 1), ("fox-promo", 1)]
    assert said(made) == ["fox 1.", "owl 2.", "fox ."]
    (problem,) = made.problems
    assert (problem.rule, problem.severity, problem.value) == ("columns-of-one-table", "warning", "cost")
    assert problem.place.file == "content/tiny/promo.csv"


def test_columns_are_computed(tiny: TinyProject) -> None:
    """From each other in whatever order, from rows that are referred to, and typed as the table types numbers."""
    toml = """
[table.cards.columns]
strong = { value = "total > 5" }
total = { value = "attack + town.worth" }
town = { table = "towns" }
label = { value = "town.name ~ '!'" }
"""
    tables = {"cards": 'id,attack,town\na,"1,5",Rome\nb,2,Oslo\n', "towns": 'id,name,worth\nr,Rome,"3,25"\no,Oslo,4\n'}
    made = of(tiny, toml + CARDS, tables, 'row.label ~ " " ~ row.total ~ (" strong" if row.strong else "")')
    assert said(made) == ["Rome! 4,75", "Oslo! 6 strong"]
    assert Evaluator(game_of(made)).value('rows("cards") | map(attribute="total") | max == 6') is True


def test_copies_have_numbers(tiny: TinyProject) -> None:
    """Each is a piece of its own; the counts of pieces stay, and what is drawn for the row is theirs."""
    toml = f"{CARDS}numbered = true\n[expect.cards]\ncopies = 13\n"
    made = of(tiny, toml, {"cards": "id,copies\nticket,12\nlast,1\n"}, 'row.id ~ " " ~ row.copy ~ " of " ~ row.copies')
    pieces = made.decks[0].pieces
    assert said(made) == [*(f"ticket {number} of 12" for number in range(1, 13)), "last 1 of 1"]
    assert [piece.id for piece in pieces][:2] == ["ticket-01", "ticket-02"]
    assert pieces[-1].id == "last-01"
    assert {piece.copies for piece in pieces} == {1}
    assert (made.counts[0].copies, made.counts[0].different) == (13, 13)
    assert Evaluator(game_of(made)).value('count("cards")') == 13
    result = tiny.build()
    assert result.ok, list(result.problems)


RARE = "id,rare,else\na,TRUE,yes\nb,FALSE,No\nc,,NO\n"


@pytest.mark.parametrize(
    ("shown", "seen"),
    [
        ('"R" if row.rare else "-"', ["R", "-", "-"]),
        ('"R" if row.rare is true else "no" if row.rare is false else "?"', ["R", "no", "no"]),
        ('"R" if row.rare == "TRUE" else row.rare != "FALSE"', ["R", "False", "True"]),
        ('{"TRUE": "t", "FALSE": "f", "": "e"}[row.rare]', ["t", "f", "e"]),
    ],
)
def test_a_flag_is_true_or_false_and_its_text(tiny: TinyProject, shown: str, seen: list[str]) -> None:
    """As a spreadsheet exports a column of tick boxes, or somebody types yes and no; an empty cell is a no."""
    assert said(of(tiny, CARDS, {"cards": RARE}, shown)) == seen


def test_the_list_says_what_was_taken_for_what(tiny: TinyProject) -> None:
    """Title, name, kind of cells, key, copies, and what nothing uses."""
    table = "Name,Mana Cost,level,copeis,Ready,Rare\nAnna,2,1,1,yes,TRUE\nBert,4,X,2,no,\n"
    toml = '[table.cards]\nnames = { cost = "Mana Cost" }\n[table.cards.columns]\nready = { type = "flag" }\n' + CARDS
    of(tiny, toml, {"cards": table}, "row.name ~ row.cost ~ row.level ~ (row.ready) ~ row.rare")
    (listed,) = list_game(tiny.project, "tiny")["tables"]
    assert [(each["title"], each["name"], each["taken"]) for each in listed["columns"]] == [
        *(("Name", "name", "text"), ("Mana Cost", "cost", "numbers"), ("level", "level", "text (for row 3)")),
        *(("copeis", "copeis", "numbers"), ("Ready", "ready", "yes or no"), ("Rare", "rare", "yes or no")),
    ]
    assert [each["name"] for each in listed["columns"] if each["key"] or each["copies"]] == ["name"]
    assert [each["name"] for each in listed["columns"] if not each["used"]] == ["copeis"]


def test_messages_name_the_sheet(tiny: TinyProject) -> None:
    """Two tables of one workbook have the same rows and columns; each is looked through for what nothing uses."""
    book = openpyxl.Workbook()
    for name in ("Heroes", "Foes"):
        page = book.create_sheet(name)
        for line in (["name", "copies", "lore"], ["Anna", "many" if name == "Foes" else 1, "Old"]):
            page.append(line)
    target = tiny.project.content / "tiny" / "all.xlsx"
    toml = "".join(
        f'[table.{name.lower()}]\nfile = "all.xlsx"\nsheet = "{name}"\n[component.{name.lower()}]\nsize = "tcg"\n'
        f'table = "{name.lower()}"\ntemplate = "cards"\n'
        for name in ("Heroes", "Foes")
    )
    made = of(tiny, toml, {}, "row.name")
    book.save(target)
    game_of(made)
    assert [str(each.place) for each in made.problems] == ["content/tiny/all.xlsx (sheet Foes):2:copies"]
    book["Foes"]["B2"] = 2
    book.save(target)
    again = pipeline(tiny.project)
    assert again.decks
    check_columns(game_of(again), again.problems)
    assert [(each.rule, str(each.place)) for each in again.problems] == [
        ("unused-column", "content/tiny/all.xlsx (sheet Heroes):1:lore"),
        ("unused-column", "content/tiny/all.xlsx (sheet Foes):1:lore"),
    ]


@pytest.mark.parametrize(("where", "ids"), [("true", "aceg"), ("false", "bdf"), ('"yes"', "a")])
def test_where_knows_every_mark_of_yes_and_no(tiny: TinyProject, where: str, ids: str) -> None:
    """true is whatever a cell of yes or no may say; a text is that text."""
    marked = "id,new\na,yes\nb,no\nc,x\nd,\ne,1\nf,False\ng,TRUE\n"
    made = of(tiny, f"{CARDS}where = {{ new = {where} }}\n", {"cards": marked})
    assert "".join(row.id for row in cards(made).table) == ids
    assert {problem.rule for problem in made.problems} <= {"unprinted-rows"}


@pytest.mark.parametrize("title", ["No.", "Count (deck)", "#"])
def test_a_column_that_may_count_is_told(tiny: TinyProject, title: str) -> None:
    """In other words than copies: how game.toml says it is told, and what it says is right."""
    tiny.put(game_toml=TINY_GAME, cards_csv=f"name,text,{title}\nAnna,Draw.,2\nBert,Pass.,\n")
    (problem,) = tiny.build().problems
    said = f'[table.cards]\ncopies = "{title}"'
    assert problem.rule == "unused-column" and said.replace("\n", " ") in problem.hint

    tiny.write("content/tiny/game.toml", f"{TINY_GAME}\n{said}\n")
    assert not list(tiny.build().problems)


def test_what_does_not_count_is_no_number_of_copies(tiny: TinyProject) -> None:
    """A card's number among others, a measure with a fraction, a column beside the copies."""
    for other in ("card no\nAnna,Draw.,2\n", "amount\nAnna,Draw.,1.5\n", "copies,x\nA,Draw.,1,2\n"):
        tiny.write("content/tiny/cards.csv", f"name,text,{other}")
        (problem,) = tiny.build().problems
        assert problem.rule == "unused-column" and "copies =" not in problem.hint


@pytest.mark.parametrize(
    ("costs", "why"),
    [(["1.000", "2,5", "10"], 'row 2 says "1.000", which may be a thousand'), (["2,5", "1.5", "10"], 'row 2 says "2,5"')],
)
def test_the_cell_that_can_be_read_in_two_ways_is_named(tiny: TinyProject, costs: list[str], why: str) -> None:
    """In a sheet with decimal commas nothing is wrong with 2,5."""
    table = "name;cost\n" + "".join(f"{name};{cost}\n" for name, cost in zip(("a", "b", "c"), costs, strict=True))
    made = of(tiny, CARDS, {"cards": table}, '"x" if row.cost > 2 else "y"')
    assert made.decks is not None
    (problem,) = made.problems.errors
    assert why in problem.message


def test_a_table_that_no_component_names_is_told(tiny: TinyProject) -> None:
    """Tokens that were typed and never printed; what is named is read, and a list without names has no pieces."""
    tiny.write("content/tiny/tokens.csv", "name,copies\nGold,5\nSilver,9\n")
    tiny.write("content/tiny/slots.csv", "component,sheet\ncards,1\n")
    tiny.write("content/tiny/~$cards.xlsx", b"x")
    (problem,) = tiny.build().problems
    assert (problem.rule, str(problem.place), problem.severity) == ("unread-table", "content/tiny/tokens.csv", "warning")
    assert "none of its 2 rows" in problem.message

    tiny.write("content/tiny/game.toml", f'{TINY_GAME}\n[component.tokens]\nsize = "tcg"\n')
    assert "unread-table" not in {each.rule for each in tiny.build().problems}


def test_a_template_that_draws_nothing_is_told(tiny: TinyProject) -> None:
    """A back that was drawn and is named nowhere was not printed; what a template imports is used."""
    for name in ("card-back", "parts", "boss"):
        tiny.write(f"templates/tiny/{name}.svg.j2", TINY_TEMPLATE if name != "parts" else "{# Macros. #}")
    tiny.write(
        "templates/tiny/cards.svg.j2", TINY_TEMPLATE.replace("{% block", '{% import "parts.svg.j2" as p %}{% block', 1)
    )
    told = [problem for problem in tiny.build().problems if problem.rule == "unused-template"]
    assert [str(problem.place) for problem in told] == [f"templates/tiny/{name}.svg.j2" for name in ("boss", "card-back")]
    assert 'write back = "card-back" in [component.cards]' in told[1].hint

    tiny.write("content/tiny/game.toml", f'{TINY_GAME}\nback = "card-back"\n')
    assert [problem.value for problem in tiny.build().problems if problem.rule == "unused-template"] == ["boss"]


def test_a_text_that_nothing_uses_is_told(tiny: TinyProject) -> None:
    """At its line; one is used by its name or a computed one, by a claim, a book, or where no card comes to it."""
    texts = "".join(f'{key} = "Duck!"\n' for key in ("motto", "aim", "pass", "for-two", "solo", "left", "for-one"))
    tiny.write("content/tiny/game.toml", f"{TINY_GAME}\n[texts]\n{texts}")
    shown = 'row.text ~ texts.motto ~ texts["for-" ~ "two"] ~ (texts.solo if row.name == "Zoe" else "")'
    tiny.write("templates/tiny/cards.svg.j2", TINY_TEMPLATE.replace("row.text", shown))
    tiny.write("content/tiny/rulebook.md", "# Tiny\n\n{{ texts.aim }}\n")
    claim = 'count("cards") == 2 and texts.pass != ""'
    tiny.write("content/tiny/rules.toml", f"[claim.pass]\nsays = 'Two cards.'\nexpect = '{claim}'\n")
    told = [problem for problem in tiny.build().problems if problem.rule == "unused-text"]

    assert [str(problem.place) for problem in told] == [
        "content/tiny/game.toml:15:texts.left",
        "content/tiny/game.toml:16:texts.for-one",
    ]
    assert 'texts["for-one"]' in told[1].hint
