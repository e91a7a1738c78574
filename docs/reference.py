"""Writes into the README what the code says of its rules and of its commands: ``python docs/reference.py``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from pnp.check.registry import CHECKS, HEADINGS
from pnp.cli import cli

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN, END = "<!-- rules: made by docs/reference.py from docstrings -->", "<!-- end of rules -->"
COMMANDS_BEGIN, COMMANDS_END = "<!-- commands: made by docs/reference.py from their help -->", "<!-- end of commands -->"


def rules_section() -> str:
    """The documentation of all rules of the checker, as Markdown."""
    parts = [BEGIN]
    told: set[str] = set()
    for group, heading in HEADINGS.items():
        check = CHECKS.get(group)
        if check is None or check.documentation in told:
            continue
        told.add(check.documentation)
        text = cleandoc(check.documentation).replace("``", "`")
        if len(check.rules) == 1 and f"`{check.rules[0]}`" not in text:
            text = f"`{check.rules[0]}`: {text[:1].lower()}{text[1:]}"
        paragraphs = [_paragraph(paragraph) for paragraph in text.split("\n\n")]
        parts += ["", f"### {heading}", "", "\n\n".join(paragraphs)]
    return "\n".join([*parts, "", END])


def _paragraph(text: str) -> str:
    """Why, Example and Mend on lines of their own."""
    lines = re.split(r"\n(?=(?:Why|Example|Mend): )", text)
    joined = [" ".join(line.split()) for line in lines]
    return "  \n".join(re.sub(r"^(Why|Example|Mend):", r"*\1:*", line) for line in joined)


def commands_section() -> str:
    """The help of the program and of every command, as Markdown; made here so that no release of click words it anew."""
    parts = [COMMANDS_BEGIN]
    for name, command in (("", cli), *cli.commands.items()):
        usage = " ".join(["pnp", *([name] if name else []), *_arguments(command)])
        parts += ["", f"### `{usage}`", "", _help(command)]
        if lines := [_option(option) for option in command.params if isinstance(option, click.Option)]:
            parts += ["", *lines]
    return "\n".join([*parts, "", COMMANDS_END])


def _help(command: click.Command) -> str:
    """Its paragraphs, each on a line, and which words an argument may be."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in cleandoc(command.help or "").split("\n\n")]
    for argument in command.params:
        if isinstance(argument, click.Argument) and isinstance(argument.type, click.Choice):
            paragraphs.append(f"{_metavar(argument)} is {_choices(argument.type)}.")
    return "\n\n".join(paragraphs)


def _arguments(command: click.Command) -> Iterator[str]:
    for argument in command.params:
        if isinstance(argument, click.Argument):
            shown = _metavar(argument)
            yield shown if argument.required or shown.startswith("[") else f"[{shown}]"


def _metavar(argument: click.Argument) -> str:
    return argument.metavar or (argument.name or "").upper()


def _option(option: click.Option) -> str:
    flags = "/".join(f"`{flag}`" for flag in (*option.opts, *option.secondary_opts))
    value = _value(option)
    default = _default(option)
    text = " ".join((option.help or "Show the version and exit.").split())
    return f"- {flags}{f' {value}' if value else ''}: {text}{f' Default: {default}.' if default else ''}"


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
    """Put the sections where the README has their marks."""
    text = README.read_text(encoding="utf-8")
    for begin, end, section in ((BEGIN, END, rules_section()), (COMMANDS_BEGIN, COMMANDS_END, commands_section())):
        before, _, rest = text.partition(begin)
        text = before + section + rest.partition(end)[2]
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
