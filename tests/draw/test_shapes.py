"""Computed drawings are the lines they should be."""

from __future__ import annotations

import re

from lxml import etree

from pnp.draw.kinds import rings, square_grid


def test_a_grid_has_the_lines_between_its_squares() -> None:
    """Three columns and two rows of 10 mm have two upright lines and a level one, as far as the bleed."""
    drawn = etree.fromstring(square_grid(3, 2, 10.0, "#123456", 0.4, beyond=3.0))

    assert re.findall(r"M (\S+) (\S+) V (\S+)", drawn.get("d", "")) == [("10.0", "-3.0", "23.0"), ("20.0", "-3.0", "23.0")]
    assert re.findall(r"M (\S+) (\S+) H (\S+)", drawn.get("d", "")) == [("-3.0", "10.0", "33.0")]
    assert (drawn.get("stroke"), drawn.get("stroke-width"), drawn.get("fill")) == ("#123456", "0.4", "none")


def test_rings_are_closed_polygons_in_one_group() -> None:
    """Every ring is a polygon with its own corners."""
    drawn = etree.fromstring(rings([((0.0, 0.0), (1.0, 0.0), (1.0, 2.0)), ((5.0, 5.0), (6.0, 5.0), (6.0, 7.0))], "#000", 1))

    assert [child.tag for child in drawn] == ["polygon", "polygon"]
    assert [child.get("points") for child in drawn] == ["0.0,0.0 1.0,0.0 1.0,2.0", "5.0,5.0 6.0,5.0 6.0,7.0"]
