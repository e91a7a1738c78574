"""Writes what the README says of the checker's rules from their own docstrings: ``python docs/reference.py``."""

from __future__ import annotations

import re
from inspect import cleandoc
from pathlib import Path

from pnp.check.registry import CHECKS, HEADINGS

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN, END = "<!-- rules: made by docs/reference.py from docstrings -->", "<!-- end of rules -->"


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


def main() -> None:
    """Put the section where the README has its marks."""
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    README.write_text(before + rules_section() + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
