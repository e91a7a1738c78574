"""Writes files: pages, faces and texts in a format. Knows no game."""
