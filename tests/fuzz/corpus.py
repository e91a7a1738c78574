"""Runs every hostile input of ``attacks.py``: ``python tests/fuzz/corpus.py --jobs 2``, with ``--only books`` one kind.

Each is a project of its own, on which the real command is run. It must end with 0, 1, 2 or 3, within 10 s of processor
time and 1 GB, and steer no terminal. Beside the project lies a folder: none of its
files may be read (their times tell), changed or joined by another, and the project itself keeps what it had.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from attacks import OUTSIDE, PLAIN, SECRET, SHIP, Attack, Files, Link, corpus  # noqa: E402

SECONDS, MEGABYTES, MEMORY, HANGS = 10.0, 1000, "900", 150
# In a process of its own: what is started from a large one counts as large as that.
MEASURING = """
import json, pathlib, resource, subprocess, sys
code = subprocess.run(sys.argv[2:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
pathlib.Path(sys.argv[1]).write_text(json.dumps((code, used.ru_utime + used.ru_stime, used.ru_maxrss)))
"""
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
CANARIES = ("txt", "csv", "svg", "svg.j2", "md", "css", "png", "json", "otf", "pdf")
OURS = ("output", "content/herd", "templates/herd")
"""What a command may write in the project."""


@dataclass
class Ending:
    """What came of an input."""

    kind: str
    name: str
    command: str
    code: int
    seconds: float
    megabytes: int
    wrong: list[str] = field(default_factory=list)
    said: str = ""


class Sandbox:
    """A folder with a project, and beside it what nobody may touch."""

    def __init__(self, root: Path) -> None:
        self.root, self.project, self.outside = root, root / "project", root / "outside"
        shutil.rmtree(root, ignore_errors=True)
        for name in ("project/content", "outside/tiny", "home", "tmp", "cache"):
            (root / name).mkdir(parents=True)
        for place in (*(f"secret.{ending}" for ending in CANARIES), "cards.svg.j2", "tiny/game.toml", "game.toml"):
            (self.outside / place).write_text(f"{SHIP}<!-- {SECRET} -->")

    def write(self, files: Files) -> None:
        """Files below the project; those with names that no file can have are left out."""
        for name, data in files.items():
            path = self.project / name
            if data is None:
                continue
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                if isinstance(data, Link):
                    path.symlink_to(data.replace(OUTSIDE, str(self.outside)))
                else:
                    data = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
                    path.write_bytes(data.replace(OUTSIDE.encode(), str(self.outside).encode()))
            except (OSError, ValueError):
                continue

    def run(self, attack: Attack) -> Ending:
        """Runs the command, and looks at everything it may have done."""
        self.write({**PLAIN, **attack.files})
        before = {*self.state()}
        canaries = (self.outside, *self.outside.rglob("*"))
        for path in canaries:
            os.utime(path, (10**9, path.stat().st_mtime))
        code, spent, most = self.execute(attack.command)
        looked = {path: os.lstat(path).st_atime for path in canaries}
        text = (self.root / "out").read_text(encoding="utf-8", errors="surrogateescape")
        ending = Ending(attack.kind, attack.name, " ".join(attack.command), code, spent, most, said=text[-1500:])
        ending.wrong = [*self.wrong(ending, text, before, looked)]
        return ending

    def execute(self, command: Sequence[str]) -> tuple[int, float, int]:
        """Runs pnp in the project, and returns its exit code, seconds and MB; what it says goes into a file."""
        places = {"HOME": "home", "TMPDIR": "tmp", "PNP_CACHE": "cache"}
        clean = {key: value for key, value in os.environ.items() if not key.startswith("PNP_")}
        env = {**clean, **{key: str(self.root / name) for key, name in places.items()}, "PYTHONPATH": str(HERE.parents[1])}
        with (self.root / "out").open("wb") as out:
            channels = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": out, "start_new_session": True}
            asked = [sys.executable, "-c", MEASURING, str(self.root / "used"), sys.executable, "-m", "pnp", *command]
            process = subprocess.Popen(asked, cwd=self.project, env={**env, "PNP_MEMORY": MEMORY}, **channels)
            timer = threading.Timer(HANGS, os.killpg, (process.pid, signal.SIGKILL))
            timer.start()
            process.wait()
            timer.cancel()
        used = self.root / "used"
        code, seconds, kilobytes = json.loads(used.read_text()) if used.exists() else (process.returncode, HANGS, 0)
        return code, seconds, kilobytes // 1024

    def wrong(self, ending: Ending, text: str, before: set[tuple[str, str]], looked: Mapping[Path, float]) -> Iterator[str]:
        """Each promise that was not kept."""
        if ending.code not in (0, 1, 2, 3):
            yield f"exit code {ending.code}"
        if "Traceback (most" in text or re.search(r"<[\w.]+ object at 0x", text):
            yield "shows Python"
        if ending.seconds > SECONDS:
            yield "more than 10 s"
        if ending.megabytes > MEGABYTES:
            yield "more than 1 GB"
        if STEERING.search(text):
            yield f"steers the terminal with {STEERING.search(text)!r}"
        if SECRET in text or "root:x:0" in text:
            yield "tells a secret"
        read = [path.name for path, found in looked.items() if found != 10**9]
        if read:
            yield f"reads outside: {', '.join(sorted(read))}"
        changed = {name for name, _ in before ^ {*self.state()}}
        if changed:
            yield f"changes {', '.join(sorted(changed))[:300]}"
        made = self.project / "output"
        paths = () if made.is_symlink() else made.rglob("*")
        if any(SECRET.encode() in path.read_bytes() for path in paths if not path.is_symlink() and path.is_file()):
            yield "prints a secret"

    def state(self) -> Iterator[tuple[str, str]]:
        """All that must stay as it is: names, and what they lead to or hold."""
        for folder, below, names in os.walk(self.root):
            here = Path(folder).relative_to(self.root).as_posix()
            below[:] = [
                name for name in below if f"{here}/{name}" not in (f"project/{ours}" for ours in OURS) and name != "cache"
            ]
            for name in (*names, *below):
                path = Path(folder, name)
                if path.is_symlink():
                    yield f"{here}/{name}", str(path.readlink())
                elif here == "outside":
                    yield f"{here}/{name}", f"{path.stat().st_mtime}"
                elif path not in (self.root / "out", self.root / "used"):
                    yield f"{here}/{name}", hashlib.sha1(path.read_bytes()).hexdigest() if path.is_file() else ""


def sheets(root: Path) -> bytes:
    """The ``print.pdf`` of the plain game."""
    box = Sandbox(root)
    ending = box.run(Attack("", "", {}, ("build", "--paper", "a4")))
    assert ending.code == 0 and not ending.wrong, ending
    return (box.project / "output/tiny/a4/print.pdf").read_bytes()


def distinct(attacks: Iterator[Attack]) -> Iterator[Attack]:
    """Without those whose files are the same as those of another."""
    seen = set()
    for attack in attacks:
        key = hashlib.sha1(
            repr((attack.kind == "imports" and attack.command, sorted(attack.files.items()))).encode()
        ).digest()
        if key not in seen:
            seen.add(key)
            yield attack


def try_all(attacks: Iterator[Attack], root: Path, jobs: int, keep: bool = False) -> Iterator[Ending]:
    """Runs them, some at a time."""

    def attempt(pair: tuple[int, Attack]) -> Ending:
        number, attack = pair
        ending = (box := Sandbox(root / str(number))).run(attack)
        if not (keep and ending.wrong):
            shutil.rmtree(box.root, ignore_errors=True)
        return ending

    with ThreadPoolExecutor(jobs) as pool:
        numbered = enumerate(attacks)
        while some := [*islice(numbered, 8 * jobs)]:
            yield from pool.map(attempt, some)


def main() -> int:
    """Runs the corpus, and tells by kind what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="a pattern for kind and name, such as 'books book 1'")
    parser.add_argument("--every", type=int, default=1, help="only each so many")
    parser.add_argument("--keep", action="store_true", help="keep the folders of those that fell short")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "pnp-corpus.jsonl")
    chosen = parser.parse_args()
    root = Path(tempfile.mkdtemp(prefix="pnp-corpus-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    asked = (each for each in distinct(corpus(sheets(root / "plain"))) if re.search(chosen.only, f"{each.kind} {each.name}"))
    attacks = islice(asked, 0, None, chosen.every)
    kinds: dict[str, list[Ending]] = defaultdict(list)
    began = time.monotonic()
    with chosen.out.open("w", encoding="utf-8", errors="backslashreplace") as out:
        for ending in try_all(attacks, root, chosen.jobs, chosen.keep):
            kinds[ending.kind].append(ending)
            out.write(json.dumps(asdict(ending)) + "\n")
            out.flush()
            if ending.wrong:
                print(f"{ending.kind} {ending.name}: {'; '.join(ending.wrong)!a} ({ending.command})", flush=True)
    print("| kind | inputs | exit codes | slowest | largest | fell short |\n|---|--:|---|--:|--:|--:|")
    for kind, endings in kinds.items():
        codes = ", ".join(f"{code}: {many}" for code, many in sorted(Counter(each.code for each in endings).items()))
        slow, large = max(each.seconds for each in endings), max(each.megabytes for each in endings)
        short = sum(bool(each.wrong) for each in endings)
        print(f"| {kind} | {len(endings)} | {codes} | {slow:.1f} s | {large} MB | {short} |")
    print(f"{time.monotonic() - began:.0f} s")
    if not chosen.keep:
        shutil.rmtree(root, ignore_errors=True)
    return 1 if any(each.wrong for endings in kinds.values() for each in endings) else 0


if __name__ == "__main__":
    sys.exit(main())
