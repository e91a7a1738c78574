"""A font of Chinese and Japanese letters for tests, which no package of this project has."""

from __future__ import annotations

import io

from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen


def han(letters: str = "直") -> bytes:
    """A font with these letters alone, all of them a block; the first is narrow in Taiwan's form."""
    pen = TTGlyphPen(None)
    for point in ((50, 0), (50, 700), (500, 700), (500, 0)):
        (pen.moveTo if point == (50, 0) else pen.lineTo)(point)
    pen.closePath()
    names = [".notdef", "space", "han.tw", *(f"han{number}" for number in range(len(letters)))]
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder(names)
    font.setupCharacterMap({0x20: "space", **{ord(letter): f"han{number}" for number, letter in enumerate(letters)}})
    block = pen.glyph()
    font.setupGlyf(dict.fromkeys(names, block))
    font.setupHorizontalMetrics(
        {".notdef": (500, 50), "space": (250, 50), "han.tw": (600, 50), **dict.fromkeys(names[3:], (1000, 50))}
    )
    font.setupHorizontalHeader(ascent=800, descent=-200)
    font.setupNameTable({"familyName": "Han", "styleName": "Regular", "psName": "Han-Regular"})
    font.setupOS2(sTypoAscender=800, sTypoDescender=-200, sCapHeight=700)
    font.setupPost()
    says = "feature locl { script hani; language ZHT exclude_dflt; sub han0 by han.tw; } locl;"
    addOpenTypeFeaturesFromString(font.font, f"languagesystem DFLT dflt; languagesystem hani ZHT; {says}")
    made = io.BytesIO()
    font.save(made)
    return made.getvalue()
