"""The studio: a game in the browser while it is made. A face over the flows: it decides nothing, nothing knows it."""
