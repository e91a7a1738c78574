"""``pnp simulate`` and ``pnp ink``: what is shown and counted is what a build prints."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import run
from conftest import TinyProject, paths_in, toml
from PIL import Image
from pypdf import PdfReader

from pnp.write.png import coverage, render, seen

# Twenty cards on three A4 sheets, and a die that is folded: its sheet, and the page that shows how.
GAME = toml("""
game: name = "Tiny"; papers = ["a4", "letter"]
cards: size = "tcg"; paper = "card, 300 g/m²"; back = "back"
six: kind = "die"; size = "16mm"; sides = 6; paper = "card, 160-200 g/m²"
""")
BACK = """{% extends "shared/face.svg.j2" %}
{% block face %}<rect x="-3" y="-3" width="69" height="94" fill="#000000"/>{% endblock %}
"""
DIE = """{% extends "shared/face.svg.j2" %}
{% block face %}<rect x="0" y="0" width="10" height="10" fill="#cc3300"/>{% endblock %}
"""


@pytest.fixture
def game(tiny: TinyProject) -> TinyProject:
    """The tiny game with backs and a die."""
    tiny.put(
        game_toml=GAME, cards_csv="name,text,copies\nAnna,Draw two.,12\nBert,Pass.,8\n", back_svg_j2=BACK, six_svg_j2=DIE
    )
    return tiny


def shown(game: TinyProject) -> dict[str, Image.Image]:
    """The pictures of a simulation, and that nothing else was written."""
    folder = game.project.root / "output" / "tiny" / "simulate"
    assert {path.parent for path in paths_in(folder.parent)} <= {folder}
    return {path.name: Image.open(path).convert("RGB") for path in sorted(folder.iterdir())}


def halves(sheet: Image.Image, page: Image.Image) -> tuple[Image.Image, Image.Image]:
    """Left and right picture of a simulated page of such a size."""
    gap = (sheet.width - 2 * page.width) // 3
    left = gap, gap, gap + page.width, gap + page.height
    right = left[0] + page.width + gap, gap, left[2] + page.width + gap, gap + page.height
    return sheet.crop(left), sheet.crop(right)


def pages_of(path: Path, dpi: int) -> list[Image.Image]:
    """The pages of a printed file as pictures."""
    return [Image.open(io.BytesIO(picture)).convert("RGB") for picture in render(path.read_bytes(), dpi)]


def measured(game: TinyProject, *arguments: str) -> dict[str, Any]:
    """What ``pnp ink --json`` says of the game."""
    done = run("ink", "tiny", "--json", *arguments, at=game.project.root)
    assert done.code == 0, done.err
    (entry,) = json.loads(done.out)["games"]
    return dict(entry)


@pytest.mark.parametrize(("component", "file"), [((), "print.pdf"), (("cards",), "cards.pdf")])
def test_the_pages_shown_are_those_that_are_printed(game: TinyProject, component: tuple[str, ...], file: str) -> None:
    """A picture for every page of the file: left to the dot as a build prints it, right as such eyes see it."""
    done = run("simulate", "deuteranopia", "tiny", *component, "--dpi", "50", at=game.project.root)
    pictures = shown(game)
    assert game.build().ok
    pages = pages_of(game.project.root / "output" / "tiny" / "a4" / file, 50)

    assert done.code == 0, done.err
    assert list(pictures) == [f"deuteranopia-{number:02}.png" for number in range(1, len(pages) + 1)]
    assert f"wrote output/tiny/simulate/deuteranopia-01.png to deuteranopia-{len(pages):02}.png" in done.out
    for sheet, page in zip(pictures.values(), pages, strict=True):
        before, after = halves(sheet, page)
        assert before.tobytes() == page.tobytes()
        assert after.tobytes() == seen(np.asarray(page), "deuteranopia").tobytes()


def test_every_kind_of_sight_has_pictures_of_its_own(game: TinyProject) -> None:
    """They are named by the sight, and those of another stay beside them."""
    kinds = ("deuteranopia", "protanopia", "tritanopia", "grey")
    for kind in kinds:
        done = run("simulate", kind, "tiny", "--pages", "3", "--dpi", "36", at=game.project.root)
        assert done.out == f"wrote output/tiny/simulate/{kind}-03.png\n"
    pictures = shown(game)

    assert set(pictures) == {f"{kind}-03.png" for kind in kinds}
    assert len({picture.tobytes() for picture in pictures.values()}) == 4


def test_another_paper_is_simulated_on_it(game: TinyProject) -> None:
    """Letter is wider than A4."""
    widths = []
    for paper in ("a4", "letter"):
        run("simulate", "grey", "tiny", "--paper", paper, "--pages", "3", "--dpi", "72", at=game.project.root)
        widths.append(shown(game)["grey-03.png"].width)

    assert widths[1] - widths[0] == pytest.approx(2 * (215.9 - 210) / 25.4 * 72, abs=4)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["simulate", "blindness", "tiny"], "'deuteranopia', 'protanopia', 'tritanopia', 'grey'"),
        (["simulate", "grey", "tiny", "card"], 'no component "card". Did you mean "cards"?'),
        (["simulate", "grey", "tiny", "--pages", "4-2"], '"4-2" is no page, such as 3'),
        (["simulate", "grey", "tiny", "--pages", "0"], '"0" is no page, such as 3'),
        (["simulate", "grey", "tiny", "cards", "--pages", "40"], "there is no page 40: cards.pdf on a4 has 6"),
        (["ink", "tiny", "--price", "-1"], "not below 0"),
        (["ink", "tiny", "--price", "nan"], "a price is a number such as 0.05"),
        (["build", "--price", "nan"], "a price is a number such as 0.05"),
        (["build", "--out", "content/tiny"], "content/ holds what games are made of"),
        (["check", "--out", "templates"], "templates/ holds what games are made of"),
    ],
)
def test_a_wrong_command_leaves_with_2(game: TinyProject, arguments: list[str], words: str) -> None:
    """What could be meant is said; nothing is written."""
    done = run(*arguments, at=game.project.root)

    assert done.code == 2
    assert words in done.err.replace("\n", " ")
    assert not (game.project.root / "output").exists()


def test_the_lines_are_those_of_the_print_plan(game: TinyProject) -> None:
    """As many sheets as the first page of ``print.pdf`` says, of names that are on it."""
    lines = measured(game)["lines"]
    assert game.build().ok
    reader = PdfReader(game.project.root / "output" / "tiny" / "a4" / "print.pdf")
    plan = " ".join(reader.pages[0].extract_text().split())

    assert [line["title"] for line in lines if line["title"].partition(":")[0] not in plan] == []
    assert f"{sum(line['sheets'] for line in lines)} sheets in all" in plan
    assert sum(line["pages"] for line in lines) == len(reader.pages) - 2


@pytest.mark.parametrize("way", ["", "low-ink", "grey"])
def test_the_ink_is_that_of_the_printed_pages(game: TinyProject, way: str) -> None:
    """The mean of each line is the mean of its pages in the file that a build writes, but for the lines and words beside
    the pieces: they are left out, and cover less than a hundredth of a page."""
    made = measured(game, *([f"--{way}"] if way else []))
    assert game.build(ink=way).ok
    printed = game.project.root / "output/tiny" / way / "a4/print.pdf"
    inks = [ink.total for ink in coverage(printed.read_bytes())][2:]

    for line in made["lines"]:
        own, inks = inks[: line["pages"]], inks[line["pages"] :]
        mean = sum(own) / len(own)
        # Of a page on which nothing but words and lines stands, they are a little more.
        least = mean - (3 if line["title"].startswith("How to") else 1)
        assert least < line["coverage"] < mean + 0.1, line["title"]
    assert inks == []


def test_paper_weighs_what_its_words_say(game: TinyProject) -> None:
    """A weight in the words is what a person buys: the one of game.toml where it is among them, else their middle."""
    lines = {line["paper"]: line for line in measured(game)["lines"]}
    assert {paper: line["weight"] for paper, line in lines.items()} == {
        "card, 300 g/m²": 300,
        "card, 160-200 g/m²": 180,
        "plain paper": 80,
    }
    assert lines["card, 300 g/m²"]["grams"] == pytest.approx(3 * 0.210 * 0.297 * 300, abs=0.1)

    changed = GAME.replace("card, 300 g/m²", "thick card").replace("sides = 6", "sides = 6\nweight = 190")
    game.write("content/tiny/game.toml", changed)
    lines = {line["paper"]: line for line in measured(game)["lines"]}
    assert (lines["thick card"]["weight"], lines["card, 160-200 g/m²"]["weight"]) == (250, 190)


def test_prices_are_those_that_are_given(game: TinyProject) -> None:
    """Each printed page at its price, each sheet at its own; without prices those that the help shows."""
    made = measured(game, "--price", "0.5", "--sheet-price", "0.25")
    for line in made["lines"]:
        assert line["cost"] == pytest.approx(0.5 * line["pages"] + 0.25 * line["sheets"])
    assert made["total"]["cost"] == pytest.approx(sum(line["cost"] for line in made["lines"]))

    total = measured(game)["total"]
    assert total["cost"] == pytest.approx(0.05 * total["pages"] + 0.02 * total["sheets"])


def test_the_table_says_what_json_says(game: TinyProject) -> None:
    """A line for each line of the plan and one for all, the numbers below their heads; no file is written."""
    made = measured(game)
    done = run("ink", "tiny", at=game.project.root)
    name, heads, *lines, total, note = done.out.splitlines()

    assert (done.code, name) == (0, "tiny")
    assert heads.split("  ")[0] == "print plan" and heads.endswith("cost")
    assert len({len(line) for line in (heads, *lines, total)}) == 1
    for line, entry in zip(lines, made["lines"], strict=True):
        assert line.startswith(entry["title"]) and entry["paper"] in line
        numbers = [int(word) for word in line.split(entry["paper"])[1].split()[:3]]
        assert numbers == [entry["sheets"], entry["pages"], entry["weight"]]
        assert line.split()[-1] == f"{entry['cost']:.2f}"
    assert total.split()[0] == "all" and total.split()[-1] == f"{made['total']['cost']:.2f}"
    assert "not counted" in note
    assert not (game.project.root / "output").exists()


def test_a_long_name_is_broken_into_lines(game: TinyProject) -> None:
    """The table stays as wide as a terminal, whatever a component is called; no word of its name is lost."""
    name = "Every single card of the very long journey to the far side of the ice"
    game.write("content/tiny/game.toml", GAME.replace('size = "tcg"', f'size = "tcg"\ntitle = "{name}"'))
    done = run("ink", "tiny", at=game.project.root)
    lines = done.out.splitlines()[2:]
    first = next(at for at, line in enumerate(lines) if line.startswith("Every single"))
    rows = [line[:32].split() for line in lines[first : first + 3]]

    assert max(map(len, lines)) <= 120
    assert " ".join(word for row in rows for word in row) == name
    assert lines[first].split()[-6] == "3" and not any(character.isdigit() for character in lines[first + 1])


def test_another_components_size_and_another_paper_stop_no_preview(game: TinyProject) -> None:
    """A poster that fits no paper is told when it is laid; who looks at cards, or counts the ink of A4, is not kept."""
    text = (game.game / "game.toml").read_text()
    game.put(game_toml=text + '\n[component.poster]\nsize = "250mm x 380mm"\n', poster_csv="name,text\nBig,Look.\n")
    game.put(poster_svg_j2=(game.project.root / "templates/tiny/cards.svg.j2").read_text())

    assert run("preview", "tiny", "cards", at=game.project.root).code == 0
    assert run("simulate", "grey", "tiny", "cards", at=game.project.root).code == 0
    assert run("simulate", "grey", "tiny", at=game.project.root).code == 1
    assert run("ink", "tiny", at=game.project.root).code == 1
    assert run("ink", "tiny", "--paper", "a3", at=game.project.root).code == 0
