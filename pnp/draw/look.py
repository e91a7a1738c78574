"""Templates for components that have none: a card from the columns of its table, in one of six styles.

What is drawn is the source of a template, which ``pnp template`` writes into the game to be changed. Columns are known by
their names, in English, German, Spanish and French; what is left is a number in a corner where it is short, else a line of
the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from pnp.dataclass import dataclass
from pnp.shapes.colour import channels, contrast, full, luminance, named
from pnp.values.game import FAMILIES, TONES, Component, Game, Look
from pnp.values.languages import original
from pnp.values.problems import nearest
from pnp.values.tables import COPIES, PICTURING, PLACING, Cell, Table


@dataclass(frozen=True, slots=True)
class Style:
    """Colours and letters of a look."""

    ground: str
    """Around the panels."""
    panel: str
    ink: str
    line: str
    """Around panels."""
    back: str
    tints: tuple[str, ...]
    """Colours of the kinds of cards, told apart by most eyes. TINT, as another colour, is that of the card's kind."""
    title: str = ""
    body: str = ""
    weight: int = 700
    scale: float = 1.0
    """Size of titles: narrow letters are larger."""
    outline: float = 0.4
    """Width of lines in mm, on a poker card."""
    radius: float = 1.8
    ground_line: str = ""
    """A frame around all."""
    pattern: str = "lattice"
    """Of the back."""


_TINTS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5ea8", "#6b6b6b")
_MUTED = ("#3f6c8f", "#a8573a", "#5b7f4b", "#8f5573", "#b08a2e", "#4f8f8f", "#6d5b94", "#6d665c")
_BRIGHT = ("#3fa9f5", "#ff7a59", "#2fd0a0", "#f28ac2", "#ffc247", "#8fd3ff", "#b59cff", "#a9b4c4")
# What the shade of a colour that is called by its name is mixed with, and how much of it, among such tints.
_WASHES: Mapping[tuple[str, ...], tuple[str, float]] = {
    _TINTS: ("#6b6b6b", 0.0),
    _MUTED: ("#6d665c", 0.25),
    _BRIGHT: ("#ffffff", 0.25),
}
# Screens have purer colours than print. By these names, in the languages of columns; by others as CSS says.
_SHADES = {
    "#d42f2f": "red rot rojo rouge",
    "#f0be00": "yellow gelb amarillo jaune",
    "#2f8f3f": "green grün gruen verde vert",
    "#2b68c0": "blue blau azul bleu",
    "#e87a1e": "orange naranja",
    "#7d4fb0": "purple violet violett lila morado violeta",
    "#e58ab0": "pink rosa rose",
    "#7a4f30": "brown braun marrón marron brun",
    "#1f1f24": "black schwarz negro noir",
    "#f7f7f4": "white weiß weiss blanco blanc",
    "#808080": "grey gray grau gris",
    "#1fa39a": "turquoise türkis tuerkis turquesa",
}
_SHADE_OF = {name: shade for shade, names in _SHADES.items() for name in names.split()}
_SEEN_ON_LIGHT, _SEEN_ON_DARK = 1.35, 3.0
"""The contrast of a tint with the panels."""
TINT, ON, DARK = "{{ tint }}", "on", "#14182a"
_STYLES: Mapping[Look, Style] = {
    "plain": Style("#ffffff", "#ffffff", "#1d1d1f", "#1d1d1f", TONES["plain"][0], _TINTS, ground_line=TINT),
    "parchment": Style(
        *("#e3cfa4", "#f7efdb", "#3a2a1a", "#7a5a34", TONES["parchment"][0], _MUTED),
        pattern="rays",
        radius=0.6,
        outline=0.5,
        ground_line="#7a5a34",
    ),
    "night": Style("#151c2e", "#222d47", "#f2efe6", TINT, TONES["night"][0], _BRIGHT, pattern="stars", radius=2.4),
    "comic": Style(
        *(TINT, "#ffffff", "#16161a", "#16161a", TONES["comic"][0], _TINTS),
        weight=400,
        outline=1.0,
        radius=3.2,
        pattern="dots",
    ),
    "sketch": Style(
        *("#fbfaf5", "#fbfaf5", "#2b2b2b", "#2b2b2b", TONES["sketch"][0], _MUTED),
        scale=1.45,
        outline=0.3,
        radius=0.0,
        pattern="hatch",
        ground_line=TINT,
    ),
    "woodland": Style(
        *("#3f5b3a", "#f3f1e0", "#22301f", "#22301f", TONES["woodland"][0], _MUTED),
        pattern="leaves",
        radius=2.4,
        outline=0.5,
    ),
}
STYLES: Mapping[Look, Style] = {
    look: replace(style, title=FAMILIES[look]["title"], body=FAMILIES[look]["body"]) for look, style in _STYLES.items()
}

