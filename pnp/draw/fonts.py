"""Finds the fonts a game may use: families by name and role, the characters that they have, their names and licences.

System fonts are never used, so that a build means the same on every machine.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import chain
from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pnp.system.cache import Cache, digest, remembered
from pnp.system.paths import within
from pnp.system.watchdog import at
from pnp.values.game import Game
from pnp.values.languages import N_, unspaced
from pnp.values.problems import Place, Problems, closest, listed
from pnp.values.walk import grouped

if TYPE_CHECKING:
    import typst


FALLBACK = "Source Sans Pro"
MOST_BYTES = 64_000_000
BOLD = 700
# From so thick an l on, as a part of the size, letters look bold: that of Source Sans Pro Semibold.
HEAVY = 0.115


def _digest(path: Path, folder: Path) -> str:
    """A digest of a font's content; empty for a file too large for one, or behind a link that leads elsewhere."""
    sound = within(folder, path) and path.stat().st_size <= MOST_BYTES
    return hashlib.sha256(path.read_bytes()).hexdigest() if sound else ""


# Games share the fonts of packages, and the builds of a game all of them.
@lru_cache(8)
def _engine(folders: tuple[Path, ...], _state: tuple[tuple[Path, int, int], ...]) -> typst.Fonts:
    """Typst's fonts for these folders, kept while their files stay the same; and Typst's own, of which one has symbols."""
    import typst

    return typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(folder) for folder in folders]
    )


