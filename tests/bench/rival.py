"""The same cards with protograf, another tool that makes decks from tables: ``python rival.py GAME FILE``.

GAME is the folder that cards.py makes: cards.csv, and art/ with icon.svg and back.svg. The Python must have protograf.
Fronts and backs on A4, 3 × 3, crop marks; the rules are a box in which protograf makes a long text smaller.
"""

import sys
from pathlib import Path

from protograf import Card, CardBack, Common, Create, Data, Deck, Save, T, circle, image, rectangle, text

WIDTH, HEIGHT = 63.5, 88.9


def main() -> None:
    # Create() reads the command line as well, and knows no other arguments than its own.
    game, target = Path(sys.argv.pop(1)).resolve(), Path(sys.argv.pop(1)).resolve()
    Create(filename=str(target), paper="A4", units="mm", margin=0, margin_left=9.75, margin_top=15.15)
    Data(filename=str(game / "cards.csv"))
    Deck(cards=1, width=WIDTH, height=HEIGHT, cols=3, rows=3, stroke=None, grid_marks=True)
    ground = Common(x=0, y=0, width=WIDTH, height=HEIGHT, stroke=None)
    bold = Common(font_name="Helvetica-Bold")
    Card(
        "*",
        rectangle(common=ground, fill="#f4efe2"),
        circle(cx=9, cy=9, radius=5, fill="#204060", stroke=None),
        image(str(game / "art" / "icon.svg"), x=16.75, y=18, width=30, height=30),
        text(common=bold, x=9, y=10.5, font_size=14, stroke="#ffffff", text=T("{{ cost }}")),
        text(common=bold, x=16, y=10.5, font_size=13, align="left", text=T("{{ name }}")),
        text(
            x=5,
            y=50,
            width=53.5,
            height=28,
            style="font-family: Helvetica; font-size: 11pt; text-align: center;",
            text=T("{{ text }}"),
        ),
        text(x=31.75, y=83.5, font_size=8, font_name="Helvetica-Oblique", text=T("{{ kind }}")),
    )
    CardBack(
        "*",
        rectangle(common=ground, fill="#204060"),
        image(str(game / "art" / "back.svg"), x=0, y=0, width=WIDTH, height=HEIGHT),
    )
    Save()


if __name__ == "__main__":
    main()
