"""A game for tables that are not of paper, and for print services: each target is a module, and a line in TARGETS."""
