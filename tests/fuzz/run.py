"""Fuzzing for long: ``python tests/fuzz/run.py 100000 --jobs 2`` runs so many cases and keeps, minimised, those that fail.

Each failing case is written to a folder as a seed; when it is mended, it goes with its exit code to ``tests/fuzz/seeds``.
A job is a process of its own: one that crashes or hangs leaves its case behind, and another goes on. Cases run in it, so
that their time and memory are seen, and three times as fast as in children; what fails there is tried again as a user's
command is run, in a child with limits.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

BATCH = 1000
HANGS = 90


def job(number: int, count: int, seed: int, folder: Path, drawn: int) -> None:
    """Run cases in this process, and write down after each batch what came of them."""
    import cases
    from hypothesis import HealthCheck, Phase, Verbosity, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    from pnp.system import watchdog

    work = Path(tempfile.mkdtemp(prefix="pnp-fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    os.environ["PNP_CACHE"] = str(work / "cache")
    warnings.simplefilter("error")
    for text in ("unclosed", "subprocess", "Implicitly cleaning"):
        warnings.filterwarnings("ignore", text, ResourceWarning)
    bench = cases.Bench(work, timed=True)
    can_fork, watchdog.CAN_FORK = watchdog.CAN_FORK, False
    current = folder / f"current-{number}.json"
    known: Counter[str] = Counter()
    total = 0

    def attempt(case: cases.Case) -> None:
        nonlocal total
        total += 1
        files = case.files()
        current.write_text(cases.stored(files, case.command, None, repr(case)), encoding="ascii")
        faulthandler.dump_traceback_later(HANGS, exit=True)
        try:
            try:
                bench.run(files, case.command)
            except cases.Fault:
                if not can_fork:
                    raise
                with mock.patch.object(watchdog, "CAN_FORK", True):
                    bench.run(files, case.command)
        except cases.Fault as fault:
            if fault.mark in known:
                known[fault.mark] += 1
                return
            failing[fault.mark] = (case, str(fault))
            raise
        finally:
            faulthandler.cancel_dump_traceback_later()

    while total < count:
        failing: dict[str, tuple[cases.Case, str]] = {}
        options = settings(
            max_examples=min(BATCH, count - total),
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
            verbosity=Verbosity.quiet,
        )
        what = st.integers(0, 99).flatmap(lambda n: cases.cases(n < drawn))
        try:
            seeded(f"{seed}-{number}-{total}")(options(given(what)(attempt)))()
        except cases.Fault:
            pass
        except Exception as wrong:
            if not failing:
                raise
            print(f"hypothesis: {type(wrong).__name__}", file=sys.stderr)
        for mark, (case, said) in failing.items():
            known[mark] += 1
            name = "".join(letter if letter.isalnum() else "-" for letter in mark)[:80]
            remark = f"{mark} | {case.start} | {case.edits}"
            target = folder / f"{name}.json"
            target.write_text(cases.stored(case.files(), case.command, None, remark), encoding="ascii")
            (folder / f"{name}.txt").write_text(f"{case}\n\n{said}\n", encoding="utf-8", errors="backslashreplace")
        report = {"cases": total, "codes": bench.codes, "rules": bench.rules, "known": known, "slowest": bench.slowest}
        (folder / f"done-{number}-{seed}.json").write_text(json.dumps(report), encoding="ascii")
    current.unlink(missing_ok=True)
    shutil.rmtree(work, ignore_errors=True)


def main() -> int:
    """Share the cases out, look after the jobs, and tell the sum."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--drawn", type=int, default=2, help="of a hundred cases, how many draw, build or preview")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "pnp-fuzzed")
    parser.add_argument("--job", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    if chosen.job is not None:
        job(chosen.job, chosen.cases, chosen.seed, chosen.out, chosen.drawn)
        return 0
    for old in chosen.out.glob("done-*.json"):
        old.unlink()
    share = -(-chosen.cases // chosen.jobs)
    running = {number: (_start(chosen, number, share, chosen.seed), chosen.seed) for number in range(chosen.jobs)}
    while running:
        time.sleep(1)
        for number, (process, seed) in list(running.items()):
            if process.poll() is None:
                continue
            del running[number]
            if process.returncode == 0:
                continue
            left = chosen.out / f"current-{number}.json"
            if left.exists():
                left.rename(chosen.out / f"crash-{number}-{seed}.json")
            rest = share - sum(json.loads(done.read_text())["cases"] for done in chosen.out.glob(f"done-{number}-*.json"))
            if rest > 0 and seed < chosen.seed + 50_000:
                running[number] = (_start(chosen, number, rest, seed + 1000), seed + 1000)
    return _told(chosen.out)


def _start(chosen: argparse.Namespace, number: int, count: int, seed: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, __file__, str(count), "--seed", str(seed), "--out", str(chosen.out), "--job", str(number)]
    log = (chosen.out / f"job-{number}-{seed}.log").open("wb")
    return subprocess.Popen([*command, "--drawn", str(chosen.drawn)], stdout=log, stderr=log)


def _told(folder: Path) -> int:
    reports = [json.loads(path.read_text(encoding="ascii")) for path in sorted(folder.glob("done-*.json"))]
    total = {key: sum((Counter(report[key]) for report in reports), Counter[str]()) for key in ("codes", "rules", "known")}
    crashes = sorted(folder.glob("crash-*.json"))
    slowest = max((report["slowest"] for report in reports), default=0.0)
    print(f"cases: {sum(report['cases'] for report in reports)}, slowest: {slowest:.1f} s")
    for key, name in (("codes", "by exit code"), ("rules", "by rule"), ("known", "FAULTS")):
        print(f"{name}: {', '.join(f'{what} {times}' for what, times in total[key].most_common()) or 'none'}")
    print(f"crashes and hangs: {', '.join(path.name for path in crashes) or 'none'}")
    return 1 if total["known"] or crashes else 0


if __name__ == "__main__":
    sys.exit(main())
