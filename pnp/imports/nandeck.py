"""Reads nanDECK scripts: lines, labels, ranges, and drawing commands."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pnp.imports.deck import (
    Align,
    Box,
    Column,
    Deck,
    Element,
    Font,
    Icons,
    Imported,
    Importer,
    Picture,
    Pictures,
    Shape,
    Source,
    Table,
    Text,
    Valign,
    Value,
    colour,
)
from pnp.imports.outcome import NoDeck, of_scripts
from pnp.values.problems import Fault, Place

MM = {"MM": 1.0, "CM": 10.0, "INCH": 25.4, "IN": 25.4}
DRAWN = {"TEXT", "TEXTFONT", "HTMLTEXT", "IMAGE", "ICONS", "RECTANGLE", "ROUNDRECT", "ELLIPSE", "CIRCLE", "LINE"}
# What decides how sheets are made, not what a card looks like.
OUTPUT = {"PAGE", "MARGINS", "GAP", "GAPS", "GUIDES", "PRINT", "DUPLEX", "SAVE", "SAVEPDF", "SAVEPAGES", "DISPLAY", "DPI",
           "CROP", "FOLD", "SAVETTS", "PAGEIMAGE", "BASERANGE", "EDGE", "MOSAIC", "ZOOM"}  # fmt: skip


def arguments(text: str) -> list[str]:
    """Splits at commas, but not inside quotation marks and braces."""
    parts: list[str] = [""]
    depth, quoted = 0, False
    for letter in text:
        if letter == '"':
            quoted = not quoted
        elif letter in "({[" and not quoted:
            depth += 1
        elif letter in ")}]" and not quoted:
            depth = max(0, depth - 1)
        if letter == "," and not quoted and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip().strip('"') for part in parts]


_SUMS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def worked_out(text: str) -> float | None:
    """Evaluates arithmetic with + - * / and brackets; None for anything else."""

    def worth(node: ast.expr) -> float:
        if isinstance(node, ast.BinOp):
            return _SUMS[type(node.op)](worth(node.left), worth(node.right))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -worth(node.operand)
        if isinstance(node, ast.Constant):
            return float(node.value)  # type: ignore[arg-type]
        raise KeyError

    try:
        # Python takes 05 for a mistake.
        value = worth(ast.parse(re.sub(r"(?<![\d.])0+(?=\d)", "", text.strip()), mode="eval").body)
    except (SyntaxError, KeyError, TypeError, ValueError, ZeroDivisionError, RecursionError, OverflowError, MemoryError):
        return None
    return value if abs(value) < 1e6 else None


MOST_CARDS = 5_000
_LABEL = re.compile(r"\[([^\[\]=]+)\]\s*=\s*(.*)", re.DOTALL)
NAMED = re.compile(r"\[([^\[\]]+)\]")
# A line on several lines: {[text]="…
_SEVERAL = re.compile(r"\{\s*(?:\[[^\[\]=]+\]|[A-Za-z]+)\s*=")
_FUNCTION = re.compile(r"[A-Za-z]+\d*\(.*\)")
MOST_DEEP = 5
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")
_SUM = re.compile(r"[\d.+\-*/() ]{1,200}")
_BRACES = re.compile(r"\{[^{}]*\}")
_DEFAULT = (60.0, 90.0)


@dataclass(slots=True)
class Line:
    number: int
    name: str
    args: list[str] = field(default_factory=list)
    rest: str = ""
    """All behind the first =, as it is written."""
    file: str = ""
    """The script that it stands in, which another one may include."""


# What draws in nanDECK and not here.
_DRAWN_THERE = {"PIE", "POLYGON", "POLY", "STAR", "TRIANGLE", "RHOMBUS", "BEZIER", "GRID", "HEXGRID", "PATTERN",
                "TRACK", "TRACKRECT", "BUTTON", "RTFTEXT", "RTFFILE", "HTMLFILE", "QRCODE", "BARCODE"}  # fmt: skip
_ALIGNS: dict[str, Align] = {"LEFT": "left", "CENTER": "center", "RIGHT": "right", "FULL": "justify"}
_VALIGNS: dict[str, Valign] = {"TOP": "top", "CENTER": "middle", "BOTTOM": "bottom"}


def recognises(source: Source) -> bool:
    """Whether lines are nanDECK's own: of a text file at least two."""
    suffix = source.main.suffix.lower()
    if suffix not in (".nde", ".txt"):
        return False
    words = r"^\s*(?:CARDSIZE|FONT|TEXT|TEXTFONT|IMAGE|RECTANGLE|HTMLTEXT|UNIT|PAGE|BORDER)\s*=.*,|^\s*LINK(?:MULTI)?\s*="
    return len(re.findall(words, source.text(source.main), re.MULTILINE | re.IGNORECASE)) >= (1 if suffix == ".nde" else 2)


