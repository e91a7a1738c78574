"""``pnp verify`` reads a printed file itself: what was lost, doubled or scaled after the build is found and named."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from commands import run
from conftest import TINY_GAME, TINY_TEMPLATE, TinyProject, toml
from pypdf import PdfReader, PdfWriter

from pnp.read.project import Project
from pnp.shapes.affine import Calibration

# Four pages for the board: 300 mm are more than one A4 sheet is wide, 400 mm more than one is high.
GAME = toml("""
game: name = "Box"; papers = ["a4"]
cards: size = "tcg"; back = "cards"
sea: kind = "board"; size = "300mm x 400mm"
chips: kind = "token"; size = "20mm"; paper = "board"
six: kind = "die"; size = "16mm"; sides = 6; copies = 2; paper = "board"
""")
CARDS = "id,copies\nanna,3\nbert,2\n"
FACE = """{% extends "shared/face.svg.j2" %}
{% block face %}<path d="M{{ -face.bleed }} {{ -face.bleed }}h{{ face.width }}v{{ face.height }}z" fill="#5b8e7d"/>
{% endblock %}
"""
TWO_FACES = FACE.replace("#5b8e7d", "{{ '#5b8e7d' if row.id == 'anna' else '#bc4b51' }}")
FILES = ("print", "cards", "sea", "chips", "six")

Change = Callable[[pikepdf.Pdf], None]


@pytest.fixture(scope="module")
def boxed(tmp_path_factory: pytest.TempPathFactory) -> TinyProject:
    """The game, built; nobody changes it, see ``box``."""
    made = TinyProject(Project(tmp_path_factory.mktemp("box")))
    made.put(game_toml=GAME, cards_csv=CARDS, chips_csv="id,copies\none,4\nfive,2\n")
    made.put(cards_svg_j2=TWO_FACES, sea_svg_j2=FACE, chips_svg_j2=FACE, six_svg_j2=FACE)
    result = made.build()
    assert result.ok, [str(problem) for problem in result.problems]
    return made


@pytest.fixture
def box(boxed: TinyProject, tmp_path: Path) -> TinyProject:
    """A copy of the built game, to tamper with."""
    shutil.copytree(boxed.project.root, tmp_path, dirs_exist_ok=True)
    return TinyProject(Project(tmp_path))


def pdf(box: TinyProject, name: str) -> Path:
    """A printed file of the game."""
    return box.project.root / "output" / "tiny" / "a4" / f"{name}.pdf"


def placed(page: pikepdf.Page, name: str, side: str) -> str:
    """How a page's content calls the form of a piece's side; empty when the page has it not."""
    forms: Any = page.obj.get("/Resources", {}).get("/XObject", {})
    names = (str(key) for key in forms if str(forms[key].get("/PNPPiece", "")) == name)
    return next((key for key in names if str(forms[key].get("/PNPSide")) == f"/{side}"), "")


def page_of(file: pikepdf.Pdf, name: str, side: str = "Front") -> int:
    """The number, from 1, of the page that has a piece."""
    return next(number for number, page in enumerate(file.pages, 1) if placed(page, name, side))


def at_piece(name: str, side: str, times: int) -> Change:
    """Draws a piece once more (``times`` 2) or once less (0) than the page does."""

    def change(file: pikepdf.Pdf) -> None:
        page = file.pages[page_of(file, name, side) - 1]
        form = placed(page, name, side)
        content: list[Any] = []
        todo = True
        for instruction in pikepdf.parse_content_stream(page):
            hit = todo and str(instruction.operator) == "Do" and str(instruction.operands[0]) == form
            content += [instruction] * (times if hit else 1)
            todo = todo and not hit
        assert not todo
        page.Contents = file.make_stream(pikepdf.unparse_content_stream(content))

    return change


def moved(name: str, matrix: str) -> Change:
    """Maps all of a page, as programs do that fit pages to paper."""

    def change(file: pikepdf.Pdf) -> None:
        file.pages[page_of(file, name) - 1].contents_add(f"{matrix} cm\n".encode(), prepend=True)

    return change


def tamper(path: Path, change: Change) -> None:
    """Change a file as another program would."""
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        change(file)
        file.save(path)


def found(box: TinyProject, name: str = "print", *options: str) -> list[dict[str, Any]]:
    """What is wrong with a file; nothing leaves with 0, anything with 1."""
    done = run("verify", pdf(box, name), *options, "--json", at=box.project.root)

    assert done.code == (1 if done.problems else 0), done.err
    return done.problems


def all_there(box: TinyProject, *files: Path) -> None:
    """Nothing is wrong with these files."""
    done = run("verify", *files, at=box.project.root)

    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [f"{path.resolve().relative_to(box.project.root)}: all there" for path in files]


def told(problems: list[dict[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """Each finding of the count: its message, how many there are, and how many there should be."""
    for problem in problems:
        assert problem["rule"] == "printed-count"
        yield problem["message"], problem["value"], problem["allowed"]


# --- what pnp wrote -----------------------------------------------------------------------------------------------------


def test_what_was_built_is_all_there(boxed: TinyProject) -> None:
    """Every file of a build holds what the tables say, the board in one piece as well."""
    all_there(boxed, *(pdf(boxed, name) for name in (*FILES, "../one-piece/sea")))


@pytest.mark.parametrize("backs", ["gutterfold", "none"])
def test_other_ways_of_backs_are_read_as_well(box: TinyProject, backs: Any) -> None:
    """Folded sheets turn their backs upside down beside the fronts; sheets without backs lack none."""
    assert box.build(backs=backs).ok

    all_there(box, pdf(box, "print"), pdf(box, "cards"))


# --- what is lost or doubled --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("piece", "side", "message", "printed"),
    [
        ("cards/anna", "Front", "Cards: anna printed 2 ×, 3 × in content/tiny/cards.csv", ("2", "3")),
        ("cards/bert", "Back", "Cards: bert backs printed 1 ×, 2 × in content/tiny/cards.csv", ("1", "2")),
        ("sea/sea:B2", "Front", "Sea: sea:B2 printed 0 ×, 1 × in content/tiny/game.toml", ("0", "1")),
    ],
)
def test_a_piece_that_is_not_drawn_is_missed(
    box: TinyProject, piece: str, side: str, message: str, printed: tuple[str, str]
) -> None:
    """One side of one copy is gone from the page: the component, the piece and both numbers are told."""
    tamper(pdf(box, "print"), at_piece(piece, side, 0))
    (problem,) = found(box)

    assert list(told([problem])) == [(message, *printed)]
    assert (problem["hint"], problem["file"]) == ("1 missing.", "output/tiny/a4/print.pdf")
    # A board is one piece on however many pages.
    meant = [*piece.partition(":")[0].split("/"), side.lower()]
    assert [problem["component"], problem["piece"], problem["side"]] == meant


@pytest.mark.parametrize(
    ("piece", "name", "numbers"), [("six/six", "six", ("3", "2")), ("sea/sea:A1", "sea:A1", ("2", "1"))]
)
def test_a_piece_that_is_drawn_twice_is_too_many(box: TinyProject, piece: str, name: str, numbers: tuple[str, str]) -> None:
    """Even at the same spot, where nobody would see it."""
    tamper(pdf(box, "print"), at_piece(piece, "Front", 2))
    (problem,) = found(box)

    assert (problem["value"], problem["allowed"], problem["hint"]) == (*numbers, "1 too many.")
    assert f": {name} printed" in problem["message"]


def test_a_page_that_is_gone_is_missed(box: TinyProject) -> None:
    """All that lay on it is, also the whole of two components; the other side of the sheet still counts."""
    for name in ("cards/anna", "chips/one"):
        tamper(pdf(box, "print"), lambda file, name=name: file.pages.__delitem__(page_of(file, name) - 1))

    assert list(told(found(box))) == [
        ("Cards: anna printed 0 ×, 3 × in content/tiny/cards.csv", "0", "3"),
        ("Cards: bert printed 0 ×, 2 × in content/tiny/cards.csv", "0", "2"),
        ("Chips: one printed 0 ×, 4 × in content/tiny/chips.csv", "0", "4"),
        ("Chips: five printed 0 ×, 2 × in content/tiny/chips.csv", "0", "2"),
        ("Six: six printed 0 ×, 2 × in content/tiny/game.toml", "0", "2"),
    ]


def test_tables_changed_after_the_build_are_noticed(box: TinyProject) -> None:
    """A file of yesterday does not hold what the tables say today: fronts and backs of one card more, a card that is new."""
    box.write("content/tiny/cards.csv", "id,copies\nanna,4\nbert,2\ncleo,1\n")

    assert list(told(found(box, "cards"))) == [
        ("Cards: anna printed 3 ×, 4 × in content/tiny/cards.csv", "3", "4"),
        ("Cards: cleo printed 0 ×, 1 × in content/tiny/cards.csv", "0", "1"),
        ("Cards: anna backs printed 3 ×, 4 × in content/tiny/cards.csv", "3", "4"),
        ("Cards: cleo backs printed 0 ×, 1 × in content/tiny/cards.csv", "0", "1"),
    ]
    assert found(box, "chips") == []


# --- what is scaled -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("matrix", "shown"),
    [("0.97 0 0 0.97 0 0", "97.0 %"), ("0.97 0 0 1.030928 0 0", "103.1 %"), ("0 -1.02 1.02 0 0 800", "102.0 %")],
)
def test_a_scaled_page_is_noticed(box: TinyProject, matrix: str, shown: str) -> None:
    """Fitted to the printer's margins, squeezed on one side so that the area stays, or turned and grown."""
    with pikepdf.open(pdf(box, "print")) as file:
        number = page_of(file, "cards/anna")
    tamper(pdf(box, "print"), moved("cards/anna", matrix))
    problem = found(box)[0]

    assert (problem["rule"], problem["value"], problem["allowed"]) == ("printed-size", shown, "100 %")
    assert problem["message"] == f"page {number}: cards/anna, cards/bert printed at {shown}"


