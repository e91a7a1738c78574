"""Writes an imported project as a game: game.toml, tables, templates, and a README about what was left out."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

from pnp.imports.deck import (
    Box,
    Column,
    Deck,
    Element,
    Icons,
    Imported,
    Picture,
    Shape,
    Source,
    Table,
    Text,
    Value,
    numbered,
)
from pnp.imports.outcome import score
from pnp.read import presets
from pnp.read.tables import MOST_COPIES, slug
from pnp.sandbox.markup import literally
from pnp.shapes.units import show
from pnp.values.problems import Place
from pnp.values.tables import COPIES

BLEED = 3.0
"""Of a deck whose source says nothing of bleed, in mm."""
# Printed sizes of one name differ by as much.
NEAR_MM = 0.16
# An edge that is as near to the cut is meant to be at the cut.
AT_THE_CUT = 0.3
_ID = re.compile(r"[\w][\w .+-]{0,79}")


def files_of(imported: Imported, name: str, roles: Mapping[str, str]) -> dict[str, bytes]:
    """All files of the game by name."""
    files = dict(imported.files)
    sections = [_game(imported, name, roles)]
    for deck in imported.decks:
        key = deck.key
        # What was worked out and is not drawn is of no use to anybody.
        deck.table.columns = [
            name for name in deck.table.columns if name not in deck.table.made - deck.used or name == deck.table.copies
        ]
        _counted(deck.table)
        columns = _columns(deck.table)
        files[f"{key}.csv"] = _csv(deck, columns, imported, f"{key}.csv")
        files[f"templates/{key}.svg.j2"] = _template(deck, deck.front, columns, "front", f"{key}.csv")
        if deck.back:
            files[f"templates/{key}-back.svg.j2"] = _template(deck, deck.back, columns, "back", f"{key}.csv")
        sections.append(_component(deck, key))
    if imported.allowed:
        files["rules.toml"] = _rules(imported)
    files["game.toml"] = "\n".join(sections).encode()
    files["README.md"] = _readme(imported, name).encode()
    return files


def named(imported: Imported) -> None:
    """Names tables, components and text boxes."""
    used: set[str] = set()
    for deck in imported.decks:
        # Two decks of a script may be of one table, and each works out columns of its own.
        deck.table = deepcopy(deck.table)
        deck.put_in_place()
        base = slug(deck.name)[:40].strip("-") or "cards"
        deck.key = next(key for key in numbered(base) if not {key, f"{key}-back", key.removesuffix("-back")} & used)
        used.add(deck.key)
        for side in (deck.front, deck.back):
            known: set[str] = set()
            numbers: dict[str, Iterator[str]] = {}
            for at, element in enumerate(side):
                if isinstance(element, Text):
                    wished = " ".join(element.name.split())[:40] or "text"
                    free = numbers.setdefault(wished, numbered(wished, " "))
                    name = next(name for name in free if name not in known)
                    known.add(name)
                    side[at] = replace(element, name=name)


def _game(imported: Imported, name: str, roles: Mapping[str, str]) -> str:
    lines = ["# Brought from " + imported.tool + " by pnp import; README.md says what did not come along.", ""]
    lines += ["[game]", f"name = {_quoted(_title(imported, name))}", ""]
    if roles:
        lines.append("# Each font that the source asked for, and the family that is set for it.")
        lines += ["[fonts]", *(f"{role} = {_quoted(family)}" for role, family in roles.items()), ""]
    return "\n".join(lines)


def _title(imported: Imported, name: str) -> str:
    return imported.name or name.replace("-", " ").capitalize()


def _component(deck: Deck, key: str) -> str:
    lines = [f"[component.{key}]", f"title = {_quoted(deck.name)}", f'size = "{_size(deck)}"']
    if deck.bleed is not None and deck.bleed > 0:
        lines.append(f'bleed = "{_number(deck.bleed)}mm"')
    if deck.back:
        lines.append(f'back = "{key}-back"')
    return "\n".join([*lines, ""])


def _rules(imported: Imported) -> bytes:
    lines = [f"# What the check finds, and what was so in {imported.tool} already."]
    for (rule, about), because in imported.allowed.items():
        lines += ["", "[[allow]]", f"rule = {_quoted(rule)}", f"about = {_quoted(about)}", f"because = {_quoted(because)}"]
    return "\n".join([*lines, ""]).encode()


def _size(deck: Deck) -> str:
    """The name of this size, or its measures."""
    off = {
        name: max(abs(width - deck.width), abs(height - deck.height))
        for name in presets.size_names()
        for width, height in [presets.card_size(name)]
    }
    nearest = min(off, key=lambda name: off[name])
    return nearest if off[nearest] <= NEAR_MM else f"{_number(deck.width)}mm x {_number(deck.height)}mm"


def _columns(table: Table) -> dict[str, str]:
    """The name of each column in templates; ``row.name`` must be an identifier."""
    named: dict[str, str] = {}
    for column in table.columns:
        base = slug(column).replace("-", "_") or "column"
        base = f"c_{base}" if base[0].isdigit() else base
        if column == table.copies:
            base = "copies"
        elif base in COPIES or (base == "id" and (column in table.made or not _ids(table, column))):
            base = f"{base}_shown"
        named[column] = next(name for name in numbered(base, "_") if name not in named.values())
    return named


def _counted(table: Table) -> None:
    """Adds a column of counts if a row has no text, since an empty line is no row."""
    if not table.copies and any(not any(row.get(column, "") for column in table.columns) for row in table.rows):
        table.copies = table.add("copies", ["1"] * len(table.rows)).name


def _ids(table: Table, column: str) -> bool:
    """Whether a column can be the id, which names pieces and files."""
    texts = [row.get(column, "") for row in table.rows]
    return len({text.casefold() for text in texts}) == len(texts) and all(
        _ID.fullmatch(text) and not text.endswith((".", " ")) for text in texts
    )


def _csv(deck: Deck, columns: Mapping[str, str], imported: Imported, file: str) -> bytes:
    """The table as CSV; texts are escaped for Markdown."""
    table = deck.table
    shown = {
        part.name
        for text in (*deck.front, *deck.back)
        if isinstance(text, Text)
        for part in text.content
        if isinstance(part, Column)
    } - table.marked_up
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(columns.values())
    for line, row in enumerate(table.rows, 2):
        cells = [row.get(column, "") for column in columns]
        for at, column in enumerate(columns):
            if column == table.copies:
                cells[at] = _copies(cells[at], imported, Place(file, line, "copies"))
            elif column in shown and columns[column] != "id":
                cells[at] = literally(cells[at])
        writer.writerow(cells)
    return made.getvalue().encode()


def _copies(text: str, imported: Imported, place: Place) -> str:
    whole = re.fullmatch(r"0*(\d{1,9})(?:\.0+)?", text.strip(), re.ASCII)
    if whole and int(whole[1]) <= MOST_COPIES:
        return str(int(whole[1]))
    if text.strip():
        imported.changed(place, f'"{text}" is no number of copies, so there is one')
    return "1"


def _template(deck: Deck, elements: list[Element], columns: Mapping[str, str], side: str, table: str) -> bytes:
    lines = [
        f"{{# The {side}, in millimetres from the card's upper left corner. row.… are the columns of {table}. #}}",
        '{% extends "shared/face.svg.j2" %}',
        '{% import "shared/pieces.svg.j2" as s %}',
        "{% block face %}",
    ]
    for element in elements:
        drawn = _drawn(deck, element, columns)
        lines.append(f"{{% if row.{columns[element.only]} %}}{drawn}{{% endif %}}" if element.only else drawn)
    return "\n".join([*lines, "{% endblock %}", ""]).encode()


def _drawn(deck: Deck, element: Element, columns: Mapping[str, str]) -> str:
    if isinstance(element, Shape):
        return _shape(deck, element, columns)
    if isinstance(element, Icons):
        return _icons(deck, element, columns)
    drawn = _text(element, columns) if isinstance(element, Text) else _picture(element, columns)
    if not element.angle:
        return drawn
    box = element.box
    x, y = box.x + box.width / 2, box.y + box.height / 2
    return f'<g transform="rotate({_number(element.angle)} {_number(x)} {_number(y)})">{drawn}</g>'


def _text(text: Text, columns: Mapping[str, str]) -> str:
    font, box = text.font, text.box
    size = round(font.size * 4) / 4
    least = min(size, text.least)
    options = [f'size="{_number(size)} {_number(least)}"' if least < size else f'size="{_number(size)}"']
    if font.family:
        options.append(f'font="{role_of(font.family)}"')
    if font.bold:
        options.append("weight=700")
    if font.italic:
        options.append('style="italic"')
    options.append(f"fill={_expression(text.fill, columns)}")
    options += [f'align="{text.align}"', f'valign="{text.valign}"']
    if text.name:
        options.append(f"name={_string(text.name)}")
    where = ", ".join(map(_number, (box.x, box.y, max(box.width, 1), max(box.height, 1))))
    content = _expression(text.content, columns, words=True)
    return f"{{{{ s.text({content}, {where}, {', '.join(options)}) }}}}"


def _picture(picture: Picture, columns: Mapping[str, str]) -> str:
    box = picture.box
    options = ' preserveAspectRatio="none"' if picture.stretched else ""
    options += f' opacity="{_number(picture.opacity)}"' if picture.opacity < 1 else ""
    drawn = f'<image href="{_attribute(picture.file, columns)}" {_place(box)}{options}/>'
    given = _expression(picture.file, columns)
    return drawn if given.startswith('"') else f"{{% if {given} %}}{drawn}{{% endif %}}"


_SHARES = {"left": 0.0, "top": 0.0, "center": 0.5, "middle": 0.5, "right": 1.0, "bottom": 1.0}


def _icons(deck: Deck, icons: Icons, columns: Mapping[str, str]) -> str:
    """A loop over the files of a row; each line of icons is aligned for itself, and all lines together."""
    box, width, height = icons.box, icons.width, icons.height
    most = max(1, int(box.width / width + 1e-6))
    longest = max((text.count(",") + 1 for text in deck.table.texts(icons.file)), default=1)
    one_line = longest <= most
    across, down = _SHARES.get(icons.align, 0.5), _SHARES[icons.valign]
    if one_line:
        x, along = f"{_number(box.x)} + loop.index0 * {_number(width)}", "files | length"
        y = _number(box.y + down * (box.height - height))
    else:
        x = f"{_number(box.x)} + loop.index0 % {most} * {_number(width)}"
        along = f"([files | length - loop.index0 // {most} * {most}, {most}] | min)"
        y = f"{_number(box.y)} + loop.index0 // {most} * {_number(height)}"
        lines = f"(files | length + {most - 1}) // {most}"
        y += f" + {_number(down)} * ({_number(box.height)} - {lines} * {_number(height)})" if down else ""
    x += f" + {_number(across)} * ({_number(box.width)} - {along} * {_number(width)})" if across else ""
    options = ' preserveAspectRatio="none"' if icons.stretched else ""
    if icons.angle:
        middle = f"{{{{ x + {_number(width / 2)} }}}} {{{{ y + {_number(height / 2)} }}}}"
        options += f' transform="rotate({_number(icons.angle)} {middle})"'
    given = _expression(icons.file, columns)
    given = given if re.fullmatch(r"row\.\w+", given) else f"({given})"
    size = f'width="{_number(width)}" height="{_number(height)}"'
    return "\n".join(
        [
            f'{{% set files = {given}.split(",") | map("trim") | select | list %}}{{% for file in files %}}',
            f"{{% set x, y = {x}, {y} %}}",
            f'<image href="{{{{ file }}}}" x="{{{{ x }}}}" y="{{{{ y }}}}" {size}{options}/>',
            "{% endfor %}",
        ]
    )


def _shape(deck: Deck, shape: Shape, columns: Mapping[str, str]) -> str:
    box, line = shape.box, shape.line != ("none",) and shape.width > 0
    paint = f'fill="{_attribute(shape.fill, columns)}"'
    if line:
        paint += f' stroke="{_attribute(shape.line, columns)}" stroke-width="{_number(shape.width)}"'
    if shape.opacity < 1:
        paint += f' opacity="{_number(shape.opacity)}"'
    if shape.kind == "line":
        ends = f'x1="{_number(box.x)}" y1="{_number(box.y)}" x2="{_number(box.x + box.width)}"'
        return f'<line {ends} y2="{_number(box.y + box.height)}" {paint}/>'
    if shape.kind == "ellipse":
        middle = f'cx="{_number(box.x + box.width / 2)}" cy="{_number(box.y + box.height / 2)}"'
        return f'<ellipse {middle} rx="{_number(box.width / 2)}" ry="{_number(box.height / 2)}" {paint}/>'
    sides = (box.x, box.y, deck.width - box.x - box.width, deck.height - box.y - box.height)
    if not line and not shape.radius and shape.opacity == 1 and all(side <= AT_THE_CUT for side in sides):
        return f"{{{{ s.ground(face, {_expression(shape.fill, columns)}) }}}}"
    if not line:
        box = _into_the_bleed(deck, box)
    radius = f' rx="{_number(shape.radius)}"' if shape.radius else ""
    return f"<rect {_place(box)}{radius} {paint}/>"


def _into_the_bleed(deck: Deck, box: Box) -> Box:
    """Extends a box that ends at the trim into the bleed, so that no paper shows when the cut is slightly off."""
    bleed = BLEED if deck.bleed is None else deck.bleed
    left = -bleed if box.x <= AT_THE_CUT else box.x
    top = -bleed if box.y <= AT_THE_CUT else box.y
    right, bottom = box.x + box.width, box.y + box.height
    right = deck.width + bleed if right >= deck.width - AT_THE_CUT else right
    bottom = deck.height + bleed if bottom >= deck.height - AT_THE_CUT else bottom
    return Box(left, top, right - left, bottom - top)


def _place(box: Box) -> str:
    names = ("x", "y", "width", "height")
    return " ".join(f'{name}="{_number(getattr(box, name))}"' for name in names)


def _expression(value: Value, columns: Mapping[str, str], words: bool = False) -> str:
    """A value as a template expression, such as ``row.name ~ " ATK"``. ``words``: for a text box, which reads Markdown."""
    parts = [
        f"row.{columns[part.name]}" if isinstance(part, Column) else _string(literally(part) if words else part)
        for part in value
        if isinstance(part, Column) or part
    ]
    return " ~ ".join(parts) or '""'


def _attribute(value: Value, columns: Mapping[str, str]) -> str:
    given = _expression(value, columns)
    return value[0] if len(value) == 1 and isinstance(value[0], str) and "{" not in value[0] else f"{{{{ {given} }}}}"


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "")


def _quoted(text: str) -> str:
    return json.dumps(" ".join(text.split())[:200], ensure_ascii=False).replace("\x7f", "")


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") if value else "0"


def _readme(imported: Imported, name: str) -> str:
    pieces = [
        f"| `{deck.key}` | {len(deck.table.rows)} | {show(deck.width)} × {show(deck.height)} mm |" for deck in imported.decks
    ]
    left, other = ([f"- {each}" for each in entries(imported, rule)] for rule in ("left-behind", "brought-differently"))
    parts = [
        f"# {_title(imported, name)}",
        f"Brought from {imported.tool} by `pnp import`. Everything in this folder is yours to change. Print it with",
        f"    pnp build {name}",
        "| component | rows | cut to |\n|---|---|---|\n" + "\n".join(pieces),
        *filter(None, [score(imported)]),
        "## What was left behind",
        "\n".join(left) or "Nothing.",
    ]
    if other:
        parts += ["## What came over in another way", "\n".join(other)]
    return "\n\n".join(parts) + "\n"


def entries(imported: Imported, rule: str) -> list[str]:
    """Lines about what was left out or changed; what is the same at several places of a file is one."""
    alike: dict[tuple[str, str], list[Place]] = {}
    for note in imported.notes:
        if note.rule == rule:
            alike.setdefault((note.place.file, note.message), []).append(note.place)
    more = (f" and {len(places) - 1} more" if len(places) > 1 else "" for places in alike.values())
    return [f"{places[0]}{also}: {message}" for ((_, message), places), also in zip(alike.items(), more, strict=True)]


SHIPPED = ("Source Sans Pro", "Source Serif Pro", "Fredoka One", "Amatic SC")
_SERIFS = ("serif", "times", "georgia", "garamond", "palatino", "cambria", "antiqua", "baskerville", "bookman", "roman")


def roles_of(imported: Imported, source: Source) -> dict[str, str]:
    """Maps each font role that the decks use to the family that is set; copies the project's own font files."""
    asked = list(dict.fromkeys(text.font.family for deck in imported.decks for text in texts_of(deck) if text.font.family))
    own = _own(source) if asked else {}
    roles: dict[str, str] = {}
    for family in asked:
        role = role_of(family)
        if role in roles:
            continue
        names = [name.strip().strip("\"'") for name in family.split(",")]
        found = next((name for name in names if name.casefold() in own), None)
        shipped = next((known for name in names for known in SHIPPED if known.casefold() == name.casefold()), None)
        if found is not None:
            # All of its faces: bold and italic are files of their own.
            paths, real = own[found.casefold()]
            imported.files |= {f"fonts/{path.name}": path.read_bytes() for path in paths}
            roles[role] = real
        elif shipped is not None:
            roles[role] = shipped
        else:
            low = family.casefold()
            serif = any(word in low for word in _SERIFS) and "sans" not in low
            roles[role] = "Source Serif Pro" if serif else "Source Sans Pro"
            imported.changed(
                Place("game.toml", None, f"fonts.{role}"),
                f'the font "{family}" is no file of the project, so {roles[role]} is set. To have it, put its .ttf or .otf '
                f"into fonts/ and write its family here",
            )
    return roles


def role_of(family: str) -> str:
    """The role of a font in game.toml."""
    return slug(family)[:40].strip("-") or "body"


def texts_of(deck: Deck) -> list[Text]:
    return [each for each in (*deck.front, *deck.back) if isinstance(each, Text)]


def _own(source: Source) -> dict[str, tuple[list[Path], str]]:
    """The families of the project's font files: lower-case name → files, and the name as written."""
    import uharfbuzz

    found: dict[str, tuple[list[Path], str]] = {}
    for path in sorted(path for path in source.files() if path.name.lower().endswith((".ttf", ".otf"))):
        if source.find(path.relative_to(source.folder).as_posix()) is None:
            continue
        face = uharfbuzz.Face(path.read_bytes())
        family = face.get_name(16, "en") or face.get_name(1, "en")
        if family:
            found.setdefault(family.casefold(), ([], family))[0].append(path)
    return found
