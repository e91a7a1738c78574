"""One change at a time in the games of this project: does ``pnp check`` find it, and where?

    python tests/measure/changes.py [--seed N] [--game GAME] [--only KIND] [--list] [--jobs 2]

200 changes by each of which a player or a printer would be misled (kinds.py), and 40 edits that change nothing for either
(harmless.py). All are made of what the games say now, by chance from a seed, so that the same seed makes the same changes of
the same games, and another one fresh ones. Each is made in a copy of the project, and the whole check is run: first without
drawing, then, where that finds nothing, with it. Found is what brings an error or a warning that the unchanged game has not.

What is told: how many were found by kind and by game, and whether at the changed row or line; the misses, each with its
reason (missed.py) or without; false alarms. The exit code is 1 below 95 %, at a miss without a reason, at a false alarm, and
where pnp itself failed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from harmless import HARMLESS
from kinds import KINDS
from making import Change, Kind
from missed import MISSES
from sources import ROOT, Source

from pnp.flows.check import check_game
from pnp.read.project import Project
from pnp.system.cache import Cache
from pnp.values.problems import Problem

REAL, SILENT = 200, 40
ENOUGH = 0.95
PLACES = ("row", "named", "file", "elsewhere")
"""Where a change is found: at its row or line; told elsewhere with the row's number; in its file; in another one."""

Told = frozenset[tuple[str, str, str]]


@dataclass(frozen=True)
class Verdict:
    """What came of a change."""

    found: tuple[Problem, ...]
    drawn: bool
    """Only the check with drawing found it."""
    place: str = ""
    fault: str = ""
    """Of pnp itself."""


def games() -> list[str]:
    """Those of this project."""
    return Project(ROOT).games()


@cache
def source_of(game: str) -> Source:
    """Its files, read once."""
    return Source(game)


def chosen(kinds: dict[str, Kind], names: Sequence[str], most: int, seed: int) -> list[Change]:
    """Changes, about as many of each kind, and of each kind about as many of each game."""
    sources = {name: source_of(name) for name in names}
    left: dict[tuple[str, str], list[Change]] = {}
    for kind, make in kinds.items():
        for name, source in sources.items():
            chance = Random(f"{seed} {kind} {name}")
            made = list(
                {(each.edits[0].file, each.edits[0].start, each.now): each for each in make(source, chance)}.values()
            )
            real = [each for each in made if each.was != each.now]
            left[kind, name] = chance.sample(real, min(most, len(real)))
    found: list[Change] = []
    turn = 0
    while len(found) < most and any(left.values()):
        for at, kind in enumerate(kinds):
            # A kind that a game has none of goes to the next game.
            order = [names[(turn + at + step) % len(names)] for step in range(len(names))]
            pool = next((left[kind, name] for name in order if left[kind, name]), None)
            if pool and len(found) < most:
                found.append(pool.pop())
        turn += 1
    return found


