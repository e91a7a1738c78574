"""Names are terms by themselves: what is nearly one is told, and what only looks like it is not."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import TinyProject

from pnp.check import names, slips
from pnp.check.wording import Nearby, common, has_dictionary, near, ordinary
from pnp.read.game import read_game
from pnp.values.findings import Subject
from pnp.values.problems import Problem, Problems, nearest

Told = Callable[..., list[Problem]]
PLACES = "id,name\ntripoli,Tripoli\nport-royal,Port Royal\nclew-bay,Clew Bay\nnassau,Nassau\nwolf,Sea Wolf\nflag,Rum\n"
PLACES += 'snooze,"You snooze, you lose"\n'
BOOK = """
# The sea

Sail from Tripoli to Nassau, then on to Port Royal. In Tripoli and in Nassau live pirates, and in Clew Bay, too.
Who sails with the Sea Wolf comes to Port Royal. They drink Rum there. Nobody leaves Clew Bay.
"""
GAME = '[game]\nname = "T"\nlanguage = "{language}"\n[component.cards]\nsize = "tcg"\n[table.places]\n{more}'


@pytest.fixture
def told(tiny: TinyProject) -> Told:
    """What is wrong with a tiny game that has places and a rulebook, and says this besides."""

    def problems(
        text: str = "", places: str = PLACES, language: str = "en", book: str = BOOK, more: str = "", **tables: str
    ) -> list[Problem]:
        tiny.put(game_toml=GAME.format(language=language, more=more), places_csv=places, rulebook_md=f"{book}\n{text}\n")
        for name, table in tables.items():
            tiny.write(f"content/tiny/{name}.csv", table)
        found = Problems()
        game = read_game(tiny.project, "tiny", found)
        assert game is not None and not len(found), [str(problem) for problem in found]
        return [*names.look(Subject(game)).problems, *slips.look_ids(Subject(game)).problems]

    return problems


def values(problems: list[Problem]) -> list[tuple[str, str]]:
    """Rule and value of each."""
    return [(problem.rule, problem.value) for problem in problems]


# --- misspelt names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "word", "name"),
    [
        ("We sail to Tripolis.", "Tripolis", "Tripoli"),
        ("We see Nsasau.", "Nsasau", "Nassau"),
        ("They sail to Prot Royal.", "Prot", "Port Royal"),
        ("A rest in Clew Bays.", "Bays", "Clew Bay"),
        ("Cards: *You snooze, yuo lose*.", "yuo", "You snooze, you lose"),
        ('{{ face("cards", "a", caption="The road to Tripolo.", alt="A road") }}', "Tripolo", "Tripoli"),
    ],
)
def test_a_near_miss_of_a_name_is_told(text: str, word: str, name: str, told: Told) -> None:
    """Without any rules.toml, whatever the slip is, at its line, with the name that may be meant."""
    (found,) = told(text)

    assert (found.rule, found.value, found.severity) == ("misspelt-name", word, "warning")
    assert f'Did you mean "{name}"?' in found.hint
    assert (found.place.file, found.place.row) == ("content/tiny/rulebook.md", BOOK.count("\n") + 2)


@pytest.mark.parametrize(
    "text",
    [
        "Tripoli's harbour, TRIPOLI, tripoli.",
        "Tripoli’s walls. Nassau’s pier. The Port-Royal fleet.",
        "A wolf, wolves, two Sea Wolves and the Sea Wolf's den.",
        "The royal port. A clue in the bay. A boy, a bag, a day.",
        "![A town](art/tripolis.svg)",  # where a link leads, nobody reads
        "{{ tripolis }} :tripolis:",
    ],
)
def test_ordinary_words_and_forms_are_silent(text: str, told: Told) -> None:
    """Words of the language, several of a thing, possessives, capitals: no false alarm."""
    assert told(text) == []


def test_terms_are_right(told: Told, tiny: TinyProject) -> None:
    """What rules.toml settles is no misspelling."""
    assert values(told("Tripola trades.")) == [("misspelt-name", "Tripola")]

    tiny.write("content/tiny/rules.toml", '[words]\nterms = ["Tripola"]\n')
    assert told("Tripola trades.") == []


def test_names_of_one_table_may_be_near(told: Told) -> None:
    """Lina and Lisa are two people, and so are Gorak the Red and Korak the Red."""
    people = "name\nLina\nLisa\nGorak the Red\nKorak the Red\n"

    assert told("Lina meets Lisa. Gorak the Red fears Korak the Red.", cards=people) == []


def test_a_rows_other_cells_say_how_its_name_is_meant(told: Told) -> None:
    """The legend's row of a pair of towns names both, by id and by name."""
    legend = "kind,place,name\ntown,tripoli nassau,Tripoli & Nassaw\ntown,clew-bay,Clew Bay\n"

    assert values(told(cards=legend)) == [("misspelt-name", "Nassaw")]


