"""The print-and-play press: a folder of content tables in, printable sheets out.

The stages, in the order that :mod:`pnp.build` runs them:

1. read   game folder, tables, sizes      → Game        (:mod:`pnp.read`)
2. draw   rows through SVG templates      → Deck, Book  (:mod:`pnp.draw`)
3. books  rulebook text, live numbers     → pages       (:mod:`pnp.books`)
4. lay    faces on sheets, backs, marks   → Page        (:mod:`pnp.lay`)
5. write  pages as PDF, faces as PNG, SVG → bytes       (:mod:`pnp.write`)

check stands beside them and looks at what they made (:mod:`pnp.check`).
A stage never imports another stage; they share the values of :mod:`pnp.model`, :mod:`pnp.faces` and :mod:`pnp.manuals`,
and are conducted by the modules beside this one: :mod:`pnp.drawing`, :mod:`pnp.publishing`, :mod:`pnp.editing`,
:mod:`pnp.planning`, :mod:`pnp.checking`, :mod:`pnp.build`, :mod:`pnp.batch`, :mod:`pnp.verifying`, :mod:`pnp.proofing`,
:mod:`pnp.watching`, :mod:`pnp.doctoring`, :mod:`pnp.starting`.
"""

__version__ = "0.1.0"