def read(source: Source) -> Imported:
    """Raises Fault."""
    included = re.compile(r'^\s*INCLUDE\s*=\s*"?([^",\n]+)', re.MULTILINE | re.IGNORECASE)
    scripts = [source.main, *source.beside]
    within = {source.find(name) for path in scripts for name in included.findall(source.text(path))}
    # What others include is no deck of its own.
    source.main, *source.beside = [path for path in scripts if path not in within] or scripts
    return of_scripts(source, "nanDECK", lambda own, imported: _Script(own, imported).read())


_BRANCHES = ("IF", "ELSEIF", "ELSE", "ENDIF")
_COMPARED = re.compile(r"([^<>=]*?)(<>|<=|>=|=|<|>)([^<>=]*)")


def _holds(one: str, sign: str, two: str) -> bool:
    """Compares two values, as numbers if both are, else as words without regard to case."""
    try:
        a, b = float(one), float(two)
    except ValueError:
        if sign not in ("=", "<>"):
            return False
        return (one.casefold() == two.casefold()) == (sign == "=")
    return {"=": a == b, "<>": a != b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[sign]


class _Script:
    def __init__(self, source: Source, imported: Imported) -> None:
        self.source, self.shown = source, source.shown(source.main)
        self.imported = imported
        self.pictures = Pictures(source, self.imported)
        self.labels: dict[str, str] = {}
        self.sequences: dict[str, list[str]] = {}
        """Labels that say a text for each card: ``[suit]=clubs|hearts``."""
        self.font: list[str] = ["Arial", "12", "", "#000000"]
        self.html: dict[str, list[str]] = {}
        self.icons: dict[str, str] = {}
        """The file of each key of an ICON."""
        self.unit = 10.0
        self.deck = Deck("cards", *_DEFAULT)
        self.branches: list[tuple[set[int] | None, set[int] | None]] = []
        """Of each IF around a line: the cards that it is for, and those for its ELSE."""
        self.cards = 0
        self.most = 0

    def _place(self, line: Line) -> Place:
        return Place(line.file, line.number)

    def _lines(self, path: Path | None = None, deep: int = 0) -> list[Line]:
        """The directives without comments. Computed blocks are reported and left out, included files inserted."""
        found: list[Line] = []
        ends = {"FOR": "NEXT", "MACRO": "END", "SEQUENCE": "ENDSEQUENCE", "VISUAL": ""}
        until, depth, opened = "", 0, ""
        path = path or self.source.main
        shown = self.source.shown(path)
        for number, line in self._written(path):
            if label := _LABEL.fullmatch(line):
                if not until:
                    self._label(label[1].strip().casefold(), label[2].strip().strip('"')[:2000])
                continue
            name, _, rest = line.partition("=")
            name = name.strip().upper()
            if until:
                depth += (name == opened) - (name == until)
                until = until if depth else ""
                self.imported.asked += name in DRAWN
                continue
            place = Place(shown, number)
            if ends.get(name):
                opened, until, depth = name, ends[name], 1
                self.imported.left(place, f"{name} … {until}", "only a run of the script knows what comes of it")
            elif name == "INCLUDE":
                other = self.source.find(rest.strip().strip('"'))
                if other is None or deep >= MOST_DEEP:
                    self.imported.left(place, f"INCLUDE={rest.strip()}", "there is no such file in the project's folder")
                else:
                    found += self._lines(other, deep + 1)
            else:
                found.append(Line(number, name, arguments(rest), rest, shown))
        return found

    def _written(self, path: Path) -> Iterator[tuple[int, str]]:
        """Number and text of each line without remarks; lines joined by braces are one."""
        waiting, begun = "", 0
        for number, raw in enumerate(self.source.text(path).splitlines(), 1):
            line = raw.strip()
            if waiting or (_SEVERAL.match(line) and not line.endswith("}")):
                waiting, begun = waiting + line, begun or number
                if not line.endswith("}"):
                    continue
                line, number, waiting, begun = waiting, begun, "", 0
            if _SEVERAL.match(line):
                line = line.strip("{}").strip()
            if line and not line.startswith((";", "'")):
                yield number, line

    def _label(self, name: str, text: str) -> None:
        """Stores a label: a text, a text for each card, or nothing if a function computes it."""
        self.labels.pop(name, None)
        self.sequences.pop(name, None)
        joined = re.fullmatch(r"JOIN\((.*)\)", text, re.IGNORECASE)
        if joined:
            self.labels[name] = "".join(arguments(joined[1]))
        elif "|" in text:
            self.sequences[name] = [part.strip().strip('"') for part in text.split("|")]
        elif not _FUNCTION.fullmatch(text):
            self.labels[name] = text

    def _settings(self, lines: list[Line]) -> None:
        for line in lines:
            if line.name == "UNIT" and line.args:
                self.unit = MM.get(line.args[0].upper(), 10.0)
        for line in lines:
            if line.name == "CARDSIZE" and len(line.args) >= 2:
                wide, high = self._sum(line.args[0]), self._sum(line.args[1])
                if wide is None or high is None or not (3 <= wide * self.unit <= 1500 and 3 <= high * self.unit <= 1500):
                    raise Fault("the size of the cards is not read", value=",".join(line.args), place=self._place(line))
                self.deck.width, self.deck.height = wide * self.unit, high * self.unit
            elif line.name == "CARDS" and line.args:
                asked = self._sum(line.args[0]) or 0
                self.cards = int(max(0, min(asked, MOST_CARDS)))
                if asked > MOST_CARDS:
                    self.imported.left(
                        self._place(line), f"the cards after the first {MOST_CARDS}", f"CARDS asks for {asked:g}"
                    )

    def _rows(self, lines: list[Line]) -> None:
        """The linked table, else one row for each card of the ranges."""
        multi = next((line for line in lines if line.name == "LINKMULTI" and line.args), None)
        for line in lines:
            if line.name != "LINK" or not line.args:
                continue
            name, _, sheet = line.args[0].partition("!")
            # The place where it was on its owner's computer; the file lies beside the script now.
            path = self.source.find(name, "data") or self.source.find(re.split(r"[\\/]", name)[-1], "data")
            hint = "Save the sheet there as CSV or XLSX, under the name that LINK says."
            if re.fullmatch(r"[\w-]{20,}", name, re.ASCII):
                path = next(
                    filter(None, (self.source.find(f"{sheet or name}.{kind}") for kind in ("csv", "xlsx", "ods"))), None
                )
                hint = (
                    f'It is in Google Sheets. Save the sheet from there beside the script, as "{sheet.strip() or name}.csv".'
                )
                sheet = ""
            if path is None:
                raise Fault(
                    f'the linked table "{name}" is not in the script\'s folder',
                    value=name,
                    hint=hint,
                    place=self._place(line),
                )
            if self.deck.table.rows:
                self.imported.left(self._place(line), f"LINK={name}", "a deck has one table here, the first one")
                continue
            self.deck.table = self.source.table(path, sheet.strip() or None)
        table = self.deck.table
        if multi is not None and table.rows:
            column = table.column(multi.args[0])
            if column is not None:
                table.copies = column.name
            elif (number := self._sum(multi.args[0])) is not None:
                table.copies = table.add("copies", [f"{number:g}"] * len(table.rows)).name
        if not table.rows:
            for line in lines:
                if line.args and line.name in DRAWN:
                    before = self.most
                    self._cards_of(line.args[0], self.cards or MOST_CARDS)
                    if before <= MOST_CARDS < self.most and not self.cards:
                        why = f"{line.name} is for cards up to {self.most}"
                        self.imported.left(self._place(line), f"the cards after the first {MOST_CARDS}", why)
            self.deck.table = Table([], [{} for _ in range(min(self.cards or self.most or 1, MOST_CARDS))])

    def _cards_of(self, text: str, rows: int) -> list[int] | None:
        """The rows of a range; None for all. Raises ValueError for what only a run could tell."""
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
            self.most = max(self.most, last)
            found += range(first - 1, min(last, rows))
        return found

    def _resolved(self, text: str) -> str:
        """Replaces labels in a text by their values; columns of the table stay."""
        for _ in range(10):
            changed = NAMED.sub(lambda found: self.labels.get(found[1].strip().casefold(), found[0]), text)
            if changed == text or len(changed) > 10_000:
                break
            text = changed
        return text

    def _sum(self, text: str, whole: float = 0) -> float | None:
        """A number, a percentage of the card, or a sum of these; None for what only a run could tell."""
        written = self._resolved(text).strip().strip('"').replace("{", "(").replace("}", ")")
        written = re.sub(r"(?<=[\d)])%", f"*{whole / 100!r}", written)
        if not written or not _SUM.fullmatch(written) or "**" in written or "//" in written:
            return None
        return worked_out(written)

    def read(self) -> None:
        lines = self._lines()
        if not self.imported.asked and not any(line.name in DRAWN for line in lines):
            raise NoDeck("there is no command in the script that draws something on a card", place=Place(self.shown))
        self._settings(lines)
        self._rows(lines)
        for line in lines:
            self._draw(line)
        if self.branches:
            self.imported.left(Place(self.shown), "the last IF", "its ENDIF is missing")
        saved = [line.args[0].rpartition(".")[0] for line in lines if line.name == "SAVEPDF" and line.args]
        self.deck.script, self.deck.called = self.shown, (self.source.main.stem, "", *saved)
        self.imported.decks.append(self.deck)

    def _branch(self, line: Line) -> None:
        """Tracks IF, ELSEIF, ELSE and ENDIF: the cards that the next lines are for."""
        every = set(range(len(self.deck.table.rows)))
        if line.name == "IF":
            met = self._met(line)
            if met is None:
                self.imported.left(self._place(line), "IF … ENDIF", "only a run of the script knows what comes of it")
            self.branches.append((met, None if met is None else every - met))
        elif not self.branches:
            self.imported.left(self._place(line), line.name, "no IF stands before it")
        elif line.name == "ENDIF":
            self.branches.pop()
        else:
            _, rest = self.branches.pop()
            met = rest if line.name == "ELSE" else self._met(line)
            both = None if rest is None or met is None else rest & met
            self.branches.append((both, None if rest is None or met is None else rest - met))

    def _met(self, line: Line) -> set[int] | None:
        """The cards for which a comparison such as ``[cost] > 3`` holds; None if it is not supported."""
        found = _COMPARED.fullmatch(line.rest.strip())
        if found is None:
            return None
        try:
            values = [self._value(found[at].strip().strip('"')) for at in (1, 3)]
        except ValueError:
            return None
        self.deck.table.weighed |= {part.name for value in values for part in value if isinstance(part, Column)}
        one, two = map(self.deck.table.texts, values)
        return {at for at, (a, b) in enumerate(zip(one, two, strict=True)) if _holds(a.strip(), found[2], b.strip())}

    def _draw(self, line: Line) -> None:
        place = self._place(line)
        if line.name in _BRANCHES:
            self._branch(line)
            return
        if self.branches and any(met is None for met, _ in self.branches):
            self.imported.asked += line.name in DRAWN
            return
        if line.name in ("FONT", "FONTRANGE"):
            font = line.args[1:] if line.name == "FONTRANGE" else line.args
            self.font = [*font, *self.font[len(font) :]] if font else self.font
        elif line.name == "ICON" and len(line.args) > 2:
            key, file = line.args[1].strip(), self._resolved(line.args[2])
            if self.icons.setdefault(key, file) != file:
                self.imported.changed(place, f'"{key}" is the picture "{self.icons[key]}" on all cards')
        elif line.name == "HTMLFONT" and line.args:
            self.html[line.args[0].casefold()] = line.args[1:]
        elif line.name in ("UNIT", "CARDSIZE", "CARDS", "LINK", "LINKMULTI", "VISUAL", "ENDVISUAL"):
            return  # read before, or of its window alone
        elif line.name == "BORDER":
            if line.args and line.args[0].upper() not in ("NONE", "MARK", ""):
                self.imported.left(place, "BORDER", "a line along the cut would show where the cut is a little off")
        elif line.name in OUTPUT:
            self.imported.left(place, line.name, "pnp build lays out the sheets and writes the files itself")
        elif line.name in DRAWN:
            self.imported.asked += 1
            try:
                self.deck.front.append(self._element(line, place))
                self.imported.drawn += 1
            except ValueError as reason:
                self.imported.left(place, line.name, str(reason))
        else:
            self.imported.asked += line.name in _DRAWN_THERE
            self.imported.left(place, line.name, "pnp has no such command for cards")

    def _element(self, line: Line, place: Place) -> Element:
        """The element of a command. Raises ValueError with the reason why it is left out."""
        rows = len(self.deck.table.rows)
        cards = self._cards_of(line.args[0] if line.args else "", rows)
        if self.branches:
            held = set.intersection(*(met for met, _ in self.branches if met is not None))
            cards = sorted(held if cards is None else held.intersection(cards))
        only = ""
        if cards is not None and set(cards) != set(range(rows)):
            only = self.deck.table.shown_on(cards)
        if line.name in ("TEXT", "TEXTFONT", "HTMLTEXT"):
            return self._text(line, place, only)
        if line.name == "IMAGE":
            return self._image(line, place, only)
        if line.name == "ICONS":
            return self._icons(line, place, only)
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
        return Box(*found)

    def _turned(self, box: Box, place: Place) -> tuple[Box, float]:
        """The box of a text or picture, and its turn: negative width and height turn it upside down."""
        mirrored = (box.width < 0) != (box.height < 0)
        if mirrored:
            self.imported.changed(place, "it is not mirrored, as a single negative size asks for")
        turn = 180 if box.width < 0 and not mirrored else 0
        return Box(box.x, box.y, abs(box.width), abs(box.height)), turn

    def _value(self, text: str) -> Value:
        """A text with columns, such as "Cost: [price]"."""
        written = self._resolved(text).strip()
        if len(written) > 1 and written[0] == written[-1] == '"':
            written = written[1:-1]
        parts: list[str | Column] = []
        at = 0
        for found in NAMED.finditer(written):
            column = self.deck.table.column(found[1].partition(":")[0]) or self._sequence(found[1])
            if column is None:
                raise ValueError(f'there is no column and no label "{found[1]}"')
            parts += [written[at : found.start()], column]
            at = found.end()
        parts.append(written[at:])
        value = tuple(_BRACES.sub(self._worked_out, part) if isinstance(part, str) else part for part in parts if part != "")
        if any(isinstance(part, str) and _BRACES.search(part) for part in value):
            raise ValueError(f'"{text}" is worked out when the script runs')
        return value

    def _worked_out(self, found: re.Match[str]) -> str:
        number = self._sum(found[0])
        return found[0] if number is None else f"{number:g}"

    def _sequence(self, name: str) -> Column | None:
        """A column with the texts of a sequence, repeated over the cards."""
        items = self.sequences.get(name.strip().casefold())
        if items is None:
            return None
        table = self.deck.table
        if table.copies:
            raise ValueError(f'the sequence "{name}" goes by cards, and a row of the table is several')
        texts = [self._resolved(items[at % len(items)]) for at in range(len(table.rows))]
        if any("[" in text for text in texts):
            raise ValueError(f'the sequence "{name}" is worked out when the script runs')
        known = table.column(name.strip())
        return known if known and table.texts((known,)) == texts else table.add(name.strip(), texts)

    def _text(self, line: Line, place: Place, only: str) -> Text:
        args = [*line.args, *[""] * 16]
        content = tuple(
            part.replace("\\n", "\n").replace("\\13\\", "\n") if isinstance(part, str) else part
            for part in self._value(args[1])
        )
        box, turn = self._turned(self._box(line, 2), place)
        if line.name == "HTMLTEXT":
            return self._html(args, content, box, turn, place, only)
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
        ink = self._colour(([*font, "", "", "", ""])[3] or "#000000", place)
        return Text(box, content, self._font(font), ink, align, valign, _first_column(content), turn - angle, only)

    def _html(self, args: list[str], content: Value, box: Box, turn: float, place: Place, only: str) -> Text:
        name = f"{_first_column(content) or 'html'} text"
        value = self.imported.from_html(self.deck.table, content, name, place)
        font = self.html.get(args[10].strip().casefold(), next(iter(self.html.values()), ["Arial", "12", "", "#000000"]))
        font = [*font, *[""] * 5]
        align = _ALIGNS.get(font[4].strip().upper(), "left")
        ink, angle = self._colour(font[3] or "#000000", place), turn - (self._sum(args[7]) or 0)
        return Text(box, value, self._font(font), ink, align, "top", _first_column(value), angle, only)

    def _lost_of_font(self, font: list[str], alpha: str, place: Place) -> None:
        """Reports properties of a font that are left out."""
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
        value = self._value(args[1])
        box, turn = self._turned(self._box(line, 2), place)
        file = self.pictures.value(value, self.deck.table, place, f"{_first_column(value) or 'picture'} file")
        if not any(self.deck.table.texts(file)):
            raise ValueError("none of its pictures can be had")
        flags = self._resolved(args[7]).upper()
        lost = [flag for flag in "THVGRX" if flag in flags]
        if lost:
            self.imported.changed(place, f"the picture is shown without the flags {''.join(lost)}")
        written = self._resolved(args[8]).strip()
        opacity = self._sum(written.rstrip("%"))
        opacity = min(max((100 if opacity is None else opacity) / 100, 0), 1)
        return Picture(box, file, "P" not in flags, opacity, turn - (self._sum(args[6]) or 0), only)

    def _icons(self, line: Line, place: Place, only: str) -> Icons:
        """The pictures whose keys, by ICON, stand one after the other in a text."""
        args = [*line.args, *[""] * 12]
        value, box = self._value(args[1]), self._box(line, 2)
        sizes = [self._sum(args[at], whole / self.unit) for at, whole in ((6, self.deck.width), (7, self.deck.height))]
        width, height = ((size or 0) * self.unit for size in sizes)
        if min(width, height, box.width, box.height) <= 0:
            raise ValueError("the size of its icons is not said")
        keys = sorted(self.icons, key=len, reverse=True)
        if not keys:
            raise ValueError("no ICON stands before it")
        known = re.compile("|".join(map(re.escape, keys)))

        def files(text: str) -> str:
            taken = (self.pictures.take(self.icons[key], place) for key in known.findall(text))
            return ", ".join(filter(None, taken))

        file = self.deck.table.derived(value, files, f"{_first_column(value) or 'icon'} files")
        if not any(self.deck.table.texts(file)):
            raise ValueError("none of its pictures can be had")
        align = _ALIGNS.get(self._resolved(args[10]).strip().upper(), "center")
        valign = _VALIGNS.get(self._resolved(args[11]).strip().upper(), "middle")
        stretched = "P" not in self._resolved(args[9]).upper()
        return Icons(box, file, width, height, align, valign, stretched, -(self._sum(args[8]) or 0), only)

    def _shape(self, line: Line, place: Place, only: str) -> Shape:
        args = [*line.args, *[""] * 10]
        box = self._box(line, 1)
        line_colour = self._colour(args[5] or "#000000", place, "line")
        if line.name == "LINE":
            # It has its end where others have width and height.
            ends = Box(box.x, box.y, box.width - box.x, box.height - box.y)
            return Shape(ends, "line", ("none",), line_colour, self._thickness(args[6]), only=only)
        # A shape looks the same from the other side.
        x, y = min(box.x, box.x + box.width), min(box.y, box.y + box.height)
        box = Box(x, y, abs(box.width), abs(box.height))
        own = bool(args[6].strip())
        width = self._thickness(args[7]) if own else 0
        radius = min(box.width, box.height) / 10 if line.name == "ROUNDRECT" else 0
        return Shape(
            box,
            "ellipse" if line.name in ("ELLIPSE", "CIRCLE") else "rect",
            self._colour(args[6], place, "fill") if own else line_colour,
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


IMPORTER = Importer("nanDECK", (".nde", ".txt"), recognises, read, scripts=True)
