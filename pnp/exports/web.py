"""Exports a website: a folder of plain HTML that shows a game and offers its files, from disk or any host."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from lxml.html import fromstring

from pnp import __version__
from pnp.books.functions import LABELS
from pnp.books.page import ALWAYS, fonts_of
from pnp.exports.faces import Entry, entries_of
from pnp.exports.kit import FORMS, Part
from pnp.exports.tables import dots, there
from pnp.exports.target import Job, Target, zipped
from pnp.flows.build import Made
from pnp.sandbox import Environment
from pnp.shapes.colour import channels, contrast, luminance
from pnp.system.addons import load
from pnp.values.languages import N_, Words
from pnp.values.problems import Problems

TEMPLATE = "web.html.j2"
# A millimetre in CSS pixels; nothing is shown narrower or wider than these, the only picture of a part up to the last.
SCALE, LEAST, LARGEST, ALONE = 2.35, 76, 480, 680
# A photograph of a page would be no sharper on a telephone.
MOST, COVER_DPI = 1400, 110
CONTRAST = 4.6
FACTS = ("designer", "year", "players", "version", "licence", "source", "note")
PALE, DARK = "#eef1f5", "#2b3a55"
# Which file another person needs to play there; "": all of them.
TABLES = {
    "virtualtabletop": ".vtt",
    "playingcards": ".pcio",
    "card-game-simulator": ".cgs.zip",
    "tabletop-simulator": ".json",
    "tabletop-club": "",
    "tabletop-playground": "",
}
Shown = dict[str, Any]
"""What the template is told of a thing."""


def make(job: Job) -> Iterator[Made]:
    """Makes ``index.html``, its pictures, the books as pages, and downloads in ``files``."""
    game, words, place = job.kit.game, job.kit.game.words, job.kit.game.place_of("game")
    parts: list[Shown] = []
    for part in job.kit.parts:
        yield from _pieces(job, part, parts)
    cover = _cover(job)
    if cover:
        yield Made("pictures/cover.png", cover, "the cover", place)
    papers: dict[str, list[Shown]] = {}
    books: list[Shown] = []
    for made in job.rasterizer.built():
        if made.name.endswith(".html"):
            manual = next(manual for manual in game.manuals if f"{manual.name}.html" == made.name)
            chapters = [
                {"id": quote(heading.get("id", "")), "text": heading.text_content()}
                for heading in fromstring(made.data).iter("h2")
                if heading.get("id")
            ]
            books.append({"file": quote(made.name), "title": game.book_title(manual), "chapters": chapters})
            yield made
        elif said := _said(job, made.name):
            file = f"files/{game.name}-{made.name.replace('/', '-')}"
            whose, title, text = said
            papers.setdefault(whose, []).append(_download(file, made.data, title, text, words))
            yield replace(made, name=file)
    tables: list[Shown] = []
    for name, says, how, made in _tables(job):
        tables.append({**_download(made.name, made.data, says, how, words), "target": name})
        yield made
    shown = {"parts": parts, "cover": bool(cover), "papers": [*papers.items()], "books": books, "tables": tables}
    yield Made("index.html", _page(job, shown), "the page", place)


def _pieces(job: Job, part: Part, parts: list[Shown]) -> Iterator[Made]:
    """Makes a part's pictures and adds them to ``parts`` for the template."""
    from pnp.write.png import for_screen

    entries, words = entries_of(part), job.kit.game.words
    looks = [(entry.look, dots(entry.look.width, entry.look.height, MOST)) for entry in entries]
    pictures = job.rasterizer.packed(looks, "screen", partial(for_screen, most=MOST))
    written = _written(job, part)
    wide = part.width * SCALE
    scale = SCALE * max(1.0, LEAST / wide) * min(1.0, (LARGEST if len(entries) > 1 else ALONE) / wide)
    shown, before = [], b""
    for entry, data in zip(entries, pictures, strict=True):
        file = f"pictures/{part.name}/{'-'.join(filter(None, (entry.id, entry.side.replace(' ', '-'))))}.png"
        if entry.side == "back" and entry.id and data == before:
            continue  # both sides are alike
        before, side, name = data, _side(entry, words), entry.name if len(part.things) > 1 else part.title
        told = f"{name}, {side}"
        text = written.get(entry.look.key, "")
        shown.append(
            {
                "file": quote(file),
                "alt": f"{told}: {text}" if text else told,
                "says": name if entry.side == "front" else told if entry.id and len(part.things) > 1 else side,
                "copies": entry.copies if entry.side in ("front", "face 1") else 1,
                "width": round(entry.look.width * scale),
                "height": round(entry.look.height * scale),
                "clear": entry.look.clear,
            }
        )
        yield Made(file, data, f'"{part.name}"', part.component.place)
    copies = sum(thing.copies for thing in part.things)
    said = [words.many("{count} design", "{count} designs", len(there(part)))] if len(part.things) > 1 else []
    said.append(words.many("{count} piece", "{count} pieces", copies))
    parts.append({"name": part.name, "title": part.title, "said": said, "pieces": shown, "copies": copies})


