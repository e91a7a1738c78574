"""What a template mentions is seen in its source, or it is said that it cannot be."""

from __future__ import annotations

import jinja2
import pytest

from pnp.sandbox.drawings import Drawings
from pnp.sandbox.mentions import Mentions


def mentions(source: str) -> Mentions:
    """Of a template with this source."""
    drawings = Drawings(jinja2.DictLoader({"card": source}), {})
    drawings.get_template("card")
    return drawings.mentioned["card"]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("{{ row.name }}", {"row"}),
        ("{% if each %}{{ texts['a'] ~ palette.sea }}{% endif %}", {"each", "texts", "palette"}),
        ("{{ tables.goods }}{{ tables['towns'] }}", {"tables.goods", "tables.towns"}),
        ("{{ tables.goods }}{{ tables[row.kind] }}", {"tables", "row"}),
        ("{% set all = tables %}{{ all.goods }}", {"tables", "all"}),
        ("{% for name in tables %}{{ tables.goods }}{% endfor %}", {"tables", "name"}),
        ("{% macro m(x) %}{{ x }}{{ game.name }}{% endmacro %}{{ m(1) }}", {"m", "x", "game"}),
        ("{# row #}tables{% raw %}{{ each }}{% endraw %}", set()),
    ],
)
def test_names(source: str, names: set[str]) -> None:
    """Every name that is asked for, in macros, too; of all tables, those that are named, where all are."""
    assert mentions(source).names == names


@pytest.mark.parametrize(
    ("source", "files", "imported"),
    [
        ('{% extends "a" %}{% include "b" %}{% import "c" as c %}{% from "d" import e %}', {"a", "b", "c", "d"}, {"c", "d"}),
        ('{% include ["a", "b"] ignore missing %}', {"a", "b"}, set()),
        ("{% include row.name %}", {None}, set()),
        ('{% extends "a" if row else "b" %}', {None}, set()),
        ('{% include ["a", row.name] %}', {None}, set()),
        ("{% import row.name as c %}", {None}, set()),
    ],
)
def test_files(source: str, files: set[str | None], imported: set[str]) -> None:
    """What is taken in by its name; None where the name is made while the template is filled in."""
    found = mentions(source)

    assert (set(found.files), found.imported) == (files, imported)


@pytest.mark.parametrize(
    ("source", "remembers"),
    [
        ("{% set n = namespace(n=0) %}", True),
        ("{% if true %}{% set n = cycler('a', 'b') %}{% endif %}", True),
        ("{% set n = joiner() %}", True),
        ("{% set n = [1, 2] | map('string') %}", True),
        ("{% set n = 'ab' | reverse %}", True),
        ("{% macro m() %}{% set n = namespace(n=0) %}{{ n.n }}{% endmacro %}", False),
        ("{% set n = [1, 2] %}{% set sea = palette.sea %}", False),
    ],
)
def test_what_remembers(source: str, remembers: bool) -> None:
    """What changes while it is used, and stands where it is made once, could tell one face from the next."""
    assert mentions(source).remembers == remembers
