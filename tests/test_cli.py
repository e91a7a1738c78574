"""The command line: every command says in sentences what it did, and its exit code says it too.

0 all well · 1 something is wrong with a game · 2 the command itself · 3 a file that cannot be read or
written · 130 interrupted; 4, a fault of pnp's own, must never come.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import run
from conftest import TINY_GAME, TinyProject, files_in, is_record
from PIL import Image
from pypdf import PdfReader
from pypdf.generic import ContentStream

from pnp import __version__
from pnp.system import printers
from pnp.system.paths import config_folder

PT_PER_MM = 72 / 25.4
BACK = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}{{ s.ground(face, "#663333") }}{% endblock %}
"""


@pytest.fixture(autouse=True)
def settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No printer is stored as yet."""
    monkeypatch.setenv("PNP_CONFIG", str(tmp_path_factory.mktemp("config")))


def picture(path: Path) -> Image.Image:
    """A PNG as pixels."""
    return Image.open(io.BytesIO(path.read_bytes())).convert("RGB")


def add_backs(tiny: TinyProject) -> None:
    """Gives the cards of the tiny game a back of one colour."""
    tiny.put(game_toml=(tiny.game / "game.toml").read_text() + 'back = "back"\n', back_svg_j2=BACK)


def spoil(tiny: TinyProject) -> None:
    """Makes one row of the tiny game wrong; the other card can still be drawn."""
    tiny.write("content/tiny/cards.csv", "name,text\nAnna,Draw two.\nBert\n")


# --- exit codes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["build"], "tiny: 2 pieces in 3 files below output/tiny"),
        (["preview", "tiny", "cards", "anna"], "wrote output/tiny/preview/cards-anna.png"),
        (["preview", "tiny", "--grey", "--language", "en"], "wrote output/tiny/en/grey/preview/cards.png"),
        (["list"], "tiny: Tiny: cards"),
        (["--version"], __version__),
        (["-h"], "content tables in, printable board games out"),
    ],
)
def test_a_command_that_goes_well_leaves_with_0(tiny: TinyProject, arguments: list[str], words: str) -> None:
    """What was done is told on standard output."""
    done = run(*arguments, at=tiny.project.root)

    assert done.code == 0, done.err
    assert words in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["build"], "nothing was written"),
        (["check"], "mend these before printing"),
        (["preview", "tiny", "cards", "bert"], "nothing was written"),
    ],
)
def test_a_wrong_game_leaves_with_1(tiny: TinyProject, arguments: list[str], said: str) -> None:
    """What is wrong with a game is told on the error channel, with its place, and counted."""
    spoil(tiny)
    done = run(*arguments, at=tiny.project.root)

    assert done.code == 1
    assert "error content/tiny/cards.csv:3: the row has 1 cell" in done.err
    assert f"tiny: 1 error; {said}" in done.err
    written = ["tiny/report.html"] if arguments == ["check"] else []
    assert "wrote" not in done.out and list(files_in(tiny.project.root / "output")) == written


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["bild"], 'Did you mean "build"?'),
        (["new", "deck", "--style", "nigth"], 'Did you mean "night"?'),
        (["count", "tiny", "chess"], "Games here: tiny."),
        (["preview", "tiny", "card"], 'no component "card". Did you mean "cards"?'),
        (["build", "--paper", "leter"], 'Did you mean "letter"?'),
        (["build", "--margin", "2.9mm"], '"2.9mm" is out of bounds: a margin is from 3mm to 25mm'),
        (["calibrate", "--margin", "4mm", "--printer", "office"], "--margin is stored with --set"),
        (["build", "--marks", "both", "--cut", "spot"], "without --cut silhouette"),
        (["build", "--perforate"], "it goes with --cut svg, dxf or silhouette"),
        (["build", "--dpi", "300"], "--dpi says how faces are written as files: it goes with --faces png"),
        (["build", "--dpi", "600", "--faces", "svg"], "it goes with --faces png"),
        (["build", "--no-bleed"], "--no-bleed says how faces are written as files: it goes with --faces png or svg"),
        (["build", "--out", "content/tiny/game.toml"], "is a file"),
        (["calibrate", "--paper", "9x13cm"], "9x13cm has no room for the scales"),
        (["--project", "nowhere", "list"], "does not exist"),
    ],
)
def test_a_wrong_command_leaves_with_2(tiny: TinyProject, arguments: list[str], words: str) -> None:
    """A command that cannot be meant so is answered with what could be; nothing is written."""
    before = files_in(tiny.project.root)
    done = run(*arguments, at=tiny.project.root)

    assert done.code == 2
    assert words in done.err.replace("\n", " ")
    assert done.out == ""
    assert files_in(tiny.project.root) == before


def test_outside_a_project_a_command_leaves_with_2(tmp_path: Path) -> None:
    """Where there are no games the sentence says what to do."""
    done = run("build", at=tmp_path)
    assert (done.code, "--project" in done.err) == (2, True)

    (tmp_path / "content").mkdir()
    done = run("build", at=tmp_path)
    assert (done.code, "a game is a folder there with a game.toml" in done.err) == (2, True)


@pytest.mark.parametrize(("file", "content"), [("game.toml", b"[game]\nname = '\xff'"), ("cards.xlsx", b"not a workbook")])
@pytest.mark.parametrize("command", ["build", "check", "count"])
def test_an_unreadable_file_leaves_with_3(tiny: TinyProject, command: str, file: str, content: bytes) -> None:
    """A file of the game that cannot be read at all is told by its name."""
    if file == "cards.xlsx":
        (tiny.game / "cards.csv").unlink()
    tiny.write(f"content/tiny/{file}", content)
    done = run(command, at=tiny.project.root)

    assert done.code == 3
    assert f"error content/tiny/{file}" in done.err


def test_a_file_in_place_of_the_output_folder_leaves_with_3(tiny: TinyProject) -> None:
    """What cannot be written is told by its path, and the file in its place stays."""
    tiny.write("output/tiny", "mine")
    done = run("build", at=tiny.project.root)

    assert done.code == 3
    assert re.search(r"^Error: .*: .*output/tiny$", done.err, re.MULTILINE)
    assert files_in(tiny.project.root / "output") == {"tiny": b"mine"}


@pytest.mark.skipif(os.name == "nt", reason="links need a permission there")
@pytest.mark.parametrize("arguments", [("build", "--out", "loop"), ("verify", "loop")])
def test_a_link_that_leads_to_itself_leaves_with_3(tiny: TinyProject, arguments: tuple[str, ...]) -> None:
    (tiny.project.root / "loop").symlink_to("loop")
    done = run(*arguments, at=tiny.project.root)

    assert done.code == 3 and "loop" in done.err


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such devices here")
@pytest.mark.parametrize(
    "typed", ["verify FILE", "translate tiny de --from-po FILE", "template FILE", "printed tiny --from FILE"]
)
def test_a_device_is_no_file(tiny: TinyProject, typed: str) -> None:
    """What is read from it would never end."""
    done = run(*typed.replace("FILE", "/dev/zero").split(), at=tiny.project.root)

    assert done.code in (1, 2, 3)
    assert "device or a pipe" in done.out + done.err


def test_python_dash_m_is_the_same_command(tiny: TinyProject) -> None:
    """``python -m pnp`` in a shell of its own: results on standard output, progress on the error channel."""
    command = [sys.executable, "-m", "pnp", "build", "--json"]
    done = subprocess.run(command, cwd=tiny.game, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["games"][0]["ok"] is True


def test_a_reader_that_leaves_early_is_no_fault() -> None:
    """``pnp schema | head -1`` ends in silence."""
    command = [sys.executable, "-m", "pnp", "schema"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""


# --- JSON -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [["build"], ["check"], ["count"], ["preview", "tiny", "cards"]])
@pytest.mark.parametrize("wrong", [False, True])
def test_json_is_one_object(tiny: TinyProject, arguments: list[str], wrong: bool) -> None:
    """With --json other programs read one object from standard output, whether the game is right or wrong."""
    if wrong:
        spoil(tiny)
    done = run(*arguments, "--json", at=tiny.project.root)

    (game,) = done.json["games"]
    assert done.err == ""
    assert (game["game"], game["ok"], done.code) == ("tiny", not wrong, int(wrong))
    assert [problem["rule"] for problem in game["problems"]] == (["ragged-row"] if wrong else [])
    assert all(Path(file).is_file() for file in game["files"])


def test_the_list_of_one_game_shows_its_tables(tiny: TinyProject) -> None:
    """Each column with what it was taken for, as lines and as JSON."""
    told = run("list", "tiny", at=tiny.project.root)
    listed = run("list", "tiny", "--json", at=tiny.project.root).json["games"]["tiny"]["tables"]

    assert told.out.splitlines() == [
        "tiny: Tiny: cards",
        "",
        "cards: content/tiny/cards.csv, 2 rows",
        "title  name  taken as",
        "name   name  text      key",
        "text   text  text",
    ]
    assert [(table["name"], table["rows"]) for table in listed] == [("cards", 2)]
    assert [(column["name"], column["taken"], column["used"]) for column in listed[0]["columns"]] == [
        ("name", "text", True),
        ("text", "text", True),
    ]


# --- count ----------------------------------------------------------------------------------------------


def test_count_says_what_sharing_sheets_saves(tiny: TinyProject) -> None:
    """Seven cards and two, nine a sheet: alone a sheet each, together one; and nothing where there is one deck alone."""
    tiny.write("content/tiny/cards.csv", "name,text,copies\nAnna,Draw two.,7\n")
    assert run("count", at=tiny.project.root).out.splitlines()[-1] == (
        "7 pieces; 1 sheet one component at a time, 1 together, none saved"
    )
    game = (tiny.game / "game.toml").read_text(encoding="utf-8")
    tiny.write("content/tiny/game.toml", f'{game}\n[component.more]\ntable = "more"\ntemplate = "cards"\nsize = "tcg"\n')
    tiny.write("content/tiny/more.csv", "name,text,copies\nBert,Pass.,2\n")
    assert run("count", at=tiny.project.root).out.splitlines()[-1] == (
        "9 pieces; 2 sheets one component at a time, 1 together, 1 saved"
    )
    assert run("count", "--json", at=tiny.project.root).json["games"][0]["together"] == 1


@pytest.mark.parametrize("arguments", [("count",), ("preview", "tiny", "cards"), ("ink", "tiny")])
def test_a_column_that_only_a_rule_reads_is_no_warning(tiny: TinyProject, arguments: tuple[str, ...]) -> None:
    """Whoever counts or looks runs no rules, and so cannot tell which columns nobody needs."""
    tiny.write("content/tiny/cards.csv", "name,text,looks\nAnna,Draw two.,left\nBert,Pass.,up\n")
    promise = '\n[[expect.cards.split]]\nby = "looks"\ngroups = 2\n'
    tiny.write("content/tiny/game.toml", (tiny.game / "game.toml").read_text() + promise)

    for words in (("check", "tiny"), arguments):
        done = run(*words, at=tiny.project.root)
        assert (done.code, "nothing uses the column" in done.err) == (0, False)


def test_what_is_wrong_elsewhere_keeps_nobody_from_counting(tiny: TinyProject) -> None:
    """The table comes, then what is wrong."""
    tiny.put(game_toml=TINY_GAME + '\n[layout.start]\nof = "cards"\ntable = "start"\n', start_csv="slot,q,r\na,0,0\n")
    done = run("count", at=tiny.project.root)

    assert done.code == 1 and "layout" in done.err
    assert re.search(r"card +cards +2 +2", done.out)


# --- build ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "code", "said"),
    [("EOFError('marshal data too short')", 3, "compiled file of pnp is cut short"), ("click.Abort()", 130, "interrupted")],
)
def test_only_who_is_interrupted_is_told_so(tmp_path: Path, fault: str, code: int, said: str) -> None:
    """Click calls every file that ends too soon an interruption; a compiled module that is cut short is none."""
    program = (
        "import sys, click\nfrom pnp.cli import main as cli\n"
        f"@click.command()\ndef broken():\n    raise {fault}\n"
        "cli.cli.add_command(broken)\nsys.argv = ['pnp', 'broken']\ncli.main()"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, env=environment)

    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert done.stderr.endswith("interrupted\n") == (code == 130)


def test_a_build_may_be_for_another_paper_and_fold(tiny: TinyProject) -> None:
    """--paper and --backs win over the game's own: sheets are Letter, and fold instead of being printed duplex."""
    add_backs(tiny)
    done = run("build", "--paper", "letter", "--backs", "gutterfold", at=tiny.project.root)

    assert done.code == 0, done.err
    out = tiny.project.root / "output" / "tiny"
    assert {path.name for path in out.iterdir() if not is_record(path)} == {"letter", "manifest.json"}
    sheets = PdfReader(out / "letter" / "cards.pdf")
    assert len(sheets.pages) == 1
    assert sheets.root_object["/ViewerPreferences"]["/Duplex"] == "/Simplex"
    assert [float(side) for side in sheets.pages[0].mediabox[2:]] == pytest.approx([8.5 * 72, 11 * 72], abs=0.01)
    assert sum(form["/PNPSide"] == "/Back" for form in sheets.pages[0]["/Resources"]["/XObject"].values()) == 2


