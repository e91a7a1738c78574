"""Reads SVG: one reader for all drawings, and what is safe in them."""