class Bench:
    """A copy of the project in which one game is changed and put back."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "templates").mkdir()
        for name in ("shared", "new"):
            (root / "templates" / name).symlink_to(ROOT / "templates" / name, target_is_directory=True)
        for name in games():
            # A changed text makes its translations stale, whatever it says.
            shutil.copytree(ROOT / "content" / name, root / "content" / name, ignore=shutil.ignore_patterns("languages"))
            shutil.copytree(ROOT / "templates" / name, root / "templates" / name)
        self._project = Project(root)
        self._cache = Cache(root / "cache")
        self._known: dict[tuple[str, bool], Told] = {}

    def look(self, change: Change, harmless: bool) -> Verdict:
        """Check the game with the change; a harmless one also with drawing, whatever was found."""
        texts = {edit.file: (ROOT / edit.file).read_text(encoding="utf-8") for edit in change.edits}
        drawn = False
        found: list[Problem] = []
        try:
            for drawn in (False, True):
                known = self._told(change.game, drawn)
                for file, text in changed(change, texts).items():
                    (self.root / file).write_text(text, encoding="utf-8")
                found = [each for each in self._check(change.game, drawn) if _key(each) not in known]
                self._restore(texts)
                if found:
                    break
            return Verdict(tuple(found), drawn and bool(found), "" if harmless else place(change, texts, found))
        except Exception:
            return Verdict((), drawn, fault=traceback.format_exc(limit=-3))
        finally:
            self._restore(texts)

    def _restore(self, texts: dict[str, str]) -> None:
        for file, text in texts.items():
            (self.root / file).write_text(text, encoding="utf-8")

    def _told(self, game: str, drawn: bool) -> Told:
        if (game, drawn) not in self._known:
            self._known[game, drawn] = frozenset(map(_key, self._check(game, drawn)))
        return self._known[game, drawn]

    def _check(self, game: str, drawn: bool) -> Iterable[Problem]:
        return check_game(self._project, game, lambda _: None, draw=drawn, cache=self._cache).problems


def _key(problem: Problem) -> tuple[str, str, str]:
    # Without the row: a row more above it makes no other finding of it.
    return problem.rule, problem.place.file, problem.message


def changed(change: Change, texts: dict[str, str]) -> dict[str, str]:
    """The files as they read then."""
    made = dict(texts)
    for edit in sorted(change.edits, key=lambda each: each.start, reverse=True):
        text = made[edit.file]
        made[edit.file] = text[: edit.start] + edit.now + text[edit.end :]
    return made


def place(change: Change, texts: dict[str, str], found: Iterable[Problem]) -> str:
    """Where the best placed finding stands."""
    rows: dict[str, set[int]] = {}
    for edit in change.edits:
        text = texts[edit.file]
        at = text.count("\n", 0, edit.start) + 1
        rows.setdefault(edit.file, set()).update(
            range(at, at + edit.now.count("\n") + 2 if change.kind == "row-doubled" else at + 1)
        )
        if edit.file.endswith(".csv"):  # a row of several lines is told as a spreadsheet counts
            rows[edit.file] |= {at - sum(row.count("\n") for row in re.findall(r'"[^"]*"', text[: edit.start]))}
        if edit.file.endswith(".toml"):  # what is wrong with a promise is told at its head
            heads = [head for head in re.finditer(r"^\[.*", text, re.MULTILINE) if head.start() <= edit.start]
            keys = [key for key in re.finditer(r"^[\w\"-][^\n=]*=", text, re.MULTILINE) if key.start() <= edit.start]
            rows[edit.file] |= {text.count("\n", 0, each[-1].start()) + 1 for each in (heads, keys) if each}
    best = "elsewhere"
    for problem in found:
        here = rows.get(problem.place.file, set())
        says = f"{problem.message} {problem.hint}"
        names = [rf"\brows? (?:\d+, )*{row}\b|{re.escape(file)}:{row}\b" for file in rows for row in rows[file]]
        named = any(re.search(name, says) for name in names)
        if problem.place.row in here or (here and change.kind == "row-deleted"):
            got = "row"
        else:
            got = "named" if named else "file" if here else "elsewhere"
        best = min(best, got, key=PLACES.index)
    return best if found else ""


@cache
def bench(folder: Path) -> Bench:
    """This process's own."""
    root = folder / str(os.getpid())
    root.mkdir()
    return Bench(root)


def try_one(order: tuple[Path, Change, bool]) -> Verdict:
    """In whichever process."""
    folder, change, harmless = order
    return bench(folder).look(change, harmless)


def tried(changes: Sequence[Change], harmless: bool, jobs: int) -> list[tuple[Change, Verdict]]:
    """All of them, over several processes; in the order given."""
    found = []
    with tempfile.TemporaryDirectory() as temporary, ProcessPoolExecutor(jobs) as processes:
        orders = [(Path(temporary).resolve(), change, harmless) for change in changes]
        for number, verdict in enumerate(processes.map(try_one, orders), 1):
            print(f"\r{number} of {len(orders)}", end="", file=sys.stderr, flush=True)
            found.append((changes[number - 1], verdict))
    print(file=sys.stderr)
    return found


def line_of(change: Change) -> str:
    """The line that is changed, as it was."""
    edit = change.edits[0]
    text = (ROOT / edit.file).read_text(encoding="utf-8")
    return text[text.rfind("\n", 0, edit.start) + 1 :].partition("\n")[0]


def reason(change: Change) -> str:
    """Why a change is not found; empty where nobody has said so."""
    line = line_of(change)
    return next((miss.because for miss in MISSES if miss.fits(change.kind, change.game, change.what, line)), "")