@pytest.mark.parametrize("arguments", [["build", "--faces", "svg"], ["calibrate"], ["check"]])
def test_nothing_is_written_elsewhere(
    tiny: TinyProject, tmp_path_factory: pytest.TempPathFactory, arguments: list[str]
) -> None:
    """With --out the project stays as it is; commands that only look write nothing at all."""
    out = tmp_path_factory.mktemp("out")
    before = files_in(tiny.project.root)
    writes = arguments[0] in ("build", "preview", "calibrate", "check")
    done = run(*arguments, *(["--out", str(out)] if writes else []), at=tiny.project.root)

    assert done.code == 0, done.err
    assert files_in(tiny.project.root) == before
    assert bool(files_in(out)) == writes
    assert not [name for name in files_in(out) if ".pnp-" in name]


def test_a_preview_shows_one_piece_or_all(tiny: TinyProject) -> None:
    """With an ID the picture is that face, cut to size, at the asked resolution; without, all faces side by side."""
    root = tiny.project.root
    assert run("preview", "tiny", "cards", "anna", "--dpi", "100", at=root).code == 0
    one = picture(root / "output/tiny/preview/cards-anna.png")
    assert one.size == pytest.approx([side / 25.4 * 100 for side in (63, 88)], abs=1)

    assert run("preview", "tiny", "cards", "--dpi", "100", at=root).code == 0
    both = picture(root / "output/tiny/preview/cards.png")
    assert 2 * one.width < both.width < 2.5 * one.width
    assert set(files_in(root / "output")) == {"tiny/preview/cards-anna.png", "tiny/preview/cards.png"}


