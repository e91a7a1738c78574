"""How long a deck takes from cold, how much memory and how large the PDF is; not a test, for times are no facts.

    python tests/bench/cards.py [54 500 5000 20000] [--table cards.csv] [--picture growth.svg]
    python tests/bench/cards.py --held

Each deck is so many cards, all different, through one template, as poker cards on A4, 3 × 3, crop marks, duplex. With
``--table`` they are the rows of a file with columns id, name, kind, cost, text. "MB" is the most that all processes of a
build held together, "again" is a build after nothing has changed, "one row" after one cell has. The floor is a script that
draws the same faces with reportlab by hand, without reading a table or a template. Where ``$PNP_RIVAL`` is a Python that
has protograf, the deck is made with that, too. Seconds are those of the clock, "CPU" are those of the processors, which
other work on the machine hardly changes; a ratio is the CPU of the build from cold to that of the other. ``--picture`` draws
how time and memory grow. ``--held`` only holds a deck of 500 against what the page about speed says.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "how-it-works" / "speed.md"
SAID = re.compile(r"\b500 cards take (\d+(?:\.\d+)?) times the processor time of the floor\b")
SLACK = 1.2
TABLES = ("Unit", "Spell", "Relic", "Terrain")
VERBS, THINGS = ("Gain", "Lose", "Draw", "Move", "Discard"), ("coins", "cards", "shields", "steps")
GAME = """[game]
name = "Bench"
papers = ["a4"]

[table.cards.columns]
cost = { type = "whole" }

[component.cards]
size = "poker"
back = "back"
"""
CARD = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}
{{ s.ground(face, "#f4efe2") }}
<circle cx="9" cy="9" r="5" fill="#204060"/>
{{ s.icon("icon", 16.75, 18, 30) }}
{{ s.text(row.cost, 4, 5, 10, 8, size="14", fill="#ffffff", weight=700, name="cost") }}
{{ s.text(row.name, 16, 5, 44, 8, size="13 8", weight=700, name="title", align="left") }}
{{ s.text(row.text, 5, 50, 53.5, 28, size="11 6", name="rules") }}
{{ s.text(row.kind, 5, 80, 53.5, 5, size="8", style="italic", name="kind") }}
{% endblock %}
"""
BACK = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}
{{ s.ground(face, "#204060") }}
{{ s.icon("back", 0, 0, 63.5, 88.9) }}
{% endblock %}
"""


def rows(count: int) -> Sequence[Mapping[str, object]]:
    """Cards as those of the shared bench: a title, a kind, a cost, one to four sentences."""
    made = []
    for number in range(1, count + 1):
        sentences = [
            f"{VERBS[(number + step) % 5]} {(number * (step + 3)) % 5 + 1} {THINGS[(number + step) % 4]}, "
            f"then choose a neighbour and {VERBS[(number * 2 + step) % 5].lower()} {step + 1}."
            for step in range(number % 4 + 1)
        ]
        made.append(
            {
                "id": f"C{number:05}",
                "name": f"{TABLES[number % 4]} number {number}",
                "kind": TABLES[number % 4],
                "cost": number % 7,
                "text": " ".join(sentences),
            }
        )
    return made


def project(folder: Path, made: Sequence[Mapping[str, object]], art: Path) -> None:
    """A project with one game of these cards."""
    game = folder / "content" / "bench"
    (game / "art").mkdir(parents=True)
    (game / "templates").mkdir()
    (game / "game.toml").write_text(GAME, encoding="utf-8")
    (game / "templates" / "cards.svg.j2").write_text(CARD, encoding="utf-8")
    (game / "templates" / "back.svg.j2").write_text(BACK, encoding="utf-8")
    for name in ("icon.svg", "back.svg"):
        shutil.copyfile(art / name, game / "art" / name)
    with (game / "cards.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["id", "name", "kind", "cost", "text"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(made)


@dataclass(frozen=True, slots=True)
class Took:
    """What a whole process took: seconds of the clock, of the processors, and MB; what its helpers take counts too."""

    seconds: float
    processor: float
    memory: float


def timed(*command: str | Path, folder: Path, **settings: str) -> Took:
    """Run a command in a folder."""
    environment = {**os.environ, **settings}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    used, before = processor(), time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as child:
        most = 0.0
        while child.poll() is None:
            most = max(most, sum(map(held, family(child.pid))))
            time.sleep(0.02)
    if child.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed ({child.returncode})")
    return Took(time.perf_counter() - before, processor() - used, most)


def processor() -> float:
    """Processor seconds of all processes that were started here and have ended, with theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def build(folder: Path) -> Took:
    """Build the game of a project."""
    return timed(sys.executable, "-m", "pnp", "build", folder=folder, PNP_CACHE=str(folder / "cache"))


