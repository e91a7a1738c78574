"""``[component.NAME]`` → :class:`pnp.values.game.Component`: size, bleed, rows, and what its kind brings."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from pnp.read.pieces import PieceRules, Shelf, known_columns
from pnp.read.tomlfile import Lines
from pnp.values.game import Component, Table
from pnp.values.problems import Place, Problems, closest, listed

MOST_BLEED = 20.0


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
    table = rules.rows(key, shelf, place)
    if table is None or len(problems.errors) > before:
        return None
    component = Component(
        name=key,
        title=rules.title or key.replace("-", " ").replace("_", " ").capitalize(),
        kind=rules.kind,
        table=_filtered(table, rules, key, shelf.lines, problems),
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
    )
    return rules.made(component, shelf, problems)


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
    rows = tuple(row for row in table.rows if all(row.says(column, value) for column, value in rules.where.items()))
    table.used.update(rules.where)
    if not rows and table.whole and all(row.sound for row in table):
        missed = {column: {row.text_of(column): None for row in table} for column in rules.where}
        column, value = next(((key, value) for key, value in rules.where.items() if value not in missed[key]), ("", ""))
        problems.error(
            "no-rows",
            place if rules.where else Place(table.file),
            f'no row of the table "{table.name}" is a piece of "{key}"',
            value=value,
            allowed=f"{column} {listed(missed[column])}" if column else "",
            hint=(closest(value, missed.get(column, ())) or "Check the values in where.")
            if rules.where
            else "A row is a piece: add one below the column names.",
        )
    return replace(table, rows=rows)
