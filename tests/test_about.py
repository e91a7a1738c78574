"""A finding about a piece says which, for programs in ``--json`` and for people with a picture in the report."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from commands import run
from conftest import ROOT, TINY_GAME, TINY_TEMPLATE, TinyProject
from lxml.html import HtmlElement
from PIL import Image

from pnp.flows.batch import recalled, remember
from pnp.shapes.affine import Rect
from pnp.system.cache import Cache
from pnp.values.outcome import Result
from pnp.values.problems import About, Place, Problem, Problems

CARDS, GAME, TABLE = "templates/tiny/cards.svg.j2", "content/tiny/game.toml", "content/tiny/cards.csv"
BACK, RULES = "templates/tiny/back.svg.j2", "content/tiny/rules.toml"
BACKED = TINY_GAME + 'back = "back"\n'
FRONT, REAR = "#336699", "#663333"
BACK_TEMPLATE = TINY_TEMPLATE.replace(FRONT, REAR).replace("row.name", '"Back"').replace("row.text", '"Again."')
Files = Mapping[str, str | bytes]


def front(old: str, new: str) -> Files:
    """The tiny game with another front."""
    assert old in TINY_TEMPLATE
    return {CARDS: TINY_TEMPLATE.replace(old, new)}


def back(old: str, new: str) -> Files:
    """The tiny game with a back that has something other than it should."""
    assert old in BACK_TEMPLATE
    return {GAME: BACKED, BACK: BACK_TEMPLATE.replace(old, new)}


def bert(text: str) -> Files:
    """The tiny game whose second card says something else."""
    return {TABLE: f"name,text\nAnna,Draw two.\nBert,{text}\n"}


def photo() -> bytes:
    """A picture of few dots."""
    target = io.BytesIO()
    Image.new("RGB", (80, 80), (40, 90, 160)).save(target, "PNG")
    return target.getvalue()


NAMES = {TABLE: "name\nAnna\nBert\n"}
DRAW, END = "{{ s.ground(face", "{% endblock %}\n"
COARSE = """{% if row.id == "bert" %}<image href="photo" x="9" y="20" width="40" height="15"/>{% endif %}"""
RIM = f"""<rect x="-3" y="-3" width="69" height="94" fill="{REAR}"/>
<rect x="2" y="2" width="59" height="84" fill="#eeddcc"/>"""
ANNA = {"component": "cards", "piece": "anna", "side": "front"}
BERT = {**ANNA, "piece": "bert"}
REVERSE = {**ANNA, "side": "back"}

# What is found on a piece that can be drawn: rule, what is wrong, what it is about, the colour in the picture's corner.
SHOWN: Mapping[str, tuple[str, Files, dict[str, str], str]] = {
    "small text": ("small-text", front('size="10 7"', 'size="5 5"'), {**ANNA, "box": "rules"}, FRONT),
    "a coarse picture": ("coarse-art", {"content/tiny/art/photo.png": photo(), **front(END, COARSE + END)}, BERT, FRONT),
    "a frame": ("frame-near-cut", back('{{ s.ground(face, "#663333") }}', RIM), REVERSE, REAR),
    "a banned word": (
        "banned-word",
        {RULES: '[words]\nbanned = { "doubloones" = "doubloons" }\n', **front("row.text,", '"Pay doubloones.",'), **NAMES},
        {**ANNA, "box": "rules"},
        FRONT,
    ),
}


def planted(tiny: TinyProject, files: Files) -> None:
    """One thing is wrong with the tiny game."""
    for name, content in files.items():
        tiny.write(name, content)


def about(tiny: TinyProject, rule: str) -> list[dict[str, Any]]:
    """What the findings of a rule are about, as programs are told."""
    problems = run("check", "--json", at=tiny.project.root).problems
    assert rule in {problem["rule"] for problem in problems}, problems
    keys = ("component", "piece", "side", "part", "box")
    return [{key: found[key] for key in keys if key in found} for found in problems if found["rule"] == rule]


def report(tiny: TinyProject) -> HtmlElement:
    """The report of a check."""
    run("check", at=tiny.project.root)
    text = (tiny.project.root / "output/tiny/report.html").read_text(encoding="utf-8")
    return lxml.html.document_fromstring(text)


def pictured(tiny: TinyProject, rule: str) -> list[HtmlElement]:
    """The pictures beside the findings of a rule."""
    (finding, *_) = report(tiny).xpath(f"//div[@class='finding'][contains(.//p[@class='place'], '· {rule}')]")
    return list(finding.xpath(".//div[@class='piece']"))


def corner_of(piece: HtmlElement) -> str:
    """The colour in the corner of a picture."""
    head, _, data = piece.xpath("img")[0].get("src").partition(",")
    assert head == "data:image/png;base64"
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        return "#{:02x}{:02x}{:02x}".format(*image.convert("RGB").getpixel((1, 1)))  # type: ignore[misc]


@pytest.mark.parametrize("what", SHOWN)
def test_a_finding_on_a_piece_says_which_and_is_pictured(tiny: TinyProject, what: str) -> None:
    """Component, id, side and the name of the text box; in the report the side that is meant, the text outlined."""
    rule, files, meant, corner = SHOWN[what]
    planted(tiny, files)

    assert about(tiny, rule)[0] == meant
    (piece,) = pictured(tiny, rule)
    assert corner_of(piece) == corner
    on_text = rule not in ("coarse-art", "frame-near-cut")
    assert len(piece.xpath("i")) == on_text


def test_the_piece_itself_is_pictured_not_another_one(tiny: TinyProject) -> None:
    """The second card alone has the small text, and another colour."""
    template = TINY_TEMPLATE.replace('size="10 7"', 'size=("5" if row.id == "bert" else "9")')
    planted(tiny, {CARDS: template.replace(f'"{FRONT}"', f'"#993366" if row.id == "bert" else "{FRONT}"')})

    assert about(tiny, "small-text") == [{**BERT, "box": "rules"}]
    (piece,) = pictured(tiny, "small-text")
    assert corner_of(piece) == "#993366"


def test_words_that_look_like_a_piece_are_words(tiny: TinyProject) -> None:
    """A claim that speaks of a card is about the rules: nothing is read out of its sentence."""
    said = ("cards/anna", "cards/anna (back)", "nobody is not known")
    claims = (f"[claim.x{at}]\nsays = '{each}'\nexpect = 'count(\"cards\") == 3'\n" for at, each in enumerate(said))
    planted(tiny, {RULES: "".join(claims)})

    assert about(tiny, "claim") == [{}] * len(said)
    assert pictured(tiny, "claim") == []


def test_the_keys_of_a_finding_are_documented() -> None:
    """Those that programs find are on the page of problems."""
    whole = Problem("x", Place("a.csv"), "it is", about=About("cards", "anna", "back", 2, "rules")).as_dict()
    page = (ROOT / "docs/reference/problems.md").read_text(encoding="utf-8")

    assert [key for key in whole if f"`{key}`" not in page.partition("\n- ")[0]] == []


def test_a_build_that_is_recalled_tells_the_same(tmp_path: Path) -> None:
    """All of a finding is remembered, with where it is on its piece."""
    abouts = (None, About("cards"), About("cards", "anna", "back", 2, "rules", Rect(1, 2, 3.25, 4)))
    found = [
        Problem("x", Place("a.csv", number), "it is", "v", "a", "h", "warning", each) for number, each in enumerate(abouts)
    ]
    problems = Problems()
    problems.extend(found)
    cache = Cache(tmp_path / "cache")
    (tmp_path / "out").mkdir()
    remember(cache, tmp_path / "out", "recipe", Result("tiny", problems))
    result = recalled(cache, tmp_path / "out", "recipe", "tiny")

    assert result is not None and list(result.problems) == found
    assert [problem.about for problem in result.problems] == list(abouts)