@pytest.mark.parametrize(("language", "alarms"), [("de", 1), ("sv", 1)])
def test_other_languages(language: str, alarms: int, told: Told) -> None:
    """Nouns decline at their end; elsewhere a slip in a name is one. Without a dictionary, too."""
    book = "\n# Resa\n\nVi seglar till Tripoli och till Nassau. Sedan till Tripoli igen. Tripolis hamn, Nassaus, Tripolin.\n"

    assert told(book=book, language=language) == []
    assert len(told("Vi ser Tirpoli.", book=book, language=language)) == alarms
    assert told("trapoli nassal", book=book, language="sv") == []


# --- two spellings ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["They fear Seawolf.", "We meet the Sea-Wolf."])
def test_a_name_in_two_spellings_is_told(text: str, told: Told) -> None:
    """Joined, or with a hyphen in its capitals."""
    (found,) = told(text)

    assert (found.rule, found.allowed, found.severity) == ("two-spellings", "Sea Wolf", "warning")


@pytest.mark.parametrize("text", ["A sea-wolf skin.", "The Sea Wolf’s teeth.", "The *Sea* *Wolf*"])
def test_good_english_is_no_other_spelling(text: str, told: Told) -> None:
    """A hyphen before a noun, a possessive, all in capitals, two sentences."""
    assert told(text) == []


@pytest.mark.parametrize(
    ("goods", "odd"),
    [
        (["Porcelaine", "Porcelaine", "Porcelain", "Porcelaine", "Silk", "Silk"], "Porcelain"),
        (["Sea Salt", "Sea Salt", "Sea-Salt", "Sea Salt"], "Sea-Salt"),
        (["Silk", "Silk", "silk", "Silk"], "silk"),
    ],
)
def test_the_odd_value_of_a_column_is_told(goods: list[str], odd: str, told: Told) -> None:
    """One row spells a good unlike all others."""
    rows = "\n".join(f"{number},{good}" for number, good in enumerate(goods))
    (found,) = told(cards=f"number,good\n{rows}\n")

    assert (found.rule, found.value, found.place.row) == ("two-spellings", odd, goods.index(odd) + 2)


@pytest.mark.parametrize(
    "goods",
    [
        ["boat", "boat", "boat", "goat"],
        ["Zone A1", "Zone A1", "Zone A1", "Zone B1"],
        ["Gorak", "Gorak", "Korak", "Silk", "Salt", "Salt"],
    ],
)
def test_other_values_are_silent(goods: list[str], told: Told) -> None:
    """Two words of the language, numbered things, and a column in which every row has its own."""
    rows = "\n".join(f"{number},{good}" for number, good in enumerate(goods))

    assert told(cards=f"number,good\n{rows}\n") == []


def test_two_tables_of_the_same_things_spell_them_alike(told: Told) -> None:
    """Of four goods three are the same in both tables, and the fourth nearly."""
    goods, market = "good\nSilk\nSugar\nCocoa\nPorcelaine\n", "good\nSilk\nSugar\nCocoa\nPorcelain\n"
    (found,) = told(cards=goods, market=market, more="[table.market]\n")

    assert (found.rule, found.value, found.place.file) == ("two-spellings", "Porcelain", "content/tiny/market.csv")