def test_rounding_is_no_scaling(box: TinyProject) -> None:
    """Half a thousandth, 0.15 mm on a sheet, is what programs round."""
    tamper(pdf(box, "print"), moved("chips/one", "0.9995 0 0 0.9995 0 0"))

    assert found(box) == []


def test_a_piece_beside_the_page_is_noticed(box: TinyProject) -> None:
    """All content moved left by 40 mm: the pieces are drawn, but not all of them on paper."""
    tamper(pdf(box, "print"), moved("chips/one", f"1 0 0 1 {-40 * 72 / 25.4:.3f} 0"))
    problems = found(box)

    assert problems and {problem["rule"] for problem in problems} == {"printed-size"}
    assert all("mm beyond the page" in problem["message"] for problem in problems)


# --- which game, which file ---------------------------------------------------------------------------------------------


def test_a_wrong_file_is_told_in_sentences(box: TinyProject) -> None:
    """On the error channel, with how many errors; nothing claims that a file was written."""
    tamper(pdf(box, "cards"), at_piece("cards/anna", "Front", 0))
    done = run("verify", pdf(box, "sea"), pdf(box, "cards"), at=box.project.root)

    assert (done.code, done.out) == (1, "output/tiny/a4/sea.pdf: all there\n")
    assert done.err.splitlines() == [
        "error output/tiny/a4/cards.pdf: Cards: anna printed 2 ×, 3 × in content/tiny/cards.csv. Allowed: 3. 1 missing."
        " [printed-count]",
        "tiny: 1 error; do not print this; output/tiny/a4/cards.pdf",
    ]


