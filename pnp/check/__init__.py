"""Rules that look at a game and at what was made of it; a module a subject. They only find, never change."""
