"""``pnp export``: games for virtual tables and print services. An add-on: the core does not know it."""
