"""A build may be killed at any moment: every file is whole, and the next build is right."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import processes
import pytest
from conftest import TinyProject, aside, put_files
from processes import Press, Process, digests, finished, fresh, needs_linux, press, side_by_side, start, turn_to

from pnp.flows.batch import recalled, remember
from pnp.system.cache import Cache
from pnp.values.outcome import Result
from pnp.values.problems import Problems

pytestmark = needs_linux

MOST_SECONDS = 5.0
STEPS = ["os.rename", "os.link", "os.mkdir", "os.rmdir", "os.remove", "open"]
"""What Python tells its auditors of before it does it."""
# Puts files into a folder with a recipe that is remembered; killed ahead of a step, the one of the given number.
PUT = """
import json, os, signal, sys
from pathlib import Path
from pnp.system.cache import Cache
from pnp.flows.batch import remember
from pnp.values.outcome import Result
from pnp.system.manifest import put
from pnp.values.problems import Problems

folder, cache, last, steps, files, recipe = json.loads(sys.argv[1])
done = 0
def audit(event, arguments):
    global done
    if event in steps and str(arguments[0]).startswith(folder):
        if event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR):
            return
        if done == last:
            os.kill(os.getpid(), signal.SIGKILL)
        done += 1
sys.addaudithook(audit)
out = Path(folder).parent
made = put(out, Path(folder).name, {name: text.encode() for name, text in files.items()}, "build", ("a4",))
remember(Cache(Path(cache)), Path(folder), recipe, Result("tiny", Problems(), made))
"""
OLD = {"a4/cards.pdf": "old cards", "a4/print.pdf": "old sheets", "a4/gone/dice.pdf": "old dice", "manifest.json": "old"}
NEW = {
    "a4/print.pdf": "new sheets",
    "rulebook.html": "new book",
    "a4/box/box.pdf": "new box",
    "a4/cards.pdf": "new cards",
    "manifest.json": "new",
}


def texts(folder: Path) -> dict[str, str]:
    """Files below a folder with what is in them, but for what was written aside."""
    return {name: (folder / name).read_text() for name in digests(folder)}


def put(at: Path, files: Mapping[str, str], recipe: str) -> None:
    """Put files into ``at/out`` as a build does, and remember the recipe."""
    made = put_files(at / "out", {name: text.encode() for name, text in files.items()}, ("a4",))
    remember(Cache(at / "cache"), at / "out", recipe, Result("tiny", Problems(), made))


def killed_while_putting(at: Path, files: Mapping[str, str], recipe: str, last: int) -> int:
    """The same in a process of its own, which is killed ahead of a step; its exit code."""
    asked = json.dumps([str(at / "out"), str(at / "cache"), last, STEPS, files, recipe])
    return finished(at, asked, program=PUT)[0]


def known(at: Path, recipe: str) -> bool:
    """Whether a build with this recipe would be left alone."""
    return recalled(Cache(at / "cache"), at / "out", recipe, "tiny") is not None


def test_killed_between_any_two_steps(tmp_path: Path) -> None:
    """Ahead of each step on the disk: files are whole, the manifest is last, a mix is noticed, the next build mends all."""
    stages = set()
    for last in range(200):
        # What a build does not own stays, so the book would.
        (tmp_path / "out/rulebook.html").unlink(missing_ok=True)
        put(tmp_path, OLD, "old recipe")
        assert texts(tmp_path / "out") == OLD
        assert known(tmp_path, "old recipe")
        code = killed_while_putting(tmp_path, NEW, "new recipe", last)
        left = texts(tmp_path / "out")

        if code == 0:
            break
        assert code == -signal.SIGKILL
        for name in OLD:
            gone = name not in NEW and left.get(name) is None
            assert gone or left[name] in (OLD[name], NEW.get(name))
        replaced = {name for name in NEW if left.get(name) == NEW[name]}
        if "manifest.json" in replaced or OLD.keys() - left.keys():
            assert replaced == set(NEW)
        assert not known(tmp_path, "new recipe")
        # What it left aside is reason enough to build again, so that it goes.
        assert not known(tmp_path, "old recipe") or left == OLD
        stages.add(len(replaced))
        put(tmp_path, NEW, "new recipe")
        assert texts(tmp_path / "out") == NEW
        assert aside(tmp_path / "out") == []
    else:
        pytest.fail("there was always one step more")
    assert stages == set(range(len(NEW) + 1)), "killed before, between and after all renames"
    assert left == NEW
    assert aside(tmp_path / "out") == []


def duration(made: TinyProject, *arguments: str, by: Press) -> float:
    """How long a build takes here and now."""
    begun = time.monotonic()
    assert finished(made.project.root, "build", "--fresh", *arguments, by=by)[0] == 0
    return time.monotonic() - begun


def killed(
    made: TinyProject,
    states: Mapping[str, dict[str, str]],
    seed: int,
    times: int,
    kill: Callable[[Process], None],
    by: Press,
) -> int:
    """Kill builds at moments spread over their time, each of the other state than the one before; how many were at work.

    On a slow machine fewer, but one at least. A build that ends before it is killed shows that builds take less time than
    the first did: the moments after it come sooner.
    """
    root, chance, at_work = made.project.root, random.Random(seed), 0
    enough = time.monotonic() + MOST_SECONDS
    turn_to(made, "summer")
    lasting = duration(made, by=by)
    # One moment in each part of a build's time, the parts in no order.
    moments = [(part + chance.random()) / times for part in range(times)]
    chance.shuffle(moments)
    seasons = list(processes.TABLES)
    for number, moment in enumerate(itertools.cycle(moments), 1):
        season = seasons[number % 2]
        turn_to(made, season)
        running = start(root, "build", "--jobs", "2", by=by)
        time.sleep(moment * lasting)
        kill(running)
        if running.ended() == 0:
            lasting *= 0.6
        else:
            at_work += 1
        running.until(running.deserted)
        left = digests(root / "output")

        for name, digest in left.items():
            assert digest in {state.get(name) for state in states.values()}, f"{name} is not whole, killed at {moment:.2f}"
        assert left.keys() >= states["summer"].keys(), f"killed at {moment:.2f}"
        last = at_work > 0 and (number >= times or time.monotonic() > enough)
        if number % 6 == 0 or last:
            code, said = finished(root, "build", "--jobs", "2", by=by)
            assert code == 0, said
            assert digests(root / "output") == states[season]
            assert aside(root / "output") == []
        if last:
            break
    return at_work


# With PNP_LONG set a hundred builds are killed, else as many as whoever waits for the tests has time for.
LONG = "PNP_LONG" in os.environ


def kill_one(running: Process) -> None:
    """As the system does when memory runs out."""
    if running.code is None:
        running.send(signal.SIGKILL)


def kill_all(running: Process) -> None:
    """As when a container is taken away."""
    if running.code is None:
        running.send(signal.SIGKILL, group=True)


def test_killed_at_any_moment(tmp_path: Path) -> None:
    """Builds of a game with a rulebook, and of two games side by side, are killed at moments spread over their time.

    After each of them every file is that of one state or of the other; the next build that is let be is like one in a
    new folder, and nothing of the killed ones is left.
    """
    plain, both = fresh(processes.with_rulebook, tmp_path / "plain"), fresh(side_by_side, tmp_path / "both", "--jobs", "2")
    tasks = [
        (processes.with_rulebook(tmp_path / "one"), plain, 1, 80 if LONG else 6, kill_one, press()),
        (side_by_side(tmp_path / "two"), both, 2, 14 if LONG else 3, kill_one, Press()),
        (side_by_side(tmp_path / "three"), both, 3, 8 if LONG else 2, kill_all, press()),
    ]
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(lambda: killed(*tasks[0]) + killed(*tasks[2]))
        at_work = killed(*tasks[1]) + first.result()

    assert at_work >= len(tasks), "some of each were killed before they had ended"


def test_who_builds_for_a_killed_one_ends_with_it(tmp_path: Path) -> None:
    """Processes that build side by side do not work on for nobody; the next build takes their temporary files away."""
    made = side_by_side(tmp_path / "made")
    running = start(made.project.root, "build", "--jobs", "2")
    running.until(lambda: len(helpers(running.pid)) == 2)
    running.send(signal.SIGKILL)

    assert running.ended() == -signal.SIGKILL
    running.until(running.deserted)
    assert finished(made.project.root, "build")[0] == 0
    assert running.left == []


def test_what_killed_builds_left_is_swept_by_the_next(tmp_path: Path) -> None:
    """One game is built in the process itself, which cannot clean up: the next command does, and takes nothing in use."""
    made = processes.with_rulebook(tmp_path / "made")
    stuck = (
        "from pnp.system.manifest import scratch\nimport time\nwith scratch():\n    print('in', flush=True); time.sleep(60)"
    )
    using = start(made.project.root, program=stuck)
    using.until(lambda: "in" in using.said)
    for _ in range(3):
        running = start(made.project.root, "build", "--fresh")
        running.until(lambda running=running: "setting" in running.said)  # type: ignore[misc]
        running.send(signal.SIGKILL)
        running.ended()
        running.until(running.deserted)
    (using.temporary / f"pnp-{'0' * 28}").mkdir()
    (using.temporary / f"pnp-{'0' * 28}" / "mine").write_text("mine")
    assert len(using.left) >= 2
    assert finished(made.project.root, "build", "--fresh")[0] == 0

    mine, kept = f"pnp-{'0' * 28}", [name for name in using.left if name != f"pnp-{'0' * 28}"]
    assert len(kept) == 1 and mine in using.left, "that of the one which is still at work"
    using.send(signal.SIGKILL)
    using.ended()
    assert finished(made.project.root, "list")[0] == 0
    assert using.left == [mine]


def helpers(pid: int) -> list[int]:
    """The processes that build for a process."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
        return [int(child) for child in children]
    except (FileNotFoundError, ProcessLookupError):
        return []
