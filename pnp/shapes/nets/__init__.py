"""Nets of folded pieces, computed from their dimensions. Nothing is drawn here, and nothing is read."""
