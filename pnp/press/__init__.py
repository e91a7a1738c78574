"""Files for print shops: CMYK, PDF/X, preflight. An add-on: the core does not know it."""
