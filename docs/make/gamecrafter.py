"""Take the sizes of The Game Crafter's products from the shop anew: ``python docs/make/gamecrafter.py``.

Its list of products needs no login. Only products are taken that pnp knows already, and new ones that are flat: a person
looks at what has changed, and commits it. ``--from FILE`` takes a saved answer instead.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
import tomllib
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SOURCE = "https://www.thegamecrafter.com/api/tgc/products"
FILE = Path(__file__).parents[2] / "pnp" / "exports" / "gamecrafter.toml"
# What pnp has a use for, by the end of the product's name.
USES = {"Deck": "card", "Tile": "tile", "Chit": "token", "Board": "board"}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--from", dest="file", type=Path, help="a saved answer of the shop")
    asked.add_argument("--day", default=datetime.date.today().isoformat(), help="the day of the answer, such as 2026-11-22")
    given = asked.parse_args()
    if given.file:
        answer = json.loads(given.file.read_bytes())
    else:
        with urllib.request.urlopen(SOURCE, timeout=60) as response:
            answer = json.load(response)
    text = FILE.read_text(encoding="utf-8")
    known = tomllib.loads(text)["products"]
    found = {**known, **products(answer["result"] if isinstance(answer, dict) else answer, known)}
    head = [line for line in text.splitlines() if line.startswith("#")]
    FILE.write_text(file_of(head, datetime.date.fromisoformat(given.day), found), encoding="utf-8")
    changed = [name for name, entry in found.items() if known.get(name) != entry]
    sys.stdout.write(f"{len(found)} products; new or changed: {', '.join(changed) or 'none'}\n")


def products(answer: Sequence[Mapping[str, Any]], known: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The flat products of an answer as the file has them."""
    made = {}
    for product in answer:
        name, size = str(product["identity"]), product.get("size") or {}
        use = known.get(name, {}).get("use") or next((use for end, use in USES.items() if name.endswith(end)), "")
        if not use or not size.get("pixels") or not size.get("finished_inches"):
            continue
        width, height = (round(float(side), 4) for side in size["finished_inches"][:2])
        shape = "hex" if "Hex" in name else "circle" if "Circle" in name else "rectangle"
        made[name] = {
            "dots": [int(side) for side in size["pixels"][:2]],
            "inches": [width, height],
            "use": use,
            "shape": shape,
        }
    return made


def file_of(head: Sequence[str], day: datetime.date, found: Mapping[str, Mapping[str, Any]]) -> str:
    """The whole file."""
    lines = [*head, f"updated = {day.isoformat()}", "", "[products]"]
    for name, entry in found.items():
        dots, inches = ", ".join(map(str, entry["dots"])), ", ".join(f"{side:g}" for side in entry["inches"])
        lines.append(
            f'{name} = {{ dots = [{dots}], inches = [{inches}], use = "{entry["use"]}", shape = "{entry["shape"]}" }}'
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
