"""``pnp doctor``: what is there to print with, told in lines or as JSON; what is not well, in sentences with a hint."""

from __future__ import annotations

import io
import json
import shutil
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from commands import run
from conftest import ROOT, TINY_GAME, TINY_TABLE, TinyProject
from PIL import Image
from pypdf import PdfReader

from pnp import __version__
from pnp.lay.testpages import DEEPEST, trial_page
from pnp.read.presets import paper
from pnp.shapes.affine import Calibration
from pnp.system import printers
from pnp.values.faces import Label, Line, Page, Stroke
from pnp.values.game import Paper
from pnp.write.png import render

PT_PER_MM = 72 / 25.4
GRIP = 6.35
PAPERS = ("a4", "letter")


@pytest.fixture(autouse=True)
def settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A settings folder of this test's own."""
    folder = tmp_path_factory.mktemp("settings")
    monkeypatch.setenv("PNP_CONFIG", str(folder))
    return folder


def examined(*arguments: str, at: Path) -> dict[str, Any]:
    """The answer for other programs, whose ``ok`` is what the exit code says."""
    done = run("doctor", "--json", *arguments, at=at)
    answer: dict[str, Any] = json.loads(done.out)
    assert (done.err, done.code) == ("", 0 if answer["ok"] else 1)
    assert answer["ok"] == (answer["problems"] == [])
    return answer


def test_all_is_well_with_a_sound_project(tiny: TinyProject, settings: Path) -> None:
    """Versions, the game, fonts, printers and room are told, and the command leaves with 0."""
    printers.store(settings, "kitchen inkjet", Calibration(0.5, -1.25))
    done = run("doctor", at=tiny.project.root)

    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1] == "all is well"
    for part in (__version__, "tiny", "Source Sans Pro", "kitchen inkjet", "+0.5", "-1.25", "GB free"):
        assert part in done.out


def test_the_libraries_are_those_that_pnp_needs(tiny: TinyProject) -> None:
    """Each with the version that is installed; those for tests alone are none of them."""
    libraries = examined(at=tiny.project.root)["libraries"]

    assert {"typst", "pikepdf", "reportlab", "click"} <= set(libraries)
    assert "pytest" not in libraries
    assert libraries == {name: metadata.version(name) for name in libraries}