_KNOWN: Mapping[str, str] = {
    "title": "name title card card_name nombre titulo título titel nom titre",
    "cost": "cost price mana value points vp level kosten preis wert coste precio valor coût prix valeur",
    "kind": "type kind class suit category faction typ art_der_karte klasse tipo clase palo genre famille",
    "colour": "colour color farbe couleur",
    "art": " ".join(PICTURING),
    "text": "text rules rule ability effect description regel beschreibung fähigkeit texto regla efecto texte règle effet",
    "flavour": "flavour flavor fluff quote lore story zitat cita citation",
}
_ROLES = {name: role for role, names in _KNOWN.items() for name in names.split()}
_SHORT = 5
"""A column goes into a corner of the card when none of its cells has more letters."""
_MOST_CORNERS = 4
_MOST_KINDS = 8
_LABEL = 12
"""Letters of a name that have room below a corner of a poker card."""
_FEW_LETTERS = 180
"""Texts shorter than that leave room for an emblem."""
# Texts of fewer letters are set larger, up to so many points on a poker card, and leave more room.
_LARGE = {60: 16.0, 120: 13.0}
_USUAL_LARGE = 11.0


_PICTURED = """\
{# The picture in art/ that is called like the board is all of it, to the bleed. In mm from the upper left corner. #}
{% extends "shared/face.svg.j2" %}
{% block face %}
{% set out = face.bleed %}
<image href="{{ picture.own() }}" x="{{ -out }}" y="{{ -out }}" preserveAspectRatio="xMidYMid slice"
 width="{{ face.width + 2 * out }}" height="{{ face.height + 2 * out }}"/>
{% endblock %}
"""

_COVERED = """\
{# The picture in art/ that is called like the back is all of it, to the bleed. #}
{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}{{ s.cover(face, component.back) }}{% endblock %}
"""


def looks(game: Game, has_art: Callable[[str], bool]) -> dict[str, str]:
    """The sources of templates that components of the game have not, by file name.

    ``has_art`` says whether there is a drawing of a name.
    """
    made: dict[str, str] = {}
    for component in game.components:
        if component.look and component.kind == "board":
            made[f"{component.template}.svg.j2"] = _PICTURED
        elif component.look:
            names = [name for row in component.table for name in (f"{component.name}/{row.id}", row.id)]
            if component.kind == "token":
                names.append(component.name)
            pictured = any(map(has_art, names))
            made[f"{component.template}.svg.j2"] = front(component, component.look, pictured, game.palette, game.fonts)
        if component.back_look and component.back:
            made[f"{component.back}.svg.j2"] = back(component.look, game.fonts) if component.look else _COVERED
    return made


def misspelt(table: Table) -> Iterator[tuple[str, str]]:
    """Columns whose names are almost those of one that a look knows, and that one."""
    for column in table.columns:
        name = column.casefold()
        if column in ("id", table.key, table.counted) or name in _ROLES or not name.isalpha() or len(name) < 4:
            continue
        known = [*_ROLES, *(COPIES if not table.counted and table.taken.get(column) == "numbers" else ())]
        if near := nearest(name, known, 0.75):
            yield column, near


def hidden(table: Table) -> list[str]:
    """Columns that the spreadsheet hides, and a look shows as words."""
    shown = (column for column in table.columns if column not in ("id", table.key, table.counted, *PLACING))
    return [column for column in shown if column in table.hidden and _ROLES.get(column.casefold()) not in ("art", "colour")]


