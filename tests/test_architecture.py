"""The picture of the house in ``pnp/__init__.py`` is true of the code."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "pnp"
STAGES = ("read", "draw", "books", "lay", "write", "check")
# They run the stages: what building and checking share, and the three things a person can ask for.
CONDUCTORS = ("pnp.drawing", "pnp.checking", "pnp.reporting", "pnp.build", "pnp.verifying", "pnp.proofing", "pnp.starting")
CONDUCTORS += (
    "pnp.watching",
    "pnp.doctoring",
    "pnp.publishing",
    "pnp.editing",
    "pnp.shooting",
    "pnp.planning",
    "pnp.inking",
    "pnp.picturing",
    "pnp.batch",
)
MOST_LINES = 400
HEAVY = (
    *("typst", "pikepdf", "reportlab", "pypdfium2", "PIL", "fontTools", "python_calamine", "rich", "markdown_it"),
    *("jinja2", "lxml", "pydantic", "svgwrite"),
)

FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in PACKAGE.rglob("*.py")
}

# What a person types, and is told.
FACES = [*sorted(module for module in FILES if module.startswith("pnp.cli")), "pnp.asking", "pnp.telling"]


def nodes(tree: ast.AST, everywhere: bool) -> Iterator[ast.AST]:
    """Every node of a module; without ``everywhere`` only what runs when it is imported."""
    for node in ast.iter_child_nodes(tree):
        if not everywhere:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                continue
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                continue
        yield node
        yield from nodes(node, everywhere)


@cache
def imports(module: str, everywhere: bool = True) -> frozenset[str]:
    """What a module imports: of other packages the package, of pnp the modules."""
    found: set[str] = set()
    for node in nodes(ast.parse(FILES[module].read_text(encoding="utf-8")), everywhere):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are written whole"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in FILES else str(node.module) for name in inner}
    return frozenset(name if name.partition(".")[0] == "pnp" else name.partition(".")[0] for name in found)


def stage_of(module: str) -> str | None:
    """The stage folder that a module is in."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in STAGES else None


def test_the_reader_of_imports_sees_them() -> None:
    """These tests mean something: known imports are found, also inside functions and for types only."""
    assert "pnp.read.tables" in imports("pnp.read.game")
    assert "jinja2" in imports("pnp.draw.template", everywhere=False)
    assert "reportlab" in imports("pnp.write.pdf")
    assert "reportlab" not in imports("pnp.write.pdf", everywhere=False)
    assert all(any(stage_of(module) == stage for module in FILES) for stage in STAGES)


@pytest.mark.parametrize("module", sorted(module for module in FILES if stage_of(module)))
def test_a_stage_imports_no_other_stage(module: str) -> None:
    """Stages meet in the model and in build, never in each other."""
    others = {name for name in imports(module) if stage_of(name) not in (None, stage_of(module))}

    assert not others


@pytest.mark.parametrize("module", sorted(module for module in FILES if stage_of(module)))
def test_a_stage_knows_nothing_of_what_stands_above(module: str) -> None:
    """Imports run downward: no stage knows the conductor, the output folder or the command line."""
    assert not imports(module) & {*CONDUCTORS, *FACES, "pnp.outputs", "pnp.printers", "click"}


def test_only_the_faces_know_the_conductor() -> None:
    """The conductors are called by the command line and by one another; only they write output."""
    for conductor in CONDUCTORS:
        assert {module for module in FILES if conductor in imports(module)} <= {*FACES, *CONDUCTORS}
    assert {module for module in FILES if "pnp.build" in imports(module)} == {
        "pnp.batch",
        "pnp.cli_check",
        "pnp.cli_printer",
        "pnp.cli_proof",
        "pnp.cli_watch",
    }
    assert {module for module in FILES if "pnp.outputs" in imports(module)} <= {
        "pnp.batch",
        "pnp.build",
        "pnp.checking",
        "pnp.cli_watch",
        "pnp.fresh",
        "pnp.proofing",
        "pnp.watching",
        "pnp.doctoring",
        "pnp.starting",
        "pnp.cli_build",
    }


@pytest.mark.parametrize(
    ("library", "homes"),
    [
        ("markdown_it", ["pnp.draw", "pnp.books"]),
        ("jinja2", ["pnp.sandbox", "pnp.draw.template"]),
        ("reportlab", ["pnp.write"]),
        ("pikepdf", ["pnp.write"]),
        ("pypdfium2", ["pnp.write"]),
        ("typst", ["pnp.draw", "pnp.books"]),
        ("pydantic", ["pnp.read"]),
        ("python_calamine", ["pnp.read.grid"]),
        ("tomllib", ["pnp.read", "pnp.printers"]),
        ("click", [*FACES, "pnp.completing", "pnp.sealing"]),
    ],
)
def test_a_library_lives_in_one_place(library: str, homes: list[str]) -> None:
    """What could be exchanged one day is known in one place only."""
    users = {module for module in FILES if library in imports(module)}

    assert users
    assert all(any(f"{user}.".startswith(f"{home}.") for home in homes) for user in users), users


def test_no_module_is_long() -> None:
    """A module is read in one go."""
    lengths = {module: len(path.read_text(encoding="utf-8").splitlines()) for module, path in FILES.items()}

    assert {module: length for module, length in lengths.items() if length > MOST_LINES} == {}


def test_imports_go_round_in_no_circle() -> None:
    """No module needs, to be imported, one that needs it."""
    graph = {module: {name for name in imports(module, everywhere=False) if name in FILES} for module in FILES}
    while free := [module for module, needed in graph.items() if not needed & set(graph)]:
        for module in free:
            del graph[module]

    assert not graph


def test_every_module_says_what_it_is() -> None:
    """Each module begins with a sentence; the package's numbers the stages."""
    said = {module: ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "" for module, path in FILES.items()}

    assert all(said.values()), [module for module, text in said.items() if not text]
    assert all(f":mod:`pnp.{stage}`" in said["pnp"] for stage in STAGES)


def test_the_command_line_starts_light() -> None:
    """``pnp --help`` waits for no library that only a build needs."""
    code = f"import sys, pnp.cli; print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=ROOT)

    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
