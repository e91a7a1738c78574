"""What a script of nanDECK says before anything is drawn: its lines, sizes, labels, and the rows that are its cards."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pnp.flows.imports.deck import Deck, Imported, Table
from pnp.flows.imports.nandeck.lines import DRAWN, LONGEST, MM, arguments, worked_out
from pnp.flows.imports.pictures import Pictures
from pnp.flows.imports.source import CannotImport, Source
from pnp.values.problems import Place

MOST_LINES = 20_000
MOST_CARDS = 5_000
_LABEL = re.compile(r"\[([^\[\]=]+)\]\s*=\s*(.*)", re.DOTALL)
NAMED = re.compile(r"\[([^\[\]]+)\]")
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")
_SUM = re.compile(r"[\d.+\-*/() ]{1,200}")
_DEFAULT = (60.0, 90.0)


@dataclass(slots=True)
class Line:
    number: int
    name: str
    args: list[str] = field(default_factory=list)


class Script:
    """A script's lines, settings, labels and cards; :mod:`drawing` draws with them."""

    def __init__(self, source: Source) -> None:
        self.source, self.shown = source, source.shown(source.main)
        self.imported = Imported("nanDECK")
        self.pictures = Pictures(source, self.imported)
        self.labels: dict[str, str] = {}
        self.font: list[str] = ["Arial", "12", "", "#000000"]
        self.html: dict[str, list[str]] = {}
        self.unit = 10.0
        self.deck = Deck("cards", *_DEFAULT)
        self.cards = 0
        self.most = 0

    def _place(self, number: int) -> Place:
        return Place(self.shown, number)

    def _lines(self) -> list[Line]:
        """The directives, without comments; blocks that are run are told and left out."""
        found: list[Line] = []
        ends = {"IF": "ENDIF", "FOR": "NEXT", "MACRO": "END", "SEQUENCE": "ENDSEQUENCE", "VISUAL": ""}
        until, depth, opened = "", 0, ""
        written = self.source.text(self.source.main).splitlines()
        if len(written) > MOST_LINES:
            raise CannotImport(self._place(MOST_LINES), f"the script has more than {MOST_LINES} lines")
        for number, raw in enumerate(written, 1):
            line = raw.strip()
            if len(line) > LONGEST:
                self.imported.left(self._place(number), "the line", f"it is longer than {LONGEST} letters")
                continue
            if not line or line.startswith((";", "'")):
                continue
            if label := _LABEL.fullmatch(line):
                if not until:
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
            found.append(Line(number, name, arguments(rest)))
        return found

    def _settings(self, lines: list[Line]) -> None:
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
                asked = self._sum(line.args[0]) or 0
                self.cards = int(max(0, min(asked, MOST_CARDS)))
                if asked > MOST_CARDS:
                    self.imported.left(
                        self._place(line.number), f"the cards after the first {MOST_CARDS}", f"CARDS asks for {asked:g}"
                    )

    def _rows(self, lines: list[Line]) -> None:
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
                if line.args and line.name in DRAWN:
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
            changed = NAMED.sub(lambda found: self.labels.get(found[1].strip().casefold(), found[0]), text)
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
