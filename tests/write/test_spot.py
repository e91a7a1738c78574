"""Cut lines in a spot colour, read back from the PDF: a printer with a knife follows them and does not print them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest import TinyProject, toml
from shapely import MultiLineString, Polygon, unary_union
from shapely.geometry import box

from pnp.read.project import Project
from pnp.write.printed import read_printed

MM = 72 / 25.4
GAME = toml("""
game: name = "Cut"; papers = ["a4"]
cards: size = "tcg"; back = "cards"
slips: size = "70mm x 30mm"; bleed = "0"; table = "cards"; template = "cards"
coins: kind = "token"; size = "20mm"; table = "cards"; template = "cards"
notes: size = "80mm x 50mm"; backs = "gutterfold"; back = "cards"; table = "cards"; template = "cards"
""")
GROUND = '<rect x="-3" y="-3" width="99" height="99" fill="#d08050"/>'
FACE = f'{{% extends "shared/face.svg.j2" %}}{{% block face %}}{GROUND}{{% endblock %}}'


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> TinyProject:
    """Cards with bleed, slips that share their cut lines, round coins, and notes that are folded before they are cut."""
    tiny = TinyProject(Project(tmp_path_factory.mktemp("spot")))
    tiny.write("content/tiny/game.toml", GAME)
    tiny.write("content/tiny/cards.csv", "id,copies\nanna,5\nbert,4\n")
    tiny.write("templates/tiny/cards.svg.j2", FACE)
    assert tiny.build(cut="spot").ok
    return tiny


def printed(game: TinyProject, name: str = "print") -> Path:
    return game.project.root / "output" / "tiny" / "a4" / f"{name}.pdf"


def lines(page: Any) -> list[list[tuple[float, float]]]:
    """The paths that a page strokes in CutContour at full strength with overprint on, in mm from the top left."""
    found, path = list[list[tuple[float, float]]](), list[tuple[float, float]]()
    kept, state = list[tuple[bool, ...]](), (False, False)
    high = float(page.mediabox[3])
    for operands, operator in pikepdf.parse_content_stream(page):
        match str(operator):
            case "q":
                kept.append(state)
            case "Q":
                state = kept.pop()
            case "gs":
                over = page.resources.ExtGState[operands[0]]
                state = (bool(over.OP) and bool(over.op), state[1])
            case "CS":
                state = (state[0], operands[0] == "/CutContour")
            case "SCN":
                assert [float(each) for each in operands] == [1]
            case "m":
                path = [(float(operands[0]) / MM, (high - float(operands[1])) / MM)]
            case "l":
                path.append((float(operands[0]) / MM, (high - float(operands[1])) / MM))
            case "h":
                path.append(path[0])
            case "S" if state[1]:
                assert state[0]
                found.append(path)
    return found


def test_the_colour_is_a_separation(game: TinyProject) -> None:
    """Called CutContour, magenta where a machine does not know it; in hairlines, and on pages with pieces to cut only."""
    with pikepdf.open(printed(game)) as pdf:
        spotted = [page for page in pdf.pages if "/ColorSpace" in page.resources]
        assert spotted and len(spotted) < len(pdf.pages)
        for page in spotted:
            (space,) = page.resources.ColorSpace.values()
            assert [str(part) for part in list(space)[:3]] == ["/Separation", "/CutContour", "/DeviceCMYK"]
            assert [float(part) for part in space[3].C1] == [0, 1, 0, 0]
            assert lines(page)
            widths = {float(each[0]) / MM for each, operator in pikepdf.parse_content_stream(page) if str(operator) == "w"}
            assert min(widths) < 0.1


@pytest.mark.parametrize(("component", "inset"), [("cards", 3), ("slips", 0), ("coins", 3)])
def test_lines_run_around_every_piece(game: TinyProject, component: str, inset: float) -> None:
    """Along the trim of each front on the page and nowhere else, an edge that two share once; none on backs."""
    data = printed(game, component).read_bytes()
    pieces = [piece for piece in read_printed(data, component).pieces if piece.name.startswith(f"{component}/")]
    with pikepdf.open(printed(game, component)) as pdf:
        for number, page in enumerate(pdf.pages, 1):
            cut = lines(page)
            fronts = [piece.box.grown(*4 * [-inset]) for piece in pieces if (piece.page, piece.side) == (number, "front")]
            assert bool(cut) == bool(fronts)
            if not fronts:
                continue
            trims = [box(each.x, each.y, each.right, each.bottom) for each in fronts]
            if component == "coins":
                trims = [Polygon(each.centroid.buffer(10, 128)) for each in trims]
            drawn = MultiLineString(cut)
            edges = unary_union([trim.exterior for trim in trims])
            assert drawn.hausdorff_distance(edges) < 0.05
            assert drawn.length == pytest.approx(unary_union(drawn).length)


def test_they_stand_for_all_other_marks(game: TinyProject) -> None:
    """What is cut by the machine has no crop marks; what is folded first is cut by hand, and has its marks and no line."""
    with pikepdf.open(printed(game, "cards")) as pdf:
        halos = [operator for each, operator in pikepdf.parse_content_stream(pdf.pages[0]) if [*map(str, each)] == ["1"]]
        assert "G" not in map(str, halos)
    with pikepdf.open(printed(game, "notes")) as pdf:
        assert lines(pdf.pages[0]) == []
        code = [str(operator) for each, operator in pikepdf.parse_content_stream(pdf.pages[0]) if [*map(str, each)] == ["1"]]
        assert "G" in code
    assert not [path for path in printed(game).parent.rglob("*") if path.parent.name == "cut"]


def test_other_builds_have_no_such_colour(game: TinyProject) -> None:
    """Nobody prints magenta lines who did not ask for them."""
    assert game.build(cut="svg").ok
    with pikepdf.open(printed(game)) as pdf:
        assert not [page for page in pdf.pages if "/ColorSpace" in page.resources]
