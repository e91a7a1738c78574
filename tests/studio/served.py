"""A studio that serves a small project, and a browser that opens it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pytest
from commands import run

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# How long a page may take, in ms: the machine may be at other tests as well.
PATIENCE = 40_000
# A window whose dialogues need not slide in first.
WINDOW: Any = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}


@dataclass(slots=True)
class Served:
    """A studio in a process of its own, as a person starts it."""

    root: Path
    process: subprocess.Popen[str]
    output: IO[str]
    address: str
    """With a token that is good once."""
    errors: IO[str]
    complained: str = ""
    """What it said on standard error, once it has stopped."""

    @property
    def base(self) -> str:
        return self.address.partition("/game")[0].partition("/?")[0]

    def next_address(self) -> str:
        """The one that is printed once the last was used."""
        return _address(self.output)

    def stop(self) -> int:
        """What Ctrl-C comes to."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(20)
        self.output.close()
        self.errors.seek(0)
        self.complained = self.errors.read()
        self.errors.close()
        return code


def _address(output: IO[str]) -> str:
    line = output.readline()
    found = re.search(r"http://\S+", line)
    assert found is not None, line
    return found[0]


def free_port() -> int:
    """One that nobody has."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def serve(root: Path, *args: str) -> Served:
    """``pnp studio`` for a project, with a cache of its own."""
    errors = tempfile.TemporaryFile("w+")  # noqa: SIM115
    environment = {**os.environ, "XDG_CACHE_HOME": str(root / "cache")}
    process = subprocess.Popen(
        [sys.executable, "-m", "pnp", "--project", str(root), "studio", *args, "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        env=environment,
    )
    assert process.stdout is not None
    return Served(root, process, process.stdout, _address(process.stdout), errors)


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the game that ``pnp new`` begins."""
    root = tmp_path_factory.mktemp("studio")
    assert run("new", "deck", at=root).code == 0
    return root


@pytest.fixture(scope="module")
def served(deck: Path) -> Iterator[Served]:
    """The studio with this game on its desk."""
    made = serve(deck, "deck")
    yield made
    if made.process.poll() is None:
        made.stop()


def promptly(theirs: Callable[..., None]) -> Callable[..., None]:
    """``Locator.wait_for`` that looks again at once: Playwright's own does so but twice a second, once 0.3 s are over."""

    def wait(locator: Locator, *, timeout: float = PATIENCE, state: str = "visible") -> None:
        until = time.monotonic() + timeout / 1000
        come = {
            "visible": locator.is_visible,
            "hidden": locator.is_hidden,
            "attached": locator.count,
            "detached": lambda: not locator.count(),
        }[state]
        while not come():
            if time.monotonic() > until:
                theirs(locator, timeout=1, state=state)  # says what is missing
            locator.page.wait_for_timeout(25)

    return wait


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium without a window. Where it is not installed the test is left out, but never in CI."""
    from playwright.sync_api import Locator, sync_playwright

    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None and "CI" not in os.environ:
        pytest.skip("there is no Chromium (apt-get install chromium-headless-shell)")
    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Locator, "wait_for", promptly(Locator.wait_for))
        made = playwright.chromium.launch(executable_path=found or CHROMIUM[0], args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture(scope="module")
def page(browser: Browser, served: Served) -> Iterator[Page]:
    """The game's page, with its first cards drawn; whatever the browser complains of fails the tests."""
    made = browser.new_page(**WINDOW)
    made.set_default_timeout(PATIENCE)
    complaints: list[str] = []
    asked: list[str] = []
    made.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    made.on("pageerror", lambda error: complaints.append(str(error)))
    made.on("request", lambda request: asked.append(request.url))
    made.goto(served.address)
    made.wait_for_function("(i => i && i.complete && i.naturalWidth > 0)(document.querySelector('.face img'))")
    yield made
    made.close()
    assert complaints == [], complaints
    ours = (served.base, served.base.replace("http", "ws"), "data:", "blob:")
    assert [url for url in asked if not url.startswith(ours)] == []


def tab(page: Page, name: str) -> None:
    """Let the canvas show this view: by the switch above it, or the button that leads to printing."""
    page.get_by_role("button" if name == "Print" else "tab", name=name, exact=True).click()


def wait_for(page: Page, said: str) -> None:
    """Until the line that says what was done says this."""
    page.get_by_role("status").filter(has_text=said).first.wait_for()


def cell(page: Page, row: int, column: str) -> None:
    """Choose a cell of the grid by its row's number in the file and the title of its column."""
    title = page.locator(".ag-header-cell-text", has_text=re.compile(f"^{column}$"))
    head = page.locator(".ag-header-cell", has=title).get_attribute("col-id")
    page.locator(f'.ag-row[row-id="{row}"] [col-id="{head}"]').click()
