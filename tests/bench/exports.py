"""How long each game takes to each target of an export, and how much memory; not a test, for times are no facts.

    python tests/bench/exports.py [penguin …] [--targets drivethrucards …]

Each is a process of its own from cold (``--fresh``), into a temporary folder, in a copy of the games; the profile of the
press is that of the tests. Seconds are of the clock / of the processors; MB is the most that one process held.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pressprofile import press_profile

from pnp.exports.target import GATHERS
from pnp.read.project import Project
from pnp.system.addons import load_all

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = {"gamecrafter": ["--nearest"]}
MEASURED = (
    "import resource, runpy, sys; sys.argv[0] = 'pnp'\n"
    "try: runpy.run_module('pnp', run_name='__main__')\n"
    "finally: print('held', max(resource.getrusage(who).ru_maxrss for who in (0, -1)), file=sys.stderr)"
)


def exported(root: Path, game: str, target: str, options: list[str]) -> str:
    """One export, as a cell of the table; "–" where the target cannot take the game."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    typed = ["export", target, game, "--fresh", *options]
    left = subprocess.run(
        [sys.executable, "-c", MEASURED, *typed],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    held = re.search(r"^held (\d+)$", left.stderr, re.MULTILINE)
    if left.returncode or held is None:
        return "–"
    return f"{seconds:.1f} / {worked:.1f} s, {int(held[1]) // 1024} MB"


def main() -> None:
    """Export all that was asked for, and print the table of it."""
    targets = load_all("pnp.exports")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=Project(ROOT).games())
    # What hands on other exports comes last, as a person makes it.
    parser.add_argument("--targets", nargs="+", default=sorted(targets, key=lambda name: (name in GATHERS, name)))
    chosen = parser.parse_args()
    print(f"| target | {' | '.join(chosen.games)} |\n|{'---|' * (1 + len(chosen.games))}", flush=True)
    with tempfile.TemporaryDirectory(prefix="pnp-bench-") as name:
        root = Path(name)
        for folder in ("content", "templates"):
            shutil.copytree(ROOT / folder, root / folder)
        profile = root / "press.icc"
        profile.write_bytes(press_profile())
        for target in chosen.targets:
            options = OPTIONS.get(target, ["--profile", str(profile)] if "profile" in targets[target].options else [])
            cells = [exported(root, game, target, options) for game in chosen.games]
            print(f"| {target} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
