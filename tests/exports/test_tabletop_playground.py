"""``pnp export tabletop-playground``: templates that keep the published rules, with every copy and true sizes."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bazaar import bazaar, copies, exported
from PIL import Image

PACKAGE = "The Bazaar- 1-2"
# The rules of the published schema, as far as these templates use them: what each kind must say, and of what it is.
ALWAYS = {"CollisionType", "GUID", "Metadata", "Models", "Name", "SurfaceType", "Tags", "Type"}
NEEDED = {
    "Card": ALWAYS | {"BackIndex", "CardMetadata", "CardNames", "CardTags", "FrontTexture", "HiddenIndex", "Indices"},
    "Dice": ALWAYS | {"Faces"},
    "Generic": ALWAYS,
}
ONE_OF = {
    "CollisionType": {"Ground", "Penetrable", "Regular", "Static"},
    "SurfaceType": {"Cardboard", "Cloth", "Glass", "Metal", "Plastic", "Silent", "Wood"},
}
BOUNDS = {
    "NumHorizontal": (1, 128), "NumVertical": (1, 128), "Width": (0.1, 1000), "Height": (0.1, 1000),
    "Thickness": (0.01, 10), "BackIndex": (-3, 16383), "HiddenIndex": (-3, 16383), "Density": (0, 1),
    "Friction": (0, 1), "Restitution": (0, 1), "Roughness": (0, 1), "Metallic": (0, 1),
}  # fmt: skip

Template = dict[str, Any]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bazaar(tmp_path_factory.mktemp("playground"))


@pytest.fixture(scope="module")
def files(project: Path) -> dict[str, bytes]:
    return exported(project, "tabletop-playground")


@pytest.fixture(scope="module")
def templates(files: dict[str, bytes]) -> dict[str, Template]:
    """By name."""
    found = [json.loads(data) for name, data in files.items() if name.startswith(f"{PACKAGE}/Templates/")]
    assert len({template["Name"] for template in found}) == len(found)
    return {template["Name"]: template for template in found}


def wrong(template: Template, files: dict[str, bytes]) -> list[str]:
    """What is against the rules."""
    found = [f"{key} is missing" for key in NEEDED[template["Type"]] - set(template)]
    found += [f"{key} {template[key]}" for key, allowed in ONE_OF.items() if template[key] not in allowed]
    found += [f"{key} {template[key]}" for key, (low, high) in BOUNDS.items() if not low <= template.get(key, low) <= high]
    found += ["GUID"] if not re.fullmatch("[0-9A-F]{32}", template["GUID"]) else []
    # The schema counts colours up to 1, the program writes them up to 255: none is said, so that none is wrong.
    found += [key for key in template if key.endswith("Color")]
    textures = [template[key] for key in ("FrontTexture", "BackTexture") if key in template]
    if template["Type"] == "Card":
        cells = template["NumHorizontal"] * template["NumVertical"]
        found += ["Indices"] if not template["Indices"] or not all(0 <= at < cells for at in template["Indices"]) else []
        said = {str(at) for at in template["Indices"]}
        found += [key for key in ("CardNames", "CardMetadata") if set(template[key]) != said]
        if template["Model"] not in ("Hexagonal", "Round", "Rounded", "Square"):
            textures.append(template["Model"])
    else:
        found += ["Models"] if not template["Models"] else []
    for model in template["Models"]:
        found += [key for key in ("Model", "Offset", "Rotation", "Roughness", "Scale", "UseOverrides") if key not in model]
        textures.append(model["Texture"])
        found += [model["Model"]] if f"{PACKAGE}/Models/{model['Model']}" not in files else []
    for face in template.get("Faces", ()):
        found += ["Faces"] if not face["Name"] or not any(face[axis] for axis in "XYZ") else []
    for snap in template["SnapPoints"]:
        keys = ("FlipValidity", "Position", "Range", "RotationOffset", "Shape", "SnapRotation")
        found += [key for key in keys if key not in snap] + (["Range"] if snap["Range"] < 0.1 else [])
    return found + [name for name in textures if f"{PACKAGE}/Textures/{name}" not in files]


def picture(files: dict[str, bytes], name: str) -> Image.Image:
    return Image.open(io.BytesIO(files[f"{PACKAGE}/Textures/{name}"])).convert("RGB")


def seen(files: dict[str, bytes], template: Template, index: int, texture: str = "FrontTexture") -> tuple[int, ...]:
    """The colour in the middle of a cell of its sheet."""
    sheet = picture(files, template[texture])
    wide, high = sheet.width / template["NumHorizontal"], sheet.height / template["NumVertical"]
    at = (int((index % template["NumHorizontal"] + 0.5) * wide), int((index // template["NumHorizontal"] + 0.5) * high))
    colour = sheet.getpixel(at)
    assert isinstance(colour, tuple)
    return colour


def test_templates_keep_the_published_rules(files: dict[str, bytes], templates: dict[str, Template]) -> None:
    """What must be said is, within its bounds, and every picture and solid named is in the package."""
    assert {name: found for name, template in templates.items() if (found := wrong(template, files))} == {}
    named = {f"{PACKAGE}/Templates/{template['GUID']}.json" for template in templates.values()}
    assert named == {name for name in files if "/Templates/" in name}, "files are called by their GUID"
    manifest = json.loads(files[f"{PACKAGE}/manifest.json"])
    assert manifest["Name"] == "The Bazaar: 1/2 3" and manifest["Version"] == "3"
    assert re.fullmatch("[0-9A-F]{32}", manifest["GUID"])


def test_stacks_have_every_copy(project: Path, templates: dict[str, Template]) -> None:
    """An index for each copy; cards of different backs in stacks of their own."""
    stacks = [template for name, template in templates.items() if template["Type"] == "Card" and "players" not in name]
    whole = Counter(stack["CardMetadata"][str(at)] for stack in stacks for at in stack["Indices"])
    assert whole == copies(project, "wares", "notes", "coins", "chips", "flat", "tiles", "sea")
    assert set(templates) >= {"Wares (1)", "Wares (2)", "2 players, Coins", "3 players, Coins"}
    assert len(templates["3 players, Coins"]["Indices"]) == 6 and "2 players, Wares (1)" not in templates


def test_each_cell_shows_its_piece(files: dict[str, bytes], templates: dict[str, Template]) -> None:
    """The front of its row; a back of all alone in a picture, others in a sheet like the front."""
    wares, coins = templates["Wares (1)"], templates["Coins"]
    colours = {wares["CardMetadata"][at]: seen(files, wares, int(at)) for at in wares["CardMetadata"]}
    assert colours == {"wares/silk": (255, 0, 0), "wares/con": (0, 192, 0)}
    assert wares["BackIndex"] == -2 and picture(files, wares["BackTexture"]).getpixel((9, 9)) == (16, 16, 16)
    assert coins["BackIndex"] == -3
    backs = {coins["CardMetadata"][at]: seen(files, coins, int(at), "BackTexture") for at in coins["CardMetadata"]}
    assert backs == {"coins/red": (16, 16, 16), "coins/blue": (240, 240, 0)}
    chips = templates["Chips"]
    assert chips["BackIndex"] == -2 and picture(files, chips["BackTexture"]).getpixel((0, 0)) == (255, 255, 255)


def test_sizes_and_shapes_are_true(files: dict[str, bytes], templates: dict[str, Template]) -> None:
    """In cm; discs are round, tiles have a picture of their shape that covers what their two hexes cover."""
    assert [templates["Wares (1)"][key] for key in ("Width", "Height", "Model")] == [6.3, 8.8, "Rounded"]
    assert [templates["Coins"][key] for key in ("Width", "Height", "Model")] == [2, 2, "Round"]
    assert templates["Chips"]["Model"] == "Square"
    tiles = templates["Tiles"]
    shape = Image.open(io.BytesIO(files[f"{PACKAGE}/Textures/{tiles['Model']}"])).getchannel("A")
    share = sum(shape.histogram()[128:]) / (shape.width * shape.height)
    hexes = 2 * 20**2 * 3**0.5 / 2  # two hexes, 20 mm from flat to flat
    assert share == pytest.approx(hexes / (tiles["Width"] * tiles["Height"] * 100), rel=0.03)


def test_a_board_has_its_places(templates: dict[str, Template]) -> None:
    """Each field of the map of four by four squares of 20 mm: X runs up the board, Y to the right, from its middle."""
    sea = templates["Sea"]
    assert (sea["Width"], sea["Height"], sea["CollisionType"], sea["CanStack"]) == (8, 8, "Ground", False)
    places = {(round(snap["Position"]["X"], 2), round(snap["Position"]["Y"], 2)) for snap in sea["SnapPoints"]}
    # The wells: third square of the second row, and fourth of the third.
    assert {(1.0, 1.0), (-1.0, 3.0)} <= places
    assert all(abs(x) < 4 and abs(y) < 4 for x, y in places)


def test_figures_and_dice_are_solids(project: Path, templates: dict[str, Template]) -> None:
    """With what they are and how many in their metadata; a die has a direction for each value."""
    said = {name: json.loads(templates[name]["Metadata"]) for name in ("Post", "Dice")}
    assert {held["piece"]: held["copies"] for held in said.values()} == copies(project, "post", "dice")
    faces = {face["Name"]: (face["X"], face["Y"], face["Z"]) for face in templates["Dice"]["Faces"]}
    assert set(faces) == set("123456") and faces["1"] == (0, 0, 1) and faces["6"] == (0, 0, -1)
    assert all(tuple(-axis for axis in faces[str(value)]) == faces[str(7 - value)] for value in range(1, 7))


def test_a_large_deck_stays_one_stack(tmp_path: Path) -> None:
    """Its pictures become smaller, so that all go into one sheet of 4096 dots; only then has it two."""
    rows = "".join(f"w{n},W {n},#ff0000,#101010,1\n" for n in range(60))
    bazaar(tmp_path, {"content/tiny/wares.csv": "id,name,fill,rear,copies\n" + rows})
    files = exported(tmp_path, "tabletop-playground")
    stacks = [json.loads(data) for name, data in files.items() if "/Templates/" in name]
    (wares,) = [stack for stack in stacks if stack["Name"].startswith("Wares")]
    sheet = picture(files, wares["FrontTexture"])
    assert len(wares["Indices"]) == 60 and max(sheet.size) <= 4096
    assert sheet.width / wares["NumHorizontal"] > 300