def uncoloured(table: Table, palette: Mapping[str, str]) -> Iterator[Cell]:
    """The cells of a column of colours that name none, where most do."""
    for column in (each for each in table.columns if _ROLES.get(each.casefold()) == "colour"):
        cells = [cell for row in table if (cell := row.cells[column]).text]
        odd = [cell for cell in cells if _named(original(cell.text), palette) is None]
        yield from odd if 2 * len(odd) < len(cells) else ()


def misread(table: Table) -> str:
    """Why the first row hardly names the columns; empty where nothing speaks against it."""
    names = [title.casefold() for title in table.titles]
    known = {*_ROLES, *COPIES, "id"}
    words = names[0].split() if len(names) == 1 else []
    if len(known.intersection(words)) > 1:
        return f'there is only one column, "{table.titles[0]}". Part the columns by commas'
    firsts = {text.casefold() for row in table if (text := row.display(table.columns[0]))}
    if len(known & firsts) > 1 and not known.intersection(names[1:]):
        return "the table lies on its side: a row has to be a card, and a column what all cards have"
    if len(names) > 1 and known.isdisjoint(names) and any(re.fullmatch(r"-?\d+", name) for name in names):
        return "the first row was taken for the names of the columns, and looks like a card. Put names above it"
    return ""


@dataclass(frozen=True, slots=True)
class _Columns:
    """The role of each column of a table on a card."""

    roles: Mapping[str, str]
    corners: tuple[str, ...]
    texts: tuple[str, ...]
    """The main text first, without flavour."""
    tinting: str = ""
    """What gives a card its colour."""

    def get(self, role: str) -> str:
        return self.roles.get(role, "")


def _columns(table: Table, letters: float = _LABEL, palette: Mapping[str, str] = MappingProxyType({})) -> _Columns:
    """Gives each column its role; ``letters``: how many of its name have room below a corner."""
    roles: dict[str, str] = {}
    rest = []
    for column in table.columns:
        if column in ("id", table.key, table.counted, *PLACING) or not any(row.display(column) for row in table):
            continue
        role = _ROLES.get(column.casefold(), "")
        if role and role not in roles and (role != "cost" or _is_short(table, column)):
            roles[role] = column
        else:
            rest.append(column)
    tinting, coloured = roles.get("kind", ""), roles.get("colour", "")
    if coloured:
        said = [text for row in table if (text := original(row.display(coloured)))]
        if not tinting or any(_named(text, palette) for text in said):
            tinting = coloured
        # Nobody wants to read a code.
        if not all(map(full, said)):
            if "kind" in roles:
                rest.append(coloured)
            else:
                roles["kind"] = coloured
    short = [column for column in rest if _is_short(table, column)]
    if "cost" not in roles and len(short) == 1 and _is_numbers(table, short[0]):
        roles["cost"] = short.pop()
    corners = [column for column in short if len(_title_of(table, column)) <= letters][:_MOST_CORNERS]
    long = [column for column in rest if column not in corners and column != roles.get("cost")]
    if "title" not in roles and long:
        # The shortest of several texts names the card.
        roles["title"] = min(long, key=lambda column: max(len(row.display(column)) for row in table))
        long.remove(roles["title"])
    texts = ([roles["text"]] if "text" in roles else []) + long
    return _Columns(roles, tuple(corners), tuple(texts), tinting)


def _is_short(table: Table, column: str) -> bool:
    return all(len(row.display(column)) <= _SHORT for row in table)


def _is_numbers(table: Table, column: str) -> bool:
    return all(re.fullmatch(r"[+\-−]?\d+%?|", row.display(column)) for row in table)


def _cell(column: str) -> str:
    return f"row.{column}" if re.fullmatch(r"[a-z_][a-z0-9_]*", column) else f'row["{column}"]'


def _title_of(table: Table, column: str) -> str:
    titles = dict(zip(table.columns, table.titles, strict=False))
    return re.sub(r'["\\{}%]', "", titles.get(column, column)).strip()


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _lettered(look: Look, fonts: Mapping[str, tuple[str, ...]]) -> Style:
    """A style in the game's own fonts, as far as it names any."""
    style = STYLES[look]
    if fonts.get("title", (style.title,)) != (style.title,):
        style = replace(style, scale=1.0, weight=700)
    title, body = (role if role in fonts else getattr(style, role) for role in ("title", "body"))
    return replace(style, title=title, body=body)


