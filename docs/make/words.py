"""Bring the catalogues of the press's own words up to date with the code: ``python docs/make/words.py [LANGUAGE]…``.

New sentences come in without a translation, changed ones are marked fuzzy, those that are gone stay as comments. A language
that is named and has no catalogue gets an empty one.
"""

from __future__ import annotations

import ast
import sys
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).parents[2] / "pnp"
# How many sentences a call takes: what is said through a Words, kept as a constant, a step of folding, and the two
# forms of a sentence about a number.
KEYWORDS = {"words": 1, "N_": 1, "Step": 1, "many": 2}
# Without dates and names, which git knows.
HEAD = """msgid ""
msgstr ""
"Language: {language}\\n"
"Plural-Forms: {plurals}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def template() -> Catalog:
    """Every sentence that the press prints, with the modules that do.

    Read by Python's own parser: Babel's extractor takes ``words[-1]`` for a call from version 2.19 on.
    """
    made = Catalog(project="pnp-press", fuzzy=False)
    for file in sorted(PACKAGE.rglob("*.py")):
        for call in ast.walk(ast.parse(file.read_bytes())):
            if not isinstance(call, ast.Call):
                continue
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            said = [each.value for each in call.args[: KEYWORDS.get(name, 0)] if isinstance(each, ast.Constant)]
            if said and len(said) == KEYWORDS[name] and all(isinstance(each, str) and each for each in said):
                location = (f"pnp/{file.relative_to(PACKAGE).as_posix()}", None)
                made.add(tuple(said) if len(said) > 1 else said[0], locations=[location])
    return made


def main(languages: list[str]) -> None:
    """Update every catalogue, and those that are named."""
    locale = PACKAGE / "locale"
    known = {path.parent.parent.name for path in locale.glob("*/LC_MESSAGES/pnp.po")}
    for language in sorted(known | set(languages)):
        path = locale / language / "LC_MESSAGES" / "pnp.po"
        code = language.replace("-", "_")
        if path.is_file():
            with path.open("rb") as file:
                catalogue = read_po(file, locale=code)
        else:
            catalogue = Catalog(locale=code, project="pnp-press", fuzzy=False)
        catalogue.update(template())
        path.parent.mkdir(parents=True, exist_ok=True)
        body = BytesIO()
        write_po(body, catalogue, width=118, omit_header=True, sort_output=True)
        path.write_bytes(HEAD.format(language=language, plurals=catalogue.plural_forms).encode() + body.getvalue())
        left = sum(not each.string or each.fuzzy for each in catalogue if each.id)
        print(f"{path.relative_to(PACKAGE.parent)}: {left} to translate")


if __name__ == "__main__":
    main(sys.argv[1:])