# --- calibrate ------------------------------------------------------------------------------------------


def test_the_duplex_test_is_a_sheet_of_each_paper(tiny: TinyProject) -> None:
    """Front and back for A4 and Letter, needing no game at all; printer and owner are asked for the same."""
    done = run("calibrate", "--out", tiny.project.root / "test", at=Path(tiny.project.root.anchor))

    assert done.code == 0
    for paper, width, height in (("a4", 210, 297), ("letter", 215.9, 279.4)):
        sheet = PdfReader(tiny.project.root / "test" / "calibration" / f"{paper}.pdf")
        assert len(sheet.pages) == 2
        assert [float(side) / PT_PER_MM for side in sheet.pages[1].mediabox[2:]] == pytest.approx([width, height], abs=0.01)
        assert sheet.root_object["/ViewerPreferences"]["/Duplex"] == "/DuplexFlipLongEdge"
        assert sheet.metadata is not None and "flip on long edge" in (sheet.metadata.subject or "")
        assert "flip on long edge" in sheet.pages[0].extract_text()


def placements(file: Path, page: int) -> list[tuple[float, ...]]:
    """The matrices with which a page of a PDF places its faces."""
    reader = PdfReader(file)
    matrix: tuple[float, ...] = ()
    found = []
    for operands, operator in ContentStream(reader.pages[page].get_contents(), reader).operations:
        if operator == b"cm":
            matrix = tuple(map(float, operands))
        elif operator == b"Do":
            found.append(matrix)
    return found


