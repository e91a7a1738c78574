"""Several builds at once in one folder: one after the other puts its files there, and the result is whole."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import aside, paths_in, put_files
from processes import finished, needs_linux, press, start

from pnp.system import manifest
from pnp.system.manifest import ASIDE, passing_name

PUT = """
import sys
from pathlib import Path
from pnp.system.manifest import put
for _ in range(40):
    files = {f"a4/{number}.pdf": sys.argv[1].encode() * 5000 for number in range(12)}
    put(Path.cwd(), "out", files | {"manifest.json": sys.argv[1].encode()}, "build", ("a4",))
"""

pytestmark = needs_linux


def test_what_is_put_at_once_is_never_mixed(tmp_path: Path) -> None:
    """Three that put different files into one folder again and again: in the end all files are of the same one."""
    all_three = [start(tmp_path, name, program=PUT) for name in "ABC"]

    assert [one.ended() for one in all_three] == [0, 0, 0], [one.said for one in all_three]
    assert len({path.read_bytes()[:1] for path in paths_in(tmp_path / "out")}) == 1
    assert aside(tmp_path / "out") == []


def test_what_a_running_build_wrote_aside_stays(tmp_path: Path) -> None:
    """Who comes second waits until the first has ended, and takes nothing away from it."""
    mine = tmp_path / passing_name(ASIDE)
    with ThreadPoolExecutor(1) as pool:
        with manifest.alone(tmp_path):
            mine.mkdir()
            begun = threading.Event()
            second = pool.submit(lambda: (begun.set(), put_files(tmp_path, {"x.pdf": b"x"})))
            begun.wait()
            time.sleep(0.1)
            assert not second.done()
            assert mine.is_dir()
        second.result(30)

    assert not mine.exists()
    assert (tmp_path / "x.pdf").read_bytes() == b"x"


def test_who_never_comes_out_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a while it is said that another one is in there, with the folder."""
    monkeypatch.setattr(manifest, "PATIENCE", 0.1)
    with manifest.alone(tmp_path), pytest.raises(OSError, match="another pnp has been writing here") as refused:
        put_files(tmp_path, {"x.pdf": b"x"})

    assert refused.value.filename == str(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_killed_build_locks_nobody_out(tmp_path: Path) -> None:
    """Its lock goes with it, and so does what it left aside."""
    program = (
        "import os; from pathlib import Path; from pnp.system import manifest\n"
        "with manifest.alone(Path()): os.kill(os.getpid(), 9)"
    )
    out = tmp_path / "out"
    (out / passing_name(ASIDE)).mkdir(parents=True)
    (out / ".pnp-abcdefgh").mkdir()
    (out / ".pnp-of-mine").mkdir()
    assert finished(out, program=program, by=press())[0] == -9
    put_files(out, {"x.pdf": b"x"})

    assert aside(out) == [".pnp-abcdefgh", ".pnp-of-mine"]
