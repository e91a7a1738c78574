"""Writes the preview page of ``pnp watch`` and the checker's report: HTML files that need no other file."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pnp.dataclass import dataclass
from pnp.sandbox import Environment
from pnp.shapes.affine import Rect
from pnp.shapes.outline import Ring, path
from pnp.values.findings import ClaimShown, MapShown, Shown
from pnp.values.problems import Problem, ended

TEMPLATE = "preview.html.j2"


@dataclass(frozen=True, slots=True)
class FaceShown:
    """A face with its picture's file, relative to the page; empty when it could not be drawn."""

    name: str
    file: str


@dataclass(frozen=True, slots=True)
class ComponentShown:
    """A component's contact sheet."""

    name: str
    title: str
    kind: str
    copies: int
    faces: tuple[FaceShown, ...]


def preview_html(
    game: str,
    components: Sequence[ComponentShown],
    findings: Sequence[Problem],
    earlier: bool,
    version: str,
    pages: Path,
) -> bytes:
    """The page as UTF-8 HTML; ``earlier``: the pieces are those of the last successful build."""
    file = pages / TEMPLATE
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    text = environment.from_string(file.read_text(encoding="utf-8")).render(
        game=game,
        components=components,
        findings=[problem.as_sentences() for problem in findings],
        errors=sum(problem.severity == "error" for problem in findings),
        earlier=earlier,
        version=version,
    )
    return text.encode()


def state_js(version: str) -> bytes:
    """The version, which an open page polls each second; it reloads when that differs from its own."""
    return f'pnpState("{version}");\n'.encode()


REPORT_TEMPLATE = "report.html.j2"
# What stands on a cell of a map instead of a number, so that colour is not all that tells.
SIGNS = {"start": "S", "bad": "×"}


@dataclass(frozen=True, slots=True)
class PieceShown:
    """A component in the report's list, with a picture of one of its pieces (PNG)."""

    title: str
    kind: str
    different: int
    copies: int
    picture: bytes


@dataclass(frozen=True, slots=True)
class FindingShown:
    """A finding, with the picture of its piece (PNG, size in mm) and the box on it, if it is about one."""

    problem: Problem
    heading: str
    picture: bytes = b""
    size: tuple[float, float] = (0.0, 0.0)
    box: Rect | None = None


@dataclass(frozen=True, slots=True)
class Letter:
    """The contents of the report."""

    game: str
    version: str
    language: str
    made_by: str
    drawn: bool
    components: Sequence[PieceShown]
    findings: Sequence[FindingShown]
    silenced: Sequence[tuple[Problem, str]]
    shown: Sequence[tuple[str, Shown]]
    """Evidence with the heading of its group."""


def report_html(letter: Letter, pages: Path) -> bytes:
    """The report as UTF-8 HTML; ``pages`` is the folder of pnp's own templates."""
    file = pages / REPORT_TEMPLATE
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"data_uri": _data_uri, "number": _is_number}
    errors = [finding for finding in letter.findings if finding.problem.severity == "error"]
    text = environment.from_string(file.read_text(encoding="utf-8")).render(
        letter=letter,
        claims=sum(isinstance(shown, ClaimShown) for _, shown in letter.shown),
        errors=len(errors),
        warnings=len(letter.findings) - len(errors),
        findings=_grouped((finding.heading, _finding(finding)) for finding in letter.findings),
        silenced=[
            {"place": str(problem.place), "text": ended(problem.message), "because": why} for problem, why in letter.silenced
        ],
        evidence=_grouped((heading, _evidence(shown)) for heading, shown in letter.shown),
    )
    return text.encode()


def _grouped(pairs: Iterable[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for heading, entry in pairs:
        groups.setdefault(heading, []).append(entry)
    return [{"heading": heading, "entries": entries} for heading, entries in groups.items()]


def _data_uri(picture: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"


def _finding(finding: FindingShown) -> dict[str, Any]:
    (width, height), box = finding.size, finding.box
    outlined = {}
    if box is not None and width and height:
        shares = {"left": box.x / width, "top": box.y / height, "width": box.width / width, "height": box.height / height}
        outlined = {side: f"{100 * share:.2f}%" for side, share in shares.items()}
    return {**finding.problem.as_sentences(), "picture": finding.picture, "box": outlined}


def _evidence(shown: Shown) -> dict[str, Any]:
    if isinstance(shown, MapShown):
        return {"form": "map", "title": shown.title, "note": shown.note, **_map(shown)}
    return {"form": "claim" if isinstance(shown, ClaimShown) else "table", **asdict(shown)}


def _is_number(text: str) -> bool:
    return text.replace(".", "").replace("%", "").replace("–", "").strip().isdigit()


def _map(shown: MapShown) -> dict[str, Any]:
    """A map as the parts of an SVG: view box, cells with their state, texts in their middles."""
    points = [point for spot in shown.spots for point in spot.ring]
    if not points:
        return {"view": "0 0 1 1", "cells": [], "size": 1.0}
    left, top = min(x for x, _ in points), min(y for _, y in points)
    width, height = max(x for x, _ in points) - left, max(y for _, y in points) - top
    rim = 0.01 * max(width, height)
    usual = min(_roomiest(spot.ring)[2] for spot in shown.spots)
    cells: list[Mapping[str, Any]] = []
    for spot in sorted(shown.spots, key=lambda spot: spot.state == "bad"):
        text = SIGNS.get(spot.state) or spot.text
        x, y, wide = _roomiest(spot.ring)
        size = min(usual * 0.45, wide * 1.5 / max(len(text), 1))
        cells.append(
            {
                "path": path([spot.ring]),
                "state": spot.state,
                "text": text,
                "x": round(x, 2),
                "y": round(y + size * 0.35, 2),
                "size": round(size, 2),
            }
        )
    view = f"{left - rim:.2f} {top - rim:.2f} {width + 2 * rim:.2f} {height + 2 * rim:.2f}"
    return {"view": view, "cells": cells, "tall": height > width, "hair": round(max(width, height) / 900, 4)}


def _roomiest(ring: Ring) -> tuple[float, float, float]:
    """The centre and width of the widest place inside a ring: for a text."""
    top, bottom = min(y for _, y in ring), max(y for _, y in ring)
    spans: list[tuple[float, float, float]] = []
    for step in range(1, 32, 2):
        level = top + (bottom - top) * step / 32
        ends = zip(ring, [*ring[1:], ring[0]], strict=True)
        met = sorted(
            x0 + (x1 - x0) * (level - y0) / (y1 - y0) for (x0, y0), (x1, y1) in ends if (y0 < level) != (y1 < level)
        )
        spans += [(right - left, (left + right) / 2, level) for left, right in zip(met[::2], met[1::2], strict=False)]
    if not spans:
        return ring[0][0], ring[0][1], 0.0
    widest = max(spans)
    alike = [span for span in spans if widest[0] - span[0] < 1e-6 and abs(span[1] - widest[1]) < 1e-6]
    wide, x, y = alike[len(alike) // 2]
    return x, y, wide
