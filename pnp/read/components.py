"""``[component.NAME]`` → :class:`pnp.values.game.Component`: size, bleed, rows, and what its kind brings."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from pnp.read.grid import SUFFIXES
from pnp.read.joined import check_joined, numbered
from pnp.read.pieces import PieceRules, Shelf, known_columns
from pnp.read.tomlfile import Lines
from pnp.read.wheres import as_said, check_values, said_in
from pnp.values.game import Component
from pnp.values.kinds import KINDS
from pnp.values.problems import Place, Problems, closest, listed
from pnp.values.tables import Table

MOST_BLEED = 20.0
# Nine to a sheet these are eleven packets of 500 sheets.
MOST_PIECES = 50_000


def read_component(key: str, rules: PieceRules, shelf: Shelf, problems: Problems) -> Component | None:
    """The component, or None when what is wrong with it leaves nothing to draw."""
    before = len(problems.errors)
    place = shelf.lines.place("component", key)
    width, height = rules.trim(key, shelf.lines, problems)
    bleed = 0.0 if rules.bleed == "0" else shelf.length(key, "bleed", rules.bleed, 0.0, MOST_BLEED, problems)
    template = rules.template or key
    for role, name in (("template", template), ("back", rules.back)):
        if name is not None:
            _find_template(name, shelf.roots, shelf.lines.place("component", key, role), problems)
    if rules.tabled and rules.counted and rules.table is None:
        _two_ways(key, shelf, problems)
    table = rules.rows(key, shelf, place)
    if table is None or len(problems.errors) > before:
        return None
    if table.parts:
        check_joined(table, shelf.lines.place("component", key, "table"), problems)
    table = _copied(_filtered(table, rules, key, shelf.lines, problems), rules, key, shelf.lines, problems)
    component = Component(
        name=key,
        title=rules.title or key.replace("-", " ").replace("_", " ").capitalize(),
        kind=rules.kind,
        table=table,
        template=template,
        back=rules.back,
        width=width,
        height=height,
        bleed=bleed,
        paper=rules.paper,
        place=place,
        weight=rules.weight,
        backs=rules.backs,
        upright=rules.upright,
        instead=rules.instead,
    )
    return rules.made(component, shelf, problems)


def _two_ways(key: str, shelf: Shelf, problems: Problems) -> None:
    """A table of the piece's name beside its copies: nobody knows which of them is meant."""
    found = next((file for suffix in SUFFIXES if (file := shelf.folder / (key + suffix)).is_file()), None)
    if found is not None:
        problems.error(
            "two-copies",
            shelf.lines.place("component", key, "copies"),
            f"the rows of {found.name} are the pieces and say how many there are, and so does copies",
            hint="Take copies away, or give one of the two another name.",
        )


def _find_template(name: str, roots: tuple[Path, ...], place: Place, problems: Problems) -> None:
    known = sorted({file.name.removesuffix(".svg.j2") for root in roots for file in root.glob("*.svg.j2")})
    if name not in known:
        # Typed with its folder or its ending, it is still known which one is meant.
        plain = re.split(r"[/\\]", name)[-1].partition(".")[0]
        problems.error(
            "missing-template",
            place,
            f'there is no template "{name}" (a file {name}.svg.j2)',
            value=name,
            allowed=listed(known) or "none are there yet",
            hint=f'Write "{plain}".' if plain in known else closest(name, known),
        )


def _filtered(table: Table, rules: PieceRules, key: str, lines: Lines, problems: Problems) -> Table:
    place = lines.place("component", key, "where")
    if not known_columns(table, list(rules.where), place, problems):
        return table
    rows = tuple(row for row in table if all(condition.holds(row, column) for column, condition in rules.where.items()))
    table.use(rules.where)
    sound, before = table.whole and all(row.sound for row in table), len(problems.errors)
    if sound and (rows or any(condition.bounded for condition in rules.where.values())):
        check_values(rules.where, table, place, problems)
        sound = len(problems.errors) == before
    if not rows and sound:
        missed = {column: {text: None for row in table for text in row.sayings(column)} for column in rules.where}
        wanted = [(column, value) for column, condition in rules.where.items() for value in condition.in_ or ()]
        column, value = next(((key, as_said(value)) for key, value in wanted if not said_in(missed[key], value)), ("", ""))
        problems.error(
            "no-rows",
            place if rules.where else table.place(),
            f'no row of the table "{table.name}" is a piece of "{key}"',
            value=value,
            allowed=f"{column} {listed(missed[column])}" if column else "",
            hint=(closest(value, missed.get(column, ())) or "Check the values in where.")
            if rules.where
            else "A row is a piece: add one below the column names.",
        )
    return replace(table, rows=rows)


def _copied(table: Table, rules: PieceRules, key: str, lines: Lines, problems: Problems) -> Table:
    """The table, with a row for each copy where the copies have numbers; not where there are far too many, which is told."""
    if not rules.numbered or sum(row.copies for row in table) > MOST_PIECES:
        return table
    place = lines.place("component", key, "numbered")
    if KINDS[rules.kind].laid:
        problems.error("bad-value", place, f"copies of a {rules.kind} have no numbers: layouts name each by its row's id")
        return table
    return numbered(table, place, problems)
