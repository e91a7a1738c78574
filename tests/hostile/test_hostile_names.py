"""Names and texts from strangers: ids that no file system has, texts that would be programs of the typesetter."""

from __future__ import annotations

import csv
import io

import pytest
from commands import run
from conftest import TinyProject
from limits import bounded
from pypdfium2 import PdfDocument

SECRET = "the-secret-word"
REFUSED = [
    *("..", "../x", "a/b", "a\\b", "C:x", "\\\\server\\share", "a\x00b", "a\nb", "x" * 81, "x" * 100_000),
    *("🐧", "a\u202eb", "a\u200bb", "a.", "--help", "a?", "<b>", '"', "$HOME"),
]
RESERVED = ["CON", "nul.csv", "COM1", "lpt9.svg"]


def table(*ids: str) -> str:
    """A table of cards with these ids."""
    made = io.StringIO()
    writer = csv.writer(made)
    writer.writerows([("id", "name", "text"), *((each, f"Card {number}", "Draw.") for number, each in enumerate(ids))])
    return made.getvalue()


@pytest.mark.parametrize("name", REFUSED, ids=lambda name: ascii(name)[:20])
def test_an_id_that_is_no_name_is_refused(tiny: TinyProject, name: str) -> None:
    """Files are named after it: paths, invisible marks, signs of the shell and endless names are told at their cell."""
    tiny.write("content/tiny/cards.csv", table("good", name))
    with bounded():
        left = run("build", "tiny", "--faces", "svg", "--json", at=tiny.project.root)

    assert left.code in (1, 3)
    assert {problem["rule"] for problem in left.problems} <= {"bad-id", "nul-byte"}
    assert not (tiny.project.root / "output" / "tiny").exists()


@pytest.mark.parametrize("name", RESERVED)
def test_an_id_that_windows_keeps_for_itself_is_harmless(tiny: TinyProject, name: str) -> None:
    """Such an id is refused, or never stands alone as the name of a file: ``CON-front.svg`` is like any other."""
    tiny.write("content/tiny/cards.csv", table("good", name))
    left = run("build", "tiny", "--paper", "a4", "--faces", "svg", "--json", at=tiny.project.root)
    files = [path for path in (tiny.project.root / "output").rglob("*") if path.is_file()]

    assert left.code in (0, 1)
    kept = {"con", "nul", "prn", "aux", "com1", "lpt9"}
    assert [path for path in files if path.name.partition(".")[0].lower() in kept] == []


SECTIONS = ["component", "table", "palette", "texts", "fonts", "book", "layout", "expect"]
NO_NAMES = ["..", "a/b", "CON.", "a\u202eb", "x" * 300, "A B", "", "--help"]


# There is one rule for all names (pnp/values/fields.py): each wrong one once, and one in each section.
@pytest.mark.parametrize(
    ("section", "name"), [*(("component", name) for name in NO_NAMES), *((section, "../x") for section in SECTIONS[1:])]
)
def test_a_section_of_no_name_is_refused(tiny: TinyProject, section: str, name: str) -> None:
    """Components, tables and all else that has a name in game.toml."""
    text = (tiny.game / "game.toml").read_text(encoding="utf-8")
    line = f'[{section}]\n"{name}" = "x"\n' if section in ("palette", "texts", "fonts") else f'[{section}."{name}"]\n'
    tiny.write("content/tiny/game.toml", text + line)
    left = run("check", "tiny", "--json", "--no-draw", at=tiny.project.root)

    assert left.code == 1
    assert all(problem["file"] == "content/tiny/game.toml" for problem in left.problems)
    assert any(problem["message"].startswith('the name "') for problem in left.problems)
    assert len(left.out) < 20_000


NO_GAMES = ["..", "../tiny", "/etc", "tiny/../tiny", "a\u202eb", "x" * 5000, "CON", "", "tiny/"]


@pytest.mark.parametrize(
    ("command", "game"),
    [*((command, game) for command in ("build", "new") for game in NO_GAMES), ("check", "../tiny"), ("count", "../tiny")],
)
def test_a_game_of_no_name_is_not_looked_for(tiny: TinyProject, command: str, game: str) -> None:
    """On the command line: exit 2, and nothing is made or read anywhere."""
    before = sorted(tiny.project.root.rglob("*"))
    left = run(command, game, at=tiny.project.root)

    made = sorted(tiny.project.root.rglob("*"))
    if command != "new":
        assert (left.code, made) == (2, before)
    else:
        home = tiny.project.content
        assert left.code == 0 or (left.code in (2, 3) and made == before)
        assert all(path in before or path.is_relative_to(home) for path in made)


