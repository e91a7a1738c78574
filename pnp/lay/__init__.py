"""Decks of faces → pages of sheets: where each copy, its back and every mark goes. Nothing is drawn here."""
