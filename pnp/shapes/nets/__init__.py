"""Computes the nets of folded pieces from their dimensions. Draws and reads nothing."""
