"""Projects of other tools as decks: one module reads each tool's files, one writes the game of pnp."""
