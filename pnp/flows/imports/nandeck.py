"""Scripts of nanDECK, read as text: the sheet they link, and what each line draws on which cards."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pnp.flows.imports.deck import (
    Align,
    Box,
    Column,
    Deck,
    Element,
    Font,
    Imported,
    Picture,
    Shape,
    Table,
    Text,
    Valign,
    Value,
)
from pnp.flows.imports.nanlines import MM, OUTPUT, arguments, worked_out
from pnp.flows.imports.pictures import Pictures
from pnp.flows.imports.source import CannotImport, Source
from pnp.flows.imports.words import colour, from_html
from pnp.values.problems import Place

MOST_LINES = 20_000
MOST_CARDS = 5_000
MOST_LABELS = 2_000
_LABEL = re.compile(r"\[([^\[\]=]+)\]\s*=\s*(.*)", re.DOTALL)
_NAMED = re.compile(r"\[([^\[\]]+)\]")
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")
_SUM = re.compile(r"[\d.+\-*/() ]{1,200}")
_ALIGNS: dict[str, Align] = {"LEFT": "left", "CENTER": "center", "RIGHT": "right", "FULL": "justify"}
_VALIGNS: dict[str, Valign] = {"TOP": "top", "CENTER": "middle", "BOTTOM": "bottom"}
_DEFAULT = (60.0, 90.0)


def recognises(source: Source) -> bool:
    """A text with at least two lines that nanDECK alone writes."""
    if source.main.suffix.lower() not in (".nde", ".txt"):
        return False
    words = r"^\s*(?:CARDSIZE|FONT|TEXT|TEXTFONT|IMAGE|RECTANGLE|HTMLTEXT|UNIT|PAGE|BORDER)\s*=.*,|^\s*LINK(?:MULTI)?\s*="
    return len(re.findall(words, source.text(source.main), re.MULTILINE | re.IGNORECASE)) >= 2


def read(source: Source) -> Imported:
    """Raises CannotImport."""
    return _Script(source).read()


@dataclass(slots=True)
class _Line:
    number: int
    name: str
    args: list[str] = field(default_factory=list)


class _Script:
    def __init__(self, source: Source) -> None:
        self.source, self.shown = source, source.shown(source.main)
        self.imported = Imported("nanDECK", source.main.stem if source.main.stem != "cards" else source.folder.name)
        self.pictures = Pictures(source, self.imported)
        self.labels: dict[str, str] = {}
        self.font: list[str] = ["Arial", "12", "", "#000000"]
        self.html: dict[str, list[str]] = {}
        self.unit = 10.0
        self.deck = Deck("cards", *_DEFAULT)
        self.cards = 0
        self.most = 0

    def read(self) -> Imported:
        lines = self._lines()
        self._settings(lines)
        self._rows(lines)
        for line in lines:
            self._draw(line)
        self.imported.decks.append(self.deck)
        return self.imported

    def _place(self, number: int) -> Place:
        return Place(self.shown, number)

    def _lines(self) -> list[_Line]:
        """The directives, without comments; blocks that are run are told and left out."""
        found: list[_Line] = []
        ends = {"IF": "ENDIF", "FOR": "NEXT", "MACRO": "END", "SEQUENCE": "ENDSEQUENCE", "VISUAL": ""}
        until, depth, opened = "", 0, ""
        for number, raw in enumerate(self.source.text(self.source.main).splitlines()[:MOST_LINES], 1):
            line = raw.strip()
            if not line or line.startswith((";", "'")):
                continue
            if label := _LABEL.fullmatch(line):
                if not until and len(self.labels) < MOST_LABELS:
                    self.labels[label[1].strip().casefold()] = label[2].strip().strip('"')[:2000]
                continue
            name, _, rest = line.partition("=")
            name = name.strip().upper()
            if until:
                depth += (name == opened) - (name == until)
                until = until if depth else ""
                continue
            if ends.get(name):
                opened, until, depth = name, ends[name], 1
                self.imported.left(
                    self._place(number), f"{name} … {until}", "only a run of the script knows what comes of it"
                )
                continue
            found.append(_Line(number, name, arguments(rest)))
        return found

    def _settings(self, lines: list[_Line]) -> None:
        for line in lines:
            if line.name == "UNIT" and line.args:
                self.unit = MM.get(line.args[0].upper(), 10.0)
        for line in lines:
            if line.name == "CARDSIZE" and len(line.args) >= 2:
                wide, high = self._sum(line.args[0]), self._sum(line.args[1])
                if wide is None or high is None or not (3 <= wide * self.unit <= 1500 and 3 <= high * self.unit <= 1500):
                    raise CannotImport(
                        self._place(line.number), "the size of the cards is not read", value=",".join(line.args)
                    )
                self.deck.width, self.deck.height = wide * self.unit, high * self.unit
            elif line.name == "CARDS" and line.args:
                self.cards = int(min(self._sum(line.args[0]) or 0, MOST_CARDS))

    def _rows(self, lines: list[_Line]) -> None:
        """The table that the script links, else one row for each card that its ranges name."""
        multi = next((line for line in lines if line.name == "LINKMULTI" and line.args), None)
        for line in lines:
            if line.name != "LINK" or not line.args:
                continue
            name, _, sheet = line.args[0].partition("!")
            path = self.source.find(name, "data")
            if path is None:
                raise CannotImport(
                    self._place(line.number),
                    f'the linked table "{name}" is not in the script\'s folder',
                    value=name,
                    hint="Save the sheet there as CSV or XLSX, under the name that LINK says.",
                )
            if self.deck.table.rows:
                self.imported.left(self._place(line.number), f"LINK={name}", "a deck has one table here, the first one")
                continue
            self.deck.table = self.source.table(path, sheet or None)
        table = self.deck.table
        if multi is not None and table.rows:
            column = table.column(multi.args[0])
            if column is not None:
                table.copies = column.name
            elif (number := self._sum(multi.args[0])) is not None:
                table.copies = table.add("copies", [f"{number:g}"] * len(table.rows)).name
        if not table.rows:
            for line in lines:
                if line.args and line.name in _DRAWN:
                    self._cards_of(line.args[0], self.cards or MOST_CARDS)
            self.deck.table = Table([], [{} for _ in range(min(self.cards or self.most or 1, MOST_CARDS))])

    def _cards_of(self, text: str, rows: int) -> list[int] | None:
        """Which rows a range means; None for all. Raises ValueError when only a run of the script knows."""
        written = self._resolved(text).strip().strip('"')
        if not written or written in ("-", "ALL"):
            return None
        found: list[int] = []
        for part in re.split(r"[,#&]", written):
            if re.fullmatch(r"1-\{\(?[^{}]*\)?\}", part.strip()):
                return None
            span = _RANGE.fullmatch(part.strip())
            if span is None:
                raise ValueError(f'for which cards "{text}" is, only a run of the script knows')
            first, last = int(span[1]), int(span[2] or span[1])
            self.most = max(self.most, min(last, MOST_CARDS))
            found += range(first - 1, min(last, rows))
        return found

    def _resolved(self, text: str) -> str:
        """A text with labels of the script in place of their names; columns of the table stay."""
        for _ in range(10):
            changed = _NAMED.sub(lambda found: self.labels.get(found[1].strip().casefold(), found[0]), text)
            if changed == text or len(changed) > 10_000:
                break
            text = changed
        return text

    def _sum(self, text: str, whole: float = 0) -> float | None:
        """A number, a part of the card in %, or a sum of such; None for what only a run knows."""
        written = self._resolved(text).strip().strip('"').replace("{", "(").replace("}", ")")
        written = re.sub(r"(?<=[\d)])%", f"*{whole / 100!r}", written)
        if not written or not _SUM.fullmatch(written) or "**" in written or "//" in written:
            return None
        return worked_out(written)

    def _draw(self, line: _Line) -> None:
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
        elif line.name in _DRAWN:
            try:
                element = self._element(line, place)
            except ValueError as reason:
                self.imported.left(place, line.name, str(reason))
                return
            self.deck.front.append(element)
            self.imported.carried += 1
        else:
            self.imported.left(place, line.name, "pnp has no such command for cards")

    def _border(self, line: _Line, place: Place) -> None:
        if line.args and line.args[0].upper() not in ("NONE", "MARK", ""):
            self.imported.left(place, "BORDER", "a line along the cut would show where the cut is a little off")

    def _element(self, line: _Line, place: Place) -> Element:
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

    def _box(self, line: _Line, at: int) -> Box:
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
        for found in _NAMED.finditer(written):
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

    def _text(self, line: _Line, place: Place, only: str) -> Text:
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

        column = self.deck.table.add(
            f"{_first_column(content) or 'html'} text", [written(text) for text in self.deck.table.texts(content)]
        )
        self.deck.table.marked_up.add(column.name)
        if lost:
            self.imported.changed(place, f"the words are set without {', '.join(lost)}")
        font = self.html.get(args[10].strip().casefold(), next(iter(self.html.values()), ["Arial", "12", "", "#000000"]))
        font = [*font, *[""] * 5]
        align = _ALIGNS.get(font[4].strip().upper(), "left")
        return Text(
            box, (column,), self._font(font), self._colour(font[3] or "#000000", place), align, "top", column.name, 0, only
        )

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

    def _image(self, line: _Line, place: Place, only: str) -> Picture:
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

    def _shape(self, line: _Line, place: Place, only: str) -> Shape:
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


_DRAWN = {"TEXT", "TEXTFONT", "HTMLTEXT", "IMAGE", "RECTANGLE", "ROUNDRECT", "ELLIPSE", "CIRCLE", "LINE"}


def _first_column(value: Value) -> str:
    return next((part.name for part in value if isinstance(part, Column)), "")
