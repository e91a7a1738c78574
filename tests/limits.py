"""What a hostile file may take of the machine: seconds and memory; memory is measured on Linux only."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "linux":
    import resource

SECONDS = 5.0
MEMORY = 500_000_000
# The limits are those of a quiet machine; a busy one may take its time, but not for ever.
PATIENCE = 4


def _status(key: str) -> int:
    """A line of what the system says about this process, in bytes."""
    for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) * 1024
    return 0


@contextmanager
def bounded(memory: int = MEMORY, seconds: float = SECONDS) -> Iterator[None]:
    """What is done within takes no longer and no more memory than that; where it tries, it gets no more than twice."""
    measured = sys.platform == "linux"
    if measured:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        before, limits = _status("VmRSS"), resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (_status("VmSize") + 2 * memory, limits[1]))
    started = time.process_time()
    try:
        yield
    finally:
        spent = time.process_time() - started
        if measured:
            resource.setrlimit(resource.RLIMIT_AS, limits)
    assert spent < PATIENCE * seconds, f"{spent:.1f} s"
    if measured:
        taken = _status("VmHWM") - before
        assert taken < memory, f"{taken // 1_000_000} MB"