def test_a_stored_printer_moves_the_backs(tiny: TinyProject) -> None:
    """Backs move by exactly the stored shift, right and down; fronts stay where they are."""
    root = tiny.project.root
    add_backs(tiny)
    stored = run("calibrate", "--set", "0.5,-1.25", "--printer", "office", at=root)
    assert stored.code == 0 and "office" in stored.out
    assert run("build", "--out", "plain", at=root).code == 0
    assert run("build", "--out", "moved", "--printer", "office", at=root).code == 0

    plain, moved = (root / out / "tiny" / "a4" / "cards.pdf" for out in ("plain", "moved"))
    assert placements(moved, 0) == placements(plain, 0)
    before, after = placements(plain, 1), placements(moved, 1)
    assert len(before) == len(after) == 2
    # A PDF's axis runs upwards.
    for (*_, x, y), (*_, e, f) in zip(before, after, strict=True):
        assert (e, f) == pytest.approx((x + 0.5 * PT_PER_MM, y + 1.25 * PT_PER_MM), abs=0.01)


def test_a_stored_printer_has_a_margin(tiny: TinyProject) -> None:
    """Its sheets keep that margin, as the plan says; a margin that is typed goes before it."""
    root = tiny.project.root
    words = "reaches to {} mm of the edge"
    run("calibrate", "--set", "0,0", "--margin", "4mm", "--printer", "office", at=root)
    builds = {"usual": ([], ""), "office": (["--printer", "office"], "4"), "typed": (["--margin", "5mm"], "5")}
    builds["both"] = ["--printer", "office", "--margin", "0.5cm"], "5"
    for out, (arguments, margin) in builds.items():
        assert run("build", "--out", out, *arguments, at=root).code == 0
        plan = " ".join(PdfReader(root / out / "tiny" / "a4" / "print.pdf").pages[0].extract_text().split())
        assert (words.format(margin) in plan) if margin else ("reaches to" not in plan)


