"""Which press a file is made for: the profile that is named, or the one found; what is none of a press is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import ImageCms
from pressprofile import press_profile

from pnp.press import separate
from pnp.press.separate import condition_of
from pnp.values.problems import Fault


def stored(folder: Path, data: bytes) -> Path:
    (folder / "press.icc").write_bytes(data)
    return folder / "press.icc"


def test_a_profile_of_a_press_is_taken(tmp_path: Path) -> None:
    """As it is, under its own name, with the ink that was asked for."""
    condition = condition_of(stored(tmp_path, press_profile("Paper of ours")), 240)

    assert (condition.profile, condition.name, condition.limit) == (press_profile("Paper of ours"), "Paper of ours", 240)


@pytest.mark.parametrize(
    ("said", "name"), [("ISO Coated v2 300% (ECI)", "FOGRA39"), ("PSO Coated v3", "FOGRA51"), ("My paper", "My paper")]
)
def test_a_condition_has_the_name_that_shops_know(tmp_path: Path, said: str, name: str) -> None:
    """Profiles of the same condition are called in many ways."""
    assert condition_of(stored(tmp_path, press_profile(said)), 300).name == name


def test_without_a_name_the_one_of_scribus_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Debian puts it; and where there is none, the person is told where to get one."""
    place = stored(tmp_path, press_profile("ISO Coated v2 300% (basICColor)"))
    monkeypatch.setattr(separate, "PLACES", (tmp_path / "elsewhere.icc", place))
    assert condition_of(None, 300).name == "FOGRA39"

    monkeypatch.setattr(separate, "PLACES", (tmp_path / "elsewhere.icc",))
    with pytest.raises(Fault) as refused:
        condition_of(None, 300)
    assert "scribus-data" in refused.value.hint and "--profile" in refused.value.hint


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no ICC profile"),
        (b"PK\x03\x04" + bytes(4000), "no ICC profile"),
        (ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes(), "a screen, in RGB"),
        (press_profile(space=b"RGB "), "a press, in RGB"),
        (press_profile(kind=b"scnr"), "a scanner or camera, in CMYK"),
        (press_profile().replace(b"B2A0", b"xxxx"), "only tells how inks look"),
    ],
    ids=["empty", "a zip", "a screen", "a press of three colours", "a scanner", "one way only"],
)
def test_what_is_no_profile_of_a_press_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    """With its name, what it is, and what to do."""
    with pytest.raises(Fault) as refused:
        condition_of(stored(tmp_path, data), 300)

    assert said in refused.value.message and "press.icc" in refused.value.message
    assert "--profile" in refused.value.hint


@pytest.mark.parametrize("name", ["nowhere.icc", "."])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    """One that is not there, and a folder."""
    with pytest.raises(Fault) as refused:
        condition_of(tmp_path / name, 300)

    assert "cannot be read" in refused.value.message
