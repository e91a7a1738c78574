"""``pnp new``: a game to change into one's own, from nothing, in one go, and whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zlib
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from commands import run
from conftest import TINY_GAME, TinyProject, files_in
from PIL import Image

from pnp.draw.template import Templates
from pnp.flows.start import start_from_pictures, start_game
from pnp.read.project import shipped_templates
from pnp.values.problems import Fault

ROOT = Path(__file__).resolve().parent.parent
KINDS = (("starter", ()), ("blank", ("--blank",)))
BAD_NAMES = {"My Game": "my-game", "..": "my-game", "a/b": "a-b", "-fox--hen": "fox-hen", "CON": "my-con", "": "my-game"}
BAD_NAMES |= {"Élan": "elan", "x" * 41: "x" * 40, "fox\n": "fox"}


def report(command: str, game: str, at: Path) -> dict[str, object]:
    """What a command says about a game with ``--json``."""
    (result,) = run(command, game, "--json", at=at).json["games"]
    return dict(result)


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_a_new_game_checks_without_a_finding_and_builds_at_once(kind: str, options: tuple[str, ...], tmp_path: Path) -> None:
    """In an empty folder one command makes the project and the game, which is sound as it is: not even a warning."""
    made = run("new", "fox", *options, at=tmp_path)

    assert made.code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["content"]
    assert report("check", "fox", tmp_path)["problems"] == []
    assert run("build", "fox", "--paper", "a4", at=tmp_path).code == 0
    assert (tmp_path / "output/fox/a4/print.pdf").read_bytes().startswith(b"%PDF")


def test_the_game_to_begin_with_has_ten_cards_and_shows_what_there_is(tmp_path: Path) -> None:
    """Text with an icon, drawings by row id, a palette, a promise, a claim, a set-up, and rules: one of each to change."""
    run("new", "fox", at=tmp_path)
    folder = tmp_path / "content/fox"
    (component,) = report("count", "fox", tmp_path)["components"]  # type: ignore[misc]
    checked = report("check", "fox", tmp_path)
    table = (folder / "cards.csv").read_text(encoding="utf-8")
    ids = [line.partition(",")[0] for line in table.splitlines()[1:]]

    assert component["copies"] == 10
    assert all((folder / f"art/{name}.svg").is_file() for name in ids)
    assert ":snowball:" in table and (folder / "art/icons/snowball.svg").is_file()
    assert all(claim["holds"] for claim in checked["claims"] if "holds" in claim)  # type: ignore[attr-defined]
    assert len(checked["claims"]) == 1  # type: ignore[arg-type]
    settings = (folder / "game.toml").read_text(encoding="utf-8")
    assert "[palette]" in settings and "[expect.cards]" in settings
    assert "[setup]" in (folder / "rules.toml").read_text(encoding="utf-8")
    assert (folder / "rulebook.md").read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("size", ["tarot", "mini-euro", "business"])
def test_another_size_needs_no_change_in_the_templates(size: str, tmp_path: Path) -> None:
    """The drawings go by the card's width and height: small, large, square and broad cards have no finding."""
    run("new", "fox", at=tmp_path)
    settings = tmp_path / "content/fox/game.toml"
    settings.write_text(settings.read_text().replace('size = "tcg"', f'size = "{size}"'))

    assert report("check", "fox", tmp_path)["problems"] == []


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_the_notes_in_the_files_speak_of_this_very_game(kind: str, options: tuple[str, ...], tmp_path: Path) -> None:
    """The commands in comments and README can be typed as they stand: they have the game's own name."""
    run("new", "fox", *options, at=tmp_path)
    said = b"\n".join(files_in(tmp_path / "content/fox").values()).decode()

    assert "pnp build fox" in said
    assert "mygame" not in said


def test_three_commands_say_how_to_go_on_and_work_as_they_stand(tmp_path: Path) -> None:
    """After it there are three lines to copy, from where the person is: also when that is not the project."""
    (tmp_path / "my games").mkdir()
    for options in (("--project", tmp_path / "my games"), ()):
        said = run(*options, "new", "fox", at=tmp_path).out
        lines = [line.strip() for line in said.splitlines()[1:]]

        assert len(lines) == 3
        for line in lines:
            typed = line.partition("   ")[0].replace('"my games"', "my\0games").split()
            done = run(*(word.replace("\0", " ") for word in typed[1:]), at=tmp_path)
            assert typed[0] == "pnp" and done.code == 0, done.err
    assert (tmp_path / "my games/output/fox/a4/print.pdf").is_file()