def described(change: Change) -> str:
    """A change in a line."""
    edit = change.edits[0]
    text = (ROOT / edit.file).read_text(encoding="utf-8")
    before, after = text[max(0, edit.start - 45) : edit.start], text[edit.end : edit.end + 35]
    shown = f"{before}[{change.was[:60]} → {change.now[:60]}]{after}".replace("\n", " / ")
    file = edit.file.removeprefix("content/")
    return f"{change.kind:14} {file}:{text.count(chr(10), 0, edit.start) + 1} ({change.what}) {shown}"


def told_by(results: list[tuple[Change, Verdict]], by: str) -> list[str]:
    """A table: how many, how many found, where."""
    lines = [f"{by:22} made found  only drawn  at row named  file elsewhere"]
    groups = list(dict.fromkeys(str(getattr(change, by)) for change, _ in results))
    for group in [*(sorted(groups) if by == "game" else groups), "all"]:
        verdicts = [verdict for change, verdict in results if group in (getattr(change, by), "all")]
        found = [verdict for verdict in verdicts if verdict.found]
        places = Counter(verdict.place for verdict in found)
        drawn = sum(verdict.drawn for verdict in found)
        stand = " ".join(f"{places[each]:6}" for each in PLACES)
        lines.append(f"{group:22} {len(verdicts):4} {len(found):5} {drawn:11} {stand}")
    return lines


def measure(names: Sequence[str], kinds: dict[str, Kind], harmless: dict[str, Kind], seed: int, jobs: int, most: int) -> int:
    """Print what came out; 0 where all is well."""
    real = tried(chosen(kinds, names, most, seed), False, jobs)
    silent = tried(chosen(harmless, names, SILENT if most >= SILENT else most, seed), True, jobs)
    missed = [change for change, verdict in real if not verdict.found and not verdict.fault]
    alarms = [(change, verdict.found[0]) for change, verdict in silent if verdict.found]
    faults = [(change, verdict.fault) for change, verdict in [*real, *silent] if verdict.fault]
    unexplained = [change for change in missed if not reason(change)]
    if real:
        print("\n".join([*told_by(real, "kind"), "", *told_by(real, "game"), ""]))
    for change in sorted(missed, key=lambda each: (bool(reason(each)), each.kind)):
        print(f"missed: {described(change)}\n        {reason(change) or 'no reason given'}")
    for change, problem in alarms:
        print(f"false alarm: {described(change)}\n        {problem.rule}: {problem}")
    for change, fault in faults:
        print(f"fault of pnp: {described(change)}\n{fault}")
    found = sum(bool(verdict.found) for _, verdict in real)
    share = found / max(1, len(real))
    rows = sum(verdict.place in ("row", "named") for _, verdict in real if verdict.found)
    print(f"\nseed {seed}: {found} of {len(real)} real changes found ({share:.1%}), {rows} of them at the row or naming it")
    print(f"{len(missed) - len(unexplained)} missed for a reason, {len(unexplained)} without")
    print(f"{len(alarms)} false alarms in {len(silent)} harmless edits")
    return int(bool(alarms or faults or unexplained or (real and share < ENOUGH)))


def main() -> int:
    """What is asked for on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=18, help="other changes for another number")
    parser.add_argument("--game", choices=games(), help="of this game alone")
    parser.add_argument("--only", choices=[*KINDS, *HARMLESS, "harmless"], help="of this kind alone")
    parser.add_argument("--most", type=int, default=REAL, help="so many real changes")
    parser.add_argument("--list", action="store_true", help="only say what would be changed")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    names = [asked.game] if asked.game else games()
    kinds = {kind: make for kind, make in KINDS.items() if asked.only in (None, kind)}
    harmless = {kind: make for kind, make in HARMLESS.items() if asked.only in (None, kind, "harmless")}
    if asked.list:
        for change in [*chosen(kinds, names, asked.most, asked.seed), *chosen(harmless, names, SILENT, asked.seed)]:
            print(described(change))
        return 0
    return measure(names, kinds, harmless, asked.seed, asked.jobs, asked.most)


if __name__ == "__main__":
    sys.exit(main())
