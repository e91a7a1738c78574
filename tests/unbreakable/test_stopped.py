"""A Ctrl-C ends whatever is at work within a second: exit 130, one word, no traceback, nothing temporary, files whole."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest
from conftest import TinyProject, aside, files_in, put_files
from processes import Process, digests, finished, needs_linux, side_by_side, start, turn_to

from pnp.read.project import Project
from pnp.system.manifest import passing, passing_name, scratch

pytestmark = needs_linux

SOON = 3.0
"""Seconds; on a quiet machine it is much less than one."""
# Long work in another language, in which Python hears of nothing.
DEAF = "__import__('hashlib').pbkdf2_hmac('sha256', b'', b'', 10**9)"
BEGIN = """
import sys, tempfile, time
from pnp.system.process import listen
from pnp.system.manifest import scratch
from pnp.system.watchdog import Watchdog, guarded
listen()
"""
ALONE = f"""{BEGIN}
def work():
    with tempfile.TemporaryDirectory():
        print("begun", flush=True)
        {DEAF}
    return 0
try:
    with scratch():
        guarded(work)
except KeyboardInterrupt:
    sys.exit(130)
"""
# Who was told to stop and goes on all the same.
STUBBORN = f"""{BEGIN}
def work():
    print("begun", flush=True)
    while True:
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            pass
try:
    guarded(work)
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.fixture(scope="module")
def summer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games, one of them built."""
    made = side_by_side(tmp_path_factory.mktemp("summer") / "made")
    code, said = finished(made.project.root, "build", "tiny")
    assert code == 0, said
    return made.project.root


@pytest.fixture
def made(summer: Path, tmp_path: Path) -> TinyProject:
    """Two games, one with good files of the summer, that are to be built in winter."""
    made = TinyProject(Project(Path(shutil.copytree(summer, tmp_path / "made"))))
    turn_to(made, "winter")
    return made


def stopped(running: Process, number: int = signal.SIGINT, group: bool = True) -> None:
    """It ends soon, with 130, nobody stays, and nothing is said of how it is made."""
    running.send(number, group)
    asked = time.monotonic()
    code = running.ended()
    running.until(running.deserted)

    assert time.monotonic() - asked < SOON
    assert code == 130, running.said
    assert "Traceback" not in running.said
    assert "Exception" not in running.said
    assert running.left == []


@pytest.mark.parametrize(("moment", "number"), [("setting texts", signal.SIGINT), ("setting texts", signal.SIGTERM)])
def test_a_build_is_stopped(made: TinyProject, moment: str, number: int) -> None:
    """In whatever part of its work: the files are those of the last good build, every byte, and the next one is right."""
    out = made.project.root / "output"
    before = digests(out)
    running = start(made.project.root, "build", "tiny")
    running.until(lambda: moment in running.said)
    stopped(running, number)

    assert running.said.endswith("interrupted\n")
    assert digests(out) == before
    assert aside(out) == []


@pytest.mark.parametrize(("later", "number"), [(0.0, signal.SIGINT), (0.3, signal.SIGTERM)])
def test_builds_side_by_side_are_stopped(made: TinyProject, later: float, number: int) -> None:
    """While the processes start and while they work; a Ctrl-C reaches all of them, a request to end only the first."""
    out = made.project.root / "output"
    before = digests(out / "tiny")
    running = start(made.project.root, "build", "--jobs", "2")
    running.until(lambda: "building small" in running.said)
    time.sleep(later)
    if running.code is not None or "tiny: built" in running.said:
        pytest.skip("this machine is faster than one can press Ctrl-C")
    stopped(running, number, group=number == signal.SIGINT)

    assert running.said.endswith("interrupted\n")
    now = digests(out / "tiny")
    assert all((now[name] == before[name]) == (now["manifest.json"] == before["manifest.json"]) for name in before)
    assert aside(out) == []


def test_a_watch_is_stopped(made: TinyProject) -> None:
    """While it waits; until then it tells of each change."""
    running = start(made.project.root, "watch", "tiny")
    for season, times in (("winter", 1), ("summer", 2)):
        turn_to(made, season)
        running.until(lambda times=times: running.said.count("nothing wrong") == times)
    stopped(running, signal.SIGTERM)

    assert running.said.endswith("interrupted\n")
    assert aside(made.project.root) == []


@pytest.mark.parametrize("program", [ALONE, STUBBORN], ids=["deep in another language", "that does not listen"])
def test_work_is_ended(tmp_path: Path, program: str) -> None:
    """Work that does not hear that it should stop is ended, and what is temporary goes all the same."""
    running = start(tmp_path, program=program)
    running.until(lambda: "begun" in running.said)
    stopped(running)


LOST = """
import sys, time, weakref
from pnp.system.process import listen
class Thing: pass
def callback(gone):
    print("begun", file=sys.stderr, flush=True)
    time.sleep(60)
listen()
thing = Thing()
kept = weakref.ref(thing, callback)
try:
    del thing
    time.sleep(60)
except KeyboardInterrupt:
    print("interrupted", file=sys.stderr)
    sys.exit(130)
