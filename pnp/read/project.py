"""Finds games, templates and fonts: the project folder around where a command was given."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import field
from importlib import resources
from pathlib import Path
from typing import Any

from pnp.dataclass import dataclass
from pnp.system.paths import within
from pnp.values.problems import Fault, Place, Problems, closest, listed


class NoSuchGame(Fault):
    """A game or project that is not there."""


@dataclass(frozen=True, slots=True)
class Instead:
    """Replacements for what a game's files say: tests changes without writing them."""

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
        """Names of the games, sorted; without folders whose names cannot be typed."""
        names = sorted(file.parent.name for file in self.content.glob("*/game.toml"))
        return [name for name in names if name.encode("utf-8", "replace").decode() == name]

    def folder(self, game: str) -> Path:
        """The folder of a game. Raises NoSuchGame."""
        known = self.games()
        if game not in known:
            hint = self._meant(game) or closest(game, known) or f"Games here: {listed(known) or 'none'}."
            raise NoSuchGame(f'there is no game "{game}" in {self.content}', hint=hint)
        return self.content / game

    def _meant(self, game: str) -> str:
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
        """The template folders, first match wins: game, project, pnp's own."""
        roots = (*self._own_templates(game), shipped_templates())
        return tuple(dict.fromkeys(root.resolve() for root in roots if self.holds(root) and root.is_dir()))

    def _own_templates(self, game: str) -> tuple[Path, ...]:
        ours = self.root / "templates"
        return self.content / game / "templates", ours / game, ours

    def led_out(self, game: str) -> list[Path]:
        """Which of a game's folders, itself included, are links out of the project; such a game is not read."""
        folders = *self._own_templates(game), *(self.content / game / name for name in ("", "art", "languages"))
        links = [folder for folder in folders if folder.is_symlink() and not self.holds(folder)]
        return [*links, *self.led_out_of(self.content / game / "fonts")]

    def led_out_of(self, fonts: Path) -> list[Path]:
        """The same of a folder of fonts, and of all in it: Typst follows whatever is there."""
        if fonts.is_symlink() and not self.holds(fonts):
            return [fonts]
        return [path for path in sorted(fonts.rglob("*")) if path.is_symlink() and not self.holds(path)]

    def holds(self, folder: Path) -> bool:
        """Whether a folder, links resolved, lies in the project, or is of the templates that come with pnp."""
        try:
            return any(within(home, folder) for home in (self.root, shipped_templates()))
        except (OSError, RuntimeError):
            return False  # a link to itself

    def shown(self, path: Path) -> str:
        """A path from the project folder on."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return path.as_posix()


def shipped_templates() -> Path:
    """The templates that come with pnp: in a wheel, or the repository's in an editable install."""
    packaged = Path(str(resources.files("pnp"))) / "_data" / "templates"
    return packaged if packaged.is_dir() else Path(str(resources.files("pnp"))).parent / "templates"


def shipped_games() -> Project:
    """The games that come with pnp, as a project."""
    return Project(shipped_templates().parent)


def find_project(start: Path) -> Project:
    """The nearest folder at or above ``start`` that has a ``content`` folder. Raises NoSuchGame."""
    for folder in (start, *start.parents):
        if (folder / "content").is_dir():
            return Project(folder)
    hint = "Go to the folder of your project, or name it with --project."
    raise NoSuchGame(f"there is no content folder in {start} or above it", hint=hint)


def font_folders(game_folder: Path) -> tuple[Path, ...]:
    """Font folders of a game: its own, then those of packages that pnp depends on."""
    packages = ("font_source_sans_pro", "font_source_serif_pro", "font_fredoka_one", "font_amatic_sc")
    shipped = [Path(str(resources.files(package))) / "files" for package in packages]
    own = game_folder / "fonts"
    project = Project(game_folder.parent.parent)
    owned = [own] if project.holds(own) and not project.led_out_of(own) else []
    return tuple(folder for folder in (*owned, *shipped) if folder.is_dir())


def component_names(folder: Path) -> list[str]:
    """The components of a game, in the order written; empty for an unreadable game.toml."""
    components = _said(_text(folder)).get("component")
    return list(components) if isinstance(components, dict) else []


def title_of(folder: Path) -> str:
    """What a game is called; its folder's name for an unreadable game.toml."""
    return title_in(_text(folder)) or folder.name


def title_in(toml: str) -> str:
    """What a game.toml says that the game is called; empty where it does not."""
    game = _said(toml).get("game")
    name = game.get("name") if isinstance(game, dict) else None
    return name if isinstance(name, str) else ""


def _text(folder: Path) -> str:
    try:
        file = folder / "game.toml"
        ours = Project(folder.parent.parent).holds(folder) and file.is_file()
        return file.read_text(encoding="utf-8") if ours else ""
    except (OSError, UnicodeDecodeError):
        return ""


def _said(toml: str) -> dict[str, Any]:
    try:
        return tomllib.loads(toml)
    except (ValueError, RecursionError):
        return {}


def bytes_of(path: Path, shown: str, most: int, problems: Problems, rule: str) -> bytes | None:
    """The content of a file; None, with a Problem, for one that cannot be read or has more than so many bytes."""
    try:
        if path.stat().st_size <= most:
            return path.read_bytes()
        problems.error(rule, Place(shown), f"it is larger than {most // 1_000_000} MB")
    except OSError as error:
        problems.unreadable = True
        problems.error(rule, Place(shown), f"it cannot be read ({error.strerror})")
    return None
