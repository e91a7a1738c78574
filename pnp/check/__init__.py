"""Rules that look at a game and at what was made of it. One rule a file; they only find, never change."""
