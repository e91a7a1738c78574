"""Whatever has a hand in what is printed: Python, the libraries that draw, set, pack or place, and pnp's own code."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from pnp import __version__
from pnp.system.cache import digest

LIBRARIES = (
    *("typst", "pikepdf", "reportlab", "pypdfium2", "pillow", "lxml", "jinja2", "markupsafe", "markdown-it-py", "numpy"),
    *("mdit-py-plugins", "fonttools", "svgwrite", "rectpack", "ezdxf", "python-calamine", "pydantic", "colorspacious"),
)


@cache
def engines() -> tuple[str, ...]:
    """Each of them in a word; the modules of this process stay as they are however long it runs."""
    root = Path(__file__).resolve().parent.parent
    files = [path for path in sorted(root.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    code = (part for path in files for part in (path.relative_to(root).as_posix(), path.read_bytes()))
    # The folder beside a library is called by its name and version, so that none need be opened; the first one counts.
    found: dict[str, str] = {}
    for home in sys.path:
        for entry in sorted(Path(home).glob("*-info")):
            name, _, version = entry.name.rpartition(".")[0].partition("-")
            found.setdefault(name.lower().replace("_", "-"), version)
    libraries = (f"{name} {found[name]}" for name in LIBRARIES if name in found)
    return f"pnp-press {__version__} ({digest(*code)[:16]})", f"Python {sys.version.split()[0]}", *libraries


@cache
def engines_digest() -> str:
    """A digest of them all."""
    return digest(sys.version, *engines())
