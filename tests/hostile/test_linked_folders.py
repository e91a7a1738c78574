"""No folder and no table of a game is followed out of its project: a pack may come from anybody."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import TinyProject


@pytest.mark.parametrize(
    "folder",
    ["templates", *(f"{home}/tiny" for home in ("templates", "content"))]
    + [f"content/tiny/{name}" for name in ("templates", "art", "fonts", "languages")],
)
def test_a_linked_folder_is_told_and_not_read(
    tiny: TinyProject, tmp_path_factory: pytest.TempPathFactory, folder: str
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "front.svg.j2").write_text("<text>secret</text>", encoding="utf-8")
    (elsewhere / "game.toml").write_text("[game]\nname = 'Secret'\n", encoding="utf-8")
    link = tiny.project.root / folder
    if link.exists():
        link.rename(link.with_name("moved"))
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(elsewhere, target_is_directory=True)

    result = tiny.build()

    (problem,) = [each for each in result.problems if each.rule == "linked-folder"]
    assert (problem.place.file, problem.value) == (folder, str(elsewhere))
    assert not result.ok


def test_a_link_within_the_project_is_followed(tiny: TinyProject) -> None:
    shared = tiny.project.root / "fonts"
    shared.mkdir()
    (tiny.game / "fonts").symlink_to(shared, target_is_directory=True)

    assert tiny.build().ok


def test_a_linked_table_is_told_as_one(tiny: TinyProject, tmp_path: Path) -> None:
    (tiny.game / "cards.csv").rename(tmp_path / "cards.csv")
    (tiny.game / "cards.csv").symlink_to(tmp_path / "cards.csv")

    (problem,) = [each for each in tiny.build().problems.errors if each.rule == "linked-table"]
    assert problem.value == "cards.csv" and "link" in problem.message
