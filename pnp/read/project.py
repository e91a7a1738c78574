"""Where games and templates are: the project folder around the place a command was given in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from pnp.values.problems import Place, Refused, closest, listed


class NoSuchGame(Refused):
    """The command names a game, or a project, that is not there."""


@dataclass(frozen=True, slots=True)
class Instead:
    """What a game is read with in place of what its files say: to see who would notice, without a change on disk."""

    cells: Mapping[Place, str] = field(default_factory=dict)
    files: Mapping[Path, bytes] = field(default_factory=dict)
    """Of game.toml and rules.toml the whole file, by its path."""


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with ``content/GAME/game.toml`` and, beside it, ``templates/``."""

    root: Path
    instead: Instead = field(default_factory=Instead, compare=False, repr=False)

    @property
    def content(self) -> Path:
        return self.root / "content"

    def games(self) -> list[str]:
        """Names of the games, in alphabetical order; a folder whose name no letters make cannot be asked for."""
        names = sorted(file.parent.name for file in self.content.glob("*/game.toml"))
        return [name for name in names if name.encode("utf-8", "replace").decode() == name]

    def folder(self, game: str) -> Path:
        """The folder of a game named by its folder's name. Raises NoSuchGame."""
        known = self.games()
        if game not in known:
            hint = self._meant(game) or closest(game, known) or f"Games here: {listed(known) or 'none'}."
            raise NoSuchGame(f'there is no game "{game}" in {self.content}', hint)
        return self.content / game

    def _meant(self, game: str) -> str:
        """What is there instead, for a path that was typed, and for a folder whose game.toml is called otherwise."""
        parts = [part for part in re.split(r"[/\\]", game) if part not in ("", ".", "content", "game.toml")]
        if len(parts) == 1 and parts[0] != game and parts[0] in self.games():
            return f"Write only its name: {parts[0]}."
        folder = self.content / game
        try:
            files = sorted(path.name for path in folder.iterdir()) if parts == [game] else []
        except (OSError, ValueError):
            return ""  # no folder, or a name that none can have
        if not files:
            return ""
        near = next((name for name in files if name.lower().startswith("game.") or name.lower().endswith(".toml")), "")
        return f'"{near}" in {self.shown(folder)} must be called game.toml.' if near else "That folder has no game.toml."

    def template_roots(self, game: str) -> tuple[Path, ...]:
        """Folders in which a template is looked for, first find wins: game, project, what pnp ships."""
        ours = self.root / "templates"
        roots = (self.content / game / "templates", ours / game, ours, shipped_templates())
        return tuple(dict.fromkeys(root.resolve() for root in roots if root.is_dir()))

    def shown(self, path: Path) -> str:
        """A path as people read it: from the project folder on."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return path.as_posix()


def shipped_templates() -> Path:
    """The templates that come with pnp: inside a wheel, or the repository's own in an editable install."""
    packaged = Path(str(resources.files("pnp"))) / "_data" / "templates"
    return packaged if packaged.is_dir() else Path(str(resources.files("pnp"))).parent / "templates"


def find_project(start: Path) -> Project:
    """The nearest folder at or above ``start`` that has a ``content`` folder. Raises NoSuchGame."""
    for folder in (start, *start.parents):
        if (folder / "content").is_dir():
            return Project(folder)
    raise NoSuchGame(
        f"there is no content folder in {start} or above it",
        "Go to the folder of your project, or name it with --project.",
    )


def font_folders(game_folder: Path) -> tuple[Path, ...]:
    """Folders with font files that a game may use: its own, then the packages pnp depends on."""
    packages = ("font_source_sans_pro", "font_source_serif_pro", "font_fredoka_one", "font_amatic_sc")
    shipped = [Path(str(resources.files(package))) / "files" for package in packages]
    return tuple(folder for folder in (game_folder / "fonts", *shipped) if folder.is_dir())
