"""A script of Squib → decks: its tables, its decks, and each command that draws."""

from __future__ import annotations

from collections.abc import Mapping

from pnp.flows.imports.bleeds import EIGHTH, SAID, taken_for_bleed
from pnp.flows.imports.deck import Deck, Imported, Table, Text
from pnp.flows.imports.pictures import Pictures
from pnp.flows.imports.source import CannotImport, Plain, Source
from pnp.flows.imports.squib.drawing import Drawing
from pnp.flows.imports.squib.layouts import CELL, DPI, Entry, Lengths, read_layout
from pnp.flows.imports.squib.ruby import statements
from pnp.flows.imports.squib.tokens import Assign, Call, NotRead, Other, Statement, TooMuch
from pnp.flows.imports.squib.worth import Data, Names, Rows, Worth, word, worth
from pnp.values.problems import Place
from pnp.values.tables import COPIES

MOST_CARDS = 5_000
MOST_TURNS = 200
LARGE_PT = 30
WIDTH, HEIGHT = 825.0, 1125.0
_NEAR = 0.16
# What says how the sheets are made, and what the person sees meanwhile.
_OUTPUT = {"save", "save_png", "save_pdf", "save_sheet", "save_sprue", "showcase", "hand"}
_PROOFS = {"cut_zone": "the build marks the cut itself", "safe_zone": "it is a line for proofs", "hint": "it is for proofs"}
_SILENT = {"require", "require_relative", "puts", "p", "pp", "disable_build", "set", "using", "include"}


def recognises(source: Source) -> bool:
    return source.main.suffix.lower() == ".rb" and "Squib" in source.text(source.main)


def read(source: Source) -> Imported:
    """Raises CannotImport."""
    return _Script(source).read()


