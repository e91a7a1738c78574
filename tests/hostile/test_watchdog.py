"""Games that would hang, fill the memory or crash a library: each is named, the others are built, and nothing is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import ROOT, TINY_GAME, TINY_TABLE, TINY_TEMPLATE, TinyProject

from pnp.system.watchdog import CAN_FORK, Died, Watchdog, at, brief_limit, unhurried

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="there is no fork here")
LIMITS = {"PNP_MEMORY": "600", "PNP_PATIENCE": "5"}
SHORT = "3"
"""Seconds for what only reads."""
LOOP = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
CLAIM = '[claim.long]\nsays = "Nobody waits."\nexpect = "sum(range(100000)) > n"\nfor = "n in range(9999)"\n'
PATTERN = '<pattern id="p{}" width="1" height="1"><rect width="1" height="1" fill="url(#p{})"/></pattern>'
PATTERNS = "".join(PATTERN.format(n, n - 1) for n in range(1, 3000))
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
CRASHING = f'{SVG}<defs>{PATTERNS}</defs><rect width="9" height="9" fill="url(#p2999)"/></svg>'


def start(root: Path, *words: str) -> subprocess.Popen[str]:
    """``pnp`` in a project, with narrow limits."""
    narrow = {**os.environ, **LIMITS, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-m", "pnp", *words], cwd=root, env=narrow, text=True, **pipes)


def ran(root: Path, *words: str) -> tuple[int, str]:
    process = start(root, *words)
    out, err = process.communicate(timeout=120)
    assert "Traceback" not in err, err
    return process.returncode, out + err


def beside(tiny: TinyProject) -> None:
    """A second game, with which nothing is wrong."""
    tiny.write("content/well/game.toml", TINY_GAME.replace("Tiny", "Well"))
    tiny.write("content/well/cards.csv", TINY_TABLE)
    tiny.write("templates/well/cards.svg.j2", TINY_TEMPLATE)


@pytest.mark.parametrize(
    ("template", "why"),
    [
        (LOOP, "more than 1 s of processor time"),
        ("{{ ('a' * 900000000) | length }}{{ ('b' * 900000000) | length }}", "GB of memory"),
    ],
)
def test_a_template_without_end_is_named_and_the_other_game_is_built(tiny: TinyProject, template: str, why: str) -> None:
    """With piece, row and reason; what was built of it before stays."""
    beside(tiny)
    assert ran(tiny.project.root, "build")[0] == 0
    before = (tiny.project.root / "output/tiny/a4/print.pdf").read_bytes()
    tiny.write("templates/tiny/cards.svg.j2", TINY_TEMPLATE.replace("{% block face %}", "{% block face %}" + template))
    tiny.write("content/well/cards.csv", TINY_TABLE.replace("Anna", "Zoe"))

    code, said = ran(tiny.project.root, "build")

    assert code == 1
    assert "drawing cards/anna (content/tiny/cards.csv:2): it took" in said and why in said
    assert "well: 2 pieces" in said
    assert (tiny.project.root / "output/tiny/a4/print.pdf").read_bytes() == before
    assert not [*tiny.project.root.rglob(".pnp-*/")]


@pytest.mark.parametrize("command", [("preview", "tiny", "cards"), ("count", "tiny")])
def test_every_command_that_draws_is_guarded(tiny: TinyProject, command: tuple[str, ...]) -> None:
    """A sentence, whichever it is."""
    tiny.put(cards_svg_j2=TINY_TEMPLATE.replace("{% block face %}", "{% block face %}" + LOOP))

    code, said = ran(tiny.project.root, *command)

    assert code == 1 and "drawing cards/anna (content/tiny/cards.csv:2): it took more than" in said


@pytest.mark.parametrize(
    ("file", "text", "named"),
    [
        ("rulebook.md", f"# Tiny\n{LOOP}\n", "reading the book rulebook (content/tiny/rulebook.md)"),
        ("rules.toml", CLAIM, "judging claim.long (content/tiny/rules.toml:1:claim.long)"),
    ],
)
def test_what_else_a_game_computes_is_guarded(
    tiny: TinyProject, file: str, text: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Books and claims, by their places."""
    monkeypatch.setitem(LIMITS, "PNP_PATIENCE", SHORT)
    tiny.write(f"content/tiny/{file}", text)

    code, said = ran(tiny.project.root, "check")

    assert code == 1 and f"{named}: it took more than" in said, said