"""


def test_a_press_in_a_callback_is_not_lost(tmp_path: Path) -> None:
    """Python prints and forgets what is raised in a finalizer or while a weak reference ends, as it does in every import."""
    running = start(tmp_path, program=LOST)
    running.until(lambda: "begun" in running.said)
    stopped(running)

    assert running.said.endswith("interrupted\n")


def test_pressing_twice_is_no_harm(made: TinyProject) -> None:
    """Who presses Ctrl-C again at once does not break off what cleans up."""
    running = start(made.project.root, "build", "tiny")
    running.until(lambda: "setting texts" in running.said)
    running.send(signal.SIGINT, group=True)
    stopped(running)


def test_who_wants_it_to_go_on_is_obeyed(made: TinyProject) -> None:
    """Started with ``nohup`` a build ends well though the terminal is closed."""
    running = start(made.project.root, "build", "tiny", before="import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)")
    running.until(lambda: "reading" in running.said)
    running.send(signal.SIGHUP)

    assert running.ended() == 0, running.said


def test_only_folders_with_our_names_are_taken_away(tmp_path: Path) -> None:
    """Whatever is asked: a folder called otherwise stays, and temporary files lie where they did before."""
    with passing(tmp_path / "other") as other:
        (other / "mine.txt").write_text("mine")
    with passing(tmp_path / passing_name(".pnp-")) as ours:
        (ours / "x").write_text("x")
    before = tempfile.gettempdir()
    with scratch():
        inside = Path(tempfile.gettempdir())
        assert inside.parent == Path(before)

    assert [path.name for path in tmp_path.iterdir()] == ["other"]
    assert not inside.exists()
    assert tempfile.gettempdir() == before


SWEEPING = """
from pathlib import Path
from pnp.system.manifest import sweep
print("begun", flush=True)
while not Path("enough").exists():
    sweep(Path.cwd(), ".pnp-")
"""


def test_a_folder_is_there_though_another_cleans_up_while_it_is_made(tmp_path: Path) -> None:
    """Between its making and its lock somebody may take it for one that a killed process has left: it is made again."""
    sweeping = start(tmp_path, program=SWEEPING)
    sweeping.until(lambda: "begun" in sweeping.said)
    until = time.monotonic() + 1
    while time.monotonic() < until:
        with passing(tmp_path / passing_name(".pnp-")) as folder:
            assert folder.is_dir()
    (tmp_path / "enough").write_text("")

    assert sweeping.ended() == 0


PUTTING = """
import os, signal, sys
from pathlib import Path
from pnp.system import manifest
from pnp.system.process import listen
listen()
place = manifest._place
def pressed(*about):
    os.kill(os.getpid(), signal.SIGINT)
    place(*about)
manifest._place = pressed
files = {f"a4/{number}.pdf": b"new" for number in range(5)}
try:
    manifest.put(Path.cwd(), "out", files, "build", ("a4",))
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_who_is_stopped_while_files_are_put_has_all_of_them(tmp_path: Path) -> None:
    """Ctrl-C waits for the last rename: none is old, nothing is left aside, and the next build knows all as ours."""
    put_files(tmp_path / "out", {f"a4/{number}.pdf": b"old" for number in range(4)}, ("a4",))
    running = start(tmp_path, program=PUTTING)

    assert running.ended() == 130
    assert files_in(tmp_path / "out") == {f"a4/{number}.pdf": b"new" for number in range(5)}
    assert aside(tmp_path / "out") == []
    put_files(tmp_path / "out", {"a4/0.pdf": b"newer"}, ("a4",))
    assert files_in(tmp_path / "out") == {"a4/0.pdf": b"newer"}


GOING = """
import os, shutil, signal, sys
from pathlib import Path
from pnp.system.process import listen
from pnp.system.manifest import passing, passing_name
listen()
remove = shutil.rmtree
def pressed(*about, **more):
    os.kill(os.getpid(), signal.SIGINT)
    remove(*about, **more)
shutil.rmtree = pressed
try:
    with passing(Path.cwd() / passing_name(".pnp-")) as folder:
        (folder / "x").write_text("x")
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_who_is_stopped_while_a_temporary_folder_goes_leaves_none(tmp_path: Path) -> None:
    """Ctrl-C waits until it is gone."""
    running = start(tmp_path, program=GOING)

    assert running.ended() == 130
    assert list(tmp_path.iterdir()) == []


TELLING = """
import os, signal, sys
from pnp.system.process import prepare
prepare()
number, telling = 0, False
def heard(*_):
    global telling
    if telling:
        telling = False
        raise KeyboardInterrupt
signal.signal(signal.SIGALRM, heard)
signal.setitimer(signal.ITIMER_REAL, 0.002, 0.001)
while number < 20_000:
    try:
        telling = True
        while number < 20_000:
            number += 1
            print(f"line {number}", file=sys.stderr)
        telling = False
    except KeyboardInterrupt:
        pass
sys.stderr.flush()
os._exit(0)
"""


def test_who_is_stopped_while_telling_says_nothing_twice() -> None:
    """Of hundreds of presses one may fall where io itself has written and does not know it."""
    done = subprocess.run([sys.executable, "-c", TELLING], capture_output=True, text=True, check=True)
    times = Counter(done.stderr.splitlines())

    assert len(times) > 1_000
    assert sum(count > 1 for count in times.values()) < 5