def _written(job: Job, part: Part) -> Mapping[str, str]:
    """The text on a part's looks, by their keys."""
    texts = job.rasterizer.written()
    found = {}
    for thing in part.things:
        for look, face in ((thing.front, thing.piece.front), (thing.back, thing.piece.back)):
            if look and face:
                found[look.key] = texts.get(face.key, "")
    return found


def _side(entry: Entry, words: Words) -> str:
    kind, _, number = entry.side.partition(" ")
    if number:
        return words(N_("face {number}"), number=number)
    return words(N_("back")) if kind == "back" else words(N_("front"))


def _cover(job: Job) -> bytes:
    """The first page of the first book."""
    from pnp.write.png import for_screen, looks

    books = [manual.name for manual in job.kit.game.manuals if manual.form == "book"]
    reading = next((reading for reading in job.kit.readings if reading.name in books), None)
    if reading is None:
        return b""
    page, _ = next(looks(reading.pdf, COVER_DPI, [0]))
    return for_screen(page, MOST)


def _said(job: Job, name: str) -> tuple[str, str, str] | None:
    """Paper, title and purpose of a file of a build; None for one that visitors do not need."""
    game, words, path = job.kit.game, job.kit.game.words, PurePosixPath(name)
    if path.parent.name == "one-piece":
        text = words(N_("Uncut, for a copy shop that prints on large paper."))
        return words(N_("One piece")), job.kit.part(path.stem).title, text
    called = next(paper.called for paper in game.papers if paper.name == path.parent.name)
    if path.stem == "print":
        text = words(N_("All pieces, and first a plan: what to print on which paper, and how to cut and fold it."))
        return called, words(N_("Everything to print")), text
    for manual in game.manuals:
        title = game.book_title(manual)
        if path.stem == manual.name:
            return called, title, words(N_("To read, or to print page by page."))
        if path.stem == f"{manual.name}-booklet":
            return (
                called,
                words(N_("{title}, a booklet"), title=title),
                words(N_("Print it on both sides, fold it in the middle, and staple it.")),
            )
        if path.stem == f"{manual.name}-two-up":
            return (
                called,
                words(N_("{title}, two on a sheet"), title=title),
                words(N_("Print it on both sides, and cut it.")),
            )
    return None


def _download(file: str, data: bytes, title: str, text: str, words: Words) -> Shown:
    kind = PurePosixPath(file).suffix[1:].upper()
    size = f"{words.number(len(data) / 1e6, 1)} MB" if len(data) > 95_000 else f"{max(1, round(len(data) / 1000))} kB"
    return {"file": quote(file), "title": title, "text": text, "kind": f"{kind}, {size}"}


