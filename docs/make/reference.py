"""Writes the pages that say what the code says of commands, rules and sizes: ``python docs/make/reference.py``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from textwrap import indent

import click
from wrapping import entry, paragraph

from pnp.check.registry import CHECKS, HEADINGS
from pnp.cli.main import cli, commands
from pnp.read import presets

PAGES = Path(__file__).resolve().parent.parent / "reference"

COMMANDS = """\
# Commands

<!-- Made by docs/make/reference.py from the commands' own help. -->

`--help` (`-h`) after a command shows what stands here. See also [exit codes](exit-codes.md) and
[files](files.md).
"""

CHECKER = """\
# What the checker looks at

<!-- Made by docs/make/reference.py from the docstrings of the rules. -->

What the rules of [`pnp check`](../how-to/check.md) find, besides [problems](problems.md) of reading, drawing and
printing. `pnp check --explain RULE` also tells why a rule is there, an example, and how to mend it.
"""


SIZES = """\
# Sizes and papers

<!-- Made by docs/make/reference.py from the lists of sizes and papers. -->

A `size` is a name from these lists, `a2` or `a1` for a board, or two lengths such as `90mm x 60mm`. A length is in
`mm`, `cm`, `in`, `pt`, or in dots with their resolution, `750px@300dpi`.

## Sizes with a name

Width × height, in mm:
"""
# The heading below which options stand that several commands have.
SHARED = "Options of several commands"
PAPERS = """\
## Papers

`papers` in `game.toml` and `--paper` take a name from this list, or a size such as `200mm x 250mm`. In mm, upright:
"""


def sizes_page() -> str:
    """All sizes and papers that have a name."""
    sizes = {name: presets.card_size(name) for name in presets.size_names()}
    papers = {name: (paper.width, paper.height) for name in presets.paper_names() if (paper := presets.paper(name))}
    parts = []
    for head, named in ((SIZES, sizes), (PAPERS, papers)):
        listed = "\n".join(f"- `{name}` {width:g} × {height:g}" for name, (width, height) in named.items())
        parts.append(f"{head}\n{listed}\n")
    return "\n".join(parts)


def rules_page() -> str:
    """The documentation of all rules of the checker."""
    parts = [CHECKER.rstrip()]
    told: set[str] = set()
    for group, heading in HEADINGS.items():
        check = CHECKS.get(group)
        if check is None or check.documentation in told:
            continue
        told.add(check.documentation)
        parts += [f"## {heading}", *_paragraphs(cleandoc(check.documentation).replace("``", "`"))]
    return "\n\n".join(parts) + "\n"


def _paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a docstring: what each rule finds, and what is not covered. All else is left to
    ``pnp check --explain``, and so is the line that a heading stands for."""
    first, _, rest = text.replace("\n\nWhy: ", "\nWhy: ").partition("\n\n")
    for block in filter(None, rest.split("\n\n") if first[0] != "`" else (first, *rest.split("\n\n"))):
        said, *points = re.split(r"(?:\n|\A)(?=(?:Why|Example|Mend|Covers|Not covered): )", block)
        named = [re.sub(r"^([A-Z][a-z ]+):", r"*\1:*", point) for point in points if point[0] == "N"]
        yield paragraph(" ".join([said, *named]))


def commands_page() -> str:
    """The help of the program and of every command; made here so that no release of click words it anew."""
    parts = [COMMANDS.rstrip()]
    usages = {name: _usage(name, command) for name, command in _commands()}
    parts.append(paragraph(", ".join(f"[`{name}`](#{_anchor(usages[name])})" for name, _ in _commands() if name)))
    common = _common()
    parts += [f"## {SHARED}", "\n".join(entry(_whole(told, defaults)) for told, defaults in common.items())]
    for name, command in _commands():
        parts += [
            f"## `{usages[name]}`",
            *(each if each.startswith("    ") else paragraph(each) for each in paragraphs(command)),
        ]
        told = [_option(option) for option in command.params if isinstance(option, click.Option)]
        lines = [f"{each} Default: {default}." if default else each for each, default in told if each not in common]
        if also := [_named(each, default, common[each]) for each, default in told if each in common]:
            lines.append(f"[Also](#{_anchor(SHARED)}): {', '.join(also)}")
        if lines:
            parts.append("\n".join(map(entry, lines)))
    return "\n\n".join(parts) + "\n"


