"""Reads ``[book.NAME]`` of game.toml and its Markdown into :class:`pnp.values.game.Manual`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from pnp.read import presets
from pnp.read.project import Project
from pnp.read.schema import BookRules, GameFile
from pnp.read.tomlfile import Lines
from pnp.shapes import units
from pnp.shapes.colour import full
from pnp.system.paths import file_within
from pnp.values.game import Manual
from pnp.values.problems import Place, Problems

USUAL = "rulebook"
# The cover's drawing shows the title itself.
DRAWN = "none"
MOST_BYTES = 2_000_000
# Files of the game that no book may replace, and what the names of a book's own files end with.
RESERVED = ("print", "report")
ENDINGS = (*(presets.paper(name).halved().name for name in presets.paper_names()), "booklet", "two-up")


def read_manuals(project: Project, folder: Path, game: GameFile, lines: Lines, problems: Problems) -> tuple[Manual, ...]:
    """The game's books in the order written; also a rulebook.md that no section names."""
    sections = dict(game.book)
    if not sections and (folder / f"{USUAL}.md").is_file():
        sections[USUAL] = BookRules()
    made = (_manual(project, folder, key, rules, game, lines, problems) for key, rules in sections.items())
    return tuple(manual for manual in made if manual is not None)


def _manual(
    project: Project, folder: Path, key: str, rules: BookRules, game: GameFile, lines: Lines, problems: Problems
) -> Manual | None:
    books = {f"{other}-{ending}" for other in game.book for ending in ENDINGS}
    if key in RESERVED or key in books or any(f"{key}-{ending}" in game.component for ending in ENDINGS):
        message = f'files of the book "{key}" would be called like other files of the game'
        problems.error("book-name", lines.place("book", key), message, value=key, hint="Give the book another name.")
    if key in game.component:
        message = f'a component is called "{key}" already, and both would be the file {key}.pdf'
        problems.error("book-name", lines.place("book", key), message, value=key, hint="Give the book another name.")
    path = folder / (rules.file or f"{key}.md")
    text = text_of_book(project, folder, path, lines.place("book", key, "file"), problems)
    colours = {
        name: _colour(getattr(rules, name) or rules.cover_ink, game.palette, lines.place("book", key, name), problems)
        for name in ("cover_ink", "foot_ink", "accent", "tint")
        if name != "cover_ink" or rules.cover_ink != DRAWN
    }
    try:
        creep = units.length(rules.creep)
    except ValueError as error:
        problems.error("bad-length", lines.place("book", key, "creep"), str(error), value=rules.creep)
        return None
    if text is None:
        return None
    return Manual(
        name=key,
        title=rules.title or game.game.name,
        subtitle=rules.subtitle or "",
        foot=rules.foot or "",
        file=project.shown(path),
        text=text,
        form=rules.form,
        cover=rules.cover or "",
        vignette=rules.vignette or "",
        contents=rules.contents,
        creep=creep,
        place=lines.place("book", key),
        cover_ink=colours.get("cover_ink", ""),
        foot_ink=colours["foot_ink"],
        accent=colours["accent"],
        tint=colours["tint"],
    )


def text_of_book(project: Project, folder: Path, path: Path, place: Place, problems: Problems) -> str | None:
    if not file_within(folder, path):
        files = sorted(file.name for file in folder.glob("*.md"))
        problems.unknown("missing-book", place, f'there is no file "{path.name}" in the game\'s folder', path.name, files)
        return None
    shown = project.shown(path)
    try:
        data = path.read_bytes() if path.stat().st_size <= MOST_BYTES else None
    except OSError as error:
        problems.unreadable = True
        problems.error("unreadable-book", Place(shown), f"it cannot be read ({error.strerror})")
        return None
    if data is None:
        problems.error("unreadable-book", Place(shown), f"it is larger than {MOST_BYTES // 1_000_000} MB")
        return None
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problems.unreadable = True
        problems.error(
            "unreadable-book", Place(shown, line), "it is not UTF-8 text", hint="Save it as UTF-8 in your editor."
        )
        return None
    if stray := re.search(r"[\x00-\x08\x0b-\x1f\x7f\ue000-\ue003]", text):
        here = Place(shown, text.count("\n", 0, stray.start()) + 1)
        message = f"there is an invisible control character (U+{ord(stray[0]):04X})"
        problems.error("unreadable-book", here, message, value=stray[0], hint="Type the text anew: it came in by copying.")
        return None
    return text


def _colour(written: str, palette: Mapping[str, str], place: Place, problems: Problems) -> str:
    if colour := full(palette.get(written, written)):
        return colour
    message = f'"{written}" is neither a colour of the palette nor written #rrggbb'
    problems.unknown("unknown-colour", place, message, written, palette, most=24)
    return "#000000"
