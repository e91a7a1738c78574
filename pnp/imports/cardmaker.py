"""Reads projects of CardMaker: XML with layouts, elements in pixels, and the sheets that they refer to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pnp.imports.deck import (
    SAID,
    Align,
    Box,
    Deck,
    Element,
    Font,
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
    taken_for_bleed,
)
from pnp.values.problems import Fault, Place

if TYPE_CHECKING:
    from lxml import etree

MOST_CARDS = 5_000
MOST_WORDS = 5_000
# The program sets letters at the 96 dots an inch of a screen, whatever the dots of its cards.
_SCREEN = 96
# What changes how an element looks, and what it is where it changes nothing.
_UNUSUAL = {"mirrortype": "0", "colormatrix": "", "keeporiginalsize": "false", "centerimageonorigin": "false",
            "imagemasksurface": "false", "colortype": "0", "tilesize": ""}  # fmt: skip
_ALIGNS: tuple[Align, ...] = ("left", "center", "right")
_VALIGNS: tuple[Valign, ...] = ("top", "middle", "bottom")
_REFERENCE = re.compile(r"@\[([^\[\]]+)\]")
_LOGIC = re.compile(r"#\(((?:(?!#\().){0,5000}?)\)#", re.DOTALL)
_INLINE = re.compile(r"#bg(?:shape|graphic|image)::.*?(?:##|#$)|#bg(?:shape|graphic|image)::.*", re.DOTALL)
_ESCAPES = (("\\n", "\n"), ("\\c", ","), ("\\q", '"'), ("&gt;", ">"), ("&lt;", "<"))


def recognises(source: Source) -> bool:
    return source.main.suffix.lower() == ".cmp" and "<Project" in source.text(source.main)[:4000]


def read(source: Source) -> Imported:
    """Raises Fault."""
    return _Project(source).read()


class _Project:
    def __init__(self, source: Source) -> None:
        self.source, self.shown = source, source.shown(source.main)
        self.imported = Imported("CardMaker")
        self.pictures = Pictures(source, self.imported)
        self.defines: dict[str, str] = {}

    def read(self) -> Imported:
        root = self.source.xml(self.source.main)
        layouts = root.findall("Layout")
        if not layouts:
            raise Fault("the project has no <Layout>", place=Place(self.shown, 1))
        for layout in layouts:
            self._layout(layout)
        return self.imported

    def _place(self, node: etree._Element) -> Place:
        return Place(self.shown, node.sourceline)

    def _layout(self, layout: etree._Element) -> None:
        place = self._place(layout)
        name = layout.get("Name") or "cards"
        dpi = _number(layout, "dpi", 300) or 300
        width, height = (_number(layout, key, 0) / dpi * 25.4 for key in ("width", "height"))
        if not (3 <= width <= 1500 and 3 <= height <= 1500):
            self.imported.left(place, f'the layout "{name}"', "it is smaller than 3 mm or larger than 1500 mm")
            return
        table = self._table(layout, name)
        trim = taken_for_bleed(width, height)
        if trim:
            self.imported.changed(place, SAID)
        deck = Deck(name, width - 2 * trim, height - 2 * trim, trim or None, table)
        # The first of the list lies on top of the others.
        for node in reversed(layout.findall("Element")):
            try:
                deck.front += [replace(each, box=each.box.moved(trim)) for each in self._element(node, deck, dpi)]
            except ValueError as reason:
                self.imported.left(self._place(node), f'{name}, the element "{node.get("name") or "?"}"', str(reason))
        self.imported.decks.append(deck)

    def _table(self, layout: etree._Element, name: str) -> Table:
        """The sheets of a layout one below the other; their first column counts the copies."""
        tables: list[Table] = []
        self.defines = self._defines(self.source.main.stem)
        for node in layout.findall("Reference"):
            given = node.get("RelativePath") or ""
            path = self.source.find(given)
            if path is None:
                self.imported.left(
                    self._place(node), f'{name}, the reference "{given}"', "there is no such file in the folder"
                )
                continue
            if tables and layout.get("combineReferences") != "true":
                self.imported.left(self._place(node), f'{name}, the reference "{given}"', "a layout has one sheet here")
                continue
            tables.append(self.source.table(path))
            self.defines |= self._defines(path.stem)
        if not tables:
            count = int(min(max(_number(layout, "defaultCount", 1), 1), MOST_CARDS))
            return Table(["copies"], [{"copies": str(count)}], "copies")
        merged, *others = tables
        for other in others:
            merged.columns += [column for column in other.columns if column not in merged.columns]
            merged.rows += other.rows
        merged.copies = merged.columns[0]
        for row in merged.rows:
            row[merged.copies] = row.get(merged.copies, "") or "1"
        return merged

    def _defines(self, stem: str) -> dict[str, str]:
        path = self.source.find(f"{stem}_defines.csv")
        if path is None:
            return {}
        table = self.source.table(path)
        key, *rest = table.columns
        return {row[key].casefold(): row.get(rest[0], "") if rest else "" for row in table.rows}

    def _element(self, node: etree._Element, deck: Deck, dpi: float) -> list[Element]:
        """The drawing elements of an XML element. Raises ValueError with the reason why it is left out."""
        kind, place = node.get("type") or "", self._place(node)
        name = node.get("name") or "element"
        if node.get("enabled") == "false":
            raise ValueError("it is not enabled")
        box = Box(*(_number(node, key, 0) / dpi * 25.4 for key in ("x", "y", "width", "height")))
        if box.width <= 0 or box.height <= 0:
            raise ValueError("its box has no size")
        written = node.get("variable") or ""
        if _INLINE.search(written):
            self.imported.left(place, f'{deck.name}, the ground within "{name}"', "shapes inside of words are not drawn")
            written = _INLINE.sub("", written)
        angle, opacity = _number(node, "rotation", 0), min(max(_number(node, "opacity", 255) / 255, 0), 1)
        ground = self._ground(node, box, dpi, place)
        for key, usual in _UNUSUAL.items():
            if node.get(key, usual) not in (usual, ""):
                self.imported.changed(place, f'"{name}" is drawn without {key}="{node.get(key)}"')
        if kind in ("Text", "FormattedText"):
            return [*ground, *self._text(node, deck, written, box, dpi, angle, kind, place)]
        if kind == "Graphic":
            file = self.pictures.value(self._value(written, deck, node), deck.table, place, f"{name} file")
            if not any(deck.table.texts(file)):
                raise ValueError("none of its pictures can be had")
            return [*ground, Picture(box, file, node.get("lockaspect") != "true", opacity, angle)]
        if kind == "Shape":
            return [*ground, self._shape(node, written, box, dpi, opacity, place)]
        raise ValueError(f"elements of the type {kind or 'none'} are not known here")

    def _ground(self, node: etree._Element, box: Box, dpi: float, place: Place) -> list[Element]:
        fill, _ = self._colour(node, "backgroundcolor", "0x00000000", place)
        width = _number(node, "borderthickness", 0) / dpi * 25.4
        line, _ = self._colour(node, "bordercolor", "0x000000FF", place)
        if fill == "none" and not width:
            return []
        return [Shape(box, "rect", (fill,), (line if width else "none",), width)]

    def _text(
        self, node: etree._Element, deck: Deck, written: str, box: Box, dpi: float, angle: float, kind: str, place: Place
    ) -> list[Element]:
        if not written.strip():
            return []
        value = self._value(written, deck, node)
        if kind == "FormattedText":
            value = self.imported.from_html(deck.table, value, f"{node.get('name') or 'text'} text", place)
        parts = [*(node.get("font") or "").split(";"), "", "", "", "", ""]
        size = float(parts[1]) if re.fullmatch(r"\d+(\.\d+)?", parts[1]) else 12.0
        font = Font(parts[0] or "Arial", min(max(size * _SCREEN / dpi, 1), 400), parts[2] == "1", parts[4] == "1")
        fill, _ = self._colour(node, "elementcolor", "0x000000FF", place)
        align = _ALIGNS[int(_number(node, "horizontalalign", 0)) % 3]
        valign = _VALIGNS[int(_number(node, "verticalalign", 0)) % 3]
        if _number(node, "outlinethickness", 0):
            self.imported.changed(place, "the letters have no outline")
        if "1" in (parts[3], parts[5]):
            self.imported.changed(place, "no line is drawn under or through the words")
        return [
            Text(box, value, font, ("#000000" if fill == "none" else fill,), align, valign, node.get("name") or "", angle)
        ]

    def _shape(self, node: etree._Element, written: str, box: Box, dpi: float, opacity: float, place: Place) -> Shape:
        kind, *sizes = written.strip("#").split(";")
        if kind not in ("rect", "roundedrect", "ellipse"):
            raise ValueError(f'the shape "{kind[:30]}" is not known here')
        fill, _ = self._colour(node, "elementcolor", "0x000000FF", place)
        width = float(sizes[0]) / dpi * 25.4 if sizes and re.fullmatch(r"\d+(\.\d+)?", sizes[0]) else 0
        radius = float(sizes[3]) / dpi * 25.4 if kind == "roundedrect" and len(sizes) > 3 and sizes[3].isdigit() else 0
        radius = min(radius, box.width / 2, box.height / 2)
        drawn = "ellipse" if kind == "ellipse" else "rect"
        if width:
            return Shape(box, drawn, ("none",), (fill,), width, radius, opacity)  # type: ignore[arg-type]
        return Shape(box, drawn, (fill,), radius=radius, opacity=opacity)  # type: ignore[arg-type]

    def _colour(self, node: etree._Element, key: str, default: str, place: Place) -> tuple[str, float]:
        found = colour(node.get(key) or default)
        if found is None:
            self.imported.changed(place, f'{key}="{node.get(key)}" is no colour, so it is black')
            return "#000000", 1
        return found

    def _value(self, written: str, deck: Deck, node: etree._Element) -> Value:
        """The text of an element for each row: a column if it is only that, else computed from the row."""
        only = re.fullmatch(r"\s*@\[([^\[\]]+)\]\s*", written)
        column = deck.table.column(only[1]) if only else None
        name = node.get("name") or "text"
        if column is not None and not any(
            re.search(r"@\[|#\(|\\[ncq]|^#", row.get(column.name, "")) for row in deck.table.rows
        ):
            return (column,)
        texts = [self._worked_out(written, row, deck.table) for row in deck.table.rows]
        if len(set(texts)) == 1 and "@[" not in written:
            return (texts[0],)
        return (deck.table.add(name, texts, (column,) if column else ()),)

    def _worked_out(self, written: str, row: Mapping[str, str], table: Table) -> str:
        """Evaluates an expression for a row. Raises ValueError for what only CardMaker knows."""

        def named(found: re.Match[str]) -> str:
            column = table.column(found[1])
            if column is not None:
                return row.get(column.name, "")[:MOST_WORDS]
            if found[1].casefold() in self.defines:
                return self.defines[found[1].casefold()][:MOST_WORDS]
            raise ValueError(f'there is no column and no define "{found[1]}"')

        text = written[:MOST_WORDS]
        for _ in range(8):
            changed = _REFERENCE.sub(named, text)
            changed = _LOGIC.sub(lambda found: _decided(found[1]), changed)
            if changed == text or len(changed) > 50_000:
                break
            text = changed
        if re.search(r"#\(|!\[|##|#sc;", text):
            raise ValueError(f'"{written[:60]}" is worked out by the program')
        for mark, letter in _ESCAPES:
            text = text.replace(mark, letter)
        return "" if text.strip() in ("#empty", "#nodraw") else text.strip()


def _decided(logic: str) -> str:
    """Evaluates ``switch;key;case;value;…`` and ``if a == b then c else d``. Raises ValueError for others."""
    if logic.startswith("switch;"):
        key, *rest = logic.split(";")[1:]
        pairs = list(zip(rest[::2], rest[1::2], strict=False))
        for case, value in pairs:
            if case.strip().casefold() == key.strip().casefold():
                return value
        return next((value for case, value in pairs if case.strip() == "#default"), "")
    found = re.fullmatch(r"if\s+(.*?)\s*(==|!=)\s*(.*?)\s+then\s+(.*?)(?:\s+else\s+(.*))?", logic.strip(), re.DOTALL)
    if found is None:
        raise ValueError(f'"{logic[:60]}" is worked out by the program')
    same = found[1].strip().casefold() == found[3].strip().casefold()
    return found[4] if same == (found[2] == "==") else found[5] or ""


def _number(node: etree._Element, key: str, default: float) -> float:
    text = (node.get(key) or "").strip()
    return float(text) if re.fullmatch(r"-?\d{1,6}(\.\d{1,6})?", text) else default


IMPORTER = Importer("CardMaker", (".cmp",), recognises, read)
