"""Writes the page of the shared macros, and their pictures: ``python docs/make/macros.py``.

What a macro takes is read from the macro files themselves: names and defaults from Jinja2's syntax tree, what they mean
from the comment above. ``EXAMPLES`` below are shown and printed.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, nodes
from PIL import Image
from wrapping import entry, paragraph

from pnp.flows.build import Options, build_game
from pnp.read.project import Project

ROOT = Path(__file__).resolve().parent.parent.parent
SHARED = ROOT / "templates" / "shared"
PAGE = ROOT / "docs" / "reference" / "macros.md"
PICTURES = ROOT / "docs" / "pictures" / "macros"
DPI = 150

INTRODUCTION = """\
# Macros

<!-- Made by docs/make/macros.py from templates/shared. -->

For templates, beside [names](templates.md#names) and [text boxes](templates.md#text-boxes). Lengths are in mm, sizes
of text in pt; the dashed line is the cut. Arguments of several macros:
"""

# The name under which the documentation imports each file.
NAMES = {"pieces.svg.j2": "s", "shapes.svg.j2": "h", "boards.svg.j2": "b", "nets.svg.j2": "n"}


@dataclass(frozen=True)
class Example:
    """A call of a macro, shown and printed; lines of ``game.toml`` say on what."""

    call: str
    piece: str = 'size = "60mm x 30mm"'
    kind: str = "card"


EXAMPLES = {
    "text": Example('{{ s.text("Draw **two**, then *discard* one :heart:.", 4, 4, 52, 22, size="16 8", fill="#24523a") }}'),
    "ground": Example('{{ s.ground(face, "#9cc5a1") }}'),
    "cover": Example('{{ s.cover(face, "meadow") }}'),
    "frame": Example('{{ s.frame(face, 4, "#fbf6e9", "#1d2b27", 0.6) }}'),
    "banner": Example('{{ s.banner(5, 9, 50, 10, "#e0a92e", "#a87814", "#1d2b27") }}'),
    "icon": Example('{{ s.icon("icons/heart", 20, 5, 20, colour="#b3402f") }}'),
    "badge": Example('{{ s.badge(7, 30, 15, 9, "#e0a92e", "#1d2b27") }}'),
    "rays": Example('{{ s.rays(30, 15, 14, 16, "#e0a92e") }}'),
    "star": Example('{{ h.star(30, 15, 12, fill="#e0a92e", line="#a87814") }}'),
    "polygon": Example('{{ h.polygon(30, 15, 12, sides=8, fill="#9cc5a1", line="#24523a") }}'),
    "arrow": Example('{{ h.arrow(8, 15, 44, h=12, fill="#b3402f") }}'),
    "ribbon": Example('{{ h.ribbon(24, 0, 12, 22, fill="#b3402f", line="#1d2b27") }}'),
    "pips": Example('{{ h.pips(7, "icons/heart", 12, 5, size=8, gap=1, columns=4, colour="#b3402f") }}'),
    "grid": Example('{{ b.grid(6, 5, 8, 4, 6, "#235563", 0.4) }}', 'size = "60mm x 34mm"'),
    "hexgrid": Example('{{ b.hexgrid(5, 4, 6, 3, 8, "#e4eef2", "#235563", 0.4) }}', 'size = "60mm x 30mm"'),
    "track": Example(
        '{{ b.track(4, 7, 1, 8, 6.5, 9, "#ffffff", "#e0a92e", marked=[3, 6]) }}',
        'size = "60mm x 23mm"',
    ),
    "grounds": Example(
        '{{ n.grounds(net, "#9cc5a1", {"front": "#e0a92e", "back": "#e0a92e"}) }}',
        'size = "30mm x 32mm"\ndepth = "14mm"',
        "pouch",
    ),
    "dial": Example(
        '{{ n.dial(net, "#fbf6e9", "#24523a", "#1d2b27", "#e0a92e") }}',
        'size = "40mm"\nvalues = "1-8"',
        "dial",
    ),
}

ART = {
    "icons/heart": """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">
<path d="M10 18C2 12 1 8 3 5s6-2 7 1c1-3 5-4 7-1s1 7-7 13z" fill="currentColor"/></svg>
""",
    "meadow": """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path d="M0 0h40v40H0z" fill="#bfe0ea"/>
<circle cx="30" cy="14" r="4" fill="#e0a92e"/><path d="M0 24q10-8 20-2t20-4v22H0z" fill="#9cc5a1"/>
<path d="M0 32q12-9 22-4t18-3v15H0z" fill="#24523a"/></svg>
""",
}

FACE = """\
{{% extends "shared/face.svg.j2" %}}
{imports}
{{% block face %}}
{call}
<path d="{outline}" fill="none" stroke="#5b6470" stroke-width="0.25" stroke-dasharray="1.2 1"/>
{{% endblock %}}
"""


@dataclass(frozen=True)
class Argument:
    """An argument of a macro: its default as one writes it in a template, "" where there is none."""

    name: str
    default: str


@dataclass(frozen=True)
class Macro:
    """A macro as its file has it."""

    name: str
    arguments: tuple[Argument, ...]
    told: str
    """What it draws: the first part of the comment above it."""
    meanings: tuple[tuple[tuple[str, ...], str], ...]
    """What its arguments are: names, and their meaning."""


def macros(source: str) -> tuple[Macro, ...]:
    """The macros of a file, in its order."""
    environment = Environment()
    comments = dict(_comments(environment, source))
    found = []
    for macro in environment.parse(source).find_all(nodes.Macro):
        # Defaults belong to the last arguments.
        bare = len(macro.args) - len(macro.defaults)
        defaults = [""] * bare + [written(each.as_const()) for each in macro.defaults]
        arguments = tuple(Argument(each.name, default) for each, default in zip(macro.args, defaults, strict=True))
        found.append(Macro(macro.name, arguments, *_read(comments.get(macro.lineno, ""))))
    return tuple(sorted(found, key=lambda macro: source.index(f"macro {macro.name}(")))


def _comments(environment: Environment, source: str) -> Iterator[tuple[int, str]]:
    """Comments by the number of the line after their end."""
    for line, kind, value in environment.lex(source):
        if kind == "comment":
            yield line + value.count("\n") + 1, value


def _read(comment: str) -> tuple[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """What a comment tells: first what is drawn, then the arguments, a line each."""
    told, meanings = [], []
    for line in comment.strip().splitlines():
        if match := re.match(r"\s+([a-z_]+(?:, [a-z_]+)*): (.+)", line):
            meanings.append((tuple(match[1].split(", ")), match[2].strip()))
        else:
            told.append(line.strip())
    return " ".join(told), tuple(meanings)


def written(value: object) -> str:
    """A constant as a template has it."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def signature(prefix: str, macro: Macro) -> str:
    """How it is called, with its defaults, in lines that are not too long."""
    shown = ", ".join(f"{each.name}={each.default}" if each.default else each.name for each in macro.arguments)
    lines = paragraph(f"{prefix}.{macro.name}({shown})", "", " " * (len(prefix) + len(macro.name) + 2))
    return f"```text\n{lines}\n```"


def page() -> str:
    """The page of all macros of all files."""
    sources = {file: (SHARED / file).read_text(encoding="utf-8") for file in NAMES}
    met = Counter(meaning for source in sources.values() for macro in macros(source) for meaning in macro.meanings)
    common = [meaning for meaning, number in met.items() if number > 1]
    parts = [INTRODUCTION.rstrip(), "\n".join(_entry(*meaning) for meaning in common)]
    for file, prefix in NAMES.items():
        parts += [f"## `shared/{file}`", f'`{{% import "shared/{file}" as {prefix} %}}`']
        for macro in macros(sources[file]):
            parts += [
                f"### `{prefix}.{macro.name}`",
                paragraph(macro.told),
                signature(prefix, macro),
                *filter(None, ["\n".join(_entry(*meaning) for meaning in macro.meanings if meaning not in common)]),
                f"```jinja\n{EXAMPLES[macro.name].call}\n```",
                f"![{macro.name}, printed](../pictures/macros/{macro.name}.png)",
            ]
    return "\n\n".join(parts) + "\n"


def _entry(names: tuple[str, ...], meaning: str) -> str:
    return entry(f"{', '.join(f'`{name}`' for name in names)}: {meaning}")


def draw(folder: Path) -> None:
    """The pictures, printed by pnp: each example is a piece of a small game."""
    with tempfile.TemporaryDirectory() as desk:
        root = Path(desk)
        game = root / "content" / "macros"
        (game / "art" / "icons").mkdir(parents=True)
        (game / "templates").mkdir()
        for name, drawing in ART.items():
            (game / "art" / f"{name}.svg").write_text(drawing, encoding="utf-8")
        (game / "one.csv").write_text("id\nexample\n", encoding="utf-8")
        toml = ['[game]\nname = "Macros"\n']
        imports = "\n".join(f'{{% import "shared/{file}" as {name} %}}' for file, name in NAMES.items())
        for name, example in EXAMPLES.items():
            own = 'table = "one"' if example.kind == "card" else "copies = 1"
            toml.append(f'[component.{name}]\nkind = "{example.kind}"\n{own}\n{example.piece}\n')
            outline = "M0 0H{{ face.width }}V{{ face.height }}H0z" if example.kind == "card" else "{{ net.outline }}"
            (game / "templates" / f"{name}.svg.j2").write_text(
                FACE.format(imports=imports, call=example.call, outline=outline), encoding="utf-8"
            )
        (game / "game.toml").write_text("\n".join(toml), encoding="utf-8")
        built = build_game(Project(root), "macros", Options(root / "output", faces="png", dpi=DPI), print)
        assert built.files, built
        folder.mkdir(parents=True, exist_ok=True)
        for name in EXAMPLES:
            files = [file for file in built.files if file.suffix == ".png" and file.parent.name == name]
            parts = [Image.open(file).convert("RGB") for file in sorted(files, key=lambda file: file.stem)]
            picture = Image.new("RGB", (sum(part.width for part in parts), max(part.height for part in parts)))
            for number, part in enumerate(parts):
                picture.paste(part, (sum(before.width for before in parts[:number]), 0))
            picture.quantize(64, dither=Image.Dither.NONE).save(folder / f"{name}.png", optimize=True)


def main() -> None:
    """Write the page and its pictures."""
    draw(PICTURES)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
