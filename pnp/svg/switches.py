"""What a drawing offers to several readers: of each ``<switch>`` only what is meant for us stays.

Illustrator keeps its own data in one, and editors of diagrams a web page beside the plain text.
"""

from __future__ import annotations

from pnp.svg.tree import Element, local, tag


def choose(root: Element) -> None:
    """Replace each switch by what can be drawn here. A web page that nothing says is for others stays, and is refused."""
    for switch in list(root.iter(tag("switch"))):
        offered = [child for child in switch if local(child) and not child.get("requiredExtensions")]
        drawn = [child for child in offered if local(child) != "flowRoot"]
        plain = [child for child in drawn if not child.get("systemLanguage")]
        chosen = next(iter([*plain, *drawn, *offered]), None)
        for child in list(switch):
            if child is not chosen:
                switch.remove(child)
        switch.tag = tag("g")
