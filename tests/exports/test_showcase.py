"""``pnp export showcase``: pictures of a game's own pieces on a table, all of them whole and seen."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from bazaar import bazaar, exported
from PIL import Image

# Three wares, as the tables of the bazaar say.
SILK, ÄHRE, ORE = (255, 0, 0), (0, 0, 255), (255, 0, 255)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bazaar(tmp_path_factory.mktemp("showcase"))


def shown(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def share(picture: Image.Image, colour: tuple[int, int, int]) -> float:
    """The part of a picture in exactly this colour."""
    count = {code: count for count, code in picture.getcolors(picture.width * picture.height) or []}
    return count.get(colour, 0) / picture.width / picture.height


def test_all_of_a_game_and_each_deck_alone(root: Path) -> None:
    """1600 dots wide, with designs of the cards and their back; nothing reaches over the edge."""
    files = exported(root, "showcase")
    pictures = {name: shown(data) for name, data in files.items() if name.endswith(".png")}

    assert {*pictures} == {"tiny.png", "wares.png"}  # the notes are of one design
    for picture in pictures.values():
        assert picture.width == 1600 and 400 < picture.height < 1300
        assert min(share(picture, colour) for colour in (SILK, ÄHRE, ORE)) > 0.003
        rims = [picture.crop(box) for box in ((0, 0, 1600, 6), (0, 0, 6, picture.height), (1594, 0, 1600, picture.height))]
        assert all(max(rim.convert("HSV").getchannel("S").getextrema()) < 160 for rim in rims)
