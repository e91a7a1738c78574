"""Runs what a stranger's files could stop for ever, or crash, in a child process with limits of memory and of time.

Drawings, fonts, pictures, templates and books can be made so that reading, filling or setting them never ends, fills the
memory, or crashes a library. What they will take cannot be told by looking at them. So the work is done in a child, which
says what it is at (:func:`at`). When it dies, or stays too long at one thing, the parent says at which.

- Memory: ``RLIMIT_DATA``, which counts what a process has written or may write; address space would count Typst's threads.
- Time: ``setitimer``, set anew with each step; its signal ends the child, however deep in a library it is. Brief steps,
  such as drawing one card, also have a clock of processor time, which runs no faster on a busy machine.
- The child is a fork, which takes 6 ms. It is made before Typst is called for the first time: threads are not copied, and
  a fork after that call waits for them for ever. The parent never draws.

Where there is no fork, as on Windows, the work is done in this process, one after the other, without limits.
"""

from __future__ import annotations

import mmap
import os
import pickle
import selectors
import signal
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from pnp.system.process import INTERRUPTED, deferred, listen, messages

CAN_FORK = hasattr(os, "fork") and sys.platform != "win32"
GRACE = 0.5
"""Seconds that a child has to end by itself after Ctrl-C; twice as long for one that may have children of its own."""
_STEP_BYTES = 400
_HEADER = 8


class Died(Exception):
    """A child that was ended, or crashed in a library."""

    def __init__(self, step: str, why: str) -> None:
        super().__init__(f"{step}: {why}")
        self.step, self.why = step, why

    def __reduce__(self) -> tuple[type[Died], tuple[str, str]]:
        return type(self), (self.step, self.why)


def memory_limit() -> int:
    """The memory limit of a child in bytes: 2 GB, or ``$PNP_MEMORY`` in MB."""
    return _setting("PNP_MEMORY", 2000) * 1_000_000


def patience() -> int:
    """The time limit of a step in seconds: 60, or ``$PNP_PATIENCE``."""
    return _setting("PNP_PATIENCE", 60)


def _setting(name: str, usual: int) -> int:
    text = os.environ.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and int(text) else usual


# -- in the child

_shared: mmap.mmap | None = None
_seconds = 0
_brief = 0
_parent = 0
_pipe: int | None = None
_one_by_one = False
_told: Callable[[str], None] | None = None
"""Who is told of progress where there is no child."""


def brief_limit(careful: bool = False) -> int:
    """The time limit of a brief step in seconds of processor time: a twelfth of :func:`patience`.

    ``careful``: less, for things that are done one by one because together they took too long: both take less than 10 s.
    """
    return max(1, patience() // (30 if careful else 12))


def at(step: str, restarts: bool = True, brief: bool = False) -> None:
    """Names this process's step, such as "drawing cards/imp (cards.csv:7)", and restarts the clock.

    ``brief``: it takes so little that a twelfth of that in processor time is enough.
    Of many steps that are soon done the clock is that of the first: ``restarts`` is False for the others.
    """
    if _shared is None:
        return
    if os.getppid() != _parent:
        os._exit(INTERRUPTED)  # nobody waits for this any more
    data = step.encode("utf-8", "replace")[:_STEP_BYTES]
    _shared[:2] = len(data).to_bytes(2, "big")
    _shared[2 : 2 + len(data)] = data
    if restarts:
        signal.setitimer(signal.ITIMER_REAL, _seconds)
    signal.setitimer(signal.ITIMER_PROF, _brief if brief else 0)


def going_on() -> None:
    """Restarts the clock of a step of many parts, such as a large file, when one of them is done."""
    if _shared is not None:
        signal.setitimer(signal.ITIMER_REAL, _seconds)


@contextmanager
def unhurried() -> Iterator[None]:
    """Stops the clock of a brief step during work that is long by its nature, such as reading a large picture."""
    left = signal.getitimer(signal.ITIMER_PROF)[0] if _shared is not None else 0.0
    if left:
        signal.setitimer(signal.ITIMER_PROF, 0)
    try:
        yield
    finally:
        if left:
            signal.setitimer(signal.ITIMER_PROF, left)


def idle() -> None:
    """Stops the clocks: this process waits for somebody."""
    if _shared is not None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)


