"""What slips in while a table is typed is told at its cell or row; what is meant is left alone."""

from __future__ import annotations

import pytest
from conftest import TinyProject, read_whole

from pnp.check.slips import AS_TYPED, MARK, MISREAD, NAME, ROW, look
from pnp.values.findings import Subject
from pnp.values.problems import Problem


def found(tiny: TinyProject, table: str) -> list[Problem]:
    """What is found in a table of cards; an icon is called peat."""
    tiny.write("content/tiny/art/icons/peat.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    tiny.write("content/tiny/art/icons/dry peat.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    tiny.write("content/tiny/cards.csv", table)
    return [*look(Subject(read_whole(tiny.project))).problems]


@pytest.mark.parametrize(
    ("text", "value", "hint"),
    [
        ("Gain :Peat: twice.", ":Peat:", "Write :peat:"),
        ("Gain :peat : twice.", ":peat :", "Write :peat:"),
        (r"Draw two.\nPass.", r"\n", "Alt+Enter"),
        ("=SUM(B2:B3)", "=SUM(B2:B3)", "save the table with its values"),
        ("Take one {thief}.", "{thief}", "write :thief:"),
        ("Take one {Red Thief}.", "{Red Thief}", "write :red-thief:"),
        ("Pay {2}.", "{2}", "write :2:"),
        ("A [thief]{red}, {漢字|かんじ}, {{ thief }}, {% thief %}, {1, 2}, `{thief}` and {}.", "", ""),
        ('""', '"', "Write the words of the row above again."),
        ("TODO", "TODO", "copies = 0"),
        ("Draw TBD cards.", "TBD", "copies = 0"),
        ("Lorem ipsum dolor sit amet.", "Lorem ipsum", "copies = 0"),
        ("undefined", "undefined", "copies = 0"),
        ("TODO O NADA, a null result, Null, XXX", "", ""),
        ("AMANHÃ…, à\xa0«\xa0é\xa0», CAFÉ™", "", ""),
        ("Gain :peat:.", "", ""),
        ("Gain [Peat] twice.", "[Peat]", "Write :peat:"),
        ("Gain :pe at: twice.", ":pe at:", "Write :peat:"),
        ("Gain [turf], [peat]{red} and [peat](x).", "", ""),
        ("Gain :dry peat: twice.", ":dry peat:", "Write :dry-peat:"),
        ("Gain: draw two: pass.", "", ""),
        ("Note: draw: two, 1:Peat:2", "", ""),
        ("= 3 VP", "", ""),
    ],
)
def test_what_comes_out_as_it_was_typed_is_told(tiny: TinyProject, text: str, value: str, hint: str) -> None:
    """With what was meant; other colons, backslashes and signs are prose."""
    told = found(tiny, f'name,text\nAnna,"{text}"\nBert,Pass.\n')

    seen = [(each.rule, each.severity, each.value, each.place.row, each.place.column) for each in told]
    assert seen == ([(AS_TYPED, "warning", value, 2, "text")] if value else [])
    assert all(hint in each.hint for each in told)


LATIN = ["Crème brûlée", "Größe", "Wait…", "“Go”, she said", "it’s", "a — b", "Jalapeño"]
OTHERS = ["5 € each", "Żubr", "Θεός", "Мир", "שלום", "مرحبا", "😀 go", "½ mile"]


@pytest.mark.parametrize(
    ("text", "codec"), [(text, "cp1252") for text in LATIN + OTHERS] + [(text, "mac_roman") for text in LATIN]
)
def test_letters_that_a_program_misread_are_told(tiny: TinyProject, text: str, codec: str) -> None:
    """What a program shows that opens UTF-8 as its own encoding; bytes that it has no letter for are controls to it."""
    wrong = "".join(bytes([byte]).decode(codec, "replace").replace("\ufffd", chr(byte)) for byte in text.encode())

    told = found(tiny, f'name,text\nAnna,"{wrong}"\nBert,"Pass {wrong}."\nCleo,"{text}"\n')

    assert [(each.rule, each.severity, each.place.row) for each in told if each.rule != MARK] == [(MISREAD, "warning", 2)]
    assert f'"{text}"' in told[0].message and "so it is in 1 more" in told[0].message


RIGHT = ["ANDRÉ’S", "He was blasé…”", "CAFÉ™", "MAÇÃ…", "SÃO", "naïve", "√2", "Spaß”", "5×3", "Ähre–Öl", "Ñandú", "Âge",
         "20 °C", "Þór", "l’Œuvre", "¿Qué?”", "PIETÀ…", "ÅSE’S"]  # fmt: skip


def test_letters_of_many_languages_are_left_alone(tiny: TinyProject) -> None:
    told = found(tiny, "name,text\n" + "".join(f'{at},"{text}"\n' for at, text in enumerate(RIGHT)))

    assert [each.value for each in told if each.rule == MISREAD] == []


def test_misread_letters_are_told_in_books(tiny: TinyProject) -> None:
    tiny.write("content/tiny/rulebook.md", "# Tiny\n\nA crÃ¨me.\n")
    (told,) = [each for each in found(tiny, "name,text\nAnna,Draw\n") if each.rule == MISREAD]

    assert str(told.place).endswith("rulebook.md:3") and "A crème." in told.message


def test_braces_that_a_template_fills_are_left_alone(tiny: TinyProject) -> None:
    """It puts something in their place."""
    table = "name,text\nAnna,Take one {thief}.\nBert,Pass.\n"
    assert [each.value for each in found(tiny, table)] == ["{thief}"]
    tiny.write("templates/tiny/cards.svg.j2", """{{ row.text | replace("{thief}", ":thief:") }}""")

    assert found(tiny, table) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Wait... no.", "..."),
        ("See ../art and .../b.", ""),
        ("Rain--then sun.", "--"),
        ("Sail home - at once.", "-"),
        ("Take 5 - 3 fish.", ""),
        ('She says "aye".', '"aye"'),
        ('5" x 3" wide', ""),
        ("She says “aye” … – and goes.", ""),
    ],
)
def test_marks_of_a_typewriter_are_told(tiny: TinyProject, text: str, value: str) -> None:
    """Dots, dashes and straight quotation marks that print has its own for; minus, options, inches and bullets are meant."""
    typed = text.replace('"', '""')
    told = [each for each in found(tiny, f'name,text\nAnna,"{typed}"\nBert,Pass.\n') if each.rule == MARK]

    seen = [(each.severity, each.value, each.place.row, each.place.column) for each in told]
    assert seen == ([("warning", value, 2, "text")] if value else [])


