"""``pnp export sheets``: every face of a game on plain pictures, and an index that says where."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from bazaar import picture
from commands import run
from conftest import TinyProject, files_in
from stage import stage

RED, GREEN, BLUE, NIGHT = (255, 0, 0), (0, 192, 0), (0, 0, 255), (64, 64, 64)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> TinyProject:
    """The stage, exported as sheets of two columns."""
    game = stage(tmp_path_factory.mktemp("sheets"))
    left = run("export", "sheets", "tiny", "--grid", "2x7", "--width", "120", at=game.project.root)
    assert left.code == 0, left.err
    return game


def folder(game: TinyProject) -> Path:
    return game.project.root / "output" / "tiny" / "export" / "sheets"


def rows(game: TinyProject) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((folder(game) / "index.csv").read_text(encoding="utf-8"), newline="")))


def colour(game: TinyProject, row: dict[str, str]) -> tuple[int, ...]:
    """What is in the middle of a face where the index says it is."""
    sheet = picture(folder(game) / row["sheet"]).convert("RGB")
    middle = int(row["x"]) + int(row["width"]) // 2, int(row["y"]) + int(row["height"]) // 2
    pixel = sheet.getpixel(middle)
    assert isinstance(pixel, tuple)
    return pixel


def test_every_face_is_where_the_index_says(made: TinyProject) -> None:
    """The middles of the discs and of the card have the colours that their tables say; the discs' back is there once."""
    found = {(row["component"], row["id"], row["side"]): row for row in rows(made)}

    assert colour(made, found["discs", "red", "front"]) == RED
    assert colour(made, found["discs", "green", "front"]) == GREEN
    assert colour(made, found["cards", "crown", "front"]) == BLUE
    assert colour(made, found["discs", "", "back"]) == NIGHT
    assert found["discs", "green", "front"]["copies"] == "4"


def test_the_index_names_every_piece_of_every_table_with_its_copies(made: TinyProject) -> None:
    """Pieces and copies are those of the tables, read here as CSV; a component without a table is one piece."""
    told: dict[str, dict[str, str]] = {}
    for row in rows(made):
        if row["id"] and row["side"] == "front":
            told.setdefault(row["component"], {})[row["id"]] = row["copies"]
    discs = list(csv.DictReader((made.game / "discs.csv").read_text().splitlines()))
    tiles = list(csv.DictReader((made.game / "tiles.csv").read_text().splitlines()))

    assert told["discs"] == {row["id"]: row["copies"] for row in discs}
    assert told["tiles"] == {row["id"]: "1" for row in tiles}
    assert sum(map(int, told["bones"].values())) == 6  # a set up to 2: 3 × 4 / 2
    assert set(told) == {"sea", "moor", "discs", "crown", "post", "cards", "tiles", "bones", "track"}


def test_no_face_lies_on_another_or_beside_its_sheet(made: TinyProject) -> None:
    """Boxes of one sheet are apart, within it, and of the columns and rows that the index names."""
    by_sheet: dict[str, list[dict[str, str]]] = {}
    for row in rows(made):
        by_sheet.setdefault(row["sheet"], []).append(row)
    for name, entries in by_sheet.items():
        width, height = picture(folder(made) / name).size
        places = {(int(row["x"]), int(row["y"])) for row in entries}
        assert len(places) == len(entries)
        for row in entries:
            assert int(row["x"]) == (int(row["column"]) - 1) * int(row["width"]) and int(row["column"]) <= 2
            assert int(row["y"]) == (int(row["row"]) - 1) * int(row["height"])
            assert int(row["x"]) + int(row["width"]) <= width and int(row["y"]) + int(row["height"]) <= height


def test_what_lies_beside_a_round_piece_is_transparent(made: TinyProject) -> None:
    """The corner of a disc's box lets through what is below it, its middle does not."""
    row = next(row for row in rows(made) if row["component"] == "discs" and row["id"] == "red")
    sheet = picture(folder(made) / row["sheet"])
    corner = sheet.getpixel((int(row["x"]) + 1, int(row["y"]) + 1))
    middle = sheet.getpixel((int(row["x"]) + 60, int(row["y"]) + 60))

    assert isinstance(corner, tuple) and isinstance(middle, tuple)
    assert (corner[3], middle[3]) == (0, 255)


def test_a_sheet_that_is_not_made_any_more_is_taken_away(tmp_path: Path) -> None:
    """Without a component its sheets go, and what a person has put beside them stays."""
    game = stage(tmp_path)
    assert run("export", "sheets", "tiny", at=tmp_path).code == 0
    (folder(game) / "mine.txt").write_text("mine")
    text = (game.game / "game.toml").read_text()
    begin, end = text.index("[component.post]"), text.index("[component.cards]")
    game.write("content/tiny/game.toml", text[:begin] + text[end:])

    assert run("export", "sheets", "tiny", at=tmp_path).code == 0

    names = set(files_in(folder(game)))
    assert "post-1.png" not in names and {"mine.txt", "discs-1.png"} <= names


@pytest.mark.parametrize("grid", ["0x3", "10", "10x", "101x2", "axb", "-1x2"])
def test_a_grid_that_is_none_is_refused(tmp_path: Path, grid: str) -> None:
    """Columns and rows are whole numbers from 1 to 100."""
    stage(tmp_path)

    left = run("export", "sheets", "tiny", f"--grid={grid}", at=tmp_path)

    assert left.code == 2 and "10x7" in left.err


def test_a_game_with_a_fault_is_not_exported(tmp_path: Path) -> None:
    """What stops a build stops an export, in the same words."""
    game = stage(tmp_path)
    game.write("content/tiny/discs.csv", "id,fill,copies\nred,#ff0000,two\n")

    left = run("export", "sheets", "tiny", at=tmp_path)

    assert left.code == 1 and "discs.csv:2:copies" in left.err
    assert not (tmp_path / "output").exists()