def foreign(path: Path) -> Path:
    """A PDF that pnp did not make."""
    writer = PdfWriter()
    writer.add_blank_page(width=595, height=842)
    writer.write(path)
    return path


def test_a_file_that_is_no_pdf_cannot_be_read(box: TinyProject) -> None:
    """Whatever game it is said to be of; nor can one that is not there."""
    box.write("notes.pdf", "not a PDF\n")
    done = run("verify", "notes.pdf", "--game", "tiny", at=box.project.root)

    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("Error: notes.pdf cannot be read as a PDF (")
    gone = run("verify", "nowhere.pdf", at=box.project.root)
    assert gone.code == 3 and "nowhere.pdf" in gone.err


def test_a_file_of_another_program_is_not_taken_for_ours(box: TinyProject) -> None:
    """It does not say its game; and when it is told, no piece can be counted: that must not pass for all there."""
    foreign(box.project.root / "letter.pdf")
    silent = run("verify", "letter.pdf", at=box.project.root)
    claimed = run("verify", "letter.pdf", "--game", "tiny", at=box.project.root)

    assert (silent.code, claimed.code) == (3, 3)
    assert silent.err == "Error: letter.pdf does not say which game it is: it was not made by pnp. Say --game NAME\n"
    assert claimed.err.startswith("Error: letter.pdf has no pieces on its pages that pnp could count")


def test_a_file_says_its_game_and_a_person_may_say_another(box: TinyProject) -> None:
    """With --game the tables of that game are what counts."""
    assert PdfReader(pdf(box, "cards")).trailer["/Root"]["/PNPGame"] == "tiny"  # type: ignore[index]
    shutil.copytree(box.game, box.project.content / "second")
    shutil.copytree(box.project.root / "templates" / "tiny", box.project.root / "templates" / "second")
    box.write("content/second/cards.csv", "id,copies\nanna,3\nbert,5\n")

    assert found(box, "cards") == found(box, "cards", "--game", "tiny") == []
    assert list(told(found(box, "cards", "--game", "second"))) == [
        ("Cards: bert printed 2 ×, 5 × in content/second/cards.csv", "2", "5"),
        ("Cards: bert backs printed 2 ×, 5 × in content/second/cards.csv", "2", "5"),
    ]


