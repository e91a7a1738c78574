"""A printer's measured error is stored under any name and comes back as it was."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from conftest import examples
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pnp.shapes.affine import Calibration, Flip
from pnp.system import printers
from pnp.system.paths import config_folder
from pnp.system.printers import FILE
from pnp.values.game import LEAST_MARGIN, MOST_MARGIN
from pnp.values.problems import Fault

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
shifts = st.floats(-printers.MOST_SHIFT, printers.MOST_SHIFT)
angles = st.floats(-printers.MOST_ANGLE, printers.MOST_ANGLE)
margins = st.one_of(st.just(0.0), st.floats(LEAST_MARGIN, MOST_MARGIN))
calibrations = st.builds(Calibration, shifts, shifts, angles, st.sampled_from(get_args(Flip)), margins)


@settings(max_examples=examples(200), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(names, calibrations, min_size=1, max_size=4))
@example({'the "good" one': Calibration(1, 2, 3), "C:\\new\\table": Calibration(), "Büro 東京 🖨": Calibration(0.5)})
@example(
    {"two\nlines": Calibration(1), "tab\tnul\0del\x7f": Calibration(2), "": Calibration(3), "[a]=1 # b.c": Calibration(4)}
)
def test_what_is_stored_comes_back(tmp_path_factory: pytest.TempPathFactory, measured: dict[str, Calibration]) -> None:
    """Whatever the names, each printer has the numbers that were stored for it, to the last bit."""
    folder = tmp_path_factory.mktemp("config")
    for name, calibration in measured.items():
        printers.store(folder, name, calibration)

    assert printers.stored(folder) == measured
    assert all(printers.calibration(folder, name) == calibration for name, calibration in measured.items())


def test_the_file_is_for_people_too(tmp_path: Path) -> None:
    """It is TOML: a section a printer with the numbers as typed."""
    file = printers.store(tmp_path / "new" / "folder", "office", printers.parse("0.5,-1.25"))

    assert tomllib.loads(file.read_text(encoding="utf-8")) == {"office": {"dx": 0.5, "dy": -1.25, "angle": 0.0}}


def test_an_unknown_printer_gets_a_proposal(tmp_path: Path) -> None:
    """A printer that was not calibrated is answered with the nearest, or those there are, and how to store it."""
    with pytest.raises(Fault, match=r"Stored: none\..* pnp calibrate --set"):
        printers.calibration(tmp_path, "office")
    printers.store(tmp_path, "office", Calibration())
    with pytest.raises(Fault, match='Did you mean "office"'):
        printers.calibration(tmp_path, "ofice")


@pytest.mark.parametrize(
    ("text", "measured"), [(" 0.5 , -1.25 ", Calibration(0.5, -1.25)), ("10,-10,-5", Calibration(10, -10, -5))]
)
def test_measurements_are_read(text: str, measured: Calibration) -> None:
    """Two numbers are a shift, a third is an angle; the bounds themselves are allowed."""
    assert printers.parse(text) == measured


@pytest.mark.parametrize("text", ["", "1,2,3,4", "1mm,2mm", "1,2,"])
def test_what_is_no_measurement_gets_a_sentence(text: str) -> None:
    """The sentence quotes what was typed and shows how it is written."""
    with pytest.raises(ValueError) as caught:
        printers.parse(text)

    assert str(caught.value) == f'"{text}" is not dx,dy or dx,dy,angle, such as 0.5,-1.25'


@pytest.mark.parametrize(
    "content",
    [
        b"[office]\ndx = 1\ndy = 1\nbacks = 'sideways'",
        b"[office]\ndx = 1\ndy = 1\nmargin = 1.5",
        b"not toml",
        b"office = 1",
        b"[office]\ndx = 'far'\ndy = 1",
        b"\xff",
    ],
)
def test_a_broken_file_is_told_and_kept(tmp_path: Path, content: bytes) -> None:
    """A file that is no list of printers is named with what to do, and storing another printer does not destroy it."""
    file = tmp_path / printers.FILE
    file.write_bytes(content)

    for attempt in (lambda: printers.stored(tmp_path), lambda: printers.store(tmp_path, "new", Calibration())):
        with pytest.raises(Fault) as caught:
            attempt()
        assert str(caught.value).startswith(f"{file} is not a list of printers")
        assert str(caught.value).endswith("Remove it and calibrate again.")
    assert file.read_bytes() == content


def test_the_settings_may_be_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``PNP_CONFIG`` names the folder; without it the system's own place for settings is used."""
    monkeypatch.setenv("PNP_CONFIG", str(tmp_path))
    assert config_folder() == tmp_path
    monkeypatch.delenv("PNP_CONFIG")
    assert config_folder().name == "pnp"


def test_what_a_person_wrote_stays(tmp_path: Path) -> None:
    """Remarks, and keys that pnp does not know, of the other printers; the one that was measured again is replaced."""
    (tmp_path / FILE).write_text(
        "# our printers\n[desk]\ndx = 1.0\ndy = 2.0\nnote = 'bought in May'\n\n[\"back room\"]\ndx = 0.5\ndy = 0.0\n"
    )
    printers.store(tmp_path, "back room", Calibration(0.25, -0.5, 0.1))
    text = (tmp_path / FILE).read_text()

    assert text.startswith("# our printers\n[desk]\n") and "note = 'bought in May'" in text
    assert printers.stored(tmp_path) == {"desk": Calibration(1.0, 2.0), "back room": Calibration(0.25, -0.5, 0.1)}


@pytest.mark.skipif(os.name == "nt", reason="links need a permission there")
def test_a_list_that_is_a_link_stays_one(tmp_path: Path) -> None:
    """Some keep their settings elsewhere and link to them; a link under a name of ours aside is not written through."""
    real, config = tmp_path / "dotfiles/printers.toml", tmp_path / "config"
    real.parent.mkdir()
    config.mkdir()
    real.write_text("")
    (tmp_path / "victim").write_text("mine")
    (config / FILE).symlink_to(real)
    (config / f".{FILE}.{os.getpid()}").symlink_to(tmp_path / "victim")
    printers.store(config, "desk", Calibration(1.0, 0.0))

    assert (config / FILE).is_symlink() and "desk" in real.read_text()
    assert (tmp_path / "victim").read_text() == "mine"
    assert [path.name for path in real.parent.iterdir()] == ["printers.toml"]
