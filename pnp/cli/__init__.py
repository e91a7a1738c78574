"""Reads commands and prints results."""
