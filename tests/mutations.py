"""Shipped games with something changed: what the checker then says, by rule and by the name of the promise that broke."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from pnp.check.registry import CHECKS
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.values.findings import Report, Shown, Subject
from pnp.values.problems import Problem, Problems

ROOT = Path(__file__).resolve().parent.parent

Change = Callable[[str], str]
Edit = tuple[str, Change]
"""A file, and what is done to its text."""

# What tells of a promise that is broken, for those whose findings do not name it.
TOLD_AS = {
    "words.terms": "banned-word",
    "words.banned": "banned-word",
    "words.unit": "bare-number",
    "words.thousands": "thousands-mark",
    "words.counts": "typed-number",
    "economy": "never-earned",
    "exchange": "never-cashed",
    "colours": "alike-colours",
    "shuffle": "cut-off",
}


@dataclass(frozen=True)
class Mutation:
    """What is changed, and all that must be found then: rules, with the promise's name where there is one."""

    found: frozenset[str]
    edits: tuple[Edit, ...]


def mutation(found: str, *edits: Edit) -> Mutation:
    """A mutation; ``found`` are the names of what it breaks, parted by spaces."""
    return Mutation(frozenset(found.split()), edits)


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


def row_twice(file: str, number: int) -> Edit:
    """A row of a map once more beneath itself."""

    def change(whole: str) -> str:
        rows = whole.splitlines()
        return "".join(f"{row}\n" for row in [*rows[: number + 1], *rows[number:]])

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
        self._known = frozenset(self._look()[0])
        assert not [problem for problem in self._known if problem.severity == "error"]

    def problems(self, *edits: Edit) -> list[Problem]:
        """What is wrong after these changes and was not before; everything stands as before afterwards."""
        return [problem for problem in self._changed(edits)[0] if problem not in self._known]

    def shown(self, *edits: Edit) -> list[Shown]:
        """What the checks show after these changes."""
        return [one for report in self._changed(edits)[1] for one in report.shown]

    def _changed(self, edits: Iterable[Edit]) -> tuple[list[Problem], list[Report]]:
        try:
            for file, change in edits:
                path = self._folder / file
                path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
            return self._look()
        finally:
            for file, _ in edits:
                shutil.copyfile(self._shipped / file, self._folder / file)

    def _look(self) -> tuple[list[Problem], list[Report]]:
        """What reading and, where it found no error, the checks that need no drawing find."""
        problems = Problems()
        game = read_game(self._project, self.game, problems)
        assert game is not None
        looked = [] if problems.errors else [check.look(Subject(game)) for check in CHECKS.values() if not check.drawn]
        for report in looked:
            problems.extend(report.problems)
        return list(problems), looked


def named(problems: list[Problem]) -> set[str]:
    """Rules of findings; those of rules.toml by what they promise: ``claim.dice``, ``take.pawns``."""
    return {_name(problem) for problem in problems}


def _name(problem: Problem) -> str:
    broken = problem.promise.rpartition(":")[2]
    if problem.rule == "claim":
        return broken
    if problem.rule == "set-up":
        return broken.removeprefix("setup.")
    return problem.rule


def told_as(promise: str) -> str:
    """How a broken promise is named among findings."""
    if promise.startswith("movement."):
        return promise.rpartition(".")[2]
    return next((name for start, name in TOLD_AS.items() if promise.startswith(start)), promise)


def promises(game: str) -> set[str]:
    """Everything that a game's rules.toml promises and that a check without drawing can find broken."""
    rules = tomllib.loads((ROOT / "content" / game / "rules.toml").read_text(encoding="utf-8"))
    words = rules.get("words", {})
    found = {f"claim.{name}" for name in rules.get("claim", {})}
    found |= {f"take.{name}" for name in rules.get("setup", {}).get("take", {})}
    found |= {f"words.{key}" for key in ("terms", "unit", "thousands") if key in words}
    found |= {f"words.{key}.{name}" for key in ("banned", "counts") for name in words.get(key, {})}
    found |= {f"economy.{name}" for name in rules.get("economy", {}).get("earn", [])}
    found |= {f"exchange.{index}" for index, _ in enumerate(rules.get("exchange", []))}
    found |= {f"colours.{colours['table']}" for colours in rules.get("colours", [])}
    found |= {f"shuffle.{layout}" for layout in rules.get("shuffle", {})}
    for board, movement in rules.get("movement", {}).items():
        looked = {"unreachable": True, "trap": True, "unfair-starts": "tolerance" in movement}
        looked["wrap-nowhere"] = "wraps" in movement
        found |= {f"movement.{board}.{rule}" for rule, wanted in looked.items() if wanted}
    return found
