"""Processes that build beside this one, and end with it, whether it ends well, is stopped, or is killed."""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from pnp.system.stopping import help_quietly, passes, unheard


class _Workers(ProcessPoolExecutor):
    """Makes its processes when there is something to do."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        with unheard():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def workers(count: int, tasks: int | None = None) -> Iterator[ProcessPoolExecutor]:
    """So many processes, each for so many tasks before a fresh one takes its place.

    Raises ChildProcessError when one of them was ended by somebody else.
    """
    temporary = tempfile.gettempdir()
    # A copy of this process would have Typst's threads in name only, and wait for them for ever.
    fresh = multiprocessing.get_context("spawn")
    executor = _Workers(
        count, fresh, initializer=help_quietly, initargs=(temporary, passes(temporary)), max_tasks_per_child=tasks
    )
    try:
        yield executor
    except BrokenProcessPool:
        raise ChildProcessError(
            "a process that was building a game was ended from outside, perhaps for want of memory. Try --jobs 1."
        ) from None
    except BaseException:
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)