@pytest.mark.parametrize("file", ["../cards.csv", "C:\\x.csv", "\\\\server\\x.csv", "NUL.csv", "..", "cards.csv/.."])
def test_a_table_of_no_file_is_missing(tiny: TinyProject, file: str) -> None:
    """A table lies in the game's folder."""
    tiny.write("content/cards.csv", f"name,text\n{SECRET},x\n")
    text = (tiny.game / "game.toml").read_text(encoding="utf-8")
    quoted = file.replace("\\", "\\\\").replace("\\\\u", "\\u")
    tiny.write("content/tiny/game.toml", f'{text}[table.cards]\nfile = "{quoted}"\n')
    left = run("check", "tiny", "--json", "--no-draw", at=tiny.project.root)

    assert left.code in (1, 3)
    assert SECRET not in left.out + left.err


INJECTIONS = [
    *('#read("/etc/passwd")', '#import "@preview/cetz:0.3.0"', '#include "secret.typ"', "#panic()", "#while true {}"),
    *("#{ 1/0 }", "$x", "```py print()```", "<label>", "@label", "= Title", "\\u{41}", "#h(1fr)#pagebreak()"),
    *("#set page(width: 9999cm)", "// comment", "/* comment", "*/", '"+read("x")+"', "\\", "]", '])#read("x")['),
    *('#image("/etc/passwd")', "#sys.inputs", '#eval("1")', "~", "https://a.b/#c"),
]


@pytest.mark.parametrize("start", range(0, len(INJECTIONS), 13))
def test_a_text_for_the_typesetter_is_a_text(tiny: TinyProject, start: int) -> None:
    """Whatever Typst would obey in a card's text is printed instead, letter for letter, and no file is read."""
    typed = INJECTIONS[start : start + 13]
    tiny.write("secret.txt", SECRET)
    tiny.put(secret_txt=SECRET, secret_typ=SECRET)
    made = io.StringIO()
    csv.writer(made).writerows([("name", "text"), *((f"Card {number}", text) for number, text in enumerate(typed))])
    tiny.write("content/tiny/cards.csv", made.getvalue())
    with bounded():
        left = run("build", "tiny", "--paper", "a4", "--json", at=tiny.project.root)
    told = {problem["rule"] for problem in left.problems} - {"unknown-markup", "typewriter-mark", "printed-as-typed"}
    assert (left.code, told) == (0, set())

    document = PdfDocument(tiny.project.root / "output/tiny/a4/cards.pdf")
    shown = "".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    letters = "".join(shown.split())
    assert SECRET not in shown
    assert "root:" not in shown
    for text in typed:
        plain = "".join(text.replace("```", "`").replace("`", "").split()).strip("*\\")
        assert all(part in letters for part in plain.split('"')), (text, shown)


def test_a_rulebook_for_the_typesetter_is_a_text(tiny: TinyProject) -> None:
    """The same in a rulebook: paragraphs, headings, tables and code are set, never run."""
    tiny.write("secret.txt", SECRET)
    tiny.write("content/tiny/secret.txt", SECRET)
    lines = [text for text in INJECTIONS if not text.startswith(("=", "<", "[", "]", "\\", "`", "*", "-", "/*"))]
    body = "\n\n".join(["# Rules", *lines, *(f"## {text}" for text in lines), "```\n" + "\n".join(lines) + "\n```"])
    tiny.write(
        "content/tiny/rulebook.md", body + "\n\n| a | b |\n|---|---|\n" + "\n".join(f"| {text} | b |" for text in lines)
    )
    with bounded():
        left = run("build", "tiny", "--paper", "a4", "--json", at=tiny.project.root)
    assert left.code in (0, 1), left.err
    assert SECRET not in left.out + left.err
    book = tiny.project.root / "output/tiny/a4/rulebook.pdf"
    assert left.code == 1 or book.is_file()
    if book.is_file():
        document = PdfDocument(book)
        shown = "".join(page.get_textpage().get_text_range() for page in document)
        document.close()
        assert SECRET not in shown and "root:" not in shown
        assert "#read(" in shown
