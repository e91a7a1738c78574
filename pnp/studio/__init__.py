"""The studio: a game in the browser while it is made. One more face over the flows; it decides nothing, and nothing knows it."""