def test_measuring_a_printer_again_keeps_its_margin(tiny: TinyProject) -> None:
    """Who stores new numbers alone is told that the margin stays; another margin takes its place."""
    root = tiny.project.root
    run("calibrate", "--set", "0,0", "--margin", "4mm", "--printer", "office", at=root)

    again = run("calibrate", "--set", "1,2", "--printer", "office", at=root)
    assert "with its margin of 4 mm" in again.out
    assert printers.calibration(config_folder(), "office").margin == 4.0
    run("calibrate", "--set", "1,2", "--margin", "5mm", "--backs", "short-edge", "--printer", "office", at=root)
    assert "for --backs short-edge as before" in run("calibrate", "--set", "3,4", "--printer", "office", at=root).out
    assert printers.calibration(config_folder(), "office").flip == "short-edge"
    assert printers.calibration(config_folder(), "office").margin == 5.0


def test_a_printer_is_measured_for_each_edge(tiny: TinyProject) -> None:
    """What the test of one edge showed is never applied to the other: that is refused, with how to measure it."""
    root = tiny.project.root
    add_backs(tiny)
    assert run("calibrate", "--backs", "short-edge", "--paper", "a4", at=root).code == 0
    sheet = PdfReader(root / "output" / "calibration" / "a4-short-edge.pdf")
    assert sheet.root_object["/ViewerPreferences"]["/Duplex"] == "/DuplexFlipShortEdge"
    run("calibrate", "--set", "1,1", "--printer", "long", at=root)
    run("calibrate", "--set", "1,1", "--backs", "short-edge", "--printer", "short", at=root)

    for printer, backs, fits in (("long", "long-edge", 0), ("short", "short-edge", 0), ("long", "none", 0)):
        assert run("build", "--printer", printer, "--backs", backs, at=root).code == fits
    for printer, backs in (("long", "short-edge"), ("short", "long-edge")):
        refused = run("build", "--printer", printer, "--backs", backs, at=root)
        assert refused.code == 2 and f"pnp calibrate --backs {backs}" in " ".join(refused.err.split())
        assert run("calibrate", "--printer", printer, "--backs", backs, at=root).code == 2


def test_a_calibrated_test_page_shows_what_is_left(tiny: TinyProject) -> None:
    """With --printer the test is printed as that printer's backs would be: the back differs, the front does not."""
    root = tiny.project.root
    run("calibrate", "--set", "1,2", "--printer", "office", at=root)
    for out, printer in (("plain", []), ("moved", ["--printer", "office"])):
        assert run("calibrate", "--paper", "a4", "--out", out, *printer, at=root).code == 0

    pages = [
        [page.get_contents() for page in PdfReader(root / out / "calibration/a4.pdf").pages] for out in ("plain", "moved")
    ]
    assert [a is not None and b is not None and a.get_data() == b.get_data() for a, b in zip(*pages, strict=True)] == [
        True,
        False,
    ]


def test_settings_that_cannot_be_written_leave_with_3(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a file stands in place of the settings' folder the sentence names it."""
    monkeypatch.setenv("PNP_CONFIG", str(tiny.write("config", "mine")))
    done = run("calibrate", "--set", "1,2", "--printer", "office", at=tiny.project.root)

    assert done.code == 3
    assert done.err.startswith("Error: ") and "config" in done.err


def test_one_wrong_game_does_not_stop_the_others(tiny: TinyProject) -> None:
    """All games are built that can be; the exit code still says that one could not."""
    tiny.write("content/bad/game.toml", '[game]\nname = "Bad"\n')
    done = run("build", at=tiny.project.root)

    assert done.code == 1
    assert "bad: 1 error; nothing was written" in done.err
    assert "tiny: 2 pieces" in done.out
    assert {path.name for path in (tiny.project.root / "output").iterdir()} == {"tiny"}


def test_commands_work_from_inside_the_project(tiny: TinyProject) -> None:
    """From a folder of the project, or with --project from anywhere, the output is the project's."""
    assert run("build", at=tiny.game).code == 0
    first = files_in(tiny.project.root / "output")
    assert set(first) == {"tiny/a4/cards.pdf", "tiny/a4/print.pdf", "tiny/manifest.json"}

    assert run("--project", tiny.game, "build", at=Path(tiny.project.root.anchor)).code == 0
    assert files_in(tiny.project.root / "output") == first