class Fonts:
    """Families found in the game's font folders."""

    def __init__(self, game: Game, cache: Cache | None = None) -> None:
        self._cache = cache
        self._game = game
        self._folders = game.font_folders
        self._own = game.folder / "fonts"
        self._covered: dict[Path, frozenset[int]] = {}
        self._families: dict[tuple[str, str], tuple[str, ...]] = {}
        self._by_language: dict[str, dict[str, tuple[str, ...]]] = {}
        self._shown: dict[tuple[tuple[str, ...], bool], set[str]] = {}
        """Characters that families were seen to have: texts say the same ones again and again."""
        self._stems: dict[Path, float] = {}

    @property
    def roles(self) -> dict[str, tuple[str, ...]]:
        """Families by role in the game's language."""
        return self._roles(self._game.language)

    def _roles(self, language: str) -> dict[str, tuple[str, ...]]:
        if language not in self._by_language:
            given = {"body": (FALLBACK,), **self._game.families(language)}
            self._by_language[language] = {
                role: tuple(self.called(family) or family for family in families) for role, families in given.items()
            }
        return self._by_language[language]

    @cached_property
    def engine(self) -> typst.Fonts:
        found = ((path, path.stat()) for folder in self._folders for path in sorted(folder.rglob("*")) if path.is_file())
        return _engine(self._folders, tuple((path, about.st_mtime_ns, about.st_size) for path, about in found))

    def __getstate__(self) -> dict[str, Any]:
        """Leaves out Typst's fonts, which another process finds anew."""
        return {key: value for key, value in self.__dict__.items() if key != "engine"}

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the fonts: those of the game by content, those of packages by name and length."""
        parts = []
        for number, folder in enumerate(self._folders):
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    own = _digest(path, folder) if folder.name == "fonts" else ""
                    parts.append(f"{number} {path.name} {path.stat().st_size} {own}")
        return hashlib.sha256("\n".join(parts).encode(errors="backslashreplace")).hexdigest()

    @cached_property
    def files(self) -> dict[str, Path]:
        """The upright file nearest to regular weight of each family."""
        return self._nearest(False, 400)

    @cached_property
    def slanted(self) -> dict[str, Path]:
        """The italic file of each family, which may have fewer characters; the upright where there is none."""
        return self._nearest(True, 400)

    @cached_property
    def bold(self) -> dict[str, Path]:
        """The upright file nearest to bold weight of each family."""
        return self._nearest(False, 700)

    def _nearest(self, italic: bool, weight: int) -> dict[str, Path]:
        def rank(cut: tuple[bool, int, str]) -> tuple[bool, int, str]:
            return cut[0] != italic, abs(cut[1] - weight), cut[2]

        return {family: Path(min(cuts, key=rank)[2]) for family, cuts in self._cuts.items()}

    @cached_property
    def _cuts(self) -> dict[str, list[tuple[bool, int, str]]]:
        """Italic or not, weight, and file of each font of each family."""
        found: dict[str, list[tuple[bool, int, str]]] = {}
        for font in self.engine.fonts():
            if font.path is not None:
                found.setdefault(font.family, []).append((font.style != "normal", font.weight, font.path))
        return found

    @cached_property
    def _other_names(self) -> dict[str, list[tuple[str, int]]]:
        """Families and weights by what their fonts are also called, such as "Archivo Black" or "Archivo-Black"."""
        found: dict[str, list[tuple[str, int]]] = {}
        for family, cuts in self._cuts.items():
            for _, weight, path in sorted(cuts):
                for name in names_of(Path(path)):
                    found.setdefault(name.casefold(), []).append((family, weight))
        return found

    def called(self, name: str) -> str | None:
        """The family of a name: its own, or another one of the only font of its family, or of all that are of it."""
        if name in self.files:
            return name
        named = self._other_names.get(name.casefold(), ())
        families = {family for family, _ in named}
        if len(families) != 1:
            return None
        (family,) = families
        alone = len({(italic, weight) for italic, weight, _ in self._cuts[family]}) == 1
        every = len(named) == len(self._cuts[family])
        return family if alone or every or family.casefold() == name.casefold() else None

    def mixed(self, family: str) -> list[str]:
        """The names of fonts that Typst takes for one: of "Barlow" and "Barlow Condensed", which it calls Barlow as well."""
        fonts = [font for font in self.engine.fonts() if font.family == family and font.path is not None]
        alike = grouped(((font.style, font.weight, font.stretch), font.path or "") for font in fonts).values()
        tables = [[_table(Path(path)) for path in paths] for paths in alike if len(paths) > 1]
        names = [{table.get(TYPOGRAPHIC) or table.get(FAMILY, "") for table in each} for each in tables]
        return sorted(next((each for each in names if len(each) > 1), ()))

    def meant(self, name: str) -> str:
        """A hint for a name that is no family: the one to write instead."""
        if known := self._other_names.get(name.casefold()):
            family, weight = known[0]
            return f'It is the family "{family}" in weight {weight}: write "{family}", and weight {weight} in the text box.'
        return closest(name, self.known())

    def emboldens(self, family: str, weight: int, heavy: int, italic: bool) -> bool:
        """Whether a family has another font for bold words than for those around them."""
        cuts = self._cuts.get(family, ())
        usable = [each for slanted, each, _ in cuts if slanted == italic] or [each for _, each, _ in cuts]

        def nearest(wanted: int) -> int:
            return min(usable, key=lambda each: (abs(each - wanted), each))

        return not usable or nearest(weight) != nearest(heavy)

    def slants(self, family: str) -> bool:
        """Whether a family has an italic."""
        return family not in self._cuts or any(italic for italic, _, _ in self._cuts[family])

    def licences(self) -> dict[str, list[str]]:
        """The families that the game uses by their licences: those with a role, and all in its own folder."""
        own = {family for family, path in self.files.items() if path.is_relative_to(self._own)}
        found: dict[str, list[str]] = {}
        for family in dict.fromkeys([*chain(*self.roles.values()), *sorted(own), FALLBACK]):
            if family in self.files:
                found.setdefault(self.licence(family), []).append(family)
        return found

    def licence(self, family: str) -> str:
        path = self.files[family]
        neighbours = {other for other, each in self.files.items() if each.parent == path.parent}
        return licence_of(path, alone=len(neighbours) == 1)

    def families(self, names: str, language: str = "") -> tuple[str, ...]:
        """Families to try in order for a comma-separated list of roles and families: first the
        named ones, then the game's others, so that a glyph is only missing when no font has it.

        ``language`` is that of the text, where it is not the game's.
        """
        key = (names, language or self._game.language)
        if key not in self._families:
            roles = self._roles(key[1])
            named = [roles.get(name) or (self.called(name) or name,) for name in map(str.strip, names.split(","))]
            self._families[key] = tuple(dict.fromkeys(chain(*named, *roles.values(), *self.roles.values())))
        return self._families[key]

    def unknown(self, names: str, language: str = "") -> list[str]:
        """The names in a comma-separated list that are neither a role nor a family, or of which no file is there."""
        roles = self._roles(language or self._game.language)
        given = (roles.get(name, (name,)) for name in map(str.strip, names.split(",")))
        return [name for names in given for name in names if self.called(name) is None]

    def weight(self, families: Sequence[str], text: str, weight: int) -> int:
        """The weight to ask for so that letters which the first family has not are as heavy as its own.

        A font of one weight is called regular however heavy it is: its own letters stay the same whatever is asked for.
        """
        first = families[0]
        cuts = {each for italic, each, _ in self._cuts.get(first, ()) if not italic}
        if weight >= BOLD or len(cuts) != 1 or not self.missing(text, families[:1]):
            return weight
        return BOLD if self._stem(self.files[first]) >= HEAVY else weight

    def number(self, family: str) -> int:
        """The place of a family's fonts in their files, which may hold several."""
        return min(
            (font.index for font in self.engine.fonts() if font.path is not None and font.family == family), default=0
        )

    def _stem(self, path: Path) -> float:
        """How thick an l is, as a part of the size."""
        if path not in self._stems:
            data = path.read_bytes()
            self._stems[path] = float(remembered(self._cache, digest("stem", data), lambda: str(_stem(data)).encode()))
        return self._stems[path]

    @cached_property
    def whole(self) -> bool:
        """Whether each family that a role names is there."""
        return not any(self.unknown(role) for role in self.roles)

    def known(self) -> list[str]:
        return [*self.roles, *sorted(self.files)]

    def missing(self, text: str, families: Iterable[str], italic: bool = False) -> list[str]:
        """The characters of a text that none of the families can show; the font for symbols may have them."""
        tried = tuple(families)
        shown = self._shown.setdefault((tried, italic), set())
        if shown.issuperset(text):
            return []
        wanted = {ord(character) for character in text if not invisible(character)}
        for family in tried:
            wanted -= self._characters((self.slanted if italic else self.files).get(family))
            if not wanted:
                shown.update(text)
                return []
        return [chr(code) for code in sorted(wanted)]

    def bullet(self, families: Iterable[str]) -> tuple[float, float]:
        """How much larger the dot of a list is than its font draws it; and how far its middle is above the line."""
        family = next((each for each in families if not self.missing("•", (each,))), "")
        if not family:
            return 1.0, 0.0
        data = self.files[family].read_bytes()
        high, middle = json.loads(remembered(self._cache, digest("bullet", data), lambda: _bullet(data)))
        return (round(USUAL_BULLET / high, 3) if 0 < high < LEAST_BULLET else 1.0), middle

    def eastern(self, families: Iterable[str], language: str) -> str:
        """The family of dots of omission and dashes where they are in the middle of the line; "" in most languages."""
        if not unspaced(language):
            return ""
        return next((each for each in families if not self.missing(IDEOGRAPH, (each,))), "")

    def _characters(self, path: Path | None) -> frozenset[int]:
        if path is None:
            return frozenset()
        if path not in self._covered:
            data = path.read_bytes()
            known = remembered(self._cache, digest("characters", data), lambda: _characters(data))
            self._covered[path] = frozenset(json.loads(known))
        return self._covered[path]


