"""The tutorial, followed to the letter by somebody who has nothing but an empty folder."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from pathlib import Path

import pytest
from commands import run
from pages import TUTORIAL as PAGE
from PIL import Image
from pypdf import PdfReader

TUTORIAL = PAGE.read_text(encoding="utf-8")
# A picture that nothing else on a card looks like.
LOUD = (255, 0, 204)
CARD = "content/snowball/cards.csv"


def parts() -> list[tuple[str, str]]:
    """The tutorial in pieces: a fenced block with its language, or what stands between two with none."""
    pieces = re.split(r"^```(\w+)\n(.*?)^```\n", TUTORIAL, flags=re.MULTILINE | re.DOTALL)
    told = [("", text) for text in pieces[::3]]
    blocks = list(zip(pieces[1::3], pieces[2::3], strict=True))
    return [part for pair in zip(told, [*blocks, ("", "")], strict=True) for part in pair]


def rows_of(text: str) -> dict[str, dict[str, str]]:
    return {row["id"]: row for row in csv.DictReader(io.StringIO(text))}


class Reader:
    """Somebody at a desk: types commands, edits files, saves pictures, and remembers what was said."""

    def __init__(self, desk: Path) -> None:
        self.desk = desk
        self.file = ""
        """The file that the text spoke of last."""
        self.said: list[str] = []
        self.owed = ""
        """A command that failed, as long as the text has not shown with which error."""
        self.typed = 0

    def read(self, text: str) -> None:
        """Running text: it names files, and asks for pictures to be saved."""
        for name in re.findall(r"`(content/snowball/[\w./-]+\.\w+)`", text):
            self.file = name
            path = self.desk / name
            if path.suffix == ".png" and path.parent.is_dir():
                Image.new("RGB", (1000, 1000), LOUD).save(path)
            assert path.is_file(), f"the text speaks of {name}, which is not there"

    def type(self, lines: str) -> None:
        for line in lines.splitlines():
            left = run(*line.split()[1:], at=self.desk)
            assert not self.owed, self.said
            self.said, self.owed = [*left.err.splitlines(), *left.out.splitlines()], line if left.code else ""
            self.typed += 1

    def put_rows(self, block: str) -> None:
        """Rows of a table: one with an id that is there changes its row, another one is new."""
        path = self.desk / self.file
        assert path.suffix == ".csv"
        table = path.read_text(encoding="utf-8")
        changed = rows_of(table) | rows_of(block)
        with path.open("w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, next(csv.reader(io.StringIO(table))))
            writer.writeheader()
            writer.writerows(changed.values())

    def put_keys(self, block: str) -> None:
        """Lines of a section in game.toml take the place of those that are there."""
        path = self.desk / self.file
        assert path.name == "game.toml"
        section, *lines = block.splitlines()
        before, header, after = path.read_text(encoding="utf-8").partition(f"{section}\n")
        assert header
        for line in lines:
            key = line.partition(" = ")[0]
            after, changed = re.subn(rf"^{key} = .*$", line, after, count=1, flags=re.MULTILINE)
            assert changed == 1
        path.write_text(before + header + after, encoding="utf-8")
        tomllib.loads(before + header + after)

    def follow(self, language: str, text: str) -> None:
        """Do what a piece of the tutorial says."""
        if language == "sh":
            self.type(text)
        elif language == "text":
            # A line that is too long for the page goes on, indented, in the next.
            shown = text.replace("\n  ", " ").splitlines()
            assert [line for line in shown if line not in self.said] == [], self.said
            assert bool(self.owed) == text.startswith("error")
            self.owed = ""
        elif language == "csv":
            self.put_rows(text)
        elif language == "toml":
            self.put_keys(text)
        elif language == "jinja":
            (self.desk / self.file).write_text(text, encoding="utf-8")
        else:
            self.read(text)


def loud(picture: Path) -> float:
    """How much of a picture is in the loud colour."""
    with Image.open(picture) as image:
        size, colours = image.width * image.height, image.convert("RGB").getcolors(image.width * image.height) or []
    return sum(number for number, colour in colours if colour == LOUD) / size


@pytest.fixture
def steps() -> dict[int, list[tuple[str, str]]]:
    """The tutorial's pieces by the number of their step."""
    found: dict[int, list[tuple[str, str]]] = {}
    number = 0
    for language, text in parts():
        for piece in [text] if language else re.split(r"(?m)^(?=## )", text):
            if not language and piece.startswith("## "):
                match = re.match(r"## (\d)\. ", piece)
                number = int(match[1]) if match else number + 1
            found.setdefault(number, []).append((language, piece))
    return found


def test_the_tutorial_can_be_followed_to_the_letter(steps: dict[int, list[tuple[str, str]]], tmp_path: Path) -> None:
    """Each step runs, says what the text shows, and leaves what the text promises; at the end there is a deck."""
    reader = Reader(tmp_path)
    seen: dict[int, float] = {}

    def go(number: int) -> None:
        for language, text in steps[number]:
            reader.follow(language, text)
        assert not reader.owed, reader.said

    assert sorted(steps) == list(range(10)), "what comes before, eight steps, what comes after"
    go(1)
    for name in set(re.findall(r"`(output/[\w./-]+)`", steps[1][-1][1])):
        assert (tmp_path / name).is_file()
    go(2)
    go(3)
    assert "ten years" in rows_of((tmp_path / CARD).read_text(encoding="utf-8"))["slinger"]["text"]
    assert (tmp_path / CARD).read_text(encoding="utf-8").splitlines()[4].startswith("slinger"), "the fifth row is Slinger's"
    go(4)
    run("preview", "snowball", "cards", "yeti", at=tmp_path)
    seen[4] = loud(tmp_path / "output/snowball/preview/cards-yeti.png")
    go(5)
    seen[5] = loud(tmp_path / "output/snowball/preview/cards-yeti.png")
    assert seen[4] == 0 < seen[5], "the picture is on the card"
    go(6)
    go(7)
    go(8)

    run("preview", "snowball", "cards", "pip", at=tmp_path)
    assert 0.4 < loud(tmp_path / "output/snowball/preview/cards-pip.png") < 0.6, "the back is all picture"
    counted = json.loads(run("count", "snowball", "--json", at=tmp_path).out)["games"][0]["components"]
    assert [(entry["name"], entry["different"], entry["copies"]) for entry in counted] == [("cards", 6, 12)]
    assert any("Yeti" in page.extract_text() for page in PdfReader(tmp_path / "output/snowball/a4/cards.pdf").pages)
    assert reader.typed >= 10


def test_every_command_of_the_tutorial_is_a_pnp_command() -> None:
    """What stands in its blocks to be typed is typed by the test above, nothing else is hidden there."""
    lines = [line for language, text in parts() if language == "sh" for line in text.splitlines()]

    assert lines
    assert all(line.startswith("pnp ") for line in lines)
    assert {language for language, _ in parts()} == {"", "sh", "text", "csv", "toml", "jinja"}
