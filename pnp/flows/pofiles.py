"""Catalogues as PO files, for Weblate, Poedit and their like, by Babel: a stale row is fuzzy there, with its old source."""

from __future__ import annotations

import io
from pathlib import Path

from pnp.read.languages import MOST_BYTES
from pnp.system.paths import plain_bytes
from pnp.values.languages import Entry, Translation, context_of
from pnp.values.problems import Place, Problems


def po_of(translation: Translation) -> bytes:
    """A catalogue that is up to date as a PO file. Its messages are told apart by their locations."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import write_po

    made = Catalog(locale=translation.language.replace("-", "_"), fuzzy=False)
    # The dates of a header are no part of a game.
    made.mime_headers = [(name, value) for name, value in made.mime_headers if not name.endswith("-Date")]
    for unit, entry in translation.pairs:
        flags = {"fuzzy"} if entry is not None and entry.fuzzy else set()
        was = [entry.was] if entry is not None and entry.was is not None else []
        made.add(
            unit.source,
            entry.target if entry is not None else "",
            locations=[],
            flags=flags,
            user_comments=entry.note.split("\n") if entry is not None and entry.note else [],
            previous_id=was,
            context=unit.location,
        )
    text = io.BytesIO()
    write_po(text, made, width=0, omit_header=False, include_previous=True)
    lines = text.getvalue().decode().split("\n")
    return "\n".join(line for line in lines if not line.startswith(('"POT-Creation-Date', '"PO-Revision-Date'))).encode()


def entries_of_po(path: Path, problems: Problems) -> list[Entry]:
    """The messages of a PO file as rows of a catalogue; what cannot be read is told."""
    from babel.messages.pofile import PoFileError, read_po

    shown = path.name
    data = plain_bytes(path, MOST_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problems.error("not-utf-8", Place(shown, line), "it is not UTF-8 text", hint="Save it as UTF-8 in your editor.")
        return []
    try:
        read = read_po(io.StringIO(text), abort_invalid=True)
    except (PoFileError, ValueError) as error:
        problems.error("broken-po", Place(shown, getattr(error, "lineno", None)), f"it is no PO file ({error})")
        return []
    made = []
    for message in read:
        if not message.id or not message.context or not isinstance(message.id, str):
            continue
        was = message.previous_id[0] if message.fuzzy and message.previous_id else None
        target = message.string if isinstance(message.string, str) else ""
        made.append(Entry(message.context, message.id, target, message.fuzzy, context_of("", was=was)))
    if not made:
        hint = "Write one with pnp translate GAME de --po FILE.po."
        problems.error("broken-po", Place(shown), "there is no message with a location as its context in it", hint=hint)
    return made
