"""Plane geometry: matrices, outlines, hexes, nets that fold; lengths in mm. And colours: how they are written, as light."""