def floor(count: int, folder: Path) -> Took:
    """Draw the same faces by hand."""
    return timed(sys.executable, HERE / "floor.py", str(count), folder / "floor.pdf", folder=folder)


def rival() -> str:
    """The Python that has protograf, or nothing."""
    python = os.environ.get("PNP_RIVAL", "")
    if not python:
        print("protograf is skipped: set PNP_RIVAL to the path of a Python that has it")
    elif not shutil.which(python) or subprocess.run([python, "-c", "import protograf"], capture_output=True).returncode:
        sys.exit(f"PNP_RIVAL is {python}, which cannot import protograf: install it there, or unset PNP_RIVAL")
    return python


def family(process: int) -> list[int]:
    """A process, its children and theirs; they may be gone by now."""
    found = [process]
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            found += [each for child in (thread / "children").read_text().split() for each in family(int(child))]
    return found


def held(process: int) -> float:
    """MB of memory that a process holds."""
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a deck."""

    cards: int
    cold: Took
    size: float
    again: Took
    changed: Took
    floor: Took
    rival: Took | None

    def __str__(self) -> str:
        shown = (
            f"{self.cards:>6} {self.cold.seconds:>7.2f} {self.cold.processor:>6.2f} {self.cold.memory:>5.0f} "
            f"{self.size:>7.0f} {self.again.seconds:>8.2f} {self.changed.seconds:>10.2f}"
        )
        for other, width in ((self.floor, 8), (self.rival, 12)):
            if other:
                ratio = self.cold.processor / other.processor
                shown += f" {other.seconds:>{width}.2f} {other.processor:>6.2f} {ratio:>6.2f}"
        return shown


HEAD = f"{'cards':>6} {'cold s':>7} {'CPU':>6} {'MB':>5} {'PDF kB':>7} {'again s':>8} {'one row s':>10}"
HEAD += f" {'floor s':>8} {'CPU':>6} {'ratio':>6}"


def measure(made: Sequence[Mapping[str, object]], rival: str) -> Measured:
    """Build a deck from cold, again, and after one cell has changed."""
    with tempfile.TemporaryDirectory(prefix="pnp-bench-") as name:
        folder = Path(name)
        project(folder, made, HERE / "art")
        cold, again = build(folder), build(folder)
        game = folder / "content" / "bench"
        table = game / "cards.csv"
        table.write_text(table.read_text(encoding="utf-8").replace("number 7,", "number seven,", 1), encoding="utf-8")
        changed = build(folder)
        size = (folder / "output" / "bench" / "a4" / "cards.pdf").stat().st_size / 1000
        by_hand = floor(len(made), folder)
        other = timed(rival, HERE / "rival.py", game, folder / "rival.pdf", folder=folder) if rival else None
        return Measured(len(made), cold, size, again, changed, by_hand, other)


def hold() -> None:
    """Compare the ratio of 500 cards with the page, for a change may not make builds slower unseen; processor time alone,
    and medians of three in turn, so that other work on the machine does not count."""
    said = SAID.findall(" ".join(PAGE.read_text(encoding="utf-8").split()))
    if len(said) != 1:
        sys.exit(
            f'{PAGE} must say once "500 cards take N times the processor time of the floor", but does {len(said)} times'
        )
    builds, floors = [], []
    for _ in range(3):
        with tempfile.TemporaryDirectory(prefix="pnp-bench-") as name:
            project(Path(name), rows(500), HERE / "art")
            builds.append(build(Path(name)).processor)
            floors.append(floor(500, Path(name)).processor)
    ratio = median(builds) / median(floors)
    found = f"500 cards take {ratio:.1f} times the processor time of the floor; {PAGE.name} says {said[0]}"
    if ratio > SLACK * float(said[0]):
        sys.exit(f"{found}: make the build as fast as it was, or write on the page why it takes longer")
    print(found)


WIDTH, HEIGHT, LEFT, BELOW = 420, 300, 56, 44


def picture(measured: Sequence[Measured], target: Path) -> None:
    """Seconds and MB over the number of cards; both scales double and double again, so that a straight line at 45° is growth
    in proportion."""
    import svgwrite

    drawing = svgwrite.Drawing(str(target), size=(2 * WIDTH, HEIGHT), viewBox=f"0 0 {2 * WIDTH} {HEIGHT}")
    drawing.add(drawing.rect((0, 0), (2 * WIDTH, HEIGHT), fill="#ffffff"))
    for number, (title, unit, colour, marks, value) in enumerate(
        (
            ("seconds from cold", "s", "#0072b2", (0.5, 1, 2, 4, 8, 16, 32, 64, 128), lambda each: each.cold.seconds),
            ("memory", "MB", "#d55e00", (64, 128, 256, 512, 1024, 2048), lambda each: each.cold.memory),
        )
    ):
        chart = drawing.add(drawing.g(transform=f"translate({number * WIDTH} 0)", font_family="sans-serif", font_size=12))
        cards = [each.cards for each in measured]

        def at(x: float, y: float, marks: tuple[float, ...] = marks, cards: list[int] = cards) -> tuple[float, float]:
            along = math.log(x / cards[0]) / math.log(cards[-1] / cards[0])
            up = math.log(y / marks[0]) / math.log(marks[-1] / marks[0])
            wide, high = WIDTH - LEFT - 24, HEIGHT - BELOW - 40
            return round(LEFT + along * wide, 2), round(40 + (1 - up) * high, 2)

        chart.add(drawing.text(title, (LEFT, 22), font_weight="bold", font_size=14))
        for mark in marks:
            chart.add(drawing.line(at(cards[0], mark), at(cards[-1], mark), stroke="#cccccc"))
            chart.add(drawing.text(f"{mark:g} {unit}", (LEFT - 8, at(cards[0], mark)[1] + 4), text_anchor="end"))
        for count in cards:
            anchor = "end" if count == cards[-1] else "middle"
            chart.add(drawing.text(f"{count:,}", (at(count, marks[0])[0], HEIGHT - BELOW + 18), text_anchor=anchor))
        chart.add(drawing.text("cards", (LEFT, HEIGHT - 8)))
        points = [at(each.cards, value(each)) for each in measured]
        chart.add(drawing.polyline(points, fill="none", stroke=colour, stroke_width=2.5))
        for point in points:
            chart.add(drawing.circle(point, 4, fill=colour))
    drawing.save(pretty=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("counts", nargs="*", type=int, default=[54, 500, 5000])
    parser.add_argument("--table", type=Path)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--held", action="store_true")
    chosen = parser.parse_args()
    if chosen.held:
        hold()
        return
    print(f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores")
    python = rival()
    print(HEAD + (f" {'protograf s':>12} {'CPU':>6} {'ratio':>6}" if python else ""))
    measured = []
    for count in chosen.counts:
        made = rows(count)
        if chosen.table:
            with chosen.table.open(newline="", encoding="utf-8") as file:
                made = list(csv.DictReader(file))[:count]
        measured.append(measure(made, python))
        print(measured[-1], flush=True)
    if chosen.picture:
        picture(measured, chosen.picture)


if __name__ == "__main__":
    main()
