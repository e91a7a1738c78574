"""What the press itself prints is in the language of the game: all of it, whole sentences, numbers and plurals."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from string import Formatter
from types import ModuleType

import pypdf
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from commands import run
from conftest import ROOT, TinyProject, toml

from pnp.read import languages as reader
from pnp.read.languages import LOCALE, word_languages, words_of
from pnp.values.languages import ENGLISH, Words

# Guillemets, which the marks' font has, stand around every sentence of the made-up language.
OPEN, CLOSE = "«", "»"
GAME = toml("""
game: name = "Жуки"; version = "1"; language = "ru"; players = "2–4"; designer = "Ж. Жуков"; year = 2026; papers = ["a4"]
layout.start: title = "Начало"; of = "tiles"
cards: title = "Карты"; size = "63mm x 88mm"; back = "cards"
coins: title = "Монеты"; kind = "token"; size = "20mm"; table = "cards"; template = "token"
tiles: title = "Поля"; kind = "tile"; hex = "40mm"; back = "tiles"
sea: title = "Море"; kind = "board"; size = "400mm x 300mm"
small: title = "Море малое"; kind = "board"; size = "150mm x 100mm"; instead = "sea"; template = "sea"; table = "sea"
box: title = "Коробка"; kind = "box"; holds = ["cards"]; template = "net"
pouch: title = "Мешок"; kind = "pouch"; size = "80mm x 100mm"; depth = "20mm"; template = "net"
die: title = "Кубик"; kind = "die"; size = "18mm"; sides = 6; template = "net"
ship: title = "Корабль"; kind = "ship"; holds = ["cards"]; template = "net"; table = "sea"
stand: title = "Жучок"; kind = "standee"; size = "30mm x 50mm"; table = "cards"; template = "net"
pawn: title = "Пешка"; kind = "pawn"; size = "15mm x 25mm"; depth = "10mm"; table = "sea"; template = "net"
prism: title = "Призма"; kind = "prism"; size = "30mm x 20mm"; depth = "15mm"; table = "sea"; template = "net"
screen: title = "Ширма"; kind = "screen"; panels = ["50mm", "120mm", "50mm"]; height = "120mm"; template = "net"
dial: title = "Счёт"; kind = "dial"; size = "60mm"; values = "0-5"; template = "net"
book.rulebook: title = "Правила"; contents = "Содержание"; form = "book"
""")
FACE = """{% extends "shared/face.svg.j2" %}{% import "shared/pieces.svg.j2" as s %}
{% block face %}<rect width="{{ face.width }}" height="{{ face.height }}" fill="#ffffff"/>{% endblock %}"""
NET = """{% extends "shared/face.svg.j2" %}{% block face %}<path d="{{ net.bleed }}" fill="#ffee99"/>{% endblock %}"""
TOKEN = """{% extends "shared/face.svg.j2" %}{% block face %}<path d="{{ token.bleed }}" fill="#336699"/>{% endblock %}"""
TILE = """{% extends "shared/face.svg.j2" %}{% block face %}<path d="{{ tile.bleed }}" fill="#336699"/>{% endblock %}"""
BOOK = "# Жуки\n\n{{ component_table() }}\n\n{{ imprint() }}\n"
# Not words of the press: units, papers, names of files, licences, programs and their versions.
NAMES = re.compile(
    r"[\w-]+\.pdf|\bA4\b|\b(mm|in|g/m²|kg)\b|pnp-press( \d\S*)?"
    r"|SIL Open Font License|Source Sans( 3| Pro)?|Alegreya( Sans)?|Noto \w+"
)
LATIN = re.compile(r"[A-Za-z]{2,}")


def script() -> ModuleType:
    """``docs/make/words.py``, which collects what the press says."""
    spec = importlib.util.spec_from_file_location("words_script", ROOT / "docs" / "make" / "words.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def collected() -> Catalog:
    """Every sentence in the code."""
    made = script().template()
    assert isinstance(made, Catalog)
    return made


def texts(message: Message) -> tuple[str, ...]:
    """What a message says: one sentence, or one for each form of a number."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def ids(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def holes(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", word_languages())
def test_a_shipped_language_says_everything(language: str, collected: Catalog) -> None:
    """No sentence is missing, doubtful or no longer said; each has the same values in it, and a form for every number."""
    with (LOCALE / language / "LC_MESSAGES" / "pnp.po").open("rb") as file:
        catalogue = read_po(file, locale=language.replace("-", "_"))
    told = {message.id: message for message in catalogue if message.id}
    assert set(told) == {message.id for message in collected if message.id} and not catalogue.obsolete
    for message in told.values():
        said = texts(message)
        assert all(text.strip() or text in (", ", "; ") for text in said) and not message.fuzzy, message.id
        assert len(said) == (catalogue.num_plurals if len(ids(message)) > 1 else 1), message.id
        for text in said:
            # One piece may be said without its number.
            assert holes(text) | {"count"} == holes(ids(message)[-1]) | {"count"}, message.id
            assert text.count("**") == ids(message)[0].count("**"), message.id


