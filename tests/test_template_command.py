"""``pnp template``: a drawing of another program becomes a template that prints."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from commands import Left, run
from drawn_elsewhere import FIGMA, ILLUSTRATOR, INKSCAPE

RULES = "Throw it over the wall, then duck."
DRAWINGS = {
    "inkscape": (INKSCAPE, "tcg", ("name", "rules", "cost")),
    "illustrator": (ILLUSTRATOR, "poker", ("name", "rules_text", "cost")),
    "figma": (FIGMA, "poker", ("name", "rules")),
}
PLAIN = '<svg xmlns="http://www.w3.org/2000/svg" width="63mm" height="88mm" viewBox="0 0 63 88">{}</svg>'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one small game."""
    assert run("new", "snow", "--blank", at=tmp_path).code == 0
    return tmp_path


def template(project: Path, content: str, *options: str, name: str = "card") -> Left:
    """``pnp template`` of a file of this content."""
    (project / f"{name}.svg").write_text(content, encoding="utf-8")
    return run("template", f"{name}.svg", *options, at=project)


def made(project: Path, content: str, *options: str) -> str:
    """The template that is made of a page of 63 × 88 mm with this content."""
    left = template(project, PLAIN.format(content), *options)
    assert left.code == 0, left.err
    return (project / "content/snow/templates/card.svg.j2").read_text(encoding="utf-8")


@pytest.mark.parametrize("program", DRAWINGS)
def test_what_comes_out_prints(project: Path, program: str) -> None:
    """With the section and the table that it asks for, and nothing else, the game builds."""
    content, size, columns = DRAWINGS[program]
    left = template(project, content, name=program)
    assert left.code == 0, left.err
    section = "\n".join(line.strip() for line in left.out.splitlines() if re.match(r"  (\[|size|bleed)", line))
    assert f'size = "{size}"' in section
    assert left.out.endswith(f"and cards into {program}.csv, with the columns: {', '.join(columns)}\n")

    folder = project / "content/snow"
    with (folder / "game.toml").open("a", encoding="utf-8") as game:
        game.write(f"\n{section}\n")
    cells = {"name": "Big Berg", "rules": RULES, "rules_text": RULES, "cost": "3"}
    table = [",".join(columns), ",".join(f'"{cells[column]}"' for column in columns)]
    (folder / f"{program}.csv").write_text("\n".join(table), encoding="utf-8")
    built = run("preview", "snow", program, "--out", project / "out", at=project)
    assert built.code == 0, built.err


def test_texts_become_boxes_where_they_stood(project: Path) -> None:
    """Font, size, colour, alignment and room of the drawing; what says the same on all cards stays in it."""
    left = template(project, INKSCAPE)
    text = (project / "content/snow/templates/card.svg.j2").read_text(encoding="utf-8")
    boxes = dict(re.findall(r"s\.text\((.*?), (.*)\) }}", text))

    # In the middle of the page, as wide as the page has room: from 12 mm, less the capitals, down.
    assert boxes["row.name"].startswith("2, 7.6, 59, ")
    assert 'size="17 10.25", font="Fredoka One", fill="#14304d", align="center"' in boxes["row.name"]
    # In the shape that it flows in, 5 to 58 mm across and down to 81 mm.
    x, y, width, height = (float(number) for number in boxes["row.rules"].split(", ")[:4])
    assert (x, width, y + height) == pytest.approx((5, 53, 81), abs=0.01)
    assert y == pytest.approx(54.6 - 0.66 * 4.2333, abs=0.05)
    assert '"Cost " ~ row.cost' in boxes
    assert '"cost": Impact is no font of the game' in left.out
    drawing = (project / "content/snow/art/card.svg").read_text(encoding="utf-8")
    assert ("A game of snow" in drawing, "Big Berg" in drawing, "{cost}" in drawing) == (True, False, False)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('<text id="text12">A</text>', ""),
        ('<text id="Card_Title">A</text>', "row.card_title"),
        ('<g id="Title"><rect width="1" height="1"/><text>A</text></g>', "row.title"),
        ('<g id="Title"><text>A</text><text y="9">B</text></g>', ""),
        ("<text>{{ cost }} or {gold}!</text>", 'row.cost ~ " or " ~ row.gold ~ "!"'),
        ("<text>[q]{cost}</text>", r'"\\[q]" ~ row.cost'),
        ('<text font-family="Nowhere">*A* "B" {{</text>', '"\\\\*A\\\\* \\"B\\" {{"'),
    ],
)
def test_texts_that_have_a_name_show_a_column(project: Path, text: str, shown: str) -> None:
    """Names are those that a person gave; programs name everything."""
    boxes = re.findall(r"s\.text\((.*?), \d", made(project, text))

    assert boxes == ([shown] if shown else [])


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("<text>[q]{red}</text>", "{red} behind brackets is a look of words"),
        ('<text id="Title" stroke="red">A</text>', "the line around its letters is left behind"),
        ('<text id="Title" transform="skewX(20)">A</text>', 'the text "A" is left behind: it is mirrored, slanted'),
        ('<text id="Title" y="9">A</text><rect width="20" height="20"/>', "something was drawn over it"),
        ('<image href="../secret.png" width="9" height="9"/>', 'the picture "../secret.png" is left behind'),
    ],
)
def test_what_comes_out_otherwise_is_told(project: Path, text: str, note: str) -> None:
    """Nothing is lost in silence."""
    left = template(project, PLAIN.format(f'<linearGradient id="g"/>{text}'))

    assert left.code == 0, left.err
    assert note in left.out