def limit() -> None:
    """Limits another process in the same way, such as the studio's; its parent notices its end."""
    if CAN_FORK:
        _limit(mmap.mmap(-1, 2 + _STEP_BYTES))


def _limit(step: mmap.mmap, careful: bool = False) -> None:
    import resource

    global _shared, _seconds, _brief, _parent
    _parent, _shared, _seconds, _brief = os.getppid(), step, patience(), brief_limit(careful)
    # Both clocks end this process, whatever its parent does with their signals.
    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, signal.SIG_DFL)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = memory_limit()
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def say(text: str) -> None:
    """Sends the parent a line of progress."""
    at(text)
    if _pipe is not None:
        _send(("tell", text))
    elif _told is not None:
        _told(text)


def limited() -> bool:
    """Whether this is a child, whose parent tells what it died of."""
    return _shared is not None


def one_by_one() -> bool:
    """Whether a child died at a step of many things, which are now done one by one to find the one."""
    return _one_by_one


def _send(message: object) -> None:
    data = pickle.dumps(message)
    left = memoryview(len(data).to_bytes(_HEADER, "big") + data)
    while left:
        left = left[os.write(_pipe or 0, left) :]


class Waited:
    """A call that was submitted, and its child: a light Future, for concurrent.futures takes 10 ms to import."""

    done = careful = False
    value: Any = None
    error: BaseException | None = None

    def __init__(self, dog: Watchdog, function: Callable[..., Any], given: tuple[Any, ...]) -> None:
        self.dog, self.function, self.given = dog, function, given

    def result(self) -> Any:
        """The value that the call returned. Raises what it raised, or Died."""
        self.dog.wait_for(self)
        if self.error is not None:
            raise self.error
        return self.value

    def end(self, value: Any, error: BaseException | None = None) -> None:
        self.done, self.value, self.error = True, value, error

    def start(self) -> None:
        self.buffer = bytearray()
        self.message: tuple[str, Any] = "", None
        self.step = mmap.mmap(-1, 2 + _STEP_BYTES)
        self.noise: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self.pipe, end = os.pipe()
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, OSError, ValueError):
                stream.flush()
        self.pid = os.fork()
        if self.pid == 0:
            _child(self, end)  # never returns
        os.close(end)

    def read(self, tell: Callable[[str], None]) -> bool:
        """Reads what the child sent; False when it has ended."""
        data = os.read(self.pipe, 1 << 20)
        self.buffer += data
        while len(self.buffer) >= _HEADER:
            end = _HEADER + int.from_bytes(self.buffer[:_HEADER], "big")
            if len(self.buffer) < end:
                break
            what, value = pickle.loads(bytes(self.buffer[_HEADER:end]))
            del self.buffer[:end]
            if what == "tell":
                tell(value)
            else:
                self.message = what, value
        return bool(data)

    def close(self) -> None:
        os.close(self.pipe)
        self.step.close()
        self.noise.close()


def _child(run: Waited, end: int) -> None:
    """Runs in the fork: sets limits, does the work, sends the result, and exits without the parent's clean-up."""
    global _pipe, _one_by_one
    code = 1
    try:
        os.close(run.pipe)
        _pipe, _one_by_one = end, run.careful
        try:
            listen()
            # What libraries in other languages say as they die is for the parent; what Python prints goes where it went.
            sys.stderr = messages(os.dup(2))
            os.dup2(run.noise.fileno(), 2)
            _limit(run.step, run.careful)
            at("beginning")
            message: tuple[str, Any] = "done", run.function(*run.given)
        except KeyboardInterrupt:
            os._exit(INTERRUPTED)
        except MemoryError:
            message = "memory", None
        except BaseException as error:
            message = "raised", error
        idle()
        try:
            _send(message)
        except (pickle.PicklingError, TypeError, AttributeError):
            import traceback

            _send(("fault", "".join(traceback.format_exception(message[1])) if message[0] == "raised" else repr(message[1])))
        code = 0
    except BaseException:
        pass
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(BaseException):
                stream.flush()
        os._exit(code)


# -- in the parent


