"""Stores printers' calibrations in a small TOML file in the user's settings folder."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from pnp.shapes.affine import Calibration, Flip
from pnp.system.manifest import put_anew
from pnp.values.game import LEAST_MARGIN, MOST_MARGIN
from pnp.values.problems import Fault, closest, listed

FILE = "printers.toml"
# A larger error is a wrong flip edge or a scaled page, which no shift can mend.
MOST_SHIFT = 10.0
MOST_ANGLE = 5.0


def stored(folder: Path) -> dict[str, Calibration]:
    """Calibrations by printer name; empty when none is stored. Raises Fault."""
    path = folder / FILE
    if not path.is_file():
        return {}
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return {name: _calibration(entry) for name, entry in data.items()}
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise Fault(f"{path} is not a list of printers ({error})", hint="Remove it and calibrate again.") from None


def _calibration(entry: Mapping[str, Any]) -> Calibration:
    flip: Flip = entry.get("backs", "long-edge")
    if flip not in get_args(Flip):
        raise ValueError(f'"{flip}" is no way of turning paper')
    margin = float(entry.get("margin", 0.0))
    if margin and not LEAST_MARGIN <= margin <= MOST_MARGIN:
        raise ValueError(f"a margin of {margin:g} mm is out of bounds: {LEAST_MARGIN:g} to {MOST_MARGIN:g}")
    return Calibration(float(entry["dx"]), float(entry["dy"]), float(entry.get("angle", 0.0)), flip, margin)


def calibration(folder: Path, name: str, backs: str = "") -> Calibration:
    """The stored calibration of a printer for such backs. Raises Fault."""
    known = stored(folder)
    if name not in known:
        hint = closest(name, known) or f"Stored: {listed(known) or 'none'}."
        raise Fault(f'no printer "{name}" is stored. {hint} Store it with: pnp calibrate --set dx,dy --printer "{name}"')
    if backs in get_args(Flip) and known[name].flip != backs:
        raise Fault(
            f'the printer "{name}" was measured with --backs {known[name].flip}, which says nothing of {backs}. '
            f"Measure that with: pnp calibrate --backs {backs}, and store it under a name of its own"
        )
    return known[name]


def store(folder: Path, name: str, measured: Calibration) -> Path:
    """Adds or replaces a printer; returns the file. Raises Fault, OSError.

    What a person wrote about others stays as it is, remarks too, and where the file is a link, the file that it leads to
    is written.
    """
    import tomli_w

    stored(folder)
    folder.mkdir(parents=True, exist_ok=True)
    file = (folder / FILE).resolve()
    entry: dict[str, float | str] = {"dx": measured.dx, "dy": measured.dy, "angle": measured.angle}
    if measured.flip != "long-edge":
        entry["backs"] = measured.flip
    if measured.margin:
        entry["margin"] = measured.margin
    kept = _without(file.read_text(encoding="utf-8"), name) if file.is_file() else ""
    text = f"{kept.rstrip()}\n\n" if kept.strip() else ""
    put_anew(file, f"{text}{tomli_w.dumps({name: entry})}".encode())
    return folder / FILE


def _without(text: str, name: str) -> str:
    """The text without one printer: from its heading to the next."""
    kept, ours = [], False
    for line in text.splitlines(keepends=True):
        if line.startswith("["):
            try:
                ours = name in tomllib.loads(line)
            except (ValueError, RecursionError):
                ours = False  # the second line of a value, which no printer of ours has
        kept += [] if ours else [line]
    return "".join(kept)


def parse(text: str) -> Calibration:
    """Parses ``dx,dy`` or ``dx,dy,angle`` in mm and degrees. Raises ValueError with a sentence."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3):
        raise ValueError(f'"{text}" is not dx,dy or dx,dy,angle, such as 0.5,-1.25')
    dx, dy, angle = (*numbers, 0.0)[:3]
    measured = Calibration(dx, dy, angle)
    if not (abs(measured.dx) <= MOST_SHIFT and abs(measured.dy) <= MOST_SHIFT and abs(measured.angle) <= MOST_ANGLE):
        raise ValueError(f'"{text}" is out of bounds: shifts up to {MOST_SHIFT:g} mm, angles up to {MOST_ANGLE:g} degrees')
    return measured