@pytest.mark.parametrize(("name", "better"), BAD_NAMES.items())
def test_a_bad_name_is_refused_with_what_is_allowed_and_a_better_one(name: str, better: str, tmp_path: Path) -> None:
    """A name has to be a folder's everywhere, easy to type; the error says so, and the suggestion can be taken."""
    refused = run("new", "--", name, at=tmp_path)

    assert refused.code == 2
    assert "small letters" in refused.err
    assert f'"{better}"' in refused.err
    assert list(tmp_path.iterdir()) == []
    assert run("new", better, at=tmp_path).code == 0


@pytest.mark.parametrize("name", ["nul", "lpt9", "shared", "calibration"])
def test_names_that_windows_or_pnp_keep_for_themselves_are_refused(name: str, tmp_path: Path) -> None:
    """Such a game could not be copied to Windows, or would share a folder with something of pnp's own."""
    refused = run("new", name, at=tmp_path)

    assert refused.code == 2
    assert f'"my-{name}"' in refused.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [(), ("--from", "tiny")])
@pytest.mark.parametrize("there", ["folder", "file", "broken link"])
def test_what_is_there_is_never_touched(there: str, options: tuple[str, ...], tiny: TinyProject) -> None:
    """A folder, a file, even a link to nowhere of that name stays as it was, and the person is told."""
    target = tiny.project.content / "fox"
    if there == "broken link":
        target.symlink_to("nowhere")
    elif there == "file":
        target.write_text("mine")
    else:
        target.mkdir()
    before = files_in(tiny.project.root)
    refused = run("new", "fox", *options, at=tiny.project.root)

    assert refused.code == 2
    assert "there already" in refused.err
    assert files_in(tiny.project.root) == before
    assert sorted(path.name for path in tiny.project.content.iterdir()) == ["fox", "tiny"]
    assert there != "broken link" or str(target.readlink()) == "nowhere"


def test_a_game_comes_whole_or_not_at_all(tmp_path: Path) -> None:
    """When it cannot be put in its place, nothing of it is left: no half game, no folder of ours."""
    (tmp_path / "content").write_text("a file where the folder would be")
    failed = run("new", "fox", at=tmp_path)

    assert failed.code == 3
    assert [path.name for path in tmp_path.iterdir()] == ["content"]


@pytest.mark.skipif(os.name == "nt", reason="sizes of files cannot be limited there")
def test_a_disk_that_is_full_half_way_leaves_nothing(tmp_path: Path) -> None:
    """Some of the files can be written and one cannot: the person is told, and none of them is left."""
    limited = (
        # Python would leave what it compiles cut short beside our own code.
        "import resource, sys; sys.dont_write_bytecode = True; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000));"
        "sys.argv = ['pnp', 'new', 'fox']; from pnp.cli.main import main; main()"
    )
    # -B: Python would cut short what it compiles and keeps for later runs, too.
    done = subprocess.run([sys.executable, "-B", "-c", limited], cwd=tmp_path, capture_output=True, text=True, timeout=60)

    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_copy_stands_on_its_own(tiny: TinyProject) -> None:
    """Templates come along, ask for those beside them, and notes name the copy: the first game may then be thrown away."""
    note = "# pnp build tiny; content/tiny/, but not tiny-two\n"
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z"/></svg>'
    tiny.write("content/tiny/art/tiny/hen.svg", drawing)
    (tiny.project.root / "templates/tiny/cards.svg.j2").unlink()
    tiny.put(
        game_toml=note + TINY_GAME.replace('"tcg"', '"tcg"\ntemplate = "card"'),
        card_svg_j2="{% extends \"shared/face.svg.j2\" %}\n{% import 'tiny/parts.svg.j2' as p %}\n{% block face %}"
        '{{ p.hen() }}<foreignObject x="5" y="40" width="50" height="30">{{ row.name }} {{ row.text }}</foreignObject>'
        "{% endblock %}\n",
        parts_svg_j2='{% macro hen() %}<image href="tiny/hen" x="5" y="5" width="20" height="20"/>{% endmacro %}\n',
    )
    assert report("check", "tiny", tiny.project.root)["problems"] == []
    assert run("new", "fox", "--from", "tiny", at=tiny.project.root).code == 0
    shutil.rmtree(tiny.game)
    shutil.rmtree(tiny.project.root / "templates/tiny")

    assert report("check", "fox", tiny.project.root)["problems"] == []
    fox = tiny.project.content / "fox"
    assert (fox / "game.toml").read_text().startswith("# pnp build fox; content/fox/, but not tiny-two\n")
    assert 'href="tiny/hen"' in (fox / "templates/parts.svg.j2").read_text(), "a drawing's name is no template's"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("new", "fox", "--from", "tinny"), 'Did you mean "tiny"?'),
        (("new", "fox", "--from", "tiny", "--blank"), "choose one of them"),
        (("new",), "Missing argument"),
    ],
)
def test_what_cannot_be_meant_is_told(arguments: tuple[str, ...], words: str, tiny: TinyProject) -> None:
    """A game that is not there, two ways at once, no name: a sentence, and nothing is made."""
    refused = run(*arguments, at=tiny.project.root)

    assert refused.code == 2
    assert words in refused.err
    assert tiny.project.games() == ["tiny"]