def front(
    component: Component,
    look: Look,
    pictured: bool,
    palette: Mapping[str, str] = MappingProxyType({}),
    fonts: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> str:
    """The source of the template of a component's fronts; ``palette``, ``fonts``: the game's own names of them."""
    # Small tokens have numbers without names.
    room = _unit(component.width, component.height) if min(component.width, component.height) > 40 else 100
    columns = _columns(component.table, _LABEL * room, palette)
    tints = _tints(component.table, columns.tinting, STYLES[look], palette)
    return _Front(component, look, columns, pictured or bool(columns.get("art")), tints, palette, fonts).source()


def _unit(width: float, height: float) -> float:
    """The size of a card in poker cards."""
    return min(width / 63.5, height / 88.9, 2.0) if height >= width else min(width / 88.9, height / 63.5, 2.0)


def art_column(table: Table) -> str:
    """The column that names the drawing of each row; empty where there is none."""
    return _columns(table).get("art")


class _Front:
    """Lays out a front from the top down; lengths in mm."""

    def __init__(
        self,
        component: Component,
        look: Look,
        columns: _Columns,
        pictured: bool,
        tints: Mapping[str, str],
        palette: Mapping[str, str],
        fonts: Mapping[str, tuple[str, ...]],
    ) -> None:
        self.component, self.look, self.columns, self.pictured = component, look, columns, pictured
        self.tints, self.palette = tints, palette
        self.style = _lettered(look, fonts)
        self.table = component.table
        width, height = component.width, component.height
        self.unit = _unit(width, height)
        self.edge = max(3.0, 4 * self.unit) if component.outline is None else 0.16 * min(width, height)
        self.lines: list[str] = []

    def source(self) -> str:
        style, columns, component = self.style, self.columns, self.component
        # What has no tint is grey beside those that have one.
        tint = _tint(style.tints[-1] if self.tints else style.tints[0])
        self.lines = [
            f"{{# The look of {component.name} in the style {self.look}, made from its columns. Lengths are mm from the "
            "upper left corner. #}",
            '{% extends "shared/face.svg.j2" %}',
            '{% import "shared/pieces.svg.j2" as s %}',
            "{% block face %}",
        ]
        if self.tints:
            said = ", ".join(f'"{kind}": {_tint(colour)}' for kind, colour in self.tints.items())
            self.lines.append("{# The colour of each kind, and that of words on it. #}")
            self.lines.append(f"{{% set tints = {{{said}}} %}}")
            said = _cell(columns.tinting)
            if columns.tinting == columns.get("colour") and all(_named(kind, self.palette) for kind in self.tints):
                # A row that comes later says its colour itself.
                tint = tint.replace("[", f"[({said} | string) or ", 1)
            self.lines.append(f"{{% set tint, on = tints[{said} | string] | default({tint}) %}}")
        else:
            self.lines.append(f"{{% set tint, on = {tint} %}}")
        self._ground()
        texts = bool(columns.texts or columns.get("flavour"))
        small = not texts and min(component.width, component.height) < 45
        if small and (component.kind == "token" or not self.pictured):
            self._small()
        else:
            self._card(texts)
        return "\n".join([*self.lines, "{% endblock %}", ""])

    def _ground(self) -> None:
        style = self.style
        # What has no frame shows its colour around the panel.
        tinted = style.ground == TINT or (self.component.outline is not None and bool(self.tints))
        self.lines.append(f"{{{{ s.ground(face, {'tint' if tinted else _quoted(style.ground)}) }}}}")
        if style.ground_line and self.component.outline is None:
            inset, width = max(2.0, 2.2 * self.unit), style.outline * 1.6
            line = "tint" if style.ground_line == TINT else _quoted(style.ground_line)
            self.lines.append(
                f'{{{{ s.frame(face, inset={_number(inset)}, fill="none", line={line}, width={_number(width)}, '
                f"radius={_number(style.radius)}) }}}}"
            )
        elif style.pattern == "leaves":
            self.lines.append(_pattern(style.pattern, "0.1"))

    def _panel(self, x: float, y: float, w: float, h: float, fill: str = "") -> None:
        style = self.style
        place = " ".join(f'{key}="{_number(value)}"' for key, value in {"x": x, "y": y, "width": w, "height": h}.items())
        self.lines.append(
            f'<rect {place} rx="{_number(style.radius * self.unit)}" fill="{fill or style.panel}" '
            f'stroke="{style.line}" stroke-width="{_number(style.outline * self.unit)}"/>'
        )

    def _text(self, said: str, box: tuple[float, float, float, float], large: float, small: float, **more: object) -> None:
        small = max(6.0, small)
        sizes = f"{_number(max(large, small))} {_number(small)}"
        told = ", ".join(f"{key}={_quoted(value)}" for key, value in {"size": sizes, "fill": self.style.ink, **more}.items())
        self.lines.append(f"{{{{ s.text({said}, {', '.join(map(_number, box))}, {told}) }}}}")

    def _title(self, x: float, y: float, w: float, h: float, large: float = 0.0, **more: object) -> None:
        title, style = self.columns.get("title"), self.style
        said = _cell(title) if title else "row.id"
        settings = {"font": style.title, "weight": style.weight, "name": "title", "hyphenate": "no", **more}
        self._text(said, (x, y, w, h), (large or 14 * self.unit) * style.scale, 7 * self.unit * style.scale, **settings)

    def _badge(self, column: str, x: float, y: float, r: float, label: bool = False) -> None:
        style, said = self.style, _cell(column)
        self.lines.append(f"{{% if {said} | string %}}")
        self.lines.append(
            f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(r)}" fill="{style.panel}" stroke="{TINT}" '
            f'stroke-width="{_number(max(style.outline, 0.6) * self.unit)}"/>'
        )
        box = (x - 0.82 * r, y - 0.82 * r, 1.64 * r, 1.64 * r)
        font = style.title if style.scale == 1 else style.body
        self._text(said, box, 15 * self.unit, 6, weight=700, font=font, name=column, hyphenate="no")
        if label:
            told, below = _quoted(_title_of(self.table, column)), (x - 2 * r, y + r + 0.3, 4 * r, 2.6)
            self._text(told, below, 6, 6, name=f"{column} label", fill=self._on_ground(), hyphenate="no")
        self.lines.append("{% endif %}")

    def _small(self) -> None:
        width, height, edge = self.component.width, self.component.height, self.edge
        style, columns = self.style, self.columns
        r = min(width, height) / 2 - edge * 0.75
        round_ = self.component.outline is not None
        numbers = [column for column in (columns.get("cost"), *columns.corners) if column]
        if round_:
            self.lines.append(
                f'<circle cx="{_number(width / 2)}" cy="{_number(height / 2)}" r="{_number(r)}" fill="{style.panel}" '
                f'stroke="{style.line}" stroke-width="{_number(style.outline)}"/>'
            )
        else:
            self._panel(edge * 0.75, edge * 0.75, width - edge * 1.5, height - edge * 1.5)
        # The square in the circle, or the panel without its rim.
        edge = min(width, height) / 2 - 0.7 * r if round_ else edge * 1.2
        inner = (width - 2 * edge, height - 2 * edge)
        if self.component.kind == "token":
            self._drawing()
            self.lines.append("{% if drawing %}")
            self._small_words(numbers, edge, *inner, pictured=True)
            self.lines.append("{% else %}")
            self._small_words(numbers, edge, *inner)
            self.lines.append("{% endif %}")
        else:
            self._small_words(numbers, edge, *inner)

    def _small_words(self, numbers: list[str], edge: float, w: float, h: float, pictured: bool = False) -> None:
        """The texts of a small piece: a number or name as large as it goes, or a picture, with the rest below."""
        title = self.columns.get("title")
        # Of pieces without a table the name says no more than the picture.
        said = [_cell(title)] if title and self.table.titles else []
        first = [] if pictured else numbers[:1]
        if not first and not pictured:
            self._title(edge, edge, w, h, large=h * 1.1)
            return
        others = [*said, *(_cell(column) for column in numbers if column not in first)]
        large = h * (0.66 if others else 1.0)
        if pictured:
            self.lines.append(f"{{{{ s.icon(drawing, {', '.join(map(_number, (edge, edge, w, large)))}) }}}}")
        else:
            self._text(_cell(first[0]), (edge, edge, w, large), h * 1.5, 6, weight=700, name=first[0], hyphenate="no")
        if others:
            self._text(' ~ " · " ~ '.join(others), (edge, edge + large, w, h - large), 8, 6, name="title")

    def _card(self, texts: bool) -> None:
        columns, unit, edge = self.columns, self.unit, self.edge
        width, height = self.component.width, self.component.height
        left, top, right, bottom = edge, edge, width - edge, height - edge
        cost, bar = columns.get("cost"), 9.5 * unit
        shift = bar * 1.02 if cost else 0.0
        self._panel(left, top, right - left, bar)
        room = (left + shift + 1.5 * unit, top + 0.4, right - left - shift - 3 * unit, bar - 0.8)
        self._title(*room, align="left" if cost else "center")
        y = top + bar + 1.5 * unit
        if columns.corners:
            bottom -= 8.2 * unit + 2.9
        wide = width > height
        letters = self._letters()
        if self.pictured or (texts and letters < _FEW_LETTERS):
            h = bottom - y - (7.5 * unit if columns.get("kind") and not wide else 0.0)
            more = 0.12 if letters < min(_LARGE) else 0.0
            w, h = (
                ((right - left) * 0.46, h)
                if wide
                else (right - left, h * ((0.55 if self.pictured else 0.4) + more if texts else 1.0))
            )
            self._art(left, y, w, h)
            if wide:
                left += w + 1.5 * unit
            else:
                y += h + 1.5 * unit
        if kind := columns.get("kind"):
            box = (left, y, right - left, 5.2 * unit)
            if self.style.ground != TINT:
                self._panel(*box, fill=TINT)
            self._text(_cell(kind), box, 9 * unit, 6, weight=700, name=kind, fill=ON, hyphenate="no")
            y += 6.7 * unit
        if texts:
            self._texts(left, y, right - left, bottom - y)
        elif not self.pictured:
            self._panel(left, y, right - left, bottom - y)
            self._emblem(left, y, right - left, bottom - y)
        if cost:
            self._badge(cost, edge + bar * 0.42, top + bar * 0.5, bar * 0.62)
        self._corners()

    def _letters(self) -> int:
        """Of the longest text."""
        return max((sum(len(row.display(column)) for column in self.columns.texts) for row in self.table), default=0)

    def _on_ground(self) -> str:
        style = self.style
        if style.ground == TINT:
            return ON
        return style.ink if (_luminance(style.ground) < 0.4) == (_luminance(style.ink) > 0.6) else "#ffffff"

    def _art(self, x: float, y: float, w: float, h: float) -> None:
        if not self.pictured:
            self._panel(x, y, w, h)
            self._emblem(x, y, w, h)
            return
        self._drawing()
        self._panel(x, y, w, h)
        self.lines.append("{% if drawing %}")
        inset = self.style.outline * self.unit / 2
        box = (x + inset, y + inset, w - 2 * inset, h - 2 * inset)
        at = ("x", "y", "width", "height")
        place = " ".join(f'{key}="{_number(value)}"' for key, value in zip(at, box, strict=True))
        self.lines += [
            f"{{% if picture.fills(drawing, {_number(box[2])}, {_number(box[3])}) %}}",
            f'<image href="{{{{ drawing }}}}" {place} preserveAspectRatio="xMidYMid slice"/>',
            f'<rect {place} fill="none" stroke="{self.style.line}" stroke-width="{_number(2 * inset)}"/>',
            "{% else %}",
            f'<image href="{{{{ drawing }}}}" {place} overflow="hidden"/>',
            "{% endif %}",
            "{% else %}",
        ]
        self._emblem(x, y, w, h)
        self.lines.append("{% endif %}")

    def _drawing(self) -> None:
        art = self.columns.get("art")
        named = _cell(art) if art and art != "art" else ""
        like = " or component.picture" if self.component.kind == "token" else ""
        self.lines.append(f"{{% set drawing = picture.own({named}){like} %}}")

    def _emblem(self, x: float, y: float, w: float, h: float) -> None:
        title, r = self.columns.get("title"), min(w, h) * 0.42
        cx, cy = x + w / 2, y + h / 2
        middle = f"{_number(cx)}, {_number(cy)}"
        self.lines.append(f'<g opacity="0.3">{{{{ s.rays({middle}, {_number(r)}, count=16, fill=tint) }}}}</g>')
        self.lines.append(f'<circle cx="{_number(cx)}" cy="{_number(cy)}" r="{_number(r * 0.55)}" fill="{{{{ tint }}}}"/>')
        said = f"({_cell(title) if title else 'row.id'} | string)[:1] | upper"
        box, style = (cx - r * 0.5, cy - r * 0.5, r, r), self.style
        self._text(said, box, r * 1.8 * style.scale, 6, font=style.title, weight=style.weight, fill=ON, name="initial")

    def _texts(self, x: float, y: float, w: float, h: float) -> None:
        columns, unit, style = self.columns, self.unit, self.style
        self._panel(x, y, w, h)
        pad, flavour = 2 * unit, columns.get("flavour")
        inner = h - 2 * pad
        low = inner * (0.28 if columns.texts else 1.0) if flavour else 0.0
        if columns.texts:
            first, *others = columns.texts
            said = _cell(first)
            for column in others:
                label = _title_of(self.table, column)
                said += f' ~ ("\\n\\n**{label}** " ~ {_cell(column)} if {_cell(column)} | string else "")'
            box = (x + pad, y + pad, w - 2 * pad, inner - low)
            letters = self._letters()
            large = next((size for most, size in _LARGE.items() if letters < most), _USUAL_LARGE)
            self._text(said, box, large * unit, 8, font=style.body, name="text", same="text")
        if flavour:
            box = (x + pad, y + pad + inner - low + 0.5, w - 2 * pad, low - 0.5)
            self._text(_cell(flavour), box, 8.5 * unit, 8, style="italic", font=style.body, valign="bottom", name=flavour)

    def _corners(self) -> None:
        corners, unit, edge = self.columns.corners, self.unit, self.edge
        if not corners:
            return
        r = 3.6 * unit
        # Below is room for a label, which keeps from the cut as well.
        span, y = self.component.width - 2 * edge - 4 * r, self.component.height - edge - r - 2.9
        steps = max(1, len(corners) - 1)
        for index, column in enumerate(corners):
            x = edge + 2 * r + (span * index / steps if len(corners) > 1 else span / 2)
            self._badge(column, x, y, r, label=True)