BOOK = ("content/tiny/rules.md",)


def test_marks_of_a_typewriter_are_told_in_books(tiny: TinyProject) -> None:
    """At their lines; books set quotation marks themselves, and code, tables, comments and what is computed are meant."""
    book = """# Rules

| a | b |
|---|---|
| - | one - and two |

He says "aye" in `a -- b ... c`. <!-- not -- here -->
{{ 5 - 3 }} fish, {% if 1 - 1 %}none{% endif %}

```
a -- b
```

Wait...
"""
    tiny.write("content/tiny/rules.md", book)

    told = [each for each in found(tiny, "name,text\nAnna,Draw.\nBert,Pass.\n") if each.rule == MARK]

    assert [(each.place.file, each.place.row, each.value) for each in told] == [(*BOOK, 14, "..."), (*BOOK, 5, "-")]


DECK = "id,name,text\n" + "".join(f"c{number},Card {number},Draw {number}.\n" for number in range(1, 7))


COSTED = "name,cost,type,text\n" + "".join(f"Card {at},{at},Unit,Draw {at}.\n" for at in range(1, 6))


@pytest.mark.parametrize(
    ("row", "value", "words"),
    [
        ("Events,,,", "Events", "stands alone in its row, and is printed as a piece"),
        (",,,More penguins?", "More penguins?", "stands alone in its row, and is printed as a piece"),
        ("Six,O,Unit,Pass.", "O", '"O" is printed as it stands'),
        ("Six,1O,Unit,Pass.", "1O", '"1O" is printed as it stands'),
        ("Six,Unit,3,Pass.", "Unit", "in type a number, 3"),
        ("Six,X,Unit,Pass.", "", ""),
        ("Six,,Unit,", "", ""),
        ("Six,-2,Unit,7", "", ""),
    ],
)
def test_a_row_that_is_unlike_all_others_is_told(tiny: TinyProject, row: str, value: str, words: str) -> None:
    """A heading, a letter like a figure, two cells in the wrong places; an X that is meant is none of these."""
    told = [each for each in found(tiny, f"{COSTED}{row}\n") if each.rule == AS_TYPED]

    assert [(each.value, each.place.row, words in each.message) for each in told] == ([(value, 7, True)] if value else [])


@pytest.mark.parametrize(
    ("more", "rule", "row"),
    [
        ("c7,Card 2,Draw 2.\n", ROW, 8),
        ("c7,Card 2,Pass.\n", NAME, 8),
        ("c7,card 2,Pass.\n", NAME, 8),
        ("c7,Card 7,Draw 2.\n", "", 0),
        # Three of a name are meant.
        ("c7,Card 2,Pass.\nc8,Card 2,Stay.\n", "", 0),
    ],
)
def test_a_row_or_a_name_that_is_there_twice_is_told(tiny: TinyProject, more: str, rule: str, row: int) -> None:
    """Once, at the second."""
    told = found(tiny, DECK + more)
    assert [(each.rule, each.severity, each.place.row) for each in told] == ([(rule, "warning", row)] if rule else [])
