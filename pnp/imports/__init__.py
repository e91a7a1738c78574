"""``pnp import``: projects of other tools become games. An add-on: the core does not know it."""