# --- names and ids ----------------------------------------------------------------------------------------

WOLVES = ["sea-wolf,Sea Wolf", "grey-fox,The Grey Fox", "bobs-floe,Bob's Floe", "olive-oil,Olive Oil", "cafe,Café"]


@pytest.mark.parametrize(
    ("row", "name", "severity"),
    [("dawn-sail,Dawn Sial", "Dawn Sial", "warning"), ("dawn-sail,Grey Fox", "Grey Fox", "error")],
)
def test_a_name_that_does_not_fit_its_id_is_told(row: str, name: str, severity: str, told: Told) -> None:
    """Nearly the id's, which may be meant, or another row's."""
    cards = "\n".join(["id,name", *WOLVES, row])
    (found,) = [problem for problem in told(cards=cards) if problem.rule == "name-and-id"]

    assert (found.severity, found.value) == (severity, name)
    assert (found.place.file, found.place.row, found.place.column) == ("content/tiny/cards.csv", 7, "name")


@pytest.mark.parametrize(
    "cards",
    [
        "\n".join(["id,name", *WOLVES, "coin,Coins", "old-boats,Old Boat"]),
        "id,name\nkoenig,König\nfussvolk,Fußvolk\nmuller,Müller\nmuehle,Die Mühle\n",
        "id,name\nc1,Sea Wolf\nc2,Grey Fox\nc3,Sun\nc4,Moon\nc5,Star\n",
    ],
)
def test_tables_that_do_it_otherwise_are_silent(cards: str, told: Told) -> None:
    """A name of its own, one and many, letters that an id has not, numbers as ids, and too few rows to learn from."""
    assert [problem for problem in told(cards=cards) if problem.rule == "name-and-id"] == []


# --- how ----------------------------------------------------------------------------------------------------


def test_neighbours_are_those_that_comparing_all_finds() -> None:
    """The index leaves nothing out and adds nothing."""
    words = ["tripoli", "tripolis", "trpoli", "rtipoli", "tripolo", "nassau", "nasau", "naussa", "a", "b", "ab", "ba", ""]
    index = Nearby(words)

    for word in [*words, "trippoli", "nassaus", "abc"]:
        assert sorted(index.of(word)) == sorted(other for other in words if near(word, other))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("crads", "cards"), ("comopnents", "components"), ("Tripolis", "tripoli"), ("helth", "health"), ("tile", "tiles")]
    + [(strange, "") for strange in ("xylophone", "7", "", "q", "lamp post", "zebra", "\ud800")],
)
def test_the_name_that_is_meant_is_suggested_and_no_other(typed: str, meant: str) -> None:
    """Two letters changed about are one slip; what is like nothing gets no suggestion."""
    assert nearest(typed, ["cards", "components", "tripoli", "health", "tiles", "board"]) == meant


def test_the_dictionary_has_every_word_of_its_package() -> None:
    """It is looked up in the lines of the package's file, which nobody parses."""
    spec = find_spec("spellchecker")
    assert spec is not None and spec.origin is not None
    file = Path(spec.origin).parent / "resources/en.json.gz"
    words = json.loads(gzip.decompress(file.read_bytes()))

    assert {word: common(word, "en") for word in words} == words
    assert [common(word, "en") for word in ("tirpoli", "", 'a"', "a\n", "\ud800")] == [0] * 5
    assert ordinary("Boat", "en-GB") and not ordinary("boat", "sv") and not has_dictionary("../en")


def test_a_word_of_thousands_of_letters_takes_little_room(told: Told) -> None:
    """It is near to no name: what is left of it without each of its letters is not kept."""
    word = "".join(chr(97 + number * number % 25) for number in range(4_000))
    told()
    tracemalloc.start()
    told(word, places=f"{PLACES}long,{word}\n")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 8_000_000