def test_a_drawing_that_crashes_the_engine_is_named(tiny: TinyProject) -> None:
    """Many drawings are set at once; once more, one by one, they tell which it was."""
    tiny.write("content/tiny/art/bert.svg", CRASHING)
    tiny.write("content/tiny/art/anna.svg", f'{SVG}<path d="M0 0h9v9z"/></svg>')
    art = "{{ s.icon(picture('someone'), 5, 20, 20) }}{% endblock %}"
    tiny.write("templates/tiny/cards.svg.j2", TINY_TEMPLATE.replace("{% endblock %}", art))

    code, said = ran(tiny.project.root, "build")

    assert code == 1
    assert "cards/bert" in said and "cards/anna" not in said, said


def test_a_font_without_end_is_named(tiny: TinyProject) -> None:
    """A collection that says it has four thousand million."""
    (tiny.game / "fonts").mkdir()
    (tiny.game / "fonts/many.ttc").write_bytes(b"ttcf\x00\x01\x00\x00" + b"\xff" * 99)

    for command in ("check", "doctor"):
        code, said = ran(tiny.project.root, command)
        assert code == 1 and "reading the fonts of tiny: it took more than 1 s of processor time" in said


def test_both_looks_at_what_never_ends_take_less_than_ten_seconds() -> None:
    """All drawings at once, then one by one, by the usual limits."""
    assert brief_limit() + brief_limit(careful=True) <= 7


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here, too."""
    monkeypatch.setattr("pnp.system.watchdog.CAN_FORK", True)


@pytest.mark.usefixtures("children")
def test_what_a_child_raises_and_returns_comes_over() -> None:
    """Values and exceptions, in the order in which they are asked for; progress as it comes."""
    told: list[str] = []

    def double(number: int) -> int:
        if number == 3:
            raise FileNotFoundError(2, "none", "three.csv")
        return 2 * number

    with Watchdog(2, told.append) as dog:
        waiting = [dog.submit(double, number) for number in range(5)]
        assert [waiting[at].result() for at in (4, 0)] == [8, 0]
        with pytest.raises(FileNotFoundError, match=r"three\.csv"):
            waiting[3].result()


@pytest.mark.usefixtures("children")
def test_a_child_that_is_killed_says_what_it_was_at() -> None:
    """As the system does for want of memory."""

    def work() -> None:
        at("drawing cards/imp (cards.csv:7)")
        os.kill(os.getpid(), signal.SIGKILL)

    with Watchdog() as dog, pytest.raises(Died, match=r"drawing cards/imp \(cards.csv:7\): it was ended from outside"):
        dog.submit(work).result()


@pytest.mark.parametrize("brief", [False, True])
def test_reading_pictures_is_no_part_of_a_brief_step(children: None, monkeypatch: pytest.MonkeyPatch, brief: bool) -> None:
    """A board with several large pictures takes longer than a card may; what its template computes does not."""
    monkeypatch.setenv("PNP_PATIENCE", "10")

    def work() -> str:
        at("drawing board/sea", brief=True)
        with unhurried():
            busy(0.0 if brief else 1.3)
        busy(1.3 if brief else 0.0)
        return "drawn"

    def busy(seconds: float) -> None:
        until = time.process_time() + seconds
        while time.process_time() < until:
            pass

    with Watchdog() as dog:
        if brief:
            with pytest.raises(Died, match="processor time"):
                dog.submit(work).result()
        else:
            assert dog.submit(work).result() == "drawn"
