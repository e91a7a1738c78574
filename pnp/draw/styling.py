"""A text's letters in the fonts of the game: what no font has, and what is drawn where a font lacks a style."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pnp.draw import markup
from pnp.draw.fonts import Fonts
from pnp.draw.symbols import SYMBOLS
from pnp.sandbox.markup import Slip
from pnp.svg import safe as svg
from pnp.values.layers import Block, Setting, Span, TextSpan

# So many letters that no font has are named in one message.
MOST_NAMED = 6
MISSING_HINT = "Put a font that has it into fonts/ and name it in [fonts]; or draw it as an icon and write :name: for it."


class BadText(svg.BadDrawing):
    """A text box that cannot be set; ``snippet`` is the text at fault, to find its cell."""

    def __init__(self, message: str, rule: str, *, value: str = "", allowed: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.rule, self.value, self.allowed, self.hint = rule, value, allowed, hint


class MissingGlyphs(BadText):
    """Letters that no font of the game has; a deck's are told together."""

    def __init__(self, letters: Sequence[str], families: tuple[str, ...], italic: bool) -> None:
        super().__init__(missing_glyphs(letters, italic), "missing-glyph", value=letters[0], hint=MISSING_HINT)
        self.letters, self.families, self.italic = tuple(letters), families, italic


class Remark(BadText):
    """What a person should know of a text that is printed all the same; ``once`` is the same for what is told once."""

    once = ""


def missing_glyphs(letters: Sequence[str], italic: bool) -> str:
    """A sentence that names the first of them."""
    return f"no {'italic ' if italic else ''}font of the game has {first_of(letters)}"


def first_of(letters: Sequence[str]) -> str:
    """The first of some letters, with their codes, and how many more there are."""
    shown = ", ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters[:MOST_NAMED])
    return shown + (f" and {len(letters) - MOST_NAMED} more" if len(letters) > MOST_NAMED else "")


def remark_of(slip: Slip) -> Remark:
    return Remark(f'"{slip.value}" {slip.what}', "unknown-markup", value=slip.value, allowed=slip.allowed, hint=slip.hint)


def lettered(found: tuple[Block, ...], setting: Setting, fonts: Fonts) -> tuple[tuple[Block, ...], list[Remark]]:
    """Blocks as the fonts can show them: symbols in the font that has them, bold and italic that a font lacks drawn.

    Raises MissingGlyphs.
    """
    all_italic = setting.style == "italic"
    needed: set[str] = set()
    styles: set[tuple[bool, bool]] = set()
    for italic in (False, True):
        told = [span for span in markup.spans(found) if isinstance(span, TextSpan) and (span.italic or all_italic) == italic]
        styles |= {(span.bold, italic) for span in told if span.text.strip()}
        missing = fonts.missing("".join(span.text for span in told), setting.fonts, italic)
        if unknown := [letter for letter in missing if letter not in SYMBOLS]:
            raise MissingGlyphs(unknown, setting.fonts, italic)
        needed.update(missing)
    family = setting.fonts[0]
    weights = setting.weight, setting.heavy
    plain = {italic for bold, italic in styles if bold and not fonts.emboldens(family, *weights, italic)}
    upright = any(italic for _, italic in styles) and not fonts.slants(family)
    if not (needed or plain or upright):
        return found, []
    parts = re.compile(f"([{re.escape(''.join(sorted(needed)))}]+)") if needed else None

    def change(span: Span) -> tuple[Span, ...]:
        if not isinstance(span, TextSpan):
            return (span,)
        italic = span.italic or all_italic
        span = replace(span, thick=span.bold and italic in plain, slant=italic and upright)
        texts = parts.split(span.text) if parts else [span.text]
        return tuple(
            replace(span, text=text, symbol=bool(number % 2), slant=span.slant and not number % 2)
            for number, text in enumerate(texts)
            if text
        )

    remarks = [_faceless(family, "bold", "thickened")] if plain else []
    remarks += [_faceless(family, "italic", "slanted")] if upright else []
    return markup.changed(found, change), remarks


def _faceless(family: str, style: str, drawn: str) -> Remark:
    remark = Remark(
        f'the font "{family}" has no {style}: {style} words are printed {drawn}',
        "missing-style",
        value=family,
        allowed="fonts with several styles, such as Source Sans Pro",
        hint=f"Put its {style} font into fonts/, or take another font for this text.",
    )
    remark.once = f"{family} {style}"
    return remark
