"""Types of table cells (yes or no, number, choice, colour) and how the grid shows each."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pnp.read.grid import column_name
from pnp.read.tomlfile import parsed
from pnp.values.problems import Fault

# What a row of the grid has besides its cells: its card's picture, and what is wrong with it, by column.
CARD, WRONG = "_card", "_wrong"
# Words for yes and no, of which a column uses one pair.
FLAGS = (("yes", "no"), ("true", "false"), ("TRUE", "FALSE"))
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")
_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}")
# So many rows are looked at to know what a column is.
MOST_LOOKED = 200
LONG = 30

FLAG = """params => {
  const box = document.createElement("input"), [yes, no] = %s;
  Object.assign(box, {type: "checkbox", checked: params.value === yes, tabIndex: -1, ariaLabel: params.colDef.headerName});
  box.indeterminate = params.value !== yes && params.value !== no && params.value !== "";
  box.onclick = event => {
    event.stopPropagation();
    params.node.setDataValue(params.column.getColId(), box.checked ? yes : no);
  };
  return box;
}"""
# The browser's own list: a word that is there stays to be chosen, allowed or not.
CHOICE = """class {
  init(params) {
    const all = %s, now = params.value ?? "";
    this.list = Object.assign(document.createElement("select"), {className: "choice-cell"});
    this.list.ariaLabel = params.colDef.headerName;
    for (const word of all.includes(now) ? all : [now, ...all]) this.list.add(new Option(word, word, false, word === now));
    this.list.onchange = () => params.stopEditing();
  }
  getGui() { return this.list; }
  afterGuiAttached() { this.list.focus(); }
  getValue() { return this.list.value; }
}"""
COLOUR = """params => {
  const cell = document.createElement("span"), swatch = document.createElement("i"), named = %s;
  swatch.className = "swatch";
  swatch.style.backgroundColor = Object.hasOwn(named, params.value) ? named[params.value] : params.value ?? "";
  if (params.value) cell.append(swatch);
  cell.append(params.value ?? "");
  return cell;
}"""
PICTURE = """params => {
  if (!params.value) return "";
  const image = document.createElement("img");
  return Object.assign(image, {className: "thumb", alt: "", src: params.value});
}"""
BY_NUMBER = """(one, other) => {
  const number = text => text ? parseFloat(text.replace(",", ".")) : -1e99;
  return number(one) - number(other);
}"""
WRONG_IN = f"params => (params.data?.{WRONG} ?? {{}})[params.colDef.field]"


@dataclass(frozen=True, slots=True)
class Rules:
    """Column types and choices from game.toml, as far as it can be read."""

    columns: Mapping[str, Any] = field(default_factory=dict)
    palette: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, toml: str, file: str) -> Rules:
        try:
            said = parsed(toml)
        except Fault:
            return cls()
        name = Path(file).name
        for key, table in _tables(said.get("table")).items():
            if name in (table.get("file"), f"{key}{Path(file).suffix}"):
                return cls(_tables(table.get("columns")), _texts(said.get("palette")))
        return cls({}, _texts(said.get("palette")))


def _tables(said: object) -> dict[str, dict[str, Any]]:
    return {key: each for key, each in said.items() if isinstance(each, dict)} if isinstance(said, dict) else {}


def _texts(said: object) -> dict[str, str]:
    return {key: each for key, each in said.items() if isinstance(each, str)} if isinstance(said, dict) else {}


def columns(header: Sequence[str], rows: Sequence[Mapping[str, Any]], rules: Rules) -> list[dict[str, Any]]:
    """Column definitions for the grid: the card pictures first, then one for each column of the table."""
    card = {
        "field": CARD,
        "headerName": "The piece of each row",
        "headerTooltip": "The piece of each row",
        "headerClass": "unseen",
        ":cellRenderer": PICTURE,
        "width": 46,
        "editable": False,
        "sortable": False,
        "suppressNavigable": True,
        "resizable": False,
        "cellClass": "card-cell",
    }
    return [card, *(_column(number, name, rows[:MOST_LOOKED], rules) for number, name in enumerate(header))]


def _column(number: int, name: str, rows: Sequence[Mapping[str, Any]], rules: Rules) -> dict[str, Any]:
    texts = [str(row.get(f"c{number}", "")) for row in rows]
    filled = [text for text in texts if text]
    rule = rules.columns.get(column_name(name), {})
    kind, allowed = rule.get("type"), [str(each) for each in rule.get("one_of", ()) or ()]
    wide = any(len(text) > LONG or "\n" in text for text in texts)
    made: dict[str, Any] = {
        "field": f"c{number}",
        "headerName": name or f"Column {number + 1}",
        "cellEditor": "agLargeTextCellEditor" if wide else "agTextCellEditor",
        "cellEditorPopup": wide,
        "width": 360 if wide else 150,
        "cellClassRules": {":wrong": WRONG_IN},
        ":tooltipValueGetter": WRONG_IN,
    }
    words = next((pair for pair in FLAGS if filled and {*filled} <= {*pair}), FLAGS[0] if kind == "flag" else None)
    if allowed:
        # An empty cell can be chosen, too: where it may not be, that is told as all else.
        made |= {**_chosen(allowed), "singleClickEdit": True}
    elif words:
        made |= {**_chosen(words), ":cellRenderer": FLAG % json.dumps(words), "width": 90}
    elif kind in ("whole", "number") or (not kind and filled and all(map(_NUMBER.fullmatch, filled))):
        made |= {"cellClass": "number", "headerClass": "ag-right-aligned-header", "width": 100, ":comparator": BY_NUMBER}
    elif kind == "colour" or (not kind and filled and all(map(_COLOUR.fullmatch, filled))):
        made |= {":cellRenderer": COLOUR % json.dumps(rules.palette)}
    return made


def _chosen(words: Sequence[str]) -> dict[str, Any]:
    return {"cellEditor": None, ":cellEditor": CHOICE % json.dumps(["", *words]), "cellEditorPopup": False}
