"""Drawings as SVG: one reader, and what is safe in it."""
