"""Scripts of nanDECK, read as text: what each line draws on which cards."""

from __future__ import annotations

import re

from pnp.flows.imports.deck import Align, Box, Column, Element, Font, Imported, Picture, Shape, Text, Valign, Value
from pnp.flows.imports.nandeck.lines import DRAWN, OUTPUT
from pnp.flows.imports.nandeck.script import NAMED, Line, Script
from pnp.flows.imports.source import Source
from pnp.flows.imports.words import colour, from_html
from pnp.values.problems import Place

_ALIGNS: dict[str, Align] = {"LEFT": "left", "CENTER": "center", "RIGHT": "right", "FULL": "justify"}
_VALIGNS: dict[str, Valign] = {"TOP": "top", "CENTER": "middle", "BOTTOM": "bottom"}


def recognises(source: Source) -> bool:
    """A text with at least two lines that nanDECK alone writes."""
    if source.main.suffix.lower() not in (".nde", ".txt"):
        return False
    words = r"^\s*(?:CARDSIZE|FONT|TEXT|TEXTFONT|IMAGE|RECTANGLE|HTMLTEXT|UNIT|PAGE|BORDER)\s*=.*,|^\s*LINK(?:MULTI)?\s*="
    return len(re.findall(words, source.text(source.main), re.MULTILINE | re.IGNORECASE)) >= 2


def read(source: Source) -> Imported:
    """Raises CannotImport."""
    return _Drawing(source).read()


