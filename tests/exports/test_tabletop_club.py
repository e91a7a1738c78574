"""``pnp export tabletop-club``: an asset pack whose files say what they must, with every copy and true sizes."""

from __future__ import annotations

import configparser
import io
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from bazaar import bazaar, copies, exported
from PIL import Image

PACK = "The Bazaar- 1-2"
STACKED = ("cards", "tokens/cube", "tokens/cylinder")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bazaar(tmp_path_factory.mktemp("club"))


@pytest.fixture(scope="module")
def files(project: Path) -> dict[str, bytes]:
    return exported(project, "tabletop-club")


def settings(files: dict[str, bytes], name: str) -> dict[str, dict[str, str]]:
    """An INI file as another reader reads it."""
    read = configparser.RawConfigParser(strict=True, delimiters=("=",), comment_prefixes=(";",))
    read.read_string(files[f"{PACK}/{name}"].decode())
    return {section: dict(read[section]) for section in read.sections()}


def picture(files: dict[str, bytes], name: str) -> Image.Image:
    return Image.open(io.BytesIO(files[f"{PACK}/{name}"]))


def test_every_file_is_where_the_pack_keeps_such(files: dict[str, bytes]) -> None:
    """In the folders of the program, each picture or solid with its section, and no other section but that for all."""
    folders = {name.rpartition("/")[0] for name in files if name.startswith(PACK)}
    assert folders == {f"{PACK}/{kind}" for kind in (*STACKED, "boards", "dice/d6", "pieces")}
    for folder in folders:
        inside = {name.rpartition("/")[2] for name in files if name.rpartition("/")[0] == folder}
        solid = {name for name in inside if name.endswith(".obj")}
        own = solid or {name for name in inside if name.endswith(".png")}
        assert set(settings(files, f"{folder.removeprefix(PACK + '/')}/config.cfg")) == {"*", *own}
        for name in solid:
            assert {name.replace(".obj", ".mtl"), name.replace(".obj", ".png")} <= inside


def test_cards_have_their_size_and_their_backs(project: Path, files: dict[str, bytes]) -> None:
    """In cm; each back is a picture beside them that is no card itself."""
    found = settings(files, "cards/config.cfg")
    by_piece = {json.loads(said["piece"]): said for said in found.values() if "piece" in said}
    assert set(by_piece) == set(copies(project, "wares", "notes"))
    assert by_piece["wares/silk"]["scale"] == by_piece["wares/ore"]["scale"] == "Vector2(6.3, 8.8)"
    assert by_piece["notes/post"]["scale"] == "Vector2(6, 4)"
    backs = {piece: json.loads(said["back_face"]) for piece, said in by_piece.items()}
    assert backs["wares/silk"] == backs["wares/con"] != backs["wares/ore"] == backs["wares/Ähre"]
    colours = {"wares/silk": (16, 16, 16), "wares/ore": (240, 240, 0), "notes/post": (255, 255, 255)}
    for piece, colour in colours.items():
        assert found[backs[piece]] == {"ignore": "true"}
        assert picture(files, f"cards/{backs[piece]}").getpixel((4, 4)) == colour


def test_stacks_have_every_copy(project: Path, files: dict[str, bytes]) -> None:
    """Cards with different backs in stacks of their own; what is stacked is named as the program knows it."""
    whole: Counter[str] = Counter()
    for kind in STACKED:
        names = {json.loads(said["name"]): said for said in settings(files, f"{kind}/config.cfg").values() if "name" in said}
        for name, said in settings(files, f"{kind}/stacks.cfg").items():
            items = json.loads(said["items"])
            assert len({names[item]["scale"] for item in items}) == 1, "the program stacks only what is of one size"
            if name.endswith(", all"):
                whole.update(json.loads(names[item]["piece"]) for item in items)
    assert whole == copies(project, "wares", "notes", "coins", "chips", "flat")
    assert "Wares (1), all" in settings(files, "cards/stacks.cfg")


def test_a_set_up_has_stacks_where_it_leaves_no_choice(files: dict[str, bytes]) -> None:
    """Two red coins for each player; of the wares anyone takes some, so that there is no stack of them."""
    stacks = settings(files, "tokens/cylinder/stacks.cfg")
    assert len(json.loads(stacks["2 players, Coins"]["items"])) == 4
    assert len(json.loads(stacks["3 players, Coins"]["items"])) == 6
    assert not any("players" in name for name in settings(files, "cards/stacks.cfg"))


def test_pictures_of_tokens_are_laid_out_as_the_program_wraps_them(files: dict[str, bytes]) -> None:
    """A disc has its top at the lower left and its bottom beside it; a cube its top in the middle of the lower row."""
    disc = picture(files, "tokens/cylinder/coins-red.png").convert("RGB")
    across, down = disc.size
    assert disc.getpixel((across // 4, down * 3 // 4)) == (255, 0, 0)
    assert disc.getpixel((across * 3 // 4, down * 3 // 4)) == (16, 16, 16)
    cube = picture(files, "tokens/cube/chips-blue.png").convert("RGB")
    assert cube.getpixel((cube.width // 2, cube.height * 3 // 4)) == (0, 0, 255)
    assert cube.getpixel((cube.width * 5 // 6, cube.height * 3 // 4)) == (255, 255, 255), "it has nothing on its back"
    assert settings(files, "tokens/cube/config.cfg")["chips-red.png"]["scale"] == "Vector3(2.2, 0.2, 2.2)"


def test_solids_have_their_size_in_cm(files: dict[str, bytes]) -> None:
    """A board of 80 x 80 mm is 8 units long and lies; a post of 16 mm stands."""

    def extent(name: str) -> list[float]:
        points = [line.split()[1:] for line in files[f"{PACK}/{name}"].decode().splitlines() if line.startswith("v ")]
        sides = zip(*[[float(x) for x in point] for point in points], strict=True)
        return [round(max(side) - min(side), 4) for side in sides]

    wide, thick, deep = extent("boards/sea-sea.obj")
    assert (wide, deep) == (8, 8) and thick < 0.5
    wide, high, deep = extent("pieces/post-post.obj")
    assert wide <= 1 and 1.5 < high < 2.5 and deep < 1.5
    assert extent("dice/d6/dice-dice.obj") == [1.6, 1.6, 1.6]


def test_a_die_tells_what_lies_up(files: dict[str, bytes]) -> None:
    """Every value at a turn of its own, about X and Z, and opposite ones half a turn apart."""
    said = settings(files, "dice/d6/config.cfg")["dice-dice.obj"]["face_values"]
    turns = {int(value): (float(x), float(z)) for value, x, z in re.findall(r"(\d): Vector2\(([-\d.]+), ([-\d.]+)\)", said)}
    assert turns == {1: (0, 0), 2: (-90, 0), 3: (0, 90), 4: (0, -90), 5: (90, 0), 6: (0, 180)}
