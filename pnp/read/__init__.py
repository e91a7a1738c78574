"""Game folder → :class:`pnp.values.game.Game`: text, units and missing values end here."""