def _quoted(value: object) -> str:
    return str(value) if value is ON or isinstance(value, int | float) else f'"{value}"'


def _tint(colour: str) -> str:
    white, dark = (contrast(_luminance(colour), light) for light in (1.0, _luminance(DARK)))
    return f'["{colour}", "{"#ffffff" if white >= dark else DARK}"]'


def _luminance(colour: str) -> float:
    return luminance([part / 255 for part in channels(colour)])


def _tints(table: Table, column: str, style: Style, palette: Mapping[str, str]) -> dict[str, str]:
    """The colour of each value that can stand in a template: the one that it names, or else the next of the style.

    A row more at the end changes no other.
    """
    kinds = dict.fromkeys(text for row in table if (text := original(row.display(column)))) if column else {}
    found = {kind: colour for kind in kinds if (colour := _shade(kind, style, palette))}
    others = zip((kind for kind in kinds if kind not in found), style.tints[:_MOST_KINDS], strict=False)
    dealt = {**found, **dict(others)}
    return {kind: dealt[kind] for kind in kinds if kind in dealt and not re.search(r'["\\{}%]', kind)}


def _named(said: str, palette: Mapping[str, str]) -> tuple[str, bool] | None:
    """The colour that a word names, and whether exactly that one is meant."""
    if exact := full(palette.get(said, said)):
        return exact, True
    name = re.sub(r"[\s_-]", "", said.casefold())
    code = _SHADE_OF.get(name) or named(name, {})
    return (code, False) if code else None


