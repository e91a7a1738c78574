"""The print-and-play press: a folder of content tables in, printable sheets out.

The stages, in the order that :mod:`pnp.build` runs them:

1. read   game folder, tables, sizes      → Game        (:mod:`pnp.read`)
2. draw   rows through SVG templates      → Deck, Book  (:mod:`pnp.draw`)
3. lay    faces on sheets, backs, marks   → Page        (:mod:`pnp.lay`)
4. write  pages as PDF, faces as PNG, SVG → bytes       (:mod:`pnp.write`)

check stands beside them and looks at what they made (:mod:`pnp.check`).
A stage never imports another stage; they share the values of :mod:`pnp.model` and :mod:`pnp.faces`, and are conducted
by :mod:`pnp.drawing`, :mod:`pnp.checking`, :mod:`pnp.build` and :mod:`pnp.verifying`.
"""

__version__ = "0.1.0"