def _tables(job: Job) -> Iterator[tuple[str, str, str, Made]]:
    """Exports for virtual tables: title, purpose, how to open it, and the file, exported anew."""
    for name, choices in job.beside.items():
        if name not in TABLES:
            continue
        if name == "tabletop-simulator" and not choices.url:
            _left_out(
                job, name, "was exported without --url, so that nobody else sees its pictures", "Export it with --url."
            )
            continue
        target: Target = load("pnp.exports", name)
        other = replace(job, choices=choices, problems=Problems(), kept={})
        files = {made.name: made.data for made in target.make(other)}
        if other.problems.errors:
            _left_out(job, name, "cannot take the game as it is now", f"pnp export {name} {job.kit.game.name} says why.")
            continue
        end = TABLES[name]
        # A game with several boards has a file for each in some programs.
        needed = {file: data for file, data in files.items() if end and file.endswith(end) and name != "tabletop-simulator"}
        data = next(data for file, data in files.items() if file.endswith(end)) if end else zipped(files)
        file = f"files/{job.kit.game.name}-{name}.zip" if not end else f"files/{job.kit.game.name}{end}"
        if len(needed) > 1:
            data, file = zipped(needed), f"files/{job.kit.game.name}-{name}.zip"
        yield name, target.says, target.how, Made(file, data, name, job.kit.game.place_of("game"))


def _left_out(job: Job, name: str, why: str, hint: str) -> None:
    place = job.kit.game.place_of("game")
    job.problems.warn("not-exported", place, f"{name} {why}: it is not on the page", value=name, hint=hint)


def _page(job: Job, shown: Mapping[str, Any]) -> bytes:
    """The page as HTML with its fonts embedded, and a policy that allows its own pictures only."""
    game, look = job.kit.game, job.rasterizer.look()
    file = look.pages / TEMPLATE
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        file.read_text(encoding="utf-8")
    )
    manual = next(iter(game.manuals), None)
    told = {
        **shown,
        "title": game.title,
        "subtitle": manual.subtitle if manual else "",
        "language": look.language,
        "words": {name: game.words(text) for name, text in _WORDS.items()},
        "facts": [
            (game.words(LABELS[key]), said)
            for key in FACTS
            if (said := game.version if key == "version" else game.about.get(key))
        ],
        "made": game.words(N_("Made with {program}."), program=f"pnp-press {__version__}"),
        "tint": (tint := _toned(manual.tint if manual else PALE, "#000000", 12.0)),
        "accent": _toned(manual.accent if manual else DARK, tint, CONTRAST),
    }
    text = template.render(told, fonts={}, policy="")
    fonts = fonts_of(look, {*text, *ALWAYS})
    style = template.render(told, fonts=fonts, policy="").partition("<style>")[2].partition("</style>")[0]
    policy = f"'sha256-{b64encode(hashlib.sha256(style.encode()).digest()).decode()}'"
    return template.render(told, fonts=fonts, policy=policy).encode()


_WORDS = {
    "cover": N_("Cover"),
    "rules": N_("Rules"),
    "read": N_("Read the rules"),
    "pieces": N_("Pieces"),
    "print": N_("Print it"),
    "tables": N_("Play on a virtual table"),
    "about": N_("About the game"),
    "skip": N_("To the content"),
    "contents": N_("Contents"),
}


def _toned(code: str, beside: str, enough: float) -> str:
    """A colour made darker or lighter until it contrasts ``enough`` with another."""
    other = luminance([value / 255 for value in channels(beside)])
    away = 0 if other > 0.18 else 255
    for step in range(21):
        mixed = [round(value + (away - value) * step / 20) for value in channels(code)]
        mine = luminance([value / 255 for value in mixed])
        if contrast(mine, other) >= enough:
            break
    return "#{:02x}{:02x}{:02x}".format(*mixed)


TARGET = Target(
    "a page for the web: cover, rules, all pieces, files to print and to play",
    "Open index.html, or put the whole folder on any host. It needs no script and loads nothing from elsewhere. What was"
    " exported for virtual tables before is on it, made anew.",
    frozenset(FORMS.values()),
    make,
)
