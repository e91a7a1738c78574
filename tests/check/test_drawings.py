"""A drawing that another one of its name hides is told, with both files; others are not."""

from __future__ import annotations

import io
from typing import Any

import pytest
from commands import run
from conftest import TinyProject
from PIL import Image

COLOURS = {".svg": "#cc0000", ".png": "#00aa00", ".jpg": "#0000cc", ".jpeg": "#ccaa00"}
CARD = """{% extends "shared/face.svg.j2" %}
{% block face %}<image href="pip" x="-3" y="-3" width="69" height="94" preserveAspectRatio="none"/>{% endblock %}
"""


def drawing(name: str) -> bytes:
    """A square in the colour of its ending."""
    ending = name[name.rindex(".") :]
    if ending == ".svg":
        shape = f'<rect width="9" height="9" fill="{COLOURS[ending]}"/>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{shape}</svg>'.encode()
    target = io.BytesIO()
    Image.new("RGB", (9, 9), COLOURS[ending]).save(target, "PNG" if ending == ".png" else "JPEG")
    return target.getvalue()


def found(tiny: TinyProject, *names: str) -> list[dict[str, Any]]:
    """What the rule finds where these are in ``art/``."""
    for name in names:
        tiny.write(f"content/tiny/art/{name}", drawing(name))
    done = run("check", "tiny", "--no-draw", "--json", at=tiny.project.root)
    assert done.code == 0
    return [problem for problem in done.problems if problem["rule"] == "hidden-drawing"]


@pytest.mark.parametrize(("shown", "hidden"), [(".svg", ".png"), (".png", ".jpg"), (".jpg", ".jpeg")])
def test_the_hidden_one_is_named_with_the_one_that_is_shown(tiny: TinyProject, shown: str, hidden: str) -> None:
    """As a warning at the file that nobody sees; the card really shows the other one."""
    (problem,) = found(tiny, f"pip{hidden}", f"pip{shown}")
    tiny.put(cards_svg_j2=CARD, cards_csv="name\nAnna\n")
    assert run("preview", "tiny", "cards", "--dpi", "36", at=tiny.project.root).code == 0
    with Image.open(tiny.project.root / "output/tiny/preview/cards.png") as card:
        middle = card.convert("RGB").getpixel((card.width // 2, card.height // 2))

    assert (problem["file"], problem["severity"]) == (f"content/tiny/art/pip{hidden}", "warning")
    assert f"content/tiny/art/pip{shown} is shown" in problem["message"]
    wanted = bytes.fromhex(COLOURS[shown][1:])
    assert isinstance(middle, tuple) and max(abs(a - b) for a, b in zip(middle, wanted, strict=True)) < 9


def test_each_that_is_hidden_is_told(tiny: TinyProject) -> None:
    """Of three that are called alike, two; a folder below art/ has names of its own."""
    problems = found(tiny, "pip.svg", "pip.png", "pip.jpg", "deck/pip.png", "icons/coin.svg", "icons/coin.png")

    assert [problem["file"].removeprefix("content/tiny/art/") for problem in problems] == [
        *("icons/coin.png", "pip.png", "pip.jpg")
    ]


def test_names_that_differ_in_case_are_told(tiny: TinyProject) -> None:
    """Where both can lie: elsewhere one of them is lost, and other cards are printed."""
    problems = found(tiny, "pip.png", "Pip.png", "PIP.jpg")
    if len(list((tiny.game / "art").iterdir())) < 3:
        pytest.skip("this system keeps one of them")

    assert [problem["file"].removeprefix("content/tiny/art/") for problem in problems] == ["pip.png", "PIP.jpg"]
    assert "capital letters only" in problems[0]["message"]