class Watchdog:
    """Runs functions in children, ``count`` at a time. A context manager, which ends those still running.

    ``tell`` is given their lines of progress. What they return travels by pickle, and so do exceptions.
    """

    def __init__(self, count: int = 1, tell: Callable[[str], None] = lambda text: None) -> None:
        self.count, self._tell = count, tell
        self._waiting: deque[Waited] = deque()
        self._running: dict[int, Waited] = {}
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> Watchdog:
        return self

    def __exit__(self, *_: object) -> None:
        self._end_all()
        self._selector.close()

    def submit(self, function: Callable[..., Any], *given: Any) -> Waited:
        """Starts a call as soon as one of ``count`` children is free; ``result`` waits for it."""
        run = Waited(self, function, given)
        if CAN_FORK:
            self._waiting.append(run)
            self._fill()
        return run

    def _fill(self) -> None:
        while self._waiting and len(self._running) < self.count:
            self._start(self._waiting.popleft())

    def _start(self, run: Waited) -> None:
        # A Ctrl-C between the fork and the note of it would leave a child that nobody ends.
        with deferred():
            run.start()
            self._running[run.pid] = run
        self._selector.register(run.pipe, selectors.EVENT_READ, run)

    def wait_for(self, run: Waited) -> None:
        """Waits until a call has ended; without children it is made here and now."""
        global _told
        if not CAN_FORK and not run.done:
            outer, _told = _told, self._tell
            try:
                run.end(run.function(*run.given))
            finally:
                _told = outer
        while not run.done:
            for key, _ in self._selector.select():
                if not key.data.read(self._tell):
                    self._ended(key.data)

    def _ended(self, run: Waited) -> None:
        _, status = os.waitpid(run.pid, 0)
        self._selector.unregister(run.pipe)
        del self._running[run.pid]
        what, value = run.message
        run.noise.seek(0)
        said = run.noise.read()
        if what == "done":
            if said:  # what a library printed
                os.write(2, said)
            run.end(value)
        elif what == "raised":
            run.end(None, value)
        elif what == "fault":
            run.end(None, RuntimeError(value))
        elif os.WIFEXITED(status) and os.WEXITSTATUS(status) == INTERRUPTED:
            run.end(None, KeyboardInterrupt())
        else:
            step = bytes(run.step[2 : 2 + int.from_bytes(run.step[:2], "big")]).decode("utf-8", "replace")
            if step.endswith(" layers") and not run.careful:
                # Many things are set at once: once more, one by one, to say which of them it is.
                run.close()
                run.careful = True
                self._start(run)
                return
            run.end(None, Died(step, _why(run, status, said)))
        run.close()
        self._fill()

    def _end_all(self) -> None:
        self._waiting.clear()
        if not self._running:
            return
        for pid in self._running:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT)
        # A child ends its own children first, and then what they left.
        until = time.monotonic() + (2 * GRACE if _pipe is None else GRACE)
        for run in list(self._running.values()):
            while os.waitpid(run.pid, os.WNOHANG)[0] == 0:
                if time.monotonic() > until:
                    with suppress(ProcessLookupError):
                        os.kill(run.pid, signal.SIGKILL)
                    os.waitpid(run.pid, 0)
                    break
                time.sleep(0.01)
            del self._running[run.pid]
            run.close()


def _why(run: Waited, status: int, said: bytes) -> str:
    ended = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if run.message[0] == "memory" or b"memory allocation of" in said or b"bad_alloc" in said:
        return f"it took more than {memory_limit() / 1e9:g} GB of memory"
    if ended == signal.SIGALRM:
        return f"it took more than {patience()} s"
    if ended == signal.SIGPROF:
        return f"it took more than {brief_limit(run.careful)} s of processor time"
    if ended == signal.SIGKILL:
        return "it was ended from outside, perhaps for want of memory"
    return f"a library crashed over it ({signal.Signals(ended).name if ended else f'exit code {os.WEXITSTATUS(status)}'})"


def guarded(work: Callable[[], int]) -> int:
    """Runs work that prints and returns an exit code in a child. Raises Died, KeyboardInterrupt."""
    with Watchdog() as dog:
        code: int = dog.submit(work).result()
        return code