def test_pictures_beside_the_drawing_come_along(project: Path) -> None:
    """In the drawing, so that it can be moved."""
    from PIL import Image

    Image.new("RGB", (4, 4)).save(project / "a b.png")
    made(project, '<image href="a%20b.png" width="9" height="9"/>')

    assert "data:image/png;base64," in (project / "content/snow/art/card.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("page", "size", "bleed"),
    [
        ('width="2.5in" height="3.5in" viewBox="0 0 250 350"', "poker", "0mm"),
        ('width="69mm" height="94mm" viewBox="0 0 69 94"', "tcg", "3mm"),
        ('width="825" height="1125"', "poker", "3.17mm"),
        ('width="88mm" height="63mm" viewBox="0 0 88 63"', "88mm x 63mm", "0mm"),
        ('viewBox="0 0 180 252"', "poker", "0mm"),
    ],
)
def test_the_page_is_the_size_of_the_card(project: Path, page: str, size: str, bleed: str) -> None:
    """By its own units, or by how many pixels a known size has; with the bleed that printers ask for."""
    left = template(project, f'<svg {page}><rect width="1" height="1"/></svg>')

    assert left.code == 0, left.err
    assert f'size = "{size}"\n  bleed = "{bleed}"' in left.out


def test_a_page_in_pixels_needs_a_size(project: Path) -> None:
    """Pixels say nothing of millimetres; the shape must be that of the size."""
    drawing = '<svg width="400" height="600"><rect width="1" height="1"/></svg>'
    left = template(project, drawing)
    assert (left.code, "Name it with --size" in left.err) == (1, True)
    assert template(project, drawing, "--size", "poker").code == 1
    left = template(project, drawing, "--size", "60mm x 90mm")
    assert (left.code, 'size = "60mm x 90mm"' in left.out) == (0, True)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<script/>", "card.svg:1: it has a <script>"),
        ("<rect", "not well-formed"),
        ('<text><textPath href="#a">A</textPath></text>', "<textPath>"),
    ],
)
def test_a_drawing_that_cannot_be_used_is_refused(project: Path, content: str, said: str) -> None:
    """As a finding, and nothing is written."""
    left = template(project, PLAIN.format(content))

    assert (left.code, said in left.err) == (1, True)
    assert not (project / "content/snow/art").exists()


def test_nothing_is_replaced(project: Path) -> None:
    """Neither a template nor a drawing that is there."""
    drawing = PLAIN.format('<rect width="1" height="1"/>')
    assert template(project, drawing).code == 0
    (project / "content/snow/templates/card.svg.j2").write_text("mine", encoding="utf-8")
    left = template(project, drawing)
    assert (left.code, "is there already" in left.err) == (2, True)
    (project / "content/snow/templates/card.svg.j2").unlink()
    assert template(project, drawing).code == 2
    assert template(project, drawing, "--name", "other").code == 0
    for name in ("../out", "A", ""):
        assert template(project, drawing, "--name", name).code == 2


def test_all_is_written_or_nothing(project: Path) -> None:
    """Where the template cannot stand, its drawing stays away as well."""
    own = project / "content/snow/templates"
    if own.is_dir():
        shutil.rmtree(own)
    (project / "templates").mkdir(exist_ok=True)
    (project / "templates/snow").write_text("a file in the way", encoding="utf-8")
    before = sorted(project.rglob("*"))
    left = template(project, PLAIN.format('<text font-size="4" font-family="body">a</text>'))

    assert left.code != 0
    assert "templates/snow" in left.err.replace("\\", "/")
    assert sorted(project.rglob("*")) == sorted([*before, project / "card.svg"])


def test_a_link_is_no_way_out(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nothing is written outside of the project."""
    outside = tmp_path_factory.mktemp("outside")
    (project / "content/snow/art").symlink_to(outside)
    left = template(project, PLAIN.format('<rect width="1" height="1"/>'))

    assert (left.code, "snow cannot be read. pnp check snow says why" in left.err) == (2, True)
    assert not list(outside.iterdir())