def _characters(data: bytes) -> bytes:
    import uharfbuzz

    return json.dumps(sorted(uharfbuzz.Face(data).unicodes)).encode()


def _stem(data: bytes) -> float:
    """The mean thickness of an l, as a part of the size; 0 of a font without one."""
    import uharfbuzz
    from fontTools.pens.areaPen import AreaPen
    from fontTools.pens.boundsPen import BoundsPen

    font = uharfbuzz.Font(uharfbuzz.Face(data))
    glyph = font.get_nominal_glyph(ord("l"))
    if glyph is None:
        return 0.0
    area, bounds = AreaPen(), BoundsPen(None)
    font.draw_glyph_with_pen(glyph, area)
    font.draw_glyph_with_pen(glyph, bounds)
    if bounds.bounds is None:
        return 0.0
    high = bounds.bounds[3] - bounds.bounds[1]
    return float(abs(area.value) / high / font.face.upem) if high else 0.0


def _bullet(data: bytes) -> bytes:
    """How high the dot of a list is, and its middle, as parts of the size."""
    import uharfbuzz

    font = uharfbuzz.Font(uharfbuzz.Face(data))
    glyph = font.get_nominal_glyph(ord("•"))
    extents = font.get_glyph_extents(glyph) if glyph is not None else None
    if extents is None:
        return b"[0, 0]"
    high, top = -extents.height / font.face.upem, extents.y_bearing / font.face.upem
    return json.dumps([round(high, 4), round(top - high / 2, 4)]).encode()


def invisible(character: str) -> bool:
    """Whether a character needs no glyph: spaces, controls, joiners, variation selectors."""
    return character.isspace() or unicodedata.category(character) in ("Cc", "Cf") or "\ufe00" <= character <= "\ufe0f"


# How high the dot of a list is, as a part of the size: one that is lower is drawn as others are.
LEAST_BULLET, USUAL_BULLET = 0.2, 0.27
# What every font of Chinese or Japanese has, and no other.
IDEOGRAPH = "\N{CJK UNIFIED IDEOGRAPH-4E00}"
# After these findings nothing can be set.
FONTLESS = ("unknown-font", "broken-font")


