"""How long a rulebook of forty pages with sixty pictures takes: filling it in, its pictures, setting it, writing its files.

Run it in the project's folder; it needs nothing but a temporary folder, and says seconds and shares:

    .venv/bin/python tests/bench/books.py [--papers a4 letter] [--profile]

``--profile`` also lists the functions that take longest. Reading and drawing the cards is not counted: a build does that
anyway. The aim is 3 s in all for one paper on two cores.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bound import FACE, plain_game

from pnp.flows import publish as editing
from pnp.flows.pipeline import Pipeline
from pnp.flows.publish import files_of, publish
from pnp.read.presets import paper
from pnp.values.books import Counts
from pnp.values.outcome import NOWHERE, Options

PICTURES, PAGES = 60, 40
SENTENCE = "Whoever has the most balloons in the air at noon draws a card, and whoever has none looks up and waits. "


def book() -> str:
    """Sections with a picture each, three paragraphs, now and then a box, a table, a page number."""
    parts = ["# The long book\n\n{{ component_table() }}"]
    for number in range(1, PICTURES):
        picture = f'{{{{ face("cards", "card-{number}", width="34mm", caption="Card {number}.", alt="Card {number}") }}}}'
        parts += [f"## Section {number}", SENTENCE * 3, picture, SENTENCE * 2]
        if number % 4 == 0:
            parts.append(f'::: example How it goes\n{SENTENCE}See page {{{{ page("section-{number // 2}") }}}}.\n:::')
        if number % 6 == 0:
            parts.append("| coins | cards |\n|---|---|\n| 1 | {{ count('cards') }} |\n| 2 | {{ sheets('rulebook') }} |")
    return "\n\n".join(parts)


def art(number: int) -> str:
    """A drawing of some two hundred shapes, as cards have."""
    shapes = "".join(
        f'<circle cx="{(number * 7 + step * 13) % 60}" cy="{(step * 17 + number) % 40}" r="{1 + step % 5}" '
        f'fill="#{(step * 37 + number) % 256:02x}{step % 256:02x}{(step * 91) % 256:02x}"/>'
        for step in range(200)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40">{shapes}</svg>'


def main() -> None:
    """Build the book once and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", nargs="+", default=["a4"])
    parser.add_argument("--profile", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pnp-bench-") as name:
        rows = [f'card-{number},Card {number},"{SENTENCE.strip()}"' for number in range(1, PICTURES + 1)]
        made = plain_game(Path(name), book(), table="\n".join(["id,name,rules", *rows, ""]))
        made.write(
            "templates/tiny/cards.svg.j2", FACE.replace("{% endblock %}", "{{ s.icon(row.id, 6, 20, 51) }}\n{% endblock %}")
        )
        for number in range(1, PICTURES + 1):
            made.write(f"content/tiny/art/card-{number}.svg", art(number))
        way = Pipeline(made.project, "tiny", Options(NOWHERE), tell=print)
        drawn, faces, problems = way.drawn, way.book, way.problems
        assert drawn is not None and faces is not None and not problems.errors, [str(problem) for problem in problems]
        spent: Counter[str] = Counter()
        profile = cProfile.Profile()
        with timed(spent):
            started, working = time.perf_counter(), time.process_time()
            if chosen.profile:
                profile.enable()
            printed = {paper(each): Counts() for each in chosen.papers}
            editions = publish(drawn, faces, printed, problems, lambda _: None)
            between = time.perf_counter()
            files = {name: data for name, _, data in files_of(drawn.game, editions)}
            profile.disable()
            whole, working = time.perf_counter() - started, time.process_time() - working
            spent["booklet and page for the phone"] = time.perf_counter() - between
    assert not problems.errors, [str(problem) for problem in problems]
    print(f"the processor was at work for {working:.2f} s")
    tell(spent, whole, [(edition.paper.name, edition.small.pages, len(edition.shots)) for edition in editions], files)
    if chosen.profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)


@contextmanager
def timed(spent: Counter[str]) -> Iterator[None]:
    """Put down how long the parts take, while all goes its usual way."""

    def watched(what: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any, **named: Any) -> Any:
            started = time.perf_counter()
            try:
                return function(*given, **named)
            finally:
                spent[what] += time.perf_counter() - started

        return run

    parts = (
        (editing.Reader, "text", "filling"),
        (editing.Typesetter, "shoot", "pictures"),
        (editing, "typeset", "setting"),
    )
    with (
        mock.patch.object(*parts[0][:2], watched(parts[0][2], getattr(*parts[0][:2]))),
        mock.patch.object(*parts[1][:2], watched(parts[1][2], getattr(*parts[1][:2]))),
        mock.patch.object(*parts[2][:2], watched(parts[2][2], getattr(*parts[2][:2]))),
    ):
        yield


def tell(spent: Counter[str], whole: float, made: list[tuple[str, int, int]], files: dict[str, bytes]) -> None:
    """The figures as a table."""
    for name, pages, pictures in made:
        print(f"{name}: {pages} pages of half the paper, {pictures} pictures")
    for what, seconds in [*spent.most_common(), ("the rest", whole - spent.total())]:
        print(f"{what:<32}{seconds:6.2f} s{seconds / whole:7.0%}")
    print(f"{'in all':<32}{whole:6.2f} s")
    for name, data in files.items():
        print(f"{name:<32}{len(data) / 1e6:6.2f} MB")


if __name__ == "__main__":
    main()
