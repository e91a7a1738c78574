"""Computes plane geometry: matrices, outlines, hexes, nets that fold; lengths in mm. And colours."""
