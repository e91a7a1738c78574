"""What a drawing offers to several readers: of each ``<switch>`` only what is meant for us stays.

Illustrator keeps its own data in one, and editors of diagrams a web page beside the plain text.
"""

from __future__ import annotations

from pnp.svg.tree import Element, local, tag


def choose(root: Element) -> None:
    """Replace each switch by the first of its children that can be drawn here."""
    for switch in list(root.iter(tag("switch"))):
        chosen = next((child for child in switch if local(child) and _for_us(child)), None)
        for child in list(switch):
            if child is not chosen:
                switch.remove(child)
        switch.tag = tag("g")


def _for_us(element: Element) -> bool:
    """Web pages are not drawn, nor what asks for another program's extensions; a language is never asked for."""
    return local(element) != "foreignObject" and not element.get("requiredExtensions") and not element.get("systemLanguage")
