"""Helps with SVG trees: tag names, copies, and ids that stay apart when one drawing is set into another."""

from __future__ import annotations

import copy
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


def remove(element: Element) -> None:
    """Removes an element and the text behind it."""
    if (parent := element.getparent()) is not None:
        parent.remove(element)


def copied(element: Element) -> Element:
    """Copies an element, without the text behind it."""
    twin = copy.deepcopy(element)
    twin.tail = None
    return twin


def with_prefix(root: Element, prefix: str) -> None:
    """Prefixes every id of a tree, so that the tree can stand inside another."""
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


def choose(root: Element) -> None:
    """Replaces each ``<switch>`` by the child that can be drawn. A foreignObject without conditions stays, and is
    refused.
    """
    for switch in list(root.iter(tag("switch"))):
        offered = [child for child in switch if local(child) and not child.get("requiredExtensions")]
        drawn = [child for child in offered if local(child) != "flowRoot"]
        plain = [child for child in drawn if not child.get("systemLanguage")]
        chosen = next(iter([*plain, *drawn, *offered]), None)
        for child in list(switch):
            if child is not chosen:
                switch.remove(child)
        switch.tag = tag("g")
