"""Rules that would run without end, or fill the memory, are refused or cut short: each is told at its place."""

from __future__ import annotations

import time

import pytest
from conftest import TinyProject

from pnp.flows.check import check_game

# Each takes a second or less on an idle machine.
SECONDS = 30.0
CARDS = '[game]\nname = "T"\n[component.cards]\nsize = "tcg"\n'
BOARD = '[game]\nname = "T"\n[component.board]\nkind = "board"\nmap = "map.txt"\nlegend = "legend"\ncell = "5mm"\n'
REFERRING = "".join(f'{column} = {{ table = "cards", optional = true }}\n' for column in ("n", "m", "g"))
TWICE = "".join(f"c{i},{f'c{i - 1}' if i else ''},{f'c{i - 1}' if i else ''},c{i}\n" for i in range(2000))
GROUPS = " ".join(str(100 + i % 900) for i in range(3000))


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"rules.toml": "[words.counts]\n" + "".join(f'"say # of {i}" = {i}\n' for i in range(3000))}, "2000 are the most"),
        ({"rules.toml": "[words]\nterms = [" + '"termination",' * 3000 + "]\n"}, "there are 3000, and 2000 are the most"),
        ({"rules.toml": "[numbers]\n" + "".join(f"n{i} = 1\n" for i in range(600))}, "there are 600, and 500 are the most"),
        (
            {"rules.toml": '[words.counts]\n"# # # # a" = [1, 2, 3, 4]\n', "cards.csv": f'id,name\nx,"{GROUPS} a"\n'},
            "but the number there is 1",
        ),
        ({"rules.toml": '[words.counts]\n"# # # # # a" = [1, 2, 3, 4, 5]\n'}, "4 # at most"),
        (
            {
                "game.toml": BOARD,
                "rules.toml": '[movement.board]\nstarts = ["sea"]\ngoals = ["sea"]\noccupied = ["rock"]\n',
                "map.txt": "\n".join(["~" * 139 + "#"] * 140),
                "legend.csv": "letter,kind,name\n~,sea,Sea\n#,rock,Rock\n",
            },
            "was not looked at: 19460 starts and 19460 goals",
        ),
        (
            {
                "rules.toml": '[[colours]]\ntable = "cards"\ncolumn = "colour"\nbeside = "id"\n',
                "cards.csv": "id,colour\n" + "".join(f"c{i},#{i * 4099:06x}\n" for i in range(1000)),
            },
            "has 1000 colours",
        ),
    ],
    ids=["phrases", "terms", "numbers", "groups", "marks", "movement", "colours"],
)
def test_too_much_is_told(files: dict[str, str], told: str, tiny: TinyProject) -> None:
    """What it takes is bounded, and the Problem says what was too much."""
    assert told in " ".join(found(tiny, files))


def test_an_economy_that_doubles_is_counted(tiny: TinyProject) -> None:
    """Each card needs the one before it twice: the last takes 2 to the power of 2000 exchanges, and is earned."""
    economy = '[economy]\nearn = ["cards"]\n[[exchange]]\nof = "cards"\nneeds = ["n", "m"]\ngives = ["g"]\n'
    files = {
        "game.toml": f"{CARDS}[table.cards.columns]\n{REFERRING}",
        "rules.toml": economy,
        "cards.csv": f"id,n,m,g\n{TWICE}",
    }

    assert found(tiny, files) == []


def found(tiny: TinyProject, files: dict[str, str]) -> list[str]:
    """What is wrong with the tiny game, found soon."""
    for name, text in {"game.toml": CARDS, "cards.csv": "id,name\na,Anna\n", **files}.items():
        tiny.write(f"content/tiny/{name}", text)
    for template in ("cards", "board"):
        tiny.write(f"templates/tiny/{template}.svg.j2", '<svg xmlns="http://www.w3.org/2000/svg"/>')
    started = time.monotonic()
    result = check_game(tiny.project, "tiny", lambda _: None, draw=False)
    assert time.monotonic() - started < SECONDS
    return [str(problem) for problem in result.problems]