def _shade(said: str, style: Style, palette: Mapping[str, str]) -> str:
    """The colour that a word names, as the style has it: seen on its panels. Empty where it names none."""
    if (meant := _named(said, palette)) is None:
        return ""
    colour, exact = meant
    if not exact:
        colour = _mixed(colour, *_WASHES[style.tints])
    panel = _luminance(style.panel)
    least = _SEEN_ON_LIGHT if panel > 0.4 else _SEEN_ON_DARK
    steps = (_mixed(colour, style.ink, step / 20) for step in range(21))
    return next(each for each in steps if contrast(_luminance(each), panel) >= least)


def _mixed(colour: str, other: str, share: float) -> str:
    parts = zip(channels(colour), channels(other), strict=True)
    return "#" + "".join(f"{round(one * (1 - share) + two * share):02x}" for one, two in parts)


_PATTERNS = {
    "lattice": '<path d="M0 3h6M3 0v6" transform="rotate(45 3 3)" {line}/>',
    "stars": '<path d="M3 1.6l.45 .95 1 .1-.75 .7 .2 1-.9-.5-.9 .5 .2-1-.75-.7 1-.1z" {fill}/>',
    "dots": '<circle cx="1.5" cy="1.5" r="1" {fill}/><circle cx="4.5" cy="4.5" r="1" {fill}/>',
    "hatch": '<path d="M0 6L6 0M0 0.4L0.4 0M5.6 6L6 5.6" {line}/>',
    "leaves": '<path d="M1 5Q1 1 5 1Q5 5 1 5ZM1 5L3.6 2.4" {line}/>',
}


