"""Whatever has a hand in what a layer says: the code that draws, and the libraries that it draws with."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from pnp.cache import digest

ENGINES = ("jinja2", "markupsafe", "lxml", "markdown-it-py", "fonttools", "pillow", "svgwrite", "numpy", "typst")
HANDS = (".", "draw", "sandbox", "nets")


@cache
def hands() -> str:
    """A digest of them all, and of the Python that runs them."""
    root = Path(__file__).parent.parent
    code = (path.read_bytes() for folder in HANDS for path in sorted((root / folder).glob("*.py")))
    # The folder beside a library is called by its name and version, so that none need be opened.
    about = (entry.name for home in sys.path for entry in sorted(Path(home).glob("*-info")))
    engines = (name for name in about if name.partition("-")[0].lower().replace("_", "-") in ENGINES)
    return digest(sys.version, *engines, *code)
