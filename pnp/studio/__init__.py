"""``pnp studio``: the project in the browser. An add-on: the core does not know it."""