# --- pages that look otherwise ------------------------------------------------------------------------------------------


def on_page(number: int, code: str, first: bool = False) -> Change:
    """Draws something on a page, above what is there, or before it."""

    def change(file: pikepdf.Pdf) -> None:
        file.pages[number - 1].contents_add(f"{code}\n".encode(), prepend=first)

    return change


def with_key(number: int, key: str, value: Any) -> Change:
    """Sets a key of a page."""

    def change(file: pikepdf.Pdf) -> None:
        file.pages[number - 1].obj[key] = value

    return change


def exchanged(first: int, second: int) -> Change:
    """Two pages change places."""

    def change(file: pikepdf.Pdf) -> None:
        one, two = file.pages[first - 1], file.pages[second - 1]
        file.pages[first - 1], file.pages[second - 1] = two, one

    return change


def without_word(file: pikepdf.Pdf) -> None:
    """Takes the smallest words of a sheet out: what stands at its edge."""
    page = file.pages[0]
    kept = [each for each in pikepdf.parse_content_stream(page) if str(each.operator) != "Tj"]
    page.Contents = file.make_stream(pikepdf.unparse_content_stream(kept))


def emptied(file: pikepdf.Pdf) -> None:
    """Takes out of a form what it draws."""
    page = file.pages[page_of(file, "cards/anna") - 1]
    page.obj.Resources.XObject[placed(page, "cards/anna", "Front")].write(b"")


def blank_page(file: pikepdf.Pdf) -> None:
    """A page without pieces that nobody asked for."""
    file.add_blank_page(page_size=(595, 842))


def acting(file: pikepdf.Pdf) -> None:
    """A script that runs when the file is opened."""
    file.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert(1)")


@pytest.mark.parametrize(
    ("change", "rule", "words"),
    [
        (on_page(1, "q 1 g 100 600 80 80 re f Q"), "printed-page", "cards/"),
        (on_page(1, "-1 0 0 1 595.27559 0 cm", first=True), "printed-page", "page 1 looks otherwise"),
        (with_key(2, "/Rotate", 180), "printed-page", "(back)"),
        (with_key(1, "/CropBox", pikepdf.Array([50, 50, 400, 400])), "printed-size", "page 1 shows 124 × 124 mm"),
        (with_key(1, "/UserUnit", 2), "printed-size", "a UserUnit of 2"),
        (exchanged(1, 2), "printed-page", "pages are out of order"),
        (emptied, "printed-page", "cards/anna (front)"),
        (blank_page, "printed-page", "is none of this file's"),
        (without_word, "printed-page", "page 1 says"),
        (acting, "printed-page", "does something by itself when it is opened (/JS, /OpenAction)"),
    ],
)
def test_a_page_that_looks_otherwise_is_told(box: TinyProject, change: Change, rule: str, words: str) -> None:
    """Painted over, mirrored, shifted, turned, cropped, exchanged, emptied: all pieces are still there by name."""
    tamper(pdf(box, "cards"), change)
    problems = found(box, "cards")

    assert {problem["rule"] for problem in problems} == {rule}
    assert any(words in problem["message"] for problem in problems), problems


@pytest.mark.parametrize("name", ["print", "six", "../one-piece/sea"])
def test_a_file_written_anew_by_another_program_is_as_good(box: TinyProject, name: str) -> None:
    """Other compression, other numbers of objects, contents in other lines: what is printed is the same."""
    path = pdf(box, name)
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        for page in file.pages:
            page.contents_coalesce()
        file.save(path, compress_streams=False, normalize_content=True, object_stream_mode=pikepdf.ObjectStreamMode.disable)

    assert found(box, name) == []


@pytest.mark.parametrize(
    "options",
    [
        {"ink": "grey", "cut": "silhouette", "margin": 3.0},
        {"cut": "silhouette-card-maker", "draft": True, "price": 0.2},
        {"papers": ("letter", "200mm x 280mm"), "calibration": Calibration(1.5, -0.5, 0.2)},
    ],
)
def test_a_file_is_compared_with_one_made_as_it_was(box: TinyProject, options: dict[str, Any]) -> None:
    """Ink, paper, margin, a printer's correction and what stands in the plan are written down in the file."""
    result = box.build(**options)
    assert result.ok, [str(problem) for problem in result.problems]

    all_there(box, *(path for path in result.files if path.name in ("print.pdf", "sea.pdf")))