def _common() -> dict[str, set[str]]:
    """Options that several commands have, in the order in which they are met, with their defaults."""
    met: dict[str, list[str]] = {}
    for _, command in _commands():
        for option in command.params:
            if isinstance(option, click.Option):
                told, default = _option(option)
                met.setdefault(told, []).append(default)
    shared = {told: set(defaults) for told, defaults in met.items() if len(defaults) > 1}
    # Of two that are called alike the first is shared.
    first = {told.partition(" ")[0]: told for told in reversed(shared)}
    return {told: defaults for told, defaults in shared.items() if told in first.values()}


def _whole(told: str, defaults: set[str]) -> str:
    (only,) = defaults if len(defaults) == 1 else ("",)
    return f"{told} Default: {only}." if only else told


def _named(told: str, default: str, defaults: set[str]) -> str:
    """The name of an option that is told elsewhere, with its default if that is the command's own."""
    flag = told.partition(" ")[0].rstrip(":")
    return f"{flag} (default: {default})" if default and len(defaults) > 1 else flag


def _commands() -> Iterator[tuple[str, click.Command]]:
    yield "", cli
    yield from sorted(commands().items())


def _usage(name: str, command: click.Command) -> str:
    return " ".join(["pnp", *([name] if name else []), *_arguments(command)])


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def paragraphs(command: click.Command) -> list[str]:
    """The help of a command, each paragraph on a line (typed lines as they are), and which words an argument may be."""
    said = cleandoc(command.help or "").split("\n\n")
    found = [indent(each[1:].strip("\n"), "    ") if each[0] == "\b" else " ".join(each.split()) for each in said]
    for argument in command.params:
        if isinstance(argument, click.Argument) and isinstance(argument.type, click.Choice):
            found.append(f"{_metavar(argument)} is {_choices(argument.type)}.")
    return found


def _arguments(command: click.Command) -> Iterator[str]:
    for argument in command.params:
        if isinstance(argument, click.Argument):
            shown = _metavar(argument)
            yield shown if argument.required or shown.startswith("[") else f"[{shown}]"


def _metavar(argument: click.Argument) -> str:
    return argument.metavar or (argument.name or "").upper()


def _option(option: click.Option) -> tuple[str, str]:
    """What is told of an option, and its default."""
    flags = "/".join(f"`{flag}`" for flag in (*option.opts, *option.secondary_opts))
    value = _value(option)
    text, _, said = " ".join((option.help or "Show the version and exit.").split()).partition(" Default: ")
    return f"{flags}{f' {value}' if value else ''}: {text}", _default(option) or said.rstrip(".")


def _value(option: click.Option) -> str:
    """What comes after it: the words to choose from, or a name of the kind of value."""
    if option.is_flag:
        return ""
    if isinstance(option.type, click.Choice):
        return _choices(option.type)
    if option.metavar:
        return f"*{option.metavar}*"
    if isinstance(option.type, click.IntRange | click.FloatRange):
        return f"*{option.type.min:g} to {option.type.max:g}*"
    if isinstance(option.type, click.Path):
        return "*file*" if option.type.file_okay else "*folder*"
    return "*number*" if option.type is click.FLOAT else "*text*"


def _choices(choice: click.Choice[str]) -> str:
    *first, last = (f"`{word}`" for word in choice.choices)
    return f"{', '.join(first)} or {last}" if first else last


def _default(option: click.Option) -> str:
    if not option.show_default or option.default is None:
        return ""
    if option.secondary_opts:
        return f"`{(option.opts if option.default else option.secondary_opts)[0]}`"
    return f"`{option.default}`"


def main() -> None:
    """Write the pages."""
    (PAGES / "sizes.md").write_text(sizes_page(), encoding="utf-8")
    (PAGES / "commands.md").write_text(commands_page(), encoding="utf-8")
    (PAGES / "checker.md").write_text(rules_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
