"""Shipped games with something changed: what the checker then says, by rule and by the name of the promise that broke."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from pnp.check.registry import CHECKS
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.values.findings import Subject
from pnp.values.problems import Problem, Problems

ROOT = Path(__file__).resolve().parent.parent

Change = Callable[[str], str]
Edit = tuple[str, Change]
"""A file, and what is done to its text."""


def text(file: str, old: str, new: str) -> Edit:
    """Other words in place of those that stand once in a file."""

    def change(whole: str) -> str:
        assert whole.count(old) == 1, f"{old!r} stands {whole.count(old)} times in {file}"
        return whole.replace(old, new)

    return file, change


def every(file: str, old: str, new: str) -> Edit:
    """Other words wherever they stand in a file."""

    def change(whole: str) -> str:
        assert old in whole
        return whole.replace(old, new)

    return file, change


def said(words: str) -> Edit:
    """Other words of the game: a text more in game.toml."""
    return text("game.toml", "\n[texts]\n", f'\n[texts]\naside = "{words}"\n')


def painted(**colours: str) -> Edit:
    """Other colours in the palette, whatever they are now."""

    def change(whole: str) -> str:
        for name, colour in colours.items():
            whole, times = re.subn(
                rf'^{name.replace("_", "-")} = "#\w+"$', f'{name.replace("_", "-")} = "{colour}"', whole, flags=re.M
            )
            assert times == 1, f"{name} stands {times} times in the palette"
        return whole

    return "game.toml", change


def alike(name: str, other: str) -> Edit:
    """A colour of the palette that is another one but for its last bit."""

    def change(whole: str) -> str:
        (found,) = re.findall(rf'^{other} = "(#[0-9a-f]{{6}})"', whole, re.MULTILINE)
        near = f"{found[:-1]}{int(found[-1], 16) ^ 1:x}"
        changed, count = re.subn(rf'^{name} = "#[0-9a-f]{{6}}"', f'{name} = "{near}"', whole, flags=re.MULTILINE)
        assert count == 1
        return changed

    return "game.toml", change


def squares(file: str, *changes: tuple[int, int, str, str]) -> Edit:
    """Other letters on squares of a map: column and row counted from 0, the letter that stands there, the new one."""

    def change(whole: str) -> str:
        rows = [list(row) for row in whole.splitlines()]
        for column, row, was, letter in changes:
            assert rows[row][column] == was, f"{file}: {rows[row][column]} stands at {column}, {row}"
            rows[row][column] = letter
        return "".join("".join(row) + "\n" for row in rows)

    return file, change


def walled(file: str, letter: str) -> Edit:
    """Land on every square around a field of a map."""

    def change(whole: str) -> str:
        rows = whole.splitlines()
        field = {(x, y) for y, row in enumerate(rows) for x, here in enumerate(row) if here == letter}
        around = {(x + dx, y + dy) for x, y in field for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - field
        return "".join(
            "".join("#" if (x, y) in around else here for x, here in enumerate(row)) + "\n" for y, row in enumerate(rows)
        )

    return file, change


class Copy:
    """A copy of a game in which files are changed and put back."""

    def __init__(self, root: Path, game: str) -> None:
        self.game = game
        self._project = Project(root)
        self._shipped = ROOT / "content" / game
        self._folder = root / "content" / game
        (root / "templates").symlink_to(ROOT / "templates", target_is_directory=True)
        shutil.copytree(self._shipped, self._folder, ignore=shutil.ignore_patterns("art", "fonts"))
        self._known = frozenset(self._look())
        assert not [problem for problem in self._known if problem.severity == "error"]

    def problems(self, *edits: Edit) -> list[Problem]:
        """What is wrong after these changes and was not before; everything stands as before afterwards."""
        return [problem for problem in self._changed(edits) if problem not in self._known]

    def _changed(self, edits: Iterable[Edit]) -> list[Problem]:
        try:
            for file, change in edits:
                path = self._folder / file
                path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
            return self._look()
        finally:
            for file, _ in edits:
                shutil.copyfile(self._shipped / file, self._folder / file)

    def _look(self) -> list[Problem]:
        """What reading and, where it found no error, the checks that need no drawing find."""
        problems = Problems()
        game = read_game(self._project, self.game, problems)
        assert game is not None
        looked = [] if problems.errors else [check.look(Subject(game)) for check in CHECKS.values() if not check.drawn]
        for report in looked:
            problems.extend(report.problems)
        return list(problems)


def named(problems: list[Problem]) -> set[str]:
    """Rules of findings; those of rules.toml by what they promise: ``claim.dice``, ``take.pawns``."""
    return {_name(problem) for problem in problems}


def _name(problem: Problem) -> str:
    found = re.search(r"/rules\.toml:\d+:([\w.-]+)", f"{problem.place} {problem.message}")
    key = found[1] if found else ""
    return key.removeprefix("setup.") if problem.rule in ("claim", "set-up") else problem.rule
