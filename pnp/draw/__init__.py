"""Draws a game: each row through its templates to a deck of faces, and all faces' layers to one PDF. Knows no paper."""