def check_fonts(game: Game, fonts: Fonts, problems: Problems) -> None:
    """Reports roles that name no family, and files that are no fonts."""
    at(f"reading the fonts of {game.name}")
    told: set[str] = set()
    for role, family in ((role, family) for role, families in game.families(game.language).items() for family in families):
        if family not in told and fonts.called(family) is None:
            told.add(family)
            place = game.place_of(game.font_key(role))
            message = f'no font file has the family "{family}"'
            hint = fonts.meant(family) or "Put its .ttf or .otf file into the game's folder fonts/."
            problems.error("unknown-font", place, message, value=family, allowed=listed(sorted(fonts.files)), hint=hint)
    loaded = {Path(font.path).resolve(): font.family for font in fonts.engine.fonts() if font.path is not None}
    own, home = game.folder / "fonts", Place(f"{game.file.rpartition('/')[0]}/fonts")
    # A template may name any family of the folder.
    places = {family: home for path, family in sorted(loaded.items()) if path.is_relative_to(own.resolve())}
    places |= {family: game.place_of(game.font_key(role)) for role, each in fonts.roles.items() for family in each}
    for family, place in places.items():
        if family not in told and len(names := fonts.mixed(family)) > 1:
            message = f"fonts/ has {listed(names)}, which are called {family} here: which one is printed is chance"
            problems.warn("mixed-fonts", place, message, value=family, hint="Keep one of them.")
    for path in sorted(own.iterdir()) if own in game.font_folders else ():
        if path.suffix.lower() in (".ttf", ".otf", ".ttc") and Path(realpath(path)) not in loaded:
            message = "the file is not a font that can be read"
            hint = "Take the font's .ttf or .otf file again from its source."
            problems.error("broken-font", Place(f"{home.file}/{path.name}"), message, hint=hint)


# In a font's table of names: https://learn.microsoft.com/typography/opentype/spec/name
COPYRIGHT, FAMILY, FULL, POSTSCRIPT, LICENCE, LICENCE_URL, TYPOGRAPHIC = 0, 1, 4, 6, 13, 14, 16
UNSTATED = N_("licence not stated in the font")
# Files that come with a font, and what they are about.
_BESIDE = re.compile(r"(ofl|licen[cs]e|copying|apache|ufl)([-_. ].*)?", re.IGNORECASE)
_MOST_BYTES = 200_000
_KNOWN = (
    (re.compile(r"Open\s+Font\s+Licen[cs]e|\bOFL\b|scripts\.sil\.org", re.IGNORECASE), "SIL Open Font License"),
    (re.compile(r"Apache\s+Licen[cs]e|apache\.org/licenses", re.IGNORECASE), "Apache License"),
    (re.compile(r"Bitstream\s+Vera", re.IGNORECASE), "Bitstream Vera licence"),
    (re.compile(r"Ubuntu\s+Font\s+Licen[cs]e", re.IGNORECASE), "Ubuntu Font Licence"),
)


def names_of(path: Path) -> frozenset[str]:
    """Names of a font besides its family: full name, PostScript name, families for older programs."""
    found = _table(path)
    return frozenset(found[key] for key in (FAMILY, FULL, POSTSCRIPT, TYPOGRAPHIC) if found.get(key))


def licence_of(path: Path, alone: bool) -> str:
    """A font's licence in a few words: from its own table, else from a file beside it, else UNSTATED.

    A file beside it is about it when it names its family, or when the folder has no other family (``alone``).
    """
    table = _table(path)
    said = " ".join(table.get(key, "") for key in (LICENCE, LICENCE_URL, COPYRIGHT))
    if known := _licence_in(said):
        return known
    if stated := (table.get(LICENCE) or table.get(LICENCE_URL, "")).strip():
        return stated.split(". ")[0].splitlines()[0][:80]
    families = [table[key] for key in (FAMILY, TYPOGRAPHIC) if table.get(key)]
    for text in _beside(path.parent):
        if (alone or any(family in text for family in families)) and (known := _licence_in(text)):
            return known
    return UNSTATED


def _licence_in(text: str) -> str:
    return next((name for pattern, name in _KNOWN if pattern.search(text)), "")


def _beside(folder: Path) -> Iterator[str]:
    for path in sorted(folder.iterdir()):
        if _BESIDE.fullmatch(path.stem) and path.suffix.lower() in ("", ".txt", ".md") and path.is_file():
            with suppress(OSError):
                yield path.read_bytes()[:_MOST_BYTES].decode(errors="replace")


def _table(path: Path) -> dict[int, str]:
    import uharfbuzz

    try:
        face = uharfbuzz.Face(path.read_bytes())
    except OSError:
        return {}
    wanted = (COPYRIGHT, FAMILY, FULL, POSTSCRIPT, LICENCE, LICENCE_URL, TYPOGRAPHIC)
    return {key: face.get_name(key, "en") or "" for key in wanted}
