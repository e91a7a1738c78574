"""Lays decks out on the pages of sheets: each copy, its back, and every mark in its place. Draws nothing."""
