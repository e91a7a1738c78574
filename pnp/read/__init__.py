"""Game folder → :class:`pnp.model.Game`: text, units and missing values end here."""
