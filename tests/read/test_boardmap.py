"""A text map is cut into fields: every square in exactly one, equal neighbours together, arrows along their axis."""

from __future__ import annotations

from pathlib import Path

from conftest import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typed import typed

from pnp.read.boards import ARROWS, read_board
from pnp.values.game import Board
from pnp.values.problems import Problems
from pnp.values.tables import Table

Square = tuple[int, int]
in_a_folder = settings(
    max_examples=examples(120), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def read(folder: Path, lines: str | bytes, legend: Table, problems: Problems) -> Board | None:
    """The board of a map file with this content."""
    (folder / "sea.txt").write_bytes(lines if isinstance(lines, bytes) else lines.encode())
    return read_board(folder / "sea.txt", "sea.txt", legend, 20.0, problems)


def board_of(folder: Path, *lines: str) -> Board:
    """The board of a sound map; all of its letters but # may be entered."""
    problems = Problems()
    letters = sorted(set("".join(lines)))
    legend = typed("\n".join(["letter,blocked", *(f"{letter},{'yes' if letter == '#' else 'no'}" for letter in letters)]))
    board = read(folder, "\n".join(lines), legend, problems)
    assert board is not None, [str(problem) for problem in problems]
    return board


def cells_of(board: Board, letter: str) -> list[tuple[Square, ...]]:
    return [field.cells for field in board.fields if field.letter == letter]


maps = st.integers(1, 7).flatmap(
    lambda width: st.lists(st.text("ab.><^v", min_size=width, max_size=width), min_size=1, max_size=7)
)


@in_a_folder
@given(rows=maps)
def test_fields_part_the_board(tmp_path: Path, rows: list[str]) -> None:
    """Every square is in exactly one field, which has the square's letter; or a current is at fault."""
    problems = Problems()
    legend = typed("\n".join(["letter", *sorted(set("".join(rows)))]))
    board = read(tmp_path, "\n".join(rows), legend, problems)
    if board is None:
        assert {problem.rule for problem in problems} == {"current-nowhere"}
        return

    every = [(cell, field.letter) for field in board.fields for cell in field.cells]
    assert sorted(every) == sorted(((x, y), letter) for y, row in enumerate(rows) for x, letter in enumerate(row))


@in_a_folder
@given(rows=maps)
def test_no_two_fields_could_be_one(tmp_path: Path, rows: list[str]) -> None:
    """Equal letters side by side are one field, equal arrows only when they follow each other; no field is in two parts."""
    problems = Problems()
    board = read(tmp_path, "\n".join(rows), typed("\n".join(["letter", *sorted(set("".join(rows)))])), problems)
    if board is None:
        return
    owner = {cell: number for number, field in enumerate(board.fields) for cell in field.cells}
    for (x, y), number in owner.items():
        letter = board.fields[number].letter
        for dx, dy in ((1, 0), (0, 1)):
            if (x + dx, y + dy) in owner:
                along = letter not in ARROWS or (letter in "<>") == (dy == 0)
                joins = rows[y + dy][x + dx] == letter and along
                assert (owner[x + dx, y + dy] == number) == joins
    for field in board.fields:
        reached, edge = {field.cells[0]}, [field.cells[0]]
        while edge:
            x, y = edge.pop()
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & set(field.cells) - reached
            reached |= near
            edge += near
        assert reached == set(field.cells)


@in_a_folder
@given(
    data=st.one_of(st.binary(max_size=80), st.text(max_size=60).map(str.encode)), letters=st.text("ab#.>,\n", max_size=20)
)
def test_no_text_is_too_odd(tmp_path: Path, data: bytes, letters: str) -> None:
    """Whatever is in the file, there is a board or at least one Problem, never both, and never a traceback."""
    problems = Problems()
    legend = typed("\n".join(["letter", *letters.replace(",", "").split("\n")]))
    board = read(tmp_path, data, legend, problems)

    assert (board is None) == bool(problems.errors)


def test_every_arrow_points_its_way(tmp_path: Path) -> None:
    """A current's step follows its sign; other fields have none."""
    board = board_of(tmp_path, ".....", ".>.<.", ".^.v.", ".....")

    arrows = {field.letter: field.arrow for field in board.fields}
    assert arrows == {">": (1, 0), "<": (-1, 0), "^": (0, -1), "v": (0, 1), ".": None}


def test_a_current_may_lead_to_a_square_beside_the_one_ahead(tmp_path: Path) -> None:
    """Land straight ahead is no fault as long as one of the two squares beside it is free."""
    assert cells_of(board_of(tmp_path, "##.", ".>#", "###"), ">") == [((1, 1),)]


def test_a_map_has_its_bounds(tmp_path: Path) -> None:
    """20 000 squares are read, in a row or in many; one more is not, nor is a file of more than a megabyte."""
    problems = Problems()
    legend = typed("letter\na")

    for largest in ("a" * 20_000, "\n".join(200 * ["a" * 100]), "a".ljust(1_000_000, "\n")):
        assert read(tmp_path, largest, legend, problems) is not None
    assert not list(problems)
    for larger in ("a" * 20_001, "\n".join(["a" * 101, *199 * ["a" * 100]]), "a".ljust(1_000_001, "\n")):
        assert read(tmp_path, larger, legend, problems) is None
    told = [(problem.rule, problem.allowed) for problem in problems]
    assert told == 2 * [("bad-map-size", "1 to 20000 cells")] + [("unreadable-map", "")]


def test_a_legend_with_a_row_that_could_not_be_read_blames_no_square(tmp_path: Path) -> None:
    """The missing letter may stand in that very row; so there is no board, and nothing more to say."""
    problems = Problems()

    assert read(tmp_path, "a?", typed("letter\na", whole=False), problems) is None
    assert not list(problems)


def test_yes_in_any_spelling_blocks() -> None:
    """The column may say yes or no, and a legend without it blocks nothing."""
    rows = list(typed("letter,blocked\na,yes\nb,Yes\nc,x\nd,no\ne,"))

    assert [row.is_yes("blocked") for row in rows] == [True, True, True, False, False]
    assert not next(iter(typed("letter\na"))).is_yes("blocked")


def test_a_map_may_be_a_spreadsheet(tmp_path: Path) -> None:
    """A CSV has a square a cell; words name fields as letters do, with commas or semicolons."""
    legend = typed("letter\n.\ntortuga\n>")
    for name, mark in (("comma.csv", ","), ("semicolon.csv", ";")):
        rows = [["tortuga", "tortuga", "."], [">", ">", "."], [".", ".", "."]]
        (tmp_path / name).write_text("\r\n".join(mark.join(row) for row in rows) + "\r\n", encoding="utf-8")
        problems = Problems()
        board = read_board(tmp_path / name, name, legend, 20.0, problems)

        assert board is not None, [str(problem) for problem in problems]
        assert (board.columns, board.rows) == (3, 3)
        assert cells_of(board, "tortuga") == [((0, 0), (1, 0))]
        assert cells_of(board, ">") == [((0, 1), (1, 1))]
