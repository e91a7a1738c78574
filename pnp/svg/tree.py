"""SVG as a tree of elements: names, and ids that stay apart when one drawing is set into another."""

from __future__ import annotations

import re

from lxml import etree

SVG = "http://www.w3.org/2000/svg"
XLINK = "{http://www.w3.org/1999/xlink}href"

Element = etree._Element

PARSER = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
"""For what others drew: it fetches nothing, and nothing in it grows."""

OURS = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)
"""For what was looked at before: the pictures that are written into it may be large."""

REFERENCE = re.compile(r"url\(\s*+['\"]?\s*+#([^()'\"\s]++)\s*+['\"]?\s*+\)")


def tag(name: str) -> str:
    """An SVG element's full name."""
    return f"{{{SVG}}}{name}"


def local(element: Element) -> str:
    """The tag's name without its namespace; empty for comments and the like."""
    name = element.tag
    return name.rpartition("}")[2] if isinstance(name, str) else ""


def with_prefix(root: Element, prefix: str) -> None:
    """Make every id of a tree its own, so that the tree can stand inside another."""
    for node in root.iter():
        if not local(node):
            continue
        for key, value in node.items():
            if key == "id":
                node.set(key, prefix + value)
            elif key in ("href", XLINK) and value.startswith("#"):
                node.set(key, f"#{prefix}{value[1:]}")
            elif "url(" in value:
                node.set(key, REFERENCE.sub(rf"url(#{prefix}\1)", value))
