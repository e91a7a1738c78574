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
# The wings, each with those that it may import. All else is below: nobody knows who stands above.
GROUND = {"shapes": set(), "values": {"shapes"}, "svg": {"shapes", "values"}, "system": {"shapes", "values"}}
GROUND |= {"sandbox": {"values", "system"}}
WINGS: dict[str, set[str]] = {
    **GROUND,
    **{stage: set(GROUND) for stage in STAGES},
    "flows": {*GROUND, *STAGES},
    "cli": {"flows", "read", "check", "write", "shapes", "values", "system"},
}
# Add-ons may import all of the core, which knows none of them; press makes targets of exports.
ADDONS = ("imports", "exports", "press", "studio")
WINGS |= {addon: {*WINGS} for addon in ADDONS}
WINGS["press"] = {*WINGS["press"], "exports"}
HEAVY = (
    *("typst", "pikepdf", "reportlab", "pypdfium2", "PIL", "fontTools", "python_calamine", "rich", "markdown_it"),
    *("jinja2", "lxml", "pydantic", "svgwrite", "nicegui", "fastapi", "starlette", "uvicorn", "rapidfuzz"),
)

FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in PACKAGE.rglob("*.py")
}


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


def wing_of(module: str) -> str | None:
    """The folder of the package that a module is in."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in WINGS else None


def test_the_reader_of_imports_sees_them() -> None:
    """These tests mean something: known imports are found, also inside functions and for types only."""
    assert "pnp.read.tables" in imports("pnp.read.game")
    assert "jinja2" in imports("pnp.draw.template", everywhere=False)
    assert "reportlab" in imports("pnp.write.pdf")
    assert "reportlab" not in imports("pnp.write.pdf", everywhere=False)
    assert "pnp.values.game" in imports("pnp.flows.publish"), "for types only"
    assert all(any(wing_of(module) == wing for module in FILES) for wing in WINGS)


def test_every_module_is_in_a_wing() -> None:
    """Beside the wings there are only the package itself, its door, and what all are made of."""
    assert {module for module in FILES if wing_of(module) is None} == {"pnp", "pnp.__main__", "pnp.dataclass"}


@pytest.mark.parametrize("wing", WINGS)
def test_a_wing_imports_only_what_stands_below(wing: str) -> None:
    """Stages meet in values and conductors, never in each other; wherever an import stands, also for types only."""
    known = {
        name: {other for other in map(wing_of, imports(name)) if other not in (None, wing)}
        for name in FILES
        if wing_of(name) == wing
    }

    assert {name: others - WINGS[wing] for name, others in known.items() if others - WINGS[wing]} == {}


def test_only_conductors_write_output() -> None:
    """Below the output folder nobody writes but through one module, and no stage knows it."""
    writers = {wing_of(module) for module in FILES if "pnp.system.manifest" in imports(module)}

    assert writers <= {"flows", "cli", "system", *ADDONS}


@pytest.mark.parametrize(
    ("library", "homes"),
    [
        ("markdown_it", ["pnp.draw", "pnp.books", "pnp.sandbox.markup"]),
        ("jinja2", ["pnp.sandbox", "pnp.draw.template"]),
        ("reportlab", ["pnp.write", "pnp.press"]),
        ("pikepdf", ["pnp.write", "pnp.press", "pnp.draw.layer_pdf", "pnp.exports.compare"]),
        ("pypdfium2", ["pnp.write", "pnp.press"]),
        ("typst", ["pnp.draw", "pnp.books"]),
        ("pydantic", ["pnp.read", "pnp.values", "pnp.exports.export"]),
        ("python_calamine", ["pnp.read.spreadsheets"]),
        ("xlrd", ["pnp.read.spreadsheets"]),
        ("yaml", ["pnp.read.records"]),
        ("http", ["pnp.flows.fetch", "pnp.studio.app"]),
        ("nicegui", ["pnp.studio"]),
        ("fastapi", ["pnp.studio"]),
        ("uvicorn", ["pnp.studio"]),
        ("tomllib", ["pnp.read", "pnp.system.printers", "pnp.exports.shops"]),
        ("tomli_w", ["pnp.system.printers"]),
        ("click", ["pnp.cli", "pnp.system.paths", *(f"pnp.{addon}.command" for addon in ADDONS)]),
        ("filelock", ["pnp.system.manifest"]),
    ],
)
def test_a_library_lives_in_one_place(library: str, homes: list[str]) -> None:
    """What could be exchanged one day is known in one place only."""
    users = {module for module in FILES if library in imports(module)}

    assert users
    assert all(any(f"{user}.".startswith(f"{home}.") for home in homes) for user in users), users


def test_imports_go_round_in_no_circle() -> None:
    """No module needs one that needs it: not to be imported, not inside a function, not for a type."""
    graph = {module: {name for name in imports(module) if name in FILES} for module in FILES}
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
    code = f"import sys, pnp.cli.main; print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=ROOT)

    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