@pytest.mark.parametrize("language", word_languages())
def test_what_is_shipped_is_as_the_script_writes_it(
    language: str, collected: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bringing the catalogues up to date changes nothing: they are, and nothing of the day is in them."""
    module = script()
    there = LOCALE / language / "LC_MESSAGES" / "pnp.po"
    copy = tmp_path / "locale" / language / "LC_MESSAGES" / "pnp.po"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(there.read_bytes())
    monkeypatch.setattr(module, "template", lambda: collected)
    monkeypatch.setattr(module, "PACKAGE", tmp_path)
    module.main([])
    assert copy.read_bytes() == there.read_bytes()


@pytest.fixture
def made_up(tmp_path: Path, collected: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Russian as a test speaks it: the English sentence in guillemets."""
    folder = tmp_path / "locale" / "ru" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    lines = ['msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n']
    for message in collected:
        if not message.id:
            continue
        one, *several = (text.replace('"', '\\"') for text in ids(message))
        if several:
            lines.append(
                f'msgid "{one}"\nmsgid_plural "{several[0]}"\n'
                f'msgstr[0] "{OPEN}{one}{CLOSE}"\nmsgstr[1] "{OPEN}{several[0]}{CLOSE}"\n'
            )
        else:
            lines.append(f'msgid "{one}"\nmsgstr "{OPEN}{one}{CLOSE}"\n')
    (folder / "pnp.po").write_text("\n".join(lines), "utf-8")
    monkeypatch.setattr(reader, "LOCALE", tmp_path / "locale")
    words_of.cache_clear()
    yield
    words_of.cache_clear()


def outside(text: str) -> str:
    """What is left of a page without the sentences of the made-up language, and without names."""
    text = " ".join(text.split())
    while (less := re.sub(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}", " ", text)) != text:
        text = less
    return NAMES.sub(" ", text)


def printed(tiny: TinyProject, *args: str) -> dict[str, list[str]]:
    """The texts of every page of every file that a build writes."""
    done = run("build", "tiny", *args, at=tiny.project.root)
    assert done.code == 0, done.err
    files = sorted((tiny.project.root / "output" / "tiny").rglob("*.pdf"))
    return {file.name: [page.extract_text() for page in pypdf.PdfReader(file).pages] for file in files}


@pytest.fixture
def beetles(tiny: TinyProject) -> TinyProject:
    """A game of every kind of piece whose own texts have no Latin letter."""
    tiny.write("content/tiny/game.toml", GAME)
    tiny.write("content/tiny/cards.csv", "id,name,copies\nodin,Один,3\ndva,Два,2\n")
    tiny.write("content/tiny/sea.csv", "id,name\nmore,Море\n")
    tiny.write("content/tiny/rulebook.md", BOOK)
    tiny.write("content/tiny/tiles.csv", "id,name,back\none,Поле,blue\n")
    tiny.write("content/tiny/start.csv", "q,r,turn,pool\n0,0,0,blue\n")
    for name, text in (("tiles", TILE), ("cards", FACE), ("sea", FACE), ("net", NET), ("token", TOKEN)):
        tiny.write(f"templates/tiny/{name}.svg.j2", text)
    return tiny


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("args", [(), ("--backs", "gutterfold"), ("--draft", "--only", "cards:odin", "--times", "2")])
def test_nothing_is_printed_in_english(beetles: TinyProject, args: tuple[str, ...]) -> None:
    """Plans, how-to pages, sheets with their marks and books: every run of Latin letters is a sentence of the language."""
    found = printed(beetles, *args)
    left = {(name, word) for name, pages in found.items() for page in pages for word in LATIN.findall(outside(page))}
    assert not left
    assert sum(page.count(OPEN) for pages in found.values() for page in pages) > 40


def test_a_language_without_words_is_told(beetles: TinyProject) -> None:
    """A Russian game is built, in English where the press speaks, and that is said once."""
    done = run("build", "tiny", at=beetles.project.root)
    told = [line for line in done.err.splitlines() if "no words of its own" in line]
    assert done.code == 0 and len(told) == 1
    assert "game.toml:game.language" in told[0] and "Russian" in told[0] and "It speaks en, " in told[0]


def test_letters_that_no_font_has_are_told(tiny: TinyProject) -> None:
    """What pnp says on the sheets of a Japanese game without Japanese fonts is in English, and that is said once."""
    text = (tiny.game / "game.toml").read_text(encoding="utf-8")
    tiny.write("content/tiny/game.toml", text.replace("[game]", '[game]\nlanguage = "ja"', 1))
    found = [problem for problem in tiny.build(papers=("a4",)).problems if problem.rule == "unprintable-words"]

    assert [problem.severity for problem in found] == ["warning"] and "fonts.ja.body" in found[0].hint
    assert 0x3000 < ord(found[0].value) < 0xA000


def test_a_form_of_a_language_has_its_words() -> None:
    """German of Austria is German; what nobody speaks is nothing; English is what the code says, and needs no file."""
    german, austrian = words_of("de"), words_of("de-AT")
    assert german is not None and austrian is not None and austrian.forms == german.forms
    assert words_of("xx") is None and words_of("en-GB") is ENGLISH and not ENGLISH.forms


def test_numbers_take_the_form_of_their_language() -> None:
    """Of three forms the one that the language's own rule names: Polish has one, two to four, and all others."""
    rule = "n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2"
    polish = Words("pl", {"{count} sheet": ("{count} arkusz", "{count} arkusze", "{count} arkuszy")}, rule, ",")
    said = [polish.many("{count} sheet", "{count} sheets", count) for count in (1, 2, 5, 12, 22)]
    assert said == ["1 arkusz", "2 arkusze", "5 arkuszy", "12 arkuszy", "22 arkusze"]
    assert [ENGLISH.many("{count} sheet", "{count} sheets", count) for count in (0, 1, 2)] == [
        "0 sheets",
        "1 sheet",
        "2 sheets",
    ]
    assert (polish.number(1.25, 1), polish.shown(4.5), ENGLISH.shown(4.5)) == ("1,2", "4,5", "4.5")


@pytest.mark.parametrize(
    ("names", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a und b"), (["a", "b", "c"], "a, b und c")]
)
def test_names_stand_in_a_row(names: list[str], said: str) -> None:
    """With the language's own word before the last one."""
    german = words_of("de")
    assert german is not None and german.row(names) == said