@pytest.mark.parametrize("line", ["", "[]", '{"backs": "both"}', "[" * 30_000, '{"printer": [1, 2, "x"]}'])
def test_a_file_that_does_not_say_how_it_was_made_is_counted_alone(box: TinyProject, line: str) -> None:
    """That its pages were not looked at is said."""
    tamper(pdf(box, "cards"), lambda file: file.Root.__setattr__("PNPMade", pikepdf.String(line)))
    done = run("verify", pdf(box, "cards"), "--json", at=box.project.root)

    assert done.code == 0
    assert [problem["severity"] for problem in done.problems] == ["warning"]
    assert "its pages not looked at" in done.problems[0]["message"]


def test_a_file_with_a_password_is_told_in_a_sentence(box: TinyProject) -> None:
    """It is no fault of pnp's."""
    with pikepdf.open(pdf(box, "cards"), allow_overwriting_input=True) as file:
        file.save(pdf(box, "cards"), encryption=pikepdf.Encryption(user="secret", owner="secret"))
    done = run("verify", pdf(box, "cards"), at=box.project.root)

    assert done.code == 3
    assert "cards.pdf asks for a password" in done.err


@pytest.mark.parametrize(("drawing", "backs"), [('<path d="M2 2h9v9z"/>', "long-edge"), ("", "gutterfold")])
def test_rows_that_look_alike_are_counted_apart(tiny: TinyProject, drawing: str, backs: Any) -> None:
    """On purpose, or since nothing is drawn on either: cards, a board of several pages, folded pieces."""
    tables = {"copies = 2\n": "", "[component.sea]": '[component.sea]\ntable = "sea"'}
    tables["[component.six]"] = '[component.six]\ntable = "six"'
    tiny.put(game_toml=re.sub("|".join(map(re.escape, tables)), lambda old: tables[old[0]], GAME))
    for name in ("cards", "sea", "chips", "six"):
        face = f'{{% extends "shared/face.svg.j2" %}}{{% block face %}}{drawing}{{% endblock %}}'
        tiny.write(f"content/tiny/{name}.csv", "id,copies\none,2\ntwo,3\n")
        tiny.write(f"templates/tiny/{name}.svg.j2", face)
    result = tiny.build(backs)
    assert result.ok, [str(problem) for problem in result.problems]

    all_there(tiny, pdf(tiny, "print"), pdf(tiny, "sea"))


WORDS = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}{{ s.text(row.id ~ " " ~ row.cost, 5, 5, 50, 10, size="9", name="words") }}{% endblock %}
"""


def test_a_number_changed_after_printing_is_told_with_both(box: TinyProject) -> None:
    """One small figure on one card, which no picture of the page shows well."""
    box.put(cards_svg_j2=WORDS, cards_csv="id,copies,cost\nanna,3,8\nbert,2,9\n")
    assert box.build().ok
    box.write("content/tiny/cards.csv", "id,copies,cost\nanna,3,3\nbert,2,9\n")
    front, _ = found(box, "cards")

    assert front["rule"] == "printed-page"
    assert front["message"].startswith("page 1 says ") and "8" in front["value"] and "3" in front["allowed"]


def test_a_component_whose_title_has_a_quote_is_known_again(tiny: TinyProject) -> None:
    """Its file is called as its sheets are, with a round quote, and is held against its own sheets, not against all."""
    tiny.write(
        "content/tiny/game.toml", TINY_GAME + 'title = "Anna\'s cards"\n[component.other]\nsize = "tcg"\ntable = "cards"\n'
    )
    tiny.write("templates/tiny/other.svg.j2", TINY_TEMPLATE)
    assert tiny.build().ok

    left = run("verify", tiny.project.root / "output/tiny/a4/cards.pdf", at=tiny.project.root)

    assert left.code == 0 and "all there" in left.out


def test_backs_that_are_all_gone_are_missed(box: TinyProject) -> None:
    """A file that asks for printing on both sides has backs: taking every second page out is noticed."""
    tamper(pdf(box, "cards"), lambda file: file.pages.__delitem__(slice(1, None, 2)))
    messages = [message for message, got, _ in told(found(box, "cards")) if got == "0"]

    assert [message for message in messages if "backs printed 0 ×" not in message] == [] != messages