class _Script:
    def __init__(self, source: Source) -> None:
        self.source, self.shown = source, source.shown(source.main)
        self.imported = Imported("Squib")
        self.names = Names({}, self._load)
        config = self._config()
        homes = [str(config["img_dir"])] if isinstance(config.get("img_dir"), str) else []
        self.pictures = Pictures(source, self.imported, *homes)
        cell = config.get("cell_px")
        self.cell = float(cell) if isinstance(cell, int | float) and cell else CELL
        colours = config.get("custom_colors")
        self.colours = {key: str(value) for key, value in colours.items()} if isinstance(colours, dict) else {}
        self.builds: set[str] = set()

    def _config(self) -> dict[str, Plain]:
        path = self.source.find("config.yml")
        found = self.source.yaml(path) if path is not None else None
        return found if isinstance(found, dict) else {}

    def read(self) -> Imported:
        place = Place(self.shown)
        try:
            found = statements(self.source.text(self.source.main))
        except (TooMuch, RecursionError):
            raise CannotImport(place, "the script is too long, or nested too deeply, to be read") from None
        for each in found:
            try:
                self._outer(each)
            except NotRead as reason:
                self.imported.left(self._place(getattr(each, "line", 0)), "a command", str(reason))
        sizes = [each.font.size for deck in self.imported.decks for each in deck.front if isinstance(each, Text)]
        if max(sizes, default=0) > LARGE_PT:
            older = "those of older scripts are three times too large: divide their sizes in the templates by 3.125"
            self.imported.changed(place, f"letters are in points, as in Squib since 0.14; {older}")
        if not self.imported.decks:
            raise CannotImport(place, "there is no Squib::Deck.new in the script that can be read")
        return self.imported

    def _outer(self, each: Statement) -> None:
        if isinstance(each, Assign):
            if isinstance(each.value, Call) and each.value.name == "new":
                self._outer(each.value)
            else:
                self._assign(each)
        elif isinstance(each, Other):
            self.imported.left(self._place(each.line), f'"{each.text}"', each.why)
        elif isinstance(each, Call) and each.name == "new" and _is_deck(each):
            self._deck(each)
        elif isinstance(each, Call) and each.name == "enable_build" and each.args:
            self.builds.add(word(worth(each.args[0], self.names)))
        elif isinstance(each, Call) and each.name not in _SILENT:
            self.imported.left(self._place(each.line), f'"{each.name}"', "only a run of the script does it")

    def _assign(self, each: Assign) -> None:
        try:
            self.names.known[each.name] = worth(each.value, self.names)
        except NotRead as reason:
            self.names.known.pop(each.name, None)
            self.imported.left(self._place(each.line), f"what {each.name} is", str(reason))

    def _place(self, line: int) -> Place:
        return Place(self.shown, line)

    def _load(self, call: Call, options: Mapping[str, Worth]) -> Worth:
        """A table that the script reads. Raises NotRead, CannotImport."""
        name = options.get("file", "deck.xlsx")
        if "data" in options or not isinstance(name, str):
            raise NotRead("the table is made by the script itself")
        path = self.source.find(name, "data")
        if path is None:
            raise CannotImport(
                self._place(call.line),
                f'the table "{name}" is not in the project\'s folder',
                value=name,
                hint="Name the project's folder, not the script, if the table is elsewhere in it.",
            )
        if path.suffix.lower() in (".yml", ".yaml"):
            return Data(self._records(self.source.yaml(path), self.source.shown(path)))
        table = self.source.table(path)
        for each in options:
            if each not in ("file", "explode", "strip") and not (each == "sheet" and options[each] in (0.0, "0")):
                self.imported.left(self._place(call.line), f"{each}: of {name}", "the table is read as it is")
        explode = table.column(word(options.get("explode", "qty")))
        if explode is not None:
            table.copies = explode.name
        return Data(table)

    def _records(self, found: Plain, shown: str) -> Table:
        """A table from a list of records."""
        if not isinstance(found, list) or not found or not all(isinstance(each, dict) for each in found):
            raise CannotImport(Place(shown), "the file is no list of cards")
        table = Table()
        records = [each for each in found if isinstance(each, dict)]
        table.columns = list(dict.fromkeys(str(key) for each in records for key in each))
        for each in records:
            row = {str(key): "" if value is None else str(value) for key, value in each.items()}
            for key, value in each.items():
                if isinstance(value, list | dict):
                    row[str(key)] = ""
                    self.imported.left(
                        Place(shown, None, str(key)), f"what stands in {key}", "a cell has one text or number"
                    )
            table.rows.append(row)
        table.copies = next((name for name in table.columns if name.casefold() in COPIES), "")
        return table

    def _deck(self, call: Call) -> None:
        place = self._place(call.line)
        options: dict[str, Worth] = {}
        for key, value in call.options.items():
            try:
                options[key] = worth(value, self.names)
            except NotRead as reason:
                self.imported.left(place, f"{key}: of the deck", str(reason))
        dpi = options.get("dpi", DPI)
        lengths = Lengths(dpi if isinstance(dpi, float) and dpi >= 1 else DPI, self.cell)
        try:
            width = lengths.pixels(options.get("width", WIDTH))
            height = lengths.pixels(options.get("height", HEIGHT))
        except NotRead as reason:
            raise CannotImport(place, f"the size of the cards is not read: {reason}") from None
        if not (3 <= lengths.mm(width) <= 1500 and 3 <= lengths.mm(height) <= 1500):
            raise CannotImport(place, "the cards are smaller than 3 mm or larger than 1500 mm")
        table, copies = self._table(options.get("cards"), call)
        inner = call.block.statements if call.block else ()
        name = "cards" if not self.imported.decks else f"cards-{len(self.imported.decks) + 1}"
        deck = Deck(name, lengths.mm(width), lengths.mm(height), table=table)
        table.copies = copies
        drawing = Drawing(deck, self.imported, self.pictures, lengths, width, height, self.colours)
        given = options.get("layout")
        for each in given if isinstance(given, list) else [given]:
            if isinstance(each, str):
                drawing.layouts = self._layout(each, drawing.layouts, lengths, place)
        self._inside(inner, drawing, self.names.within({}), 0)
        trim = drawing.trim if drawing.trim is not None else self._trim(deck, drawing, place)
        deck.width, deck.height, deck.bleed = deck.width - 2 * trim, deck.height - 2 * trim, trim or None
        drawing.move(trim)
        self.imported.decks.append(deck)

    def _layout(self, name: str, known: Mapping[str, Entry], lengths: Lengths, place: Place) -> dict[str, Entry]:
        try:
            return read_layout(self.source, name, known, lengths)
        except NotRead as reason:
            self.imported.left(place, f'the layout "{name}"', str(reason))
            return dict(known)

    def _table(self, cards: Worth, call: Call) -> tuple[Table, str]:
        """The rows of a deck: those of the table that it counts its cards by, else of one that it reads, else blank ones."""
        known = [each.table for each in self.names.known.values() if isinstance(each, Data)]
        within: list[Table] = []
        for each in call.block.statements if call.block else ():
            if isinstance(each, Assign) and isinstance(each.value, Call) and each.value.name in ("csv", "xlsx", "yaml"):
                self._assign(each)
                found = self.names.known.get(each.name)
                within += [found.table] if isinstance(found, Data) else []
        if isinstance(cards, Rows):
            return cards.table, cards.table.copies
        number = int(cards) if isinstance(cards, float) else None
        if number is not None and number > MOST_CARDS:
            self.imported.left(self._place(call.line), f"the cards after the first {MOST_CARDS}", f"there are {number}")
        for table in (*within, *known):
            if number is None or table.copies or len(table.rows) == number:
                return table, table.copies
        fits = next((table for table in (*within, *known) if number is not None and len(table.rows) > number), None)
        if fits is not None and number is not None:
            self.imported.changed(
                self._place(call.line), f"of {len(fits.rows)} rows there are the first {number}, as cards: says"
            )
            del fits.rows[number:]
            return fits, ""
        return Table([], [{} for _ in range(max(1, min(number or 1, MOST_CARDS)))]), ""

    def _inside(self, inner: tuple[Statement, ...], drawing: Drawing, names: Names, depth: int) -> None:
        for each in inner:
            if isinstance(each, Assign):
                if (
                    isinstance(each.value, Call)
                    and each.value.name in ("csv", "xlsx", "yaml")
                    and each.name in self.names.known
                ):
                    names.known[each.name] = self.names.known[each.name]
                    continue
                try:
                    names.known[each.name] = worth(each.value, names)
                except NotRead as reason:
                    names.known.pop(each.name, None)
                    self.imported.left(self._place(each.line), f"what {each.name} is", str(reason))
            elif isinstance(each, Other):
                self.imported.left(self._place(each.line), f'"{each.text}"', each.why)
            elif isinstance(each, Call):
                try:
                    self._command(each, drawing, names, depth)
                except NotRead as reason:
                    self.imported.left(self._place(each.line), each.name, str(reason))
            else:
                self.imported.left(self._place(0 if not isinstance(each.yes, Call) else each.yes.line), "a command",
                                   "it depends on a condition")  # fmt: skip

    def _command(self, each: Call, drawing: Drawing, names: Names, depth: int) -> None:
        place = self._place(each.line)
        if each.on is not None:
            self._turns(each, drawing, names, depth)
        elif each.name == "build" and each.block is not None:
            group = word(worth(each.args[0], names)) if each.args else ""
            if group in self.builds:
                self._inside(each.block.statements, drawing, names, depth + 1)
            else:
                self.imported.left(place, f"the build group {group}", "Squib draws it only when it is asked to")
                self._trims(each.block.statements, drawing, names)
        elif each.name == "use_layout":
            self._use_layout(each, drawing, names, place)
        elif each.name in _OUTPUT:
            self._trims((each,), drawing, names)
            self.imported.left(place, each.name, "pnp build lays out the sheets and writes the files itself")
        elif each.name in _PROOFS:
            self.imported.left(place, each.name, _PROOFS[each.name])
        elif each.name in drawing.COMMANDS:
            drawing.draw(each, names, place)
        elif each.name not in _SILENT:
            self.imported.left(place, each.name, "pnp has no such command for cards")

    def _use_layout(self, each: Call, drawing: Drawing, names: Names, place: Place) -> None:
        try:
            given = worth(each.options["file"], names) if "file" in each.options else "layout.yml"
        except NotRead as reason:
            self.imported.left(place, "use_layout", str(reason))
            return
        for name in given if isinstance(given, list) else [given]:
            if isinstance(name, str):
                drawing.layouts = self._layout(name, drawing.layouts, drawing.lengths, place)

    def _trims(self, inner: tuple[Statement, ...], drawing: Drawing, names: Names) -> None:
        """How much is cut off when the sheets are saved: that is the bleed."""
        for each in inner:
            if isinstance(each, Call) and each.name in _OUTPUT and "trim" in each.options and drawing.trim is None:
                try:
                    trim = drawing.lengths.mm(drawing.lengths.pixels(worth(each.options["trim"], names)))
                except NotRead:
                    continue
                if 0 < trim * 2.5 < min(drawing.deck.width, drawing.deck.height):
                    drawing.trim = trim

    def _trim(self, deck: Deck, drawing: Drawing, place: Place) -> float:
        """The bleed of a deck that is never trimmed: by its layout's cut, or when a known size comes of it."""
        if "cut" in drawing.layouts and abs(deck.width - 69.85) < _NEAR and abs(deck.height - 95.25) < _NEAR:
            return EIGHTH
        trim = taken_for_bleed(deck.width, deck.height)
        if trim:
            self.imported.changed(place, SAID)
        return trim

    def _turns(self, each: Call, drawing: Drawing, names: Names, depth: int) -> None:
        """``%w(a b).each do |x| … end`` and ``3.times do |i| … end``, written out."""
        place = self._place(each.line)
        block = each.block
        try:
            if each.name not in ("each", "times") or block is None or each.on is None or depth > 4:
                raise NotRead("only a run of the script does it")
            over = worth(each.on, names)
            if each.name == "times" and isinstance(over, float):
                over = [float(at) for at in range(min(int(over), MOST_TURNS + 1))]
            if not isinstance(over, list) or len(over) > MOST_TURNS or len(block.names) > 1:
                raise NotRead("it is done as often as only a run of the script knows")
            for item in over:
                self._inside(block.statements, drawing, names.within(dict.fromkeys(block.names, item)), depth + 1)
        except NotRead as reason:
            self.imported.left(place, f'"{each.name}"', str(reason))


def _is_deck(call: Call) -> bool:
    on = call.on
    return isinstance(on, Call) and on.name in ("Squib::Deck", "Deck")
