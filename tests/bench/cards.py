"""How long a deck takes from cold, how much memory and how large the PDF is; not a test, for times are no facts.

    python tests/bench/cards.py [54 500 5000 20000]

Each deck is the cards of ``cards500.csv`` (of the shared bench, or made like them) through one template, as poker cards on
A4, 3 × 3, crop marks, duplex. "again" is a build after nothing has changed, "one row" after one cell has. The floor is a
script that draws the same faces with reportlab by hand, without reading a table or a template.
"""

from __future__ import annotations

import csv
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
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


def rows(count: int) -> list[dict[str, object]]:
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


def project(folder: Path, count: int, art: Path) -> None:
    """A project with one game of so many different cards."""
    game = folder / "content" / "bench"
    (game / "art").mkdir(parents=True)
    (game / "templates").mkdir()
    (game / "game.toml").write_text(GAME, encoding="utf-8")
    (game / "templates" / "cards.svg.j2").write_text(CARD, encoding="utf-8")
    (game / "templates" / "back.svg.j2").write_text(BACK, encoding="utf-8")
    for name in ("icon.svg", "back.svg"):
        shutil.copyfile(art / name, game / "art" / name)
    with (game / "cards.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["id", "name", "kind", "cost", "text"])
        writer.writeheader()
        writer.writerows(rows(count))


def run(folder: Path, *more: str) -> tuple[float, float]:
    """Seconds and MB of a whole process that builds the game."""
    environment = {**os.environ, "PNP_CACHE": str(folder / "cache")}
    before = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-m", "pnp", "build", *more],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"the build failed ({status})")
    return time.perf_counter() - before, used.ru_maxrss / 1024


def floor(count: int, target: Path) -> float:
    """Seconds of a whole process that draws the same faces by hand."""
    before = time.perf_counter()
    subprocess.run([sys.executable, str(HERE / "floor.py"), str(count), str(target)], check=True)
    return time.perf_counter() - before


def main() -> None:
    art = HERE / "art"
    print(f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores")
    print(f"{'cards':>6} {'cold s':>7} {'MB':>5} {'PDF kB':>7} {'again s':>8} {'one row s':>10} {'floor s':>8} {'ratio':>6}")
    for count in [int(text) for text in sys.argv[1:]] or [54, 500, 5000]:
        with tempfile.TemporaryDirectory(prefix="pnp-bench-") as name:
            folder = Path(name)
            project(folder, count, art)
            cold, memory = run(folder)
            again, _ = run(folder)
            table = folder / "content" / "bench" / "cards.csv"
            table.write_text(table.read_text(encoding="utf-8").replace("number 7,", "number seven,", 1), encoding="utf-8")
            changed, _ = run(folder)
            size = (folder / "output" / "bench" / "a4" / "cards.pdf").stat().st_size / 1000
            least = floor(count, folder / "floor.pdf")
            print(
                f"{count:>6} {cold:>7.2f} {memory:>5.0f} {size:>7.0f} {again:>8.2f} {changed:>10.2f} {least:>8.2f} "
                f"{cold / least:>6.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
