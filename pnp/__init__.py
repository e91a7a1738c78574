"""The print-and-play press: a folder of content tables in, printable sheets out.

The stages, in the order that :mod:`pnp.flows` runs them:

1. read   game folder, tables, sizes      → Game        (:mod:`pnp.read`)
2. draw   rows through SVG templates      → Deck, Book  (:mod:`pnp.draw`)
3. books  rulebook text, live numbers     → pages       (:mod:`pnp.books`)
4. lay    faces on sheets, backs, marks   → Page        (:mod:`pnp.lay`)
5. write  pages as PDF, faces as PNG, SVG → bytes       (:mod:`pnp.write`)

check stands beside them and looks at what they made (:mod:`pnp.check`).
A stage never imports another stage; they share the values of :mod:`pnp.values` and the ground that they stand on:
:mod:`pnp.shapes` (geometry, colours), :mod:`pnp.svg` (drawings), :mod:`pnp.sandbox` (what people type into games) and
:mod:`pnp.system` (files, cache, processes). :mod:`pnp.cli` is what a person types, and is told. Four folders are add-ons
that none of these know: :mod:`pnp.imports`, :mod:`pnp.exports`, :mod:`pnp.press` and :mod:`pnp.studio`.
"""

__version__ = "0.2.0"
