"""Hostile inputs of each kind, run as a person would: pnp ends soon, with a code of its own, and touches nothing else."""

from __future__ import annotations

import io
import json
import sys
from itertools import islice
from pathlib import Path

import pytest
from attacks import BOAT, BOOK, BOOKED, CARDS, GAME, ICON, OUTSIDE, TABLE, Attack, Files, Link, corpus, flipped, font
from conftest import LONG, TINY_GAME
from corpus import Sandbox, distinct, sheets, try_all
from PIL import Image

from pnp.system.watchdog import CAN_FORK

pytestmark = pytest.mark.skipif(
    not CAN_FORK or sys.platform != "linux", reason="what a command reads is seen on Linux alone"
)
FONT = "content/tiny/fonts/h.otf"
FONTED = '[fonts]\nbody = "Hostile"\n'


def profiled(size: int) -> bytes:
    """A picture with a colour profile of so many bytes."""
    Image.new("RGB", (30, 30)).save(held := io.BytesIO(), "WEBP", icc_profile=bytes(size))
    return held.getvalue()


FELL_SHORT: dict[str, tuple[Files, tuple[str, ...], str]] = {
    "an outline": (
        {GAME: TINY_GAME + FONTED, TABLE: "name,text\né,é\n", FONT: flipped(font(), font().index(b"\x01\x00\x04", 800))},
        ("check",),
        "",
    ),
    "a table of joined letters": (
        {GAME: BOOKED + FONTED, BOOK: "# Goal\n", FONT: font()[: len(font()) * 11 // 12]},
        ("build", "--draft"),
        "the letters of a book cannot be taken out of this font",
    ),
    "a link among fonts": ({FONT: Link("/proc")}, ("check", "--no-draw"), "[linked-folder]"),
    "a link among drawings": ({"content/tiny/art/icons": Link(OUTSIDE), CARDS: ICON}, ("check",), ""),
    "a link among shapes": (
        {GAME: '[game]\nname = "Tiny"\n[component.cards]\nkind = "token"\nsize = "9mm"\nshape = "x"\n'}
        | {"content/tiny/art/shapes": Link(OUTSIDE)},
        ("check",),
        "shape",
    ),
    "a number of copies": (
        {"bring/herd.json": json.dumps([{"count": "9" * 5000, "title": "Goat", "contents": []}])},
        ("import", "bring/herd.json", "herd"),
        "is no number of copies, so there is one",
    ),
    "a vast profile": (
        {BOAT: None, "content/tiny/art/boat.webp": profiled(3_000_000), CARDS: ICON},
        ("build", "--paper", "a4"),
        "its colour profile is larger than 1000000 bytes",
    ),
    "a link in a heading": (
        {GAME: BOOKED, BOOK: "# Goal\n\n## See {{ page('goal') }} and [it](https://example.org)\n"},
        ("build", "--paper", "a4"),
        "tiny: 2 pieces in ",
    ),
    "texts of one name": (
        {
            "content/herd/game.toml": TINY_GAME,
            "content/herd/cards.csv": "name,text\nAnna,a\n",
            "in/d.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="63mm" height="88mm" viewBox="0 0 63 88">'
            + '<text x="5" y="9" font-size="5">{name}</text>' * 2500
            + "</svg>",
        },
        ("template", "in/d.svg", "--game", "herd"),
        "with the columns: name",
    ),
    "a sheet of a CSV": (
        {GAME: TINY_GAME + '[table.cards]\nsheet = "x"\n'},
        ("check", "--no-draw"),
        "game.toml:9:table.cards.sheet: cards.csv has no sheets: sheet is left alone",
    ),
    "fonts of the system": ({}, ("build", "--paper", "a4", "--cut", "dxf"), ""),
    "a linked table of a script": (
        {"bring/a.txt": f"LINK={OUTSIDE}/secret.csv\nTEXT=1,a,0,0,1,1\n"},
        ("import", "bring/a.txt", "herd", "--as", "nandeck"),
        "",
    ),
}


@pytest.mark.parametrize(("files", "command", "said"), FELL_SHORT.values(), ids=FELL_SHORT)
def test_what_fell_short_no_longer_does(tmp_path: Path, files: Files, command: tuple[str, ...], said: str) -> None:
    ending = Sandbox(tmp_path / "box").run(Attack("", "", files, command))

    assert ending.wrong == [] and said in ending.said, ending


def test_a_damaged_file_of_sheets_is_told(tmp_path: Path) -> None:
    """One library reads it, another does not."""
    ending = Sandbox(tmp_path / "box").run(
        Attack("", "", {"x.pdf": flipped(sheets(tmp_path / "plain"), 0)}, ("verify", "x.pdf"))
    )

    assert ending.wrong == [] and "its pages cannot be shown" in ending.said, ending


@pytest.mark.skipif(not LONG, reason="PNP_LONG is not set")
def test_a_sample_of_the_corpus_falls_short_of_nothing(tmp_path: Path) -> None:
    """All of it: ``python tests/fuzz/corpus.py``."""
    attacks = islice(distinct(corpus(sheets(tmp_path / "plain"))), 5, None, 10)

    assert [ending for ending in try_all(attacks, tmp_path, jobs=1) if ending.wrong] == []


def test_what_falls_short_is_seen(tmp_path: Path) -> None:
    """A file that is read or made elsewhere, an input that changes, letters that steer a terminal, a killed command."""
    table = Attack("", "", {}, ("import", "../outside/secret.csv", "herd"))
    new = Attack("", "", {}, ("new", "other"))
    linked = Attack("", "", {"content/tiny/x": Link(f"{OUTSIDE}/secret.txt")}, ("check", "--no-draw"))

    assert any("reads outside: secret.csv" in wrong for wrong in Sandbox(tmp_path / "a").run(table).wrong)
    assert any(wrong.startswith("changes project/content/other") for wrong in Sandbox(tmp_path / "b").run(new).wrong)
    assert Sandbox(tmp_path / "c").run(linked).wrong == []
    box = Sandbox(tmp_path / "d")
    ending = box.run(linked)
    ending.code, ending.seconds, ending.megabytes = -9, 11, 1001
    assert len([*box.wrong(ending, "a\x1b[2J", {*box.state()}, {})]) == 4