def _pattern(name: str, opacity: str) -> str:
    if name == "rays":
        return f'<g opacity="{opacity}">{{{{ s.rays(face.width / 2, face.height / 2, face.height * 2, count=24) }}}}</g>'
    tile = _PATTERNS[name].format(line='fill="none" stroke="#ffffff" stroke-width="0.35"', fill='fill="#ffffff"')
    return (
        f'<defs><pattern id="pattern" width="6" height="6" patternUnits="userSpaceOnUse">{tile}</pattern></defs>'
        f'<g opacity="{opacity}">{{{{ s.ground(face, "url(#pattern)") }}}}</g>'
    )


def back(look: Look, fonts: Mapping[str, tuple[str, ...]] = MappingProxyType({})) -> str:
    """The source of the template of backs, the same for all rows and for pieces of all sizes; ``fonts``: the game's own."""
    style = _lettered(look, fonts)
    frame = f'fill="none", line="#ffffff", width={max(0.5, style.outline)}, radius={style.radius}'
    place = " ".join(
        f'{key}="{{{{ {value} }}}}"'
        for key, value in {"x": "(w - pw) / 2", "y": "(h - ph) / 2", "width": "pw", "height": "ph"}.items()
    )
    line = "#ffffff" if style.line == TINT else style.line
    box = "(w - pw) / 2 + pad, (h - ph) / 2 + unit, pw - 2 * pad, ph - 2 * unit"
    letters = f'size="{18 * style.scale:g} 6", font="{style.title}", weight={style.weight}, fill="{style.ink}"'
    lines = [
        "{# The back of all that have no other. #}",
        '{% extends "shared/face.svg.j2" %}',
        '{% import "shared/pieces.svg.j2" as s %}',
        "{% block face %}",
        "{% if component.back %}{# The picture in art/ that is called like this template. #}",
        "{{ s.cover(face, component.back) }}",
        "{% else %}",
        "{% set w, h = face.width, face.height %}{% set unit = [w / 63.5, h / 63.5] | min %}",
        f'{{{{ s.ground(face, "{style.back}") }}}}',
        _pattern(style.pattern, "0.2"),
        "{% if token is not defined %}",
        f"{{{{ s.frame(face, inset=[3, 4 * unit] | max, {frame}) }}}}",
        "{% endif %}",
        "{# A plate with the game's name, or where that has no room in small letters with the first of them. #}",
        "{% set pw, ph, pad = w * 0.66, [h * 0.3, 24 * unit] | min, [1.2, unit] | max %}",
        "{% set name, room, lines = game.name | string, pw - 2 * pad, ((ph - 2 * unit) / 2.6) | int %}",
        '{% set longest = ((name.split() | map("length") | list) + [1]) | max %}',
        "{% set title = name if longest * 1.2 < room and name | length * 1.5 < room * lines else name[:1] | upper %}",
        f'<rect {place} rx="{style.radius}" fill="{style.panel}" stroke="{line}" stroke-width="{style.outline}"/>',
        f'{{{{ s.text(title, {box}, {letters}, name="title", hyphenate="no") }}}}',
    ]
    return "\n".join([*lines, "{% endif %}", "{% endblock %}", ""])