class _Drawing(Script):
    def read(self) -> Imported:
        lines = self._lines()
        self._settings(lines)
        self._rows(lines)
        for line in lines:
            self._draw(line)
        self.imported.decks.append(self.deck)
        return self.imported

    def _draw(self, line: Line) -> None:
        place = self._place(line.number)
        if line.name in ("FONT", "FONTRANGE"):
            font = line.args[1:] if line.name == "FONTRANGE" else line.args
            self.font = [*font, *self.font[len(font) :]] if font else self.font
        elif line.name == "HTMLFONT" and line.args:
            self.html[line.args[0].casefold()] = line.args[1:]
        elif line.name in ("UNIT", "CARDSIZE", "CARDS", "LINK", "LINKMULTI"):
            return
        elif line.name == "BORDER":
            self._border(line, place)
        elif line.name in OUTPUT:
            self.imported.left(place, line.name, "pnp build lays out the sheets and writes the files itself")
        elif line.name in DRAWN:
            try:
                element = self._element(line, place)
            except ValueError as reason:
                self.imported.left(place, line.name, str(reason))
                return
            self.deck.front.append(element)
            self.imported.carried += 1
        else:
            self.imported.left(place, line.name, "pnp has no such command for cards")

    def _border(self, line: Line, place: Place) -> None:
        if line.args and line.args[0].upper() not in ("NONE", "MARK", ""):
            self.imported.left(place, "BORDER", "a line along the cut would show where the cut is a little off")

    def _element(self, line: Line, place: Place) -> Element:
        """Raises ValueError with the reason why it is left behind."""
        rows = len(self.deck.table.rows)
        cards = self._cards_of(line.args[0] if line.args else "", rows)
        only = ""
        if cards is not None and set(cards) != set(range(rows)):
            shown = set(cards)
            only = self.deck.table.add("shows part", ["yes" if at in shown else "" for at in range(rows)]).name
        if line.name in ("TEXT", "TEXTFONT", "HTMLTEXT"):
            return self._text(line, place, only)
        if line.name == "IMAGE":
            return self._image(line, place, only)
        return self._shape(line, place, only)

    def _box(self, line: Line, at: int) -> Box:
        width, height = self.deck.width, self.deck.height
        found = []
        for index, whole in enumerate((width, height, width, height)):
            if at + index >= len(line.args):
                raise ValueError("its place is not said")
            value = self._sum(line.args[at + index], whole / self.unit)
            if value is None:
                raise ValueError(f'its place "{line.args[at + index]}" is only known when the script runs')
            found.append(value * self.unit)
        # Counted from the other side where it is negative.
        for index in (2, 3):
            if found[index] < 0:
                found[index - 2] += found[index]
                found[index] = -found[index]
        return Box(*found)

    def _value(self, text: str) -> Value:
        """Words and columns of the table: "Cost: [price]"."""
        written = self._resolved(text).strip()
        if len(written) > 1 and written[0] == written[-1] == '"':
            written = written[1:-1]
        parts: list[str | Column] = []
        at = 0
        for found in NAMED.finditer(written):
            column = self.deck.table.column(found[1].partition(":")[0])
            if column is None:
                raise ValueError(f'there is no column and no label "{found[1]}"')
            parts += [written[at : found.start()], column]
            at = found.end()
        parts.append(written[at:])
        value = tuple(part for part in parts if part != "")
        if any(isinstance(part, str) and re.search(r"\{[^}]*\}", part) for part in value):
            raise ValueError(f'"{text}" is worked out when the script runs')
        return tuple(part.replace("\\n", "\n").replace("\\13\\", "\n") if isinstance(part, str) else part for part in value)

    def _text(self, line: Line, place: Place, only: str) -> Text:
        args = [*line.args, *[""] * 16]
        content, box = self._value(args[1]), self._box(line, 2)
        if line.name == "HTMLTEXT":
            return self._html(args, content, box, place, only)
        align = _ALIGNS.get(self._resolved(args[6]).strip().upper(), "center")
        down = self._resolved(args[7]).strip().upper()
        valign = _VALIGNS.get(re.sub(r"^(WW|CW)", "", down), "top" if down in ("WORDWRAP", "CHARWRAP") else "middle")
        font = self.font
        if line.name == "TEXTFONT":
            own = args[10:14]
            font = [given or before for given, before in zip(own, [*self.font, *[""] * 4], strict=False)]
            font[2] = own[2]
        angle = self._sum(args[8]) or 0
        self._lost_of_font(font, args[9], place)
        return Text(
            box,
            content,
            self._font(font),
            self._colour(([*font, "", "", "", ""])[3] or "#000000", place),
            align,
            valign,
            _first_column(content),
            -angle,
            only,
        )

    def _html(self, args: list[str], content: Value, box: Box, place: Place, only: str) -> Text:
        lost: dict[str, None] = {}

        def written(text: str) -> str:
            words, tags = from_html(text)
            lost.update(dict.fromkeys(tags))
            return words

        texts = [written(text) for text in self.deck.table.texts(content)]
        column = self.deck.table.add(f"{_first_column(content) or 'html'} text", texts, content)
        self.deck.table.marked_up.add(column.name)
        if lost:
            self.imported.changed(place, f"the words are set without {', '.join(lost)}")
        font = self.html.get(args[10].strip().casefold(), next(iter(self.html.values()), ["Arial", "12", "", "#000000"]))
        font = [*font, *[""] * 5]
        align = _ALIGNS.get(font[4].strip().upper(), "left")
        return Text(
            box, (column,), self._font(font), self._colour(font[3] or "#000000", place), align, "top", column.name, 0, only
        )

    def _lost_of_font(self, font: list[str], alpha: str, place: Place) -> None:
        """Tell what of the letters is not drawn."""
        style, *rest = (self._resolved(each).strip().strip('"').upper() for each in [*font, "", "", "", ""][2:5])
        if flags := "".join(flag for flag in "USCGDOHRK" if flag in style):
            self.imported.changed(place, f"the words are set without the flags {flags}")
        if "T" not in style and rest[1] not in ("", "#FFFFFF"):
            self.imported.changed(place, "the words have no ground of their own")
        if alpha.strip() not in ("", "100"):
            self.imported.changed(place, "the words are not seen through")

    def _font(self, font: list[str]) -> Font:
        name, size, style = (self._resolved(each).strip().strip('"') for each in [*font, "", "", ""][:3])
        points = self._sum(size) or 12
        return Font(name or "Arial", min(max(abs(points), 1), 400), "B" in style.upper(), "I" in style.upper())

    def _colour(self, text: str, place: Place, name: str = "ink") -> Value:
        def known(written: str) -> str:
            first = re.match(r"(#[0-9a-fA-F]{6})#?[0-9a-fA-F@#]+$", written)
            if first:
                self.imported.changed(place, f'instead of the gradient "{written}" there is its first colour')
                written = first[1]
            found = colour(written)
            if found is None:
                self.imported.changed(place, f'"{written}" is no colour, so it is black')
                return "#000000"
            return found[0]

        return self.deck.table.derived(self._value(text), known, name)

    def _image(self, line: Line, place: Place, only: str) -> Picture:
        args = [*line.args, *[""] * 12]
        box, value = self._box(line, 2), self._value(args[1])
        file = self.pictures.value(value, self.deck.table, place, f"{_first_column(value) or 'picture'} file")
        if not any(self.deck.table.texts(file)):
            raise ValueError("none of its pictures can be had")
        flags = self._resolved(args[7]).upper()
        lost = [flag for flag in "TNHVGRX" if flag in flags]
        if lost:
            self.imported.changed(place, f"the picture is shown without the flags {''.join(lost)}")
        written = self._resolved(args[8]).strip()
        opacity = self._sum(written.rstrip("%"))
        return Picture(
            box,
            file,
            "P" not in flags,
            min(max((100 if opacity is None else opacity) / 100, 0), 1),
            -(self._sum(args[6]) or 0),
            only,
        )

    def _shape(self, line: Line, place: Place, only: str) -> Shape:
        args = [*line.args, *[""] * 10]
        box = self._box(line, 1)
        if line.name == "LINE":
            width = self._thickness(args[6])
            x2, y2 = self._sum(args[3], self.deck.width / self.unit), self._sum(args[4], self.deck.height / self.unit)
            x1, y1 = self._sum(args[1], self.deck.width / self.unit), self._sum(args[2], self.deck.height / self.unit)
            ends = [each * self.unit for each in (x1, y1, x2, y2) if each is not None]
            return Shape(
                Box(ends[0], ends[1], ends[2] - ends[0], ends[3] - ends[1]),
                "line",
                ("none",),
                self._colour(args[5] or "#000000", place, "line"),
                width,
                only=only,
            )
        line_colour = self._colour(args[5] or "#000000", place, "line")
        fill = line_colour if not args[6].strip() else self._colour(args[6], place, "fill")
        kind = "ellipse" if line.name in ("ELLIPSE", "CIRCLE") else "rect"
        radius = min(box.width, box.height) / 10 if line.name == "ROUNDRECT" else 0
        width = self._thickness(args[7]) if args[6].strip() else 0
        return Shape(
            box,
            "ellipse" if kind == "ellipse" else "rect",
            fill,
            line_colour if width else ("none",),
            width,
            radius,
            only=only,
        )

    def _thickness(self, text: str) -> float:
        value = self._sum(text, self.deck.width / self.unit)
        return 0.1 if value is None else min(abs(value) * self.unit, 50)


def _first_column(value: Value) -> str:
    return next((part.name for part in value if isinstance(part, Column)), "")