def uninstall(lacking: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library is not there for this test."""
    version = metadata.version

    def without(name: str) -> str:
        if name == lacking:
            raise metadata.PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(metadata, "version", without)


def test_a_library_that_is_missing_is_told(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the words that install it."""
    uninstall("typst", monkeypatch)
    (problem,) = examined(at=tiny.project.root)["problems"]

    assert "typst" in problem["message"]
    assert "pip install" in problem["hint"]


def test_what_an_add_on_lacks_is_told_and_is_no_problem(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the words that install it; add-ons that lack nothing are named."""
    uninstall("nicegui", monkeypatch)
    answer, said = examined(at=tiny.project.root), run("doctor", at=tiny.project.root).out

    assert (answer["problems"], answer["add-ons"]["studio"]) == ([], ["nicegui"])
    assert {"exports", "imports", "press"} <= {name for name, lacking in answer["add-ons"].items() if not lacking}
    assert "studio lacks nicegui. Type: pip install 'pnp-press[studio]'" in said
    assert not {"test", "docs"} & set(answer["add-ons"])


def test_fonts_are_those_that_a_game_may_use(tiny: TinyProject) -> None:
    """The ones that come with pnp, and those in the game's own folder."""
    other = tiny.project.content / "other"
    tiny.write("content/other/game.toml", TINY_GAME)
    tiny.write("content/other/cards.csv", TINY_TABLE)
    (other / "fonts").mkdir()
    shutil.copy(ROOT / "content/pirates-on-the-prowl/fonts/PirataOne-Regular.ttf", other / "fonts")
    fonts = examined(at=tiny.project.root)["fonts"]

    assert "Source Sans Pro" in fonts["tiny"]
    assert set(fonts["other"]) - set(fonts["tiny"]) == {"Pirata One"}
    assert "other also Pirata One" in run("doctor", at=tiny.project.root).out


def test_what_is_not_well_is_told_in_a_sentence_with_a_hint(tiny: TinyProject) -> None:
    """On the channel for errors, counted at the end, and the command leaves with 1."""
    tiny.write("content/tiny/game.toml", "[[[")
    done = run("doctor", at=tiny.project.root)

    assert done.code == 1
    assert done.err.startswith("problem tiny cannot be built as it is")
    assert "See: pnp check tiny." in done.err
    assert done.out.splitlines()[-1] == "1 problem"


def test_fonts_that_are_missing_or_broken_are_told(tiny: TinyProject) -> None:
    """Where they are named, and the file that is no font."""
    tiny.write("content/tiny/game.toml", TINY_GAME.replace("[component", '[fonts]\ntitle = "Nowhere"\n\n[component'))
    tiny.write("content/tiny/fonts/torn.ttf", b"no font")
    messages = " ".join(problem["message"] for problem in examined(at=tiny.project.root)["problems"])

    assert "content/tiny/game.toml" in messages
    assert '"Nowhere"' in messages
    assert "torn.ttf" in messages


def test_a_list_of_printers_that_cannot_be_read_is_told(tiny: TinyProject, settings: Path) -> None:
    """With its file, and what to do."""
    (settings / printers.FILE).write_text("[[[")
    (problem,) = examined(at=tiny.project.root)["problems"]

    assert printers.FILE in problem["message"]
    assert "calibrate" in problem["hint"]


def test_output_that_cannot_be_written_is_told(tiny: TinyProject) -> None:
    """A file stands where the folder belongs: said before a build finds out, and no test print is tried."""
    tiny.write("output", "a file")
    answer = examined("--print", at=tiny.project.root)

    assert not answer["output"]["writable"]
    assert ["output" in problem["message"] for problem in answer["problems"]] == [True]
    assert answer["files"] == []


def test_a_full_disk_is_told(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a build stops half-way."""
    usage = type(shutil.disk_usage(tiny.project.root))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**12, 10**12 - 5_000_000, 5_000_000))
    (problem,) = examined(at=tiny.project.root)["problems"]

    assert "5 MB" in problem["message"]


def test_the_test_print_is_one_page_of_each_paper(tiny: TinyProject) -> None:
    """At its true size, and printed as it is, where one says."""
    done = run("doctor", "--print", "--out", "one", at=tiny.project.root)

    assert done.code == 0
    for name in PAPERS:
        reader = PdfReader(tiny.project.root / f"one/doctor/{name}.pdf")
        (page,) = reader.pages
        wishes = reader.root_object["/ViewerPreferences"]
        assert (wishes["/PrintScaling"], wishes["/Duplex"]) == ("/None", "/Simplex")
        size = [paper(name).width * PT_PER_MM, paper(name).height * PT_PER_MM]
        assert [float(side) for side in page.mediabox[2:]] == pytest.approx(size, abs=0.01)
        assert "test print" in page.extract_text()
        assert f"one/doctor/{name}.pdf" in done.out


def lines(page: Page) -> list[Line]:
    return [item for item in page.items if isinstance(item, Line)]


def outside(page: Page, x: float, y: float) -> bool:
    """Whether a point is in the rim that printers leave white."""
    return not (GRIP <= x <= page.paper.width - GRIP and GRIP <= y <= page.paper.height - GRIP)


@pytest.mark.parametrize("name", PAPERS)
def test_both_rulers_measure_100_mm(name: str) -> None:
    """One along each way of the paper, with a tick at every millimetre."""
    found = lines(trial_page(paper(name)))
    across = [line for line in found if line.y1 == line.y2 and line.x2 - line.x1 == pytest.approx(100)]
    down = [line for line in found if line.x1 == line.x2 and line.y2 - line.y1 == pytest.approx(100)]

    assert (len(across), len(down)) == (1, 1)
    for at in range(101):
        assert any(line.x1 == line.x2 == pytest.approx(across[0].x1 + at) and line.y1 == across[0].y1 for line in found)
        assert any(line.y1 == line.y2 == pytest.approx(down[0].y1 + at) and line.x1 == down[0].x1 for line in found)


@pytest.mark.parametrize("name", PAPERS)
def test_the_stairs_tell_the_margin_of_each_side(name: str) -> None:
    """A tick at each millimetre from each edge, its number beside it where every printer prints."""
    page = trial_page(paper(name))
    width, height = page.paper.width, page.paper.height
    labels = [item for item in page.items if isinstance(item, Label) and item.text.isdigit()]

    def numbered(x: float, y: float, step: int) -> bool:
        return any(
            label.text == str(step) and not outside(page, label.x, label.y) and min(abs(label.x - x), abs(label.y - y)) < 1
            for label in labels
        )

    for step in range(DEEPEST + 1):
        for edge in (step, height - step):
            (tick,) = [line for line in lines(page) if line.y1 == line.y2 == edge]
            assert numbered((tick.x1 + tick.x2) / 2, -99, step)
        for edge in (step, width - step):
            (tick,) = [line for line in lines(page) if line.x1 == line.x2 == edge]
            assert numbered(-99, (tick.y1 + tick.y2) / 2, step)


@pytest.mark.parametrize("name", PAPERS)
def test_nothing_but_stairs_stands_in_the_margin(name: str) -> None:
    """What is to be looked at is printed by every printer."""
    page = trial_page(paper(name))

    for item in page.items:
        if isinstance(item, Label):
            assert not outside(page, item.x, item.y), item.text
        elif isinstance(item, Stroke):
            assert not any(outside(page, *point) for point in item.points)


def pixel(picture: bytes, on: Paper, stroke: Stroke) -> tuple[int, ...]:
    """The colour in the middle of a patch as it is printed."""
    image = Image.open(io.BytesIO(picture))
    (left, top), _, (right, bottom), _ = stroke.points
    middle = int((left + right) / 2 / on.width * image.width), int((top + bottom) / 2 / on.height * image.height)
    found = image.getpixel(middle)
    assert isinstance(found, tuple)
    return tuple(int(part) for part in found)


def test_greys_and_colours_are_printed_as_they_are_laid(tiny: TinyProject) -> None:
    """Steps from white to black without a colour, and from each colour to nearly white."""
    run("doctor", "--print", at=tiny.project.root)
    a4 = paper("a4")
    (picture,) = render((tiny.project.root / "output/doctor/a4.pdf").read_bytes(), 72)
    patches = [item for item in trial_page(a4).items if isinstance(item, Stroke) and item.fill is not None]
    greys = [pixel(picture, a4, patch) for patch in patches if not isinstance(patch.fill, tuple)]
    colours = [pixel(picture, a4, patch) for patch in patches if isinstance(patch.fill, tuple)]

    assert (greys[0], greys[-1]) == ((255, 255, 255), (0, 0, 0))
    assert [grey for grey in greys if len(set(grey)) > 1] == []
    assert sorted(set(greys), reverse=True) == greys
    assert {(0, 255, 255), (255, 0, 255), (255, 255, 0), (255, 0, 0), (0, 255, 0), (0, 0, 255)} <= set(colours)
    assert len(set(colours)) == 30
