"""Reads a game's folder into a :class:`pnp.values.game.Game`: text, units and missing values end here."""
