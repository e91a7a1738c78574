"""One card in each of the six styles: the first of a table that somebody has just pasted, or ours until then."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from pnp.draw.look import STYLES, art_column, front
from pnp.flows.start import begun
from pnp.read.game import read_game
from pnp.read.grid import SUFFIXES
from pnp.read.project import Project
from pnp.read.rawtable import MOST_BYTES
from pnp.studio.desk import Desk
from pnp.values.problems import Fault, Problem, Problems
from pnp.values.tables import Table

if TYPE_CHECKING:
    from pnp.studio.messages import FaceSeen
    from pnp.studio.window import Studio

OURS = 'name,cost,type,text\nGrey Heron,3,Bird,"**Draw two** cards, then put one of them back on top."\n'
ROWS, SAMPLE = "rows", "cards"


class Gallery:
    """A game in a folder of its own, with a component for each style, and the sample that ``pnp new`` begins with."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._home = tempfile.TemporaryDirectory(prefix="pnp-styles-", ignore_cleanup_errors=True)
        taken = {*studio.project.games(), *studio.desks}
        self._name = next(name for name in (f"=styles-{number}" for number in count(1)) if name not in taken)
        root = Path(self._home.name).resolve()
        self._folder = root / "content" / self._name
        self._project = Project(root)
        for file, data in begun("starter", self._name).items():
            self._put(file, data)
        self._toml = (self._folder / "game.toml").read_text("utf-8")
        self.show("ours.csv", OURS.encode())
        self.desk = studio.desks[self._name] = Desk(root, self._name)
        self.desk.open()

    def close(self) -> None:
        self._studio.desks.pop(self._name, None)
        self.desk.close()
        self._home.cleanup()

    @property
    def faces(self) -> Mapping[str, FaceSeen]:
        """What there is to see by now: a front by the name of its style, and one of the sample."""
        seen = self.desk.seen
        return {each.name: each.faces[0] for each in seen.components if each.faces} if seen else {}

    def show(self, file: str, data: bytes) -> Table:
        """Draw the first card of a table; returns the whole of it. Raises Fault."""
        suffix = Path(file).suffix.lower()
        if suffix not in SUFFIXES:
            raise Fault(f"{Path(file).name} is no table. Allowed: {', '.join(SUFFIXES)}.")
        if len(data) > MOST_BYTES:
            raise Fault(f"{Path(file).name} is larger than {MOST_BYTES // 1_000_000} MB.")
        tried = Project(self._project.root / "tried")
        folder = tried.content / self._name
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        (folder / f"{ROWS}{suffix}").write_bytes(data)
        (folder / "game.toml").write_text('[game]\nname = "?"\n' + "".join(map(_component, STYLES)), encoding="utf-8")
        problems = Problems()
        game = read_game(tried, self._name, problems)
        wrong = [problem for problem in problems if problem.severity == "error"]
        if game is None or wrong or not game.components:
            raise Fault(_said(wrong[0]) if wrong else "It cannot be read.")
        table = game.components[0].table
        for component, style in zip(game.components, STYLES, strict=True):
            source = front(component, style, pictured=False)
            self._put(f"templates/{style}.svg.j2", source.encode())
        self._put(f"{ROWS}.csv", _first(table).encode())
        components = (f'{_component(style)}template = "{style}"\n' for style in STYLES)
        self._put("game.toml", "".join((self._toml, *components)).encode())
        return table

    def _put(self, file: str, data: bytes) -> None:
        path = self._folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _said(problem: Problem) -> str:
    """What is wrong with a table, without the names of a game that nobody knows."""
    if problem.rule == "no-rows":
        return "There is no row below the names of its columns yet."
    row = f"Row {problem.place.row}: " if problem.place.row else ""
    hint = f" {problem.hint}" if problem.hint else ""
    return f"{row}{problem.message[:1].upper() if not row else problem.message[:1]}{problem.message[1:].rstrip('.')}.{hint}"


def _component(style: str) -> str:
    return f'\n[component.{style}]\nsize = "poker"\ntable = "{ROWS}"\n'


def _first(table: Table) -> str:
    """The first row alone, without what counts it or names a drawing that is not here."""
    row, made = table.rows[0], io.StringIO()
    left_out = {"id", table.counted, art_column(table)}
    columns = [column for column in table.columns if column not in left_out]
    titles = dict(zip(table.columns, table.titles, strict=False))
    lines = csv.writer(made, lineterminator="\n")
    lines.writerow(["id", *(titles.get(column, column) for column in columns)])
    lines.writerow([row.id, *(row.display(column) for column in columns)])
    return made.getvalue()
