"""Pictures of the real pieces for books, made from the printed faces themselves; part of the conductor of books."""

from __future__ import annotations

from collections.abc import Mapping

from pnp.draw.settexts import set_texts
from pnp.draw.variants import Recolouring
from pnp.flows.drawn import Drawn
from pnp.flows.pictures import in_forms
from pnp.lay.layoutpage import layout_picture
from pnp.lay.picture import PLAN, Picture
from pnp.lay.scene import scene_picture
from pnp.lay.stack import made_picture
from pnp.shapes.affine import Affine, Rect, scaling, translation
from pnp.values.books import Shot, Wish
from pnp.values.faces import Book, Deck, Page, Piece, PlacedFace
from pnp.values.game import Paper, Side
from pnp.values.kinds import KINDS
from pnp.write.pdf import text_width

# Ten dots a millimetre: flat art is crisp, and a third less to pack than at 300.
DPI = 254
# Wider pictures are a little less fine, but fine enough; on a screen none has more pixels across.
WIDEST = 130.0
SCREEN = 900
# Around pictures whose edge is a line of its own, so that the line is not halved.
RIM = 0.4


def shoot(drawn: Drawn, book: Book, wishes: Mapping[Wish, float], dpi: int) -> dict[Wish, Shot]:
    """A PNG for each wish, fine enough to be printed so many mm wide."""
    from pnp.write.png import render_twice

    if not wishes:
        return {}
    pictures = {wish: _picture(drawn, wish, min(shown, WIDEST)) for wish, shown in wishes.items()}
    pages = []
    for wish, shown in wishes.items():
        picture = pictures[wish]
        width = picture.width if wish.scene else min(shown, WIDEST)
        scale = width / picture.width
        bare = wish.scene is not None and not wish.scene.framed
        rim = RIM if wish.form in ("folded", "layout") or bare else 0.0
        paper = Paper("picture", width + 2 * rim, picture.height * scale + 2 * rim)
        pages.append(Page(paper, tuple(picture.at(translation(rim, rim) @ scaling(scale, scale)))))
    made = in_forms(drawn, pages, book, f"{dpi} {SCREEN}", lambda pdf: render_twice(pdf, dpi, SCREEN))
    boxes = _boxes(drawn, book)
    shots = {}
    for (wish, picture), (data, screen) in zip(pictures.items(), made, strict=True):
        deck = _decks(drawn).get(wish.name)
        rectangle = wish.form in ("front", "back") and deck is not None and KINDS[deck.component.kind].rounded
        rectangle = rectangle or (wish.scene is not None and wish.scene.framed)
        named = boxes.get(_face_key(drawn, wish), {})
        shots[wish] = Shot(data, "png", picture.width, picture.height, screen, named, rectangle)
    return shots


def _decks(drawn: Drawn) -> dict[str, Deck]:
    return {deck.component.name: deck for deck in drawn.decks}


def _piece(drawn: Drawn, wish: Wish) -> Piece:
    pieces = _decks(drawn)[wish.name].pieces
    return next((piece for piece in pieces if piece.id == wish.piece), pieces[len(pieces) // 2])


def _picture(drawn: Drawn, wish: Wish, widest: float) -> Picture:
    if wish.scene is not None:
        return scene_picture(wish.scene, _decks(drawn), text_width, Recolouring(drawn.studio.ink).text, widest)
    if wish.form == "layout":
        layout = next(layout for layout in drawn.game.layouts if layout.name == wish.name)
        return layout_picture(layout, _decks(drawn)[layout.component])
    piece = _piece(drawn, wish)
    if wish.form == "folded":
        return made_picture(_decks(drawn)[wish.name], piece)
    side: Side = "back" if wish.form == "back" else "front"
    face = piece.side(side) or piece.front
    placed = PlacedFace(face, PLAN, side, Affine(), Rect(0, 0, face.width, face.height), face.outline)
    return Picture((placed,), face.width, face.height)


def _face_key(drawn: Drawn, wish: Wish) -> str:
    if wish.form not in ("front", "back"):
        return ""
    face = _piece(drawn, wish).side("back" if wish.form == "back" else "front")
    return face.key if face else ""


def _boxes(drawn: Drawn, book: Book) -> dict[str, dict[str, Rect]]:
    """The boxes of named texts on every face, by the face's key."""
    boxes: dict[str, dict[str, Rect]] = {}
    for text in set_texts(drawn.game, drawn.decks, book.fits):
        if text.name:
            boxes.setdefault(text.face, {}).setdefault(text.name, text.box)
    return boxes