def test_a_game_that_comes_with_pnp_is_copied_where_there_is_no_project(tmp_path: Path) -> None:
    """One begins there; an editor is not sent to a schema that did not come along."""
    assert run("new", "fox", "--from", "penguin", at=tmp_path).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["content"]
    assert (tmp_path / "content/fox/templates/card.svg.j2").is_file()
    assert "#:schema" not in (tmp_path / "content/fox/game.toml").read_text(encoding="utf-8")
    assert report("count", "fox", tmp_path)["problems"] == []


def test_the_same_name_gives_the_same_files(tmp_path: Path) -> None:
    """No clock and no chance: two new games of one name are equal byte by byte."""
    for place in (tmp_path / "a", tmp_path / "b"):
        place.mkdir()
        start_game(place, "fox", "starter")

    assert files_in(tmp_path / "a") == files_in(tmp_path / "b")


def test_what_new_games_begin_with_is_no_template_for_others() -> None:
    """A misspelt template is not answered with one of a game that is not there."""
    with pytest.raises(Fault) as fault:
        Templates((shipped_templates(),), {}).fill("new/starter/templates/crad", {})

    assert "new/starter" not in fault.value.hint


def test_a_row_without_a_drawing_of_its_own_is_a_card_as_well(tmp_path: Path) -> None:
    """Nobody has to draw before seeing a new card: somebody under the snow stands in."""
    run("new", "fox", at=tmp_path)
    with (tmp_path / "content/fox/cards.csv").open("a", encoding="utf-8") as table:
        table.write("owl,Owl,7,sun,Hoot.,2\n")

    assert run("preview", "fox", "cards", "owl", at=tmp_path).code == 0
    assert [problem["rule"] for problem in run("check", "fox", "--json", at=tmp_path).problems] == [
        "expected-counts",
        "usual-drawing",
    ]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("cards.csv",), "pnp new cards --table cards.csv"),
        (("new", "fox", "--table", "https://example.org/sheet"), "download the sheet as CSV or XLSX"),
        (("create", "fox"), "pnp new does that"),
        (("help", "build"), "Write pnp build --help."),
    ],
)
def test_what_a_beginner_types_instead_is_told(typed: tuple[str, ...], told: str, tmp_path: Path) -> None:
    """The name of a table where a game is asked for, an address, another word for a command."""
    (tmp_path / "cards.csv").write_text("name\nFox\n", encoding="utf-8")
    done = run(*typed, at=tmp_path)

    assert done.code == 2 and told in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["cards.csv"]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("build fox cards", "For one component of fox write --only cards."),
        ("build fox --only pip", "Write cards:pip."),
        ("build fox --paper a4,letter", "one at a time: --paper a4 --paper letter"),
        ("preview fox pip", "Write cards pip."),
        ("export fox tabletop-simulator", "the target stands before the game: pnp export TARGET fox"),
        ("export tts fox", "Write tabletop-simulator."),
        ("verify fox", "Name the file: output/fox/a4/print.pdf"),
    ],
)
def test_what_stands_in_the_wrong_place_is_told_with_the_right_one(typed: str, told: str, tmp_path: Path) -> None:
    """A component as a game, a card as a component, a game as a target or as a file."""
    run("new", "fox", at=tmp_path)
    done = run(*typed.split(), at=tmp_path)

    assert done.code == 2 and told in " ".join(done.err.split())


def pictures(folder: Path, shapes: dict[str, tuple[int, int]]) -> None:
    folder.mkdir()
    for number, (name, size) in enumerate(shapes.items()):
        Image.new("RGB", size, (255 - number, 40, 60)).save(folder / name)


