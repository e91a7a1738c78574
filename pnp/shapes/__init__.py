"""Plane geometry: matrices, outlines, hexes, nets that fold; lengths in mm."""
