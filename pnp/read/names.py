"""What a game's components are called, read without a word: for the shell, which completes names while one types."""

from __future__ import annotations

import tomllib
from pathlib import Path


def component_names(folder: Path) -> list[str]:
    """The components of the game in a folder, in the order written; none when its game.toml says nothing yet."""
    try:
        file = folder / "game.toml"
        data = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return []
    components = data.get("component")
    return list(components) if isinstance(components, dict) else []