@pytest.mark.parametrize(
    ("dots", "size", "bleed"),
    [
        ((816, 1110), "tcg", "3.175mm"),  # makeplayingcards asks for these
        ((745, 1040), "tcg", "0mm"),
        ((825, 1125), "poker", "3.175mm"),  # and The Game Crafter for these
        ((750, 1050), "poker", "0mm"),
        ((1050, 750), "88.9mm x 63.5mm", "0mm"),
        ((1050, 600), "business", "0mm"),
        ((700, 1200), "tarot", "0mm"),
        ((900, 900), "square-70", "0mm"),
        ((600, 800), "63mm x 84mm", "0mm"),
    ],
)
def test_finished_pictures_have_the_size_of_cards_of_their_shape(
    dots: tuple[int, int], size: str, bleed: str, tmp_path: Path
) -> None:
    """With what lies around the cut, where the picture has it."""
    pictures(tmp_path / "in", {"a.png": dots})
    folder, _, _ = start_from_pictures(tmp_path, "mine", tmp_path / "in")

    assert tomllib.loads((folder / "game.toml").read_text("utf-8"))["component"]["cards"] == {"size": size, "bleed": bleed}


def test_finished_pictures_are_printed_whole_in_their_order(tmp_path: Path) -> None:
    """As docs/how-to/from-a-table.md says: one called back lies behind all, what is no picture is named."""
    shapes = {"card 10.png": (745, 1040), "card 2.jpg": (745, 1040), "Back.png": (745, 1040), "wide.png": (1040, 745)}
    pictures(tmp_path / "exported", shapes)
    (tmp_path / "exported/notes.txt").write_text("none")
    (tmp_path / "exported/drafts").mkdir()
    (command,) = re.findall(r"pnp (new .*--pictures.*)", (ROOT / "docs/how-to/from-a-table.md").read_text("utf-8"))

    made = run(*command.split(), at=tmp_path)

    assert made.code == 0, made.err
    assert "cut off at two sides: wide.png" in made.out and "no pictures: notes.txt" in made.out
    assert "not looked into: drafts" in made.out
    rows = (tmp_path / "content/proxies/cards.csv").read_text("utf-8").splitlines()
    assert rows == ["id,art,copies", "card-2,card 2.jpg,1", "card-10,card 10.png,1", "wide,wide.png,1"]
    assert report("check", "proxies", tmp_path)["problems"] == []
    with pdfium.PdfDocument(tmp_path / "output/proxies/a4/cards.pdf") as pdf:
        front, back = (page.render(scale=1).to_pil().convert("RGB") for page in pdf)
    # A dot of a page is 1/72 in.
    card = 63 * 88 / 25.4**2 * 72**2
    seen = dict(map(reversed, front.getcolors(1_000_000)))
    assert seen[255, 40, 60] == pytest.approx(card, rel=0.02) and seen[252, 40, 60] == pytest.approx(card, rel=0.02)
    assert dict(map(reversed, back.getcolors(1_000_000)))[253, 40, 60] == pytest.approx(3 * card, rel=0.02)


def test_two_pictures_are_the_sides_of_one_card(tmp_path: Path) -> None:
    """By their names, as other programs give them; one without a back of its own has that of all, or is told."""
    dots = (745, 1040)
    pictures(
        tmp_path / "in", dict.fromkeys(("yeti-front.png", "yeti-back.png", "Owl.png", "owl (Back).png", "fox.png"), dots)
    )
    refused = run("new", "two", "--pictures", "in", at=tmp_path)
    assert refused.code == 2 and "fox.png has no back" in refused.err and not (tmp_path / "content").exists()

    Image.new("RGB", dots, "#123456").save(tmp_path / "in/back.png")
    assert run("new", "two", "--pictures", "in", at=tmp_path).code == 0
    assert (tmp_path / "content/two/cards.csv").read_text("utf-8").splitlines() == [
        *("id,art,behind,copies", "fox,fox.png,back.png,1", "owl,Owl.png,owl (Back).png,1"),
        "yeti,yeti-front.png,yeti-back.png,1",
    ]
    assert report("check", "two", tmp_path)["problems"] == []
    (tmp_path / "in/yeti-front.png").unlink()
    assert "yeti-back.png is the back of no picture" in run("new", "three", "--pictures", "in", at=tmp_path).err


def test_a_folder_without_pictures_makes_no_game(tmp_path: Path) -> None:
    """Nor does one whose pictures cannot be read."""
    (tmp_path / "in").mkdir()
    for name in ("notes.txt", "broken.png"):
        (tmp_path / "in" / name).write_bytes(b"none")
        made = run("new", "mine", "--pictures", "in", at=tmp_path)
        assert made.code == 2 and not (tmp_path / "content").exists()
    assert "broken.png cannot be read as a picture" in made.err
    # It says that it is 30,000 dots wide and high.
    (tmp_path / "in/broken.png").unlink()
    data = bytearray((ROOT / "docs/pictures/cards.png").read_bytes())
    data[16:24] = 2 * (30_000).to_bytes(4, "big")
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    (tmp_path / "in/vast.png").write_bytes(data)
    assert "vast.png cannot be read as a picture" in run("new", "mine", "--pictures", "in", at=tmp_path).err
