"""The page that ``pnp watch`` keeps fresh: pictures of all pieces, what is wrong, and when to reload."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pnp.sandbox import Environment
from pnp.values.problems import Problem

TEMPLATE = "preview.html.j2"


@dataclass(frozen=True, slots=True)
class FaceShown:
    """A face with the file of its picture, relative to the page; empty when it could not be drawn."""

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
    roots: Iterable[Path],
) -> bytes:
    """The page as UTF-8 HTML; ``earlier``: the pieces are those of the last time that they could be drawn."""
    file = next(root / "shared" / TEMPLATE for root in roots if (root / "shared" / TEMPLATE).is_file())
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
    """What an open page asks for each second; it reloads when the version is another than its own."""
    return f'pnpState("{version}");\n'.encode()
